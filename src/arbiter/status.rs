//! What there is to see of a board at any moment.

use std::collections::BTreeMap;

use crate::{
    arbiter::event::{ClaimReason, EndReason, Side},
    laws::{Control, Supervision},
    units::{Millis, Ply, Stamp},
    wire::ClockSide,
};

/// All that can be read of a board; the newest one replaces those before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// Serial number, empty while unknown.
    pub serial: String,
    /// Firmware version, empty while unknown.
    pub firmware: String,
    /// The board's own notice, as it came; empty while unknown.
    pub trademark: String,
    /// Battery charge in per cent, if the board has one.
    pub battery: Option<u8>,
    /// State of the line.
    pub line: Line,
    /// Piece placement the sensors see now, as the first field of a FEN; empty before a dump.
    pub placement: String,
    /// The board stands with its connector on White's right.
    pub flipped: bool,
    /// A piece is in the air, or the board is otherwise between two positions.
    pub moving: bool,
    /// The sensors show the position of the game.
    pub agrees: bool,
    /// When the board last said anything.
    pub last_heard: Option<Stamp>,
    /// The clock, while one is connected.
    pub clock: Option<ClockStatus>,
    /// Which side of the clock is White's.
    pub white_clock_side: ClockSide,
    /// PGN tags of the next game.
    pub next_tags: BTreeMap<String, String>,
    /// The game, once one is set up.
    pub game: Option<GameStatus>,
    /// Bytes and messages lost on the line so far.
    pub lost: u64,
}

/// State of the line to a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Line {
    /// No port.
    #[default]
    Absent,
    /// A port is open; the board is being greeted.
    Opening,
    /// The board answers.
    Ready,
    /// The board does not answer.
    Silent,
}

/// The clock of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockStatus {
    /// White's time.
    pub white: Millis,
    /// Black's time.
    pub black: Millis,
    /// When these times were read.
    pub measured: Stamp,
    /// Whose time runs down.
    pub running: Option<Side>,
    /// Whose turn the lever shows.
    pub lever: Side,
    /// Whose flag has fallen.
    pub flag: Option<Side>,
}

/// The game of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct GameStatus {
    /// 1, 2, … on this board.
    pub number: u32,
    /// Edition of the Laws, such as `fide-2023`.
    pub edition: String,
    /// The time control.
    pub control: Control,
    /// How closely arbiters watch.
    pub supervision: Supervision,
    /// First position.
    pub start_fen: String,
    /// Stage of the game.
    pub stage: Stage,
    /// The position after the last confirmed move.
    pub fen: String,
    /// Who has the move.
    pub turn: Side,
    /// Confirmed half-moves.
    pub ply: Ply,
    /// The last confirmed move, empty at the start.
    pub last_san: String,
    /// The move the board shows beyond it, empty when none.
    pub provisional: String,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// How often the present position has occurred.
    pub repetitions: u32,
    /// Whether the two counters are exact, not lower bounds.
    pub exact: bool,
    /// What the player to move may claim now (class C).
    pub claims: Vec<ClaimReason>,
    /// Illegal moves that wait for a decision (class B).
    pub illegal: Vec<IllegalStatus>,
    /// How many illegal moves of White and of Black were accepted (class B).
    pub illegal_counted: [u32; 2],
    /// `*`, `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Why the Laws ended it.
    pub ending: Option<EndReason>,
    /// A result the arbiter entered or the players showed decides.
    pub set_by_arbiter: bool,
    /// The article that ended it, empty when none did.
    pub article: String,
    /// When it ended.
    pub ended: Option<Stamp>,
    /// PGN tags.
    pub tags: BTreeMap<String, String>,
    /// All confirmed moves.
    pub moves: std::sync::Arc<Vec<std::sync::Arc<MoveStatus>>>,
}

/// An illegal move that waits for a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalStatus {
    /// Which of this game.
    pub number: u32,
    /// Who made it.
    pub by: Side,
    /// The ply it would have been.
    pub ply: Ply,
    /// The article that makes it an offence.
    pub article: String,
    /// What it costs, in words.
    pub costs: String,
    /// Only the opponent may act on it: the arbiter keeps silent (class C).
    pub secret: bool,
}

/// Stage of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Set up, no move yet.
    Waiting,
    /// On.
    Playing,
    /// Over.
    Over,
}

/// One confirmed move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveStatus {
    /// SAN.
    pub san: String,
    /// UCI.
    pub uci: String,
    /// White's time after it.
    pub white: Option<Millis>,
    /// Black's time after it.
    pub black: Option<Millis>,
}
