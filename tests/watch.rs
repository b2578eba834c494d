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

/// Two PCs with a board each, and the file that names both.
fn two(
    desk: &Desk,
    labels: [&str; 2],
) -> ([Pc; 2], [notify_support::Running; 2], [Plugged; 2], String) {
    let pcs = [Pc::new(), Pc::new()];
    let config =
        |serial: &str, label: &str| format!("[[board]]\nserial = '{serial}'\nlabel = '{label}'\n");
    let daemons =
        [pcs[0].daemon(&config("01025", labels[0])), pcs[1].daemon(&config("00666", labels[1]))];
    let boards = [board(*b"01025"), board(*b"00666")];
    pcs[0].plug("tty0", &boards[0]);
    pcs[1].plug("tty0", &boards[1]);
    ready(&pcs[0], TABLE7);
    ready(&pcs[1], TABLE8);
    let file = desk.directory.path().join("two.toml");
    let text = format!(
        "[[host]]\nname = 'pc1'\nbus = '{}'\n[[host]]\nname = 'pc2'\nbus = '{}'\n",
        pcs[0].bus.address(),
        pcs[1].bus.address()
    );
    fs::write(&file, text).unwrap();
    (pcs, daemons, boards, file.display().to_string())
}

const ROUND: &str = "[Event \"Open\"]\n[Round \"3.7\"]\n[White \"Eva\"]\n[Black \"Ivo\"]\n\n*\n\n\
                     [Event \"Open\"]\n[Round \"3.8\"]\n[White \"Ana\"]\n[Black \"Luis\"]\n\n*\n";
const PLAYERS7: &str = "a{ss} 5 \"Black\" \"Ivo\" \"Event\" \"Open\" \"Round\" \"3.7\" \"Table\" \"7\" \
                        \"White\" \"Eva\"";
const PLAYERS8: &str = "a{ss} 5 \"Black\" \"Luis\" \"Event\" \"Open\" \"Round\" \"3.8\" \"Table\" \
                        \"8\" \"White\" \"Ana\"";

#[test]
fn pairings_of_two_pcs_are_set_from_the_screen() {
    if !tmux_is_there() {
        return;
    }
    let desk = Desk::new();
    let (pcs, _daemons, _boards, hosts) = two(&desk, ["Table 7", "Table 8"]);
    let round = desk.directory.path().join("round.pgn");
    let third = "\n[Event \"Open\"]\n[Round \"3.9\"]\n[White \"Zoe\"]\n[Black \"Max\"]\n\n*\n";
    fs::write(&round, format!("{ROUND}{third}")).unwrap();
    let home = desk.directory.path().display().to_string();
    let args = ["--hosts", hosts.as_str(), "watch"];
    let screen = Tmux::with(&desk, &args, 80, 24, &[("HOME", &home)]);
    screen.wait_row("Table 8", "set up");
    screen.keys(&["g"]);
    screen.wait("> File (PGN or FIDE report)");
    screen.type_text("~/rounds.pgn");
    screen.keys(&["Enter", "Enter"]);
    screen.wait("cannot read ~/rounds.pgn: No such file or directory");
    screen.keys(&["Enter", "g"]);
    screen.type_text("~/round.pgn");
    screen.keys(&["Enter", "Enter"]);
    screen.wait("Set 2 of these at pc1, pc2?");
    insta::assert_snapshot!("pairings_80", screen.settled("pairings_80"));
    pcs[0].wait_get(TABLE7, "org.dgtd.Game1", "Tags", "a{ss} 0");
    screen.keys(&["Enter"]);
    screen.wait("2 of 3 games stand at their boards");
    pcs[0].wait_get(TABLE7, "org.dgtd.Game1", "Tags", PLAYERS7);
    pcs[1].wait_get(TABLE8, "org.dgtd.Game1", "Tags", PLAYERS8);
    screen.keys(&["Enter"]);
    screen.wait_row("Table 7", "Eva-Ivo");
    // Again: there is nothing to do.
    screen.keys(&["g"]);
    screen.type_text("~/round.pgn");
    screen.keys(&["Enter", "Enter"]);
    screen.wait("[pc1:01025: has it already]");
    screen.wait("Nothing is to be set.");
    screen.keys(&["Escape", "Escape"]);
    screen.wait_gone("Nothing is to be set");
    for pc in &pcs {
        let files = fs::read_dir(pc.path().join("state/journal")).unwrap();
        let journal: String =
            files.filter_map(|file| fs::read_to_string(file.unwrap().path()).ok()).collect();
        assert_eq!(journal.matches("\"set pairing\"").count(), 1, "{journal}");
    }
}

