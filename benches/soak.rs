//! A bad day in a hall: 200 boards that are played on, unplugged, disturbed and asked about at once.
//!
//! Starts the real `dgtd` on a private bus with emulated boards on pseudo-terminals. On each, random
//! games are played by random hands; now and then a cable is pulled (sometimes a move is made
//! meanwhile) and put into another port, now and then the line carries rubbish; clients of the bus
//! come, ask for everything, and go. Afterwards the daemon's journal is held against what was played.
//! `BOARDS` and `SECONDS` in the environment change the size: `BOARDS=200 SECONDS=600` is the ten
//! minutes of the acceptance test, `BOARDS=500 SECONDS=120` shows as many boards in one process as it
//! is built for. With `KEEP` set the journals stay, and where is printed.
//!
//! It fails where a board does not come up, a game is told wrongly without a half-move that its cable
//! hid, such a game is told wrongly without a word of doubt, an end is missed or false, a client gets no
//! answer, or memory goes on growing after the first games.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a measurement, not the product"
)]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]
#![allow(clippy::disallowed_methods, reason = "real boards and a real daemon take real time")]

#[path = "../tests/emulator/mod.rs"]
mod emulator;
#[path = "soak/journal.rs"]
mod journal;
#[path = "soak/table.rs"]
mod table;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

use table::Table;

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command) -> Killed {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null());
    Killed(command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}")))
}

/// What a process has used: processor time in seconds, resident memory in KiB.
fn used(pid: u32) -> (f64, u64) {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the daemon runs");
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|l| l.starts_with("VmRSS:")).unwrap();
    (ticks as f64 / 100.0, line.split_whitespace().nth(1).unwrap().parse().unwrap())
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
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

/// Clients that come, listen for a moment, ask for all there is, and go. What those were told who got no
/// answer.
fn clients(
    dir: &Path,
    stop: &Arc<AtomicBool>,
    visits: &Arc<AtomicU64>,
) -> thread::JoinHandle<Vec<String>> {
    let address = format!("unix:path={}/bus", dir.display());
    let (stop, visits) = (stop.clone(), visits.clone());
    thread::spawn(move || {
        let mut unserved = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let listener = start(
                Command::new("gdbus")
                    .args(["monitor", "--address", &address, "--dest", "org.dgtd"])
                    .stderr(Stdio::null()),
            );
            let asked = Command::new("busctl")
                .arg(format!("--address={address}"))
                .args(["call", "org.dgtd", "/org/dgtd", "org.freedesktop.DBus.ObjectManager"])
                .arg("GetManagedObjects")
                .stdin(Stdio::null())
                .output();
            let asked = asked.unwrap();
            if !asked.status.success() {
                let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
                let why = String::from_utf8_lossy(&asked.stderr);
                unserved.push(format!("at {}: {}", clock.as_secs(), why.trim()));
            }
            thread::sleep(Duration::from_millis(1500));
            // Goes without a word, as a program that crashes does.
            drop(listener);
            visits.fetch_add(1, Ordering::Relaxed);
        }
        unserved
    })
}

