//! The record on disk: one file of JSON lines a board, only ever added to.
//!
//! A line is on its way to the disk before the signal it belongs to leaves. A disk that cannot be
//! written is said once; the games go on, lines wait for it in memory as long as there is room, and
//! those for which there was none are named.

pub mod files;
pub mod line;
pub mod read;
mod writer;

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Sender, channel},
    },
    thread,
};

use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};
use tracing::error;

use self::{
    line::Opened as OpenedLine,
    read::{Damage, LONGEST_LINE, Next, Reader},
    writer::{Batch, Writer},
};
use super::recover::Recovery;
use crate::{laws::text::Language, units::BoardId};

/// Bytes of lines that may wait for a disk that does not answer, or cannot be written, before lines
/// are given up.
pub const MOST_WAITING: usize = 8 << 20;

/// Bytes of full files that are kept of a board, unless the configuration says otherwise.
pub const MOST_KEPT: u64 = 16 << 20;

/// A line of the journal.
#[derive(Clone, Debug)]
pub struct Line {
    /// The board whose file it goes to.
    pub board: BoardId,
    /// Its number.
    pub seq: u64,
    /// The sealed JSON object, without a line end.
    pub text: String,
    /// Whether it must be on the disk itself before signals leave. Others follow in a few seconds:
    /// they survive the end of the program at once, that of the machine a little later.
    pub durable: bool,
    /// From now on the board's lines before this number are no longer needed to rebuild its games.
    pub needs: Option<u64>,
}

/// Lines that were given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The board.
    pub board: BoardId,
    /// The number of the first.
    pub first: u64,
    /// The number of the last.
    pub last: u64,
    /// How many there were.
    pub count: u64,
}

/// What the journal has to say of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Lines cannot be written; told once until they can again.
    Failing {
        /// The board whose line it was.
        board: BoardId,
        /// What is wrong, with the file.
        why: String,
    },
    /// All that waited is written.
    Working {
        /// The board that failed first.
        board: BoardId,
        /// What had to be given up meanwhile.
        lost: Vec<Lost>,
    },
}

/// What an existing journal knows when the daemon starts.
#[derive(Debug, Default)]
pub struct Opened {
    /// Random, made with the journal; empty when it could not be read or made.
    pub id: String,
    /// The highest sequence number on disk, 0 in a new journal.
    pub last: u64,
    /// What it remembers.
    pub recovery: Recovery,
    /// Damaged files, and where they are kept now if they could be.
    pub mended: Vec<(PathBuf, io::Result<PathBuf>)>,
    /// Why it cannot be read, if so. It is written as soon as it can be.
    pub trouble: Option<io::Error>,
}

/// The writing end; its work is done by a thread of its own.
#[derive(Debug)]
pub struct Journal {
    batches: Option<Sender<Batch>>,
    thread: Option<thread::JoinHandle<()>>,
    waiting: Arc<AtomicUsize>,
    given_up: Vec<Lost>,
    notices: Option<mpsc::UnboundedReceiver<Notice>>,
}

impl Journal {
    /// Opens the journal under `directory`, making it if it is new.
    pub fn open(directory: &Path) -> io::Result<(Journal, Opened)> {
        Journal::open_bounded(directory, MOST_KEPT, &Language::default())
    }

    /// Opens the journal under `directory`, making it if it is new. Of each board files of so many
    /// bytes are kept, and those that the last game needs. Open alerts are told in `language`.
    ///
    /// Fails only when there can be no thread: a journal that cannot be read or written is tried again
    /// with every line.
    pub fn open_bounded(
        directory: &Path,
        most_kept: u64,
        language: &Language,
    ) -> io::Result<(Journal, Opened)> {
        let opened = read(directory, language);
        let (batches, receiver) = channel();
        let (notices_tx, notices) = mpsc::unbounded_channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let games = opened.recovery.boards.iter();
        let games = games
            .map(|(board, memory)| (board.clone(), memory.needed_from()))
            .filter(|(_, from)| *from > 0)
            .collect();
        let writer =
            Writer::new(directory.into(), most_kept, games, Arc::clone(&waiting), notices_tx);
        let thread =
            thread::Builder::new().name("journal".into()).spawn(move || writer.run(&receiver))?;
        let journal = Journal {
            batches: Some(batches),
            thread: Some(thread),
            waiting,
            given_up: Vec::new(),
            notices: Some(notices),
        };
        Ok((journal, opened))
    }

    /// What the journal says of itself, for the one who tells it; once.
    pub fn notices(&mut self) -> Option<mpsc::UnboundedReceiver<Notice>> {
        self.notices.take()
    }

    /// Hands lines to the disk. The receiver resolves when they are written, or wait for a disk that
    /// cannot be written.
    pub fn write(&mut self, lines: Vec<Line>) -> oneshot::Receiver<()> {
        let (done, written) = oneshot::channel();
        let Some(batches) = &self.batches else { return written };
        let size: usize = lines.iter().map(|line| line.text.len()).sum();
        if self.waiting.load(Ordering::Relaxed) > MOST_WAITING {
            for line in &lines {
                note_lost(&mut self.given_up, line);
            }
            return written;
        }
        self.waiting.fetch_add(size, Ordering::Relaxed);
        let given_up = std::mem::take(&mut self.given_up);
        if batches.send(Batch { lines, given_up, done }).is_err() {
            error!("journal: the writing thread is gone");
        }
        written
    }

