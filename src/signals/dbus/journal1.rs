//! `org.dgtd.Journal1`: what happened, by number.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Map, Value};
use tokio::sync::oneshot;
use zbus::{ObjectPath, OwnedObjectPath, Variant, interface, object_server::SignalEmitter};

use super::{
    ApiError, Shared, board_path,
    values::{Options, details, only, text},
};
use crate::{
    laws::text::Language,
    signals::hub::{self, EventQuery, HubInput, MOST_EVENTS},
};

/// An event of the reply of `GetEvents`: number, time (microseconds since the epoch), board's
/// object, game, kind, sentence, fields.
pub type EventTuple =
    (u64, u64, OwnedObjectPath, String, String, String, BTreeMap<String, Variant<'static>>);

/// The journal, whole or without what only the arbiter may know.
#[derive(Debug)]
pub struct Journal1 {
    shared: Arc<Shared>,
    public_only: bool,
}

impl Journal1 {
    /// The journal for everyone, or for the arbiter's people.
    pub fn new(shared: Arc<Shared>, public_only: bool) -> Journal1 {
        Journal1 { shared, public_only }
    }
}

#[interface(name = "org.dgtd.Journal1", spawn = false)]
impl Journal1 {
    /// Random, made with the journal: another one means that numbers start afresh.
    #[zbus(property(emits_changed_signal = "const"))]
    fn journal_id(&self) -> &str {
        &self.shared.journal.id
    }

    /// The lowest number that can be read back.
    #[zbus(property(emits_changed_signal = "false"))]
    fn oldest_sequence(&self) -> u64 {
        self.shared.journal.oldest.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The highest number given so far, 0 before the first.
    #[zbus(property(emits_changed_signal = "false"))]
    fn last_sequence(&self) -> u64 {
        self.shared.journal.last.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The events numbered above `after`, lowest first, `limit` at most (0 and above 1000: 1000).
    /// `filter` keys: board (s, its name), kind (s). `more`: ask again after the last number given.
    /// Numbers that are missing belong to events that are not for the caller.
    #[zbus(out_args("journal_id", "events", "more"))]
    async fn get_events(
        &self,
        after: u64,
        limit: u32,
        filter: Options,
    ) -> Result<(String, Vec<EventTuple>, bool), ApiError> {
        only(&filter, &["board", "kind"])?;
        let limit = if limit == 0 { MOST_EVENTS } else { limit as usize };
        let query = EventQuery {
            after,
            limit,
            public_only: self.public_only,
            board: text(&filter, "board")?,
            kind: text(&filter, "kind")?,
        };
        let (reply, answer) = oneshot::channel();
        let question = HubInput::GetEvents { query, reply };
        self.shared.hub.send(question).await.map_err(|_| ApiError::unavailable())?;
        let (events, more) = answer.await.map_err(|_| ApiError::unavailable())?;
        let events =
            events.iter().filter_map(|event| tuple(event, &self.shared.language)).collect();
        Ok((self.shared.journal.id.clone(), events, more))
    }

    /// Something happened. `details` are the fields of the event's JSON object.
    #[zbus(signal)]
    pub async fn event(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        usec: u64,
        board: ObjectPath<'_>,
        game: &str,
        kind: &str,
        text: &str,
        details: BTreeMap<String, Variant<'_>>,
    ) -> zbus::Result<()>;
}

/// A journal line as the tuple of `GetEvents`.
fn tuple(object: &Map<String, Value>, language: &Language) -> Option<EventTuple> {
    let word = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let path = board_path(&word("board").parse().ok()?);
    let time = word("time").parse::<jiff::Timestamp>().map_or(0, jiff::Timestamp::as_microsecond);
    Some((
        object.get("seq")?.as_u64()?,
        u64::try_from(time).unwrap_or_default(),
        OwnedObjectPath::try_from(path).ok()?,
        word("game_id"),
        word("event"),
        sentence(object, language),
        details(object),
    ))
}

fn sentence(object: &Map<String, Value>, language: &Language) -> String {
    let game = object.get("game").and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    serde_json::from_value(Value::Object(object.clone())).map_or_else(
        |_| hub::text_of(language, object),
        |kind| crate::signals::words::sentence(language, &kind, game),
    )
}
