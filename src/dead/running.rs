//! A running game, judged ply by ply: most answers follow from the ply before.
//!
//! In: the moves as they are confirmed, and take-backs. Out: whether each side can still mate, with
//! the line or the proof and the ply it dates from. Three facts carry answers on:
//!
//! - "cannot mate" is final: what cannot arise from a position cannot arise from a later one
//!   (until that ply is taken back);
//! - "can mate" holds of every earlier position: the moves played since, then the later line;
//! - a mate line seldom survives a move as it stands, but the [plan](super::plan) behind it does:
//!   it is played out anew from each position, and only what then mates is believed.
//!
//! Only where the plans fail is the position looked at afresh, and only until one side is known to
//! be able to mate: the position is not dead then. The other side is looked at when somebody
//! [asks](Running::ask).

use shakmaty::{Chess, Color, Move, Position};

use super::{
    Budget, Certificate, Dead, Judgement, Winnable, aim, check, checked, dive,
    plan::{Manner, Plan},
    search,
};

/// Plans kept.
const PLANS: usize = 2;
/// How a plan is tried after a move: with that move taken back or not, and in what manner.
const VARIANTS: [(bool, Manner); 5] = [
    (false, Manner { strict: false, skip: 0 }),
    (true, Manner { strict: false, skip: 0 }),
    (false, Manner { strict: true, skip: 0 }),
    (true, Manner { strict: true, skip: 0 }),
    (false, Manner { strict: false, skip: 1 }),
];

/// What is known about one side at one ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It can mate. The line is kept at the latest ply it holds for; earlier ones lead up to it.
    Yes,
    /// Proved at ply `at`, where the proof is kept.
    No { at: usize },
    /// Searched for, and not decided within the budget.
    Unknown,
    /// Not looked for, as the other side can mate.
    Unasked,
}

#[derive(Clone, Debug)]
struct Ply {
    position: Chess,
    /// The move that led here; none at the start.
    came_by: Option<Move>,
    known: [Known; 2],
    /// Mate lines by side, where no later ply has one.
    lines: [Option<Vec<Move>>; 2],
    /// Proofs found for this position, by side.
    proofs: [Option<Box<Certificate>>; 2],
}

impl Ply {
    fn new(position: Chess, came_by: Option<Move>, known: [Known; 2]) -> Ply {
        Ply { position, came_by, known, lines: [None, None], proofs: [None, None] }
    }
}

/// The judgement of a running game (Articles 5.2.2, 6.9, 7.5.5), kept up to date move by move.
///
/// Memory: about 250 bytes a ply; lines and plans of the latest ply, and the proofs found.
#[derive(Clone, Debug)]
pub struct Running {
    budget: Budget,
    plies: Vec<Ply>,
    plans: Vec<Plan>,
    searched: u64,
    /// Empty lists to be filled again.
    spare: (Vec<Plan>, Vec<Move>),
}

impl Running {
    /// Judges both sides of the position a game starts (or is resumed) from; `budget` holds for each side-query
    /// of each ply.
    pub fn new(start: &Chess, budget: Budget) -> Running {
        let first = Ply::new(start.clone(), None, [Known::Unasked; 2]);
        let (plies, plans, spare) = (vec![first], Vec::new(), Default::default());
        let mut running = Running { budget, plies, plans, searched: 0, spare };
        running.look();
        for side in Color::ALL {
            running.ask(side);
        }
        running
    }

    /// Follows a confirmed move; `false` (and nothing changes) if it is not legal here.
    pub fn play(&mut self, m: Move) -> bool {
        if !self.position().is_legal(m) {
            return false;
        }
        let mover = self.position().turn();
        let mut position = self.position().clone();
        position.play_unchecked(m);
        let known = self.last().known.map(|known| match known {
            Known::No { at } => Known::No { at },
            _ => Known::Unasked,
        });
        self.plies.push(Ply::new(position, Some(m), known));
        self.follow(m, mover);
        self.look();
        true
    }

    /// Whether this side can still mate now, searching if that has not been decided yet (a flag
    /// has fallen, 6.9; a second illegal move, 7.5.5). `None`: not decided within the budget.
    pub fn ask(&mut self, side: Color) -> Option<bool> {
        if self.last().known[index(side)] == Known::Unasked {
            self.search(side, search::decide);
        }
        self.known(side)
    }

