//! Finds ports, opens them, and asks the board at the other end who it is.
//!
//! The base is trying again: opening can fail for a while (permissions, another program). A watch on
//! `/dev` makes plugging in instant. A port is given away with a lease and comes back when the board
//! is gone.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    time::Duration,
};

use futures_util::StreamExt as _;
use inotify::{Inotify, WatchMask};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    sync::{mpsc, watch},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use super::{
    board::{Lease, Line},
    busline,
    clock::BoardClock,
    discover,
    port::{ControlLines, Port},
    with_causes,
};
use crate::{
    link::{Link, LinkOptions, Output},
    units::Stamp,
};

/// How often ports are looked for when something is awaited or directories cannot be watched.
const TICK: Duration = Duration::from_secs(1);

/// After how many ticks they are looked for although nothing is awaited and the watch tells of what
/// comes.
const QUIET: u32 = 5;

/// How long a board may take to say who it is.
const IDENTIFY: Duration = Duration::from_secs(3);

/// How long one may take that has begun to answer: on a crowded machine answers come late, and a board
/// without its number would go on under another name.
const SLOWLY: Duration = Duration::from_secs(9);

/// The longest wait before a port is tried again, in ticks.
const LONGEST_WAIT: u32 = 5;

/// Which ports to look for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortPlan {
    /// Take every port that surely is a DGT board.
    pub auto: bool,
    /// Paths; `*` in the last part stands for anything.
    pub listed: Vec<PathBuf>,
    /// Those of them that are lines with several boards in bus mode.
    pub buses: BTreeSet<PathBuf>,
    /// Paths whose board is known without asking it.
    pub known: BTreeSet<PathBuf>,
}

/// What the scanner tells.
pub enum Found {
    /// An open port with a board.
    Port {
        /// The path it was found under.
        path: PathBuf,
        /// Its bytes.
        line: Box<dyn Line>,
        /// The board's serial number, if it told one.
        serial: Option<String>,
        /// Gives the port back when dropped.
        lease: Lease,
    },
    /// A listed port cannot be used, and why; said when the reason changes.
    Fault {
        /// The path.
        path: PathBuf,
        /// Why, and what to do.
        why: String,
    },
}

/// How a port stands.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Being opened, or in use.
    busy: bool,
    /// Looks to pass before it is tried again.
    ticks: u32,
    /// How many they will be after the next failure.
    wait: u32,
}

/// Looks for ports until `stop`.
pub struct Scanner {
    plan: watch::Receiver<PortPlan>,
    found: mpsc::Sender<Found>,
    free: mpsc::UnboundedSender<PathBuf>,
    freed: mpsc::UnboundedReceiver<PathBuf>,
    /// By the device's own path, whatever names lead to it.
    ports: BTreeMap<PathBuf, State>,
    /// What was last said of a listed port.
    said: BTreeMap<PathBuf, String>,
    /// Ports that had to be named at the last tick. A port is there a moment before udev has marked
    /// it: only one that still is unmarked a second later is spoken of.
    unmarked: BTreeSet<PathBuf>,
    attempts: JoinSet<Attempt>,
    stop: CancellationToken,
}

/// How an attempt to open a port went.
struct Attempt {
    path: PathBuf,
    device: PathBuf,
    result: Result<Opened, String>,
}

/// What was opened.
enum Opened {
    /// A line to one board, and its serial number if it told one.
    Board(Box<dyn Line>, Option<String>),
    /// A line with several boards.
    Bus(Port),
}

impl Scanner {
    /// A scanner that has not looked yet.
    pub fn new(
        plan: watch::Receiver<PortPlan>,
        found: mpsc::Sender<Found>,
        stop: CancellationToken,
    ) -> Scanner {
        let (free, freed) = mpsc::unbounded_channel();
        Scanner {
            plan,
            found,
            free,
            freed,
            ports: BTreeMap::new(),
            said: BTreeMap::new(),
            unmarked: BTreeSet::new(),
            attempts: JoinSet::new(),
            stop,
        }
    }

