//! The daemon on D-Bus: `org.dgtd` for everyone, `org.dgtd.Arbiter` for the arbiter's people.
//!
//! In: views, alerts and records, through channels. Out: objects, properties, signals; requests to
//! the tasks that own the state. Refuses to know: chess, clocks, files.
//!
//! Two connections, two names. A bus can keep people away from a *name*, in calls and in signals,
//! but not from one property among others, nor from one object among those that
//! `GetManagedObjects` lists. So what only the arbiter may know (laws.md's classes B and C) is
//! served on a connection of its own, which the bus policy opens to group `dgtd-arbiters` only:
//!
//! | name | objects | what is there |
//! |---|---|---|
//! | `org.dgtd` | `/org/dgtd` | `Daemon1`, `Journal1` with public events |
//! | | `/org/dgtd/boards/…` | `Board1`, `Clock1`, `Game1` |
//! | | `/org/dgtd/alerts/N` | `Alert1`: games that are over, boards that are lost |
//! | `org.dgtd.Arbiter` | `/org/dgtd` | `Journal1` with all events |
//! | | `/org/dgtd/boards/…` | `ArbiterOnly1`: claims and counters |
//! | | `/org/dgtd/alerts/N` | `Alert1`: illegal moves, flags, claims, boards that disagree |

#![expect(
    clippy::disallowed_types,
    clippy::too_many_arguments,
    reason = "zbus's macros name a hash map, whose order nothing depends on, and pass a signal's fields one by one"
)]

mod alert1;
mod arbiter_only1;
mod board1;
mod changes;
mod clock1;
mod daemon1;
mod error;
mod game1;
mod hand_on;
mod journal1;
mod publish;
mod values;

use std::{sync::Arc, time::Duration};

use tokio::sync::{Notify, mpsc, watch};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};
use zbus::{
    Connection,
    connection::Builder,
    fdo::{self, RequestNameFlags, RequestNameReply},
};

pub use error::ApiError;

use super::{
    Boards, DaemonRequest,
    alerts::Alert,
    buzzer::BuzzerState,
    hub::{HubInput, JournalMeta, Record},
};
use crate::{config::BusChoice, laws::text::Language, units::BoardId};
use publish::Publisher;

/// The name everyone may speak to.
pub const NAME: &str = "org.dgtd";
/// The name of what only the arbiter's people may know.
pub const ARBITER_NAME: &str = "org.dgtd.Arbiter";
/// The root object.
pub const ROOT: &str = "/org/dgtd";

/// The path of a board's object: `/org/dgtd/boards/sn_01025` for a board called by its serial
/// number, `/org/dgtd/boards/table7` for one that has a name.
pub fn board_path(board: &BoardId) -> String {
    let name = board.as_str();
    let prefix = if name.bytes().all(|b| b.is_ascii_digit()) { "sn_" } else { "" };
    format!("{ROOT}/boards/{prefix}{}", name.replace('-', "_"))
}

/// The path of an alert's object.
pub fn alert_path(id: u64) -> String {
    format!("{ROOT}/alerts/{id}")
}

/// What the objects read and whom they ask.
#[derive(Debug)]
pub struct Shared {
    /// This program's version.
    pub version: &'static str,
    /// The machine's name.
    pub hostname: String,
    /// When the daemon started, microseconds since the epoch.
    pub started_at: u64,
    /// All boards.
    pub boards: watch::Receiver<Boards>,
    /// The open alerts.
    pub alerts: watch::Receiver<Arc<Vec<Arc<Alert>>>>,
    /// The buzzer.
    pub buzzer: watch::Receiver<BuzzerState>,
    /// Edition of the Laws for games that start from now on.
    pub edition: watch::Receiver<String>,
    /// All editions.
    pub editions: Vec<String>,
    /// The journal's identity and numbers.
    pub journal: Arc<JournalMeta>,
    /// Who numbers and writes down.
    pub hub: mpsc::Sender<HubInput>,
    /// Who looks after the boards.
    pub daemon: mpsc::Sender<DaemonRequest>,
    /// The time of day, microseconds since the epoch.
    pub wall: fn() -> u64,
    /// Rung when any view has changed.
    pub dirty: Arc<Notify>,
    /// The language of sentences.
    pub language: Language,
}

