//! The conversation with a board, in simulated time against an emulated board.

#![allow(clippy::unwrap_used, clippy::panic, reason = "in a test a wrong step is a failure")]

mod emulator;

use std::{path::Path, time::Duration};

use dgtd::{
    capture::{Format, Recording, What},
    link::{BoardEvent, Doubt, Link, LinkOptions, Output, Snapshot},
    units::{Millis, Stamp},
    wire::{
        ClockSide, Command, Contact, Field, Framer, Item, LogEntry, Message, Orientation, event_log,
    },
};
use emulator::{Board, Clock, Mode};
use proptest::prelude::*;

/// A link and a board joined by a line, in simulated time.
struct Line {
    link: Link,
    board: Board,
    now: Stamp,
    /// Bytes that arrive later.
    flying: Vec<(Stamp, Vec<u8>)>,
    /// Answers take this long.
    delay: Duration,
    events: Vec<(Stamp, BoardEvent)>,
    sent: Vec<(Stamp, Command)>,
}

impl Line {
    fn new(board: Board) -> Line {
        let mut link = Link::new(LinkOptions::default());
        link.attach(Stamp::ZERO);
        Line {
            link,
            board,
            now: Stamp::ZERO,
            flying: Vec::new(),
            delay: Duration::from_millis(80),
            events: Vec::new(),
            sent: Vec::new(),
        }
    }

    /// A greeted board, four seconds on, its events so far put aside.
    fn ready(board: Board) -> Line {
        let mut line = Line::new(board);
        line.run(4_000);
        assert!(line.link.ready());
        line.events.clear();
        line.sent.clear();
        line
    }

    /// Lets time pass, in milliseconds.
    fn run(&mut self, millis: u64) {
        let end = self.now + Duration::from_millis(millis);
        loop {
            let arrival = self.flying.iter().map(|(at, _)| *at).min();
            let deadline = self.link.deadline().filter(|deadline| *deadline <= end);
            let mut out = Vec::new();
            match (arrival.filter(|at| *at <= end), deadline) {
                (Some(at), deadline) if deadline.is_none_or(|deadline| at <= deadline) => {
                    let index = self.flying.iter().position(|(other, _)| *other == at).unwrap();
                    let (_, bytes) = self.flying.remove(index);
                    self.now = self.now.max(at);
                    self.link.bytes(&bytes, self.now, &mut out);
                }
                (_, Some(deadline)) => {
                    self.now = self.now.max(deadline);
                    self.link.timeout(self.now, &mut out);
                }
                _ => break,
            }
            self.obey(out);
        }
        self.now = end;
    }

    fn obey(&mut self, out: Vec<Output>) {
        for output in out {
            match output {
                Output::Send(command) => {
                    self.sent.push((self.now, command));
                    let answer = self.board.receive(command.bytes());
                    if !answer.is_empty() {
                        self.flying.push((self.now + self.delay, answer));
                    }
                }
                Output::Event(event) => self.events.push((self.now, event)),
            }
        }
    }

    /// The board sends this now.
    fn arrive(&mut self, bytes: &[u8]) {
        let mut out = Vec::new();
        self.link.bytes(bytes, self.now, &mut out);
        self.obey(out);
    }

    fn act(&mut self, action: impl FnOnce(&mut Board) -> Vec<u8>) {
        let bytes = action(&mut self.board);
        self.arrive(&bytes);
    }

    /// The names of the events so far, in order.
    fn story(&self) -> Vec<&'static str> {
        self.events.iter().map(|(_, event)| name_of(event)).collect()
    }

    fn commands(&self) -> Vec<Command> {
        self.sent.iter().map(|(_, command)| *command).collect()
    }

    /// The squares as told so far.
    fn squares(&self) -> Snapshot {
        let mut squares = [Contact::Empty; 64];
        for (_, event) in &self.events {
            match event {
                BoardEvent::Dump(dump) => squares = **dump,
                BoardEvent::Changed { field, contact } => squares[field.index()] = *contact,
                _ => {}
            }
        }
        squares
    }
}