    /// Works until the daemon ends.
    pub async fn run(mut self) {
        let mut watching = self.watch_directories();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        // Ticks since ports were looked for.
        let mut quiet = QUIET;
        loop {
            let nudge = async {
                match &mut watching {
                    Some(events) => events.next().await.is_some(),
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = self.stop.cancelled() => return,
                _ = tick.tick() => {
                    self.count_down();
                    quiet += 1;
                    if quiet >= QUIET || watching.is_none() || self.awaits() {
                        quiet = 0;
                        let hints = self.look().await;
                        self.hint(hints);
                    }
                }
                alive = nudge => {
                    if !alive {
                        watching = None;
                    }
                    // Several events come at once; udev sets group and mode a moment later and
                    // makes another event.
                    tokio::time::sleep(Duration::from_millis(30)).await;
                    self.ports.retain(|_, state| state.busy);
                    self.look().await;
                    quiet = QUIET;
                }
                Some(device) = self.freed.recv() => {
                    self.ports.insert(device, State { busy: false, ticks: 1, wait: 1 });
                }
                Some(attempt) = self.attempts.join_next() => match attempt {
                    Ok(attempt) => self.tried(attempt).await,
                    Err(e) => warn!(error = %e, "opening a port failed"),
                },
                Ok(()) = self.plan.changed() => {
                    self.said.clear();
                    watching = self.watch_directories();
                    self.look().await;
                }
            }
        }
    }

    /// Watches `/dev` and the directories of listed ports for names that come.
    fn watch_directories(&self) -> Option<impl futures_util::Stream<Item = ()> + Unpin + use<>> {
        let mut directories = BTreeSet::from([PathBuf::from("/dev")]);
        let plan = self.plan.borrow();
        directories.extend(plan.listed.iter().filter_map(|p| p.parent().map(Path::to_owned)));
        let watch = || {
            let inotify = Inotify::init()?;
            for directory in &directories {
                let mask = WatchMask::CREATE | WatchMask::ATTRIB | WatchMask::MOVED_TO;
                if let Err(e) = inotify.watches().add(directory, mask) {
                    debug!(directory = %directory.display(), error = %e, "not watched; looked at every second");
                }
            }
            inotify.into_event_stream([0_u8; 4096])
        };
        match watch() {
            Ok(events) => Some(events.map(|_| ())),
            Err(e) => {
                info!(error = %e, "directories cannot be watched; ports are looked for every second");
                None
            }
        }
    }

    /// Whether something is to be tried again, or spoken of if it still is so at the next tick. A
    /// listed port that is not there may be a link whose end comes, which no watch shows.
    fn awaits(&self) -> bool {
        let mut ports = self.ports.values();
        !self.said.is_empty() || !self.unmarked.is_empty() || ports.any(|state| !state.busy)
    }

    fn count_down(&mut self) {
        for state in self.ports.values_mut() {
            state.ticks = state.ticks.saturating_sub(1);
        }
    }

    /// Speaks of ports that may be boards and have to be named.
    fn hint(&mut self, hints: Vec<(PathBuf, String)>) {
        let before = std::mem::take(&mut self.unmarked);
        for (path, why) in hints {
            if before.contains(&path) && self.said.insert(path.clone(), why.clone()).is_none() {
                info!(
                    "port {} may be a board, but {why}: if it is one, add it to `list` in [ports]",
                    path.display()
                );
            }
            self.unmarked.insert(path);
        }
    }

    /// Opens every port that is there, wanted and not in use. Answers with those that may be boards
    /// and have to be named, and why.
    async fn look(&mut self) -> Vec<(PathBuf, String)> {
        let plan = self.plan.borrow_and_update().clone();
        let plan_buses = plan.buses.clone();
        let candidates = tokio::task::spawn_blocking(move || candidates(&plan)).await;
        let Ok(candidates) = candidates else { return Vec::new() };
        for (path, why) in candidates.faults {
            self.say(path, why).await;
        }
        for (device, path) in candidates.there {
            let state = self.ports.entry(device.clone()).or_default();
            if state.busy || state.ticks > 0 {
                continue;
            }
            state.busy = true;
            debug!(port = %path.display(), "opening");
            if plan_buses.contains(&path) {
                self.attempts.spawn(open_bus(path, device));
                continue;
            }
            let ask = !self.plan.borrow().known.contains(&path);
            self.attempts.spawn(attempt(path, device, ask));
        }
        candidates.hints
    }

    async fn tried(&mut self, attempt: Attempt) {
        let Attempt { path, device, result } = attempt;
        match result {
            Ok(Opened::Bus(port)) => {
                self.said.remove(&path);
                let lease = Lease { port: device, free: self.free.clone() };
                let (found, stop) = (self.found.clone(), self.stop.clone());
                tokio::spawn(busline::run(port, path, found, lease, stop));
            }
            Ok(Opened::Board(line, serial)) => {
                self.said.remove(&path);
                let lease = Lease { port: device, free: self.free.clone() };
                let found = Found::Port { path, line, serial, lease };
                if self.found.send(found).await.is_err() {
                    debug!("the supervisor has ended");
                }
            }
            Err(why) => {
                let state = self.ports.entry(device).or_default();
                let wait = state.wait.max(1);
                *state = State { busy: false, ticks: wait, wait: (wait * 2).min(LONGEST_WAIT) };
                self.say(path, why).await;
            }
        }
    }

    /// Says what is wrong with a port, once until it changes.
    async fn say(&mut self, path: PathBuf, why: String) {
        if self.said.get(&path) == Some(&why) {
            return;
        }
        self.said.insert(path.clone(), why.clone());
        if self.found.send(Found::Fault { path, why }).await.is_err() {
            debug!("the supervisor has ended");
        }
    }
}

/// What a look at the machine's ports gave.
#[derive(Debug, Default)]
struct Candidates {
    /// The ports that are there and wanted, by device, with the name they were found under.
    there: BTreeMap<PathBuf, PathBuf>,
    /// Listed ports that are not there.
    faults: Vec<(PathBuf, String)>,
    /// Ports that may be boards, and why they are left alone.
    hints: Vec<(PathBuf, String)>,
}

fn candidates(plan: &PortPlan) -> Candidates {
    let Candidates { mut there, mut faults, mut hints } = Candidates::default();
    for path in &plan.listed {
        if path.to_string_lossy().contains('*') {
            for path in matching(path) {
                if let Ok(device) = path.canonicalize() {
                    there.entry(device).or_insert(path);
                }
            }
        } else if let Ok(device) = path.canonicalize() {
            there.entry(device).or_insert_with(|| path.clone());
        } else {
            let why = format!(
                "port {} is not there: plug the board in, or correct the path in the configuration \
                 (`ls /dev/serial/by-id /dev/ttyACM* /dev/ttyUSB*` shows what is there)",
                path.display()
            );
            faults.push((path.clone(), why));
        }
    }
    if plan.auto {
        match discover::devices() {
            Ok(devices) => {
                for device in devices {
                    let own = device.path.canonicalize().unwrap_or(device.path.clone());
                    match discover::classify(&device) {
                        discover::Verdict::Board => {
                            there.entry(own).or_insert(device.path);
                        }
                        // Every machine has those: no word about them.
                        discover::Verdict::NeedsNaming(discover::Reason::Anonymous)
                        | discover::Verdict::Other => {}
                        discover::Verdict::NeedsNaming(reason) => {
                            if !there.contains_key(&own) {
                                hints.push((device.path, reason.to_string()));
                            }
                        }
                    }
                }
            }
            Err(e) => faults.push((PathBuf::from("/sys/class/tty"), e.to_string())),
        }
    }
    Candidates { there, faults, hints }
}

/// The files of a directory whose names match a pattern with `*`, in order.
fn matching(pattern: &Path) -> Vec<PathBuf> {
    let (Some(directory), Some(name)) = (pattern.parent(), pattern.file_name()) else {
        return Vec::new();
    };
    let name = name.to_string_lossy();
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .filter(|entry| fits(&name, &entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    paths
}

/// Whether a name fits a pattern in which `*` stands for anything.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

async fn attempt(path: PathBuf, device: PathBuf, ask: bool) -> Attempt {
    let result = match Port::open(&path, ControlLines::default()).await {
        Ok(mut port) => {
            if ask {
                match identify(&mut port).await {
                    Ok(serial) => Ok(Opened::Board(Box::new(port), serial)),
                    Err(why) => Err(format!("port {}: {why}", path.display())),
                }
            } else {
                Ok(Opened::Board(Box::new(port), None))
            }
        }
        Err(e) => Err(with_causes(&e)),
    };
    Attempt { path, device, result }
}

/// Opens a line in bus mode. Some adapters need the control lines low, or they hold the bus.
async fn open_bus(path: PathBuf, device: PathBuf) -> Attempt {
    let opened = Port::open(&path, ControlLines { dtr: false, rts: false }).await;
    Attempt { path, device, result: opened.map(Opened::Bus).map_err(|e| with_causes(&e)) }
}

/// How long a board is waited for to say who it is: longer while it answers but has not told all.
fn patience(link: &Link) -> Duration {
    if link.last_heard().is_some() && !link.ready() { SLOWLY } else { IDENTIFY }
}

/// Greets the board until it has told its serial number. `None`: it did not tell one in time.
async fn identify(port: &mut Port) -> Result<Option<String>, String> {
    let clock = BoardClock::live();
    let mut link = Link::new(LinkOptions::default());
    let mut out = Vec::new();
    link.attach(clock.now());
    link.timeout(clock.now(), &mut out);
    let mut buffer = [0_u8; 512];
    loop {
        for output in out.drain(..) {
            if let Output::Send(command) = output {
                let write = port.write_all(command.bytes());
                match tokio::time::timeout(IDENTIFY, write).await {
                    Ok(written) => written.map_err(|e| e.to_string())?,
                    Err(_) => return Err("the board accepts no commands".into()),
                }
            }
        }
        if link.identity().serial.is_some() {
            return Ok(link.identity().serial.clone());
        }
        let give_up = Stamp::ZERO + patience(&link);
        if clock.now() >= give_up {
            return Ok(None);
        }
        let deadline = link.deadline().map_or(give_up, |d| d.min(give_up));
        tokio::select! {
            read = port.read(&mut buffer) => match read {
                Ok(0) => return Err("the board was unplugged".into()),
                Ok(count) => link.bytes(&buffer[..count], clock.now(), &mut out),
                Err(e) => return Err(e.to_string()),
            },
            () = clock.until(deadline) => link.timeout(clock.now(), &mut out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_patterns() {
        for (pattern, name, fit) in [
            ("tty*", "ttyUSB0", true),
            ("tty*", "pts", false),
            ("*DGT*if00", "usb-DGT_Board-if00", true),
            ("*DGT*if00", "usb-DGT_Board-if01", false),
            ("ttyS0", "ttyS0", true),
            ("ttyS0", "ttyS01", false),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, name), fit, "{pattern} {name}");
        }
    }

    #[test]
    fn a_board_that_has_begun_to_answer_is_waited_for_longer() {
        let mut link = Link::new(LinkOptions::default());
        let mut out = Vec::new();
        link.attach(Stamp::ZERO);
        link.timeout(Stamp::from_millis(600), &mut out);
        assert_eq!(patience(&link), IDENTIFY, "nothing was heard");
        let version = [0x93, 0x00, 0x05, 0x01, 0x08];
        link.bytes(&version, Stamp::from_millis(2_900), &mut out);
        assert_eq!(patience(&link), SLOWLY, "its number is still to come");
    }

    #[test]
    fn listed_ports_that_are_not_there_are_named() {
        let plan = PortPlan {
            auto: false,
            listed: vec!["/dev/no-such-port".into(), "/dev/no-such*".into()],
            buses: BTreeSet::new(),
            known: BTreeSet::new(),
        };
        let Candidates { there, faults, .. } = candidates(&plan);
        assert!(there.is_empty());
        assert_eq!(faults.len(), 1);
        assert!(faults[0].1.contains("/dev/no-such-port is not there: plug the board in"));
    }
}
