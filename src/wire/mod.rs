//! Bytes to messages and commands to bytes.
//!
//! In: what the board's line delivers, in any portions. Out: messages, and a count of what was lost.
//! Refuses to know: what a message means for the conversation, or for a game.

pub mod clock;
pub mod field;

pub use clock::{ClockReading, ClockSide, SideTime};
pub use field::{Contact, Field, Orientation, Token};
