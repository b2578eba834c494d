//! What the Laws say when part of the history is not known.
//!
//! In: men found on a board, moves, stretches of time in which moves may have been lost. Out: the
//! history to show, and what of the Laws' verdict holds whatever is not known. Refuses to know: how
//! moves are seen, and who is told.
//!
//! A position set up on the board, or found after moves were lost, does not show which castling
//! rights are left nor whether a pawn has just made a double step. Nothing is guessed: the game is
//! judged under every hypothesis that matters, and only what holds under all of them is certain.
//! The rest is for the arbiter's eyes (class C), whatever the event.
//!
//! For rights two hypotheses are enough, all that are possible and none: fewer rights make more
//! positions the same and leave fewer moves, so what both say every set between them says. Mate and
//! stalemate do not depend on rights at all. Rights that may have been lost in one of several gaps
//! add a hypothesis for the last of them, which makes the fewest positions the same. Which side is
//! to move must be known; until it is, there is nothing to judge.

mod judge;
mod setup;
#[cfg(test)]
mod tests;

use shakmaty::{Board, CastlingMode, Chess, Color, Move, Position, Square};

pub use self::judge::{DependsOn, Judgement, Possible};
use self::{
    judge::judge,
    setup::{positions, rights_at_home, with_right, without_rights},
};
use super::{
    claims::{self, Claim, ClaimClocks, ClaimError, Facts, Qualifies, Ruling},
    edition::{Conditions, Edition},
    verdict::{ClaimKind, DeadAnswer, Over, verdict_at},
};
use crate::{
    game::{Clocks, Count, History, HistoryError, Past, is_lawful},
    units::Ply,
};

/// Cases born of gaps that are kept beside each other: the oldest and the newest matter.
const MOST_GAPS: usize = 3;

/// One way the unknown part of a game can have been.
#[derive(Clone, Debug)]
struct Hypothesis {
    history: History,
    /// Whether it gives every right that may be left, or only those that were used.
    rights: Rights,
    /// The square a pawn is taken to have passed just before the men were found.
    passed: Option<Square>,
    /// The first ply it knows of; a take-back to before it forgets the hypothesis.
    born: Ply,
    /// The ply that a move made impossible, if one did.
    refuted: Option<Ply>,
    /// Whether a gap between two moves made it.
    of_gap: bool,
}

