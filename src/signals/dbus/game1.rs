//! `org.dgtd.Game1`: the game of a board, while one is set up.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use zbus::{Connection, interface, message::Header, object_server::SignalEmitter};

use super::{
    ApiError, Shared,
    hand_on::{BoardDoor, Call},
    values::{Options, text},
};
use crate::{
    arbiter::{
        Reply, Request,
        status::{GameStatus, MoveStatus, Stage},
    },
    laws::text::Language,
    pgn,
    signals::{
        BoardHandle, BoardView, hub,
        words::{end_keyword, side_keyword},
    },
    units::{Millis, Ply},
};

/// A move as `GetMoves` gives it: ply, SAN, UCI, White's and Black's time after it (milliseconds,
/// -1 when unknown).
pub type MoveTuple = (u32, String, String, i64, i64);

/// A game. When the next one begins on the board the interface is removed and added again.
#[derive(Debug)]
pub struct Game1 {
    door: BoardDoor,
    id: String,
}

impl Game1 {
    /// The game `id` of a board.
    pub fn new(shared: Arc<Shared>, board: BoardHandle, id: String) -> Game1 {
        Game1 { door: BoardDoor::new(shared, board), id }
    }

    fn view(&self) -> Arc<BoardView> {
        self.door.view()
    }

    fn read<T: Default>(&self, read: impl FnOnce(&GameStatus) -> T) -> T {
        self.view().status.game.as_ref().map(read).unwrap_or_default()
    }
}

fn ms(time: Option<Millis>) -> i64 {
    time.map_or(-1, |time| i64::try_from(time.0).unwrap_or(i64::MAX))
}

/// A word of the configuration among the options.
fn word<T: DeserializeOwned>(options: &Options, key: &str) -> Result<Option<T>, ApiError> {
    let Some(text) = text(options, key)? else { return Ok(None) };
    serde_json::from_value(Value::String(text))
        .map(Some)
        .map_err(|e| ApiError::InvalidArgument(format!("option {key:?}: {e}")))
}