fn name_of(event: &BoardEvent) -> &'static str {
    match event {
        BoardEvent::Identified(_) => "identified",
        BoardEvent::Dump(_) => "dump",
        BoardEvent::Changed { .. } => "changed",
        BoardEvent::Clock(_) => "clock",
        BoardEvent::ClockAbsent => "no clock",
        BoardEvent::Log(_) => "log",
        BoardEvent::Doubt(Doubt::Garbled) => "garbled",
        BoardEvent::Doubt(Doubt::LateReply) => "late",
        BoardEvent::Doubt(Doubt::Disagreement) => "disagreement",
        BoardEvent::Doubt(Doubt::Unconfirmed) => "unconfirmed",
        BoardEvent::Silent => "silent",
        BoardEvent::Restored => "restored",
    }
}

fn classic() -> Board {
    Board::classic(*b"01025", Orientation::Normal)
}

fn mute() -> Board {
    let mut board = classic();
    board.mute = true;
    board
}

fn bluetooth() -> Board {
    Board::bluetooth(*b"3000012345", Orientation::Normal)
}

/// What the board's squares read.
fn truth(board: &Board) -> Snapshot {
    let mut squares = [Contact::Empty; 64];
    for field in Field::ALL {
        let square = field.square(Orientation::Normal).to_string();
        squares[field.index()] = board.at(&square);
    }
    squares
}

#[test]
fn a_classic_board_is_greeted_in_the_documented_order() {
    use Command::{
        LongSerialNumber, Reset, SendBoard, SendClock, SerialNumber, Trademark, UpdateNice, Version,
    };
    let mut line = Line::new(classic());
    line.run(6_000);
    assert_eq!(
        line.commands()[..10],
        [
            Reset,
            Version,
            LongSerialNumber,
            SerialNumber,
            SendBoard,
            UpdateNice,
            SendBoard,
            SendClock,
            Trademark,
            Version
        ]
    );
    assert_eq!(line.story()[..5], ["identified", "dump", "dump", "no clock", "identified"]);
    let BoardEvent::Identified(identity) = &line.events[0].1 else { panic!() };
    assert_eq!(identity.serial.as_deref(), Some("01025"));
    assert_eq!(identity.version.as_deref(), Some("1.8"));
    assert!(line.link.identity().trademark.as_deref().unwrap().starts_with("Digital"));
    assert_eq!(line.squares(), truth(&line.board));
    assert_eq!(line.board.mode, Mode::UpdateNice);
    assert!(line.board.forbidden.is_empty());
    assert_eq!(line.sent[0].0, Stamp::from_millis(500));
}

#[test]
fn a_bluetooth_board_is_named_by_its_long_serial_and_asked_for_its_battery() {
    let mut line = Line::new(bluetooth());
    line.run(4_000);
    assert!(!line.commands().contains(&Command::SerialNumber));
    assert!(line.commands().contains(&Command::Battery));
    let identity = line.link.identity();
    assert_eq!(identity.serial.as_deref(), Some("3000012345"));
    assert_eq!((identity.version.as_deref(), identity.battery_percent), (Some("3.1"), Some(80)));
}

#[test]
fn writes_keep_their_distance_and_one_request_waits_at_a_time() {
    for board in [classic(), bluetooth(), mute()] {
        let mut line = Line::new(board);
        line.run(60_000);
        let mut fill = 0;
        for pair in line.sent.windows(2) {
            let gap = pair[1].0.since(pair[0].0);
            if (pair[0].1, pair[1].1) == (Command::Reset, Command::Reset) {
                fill += 1;
                assert!(gap >= Duration::from_millis(20));
            } else {
                assert!(gap >= Duration::from_millis(100), "{pair:?}");
            }
        }
        assert_eq!(fill > 0, line.board.mute);
    }
}

