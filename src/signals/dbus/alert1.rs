//! `org.dgtd.Alert1`: one thing nobody has acknowledged. The object's existence is the alert.

use std::{collections::BTreeMap, sync::Arc};

use tokio::sync::oneshot;
use zbus::{Connection, OwnedObjectPath, OwnedVariant, interface, message::Header};

use super::{
    ApiError, Shared, board_path,
    values::{Options, caller, details, only},
};
use crate::signals::{alerts::Alert, hub::HubInput};

/// An alert.
#[derive(Debug)]
pub struct Alert1 {
    shared: Arc<Shared>,
    alert: Arc<Alert>,
}

impl Alert1 {
    /// The object of an alert.
    pub fn new(shared: Arc<Shared>, alert: Arc<Alert>) -> Alert1 {
        Alert1 { shared, alert }
    }
}

#[interface(name = "org.dgtd.Alert1", spawn = false)]
impl Alert1 {
    /// Its number: that of the journal's record that raised it.
    #[zbus(property(emits_changed_signal = "const"))]
    fn id(&self) -> u64 {
        self.alert.id
    }

    /// The board's object.
    #[zbus(property(emits_changed_signal = "const"))]
    fn board(&self) -> zbus::fdo::Result<OwnedObjectPath> {
        OwnedObjectPath::try_from(board_path(&self.alert.board))
            .map_err(|e| zbus::fdo::Error::Failed(e.to_string()))
    }

    /// The game's unique name, empty when none is on.
    #[zbus(property(emits_changed_signal = "const"))]
    fn game_id(&self) -> &str {
        &self.alert.game_id
    }

    /// What people call the board.
    #[zbus(property(emits_changed_signal = "const"))]
    fn label(&self) -> &str {
        &self.alert.label
    }

    /// game-over, claim-available, illegal-position, flag-fallen, board-lost, disagreement or
    /// attention.
    #[zbus(property(emits_changed_signal = "const"))]
    fn kind(&self) -> &str {
        self.alert.kind.keyword()
    }

    /// urgent, notice or quiet; what is quiet must never be spoken, sounded or shown to players.
    #[zbus(property(emits_changed_signal = "const"))]
    fn severity(&self) -> &str {
        self.alert.severity()
    }

    /// Edition of the Laws the article belongs to, empty when no game is on.
    #[zbus(property(emits_changed_signal = "const"))]
    fn edition(&self) -> &str {
        &self.alert.edition
    }

    /// The article, empty when it is not about one.
    #[zbus(property(emits_changed_signal = "const"))]
    fn article(&self) -> &str {
        &self.alert.article
    }

    /// A few words.
    #[zbus(property(emits_changed_signal = "const"))]
    fn title(&self) -> &str {
        &self.alert.title
    }

    /// A sentence.
    #[zbus(property(emits_changed_signal = "const"))]
    fn body(&self) -> &str {
        &self.alert.body
    }

    /// When, microseconds since the epoch.
    #[zbus(property(emits_changed_signal = "const"))]
    fn raised_at(&self) -> u64 {
        self.alert.raised_at
    }

    /// The fields of the event's JSON object.
    #[zbus(property(emits_changed_signal = "const"))]
    fn details(&self) -> BTreeMap<String, OwnedVariant> {
        let fields = details(&self.alert.details).into_iter();
        fields.filter_map(|(k, v)| Some((k, OwnedVariant::try_from(v).ok()?))).collect()
    }

    /// Takes note of the alert: the object is removed, the journal keeps who and when.
    async fn acknowledge(
        &self,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        only(&options, &[])?;
        let by = caller(connection, &header, &options).await?;
        let id = self.alert.id;
        let (reply, there) = oneshot::channel();
        let input = HubInput::Acknowledge { id, by, time_micros: (self.shared.wall)(), reply };
        self.shared.hub.send(input).await.map_err(|_| ApiError::unavailable())?;
        match there.await {
            Ok(true) => Ok(()),
            Ok(false) => Err(ApiError::NoSuchAlert(format!("alert {id} is not open any more"))),
            Err(_) => Err(ApiError::unavailable()),
        }
    }
}
