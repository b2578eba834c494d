//! Who plays whom at which board: read from a pairing file.
//!
//! In: the bytes of a PGN file (only the tags count) or of a FIDE tournament report (TRF16, and the
//! same columns in its successors). Out: the games of one round in the order of the boards. What
//! cannot be read is told with its line and column; nothing is guessed.

use std::fmt;

use super::{pgn, trf};
use crate::laws::text::{Args, Language};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The message that says what is wrong and what to do.
    message: &'static str,
    args: Args,
}

impl Fault {
    pub(super) fn at(line: usize, column: usize, message: &'static str, args: Args) -> Fault {
        Fault { line, column, message, args }
    }

    /// Where it is, what is wrong, and what to do.
    pub fn say(&self, language: &Language) -> String {
        let what = language.say(self.message, self.args.clone());
        format!("{}:{}: {what}", self.line, self.column)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(&Language::default()))
    }
}

impl std::error::Error for Fault {}

/// The games of a round; of the only one when none is named and the file has no other, of the latest
/// of a tournament report.
pub fn read(bytes: &[u8], round: Option<u32>) -> Result<Round, Fault> {
    let text = decoded(bytes);
    if trf::is_report(&text) {
        trf::read(&text, round)
    } else if pgn::has_tags(&text) {
        pgn::read(&text, round)
    } else {
        Err(Fault::at(1, 1, "pair-fault-kind", Vec::new()))
    }
}

/// A name without what is no part of one: no steering of a terminal, no runs of spaces.
pub(super) fn plain(text: &str) -> String {
    crate::ctl::plain::line(text).split_whitespace().collect::<Vec<_>>().join(" ")
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
            "pair-fault-board-twice",
            vec![
                ("board", second.board.to_string()),
                ("line", first.line.to_string()),
                ("white", first.white.clone()),
                ("black", first.black.clone()),
            ],
        )),
        _ => Ok(games),
    }
}

/// Which of these rounds is meant.
pub(super) fn chosen(rounds: &[u32], round: Option<u32>) -> Result<u32, Fault> {
    let known = || rounds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match (round, rounds) {
        (_, []) => Err(Fault::at(1, 1, "pair-fault-no-game", Vec::new())),
        (Some(round), _) if rounds.contains(&round) => Ok(round),
        (Some(round), _) => {
            let args = vec![("round", round.to_string()), ("known", known())];
            Err(Fault::at(1, 1, "pair-fault-no-round", args))
        }
        (None, [round]) => Ok(*round),
        (None, _) => Err(Fault::at(1, 1, "pair-fault-which-round", vec![("known", known())])),
    }
}
