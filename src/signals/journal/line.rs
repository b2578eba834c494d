//! One line of the journal: a JSON object whose last field is a checksum of all that stands before it.
//!
//! `{"event":"move",…,"seq":7,"prev":5,"crc":"0a1b2c3d"}`: `prev` is the number of the line before it
//! in the same board's journal (0: there was none), whether or not that line reached the disk, so that
//! a missing line is noticed. `crc` is the CRC-32 of ISO 3309 over the bytes from the brace to the
//! digit before the last comma, in eight hex digits. Readers that only want the event ignore both.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// What follows the checked part of a line: `,"crc":"01234567"}`.
const TAIL: usize = MARK.len() + DIGITS + CLOSE.len();
const MARK: &[u8] = br#","crc":""#;
const DIGITS: usize = 8;
const CLOSE: &[u8] = br#""}"#;

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// It has no end.
    #[error("the line is cut short")]
    Torn,
    /// It does not end as a line of a journal does.
    #[error("there is no checksum at its end: not a line of a journal, or a damaged one")]
    Unsealed,
    /// The checksum is another.
    #[error("its checksum is {got:08x}, the line says {said:08x}: it was changed")]
    Checksum {
        /// Of the bytes.
        got: u32,
        /// As written.
        said: u32,
    },
    /// The checksum is right, but it is no object with the fields every line has.
    #[error("it is no JSON object with `seq` and `prev`")]
    Malformed,
    /// It is longer than any line that is written.
    #[error("it is longer than any line of a journal")]
    TooLong,
}

/// A whole line, read back.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// Its number.
    pub seq: u64,
    /// The number of the line before it of the same board, 0 for the first.
    pub prev: u64,
    /// The object without `prev` and `crc`.
    pub object: Map<String, Value>,
}

/// The object as a line, without a line end.
pub fn seal(object: &Map<String, Value>, prev: u64) -> String {
    // Strings, numbers and lists of them: nothing that JSON cannot say.
    let mut text = serde_json::to_string(object).unwrap_or_default();
    // The object's own brace, not that of its last field.
    text.pop();
    if text.len() > 1 {
        text.push(',');
    }
    // Writing to a String cannot fail.
    let _ = write!(text, "\"prev\":{prev}");
    let crc = crc32(text.as_bytes());
    let _ = write!(text, ",\"crc\":\"{crc:08x}\"}}");
    text
}

/// Checks and reads a line, given without its line end.
pub fn open(bytes: &[u8]) -> Result<Opened, LineFault> {
    let (checked, tail) =
        bytes.len().checked_sub(TAIL).map(|at| bytes.split_at(at)).ok_or(LineFault::Unsealed)?;
    let digits = tail
        .strip_prefix(MARK)
        .and_then(|rest| rest.strip_suffix(CLOSE))
        .and_then(|digits| std::str::from_utf8(digits).ok())
        .filter(|digits| digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)))
        .ok_or(LineFault::Unsealed)?;
    let said = u32::from_str_radix(digits, 16).map_err(|_| LineFault::Unsealed)?;
    let got = crc32(checked);
    if got != said {
        return Err(LineFault::Checksum { got, said });
    }
    let mut object: Map<String, Value> =
        serde_json::from_slice(bytes).map_err(|_| LineFault::Malformed)?;
    object.shift_remove("crc");
    let prev = object.shift_remove("prev").as_ref().and_then(Value::as_u64);
    let seq = object.get("seq").and_then(Value::as_u64);
    match (seq, prev) {
        (Some(seq), Some(prev)) => Ok(Opened { seq, prev, object }),
        _ => Err(LineFault::Malformed),
    }
}

/// CRC-32 of ISO 3309 (reflected polynomial `edb88320`): finds every change of up to 32 neighbouring
/// bits.
pub fn crc32(bytes: &[u8]) -> u32 {
    let crc = bytes.iter().fold(u32::MAX, |crc, byte| {
        let low = crc.to_le_bytes()[0];
        TABLE[usize::from(low ^ byte)] ^ (crc >> 8)
    });
    !crc
}

const TABLE: [u32; 256] = table();

#[expect(clippy::cast_possible_truncation, reason = "0 to 255")]
const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut crc = at as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object() -> Map<String, Value> {
        serde_json::from_str(
            r#"{"event":"attention","text":"a \"}\" ü","list":[{"a":{}}],"seq":7}"#,
        )
        .unwrap()
    }

    #[test]
    fn the_check_value_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_line_is_plain_json_and_comes_back_whole() {
        let text = seal(&object(), 5);
        let plain: Map<String, Value> = serde_json::from_str(&text).unwrap();
        assert_eq!(plain["text"], "a \"}\" ü");
        assert_eq!(open(text.as_bytes()), Ok(Opened { seq: 7, prev: 5, object: object() }));
        let nested: Map<String, Value> = serde_json::from_str(r#"{"seq":1,"b":{"a":{}}}"#).unwrap();
        assert_eq!(open(seal(&nested, 0).as_bytes()).unwrap().object, nested);
        let empty = seal(&Map::new(), 0);
        assert_eq!(open(empty.as_bytes()), Err(LineFault::Malformed), "{empty}");
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let text = seal(&object(), 5);
        let mut bytes = text.clone().into_bytes();
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(open(&bytes).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        for cut in 0..bytes.len() {
            assert!(open(&bytes[..cut]).is_err(), "{cut} bytes");
        }
    }
}
