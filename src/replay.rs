//! A capture through the very code that runs live, in the capture's own time.
//!
//! In: records of a capture. Out: what the arbiter would have been told. Refuses to know: files,
//! clocks; a replay takes as long as the computing does.

use std::time::Duration;

use crate::{
    arbiter::{Arbiter, Event, Input, Options, Output, Refusal, Request},
    capture::{Record, What},
    link::LinkOptions,
    units::{BoardId, Stamp},
};

/// How long the board is taken to stand still after the last record, so that what it showed last
/// can be confirmed.
const STILL_AT_THE_END: Duration = Duration::from_secs(15);

/// One board's capture being replayed.
#[derive(Clone, Debug)]
pub struct Replay {
    arbiter: Arbiter,
    attached: bool,
    now: Stamp,
    /// A cable pulled in the last record: it only counts if something follows.
    pulled: Option<Stamp>,
    outputs: Vec<Output>,
}

impl Replay {
    /// A replay of a board watched so. Nothing is sent to a board, and its silence is not noticed:
    /// the capture holds what it holds.
    pub fn new(board: BoardId, options: Options) -> Replay {
        let link = LinkOptions { passive: true, ..options.link };
        Replay {
            arbiter: Arbiter::new(board, Options { link, ..options }),
            attached: false,
            now: Stamp::ZERO,
            pulled: None,
            outputs: Vec::new(),
        }
    }

    /// The arbiter, as it stands after the last record.
    pub fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    /// Asks something of the board, at the time of the last record.
    pub fn request(&mut self, request: Request, events: &mut Vec<Event>) -> Result<(), Refusal> {
        let answer = self.arbiter.request(request, self.now, &mut self.outputs).map(|_| ());
        self.collect(events);
        answer
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
    }

    /// The capture is at its end: lets the last position stand for a while and closes the record.
    pub fn finish(&mut self, events: &mut Vec<Event>) {
        let end = self.now + STILL_AT_THE_END;
        let closed = self.arbiter.settle(self.now, end, &mut self.outputs);
        self.collect(events);
        self.arbiter.finish(closed, &mut self.outputs);
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
