//! What was played while nobody looked, from the board's own log.
//!
//! In: the log, the dump that followed it, and the game as it was confirmed before sight was lost.
//! Out: the half-moves since then, or why the log does not settle them. Pure.
//!
//! The log (protocol 6) holds what a host would have been told of squares and lever, in the same
//! order, but not when. First the place in it is found at which the game stood when sight was lost:
//! the placements of the game's line are followed through the log from its beginning, so that a
//! position that stood there more than once is told from its other times. From there the log is fed
//! to a tracker of its own, as live events with made-up times, and what that tracker confirms by press
//! or reply was played. The whole is believed only if it leads to what the board showed when the log was
//! asked for and nothing else would; if all of it but the last half-move was confirmed; if each half-move,
//! or the one after it, shows in the log; if nothing was taken back on the way, as a board that goes back to
//! where it stood may as well have gone on; and if no player pressed the clock more often than moved.
//!
//! A log that begins after sight was lost proves nothing: the board was without power for a while. So
//! between the place where it begins to be followed and the loss of sight there must be a pawn move or
//! a capture: what stood before that cannot have come about after it.
//!
//! Not proven, as no real board was at hand: whether a board on an FTDI cable keeps its log when the
//! cable is pulled (it is taken not to, a power-up in the log then says so), and whether changes made
//! during the eight seconds of the transfer are kept. Whoever asks for the log must hold what the board
//! and its clock show afterwards against what they showed before.

use std::time::Duration;

use shakmaty::{Board, Chess, Move, Position};

use super::{ConfirmedBy, Played, StartSource, Timing, TrackEvent, Tracker};
use crate::{
    link::{BoardEvent, Snapshot},
    units::{Ply, Stamp},
    wire::{ClockReading, ClockSide, Contact, EventLog, Field, LogEntry, Orientation, SideTime},
};

/// Between two changes that the board called soon.
const SOON: Duration = Duration::from_millis(100);
/// Between two others: long enough to be a move and short enough not to confirm it.
const LATER: Duration = Duration::from_millis(600);
/// From a change to the press after it.
const PRESS: Duration = Duration::from_millis(50);
/// After the last entry, and after the dump: the searches for overlapping plies are made, and
/// stillness confirms nothing yet.
const AT_THE_END: Duration = Duration::from_millis(1_050);
const AFTER_THE_DUMP: Duration = Duration::from_millis(750);
/// When the made-up time begins, and how long what was known before has stood then.
const BEGIN: Stamp = Stamp::from_millis(100_000);
const STOOD: Duration = Duration::from_secs(15);
/// So many places to begin from are tried.
const MOST_PLACES: usize = 6;

/// The game as it was confirmed when sight of the board was lost.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its first position.
    pub start: Chess,
    /// Its legal moves.
    pub line: Vec<Move>,
    /// Which way round the board stands.
    pub orientation: Orientation,
    /// White's side of the clock.
    pub white: ClockSide,
}

/// A half-move that the log tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogPly {
    /// The move.
    pub m: Move,
    /// Whether its player pressed the clock.
    pub pressed: bool,
}

/// Why a log does not settle what was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsettled {
    /// The board was without power meanwhile: its log begins later.
    PowerLost,
    /// Entries are damaged or missing.
    Damaged,
    /// The game is not found in it as it was when sight was lost.
    NotFound,
    /// More than one line of moves fits.
    Ambiguous,
    /// What it tells does not lead to what the board shows.
    DoesNotFit,
    /// It tells of half-moves that were taken back, or of other lines to the same end.
    TakenBack,
    /// It tells other half-moves than those that were seen.
    Contradicts,
    /// The board did not send it.
    NotSent,
}

/// The half-moves since the game stood as `known`, when the log settles them. `now` is what stood on
/// the board when the log was asked for.
pub fn played_since(
    log: &EventLog,
    known: &Known,
    now: &Snapshot,
    timing: &Timing,
) -> Result<Vec<LogPly>, Unsettled> {
    if !log.complete {
        return Err(Unsettled::Damaged);
    }
    let part = Part::last(log);
    let placements = placements(known);
    let places = part.places(&placements, known.orientation);
    if places.is_empty() {
        // Before the first pawn move or capture nothing tells when the board was switched on.
        let began = irreversible(&placements[0]) != irreversible(&placements[placements.len() - 1]);
        let why = part.why_not();
        return Err(if began || why == Unsettled::Damaged { why } else { Unsettled::NotFound });
    }
    let mut found: Option<Vec<LogPly>> = None;
    let mut why = Unsettled::DoesNotFit;
    for (at, reached) in places {
        match part.replay(at, reached, known, now, timing) {
            Ok(line) if found.as_ref().is_some_and(|found| *found != line) => {
                return Err(Unsettled::Ambiguous);
            }
            Ok(line) => found = Some(line),
            Err(Unsettled::Ambiguous) => why = Unsettled::Ambiguous,
            Err(Unsettled::TakenBack) if why != Unsettled::Ambiguous => why = Unsettled::TakenBack,
            Err(_) => {}
        }
    }
    found.filter(|_| why != Unsettled::Ambiguous).ok_or(why)
}