/// The word of the configuration for a choice.
fn keyword(choice: &impl Serialize) -> String {
    let word = serde_json::to_value(choice).ok();
    word.and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

fn move_tuple((index, m): (usize, &MoveStatus)) -> MoveTuple {
    let ply = u32::try_from(index + 1).unwrap_or(u32::MAX);
    (ply, m.san.clone(), m.uci.clone(), ms(m.white), ms(m.black))
}

#[interface(name = "org.dgtd.Game1", spawn = false)]
impl Game1 {
    /// The game's unique name.
    #[zbus(property(emits_changed_signal = "const"))]
    fn id(&self) -> &str {
        &self.id
    }

    /// Edition of the Laws, such as fide-2023.
    #[zbus(property)]
    fn edition(&self) -> String {
        self.read(|game| game.edition.clone())
    }

    /// The time control: standard, rapid or blitz.
    #[zbus(property)]
    fn time_control(&self) -> String {
        self.read(|game| keyword(&game.control))
    }

    /// How closely arbiters watch: shared or full.
    #[zbus(property)]
    fn supervision(&self) -> String {
        self.read(|game| keyword(&game.supervision))
    }

    /// The first position, as FEN.
    #[zbus(property)]
    fn start_fen(&self) -> String {
        self.read(|game| game.start_fen.clone())
    }

    /// waiting, playing or over.
    #[zbus(property)]
    fn state(&self) -> &str {
        self.read(|game| match game.stage {
            Stage::Waiting => "waiting",
            Stage::Playing => "playing",
            Stage::Over => "over",
        })
    }

    /// The position after the last confirmed move, as FEN.
    #[zbus(property)]
    fn fen(&self) -> String {
        self.read(|game| game.fen.clone())
    }

    /// Who has the move: white or black.
    #[zbus(property)]
    fn turn(&self) -> &str {
        self.read(|game| side_keyword(game.turn))
    }

    /// Confirmed half-moves.
    #[zbus(property)]
    fn ply(&self) -> u32 {
        self.read(|game| game.ply.0)
    }

    /// The last confirmed move, empty at the start.
    #[zbus(property)]
    fn last_san(&self) -> String {
        self.read(|game| game.last_san.clone())
    }

    /// The move the board shows beyond it, empty when none; it may change.
    #[zbus(property)]
    fn provisional(&self) -> String {
        self.read(|game| game.provisional.clone())
    }

    /// *, 1-0, 0-1 or 1/2-1/2.
    #[zbus(property)]
    fn result(&self) -> String {
        self.read(|game| game.result.clone())
    }

    /// What ended it: checkmate, stalemate, dead-position, fivefold, seventy-five-move,
    /// set-by-arbiter, or empty.
    #[zbus(property)]
    fn ending(&self) -> &str {
        self.read(|game| match game.ending {
            Some(reason) => end_keyword(reason),
            None if game.set_by_arbiter => "set-by-arbiter",
            None => "",
        })
    }

    /// The article that ended it, in the numbering of the edition; empty when none did.
    #[zbus(property)]
    fn article(&self) -> String {
        self.read(|game| game.article.clone())
    }

    /// When it ended, microseconds since the epoch, 0 when it has not.
    #[zbus(property)]
    fn ended_at(&self) -> u64 {
        self.view().ended_micros
    }

    /// PGN tags.
    #[zbus(property)]
    fn tags(&self) -> BTreeMap<String, String> {
        self.read(|game| game.tags.clone())
    }

    /// The confirmed moves from half-move `from_ply` on (1 = the first).
    #[zbus(out_args("moves"))]
    fn get_moves(&self, from_ply: u32) -> Vec<MoveTuple> {
        self.read(|game| {
            let moves = game.moves.iter().map(AsRef::as_ref).enumerate();
            moves.skip(from_ply.saturating_sub(1) as usize).map(move_tuple).collect()
        })
    }

    /// The game as PGN.
    #[zbus(out_args("pgn"))]
    fn get_pgn(&self) -> String {
        let view = self.view();
        let date = hub::rfc3339((self.door.shared.wall)());
        let date = date.get(..10).unwrap_or("????-??-??").replace('-', ".");
        let mut tags = BTreeMap::from([("Board".to_owned(), view.id.to_string())]);
        if !view.label.is_empty() {
            tags.insert("Table".into(), view.label.clone());
        }
        let game = view.status.game.as_ref();
        game.map(|game| pgn::Game::of(game, &date, &tags).to_text()).unwrap_or_default()
    }

    /// Puts the game to a position; what was played before is closed.
    async fn set_position(
        &self,
        fen: String,
        expected_ply: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let request = Request::SetPosition { fen, expected_ply: Ply(expected_ply) };
        self.door.game("set position", request, &[], call).await.map(drop)
    }

    /// Takes back the last plies; answers with the ply and position that stand now.
    #[zbus(out_args("ply", "fen"))]
    async fn undo(
        &self,
        plies: u32,
        expected_ply: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(u32, String), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let request = Request::Undo { plies, expected_ply: Ply(expected_ply) };
        match self.door.game("undo", request, &[], call).await? {
            Reply::At { ply, fen } => Ok((ply.0, fen)),
            _ => Ok(self.read(|game| (game.ply.0, game.fen.clone()))),
        }
    }

    /// Enters a result: 1-0, 0-1, 1/2-1/2 or *. The game is closed.
    async fn set_result(
        &self,
        result: String,
        reason: String,
        expected_ply: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let request = Request::SetResult { result, reason, expected_ply: Ply(expected_ply) };
        self.door.game("set result", request, &[], call).await.map(drop)
    }

    /// Sets PGN tags.
    async fn set_tags(
        &self,
        tags: BTreeMap<String, String>,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        self.door.game("set tags", Request::SetTags(tags), &[], call).await.map(drop)
    }

    /// Chooses the edition of the Laws for this game.
    async fn set_edition(
        &self,
        edition: String,
        expected_ply: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let request = Request::SetEdition { edition, expected_ply: Ply(expected_ply) };
        self.door.game("set edition", request, &[], call).await.map(drop)
    }

    /// Chooses edition, time control and supervision for this game; what is absent stays. Option keys:
    /// edition s, time-control s (standard, rapid, blitz), supervision s (shared, full),
    /// supervised-blitz s (one-minute, two-minutes), as in the configuration.
    async fn set_conditions(
        &self,
        expected_ply: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        const KNOWN: [&str; 4] = ["edition", "time-control", "supervision", "supervised-blitz"];
        let call = Call { options: &options, header: &header, connection };
        let request = Request::SetConditions {
            edition: text(&options, KNOWN[0])?,
            control: word(&options, KNOWN[1])?,
            supervision: word(&options, KNOWN[2])?,
            supervised_blitz: word(&options, KNOWN[3])?,
            expected_ply: Ply(expected_ply),
        };
        self.door.game("set conditions", request, &KNOWN, call).await.map(drop)
    }

    /// Opens the game again that a result, a ruling or Close has closed: what was entered is void.
    async fn reopen(
        &self,
        expected_ply: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let request = Request::Reopen { expected_ply: Ply(expected_ply) };
        self.door.game("reopen", request, &[], call).await.map(drop)
    }

    /// This game was started, or its position set, by mistake: it is closed, and the game before it is
    /// on again as it was, as far as the board shows it. Option keys: language. Answers with the ply and
    /// position of that game, and says what is as it was and what cannot be restored. Done again, it
    /// brings the other game back.
    #[zbus(out_args("ply", "fen", "text"))]
    async fn undo_start(
        &self,
        expected_ply: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(u32, String, String), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let language = text(&options, "language")?.map(|name| Language::choose(&name));
        let request = Request::UndoStart { language, expected_ply: Ply(expected_ply) };
        match self.door.game("undo start", request, &["language"], call).await? {
            Reply::GivenBack { ply, fen, text } => Ok((ply.0, fen, text)),
            _ => Ok(self.read(|game| (game.ply.0, game.fen.clone(), String::new()))),
        }
    }

    /// Closes the game without a result.
    async fn close(
        &self,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        self.door.game("close", Request::Close, &[], call).await.map(drop)
    }

    /// A move was confirmed.
    #[zbus(signal)]
    pub async fn move_played(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        ply: u32,
        san: &str,
        uci: &str,
        fen: &str,
    ) -> zbus::Result<()>;

    /// The moves from half-move `from_ply` on are void; `san` stand in their place so far.
    #[zbus(signal)]
    pub async fn moves_revised(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        from_ply: u32,
        san: &[&str],
    ) -> zbus::Result<()>;

    /// The Laws ended the game.
    #[zbus(signal)]
    pub async fn over(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        ending: &str,
        article: &str,
        result: &str,
    ) -> zbus::Result<()>;

    /// The move that ended the game was taken back: it goes on.
    #[zbus(signal)]
    pub async fn over_withdrawn(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        ply: u32,
    ) -> zbus::Result<()>;
}
