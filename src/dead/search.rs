//! The search for a helpmate: one graph, one visited set, several orders of looking into it.
//!
//! Positions are visited at most once, under exact keys. Best-first, depth-first and breadth-first
//! order share the set, so when all are exhausted everything that can arise has been seen: that is
//! the proof by enumeration. There is no deepening and nothing is forgotten.

use shakmaty::{Bitboard, CastlingMode, Chess, Color, Move, Position, Role, Square};

use super::{
    Budget, Certificate, Enumeration, Proof, Winnable, aim, dive,
    key::{Key, Men},
    material,
    open::{Open, Scores},
    pattern::{self, Pattern},
    region::{self, Region},
    score,
};

/// Positions looked at before the reach of the men is examined.
const QUICK: usize = 400;
/// Pictures of mates by minor pieces aimed at.
const PATTERNS: usize = 6;
/// Regions tried below the root before one must have succeeded; each success earns more.
const TRIES: usize = 40;
/// Trials of men that may be held, and at most a quarter of the work.
const HOLDING: u64 = 40;
/// Of the first positions, so many that came by a pawn move or capture are tried before the rest.
const EARLY: usize = 10;
/// Regions kept below the root at most.
const LEAVES: usize = 4_000;
/// Work units a region costs (one unit: one move generated).
const REGION_WORK: u64 = 1_000;
/// Moves generated per position of the budget, at most.
const WORK_PER_NODE: u64 = 16;

/// Positions beyond this number are looked into by age alone: by then it is an enumeration as a
/// rule, and weighing them would double its cost.
pub(super) const SCORED: usize = 50_000;

/// Up to so many positions memory grows by doubling, then by so many.
const FEW: usize = 4_096;
const MANY: usize = 1 << 18;

/// Where a key is looked for first in a table of `mask` + 1 slots.
fn first_slot(key: Key, mask: usize) -> usize {
    usize::try_from(key.hash() & mask as u64).unwrap_or(0)
}

/// Decides whether `side` can mate from `position`.
pub(super) fn decide(position: &Chess, side: Color, budget: Budget) -> Winnable {
    let decided = plainly(position, side).or_else(|| {
        let (line, _) = aim::line(position, side)?;
        let nodes = u32::try_from(line.len()).unwrap_or(u32::MAX);
        Some(Winnable::Yes { line, nodes })
    });
    decided.unwrap_or_else(|| match dive::walks(position, side) {
        (Some(line), nodes) => Winnable::Yes { line, nodes },
        (None, _) => search(position, side, budget),
    })
}

/// The same, where pictures and walks have been tried in vain.
pub(super) fn decide_hard(position: &Chess, side: Color, budget: Budget) -> Winnable {
    plainly(position, side).unwrap_or_else(|| search(position, side, budget))
}

fn search(position: &Chess, side: Color, budget: Budget) -> Winnable {
    Search::new(position, side, budget).run()
}

/// What the position itself says, without looking ahead.
fn plainly(position: &Chess, side: Color) -> Option<Winnable> {
    let no = |proof| Some(Winnable::No { certificate: Certificate { side, proof }, nodes: 1 });
    let stuck = position.legal_moves().is_empty();
    if stuck && position.is_check() {
        return if position.turn() == side {
            no(Proof::Checkmated)
        } else {
            Some(Winnable::Yes { line: Vec::new(), nodes: 1 })
        };
    }
    let (roles, colors) = position.board().clone().into_bitboards();
    if let Some(shortage) = material::shortage(&roles, &colors, side) {
        return no(Proof::Material(shortage));
    }
    if stuck { no(Proof::Stalemate) } else { None }
}

/// A position seen, and the move that led to it first.
struct Node {
    key: Key,
    parent: u32,
    step: Step,
    state: State,
}

/// A move in three bytes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Step {
    from: u8,
    to: u8,
    promotion: u8,
}

impl Step {
    fn of(m: Move) -> Step {
        let byte = |square: Square| u8::from(square);
        Step {
            from: m.from().map_or(0, byte),
            to: byte(m.to()),
            promotion: m.promotion().map_or(0, |role| role as u8),
        }
    }

