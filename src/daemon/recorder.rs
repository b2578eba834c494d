//! Records a board's line in a file of its own, on a thread of its own: no disk makes a board wait.
//!
//! A recording grows to a bound and leaves the disk some room; it ends by itself before it breaks
//! either. What was handed over is in the file a moment later, so that a crash costs next to nothing.

use std::{
    cell::Cell,
    fmt,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use tokio::sync::mpsc;

use crate::{
    capture::{What, Writer},
    units::{BoardId, Stamp},
};

/// Records that may wait for the disk. A board makes some ten in a second.
const WAITING: usize = 1024;

/// How many bytes are written between two looks at the room on the disk.
const LOOK_EVERY: u64 = 256 * 1024;

/// How far a recording may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest file, in bytes.
    pub bytes: u64,
    /// What must stay free on the disk, in bytes: journal and games need it.
    pub free: u64,
}

impl Default for Limits {
    /// Days of play; a line of rubbish that never stops fills it in two hours.
    fn default() -> Limits {
        Limits { bytes: 32 << 20, free: 128 << 20 }
    }
}

/// What is to be recorded, and where.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The directory, made when it is not there.
    pub directory: PathBuf,
    /// The board: the file's name begins with it.
    pub board: BoardId,
    /// Date and time for the file's name, such as `20261130T102430Z`.
    pub date: String,
    /// Comments at the head of the file.
    pub comments: Vec<String>,
    /// How far it may go.
    pub limits: Limits,
}

/// What becomes of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// It is being written to this file.
    Begun(PathBuf),
    /// It could not be begun, and why.
    Failed(String),
    /// It has ended; all of it is in the file.
    Ended(End),
}

/// Why a recording ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Somebody wanted it to.
    Asked,
    /// The file is as long as it may be.
    Full(u64),
    /// The disk has little room left.
    NoRoom(u64),
    /// The disk did not keep up with the line.
    Behind,
    /// Writing failed.
    Failed(String),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Asked => f.write_str("as asked"),
            End::Full(bytes) => write!(f, "the file has its full length of {bytes} bytes"),
            End::NoRoom(free) => {
                write!(f, "the disk has only {free} bytes left, which journal and games need")
            }
            End::Behind => f.write_str("the disk does not keep up with the board"),
            End::Failed(why) => write!(f, "the file cannot be written: {why}"),
        }
    }
}

/// A recording that is on.
#[derive(Debug)]
pub struct Recorder {
    lines: Option<SyncSender<(Stamp, What)>>,
    news: mpsc::UnboundedReceiver<News>,
    /// The disk did not keep up.
    behind: Arc<AtomicBool>,
    began: Stamp,
}

impl Recorder {
    /// Begins a recording at `now`. What is recorded from here on waits for the file to be there.
    pub fn start(plan: Plan, now: Stamp) -> io::Result<Recorder> {
        let (lines, received) = sync_channel(WAITING);
        let (told, news) = mpsc::unbounded_channel();
        let behind = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&behind);
        thread::Builder::new().name("recorder".into()).spawn(move || {
            let news = match Tape::create(&plan) {
                Ok((file, path)) => {
                    // The board's task may have ended.
                    let _ = told.send(News::Begun(path));
                    News::Ended(file.run(&received, &flag))
                }
                Err(why) => News::Failed(why),
            };
            let _ = told.send(news);
        })?;
        Ok(Recorder { lines: Some(lines), news, behind, began: now })
    }

    /// Records what happened on the line at `now`.
    pub fn record(&mut self, now: Stamp, what: What) {
        let at = Stamp::ZERO + now.since(self.began);
        let Some(lines) = &self.lines else { return };
        if lines.try_send((at, what)).is_err() {
            // A gap in the middle would be worse than an end.
            self.behind.store(true, Ordering::Relaxed);
            self.lines = None;
        }
    }

    /// Lets it end once all is written.
    pub fn stop(&mut self) {
        self.lines = None;
    }

    /// What becomes of it next. After [`News::Failed`] and [`News::Ended`] nothing follows.
    pub async fn news(&mut self) -> News {
        let lost = || News::Ended(End::Failed("the writing thread is gone".into()));
        self.news.recv().await.unwrap_or_else(lost)
    }
}

