//! The search for a helpmate: one graph, one visited set, several orders of looking into it.
//!
//! Positions are visited at most once, under exact keys. Best-first, depth-first and breadth-first
//! order share the set, so when all are exhausted everything that can arise has been seen: that is
//! the proof by enumeration. There is no deepening and nothing is forgotten.

use shakmaty::{Bitboard, CastlingMode, Chess, Color, Move, MoveList, Position, Role, Square};

use super::{
    Budget, Certificate, Enumeration, Proof, Winnable, aim,
    boxed::{self, Boxed},
    dive,
    key::{Key, Men},
    material, moves,
    open::{Open, Scores},
    packed::{Frame, Kinds, Packed},
    pattern::{self, Costs, Pattern},
    region::{self, Region},
    score,
    store::{Code, State, Store},
};

/// Positions looked at before the reach of the men is examined.
const QUICK: usize = 400;
/// Pictures of mates by minor pieces aimed at.
const PATTERNS: usize = 6;
/// The same by two minor pieces.
const PAIRS: usize = 3;
/// Regions tried below the root before one must have succeeded; each success earns so many more.
const TRIES: usize = 40;
const EARNED: usize = 3;
/// Trials of men that may be held, and at most a tenth of the work.
const HOLDING: u64 = 40;
/// The same below the root, and how many positions there are tried.
const HOLDING_BELOW: u64 = 6;
const HELD_TRIES: usize = 12;
/// Regions with men held that are kept below the root at most.
const HELD_LEAVES: usize = 400;
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
const SCORED: usize = 150_000;

/// The same for a budget of so many: with much room, half of them.
pub(super) const fn scored(limit: usize) -> usize {
    if limit / 2 > SCORED { limit / 2 } else { SCORED }
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

/// How positions are kept: under keys of what kind.
trait Coding {
    type Code: Code;
    /// A position with a man in the air.
    type Lifted: Copy;

    fn code(&self, key: Key) -> Option<Self::Code>;

    fn key(&self, code: Self::Code) -> Key;

    /// The position of this key and code with the man on a square in the air.
    fn lift(&self, key: Key, code: Self::Code, from: Square) -> Option<Self::Lifted>;

    /// The code after a plain move of that man by `turn`.
    fn put(&self, lifted: Self::Lifted, m: Move, turn: Color) -> Option<Self::Code>;
}

/// As they are.
struct Plainly;

impl Coding for Plainly {
    type Code = Key;
    type Lifted = Key;

    fn code(&self, key: Key) -> Option<Key> {
        Some(key)
    }

    fn key(&self, code: Key) -> Key {
        code
    }

    fn lift(&self, key: Key, _: Key, _: Square) -> Option<Key> {
        Some(key)
    }

    fn put(&self, lifted: Key, m: Move, turn: Color) -> Option<Key> {
        Some(lifted.after(m, turn))
    }
}

impl<K: Kinds> Coding for Frame<K>
where
    Packed<K::Kept>: Code,
{
    type Code = Packed<K::Kept>;
    type Lifted = Packed<K>;

    fn code(&self, key: Key) -> Option<Self::Code> {
        self.pack(key)
    }

    fn key(&self, code: Self::Code) -> Key {
        self.key(code)
    }

    fn lift(&self, _: Key, code: Self::Code, from: Square) -> Option<Packed<K>> {
        Self::lift(code, from)
    }

    fn put(&self, lifted: Packed<K>, m: Move, turn: Color) -> Option<Self::Code> {
        self.put(lifted, m, turn)
    }
}

struct Search<'a, C: Coding> {
    root: &'a Chess,
    side: Color,
    mode: CastlingMode,
    coding: C,
    /// Positions the budget has.
    limit: usize,
    /// Positions visited before the search began anew.
    before: u32,
    /// Positions beyond this number are not weighed any more.
    scored: usize,
    /// Work units left, of `all_work`.
    work: u64,
    all_work: u64,
    store: Store<C::Code>,
    /// Room for the children of one position.
    fresh: Vec<Child<C::Code>>,
    open: Open,
    /// Positions a region closes; the regions are made again for the certificate.
    leaves: Vec<u32>,
    regions: bool,
    /// The side has only minor pieces, no pawn.
    minor: bool,
    /// The pictures aimed at.
    patterns: Vec<Pattern>,
    /// The same as tables, when they have become worth it.
    costs: Vec<Costs>,
    /// Corners to box the king in.
    traps: Vec<Boxed>,
    /// Regions tried below the root; those with men held, and how many of these closed.
    tries: usize,
    held_tries: usize,
    held_leaves: usize,
}

