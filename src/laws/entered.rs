//! Results the players bring about: resignation and agreement (5.1.2, 5.2.3).

use shakmaty::{Color, KnownOutcome};

use super::{edition::Edition, flag::CanMate, rules::Article};
use crate::units::Ply;

/// What a result that was announced to the arbiter means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// The game is decided.
    Result {
        /// By this result.
        outcome: KnownOutcome,
        /// By this article.
        article: Article,
    },
    /// The player who resigned loses unless the opponent cannot mate, and nobody knows whether he
    /// can: the arbiter decides.
    Undecided {
        /// By this article.
        article: Article,
    },
    /// Each player must have made a move first; there is no result yet.
    TooEarly {
        /// By this article.
        article: Article,
    },
}

/// A player resigns. In 2023 the game is drawn if his `opponent` cannot mate by any series of
/// legal moves; before, the opponent wins.
pub fn resign(edition: Edition, resigner: Color, opponent: CanMate) -> Entered {
    let rules = edition.rules();
    let article = rules.resignation;
    let won = Entered::Result { outcome: KnownOutcome::Decisive { winner: !resigner }, article };
    match opponent {
        CanMate::No if rules.resigning_can_draw => {
            Entered::Result { outcome: KnownOutcome::Draw, article }
        }
        CanMate::Unknown if rules.resigning_can_draw => Entered::Undecided { article },
        _ => won,
    }
}

/// The players agree on a draw after `plies` half-moves. From 2017 on both must have made a move.
pub fn agree(edition: Edition, plies: Ply) -> Entered {
    let rules = edition.rules();
    let article = rules.agreement;
    if rules.agreement_needs_moves && plies < Ply(2) {
        return Entered::TooEarly { article };
    }
    Entered::Result { outcome: KnownOutcome::Draw, article }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resigning_a_game_that_cannot_be_lost() {
        for edition in Edition::ALL {
            let article = edition.rules().resignation;
            let won = Entered::Result {
                outcome: KnownOutcome::Decisive { winner: Color::White },
                article,
            };
            let (no, unknown) = if edition == Edition::Fide2023 {
                let outcome = KnownOutcome::Draw;
                (Entered::Result { outcome, article }, Entered::Undecided { article })
            } else {
                (won, won)
            };
            for (can, want) in [(CanMate::Yes, won), (CanMate::No, no), (CanMate::Unknown, unknown)]
            {
                assert_eq!(resign(edition, Color::Black, can), want, "{edition} {can:?}");
            }
        }
    }

    #[test]
    fn agreement_needs_a_move_by_each_from_2017_on() {
        for edition in Edition::ALL {
            let article = edition.rules().agreement;
            let draw = Entered::Result { outcome: KnownOutcome::Draw, article };
            let early =
                if edition < Edition::Fide2017 { draw } else { Entered::TooEarly { article } };
            for (plies, want) in [(0, early), (1, early), (2, draw), (90, draw)] {
                assert_eq!(agree(edition, Ply(plies)), want, "{edition} {plies}");
            }
        }
    }
}
