//! `dgtctl laws`: every law event of recorded games.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::json;
use shakmaty::Chess;

use super::{CtlError, input};
use crate::{
    dead::{self, Budget},
    laws::{
        DeadAnswer, Edition,
        report::{self, Row},
    },
};

/// `dgtctl laws`
#[derive(Debug, Args)]
pub struct Laws {
    /// Files of games in PGN; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Edition of the Laws, such as fide-2023; may be given several times
    #[arg(long = "laws", value_name = "EDITION", default_values_t = [Edition::default()])]
    editions: Vec<Edition>,
    /// Print JSON, one object for each event
    #[arg(long)]
    json: bool,
    /// How many positions may be visited to find out whether one is dead
    #[arg(long, value_name = "N", default_value_t = Budget::DEFAULT.nodes())]
    nodes: u32,
}

/// Prints the events of every game of every file. A game that cannot be followed is told on stderr
/// with its events up to there; the others are judged all the same.
pub fn run(laws: &Laws) -> Result<(), CtlError> {
    let mut out = io::stdout().lock();
    if !laws.json {
        writeln!(out, "file\t{}", Row::COLUMNS)?;
    }
    let (mut bad, mut all) = (0, 0);
    let mut unread = 0;
    for path in &laws.files {
        let games = match laws.file(path, &mut out) {
            Ok(games) => games,
            Err(error @ CtlError::Output(_)) => return Err(error),
            Err(error) => {
                input::complain(&error);
                unread += 1;
                continue;
            }
        };
        all += games.all;
        bad += games.bad;
    }
    let unread = (unread > 0).then_some(CtlError::Some {
        bad: unread,
        all: laws.files.len(),
        what: "files",
    });
    match (bad, unread) {
        (0, None) => Ok(()),
        (0, Some(unread)) => Err(unread),
        (_, unread) => {
            if let Some(unread) = unread {
                input::complain(&unread);
            }
            Err(CtlError::Some { bad, all, what: "games" })
        }
    }
}

/// How many games a file has, and how many of them could not be followed.
struct Games {
    all: usize,
    bad: usize,
}

impl Laws {
    fn file(&self, path: &Path, out: &mut dyn Write) -> Result<Games, CtlError> {
        let text = input::read(path)?;
        let file = self.column(path);
        let budget = Budget::new(self.nodes);
        let mut dead = |position: &Chess| DeadAnswer::from(dead::judge(position, budget).dead());
        let mut games = Games { all: 0, bad: 0 };
        for report in report::games(&text, &self.editions, &mut dead) {
            games.all += 1;
            for row in &report.rows {
                if self.json {
                    writeln!(out, "{}", as_json(&file, row))?;
                } else {
                    writeln!(out, "{file}\t{row}")?;
                }
            }
            if let Some(fault) = report.fault {
                games.bad += 1;
                let (path, line, number) = (input::name(path), report.line, report.game);
                out.flush()?;
                input::complain(&CtlError::Game { path, line, number, fault });
            }
        }
        if games.all == 0 { Err(CtlError::NoGames(input::name(path))) } else { Ok(games) }
    }

    /// How the table calls a file: by its last name, unless another one is called so too.
    fn column(&self, path: &Path) -> String {
        let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let own = last(path);
        let others = self.files.iter().filter(|file| last(file) == own && file.as_path() != path);
        match own {
            Some(own) if others.count() == 0 => own,
            _ => path.display().to_string(),
        }
        .replace(['\t', '\n'], " ")
    }
}

fn as_json(file: &str, row: &Row) -> serde_json::Value {
    json!({
        "file": file,
        "game_index": row.game,
        "laws": row.edition.name(),
        "ply": row.ply,
        "event": row.event,
        "article": row.article,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_by_their_last_name_if_that_tells_them_apart() {
        let laws = |files: &[&str]| Laws {
            files: files.iter().map(PathBuf::from).collect(),
            editions: vec![Edition::default()],
            json: false,
            nodes: 1,
        };
        let two = laws(&["a/x.pgn", "b/y.pgn"]);
        assert_eq!(two.column(&two.files[0]), "x.pgn");
        let same = laws(&["a/x.pgn", "b/x.pgn"]);
        assert_eq!(same.column(&same.files[1]), "b/x.pgn");
        assert_eq!(laws(&["-"]).column(Path::new("-")), "-");
    }
}
