//! How the world learns of it: journal, bus, buzzer, PGN files.
//!
//! In: events and views of boards. Out: records on disk, objects and signals on D-Bus, sounds,
//! files. Refuses to know: ports, clocks (times come with what happened), the judging of games.

pub mod alerts;
pub mod audience;
pub mod buzzer;
pub mod dbus;
pub mod gpio;
pub mod hub;
pub mod journal;
pub mod pgn_files;
pub mod recover;
pub mod scorebook;
pub mod words;

use std::{collections::BTreeMap, sync::Arc};

use tokio::sync::{mpsc, oneshot, watch};

use crate::{
    arbiter::{Refusal, Reply, Request, Status},
    units::{BoardId, Stamp},
};

/// What there is to see of a board, with what only the shell knows: names and times of day.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardView {
    /// The board.
    pub id: BoardId,
    /// What people call it, such as `Table 7`.
    pub label: String,
    /// The port it is on, empty when it is on none.
    pub port: String,
    /// Why it cannot be used, empty when it can.
    pub error: String,
    /// What the core shows.
    pub status: Status,
    /// The game's name, unique among all games; empty when none is set up.
    pub game_id: String,
    /// Time of day at [`Stamp::ZERO`], microseconds since the epoch.
    pub epoch_micros: u64,
}

impl BoardView {
    /// A board of which nothing is known yet.
    pub fn new(id: BoardId, label: String, epoch_micros: u64) -> BoardView {
        BoardView {
            id,
            label,
            port: String::new(),
            error: String::new(),
            status: Status::default(),
            game_id: String::new(),
            epoch_micros,
        }
    }

    /// The time of day at `stamp`, microseconds since the epoch.
    pub fn micros(&self, stamp: Stamp) -> u64 {
        self.epoch_micros.saturating_add(stamp.as_micros())
    }
}

/// Who asks for something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The login, when the bus knows it.
    pub uid: Option<u32>,
    /// What he calls himself (the `by` of a method's options).
    pub by: String,
    /// Why, in his words (the `reason` of a method's options).
    pub reason: String,
}

/// A request for one board, answered by its task.
#[derive(Debug)]
pub struct BoardRequest {
    /// What is asked.
    pub what: BoardAsk,
    /// Who asks.
    pub by: Caller,
    /// Where the answer goes.
    pub reply: oneshot::Sender<Result<Reply, Refusal>>,
}

/// What may be asked of a board.
#[derive(Debug)]
pub enum BoardAsk {
    /// Of the game.
    Core(Request),
    /// Another label.
    Label(String),
}

/// The two ends a board's task offers to everybody else.
#[derive(Clone, Debug)]
pub struct BoardHandle {
    /// The newest view.
    pub view: watch::Receiver<Arc<BoardView>>,
    /// Requests.
    pub requests: mpsc::Sender<BoardRequest>,
}

/// All boards by name; the newest list replaces those before it.
pub type Boards = Arc<BTreeMap<BoardId, BoardHandle>>;

/// A request for the daemon as a whole, answered by the supervisor.
#[derive(Debug)]
pub enum DaemonRequest {
    /// Read the configuration again; answers with what it could not take up.
    Reload(oneshot::Sender<Vec<String>>),
    /// Another edition for games that start from now on.
    SetEdition {
        /// Its name.
        edition: String,
        /// Whether there is such an edition.
        reply: oneshot::Sender<Result<(), Refusal>>,
    },
}
