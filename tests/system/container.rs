//! systemd as the first process of namespaces of its own.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::{
    FIRST, OPENING, ROUND, SECOND, board,
    emulator::Plugged,
    exposure,
    guest::{Guest, installation, prepared, project},
    permissions, play, property,
};

/// A running container. Dropping it ends everything in it.
struct Container {
    child: Child,
    first: String,
    _dir: tempfile::TempDir,
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/system/container.sh")
}

impl Container {
    fn start() -> Container {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        let copied = Command::new("cp").arg("-a").arg(prepared("root")).arg(&root).status();
        assert!(copied.unwrap().success());
        project(&root.join("project"));
        let pidfile = dir.path().join("pid");
        let child = Command::new(script())
            .arg("start")
            .args([&root, &pidfile])
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        let first = loop {
            if let Ok(pid) = fs::read_to_string(&pidfile) {
                break pid.trim().to_owned();
            }
            assert!(start.elapsed() < Duration::from_secs(20), "no container");
            thread::sleep(Duration::from_millis(20));
        };
        let container = Container { child, first, _dir: dir };
        container.wait_for("systemctl is-system-running --wait", "running");
        println!("systemd runs after {:.1} s", start.elapsed().as_secs_f32());
        container
    }

    /// Gives a board's terminal a name among the ports of the container.
    fn plug(&self, name: &str, board: &Plugged) {
        // The terminal belongs to who made it; a real one belongs to the group of the ports.
        fs::set_permissions(board.path(), fs::Permissions::from_mode(0o666)).unwrap();
        let line = board.path().file_name().unwrap().to_str().unwrap();
        self.must(&format!("mkdir -p /run/boards && ln -sfn /lines/{line} /run/boards/{name}"));
    }
}

impl Guest for Container {
    fn run(&self, command: &str) -> (i32, String) {
        let output = Command::new(script())
            .args(["exec", &self.first, "bash", "-c", command])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned())
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        let _ = Command::new(script()).args(["stop", &self.first]).status();
        let _ = self.child.wait();
    }
}

#[test]
#[ignore = "needs root and tests/system/prepare.sh container"]
fn in_a_container() {
    let guest = Container::start();
    // A container has no devices of its own, so no udev runs in it.
    let install = installation();
    assert!(install.contains("udevadm control --reload && "));
    println!("{}", guest.must(&install.replace("udevadm control --reload && ", "")));
    guest.must(
        "usermod -aG dgtd-arbiters arbiter
         mkdir -p /etc/dgtd/conf.d /run/boards /etc/systemd/system/dgtd.service.d
         printf '[ports]\\nlist = [\"/run/boards/*\"]\\n' > /etc/dgtd/conf.d/ports.toml
         printf '[Service]\\nWatchdogSec=4\\nTimeoutAbortSec=1\\nRestartSec=0\\n' \
            > /etc/systemd/system/dgtd.service.d/test.conf
         systemctl daemon-reload && systemctl reload dbus && systemctl enable --now dgtd",
    );
    guest.wait_for("systemctl is-active dgtd", "active");
    exposure(&guest);

    let mut first = Plugged::new(board(*b"01025"));
    let second = Plugged::new(board(*b"02050"));
    guest.plug("tty0", &first);
    guest.plug("tty1", &second);
    for object in [FIRST, SECOND] {
        guest.wait_for(&property(object, "Game1", "State"), "waiting");
    }
    permissions(&guest);
    other_devices_are_out_of_reach(&guest);

    // Whoever listens, without any right, hears of the end.
    guest.must(
        "setsid setpriv --reuid stranger --regid stranger --init-groups \
            gdbus monitor --system --dest org.dgtd > /tmp/heard 2>&1 < /dev/null &
         sleep 0.3",
    );
    for moves in OPENING.into_iter().chain(ROUND.repeat(2)) {
        play(&mut |action| first.act(|board| action(board)), moves);
    }
    guest.wait_for(&property(FIRST, "Game1", "Ply"), "u 12");
    let lines = [first.path().to_owned(), second.path().to_owned()];
    crash(&guest, "systemctl kill -s KILL dgtd", &lines);
    for moves in ROUND {
        play(&mut |action| first.act(|board| action(board)), moves);
    }
    guest.wait_for(&property(FIRST, "Game1", "Ply"), "u 16");
    // A daemon that hangs is noticed by the watchdog.
    crash(&guest, "systemctl kill -s STOP dgtd", &lines);
    for moves in ROUND {
        play(&mut |action| first.act(|board| action(board)), moves);
    }
    guest.wait_for(&property(FIRST, "Game1", "Ending"), "fivefold");
    guest.wait_for("cat /tmp/heard", "'fivefold', '9.6.1', '1/2-1/2'");
    assert!(!guest.must("cat /tmp/heard").contains("claim_available"), "class C in public");

    // An alert outlives a restart, until somebody acknowledges it.
    guest.must("systemctl restart dgtd");
    guest.wait_for("busctl tree --list org.dgtd", "/org/dgtd/alerts/");
    guest.must("systemctl stop dgtd");
    let kept = guest.must("ls -l /var/lib/dgtd/pgn /var/lib/dgtd/journal; cat /var/lib/dgtd/pgn/*");
    assert!(kept.contains("1/2-1/2"), "{kept}");
    let failed = guest.must("systemctl --failed --no-legend");
    assert!(failed.trim().is_empty(), "{failed}");
}

/// Ends the daemon in a bad way and waits until it serves the same game again.
fn crash(guest: &Container, how: &str, lines: &[PathBuf]) {
    let ply = guest.must(&property(FIRST, "Game1", "Ply"));
    let game = guest.must(&property(FIRST, "Board1", "GameId"));
    let restarts = "systemctl show -p NRestarts --value dgtd";
    let before: u32 = guest.must(restarts).trim().parse().unwrap();
    guest.must(how);
    guest.wait_for(restarts, &(before + 1).to_string());
    for line in lines {
        // A serial port forgets with its last close that it was exclusive. A pseudo-terminal lives on
        // in the emulated board.
        rustix::termios::ioctl_tiocnxcl(fs::File::open(line).unwrap()).unwrap();
    }
    guest.wait_for("systemctl is-active dgtd", "active");
    guest.wait_for(&property(FIRST, "Board1", "State"), "ready");
    guest.wait_for(&property(FIRST, "Game1", "Ply"), ply.trim());
    guest.wait_for(&property(FIRST, "Board1", "GameId"), game.trim());
}

/// A device that is no serial port cannot be opened, whatever its permissions say.
fn other_devices_are_out_of_reach(guest: &Container) {
    guest.must("mknod -m 666 /dev/secret c 1 11 && ln -s /dev/secret /run/boards/secret");
    guest.wait_for("journalctl --no-pager -u dgtd", "/run/boards/secret");
    let said = guest.must("journalctl --no-pager -u dgtd | grep secret");
    assert!(said.contains("operation not permitted"), "{said}");
    guest.must("rm /run/boards/secret");
}
