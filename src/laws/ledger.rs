//! The illegal moves of one game: counted per player, open until somebody decides.
//!
//! An illegal move that was completed is a fact for the arbiter, who accepts it (the penalty of
//! 7.5 follows and it counts) or dismisses it (he saw that there was none). In rapid and blitz
//! without full supervision it lapses when the opponent has made his next move: then it stands and
//! is not counted. Taking moves back changes no count.

use shakmaty::Color;

use super::{
    edition::Conditions,
    flag::CanMate,
    illegal::{self, Actor, IllegalRuling, Until},
    rules::{Offence, Offending},
    verdict::Over,
};
use crate::units::Ply;

/// An illegal move nobody has decided on yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Who made it.
    pub offender: Color,
    /// What it was.
    pub offence: Offence,
    /// The ply whose position is to be restored: the last one before it.
    pub restore: Ply,
    /// What follows if it is accepted.
    pub ruling: IllegalRuling,
}

/// The illegal moves of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    accepted: Vec<(Color, Offence)>,
    pending: Vec<Pending>,
}

impl Ledger {
    /// Notes a completed illegal move after ply `restore`. `opponent` says whether the offender's
    /// opponent can mate. Returns what now waits for a decision; `None` if the edition does not
    /// know the offence, or the game is over (`ended`) and there is nothing to punish.
    pub fn complete(
        &mut self,
        conditions: &Conditions,
        offender: Color,
        offence: Offence,
        restore: Ply,
        opponent: CanMate,
        ended: Option<&Over>,
    ) -> Option<&Pending> {
        if ended.is_some() {
            return None;
        }
        let nth = self.count(conditions, offender, offence) + 1;
        let ruling = illegal::judge(conditions, offence, nth, offender, opponent)?;
        self.pending.push(Pending { offender, offence, restore, ruling });
        self.pending.last()
    }

    /// How many illegal moves of a player count with this offence. In most editions all count
    /// together; an offence that stands by itself has its own count.
    pub fn count(&self, conditions: &Conditions, player: Color, offence: Offence) -> u32 {
        let rules = &conditions.edition.rules().illegal;
        let alone = matches!(rules.offending(offence), Offending::Own(_));
        let counts = |(who, what): &&(Color, Offence)| {
            let together = matches!(rules.offending(*what), Offending::Illegal(_));
            *who == player && if alone { *what == offence } else { together }
        };
        u32::try_from(self.accepted.iter().filter(counts).count()).unwrap_or(u32::MAX)
    }

    /// What waits for a decision, oldest first.
    pub fn pending(&self) -> &[Pending] {
        &self.pending
    }

    /// The arbiter accepts the oldest illegal move of `offender`: it counts, and its ruling
    /// follows.
    pub fn accept(&mut self, offender: Color) -> Option<Pending> {
        let pending = self.take(offender)?;
        self.accepted.push((offender, pending.offence));
        Some(pending)
    }

    /// The arbiter dismisses the oldest illegal move of `offender`.
    pub fn dismiss(&mut self, offender: Color) -> Option<Pending> {
        self.take(offender)
    }

    /// A player has made a move. Returns the illegal moves of his opponent that have lapsed by it,
    /// which must be withdrawn from the arbiter's device.
    pub fn move_made(&mut self, by: Color) -> Vec<Pending> {
        let lapses = |pending: &mut Pending| {
            pending.offender != by && pending.ruling.until == Until::OpponentsNextMove
        };
        self.pending.extract_if(.., lapses).collect()
    }

    /// Whether the arbiter may be told unasked of what waits (class B), or only the opponent may
    /// act (class C).
    pub fn is_secret(pending: &Pending) -> bool {
        pending.ruling.actor == Actor::OpponentOnly
    }