/// A position one move on.
struct Child<C> {
    code: C,
    hash: u64,
    /// What the table holds where the search for it begins, and whether that is it.
    entry: u32,
    seen: bool,
    /// The move was a [plain](Key::plain) one.
    plain: bool,
}

enum Expanded {
    /// Mate, at this position.
    Mate(u32),
    /// On to the next.
    Next,
    /// The budget is spent.
    Full,
}

impl<'a> Search<'a, Plainly> {
    fn new(root: &'a Chess, side: Color, budget: Budget) -> Search<'a, Plainly> {
        let work = u64::from(budget.nodes()) * WORK_PER_NODE;
        let limit = budget.nodes() as usize;
        let mut search = Search {
            root,
            side,
            mode: root.castles().mode(),
            coding: Plainly,
            limit,
            before: 0,
            scored: scored(limit),
            work,
            all_work: work,
            store: Store::new(limit),
            fresh: Vec::with_capacity(64),
            open: Open::default(),
            leaves: Vec::new(),
            regions: false,
            minor: false,
            patterns: Vec::new(),
            costs: Vec::new(),
            traps: Vec::new(),
            tries: 0,
            held_tries: 0,
            held_leaves: 0,
        };
        let men = Key::of(root).men();
        search.minor = (*men.colors.get(side) & men.roles.pawn).is_empty();
        search.patterns = pattern::patterns(&men, side, PATTERNS);
        search.patterns.extend(pattern::with_two(&men, side, PAIRS));
        search.begin();
        search
    }

    fn run(mut self) -> Winnable {
        if let Some(verdict) = self.until(QUICK) {
            return verdict;
        }
        self.regions = true;
        self.costs = self.patterns.iter().map(|pattern| pattern.costs(self.side)).collect();
        if let Some(region) = self.root_region() {
            return self.no(Proof::Region(Box::new(region)));
        }
        self.traps = boxed::traps(self.root, &Key::of(self.root).men(), self.side);
        if self.closes_early() {
            self.again();
        }
        if let Some(frame) = Frame::<u64>::of(self.root) {
            return self.recoded(frame);
        }
        // Keys of 24 bytes, or even 32: what they take more is made up for by fewer positions.
        if let Some(frame) = Frame::<u128>::of(self.root) {
            self.limit = self.limit / 64 * 49;
            self.scored = self.scored / 32 * 15;
            return self.recoded(frame);
        }
        self.limit = self.limit / 32 * 20;
        self.scored = self.scored / 32 * 15;
        self.end()
    }

    /// Goes on with shorter keys.
    fn recoded<K: Kinds>(self, frame: Frame<K>) -> Winnable
    where
        Packed<K::Kept>: Code,
    {
        let Some(store) = self.store.recode(self.limit, |key| frame.pack(key)) else {
            return self.end();
        };
        let search = Search {
            root: self.root,
            side: self.side,
            mode: self.mode,
            coding: frame,
            limit: self.limit,
            before: self.before,
            scored: self.scored,
            work: self.work,
            all_work: self.all_work,
            store,
            fresh: Vec::with_capacity(64),
            open: self.open,
            leaves: self.leaves,
            regions: self.regions,
            minor: self.minor,
            patterns: self.patterns,
            costs: self.costs,
            traps: self.traps,
            tries: self.tries,
            held_tries: self.held_tries,
            held_leaves: self.held_leaves,
        };
        search.end()
    }
}

impl<C: Coding> Search<'_, C> {
    /// The root as the first position.
    fn begin(&mut self) {
        let key = Key::of(self.root);
        if let Some(code) = self.coding.code(key) {
            self.store.insert(code, code.hash(), 0, State::Open);
            self.open.push(0, self.scores(&key.men()));
            self.open.settle();
        }
    }

    /// Begins anew, now with regions: what was visited beyond a position that a region closes need
    /// not be followed.
    fn again(&mut self) {
        self.before = self.count();
        self.limit = self.limit.saturating_sub(self.before as usize).max(1);
        self.store.clear();
        self.open = Open::default();
        self.begin();
    }

    fn key(&self, index: u32) -> Key {
        self.coding.key(self.store.code(index))
    }

