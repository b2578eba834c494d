//! What the journal remembers: the last game of each board, the open alerts, the numbers.
//!
//! In: lines as they were read back, and what was wrong between them. Out: what the program knew when
//! the last of them was written. Pure; of each board only its last game is kept.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde_json::Value;

use super::{
    alerts::{Alert, AlertBook, AlertKind},
    audience::MaySound,
    hub::{Record, What, start_tags},
    journal::{line::Opened, read::Damage},
    words,
};
use crate::{
    arbiter::{
        EventKind,
        event::LinkState,
        resume::{Fact, MOST_FACTS},
    },
    laws::text::Language,
    units::{BoardId, Stamp},
};

/// More damage than this is counted, not described.
const MOST_DAMAGE: usize = 50;

/// What the journal remembers of one board.
#[derive(Clone, Debug, Default)]
pub struct BoardMemory {
    /// What people called it.
    pub label: String,
    /// The last game's facts, oldest first.
    pub facts: Vec<Fact>,
    /// The last game's number; 0 before the first.
    pub games: u32,
    /// Its unique name.
    pub game_id: String,
    /// The PGN tags that follow from when and where it was played.
    pub tags: BTreeMap<String, String>,
    /// The number of the last line.
    pub last: u64,
    /// The time of the last line on the board's own clock.
    pub t: Stamp,
    /// The time of day of the last line, microseconds since the epoch.
    pub time_micros: u64,
    /// The number of the first line that the last game needs.
    pub game_from: u64,
    /// When its record was closed, microseconds since the epoch; 0 while it is not.
    pub ended_micros: u64,
    /// The game before it, which may not have reached its file when the last one began.
    pub previous: Option<Finished>,
    /// The highest number of a game.
    pub most: u32,
    kept_seq: u64,
    /// What was wrong, the first of it.
    pub damage: Vec<Damage>,
    /// What else was wrong, only counted.
    pub more_damage: u64,
    /// Whether the last game is not closed.
    pub running: bool,
}

impl BoardMemory {
    /// Whether anything was wrong with the board's journal.
    pub fn is_damaged(&self) -> bool {
        !self.damage.is_empty()
    }
}

/// A game that is closed.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// Its number on the board.
    pub number: u32,
    /// The number of the first line it needs.
    pub game_from: u64,
    /// Its facts, oldest first.
    pub facts: Vec<Fact>,
    /// Its unique name.
    pub game_id: String,
    /// The PGN tags that follow from when and where it was played.
    pub tags: BTreeMap<String, String>,
    /// When its record was closed, microseconds since the epoch; 0 if it never was.
    pub ended_micros: u64,
}

/// What the journal remembers.
#[derive(Debug, Default)]
pub struct Recovery {
    /// By board.
    pub boards: BTreeMap<BoardId, BoardMemory>,
    /// The alerts nobody has acknowledged.
    pub alerts: AlertBook,
    language: Language,
    silenced: BTreeSet<u64>,
}

impl Recovery {
    /// An empty memory that tells in this language.
    pub fn new(language: Language) -> Recovery {
        Recovery { alerts: AlertBook::new(language.clone()), language, ..Recovery::default() }
    }

    /// Takes note of the next line of a board.
    pub fn line(&mut self, board: &BoardId, opened: &Opened) {
        let memory = self.boards.entry(board.clone()).or_default();
        let object = &opened.object;
        let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
        memory.last = opened.seq;
        memory.time_micros = micros(text("time"));
        if !text("label").is_empty() {
            text("label").clone_into(&mut memory.label);
        }
        if let Some(seconds) = object.get("t").and_then(Value::as_f64)
            && let Ok(since) = std::time::Duration::try_from_secs_f64(seconds)
        {
            memory.t = memory.t.max(Stamp::ZERO + since);
        }
        match text("event") {
            "acknowledged" => {
                if let Some(id) = object.get("alert").and_then(Value::as_u64) {
                    self.alerts.acknowledge(id);
                }
                return;
            }
            "silenced" => {
                self.silenced.extend(object.get("alert").and_then(Value::as_u64));
                return;
            }
            _ => {}
        }
        if text("kind") == "journal" {
            // What came before was told then.
            memory.damage.clear();
            memory.more_damage = 0;
        }
        if let Some(fact) = Fact::read(object) {
            memory.fact(fact, opened, board);
        }
        if let Some(record) = record(board, opened, &self.language) {
            self.alerts.apply(&record);
        }
    }

    /// Takes note of something wrong in a board's journal.
    pub fn damage(&mut self, board: &BoardId, damage: Damage) {
        let memory = self.boards.entry(board.clone()).or_default();
        // One hole is one fact, however many lines it took.
        if memory.facts.last() != Some(&Fact::Lost) {
            memory.facts.push(Fact::Lost);
        }
        if memory.damage.len() < MOST_DAMAGE {
            memory.damage.push(damage);
        } else {
            memory.more_damage += 1;
        }
    }

    /// Ends of games that nobody has acknowledged or silenced, raised at `since` or later: whether
    /// they sounded is not known.
    pub fn to_sound(&self, since: u64) -> Vec<(u64, MaySound)> {
        let open = self.alerts.list();
        let wanted = open.iter().filter(|alert| {
            matches!(alert.kind, AlertKind::GameOver(_))
                && alert.raised_at >= since
                && !self.silenced.contains(&alert.id)
        });
        wanted.filter_map(leave).collect()
    }
}

fn leave(alert: &Arc<Alert>) -> Option<(u64, MaySound)> {
    let kind: EventKind = serde_json::from_value(Value::Object(alert.details.clone())).ok()?;
    Some((alert.id, MaySound::of(&kind)?))
}