#[test]
fn changes_are_told_at_once_and_once() {
    let mut line = Line::ready(classic());
    line.act(|board| board.carry("e2", "e4"));
    assert_eq!(line.story(), ["changed", "changed"]);
    line.arrive(&[0x8e, 0x00, 0x05, 0x34, 0x00]);
    assert_eq!(line.story(), ["changed", "changed"]);
    // A second later the change is checked with a dump, and nothing is found amiss.
    line.run(1_200);
    assert_eq!(line.story(), ["changed", "changed", "dump"]);
    assert_eq!(line.squares(), truth(&line.board));
}

#[test]
fn a_lost_update_heals_and_is_told() {
    let mut line = Line::ready(classic());
    line.act(|board| board.carry("e2", "e4"));
    // The update of d7 is lost, that of d5 arrives.
    line.board.put("d7", '.');
    line.act(|board| board.put("d5", 'p'));
    line.run(3_000);
    assert_eq!(line.squares(), truth(&line.board));
    let story = line.story();
    assert!(story.contains(&"disagreement"), "{story:?}");
    // It is told once, and further dumps agree.
    line.run(10_000);
    assert_eq!(line.story().iter().filter(|name| **name == "disagreement").count(), 1);
}

#[test]
fn a_board_that_forgot_its_mode_is_noticed() {
    let mut line = Line::ready(classic());
    line.board.power_cycle();
    line.board.carry("g1", "f3");
    line.run(7_000);
    assert_eq!(line.board.mode, Mode::UpdateNice);
    assert_eq!(line.squares(), truth(&line.board));
    line.act(|board| board.carry("g8", "f6"));
    assert_eq!(line.squares(), truth(&line.board));
    // Before anything moves, too, so that the next move is told at once.
    line.board.power_cycle();
    line.run(6_000);
    assert_eq!(line.board.mode, Mode::UpdateNice);
}

#[test]
fn a_dump_overtaken_by_changes_does_not_undo_them() {
    let mut line = Line::ready(classic());
    line.delay = Duration::from_millis(300);
    let mut out = Vec::new();
    line.link.request_dump(line.now, &mut out);
    line.obey(out);
    assert_eq!(line.commands(), [Command::SendBoard]);
    // The dump is on its way with the pawn on e2 while the pawn moves.
    line.run(100);
    line.act(|board| board.carry("e2", "e4"));
    line.run(250);
    assert_eq!(line.story(), ["changed", "changed", "dump"]);
    assert_eq!(line.squares(), truth(&line.board));
    // Another one is asked for to make sure, sooner than the usual check after a change.
    line.run(600);
    assert_eq!(line.commands(), [Command::SendBoard; 2]);
    line.run(2_000);
    assert_eq!(line.squares(), truth(&line.board));
    assert!(!line.story().contains(&"disagreement"));
}

#[test]
fn a_dump_ahead_of_its_updates_is_no_disagreement() {
    let mut line = Line::ready(classic());
    let mut out = Vec::new();
    let updates = line.board.carry("e2", "e4");
    line.link.request_dump(line.now, &mut out);
    line.obey(out);
    line.run(100);
    line.arrive(&updates);
    line.run(3_000);
    // That the board itself has told of it, the updates say.
    let story: Vec<_> = line.story().into_iter().filter(|name| *name != "dump").collect();
    assert_eq!(story, ["changed", "changed"]);
    assert_eq!(line.squares(), truth(&line.board));
}

#[test]
fn damage_is_told_and_a_dump_asked_for() {
    let mut line = Line::ready(classic());
    line.board.carry("e2", "e4");
    line.arrive(&[0x8e, 0x00, 0x05, 0x8e, 0x00, 0x05, 0x24, 0x01]);
    assert_eq!(line.story(), ["garbled", "changed"]);
    line.run(1_000);
    assert_eq!(line.squares(), truth(&line.board));
    // Endless noise: told once a second, dumps at most twice a second.
    line.events.clear();
    line.sent.clear();
    for _ in 0..100 {
        line.arrive(&[0x11]);
        line.run(100);
    }
    let told = line.story().iter().filter(|name| **name == "garbled").count();
    let asked = line.commands().iter().filter(|command| **command == Command::SendBoard).count();
    assert!((10..=21).contains(&told), "{told}");
    assert!((10..=21).contains(&asked), "{asked}");
}

