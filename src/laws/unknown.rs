//! What the Laws say when part of the history is not known.
//!
//! A position set up on the board, or found after moves were lost, does not show which castling
//! rights are left nor whether a pawn has just made a double step. Nothing is guessed: the game is
//! judged under every hypothesis that matters, and only what holds under all of them is certain.
//! The rest is for the arbiter's eyes (class C), whatever the event.
//!
//! For rights two hypotheses are enough, all that are possible and none: fewer rights make more
//! positions the same and leave fewer moves, so what both say every set between them says. Mate and
//! stalemate do not depend on rights at all. Which side is to move must be known; until it is,
//! there is nothing to judge.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, KnownOutcome, Move, Piece,
    Position, Rank, Role, Setup, Square,
};

use super::{
    edition::Edition,
    verdict::{Claimable, DeadAnswer, Ended, How, Over, Verdict, verdict},
};
use crate::{
    game::{Clocks, History, HistoryError, Past, Step},
    units::Ply,
};

/// One way the unknown part of a game can have been.
#[derive(Clone, Debug)]
struct Hypothesis {
    history: History,
    /// Whether it gives every right that may be left, or only those that were used.
    rights: Rights,
    /// The first ply it knows of; a take-back to before it forgets the hypothesis.
    born: Ply,
    /// The ply that a move made impossible, if one did.
    refuted: Option<Ply>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rights {
    All,
    Used,
}

/// What an uncertain fact depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependsOn {
    /// Which castling rights are left.
    CastlingRights,
    /// Whether the last move before the position was set up was a double step of a pawn.
    LastMove,
}

/// Something that holds under some hypotheses only (class C).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible {
    /// The game may be over.
    Over(Ended),
    /// A claim may be open.
    Claim(Claimable),
}

/// What the Laws say of the latest ply, certain and uncertain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What holds whatever is not known.
    pub certain: Verdict,
    /// What holds under some hypotheses only, and what decides. Empty when the game is certainly
    /// over.
    pub possible: Vec<(DependsOn, Possible)>,
}

/// A game some of whose past is not known.
#[derive(Clone, Debug)]
pub struct Hypotheses {
    /// The first that is not refuted is the one to show. Never empty, never all refuted.
    cases: Vec<Hypothesis>,
}

/// A board that is no position of a game with this side to move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the men on the board are no position with {turn} to move: {reason}")]
pub struct BadSetUp {
    /// The side said to have the move.
    pub turn: Color,
    /// What is wrong.
    pub reason: String,
}

impl Hypotheses {
    /// A game all of whose past that matters is known.
    pub fn known(history: History) -> Hypotheses {
        Hypotheses {
            cases: vec![Hypothesis { history, rights: Rights::All, born: Ply(0), refuted: None }],
        }
    }

    /// A game that begins with men found on the board, with `turn` to move. `past` says what is
    /// known of the half-moves without pawn move or capture before, `quiet` how many they were.
    pub fn set_up(
        board: &Board,
        turn: Color,
        mode: CastlingMode,
        past: Past,
        quiet: u32,
    ) -> Result<Hypotheses, BadSetUp> {
        let rights = rights_at_home(board, mode);
        let positions = positions(board, turn, mode, quiet, rights, past != Past::Nothing)?;
        let cases = positions
            .into_iter()
            .map(|(rights, position)| Hypothesis {
                history: History::new(position, past),
                rights,
                born: Ply(0),
                refuted: None,
            })
            .collect();
        Ok(Hypotheses { cases })
    }

    /// The game to show: with all rights that may be left and no double step before it, as long as
    /// that is possible.
    pub fn history(&self) -> &History {
        let shown = self.open().next().unwrap_or(&self.cases[0]);
        &shown.history
    }

    /// Whether more than one hypothesis is left.
    pub fn is_uncertain(&self) -> bool {
        self.open().nth(1).is_some()
    }

    fn open(&self) -> impl Iterator<Item = &Hypothesis> {
        self.cases.iter().filter(|case| case.refuted.is_none())
    }