    /// Whether a region closes one of the first positions that came by a pawn move or capture.
    fn closes_early(&mut self) -> bool {
        let changed = |&at: &u32| {
            let (before, now) = (self.key(self.store.parent(at)).men(), self.key(at).men());
            before.roles.pawn != now.roles.pawn
                || before.colors.map(Bitboard::count) != now.colors.map(Bitboard::count)
        };
        let most = EARLY.min(usize::try_from(self.work / REGION_WORK / 10).unwrap_or(EARLY));
        let early: Vec<Key> =
            (0..self.count()).filter(changed).take(most).map(|at| self.key(at)).collect();
        early.into_iter().any(|key| {
            self.work = self.work.saturating_sub(REGION_WORK);
            let Some(position) = key.men().position(self.mode) else { return false };
            !position.legal_moves().is_empty() && self.closed(&position)
        })
    }

    /// Looks at positions until there are so many; then, or if the budget is spent before, nothing.
    fn until(&mut self, many: usize) -> Option<Winnable> {
        while (self.count() as usize) < many {
            let Some(index) = self.next() else { return Some(self.exhausted()) };
            match self.expand(index) {
                Expanded::Mate(at) => return Some(self.found(at)),
                Expanded::Full => return Some(self.unknown()),
                Expanded::Next => {}
            }
        }
        None
    }

    fn end(mut self) -> Winnable {
        self.until(usize::MAX).unwrap_or_else(|| self.unknown())
    }

    /// Everything has been seen.
    fn exhausted(&self) -> Winnable {
        let forced = self.forced();
        let states = self.count();
        let Some(leaves) = self.leaf_regions() else { return self.unknown() };
        self.no(Proof::Enumeration(Box::new(Enumeration { states, forced, leaves })))
    }

    /// Whether a region closes a position below the root. Men that are held are tried where there was
    /// success with it, or nothing has been tried yet.
    fn closed(&mut self, position: &Chess) -> bool {
        if region::prove(position, self.side).is_some() {
            return true;
        }
        let much = self.work > self.all_work / 4 * 3;
        let failed = self.held_tries >= HELD_TRIES + 6 * self.held_leaves;
        if !much || failed || self.held_leaves >= HELD_LEAVES {
            return false;
        }
        let (region, found) = region::prove_holding(position, self.side, HOLDING_BELOW);
        self.held_tries += usize::from(found > 0);
        self.work = self.work.saturating_sub(found * REGION_WORK);
        self.held_leaves += usize::from(region.is_some());
        region.is_some()
    }

    /// A region that closes the position asked about.
    fn root_region(&mut self) -> Option<Region> {
        let plain = region::prove(self.root, self.side);
        if plain.is_some() {
            return plain;
        }
        let (region, found) =
            region::prove_holding(self.root, self.side, HOLDING.min(self.work / REGION_WORK / 10));
        self.work = self.work.saturating_sub(found * REGION_WORK);
        region
    }

    /// Regions are tried while they succeed now and then, and for a third of the work at most.
    fn may_try_region(&self) -> bool {
        self.regions
            && self.tries < TRIES + EARNED * self.leaves.len()
            && self.leaves.len() < LEAVES
            && self.work > self.all_work / 3 * 2
    }

