//! A bus line as so many boards in single-board mode.
//!
//! In: bytes from the line, single-board commands for each board, and the passing of time. Out:
//! requests for the line, and for each board the bytes that a board of its own would send. What
//! stands above ([`super::Link`] and all the rest) does not know that the line is shared.
//!
//! One request is on the line at a time. Boards are asked in turn for what changed; one that does not
//! answer is asked ever more seldom, so that it costs the others little. What protocol 7 says of
//! timing was never tried on a real line by us: the waits below are the place to look first.

use std::{collections::BTreeMap, time::Duration};

use crate::{
    units::Stamp,
    wire::{
        LogEntry, Version,
        bus::{Address, BusFramer, BusItem, BusReply, BusRequest},
    },
};

/// After opening the line, before the first request.
const OPEN: Duration = Duration::from_millis(500);
/// An answer begins within this, and does not pause for longer: 80 ms, and the adapter's own delay.
const REPLY: Duration = Duration::from_millis(120);
/// Between an answer and the next request.
const GAP: Duration = Duration::from_millis(5);
/// Answers to a ping to all are spread over 1.1 s.
const PING_ALL: Duration = Duration::from_millis(1_300);
/// Boards are looked for this often while none is known, and once some are.
const SEARCH: [Duration; 2] = [Duration::from_secs(2), Duration::from_mins(1)];
/// A board is asked for changes this often, if the line allows.
const POLL: Duration = Duration::from_millis(150);
/// Its clock is asked for its times this often, and more seldom on a full line.
const CLOCK: Duration = Duration::from_secs(1);
/// What asking for everything takes on the line at 9600 baud, with some rest for the others.
const DUMP_COST: Duration = Duration::from_millis(300);
/// A dump no older than this is still good, if nothing was lost since.
const DUMP_FRESH: Duration = Duration::from_secs(2);
/// A request is tried so often.
const TRIES: u8 = 3;
/// After so many requests without an answer a board is gone.
const GONE: u32 = 2;
/// The longest pause before a board that is gone is asked again.
const LONGEST_REST: Duration = Duration::from_secs(10);
/// The most boards on a line; what pretends to be more is noise.
const MOST: usize = 64;

/// What a [`BusLine`] wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusOutput {
    /// Write this to the line, now and whole.
    Send([u8; 4]),
    /// A board answers: from now on it has a line of its own.
    Appeared(Address),
    /// It no longer does.
    Vanished(Address),
    /// This board says so.
    Bytes(Address, Vec<u8>),
}

/// One board on the line.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "what is wanted of a board is a set")]
struct Seat {
    /// It answers.
    present: bool,
    /// A host wants to hear of changes.
    reporting: bool,
    want_dump: bool,
    want_clock: bool,
    want_version: bool,
    version: Option<Version>,
    /// What stands on its squares, kept up to date by its changes, and when it last said so itself.
    squares: Option<([u8; 64], Stamp)>,
    clock: Option<[u8; 7]>,
    clock_at: Stamp,
    next_poll: Stamp,
    misses: u32,
    /// Bytes of a command to the clock that are still to come, and whether their number is.
    skip: Option<u8>,
    length_follows: bool,
}

/// A request on the line.
#[derive(Clone, Copy, Debug)]
struct Pending {
    request: BusRequest,
    deadline: Stamp,
    tries: u8,
    damaged: bool,
}

/// How far the search for boards is.
#[derive(Clone, Debug, Default)]
struct Search {
    next: Stamp,
    /// Boards to be told not to answer.
    quiet: Vec<Address>,
    running: bool,
    found: bool,
}

/// A bus line with its boards.
#[derive(Clone, Debug, Default)]
pub struct BusLine {
    framer: BusFramer,
    seats: BTreeMap<Address, Seat>,
    pending: Option<Pending>,
    not_before: Stamp,
    search: Search,
    last: Option<Address>,
}

