//! A running game, judged ply by ply: most answers follow from the ply before.
//!
//! In: the moves as they are confirmed, and take-backs. Out: whether each side can still mate, with
//! the line or the proof and the ply it dates from. Three facts carry answers on:
//!
//! - "cannot mate" is final: what cannot arise from a position cannot arise from a later one
//!   (until that ply is taken back);
//! - "can mate" holds of every earlier position: the moves played since, then the later line;
//! - a move that can be undone loses nothing: where the other side has a move it can take back as
//!   well, three half-moves lead to the position before, and its mate line holds again.
//!
//! A mate line seldom survives any other move as it stands, but the [plan](super::plan) behind it
//! does: it is played out anew, and only what then mates is believed. Only where the plans fail is the
//! position looked at afresh, and only until one side is known to be able to mate: the position is not
//! dead then. The other side is looked at when somebody [asks](Running::ask).

use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square, attacks};

use super::{
    Budget, Certificate, Dead, Judgement, Winnable, aim, check, checked, dive,
    plan::{Manner, Plan},
    search,
};

/// Plans kept.
const PLANS: usize = 2;
/// How a plan is tried after a move: with that move taken back or not, and in what manner.
const VARIANTS: [(bool, Manner); 2] =
    [(false, Manner { strict: false, skip: 0 }), (true, Manner { strict: false, skip: 0 })];

/// What is known about one side at one ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It can mate. The line is kept at the latest ply it holds for; earlier ones lead up to it, and
    /// later ones that it still holds for go back to it.
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
    /// The legal moves that lead to the position of the ply before.
    back: Option<[Move; 3]>,
    known: [Known; 2],
    /// Mate lines by side, where no later ply has one.
    lines: [Option<Vec<Move>>; 2],
    /// Proofs found for this position, by side.
    proofs: [Option<Box<Certificate>>; 2],
}

impl Ply {
    fn new(position: Chess, came_by: Option<Move>, known: [Known; 2]) -> Ply {
        Ply { position, came_by, back: None, known, lines: [None, None], proofs: [None, None] }
    }
}

/// The judgement of a running game (Articles 5.2.2, 6.9, 7.5.5), kept up to date move by move.
///
/// Memory: about 300 bytes a ply; lines and plans of the latest ply, and the proofs found.
#[derive(Clone, Debug)]
pub struct Running {
    budget: Budget,
    plies: Vec<Ply>,
    plans: Vec<Kept>,
    searched: u64,
    /// Empty lists to be filled again.
    spare: (Vec<Kept>, Vec<Move>),
}

/// A plan, and the ply whose position it is for: it is brought up to date when it is needed.
#[derive(Clone, Debug)]
struct Kept {
    plan: Plan,
    at: usize,
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
        if !self.loses_nothing(m) {
            self.follow(m, mover);
            self.look();
        }
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
            let at = self.anchor(side);
            let plan = self.plies[at].lines[slot].as_ref().and_then(|line| Plan::of(line, side));
            self.plans.extend(plan.map(|plan| Kept { plan, at }));
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

