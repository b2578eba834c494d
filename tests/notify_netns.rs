//! The arbiter's PC and a PC with boards as two network namespaces with sshd between them.
//!
//! Needs root, `ip`, `sshd`, `ssh`, `systemd-stdio-bridge` and `dbus-daemon`; says that it is
//! skipped where they are not.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    clippy::too_many_lines,
    reason = "in a test a wrong step is a failure, and one story is told from its beginning"
)]

mod emulator;
mod notify_support;

use std::{
    fs, os::unix::fs::PermissionsExt as _, path::Path, process::Command, thread, time::Duration,
};

use dgtd::wire::Orientation;
use emulator::{Board, Clock, Plugged};
use notify_support::{Desk, Double, Pc, Running, fools_mate, now, output, wait};

fn board(serial: [u8; 5]) -> Plugged {
    let clock = Clock { left: 5400, right: 5400, right_turn: false, running: true, increment: 0 };
    Plugged::new(Board::classic(serial, Orientation::Normal).with_clock(clock))
}

/// Runs `ip` with these words.
fn ip(words: &str) -> Result<(), String> {
    let (code, _, errors) = output(Command::new("ip").args(words.split(' ')));
    if code == Some(0) { Ok(()) } else { Err(format!("ip {words}: {errors}")) }
}

/// Two namespaces with a cable between them.
struct Net {
    a: String,
    b: String,
}

impl Net {
    fn new() -> Result<Net, String> {
        let number = std::process::id();
        let net = Net { a: format!("dgtA{number}"), b: format!("dgtB{number}") };
        let (a, b) = (&net.a, &net.b);
        for words in [
            format!("netns add {a}"),
            format!("netns add {b}"),
            format!("link add vA netns {a} type veth peer name vB netns {b}"),
            format!("-n {a} addr add 10.77.0.1/24 dev vA"),
            format!("-n {b} addr add 10.77.0.2/24 dev vB"),
            format!("-n {a} link set lo up"),
            format!("-n {b} link set lo up"),
            format!("-n {a} link set vA up"),
            format!("-n {b} link set vB up"),
        ] {
            ip(&words)?;
        }
        Ok(net)
    }

    fn inside(name: &str) -> Vec<String> {
        ["ip", "netns", "exec", name].map(str::to_owned).into()
    }

    fn cable(&self, state: &str) {
        ip(&format!("-n {} link set vA {state}", self.a)).unwrap();
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        for name in [&self.a, &self.b] {
            // Children of sshd outlive it.
            let (_, pids, _) = output(Command::new("ip").args(["netns", "pids", name]));
            for pid in pids.split_whitespace() {
                let _ = Command::new("kill").args(["-s", "KILL", pid]).status();
            }
            let _ = ip(&format!("netns del {name}"));
        }
    }
}

/// Why it cannot be run here, if it cannot.
fn missing() -> Option<String> {
    if !rustix::process::geteuid().is_root() {
        return Some("it needs root".into());
    }
    let needed = ["/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/ssh-keygen"];
    let program = needed.into_iter().find(|program| !Path::new(program).exists());
    program.map(|program| format!("{program} is not there")).or_else(|| {
        let needed = ["ip", "systemd-stdio-bridge"];
        let none = |program: &&str| Command::new(program).arg("--version").output().is_err();
        needed.iter().find(|program| none(program)).map(|p| format!("{p} is not there"))
    })
}

fn key(directory: &Path, name: &str) {
    let file = directory.join(name);
    let mut keygen = Command::new("ssh-keygen");
    let (code, _, errors) = output(keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(file));
    assert_eq!(code, Some(0), "{errors}");
}

/// An ssh server on the PC, whose system bus is the private one.
fn sshd(net: &Net, pc: &Pc) -> Running {
    let at = pc.path();
    for name in ["host-key", "user-key"] {
        key(at, name);
    }
    fs::copy(at.join("user-key.pub"), at.join("authorized")).unwrap();
    let config = format!(
        "Port 22\nListenAddress 10.77.0.1\nHostKey {0}/host-key\nAuthorizedKeysFile {0}/authorized\n\
         StrictModes no\nPidFile none\nUsePAM no\nPasswordAuthentication no\n\
         PermitRootLogin prohibit-password\nLogLevel ERROR\n",
        at.display()
    );
    fs::write(at.join("sshd.conf"), config).unwrap();
    fs::create_dir_all("/run/sshd").unwrap();
    // The bridge looks only at the usual place; `ip netns exec` has mounts of its own.
    let script = format!(
        "mkdir -p /run/dbus && mount -t tmpfs none /run/dbus && \
         ln -s {0}/bus /run/dbus/system_bus_socket && exec /usr/sbin/sshd -D -e -f {0}/sshd.conf",
        at.display()
    );
    Running::start(Command::new("ip").args(["netns", "exec", &net.a, "sh", "-c", &script]))
}