    /// Takes the last move back; `false` at the start of the game.
    pub fn take_back(&mut self) -> bool {
        if self.plies.len() < 2 {
            return false;
        }
        let Some(gone) = self.plies.pop() else { return false };
        self.plans.clear();
        for side in Color::ALL {
            let slot = index(side);
            let now = self.last_mut();
            if let (Some(m), Some(line)) = (gone.came_by, &gone.lines[slot])
                && now.lines[slot].is_none()
            {
                now.lines[slot] = Some([&[m], &line[..]].concat());
                now.known[slot] = Known::Yes;
            }
            let plan = self.line(side).and_then(|line| Plan::of(line, side));
            self.plans.extend(plan);
        }
        true
    }

    /// Plies played since the start.
    pub fn ply(&self) -> usize {
        self.plies.len() - 1
    }

    /// The position now.
    pub fn position(&self) -> &Chess {
        &self.last().position
    }

    /// Whether this side can still mate, as far as it has been decided: `None` if it is unknown, or
    /// if it was not needed because the other side can (then see [`Running::ask`]).
    pub fn known(&self, side: Color) -> Option<bool> {
        match self.last().known[index(side)] {
            Known::Yes => Some(true),
            Known::No { .. } => Some(false),
            Known::Unknown | Known::Unasked => None,
        }
    }

    /// Whether the position is dead (Article 5.2.2).
    pub fn dead(&self) -> Dead {
        Dead::of(self.known(Color::White), self.known(Color::Black))
    }

    /// A mate line of this side from the position now.
    pub fn line(&self, side: Color) -> Option<&[Move]> {
        self.last().lines[index(side)].as_deref()
    }

    /// The proof that this side cannot mate, and the ply whose position it is about.
    pub fn certificate(&self, side: Color) -> Option<(&Certificate, usize)> {
        let Known::No { at } = self.last().known[index(side)] else { return None };
        self.plies[at].proofs[index(side)].as_deref().map(|proof| (proof, at))
    }

    /// The position after that many plies (0 = the start), if it was reached and not taken back.
    pub fn position_at(&self, ply: usize) -> Option<&Chess> {
        self.plies.get(ply).map(|ply| &ply.position)
    }

    /// Everything about the position now as one value, certificates of earlier plies included.
    pub fn judgement(&self) -> Judgement {
        let side = |side: Color| match (self.line(side), self.certificate(side)) {
            (Some(line), _) => Winnable::Yes { line: line.to_vec(), nodes: 0 },
            (_, Some((certificate, _))) => {
                Winnable::No { certificate: certificate.clone(), nodes: 0 }
            }
            _ => Winnable::Unknown { nodes: 0 },
        };
        Judgement { white: side(Color::White), black: side(Color::Black) }
    }

    /// Positions visited by all searches so far.
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// Takes over an answer searched for elsewhere (a larger budget in the background) about
    /// `position` after `ply` plies. A "no" then also holds for every later ply; a "yes" for the
    /// latest one too, if its plan still leads to a mate from there.
    ///
    /// `false` if that position is no longer part of the game, or the answer is "unknown".
    pub fn settle(&mut self, ply: usize, position: &Chess, side: Color, answer: Winnable) -> bool {
        let fits = self.plies.get(ply).is_some_and(|there| there.position == *position);
        let slot = index(side);
        match answer {
            _ if !fits => false,
            Winnable::Unknown { .. } => false,
            Winnable::No { certificate, .. } => {
                for later in &mut self.plies[ply..] {
                    later.known[slot] = Known::No { at: ply };
                    later.lines[slot] = None;
                }
                self.plies[ply].proofs[slot] = Some(certificate.into());
                true
            }
            Winnable::Yes { line, .. } => {
                self.plies[ply].known[slot] = Known::Yes;
                let plan = Plan::of(&line, side);
                self.plies[ply].lines[slot] = Some(line);
                if let Some(plan) = plan {
                    self.catch_up(ply, plan);
                }
                true
            }
        }
    }

    #[expect(clippy::expect_used, reason = "`new` adds the first ply and `take_back` keeps it")]
    fn last(&self) -> &Ply {
        self.plies.last().expect("a game has its start position")
    }

    #[expect(clippy::expect_used, reason = "`new` adds the first ply and `take_back` keeps it")]
    fn last_mut(&mut self) -> &mut Ply {
        self.plies.last_mut().expect("a game has its start position")
    }

