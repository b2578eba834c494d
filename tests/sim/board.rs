//! One simulated board on its line: commands in, bytes out, all at their times.
//!
//! In: a [`Session`] (what hands and clock are going to do) and the host's bytes. Out: line events
//! in order of time. It never looks ahead: [`Board::advance`] stops at the first chunk that reaches
//! the host, so that the host may answer before the board goes on.

use std::collections::VecDeque;

use super::{
    MS,
    chance::{Chance, Span},
    clock::Clock,
    line::Line,
    profile::Sensors,
    scanner::{Change, Scanner},
    session::Session,
    table::Table,
};

/// What the host sees of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineEvent {
    /// The port has appeared: attach, say hello.
    Up,
    /// A read returned these bytes.
    Bytes(Vec<u8>),
    /// The port is gone.
    Down,
}

/// Who sends the commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// The caller, through [`Board::host_bytes`].
    Caller,
    /// The board itself plays a host that greets after each attach (dump, `UPDATE_NICE`, clock) and
    /// asks for a dump every 3 s, as DGT's own driver does; the caller may add commands.
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Idle,
    Update,
    BoardOnly,
    Nice,
}

#[derive(Clone, Debug)]
enum Reply {
    Message(Vec<u8>),
    Dump(Option<[u8; 64]>),
    ClockNow,
}

/// The simulated board.
pub struct Board {
    table: Table,
    scanner: Scanner,
    clock: Clock,
    line: Line,
    sensors: Sensors,
    chance: Chance,
    cable: VecDeque<(u64, bool)>,
    host: Host,
    auto: VecDeque<(u64, u8)>,
    up: bool,
    mode: Mode,
    replies: Vec<(u64, Reply)>,
    command: Vec<u8>,
    poll: u64,
    next_poll: u64,
    next_filler: u64,
    shown_clock: Option<[u8; 10]>,
    now: u64,
    found: Vec<Change>,
    flips_sent: usize,
    /// Moments at which the last byte of a message that shows a moved lever left the board,
    /// each with the number of lever moves it shows (several when presses came between polls).
    pub lever_sent: Vec<(u64, usize)>,
    /// Field updates sent twice.
    duplicates: u32,
    /// Worthless clock messages and fillers sent.
    garbage: u32,
    /// When each field update was on the wire.
    pub reported: Vec<u64>,
    /// Dumps sent, and those of them that were older than an update sent before them.
    dumps: (u32, u32),
}

impl Board {
    /// The board of a session; it is attached at time 0.
    pub fn new(session: &Session, host: Host) -> Board {
        let seed = session.seed;
        let profile = &session.profile;
        let mut chance = Chance::new(seed, 2);
        let poll = chance.flat(profile.clock.poll);
        let next_filler = chance.wait(profile.sensors.filler_per_minute);
        let increment = profile.clock.control.1;
        let mut cable = VecDeque::from([(0, true)]);
        for (out, back) in &session.truth.gaps {
            cable.push_back((*out, false));
            cable.push_back((*back, true));
        }
        Board {
            table: Table::new(&session.set, session.acts.iter().copied().collect()),
            scanner: Scanner::new(&profile.sensors, 0, Chance::new(seed, 3)),
            clock: Clock::new(
                profile.clock.attached,
                increment,
                session.clock.iter().copied().collect(),
            ),
            line: Line::new(&profile.noise, Chance::new(seed, 4)),
            sensors: profile.sensors.clone(),
            chance,
            cable,
            host,
            auto: VecDeque::new(),
            up: false,
            mode: Mode::Idle,
            replies: Vec::new(),
            command: Vec::new(),
            poll,
            next_poll: poll / 2,
            shown_clock: None,
            now: 0,
            found: Vec::new(),
            flips_sent: 0,
            lever_sent: Vec::new(),
            duplicates: 0,
            garbage: 0,
            next_filler,
            reported: Vec::new(),
            dumps: (0, 0),
        }
    }

    /// Runs until something reaches the host, at most until `until`. Empty: nothing did.
    ///
    /// More than one event is returned only when they come at the same moment.
    pub fn advance(&mut self, until: u64) -> Vec<(u64, LineEvent)> {
        let mut out = Vec::new();
        loop {
            let next = self.next();
            if next > until || (!out.is_empty() && next > self.now) {
                if out.is_empty() {
                    self.now = self.now.max(until);
                }
                return out;
            }
            self.now = next.max(self.now);
            self.step(&mut out);
        }
    }

    /// What the host writes at `time`, which must not be before the last event returned.
    pub fn host_bytes(&mut self, time: u64, bytes: &[u8]) {
        self.now = self.now.max(time);
        if !self.up {
            return;
        }
        for byte in bytes {
            self.command.push(*byte);
            if self.command[0] == 0x2b {
                let size = self.command.get(1).map_or(2, |s| usize::from(*s) + 2);
                if self.command.len() < size.max(2) {
                    continue;
                }
            }
            let command = std::mem::take(&mut self.command);
            self.obey(time, &command);
        }
    }

