//! What people may ask of a board, and why it may be refused.

use std::collections::BTreeMap;

use crate::{
    arbiter::event::{ClaimReason, FlagDecidedBy, MayCall, Side, YesNoUnknown},
    laws::{Control, SupervisedBlitz, Supervision, ledger::NotPending, text::Language},
    units::{Millis, Ply},
    wire::ClockSide,
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
    /// Say which side of the clock is White's, as seen from the clock's front.
    SetClockSide(ClockSide),
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
    /// Choose edition, time control and supervision for the game; what is absent stays.
    SetConditions {
        /// Such as `fide-2023`.
        edition: Option<String>,
        /// `standard`, `rapid` or `blitz`.
        control: Option<Control>,
        /// `shared` or `full`.
        supervision: Option<Supervision>,
        /// How B.2 of 2023 is read.
        supervised_blitz: Option<SupervisedBlitz>,
        /// The ply the asker saw.
        expected_ply: Ply,
    },
    /// Who is to play at the board: PGN tags of the game that waits for its first move, else of the
    /// next one.
    SetPairing(BTreeMap<String, String>),
    /// Close the game without a result.
    Close,
    /// Open the game again that a result, a ruling or [`Request::Close`] closed.
    Reopen {
        /// The ply the asker saw.
        expected_ply: Ply,
    },
    /// The game that is on was started, or its position set, by mistake: the game before it goes on.
    UndoStart {
        /// The language of the answer; the board's when absent.
        language: Option<Language>,
        /// The ply the asker saw, of the game that is on.
        expected_ply: Ply,
    },
    /// Is a claim right? Nothing is written down.
    CheckClaim {
        /// What is claimed.
        kind: ClaimReason,
        /// The announced move in SAN or UCI; none for a position that has just appeared.
        announced: Option<String>,
        /// The ply the asker saw.
        expected_ply: Ply,
    },
    /// A claim was made: what follows from it? The ruling is written down.
    Claim {
        /// The claim.
        made: ClaimMade,
        /// Enter the draw if it is right.
        enter: bool,
        /// The language of the answer; the board's when absent.
        language: Option<Language>,
        /// The ply the asker saw.
        expected_ply: Ply,
    },
    /// A flag was observed or claimed now: what follows from it? The ruling is written down.
    Flag {
        /// Whose.
        side: Side,
        /// What had happened before.
        before: FlagBefore,
        /// Enter the result if there is one.
        enter: bool,
        /// The language of the answer; the board's when absent.
        language: Option<Language>,
        /// The ply the asker saw.
        expected_ply: Ply,
    },
    /// Accept or dismiss an illegal move that waits for a decision.
    DecideIllegalMove {
        /// Which of this game; the only one that waits when absent.
        number: Option<u32>,
        /// It counts and its penalty follows; otherwise there was none.
        accept: bool,
        /// The language of the answer; the board's when absent.
        language: Option<Language>,
    },
    /// Take back the decision on an illegal move: it waits again.
    ReconsiderIllegalMove {
        /// Which of this game.
        number: u32,
    },
}

/// A claim as it was made.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimMade {
    /// What is claimed.
    pub kind: ClaimReason,
    /// Who claims; the player who has the move when absent.
    pub claimant: Option<Side>,
    /// The announced move in SAN or UCI; none for a position that has just appeared.
    pub announced: Option<String>,
    /// The claimant touched a piece with intent first.
    pub touched: bool,
    /// The claimant made a move on the board first.
    pub moved: bool,
    /// White's and Black's time; as the board's clock shows them when absent.
    pub clocks: Option<(Millis, Millis)>,
}

impl ClaimMade {
    /// By the player who has the move, nothing touched, the clock as it stands.
    pub fn by_whoever_is_to_move(kind: ClaimReason, announced: Option<String>) -> ClaimMade {
        ClaimMade { kind, claimant: None, announced, touched: false, moved: false, clocks: None }
    }
}

/// What had happened before a flag was observed. What the board itself has shown, an end of the game
/// by the Laws, is known already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlagBefore {
    /// Nothing that decides.
    #[default]
    Nothing,
    /// A claim of a draw had been made and the clocks stopped.
    Claim,
    /// All moves of the period were completed.
    PeriodCompleted,
    /// A player had resigned.
    Resigned(Side),
    /// The players had agreed on a draw.
    Agreed,
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
    /// The pairing was taken: `true` for the game that is on, `false` for the next one.
    Paired(bool),
    /// The game now stands at this ply and position.
    At {
        /// The ply.
        ply: Ply,
        /// The position, as FEN.
        fen: String,
    },
    /// The game before is on again.
    GivenBack {
        /// Its ply.
        ply: Ply,
        /// Its position, as FEN.
        fen: String,
        /// In words: what is as it was, and what cannot be restored.
        text: String,
    },
    /// What the Laws say of a claim.
    Claim(ClaimAnswer),
    /// What the Laws say of a flag.
    Flag(FlagAnswer),
    /// What follows from an illegal move.
    Illegal(IllegalAnswer),
}

/// What the Laws say of a flag at a live board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagAnswer {
    /// The result, if it decides one.
    pub result: Option<String>,
    /// The article in the edition in force, empty when the flag does not decide.
    pub article: String,
    /// Whether the opponent can mate by any series of legal moves.
    pub opponent_can_mate: YesNoUnknown,
    /// What decides.
    pub decided_by: FlagDecidedBy,
    /// Who may act on it.
    pub may_call: MayCall,
    /// In words.
    pub explanation: String,
}

/// What follows from an illegal move that was accepted or dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalAnswer {
    /// Which of this game.
    pub number: u32,
    /// Who made it.
    pub offender: Side,
    /// Whether it counts.
    pub accepted: bool,
    /// The articles of what follows, joined by `+`.
    pub article: String,
    /// In words.
    pub explanation: String,
    /// The result, if the game is decided by it.
    pub result: Option<String>,
    /// The clocks (White, Black) with what the opponent gains, when both are known and he gains.
    pub clocks_after: Option<(Millis, Millis)>,
}

/// What the Laws say of a claim made on a live board.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimAnswer {
    /// The claim is right: the game is drawn.
    pub valid: bool,
    /// `correct`, `incorrect`, `right_lost`, `not_entitled`, `game_over` or `arbiter`.
    pub verdict: &'static str,
    /// The article in the edition in force.
    pub article: String,
    /// Why, in words.
    pub explanation: String,
    /// What must be played, `-` or `any` when nothing in particular.
    pub must_play: String,
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
    /// No claim can be judged where no game can be.
    #[error("an illegal move stands on the board: no claim can be judged in this position")]
    IllegalMoveStands,
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
    /// Nothing was closed that could be opened again.
    #[error("the game is not closed; there is nothing to open again")]
    NotClosed,
    /// The board has gone on since the game was closed.
    #[error("the game was closed too long ago: the board has been given up since")]
    NotToBeReopened,
    /// No game was on before this one that could go on.
    #[error("no game before this one is known that could go on again")]
    NothingBefore,
    /// The board is not there.
    #[error("the board is not connected")]
    NotConnected,
    /// No illegal move to decide on, or no telling which.
    #[error("{0}")]
    IllegalMoveChoice(#[from] NotPending),
}
