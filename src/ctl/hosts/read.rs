//! The state of one daemon and what it tells, as values.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use zbus::{OwnedObjectPath, OwnedVariant};

use super::Fault;
use crate::{
    ctl::{
        CtlError,
        client::{BoardObject, Client, Object},
        json, plain,
    },
    signals::dbus::{ARBITER_NAME, NAME, ROOT},
};

/// The most events read at a time.
const PAGE: u32 = 500;

pub(super) const ALERT: &str = "org.dgtd.Alert1";
pub(super) const BOARD: &str = "org.dgtd.Board1";
pub(super) const JOURNAL: &str = "org.dgtd.Journal1";
const DAEMON: &str = "org.dgtd.Daemon1";

/// How loudly an alert may be brought (the classes A, B and C of the audience table).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AlertClass {
    /// A: the game is over.
    Urgent,
    /// B: the arbiter must or may act; silently.
    Notice,
    /// C, and whatever this program does not know: never pushed.
    Quiet,
}

/// An open alert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alert {
    /// Its number: that of the event which raised it.
    pub id: u64,
    /// The path of the board's object.
    pub board: String,
    /// The game's unique name, empty when none is on.
    pub game: String,
    /// What people call the board.
    pub label: String,
    /// How loudly it may be brought.
    pub class: AlertClass,
    /// A few words, in English.
    pub title: String,
    /// A sentence, in English.
    pub body: String,
    /// When, microseconds since the epoch.
    pub raised_at: u64,
    /// The fields of the event that raised it.
    pub details: Map<String, Value>,
}

impl Alert {
    /// The alert of an object's properties; none without a number.
    pub fn of(properties: &BTreeMap<String, Value>) -> Option<Alert> {
        let text =
            |key: &str| properties.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let class = match text("Severity").as_str() {
            "urgent" => AlertClass::Urgent,
            "notice" => AlertClass::Notice,
            _ => AlertClass::Quiet,
        };
        Some(Alert {
            id: properties.get("Id")?.as_u64()?,
            board: text("Board"),
            game: text("GameId"),
            label: text("Label"),
            class,
            title: text("Title"),
            body: text("Body"),
            raised_at: properties.get("RaisedAt").and_then(Value::as_u64).unwrap_or_default(),
            details: properties
                .get("Details")
                .and_then(Value::as_object)
                .cloned()
                .unwrap_or_default(),
        })
    }

    /// The name of its board: the label, else the last part of the object's path.
    pub fn who(&self) -> &str {
        if !self.label.is_empty() {
            return &self.label;
        }
        let last = self.board.rsplit('/').next().unwrap_or_default();
        last.strip_prefix("sn_").unwrap_or(last)
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its number in the journal.
    pub seq: u64,
    /// When, microseconds since the epoch.
    pub usec: u64,
    /// The path of the board's object.
    pub board: String,
    /// The game's unique name, empty when none is on.
    pub game: String,
    /// What kind of thing.
    pub kind: String,
    /// A sentence, in English.
    pub text: String,
    /// All its fields.
    pub details: Map<String, Value>,
}

impl Event {
    /// What people call the board, if the event says.
    pub fn label(&self) -> &str {
        self.details.get("label").and_then(Value::as_str).unwrap_or_default()
    }
}

/// The body of an event on the bus.
pub(super) type EventBody =
    (u64, u64, OwnedObjectPath, String, String, String, BTreeMap<String, OwnedVariant>);

impl From<EventBody> for Event {
    fn from((seq, usec, board, game, kind, text, fields): EventBody) -> Event {
        let fields = fields.iter().map(|(key, value)| (key.clone(), json::value(value)));
        let board = board.as_str().to_owned();
        let text = plain::line(&text).into_owned();
        Event { seq, usec, board, game, kind, text, details: json::event_line(fields) }
    }
}

/// How far a client has come in a daemon's journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The journal.
    pub journal: String,
    /// The last event of which it surely was told.
    pub seq: u64,
}

/// A daemon as it is.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Its journal.
    pub journal: String,
    /// The number of the newest event.
    pub seq: u64,
    /// When the daemon started, microseconds since the epoch.
    pub started_at: u64,
    /// Its version.
    pub version: String,
    /// The name its PC gives itself.
    pub hostname: String,
    /// Whether what only the arbiter may know can be read.
    pub rights: bool,
    /// Its boards, in the order of their names.
    pub boards: Vec<BoardObject>,
    /// The open alerts by number.
    pub alerts: BTreeMap<u64, Alert>,
    /// What happened since the position the reader named, oldest first; empty when that was of
    /// another journal.
    pub missed: Vec<Event>,
}