    /// Each press that moved the lever, and when the message that shows it was on the wire.
    pub fn presses(&self) -> Vec<(u64, u64)> {
        let sent = self.lever_sent.iter().flat_map(|(sent, flips)| vec![*sent; *flips]);
        self.clock.flips.iter().copied().zip(sent).collect()
    }

    /// The length of one scan, nanoseconds.
    pub fn scan(&self) -> u64 {
        self.scanner.period()
    }

    /// The time up to which the board has run.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The faults of hardware so far, by name.
    pub fn faults(&self) -> [(&'static str, u32); 7] {
        [
            ("line_damage", self.line.damaged),
            ("stall", self.line.stalls),
            ("misreading", self.scanner.misreadings),
            ("row_lost", self.scanner.rows_lost()),
            ("duplicate", self.duplicates),
            ("stale_dump", self.dumps.1),
            ("garbage", self.garbage),
        ]
    }

    fn next(&self) -> u64 {
        let mut next = self.next_poll;
        if let Some((time, _)) = self.cable.front() {
            next = next.min(*time);
        }
        if self.up {
            next = next.min(self.scanner.next()).min(self.next_filler);
            next = self.line.next().map_or(next, |time| next.min(time));
            next = self.replies.iter().fold(next, |next, (time, _)| next.min(*time));
            next = self.auto.front().map_or(next, |(time, _)| next.min(*time));
        }
        next
    }

    fn step(&mut self, out: &mut Vec<(u64, LineEvent)>) {
        let now = self.now;
        if self.cable.front().is_some_and(|(time, _)| *time <= now) {
            let up = self.cable.pop_front().is_some_and(|(_, up)| up);
            self.plug(up, out);
            return;
        }
        if now >= self.next_poll {
            self.next_poll += self.poll;
            self.look_at_clock();
        }
        if !self.up {
            return;
        }
        if now >= self.next_filler {
            self.next_filler = now + self.chance.wait(self.sensors.filler_per_minute);
            self.line.send(now, &[0x80, 0, 0]);
            self.garbage += 1;
        }
        while let Some((time, command)) = self.auto.front().copied() {
            if time > now {
                break;
            }
            self.auto.pop_front();
            if self.auto.is_empty() {
                self.auto.push_back((now + 3000 * MS, 0x42));
            }
            self.host_bytes(now, &[command]);
        }
        if now >= self.scanner.next() {
            let mut found = std::mem::take(&mut self.found);
            self.scanner.step(&mut self.table, &mut found);
            for (_, field, code) in found.drain(..) {
                self.report(field, code);
            }
            self.found = found;
        }
        while let Some(index) = self.replies.iter().position(|(time, _)| *time <= now) {
            let (_, reply) = self.replies.remove(index);
            self.answer(reply);
        }
        if self.line.next().is_some_and(|time| time <= now) {
            let chunk = self.line.take(now);
            if !chunk.is_empty() {
                out.push((now, LineEvent::Bytes(chunk)));
            }
        }
    }

    fn plug(&mut self, up: bool, out: &mut Vec<(u64, LineEvent)>) {
        self.up = up;
        self.mode = Mode::Idle;
        self.replies.clear();
        self.command.clear();
        self.auto.clear();
        self.line.cut(self.now);
        self.shown_clock = None;
        if !up {
            out.push((self.now, LineEvent::Down));
            return;
        }
        self.scanner.power_up(&mut self.table, self.now);
        if self.host == Host::Auto {
            let greeting = [(500, 0x40), (600, 0x42), (800, 0x4b), (900, 0x41), (3000, 0x42)];
            self.auto = greeting.iter().map(|(ms, b)| (self.now + ms * MS, *b)).collect();
        }
        out.push((self.now, LineEvent::Up));
    }

    fn look_at_clock(&mut self) {
        self.clock.advance(self.now);
        let message = self.clock.message();
        if !self.up {
            return;
        }
        let due = match self.mode {
            Mode::Nice => self.shown_clock != Some(message) && message[9] != 0x20,
            Mode::Update => message[9] != 0x20,
            Mode::Idle | Mode::BoardOnly => false,
        };
        if due {
            self.send_clock(message);
        }
    }

    fn send_clock(&mut self, message: [u8; 10]) {
        if self.chance.of(self.sensors.clock_garbage) {
            let mut garbage = self.chance.pick(&[
                [0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0],
                [0x8d, 0, 10, 0x0a, 0x10, 0x09, 0x0a, 0x20, 0, 0],
                [0x8d, 0, 10, 0x2c, 0x08, 0x08, 0x20, 0x00, 0x00, 0x08],
                [0x8d, 0, 10, 0x20, 0x7a, 0x61, 0x20, 0x0f, 0x3f, 0x09],
            ]);
            if self.chance.of(0.3) {
                garbage[9] = message[9] ^ 2;
            }
            self.line.send(self.now, &garbage);
            self.garbage += 1;
        }
        self.shown_clock = Some(message);
        let sent = self.line.send(self.now, &message);
        let flips = self.clock.flips.len();
        if flips > self.flips_sent {
            self.lever_sent.push((sent, flips - self.flips_sent));
            self.flips_sent = flips;
        }
    }

    fn report(&mut self, field: u8, code: u8) {
        if self.mode == Mode::Idle {
            return;
        }
        let message = [0x8e, 0, 5, field, code];
        let sent = self.line.send(self.now, &message);
        self.reported.push(sent);
        if self.chance.of(self.sensors.duplicate) {
            self.line.send(self.now, &message);
            self.duplicates += 1;
        }
        for (_, reply) in &mut self.replies {
            if let Reply::Dump(Some(array)) = reply
                && array[usize::from(field)] != code
            {
                self.dumps.1 += 1;
                break;
            }
        }
    }

    fn answer(&mut self, reply: Reply) {
        match reply {
            Reply::Message(message) => {
                self.line.send(self.now, &message);
            }
            Reply::Dump(snapshot) => {
                let mut message = vec![0x86, 0, 67];
                message.extend(snapshot.unwrap_or(self.scanner.seen));
                self.line.send(self.now, &message);
                self.dumps.0 += 1;
            }
            Reply::ClockNow => {
                self.clock.advance(self.now);
                self.send_clock(self.clock.message());
            }
        }
    }

    fn obey(&mut self, time: u64, command: &[u8]) {
        match command[0] {
            0x40 => self.mode = Mode::Idle,
            0x43 => self.mode = Mode::Update,
            0x44 => self.mode = Mode::BoardOnly,
            0x4b => self.mode = Mode::Nice,
            byte if byte >= 0x80 => self.mode = Mode::Idle,
            _ => {}
        }
        let Some(reply) = self.reply(command) else { return };
        // Measured: 67, 103, 162 ms for a dump, 107 ms for a version (`protocol.md` 1.4).
        let wait = match reply {
            Reply::Dump(_) => self.chance.flat(Span(0.06, 0.17)),
            Reply::ClockNow => self.chance.flat(Span(0.01, 0.05)),
            Reply::Message(_) => self.chance.flat(Span(0.02, 0.12)),
        };
        self.replies.push((time + wait, reply));
    }

    fn reply(&mut self, command: &[u8]) -> Option<Reply> {
        let message = match command[0] {
            0x41 => return Some(Reply::ClockNow),
            0x42 => {
                let stale = self.chance.of(self.sensors.stale_dump);
                return Some(Reply::Dump(stale.then_some(self.scanner.seen)));
            }
            0x45 => framed(0x91, b"01025"),
            0x47 => framed(0x92, b"Digital Game Technology\nVs 1.08. Serial nr. 01025 1.0\n"),
            0x4c => framed(0xa0, &[0x50, 0x7f, 0x7f, 3, 12, 0, 1, 5, 2]),
            0x4d => framed(0x93, &[1, 8]),
            0x55 => framed(0xa2, b"3000001025"),
            0x2b if matches!(self.mode, Mode::Update | Mode::Nice) => {
                let done = command.get(3).copied().unwrap_or(0);
                let version = if done == 9 { 0x20 } else { 0 };
                framed(0x8d, &[0x0a, 0x10, done, 0x0a, version, 0, 0])
            }
            _ => return None,
        };
        Some(Reply::Message(message))
    }
}

fn framed(id: u8, payload: &[u8]) -> Vec<u8> {
    let total = payload.len() + 3;
    let mut message = vec![id, (total >> 7) as u8, (total & 0x7f) as u8];
    message.extend_from_slice(payload);
    message
}

/// Runs a session without any host but the built-in one and returns everything the line delivered.
pub fn record(session: &Session) -> (Vec<(u64, LineEvent)>, Board) {
    let mut board = Board::new(session, Host::Auto);
    let mut all = Vec::new();
    while board.now() < session.end {
        all.append(&mut board.advance(session.end));
    }
    (all, board)
}

/// A recording as `.dgtlog` text.
pub fn dgtlog(session: &Session, events: &[(u64, LineEvent)]) -> String {
    use std::fmt::Write;
    let mut text = format!(
        "# dgtd capture 1\n# simulated: profile {}, seed {}\n",
        session.profile.name, session.seed
    );
    for (time, event) in events {
        let _ = write!(text, "{}.{:09} ", time / super::SECOND, time % super::SECOND);
        match event {
            LineEvent::Up => text.push_str("! connected"),
            LineEvent::Down => text.push_str("! disconnected"),
            LineEvent::Bytes(bytes) => {
                text.push('<');
                for byte in bytes {
                    let _ = write!(text, " {byte:02x}");
                }
            }
        }
        text.push('\n');
    }
    text
}
