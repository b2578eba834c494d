//! `dgtctl notify` with a real daemon, an emulated board, and a notification server double.
//!
//! Needs `dbus-daemon` and `busctl`; through ssh's place also `systemd-stdio-bridge`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "in a test a wrong step is a failure"
)]

mod emulator;
mod notify_support;

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

use dgtd::wire::Orientation;
use emulator::{Board, Clock, Plugged};
use notify_support::{Bus, Call, Desk, Double, Pc, fools_mate, now, output, play, wait};

const LABELS: &str = "[[board]]\nserial = '01025'\nlabel = 'Table 7'\n\
                      [[board]]\nserial = '00666'\nlabel = 'Table 8'\n";

fn board(serial: [u8; 5]) -> Plugged {
    let clock = Clock { left: 5400, right: 5400, right_turn: false, running: true, increment: 0 };
    Plugged::new(Board::classic(serial, Orientation::Normal).with_clock(clock))
}

fn ready(pc: &Pc, board: &str) {
    pc.wait_get(board, "org.dgtd.Game1", "State", "s \"waiting\"");
}

#[test]
fn an_end_pops_up_within_a_second_and_goes_when_it_is_seen() {
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let double = Double::new(&desk.bus.address());
    let notify = desk.notify(&["--bus", &pc.bus.address()]);
    notify.wait_for("connected to dgtd");
    let mut table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, "sn_01025");
    let last_byte = fools_mate(&mut table7);
    let (at, id, _) = double.wait_shown("Table 7: checkmate", &notify);
    let took = at.duration_since(last_byte);
    println!("last byte to notification: {} ms", took.as_millis());
    assert!(took < Duration::from_secs(1), "{took:?}");
    let calls = double.calls();
    let Some(Call::Notify { body, actions, urgency, hints, expire, .. }) = calls.first() else {
        panic!("{calls:?}")
    };
    assert_eq!(body, "The game is over: 0-1 (Article 5.1.1).");
    assert_eq!(actions[..], ["seen", "Seen", "show", "Show board"]);
    assert_eq!((*urgency, *expire), (2, 0));
    for hint in ["resident", "sound-name"] {
        assert!(hints.iter().any(|is| is == hint), "{hints:?}");
    }
    // Where there is no terminal program, the button says what to type.
    double.press(id, "show");
    double.wait_shown("No terminal program", &notify);
    assert_eq!(pc.alerts().len(), 1);
    double.press(id, "seen");
    double.wait_closed(id, &notify);
    wait("no alert", || pc.alerts().is_empty().then_some(()), || notify.said());
    let journal = fs::read_to_string(pc.path().join("state/journal/01025.jsonl")).unwrap();
    assert!(journal.contains("seen on the desktop"), "{journal}");
    assert_eq!(notify.end(), Some(0));
}

#[test]
fn an_end_that_is_withdrawn_is_replaced_and_one_acknowledged_elsewhere_goes() {
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let double = Double::new(&desk.bus.address());
    let notify = desk.notify(&["--bus", &pc.bus.address()]);
    let mut table7 = board(*b"01025");
    let mut table8 = board(*b"00666");
    pc.plug("tty0", &table7);
    pc.plug("tty1", &table8);
    ready(&pc, "sn_01025");
    ready(&pc, "sn_00666");
    fools_mate(&mut table7);
    let (_, id, _) = double.wait_shown("Table 7: checkmate", &notify);
    table7.carry("h4", "d8");
    let (_, same, replaces) = double.wait_shown("Table 7: the game goes on", &notify);
    assert_eq!((same, replaces), (id, id), "in its place");
    fools_mate(&mut table8);
    let (_, other, _) = double.wait_shown("Table 8: checkmate", &notify);
    let alert = wait("the alert", || pc.alerts().pop(), || notify.said());
    pc.busctl(&["call", "org.dgtd", &alert, "org.dgtd.Alert1", "Acknowledge", "a{sv}", "0"])
        .unwrap();
    double.wait_closed(other, &notify);
    assert_eq!(double.pop_ups("checkmate"), 2, "{}", double.why(&notify));
}

