//! The board's own log: when to ask for it, and taking over what it tells.
//!
//! It is asked for after a loss of sight of a running game (cable out, board silent, program started
//! anew), and when a board shows what may be the middle of a game of which nothing is known. The
//! transfer takes over eight seconds in which nothing else is heard, so the board must have stood still:
//! for two seconds where the moves themselves are doubtful, for twenty where only the counters are.
//! A board that answers late or not at all is not asked, nor one on a line that has just been garbled.
//!
//! What the log tells reaches up to the moment it was asked for, and is held against what stood on the
//! board then. Whatever differs afterwards on the board or at the clock was done during the transfer,
//! and nobody saw how: sight counts as lost once more, the next dump is explained as after a pulled
//! cable, and the log is asked for again, a few times at most. A log that nobody asked for is not read.
//!
//! A log that tells other moves than those that were seen since the board came back is dropped, and
//! that is said.
//!
//! A board whose log shows that it was without power while its cable was out is not asked after a
//! cable again: it would say the same.
//!
//! Limit: a board without a clock that keeps the changes of these eight seconds to itself can hide
//! plies that lead back to the same placement within them.
//!
//! See [`board_log`](crate::tracker::board_log) for what makes a log believed, and what of it awaits a
//! real board.

use std::time::Duration;

use super::{Arbiter, AttentionKind, EventKind, Output, Question, live::LiveGame};
use crate::{
    link::{BoardEvent, Doubt, Snapshot},
    tracker::{
        Note, Text, TrackEvent,
        board_log::{self, LogPly, Unsettled},
    },
    units::{Ply, Stamp},
    wire::{ClockReading, Command, EventLog},
};

/// The board must have stood still so long before it is asked about moves.
const STILL: Duration = Duration::from_secs(2);
/// And so long where the moves are known, and only what is counted is not.
const STILL_TO_COUNT: Duration = Duration::from_secs(20);
/// A log that has not come by then does not come.
const PATIENCE: Duration = Duration::from_secs(20);
/// The transfer takes longer than this, and nothing else is told in it.
const TRANSFER: Duration = Duration::from_secs(5);
/// So long after the transfer the board and its clock have said whether they stand as before.
const COMPARED: Duration = Duration::from_secs(6);
/// A line that was garbled, or lost changes, must have been clean for so long.
const CLEAN: Duration = Duration::from_secs(60);
/// The log is asked for so often after a loss of sight at most.
const MOST_ASKED: u8 = 3;
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

/// A log on its way, or one that has just come.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, not a state")]
struct Transfer {
    asked: Stamp,
    /// What stood on the board when it was asked for.
    squares: Box<Snapshot>,
    /// What the clock showed then.
    clock: Option<ClockReading>,
    /// Since when nothing more of it comes.
    over: Option<Stamp>,
    /// What was heard since then.
    dump: bool,
    time: bool,
    /// Something has changed since it was asked for, unseen.
    disturbed: bool,
    /// Something was seen to change before it came: it tells of another placement.
    stale: bool,
    /// When the board last said anything, and how long it was silent at most.
    last: Stamp,
    silence: Duration,
}

impl Transfer {
    /// Whether the board says that something changed.
    fn differs(&self, event: &BoardEvent) -> bool {
        match event {
            BoardEvent::Changed { .. } => true,
            BoardEvent::Dump(squares) => *squares != self.squares,
            BoardEvent::Clock(reading) => {
                self.clock.is_none_or(|before| was_pressed(&before, reading))
            }
            BoardEvent::ClockAbsent => self.clock.is_some(),
            _ => false,
        }
    }

    fn hear(&mut self, event: &BoardEvent, now: Stamp) {
        self.silence = self.silence.max(now.since(self.last));
        self.last = now;
        if self.over.is_some() {
            self.dump |= matches!(event, BoardEvent::Dump(_));
            self.time |= matches!(event, BoardEvent::Clock(_) | BoardEvent::ClockAbsent);
        }
    }

    /// What is told before the log comes was seen as ever: nothing else is told meanwhile.
    fn see(&mut self, event: &BoardEvent) {
        self.stale |= self.differs(event);
        match event {
            BoardEvent::Changed { field, contact } => self.squares[field.index()] = *contact,
            BoardEvent::Dump(squares) => *self.squares = **squares,
            BoardEvent::Clock(reading) => self.clock = Some(*reading),
            BoardEvent::ClockAbsent => self.clock = None,
            _ => {}
        }
    }

    /// All that can be compared was.
    fn compared(&self) -> bool {
        self.dump && (self.time || self.clock.is_none())
    }
}

/// Whether the lever was moved between two readings: only the side whose turn it was ran.
fn was_pressed(before: &ClockReading, after: &ClockReading) -> bool {
    let waits = before.turn.other();
    (before.turn, before.running) != (after.turn, after.running)
        || before.side(waits) != after.side(waits)
        || !before.running && before.side(before.turn) != after.side(before.turn)
}

