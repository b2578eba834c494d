//! `dgtctl watch` in a real terminal, with a real daemon and emulated boards; a test reads the
//! screen and presses keys.
//!
//! Needs `tmux`, `dbus-daemon` and `busctl`. Where there is no tmux, `DGTD_WITHOUT_TMUX=1` skips
//! these tests.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    clippy::too_many_lines,
    reason = "in a test a wrong step is a failure, and one story is told from its beginning"
)]

mod emulator;
mod notify_support;
mod watch_support;

use std::{
    fs, os::unix::fs::PermissionsExt as _, path::Path, process::Command, thread, time::Duration,
};

use dgtd::wire::Orientation;
use emulator::{Board, Clock, Plugged};
use notify_support::{Bus, Desk, Pc, fools_mate, output, play, wait};
use watch_support::{Tmux, tmux_is_there};

const LABELS: &str = "[[board]]\nserial = '01025'\nlabel = 'Table 7'\n\
                      [[board]]\nserial = '00666'\nlabel = 'Table 8'\n";
const TABLE7: &str = "sn_01025";
const TABLE8: &str = "sn_00666";

fn board(serial: [u8; 5]) -> Plugged {
    let clock = Clock { left: 5400, right: 5400, right_turn: false, running: true, increment: 0 };
    Plugged::new(Board::classic(serial, Orientation::Normal).with_clock(clock))
}

fn ready(pc: &Pc, board: &str) {
    pc.wait_get(board, "org.dgtd.Game1", "State", "s \"waiting\"");
}

/// A file with one PC, so that it is called the same wherever the test runs.
fn hosts(desk: &Desk, pc: &Pc) -> String {
    let file = desk.directory.path().join("hosts.toml");
    fs::write(&file, format!("[[host]]\nname = 'pc1'\nbus = '{}'\n", pc.bus.address())).unwrap();
    file.display().to_string()
}

/// The screen on one PC's boards.
fn watch(desk: &Desk, pc: &Pc, more: &[&str]) -> Tmux {
    let file = hosts(desk, pc);
    let mut args = vec!["--hosts", file.as_str(), "watch"];
    args.extend(more);
    Tmux::new(desk, &args, 80, 24)
}

#[test]
fn boards_come_go_and_end_on_the_screen() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let screen = watch(&desk, &pc, &[]);
    screen.wait_row("Table 7", "unplugged");
    let mut table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    screen.wait_row("Table 7", "set up");
    let table8 = board(*b"00666");
    pc.plug("tty1", &table8);
    ready(&pc, TABLE8);
    screen.wait_row("Table 8", "set up");
    screen.wait("2 boards");
    fools_mate(&mut table7);
    screen.wait_row("Table 7", "0-1 checkmate");
    screen.wait_row("Table 7", "2… Qh4#");
    insta::assert_snapshot!("hall_80", screen.settled("hall_80"));
    screen.resize(200, 60);
    screen.wait("Shows");
    screen.wait_row("Table 7", "0-1 checkmate");
    insta::assert_snapshot!("hall_200", screen.settled("hall_200"));
    // The first row is the one that needs the arbiter.
    screen.keys(&["Enter"]);
    screen.wait("2. g4 Qh4#");
    screen.wait("Open: ");
    insta::assert_snapshot!("board_200", screen.settled("board_200"));
    screen.resize(80, 24);
    screen.wait_gone("Shows");
    screen.wait("2. g4 Qh4#");
    insta::assert_snapshot!("board_80", screen.settled("board_80"));
    // Pulled out: the row says so, and what stood there last stays.
    screen.keys(&["Escape"]);
    screen.wait("order: what needs you");
    drop(table8);
    screen.wait_row("Table 8", "unplugged");
    // The end is taken back on the board: the mark goes.
    table7.carry("h4", "d8");
    screen.wait_row("Table 7", "playing");
}