#[test]
fn an_end_reaches_another_pc_whatever_happens_to_the_cable() {
    if let Some(why) = missing() {
        println!("skipped: {why}");
        return;
    }
    let net = match Net::new() {
        Ok(net) => net,
        Err(why) => {
            println!("skipped: network namespaces cannot be made: {why}");
            return;
        }
    };
    let (mut pc, desk) = (Pc::new(), Desk::new());
    pc.prefix = Net::inside(&net.a);
    fs::set_permissions(pc.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let daemon = pc.daemon(
        "[[board]]\nserial = '01025'\nlabel = 'Table 7'\n\
         [[board]]\nserial = '00666'\nlabel = 'Table 8'\n\
         [[board]]\nserial = '00777'\nlabel = 'Table 9'\n",
    );
    let _sshd = sshd(&net, &pc);
    let known = desk.directory.path().join("known-hosts");
    let ssh = desk.directory.path().join("ssh");
    let options = format!(
        "#!/bin/sh\nexec /usr/bin/ssh -F none -i {}/user-key -o UserKnownHostsFile={} \"$@\"\n",
        pc.path().display(),
        known.display()
    );
    fs::write(&ssh, options).unwrap();
    fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).unwrap();
    let double = Double::new(&desk.bus.address());
    let host = "root@10.77.0.1";
    let prefix = Net::inside(&net.b);
    let ctl = |words: &[&str]| {
        let mut command = desk.command(&prefix);
        command.args(["--host", host]).args(words).env("SYSTEMD_SSH", &ssh);
        command
    };
    // A key that is not known is refused, and it is said what to do.
    wait(
        "sshd",
        || {
            let (_, _, errors) = output(&mut ctl(&["status"]));
            errors.contains("the PC's key is not known here").then_some(())
        },
        || output(&mut ctl(&["status"])).2,
    );
    let host_key = fs::read_to_string(pc.path().join("host-key.pub")).unwrap();
    fs::write(&known, format!("10.77.0.1 {host_key}")).unwrap();
    let (code, said, errors) = output(&mut ctl(&["status"]));
    assert_eq!(code, Some(0), "{errors}");
    assert!(said.contains("Table 7"), "{said}");

    let notify = Running::start(&mut ctl(&["notify"]));
    notify.wait_for("10.77.0.1: connected to dgtd");
    let mut boards = [board(*b"01025"), board(*b"00666"), board(*b"00777")];
    for (name, board) in ["tty0", "tty1", "tty2"].into_iter().zip(&boards) {
        pc.plug(name, board);
    }
    for name in ["sn_01025", "sn_00666", "sn_00777"] {
        pc.wait_get(name, "org.dgtd.Game1", "State", "s \"waiting\"");
    }
    let last_byte = fools_mate(&mut boards[0]);
    let (at, id, _) = double.wait_shown("Table 7: checkmate", &notify);
    let took = at.duration_since(last_byte);
    println!("last byte to notification on the other PC: {} ms", took.as_millis());
    assert!(took < Duration::from_secs(1), "{took:?}");

    // The cable is cut; an end comes meanwhile, another one is taken back before it has stood for long.
    net.cable("down");
    let cut = now();
    boards[0].carry("h4", "d8");
    let (at, ..) = double.wait_shown("10.77.0.1 cannot be reached", &notify);
    let took = at.duration_since(cut);
    println!("cut cable to notification: {} ms", took.as_millis());
    assert!(took < Duration::from_secs(10), "{took:?}");
    fools_mate(&mut boards[1]);
    thread::sleep(Duration::from_secs(2));
    net.cable("up");
    let up = now();
    let (at, ..) = double.wait_shown("Table 8: checkmate", &notify);
    println!("cable back to the missed end: {} ms", at.duration_since(up).as_millis());
    double.wait_shown("10.77.0.1: reached again", &notify);
    let (_, _, replaces) = double.wait_shown("Table 7: the game goes on", &notify);
    assert_eq!(replaces, id);
    assert_eq!(double.pop_ups("cannot be reached"), 1, "{}", double.why(&notify));

    // The daemon is killed and started again, then the bus.
    drop(daemon);
    thread::sleep(Duration::from_millis(300));
    let daemon = pc.daemon("[[board]]\nserial = '00777'\nlabel = 'Table 9'\n");
    pc.wait_get("sn_00777", "org.dgtd.Game1", "State", "s \"waiting\"");
    fools_mate(&mut boards[2]);
    let (_, id, _) = double.wait_shown("Table 9: checkmate", &notify);
    pc.bus.daemon.kill();
    daemon.wait_for("bus: lost");
    pc.bus.restart();
    wait(
        "the bus again",
        || (notify.said().matches("connected to dgtd").count() >= 3).then_some(()),
        || double.why(&notify),
    );
    thread::sleep(Duration::from_secs(1));
    assert_eq!(double.pop_ups("checkmate"), 3, "{}", double.why(&notify));

    // Seen here silences there.
    double.press(id, "seen");
    double.wait_closed(id, &notify);
    wait(
        "the alert to go",
        || {
            let labels = pc.alerts();
            let label = |alert: &String| {
                pc.busctl(&["get-property", "org.dgtd", alert, "org.dgtd.Alert1", "Label"])
            };
            let open = labels.iter().filter_map(|a| label(a).ok());
            (!open.into_iter().any(|label| label.contains("Table 9"))).then_some(())
        },
        || double.why(&notify),
    );
}
