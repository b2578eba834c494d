//! Boards on one line in bus mode: each answers to its address, and to nothing else.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

use serialport::{SerialPort as _, TTYPort};

use super::{Board, bcd, plugged::STARTING};

/// A board on a bus.
#[derive(Clone, Debug)]
pub struct Seat {
    pub address: u16,
    pub board: Board,
    /// Switched off.
    pub dead: bool,
    /// Entries since the host last asked, and those it was last told.
    changes: Vec<u8>,
    told: Vec<u8>,
    ignores_ping: bool,
}

/// All boards of a line.
#[derive(Clone, Debug, Default)]
pub struct BusLine {
    pub seats: Vec<Seat>,
    /// Every so many-th reply has one wrong bit; 0: none.
    pub damage_every: u32,
    replies: u32,
    partial: Vec<u8>,
    /// How many requests each address was asked.
    pub asked: std::collections::BTreeMap<u16, u32>,
}

impl BusLine {
    pub fn new(boards: impl IntoIterator<Item = (u16, Board)>) -> BusLine {
        let seat = |(address, board)| Seat {
            address,
            board,
            dead: false,
            changes: Vec::new(),
            told: Vec::new(),
            ignores_ping: false,
        };
        BusLine { seats: boards.into_iter().map(seat).collect(), ..BusLine::default() }
    }

    /// Puts a man on a square of one board, or a dot's nothing.
    pub fn put(&mut self, which: usize, square: &str, man: char) {
        let seat = &mut self.seats[which];
        let field = seat.board.field(square).number();
        seat.board.put(square, man);
        let code = seat.board.at(square).code();
        seat.changes.extend([0x40 | code & 0x0f, field]);
    }

    /// Lifts a man and puts it down.
    pub fn carry(&mut self, which: usize, from: &str, to: &str) {
        let dgtd::wire::Contact::Man(man) = self.seats[which].board.at(from) else {
            panic!("no man on {from}")
        };
        self.put(which, from, '.');
        self.put(which, to, man.char());
    }

    /// The side to move presses its clock.
    pub fn press(&mut self, which: usize) {
        let seat = &mut self.seats[which];
        let Some(clock) = seat.board.clock else { return };
        let (side, time) = if clock.right_turn { (0x60, clock.right) } else { (0x70, clock.left) };
        let [hours, minutes, seconds] = bcd(time);
        seat.board.press();
        seat.changes.extend([side | hours, minutes, seconds]);
    }

    /// Takes what the host sends. Returns what comes back on the line.
    pub fn receive(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut line = Vec::new();
        for &byte in bytes {
            self.partial.push(byte);
            if self.partial.len() < 4 {
                continue;
            }
            let request = std::mem::take(&mut self.partial);
            assert_eq!(request[3], checksum(&request[..3]), "{request:02x?}");
            let address = u16::from(request[1]) << 7 | u16::from(request[2]);
            *self.asked.entry(address).or_default() += 1;
            for seat in &mut self.seats {
                if !seat.dead && (address == 0 || address == seat.address) {
                    for reply in seat.answer(request[0], address == 0) {
                        self.replies += 1;
                        let mut reply = reply;
                        if self.damage_every > 0 && self.replies.is_multiple_of(self.damage_every) {
                            let at = 3 + self.replies as usize % (reply.len() - 3);
                            reply[at] ^= 1;
                        }
                        line.extend(reply);
                    }
                }
            }
        }
        line
    }
}

fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7f
}

impl Seat {
    fn reply(&self, id: u8, data: &[u8]) -> Vec<u8> {
        let total = data.len() + 6;
        let address = [(self.address >> 7) as u8, (self.address & 0x7f) as u8];
        let mut bytes = vec![id, (total >> 7) as u8, (total & 0x7f) as u8];
        bytes.extend(address);
        bytes.extend_from_slice(data);
        bytes.push(checksum(&bytes));
        bytes
    }

    fn answer(&mut self, command: u8, to_all: bool) -> Vec<Vec<u8>> {
        let squares = self.board.squares;
        let clock = self.board.clock_message()[3..].to_vec();
        match command {
            0x81 => vec![self.reply(0x84, &clock)],
            0x82 => vec![self.reply(0x83, &squares)],
            0x83 => vec![self.changes()],
            0x84 => vec![self.reply(0x85, &self.told.clone())],
            0x87 if to_all && std::mem::take(&mut self.ignores_ping) => Vec::new(),
            0x87 => vec![self.reply(0x87, &[])],
            0x8a => {
                self.ignores_ping = true;
                vec![self.reply(0x87, &[])]
            }
            0x8b => vec![self.reply(0x89, &[self.board.version.0, self.board.version.1])],
            0x8d => vec![self.changes(), self.reply(0x84, &clock), self.reply(0x83, &squares)],
            other => panic!("a host must not send {other:02x} to a bus"),
        }
    }

    fn changes(&mut self) -> Vec<u8> {
        self.told = std::mem::take(&mut self.changes);
        self.reply(0x85, &self.told.clone())
    }
}

/// A bus line on a pseudo-terminal. Dropping it pulls the cable.
pub struct PluggedBus {
    pub line: Arc<Mutex<BusLine>>,
    pub path: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl PluggedBus {
    pub fn new(line: BusLine) -> PluggedBus {
        let alone = STARTING.write().unwrap_or_else(PoisonError::into_inner);
        let (original, slave) = TTYPort::pair().expect("a pseudo-terminal");
        let path = PathBuf::from(slave.name().expect("a pseudo-terminal has a name"));
        let mut port = original.try_clone_native().unwrap();
        drop((original, slave));
        drop(alone);
        port.set_timeout(Duration::from_millis(20)).unwrap();
        let (line, stop) = (Arc::new(Mutex::new(line)), Arc::new(AtomicBool::new(false)));
        let thread = std::thread::spawn({
            let (line, stop) = (line.clone(), stop.clone());
            move || {
                let mut buffer = [0; 256];
                while !stop.load(Ordering::Relaxed) {
                    match port.read(&mut buffer) {
                        Ok(count) if count > 0 => {
                            let answer = line.lock().unwrap().receive(&buffer[..count]);
                            // Nobody listens: the bytes are lost, as on a real line.
                            let _ = port.write_all(&answer);
                        }
                        Err(error) if error.kind() == ErrorKind::TimedOut => {}
                        _ => std::thread::sleep(Duration::from_millis(5)),
                    }
                }
            }
        });
        PluggedBus { line, path, stop, thread: Some(thread) }
    }
}

impl Drop for PluggedBus {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
