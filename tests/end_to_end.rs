//! The real daemon, an emulated board on a pseudo-terminal, a private bus, and clients that are not
//! ours.
//!
//! Needs `dbus-daemon`, `busctl` and `gdbus`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "in a test a wrong step is a failure"
)]

mod emulator;

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

use dgtd::wire::Orientation;
use emulator::{Board, Clock, Plugged, STARTING};

const BOARD: &str = "/org/dgtd/boards/sn_01025";

/// A program that is killed when it is no longer needed, and what it wrote.
struct Running {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Running {
    fn start(command: &mut Command) -> Running {
        let mut child = spawn(command);
        let said = Arc::new(Mutex::new(String::new()));
        collect(child.stdout.take().unwrap(), &said);
        collect(child.stderr.take().unwrap(), &said);
        Running { child, said }
    }

    fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    #[track_caller]
    fn wait_for(&self, text: &str) {
        wait(text, || self.said().contains(text).then_some(()), || self.said());
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Ends it as a service manager does; answers with its exit status.
    fn end(mut self) -> Option<i32> {
        self.signal("TERM");
        self.child.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(command: &mut Command) -> Child {
    let _starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

/// What a program wrote, and how it ended.
fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let output = spawn(command).wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn collect(from: impl std::io::Read + Send + 'static, into: &Arc<Mutex<String>>) {
    let into = Arc::clone(into);
    thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            let mut into = into.lock().unwrap();
            into.push_str(&line);
            into.push('\n');
        }
    });
}

/// Looks until something is there, for ten seconds.
#[track_caller]
fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>, why: impl FnOnce() -> String) -> T {
    for _ in 0..400 {
        if let Some(found) = look() {
            return found;
        }
        thread::sleep(Duration::from_millis(25));
    }
    panic!("waited in vain for {what}:\n{}", why());
}

/// A directory with a private bus, a place for ports and one for state.
struct Hall {
    dir: tempfile::TempDir,
    bus: Running,
}

impl Hall {
    fn new() -> Hall {
        let dir = tempfile::tempdir().unwrap();
        let at = dir.path();
        fs::create_dir(at.join("ports")).unwrap();
        let config = format!(
            "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" \
             \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\
             <busconfig><type>custom</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>\
             <policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>\
             <allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>",
            at.join("bus").display()
        );
        fs::write(at.join("bus.conf"), config).unwrap();
        let mut command = Command::new("dbus-daemon");
        command.arg("--nofork").arg(format!("--config-file={}", at.join("bus.conf").display()));
        let bus = Running::start(&mut command);
        wait("the bus", || at.join("bus").exists().then_some(()), || bus.said());
        Hall { dir, bus }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn address(&self) -> String {
        format!("unix:path={}", self.path().join("bus").display())
    }

    /// Gives a board's terminal a name among the ports.
    fn plug(&self, name: &str, board: &Plugged) -> PathBuf {
        let port = self.path().join("ports").join(name);
        symlink(board.path(), &port).unwrap();
        port
    }

    fn config(&self, more: &str) -> PathBuf {
        let file = self.path().join("dgtd.toml");
        let text = format!(
            "[bus]\nwhich = \"{}\"\n[ports]\nauto = false\nlist = [\"{}/ports/tty*\"]\n\
             [state]\ndirectory = \"{}\"\n[log]\nlevel = \"debug\"\n{more}",
            self.address(),
            self.path().display(),
            self.path().join("state").display()
        );
        fs::write(&file, text).unwrap();
        file
    }

    fn daemon(&self, more: &str) -> Running {
        let config = self.config(more);
        let daemon = Running::start(
            Command::new(env!("CARGO_BIN_EXE_dgtd"))
                .arg("--config")
                .arg(config)
                .env_remove("RUST_LOG")
                .env_remove("JOURNAL_STREAM"),
        );
        daemon.wait_for("org.dgtd is served");
        daemon
    }

    /// An independent client.
    fn busctl(&self, args: &[&str]) -> Result<String, String> {
        let address = format!("--address={}", self.address());
        let (code, said, errors) = output(Command::new("busctl").arg(address).args(args));
        if code == Some(0) { Ok(said.trim().to_owned()) } else { Err(errors.trim().to_owned()) }
    }

    fn get(&self, path: &str, interface: &str, property: &str) -> Result<String, String> {
        self.busctl(&["get-property", "org.dgtd", path, interface, property])
    }

    #[track_caller]
    fn wait_get(&self, path: &str, interface: &str, property: &str, value: &str, log: &Running) {
        wait(
            &format!("{property} = {value}"),
            || (self.get(path, interface, property).as_deref() == Ok(value)).then_some(()),
            || {
                let is = self.get(path, interface, property);
                format!("it is {is:?}; the daemon said:\n{}", log.said())
            },
        );
    }

    /// Another independent client, which prints every signal.
    fn monitor(&self) -> Running {
        let monitor = Running::start(Command::new("gdbus").args([
            "monitor",
            "--address",
            &self.address(),
            "--dest",
            "org.dgtd",
        ]));
        monitor.wait_for("Monitoring signals");
        monitor
    }

    fn ctl(&self, args: &[&str]) -> (i32, String, String) {
        let bus = format!("--bus={}", self.address());
        let (code, said, errors) =
            output(Command::new(env!("CARGO_BIN_EXE_dgtctl")).arg(bus).args(args));
        (code.unwrap(), said, errors)
    }
}

fn board() -> Board {
    let clock = Clock { left: 5400, right: 5400, right_turn: false, running: true, increment: 0 };
    Board::classic(*b"01025", Orientation::Normal).with_clock(clock)
}

/// A move and a press of the clock, at the pace of a hand.
fn play(board: &mut Plugged, from: &str, to: &str) {
    thread::sleep(Duration::from_millis(250));
    board.carry(from, to);
    thread::sleep(Duration::from_millis(250));
    board.press();
}

#[test]
fn mate_on_the_board_reaches_clients_that_are_not_ours() {
    let hall = Hall::new();
    let daemon = hall.daemon("[[board]]\nserial = '01025'\nlabel = 'Table 7'\n");
    let monitor = hall.monitor();
    let mut board = Plugged::new(board());
    hall.plug("tty0", &board);
    hall.wait_get(BOARD, "org.dgtd.Board1", "State", "s \"ready\"", &daemon);
    hall.wait_get(BOARD, "org.dgtd.Game1", "State", "s \"waiting\"", &daemon);
    play(&mut board, "f2", "f3");
    play(&mut board, "e7", "e5");
    play(&mut board, "g2", "g4");
    play(&mut board, "d8", "h4");
    monitor.wait_for("org.dgtd.Game1.Over");
    let said = monitor.said();
    let over = said.lines().find(|line| line.contains("Game1.Over")).unwrap();
    assert!(over.starts_with(BOARD) && over.contains("'checkmate', '5.1.1', '0-1')"), "{over}");
    let added =
        said.lines().find(|l| l.contains("InterfacesAdded") && l.contains("Alert1")).unwrap();
    assert!(added.contains("'Kind': <'game-over'>"), "{added}");
    let at = said.find("Alert1").unwrap();
    assert!(at < said.find("Game1.Over").unwrap(), "the object is there before the signal");

    let tree = hall.busctl(&["tree", "--list", "org.dgtd"]).unwrap();
    let alert = tree.lines().find(|line| line.contains("/alerts/")).unwrap().to_owned();
    assert_eq!(hall.get(&alert, "org.dgtd.Alert1", "Article").unwrap(), "s \"5.1.1\"");
    assert_eq!(hall.get(&alert, "org.dgtd.Alert1", "Title").unwrap(), "s \"Table 7: checkmate\"");
    assert_eq!(hall.get(BOARD, "org.dgtd.Game1", "Result").unwrap(), "s \"0-1\"");
    assert_eq!(hall.get(BOARD, "org.dgtd.Game1", "Ply").unwrap(), "u 4");
    assert_eq!(hall.get(BOARD, "org.dgtd.Board1", "Label").unwrap(), "s \"Table 7\"");

    let (code, shown, _) = hall.ctl(&["show", "Table 7"]);
    assert_eq!(code, 0);
    assert!(shown.contains("4  . . . . . . P q\n"), "{shown}");
    assert!(shown.contains("over: 0-1 checkmate (Article 5.1.1)"), "{shown}");
    let (code, status, _) = hall.ctl(&["status", "--json"]);
    assert_eq!(code, 0);
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["boards"][0]["game"]["Ending"], "checkmate");
    assert_eq!(status["boards"][0]["arbiter_only"]["Repetitions"], 1);
    assert_eq!(status["alerts"][0]["Kind"], "game-over");