/// The game on the board from the initial array on, and which way round the board stands, for whoever
/// has seen nothing of it.
pub fn whole_game(
    log: &EventLog,
    now: &Snapshot,
    timing: &Timing,
) -> Result<(Orientation, Vec<LogPly>), Unsettled> {
    if !log.complete {
        return Err(Unsettled::Damaged);
    }
    let part = Part::last(log);
    let arrays = part.entries.iter().enumerate().rev().filter_map(|(at, entry)| match entry {
        LogEntry::InitialArray(orientation) => Some((at, *orientation)),
        _ => None,
    });
    let mut found: Option<(Orientation, Vec<LogPly>)> = None;
    for (at, orientation) in arrays.take(MOST_PLACES) {
        let white = match orientation {
            Orientation::Normal => ClockSide::Left,
            Orientation::Rotated => ClockSide::Right,
        };
        let known = Known { start: Chess::new(), line: Vec::new(), orientation, white };
        match part.replay(at, 0, &known, now, timing) {
            // The array stood there again in the middle of that game, or that was a game of its own.
            Ok(_) if found.is_some() => return Err(Unsettled::Ambiguous),
            Ok(line) => found = Some((orientation, line)),
            // What began before that ended there.
            Err(why) => {
                if found.is_none() {
                    return Err(why);
                }
                break;
            }
        }
    }
    found.ok_or(part.why_not())
}

/// The readings of the squares in each position of the line, the start first.
fn placements(known: &Known) -> Vec<Snapshot> {
    let mut position = known.start.clone();
    let mut all = vec![readings(position.board(), known.orientation)];
    for &m in &known.line {
        if !position.is_legal(m) {
            break;
        }
        position.play_unchecked(m);
        all.push(readings(position.board(), known.orientation));
    }
    all
}

/// What a board reads that shows these men.
fn readings(board: &Board, orientation: Orientation) -> Snapshot {
    let mut squares = [Contact::Empty; 64];
    for (square, man) in board.clone() {
        squares[Field::from_square(square, orientation).index()] = Contact::Man(man);
    }
    squares
}

/// Pawns and material, which no later move brings back.
fn irreversible(squares: &Snapshot) -> ([bool; 64], [usize; 64]) {
    let mut pawns = [false; 64];
    let mut men = [0; 64];
    for (at, contact) in squares.iter().enumerate() {
        men[usize::from(contact.code() & 0x3f)] += 1;
        pawns[at] = contact.man().is_some_and(|man| man.role == shakmaty::Role::Pawn);
    }
    (pawns, men)
}

/// The last stretch of a log without a hole.
struct Part<'a> {
    entries: &'a [LogEntry],
    /// All squares are known where it begins: they were empty, and the men are told one by one.
    begins_empty: bool,
    powered_up: bool,
    damaged: bool,
}

/// Whether the half-move at this ply, which never showed, is a pawn's that the next one takes, and may
/// have been one square as well as two: the pawn was lifted before anything else changed.
fn is_either_step(line: &[Move], ply: usize) -> bool {
    let (Some(&step), Some(&answer)) = (line.get(ply - 1), line.get(ply)) else { return false };
    let Some(from) = step.from().filter(|_| step.role() == shakmaty::Role::Pawn) else {
        return false;
    };
    let home = matches!(from.rank(), shakmaty::Rank::Second | shakmaty::Rank::Seventh);
    let single = from.rank().distance(step.to().rank()) == 1;
    let by_pawn = answer.role() == shakmaty::Role::Pawn && answer.is_capture();
    by_pawn && (answer.is_en_passant() || home && single && answer.to() == step.to())
}

fn add_place(places: &mut Vec<(usize, usize)>, place: Option<(usize, usize)>) {
    if let Some(place) = place.filter(|place| !places.contains(place))
        && places.len() < MOST_PLACES
    {
        places.push(place);
    }
}

