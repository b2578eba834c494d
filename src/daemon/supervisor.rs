//! Looks after the boards' tasks: gives them their ports, answers for the daemon as a whole, starts
//! again what failed.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use sd_notify::NotifyState;
use tokio::{
    sync::{Notify, Semaphore, mpsc, oneshot, watch},
    task::{Id, JoinSet},
};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use super::{
    board::{Attachment, Board, Control, Feed, Lease, Line, Setup, Taken},
    clock::{BoardClock, wall_micros},
    player::Player,
    recovery::{self, Waiting},
    scanner::{Found, PortPlan},
    systemd,
};
use crate::{
    arbiter::{
        Event, EventKind, Options, Refusal, event::AttentionKind, status::Line as LineState,
    },
    config::{self, BoardOrientation, Config, PortSpec},
    link::LinkOptions,
    signals::{
        BoardHandle, Boards, DaemonRequest, alerts::Alert, gpio::BuzzerInput, hub::HubInput,
    },
    units::BoardId,
    wire::Orientation,
};

/// How long a task may take to show that it turns.
const ALIVE: Duration = Duration::from_secs(5);

/// How often the state is told to the service manager when it wants no watchdog.
const STATUS_EVERY: Duration = Duration::from_secs(10);

/// What the supervisor needs.
pub struct Parts {
    /// The configuration in force.
    pub config: Config,
    /// Reads it again.
    pub reload: Box<dyn Fn() -> Result<Config, String> + Send + Sync>,
    /// All boards, for everybody.
    pub boards: watch::Sender<Boards>,
    /// Edition for games that start from now on.
    pub edition: watch::Sender<String>,
    /// What the scanner looks for.
    pub plan: watch::Sender<PortPlan>,
    /// What it finds.
    pub found: mpsc::Receiver<Found>,
    /// Requests.
    pub requests: mpsc::Receiver<DaemonRequest>,
    /// Who numbers and writes down.
    pub hub: mpsc::Sender<HubInput>,
    /// Open alerts, for the status line.
    pub alerts: watch::Receiver<Arc<Vec<Arc<Alert>>>>,
    /// Rung when a view has changed.
    pub dirty: Arc<Notify>,
    /// The log.
    pub log: Option<systemd::LogFilter>,
    /// The games that were on when the program ended.
    pub waiting: Waiting,
    /// Where the journal is, to take up a game whose task failed.
    pub journal: Option<PathBuf>,
    /// Where boards' lines are recorded.
    pub captures: PathBuf,
    /// The daemon ends.
    pub stop: CancellationToken,
}

/// One board as the supervisor knows it.
struct Slot {
    handle: BoardHandle,
    control: mpsc::Sender<Control>,
    /// Its task, to tell which one ended.
    task: Id,
    setup: Setup,
    /// The configured serial number, or the one it told.
    serial: Option<String>,
}

/// The supervisor.
pub struct Supervisor {
    parts: Parts,
    slots: BTreeMap<BoardId, Slot>,
    tasks: JoinSet<()>,
    searches: Arc<Semaphore>,
    /// Replays that were started, so that a reload does not start them again.
    replays: BTreeSet<PortSpec>,
    /// Ports left alone because their board says it is one that is in use; said once.
    doubles: BTreeSet<PathBuf>,
}

impl Supervisor {
    /// A supervisor without boards.
    pub fn new(parts: Parts) -> Supervisor {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Supervisor {
            parts,
            slots: BTreeMap::new(),
            tasks: JoinSet::new(),
            searches: Arc::new(Semaphore::new(cores)),
            replays: BTreeSet::new(),
            doubles: BTreeSet::new(),
        }
    }

    /// Makes the configured boards and tells the scanner what to look for.
    pub async fn start(&mut self) {
        let config = self.parts.config.clone();
        self.parts.edition.send_replace(config.laws.edition.0.name().to_owned());
        self.configured_boards(&config);
        self.replay_ports(&config).await;
        self.boards_with_games();
        self.parts.plan.send_replace(plan(&config));
    }

    /// Boards that were playing, or of which something is still to be acknowledged, are shown before
    /// they come back.
    fn boards_with_games(&mut self) {
        let mut wanted = self.parts.waiting.playing();
        wanted.extend(self.parts.alerts.borrow().iter().map(|alert| alert.board.clone()));
        for id in wanted {
            if !self.slots.contains_key(&id) {
                let label = self.parts.waiting.label(&id);
                let setup = self.setup(id, label, BoardOrientation::Auto, None);
                self.add(setup, None);
            }
        }
    }

