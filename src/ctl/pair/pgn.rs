//! Pairings from the tags of a PGN file: one game a board.
//!
//! The board is that of the tag `Board`, else the second number of `Round "5.12"`, else the place of
//! the game among those of its round.

use super::file::{Fault, Pairing, Round, by_board, chosen, plain};

/// A game's tags that matter, with the line it begins in.
#[derive(Clone, Debug, Default)]
struct Game {
    line: usize,
    white: Option<String>,
    black: Option<String>,
    event: String,
    site: String,
    /// Round, and where it stands.
    round: Option<(String, usize, usize)>,
    board: Option<(String, usize, usize)>,
}

/// Whether a text has PGN tags.
pub fn has_tags(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with('[') && line.contains('"'))
}

/// The games of a round.
pub fn read(text: &str, round: Option<u32>) -> Result<Round, Fault> {
    let games = games(text)?;
    let mut placed: Vec<(u32, Pairing, &Game)> = Vec::new();
    for game in &games {
        let number = |text: &str, line, column, message| {
            text.parse::<u32>()
                .ok()
                .filter(|n| *n > 0)
                .ok_or_else(|| Fault::at(line, column, message, vec![("text", text.to_owned())]))
        };
        let unknown =
            |name: &Option<String>| name.as_deref().is_none_or(|n| n.is_empty() || n == "?");
        for (name, side) in [(&game.white, "white"), (&game.black, "black")] {
            if unknown(name) {
                let args = vec![("side", side.to_owned())];
                return Err(Fault::at(game.line, 1, "pair-fault-no-name", args));
            }
        }
        let (number_of_round, mut board) = match &game.round {
            None => (1, None),
            Some((text, ..)) if text == "?" || text == "-" => (1, None),
            Some((text, line, column)) => {
                let mut parts = text.splitn(2, '.');
                let first = parts.next().unwrap_or_default().trim();
                let first = number(first, *line, *column, "pair-fault-round")?;
                let second = parts.next().map(|second| {
                    let second = second.split('.').next().unwrap_or_default().trim();
                    number(second, *line, *column, "pair-fault-board")
                });
                (first, second.transpose()?)
            }
        };
        if let Some((text, line, column)) = &game.board {
            board = Some(number(text, *line, *column, "pair-fault-board")?);
        }
        let before = placed.iter().filter(|(of, ..)| *of == number_of_round).count();
        let next = u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1);
        let pairing = Pairing {
            board: board.unwrap_or(next),
            white: game.white.clone().unwrap_or_default(),
            black: game.black.clone().unwrap_or_default(),
            line: game.line,
        };
        placed.push((number_of_round, pairing, game));
    }
    let mut rounds: Vec<u32> = placed.iter().map(|(round, ..)| *round).collect();
    rounds.sort_unstable();
    rounds.dedup();
    let number = chosen(&rounds, round)?;
    let of_round: Vec<_> = placed.into_iter().filter(|(round, ..)| *round == number).collect();
    let said = |text: &str| if text == "?" { String::new() } else { text.to_owned() };
    let (event, site) = of_round
        .first()
        .map(|(_, _, game)| (said(&game.event), said(&game.site)))
        .unwrap_or_default();
    let games = by_board(of_round.into_iter().map(|(_, pairing, _)| pairing).collect())?;
    Ok(Round { number, event, site, games })
}

/// The tags of every game: a tag after moves, or after another game's tags and an empty line, begins
/// the next one.
fn games(text: &str) -> Result<Vec<Game>, Fault> {
    let mut games: Vec<Game> = Vec::new();
    let (mut in_tags, mut in_comment) = (false, false);
    for (index, raw) in text.lines().enumerate() {
        let (line, trimmed) = (index + 1, raw.trim());
        if in_comment || !trimmed.starts_with('[') {
            in_tags &= trimmed.is_empty() || trimmed.starts_with('%');
            in_comment = comment_after(raw, in_comment);
            continue;
        }
        let indent = raw.chars().take_while(|c| c.is_whitespace()).count();
        let (name, value, column) = tag(trimmed)
            .map_err(|(column, what)| Fault::at(line, indent + column, what, Vec::new()))?;
        let again = games.last().is_some_and(|game| match name {
            "Event" => true,
            "White" => game.white.is_some(),
            "Black" => game.black.is_some(),
            _ => false,
        });
        if !in_tags || again && games.last().is_some_and(|game| game.white.is_some()) {
            games.push(Game { line, ..Game::default() });
        }
        in_tags = true;
        let Some(game) = games.last_mut() else { continue };
        let place = Some((value.clone(), line, indent + column));
        match name {
            "White" => game.white = Some(value),
            "Black" => game.black = Some(value),
            "Event" => game.event = value,
            "Site" => game.site = value,
            "Round" => game.round = place,
            "Board" => game.board = place,
            _ => {}
        }
    }
    Ok(games)
}

/// Whether a comment in braces is open at the end of a line.
fn comment_after(line: &str, mut open: bool) -> bool {
    for c in line.chars() {
        match (open, c) {
            (true, '}') => open = false,
            (false, '{') => open = true,
            (false, ';') => break,
            _ => {}
        }
    }
    open
}

/// Name and value of `[Name "value"]`, and the column of the value; or the column of what is wrong.
fn tag(line: &str) -> Result<(&str, String, usize), (usize, &'static str)> {
    let inner = &line[1..];
    let name_end =
        inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
    let name = &inner[..name_end];
    let column = |rest: &str| line.chars().count() - rest.chars().count() + 1;
    let rest = inner[name_end..].trim_start();
    let Some(quoted) = rest.strip_prefix('"').filter(|_| !name.is_empty()) else {
        return Err((column(rest), "pair-fault-tag"));
    };
    let value_column = column(quoted);
    let mut value = String::new();
    let mut characters = quoted.chars();
    loop {
        match characters.next() {
            Some('\\') => value.extend(characters.next()),
            Some('"') => break,
            Some(c) => value.push(c),
            None => return Err((line.chars().count() + 1, "pair-fault-quote")),
        }
    }
    let rest = characters.as_str();
    if rest.trim() != "]" {
        return Err((column(rest), "pair-fault-bracket"));
    }
    Ok((name, plain(&value), value_column))
}
