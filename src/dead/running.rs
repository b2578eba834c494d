//! A running game, judged ply by ply: most answers follow from the ply before.
//!
//! In: the moves as they are confirmed, and take-backs. Out: whether each side can still mate, with
//! the line or the proof and the ply it dates from. Two facts carry answers forward:
//!
//! - "cannot mate" is final: what cannot arise from a position cannot arise from a later one
//!   (until that ply is taken back);
//! - "can mate" holds on if the move played is the first of the known mate line, or if the rest of
//!   the line is still playable and still mates after it, or if the whole line is, once the
//!   other player has made a waiting move that it does not mind, or once both players have moved
//!   back.
//!
//! Only where neither helps is the position searched again, with the budget given, and only until
//! one side is known to be able to mate: the position is not dead then. The other side is searched
//! when somebody [asks](Running::ask).

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role};

use super::{Budget, Certificate, Dead, Judgement, Winnable, can_mate};

/// Both sides are looked at this briefly before either is looked at longer.
const BRIEF: Budget = Budget::new(400);
/// Waiting moves tried before a position is searched again.
const WAITS: usize = 6;
/// Longer lines are searched for anew rather than mended.
const LONGEST: usize = 160;

/// What is known about one side at one ply.
#[derive(Clone, Debug)]
enum Known {
    /// The line found at ply `at` mates, without its first `skip` moves.
    Yes { at: usize, skip: usize },
    /// Proved at ply `at`.
    No { at: usize },
    /// Not decided within the budget.
    Unknown,
}

#[derive(Clone, Debug)]
struct Ply {
    position: Chess,
    known: [Known; 2],
    /// Answers searched for at this ply, by side; the moves or proofs that `Known` refers to.
    found: [Option<Winnable>; 2],
}

/// The judgement of a running game (Articles 5.2.2, 6.9, 7.5.5), kept up to date move by move.
#[derive(Clone, Debug)]
pub struct Running {
    budget: Budget,
    plies: Vec<Ply>,
    searched: u64,
}

impl Running {
    /// Judges the position a game starts (or is resumed) from.
    pub fn new(start: &Chess, budget: Budget) -> Running {
        let mut running = Running { budget, plies: Vec::new(), searched: 0 };
        let known = [Known::Unknown, Known::Unknown];
        running.plies.push(Ply { position: start.clone(), known, found: [None, None] });
        for side in Color::ALL {
            running.search(side, budget);
        }
        running
    }

    /// Follows a confirmed move; `false` (and nothing changes) if it is not legal here.
    pub fn play(&mut self, m: Move) -> bool {
        let Some(last) = self.plies.last() else { return false };
        if !last.position.is_legal(m) {
            return false;
        }
        let mut position = last.position.clone();
        position.play_unchecked(m);
        let known = [Color::White, Color::Black].map(|side| self.carry(side, &position, m));
        self.plies.push(Ply { position, known, found: [None, None] });
        for side in Color::ALL {
            if self.dead() == Dead::Unknown && self.known(side).is_none() {
                self.mend(side, m);
            }
        }
        // One side that can mate refutes a dead position: only then must the other be asked.
        let brief = self.budget.min(BRIEF);
        for budget in [brief, self.budget] {
            for side in Color::ALL {
                if self.dead() != Dead::No && self.known(side).is_none() {
                    self.search(side, budget);
                }
            }
        }
        true
    }

    /// Whether this side can still mate now, searching if that has not been decided yet (a flag
    /// has fallen, 6.9; a second illegal move, 7.5.5). `None`: not decided within the budget.
    pub fn ask(&mut self, side: Color) -> Option<bool> {
        if self.known(side).is_none() && self.last().found[index(side)].is_none() {
            self.search(side, self.budget);
        }
        self.known(side)
    }

