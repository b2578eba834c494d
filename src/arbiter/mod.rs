//! One board wired together: bytes and requests in, events and commands out.
//!
//! In: bytes, the passing of time, requests of the arbiter's people. Out: [`Event`]s, commands for
//! the board, and a [`Status`] for whoever looks. Refuses to know: clocks, files, buses.
//!
//! The same calls in the same order give the same outputs, live or from a capture.

mod before;
mod board_log;
pub mod event;
mod live;
pub mod request;
mod requests;
pub mod resume;
pub mod status;

use std::{collections::BTreeMap, sync::Arc};

use shakmaty::{Board, Chess, Color, KnownOutcome, fen::Fen};

pub use event::{Event, EventKind};
pub use request::{Refusal, Reply, Request};
pub use status::Status;

use self::{
    before::{Before, Since, Stands},
    board_log::BoardLog,
    event::{AttentionKind, EndedHow, LinkState, OrientationName, StartSource, TakebackReason},
    live::LiveGame,
    status::{ClockStatus, Line},
};
use crate::{
    dead,
    laws::{Conditions, text::Language},
    link::{self, BoardEvent, Link, LinkOptions},
    tracker::{Closing, Explanation, Note, Text, Timing, TrackEvent, Tracker},
    units::{BoardId, Ply, Stamp},
    wire::{ClockReading, Command, Orientation},
};

/// A moment that does not come.
const NEVER: Stamp = Stamp::from_nanos(u64::MAX);

/// How a board is watched.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Edition of the Laws, time control and supervision of games started from now on.
    pub conditions: Conditions,
    /// How long things on the board must last before they count.
    pub timing: Timing,
    /// Which way round the board stands until it shows otherwise.
    pub orientation: Orientation,
    /// How to talk to the board.
    pub link: LinkOptions,
    /// The language of what the arbiter reads.
    pub language: Language,
}

/// What goes into an [`Arbiter`].
#[derive(Clone, Debug)]
pub enum Input<'a> {
    /// A port to the board was opened.
    Attached {
        /// Its name, for people.
        port: &'a str,
    },
    /// The port is gone.
    Detached,
    /// Bytes from the board.
    Bytes(&'a [u8]),
    /// Bytes that another host sent to the board; known from captures only.
    Overheard(&'a [u8]),
    /// The [`Arbiter::deadline`] has come.
    Timeout,
    /// The answer to a [`Question`].
    Answer(Answer),
}

/// What an [`Arbiter`] wants done, in this order.
#[derive(Clone, Debug)]
pub enum Output {
    /// Write this command to the board.
    Send(Command),
    /// Tell this.
    Event(Event),
    /// [`Arbiter::status`] is another than before.
    StatusChanged,
    /// Work this out, away from the board's own task, and bring the answer.
    Ask(Question),
}

/// Positions a question looks at for each side before it looks long for either.
const BRIEF_SEARCH: u32 = 20_000;
/// Positions a question looks at for each side at most.
const LONG_SEARCH: u32 = 400_000;

/// Whether a position is dead, when a quick look could not tell.
#[derive(Clone, Debug)]
pub struct Question {
    game: u32,
    ply: Ply,
    position: Box<Chess>,
}

impl Question {
    /// Searches for a while: up to seconds of work, bounded by a count of positions.
    ///
    /// One side that can mate refutes a dead position: the other is then left unknown. Both are
    /// looked at briefly before either is looked at long.
    pub fn work_out(self) -> Answer {
        let mut judgement = dead::Judgement {
            white: dead::Winnable::Unknown { nodes: 0 },
            black: dead::Winnable::Unknown { nodes: 0 },
        };
        for nodes in [BRIEF_SEARCH, LONG_SEARCH] {
            for side in Color::ALL {
                if judgement.side(side).known().is_some() {
                    continue;
                }
                let found = dead::can_mate(&self.position, side, dead::Budget::new(nodes));
                match side {
                    Color::White => judgement.white = found,
                    Color::Black => judgement.black = found,
                }
                if judgement.dead() == dead::Dead::No {
                    return Answer { question: self, judgement };
                }
            }
        }
        Answer { question: self, judgement }
    }
}

/// The answer to a [`Question`].
#[derive(Clone, Debug)]
pub struct Answer {
    question: Question,
    judgement: dead::Judgement,
}

/// One board and its games.
#[derive(Clone, Debug)]
pub struct Arbiter {
    board: BoardId,
    options: Options,
    link: Link,
    tracker: Tracker,
    line: Line,
    port: String,
    introduced: bool,
    games: u32,
    game: Option<LiveGame>,
    /// The game before it, and what is known of the squares since.
    before: Option<Arc<Before>>,
    since: Since,
    /// How the board stands for the game that is on.
    stands: Stands,
    /// What the clock said last.
    clock_reading: Option<ClockReading>,
    /// How the next game is wanted, while a request starts it.
    wanted: Option<Wanted>,
    /// Who plays the next game.
    next_tags: BTreeMap<String, String>,
    clock_absent_told: bool,
    /// The game was taken up from a journal and the board has not shown its squares since; until then
    /// it may stay away before that is told.
    returning: Option<Stamp>,
    /// What is wanted of the board's own log.
    board_log: BoardLog,
    linked: Vec<link::Output>,
    tracked: Vec<TrackEvent>,
    tracker_due: TrackerDue,
}

/// The tracker's deadline, asked once after each change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TrackerDue {
    /// Something may have changed it since.
    Unknown,
    At(Option<Stamp>),
}

