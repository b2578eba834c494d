//! `dgtctl check`: is the configuration right?

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use super::CtlError;
use crate::config::{self, ConfigError};

/// Checks the given files, or the system's, and prints the merged result.
pub fn run(files: &[PathBuf]) -> Result<(), CtlError> {
    let config = if files.is_empty() {
        config::load(None)?
    } else {
        let mut texts = Vec::new();
        for path in files {
            let text = std::fs::read_to_string(path)
                .map_err(|source| ConfigError::Read { path: path.clone(), source })?;
            texts.push((path.clone(), text));
        }
        config::load_texts(&texts)?
    };
    io::stdout().lock().write_all(config.to_toml().as_bytes())?;
    Ok(())
}
