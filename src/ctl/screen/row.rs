//! A board as one line of the hall: what everyone may see, and apart from it what only the arbiter
//! may.

use std::cmp::Reverse;

use serde_json::Value;

use super::hall::{BOARD, Board, CLOCK, GAME, Hall, Key, Line, Pc, Times};
use crate::{
    arbiter::{
        EventKind,
        event::{AttentionKind, ClaimReason, EndReason, Side},
    },
    signals::words,
};

/// How a board stands, as everyone may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stand {
    /// Its PC cannot be reached: what is shown is old.
    Away,
    /// Its port failed.
    Failed,
    /// It is on no port.
    Absent,
    /// It does not answer.
    Silent,
    /// It is being greeted.
    Opening,
    /// No game is set up.
    NoGame,
    /// Set up, no move yet.
    Waiting,
    /// On.
    Playing,
    /// Over: the result, and what ended it in the bus's word.
    Over(String, String),
}

/// What people who walk by must not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Secret {
    /// A draw can be claimed: what, and the moves to announce, none when at once.
    Claim(ClaimReason, Vec<String>),
    /// A flag is down.
    Flag(Side),
    /// The game may be over.
    PossibleEnd(EndReason),
    /// A move that is not legal waits for a decision.
    Illegal(Side),
    /// The board shows what the game does not.
    Attention(AttentionKind),
    /// Something a newer daemon tells.
    Other,
}

/// A line of the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The board.
    pub key: Key,
    /// What people call it; with its PC where two are called so.
    pub who: String,
    /// Its PC.
    pub pc: String,
    /// The hall.
    pub hall: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The last move with its number.
    pub last: String,
    /// The move the board shows beyond it.
    pub shows: String,
    /// The number of the move to be made; 0 without a game.
    pub number: u64,
    /// The clock.
    pub times: Option<Times>,
    /// How it stands.
    pub stand: Stand,
    /// A game that is over waits to be seen.
    pub unseen_end: bool,
    /// It was lost in the middle of something, or something else that everyone may see is open.
    pub missed: bool,
    /// The arbiter must or may act; why is among the secrets.
    pub look: bool,
    /// For the arbiter's eyes.
    pub secrets: Vec<Secret>,
}

/// How pressing a row is, the most pressing first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// A game is over, and nobody has seen it.
    End,
    /// The arbiter must look.
    Look,
    /// The board or its PC cannot be heard.
    Lost,
    /// Nothing.
    Nothing,
}

/// The order of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// What needs attention first, then by name.
    #[default]
    Need,
    /// By the names of the tables.
    Name,
    /// By PC, then by name.
    Pc,
    /// The least time on a clock first.
    Time,
}

impl Order {
    /// The one after it.
    #[must_use]
    pub fn next(self) -> Order {
        match self {
            Order::Need => Order::Name,
            Order::Name => Order::Pc,
            Order::Pc => Order::Time,
            Order::Time => Order::Need,
        }
    }

    /// The word for it in the messages.
    pub fn keyword(self) -> &'static str {
        match self {
            Order::Need => "need",
            Order::Name => "name",
            Order::Pc => "pc",
            Order::Time => "time",
        }
    }
}

impl Row {
    /// How pressing it is; `revealed` counts what only the arbiter may know.
    pub fn need(&self, revealed: bool) -> Need {
        if self.unseen_end {
            Need::End
        } else if self.look || (revealed && !self.secrets.is_empty()) {
            Need::Look
        } else if matches!(self.stand, Stand::Away | Stand::Failed | Stand::Silent)
            || (self.stand == Stand::Absent && self.missed)
        {
            Need::Lost
        } else {
            Need::Nothing
        }
    }

    fn least_time(&self) -> u64 {
        let times = self.times.filter(|_| self.stand == Stand::Playing);
        let both = times.map(|times| [times.white, times.black]);
        both.and_then(|both| both.into_iter().flatten().min()).unwrap_or(u64::MAX)
    }
}

/// All boards as rows.
pub fn rows(hall: &Hall, wall: u64) -> Vec<Row> {
    let clashes = hall.clashes();
    let mut rows = Vec::new();
    for (host, pc) in hall.pcs.iter().enumerate() {
        for (path, board) in &pc.boards {
            // The arbiter's part of a board is sometimes told of before the board itself.
            if !board.object.object.contains_key(BOARD) {
                continue;
            }
            let mut row = row(Key { host, path: path.clone() }, pc, board, wall);
            if clashes.contains_key(&(pc.hall.as_str(), board.who())) {
                row.who = format!("{} ({})", row.who, pc.name);
            }
            rows.push(row);
        }
    }
    rows
}

