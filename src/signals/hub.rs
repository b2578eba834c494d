//! Where all that happens comes together: numbered, written down, then told.
//!
//! One task. What it receives it numbers, hands to the journal, waits for the disk (a second at
//! most: a hung disk must not keep the end of a game from the arbiter), then tells bus, buzzer and
//! PGN files. It never waits for any of those.

mod gather;
mod memory;

use std::{
    collections::{BTreeMap, VecDeque},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot, watch};
use tracing::{debug, info, warn};

pub use self::memory::{GameMemory, HubMemory};
use super::{
    BoardView, Caller,
    alerts::{self, Alert, AlertBook},
    audience::{Audience, MaySound},
    gpio::BuzzerInput,
    journal::{self, Journal, Line, line},
    pgn_files::{Job, PgnFiles},
    scorebook::Scorebook,
    words,
};
use crate::{
    arbiter::{Event, EventKind, event::StartSource, resume::Memo},
    laws::text::Language,
    units::{BoardId, Stamp},
};

/// How long the end of a game waits for the disk.
const DISK_PATIENCE: Duration = Duration::from_secs(1);

/// How often games that go on are written.
const UNFINISHED_EVERY: Duration = Duration::from_secs(30);

/// The most events one call of `GetEvents` gives.
pub const MOST_EVENTS: usize = 1000;

/// What a record is of.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Something happened at a board.
    Event(EventKind),
    /// An alert was acknowledged.
    Acknowledged(u64),
    /// The sound of an alert was stopped.
    Silenced(u64),
    /// Somebody asked for a change.
    Asked(&'static str),
    /// What is true of a game and follows from no event.
    Kept,
    /// Something else that people are to know.
    Said,
}

/// A numbered line of the journal.
#[derive(Clone, Debug)]
pub struct Record {
    /// Counted from 1 in a journal.
    pub seq: u64,
    /// Microseconds since the epoch.
    pub time_micros: u64,
    /// The board.
    pub board: BoardId,
    /// What people call the board.
    pub label: String,
    /// The game's unique name, empty when none is on.
    pub game_id: String,
    /// Edition of the Laws in force, empty when no game is on.
    pub edition: String,
    /// PGN tags the arbiter gave the game.
    pub tags: BTreeMap<String, String>,
    /// What it is of.
    pub what: What,
    /// The sentence.
    pub text: String,
    /// The JSON object as it stands in the journal.
    pub json: Map<String, Value>,
}

impl Record {
    /// Who may be told.
    pub fn audience(&self) -> Audience {
        match &self.what {
            What::Event(kind) => Audience::of(kind),
            What::Acknowledged(_)
            | What::Silenced(_)
            | What::Asked(_)
            | What::Kept
            | What::Said => Audience::Arbiter,
        }
    }
}

/// What the hub is told or asked.
#[derive(Debug)]
pub enum HubInput {
    /// Something happened at a board.
    Event {
        /// What.
        event: Box<Event>,
        /// The board as it is now.
        view: Arc<BoardView>,
        /// The game's unique name.
        game_id: String,
        /// When, microseconds since the epoch.
        time_micros: u64,
    },
    /// Something is true of a board's game from now on.
    Kept {
        /// What.
        memo: Box<Memo>,
        /// When, on the board's own clock.
        t: Stamp,
        /// The board as it is now.
        view: Arc<BoardView>,
        /// The game's unique name.
        game_id: String,
        /// When, microseconds since the epoch.
        time_micros: u64,
    },
    /// Somebody asked a board for a change: who did goes into the journal.
    Asked {
        /// The board as it is now.
        view: Arc<BoardView>,
        /// What was asked.
        what: &'static str,
        /// Who asked.
        by: Caller,
        /// Why it was refused, if it was.
        refused: Option<String>,
        /// When, microseconds since the epoch.
        time_micros: u64,
    },
    /// Something that people are to know and that is no event of a game.
    Said {
        /// The board as it is now.
        view: Arc<BoardView>,
        /// The name of such events in the journal.
        kind: &'static str,
        /// The sentence.
        text: String,
        /// When, microseconds since the epoch.
        time_micros: u64,
    },
    /// Acknowledge an alert; answers whether it was there.
    Acknowledge {
        /// Its number.
        id: u64,
        /// Who does.
        by: Caller,
        /// When, microseconds since the epoch.
        time_micros: u64,
        /// The answer.
        reply: oneshot::Sender<bool>,
    },
    /// Look up what happened.
    GetEvents {
        /// What is wanted.
        query: EventQuery,
        /// The answer: the records' JSON objects, and whether there are more.
        reply: oneshot::Sender<(Vec<Map<String, Value>>, bool)>,
    },
    /// For the buzzer.
    Buzzer(BuzzerInput),
    /// Answers when all before it is on disk.
    Flush(oneshot::Sender<()>),
    /// Nothing follows: close journal and PGN files.
    Close,
}

