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
    /// Which illegal move of this game it is, whoever made it: 1 is the first that was noted.
    pub number: u32,
    /// Who made it.
    pub offender: Color,
    /// What it was.
    pub offence: Offence,
    /// The ply whose position is to be restored: the last one before it.
    pub restore: Ply,
    /// Whether the offender's opponent can mate from there.
    pub opponent: CanMate,
    /// Which illegal move of the offender it is, those counted that were accepted.
    pub nth: u32,
    /// What follows if it is accepted.
    pub ruling: IllegalRuling,
}

/// Why there is nothing to decide on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPending {
    /// None waits.
    #[error("no illegal move waits for a decision")]
    None,
    /// None with this number waits.
    #[error("illegal move {number} does not wait for a decision; there are: {open}")]
    NoSuch {
        /// The number given.
        number: u32,
        /// Those that wait.
        open: String,
    },
    /// None with this number was decided on.
    #[error("illegal move {0} was not decided on: there is no decision to take back")]
    Undecided(u32),
    /// Several wait and none was named.
    #[error("several illegal moves wait for a decision; name one of {0}")]
    Several(String),
}

/// The illegal moves of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Those decided on, and whether they count.
    decided: Vec<(Pending, bool)>,
    pending: Vec<Pending>,
    noted: u32,
}

impl Ledger {
    /// Notes a completed illegal move after ply `restore`. `opponent` says whether the offender's
    /// opponent can mate. Returns what now waits for a decision; `None` if the edition does not
    /// know the offence, if one of his at this ply waits already (several in one move count as one),
    /// or if the game is over (`ended`) and there is nothing to punish.
    pub fn complete(
        &mut self,
        conditions: &Conditions,
        offender: Color,
        offence: Offence,
        restore: Ply,
        opponent: CanMate,
        ended: Option<&Over>,
    ) -> Option<&Pending> {
        let same = |pending: &Pending| pending.offender == offender && pending.restore == restore;
        if ended.is_some() || self.pending.iter().any(same) {
            return None;
        }
        let nth = self.count(conditions, offender, offence) + 1;
        let ruling = illegal::judge(conditions, offence, nth, offender, opponent)?;
        self.noted += 1;
        let number = self.noted;
        self.pending.push(Pending { number, offender, offence, restore, opponent, nth, ruling });
        self.pending.last()
    }

    /// Notes again an illegal move of this number that was told before.
    pub fn take_up(
        &mut self,
        conditions: &Conditions,
        number: u32,
        offender: Color,
        offence: Offence,
        restore: Ply,
        opponent: CanMate,
    ) {
        self.noted = self.noted.max(number.saturating_sub(1));
        if self.complete(conditions, offender, offence, restore, opponent, None).is_some()
            && let Some(last) = self.pending.last_mut()
        {
            last.number = number;
        }
    }

    /// The game goes on as another, whose half-moves are counted anew: what waits is taken to have been
    /// made after its first position.
    pub fn begin_anew(&mut self) {
        for pending in &mut self.pending {
            pending.restore = Ply(0);
        }
    }

    /// How many illegal moves of a player count with this offence. In most editions all count
    /// together; an offence that stands by itself has its own count.
    pub fn count(&self, conditions: &Conditions, player: Color, offence: Offence) -> u32 {
        let rules = &conditions.edition.rules().illegal;
        let alone = matches!(rules.offending(offence), Offending::Own(_));
        let counts = |(decided, accepted): &&(Pending, bool)| {
            let what = decided.offence;
            let together = matches!(rules.offending(what), Offending::Illegal(_));
            *accepted
                && decided.offender == player
                && if alone { what == offence } else { together }
        };
        u32::try_from(self.decided.iter().filter(counts).count()).unwrap_or(u32::MAX)
    }

    /// How many illegal moves of a player were accepted.
    pub fn accepted(&self, player: Color) -> u32 {
        let own = self.decided.iter().filter(|(d, accepted)| *accepted && d.offender == player);
        let own = own.count();
        u32::try_from(own).unwrap_or(u32::MAX)
    }

    /// What waits for a decision, oldest first.
    pub fn pending(&self) -> &[Pending] {
        &self.pending
    }

    /// The arbiter accepts an illegal move: it counts, and its ruling follows. Without a number, the
    /// only one that waits.
    pub fn accept(
        &mut self,
        conditions: &Conditions,
        number: Option<u32>,
    ) -> Result<Pending, NotPending> {
        let pending = self.take(number)?;
        self.decided.push((pending.clone(), true));
        self.judge_again(conditions);
        Ok(pending)
    }

    /// The arbiter dismisses an illegal move; without a number, the only one that waits.
    pub fn dismiss(&mut self, number: Option<u32>) -> Result<Pending, NotPending> {
        let pending = self.take(number)?;
        self.decided.push((pending.clone(), false));
        Ok(pending)
    }

