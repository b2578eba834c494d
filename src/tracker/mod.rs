//! Square events to legal moves.
//!
//! In: what the board says of its squares and its clock, and the passing of time. Out: moves, shown
//! and confirmed, takebacks, results, and what somebody should look at. Refuses to know: bytes, the
//! Laws beyond which moves are legal, and who is told what.
//!
//! Hands are not tidy: a piece slides over squares on which it might have stopped, a captured man
//! leaves before or after its captor arrives, two plies overlap and their middle never shows. So no
//! grammar of events is used. After every change the whole placement is compared with the positions
//! that legal moves lead to; what matches becomes a node of a [`tree`]; a node becomes the game when
//! the mover presses the clock, when the opponent's reply matches below it, or when the board stands
//! still. What matches nothing for a while is given to a [search](explain) of several plies, first
//! forward, then from earlier positions of the game (a takeback, or a move taken for another).

mod along;
mod begun;
pub mod board_log;
mod describe;
mod ending;
mod event;
mod evidence;
mod explain;
mod firm;
mod gap;
pub mod keys;
mod lever;
mod line;
mod men;
mod moves;
mod passing;
mod press;
mod reconsider;
mod resume;
mod sensors;
mod setup;
mod stands;
mod surplus;
mod trace;
mod tree;
mod unexplained;
mod weigh;
mod work;

#[cfg(test)]
mod tests;

use std::time::Duration;

use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Square};

use self::{
    ending::Signal,
    line::Game,
    press::Press,
    setup::Setup,
    stands::{Stands, Suspect},
    tree::{NodeId, ROOT},
    work::Work,
};
pub use self::{
    event::{
        AttentionKind, Closing, ConfirmedBy, Differs, Fault, Note, StartSource, TakebackReason,
        Text, TrackEvent,
    },
    evidence::{Explanation, Weighed},
    lever::{Lever, Times},
    line::Played,
    men::{MOST_MEN, countable},
    sensors::{Change, Sensors},
    stands::irregular,
};
use crate::{
    link::{BoardEvent, Doubt, Snapshot},
    units::{Ply, Stamp},
    wire::{ClockReading, ClockSide, Contact, Field, Orientation},
};

/// How long things must last before they count. All in time of the board's clock-independent
/// [`Stamp`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// A move the board shows is confirmed after standing this long, when no clock runs.
    pub still: Duration,
    /// The same while a clock runs, when a press is to be expected.
    pub still_clock: Duration,
    /// The same for a king's move to a centre square, which may be the beginning of a result.
    pub still_centre_king: Duration,
    /// A placement must be this old before a press confirms it at once.
    pub fresh: Duration,
    /// A fresh placement is confirmed this long after the press if nothing changes.
    pub press: Duration,
    /// How long after a press its move may come in.
    pub early_press: Duration,
    /// An unexplained placement this old is searched for overlapping plies.
    pub quick_search: Duration,
    /// An unexplained placement this old may be a last move that went on, or a longer line.
    pub deep_search: Duration,
    /// An unexplained placement this old may be a takeback.
    pub takeback: Duration,
    /// An unexplained placement this old is reported.
    pub mismatch: Duration,
    /// A single man of the side to move missing this long is reported: until then it is in a hand.
    pub in_hand: Duration,
    /// Kings that show a result must stand this long.
    pub gesture: Duration,
    /// They must stand so much longer when only one of them was moved, the other being there.
    pub gesture_half: Duration,
    /// Kings put into the centre further apart than this are not one gesture.
    pub kings_apart: Duration,
    /// A shown result that stands this long closes the game.
    pub closing: Duration,
    /// A placement must stand this long to be a position set up.
    pub setup: Duration,
    /// After a press, an ending position must stand this long.
    pub firm_press: Duration,
    /// An ending position that was confirmed by stillness must go on standing this long.
    pub firm_still: Duration,
    /// An ending position must have been on the board this long in any case.
    pub firm: Duration,
    /// A man off its square at least this long was touched; less is a flicker of the sensor.
    pub touch: Duration,
    /// Whether to remember why moves were believed, for [`Tracker::explanation`].
    pub evidence: bool,
}

impl Timing {
    /// For a board that looks at its squares at half the usual speed, as one on Bluetooth does to save
    /// power: whatever must outlast a scan lasts twice as long. What people do takes the same time.
    #[must_use]
    pub fn slow_scan(self) -> Timing {
        Timing {
            fresh: self.fresh * 2,
            press: self.press * 2,
            quick_search: self.quick_search * 2,
            deep_search: self.deep_search * 2,
            firm_press: self.firm_press * 2,
            firm: self.firm * 2,
            touch: self.touch * 2,
            ..self
        }
    }
}

