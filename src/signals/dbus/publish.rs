//! Keeps the objects on the bus equal to what the tasks show.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use tokio::sync::{mpsc, watch};
use zbus::{
    Connection, ObjectPath, OwnedVariant, Variant,
    fdo::Properties,
    names::InterfaceName,
    object_server::{Interface, SignalEmitter},
};

use super::{
    ROOT, Shared, alert_path, alert1::Alert1, arbiter_only1::ArbiterOnly1, board_path,
    board1::Board1, clock1::Clock1, daemon1::Daemon1, game1::Game1, journal1::Journal1,
    values::details,
};
use crate::{
    arbiter::{EventKind, event::AttentionKind},
    signals::{
        BoardHandle, BoardView,
        alerts::Alert,
        hub::{Record, What},
        words,
    },
    units::BoardId,
};

/// How long changes of properties are gathered before they are told.
const GATHER: Duration = Duration::from_millis(50);

/// Properties that change without a signal, or never.
const SILENT: [&str; 12] = [
    "LastHeard",
    "WhiteMs",
    "BlackMs",
    "MeasuredAt",
    "OldestSequence",
    "LastSequence",
    "Id",
    "Version",
    "Hostname",
    "StartedAt",
    "LawsEditions",
    "JournalId",
];

type Shown = BTreeMap<String, OwnedVariant>;

/// A board as it was last shown.
#[derive(Debug)]
struct PublishedBoard {
    handle: BoardHandle,
    seen: watch::Receiver<Arc<BoardView>>,
    /// What is shown.
    view: Option<Arc<BoardView>>,
    game: Option<String>,
    clock: bool,
    board1: Shown,
    clock1: Shown,
    game1: Shown,
    arbiter_only1: Shown,
}

/// The two connections and what is on them.
#[derive(Debug)]
pub struct Publisher {
    public: Connection,
    private: Connection,
    shared: Arc<Shared>,
    boards: BTreeMap<BoardId, PublishedBoard>,
    alerts: BTreeMap<u64, Arc<Alert>>,
    seen_alerts: watch::Receiver<Arc<Vec<Arc<Alert>>>>,
    daemon1: Shown,
}

impl Publisher {
    /// Nothing is shown yet.
    pub fn new(public: Connection, private: Connection, shared: Arc<Shared>) -> Publisher {
        let mut seen_alerts = shared.alerts.clone();
        seen_alerts.mark_changed();
        Publisher {
            seen_alerts,
            public,
            private,
            shared,
            boards: BTreeMap::new(),
            alerts: BTreeMap::new(),
            daemon1: Shown::new(),
        }
    }

    /// Shows everything as it is now.
    pub async fn sync_all(&mut self) -> zbus::Result<()> {
        self.sync_boards().await?;
        let changed: Vec<BoardId> = self
            .boards
            .iter()
            .filter(|(_, board)| board.seen.has_changed().unwrap_or(false))
            .map(|(id, _)| id.clone())
            .collect();
        for id in changed {
            self.sync_board(&id).await?;
        }
        self.sync_alerts().await?;
        self.sync_daemon().await
    }

    async fn sync_daemon(&mut self) -> zbus::Result<()> {
        let shown = Daemon1::new(Arc::clone(&self.shared));
        show(&self.public, ROOT, &shown, &mut self.daemon1).await
    }

