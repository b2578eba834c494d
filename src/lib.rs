//! Watches DGT electronic chess boards and says when the Laws of Chess end a game.
//!
//! The modules stand in the order of the data flow. Everything down to [`arbiter`] is synchronous:
//! bytes and times in, events out; no clock, no files. A module may use those above it only.
//!
//! ```text
//! bytes ─▶ wire ─Message─▶ link ─BoardEvent─▶ tracker ─TrackEvent─▶ game ─▶ laws ─Verdict─▶ arbiter ─Event─▶ signals
//! ```

// Blank lines keep the order of the flow.
pub mod units;

pub mod wire;

pub mod link;

pub mod tracker;

pub mod dead;

pub mod game;

pub mod laws;

pub mod arbiter;

pub mod capture;

pub mod replay;

pub mod pgn;

pub mod config;

pub mod signals;

pub mod daemon;

pub mod ctl;