/// Which events are wanted.
#[derive(Clone, Debug, Default)]
pub struct EventQuery {
    /// Those with higher numbers.
    pub after: u64,
    /// So many at most (and [`MOST_EVENTS`]).
    pub limit: usize,
    /// Only what everyone may read.
    pub public_only: bool,
    /// Only of this board.
    pub board: Option<String>,
    /// Only of this kind.
    pub kind: Option<String>,
}

impl EventQuery {
    fn wants(&self, object: &Map<String, Value>) -> bool {
        let is = |key: &str, wanted: &Option<String>| {
            wanted.as_ref().is_none_or(|w| object.get(key).and_then(Value::as_str) == Some(w))
        };
        is("board", &self.board)
            && is("event", &self.kind)
            && (!self.public_only
                || serde_json::from_value::<EventKind>(Value::Object(object.clone()))
                    .is_ok_and(|kind| Audience::of(&kind).is_public()))
    }
}

/// What others may read of the journal at any moment.
#[derive(Debug, Default)]
pub struct JournalMeta {
    /// Random, made with the journal.
    pub id: String,
    /// The lowest number that can be read back.
    pub oldest: AtomicU64,
    /// The highest number given.
    pub last: AtomicU64,
}

/// What the hub needs.
#[derive(Debug)]
pub struct Parts {
    /// The journal and its directory; none when it cannot be opened.
    pub journal: Option<(Journal, PathBuf)>,
    /// The journal's identity and numbers.
    pub meta: Arc<JournalMeta>,
    /// Newest records kept in memory.
    pub in_memory: usize,
    /// The PGN files; none when they are switched off.
    pub pgn: Option<PgnFiles>,
    /// Records for the bus.
    pub bus: mpsc::Sender<Arc<Record>>,
    /// The buzzer.
    pub buzzer: mpsc::Sender<BuzzerInput>,
    /// The open alerts.
    pub alerts: watch::Sender<Arc<Vec<Arc<Alert>>>>,
    /// The language of sentences and titles.
    pub language: Language,
}

/// The hub.
#[derive(Debug)]
pub struct Hub {
    parts: Parts,
    ring: VecDeque<Kept>,
    book: AlertBook,
    games: BTreeMap<BoardId, Written>,
    /// The batch a slow disk still owes.
    owed: Option<oneshot::Receiver<()>>,
    /// The number of the last line of each board.
    chain: BTreeMap<BoardId, u64>,
    /// The numbers of the first lines that each board's last game and the one before it need.
    games_from: BTreeMap<BoardId, (u64, u64)>,
    /// The times of the last record.
    latest: (Stamp, u64),
    notices: Option<mpsc::UnboundedReceiver<journal::Notice>>,
    bus_behind: bool,
}

/// A record in memory: a line of text, since there are thousands and few are ever asked for.
#[derive(Clone, Debug)]
struct Kept {
    seq: u64,
    line: Arc<str>,
}

#[derive(Debug, Default)]
struct Written {
    book: Scorebook,
    game_id: String,
    tags: BTreeMap<String, String>,
    /// There is something that is not in the file.
    fresh: bool,
    /// The game before it, which may come back.
    before: Option<Box<Written>>,
}

impl Written {
    /// The game before is on again.
    fn give_back(&mut self) {
        if let Some(mut back) = self.before.take() {
            std::mem::swap(self, &mut back);
            self.before = Some(back);
        }
    }

    /// Gives the game to the files, if there is something new in it.
    fn hand_over(&mut self, pgn: Option<&PgnFiles>) {
        let worth = !self.book.is_empty() || self.book.is_done();
        if !std::mem::take(&mut self.fresh) || !worth || self.game_id.is_empty() {
            return;
        }
        if let Some(pgn) = pgn {
            let game = self.book.game(self.tags.clone());
            pgn.write(Job { game_id: self.game_id.clone(), game, now: self.book.is_done() });
        }
    }
}

