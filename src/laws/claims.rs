//! Is a claim of a draw right, and what does a wrong one cost (9.2 to 9.5)?

use std::fmt;

use shakmaty::{
    Chess, Color, Move, Position, Role,
    san::{San, SanError, SanPlus},
};

use super::{
    edition::{Conditions, Control},
    rules::{ClaimantPays, RightLostBy, Rules, WrongClaim},
    verdict::{ClaimKind, FIFTY, Over},
};
use crate::{
    game::{Count, History},
    units::{Millis, Ply},
};

/// What the claimant did on the board, with this move, before he claimed. No board sees a touch:
/// the arbiter says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardAct {
    /// Nothing.
    #[default]
    None,
    /// Touched a piece with intent (4.3).
    Touched,
    /// Made a move.
    Moved,
}

/// A claim as it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who claims.
    pub claimant: Color,
    /// What he claims.
    pub kind: ClaimKind,
    /// The move he announced, if he did.
    pub announced: Option<San>,
    /// What he did first.
    pub act: BoardAct,
}

/// Remaining times of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimClocks {
    /// The claimant's.
    pub claimant: Millis,
    /// His opponent's.
    pub opponent: Millis,
}

/// Whether a position meets the condition of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualifies {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// What was seen falls short, but not everything was seen.
    Unproved,
}

impl Qualifies {
    fn from_count(count: Count, threshold: u32) -> Qualifies {
        match count.reaches(threshold) {
            Some(true) => Qualifies::Yes,
            Some(false) => Qualifies::No,
            None => Qualifies::Unproved,
        }
    }

    /// `yes`, `no` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Qualifies::Yes => "yes",
            Qualifies::No => "no",
            Qualifies::Unproved => "unknown",
        }
    }
}

/// What is decided about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The claim is right: the game is drawn.
    Correct,
    /// The claim is wrong: the clocks are adjusted and play goes on.
    Incorrect,
    /// The right to claim was lost for this move (9.4).
    RightLost,
    /// The claimant does not have the move. What follows is the arbiter's (11.5, 12.9).
    NotEntitled,
    /// The game had ended before.
    GameOver,
    /// The text is silent, or the record has gaps: the arbiter decides on the facts.
    Arbiter {
        /// Whether the position on the board qualifies.
        now: Qualifies,
        /// Whether the announced move makes one that does; `None` if no legal one was announced.
        announced: Option<Qualifies>,
    },
}

impl Decision {
    /// Its name in tables: `correct`, `incorrect`, `right_lost`, `not_entitled`, `game_over` or
    /// `arbiter`.
    pub const fn label(self) -> &'static str {
        match self {
            Decision::Correct => "correct",
            Decision::Incorrect => "incorrect",
            Decision::RightLost => "right_lost",
            Decision::NotEntitled => "not_entitled",
            Decision::GameOver => "game_over",
            Decision::Arbiter { .. } => "arbiter",
        }
    }
}

/// What the claimant must play when the game goes on after a wrong claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MustPlay {
    /// Nothing follows from the claim.
    Nothing,
    /// Any legal move.
    Any,
    /// The announced move.
    Move(String),
    /// The announced move was illegal: a legal move of that piece (4.3, 4.4).
    Piece {
        /// What kind of piece.
        role: Role,
        /// Its legal moves, in algebraic notation and alphabetical order.
        moves: Vec<String>,
    },
}

impl fmt::Display for MustPlay {
    /// `-`, `any`, `Nf6` or `a legal king move (Ke2 or Kf1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MustPlay::Nothing => f.write_str("-"),
            MustPlay::Any => f.write_str("any"),
            MustPlay::Move(san) => f.write_str(san),
            MustPlay::Piece { role, moves } => {
                let list = match moves.split_last() {
                    Some((last, rest)) if !rest.is_empty() => {
                        format!("{} or {last}", rest.join(", "))
                    }
                    _ => moves.concat(),
                };
                write!(f, "a legal {} move ({list})", role_name(*role))
            }
        }
    }
}

const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// The ruling on a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// What is decided.
    pub decision: Decision,
    /// The articles it rests on in the numbering of the edition, joined by `+`.
    pub article: String,
    /// The clocks after it.
    pub clocks: ClaimClocks,
    /// What must be played then.
    pub must_play: MustPlay,
}

