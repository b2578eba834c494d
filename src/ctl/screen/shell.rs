//! The terminal, the feed and the calls around the model.

use std::{
    io::{self, Stdout},
    path::PathBuf,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
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
        pair,
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
    let (file, files) = mpsc::unbounded_channel();
    let theme = Theme { colours: colours(|name| std::env::var(name).ok()) };
    let model = Model::new(hosts, words, board);
    let clock = BoardClock::live();
    let shell = Shell { terminal, theme, model, feed, answer, file, clock };
    shell.run(answers, files, keys(), &mut stop).await
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
    file: mpsc::UnboundedSender<(u64, Result<Vec<u8>, String>)>,
    clock: BoardClock,
}

impl Shell {
    async fn run(
        mut self,
        mut answers: mpsc::UnboundedReceiver<(Purpose, Answer)>,
        mut files: mpsc::UnboundedReceiver<(u64, Result<Vec<u8>, String>)>,
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
            whole()?;
            let wait = (drawn + APART).since(self.clock.now());
            let input = tokio::select! {
                // A key first: it is answered even in a flood of news.
                biased;
                asked = stop.asked() => match asked {
                    Asked::End => return Ok(()),
                    Asked::GoOn => {
                        self.terminal.take_again()?;
                        changed = true;
                        continue;
                    }
                },
                key = keys.recv() => match key {
                    Some(event::Event::Key(key)) if key.kind != event::KeyEventKind::Release => {
                        drawn = Stamp::ZERO;
                        Input::Key(key)
                    }
                    Some(event::Event::Resize(columns, rows)) => Input::Size(columns, rows),
                    Some(event::Event::Paste(text)) => Input::Paste(text),
                    Some(_) => continue,
                    // The terminal is gone.
                    None => return Ok(()),
                },
                () = tokio::time::sleep(wait), if changed => {
                    whole()?;
                    self.draw()?;
                    (drawn, changed) = (self.clock.now(), false);
                    continue;
                }
                Some((purpose, answer)) = answers.recv() => Input::Answer(purpose, answer),
                Some((form, bytes)) = files.recv() => Input::File(form, bytes),
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
                    Effect::Redraw => {
                        fail_for_a_test();
                        self.terminal.terminal.clear()?;
                    }
                    Effect::Suspend => self.terminal.suspend()?,
                    Effect::Read(form, path) => self.read(form, path),
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

    fn read(&self, form: u64, path: String) {
        let (file, language) = (self.file.clone(), self.model.words.0.clone());
        // A thread of its own: what hangs does not keep the program from ending.
        thread::spawn(move || {
            let place = typed(&path, std::env::var_os("HOME").map(PathBuf::from));
            let failed = |source| CtlError::Read { path, source }.say(&language);
            // The screen was left meanwhile.
            let _ = file.send((form, pair::bytes(&place).map_err(failed)));
        });
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

/// Whether all parts of the program still work. If not, the terminal was given back: nothing may be
/// drawn on it any more.
fn whole() -> Result<(), CtlError> {
    if FAILED.load(Ordering::Relaxed) {
        return Err(CtlError::Said("error-failed", Vec::new()));
    }
    Ok(())
}

/// Fails where a test of a program built for tests asks for it: in this task, or in another.
#[cfg_attr(debug_assertions, expect(clippy::panic, reason = "it is asked for by a test"))]
fn fail_for_a_test() {
    #[cfg(debug_assertions)]
    match std::env::var("DGTCTL_FAIL").as_deref() {
        Ok("here") => panic!("made to fail by a test"),
        Ok("apart") => drop(tokio::spawn(async { panic!("made to fail by a test") })),
        _ => {}
    }
}

/// The path an arbiter typed: `~` is his home, as in a shell.
fn typed(path: &str, home: Option<PathBuf>) -> PathBuf {
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
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
        let open = take().and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match open {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(e) => {
                restore();
                Err(e)
            }
        }
    }

    /// Gives the terminal back and stops, as Ctrl-Z does elsewhere, until the shell goes on with it.
    fn suspend(&mut self) -> io::Result<()> {
        restore();
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TSTP)?;
        self.take_again()
    }

    /// Something else has used the terminal meanwhile.
    fn take_again(&mut self) -> io::Result<()> {
        take()?;
        self.terminal.clear()
    }
}

/// Whether the terminal is ours.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Something failed, here or in another task or thread.
static FAILED: AtomicBool = AtomicBool::new(false);

fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::Relaxed);
    enable_raw_mode()?;
    // What is pasted comes as text, and no line of it is a key that confirms something.
    execute!(io::stdout(), EnterAlternateScreen, event::EnableBracketedPaste, cursor::Hide)
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Once: what was written on the terminal since must stay readable.
fn restore() {
    if !TAKEN.swap(false, Ordering::Relaxed) {
        return;
    }
    // A terminal that is gone needs nothing.
    let _ =
        execute!(io::stdout(), event::DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
}

/// The words of a panic must be read on the terminal as it was.
fn restore_on_panic() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            FAILED.store(true, Ordering::Relaxed);
            restore();
            before(panic);
        }));
    });
}

/// The signals that end it, and the one that says it was stopped and goes on.
struct Stop([Signal; 4], Signal);

impl Stop {
    fn listen() -> io::Result<Stop> {
        let kinds = [
            SignalKind::terminate(),
            SignalKind::interrupt(),
            SignalKind::hangup(),
            SignalKind::quit(),
        ];
        let [a, b, c, d] = kinds.map(signal);
        let continued = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
        Ok(Stop([a?, b?, c?, d?], signal(continued)?))
    }

    async fn asked(&mut self) -> Asked {
        let Stop([a, b, c, d], continued) = self;
        tokio::select! {
            _ = a.recv() => Asked::End,
            _ = b.recv() => Asked::End,
            _ = c.recv() => Asked::End,
            _ = d.recv() => Asked::End,
            _ = continued.recv() => Asked::GoOn,
        }
    }
}

/// What a signal asks for.
enum Asked {
    End,
    GoOn,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_taken_as_a_shell_takes_it() {
        let home = || Some(PathBuf::from("/home/ana"));
        assert_eq!(typed("~/r.pgn", home()), PathBuf::from("/home/ana/r.pgn"));
        assert_eq!(typed("r ~.pgn", home()), PathBuf::from("r ~.pgn"));
        assert_eq!(typed("~/r.pgn", None), PathBuf::from("~/r.pgn"));
    }

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