impl Hub {
    /// A hub with an empty memory.
    pub fn new(mut parts: Parts) -> Hub {
        Hub {
            notices: parts.journal.as_mut().and_then(|(journal, _)| journal.notices()),
            ring: VecDeque::new(),
            book: AlertBook::new(parts.language.clone()),
            parts,
            games: BTreeMap::new(),
            owed: None,
            chain: BTreeMap::new(),
            games_from: BTreeMap::new(),
            latest: (Stamp::ZERO, 0),
            bus_behind: false,
        }
    }

    /// Works until [`HubInput::Close`] or all senders are gone; then closes journal and PGN files.
    pub async fn run(mut self, mut inputs: mpsc::Receiver<HubInput>) {
        let mut batch = Vec::new();
        let mut closing = false;
        let mut unfinished = tokio::time::interval(UNFINISHED_EVERY);
        unfinished.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        while !closing {
            let received = tokio::select! {
                received = inputs.recv_many(&mut batch, gather::AT_ONCE) => received,
                _ = unfinished.tick() => {
                    self.write_unfinished();
                    continue;
                }
                notice = memory::next_notice(&mut self.notices) => {
                    let record = self.notice(notice);
                    self.write_down(std::slice::from_ref(&record)).await;
                    self.tell(&record);
                    continue;
                }
            };
            gather::small(&mut batch, &mut inputs).await;
            closing = received == 0 || batch.iter().any(|input| matches!(input, HubInput::Close));
            let mut records = Vec::new();
            let mut questions = Vec::new();
            for input in batch.drain(..) {
                if let HubInput::Buzzer(BuzzerInput::Silence) = input {
                    records.extend(self.silenced());
                }
                match self.number(input) {
                    Ok(Some(record)) => records.push(record),
                    Ok(None) => {}
                    Err(question) => questions.push(question),
                }
            }
            if !records.is_empty() {
                self.write_down(&records).await;
                for record in records {
                    self.tell(&record);
                }
            }
            for question in questions {
                self.answer(question);
            }
        }
        self.write_unfinished();
        if let Some(pgn) = self.parts.pgn.take() {
            pgn.close();
        }
        if let Some((journal, _)) = self.parts.journal.take() {
            journal.close();
        }
    }

    /// The record of an input, if it is one that is recorded; the input itself if it is a question.
    fn number(&mut self, input: HubInput) -> Result<Option<Arc<Record>>, HubInput> {
        Ok(match input {
            HubInput::Event { event, .. }
                if matches!(event.kind, EventKind::Provisional { .. }) =>
            {
                None
            }
            HubInput::Event { event, view, game_id, time_micros } => {
                let json = event.to_json();
                let text = words::sentence(&self.parts.language, &event.kind, event.game);
                Some(self.record(&view, game_id, time_micros, What::Event(event.kind), text, json))
            }
            HubInput::Kept { memo, t, view, game_id, time_micros } => {
                let (text, json) = memory::kept(&memo, &view.id, t);
                Some(self.record(&view, game_id, time_micros, What::Kept, text, json))
            }
            HubInput::Asked { view, what, by, refused, time_micros } => {
                let mut json = caller(&by);
                json.insert("event".into(), "asked".into());
                json.insert("board".into(), view.id.as_str().into());
                json.insert("what".into(), what.into());
                let game_id = view.game_id.clone();
                if let Some(why) = refused {
                    json.insert("refused".into(), why.into());
                }
                let text = text_of(&self.parts.language, &json);
                Some(self.record(&view, game_id, time_micros, What::Asked(what), text, json))
            }
            HubInput::Said { view, kind, text, time_micros } => {
                let mut json = Map::new();
                json.insert("event".into(), kind.into());
                json.insert("board".into(), view.id.as_str().into());
                json.insert("text".into(), text.as_str().into());
                let game_id = view.game_id.clone();
                Some(self.record(&view, game_id, time_micros, What::Said, text, json))
            }
            HubInput::Acknowledge { id, by, time_micros, reply } => {
                let alert = self.book.acknowledge(id);
                // The asker may have gone.
                let _ = reply.send(alert.is_some());
                alert.map(|alert| {
                    let mut json = caller(&by);
                    json.insert("event".into(), "acknowledged".into());
                    json.insert("board".into(), alert.board.as_str().into());
                    json.insert("alert".into(), id.into());
                    let view = BoardView::new(alert.board.clone(), alert.label.clone(), 0);
                    let text = text_of(&self.parts.language, &json);
                    let game_id = alert.game_id.clone();
                    self.record(&view, game_id, time_micros, What::Acknowledged(id), text, json)
                })
            }
            question => return Err(question),
        })
    }