/// One board as a row.
pub fn row(key: Key, pc: &Pc, board: &Board, wall: u64) -> Row {
    let game = |property| board.object.text(GAME, property).to_owned();
    let tag = |name: &str| {
        let tags = board.object.get(GAME, "Tags").and_then(Value::as_object);
        let tag = tags.and_then(|tags| tags.get(name)).and_then(Value::as_str);
        // PGN's way of saying that a name is not known.
        tag.filter(|tag| *tag != "?").unwrap_or_default().to_owned()
    };
    let (san, fen) = (game("LastSan"), game("Fen"));
    let number = fen.split(' ').nth(5).and_then(|n| n.parse().ok()).unwrap_or_default();
    let open: Vec<_> = pc.alerts_of(&key.path).collect();
    Row {
        who: board.who().to_owned(),
        pc: pc.name.clone(),
        hall: pc.hall.clone(),
        white: tag("White"),
        black: tag("Black"),
        last: if san.is_empty() { san } else { words::numbered(&san, &fen) },
        shows: game("Provisional"),
        number,
        times: pc.times(board, wall),
        stand: stand(pc, board),
        unseen_end: open.iter().any(|open| open.is_end()),
        missed: board.object.has_game() || open.iter().any(|open| open.public),
        look: open.iter().any(|open| open.is_hidden_notice()),
        secrets: secrets(pc, board, &key.path),
        key,
    }
}

fn stand(pc: &Pc, board: &Board) -> Stand {
    if pc.line != Line::Up {
        return Stand::Away;
    }
    let game = |property| board.object.text(GAME, property);
    let over = || Stand::Over(game("Result").to_owned(), game("Ending").to_owned());
    match board.object.text(BOARD, "State") {
        "failed" => return Stand::Failed,
        // How the game ended is more than that its board was packed up since.
        "absent" if game("State") == "over" && !game("Ending").is_empty() => return over(),
        "absent" => return Stand::Absent,
        "silent" => return Stand::Silent,
        "opening" => return Stand::Opening,
        _ => {}
    }
    match game("State") {
        "waiting" => Stand::Waiting,
        "playing" => Stand::Playing,
        "over" => over(),
        _ => Stand::NoGame,
    }
}

fn secrets(pc: &Pc, board: &Board, path: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut add = |secret: Secret| {
        if !found.contains(&secret) {
            found.push(secret);
        }
    };
    let claims = board.object.arbiter_only.get("Claims").and_then(Value::as_array);
    for claim in claims.into_iter().flatten().filter_map(Value::as_str) {
        let reason = match claim {
            "threefold" => ClaimReason::ThreefoldRepetition,
            _ => ClaimReason::FiftyMoves,
        };
        add(Secret::Claim(reason, Vec::new()));
    }
    match board.object.text(CLOCK, "Flag") {
        "white" => add(Secret::Flag(Side::White)),
        "black" => add(Secret::Flag(Side::Black)),
        _ => {}
    }
    for open in pc.alerts_of(path).filter(|open| !open.public) {
        match &open.event {
            Some(EventKind::ClaimAvailable { reason, moves, .. }) => {
                add(Secret::Claim(*reason, moves.clone()));
            }
            Some(EventKind::Flag { side, .. }) => add(Secret::Flag(*side)),
            Some(EventKind::PossibleEnd { reason, .. }) => add(Secret::PossibleEnd(*reason)),
            Some(EventKind::IllegalMove { by, .. }) => add(Secret::Illegal(*by)),
            Some(EventKind::Attention { kind, .. }) => add(Secret::Attention(*kind)),
            _ => add(Secret::Other),
        }
    }
    found
}

/// Puts rows in an order.
pub fn sort(rows: &mut [Row], order: Order, revealed: bool) {
    match order {
        Order::Need => rows.sort_by_cached_key(|row| {
            // Boards that nobody plays at come last.
            let idle = Reverse(matches!(row.stand, Stand::Playing | Stand::Waiting));
            (row.need(revealed), idle, natural(&row.who), row.key.clone())
        }),
        Order::Name => rows.sort_by_cached_key(|row| (natural(&row.who), row.key.clone())),
        Order::Pc => rows.sort_by_cached_key(|row| (row.key.host, natural(&row.who))),
        Order::Time => rows.sort_by_cached_key(|row| (row.least_time(), natural(&row.who))),
    }
}

/// A text so that Table 2 comes before Table 10.
fn natural(text: &str) -> Vec<(u64, String)> {
    let mut parts = vec![(0_u64, String::new())];
    for letter in text.chars() {
        let Some((number, word)) = parts.last_mut() else { break };
        match letter.to_digit(10) {
            Some(digit) if word.is_empty() => {
                *number = number.saturating_mul(10).saturating_add(u64::from(digit));
            }
            Some(digit) => parts.push((digit.into(), String::new())),
            None => word.extend(letter.to_lowercase()),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_as_numbers() {
        let mut all = ["Table 10", "Table 2", "7", "table 1", "10", "Annex"];
        all.sort_by_key(|text| natural(text));
        assert_eq!(all, ["Annex", "table 1", "Table 2", "Table 10", "7", "10"]);
    }
}
