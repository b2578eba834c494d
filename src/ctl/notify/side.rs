//! One host as the desk knows it: its line, and what has become of its alerts.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{
    memory::{Entry, HostMemory, Standing},
    note::AlertKey,
    rules::Effect,
};
use crate::{
    ctl::hosts::{Alert, AlertClass, Event, Fault, Host, Position, State},
    units::Stamp,
};

/// How long an alert that has gone stands until it is known why it went.
pub const LEAVE_TIME: Duration = Duration::from_millis(400);
/// How long it stands that a line is back.
pub const BACK_STAYS: Duration = Duration::from_secs(60);
/// How many settled alerts are remembered of a host, in case one is withdrawn.
pub const PAST: usize = 64;
const BOARD: &str = "org.dgtd.Board1";

/// The line to a host.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// Nothing was heard of it yet.
    Unknown,
    /// It stands.
    Up,
    /// It stands again, since.
    Back(Stamp),
    /// It is broken.
    Down {
        /// Why.
        fault: Fault,
        /// Since when.
        since: Stamp,
        /// The user has put the notification away.
        put_away: bool,
    },
}

/// What is known of a host.
#[derive(Debug)]
pub struct Side {
    /// What people call it.
    pub name: String,
    /// The hall; empty where there is only one.
    pub hall: String,
    /// What it is remembered under.
    pub key: String,
    /// The line to it.
    pub line: Line,
    /// What only the arbiter may know can be read.
    pub rights: bool,
    /// How far its journal was followed.
    pub position: Position,
    /// When its daemon started, microseconds since the epoch; 0: not known.
    pub started_at: u64,
    /// Its alerts.
    pub alerts: BTreeMap<AlertKey, Entry>,
    /// Alerts that were seen here, of which it could not be told yet.
    pub unsent: BTreeSet<AlertKey>,
    /// What people call its boards, by the path of the object.
    pub labels: BTreeMap<String, String>,
}

impl Side {
    /// A host, with what is remembered of it.
    pub fn new(host: &Host, key: &str, known: HostMemory) -> Side {
        let alerts = known.alerts.into_iter().map(|entry| {
            let (journal, id) = (entry.journal.clone(), entry.alert.id);
            (AlertKey { host: key.to_owned(), journal, id }, entry)
        });
        Side {
            alerts: alerts.collect(),
            name: host.name.clone(),
            hall: host.hall.clone(),
            key: key.to_owned(),
            line: Line::Unknown,
            rights: true,
            position: known.position,
            started_at: known.started_at,
            unsent: known.unsent,
            labels: BTreeMap::new(),
        }
    }

    /// What is to be remembered.
    pub fn memory(&self) -> HostMemory {
        let alerts = self.alerts.values().cloned().map(|mut entry| {
            if let Standing::Leaving(_) = entry.standing {
                entry.standing = Standing::Open;
            }
            entry
        });
        HostMemory {
            position: self.position.clone(),
            started_at: self.started_at,
            alerts: alerts.collect(),
            unsent: self.unsent.clone(),
        }
    }

    /// Properties of a board's object.
    pub fn board(
        &mut self,
        path: String,
        interface: &str,
        properties: &BTreeMap<String, serde_json::Value>,
    ) {
        let label = properties.get("Label").and_then(serde_json::Value::as_str);
        if let Some(label) = label.filter(|_| interface == BOARD) {
            self.labels.insert(path, label.to_owned());
        }
    }

    /// Interfaces a board's object has no more.
    pub fn board_less(&mut self, path: &str, interfaces: &[String]) {
        if interfaces.iter().any(|interface| interface == BOARD) {
            self.labels.remove(path);
        }
    }

    /// The key of an alert of the daemon as it is now.
    pub fn alert_key(&self, id: u64) -> AlertKey {
        AlertKey { host: self.key.clone(), journal: self.position.journal.clone(), id }
    }

    /// The line stands; says whether it did not before.
    pub fn up(&mut self, now: Stamp, state: &State, effects: &mut Vec<Effect>) -> bool {
        let fresh = !matches!(self.line, Line::Up | Line::Back(_));
        if fresh {
            let (pc, version) = (self.name.clone(), state.version.clone());
            effects.push(Effect::Mended { pc, version, hostname: state.hostname.clone() });
            let was_down = matches!(self.line, Line::Down { put_away: false, .. });
            self.line = if was_down { Line::Back(now) } else { Line::Up };
        }
        fresh
    }

    /// The line is broken.
    pub fn down(&mut self, now: Stamp, why: Fault) {
        match &mut self.line {
            Line::Down { fault, .. } => *fault = why,
            line => *line = Line::Down { fault: why, since: now, put_away: false },
        }
    }

    /// Takes over what a daemon says of itself; `fresh` after a connection.
    pub fn state(&mut self, state: State, fresh: bool) {
        let restarted = self.started_at != 0 && self.started_at != state.started_at;
        self.rights = state.rights;
        let labels = state
            .boards
            .iter()
            .map(|board| (board.path.clone(), board.text(BOARD, "Label").to_owned()));
        self.labels = labels.collect();
        if self.position.journal != state.journal {
            // Another journal: numbers start afresh, and what was open in the old one is not there
            // to be acknowledged any more.
            for entry in self.alerts.values_mut() {
                entry.forgotten(true);
            }
            self.unsent.clear();
            self.position = Position { journal: state.journal.clone(), seq: state.seq };
        }
        let restarted_with = restarted.then_some(&state.alerts);
        for event in &state.missed {
            self.event(event, restarted_with);
        }
        for (key, entry) in &mut self.alerts {
            let of_this = key.journal == state.journal;
            if of_this && entry.standing == Standing::Open && !state.alerts.contains_key(&key.id) {
                entry.forgotten(restarted);
            }
        }
        for alert in state.alerts.into_values() {
            self.open(alert, fresh);
        }
        self.started_at = state.started_at;
        self.bound();
    }

