//! Commands for one board.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal as _, Write as _},
    time::Duration,
};

use clap::{Args, ValueEnum};
use serde_json::Value;
use zbus::Variant;

use super::{
    CtlError,
    client::{BoardObject, Client, asked_in, options},
    draw, input,
    status::board_json,
};
use crate::{
    signals::dbus::{ARBITER_NAME, NAME},
    units::Millis,
};

/// `dgtctl start`
#[derive(Debug, Args)]
pub struct Start {
    /// Name, serial number or label
    board: String,
    /// The first position; the initial array when not given
    #[arg(long)]
    fen: Option<String>,
    /// Edition of the Laws, such as fide-2023
    #[arg(long, value_name = "EDITION")]
    laws: Option<String>,
    /// Castling as in Chess960
    #[arg(long)]
    chess960: bool,
    /// Name of the player of the white men
    #[arg(long)]
    white: Option<String>,
    /// Name of the player of the black men
    #[arg(long)]
    black: Option<String>,
    /// Name of the tournament
    #[arg(long)]
    event: Option<String>,
    /// Round
    #[arg(long)]
    round: Option<String>,
}

/// Starts a game and prints its name.
pub async fn start(client: &Client, start: &Start) -> Result<(), CtlError> {
    let board = client.board(&start.board).await?;
    let mut given = options([]);
    for (key, value) in [
        ("fen", &start.fen),
        ("edition", &start.laws),
        ("white", &start.white),
        ("black", &start.black),
        ("event", &start.event),
        ("round", &start.round),
    ] {
        if let Some(value) = value {
            given.extend(options([(key, Variant::from(value.clone()))]));
        }
    }
    if start.chess960 {
        given.extend(options([("chess960", Variant::from(true))]));
    }
    let game: String = client.call(&board.path, "org.dgtd.Board1", "NewGame", &given).await?;
    writeln!(io::stdout().lock(), "{game}")?;
    Ok(())
}

/// The half-move the asker saw, or the one the game is at.
pub fn seen(board: &BoardObject, ply: Option<u32>) -> Result<u32, CtlError> {
    if !board.has_game() {
        return Err(CtlError::NoGame(board.name().to_owned()));
    }
    let now = board.get("org.dgtd.Game1", "Ply").and_then(Value::as_u64);
    Ok(ply.unwrap_or_else(|| now.and_then(|ply| u32::try_from(ply).ok()).unwrap_or_default()))
}

/// Puts the game to a position.
pub async fn set_position(
    client: &Client,
    name: &str,
    fen: &str,
    ply: Option<u32>,
) -> Result<(), CtlError> {
    let board = client.board(name).await?;
    if !board.has_game() && ply.is_none() {
        // Nothing is given up by it.
        let given = options([("fen", Variant::from(fen))]);
        let _: String = client.call(&board.path, "org.dgtd.Board1", "NewGame", &given).await?;
        return Ok(());
    }
    let body = (fen, seen(&board, ply)?, options([]));
    client.call(&board.path, "org.dgtd.Game1", "SetPosition", &body).await
}

/// Enters a result.
pub async fn result(
    client: &Client,
    name: &str,
    result: &str,
    reason: &str,
    ply: Option<u32>,
) -> Result<(), CtlError> {
    let board = client.board(name).await?;
    let body = (result, reason, seen(&board, ply)?, options([]));
    client.call(&board.path, "org.dgtd.Game1", "SetResult", &body).await
}

/// Takes back half-moves and prints what stands now.
pub async fn undo(
    client: &Client,
    name: &str,
    plies: u32,
    ply: Option<u32>,
) -> Result<(), CtlError> {
    let board = client.board(name).await?;
    let body = (plies, seen(&board, ply)?, options([]));
    let (ply, fen): (u32, String) =
        client.call(&board.path, "org.dgtd.Game1", "Undo", &body).await?;
    writeln!(io::stdout().lock(), "half-move {ply}: {fen}")?;
    Ok(())
}