    /// A mate line of this side from the position now: back to the position that the line kept begins
    /// with, if that is an earlier one, and on from there.
    pub fn line(&self, side: Color) -> Option<Vec<Move>> {
        if self.known(side) != Some(true) {
            return None;
        }
        let at = self.anchor(side);
        let kept = self.plies[at].lines[index(side)].as_ref()?;
        let back = self.plies[at + 1..].iter().rev().filter_map(|ply| ply.back).flatten();
        Some(back.chain(kept.iter().copied()).collect())
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
            (Some(line), _) => Winnable::Yes { line, nodes: 0 },
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
                let plan = Plan::of(&line, side);
                // Later plies may rest on a line that is there, and on what it makes no use of.
                if self.plies[ply].known[slot] != Known::Yes {
                    self.plies[ply].known[slot] = Known::Yes;
                    self.plies[ply].lines[slot] = Some(line);
                }
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

    /// The latest ply that keeps a mate line of this side, if all moves since then can be undone; the
    /// first of those, or the latest ply, if there is none.
    fn anchor(&self, side: Color) -> usize {
        let slot = index(side);
        let mut at = self.ply();
        while self.plies[at].lines[slot].is_none() && self.plies[at].back.is_some() {
            at -= 1;
        }
        at
    }

    /// Whether all that was known of the ply before, where one side could mate, holds of this one: the
    /// move just made can be undone (see [`way_back`]).
    ///
    /// What the move lost for good, a right to castle or to capture in passing, is no loss to lines that
    /// make no use of it.
    fn loses_nothing(&mut self, m: Move) -> bool {
        let [.., before, last] = &self.plies[..] else { return false };
        let lost = before.position.castles().castling_rights()
            != last.position.castles().castling_rights();
        let whole = !lost && !takes_in_passing(&before.position);
        let mut kept = [false; 2];
        for side in Color::ALL.into_iter().filter(|&side| before.known[index(side)] == Known::Yes) {
            let spared = |line: &[Move]| {
                let passes = line.first().is_some_and(|m| m.is_en_passant());
                let castles = lost && line.iter().any(|m| m.is_castle());
                !(passes || castles)
            };
            kept[index(side)] = whole || self.line_before(side).is_some_and(spared);
        }
        if kept == [false; 2] {
            return false;
        }
        let [.., before, last] = &mut self.plies[..] else { return false };
        last.back = way_back(&before.position, m, &last.position);
        if last.back.is_some() {
            for (known, kept) in last.known.iter_mut().zip(kept) {
                if kept {
                    *known = Known::Yes;
                }
            }
        }
        last.back.is_some()
    }

    /// The mate line kept of this side that begins at the ply before the latest, or at one that the
    /// moves since then lead back to.
    fn line_before(&self, side: Color) -> Option<&[Move]> {
        let mut at = self.ply().checked_sub(1)?;
        while self.plies[at].lines[index(side)].is_none() && self.plies[at].back.is_some() {
            at = at.checked_sub(1)?;
        }
        self.plies[at].lines[index(side)].as_deref()
    }

    /// Brings the plans up to the ply before the latest, or to the latest.
    fn refresh(&mut self, to: usize) {
        let plies = &self.plies;
        self.plans.retain_mut(|kept| {
            while kept.at < to {
                let Ply { position, came_by: Some(m), .. } = &plies[kept.at + 1] else {
                    return false;
                };
                let Some(plan) = kept.plan.carried(*m, !position.turn()) else { return false };
                *kept = Kept { plan, at: kept.at + 1 };
            }
            true
        });
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
        self.refresh(before);
        let here = self.position().clone();
        let mut needed = self.dead() != Dead::No;
        let (mut plans, mut line) = std::mem::take(&mut self.spare);
        std::mem::swap(&mut self.plans, &mut plans);
        for (rank, Kept { plan, .. }) in plans.drain(..).enumerate() {
            let side = plan.side();
            let variants = match (needed, rank) {
                _ if self.known(side) == Some(false) => continue,
                (false, _) => 0,
                (true, 0) => VARIANTS.len(),
                (true, _) => 1,
            };
            let (plan, mates) = plan.follow(m, mover, &here, &VARIANTS[..variants], &mut line);
            let plan = plan.map(|plan| Kept { plan, at: before + 1 });
            if mates {
                needed = false;
                self.reuse_line(side);
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
        let sides = self.stronger_first();
        for side in sides {
            if self.wanted(side)
                && let Some((line, plan)) = aim::line(self.position(), side)
            {
                self.win(side, &line);
                self.keep(plan);
            }
        }
        for side in sides {
            if self.wanted(side) {
                let (line, nodes) = dive::walks(self.position(), side);
                self.searched += u64::from(nodes);
                if let Some(line) = line {
                    self.win(side, &line);
                    self.plans_of(&line, side);
                }
            }
        }
        for side in sides {
            if self.wanted(side) {
                self.search(side, search::decide_hard);
            }
        }
    }

    /// The side with more men that mate by themselves comes first: it is likelier to be able to.
    fn stronger_first(&self) -> [Color; 2] {
        let board = self.position().board();
        let strength = |side: Color| {
            let men = board.material_side(side);
            u32::from(men.queen) * 9
                + u32::from(men.rook) * 5
                + u32::from(men.bishop + men.knight) * 3
                + u32::from(men.pawn)
        };
        let black = strength(Color::Black) > strength(Color::White);
        if black { [Color::Black, Color::White] } else { Color::ALL }
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
        let Some(plan) = Plan::of(line, side) else { return };
        // What it comes down to outlives more moves than the line itself.
        let mut found = std::mem::take(&mut self.spare.1);
        let outline = Plan::outline(line, side)
            .filter(|outline| outline.line(self.position(), Manner::default(), &mut found));
        self.spare.1 = found;
        self.keep(outline.unwrap_or(plan));
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

    /// The list of the line kept last, which the next one makes needless: that one leads up to it.
    fn reuse_line(&mut self, side: Color) {
        let (slot, last) = (index(side), self.ply());
        let Some(mut at) = last.checked_sub(1) else { return };
        while self.plies[at].lines[slot].is_none() && self.plies[at].back.is_some() {
            at -= 1;
        }
        if self.plies[last].lines[slot].is_none() {
            self.plies[last].lines[slot] = self.plies[at].lines[slot].take();
        }
    }

    fn keep(&mut self, plan: Plan) {
        let at = self.ply();
        self.plans.insert(0, Kept { plan, at });
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

/// The legal moves that lead back to `before` after the move `m` from there to `here`: a move of the
/// side to move, `m` undone, and the other move undone. None are found where `m` is a pawn's, a
/// capture or a castling.
///
/// What can arise from `before` can then arise from `here`, as far as it needs no right that `m` lost:
/// the position is the same, but for these and for a right to capture en passant, which is not there.
fn way_back(before: &Chess, m: Move, here: &Chess) -> Option<[Move; 3]> {
    let Move::Normal { role, from: home, to: away, capture: None, promotion: None } = m else {
        return None;
    };
    let (us, them) = (here.turn(), before.turn());
    let (old, board) = (before.board(), here.board());
    let rights = here.castles().castling_rights();
    if role == Role::Pawn {
        return None;
    }
    let (king, their_king) = (board.king_of(us)?, old.king_of(them)?);
    let occupied = board.occupied();
    let shut = occupied | attacks::between(home, away) | Bitboard::from_square(home);
    let rights = rights & board.by_color(us);
    let fixed = if rights.any() { rights.with(king) } else { Bitboard::EMPTY };
    for other in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
        let man = Piece { color: us, role: other };
        for from in board.by_piece(man) & !fixed {
            for to in attacks::attacks(from, man, occupied) & !shut {
                // The man must come back though the other has come home.
                if attacks::between(from, to).contains(home) {
                    continue;
                }
                let stands = if other == Role::King { to } else { king };
                let after = occupied.without(from).with(to);
                if board.attacks_to(stands, them, after).any() {
                    continue;
                }
                let undone = old.occupied().without(from).with(to);
                let checks = old.attacks_to(their_king, us, undone).without(from).any()
                    || attacks::attacks(to, man, undone).contains(their_king);
                if !checks {
                    let back =
                        [quiet(other, from, to), quiet(role, away, home), quiet(other, to, from)];
                    debug_assert!(leads_to(here, &back, before));
                    return Some(back);
                }
            }
        }
    }
    None
}

fn quiet(role: Role, from: Square, to: Square) -> Move {
    Move::Normal { role, from, capture: None, to, promotion: None }
}

/// Whether a pawn stands so that it may capture en passant.
fn takes_in_passing(position: &Chess) -> bool {
    let (us, board) = (position.turn(), position.board());
    position.maybe_ep_square().is_some_and(|passed| {
        (attacks::pawn_attacks(!us, passed) & board.pawns() & board.by_color(us)).any()
    })
}

/// Whether these are legal moves that lead to that position and lose no right to castle; rights that
/// were lost before, and those to capture en passant, aside.
fn leads_to(start: &Chess, moves: &[Move], end: &Chess) -> bool {
    let rights = |position: &Chess| position.castles().castling_rights();
    let mut here = start.clone();
    for &m in moves {
        if !here.is_legal(m) {
            return false;
        }
        here.play_unchecked(m);
    }
    here.board() == end.board() && here.turn() == end.turn() && rights(&here) == rights(start)
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
    fn a_move_that_can_be_undone_loses_nothing() {
        for (fen, uci, goes_back) in [
            ("r3k2r/pp3ppp/2n5/8/8/2N5/PP3PPP/R3K2R w KQkq - 0 1", "c3e4", true),
            // Rights are lost; a pawn; a capture; a castling.
            ("r3k2r/pp3ppp/2n5/8/8/2N5/PP3PPP/R3K2R w KQkq - 0 1", "e1e2", true),
            ("r3k2r/pp3ppp/2n5/8/8/2N5/PP3PPP/R3K2R w KQkq - 0 1", "h1g1", true),
            ("r3k2r/pp3ppp/2n5/8/8/2N5/PP3PPP/R3K2R w - - 0 1", "e1e2", true),
            ("r3k2r/pp3ppp/2n5/8/8/2N5/PP3PPP/R3K2R w KQkq - 0 1", "a2a3", false),
            ("r3k2r/pp3ppp/2n5/8/4p3/2N5/PP3PPP/R3K2R w KQkq - 0 1", "c3e4", false),
            ("r3k2r/pp3ppp/2n5/8/8/2N5/PP3PPP/R3K2R w KQkq - 0 1", "e1g1", false),
            // The other side is in check, and doubly; or has nothing that it can move to and fro.
            ("4k2r/8/8/8/8/8/4P3/R3K3 w - - 0 1", "a1a8", true),
            ("4k2r/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4f6", true),
            ("3qkr2/3ppp2/8/1b6/8/4N3/8/K7 w - - 0 1", "e3d5", true),
            ("3qkr2/3ppp2/8/8/4N3/8/8/K7 w - - 0 1", "e4f6", false),
            ("4k3/4p3/8/8/8/8/4P1PP/4KN2 w - - 0 1", "f1e3", true),
            ("8/8/8/8/8/p1p5/p1P4N/k1K5 w - - 0 1", "h2f3", false),
            // A man would shut the way home, which is never chosen.
            ("7k/8/8/8/8/8/7n/RK6 w - - 0 1", "a1a8", true),
            ("6k1/5ppp/8/8/8/8/r7/4K2R w - - 0 1", "h1f1", true),
            // A capture in passing was open.
            ("4k2n/8/8/3pP3/8/8/8/R3K3 w - d6 0 1", "a1a3", true),
            ("4k2n/8/8/3p4/8/8/8/R3K3 w - d6 0 1", "a1a3", true),
        ] {
            let before = position(fen);
            let m = uci.parse::<UciMove>().unwrap().to_move(&before).unwrap();
            let mut here = before.clone();
            here.play_unchecked(m);
            let back = super::way_back(&before, m, &here);
            assert_eq!(back.is_some(), goes_back, "{fen} {uci}");
            assert!(back.is_none_or(|back| super::leads_to(&here, &back, &before)), "{fen} {uci}");
        }
        // Back and back again, and on from there.
        let mut game = Running::new(&Chess::default(), Budget::LIVE);
        let moves = "g1f3 g8f6 b1c3 b8c6 f3g5 f6g4 g5f3 g4f6 c3b1";
        for uci in moves.split_whitespace() {
            play(&mut game, uci);
            assert!(game.plies[game.ply()].back.is_some(), "{uci}");
        }
        assert!(game.line(Color::White).is_some_and(|line| line.len() > 27));
        play(&mut game, "e7e5");
        while game.take_back() {
            let now = game.judgement();
            assert_eq!(now.dead(), Dead::No, "ply {}", game.ply());
            for side in Color::ALL {
                if now.side(side).known().is_some() {
                    assert_eq!(check::verdict(game.position(), side, now.side(side)), Ok(()));
                }
            }
        }
    }

    #[test]
    fn lines_that_need_a_lost_right_are_not_carried_on() {
        // The line castles, and the move played gives up the right to.
        for (fen, line, uci) in [
            ("3k4/2p1p3/2P1P3/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "a1b1"),
            ("3k4/2p1p3/2P1P3/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "e1e2"),
        ] {
            let start = position(fen);
            let mut game = Running::new(&start, Budget::LIVE);
            let m = line.parse::<UciMove>().unwrap().to_move(&start).unwrap();
            let slot = super::index(Color::White);
            game.plies[0].lines[slot] = Some(vec![m]);
            game.plies[0].known[slot] = super::Known::Yes;
            play(&mut game, uci);
            let now = game.judgement();
            assert_eq!(
                check::verdict(game.position(), Color::White, now.side(Color::White)),
                Ok(())
            );
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
            assert_eq!(check::mate_line(game.position(), Color::White, &line), Ok(()));
        }
        assert!(game.take_back());
        let line = game.line(Color::White).unwrap();
        assert_eq!(check::mate_line(game.position(), Color::White, &line), Ok(()));
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
