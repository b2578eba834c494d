//! A position as an exact 256-bit key: two positions are the same iff their keys are.
//!
//! The same in the sense of the helpmate question: placement, side to move, castling rights, and
//! the en passant right if a legal capture exists. No hashing is involved in telling positions
//! apart; [`Key::hash`] only chooses a table slot.

use shakmaty::{Chess, Color, Position, Role};

/// Four bit planes over the squares; unused codes carry the rights (see [`Key::of`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key(pub(super) [u64; 4]);

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
        Key([
            role(Role::Pawn) | role(Role::Bishop) | role(Role::Queen) | turn | castling,
            role(Role::Knight) | role(Role::Bishop) | role(Role::King),
            (role(Role::Rook) & !castling) | role(Role::Queen) | role(Role::King),
            u64::from(board.by_color(Color::Black)) | en_passant,
        ])
    }

    /// A slot number, well spread.
    pub(super) fn hash(self) -> u64 {
        let [a, b, c, d] = self.0;
        let mut h = a.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ b.rotate_left(23).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        h = (h ^ (h >> 29)).wrapping_add(c.wrapping_mul(0x1656_67b1_9e37_79f9));
        h = (h ^ (h >> 31)).wrapping_add(d.rotate_left(41).wrapping_mul(0x27d4_eb2f_1656_67c5));
        h = (h ^ (h >> 30)).wrapping_mul(0x94d0_49bb_1331_11eb);
        h ^ (h >> 32)
    }
}
