//! `dgtctl pair`: who plays at which board, from the pairing file of a round.
//!
//! In: a PGN file or a FIDE tournament report, and the boards of all hosts. Out: the names of the
//! players at every board, or a list of what would be set. Refuses to know: tournaments beyond one
//! round.

mod file;
mod pgn;
mod plan;
mod trf;

use std::{
    collections::BTreeMap,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::{Value, json};
use tokio::task::JoinSet;

pub use self::{
    file::{Fault, read},
    plan::{Outcome, Plan, Table},
};
use super::{
    CtlError,
    client::{BoardObject, Client, options},
    hosts::{self, Host},
};
use crate::{laws::text::Language, signals::dbus::NAME};

/// The longest pairing file; the largest tournaments have a thousandth of it.
const LONGEST: u64 = 16 << 20;

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

/// The bytes of a pairing file.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Sets the pairings of a round on all boards of all hosts.
pub async fn run(pair: &Pair, hosts: &[Host], language: &Language) -> Result<(), CtlError> {
    let path = pair.file.display().to_string();
    let bytes =
        bytes(&pair.file).map_err(|source| CtlError::Read { path: path.clone(), source })?;
    let round = read(&bytes, pair.round)
        .map_err(|fault| CtlError::Pairing { path: path.clone(), fault })?;
    let (clients, tables, unheard) = look(hosts, language).await;
    let mut plan = Plan::new(&round, &tables, unheard.is_empty())
        .map_err(|clash| CtlError::Nothing(clash.say(language)))?;
    if !pair.dry_run {
        set(&mut plan, clients, language).await;
    }
    print(pair, &plan, &unheard, language)?;
    let left = if pair.dry_run { plan.missing_boards(language) } else { plan.missing(language) };
    let unheard = unheard.into_iter().map(|(pc, why)| say_unheard(language, &pc, &why));
    let wrong: Vec<String> = left.into_iter().chain(unheard).collect();
    if wrong.is_empty() { Ok(()) } else { Err(CtlError::Nothing(wrong.join("; "))) }
}

fn say_unheard(language: &Language, pc: &str, why: &str) -> String {
    language.say("pair-unheard", vec![("pc", pc.to_owned()), ("why", why.to_owned())])
}

/// The boards of all hosts, all asked at once: a host that hangs delays no other. With the hosts that
/// could not be asked, and why.
async fn look(
    hosts: &[Host],
    language: &Language,
) -> (Vec<Option<Client>>, Vec<Table>, Vec<(String, String)>) {
    let mut asked = JoinSet::new();
    for (index, host) in hosts.iter().enumerate() {
        let host = host.clone();
        asked.spawn(async move { (index, boards_of(&host).await) });
    }
    let mut answers: Vec<_> = Vec::new();
    while let Some(answer) = asked.join_next().await {
        answers.extend(answer.ok());
    }
    answers.sort_by_key(|(index, _)| *index);
    let (mut tables, mut unheard) = (Vec::new(), Vec::new());
    let mut clients: Vec<Option<Client>> = hosts.iter().map(|_| None).collect();
    for (index, answer) in answers {
        let name = &hosts[index].name;
        match answer {
            Ok((client, boards)) => {
                tables.extend(boards.iter().filter_map(|board| Table::of(index, name, board)));
                clients[index] = Some(client);
            }
            Err(e) => unheard.push((name.clone(), e.say(language))),
        }
    }
    (clients, tables, unheard)
}

async fn boards_of(host: &Host) -> Result<(Client, Vec<BoardObject>), CtlError> {
    let client = Client::connect_to(host).await?;
    let boards = hosts::boards(client.objects(NAME).await?, BTreeMap::new());
    Ok((client, boards))
}

/// Sets what is to be set: host by host at the same time. A host that does not answer once is asked
/// for nothing more.
async fn set(plan: &mut Plan, clients: Vec<Option<Client>>, language: &Language) {
    let mut work = JoinSet::new();
    for (host, client) in clients.into_iter().enumerate() {
        let Some(client) = client else { continue };
        let own: Vec<_> = plan
            .to_set()
            .filter(|(.., table)| table.host == host)
            .map(|(at, row, table)| (at, table.path.clone(), row.tags.clone()))
            .collect();
        let language = language.clone();
        work.spawn(async move {
            let mut done = Vec::new();
            let mut silent = false;
            for (at, path, tags) in own {
                if silent {
                    done.push((at, Outcome::NotAsked));
                    continue;
                }
                let body = (tags, options([]));
                let outcome = client.call(&path, "org.dgtd.Board1", "SetPairing", &body).await;
                let outcome = match outcome {
                    Ok(at_once) => Outcome::Set(at_once),
                    Err(e) => match hosts::Fault::of_call(&e) {
                        hosts::Fault::Silent | hosts::Fault::Lost => {
                            silent = true;
                            Outcome::Silent
                        }
                        hosts::Fault::NotRunning => {
                            silent = true;
                            Outcome::Refused(e.say(&language))
                        }
                        _ => Outcome::Refused(e.say(&language)),
                    },
                };
                done.push((at, outcome));
            }
            done
        });
    }
    while let Some(done) = work.join_next().await {
        for (at, outcome) in done.unwrap_or_default() {
            if let Some(row) = plan.rows.get_mut(at) {
                row.outcome = outcome;
            }
        }
    }
}

fn print(
    pair: &Pair,
    plan: &Plan,
    unheard: &[(String, String)],
    language: &Language,
) -> Result<(), CtlError> {
    let mut out = io::stdout().lock();
    if pair.json {
        let games: Vec<Value> = plan
            .rows
            .iter()
            .map(|row| {
                json!({
                    "board": row.pairing.board,
                    "white": row.pairing.white,
                    "black": row.pairing.black,
                    "line": row.pairing.line,
                    "at": row.table.as_ref().map(|table| &table.name),
                    "done": row.outcome.keyword(),
                    "stands": row.outcome.stands(),
                })
            })
            .collect();
        let unheard: Vec<Value> =
            unheard.iter().map(|(pc, why)| json!({ "host": pc, "why": why })).collect();
        let document = json!({
            "round": plan.round,
            "event": plan.event,
            "games": games,
            "unheard": unheard,
        });
        writeln!(out, "{document}")?;
        return Ok(());
    }
    writeln!(out, "{}", plan.title(language))?;
    for row in &plan.rows {
        writeln!(out, "{}", row.say(language))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
