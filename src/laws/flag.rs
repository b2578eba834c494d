//! What a fallen flag means (6.8, 6.9; 6.9, 6.10 in 2005).
//!
//! A flag falls in law when the arbiter observes it or a player validly claims it, not when the
//! display reaches zero. What the program sees is neither: it informs the arbiter.

use shakmaty::{Color, KnownOutcome};

use super::{
    edition::Conditions,
    rules::{Article, FlagCaller},
    verdict::Over,
};

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

/// What had happened before the flag was observed or claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before<'a> {
    /// Nothing that decides.
    Nothing,
    /// The position, or one before it, had ended the game.
    Ended(&'a Over),
    /// A player had resigned.
    Resigned(Color),
    /// A draw had been agreed.
    Agreed,
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
        Before::Resigned(loser) => FlagRuling::Result {
            outcome: KnownOutcome::Decisive { winner: !loser },
            article: rules.resignation,
        },
        Before::Agreed => {
            FlagRuling::Result { outcome: KnownOutcome::Draw, article: rules.agreement }
        }
        Before::Claim => FlagRuling::ClaimFirst,
        Before::PeriodCompleted => FlagRuling::NextPeriod,
        Before::Nothing => match opponent {
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
    use crate::laws::{Control, DeadAnswer, Edition, Verdict, verdict};

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
                Before::Resigned(Color::Black),
                FlagRuling::Result {
                    outcome: KnownOutcome::Decisive { winner: Color::White },
                    article: "5.1.2",
                },
            ),
            (Before::Agreed, FlagRuling::Result { outcome: KnownOutcome::Draw, article: "5.2.3" }),
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