/// Whether a port's name is that of a Bluetooth line; one listed under a name of its own is not known
/// to be one.
fn is_wireless(port: &str) -> bool {
    port.rsplit('/').next().is_some_and(|name| name.starts_with("rfcomm"))
}

/// How a requested game is to begin.
#[derive(Clone, Debug)]
struct Wanted {
    conditions: Conditions,
    tags: BTreeMap<String, String>,
    /// Its first position says which castling rights are left.
    rights_known: bool,
}

impl Arbiter {
    /// A board of which nothing is known yet.
    pub fn new(board: BoardId, options: Options) -> Arbiter {
        Arbiter {
            board,
            link: Link::new(options.link),
            tracker: Tracker::new(options.timing, options.orientation),
            options,
            line: Line::Absent,
            port: String::new(),
            introduced: false,
            games: 0,
            game: None,
            before: None,
            since: Since::Unknown,
            stands: Stands::default(),
            clock_reading: None,
            wanted: None,
            next_tags: BTreeMap::new(),
            clock_absent_told: false,
            returning: None,
            board_log: BoardLog::default(),
            linked: Vec::new(),
            tracked: Vec::new(),
            tracker_due: TrackerDue::Unknown,
        }
    }

    /// The board's name.
    pub fn board(&self) -> &BoardId {
        &self.board
    }

    /// Edition of the Laws and kind of play of games that start from now on.
    pub fn set_conditions(&mut self, conditions: Conditions) {
        self.options.conditions = conditions;
    }

    /// Takes what happened at `now`, and appends what is to be done to `out`.
    ///
    /// Time must not run backwards; if it does, waits only become longer.
    pub fn advance(&mut self, input: Input<'_>, now: Stamp, out: &mut Vec<Output>) {
        if let Input::Bytes(bytes) = input {
            self.link.bytes(bytes, now, &mut self.linked);
            // Part of a message tells nobody anything.
            if self.linked.is_empty() && self.tracker_due != TrackerDue::Unknown {
                return;
            }
        }
        self.take(input, now, out);
        self.tracker_due = TrackerDue::At(self.tracker.deadline());
    }

    fn take(&mut self, input: Input<'_>, now: Stamp, out: &mut Vec<Output>) {
        match input {
            Input::Attached { port } => self.attached(port, now, out),
            Input::Detached => self.detached(now, out),
            Input::Bytes(_) => self.obey_link(now, out),
            Input::Overheard(bytes) => {
                self.link.overheard(bytes);
                self.overheard_for_log(bytes, now);
            }
            Input::Timeout => {
                self.look_for_board(now, out);
                self.link.timeout(now, &mut self.linked);
                self.obey_link(now, out);
                self.tracker.review(now, &mut self.tracked);
                self.obey_tracker(now, out);
                self.look_at_log(now, out);
            }
            Input::Answer(answer) => self.answered(&answer, now, out),
        }
    }

    /// When to call [`Arbiter::advance`] with [`Input::Timeout`] if nothing else comes before.
    pub fn deadline(&self) -> Option<Stamp> {
        let absent = self.returning.filter(|due| self.line == Line::Absent && *due < NEVER);
        let log = self.log_deadline();
        let tracker = match self.tracker_due {
            TrackerDue::At(due) => {
                debug_assert_eq!(due, self.tracker.deadline(), "the tracker changed unnoticed");
                due
            }
            TrackerDue::Unknown => self.tracker.deadline(),
        };
        [self.link.deadline(), tracker, absent, log].into_iter().flatten().min()
    }

