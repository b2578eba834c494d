//! The positions still to be looked into, in several orders at once.
//!
//! Each order has its own list over the same positions; whoever comes first expands one, the others
//! skip it. Ties fall to the newest, so the orders are total and the same everywhere.

use std::cmp::Reverse;

/// One way to choose the next position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Nearest to mate by the main measure.
    Best,
    /// Nearest by the other measure, where there are two.
    Other,
    /// Fewest men, most advanced pawns: breaks locked positions open.
    Broken,
    /// The newest: goes deep.
    Deep,
    /// The oldest: finds short mates.
    Wide,
}

/// After the first positions the orders take turns like this.
const TURNS: [Order; 8] = [
    Order::Best,
    Order::Deep,
    Order::Broken,
    Order::Deep,
    Order::Other,
    Order::Broken,
    Order::Deep,
    Order::Wide,
];

/// Without scores, the oldest has a turn among so many.
const PLAIN_WIDE: usize = 8;
/// Scores beyond the last of so many count as that.
const SCORES: usize = 512;
/// Up to so many positions memory grows by doubling.
const FEW: usize = 1 << 14;

/// How near a position is by each measured order; smaller is nearer.
#[derive(Clone, Copy)]
pub(super) struct Scores {
    pub(super) best: u32,
    pub(super) other: Option<u32>,
    pub(super) broken: u32,
}

/// The lists. Memory: at most 16 bytes for each position, 4 without scores.
#[derive(Default)]
pub(super) struct Open {
    measured: [Measured; 3],
    /// For each position and order the next older one of its score, plus 1.
    older: Vec<[u32; 3]>,
    deep: Vec<u32>,
    wide: u32,
    round: usize,
    fresh: Vec<(u32, u32)>,
    /// Scores no longer matter.
    plain: bool,
}

impl Open {
    /// From here on the positions come by their age only, without scores; the lists are freed.
    pub(super) fn forget_scores(&mut self) {
        self.settle();
        self.plain = true;
        self.measured = Default::default();
        self.older = Vec::new();
    }

    /// Adds a position whose score does not matter.
    pub(super) fn push_plain(&mut self, index: u32) {
        let many = self.deep.len() + 1;
        reserve(&mut self.deep, many);
        self.deep.push(index);
    }

    /// Adds a position; [`Open::settle`] must follow when its siblings are in.
    pub(super) fn push(&mut self, index: u32, scores: Scores) {
        let at = index as usize;
        if self.older.len() <= at {
            reserve(&mut self.older, at + 1);
            self.older.resize(at + 1, [0; 3]);
        }
        let older = &mut self.older[at];
        older[0] = self.measured[0].push(index, scores.best);
        if let Some(other) = scores.other {
            older[1] = self.measured[1].push(index, other);
        }
        older[2] = self.measured[2].push(index, scores.broken);
        self.fresh.push((scores.best, index));
    }

    /// Puts the new positions on the stack, the best on top.
    pub(super) fn settle(&mut self) {
        self.fresh.sort_by_key(|&(score, index)| Reverse((score, index)));
        let many = self.deep.len() + self.fresh.len();
        reserve(&mut self.deep, many);
        self.deep.extend(self.fresh.drain(..).map(|(_, index)| index));
    }

    /// The next position that `open` accepts; `greedy`: by the main measure alone.
    ///
    /// `None` only when every position up to `count` has been refused.
    pub(super) fn next(
        &mut self,
        greedy: bool,
        count: u32,
        open: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        self.round += 1;
        if self.plain {
            let order =
                if self.round.is_multiple_of(PLAIN_WIDE) { Order::Wide } else { Order::Deep };
            return [order, Order::Wide].into_iter().find_map(|order| self.by(order, count, &open));
        }
        let order = if greedy { Order::Best } else { TURNS[self.round % TURNS.len()] };
        [order, Order::Best, Order::Wide].into_iter().find_map(|order| self.by(order, count, &open))
    }

    fn by(&mut self, order: Order, count: u32, open: impl Fn(u32) -> bool) -> Option<u32> {
        loop {
            let index = match order {
                Order::Best => self.measured[0].pop(|at| self.older[at][0])?,
                Order::Other => self.measured[1].pop(|at| self.older[at][1])?,
                Order::Broken => self.measured[2].pop(|at| self.older[at][2])?,
                Order::Deep => self.deep.pop()?,
                Order::Wide => {
                    self.wide += 1;
                    (self.wide <= count).then(|| self.wide - 1)?
                }
            };
            if open(index) {
                return Some(index);
            }
        }
    }
}

/// Makes room for so many: at first by doubling, then by an eighth, as copying would need both.
fn reserve<T>(list: &mut Vec<T>, many: usize) {
    if many > list.capacity() {
        let now = list.len();
        let more = if now < FEW { now.max(64) } else { now / 8 };
        list.reserve_exact((many - now).max(more));
    }
}

/// Positions by score: for each score a list, the newest first.
struct Measured {
    /// The newest position of each score, plus 1; 0 if there is none.
    heads: Box<[u32; SCORES]>,
    /// Which scores have any.
    some: [u64; SCORES / 64],
}

impl Default for Measured {
    fn default() -> Measured {
        Measured { heads: Box::new([0; SCORES]), some: [0; SCORES / 64] }
    }
}

impl Measured {
    /// Adds the newest of its score; the one before, plus 1.
    fn push(&mut self, index: u32, score: u32) -> u32 {
        let score = (score as usize).min(SCORES - 1);
        self.some[score / 64] |= 1 << (score % 64);
        std::mem::replace(&mut self.heads[score], index + 1)
    }

    /// The newest of the lowest score; `older` is what [`Measured::push`] gave for it.
    fn pop(&mut self, older: impl Fn(usize) -> u32) -> Option<u32> {
        let word = self.some.iter().position(|&word| word != 0)?;
        let score = 64 * word + self.some[word].trailing_zeros() as usize;
        let index = self.heads[score] - 1;
        let next = older(index as usize);
        self.heads[score] = next;
        if next == 0 {
            self.some[word] &= self.some[word] - 1;
        }
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::Measured;

    #[test]
    fn the_lowest_score_comes_first_and_of_these_the_newest() {
        let mut list = Measured::default();
        let mut older = [0; 8];
        for (index, score) in [(0, 70), (1, 3), (2, 70), (4, 3), (5, 9_000), (7, 64)] {
            older[index as usize] = list.push(index, score);
        }
        let order: Vec<u32> = std::iter::from_fn(|| list.pop(|at| older[at])).collect();
        assert_eq!(order, [4, 1, 7, 2, 0, 5]);
    }
}
