//! What to show, replace, close and remember: decided here, done elsewhere.
//!
//! A machine without clock, files or bus: [`Desk::step`] takes what happened and when, and answers
//! with what to do. It keeps a picture of what ought to be on the screen and asks for the
//! differences, so that a lost or repeated message heals by itself: what is shown once stays, what
//! is not shown is shown, nothing twice.
//!
//! Several alerts at once: up to [`SEPARATE`] of one hall and class have notifications of their
//! own. With more they become one, which lists them; it stays one until all are gone, so that
//! nothing already seen pops up again.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{
    memory::{Entry, HostMemory, Memory, Standing, VERSION},
    note::{About, AlertKey, Key, Note},
    screen::Screen,
    side::{BACK_STAYS, LEAVE_TIME, Line, Side},
};
use crate::{
    ctl::hosts::{AlertClass, Fault, Host, News, Position},
    units::Stamp,
};

/// So many alerts of one hall and class are shown one by one.
pub const SEPARATE: usize = 3;
/// How long a line may be down before it is shown: a daemon that is restarted is soon back.
const GRACE: Duration = Duration::from_secs(2);

/// What happened.
#[derive(Clone, Debug)]
pub enum Input {
    /// A host told something: its place in the list, and what.
    News(usize, News),
    /// A notification is on the screen: its number, and the server's name.
    Posted(Key, u32, String),
    /// A notification could not be shown.
    NotPosted(Key),
    /// A notification has left the screen: its number, and why (1 expired, 2 by the user, 3 by us).
    Closed(u32, u32),
    /// A button was pressed: the notification's number, and the button.
    Pressed(u32, String),
    /// The notification server: its name, or none.
    Server(Option<String>),
    /// What came of acknowledging an alert.
    Answered(AlertKey, Answer),
    /// There is no terminal to show a board in: what to type.
    NoTerminal(String),
    /// Time has passed.
    Tick,
}

/// What came of acknowledging an alert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The daemon has taken note, or somebody was faster.
    Done,
    /// It was not allowed, and why.
    Refused(String),
    /// The host could not be asked.
    Unheard,
}

/// What to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Show this, in place of the notification with that number (0: of none).
    Post {
        /// Its place.
        key: Key,
        /// What to show.
        note: Box<Note>,
        /// What it replaces.
        replaces: u32,
        /// Something in it is new: it may sound.
        sound: bool,
    },
    /// Take this off the screen.
    Close(u32),
    /// Tell a host that an alert was seen.
    Acknowledge(usize, AlertKey),
    /// Show a board of a host: the path of its object.
    Show(usize, String),
    /// A line to a PC broke.
    Broken(String, Fault),
    /// A line to a PC stands.
    Mended {
        /// The PC.
        pc: String,
        /// The daemon's version.
        version: String,
        /// What the PC calls itself.
        hostname: String,
    },
    /// The notification server went (false) or came.
    Server(bool),
}

/// The button that says an alert was seen.
pub const SEEN: &str = "seen";
/// The button that shows a board.
pub const SHOW: &str = "show";

/// The arbiter's desk.
#[derive(Debug)]
pub struct Desk {
    sides: Vec<Side>,
    screen: Screen,
    /// Hall and class of which the alerts are shown as one.
    grouped: BTreeSet<(String, AlertClass)>,
    /// Hosts of which it was told that there are no rights.
    no_rights: BTreeSet<usize>,
    rights_away: BTreeSet<usize>,
    clashes_told: BTreeSet<String>,
    /// Hosts of which it was told that they do not take acknowledgements.
    refusals: BTreeSet<usize>,
    failed: BTreeMap<u64, Note>,
    failures: u64,
    /// What is remembered of hosts that are not in the list now.
    others: BTreeMap<String, HostMemory>,
}

impl Desk {
    /// A desk for these hosts, with what is remembered.
    pub fn new(hosts: &[Host], memory: Memory) -> Desk {
        let mut others = memory.hosts;
        let sides = hosts.iter().map(|host| {
            let key = host.way.key();
            let known = others.remove(&key).unwrap_or_default();
            Side::new(host, &key, known)
        });
        Desk {
            sides: sides.collect(),
            screen: Screen::new(memory.server, memory.screen),
            grouped: BTreeSet::new(),
            no_rights: BTreeSet::new(),
            rights_away: BTreeSet::new(),
            clashes_told: memory.clashes,
            refusals: BTreeSet::new(),
            failed: BTreeMap::new(),
            failures: 0,
            others,
        }
    }

