//! `dgtctl illegal`: illegal moves of a live board, accepted or dismissed by the arbiter.

use std::io::{self, Write as _};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{
    CtlError,
    client::{BoardObject, Client, asked_in, options},
    input,
};
use crate::{signals::dbus::ARBITER_NAME, units::Millis};

const INTERFACE: &str = "org.dgtd.ArbiterOnly1";

/// `dgtctl illegal`
#[derive(Debug, Args)]
pub struct Illegal {
    /// Name, serial number or label
    board: String,
    /// What is decided; without it, those that wait for a decision are listed
    #[arg(value_enum, requires = "board")]
    decision: Option<Decision>,
    /// Which illegal move of the game; the only one that waits when not given
    number: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What the arbiter decides.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Decision {
    /// It counts, and its penalty follows
    Accept,
    /// There was none
    Dismiss,
    /// The decision is taken back: it waits again
    Reconsider,
}

/// Lists the illegal moves of a board that wait for a decision, or decides on one.
pub async fn run(client: &Client, illegal: &Illegal) -> Result<(), CtlError> {
    let board = client.board(&illegal.board).await?;
    if !board.has_game() {
        return Err(CtlError::NoGame(board.name().to_owned()));
    }
    match illegal.decision {
        None => list(&board, illegal.json),
        Some(Decision::Reconsider) => {
            let Some(number) = illegal.number else {
                return Err(CtlError::Said("error-which-illegal", Vec::new()));
            };
            let body = (number, options([]));
            client
                .call_to(ARBITER_NAME, &board.path, INTERFACE, "ReconsiderIllegalMove", &body)
                .await
        }
        Some(Decision::Accept) => accept(client, &board, illegal).await,
        Some(Decision::Dismiss) => {
            let body = (illegal.number.unwrap_or(0), asked_in(&input::language()));
            let (number, article, explanation): (u32, String, String) = client
                .call_to(ARBITER_NAME, &board.path, INTERFACE, "DismissIllegalMove", &body)
                .await?;
            let mut out = io::stdout().lock();
            if illegal.json {
                let document =
                    json!({ "number": number, "article": article, "explanation": explanation });
                writeln!(out, "{document}")?;
            } else {
                writeln!(out, "{explanation}")?;
            }
            Ok(())
        }
    }
}

async fn accept(client: &Client, board: &BoardObject, illegal: &Illegal) -> Result<(), CtlError> {
    let body = (illegal.number.unwrap_or(0), asked_in(&input::language()));
    let (number, article, explanation, result, white, black): (
        u32,
        String,
        String,
        String,
        i64,
        i64,
    ) = client.call_to(ARBITER_NAME, &board.path, INTERFACE, "AcceptIllegalMove", &body).await?;
    let mut out = io::stdout().lock();
    if illegal.json {
        let document = json!({
            "number": number,
            "article": article,
            "explanation": explanation,
            "result": (!result.is_empty()).then_some(result),
            "white_ms": u64::try_from(white).ok(),
            "black_ms": u64::try_from(black).ok(),
        });
        writeln!(out, "{document}")?;
        return Ok(());
    }
    writeln!(out, "{explanation}")?;
    if let (Ok(white), Ok(black)) = (u64::try_from(white), u64::try_from(black)) {
        let args = vec![("white", Millis(white).to_string()), ("black", Millis(black).to_string())];
        writeln!(out, "{}", input::language().say("clocks-after", args))?;
    }
    Ok(())
}

/// What the interface for the arbiter's people shows; without the right, nothing can be read.
fn list(board: &BoardObject, as_json: bool) -> Result<(), CtlError> {
    if board.arbiter_only.is_empty() {
        let text = "illegal moves are shown to the arbiter's people only".to_owned();
        return Err(CtlError::NoRights(text));
    }
    let waiting = board.arbiter_only.get("IllegalMoves").cloned().unwrap_or_default();
    let counted = board.arbiter_only.get("IllegalMovesCounted").cloned().unwrap_or_default();
    let mut out = io::stdout().lock();
    if as_json {
        writeln!(out, "{}", json!({ "waiting": waiting, "counted": counted }))?;
        return Ok(());
    }
    let language = input::language();
    let waiting = waiting.as_array().cloned().unwrap_or_default();
    for row in &waiting {
        let cell = |at: usize| match row.get(at) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        let args = vec![
            ("number", cell(0)),
            ("side", cell(1)),
            ("ply", cell(2)),
            ("article", cell(3)),
            ("costs", cell(4)),
        ];
        writeln!(out, "{}", language.say("illegal-waiting", args))?;
    }
    let count = |at: usize| counted.get(at).map(ToString::to_string).unwrap_or_default();
    let args = vec![
        ("waiting", if waiting.is_empty() { "none".into() } else { waiting.len().to_string() }),
        ("white", count(0)),
        ("black", count(1)),
    ];
    writeln!(out, "{}", language.say("illegal-counted", args))?;
    Ok(())
}
