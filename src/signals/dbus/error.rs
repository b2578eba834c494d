//! Refusals with names a client can tell apart.

use crate::{
    arbiter::Refusal,
    laws::text::Language,
    signals::{Denied, refused},
};

/// Why a call was refused; the text says what to do.
#[derive(Debug, zbus::DBusError)]
#[zbus(prefix = "org.dgtd.Error")]
pub enum ApiError {
    /// The bus itself failed.
    #[zbus(error)]
    ZBus(zbus::Error),
    /// No board is called so.
    NoSuchBoard(String),
    /// No alert has this number.
    NoSuchAlert(String),
    /// No game is on.
    NoGame(String),
    /// The game is closed.
    GameOver(String),
    /// The game is not closed.
    NotClosed(String),
    /// The board has been given up since the game was closed.
    NotToBeReopened(String),
    /// No game before this one can go on again.
    NothingBefore(String),
    /// The game went on meanwhile.
    StalePly(String),
    /// Not a legal move here.
    IllegalMove(String),
    /// Not a position a game can have.
    IllegalPosition(String),
    /// No such edition of the Laws.
    UnknownEdition(String),
    /// No illegal move waits for a decision, or no telling which is meant.
    NoSuchIllegalMove(String),
    /// The board is recorded already.
    AlreadyRecording(String),
    /// The board is not recorded.
    NotRecording(String),
    /// The board cannot be recorded.
    CannotRecord(String),
    /// The board is not there.
    NotConnected(String),
    /// This cannot be done here.
    NotSupported(String),
    /// The task that would answer has ended or is restarting.
    Unavailable(String),
    /// An argument says what it cannot say.
    InvalidArgument(String),
}

impl ApiError {
    /// The task that would answer is gone.
    pub fn unavailable() -> ApiError {
        ApiError::Unavailable("the board's task is restarting; try again".into())
    }
}

impl ApiError {
    /// What a board's task answered, in the language of the arbiter.
    pub fn denied(language: &Language, denied: &Denied) -> ApiError {
        let text = refused::denied(language, denied);
        match denied {
            Denied::Refused(refusal) => ApiError::refused(refusal, text),
            Denied::AlreadyRecording(_) => ApiError::AlreadyRecording(text),
            Denied::NotRecording => ApiError::NotRecording(text),
            Denied::CannotRecord(_) => ApiError::CannotRecord(text),
            Denied::NoLine => ApiError::NotSupported(text),
            Denied::RecordingBusy | Denied::Failed => ApiError::Unavailable(text),
        }
    }

    /// A refusal of this kind, in these words.
    pub fn refused(refusal: &Refusal, text: String) -> ApiError {
        match refusal {
            Refusal::NoGame => ApiError::NoGame(text),
            Refusal::GameOver => ApiError::GameOver(text),
            Refusal::StalePly { .. } | Refusal::TooFewPlies(_) => ApiError::StalePly(text),
            Refusal::IllegalMove { .. } => ApiError::IllegalMove(text),
            Refusal::IllegalPosition { .. } | Refusal::IllegalMoveStands => {
                ApiError::IllegalPosition(text)
            }
            Refusal::UnknownEdition(_) => ApiError::UnknownEdition(text),
            Refusal::BadResult(_)
            | Refusal::BadTag(_)
            | Refusal::TooManyTags(_)
            | Refusal::TooLong { .. } => ApiError::InvalidArgument(text),
            Refusal::NotClosed => ApiError::NotClosed(text),
            Refusal::NotToBeReopened => ApiError::NotToBeReopened(text),
            Refusal::NothingBefore => ApiError::NothingBefore(text),
            Refusal::NotConnected => ApiError::NotConnected(text),
            Refusal::IllegalMoveChoice(_) => ApiError::NoSuchIllegalMove(text),
        }
    }
}
