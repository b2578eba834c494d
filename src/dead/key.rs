//! A position as an exact 256-bit key: two positions are the same iff their keys are.
//!
//! The same in the sense of the helpmate question: placement, side to move, castling rights, and
//! the en passant right if a legal capture exists. No hashing is involved in telling positions
//! apart; a hash only chooses a table slot. A key can be turned back into its position.

use std::num::NonZeroU32;

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, FromSetup, Move, Position, Role,
    Setup, Square,
};

use super::store::Code;

/// Four bit planes over the squares; unused codes carry the rights (see [`Key::of`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key([u64; 4]);

/// The men a key stands for, as sets of squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Men {
    pub(super) roles: ByRole<Bitboard>,
    pub(super) colors: ByColor<Bitboard>,
    pub(super) turn: Color,
    castling: Bitboard,
    en_passant: Bitboard,
}

impl Key {
    /// The key of a position.
    ///
    /// Planes 0 to 2 hold the role (1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king), plane 3
    /// the colour. Codes that no piece uses carry the rest: 7 = the king of the side to move;
    /// a pawn code on the first or last rank = a rook that may still castle; colour without role
    /// = the square a legal en passant capture goes to.
    pub(super) fn of(position: &Chess) -> Key {
        let board = position.board();
        let role = |role: Role| u64::from(board.by_role(role));
        let turn = u64::from(board.by_color(position.turn()) & board.kings());
        let castling = u64::from(position.castles().castling_rights());
        let en_passant = match position.maybe_ep_square() {
            Some(_) => position.legal_ep_square().map_or(0, |square| 1 << square.to_u32()),
            None => 0,
        };
        let rooks = role(Role::Rook) & !castling;
        Key([
            role(Role::Pawn) | role(Role::Bishop) | role(Role::Queen) | turn | castling,
            role(Role::Knight) | role(Role::Bishop) | role(Role::King),
            rooks | role(Role::Queen) | role(Role::King),
            u64::from(board.by_color(Color::Black)) | en_passant,
        ])
    }

    /// The four planes.
    pub(super) const fn planes(self) -> [u64; 4] {
        self.0
    }

    /// From planes that [`Key::planes`] gave.
    pub(super) const fn from_planes(planes: [u64; 4]) -> Key {
        Key(planes)
    }

    /// Whether [`Key::after`] may be used for this move: nothing about castling or en passant in
    /// it, before or after (a double step counts if no enemy pawn stands beside its end).
    pub(super) fn plain(self, m: Move) -> bool {
        !self.has_rights() && self.keeps(m)
    }

    /// The same where there [are no rights](Key::has_rights).
    pub(super) fn keeps(self, m: Move) -> bool {
        match m {
            Move::Normal { role, from, to, .. } => {
                role != Role::Pawn
                    || i32::from(from).abs_diff(to.into()) != 16
                    || self.beside(from.to_u32(), to.to_u32()) == 0
            }
            _ => false,
        }
    }

    /// Whether somebody may castle or capture en passant.
    pub(super) fn has_rights(self) -> bool {
        let [p0, p1, p2, p3] = self.0;
        let castling = p0 & !p1 & !p2 & u64::from(Bitboard::BACKRANKS);
        let en_passant = p3 & !(p0 | p1 | p2);
        castling | en_passant != 0
    }

    /// Pawns beside one square, of the other colour than the man on the other.
    const fn beside(self, man: u32, square: u32) -> u64 {
        let [p0, p1, p2, p3] = self.0;
        let pawns = p0 & !p1 & !p2 & if p3 >> man & 1 == 1 { !p3 } else { p3 };
        let to = 1u64 << square;
        pawns & (to << 1 & 0xfefe_fefe_fefe_fefe | to >> 1 & 0x7f7f_7f7f_7f7f_7f7f)
    }

    /// The key after a [plain](Key::plain) move by `color`.
    pub(super) fn after(self, m: Move, color: Color) -> Key {
        let Move::Normal { role, from, to, promotion, .. } = m else { return self };
        let (from, to) = (1u64 << from.to_u32(), 1u64 << to.to_u32());
        let mut planes = self.0.map(|plane| plane & !(from | to));
        let code = promotion.unwrap_or(role) as u64;
        for (bit, plane) in planes.iter_mut().take(3).enumerate() {
            if code >> bit & 1 == 1 {
                *plane |= to;
            }
        }
        if color.is_black() {
            planes[3] |= to;
        }
        let kings = planes[1] & planes[2];
        let next = kings & if color.is_black() { !planes[3] } else { planes[3] };
        planes[0] = (planes[0] & !kings) | next;
        Key(planes)
    }

