//! A capture in place of a port: its records at their own times, all deadlines met exactly.

use std::time::Duration;

use tracing::{error, info};

use super::Board;
use crate::{
    arbiter::Input,
    capture::{Record, What},
    units::Stamp,
};

/// How long the last position of a capture is taken to stand.
const STILL_AT_THE_END: Duration = Duration::from_secs(15);

impl Board {
    /// A record of a capture, after all that was due before it.
    pub(super) async fn play(&mut self, record: Record) {
        // A cable pulled in the last record says nothing: the capture ended so.
        if let Some(at) = self.pulled.take() {
            self.wait_until(at).await;
            self.plugged = false;
            self.replay(Input::Detached, at).await;
        }
        self.wait_until(record.at).await;
        self.last = self.last.max(record.at);
        let now = self.last;
        if !self.plugged && matches!(record.what, What::FromBoard(_) | What::Connected) {
            self.plugged = true;
            let name = self.attachment.as_ref().map(|a| a.name.clone()).unwrap_or_default();
            self.replay(Input::Attached { port: &name }, now).await;
        }
        match record.what {
            What::FromBoard(bytes) => self.replay(Input::Bytes(&bytes), now).await,
            What::ToBoard(bytes) => self.replay(Input::Overheard(&bytes), now).await,
            What::Disconnected => self.pulled = Some(now),
            What::Connected | What::Remark(_) => {}
        }
    }

    /// All that is due until then.
    async fn wait_until(&mut self, until: Stamp) {
        // A deadline in the past would be asked for again for ever.
        let mut met = None;
        while let Some(due) = self.arbiter.deadline() {
            let due = due.max(self.last);
            if due > until || met == Some(due) {
                return;
            }
            met = Some(due);
            self.last = due;
            self.replay(Input::Timeout, due).await;
        }
    }

    /// One input, and the answers to what it asks: in a capture's time searches take no time.
    async fn replay(&mut self, input: Input<'_>, now: Stamp) {
        self.step(input, now).await;
        while let Some(answer) = self.answers.join_next().await {
            match answer {
                Ok(answer) => self.step(Input::Answer(answer), now).await,
                Err(e) => self.search_failed(&e),
            }
        }
    }

    /// The capture cannot be read on: it ends here, and whoever looks at the board is told why.
    pub(super) async fn spoilt(&mut self, why: String) {
        self.end_of_capture().await;
        let board = self.setup.id.as_str();
        error!(board, "the capture cannot be played on: {why}");
        self.change_view(|view| view.error = why);
    }

    pub(super) async fn end_of_capture(&mut self) {
        let now = self.last;
        self.guarded(now, |arbiter, out| {
            let end = arbiter.settle(now, now + STILL_AT_THE_END, out);
            arbiter.finish(end, out);
        });
        self.deliver().await;
        // That its board is gone now is no news: nothing was lost.
        self.guarded(now, |arbiter, out| {
            arbiter.advance(Input::Detached, now, out);
            out.clear();
        });
        self.rescue.restart(&self.arbiter);
        self.attachment = None;
        self.plugged = false;
        self.show();
        info!(board = self.setup.id.as_str(), "the capture is at its end");
    }
}
