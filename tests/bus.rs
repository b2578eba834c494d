//! Several boards on one line in bus mode, as if each had a line of its own.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "in a test a wrong step is a failure"
)]

mod emulator;

use std::{
    collections::BTreeMap,
    fs,
    process::{Child, Command, Stdio},
    sync::PoisonError,
    thread,
    time::Duration,
};

use dgtd::{
    arbiter::{Arbiter, EventKind, Input, Options, Output},
    link::bus::{BusLine, BusOutput},
    units::Stamp,
    wire::{Orientation, bus::Address},
};
use emulator::{Board, Clock, STARTING, bus};

/// A line with its boards, and an arbiter for each that appears.
struct Hall {
    boards: bus::BusLine,
    line: BusLine,
    arbiters: BTreeMap<Address, Arbiter>,
    told: BTreeMap<u16, Vec<EventKind>>,
    vanished: Vec<u16>,
    now: Stamp,
    /// Answers on their way, and when the last byte of them comes at 9600 baud.
    on_the_way: Option<(Stamp, Vec<u8>)>,
    /// Time in which the line carried something.
    busy: Duration,
}

fn board(serial: u16) -> (u16, Board) {
    let clock = Clock { left: 5400, right: 5400, right_turn: false, running: true, increment: 0 };
    let text: [u8; 5] = format!("{serial:05}").into_bytes().try_into().unwrap();
    (serial, Board::classic(text, Orientation::Normal).with_clock(clock))
}

impl Hall {
    fn new(serials: &[u16]) -> Hall {
        Hall {
            boards: bus::BusLine::new(serials.iter().map(|serial| board(*serial))),
            line: BusLine::open(Stamp::ZERO),
            arbiters: BTreeMap::new(),
            told: BTreeMap::new(),
            vanished: Vec::new(),
            now: Stamp::ZERO,
            on_the_way: None,
            busy: Duration::ZERO,
        }
    }

    fn wait(&mut self, millis: u64) {
        let until = self.now + Duration::from_millis(millis);
        for _ in 0..200_000 {
            let line = self.on_the_way.as_ref().map_or_else(|| self.line.deadline(), |(at, _)| *at);
            let boards = self.arbiters.values().filter_map(Arbiter::deadline);
            let due = boards.chain([line]).min().unwrap().max(self.now);
            if due > until {
                self.now = until;
                return;
            }
            self.now = due;
            let mut out = Vec::new();
            if self.on_the_way.as_ref().is_some_and(|(at, _)| *at <= self.now) {
                let (_, bytes) = self.on_the_way.take().unwrap();
                self.line.bytes(&bytes, self.now, &mut out);
            }
            self.line.timeout(self.now, &mut out);
            self.carry_out(out);
            let late: Vec<Address> = self.arbiters.keys().copied().collect();
            for address in late {
                let arbiter = self.arbiters.get_mut(&address).unwrap();
                if arbiter.deadline().is_some_and(|due| due <= self.now) {
                    let mut outputs = Vec::new();
                    arbiter.advance(Input::Timeout, self.now, &mut outputs);
                    self.tell(address, outputs);
                }
            }
        }
        panic!("time does not pass");
    }

    fn carry_out(&mut self, out: Vec<BusOutput>) {
        for output in out {
            match output {
                BusOutput::Send(request) => {
                    let answer = self.boards.receive(&request);
                    let bytes = u32::try_from(answer.len() + request.len()).unwrap();
                    let time = Duration::from_micros(1042) * bytes;
                    self.busy += time;
                    if !answer.is_empty() {
                        self.on_the_way = Some((self.now + time, answer));
                    }
                }
                BusOutput::Appeared(address) => {
                    let new = || {
                        let name = format!("b{address}");
                        Arbiter::new(name.parse().unwrap(), Options::default())
                    };
                    let arbiter = self.arbiters.entry(address).or_insert_with(new);
                    let mut outputs = Vec::new();
                    arbiter.advance(Input::Attached { port: "bus" }, self.now, &mut outputs);
                    self.tell(address, outputs);
                }
                BusOutput::Vanished(address) => {
                    self.vanished.push(address.number());
                    let arbiter = self.arbiters.get_mut(&address).unwrap();
                    arbiter.advance(Input::Detached, self.now, &mut Vec::new());
                }
                BusOutput::Bytes(address, bytes) => {
                    let arbiter = self.arbiters.get_mut(&address).unwrap();
                    let mut outputs = Vec::new();
                    arbiter.advance(Input::Bytes(&bytes), self.now, &mut outputs);
                    self.tell(address, outputs);
                }
            }
        }
    }

