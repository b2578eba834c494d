//! The board's own log (`8f`, protocol 6.2): bytes to entries.
//!
//! The log is a ring of 7936 bytes, oldest entry first, ended by `6b`. After a wrap it begins in the
//! middle of an entry, so decoding starts where several entries in a row make sense, and does so again
//! after damage. What was passed over is an entry of its own: moves may hide in it.

use crate::{
    units::Millis,
    wire::{ClockSide, Contact, Field, Orientation, clock},
};

/// This many entries in a row must make sense before decoding begins.
const IN_A_ROW: usize = 4;

/// Length of the longest entry.
const LONGEST: usize = 3;

/// One entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogEntry {
    /// A square changed.
    Changed {
        /// The square, as the board counts.
        field: Field,
        /// What it read then.
        contact: Contact,
        /// It came less than about 250 ms after the change before.
        soon: bool,
    },
    /// The lever was pressed: the side that has just been halted, and its time. It ends that side's
    /// ply. May be missing when play is fast.
    Halted {
        /// The side of the clock.
        side: ClockSide,
        /// Its time, whole seconds.
        time: Millis,
    },
    /// The board was switched on; a change for each man on it follows.
    PowerUp,
    /// The board started again by itself; a power-up follows.
    WatchdogReset,
    /// The initial array was set up.
    InitialArray(Orientation),
    /// The home rows are full but this is not the initial array.
    FourRows,
    /// The board was cleared.
    Cleared,
    /// The log was read by a host.
    Downloaded,
    /// A host marked a start on the bus; a change for each man follows.
    StartTag,
    /// Bytes that make no sense.
    Gap {
        /// How many.
        bytes: usize,
    },
}

/// A decoded log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventLog {
    /// What happened, oldest first.
    pub entries: Vec<LogEntry>,
    /// Bytes in gaps, all together.
    pub skipped: usize,
    /// The end mark was found. Without it the newest entries may be missing.
    pub complete: bool,
}

/// What stands at one place of the log.
enum Read {
    Entry(LogEntry, usize),
    /// Nothing happened (filler and reserved codes).
    Nothing,
    End,
    /// Not the beginning of an entry, or an entry cut off by the end of the bytes.
    Nonsense,
}

/// Decodes the payload of a message `8f`. Never fails; whatever follows the end mark is ignored.
pub fn decode(bytes: &[u8]) -> EventLog {
    let mut log = EventLog::default();
    let mut rest = bytes;
    let mut trusted = false;
    let mut gap = 0;
    while !rest.is_empty() {
        let here = if trusted || begins_here(rest) { read(rest) } else { Read::Nonsense };
        trusted = !matches!(here, Read::Nonsense);
        if trusted {
            log.close_gap(&mut gap);
        }
        rest = match here {
            Read::Entry(entry, length) => {
                log.entries.push(entry);
                &rest[length..]
            }
            Read::Nothing => &rest[1..],
            Read::End => {
                log.complete = true;
                return log;
            }
            Read::Nonsense => {
                gap += 1;
                &rest[1..]
            }
        };
    }
    log.close_gap(&mut gap);
    log
}

impl EventLog {
    /// Notes the bytes passed over so far.
    fn close_gap(&mut self, gap: &mut usize) {
        let bytes = std::mem::take(gap);
        if bytes > 0 {
            self.entries.push(LogEntry::Gap { bytes });
            self.skipped += bytes;
        }
    }
}

/// Whether decoding may begin here: not with a filler zero, and several more entries follow.
///
/// The tail of an entry is a square (up to `3f`) or decimal minutes and seconds (up to `59`), so from
/// `60` up a byte is certainly a beginning. A tail like `45 30` cannot be told from a change.
fn begins_here(mut rest: &[u8]) -> bool {
    if rest[0] < 0x40 {
        return false;
    }
    for _ in 0..IN_A_ROW {
        if rest.is_empty() {
            return true;
        }
        match read(rest) {
            Read::Entry(_, length) => rest = &rest[length..],
            Read::Nothing => rest = &rest[1..],
            Read::End => return true,
            // Perhaps the bytes end in the middle of an entry.
            Read::Nonsense => return rest.len() < LONGEST,
        }
    }
    true
}

