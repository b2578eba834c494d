//! One PGN file a game, written whole or not at all.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use tracing::{error, info};

use crate::pgn::Game;

/// How long a game that goes on may stay unwritten, and after which a failed file is tried again. The
/// journal has every move at once.
const EVERY: Duration = Duration::from_secs(10);

/// So many games wait for a disk that cannot be written. After that the one that has waited longest is
/// given up, which is said; the journal has its moves.
const MOST_WAITING: usize = 2_000;

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
    waiting: Arc<Waiting>,
    thread: Option<thread::JoinHandle<()>>,
}

/// The games that are to be written, shared with the thread that writes: a newer one takes the place of
/// an older one of the same name, so that no queue grows.
#[derive(Debug, Default)]
struct Waiting {
    list: Mutex<List>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct List {
    games: BTreeMap<String, Entry>,
    /// Counts the games that have come.
    count: u64,
    /// No more will come.
    closed: bool,
    /// A game was given up, and that was said.
    overflowed: bool,
}

#[derive(Debug)]
struct Entry {
    game: Game,
    /// Write it without delay.
    now: bool,
    since: u64,
}

impl Waiting {
    fn list(&self) -> MutexGuard<'_, List> {
        // Nothing that is done under the lock can leave the list half changed.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl List {
    fn add(&mut self, game_id: String, game: Game, now: bool) {
        self.count += 1;
        let since = self.games.get(&game_id).map_or(self.count, |entry| entry.since);
        let now = now || self.games.get(&game_id).is_some_and(|entry| entry.now);
        self.games.insert(game_id, Entry { game, now, since });
        if self.games.len() <= MOST_WAITING {
            return;
        }
        let oldest = self.games.iter().min_by_key(|(_, entry)| entry.since);
        let oldest = oldest.map(|(game_id, _)| game_id.clone());
        if let Some((game_id, _)) = oldest.and_then(|oldest| self.games.remove_entry(&oldest))
            && !std::mem::replace(&mut self.overflowed, true)
        {
            error!(
                game = game_id,
                "pgn: too many games wait for the disk; from now on the oldest are given up. The journal has \
                 their moves"
            );
        }
    }
}

impl PgnFiles {
    /// Writes games under `directory`, which is made when the first one is written.
    pub fn new(directory: PathBuf) -> io::Result<PgnFiles> {
        PgnFiles::writing_every(directory, EVERY)
    }

    fn writing_every(directory: PathBuf, every: Duration) -> io::Result<PgnFiles> {
        let waiting = Arc::new(Waiting::default());
        let writer = Writer { directory, every, waiting: Arc::clone(&waiting), failing: false };
        let thread = thread::Builder::new().name("pgn".into()).spawn(move || writer.run())?;
        Ok(PgnFiles { waiting, thread: Some(thread) })
    }

    /// Hands over a game; a newer one of the same name replaces it.
    pub fn write(&self, job: Job) {
        let Job { game_id, game, now } = job;
        self.waiting.list().add(game_id, game, now);
        self.waiting.news.notify_one();
    }

    /// Writes all that waits and ends.
    pub fn close(mut self) {
        self.waiting.list().closed = true;
        self.waiting.news.notify_one();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            error!("pgn: the writing thread failed");
        }
    }
}

impl Drop for PgnFiles {
    fn drop(&mut self) {
        self.waiting.list().closed = true;
        self.waiting.news.notify_one();
    }
}

struct Writer {
    directory: PathBuf,
    /// How long a game may wait.
    every: Duration,
    waiting: Arc<Waiting>,
    failing: bool,
}