    /// What is to be remembered.
    pub fn memory(&self) -> Memory {
        let mut hosts = self.others.clone();
        for side in &self.sides {
            hosts.insert(side.key.clone(), side.memory());
        }
        let (server, screen) = self.screen.memory();
        let clashes = self.clashes_told.clone();
        Memory { version: VERSION, hosts, server, screen, clashes }
    }

    /// After which event each host has to tell what was missed.
    pub fn positions(&self) -> Vec<Option<Position>> {
        let known = |side: &Side| Some(side.position.clone()).filter(|p| !p.journal.is_empty());
        self.sides.iter().map(known).collect()
    }

    /// When to come back at the latest with [`Input::Tick`].
    pub fn due(&self) -> Option<Stamp> {
        let entries = self.sides.iter().flat_map(|side| side.alerts.values());
        let leaving = entries.filter_map(|entry| match entry.standing {
            Standing::Leaving(since) => Some(since + LEAVE_TIME),
            _ => None,
        });
        let lines = self.sides.iter().filter_map(|side| match side.line {
            Line::Back(since) => Some(since + BACK_STAYS),
            Line::Down { since, put_away: false, .. } => Some(since + GRACE),
            _ => None,
        });
        // What is past is on the screen already.
        let now = self.screen.now();
        leaving.chain(lines).filter(|at| *at > now).chain(self.screen.due()).min()
    }

