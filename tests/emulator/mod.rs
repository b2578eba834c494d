//! An electronic board for tests: it obeys commands as a real one does, and a test moves its men.
//!
//! [`Board`] is pure: bytes in, bytes out. [`Plugged`] puts one on the end of a pseudo-terminal, with
//! a thread that answers. A real board scans its squares every 200 ms and sends at 9600 baud; this
//! one answers at once and sends each change in the order in which the test makes them.
//!
//! Its own log is written by the rules of protocol 6.2: each change as it would be sent, one that
//! only corrects the entry before it in its place, the lever's turns with the time of the side that was
//! halted, the marks of an initial array and an empty board, and all men after a power-up. What the
//! protocol text does not say, such as when exactly a mark is written, is a guess.
#![allow(dead_code, unused_imports, reason = "each test uses its own part")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "in a test a wrong step is a failure, and numbers are small"
)]

pub mod bus;
mod plugged;

use std::collections::VecDeque;

use dgtd::wire::{Contact, Field, Orientation};
use shakmaty::{Piece, Square};

pub use plugged::{Plugged, STARTING};

/// Size of the board's own log.
const LOG: usize = 7936;

/// What the board sends unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As after power-up: any single-board command is obeyed and leads to [`Mode::Idle`].
    Bus,
    /// Nothing.
    Idle,
    /// Squares and, every second, the clock.
    Update,
    /// Squares.
    UpdateBoard,
    /// Squares, and the clock when it changes.
    UpdateNice,
}

/// A clock at the board. Times are seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub left: u32,
    pub right: u32,
    /// The lever is high on the right: it is the right side's turn.
    pub right_turn: bool,
    pub running: bool,
    /// Added to the side that presses.
    pub increment: u32,
}

/// The command a board is in the middle of.
#[derive(Clone, Debug, Default)]
struct Partial {
    bytes: Vec<u8>,
    missing: usize,
}

/// A board.
#[derive(Clone, Debug)]
pub struct Board {
    pub mode: Mode,
    pub serial: [u8; 5],
    /// Boards without one do not answer when asked for it.
    pub long_serial: Option<[u8; 10]>,
    pub version: (u8, u8),
    pub battery_percent: Option<u8>,
    pub clock: Option<Clock>,
    /// Which way round the men stand.
    pub orientation: Orientation,
    /// Answers nothing and reports nothing.
    pub mute: bool,
    /// Bytes no host may send to a board, as they came.
    pub forbidden: Vec<u8>,
    /// Every byte received.
    pub received: Vec<u8>,
    squares: [u8; 64],
    partial: Option<Partial>,
    log: VecDeque<u8>,
    /// The test's time in milliseconds, when it keeps one: changes that follow each other within 250
    /// are marked in the log.
    pub time: Option<u64>,
    changed_at: u64,
    /// The field of the last entry of the log, when that is a change.
    last_change: Option<u8>,
    /// Since the last mark: how many men have left the initial array at most.
    left: usize,
}

const START: &str = "rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR";

impl Board {
    /// A classic USB board of version 1.8 with the men in the initial array.
    pub fn classic(serial: [u8; 5], orientation: Orientation) -> Board {
        let mut board = Board {
            mode: Mode::Bus,
            serial,
            long_serial: None,
            version: (1, 8),
            battery_percent: None,
            clock: None,
            orientation,
            mute: false,
            forbidden: Vec::new(),
            received: Vec::new(),
            squares: [0; 64],
            partial: None,
            log: VecDeque::new(),
            time: None,
            changed_at: 0,
            last_change: None,
            left: 64,
        };
        board.set_up(START);
        board.power_up();
        board
    }

    /// A Bluetooth board of version 3.1 with the men in the initial array.
    pub fn bluetooth(long_serial: [u8; 10], orientation: Orientation) -> Board {
        Board {
            long_serial: Some(long_serial),
            version: (3, 1),
            battery_percent: Some(80),
            ..Board::classic(*b"12345", orientation)
        }
    }