    fn record(
        &mut self,
        view: &BoardView,
        game_id: String,
        time_micros: u64,
        what: What,
        text: String,
        mut json: Map<String, Value>,
    ) -> Arc<Record> {
        let seq = self.parts.meta.last.fetch_add(1, Ordering::Relaxed) + 1;
        json.insert("time".into(), rfc3339(time_micros).into());
        json.insert("seq".into(), seq.into());
        if !game_id.is_empty() {
            json.insert("game_id".into(), game_id.as_str().into());
        }
        if !view.label.is_empty() {
            json.insert("label".into(), view.label.as_str().into());
        }
        let game = view.status.game.as_ref();
        let edition = game.map(|game| game.edition.clone());
        if let (What::Event(kind), Some(edition)) = (&what, &edition)
            && alerts::raises(kind).is_some()
        {
            json.insert("edition".into(), edition.as_str().into());
        }
        let own = game.filter(|_| view.game_id == game_id);
        Arc::new(Record {
            seq,
            time_micros,
            board: view.id.clone(),
            label: view.label.clone(),
            game_id,
            edition: edition.unwrap_or_default(),
            tags: own.map(|game| game.tags.clone()).unwrap_or_default(),
            what,
            text,
            json,
        })
    }

    async fn write_down(&mut self, records: &[Arc<Record>]) {
        let Some((journal, _)) = &mut self.parts.journal else { return };
        let (chain, games_from) = (&mut self.chain, &mut self.games_from);
        let lines = records.iter().map(|record| {
            let last = chain.insert(record.board.clone(), record.seq).unwrap_or_default();
            let from = games_from.entry(record.board.clone()).or_default();
            Line {
                text: line::seal(&record.json, last),
                board: record.board.clone(),
                seq: record.seq,
                needs: memory::needs(record, last, from),
                durable: !matches!(
                    record.what,
                    What::Event(
                        EventKind::Link { .. } | EventKind::Touched { .. } | EventKind::Move { .. }
                    )
                ),
            }
        });
        let mut written = journal.write(lines.collect());
        if let Some(owed) = &mut self.owed {
            match owed.try_recv() {
                Err(oneshot::error::TryRecvError::Empty) => return,
                _ => self.owed = None,
            }
        }
        if tokio::time::timeout(DISK_PATIENCE, &mut written).await.is_err() {
            warn!("journal: the disk does not answer; signals no longer wait for it");
            self.owed = Some(written);
        }
    }

    fn tell(&mut self, record: &Arc<Record>) {
        log(record);
        if let What::Event(kind) = &record.what {
            if let Some(leave) = MaySound::of(kind) {
                self.tell_buzzer(BuzzerInput::Sound(record.seq, leave));
            }
            self.write_pgn(record, kind);
        }
        let before = self.book.list();
        let changed = self.book.apply(record);
        if changed || matches!(record.what, What::Acknowledged(_)) {
            let after = self.book.list();
            for gone in before.iter().filter(|old| after.iter().all(|new| new.id != old.id)) {
                self.tell_buzzer(BuzzerInput::Settle(gone.id));
            }
            self.parts.alerts.send_replace(Arc::new(after));
        }
        if let What::Acknowledged(id) = record.what {
            self.tell_buzzer(BuzzerInput::Settle(id));
        }
        let line = serde_json::to_string(&record.json).unwrap_or_default().into();
        let seconds = record.json.get("t").and_then(Value::as_f64).unwrap_or_default();
        let since = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        self.latest = (Stamp::ZERO + since, record.time_micros);
        self.ring.push_back(Kept { seq: record.seq, line });
        while self.ring.len() > self.parts.in_memory {
            self.ring.pop_front();
        }
        if self.parts.journal.is_none()
            && let Some(first) = self.ring.front()
        {
            self.parts.meta.oldest.store(first.seq, Ordering::Relaxed);
        }
        // A bus that does not keep up finds the gap in the numbers and reads it back.
        match self.parts.bus.try_send(Arc::clone(record)) {
            Err(mpsc::error::TrySendError::Full(_)) if !self.bus_behind => {
                warn!("bus: does not keep up; its clients read the journal instead");
                self.bus_behind = true;
            }
            Ok(()) => self.bus_behind = false,
            Err(_) => {}
        }
    }