impl Default for Timing {
    fn default() -> Timing {
        Timing {
            still: Duration::from_secs(2),
            still_clock: Duration::from_millis(3_500),
            still_centre_king: Duration::from_secs(12),
            fresh: Duration::from_millis(150),
            press: Duration::from_millis(80),
            early_press: Duration::from_millis(1_500),
            quick_search: Duration::from_millis(350),
            deep_search: Duration::from_millis(700),
            takeback: Duration::from_secs(1),
            mismatch: Duration::from_secs(3),
            in_hand: Duration::from_secs(30),
            gesture: Duration::from_secs(1),
            gesture_half: Duration::from_secs(4),
            kings_apart: Duration::from_secs(6),
            closing: Duration::from_secs(5),
            setup: Duration::from_millis(2_500),
            firm_press: Duration::from_millis(300),
            firm_still: Duration::from_secs(1),
            firm: Duration::from_millis(500),
            touch: Duration::from_millis(300),
            evidence: false,
        }
    }
}

/// Follows the games on one board.
#[derive(Clone, Debug)]
pub struct Tracker {
    timing: Timing,
    sensors: Sensors,
    lever: Lever,
    game: Option<Game>,
    setup: Setup,
    /// The game closed last, while nothing has come after it.
    closed: Option<Game>,
    /// Whether a game was ever on: what stands on the board after it is no new set-up.
    had_game: bool,
    press: Option<Press>,
    /// An illegal move that stands if the opponent goes on after it.
    stands: Option<Stands>,
    /// What looked like an illegal move since the board last showed the game.
    suspect: Option<Box<Suspect>>,
    /// The ply for which an illegal move was told.
    illegal_at: Option<Ply>,
    signal: Option<Signal>,
    /// Recent plies are being put in the place of others.
    correcting: bool,
    /// The line was lost since the last dump: nobody knows what was played.
    gap: Option<Stamp>,
    lifted: Box<[Option<(Piece, Stamp)>; 64]>,
    /// Men put back on their squares since the board last showed the game.
    touches: Vec<Touch>,
    evidence: Option<Box<evidence::Evidence>>,
    work: Work,
    found: Vec<NodeId>,
    keys: Vec<keys::Key>,
}

