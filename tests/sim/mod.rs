//! A simulator of DGT boards and of the hands above them: what the tracker is measured against.
//!
//! In: a seed, a [`profile::Profile`] (how people and hardware behave, with reasons) and the games
//! to be played. Out: the bytes a real board would send with the moments they reach the host, and
//! beside them the truth: which plies were completed when, when the clock was pressed, how the game
//! ended, when the cable was out.
//!
//! ```text
//! games ─▶ session (hands) ─timed acts─▶ table (men on a surface) ─▶ scanner ─updates─▶ line ─▶ host
//!                 │                                  clock ─times, lever────────────────▶ │  ◀─ commands
//!                 └─▶ truth
//! ```
//!
//! Refuses to know: anything of the crate under test. Only shakmaty (rules of chess) is shared, so
//! that a mistake of the tracker cannot hide in a matching mistake here.
//!
//! Everything is decided by the seed: each part draws from its own stream of random numbers, so
//! the hands do not depend on how often the host asks for a dump. Times are nanoseconds from the
//! moment the board is attached and never run backwards.
#![allow(dead_code, reason = "two test programs share this and each leaves parts unused")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "distances and random numbers here are small; nothing is judged by them"
)]

pub mod account;
pub mod board;
pub mod chance;
pub mod clock;
pub mod games;
pub mod hands;
pub mod line;
pub mod naive;
pub mod oracle;
pub mod ours;
pub mod profile;
pub mod scanner;
pub mod score;
pub mod session;
pub mod subject;
pub mod table;
pub mod truth;

/// Nanoseconds in a millisecond.
pub const MS: u64 = 1_000_000;
/// Nanoseconds in a second.
pub const SECOND: u64 = 1_000_000_000;

/// Seconds as nanoseconds.
pub fn seconds(value: f64) -> u64 {
    (value * 1e9) as u64
}
