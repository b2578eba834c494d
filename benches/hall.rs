//! A hall of 200 boards on one daemon: what it costs.
//!
//! Starts the real `dgtd` on a private bus, plugs in emulated boards on pseudo-terminals, lets all of
//! them play (two changes of squares a second each: a man lifted, a man put down) and reads the
//! daemon's own processor time and memory from `/proc`. Meanwhile a few more boards, with clocks, are
//! mated: how long it takes until a client of the bus knows. `BOARDS` and `SECONDS` in the
//! environment change the size.
//!
//! A processor that is asleep most of the time runs slowly when it is woken, and its share of time says
//! more about its thrift than about the work. So the same play is measured twice: on the machine as it
//! is, and with its cores kept awake by loops of the lowest priority.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a measurement, not the product"
)]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]
#![allow(clippy::disallowed_methods, reason = "it measures how long things take")]

#[path = "../tests/emulator/mod.rs"]
mod emulator;

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

use dgtd::wire::Orientation;
use emulator::{Board, Clock, Plugged};
use futures_util::StreamExt as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position as _};

/// Signals the client may be behind by.
const QUEUE: Option<std::num::NonZero<usize>> = std::num::NonZero::new(10_000);

/// Boards on which a mate is played while all others are busy.
const MATES: u64 = 20;

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
    let heard = listen(dir);
    let mut mates = Vec::new();
    for index in 0..MATES {
        let serial = format!("9{index:04}").into_bytes().try_into().unwrap();
        let clock =
            Clock { left: 5400, right: 5400, right_turn: false, running: true, increment: 0 };
        let plugged = Plugged::new(Board::classic(serial, Orientation::Normal).with_clock(clock));
        symlink(plugged.path(), dir.join("ports").join(format!("ttymate{index}"))).unwrap();
        mates.push(plugged);
    }
    let ready = wait_ready(dir, boards + MATES);
    thread::sleep(Duration::from_secs(5));
    let (before_idle, idle) = used(pid);
    thread::sleep(Duration::from_secs(10));
    let (after_idle, _) = used(pid);

    let mated = thread::spawn(move || mate(mates));
    let (before, _) = used(pid);
    // Each mate is four moves of two changes.
    let made = play(&mut tables, seconds) + MATES * 8;
    let (after, _) = used(pid);
    let per_change = (after - before) / made as f64 * 1e6;
    let awake = keep_awake();
    thread::sleep(Duration::from_secs(1));
    let (before, _) = used(pid);
    let made = play(&mut tables, seconds);
    let (after, busy) = used(pid);
    let awake_per_change = (after - before) / made as f64 * 1e6;
    drop(awake);
    let (presses, mates) = mated.join().unwrap();
    // The last of them stand for a moment before they count.
    thread::sleep(Duration::from_secs(2));
    drop(mates);
    let delays = Delays::of(&heard, &presses);
    let all = boards + MATES;
    // A step takes a little longer than its pause: the changes are what counts.
    let share = |per_change: f64| per_change * boards as f64 * 2.0 / 1e4;
    println!("| {boards} boards on one dgtd | |");
    println!("|---|---|");
    println!("| boards that answered | {ready} |");
    println!(
        "| processor, all boards idle | {:.1} % of a core |",
        (after_idle - before_idle) * 10.0
    );
    println!(
        "| processor at 2 changes a second each | {:.1} % of a core ({per_change:.0} µs a change) |",
        share(per_change)
    );
    println!(
        "| the same, cores kept awake | {:.1} % of a core ({awake_per_change:.0} µs a change) |",
        share(awake_per_change)
    );
    println!(
        "| end of a game decided → known to a client ({} mates) | median {:.1} ms, worst {:.1} ms |",
        delays.told.len(),
        middle(&delays.told),
        worst(&delays.told)
    );
    println!(
        "| clock pressed after the mate → known to a client | median {:.0} ms, worst {:.0} ms |",
        middle(&delays.pressed),
        worst(&delays.pressed)
    );
    println!("| memory without boards | {empty} KiB |");
    println!("| memory for an idle board | {:.0} KiB |", (idle - empty) as f64 / all as f64);
    println!(
        "| memory for a board after {} s of play | {:.0} KiB |",
        2 * seconds,
        (busy - empty) as f64 / all as f64
    );
}

/// All tables play for so long, two changes a second each; how many changes they made.
fn play(tables: &mut [Table], seconds: u64) -> u64 {
    let boards = u32::try_from(tables.len()).unwrap();
    let pause = Duration::from_millis(500) / boards;
    let changes = seconds * 2;
    for _ in 0..changes {
        for table in &mut *tables {
            table.step();
            thread::sleep(pause);
        }
    }
    changes * u64::from(boards)
}