    /// The men on the board.
    pub(super) fn men(self) -> Men {
        let [p0, p1, p2, p3] = self.0;
        let single = p0 & !p1 & !p2;
        let back = u64::from(Bitboard::BACKRANKS);
        let (castling, occupied, kings) = (single & back, p0 | p1 | p2, p1 & p2);
        let dark = p3 & occupied;
        Men {
            roles: ByRole {
                pawn: Bitboard(single & !back),
                knight: Bitboard(p1 & !p0 & !p2),
                bishop: Bitboard(p0 & p1 & !p2),
                rook: Bitboard((p2 & !p0 & !p1) | castling),
                queen: Bitboard(p0 & p2 & !p1),
                king: Bitboard(kings),
            },
            colors: ByColor { black: Bitboard(dark), white: Bitboard(occupied & !dark) },
            turn: if p0 & kings & p3 == 0 { Color::White } else { Color::Black },
            castling: Bitboard(castling),
            en_passant: Bitboard(p3 & !occupied),
        }
    }

    /// A number well spread.
    fn spread(self) -> u64 {
        const FACTORS: [u64; 4] = [
            0x9e37_79b9_7f4a_7c15,
            0xc2b2_ae3d_27d4_eb4f,
            0x1656_67b1_9e37_79f9,
            0x27d4_eb2f_1656_67c5,
        ];
        let mut hash = 0u64;
        for (plane, factor) in self.0.into_iter().zip(FACTORS) {
            hash = (hash.rotate_left(27) ^ plane).wrapping_mul(factor);
            hash ^= hash >> 32;
        }
        hash
    }
}

impl Code for Key {
    fn hash(self) -> u64 {
        self.spread()
    }
}

impl Men {
    /// The men of a position without rights; `None` if somebody may castle or capture en passant.
    pub(super) fn of(position: &Chess) -> Option<Men> {
        if position.castles().any() || position.maybe_ep_square().is_some() {
            return None;
        }
        let (roles, colors) = position.board().clone().into_bitboards();
        let (castling, en_passant) = (Bitboard::EMPTY, Bitboard::EMPTY);
        Some(Men { roles, colors, turn: position.turn(), castling, en_passant })
    }

    /// Whether somebody may still castle, or capture en passant.
    pub(super) fn has_rights(&self) -> bool {
        (self.castling | self.en_passant).any()
    }

    /// What stands there.
    pub(super) fn role_on(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.roles.get(role).contains(square))
    }

    /// The men as a board.
    pub(super) fn board(&self) -> Option<Board> {
        Board::try_from_bitboards(self.roles, self.colors).ok()
    }

    /// The position again, with its rights. `None` only for what no legal play leads to.
    pub(super) fn position(&self, mode: CastlingMode) -> Option<Chess> {
        let setup = Setup {
            board: self.board()?,
            turn: self.turn,
            castling_rights: self.castling,
            ep_square: self.en_passant.first(),
            fullmoves: NonZeroU32::MIN,
            ..Setup::empty()
        };
        // A judged diagram may have an impossible history; what is on the board is legal.
        Chess::from_setup(setup, mode)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::Key;

    fn walk(position: &Chess, depth: u32) {
        let key = Key::of(position);
        let again = key.men().position(CastlingMode::Standard).unwrap();
        assert_eq!(Key::of(&again), key);
        assert_eq!(again.board(), position.board());
        assert_eq!(again.legal_moves(), position.legal_moves());
        for m in position.legal_moves() {
            let mut child = position.clone();
            child.play_unchecked(m);
            if key.plain(m) {
                assert_eq!(key.after(m, position.turn()), Key::of(&child), "{m:?}");
            }
            if depth > 1 {
                walk(&child, depth - 1);
            }
        }
    }

    #[test]
    fn a_key_follows_the_moves_and_gives_its_position_back() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        ] {
            let fen: Fen = fen.parse().unwrap();
            walk(&fen.into_position(CastlingMode::Standard).unwrap(), 2);
        }
    }
}