    /// Takes the last move back; `false` at the start of the game.
    pub fn take_back(&mut self) -> bool {
        let more = self.plies.len() > 1;
        if more {
            self.plies.pop();
        }
        more
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
            Known::Yes { .. } => Some(true),
            Known::No { .. } => Some(false),
            Known::Unknown => None,
        }
    }

    /// Whether the position is dead (Article 5.2.2).
    pub fn dead(&self) -> Dead {
        Dead::of(self.known(Color::White), self.known(Color::Black))
    }

    /// A mate line of this side from the position now.
    pub fn line(&self, side: Color) -> Option<&[Move]> {
        let Known::Yes { at, skip } = self.last().known[index(side)] else { return None };
        self.plies[at].found[index(side)].as_ref()?.line()?.get(skip..)
    }

    /// The proof that this side cannot mate, and the ply whose position it is about.
    pub fn certificate(&self, side: Color) -> Option<(&Certificate, usize)> {
        let Known::No { at } = self.last().known[index(side)] else { return None };
        let found = self.plies[at].found[index(side)].as_ref()?;
        found.certificate().map(|certificate| (certificate, at))
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
    /// `position` after `ply` plies. A "no" then also holds for every later ply.
    ///
    /// `false` if that position is no longer part of the game, or the answer is "unknown".
    pub fn settle(&mut self, ply: usize, position: &Chess, side: Color, answer: Winnable) -> bool {
        let fits = self.plies.get(ply).is_some_and(|there| there.position == *position);
        let Some(can) = answer.known().filter(|_| fits) else { return false };
        let side = index(side);
        let known = if can { Known::Yes { at: ply, skip: 0 } } else { Known::No { at: ply } };
        let until = if can { ply + 1 } else { self.plies.len() };
        for later in &mut self.plies[ply..until] {
            later.known[side] = known.clone();
        }
        self.plies[ply].found[side] = Some(answer);
        true
    }

    #[expect(clippy::expect_used, reason = "`new` adds the first ply and `take_back` keeps it")]
    fn last(&self) -> &Ply {
        self.plies.last().expect("a game has its start position")
    }

    /// What the ply before says about this side after the move.
    fn carry(&self, side: Color, position: &Chess, m: Move) -> Known {
        let before = self.last().known[index(side)].clone();
        let (Known::Yes { at, skip }, Some(line)) = (before.clone(), self.line(side)) else {
            return before;
        };
        match line.split_first() {
            Some((&first, _)) if first == m => Known::Yes { at, skip: skip + 1 },
            Some((_, rest)) if still_mates(position, side, rest) => {
                Known::Yes { at, skip: skip + 1 }
            }
            _ => Known::Unknown,
        }
    }

    /// Tries the line of the ply before, once the other player has made a waiting move, or once
    /// both have gone back to where they stood.
    fn mend(&mut self, side: Color, m: Move) {
        let Some(before) = self.plies.len().checked_sub(2) else { return };
        let Known::Yes { at, skip } = self.plies[before].known[index(side)] else { return };
        let found = self.plies[at].found[index(side)].as_ref();
        let Some(line) = found.and_then(Winnable::line).and_then(|line| line.get(skip..)) else {
            return;
        };
        // Longer lines are searched for anew.
        if line.len() > LONGEST {
            return;
        }
        let here = self.position();
        let Some(detour) = waited(here, side, line).or_else(|| gone_back(here, side, m, line))
        else {
            return;
        };
        let line = [detour.as_slice(), line].concat();
        let at = self.ply();
        if let Some(last) = self.plies.last_mut() {
            last.known[index(side)] = Known::Yes { at, skip: 0 };
            last.found[index(side)] = Some(Winnable::Yes { line, nodes: 0 });
        }
    }

    fn search(&mut self, side: Color, budget: Budget) {
        let at = self.ply();
        let answer = can_mate(self.position(), side, budget);
        self.searched += u64::from(answer.nodes());
        let Some(last) = self.plies.last_mut() else { return };
        last.known[index(side)] = match answer.known() {
            Some(true) => Known::Yes { at, skip: 0 },
            Some(false) => Known::No { at },
            None => Known::Unknown,
        };
        // A brief look that found nothing leaves the question to a longer one.
        if answer.known().is_some() || budget == self.budget {
            last.found[index(side)] = Some(answer);
        }
    }
}