    /// Makes a move that is legal under at least one hypothesis; the others are refuted by it. A
    /// castling shows that its right was there.
    pub fn play(&mut self, m: Move) -> Result<Ply, HistoryError> {
        if !self.open().any(|case| case.history.position().is_legal(m)) {
            return self.history().clone().play(m);
        }
        let next = self.history().latest().next();
        let mut learnt = Vec::new();
        for case in self.cases.iter_mut().filter(|case| case.refuted.is_none()) {
            if case.history.position().is_legal(m) {
                case.history.play(m)?;
                continue;
            }
            case.refuted = Some(next);
            if let (Rights::Used, Move::Castle { rook, .. }) = (case.rights, m)
                && let Some(mut history) = with_right(&case.history, rook)
                && history.play(m).is_ok()
            {
                learnt.push(Hypothesis {
                    history,
                    rights: Rights::Used,
                    born: next,
                    refuted: None,
                });
            }
        }
        self.cases.extend(learnt);
        Ok(next)
    }

    /// Takes the men found after moves that nobody recorded, with `turn` to move. Rights that were
    /// lost before stay lost, others may have been lost since. `quiet` is the least number of
    /// half-moves without pawn move or capture (see [`History::quiet_floor`]).
    pub fn resume(&mut self, board: &Board, turn: Color, quiet: u32) -> Result<Ply, ResumeError> {
        let before = self.history();
        let mode = before.castling_mode();
        let kept = before.position().castles().castling_rights() & rights_at_home(board, mode);
        let next = before.latest().next();
        let positions = positions(board, turn, mode, quiet, kept, true)?;
        let mut found = Vec::new();
        for (rights, position) in positions {
            let same = self.open().find(|case| case.rights == rights);
            let mut history = same.map_or(self.history(), |case| &case.history).clone();
            history.resume(position)?;
            found.push(Hypothesis { history, rights, born: next, refuted: None });
        }
        for case in self.cases.iter_mut().filter(|case| case.refuted.is_none()) {
            case.refuted = Some(next);
        }
        self.cases.extend(found);
        Ok(next)
    }

    /// Goes back to a ply, as [`History::take_back_to`]; what later moves had taught is forgotten.
    pub fn take_back_to(&mut self, ply: Ply) -> Result<(), HistoryError> {
        let latest = self.history().latest();
        if ply > latest {
            return Err(HistoryError::NoSuchPly { got: ply, latest });
        }
        self.cases.retain(|case| case.born <= ply);
        for case in &mut self.cases {
            if case.refuted.is_none_or(|at| at > ply) {
                case.refuted = None;
                case.history.take_back_to(ply)?;
            }
        }
        Ok(())
    }

    /// Notes what the clocks showed at a ply.
    pub fn set_clocks(&mut self, ply: Ply, clocks: Clocks) -> Result<(), HistoryError> {
        for case in self.cases.iter_mut().filter(|case| case.refuted.is_none()) {
            case.history.set_clocks(ply, clocks)?;
        }
        Ok(())
    }

    /// Judges the latest ply. `dead` is asked about the latest position under each hypothesis.
    pub fn verdict(
        &self,
        edition: Edition,
        dead: &mut dyn FnMut(&Chess) -> DeadAnswer,
    ) -> Judgement {
        let judged: Vec<(&Hypothesis, Verdict)> = self
            .open()
            .map(|case| (case, verdict(&case.history, edition, dead(case.history.position()))))
            .collect();
        if let Some(over) = certainly_over(&judged) {
            return Judgement { certain: Verdict::Over(over), possible: Vec::new() };
        }
        let mut facts: Vec<Fact> = Vec::new();
        for fact in judged.iter().flat_map(|(_, verdict)| facts_of(verdict)) {
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
        let mut claims = Vec::new();
        let mut possible: Vec<(DependsOn, Possible)> = Vec::new();
        for fact in facts {
            let holds: Vec<bool> = judged.iter().map(|(_, v)| fact.holds(v)).collect();
            match fact {
                Fact::Claim(claim) if holds.iter().all(|h| *h) => add_claim(&mut claims, claim),
                _ => {
                    let on = depends_on(&judged, &holds);
                    add_possible(&mut possible, on, fact);
                }
            }
        }
        let later = judged.iter().find_map(|(_, v)| match v {
            Verdict::Open { later, .. } => Some(later.clone()),
            Verdict::Over(_) => None,
        });
        let certain = Verdict::Open { claims, later: later.unwrap_or_default() };
        Judgement { certain, possible }
    }
}

/// Something that may hold under one hypothesis and not under another. Claims by announced moves
/// are taken move by move.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    Over(Ended),
    Claim(Claimable),
}

