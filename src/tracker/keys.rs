//! Keys of placements: one number for what all 64 squares read, kept up to date change by change.
//!
//! A key only finds candidates quickly. Whoever acts on a match compares the squares themselves.

use shakmaty::{Board, Color, Move, Piece, Role, Square};

use crate::wire::{Contact, Token};

/// The key of a placement: the exclusive or of the keys of its occupied squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key(u64);

impl Key {
    /// The key of the initial array.
    pub const INITIAL: Key = initial();

    /// The key of a board.
    pub fn of(board: &Board) -> Key {
        board.iter().fold(Key::default(), |key, (square, piece)| key.with(square, piece))
    }

    /// The key as a number.
    pub fn number(self) -> u64 {
        self.0
    }

    /// One of 256 slots that keys are spread over.
    pub fn slot(self) -> u8 {
        self.0.to_le_bytes()[0]
    }

    /// With this man put on, or taken off, its square.
    #[must_use]
    pub fn with(self, square: Square, piece: Piece) -> Key {
        Key(self.0 ^ KEYS[usize::from(square)][man_code(piece)])
    }

    /// With this reading put on, or taken off, its square.
    #[must_use]
    pub fn with_contact(self, square: Square, contact: Contact) -> Key {
        let code = match contact {
            Contact::Empty => return self,
            Contact::Man(piece) => return self.with(square, piece),
            Contact::Token(Token::Draw) => 12,
            Contact::Token(Token::WhiteWins) => 13,
            Contact::Token(Token::BlackWins) => 14,
            Contact::Unreadable(_) => 15,
        };
        Key(self.0 ^ KEYS[usize::from(square)][code])
    }

    /// The key after a legal move of `color` on a board with this key.
    #[must_use]
    pub fn after(self, color: Color, m: Move) -> Key {
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                let mut key =
                    self.with(from, role.of(color)).with(to, promotion.unwrap_or(role).of(color));
                if let Some(victim) = capture {
                    key = key.with(to, victim.of(!color));
                }
                key
            }
            Move::EnPassant { from, to } => self
                .with(from, Role::Pawn.of(color))
                .with(to, Role::Pawn.of(color))
                .with(Square::from_coords(to.file(), from.rank()), Role::Pawn.of(!color)),
            Move::Castle { king, rook } => {
                let (king_to, rook_to) = castled(king, rook);
                self.with(king, Role::King.of(color))
                    .with(rook, Role::Rook.of(color))
                    .with(king_to, Role::King.of(color))
                    .with(rook_to, Role::Rook.of(color))
            }
            // Drops exist in other games only.
            Move::Put { role, to } => self.with(to, role.of(color)),
        }
    }
}

/// Where king and rook stand after castling (Article 3.8.2, 2023; the same files in Chess960).
pub fn castled(king: Square, rook: Square) -> (Square, Square) {
    use shakmaty::File;
    let (king_file, rook_file) =
        if rook.file() > king.file() { (File::G, File::F) } else { (File::C, File::D) };
    (Square::from_coords(king_file, king.rank()), Square::from_coords(rook_file, rook.rank()))
}

const fn initial() -> Key {
    // Rook, knight, bishop, queen, king, bishop, knight, rook, as in `man_code`.
    let back = [3, 1, 2, 4, 5, 2, 1, 3];
    let mut key = 0;
    let mut file = 0;
    while file < 8 {
        key ^= KEYS[file][back[file]] ^ KEYS[8 + file][0];
        key ^= KEYS[56 + file][6 + back[file]] ^ KEYS[48 + file][6];
        file += 1;
    }
    Key(key)
}

fn man_code(piece: Piece) -> usize {
    piece.color.fold_wb(0, 6) + usize::from(piece.role) - 1
}

/// 64 squares by 16 readings, made when the program is compiled from a fixed start value.
const KEYS: [[u64; 16]; 64] = {
    let mut keys = [[0; 16]; 64];
    let mut state: u64 = 0x6467_7464;
    let mut square = 0;
    while square < 64 {
        let mut code = 0;
        while code < 16 {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            keys[square][code] = z ^ (z >> 31);
            code += 1;
        }
        square += 1;
    }
    keys
};

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::*;

    #[test]
    fn the_initial_array_has_its_key() {
        assert_eq!(Key::INITIAL, Key::of(&Board::new()));
    }

    #[test]
    fn keys_follow_every_kind_of_move() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/8/8/Pp6/8/8/1p6/R3K2R w KQ b6 0 30",
            "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
        ] {
            let position: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let key = Key::of(position.board());
            for m in position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(m);
                assert_eq!(key.after(position.turn(), m), Key::of(after.board()), "{fen} {m:?}");
            }
        }
    }
}
