//! `dgtctl pair`: who plays at which board, from the pairing file of a round.
//!
//! In: a PGN file or a FIDE tournament report, and the boards of all hosts. Out: the names of the
//! players at every board, or a list of what would be set. Refuses to know: tournaments beyond one
//! round.

mod file;
mod pgn;
mod trf;

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    path::PathBuf,
};

use clap::Args;
use serde_json::{Value, json};

pub use self::file::Fault;
use self::file::{Pairing, Round};
use super::{
    CtlError,
    client::{BoardObject, Client, options},
    hosts::Host,
};

/// `dgtctl pair`
#[derive(Debug, Args)]
pub struct Pair {
    /// A PGN file, of which only the tags count, or a FIDE tournament report (TRF16)
    file: PathBuf,
    /// Which round of the file
    #[arg(long, value_name = "N")]
    round: Option<u32>,
    /// Only list what would be set
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A board somewhere in the hall.
struct Place {
    host: String,
    client: usize,
    board: BoardObject,
}

impl Place {
    fn name(&self) -> String {
        format!("{}:{}", self.host, self.board.name())
    }
}

/// What became of a pairing.
enum Outcome {
    /// No board has this number.
    NoBoard,
    /// It would be set.
    Listed,
    /// It is set: of the game that waits, or of the next one.
    Set(bool),
    /// The daemon refused.
    Refused(String),
}

/// Sets the pairings of a round on all boards of all hosts.
pub async fn run(pair: &Pair, hosts: &[Host]) -> Result<(), CtlError> {
    let path = pair.file.display().to_string();
    let bytes = std::fs::read(&pair.file)
        .map_err(|source| CtlError::Read { path: path.clone(), source })?;
    let round = file::read(&bytes, pair.round)
        .map_err(|fault| CtlError::Pairing { path: path.clone(), fault })?;
    let mut clients = Vec::new();
    let mut places = BTreeMap::<u32, Vec<Place>>::new();
    let mut unreachable = Vec::new();
    // All at once: a host that hangs delays no other.
    let mut asked = tokio::task::JoinSet::new();
    for (index, host) in hosts.iter().enumerate() {
        let host = host.clone();
        asked.spawn(async move { (index, host.name.clone(), boards_of(&host).await) });
    }
    let mut answers: Vec<_> = Vec::new();
    while let Some(answer) = asked.join_next().await {
        answers.extend(answer.ok());
    }
    answers.sort_by_key(|(index, ..)| *index);
    for (_, name, answer) in answers {
        match answer {
            Ok((client, boards)) => {
                for board in boards {
                    if let Some(number) = number_of(&board) {
                        let (host, client) = (name.clone(), clients.len());
                        places.entry(number).or_default().push(Place { host, client, board });
                    }
                }
                clients.push(client);
            }
            Err(e) => unreachable.push(format!("{name}: {e}")),
        }
    }
    if let Some((number, twice)) = places.iter().find(|(_, places)| places.len() > 1) {
        let names: Vec<String> = twice.iter().map(Place::name).collect();
        return Err(CtlError::Nothing(format!(
            "board {number} is there more than once: {}; give them labels with different numbers, \
             nothing was set",
            names.join(", ")
        )));
    }
    let mut rows = Vec::new();
    for pairing in &round.games {
        let place = places.get(&pairing.board).and_then(|places| places.first());
        let outcome = match place {
            None => Outcome::NoBoard,
            Some(_) if pair.dry_run => Outcome::Listed,
            Some(place) => match set(&clients[place.client], place, pairing, &round).await {
                Ok(at_once) => Outcome::Set(at_once),
                Err(e) => Outcome::Refused(e.to_string()),
            },
        };
        rows.push((pairing, place, outcome));
    }
    print(pair, &round, &rows)?;
    let failed = rows
        .iter()
        .filter(|(.., outcome)| matches!(outcome, Outcome::NoBoard | Outcome::Refused(_)))
        .count();
    if failed == 0 && unreachable.is_empty() {
        return Ok(());
    }
    let mut text = format!("{failed} of {} games have no board or were refused", rows.len());
    for host in unreachable {
        text.push_str("; ");
        text.push_str(&host);
    }
    Err(CtlError::Nothing(text))
}

async fn boards_of(host: &Host) -> Result<(Client, Vec<BoardObject>), CtlError> {
    let client = Client::connect_to(host).await?;
    let boards = client.boards().await?;
    Ok((client, boards))
}

/// The number of a board: the last one in its label, such as `Table 7`; without a label the one its
/// name ends in, unless that is a serial number.
fn number_of(board: &BoardObject) -> Option<u32> {
    let label = board.text("org.dgtd.Board1", "Label");
    let name = board.name();
    let text = if label.is_empty() { name } else { label };
    if text == board.text("org.dgtd.Board1", "Serial") {
        return None;
    }
    let end = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let digits = end.trim_start_matches(|c: char| !c.is_ascii_digit());
    let start = digits.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    let number = digits.get(start..)?.parse().ok()?;
    (number > 0 && (!label.is_empty() || name.starts_with(|c: char| c.is_ascii_alphabetic())))
        .then_some(number)
}

fn tags(pairing: &Pairing, round: &Round) -> BTreeMap<String, String> {
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

async fn set(
    client: &Client,
    place: &Place,
    pairing: &Pairing,
    round: &Round,
) -> Result<bool, CtlError> {
    let body = (tags(pairing, round), options([]));
    client.call(&place.board.path, "org.dgtd.Board1", "SetPairing", &body).await
}

fn print(
    pair: &Pair,
    round: &Round,
    rows: &[(&Pairing, Option<&Place>, Outcome)],
) -> Result<(), CtlError> {
    let mut out = io::stdout().lock();
    if pair.json {
        let games: Vec<Value> = rows
            .iter()
            .map(|(pairing, place, outcome)| {
                json!({
                    "board": pairing.board,
                    "white": pairing.white,
                    "black": pairing.black,
                    "line": pairing.line,
                    "at": place.map(Place::name),
                    "done": match outcome {
                        Outcome::Set(true) => "now",
                        Outcome::Set(false) => "next game",
                        Outcome::Listed => "listed",
                        Outcome::NoBoard => "no board",
                        Outcome::Refused(_) => "refused",
                    },
                })
            })
            .collect();
        let document = json!({ "round": round.number, "event": round.event, "games": games });
        writeln!(out, "{document}")?;
        return Ok(());
    }
    let title = if round.event.is_empty() { String::new() } else { format!(" · {}", round.event) };
    writeln!(out, "round {}{title}", round.number)?;
    for (pairing, place, outcome) in rows {
        let Pairing { board, white, black, .. } = pairing;
        let at = place.map(Place::name).unwrap_or_default();
        let what = match outcome {
            Outcome::NoBoard => "no board has this number".to_owned(),
            Outcome::Listed => at,
            Outcome::Set(true) => format!("{at}: set"),
            Outcome::Set(false) => format!("{at}: set for the next game"),
            Outcome::Refused(why) => format!("{at}: {why}"),
        };
        writeln!(out, "{board:>4}  {white} - {black}  [{what}]")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