    hall.busctl(&["call", "org.dgtd", &alert, "org.dgtd.Alert1", "Acknowledge", "a{sv}", "0"])
        .unwrap();
    wait("no alert", || hall.get(&alert, "org.dgtd.Alert1", "Id").err(), String::new);
    let refused = hall
        .busctl(&["call", "org.dgtd", BOARD, "org.dgtd.Game1", "Undo", "uua{sv}", "1", "57", "0"])
        .unwrap_err();
    assert!(refused.contains("at half-move 4, not 57"), "{refused}");

    assert_eq!(daemon.end(), Some(0));
    let games: Vec<_> =
        fs::read_dir(hall.path().join("state/pgn")).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(games.len(), 1);
    let pgn = fs::read_to_string(&games[0]).unwrap();
    assert!(pgn.contains("[Result \"0-1\"]") && pgn.contains("Qh4# {[%clk "), "{pgn}");
    let journal = fs::read_to_string(hall.path().join("state/journal/01025.jsonl")).unwrap();
    assert!(journal.contains("\"event\":\"acknowledged\""), "{journal}");
}

#[test]
fn a_board_that_comes_back_under_another_name_goes_on_with_its_game() {
    let hall = Hall::new();
    let daemon = hall.daemon("");
    let mut board = Plugged::new(board());
    let first = hall.plug("tty0", &board);
    hall.wait_get(BOARD, "org.dgtd.Game1", "State", "s \"waiting\"", &daemon);
    play(&mut board, "f2", "f3");
    play(&mut board, "e7", "e5");
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ply", "u 2", &daemon);
    let game = hall.get(BOARD, "org.dgtd.Board1", "GameId").unwrap();
    fs::remove_file(&first).unwrap();
    let mut board = board.replug(|_| ());
    hall.wait_get(BOARD, "org.dgtd.Board1", "State", "s \"absent\"", &daemon);
    let alerts = hall.get(BOARD, "org.dgtd.Board1", "Alerts").unwrap();
    assert!(alerts.starts_with("ao 1 "), "a lost board is an alert: {alerts}");
    let second = hall.plug("tty1", &board);
    let port = format!("s \"{}\"", second.display());
    hall.wait_get(BOARD, "org.dgtd.Board1", "State", "s \"ready\"", &daemon);
    hall.wait_get(BOARD, "org.dgtd.Board1", "Port", &port, &daemon);
    hall.wait_get(BOARD, "org.dgtd.Board1", "Alerts", "ao 0", &daemon);
    play(&mut board, "g2", "g4");
    play(&mut board, "d8", "h4");
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ending", "s \"checkmate\"", &daemon);
    assert_eq!(hall.get(BOARD, "org.dgtd.Board1", "GameId").unwrap(), game);
    let moves = hall.busctl(&["call", "org.dgtd", BOARD, "org.dgtd.Game1", "GetMoves", "u", "1"]);
    assert!(moves.as_ref().unwrap().starts_with("a(ussxx) 4 1 \"f3\" "), "{moves:?}");
}