/// Counts what goes through.
#[derive(Debug)]
struct Counted {
    file: BufWriter<File>,
    bytes: Rc<Cell<u64>>,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.bytes.set(self.bytes.get() + written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The file of a recording, on its thread.
#[derive(Debug)]
struct Tape {
    writer: Writer<Counted>,
    bytes: Rc<Cell<u64>>,
    /// The count at which the disk is looked at again.
    look_at: u64,
    directory: PathBuf,
    limits: Limits,
    last: Stamp,
}

impl Tape {
    fn create(plan: &Plan) -> Result<(Tape, PathBuf), String> {
        let Plan { directory, limits, .. } = plan;
        let at = |path: &Path, e: io::Error| format!("{}: {e}", path.display());
        fs::create_dir_all(directory).map_err(|e| at(directory, e))?;
        if let Some(free) = short_of_room(directory, limits.free) {
            return Err(format!("{}: {}", directory.display(), End::NoRoom(free)));
        }
        let (file, path) = new_file(plan).map_err(|e| at(directory, e))?;
        let bytes = Rc::new(Cell::new(0));
        let counted = Counted { file: BufWriter::new(file), bytes: Rc::clone(&bytes) };
        let begin = || {
            let mut writer = Writer::new(counted)?;
            for comment in &plan.comments {
                writer.comment(comment)?;
            }
            writer.flush()?;
            Ok(writer)
        };
        let writer = begin().map_err(|e| at(&path, e))?;
        let file = Tape {
            writer,
            bytes,
            look_at: LOOK_EVERY,
            directory: directory.clone(),
            limits: *limits,
            last: Stamp::ZERO,
        };
        Ok((file, path))
    }

    /// Writes what comes until nothing more does or a limit is reached.
    fn run(mut self, lines: &Receiver<(Stamp, What)>, behind: &AtomicBool) -> End {
        let end = loop {
            let Ok(first) = lines.recv() else {
                let behind = behind.load(Ordering::Relaxed);
                break if behind { End::Behind } else { End::Asked };
            };
            if let Err(end) = self.write(first, lines) {
                break end;
            }
        };
        if let Err(e) = self.finish(&end) {
            return End::Failed(e.to_string());
        }
        end
    }

    /// Writes this record and all that wait behind it.
    fn write(&mut self, first: (Stamp, What), lines: &Receiver<(Stamp, What)>) -> Result<(), End> {
        let failed = |e: io::Error| End::Failed(e.to_string());
        for (at, what) in std::iter::once(first).chain(lines.try_iter()) {
            if self.bytes.get() + length(&what) > self.limits.bytes {
                return Err(End::Full(self.limits.bytes));
            }
            self.last = at;
            self.writer.record(at, &what).map_err(failed)?;
        }
        self.writer.flush().map_err(failed)?;
        if self.bytes.get() >= self.look_at {
            self.look_at = self.bytes.get() + LOOK_EVERY;
            if let Some(free) = short_of_room(&self.directory, self.limits.free) {
                return Err(End::NoRoom(free));
            }
        }
        Ok(())
    }

    fn finish(mut self, end: &End) -> io::Result<()> {
        self.writer.record(self.last, &What::Remark(format!("the recording ends: {end}")))?;
        self.writer.flush()?;
        self.writer.into_inner().file.get_ref().sync_all()
    }
}

/// The most bytes a record takes in the file.
fn length(what: &What) -> u64 {
    let text = match what {
        What::FromBoard(bytes) | What::ToBoard(bytes) => 3 * bytes.len(),
        What::Remark(text) => text.len(),
        What::Connected | What::Disconnected => 0,
    };
    text as u64 + 64
}

/// A file that was not there before; a second one in the same second gets a number.
fn new_file(plan: &Plan) -> io::Result<(File, PathBuf)> {
    let mut number = 1;
    loop {
        let again = if number == 1 { String::new() } else { format!("-{number}") };
        let name = format!("{}-{}{again}.dgtlog", plan.board, plan.date);
        let path = plan.directory.join(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(e) if e.kind() == ErrorKind::AlreadyExists && number < 100 => number += 1,
            Err(e) => return Err(e),
        }
    }
}

/// The room on the disk in bytes, if it is less than `wanted`.
fn short_of_room(directory: &Path, wanted: u64) -> Option<u64> {
    // A file system that does not tell is written to until it fails.
    let disk = rustix::fs::statvfs(directory).ok()?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    (free < wanted).then_some(free)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Reader;

    fn plan(directory: &Path, limits: Limits) -> Plan {
        Plan {
            directory: directory.join("captures"),
            board: "b1".parse().unwrap(),
            date: "20260101T000000Z".into(),
            comments: vec!["board: b1".into()],
            limits,
        }
    }

    const ROOMY: Limits = Limits { bytes: 1 << 20, free: 0 };

    async fn begun(recorder: &mut Recorder) -> PathBuf {
        match recorder.news().await {
            News::Begun(path) => path,
            other => panic!("{other:?}"),
        }
    }

    fn records(path: &Path) -> Vec<(u64, What)> {
        let reader = Reader::new(io::BufReader::new(File::open(path).unwrap()), "x");
        reader.map(|r| r.unwrap()).map(|r| (r.at.as_millis(), r.what)).collect()
    }

    #[tokio::test]
    async fn what_is_recorded_can_be_read_and_each_recording_has_its_own_file() {
        let dir = tempfile::tempdir().unwrap();
        let began = Stamp::from_millis(5_000);
        let mut first = Recorder::start(plan(dir.path(), ROOMY), began).unwrap();
        let one = begun(&mut first).await;
        let mut second = Recorder::start(plan(dir.path(), ROOMY), began).unwrap();
        let two = begun(&mut second).await;
        assert_ne!(one, two);
        first.record(began, What::Connected);
        first.record(Stamp::from_millis(5_250), What::FromBoard(vec![0x8e, 0, 5, 0x34, 0]));
        first.record(Stamp::from_millis(5_300), What::ToBoard(vec![0x42]));
        first.stop();
        first.record(Stamp::from_millis(5_400), What::Disconnected);
        assert_eq!(first.news().await, News::Ended(End::Asked));
        assert_eq!(
            records(&one),
            [
                (0, What::Connected),
                (250, What::FromBoard(vec![0x8e, 0, 5, 0x34, 0])),
                (300, What::ToBoard(vec![0x42])),
                (300, What::Remark("the recording ends: as asked".into())),
            ]
        );
    }

    #[tokio::test]
    async fn it_ends_by_itself_at_its_full_length() {
        let dir = tempfile::tempdir().unwrap();
        let limits = Limits { bytes: 2_000, free: 0 };
        let mut recorder = Recorder::start(plan(dir.path(), limits), Stamp::ZERO).unwrap();
        let path = begun(&mut recorder).await;
        for _ in 0..100 {
            recorder.record(Stamp::ZERO, What::FromBoard(vec![0; 50]));
        }
        assert_eq!(recorder.news().await, News::Ended(End::Full(2_000)));
        let length = fs::metadata(&path).unwrap().len();
        assert!((1_700..2_200).contains(&length), "{length}");
        let text = fs::read_to_string(&path).unwrap();
        let said = " ! the recording ends: the file has its full length of 2000 bytes\n";
        assert!(text.ends_with(said), "{text}");
    }

    #[tokio::test]
    async fn a_full_disk_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let limits = Limits { bytes: 1 << 20, free: u64::MAX };
        let mut recorder = Recorder::start(plan(dir.path(), limits), Stamp::ZERO).unwrap();
        let News::Failed(why) = recorder.news().await else { panic!("not refused") };
        assert!(why.contains("bytes left, which journal and games need"), "{why}");
        assert_eq!(fs::read_dir(dir.path().join("captures")).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn a_directory_that_cannot_be_had_is_named() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("captures"), "a file in the way").unwrap();
        let mut recorder = Recorder::start(plan(dir.path(), ROOMY), Stamp::ZERO).unwrap();
        let News::Failed(why) = recorder.news().await else { panic!("not refused") };
        assert!(why.contains("captures: "), "{why}");
    }
}
