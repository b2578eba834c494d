//! A position as a short exact key: 128 bits where few men are left that can move or vanish, else 192.
//!
//! In: what stays for good ([`Frame`]) and a [`Key`]. Out: a [`Packed`] key, from which the same
//! [`Key`] comes back. Two positions of one frame are the same iff their packed keys are. What does
//! not fit the frame is refused, never cut off.

use std::{
    marker::PhantomData,
    ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr},
};

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square};

use super::{
    key::Key,
    mobility::{self, Man},
    store::Code,
};

/// The kinds of the men, four bits each, as one number to reckon with.
pub(super) trait Kinds:
    Copy
    + Eq
    + From<u8>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// As it is kept.
    type Kept: Copy + Eq + std::fmt::Debug;
    /// How many there is room for, one of them for a right to capture en passant.
    const MEN: usize;
    /// The lowest bit of each.
    const EACH: Self;

    fn keep(self) -> Self::Kept;

    fn kept(kept: Self::Kept) -> Self;

    /// The lowest eight bits.
    fn low(self) -> u8;

    /// All bits, mixed.
    fn mixed(self) -> u64;
}

impl Kinds for u64 {
    type Kept = u64;
    const MEN: usize = 16;
    const EACH: u64 = 0x1111_1111_1111_1111;

    fn keep(self) -> u64 {
        self
    }

    fn kept(kept: u64) -> u64 {
        kept
    }

    fn low(self) -> u8 {
        self.to_le_bytes()[0]
    }

    fn mixed(self) -> u64 {
        self
    }
}

impl Kinds for u128 {
    type Kept = [u64; 2];
    const MEN: usize = 32;
    const EACH: u128 = 0x1111_1111_1111_1111_1111_1111_1111_1111;

    fn keep(self) -> [u64; 2] {
        let half = |number: u128| u64::try_from(number & u128::from(u64::MAX)).unwrap_or(0);
        [half(self), half(self >> 64)]
    }

    fn kept([low, high]: [u64; 2]) -> u128 {
        u128::from(low) | u128::from(high) << 64
    }

    fn low(self) -> u8 {
        self.to_le_bytes()[0]
    }

    fn mixed(self) -> u64 {
        let [low, high] = self.keep();
        low ^ high.wrapping_mul(0x1656_67b1_9e37_79f9).rotate_left(31)
    }
}

/// The men that never move and are never captured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<K> {
    planes: [u64; 4],
    squares: u64,
    kinds: PhantomData<K>,
}

/// The squares of all other men, and their kinds in the order of the squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed<T> {
    squares: u64,
    kinds: T,
}

impl<K: Kinds> Frame<K> {
    /// What stays for good in all that follows `position`; `None` if too little does.
    pub(super) fn of(position: &Chess) -> Option<Frame<K>> {
        let men = mobility::everything(position);
        let stays = |man: &&Man| man.fixed() && man.piece.role != Role::King;
        let squares: Bitboard = men.iter().filter(stays).map(|man| man.origin).collect();
        let planes = Key::of(position).planes().map(|plane| plane & squares.0);
        let moving = position.board().occupied().count() - squares.count();
        let frame = Frame { planes, squares: squares.0, kinds: PhantomData };
        (moving < K::MEN).then_some(frame)
    }

    /// The packed key, if the position is one of this frame.
    pub(super) fn pack(&self, key: Key) -> Option<Packed<K::Kept>> {
        let planes = key.planes();
        if planes.map(|plane| plane & self.squares) != self.planes {
            return None;
        }
        let squares = (planes[0] | planes[1] | planes[2] | planes[3]) & !self.squares;
        if squares.count_ones() as usize > K::MEN {
            return None;
        }
        let (mut left, mut kinds, mut shift) = (squares, K::from(0), 0);
        while left != 0 {
            let square = left.trailing_zeros();
            let bit = |plane: usize| u8::from(planes[plane] >> square & 1 == 1) << plane;
            kinds = kinds | K::from(bit(0) | bit(1) | bit(2) | bit(3)) << shift;
            shift += 4;
            left &= left - 1;
        }
        Some(Packed { squares, kinds: kinds.keep() })
    }

    /// The key again.
    pub(super) fn key(&self, packed: Packed<K::Kept>) -> Key {
        let [mut p0, mut p1, mut p2, mut p3] = self.planes;
        let (mut left, mut kinds) = (packed.squares, K::kept(packed.kinds));
        while left != 0 {
            let kind = u64::from(kinds.low());
            let square = left.trailing_zeros();
            p0 |= (kind & 1) << square;
            p1 |= (kind >> 1 & 1) << square;
            p2 |= (kind >> 2 & 1) << square;
            p3 |= (kind >> 3 & 1) << square;
            kinds = kinds >> 4;
            left &= left - 1;
        }
        Key::from_planes([p0, p1, p2, p3])
    }

