//! Refusals with names a client can tell apart.

use crate::{arbiter::Refusal, signals::Denied};

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

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let text = refusal.to_string();
        match refusal {
            Refusal::NoGame => ApiError::NoGame(text),
            Refusal::GameOver => ApiError::GameOver(text),
            Refusal::StalePly { .. } | Refusal::TooFewPlies(_) => ApiError::StalePly(text),
            Refusal::IllegalMove { .. } => ApiError::IllegalMove(text),
            Refusal::IllegalPosition { .. } => ApiError::IllegalPosition(text),
            Refusal::UnknownEdition(_) => ApiError::UnknownEdition(text),
            Refusal::BadResult(_)
            | Refusal::BadTag(_)
            | Refusal::TooManyTags(_)
            | Refusal::TooLong { .. } => ApiError::InvalidArgument(text),
            Refusal::NotConnected => ApiError::NotConnected(text),
            Refusal::IllegalMoveChoice(_) => ApiError::NoSuchIllegalMove(text),
        }
    }
}

impl From<Denied> for ApiError {
    fn from(denied: Denied) -> ApiError {
        let text = denied.to_string();
        match denied {
            Denied::Refused(refusal) => refusal.into(),
            Denied::AlreadyRecording(_) => ApiError::AlreadyRecording(text),
            Denied::NotRecording => ApiError::NotRecording(text),
            Denied::CannotRecord(_) => ApiError::CannotRecord(text),
            Denied::NoLine => ApiError::NotSupported(text),
            Denied::RecordingBusy | Denied::Failed => ApiError::Unavailable(text),
        }
    }
}