    /// Carries the answers of the ply before over the move just made, as far as its line and the
    /// plans lead; the first plan that mates is enough.
    fn follow(&mut self, m: Move, mover: Color) {
        let before = self.ply() - 1;
        for side in Color::ALL {
            let line = &mut self.plies[before].lines[index(side)];
            if line.as_ref().is_some_and(|line| line.first() == Some(&m)) {
                // The line of the ply before can be had again from this one.
                let rest = line.take().unwrap_or_default();
                self.win(side, &rest[1..]);
            }
        }
        let here = self.position().clone();
        let mut needed = self.dead() != Dead::No;
        let (mut plans, mut line) = std::mem::take(&mut self.spare);
        std::mem::swap(&mut self.plans, &mut plans);
        for (rank, plan) in plans.drain(..).enumerate() {
            let side = plan.side();
            let variants = match (needed, rank) {
                _ if self.known(side) == Some(false) => continue,
                (false, _) => 0,
                (true, 0) => VARIANTS.len(),
                (true, _) => 2,
            };
            let (plan, mates) = plan.follow(m, mover, &here, &VARIANTS[..variants], &mut line);
            if mates {
                needed = false;
                let slot = index(side);
                self.last_mut().lines[slot] = self.plies[before].lines[slot].take();
                self.win(side, &line);
                self.plans.splice(0..0, plan);
            } else {
                self.plans.extend(plan);
            }
        }
        self.spare = (plans, line);
    }

    /// Looks for one side that can mate, by the quickest means first: then the position is not dead.
    fn look(&mut self) {
        for side in Color::ALL {
            if self.wanted(side)
                && let Some((line, plan)) = aim::line(self.position(), side)
            {
                self.win(side, &line);
                self.keep(plan);
            }
        }
        for side in Color::ALL {
            if self.wanted(side) {
                let (line, nodes) = dive::walks(self.position(), side);
                self.searched += u64::from(nodes);
                if let Some(line) = line {
                    self.win(side, &line);
                    self.plans_of(&line, side);
                }
            }
        }
        for side in Color::ALL {
            if self.wanted(side) {
                self.search(side, search::decide_hard);
            }
        }
    }

    /// Whether the position may still be dead as far as is known, and this side not looked at.
    fn wanted(&self, side: Color) -> bool {
        self.dead() != Dead::No && self.last().known[index(side)] == Known::Unasked
    }

    fn search(&mut self, side: Color, decide: fn(&Chess, Color, Budget) -> Winnable) {
        let (at, slot) = (self.ply(), index(side));
        let answer = checked(self.position(), side, decide(self.position(), side, self.budget));
        self.searched += u64::from(answer.nodes());
        match answer {
            Winnable::Yes { line, .. } => {
                self.win(side, &line);
                self.plans_of(&line, side);
            }
            Winnable::No { certificate, .. } => {
                let last = self.last_mut();
                last.known[slot] = Known::No { at };
                last.proofs[slot] = Some(certificate.into());
            }
            Winnable::Unknown { .. } => self.last_mut().known[slot] = Known::Unknown,
        }
    }

    fn plans_of(&mut self, line: &[Move], side: Color) {
        if let Some(plan) = Plan::of(line, side) {
            self.keep(plan);
        }
    }

    fn win(&mut self, side: Color, line: &[Move]) {
        debug_assert_eq!(check::mate_line(self.position(), side, line), Ok(()));
        let last = self.last_mut();
        last.known[index(side)] = Known::Yes;
        // Filled again if a list is there.
        let kept = last.lines[index(side)].get_or_insert_default();
        kept.clear();
        kept.extend_from_slice(line);
    }

    fn keep(&mut self, plan: Plan) {
        self.plans.insert(0, plan);
        self.plans.truncate(PLANS);
    }

    /// Brings a plan made at an earlier ply up to the latest, and tries it there.
    fn catch_up(&mut self, ply: usize, plan: Plan) {
        let side = plan.side();
        let mut plan = Some(plan);
        for later in &self.plies[ply + 1..] {
            let mover = !later.position.turn();
            plan = plan.zip(later.came_by).and_then(|(plan, m)| plan.carried(m, mover));
        }
        let Some(plan) = plan else { return };
        if self.known(side).is_none() {
            let mut line = Vec::new();
            if plan.line(self.position(), Manner::default(), &mut line) {
                self.win(side, &line);
            }
        }
        self.keep(plan);
    }
}

