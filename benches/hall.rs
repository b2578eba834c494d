//! A hall of 200 boards on one daemon: what it costs.
//!
//! Starts the real `dgtd` on a private bus, plugs in emulated boards on pseudo-terminals, lets all of
//! them play (two changes of squares a second each: a man lifted, a man put down) and reads the
//! daemon's own processor time and memory from `/proc`. `BOARDS` and `SECONDS` in the environment
//! change the size.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a measurement, not the product"
)]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]

#[path = "../tests/emulator/mod.rs"]
mod emulator;

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use dgtd::wire::Orientation;
use emulator::{Board, Plugged};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position as _};

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command) -> Killed {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    Killed(command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}")))
}

/// What a process has used: processor time in seconds, resident memory in KiB.
fn used(pid: u32) -> (f64, u64) {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|l| l.starts_with("VmRSS:")).unwrap();
    let kib = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    (ticks as f64 / 100.0, kib)
}

/// A board and a game on it, in half-steps: lift, put.
struct Table {
    plugged: Plugged,
    position: Chess,
    lifted: Option<Move>,
    random: ChaCha8Rng,
}

impl Table {
    /// One change of a square.
    fn step(&mut self) {
        if let Some(m) = self.lifted.take() {
            let to = m.to().to_string();
            let piece = self.position.board().piece_at(m.from().unwrap()).unwrap();
            self.plugged.put(&to, piece.char());
            self.position.play_unchecked(m);
            return;
        }
        // Moves of one man to an empty square that do not end the game: two changes each.
        let simple: Vec<Move> = self
            .position
            .legal_moves()
            .into_iter()
            .filter(|m| matches!(m, Move::Normal { capture: None, promotion: None, .. }))
            .filter(|m| self.position.clone().play(*m).is_ok_and(|after| !after.is_game_over()))
            .collect();
        if simple.is_empty() {
            return;
        }
        let m = simple[self.random.random_range(0..simple.len())];
        self.plugged.put(&m.from().unwrap().to_string(), '.');
        self.lifted = Some(m);
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn main() {
    let boards = number("BOARDS", 200);
    let seconds = number("SECONDS", 20);
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    fs::create_dir(dir.join("ports")).unwrap();
    let _bus = bus(dir);
    let config = format!(
        "[bus]\nwhich = \"unix:path={0}/bus\"\n[ports]\nauto = false\nlist = [\"{0}/ports/tty*\"]\n\
         [state]\ndirectory = \"{0}/state\"\n[log]\nlevel = \"error\"\n",
        dir.display()
    );
    fs::write(dir.join("dgtd.toml"), config).unwrap();
    let daemon =
        start(Command::new(env!("CARGO_BIN_EXE_dgtd")).arg("--config").arg(dir.join("dgtd.toml")));
    let pid = daemon.0.id();
    thread::sleep(Duration::from_secs(3));
    let (_, empty) = used(pid);

    let mut tables = Vec::new();
    for index in 0..boards {
        let serial: [u8; 5] = format!("{:05}", index + 1).into_bytes().try_into().unwrap();
        let plugged = Plugged::new(Board::classic(serial, Orientation::Normal));
        let port = dir.join("ports").join(format!("tty{index}"));
        symlink(plugged.path(), port).unwrap();
        let random = ChaCha8Rng::seed_from_u64(index);
        tables.push(Table { plugged, position: Chess::default(), lifted: None, random });
    }
    let ready = wait_ready(dir, boards);
    thread::sleep(Duration::from_secs(5));
    let (before_idle, idle) = used(pid);
    thread::sleep(Duration::from_secs(10));
    let (after_idle, _) = used(pid);

    let (before, _) = used(pid);
    let pause = Duration::from_millis(500) / u32::try_from(boards).unwrap();
    let changes = seconds * 2;
    for _ in 0..changes {
        for table in &mut tables {
            table.step();
            thread::sleep(pause);
        }
    }
    let (after, busy) = used(pid);
    // A step takes a little longer than its pause: the changes are what counts.
    let made = (changes * boards) as f64;
    let per_change = (after - before) / made * 1e6;
    println!("| {boards} boards on one dgtd | |");
    println!("|---|---|");
    println!("| boards that answered | {ready} |");
    println!(
        "| processor, all boards idle | {:.1} % of a core |",
        (after_idle - before_idle) * 10.0
    );
    println!("| processor time for a change of a square | {per_change:.0} µs |");
    println!(
        "| processor at 2 changes a second each | {:.1} % of a core |",
        per_change * boards as f64 * 2.0 / 1e4
    );
    println!("| memory without boards | {empty} KiB |");
    println!("| memory for an idle board | {:.0} KiB |", (idle - empty) as f64 / boards as f64);
    println!(
        "| memory for a board after {seconds} s of play | {:.0} KiB |",
        (busy - empty) as f64 / boards as f64
    );
}

fn bus(dir: &Path) -> Killed {
    let config = format!(
        "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" \
         \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\
         <busconfig><type>custom</type><listen>unix:path={}/bus</listen><auth>EXTERNAL</auth>\
         <policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>\
         <allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>",
        dir.display()
    );
    fs::write(dir.join("bus.conf"), config).unwrap();
    let option = format!("--config-file={}", dir.join("bus.conf").display());
    let bus = start(Command::new("dbus-daemon").arg("--nofork").arg(option).stderr(Stdio::null()));
    while !dir.join("bus").exists() {
        thread::sleep(Duration::from_millis(20));
    }
    bus
}

/// Waits until all boards answer, for a minute; says how many do.
fn wait_ready(dir: &Path, boards: u64) -> u64 {
    let mut ready = 0;
    for _ in 0..120 {
        let output = Command::new("busctl")
            .arg(format!("--address=unix:path={}/bus", dir.display()))
            .args(["get-property", "org.dgtd", "/org/dgtd", "org.dgtd.Daemon1", "ConnectedCount"])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        ready = text.trim().trim_start_matches("u ").parse().unwrap_or(0);
        if ready == boards {
            break;
        }
        thread::sleep(Duration::from_millis(500));
    }
    ready
}
