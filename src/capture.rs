//! Recordings of a board's line: `.dgtlog` text files, and plain binary dumps.
//!
//! In: a file's lines or bytes. Out: records with their times; and records to text. Refuses to know:
//! what the bytes mean.
//!
//! ```text
//! # dgtd capture 1
//! # board: 12
//! 0.000000 ! connected
//! 0.000120 > 40
//! 1.500000 < 8e 00 05 34 00
//! 9.000000 ! disconnected
//! ```
//!
//! Seconds since the start with up to nine decimals, never decreasing; `<` board to host, `>` host to
//! board, `!` link event; bytes as two hex digits with spaces between. A `<` line may hold any portion of
//! the stream. Files are read line by line, so their size does not matter.
//!
//! `#` starts a comment line. Comments mean nothing, but for two before the first record:
//!
//! ```text
//! # board: 12
//! # start: 8/8/4k3/8/8/3K4/6P1/8 w - - 0 60
//! ```
//!
//! `board` names the board. `start` is the first position of the first game, as FEN: what the arbiter
//! would have given by `NewGame`, because squares show neither side to move nor counters.

use std::{
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::Path,
};

use crate::{arbiter::Refusal, units::Stamp};

/// The longest line that is read, in bytes. Over twenty times the longest message.
const LINE_MAX: usize = 512 * 1024;

/// The most bytes written in one line.
const CHUNK: usize = 4096;

/// Time on the wire of one byte at 9600 baud, 8N1, in nanoseconds.
const BYTE_NANOS: u64 = 1_041_667;

/// One thing that happened on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// When, since the start of the capture.
    pub at: Stamp,
    /// What.
    pub what: What,
}

/// What a record tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// `<`: bytes the board sent.
    FromBoard(Vec<u8>),
    /// `>`: bytes the host sent.
    ToBoard(Vec<u8>),
    /// `! connected`: the port was opened.
    Connected,
    /// `! disconnected`: the port is gone.
    Disconnected,
    /// `!` and any other word: a remark that changes nothing.
    Remark(String),
}

/// Why a capture cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// A line that is not a record.
    #[error("{file}:{line}: {fault}")]
    Line {
        /// Name of the file, as given.
        file: String,
        /// Number of the line, from 1.
        line: u64,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The first position that the file names is none a game can have.
    #[error("{file}: the comment `# start:` is of no use; mend it or take it out")]
    Start {
        /// Name of the file, as given.
        file: String,
        /// What is wrong with the position.
        source: Refusal,
    },
    /// The file cannot be read on.
    #[error("cannot read {file}")]
    Read {
        /// Name of the file, as given.
        file: String,
        /// What the system says.
        source: io::Error,
    },
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The first word is not a time.
    #[error("{0:?} is not a time, expected seconds with up to nine decimals, like 12.250000")]
    Time(String),
    /// The time is before that of the line before.
    #[error("time {got} is before the {last} of an earlier line; times must not decrease")]
    Backwards {
        /// Time of this line.
        got: Seconds,
        /// The latest time before it.
        last: Seconds,
    },
    /// The second word is no direction.
    #[error("{0:?} is not a direction, expected `<`, `>` or `!` after the time")]
    Direction(String),
    /// A byte is not two hex digits.
    #[error("byte {number} is {got:?}, expected two hex digits")]
    Byte {
        /// Which byte of the line, from 1.
        number: usize,
        /// What stands there.
        got: String,
    },
    /// Nothing follows the direction.
    #[error("nothing after `{0}`, expected bytes in hex, or a word after `!`")]
    Empty(char),
    /// The file is not text, or this line is damaged.
    #[error("the line is not text; a plain binary dump of a port is read with --raw")]
    NotText,
    /// The line is longer than the limit.
    #[error("the line is longer than {LINE_MAX} bytes")]
    TooLong,
}

/// A moment written as a capture writes it: seconds with six or, where needed, nine decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds(pub Stamp);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.as_nanos();
        let (whole, fraction) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
        if fraction % 1_000 == 0 {
            write!(f, "{whole}.{:06}", fraction / 1_000)
        } else {
            write!(f, "{whole}.{fraction:09}")
        }
    }
}

