//! The thread that writes: it may wait for the disk, nobody else does.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use tokio::sync::{mpsc, oneshot};
use tracing::{error, info, warn};

use super::{
    Line, Lost, MOST_WAITING, Notice, files, note_lost,
    read::{Next, Reader},
};
use crate::units::BoardId;

/// How long a quiet journal waits before what is not yet on the disk itself is brought there, and
/// after which what could not be written is tried again.
const SYNC_QUIET: Duration = Duration::from_secs(1);

/// After how long a busy one brings there what is not: a loss of power costs no more than that, and
/// the moves in it are found again from the board.
const SYNC_BUSY: Duration = Duration::from_secs(5);

/// How often a file that is written to is looked for: somebody may have taken it away. Before a line
/// that has to be on the disk it always is.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// A board's file is full at this part of what is kept of it.
const FULL: u64 = 8;

/// What is handed over at once.
#[derive(Debug)]
pub(super) struct Batch {
    pub lines: Vec<Line>,
    /// What was given up before it.
    pub given_up: Vec<Lost>,
    pub done: oneshot::Sender<()>,
}

/// A file that is written to.
#[derive(Debug)]
struct Open {
    file: File,
    path: PathBuf,
    /// Bytes of whole lines.
    size: u64,
    /// The number of the first line, when it is known.
    first: Option<u64>,
    /// A part of a line stands at its end that could not be cut off.
    torn: bool,
    /// When it was last seen under its name.
    seen: Instant,
}

#[derive(Debug)]
pub(super) struct Writer {
    directory: PathBuf,
    most_kept: u64,
    open: BTreeMap<BoardId, Open>,
    /// Boards whose last lines may not be on the disk itself.
    unsynced: BTreeSet<BoardId>,
    /// Lines that are not written yet, oldest first.
    backlog: VecDeque<Line>,
    /// Their bytes, and those of what is on its way here.
    waiting: Arc<AtomicUsize>,
    /// The line with which each board's last game began.
    games: BTreeMap<BoardId, u64>,
    /// The board that could not be written first.
    failing: Option<BoardId>,
    lost: Vec<Lost>,
    notices: mpsc::UnboundedSender<Notice>,
}

impl Writer {
    pub(super) fn new(
        directory: PathBuf,
        most_kept: u64,
        games: BTreeMap<BoardId, u64>,
        waiting: Arc<AtomicUsize>,
        notices: mpsc::UnboundedSender<Notice>,
    ) -> Writer {
        Writer {
            directory,
            most_kept,
            open: BTreeMap::new(),
            unsynced: BTreeSet::new(),
            backlog: VecDeque::new(),
            waiting,
            games,
            failing: None,
            lost: Vec::new(),
            notices,
        }
    }

