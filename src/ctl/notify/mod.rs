//! `dgtctl notify`: what the arbiter must know, on his desktop.
//!
//! In: what the daemons of the hall tell ([`hosts`](super::hosts)), what the user does with the
//! notifications. Out: notifications, acknowledgements, a file of what was shown. Refuses to know:
//! chess; whether a game is over is the daemon's word.

mod desktop;
mod memory;
mod note;
mod rules;
mod screen;
mod show;
mod side;
mod words;

use std::{path::PathBuf, pin::Pin, sync::Arc, time::Duration};

use clap::Args;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::mpsc,
    time::Sleep,
};

use super::{
    CtlError,
    client::{Client, options},
    hosts::{self, Feed, Host, HostsFile, Interest, News},
    input,
};
use crate::{daemon::clock::BoardClock, laws::text::Language, signals::dbus::NAME, units::Stamp};
use desktop::{Desktop, Order, Reply};
use memory::Memory;
use note::AlertKey;
use rules::{Answer, Desk, Effect, Input};
use words::Words;

/// The events it needs beside the open alerts: what it missed, and why an alert went.
const KINDS: [&str; 3] = ["game_over", "game_over_withdrawn", "acknowledged"];
/// The sound of an end of a game, of the freedesktop sound names.
const SOUND: &str = "dialog-warning";
/// How long the memory may be behind when nothing on the screen changed.
const WRITE_AT_LEAST: Duration = Duration::from_secs(30);
/// How long it may be behind when something did.
const WRITE_SOON: Duration = Duration::from_millis(200);

/// Shows ends of games on the desktop
#[derive(Debug, Args)]
pub struct Notify {
    /// Where it is kept what was shown; without it notify.json in ~/.local/state/dgtd
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
}

/// Shows until it is ended.
pub async fn run(notify: &Notify, hosts: Vec<Host>, file: HostsFile) -> Result<(), CtlError> {
    let clock = BoardClock::live();
    let words = Words(match &file.language {
        Some(language) => Language::choose(language),
        None => input::language(),
    });
    let path = notify.memory.clone().or_else(|| memory::standard(|name| std::env::var_os(name)));
    let memory = match path.as_deref().map(memory::read) {
        None => Memory::default(),
        Some(Ok(memory)) => memory,
        Some(Err(e)) => {
            let file = path.as_deref().map(|p| p.display().to_string()).unwrap_or_default();
            input::note(&words.no_memory(file, e.to_string()));
            Memory::default()
        }
    };
    let desk = Desk::new(&hosts, memory);
    let interest = Interest { kinds: &KINDS, boards: false };
    let feed = hosts::follow(&hosts, interest, desk.positions());
    let sound = file.sound.unwrap_or_else(|| SOUND.to_owned());
    let (orders, replies) = Desktop::start(sound);
    let (answer, answers) = mpsc::unbounded_channel();
    let never = tokio::time::sleep(Duration::ZERO);
    let office = Office {
        clock,
        words,
        desk,
        feed,
        orders,
        answer,
        hosts,
        terminal: file.terminal,
        path,
        complained: None,
        written: Vec::new(),
        unwritten: None,
        terminals: show::Terminals::default(),
        said_server: None,
    };
    office.run(replies, answers, Box::pin(never)).await
}

/// Everything the desk needs around it.
struct Office {
    clock: BoardClock,
    words: Words,
    desk: Desk,
    feed: Feed,
    orders: mpsc::UnboundedSender<Order>,
    answer: mpsc::UnboundedSender<(AlertKey, Answer)>,
    hosts: Vec<Host>,
    terminal: Vec<String>,
    path: Option<PathBuf>,
    /// Why the memory cannot be written, when that was said.
    complained: Option<String>,
    /// The memory as it was last written.
    written: Vec<u8>,
    /// When the memory must be written at the latest.
    unwritten: Option<Stamp>,
    terminals: show::Terminals,
    /// What was last said of the server: there, or why not.
    said_server: Option<String>,
}

/// Why it ends.
enum End {
    Asked,
    NotAlone,
}

impl Office {
    async fn run(
        mut self,
        mut replies: mpsc::UnboundedReceiver<Reply>,
        mut answers: mpsc::UnboundedReceiver<(AlertKey, Answer)>,
        mut alarm: Pin<Box<Sleep>>,
    ) -> Result<(), CtlError> {
        let mut stop = Stop::listen()?;
        let end = loop {
            let input = tokio::select! {
                told = self.feed.next() => match told {
                    Some(told) => Input::News(told.host, told.what),
                    None => break End::Asked,
                },
                reply = replies.recv() => match self.heard(reply) {
                    Ok(Some(input)) => input,
                    Ok(None) => continue,
                    Err(end) => break end,
                },
                Some((alert, answer)) = answers.recv() => Input::Answered(alert, answer),
                () = &mut alarm => Input::Tick,
                () = stop.asked() => break End::Asked,
            };
            self.take(input);
            let now = self.clock.now();
            if self.unwritten.is_some_and(|at| at <= now) {
                self.remember();
            }
            let next = self.desk.due().into_iter().chain(self.unwritten).min();
            let wait = next.map_or(Duration::from_secs(3600), |at| at.since(now));
            alarm.set(tokio::time::sleep(wait));
        };
        match end {
            End::Asked => {
                self.remember();
                Ok(())
            }
            End::NotAlone => Err(CtlError::Said("error-not-alone", Vec::new())),
        }
    }