#[test]
fn restarts_of_daemon_bus_and_program_show_nothing_twice_and_lose_nothing() {
    let (mut pc, desk) = (Pc::new(), Desk::new());
    let daemon = pc.daemon(LABELS);
    let double = Double::new(&desk.bus.address());
    let bus = pc.bus.address();
    let notify = desk.notify(&["--bus", &bus]);
    let mut table7 = board(*b"01025");
    let mut table8 = board(*b"00666");
    pc.plug("tty0", &table7);
    pc.plug("tty1", &table8);
    ready(&pc, "sn_01025");
    ready(&pc, "sn_00666");
    fools_mate(&mut table7);
    let (_, id, _) = double.wait_shown("Table 7: checkmate", &notify);

    // The bus goes, an end comes meanwhile, the bus is back.
    pc.bus.daemon.kill();
    daemon.wait_for("bus: lost");
    double.wait_shown("cannot be reached", &notify);
    fools_mate(&mut table8);
    pc.bus.restart();
    double.wait_shown("Table 8: checkmate", &notify);
    double.wait_shown("reached again", &notify);
    assert_eq!(double.pop_ups("cannot be reached"), 1, "{}", double.why(&notify));

    // The program is restarted: it knows what it showed.
    assert_eq!(notify.end(), Some(0));
    let notify = desk.notify(&["--bus", &bus]);
    notify.wait_for("connected to dgtd");

    // The daemon is restarted.
    assert_eq!(daemon.end(), Some(0));
    thread::sleep(Duration::from_millis(500));
    let _daemon = pc.daemon(LABELS);
    wait(
        "the daemon again",
        || (notify.said().matches("connected to dgtd").count() == 2).then_some(()),
        || notify.said(),
    );
    thread::sleep(Duration::from_millis(1500));
    assert_eq!(double.pop_ups("checkmate"), 2, "{}", double.why(&notify));
    let closed = double.calls().iter().any(|c| matches!(c, Call::Close { id: i } if *i == id));
    assert!(!closed, "nobody has seen it: it stays\n{}", double.why(&notify));
    double.press(id, "seen");
    double.wait_closed(id, &notify);
}

#[test]
fn a_server_that_is_missing_or_restarted_gets_everything_in_the_end() {
    let (pc, mut desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let mut table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, "sn_01025");
    let notify = desk.notify(&["--bus", &pc.bus.address()]);
    notify.wait_for("there is no notification server on this desktop");
    fools_mate(&mut table7);
    wait("the alert", || pc.alerts().pop(), || notify.said());
    let mut double = Double::new(&desk.bus.address());
    double.wait_shown("Table 7: checkmate", &notify);
    // Another server has nothing on its screen.
    double.log_out();
    double.log_in(&desk.bus.address(), 100);
    let again = |number: usize| {
        wait(
            "it again",
            || (double.pop_ups("Table 7: checkmate") == number).then_some(()),
            || double.why(&notify),
        );
    };
    again(2);
    // The whole session bus goes and comes.
    desk.bus.restart();
    notify.wait_for("the session bus cannot be reached");
    double.log_in(&desk.bus.address(), 200);
    wait(
        "it again",
        || (double.pop_ups("Table 7: checkmate") == 3).then_some(()),
        || double.why(&notify),
    );
    // A second one of the same login would show everything twice.
    let (code, _, errors) = output(desk.command(&[]).args(["--bus", &pc.bus.address(), "notify"]));
    assert_eq!(code, Some(1));
    assert!(errors.contains("another dgtctl notify of this login"), "{errors}");
}

/// A program in ssh's place.
fn in_place_of_ssh(pc: &Pc, script: &str) -> PathBuf {
    let file = pc.path().join("ssh");
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
    file
}