#[test]
fn a_board_that_falls_silent_is_told_once_and_taken_back() {
    let mut line = Line::ready(classic());
    line.board.mute = true;
    line.run(60_000);
    assert_eq!(line.story(), ["silent"]);
    let silent_at = line.events[0].0;
    assert!(silent_at >= Stamp::from_millis(5_000) && silent_at <= Stamp::from_millis(12_000));
    // The cure for a half-received command, then the question.
    let commands = line.commands();
    let reset = commands.iter().position(|command| *command == Command::Reset).unwrap();
    assert!(commands[reset..reset + 80].iter().all(|command| *command == Command::Reset));
    assert_eq!(commands[reset + 80], Command::Version);
    line.events.clear();
    line.board.mute = false;
    line.board.carry("e2", "e4");
    line.run(25_000);
    assert_eq!(line.story()[..2], ["restored", "dump"]);
    assert!(!line.story().contains(&"disagreement"));
    assert_eq!(line.squares(), truth(&line.board));
    assert!(line.link.ready());
}

#[test]
fn a_board_in_the_middle_of_somebody_elses_command_is_woken() {
    // ModemManager's `+` opens a clock message whose size is the next byte.
    let mut board = classic();
    board.mode = Mode::Idle;
    board.receive(&[0x2b, 0x40]);
    let mut line = Line::new(board);
    line.run(20_000);
    assert!(line.link.ready());
    assert_eq!(line.story()[..2], ["silent", "restored"]);
}

#[test]
fn a_port_without_a_board_is_silent_once_and_quiet() {
    let mut line = Line::new(mute());
    line.run(600_000);
    assert_eq!(line.story(), ["silent"]);
    // Back-off: about 80 fill bytes and one question every 17 s.
    assert!(line.sent.len() < 4_000, "{}", line.sent.len());
}

#[test]
fn a_quiet_board_gets_heartbeats_and_stays_ready() {
    let mut line = Line::ready(classic());
    line.run(60_000);
    assert!(line.link.ready());
    assert!(line.story().iter().all(|name| *name == "dump"), "{:?}", line.story());
    assert!(line.commands().contains(&Command::Version));
    let longest = line.sent.windows(2).map(|pair| pair[1].0.since(pair[0].0)).max().unwrap();
    assert!(longest <= Duration::from_millis(2_200), "{longest:?}");
}

#[test]
fn clock_news_pass_and_a_missing_clock_is_told_once() {
    let clock = Clock { left: 180, right: 180, right_turn: false, running: false, increment: 2 };
    let mut line = Line::ready(classic().with_clock(clock));
    line.act(|board| board.run_clock(true));
    line.act(Board::tick);
    line.act(Board::press);
    assert_eq!(line.story(), ["clock"; 3]);
    line.act(|board| {
        board.clock = None;
        vec![0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0x20, 0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0x20]
    });
    assert_eq!(line.story()[3..], ["no clock"]);
    // Garbage and repeated answers are noise.
    line.arrive(&[0x8d, 0, 10, 0x0c, 0x08, 0x08, 0, 0, 0, 1]);
    line.arrive(&[0x8d, 0, 10, 0x0a, 0x10, 0x09, 0x0a, 0x20, 0, 0]);
    assert_eq!(line.story().len(), 4);
    assert_eq!(line.link.unreadable_clock_messages(), 1);
}

#[test]
fn late_and_repeated_answers_are_harmless() {
    let mut line = Line::new(classic());
    line.delay = Duration::from_millis(1_400);
    line.run(15_000);
    assert!(line.link.ready(), "{:?}", line.commands());
    line.delay = Duration::from_millis(50);
    line.run(5_000);
    line.events.clear();
    line.arrive(&[0x93, 0, 5, 1, 8, 0x91, 0, 8, 0x30, 0x31, 0x30, 0x32, 0x35, 0x93, 0, 5, 1, 8]);
    assert_eq!(line.story(), [""; 0]);
    line.run(3_000);
    assert_eq!(line.squares(), truth(&line.board));
}