    fn tell_buzzer(&self, input: BuzzerInput) {
        match self.parts.buzzer.try_send(input) {
            Ok(()) => {}
            // What waits before it sounds all the same; what cannot be told is in the alerts.
            Err(mpsc::error::TrySendError::Full(input)) => {
                warn!(?input, "buzzer: does not keep up; this is not passed on to it");
            }
            Err(mpsc::error::TrySendError::Closed(_)) => debug!("buzzer: its task has ended"),
        }
    }

    fn write_pgn(&mut self, record: &Record, kind: &EventKind) {
        if self.parts.pgn.is_none() {
            return;
        }
        let written = self.games.entry(record.board.clone()).or_default();
        match kind {
            // The game before, if nothing was said of its end, is not to be lost.
            EventKind::GameStarted { source, .. } => {
                written.hand_over(self.parts.pgn.as_ref());
                if *source != StartSource::Resumed {
                    let before = std::mem::take(written);
                    written.before = Some(Box::new(Written { before: None, ..before }));
                }
            }
            EventKind::GameReopened { instead_of: Some(_), .. } => written.give_back(),
            _ => {}
        }
        if !written.book.apply(kind) {
            return;
        }
        if written.game_id != record.game_id {
            written.game_id.clone_from(&record.game_id);
            written.tags = tags(record);
        }
        written.tags.extend(record.tags.clone());
        written.fresh = true;
        if written.book.is_done() {
            written.hand_over(self.parts.pgn.as_ref());
        }
    }

    /// Games that go on are written now and then.
    fn write_unfinished(&mut self) {
        for written in self.games.values_mut() {
            written.hand_over(self.parts.pgn.as_ref());
        }
    }

    fn answer(&mut self, question: HubInput) {
        match question {
            HubInput::Buzzer(input) => self.tell_buzzer(input),
            HubInput::Flush(reply) => {
                // The asker may have gone.
                let _ = reply.send(());
            }
            HubInput::GetEvents { query, reply } => self.look_up(query, reply),
            // Numbered, or seen before.
            HubInput::Close
            | HubInput::Event { .. }
            | HubInput::Kept { .. }
            | HubInput::Asked { .. }
            | HubInput::Said { .. }
            | HubInput::Acknowledge { .. } => {}
        }
    }

    fn look_up(&self, query: EventQuery, reply: oneshot::Sender<(Vec<Map<String, Value>>, bool)>) {
        let limit = query.limit.clamp(1, MOST_EVENTS);
        let first = self.ring.front().map_or(u64::MAX, |record| record.seq);
        let from = self.ring.partition_point(|record| record.seq <= query.after);
        let lines: Vec<Arc<str>> =
            self.ring.range(from..).map(|record| Arc::clone(&record.line)).collect();
        let directory = self.parts.journal.as_ref().map(|(_, directory)| directory.clone());
        let older = directory.filter(|_| query.after.saturating_add(1) < first);
        tokio::task::spawn_blocking(move || {
            let mut more = false;
            let mut found = Vec::new();
            if let Some(directory) = older {
                match journal::read_back(&directory, query.after, first, limit, |o| query.wants(o))
                {
                    Ok((older, beyond)) => (found, more) = (older, beyond),
                    Err(e) => warn!(error = %e, "journal: cannot be read back"),
                }
            }
            if !more {
                let room = limit - found.len().min(limit);
                let mut recent: Vec<Map<String, Value>> = lines
                    .iter()
                    .filter_map(|line| serde_json::from_str(line).ok())
                    .filter(|object| query.wants(object))
                    .take(room + 1)
                    .collect();
                more = recent.len() > room;
                recent.truncate(room);
                found.append(&mut recent);
            }
            // The asker may have gone.
            let _ = reply.send((found, more));
        });
    }
}

fn tags(record: &Record) -> BTreeMap<String, String> {
    start_tags(record.time_micros, &record.board, &record.label)
}