impl Fact {
    fn holds(&self, verdict: &Verdict) -> bool {
        match (self, verdict) {
            (Fact::Over(ended), Verdict::Over(over)) => over.reasons.contains(ended),
            // Under this hypothesis nobody needs to claim: the result is the same draw.
            (Fact::Claim(_), Verdict::Over(over)) => over.outcome == KnownOutcome::Draw,
            _ => facts_of(verdict).contains(self),
        }
    }
}

fn facts_of(verdict: &Verdict) -> Vec<Fact> {
    match verdict {
        Verdict::Over(over) => over.reasons.iter().copied().map(Fact::Over).collect(),
        Verdict::Open { claims, .. } => claims.iter().flat_map(single_claims).collect(),
    }
}

fn single_claims(claim: &Claimable) -> Vec<Fact> {
    match &claim.how {
        How::JustAppeared => vec![Fact::Claim(claim.clone())],
        How::ByMove(moves) => moves
            .iter()
            .map(|m| Fact::Claim(Claimable { how: How::ByMove(vec![*m]), ..claim.clone() }))
            .collect(),
    }
}

/// Adds a claim, an announced move to the moves of the same claim.
fn add_claim(claims: &mut Vec<Claimable>, claim: Claimable) {
    let same = claims.iter_mut().find(|c| c.kind == claim.kind && c.article == claim.article);
    match (same.map(|c| &mut c.how), &claim.how) {
        (Some(How::ByMove(moves)), How::ByMove(more)) => moves.extend(more),
        _ => claims.push(claim),
    }
}

fn add_possible(possible: &mut Vec<(DependsOn, Possible)>, on: DependsOn, fact: Fact) {
    let claim = match fact {
        Fact::Over(ended) => return possible.push((on, Possible::Over(ended))),
        Fact::Claim(claim) => claim,
    };
    for (known_on, what) in possible.iter_mut() {
        if let Possible::Claim(known) = what
            && (*known_on, known.kind, known.article) == (on, claim.kind, claim.article)
            && let (How::ByMove(moves), How::ByMove(more)) = (&mut known.how, &claim.how)
        {
            moves.extend(more);
            return;
        }
    }
    possible.push((on, Possible::Claim(claim)));
}

/// What decides a fact that holds under some hypotheses: the rights, if two hypotheses that differ
/// in nothing else differ about it.
fn depends_on(judged: &[(&Hypothesis, Verdict)], holds: &[bool]) -> DependsOn {
    let cases = || judged.iter().map(|(case, _)| *case).zip(holds);
    let by_rights = cases().any(|(a, a_holds)| {
        cases().any(|(b, b_holds)| {
            passed(a) == passed(b) && a.rights != b.rights && a_holds != b_holds
        })
    });
    if by_rights { DependsOn::CastlingRights } else { DependsOn::LastMove }
}