    fn tell(&mut self, address: Address, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Send(command) => {
                    let mut out = Vec::new();
                    self.line.command(address, command.bytes(), self.now, &mut out);
                    self.carry_out(out);
                }
                Output::Event(event) => {
                    self.told.entry(address.number()).or_default().push(event.kind);
                }
                Output::StatusChanged | Output::Ask(_) => {}
            }
        }
    }

    fn play(&mut self, which: usize, from: &str, to: &str) {
        self.boards.carry(which, from, to);
        self.wait(300);
        self.boards.press(which);
        self.wait(300);
    }

    fn moves(&self, serial: u16) -> Vec<String> {
        let told = self.told.get(&serial).map_or(&[][..], Vec::as_slice);
        told.iter()
            .filter_map(|kind| match kind {
                EventKind::Move { uci, .. } => Some(uci.clone()),
                _ => None,
            })
            .collect()
    }

    fn over(&self, serial: u16) -> bool {
        self.told[&serial].iter().any(|kind| matches!(kind, EventKind::GameOver { .. }))
    }
}

const MATE: [(&str, &str); 4] = [("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")];

#[test]
fn each_board_of_a_line_plays_its_own_game() {
    let mut hall = Hall::new(&[1025, 7, 2050]);
    hall.wait(12_000);
    assert_eq!(hall.arbiters.len(), 3, "all are found, however their answers collide");
    for (from, to) in MATE {
        hall.play(0, from, to);
        hall.play(2, from, to);
    }
    hall.play(1, "e2", "e4");
    hall.wait(3000);
    for serial in [1025, 2050] {
        assert_eq!(hall.moves(serial), ["f2f3", "e7e5", "g2g4", "d8h4"]);
        assert!(hall.over(serial));
    }
    assert_eq!(hall.moves(7), ["e2e4"]);
    assert!(!hall.over(7) && hall.vanished.is_empty());
}

#[test]
fn a_damaged_line_costs_no_move() {
    for every in [3, 4, 7, 10] {
        let mut hall = Hall::new(&[1025, 2050]);
        hall.boards.damage_every = every;
        hall.wait(20_000);
        for (from, to) in MATE {
            hall.play(0, from, to);
            hall.wait(1000);
        }
        hall.wait(5000);
        assert_eq!(hall.moves(1025), ["f2f3", "e7e5", "g2g4", "d8h4"], "one in {every}");
        assert!(hall.over(1025), "one in {every}");
    }
}

#[test]
fn a_dead_board_does_not_slow_the_others() {
    let mut hall = Hall::new(&[1, 2, 3, 4]);
    hall.wait(15_000);
    hall.boards.seats[3].dead = true;
    hall.wait(5_000);
    assert_eq!(hall.vanished, [4]);
    hall.wait(60_000);
    hall.boards.asked.clear();
    hall.wait(60_000);
    let asked = |address: u16| hall.boards.asked[&address];
    assert!(asked(4) <= 30, "a dead board was asked {} times in a minute", asked(4));
    assert!(asked(1) > 200, "a living one {} times", asked(1));
    // It comes back with what happened on it meanwhile.
    hall.boards.seats[3].dead = false;
    hall.boards.carry(3, "e2", "e4");
    hall.wait(15_000);
    hall.boards.press(3);
    hall.play(3, "e7", "e5");
    hall.wait(3000);
    assert_eq!(hall.moves(4).last().map(String::as_str), Some("e7e5"));
}