#[test]
fn a_heartbeat_answered_late_is_followed_by_a_dump() {
    let mut line = Line::ready(classic());
    line.delay = Duration::from_millis(1_500);
    line.run(8_000);
    assert!(line.story().contains(&"late"), "{:?}", line.story());
}

#[test]
fn one_damaged_digit_does_not_rename_a_board() {
    let mut line = Line::ready(classic());
    line.arrive(&[0x91, 0, 8, 0x30, 0x31, 0x30, 0x32, 0x34]);
    line.run(1_000);
    assert!(!line.story().contains(&"identified"));
    assert_eq!(line.link.identity().serial.as_deref(), Some("01025"));
    // A board that says so twice is another board.
    line.board.serial = *b"00777";
    line.arrive(&[0x91, 0, 8, 0x30, 0x30, 0x37, 0x37, 0x37]);
    line.run(1_000);
    assert_eq!(line.link.identity().serial.as_deref(), Some("00777"));
}

#[test]
fn an_event_log_nobody_asked_for_is_swallowed() {
    let mut line = Line::ready(classic());
    let log = line.board.receive(&[0x49]);
    // Eight seconds of it, in the speed of the line.
    for chunk in log.chunks(96) {
        line.arrive(chunk);
        line.run(100);
    }
    line.run(2_000);
    assert!(!line.story().contains(&"silent"), "{:?}", line.story());
    assert_eq!(line.story().last(), Some(&"dump"));
}

#[test]
fn the_boards_own_log_tells_the_moves_again() {
    let clock = Clock { left: 181, right: 183, right_turn: false, running: true, increment: 2 };
    let mut board = classic().with_clock(clock);
    board.carry("e2", "e4");
    board.press();
    board.carry("e7", "e5");
    board.press();
    let mut log = None;
    Framer::default().push(&board.receive(&[0x49]), Stamp::ZERO, |item| match item {
        Item::Message(Message::EventLog(bytes)) => log = Some(event_log::decode(&bytes)),
        other => panic!("{other:?}"),
    });
    let log = log.unwrap();
    assert!(log.complete && log.skipped == 0);
    let change = |number, code| LogEntry::Changed {
        field: Field::new(number).unwrap(),
        contact: Contact::from_code(code),
        soon: false,
    };
    let halted = |side, seconds| LogEntry::Halted { side, time: Millis::from_seconds(seconds) };
    // All men are told after the power-up.
    assert_eq!(log.entries[0], LogEntry::PowerUp);
    assert!(log.entries[1..33].iter().all(|entry| matches!(entry, LogEntry::Changed { .. })));
    assert_eq!(
        log.entries[33..],
        [
            LogEntry::InitialArray(Orientation::Normal),
            change(0x34, 0),
            change(0x24, 1),
            halted(ClockSide::Left, 181),
            change(0x0c, 0),
            change(0x1c, 7),
            halted(ClockSide::Right, 183),
        ]
    );
}

#[test]
fn a_passive_link_says_nothing_and_tells_everything() {
    let mut board = classic();
    let mut link = Link::new(LinkOptions { passive: true, ..LinkOptions::default() });
    let mut out = Vec::new();
    link.attach(Stamp::ZERO);
    let mut bytes = board.receive(&[0x4d, 0x45, 0x42, 0x4b]);
    bytes.extend(board.carry("e2", "e4"));
    link.bytes(&bytes, Stamp::from_millis(1), &mut out);
    link.bytes(&[0x8e, 0], Stamp::from_millis(2), &mut out);
    assert_eq!(link.deadline(), Some(Stamp::from_millis(1_002)));
    link.timeout(Stamp::from_millis(100_000), &mut out);
    assert_eq!(link.deadline(), None);
    let story: Vec<_> = out
        .iter()
        .map(|output| match output {
            Output::Event(event) => name_of(event),
            Output::Send(command) => panic!("{command:?}"),
        })
        .collect();
    assert_eq!(story, ["identified", "dump", "changed", "changed", "garbled"]);
    // The host's bytes of a capture tell that a dump was overtaken.
    out.clear();
    link.overheard(&[0x4b, 0x42]);
    link.overheard(&[0x2b, 0x04, 0x03, 0x0b, 0x42, 0x00]);
    let stale = board.receive(&[0x42]);
    let updates = board.carry("d2", "d4");
    link.bytes(&updates, Stamp::from_millis(100_001), &mut out);
    link.bytes(&stale, Stamp::from_millis(100_002), &mut out);
    let Some(Output::Event(BoardEvent::Dump(dump))) = out.last() else { panic!("{out:?}") };
    assert_eq!(**dump, truth(&board));
}

