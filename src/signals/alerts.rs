//! What the arbiter has not yet acknowledged: a list, not a stream, so that a lost signal heals.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    audience::Audience,
    hub::{Record, What},
    words,
};
use crate::{
    arbiter::{
        EventKind,
        event::{AttentionKind, EndReason, LinkState},
    },
    laws::text::Language,
    units::BoardId,
};

/// The most alerts kept; beyond it the oldest that do not end a game go first.
pub const MOST: usize = 4096;

/// What an alert is about, in the bus's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlertKind {
    /// The Laws ended the game.
    GameOver(EndReason),
    /// A draw can be claimed.
    ClaimAvailable,
    /// A move that is not legal.
    IllegalPosition,
    /// A flag is down.
    FlagFallen,
    /// The board is gone or mute.
    BoardLost,
    /// The board shows what no legal move explains.
    Disagreement,
    /// Something else to look at.
    Attention,
}

impl AlertKind {
    /// The bus's word.
    pub const fn keyword(self) -> &'static str {
        match self {
            AlertKind::GameOver(_) => "game-over",
            AlertKind::ClaimAvailable => "claim-available",
            AlertKind::IllegalPosition => "illegal-position",
            AlertKind::FlagFallen => "flag-fallen",
            AlertKind::BoardLost => "board-lost",
            AlertKind::Disagreement => "disagreement",
            AlertKind::Attention => "attention",
        }
    }

    /// How loudly an agent may bring it: `quiet` must never be spoken, shown to players or sounded.
    pub const fn severity(self) -> &'static str {
        match self {
            AlertKind::GameOver(_) => "urgent",
            AlertKind::ClaimAvailable => "quiet",
            _ => "notice",
        }
    }
}

/// An alert that nobody has acknowledged.
#[derive(Clone, Debug, PartialEq)]
pub struct Alert {
    /// The sequence number of the record that raised it.
    pub id: u64,
    /// The board.
    pub board: BoardId,
    /// What people call the board.
    pub label: String,
    /// The game, empty when none is on.
    pub game_id: String,
    /// What it is about.
    pub kind: AlertKind,
    /// Who may be told.
    pub audience: Audience,
    /// Edition of the Laws the article belongs to.
    pub edition: String,
    /// The article, empty when it is not about one.
    pub article: String,
    /// A few words.
    pub title: String,
    /// A sentence.
    pub body: String,
    /// When, microseconds since the epoch.
    pub raised_at: u64,
    /// The record's fields.
    pub details: serde_json::Map<String, serde_json::Value>,
}

impl Alert {
    /// How loudly an agent may bring it: `quiet` must never be spoken, shown to players or sounded.
    pub fn severity(&self) -> &'static str {
        if self.audience == Audience::ArbiterOnRequest { "quiet" } else { self.kind.severity() }
    }

    /// Whether it is about the illegal move of this number.
    fn is_illegal_move(&self, number: u32) -> bool {
        let own = self.details.get("number").and_then(serde_json::Value::as_u64);
        self.kind == AlertKind::IllegalPosition && own == Some(number.into())
    }
}

/// The list of open alerts.
#[derive(Clone, Debug, Default)]
pub struct AlertBook {
    open: BTreeMap<u64, Arc<Alert>>,
    language: Language,
}

impl AlertBook {
    /// An empty list whose titles are in this language.
    pub fn new(language: Language) -> AlertBook {
        AlertBook { open: BTreeMap::new(), language }
    }

    /// The open alerts, oldest first.
    pub fn list(&self) -> Vec<Arc<Alert>> {
        self.open.values().cloned().collect()
    }

    /// Takes note of a record; says whether the list changed.
    pub fn apply(&mut self, record: &Record) -> bool {
        let What::Event(event) = &record.what else { return false };
        let settled = self.settle(record, event);
        let Some((kind, article)) = raises(event) else { return settled };
        let who =
            if record.label.is_empty() { record.board.to_string() } else { record.label.clone() };
        let what = if let AlertKind::GameOver(reason) = kind {
            words::ending(&self.language, reason)
        } else {
            self.language.say("alert-title", vec![("kind", kind.keyword().to_owned())])
        };
        let title = format!("{who}: {what}");
        let alert = Alert {
            id: record.seq,
            board: record.board.clone(),
            label: record.label.clone(),
            game_id: record.game_id.clone(),
            kind,
            audience: Audience::of(event),
            edition: record.edition.clone(),
            article,
            title,
            body: record.text.clone(),
            raised_at: record.time_micros,
            details: record.json.clone(),
        };
        self.open.insert(alert.id, Arc::new(alert));
        self.bound();
        true
    }

