//! The PCs of the hall and their boards, as their daemons tell of them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{
    arbiter::{EventKind, event::Side},
    ctl::{
        client::BoardObject,
        hosts::{Alert, AlertClass, Fault, Host, News, State},
    },
    signals::audience::Audience,
};

/// The interface everyone may read of a board.
pub const BOARD: &str = "org.dgtd.Board1";
/// The interface of a game.
pub const GAME: &str = "org.dgtd.Game1";
/// The interface of a clock.
pub const CLOCK: &str = "org.dgtd.Clock1";
/// The interface for the arbiter's people.
pub const ARBITER_ONLY: &str = "org.dgtd.ArbiterOnly1";

/// The line to a PC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing was heard of it yet.
    Unknown,
    /// It stands.
    Up,
    /// It is broken, and why.
    Down(Fault),
}

/// An open alert, and who may see it.
#[derive(Clone, Debug)]
pub struct Open {
    /// The alert.
    pub alert: Alert,
    /// Everyone may see it.
    pub public: bool,
    /// What raised it; none for what a newer daemon tells.
    pub event: Option<EventKind>,
}

impl Open {
    fn new(alert: Alert) -> Open {
        let event: Option<EventKind> =
            serde_json::from_value(Value::Object(alert.details.clone())).ok();
        let known = event.as_ref().is_some_and(|event| Audience::of(event).is_public());
        Open { public: known || alert.class == AlertClass::Urgent, event, alert }
    }

    /// It tells of a game that is over.
    pub fn is_end(&self) -> bool {
        self.alert.class == AlertClass::Urgent
    }

    /// The arbiter must or may act, and people who walk by must not see why.
    pub fn is_hidden_notice(&self) -> bool {
        !self.public && self.alert.class == AlertClass::Notice
    }
}

/// Times that were read from a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Read {
    /// White's time in milliseconds.
    white: Option<u64>,
    /// Black's.
    black: Option<u64>,
    /// When, microseconds since the epoch on the PC of the board.
    at: u64,
}

/// What a clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// White's time in milliseconds, if known.
    pub white: Option<u64>,
    /// Black's.
    pub black: Option<u64>,
    /// Whose time runs.
    pub running: Option<Side>,
}

/// A board.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// Its object.
    pub object: BoardObject,
    read: Read,
}

impl Board {
    /// A number among its properties.
    pub fn number(&self, interface: &str, property: &str) -> Option<u64> {
        self.object.get(interface, property).and_then(Value::as_u64)
    }

    /// The name people use: the label, else that of the object.
    pub fn who(&self) -> &str {
        let label = self.object.text(BOARD, "Label");
        if label.is_empty() { self.object.name() } else { label }
    }

    fn running(&self) -> Option<Side> {
        match self.object.text(CLOCK, "Running") {
            "white" => Some(Side::White),
            "black" => Some(Side::Black),
            _ => None,
        }
    }

    /// What the clock shows when it is `at` on its PC; none without a clock.
    fn times(&self, at: u64) -> Option<Times> {
        self.object.object.get(CLOCK)?;
        let passed = at.saturating_sub(self.read.at) / 1000;
        let running = self.running();
        let after = |time: Option<u64>, side| {
            time.map(|ms| if running == Some(side) { ms.saturating_sub(passed) } else { ms })
        };
        Some(Times {
            white: after(self.read.white, Side::White),
            black: after(self.read.black, Side::Black),
            running,
        })
    }

    /// New properties of an interface, at a time of its PC.
    fn take(&mut self, interface: &str, values: BTreeMap<String, Value>, at: u64) {
        if interface == ARBITER_ONLY {
            self.object.arbiter_only.extend(values);
            return;
        }
        if interface == CLOCK {
            // Whose time runs may change without the times being told: up to here they are known.
            if let Some(Times { white, black, .. }) = self.times(at) {
                self.read = Read { white, black, at };
            }
            let read = read(&values);
            if read.at != 0 {
                self.read = read;
            }
        }
        self.object.object.entry(interface.to_owned()).or_default().extend(values);
    }
}

/// The times among the properties of a clock; `at` is 0 when there are none.
fn read(values: &BTreeMap<String, Value>) -> Read {
    // A time that is not known is below zero.
    let number = |key: &str| values.get(key).and_then(Value::as_u64);
    Read {
        white: number("WhiteMs"),
        black: number("BlackMs"),
        at: number("MeasuredAt").unwrap_or_default(),
    }
}

/// A PC with boards.
#[derive(Clone, Debug)]
pub struct Pc {
    /// What people call it.
    pub name: String,
    /// The hall; empty where there is only one.
    pub hall: String,
    /// The line to it.
    pub line: Line,
    /// What only the arbiter may know can be read.
    pub rights: bool,
    /// Its boards by their paths, as last heard.
    pub boards: BTreeMap<String, Board>,
    /// Its open alerts.
    pub alerts: BTreeMap<u64, Open>,
    /// By how many microseconds our time of day is ahead of its own, as far as seen.
    ahead: Option<i64>,
}

impl Pc {
    fn new(host: &Host) -> Pc {
        Pc {
            name: host.name.clone(),
            hall: host.hall.clone(),
            line: Line::Unknown,
            rights: true,
            boards: BTreeMap::new(),
            alerts: BTreeMap::new(),
            ahead: None,
        }
    }