impl BusLine {
    /// A line that was opened at `now`.
    pub fn open(now: Stamp) -> BusLine {
        let search = Search { next: now + OPEN, ..Search::default() };
        BusLine { not_before: now + OPEN, search, ..BusLine::default() }
    }

    /// When to call [`BusLine::timeout`] if no byte comes before.
    pub fn deadline(&self) -> Stamp {
        if let Some(pending) = &self.pending {
            return pending.deadline;
        }
        let polls = self.seats.values().map(|seat| {
            let wanted = seat.want_dump || seat.want_clock || seat.want_version;
            if wanted && seat.misses == 0 { Stamp::ZERO } else { seat.next_poll }
        });
        let first = polls.chain([self.search_due()]).min().unwrap_or(self.search.next);
        first.max(self.not_before)
    }

    fn search_due(&self) -> Stamp {
        if self.search.running { Stamp::ZERO } else { self.search.next }
    }

    /// Time has passed.
    pub fn timeout(&mut self, now: Stamp, out: &mut Vec<BusOutput>) {
        if let Some(pending) = self.pending {
            if now < pending.deadline {
                return;
            }
            self.framer.abandon();
            self.unanswered(pending, now, out);
        }
        if now >= self.not_before {
            self.ask(now, out);
        }
    }

    /// Bytes from the line.
    pub fn bytes(&mut self, bytes: &[u8], now: Stamp, out: &mut Vec<BusOutput>) {
        let mut items = Vec::new();
        self.framer.push(bytes, |item| items.push(item));
        for item in items {
            match item {
                BusItem::Reply(address, reply) => self.reply(address, reply, now, out),
                BusItem::Damaged => {
                    if let Some(pending) = &mut self.pending {
                        pending.damaged = true;
                    }
                }
            }
        }
        if let Some(pending) = &mut self.pending
            && pending.request != BusRequest::PingAll
        {
            // It is still talking.
            pending.deadline = pending.deadline.max(now + REPLY);
        }
    }

    /// The host says this to a board.
    pub fn command(&mut self, to: Address, bytes: &[u8], now: Stamp, out: &mut Vec<BusOutput>) {
        let fresh = DUMP_FRESH.max(DUMP_COST * self.crowd());
        let Some(seat) = self.seats.get_mut(&to) else { return };
        let mut say = |bytes: Vec<u8>| out.push(BusOutput::Bytes(to, bytes));
        for &byte in bytes {
            if std::mem::take(&mut seat.length_follows) {
                seat.skip = Some(byte);
                continue;
            }
            if let Some(left) = seat.skip.filter(|left| *left > 0) {
                seat.skip = Some(left - 1);
                continue;
            }
            match byte {
                0x40 => seat.reporting = false,
                0x41 => seat.want_clock = true,
                0x42 => match &seat.squares {
                    Some((squares, at)) if now.since(*at) < fresh => say(message(0x86, squares)),
                    _ => seat.want_dump = true,
                },
                0x43 | 0x44 | 0x4b => seat.reporting = true,
                0x45 => say(message(0x91, format!("{:05}", to.number()).as_bytes())),
                0x46 => say(message(0x90, &to.bytes())),
                0x4d => match seat.version {
                    Some(version) => say(message(0x93, &[version.major, version.minor])),
                    None => seat.want_version = true,
                },
                0x2b => seat.length_follows = true,
                // Notice, log, battery, long number: not to be had on a bus.
                _ => {}
            }
        }
        if self.pending.is_none() && now >= self.not_before {
            self.ask(now, out);
        }
    }

    /// Nobody listens to this board any more: it is offered again if it still answers.
    pub fn dropped(&mut self, address: Address) {
        if let Some(seat) = self.seats.get_mut(&address) {
            *seat = Seat { next_poll: seat.next_poll + SEARCH[0], ..Seat::default() };
        }
    }

    /// How many boards answer.
    fn crowd(&self) -> u32 {
        let present = self.seats.values().filter(|seat| seat.present).count();
        u32::try_from(present).unwrap_or(u32::MAX)
    }