#[test]
fn one_boards_fault_does_not_touch_another() {
    let hall = Hall::new();
    let daemon = hall.daemon("");
    let mut good = Plugged::new(board());
    let mut bad = Plugged::new(Board::classic(*b"00666", Orientation::Normal));
    hall.plug("tty0", &good);
    hall.plug("tty1", &bad);
    let other = "/org/dgtd/boards/sn_00666";
    hall.wait_get(other, "org.dgtd.Board1", "State", "s \"ready\"", &daemon);
    hall.wait_get(BOARD, "org.dgtd.Game1", "State", "s \"waiting\"", &daemon);
    let noise: Vec<u8> =
        (0..20_000_u32).map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    bad.noise(&noise);
    play(&mut good, "e2", "e4");
    hall.wait_get(BOARD, "org.dgtd.Game1", "LastSan", "s \"e4\"", &daemon);
    drop(bad);
    hall.wait_get(other, "org.dgtd.Board1", "State", "s \"absent\"", &daemon);
    play(&mut good, "e7", "e5");
    hall.wait_get(BOARD, "org.dgtd.Game1", "LastSan", "s \"e5\"", &daemon);
}

/// The game is closed: it is opened again; conditions, sides and names are set, and set back.
fn everything_else_and_back(hall: &Hall, daemon: &Running, watch: &Running) {
    let (code, _, err) = hall.ctl(&["reopen", "01025"]);
    assert_eq!((code, err.as_str()), (0, ""));
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ending", "s \"\"", daemon);
    watch.wait_for("\"event\":\"game_reopened\"");
    let (code, _, err) = hall.ctl(&["reopen", "01025"]);
    assert_eq!(code, 1);
    assert!(err.contains("nothing to open again"), "{err}");

    assert_eq!(hall.ctl(&["conditions", "01025"]).1.trim(), "fide-2023 standard shared");
    let set = ["conditions", "01025", "--time-control", "blitz", "--supervision", "full"];
    assert_eq!(hall.ctl(&set).0, 0);
    hall.wait_get(BOARD, "org.dgtd.Game1", "TimeControl", "s \"blitz\"", daemon);
    let (code, _, err) = hall.ctl(&["conditions", "01025", "--time-control", "bullet"]);
    assert_eq!(code, 2, "{err}");
    assert_eq!(hall.ctl(&["conditions", "01025", "--time-control", "standard"]).0, 0);

    assert_eq!(hall.ctl(&["sides", "01025"]).1.trim(), "board normal, White's clock left");
    assert_eq!(hall.ctl(&["sides", "01025", "--white-clock", "right"]).0, 0);
    hall.wait_get(BOARD, "org.dgtd.Board1", "WhiteClockSide", "s \"right\"", daemon);
    assert_eq!(hall.ctl(&["sides", "01025", "--white-clock", "left"]).0, 0);

    let (code, out, err) = hall.ctl(&["players", "01025", "--black", "Bo"]);
    assert_eq!((code, out.trim()), (0, "set for the game that waits for its first move"), "{err}");
    let tags = "a{ss} 2 \"Black\" \"Bo\" \"White\" \"Ana\"";
    hall.wait_get(BOARD, "org.dgtd.Game1", "Tags", tags, daemon);
    let label = ["set-property", "org.dgtd", BOARD, "org.dgtd.Board1", "Label", "s", "Table 7"];
    hall.busctl(&label).unwrap();
    hall.wait_get(BOARD, "org.dgtd.Board1", "Label", "s \"Table 7\"", daemon);
    watch.wait_for("\"what\":\"label\"");
    let file = hall.path().join("round.pgn").display().to_string();
    let pgn = "[Round \"3.7\"]\n[White \"Eva\"]\n[Black \"Ivo\"]\n\n*\n";
    fs::write(&file, pgn).unwrap();
    let (code, out, err) = hall.ctl(&["pair", &file, "--dry-run"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("round 3") && out.contains("7  Eva - Ivo  ["), "{out}");
    assert_eq!(hall.get(BOARD, "org.dgtd.Game1", "Tags").unwrap(), tags, "nothing was set");
    let (code, out, err) = hall.ctl(&["pair", &file]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains(": set]"), "{out}");
    let tags = "a{ss} 4 \"Black\" \"Ivo\" \"Round\" \"3.7\" \"Table\" \"7\" \"White\" \"Eva\"";
    hall.wait_get(BOARD, "org.dgtd.Game1", "Tags", tags, daemon);
    fs::write(&file, pgn.replace("3.7", "3.8")).unwrap();
    let (code, out, _) = hall.ctl(&["pair", &file]);
    assert_eq!((code, out.contains("no board has this number")), (1, true), "{out}");
    fs::write(&file, pgn.replace("[Black", "[Black=")).unwrap();
    let (code, _, err) = hall.ctl(&["pair", &file]);
    assert_eq!(code, 2);
    assert!(err.contains("round.pgn:3:7: a tag is written"), "{err}");
}

