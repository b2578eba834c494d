//! What a fallen flag means (6.8, 6.9; 6.9, 6.10 in 2005).
//!
//! A flag falls in law when the arbiter observes it or a player validly claims it, not when the
//! display reaches zero. What the program sees is neither: it informs the arbiter.

use std::fmt;

use shakmaty::{Color, KnownOutcome};

use super::{
    edition::Conditions,
    entered::Entered,
    rules::{Article, FlagCaller},
    verdict::Over,
};
use crate::dead;

/// Whether a player can mate his opponent by some series of legal moves from the position on the
/// board, however badly the opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanMate {
    /// A mate was shown.
    Yes,
    /// None exists.
    No,
    /// Neither was shown.
    Unknown,
}

impl From<&dead::Winnable> for CanMate {
    fn from(winnable: &dead::Winnable) -> CanMate {
        match winnable.known() {
            Some(true) => CanMate::Yes,
            Some(false) => CanMate::No,
            None => CanMate::Unknown,
        }
    }
}

impl CanMate {
    /// `yes`, `no` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            CanMate::Yes => "yes",
            CanMate::No => "no",
            CanMate::Unknown => "unknown",
        }
    }
}

/// What had happened before the flag was observed or claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before<'a> {
    /// Nothing that decides.
    Nothing,
    /// The position, or one before it, had ended the game.
    Ended(&'a Over),
    /// A player had resigned, or a draw had been agreed.
    Entered(Entered),
    /// A claim under 9.2 or 9.3 had been made and the clocks stopped.
    Claim,
    /// All moves of the period were completed, the last one pressed.
    PeriodCompleted,
}

/// What a fallen flag means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagRuling {
    /// The game is decided.
    Result {
        /// By this result.
        outcome: KnownOutcome,
        /// By this article.
        article: Article,
    },
    /// The flagged player loses unless the opponent cannot mate, and nobody knows whether he can:
    /// the arbiter decides.
    Undecided {
        /// By this article.
        article: Article,
    },
    /// The claim is decided first.
    ClaimFirst,
    /// Nothing is lost: the next period begins.
    NextPeriod,
}

impl FlagRuling {
    /// The names of the columns of its text, separated by tabs.
    pub const COLUMNS: &'static str = "result\tarticle";
}

impl fmt::Display for FlagRuling {
    /// The result (`1-0`, `0-1`, `1/2-1/2`) and the article, separated by a tab; `unknown` and the
    /// article if nobody knows; `claim` or `next_period` and `-` if the flag does not decide.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FlagRuling::Result { outcome, article } => write!(f, "{outcome}\t{article}"),
            FlagRuling::Undecided { article } => write!(f, "unknown\t{article}"),
            FlagRuling::ClaimFirst => f.write_str("claim\t-"),
            FlagRuling::NextPeriod => f.write_str("next_period\t-"),
        }
    }
}

/// Judges a flag that was observed, or validly claimed, to have fallen.
///
/// `opponent` says whether the *opponent* of the flagged player can mate from the position after
/// the last move made. What came before the flag decides instead.
pub fn judge(
    conditions: &Conditions,
    flagged: Color,
    before: Before<'_>,
    opponent: CanMate,
) -> FlagRuling {
    let rules = conditions.edition.rules();
    let article = rules.flag_result;
    match before {
        Before::Ended(over) => {
            FlagRuling::Result { outcome: over.outcome, article: over.reason().article }
        }
        Before::Entered(Entered::Result { outcome, article }) => {
            FlagRuling::Result { outcome, article }
        }
        Before::Entered(Entered::Undecided { article }) => FlagRuling::Undecided { article },
        Before::Claim => FlagRuling::ClaimFirst,
        Before::PeriodCompleted => FlagRuling::NextPeriod,
        // An agreement that came too early was none.
        Before::Nothing | Before::Entered(Entered::TooEarly { .. }) => match opponent {
            CanMate::Yes => {
                FlagRuling::Result { outcome: KnownOutcome::Decisive { winner: !flagged }, article }
            }
            CanMate::No => FlagRuling::Result { outcome: KnownOutcome::Draw, article },
            CanMate::Unknown => FlagRuling::Undecided { article },
        },
    }
}

