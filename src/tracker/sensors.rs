//! What the 64 sensors read now, which way round, and since when.

use shakmaty::{Bitboard, Board, Role, Square};

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
    changed: [Stamp; 64],
    last_change: Stamp,
}

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
            last_change: Stamp::ZERO,
        }
    }

    /// Whether all squares have been read once.
    pub fn known(&self) -> bool {
        self.known
    }

    /// Takes one change; whether the reading is another than before.
    pub fn change(&mut self, field: Field, contact: Contact, now: Stamp) -> bool {
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
        self.changed[usize::from(square)] = now;
        self.last_change = now;
        true
    }

    /// Takes a whole dump; whether anything is another than before.
    pub fn dump(&mut self, snapshot: &Snapshot, now: Stamp) -> bool {
        let mut any = false;
        for field in Field::ALL {
            any |= self.change(field, snapshot[field.index()], now);
        }
        let first = !std::mem::replace(&mut self.known, true);
        if first {
            self.last_change = now;
        }
        any || first
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
        self.board = Board::empty();
        self.odd = Bitboard::EMPTY;
        self.changed.reverse();
        for field in Field::ALL {
            self.place(field.square(orientation), self.contacts[field.index()]);
        }
    }

    /// The men read, in the present orientation; special pieces and bad readings are not on it.
    pub fn board(&self) -> &Board {
        &self.board
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

    /// When any square last changed.
    pub fn last_change(&self) -> Stamp {
        self.last_change
    }

    /// Whether the squares show exactly this placement.
    pub fn shows(&self, board: &Board) -> bool {
        self.known && self.odd.is_empty() && self.board == *board
    }

    /// Squares at which the readings differ from a placement.
    pub fn differences(&self, board: &Board) -> Bitboard {
        difference(&self.board, board) | self.odd
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
        for (square, piece) in Board::new().iter() {
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
        assert_eq!(sensors.differences(&Board::new()), Bitboard::from_square(Square::E2));
        assert_eq!(sensors.changed_at(Square::E2), Stamp::from_millis(3));
        let pawn = Contact::Man(Role::Pawn.of(Color::White));
        assert!(sensors.change(e2, pawn, Stamp::from_millis(4)));
        assert_eq!(sensors.key(), Key::of(&Board::new()));
    }
}
