//! What the daemon wrote down, held against what was played.

use std::{fs, path::Path};

use serde_json::Value;
use shakmaty::{Chess, Position as _, uci::UciMove};

use super::table::Played;

/// A game as the journal tells it.
#[derive(Clone, Debug, Default)]
pub struct Told {
    moves: Vec<String>,
    /// Ends told and not withdrawn, with the number of half-moves then.
    ends: Vec<usize>,
    /// Something was said to be uncertain.
    doubt: bool,
    /// The last thing said of its board is that it cannot be read.
    away: bool,
}

/// The games of a journal, in order.
pub fn read(path: &Path) -> Vec<Told> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut games: Vec<Told> = Vec::new();
    for line in text.lines() {
        let event: Value = serde_json::from_str(line).expect("a line of the journal is JSON");
        let name = event["event"].as_str().unwrap_or_default();
        if name == "game_started" && event["source"] != "resumed" {
            games.push(Told::default());
        }
        let Some(game) = games.last_mut() else { continue };
        let ply = |key: &str| usize::try_from(event[key].as_u64().unwrap_or(0)).unwrap();
        match name {
            "move" => {
                game.moves.truncate(ply("ply").saturating_sub(1));
                game.moves.push(event["uci"].as_str().unwrap_or_default().to_owned());
                game.doubt |= event["exact"] == false;
            }
            "takeback" => game.moves.truncate(ply("to_ply")),
            "game_over" => game.ends.push(ply("ply")),
            "game_over_withdrawn" => drop(game.ends.pop()),
            "attention" => game.doubt = true,
            "link" => {
                let state = event["state"].as_str().unwrap_or_default();
                game.away = matches!(state, "lost" | "silent");
            }
            _ => {}
        }
    }
    games
}

/// Whether what was told is what was played less one stretch that led back to the same placement.
fn went_and_came_back(told: &[String], played: &[String]) -> bool {
    let at = told.iter().zip(played).take_while(|(a, b)| a == b).count();
    let placement = |ply: usize| {
        let mut position = Chess::new();
        for uci in &played[..ply] {
            let m = uci.parse::<UciMove>().ok()?.to_move(&position).ok()?;
            position.play_unchecked(m);
        }
        Some(position.board().clone())
    };
    // Where the stretch begins is not plain when it begins as the game goes on after it.
    (0..=at).rev().take(12).any(|from| {
        (from + 1..=played.len().min(from + 12)).any(|to| {
            played[to..] == told[from..]
                && placement(from).is_some_and(|p| placement(to) == Some(p))
        })
    })
}

/// Which game of the journal each game is: both go on in order, and as many half-moves as can be are the
/// same ones.
fn pair(told: &[Told], played: &[Played]) -> Vec<Option<usize>> {
    let alike = |told: &Told, played: &Played| {
        let same = told.moves.iter().zip(&played.moves).filter(|(a, b)| a == b).count();
        // Of games with the same moves those are one that are equally long.
        3 * same + 2 * usize::from(told.moves == played.moves) + 1
    };
    let (rows, columns) = (played.len(), told.len());
    let mut best = vec![vec![0; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let both = best[row + 1][column + 1] + alike(&told[column], &played[row]);
            best[row][column] = both.max(best[row + 1][column]).max(best[row][column + 1]);
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut pairs = vec![None; rows];
    while row < rows && column < columns {
        let both = best[row + 1][column + 1] + alike(&told[column], &played[row]);
        if best[row][column] == both {
            pairs[row] = Some(column);
            (row, column) = (row + 1, column + 1);
        } else if best[row][column] == best[row + 1][column] {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}

/// All boards together.
#[derive(Debug, Default)]
pub struct Sum {
    pub games: usize,
    pub plies: usize,
    pub hidden: usize,
    pub right: usize,
    pub wrong: usize,
    pub wrong_hidden: usize,
    pub named: usize,
    pub ends: usize,
    pub ends_told: usize,
    /// Not told, and no cable was pulled in the game.
    pub ends_missed: usize,
    pub false_ends: usize,
    pub complaints: Vec<String>,
}

impl Sum {
    /// Holds one board's journal against its games, each against the game of the journal that is it: a
    /// cable pulled while the men are put back may begin one more.
    pub fn add(&mut self, told: &[Told], played: &[Played], serial: &str) {
        let pairs = pair(told, played);
        for (number, game) in played.iter().enumerate() {
            let common = |told: &Told| {
                told.moves.iter().zip(&game.moves).take_while(|(a, b)| a == b).count()
            };
            self.games += 1;
            self.plies += game.moves.len();
            self.hidden += game.hidden;
            self.ends += usize::from(game.over);
            let empty = Told::default();
            // A game that was told as more of the one before it has no record of its own.
            let joined = pairs[number].is_none()
                && number.checked_sub(1).and_then(|before| pairs[before]).is_some_and(|index| {
                    let before: &Told = &told[index];
                    (before.doubt || before.away)
                        && before.moves.len() > played[number - 1].moves.len()
                });
            let told = pairs[number].map_or(&empty, |index| &told[index]);
            let exact = told.moves == game.moves;
            match told.ends.last() {
                Some(&ply) if game.over && ply == game.moves.len() => self.ends_told += 1,
                Some(ply) => {
                    self.false_ends += 1;
                    self.complaints.push(format!("false end: {serial} game {number} ply {ply}"));
                }
                None if game.over && game.pulls == 0 => {
                    self.ends_missed += 1;
                    self.complaints.push(format!("missed end: {serial} game {number}"));
                }
                None => {}
            }
            if exact {
                self.right += 1;
            } else if game.hidden > 0 {
                self.wrong_hidden += 1;
                // Men that went and came back leave no trace: the counters say so, no event does.
                let named = told.doubt
                    || told.away
                    || joined
                    || went_and_came_back(&told.moves, &game.moves);
                self.named += usize::from(named);
                if !named {
                    let at = common(told);
                    self.complaints.push(format!(
                        "not named: {serial} game {number}: half-move {} was {:?}, told as {:?} (of {})",
                        at + 1,
                        game.moves.get(at),
                        told.moves.get(at),
                        game.moves.len()
                    ));
                }
            } else {
                self.wrong += 1;
                let at = common(told);
                self.complaints.push(format!(
                    "{serial} game {number}: half-move {} was {:?}, told as {:?} (of {}; doubt {})",
                    at + 1,
                    game.moves.get(at),
                    told.moves.get(at),
                    game.moves.len(),
                    told.doubt
                ));
            }
        }
    }
}
