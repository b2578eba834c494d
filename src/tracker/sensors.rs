//! What the 64 sensors read now, which way round, and since when.

use std::{collections::VecDeque, time::Duration};

use shakmaty::{Bitboard, Board, Piece, Role, Square};

use crate::{
    link::Snapshot,
    tracker::keys::Key,
    units::Stamp,
    wire::{Contact, Field, Orientation},
};

/// The readings of a board, by field, with the keys of both orientations kept up to date.
#[derive(Clone, Debug)]
pub struct Sensors {
    contacts: Snapshot,
    orientation: Orientation,
    board: Board,
    odd: Bitboard,
    normal: Key,
    rotated: Key,
    known: bool,
    /// When each square last changed, what it read before that, and how often in a row it has gone
    /// back to what it read before.
    changed: [Stamp; 64],
    before: Box<[Contact; 64]>,
    returns: [u8; 64],
    flickering: Bitboard,
    /// Squares that never read the man that must stand there.
    assumed: Bitboard,
    /// Squares that read something that is no man, and what they read before that.
    unread: Bitboard,
    gone_since: Stamp,
    good: Box<[Contact; 64]>,
    last_change: Stamp,
    recent: VecDeque<Change>,
    /// A dump is being taken in.
    in_dump: bool,
    /// When the last dump came.
    dumped: Stamp,
    /// A man that a dump showed elsewhere than a message had told.
    wrongly_told: Option<WronglyTold>,
}

/// A man that a message put on a square and the dump after it on another.
#[derive(Clone, Copy, Debug)]
struct WronglyTold {
    told: Square,
    stands: Square,
    dump: Stamp,
}

impl WronglyTold {
    fn squares(self) -> Bitboard {
        Bitboard::from_square(self.told).with(self.stands)
    }
}

/// A change of a square's reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// When.
    pub at: Stamp,
    /// Which square.
    pub square: Square,
    /// What it read from then on.
    pub contact: Contact,
    /// What it had read before.
    pub before: Contact,
    /// Whether only a dump told of it: it came about some time before.
    pub dumped: bool,
    /// When the square was last known to read something else, if a dump told of it; else `at`.
    pub after: Stamp,
}

/// A man that stood on a square for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The square.
    pub square: Square,
    /// The man.
    pub man: Piece,
    /// Since when.
    pub from: Stamp,
    /// Until when; now, if it still stands there.
    pub until: Stamp,
    /// It stood there until then at least; less than `until` where only a dump told that it was gone.
    pub surely: Stamp,
    /// Whether only a dump told of it: it came some time before.
    pub dumped: bool,
    /// It did not stand there before.
    pub after: Stamp,
}

/// So many of the last changes are remembered.
const RECENT: usize = 128;

/// A square that goes back to its last reading this quickly, twice in a row, flickers.
const RETURN: Duration = Duration::from_millis(650);
/// A square that has not changed for so long flickers no more.
const CALM: Duration = Duration::from_secs(2);
/// The board tells by itself within this of what a dump showed changed.
const UNTOLD: Duration = Duration::from_millis(600);
/// More flickering squares than this are not made allowance for.
const MOST_FLICKERING: usize = 4;

impl Sensors {
    /// A board of which nothing has been read.
    pub fn new(orientation: Orientation) -> Sensors {
        Sensors {
            contacts: [Contact::Empty; 64],
            orientation,
            board: Board::empty(),
            odd: Bitboard::EMPTY,
            normal: Key::default(),
            rotated: Key::default(),
            known: false,
            changed: [Stamp::ZERO; 64],
            before: Box::new([Contact::Empty; 64]),
            returns: [0; 64],
            flickering: Bitboard::EMPTY,
            assumed: Bitboard::EMPTY,
            unread: Bitboard::EMPTY,
            gone_since: Stamp::ZERO,
            good: Box::new([Contact::Empty; 64]),
            last_change: Stamp::ZERO,
            recent: VecDeque::with_capacity(RECENT),
            in_dump: false,
            dumped: Stamp::ZERO,
            wrongly_told: None,
        }
    }

    /// Whether all squares have been read once.
    pub fn known(&self) -> bool {
        self.known
    }