    /// Works until the daemon ends, then until all boards' tasks have ended.
    pub async fn run(mut self) {
        let watchdog = systemd::watchdog();
        let mut beat = tokio::time::interval(watchdog.map_or(STATUS_EVERY, |every| every / 2));
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let stop = self.parts.stop.clone();
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                Some(found) = self.parts.found.recv() => self.found(found).await,
                Some(request) = self.parts.requests.recv() => self.request(request).await,
                Some(ended) = self.tasks.join_next_with_id() => match ended {
                    Ok((id, ())) => self.ended(id, None).await,
                    Err(e) => self.ended(e.id(), Some(e.to_string())).await,
                },
                _ = beat.tick() => self.beat(watchdog.is_some()).await,
            }
        }
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(e) = ended {
                error!(error = %e, "a board's task failed while ending");
            }
        }
    }

    fn configured_boards(&mut self, config: &Config) {
        for board in &config.boards {
            let Some(id) = board_id(board) else { continue };
            if let Some(slot) = self.slots.get_mut(&id) {
                slot.serial.clone_from(&board.serial);
                continue;
            }
            if !matches!(board.port, Some(PortSpec::Replay { .. })) {
                let setup = self.setup(id, board.label.clone(), board.orientation, None);
                self.add(setup, board.serial.clone());
            }
        }
    }

    async fn replay_ports(&mut self, config: &Config) {
        let named = config.boards.iter().map(|b| (b.port.clone(), Some(b.clone())));
        let listed = config.ports.list.iter().map(|spec| (Some(spec.clone()), None));
        for (spec, board) in named.chain(listed) {
            let Some(spec @ PortSpec::Replay { .. }) = spec else { continue };
            if !self.replays.insert(spec.clone()) {
                continue;
            }
            if let PortSpec::Replay { file, speed_milli } = &spec {
                self.replay(&spec, file.clone(), *speed_milli, board).await;
            }
        }
    }

    async fn replay(
        &mut self,
        spec: &PortSpec,
        file: PathBuf,
        speed_milli: u64,
        board: Option<config::Board>,
    ) {
        let opened = tokio::task::spawn_blocking({
            let file = file.clone();
            move || Player::open(&file)
        });
        let player = match opened.await {
            Ok(Ok(player)) => player,
            Ok(Err(e)) => {
                error!("{}", with_causes(&e));
                return;
            }
            Err(e) => {
                error!(error = %e, "capture {} cannot be opened", file.display());
                return;
            }
        };
        let named = board.as_ref().and_then(board_id);
        let own = player.board().and_then(safe_id);
        let stem = file.file_stem().and_then(|stem| safe_id(&stem.to_string_lossy()));
        let mut id = named.or(own).or(stem).unwrap_or_else(|| fallback_id(self.slots.len()));
        if self.slots.contains_key(&id) {
            id = fallback_id(self.slots.len());
        }
        let label = board.as_ref().map(|b| b.label.clone()).unwrap_or_default();
        let orientation = board.map_or(BoardOrientation::Auto, |b| b.orientation);
        let setup = self.setup(id.clone(), label, orientation, Some(speed_milli));
        self.add(setup, None);
        let attachment = Attachment {
            name: spec.to_string(),
            feed: Feed::Replay(Box::new(player)),
            lease: None,
        };
        self.tell(&id, Control::Attach(attachment)).await;
    }

    fn setup(
        &self,
        id: BoardId,
        label: String,
        orientation: BoardOrientation,
        replay: Option<u64>,
    ) -> Setup {
        let options = options(&self.parts.config, orientation, replay.is_some());
        let clock = match replay {
            Some(speed_milli) => BoardClock::scaled(speed_milli),
            None => self.parts.waiting.clock(&id),
        };
        Setup {
            id,
            label,
            options,
            clock,
            hub: self.parts.hub.clone(),
            dirty: Arc::clone(&self.parts.dirty),
            searches: Arc::clone(&self.searches),
            captures: self.parts.captures.clone(),
            stop: self.parts.stop.clone(),
        }
    }

    /// Starts a board's task and shows the board to everybody.
    fn add(&mut self, setup: Setup, serial: Option<String>) {
        let id = setup.id.clone();
        let taken = self.parts.waiting.take(&id).filter(|_| !setup.options.link.passive);
        self.add_taken(setup, serial, taken);
    }

    fn add_taken(&mut self, setup: Setup, serial: Option<String>, taken: Option<Taken>) {
        let id = setup.id.clone();
        let (mut board, handle, control) = Board::new(setup.clone());
        if let Some(taken) = taken {
            board = board.resuming(taken);
        }
        let task = self.tasks.spawn(board.run()).id();
        let slot = Slot { handle, control, task, setup, serial };
        self.slots.insert(id, slot);
        let boards: BTreeMap<BoardId, BoardHandle> =
            self.slots.iter().map(|(id, slot)| (id.clone(), slot.handle.clone())).collect();
        self.parts.boards.send_replace(Arc::new(boards));
        self.parts.dirty.notify_one();
    }

    async fn tell(&self, id: &BoardId, control: Control) {
        if let Some(slot) = self.slots.get(id)
            && slot.control.send(control).await.is_err()
        {
            warn!(board = id.as_str(), "the board's task has ended");
        }
    }

    async fn found(&mut self, found: Found) {
        match found {
            Found::Fault { path, why } => {
                let config = &self.parts.config;
                let owner = config.boards.iter().find(|b| is_port(b, &path)).and_then(board_id);
                if let Some(id) = owner {
                    self.tell(&id, Control::Fault(why)).await;
                } else {
                    warn!("{why}");
                }
            }
            Found::Port { path, line, serial, lease } => self.port(path, line, serial, lease).await,
        }
    }

    /// Gives a port to its board, which is known by the configuration or by its serial number.
    async fn port(
        &mut self,
        path: PathBuf,
        line: Box<dyn Line>,
        serial: Option<String>,
        lease: Lease,
    ) {
        let config = &self.parts.config;
        let name = path.display().to_string();
        let by_port = config.boards.iter().find(|b| is_port(b, &path));
        let by_serial = serial.as_ref().and_then(|serial| {
            config.boards.iter().find(|b| b.port.is_none() && b.serial.as_ref() == Some(serial))
        });
        if let Some(board) = by_port
            && let (Some(wanted), Some(got)) = (&board.serial, &serial)
            && wanted != got
            && let Some(id) = board_id(board)
        {
            let why = format!(
                "port {name} has the board with serial {got}, the configuration says {wanted}: plug \
                 the right board in, or correct `serial` or `port` of this board"
            );
            self.tell(&id, Control::Fault(why)).await;
            return;
        }
        let known = || {
            let serial = serial.as_ref()?;
            let slots = self.slots.iter();
            slots.clone().find(|(_, s)| s.serial.as_ref() == Some(serial)).map(|(id, _)| id.clone())
        };
        let id = by_port
            .or(by_serial)
            .and_then(board_id)
            .or_else(known)
            .or_else(|| serial.as_deref().and_then(safe_id))
            .or_else(|| path.file_name().and_then(|n| safe_id(&n.to_string_lossy())))
            .unwrap_or_else(|| fallback_id(self.slots.len()));
        let own_port = by_port.is_some();
        if !self.slots.contains_key(&id) {
            let setup = self.setup(id.clone(), String::new(), BoardOrientation::Auto, None);
            self.add(setup, serial.clone());
        }
        if !own_port && self.is_in_use(&id, &name) {
            // The port is given back, and offered again a moment later.
            if self.doubles.insert(path) {
                warn!(
                    board = id.as_str(),
                    port = name,
                    "this port has a board with the same serial number as one that is in use: it is \
                     left alone as long as that one answers. To use both, give each a [[board]] with \
                     `name` and `port`"
                );
            }
            return;
        }
        self.doubles.remove(&path);
        if let Some(slot) = self.slots.get_mut(&id)
            && serial.is_some()
        {
            slot.serial = serial;
        }
        let attachment = Attachment { name, feed: Feed::Line(line), lease: Some(lease) };
        self.tell(&id, Control::Attach(attachment)).await;
    }

    /// Whether a board answers on another port: then what says that it is the same board is another
    /// one, and its squares must not get into that board's game.
    fn is_in_use(&self, id: &BoardId, port: &str) -> bool {
        self.slots.get(id).is_some_and(|slot| {
            let view = slot.handle.view.borrow();
            view.status.line == LineState::Ready && view.port != port
        })
    }

    async fn request(&mut self, request: DaemonRequest) {
        match request {
            DaemonRequest::Reload(reply) => {
                let warnings = self.reload().await;
                // The asker may have gone.
                let _ = reply.send(warnings);
            }
            DaemonRequest::SetEdition { edition, reply } => {
                let answer = match config::Edition::try_from(edition.clone()) {
                    Ok(edition) => {
                        self.parts.config.laws.edition = edition;
                        self.spread_laws().await;
                        Ok(())
                    }
                    Err(_) => Err(Refusal::UnknownEdition(edition)),
                };
                // The asker may have gone.
                let _ = reply.send(answer);
            }
        }
    }

    /// Tells everybody under which Laws games start from now on.
    async fn spread_laws(&mut self) {
        let conditions = self.parts.config.laws.conditions();
        let name = self.parts.config.laws.edition.0.name();
        self.parts.edition.send_replace(name.to_owned());
        for slot in self.slots.values_mut() {
            slot.setup.options.conditions = conditions;
        }
        for id in self.slots.keys() {
            self.tell(id, Control::Conditions(conditions)).await;
        }
        info!(edition = name, "laws for games that start from now on");
    }

    /// Reads the configuration again; answers with what could not be taken up.
    async fn reload(&mut self) -> Vec<String> {
        let new = match (self.parts.reload)() {
            Ok(new) => new,
            Err(e) => {
                error!("the configuration was not reloaded: {e}");
                return vec![format!("nothing was changed: {e}")];
            }
        };
        let old = std::mem::replace(&mut self.parts.config, new.clone());
        let restart = old.needs_restart(&new);
        let warnings: Vec<String> =
            restart.iter().map(|key| format!("{key}: takes effect after a restart")).collect();
        for warning in &warnings {
            warn!("configuration: {warning}");
        }
        if old.laws != new.laws {
            self.spread_laws().await;
        }
        if let Some(log) = &self.parts.log {
            systemd::change_log(log, new.log.level);
        }
        if old.buzzer != new.buzzer {
            let options = BuzzerInput::Options(Box::new(new.buzzer.clone()));
            if self.parts.hub.send(HubInput::Buzzer(options)).await.is_err() {
                warn!("the hub has ended");
            }
        }
        self.configured_boards(&new);
        for board in &new.boards {
            if let Some(id) = board_id(board) {
                self.tell(&id, Control::Label(board.label.clone())).await;
            }
        }
        self.replay_ports(&new).await;
        let next = plan(&new);
        self.parts.plan.send_if_modified(|plan| {
            let changed = *plan != next;
            *plan = next;
            changed
        });
        info!("configuration reloaded");
        warnings
    }

    /// A board's task ended although the daemon goes on: start it again.
    async fn ended(&mut self, task: Id, failure: Option<String>) {
        if self.parts.stop.is_cancelled() {
            return;
        }
        let Some((id, slot)) = self.slots.iter().find(|(_, slot)| slot.task == task) else {
            return;
        };
        let (id, setup, serial) = (id.clone(), slot.setup.clone(), slot.serial.clone());
        let view = Arc::clone(&slot.handle.view.borrow());
        let failure = failure.unwrap_or_else(|| "it ended".into());
        error!(board = id.as_str(), "the board's task failed and is started again: {failure}");
        let mut setup = setup;
        let taken = self.taken_from_journal(&mut setup).await;
        let text = if taken.as_ref().is_some_and(|taken| taken.game.is_some()) {
            "this program failed on this board and was started again with the game of its journal: \
             compare it with the board"
        } else {
            "this program failed on this board and was started again without its game: set the \
             position again"
        };
        let t = setup.clock.now();
        self.add_taken(setup, serial, taken);
        let kind = EventKind::Attention {
            kind: AttentionKind::Internal,
            squares: Vec::new(),
            text: text.into(),
        };
        let event = Event { board: id, t, game: None, kind };
        let input = HubInput::Event {
            event: Box::new(event),
            game_id: view.game_id.clone(),
            view,
            time_micros: wall_micros(),
        };
        if self.parts.hub.send(input).await.is_err() {
            warn!("the hub has ended");
        }
    }

    /// A board's game as its journal has it, when all that its task told is written.
    async fn taken_from_journal(&self, setup: &mut Setup) -> Option<Taken> {
        let directory = self.parts.journal.clone().filter(|_| !setup.options.link.passive)?;
        let (written, done) = oneshot::channel();
        self.parts.hub.send(HubInput::Flush(written)).await.ok()?;
        done.await.ok()?;
        let id = setup.id.clone();
        let read = tokio::task::spawn_blocking(move || recovery::read_one(&directory, &id));
        let memory = read.await.ok().flatten()?;
        let (clock, taken) = recovery::take_up(&setup.id, &memory, &setup.options, wall_micros());
        setup.clock = clock;
        Some(taken)
    }

    /// Tells the service manager how things are, and that all tasks turn, if they do.
    async fn beat(&mut self, watched: bool) {
        let connected = self
            .slots
            .values()
            .filter(|slot| slot.handle.view.borrow().status.line == LineState::Ready)
            .count();
        let status = format!(
            "{} boards, {connected} connected, {} alerts",
            self.slots.len(),
            self.parts.alerts.borrow().len()
        );
        systemd::notify(&[NotifyState::Status(&status)]);
        if watched && self.all_turn().await {
            systemd::notify(&[NotifyState::Watchdog]);
        }
    }

    async fn all_turn(&self) -> bool {
        let mut waiting = Vec::new();
        for (id, slot) in &self.slots {
            let (alive, answer) = oneshot::channel();
            // A full queue means that it does not turn either; it is found by the missing answer.
            let sent = slot.control.try_send(Control::Ping(alive));
            waiting.push((id.as_str(), sent.is_ok().then_some(answer)));
        }
        let (alive, answer) = oneshot::channel();
        let sent = tokio::time::timeout(ALIVE, self.parts.hub.send(HubInput::Flush(alive))).await;
        waiting.push(("hub", matches!(sent, Ok(Ok(()))).then_some(answer)));
        let patience = tokio::time::sleep(ALIVE);
        tokio::pin!(patience);
        for (who, answer) in waiting {
            let answered = match answer {
                Some(answer) => tokio::select! {
                    answer = answer => answer.is_ok(),
                    () = &mut patience => false,
                },
                None => false,
            };
            if !answered {
                error!(
                    who,
                    "does not turn any more; the service manager is not told that all is well"
                );
                return false;
            }
        }
        true
    }
}