#[test]
fn pairings_over_two_pcs_say_what_was_done_where_and_can_be_repeated() {
    let desk = Desk::new();
    let (pcs, [one, two_daemon], mut boards, hosts) = two(&desk, ["Table 7", "Table 8"]);
    let round = desk.directory.path().join("round.pgn").display().to_string();
    fs::write(&round, ROUND).unwrap();
    let pair = |more: &[&str]| {
        output(desk.command(&[]).args(["--hosts", &hosts, "pair", &round]).args(more))
    };
    // One PC is down: the other is done, and that is said.
    assert_eq!(two_daemon.end(), Some(0));
    let (code, out, errors) = pair(&[]);
    assert_eq!(code, Some(1), "{out}{errors}");
    assert!(out.contains("7  Eva - Ivo  [pc1:01025: set]"), "{out}");
    assert!(out.contains("8  Ana - Luis  [no board that was heard has this number]"), "{out}");
    assert!(
        errors.contains("1 of 2 games stand at their boards; the same command again"),
        "{errors}"
    );
    assert!(errors.contains("pc2 was not heard: dgtd is not running on the bus at"), "{errors}");
    pcs[0].wait_get(TABLE7, "org.dgtd.Game1", "Tags", PLAYERS7);
    // Its game has begun when the other PC is back: the same command leaves it alone.
    play(&mut boards[0], "e2", "e4");
    pcs[0].wait_get(TABLE7, "org.dgtd.Game1", "Ply", "u 1");
    let two_daemon = pcs[1].daemon("[[board]]\nserial = '00666'\nlabel = 'Table 8'\n");
    ready(&pcs[1], TABLE8);
    let (code, out, errors) = pair(&[]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("[pc1:01025: has it already]"), "{out}");
    assert!(out.contains("[pc2:00666: set]"), "{out}");
    pcs[0].wait_get(TABLE7, "org.dgtd.Board1", "NextPairing", "a{ss} 0");
    pcs[1].wait_get(TABLE8, "org.dgtd.Game1", "Tags", PLAYERS8);
    // A PC that hangs is given up after a while; nothing of it is half done.
    two_daemon.signal("STOP");
    let began = notify_support::now();
    let (code, out, errors) = pair(&["--json"]);
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    two_daemon.signal("CONT");
    assert_eq!(code, Some(1), "{out}");
    assert!(errors.contains("pc2 was not heard: the daemon does not answer"), "{errors}");
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["games"][0]["done"], "has");
    assert_eq!(document["games"][1]["done"], "not-heard");
    assert_eq!(document["unheard"][0]["host"], "pc2");
    // Spanish arbiters read it too.
    let mut spanish = desk.command(&[]);
    let args = ["--hosts", &hosts, "pair", &round, "--dry-run"];
    let (code, out, _) = output(spanish.env("LC_ALL", "es_ES.UTF-8").args(args));
    assert_eq!(code, Some(0));
    assert!(out.contains("ronda 3 · Open") && out.contains("ya lo tiene"), "{out}");
    // Both boards have the number: nothing is set anywhere.
    let label =
        ["set-property", "org.dgtd", "/org/dgtd/boards/sn_00666", "org.dgtd.Board1", "Label"];
    pcs[1].busctl(&[&label[..], &["s", "Hall 2, table 7"]].concat()).unwrap();
    fs::write(&round, ROUND.replace("Open", "Other")).unwrap();
    let (code, out, errors) = pair(&[]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    let said = "board 7 is there more than once: pc1:01025, pc2:00666; give them labels with \
                different numbers, nothing was set";
    assert!(errors.contains(said), "{errors}");
    pcs[0].wait_get(TABLE7, "org.dgtd.Board1", "NextPairing", "a{ss} 0");
    // A number that the file does not name may be there twice.
    fs::write(&round, "[Round \"3.1\"]\n[White \"A\"]\n[Black \"B\"]\n\n*\n").unwrap();
    let (code, out, _) = pair(&["--dry-run"]);
    assert_eq!((code, out.contains("no board has this number")), (Some(1), true), "{out}");
    assert_eq!(one.end(), Some(0));
}