impl Ruling {
    /// The names of the columns of its text, separated by tabs.
    pub const COLUMNS: &'static str = "verdict\tclaimant_after\topponent_after\tmust_play\tarticle";
}

impl fmt::Display for Ruling {
    /// The columns of [`Ruling::COLUMNS`], separated by tabs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClaimClocks { claimant, opponent } = self.clocks;
        let verdict = self.decision.label();
        write!(f, "{verdict}\t{claimant}\t{opponent}\t{}\t{}", self.must_play, self.article)
    }
}

/// A claim that cannot be checked as it stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// The ply lies after the latest one.
    #[error("the game has no half-move {got}: it has reached half-move {latest}")]
    NoSuchPly {
        /// The ply asked for.
        got: Ply,
        /// The latest ply there is.
        latest: Ply,
    },
    /// Several pieces could make the announced move.
    #[error("{0} can be made by several pieces: write the file or rank the piece comes from")]
    Ambiguous(String),
    /// Not a move a player can announce.
    #[error("{0} is not a move that can be announced: write it in algebraic notation, as in Nf3")]
    NotAMove(String),
}

/// Judges a claim made at `ply`, `ended` being the first end of the game if there was one before
/// or at that ply.
///
/// Times are exact to the millisecond: when an odd number is halved, the smaller
/// half remains.
///
/// Where the position on the board qualifies and the announced move does not, the text is silent
/// and the arbiter gets both facts; likewise where the record has gaps and what was seen falls
/// short. A move that would mate at 99 half-moves makes a right claim (9.3.1 as written).
pub fn check(
    history: &History,
    ply: Ply,
    conditions: &Conditions,
    ended: Option<&Over>,
    claim: &Claim,
    clocks: ClaimClocks,
) -> Result<Ruling, ClaimError> {
    let facts = facts(history, ply, claim)?;
    rule(history, ply, conditions, ended, claim, clocks, facts)
}

/// What a claim is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Whether the position on the board qualifies.
    pub now: Qualifies,
    /// Whether the one after the announced move does; `None` if no legal move was announced.
    pub announced: Option<Qualifies>,
}

impl Facts {
    /// What these facts and others, found under another hypothesis, agree on.
    #[must_use]
    pub fn agreed(self, other: Facts) -> Facts {
        let both = |a: Qualifies, b: Qualifies| if a == b { a } else { Qualifies::Unproved };
        Facts {
            now: both(self.now, other.now),
            announced: match (self.announced, other.announced) {
                (Some(a), Some(b)) => Some(both(a, b)),
                (None, None) => None,
                _ => Some(Qualifies::Unproved),
            },
        }
    }
}

/// Finds out whether the position at `ply`, and the one after the announced move, qualify.
pub fn facts(history: &History, ply: Ply, claim: &Claim) -> Result<Facts, ClaimError> {
    let announced = announced(history, ply, claim)?;
    let (now, announced) = qualifications(history, ply, claim.kind, announced.as_ref());
    Ok(Facts { now, announced })
}

fn announced(history: &History, ply: Ply, claim: &Claim) -> Result<Option<Announced>, ClaimError> {
    let record =
        history.at(ply).ok_or(ClaimError::NoSuchPly { got: ply, latest: history.latest() })?;
    claim.announced.map(|san| Announced::find(&record.position, san)).transpose()
}

