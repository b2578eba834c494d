//! The record on disk: one file of JSON lines a board, only ever added to.
//!
//! A line is on its way to the disk before the signal it belongs to leaves. A disk that cannot be
//! written is said once; the games go on, and the lines that are missing are counted.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, OpenOptions},
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    thread,
    time::Duration,
};

use serde_json::{Map, Value};
use tokio::sync::oneshot;
use tracing::{error, info, warn};

use crate::units::BoardId;

/// Batches that may wait for a slow disk before lines are given up.
const QUEUE: usize = 64;

/// How long a quiet journal waits before what is not yet on the disk itself is brought there.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// How many batches a busy one takes before.
const SYNC_AFTER: u32 = 256;

/// The longest line read back; longer ones are skipped.
const LONGEST_LINE: u64 = 64 * 1024;

/// A line of the journal.
#[derive(Clone, Debug)]
pub struct Line {
    /// The board whose file it goes to.
    pub board: BoardId,
    /// The JSON object, without a line end.
    pub text: String,
    /// Whether it must be on the disk itself before signals leave. Others follow within a second:
    /// they survive the end of the program at once, that of the machine a little later.
    pub durable: bool,
}

/// What an existing journal knows when the daemon starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Random, made with the journal.
    pub id: String,
    /// The highest sequence number on disk, 0 in a new journal.
    pub last: u64,
}

/// The writing end; its work is done by a thread of its own.
#[derive(Debug)]
pub struct Journal {
    batches: Option<SyncSender<Batch>>,
    thread: Option<thread::JoinHandle<()>>,
    given_up: u64,
}

struct Batch {
    lines: Vec<Line>,
    done: oneshot::Sender<()>,
}

impl Journal {
    /// Opens the journal under `directory`, making it if it is new.
    pub fn open(directory: &Path) -> io::Result<(Journal, Opened)> {
        fs::create_dir_all(directory)?;
        let id = read_or_make_id(&directory.join("id"))?;
        let mut last = 0;
        for path in files(directory)? {
            last = last.max(last_sequence(&path)?);
        }
        let (batches, receiver) = sync_channel(QUEUE);
        let writer = Writer {
            directory: directory.into(),
            files: BTreeMap::new(),
            unsynced: BTreeSet::new(),
            lost: 0,
        };
        let thread =
            thread::Builder::new().name("journal".into()).spawn(move || writer.run(&receiver))?;
        let journal = Journal { batches: Some(batches), thread: Some(thread), given_up: 0 };
        Ok((journal, Opened { id, last }))
    }

    /// Hands lines to the disk. The receiver resolves when they are written or given up.
    pub fn write(&mut self, lines: Vec<Line>) -> oneshot::Receiver<()> {
        let (done, written) = oneshot::channel();
        let count = lines.len() as u64;
        let sent = match &self.batches {
            Some(batches) => batches.try_send(Batch { lines, done }),
            None => return written,
        };
        match sent {
            Ok(()) => {
                if self.given_up > 0 {
                    warn!(
                        lines = self.given_up,
                        "journal: the disk was too slow, lines are missing"
                    );
                    self.given_up = 0;
                }
            }
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => self.given_up += count,
        }
        written
    }

    /// Waits until all lines are on disk.
    pub fn close(mut self) {
        self.batches = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            error!("journal: the writing thread failed");
        }
    }
}

struct Writer {
    directory: PathBuf,
    files: BTreeMap<BoardId, File>,
    /// Boards whose last lines may not be on the disk itself.
    unsynced: BTreeSet<BoardId>,
    lost: u64,
}