/// How a board is watched.
pub(super) fn options(config: &Config, orientation: BoardOrientation, replay: bool) -> Options {
    let mut options = Options {
        conditions: config.laws.conditions(),
        language: config.laws.language.choose(),
        orientation: match orientation {
            BoardOrientation::Auto | BoardOrientation::Normal => Orientation::Normal,
            BoardOrientation::Rotated => Orientation::Rotated,
        },
        // A capture holds what it holds: nothing is sent, silence is not noticed.
        link: LinkOptions { passive: replay, ..LinkOptions::default() },
        ..Options::default()
    };
    if config.tracker.settle_ms.get() > 0 {
        options.timing.still = Duration::from_millis(config.tracker.settle_ms.get());
    }
    options
}

/// What the scanner is to look for.
fn plan(config: &Config) -> PortPlan {
    let named = config.boards.iter().filter_map(|b| b.port.clone());
    let (mut listed, mut buses) = (Vec::new(), BTreeSet::new());
    for spec in named.chain(config.ports.list.iter().cloned()) {
        match spec {
            PortSpec::Device(path) => listed.push(path),
            PortSpec::Bus(path) => {
                buses.insert(path.clone());
                listed.push(path);
            }
            PortSpec::Replay { .. } => {}
        }
    }
    let known = config.boards.iter().filter(|b| b.name.is_some() && b.serial.is_none());
    PortPlan {
        auto: config.ports.auto,
        listed,
        buses,
        known: known
            .filter_map(|b| match &b.port {
                Some(PortSpec::Device(path)) => Some(path.clone()),
                _ => None,
            })
            .collect(),
    }
}