    /// Shows what changes and tells what happens, until a connection breaks; says why it did,
    /// nothing when the daemon ends.
    pub async fn run(mut self, records: &mut mpsc::Receiver<Arc<Record>>) -> Option<String> {
        let mut alerts = self.shared.alerts.clone();
        let mut boards = self.shared.boards.clone();
        let mut buzzer = self.shared.buzzer.clone();
        let mut edition = self.shared.edition.clone();
        let dirty = Arc::clone(&self.shared.dirty);
        let (public, private) = (self.public.clone(), self.private.clone());
        let mut gathering = false;
        let gathered = tokio::time::sleep(Duration::ZERO);
        tokio::pin!(gathered);
        loop {
            let done = tokio::select! {
                record = records.recv() => match record {
                    Some(record) => self.tell(&record).await,
                    None => return None,
                },
                Ok(()) = alerts.changed() => self.sync_alerts().await,
                Ok(()) = boards.changed() => self.sync_boards().await,
                Ok(()) = buzzer.changed() => self.sync_all().await,
                Ok(()) = edition.changed() => self.sync_all().await,
                () = dirty.notified(), if !gathering => {
                    gathering = true;
                    gathered.set(tokio::time::sleep(GATHER));
                    Ok(())
                }
                () = &mut gathered, if gathering => {
                    gathering = false;
                    self.sync_all().await
                }
                () = public.closed() => return Some("the connection closed".into()),
                () = private.closed() => return Some("the arbiter's connection closed".into()),
            };
            if let Err(e) = done {
                if public.is_closed() || private.is_closed() {
                    return Some(e.to_string());
                }
                tracing::error!(error = %e, "bus: a change could not be told");
            }
        }
    }

    async fn sync_boards(&mut self) -> zbus::Result<()> {
        let boards = Arc::clone(&self.shared.boards.borrow());
        for (id, handle) in boards.iter() {
            let known = self.boards.get(id);
            if known.is_some_and(|b| b.handle.requests.same_channel(&handle.requests)) {
                continue;
            }
            let path = board_path(id);
            if known.is_some() {
                self.public.object_server().remove::<Board1, _>(path.as_str()).await?;
                self.public.object_server().remove::<Game1, _>(path.as_str()).await?;
                self.public.object_server().remove::<Clock1, _>(path.as_str()).await?;
                self.private.object_server().remove::<ArbiterOnly1, _>(path.as_str()).await?;
            }
            let object = Board1::new(Arc::clone(&self.shared), handle.clone());
            self.public.object_server().at(path.as_str(), object).await?;
            let arbiter_only1 = ArbiterOnly1::new(Arc::clone(&self.shared), handle.clone());
            self.private.object_server().at(path.as_str(), arbiter_only1).await?;
            let mut seen = handle.view.clone();
            seen.mark_changed();
            let published = PublishedBoard {
                handle: handle.clone(),
                seen,
                view: None,
                game: None,
                clock: false,
                board1: Shown::new(),
                clock1: Shown::new(),
                game1: Shown::new(),
                arbiter_only1: Shown::new(),
            };
            self.boards.insert(id.clone(), published);
            self.sync_board(id).await?;
        }
        Ok(())
    }

    /// Shows a board as it is now: adds and removes its game and clock, tells changed properties.
    async fn sync_board(&mut self, id: &BoardId) -> zbus::Result<()> {
        let Some(board) = self.boards.get_mut(id) else { return Ok(()) };
        let view = Arc::clone(&board.seen.borrow_and_update());
        let path = board_path(id);
        let path = path.as_str();
        let server = self.public.object_server();
        // Most changes are of squares: what did not change need not be looked at.
        let before = board.view.replace(Arc::clone(&view));
        let before = before.as_ref();
        let same_game = before
            .is_some_and(|old| old.status.game == view.status.game && old.game_id == view.game_id);
        let same_clock = before.is_some_and(|old| old.status.clock == view.status.clock);
        let game = view.status.game.as_ref().map(|_| view.game_id.clone());
        if board.game != game {
            if board.game.take().is_some() {
                server.remove::<Game1, _>(path).await?;
            }
            board.game1.clear();
            if let Some(game_id) = &game {
                let shown =
                    Game1::new(Arc::clone(&self.shared), board.handle.clone(), game_id.clone());
                server.at(path, shown).await?;
            }
            board.game = game;
        }
        if board.clock != view.status.clock.is_some() {
            board.clock = view.status.clock.is_some();
            board.clock1.clear();
            if board.clock {
                server.at(path, Clock1::new(board.handle.view.clone())).await?;
            } else {
                server.remove::<Clock1, _>(path).await?;
            }
        }
        let shared = &self.shared;
        let shown = Board1::new(Arc::clone(shared), board.handle.clone());
        show(&self.public, path, &shown, &mut board.board1).await?;
        if let Some(game_id) = board.game.as_ref().filter(|_| !same_game) {
            let shown = Game1::new(Arc::clone(shared), board.handle.clone(), game_id.clone());
            show(&self.public, path, &shown, &mut board.game1).await?;
        }
        if board.clock && !same_clock {
            let shown = Clock1::new(board.handle.view.clone());
            show(&self.public, path, &shown, &mut board.clock1).await?;
        }
        if same_game {
            return Ok(());
        }
        let shown = ArbiterOnly1::new(Arc::clone(shared), board.handle.clone());
        show(&self.private, path, &shown, &mut board.arbiter_only1).await
    }

