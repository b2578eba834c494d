//! The running daemon: ports, boards as tasks, the clock.
//!
//! In: the machine's serial ports, time, signals. Out: bytes and moments for the core, and what the
//! core decided to the world. Refuses to know: chess.

mod board;
mod busline;
pub(crate) mod clock;
pub mod discover;
mod player;
pub mod port;
mod recorder;
mod recovery;
mod scanner;
mod supervisor;
mod systemd;

use std::{
    ffi::OsString,
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, atomic::Ordering},
};

use clap::Parser;
use sd_notify::NotifyState;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::{Notify, mpsc, oneshot, watch},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use crate::{
    config::{self, BusChoice, Config, StateDirectory},
    laws,
    signals::{
        DaemonRequest,
        buzzer::BuzzerState,
        dbus::{self, BusError},
        gpio::{self, BuzzerInput, Gpio},
        hub::{Hub, HubInput, JournalMeta, Parts as HubParts},
        journal::Journal,
        pgn_files::PgnFiles,
    },
};
use clock::{BoardClock, wall_micros};
use scanner::Scanner;
use supervisor::Supervisor;
pub(crate) use supervisor::with_causes;

/// Exit status for a configuration that cannot be used; systemd does not try again after it.
const BAD_CONFIGURATION: u8 = 2;

/// Threads for the tasks. A hall of boards takes a small part of one, and what two of them wake each
/// other for costs more than they share; what takes long (searches, files) has threads of its own.
const WORKERS: usize = 1;

/// Threads for what may wait: opening ports, reading files back, searches. A hall's boards come all at
/// once; a thread for each would keep its own memory long after its port is open.
const WAITING: usize = 16;

/// Watches DGT boards and tells the arbiter when the Laws of Chess end a game.
#[derive(Debug, Parser)]
#[command(name = "dgtd", version)]
struct Args {
    /// Configuration file, in place of /etc/dgtd/dgtd.toml and its conf.d
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Check the configuration, print it as merged, and end
    #[arg(long)]
    check_config: bool,
}

/// The program `dgtd`.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(e) => {
            // To stdout for --help; if nobody reads it there is nobody to tell.
            let _ = e.print();
            return if e.use_stderr() {
                ExitCode::from(BAD_CONFIGURATION)
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    let config = match config::load(args.config.as_deref()) {
        Ok(config) => config,
        Err(e) => {
            complain(&with_causes(&e));
            return ExitCode::from(BAD_CONFIGURATION);
        }
    };
    if args.check_config {
        // A closed pipe ends the program quietly.
        let _ = std::io::stdout().lock().write_all(config.to_toml().as_bytes());
        return ExitCode::SUCCESS;
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .max_blocking_threads(WAITING)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(e) => {
            complain(&format!("the runtime cannot be started: {e}"));
            return ExitCode::FAILURE;
        }
    };
    let log = systemd::start_log(config.log.level);
    let code = runtime.block_on(run(config, args.config, log));
    // A search for a dead position that nobody waits for any more must not hold up the end.
    runtime.shutdown_background();
    code
}

fn complain(text: &str) {
    // If stderr is closed there is nobody to tell.
    let _ = writeln!(std::io::stderr().lock(), "dgtd: {text}");
}

/// The signals that end or reload the daemon.
struct Signals {
    term: Signal,
    int: Signal,
    hup: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Signals> {
        Ok(Signals {
            term: signal(SignalKind::terminate())?,
            int: signal(SignalKind::interrupt())?,
            hup: signal(SignalKind::hangup())?,
        })
    }

    /// Reloads when told so; returns when the daemon is to end.
    async fn attend(&mut self, requests: &mpsc::Sender<DaemonRequest>) {
        loop {
            tokio::select! {
                _ = self.term.recv() => return,
                _ = self.int.recv() => return,
                _ = self.hup.recv() => reload(requests).await,
            }
        }
    }
}

/// Hands the hub what was found wrong in the journal.
async fn tell(hub: &mpsc::Sender<HubInput>, damage: Vec<HubInput>) {
    for input in damage {
        if hub.send(input).await.is_err() {
            error!("the hub has ended");
        }
    }
}