impl Hypothesis {
    fn new(history: History, rights: Rights, born: Ply) -> Hypothesis {
        let passed = history.position().legal_ep_square();
        Hypothesis { history, rights, passed, born, refuted: None, of_gap: false }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rights {
    All,
    Used,
}

/// A game some of whose past is not known.
#[derive(Clone, Debug)]
pub struct Hypotheses {
    /// The first that is not refuted is the one to show. Never empty, never all refuted.
    cases: Vec<Hypothesis>,
    /// Plies after which moves may have been lost, rising.
    gaps: Vec<Ply>,
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

impl Hypotheses {
    /// A game all of whose past that matters is known.
    pub fn known(history: History) -> Hypotheses {
        Hypotheses { cases: vec![Hypothesis::new(history, Rights::All, Ply(0))], gaps: Vec::new() }
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
            .map(|(rights, position)| Hypothesis::new(History::new(position, past), rights, Ply(0)))
            .collect();
        Ok(Hypotheses { cases, gaps: Vec::new() })
    }

    /// The game before its first move: nothing is learnt yet, and nothing was missed.
    #[must_use]
    pub fn at_the_start(&self) -> Hypotheses {
        let mut start = self.clone();
        // There always is a ply 0.
        let _ = start.take_back_to(Ply(0));
        start.gaps.clear();
        start
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

    /// Whether moves may have been lost since the latest ply.
    pub fn is_in_gap(&self) -> bool {
        self.gaps.last() == Some(&self.history().latest())
    }

    /// Whether the counters of the latest ply are exact and the same under every hypothesis.
    pub fn counts_are_exact(&self) -> bool {
        let counts = |case: &Hypothesis| {
            let last = case.history.last();
            (last.quiet, last.occurrence)
        };
        let mut all = self.open().map(counts);
        let Some(first) = all.next() else { return false };
        let exact = matches!(first, (Count::Exact(_), Count::Exact(_)));
        exact && all.all(|other| other == first) && !self.is_in_gap()
    }

    /// The latest position under every hypothesis, the shown one first.
    pub fn positions(&self) -> impl Iterator<Item = &Chess> {
        self.open().map(|case| case.history.position())
    }

    fn open(&self) -> impl Iterator<Item = &Hypothesis> {
        self.cases.iter().filter(|case| case.refuted.is_none())
    }

    /// Notes that from now on moves may be made that nobody sees, until the next one is played. Men
    /// may leave and come back, and castling rights with them; what is counted becomes a lower bound.
    pub fn lost_sight(&mut self) {
        let latest = self.history().latest();
        if self.gaps.last() != Some(&latest) {
            self.gaps.push(latest);
        }
    }

    /// Makes a move that is legal under at least one hypothesis; the others are refuted by it. A
    /// castling shows that its right was there.
    pub fn play(&mut self, m: Move) -> Result<Ply, HistoryError> {
        let gap = self.is_in_gap();
        if !gap && !self.is_uncertain() {
            // Nothing is refuted and nothing learnt.
            let known = self.cases.iter_mut().find(|case| case.refuted.is_none());
            if let Some(known) = known {
                return known.history.play(m);
            }
        }
        if !self.open().any(|case| case.history.position().is_legal(m)) {
            return self.history().clone().play(m);
        }
        let next = self.history().latest().next();
        let mut learnt = Vec::new();
        for case in self.cases.iter_mut().filter(|case| case.refuted.is_none()) {
            if case.history.position().is_legal(m) {
                if gap {
                    learnt.extend(after_gap(case, m, next)?);
                } else {
                    case.history.play(m)?;
                }
                continue;
            }
            case.refuted = Some(next);
            if let (Rights::Used, Move::Castle { rook, .. }) = (case.rights, m)
                && let Some(mut history) = with_right(&case.history, rook)
                && history.play(m).is_ok()
            {
                learnt.push(Hypothesis { history, born: next, refuted: None, ..case.clone() });
            }
        }
        self.cases.extend(learnt);
        self.forget_gaps_between();
        Ok(next)
    }

    /// The oldest and the newest gap bound what those between them say.
    fn forget_gaps_between(&mut self) {
        let of_gap = |case: &Hypothesis| case.of_gap && case.refuted.is_none();
        while self.cases.iter().filter(|case| of_gap(case)).count() > MOST_GAPS {
            let second = self.cases.iter().enumerate().filter(|(_, case)| of_gap(case)).nth(1);
            let Some((second, _)) = second else { return };
            self.cases.remove(second);
        }
    }

    /// Takes a position that a move against Article 3 led to and that is left standing (see
    /// [`History::stand`]). Each hypothesis keeps what rights it has and the men still allow.
    pub fn stand(&mut self, m: Move, position: &Chess) -> Result<Ply, HistoryError> {
        let next = self.history().latest().next();
        let lawful = is_lawful(position);
        for case in self.cases.iter_mut().filter(|case| case.refuted.is_none()) {
            let before = case.history.position();
            let stands = if lawful {
                without_rights(position, !before.castles().castling_rights())
            } else {
                // Of a position that no game can have no other can be made than by a move.
                let mut after = before.clone();
                after.play_unchecked(m);
                if after.board() == position.board() { after } else { position.clone() }
            };
            case.history.stand(stands, m.is_zeroing())?;
        }
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
            found.push(Hypothesis::new(history, rights, next));
        }
        for case in self.cases.iter_mut().filter(|case| case.refuted.is_none()) {
            case.refuted = Some(next);
        }
        self.cases.extend(found);
        Ok(next)
    }

    /// Goes back to a ply, as [`History::take_back_to`]; what later moves had taught is forgotten.
    /// Moves that may have been lost since may still have been.
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
        for gap in &mut self.gaps {
            *gap = ply.min(*gap);
        }
        self.gaps.dedup();
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
        self.verdict_at(self.history().latest(), edition, dead).unwrap_or_else(Judgement::nothing)
    }

    /// As [`Hypotheses::verdict`] for any ply the game has reached; `None` beyond.
    pub fn verdict_at(
        &self,
        ply: Ply,
        edition: Edition,
        dead: &mut dyn FnMut(&Chess) -> DeadAnswer,
    ) -> Option<Judgement> {
        let mut open = self.open();
        if let (Some(case), None) = (open.next(), open.next()) {
            // Nearly always there is one hypothesis only.
            let answer = dead(&case.history.at(ply)?.position);
            let certain = verdict_at(&case.history, ply, edition, answer)?;
            return Some(Judgement { certain, possible: Vec::new() });
        }
        let mut judged = Vec::new();
        for case in self.open() {
            let answer = dead(&case.history.at(ply)?.position);
            judged.push((case.passed, verdict_at(&case.history, ply, edition, answer)?));
        }
        Some(judge(judged))
    }

    /// Judges a claim made now (see [`claims::check`]). A fact that holds under some hypotheses only,
    /// or that moves nobody saw may have changed, is not proved; `doubt` may take away more.
    pub fn check_claim(
        &self,
        conditions: &Conditions,
        ended: Option<&Over>,
        claim: &Claim,
        clocks: ClaimClocks,
        doubt: impl FnOnce(Facts) -> Facts,
    ) -> Result<Ruling, ClaimError> {
        let history = self.history();
        let ply = history.latest();
        let mut all: Option<Facts> = None;
        for case in self.open() {
            let facts = claims::facts(&case.history, ply, claim)?;
            all = Some(all.map_or(facts, |all| all.agreed(facts)));
        }
        let mut facts = all.map_or_else(|| claims::facts(history, ply, claim), Ok)?;
        if self.is_in_gap() {
            let rights = !history.position().castles().is_empty();
            let stands = |fact| match fact {
                Qualifies::Yes if claim.kind == ClaimKind::Fifty || !rights => Qualifies::Yes,
                _ => Qualifies::Unproved,
            };
            facts = Facts { now: stands(facts.now), announced: facts.announced.map(stands) };
        }
        claims::rule(history, ply, conditions, ended, claim, clocks, doubt(facts))
    }
}

/// Makes a move before which others may have been lost; the case in which castling rights were lost
/// with them, if there are any.
fn after_gap(
    case: &mut Hypothesis,
    m: Move,
    next: Ply,
) -> Result<Option<Hypothesis>, HistoryError> {
    let mut without = case.history.clone();
    case.history.play_after_gap(m, true)?;
    if case.history.position().castles().is_empty() {
        return Ok(None);
    }
    without.play_after_gap(m, false)?;
    Ok(Some(Hypothesis {
        history: without,
        rights: Rights::Used,
        passed: case.passed,
        born: next,
        refuted: None,
        of_gap: true,
    }))
}