#[test]
fn the_arbiter_can_start_correct_and_end_a_game() {
    let hall = Hall::new();
    let daemon = hall.daemon("");
    let board = Plugged::new(board());
    hall.plug("tty0", &board);
    hall.wait_get(BOARD, "org.dgtd.Game1", "State", "s \"waiting\"", &daemon);
    let watch = Running::start(
        Command::new(env!("CARGO_BIN_EXE_dgtctl"))
            .arg(format!("--bus={}", hall.address()))
            .args(["watch", "--json", "--after", "0"]),
    );
    watch.wait_for("\"event\":\"game_started\"");
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 12 30";
    let bare = format!("....k...{}....P.......K...", ".".repeat(40));
    board.board().set_up(&bare);
    hall.busctl(&["call", "org.dgtd", BOARD, "org.dgtd.Board1", "Resync", "a{sv}", "0"]).unwrap();
    let placement = "s \"4k3/8/8/8/8/8/4P3/4K3\"";
    hall.wait_get(BOARD, "org.dgtd.Board1", "Placement", placement, &daemon);
    let (code, out, err) = hall.ctl(&["start", "01025", "--fen", fen, "--white", "Ana"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    hall.wait_get(BOARD, "org.dgtd.Game1", "StartFen", &format!("s \"{fen}\""), &daemon);
    assert_eq!(hall.get(BOARD, "org.dgtd.Game1", "Tags").unwrap(), "a{ss} 1 \"White\" \"Ana\"");
    let secret = hall.busctl(&[
        "get-property",
        "org.dgtd.Arbiter",
        BOARD,
        "org.dgtd.ArbiterOnly1",
        "HalfmoveClock",
    ]);
    assert_eq!(secret.unwrap(), "u 12");
    let (code, _, err) = hall.ctl(&["undo", "01025"]);
    assert_eq!(code, 1);
    assert!(err.contains("there are only 0 half-moves to take back"), "{err}");
    // The journal says that it was refused, and why; those who watch read it there, now and later.
    watch.wait_for("\"refused\":\"there are only 0 half-moves to take back\"");
    daemon.wait_for("refused: there are only 0 half-moves to take back");
    let read = Running::start(
        Command::new(env!("CARGO_BIN_EXE_dgtctl"))
            .arg(format!("--bus={}", hall.address()))
            .args(["watch", "--after", "0"]),
    );
    read.wait_for("refused: there are only 0 half-moves to take back");
    drop(read);
    let (code, _, err) = hall.ctl(&["set-position", "01025", "nonsense"]);
    assert_eq!(code, 2, "{err}");
    let (code, _, err) = hall.ctl(&["result", "01025", "1-0", "--ply", "9"]);
    assert_eq!(code, 1);
    assert!(
        err.contains("at half-move 0, not 9") && err.contains("help: look at the board"),
        "{err}"
    );
    let (code, _, err) = hall.ctl(&["result", "01025", "1-0", "--reason", "resigned"]);
    assert_eq!(code, 0, "{err}");
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ending", "s \"set-by-arbiter\"", &daemon);
    watch.wait_for("\"event\":\"asked\"");
    watch.wait_for("\"event\":\"game_ended\"");
    everything_else_and_back(&hall, &daemon, &watch);
    assert_eq!(hall.ctl(&["result", "01025", "1-0"]).0, 0);
    let (code, _, err) = hall.ctl(&["show", "12345"]);
    assert_eq!(code, 2);
    assert!(err.contains("no board is called \"12345\"; there are: 01025"), "{err}");
    let (code, _, err) = hall.ctl(&["acknowledge", "99999"]);
    assert_eq!((code, err.contains("alert 99999 is not open")), (1, true), "{err}");
    assert_eq!(hall.ctl(&["silence"]).0, 0);
    let config = hall.config("[laws]\nedition = \"2014\"\n");
    let (code, out, err) = hall.ctl(&["reload"]);
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    hall.wait_get("/org/dgtd", "org.dgtd.Daemon1", "LawsEdition", "s \"fide-2014\"", &daemon);
    fs::write(&config, "[laws]\nedtion = \"2014\"\n").unwrap();
    let (code, out, _) = hall.ctl(&["reload"]);
    assert_eq!(code, 1);
    assert!(
        out.contains("unknown key `edtion`") && out.contains("did you mean `edition`"),
        "{out}"
    );
    daemon.signal("HUP");
    daemon.wait_for("the configuration was not reloaded");
    assert_eq!(daemon.end(), Some(0));
    let (code, _, err) = hall.ctl(&["status"]);
    assert_eq!(code, 1);
    assert!(err.contains("dgtd is not running") && err.contains("systemctl start dgtd"), "{err}");
}

#[test]
fn the_arbiter_decides_on_illegal_moves_flags_and_claims() {
    let hall = Hall::new();
    let daemon = hall.daemon("[[board]]\nserial = '01025'\nlabel = 'Table 7'\n");
    let public = hall.monitor();
    let mut board = Plugged::new(board());
    hall.plug("tty0", &board);
    hall.wait_get(BOARD, "org.dgtd.Game1", "State", "s \"waiting\"", &daemon);
    play(&mut board, "e2", "e4");
    play(&mut board, "e7", "e5");
    play(&mut board, "g1", "g3");
    let secret = |property: &str| {
        let at = ["get-property", "org.dgtd.Arbiter", BOARD, "org.dgtd.ArbiterOnly1", property];
        hall.busctl(&at).unwrap_or_default()
    };
    let waiting = wait(
        "the illegal move",
        || Some(secret("IllegalMoves")).filter(|all| all.starts_with("a(ususs) 1 ")),
        || daemon.said(),
    );
    assert!(
        waiting.starts_with("a(ususs) 1 1 \"white\" 3 \"7.5.1\" \"Illegal move 1 "),
        "{waiting}"
    );

    let ctl = |args: &[&str], language: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dgtctl"));
        command.arg(format!("--bus={}", hall.address())).args(args).env("LC_ALL", language);
        output(&mut command)
    };
    let (code, out, _) = ctl(&["illegal", "Table 7"], "C");
    assert_eq!(code, Some(0));
    assert!(out.starts_with("illegal move 1 by White, half-move 3 (Article 7.5.1). "), "{out}");
    let (_, out, _) = ctl(&["illegal", "Table 7"], "es_ES.UTF-8");
    assert!(out.starts_with("jugada ilegal 1 de las blancas, media jugada 3 "), "{out}");
    let (code, _, err) = ctl(&["illegal", "01025", "accept", "2"], "C");
    assert_eq!(code, Some(1));
    assert!(err.contains("illegal move 2 does not wait for a decision; there are: 1"), "{err}");
    assert!(err.contains("help: see those that wait with `dgtctl illegal BOARD`"), "{err}");

    let (code, out, err) = ctl(&["flag", "01025", "white", "--ply", "2"], "C");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("White's flag has fallen: Black wins (Article 6.9). "), "{out}");
    let (_, out, _) = ctl(&["flag", "01025", "black", "--before", "claim", "--json"], "C");
    let flag: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&flag["decided_by"], &flag["result"]), (&"claim-first".into(), &().into()));
    let claim = ["claim", "--board", "01025", "--kind", "threefold", "--move", "Nf3"];
    let clocks = ["--clocks", "0:05:00", "0:04:00"];
    let (code, out, err) = ctl(&[&claim[..], &clocks].concat(), "es");
    assert_eq!(code, Some(1), "{err}");
    let wrong = "La reclamación es incorrecta (artículo 9.5.3): el reclamante tiene ahora 0:05:00 y \
                 su rival 0:06:00. La partida sigue; el reclamante debe jugar Nf3.\n";
    assert_eq!(out, wrong);
    let (code, _, err) = ctl(&[&claim[..], &["--ply", "9"]].concat(), "C");
    assert_eq!((code, err.contains("at half-move 2, not 9")), (Some(1), true), "{err}");

    let (code, out, err) = ctl(&["illegal", "01025", "accept"], "C");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("The illegal move of White counts: the position is restored and the opponent gains 0:02:00 (Article 7.5.5)."), "{out}");
    assert!(out.contains("Black 1:3"), "an hour and a half, and two minutes: {out}");
    let (_, out, _) = ctl(&["illegal", "01025"], "C");
    assert_eq!(out, "No illegal move waits for a decision. Accepted so far: White 1, Black 0.\n");
    assert_eq!(secret("IllegalMovesCounted"), "(uu) 1 0");
    let alerts = hall.busctl(&["tree", "--list", "org.dgtd.Arbiter"]).unwrap();
    for alert in alerts.lines().filter(|line| line.contains("/alerts/")) {
        let at = ["get-property", "org.dgtd.Arbiter", alert.trim(), "org.dgtd.Alert1", "Kind"];
        assert_ne!(hall.busctl(&at).unwrap(), "s \"illegal-position\"", "it is settled");
    }
    // Nobody else has heard of any of it.
    let said = public.said();
    for word in ["illegal", "flag has fallen", "claim", "ruling"] {
        assert!(!said.to_lowercase().contains(word), "{word}: {said}");
    }
    assert_eq!(daemon.end(), Some(0));
    let journal = fs::read_to_string(hall.path().join("state/journal/01025.jsonl")).unwrap();
    for (what, event) in [
        ("accept illegal move", "illegal_move_decided"),
        ("rule on flag", "flag_ruling"),
        ("rule on claim", "claim_ruling"),
    ] {
        let asked = journal.lines().find(|line| line.contains(&format!("\"what\":\"{what}\"")));
        let asked: serde_json::Value = serde_json::from_str(asked.unwrap()).unwrap();
        assert!(asked["uid"].is_u64() && asked["time"].is_string(), "{asked}");
        assert!(journal.contains(&format!("\"event\":\"{event}\"")), "{event}");
    }
}

