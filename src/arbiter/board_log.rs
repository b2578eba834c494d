//! The board's own log: when to ask for it, and taking over what it tells.
//!
//! It is asked for once after each loss of sight of a running game (cable out, board silent, program
//! started anew), and when a board shows what may be the middle of a game of which nothing is known. The
//! transfer takes over eight seconds in which nothing else is heard, so the board must have stood
//! still for two; the dump that the link asks for afterwards says what is on it, whatever was moved
//! meanwhile. A log that nobody asked for is taken as well.
//!
//! A board whose log shows that it was without power while its cable was out is not asked after a
//! cable again: it would say the same.
//!
//! Limit: play that goes on during the transfer is seen only in its outcome, or in a burst. Plies that
//! lead back to the same placement within these seconds are not counted.
//!
//! See [`board_log`](crate::tracker::board_log) for what makes a log believed, and what of it awaits a
//! real board.

use std::time::Duration;

use super::{Arbiter, AttentionKind, EventKind, Output, Question};
use crate::{
    link::{BoardEvent, Snapshot},
    tracker::{
        Note, Text, TrackEvent,
        board_log::{self, LogPly, Unsettled},
    },
    units::{Ply, Stamp},
    wire::EventLog,
};

/// The board must have stood still so long before it is asked.
const STILL: Duration = Duration::from_secs(2);
/// A log that has not come by then does not come.
const PATIENCE: Duration = Duration::from_secs(20);
/// So many losses of sight are looked into, the first and the last ones.
const MOST_FIRST: usize = 3;
const MOST_LAST: usize = 2;

/// Why the log is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// Sight of the running game was lost; by a cable, or otherwise.
    Lost { cable: bool },
    /// A game is on of which nothing is known.
    MidGame,
}

/// What is wanted of a board's log.
#[derive(Clone, Debug, Default)]
pub(super) struct BoardLog {
    why: Option<Why>,
    /// The board has shown its squares since.
    seen: bool,
    /// Since when nothing has changed on it.
    still: Stamp,
    asked: Option<Stamp>,
    /// It came; the dump after it has not.
    log: Option<Box<EventLog>>,
    /// The board loses its log with its cable.
    loses_power: bool,
    /// Whether what stood on the board at first has been looked at.
    begun: bool,
}

impl BoardLog {
    /// Sight of the board is lost.
    pub(super) fn lost(&mut self, cable: bool) {
        let cable = cable || self.why == Some(Why::Lost { cable: true });
        *self = BoardLog {
            why: Some(Why::Lost { cable }),
            loses_power: self.loses_power,
            begun: self.begun,
            ..BoardLog::default()
        };
    }

    /// A port was opened.
    pub(super) fn attached(&mut self) {
        if self.loses_power && self.why == Some(Why::Lost { cable: true }) {
            self.why = None;
        }
    }

    /// The log came, asked for or not.
    pub(super) fn arrived(&mut self, log: &EventLog) {
        if self.why.is_some() && self.seen {
            self.log = Some(Box::new(log.clone()));
        }
    }

    /// When to ask, or when to give up waiting.
    fn due(&self, ready: bool) -> Option<Stamp> {
        self.why.filter(|_| self.seen && self.log.is_none())?;
        match self.asked {
            Some(asked) => Some(asked + PATIENCE),
            None => ready.then_some(self.still + STILL),
        }
    }
}

impl Arbiter {
    pub(super) fn log_deadline(&self) -> Option<Stamp> {
        let ready = self.link.ready() && !self.options.link.passive;
        self.board_log.due(ready)
    }

    /// Asks for the log when it is time.
    pub(super) fn look_at_log(&mut self, now: Stamp, out: &mut Vec<Output>) {
        if self.log_deadline().is_none_or(|due| due > now) {
            return;
        }
        if self.board_log.asked.is_some() {
            self.unsettled(Unsettled::NotSent, now, out);
            self.board_log.why = None;
            self.tracker.hold_setup(now);
        } else if !self.log_may_help() {
            self.board_log.why = None;
        } else if self.tracker.in_a_hand() {
            self.board_log.still = now;
        } else if self.link.request_log(now, &mut self.linked) {
            self.board_log.asked = Some(now);
            self.obey_link(now, out);
        }
    }

    fn log_may_help(&self) -> bool {
        match self.board_log.why {
            Some(Why::Lost { .. }) => self.game.as_ref().is_some_and(|game| game.may_learn()),
            Some(Why::MidGame) => self.tracker.may_be_in_mid_game(),
            None => false,
        }
    }