fn main() {
    let boards = number("BOARDS", 200);
    let seconds = number("SECONDS", 60);
    let mut temporary = tempfile::tempdir().unwrap();
    temporary.disable_cleanup(std::env::var_os("KEEP").is_some());
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
    thread::sleep(Duration::from_secs(2));
    let ports = dir.join("ports");
    let begin = Instant::now();
    let mut tables: Vec<Table> = (0..boards).map(|index| Table::new(index, &ports)).collect();
    let plugged = begin.elapsed();
    let up = all_up(&dir.join("state/journal"), boards, begin);
    let (spent, idle) = used(pid);
    let files = fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count();
    thread::sleep(Duration::from_secs(5));

    let (stop, visits) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let client = clients(dir, &stop, &visits);
    let begin = Instant::now();
    let length = Duration::from_secs(seconds);
    let mut memory = Vec::new();
    let (before, _) = used(pid);
    while begin.elapsed() < length {
        for table in &mut tables {
            table.step(begin.elapsed());
        }
        if begin.elapsed() * 10 > length * (u32::try_from(memory.len()).unwrap() + 1) {
            memory.push(used(pid).1);
        }
        thread::sleep(Duration::from_millis(10));
    }
    let (after, last) = used(pid);
    memory.push(last);
    stop.store(true, Ordering::Relaxed);
    let unserved = client.join().unwrap();
    for table in &mut tables {
        table.rest();
    }
    thread::sleep(Duration::from_secs(20));
    finish(daemon);
    let faults = report(&mut tables, &dir.join("state/journal"));
    if std::env::var_os("KEEP").is_some() {
        println!("journals: {}", dir.display());
    }
    println!("| visits of clients | {} |", visits.load(Ordering::Relaxed));
    println!("| processor | {:.1} % of a core |", (after - before) / seconds as f64 * 100.0);
    println!("| boards plugged in within | {:.1} s |", plugged.as_secs_f64());
    println!("| all boards greeted, games begun | {:.1} s |", up.as_secs_f64());
    println!("| processor until then | {spent:.1} s |");
    println!("| memory then, MiB | {:.1} |", idle as f64 / 1024.0);
    println!("| open files then | {files} |");
    println!("| memory at each tenth of the time, MiB | {} |", tenths(&memory));
    println!(
        "| memory at the start, in the middle, at the end, MiB | {} |",
        tenths(&[memory[0], memory[memory.len() / 2], last])
    );
    for told in unserved.iter().take(20) {
        println!("a client got no answer {told}");
    }
    assert!(faults == 0 && unserved.is_empty(), "{faults} faults, {} unserved", unserved.len());
    // The first games make the tables of all boards as large as they become.
    if seconds >= 300 {
        let (early, late) = (memory[2..5].iter().sum::<u64>(), memory[7..10].iter().sum::<u64>());
        assert!(late * 100 <= early * 115, "memory grew from {early} to {late} KiB in all");
    }
}

/// Waits until the journals say that a game has begun on each board; how long that took.
fn all_up(journals: &Path, boards: u64, begin: Instant) -> Duration {
    loop {
        let up = (1..=boards).filter(|serial| {
            let journal = journals.join(format!("{serial:05}.jsonl"));
            fs::read_to_string(journal).is_ok_and(|text| text.contains("game_started"))
        });
        let up = up.count() as u64;
        if up == boards {
            return begin.elapsed();
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "{up} of {boards} boards came up");
        thread::sleep(Duration::from_millis(100));
    }
}

fn tenths(memory: &[u64]) -> String {
    let each: Vec<_> = memory.iter().map(|kib| format!("{:.1}", *kib as f64 / 1024.0)).collect();
    each.join(" ")
}

/// Ends the daemon as a service manager does, so that its journal is whole.
fn finish(mut daemon: Killed) {
    let id = daemon.0.id().to_string();
    assert!(Command::new("kill").args(["-s", "TERM", &id]).status().unwrap().success());
    let _ = daemon.0.wait();
}

/// Prints what was played and what was told of it; how much of it should not be.
fn report(tables: &mut [Table], journals: &Path) -> usize {
    let mut sum = journal::Sum::default();
    for table in tables {
        let path: PathBuf = journals.join(format!("{}.jsonl", table.serial));
        sum.add(&journal::read(&path), &table.games, &table.serial);
    }
    let (pulls, rubbish) =
        (table::PULLS.load(Ordering::Relaxed), table::RUBBISH.load(Ordering::Relaxed));
    println!("| a bad day | |");
    println!("|---|---|");
    println!("| cables pulled | {pulls} |");
    println!("| bursts of rubbish | {rubbish} |");
    println!("| games played | {} |", sum.games);
    println!("| half-moves played | {} |", sum.plies);
    println!("| of them while a cable was out | {} |", sum.hidden);
    println!("| games told move for move | {} |", sum.right);
    println!("| not so, a move was made while the cable was out | {} |", sum.wrong_hidden);
    println!("| of them the doubt was named | {} |", sum.named);
    println!("| not so, without such a move | {} |", sum.wrong);
    println!("| ends on the board | {} |", sum.ends);
    println!("| ends told | {} |", sum.ends_told);
    println!("| ends not told, no cable pulled in the game | {} |", sum.ends_missed);
    println!("| false ends | {} |", sum.false_ends);
    for line in sum.complaints.iter().take(20) {
        println!("{line}");
    }
    sum.wrong + (sum.wrong_hidden - sum.named) + sum.ends_missed + sum.false_ends
}
