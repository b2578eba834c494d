//! What the board last said of its squares, and whether a dump and the updates agree.

use super::{Snapshot, patience};
use crate::{
    units::Stamp,
    wire::{Contact, Field, Orientation},
};

/// The squares as told to the tracker so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Squares {
    /// `None` before the first dump.
    now: Option<Box<Snapshot>>,
    /// Fields updated since the dump that is on its way was asked for, one bit each.
    since_asked: u64,
    /// Dumps asked for and not yet received.
    on_the_way: u8,
    /// The last change since the last dump was asked for.
    changed_at: Option<Stamp>,
    /// Fields a dump showed changed although no update had said so, one bit each.
    suspects: u64,
    suspects_since: Stamp,
    /// A dump that differs too much to be believed alone, and until when it waits.
    held: Option<(Box<Snapshot>, Stamp)>,
    /// How many squares it shows changed that nothing else did.
    alone: u32,
}

/// What became of a dump.
#[derive(Clone, Debug)]
pub(super) enum Taken {
    /// What is now believed, and whether that needs no further dump.
    Believed(Box<Snapshot>, bool),
    /// It waits for another that says the same.
    Held,
}

/// A dump that shows so many squares changed, of which no update told, is not believed alone: one
/// byte lost and one inserted on the line shift all men behind it.
const TOO_MANY: u32 = 3;
/// Two plies that nobody saw change four squares at most, or five with a rook that castled; three men
/// shifted change more.
const MANY: u32 = 5;

impl Squares {
    /// A dump has arrived before.
    pub(super) fn known(&self) -> bool {
        self.now.is_some()
    }

    /// What they read, once a dump has arrived.
    pub(super) fn read(&self) -> Option<&Snapshot> {
        self.now.as_deref()
    }

    /// The last change since a dump was last asked for.
    pub(super) fn changed_at(&self) -> Option<Stamp> {
        self.changed_at
    }

    /// When fields that only a dump showed changed become a disagreement.
    pub(super) fn suspect_due(&self) -> Option<Stamp> {
        (self.suspects != 0).then(|| self.suspects_since + patience::CATCH_UP)
    }

    /// The disagreement has been dealt with.
    pub(super) fn clear_suspects(&mut self) {
        self.suspects = 0;
    }

    /// A dump has been asked for. `first`: not a repetition of a request still unanswered, so what
    /// changed before cannot be missing from the answer.
    pub(super) fn asked(&mut self, first: bool) {
        self.changed_at = None;
        if first {
            self.since_asked = 0;
            self.on_the_way = 1;
        } else {
            self.on_the_way = self.on_the_way.saturating_add(1);
        }
    }

    /// When the dump that waits counts although no other has borne it out.
    pub(super) fn held_due(&self) -> Option<Stamp> {
        self.held.as_ref().map(|(_, due)| *due)
    }

    /// The dump that has waited long enough; it is believed now, for want of another.
    /// Whether it shows more changed than two plies change is told with it.
    pub(super) fn release(&mut self) -> Option<(Box<Snapshot>, bool)> {
        let (mut dump, _) = self.held.take()?;
        if let Some(now) = &self.now {
            for field in Field::ALL {
                if self.since_asked & 1 << field.number() != 0 {
                    dump[field.index()] = now[field.index()];
                }
            }
        }
        self.now = Some(dump.clone());
        Some((dump, self.alone > MANY))
    }

    /// Takes an update. Returns whether it says anything new, be it only that what a dump showed first
    /// has just happened.
    pub(super) fn update(&mut self, field: Field, contact: Contact, at: Stamp) -> bool {
        let bit = 1 << field.number();
        let shown_first = self.suspects & bit != 0;
        self.suspects &= !bit;
        self.since_asked |= bit;
        if let Some(now) = &mut self.now {
            let known = &mut now[field.index()];
            if *known == contact {
                return shown_first;
            }
            *known = contact;
        }
        self.changed_at = Some(at);
        true
    }