    /// Nothing more is heard until `until`: what the board shows stands still. Answers the time of
    /// the last thing that came of it.
    pub fn settle(&mut self, from: Stamp, until: Stamp, out: &mut Vec<Output>) -> Stamp {
        self.tracker_due = TrackerDue::Unknown;
        let mut now = from;
        let mut idle = 0;
        // A dump that waits for another to bear it out has waited in vain.
        let listens = self.options.link.passive;
        let next = |arbiter: &Arbiter| {
            let link = arbiter.link.deadline().filter(|_| listens);
            [link, arbiter.tracker.deadline()].into_iter().flatten().min()
        };
        while let Some(due) = next(self).filter(|&due| due <= until) {
            idle = if due > now { 0 } else { idle + 1 };
            if idle > 3 {
                break;
            }
            now = now.max(due);
            if listens {
                self.link.timeout(now, &mut self.linked);
                self.obey_link(now, out);
            }
            self.tracker.review(now, &mut self.tracked);
            self.obey_tracker(now, out);
        }
        now
    }

    /// Nothing will follow: closes the record of the game that is on.
    pub fn finish(&mut self, now: Stamp, out: &mut Vec<Output>) {
        self.tracker_due = TrackerDue::Unknown;
        self.tracker.last_words(now, &mut self.tracked);
        self.obey_tracker(now, out);
        self.close_game(EndedHow::Closed, now, out);
    }

    /// Why a ply of the game that is on, or of the one before it, was believed. None unless
    /// [`Timing::evidence`] asked for a record.
    pub fn explanation(&self, ply: Ply) -> Option<Explanation> {
        self.tracker.explanation(ply)
    }

    /// Positions looked at so far to explain what the board showed (see [`Tracker::looked_at`]).
    pub fn looked_at(&self) -> u64 {
        self.tracker.looked_at()
    }

    /// What the squares read as far as the board told, nothing before its first dump.
    pub fn squares(&self) -> Option<&link::Snapshot> {
        self.link.squares()
    }

    /// All that there is to see.
    pub fn status(&self) -> Status {
        let sensors = self.tracker.sensors();
        let identity = self.link.identity();
        Status {
            serial: identity.serial.clone().unwrap_or_default(),
            firmware: identity.version.clone().unwrap_or_default(),
            trademark: identity.trademark.clone().unwrap_or_default(),
            battery: identity.battery_percent,
            line: self.line,
            placement: if sensors.known() { placement(sensors.board()) } else { String::new() },
            flipped: sensors.orientation() == Orientation::Rotated,
            moving: sensors.known() && self.tracker.line().is_some() && !self.tracker.agrees(),
            agrees: self.tracker.agrees(),
            white_clock_side: self.tracker.lever().white_side(),
            next_tags: self.next_tags.clone(),
            last_heard: self.link.last_heard(),
            clock: self.clock_status(),
            game: self.game.as_ref().map(|game| {
                let shown = self.tracker.shown().filter(|_| !game.closed());
                game.status(shown.map(|(position, m)| live::san(position, m)))
            }),
            lost: self.link.count().lost_bytes,
        }
    }

    fn clock_status(&self) -> Option<ClockStatus> {
        let lever = self.tracker.lever();
        let times = lever.times()?;
        let turn = lever.turn()?;
        Some(ClockStatus {
            white: times.white,
            black: times.black,
            measured: lever.read_at()?,
            running: lever.running().then(|| turn.into()),
            lever: turn.into(),
            flag: lever.flag().map(Into::into),
        })
    }

    fn attached(&mut self, port: &str, now: Stamp, out: &mut Vec<Output>) {
        port.clone_into(&mut self.port);
        self.line = Line::Opening;
        self.introduced = false;
        self.board_log.attached();
        let wireless = is_wireless(port);
        self.link.set_wireless(self.options.link.wireless || wireless);
        let timing = self.options.timing;
        self.tracker.set_timing(if wireless { timing.slow_scan() } else { timing });
        self.link.attach(now);
        self.link.timeout(now, &mut self.linked);
        self.obey_link(now, out);
        out.push(Output::StatusChanged);
    }

