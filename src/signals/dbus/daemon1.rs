//! `org.dgtd.Daemon1`: the daemon as a whole.

use std::sync::Arc;

use tokio::sync::oneshot;
use zbus::{Connection, OwnedObjectPath, interface, message::Header};

use super::{
    ApiError, Shared, board_path,
    values::{Options, caller, only},
};
use crate::{
    arbiter::status::Line,
    signals::{DaemonRequest, gpio::BuzzerInput, hub::HubInput, refused},
};

/// The daemon.
#[derive(Debug)]
pub struct Daemon1 {
    shared: Arc<Shared>,
}

impl Daemon1 {
    /// The daemon as `shared` shows it.
    pub fn new(shared: Arc<Shared>) -> Daemon1 {
        Daemon1 { shared }
    }

    async fn buzzer_input(&self, input: BuzzerInput) -> Result<(), ApiError> {
        self.shared.hub.send(HubInput::Buzzer(input)).await.map_err(|_| ApiError::unavailable())
    }
}

#[interface(name = "org.dgtd.Daemon1", spawn = false)]
impl Daemon1 {
    /// Version of the daemon.
    #[zbus(property(emits_changed_signal = "const"))]
    fn version(&self) -> &str {
        self.shared.version
    }

    /// Name of its machine.
    #[zbus(property(emits_changed_signal = "const"))]
    fn hostname(&self) -> &str {
        &self.shared.hostname
    }

    /// When it started, microseconds since the epoch.
    #[zbus(property(emits_changed_signal = "const"))]
    fn started_at(&self) -> u64 {
        self.shared.started_at
    }

    /// The editions of the Laws it knows.
    #[zbus(property(emits_changed_signal = "const"))]
    fn laws_editions(&self) -> Vec<String> {
        self.shared.editions.clone()
    }

    /// The edition for games that start from now on.
    #[zbus(property)]
    fn laws_edition(&self) -> String {
        self.shared.edition.borrow().clone()
    }

    /// Boards known.
    #[zbus(property)]
    fn board_count(&self) -> u32 {
        u32::try_from(self.shared.boards.borrow().len()).unwrap_or(u32::MAX)
    }

    /// Boards that answer.
    #[zbus(property)]
    fn connected_count(&self) -> u32 {
        let boards = self.shared.boards.borrow();
        let ready = boards.values().filter(|b| b.view.borrow().status.line == Line::Ready).count();
        u32::try_from(ready).unwrap_or(u32::MAX)
    }

    /// Alerts that everyone may know and nobody has acknowledged.
    #[zbus(property)]
    fn open_alerts(&self) -> u32 {
        let alerts = self.shared.alerts.borrow();
        let open = alerts.iter().filter(|alert| alert.audience.is_public()).count();
        u32::try_from(open).unwrap_or(u32::MAX)
    }

    /// absent, idle, sounding or silenced.
    #[zbus(property)]
    fn buzzer_state(&self) -> &str {
        self.shared.buzzer.borrow().keyword()
    }

    /// The object of a board, by its name, serial number or label.
    #[zbus(out_args("board"))]
    fn get_board(&self, serial: &str) -> Result<OwnedObjectPath, ApiError> {
        let boards = self.shared.boards.borrow();
        let found = boards.iter().find(|(id, handle)| {
            let view = handle.view.borrow();
            id.as_str() == serial || view.status.serial == serial || view.label == serial
        });
        if let Some((id, _)) = found {
            return OwnedObjectPath::try_from(board_path(id)).map_err(ApiError::ZBus);
        }
        let known: Vec<&str> = boards.keys().map(crate::units::BoardId::as_str).collect();
        Err(ApiError::NoSuchBoard(format!(
            "no board is called {serial:?}; there are: {}",
            if known.is_empty() { "none".to_owned() } else { known.join(", ") }
        )))
    }

    /// Sets the edition of the Laws for games that start from now on.
    async fn set_laws_edition(&self, edition: String, options: Options) -> Result<(), ApiError> {
        only(&options, &[])?;
        let (reply, answer) = oneshot::channel();
        let request = DaemonRequest::SetEdition { edition, reply };
        self.shared.daemon.send(request).await.map_err(|_| ApiError::unavailable())?;
        let answer = answer.await.map_err(|_| ApiError::unavailable())?;
        answer.map_err(|why| ApiError::refused(&why, refused::refusal(&self.shared.language, &why)))
    }

    /// Silences the buzzer; the next game that ends sounds again.
    async fn silence_buzzer(
        &self,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        only(&options, &[])?;
        let by = caller(connection, &header, &options).await?;
        tracing::info!(uid = by.uid, by = by.by, "buzzer: silenced");
        self.buzzer_input(BuzzerInput::Silence).await
    }

    /// Sounds the test pattern once.
    async fn test_buzzer(&self, options: Options) -> Result<(), ApiError> {
        only(&options, &[])?;
        if *self.shared.buzzer.borrow() == crate::signals::buzzer::BuzzerState::Absent {
            let text = "no buzzer is there: set `chip` and `line` in [buzzer] and restart dgtd";
            return Err(ApiError::NotSupported(text.into()));
        }
        self.buzzer_input(BuzzerInput::Test).await
    }

    /// Reads the configuration again; answers with what could not be taken up.
    #[zbus(out_args("warnings"))]
    async fn reload(&self) -> Result<Vec<String>, ApiError> {
        let (reply, answer) = oneshot::channel();
        let request = DaemonRequest::Reload(reply);
        self.shared.daemon.send(request).await.map_err(|_| ApiError::unavailable())?;
        answer.await.map_err(|_| ApiError::unavailable())
    }
}