impl BoardMemory {
    /// The game before is on again: what was kept of it just before comes with it.
    fn give_back(&mut self, number: u32) {
        let Some(mut back) = self.previous.take_if(|previous| previous.number == number) else {
            return;
        };
        let own = |fact: &Fact| matches!(fact, Fact::Kept(memo) if memo.game == number);
        let kept = self.facts.iter().rposition(own).map(|at| self.facts.remove(at));
        back.facts.extend(kept);
        self.previous = Some(Finished {
            number: std::mem::replace(&mut self.games, back.number),
            game_from: std::mem::replace(&mut self.game_from, back.game_from),
            facts: std::mem::replace(&mut self.facts, back.facts),
            game_id: std::mem::replace(&mut self.game_id, back.game_id),
            tags: std::mem::replace(&mut self.tags, back.tags),
            ended_micros: self.ended_micros,
        });
    }

    /// The lines that the last game and the one before it need begin here; 0 when there are none.
    pub fn needed_from(&self) -> u64 {
        match &self.previous {
            Some(previous) if previous.game_from > 0 => self.game_from.min(previous.game_from),
            _ => self.game_from,
        }
    }

    fn fact(&mut self, fact: Fact, opened: &Opened, board: &BoardId) {
        let id = opened.object.get("game_id").and_then(Value::as_str).unwrap_or_default();
        if fact.begins_a_game(self.games) {
            // What was kept of this game just before it began, and a hole before that.
            let number = match &fact {
                Fact::Happened { game, .. } => *game,
                Fact::Kept(_) | Fact::Lost => None,
            };
            let memo = self
                .facts
                .iter()
                .rev()
                .find(|fact| matches!(fact, Fact::Kept(memo) if Some(memo.game) == number));
            let game_from = if memo.is_some() { self.kept_seq } else { opened.seq };
            let facts: Vec<Fact> = memo.cloned().into_iter().collect();
            self.previous = (self.games > 0).then(|| Finished {
                number: self.games,
                game_from: self.game_from,
                facts: std::mem::take(&mut self.facts),
                game_id: std::mem::take(&mut self.game_id),
                tags: std::mem::take(&mut self.tags),
                ended_micros: self.ended_micros,
            });
            self.game_from = game_from;
            self.facts = facts;
            self.games = number.unwrap_or(self.most + 1);
            self.running = true;
            self.ended_micros = 0;
            id.clone_into(&mut self.game_id);
            self.tags = start_tags(micros_of(opened), board, &self.label);
        }
        if let Fact::Happened {
            game: Some(number),
            kind: EventKind::GameReopened { instead_of: Some(_), .. },
            ..
        } = fact
            && number != self.games
        {
            self.give_back(number);
        }
        self.most = self.most.max(self.games);
        match &fact {
            Fact::Kept(_) => self.kept_seq = opened.seq,
            Fact::Happened { kind: EventKind::GameEnded { .. }, .. } => {
                self.running = false;
                self.ended_micros = micros_of(opened);
            }
            Fact::Happened { kind: EventKind::GameReopened { .. }, .. } => {
                self.running = true;
                self.ended_micros = 0;
            }
            Fact::Happened { kind: EventKind::Move { .. }, game, .. } if self.games == 0 => {
                // The beginning of the game is missing.
                self.games = game.unwrap_or(1);
                self.running = true;
                self.game_from = opened.seq;
                id.clone_into(&mut self.game_id);
                self.tags = start_tags(micros_of(opened), board, &self.label);
            }
            _ => {}
        }
        self.most = self.most.max(self.games);
        // A cable that is pulled again and again, with nothing between, is out of sight all the same.
        if link(&fact).is_some()
            && let [.., first, second] = &self.facts[..]
            && let (Some(first), Some(second)) = (link(first), link(second))
            && [first, second].iter().any(|s| matches!(s, LinkState::Lost | LinkState::Silent))
        {
            return;
        }
        if self.facts.len() < MOST_FACTS {
            self.facts.push(fact);
        } else {
            self.more_damage += 1;
        }
    }
}

fn link(fact: &Fact) -> Option<LinkState> {
    match fact {
        Fact::Happened { kind: EventKind::Link { state, .. }, .. } => Some(*state),
        _ => None,
    }
}

fn micros_of(opened: &Opened) -> u64 {
    micros(opened.object.get("time").and_then(Value::as_str).unwrap_or_default())
}

fn micros(time: &str) -> u64 {
    let time = time.parse::<jiff::Timestamp>().map_or(0, jiff::Timestamp::as_microsecond);
    u64::try_from(time).unwrap_or_default()
}

/// The record of a line that may raise or settle an alert.
fn record(board: &BoardId, opened: &Opened, language: &Language) -> Option<Record> {
    let object = &opened.object;
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
    if matches!(text("event"), "kept" | "asked" | "touched" | "provisional") {
        return None;
    }
    let kind: EventKind = serde_json::from_value(Value::Object(object.clone())).ok()?;
    let game = object.get("game").and_then(Value::as_u64);
    let game = game.and_then(|number| u32::try_from(number).ok());
    Some(Record {
        seq: opened.seq,
        time_micros: micros_of(opened),
        board: board.clone(),
        label: text("label").to_owned(),
        game_id: text("game_id").to_owned(),
        edition: text("edition").to_owned(),
        tags: BTreeMap::new(),
        text: words::sentence(language, &kind, game),
        what: What::Event(kind),
        json: object.clone(),
    })
}
