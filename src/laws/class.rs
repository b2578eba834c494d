//! Who may be told what (12.6, 12.7; 13.6, 13.7 before 2014).
//!
//! The arbiter must not intervene except where the Laws say so; whoever tells a player what he
//! may claim changes the game. So what a fact is decides, by its type, where it may go.

use super::{
    edition::Conditions,
    rules::{FastActor, FlagCaller},
    verdict::{Over, Verdict},
};

/// How far a fact may be known, from the most public to the most secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The game is over: nothing is left to influence.
    A,
    /// The arbiter must or may act while the game goes on.
    B,
    /// The arbiter waits for a claim: for his eyes only, never announced.
    C,
}

/// Where a fact may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Buzzer, light, screens, messages to everybody.
    Everyone,
    /// The arbiter's device, silently, without being asked.
    ArbiterSilently,
    /// The arbiter's device when he looks or asks: no sound, nothing at the board, nothing on a
    /// screen players can see.
    ArbiterOnRequest,
}

impl Class {
    /// The only channel for facts of this class.
    pub const fn channel(self) -> Channel {
        match self {
            Class::A => Channel::Everyone,
            Class::B => Channel::ArbiterSilently,
            Class::C => Channel::ArbiterOnRequest,
        }
    }

    /// `A`, `B` or `C`.
    pub const fn letter(self) -> &'static str {
        match self {
            Class::A => "A",
            Class::B => "B",
            Class::C => "C",
        }
    }
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The position on the board ends the game, for certain.
    Over,
    /// The position would end the game under one reading of what is not known (castling rights,
    /// the last move), or under a later edition.
    MaybeOver,
    /// An illegal move or another offence of 7.5 was completed.
    IllegalMove,
    /// Both kings are in check.
    BothKingsInCheck,
    /// Men are missing, displaced, or the board is set up wrongly or turned.
    Displaced,
    /// A clock shows 0:00.
    Flag,
    /// A claim is open.
    Claim,
    /// Occurrences, half-move counter, number of moves.
    Counters,
    /// A player has not pressed his clock.
    NotPressed,
}

impl Subject {
    /// All subjects.
    pub const ALL: [Subject; 9] = [
        Subject::Over,
        Subject::MaybeOver,
        Subject::IllegalMove,
        Subject::BothKingsInCheck,
        Subject::Displaced,
        Subject::Flag,
        Subject::Claim,
        Subject::Counters,
        Subject::NotPressed,
    ];

    /// The class of the subject under these conditions.
    ///
    /// In rapid and blitz before 2014 the arbiter of many games must keep silent about a fallen
    /// flag and an illegal move that nobody claimed, so there they are class C.
    pub fn class(self, conditions: &Conditions) -> Class {
        let rules = conditions.edition.rules();
        let unwatched = conditions.is_fast_unwatched();
        match self {
            Subject::Over => Class::A,
            Subject::Flag if unwatched && rules.fast_flag == FlagCaller::PlayerOnly => Class::C,
            Subject::IllegalMove | Subject::BothKingsInCheck
                if unwatched && rules.illegal.fast_actor == FastActor::OpponentOnly =>
            {
                Class::C
            }
            Subject::IllegalMove
            | Subject::BothKingsInCheck
            | Subject::Displaced
            | Subject::Flag => Class::B,
            Subject::MaybeOver | Subject::Claim | Subject::Counters | Subject::NotPressed => {
                Class::C
            }
        }
    }
}

/// Leave to tell everyone: what a buzzer, a lamp or a public message must be given before it may
/// act.
///
/// It can be had only for a game that is over, so code that wants to sound a buzzer for anything
/// of class B or C does not compile.
#[derive(Clone, Copy, Debug)]
pub struct Announcement<'a>(&'a Over);

impl<'a> Announcement<'a> {
    /// Leave for a verdict, if it is one that everyone may know.
    pub fn of(verdict: &'a Verdict) -> Option<Announcement<'a>> {
        verdict.over().map(Announcement)
    }

    /// Leave for a game that is over.
    pub const fn over(over: &'a Over) -> Announcement<'a> {
        Announcement(over)
    }

    /// What is announced.
    pub const fn what(&self) -> &'a Over {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{Control, Edition, Supervision};

    fn all_conditions() -> Vec<Conditions> {
        let mut all = Vec::new();
        for edition in Edition::ALL {
            for control in Control::ALL {
                for supervision in [Supervision::Shared, Supervision::Full] {
                    all.push(Conditions { supervision, ..Conditions::new(edition, control) });
                }
            }
        }
        all
    }

    #[test]
    fn only_a_game_that_is_over_is_for_everyone() {
        for conditions in all_conditions() {
            for subject in Subject::ALL {
                let channel = subject.class(&conditions).channel();
                let public = channel == Channel::Everyone;
                assert_eq!(public, subject == Subject::Over, "{subject:?} {conditions:?}");
            }
        }
    }

    #[test]
    fn fast_chess_before_2014_keeps_the_arbiter_silent() {
        for conditions in all_conditions() {
            let silent = conditions.edition < Edition::Fide2014
                && conditions.control != Control::Standard
                && conditions.supervision == Supervision::Shared;
            let want = if silent { Class::C } else { Class::B };
            for subject in [Subject::Flag, Subject::IllegalMove, Subject::BothKingsInCheck] {
                assert_eq!(subject.class(&conditions), want, "{subject:?} {conditions:?}");
            }
            assert_eq!(Subject::Displaced.class(&conditions), Class::B);
            assert_eq!(Subject::Claim.class(&conditions), Class::C);
        }
    }

    #[test]
    fn nothing_but_an_end_can_be_announced() {
        let open = Verdict::Open { claims: Vec::new(), later: Vec::new() };
        assert!(Announcement::of(&open).is_none());
    }
}
