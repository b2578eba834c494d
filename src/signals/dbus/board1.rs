//! `org.dgtd.Board1`: one board.

use std::{collections::BTreeMap, sync::Arc};

use zbus::{Connection, OwnedObjectPath, fdo, interface, message::Header};

use super::{
    ApiError, Shared, alert_path,
    hand_on::{BoardDoor, Call},
    values::{Options, caller_of, only, text, truth},
};
use crate::{
    arbiter::{Reply, Request, request::NewGame, status::Line},
    signals::{BoardAsk, BoardHandle, BoardView, Caller},
    wire::ClockSide,
};

/// One board.
#[derive(Debug)]
pub struct Board1 {
    door: BoardDoor,
}

impl Board1 {
    /// The board behind `board`.
    pub fn new(shared: Arc<Shared>, board: BoardHandle) -> Board1 {
        Board1 { door: BoardDoor::new(shared, board) }
    }

    fn view(&self) -> Arc<BoardView> {
        self.door.view()
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
    async fn set_label(
        &self,
        label: String,
        #[zbus(header)] header: Option<Header<'_>>,
        #[zbus(connection)] connection: &Connection,
    ) -> fdo::Result<()> {
        if label.chars().count() > 64 || label.chars().any(char::is_control) {
            let text = "a label is at most 64 characters long and has no control characters";
            return Err(fdo::Error::InvalidArgs(text.into()));
        }
        let by = Caller { uid: caller_of(connection, header.as_ref()).await, ..Caller::default() };
        self.door
            .ask("label", by, BoardAsk::Label(label))
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

    /// Which side of the clock is White's: left or right.
    #[zbus(property)]
    fn white_clock_side(&self) -> &str {
        match self.view().status.white_clock_side {
            ClockSide::Left => "left",
            ClockSide::Right => "right",
        }
    }

    /// Who is to play the next game, as PGN tags.
    #[zbus(property)]
    fn next_pairing(&self) -> BTreeMap<String, String> {
        self.view().status.next_tags.clone()
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
        let alerts = self.door.shared.alerts.borrow();
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
        let call = Call { options: &options, header: &header, connection };
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
        // The view was renewed before the answer was given.
        self.door.game("new game", Request::NewGame(game), &known, call).await?;
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
        let call = Call { options: &options, header: &header, connection };
        self.door.game("orientation", Request::SetFlipped(flipped), &[], call).await.map(drop)
    }

    /// Says which side of the clock is White's, seen from the clock's front: left or right.
    async fn set_clock_side(
        &self,
        white: &str,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let side = match white {
            "left" => ClockSide::Left,
            "right" => ClockSide::Right,
            other => {
                let text = format!("{other:?} is no side of a clock: use left or right");
                return Err(ApiError::InvalidArgument(text));
            }
        };
        self.door.game("clock side", Request::SetClockSide(side), &[], call).await.map(drop)
    }

    /// Says who is to play, as PGN tags (White, Black, Event, Site, Round, Table, …): of the game that
    /// waits for its first move, else of the next one. `at_once` says which. The pairing of the next
    /// game is taken back by an empty one.
    #[zbus(out_args("at_once"))]
    async fn set_pairing(
        &self,
        tags: BTreeMap<String, String>,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<bool, ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let reply = self.door.game("set pairing", Request::SetPairing(tags), &[], call).await?;
        Ok(reply == Reply::Paired(true))
    }

    /// Asks the board for all its squares.
    async fn resync(
        &self,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        self.door.game("resync", Request::Resync, &[], call).await.map(drop)
    }

    /// Asks the board again for all that it says of itself: serial number, firmware version, maker's
    /// notice, battery; and for squares and clock. What it answers shows in the properties.
    async fn identify(
        &self,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        self.door.game("identification", Request::Identify, &[], call).await.map(drop)
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
        let call = Call { options: &options, header: &header, connection };
        self.door.hand_on("recording", BoardAsk::StartCapture, &[], call).await?;
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
        let call = Call { options: &options, header: &header, connection };
        self.door.hand_on("end of recording", BoardAsk::StopCapture, &[], call).await.map(drop)
    }
}

/// A text from a board's line as the bus can carry it: what is no letter parts words.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_control() || c.is_whitespace());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