    /// Takes one change; whether the reading is another than before.
    pub fn change(&mut self, field: Field, contact: Contact, now: Stamp) -> bool {
        if !self.in_dump
            && self
                .wrongly_told
                .is_some_and(|told| told.squares().contains(field.square(self.orientation)))
        {
            // The board tells of it by itself: it happened just now.
            self.wrongly_told = None;
        }
        let old = std::mem::replace(&mut self.contacts[field.index()], contact);
        if old == contact {
            return false;
        }
        for (key, orientation) in
            [(&mut self.normal, Orientation::Normal), (&mut self.rotated, Orientation::Rotated)]
        {
            let square = field.square(orientation);
            *key = key.with_contact(square, old).with_contact(square, contact);
        }
        let square = field.square(self.orientation);
        self.place(square, contact);
        self.note_unread(square, old);
        self.note_flicker(square, old, contact, now);
        true
    }

    /// What is no man tells nothing: the square is believed to read what it read before.
    fn note_unread(&mut self, square: Square, old: Contact) {
        if !self.odd.contains(square) {
            self.unread.discard(square);
        } else if self.known && !matches!(old, Contact::Token(_) | Contact::Unreadable(_)) {
            self.unread.add(square);
            self.good[usize::from(square)] = old;
        }
    }

    /// A badly centred man makes its square, and perhaps the next one, alternate between two
    /// readings. Such a square is believed to read either.
    fn note_flicker(&mut self, square: Square, old: Contact, new: Contact, now: Stamp) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        let known = self.dumped.max(self.changed[usize::from(square)]);
        let after = if self.in_dump { known } else { now };
        let dumped = self.in_dump;
        self.recent.push_back(Change { at: now, square, contact: new, before: old, dumped, after });
        let at = usize::from(square);
        self.assumed.discard(square);
        let quick = now.since(self.changed[at]) <= RETURN;
        if quick && self.before[at] == new {
            self.returns[at] = self.returns[at].saturating_add(1);
        } else if !quick || !self.flickering.contains(square) {
            self.returns[at] = 0;
        }
        self.before[at] = old;
        self.changed[at] = now;
        if self.returns[at] >= 2 && self.known {
            self.flickering.add(square);
        } else {
            self.flickering.discard(square);
            self.last_change = now;
        }
    }

    /// Forgets flickers that have ceased; whether there were any.
    pub fn calm(&mut self, now: Stamp) -> bool {
        let before = self.flickering();
        for square in before & !self.assumed {
            let at = usize::from(square);
            if now.since(self.changed[at]) >= CALM {
                self.flickering.discard(square);
                self.unread.discard(square);
                self.returns[at] = 0;
                self.last_change = self.last_change.max(self.changed[at]);
            }
        }
        self.flickering() != before
    }

    /// When the next flicker may have ceased.
    pub fn calm_deadline(&self) -> Option<Stamp> {
        let calming = self.flickering() & !self.assumed;
        calming.into_iter().map(|square| self.changed[usize::from(square)] + CALM).min()
    }

    /// Takes a man to stand where nothing is read, until the square reads something else.
    pub fn assume(&mut self, square: Square, man: Piece) {
        self.before[usize::from(square)] = Contact::Man(man);
        self.flickering.add(square);
        self.assumed.add(square);
    }

    /// Takes a square to be empty that reads a man, until it reads something else.
    pub fn assume_gone(&mut self, square: Square, now: Stamp) {
        self.gone_since = now;
        self.good[usize::from(square)] = Contact::Empty;
        self.unread.add(square);
        self.assumed.add(square);
    }

    /// Believes again what a square reads.
    pub fn believe(&mut self, square: Square) {
        self.unread.discard(square);
        self.assumed.discard(square);
    }

    /// Believes again that a square is empty which reads so.
    pub fn assume_nothing(&mut self) {
        self.flickering &= !self.assumed;
        self.unread &= !self.assumed;
        self.assumed = Bitboard::EMPTY;
    }

    /// Squares that never read the man that is taken to stand there.
    pub fn assumed(&self) -> Bitboard {
        self.assumed & !self.unread
    }

    /// Since when a man is taken to be gone that still shows.
    pub fn gone_since(&self) -> Option<Stamp> {
        self.gone().any().then_some(self.gone_since)
    }

    /// Squares whose men are taken to be gone.
    pub fn gone(&self) -> Bitboard {
        self.assumed & self.unread
    }

    /// Squares that may read something else than they do: they flicker, or read what is no man.
    pub fn flickering(&self) -> Bitboard {
        self.flickering | self.unread
    }

    /// The keys of all placements the readings stand for: one, unless squares flicker.
    pub fn keys(&self, keys: &mut Vec<Key>) {
        keys.clear();
        keys.push(self.key());
        for square in self.flickering().into_iter().take(MOST_FLICKERING) {
            let (at, now) = (usize::from(square), self.contact(square));
            let before = if self.unread.contains(square) { self.good[at] } else { self.before[at] };
            for at in 0..keys.len() {
                keys.push(keys[at].with_contact(square, now).with_contact(square, before));
            }
        }
    }

    /// Whether a square reads this, or flickers between this and something else.
    pub fn may_read(&self, square: Square, man: Option<Piece>) -> bool {
        let reads = |contact: Contact| match contact {
            Contact::Empty => man.is_none(),
            contact => man.is_some() && contact.man() == man,
        };
        reads(self.contact(square))
            || (self.flickering.contains(square) && reads(self.before[usize::from(square)]))
            || (self.unread.contains(square) && reads(self.good[usize::from(square)]))
    }

    /// The placement shown, with the squares that flicker read as `expected` where they may.
    pub fn believed(&self, expected: &Board) -> (Board, Bitboard) {
        let (mut board, mut odd) = (self.board.clone(), self.odd);
        for square in self.flickering() {
            let man = expected.piece_at(square);
            if self.may_read(square, man) {
                odd.discard(square);
                board.discard_piece_at(square);
                if let Some(man) = man {
                    board.set_piece_at(square, man);
                }
            }
        }
        (board, odd)
    }

    /// When the last dump came.
    pub fn last_dump(&self) -> Stamp {
        self.dumped
    }

    /// The fields that a dump shows otherwise than they read.
    pub fn news(&self, snapshot: &Snapshot) -> impl Iterator<Item = Field> + Clone + use<> {
        let mut news = 0_u64;
        for (at, (old, new)) in self.contacts.iter().zip(snapshot).enumerate() {
            news |= u64::from(old != new) << at;
        }
        Bitboard(news).into_iter().map(|at| Field::ALL[usize::from(at)])
    }

    /// Takes a whole dump; whether anything is another than before.
    pub fn dump(&mut self, snapshot: &Snapshot, now: Stamp) -> bool {
        self.dump_news(snapshot, self.news(snapshot), now)
    }

    /// Takes a whole dump of which the [news](Sensors::news) are known.
    pub fn dump_news(
        &mut self,
        snapshot: &Snapshot,
        news: impl Iterator<Item = Field> + Clone,
        now: Stamp,
    ) -> bool {
        let mut any = false;
        self.wrongly_told = self.told_elsewhere(snapshot, news.clone(), now);
        self.in_dump = true;
        for field in news {
            any |= self.change(field, snapshot[field.index()], now);
        }
        self.in_dump = false;
        self.dumped = now;
        let first = !std::mem::replace(&mut self.known, true);
        if first {
            self.last_change = now;
        }
        any || first
    }

    /// Whether a dump shows a man on another square than the one on which a message alone had told of him,
    /// since the dump before.
    fn told_elsewhere(
        &self,
        snapshot: &Snapshot,
        news: impl Iterator<Item = Field>,
        now: Stamp,
    ) -> Option<WronglyTold> {
        let mut fields = news;
        let (one, other, None) = (fields.next()?, fields.next()?, fields.next()) else {
            return None;
        };
        let square = |field: Field| field.square(self.orientation);
        [(one, other), (other, one)].into_iter().find_map(|(told, shown)| {
            let man = self.contacts[told.index()];
            let (from, to) = (square(told), square(shown));
            let moved = man.man().is_some()
                && snapshot[shown.index()] == man
                && snapshot[told.index()] == Contact::Empty
                && self.changed_at(from) > self.dumped
                && self.changed_at(to) <= self.changed_at(from);
            moved.then_some(WronglyTold { told: from, stands: to, dump: now })
        })
    }

    /// When a man that a dump showed elsewhere than a message had told, and of which the board said
    /// nothing since, is taken to have gone there in the first place.
    pub fn mend_deadline(&self) -> Option<Stamp> {
        self.wrongly_told.map(|told| told.dump + UNTOLD)
    }

    /// Takes such a message for damaged on the line; answers which square it told of, and of which it
    /// should have told.
    pub fn mend(&mut self, now: Stamp) -> Option<(Square, Square)> {
        let WronglyTold { told, stands, dump } =
            self.wrongly_told.take_if(|told| told.dump + UNTOLD <= now)?;
        let by_dump = |change: &Change, square| change.at == dump && change.square == square;
        let before = self.recent.iter().find(|c| by_dump(c, stands)).map(|c| c.before)?;
        self.recent.retain(|change| !by_dump(change, told) && !by_dump(change, stands));
        let arrival = self.recent.iter_mut().rfind(|change| change.square == told)?;
        (arrival.square, arrival.before) = (stands, before);
        let when = arrival.at;
        let earlier = self.recent.iter().rfind(|change| change.square == told);
        self.changed[usize::from(told)] = earlier.map_or(Stamp::ZERO, |change| change.at);
        (self.changed[usize::from(stands)], self.before[usize::from(stands)]) = (when, before);
        Some((told, stands))
    }

    /// Which way round the board is taken to stand.
    pub fn orientation(&self) -> Orientation {
        self.orientation
    }

    /// Reads the board the other way round from now on.
    pub fn set_orientation(&mut self, orientation: Orientation) {
        if self.orientation == orientation {
            return;
        }
        self.orientation = orientation;
        self.wrongly_told = None;
        self.board = Board::empty();
        self.odd = Bitboard::EMPTY;
        self.changed.reverse();
        self.before.reverse();
        self.returns.reverse();
        self.flickering = self.flickering.into_iter().map(Square::rotate_180).collect();
        self.assumed = self.assumed.into_iter().map(Square::rotate_180).collect();
        self.unread = self.unread.into_iter().map(Square::rotate_180).collect();
        self.good.reverse();
        for change in &mut self.recent {
            change.square = change.square.rotate_180();
        }
        for field in Field::ALL {
            self.place(field.square(orientation), self.contacts[field.index()]);
        }
    }

    /// The men read, in the present orientation; special pieces and bad readings are not on it.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The men read, those included that stood where something is read now that is no man.
    pub fn settled(&self) -> Board {
        let mut board = self.board.clone();
        for square in self.unread {
            if let Some(man) = self.good[usize::from(square)].man() {
                board.set_piece_at(square, man);
            }
        }
        board
    }

    /// Squares that have read nothing but what is no man.
    pub fn never_read(&self) -> Bitboard {
        self.odd & !self.unread
    }

    /// Squares that read something that is no chess man.
    pub fn odd(&self) -> Bitboard {
        self.odd
    }

    /// The reading of a square.
    pub fn contact(&self, square: Square) -> Contact {
        self.contacts[Field::from_square(square, self.orientation).index()]
    }

    /// The key of all readings in the present orientation.
    pub fn key(&self) -> Key {
        self.key_in(self.orientation)
    }

    /// The key of all readings for either orientation.
    pub fn key_in(&self, orientation: Orientation) -> Key {
        match orientation {
            Orientation::Normal => self.normal,
            Orientation::Rotated => self.rotated,
        }
    }

    /// When this square last changed.
    pub fn changed_at(&self, square: Square) -> Stamp {
        self.changed[usize::from(square)]
    }

    /// The last changes, oldest first.
    pub fn recent(&self) -> impl DoubleEndedIterator<Item = &Change> {
        self.recent.iter()
    }

    /// Since when a square that flickers has done so without a pause.
    pub fn flickers_since(&self, square: Square) -> Stamp {
        let mut since = self.changed_at(square);
        for change in self.recent.iter().rev().filter(|change| change.square == square) {
            if since.since(change.at) >= CALM {
                break;
            }
            since = change.at;
        }
        since
    }

    /// Whether a square reads what it read before it last changed for a moment.
    pub fn flashed(&self, square: Square, moment: Duration) -> bool {
        let mut changes = self.recent.iter().rev().filter(|change| change.square == square);
        let (Some(last), Some(before)) = (changes.next(), changes.next()) else { return false };
        last.contact == before.before && last.at.since(before.at) < moment
    }

    /// Whether the last change of a square was told by a dump only.
    pub fn dumped(&self, square: Square) -> bool {
        self.recent.iter().rev().find(|change| change.square == square).is_some_and(|c| c.dumped)
    }

    /// The oldest moment of which every change is still remembered.
    pub fn remembered(&self) -> Stamp {
        if self.recent.len() < RECENT {
            Stamp::ZERO
        } else {
            self.recent.front().map_or(Stamp::ZERO, |change| change.at)
        }
    }

    /// The men that came to stand on a square at `since` or later, oldest first.
    pub fn sightings(&self, since: Stamp, now: Stamp) -> impl Iterator<Item = Sighting> {
        let first = self.recent.partition_point(|change| change.at < since);
        self.recent.range(first..).enumerate().filter_map(move |(index, change)| {
            let man = change.contact.man()?;
            let later = first + index + 1;
            let next = self.recent.range(later..).find(|later| later.square == change.square);
            Some(Sighting {
                square: change.square,
                man,
                from: change.at,
                until: next.map_or(now, |next| next.at),
                surely: next.map_or(now, |next| next.after.max(change.at)),
                dumped: change.dumped,
                after: change.after,
            })
        })
    }

    /// When, at `since` or later, a square came to read this man, or something that cannot be read:
    /// the first time after `after`, or the last time before it.
    pub fn saw(&self, square: Square, man: Piece, since: Stamp, after: Stamp) -> Option<Stamp> {
        self.arrival(square, man, since, after).map(|change| change.at)
    }

    /// The change by which a square came to read this man, as [`Sensors::saw`] has it.
    pub fn arrival(
        &self,
        square: Square,
        man: Piece,
        since: Stamp,
        after: Stamp,
    ) -> Option<Change> {
        if self.changed_at(square) < since {
            return None;
        }
        let sightings = |exact: bool| {
            self.since(since)
                .filter(move |change| change.square == square)
                .filter(move |change| match change.contact {
                    Contact::Man(seen) => seen == man,
                    Contact::Token(_) | Contact::Unreadable(_) => !exact,
                    Contact::Empty => false,
                })
                .copied()
        };
        let first = |exact| sightings(exact).find(|change| change.at >= after);
        first(true)
            .or_else(|| first(false))
            .or_else(|| sightings(true).next_back())
            .or_else(|| sightings(false).next_back())
    }

    /// When, at `since` or later, a square stopped reading this man: the first time and the last. The
    /// first is when it last was known to read it where only a dump told of that.
    pub fn departures(&self, square: Square, man: Piece, since: Stamp) -> Option<(Stamp, Stamp)> {
        let mut found: Option<(Stamp, Stamp)> = None;
        if self.changed_at(square) < since {
            return None;
        }
        for change in self.since(since) {
            if change.square == square && change.before == Contact::Man(man) {
                let first = change.after;
                found = Some((found.map_or(first, |(first, _)| first), change.at));
            }
        }
        found
    }

    /// The changes at `since` or later, oldest first.
    fn since(&self, since: Stamp) -> impl DoubleEndedIterator<Item = &Change> + Clone {
        self.recent.range(self.recent.partition_point(|change| change.at < since)..)
    }

    /// When any square last changed, flickers aside.
    pub fn last_change(&self) -> Stamp {
        self.last_change
    }

    /// Whether the squares show exactly this placement.
    pub fn shows(&self, board: &Board) -> bool {
        self.known && self.differences(board).is_empty()
    }

    /// Squares at which what is read now differs from a placement, flickering or not.
    pub fn raw_differences(&self, board: &Board) -> Bitboard {
        difference(&self.board, board) | self.odd
    }

    /// Squares at which the readings differ from a placement.
    pub fn differences(&self, board: &Board) -> Bitboard {
        let raw = self.raw_differences(board);
        let flickering = self.flickering();
        if flickering.is_empty() {
            return raw;
        }
        let shown = (raw & flickering)
            .into_iter()
            .filter(|&square| self.may_read(square, board.piece_at(square)));
        raw & !shown.collect::<Bitboard>()
    }

    fn place(&mut self, square: Square, contact: Contact) {
        self.board.discard_piece_at(square);
        self.odd.discard(square);
        match contact {
            Contact::Empty => {}
            Contact::Man(piece) => self.board.set_piece_at(square, piece),
            Contact::Token(_) | Contact::Unreadable(_) => self.odd.add(square),
        }
    }
}