/// Reads everything as it is now, and the events after `from` of these kinds (none named: all).
pub(super) async fn state(
    client: &Client,
    from: Option<&Position>,
    kinds: &[&str],
) -> Result<State, Fault> {
    let fail = |e: CtlError| Fault::of_call(&e);
    let daemon = &root(client, DAEMON).await?;
    // The number first: what happens from here on is told by signals, or is among the objects.
    let journal = &root(client, JOURNAL).await?;
    let public = client.objects(NAME).await.map_err(fail)?;
    let secret = match client.objects(ARBITER_NAME).await {
        Ok(objects) => Some(objects),
        Err(CtlError::NoRights(_)) => None,
        // A daemon that serves one name only; or it is just leaving.
        Err(CtlError::NotRunning(_)) => return Err(Fault::NotRunning),
        Err(e) => return Err(fail(e)),
    };
    let text = |of: &BTreeMap<String, Value>, key: &str| match of.get(key).and_then(Value::as_str) {
        Some(text) => text.to_owned(),
        None => String::new(),
    };
    let number = |of: &BTreeMap<String, Value>, key: &str| {
        of.get(key).and_then(Value::as_u64).unwrap_or_default()
    };
    let mut state = State {
        journal: text(journal, "JournalId"),
        seq: number(journal, "LastSequence"),
        started_at: number(daemon, "StartedAt"),
        version: text(daemon, "Version"),
        hostname: text(daemon, "Hostname"),
        rights: secret.is_some(),
        ..State::default()
    };
    let secret = secret.unwrap_or_default();
    state.alerts = public.values().chain(secret.values()).filter_map(alert).collect();
    let name = if state.rights { ARBITER_NAME } else { NAME };
    state.boards = boards(public, secret);
    if let Some(from) = from.filter(|from| from.journal == state.journal && from.seq < state.seq) {
        state.missed = events(client, name, from.seq, kinds).await?;
    }
    Ok(state)
}

/// The properties of an interface of the root object.
async fn root(client: &Client, interface: &'static str) -> Result<BTreeMap<String, Value>, Fault> {
    match client.properties(NAME, ROOT, interface).await {
        Ok(properties) => Ok(properties),
        Err(CtlError::TooOld(_)) => Err(Fault::TooOld(interface)),
        Err(CtlError::Refused { name, .. })
            if ["UnknownObject", "InvalidArgs"].iter().any(|error| name.ends_with(error)) =>
        {
            Err(Fault::TooOld(interface))
        }
        Err(e) => Err(Fault::of_call(&e)),
    }
}

fn alert(object: &Object) -> Option<(u64, Alert)> {
    let alert = Alert::of(object.get(ALERT)?)?;
    Some((alert.id, alert))
}

/// The boards among the objects of the daemon's two names.
pub fn boards(
    public: BTreeMap<String, Object>,
    mut secret: BTreeMap<String, Object>,
) -> Vec<BoardObject> {
    let boards = public.into_iter().filter(|(_, object)| object.contains_key(BOARD));
    boards
        .map(|(path, object)| {
            let mut own = secret.remove(&path).unwrap_or_default();
            let arbiter_only = own.remove("org.dgtd.ArbiterOnly1").unwrap_or_default();
            BoardObject { path, object, arbiter_only }
        })
        .collect()
}

async fn events(
    client: &Client,
    name: &str,
    after: u64,
    kinds: &[&str],
) -> Result<Vec<Event>, Fault> {
    let mut found: BTreeMap<u64, Event> = BTreeMap::new();
    let all = [""];
    for kind in if kinds.is_empty() { &all } else { kinds } {
        let mut filter: BTreeMap<&str, zbus::Variant<'_>> = BTreeMap::new();
        if !kind.is_empty() {
            filter.insert("kind", (*kind).into());
        }
        let mut after = after;
        loop {
            let body = (after, PAGE, &filter);
            let (_, page, more): (String, Vec<EventBody>, bool) = client
                .call_to(name, ROOT, JOURNAL, "GetEvents", &body)
                .await
                .map_err(|e| Fault::of_call(&e))?;
            let Some(last) = page.last() else { break };
            after = last.0;
            found.extend(page.into_iter().map(|body| (body.0, Event::from(body))));
            if !more {
                break;
            }
        }
    }
    Ok(found.into_values().collect())
}
