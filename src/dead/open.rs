//! The positions still to be looked into, in several orders at once.
//!
//! Each order has its own list over the same positions; whoever comes first expands one, the others
//! skip it. Ties fall to the newest, so the orders are total and the same everywhere.

use std::{cmp::Reverse, collections::BinaryHeap};

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

/// How near a position is by each measured order; smaller is nearer.
#[derive(Clone, Copy)]
pub(super) struct Scores {
    pub(super) best: u32,
    pub(super) other: Option<u32>,
    pub(super) broken: u32,
}

/// The lists. Memory: at most 28 bytes for each position ever pushed.
#[derive(Default)]
pub(super) struct Open {
    heaps: [BinaryHeap<Reverse<u64>>; 3],
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
        self.plain = true;
        self.heaps = Default::default();
    }

    /// Adds a position whose score does not matter.
    pub(super) fn push_plain(&mut self, index: u32) {
        self.deep.push(index);
    }

    /// Adds a position; [`Open::settle`] must follow when its siblings are in.
    pub(super) fn push(&mut self, index: u32, scores: Scores) {
        let entry = |score: u32| Reverse(u64::from(score) << 32 | u64::from(!index));
        self.heaps[0].push(entry(scores.best));
        if let Some(other) = scores.other {
            self.heaps[1].push(entry(other));
        }
        self.heaps[2].push(entry(scores.broken));
        self.fresh.push((scores.best, index));
    }

    /// Puts the new positions on the stack, the best on top.
    pub(super) fn settle(&mut self) {
        self.fresh.sort_by_key(|&(score, index)| Reverse((score, index)));
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
                Order::Best => low(self.heaps[0].pop()?),
                Order::Other => low(self.heaps[1].pop()?),
                Order::Broken => low(self.heaps[2].pop()?),
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

/// The position's number in a heap entry.
fn low(Reverse(entry): Reverse<u64>) -> u32 {
    !u32::try_from(entry & u64::from(u32::MAX)).unwrap_or(0)
}
