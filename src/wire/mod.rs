//! Bytes to messages and commands to bytes.
//!
//! In: what the board's line delivers, in any portions. Out: messages, and a count of what was lost.
//! Refuses to know: what a message means for the conversation, or for a game.

pub mod bus;
pub mod clock;
pub mod command;
pub mod event_log;
pub mod field;
pub mod framer;
pub mod message;

pub use clock::{ClockAck, ClockReading, ClockSide, SideTime};
pub use command::Command;
pub use event_log::{EventLog, LogEntry};
pub use field::{Contact, Field, Orientation, Token};
pub use framer::{Framer, Item, LineCount, Loss};
pub use message::{Battery, MAX_MESSAGE, Message, SerialNumber, Version};