/// Reads a `.dgtlog`, one record at a time.
///
/// A reader made [`Reader::lenient`] skips lines that are not records and counts them; else the first
/// one is an error. Either way reading may go on after an error in a line.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    file: String,
    line: u64,
    last: Stamp,
    lenient: bool,
    skipped: u64,
    board: Option<String>,
    start: Option<String>,
    begun: bool,
    buffer: Vec<u8>,
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader of this source; `file` is its name in errors.
    pub fn new(source: R, file: impl Into<String>) -> Reader<R> {
        Reader {
            source,
            file: file.into(),
            line: 0,
            last: Stamp::ZERO,
            lenient: false,
            skipped: 0,
            board: None,
            start: None,
            begun: false,
            buffer: Vec::new(),
            failed: false,
        }
    }

    /// Skips and counts lines that are not records instead of reporting them.
    #[must_use]
    pub fn lenient(mut self, lenient: bool) -> Reader<R> {
        self.lenient = lenient;
        self
    }

    /// Lines skipped so far.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Value of the comment `# board: …`, once it has been read.
    pub fn board(&self) -> Option<&str> {
        self.board.as_deref()
    }

    /// Value of the comment `# start: …` before the first record: the first position, as FEN. It is
    /// known once the first record has been read, and not checked.
    pub fn start(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// Number of the line read last, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    fn next_record(&mut self) -> Result<Option<Record>, CaptureError> {
        loop {
            let fault = match self.next_line() {
                Err(source) => {
                    self.failed = true;
                    return Err(CaptureError::Read { file: self.file.clone(), source });
                }
                Ok(None) => return Ok(None),
                Ok(Some(Err(fault))) => fault,
                Ok(Some(Ok(()))) => match self.read_buffer() {
                    Ok(None) => continue,
                    Ok(Some(record)) => return Ok(Some(record)),
                    Err(fault) => fault,
                },
            };
            if !self.lenient {
                return Err(CaptureError::Line { file: self.file.clone(), line: self.line, fault });
            }
            self.skipped += 1;
        }
    }

    /// Fills the buffer with the next line, without its end. `None` at the end of the file.
    fn next_line(&mut self) -> io::Result<Option<Result<(), Fault>>> {
        self.buffer.clear();
        let mut any = false;
        let mut too_long = false;
        loop {
            let portion = match self.source.fill_buf() {
                Ok(portion) => portion,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if portion.is_empty() {
                break;
            }
            if !any {
                any = true;
                self.line += 1;
            }
            let end = portion.iter().position(|byte| *byte == b'\n');
            let text = &portion[..end.unwrap_or(portion.len())];
            too_long |= self.buffer.len() + text.len() > LINE_MAX;
            if !too_long {
                self.buffer.extend_from_slice(text);
            }
            let used = end.map_or(portion.len(), |end| end + 1);
            self.source.consume(used);
            if end.is_some() {
                break;
            }
        }
        Ok(any.then_some(if too_long { Err(Fault::TooLong) } else { Ok(()) }))
    }

    /// Reads the line in the buffer. `None` for comments and empty lines.
    fn read_buffer(&mut self) -> Result<Option<Record>, Fault> {
        let line = self.buffer.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.buffer).trim_ascii();
        if line.is_empty() {
            return Ok(None);
        }
        if let Some(comment) = line.strip_prefix(b"#") {
            let comment = comment.trim_ascii_start();
            if let Some(name) = comment.strip_prefix(b"board:") {
                self.board = Some(shown(name.trim_ascii()));
            }
            if let Some(fen) = comment.strip_prefix(b"start:").filter(|_| !self.begun) {
                self.start = Some(String::from_utf8_lossy(fen.trim_ascii()).into_owned());
            }
            return Ok(None);
        }
        let plain = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        let record = parse(line)
            .map_err(|fault| if line.iter().all(plain) { fault } else { Fault::NotText })?;
        if record.at < self.last {
            return Err(Fault::Backwards { got: Seconds(record.at), last: Seconds(self.last) });
        }
        self.last = record.at;
        self.begun = true;
        Ok(Some(record))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, CaptureError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed { None } else { self.next_record().transpose() }
    }
}

/// Reads one line that is not empty and no comment.
fn parse(line: &[u8]) -> Result<Record, Fault> {
    let (time, rest) = word(line);
    let at = seconds(time).ok_or_else(|| Fault::Time(shown(time)))?;
    let (direction, rest) = word(rest);
    let what = match direction {
        b"<" => What::FromBoard(bytes(rest, '<')?),
        b">" => What::ToBoard(bytes(rest, '>')?),
        b"!" => match rest {
            b"" => return Err(Fault::Empty('!')),
            b"connected" => What::Connected,
            b"disconnected" => What::Disconnected,
            other => What::Remark(shown(other)),
        },
        other => return Err(Fault::Direction(shown(other))),
    };
    Ok(Record { at, what })
}

