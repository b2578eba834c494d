//! What the tracker concludes from what the board shows.

use serde::{Deserialize, Serialize};
use shakmaty::{Board, Chess, Color, KnownOutcome, Move, Piece, Square};

use super::board_log::Unsettled;
use crate::{
    units::{Ply, Stamp},
    wire::{Contact, Orientation},
};

/// A conclusion, in the order in which they were reached.
#[derive(Clone, Debug, PartialEq)]
pub enum TrackEvent {
    /// A game begins.
    Started {
        /// Its first position.
        position: Box<Chess>,
        /// How it came about.
        source: StartSource,
        /// Which way round the board stands.
        orientation: Orientation,
    },
    /// The board shows a move that is not yet confirmed and may change.
    Shown {
        /// The half-move it would be.
        ply: Ply,
        /// The move.
        m: Move,
    },
    /// A move is confirmed.
    Moved {
        /// The half-move it is.
        ply: Ply,
        /// The move.
        m: Move,
        /// When the board first showed it.
        made: Stamp,
        /// What confirmed it.
        by: ConfirmedBy,
        /// Whether no other line explains what the board showed as well.
        exact: bool,
    },
    /// The position after a confirmed ply is beyond doubt: good enough to end a game on.
    Firm {
        /// The ply.
        ply: Ply,
    },
    /// Confirmed plies are void.
    TakenBack {
        /// The last ply that stands.
        to: Ply,
        /// Why.
        reason: TakebackReason,
    },
    /// The kings, or a special piece, show a result.
    Result {
        /// The result.
        outcome: KnownOutcome,
        /// Where.
        squares: Vec<Square>,
    },
    /// The game on the board is at its end: no further move will be taken for it.
    Closed {
        /// What closed it.
        how: Closing,
    },
    /// A man was lifted and put back on its square.
    Touched {
        /// The square.
        square: Square,
        /// The man.
        piece: Piece,
        /// When it was lifted.
        lifted: Stamp,
        /// When it was put back.
        back: Stamp,
    },
    /// A press completed something that is no legal move.
    Illegal {
        /// Who pressed.
        by: Color,
        /// The ply it would have been.
        ply: Ply,
        /// What is wrong with it.
        fault: Fault,
        /// The squares at which the board differs from the game.
        squares: Vec<Square>,
        /// The men as they stood then.
        placement: Box<Board>,
    },
    /// A move against Article 3 was left standing: the opponent has made his next move after it, and
    /// that is told next.
    Stood {
        /// The half-move it is.
        ply: Ply,
        /// The man that went, as if it might.
        m: Move,
        /// The position after it.
        position: Box<Chess>,
        /// When the clock was pressed after it.
        made: Stamp,
        /// What completed it.
        by: ConfirmedBy,
    },
    /// Something somebody should look at.
    Noted(Note),
}

/// Something somebody should look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What kind of thing.
    pub kind: AttentionKind,
    /// The squares concerned.
    pub squares: Vec<Square>,
    /// What there is to say of it.
    pub text: Text,
}