    /// The same board with this clock.
    pub fn with_clock(self, clock: Clock) -> Board {
        Board { clock: Some(clock), ..self }
    }

    /// Sets all squares at once, as if no host were listening: 64 letters of FEN from a8 to h1, a dot
    /// for an empty square.
    pub fn set_up(&mut self, letters: &str) {
        for (number, letter) in (0_u8..64).zip(letters.chars()) {
            let square = Field::new(number).unwrap().square(Orientation::Normal);
            let man = Piece::from_char(letter).map_or(Contact::Empty, Contact::Man);
            self.squares[Field::from_square(square, self.orientation).index()] = man.code();
        }
    }

    /// What stands on a square.
    pub fn at(&self, square: &str) -> Contact {
        Contact::from_code(self.squares[self.field(square).index()])
    }

    fn field(&self, square: &str) -> Field {
        let square: Square = square.parse().unwrap_or_else(|_| panic!("no square {square}"));
        Field::from_square(square, self.orientation)
    }

    /// Puts a man on a square, or a dot's nothing. Returns what the board sends.
    pub fn put(&mut self, square: &str, letter: char) -> Vec<u8> {
        let man = Piece::from_char(letter).map_or(Contact::Empty, Contact::Man);
        self.put_code(square, man.code())
    }

    /// Puts any code on a square. Returns what the board sends.
    pub fn put_code(&mut self, square: &str, code: u8) -> Vec<u8> {
        let field = self.field(square);
        if std::mem::replace(&mut self.squares[field.index()], code) == code {
            return Vec::new();
        }
        self.log_change(field.number(), code);
        if self.mute || matches!(self.mode, Mode::Bus | Mode::Idle) {
            return Vec::new();
        }
        vec![0x8e, 0x00, 0x05, field.number(), code]
    }

    /// Lifts the man of one square and puts it on another, whatever stands there.
    pub fn carry(&mut self, from: &str, to: &str) -> Vec<u8> {
        let Contact::Man(man) = self.at(from) else { panic!("no man on {from}") };
        let mut sent = self.put(from, '.');
        sent.extend(self.put(to, man.char()));
        sent
    }

    /// The side whose turn it is presses the clock.
    pub fn press(&mut self) -> Vec<u8> {
        let Some(clock) = &mut self.clock else { return Vec::new() };
        let (side, time) =
            if clock.right_turn { (0x60, &mut clock.right) } else { (0x70, &mut clock.left) };
        let halted = *time;
        *time += clock.increment;
        clock.right_turn = !clock.right_turn;
        let [hours, minutes, seconds] = bcd(halted);
        self.remember(&[side | hours, minutes, seconds]);
        self.last_change = None;
        self.clock_news()
    }

    /// A second passes on the clock.
    pub fn tick(&mut self) -> Vec<u8> {
        let Some(clock) = &mut self.clock else { return Vec::new() };
        if clock.running {
            let time = if clock.right_turn { &mut clock.right } else { &mut clock.left };
            *time = time.saturating_sub(1);
            clock.running = *time > 0;
            return self.clock_news();
        }
        if self.mode == Mode::Update { self.clock_news() } else { Vec::new() }
    }

    /// The clock is started or stopped.
    pub fn run_clock(&mut self, running: bool) -> Vec<u8> {
        if let Some(clock) = &mut self.clock {
            clock.running = running;
        }
        self.clock_news()
    }

    /// The cable was pulled and put back: the mode is gone, and so is the log.
    pub fn power_cycle(&mut self) {
        self.mode = Mode::Bus;
        self.partial = None;
        self.power_up();
    }

    /// The link was lost and came back, the power stayed: only the mode is gone.
    pub fn line_cycle(&mut self) {
        self.mode = Mode::Bus;
        self.partial = None;
    }