    /// Something happened, or time has passed: what to do about it.
    pub fn step(&mut self, now: Stamp, input: Input) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.screen.at(now);
        match input {
            // Nothing on the screen depends on it.
            Input::News(host, News::Reached(seq)) => {
                if let Some(side) = self.sides.get_mut(host) {
                    side.position.seq = side.position.seq.max(seq);
                }
                return effects;
            }
            Input::News(host, news) => self.news(now, host, news, &mut effects),
            Input::Posted(key, id, server) => {
                self.server(Some(server), &mut effects);
                for about in self.screen.posted(&key, id) {
                    if let Some(entry) = self.entry(&about) {
                        entry.told = true;
                    }
                }
            }
            Input::NotPosted(key) => self.screen.not_posted(&key),
            Input::Closed(id, reason) => {
                if let Some((key, note)) = self.screen.closed(id, reason) {
                    self.put_away(&key, &note);
                }
            }
            Input::Pressed(id, button) => self.pressed(id, &button, &mut effects),
            Input::Server(server) => self.server(server, &mut effects),
            Input::Answered(alert, answer) => self.answered(alert, answer),
            Input::NoTerminal(command) => self.fail(Note::NoTerminal { command }),
            Input::Tick => {}
        }
        self.age(now);
        let wanted = self.wanted(now);
        let entries = self.sides.iter().flat_map(|side| &side.alerts);
        let untold: BTreeSet<&AlertKey> =
            entries.filter(|(_, entry)| !entry.told).map(|(key, _)| key).collect();
        self.screen.turn_into(wanted, |about| !untold.contains(&about.key), &mut effects);
        effects
    }

    fn server(&mut self, server: Option<String>, effects: &mut Vec<Effect>) {
        if let Some(there) = self.screen.serve(server) {
            effects.push(Effect::Server(there));
        }
    }

    fn news(&mut self, now: Stamp, host: usize, news: News, effects: &mut Vec<Effect>) {
        let Some(side) = self.sides.get_mut(host) else { return };
        match news {
            News::State(state) => {
                let fresh = side.up(now, &state, effects);
                side.state(*state, fresh);
                if side.rights {
                    self.no_rights.remove(&host);
                    self.rights_away.remove(&host);
                    self.refusals.remove(&host);
                } else {
                    self.no_rights.insert(host);
                }
                let unsent = std::mem::take(&mut self.sides[host].unsent);
                for alert in unsent {
                    self.acknowledge(host, alert, effects);
                }
            }
            News::Alert(alert) => side.open(*alert, false),
            News::AlertGone(id) => side.gone(now, id),
            News::Event(event) => side.event(&event, None),
            News::Down(fault) => {
                if !matches!(side.line, Line::Down { .. }) {
                    effects.push(Effect::Broken(side.name.clone(), fault.clone()));
                }
                side.down(now, fault);
            }
            News::Board(board, interface, properties) => side.board(board, &interface, &properties),
            News::BoardLess(board, interfaces) => side.board_less(&board, &interfaces),
            News::Reached(_) => {}
        }
    }

    fn entry(&mut self, key: &AlertKey) -> Option<&mut Entry> {
        self.sides.iter_mut().find(|side| side.key == key.host)?.alerts.get_mut(key)
    }

    fn pressed(&mut self, id: u32, button: &str, effects: &mut Vec<Effect>) {
        let Some((_, note)) = self.screen.find(id) else { return };
        let note = note.clone();
        if button == SHOW {
            self.screen.board_shown(id);
            if let Some(about) = note.about().first()
                && let Some(host) = self.sides.iter().position(|side| side.key == about.key.host)
            {
                effects.push(Effect::Show(host, about.alert.board.clone()));
            }
        } else if button == SEEN {
            for about in note.about() {
                let Some(host) = self.sides.iter().position(|s| s.key == about.key.host) else {
                    continue;
                };
                let Some(entry) = self.sides[host].alerts.get_mut(&about.key) else { continue };
                entry.seen = true;
                match entry.standing {
                    Standing::Open | Standing::Leaving(_) => {
                        self.acknowledge(host, about.key.clone(), effects);
                    }
                    _ => entry.standing = Standing::Past,
                }
            }
        }
    }

    /// Tells the host now, or when it can be heard again.
    fn acknowledge(&mut self, host: usize, alert: AlertKey, effects: &mut Vec<Effect>) {
        let side = &mut self.sides[host];
        let open = side.alerts.get(&alert).is_some_and(|entry| entry.standing == Standing::Open);
        if !open {
            return;
        }
        if matches!(side.line, Line::Up | Line::Back(_)) {
            effects.push(Effect::Acknowledge(host, alert));
        } else {
            side.unsent.insert(alert);
        }
    }

    fn answered(&mut self, alert: AlertKey, answer: Answer) {
        let Some(host) = self.sides.iter().position(|side| side.key == alert.host) else { return };
        match answer {
            Answer::Done => {}
            Answer::Unheard => {
                self.sides[host].unsent.insert(alert);
            }
            Answer::Refused(why) => {
                if self.refusals.insert(host) {
                    self.fail(Note::NotAcknowledged { pc: self.sides[host].name.clone(), why });
                }
            }
        }
    }

    fn fail(&mut self, note: Note) {
        self.failures += 1;
        self.failed.insert(self.failures, note);
    }

    /// The user has put a notification away.
    fn put_away(&mut self, key: &Key, note: &Note) {
        for about in note.about() {
            if let Some(entry) = self.entry(&about.key) {
                entry.seen = true;
                if matches!(entry.standing, Standing::Orphan | Standing::Withdrawn) {
                    entry.standing = Standing::Past;
                }
            }
        }
        match key {
            Key::Lines(hall) => {
                for side in self.sides.iter_mut().filter(|side| side.hall == *hall) {
                    match &mut side.line {
                        Line::Down { put_away, .. } => *put_away = true,
                        line @ Line::Back(_) => *line = Line::Up,
                        _ => {}
                    }
                }
            }
            Key::Rights => self.rights_away.extend(&self.no_rights),
            Key::Clash(label) => {
                self.clashes_told.insert(label.clone());
            }
            Key::Failed(number) => {
                self.failed.remove(number);
            }
            Key::Alert(_) | Key::Several(..) => {}
        }
    }

    fn age(&mut self, now: Stamp) {
        for side in &mut self.sides {
            side.age(now);
        }
    }

    /// What ought to be on the screen.
    fn wanted(&mut self, now: Stamp) -> BTreeMap<Key, Note> {
        let mut wanted = BTreeMap::new();
        let halls: BTreeSet<String> = self.sides.iter().map(|side| side.hall.clone()).collect();
        let clashes = self.clashes();
        for hall in halls {
            for class in [AlertClass::Urgent, AlertClass::Notice] {
                self.want_alerts(&hall, class, &clashes, &mut wanted);
            }
            if let Some(note) = self.lines(now, &hall) {
                wanted.insert(Key::Lines(hall), note);
            }
        }
        if self.no_rights.iter().any(|host| !self.rights_away.contains(host)) {
            let pcs = self.no_rights.iter().map(|host| self.sides[*host].name.clone());
            wanted.insert(Key::Rights, Note::NoRights(pcs.collect()));
        }
        for ((_, label), pcs) in clashes {
            if !self.clashes_told.contains(&label) {
                wanted.insert(Key::Clash(label.clone()), Note::Clash { label, pcs });
            }
        }
        wanted.extend(self.failed.iter().map(|(n, note)| (Key::Failed(*n), note.clone())));
        wanted
    }

    /// Labels that boards of several PCs of one hall have, by hall and label.
    fn clashes(&self) -> BTreeMap<(String, String), Vec<String>> {
        let mut all: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for side in &self.sides {
            let labels: BTreeSet<&String> = side.labels.values().collect();
            for label in labels.into_iter().filter(|label| !label.is_empty()) {
                let key = (side.hall.clone(), label.clone());
                all.entry(key).or_default().push(side.name.clone());
            }
        }
        all.retain(|_, pcs| pcs.len() > 1);
        all
    }

    fn want_alerts(
        &mut self,
        hall: &str,
        class: AlertClass,
        clashes: &BTreeMap<(String, String), Vec<String>>,
        wanted: &mut BTreeMap<Key, Note>,
    ) {
        let alone = self.sides.len() == 1;
        let mut open = Vec::new();
        for side in self.sides.iter().filter(|side| side.hall == hall) {
            let entries = side.alerts.iter();
            for (key, entry) in entries.filter(|(_, e)| e.alert.class == class && !e.seen) {
                let label = (hall.to_owned(), entry.alert.label.clone());
                let mut who = entry.alert.who().to_owned();
                if clashes.contains_key(&label) {
                    who = format!("{who} ({})", side.name);
                }
                let pc = if alone { String::new() } else { side.name.clone() };
                let (alert, late) = (entry.alert.clone(), entry.late);
                let about = About { key: key.clone(), pc, who, late, alert };
                match entry.standing {
                    Standing::Open | Standing::Orphan | Standing::Leaving(_) => open.push(about),
                    Standing::Withdrawn => {
                        let note = Note::Withdrawn(Box::new(about));
                        wanted.insert(Key::Alert(key.clone()), note);
                    }
                    Standing::Past => {}
                }
            }
        }
        let group = (hall.to_owned(), class);
        if open.len() > SEPARATE {
            self.grouped.insert(group.clone());
        } else if open.is_empty() {
            self.grouped.remove(&group);
        }
        if self.grouped.contains(&group) {
            open.sort_by(|a, b| (b.alert.raised_at, &b.key).cmp(&(a.alert.raised_at, &a.key)));
            let note = Note::Several { hall: hall.to_owned(), class, list: open };
            wanted.insert(Key::Several(hall.to_owned(), class), note);
            return;
        }
        for about in open {
            wanted.insert(Key::Alert(about.key.clone()), Note::One(Box::new(about)));
        }
    }

    fn lines(&self, now: Stamp, hall: &str) -> Option<Note> {
        let sides: Vec<&Side> = self.sides.iter().filter(|side| side.hall == hall).collect();
        let (mut down, mut back, mut fresh) = (Vec::new(), Vec::new(), false);
        for side in &sides {
            match &side.line {
                Line::Down { fault, since, put_away } if *since + GRACE <= now => {
                    down.push((side.name.clone(), fault.clone()));
                    fresh |= !put_away;
                }
                Line::Back(_) => back.push(side.name.clone()),
                _ => {}
            }
        }
        let (hall, of) = (hall.to_owned(), sides.len());
        if fresh {
            return Some(Note::LinesDown { hall, down, of });
        }
        // Only in place of a notification that said it was down.
        (down.is_empty() && !back.is_empty() && self.screen.has(&Key::Lines(hall.clone())))
            .then_some(Note::LinesBack { hall, back })
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
