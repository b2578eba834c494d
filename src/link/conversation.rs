//! What has been said, what is to be said next, and when.
//!
//! Every wait is an entry of [`Conversation::next`]; doing what is due and telling when to call
//! again both read that one table, so neither can forget an entry.

use std::time::Duration;

use super::{
    BoardEvent, Doubt, LinkOptions, Output,
    identity::Introduction,
    patience,
    squares::{Squares, Taken},
};
use crate::{
    units::Stamp,
    wire::{Command, Item, Message, event_log},
};

/// How far the conversation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No line, or nothing may be sent.
    Idle,
    /// The greeting begins when this moment comes.
    Pause(Stamp),
    /// Version, serial number and the first dump are being asked for.
    Greeting,
    /// The board is in update mode.
    Ready,
    /// The board does not answer. It is fed with `fill` more bytes that end a half-received command,
    /// then asked for its version.
    Silent { fill: u8, at: Stamp, back_off: Duration },
}

/// The one request that is waiting for its answer.
#[derive(Clone, Copy, Debug)]
struct Pending {
    command: Command,
    /// The first try.
    first: Stamp,
    /// The latest try.
    sent: Stamp,
    tries_left: u8,
    /// When to try again or to give up.
    due: Stamp,
}

/// What there is to do.
#[derive(Clone, Copy, Debug)]
enum Due {
    Greet,
    Wake,
    Silence,
    Overdue,
    Write(Command),
    Dump,
    Recheck,
    Battery,
    Suspect,
    Held,
    Heartbeat,
}