/// As [`check`] with the facts given.
pub fn rule(
    history: &History,
    ply: Ply,
    conditions: &Conditions,
    ended: Option<&Over>,
    claim: &Claim,
    clocks: ClaimClocks,
    facts: Facts,
) -> Result<Ruling, ClaimError> {
    let rules = conditions.edition.rules();
    let announced = announced(history, ply, claim)?;
    let record =
        history.at(ply).ok_or(ClaimError::NoSuchPly { got: ply, latest: history.latest() })?;
    let unchanged = |decision, article: &str| Ruling {
        decision,
        article: article.to_owned(),
        clocks,
        must_play: MustPlay::Nothing,
    };
    if let Some(over) = ended.filter(|over| over.ply <= ply) {
        return Ok(unchanged(Decision::GameOver, over.reason().article));
    }
    if record.position.turn() != claim.claimant {
        return Ok(unchanged(Decision::NotEntitled, general_article(rules, claim.kind)));
    }
    if loses_right(rules, claim.act) {
        return Ok(unchanged(Decision::RightLost, rules.right_lost));
    }
    let Facts { now, announced: after } = facts;
    let decided = match (now, after, &announced) {
        (_, Some(Qualifies::Yes), _) | (Qualifies::Yes, None, None) => Decision::Correct,
        (Qualifies::No, None | Some(Qualifies::No), _) => Decision::Incorrect,
        _ => Decision::Arbiter { now, announced: after },
    };
    let by_move = announced.is_some();
    Ok(match decided {
        Decision::Correct => {
            let article =
                format!("{}+{}", kind_article(rules, claim.kind, by_move), rules.claim_right);
            unchanged(decided, &article)
        }
        Decision::Incorrect => {
            let wrong = wrong_claim(conditions);
            Ruling {
                decision: decided,
                article: wrong.article.to_owned(),
                clocks: wrong_claim_clocks(wrong, clocks),
                must_play: must_play(&record.position, announced),
            }
        }
        _ => unchanged(decided, general_article(rules, claim.kind)),
    })
}

/// The clocks after a wrong claim (9.5).
pub fn wrong_claim_clocks(wrong: &WrongClaim, clocks: ClaimClocks) -> ClaimClocks {
    const MINUTE: u64 = 60_000;
    let c = clocks.claimant.0;
    let halved = c - (c / 2 + c % 2).min(3 * MINUTE);
    let claimant = match wrong.claimant {
        ClaimantPays::Nothing => c,
        ClaimantPays::Half => halved,
        ClaimantPays::HalfAboveTwoMinutes if c > 2 * MINUTE => halved,
        ClaimantPays::HalfAboveTwoMinutes => c.min(MINUTE),
    };
    ClaimClocks {
        claimant: Millis(claimant),
        opponent: Millis(clocks.opponent.0.saturating_add(wrong.opponent.0)),
    }
}

/// What a wrong claim costs under these conditions.
pub fn wrong_claim(conditions: &Conditions) -> &'static WrongClaim {
    let control =
        if conditions.has_standard_penalties() { Control::Standard } else { conditions.control };
    &conditions.edition.rules().claim_wrong[control as usize]
}

/// Whether an act on the board has lost the right to claim for this move (9.4).
pub fn loses_right(rules: &Rules, act: BoardAct) -> bool {
    match act {
        BoardAct::None => false,
        BoardAct::Touched => rules.right_lost_by == RightLostBy::Touching,
        BoardAct::Moved => true,
    }
}

/// An announced move, found in the position.
enum Announced {
    Legal { m: Move, san: String },
    Illegal { san: San },
}

impl Announced {
    fn find(position: &Chess, san: San) -> Result<Announced, ClaimError> {
        match san {
            San::Null | San::Put { .. } => return Err(ClaimError::NotAMove(san.to_string())),
            San::Normal { .. } | San::Castle(_) => {}
        }
        match san.to_move(position) {
            Ok(m) => {
                let text = SanPlus::from_move(position.clone(), m).to_string();
                Ok(Announced::Legal { m, san: text })
            }
            Err(SanError::AmbiguousSan) => Err(ClaimError::Ambiguous(san.to_string())),
            Err(SanError::IllegalSan) => Ok(Announced::Illegal { san }),
        }
    }
}

/// Whether the position on the board qualifies, and whether the one after the announced legal move
/// does.
fn qualifications(
    history: &History,
    ply: Ply,
    kind: ClaimKind,
    announced: Option<&Announced>,
) -> (Qualifies, Option<Qualifies>) {
    let judge = |occurrence, quiet| match kind {
        ClaimKind::Threefold => Qualifies::from_count(occurrence, 3),
        ClaimKind::Fifty => Qualifies::from_count(quiet, FIFTY),
    };
    let now = history.at(ply).map_or(Qualifies::No, |p| judge(p.occurrence, p.quiet));
    let after = match announced {
        Some(Announced::Legal { m, .. }) => {
            history.announced(ply, *m).map(|(occurrence, quiet)| judge(occurrence, quiet))
        }
        _ => None,
    };
    (now, after)
}