    /// The decision on an illegal move is taken back: it waits again, and does not count.
    pub fn reconsider(
        &mut self,
        conditions: &Conditions,
        number: u32,
    ) -> Result<&Pending, NotPending> {
        let at = self.decided.iter().position(|(pending, _)| pending.number == number);
        let at = at.ok_or(NotPending::Undecided(number))?;
        let (pending, _) = self.decided.remove(at);
        let place = self.pending.partition_point(|other| other.number < number);
        self.pending.insert(place, pending);
        self.judge_again(conditions);
        Ok(&self.pending[place])
    }

    /// Judges again what waits: others were accepted meanwhile, or the conditions have changed.
    pub fn judge_again(&mut self, conditions: &Conditions) {
        for at in 0..self.pending.len() {
            let Pending { offender, offence, opponent, .. } = self.pending[at];
            let nth = self.count(conditions, offender, offence) + 1;
            if let Some(ruling) = illegal::judge(conditions, offence, nth, offender, opponent) {
                self.pending[at].ruling = ruling;
                self.pending[at].nth = nth;
            }
        }
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

    fn take(&mut self, number: Option<u32>) -> Result<Pending, NotPending> {
        let open = || {
            let numbers: Vec<String> = self.pending.iter().map(|p| p.number.to_string()).collect();
            numbers.join(", ")
        };
        let at = match (number, self.pending.len()) {
            (_, 0) => return Err(NotPending::None),
            (None, 1) => 0,
            (None, _) => return Err(NotPending::Several(open())),
            (Some(number), _) => {
                let found = self.pending.iter().position(|pending| pending.number == number);
                found.ok_or_else(|| NotPending::NoSuch { number, open: open() })?
            }
        };
        Ok(self.pending.remove(at))
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

    /// Each at a ply of its own.
    fn note(
        ledger: &mut Ledger,
        conditions: Conditions,
        offender: Color,
        offence: Offence,
    ) -> Option<Effect> {
        let (can, ply) = (CanMate::Yes, Ply(10 + ledger.noted));
        let pending = ledger.complete(&conditions, offender, offence, ply, can, None);
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
        assert_eq!(ledger.accept(&standard, Some(2)).unwrap_err().to_string(), {
            "illegal move 2 does not wait for a decision; there are: 1"
        });
        assert_eq!(ledger.dismiss(None).map(|p| p.number), Ok(1));
        assert_eq!(white(&mut ledger, Offence::AgainstArticle3), TWO);
        assert_eq!(ledger.accept(&standard, None).map(|p| p.restore), Ok(Ply(11)));
        assert_eq!(ledger.accept(&standard, None), Err(NotPending::None));
        let black = note(&mut ledger, standard, Color::Black, Offence::TwoHands);
        assert_eq!(black, TWO);
        assert_eq!(white(&mut ledger, Offence::NoMove), BLACK_WINS);
        assert_eq!(ledger.pending().len(), 2);
        let several = NotPending::Several("3, 4".into());
        assert_eq!(ledger.dismiss(None), Err(several));
        assert_eq!((ledger.accepted(Color::White), ledger.accepted(Color::Black)), (1, 0));
    }

    #[test]
    fn what_waits_is_judged_again_when_another_is_accepted() {
        let standard = Conditions::default();
        let mut ledger = Ledger::default();
        for _ in 0..2 {
            assert_eq!(note(&mut ledger, standard, Color::White, Offence::AgainstArticle3), TWO);
        }
        // Several in one move count as one.
        let again =
            ledger.complete(&standard, Color::White, Offence::NoMove, Ply(11), CanMate::Yes, None);
        assert_eq!(again, None);
        ledger.accept(&standard, Some(1)).unwrap();
        assert_eq!(ledger.pending()[0].nth, 2);
        assert_eq!(Some(ledger.pending()[0].ruling.effect), BLACK_WINS);
        let mut later = Ledger::default();
        later.take_up(&standard, 4, Color::White, Offence::NoMove, Ply(9), CanMate::Yes);
        assert_eq!(later.pending()[0].number, 4);
        assert_eq!(note(&mut later, standard, Color::Black, Offence::NoMove), TWO);
        assert_eq!(later.pending()[1].number, 5);
        let blitz = Conditions::new(Edition::Fide2014, Control::Blitz);
        ledger.dismiss(None).unwrap();
        assert_eq!(note(&mut ledger, blitz, Color::Black, Offence::NoMove), None);
    }

    #[test]
    fn in_2017_an_empty_press_counts_by_itself() {
        let conditions = Conditions::new(Edition::Fide2017, Control::Standard);
        let mut ledger = Ledger::default();
        for offence in [Offence::AgainstArticle3, Offence::NoMove, Offence::TwoHands] {
            assert_eq!(note(&mut ledger, conditions, Color::White, offence), TWO, "{offence:?}");
            ledger.accept(&conditions, None).unwrap();
        }
        for offence in [Offence::PawnOnLastRank, Offence::NoMove, Offence::TwoHands] {
            let second = note(&mut ledger, conditions, Color::White, offence);
            assert_eq!(second, BLACK_WINS, "{offence:?}");
            ledger.dismiss(None).unwrap();
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
