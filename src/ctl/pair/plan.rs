//! Which pairing falls to which board of the hall, and what would become of it. Pure.

use std::collections::BTreeMap;

use serde_json::Value;

use super::file::{Pairing, Round};
use crate::{ctl::client::BoardObject, laws::text::Language};

const BOARD: &str = "org.dgtd.Board1";
const GAME: &str = "org.dgtd.Game1";

type Tags = BTreeMap<String, String>;

/// A board that stands at a numbered table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The place of its PC.
    pub host: usize,
    /// The name of its PC.
    pub pc: String,
    /// The path of its object.
    pub path: String,
    /// What people call it, with its PC.
    pub name: String,
    /// The number.
    pub number: u32,
    /// The game waits for its first move.
    waits: bool,
    /// Who plays the game that is or was on.
    now: Tags,
    /// Who plays the next one.
    next: Tags,
}

impl Table {
    /// The table of a board; none for one without a number.
    pub fn of(host: usize, pc: &str, board: &BoardObject) -> Option<Table> {
        let tags = |interface, property| -> Tags {
            let object = board.get(interface, property).and_then(Value::as_object);
            let text = |(key, value): (&String, &Value)| {
                Some((key.clone(), value.as_str().unwrap_or_default().to_owned()))
            };
            object.into_iter().flatten().filter_map(text).collect()
        };
        Some(Table {
            host,
            pc: pc.to_owned(),
            path: board.path.clone(),
            name: format!("{pc}:{}", board.name()),
            number: number_of(board)?,
            waits: board.text(GAME, "State") == "waiting",
            now: tags(GAME, "Tags"),
            next: tags(BOARD, "NextPairing"),
        })
    }
}

/// The number of a board: the last one in its label, such as `Table 7`; without a label the one its
/// name ends in, unless that is a serial number.
pub(super) fn number_of(board: &BoardObject) -> Option<u32> {
    let label = board.text(BOARD, "Label");
    let name = board.name();
    let text = if label.is_empty() { name } else { label };
    if text == board.text(BOARD, "Serial") {
        return None;
    }
    let end = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let digits = end.trim_start_matches(|c: char| !c.is_ascii_digit());
    let start = digits.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    let number = digits.get(start..)?.parse().ok()?;
    (number > 0 && (!label.is_empty() || name.starts_with(|c: char| c.is_ascii_alphabetic())))
        .then_some(number)
}

/// What became of a pairing, or would.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No board has its number.
    NoBoard,
    /// No board that was heard has its number.
    NotHeard,
    /// The board has it already: nothing is to be done.
    Has,
    /// It falls to the game that waits, or else to the next one.
    Planned(bool),
    /// It was set: for the game that waits, or else for the next one.
    Set(bool),
    /// It was not set, and why.
    Refused(String),
    /// No answer came: nobody knows.
    Silent,
    /// It was not tried: the PC had stopped answering.
    NotAsked,
}

impl Outcome {
    /// Whether the pairing stands at its board.
    pub fn stands(&self) -> bool {
        matches!(self, Outcome::Set(_) | Outcome::Has)
    }

    /// The word for it.
    pub fn keyword(&self) -> &'static str {
        match self {
            Outcome::NoBoard => "no-board",
            Outcome::NotHeard => "not-heard",
            Outcome::Has => "has",
            Outcome::Planned(true) => "now",
            Outcome::Planned(false) => "next",
            Outcome::Set(true) => "set-now",
            Outcome::Set(false) => "set-next",
            Outcome::Refused(_) => "refused",
            Outcome::Silent => "silent",
            Outcome::NotAsked => "not-asked",
        }
    }
}

/// A pairing and its board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The pairing.
    pub pairing: Pairing,
    /// The board, if one has its number.
    pub table: Option<Table>,
    /// The PGN tags to be set.
    pub tags: Tags,
    /// What became of it, or would.
    pub outcome: Outcome,
}

impl Row {
    /// The pairing, its board and what became of it, on a line.
    pub fn say(&self, language: &Language) -> String {
        let at = self.table.as_ref().map(|table| table.name.clone()).unwrap_or_default();
        let why = match &self.outcome {
            Outcome::Refused(why) => why.clone(),
            _ => String::new(),
        };
        let what = vec![("what", self.outcome.keyword().to_owned()), ("at", at), ("why", why)];
        let Pairing { board, white, black, .. } = &self.pairing;
        let what = language.say("pair-what", what);
        format!("{board:>4}  {white} - {black}  [{what}]")
    }
}

