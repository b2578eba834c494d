//! A position as an exact 128-bit key, where few men are left that can move or vanish.
//!
//! In: what stays for good ([`Frame`]) and a [`Key`]. Out: a [`Packed`] key, from which the same
//! [`Key`] comes back. Two positions of one frame are the same iff their packed keys are. What does
//! not fit the frame is refused, never cut off.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role};

use super::{
    key::Key,
    mobility::{self, Man},
    store::Code,
};

/// Men beside those that stay: a nibble each, and one for a right to capture en passant.
const MEN: u32 = 15;
/// The kind of the king of the side to move.
const TO_MOVE: u64 = 7;

/// The men that never move and are never captured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    planes: [u64; 4],
    squares: u64,
}

/// The squares of all other men, and their kinds in the order of the squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed {
    squares: u64,
    kinds: u64,
}

impl Frame {
    /// What stays for good in all that follows `position`; `None` if too little does.
    pub(super) fn of(position: &Chess) -> Option<Frame> {
        let men = mobility::everything(position);
        let stays = |man: &&Man| man.fixed() && man.piece.role != Role::King;
        let squares: Bitboard = men.iter().filter(stays).map(|man| man.origin).collect();
        let planes = Key::of(position).planes().map(|plane| plane & squares.0);
        let moving = position.board().occupied().count() - squares.count();
        (moving <= MEN as usize).then_some(Frame { planes, squares: squares.0 })
    }

    /// The packed key, if the position is one of this frame.
    pub(super) fn pack(&self, key: Key) -> Option<Packed> {
        let planes = key.planes();
        if planes.map(|plane| plane & self.squares) != self.planes {
            return None;
        }
        let squares = (planes[0] | planes[1] | planes[2] | planes[3]) & !self.squares;
        if squares.count_ones() > MEN + 1 {
            return None;
        }
        let (mut left, mut kinds, mut shift) = (squares, 0, 0);
        while left != 0 {
            let square = left.trailing_zeros();
            let kind = (planes[0] >> square & 1)
                | (planes[1] >> square & 1) << 1
                | (planes[2] >> square & 1) << 2
                | (planes[3] >> square & 1) << 3;
            kinds |= kind << shift;
            shift += 4;
            left &= left - 1;
        }
        Some(Packed { squares, kinds })
    }

    /// The key again.
    pub(super) fn key(&self, packed: Packed) -> Key {
        let mut planes = self.planes;
        let (mut left, mut kinds) = (packed.squares, packed.kinds);
        while left != 0 {
            let square = left.trailing_zeros();
            for (bit, plane) in planes.iter_mut().enumerate() {
                *plane |= (kinds >> bit & 1) << square;
            }
            kinds >>= 4;
            left &= left - 1;
        }
        Key::from_planes(planes)
    }

    /// The packed key after a [plain](Key::plain) move by `color`; `None` if it leaves the frame.
    pub(super) fn after(&self, packed: Packed, m: Move, color: Color) -> Option<Packed> {
        let Move::Normal { role, from, to, promotion, .. } = m else { return None };
        let (from, to) = (1u64 << from.to_u32(), 1u64 << to.to_u32());
        if self.squares & (from | to) != 0 {
            return None;
        }
        let mut next = packed;
        next.remove(from);
        if next.squares & to != 0 {
            next.remove(to);
        }
        let dark = if color.is_black() { 8 } else { 0 };
        let kind = if role == Role::King { TO_MOVE } else { promotion.unwrap_or(role) as u64 };
        next.insert(to, kind | dark);
        next.pass();
        Some(next)
    }
}

impl Packed {
    fn place(self, square: u64) -> u32 {
        4 * (self.squares & (square - 1)).count_ones()
    }

    fn remove(&mut self, square: u64) {
        let at = self.place(square);
        let below = self.kinds & ((1 << at) - 1);
        self.kinds = below | (self.kinds >> at >> 4) << at;
        self.squares &= !square;
    }

    fn insert(&mut self, square: u64, kind: u64) {
        let at = self.place(square);
        let below = self.kinds & ((1 << at) - 1);
        self.kinds = below | kind << at | (self.kinds >> at) << at << 4;
        self.squares |= square;
    }

    /// The other king is the one to move: its kind is 7, the other's 6.
    fn pass(&mut self) {
        // A king's nibble alone has both middle bits set (2 and 4), other kinds at most one.
        let kings = (self.kinds >> 1) & (self.kinds >> 2) & 0x1111_1111_1111_1111;
        let before = self.kinds & kings;
        self.kinds ^= kings;
        debug_assert!(kings.count_ones() == 2 && before.count_ones() <= 1);
    }

    /// A number well spread.
    fn spread(self) -> u64 {
        let mut hash = self.squares.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash.rotate_left(29) ^ self.kinds).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        hash ^ hash >> 32
    }
}

impl Code for Packed {
    fn hash(self) -> u64 {
        self.spread()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::{Frame, Key};

    /// How many positions were packed.
    fn walk(frame: &Frame, position: &Chess, depth: u32) -> u32 {
        let key = Key::of(position);
        let packed = frame.pack(key).unwrap();
        assert_eq!(frame.key(packed), key);
        let mut count = 1;
        for m in position.legal_moves() {
            let mut child = position.clone();
            child.play_unchecked(m);
            if key.plain(m) {
                let after = frame.after(packed, m, position.turn()).unwrap();
                assert_eq!(Some(after), frame.pack(Key::of(&child)), "{m:?}");
            }
            if depth > 1 {
                count += walk(frame, &child, depth - 1);
            }
        }
        count
    }

    #[test]
    fn a_packed_key_gives_its_key_back() {
        for fen in [
            "8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 w - - 0 1",
            "4k2r/p7/8/4p3/3pP3/3P4/P7/R3K3 w Qk - 0 1",
            "7k/1P1p4/1P6/1pN1q3/8/8/p1P3KR/8 b - - 0 1",
            "8/8/8/1p4k1/8/1K6/P7/8 w - - 0 1",
        ] {
            let fen: Fen = fen.parse().unwrap();
            let position = fen.into_position(CastlingMode::Standard).unwrap();
            let frame = Frame::of(&position).unwrap();
            assert!(walk(&frame, &position, 3) > 20);
        }
        let full = Frame::of(&Chess::default());
        assert!(full.is_none());
    }

    #[test]
    fn what_leaves_the_frame_is_refused() {
        let read = |fen: &str| -> Chess {
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
        };
        let wall = read("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1");
        let frame = Frame::of(&wall).unwrap();
        assert!(frame.pack(Key::of(&wall)).is_some());
        let broken = read("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P3/8/8/4K3 w - - 0 1");
        assert!(frame.pack(Key::of(&broken)).is_none());
    }
}
