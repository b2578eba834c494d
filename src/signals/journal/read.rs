//! Reading a journal back: whole lines, and what is wrong between them, with file, line and byte.
//!
//! Nothing is skipped in silence. One line at a time is in memory, however large the file is.

use std::{
    fmt,
    io::{self, BufRead, Read as _},
    path::PathBuf,
};

use super::line::{self, LineFault, Opened};

/// The longest line; longer ones are passed over.
pub const LONGEST_LINE: u64 = 64 * 1024;

/// Something that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: u64,
    /// Where in the file the line begins.
    pub byte: u64,
    /// How many bytes were passed over.
    pub bytes: u64,
    /// What is wrong.
    pub what: Wrong,
}

/// What is wrong at a place of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// A line cannot be used.
    #[error("{0}")]
    Line(#[from] LineFault),
    /// Whole lines are not there.
    #[error("lines between number {after} and number {before} are missing")]
    Missing {
        /// The last number before the hole, 0 when nothing comes before it.
        after: u64,
        /// The first number after it.
        before: u64,
    },
    /// A line that was read before, or that belongs before one that was read.
    #[error("number {seq} comes after number {last}: a line out of its place is not used")]
    Misplaced {
        /// Its number.
        seq: u64,
        /// The highest number before it.
        last: u64,
    },
    /// The file, or the rest of it, cannot be read.
    #[error("cannot be read on: {0}")]
    Unread(io::ErrorKind),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, line {}, byte {}: {}",
            self.file.display(),
            self.line,
            self.byte,
            self.what
        )?;
        match self.bytes {
            0 => Ok(()),
            1 => write!(f, " (1 byte is passed over)"),
            bytes => write!(f, " ({bytes} bytes are passed over)"),
        }
    }
}

/// What a file says next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// A whole line and its bytes, without the line end.
    Line(Opened),
    /// Something else.
    Damage(Damage),
}

/// Reads one file.
#[derive(Debug)]
pub struct Reader<R> {
    from: R,
    file: PathBuf,
    line: u64,
    byte: u64,
    /// The number of the last whole line of this board, in the file before too.
    last: Option<u64>,
    raw: Vec<u8>,
    held: Option<Opened>,
}

impl<R: BufRead> Reader<R> {
    /// A reader of a file that follows one that ended with number `last`.
    pub fn new(from: R, file: PathBuf, last: Option<u64>) -> Reader<R> {
        Reader { from, file, line: 0, byte: 0, last, raw: Vec::new(), held: None }
    }

    /// The number of the last whole line.
    pub fn last(&self) -> Option<u64> {
        self.last
    }

    /// The bytes of the line that was read last, with its line end if it has one.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Goes on to the next line, `None` at the end.
    pub fn read_next(&mut self) -> io::Result<Option<Next>> {
        if let Some(opened) = self.held.take() {
            return Ok(Some(Next::Line(opened)));
        }
        let begin = self.byte;
        self.raw.clear();
        let taken = self.from.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut self.raw)?;
        if taken == 0 {
            return Ok(None);
        }
        self.line += 1;
        self.byte += taken as u64;
        let whole = self.raw.ends_with(b"\n");
        if !whole && taken as u64 > LONGEST_LINE {
            self.byte += pass_over_line(&mut self.from)?;
            let bytes = self.byte - begin;
            return Ok(Some(self.damage(begin, bytes, LineFault::TooLong.into())));
        }
        let text = self.raw.strip_suffix(b"\n").unwrap_or(&self.raw);
        // A whole line without its line end was written whole; what follows begins a new one.
        let opened = match line::open(text) {
            Ok(opened) => opened,
            Err(fault) => {
                let fault = if whole { fault } else { LineFault::Torn };
                return Ok(Some(self.damage(begin, taken as u64, fault.into())));
            }
        };
        let Opened { seq, prev, .. } = opened;
        let last = self.last.unwrap_or(0);
        if self.last.is_some() && seq <= last || seq <= prev {
            let wrong = Wrong::Misplaced { seq, last };
            return Ok(Some(self.damage(begin, taken as u64, wrong)));
        }
        // The oldest file there is need not begin at the beginning.
        let hole = self.last.is_some_and(|last| last != prev);
        self.last = Some(seq);
        if hole {
            self.held = Some(opened);
            let wrong = Wrong::Missing { after: last, before: seq };
            return Ok(Some(self.damage(begin, 0, wrong)));
        }
        Ok(Some(Next::Line(opened)))
    }

    fn damage(&self, byte: u64, bytes: u64, what: Wrong) -> Next {
        Next::Damage(Damage { file: self.file.clone(), line: self.line, byte, bytes, what })
    }
}