    /// Takes an alert off the list, if it is there.
    pub fn acknowledge(&mut self, id: u64) -> Option<Arc<Alert>> {
        self.open.remove(&id)
    }

    /// Whether a game that is over waits to be acknowledged.
    pub fn sounding(&self) -> bool {
        self.open.values().any(|alert| matches!(alert.kind, AlertKind::GameOver(_)))
    }

    /// Removes what the record makes untrue.
    fn settle(&mut self, record: &Record, event: &EventKind) -> bool {
        let before = self.open.len();
        let gone = |alert: &Alert| match event {
            EventKind::GameOverWithdrawn { .. } => {
                matches!(alert.kind, AlertKind::GameOver(_)) && alert.game_id == record.game_id
            }
            // What a player might have claimed or undone is past with the next move.
            EventKind::Move { .. } | EventKind::Takeback { .. } => {
                matches!(alert.kind, AlertKind::ClaimAvailable)
            }
            // That the men stand right again undoes no illegal move: the arbiter decides on it.
            EventKind::Attention { kind: AttentionKind::Resolved, .. } => {
                let attention = alert.details.get("event").is_some_and(|e| e == "attention");
                matches!(alert.kind, AlertKind::Disagreement | AlertKind::Attention)
                    && attention
                    && !is_about_the_journal(alert)
            }
            EventKind::IllegalMoveDecided { number, .. }
            | EventKind::IllegalMoveWithdrawn { number, .. } => {
                alert.is_illegal_move(*number) && alert.game_id == record.game_id
            }
            EventKind::Link { state: LinkState::Connected | LinkState::Restored, .. } => {
                alert.kind == AlertKind::BoardLost
            }
            // A cable pulled and the board gone silent before: one alert, not two.
            EventKind::Link { .. } => alert.kind == AlertKind::BoardLost,
            EventKind::Attention { kind: AttentionKind::Mismatch, .. } => {
                alert.kind == AlertKind::Disagreement
            }
            // What is said of the journal is true until something else is.
            EventKind::Attention {
                kind: AttentionKind::Journal | AttentionKind::JournalRestored,
                ..
            } => is_about_the_journal(alert),
            EventKind::GameEnded { .. } if is_about_the_journal(alert) => false,
            EventKind::GameEnded { .. } => {
                !matches!(alert.kind, AlertKind::GameOver(_) | AlertKind::BoardLost)
            }
            _ => false,
        };
        self.open.retain(|_, alert| alert.board != record.board || !gone(alert));
        self.open.len() != before
    }

    fn bound(&mut self) {
        while self.open.len() > MOST {
            let minor = self.open.values().find(|a| !matches!(a.kind, AlertKind::GameOver(_)));
            let id = minor.map(|alert| alert.id).or_else(|| self.open.keys().next().copied());
            if let Some(id) = id {
                self.open.remove(&id);
            }
        }
    }
}

fn is_about_the_journal(alert: &Alert) -> bool {
    let kind = alert.details.get("kind").and_then(serde_json::Value::as_str);
    alert.kind == AlertKind::Attention && kind == Some("journal")
}

/// The alert an event raises, and its article.
pub(super) fn raises(event: &EventKind) -> Option<(AlertKind, String)> {
    Some(match event {
        EventKind::GameOver { reason, article, .. } => {
            (AlertKind::GameOver(*reason), article.clone())
        }
        EventKind::ClaimAvailable { article, .. } => (AlertKind::ClaimAvailable, article.clone()),
        EventKind::IllegalMove { article, .. } => (AlertKind::IllegalPosition, article.clone()),
        EventKind::Flag { article, .. } => (AlertKind::FlagFallen, article.clone()),
        EventKind::PossibleEnd { article, .. } => (AlertKind::Attention, article.clone()),
        EventKind::Link { state: LinkState::Lost | LinkState::Silent, .. } => {
            (AlertKind::BoardLost, String::new())
        }
        EventKind::Attention { kind, .. } => match kind {
            AttentionKind::Resolved
            | AttentionKind::JournalRestored
            | AttentionKind::ClockAbsent
            | AttentionKind::Sensor
            | AttentionKind::Ambiguous => return None,
            AttentionKind::Mismatch | AttentionKind::MissingPiece => {
                (AlertKind::Disagreement, String::new())
            }
            _ => (AlertKind::Attention, String::new()),
        },
        _ => return None,
    })
}