/// The PGN tags that follow from when and where a game began.
pub fn start_tags(time_micros: u64, board: &BoardId, label: &str) -> BTreeMap<String, String> {
    let mut tags = BTreeMap::new();
    let time = rfc3339(time_micros);
    if let (Some(date), Some(clock)) = (time.get(..10), time.get(11..19)) {
        tags.insert("Date".into(), date.replace('-', "."));
        tags.insert("UTCDate".into(), date.replace('-', "."));
        tags.insert("UTCTime".into(), clock.into());
    }
    tags.insert("Board".into(), board.to_string());
    if !label.is_empty() {
        tags.insert("Table".into(), label.to_owned());
    }
    tags
}

fn caller(by: &Caller) -> Map<String, Value> {
    let mut json = Map::new();
    if let Some(uid) = by.uid {
        json.insert("uid".into(), uid.into());
    }
    if !by.by.is_empty() {
        json.insert("by".into(), by.by.as_str().into());
    }
    if !by.reason.is_empty() {
        json.insert("reason".into(), by.reason.as_str().into());
    }
    json
}

/// The sentence of a line of the journal that is no event of a game; empty when there is none.
pub fn text_of(language: &Language, line: &Map<String, Value>) -> String {
    let word = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or_default();
    let who = || {
        let uid = line.get("uid").and_then(Value::as_u64).map(|uid| uid.to_string());
        let named = match (word("by"), &uid) {
            ("", Some(_)) => "uid",
            ("", None) => "nobody",
            (_, Some(_)) => "both",
            (_, None) => "name",
        };
        let name = word("by").to_owned();
        let args =
            vec![("named", named.to_owned()), ("name", name), ("uid", uid.unwrap_or_default())];
        language.say("request-who", args)
    };
    match word("event") {
        "asked" => {
            let what = word("what");
            let args = vec![("what", what.replace(' ', "-")), ("name", what.to_owned())];
            let mut args = vec![("what", language.say("request-name", args)), ("who", who())];
            match word("refused") {
                "" => language.say("event-asked", args),
                why => {
                    args.push(("why", why.to_owned()));
                    language.say("event-asked-refused", args)
                }
            }
        }
        "acknowledged" => {
            let alert = line.get("alert").and_then(Value::as_u64).unwrap_or_default();
            language.say("event-acknowledged", vec![("alert", alert.to_string()), ("who", who())])
        }
        _ => word("text").to_owned(),
    }
}

/// A time of day, UTC, with microseconds.
pub fn rfc3339(micros: u64) -> String {
    let micros = i64::try_from(micros).unwrap_or(i64::MAX);
    jiff::Timestamp::from_microsecond(micros).map(|time| format!("{time:.6}")).unwrap_or_default()
}

/// A time as [`rfc3339`] writes it, for names: to the second, without signs between.
pub fn compact(time: &str) -> String {
    let digits = time.chars().take_while(|c| *c != '.').filter(|c| *c != '-' && *c != ':');
    digits.chain(['Z']).collect()
}

/// Once, at the edge, with fields: milestones as info, what needs a person as warn.
fn log(record: &Record) {
    let (board, game, seq, text) =
        (record.board.as_str(), record.game_id.as_str(), record.seq, record.text.as_str());
    match &record.what {
        What::Event(EventKind::Attention { .. } | EventKind::Link { .. }) => {
            warn_or_info(record, board, game, seq, text);
        }
        What::Event(EventKind::Move { ply, .. }) => {
            debug!(board, game, seq, ply = ply.0, event = "move", "{text}");
        }
        What::Event(
            EventKind::Touched { .. }
            | EventKind::ClaimAvailable { .. }
            | EventKind::PossibleEnd { .. },
        )
        | What::Kept => {
            debug!(board, game, seq, "{text}");
        }
        _ => info!(board, game, seq, "{text}"),
    }
}