/// Who may act on a fallen flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayCall {
    /// The player by a claim, or the arbiter when he sees it.
    ArbiterOrPlayer,
    /// The player by a claim; the arbiter must call it when he sees it.
    ArbiterMustOrPlayer,
    /// Only the player. The arbiter keeps silent, unless both flags are down.
    PlayerOnly,
}

/// Who may act on a fallen flag under these conditions.
pub fn may_call(conditions: &Conditions) -> MayCall {
    let fast = conditions.edition.rules().fast_flag;
    match fast {
        FlagCaller::ArbiterMust => MayCall::ArbiterMustOrPlayer,
        FlagCaller::PlayerOnly if conditions.is_fast_unwatched() => MayCall::PlayerOnly,
        FlagCaller::PlayerOnly | FlagCaller::ArbiterMay => MayCall::ArbiterOrPlayer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        laws::{Control, DeadAnswer, Edition, Verdict, entered, verdict},
        units::Ply,
    };

    #[test]
    fn the_opponent_must_be_able_to_mate() {
        for edition in Edition::ALL {
            let conditions = Conditions::new(edition, Control::Standard);
            let article = if edition == Edition::Fide2005 { "6.10" } else { "6.9" };
            for (can, want) in [
                (
                    CanMate::Yes,
                    FlagRuling::Result {
                        outcome: KnownOutcome::Decisive { winner: Color::Black },
                        article,
                    },
                ),
                (CanMate::No, FlagRuling::Result { outcome: KnownOutcome::Draw, article }),
                (CanMate::Unknown, FlagRuling::Undecided { article }),
            ] {
                assert_eq!(judge(&conditions, Color::White, Before::Nothing, can), want);
            }
        }
    }

    #[test]
    fn what_came_before_decides() {
        let conditions = Conditions::default();
        let start = crate::game::History::default();
        let Verdict::Over(over) = verdict(&start, conditions.edition, DeadAnswer::Proved) else {
            panic!("a dead position ends the game");
        };
        for (before, want) in [
            (
                Before::Ended(&over),
                FlagRuling::Result { outcome: KnownOutcome::Draw, article: "5.2.2" },
            ),
            (
                Before::Entered(entered::resign(Edition::Fide2023, Color::Black, CanMate::Yes)),
                FlagRuling::Result {
                    outcome: KnownOutcome::Decisive { winner: Color::White },
                    article: "5.1.2",
                },
            ),
            (
                Before::Entered(entered::agree(Edition::Fide2023, Ply(2))),
                FlagRuling::Result { outcome: KnownOutcome::Draw, article: "5.2.3" },
            ),
            (
                Before::Entered(entered::agree(Edition::Fide2023, Ply(1))),
                FlagRuling::Result {
                    outcome: KnownOutcome::Decisive { winner: Color::Black },
                    article: "6.9",
                },
            ),
            (Before::Claim, FlagRuling::ClaimFirst),
            (Before::PeriodCompleted, FlagRuling::NextPeriod),
        ] {
            assert_eq!(judge(&conditions, Color::White, before, CanMate::Yes), want, "{before:?}");
        }
    }

    #[test]
    fn who_calls_a_flag() {
        for edition in Edition::ALL {
            let call = |control| may_call(&Conditions::new(edition, control));
            let (standard, blitz) = match edition {
                Edition::Fide1997 | Edition::Fide2005 | Edition::Fide2009 => {
                    (MayCall::ArbiterOrPlayer, MayCall::PlayerOnly)
                }
                Edition::Fide2014 | Edition::Fide2017 => {
                    (MayCall::ArbiterOrPlayer, MayCall::ArbiterOrPlayer)
                }
                _ => (MayCall::ArbiterMustOrPlayer, MayCall::ArbiterMustOrPlayer),
            };
            assert_eq!(call(Control::Standard), standard, "{edition}");
            assert_eq!(call(Control::Rapid), blitz, "{edition}");
            assert_eq!(call(Control::Blitz), blitz, "{edition}");
        }
    }
}