/// The first word, and what follows it without the space between.
fn word(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    (word, rest.trim_ascii_start())
}

/// Decimal seconds with up to nine decimals.
fn seconds(text: &[u8]) -> Option<Stamp> {
    let mut parts = text.splitn(2, |byte| *byte == b'.');
    let whole = digits(parts.next()?)?;
    let fraction = match parts.next() {
        None => 0,
        Some(decimals) if decimals.len() <= 9 => {
            let scale = 10_u64.pow(u32::try_from(9 - decimals.len()).ok()?);
            digits(decimals)? * scale
        }
        Some(_) => return None,
    };
    Some(Stamp::from_nanos(whole.checked_mul(1_000_000_000)?.checked_add(fraction)?))
}

/// Decimal digits, at least one, and nothing else.
fn digits(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

fn bytes(text: &[u8], direction: char) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::with_capacity(text.len() / 3 + 1);
    for got in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        let byte = match *got {
            [high, low] => hex(high).zip(hex(low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        let number = bytes.len() + 1;
        bytes.push(byte.ok_or_else(|| Fault::Byte { number, got: shown(got) })?);
    }
    if bytes.is_empty() { Err(Fault::Empty(direction)) } else { Ok(bytes) }
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// Text from a file, fit to be printed in a message: at most forty characters.
fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut characters = text.chars();
    let mut shown: String = characters.by_ref().take(40).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Writes a `.dgtlog`.
#[derive(Debug)]
pub struct Writer<W> {
    target: W,
    last: Stamp,
}

impl<W: Write> Writer<W> {
    /// Begins a capture.
    pub fn new(mut target: W) -> io::Result<Writer<W>> {
        writeln!(target, "# dgtd capture 1")?;
        Ok(Writer { target, last: Stamp::ZERO })
    }

    /// Writes a comment line.
    pub fn comment(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            writeln!(self.target, "# {line}")?;
        }
        Ok(())
    }

    /// Writes one record. A time before that of the last record is written as that time. Records
    /// without bytes are left out, very long ones are written in several lines.
    pub fn record(&mut self, at: Stamp, what: &What) -> io::Result<()> {
        self.last = self.last.max(at);
        match what {
            What::FromBoard(bytes) => self.bytes('<', bytes),
            What::ToBoard(bytes) => self.bytes('>', bytes),
            What::Connected => writeln!(self.target, "{} ! connected", Seconds(self.last)),
            What::Disconnected => writeln!(self.target, "{} ! disconnected", Seconds(self.last)),
            What::Remark(text) => {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                match text.as_str() {
                    "" => Ok(()),
                    text => writeln!(self.target, "{} ! {text}", Seconds(self.last)),
                }
            }
        }
    }

    fn bytes(&mut self, direction: char, bytes: &[u8]) -> io::Result<()> {
        for chunk in bytes.chunks(CHUNK) {
            write!(self.target, "{} {direction}", Seconds(self.last))?;
            for byte in chunk {
                write!(self.target, " {byte:02x}")?;
            }
            writeln!(self.target)?;
        }
        Ok(())
    }

    /// Passes what has been written on to the system.
    pub fn flush(&mut self) -> io::Result<()> {
        self.target.flush()
    }

    /// The target back.
    pub fn into_inner(self) -> W {
        self.target
    }
}

/// Reads a plain binary dump of a port as if the board had sent it without a pause at 9600 baud.
///
/// A dump holds no times and nothing that the host sent. Each message becomes a record of its own,
/// so that it has a time of its own.
#[derive(Debug)]
pub struct RawReader<R> {
    source: R,
    file: String,
    offset: u64,
    state: RawState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RawState {
    Start,
    Middle,
    End,
}

impl<R: BufRead> RawReader<R> {
    /// A reader of this source; `file` is its name in errors.
    pub fn new(source: R, file: impl Into<String>) -> RawReader<R> {
        RawReader { source, file: file.into(), offset: 0, state: RawState::Start }
    }

    /// The bytes up to the next one that begins a message; empty at the end.
    fn portion(&mut self) -> io::Result<Vec<u8>> {
        let mut portion = Vec::new();
        loop {
            let bytes = match self.source.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let start = usize::from(portion.is_empty()).min(bytes.len());
            let end = bytes[start..].iter().position(|byte| *byte >= 0x80).map(|at| at + start);
            let used = end.unwrap_or(bytes.len()).min(CHUNK);
            let finished = end.is_some() || bytes.is_empty() || portion.len() + used >= CHUNK;
            portion.extend_from_slice(&bytes[..used]);
            self.source.consume(used);
            if finished {
                return Ok(portion);
            }
        }
    }
}

impl<R: BufRead> Iterator for RawReader<R> {
    type Item = Result<Record, CaptureError>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = |offset: u64| Stamp::from_nanos(offset.saturating_mul(BYTE_NANOS));
        match self.state {
            RawState::Start => {
                self.state = RawState::Middle;
                Some(Ok(Record { at: Stamp::ZERO, what: What::Connected }))
            }
            RawState::Middle => match self.portion() {
                Ok(bytes) if bytes.is_empty() => {
                    self.state = RawState::End;
                    Some(Ok(Record { at: at(self.offset), what: What::Disconnected }))
                }
                Ok(bytes) => {
                    self.offset += bytes.len() as u64;
                    Some(Ok(Record { at: at(self.offset), what: What::FromBoard(bytes) }))
                }
                Err(source) => {
                    self.state = RawState::End;
                    Some(Err(CaptureError::Read { file: self.file.clone(), source }))
                }
            },
            RawState::End => None,
        }
    }
}

/// How a recording is written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// `.dgtlog`; the first line that is not a record is an error.
    #[default]
    Text,
    /// `.dgtlog`; lines that are not records are skipped and counted.
    LenientText,
    /// A plain binary dump of a port.
    Raw,
}

/// A recording in a file, of either kind.
#[derive(Debug)]
pub enum Recording {
    /// A `.dgtlog`.
    Text(Reader<BufReader<File>>),
    /// A plain binary dump.
    Raw(RawReader<BufReader<File>>),
}

impl Recording {
    /// Opens a file.
    pub fn open(path: &Path, format: Format) -> Result<Recording, CaptureError> {
        let name = path.display().to_string();
        let source = match File::open(path) {
            Ok(file) => BufReader::new(file),
            Err(source) => return Err(CaptureError::Read { file: name, source }),
        };
        Ok(match format {
            Format::Text => Recording::Text(Reader::new(source, name)),
            Format::LenientText => Recording::Text(Reader::new(source, name).lenient(true)),
            Format::Raw => Recording::Raw(RawReader::new(source, name)),
        })
    }

    /// Lines skipped so far.
    pub fn skipped(&self) -> u64 {
        match self {
            Recording::Text(reader) => reader.skipped(),
            Recording::Raw(_) => 0,
        }
    }

    /// The board's name, if the file gives one and it has been read.
    pub fn board(&self) -> Option<&str> {
        match self {
            Recording::Text(reader) => reader.board(),
            Recording::Raw(_) => None,
        }
    }

    /// The first position, as FEN, if the file gives one and its first record has been read.
    pub fn start(&self) -> Option<&str> {
        match self {
            Recording::Text(reader) => reader.start(),
            Recording::Raw(_) => None,
        }
    }

    /// The file's name in errors.
    pub fn file(&self) -> &str {
        match self {
            Recording::Text(reader) => &reader.file,
            Recording::Raw(reader) => &reader.file,
        }
    }
}

impl Iterator for Recording {
    type Item = Result<Record, CaptureError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Recording::Text(reader) => reader.next(),
            Recording::Raw(reader) => reader.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &[u8], lenient: bool) -> (Vec<Record>, Vec<String>, u64) {
        let mut reader = Reader::new(text, "game.dgtlog").lenient(lenient);
        let (mut records, mut errors) = (Vec::new(), Vec::new());
        for item in &mut reader {
            match item {
                Ok(record) => records.push(record),
                Err(error) => errors.push(error.to_string()),
            }
        }
        (records, errors, reader.skipped())
    }

    #[test]
    fn the_documented_example_is_read_and_written_alike() {
        let text = "# dgtd capture 1\n0.000000 ! connected\n0.000120 > 40\n0.013210 < 86 00 43 08\n\
                    1.500000123 < 8e 00 05 34 00\n8.000000 ! silent\n9.000000 ! disconnected\n";
        let (records, errors, _) = read(text.as_bytes(), false);
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(records[1].at, Stamp::from_micros(120));
        assert_eq!(records[1].what, What::ToBoard(vec![0x40]));
        assert_eq!(records[3].at, Stamp::from_nanos(1_500_000_123));
        let mut writer = Writer::new(Vec::new()).unwrap();
        for record in &records {
            writer.record(record.at, &record.what).unwrap();
        }
        assert_eq!(String::from_utf8(writer.into_inner()).unwrap(), text);
    }

    #[test]
    fn bad_lines_are_named_or_counted() {
        for (line, fault) in [
            ("x < 40", "\"x\" is not a time"),
            ("-1 < 40", "\"-1\" is not a time"),
            ("1e3 < 40", "\"1e3\" is not a time"),
            ("1. < 40", "\"1.\" is not a time"),
            ("1.0123456789 < 40", "is not a time"),
            ("99999999999999999999 < 40", "is not a time"),
            ("20000000000 < 40", "is not a time"),
            ("1.0", "\"\" is not a direction"),
            ("1.0 = 40", "\"=\" is not a direction"),
            ("1.0 <", "nothing after `<`"),
            ("1.0 !", "nothing after `!`"),
            ("1.0 < 40 4", "byte 2 is \"4\""),
            ("1.0 < 40 4g", "byte 2 is \"4g\""),
            ("1.0 < 404", "byte 1 is \"404\""),
            ("0.4 < 40", "time 0.400000 is before the 0.500000"),
            ("\u{8e}\0\u{5}", "not text; a plain binary dump of a port is read with --raw"),
        ] {
            let text = format!("0.5 < 86\n{line}\n2 < 00\n");
            let (records, errors, _) = read(text.as_bytes(), false);
            assert_eq!(errors.len(), 1, "{line}");
            assert!(errors[0].starts_with("game.dgtlog:2: "), "{}", errors[0]);
            assert!(errors[0].contains(fault), "{}", errors[0]);
            assert_eq!(records.len(), 2, "{line}");
            let (records, errors, skipped) = read(text.as_bytes(), true);
            assert_eq!((records.len(), errors.len(), skipped), (2, 0, 1), "{line}");
        }
    }

    #[test]
    fn endless_lines_are_cut_off() {
        let mut text = b"0 < 40\n1 < ".to_vec();
        text.extend(std::iter::repeat_n(b'4', LINE_MAX));
        text.extend_from_slice(b"\n2 < 41\n");
        let (records, errors, _) = read(&text, false);
        assert_eq!(records.len(), 2);
        assert!(errors[0].starts_with("game.dgtlog:2: the line is longer than"), "{}", errors[0]);
    }

    #[test]
    fn comments_line_ends_and_marks_do_not_matter() {
        let text = "\u{feff}# board: 12\r\n\r\n0.5 <  8E 00\t05\r\n# \u{e9}\r\n0.5 < 34";
        let mut reader = Reader::new(text.as_bytes(), "x");
        let records: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(reader.board(), Some("12"));
        assert_eq!(records[0].what, What::FromBoard(vec![0x8e, 0, 5]));
        assert_eq!(records[1].what, What::FromBoard(vec![0x34]));
    }

    #[test]
    fn what_is_written_can_always_be_read() {
        let mut writer = Writer::new(Vec::new()).unwrap();
        let long = vec![0x55; 3 * CHUNK + 1];
        writer.comment("board: 7\nevil\n0.0 < 99").unwrap();
        writer.record(Stamp::from_nanos(7), &What::FromBoard(long.clone())).unwrap();
        writer.record(Stamp::ZERO, &What::Remark(" two\nlines ".into())).unwrap();
        writer.record(Stamp::ZERO, &What::ToBoard(Vec::new())).unwrap();
        let (records, errors, _) = read(&writer.into_inner(), false);
        assert_eq!(errors, Vec::<String>::new());
        let bytes: Vec<u8> = records
            .iter()
            .flat_map(|record| match &record.what {
                What::FromBoard(bytes) => bytes.clone(),
                _ => Vec::new(),
            })
            .collect();
        assert_eq!(bytes, long);
        assert_eq!(records.last().unwrap().at, Stamp::from_nanos(7));
        assert_eq!(records.last().unwrap().what, What::Remark("two lines".into()));
    }

    #[test]
    fn a_binary_dump_has_a_time_for_each_message() {
        let bytes = [0x00, 0x8e, 0x00, 0x05, 0x34, 0x00, 0x8e, 0x00];
        // A source that delivers one byte at a time must make no difference.
        for capacity in [1, 2, 100] {
            let source = BufReader::with_capacity(capacity, &bytes[..]);
            let records: Vec<_> = RawReader::new(source, "x").map(Result::unwrap).collect();
            let chunks: Vec<_> = records[1..records.len() - 1]
                .iter()
                .map(|record| match &record.what {
                    What::FromBoard(bytes) => bytes.clone(),
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(chunks, [vec![0], vec![0x8e, 0, 5, 0x34, 0], vec![0x8e, 0]]);
            assert_eq!(records[2].at, Stamp::from_nanos(6 * BYTE_NANOS));
            assert_eq!(records[0].what, What::Connected);
            assert_eq!(records.last().unwrap().what, What::Disconnected);
        }
    }

    #[test]
    fn the_first_position_is_a_comment_before_the_first_record() {
        let start = |text: &str| {
            let mut reader = Reader::new(text.as_bytes(), "x");
            let first = reader.next();
            assert!(reader.all(|record| record.is_ok()) && first.is_none_or(|r| r.is_ok()));
            reader.start().map(str::to_owned)
        };
        let fen = "8/8/4k3/8/8/3K4/6P1/8 w - - 0 60";
        assert_eq!(start(&format!("# x\n#start:  {fen} \r\n0 < 40\n")).as_deref(), Some(fen));
        assert_eq!(start(&format!("0 < 40\n# start: {fen}\n1 < 40\n")), None);
        assert_eq!(start("# restart: x\n0 < 40\n"), None);
    }

    #[test]
    fn files_are_read_in_each_format() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.dgtlog");
        let error = Recording::open(&path, Format::Text).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot read {}", path.display()));
        std::fs::write(&path, "# board: 9\n0 < 40\nnoise\n1 < 41\n").unwrap();
        let kinds = |format| -> Vec<bool> {
            Recording::open(&path, format).unwrap().map(|record| record.is_ok()).collect()
        };
        assert_eq!(kinds(Format::Text), [true, false, true]);
        assert_eq!(kinds(Format::LenientText), [true, true]);
        // The text as bytes: connected, one portion without a message, disconnected.
        assert_eq!(kinds(Format::Raw), [true, true, true]);
        let mut lenient = Recording::open(&path, Format::LenientText).unwrap();
        assert_eq!(lenient.by_ref().count(), 2);
        assert_eq!((lenient.skipped(), lenient.board()), (1, Some("9")));
        // A directory opens and cannot be read.
        let mut directory = Recording::open(directory.path(), Format::Text).unwrap();
        assert!(matches!(directory.next(), Some(Err(CaptureError::Read { .. }))));
        assert!(directory.next().is_none());
    }

    proptest! {
        #[test]
        fn no_file_is_too_bad(
            bytes in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..400),
                prop::collection::vec(prop::sample::select(b"0123.< >!#4e8\n \r\tx".to_vec()), 0..400),
            ],
            capacity in 1_usize..50,
        ) {
            let source = BufReader::with_capacity(capacity, &bytes[..]);
            let strict = Reader::new(source, "x").collect::<Vec<_>>();
            let (records, errors, skipped) = read(&bytes, true);
            prop_assert_eq!(errors.len(), 0);
            prop_assert_eq!(strict.iter().filter(|item| item.is_err()).count() as u64, skipped);
            prop_assert!(records.is_sorted_by_key(|record| record.at));
            prop_assert!(records.iter().eq(strict.iter().filter_map(|item| item.as_ref().ok())));
            let raw: Vec<u8> = RawReader::new(&bytes[..], "x")
                .filter_map(|record| match record.unwrap().what {
                    What::FromBoard(bytes) => Some(bytes),
                    _ => None,
                })
                .flatten()
                .collect();
            prop_assert_eq!(raw, bytes);
        }

        #[test]
        fn records_survive_the_file(
            all in prop::collection::vec((0_u64..u64::MAX / 4, prop_oneof![
                prop::collection::vec(any::<u8>(), 1..20).prop_map(What::FromBoard),
                prop::collection::vec(any::<u8>(), 1..20).prop_map(What::ToBoard),
                Just(What::Connected),
                Just(What::Disconnected),
                Just(What::Remark("silent".into())),
            ]), 0..20),
        ) {
            let mut records: Vec<_> = all
                .into_iter()
                .map(|(nanos, what)| Record { at: Stamp::from_nanos(nanos), what })
                .collect();
            records.sort_by_key(|record| record.at);
            let mut writer = Writer::new(Vec::new()).unwrap();
            for record in &records {
                writer.record(record.at, &record.what).unwrap();
            }
            let (got, errors, _) = read(&writer.into_inner(), false);
            prop_assert_eq!(errors, Vec::<String>::new());
            prop_assert_eq!(got, records);
        }
    }
}
