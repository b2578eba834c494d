//! The running daemon: ports, boards as tasks, the clock.
//!
//! In: the machine's serial ports, time, signals. Out: bytes and moments for the core, and what the
//! core decided to the world. Refuses to know: chess.

pub mod discover;
pub mod port;