/// Loops of the lowest priority, one for each core, until dropped. Without a hint that they only wait: a
/// virtual machine's host would take the core away.
struct Awake(Arc<AtomicBool>);

impl Drop for Awake {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

fn keep_awake() -> Awake {
    let on = Arc::new(AtomicBool::new(true));
    for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
        let on = Arc::clone(&on);
        thread::spawn(move || {
            rustix::process::nice(19).unwrap();
            let mut turns = 0_u64;
            while on.load(Ordering::Relaxed) {
                turns = std::hint::black_box(turns.wrapping_mul(3) + 1);
            }
        });
    }
    Awake(on)
}

/// The fool's mate on all these boards, each move pressed; the moments of the last presses by serial
/// number.
fn mate(mut boards: Vec<Plugged>) -> (BTreeMap<String, Instant>, Vec<Plugged>) {
    let mut presses = BTreeMap::new();
    for (from, to) in [("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")] {
        thread::sleep(Duration::from_millis(1500));
        for board in &mut boards {
            board.carry(from, to);
        }
        thread::sleep(Duration::from_millis(600));
        for board in &mut boards {
            board.press();
            let serial = String::from_utf8_lossy(&board.board().serial).into_owned();
            presses.insert(serial, Instant::now());
            thread::sleep(Duration::from_millis(40));
        }
    }
    (presses, boards)
}

/// What a client of the bus heard, and when.
enum Heard {
    /// The event was decided at this time of day (microseconds since the epoch).
    Decided { seq: u64, micros: u64 },
    /// The signal of the end came.
    Over { seq: u64, path: String, at: Instant, micros: u64 },
}

/// A client of the bus like any other, on a thread of its own.
fn listen(dir: &Path) -> Receiver<Heard> {
    let (heard, received) = channel();
    let address = format!("unix:path={}/bus", dir.display());
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(client(&address, &heard));
    });
    received
}

async fn client(address: &str, heard: &Sender<Heard>) {
    let builder = zbus::connection::Builder::address(address);
    let connection = builder.build().await.unwrap();
    let rule = |interface: &'static str, member: &'static str| {
        let builder = zbus::MatchRule::builder().msg_type(zbus::message::Type::Signal);
        builder.interface(interface).member(member).build().unwrap()
    };
    let over = rule("org.dgtd.Game1", "Over");
    let event = rule("org.dgtd.Journal1", "Event");
    let mut over = zbus::MessageStream::for_match_rule(over, &connection, QUEUE).await.unwrap();
    let mut event = zbus::MessageStream::for_match_rule(event, &connection, QUEUE).await.unwrap();
    loop {
        let news = tokio::select! {
            Some(Ok(message)) = over.next() => {
                let at = Instant::now();
                let micros = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
                let (seq, ..): (u64, String, String, String) =
                    message.body().deserialize().unwrap();
                let path = message.header().path().unwrap().to_string();
                Heard::Over { seq, path, at, micros: micros.as_micros().try_into().unwrap() }
            }
            Some(Ok(message)) = event.next() => {
                type Body = (
                    u64, u64, zbus::OwnedObjectPath, String, String, String,
                    BTreeMap<String, zbus::OwnedVariant>,
                );
                let (seq, micros, ..): Body = message.body().deserialize().unwrap();
                Heard::Decided { seq, micros }
            }
            else => return,
        };
        if heard.send(news).is_err() {
            return;
        }
    }
}

/// Milliseconds, sorted.
#[derive(Default)]
struct Delays {
    told: Vec<f64>,
    pressed: Vec<f64>,
}

impl Delays {
    fn of(heard: &Receiver<Heard>, presses: &BTreeMap<String, Instant>) -> Delays {
        let mut decided = BTreeMap::new();
        let mut overs = Vec::new();
        for news in heard.try_iter() {
            match news {
                Heard::Decided { seq, micros } => drop(decided.insert(seq, micros)),
                Heard::Over { seq, path, at, micros } => overs.push((seq, path, at, micros)),
            }
        }
        let mut delays = Delays::default();
        for (seq, path, at, micros) in overs {
            let serial = path.rsplit('_').next().unwrap_or_default();
            delays.told.push((micros - decided[&seq]) as f64 / 1e3);
            delays.pressed.push((at - presses[serial]).as_secs_f64() * 1e3);
        }
        delays.told.sort_by(f64::total_cmp);
        delays.pressed.sort_by(f64::total_cmp);
        delays
    }
}

fn middle(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

fn worst(sorted: &[f64]) -> f64 {
    sorted.last().copied().unwrap_or(f64::NAN)
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