#[test]
fn a_second_daemon_does_not_take_the_name() {
    let hall = Hall::new();
    let daemon = hall.daemon("");
    let config = hall.path().join("dgtd.toml");
    let (code, _, said) =
        output(Command::new(env!("CARGO_BIN_EXE_dgtd")).arg("--config").arg(config));
    assert_eq!(code, Some(1));
    assert!(said.contains("another dgtd is running"), "{said}");
    assert!(hall.get("/org/dgtd", "org.dgtd.Daemon1", "Version").is_ok());
    assert_eq!(daemon.end(), Some(0));
}

#[test]
fn a_bus_that_comes_back_shows_everything_again() {
    let mut hall = Hall::new();
    let daemon = hall.daemon("");
    let mut board = Plugged::new(board());
    hall.plug("tty0", &board);
    hall.wait_get(BOARD, "org.dgtd.Game1", "State", "s \"waiting\"", &daemon);
    hall.bus.child.kill().unwrap();
    daemon.wait_for("bus: lost");
    play(&mut board, "f2", "f3");
    play(&mut board, "e7", "e5");
    play(&mut board, "g2", "g4");
    play(&mut board, "d8", "h4");
    fs::remove_file(hall.path().join("bus")).unwrap();
    let mut command = Command::new("dbus-daemon");
    let config = hall.path().join("bus.conf");
    hall.bus =
        Running::start(command.arg("--nofork").arg(format!("--config-file={}", config.display())));
    let alert = wait(
        "the alert",
        || {
            let tree = hall.busctl(&["tree", "--list", "org.dgtd"]).ok()?;
            tree.lines().find(|line| line.contains("/alerts/")).map(str::to_owned)
        },
        || daemon.said(),
    );
    assert_eq!(hall.get(&alert, "org.dgtd.Alert1", "Article").unwrap(), "s \"5.1.1\"");
}