    /// An alert is open; `late` when that happened while nobody here listened.
    pub fn open(&mut self, alert: Alert, late: bool) {
        if alert.class == AlertClass::Quiet {
            return;
        }
        let game = alert.game.clone();
        let (key, journal) = (self.alert_key(alert.id), self.position.journal.clone());
        if alert.class == AlertClass::Urgent && !self.alerts.contains_key(&key) {
            // The game that went on is over again: the newest word counts.
            for (other, entry) in &mut self.alerts {
                if entry.alert.game == game && entry.standing == Standing::Withdrawn && *other < key
                {
                    entry.standing = Standing::Past;
                }
            }
        }
        let entry = self.alerts.entry(key).or_insert(Entry {
            journal,
            alert,
            standing: Standing::Open,
            told: false,
            seen: false,
            late,
            withdrawn: false,
        });
        if entry.standing == Standing::Orphan {
            entry.standing = Standing::Open;
        }
    }

    /// An alert's object has gone; why, an event says in a moment.
    pub fn gone(&mut self, now: Stamp, id: u64) {
        let key = self.alert_key(id);
        self.unsent.remove(&key);
        if let Some(entry) = self.alerts.get_mut(&key)
            && entry.standing == Standing::Open
        {
            let wait = entry.alert.class == AlertClass::Urgent && entry.told && !entry.seen;
            entry.standing = if wait { Standing::Leaving(now) } else { Standing::Past };
        }
        self.bound();
    }

    /// An event; `restarted_with` are the alerts a restarted daemon still has, when it tells what
    /// was missed.
    pub fn event(&mut self, event: &Event, restarted_with: Option<&BTreeMap<u64, Alert>>) {
        match event.kind.as_str() {
            "game_over" => {
                let key = self.alert_key(event.seq);
                let lost = restarted_with.is_some_and(|open| !open.contains_key(&event.seq));
                if lost && !self.alerts.contains_key(&key) {
                    let mut entry = Entry::lost(&self.position.journal, event);
                    entry.standing = Standing::Orphan;
                    self.alerts.insert(key, entry);
                }
            }
            "game_over_withdrawn" => {
                for (key, entry) in &mut self.alerts {
                    let this = key.journal == self.position.journal
                        && key.id < event.seq
                        && entry.alert.game == event.game
                        && entry.alert.class == AlertClass::Urgent;
                    if this && !entry.withdrawn {
                        // Who has not heard of the end need not hear that there was none.
                        let told = entry.told;
                        entry.withdrawn = true;
                        entry.standing = if told { Standing::Withdrawn } else { Standing::Past };
                        entry.seen &= !told;
                        entry.told = false;
                    }
                }
            }
            "acknowledged" => {
                let id = event.details.get("alert").and_then(serde_json::Value::as_u64);
                let key = id.map(|id| self.alert_key(id));
                if let Some(entry) = key.and_then(|key| self.alerts.get_mut(&key))
                    && entry.standing != Standing::Withdrawn
                {
                    entry.standing = Standing::Past;
                }
            }
            _ => {}
        }
    }

    /// Time has passed.
    pub fn age(&mut self, now: Stamp) {
        if let Line::Back(since) = self.line
            && since + BACK_STAYS <= now
        {
            self.line = Line::Up;
        }
        for entry in self.alerts.values_mut() {
            if let Standing::Leaving(since) = entry.standing
                && since + LEAVE_TIME <= now
            {
                entry.standing = Standing::Past;
            }
        }
    }

    /// Forgets the oldest settled alerts.
    fn bound(&mut self) {
        let past = self.alerts.values().filter(|e| e.standing == Standing::Past).count();
        let mut surplus = past.saturating_sub(PAST);
        self.alerts.retain(|_, entry| {
            let goes = surplus > 0 && entry.standing == Standing::Past;
            surplus -= usize::from(goes);
            !goes
        });
    }
}

impl Entry {
    /// The alert of an end nobody here was told of.
    fn lost(journal: &str, event: &Event) -> Entry {
        let alert = Alert {
            id: event.seq,
            board: event.board.clone(),
            game: event.game.clone(),
            label: event.label().to_owned(),
            class: AlertClass::Urgent,
            title: String::new(),
            body: event.text.clone(),
            raised_at: event.usec,
            details: event.details.clone(),
        };
        Entry {
            journal: journal.to_owned(),
            alert,
            standing: Standing::Open,
            told: false,
            seen: false,
            late: true,
            withdrawn: false,
        }
    }

    /// The daemon does not have it open any more, and nothing says why. One that was running all
    /// the time has had it acknowledged; one that was restarted may just have forgotten it, and
    /// then an end that nobody has seen must stay.
    fn forgotten(&mut self, restarted: bool) {
        let open = matches!(self.standing, Standing::Open | Standing::Leaving(_));
        if open {
            let stays = restarted && self.alert.class == AlertClass::Urgent && !self.seen;
            self.standing = if stays { Standing::Orphan } else { Standing::Past };
        }
    }
}