fn kind_article(rules: &Rules, kind: ClaimKind, by_move: bool) -> &'static str {
    match (kind, by_move) {
        (ClaimKind::Threefold, true) => rules.threefold_by_move,
        (ClaimKind::Threefold, false) => rules.threefold_now,
        (ClaimKind::Fifty, true) => rules.fifty_by_move,
        (ClaimKind::Fifty, false) => rules.fifty_now,
    }
}

fn general_article(rules: &Rules, kind: ClaimKind) -> &'static str {
    match kind {
        ClaimKind::Threefold => rules.threefold,
        ClaimKind::Fifty => rules.fifty,
    }
}

fn must_play(position: &Chess, announced: Option<Announced>) -> MustPlay {
    let san = match announced {
        None => return MustPlay::Any,
        Some(Announced::Legal { san, .. }) => return MustPlay::Move(san),
        Some(Announced::Illegal { san }) => san,
    };
    let role = match san {
        San::Normal { role, .. } | San::Put { role, .. } => role,
        San::Castle(_) | San::Null => Role::King,
    };
    let mut moves: Vec<String> = position
        .legal_moves()
        .into_iter()
        .filter(|m| m.role() == role && comes_from(san, *m))
        .map(|m| SanPlus::from_move(position.clone(), m).to_string())
        .collect();
    moves.sort();
    if moves.is_empty() { MustPlay::Any } else { MustPlay::Piece { role, moves } }
}

