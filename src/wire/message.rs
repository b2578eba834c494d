//! What a board says: one variant for each message of single-board mode.

use crate::wire::ClockReading;
use crate::wire::{
    clock::{ClockAck, ClockMessage},
    field::{Contact, Field},
    framer::Loss,
};

/// The largest message a board can send: the event log (`8f`), header included.
pub const MAX_MESSAGE: usize = 7939;

/// The first bytes of messages.
pub(crate) mod id {
    /// Filler without meaning.
    pub const NONE: u8 = 0x80;
    /// All squares.
    pub const DUMP: u8 = 0x86;
    /// The clock's times, or its answer to a command.
    pub const CLOCK: u8 = 0x8d;
    /// One square changed.
    pub const FIELD: u8 = 0x8e;
    /// The board's own log.
    pub const EVENT_LOG: u8 = 0x8f;
    /// Address on a bus.
    pub const BUS_ADDRESS: u8 = 0x90;
    /// Five-digit serial number.
    pub const SERIAL: u8 = 0x91;
    /// The maker's notice.
    pub const TRADEMARK: u8 = 0x92;
    /// Firmware version.
    pub const VERSION: u8 = 0x93;
    /// Battery of a Bluetooth board.
    pub const BATTERY: u8 = 0xa0;
    /// Ten-character serial number.
    pub const LONG_SERIAL: u8 = 0xa2;
}

/// One whole message from a board in single-board mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `86`: all 64 squares, by field number.
    Dump(Box<[Contact; 64]>),
    /// `8e`: one square changed.
    FieldUpdate {
        /// The square, as the board counts.
        field: Field,
        /// What it reads now.
        contact: Contact,
    },
    /// `8d`: the clock's times and lever.
    Clock(ClockReading),
    /// `8d`: no clock is connected.
    ClockAbsent,
    /// `8d`: the clock answers a command, or reports a button.
    ClockAck(ClockAck),
    /// `8d` with nothing but zeros. Bluetooth boards send it after a clock command; it means nothing.
    ClockNull,
    /// `8d` that is neither times nor an answer (a digit above nine, 60 minutes). Keep the last good
    /// times. Holds the seven payload bytes.
    ClockUnreadable([u8; 7]),
    /// `91`: the five digits of the serial number.
    SerialNumber(SerialNumber),
    /// `a2`: the ten characters of the serial number of newer boards.
    LongSerialNumber(String),
    /// `93`: the firmware version.
    Version(Version),
    /// `92`: the maker's notice, several lines of text.
    Trademark(String),
    /// `90`: the address on a bus; the serial number as a binary number.
    BusAddress(u16),
    /// `a0`: the battery of a Bluetooth board.
    Battery(Battery),
    /// `8f`: the board's own log, undecoded; [`crate::wire::event_log::decode`] reads it.
    EventLog(Box<[u8]>),
    /// A message this program has no use for.
    Unknown {
        /// Its first byte.
        id: u8,
        /// Its whole length in bytes.
        length: u16,
    },
}

/// The message `86` by which a board tells these readings, for captures.
pub fn dump(squares: &[Contact; 64]) -> Vec<u8> {
    // The length counts the three bytes of the head.
    let mut bytes = vec![id::DUMP, 0, 67];
    bytes.extend(squares.iter().map(|contact| contact.code()));
    bytes
}

/// A five-digit serial number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SerialNumber([u8; 5]);

impl SerialNumber {
    /// The number, if these are five ASCII digits.
    pub fn new(digits: [u8; 5]) -> Option<SerialNumber> {
        digits.iter().all(u8::is_ascii_digit).then_some(SerialNumber(digits))
    }

