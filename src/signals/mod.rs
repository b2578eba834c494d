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
pub mod refused;
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
    /// How many thousandths of a second pass on the board's own clock in one; 0: none, a capture is
    /// played as fast as it goes.
    pub speed_milli: u64,
    /// Time of day at which the game ended, microseconds since the epoch; 0 when it has not. Never
    /// later than it was then, however far a capture's own time had run ahead.
    pub ended_micros: u64,
    /// The file the board's line is recorded in, empty when it is not recorded.
    pub recording: String,
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
            speed_milli: 1_000,
            ended_micros: 0,
            recording: String::new(),
        }
    }

    /// The time of day at `stamp`, microseconds since the epoch. While a capture is played as fast as
    /// it goes, no time passes.
    pub fn micros(&self, stamp: Stamp) -> u64 {
        let passed = u128::from(stamp.as_micros()) * 1_000;
        let passed = passed.checked_div(u128::from(self.speed_milli)).unwrap_or_default();
        self.epoch_micros.saturating_add(u64::try_from(passed).unwrap_or(u64::MAX))
    }

    /// The time of day at which the game of `status` ended, when this view was the last one and it is
    /// `now`: see [`BoardView::ended_micros`].
    pub fn end_of(&self, status: &Status, now: u64) -> u64 {
        let Some((number, ended)) = end(status) else { return 0 };
        match end(&self.status) {
            // It does not move, though what is known of it is shown again.
            Some(known) if known == (number, ended) && self.ended_micros != 0 => self.ended_micros,
            _ if self.speed_milli == 0 => now,
            _ => self.micros(ended).min(now),
        }
    }
}

/// Number and end of the game, if it has ended.
fn end(status: &Status) -> Option<(u32, Stamp)> {
    let game = status.game.as_ref()?;
    Some((game.number, game.ended?))
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
    /// What that is called in the journal.
    pub name: &'static str,
    /// Who asks.
    pub by: Caller,
    /// Where the answer goes.
    pub reply: oneshot::Sender<Result<Reply, Denied>>,
}

/// Why a board's task does not do what it is asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The core refuses.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The line is recorded already.
    #[error("this board is being recorded already, in {0}; stop that recording first")]
    AlreadyRecording(String),
    /// There is no recording to stop.
    #[error("this board is not being recorded")]
    NotRecording,
    /// A recording is in between.
    #[error("a recording of this board is just being started or stopped; try again in a moment")]
    RecordingBusy,
    /// The recording failed.
    #[error("the board cannot be recorded: {0}")]
    CannotRecord(String),
    /// There is nothing to record.
    #[error("this board is itself played from a recording; copy that file instead")]
    NoLine,
    /// The program failed on the request.
    #[error(
        "this program failed on the request and took up the game as it was before; see its log"
    )]
    Failed,
}

/// What may be asked of a board.
#[derive(Debug)]
pub enum BoardAsk {
    /// Of the game.
    Core(Request),
    /// Another label.
    Label(String),
    /// Record the line from now on.
    StartCapture,
    /// End the recording.
    StopCapture,
}

impl BoardAsk {
    /// A question changes nothing: it is not for the record.
    pub fn is_question(&self) -> bool {
        matches!(self, BoardAsk::Core(Request::CheckClaim { .. }))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_captures_own_time_becomes_time_that_has_passed() {
        let mut view = BoardView::new("b1".parse().unwrap(), String::new(), 1_000);
        for (speed_milli, micros) in [(1_000, 5_001_000), (10_000, 501_000), (0, 1_000)] {
            view.speed_milli = speed_milli;
            assert_eq!(view.micros(Stamp::from_millis(5_000)), micros, "{speed_milli}");
        }
    }
}