    fn detached(&mut self, now: Stamp, out: &mut Vec<Output>) {
        if self.line == Line::Absent {
            return;
        }
        self.link.detach();
        self.tracker.lost(now);
        self.lost_sight();
        self.board_log.lost(true);
        self.line = Line::Absent;
        self.tell_link(LinkState::Lost, now, out);
    }

    /// A board whose game was taken up again and that stays away is told to be lost, once.
    fn look_for_board(&mut self, now: Stamp, out: &mut Vec<Output>) {
        if self.line == Line::Absent && self.returning.is_some_and(|due| due <= now) {
            self.returning = Some(NEVER);
            self.tell_link(LinkState::Lost, now, out);
        }
    }

    /// The board shows its squares for the first time since the game was taken up from a journal.
    fn returned(&mut self, now: Stamp, out: &mut Vec<Output>) {
        let game = self.game.as_ref().filter(|game| !game.closed());
        if let (Some(_), Some(game)) = (self.returning.take(), game) {
            let kind = EventKind::GameStarted {
                fen: game.start_fen(),
                source: StartSource::Resumed,
                orientation: match self.tracker.sensors().orientation() {
                    Orientation::Normal => OrientationName::Normal,
                    Orientation::Rotated => OrientationName::Rotated,
                },
            };
            self.tell(kind, now, out);
        }
    }

    fn lost_sight(&mut self) {
        self.since = Since::Unknown;
        if let Some(game) = &mut self.game {
            game.lost_sight();
        }
    }

    fn obey_link(&mut self, now: Stamp, out: &mut Vec<Output>) {
        if self.linked.is_empty() {
            return;
        }
        let mut linked = std::mem::take(&mut self.linked);
        for output in linked.drain(..) {
            match output {
                link::Output::Send(command) => out.push(Output::Send(command)),
                link::Output::Event(event) => self.heard(&event, now, out),
            }
        }
        self.linked = linked;
    }

    fn heard(&mut self, event: &BoardEvent, now: Stamp, out: &mut Vec<Output>) {
        match event {
            BoardEvent::Silent => {
                self.line = Line::Silent;
                self.lost_sight();
                self.board_log.lost(false);
                self.tell_link(LinkState::Silent, now, out);
            }
            BoardEvent::Restored => {
                self.line = Line::Ready;
                self.tell_link(LinkState::Restored, now, out);
            }
            BoardEvent::Identified(_) => out.push(Output::StatusChanged),
            BoardEvent::Doubt(doubt) => {
                self.board_log.doubted(*doubt, now);
                if *doubt == link::Doubt::Unconfirmed {
                    self.tracker.board_event(event, now, &mut self.tracked);
                }
            }
            BoardEvent::Log(log) => self.log_came(log, now, out),
            BoardEvent::Dump(_)
            | BoardEvent::Changed { .. }
            | BoardEvent::Clock(_)
            | BoardEvent::ClockAbsent => {
                if !self.introduced && self.line != Line::Absent {
                    self.introduced = true;
                    self.line = Line::Ready;
                    self.tell_link(LinkState::Connected, now, out);
                }
                if matches!(event, BoardEvent::Dump(_)) {
                    self.returned(now, out);
                }
                self.note_squares(event);
                self.compare_after_log(event, now);
                self.tracker.board_event(event, now, &mut self.tracked);
                self.obey_tracker(now, out);
                self.look_at_clock(event, now, out);
                self.seen_for_log(event, now);
                out.push(Output::StatusChanged);
            }
        }
    }

    /// Flags, and clocks that go missing in a game.
    fn look_at_clock(&mut self, event: &BoardEvent, now: Stamp, out: &mut Vec<Output>) {
        match event {
            BoardEvent::Clock(reading) => {
                self.clock_reading = Some(*reading);
                self.clock_absent_told = false;
                let flag = self.tracker.lever().flag();
                if let Some(kind) = self.game.as_mut().and_then(|game| game.flag(flag)) {
                    self.tell(kind, now, out);
                }
            }
            BoardEvent::ClockAbsent if !self.clock_absent_told => {
                self.clock_reading = None;
                self.clock_absent_told = true;
                let playing = self.game.as_ref().is_some_and(|game| !game.closed());
                if playing {
                    let text = self.options.language.clock_absent();
                    self.attention(AttentionKind::ClockAbsent, text, now, out);
                }
            }
            _ => {}
        }
    }

