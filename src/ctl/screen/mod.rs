//! `dgtctl watch` as a screen: the whole hall, and every board with what can be done at it.
//!
//! In: what the daemons of the hall tell ([`hosts`](super::hosts)), keys, the time. Out: cells of a
//! terminal, calls of the daemons. Three parts: a [`Model`](model::Model) that is pure, a drawing of
//! it that is pure, and the [`shell`] with terminal, feed and calls. Refuses to know: chess; what is
//! over, legal or claimable is the daemon's word.
//!
//! Players walk by: what only the arbiter may know (claims, counters, flags, displaced men, illegal
//! moves) stands on the screen only for some seconds after a key. Until then a board where he must
//! act has a mark that does not say why, and one where only a player may act has none.

mod actions;
mod call;
mod draw;
mod form;
mod hall;
mod model;
mod once;
mod row;
mod sheet;
mod shell;
mod words;

pub use once::{language, run as once};
pub use shell::run;

#[cfg(test)]
mod tests;
