//! `org.dgtd.Board1`: one board.

use std::{collections::BTreeMap, sync::Arc};

use zbus::{Connection, OwnedObjectPath, fdo, interface, message::Header};

use super::{
    ApiError, Shared, alert_path,
    values::{Options, ask, caller, only, text, truth},
};
use crate::{
    arbiter::{Request, request::NewGame, status::Line},
    signals::{BoardAsk, BoardHandle, BoardView, Caller},
};

/// One board.
#[derive(Debug)]
pub struct Board1 {
    shared: Arc<Shared>,
    board: BoardHandle,
}

impl Board1 {
    /// The board behind `board`.
    pub fn new(shared: Arc<Shared>, board: BoardHandle) -> Board1 {
        Board1 { shared, board }
    }

    fn view(&self) -> Arc<BoardView> {
        Arc::clone(&self.board.view.borrow())
    }
}

/// The bus's word for the state of a board.
pub fn state(view: &BoardView) -> &'static str {
    match view.status.line {
        _ if !view.error.is_empty() => "failed",
        Line::Absent => "absent",
        Line::Opening => "opening",
        Line::Ready => "ready",
        Line::Silent => "silent",
    }
}

#[interface(name = "org.dgtd.Board1", spawn = false)]
impl Board1 {
    /// Serial number, empty while unknown.
    #[zbus(property)]
    fn serial(&self) -> String {
        self.view().status.serial.clone()
    }

    /// What people call it, such as "Table 7".
    #[zbus(property)]
    fn label(&self) -> String {
        self.view().label.clone()
    }

    #[zbus(property)]
    async fn set_label(&self, label: String) -> fdo::Result<()> {
        if label.chars().count() > 64 || label.chars().any(char::is_control) {
            let text = "a label is at most 64 characters long and has no control characters";
            return Err(fdo::Error::InvalidArgs(text.into()));
        }
        let by = Caller::default();
        ask(&self.shared, &self.board, "label", by, BoardAsk::Label(label))
            .await
            .map(drop)
            .map_err(|e| fdo::Error::Failed(e.to_string()))
    }

    /// The port it is on, empty when it is on none.
    #[zbus(property)]
    fn port(&self) -> String {
        self.view().port.clone()
    }

    /// absent, opening, ready, silent or failed.
    #[zbus(property)]
    fn state(&self) -> &str {
        state(&self.view())
    }

    /// Why it failed, empty when it has not.
    #[zbus(property)]
    fn error(&self) -> String {
        self.view().error.clone()
    }

    /// Firmware version, empty while unknown.
    #[zbus(property)]
    fn firmware(&self) -> String {
        self.view().status.firmware.clone()
    }

    /// The maker's notice as the board gives it, on one line; empty while unknown.
    #[zbus(property)]
    fn trademark(&self) -> String {
        one_line(&self.view().status.trademark)
    }

    /// The file the board's line is recorded in, empty when it is not recorded.
    #[zbus(property)]
    fn recording(&self) -> String {
        self.view().recording.clone()
    }

    /// Battery charge in per cent, -1 when it has none.
    #[zbus(property)]
    fn battery(&self) -> i32 {
        self.view().status.battery.map_or(-1, i32::from)
    }

    /// What the sensors see, as the first field of a FEN; empty before the first dump.
    #[zbus(property)]
    fn placement(&self) -> String {
        self.view().status.placement.clone()
    }

    /// The board stands with its connector on White's right.
    #[zbus(property)]
    fn flipped(&self) -> bool {
        self.view().status.flipped
    }

    /// A piece is in the air.
    #[zbus(property)]
    fn moving(&self) -> bool {
        self.view().status.moving
    }

    /// The sensors show the position of the game.
    #[zbus(property)]
    fn agrees(&self) -> bool {
        self.view().status.agrees
    }

    /// The game's unique name, empty when none is set up.
    #[zbus(property)]
    fn game_id(&self) -> String {
        self.view().game_id.clone()
    }