    /// Shows the open alerts, if others are open than before.
    async fn sync_alerts(&mut self) -> zbus::Result<()> {
        if !self.seen_alerts.has_changed().unwrap_or(false) {
            return Ok(());
        }
        let alerts = Arc::clone(&self.seen_alerts.borrow_and_update());
        let mut touched = Vec::new();
        let gone: Vec<u64> = self
            .alerts
            .keys()
            .filter(|id| alerts.binary_search_by_key(*id, |alert| alert.id).is_err())
            .copied()
            .collect();
        for id in gone {
            if let Some(alert) = self.alerts.remove(&id) {
                let path = alert_path(id);
                self.connection_for(&alert).object_server().remove::<Alert1, _>(path).await?;
                touched.push(alert.board.clone());
            }
        }
        for alert in alerts.iter() {
            if self.alerts.contains_key(&alert.id) {
                continue;
            }
            let shown = Alert1::new(Arc::clone(&self.shared), Arc::clone(alert));
            let path = alert_path(alert.id);
            self.connection_for(alert).object_server().at(path, shown).await?;
            self.alerts.insert(alert.id, Arc::clone(alert));
            touched.push(alert.board.clone());
        }
        touched.sort();
        touched.dedup();
        for board in touched {
            self.sync_board(&board).await?;
        }
        self.sync_daemon().await
    }

    /// Only what everyone may know stands on the public connection.
    fn connection_for(&self, alert: &Alert) -> &Connection {
        if alert.audience.is_public() { &self.public } else { &self.private }
    }

    /// Sends the signals of a record, after the objects show what it says.
    async fn tell(&mut self, record: &Record) -> zbus::Result<()> {
        if !self.boards.contains_key(&record.board) {
            self.sync_boards().await?;
        }
        if self.boards.get(&record.board).is_some_and(|b| b.seen.has_changed().unwrap_or(false)) {
            self.sync_board(&record.board).await?;
        }
        self.sync_alerts().await?;
        let path = board_path(&record.board);
        if record.audience().is_public() {
            tell_event(&self.public, record, &path).await?;
        }
        tell_event(&self.private, record, &path).await?;
        let What::Event(event) = &record.what else { return Ok(()) };
        let public = SignalEmitter::new(&self.public, path.as_str())?;
        let private = SignalEmitter::new(&self.private, path.as_str())?;
        match event {
            EventKind::Move { ply, san, uci, fen, .. } => {
                Game1::move_played(&public, record.seq, ply.0, san, uci, fen).await
            }
            EventKind::Takeback { to_ply, .. } => {
                Game1::moves_revised(&public, record.seq, to_ply.next().0, &[]).await
            }
            EventKind::GameOver { result, reason, article, .. } => {
                let ending = words::end_keyword(*reason);
                Game1::over(&public, record.seq, ending, article, result).await
            }
            EventKind::GameOverWithdrawn { ply } => {
                Game1::over_withdrawn(&public, record.seq, ply.0).await
            }
            secret => self.tell_arbiter(&private, record, secret).await,
        }
    }