/// Gives the game before back, and says what is as it was and what is not.
pub async fn undo_start(client: &Client, name: &str, ply: Option<u32>) -> Result<(), CtlError> {
    let board = client.board(name).await?;
    let body = (seen(&board, ply)?, asked_in(&input::language()));
    let (_, fen, text): (u32, String, String) =
        client.call(&board.path, "org.dgtd.Game1", "UndoStart", &body).await?;
    writeln!(io::stdout().lock(), "{text}\n{fen}")?;
    Ok(())
}

/// Opens a game again that was closed.
pub async fn reopen(client: &Client, name: &str, ply: Option<u32>) -> Result<(), CtlError> {
    let board = client.board(name).await?;
    let body = (seen(&board, ply)?, options([]));
    client.call(&board.path, "org.dgtd.Game1", "Reopen", &body).await
}

/// `dgtctl players`
#[derive(Debug, Args)]
pub struct Players {
    /// Name, serial number or label
    board: String,
    /// Player of the white men; an empty one is taken away
    #[arg(long)]
    white: Option<String>,
    /// Player of the black men
    #[arg(long)]
    black: Option<String>,
    /// Tournament
    #[arg(long)]
    event: Option<String>,
    /// Round
    #[arg(long)]
    round: Option<String>,
    /// Number of the table
    #[arg(long)]
    table: Option<String>,
    /// Change the game that is on, although moves were played
    #[arg(long)]
    now: bool,
}

/// Says who plays at a board.
pub async fn players(client: &Client, players: &Players) -> Result<(), CtlError> {
    let board = client.board(&players.board).await?;
    let given = [
        ("White", &players.white),
        ("Black", &players.black),
        ("Event", &players.event),
        ("Round", &players.round),
        ("Table", &players.table),
    ];
    let tags: BTreeMap<&str, &str> =
        given.iter().filter_map(|(tag, value)| Some((*tag, value.as_deref()?))).collect();
    let body = (tags, options([]));
    if players.now {
        if !board.has_game() {
            return Err(CtlError::NoGame(board.name().to_owned()));
        }
        return client.call(&board.path, "org.dgtd.Game1", "SetTags", &body).await;
    }
    let at_once: bool = client.call(&board.path, "org.dgtd.Board1", "SetPairing", &body).await?;
    let whose = if at_once { "now" } else { "next" };
    let said = input::language().say("players-set", vec![("whose", whose.to_owned())]);
    writeln!(io::stdout().lock(), "{said}")?;
    Ok(())
}

/// `dgtctl conditions`
#[derive(Debug, Args)]
pub struct Conditions {
    /// Name, serial number or label
    board: String,
    /// Edition of the Laws, such as fide-2023
    #[arg(long, value_name = "EDITION")]
    laws: Option<String>,
    /// standard, rapid or blitz
    #[arg(long, value_name = "CONTROL")]
    time_control: Option<String>,
    /// How closely arbiters watch: shared or full
    #[arg(long)]
    supervision: Option<String>,
    /// What blitz under full supervision costs in 2023: one-minute or two-minutes
    #[arg(long, value_name = "TIME")]
    supervised_blitz: Option<String>,
    #[command(flatten)]
    seen: super::Seen,
}

/// Chooses the conditions of a game that is on, or says which they are.
pub async fn conditions(client: &Client, conditions: &Conditions) -> Result<(), CtlError> {
    let board = client.board(&conditions.board).await?;
    let ply = seen(&board, conditions.seen.ply)?;
    let given = [
        ("edition", &conditions.laws),
        ("time-control", &conditions.time_control),
        ("supervision", &conditions.supervision),
        ("supervised-blitz", &conditions.supervised_blitz),
    ];
    if given.iter().all(|(_, value)| value.is_none()) {
        let word = |property| board.text("org.dgtd.Game1", property);
        let (edition, control) = (word("Edition"), word("TimeControl"));
        writeln!(io::stdout().lock(), "{edition} {control} {}", word("Supervision"))?;
        return Ok(());
    }
    let mut with = options([]);
    for (key, value) in given {
        if let Some(value) = value {
            with.extend(options([(key, Variant::from(value.clone()))]));
        }
    }
    client.call(&board.path, "org.dgtd.Game1", "SetConditions", &(ply, with)).await
}