/// The squares as the log tells them.
struct Squares {
    read: Snapshot,
    known: bool,
}

impl Squares {
    fn apply(&mut self, entry: LogEntry) {
        match entry {
            LogEntry::Changed { field, contact, .. } => self.read[field.index()] = contact,
            LogEntry::InitialArray(orientation) => {
                *self = Squares { read: readings(&Board::new(), orientation), known: true };
            }
            LogEntry::Cleared => *self = Squares { read: [Contact::Empty; 64], known: true },
            _ => {}
        }
    }
}

impl<'a> Part<'a> {
    fn last(log: &'a EventLog) -> Part<'a> {
        let breaks = |entry: &LogEntry| {
            matches!(
                entry,
                LogEntry::PowerUp
                    | LogEntry::WatchdogReset
                    | LogEntry::StartTag
                    | LogEntry::Gap { .. }
            )
        };
        let at = log.entries.iter().rposition(breaks);
        let begin = at.and_then(|at| log.entries.get(at));
        Part {
            entries: &log.entries[at.map_or(0, |at| at + 1)..],
            begins_empty: matches!(begin, Some(LogEntry::PowerUp | LogEntry::StartTag)),
            powered_up: matches!(begin, Some(LogEntry::PowerUp | LogEntry::WatchdogReset)),
            damaged: matches!(begin, Some(LogEntry::Gap { .. })) && at != Some(0),
        }
    }

    fn why_not(&self) -> Unsettled {
        if self.damaged {
            Unsettled::Damaged
        } else if self.powered_up {
            Unsettled::PowerLost
        } else {
            Unsettled::NotFound
        }
    }

    fn squares(&self) -> Squares {
        Squares { read: [Contact::Empty; 64], known: self.begins_empty }
    }

    /// The squares after the entry `at`.
    fn squares_at(&self, at: usize) -> Squares {
        let mut squares = self.squares();
        for &entry in &self.entries[..=at] {
            squares.apply(entry);
        }
        squares
    }

    /// The places at which the game may have stood when sight of it was lost: entry, and ply.
    ///
    /// The game is followed from where the initial array was set up; where that is not in the log, or
    /// the game began otherwise, from the first entry after which a position of it stands.
    fn places(&self, line: &[Snapshot], orientation: Orientation) -> Vec<(usize, usize)> {
        let last = &line[line.len() - 1];
        let lost = irreversible(last);
        let proves = |ply: usize| irreversible(&line[ply]) != lost;
        let mut places = Vec::new();
        if proves(0) && line[0] == readings(&Board::new(), orientation) {
            for (at, entry) in self.entries.iter().enumerate().rev() {
                if *entry == LogEntry::InitialArray(orientation) {
                    add_place(&mut places, self.follow(at, 0, line));
                }
            }
        }
        if places.is_empty() {
            let mut squares = self.squares();
            for (at, &entry) in self.entries.iter().enumerate() {
                squares.apply(entry);
                if !squares.known || !line.contains(&squares.read) {
                    continue;
                }
                let stands = (0..line.len()).filter(|&ply| line[ply] == squares.read);
                for ply in stands.filter(|&ply| proves(ply)) {
                    add_place(&mut places, self.follow(at, ply, line));
                }
                break;
            }
        }
        places
    }

    /// Follows the line from a ply that stands after an entry, each next ply from where it first
    /// shows; a ply may stay unshown when hands overlap. Answers where the last one shows, or the one
    /// before it if the last never does.
    fn follow(&self, at: usize, ply: usize, line: &[Snapshot]) -> Option<(usize, usize)> {
        self.follow_all(at, ply, line).map(|(place, ply, _)| (place, ply))
    }

    /// The same, and the plies that never show.
    fn follow_all(
        &self,
        at: usize,
        ply: usize,
        line: &[Snapshot],
    ) -> Option<(usize, usize, Vec<usize>)> {
        let mut squares = self.squares_at(at);
        let (mut ply, mut place, mut hidden) = (ply, at, Vec::new());
        for (at, &entry) in self.entries.iter().enumerate().skip(at + 1) {
            if ply + 1 == line.len() {
                break;
            }
            squares.apply(entry);
            let next = (1..=2).find(|more| line.get(ply + more) == Some(&squares.read));
            if let Some(more) = next {
                hidden.extend(ply + 1..ply + more);
                (ply, place) = (ply + more, at);
            }
        }
        (ply + 2 >= line.len()).then_some((place, ply, hidden))
    }

    /// Plays the rest of the log from where the game stood at a ply of its line; the half-moves since
    /// the end of that line.
    fn replay(
        &self,
        at: usize,
        ply: usize,
        known: &Known,
        now: &Snapshot,
        timing: &Timing,
    ) -> Result<Vec<LogPly>, Unsettled> {
        let timing = Timing { evidence: false, ..*timing };
        let mut feed = Feed::new(known, ply, self.squares_at(at).read, &timing);
        let presses = |entry: &LogEntry| matches!(entry, LogEntry::Halted { .. });
        if self.entries[at + 1..].iter().any(presses) {
            feed.lever(feed.side_to_move());
        }
        feed.now = BEGIN + STOOD;
        for &entry in &self.entries[at + 1..] {
            feed.entry(entry);
            if feed.broken() {
                return Err(Unsettled::DoesNotFit);
            }
        }
        feed.wait(AT_THE_END);
        let played: Vec<Played> = feed.tracker.line().unwrap_or_default().to_vec();
        let shows = |tracker: &Tracker| tracker.agrees() || tracker.in_a_hand();
        if !shows(&feed.tracker) {
            return Err(Unsettled::DoesNotFit);
        }
        feed.event(&BoardEvent::Dump(Box::new(*now)));
        feed.wait(AFTER_THE_DUMP);
        if feed.broken() || !shows(&feed.tracker) {
            return Err(Unsettled::DoesNotFit);
        }
        if feed.taken_back() {
            return Err(Unsettled::TakenBack);
        }
        let shown = feed.tracker.shown_beyond();
        if shown > 1 {
            // The thread was lost on the way and found again: nothing has confirmed what came then.
            return Err(Unsettled::Ambiguous);
        }
        // The moves before sight was lost were seen as they were made; what became of the line since
        // may be that some were taken back.
        let same = |(played, m): (&Played, &Move)| played.m == *m;
        if played.len() < known.line.len() || !played.iter().zip(&known.line).all(same) {
            return Err(Unsettled::DoesNotFit);
        }
        let line = Known { line: played.iter().map(|p| p.m).collect(), ..known.clone() };
        let Some((.., hidden)) = self.follow_all(at, ply, &placements(&line)) else {
            // Some line to what stands on the board, but not what the log tells of.
            return Err(Unsettled::DoesNotFit);
        };
        if hidden.iter().any(|&ply| is_either_step(&line.line, ply)) {
            return Err(Unsettled::Ambiguous);
        }
        if !self.presses_fit(at, &played[ply.min(played.len())..], shown, &feed) {
            return Err(Unsettled::DoesNotFit);
        }
        let since = &played[known.line.len()..];
        if since.iter().any(|played| !played.exact) {
            return Err(Unsettled::Ambiguous);
        }
        Ok(since.iter().map(|played| LogPly { m: played.m, pressed: played.pressed }).collect())
    }

    /// Whether each side's presses after the entry `at` are no more than its half-moves since: those
    /// `played` and those `shown` beyond them. The half-move that stood there may be pressed yet.
    fn presses_fit(&self, at: usize, played: &[Played], shown: u32, feed: &Feed) -> bool {
        // The side that is to move now made the last half-move but one, and so on.
        let moves = played.len() + shown as usize + 1;
        let next =
            if shown.is_multiple_of(2) { feed.side_to_move() } else { feed.side_to_move().other() };
        [(next, moves / 2), (next.other(), moves.div_ceil(2))].into_iter().all(|(side, most)| {
            let presses = self.entries[at + 1..].iter();
            let by_it =
                |entry: &&LogEntry| matches!(entry, LogEntry::Halted { side: s, .. } if *s == side);
            presses.filter(by_it).count() <= most
        })
    }
}

/// A tracker that is told the log, and the made-up time.
struct Feed {
    tracker: Tracker,
    now: Stamp,
    white: ClockSide,
    told: Vec<TrackEvent>,
}

impl Feed {
    /// The game at a ply of its line, with these readings on the board.
    fn new(known: &Known, ply: usize, squares: Snapshot, timing: &Timing) -> Feed {
        let mut tracker = Tracker::new(*timing, known.orientation);
        let source = StartSource::Resumed;
        tracker.resume_game(known.start.clone(), source, known.orientation, BEGIN);
        tracker.lever.assume_white(known.white);
        for &m in &known.line[..ply] {
            tracker.resume_move(m, ConfirmedBy::Log, true, BEGIN);
        }
        let white = known.white;
        let mut feed = Feed { tracker, now: BEGIN, white, told: Vec::new() };
        feed.event(&BoardEvent::Dump(Box::new(squares)));
        feed
    }