/// What is wanted of a board's log.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, not a state")]
pub(super) struct BoardLog {
    why: Option<Why>,
    /// The board has shown its squares since.
    seen: bool,
    /// Since when nothing has changed on it.
    still: Stamp,
    /// How often it was asked for.
    asked: u8,
    transfer: Option<Box<Transfer>>,
    /// A dump is wanted: what was done during the transfer is to be explained.
    dump: Option<Stamp>,
    /// The board answers late or not at all.
    odd: bool,
    /// Not to be asked before then.
    clean: Stamp,
    /// The board loses its log with its cable.
    loses_power: bool,
    /// Whether what stood on the board at first has been looked at.
    begun: bool,
    /// The half-move after which moves were made during a transfer.
    unheard: Option<Ply>,
}

impl BoardLog {
    /// Sight of the board is lost.
    pub(super) fn lost(&mut self, cable: bool) {
        let cable = cable || self.why == Some(Why::Lost { cable: true });
        *self = BoardLog {
            why: Some(Why::Lost { cable }),
            odd: self.odd,
            clean: self.clean,
            loses_power: self.loses_power,
            begun: self.begun,
            unheard: self.unheard,
            ..BoardLog::default()
        };
    }

    /// A port was opened.
    pub(super) fn attached(&mut self) {
        self.odd = false;
        if self.loses_power && self.why == Some(Why::Lost { cable: true }) {
            self.why = None;
        }
    }

    /// The link no longer trusts that it saw every change.
    pub(super) fn doubted(&mut self, doubt: Doubt, now: Stamp) {
        match doubt {
            Doubt::LateReply | Doubt::Unconfirmed => self.odd = true,
            Doubt::Garbled | Doubt::Disagreement => self.clean = now + CLEAN,
        }
    }

    /// When to ask, to give up waiting, or to stop comparing.
    fn due(&self, ready: bool, still: impl FnOnce() -> Duration) -> Option<Stamp> {
        if let Some(transfer) = &self.transfer {
            let end = transfer.over.map_or(transfer.asked + PATIENCE, |over| over + COMPARED);
            return Some(self.dump.map_or(end, |dump| dump.min(end)));
        }
        if self.dump.is_some() {
            return self.dump;
        }
        let asks = self.why.is_some() && self.seen && ready && !self.odd && self.asked < MOST_ASKED;
        asks.then(|| (self.still + still()).max(self.clean))
    }
}

impl Arbiter {
    pub(super) fn log_deadline(&self) -> Option<Stamp> {
        let ready = self.link.ready() && !self.options.link.passive;
        self.board_log.due(ready, || self.must_stand_still())
    }

    /// The half-move after which moves may have been made while the board sent its log.
    pub(super) fn unheard(&self) -> Option<Ply> {
        let losses = self.game.as_ref().map_or(&[][..], |game| game.losses());
        self.board_log.unheard.filter(|ply| losses.contains(ply))
    }

    fn must_stand_still(&self) -> Duration {
        let counts = self.board_log.why != Some(Why::MidGame)
            && self.tracker.agrees()
            && self.game.as_ref().is_some_and(|game| {
                game.losses().first().is_none_or(|&first| !game.is_doubtful_after(first))
            });
        if counts { STILL_TO_COUNT } else { STILL }
    }

    /// Does what is due about the log.
    pub(super) fn look_at_log(&mut self, now: Stamp, out: &mut Vec<Output>) {
        if self.board_log.dump.is_some_and(|due| due <= now) {
            self.board_log.dump = None;
            self.link.request_dump(now, &mut self.linked);
            self.obey_link(now, out);
        }
        if self.log_deadline().is_none_or(|due| due > now) {
            return;
        }
        match &mut self.board_log.transfer {
            // A board that went on telling sends no log, and nothing was missed.
            Some(transfer)
                if transfer.over.is_none()
                    && transfer.silence.max(now.since(transfer.last)) < TRANSFER =>
            {
                (self.board_log.odd, self.board_log.why) = (true, None);
                self.board_log.transfer = None;
                self.unsettled(Unsettled::NotSent, now, out);
                self.tracker.hold_setup(now);
            }
            Some(transfer) if transfer.over.is_none() => {
                transfer.over = Some(now);
                (self.board_log.odd, self.board_log.dump) = (true, Some(now));
                self.board_log.why = None;
                self.unsettled(Unsettled::NotSent, now, out);
                self.tracker.hold_setup(now);
            }
            Some(transfer) => {
                // Without an answer nobody knows.
                if !transfer.disturbed && !transfer.compared() {
                    self.disturbed(now);
                }
                self.board_log.transfer = None;
            }
            None => self.ask_for_log(now, out),
        }
    }

    fn ask_for_log(&mut self, now: Stamp, out: &mut Vec<Output>) {
        let Some(squares) = self.link.squares().copied() else { return };
        if !self.log_may_help() {
            self.board_log.why = None;
        } else if self.tracker.in_a_hand() || self.tracker.legality_is_open() {
            self.board_log.still = now;
        } else if self.link.request_log(now, &mut self.linked) {
            self.begin_transfer(&squares, now);
            self.obey_link(now, out);
        }
    }