    /// The log as it begins.
    fn power_up(&mut self) {
        self.log = [0x7f, 0x7f, 0x7f, 0x6a].into();
        // In no particular order.
        for number in (0_u8..64).map(|n| n * 3 % 64) {
            let code = self.squares[usize::from(number)];
            if code != 0 {
                self.log.extend([0x40 | code, number]);
            }
        }
        (self.last_change, self.left) = (None, 64);
        self.log_marks();
    }

    fn log_change(&mut self, number: u8, code: u8) {
        let soon = self.time.is_some_and(|time| time < self.changed_at + 250);
        self.changed_at = self.time.unwrap_or_default();
        if self.last_change == Some(number) {
            // Only this man keeps changing.
            let at = self.log.len() - 2;
            let kept = self.log[at] & 0x10;
            self.log[at] = 0x40 | kept | code & 0x0f;
        } else {
            self.remember(&[0x40 | if soon { 0x10 } else { 0 } | code & 0x0f, number]);
            self.last_change = Some(number);
        }
        self.log_marks();
    }

    /// Marks an initial array, unless not more than two men have left it.
    fn log_marks(&mut self) {
        for (orientation, mark) in [(Orientation::Normal, 0x6f), (Orientation::Rotated, 0x7a)] {
            if orientation != self.orientation {
                continue;
            }
            let array = (0_u8..64).zip(START.chars()).map(|(number, letter)| {
                let square = Field::new(number).unwrap().square(Orientation::Normal);
                let man = Piece::from_char(letter).map_or(Contact::Empty, Contact::Man);
                (Field::from_square(square, orientation).index(), man.code())
            });
            let away = array.filter(|(at, code)| *code != 0 && self.squares[*at] != *code).count();
            self.left = self.left.max(away);
            if away == 0 && self.left > 2 {
                self.remember(&[mark]);
                (self.last_change, self.left) = (None, 0);
            }
        }
        if self.squares == [0; 64] {
            self.remember(&[0x6d]);
            self.last_change = None;
        }
    }

    /// Damages a byte of the log, counted from its end.
    pub fn damage_log(&mut self, back: usize, byte: u8) {
        let at = self.log.len() - 1 - back;
        self.log[at] = byte;
    }

    /// Takes bytes from the host. Returns what the board answers.
    pub fn receive(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.received.extend_from_slice(bytes);
        let mut answer = Vec::new();
        for byte in bytes {
            if !self.mute {
                self.byte(*byte, &mut answer);
            }
        }
        answer
    }

    fn byte(&mut self, byte: u8, answer: &mut Vec<u8>) {
        if byte >= 0x80 {
            self.forbidden.push(byte);
            self.mode = Mode::Bus;
            self.partial = None;
            return;
        }
        if let Some(mut partial) = self.partial.take() {
            if partial.bytes.len() == 1 {
                partial.missing = usize::from(byte);
            } else {
                partial.missing -= 1;
            }
            partial.bytes.push(byte);
            if partial.missing > 0 {
                self.partial = Some(partial);
            } else {
                self.clock_command(&partial.bytes, answer);
            }
            return;
        }
        self.command(byte, answer);
    }

