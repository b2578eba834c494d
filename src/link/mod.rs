//! One conversation with one board: greet it, keep it talking, ask again when in doubt.
//!
//! In: bytes from the board and the passing of time. Out: commands to send, and what the board says
//! of its squares and its clock. Refuses to know: chess.

pub mod bus;
mod conversation;
mod identity;
mod patience;
mod squares;

use self::conversation::Conversation;
use crate::{
    units::Stamp,
    wire::{ClockReading, Command, Contact, EventLog, Field, Framer, LineCount},
};

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
    /// One square changed: it differs from what was told before, or the board now tells by itself what a
    /// dump had shown a moment before, so that this has just happened.
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
    /// The board's own log of what happened at it, asked for or not. A dump has been asked for:
    /// whether changes are kept or lost while a board sends its log is not documented.
    Log(Box<EventLog>),
    /// Something may have been lost; a dump has been asked for. Says what happened.
    Doubt(Doubt),
    /// No message for five seconds although the board was asked.
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
    /// The next dump shows many squares changed of which no update told, and none has borne it out.
    Unconfirmed,
}

/// What a link wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Write this command to the board, now and whole.
    Send(Command),
    /// The board said something.
    Event(BoardEvent),
}

/// How a link behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkOptions {
    /// Only listen: send nothing, expect nothing, never call silence. For replaying a capture.
    pub passive: bool,
    /// The line is Bluetooth: ask for the battery even when the board does not look like a newer one.
    pub wireless: bool,
}

/// One conversation with one board.
///
/// Feed it with [`Link::bytes`] and, when [`Link::deadline`] has come, with [`Link::timeout`]. All
/// that it wants done is appended to `out`, in order. Time must not go backwards; if it does, nothing
/// worse happens than longer waits.
///
/// Dumps and changes are told whenever they come, during the greeting too. A change that says what is
/// known already is not told again.
///
/// Limits: at most one request is unanswered at a time, at least 0.1 s lie between writes, dumps are
/// asked for at most every 0.5 s, and memory does not grow with what the board sends.
#[derive(Clone, Debug)]
pub struct Link {
    framer: Framer,
    conversation: Conversation,
}

impl Link {
    /// A link without a line.
    pub fn new(options: LinkOptions) -> Link {
        Link { framer: Framer::default(), conversation: Conversation::new(options) }
    }

    /// A port has been opened: greet the board that is perhaps there. Forgets the one before.
    pub fn attach(&mut self, now: Stamp) {
        self.framer.abandon();
        self.conversation.attach(now);
    }

    /// Whether the line is Bluetooth ([`LinkOptions::wireless`]), as the next port shows.
    pub fn set_wireless(&mut self, wireless: bool) {
        self.conversation.set_wireless(wireless);
    }

    /// The port is gone.
    pub fn detach(&mut self) {
        self.framer.abandon();
        self.conversation.detach();
    }

    /// Takes bytes from the board that arrived at `now`.
    pub fn bytes(&mut self, bytes: &[u8], now: Stamp, out: &mut Vec<Output>) {
        let Link { framer, conversation } = self;
        framer.push(bytes, now, |item| conversation.item(item, now, out));
        if framer.in_message() && !bytes.is_empty() {
            conversation.busy(now);
        }
        conversation.step(now, framer.in_message(), out);
    }

    /// Takes bytes that a host sent to the board, from a capture. Without them a dump that was
    /// overtaken by changes cannot be told from one that was not.
    pub fn overheard(&mut self, bytes: &[u8]) {
        self.conversation.overheard(bytes);
    }

    /// Does what is due at `now`.
    pub fn timeout(&mut self, now: Stamp, out: &mut Vec<Output>) {
        let Link { framer, conversation } = self;
        framer.timeout(now, |item| conversation.item(item, now, out));
        conversation.step(now, framer.in_message(), out);
    }

    /// When to call [`Link::timeout`] next, if nothing arrives before.
    pub fn deadline(&self) -> Option<Stamp> {
        match (self.framer.deadline(), self.conversation.deadline()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Asks for a dump as soon as the line allows. A board still being greeted sends one anyway.
    pub fn request_dump(&mut self, now: Stamp, out: &mut Vec<Output>) {
        self.conversation.request_dump(now);
        self.conversation.step(now, self.framer.in_message(), out);
    }

    /// Asks once for the board's own log ([`BoardEvent::Log`]), when nothing else is to be asked. It
    /// takes over eight seconds, in which nothing else is heard. False when no board is ready for it.
    pub fn request_log(&mut self, now: Stamp, out: &mut Vec<Output>) -> bool {
        let asked = self.conversation.request_log();
        self.conversation.step(now, self.framer.in_message(), out);
        asked
    }

    /// Asks the board again for all that the greeting asked for: who it is, its squares, its clock.
    /// False when no board answers.
    pub fn greet_again(&mut self, now: Stamp, out: &mut Vec<Output>) -> bool {
        let answers = self.conversation.greet_again(now);
        self.conversation.step(now, self.framer.in_message(), out);
        answers
    }

    /// What the squares read as far as it was told, nothing before the first dump.
    pub fn squares(&self) -> Option<&Snapshot> {
        self.conversation.squares()
    }

    /// The greeting is done and the board answers.
    pub fn ready(&self) -> bool {
        self.conversation.ready()
    }

    /// When the last whole message came.
    pub fn last_heard(&self) -> Option<Stamp> {
        self.conversation.heard()
    }

    /// What the board said of itself.
    pub fn identity(&self) -> &Identity {
        self.conversation.identity()
    }

    /// What the line delivered and lost since the link was made.
    pub fn count(&self) -> LineCount {
        self.framer.count()
    }

    /// Clock messages that were neither times nor answers, since the link was made.
    pub fn unreadable_clock_messages(&self) -> u64 {
        self.conversation.unreadable_clock()
    }
}