    pub(super) fn run(mut self, batches: &Receiver<Batch>) {
        let mut synced = now();
        loop {
            let batch = match batches.recv_timeout(SYNC_QUIET) {
                Ok(batch) => batch,
                Err(RecvTimeoutError::Timeout) => {
                    if !self.backlog.is_empty() {
                        self.write();
                    }
                    self.sync_all();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            self.lost.extend(batch.given_up);
            self.backlog.extend(batch.lines);
            self.bound();
            self.write();
            // Nobody waits any more: fine.
            let _ = batch.done.send(());
            let now = now();
            if now.duration_since(synced) >= SYNC_BUSY {
                synced = now;
                self.sync_all();
            }
        }
        self.sync_all();
        if !self.backlog.is_empty() || !self.lost.is_empty() {
            error!(
                lines = self.backlog.len() as u64 + self.lost.iter().map(|l| l.count).sum::<u64>(),
                directory = %self.directory.display(),
                "journal: could not be written to the end, so many lines are missing"
            );
        }
    }

    /// Gives up the oldest lines when too many wait.
    fn bound(&mut self) {
        let mut size: usize = self.backlog.iter().map(|line| line.text.len()).sum();
        while size > MOST_WAITING
            && let Some(line) = self.backlog.pop_front()
        {
            size -= line.text.len();
            self.waiting.fetch_sub(line.text.len(), Ordering::Relaxed);
            note_lost(&mut self.lost, &line);
        }
    }

    /// Writes what waits, as far as it can be.
    fn write(&mut self) {
        let mut failed = BTreeMap::new();
        let mut checked = BTreeSet::new();
        let mut durable = BTreeSet::new();
        for line in std::mem::take(&mut self.backlog) {
            if failed.contains_key(&line.board) {
                self.backlog.push_back(line);
                continue;
            }
            let fresh = checked.insert(line.board.clone());
            match self.append(&line, fresh) {
                Ok(()) => {
                    self.waiting.fetch_sub(line.text.len(), Ordering::Relaxed);
                    let list = if line.durable { &mut durable } else { &mut self.unsynced };
                    list.insert(line.board);
                }
                Err(e) => {
                    self.give_back(&line.board);
                    failed.insert(line.board.clone(), e);
                    self.backlog.push_back(line);
                }
            }
        }
        let mut synced = true;
        for board in durable {
            synced &= self.sync(&board);
        }
        match failed.into_iter().next() {
            Some((board, e)) => self.failed(board, &e),
            None if synced => self.recovered(),
            None => {}
        }
    }

    fn append(&mut self, line: &Line, check: bool) -> io::Result<()> {
        if check {
            let unsure = line.durable || self.failing.is_some();
            self.look_after(&line.board, unsure)?;
        }
        if !self.open.contains_key(&line.board) {
            let open = self.open(&line.board)?;
            self.open.insert(line.board.clone(), open);
        }
        let Some(open) = self.open.get_mut(&line.board) else { return Ok(()) };
        let mut bytes = Vec::with_capacity(line.text.len() + 2);
        if open.torn {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line.text.as_bytes());
        bytes.push(b'\n');
        open.file.write_all(&bytes)?;
        open.torn = false;
        open.size += bytes.len() as u64;
        open.first.get_or_insert(line.seq);
        if let Some(from) = line.needs {
            self.games.insert(line.board.clone(), from);
        }
        if self.open.get(&line.board).is_some_and(|open| open.size >= self.most_kept / FULL) {
            self.turn_over(&line.board);
        }
        Ok(())
    }

    fn open(&self, board: &BoardId) -> io::Result<Open> {
        fs::create_dir_all(&self.directory)?;
        let path = files::current(&self.directory, board);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let mut size = file.seek(SeekFrom::End(0))?;
        if size > 0 {
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                // A line cut short that could not be cut off stays alone on its line.
                file.write_all(b"\n")?;
                size += 1;
            }
        }
        let first = first_number(&path)?;
        Ok(Open { file, path, size, first, torn: false, seen: now() })
    }

    /// A line that was written in part is cut off again, so that it can be written whole.
    fn give_back(&mut self, board: &BoardId) {
        let Some(open) = self.open.get_mut(board) else { return };
        let partial = open.file.metadata().is_ok_and(|there| there.len() > open.size);
        open.torn = partial && open.file.set_len(open.size).is_err();
    }

    /// A file that was deleted, or moved away, while it was open is made anew with all that is in it.
    fn look_after(&mut self, board: &BoardId, unsure: bool) -> io::Result<()> {
        let Some(open) = self.open.get_mut(board) else { return Ok(()) };
        let now = now();
        if !unsure && now.duration_since(open.seen) < LOOK_EVERY {
            return Ok(());
        }
        open.seen = now;
        let own = open.file.metadata()?;
        let there = fs::metadata(&open.path).ok();
        if there.as_ref().is_some_and(|there| (there.dev(), there.ino()) == (own.dev(), own.ino()))
        {
            open.size = own.len();
            return Ok(());
        }
        let path = open.path.clone();
        if own.is_file() && there.is_none_or(|there| there.len() == 0) {
            fs::create_dir_all(&self.directory)?;
            copy(&mut open.file, &path)?;
        }
        self.open.remove(board);
        let new = self.open(board)?;
        self.open.insert(board.clone(), new);
        warn!(
            board = board.as_str(), file = %path.display(),
            "journal: the file was taken away while it was written; it is there again with all that was \
             in it"
        );
        Ok(())
    }

    /// Begins a new file; the one before is full.
    fn turn_over(&mut self, board: &BoardId) {
        let Some(open) = self.open.remove(board) else { return };
        let first = open.first.unwrap_or(0);
        let full = files::full(&self.directory, board, first);
        let turned = open.file.sync_data().and_then(|()| {
            if full.exists() {
                return Err(io::Error::from(io::ErrorKind::AlreadyExists));
            }
            fs::rename(&open.path, &full)?;
            let keep = self.games.get(board).copied().unwrap_or(u64::MAX);
            files::prune(&self.directory, board, self.most_kept, keep)
        });
        match turned {
            Ok(0) => {}
            Ok(gone) => info!(board = board.as_str(), gone, "journal: old files were deleted"),
            // It goes on in the same file, and is tried again with its next line.
            Err(e) => {
                warn!(board = board.as_str(), error = %e, "journal: a full file cannot be put away");
            }
        }
    }

    fn sync_all(&mut self) {
        while let Some(board) = self.unsynced.pop_first() {
            self.sync(&board);
        }
    }

    /// Whether a board's lines are on the disk itself now.
    fn sync(&mut self, board: &BoardId) -> bool {
        self.unsynced.remove(board);
        match self.open.get(board).map(|open| open.file.sync_data()) {
            Some(Err(e)) => {
                self.failed(board.clone(), &e);
                false
            }
            Some(Ok(())) | None => true,
        }
    }

    fn failed(&mut self, board: BoardId, e: &io::Error) {
        if self.failing.is_some() {
            return;
        }
        let file = files::current(&self.directory, &board);
        error!(
            board = board.as_str(), error = %e, file = %file.display(),
            "journal: cannot be written; the games go on without it. Free space or mend the permissions, \
             it is taken up again by itself"
        );
        let why = format!("{}: {e}", file.display());
        self.failing = Some(board.clone());
        // When the hub has ended nobody is to be told.
        let _ = self.notices.send(Notice::Failing { board, why });
    }

    fn recovered(&mut self) {
        let lost = std::mem::take(&mut self.lost);
        let board = match (self.failing.take(), lost.first()) {
            (Some(board), _) => board,
            (None, Some(first)) => first.board.clone(),
            (None, None) => return,
        };
        let lines: u64 = lost.iter().map(|lost| lost.count).sum();
        info!(missing = lines, "journal: can be written again");
        let _ = self.notices.send(Notice::Working { board, lost });
    }
}

#[expect(clippy::disallowed_methods, reason = "what a file costs is no business of the core")]
fn now() -> Instant {
    Instant::now()
}

fn copy(from: &mut File, to: &Path) -> io::Result<()> {
    let mut new = OpenOptions::new().append(true).create(true).open(to)?;
    from.seek(SeekFrom::Start(0))?;
    io::copy(from, &mut new)?;
    new.sync_all()
}

/// The number of the first whole line of a file.
fn first_number(path: &Path) -> io::Result<Option<u64>> {
    if !path.is_file() {
        return Ok(None);
    }
    let mut reader = Reader::new(io::BufReader::new(File::open(path)?), path.into(), None);
    while let Some(next) = reader.read_next()? {
        if let Next::Line(opened) = next {
            return Ok(Some(opened.seq));
        }
    }
    Ok(None)
}