/// What there is to say of a [`Note`]; the words are those of whoever reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// As it stands, in English.
    Plain(String),
    /// Men were moved after the end of the game.
    AfterTheEnd,
    /// Men of the game are not on the board.
    Missing(Vec<(Square, Piece)>),
    /// A man stands where it may not have gone.
    NotLegal {
        /// Its old square.
        from: Square,
        /// Its new square.
        to: Square,
    },
    /// No legal move leads to what the board shows.
    Unreachable {
        /// How it differs from the most similar position that a legal move leads to.
        differs: Vec<Differs>,
        /// Squares that differ beyond those.
        more: usize,
    },
    /// The clock stands the other way round.
    ClockTurned,
    /// This side moved the rook first when castling.
    RookFirst(Color),
    /// The board shows this side's king checkmated, and no known moves lead there.
    MateUnexplained(Color),
    /// This side pressed without a move.
    PressWithoutMove(Color),
    /// The man of this square is taken to stand there although it reads empty.
    ReadsEmpty(Square),
    /// The men on the board can be no game.
    NoPosition,
    /// A position is set up; who is to move is not known.
    SetUpWaits,
    /// The board agrees with the game again.
    AgreesAgain,
    /// A completed move was taken back.
    CompletedMoveTakenBack {
        /// The last ply that stands.
        to: Ply,
        /// Who is to move there.
        turn: Color,
    },
    /// Moves were made that nobody saw.
    PlayedUnseen {
        /// They, in algebraic notation.
        moves: String,
        /// Whether no others explain the board as well.
        sure: bool,
    },
    /// A game was over before the board could be read again: nobody saw what was played last.
    EndUnseen {
        /// The last ply that was seen.
        after: Ply,
    },
    /// The board's own log does not tell what was played meanwhile.
    LogUnsettled(Unsettled),
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::Plain(text.to_owned())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::Plain(text)
    }
}

/// A square that reads otherwise than expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    /// The square.
    pub square: Square,
    /// What it reads.
    pub reads: Contact,
    /// The man that should stand there.
    pub expected: Option<Piece>,
}

/// What closed a game on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// A result was shown and stood.
    Signalled,
    /// The men were set up for the next game.
    NextGame,
}

/// What is wrong with a completed move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A pawn stands on the last rank (Article 7.5.2, 2023).
    PawnOnLastRank(Square),
    /// The mover's king stands in check (Article 3.9.2, 2023).
    KingInCheck {
        /// The man's old square.
        from: Square,
        /// Its new square.
        to: Square,
    },
    /// The opponent's king was taken (Article 7.5.1, 2023).
    KingCaptured {
        /// The old square of the man that took it.
        from: Square,
        /// Where the king stood.
        to: Square,
    },
    /// A man moved as it may not.
    NotLegal {
        /// The man's old square, when a single man moved.
        from: Option<Square>,
        /// Its new square.
        to: Option<Square>,
    },
}

/// How the first position of a game came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartSource {
    /// The initial array on the board.
    InitialArray,
    /// A position set up on the board or given as FEN.
    Setup,
    /// Taken up again after an interruption.
    Resumed,
}

/// What made a move certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmedBy {
    /// The mover pressed the clock.
    Press,
    /// The opponent replied.
    Reply,
    /// The board stood still.
    Still,
    /// The board's own log tells of it.
    Log,
}

/// Why moves are void.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TakebackReason {
    /// The players put the men back.
    Board,
    /// The arbiter ordered it.
    Arbiter,
    /// Later evidence disproved a move; the right ones follow.
    Correction,
}

/// What kind of thing needs attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttentionKind {
    /// The board shows what no legal move explains.
    Mismatch,
    /// The board agrees with the game again.
    Resolved,
    /// A man of the game is not on the board.
    MissingPiece,
    /// Moves may have been lost; the counters are lower bounds.
    Gap,
    /// More than one line of moves explains the board.
    Ambiguous,
    /// A position was set up that cannot be a game yet.
    SetupUnclear,
    /// The clock was expected and is not there.
    ClockAbsent,
    /// The clock stands on the other side than assumed.
    ClockSide,
    /// The board was turned round.
    BoardTurned,
    /// The men were moved after the game ended.
    AfterTheEnd,
    /// A square's reading flickers or cannot be read.
    Sensor,
    /// The clock was pressed although no move was made.
    PressWithoutMove,
    /// A completed move was taken back.
    CompletedMoveTakenBack,
    /// A rook was moved before its king in castling (Article 4.4.2).
    RookFirst,
    /// A pawn stands on the last rank.
    PawnOnLastRank,
    /// Something in this program failed and was contained.
    Internal,
    /// The journal cannot be written, or was found damaged: what a restart would need is missing.
    Journal,
    /// The journal is written again and nothing of it is missing.
    JournalRestored,
}