    /// Takes a dump.
    ///
    /// A dump is taken at an unknown instant between the request and its arrival. Where an update
    /// came in between, the update is as new as the dump or newer, and stands.
    pub(super) fn dump(&mut self, mut dump: Box<Snapshot>, at: Stamp) -> Taken {
        let mut settled = true;
        let held = self.held.take();
        let asked = self.on_the_way > 0;
        self.on_the_way = self.on_the_way.saturating_sub(1);
        if let Some(now) = &self.now {
            let mut suspects: u64 = 0;
            let mut alone: u64 = 0;
            // A byte put in on the line is rarely a man: such a dump bears out no other.
            let clean = held.is_some()
                && !dump.iter().any(|contact| matches!(contact, Contact::Unreadable(_)));
            let mut differs: u64 = 0;
            for (at, (shown, known)) in dump.iter().zip(now.iter()).enumerate() {
                differs |= u64::from(shown != known) << at;
            }
            while differs != 0 {
                let field = Field::ALL[differs.trailing_zeros() as usize];
                let index = field.index();
                differs &= differs - 1;
                settled = false;
                if asked && self.since_asked & 1 << field.number() != 0 {
                    dump[index] = now[index];
                } else {
                    suspects |= 1 << field.number();
                    let borne_out =
                        clean && held.as_ref().is_some_and(|(held, _)| held[index] == dump[index]);
                    alone |= u64::from(!borne_out) << field.number();
                }
            }
            self.alone = alone.count_ones();
            if self.alone >= TOO_MANY && !is_array(&dump) {
                // What changes from now on is newer than this dump.
                self.since_asked = 0;
                self.held = Some((dump, at + patience::HOLD));
                return Taken::Held;
            }
            if suspects != 0 {
                self.suspects = suspects;
                self.suspects_since = at;
            }
        }
        match &mut self.now {
            Some(now) => now.clone_from(&dump),
            None => self.now = Some(dump.clone()),
        }
        Taken::Believed(dump, settled)
    }
}

/// Whether all men stand as at the beginning of a game, either way round: no shift makes that.
fn is_array(dump: &Snapshot) -> bool {
    let array = shakmaty::Board::new();
    [Orientation::Normal, Orientation::Rotated].into_iter().any(|orientation| {
        Field::ALL
            .into_iter()
            .all(|field| dump[field.index()].man() == array.piece_at(field.square(orientation)))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use shakmaty::Board;

    use super::*;

    fn array() -> Snapshot {
        let mut snapshot = [Contact::Empty; 64];
        for (square, man) in &Board::new() {
            let field = Field::from_square(square, Orientation::Normal);
            snapshot[field.index()] = Contact::Man(man);
        }
        snapshot
    }

    /// What a byte lost in a dump and another put in behind make of it.
    fn shifted() -> Snapshot {
        let mut snapshot = array();
        snapshot[3..].rotate_left(1);
        snapshot
    }

    fn told(squares: &mut Squares, dump: Snapshot, millis: u64) -> Option<Snapshot> {
        squares.asked(true);
        match squares.dump(Box::new(dump), Stamp::from_millis(millis)) {
            Taken::Believed(dump, _) => Some(*dump),
            Taken::Held => None,
        }
    }

    #[test]
    fn a_dump_that_differs_too_much_needs_another_that_says_the_same() {
        let mut squares = Squares::default();
        assert_eq!(told(&mut squares, array(), 0), Some(array()));
        assert_eq!(told(&mut squares, shifted(), 1_000), None);
        assert_eq!(squares.read(), Some(&array()));
        assert_eq!(squares.held_due(), Some(Stamp::from_millis(1_000) + patience::HOLD));
        // The next one contradicts it.
        let mut again = array();
        again.swap(52, 36);
        assert_eq!(told(&mut squares, again, 1_300), Some(again));
        assert_eq!(squares.held_due(), None);
        // The next one bears it out: the men were moved and the updates lost.
        assert_eq!(told(&mut squares, shifted(), 2_000), None);
        assert_eq!(told(&mut squares, shifted(), 2_300), Some(shifted()));
    }

    #[test]
    fn two_dumps_into_which_a_byte_was_put_do_not_bear_each_other_out() {
        let shifted = |at: usize, byte: u8| {
            let mut snapshot = array();
            snapshot[at..].rotate_right(1);
            snapshot[at] = Contact::Unreadable(byte);
            snapshot
        };
        let mut squares = Squares::default();
        told(&mut squares, array(), 0);
        assert_eq!(told(&mut squares, shifted(16, 0x2b), 1_000), None);
        assert_eq!(told(&mut squares, shifted(18, 0x51), 1_300), None);
        assert_eq!(told(&mut squares, array(), 1_600), Some(array()));
    }

    #[test]
    fn a_move_whose_updates_were_lost_is_believed_at_once() {
        let mut squares = Squares::default();
        told(&mut squares, array(), 0);
        let mut moved = array();
        moved.swap(52, 36);
        assert_eq!(told(&mut squares, moved, 500), Some(moved));
    }

    #[test]
    fn where_no_other_dump_comes_it_counts_with_the_updates_that_came_after_it() {
        let mut squares = Squares::default();
        told(&mut squares, array(), 0);
        assert_eq!(told(&mut squares, shifted(), 1_000), None);
        let field = Field::ALL[40];
        let man = array()[0];
        assert!(squares.update(field, man, Stamp::from_millis(1_200)));
        let mut expected = shifted();
        expected[40] = man;
        assert_eq!(squares.release(), Some((Box::new(expected), true)));
        assert_eq!(squares.release(), None);
        assert!(patience::HOLD > Duration::from_secs(3));
    }
}