#[test]
fn what_is_missing_is_said_and_the_rest_works() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    fs::write(at.join("state"), "a file in the way").unwrap();
    let config = at.join("dgtd.toml");
    let text = format!(
        "[bus]\nwhich = \"unix:path={0}/no-bus\"\n[ports]\nauto = false\n\
         list = [\"{0}/no-port\", \"replay:{0}/no-capture.dgtlog\"]\n[buzzer]\nchip = \"{0}/no-chip\"\n\
         [state]\ndirectory = \"{0}/state\"\n",
        at.display()
    );
    fs::write(&config, text).unwrap();
    let daemon = Running::start(
        Command::new(env!("CARGO_BIN_EXE_dgtd"))
            .arg("--config")
            .arg(&config)
            .env_remove("RUST_LOG"),
    );
    for said in [
        "the journal cannot be kept in",
        "set `directory` in [state]",
        "buzzer: line 17 of",
        "no-chip cannot be had",
        "The daemon goes on and tries the bus again",
        "no-port is not there: plug the board in",
        "no-capture.dgtlog cannot be opened",
    ] {
        daemon.wait_for(said);
    }
    assert_eq!(daemon.end(), Some(0));

    fs::write(&config, "[buzer]\nline = 4\n").unwrap();
    let (code, _, said) =
        output(Command::new(env!("CARGO_BIN_EXE_dgtd")).arg("--config").arg(&config));
    assert_eq!(code, Some(2));
    assert!(said.contains("dgtd.toml:1:2: unknown key `buzer`"), "{said}");
    assert!(said.contains("help: did you mean `buzzer`?"), "{said}");
    let (code, ..) = output(Command::new(env!("CARGO_BIN_EXE_dgtctl")).arg("check").arg(&config));
    assert_eq!(code, Some(2));
}

#[test]
fn the_service_manager_is_told_ready_alive_and_stopping() {
    let hall = Hall::new();
    let socket = hall.path().join("notify");
    let manager = std::os::unix::net::UnixDatagram::bind(&socket).unwrap();
    manager.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let daemon = Running::start(
        Command::new(env!("CARGO_BIN_EXE_dgtd"))
            .arg("--config")
            .arg(hall.config("[[board]]\nname = 'b1'\nport = '/dev/no-such-port'\n"))
            .env("NOTIFY_SOCKET", &socket)
            .env("WATCHDOG_USEC", "400000")
            .env_remove("WATCHDOG_PID"),
    );
    let mut told = String::new();
    let mut hear = |until: &str| {
        while !told.contains(until) {
            let mut buffer = [0; 4096];
            let count =
                manager.recv(&mut buffer).unwrap_or_else(|e| panic!("{until}: {e}: {told}"));
            told.push_str(&String::from_utf8_lossy(&buffer[..count]));
            told.push('\n');
        }
    };
    hear("READY=1");
    hear("WATCHDOG=1");
    hear("STATUS=1 boards, 0 connected, 0 alerts");
    assert_eq!(daemon.end(), Some(0));
    hear("STOPPING=1");
}

#[test]
fn the_shipped_configuration_is_right() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/dgtd.toml");
    for (program, args) in [
        (env!("CARGO_BIN_EXE_dgtctl"), vec!["check"]),
        (env!("CARGO_BIN_EXE_dgtd"), vec!["--check-config", "--config"]),
    ] {
        let (code, said, _) = output(Command::new(program).args(args).arg(&file));
        assert_eq!(code, Some(0));
        assert!(said.contains("edition = \"fide-2023\""));
    }
}

#[test]
fn a_second_board_with_the_same_serial_number_stays_out_of_the_game() {
    let hall = Hall::new();
    let daemon = hall.daemon("");
    let mut playing = Plugged::new(board());
    hall.plug("tty0", &playing);
    hall.wait_get(BOARD, "org.dgtd.Board1", "State", "s \"ready\"", &daemon);
    play(&mut playing, "f2", "f3");
    play(&mut playing, "e7", "e5");
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ply", "u 2", &daemon);
    // The other one shows a mate that is two plies away from the game.
    let mut other = Plugged::new(board());
    for (from, to) in [("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")] {
        other.carry(from, to);
    }
    hall.plug("tty1", &other);
    daemon.wait_for("same serial number");
    thread::sleep(Duration::from_secs(6));
    let port = format!("s \"{}\"", hall.path().join("ports/tty0").display());
    assert_eq!(hall.get(BOARD, "org.dgtd.Board1", "Port"), Ok(port), "{}", daemon.said());
    assert_eq!(hall.get(BOARD, "org.dgtd.Game1", "Ply"), Ok("u 2".into()), "{}", daemon.said());
    assert_eq!(daemon.said().matches("same serial number").count(), 1, "{}", daemon.said());
    assert!(!daemon.said().contains("the game is over"), "{}", daemon.said());
}

