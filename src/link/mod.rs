//! One conversation with one board: greet it, keep it talking, ask again when in doubt.
//!
//! In: bytes from the board and the passing of time. Out: commands to send, and what the board says
//! of its squares and its clock. Refuses to know: chess.

use crate::wire::{ClockReading, Contact, Field};

/// All 64 readings of a board dump, by field number.
pub type Snapshot = [Contact; 64];

/// What is known of the board at the other end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Serial number: the long one where the board has one, else the five digits.
    pub serial: Option<String>,
    /// Firmware version, `major.minor`.
    pub version: Option<String>,
    /// The board's own notice.
    pub trademark: Option<String>,
    /// Charge of a Bluetooth board's battery, per cent.
    pub battery_percent: Option<u8>,
}

/// What a board says, cleaned of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardEvent {
    /// The board answers; what it said of itself so far. Sent again when more becomes known.
    Identified(Identity),
    /// All squares at once: the ground truth.
    Dump(Box<Snapshot>),
    /// One square changed.
    Changed {
        /// The square, as the board counts.
        field: Field,
        /// What it reads now.
        contact: Contact,
    },
    /// The clock's times and lever.
    Clock(ClockReading),
    /// No clock is connected (or none any more).
    ClockAbsent,
    /// Something may have been lost; a dump has been asked for. Says what happened.
    Doubt(Doubt),
    /// No byte for five seconds although the board was asked.
    Silent,
    /// A silent board speaks again.
    Restored,
}

/// Why the link no longer trusts that it saw every change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Bytes that belong to no message, or a message cut short.
    Garbled,
    /// A reply came late or not at all.
    LateReply,
    /// A dump and the changes since the last one disagree.
    Disagreement,
}