    fn obey_tracker(&mut self, now: Stamp, out: &mut Vec<Output>) {
        if self.tracked.is_empty() {
            return;
        }
        let mut tracked = std::mem::take(&mut self.tracked);
        for event in tracked.drain(..) {
            let starts = matches!(event, TrackEvent::Started { .. });
            self.tracked_one(event, now, out);
            if starts {
                self.note_stands();
            }
        }
        self.tracked = tracked;
        out.push(Output::StatusChanged);
    }

    fn tracked_one(&mut self, event: TrackEvent, now: Stamp, out: &mut Vec<Output>) {
        match event {
            TrackEvent::Started { position, source, orientation } => {
                self.game_started(*position, source, orientation, now, out);
            }
            TrackEvent::Closed { how } => {
                let how = match how {
                    Closing::Signalled => EndedHow::Signalled,
                    Closing::NextGame => EndedHow::NextGame,
                };
                self.close_game(how, now, out);
            }
            TrackEvent::Noted(Note { text: Text::PressWithoutMove(by), .. }) => {
                let told = self.game.as_mut().and_then(|game| game.pressed_without_move(by));
                if let Some(kind) = told {
                    self.tell(kind, now, out);
                }
            }
            TrackEvent::Noted(Note { kind, squares, text }) => {
                let squares = squares.iter().map(ToString::to_string).collect();
                let text = self.options.language.attention(&text);
                self.tell(EventKind::Attention { kind, squares, text }, now, out);
            }
            TrackEvent::Touched { square, piece, lifted, back } => {
                let kind = EventKind::Touched {
                    square: square.to_string(),
                    piece: piece.char().to_string(),
                    seconds: (back.since(lifted).as_secs_f64() * 10.0).round() / 10.0,
                };
                self.tell(kind, now, out);
            }
            TrackEvent::Result { outcome, squares } => self.signalled(outcome, &squares, now, out),
            TrackEvent::Shown { ply, m } => {
                let game = self.game.as_ref().filter(|game| !game.closed());
                // What was shown and put right in the same moment is not told.
                let shown = self.tracker.shown().filter(|&(_, now)| now == m);
                if let (Some(game), Some((position, _))) = (game, shown) {
                    let kind = game.provisional(ply, position, m);
                    self.tell(kind, now, out);
                }
            }
            TrackEvent::Moved { ply, m, made, by, exact } => {
                // What the clock shows now is not what it showed then.
                let seen = by != event::ConfirmedBy::Log;
                let times = self.tracker.lever().times().filter(|_| seen);
                let Some(game) = &mut self.game else { return };
                let mut kinds = Vec::new();
                let question =
                    game.moved(ply, &live::Made { m, at: made, by, exact, times }, &mut kinds);
                let number = game.number();
                for kind in kinds {
                    self.tell(kind, now, out);
                }
                if let Some(position) = question {
                    let position = Box::new(position);
                    out.push(Output::Ask(Question { game: number, ply, position }));
                }
            }
            TrackEvent::Firm { ply } => self.firm(ply, now, out),
            TrackEvent::TakenBack { to, reason } => self.taken_back(to, reason, now, out),
            TrackEvent::Illegal { by, ply, fault, squares, placement } => {
                let told = self
                    .game
                    .as_mut()
                    .and_then(|game| game.illegal(by, ply, fault, &squares, &placement));
                if let Some(kind) = told {
                    self.tell(kind, now, out);
                }
            }
            TrackEvent::Stood { ply, m, position, made, by } => {
                let times = self.tracker.lever().times();
                let made = live::Made { m, at: made, by, exact: true, times };
                let mut kinds = Vec::new();
                if let Some(game) = &mut self.game {
                    game.stood(ply, &made, &position, &mut kinds);
                }
                for kind in kinds {
                    self.tell(kind, now, out);
                }
            }
        }
    }