#[test]
fn a_line_that_hangs_is_noticed_within_ten_seconds_and_nothing_is_lost() {
    if Command::new("systemd-stdio-bridge").arg("--version").output().is_err() {
        println!("skipped: systemd-stdio-bridge is not there");
        return;
    }
    let (pc, desk) = (Pc::new(), Desk::new());
    let _daemon = pc.daemon(LABELS);
    let mut table7 = board(*b"01025");
    pc.plug("tty0", &table7);
    ready(&pc, "sn_01025");
    let script = format!(
        "while [ -e {0}/cut ]; do sleep 0.1; done\necho $$ >{0}/pid\necho \"$@\" >{0}/args\nexec systemd-stdio-bridge --bus-path={1}",
        pc.path().display(),
        pc.bus.address()
    );
    let ssh = in_place_of_ssh(&pc, &script);
    let double = Double::new(&desk.bus.address());
    let notify = notify_support::Running::start(
        desk.command(&[]).args(["--host", "arbiter@hall-pc", "notify"]).env("SYSTEMD_SSH", &ssh),
    );
    notify.wait_for("hall-pc: connected to dgtd");
    let args = fs::read_to_string(pc.path().join("args")).unwrap();
    assert!(args.contains("ServerAliveInterval=3") && args.contains("BatchMode=yes"), "{args}");
    assert!(args.trim_end().ends_with("-- arbiter@hall-pc systemd-stdio-bridge"), "{args}");
    // It stands still as over a cut cable: no end of file, no answer.
    fs::write(pc.path().join("cut"), "").unwrap();
    let pid = fs::read_to_string(pc.path().join("pid")).unwrap();
    let stop = ["-s", "STOP", pid.trim()];
    assert!(Command::new("kill").args(stop).status().unwrap().success());
    let cut = now();
    fools_mate(&mut table7);
    let (at, _, _) = double.wait_shown("hall-pc cannot be reached", &notify);
    let took = at.duration_since(cut);
    println!("dead line to notification: {} ms", took.as_millis());
    assert!(took < Duration::from_secs(10), "{took:?}");
    fs::remove_file(pc.path().join("cut")).unwrap();
    double.wait_shown("Table 7: checkmate", &notify);
    double.wait_shown("hall-pc: reached again", &notify);
    assert_eq!(double.pop_ups("checkmate"), 1, "{}", double.why(&notify));
    // One answer of the same way for the other commands.
    let mut status = desk.command(&[]);
    let (code, said, errors) =
        output(status.args(["--host", "arbiter@hall-pc", "status"]).env("SYSTEMD_SSH", &ssh));
    assert_eq!(code, Some(0), "{errors}");
    assert!(said.starts_with("dgtd ") && said.contains("Table 7"), "{said}");
    assert!(said.contains("checkmate"), "{said}");
}

#[test]
fn what_does_not_work_says_what_to_do() {
    let (pc, desk) = (Pc::new(), Desk::new());
    for (said, what, help) in [
        (
            "ssh: Could not resolve hostname pcx: Name or service not known",
            "no PC is known",
            "mend",
        ),
        ("ssh: connect to host pcx port 22: Connection refused", "refuses ssh", "openssh-server"),
        ("Host key verification failed.", "key is not known here", "answer yes"),
        ("arbiter@pcx: Permission denied (publickey).", "does not let you in", "ssh-copy-id"),
        ("sh: 1: systemd-stdio-bridge: not found", "bus of the PC", "needs systemd"),
    ] {
        let ssh = in_place_of_ssh(&pc, &format!("echo '{said}' >&2\nexit 255"));
        let mut status = desk.command(&[]);
        let (code, _, errors) =
            output(status.args(["--host", "arbiter@pcx", "status"]).env("SYSTEMD_SSH", &ssh));
        assert_eq!(code, Some(1), "{errors}");
        assert!(errors.starts_with("dgtctl: pcx: "), "{errors}");
        assert!(errors.contains(what) && errors.contains(help), "{errors}");
        assert!(errors.contains("\nhelp: "), "{errors}");
    }
    let said = |args: &[&str]| {
        let (code, _, errors) = output(desk.command(&[]).args(args));
        (code.unwrap(), errors)
    };
    let (code, errors) = said(&["--host", "-oProxyCommand=x", "status"]);
    assert_eq!(code, 2, "{errors}");
    let (code, errors) = said(&["--host", "a@b", "--host", "a@c", "status"]);
    assert_eq!(code, 2);
    assert!(errors.contains("asks one daemon, and 2 are named"), "{errors}");
    let file = pc.path().join("hosts.toml");
    fs::write(&file, "[[host]]\nshh = 'a@b'\n").unwrap();
    let (code, errors) = said(&["--hosts", file.to_str().unwrap(), "notify"]);
    assert_eq!(code, 2);
    assert!(errors.contains("hosts.toml:2:1: unknown key `shh`"), "{errors}");
    assert!(errors.contains("did you mean `ssh`?"), "{errors}");
    // No daemon, then no bus at all: said on the desktop, one notification.
    let double = Double::new(&desk.bus.address());
    let text = format!(
        "language = 'es'\n[[host]]\nname = 'sala'\nbus = '{}'\n\
         [[host]]\nname = 'otra'\nbus = 'unix:path={}/no-bus'\n",
        pc.bus.address(),
        pc.path().display()
    );
    fs::write(&file, text).unwrap();
    let notify = desk.notify(&["--hosts", file.to_str().unwrap()]);
    double.wait_shown("No se llega a 2 de 2 PC", &notify);
    let calls = double.calls();
    let Some(Call::Notify { body, .. }) = calls.last() else { panic!("{calls:?}") };
    assert!(body.contains("sala: dgtd no está en marcha allí"), "{body}");
    assert!(body.contains("otra: No se llega a su bus"), "{body}");
    // The daemon is started: one is back.
    let _daemon = pc.daemon("");
    notify.wait_for("sala: conectado a dgtd");
    double.wait_shown("No se llega a otra", &notify);
    assert_eq!(double.pop_ups("No se llega"), 1, "{}", double.why(&notify));
}

