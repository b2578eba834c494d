//! Bus mode: several boards on one serial line, asked one at a time (protocol 7).
//!
//! A request is `command address address checksum`, a reply `id length length address address data
//! checksum`. Any request byte from `80` up takes a board that is in single-board mode out of it, so
//! this is spoken only on a line that is said to be a bus.

use crate::wire::{Version, event_log};

/// The longest reply: a whole log of changes.
const LONGEST: usize = 7_942;

/// A board's address on the line: its serial number, 1 to 16383.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(u16);

impl Address {
    /// The address, if a board may have it. 0 means all boards.
    pub fn new(number: u16) -> Option<Address> {
        (1..=0x3fff).contains(&number).then_some(Address(number))
    }

    /// As a number.
    pub fn number(self) -> u16 {
        self.0
    }

    /// Its two bytes on the line.
    pub fn bytes(self) -> [u8; 2] {
        split(self.0)
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

fn split(number: u16) -> [u8; 2] {
    [(number >> 7 & 0x7f) as u8, (number & 0x7f) as u8]
}

/// A request to boards on a bus. None changes what a board keeps in its EEPROM or shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusRequest {
    /// `81`: the clock. Answer: [`BusReply::Clock`].
    Clock(Address),
    /// `83`: what changed since it was last asked. Answer: [`BusReply::Changes`].
    Changes(Address),
    /// `84`: the same changes again. Answer: [`BusReply::Changes`].
    ChangesAgain(Address),
    /// `87`: are you there? Answer: [`BusReply::Here`].
    Ping(Address),
    /// `87` to all: who is there? Answers collide.
    PingAll,
    /// `8a`: do not answer the next ping to all. Answer: [`BusReply::Here`].
    IgnorePingAll(Address),
    /// `8b`: the version. Answer: [`BusReply::Version`].
    Version(Address),
    /// `8d`: changes, clock and all squares, three answers in a row.
    Everything(Address),
}

impl BusRequest {
    /// The bytes to write.
    pub fn bytes(self) -> [u8; 4] {
        let (command, address) = match self {
            BusRequest::Clock(address) => (0x81, address.bytes()),
            BusRequest::Changes(address) => (0x83, address.bytes()),
            BusRequest::ChangesAgain(address) => (0x84, address.bytes()),
            BusRequest::Ping(address) => (0x87, address.bytes()),
            BusRequest::PingAll => (0x87, [0, 0]),
            BusRequest::IgnorePingAll(address) => (0x8a, address.bytes()),
            BusRequest::Version(address) => (0x8b, address.bytes()),
            BusRequest::Everything(address) => (0x8d, address.bytes()),
        };
        let [high, low] = address;
        [command, high, low, checksum(&[command, high, low])]
    }
}

/// What a board on a bus answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusReply {
    /// `83`: all squares, codes by field number.
    Squares(Box<[u8; 64]>),
    /// `84`: the seven bytes of a clock message.
    Clock([u8; 7]),
    /// `85`: entries as in the board's own log.
    Changes(event_log::EventLog),
    /// `87`: a sign of life.
    Here,
    /// `89`: the version, from version 1.3 on.
    Version(Option<Version>),
}

/// What comes out of a [`BusFramer`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusItem {
    /// A whole reply with the right checksum.
    Reply(Address, BusReply),
    /// Something was damaged.
    Damaged,
}

/// The sum of all bytes before it, seven bits.
fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7f
}

/// Cuts what boards on a bus answer into replies. Never fails; a damaged reply costs that reply.
#[derive(Clone, Debug, Default)]
pub struct BusFramer {
    partial: Vec<u8>,
}

impl BusFramer {
    /// Takes bytes and hands each reply to `sink`.
    pub fn push(&mut self, bytes: &[u8], mut sink: impl FnMut(BusItem)) {
        for &byte in bytes {
            if byte >= 0x80 {
                if !self.partial.is_empty() {
                    sink(BusItem::Damaged);
                }
                self.partial.clear();
            } else if self.partial.is_empty() {
                continue;
            }
            self.partial.push(byte);
            let Some(total) = self.total() else { continue };
            if !(6..=LONGEST).contains(&total) {
                self.partial.clear();
                sink(BusItem::Damaged);
            } else if self.partial.len() == total {
                sink(read(&self.partial).unwrap_or(BusItem::Damaged));
                self.partial.clear();
                self.partial.shrink_to(512);
            }
        }
    }

    /// Whether a reply is coming in.
    pub fn in_reply(&self) -> bool {
        !self.partial.is_empty()
    }

    /// Gives up what has come of a reply.
    pub fn abandon(&mut self) {
        self.partial.clear();
    }