impl Tracker {
    /// A tracker of a board that stands this way round until it shows otherwise.
    pub fn new(timing: Timing, orientation: Orientation) -> Tracker {
        Tracker {
            timing,
            sensors: Sensors::new(orientation),
            lever: Lever::new(orientation),
            game: None,
            setup: Setup::default(),
            closed: None,
            had_game: false,
            press: None,
            stands: None,
            suspect: None,
            illegal_at: None,
            signal: None,
            correcting: false,
            gap: None,
            lifted: Box::new([None; 64]),
            touches: Vec::new(),
            evidence: timing.evidence.then(Box::default),
            work: Work::default(),
            found: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// How long things must last from now on; whether moves are explained stays as it was.
    pub fn set_timing(&mut self, timing: Timing) {
        self.timing = Timing { evidence: self.timing.evidence, ..timing };
    }

    /// Takes what the board says.
    pub fn board_event(&mut self, event: &BoardEvent, now: Stamp, out: &mut Vec<TrackEvent>) {
        match event {
            BoardEvent::Dump(snapshot) => self.dump(snapshot, now, out),
            BoardEvent::Changed { field, contact } => self.change(*field, *contact, now, out),
            BoardEvent::Clock(reading) => self.clock(*reading, now, out),
            BoardEvent::ClockAbsent => self.lever.absent(),
            // What a lone dump shows changed proves no more than what it shows after a gap.
            BoardEvent::Doubt(Doubt::Unconfirmed) => {
                self.gap.get_or_insert(now);
                return;
            }
            BoardEvent::Identified(_)
            | BoardEvent::Doubt(_)
            | BoardEvent::Log(_)
            | BoardEvent::Silent
            | BoardEvent::Restored => {}
        }
        self.review(now, out);
    }

    /// The line to the board was lost.
    pub fn lost(&mut self, now: Stamp) {
        self.gap.get_or_insert(now);
        self.press = None;
        (self.stands, self.suspect) = (None, None);
        // The lever may have been moved any number of times before it is seen again.
        self.lever.absent();
    }

    /// Lets time pass: confirms what has stood long enough, reports what has not been explained.
    pub fn review(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        if !self.sensors.known() || self.gap.is_some() {
            return;
        }
        if let Some(mended) = self.sensors.mend(now) {
            self.went_elsewhere(mended, now, out);
        }
        if self.sensors.calm(now) {
            self.changed(now, out);
        }
        self.review_signal(now, out);
        self.review_nearly(now, out);
        if self.game.is_none() {
            self.review_setup(now, out);
            if self.game.is_none() {
                return;
            }
        }
        self.review_press(now, out);
        self.review_unexplained(now, out);
        self.review_surplus(now, out);
        self.review_still(now, out);
        self.review_firm(now, out);
    }

    /// When [`Tracker::review`] next has something to do.
    pub fn deadline(&self) -> Option<Stamp> {
        if !self.sensors.known() || self.gap.is_some() {
            return None;
        }
        let dues = [
            self.signal_deadline(),
            self.setup_deadline(),
            self.nearly_deadline(),
            self.press_deadline(),
            self.unexplained_deadline(),
            self.surplus_deadline(),
            self.still_deadline(),
            self.firm_deadline(),
            self.sensors.calm_deadline(),
            self.sensors.mend_deadline(),
        ];
        dues.iter().flatten().min().copied()
    }

    /// Starts a game from a position, whatever was on before.
    pub fn start(
        &mut self,
        position: Chess,
        source: StartSource,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        self.find_orientation(&position);
        self.begin(position, source, now, out);
        if self.sensors.known() {
            self.match_now(now, out);
        }
    }

    /// Takes back all plies after `to`, by order of the arbiter. Does nothing when there are none.
    pub fn undo(&mut self, to: Ply, now: Stamp, out: &mut Vec<TrackEvent>) {
        self.take_back(to, TakebackReason::Arbiter, now, out);
        if self.game.is_some() && self.sensors.known() {
            self.match_now(now, out);
        }
    }

    /// Nothing more will be seen: what was shown last, and stood long enough, is confirmed.
    pub fn last_words(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.signal.is_none() {
            self.confirm_last_shown(now, out);
        }
    }

    /// Opens the game again that was closed last; whether there was one.
    pub fn reopen(&mut self) -> bool {
        if self.game.is_none() {
            self.game = self.closed.take();
        }
        self.game.is_some()
    }

    /// Looks anew at what the board shows of the game that is on.
    pub fn look_again(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.game.is_some() && self.sensors.known() {
            self.match_now(now, out);
        }
    }

    /// Says which side of the clock is White's.
    pub fn set_clock_side(&mut self, white: ClockSide) {
        self.lever.told_white(white);
        self.press = None;
    }

    /// Ends the game; the next one is waited for.
    pub fn close(&mut self) {
        self.closed = self.game.take().or_else(|| self.closed.take());
        self.press = None;
        (self.stands, self.suspect, self.illegal_at) = (None, None, None);
        self.signal = None;
        self.setup = Setup::default();
    }

    /// Says which way round the board stands.
    pub fn set_orientation(
        &mut self,
        orientation: Orientation,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        self.turn_board(orientation);
        if self.game.is_some() && self.sensors.known() {
            self.match_now(now, out);
        }
    }

    /// The readings of the squares.
    pub fn sensors(&self) -> &Sensors {
        &self.sensors
    }

    /// Positions looked at and made so far in the game that is on: what the searches cost, whatever the
    /// machine. It counts on from game to game as far as searches go.
    pub fn looked_at(&self) -> u64 {
        self.work.count() + self.game.as_ref().map_or(0, |game| game.tree.made())
    }

    /// The clock.
    pub fn lever(&self) -> &Lever {
        &self.lever
    }

    /// The confirmed moves of the game that is on.
    pub fn line(&self) -> Option<&[Played]> {
        self.game.as_ref().map(Game::line)
    }

    /// The position after the last confirmed move.
    pub fn position(&self) -> Option<&Chess> {
        self.game.as_ref().map(|game| &game.tree.root().position)
    }

    /// The move the board shows beyond the last confirmed one.
    pub fn shown(&self) -> Option<(&Chess, Move)> {
        let game = self.game.as_ref()?;
        let (parent, m) = game.tree.node(game.current?).parent?;
        Some((&game.tree.node(parent).position, m))
    }

    /// Whether the squares show the game's position, or a legal move beyond it.
    pub fn agrees(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.current.is_some())
    }

    fn dump(&mut self, snapshot: &Snapshot, now: Stamp, out: &mut Vec<TrackEvent>) {
        let news = self.sensors.news(snapshot);
        for field in news.clone() {
            self.note_lift(field, snapshot[field.index()], now, false);
        }
        let after_gap = self.gap.is_some();
        if news.clone().next().is_some() {
            let coming = news.clone().map(|field| snapshot[field.index()]);
            self.explain_gap_in_time(coming, now, out);
        }
        self.note_suspect(now);
        if self.sensors.dump_news(snapshot, news, now) || after_gap {
            self.changed(now, out);
        }
        self.gap = None;
    }

    fn change(&mut self, field: Field, contact: Contact, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.sensors.contact(field.square(self.sensors.orientation())) != contact {
            self.explain_gap_in_time([contact], now, out);
            self.note_suspect(now);
        }
        self.note_lift(field, contact, now, true);
        if self.sensors.change(field, contact, now) && self.sensors.known() && self.gap.is_none() {
            self.changed(now, out);
        }
    }

    fn changed(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.game.is_some() {
            self.find_orientation_of_the_game();
            self.match_now(now, out);
            self.review_stands(now, out);
        } else {
            self.changed_without_game(now, out);
        }
        self.note_nearly(now);
        if !self.begin_unseen(now, out) {
            self.note_almost();
        }
    }

    fn clock(&mut self, reading: ClockReading, now: Stamp, out: &mut Vec<TrackEvent>) {
        if let Some(turn) = self.lever.read(reading, now) {
            self.pressed(turn, now, out);
        }
    }

    /// Remembers a man that leaves its square, and the same man coming back.
    fn note_lift(&mut self, field: Field, contact: Contact, now: Stamp, live: bool) {
        let square = field.square(self.sensors.orientation());
        let before = self.sensors.contact(square);
        if before == contact {
            return;
        }
        let slot = &mut self.lifted[usize::from(square)];
        if let Contact::Man(piece) = before {
            *slot = Some((piece, now));
        } else if let (Contact::Man(piece), Some((was, lifted))) = (contact, *slot) {
            *slot = None;
            let in_game = self.game.as_ref().is_some_and(|game| {
                game.tree.root().position.board().piece_at(square) == Some(piece)
            });
            if live && was == piece && in_game && now.since(lifted) >= self.timing.touch {
                self.touches.truncate(MOST_TOUCHES);
                self.touches.push(Touch { square, piece, lifted, back: now });
            }
        }
    }

    /// Tells of men that were touched: lifted and put back, and not moved there again.
    fn tell_touches(&mut self, best: NodeId, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        let path = game.tree.path(best);
        for Touch { square, piece, lifted, back } in self.touches.drain(..) {
            let moved = path.iter().any(|&id| {
                let node = game.tree.node(id);
                node.made >= lifted
                    && node
                        .parent
                        .is_some_and(|(_, m)| m.to() == square || m.from() == Some(square))
            });
            if !moved {
                out.push(TrackEvent::Touched { square, piece, lifted, back });
            }
        }
    }

    fn turn_board(&mut self, orientation: Orientation) {
        if self.sensors.orientation() != orientation {
            self.sensors.set_orientation(orientation);
            self.lever.set_orientation(orientation);
            self.lifted.fill(None);
        }
    }

    /// A game that was asked for while the board did not show its position, or not all of it: turns the
    /// board if that makes it show it now.
    fn find_orientation_of_the_game(&mut self) {
        let asked_for = self.game.as_ref().filter(|game| !game.shown && game.line.is_empty());
        if let Some(key) = asked_for.map(|game| game.tree.root().key) {
            self.turn_to(key);
        }
    }

    /// Turns the board if that makes it show this position.
    fn find_orientation(&mut self, position: &Chess) {
        self.turn_to(keys::Key::of(position.board()));
    }

    fn turn_to(&mut self, key: keys::Key) {
        let turned = self.sensors.orientation().turned();
        if self.sensors.known() && self.sensors.key() != key && self.sensors.key_in(turned) == key {
            self.turn_board(turned);
        }
    }

    fn begin(
        &mut self,
        position: Chess,
        source: StartSource,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        out.push(TrackEvent::Started {
            position: Box::new(position.clone()),
            source,
            orientation: self.sensors.orientation(),
        });
        self.sensors.assume_nothing();
        self.lever.begin();
        self.game = Some(Game::new(position, now));
        self.closed = None;
        self.had_game = true;
        self.press = None;
        (self.stands, self.suspect, self.illegal_at) = (None, None, None);
        self.signal = None;
        self.setup = Setup::default();
        self.lifted.fill(None);
        self.touches.clear();
    }
}

/// A man lifted and put back.
#[derive(Clone, Copy, Debug)]
struct Touch {
    square: Square,
    piece: Piece,
    lifted: Stamp,
    back: Stamp,
}

/// More men than this are not touched between two positions of a game.
const MOST_TOUCHES: usize = 32;

/// The four squares on which two kings show a result.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Whether a move puts a king on a centre square.
fn king_to_centre(m: Move) -> bool {
    matches!(m, Move::Normal { role: shakmaty::Role::King, to, .. } if CENTRE.contains(to))
}

/// The squares from which a king has one step to the centre, and the centre.
const NEAR_CENTRE: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);

/// The squares at which the board differs from a position.
fn differing(sensors: &Sensors, position: &Chess) -> Vec<Square> {
    sensors.differences(position.board()).into_iter().collect()
}

/// Whose man stands, or stood, at a square of a position.
fn owner(position: &Chess, square: Square) -> Option<Color> {
    position.board().color_at(square)
}