#[test]
fn labels_on_two_pcs_are_reported_once() {
    let (one, two, desk) = (Pc::new(), Pc::new(), Desk::new());
    let (_d1, _d2) = (one.daemon(LABELS), two.daemon(LABELS));
    let mut boards = [board(*b"01025"), board(*b"01025")];
    one.plug("tty0", &boards[0]);
    two.plug("tty0", &boards[1]);
    ready(&one, "sn_01025");
    ready(&two, "sn_01025");
    let double = Double::new(&desk.bus.address());
    let file = desk.directory.path().join("hosts.toml");
    let text = format!(
        "[[host]]\nname = 'pc1'\nbus = '{}'\n[[host]]\nname = 'pc2'\nbus = '{}'\n",
        one.bus.address(),
        two.bus.address()
    );
    fs::write(&file, text).unwrap();
    let notify = desk.notify(&["--hosts", file.to_str().unwrap()]);
    double.wait_shown("Two boards are called Table 7", &notify);
    for (from, to) in [("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")] {
        play(&mut boards[1], from, to);
    }
    double.wait_shown("Table 7 (pc2): checkmate", &notify);
    assert_eq!(double.pop_ups("Two boards are called Table 7"), 1);
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
fn without_rights_ends_are_shown_and_nothing_else() {
    let setpriv = Command::new("setpriv").arg("--version").output().is_ok();
    if !rustix::process::geteuid().is_root() || !setpriv {
        println!("skipped: changing users needs root and setpriv");
        return;
    }
    let open = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
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
    let (mut table7, mut table8) = (board(*b"01025"), board(*b"00666"));
    pc.plug("tty0", &table7);
    pc.plug("tty1", &table8);
    ready(&pc, "sn_01025");
    ready(&pc, "sn_00666");
    let double = Double::new(&desk.bus.address());
    let template = desk.command(&[]);
    let mut as_nobody = Command::new("setpriv");
    as_nobody.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    as_nobody.arg(&program).args(["--bus", &pc.bus.address(), "notify"]);
    for (name, value) in template.get_envs() {
        match value {
            Some(value) => as_nobody.env(name, value),
            None => as_nobody.env_remove(name),
        };
    }
    let notify = notify_support::Running::start(&mut as_nobody);
    double.wait_shown("Only games that are over are shown", &notify);
    // White's pawn goes where none can.
    play(&mut table8, "e2", "e5");
    let arbiter = ["call", "org.dgtd.Arbiter", "/org/dgtd", "org.freedesktop.DBus.ObjectManager"];
    wait(
        "an alert for the arbiter only",
        || {
            let objects = pc.busctl(&[&arbiter[..], &["GetManagedObjects"]].concat()).ok()?;
            objects.contains("org.dgtd.Alert1").then_some(())
        },
        || notify.said(),
    );
    fools_mate(&mut table7);
    let (_, id, _) = double.wait_shown("Table 7: checkmate", &notify);
    double.press(id, "seen");
    double.wait_closed(id, &notify);
    double.wait_shown("was not told that you have seen it", &notify);
    assert_eq!(pc.alerts().len(), 1, "it is still open at the daemon");
    assert!(double.shown("Table 8").is_empty(), "{}", double.why(&notify));
    assert_eq!(double.pop_ups("Only games that are over"), 1);
}
