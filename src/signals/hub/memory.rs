//! What the hub knows from before the program started, and what its journal says of itself.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Map, Value};
use tokio::sync::mpsc;

use super::{Hub, Record, What, Written};
use crate::{
    arbiter::{
        Event, EventKind,
        event::{AttentionKind, StartSource},
        resume::Memo,
    },
    signals::{
        BoardView,
        alerts::{AlertBook, AlertKind},
        audience::MaySound,
        gpio::BuzzerInput,
        journal::{Lost, Notice},
    },
    units::{BoardId, Stamp},
};

/// A game as it was when the program ended.
#[derive(Debug, Default)]
pub struct GameMemory {
    /// Its unique name.
    pub game_id: String,
    /// Its PGN tags.
    pub tags: BTreeMap<String, String>,
    /// What its events told.
    pub record: Vec<EventKind>,
    /// The PGN file may not hold all of it.
    pub unwritten: bool,
}

/// What a journal remembers for the hub.
#[derive(Debug, Default)]
pub struct HubMemory {
    /// The number of each board's last line.
    pub last: BTreeMap<BoardId, u64>,
    /// The alerts nobody has acknowledged.
    pub alerts: AlertBook,
    /// The numbers of the first lines that each board's last game and the one before it need.
    pub games_from: BTreeMap<BoardId, (u64, u64)>,
    /// Of those, the ends of games that may not have sounded.
    pub sound: Vec<(u64, MaySound)>,
    /// The last games of each board, the older first.
    pub games: Vec<(BoardId, GameMemory)>,
}

impl Hub {
    /// The hub as it was when the program ended: alerts are open again, under their numbers.
    #[must_use]
    pub fn remembering(mut self, memory: HubMemory) -> Hub {
        self.chain = memory.last;
        self.games_from = memory.games_from;
        self.book = memory.alerts;
        self.parts.alerts.send_replace(Arc::new(self.book.list()));
        for (id, leave) in memory.sound {
            self.tell_buzzer(BuzzerInput::Sound(id, leave));
        }
        for (board, game) in memory.games {
            let mut written = Written {
                game_id: game.game_id,
                tags: game.tags,
                fresh: game.unwritten,
                ..Written::default()
            };
            for kind in &game.record {
                written.book.apply(kind);
            }
            written.hand_over(self.parts.pgn.as_ref());
            written.before = self.games.remove(&board).map(Box::new);
            self.games.insert(board, written);
        }
        self
    }

    /// The record of what the journal says of itself. It has no time of its own: that of the last record.
    pub(super) fn notice(&mut self, notice: Notice) -> Arc<Record> {
        let (board, kind, text) = match notice {
            Notice::Failing { board, why } => {
                let text = format!(
                    "the journal cannot be written ({why}): the games go on in memory; a restart now \
                     would lose what is missing"
                );
                (board, AttentionKind::Journal, text)
            }
            Notice::Working { board, lost } if lost.is_empty() => {
                let text = "the journal is written again; nothing is missing".to_owned();
                (board, AttentionKind::JournalRestored, text)
            }
            Notice::Working { board, lost } => {
                let named: Vec<String> = lost.iter().map(words).collect();
                let text =
                    format!("the journal is written again; missing are {}", named.join("; "));
                (board, AttentionKind::Journal, text)
            }
        };
        let kind = EventKind::Attention { kind, squares: Vec::new(), text: text.clone() };
        let (t, time_micros) = self.latest();
        let event = Event { board: board.clone(), t, game: None, kind };
        let json = event.to_json();
        let view = BoardView::new(board, String::new(), 0);
        self.record(&view, String::new(), time_micros, What::Event(event.kind), text, json)
    }

    /// The records of a silence: of each game whose end sounded.
    pub(super) fn silenced(&mut self) -> Vec<Arc<Record>> {
        let (_, time_micros) = self.latest();
        let open = self.book.list();
        let over = open.iter().filter(|alert| matches!(alert.kind, AlertKind::GameOver(_)));
        over.map(|alert| {
            let mut json = Map::new();
            json.insert("event".into(), "silenced".into());
            json.insert("board".into(), alert.board.as_str().into());
            json.insert("alert".into(), alert.id.into());
            let view = BoardView::new(alert.board.clone(), alert.label.clone(), 0);
            let text = format!("the sound of alert {} was stopped", alert.id);
            let game_id = alert.game_id.clone();
            self.record(&view, game_id, time_micros, What::Silenced(alert.id), text, json)
        })
        .collect()
    }

    /// The times of the last record; nobody here can read a clock.
    fn latest(&self) -> (Stamp, u64) {
        self.latest
    }
}

fn words(lost: &Lost) -> String {
    let Lost { board, first, last, count } = lost;
    format!("{count} lines of board {board}, numbers {first} to {last}")
}

/// The next notice; never when there is no journal, or its thread has ended.
pub(super) async fn next_notice(notices: &mut Option<mpsc::UnboundedReceiver<Notice>>) -> Notice {
    if let Some(receiver) = notices {
        if let Some(notice) = receiver.recv().await {
            return notice;
        }
        *notices = None;
    }
    std::future::pending().await
}

/// The sentence and the JSON object of what is kept of a game.
pub(super) fn kept(memo: &Memo, board: &BoardId, t: Stamp) -> (String, Map<String, Value>) {
    let mut json = Map::new();
    json.insert("event".into(), "kept".into());
    json.insert("board".into(), board.as_str().into());
    json.insert("t".into(), t.as_seconds().into());
    // Strings, numbers and a table of them.
    if let Ok(Value::Object(fields)) = serde_json::to_value(memo) {
        json.extend(fields);
    }
    (format!("game {} is played by {}, {}", memo.game, memo.edition, memo.control), json)
}

/// From which number on a board's lines are needed to rebuild its game and the one before it, when this
/// record changes that. `last` is the number of the line before it: what is kept of a game stands there.
pub(super) fn needs(record: &Record, last: u64, from: &mut (u64, u64)) -> Option<u64> {
    match &record.what {
        What::Event(EventKind::GameStarted { source, .. }) if *source != StartSource::Resumed => {
            let own = if last == 0 { record.seq } else { last };
            *from = (own, from.0);
        }
        What::Event(EventKind::GameReopened { instead_of: Some(_), .. }) => {
            *from = (from.1, from.0);
        }
        _ => return None,
    }
    [from.0, from.1].into_iter().filter(|first| *first > 0).min()
}