async fn run(config: Config, file: Option<PathBuf>, log: systemd::LogFilter) -> ExitCode {
    let mut signals = match Signals::new() {
        Ok(signals) => signals,
        Err(e) => {
            complain(&format!("signals cannot be received: {e}"));
            return ExitCode::FAILURE;
        }
    };
    info!(version = env!("CARGO_PKG_VERSION"), "dgtd starts");
    let stop = CancellationToken::new();
    let bus_stop = CancellationToken::new();
    let store = open_store(&config);
    let recovery::Recovered { hub: memory, waiting, damage } = store.recovered;
    let (hub, hub_inputs) = mpsc::channel(4096);
    let (records, bus_records) = mpsc::channel(1024);
    let (buzzer, buzzer_inputs) = mpsc::channel(gpio::MOST_WAITING);
    let (alerts_tx, alerts) = watch::channel(Arc::default());
    let (boards_tx, boards) = watch::channel(Arc::default());
    let (edition_tx, edition) = watch::channel(String::new());
    let (plan_tx, plan) = watch::channel(scanner::PortPlan::default());
    let (found_tx, found) = mpsc::channel(16);
    let (requests_tx, requests) = mpsc::channel(16);
    let dirty = Arc::new(Notify::new());
    let hub_task = tokio::spawn(
        Hub::new(HubParts {
            journal: store.journal,
            meta: Arc::clone(&store.meta),
            in_memory: usize::try_from(config.state.events_in_memory.get()).unwrap_or(usize::MAX),
            pgn: store.pgn,
            bus: records,
            buzzer,
            alerts: alerts_tx,
            language: config.laws.language.choose(),
        })
        .remembering(memory)
        .run(hub_inputs),
    );
    let (buzzer_task, buzzer_state) = start_buzzer(&config, buzzer_inputs);
    let shared = Arc::new(dbus::Shared {
        version: env!("CARGO_PKG_VERSION"),
        hostname: hostname(),
        started_at: wall_micros(),
        boards,
        alerts: alerts.clone(),
        buzzer: buzzer_state,
        edition,
        editions: laws::Edition::ALL.iter().map(|e| e.name().to_owned()).collect(),
        journal: store.meta,
        hub: hub.clone(),
        daemon: requests_tx.clone(),
        wall: wall_micros,
        dirty: Arc::clone(&dirty),
        language: config.laws.language.choose(),
    });
    tell(&hub, damage).await;
    let mut supervisor = Supervisor::new(supervisor::Parts {
        config: config.clone(),
        reload: Box::new(move || config::load(file.as_deref()).map_err(|e| with_causes(&e))),
        boards: boards_tx,
        edition: edition_tx,
        plan: plan_tx,
        found,
        requests,
        hub: hub.clone(),
        alerts,
        dirty,
        waiting,
        journal: store.directory,
        log: Some(log),
        captures: state_directory(&config.state.directory).join("captures"),
        stop: stop.clone(),
    });
    // The configured boards are there before the name is taken.
    supervisor.start().await;
    let bus_task = match start_bus(&config.bus.which, shared, bus_records, &bus_stop).await {
        Ok(task) => task,
        Err(e) => {
            error!("{e}");
            return ExitCode::FAILURE;
        }
    };
    let scanner_task = tokio::spawn(Scanner::new(plan, found_tx, stop.clone()).run());
    let supervisor_task = tokio::spawn(supervisor.run());
    systemd::notify(&[NotifyState::Ready, NotifyState::Status("looking for boards")]);

    signals.attend(&requests_tx).await;
    info!("dgtd ends");
    systemd::notify(&[NotifyState::Stopping]);
    stop.cancel();
    join("scanner", scanner_task).await;
    join("supervisor", supervisor_task).await;
    // The boards have ended: what they told is in the hub's queue.
    if hub.send(HubInput::Close).await.is_err() {
        error!("the hub has ended before the boards");
    }
    join("hub", hub_task).await;
    bus_stop.cancel();
    join("bus", bus_task).await;
    join("buzzer", buzzer_task).await;
    ExitCode::SUCCESS
}

/// The buzzer's task, whether there is a buzzer or not.
fn start_buzzer(
    config: &Config,
    inputs: mpsc::Receiver<BuzzerInput>,
) -> (JoinHandle<()>, watch::Receiver<BuzzerState>) {
    let output = Gpio::open(&config.buzzer).unwrap_or_else(|e| {
        warn!("{}", with_causes(&e));
        None
    });
    let (state, states) = watch::channel(BuzzerState::Absent);
    let clock = BoardClock::live();
    let now = move || clock.now();
    (tokio::spawn(gpio::drive(output, config.buzzer.clone(), inputs, state, now)), states)
}

async fn join(name: &str, task: JoinHandle<()>) {
    if let Err(e) = task.await {
        error!(task = name, error = %e, "a task failed");
    }
}

async fn reload(requests: &mpsc::Sender<DaemonRequest>) {
    let (reply, answer) = oneshot::channel();
    let asked = requests.send(DaemonRequest::Reload(reply)).await;
    if asked.is_err() || answer.await.is_err() {
        error!("the supervisor does not answer");
    }
}