    /// Puts the next request on the line.
    fn ask(&mut self, now: Stamp, out: &mut Vec<BusOutput>) {
        if self.pending.is_some() {
            return;
        }
        let request = self.next_of_search(now).or_else(|| self.next_of_boards(now));
        let Some(request) = request else { return };
        let wait = if request == BusRequest::PingAll { PING_ALL } else { REPLY };
        self.pending = Some(Pending { request, deadline: now + wait, tries: 1, damaged: false });
        out.push(BusOutput::Send(request.bytes()));
    }

    /// The search: boards that are known keep still, the others answer; as long as new ones do.
    fn next_of_search(&mut self, now: Stamp) -> Option<BusRequest> {
        if !self.search.running {
            if now < self.search.next {
                return None;
            }
            let present = self.seats.iter().filter(|(_, seat)| seat.present);
            self.search.quiet = present.map(|(address, _)| *address).collect();
            self.search.running = true;
            self.search.found = false;
        }
        Some(self.search.quiet.pop().map_or(BusRequest::PingAll, BusRequest::IgnorePingAll))
    }

    fn search_round_over(&mut self, now: Stamp) {
        self.search.running = false;
        let pause = SEARCH[usize::from(!self.seats.is_empty())];
        // Two that answered at once may both have been lost: look again as long as some are found.
        self.search.next = if self.search.found { now } else { now + pause };
    }

    /// What is next in the boards' turn.
    fn next_of_boards(&mut self, now: Stamp) -> Option<BusRequest> {
        let clock_every = CLOCK.max(POLL * self.crowd());
        let after = self.last;
        let mut order: Vec<Address> = self.seats.keys().copied().collect();
        order.sort_by_key(|address| (Some(*address) <= after, *address));
        for address in order {
            let Some(seat) = self.seats.get_mut(&address) else { continue };
            if seat.misses > 0 && now < seat.next_poll {
                continue;
            }
            let clock_due = seat.present && now.since(seat.clock_at) >= clock_every;
            let request = if seat.want_dump {
                BusRequest::Everything(address)
            } else if seat.want_version {
                BusRequest::Version(address)
            } else if !seat.present {
                if now < seat.next_poll {
                    continue;
                }
                BusRequest::Ping(address)
            } else if seat.want_clock || clock_due {
                BusRequest::Clock(address)
            } else if now >= seat.next_poll {
                BusRequest::Changes(address)
            } else {
                continue;
            };
            self.last = Some(address);
            return Some(request);
        }
        None
    }

    fn reply(&mut self, from: Address, reply: BusReply, now: Stamp, out: &mut Vec<BusOutput>) {
        let expected = self.pending.is_some_and(|pending| pending.request.expects(from));
        if !expected || (!self.seats.contains_key(&from) && self.seats.len() >= MOST) {
            return;
        }
        let request = self.pending.map(|pending| pending.request);
        if !self.seats.contains_key(&from) {
            self.search.found = true;
        }
        let seat = self.seats.entry(from).or_default();
        seat.misses = 0;
        if !seat.present {
            *seat = Seat { present: true, want_version: true, ..Seat::default() };
            out.push(BusOutput::Appeared(from));
        }
        seat.next_poll = now + POLL;
        let mut done = request != Some(BusRequest::PingAll);
        match reply {
            BusReply::Here => {}
            BusReply::Version(version) => {
                // Boards up to 1.2 say no version.
                let version = version.unwrap_or(Version { major: 1, minor: 2 });
                seat.version = Some(version);
                seat.want_version = false;
                out.push(BusOutput::Bytes(from, message(0x93, &[version.major, version.minor])));
            }
            BusReply::Clock(times) => {
                let news = seat.want_clock || seat.clock != Some(times);
                (seat.clock, seat.clock_at, seat.want_clock) = (Some(times), now, false);
                if news && seat.reporting {
                    out.push(BusOutput::Bytes(from, message(0x8d, &times)));
                }
                done = !matches!(request, Some(BusRequest::Everything(_)));
            }
            BusReply::Changes(log) => {
                seat.changes(&log.entries, from, out);
                done = !matches!(request, Some(BusRequest::Everything(_)));
            }
            BusReply::Squares(squares) => {
                seat.squares = Some((*squares, now));
                seat.want_dump = false;
                out.push(BusOutput::Bytes(from, message(0x86, squares.as_slice())));
            }
        }
        if done {
            self.pending = None;
            self.not_before = now + GAP;
        }
    }