#[test]
fn an_attached_link_forgets_the_board_before() {
    let mut line = Line::ready(classic());
    line.link.detach();
    assert_eq!(line.link.deadline(), None);
    assert!(!line.link.ready());
    line.board = bluetooth();
    line.board.carry("e2", "e4");
    line.link.attach(line.now);
    line.run(3_000);
    assert_eq!(line.link.identity().serial.as_deref(), Some("3000012345"));
    assert!(!line.story().contains(&"disagreement"));
}

#[test]
fn real_boards_are_told_without_a_doubt() {
    for (name, changes, times) in [("real-1.dgtlog", 131, 323), ("real-2.dgtlog", 226, 578)] {
        let path = format!("{}/../shared/captures/{name}", env!("CARGO_MANIFEST_DIR"));
        let Ok(recording) = Recording::open(Path::new(&path), Format::Text) else {
            println!("skipped: no {path}");
            continue;
        };
        let mut link = Link::new(LinkOptions { passive: true, ..LinkOptions::default() });
        let mut out = Vec::new();
        for record in recording {
            let record = record.unwrap();
            match record.what {
                What::Connected => link.attach(record.at),
                What::FromBoard(bytes) => link.bytes(&bytes, record.at, &mut out),
                other => panic!("{other:?}"),
            }
        }
        let count = |kind| {
            out.iter()
                .filter(|o| matches!(o, Output::Event(event) if name_of(event) == kind))
                .count()
        };
        assert_eq!(
            (count("dump"), count("changed"), count("clock")),
            (1, changes, times),
            "{name}"
        );
        assert_eq!(out.len(), 1 + changes + times, "{name}");
        assert_eq!(link.count().lost_bytes, 0);
    }
}

/// Something that happens to a link.
#[derive(Clone, Debug)]
enum Step {
    Bytes(Vec<u8>),
    Wait(u64),
    Deadline,
    Dump,
    Back,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40).prop_map(Step::Bytes),
        prop::sample::select(vec![
            vec![0x93, 0, 5, 1, 8],
            vec![0x91, 0, 8, 0x30, 0x31, 0x30, 0x32, 0x35],
            vec![0xa2, 0, 13, 0x33, 0x30, 0x30, 0x30, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35],
            [vec![0x86, 0, 67], vec![0; 64]].concat(),
            vec![0x8e, 0, 5, 1, 2],
            vec![0x8d, 0, 10, 0, 1, 1, 0, 1, 1, 9],
            vec![0x8f, 0x3e, 0x03, 1, 2, 3],
        ])
        .prop_map(Step::Bytes),
        prop_oneof![0_u64..300, 0_u64..20_000, 0_u64..4_000_000].prop_map(Step::Wait),
        Just(Step::Deadline),
        Just(Step::Deadline),
        Just(Step::Deadline),
        Just(Step::Dump),
        Just(Step::Back),
    ]
}

/// Something done to a board on a bad line.
#[derive(Clone, Debug)]
enum Hand {
    /// A man is put on a field, or nothing.
    Put(u8, u8),
    /// The change is lost on the line.
    PutUnheard(u8, u8),
    Wait(u64),
    /// Bytes nobody sent, or a message changed on its way.
    Noise(Vec<u8>),
    /// The power fails for a moment: the mode is forgotten.
    PowerCycle,
    /// The board does not answer for a while, in milliseconds.
    Mute(u64),
}