    /// The time it is there when it is `wall` here.
    fn there(&self, wall: u64) -> u64 {
        wall.saturating_add_signed(self.ahead.unwrap_or_default().saturating_neg())
    }

    /// Something is dated `usec` there and heard here at `wall`: what comes late only seems older.
    fn dated(&mut self, usec: u64, wall: u64) {
        let seen = i64::try_from(wall).unwrap_or(i64::MAX)
            - i64::try_from(usec).unwrap_or(i64::MAX).min(i64::MAX / 2);
        self.ahead = Some(self.ahead.map_or(seen, |ahead| ahead.min(seen)));
    }

    /// What the clock of a board shows.
    pub fn times(&self, board: &Board, wall: u64) -> Option<Times> {
        board.times(self.there(wall))
    }

    /// The open alerts of a board, oldest first.
    pub fn alerts_of<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Open> {
        self.alerts.values().filter(move |open| open.alert.board == path)
    }

    fn state(&mut self, state: State, wall: u64) {
        self.line = Line::Up;
        self.rights = state.rights;
        let open = state.alerts.into_iter().map(|(id, alert)| (id, Open::new(alert)));
        self.alerts = open.collect();
        let board = |object: BoardObject| {
            let read = object.object.get(CLOCK).map(read).unwrap_or_default();
            (object.path.clone(), Board { object, read })
        };
        self.boards = state.boards.into_iter().map(board).collect();
        let running = self.boards.values().filter(|board| board.running().is_some());
        let newest = running.map(|board| board.read.at).max().unwrap_or_default();
        if newest != 0 {
            self.dated(newest, wall);
        }
    }

    fn news(&mut self, news: News, wall: u64) {
        match news {
            News::State(state) => self.state(*state, wall),
            News::Alert(alert) => {
                self.alerts.insert(alert.id, Open::new(*alert));
            }
            News::AlertGone(id) => {
                self.alerts.remove(&id);
            }
            News::Event(event) => {
                self.dated(event.usec, wall);
                let seconds = |key: &str| event.details.get(key).and_then(Value::as_u64);
                if let (Some(white), Some(black)) = (seconds("white_clock"), seconds("black_clock"))
                    && let Some(board) = self.boards.get_mut(&event.board)
                {
                    let (white, black) = (Some(white * 1000), Some(black * 1000));
                    board.read = Read { white, black, at: event.usec };
                }
            }
            News::Board(path, interface, values) => {
                let at = self.there(wall);
                let board = self.boards.entry(path.clone()).or_default();
                board.object.path = path;
                board.take(&interface, values, at);
            }
            News::BoardLess(path, interfaces) => {
                if interfaces.iter().any(|interface| interface == BOARD) {
                    self.boards.remove(&path);
                } else if let Some(board) = self.boards.get_mut(&path) {
                    for interface in interfaces {
                        board.object.object.remove(&interface);
                        if interface == ARBITER_ONLY {
                            board.object.arbiter_only.clear();
                        }
                    }
                }
            }
            News::Reached(_) => {}
            News::Down(fault) => self.line = Line::Down(fault),
        }
    }
}

/// All PCs, in the order in which they were named.
#[derive(Clone, Debug)]
pub struct Hall {
    /// The PCs.
    pub pcs: Vec<Pc>,
}

/// A board of the hall.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The place of its PC.
    pub host: usize,
    /// The path of its object.
    pub path: String,
}

impl Hall {
    /// A hall of which nothing was heard yet.
    pub fn new(hosts: &[Host]) -> Hall {
        Hall { pcs: hosts.iter().map(Pc::new).collect() }
    }

    /// Something a PC tells, heard at `wall`, in microseconds since the epoch.
    pub fn news(&mut self, host: usize, news: News, wall: u64) {
        if let Some(pc) = self.pcs.get_mut(host) {
            pc.news(news, wall);
        }
    }

    /// A board and its PC.
    pub fn board(&self, key: &Key) -> Option<(&Pc, &Board)> {
        let pc = self.pcs.get(key.host)?;
        Some((pc, pc.boards.get(&key.path)?))
    }

    /// The first board with this name, serial number or label.
    pub fn named(&self, name: &str) -> Option<Key> {
        self.pcs.iter().enumerate().find_map(|(host, pc)| {
            let (path, _) = pc.boards.iter().find(|(_, board)| {
                board.who() == name
                    || board.object.name() == name.replace('-', "_")
                    || board.object.text(BOARD, "Serial") == name
            })?;
            Some(Key { host, path: path.clone() })
        })
    }

    /// Labels that several boards of one hall have, by hall and label, with their PCs.
    pub fn clashes(&self) -> BTreeMap<(&str, &str), Vec<&str>> {
        let mut all: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for pc in &self.pcs {
            for board in pc.boards.values() {
                let label = board.object.text(BOARD, "Label");
                if !label.is_empty() {
                    all.entry((&pc.hall, label)).or_default().push(&pc.name);
                }
            }
        }
        all.retain(|_, pcs| pcs.len() > 1);
        for pcs in all.values_mut() {
            let different: BTreeSet<&str> = pcs.drain(..).collect();
            pcs.extend(different);
        }
        all
    }

    /// Whether all PCs have been heard of, be it that they cannot be reached.
    pub fn is_known(&self) -> bool {
        self.pcs.iter().all(|pc| pc.line != Line::Unknown)
    }
}