const fn index(side: Color) -> usize {
    match side {
        Color::White => 0,
        Color::Black => 1,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen, uci::UciMove};

    use super::Running;
    use crate::dead::{Budget, Dead, check, judge};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    fn play(game: &mut Running, uci: &str) {
        let m = uci.parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
        assert!(game.play(m), "{uci}");
    }

    #[test]
    fn a_no_stays_until_it_is_taken_back() {
        let mut game = Running::new(&position("8/8/4k3/8/3r4/4K3/8/8 w - - 0 1"), Budget::LIVE);
        assert_eq!((game.known(Color::White), game.known(Color::Black)), (Some(false), Some(true)));
        play(&mut game, "e3d4");
        assert_eq!(game.dead(), Dead::Yes);
        assert_eq!(game.ask(Color::White), Some(false));
        assert_eq!(game.certificate(Color::White).unwrap().1, 0);
        assert_eq!(game.certificate(Color::Black).unwrap().1, 1);
        assert!(game.take_back());
        assert_eq!((game.dead(), game.ply()), (Dead::No, 0));
        assert!(!game.take_back());
    }

    #[test]
    fn carried_answers_are_as_true_as_searched_ones() {
        let mut game = Running::new(&Chess::default(), Budget::LIVE);
        let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f6 d2d4 e5d4 f3d4 c6c5 d4b3 \
                     d8d1 f1d1 c8g4 f2f3 g4e6 c1e3 b7b6";
        for uci in moves.split_whitespace() {
            play(&mut game, uci);
            for side in Color::ALL {
                assert_eq!(game.ask(side), Some(true), "{uci}");
                let now = game.judgement();
                assert_eq!(check::verdict(game.position(), side, now.side(side)), Ok(()));
                assert_eq!(now.side(side).known(), Some(true));
            }
        }
    }

    #[test]
    fn a_game_taken_back_has_its_lines_again() {
        let mut game = Running::new(&Chess::default(), Budget::LIVE);
        let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 f1e1 e4d6 f3e5 c6e5 e1e5 f8e7";
        for uci in moves.split_whitespace() {
            play(&mut game, uci);
            assert_eq!(game.dead(), Dead::No, "{uci}");
        }
        while game.take_back() {
            assert_eq!(game.dead(), Dead::No, "ply {}", game.ply());
            let now = game.judgement();
            for side in Color::ALL {
                assert_eq!(check::verdict(game.position(), side, now.side(side)), Ok(()));
            }
            assert!(Color::ALL.into_iter().any(|side| game.line(side).is_some()));
        }
    }

    #[test]
    fn a_late_yes_serves_the_plies_after_it() {
        let start = position("8/8/2B5/p2pk1p1/P7/4Kp2/4b3/8 b - - 1 49");
        let mut game = Running::new(&start, Budget::new(1));
        let late = judge(&start, Budget::DEFAULT);
        assert_eq!(late.white.known(), Some(true));
        play(&mut game, "e2f1");
        assert_ne!(game.known(Color::White), Some(false));
        assert!(game.settle(0, &start, Color::White, late.white));
        if let Some(line) = game.line(Color::White) {
            assert_eq!(check::mate_line(game.position(), Color::White, line), Ok(()));
        }
        assert!(game.take_back());
        let line = game.line(Color::White).unwrap();
        assert_eq!(check::mate_line(game.position(), Color::White, line), Ok(()));
    }

    #[test]
    fn an_illegal_move_changes_nothing_and_late_answers_find_their_ply() {
        let start = position("8/8/4k3/8/3r4/4K3/8/8 w - - 0 1");
        let mut game = Running::new(&start, Budget::new(1));
        let wrong = "e3e5".parse::<UciMove>().unwrap();
        assert!(wrong.to_move(game.position()).is_err());
        let late = judge(&start, Budget::DEFAULT);
        play(&mut game, "e3f3");
        assert!(game.settle(0, &start, Color::White, late.white.clone()));
        assert_eq!(game.known(Color::White), Some(false));
        assert!(!game.settle(1, &start, Color::White, late.white));
        assert_eq!(game.position().turn(), Color::Black);
    }
}