/// Why men found on the board cannot continue a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// They are no position.
    #[error(transparent)]
    SetUp(#[from] BadSetUp),
    /// The game takes no more plies.
    #[error(transparent)]
    History(#[from] HistoryError),
}

/// The end if every hypothesis is over with the same result; its reasons are those that all give,
/// or where they differ every one given.
fn certainly_over(judged: &[(&Hypothesis, Verdict)]) -> Option<Over> {
    let ends: Vec<&Over> = judged.iter().map(|(_, v)| v.over()).collect::<Option<_>>()?;
    let (first, rest) = ends.split_first()?;
    if rest.iter().any(|end| end.outcome != first.outcome) {
        return None;
    }
    let shared: Vec<Ended> = first
        .reasons
        .iter()
        .filter(|reason| rest.iter().all(|end| end.reasons.contains(reason)))
        .copied()
        .collect();
    let reasons = if shared.is_empty() {
        let mut all: Vec<Ended> = ends.iter().flat_map(|end| end.reasons.iter().copied()).collect();
        all.sort_by_key(|ended| ended.ending);
        all.dedup();
        all
    } else {
        shared
    };
    Some(Over { ply: first.ply, outcome: first.outcome, reasons })
}

/// The square a pawn is taken to have passed just before the last stretch of known moves.
fn passed(case: &Hypothesis) -> Option<Square> {
    case.history.at(base(&case.history)).and_then(|p| p.position.legal_ep_square())
}

/// The last ply that was set up or found rather than reached by a move.
fn base(history: &History) -> Ply {
    let found = history.plies().iter().rposition(|p| matches!(p.step, Step::Start | Step::Gap));
    Ply(found.and_then(|n| u32::try_from(n).ok()).unwrap_or(0))
}

/// The squares of the rooks that may still castle, as far as the men on the board show. In Chess960
/// only the outermost rook on each side of the king is considered.
fn rights_at_home(board: &Board, mode: CastlingMode) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    for color in Color::ALL {
        let Some(king) = board.king_of(color).filter(|k| k.rank() == color.backrank()) else {
            continue;
        };
        let own = board.by_piece(Piece { color, role: Role::Rook }) & color.backrank();
        if mode.is_chess960() {
            let outermost = [own.first(), own.last()].into_iter().flatten();
            rooks |= outermost.filter(|rook| rook.file() != king.file()).collect::<Bitboard>();
        } else if king == color.fold_wb(Square::E1, Square::E8) {
            rooks |= own & Bitboard::CORNERS;
        }
    }
    rooks
}

/// The positions that men on a board can be: first with all rights and without a double step.
fn positions(
    board: &Board,
    turn: Color,
    mode: CastlingMode,
    quiet: u32,
    rights: Bitboard,
    had_last_move: bool,
) -> Result<Vec<(Rights, Chess)>, BadSetUp> {
    let setup = |castling_rights, ep_square| Setup {
        board: board.clone(),
        turn,
        castling_rights,
        ep_square,
        halfmoves: quiet,
        ..Setup::empty()
    };
    let all = setup(rights, None)
        .position::<Chess>(mode)
        .map_err(|error| BadSetUp { turn, reason: error.to_string() })?;
    let mut found = vec![(Rights::All, all)];
    let mut add = |rights, setup: Setup| {
        if let Ok(position) = setup.position::<Chess>(mode) {
            found.push((rights, position));
        }
    };
    if rights.any() {
        add(Rights::Used, setup(Bitboard::EMPTY, None));
    }
    // A double step resets the counter, so after a quiet move there was none.
    if quiet == 0 && had_last_move {
        for square in double_steps(board, turn) {
            let passed = setup(rights, Some(square));
            let legal = passed.clone().position::<Chess>(mode);
            if legal.is_ok_and(|position| position.legal_ep_square().is_some()) {
                add(Rights::All, passed);
                if rights.any() {
                    add(Rights::Used, setup(Bitboard::EMPTY, Some(square)));
                }
            }
        }
    }
    Ok(found)
}

/// The squares that a pawn of the side not to move may have passed with the last move.
fn double_steps(board: &Board, turn: Color) -> impl Iterator<Item = Square> {
    let mover = !turn;
    let pawns = board.by_piece(Piece { color: mover, role: Role::Pawn });
    let (home, passed, rank) = mover.fold_wb(
        (Rank::Second, Rank::Third, Rank::Fourth),
        (Rank::Seventh, Rank::Sixth, Rank::Fifth),
    );
    let empty = !board.occupied();
    pawns.into_iter().filter(move |pawn| pawn.rank() == rank).filter_map(move |pawn| {
        let behind = Square::from_coords(pawn.file(), passed);
        let start = Square::from_coords(pawn.file(), home);
        (empty.contains(behind) && empty.contains(start)).then_some(behind)
    })
}