#[test]
fn what_may_be_claimed_is_on_the_screen_only_after_a_key() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let mut table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    let screen = watch(&desk, &pc, &[]);
    for _ in 0..2 {
        for (from, to) in [("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")] {
            play(&mut table7, from, to);
        }
    }
    let path = "/org/dgtd/boards/sn_01025";
    let claims = ["get-property", "org.dgtd.Arbiter", path, "org.dgtd.ArbiterOnly1", "Claims"];
    wait(
        "a claim",
        || (pc.busctl(&claims).ok()? == "as 1 \"threefold\"").then_some(()),
        || format!("{:?}", pc.busctl(&claims)),
    );
    screen.wait_row("Table 7", "4… Ng8");
    screen.wait_row("Table 7", "playing");
    let row = screen.row("Table 7");
    assert!(!row.contains("threefold") && !row.contains('!'), "{row}");
    screen.keys(&["Space"]);
    screen.wait_row("Table 7", "threefold");
    screen.wait("hidden in");
    screen.keys(&["Space"]);
    screen.wait_row("Table 7", "playing");
    // In the view of the board too, and there it goes by itself.
    screen.keys(&["Enter"]);
    screen.wait("4. Ng1 Ng8");
    assert!(!screen.text().contains("threefold"), "{}", screen.text());
    screen.keys(&["Space"]);
    screen.wait("the position has occurred 3 times");
    screen.wait("threefold");
    screen.wait_gone("threefold");
    screen.wait_gone("occurred 3 times");
    // The claim is checked with a move announced, and told in words.
    screen.keys(&["c", "Down", "Down"]);
    screen.wait("> Move announced");
    screen.type_text("Nf3");
    screen.keys(&["Enter", "Enter", "Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("The claim is right: the game is drawn");
    screen.keys(&["Enter"]);
    // The fifty moves: wrong, and what it costs.
    screen.keys(&["c", "Right", "Enter", "Enter", "Enter", "Enter", "Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("The claim is wrong");
    screen.wait("The clocks are set to: White 1:");
}

/// Opens a form, fills it in and confirms it; waits for the words of the answer.
fn act(screen: &Tmux, key: &str, fill: &[&str], told: &str) {
    screen.keys(&[key]);
    screen.keys(fill);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait(told);
    screen.keys(&["Enter"]);
    screen.wait_gone("Enter closes");
}

#[test]
fn every_action_is_done_from_the_screen() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let mut table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    let screen = watch(&desk, &pc, &["Table 7"]);
    screen.wait("half-move 0");
    let game = "org.dgtd.Game1";

    screen.keys(&["t"]);
    screen.type_text("Ana");
    screen.keys(&["Enter"]);
    screen.type_text("Luis");
    screen.keys(&["Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("Done.");
    screen.keys(&["Enter"]);
    pc.wait_get(TABLE7, game, "Tags", "a{ss} 2 \"Black\" \"Luis\" \"White\" \"Ana\"");
    screen.wait("White: Ana");

    screen.keys(&["l", "DC"]);
    screen.type_text("Table 9");
    screen.keys(&["Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("Done.");
    screen.keys(&["Enter"]);
    pc.wait_get(TABLE7, "org.dgtd.Board1", "Label", "s \"Table 9\"");
    screen.wait("Table 9 · pc1");

    act(&screen, "e", &["Left", "Enter", "Enter", "Enter"], "Done.");
    pc.wait_get(TABLE7, game, "Edition", "s \"fide-2018\"");

    play(&mut table7, "e2", "e4");
    screen.wait("Last move 1. e4");
    play(&mut table7, "e7", "e5");
    screen.wait("Last move 1… e5");
    act(&screen, "f", &["Enter", "Enter", "Enter"], "flag has fallen");

    // Esc on the way: nothing is done.
    screen.keys(&["u", "Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Escape"]);
    screen.wait("> Back to half-move");
    screen.keys(&["Escape"]);
    screen.wait_gone("Back to half-move");
    pc.wait_get(TABLE7, game, "Ply", "u 2");
    act(&screen, "u", &["Enter"], "the game is at half-move 1 again");
    pc.wait_get(TABLE7, game, "Ply", "u 1");

    act(&screen, "o", &["Enter"], "Done.");
    pc.wait_get(TABLE7, "org.dgtd.Board1", "Flipped", "b true");
    act(&screen, "o", &["Enter"], "Done.");
    pc.wait_get(TABLE7, "org.dgtd.Board1", "Flipped", "b false");
    act(&screen, "s", &[], "Done.");

    act(&screen, "r", &["Right", "Right", "Enter", "Enter"], "Done.");
    pc.wait_get(TABLE7, game, "Result", "s \"1/2-1/2\"");
    screen.wait("½-½ entered");
    // The daemon refuses: in words.
    screen.keys(&["u", "Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("The game is over: nothing was done.");
    screen.keys(&["Enter"]);

    act(&screen, "z", &[], "Done.");
    pc.wait_get(TABLE7, game, "Result", "s \"*\"");
    act(&screen, "r", &["Right", "Right", "Enter", "Enter"], "Done.");

    table7.board().set_up("rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR");
    pc.busctl(&[
        "call",
        "org.dgtd",
        "/org/dgtd/boards/sn_01025",
        "org.dgtd.Board1",
        "Resync",
        "a{sv}",
        "0",
    ])
    .unwrap();
    screen.keys(&["n"]);
    screen.type_text("Eva");
    screen.keys(&["Enter", "Enter", "Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("Done.");
    screen.keys(&["Enter"]);
    pc.wait_get(TABLE7, game, "State", "s \"waiting\"");
    screen.wait("White: Eva");

    // A man goes where none can: it counts, and the menu leads there too.
    play(&mut table7, "e2", "e5");
    screen.wait("matter");
    assert!(!screen.text().contains("llegal"), "{}", screen.text());
    screen.keys(&["Space"]);
    screen.wait("illegal: White");
    screen.keys(&["Enter", "Down", "Down"]);
    screen.wait("> i  illegal move");
    screen.keys(&["Enter", "Enter", "Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait_gone("Do this at pc1?");
    screen.wait("Enter closes");
    screen.keys(&["Enter"]);
    let counted = [
        "get-property",
        "org.dgtd.Arbiter",
        "/org/dgtd/boards/sn_01025",
        "org.dgtd.ArbiterOnly1",
        "IllegalMovesCounted",
    ];
    wait(
        "the illegal move to count",
        || (pc.busctl(&counted).ok()? == "(uu) 1 0").then_some(()),
        || screen.text(),
    );

    // A position, and what a game cannot have.
    screen.keys(&["p", "DC"]);
    screen.type_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    screen.keys(&["Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("Done.");
    screen.keys(&["Enter"]);
    pc.wait_get(TABLE7, game, "Fen", "s \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"");
    screen.keys(&["p", "DC"]);
    screen.type_text("8/8/8/8/8/8/8/8 w - - 0 1");
    screen.keys(&["Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("A game cannot have that position");
    screen.keys(&["Enter"]);

    act(&screen, "w", &["Enter"], "Done.");

    // Who did it stands in the journal.
    let journal = fs::read_to_string(pc.path().join("state/journal/01025.jsonl")).unwrap();
    for what in [
        "set tags",
        "label",
        "set conditions",
        "reopen",
        "undo",
        "orientation",
        "set result",
        "new game",
        "accept illegal move",
        "set position",
    ] {
        assert!(journal.contains(what), "{what}: {journal}");
    }
}

#[test]
fn an_end_is_seen_from_the_screen() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let mut table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    let screen = watch(&desk, &pc, &["Table 7"]);
    screen.wait("half-move 0");
    fools_mate(&mut table7);
    screen.wait("Open: ");
    assert_eq!(pc.alerts().len(), 1);
    act(&screen, "k", &[], "Done.");
    screen.wait_gone("Open: ");
    assert!(pc.alerts().is_empty());
    let journal = fs::read_to_string(pc.path().join("state/journal/01025.jsonl")).unwrap();
    assert!(journal.contains("seen in dgtctl watch"), "{journal}");
}

#[test]
fn a_pc_without_a_daemon_says_what_to_do_and_is_there_when_it_comes() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    let screen = watch(&desk, &pc, &[]);
    screen.wait("pc1 cannot be reached. dgtd is not running there. Start it there: sudo");
    let daemon = pc.daemon(LABELS);
    screen.wait_row("Table 7", "set up");
    screen.wait_gone("cannot be reached");
    assert_eq!(daemon.end(), Some(0));
    screen.wait("pc1 cannot be reached. dgtd is not running there.");
    screen.wait_row("Table 7", "PC away");
    // What is asked of it now is not done, and that is said.
    screen.keys(&["Enter", "s"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("pc1 cannot be reached now: nothing was done");
    screen.keys(&["Enter", "Escape"]);
    // A clash of names, and a PC that hangs delays nobody.
    let other = Pc::new();
    let _again = pc.daemon(LABELS);
    let _other = other.daemon("[[board]]\nserial = '00666'\nlabel = 'Table 7'\n");
    let table8 = board(*b"00666");
    other.plug("tty0", &table8);
    ready(&other, TABLE8);
    let hanging = desk.directory.path().join("hanging");
    let _nobody_answers = std::os::unix::net::UnixListener::bind(&hanging).unwrap();
    let file = desk.directory.path().join("three.toml");
    let text = format!(
        "[[host]]\nname = 'hangs'\nbus = 'unix:path={}'\n[[host]]\nname = 'pc1'\nbus = '{}'\n\
         [[host]]\nname = 'pc2'\nbus = '{}'\n",
        hanging.display(),
        pc.bus.address(),
        other.bus.address()
    );
    fs::write(&file, text).unwrap();
    let screen = Tmux::new(&desk, &["--hosts", file.to_str().unwrap(), "watch"], 120, 30);
    screen.wait_row("Table 7 (pc1)", "set up");
    screen.wait_row("Table 7 (pc2)", "set up");
    screen.wait("Several boards are called Table 7, on pc1, pc2.");
    screen.wait("hangs");
}

#[test]
fn the_terminal_is_given_back_as_it_was() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon("");
    for how in ["q", "C-c", "TERM", "HUP"] {
        let screen = watch(&desk, &pc, &[]);
        screen.wait("No boards: plug one in");
        assert!(!screen.text().contains("before it"), "it has a screen of its own");
        match how {
            "TERM" | "HUP" => screen.signal(how),
            key => screen.keys(&[key]),
        }
        screen.wait("exit 0 modes:");
        let text = screen.text();
        assert!(text.contains("before it") && !text.contains("No boards"), "{how}: {text}");
        let modes = text.lines().find(|line| line.starts_with("modes:")).unwrap();
        assert_eq!(modes, "modes: icanon echo", "{how}");
    }
}

#[test]
fn without_colours_no_colour_is_sent() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    let screen = watch(&desk, &pc, &["Table 7"]);
    screen.wait("half-move 0");
    assert!(screen.escapes().contains("\u{1b}[48;5;180m"), "{}", screen.escapes());
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "vt100"), ("TERM", "dumb")] {
        let file = hosts(&desk, &pc);
        let args = ["--hosts", file.as_str(), "watch", "Table 7"];
        let screen = Tmux::with(&desk, &args, 80, 24, &[(name, value)]);
        screen.wait("half-move 0");
        screen.wait("1 R N B Q K B N R");
        let escapes = screen.escapes();
        for colour in ["[3", "[4", "[9"] {
            let coloured = |part: &str| {
                // 38, 48, 30 to 37 …; 39 and 49 are the terminal's own.
                part.starts_with(&colour[1..]) && !part.starts_with("39") && !part.starts_with("49")
            };
            let found = escapes.split("\u{1b}[").skip(1).any(|part| {
                let number = part.split('m').next().unwrap_or_default();
                number.len() > 1 && coloured(number)
            });
            assert!(!found, "{name}={value}: {escapes:?}");
        }
    }
}

#[test]
fn spanish_arbiters_read_spanish() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    let file = hosts(&desk, &pc);
    let args = ["--hosts", file.as_str(), "watch"];
    let screen = Tmux::with(&desk, &args, 80, 24, &[("LC_ALL", "es_ES.UTF-8")]);
    screen.wait_row("Table 7", "preparada");
    screen.keys(&["Enter", "u", "Enter"]);
    screen.wait("Diga una media jugada anterior a la actual");
}

#[test]
fn scripts_get_lines_json_and_one_look() {
    let (pc, desk) = (Pc::new(), Desk::new());
    let daemon = pc.daemon(LABELS);
    let mut table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    let file = hosts(&desk, &pc);
    // Not a terminal: lines.
    let lines = notify_support::Running::start(desk.command(&[]).args([
        "--bus",
        &pc.bus.address(),
        "watch",
        "--after",
        "0",
    ]));
    let plain = notify_support::Running::start(desk.command(&[]).args([
        "--bus",
        &pc.bus.address(),
        "watch",
    ]));
    let json = notify_support::Running::start(desk.command(&[]).args([
        "--bus",
        &pc.bus.address(),
        "watch",
        "--json",
    ]));
    lines.wait_for("Table 7: ");
    thread::sleep(Duration::from_millis(500));
    fools_mate(&mut table7);
    for running in [&lines, &plain] {
        running.wait_for("Z Table 7: *** the game is over");
    }
    json.wait_for("\"event\":\"game_over\"");
    let args = ["--hosts", file.as_str(), "watch", "--once"];
    let once = |more: &[&str]| output(desk.command(&[]).args(args).args(more));
    let (code, said, errors) = once(&[]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{said}");
    let row = said.lines().find(|line| line.contains("Table 7")).unwrap();
    assert!(row.contains("2… Qh4#") && row.ends_with("0-1 checkmate"), "{said}");
    assert!(said.starts_with("2 boards · 1 PC "), "{said}");
    let (code, said, _) = once(&["--json"]);
    let document: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(code, Some(0));
    let boards = document["hosts"][0]["boards"].as_array().unwrap();
    let seven = boards.iter().find(|board| board["board"]["Label"] == "Table 7").unwrap();
    assert_eq!(seven["game"]["Ending"], "checkmate");
    assert_eq!(document["hosts"][0]["state"], "up");
    assert_eq!(document["hosts"][0]["alerts"][0]["class"], "Urgent");
    assert_eq!(daemon.end(), Some(0));
    let (code, said, _) = once(&[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("pc1 cannot be reached. dgtd is not running there"), "{said}");
    // A wrong bus is named as people say it.
    let bus = format!("unix:path={}", desk.directory.path().join("nothing").display());
    let (code, _, errors) = output(desk.command(&[]).args(["--bus", &bus, "status"]));
    assert_eq!(code, Some(1));
    assert!(errors.starts_with(&format!("dgtctl: the bus at {bus} cannot be reached")), "{errors}");
}

/// The rules of a system bus, with the shipped policy after them.
const SYSTEM: &str = r#"<policy context="default"><allow user="*"/><deny own="*"/>
<deny send_type="method_call"/><allow send_type="signal"/>
<allow send_requested_reply="true" send_type="method_return"/>
<allow send_requested_reply="true" send_type="error"/>
<allow receive_type="method_call"/><allow receive_type="method_return"/>
<allow receive_type="error"/><allow receive_type="signal"/>
<allow send_destination="org.freedesktop.DBus"/></policy>"#;

#[test]
fn without_rights_the_screen_says_what_to_ask_for() {
    if !tmux_is_there() {
        return;
    }
    let setpriv = Command::new("setpriv").arg("--version").output().is_ok();
    if !rustix::process::geteuid().is_root() || !setpriv {
        println!("skipped: changing users needs root and setpriv");
        return;
    }
    let open = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let pc = Pc::with(|directory| {
        open(directory, 0o755);
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/org.dgtd.conf");
        let policy = fs::read_to_string(shipped).unwrap();
        // A user and a group that are surely there stand for the ones the package makes.
        let policy = policy.replace("user=\"dgtd\"", "user=\"root\"");
        let group = fs::read_to_string("/etc/group").unwrap();
        let one = group.lines().find(|line| line.split(':').nth(2) == Some("1")).unwrap();
        let policy = policy.replace("dgtd-arbiters", one.split(':').next().unwrap());
        let file = directory.join("org.dgtd.conf");
        fs::write(&file, policy).unwrap();
        Bus::with(directory, "bus", &format!("{SYSTEM}<include>{}</include>", file.display()))
    });
    let desk = Desk::new();
    open(desk.directory.path(), 0o777);
    // Where the programs were built, not everybody may look.
    let program = desk.directory.path().join("dgtctl");
    fs::copy(env!("CARGO_BIN_EXE_dgtctl"), &program).unwrap();
    let _daemon = pc.daemon(LABELS);
    let mut table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    let file = hosts(&desk, &pc);
    let program = program.display().to_string();
    let words = [
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        &program,
        "--hosts",
        &file,
        "watch",
        "Table 7",
    ];
    let screen = Tmux::program(&desk, &words, 80, 24, &[]);
    screen.wait("half-move 0");
    fools_mate(&mut table7);
    screen.wait("Open: ");
    for (key, fill) in
        [("k", &[][..]), ("s", &[]), ("c", &["Enter", "Enter", "Enter", "Enter", "Enter"])]
    {
        screen.keys(&[key]);
        screen.keys(fill);
        screen.wait("Do this at pc1?");
        screen.keys(&["Enter"]);
        screen.wait("you are not in the group dgtd-arbiters");
        screen.keys(&["Enter"]);
        screen.wait_gone("Enter closes");
    }
    assert_eq!(pc.alerts().len(), 1);
    screen.keys(&["Escape"]);
    screen.wait("usermod -aG dgtd-arbiters");
}
