//! What is true of a running game and follows from no event: kept in the journal beside them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    arbiter::{Arbiter, event::OrientationName, live::LiveGame},
    laws::{Conditions, Control, SupervisedBlitz, Supervision},
    units::Ply,
    wire::{ClockSide, Orientation},
};

/// A side of the clock, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockSideName {
    /// The left one, seen from its front.
    Left,
    /// The right one.
    Right,
}

impl From<ClockSide> for ClockSideName {
    fn from(side: ClockSide) -> ClockSideName {
        match side {
            ClockSide::Left => ClockSideName::Left,
            ClockSide::Right => ClockSideName::Right,
        }
    }
}

impl From<ClockSideName> for ClockSide {
    fn from(side: ClockSideName) -> ClockSide {
        match side {
            ClockSideName::Left => ClockSide::Left,
            ClockSideName::Right => ClockSide::Right,
        }
    }
}

/// What is kept of a game whenever it changes: the event `kept` of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memo {
    /// The game on its board.
    pub game: u32,
    /// Edition of the Laws, such as `fide-2023`.
    pub edition: String,
    /// The time control.
    pub control: Control,
    /// How closely arbiters watch.
    pub supervision: Supervision,
    /// How B.2 of 2023 is read.
    pub supervised_blitz: SupervisedBlitz,
    /// Somebody vouched for the first position; otherwise it was read off the board.
    pub given: bool,
    /// The first position says which castling rights are left.
    #[serde(default)]
    pub rights_known: bool,
    /// Castling is that of Chess960.
    #[serde(default)]
    pub chess960: bool,
    /// Which way round the board stands.
    pub orientation: OrientationName,
    /// Which side of the clock is White's.
    pub white_clock_side: ClockSideName,
    /// Squares that never read the man that is taken to stand there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
    /// The half-move after which moves may have been made while the board sent its own log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unheard: Option<Ply>,
    /// PGN tags the arbiter gave.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// PGN tags of the next game.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub next_tags: BTreeMap<String, String>,
}

impl Memo {
    /// How the game is played; `None` when this program does not know the edition.
    pub fn conditions(&self) -> Option<Conditions> {
        Some(Conditions {
            edition: self.edition.parse().ok()?,
            control: self.control,
            supervision: self.supervision,
            supervised_blitz: self.supervised_blitz,
        })
    }
}

impl Arbiter {
    /// What must be kept of the game that is on beside its events; `None` without a game.
    pub fn memo(&self) -> Option<Memo> {
        let game =
            self.game.as_ref().filter(|game| !game.closed() || !self.next_tags.is_empty())?;
        let Conditions { edition, control, supervision, supervised_blitz } = game.conditions();
        let sensors = self.tracker.sensors();
        Some(Memo {
            game: LiveGame::number(game),
            edition: edition.name().to_owned(),
            control,
            supervision,
            supervised_blitz,
            given: game.given(),
            rights_known: game.rights_known(),
            chess960: game.chess960(),
            orientation: match sensors.orientation() {
                Orientation::Normal => OrientationName::Normal,
                Orientation::Rotated => OrientationName::Rotated,
            },
            white_clock_side: self.tracker.lever().white_side().into(),
            assumed: sensors.assumed().into_iter().map(|square| square.to_string()).collect(),
            unheard: self.unheard(),
            tags: game.tags().clone(),
            next_tags: self.next_tags.clone(),
        })
    }
}