    fn find(self, position: &Chess) -> Option<Move> {
        position.legal_moves().into_iter().find(|&m| Step::of(m) == self)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// To be looked at.
    Open,
    /// The same, and it came by a pawn move or capture: new regions may have closed.
    Changed,
    /// Its moves have been generated, or it is known to lead nowhere.
    Done,
}

struct Search<'a> {
    root: &'a Chess,
    side: Color,
    mode: CastlingMode,
    limit: usize,
    /// Positions visited before the search began anew.
    before: u32,
    /// Work units left, of `all_work`.
    work: u64,
    all_work: u64,
    nodes: Vec<Node>,
    /// Open addressing over `nodes`, entries are index + 1.
    table: Vec<u32>,
    open: Open,
    /// Positions a region closes; the regions are made again for the certificate.
    leaves: Vec<u32>,
    regions: bool,
    /// The side has only minor pieces, no pawn.
    minor: bool,
    /// The pictures aimed at.
    patterns: Vec<Pattern>,
    /// Regions tried below the root.
    tries: usize,
}

enum Expanded {
    /// Mate, at this position.
    Mate(u32),
    /// On to the next.
    Next,
    /// The budget is spent.
    Full,
}

impl<'a> Search<'a> {
    fn new(root: &'a Chess, side: Color, budget: Budget) -> Search<'a> {
        let work = u64::from(budget.nodes()) * WORK_PER_NODE;
        let mut search = Search {
            root,
            side,
            mode: root.castles().mode(),
            limit: budget.nodes() as usize,
            before: 0,
            work,
            all_work: work,
            nodes: Vec::with_capacity(512),
            table: vec![0; 1024],
            open: Open::default(),
            leaves: Vec::new(),
            regions: false,
            minor: false,
            patterns: Vec::new(),
            tries: 0,
        };
        let men = Key::of(root).men();
        search.minor = (*men.colors.get(side) & men.roles.pawn).is_empty();
        search.patterns = pattern::patterns(&men, side, PATTERNS);
        search.begin(&men);
        search
    }

    fn begin(&mut self, men: &Men) {
        self.insert(Key::of(self.root), 0, None, State::Open);
        self.open.push(0, self.scores(men));
        self.open.settle();
    }

    /// Begins anew, now with regions: what was visited beyond a position that a region closes need
    /// not be followed.
    fn again(&mut self) {
        self.before = self.count();
        self.limit = self.limit.saturating_sub(self.nodes.len()).max(1);
        self.nodes.clear();
        self.table.fill(0);
        self.open = Open::default();
        self.begin(&Key::of(self.root).men());
    }

    /// Whether a region closes one of the first positions that came by a pawn move or capture.
    fn closes_early(&mut self) -> bool {
        let changed = |node: &Node| {
            let count = |key: Key| key.men().colors.map(Bitboard::count);
            let (before, now) = (self.nodes[node.parent as usize].key, node.key);
            count(before) != count(now) || before.men().roles.pawn != now.men().roles.pawn
        };
        let early = self.nodes.iter().filter(|node| changed(node)).take(EARLY);
        let early: Vec<Key> = early.map(|node| node.key).collect();
        early.into_iter().any(|key| {
            self.work = self.work.saturating_sub(REGION_WORK);
            let Some(position) = key.men().position(self.mode) else { return false };
            !position.legal_moves().is_empty() && region::prove(&position, self.side).is_some()
        })
    }

    fn run(mut self) -> Winnable {
        while let Some(index) = self.next() {
            match self.expand(index) {
                Expanded::Mate(at) => return self.found(at),
                Expanded::Full => return self.unknown(),
                Expanded::Next => {}
            }
            if !self.regions && self.nodes.len() >= QUICK {
                self.regions = true;
                if let Some(region) = self.root_region() {
                    return self.no(Proof::Region(Box::new(region)));
                }
                if self.closes_early() {
                    self.again();
                }
            }
        }
        let forced = self.forced();
        let states = self.count();
        let Some(leaves) = self.leaf_regions() else { return self.unknown() };
        self.no(Proof::Enumeration(Box::new(Enumeration { states, forced, leaves })))
    }

    /// A region that closes the position asked about.
    fn root_region(&mut self) -> Option<Region> {
        let plain = region::prove(self.root, self.side);
        if plain.is_some() {
            return plain;
        }
        let (region, found) = region::prove_holding(self.root, self.side, HOLDING.min(self.work / REGION_WORK / 4));
        self.work = self.work.saturating_sub(found * REGION_WORK);
        region
    }

    /// Regions are tried while they succeed now and then, and for a third of the work at most.
    fn may_try_region(&self) -> bool {
        self.regions
            && self.tries < TRIES + 6 * self.leaves.len()
            && self.leaves.len() < LEAVES
            && self.work > self.all_work / 3 * 2
    }

    /// The positions closed by regions, with their regions.
    fn leaf_regions(&self) -> Option<Vec<(Chess, Region)>> {
        let leaf = |&index: &u32| {
            let position = self.nodes[index as usize].key.men().position(self.mode)?;
            let region = region::prove(&position, self.side)?;
            Some((position, region))
        };
        self.leaves.iter().map(leaf).collect()
    }

    fn unknown(&self) -> Winnable {
        Winnable::Unknown { nodes: self.visited() }
    }

    fn no(&self, proof: Proof) -> Winnable {
        let certificate = Certificate { side: self.side, proof };
        Winnable::No { certificate, nodes: self.visited() }
    }

    fn count(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)
    }