fn pass_over_line(from: &mut impl BufRead) -> io::Result<u64> {
    let mut passed = 0;
    loop {
        let buffer = from.fill_buf()?;
        if buffer.is_empty() {
            return Ok(passed);
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let count = end.map_or(buffer.len(), |at| at + 1);
        from.consume(count);
        passed += count as u64;
        if end.is_some() {
            return Ok(passed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(numbers: &[(u64, u64)]) -> Vec<String> {
        let object =
            |seq: u64| serde_json::from_str(&format!(r#"{{"event":"link","seq":{seq}}}"#)).unwrap();
        numbers.iter().map(|&(seq, prev)| line::seal(&object(seq), prev)).collect()
    }

    /// Line, byte, bytes passed over, what is wrong.
    type Place = (u64, u64, u64, Wrong);

    fn read(bytes: &[u8]) -> (Vec<u64>, Vec<Place>) {
        let mut reader = Reader::new(bytes, "f".into(), None);
        let (mut numbers, mut wrong) = (Vec::new(), Vec::new());
        while let Some(next) = reader.read_next().unwrap() {
            match next {
                Next::Line(opened) => numbers.push(opened.seq),
                Next::Damage(d) => wrong.push((d.line, d.byte, d.bytes, d.what)),
            }
        }
        (numbers, wrong)
    }

    #[test]
    fn whole_lines_and_what_is_wrong_between_them() {
        let lines = text(&[(3, 0), (5, 3), (9, 5), (10, 9)]);
        let length = |n: usize| lines[n].len() as u64 + 1;
        let all = lines.join("\n") + "\n";
        assert_eq!(read(all.as_bytes()), (vec![3, 5, 9, 10], vec![]));
        assert_eq!(read(b""), (vec![], vec![]));
        // A whole last line whose line end is missing was written whole.
        assert_eq!(read(all.trim_end().as_bytes()).0, [3, 5, 9, 10]);
        let cut = &all.as_bytes()[..all.len() - 5];
        let torn = (4, length(0) + length(1) + length(2), length(3) - 5, LineFault::Torn.into());
        assert_eq!(read(cut), (vec![3, 5, 9], vec![torn]));
        // The second line is not there.
        let hole = [&lines[0], &lines[2], &lines[3]].map(String::as_str).join("\n");
        let missing = Wrong::Missing { after: 3, before: 9 };
        assert_eq!(read(hole.as_bytes()), (vec![3, 9, 10], vec![(2, length(0), 0, missing)]));
        // It was changed: the line itself, and the hole it leaves.
        let mut changed = all.clone().into_bytes();
        let at = lines[0].len() + 10;
        changed[at] ^= 4;
        let (numbers, wrong) = read(&changed);
        assert_eq!(numbers, [3, 9, 10]);
        assert!(
            matches!(
                wrong[..],
                [
                    (2, _, _, Wrong::Line(LineFault::Checksum { .. })),
                    (3, _, 0, Wrong::Missing { .. })
                ]
            ),
            "{wrong:?}"
        );
        // Twice the same.
        let twice = format!("{all}{all}");
        let (numbers, wrong) = read(twice.as_bytes());
        assert_eq!((numbers.len(), wrong.len()), (4, 4));
        assert_eq!(wrong[0].3, Wrong::Misplaced { seq: 3, last: 10 });
    }

    #[test]
    fn foreign_bytes_of_any_length_are_passed_over_by_the_line() {
        let lines = text(&[(1, 0), (2, 1)]);
        let mut bytes = format!("{}\n", lines[0]).into_bytes();
        bytes.extend(std::iter::repeat_n(0_u8, 300_000));
        bytes.push(b'\n');
        bytes.extend(lines[1].as_bytes());
        let (numbers, wrong) = read(&bytes);
        assert_eq!(numbers, [1, 2]);
        let at = lines[0].len() as u64 + 1;
        assert_eq!(wrong, [(2, at, 300_001, LineFault::TooLong.into())]);
    }
}