    /// The side of the clock whose turn it is by the confirmed line.
    fn side_to_move(&self) -> ClockSide {
        let white = self.tracker.position().is_none_or(|position| position.turn().is_white());
        if white { self.white } else { self.white.other() }
    }

    /// Something that cannot be part of this game's moves happened.
    fn broken(&self) -> bool {
        self.told.iter().any(|event| {
            matches!(
                event,
                TrackEvent::Started { .. }
                    | TrackEvent::Closed { .. }
                    | TrackEvent::Stood { .. }
                    | TrackEvent::Illegal { .. }
            )
        })
    }

    /// Half-moves that had been confirmed were given up.
    fn taken_back(&self) -> bool {
        self.told.iter().any(|event| matches!(event, TrackEvent::TakenBack { .. }))
    }

    fn entry(&mut self, entry: LogEntry) {
        match entry {
            LogEntry::Changed { field, contact, soon } => {
                self.wait(if soon { SOON } else { LATER });
                self.event(&BoardEvent::Changed { field, contact });
            }
            LogEntry::Halted { side, .. } => {
                self.wait(PRESS);
                self.lever(side.other());
            }
            _ => {}
        }
    }

    /// The lever stands so that it is this side's turn.
    fn lever(&mut self, turn: ClockSide) {
        let side = SideTime::default();
        let reading =
            ClockReading { left: side, right: side, running: true, turn, battery_low: false };
        self.event(&BoardEvent::Clock(reading));
    }