/// `dgtctl sides`
#[derive(Debug, Args)]
pub struct Sides {
    /// Name, serial number or label
    board: String,
    /// Where the board's connector is, seen from White: normal is his left, turned his right
    #[arg(long, value_enum)]
    board_stands: Option<Stands>,
    /// Which side of the clock is White's, seen from its front
    #[arg(long, value_enum)]
    white_clock: Option<ClockSide>,
}

/// Which way round a board stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stands {
    /// Connector on White's left
    Normal,
    /// Connector on White's right
    Turned,
}

/// A side of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ClockSide {
    /// Left
    Left,
    /// Right
    Right,
}

/// Says which way round board and clock stand, or prints it.
pub async fn sides(client: &Client, sides: &Sides) -> Result<(), CtlError> {
    let board = client.board(&sides.board).await?;
    if let Some(stands) = sides.board_stands {
        let body = (stands == Stands::Turned, options([]));
        let () = client.call(&board.path, "org.dgtd.Board1", "SetFlipped", &body).await?;
    }
    if let Some(side) = sides.white_clock {
        let side = if side == ClockSide::Left { "left" } else { "right" };
        let body = (side, options([]));
        let () = client.call(&board.path, "org.dgtd.Board1", "SetClockSide", &body).await?;
    }
    if sides.board_stands.is_none() && sides.white_clock.is_none() {
        let flipped = board.get("org.dgtd.Board1", "Flipped") == Some(&Value::Bool(true));
        let stands = if flipped { "turned" } else { "normal" };
        let clock = board.text("org.dgtd.Board1", "WhiteClockSide");
        let args = vec![("stands", stands.to_owned()), ("clock", clock.to_owned())];
        writeln!(io::stdout().lock(), "{}", input::language().say("sides-are", args))?;
    }
    Ok(())
}

/// Acknowledges an alert, or all when none is named.
pub async fn acknowledge(client: &Client, alert: Option<u64>) -> Result<(), CtlError> {
    let mut done = 0;
    for name in [NAME, ARBITER_NAME] {
        let objects = match client.objects(name).await {
            Ok(objects) => objects,
            Err(e) if name == NAME => return Err(e),
            Err(_) => continue,
        };
        for (path, object) in objects {
            let Some(properties) = object.get("org.dgtd.Alert1") else { continue };
            let id = properties.get("Id").and_then(Value::as_u64);
            if alert.is_none() || alert == id {
                let body = options([]);
                let () =
                    client.call_to(name, &path, "org.dgtd.Alert1", "Acknowledge", &body).await?;
                done += 1;
            }
        }
    }
    match alert {
        Some(id) if done == 0 => {
            Err(CtlError::Said("error-alert-closed", vec![("id", id.to_string())]))
        }
        _ => Ok(()),
    }
}

/// How long a board may take to say who it is: five questions, a tenth of a second apart.
const SAYING: Duration = Duration::from_millis(1_500);

/// Asks a board who it is and prints what it says.
pub async fn identify(client: &Client, name: &str) -> Result<(), CtlError> {
    let board = client.board(name).await?;
    let heard = |board: &BoardObject| {
        board.get("org.dgtd.Board1", "LastHeard").and_then(Value::as_u64).unwrap_or_default()
    };
    let before = heard(&board);
    let () = client.call(&board.path, "org.dgtd.Board1", "Identify", &options([])).await?;
    tokio::time::sleep(SAYING).await;
    let board = client.board(board.name()).await?;
    if heard(&board) <= before {
        let args = vec![("board", board.name().to_owned())];
        return Err(CtlError::Said("error-board-mute", args));
    }
    let text = |property: &str| board.text("org.dgtd.Board1", property);
    let battery = board.get("org.dgtd.Board1", "Battery").and_then(Value::as_i64).unwrap_or(-1);
    let battery = if battery < 0 { "none".to_owned() } else { format!("{battery} %") };
    let mut out = io::stdout().lock();
    for (what, said) in [
        ("board", board.name()),
        ("label", text("Label")),
        ("port", text("Port")),
        ("serial", text("Serial")),
        ("firmware", text("Firmware")),
        ("battery", &battery),
        ("notice", text("Trademark")),
    ] {
        writeln!(out, "{what:<9} {}", if said.is_empty() { "-" } else { said })?;
    }
    Ok(())
}