/// Commands to be sent, most urgent first. Asking twice is asking once.
const ORDER: [Command; 10] = [
    Command::Reset,
    Command::Version,
    Command::LongSerialNumber,
    Command::SerialNumber,
    Command::UpdateNice,
    Command::SendBoard,
    Command::SendClock,
    Command::Battery,
    Command::Trademark,
    Command::EventLog,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClockPresence {
    Unknown,
    Present(Stamp),
    Absent,
}

/// The link's state apart from the framer.
#[derive(Clone, Debug)]
pub(super) struct Conversation {
    options: LinkOptions,
    phase: Phase,
    pending: Option<Pending>,
    /// By place in [`ORDER`].
    wanted: [bool; ORDER.len()],
    next_write: Stamp,
    /// The last message.
    heard: Option<Stamp>,
    /// When to count silence from; `None` while nothing is asked.
    quiet_since: Stamp,
    asked: bool,
    squares: Squares,
    last_dump_request: Stamp,
    /// A dump is wanted from this moment on.
    dump_due: Option<Stamp>,
    /// The last doubt told since the last dump.
    doubted: Option<Stamp>,
    clock: ClockPresence,
    battery_due: Option<Stamp>,
    introduction: Introduction,
    unreadable_clock: u64,
}

impl Conversation {
    pub(super) fn new(options: LinkOptions) -> Conversation {
        Conversation {
            options,
            phase: Phase::Idle,
            pending: None,
            wanted: [false; ORDER.len()],
            next_write: Stamp::ZERO,
            heard: None,
            quiet_since: Stamp::ZERO,
            asked: false,
            squares: Squares::default(),
            last_dump_request: Stamp::ZERO,
            dump_due: None,
            doubted: None,
            clock: ClockPresence::Unknown,
            battery_due: None,
            introduction: Introduction::default(),
            unreadable_clock: 0,
        }
    }

    pub(super) fn attach(&mut self, now: Stamp) {
        *self = Conversation { unreadable_clock: self.unreadable_clock, ..Self::new(self.options) };
        if !self.options.passive {
            self.phase = Phase::Pause(now + patience::OPEN);
        }
    }

    pub(super) fn detach(&mut self) {
        let introduction = std::mem::take(&mut self.introduction);
        *self = Conversation {
            unreadable_clock: self.unreadable_clock,
            heard: self.heard,
            introduction,
            ..Self::new(self.options)
        };
    }

    pub(super) fn ready(&self) -> bool {
        self.phase == Phase::Ready
    }

    pub(super) fn squares(&self) -> Option<&super::Snapshot> {
        self.squares.read()
    }

    pub(super) fn heard(&self) -> Option<Stamp> {
        self.heard
    }

    pub(super) fn identity(&self) -> &super::Identity {
        self.introduction.identity()
    }

    pub(super) fn unreadable_clock(&self) -> u64 {
        self.unreadable_clock
    }

    /// A host sent these bytes, says the capture that is being replayed.
    pub(super) fn overheard(&mut self, bytes: &[u8]) {
        // One line may hold several commands; a clock command (`2b`) may hold any byte.
        let commands = bytes.split(|byte| *byte == 0x2b).next().unwrap_or_default();
        if commands.contains(&Command::SendBoard.bytes()[0]) {
            self.squares.asked(true);
        }
    }

    pub(super) fn request_dump(&mut self, now: Stamp) {
        self.want_dump(now);
    }

    /// The board's own log is asked for once. False when the board is not ready for that.
    pub(super) fn request_log(&mut self) -> bool {
        let ready = self.ready();
        if ready {
            self.want(Command::EventLog);
        }
        ready
    }

    /// Everything a board can say of itself is asked for once more. False when none answers.
    pub(super) fn greet_again(&mut self, now: Stamp) -> bool {
        match self.phase {
            Phase::Ready => {}
            // All of it is being asked for.
            Phase::Greeting => return true,
            Phase::Idle | Phase::Pause(_) | Phase::Silent { .. } => return false,
        }
        self.want(Command::Version);
        self.want(if self.introduction.should_have_long_serial() {
            Command::LongSerialNumber
        } else {
            Command::SerialNumber
        });
        self.want_about();
        self.want_dump(now);
        true
    }

    pub(super) fn item(&mut self, item: Item, now: Stamp, out: &mut Vec<Output>) {
        match item {
            Item::Lost(_) => self.doubt(Doubt::Garbled, now, out),
            Item::Message(message) => self.message(message, now, out),
        }
    }

    /// A message is coming in: the board is not silent.
    pub(super) fn busy(&mut self, now: Stamp) {
        if !matches!(self.phase, Phase::Silent { .. }) {
            self.quiet_since = now;
        }
    }

    fn message(&mut self, message: Message, now: Stamp, out: &mut Vec<Output>) {
        self.heard = Some(now);
        self.quiet_since = now;
        self.asked = false;
        if let Phase::Silent { .. } = self.phase {
            out.push(Output::Event(BoardEvent::Restored));
            self.phase = Phase::Greeting;
            self.want(Command::Version);
        }
        let answered = self.pending.filter(|pending| patience::answers(&message, pending.command));
        if answered.is_some() {
            self.pending = None;
        }
        self.content(message, now, out);
        if let Some(pending) = answered {
            self.answered(pending, now, out);
        }
    }

    fn content(&mut self, message: Message, now: Stamp, out: &mut Vec<Output>) {
        match message {
            Message::FieldUpdate { field, contact } => {
                if self.squares.update(field, contact, now) {
                    out.push(Output::Event(BoardEvent::Changed { field, contact }));
                }
            }
            Message::Clock(reading) => {
                self.clock = ClockPresence::Present(now);
                out.push(Output::Event(BoardEvent::Clock(reading)));
            }
            Message::ClockAbsent => {
                if self.clock != ClockPresence::Absent {
                    self.clock = ClockPresence::Absent;
                    out.push(Output::Event(BoardEvent::ClockAbsent));
                }
            }
            Message::ClockUnreadable(_) => self.unreadable_clock += 1,
            Message::Dump(snapshot) => {
                self.introduction.tell_before_dump(out);
                match self.squares.dump(snapshot, now) {
                    Taken::Believed(snapshot, settled) => {
                        out.push(Output::Event(BoardEvent::Dump(snapshot)));
                        self.doubted = None;
                        if !settled {
                            self.want_dump(now + patience::CATCH_UP);
                        }
                    }
                    Taken::Held if self.phase != Phase::Idle => self.want(Command::SendBoard),
                    Taken::Held => {}
                }
            }
            Message::EventLog(bytes) => {
                out.push(Output::Event(BoardEvent::Log(Box::new(event_log::decode(&bytes)))));
                // Whether changes are kept or lost while the log is sent is not documented. What
                // is on the board now is asked for, whatever was asked before.
                self.want_dump(now);
                if let ClockPresence::Present(_) = self.clock {
                    self.want(Command::SendClock);
                }
            }
            Message::SerialNumber(serial) => {
                if self.introduction.short_serial(serial.as_str(), out) {
                    self.want(Command::SerialNumber);
                }
            }
            Message::LongSerialNumber(serial) => {
                if self.introduction.long_serial(serial, out) {
                    self.want(Command::LongSerialNumber);
                }
            }
            Message::Version(version) => self.introduction.version(version, out),
            Message::Trademark(text) => self.introduction.trademark(text, out),
            Message::Battery(battery) => {
                self.introduction.battery(battery, out);
                self.battery_due = Some(now + patience::BATTERY);
            }
            Message::ClockAck(_)
            | Message::ClockNull
            | Message::BusAddress(_)
            | Message::Unknown { .. } => {}
        }
    }

    /// The request has its answer: what follows from that.
    fn answered(&mut self, pending: Pending, now: Stamp, out: &mut Vec<Output>) {
        if self.phase == Phase::Greeting {
            match pending.command {
                Command::Version => self.want(Command::LongSerialNumber),
                Command::LongSerialNumber | Command::SerialNumber => self.want(Command::SendBoard),
                Command::SendBoard => self.become_ready(),
                _ => {}
            }
        } else if !matches!(pending.command, Command::SendBoard | Command::EventLog)
            && now.since(pending.first) > patience::REPLY
        {
            self.doubt(Doubt::LateReply, now, out);
        }
    }

    /// All tries were in vain.
    fn unanswered(&mut self, command: Command, now: Stamp, out: &mut Vec<Output>) {
        if self.phase == Phase::Greeting {
            match command {
                Command::Version => self.want(Command::LongSerialNumber),
                Command::LongSerialNumber => self.want(Command::SerialNumber),
                Command::SerialNumber => self.want(Command::SendBoard),
                Command::SendBoard => self.phase = Phase::Pause(now + patience::GREET_AGAIN),
                _ => {}
            }
        } else if matches!(command, Command::SendBoard | Command::Version) {
            self.doubt(Doubt::LateReply, now, out);
        }
    }

    /// Whether the line is Bluetooth.
    pub(super) fn set_wireless(&mut self, wireless: bool) {
        self.options.wireless = wireless;
    }

    fn become_ready(&mut self) {
        self.phase = Phase::Ready;
        self.want(Command::UpdateNice);
        self.want_about();
    }

    /// What a board tells beside its squares once it is known.
    fn want_about(&mut self) {
        self.want(Command::SendClock);
        self.want(Command::Trademark);
        if self.options.wireless || self.introduction.has_long_serial() {
            self.want(Command::Battery);
        }
    }

    /// Something may be lost. Before the first dump there is nothing to doubt.
    fn doubt(&mut self, doubt: Doubt, now: Stamp, out: &mut Vec<Output>) {
        if !self.squares.known() {
            return;
        }
        self.want_dump(now);
        if self.doubted.is_none_or(|told| now.since(told) >= patience::DOUBT_GAP) {
            self.doubted = Some(now);
            out.push(Output::Event(BoardEvent::Doubt(doubt)));
        }
    }

    fn want_dump(&mut self, from: Stamp) {
        let from = from.max(self.last_dump_request + patience::DUMP_GAP);
        self.dump_due = Some(self.dump_due.map_or(from, |due| due.min(from)));
    }

    fn want(&mut self, command: Command) {
        if let Some(place) = ORDER.iter().position(|other| *other == command) {
            self.wanted[place] = true;
        }
    }

    fn wants(&self) -> Option<Command> {
        self.wanted.iter().position(|wanted| *wanted).map(|place| ORDER[place])
    }

    fn awaits(&self, command: Command) -> bool {
        self.pending.is_some_and(|pending| pending.command == command)
            || ORDER.iter().zip(self.wanted).any(|(other, wanted)| wanted && *other == command)
    }

    /// The table of deadlines: what is to be done next, and when.
    fn next(&self) -> Option<(Stamp, Due)> {
        let mut first: Option<(Stamp, Due)> = None;
        let mut entry = |at: Stamp, due: Due| {
            if first.is_none_or(|(earliest, _)| at < earliest) {
                first = Some((at, due));
            }
        };
        if let Some(at) = self.squares.held_due() {
            entry(at, Due::Held);
        }
        match self.phase {
            Phase::Idle | Phase::Greeting => {}
            Phase::Pause(until) => entry(until, Due::Greet),
            Phase::Silent { at, .. } => entry(at, Due::Wake),
            Phase::Ready => self.upkeep(&mut entry),
        }
        if let Phase::Greeting | Phase::Ready = self.phase {
            if self.asked {
                entry(self.quiet_since + patience::SILENCE, Due::Silence);
            }
            match (self.pending, self.wants()) {
                (Some(pending), _) => entry(pending.due, Due::Overdue),
                (None, Some(command)) => entry(self.next_write, Due::Write(command)),
                (None, None) => {}
            }
        }
        first
    }

    /// The entries of a board that is being followed.
    fn upkeep(&self, entry: &mut impl FnMut(Stamp, Due)) {
        if let Some(at) = self.squares.suspect_due() {
            entry(at, Due::Suspect);
        }
        if let Some(at) = self.battery_due {
            entry(at, Due::Battery);
        }
        if !self.awaits(Command::SendBoard) {
            if let Some(at) = self.dump_due {
                entry(at, Due::Dump);
            }
            let routine = self.last_dump_request + patience::RECHECK;
            let check = self.squares.changed_at().map_or(routine, |at| {
                routine.min((at + patience::STILL).max(self.last_dump_request + patience::DUMP_GAP))
            });
            entry(check, Due::Recheck);
        }
        if self.pending.is_none() && self.wants().is_none() {
            entry(self.quiet_since + patience::HEARTBEAT, Due::Heartbeat);
        }
    }

    pub(super) fn deadline(&self) -> Option<Stamp> {
        self.next().map(|(at, _)| at)
    }

    /// Does all that is due. `receiving`: a message is coming in at this moment.
    pub(super) fn step(&mut self, now: Stamp, receiving: bool, out: &mut Vec<Output>) {
        while let Some((at, due)) = self.next()
            && at <= now
        {
            self.perform(due, now, receiving, out);
        }
    }

    fn perform(&mut self, due: Due, now: Stamp, receiving: bool, out: &mut Vec<Output>) {
        match due {
            Due::Greet => self.greet(now, out),
            Due::Wake => self.wake(now, out),
            Due::Silence => self.fall_silent(now, out),
            Due::Overdue => self.overdue(now, receiving, out),
            Due::Write(command) => self.write(command, now, out),
            Due::Dump => {
                self.dump_due = None;
                self.want(Command::SendBoard);
            }
            Due::Recheck => self.recheck(now),
            Due::Battery => {
                self.battery_due = None;
                self.want(Command::Battery);
            }
            Due::Suspect => {
                self.squares.clear_suspects();
                self.doubt(Doubt::Disagreement, now, out);
                self.want(Command::UpdateNice);
            }
            Due::Held => {
                if let Some((snapshot, many)) = self.squares.release() {
                    if many {
                        out.push(Output::Event(BoardEvent::Doubt(Doubt::Unconfirmed)));
                    }
                    out.push(Output::Event(BoardEvent::Dump(snapshot)));
                }
            }
            Due::Heartbeat => self.want(Command::Version),
        }
    }

    fn greet(&mut self, now: Stamp, out: &mut Vec<Output>) {
        self.phase = Phase::Greeting;
        self.pending = None;
        self.wanted = [false; ORDER.len()];
        self.quiet_since = now;
        self.asked = false;
        self.write(Command::Reset, now, out);
        self.want(Command::Version);
    }

    fn fall_silent(&mut self, now: Stamp, out: &mut Vec<Output>) {
        out.push(Output::Event(BoardEvent::Silent));
        self.phase = Phase::Silent {
            fill: patience::FILL_COUNT,
            at: now.max(self.next_write),
            back_off: patience::BACK_OFF,
        };
        self.pending = None;
        self.wanted = [false; ORDER.len()];
        self.asked = false;
        self.dump_due = None;
        self.doubted = None;
        self.squares = Squares::default();
    }

    /// One step of waking a silent board.
    fn wake(&mut self, now: Stamp, out: &mut Vec<Output>) {
        let Phase::Silent { fill, back_off, .. } = self.phase else { return };
        self.phase = if fill > 0 {
            out.push(Output::Send(Command::Reset));
            let wait = if fill == 1 { patience::WRITE_GAP } else { patience::FILL_GAP };
            Phase::Silent { fill: fill - 1, at: now + wait, back_off }
        } else {
            out.push(Output::Send(Command::Version));
            Phase::Silent {
                fill: patience::FILL_COUNT,
                at: now + patience::REPLY + back_off,
                back_off: (back_off * 2).min(patience::BACK_OFF_MAX),
            }
        };
        self.next_write = now + patience::WRITE_GAP;
    }

    fn write(&mut self, command: Command, now: Stamp, out: &mut Vec<Output>) {
        if let Some(place) = ORDER.iter().position(|other| *other == command) {
            self.wanted[place] = false;
        }
        out.push(Output::Send(command));
        self.next_write = now + patience::WRITE_GAP;
        match command {
            Command::SendBoard => {
                self.squares.asked(true);
                self.last_dump_request = now;
                self.dump_due = None;
            }
            // What changed before the mode began is not reported.
            Command::UpdateNice => self.want(Command::SendBoard),
            _ => {}
        }
        if let Some(tries) = patience::tries(command) {
            // A board that knows its long serial number must not be named by the short one.
            let longer =
                command == Command::LongSerialNumber && self.introduction.should_have_long_serial();
            self.asked = true;
            self.pending = Some(Pending {
                command,
                first: now,
                sent: now,
                tries_left: if longer { 2 } else { tries - 1 },
                due: now,
            });
            self.set_due(now);
        }
    }

    /// When the pending request is tried again or given up.
    fn set_due(&mut self, now: Stamp) {
        if let Some(pending) = &mut self.pending {
            let wait = match pending.command {
                Command::EventLog => patience::LOG_BEGINS,
                _ if pending.tries_left > 0 => patience::RETRY,
                _ => patience::REPLY,
            };
            pending.sent = now;
            pending.due = now + wait;
        }
    }

    fn overdue(&mut self, now: Stamp, receiving: bool, out: &mut Vec<Output>) {
        let Some(pending) = &mut self.pending else { return };
        let command = pending.command;
        if receiving && now.since(pending.sent) < patience::TRANSFER {
            pending.due = now + patience::REPLY;
        } else if pending.tries_left > 0 {
            pending.tries_left -= 1;
            self.set_due(now);
            if command == Command::SendBoard {
                self.squares.asked(false);
            }
            self.asked = true;
            self.next_write = now + patience::WRITE_GAP;
            out.push(Output::Send(command));
        } else {
            self.pending = None;
            self.unanswered(command, now, out);
        }
    }

    fn recheck(&mut self, now: Stamp) {
        if self.squares.changed_at().is_some() {
            self.want(Command::SendBoard);
            return;
        }
        self.want(Command::UpdateNice);
        self.want(Command::SendBoard);
        if let ClockPresence::Present(at) = self.clock
            && now.since(at) >= patience::CLOCK_QUIET
        {
            self.want(Command::SendClock);
        }
    }
}