    fn event(&mut self, event: &BoardEvent) {
        self.told.retain(|told| !matches!(told, TrackEvent::Moved { .. }));
        self.tracker.board_event(event, self.now, &mut self.told);
    }

    /// Lets made-up time pass.
    fn wait(&mut self, time: Duration) {
        let until = self.now + time;
        let mut idle = 0;
        while let Some(due) = self.tracker.deadline().filter(|due| *due <= until) {
            idle = if due > self.now { 0 } else { idle + 1 };
            if idle > 3 {
                break;
            }
            self.now = self.now.max(due);
            self.tracker.review(self.now, &mut self.told);
        }
        self.now = until;
    }
}

impl Tracker {
    /// The game's first position and moves up to a ply, as the log must know them. None when there is
    /// no such game, or a move of it was not legal.
    pub fn known_up_to(&self, ply: Ply) -> Option<Known> {
        let game = self.game.as_ref()?;
        let line: Vec<Move> = game.line.get(..ply.index())?.iter().map(|p| p.m).collect();
        let start = game.position(Ply(0))?.clone();
        let mut position = start.clone();
        for (index, &m) in line.iter().enumerate() {
            if !position.is_legal(m) {
                return None;
            }
            position.play_unchecked(m);
            if game.positions[index + 1].board() != position.board() {
                return None;
            }
        }
        let (orientation, white) = (self.sensors.orientation(), self.lever.white_side());
        Some(Known { start, line, orientation, white })
    }

    /// How many half-moves beyond the last confirmed one the board shows.
    fn shown_beyond(&self) -> u32 {
        let game = self.game.as_ref();
        game.and_then(|game| game.current.map(|id| game.tree.depth(id))).unwrap_or_default()
    }

    /// Whether an illegal move may stand on the board that is not settled yet.
    pub fn legality_is_open(&self) -> bool {
        let Some(game) = &self.game else { return false };
        self.stands.is_some()
            || self.suspect.is_some()
            || self.illegal_at == Some(game.ply().next())
    }

