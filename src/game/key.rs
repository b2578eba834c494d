//! What makes two positions the same position.

use shakmaty::{Bitboard, Chess, Position, Role};

/// The identity of a position for repetition (Article 9.2.3 of 2023, 9.2 of every edition).
///
/// Two keys are equal exactly when the same side has the move, pieces of the same kind and colour
/// stand on the same squares, the castling *rights* are the same, and the same en passant capture is
/// legal. An en passant square nobody can legally capture on does not count, nor do counters, move
/// numbers and castling that is only prevented for the moment. It is the whole position, not a hash
/// of it: different positions cannot collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The man on each square as a four-bit code, one bit per plane: its role (1 to 6) and, in the
    /// last plane, whether it is black. Code 0 is an empty square.
    planes: [u64; 4],
    /// Bit 0: White has the move; bits 8 to 15 and 16 to 23: files of White's and of Black's rooks
    /// that may still castle; bits 24 to 27: file of a legal en passant capture plus one.
    rest: u32,
}

/// Whether a game can have such a position: no pawn stands on the first or last rank, both kings are
/// there, and the side to move could not take the other's. Others come about by illegal moves that
/// were left standing; no article can be asked about them.
pub fn is_lawful(position: &Chess) -> bool {
    let (board, us) = (position.board(), position.turn());
    board.king_of(us).is_some()
        && (board.pawns() & Bitboard::BACKRANKS).is_empty()
        && board
            .king_of(!us)
            .is_some_and(|king| board.attacks_to(king, us, board.occupied()).is_empty())
}

impl Key {
    /// The key of a position.
    pub fn of(position: &Chess) -> Key {
        let board = position.board();
        let mut planes = [0, 0, 0, board.black().0];
        for role in Role::ALL {
            let squares = board.by_role(role).0;
            for (bit, plane) in planes.iter_mut().enumerate().take(3) {
                if u32::from(role) >> bit & 1 == 1 {
                    *plane |= squares;
                }
            }
        }
        let rights = position.castles().castling_rights().0;
        let white = (rights & 0xff) as u32;
        let black = (rights >> 56) as u32;
        let en_passant = position.legal_ep_square().map_or(0, |square| square.file() as u32 + 1);
        Key {
            planes,
            rest: u32::from(position.turn().is_white())
                | white << 8
                | black << 16
                | en_passant << 24,
        }
    }
}