/// Journal and PGN files, as far as they can be had, and what they remember.
struct Store {
    journal: Option<(Journal, PathBuf)>,
    directory: Option<PathBuf>,
    meta: Arc<JournalMeta>,
    pgn: Option<PgnFiles>,
    recovered: recovery::Recovered,
}

fn open_store(config: &Config) -> Store {
    let directory = state_directory(&config.state.directory);
    let journal_directory = directory.join("journal");
    let mut meta = JournalMeta::default();
    let mut recovered = recovery::Recovered::default();
    let language = config.laws.language.choose();
    let most_kept = config.state.journal_mib.get() << 20;
    let journal = match Journal::open_bounded(&journal_directory, most_kept, &language) {
        Ok((journal, opened)) => {
            if let Some(e) = &opened.trouble {
                error!(
                    "the journal cannot be kept in {}: {e}. The daemon goes on without it and tries it \
                     again: what happens is told, but not written down. Make the directory writable \
                     for this user, or set `directory` in [state] and restart",
                    journal_directory.display()
                );
            }
            // What could not be read may be found there yet: no number is given twice.
            let beyond = if opened.trouble.is_some() { wall_micros() / 1_000 } else { 0 };
            meta.last.store(opened.last.max(beyond), Ordering::Relaxed);
            meta.id.clone_from(&opened.id);
            meta.oldest.store(1, Ordering::Relaxed);
            recovered = recovery::recover(opened, config, &directory.join("pgn"), wall_micros());
            Some((journal, journal_directory.clone()))
        }
        Err(e) => {
            error!(error = %e, "there is no journal: its thread cannot be started");
            None
        }
    };
    if meta.id.is_empty() {
        meta.id = format!("memory-{}", wall_micros());
    }
    let pgn = config.state.pgn.then(|| PgnFiles::new(directory.join("pgn")));
    let pgn = match pgn {
        Some(Ok(pgn)) => Some(pgn),
        Some(Err(e)) => {
            error!(error = %e, "games are not written as PGN");
            None
        }
        None => None,
    };
    let directory = journal.is_some().then_some(journal_directory);
    Store { journal, directory, meta: Arc::new(meta), pgn, recovered }
}

/// Where the daemon keeps its files.
fn state_directory(configured: &StateDirectory) -> PathBuf {
    if let StateDirectory::Path(path) = configured {
        return path.clone();
    }
    let variable = |name| std::env::var_os(name).filter(|value: &OsString| !value.is_empty());
    if let Some(list) = variable("STATE_DIRECTORY") {
        // systemd separates several directories by colons; the first is ours.
        return std::env::split_paths(&list).next().unwrap_or_default();
    }
    if rustix::process::geteuid().is_root() {
        return "/var/lib/dgtd".into();
    }
    if let Some(state) = variable("XDG_STATE_HOME") {
        return Path::new(&state).join("dgtd");
    }
    match variable("HOME") {
        Some(home) => Path::new(&home).join(".local/state/dgtd"),
        None => "/var/lib/dgtd".into(),
    }
}

fn hostname() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Starts serving the bus; only a name that is taken is a reason not to go on.
async fn start_bus(
    which: &BusChoice,
    shared: Arc<dbus::Shared>,
    mut records: mpsc::Receiver<Arc<crate::signals::hub::Record>>,
    stop: &CancellationToken,
) -> Result<JoinHandle<()>, BusError> {
    let which = match which {
        BusChoice::Auto => resolve_bus(),
        other => other.clone(),
    };
    if which == BusChoice::None {
        info!("bus: none, as configured; the log is all there is");
        let stop = stop.clone();
        return Ok(tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = stop.cancelled() => return,
                    record = records.recv() => if record.is_none() { return },
                }
            }
        }));
    }
    let (first_tx, first) = oneshot::channel();
    let serve = dbus::serve(which.clone(), shared, records, first_tx, stop.clone());
    let task = tokio::spawn(serve);
    match first.await {
        Ok(Ok(())) => {}
        Ok(Err(e @ BusError::NameTaken(_))) => return Err(e),
        Ok(Err(e)) => error!(
            bus = %which,
            "{e}. The daemon goes on and tries the bus again; until then nobody can speak to it. Start \
             a bus (systemctl start dbus), set `which` in [bus] to system, session or an address, or \
             to none if that is wanted"
        ),
        Err(_) => error!("the bus's task failed"),
    }
    Ok(task)
}

/// The system bus for root and for a service, the session bus for a login.
fn resolve_bus() -> BusChoice {
    let service = std::env::var_os("INVOCATION_ID").is_some()
        && std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_none();
    let login = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
        || std::env::var_os("XDG_RUNTIME_DIR").is_some();
    if rustix::process::geteuid().is_root() || service || !login {
        BusChoice::System
    } else {
        BusChoice::Session
    }
}