/// Squares at which two placements differ.
pub fn difference(a: &Board, b: &Board) -> Bitboard {
    let mut squares = (a.white() ^ b.white()) | (a.black() ^ b.black());
    for role in Role::ALL {
        squares |= a.by_role(role) ^ b.by_role(role);
    }
    squares
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;

    #[test]
    fn keys_and_board_agree_after_changes_and_turning() {
        let mut sensors = Sensors::new(Orientation::Normal);
        let mut snapshot = [Contact::Empty; 64];
        for (square, piece) in &Board::new() {
            snapshot[Field::from_square(square, Orientation::Rotated).index()] =
                Contact::Man(piece);
        }
        assert!(sensors.dump(&snapshot, Stamp::from_millis(1)));
        assert!(!sensors.dump(&snapshot, Stamp::from_millis(2)));
        assert!(!sensors.shows(&Board::new()));
        assert_eq!(sensors.key_in(Orientation::Rotated), Key::of(&Board::new()));
        sensors.set_orientation(Orientation::Rotated);
        assert!(sensors.shows(&Board::new()));

        let e2 = Field::from_square(Square::E2, Orientation::Rotated);
        assert!(sensors.change(e2, Contact::Unreadable(0x22), Stamp::from_millis(3)));
        let there = Bitboard::from_square(Square::E2);
        assert_eq!(sensors.raw_differences(&Board::new()), there);
        assert!(sensors.shows(&Board::new()), "what is no man says nothing of the one before it");
        assert!(sensors.calm(Stamp::from_millis(3_000)));
        assert_eq!(sensors.differences(&Board::new()), there, "not for ever");
        assert_eq!(sensors.changed_at(Square::E2), Stamp::from_millis(3));
        let pawn = Contact::Man(Role::Pawn.of(Color::White));
        assert!(sensors.change(e2, pawn, Stamp::from_millis(3_001)));
        assert_eq!(sensors.key(), Key::of(&Board::new()));
    }

    #[test]
    fn a_flickering_square_reads_as_either() {
        let mut sensors = Sensors::new(Orientation::Normal);
        let mut snapshot = [Contact::Empty; 64];
        for (square, piece) in &Board::new() {
            snapshot[Field::from_square(square, Orientation::Normal).index()] = Contact::Man(piece);
        }
        sensors.dump(&snapshot, Stamp::ZERO);
        let d7 = Field::from_square(Square::D7, Orientation::Normal);
        let man = snapshot[d7.index()];
        for (millis, contact) in [(5_000, Contact::Empty), (5_700, man), (6_500, Contact::Empty)] {
            sensors.change(d7, contact, Stamp::from_millis(millis));
        }
        // A hand lifts a man, puts it back and lifts it again no faster than that.
        assert!(!sensors.shows(&Board::new()));
        for (millis, contact) in [(6_700, man), (7_000, Contact::Empty)] {
            sensors.change(d7, contact, Stamp::from_millis(millis));
        }
        assert!(sensors.shows(&Board::new()));
        let mut keys = Vec::new();
        sensors.keys(&mut keys);
        assert!(keys.contains(&Key::of(&Board::new())));
        assert!(sensors.calm(Stamp::from_millis(9_100)));
        assert!(!sensors.shows(&Board::new()), "the man is gone for good");
    }
}