    fn visited(&self) -> u32 {
        self.before.saturating_add(self.count())
    }

    fn next(&mut self) -> Option<u32> {
        let (count, nodes) = (self.count(), &self.nodes);
        let open = |index: u32| nodes[index as usize].state != State::Done;
        self.open.next(!self.regions, count, open)
    }

    fn expand(&mut self, index: u32) -> Expanded {
        let men = self.nodes[index as usize].key.men();
        let Some(position) = men.position(self.mode) else { return Expanded::Full };
        let moves = position.legal_moves();
        let state = self.nodes[index as usize].state;
        self.nodes[index as usize].state = State::Done;
        if moves.is_empty() {
            let mated = position.turn() != self.side && position.is_check();
            return if mated { Expanded::Mate(index) } else { Expanded::Next };
        }
        if material::shortage(&men.roles, &men.colors, self.side).is_some() {
            return Expanded::Next;
        }
        if state == State::Changed && self.may_try_region() {
            self.tries += 1;
            self.work = self.work.saturating_sub(REGION_WORK);
            if region::prove(&position, self.side).is_some() {
                self.leaves.push(index);
                return Expanded::Next;
            }
        }
        let work = moves.len() as u64 + 4;
        if self.work < work {
            return Expanded::Full;
        }
        self.work -= work;
        let key = self.nodes[index as usize].key;
        for &m in &moves {
            let child = if key.plain(m) {
                key.after(m, position.turn())
            } else {
                let mut child = position.clone();
                child.play_unchecked(m);
                Key::of(&child)
            };
            if !self.reach(index, m, child) {
                return Expanded::Full;
            }
        }
        self.open.settle();
        Expanded::Next
    }

    /// Notes a child; `false` if the budget is spent.
    fn reach(&mut self, parent: u32, m: Move, key: Key) -> bool {
        if self.seen(key) {
            return true;
        }
        if self.nodes.len() >= self.limit {
            return false;
        }
        let conversion = m.is_capture() || m.is_promotion();
        let men = key.men();
        let short = conversion && material::shortage(&men.roles, &men.colors, self.side).is_some();
        if short && !score::check(&men, self.side) {
            self.insert(key, parent, Some(m), State::Done);
            return true;
        }
        let changed = conversion || m.role() == Role::Pawn;
        let index =
            self.insert(key, parent, Some(m), if changed { State::Changed } else { State::Open });
        if self.nodes.len() < SCORED {
            let scores = self.scores(&men);
            self.open.push(index, scores);
        } else {
            if self.nodes.len() == SCORED {
                self.open.settle();
                self.open.forget_scores();
            }
            self.open.push_plain(index);
        }
        true
    }