fn warn_or_info(record: &Record, board: &str, game: &str, seq: u64, text: &str) {
    use crate::arbiter::event::LinkState;
    let bad = !matches!(
        record.what,
        What::Event(EventKind::Link { state: LinkState::Connected | LinkState::Restored, .. })
    );
    if bad {
        warn!(board, game, seq, "{text}");
    } else {
        info!(board, game, seq, "{text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arbiter::event::{
            ClaimReason, ConfirmedBy, EndReason, LinkState, OrientationName, Side, StartSource,
        },
        signals::alerts::AlertKind,
        units::{Ply, Stamp},
    };

    struct Rig {
        hub: mpsc::Sender<HubInput>,
        bus: mpsc::Receiver<Arc<Record>>,
        buzzer: mpsc::Receiver<BuzzerInput>,
        alerts: watch::Receiver<Arc<Vec<Arc<Alert>>>>,
        task: tokio::task::JoinHandle<()>,
        view: Arc<BoardView>,
    }

    impl Rig {
        fn new(directory: &std::path::Path, in_memory: usize) -> Rig {
            let (journal, opened) = Journal::open(&directory.join("journal")).unwrap();
            let meta = JournalMeta { id: opened.id, ..JournalMeta::default() };
            meta.last.store(opened.last, Ordering::Relaxed);
            let (bus_tx, bus) = mpsc::channel(64);
            let (buzzer_tx, buzzer) = mpsc::channel(crate::signals::gpio::MOST_WAITING);
            let (alerts_tx, alerts) = watch::channel(Arc::default());
            let (hub, inputs) = mpsc::channel(64);
            let parts = Parts {
                journal: Some((journal, directory.join("journal"))),
                meta: Arc::new(meta),
                in_memory,
                pgn: Some(PgnFiles::new(directory.join("pgn")).unwrap()),
                bus: bus_tx,
                buzzer: buzzer_tx,
                alerts: alerts_tx,
                language: Language::default(),
            };
            let task = tokio::spawn(Hub::new(parts).run(inputs));
            let mut view = BoardView::new("b1".parse().unwrap(), "Table 1".into(), 0);
            view.game_id = "g1".into();
            Rig { hub, bus, buzzer, alerts, task, view: Arc::new(view) }
        }

        async fn event(&self, kind: EventKind) {
            let event = Event { board: self.view.id.clone(), t: Stamp::ZERO, game: Some(1), kind };
            let input = HubInput::Event {
                event: Box::new(event),
                view: Arc::clone(&self.view),
                game_id: "g1".into(),
                time_micros: 1_700_000_000_000_000,
            };
            self.hub.send(input).await.unwrap();
        }

        async fn events(&self, after: u64, limit: usize, public_only: bool) -> (Vec<u64>, bool) {
            let (reply, answer) = oneshot::channel();
            let query = EventQuery { after, limit, public_only, ..EventQuery::default() };
            self.hub.send(HubInput::GetEvents { query, reply }).await.unwrap();
            let (found, more) = answer.await.unwrap();
            (found.iter().map(|o| o["seq"].as_u64().unwrap()).collect(), more)
        }
    }

    fn game() -> Vec<EventKind> {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        vec![
            EventKind::GameStarted {
                fen: fen.clone(),
                source: StartSource::InitialArray,
                orientation: OrientationName::Normal,
            },
            EventKind::Move {
                ply: Ply(1),
                uci: "e2e4".into(),
                san: "e4".into(),
                fen: fen.replace(" w ", " b "),
                made: Stamp::ZERO,
                by: ConfirmedBy::Press,
                white_clock: None,
                black_clock: None,
                exact: true,
            },
            EventKind::ClaimAvailable {
                reason: ClaimReason::FiftyMoves,
                claimant: Side::Black,
                article: "9.3".into(),
                moves: Vec::new(),
                ply: Ply(1),
                exact: true,
                depends_on: None,
            },
            EventKind::GameOver {
                result: "1/2-1/2".into(),
                reason: EndReason::Stalemate,
                article: "5.2.1".into(),
                also: Vec::new(),
                ply: Ply(1),
                fen,
                proof: None,
            },
        ]
    }

    #[tokio::test]
    async fn a_game_that_ends_is_written_told_sounded_and_kept_until_acknowledged() {
        let dir = tempfile::tempdir().unwrap();
        let mut rig = Rig::new(dir.path(), 100);
        for kind in game() {
            rig.event(kind).await;
        }
        for seq in 1..=4 {
            assert_eq!(rig.bus.recv().await.unwrap().seq, seq);
        }
        // The class C event is in the journal, but nobody hears of it.
        assert_eq!(rig.events(0, 10, false).await, (vec![1, 2, 3, 4], false));
        assert_eq!(rig.events(0, 10, true).await, (vec![1, 2, 4], false));
        let open = Arc::clone(&rig.alerts.borrow_and_update());
        assert_eq!(open.len(), 2);
        assert_eq!(open[1].kind, AlertKind::GameOver(EndReason::Stalemate));
        assert_eq!(open[1].id, 4);
        assert!(!open[0].audience.is_public() && open[1].audience.is_public());
        assert!(matches!(rig.buzzer.recv().await, Some(BuzzerInput::Sound(4, _))));
        let (reply, there) = oneshot::channel();
        let by = Caller { uid: Some(7), by: "Ana".into(), reason: String::new() };
        rig.hub.send(HubInput::Acknowledge { id: 4, by, time_micros: 5, reply }).await.unwrap();
        assert!(there.await.unwrap());
        rig.alerts.changed().await.unwrap();
        assert_eq!(rig.alerts.borrow().len(), 1);
        assert!(matches!(rig.buzzer.recv().await, Some(BuzzerInput::Settle(4))));
        assert!(rig.buzzer.is_empty(), "nothing but the end of a game reaches the buzzer");
        drop(rig.hub);
        rig.task.await.unwrap();
        let written = std::fs::read_to_string(dir.path().join("journal/b1.jsonl")).unwrap();
        let lines: Vec<&str> = written.lines().collect();
        assert_eq!(lines.len(), 5);
        assert!(
            lines[3].contains(r#""time":"2023-11-14T22:13:20.000000Z","seq":4"#),
            "{}",
            lines[3]
        );
        assert!(lines[4].contains(r#""uid":7,"by":"Ana","event":"acknowledged""#), "{}", lines[4]);
        let pgn = std::fs::read_to_string(dir.path().join("pgn/g1.pgn")).unwrap();
        assert!(
            pgn.contains("[Date \"2023.11.14\"]") && pgn.contains("[Table \"Table 1\"]"),
            "{pgn}"
        );
        assert!(pgn.ends_with("1. e4 { stalemate, Article 5.2.1 } 1/2-1/2\n\n"), "{pgn}");
    }

    #[test]
    fn a_refused_request_says_so_and_why() {
        let english = Language::choose("en");
        let line = |text: &str| text_of(&english, &serde_json::from_str(text).unwrap());
        let asked = r#"{"event":"asked","what":"undo","by":"Ana","uid":7"#;
        assert_eq!(line(&format!("{asked}}}")), "undo asked for by Ana (user 7)");
        assert_eq!(
            line(&format!(r#"{asked},"refused":"no game is on"}}"#)),
            "undo asked for by Ana (user 7), refused: no game is on"
        );
        assert_eq!(
            line(r#"{"event":"acknowledged","alert":4}"#),
            "alert 4 acknowledged by an unknown user"
        );
        assert_eq!(line(r#"{"event":"recording_ended","text":"it is full"}"#), "it is full");
        let spanish = text_of(
            &Language::choose("es"),
            &serde_json::from_str(&format!(r#"{asked},"refused":"no hay partida"}}"#)).unwrap(),
        );
        assert_eq!(spanish, "deshacer: lo pidió Ana (usuario 7), rechazado: no hay partida");
    }

    #[tokio::test]
    async fn events_older_than_the_memory_are_read_from_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let mut rig = Rig::new(dir.path(), 2);
        for _ in 0..6 {
            rig.event(EventKind::Link {
                state: LinkState::Silent,
                port: None,
                serial: None,
                version: None,
            })
            .await;
        }
        for _ in 0..6 {
            rig.bus.recv().await.unwrap();
        }
        assert_eq!(rig.events(0, 10, false).await, (vec![1, 2, 3, 4, 5, 6], false));
        assert_eq!(rig.events(1, 4, false).await, (vec![2, 3, 4, 5], true));
        assert_eq!(rig.events(4, 1, false).await, (vec![5], true));
        assert_eq!(rig.events(6, 9, false).await, (vec![], false));
        assert_eq!(rig.alerts.borrow().len(), 1, "one cable, one alert");
    }

    /// A buzzer that hangs holds up nothing: what it is told beyond its queue is dropped.
    #[tokio::test]
    async fn a_buzzer_that_does_not_listen_holds_up_nobody() {
        let dir = tempfile::tempdir().unwrap();
        let rig = Rig::new(dir.path(), 100);
        let most = crate::signals::gpio::MOST_WAITING;
        for _ in 0..most + 10 {
            rig.hub.send(HubInput::Buzzer(BuzzerInput::Test)).await.unwrap();
        }
        let (reply, there) = oneshot::channel();
        rig.hub.send(HubInput::Flush(reply)).await.unwrap();
        there.await.unwrap();
        assert_eq!(rig.buzzer.len(), most);
        drop(rig.hub);
        rig.task.await.unwrap();
    }
}