    /// Waits until all lines are on disk, or cannot be.
    pub fn close(mut self) {
        self.batches = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            error!("journal: the writing thread failed");
        }
    }
}

fn note_lost(lost: &mut Vec<Lost>, line: &Line) {
    if let Some(lost) = lost.iter_mut().find(|lost| lost.board == line.board) {
        lost.last = line.seq;
        lost.count += 1;
    } else {
        let (board, seq) = (line.board.clone(), line.seq);
        lost.push(Lost { board, first: seq, last: seq, count: 1 });
    }
}

/// Reads a whole journal back, as far as it can be, and mends what is damaged.
fn read(directory: &Path, language: &Language) -> Opened {
    let mut opened = Opened { recovery: Recovery::new(language.clone()), ..Opened::default() };
    match fs::create_dir_all(directory).and_then(|()| read_or_make_id(&directory.join("id"))) {
        Ok(id) => opened.id = id,
        Err(e) => opened.trouble = Some(e),
    }
    match files::by_board(directory) {
        Ok(boards) => {
            for (board, paths) in boards {
                read_board(&board, &paths, &mut opened.recovery, &mut opened.mended);
            }
        }
        Err(e) => drop(opened.trouble.get_or_insert(e)),
    }
    let last = opened.recovery.boards.values().map(|memory| memory.last).max();
    opened.last = last.unwrap_or(0);
    opened
}

/// Reads what one board's files remember.
pub fn read_one(directory: &Path, board: &BoardId) -> io::Result<Recovery> {
    let mut recovery = Recovery::default();
    if let Some(paths) = files::by_board(directory)?.get(board) {
        read_board(board, paths, &mut recovery, &mut Vec::new());
    }
    Ok(recovery)
}

fn read_board(
    board: &BoardId,
    paths: &[PathBuf],
    recovery: &mut Recovery,
    mended: &mut Vec<(PathBuf, io::Result<PathBuf>)>,
) {
    let mut last = None;
    for path in paths {
        let mut damaged = false;
        let whole = read_file(path, &mut last, |next| match next {
            Next::Line(opened) => recovery.line(board, &opened),
            Next::Damage(damage) => {
                damaged |= damage.bytes > 0;
                recovery.damage(board, damage);
            }
        });
        match whole {
            Ok(()) if damaged => mended.push((path.clone(), files::mend(path))),
            Ok(()) => {}
            Err(e) => {
                let unread = Damage {
                    file: path.clone(),
                    line: 0,
                    byte: 0,
                    bytes: 0,
                    what: read::Wrong::Unread(e.kind()),
                };
                recovery.damage(board, unread);
            }
        }
    }
}

fn read_file(path: &Path, last: &mut Option<u64>, mut take: impl FnMut(Next)) -> io::Result<()> {
    let mut reader = Reader::new(BufReader::new(File::open(path)?), path.into(), *last);
    while let Some(next) = reader.read_next()? {
        take(next);
    }
    *last = reader.last();
    Ok(())
}

fn read_or_make_id(path: &Path) -> io::Result<String> {
    match fs::read_to_string(path) {
        Ok(text) if !text.trim().is_empty() => return Ok(text.trim().to_owned()),
        Ok(_) => {}
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(e) => return Err(e),
    }
    let id = zbus::Guid::generate().to_string();
    super::pgn_files::write_whole(path, format!("{id}\n").as_bytes())?;
    Ok(id)
}

/// Reads back the records with `after < seq < before` that `keep` lets through, the lowest `limit`
/// of them, lowest first, and whether there are more. Lines that are not whole are passed over: they
/// were told of when the daemon started.
pub fn read_back(
    directory: &Path,
    after: u64,
    before: u64,
    limit: usize,
    keep: impl Fn(&Map<String, Value>) -> bool,
) -> io::Result<(Vec<Map<String, Value>>, bool)> {
    let mut found: BTreeMap<u64, Map<String, Value>> = BTreeMap::new();
    let mut more = false;
    for path in files::by_board(directory)?.into_values().flatten() {
        let mut reader = BufReader::new(File::open(&path)?);
        let mut line = Vec::new();
        loop {
            line.clear();
            if reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            let text = line.strip_suffix(b"\n").unwrap_or(&line);
            let Ok(OpenedLine { seq, object, .. }) = line::open(text) else { continue };
            if seq <= after || seq >= before || !keep(&object) {
                continue;
            }
            found.insert(seq, object);
            if found.len() > limit {
                found.pop_last();
                more = true;
                // Within a file numbers only grow.
                if found.last_key_value().is_none_or(|(last, _)| *last < seq) {
                    break;
                }
            }
        }
    }
    Ok((found.into_values().collect(), more))
}

#[cfg(test)]
mod tests;
