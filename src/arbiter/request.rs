//! What people may ask of a board, and why it may be refused.

use std::collections::BTreeMap;

use crate::{
    arbiter::event::{ClaimReason, Side},
    units::{Millis, Ply},
};

/// A request from the arbiter's side. Those that change a game name the ply they were made for, so
/// that a move played meanwhile is never overruled by accident.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Start a game now, from the initial array or from a position.
    NewGame(NewGame),
    /// Put the game to a position; what was played before is closed.
    SetPosition {
        /// The position, as FEN.
        fen: String,
        /// The ply the asker saw.
        expected_ply: Ply,
    },
    /// Take back the last plies.
    Undo {
        /// How many.
        plies: u32,
        /// The ply the asker saw.
        expected_ply: Ply,
    },
    /// Enter a result: the game is closed.
    SetResult {
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        result: String,
        /// Why, in the arbiter's words.
        reason: String,
        /// The ply the asker saw.
        expected_ply: Ply,
    },
    /// Say which way round the board stands.
    SetFlipped(bool),
    /// Ask the board for all its squares.
    Resync,
    /// Ask the board again for all that it says of itself, and for squares and clock.
    Identify,
    /// Set PGN tags of the game (White, Black, Event, Round, Table, …).
    SetTags(BTreeMap<String, String>),
    /// Choose the edition of the Laws for the game.
    SetEdition {
        /// Such as `fide-2023`.
        edition: String,
        /// The ply the asker saw.
        expected_ply: Ply,
    },
    /// Close the game without a result.
    Close,
    /// Is a claim right?
    CheckClaim {
        /// What is claimed.
        kind: ClaimReason,
        /// The announced move in SAN or UCI; none for a position that has just appeared.
        announced: Option<String>,
        /// The ply the asker saw.
        expected_ply: Ply,
    },
}

/// How a new game begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewGame {
    /// The first position; the initial array when absent.
    pub fen: Option<String>,
    /// Edition of the Laws; the board's when absent.
    pub edition: Option<String>,
    /// Chess960 castling.
    pub chess960: bool,
    /// PGN tags.
    pub tags: BTreeMap<String, String>,
}

/// What a granted request answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Done.
    Done,
    /// A game with this number began.
    Game(u32),
    /// The game now stands at this ply and position.
    At {
        /// The ply.
        ply: Ply,
        /// The position, as FEN.
        fen: String,
    },
    /// What the Laws say of a claim.
    Claim(ClaimAnswer),
}

/// What the Laws say of a claim made on a live board.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimAnswer {
    /// The claim is right: the game is drawn.
    pub valid: bool,
    /// The article in the edition in force.
    pub article: String,
    /// Why, in words.
    pub explanation: String,
    /// The plies at which the position stood, or the first and last ply of the count.
    pub plies: Vec<Ply>,
    /// Who has the move.
    pub claimant: Side,
    /// The clocks (White, Black) after a wrong claim, when both are known.
    pub clocks_after: Option<(Millis, Millis)>,
}

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No game is on.
    #[error("no game is on at this board; start one first")]
    NoGame,
    /// The game is closed.
    #[error("the game is over; start the next one first")]
    GameOver,
    /// The game went on meanwhile.
    #[error(
        "the board is at half-move {actual}, not {expected}; look again and repeat the request"
    )]
    StalePly {
        /// The ply the asker named.
        expected: Ply,
        /// The ply it is.
        actual: Ply,
    },
    /// A move that is not legal in the position.
    #[error("{text:?} is not a legal move here: {why}")]
    IllegalMove {
        /// The text given.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A position that cannot stand in a game.
    #[error("{fen:?} is not a position a game can have: {why}")]
    IllegalPosition {
        /// The text given.
        fen: String,
        /// What is wrong with it.
        why: String,
    },
    /// No such edition.
    #[error("{0:?} is no edition of the Laws; the newest is fide-2023")]
    UnknownEdition(String),
    /// Not one of the four results.
    #[error("{0:?} is not a result: write 1-0, 0-1, 1/2-1/2 or *")]
    BadResult(String),
    /// Not a PGN tag.
    #[error("{0:?} is not a PGN tag name: use letters, digits and _")]
    BadTag(String),
    /// More tags than a game has room for.
    #[error("a game has room for {0} PGN tags; give fewer")]
    TooManyTags(usize),
    /// A text that is too long to be kept.
    #[error("the {what} is too long: at most {most} characters are taken")]
    TooLong {
        /// Which text.
        what: &'static str,
        /// The longest there may be, in characters.
        most: usize,
    },
    /// More plies to take back than were played.
    #[error("there are only {0} half-moves to take back")]
    TooFewPlies(u32),
    /// The board is not there.
    #[error("the board is not connected")]
    NotConnected,
}
