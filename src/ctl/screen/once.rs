//! One look at the hall: as text or as JSON.

use std::{
    io::{self, Write as _},
    time::Duration,
};

use serde_json::{Value, json};

use super::{
    draw,
    hall::{Line, Pc},
    model::{Input, Model, Now},
    shell::KINDS,
    words::Words,
};
use crate::{
    ctl::{
        Answer, CtlError,
        hosts::{self, Host, HostsFile, Interest},
        input,
        status::board_json,
    },
    daemon::clock::{BoardClock, wall_micros},
    laws::text::Language,
};

/// How long PCs that do not answer are waited for.
const PATIENCE: Duration = Duration::from_secs(12);
/// Columns of the text where nobody says how many there are.
const COLUMNS: u16 = 120;

/// The language of `hosts.toml`, else that of the login.
pub fn language(file: &HostsFile) -> Language {
    match &file.language {
        Some(language) => Language::choose(language),
        None => input::language(),
    }
}

/// Prints the hall as it is; [`Answer::No`] if no PC could be heard.
pub async fn run(hosts: &[Host], file: &HostsFile, as_json: bool) -> Result<Answer, CtlError> {
    let mut model = Model::new(hosts, Words(language(file)), None);
    let clock = BoardClock::live();
    let mut feed = hosts::follow(hosts, Interest { kinds: &KINDS, boards: false }, Vec::new());
    let all = async {
        while !model.hall.is_known() {
            let Some(told) = feed.next().await else { return };
            let now = Now { stamp: clock.now(), wall: wall_micros() };
            model.step(now, Input::News(told.host, told.what));
        }
    };
    // Who has not answered by then is shown as such.
    let _ = tokio::time::timeout(PATIENCE, all).await;
    let mut out = io::stdout().lock();
    if as_json {
        writeln!(out, "{}", document(&model))?;
    } else {
        let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let columns = columns.or_else(terminal).unwrap_or(COLUMNS).clamp(80, 400);
        for line in draw::sheet(&model, columns) {
            writeln!(out, "{line}")?;
        }
    }
    let heard = model.hall.pcs.iter().any(|pc| pc.line == Line::Up);
    Ok(if heard { Answer::Yes } else { Answer::No })
}

/// Columns of the terminal, when the output goes to one.
fn terminal() -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    (size.ws_col > 0).then_some(size.ws_col)
}

fn document(model: &Model) -> Value {
    let pc = |pc: &Pc| {
        let (state, fault, help) = match &pc.line {
            Line::Unknown => ("unknown", Value::Null, Value::Null),
            Line::Up => ("up", Value::Null, Value::Null),
            Line::Down(fault) => ("down", fault.to_string().into(), Value::from(fault.help())),
        };
        let boards: Vec<Value> =
            pc.boards.values().map(|board| board_json(&board.object)).collect();
        let alerts: Vec<_> = pc.alerts.values().map(|open| &open.alert).collect();
        json!({
            "name": pc.name,
            "hall": pc.hall,
            "state": state,
            "fault": fault,
            "help": help,
            "rights": pc.rights,
            "boards": boards,
            "alerts": alerts,
        })
    };
    let clashes = model
        .hall
        .clashes()
        .into_iter()
        .map(|((hall, label), pcs)| json!({ "hall": hall, "label": label, "hosts": pcs }));
    json!({
        "hosts": model.hall.pcs.iter().map(pc).collect::<Vec<_>>(),
        "clashes": clashes.collect::<Vec<_>>(),
    })
}