    fn take(&mut self, offender: Color) -> Option<Pending> {
        let at = self.pending.iter().position(|pending| pending.offender == offender)?;
        Some(self.pending.remove(at))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::KnownOutcome;

    use super::*;
    use crate::{
        laws::{Control, Edition, Ended, Ending, Subject, class::Class, illegal::Effect},
        units::Millis,
    };

    fn note(
        ledger: &mut Ledger,
        conditions: Conditions,
        offender: Color,
        offence: Offence,
    ) -> Option<Effect> {
        let can = CanMate::Yes;
        let pending = ledger.complete(&conditions, offender, offence, Ply(10), can, None);
        pending.map(|p| p.ruling.effect)
    }

    const TWO: Option<Effect> = Some(Effect::RestoreAndAdd(Millis::from_seconds(120)));

    const BLACK_WINS: Option<Effect> =
        Some(Effect::Result(KnownOutcome::Decisive { winner: Color::Black }));

    #[test]
    fn each_player_has_his_own_count_and_only_accepted_moves_count() {
        let standard = Conditions::default();
        let mut ledger = Ledger::default();
        let white = |ledger: &mut Ledger, offence| note(ledger, standard, Color::White, offence);
        assert_eq!(white(&mut ledger, Offence::AgainstArticle3), TWO);
        assert!(ledger.dismiss(Color::White).is_some());
        assert_eq!(white(&mut ledger, Offence::AgainstArticle3), TWO);
        assert_eq!(ledger.accept(Color::Black), None);
        assert_eq!(ledger.accept(Color::White).map(|p| p.restore), Some(Ply(10)));
        let black = note(&mut ledger, standard, Color::Black, Offence::TwoHands);
        assert_eq!(black, TWO);
        assert_eq!(white(&mut ledger, Offence::NoMove), BLACK_WINS);
        assert_eq!(ledger.pending().len(), 2);
    }

    #[test]
    fn in_2017_an_empty_press_counts_by_itself() {
        let conditions = Conditions::new(Edition::Fide2017, Control::Standard);
        let mut ledger = Ledger::default();
        for offence in [Offence::AgainstArticle3, Offence::NoMove, Offence::TwoHands] {
            assert_eq!(note(&mut ledger, conditions, Color::White, offence), TWO, "{offence:?}");
            ledger.accept(Color::White);
        }
        for offence in [Offence::PawnOnLastRank, Offence::NoMove, Offence::TwoHands] {
            let second = note(&mut ledger, conditions, Color::White, offence);
            assert_eq!(second, BLACK_WINS, "{offence:?}");
            ledger.dismiss(Color::White);
        }
    }

    #[test]
    fn in_fast_chess_it_lapses_with_the_opponents_move() {
        for control in Control::ALL {
            for edition in Edition::ALL {
                let conditions = Conditions::new(edition, control);
                let mut ledger = Ledger::default();
                note(&mut ledger, conditions, Color::White, Offence::AgainstArticle3);
                let secret = Ledger::is_secret(&ledger.pending()[0]);
                let class = Subject::IllegalMove.class(&conditions);
                assert_eq!(secret, class == Class::C, "{edition} {control}");
                assert_eq!(ledger.move_made(Color::White), [], "his own next move");
                let lapsed = ledger.move_made(Color::Black);
                assert_eq!(lapsed.len(), usize::from(control.is_fast()), "{edition} {control}");
                assert_eq!(ledger.pending().is_empty(), control.is_fast());
                let next = ledger.count(&conditions, Color::White, Offence::AgainstArticle3);
                assert_eq!(next, 0, "it did not count");
            }
        }
    }

    #[test]
    fn after_the_end_there_is_nothing_to_punish() {
        let over = Over {
            ply: Ply(9),
            outcome: KnownOutcome::Draw,
            reasons: vec![Ended { ending: Ending::Stalemate, article: "5.2.1" }],
        };
        let conditions = Conditions::default();
        let mut ledger = Ledger::default();
        let can = CanMate::Yes;
        let none =
            ledger.complete(&conditions, Color::White, Offence::NoMove, Ply(9), can, Some(&over));
        assert_eq!(none, None);
        assert_eq!(ledger.pending(), []);
    }
}
