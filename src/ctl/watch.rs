//! `dgtctl watch` without a screen: events as they come, those missed meanwhile included.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal as _, Write as _},
};

use clap::Args;
use futures_util::StreamExt as _;
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use zbus::{MatchRule, MessageStream, OwnedVariant, fdo::DBusProxy, message::Type};

use super::{CtlError, client::Client, input, json, plain};
use crate::signals::{
    dbus::{ARBITER_NAME, NAME, ROOT},
    words,
};

type Fields = BTreeMap<String, OwnedVariant>;
type EventBody = (u64, u64, zbus::OwnedObjectPath, String, String, String, Fields);
type Events = (String, Vec<EventBody>, bool);

/// What the forwarding tasks bring.
enum Heard {
    Event(Box<EventBody>),
    /// The daemon came (true) or left.
    Daemon(bool),
    Lost,
}

/// `dgtctl watch`
#[derive(Debug, Args)]
pub struct Watch {
    /// Only this board: name, serial number or label
    board: Option<String>,
    /// Print a line for each event in place of the screen
    #[arg(long)]
    lines: bool,
    /// Print lines, beginning with the events numbered above this
    #[arg(long, value_name = "SEQ")]
    after: Option<u64>,
    /// Print the hall as it is now, and end
    #[arg(long, conflicts_with_all = ["lines", "after", "board"])]
    once: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Watch {
    /// One look at the hall is asked for.
    pub fn once(&self) -> bool {
        self.once
    }

    /// As JSON.
    pub fn json(&self) -> bool {
        self.json
    }

    /// The board it is about.
    pub fn board(&self) -> Option<String> {
        self.board.clone()
    }

    /// It is a screen: there is a terminal, and no lines are asked for.
    pub fn is_screen(&self) -> bool {
        let lines = self.lines || self.json || self.after.is_some();
        !lines && io::stdout().is_terminal() && io::stdin().is_terminal()
    }
}

/// Prints events until interrupted.
pub async fn run(client: Client, watch: &Watch) -> Result<(), CtlError> {
    let Watch { after, json: as_json, .. } = *watch;
    let path = match &watch.board {
        Some(name) => Some(client.board(name).await?.path),
        None => None,
    };
    // All events for the arbiter's people; for others the public ones.
    let secret = client.objects(ARBITER_NAME).await.is_ok();
    let name = if secret { ARBITER_NAME } else { NAME };
    // Subscribe first, read second.
    let mut heard = listen(&client, name).await?;
    let mut printer = Printer { path, as_json, last: after.unwrap_or(0) };
    if after.is_some() {
        printer.catch_up(&client, name).await?;
    }
    if !as_json && !secret {
        eprintln_quietly("only public events: you are not in group dgtd-arbiters");
    }
    while let Some(heard) = heard.recv().await {
        match heard {
            Heard::Event(event) => {
                if printer.last != 0 && event.0 > printer.last + 1 {
                    printer.catch_up(&client, name).await?;
                }
                printer.print(&event)?;
            }
            Heard::Daemon(here) => {
                if !as_json {
                    eprintln_quietly(if here { "dgtd is back" } else { "dgtd has left" });
                }
                if here && printer.last != 0 {
                    printer.catch_up(&client, name).await?;
                }
            }
            Heard::Lost => return Err(CtlError::Lost),
        }
    }
    Err(CtlError::Lost)
}

fn eprintln_quietly(text: &str) {
    // If stderr is closed there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "dgtctl: {text}");
}

/// One task for each stream that does nothing but forward: an unread stream would stop the whole
/// connection.
async fn listen(
    client: &Client,
    name: &'static str,
) -> Result<mpsc::UnboundedReceiver<Heard>, CtlError> {
    let (sender, heard) = mpsc::unbounded_channel();
    let rule = MatchRule::builder()
        .msg_type(Type::Signal)
        .sender(name)
        .interface("org.dgtd.Journal1")
        .member("Event")
        .build()?;
    let mut events = MessageStream::for_match_rule(
        rule,
        &client.connection,
        Some(256.try_into().map_err(|_| CtlError::Lost)?),
    )
    .await?;
    let dbus = DBusProxy::new(&client.connection).await?;
    let mut owners = dbus.receive_name_owner_changed_with_args(&[(0, name)]).await?;
    let events_to = sender.clone();
    tokio::spawn(async move {
        while let Some(Ok(message)) = events.next().await {
            let Ok(body) = message.body().deserialize::<EventBody>() else { continue };
            if events_to.send(Heard::Event(Box::new(body))).is_err() {
                return;
            }
        }
        // Nobody listens any more: fine.
        let _ = events_to.send(Heard::Lost);
    });
    tokio::spawn(async move {
        while let Some(change) = owners.next().await {
            let here = change.args().is_ok_and(|args| args.new_owner().is_some());
            if sender.send(Heard::Daemon(here)).is_err() {
                return;
            }
        }
    });
    Ok(heard)
}

struct Printer {
    path: Option<String>,
    as_json: bool,
    last: u64,
}

impl Printer {
    /// Prints what the journal has beyond the last event.
    async fn catch_up(&mut self, client: &Client, name: &str) -> Result<(), CtlError> {
        loop {
            let body = (self.last, 500_u32, Fields::new());
            let (_, events, more): Events =
                client.call_to(name, ROOT, "org.dgtd.Journal1", "GetEvents", &body).await?;
            for event in &events {
                self.print(event)?;
            }
            if !more || events.is_empty() {
                return Ok(());
            }
        }
    }

    fn print(&mut self, event: &EventBody) -> Result<(), CtlError> {
        let (seq, usec, path, _, kind, text, fields) = event;
        if *seq <= self.last {
            return Ok(());
        }
        self.last = *seq;
        if self.path.as_ref().is_some_and(|own| own != path.as_str()) {
            return Ok(());
        }
        let fields = fields.iter().map(|(key, v)| (key.clone(), json::value(v)));
        let line = json::event_line(fields);
        let mut out = io::stdout().lock();
        if self.as_json {
            writeln!(out, "{}", Value::Object(line))?;
        } else {
            writeln!(out, "{}", for_people(*usec, kind, &plain::line(text), &line))?;
        }
        out.flush()?;
        Ok(())
    }
}

fn for_people(usec: u64, kind: &str, text: &str, line: &Map<String, Value>) -> String {
    let time = crate::signals::hub::rfc3339(usec);
    let clock = time.get(11..19).unwrap_or_default();
    let word = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or_default();
    let who = if word("label").is_empty() { word("board") } else { word("label") };
    let mark = if kind == "game_over" { "*** " } else { "" };
    let text = if text.is_empty() {
        serde_json::from_value(Value::Object(line.clone())).map_or_else(
            |_| kind.replace('_', " "),
            |event| words::sentence(&input::language(), &event, None),
        )
    } else {
        text.to_owned()
    };
    format!("{clock}Z {who}: {mark}{text}")
}