    fn command(&mut self, byte: u8, answer: &mut Vec<u8>) {
        let mode = self.mode;
        if mode == Mode::Bus && (0x40..=0x60).contains(&byte) {
            self.mode = Mode::Idle;
        }
        match byte {
            0x40 => self.mode = Mode::Idle,
            0x41 => answer.extend(self.clock_message()),
            0x42 => answer.extend(message(0x86, &self.squares)),
            0x43 => self.mode = Mode::Update,
            0x44 => self.mode = Mode::UpdateBoard,
            0x45 => answer.extend(message(0x91, &self.serial)),
            0x46 => {
                let number: u16 = str::from_utf8(&self.serial).unwrap().parse().unwrap_or(0);
                let number = number & 0x3fff;
                answer.extend(message(0x90, &[(number >> 7) as u8, (number & 0x7f) as u8]));
            }
            0x47 => {
                answer.extend(message(0x92, b"Digital Game Technology\r\nTest board\r\nVs 1.00"));
            }
            0x49 => answer.extend(self.event_log()),
            0x4a => self.mode = Mode::Bus,
            0x4b => self.mode = Mode::UpdateNice,
            0x4c => {
                if let Some(percent) = self.battery_percent {
                    answer.extend(message(0xa0, &[percent, 0x7f, 0x7f, 3, 12, 0, 1, 5, 2]));
                }
            }
            0x4d => answer.extend(message(0x93, &[self.version.0, self.version.1])),
            0x55 => {
                if let Some(serial) = &self.long_serial {
                    answer.extend(message(0xa2, serial));
                }
            }
            0x2b if mode != Mode::Bus => {
                self.partial = Some(Partial { bytes: vec![byte], missing: 0 });
            }
            0x4e | 0x51 | 0x53 | 0x54 | 0x60 => {
                // The firmware loader, the EEPROM, and what makes an ordinary board hang.
                self.forbidden.push(byte);
                self.mute = true;
            }
            _ => {}
        }
    }

    fn clock_command(&mut self, command: &[u8], answer: &mut Vec<u8>) {
        let told = matches!(self.mode, Mode::Update | Mode::UpdateNice);
        if let &[0x2b, _, 0x03, what, ..] = command
            && self.clock.is_some()
            && told
        {
            let version = if what == 0x09 { 0x20 } else { 0 };
            answer.extend(message(0x8d, &[0x0a, 0x10, what, 0x0a, version, 0, 0]));
        }
        if command.get(3).is_some_and(|what| *what != 0x09) {
            // Everything but a question for the version changes what the players see.
            self.forbidden.extend(command);
        }
    }

    fn clock_news(&mut self) -> Vec<u8> {
        let told = matches!(self.mode, Mode::Update | Mode::UpdateNice) && !self.mute;
        if told { self.clock_message() } else { Vec::new() }
    }

    fn clock_message(&self) -> Vec<u8> {
        let Some(clock) = self.clock else { return message(0x8d, &[0, 0, 0, 0, 0, 0, 0x20]) };
        let [rh, rm, rs] = bcd(clock.right);
        let [lh, lm, ls] = bcd(clock.left);
        let flag = |time: u32| if time == 0 { 0x10 } else { 0 };
        let bonus = if clock.increment > 0 { 0x20 } else { 0 };
        let status = match (clock.right_turn, clock.running) {
            (false, false) => 0x08,
            (false, true) => 0x09,
            (true, false) => 0x12,
            (true, true) => 0x13,
        };
        let right = rh | bonus | flag(clock.right);
        let left = lh | bonus | flag(clock.left);
        message(0x8d, &[right, rm, rs, left, lm, ls, status])
    }

    fn remember(&mut self, entry: &[u8]) {
        self.log.extend(entry);
        while self.log.len() > LOG - 1 {
            self.log.pop_front();
        }
    }

    fn event_log(&mut self) -> Vec<u8> {
        let mut log = vec![0x7f; LOG - 1 - self.log.len()];
        log.extend(&self.log);
        log.push(0x6b);
        self.remember(&[0x6e]);
        self.last_change = None;
        message(0x8f, &log)
    }
}

/// A message with its header.
fn message(id: u8, payload: &[u8]) -> Vec<u8> {
    let total = payload.len() + 3;
    let mut bytes = vec![id, (total >> 7) as u8, (total & 0x7f) as u8];
    bytes.extend_from_slice(payload);
    bytes
}

/// Hours, minutes and seconds, two decimal digits a byte.
fn bcd(seconds: u32) -> [u8; 3] {
    let digits = |n: u32| u8::try_from(n / 10 * 16 + n % 10).unwrap();
    [digits(seconds / 3600 % 10), digits(seconds / 60 % 60), digits(seconds % 60)]
}