    /// The time for an answer is over.
    fn unanswered(&mut self, pending: Pending, now: Stamp, out: &mut Vec<BusOutput>) {
        self.pending = None;
        let Some(address) = pending.request.address() else {
            self.search_round_over(now);
            return;
        };
        if pending.tries < TRIES {
            // Changes are forgotten once they are sent: if they came damaged, ask for the same ones.
            let request = match pending.request {
                BusRequest::Changes(address) if pending.damaged => {
                    BusRequest::ChangesAgain(address)
                }
                same => same,
            };
            let tries = pending.tries + 1;
            self.pending =
                Some(Pending { request, deadline: now + REPLY, tries, damaged: pending.damaged });
            out.push(BusOutput::Send(request.bytes()));
            return;
        }
        let Some(seat) = self.seats.get_mut(&address) else { return };
        // Whatever was lost, the squares themselves tell.
        seat.squares = None;
        seat.want_dump |= seat.reporting;
        if pending.damaged {
            seat.next_poll = now + POLL;
            return;
        }
        seat.misses += 1;
        let rest = Duration::from_millis(250) * 2_u32.saturating_pow(seat.misses.min(8));
        seat.next_poll = now + rest.min(LONGEST_REST);
        if seat.misses == GONE && seat.present {
            let rest = seat.next_poll;
            *seat = Seat { misses: GONE, next_poll: rest, ..Seat::default() };
            out.push(BusOutput::Vanished(address));
        }
    }
}

impl Seat {
    fn changes(&mut self, entries: &[LogEntry], from: Address, out: &mut Vec<BusOutput>) {
        let mut bytes = Vec::new();
        for entry in entries {
            match *entry {
                LogEntry::Changed { field, contact, .. } => {
                    if let Some((squares, _)) = &mut self.squares {
                        squares[field.index()] = contact.code();
                    }
                    bytes.extend(message(0x8e, &[field.number(), contact.code()]));
                }
                LogEntry::Halted { .. } => self.want_clock = true,
                // Something is missing, or the board began anew.
                LogEntry::Gap { .. } | LogEntry::PowerUp | LogEntry::WatchdogReset => {
                    self.squares = None;
                    self.want_dump = true;
                }
                _ => {}
            }
        }
        if self.reporting && !bytes.is_empty() {
            out.push(BusOutput::Bytes(from, bytes));
        }
    }
}

impl BusRequest {
    /// Whom it asks; `None`: all.
    fn address(self) -> Option<Address> {
        match self {
            BusRequest::PingAll => None,
            BusRequest::Clock(address)
            | BusRequest::Changes(address)
            | BusRequest::ChangesAgain(address)
            | BusRequest::Ping(address)
            | BusRequest::IgnorePingAll(address)
            | BusRequest::Version(address)
            | BusRequest::Everything(address) => Some(address),
        }
    }

    fn expects(self, from: Address) -> bool {
        self.address().is_none_or(|address| address == from)
    }
}

/// A message as a board of its own would send it.
///
/// None that a bus board has is longer than 67 bytes.
fn message(id: u8, payload: &[u8]) -> Vec<u8> {
    let total = u8::try_from(payload.len() + 3).unwrap_or(0x7f) & 0x7f;
    let mut bytes = vec![id, 0, total];
    bytes.extend_from_slice(payload);
    bytes
}