/// The same game with one more castling right since its last known beginning.
fn with_right(history: &History, rook: Square) -> Option<History> {
    let mode = history.castling_mode();
    let grant = |position: &Chess| {
        let mut setup = position.to_setup(EnPassantMode::Always);
        setup.castling_rights.add(rook);
        setup.position::<Chess>(mode).ok()
    };
    let base = base(history);
    let first = grant(&history.at(base)?.position)?;
    let mut new = if base == Ply(0) {
        History::new(first, history.past())
    } else {
        let mut kept = history.clone();
        kept.take_back_to(Ply(base.0 - 1)).ok()?;
        kept.resume(first).ok()?;
        kept
    };
    for record in history.plies().iter().skip(base.index() + 1) {
        let ply = match record.step {
            Step::Move(m) => new.play(m).ok()?,
            Step::Irregular => {
                new.stand(grant(&record.position)?, record.quiet.value() == 0).ok()?
            }
            Step::Start | Step::Gap => return None,
        };
        new.set_clocks(ply, record.clocks).ok()?;
    }
    new.set_clocks(base, history.at(base)?.clocks).ok()?;
    Some(new)
}

#[cfg(test)]
mod tests {
    use shakmaty::{fen::Fen, san::San};

    use super::*;
    use crate::laws::{ClaimKind, Ending};

    fn set_up(fen: &str, past: Past) -> Hypotheses {
        let setup = fen.parse::<Fen>().unwrap().into_setup();
        let quiet = setup.halfmoves;
        Hypotheses::set_up(&setup.board, setup.turn, CastlingMode::Standard, past, quiet).unwrap()
    }

    fn play(game: &mut Hypotheses, moves: &str) {
        for text in moves.split_whitespace() {
            let san: San = text.parse().unwrap();
            let m = game
                .open()
                .find_map(|case| san.to_move(case.history.position()).ok())
                .unwrap_or_else(|| panic!("{text}"));
            game.play(m).unwrap();
        }
    }

    fn judge(game: &Hypotheses) -> Judgement {
        game.verdict(Edition::Fide2023, &mut |_| DeadAnswer::Alive)
    }

    /// Rook and king at home: the position of ply 0 comes back at 4, 8, … without the right. If it
    /// was there at ply 0, ply 4 is its first occurrence without it.
    #[test]
    fn a_repetition_that_depends_on_rights_is_not_certain() {
        let mut game = set_up("r3k3/8/8/8/8/8/8/4K2R w - - 4 30", Past::Counted);
        assert!(game.is_uncertain());
        play(&mut game, "Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8");
        let judgement = judge(&game);
        assert_eq!(judgement.certain.over(), None);
        assert!(judgement.certain.claims().iter().all(|c| c.how != How::JustAppeared));
        let claim = judgement.possible.iter().find_map(|(on, what)| match what {
            Possible::Claim(c) if c.how == How::JustAppeared => Some((*on, c.kind, c.exact)),
            _ => None,
        });
        assert_eq!(claim, Some((DependsOn::CastlingRights, ClaimKind::Threefold, false)));
        // Four plies later both say so.
        play(&mut game, "Rg1 Rb8 Rh1 Ra8");
        let judgement = judge(&game);
        assert!(judgement.certain.claims().iter().any(|c| c.how == How::JustAppeared));
        // The fifth occurrence, again first without the right.
        play(&mut game, "Rg1 Rb8 Rh1 Ra8");
        let judgement = judge(&game);
        assert_eq!(judgement.certain.over(), None);
        let over = (
            DependsOn::CastlingRights,
            Possible::Over(Ended { ending: Ending::FivefoldRepetition, article: "9.6.1" }),
        );
        assert!(judgement.possible.contains(&over));
        assert!(judgement.certain.claims().iter().any(|c| c.how == How::JustAppeared));
        play(&mut game, "Rg1 Rb8 Rh1 Ra8");
        assert!(judge(&game).certain.over().is_some());
    }

