//! One board wired together: bytes and requests in, events and commands out.
//!
//! In: bytes, the passing of time, requests of the arbiter's people. Out: [`Event`]s, commands for
//! the board, and a [`Status`] for whoever looks. Refuses to know: clocks, files, buses.

pub mod event;
pub mod request;
pub mod status;

pub use event::{Event, EventKind};
pub use request::{Refusal, Reply, Request};
pub use status::Status;