    /// The position with the man on `from` in the air and the other side to move; `None` if that
    /// man is one that stays.
    pub(super) fn lift(packed: Packed<K::Kept>, from: Square) -> Option<Packed<K>> {
        let from = 1u64 << from.to_u32();
        let mut next = Packed { squares: packed.squares, kinds: K::kept(packed.kinds) };
        if next.squares & from == 0 {
            return None;
        }
        next.remove(from);
        next.pass();
        Some(next)
    }

    /// The packed key after a [plain](Key::plain) move by `color` of the man in the air; `None` if
    /// it leaves the frame.
    pub(super) fn put(
        &self,
        mut lifted: Packed<K>,
        m: Move,
        color: Color,
    ) -> Option<Packed<K::Kept>> {
        let Move::Normal { role, to, promotion, .. } = m else { return None };
        let to = 1u64 << to.to_u32();
        if self.squares & to != 0 {
            return None;
        }
        let kind = promotion.unwrap_or(role) as u8 | if color.is_black() { 8 } else { 0 };
        lifted.put(to, kind);
        Some(Packed { squares: lifted.squares, kinds: lifted.kinds.keep() })
    }
}

impl<K: Kinds> Packed<K> {
    fn place(self, square: u64) -> u32 {
        4 * (self.squares & (square - 1)).count_ones()
    }

    fn below(self, at: u32) -> K {
        self.kinds & !(!K::from(0) << at)
    }

    fn remove(&mut self, square: u64) {
        let at = self.place(square);
        self.kinds = self.below(at) | (self.kinds >> at >> 4) << at;
        self.squares &= !square;
    }

    /// Puts a man there, in the place of another if there is one.
    fn put(&mut self, square: u64, kind: u8) {
        let at = self.place(square);
        let rest = self.kinds >> at;
        let above = if self.squares & square == 0 { rest << 4 } else { rest >> 4 << 4 };
        self.kinds = self.below(at) | (above | K::from(kind)) << at;
        self.squares |= square;
    }

    /// The other king is the one to move: its kind becomes 7, the other's 6.
    fn pass(&mut self) {
        // Only a king's kind has both the second and the third bit.
        let kings = (self.kinds >> 1) & (self.kinds >> 2) & K::EACH;
        self.kinds = self.kinds ^ kings;
    }
}

impl Code for Packed<u64> {
    fn hash(self) -> u64 {
        spread(self.squares, self.kinds)
    }
}

impl Code for Packed<[u64; 2]> {
    fn hash(self) -> u64 {
        spread(self.squares, u128::kept(self.kinds).mixed())
    }
}

/// A number well spread.
fn spread(squares: u64, kinds: u64) -> u64 {
    let mut hash = squares.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash = (hash.rotate_left(29) ^ kinds).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::{Frame, Key, Kinds};

    /// How many positions were packed.
    fn walk<K: Kinds>(frame: &Frame<K>, position: &Chess, depth: u32) -> u32 {
        let key = Key::of(position);
        let packed = frame.pack(key).unwrap();
        assert_eq!(frame.key(packed), key);
        let mut count = 1;
        for m in position.legal_moves() {
            let mut child = position.clone();
            child.play_unchecked(m);
            if key.plain(m) {
                let lifted = Frame::<K>::lift(packed, m.from().unwrap()).unwrap();
                let after = frame.put(lifted, m, position.turn()).unwrap();
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
            let frame = Frame::<u64>::of(&position).unwrap();
            assert!(walk(&frame, &position, 3) > 20);
            let frame = Frame::<u128>::of(&position).unwrap();
            assert!(walk(&frame, &position, 3) > 20);
        }
        assert!(Frame::<u64>::of(&Chess::default()).is_none());
        assert!(Frame::<u128>::of(&Chess::default()).is_none());
        let many = "r1b1kbnr/pppp1ppp/8/4p3/4P2q/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 1";
        let many = many.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        assert!(walk(&Frame::<u128>::of(&many).unwrap(), &many, 3) > 20);
    }

    #[test]
    fn what_leaves_the_frame_is_refused() {
        let read = |fen: &str| -> Chess {
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
        };
        let wall = read("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1");
        let frame = Frame::<u64>::of(&wall).unwrap();
        assert!(frame.pack(Key::of(&wall)).is_some());
        let broken = read("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P3/8/8/4K3 w - - 0 1");
        assert!(frame.pack(Key::of(&broken)).is_none());
    }
}