    #[test]
    fn castling_shows_its_right_and_a_take_back_forgets_it() {
        let mut game = set_up("r3k3/8/8/8/8/8/8/4K2R w - - 4 30", Past::Counted);
        play(&mut game, "O-O");
        assert!(game.is_uncertain(), "Black's right is still unknown");
        assert_eq!(game.open().count(), 2);
        let lines: Vec<usize> = game.open().map(|c| c.history.plies().len()).collect();
        assert_eq!(lines, [2, 2]);
        game.take_back_to(Ply(0)).unwrap();
        assert_eq!(game.open().count(), 2);
        play(&mut game, "Ke2 Kd8");
        assert_eq!(game.history().latest(), Ply(2));
    }

    #[test]
    fn a_double_step_before_the_set_up_may_have_to_be_taken() {
        // Black is mated unless the pawn has just come from g2: then hxg3 saves him.
        let fen = "8/5N2/R7/7k/6Pp/8/8/4K1R1 b - - 0 40";
        let mut game = set_up(fen, Past::Unknown);
        let position = game.history().position();
        assert!(position.legal_moves().is_empty() && position.is_check(), "{position:?}");
        let judgement = judge(&game);
        assert_eq!(judgement.certain.over(), None);
        assert_eq!(
            judgement.possible,
            [(
                DependsOn::LastMove,
                Possible::Over(Ended { ending: Ending::Checkmate, article: "5.1.1" })
            )]
        );
        play(&mut game, "hxg3");
        assert!(!game.is_uncertain());
        // Where nothing was played before, there was no double step.
        let judgement = judge(&set_up(fen, Past::Nothing));
        assert!(judgement.certain.over().is_some());
    }

    #[test]
    fn counts_that_are_reached_are_certain() {
        let mut game = set_up("4k3/8/8/8/8/8/r6P/4K2R w - - 0 30", Past::Unknown);
        let mut last = None;
        for ply in 1..=150u32 {
            let (from, to) = [("Kf1", "Kd8"), ("Ke1", "Ke8")][(ply as usize - 1) / 2 % 2];
            play(&mut game, if ply % 2 == 1 { from } else { to });
            last = game.history().last().quiet.reaches(100);
            assert_eq!(last.is_some(), ply >= 100, "{ply}");
        }
        assert_eq!(last, Some(true));
        let over = judge(&game).certain.over().cloned().unwrap();
        assert!(over.reasons.iter().any(|r| r.ending == Ending::SeventyFiveMoves));
    }

    #[test]
    fn after_a_gap_lost_rights_stay_lost_and_others_are_unknown() {
        let mut game = Hypotheses::known(History::default());
        play(&mut game, "Nf3 Nf6 Rg1 Rg8");
        let found = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w - - 0 1";
        let setup = found.parse::<Fen>().unwrap().into_setup();
        assert!(!game.is_uncertain());
        game.resume(&setup.board, setup.turn, 4).unwrap();
        assert!(game.is_uncertain());
        let rights = |game: &Hypotheses| -> Vec<usize> {
            game.open().map(|c| c.history.position().castles().castling_rights().count()).collect()
        };
        assert_eq!(rights(&game), [2, 0], "only the rooks on a1 and a8");
        assert!(!game.history().last().quiet.is_exact());
        game.take_back_to(Ply(4)).unwrap();
        assert!(!game.is_uncertain());
        assert_eq!(rights(&game), [2]);
    }

    #[test]
    fn an_illegal_move_leaves_everything_as_it_was() {
        let mut game = set_up("r3k3/8/8/8/8/8/8/4K2R w - - 4 30", Past::Counted);
        let m = Move::Castle { king: Square::E8, rook: Square::A8 };
        assert!(matches!(game.play(m), Err(HistoryError::Illegal { .. })));
        assert_eq!(game.open().count(), 2);
        let board = Board::empty();
        let bad =
            Hypotheses::set_up(&board, Color::White, CastlingMode::Standard, Past::Unknown, 0);
        assert!(bad.unwrap_err().to_string().contains("empty board"));
    }
}