    /// Takes note of what the board says, after the tracker has; reads the log when the dump after it
    /// has come.
    pub(super) fn seen_for_log(&mut self, event: &BoardEvent, now: Stamp, out: &mut Vec<Output>) {
        match event {
            BoardEvent::Changed { .. } => self.board_log.still = now,
            BoardEvent::Dump(squares) => {
                if !self.board_log.seen {
                    self.board_log.seen = true;
                    self.board_log.still = now;
                }
                if !std::mem::replace(&mut self.board_log.begun, true)
                    && !self.options.link.passive
                    && self.tracker.may_be_in_mid_game()
                {
                    self.board_log.why = Some(Why::MidGame);
                    self.tracker.hold_setup(now + STILL + PATIENCE);
                }
                if let Some(log) = self.board_log.log.take() {
                    self.read_log(&log, squares, now, out);
                }
            }
            _ => {}
        }
    }

    fn read_log(&mut self, log: &EventLog, squares: &Snapshot, now: Stamp, out: &mut Vec<Output>) {
        let helps = self.log_may_help();
        match self.board_log.why.take().filter(|_| helps) {
            Some(Why::Lost { cable }) => match self.settled_by(log, squares) {
                Ok((from, plies)) => self.close_gap(from, &plies, now, out),
                Err(why) => {
                    self.board_log.loses_power |= cable && why == Unsettled::PowerLost;
                    self.unsettled(why, now, out);
                }
            },
            Some(Why::MidGame) => {
                self.tracker.hold_setup(now);
                let game = board_log::whole_game(log, squares, self.options.timing);
                if let Ok((orientation, plies)) = game {
                    self.tracker.begin_from_log(orientation, &plies, now, &mut self.tracked);
                    self.obey_tracker(now, out);
                }
            }
            None => {}
        }
    }

    /// The earliest loss of sight from which on the log tells all that was played.
    fn settled_by(
        &self,
        log: &EventLog,
        squares: &Snapshot,
    ) -> Result<(Ply, Vec<LogPly>), Unsettled> {
        let mut why = Unsettled::NotFound;
        let losses = self.game.as_ref().map_or(&[][..], |game| game.losses());
        let skipped = MOST_FIRST..losses.len().saturating_sub(MOST_LAST);
        for (index, &from) in losses.iter().enumerate() {
            if skipped.contains(&index) {
                continue;
            }
            let Some(known) = self.tracker.known_up_to(from) else { continue };
            match board_log::played_since(log, &known, squares, self.options.timing) {
                Ok(plies) => return Ok((from, plies)),
                Err(unsettled) => why = unsettled,
            }
        }
        Err(why)
    }

    /// Takes over what was played after a ply.
    fn close_gap(&mut self, from: Ply, plies: &[LogPly], now: Stamp, out: &mut Vec<Output>) {
        let agreed = self.tracker.agrees_with_log(from, plies);
        self.tracker.give_up_after(agreed, now, &mut self.tracked);
        self.obey_tracker(now, out);
        let Some(game) = &mut self.game else { return };
        let open: Vec<Ply> = game.losses().iter().copied().filter(|&lost| lost < from).collect();
        let mut kinds = vec![EventKind::GapClosed { ply: from, open: open.clone() }];
        let question = game.gap_closed(from, &open, &mut kinds);
        let (number, ply) = (game.number(), game.ply());
        for kind in kinds {
            self.tell(kind, now, out);
        }
        if let Some(position) = question {
            out.push(Output::Ask(Question { game: number, ply, position: Box::new(position) }));
        }
        self.tracker.enter_log(from, plies, now, &mut self.tracked);
        self.obey_tracker(now, out);
    }

    /// The log does not help: told once, where the arbiter was told of moves that are not certain.
    fn unsettled(&mut self, why: Unsettled, now: Stamp, out: &mut Vec<Output>) {
        let doubtful = self.game.as_ref().is_some_and(|game| {
            let last = game.losses().last().copied();
            !game.closed() && last.is_some_and(|last| game.is_doubtful_after(last))
        });
        if doubtful {
            self.tracked.push(TrackEvent::Noted(Note {
                kind: AttentionKind::Gap,
                squares: Vec::new(),
                text: Text::LogUnsettled(why),
            }));
            self.obey_tracker(now, out);
        }
    }
}
