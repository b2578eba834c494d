//! The real daemon on a pseudo-terminal, killed in the middle of a game.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use super::{
    emulator::{Plugged, STARTING},
    script::{Script, fivefold, hand},
    table::{classic, written_ends},
};

/// A running daemon, and what it said.
struct Daemon {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Daemon {
    fn start(at: &Path) -> Daemon {
        let _starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
        let mut child = Command::new(env!("CARGO_BIN_EXE_dgtd"))
            .arg("--config")
            .arg(at.join("dgtd.toml"))
            .env_remove("RUST_LOG")
            .env_remove("JOURNAL_STREAM")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let (from, into) = (child.stderr.take().unwrap(), Arc::clone(&said));
        thread::spawn(move || {
            for line in BufReader::new(from).lines().map_while(Result::ok) {
                let mut into = into.lock().unwrap();
                into.push_str(&line);
                into.push('\n');
            }
        });
        Daemon { child, said }
    }

    /// `SIGKILL`: nothing is finished, nothing is written.
    fn kill(mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.said.lock().unwrap().clone()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Hall {
    dir: tempfile::TempDir,
    board: Plugged,
}

impl Hall {
    fn new() -> Hall {
        let dir = tempfile::tempdir().unwrap();
        let at = dir.path();
        fs::create_dir(at.join("ports")).unwrap();
        let config = format!(
            "[bus]\nwhich = \"none\"\n[ports]\nauto = false\nlist = [\"{0}/ports/tty*\"]\n\
             [state]\ndirectory = \"{0}/state\"\n",
            at.display()
        );
        fs::write(at.join("dgtd.toml"), config).unwrap();
        let board = Plugged::new(classic());
        symlink(board.path(), at.join("ports/tty0")).unwrap();
        Hall { dir, board }
    }

    fn start(&self) -> Daemon {
        Daemon::start(self.dir.path())
    }

    fn journal(&self) -> PathBuf {
        self.dir.path().join("state/journal/01025.jsonl")
    }

    /// Looks at the journal until it has so many lines with a text, for half a minute.
    #[track_caller]
    fn wait_for(&self, count: usize, text: &str, daemon: &Daemon) {
        for _ in 0..1_500 {
            let journal = fs::read_to_string(self.journal()).unwrap_or_default();
            if journal.lines().filter(|line| line.contains(text)).count() >= count {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        let journal = fs::read_to_string(self.journal()).unwrap_or_default();
        let tail: Vec<&str> = journal.lines().rev().take(12).collect();
        panic!("waited in vain for {text}:\n{tail:#?}\n{}", daemon.said.lock().unwrap());
    }

    fn play(&mut self, script: &Script, ply: usize) {
        let (lifted, put) = hand(&script.positions[ply], script.moves[ply]);
        for square in lifted {
            self.board.put(&square.to_string(), '.');
        }
        thread::sleep(Duration::from_millis(60));
        for (square, man) in put {
            self.board.put(&square.to_string(), man);
        }
        thread::sleep(Duration::from_millis(60));
        self.board.press();
    }

    /// The moves that stand at the end of the journal.
    fn sans(&self) -> Vec<String> {
        let journal = fs::read_to_string(self.journal()).unwrap();
        let mut sans: Vec<String> = Vec::new();
        for line in journal.lines() {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            match object["event"].as_str().unwrap() {
                "move" => {
                    sans.truncate(usize::try_from(object["ply"].as_u64().unwrap() - 1).unwrap());
                    sans.push(object["san"].as_str().unwrap().to_owned());
                }
                "takeback" => {
                    sans.truncate(usize::try_from(object["to_ply"].as_u64().unwrap()).unwrap());
                }
                _ => {}
            }
        }
        sans
    }
}

/// Killed after its line of these half-moves; the game is played on by the next daemon.
fn play_and_kill(script: &Script, kill_after: impl Fn(usize) -> bool) -> usize {
    let mut hall = Hall::new();
    let mut daemon = hall.start();
    let mut kills = 0;
    hall.wait_for(1, "\"event\":\"game_started\"", &daemon);
    let plies = script.plies();
    for ply in 0..plies {
        if kill_after(ply) {
            daemon.kill();
            kills += 1;
            // The board comes back on another port now and then.
            let ports = hall.dir.path().join("ports");
            let (old, new) = if kills % 2 == 1 { ("tty0", "tty1") } else { ("tty1", "tty0") };
            fs::rename(ports.join(old), ports.join(new)).unwrap();
            daemon = hall.start();
            hall.wait_for(kills, "\"source\":\"resumed\"", &daemon);
        }
        hall.play(script, ply);
        hall.wait_for(ply + 1, "\"event\":\"move\"", &daemon);
    }
    hall.wait_for(1, "\"event\":\"game_over\"", &daemon);
    // The end was told: the next daemon does not tell it again, and keeps its alert.
    daemon.kill();
    kills += 1;
    let daemon = hall.start();
    hall.wait_for(kills, "\"source\":\"resumed\"", &daemon);
    thread::sleep(Duration::from_millis(1_500));
    let said = daemon.kill();
    let journal = fs::read(hall.journal()).unwrap();
    assert_eq!(written_ends(&journal), [plies as u64], "{said}");
    assert_eq!(hall.sans(), script.sans);
    assert!(said.contains("taken up from the journal"), "{said}");
    let pgn: Vec<_> = fs::read_dir(hall.dir.path().join("state/pgn"))
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    assert_eq!(pgn.len(), 1, "one game, one file");
    let moves = pgn[0].matches("[%clk").count();
    assert_eq!(moves, plies, "{}", pgn[0]);
    assert!(pgn[0].contains("fivefold repetition") && pgn[0].contains("[Result \"1/2-1/2\"]"));
    kills
}

#[test]
fn the_real_daemon_killed_in_mid_game_goes_on_with_it() {
    // Every half-move of 200 takes ten minutes; some of 100 show as much in one.
    let every = std::env::var_os("DGTD_KILL_EVERY").is_some();
    let script = fivefold(if every { 200 } else { 100 }, 1);
    let points = [0, 1, 2, 17, 50, 70, 83, 84, 88, 92, 96, 99];
    let kills = play_and_kill(&script, |ply| every || points.contains(&ply));
    eprintln!("the real daemon was killed {kills} times in {} half-moves", script.plies());
}

#[test]
fn a_state_directory_that_is_taken_away_in_mid_game_is_there_again() {
    let script = fivefold(24, 3);
    let mut hall = Hall::new();
    let daemon = hall.start();
    hall.wait_for(1, "\"event\":\"game_started\"", &daemon);
    let line = "\"event\":\"move\"";
    for ply in 0..6 {
        hall.play(&script, ply);
        hall.wait_for(ply + 1, line, &daemon);
    }
    fs::remove_dir_all(hall.dir.path().join("state")).unwrap();
    for ply in 6..12 {
        hall.play(&script, ply);
        hall.wait_for(ply + 1, line, &daemon);
    }
    daemon.kill();
    // The last line is cut short: its half-move is one that nobody saw when the board is read again.
    let whole = fs::read(hall.journal()).unwrap();
    let cut = whole.len() - 40;
    fs::write(hall.journal(), &whole[..cut]).unwrap();
    let daemon = hall.start();
    hall.wait_for(1, "\"source\":\"resumed\"", &daemon);
    hall.wait_for(1, "\"kind\":\"journal\"", &daemon);
    for ply in 12..24 {
        hall.play(&script, ply);
        hall.wait_for(ply + 1, line, &daemon);
    }
    let said = daemon.kill();
    assert_eq!(hall.sans(), script.sans, "{said}");
    let kept: Vec<_> = fs::read_dir(hall.dir.path().join("state/journal"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "damaged"))
        .collect();
    assert_eq!(kept.len(), 1, "{said}");
    assert_eq!(fs::read(&kept[0]).unwrap(), whole[..cut]);
}