/// A round laid over the boards of a hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of the round.
    pub round: u32,
    /// The tournament, empty when the file does not say.
    pub event: String,
    /// The pairings, the first board first.
    pub rows: Vec<Row>,
}

/// A number that the file names and several boards have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The number.
    pub number: u32,
    /// The boards, with their PCs.
    pub at: Vec<String>,
}

impl Clash {
    /// What is wrong and what to do.
    pub fn say(&self, language: &Language) -> String {
        let args = vec![("number", self.number.to_string()), ("at", self.at.join(", "))];
        language.say("pair-clash", args)
    }
}

impl Plan {
    /// Lays a round over the tables; `all_heard`: there are no PCs whose boards are not known.
    pub fn new(round: &Round, tables: &[Table], all_heard: bool) -> Result<Plan, Clash> {
        let mut rows = Vec::new();
        for pairing in &round.games {
            let mut own = tables.iter().filter(|table| table.number == pairing.board);
            let (table, second) = (own.next(), own.next());
            if second.is_some() {
                let all = tables.iter().filter(|table| table.number == pairing.board);
                let at = all.map(|table| table.name.clone()).collect();
                return Err(Clash { number: pairing.board, at });
            }
            let tags = tags(pairing, round);
            let has = |had: &Tags| tags.iter().all(|(tag, value)| had.get(tag) == Some(value));
            let outcome = match table {
                None if all_heard => Outcome::NoBoard,
                None => Outcome::NotHeard,
                // Once its game has begun, or is over, the same pairing must not fall on the next.
                Some(table) if has(&table.now) || (has(&table.next) && !table.waits) => {
                    Outcome::Has
                }
                Some(table) => Outcome::Planned(table.waits),
            };
            rows.push(Row { pairing: pairing.clone(), table: table.cloned(), tags, outcome });
        }
        Ok(Plan { round: round.number, event: round.event.clone(), rows })
    }

    /// The line above the pairings.
    pub fn title(&self, language: &Language) -> String {
        let event = if self.event.is_empty() { "none" } else { &self.event };
        language
            .say("pair-round", vec![("round", self.round.to_string()), ("event", event.to_owned())])
    }

    /// Those that are to be set, by their places.
    pub fn to_set(&self) -> impl Iterator<Item = (usize, &Row, &Table)> {
        self.rows.iter().enumerate().filter_map(|(at, row)| match row.outcome {
            Outcome::Planned(_) => row.table.as_ref().map(|table| (at, row, table)),
            _ => None,
        })
    }

    /// The PCs on which something is to be set.
    pub fn pcs(&self) -> Vec<String> {
        let mut pcs: Vec<String> = self.to_set().map(|(.., table)| table.pc.clone()).collect();
        pcs.sort();
        pcs.dedup();
        pcs
    }

    /// How many pairings have no board, in a sentence; none when all have one.
    pub fn missing_boards(&self, language: &Language) -> Option<String> {
        let none = self.rows.iter().filter(|row| row.table.is_none()).count();
        let args = vec![("none", none.to_string()), ("all", self.rows.len().to_string())];
        (none > 0).then(|| language.say("pair-boardless", args))
    }

    /// What came of it all, in a sentence; none when every pairing stands at its board.
    pub fn missing(&self, language: &Language) -> Option<String> {
        let stand = self.rows.iter().filter(|row| row.outcome.stands()).count();
        let args = vec![("stand", stand.to_string()), ("all", self.rows.len().to_string())];
        (stand < self.rows.len()).then(|| language.say("pair-missing", args))
    }
}

fn tags(pairing: &Pairing, round: &Round) -> Tags {
    let mut tags = BTreeMap::from([
        ("White".to_owned(), pairing.white.clone()),
        ("Black".to_owned(), pairing.black.clone()),
        ("Round".to_owned(), format!("{}.{}", round.number, pairing.board)),
        ("Table".to_owned(), pairing.board.to_string()),
    ]);
    for (name, value) in [("Event", &round.event), ("Site", &round.site)] {
        if !value.is_empty() {
            tags.insert(name.to_owned(), value.clone());
        }
    }
    tags
}