#[test]
fn a_start_by_mistake_is_undone() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let daemon = pc.daemon(LABELS);
    let mut table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    let game = "org.dgtd.Game1";
    let get = |property: &str| {
        let path = "/org/dgtd/boards/sn_01025";
        pc.busctl(&["get-property", "org.dgtd", path, game, property]).unwrap_or_default()
    };
    let screen = watch(&desk, &pc, &["Table 7"]);
    screen.wait("half-move 0");
    screen.keys(&["b"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("No game before this one is known");
    screen.keys(&["Enter"]);
    play(&mut table7, "e2", "e4");
    play(&mut table7, "e7", "e5");
    pc.wait_get(TABLE7, game, "Ply", "u 2");
    let first = (get("Id"), get("Fen"));
    screen.wait("half-move 2");
    screen.keys(&["p", "DC"]);
    screen.type_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    screen.keys(&["Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("Done.");
    screen.keys(&["Enter"]);
    pc.wait_get(TABLE7, game, "Ply", "u 0");
    screen.wait("half-move 0");
    let second = get("Id");
    assert_ne!(first.0, second);
    act(&screen, "b", &[], "The game before goes on at half-move 2.");
    pc.wait_get(TABLE7, game, "Id", &first.0);
    assert_eq!((get("Ply"), get("Fen")), ("u 2".to_owned(), first.1));
    screen.wait("Last move 1… e5");
    screen.wait("1. e4 e5");
    // It goes on, in the same file.
    play(&mut table7, "g1", "f3");
    pc.wait_get(TABLE7, game, "Ply", "u 3");
    // From the command line, and back.
    let undo = |more: &[&str]| {
        let args = ["--bus", &pc.bus.address(), "undo", "Table 7", "--start"];
        output(desk.command(&[]).args(args).args(more))
    };
    let (code, _, errors) = undo(&["--ply", "7"]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("at half-move 3, not 7"), "{errors}");
    let (code, out, errors) = undo(&[]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("The game before goes on at half-move 0."), "{out}");
    assert!(out.contains("The board does not show its position"), "{out}");
    pc.wait_get(TABLE7, game, "Id", &second);
    // Also after a restart.
    assert_eq!(daemon.end(), Some(0));
    let daemon = pc.daemon(LABELS);
    pc.wait_get(TABLE7, game, "Id", &second);
    let (code, out, errors) = undo(&[]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("The game before goes on at half-move 3."), "{out}");
    pc.wait_get(TABLE7, game, "Id", &first.0);
    assert_eq!(daemon.end(), Some(0));
    let _daemon = pc.daemon(LABELS);
    pc.wait_get(TABLE7, game, "Id", &first.0);
    pc.wait_get(TABLE7, game, "Ply", "u 3");
    let journal = fs::read_to_string(pc.path().join("state/journal/01025.jsonl")).unwrap();
    assert_eq!(journal.matches("\"what\":\"undo start\"").count(), 5, "{journal}");
    let name = first.0.trim_start_matches("s ").trim_matches('"').to_owned();
    let pgn = fs::read_to_string(pc.path().join(format!("state/pgn/{name}.pgn"))).unwrap();
    assert!(pgn.contains("1. e4") && pgn.contains("Nf3"), "{pgn}");
}

#[test]
fn the_terminal_is_given_back_after_a_failure() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon("");
    let file = hosts(&desk, &pc);
    let args = ["--hosts", file.as_str(), "watch"];
    for (how, code, said) in
        [("here", 101, "made to fail by a test"), ("apart", 1, "a part of this program failed")]
    {
        let screen =
            Tmux::with(&desk, &args, 80, 24, &[("DGTCTL_FAIL", how), ("RUST_BACKTRACE", "0")]);
        screen.wait("No boards: plug one in");
        screen.keys(&["C-l"]);
        screen.wait(&format!("exit {code} modes: icanon echo"));
        let text = screen.text();
        assert!(text.contains("before it") && text.contains("made to fail by a test"), "{text}");
        assert!(text.contains(said) && !text.contains("No boards"), "{how}: {text}");
    }
}

/// What would steer a terminal if it reached one.
const EVIL: &str = "\u{1b}]2;TAKEN\u{7}\u{1b}[2J\u{1b}[31mEve\u{9b}5m\r\u{202e}\u{8}";

#[test]
fn names_cannot_steer_the_terminal() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    let path = "/org/dgtd/boards/sn_01025";
    let set = |white: &str, black: &str| {
        let call = ["call", "org.dgtd", path, "org.dgtd.Game1", "SetTags", "a{ss}a{sv}", "2"];
        pc.busctl(&[&call[..], &["White", white, "Black", black, "0"]].concat()).unwrap();
    };
    let screen = watch(&desk, &pc, &[]);
    screen.wait_row("Table 7", "set up");
    let title = screen.title();
    let long = "Ñandú ".repeat(33);
    set(EVIL, &format!("👩\u{200d}🎓דוד{long}"));
    screen.wait_row("Table 7", "Ñ");
    screen.keys(&["Enter"]);
    screen.wait("White: ");
    screen.wait("Eve");
    screen.wait("half-move 0");
    assert_eq!(screen.title(), title);
    let text = screen.text();
    assert!(text.contains("Table 7") && !text.contains('\u{202e}'), "{text}");
    // Nor lines for scripts and people.
    let bus = pc.bus.address();
    for args in [
        &["status"][..],
        &["show", "Table 7"],
        &["watch", "--once"],
        &["watch", "--once", "--json"],
        &["status", "--json"],
    ] {
        let (code, out, errors) = output(desk.command(&[]).args(["--bus", &bus]).args(args));
        assert_eq!((code, errors.as_str()), (Some(0), ""));
        let steers = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!out.contains(steers), "{args:?}: {out:?}");
    }
    // From a pairing file they never reach the daemon.
    let round = desk.directory.path().join("round.pgn").display().to_string();
    let pgn =
        format!("[Round \"1.7\"]\n[White \"{EVIL}\"]\n[Black \"B\"]\n\n*\n").replace('\r', "");
    fs::write(&round, pgn).unwrap();
    let (code, out, errors) = output(desk.command(&[]).args(["--bus", &bus, "pair", &round]));
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{out}");
    assert!(!out.contains('\u{1b}') && out.contains("Eve"), "{out:?}");
    let tags = pc.busctl(&["get-property", "org.dgtd", path, "org.dgtd.Game1", "Tags"]).unwrap();
    assert!(tags.contains("]2;TAKEN [2J [31mEve 5m") && !tags.contains("\\033"), "{tags}");
}