    /// The objects of its alerts that everyone may know.
    #[zbus(property)]
    fn alerts(&self) -> Vec<OwnedObjectPath> {
        let id = self.view().id.clone();
        let alerts = self.shared.alerts.borrow();
        let own = alerts.iter().filter(|a| a.board == id && a.audience.is_public());
        own.filter_map(|alert| OwnedObjectPath::try_from(alert_path(alert.id)).ok()).collect()
    }

    /// When it last said anything, microseconds since the epoch, 0 for never.
    #[zbus(property(emits_changed_signal = "false"))]
    fn last_heard(&self) -> u64 {
        let view = self.view();
        view.status.last_heard.map_or(0, |stamp| view.micros(stamp))
    }

    /// Starts a game now. Option keys: fen s, edition s, chess960 b, and PGN tags white, black,
    /// event, site, date, round, table, all s.
    #[zbus(out_args("game_id"))]
    async fn new_game(
        &self,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<String, ApiError> {
        const TAGS: [(&str, &str); 7] = [
            ("white", "White"),
            ("black", "Black"),
            ("event", "Event"),
            ("site", "Site"),
            ("date", "Date"),
            ("round", "Round"),
            ("table", "Table"),
        ];
        let mut known = vec!["fen", "edition", "chess960"];
        known.extend(TAGS.iter().map(|(key, _)| *key));
        only(&options, &known)?;
        let mut tags = BTreeMap::new();
        for (key, tag) in TAGS {
            if let Some(value) = text(&options, key)? {
                tags.insert(tag.to_owned(), value);
            }
        }
        let game = NewGame {
            fen: text(&options, "fen")?,
            edition: text(&options, "edition")?,
            chess960: truth(&options, "chess960")?,
            tags,
        };
        let by = caller(connection, &header, &options).await?;
        let request = BoardAsk::Core(Request::NewGame(game));
        // The view was renewed before the answer was given.
        ask(&self.shared, &self.board, "new game", by, request).await?;
        Ok(self.view().game_id.clone())
    }

    /// Says which way round the board stands.
    async fn set_flipped(
        &self,
        flipped: bool,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        only(&options, &[])?;
        let by = caller(connection, &header, &options).await?;
        let request = BoardAsk::Core(Request::SetFlipped(flipped));
        ask(&self.shared, &self.board, "orientation", by, request).await.map(drop)
    }

    /// Asks the board for all its squares.
    async fn resync(
        &self,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        only(&options, &[])?;
        let by = caller(connection, &header, &options).await?;
        ask(&self.shared, &self.board, "resync", by, BoardAsk::Core(Request::Resync))
            .await
            .map(drop)
    }

    /// Asks the board again for all that it says of itself: serial number, firmware version, maker's
    /// notice, battery; and for squares and clock. What it answers shows in the properties.
    async fn identify(
        &self,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        only(&options, &[])?;
        let by = caller(connection, &header, &options).await?;
        ask(&self.shared, &self.board, "identification", by, BoardAsk::Core(Request::Identify))
            .await
            .map(drop)
    }

    /// Records all that the board and the daemon say to each other, from now on and whatever port
    /// the board comes back on, in a file of the daemon's own choice, until it is stopped or the file
    /// has its full length. Answers with the file, which `dgtctl replay` plays.
    #[zbus(out_args("file"))]
    async fn start_capture(
        &self,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<String, ApiError> {
        only(&options, &[])?;
        let by = caller(connection, &header, &options).await?;
        ask(&self.shared, &self.board, "recording", by, BoardAsk::StartCapture).await?;
        // The view was renewed before the answer was given.
        Ok(self.view().recording.clone())
    }

    /// Ends the recording; answers when all of it is on the disk.
    async fn stop_capture(
        &self,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        only(&options, &[])?;
        let by = caller(connection, &header, &options).await?;
        ask(&self.shared, &self.board, "end of recording", by, BoardAsk::StopCapture)
            .await
            .map(drop)
    }
}

/// A text from a board's line as the bus can carry it: what is no letter parts words.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_control() || c.is_whitespace());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
