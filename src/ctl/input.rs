//! What commands without a daemon read and write: files or standard input, progress, complaints,
//! the language.

use std::{
    error::Error,
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal as _, Read as _, Write as _},
    path::Path,
};

use indicatif::{ProgressBar, ProgressStyle};

use super::CtlError;
use crate::{daemon::with_causes, laws::text::Language};

/// Files longer than this show how far they have been read, in bytes.
const LONG: u64 = 1 << 20;

/// The name of standard input on the command line.
const STDIN: &str = "-";

/// How a file is called in messages.
pub fn name(path: &Path) -> String {
    if path == Path::new(STDIN) { "standard input".into() } else { path.display().to_string() }
}

/// A file or, as `-`, standard input, and a bar that follows the reading if the file is long.
pub fn open(path: &Path) -> Result<(Box<dyn BufRead>, ProgressBar), CtlError> {
    if path == Path::new(STDIN) {
        return Ok((Box::new(io::stdin().lock()), ProgressBar::hidden()));
    }
    let failed = |source| CtlError::Read { path: name(path), source };
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let bar = if length > LONG { progress(length) } else { ProgressBar::hidden() };
    Ok((Box::new(BufReader::new(bar.wrap_read(file))), bar))
}

/// All of a file or standard input.
pub fn read(path: &Path) -> Result<Vec<u8>, CtlError> {
    let (mut source, bar) = open(path)?;
    let mut text = Vec::new();
    source.read_to_end(&mut text).map_err(|source| CtlError::Read { path: name(path), source })?;
    bar.finish_and_clear();
    Ok(text)
}

/// A bar on the terminal. None is seen if the results go to the same terminal, or nobody looks.
pub fn progress(length: u64) -> ProgressBar {
    if !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3} %  {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Tells of something wrong that does not stop the command.
pub fn complain(error: &dyn Error) {
    // If stderr is closed there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "dgtctl: {}", with_causes(error));
}

/// Tells of a bad line of a file that does not stop the command.
pub fn complain_at(file: &str, line: u64, error: &dyn Error) {
    // If stderr is closed there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "dgtctl: {file}:{line}: {}", with_causes(error));
}

/// A note on stderr.
pub fn note(text: &str) {
    // If stderr is closed there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "dgtctl: {text}");
}

/// The language of the environment: `LC_ALL`, `LC_MESSAGES` or `LANG`, the first that is set.
pub fn language() -> Language {
    Language::of_variables(|variable| std::env::var(variable).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_chooses_the_language() {
        for (set, language) in [
            (vec![], "en"),
            (vec![("LANG", "es_ES.UTF-8")], "es"),
            (vec![("LANG", "es_ES.UTF-8"), ("LC_ALL", "C")], "en"),
            (vec![("LANG", "en_GB.UTF-8"), ("LC_MESSAGES", "es_AR")], "es"),
            (vec![("LANG", "es"), ("LC_ALL", "")], "es"),
        ] {
            let get = |name: &str| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(Language::of_variables(get).to_string(), language, "{set:?}");
        }
    }
}
