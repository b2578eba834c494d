//! The program under test as a [`Subject`]: the same synchronous core that the daemon runs.

use dgtd::{
    arbiter::{
        self, Arbiter, EventKind, Input, Options, Request, event::ConfirmedBy, request::NewGame,
    },
    units::{Ply, Stamp},
};

use super::subject::{By, Event, Output, Subject};

/// One board's core.
pub struct Ours {
    arbiter: Arbiter,
    out: Vec<arbiter::Output>,
}

impl Ours {
    /// A core with default settings.
    pub fn new() -> Ours {
        let board = "sim".parse().expect("a board's name");
        Ours { arbiter: Arbiter::new(board, Options::default()), out: Vec::new() }
    }

    fn take(&mut self, input: Input<'_>, now: u64) -> Vec<Output> {
        self.arbiter.advance(input, Stamp::from_nanos(now), &mut self.out);
        self.collect(now)
    }

    fn collect(&mut self, now: u64) -> Vec<Output> {
        let mut outputs = Vec::new();
        while !self.out.is_empty() {
            for output in std::mem::take(&mut self.out) {
                match output {
                    arbiter::Output::Send(command) => {
                        outputs.push(Output::Command(command.bytes().to_vec()));
                    }
                    arbiter::Output::Event(event) => {
                        outputs.extend(said(event.kind).map(Output::Event));
                    }
                    arbiter::Output::Ask(question) => {
                        let answer = Input::Answer(question.work_out());
                        self.arbiter.advance(answer, Stamp::from_nanos(now), &mut self.out);
                    }
                    arbiter::Output::StatusChanged => {}
                }
            }
        }
        outputs
    }
}

impl Subject for Ours {
    fn attach(&mut self, now: u64) -> Vec<Output> {
        self.take(Input::Attached { port: "sim" }, now)
    }

    fn detach(&mut self, now: u64) -> Vec<Output> {
        self.take(Input::Detached, now)
    }

    fn bytes(&mut self, now: u64, bytes: &[u8]) -> Vec<Output> {
        self.take(Input::Bytes(bytes), now)
    }

    fn timeout(&mut self, now: u64) -> Vec<Output> {
        self.take(Input::Timeout, now)
    }

    fn told(&mut self, now: u64, fen: &str, chess960: bool) -> Vec<Output> {
        let new = NewGame { fen: Some(fen.into()), chess960, ..NewGame::default() };
        self.arbiter
            .request(Request::NewGame(new), Stamp::from_nanos(now), &mut self.out)
            .expect("the position of a game");
        self.collect(now)
    }

    fn deadline(&self) -> Option<u64> {
        self.arbiter.deadline().map(Stamp::as_nanos)
    }
}

fn said(kind: EventKind) -> Option<Event> {
    let name = |value: &dyn erased::Name| value.name();
    Some(match kind {
        EventKind::GameStarted { fen, .. } => Event::GameStarted { fen },
        EventKind::Provisional { ply: Ply(ply), uci, .. } => {
            Event::Provisional { ply: ply as usize, uci }
        }
        EventKind::Move { ply: Ply(ply), uci, made, by, exact, .. } => Event::Move {
            ply: ply as usize,
            uci,
            made: made.as_nanos(),
            by: match by {
                ConfirmedBy::Press => By::Press,
                ConfirmedBy::Reply => By::Reply,
                ConfirmedBy::Still => By::Still,
                // No simulated board sends its log.
                ConfirmedBy::Log => return None,
            },
            exact,
        },
        EventKind::Takeback { to_ply: Ply(to), .. } => Event::Takeback { to_ply: to as usize },
        EventKind::GameOver { reason, ply: Ply(ply), .. } => {
            Event::GameOver { reason: name(&reason), ply: ply as usize }
        }
        EventKind::GameOverWithdrawn { .. } => Event::GameOverWithdrawn,
        EventKind::ResultSignalled { result, .. } => Event::ResultSignalled { result },
        EventKind::GameEnded { .. } => Event::GameEnded,
        EventKind::Attention { kind, .. } => Event::Attention { kind: name(&kind) },
        _ => return None,
    })
}

mod erased {
    //! The names that events have in JSON.

    pub trait Name {
        fn name(&self) -> String;
    }

    impl<T: serde::Serialize> Name for T {
        fn name(&self) -> String {
            let value = serde_json::to_value(self).expect("an event's name");
            value.as_str().expect("a string").to_owned()
        }
    }
}