#[test]
fn alerts_and_games_survive_a_killed_daemon() {
    let hall = Hall::new();
    let mut daemon = hall.daemon("[laws]\nedition = '2018'\n");
    let mut board = Plugged::new(board());
    hall.plug("tty0", &board);
    hall.wait_get(BOARD, "org.dgtd.Game1", "State", "s \"waiting\"", &daemon);
    play(&mut board, "f2", "f3");
    play(&mut board, "e7", "e5");
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ply", "u 2", &daemon);
    assert_eq!(hall.ctl(&["start", "nobody"]).0, 2);
    let set = ["call", "org.dgtd", BOARD, "org.dgtd.Game1", "SetTags", "a{ss}a{sv}", "1", "White"];
    hall.busctl(&[&set[..], &["Ana", "0"]].concat()).unwrap();
    let game = hall.get(BOARD, "org.dgtd.Board1", "GameId").unwrap();
    daemon.child.kill().unwrap();
    daemon.child.wait().unwrap();
    // Games that start from now on are played by another edition.
    let mut daemon = hall.daemon("");
    hall.wait_get(BOARD, "org.dgtd.Board1", "State", "s \"ready\"", &daemon);
    assert_eq!(hall.get(BOARD, "org.dgtd.Board1", "GameId").unwrap(), game);
    assert_eq!(hall.get(BOARD, "org.dgtd.Game1", "Ply").unwrap(), "u 2");
    assert_eq!(hall.get(BOARD, "org.dgtd.Game1", "Tags").unwrap(), "a{ss} 1 \"White\" \"Ana\"");
    play(&mut board, "g2", "g4");
    play(&mut board, "d8", "h4");
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ending", "s \"checkmate\"", &daemon);
    let find = || {
        let tree = hall.busctl(&["tree", "--list", "org.dgtd"]).ok()?;
        tree.lines().find(|line| line.contains("/alerts/")).map(str::to_owned)
    };
    let alert = wait("the alert", find, || daemon.said());
    daemon.child.kill().unwrap();
    daemon.child.wait().unwrap();
    let daemon = hall.daemon("");
    assert_eq!(wait("the alert again", find, || daemon.said()), alert);
    assert_eq!(hall.get(&alert, "org.dgtd.Alert1", "Article").unwrap(), "s \"5.1.1\"");
    assert_eq!(hall.get(&alert, "org.dgtd.Alert1", "Edition").unwrap(), "s \"fide-2018\"");
    hall.wait_get(BOARD, "org.dgtd.Board1", "State", "s \"ready\"", &daemon);
    hall.busctl(&["call", "org.dgtd", &alert, "org.dgtd.Alert1", "Acknowledge", "a{sv}", "0"])
        .unwrap();
    wait("no alert", || hall.get(&alert, "org.dgtd.Alert1", "Id").err(), String::new);
    drop(daemon);
    let daemon = hall.daemon("");
    hall.wait_get(BOARD, "org.dgtd.Board1", "State", "s \"ready\"", &daemon);
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ending", "s \"checkmate\"", &daemon);
    hall.wait_get(BOARD, "org.dgtd.Board1", "Alerts", "ao 0", &daemon);
    let journal = fs::read_to_string(hall.path().join("state/journal/01025.jsonl")).unwrap();
    assert_eq!(journal.matches("\"event\":\"game_over\"").count(), 1, "{journal}");
    assert_eq!(journal.matches("\"source\":\"resumed\"").count(), 3, "{journal}");
}

/// The moves and ends that `dgtctl replay` reads in a recording.
fn replayed(file: &str) -> Vec<String> {
    let (code, said, errors) =
        output(Command::new(env!("CARGO_BIN_EXE_dgtctl")).args(["replay", "--json", file]));
    assert_eq!(code, Some(0), "{said}{errors}");
    let events = said.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    events
        .filter_map(|event| {
            let word = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
            match event["event"].as_str()? {
                "game_started" => Some(word("fen")),
                "move" => Some(word("san")),
                "game_over" => Some(format!("{} {}", word("reason"), word("article"))),
                _ => None,
            }
        })
        .collect()
}

