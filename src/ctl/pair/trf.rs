//! Pairings from a FIDE tournament report (TRF16: a player a line, ten columns a round).
//!
//! The report names no boards. They are those of the FIDE rules for Swiss tournaments (C.04.2): the
//! pair with the higher score of its better player first, then with the higher sum of scores, then
//! with the better starting rank. Scores are those before the round.

use std::cmp::Reverse;

use super::file::{Fault, Pairing, Round, plain};

/// Where the first round's columns begin, from 0, and how many a round has.
const FIRST: usize = 91;
const WIDTH: usize = 10;

#[derive(Clone, Debug)]
struct Player {
    rank: u32,
    name: String,
    line: usize,
    rounds: Vec<Played>,
}

#[derive(Clone, Copy, Debug)]
struct Played {
    /// Starting rank of the opponent, 0 for none.
    opponent: u32,
    /// `w`, `b` or `-`.
    colour: char,
    /// In half points.
    points: u32,
}

/// Whether a text is a tournament report.
pub fn is_report(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("001 "))
}

/// The games of a round, of the latest when none is named.
pub fn read(text: &str, round: Option<u32>) -> Result<Round, Fault> {
    let (mut event, mut site, mut players) = (String::new(), String::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        match line.get(..4).unwrap_or_default() {
            "012 " => event = plain(&line[4..]),
            "022 " => site = plain(&line[4..]),
            "001 " => players.push(player(line, index + 1)?),
            _ => {}
        }
    }
    players.sort_by_key(|player: &Player| player.rank);
    if let Some([first, second]) = players.windows(2).find(|pair| pair[0].rank == pair[1].rank) {
        let args = vec![("rank", second.rank.to_string()), ("line", first.line.to_string())];
        return Err(Fault::at(second.line, 5, "pair-fault-rank-twice", args));
    }
    let last = players.iter().map(|player| player.rounds.len()).max().unwrap_or_default();
    let number = round.map_or(last, |round| usize::try_from(round).unwrap_or(usize::MAX));
    if number == 0 || number > last {
        let args = vec![("round", number.to_string()), ("last", last.to_string())];
        return Err(Fault::at(1, 1, "pair-fault-report-round", args));
    }
    let games = games(&players, number)?;
    if games.is_empty() {
        let args = vec![("round", number.to_string())];
        return Err(Fault::at(1, 1, "pair-fault-nobody", args));
    }
    Ok(Round { number: u32::try_from(number).unwrap_or(u32::MAX), event, site, games })
}

fn games(players: &[Player], number: usize) -> Result<Vec<Pairing>, Fault> {
    let find = |rank: u32| {
        players.binary_search_by_key(&rank, |player| player.rank).ok().map(|at| &players[at])
    };
    let score = |player: &Player| -> u32 {
        player.rounds.iter().take(number - 1).map(|played| played.points).sum()
    };
    let column = FIRST + (number - 1) * WIDTH + 1;
    let mut found = Vec::new();
    for white in players {
        let Some(played) = white.rounds.get(number - 1).filter(|played| played.opponent != 0)
        else {
            continue;
        };
        let fault = |message, args| Fault::at(white.line, column, message, args);
        let Some(black) = find(played.opponent) else {
            let args = vec![("rank", played.opponent.to_string())];
            return Err(fault("pair-fault-no-rank", args));
        };
        let back = black.rounds.get(number - 1).copied();
        let fits = back.is_some_and(|back| {
            back.opponent == white.rank
                && matches!((played.colour, back.colour), ('w', 'b') | ('b', 'w'))
        });
        if !fits {
            let args = vec![
                ("one", white.name.clone()),
                ("other", black.name.clone()),
                ("line", black.line.to_string()),
            ];
            return Err(fault("pair-fault-one-sided", args));
        }
        if played.colour == 'w' {
            let (ours, theirs) = (score(white), score(black));
            let order =
                (Reverse(ours.max(theirs)), Reverse(ours + theirs), white.rank.min(black.rank));
            found.push((order, white, black));
        }
    }
    found.sort_by_key(|(order, ..)| *order);
    let games = found.into_iter().zip(1..).map(|((_, white, black), board)| Pairing {
        board,
        white: white.name.clone(),
        black: black.name.clone(),
        line: white.line,
    });
    Ok(games.collect())
}

fn player(line: &str, number: usize) -> Result<Player, Fault> {
    let characters: Vec<char> = line.chars().collect();
    let field = |from: usize, to: usize| -> String {
        let end = to.min(characters.len());
        characters.get(from..end).unwrap_or_default().iter().collect::<String>().trim().to_owned()
    };
    let rank = field(4, 8);
    let rank =
        rank.parse::<u32>().ok().filter(|rank| *rank > 0).ok_or_else(|| {
            Fault::at(number, 5, "pair-fault-own-rank", vec![("text", rank.clone())])
        })?;
    let name = plain(&field(14, 47));
    if name.is_empty() {
        return Err(Fault::at(number, 15, "pair-fault-nameless", Vec::new()));
    }
    let mut rounds = Vec::new();
    let mut at = FIRST;
    while at < characters.len() {
        let column = at + 1;
        let (opponent, colour, result) =
            (field(at, at + 4), field(at + 5, at + 6), field(at + 7, at + 8));
        at += WIDTH;
        if opponent.is_empty() && colour.is_empty() && result.is_empty() {
            // Nothing was told of this round; a later one may follow.
            rounds.push(Played { opponent: 0, colour: '-', points: 0 });
            continue;
        }
        let against = if opponent.is_empty() { Some(0) } else { opponent.parse().ok() };
        let Some(against) = against else {
            let args = vec![("text", opponent)];
            return Err(Fault::at(number, column, "pair-fault-opponent", args));
        };
        let colour = match colour.as_str() {
            "w" | "b" => colour.chars().next().unwrap_or('-'),
            "-" | "" => '-',
            other => {
                let args = vec![("text", other.to_owned())];
                return Err(Fault::at(number, column + 5, "pair-fault-colour", args));
            }
        };
        let points = match result.as_str() {
            "1" | "+" | "W" | "w" | "U" | "u" | "F" | "f" => 2,
            "=" | "D" | "d" | "H" | "h" => 1,
            "0" | "-" | "L" | "l" | "Z" | "z" | "" => 0,
            other => {
                let args = vec![("text", other.to_owned())];
                return Err(Fault::at(number, column + 7, "pair-fault-result", args));
            }
        };
        rounds.push(Played { opponent: against, colour, points });
    }
    while rounds.last().is_some_and(|played: &Played| played.opponent == 0 && played.points == 0) {
        rounds.pop();
    }
    Ok(Player { rank, name, line: number, rounds })
}