    fn game_started(
        &mut self,
        position: Chess,
        source: StartSource,
        orientation: Orientation,
        now: Stamp,
        out: &mut Vec<Output>,
    ) {
        self.close_game(EndedHow::NextGame, now, out);
        let next_tags = self.next_tags.clone();
        self.put_aside(next_tags);
        self.games += 1;
        let given = self.wanted.is_some();
        let wanted = self.wanted.take().unwrap_or_else(|| Wanted {
            conditions: self.options.conditions,
            tags: BTreeMap::new(),
            rights_known: source == StartSource::InitialArray,
        });
        let fen = Fen::from_position(&position, shakmaty::EnPassantMode::Legal).to_string();
        // Who was paired plays, unless whoever started the game said otherwise.
        let mut tags = std::mem::take(&mut self.next_tags);
        tags.extend(wanted.tags);
        let game = LiveGame::new(
            self.games,
            &live::Beginning { position, source, given, rights_known: wanted.rights_known },
            wanted.conditions,
            self.options.language.clone(),
            tags,
        );
        self.game = Some(game);
        let orientation = match orientation {
            Orientation::Normal => OrientationName::Normal,
            Orientation::Rotated => OrientationName::Rotated,
        };
        self.tell(EventKind::GameStarted { fen, source, orientation }, now, out);
        self.judge_start(now, out);
    }

    /// The first position may already be an end, when it was given and not guessed.
    fn judge_start(&mut self, now: Stamp, out: &mut Vec<Output>) {
        let Some(game) = &mut self.game else { return };
        let mut kinds = Vec::new();
        let question = game.judge_start(&mut kinds);
        let number = game.number();
        for kind in kinds {
            self.tell(kind, now, out);
        }
        if let Some(position) = question {
            let position = Box::new(position);
            out.push(Output::Ask(Question { game: number, ply: Ply(0), position }));
        }
    }

    fn signalled(
        &mut self,
        outcome: KnownOutcome,
        squares: &[shakmaty::Square],
        now: Stamp,
        out: &mut Vec<Output>,
    ) {
        let Some(game) = &mut self.game else { return };
        if game.closed() {
            return;
        }
        game.signalled(outcome);
        let kind = EventKind::ResultSignalled {
            result: outcome.to_string(),
            squares: squares.iter().map(ToString::to_string).collect(),
        };
        self.tell(kind, now, out);
    }

    fn firm(&mut self, ply: Ply, now: Stamp, out: &mut Vec<Output>) {
        if let Some(kind) = self.game.as_mut().and_then(|game| game.firm(ply, now)) {
            self.tell(kind, now, out);
        }
    }

    fn taken_back(&mut self, to: Ply, reason: TakebackReason, now: Stamp, out: &mut Vec<Output>) {
        let Some(game) = &mut self.game else { return };
        let withdrawn = game.take_back_to(to);
        self.tell(EventKind::Takeback { to_ply: to, reason }, now, out);
        if let Some(ply) = withdrawn {
            self.tell(EventKind::GameOverWithdrawn { ply }, now, out);
        }
    }

    fn answered(&mut self, answer: &Answer, now: Stamp, out: &mut Vec<Output>) {
        let Answer { question, judgement } = answer;
        let game = self.game.as_mut().filter(|game| game.number() == question.game);
        if let Some(kind) =
            game.and_then(|game| game.judged_late(question.ply, &question.position, judgement, now))
        {
            self.tell(kind, now, out);
            out.push(Output::StatusChanged);
        }
    }

    fn close_game(&mut self, how: EndedHow, now: Stamp, out: &mut Vec<Output>) {
        if let Some(kind) = self.game.as_mut().and_then(|game| game.close(how, now)) {
            self.tell(kind, now, out);
            out.push(Output::StatusChanged);
        }
    }

    fn tell_link(&self, state: LinkState, now: Stamp, out: &mut Vec<Output>) {
        let identity = self.link.identity();
        let kind = EventKind::Link {
            state,
            port: (!self.port.is_empty()).then(|| self.port.clone()),
            serial: identity.serial.clone(),
            version: identity.version.clone(),
        };
        self.tell(kind, now, out);
        out.push(Output::StatusChanged);
    }

    fn attention(&self, kind: AttentionKind, text: String, now: Stamp, out: &mut Vec<Output>) {
        let kind = EventKind::Attention { kind, squares: Vec::new(), text };
        self.tell(kind, now, out);
    }

    fn tell(&self, kind: EventKind, now: Stamp, out: &mut Vec<Output>) {
        let game = match kind {
            EventKind::Link { .. } => None,
            _ => self.game.as_ref().map(LiveGame::number),
        };
        out.push(Output::Event(Event { board: self.board.clone(), t: now, game, kind }));
    }
}

/// The first field of a FEN, made without growing: it is asked for with every change of the board.
fn placement(board: &Board) -> String {
    let mut text = String::with_capacity(72);
    board.board_fen().append_to_string(&mut text);
    text
}

#[cfg(test)]
mod tests;