    /// The five digits as text.
    pub fn as_str(&self) -> &str {
        // Digits are ASCII, so the text is always there.
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// A firmware version: two whole numbers. 3.1 and 3.10 are different versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Before the point.
    pub major: u8,
    /// After the point.
    pub minor: u8,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// State of a battery. Fields the message was too short for, and times marked "not available", are
/// `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Battery {
    /// Charge left, per cent, at most 100.
    pub percent: u8,
    /// Running or charging time left, minutes.
    pub minutes_left: Option<u16>,
    /// Time since it was switched on, minutes.
    pub minutes_on: Option<u16>,
    /// Standby time, minutes.
    pub minutes_standby: Option<u32>,
    /// It is being charged.
    pub charging: Option<bool>,
    /// It is being discharged.
    pub discharging: Option<bool>,
}

/// Whether a message with this first byte may have this total length, header included
/// (protocol 3.2). Messages of unknown kinds may have any length up to [`MAX_MESSAGE`].
pub(crate) fn length_fits(id: u8, total: usize) -> bool {
    match id {
        id::DUMP => total == 67,
        id::CLOCK => total == 10,
        id::FIELD | id::BUS_ADDRESS | id::VERSION => total == 5,
        id::EVENT_LOG => total == MAX_MESSAGE,
        // 8 today, 12 in 1998; longer ones are accepted, their first five digits count.
        id::SERIAL => (8..=64).contains(&total),
        // 12 by its layout, 7 by the header's constant: read what is there.
        id::BATTERY => (4..=16).contains(&total),
        id::LONG_SERIAL => total == 13,
        _ => (3..=MAX_MESSAGE).contains(&total),
    }
}

impl Message {
    /// Reads one message from its first byte and its payload (the bytes after the length).
    ///
    /// # Errors
    /// [`Loss::Content`] when the length is right and the content impossible: a square above 63, a
    /// serial number that is not digits.
    pub fn decode(id: u8, payload: &[u8]) -> Result<Message, Loss> {
        let damaged = Loss::Content { id };
        let message = match (id, payload) {
            (id::FIELD, &[field, code]) => Message::FieldUpdate {
                field: Field::new(field).ok_or(damaged)?,
                contact: Contact::from_code(code),
            },
            (id::CLOCK, payload) => {
                match ClockMessage::decode(payload.try_into().map_err(|_| damaged)?) {
                    ClockMessage::Reading(reading) => Message::Clock(reading),
                    ClockMessage::Absent => Message::ClockAbsent,
                    ClockMessage::Ack(ack) => Message::ClockAck(ack),
                    ClockMessage::Null => Message::ClockNull,
                    ClockMessage::Unreadable(bytes) => Message::ClockUnreadable(bytes),
                }
            }
            (id::DUMP, payload) => {
                let codes: &[u8; 64] = payload.try_into().map_err(|_| damaged)?;
                Message::Dump(Box::new(codes.map(Contact::from_code)))
            }
            (id::VERSION, &[major, minor]) => Message::Version(Version { major, minor }),
            (id::BUS_ADDRESS, &[high, low]) => {
                Message::BusAddress(u16::from(high) << 7 | u16::from(low))
            }
            (id::SERIAL, payload) => {
                let digits = payload.first_chunk().ok_or(damaged)?;
                Message::SerialNumber(SerialNumber::new(*digits).ok_or(damaged)?)
            }
            (id::LONG_SERIAL, payload) if payload.len() == 10 => {
                let text = text(payload, |byte| byte.is_ascii_graphic()).ok_or(damaged)?;
                Message::LongSerialNumber(text)
            }
            (id::TRADEMARK, payload) => Message::Trademark(
                payload.iter().copied().filter(|b| readable(*b)).map(char::from).collect(),
            ),
            (id::BATTERY, &[percent, ref rest @ ..]) => battery(percent, rest).ok_or(damaged)?,
            (id::EVENT_LOG, payload) => Message::EventLog(payload.into()),
            (id, payload) => Message::Unknown {
                id,
                length: u16::try_from(payload.len() + 3).unwrap_or(u16::MAX),
            },
        };
        Ok(message)
    }
}

/// The bytes as text if every one of them passes.
fn text(bytes: &[u8], fits: impl Fn(u8) -> bool) -> Option<String> {
    bytes.iter().all(|byte| fits(*byte)).then(|| bytes.iter().copied().map(char::from).collect())
}

/// Printable, or a line break.
fn readable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\r')
}

/// Reads as many fields as there are.
fn battery(percent: u8, rest: &[u8]) -> Option<Message> {
    const NOT_AVAILABLE: u8 = 0x7f;
    let byte = |at: usize| rest.get(at).copied().filter(|byte| *byte != NOT_AVAILABLE);
    let minutes = |at: usize| Some(u16::from(byte(at)?) * 60 + u16::from(byte(at + 1)?));
    let flags = rest.get(7).copied();
    (percent <= 100).then(|| {
        Message::Battery(Battery {
            percent,
            minutes_left: minutes(0),
            minutes_on: minutes(2),
            minutes_standby: byte(4)
                .zip(minutes(5))
                .map(|(days, rest)| u32::from(days) * 1_440 + u32::from(rest)),
            charging: flags.map(|flags| flags & 1 != 0),
            discharging: flags.map(|flags| flags & 2 != 0),
        })
    })
}