const fn index(side: Color) -> usize {
    match side {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// A waiting move after which the line can be played.
fn waited(here: &Chess, side: Color, line: &[Move]) -> Option<Vec<Move>> {
    let wait = waiting_moves(here, line).into_iter().find(|&wait| {
        let mut next = here.clone();
        next.play_unchecked(wait);
        still_mates(&next, side, line)
    })?;
    Some(vec![wait])
}

/// The move just made and its answer, both taken back by moves on the board, after which the line
/// can be played: the position is then the one before, but for rights to castle.
fn gone_back(here: &Chess, side: Color, m: Move, line: &[Move]) -> Option<Vec<Move>> {
    let back = reversed(m)?;
    let answers = here.legal_moves();
    let answers = answers.iter().copied().filter_map(|m| Some((m, reversed(m)?)));
    answers.take(WAITS).find_map(|(wait, returned)| {
        let mut next = here.clone();
        next.play_unchecked(wait);
        for m in [back, returned] {
            if !next.is_legal(m) {
                return None;
            }
            next.play_unchecked(m);
        }
        still_mates(&next, side, line).then(|| vec![wait, back, returned])
    })
}

/// The way back of a move that can be taken back by another.
const fn reversed(m: Move) -> Option<Move> {
    match m {
        Move::Normal { role, from, to, capture: None, promotion: None }
            if !matches!(role, Role::Pawn) =>
        {
            Some(Move::Normal { role, from: to, to: from, capture: None, promotion: None })
        }
        _ => None,
    }
}

/// A few quiet moves on squares the line does not use, pieces before pawns.
fn waiting_moves(here: &Chess, line: &[Move]) -> Vec<Move> {
    let mut used = here.board().kings();
    for m in line {
        used.add(m.to());
        used |= m.from().map_or(Bitboard::EMPTY, Bitboard::from_square);
    }
    let quiet = |m: &Move| {
        let from = m.from().unwrap_or(m.to());
        !m.is_capture() && !m.is_promotion() && !used.contains(from) && !used.contains(m.to())
    };
    let mut moves: Vec<Move> = here.legal_moves().into_iter().filter(quiet).collect();
    moves.sort_by_key(|m| m.role() == Role::Pawn);
    moves.truncate(WAITS);
    moves
}

/// Whether the moves can still be played from here and end with the other side mated.
fn still_mates(position: &Chess, side: Color, line: &[Move]) -> bool {
    let mut here = position.clone();
    for &m in line {
        if !here.is_legal(m) {
            return false;
        }
        here.play_unchecked(m);
    }
    here.turn() != side && here.is_checkmate()
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
    fn a_piece_that_can_go_back_needs_no_search() {
        let mut game = Running::new(&Chess::default(), Budget::LIVE);
        let searched = game.searched();
        for uci in ["g1f3", "b8c6", "f3d4", "c6b4", "d4c6", "b4c2"] {
            play(&mut game, uci);
            for side in Color::ALL {
                let now = game.judgement();
                assert_eq!(check::verdict(game.position(), side, now.side(side)), Ok(()), "{uci}");
            }
            assert_eq!(game.dead(), Dead::No, "{uci}");
            if uci != "b4c2" {
                assert_eq!(game.searched(), searched, "{uci}");
            }
        }
    }

    #[test]
    fn a_brief_look_does_not_stand_for_the_whole_budget() {
        // White's lines are far, Black's are near: White is asked about later, at full length.
        let mut game = Running::new(&Chess::default(), Budget::LIVE);
        for uci in ["f2f3", "e7e5", "g2g4", "b8c6"] {
            play(&mut game, uci);
            assert_eq!(game.dead(), Dead::No);
            let now = game.position().clone();
            let whole = crate::dead::can_mate(&now, Color::White, Budget::LIVE).known();
            assert_eq!(game.ask(Color::White).or(whole), whole.or(game.known(Color::White)));
            assert!(whole.is_none() || game.known(Color::White) == whole, "{uci}");
        }
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