impl Writer {
    fn run(mut self, batches: &Receiver<Batch>) {
        let mut since_sync = 0;
        loop {
            let batch = match batches.recv_timeout(SYNC_EVERY) {
                Ok(batch) => batch,
                Err(RecvTimeoutError::Timeout) => {
                    self.sync_all();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let mut now = BTreeSet::new();
            for line in &batch.lines {
                match self.append(line) {
                    Ok(()) => {
                        self.recovered();
                        let list = if line.durable { &mut now } else { &mut self.unsynced };
                        list.insert(line.board.clone());
                    }
                    Err(e) => self.failed(&line.board, &e),
                }
            }
            for board in now {
                self.sync(&board);
            }
            // Nobody waits any more: fine.
            let _ = batch.done.send(());
            since_sync += 1;
            if since_sync >= SYNC_AFTER {
                since_sync = 0;
                self.sync_all();
            }
        }
        self.sync_all();
    }

    fn sync_all(&mut self) {
        while let Some(board) = self.unsynced.pop_first() {
            self.sync(&board);
        }
    }

    fn sync(&mut self, board: &BoardId) {
        self.unsynced.remove(board);
        if let Some(Err(e)) = self.files.get(board).map(File::sync_data) {
            self.failed(board, &e);
        }
    }

    fn append(&mut self, line: &Line) -> io::Result<()> {
        if !self.files.contains_key(&line.board) {
            let path = self.directory.join(format!("{}.jsonl", line.board));
            let file = open_for_append(&path)?;
            self.files.insert(line.board.clone(), file);
        }
        let Some(file) = self.files.get_mut(&line.board) else { return Ok(()) };
        let mut bytes = Vec::with_capacity(line.text.len() + 1);
        bytes.extend_from_slice(line.text.as_bytes());
        bytes.push(b'\n');
        file.write_all(&bytes)
    }

    fn failed(&mut self, board: &BoardId, e: &io::Error) {
        // The file is opened anew next time: a torn line gets its line end then.
        self.files.remove(board);
        if self.lost == 0 {
            error!(
                board = board.as_str(), error = %e, directory = %self.directory.display(),
                "journal: cannot be written; the games go on without it. Free space or mend the \
                 permissions, it is taken up again by itself"
            );
        }
        self.lost += 1;
    }

    fn recovered(&mut self) {
        if self.lost > 0 {
            info!(lines = self.lost, "journal: can be written again; so many lines are missing");
            self.lost = 0;
        }
    }
}

fn open_for_append(path: &Path) -> io::Result<File> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    if length > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            // A line cut short by a crash stays alone on its line.
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
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

fn files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ext| ext == "jsonl") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The sequence number of the last whole line of a file.
fn last_sequence(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(2 * LONGEST_LINE)))?;
    let mut tail = Vec::new();
    file.take(2 * LONGEST_LINE).read_to_end(&mut tail)?;
    Ok(tail.split(|b| *b == b'\n').rev().find_map(sequence).unwrap_or(0))
}

fn sequence(line: &[u8]) -> Option<u64> {
    parse(line).map(|(seq, _)| seq)
}

fn parse(line: &[u8]) -> Option<(u64, Map<String, Value>)> {
    let object: Map<String, Value> = serde_json::from_slice(line).ok()?;
    let seq = object.get("seq")?.as_u64()?;
    Some((seq, object))
}

/// Reads back the records with `after < seq < before` that `keep` lets through, the lowest `limit`
/// of them, lowest first, and whether there are more. Lines that are not whole are passed over.
pub fn read_back(
    directory: &Path,
    after: u64,
    before: u64,
    limit: usize,
    keep: impl Fn(&Map<String, Value>) -> bool,
) -> io::Result<(Vec<Map<String, Value>>, bool)> {
    let mut found: BTreeMap<u64, Map<String, Value>> = BTreeMap::new();
    let mut more = false;
    for path in files(directory)? {
        let mut reader = BufReader::new(File::open(&path)?);
        let mut line = Vec::new();
        loop {
            line.clear();
            if reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
                break;
            }
            let Some((seq, object)) = parse(&line) else { continue };
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
mod tests {
    use super::*;

    fn line(board: &str, seq: u64) -> Line {
        Line {
            board: board.parse().unwrap(),
            text: format!(r#"{{"event":"move","board":"{board}","seq":{seq}}}"#),
            durable: seq.is_multiple_of(2),
        }
    }

    #[test]
    fn numbers_and_identity_survive_a_restart_and_a_torn_line() {
        let dir = tempfile::tempdir().unwrap();
        let (mut journal, first) = Journal::open(dir.path()).unwrap();
        assert_eq!(first.last, 0);
        journal.write(vec![line("a", 1), line("b", 2), line("a", 3)]).blocking_recv().unwrap();
        journal.close();
        let torn = dir.path().join("a.jsonl");
        let mut file = OpenOptions::new().append(true).open(&torn).unwrap();
        file.write_all(br#"{"event":"move","seq":4,"#).unwrap();
        let (mut journal, second) = Journal::open(dir.path()).unwrap();
        assert_eq!(second, Opened { id: first.id, last: 3 });
        journal.write(vec![line("a", 5)]).blocking_recv().unwrap();
        journal.close();
        let (all, more) = read_back(dir.path(), 0, u64::MAX, 10, |_| true).unwrap();
        let seqs: Vec<u64> = all.iter().map(|o| o["seq"].as_u64().unwrap()).collect();
        assert_eq!((seqs, more), (vec![1, 2, 3, 5], false));
        let (some, more) = read_back(dir.path(), 1, 5, 1, |_| true).unwrap();
        assert_eq!((some[0]["seq"].as_u64(), more), (Some(2), true));
    }

    #[test]
    fn a_directory_that_goes_away_loses_lines_but_not_the_journal() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("journal");
        let (mut journal, _) = Journal::open(&inner).unwrap();
        fs::remove_dir_all(&inner).unwrap();
        fs::write(&inner, "in the way").unwrap();
        journal.write(vec![line("a", 1)]).blocking_recv().unwrap();
        fs::remove_file(&inner).unwrap();
        fs::create_dir(&inner).unwrap();
        journal.write(vec![line("a", 2)]).blocking_recv().unwrap();
        journal.close();
        let (all, _) = read_back(&inner, 0, u64::MAX, 10, |_| true).unwrap();
        assert_eq!(all.len(), 1);
    }
}
