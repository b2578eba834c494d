//! `dgtctl status`.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::{
    CtlError,
    client::{BoardObject, Client, Object, object_name},
};
use crate::signals::dbus::{NAME, ROOT};

/// Prints the daemon, its boards and the open alerts.
pub async fn run(client: &Client, board: Option<&str>, as_json: bool) -> Result<(), CtlError> {
    let boards = match board {
        Some(name) => vec![client.board(name).await?],
        None => client.boards().await?,
    };
    let objects = client.objects(NAME).await?;
    let daemon = client.properties(NAME, ROOT, "org.dgtd.Daemon1").await.ok();
    let secret = client.secret_objects().await.unwrap_or_default();
    let mut alerts: Vec<&Object> = objects
        .values()
        .chain(secret.values())
        .filter(|object| object.contains_key("org.dgtd.Alert1"))
        .filter(|object| {
            let path = object["org.dgtd.Alert1"].get("Board").and_then(Value::as_str);
            board.is_none() || boards.iter().any(|board| Some(board.path.as_str()) == path)
        })
        .collect();
    alerts.sort_by_key(|alert| alert["org.dgtd.Alert1"].get("Id").and_then(Value::as_u64));
    let mut out = io::stdout().lock();
    if as_json {
        let document = json!({
            "daemon": daemon,
            "boards": boards.iter().map(board_json).collect::<Vec<_>>(),
            "alerts": alerts.iter().map(|alert| &alert["org.dgtd.Alert1"]).collect::<Vec<_>>(),
        });
        writeln!(out, "{document}")?;
        return Ok(());
    }
    if board.is_none()
        && let Some(daemon) = &daemon
    {
        let text = |key: &str| daemon.get(key).and_then(Value::as_str).unwrap_or_default();
        writeln!(
            out,
            "dgtd {} on {} · {} · buzzer {}",
            text("Version"),
            text("Hostname"),
            text("LawsEdition"),
            text("BuzzerState")
        )?;
    }
    print_boards(&mut out, &boards)?;
    for alert in alerts {
        print_alert(&mut out, alert)?;
    }
    Ok(())
}

fn print_boards(out: &mut dyn Write, boards: &[BoardObject]) -> io::Result<()> {
    if boards.is_empty() {
        return writeln!(out, "no boards: plug one in, or see `dgtctl check` and the daemon's log");
    }
    let rows: Vec<[String; 6]> = boards.iter().map(row).collect();
    let head = ["board", "label", "state", "port", "game", "last move"].map(str::to_owned);
    let mut widths = [0; 6];
    for row in rows.iter().chain([&head]) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for row in [&head].into_iter().chain(&rows) {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    for board in boards {
        let error = board.text("org.dgtd.Board1", "Error");
        if !error.is_empty() {
            writeln!(out, "{}: {error}", board.name())?;
        }
    }
    Ok(())
}

fn row(board: &BoardObject) -> [String; 6] {
    let text = |property: &str| board.text("org.dgtd.Board1", property).to_owned();
    let game = |property: &str| board.text("org.dgtd.Game1", property);
    let played = if !board.has_game() {
        String::new()
    } else if game("State") == "over" {
        let ending = game("Ending");
        let ending = if ending.is_empty() { String::new() } else { format!(" {ending}") };
        format!("{}{ending}", game("Result"))
    } else {
        let ply = board.get("org.dgtd.Game1", "Ply").and_then(Value::as_u64).unwrap_or_default();
        format!("{}, {ply} half-moves", game("State"))
    };
    [
        board.name().to_owned(),
        text("Label"),
        text("State"),
        text("Port"),
        played,
        game("LastSan").to_owned(),
    ]
}

fn print_alert(out: &mut dyn Write, alert: &Object) -> io::Result<()> {
    let alert = &alert["org.dgtd.Alert1"];
    let text = |key: &str| alert.get(key).and_then(Value::as_str).unwrap_or_default();
    let id = alert.get("Id").and_then(Value::as_u64).unwrap_or_default();
    // The body is a whole sentence: the title would say the same once more.
    let (who, what) = match (text("Label"), text("Body")) {
        (_, "") => ("", text("Title")),
        ("", body) => (object_name(text("Board")), body),
        (label, body) => (label, body),
    };
    let colon = if who.is_empty() { "" } else { ": " };
    writeln!(out, "alert {id} ({}): {who}{colon}{what}", text("Severity"))
}

/// A board's properties, one object for each interface.
pub fn board_json(board: &BoardObject) -> Value {
    let mut document = Map::new();
    document.insert("name".into(), board.name().into());
    document.insert("path".into(), board.path.as_str().into());
    for (key, interface) in
        [("board", "org.dgtd.Board1"), ("clock", "org.dgtd.Clock1"), ("game", "org.dgtd.Game1")]
    {
        if let Some(properties) = board.object.get(interface) {
            document.insert(key.into(), json!(properties));
        }
    }
    if !board.arbiter_only.is_empty() {
        document.insert("arbiter_only".into(), json!(board.arbiter_only));
    }
    document.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(fields: &[(&str, &str)]) -> String {
        let mut alert: std::collections::BTreeMap<String, Value> =
            fields.iter().map(|(key, value)| ((*key).to_owned(), Value::from(*value))).collect();
        alert.insert("Id".into(), 7.into());
        let object: Object = [("org.dgtd.Alert1".to_owned(), alert)].into();
        let mut out = Vec::new();
        print_alert(&mut out, &object).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn an_alert_says_everything_once() {
        let over = [
            ("Severity", "urgent"),
            ("Board", "/org/dgtd/boards/sn_01025"),
            ("Title", "01025: checkmate"),
            ("Body", "the game is over: 0-1, checkmate (Article 5.1.1)"),
        ];
        assert_eq!(
            shown(&over),
            "alert 7 (urgent): 01025: the game is over: 0-1, checkmate (Article 5.1.1)\n"
        );
        let mut labelled = over.to_vec();
        labelled.push(("Label", "Table 7"));
        assert!(shown(&labelled).starts_with("alert 7 (urgent): Table 7: the game is over"));
        assert_eq!(shown(&[("Severity", "notice"), ("Title", "x: y")]), "alert 7 (notice): x: y\n");
    }
}