/// The bus cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    /// Another daemon has the name.
    #[error(
        "bus: the name {0} is taken: another dgtd is running. Stop it (systemctl stop dgtd), or set \
         `which` in [bus] to another bus"
    )]
    NameTaken(&'static str),
    /// Anything else.
    #[error("bus: {0}")]
    Zbus(#[from] zbus::Error),
}

/// Serves the objects on `which` bus until `stop`; a bus that is away is tried again for ever.
///
/// `first` is told how the first attempt went: with [`BusError::NameTaken`] the daemon should not
/// go on.
pub async fn serve(
    which: BusChoice,
    shared: Arc<Shared>,
    mut records: mpsc::Receiver<Arc<Record>>,
    first: tokio::sync::oneshot::Sender<Result<(), BusError>>,
    stop: CancellationToken,
) {
    let mut first = Some(first);
    let mut wait = Duration::from_millis(500);
    loop {
        match connect(&which, &shared).await {
            Ok(publisher) => {
                info!(bus = %which, "bus: {NAME} is served");
                if let Some(first) = first.take() {
                    // Nobody waits any more: fine.
                    let _ = first.send(Ok(()));
                }
                wait = Duration::from_millis(500);
                let reason = tokio::select! {
                    reason = publisher.run(&mut records) => reason,
                    () = stop.cancelled() => return,
                };
                let Some(reason) = reason else { return };
                warn!(bus = %which, %reason, "bus: lost; it is tried again, alerts are kept");
            }
            Err(e) => match first.take() {
                Some(first) => {
                    let fatal = matches!(e, BusError::NameTaken(_));
                    // Nobody waits any more: fine.
                    let _ = first.send(Err(e));
                    if fatal {
                        return;
                    }
                }
                None if wait >= Duration::from_secs(30) => {}
                None => warn!(bus = %which, error = %e, "bus: still away"),
            },
        }
        // Records go on arriving; what is not told now is read back by number.
        let until = tokio::time::sleep(wait);
        tokio::pin!(until);
        loop {
            tokio::select! {
                () = &mut until => break,
                () = stop.cancelled() => return,
                record = records.recv() => if record.is_none() { return },
            }
        }
        wait = (wait * 2).min(Duration::from_secs(30));
    }
}

async fn connect(which: &BusChoice, shared: &Arc<Shared>) -> Result<Publisher, BusError> {
    let public = serve_public(builder(which), shared).build().await?;
    let private = serve_private(builder(which), shared).build().await?;
    let mut publisher = Publisher::new(public.clone(), private.clone(), Arc::clone(shared));
    publisher.sync_all().await?;
    take_name(&private, ARBITER_NAME).await?;
    take_name(&public, NAME).await?;
    Ok(publisher)
}

fn builder(which: &BusChoice) -> Builder<'_> {
    let builder = match which {
        BusChoice::Session => Builder::session(),
        BusChoice::Address(address) => Builder::address(address.as_str()),
        BusChoice::System | BusChoice::Auto | BusChoice::None => Builder::system(),
    };
    builder.method_timeout(Duration::from_secs(10))
}

fn serve_public<'a>(builder: Builder<'a>, shared: &Arc<Shared>) -> Builder<'a> {
    builder
        .serve_at(ROOT, fdo::ObjectManager)
        .serve_at(ROOT, daemon1::Daemon1::new(Arc::clone(shared)))
        .serve_at(ROOT, journal1::Journal1::new(Arc::clone(shared), true))
}

fn serve_private<'a>(builder: Builder<'a>, shared: &Arc<Shared>) -> Builder<'a> {
    builder
        .serve_at(ROOT, fdo::ObjectManager)
        .serve_at(ROOT, journal1::Journal1::new(Arc::clone(shared), false))
}

/// Takes a name that nobody can take away, unless somebody has it.
async fn take_name(connection: &Connection, name: &'static str) -> Result<(), BusError> {
    match connection.request_name_with_flags(name, RequestNameFlags::DO_NOT_QUEUE).await {
        Ok(RequestNameReply::PrimaryOwner | RequestNameReply::AlreadyOwner) => Ok(()),
        Ok(_) | Err(zbus::Error::NameTaken) => Err(BusError::NameTaken(name)),
        Err(e) => {
            error!(
                name, error = %e,
                "bus: the name cannot be taken; is config/org.dgtd.conf installed in \
                 /usr/share/dbus-1/system.d/ ?"
            );
            Err(e.into())
        }
    }
}

#[cfg(test)]
mod tests;