/// Reads what stands at the front of `rest`, which is not empty.
fn read(rest: &[u8]) -> Read {
    let mark = |entry| Read::Entry(entry, 1);
    match *rest {
        [tag @ 0x40..=0x5f, number, ..] => match Field::new(number) {
            Some(field) => {
                let contact = Contact::from_code(tag & 0x0f);
                Read::Entry(LogEntry::Changed { field, contact, soon: tag & 0x10 != 0 }, 2)
            }
            None => Read::Nonsense,
        },
        [tag @ (0x60..=0x69 | 0x70..=0x79), minutes, seconds, ..] => {
            let side = if tag < 0x70 { ClockSide::Right } else { ClockSide::Left };
            match clock::time(tag & 0x0f, minutes, seconds) {
                Some(time) => Read::Entry(LogEntry::Halted { side, time }, 3),
                None => Read::Nonsense,
            }
        }
        [0x00 | 0x7d..=0x7f, ..] => Read::Nothing,
        [0x6a, ..] => mark(LogEntry::PowerUp),
        [0x6b, ..] => Read::End,
        [0x6c, ..] => mark(LogEntry::FourRows),
        [0x6d, ..] => mark(LogEntry::Cleared),
        [0x6e, ..] => mark(LogEntry::Downloaded),
        [0x6f, ..] => mark(LogEntry::InitialArray(Orientation::Normal)),
        [0x7a, ..] => mark(LogEntry::InitialArray(Orientation::Rotated)),
        [0x7b, ..] => mark(LogEntry::StartTag),
        [0x7c, ..] => mark(LogEntry::WatchdogReset),
        _ => Read::Nonsense,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hex(text: &str) -> Vec<u8> {
        text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
    }

    fn change(number: u8, code: u8, soon: bool) -> LogEntry {
        let field = Field::new(number).unwrap();
        LogEntry::Changed { field, contact: Contact::from_code(code), soon }
    }

    fn halted(side: ClockSide, seconds: u64) -> LogEntry {
        LogEntry::Halted { side, time: Millis::from_seconds(seconds) }
    }

    /// 1. e4 e5 with the clock, White on the left.
    const OPENING: &str = "6f 40 34 41 24 70 03 01 40 0c 47 1c 60 03 03 6b";

    fn opening() -> Vec<LogEntry> {
        vec![
            LogEntry::InitialArray(Orientation::Normal),
            change(0x34, 0, false),
            change(0x24, 1, false),
            halted(ClockSide::Left, 181),
            change(0x0c, 0, false),
            change(0x1c, 7, false),
            halted(ClockSide::Right, 183),
        ]
    }

    #[test]
    fn the_example_of_the_protocol_text() {
        let log = decode(&hex(OPENING));
        assert_eq!(log, EventLog { entries: opening(), skipped: 0, complete: true });
        let log = decode(&hex("6f 40 34 51 24 6b"));
        assert_eq!(log.entries[2], change(0x24, 1, true));
    }

    #[test]
    fn marks_and_filler() {
        let log = decode(&hex("7f 7f 7f 6a 45 3c 4b 04 00 6c 6d 6e 7a 7b 7c 7d 7e 79 59 59 6b 41"));
        let expected = [
            LogEntry::PowerUp,
            change(0x3c, 5, false),
            change(0x04, 11, false),
            LogEntry::FourRows,
            LogEntry::Cleared,
            LogEntry::Downloaded,
            LogEntry::InitialArray(Orientation::Rotated),
            LogEntry::StartTag,
            LogEntry::WatchdogReset,
            halted(ClockSide::Left, 9 * 3600 + 59 * 60 + 59),
        ];
        assert_eq!(log, EventLog { entries: expected.to_vec(), skipped: 0, complete: true });
    }

    #[test]
    fn a_beginning_inside_an_entry_and_damage_are_gaps() {
        for (name, before, bytes) in [
            ("tail of a change", "34", 1),
            ("tail of a clock entry", "03 01", 2),
            ("tail of a clock entry, like a change", "59 59", 2),
        ] {
            let log = decode(&hex(&format!("{before} {OPENING}")));
            assert_eq!(log.entries[0], LogEntry::Gap { bytes }, "{name}");
            assert_eq!(log.entries[1..], opening(), "{name}");
            assert_eq!(log.skipped, bytes, "{name}");
        }
        // A damaged square in the middle.
        let log = decode(&hex("6a 6e 6e 6f 40 34 41 64 40 0c 47 1c 6e 6e 6b"));
        assert_eq!(log.entries[4..6], [change(0x34, 0, false), LogEntry::Gap { bytes: 2 }]);
        assert_eq!(log.entries[6], change(0x0c, 0, false));
        // The end is missing, in the middle of an entry.
        let log = decode(&hex("6f 40 34 41 24 70 03"));
        assert!(!log.complete);
        assert_eq!(log.entries.last(), Some(&LogEntry::Gap { bytes: 2 }));
        assert_eq!(decode(&[]), EventLog::default());
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_bad(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let log = decode(&bytes);
            prop_assert!(log.skipped <= bytes.len());
            prop_assert!(log.entries.len() <= bytes.len());
        }

        #[test]
        fn a_damaged_byte_loses_little(
            damage in 0_u8..0x80,
            at in any::<prop::sample::Index>(),
        ) {
            // Forty times the opening; a damaged byte must leave all but a few entries as they were.
            let game = hex(OPENING);
            let mut bytes: Vec<u8> = game[..game.len() - 1].repeat(40);
            let whole = decode(&bytes).entries.len();
            let at = at.index(bytes.len());
            prop_assume!(damage != 0x6b);
            bytes[at] = damage;
            let log = decode(&bytes);
            prop_assert!(log.entries.len() + 12 >= whole, "{} of {whole}", log.entries.len());
        }
    }
}