    /// How near a mate it looks: by flight squares, and by the nearest picture.
    fn scores(&self, men: &Men) -> Scores {
        let loose = score::score(men, self.side);
        let nearest = self.patterns.iter().map(|pattern| pattern.cost(men, self.side)).min();
        let aimed = nearest.map(|moves| 8 * moves + loose / 8);
        let (best, other) = match aimed {
            Some(aimed) if self.minor => (aimed, Some(loose)),
            aimed => (loose, aimed),
        };
        Scores { best, other, broken: score::broken(men, self.side) }
    }

    /// The mate line to a position: its moves are found again among the legal ones.
    fn found(&self, index: u32) -> Winnable {
        match self.line(index) {
            Some(line) => Winnable::Yes { line, nodes: self.visited() },
            None => self.unknown(),
        }
    }

    fn line(&self, mut index: u32) -> Option<Vec<Move>> {
        let mut path = Vec::new();
        while index != 0 {
            path.push(index);
            index = self.nodes[index as usize].parent;
        }
        let mut here = self.root.clone();
        let mut line = Vec::with_capacity(path.len());
        for index in path.into_iter().rev() {
            let m = self.nodes[index as usize].step.find(&here)?;
            here.play_unchecked(m);
            line.push(m);
        }
        Some(line)
    }

    /// The moves from the root, if each was the only one.
    fn forced(&self) -> Vec<Move> {
        let chain = self.nodes.iter().enumerate().skip(1);
        if !chain.clone().all(|(at, node)| node.parent as usize + 1 == at) {
            return Vec::new();
        }
        self.line(self.count() - 1).unwrap_or_default()
    }

    fn seen(&self, key: Key) -> bool {
        let mask = self.table.len() - 1;
        let mut slot = first_slot(key, mask);
        loop {
            match self.table[slot] {
                0 => return false,
                entry if self.nodes[entry as usize - 1].key == key => return true,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn insert(&mut self, key: Key, parent: u32, m: Option<Move>, state: State) -> u32 {
        let index = self.count();
        let step = m.map_or_else(Step::default, Step::of);
        if self.nodes.len() == self.nodes.capacity() {
            // Doubling at first; then room for many at once, as copying would need both for a while.
            // Never beyond the budget: the memory stated there is kept.
            let more = if self.nodes.len() < FEW { self.nodes.len() } else { MANY };
            let more = more.min(self.limit.saturating_sub(self.nodes.len()));
            self.nodes.reserve_exact(more.max(1));
        }
        self.nodes.push(Node { key, parent, step, state });
        if self.nodes.len() * 4 > self.table.len() * 3 {
            let slots = self.table.len() * 2;
            self.table = Vec::new();
            self.table = vec![0; slots];
            for at in 0..=index {
                self.link(at);
            }
        } else {
            self.link(index);
        }
        index
    }

    fn link(&mut self, at: u32) {
        let mask = self.table.len() - 1;
        let mut slot = first_slot(self.nodes[at as usize].key, mask);
        while self.table[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.table[slot] = at + 1;
    }
}
#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, CastlingMode, Chess, Color, fen::Fen};

    use crate::dead::{Budget, Dead, can_mate, judge};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn mate_comes_before_material_and_forced_lines_are_followed() {
        for (fen, white, black) in [
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some(true), Some(false)),
            ("8/8/8/8/8/8/8/K1k5 w - - 0 1", Some(false), Some(false)),
            ("r7/K1k5/8/8/8/8/8/8 w - - 0 1", Some(false), Some(false)),
            ("3k4/3Q4/8/8/8/2K5/8/8 b - - 0 1", Some(false), Some(false)),
            ("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", Some(false), Some(false)),
        ] {
            let judged = judge(&position(fen), Budget::DEFAULT);
            assert_eq!((judged.white.known(), judged.black.known()), (white, black), "{fen}");
        }
        let opening = judge(&Chess::default(), Budget::LIVE);
        assert_ne!(opening.dead(), Dead::Yes);
        let bare = can_mate(&position("8/8/8/8/8/8/8/K1k5 w - - 0 1"), Color::White, Budget::LIVE);
        assert_eq!(bare.certificate().unwrap().reason(), "White has only the king left");
    }
}