    /// Signals for the arbiter's connection only.
    async fn tell_arbiter(
        &self,
        private: &SignalEmitter<'_>,
        record: &Record,
        event: &EventKind,
    ) -> zbus::Result<()> {
        let seq = record.seq;
        match event {
            EventKind::ClaimAvailable { reason, claimant, article, moves, .. } => {
                let (kind, side) = (words::claim_keyword(*reason), words::side_keyword(*claimant));
                ArbiterOnly1::claim_available(private, seq, kind, article, side, moves).await
            }
            EventKind::Flag { side, opponent_can_mate, result, article, .. } => {
                let mate = words::known_keyword(*opponent_can_mate);
                let side = words::side_keyword(*side);
                ArbiterOnly1::flag_fallen(private, seq, side, mate, result, article).await
            }
            EventKind::IllegalMoveDecided { number, by, accepted, .. } => {
                let side = words::side_keyword(*by);
                ArbiterOnly1::illegal_move_decided(private, seq, *number, side, *accepted).await
            }
            EventKind::IllegalMoveWithdrawn { number, by, .. } => {
                let side = words::side_keyword(*by);
                ArbiterOnly1::illegal_move_withdrawn(private, seq, *number, side).await
            }
            EventKind::PossibleEnd { reason, article, depends_on, .. } => {
                let (ending, on) =
                    (words::end_keyword(*reason), words::depends_keyword(*depends_on));
                ArbiterOnly1::possible_end(private, seq, ending, article, on).await
            }
            EventKind::IllegalMove { by, article, why, squares, .. } => {
                let side = words::side_keyword(*by);
                ArbiterOnly1::illegal_move(private, seq, side, article, why, squares).await
            }
            EventKind::Attention { kind: AttentionKind::Mismatch, .. } => {
                let view = self.boards.get(&record.board).map(|b| Arc::clone(&b.seen.borrow()));
                let Some(view) = view else { return Ok(()) };
                let expected = view.status.game.as_ref().map(|game| game.fen.clone());
                let expected = expected.unwrap_or_default();
                let expected = expected.split(' ').next().unwrap_or_default();
                ArbiterOnly1::position_disagrees(private, seq, &view.status.placement, expected)
                    .await
            }
            _ => Ok(()),
        }
    }
}

async fn tell_event(connection: &Connection, record: &Record, path: &str) -> zbus::Result<()> {
    let emitter = SignalEmitter::new(connection, ROOT)?;
    let kind = record.json.get("event").and_then(serde_json::Value::as_str).unwrap_or_default();
    Journal1::event(
        &emitter,
        record.seq,
        record.time_micros,
        ObjectPath::try_from(path)?,
        &record.game_id,
        kind,
        &record.text,
        details(&record.json),
    )
    .await
}

/// Tells the properties of an interface that differ from those last shown, in one message.
async fn show<I: Interface>(
    connection: &Connection,
    path: &str,
    interface: &I,
    shown: &mut Shown,
) -> zbus::Result<()> {
    let emitter = SignalEmitter::new(connection, path)?;
    let server = connection.object_server();
    let all = interface.get_all(server, connection, None, &emitter).await?;
    let first = shown.is_empty();
    let mut changed = Vec::new();
    for (name, value) in all {
        if SILENT.contains(&name.as_str()) || shown.get(&name) == Some(&value) {
            continue;
        }
        changed.push((name.clone(), value.try_clone()?));
        shown.insert(name, value);
    }
    // The first time the values came with InterfacesAdded.
    if first || changed.is_empty() {
        return Ok(());
    }
    let (names, values): (Vec<String>, Vec<OwnedVariant>) = changed.into_iter().unzip();
    let changed = names.iter().map(String::as_str).zip(values.into_iter().map(Variant::from));
    let name: InterfaceName<'_> = I::name();
    Properties::properties_changed(&emitter, name, changed.collect(), (&[][..]).into()).await
}