    /// The positions closed by regions, with their regions.
    fn leaf_regions(&self) -> Option<Vec<(Chess, Region)>> {
        let leaf = |&index: &u32| {
            let position = self.key(index).men().position(self.mode)?;
            let region = region::prove(&position, self.side);
            let region =
                region.or_else(|| region::prove_holding(&position, self.side, HOLDING_BELOW).0)?;
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
        self.store.count()
    }

    fn visited(&self) -> u32 {
        self.before.saturating_add(self.count())
    }

    fn next(&mut self) -> Option<u32> {
        let (count, store) = (self.count(), &self.store);
        let open = |index: u32| store.state(index) != State::Done;
        self.open.next(!self.regions, count, open)
    }

    fn expand(&mut self, index: u32) -> Expanded {
        let code = self.store.code(index);
        let key = self.coding.key(code);
        let men = key.men();
        let mut moves = MoveList::new();
        let check = match moves::legal(&men, &mut moves) {
            Some(check) => check,
            None => match men.position(self.mode) {
                Some(position) => {
                    moves = position.legal_moves();
                    position.is_check()
                }
                None => return Expanded::Full,
            },
        };
        let state = self.store.state(index);
        self.store.done(index);
        if moves.is_empty() {
            let mated = men.turn != self.side && check;
            return if mated { Expanded::Mate(index) } else { Expanded::Next };
        }
        if material::shortage(&men.roles, &men.colors, self.side).is_some() {
            return Expanded::Next;
        }
        if state == State::Changed && self.may_try_region() {
            self.tries += 1;
            self.work = self.work.saturating_sub(REGION_WORK);
            let Some(position) = men.position(self.mode) else { return Expanded::Full };
            if self.closed(&position) {
                self.leaves.push(index);
                return Expanded::Next;
            }
        }
        let work = moves.len() as u64 + 4;
        if self.work < work {
            return Expanded::Full;
        }
        self.work -= work;
        self.children(index, key, &men, &moves)
    }

    fn children(&mut self, index: u32, key: Key, men: &Men, moves: &[Move]) -> Expanded {
        let mut children = std::mem::take(&mut self.fresh);
        children.clear();
        // What cannot be coded, were there such a thing, would be unknown.
        let complete = self.codes(index, key, men, moves, &mut children);
        for child in &mut children {
            child.entry = self.store.first(child.hash);
        }
        for child in &mut children {
            child.seen = self.store.is(child.entry, child.code, child.hash);
        }
        let mut full = complete.is_none();
        for (child, &m) in children.iter().zip(moves) {
            if child.seen || self.store.seen(child.code, child.hash) {
                continue;
            }
            if self.count() as usize >= self.limit {
                full = true;
                break;
            }
            let after =
                if child.plain { key.after(m, men.turn) } else { self.coding.key(child.code) };
            self.add(index, m, child.code, child.hash, after);
        }
        self.fresh = children;
        if full {
            return Expanded::Full;
        }
        self.open.settle();
        Expanded::Next
    }

    /// The codes of the positions these moves lead to; `None` if one has none.
    fn codes(
        &self,
        index: u32,
        key: Key,
        men: &Men,
        moves: &[Move],
        children: &mut Vec<Child<C::Code>>,
    ) -> Option<()> {
        let code = self.store.code(index);
        let rights = key.has_rights();
        let (mut lifted, mut from) = (None, None);
        for &m in moves {
            let plain = !rights && key.keeps(m);
            let code = if plain {
                if from != m.from() {
                    from = m.from();
                    lifted = from.and_then(|from| self.coding.lift(key, code, from));
                }
                self.coding.put(lifted?, m, men.turn)?
            } else {
                let mut child = men.position(self.mode)?;
                child.play_unchecked(m);
                self.coding.code(Key::of(&child))?
            };
            children.push(Child { code, hash: code.hash(), entry: 0, seen: false, plain });
        }
        Some(())
    }

    /// Notes a child that has not been seen.
    fn add(&mut self, parent: u32, m: Move, code: C::Code, hash: u64, key: Key) {
        let conversion = m.is_capture() || m.is_promotion();
        let changed = conversion || m.role() == Role::Pawn;
        let weighed = (self.count() as usize) < self.scored;
        let state = if changed { State::Changed } else { State::Open };
        if !conversion && !weighed {
            let index = self.store.insert(code, hash, parent, state);
            self.open.push_plain(index);
            return;
        }
        let men = key.men();
        let short = conversion && material::shortage(&men.roles, &men.colors, self.side).is_some();
        if short && !score::check(&men, self.side) {
            self.store.insert(code, hash, parent, State::Done);
            return;
        }
        let index = self.store.insert(code, hash, parent, state);
        if weighed {
            let scores = self.scores(&men);
            self.open.push(index, scores);
            if self.count() as usize >= self.scored {
                self.open.forget_scores();
            }
        } else {
            self.open.push_plain(index);
        }
    }

    /// How near a mate it looks: by flight squares, and by the nearest picture.
    fn scores(&self, men: &Men) -> Scores {
        let loose = score::score(men, self.side);
        let nearest = if self.costs.is_empty() {
            self.patterns.iter().map(|pattern| pattern.cost(men, self.side)).min()
        } else {
            self.costs.iter().map(|costs| costs.cost(men, self.side)).min()
        };
        let trapped = self.traps.iter().map(|trap| trap.cost(men, self.side)).min();
        let nearest = nearest.into_iter().chain(trapped).min();
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
            index = self.store.parent(index);
        }
        let mut here = self.root.clone();
        let mut line = Vec::with_capacity(path.len());
        for index in path.into_iter().rev() {
            let key = self.key(index);
            let (m, next) = here.legal_moves().into_iter().find_map(|m| {
                let mut next = here.clone();
                next.play_unchecked(m);
                (Key::of(&next) == key).then_some((m, next))
            })?;
            here = next;
            line.push(m);
        }
        Some(line)
    }

    /// The moves from the root, if each was the only one.
    fn forced(&self) -> Vec<Move> {
        if !(1..self.count()).all(|at| self.store.parent(at) + 1 == at) {
            return Vec::new();
        }
        self.line(self.count() - 1).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Color, fen::Fen};

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