#[test]
fn a_recorded_game_replays_to_the_same_game() {
    let hall = Hall::new();
    let daemon = hall.daemon("");
    let mut board = Plugged::new(board());
    let first = hall.plug("tty0", &board);
    hall.wait_get(BOARD, "org.dgtd.Game1", "State", "s \"waiting\"", &daemon);
    let (code, file, err) = hall.ctl(&["record", "01025", "start"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let file = file.trim().to_owned();
    let captures = hall.path().join("state/captures");
    assert!(Path::new(&file).starts_with(&captures), "{file}");
    hall.wait_get(BOARD, "org.dgtd.Board1", "Recording", &format!("s \"{file}\""), &daemon);
    let start = ["call", "org.dgtd", BOARD, "org.dgtd.Board1", "StartCapture", "a{sv}", "0"];
    let refused = hall.busctl(&start).unwrap_err();
    assert!(refused.contains("is being recorded already, in "), "{refused}");
    // Nobody names a file for the daemon to write.
    let path = ["call", "org.dgtd", BOARD, "org.dgtd.Board1", "StartCapture", "a{sv}"];
    let path = [&path[..], &["1", "name", "s", "/tmp/x"]].concat();
    let refused = hall.busctl(&path).unwrap_err();
    assert!(refused.contains("unknown option \"name\""), "{refused}");
    play(&mut board, "f2", "f3");
    play(&mut board, "e7", "e5");
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ply", "u 2", &daemon);
    // The cable is pulled and the board comes back under another name.
    fs::remove_file(&first).unwrap();
    let mut board = board.replug(|_| ());
    hall.wait_get(BOARD, "org.dgtd.Board1", "State", "s \"absent\"", &daemon);
    hall.plug("tty1", &board);
    hall.wait_get(BOARD, "org.dgtd.Board1", "State", "s \"ready\"", &daemon);
    play(&mut board, "g2", "g4");
    play(&mut board, "d8", "h4");
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ending", "s \"checkmate\"", &daemon);
    let (code, stopped, err) = hall.ctl(&["record", "01025", "stop"]);
    assert_eq!((code, stopped.trim(), err.as_str()), (0, file.as_str(), ""));
    assert_eq!(hall.get(BOARD, "org.dgtd.Board1", "Recording").unwrap(), "s \"\"");
    let (code, _, err) = hall.ctl(&["record", "01025", "stop"]);
    assert_eq!(code, 1);
    assert!(err.contains("this board is not being recorded"), "{err}");
    let array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(
        replayed(&file),
        [array, "f3", "e5", "g4", "Qh4#", "checkmate 5.1.1"],
        "{text}\n{}",
        daemon.said()
    );
    assert!(text.contains("\n# board: 01025\n") && text.contains(" ! disconnected\n"), "{text}");
    assert!(text.contains(" < 91 00 08 30 31 30 32 35"), "who it is stands in it: {text}");
}

#[test]
fn a_recording_begun_in_mid_game_replays_from_there() {
    let hall = Hall::new();
    let daemon = hall.daemon("");
    let mut board = Plugged::new(board());
    hall.plug("tty0", &board);
    hall.wait_get(BOARD, "org.dgtd.Game1", "State", "s \"waiting\"", &daemon);
    play(&mut board, "f2", "f3");
    play(&mut board, "e7", "e5");
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ply", "u 2", &daemon);
    let (code, file, err) = hall.ctl(&["record", "01025", "start"]);
    assert_eq!((code, err.as_str()), (0, ""));
    thread::sleep(Duration::from_secs(1));
    play(&mut board, "g2", "g4");
    play(&mut board, "d8", "h4");
    hall.wait_get(BOARD, "org.dgtd.Game1", "Ending", "s \"checkmate\"", &daemon);
    // The end of the daemon ends the recording too.
    assert_eq!(daemon.end(), Some(0));
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    let text = fs::read_to_string(file.trim()).unwrap();
    assert!(text.ends_with(" ! the recording ends: as asked\n"), "{text}");
    assert_eq!(replayed(file.trim()), [fen, "g4", "Qh4#", "checkmate 5.1.1"], "{text}");
}

#[test]
fn a_board_says_again_who_it_is() {
    let hall = Hall::new();
    let daemon = hall.daemon("[[board]]\nname = 'away'\nport = '/dev/no-such-port'\n");
    let board = Plugged::new(board());
    hall.plug("tty0", &board);
    hall.wait_get(BOARD, "org.dgtd.Board1", "State", "s \"ready\"", &daemon);
    thread::sleep(Duration::from_secs(1));
    let before = board.board().received.len();
    let (code, said, err) = hall.ctl(&["identify", "01025"]);
    assert_eq!((code, err.as_str()), (0, ""));
    for line in ["serial    01025\n", "firmware  1.8\n", "battery   none\n"] {
        assert!(said.contains(line), "{said}");
    }
    let received = board.board().received[before..].to_vec();
    for asked in [0x4d, 0x45, 0x47] {
        assert!(received.contains(&asked), "{asked:02x}: {received:02x?}");
    }
    assert!(board.board().forbidden.is_empty());
    let (code, _, err) = hall.ctl(&["identify", "away"]);
    assert_eq!(code, 1);
    assert!(err.contains("the board is not connected"), "{err}");
}

#[test]
fn a_replay_does_not_run_ahead_of_the_time_of_day() {
    #[expect(clippy::disallowed_methods, reason = "the time of day is what it is compared with")]
    let now = || {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        u64::try_from(since.as_micros()).unwrap()
    };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures/mate.dgtlog");
    let began = now();
    for speed in ["max", "40"] {
        let hall = Hall::new();
        let daemon = hall.daemon(&format!(
            "[[board]]\nname = 'b1'\nport = 'replay:{}?speed={speed}'\n",
            file.display()
        ));
        let board = "/org/dgtd/boards/b1";
        hall.wait_get(board, "org.dgtd.Game1", "Ending", "s \"checkmate\"", &daemon);
        let time = |interface: &str, property: &str| {
            let value = hall.get(board, interface, property).unwrap();
            value.trim_start_matches("t ").parse::<u64>().unwrap()
        };
        let ended = time("org.dgtd.Game1", "EndedAt");
        assert!((began..=now()).contains(&ended), "{speed}: {ended}");
        assert!(time("org.dgtd.Board1", "LastHeard") <= now(), "{speed}");
        thread::sleep(Duration::from_millis(300));
        assert_eq!(time("org.dgtd.Game1", "EndedAt"), ended, "{speed}");
    }
}

#[test]
fn introspection_is_clean_to_other_programs() {
    let hall = Hall::new();
    let _daemon = hall.daemon("[[board]]\nname = 'b1'\nport = '/dev/no-such-port'\n");
    let address = format!("--address={}", hall.address());
    for path in ["/org/dgtd", "/org/dgtd/boards/b1"] {
        let args = [&address, "introspect", "org.dgtd", path];
        let (code, said, errors) = output(Command::new("busctl").args(args));
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{said}");
    }
}