#[test]
fn a_full_line_keeps_up() {
    let serials: Vec<u16> = (1..=20).collect();
    let mut hall = Hall::new(&serials);
    hall.wait(60_000);
    assert_eq!(hall.arbiters.len(), 20);
    hall.busy = Duration::ZERO;
    let start = hall.now;
    for (from, to) in MATE {
        for which in 0..20 {
            hall.boards.carry(which, from, to);
        }
        hall.wait(2500);
        for which in 0..20 {
            hall.boards.press(which);
        }
        hall.wait(2500);
    }
    hall.wait(5000);
    let share = hall.busy.as_millis() * 100 / hall.now.since(start).as_millis();
    println!("20 boards: the line is busy {share} % of the time");
    for serial in serials {
        assert_eq!(hall.moves(serial), ["f2f3", "e7e5", "g2g4", "d8h4"], "board {serial}");
        assert!(hall.over(serial));
    }
}

/// A program that ends with the test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command) -> Killed {
    let _starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    let command = command.stdin(Stdio::null());
    Killed(command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}")))
}

#[test]
fn the_daemon_serves_the_boards_of_a_bus_line() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().display();
    let policy = format!(
        "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" \
         \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\
         <busconfig><type>custom</type><listen>unix:path={at}/bus</listen><auth>EXTERNAL</auth>\
         <policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>\
         <allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>"
    );
    fs::write(dir.path().join("bus.conf"), policy).unwrap();
    let _bus = start(
        Command::new("dbus-daemon").args(["--nofork", &format!("--config-file={at}/bus.conf")]),
    );
    let plugged = bus::PluggedBus::new(bus::BusLine::new([board(1025), board(7)]));
    let line = plugged.path.display();
    let config = format!(
        "[bus]\nwhich = \"unix:path={at}/bus\"\n[ports]\nauto = false\nlist = [\"bus:{line}\"]\n\
         [state]\ndirectory = \"{at}/state\"\n"
    );
    fs::write(dir.path().join("dgtd.toml"), config).unwrap();
    while !dir.path().join("bus").exists() {
        thread::sleep(Duration::from_millis(20));
    }
    let log = fs::File::create(dir.path().join("log")).unwrap();
    let said = || fs::read_to_string(dir.path().join("log")).unwrap();
    let _daemon = start(
        Command::new(env!("CARGO_BIN_EXE_dgtd"))
            .args(["--config", &format!("{at}/dgtd.toml")])
            .stdout(log.try_clone().unwrap())
            .stderr(log),
    );
    let get = |board: &str, interface: &str, name: &str| {
        let output = Command::new("busctl")
            .arg(format!("--address=unix:path={at}/bus"))
            .args(["get-property", "org.dgtd", &format!("/org/dgtd/boards/sn_{board}")])
            .args([&format!("org.dgtd.{interface}"), name])
            .output()
            .unwrap();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim().to_owned()
    };
    let wait = |board: &str, interface: &str, name: &str, value: &str| {
        for _ in 0..600 {
            if get(board, interface, name) == value {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("{board} {name}: {} instead of {value}\n{}", get(board, interface, name), said());
    };
    for serial in ["01025", "00007"] {
        wait(serial, "Game1", "State", "s \"waiting\"");
    }
    wait("01025", "Board1", "Port", &format!("s \"{line}#1025\""));
    for (from, to) in MATE {
        plugged.line.lock().unwrap().carry(0, from, to);
        thread::sleep(Duration::from_millis(400));
        plugged.line.lock().unwrap().press(0);
        thread::sleep(Duration::from_millis(400));
    }
    wait("01025", "Game1", "Ending", "s \"checkmate\"");
    wait("00007", "Game1", "Ply", "u 0");
    // A board that is switched off is lost, its neighbour is not.
    plugged.line.lock().unwrap().seats[0].dead = true;
    wait("01025", "Board1", "State", "s \"absent\"");
    wait("00007", "Board1", "State", "s \"ready\"");
    plugged.line.lock().unwrap().seats[0].dead = false;
    wait("01025", "Board1", "State", "s \"ready\"");
}
