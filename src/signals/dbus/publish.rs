//! Keeps the objects on the bus equal to what the tasks show.
//!
//! Facts leave at once, in the order of their numbers. Changes of properties are gathered for a
//! tenth of a second, so that a hall of boards costs a few writes and not a few hundred; whoever
//! reads a property meanwhile reads what it is now. Where a fact changes what there is on the bus,
//! or calls for the arbiter, the properties of its board are told before it.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use tokio::sync::{mpsc, watch};
use zbus::{
    Connection, Message, ObjectPath, OwnedVariant,
    object_server::{Interface, SignalEmitter},
};

use super::{
    ROOT, Shared, alert_path,
    alert1::Alert1,
    arbiter_only1::ArbiterOnly1,
    board_path,
    board1::Board1,
    changes::{ARBITER_ONLY1, BOARD1, CLOCK1, GAME1, differing},
    clock1::Clock1,
    daemon1::Daemon1,
    game1::Game1,
    journal1::Journal1,
    values::fields,
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
const GATHER: Duration = Duration::from_millis(100);

/// The most records told before the bus is written to.
const AT_ONCE: usize = 64;

/// Properties of the daemon that never change.
const SILENT: [&str; 4] = ["Version", "Hostname", "StartedAt", "LawsEditions"];

/// A board as it was last shown.
#[derive(Debug)]
struct PublishedBoard {
    handle: BoardHandle,
    path: String,
    seen: watch::Receiver<Arc<BoardView>>,
    /// What is shown.
    view: Arc<BoardView>,
    game: Option<String>,
    clock: bool,
    /// Its alerts are others than those last told.
    alerts: bool,
}

impl PublishedBoard {
    /// Whether the newest view has other objects than the bus.
    fn other_objects(&self) -> bool {
        let view = self.handle.view.borrow();
        let game = view.status.game.as_ref().map(|_| view.game_id.as_str());
        self.game.as_deref() != game || self.clock != view.status.clock.is_some()
    }
}

/// The two connections and what is on them.
#[derive(Debug)]
pub struct Publisher {
    public: Outbox,
    private: Outbox,
    shared: Arc<Shared>,
    boards: BTreeMap<BoardId, PublishedBoard>,
    alerts: BTreeMap<u64, Arc<Alert>>,
    seen_alerts: watch::Receiver<Arc<Vec<Arc<Alert>>>>,
    daemon1: BTreeMap<String, OwnedVariant>,
    /// Something the daemon's own properties tell of has changed.
    daemon_differs: bool,
}

/// A connection and the signals that wait for the next write.
#[derive(Debug)]
struct Outbox {
    connection: Connection,
    waiting: Vec<Message>,
}

impl Outbox {
    fn new(connection: Connection) -> Outbox {
        Outbox { connection, waiting: Vec::new() }
    }

    async fn flush(&mut self) -> zbus::Result<()> {
        let sent = self.connection.send_all(&self.waiting).await;
        // What a broken connection did not take is read back by number.
        self.waiting.clear();
        sent
    }

    /// Tells properties of an interface, in one message.
    async fn properties<I: Interface>(
        &mut self,
        path: &str,
        interface: &I,
        names: Vec<&'static str>,
    ) -> zbus::Result<()> {
        if names.is_empty() {
            return Ok(());
        }
        let emitter = SignalEmitter::new(&self.connection, path)?;
        let server = self.connection.object_server();
        let mut changed = BTreeMap::new();
        for name in names {
            let value = interface.get(name, server, &self.connection, None, &emitter).await;
            // What cannot be read now is not told now.
            if let Some(Ok(value)) = value {
                changed.insert(name, value);
            }
        }
        self.waiting.push(changed_message::<I>(path, &changed)?);
        Ok(())
    }
}

impl Publisher {
    /// Nothing is shown yet.
    pub fn new(public: Connection, private: Connection, shared: Arc<Shared>) -> Publisher {
        let mut seen_alerts = shared.alerts.clone();
        seen_alerts.mark_changed();
        Publisher {
            seen_alerts,
            public: Outbox::new(public),
            private: Outbox::new(private),
            shared,
            boards: BTreeMap::new(),
            alerts: BTreeMap::new(),
            daemon1: BTreeMap::new(),
            daemon_differs: true,
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
        self.sync_daemon().await?;
        self.flush().await
    }

    async fn flush(&mut self) -> zbus::Result<()> {
        self.public.flush().await?;
        self.private.flush().await
    }

    async fn sync_daemon(&mut self) -> zbus::Result<()> {
        if !std::mem::take(&mut self.daemon_differs) {
            return Ok(());
        }
        let daemon = Daemon1::new(Arc::clone(&self.shared));
        let connection = &self.public.connection;
        let emitter = SignalEmitter::new(connection, ROOT)?;
        let server = connection.object_server();
        let all = daemon.get_all(server, connection, None, &emitter).await?;
        let first = self.daemon1.is_empty();
        let mut changed = BTreeMap::new();
        for (name, value) in all {
            if SILENT.contains(&name.as_str()) || self.daemon1.get(&name) == Some(&value) {
                continue;
            }
            changed.insert(name.clone(), value.try_clone()?);
            self.daemon1.insert(name, value);
        }
        // The first time the values came with InterfacesAdded.
        if !first && !changed.is_empty() {
            self.public.waiting.push(changed_message::<Daemon1>(ROOT, &changed)?);
        }
        Ok(())
    }

    /// Shows what changes and tells what happens, until a connection breaks; says why it did,
    /// nothing when the daemon ends.
    pub async fn run(mut self, records: &mut mpsc::Receiver<Arc<Record>>) -> Option<String> {
        let mut alerts = self.shared.alerts.clone();
        let mut boards = self.shared.boards.clone();
        let mut buzzer = self.shared.buzzer.clone();
        let mut edition = self.shared.edition.clone();
        let dirty = Arc::clone(&self.shared.dirty);
        let (public, private) = (self.public.connection.clone(), self.private.connection.clone());
        let closed = async {
            tokio::select! {
                () = public.closed() => "the connection closed",
                () = private.closed() => "the arbiter's connection closed",
            }
        };
        tokio::pin!(closed);
        let mut batch = Vec::new();
        let mut gathering = false;
        let gathered = tokio::time::sleep(Duration::ZERO);
        tokio::pin!(gathered);
        loop {
            let done = tokio::select! {
                count = records.recv_many(&mut batch, AT_ONCE) => {
                    if count == 0 {
                        return None;
                    }
                    self.tell_all(batch.drain(..)).await
                }
                Ok(()) = alerts.changed() => self.sync_alerts_now().await,
                Ok(()) = boards.changed() => self.sync_all().await,
                Ok(()) = buzzer.changed() => self.sync_daemon_now().await,
                Ok(()) = edition.changed() => self.sync_daemon_now().await,
                () = dirty.notified(), if !gathering => {
                    gathering = true;
                    gathered.set(tokio::time::sleep(GATHER));
                    Ok(())
                }
                () = &mut gathered, if gathering => {
                    gathering = false;
                    self.sync_all().await
                }
                reason = &mut closed => return Some(reason.into()),
            };
            if let Err(e) = done {
                if public.is_closed() || private.is_closed() {
                    return Some(e.to_string());
                }
                tracing::error!(error = %e, "bus: a change could not be told");
            }
        }
    }

    async fn sync_daemon_now(&mut self) -> zbus::Result<()> {
        self.daemon_differs = true;
        self.sync_daemon().await?;
        self.flush().await
    }

    async fn sync_alerts_now(&mut self) -> zbus::Result<()> {
        self.sync_alerts().await?;
        self.flush().await
    }

    /// Tells records in order. One that cannot be told does not keep back those after it.
    async fn tell_all(&mut self, records: impl Iterator<Item = Arc<Record>>) -> zbus::Result<()> {
        let mut done = Ok(());
        for record in records {
            let told = self.tell(&record).await;
            done = done.and(told);
        }
        let flushed = self.flush().await;
        done.and(flushed)
    }

    async fn sync_boards(&mut self) -> zbus::Result<()> {
        let boards = Arc::clone(&self.shared.boards.borrow());
        for (id, handle) in boards.iter() {
            let known = self.boards.get(id);
            if known.is_some_and(|b| b.handle.requests.same_channel(&handle.requests)) {
                continue;
            }
            let known = known.is_some();
            let path = board_path(id);
            // What is shown from here on is compared with this; what changes meanwhile is told twice.
            let view = Arc::clone(&handle.view.borrow());
            self.flush().await?;
            let (public, private) =
                (self.public.connection.clone(), self.private.connection.clone());
            if known {
                public.object_server().remove::<Board1, _>(path.as_str()).await?;
                public.object_server().remove::<Game1, _>(path.as_str()).await?;
                public.object_server().remove::<Clock1, _>(path.as_str()).await?;
                private.object_server().remove::<ArbiterOnly1, _>(path.as_str()).await?;
            }
            let object = Board1::new(Arc::clone(&self.shared), handle.clone());
            public.object_server().at(path.as_str(), object).await?;
            let arbiter_only1 = ArbiterOnly1::new(Arc::clone(&self.shared), handle.clone());
            private.object_server().at(path.as_str(), arbiter_only1).await?;
            let mut seen = handle.view.clone();
            seen.mark_changed();
            let published = PublishedBoard {
                handle: handle.clone(),
                path,
                seen,
                view,
                game: None,
                clock: false,
                alerts: false,
            };
            self.boards.insert(id.clone(), published);
            self.daemon_differs = true;
            self.sync_board(id).await?;
        }
        Ok(())
    }

    /// Shows a board as it is now: adds and removes its game and clock, tells changed properties.
    async fn sync_board(&mut self, id: &BoardId) -> zbus::Result<()> {
        let Some(board) = self.boards.get_mut(id) else { return Ok(()) };
        if board.other_objects() {
            self.public.flush().await?;
            self.private.flush().await?;
        }
        let view = Arc::clone(&board.seen.borrow_and_update());
        let before = std::mem::replace(&mut board.view, Arc::clone(&view));
        self.daemon_differs |= before.status.line != view.status.line;
        let (shared, handle, path) = (&self.shared, &board.handle, board.path.as_str());
        let server = self.public.connection.object_server();
        let game = view.status.game.as_ref().map(|_| view.game_id.clone());
        let same_game = board.game == game;
        if !same_game {
            if board.game.take().is_some() {
                server.remove::<Game1, _>(path).await?;
            }
            if let Some(game_id) = &game {
                let shown = Game1::new(Arc::clone(shared), handle.clone(), game_id.clone());
                server.at(path, shown).await?;
            }
            board.game = game;
        }
        let same_clock = board.clock == view.status.clock.is_some();
        if !same_clock {
            board.clock = view.status.clock.is_some();
            if board.clock {
                server.at(path, Clock1::new(handle.view.clone())).await?;
            } else {
                server.remove::<Clock1, _>(path).await?;
            }
        }
        let mut names = differing(&BOARD1, &before, &view);
        names.extend(std::mem::take(&mut board.alerts).then_some("Alerts"));
        let shown = Board1::new(Arc::clone(shared), handle.clone());
        self.public.properties(path, &shown, names).await?;
        if let (true, Some(old), Some(new)) = (same_game, &before.status.game, &view.status.game) {
            let shown = Game1::new(Arc::clone(shared), handle.clone(), view.game_id.clone());
            self.public.properties(path, &shown, differing(&GAME1, old, new)).await?;
        }
        if let (true, Some(old), Some(new)) = (same_clock, &before.status.clock, &view.status.clock)
        {
            let shown = Clock1::new(handle.view.clone());
            self.public.properties(path, &shown, differing(&CLOCK1, old, new)).await?;
        }
        let shown = ArbiterOnly1::new(Arc::clone(shared), handle.clone());
        let names = differing(&ARBITER_ONLY1, &before, &view);
        self.private.properties(path, &shown, names).await
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
                self.flush().await?;
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
            self.flush().await?;
            self.connection_for(alert).object_server().at(path, shown).await?;
            self.alerts.insert(alert.id, Arc::clone(alert));
            touched.push(alert.board.clone());
        }
        touched.sort();
        touched.dedup();
        for id in touched {
            if let Some(board) = self.boards.get_mut(&id) {
                board.alerts = true;
            }
            self.sync_board(&id).await?;
        }
        self.daemon_differs = true;
        self.sync_daemon().await
    }

    /// Only what everyone may know stands on the public connection.
    fn connection_for(&self, alert: &Alert) -> &Connection {
        let outbox = if alert.audience.is_public() { &self.public } else { &self.private };
        &outbox.connection
    }

    /// Sends the signals of a record, after the objects that it tells of are there.
    async fn tell(&mut self, record: &Record) -> zbus::Result<()> {
        if !self.boards.contains_key(&record.board) {
            self.sync_boards().await?;
        }
        // A move says itself what it changes, and moves are many.
        let small =
            matches!(record.what, What::Event(EventKind::Move { .. } | EventKind::Touched { .. }));
        let behind = self.boards.get(&record.board).is_some_and(|board| {
            board.seen.has_changed().unwrap_or(false) && (!small || board.other_objects())
        });
        if behind {
            self.sync_board(&record.board).await?;
        }
        self.sync_alerts().await?;
        let path = board_path(&record.board);
        let told = event_message(record, &path)?;
        if record.audience().is_public() {
            self.public.waiting.push(told.clone());
        }
        self.private.waiting.push(told);
        let What::Event(event) = &record.what else { return Ok(()) };
        if let EventKind::Move { ply, san, uci, fen, .. } = event {
            let body = (record.seq, ply.0, san, uci, fen);
            let played = Message::signal(path, Game1::name(), "MovePlayed").build(&body)?;
            self.public.waiting.push(played);
            return Ok(());
        }
        self.flush().await?;
        let public = SignalEmitter::new(&self.public.connection, path.as_str())?;
        let private = SignalEmitter::new(&self.private.connection, path.as_str())?;
        match event {
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

/// The signal of a record, the same on both connections.
fn event_message(record: &Record, path: &str) -> zbus::Result<Message> {
    let kind = record.json.get("event").and_then(serde_json::Value::as_str).unwrap_or_default();
    Message::signal(ROOT, Journal1::name(), "Event").build(&(
        record.seq,
        record.time_micros,
        ObjectPath::try_from(path)?,
        &record.game_id,
        kind,
        &record.text,
        fields(&record.json),
    ))
}

fn changed_message<I: Interface>(
    path: &str,
    changed: &BTreeMap<impl AsRef<str>, OwnedVariant>,
) -> zbus::Result<Message> {
    let changed: BTreeMap<&str, &OwnedVariant> =
        changed.iter().map(|(name, value)| (name.as_ref(), value)).collect();
    let invalidated: [&str; 0] = [];
    Message::signal(path, "org.freedesktop.DBus.Properties", "PropertiesChanged").build(&(
        I::name(),
        changed,
        invalidated.as_slice(),
    ))
}
