//! One PGN file a game, written whole or not at all.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

use tracing::{error, info};

use crate::pgn::Game;

/// How long a game that goes on may stay unwritten, and after which a failed file is tried again.
const EVERY: Duration = Duration::from_secs(5);

/// Writes `bytes` to `path` so that the file is there whole or as it was before: a temporary file
/// beside it, `fsync`, `rename`.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let temporary = directory.join(name);
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        File::open(directory)?.sync_all()
    };
    write().inspect_err(|_| {
        // What is left of it is of no use; if it cannot be removed either, it is written over.
        let _ = fs::remove_file(&temporary);
    })
}

/// A game to write.
#[derive(Debug)]
pub struct Job {
    /// The game's unique name: the file's name.
    pub game_id: String,
    /// The game as it stands.
    pub game: Game,
    /// It ended: write it now.
    pub now: bool,
}

/// The writing end; its work is done by a thread of its own.
#[derive(Debug)]
pub struct PgnFiles {
    jobs: Option<Sender<Job>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl PgnFiles {
    /// Writes games under `directory`, which is made when the first one is written.
    pub fn new(directory: PathBuf) -> io::Result<PgnFiles> {
        let (jobs, receiver) = channel();
        let writer = Writer { directory, waiting: BTreeMap::new(), failing: false };
        let thread =
            thread::Builder::new().name("pgn".into()).spawn(move || writer.run(&receiver))?;
        Ok(PgnFiles { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Hands over a game; a newer one of the same name replaces it.
    pub fn write(&self, job: Job) {
        if let Some(jobs) = &self.jobs
            && jobs.send(job).is_err()
        {
            error!("pgn: the writing thread is gone");
        }
    }

    /// Writes all that waits and ends.
    pub fn close(mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            error!("pgn: the writing thread failed");
        }
    }
}

struct Writer {
    directory: PathBuf,
    waiting: BTreeMap<String, Game>,
    failing: bool,
}

impl Writer {
    fn run(mut self, jobs: &Receiver<Job>) {
        loop {
            let received = if self.waiting.is_empty() {
                jobs.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                jobs.recv_timeout(EVERY)
            };
            match received {
                Ok(Job { game_id, game, now }) => {
                    self.waiting.insert(game_id, game);
                    if !now {
                        continue;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.flush();
                    return;
                }
            }
            self.flush();
        }
    }

    fn flush(&mut self) {
        let directory = &self.directory;
        let failing = &mut self.failing;
        self.waiting.retain(|id, game| {
            let path = directory.join(format!("{id}.pgn"));
            let done = fs::create_dir_all(directory)
                .and_then(|()| write_whole(&path, game.to_text().as_bytes()));
            // Said when it changes, not each time.
            match (&done, *failing) {
                (Ok(()), true) => info!(file = %path.display(), "pgn: games can be written again"),
                (Err(e), false) => error!(
                    file = %path.display(), error = %e,
                    "pgn: the game cannot be written; it is kept and tried again. Free space or \
                     mend the permissions of the directory"
                ),
                _ => {}
            }
            *failing = done.is_err();
            *failing
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_as_before() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("g.pgn");
        write_whole(&path, b"one").unwrap();
        // A directory where the temporary file would be: the write fails.
        fs::create_dir(dir.path().join("g.pgn.new")).unwrap();
        assert!(write_whole(&path, b"two").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one");
    }

    #[test]
    fn games_that_could_not_be_written_are_written_later() {
        let dir = tempfile::tempdir().unwrap();
        let blocked = dir.path().join("pgn");
        fs::write(&blocked, "a file, not a directory").unwrap();
        let files = PgnFiles::new(blocked.clone()).unwrap();
        let game = Game { result: "1-0".into(), ..Game::default() };
        files.write(Job { game_id: "a".into(), game: game.clone(), now: true });
        // The second job comes after the first was tried: both are written by closing.
        files.write(Job { game_id: "b".into(), game, now: true });
        while fs::remove_file(&blocked).is_err() {}
        files.close();
        let mut names: Vec<_> =
            fs::read_dir(&blocked).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["a.pgn", "b.pgn"]);
    }
}
