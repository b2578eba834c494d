//! Who plays whom at which board: read from a pairing file.
//!
//! In: the bytes of a PGN file (only the tags count) or of a FIDE tournament report (TRF16, and the
//! same columns in its successors). Out: the games of one round in the order of the boards. What
//! cannot be read is told with its line and column; nothing is guessed.

use super::{pgn, trf};

/// The games of one round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Its number.
    pub number: u32,
    /// The tournament, empty when the file does not say.
    pub event: String,
    /// Where it is played, empty when the file does not say.
    pub site: String,
    /// The games, the first board first.
    pub games: Vec<Pairing>,
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of its board, from 1.
    pub board: u32,
    /// The player of the white men.
    pub white: String,
    /// The player of the black men.
    pub black: String,
    /// The line of the file it stands in, from 1.
    pub line: usize,
}

/// What is wrong with a pairing file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {what}")]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong, and what to do.
    pub what: String,
}

impl Fault {
    pub(super) fn at(line: usize, column: usize, what: impl Into<String>) -> Fault {
        Fault { line, column, what: what.into() }
    }
}

/// The games of a round; of the only one when none is named and the file has no other, of the latest
/// of a tournament report.
pub fn read(bytes: &[u8], round: Option<u32>) -> Result<Round, Fault> {
    let text = decoded(bytes);
    if trf::is_report(&text) {
        trf::read(&text, round)
    } else if pgn::has_tags(&text) {
        pgn::read(&text, round)
    } else {
        let what = "neither a PGN file, whose tags stand in brackets, nor a FIDE tournament report, \
                    whose players stand in lines that begin with 001";
        Err(Fault::at(1, 1, what))
    }
}

/// UTF-8, else Latin-1 as the older programs write it.
fn decoded(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// The games by board; two at one board are a fault.
pub(super) fn by_board(mut games: Vec<Pairing>) -> Result<Vec<Pairing>, Fault> {
    games.sort_by_key(|game| game.board);
    let twice = games.windows(2).find(|pair| pair[0].board == pair[1].board);
    match twice {
        Some([first, second]) => Err(Fault::at(
            second.line,
            1,
            format!(
                "board {} has a game in line {} already: {} - {}",
                second.board, first.line, first.white, first.black
            ),
        )),
        _ => Ok(games),
    }
}

/// Which of these rounds is meant.
pub(super) fn chosen(rounds: &[u32], round: Option<u32>) -> Result<u32, Fault> {
    let known = || rounds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match (round, rounds) {
        (_, []) => Err(Fault::at(1, 1, "the file names no game of two players")),
        (Some(round), _) if rounds.contains(&round) => Ok(round),
        (Some(round), _) => {
            Err(Fault::at(1, 1, format!("there is no round {round}; there are: {}", known())))
        }
        (None, [round]) => Ok(*round),
        (None, _) => Err(Fault::at(1, 1, format!("choose a round with --round: {}", known()))),
    }
}