    fn begin_transfer(&mut self, squares: &Snapshot, now: Stamp) {
        self.board_log.asked = self.board_log.asked.saturating_add(1);
        self.board_log.transfer = Some(Box::new(Transfer {
            asked: now,
            squares: Box::new(*squares),
            clock: self.tracker.lever().reading(),
            over: None,
            dump: false,
            time: false,
            disturbed: false,
            stale: false,
            last: now,
            silence: Duration::ZERO,
        }));
    }

    fn log_may_help(&self) -> bool {
        match self.board_log.why {
            Some(Why::Lost { .. }) => self.game.as_ref().is_some_and(LiveGame::may_learn),
            Some(Why::MidGame) => self.tracker.may_be_in_mid_game(),
            None => false,
        }
    }

    /// Holds what the board says against what stood when its log was asked for, before the tracker
    /// hears of it.
    pub(super) fn compare_after_log(&mut self, event: &BoardEvent, now: Stamp) {
        let Some(transfer) = &mut self.board_log.transfer else { return };
        transfer.hear(event, now);
        if transfer.over.is_none() {
            transfer.see(event);
            return;
        }
        let (differs, compared) = (transfer.differs(event), transfer.compared());
        if differs && !transfer.disturbed {
            self.disturbed(now);
        }
        if compared {
            self.board_log.transfer = None;
        }
    }

    /// Something was done while the board sent its log: nobody saw how.
    fn disturbed(&mut self, now: Stamp) {
        let log = &mut self.board_log;
        if let Some(transfer) = &mut log.transfer {
            transfer.disturbed = true;
            log.dump = transfer.over.map(|_| now);
        }
        log.still = now;
        self.tracker.lost(now);
        if let Some(game) = self.game.as_mut().filter(|game| !game.closed()) {
            game.lost_sight();
            log.unheard = Some(game.ply());
            if !log.odd {
                log.why.get_or_insert(Why::Lost { cable: false });
            }
        }
    }

    /// A host asked for the log, says the capture that is being replayed.
    pub(super) fn overheard_for_log(&mut self, bytes: &[u8], now: Stamp) {
        // One line may hold several commands; a clock command (`2b`) may hold any byte.
        let commands = bytes.split(|byte| *byte == 0x2b).next().unwrap_or_default();
        let asks = commands.contains(&Command::EventLog.bytes()[0]) && self.options.link.passive;
        if let Some(squares) = self.link.squares().copied().filter(|_| asks) {
            if self.tracker.may_be_in_mid_game() {
                self.board_log.why = Some(Why::MidGame);
            }
            self.begin_transfer(&squares, now);
        }
    }

    /// The board's log came.
    pub(super) fn log_came(&mut self, log: &EventLog, now: Stamp, out: &mut Vec<Output>) {
        let Some(transfer) = &mut self.board_log.transfer else { return };
        if transfer.over.is_some() {
            return;
        }
        transfer.over = Some(now);
        if transfer.disturbed || transfer.stale {
            self.board_log.dump = Some(now);
        } else {
            let squares = transfer.squares.clone();
            self.read_log(log, &squares, now, out);
        }
    }

    /// Takes note of what the board says, after the tracker has.
    pub(super) fn seen_for_log(&mut self, event: &BoardEvent, now: Stamp) {
        match event {
            BoardEvent::Changed { .. } => self.board_log.still = now,
            BoardEvent::Dump(_) => {
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
                let game = board_log::whole_game(log, squares, &self.options.timing);
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
        let last = losses.last().copied().unwrap_or_default();
        let skipped = MOST_FIRST..losses.len().saturating_sub(MOST_LAST);
        for (index, &from) in losses.iter().enumerate() {
            if skipped.contains(&index) {
                continue;
            }
            let Some(known) = self.tracker.known_up_to(from) else { continue };
            match board_log::played_since(log, &known, squares, &self.options.timing) {
                Ok(plies) => return Ok((from, self.tracker.as_seen_since(last, &known, plies)?)),
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

    /// The log does not help: told once, where the arbiter was told of moves that are not certain, or
    /// where it contradicts what was seen.
    fn unsettled(&mut self, why: Unsettled, now: Stamp, out: &mut Vec<Output>) {
        let told = self.game.as_ref().is_some_and(|game| {
            let last = game.losses().last().copied();
            let doubtful = last.is_some_and(|last| game.is_doubtful_after(last));
            !game.closed() && (doubtful || why == Unsettled::Contradicts)
        });
        if told {
            self.tracked.push(TrackEvent::Noted(Note {
                kind: AttentionKind::Gap,
                squares: Vec::new(),
                text: Text::LogUnsettled(why),
            }));
            self.obey_tracker(now, out);
        }
    }
}