/// Begin or end a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Record {
    /// Begin, and print the name of the file
    Start,
    /// End, and print the name of the file
    Stop,
}

/// Begins or ends a recording and prints the file's name.
pub async fn record(client: &Client, name: &str, what: Record) -> Result<(), CtlError> {
    let board = client.board(name).await?;
    let body = options([]);
    let file = match what {
        Record::Start => client.call(&board.path, "org.dgtd.Board1", "StartCapture", &body).await?,
        Record::Stop => {
            let file = board.text("org.dgtd.Board1", "Recording").to_owned();
            let () = client.call(&board.path, "org.dgtd.Board1", "StopCapture", &body).await?;
            file
        }
    };
    writeln!(io::stdout().lock(), "{file}")?;
    Ok(())
}

/// Draws a board and says how its game stands.
pub async fn show(
    client: &Client,
    name: &str,
    sensors: bool,
    as_json: bool,
) -> Result<(), CtlError> {
    let board = client.board(name).await?;
    let mut out = io::stdout().lock();
    if as_json {
        writeln!(out, "{}", board_json(&board))?;
        return Ok(());
    }
    let label = board.text("org.dgtd.Board1", "Label");
    let label = if label.is_empty() { String::new() } else { format!(" · {label}") };
    writeln!(out, "{}{label} · {}", board.name(), board.text("org.dgtd.Board1", "State"))?;
    let fen = board.text("org.dgtd.Game1", "Fen");
    let placement = if sensors || fen.is_empty() {
        board.text("org.dgtd.Board1", "Placement")
    } else {
        fen.split(' ').next().unwrap_or_default()
    };
    let colours = out.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    draw::board(&mut out, placement, false, colours)?;
    if board.has_game() {
        let lines = game_lines(&board);
        for line in lines {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn game_lines(board: &BoardObject) -> Vec<String> {
    let game = |property: &str| board.text("org.dgtd.Game1", property);
    let number = |interface: &str, property: &str| {
        board.get(interface, property).and_then(Value::as_i64).unwrap_or(-1)
    };
    let mut lines = Vec::new();
    let ply = number("org.dgtd.Game1", "Ply");
    if game("State") == "over" {
        let article = game("Article");
        let article =
            if article.is_empty() { String::new() } else { format!(" (Article {article})") };
        lines.push(format!("over: {} {}{article}", game("Result"), game("Ending")));
    } else {
        lines.push(format!("{} to move, half-move {ply}", game("Turn")));
    }
    if !game("LastSan").is_empty() {
        let beyond = game("Provisional");
        let beyond = if beyond.is_empty() { String::new() } else { format!(" (shows {beyond})") };
        lines.push(format!("last move {}{beyond}", game("LastSan")));
    }
    if board.object.contains_key("org.dgtd.Clock1") {
        let time = |property| {
            u64::try_from(number("org.dgtd.Clock1", property))
                .map_or_else(|_| "?".to_owned(), |ms| Millis::from_seconds(ms / 1000).to_string())
        };
        lines.push(format!("White {} · Black {}", time("WhiteMs"), time("BlackMs")));
    }
    if board.get("org.dgtd.Board1", "Agrees") == Some(&Value::Bool(false)) {
        lines.push("the board does not show this position (dgtctl show --sensors)".into());
    }
    lines
}
