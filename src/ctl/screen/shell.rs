//! The terminal, the feed and the calls around the model.

use std::{
    io::{self, Stdout},
    sync::OnceLock,
    thread,
    time::Duration,
};

use ratatui::{
    Terminal,
    crossterm::{
        cursor, event, execute,
        terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
    },
    prelude::CrosstermBackend,
};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::mpsc,
};

use super::{
    call::{self, Answer},
    draw::{self, Theme},
    model::{Effect, Input, Model, Now, Purpose},
    words::Words,
};
use crate::{
    ctl::{
        CtlError,
        hosts::{self, Feed, Host, HostsFile, Interest},
    },
    daemon::clock::{BoardClock, wall_micros},
    units::Stamp,
};

/// The events it needs beside the properties: the times of a clock come with moves.
pub(super) const KINDS: [&str; 1] = ["move"];
/// How often clocks are drawn anew.
const SECOND: Duration = Duration::from_secs(1);
/// The shortest time between two drawings: a burst of news is one drawing.
const APART: Duration = Duration::from_millis(50);
/// How often the thread that reads keys looks whether it is still needed.
const LOOK: Duration = Duration::from_millis(500);

/// Shows the screen until it is left.
pub async fn run(hosts: &[Host], file: &HostsFile, board: Option<String>) -> Result<(), CtlError> {
    let words = Words(super::once::language(file));
    let interest = Interest { kinds: &KINDS, boards: true };
    // The line goes out first: the daemons answer while the terminal is made ready.
    let feed = hosts::follow(hosts, interest, Vec::new());
    let mut stop = Stop::listen()?;
    let terminal = Screen::open()?;
    let (answer, answers) = mpsc::unbounded_channel();
    let theme = Theme { colours: colours(|name| std::env::var(name).ok()) };
    let model = Model::new(hosts, words, board);
    let clock = BoardClock::live();
    let shell = Shell { terminal, theme, model, feed, answer, clock };
    shell.run(answers, keys(), &mut stop).await
}

/// Whether colours may be used: not with `NO_COLOR`, nor on a terminal that says it has none.
fn colours(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name| variable(name).filter(|value| !value.is_empty());
    let plain = |term: &str| {
        term == "dumb" || term.starts_with("vt") || term.ends_with("-mono") || term.ends_with("-m")
    };
    set("NO_COLOR").is_none() && set("TERM").is_some_and(|term| !plain(&term))
}

struct Shell {
    terminal: Screen,
    theme: Theme,
    model: Model,
    feed: Feed,
    answer: mpsc::UnboundedSender<(Purpose, Answer)>,
    clock: BoardClock,
}

impl Shell {
    async fn run(
        mut self,
        mut answers: mpsc::UnboundedReceiver<(Purpose, Answer)>,
        mut keys: mpsc::Receiver<event::Event>,
        stop: &mut Stop,
    ) -> Result<(), CtlError> {
        let size = self.terminal.terminal.size()?;
        self.model.step(self.now(), Input::Size(size.width, size.height));
        let mut second = tokio::time::interval(SECOND);
        second.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut drawn = Stamp::ZERO;
        let mut changed = true;
        loop {
            let wait = (drawn + APART).since(self.clock.now());
            let input = tokio::select! {
                // A key first: it is answered even in a flood of news.
                biased;
                () = stop.asked() => return Ok(()),
                key = keys.recv() => match key {
                    Some(event::Event::Key(key)) if key.kind != event::KeyEventKind::Release => {
                        drawn = Stamp::ZERO;
                        Input::Key(key)
                    }
                    Some(event::Event::Resize(columns, rows)) => Input::Size(columns, rows),
                    Some(_) => continue,
                    // The terminal is gone.
                    None => return Ok(()),
                },
                () = tokio::time::sleep(wait), if changed => {
                    self.draw()?;
                    (drawn, changed) = (self.clock.now(), false);
                    continue;
                }
                Some((purpose, answer)) = answers.recv() => Input::Answer(purpose, answer),
                told = self.feed.next() => match told {
                    Some(told) => Input::News(told.host, told.what),
                    None => return Ok(()),
                },
                _ = second.tick() => Input::Tick,
            };
            let now = self.now();
            for effect in self.model.step(now, input) {
                match effect {
                    Effect::Quit => return Ok(()),
                    Effect::Redraw => self.terminal.terminal.clear()?,
                    Effect::Call(purpose, calls) => self.call(purpose, calls),
                }
            }
            changed = true;
        }
    }

    fn now(&self) -> Now {
        Now { stamp: self.clock.now(), wall: wall_micros() }
    }

    fn draw(&mut self) -> io::Result<()> {
        let (model, theme) = (&self.model, self.theme);
        self.terminal.terminal.draw(|frame| {
            let area = frame.area();
            draw::draw(model, theme, area, frame.buffer_mut());
        })?;
        Ok(())
    }

    fn call(&self, purpose: Purpose, calls: Vec<call::Call>) {
        let client = calls.first().and_then(|call| self.feed.client(call.host));
        let answer = self.answer.clone();
        tokio::spawn(async move {
            let came = call::perform(client, calls).await;
            // The screen was left meanwhile.
            let _ = answer.send((purpose, came));
        });
    }
}

/// A thread that waits for keys; it ends when nobody asks for them any more.
fn keys() -> mpsc::Receiver<event::Event> {
    let (sender, keys) = mpsc::channel(64);
    thread::spawn(move || {
        while !sender.is_closed() {
            match event::poll(LOOK) {
                Ok(false) => {}
                Ok(true) => {
                    let Ok(event) = event::read() else { return };
                    if sender.blocking_send(event).is_err() {
                        return;
                    }
                }
                Err(_) => return,
            }
        }
    });
    keys
}

/// The terminal while the screen is on it. Dropping it gives it back as it was.
struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    fn open() -> io::Result<Screen> {
        restore_on_panic();
        enable_raw_mode()?;
        let mut out = io::stdout();
        let open = execute!(out, EnterAlternateScreen, cursor::Hide)
            .and_then(|()| Terminal::new(CrosstermBackend::new(out)));
        match open {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(e) => {
                restore();
                Err(e)
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    // A terminal that is gone needs nothing.
    let _ = execute!(io::stdout(), LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
}

/// The words of a panic must be read on the terminal as it was.
fn restore_on_panic() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            before(panic);
        }));
    });
}

/// The signals that end it.
struct Stop([Signal; 4]);

impl Stop {
    fn listen() -> io::Result<Stop> {
        let kinds = [
            SignalKind::terminate(),
            SignalKind::interrupt(),
            SignalKind::hangup(),
            SignalKind::quit(),
        ];
        let [a, b, c, d] = kinds.map(signal);
        Ok(Stop([a?, b?, c?, d?]))
    }

    async fn asked(&mut self) {
        let [a, b, c, d] = &mut self.0;
        tokio::select! {
            _ = a.recv() => {}
            _ = b.recv() => {}
            _ = c.recv() => {}
            _ = d.recv() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_used_where_they_are_wanted_and_there() {
        for (set, wanted) in [
            (&[("TERM", "xterm-256color")][..], true),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "1")], false),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "")], true),
            (&[("TERM", "dumb")], false),
            (&[("TERM", "vt220")], false),
            (&[], false),
        ] {
            let get = |name: &str| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(colours(get), wanted, "{set:?}");
        }
    }
}