    fn total(&self) -> Option<usize> {
        let (high, low) = (*self.partial.get(1)?, *self.partial.get(2)?);
        Some(usize::from(high) << 7 | usize::from(low))
    }
}

fn read(reply: &[u8]) -> Option<BusItem> {
    let (&sum, body) = reply.split_last()?;
    let &[id, _, _, high, low, ref data @ ..] = body else { return None };
    if checksum(body) != sum {
        return None;
    }
    let address = Address::new(u16::from(high) << 7 | u16::from(low))?;
    let reply = match (id, data) {
        (0x83, data) => BusReply::Squares(Box::new(data.try_into().ok()?)),
        (0x84, data) => BusReply::Clock(data.try_into().ok()?),
        // Changes since the start tag have the same form, and are never asked for.
        (0x85, data) => BusReply::Changes(event_log::decode(data)),
        (0x87, []) => BusReply::Here,
        (0x89, &[major, minor]) => BusReply::Version(Some(Version { major, minor })),
        (0x89, []) => BusReply::Version(None),
        _ => return None,
    };
    Some(BusItem::Reply(address, reply))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Contact, Field, LogEntry};

    fn items(bytes: &[u8]) -> Vec<BusItem> {
        let (mut framer, mut items) = (BusFramer::default(), Vec::new());
        framer.push(bytes, |item| items.push(item));
        items
    }

    #[test]
    fn requests_have_address_and_checksum() {
        let board = Address::new(1025).unwrap();
        for (request, bytes) in [
            (BusRequest::Clock(board), [0x81, 0x08, 0x01, 0x0a]),
            (BusRequest::Changes(board), [0x83, 0x08, 0x01, 0x0c]),
            (BusRequest::PingAll, [0x87, 0, 0, 0x07]),
            (BusRequest::Clock(Address::new(2054).unwrap()), [0x81, 0x10, 0x06, 0x17]),
        ] {
            assert_eq!(request.bytes(), bytes, "{request:?}");
        }
        assert_eq!(Address::new(0), None);
        assert_eq!(Address::new(0x4000), None);
    }

    #[test]
    fn replies_are_read_and_damaged_ones_are_not() {
        let board = Address::new(1025).unwrap();
        let ping = [0x87, 0, 6, 8, 1, 0x16];
        assert_eq!(items(&ping), [BusItem::Reply(board, BusReply::Here)]);
        let version = [0x89, 0, 8, 8, 1, 1, 8, 0x23];
        let told = BusReply::Version(Some(Version { major: 1, minor: 8 }));
        assert_eq!(items(&version), [BusItem::Reply(board, told)]);
        let moved = [0x85, 0, 0x0a, 8, 1, 0x40, 0x34, 0x41, 0x24, 0x71];
        let [BusItem::Reply(_, BusReply::Changes(log))] = &items(&moved)[..] else { panic!() };
        let change = |number, code| LogEntry::Changed {
            field: Field::new(number).unwrap(),
            contact: Contact::from_code(code),
            soon: false,
        };
        assert_eq!(log.entries, [change(0x34, 0), change(0x24, 1)]);
        let clock = [0x84, 0, 0x0d, 8, 1, 0x20, 3, 2, 0x20, 3, 1, 9, 0x6c];
        let times = BusReply::Clock([0x20, 3, 2, 0x20, 3, 1, 9]);
        assert_eq!(items(&clock), [BusItem::Reply(board, times)]);
        // Each single wrong bit is noticed, and costs this reply alone.
        for byte in 0..clock.len() {
            for bit in 0..7 {
                let mut wrong = clock;
                wrong[byte] ^= 1 << bit;
                let both = [wrong.as_slice(), &ping].concat();
                let read = items(&both);
                assert!(!read.contains(&BusItem::Reply(board, times_of(&clock))), "{wrong:02x?}");
                if byte != 1 && byte != 2 {
                    assert_eq!(read.last(), Some(&BusItem::Reply(board, BusReply::Here)));
                }
            }
        }
    }

    fn times_of(reply: &[u8; 13]) -> BusReply {
        BusReply::Clock(reply[5..12].try_into().unwrap())
    }

    #[test]
    fn two_answers_at_once_are_nothing() {
        let ping = [0x87, 0, 6, 8, 1, 0x16];
        assert_eq!(items(&[0x87, 0, 6, 0x87, 0, 6, 8, 1, 0x16]).len(), 2);
        assert_eq!(items(&[&[0x11, 0x22], &ping[..]].concat()).len(), 1);
        assert_eq!(items(&[0x87, 0x7f, 0x7f, 0x08]), [BusItem::Damaged]);
        assert_eq!(items(&[0x87, 0, 2]), [BusItem::Damaged]);
    }
}