/// Whether a move is one of the piece that the written move names.
fn comes_from(san: San, m: Move) -> bool {
    let San::Normal { role, file, rank, capture, to, .. } = san else { return true };
    // A pawn's plain move is on its own file, which is not written twice.
    let file = file.or_else(|| (role == Role::Pawn && !capture).then(|| to.file()));
    m.from().is_some_and(|from| {
        file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{Edition, SupervisedBlitz, Supervision, edition::Control};

    /// The table of section "wrong claim": the claimant's time by edition.
    #[test]
    fn wrong_claims_on_both_sides_of_each_edge() {
        let rows = [
            ("1:30:00", "1:27:00", "1:27:00"),
            ("0:06:01", "0:03:01", "0:03:01"),
            ("0:06:00", "0:03:00", "0:03:00"),
            ("0:05:00", "0:02:30", "0:02:30"),
            ("0:02:01", "0:01:00.500", "0:01:00.500"),
            ("0:02:00.001", "0:01:00", "0:01:00"),
            ("0:02:00", "0:01:00", "0:01:00"),
            ("0:01:59", "0:00:59.500", "0:01:00"),
            ("0:01:00.001", "0:00:30", "0:01:00"),
            ("0:01:00", "0:00:30", "0:01:00"),
            ("0:00:59", "0:00:29.500", "0:00:59"),
            ("0:00:00", "0:00:00", "0:00:00"),
        ];
        for (before, in_1997, in_2005) in rows {
            for edition in Edition::ALL {
                for control in Control::ALL {
                    let claimant = before.parse().unwrap();
                    let clocks = ClaimClocks { claimant, opponent: Millis::from_seconds(600) };
                    let conditions = Conditions::new(edition, control);
                    let after = wrong_claim_clocks(wrong_claim(&conditions), clocks);
                    let want = match edition {
                        Edition::Fide1997 => in_1997,
                        Edition::Fide2005 => in_2005,
                        _ => before,
                    };
                    assert_eq!(after.claimant.to_string(), want, "{edition} {control} {before}");
                    let bonus = match (edition, control) {
                        (e, _) if e < Edition::Fide2014 => 180,
                        (Edition::Fide2023, Control::Rapid | Control::Blitz)
                        | (_, Control::Blitz) => 60,
                        _ => 120,
                    };
                    assert_eq!(after.opponent.as_seconds(), 600 + bonus, "{edition} {control}");
                }
            }
        }
    }

    #[test]
    fn blitz_under_full_supervision_is_read_as_the_arbiter_says() {
        let fully = Conditions::new(Edition::Fide2023, Control::Blitz).fully_supervised();
        let two = SupervisedBlitz::TwoMinutes;
        for (conditions, seconds) in [
            (fully, 60),
            (Conditions { supervised_blitz: two, ..fully }, 120),
            (Conditions { supervised_blitz: two, supervision: Supervision::Shared, ..fully }, 60),
            (Conditions { supervised_blitz: two, edition: Edition::Fide2018, ..fully }, 60),
        ] {
            let gain = wrong_claim(&conditions).opponent.as_seconds();
            assert_eq!(gain, seconds, "{conditions:?}");
        }
    }

    fn game(moves: &str) -> History {
        let mut history = History::default();
        for text in moves.split_whitespace() {
            let m = text.parse::<San>().unwrap().to_move(history.position()).unwrap();
            history.play(m).unwrap();
        }
        history
    }

    fn ruling(history: &History, claim: &Claim) -> Ruling {
        let clocks =
            ClaimClocks { claimant: Millis::from_seconds(60), opponent: Millis::from_seconds(60) };
        check(history, history.latest(), &Conditions::default(), None, claim, clocks).unwrap()
    }

    #[test]
    fn where_the_text_is_silent_the_arbiter_gets_both_facts() {
        let history = game("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        let claim = |announced: &str| Claim {
            claimant: Color::White,
            kind: ClaimKind::Threefold,
            announced: Some(announced.parse().unwrap()),
            act: BoardAct::None,
        };
        let both = ruling(&history, &claim("e4"));
        assert_eq!(
            both.decision,
            Decision::Arbiter { now: Qualifies::Yes, announced: Some(Qualifies::No) }
        );
        assert_eq!(both.article, "9.2");
        let illegal = ruling(&history, &claim("Ke2"));
        assert_eq!(illegal.decision, Decision::Arbiter { now: Qualifies::Yes, announced: None });
        assert_eq!(ruling(&history, &claim("Nf3")).decision, Decision::Correct);
    }

    #[test]
    fn a_record_with_gaps_refutes_no_claim() {
        let mut history = game("Nf3 Nf6 Ng1 Ng8");
        history.resume(history.position().clone()).unwrap();
        let claim = |announced: Option<&str>| Claim {
            claimant: Color::White,
            kind: ClaimKind::Fifty,
            announced: announced.map(|a| a.parse().unwrap()),
            act: BoardAct::None,
        };
        assert_eq!(
            ruling(&history, &claim(None)).decision,
            Decision::Arbiter { now: Qualifies::Unproved, announced: None }
        );
        // The third occurrence is certain though the record has a gap.
        let threefold = Claim { kind: ClaimKind::Threefold, ..claim(None) };
        assert_eq!(ruling(&history, &threefold).decision, Decision::Correct);
    }

    #[test]
    fn an_illegal_announced_move_binds_the_piece() {
        let history = game("e4 e5");
        let claim = |announced: &str| Claim {
            claimant: Color::White,
            kind: ClaimKind::Threefold,
            announced: Some(announced.parse().unwrap()),
            act: BoardAct::None,
        };
        for (announced, must_play) in [
            ("Ke3", "a legal king move (Ke2)"),
            ("Ng5", "a legal knight move (Na3, Nc3, Ne2, Nf3 or Nh3)"),
            ("Nge4", "a legal knight move (Ne2, Nf3 or Nh3)"),
            ("e5", "any"),
            ("d5", "a legal pawn move (d3 or d4)"),
            ("dxe5", "a legal pawn move (d3 or d4)"),
            ("Ra5", "any"),
            ("Nf3", "Nf3"),
        ] {
            let ruling = ruling(&history, &claim(announced));
            assert_eq!(ruling.decision, Decision::Incorrect, "{announced}");
            assert_eq!(ruling.must_play.to_string(), must_play, "{announced}");
        }
    }

    #[test]
    fn claims_that_cannot_be_checked_say_why() {
        let history = game("e4 e5 Nf3 Nc6 d3 Nf6");
        let clocks = ClaimClocks { claimant: Millis(0), opponent: Millis(0) };
        let claim = |announced| Claim {
            claimant: Color::White,
            kind: ClaimKind::Threefold,
            announced: Some(announced),
            act: BoardAct::None,
        };
        let ask = |ply, claim| {
            check(&history, Ply(ply), &Conditions::default(), None, &claim, clocks).unwrap_err()
        };
        assert_eq!(ask(6, claim("Nd2".parse().unwrap())), ClaimError::Ambiguous("Nd2".to_owned()));
        assert!(matches!(ask(6, claim(San::Null)), ClaimError::NotAMove(_)));
        assert_eq!(
            ask(7, claim("Nd4".parse().unwrap())),
            ClaimError::NoSuchPly { got: Ply(7), latest: Ply(6) }
        );
    }
}
