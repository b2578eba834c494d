//! A capture through the very code that runs live, in the capture's own time.
//!
//! In: records of a capture. Out: what the arbiter would have been told. Refuses to know: files,
//! clocks; a replay takes as long as the computing does.

use std::time::Duration;

use shakmaty::{CastlingMode, fen::Fen};

use crate::{
    arbiter::{Arbiter, Event, Input, Options, Output, Refusal, Request, request::NewGame},
    capture::{CaptureError, Record, Recording, What},
    units::{BoardId, Stamp},
};

/// How long the board is taken to stand still after the last record, so that what it showed last
/// can be confirmed.
const STILL_AT_THE_END: Duration = Duration::from_secs(15);

/// Replays a whole recording, from the first position that it names, if it does.
pub fn run(
    recording: &mut Recording,
    board: BoardId,
    options: Options,
) -> Result<Vec<Event>, CaptureError> {
    let mut replay = Replay::new(board, options);
    let mut events = Vec::new();
    let mut begun = false;
    while let Some(record) = recording.next() {
        let record = record?;
        if !std::mem::replace(&mut begun, true)
            && let Some(fen) = recording.start()
        {
            replay.start_with(first_game(fen)).map_err(|source| CaptureError::Start {
                file: recording.file().to_owned(),
                source,
            })?;
        }
        replay.record(&record, &mut events);
    }
    replay.finish(&mut events);
    Ok(events)
}

/// The game that the comment `# start:` of a capture asks for. Castling rights which only make sense
/// in Chess960 make it a game of Chess960.
pub fn first_game(fen: &str) -> NewGame {
    let chess960 = fen
        .trim()
        .parse::<Fen>()
        .is_ok_and(|parsed| CastlingMode::detect(parsed.as_setup()) == CastlingMode::Chess960);
    NewGame { fen: Some(fen.to_owned()), chess960, ..NewGame::default() }
}

/// One board's capture being replayed.
#[derive(Clone, Debug)]
pub struct Replay {
    arbiter: Arbiter,
    attached: bool,
    now: Stamp,
    /// A cable pulled in the last record: it only counts if something follows.
    pulled: Option<Stamp>,
    /// The game to be started as soon as the board has shown its squares.
    first: Option<NewGame>,
    outputs: Vec<Output>,
}

impl Replay {
    /// A replay of a board watched so. Nothing is sent to a board, and its silence is not noticed:
    /// the capture holds what it holds.
    pub fn new(board: BoardId, mut options: Options) -> Replay {
        options.link.passive = true;
        Replay {
            arbiter: Arbiter::new(board, options),
            attached: false,
            now: Stamp::ZERO,
            pulled: None,
            first: None,
            outputs: Vec::new(),
        }
    }

    /// The arbiter, as it stands after the last record.
    pub fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    /// The first game begins so, once the board has shown all its squares: as if somebody asked for
    /// it then, with [`Request::NewGame`]. Refused when that would be.
    pub fn start_with(&mut self, new: NewGame) -> Result<(), Refusal> {
        let mut trial = self.arbiter.clone();
        trial.request(Request::NewGame(new.clone()), self.now, &mut Vec::new())?;
        self.first = Some(new);
        Ok(())
    }

    /// Asks something of the board, at the time of the last record.
    pub fn request(&mut self, request: Request, events: &mut Vec<Event>) -> Result<(), Refusal> {
        let answer = self.arbiter.request(request, self.now, &mut self.outputs).map(|_| ());
        self.collect(events);
        answer
    }

    /// The moment at which something may happen before the next record.
    pub fn deadline(&self) -> Option<Stamp> {
        // A pulled cable is acted on when the next record shows that it was put back.
        self.arbiter.deadline().filter(|_| self.pulled.is_none())
    }

    /// Lets the time up to `until` pass, which the next record must not be before.
    pub fn idle_until(&mut self, until: Stamp, events: &mut Vec<Event>) {
        if self.pulled.is_none() {
            self.wait_until(until, events);
        }
    }

    /// Takes the next record; appends what the arbiter is told up to its time.
    pub fn record(&mut self, record: &Record, events: &mut Vec<Event>) {
        if let Some(at) = self.pulled.take() {
            self.wait_until(at, events);
            self.arbiter.advance(Input::Detached, at, &mut self.outputs);
            self.attached = false;
        }
        self.wait_until(record.at, events);
        if !self.attached && matches!(record.what, What::FromBoard(_) | What::Connected) {
            self.attached = true;
            self.advance(Input::Attached { port: "" }, record.at, events);
        }
        match &record.what {
            What::FromBoard(bytes) => self.advance(Input::Bytes(bytes), record.at, events),
            What::ToBoard(bytes) => self.advance(Input::Overheard(bytes), record.at, events),
            What::Disconnected => self.pulled = Some(record.at),
            What::Connected | What::Remark(_) => {}
        }
        self.collect(events);
        if self.first.is_some() && !self.arbiter.status().placement.is_empty() {
            self.start_first(events);
        }
    }

    fn start_first(&mut self, events: &mut Vec<Event>) {
        let Some(new) = self.first.take() else { return };
        // The initial array has begun its game by itself.
        let begun = self.arbiter.status().game.is_some_and(|game| new.fen == Some(game.fen));
        if !begun {
            // Not refused: `start_with` has tried it.
            let _ = self.request(Request::NewGame(new), events);
        }
    }

    /// The capture is at its end: lets the last position stand for a while and closes the record.
    pub fn finish(&mut self, events: &mut Vec<Event>) {
        let end = self.now + STILL_AT_THE_END;
        self.now = self.arbiter.settle(self.now, end, &mut self.outputs);
        self.collect(events);
        self.arbiter.finish(self.now, &mut self.outputs);
        self.collect(events);
    }

    fn wait_until(&mut self, until: Stamp, events: &mut Vec<Event>) {
        // A deadline in the past would be asked for again for ever.
        let mut last = None;
        while let Some(due) = self.arbiter.deadline() {
            let due = due.max(self.now);
            if due > until || last == Some(due) {
                break;
            }
            last = Some(due);
            self.advance(Input::Timeout, due, events);
        }
        self.now = self.now.max(until);
    }

    fn advance(&mut self, input: Input<'_>, at: Stamp, events: &mut Vec<Event>) {
        self.now = self.now.max(at);
        self.arbiter.advance(input, self.now, &mut self.outputs);
        self.collect(events);
    }

    fn collect(&mut self, events: &mut Vec<Event>) {
        while !self.outputs.is_empty() {
            let mut outputs = std::mem::take(&mut self.outputs);
            for output in outputs.drain(..) {
                match output {
                    Output::Event(event) => events.push(event),
                    Output::Ask(question) => {
                        let answer = Input::Answer(question.work_out());
                        self.arbiter.advance(answer, self.now, &mut self.outputs);
                    }
                    Output::Send(_) | Output::StatusChanged => {}
                }
            }
            if self.outputs.is_empty() {
                // Keeps the buffer for the next record.
                self.outputs = outputs;
                break;
            }
        }
    }
}