    /// What the notification server said, for the desk.
    fn heard(&mut self, reply: Option<Reply>) -> Result<Option<Input>, End> {
        Ok(Some(match reply {
            None => return Err(End::Asked),
            Some(Reply::NotAlone) => return Err(End::NotAlone),
            Some(Reply::NoSession(why)) => {
                let said = self.words.no_server(Some(&why));
                self.say_of_server(Some(said));
                return Ok(None);
            }
            Some(Reply::Server(server)) => {
                let said = server.is_none().then(|| self.words.no_server(None));
                // A bus that is away is said with its reason, which comes next.
                self.say_of_server(said);
                Input::Server(server)
            }
            Some(Reply::Posted(key, id, server)) => Input::Posted(key, id, server),
            Some(Reply::NotPosted(key)) => Input::NotPosted(key),
            Some(Reply::Closed(id, why)) => Input::Closed(id, why),
            Some(Reply::Pressed(id, button)) => Input::Pressed(id, button),
        }))
    }

    /// Says what is new of the server, once.
    fn say_of_server(&mut self, said: Option<String>) {
        if let Some(said) = &said
            && self.said_server.as_ref() != Some(said)
        {
            input::note(said);
        }
        self.said_server = said;
    }

    fn take(&mut self, input: Input) {
        let now = self.clock.now();
        let minor = matches!(input, Input::News(_, News::Reached(_) | News::State(_)));
        let tick = matches!(input, Input::Tick);
        let effects = self.desk.step(now, input);
        if !tick || !effects.is_empty() {
            let wait = if minor && effects.is_empty() { WRITE_AT_LEAST } else { WRITE_SOON };
            let at = now + wait;
            self.unwritten = Some(self.unwritten.map_or(at, |earlier| earlier.min(at)));
        }
        for effect in effects {
            if let Some(line) = self.words.log(&effect) {
                input::note(&line);
            }
            self.obey(effect);
        }
    }

    fn obey(&mut self, effect: Effect) {
        match effect {
            Effect::Post { key, note, replaces, sound } => {
                let text = Box::new(self.words.text(&note));
                // The task lives as long as this one.
                let _ = self.orders.send(Order::Post(key, text, replaces, sound));
            }
            Effect::Close(id) => {
                let _ = self.orders.send(Order::Close(id));
            }
            Effect::Acknowledge(host, alert) => {
                let (client, answer) = (self.feed.client(host), self.answer.clone());
                tokio::spawn(async move {
                    let came = acknowledge(client, alert.id).await;
                    // Nobody waits any more: it is told again next time.
                    let _ = answer.send((alert, came));
                });
            }
            Effect::Show(host, board) => {
                let Some(host) = self.hosts.get(host) else { return };
                let enter = self.words.enter();
                if let Err(command) = self.terminals.show(&self.terminal, host, &board, &enter) {
                    self.take(Input::NoTerminal(command));
                }
            }
            Effect::Broken(..) | Effect::Mended { .. } | Effect::Server(_) => {}
        }
    }

    fn remember(&mut self) {
        self.unwritten = None;
        let Some(path) = &self.path else { return };
        let bytes = memory::bytes(&self.desk.memory());
        if bytes == self.written {
            return;
        }
        let done = memory::write(path, &bytes);
        let complaint = done.err().map(|e| e.to_string());
        if let Some(why) = &complaint
            && self.complained.as_ref() != Some(why)
        {
            input::note(&self.words.no_memory(path.display().to_string(), why.clone()));
        }
        self.written = if complaint.is_none() { bytes } else { Vec::new() };
        self.complained = complaint;
    }
}

/// Tells a daemon that an alert was seen.
async fn acknowledge(client: Option<Arc<Client>>, id: u64) -> Answer {
    let Some(client) = client else { return Answer::Unheard };
    let path = crate::signals::dbus::alert_path(id);
    let given = options([("reason", "seen on the desktop".into())]);
    // An alert stands on one of the daemon's two names.
    for name in [NAME, crate::signals::dbus::ARBITER_NAME] {
        let called: Result<(), CtlError> =
            client.call_to(name, &path, "org.dgtd.Alert1", "Acknowledge", &given).await;
        match called {
            Ok(()) => return Answer::Done,
            Err(CtlError::NoRights(why)) => return Answer::Refused(why),
            // Not there, or not there any more.
            Err(CtlError::Refused { .. } | CtlError::TooOld(_)) => {}
            Err(_) => return Answer::Unheard,
        }
    }
    Answer::Done
}

/// The signals that end it.
struct Stop {
    terminate: Signal,
    interrupt: Signal,
}

impl Stop {
    fn listen() -> std::io::Result<Stop> {
        Ok(Stop {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn asked(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