    /// The half-moves of a log after those that were `known`, if they end with those that were seen
    /// since sight was last lost, after `lost`. One that only stood still on the board is added to
    /// them: the log does not confirm it.
    pub fn as_seen_since(
        &self,
        lost: Ply,
        known: &Known,
        mut log: Vec<LogPly>,
    ) -> Result<Vec<LogPly>, Unsettled> {
        let Some(game) = &self.game else { return Ok(log) };
        let from = lost.max(game.gap_ply);
        let seen = game.line.get(from.index()..).unwrap_or_default();
        let ends = |log: &[LogPly], seen: &[Played]| {
            log.len() >= seen.len()
                && log[log.len() - seen.len()..].iter().zip(seen).all(|(l, s)| l.m == s.m)
        };
        let shows_one_more = || log.split_last().is_some_and(|(_, before)| ends(before, seen));
        if ends(&log, seen) || shows_one_more() {
            return Ok(log);
        }
        let (last, before) = seen.split_last().ok_or(Unsettled::Contradicts)?;
        let mut position = known.start.clone();
        for m in known.line.iter().copied().chain(log.iter().map(|ply| ply.m)) {
            position.play_unchecked(m);
        }
        if !ends(&log, before) || !position.is_legal(last.m) {
            return Err(Unsettled::Contradicts);
        }
        position.play_unchecked(last.m);
        if position.board() != game.tree.root().position.board() {
            return Err(Unsettled::Contradicts);
        }
        log.push(LogPly { m: last.m, pressed: last.pressed });
        Ok(log)
    }

    /// How many plies of the line after `from` are those of the log.
    pub fn agrees_with_log(&self, from: Ply, log: &[LogPly]) -> Ply {
        let played = self.line().and_then(|line| line.get(from.index()..)).unwrap_or_default();
        let same = played.iter().zip(log).take_while(|(played, told)| played.m == told.m).count();
        Ply(from.0 + u32::try_from(same).unwrap_or_default())
    }

    /// Gives up the plies after `to`: the log tells others.
    pub fn give_up_after(&mut self, to: Ply, now: Stamp, out: &mut Vec<TrackEvent>) {
        self.take_back(to, super::TakebackReason::Correction, now, out);
    }

    /// The plies after `from` were found to be certain.
    pub fn resume_certain(&mut self, from: Ply) {
        let Some(game) = &mut self.game else { return };
        for played in game.line.iter_mut().skip(from.index()) {
            played.exact = true;
        }
        let position = &game.positions[game.ply().index()];
        let afterthought = super::firm::is_afterthought(&self.lever, &game.line, position);
        game.certain = game.line.last().is_some_and(|last| last.exact && !afterthought);
    }

    /// Takes over what the log tells of the game after `from`. The plies that the line has already
    /// become certain, no other may follow them; the rest is told.
    pub fn enter_log(&mut self, from: Ply, log: &[LogPly], now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        let had = game.ply();
        self.touches.clear();
        let mut told = Vec::new();
        self.take_back(from, super::TakebackReason::Correction, now, &mut Vec::new());
        if let Some(game) = &mut self.game {
            // What the board shows is compared anew with the line that comes of it.
            (game.current, game.left) = (None, None);
        }
        for &ply in log {
            self.enter(ply, now, &mut told);
        }
        told.retain(|event| !matches!(event, TrackEvent::Moved { ply, .. } if *ply <= had));
        out.append(&mut told);
        if let Some(game) = &mut self.game {
            game.after_gap = false;
            game.gap_ply = game.ply();
        }
        if self.sensors.known() && self.gap.is_none() {
            self.match_now(now, out);
        }
    }

    fn enter(&mut self, ply: LogPly, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &mut self.game else { return };
        if !game.tree.root().position.is_legal(ply.m) {
            return;
        }
        let node = game.tree.add(super::ROOT, ply.m, now, true);
        game.shown = true;
        self.confirm(node, ConfirmedBy::Log, now, out);
        if let Some(last) = self.game.as_mut().and_then(super::Game::last_mut) {
            last.pressed = ply.pressed;
        }
        self.resume_certain(self.game.as_ref().map_or(Ply(0), super::Game::ply));
    }

    /// Begins the game that the log tells of, from the initial array on.
    pub fn begin_from_log(
        &mut self,
        orientation: Orientation,
        log: &[LogPly],
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        self.turn_board(orientation);
        self.begin(Chess::new(), StartSource::InitialArray, now, out);
        self.enter_log(Ply(0), log, now, out);
    }

    /// What stands on the board without a game is not taken for a position set up before then: its
    /// log is being asked for.
    pub fn hold_setup(&mut self, until: Stamp) {
        self.setup.hold(until, self.sensors.last_change());
    }

    /// Whether a board that has shown no game yet shows something that may be the middle of one.
    pub fn may_be_in_mid_game(&self) -> bool {
        let board = self.sensors.board();
        self.sensors.known()
            && self.game.is_none()
            && !self.had_game
            && self.initial_array().is_none()
            && (board.kings() & board.white()).count() == 1
            && (board.kings() & board.black()).count() == 1
    }
}