#[test]
fn a_hostile_newcomer_breaks_nothing() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let daemon = pc.daemon(LABELS);
    let table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    let screen = watch(&desk, &pc, &[]);
    screen.wait_row("Table 7", "set up");
    // What is pasted is no key.
    screen.paste("q\nq\n");
    screen.keys(&["Down", "Up"]);
    screen.wait_row("Table 7", "set up");
    screen.keys(&["/"]);
    screen.type_text("table 7");
    screen.keys(&["Enter", "Enter", "r", "Enter"]);
    screen.paste("agreed\n\n\n");
    screen.wait("> Reason: agreed_");
    // Smaller and larger while it is open.
    screen.resize(20, 5);
    screen.wait("The window is too");
    screen.keys(&["Up"]);
    screen.resize(80, 24);
    screen.wait("> Result");
    screen.resize(41, 11);
    screen.wait("> Result");
    screen.resize(200, 60);
    screen.keys(&["Down"]);
    screen.wait("> Reason: agreed_");
    screen.resize(80, 24);
    screen.keys(&["Escape"]);
    screen.wait_gone("> Reason");
    // Keys of all kinds, on the board and in the hall.
    for key in ["F1", "F12", "IC", "BTab", "M-q", "C-a", "C-d", "C-s", "C-q", "NPage", "PPage"] {
        screen.keys(&[key]);
    }
    screen.wait("half-move 0");
    // Without a shell that could go on with it, Ctrl-Z stops nothing.
    screen.keys(&["C-z"]);
    screen.wait("half-move 0");
    // The daemon dies while something is filled in.
    screen.keys(&["r", "Enter"]);
    screen.wait("> Reason");
    assert_eq!(daemon.end(), Some(0));
    screen.keys(&["Enter"]);
    screen.wait("Do this at pc1?");
    screen.keys(&["Enter"]);
    screen.wait("pc1 cannot be reached now: nothing was done");
    screen.keys(&["Enter", "Escape", "Escape"]);
    screen.wait("pc1 cannot be reached.");
    screen.keys(&["q"]);
    screen.wait("exit 0 modes: icanon echo");
}