/// The name of a configured board: its own, its serial number, or that of its port.
pub(super) fn board_id(board: &config::Board) -> Option<BoardId> {
    if let Some(name) = &board.name {
        return Some(name.0.clone());
    }
    if let Some(serial) = &board.serial {
        return safe_id(serial);
    }
    match &board.port {
        Some(PortSpec::Device(path) | PortSpec::Bus(path)) => {
            safe_id(&path.file_name()?.to_string_lossy())
        }
        Some(PortSpec::Replay { file, .. }) => safe_id(&file.file_stem()?.to_string_lossy()),
        None => None,
    }
}

fn is_port(board: &config::Board, path: &std::path::Path) -> bool {
    matches!(&board.port, Some(PortSpec::Device(own)) if own == path)
}

/// A text as a board's name: what cannot stand in one becomes `_`.
fn safe_id(text: &str) -> Option<BoardId> {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    text.trim().chars().take(32).map(plain).collect::<String>().parse().ok()
}

/// A name nobody else has.
fn fallback_id(count: usize) -> BoardId {
    let text = format!("board{}", count + 1);
    match text.parse() {
        Ok(id) => id,
        // Letters and digits always are a name.
        Err(_) => unreachable!("{text} is a board's name"),
    }
}

/// An error and its causes on one line. Some libraries name the cause in their own text: it is not
/// said a second time.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        let said = source.to_string();
        if !text.ends_with(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        cause = source.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arbiter::{Reply, Request, request::NewGame},
        signals::{
            BoardAsk, BoardRequest, Caller, Denied,
            hub::{Hub, Parts as HubParts},
            journal::Journal,
        },
    };

    async fn ask(board: &BoardHandle, what: Request) -> Result<Reply, Refusal> {
        let (reply, answer) = oneshot::channel();
        let request =
            BoardRequest { what: BoardAsk::Core(what), name: "test", by: Caller::default(), reply };
        board.requests.send(request).await.unwrap();
        answer.await.unwrap().map_err(|denied| match denied {
            Denied::Refused(refusal) => refusal,
            other => panic!("{other:?}"),
        })
    }

    #[tokio::test]
    async fn a_task_that_fails_goes_on_with_the_game_of_its_journal() {
        let dir = tempfile::tempdir().unwrap();
        let directory = dir.path().join("journal");
        let (journal, _) = Journal::open(&directory).unwrap();
        let (hub, inputs) = mpsc::channel(64);
        let (bus, _records) = mpsc::channel(64);
        let (buzzer, _sounds) = mpsc::channel(1);
        let (alerts_tx, alerts) = watch::channel(Arc::default());
        let parts = HubParts {
            language: crate::laws::text::Language::default(),
            journal: Some((journal, directory.clone())),
            meta: Arc::default(),
            in_memory: 100,
            pgn: None,
            bus,
            buzzer,
            alerts: alerts_tx,
        };
        tokio::spawn(Hub::new(parts).run(inputs));
        let (_found, found) = mpsc::channel(1);
        let (_requests, requests) = mpsc::channel(1);
        let mut supervisor = Supervisor::new(Parts {
            config: Config::default(),
            reload: Box::new(|| Ok(Config::default())),
            boards: watch::channel(Boards::default()).0,
            edition: watch::channel(String::new()).0,
            plan: watch::channel(PortPlan::default()).0,
            found,
            requests,
            hub,
            alerts,
            dirty: Arc::default(),
            log: None,
            waiting: Waiting::default(),
            journal: Some(directory),
            captures: dir.path().join("captures"),
            stop: CancellationToken::new(),
        });
        let id: BoardId = "b1".parse().unwrap();
        let setup = supervisor.setup(id.clone(), String::new(), BoardOrientation::Auto, None);
        supervisor.add(setup, None);
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 12 30";
        let new = NewGame {
            fen: Some(fen.into()),
            edition: Some("fide-2014".into()),
            tags: [("White".to_owned(), "Ana".to_owned())].into(),
            ..NewGame::default()
        };
        let handle = supervisor.slots[&id].handle.clone();
        assert_eq!(ask(&handle, Request::NewGame(new)).await, Ok(Reply::Game(1)));
        let before = Arc::clone(&handle.view.borrow());
        supervisor.tell(&id, Control::Die).await;
        let failed = supervisor.tasks.join_next_with_id().await.unwrap().unwrap_err();
        supervisor.ended(failed.id(), Some(failed.to_string())).await;
        let handle = supervisor.slots[&id].handle.clone();
        let after = Arc::clone(&handle.view.borrow());
        assert_eq!(after.game_id, before.game_id);
        let (was, is) = (before.status.game.clone().unwrap(), after.status.game.clone().unwrap());
        assert_eq!((is.number, &is.start_fen, &is.tags), (1, &was.start_fen, &was.tags));
        assert_eq!((is.edition.as_str(), is.halfmove_clock), ("fide-2014", 12));
        // It turns.
        assert_eq!(ask(&handle, Request::Close).await, Ok(Reply::Done));
    }

    #[derive(Debug, thiserror::Error)]
    #[error("no bus: {source}")]
    struct Telling {
        source: std::io::Error,
    }

    #[derive(Debug, thiserror::Error)]
    #[error("cannot ask")]
    struct Silent(#[from] Telling);

    #[test]
    fn a_cause_is_said_once() {
        let telling = Telling { source: std::io::Error::other("not there") };
        assert_eq!(with_causes(&telling), "no bus: not there");
        assert_eq!(with_causes(&Silent(telling)), "cannot ask: no bus: not there");
    }
}
