//! A capture played in place of a port.

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

use crate::{
    capture::{CaptureError, Reader, Record},
    units::Stamp,
};

/// The records of a capture file, one at a time.
pub struct Player {
    reader: Reader<BufReader<File>>,
    next: Option<Record>,
}

/// A capture that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The file cannot be opened.
    #[error("the capture {path} cannot be opened: correct `list` in [ports]")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not a capture.
    #[error(transparent)]
    Content(#[from] CaptureError),
}

impl Player {
    /// Opens a capture and reads its first record.
    pub fn open(path: &Path) -> Result<Player, PlayerError> {
        let file =
            File::open(path).map_err(|source| PlayerError::Open { path: path.into(), source })?;
        let mut reader = Reader::new(BufReader::new(file), path.display().to_string());
        let next = reader.next().transpose()?;
        Ok(Player { reader, next })
    }

    /// The board the capture names.
    pub fn board(&self) -> Option<&str> {
        self.reader.board()
    }

    /// When the next record comes; nothing at the end.
    pub fn peek(&mut self) -> Result<Option<Stamp>, String> {
        if self.next.is_none() {
            self.next = self.reader.next().transpose().map_err(|e| e.to_string())?;
        }
        Ok(self.next.as_ref().map(|record| record.at))
    }

    /// The record [`Player::peek`] saw.
    pub fn take(&mut self) -> Option<Record> {
        self.next.take()
    }
}