#[test]
fn control_z_gives_the_terminal_back_and_fg_takes_it_again() {
    if !tmux_is_there() {
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, TABLE7);
    let file = hosts(&desk, &pc);
    let screen = Tmux::program(&desk, &["bash", "--norc", "-i"], 80, 24, &[("PS1", "here> ")]);
    screen.wait("here>");
    screen.type_text(&format!("{} --hosts {file} watch 'Table 7'", env!("CARGO_BIN_EXE_dgtctl")));
    screen.keys(&["Enter"]);
    for _ in 0..2 {
        screen.wait("half-move 0");
        screen.keys(&["C-z"]);
        screen.wait("Stopped");
        assert!(!screen.text().contains("half-move 0"), "{}", screen.text());
        screen.type_text("stty -a | tr ' ;' '\\n\\n' | grep -x -e '-*icanon' | sed s/^/mode:/");
        screen.keys(&["Enter"]);
        screen.wait("mode:icanon");
        screen.type_text("clear; fg");
        screen.keys(&["Enter"]);
    }
    screen.wait("half-move 0");
    screen.keys(&["Escape"]);
    screen.wait_row("Table 7", "set up");
    screen.keys(&["q"]);
    screen.wait("here>");
}

#[test]
fn without_a_terminal_there_are_lines_and_wrong_hosts_are_told_in_spanish() {
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let bus = pc.bus.address();
    // Its input is closed: no screen is opened.
    let shell = format!("exec {} --bus '{bus}' watch --after 0 <&-", env!("CARGO_BIN_EXE_dgtctl"));
    let running = notify_support::Running::start(Command::new("sh").args(["-c", &shell]));
    let table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    running.wait_for("Table 7: ");
    ready(&pc, TABLE7);
    let nowhere = format!("unix:path={}", desk.directory.path().join("nothing").display());
    for (args, code, said) in [
        (&["--bus", &nowhere, "status"][..], 1, "no se encuentra el bus en "),
        (&["--host", "pcx.invalid", "status"], 1, "ayuda: "),
        (&["--host", "@pc", "status"], 2, "no es un PC"),
        (&["--bus", &bus, "show", "Table 99"], 2, "ningún tablero se llama \"Table 99\"; hay: "),
        (&["--bus", &bus, "acknowledge", "77"], 1, "el aviso 77 no está pendiente"),
        (&["--bus", &bus, "undo", "00666"], 1, "no hay partida en el tablero 00666"),
        (&["--host", "a", "--host", "b", "status"], 2, "un solo dgtd"),
    ] {
        let mut command = desk.command(&[]);
        let (status, _, errors) = output(command.env("LC_ALL", "es_ES.UTF-8").args(args));
        assert_eq!(status, Some(code), "{args:?}: {errors}");
        assert!(errors.contains(said), "{args:?}: {errors}");
    }
    let (code, out, _) = output(desk.command(&[]).env("LC_ALL", "es_ES.UTF-8").args([
        "--bus",
        &bus,
        "sides",
        "01025",
        "--white-clock",
        "right",
    ]));
    assert_eq!((code, out.as_str()), (Some(0), ""));
    let sides = ["--bus", &bus, "sides", "01025"];
    let (_, out, _) = output(desk.command(&[]).env("LC_ALL", "es").args(sides));
    assert_eq!(out, "tablero normal, reloj de las blancas a la derecha\n");
    let players = ["--bus", &bus, "players", "01025", "--white", "Ana"];
    let (_, out, _) = output(desk.command(&[]).env("LC_ALL", "es").args(players));
    assert_eq!(out, "puesto para la partida que espera su primera jugada\n");
}