impl Writer {
    #[expect(clippy::disallowed_methods, reason = "a file's delay is no business of the core")]
    fn run(mut self) {
        // When the games that wait are written, however many more come meanwhile.
        let mut due: Option<Instant> = None;
        let waiting = Arc::clone(&self.waiting);
        let mut list = waiting.list();
        loop {
            let closed = list.closed;
            let all = closed || due.is_some_and(|due| due <= Instant::now());
            let entries = list.games.iter_mut().filter(|(_, entry)| all || entry.now);
            let chosen: Vec<(String, Game)> = entries
                .map(|(game_id, entry)| {
                    entry.now = false;
                    (game_id.clone(), entry.game.clone())
                })
                .collect();
            drop(list);
            for (game_id, game) in chosen {
                self.write(&game_id, &game);
            }
            if closed {
                return;
            }
            list = waiting.list();
            if all || list.games.is_empty() {
                due = None;
            }
            if due.is_none() && !list.games.is_empty() {
                due = Some(Instant::now() + self.every);
            }
            let idle =
                |list: &mut List| !list.closed && !list.games.values().any(|entry| entry.now);
            list = match due {
                None => {
                    let none = |list: &mut List| !list.closed && list.games.is_empty();
                    waiting.news.wait_while(list, none).unwrap_or_else(PoisonError::into_inner)
                }
                Some(due) => {
                    let wait = due.saturating_duration_since(Instant::now());
                    let woken = waiting.news.wait_timeout_while(list, wait, idle);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Writes one of the games that wait; it goes on waiting when it cannot be written.
    fn write(&mut self, game_id: &str, game: &Game) {
        let path = self.directory.join(format!("{game_id}.pgn"));
        let done = fs::create_dir_all(&self.directory)
            .and_then(|()| write_whole(&path, game.to_text().as_bytes()));
        // Said when it changes, not each time.
        match (&done, self.failing) {
            (Ok(()), true) => info!(file = %path.display(), "pgn: games can be written again"),
            (Err(e), false) => error!(
                file = %path.display(), error = %e,
                "pgn: the game cannot be written; it is kept and tried again. Free space or mend the \
                 permissions of the directory"
            ),
            _ => {}
        }
        self.failing = done.is_err();
        if done.is_ok() {
            let mut list = self.waiting.list();
            list.overflowed = false;
            // Unless it has gone on meanwhile.
            if list.games.get(game_id).is_some_and(|entry| entry.game == *game) {
                list.games.remove(game_id);
            }
        }
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

    fn game(moves: usize) -> Game {
        let moves = vec![crate::pgn::Move { san: "Nf3".into(), clock: None }; moves];
        Game { result: "*".into(), moves, ..Game::default() }
    }

    fn wait_for(path: &Path) -> String {
        loop {
            match fs::read_to_string(path) {
                Ok(text) => return text,
                Err(_) => thread::sleep(Duration::from_millis(2)),
            }
        }
    }

    #[test]
    fn a_game_is_written_in_time_however_many_others_come() {
        let dir = tempfile::tempdir().unwrap();
        let directory = dir.path().join("pgn");
        let every = Duration::from_millis(200);
        let files = PgnFiles::writing_every(directory.clone(), every).unwrap();
        files.write(Job { game_id: "first".into(), game: game(1), now: false });
        // No pause between two of these is as long as the delay.
        let first = directory.join("first.pgn");
        let mut others = 0;
        while !first.exists() {
            others += 1;
            files.write(Job { game_id: "other".into(), game: game(others), now: false });
            thread::sleep(Duration::from_millis(5));
            assert!(others < 4_000, "it waited for a pause that never came");
        }
        files.close();
    }

    #[test]
    fn games_that_cannot_be_written_do_not_pile_up() {
        let dir = tempfile::tempdir().unwrap();
        let blocked = dir.path().join("pgn");
        fs::write(&blocked, "a file, not a directory").unwrap();
        let files = PgnFiles::writing_every(blocked.clone(), Duration::from_secs(600)).unwrap();
        for number in 0..MOST_WAITING + 5 {
            let game_id = format!("game{number:05}");
            files.write(Job { game_id, game: game(1), now: false });
        }
        {
            let list = files.waiting.list();
            assert_eq!(list.games.len(), MOST_WAITING);
            assert!(list.games.contains_key("game00005"), "the oldest went first");
            assert!(!list.games.contains_key("game00004"));
        }
        fs::remove_file(&blocked).unwrap();
        files.close();
        assert_eq!(fs::read_dir(&blocked).unwrap().count(), MOST_WAITING);
    }

    #[test]
    fn the_end_of_one_game_does_not_write_all_others() {
        let dir = tempfile::tempdir().unwrap();
        let directory = dir.path().join("pgn");
        let files = PgnFiles::writing_every(directory.clone(), Duration::from_secs(600)).unwrap();
        files.write(Job { game_id: "running".into(), game: game(1), now: false });
        files.write(Job { game_id: "ended".into(), game: game(2), now: true });
        files.write(Job { game_id: "ended_too".into(), game: game(2), now: true });
        wait_for(&directory.join("ended.pgn"));
        wait_for(&directory.join("ended_too.pgn"));
        assert!(!directory.join("running.pgn").exists());
        files.close();
        assert!(directory.join("running.pgn").exists());
    }
}
