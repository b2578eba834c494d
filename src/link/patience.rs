//! How long the link waits for what, as a table. Sources: protocol 1.4, 1.5, 5.

use std::time::Duration;

use crate::wire::{Command, Message};

/// After opening a port, before the first command.
pub(super) const OPEN: Duration = Duration::from_millis(500);
/// Between two writes: a board buffers ten bytes and loses what comes faster.
pub(super) const WRITE_GAP: Duration = Duration::from_millis(100);
/// A simple command is answered within this, or late.
pub(super) const REPLY: Duration = Duration::from_secs(1);
/// The event log begins to come within this: up to that a board may be busy writing it.
pub(super) const LOG_BEGINS: Duration = Duration::from_secs(3);
/// Between two tries of the same command.
pub(super) const RETRY: Duration = Duration::from_secs(2);
/// Without a message for this long, ask for a sign of life.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(2);
/// Without a message for this long although asked, the board is silent.
pub(super) const SILENCE: Duration = Duration::from_secs(5);
/// The board has stood still this long after a change: check it with a dump.
pub(super) const STILL: Duration = Duration::from_secs(1);
/// Even without a change, renew the update mode and check with a dump this often. A board that lost
/// power for a moment has forgotten its mode and would answer for ever without reporting a move.
pub(super) const RECHECK: Duration = Duration::from_secs(5);
/// Dumps are not asked for more often than this.
pub(super) const DUMP_GAP: Duration = Duration::from_millis(500);
/// A dump that shows more than the updates did: they may still be on their way for this long.
pub(super) const CATCH_UP: Duration = Duration::from_millis(600);
/// A dump that differs too much waits so long for another that bears it out. Asked for at once, that
/// comes within half a second; in a capture there may be none.
pub(super) const HOLD: Duration = Duration::from_secs(4);
/// The same doubt is not told again within this, unless a dump has settled it.
pub(super) const DOUBT_GAP: Duration = Duration::from_secs(1);
/// A clock quiet for this long is asked for its times at the next check.
pub(super) const CLOCK_QUIET: Duration = Duration::from_secs(2);
/// How often a battery is looked at.
pub(super) const BATTERY: Duration = Duration::from_mins(10);
/// A board that talks but gives no dump is greeted anew after this.
pub(super) const GREET_AGAIN: Duration = Duration::from_secs(5);
/// A mute board may be waiting for the rest of a command it was sent by somebody else: this many
/// bytes end any command (protocol 1.2).
pub(super) const FILL_COUNT: u8 = 80;
/// Between two of these bytes.
pub(super) const FILL_GAP: Duration = Duration::from_millis(20);
/// Pause after the first attempt to wake a silent board; doubles up to [`BACK_OFF_MAX`].
pub(super) const BACK_OFF: Duration = Duration::from_secs(1);
/// The longest pause between such attempts.
pub(super) const BACK_OFF_MAX: Duration = Duration::from_secs(15);
/// A request is not given up while an answer is coming in, but no longer than this: the event log
/// takes over eight seconds.
pub(super) const TRANSFER: Duration = Duration::from_secs(15);

/// How often a command is tried; `None` for commands without an answer.
pub(super) fn tries(command: Command) -> Option<u8> {
    match command {
        Command::Reset | Command::Update | Command::UpdateBoard | Command::UpdateNice => None,
        Command::Version | Command::SendBoard | Command::SerialNumber | Command::ClockVersion => {
            Some(3)
        }
        // Boards without a clock, a battery or a long serial number may not answer at all.
        Command::SendClock
        | Command::BusAddress
        | Command::Trademark
        | Command::EventLog
        | Command::Battery
        | Command::LongSerialNumber => Some(1),
    }
}

/// Whether this message is the answer to this command. Answers are matched by kind, never by order.
pub(super) fn answers(message: &Message, command: Command) -> bool {
    match message {
        Message::Dump(_) => command == Command::SendBoard,
        Message::Clock(_) | Message::ClockAbsent | Message::ClockUnreadable(_) => {
            command == Command::SendClock
        }
        Message::ClockAck(ack) => command == Command::ClockVersion && ack.version().is_some(),
        Message::SerialNumber(_) => command == Command::SerialNumber,
        Message::LongSerialNumber(_) => command == Command::LongSerialNumber,
        Message::Version(_) => command == Command::Version,
        Message::Trademark(_) => command == Command::Trademark,
        Message::BusAddress(_) => command == Command::BusAddress,
        Message::Battery(_) => command == Command::Battery,
        Message::EventLog(_) => command == Command::EventLog,
        Message::FieldUpdate { .. } | Message::ClockNull | Message::Unknown { .. } => false,
    }
}
