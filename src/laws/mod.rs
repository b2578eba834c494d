//! The FIDE Laws of Chess, edition by edition.
//!
//! In: a [`History`](crate::game::History), the [`Conditions`] a game is played under, and, from
//! the caller, what only a search can know (is the position dead, can a side still mate). Out:
//! whether the game is over and by which article ([`verdict`]), what the player to move may claim
//! and whether a claim is right ([`claims`]), what a fallen flag ([`flag`]) or an illegal move
//! ([`illegal`]) means, and who may be told ([`Class`]).
//!
//! It refuses to know boards, clocks' own signals, files and people: it reports what the text
//! says, names the article in the numbering of the edition, and where the text leaves a choice to
//! the arbiter it reports the facts instead of choosing.

pub mod claims;
mod class;
mod edition;
pub mod entered;
pub mod fen;
pub mod flag;
pub mod illegal;
pub mod ledger;
pub mod pgn;
pub mod report;
mod rules;
pub mod text;
pub mod unknown;
mod verdict;
mod words;

pub use claims::{BoardAct, Claim, ClaimClocks, Decision, MustPlay, Qualifies, Ruling};
pub use class::{Announcement, Channel, Class, Subject};
pub use edition::{
    Conditions, Control, Edition, SupervisedBlitz, Supervision, UnknownControl, UnknownEdition,
};
pub use flag::CanMate;
pub use rules::{
    Article, ClaimantPays, FastActor, FivefoldReading, FivefoldRule, FlagCaller, IllegalRules,
    Offence, Offending, Penalties, Penalty, RightLostBy, Rules, TABLE, WrongClaim,
};
pub use verdict::{
    ClaimKind, Claimable, DeadAnswer, Ended, Ending, FIFTY, How, Latch, Over, SEVENTY_FIVE,
    Verdict, verdict, verdict_at,
};