fn hand() -> impl Strategy<Value = Hand> {
    let put = || (0_u8..64, 0_u8..13);
    prop_oneof![
        6 => put().prop_map(|(field, code)| Hand::Put(field, code)),
        2 => put().prop_map(|(field, code)| Hand::PutUnheard(field, code)),
        4 => (0_u64..3_000).prop_map(Hand::Wait),
        1 => prop::collection::vec(any::<u8>(), 1..12).prop_map(Hand::Noise),
        1 => put().prop_map(|(field, code)| Hand::Noise(vec![0x8e, 0, 5, field, code])),
        1 => Just(Hand::PowerCycle),
        1 => (0_u64..15_000).prop_map(Hand::Mute),
    ]
}

proptest! {
    #[test]
    fn whatever_was_lost_the_squares_come_right(
        hands in prop::collection::vec(hand(), 0..40),
        delay in 1_u64..900,
    ) {
        let mut line = Line::new(classic());
        line.delay = Duration::from_millis(delay);
        for hand in hands {
            match hand {
                Hand::Put(field, code) => {
                    let square = Field::new(field).unwrap().square(Orientation::Normal).to_string();
                    line.act(|board| board.put_code(&square, code));
                }
                Hand::PutUnheard(field, code) => {
                    let square = Field::new(field).unwrap().square(Orientation::Normal).to_string();
                    line.board.put_code(&square, code);
                }
                Hand::Wait(millis) => line.run(millis),
                Hand::Noise(bytes) => line.arrive(&bytes),
                Hand::PowerCycle => line.board.power_cycle(),
                Hand::Mute(millis) => {
                    line.board.mute = true;
                    line.run(millis);
                    line.board.mute = false;
                }
            }
        }
        // The longest pause between attempts to wake a silent board, the filling, the greeting, and
        // one routine check.
        line.run(45_000);
        prop_assert!(line.link.ready());
        prop_assert_eq!(line.squares(), truth(&line.board));
        prop_assert_eq!(line.board.mode, Mode::UpdateNice);
        prop_assert!(line.board.forbidden.is_empty());
        let quiet = line.events.len();
        line.run(20_000);
        for (_, event) in &line.events[quiet..] {
            prop_assert_eq!(name_of(event), "dump");
        }
    }

    #[test]
    fn whatever_happens_the_link_stays_within_bounds(
        steps in prop::collection::vec(step(), 0..200),
        wireless in any::<bool>(),
    ) {
        let mut link = Link::new(LinkOptions { passive: false, wireless });
        link.attach(Stamp::ZERO);
        let mut now = Stamp::ZERO;
        for step in steps {
            let mut out = Vec::new();
            let back = matches!(step, Step::Back);
            match step {
                Step::Bytes(bytes) => {
                    link.bytes(&bytes, now, &mut out);
                    prop_assert!(out.len() <= 2 * bytes.len() + 8, "{out:?}");
                }
                Step::Wait(millis) => {
                    now = now + Duration::from_millis(millis);
                    link.timeout(now, &mut out);
                    prop_assert!(out.len() <= 8, "{out:?}");
                }
                Step::Deadline => {
                    now = now.max(link.deadline().unwrap());
                    link.timeout(now, &mut out);
                    prop_assert!(out.len() <= 8, "{out:?}");
                }
                Step::Dump => link.request_dump(now, &mut out),
                Step::Back => link.timeout(Stamp::from_nanos(now.as_nanos() / 2), &mut out),
            }
            let sends = out.iter().filter(|output| matches!(output, Output::Send(_))).count();
            prop_assert!(sends <= 2, "{out:?}");
            // There is always a next time, and it is never now: no caller can spin.
            if !back {
                prop_assert!(link.deadline().unwrap() > now);
            }
        }
    }
}
