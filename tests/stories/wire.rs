//! What a board sends, byte by byte (protocol 3 and 4).

use shakmaty::{Board, Piece, Role, Square};

/// The number under which the board knows a square.
pub fn field(square: Square, rotated: bool) -> u8 {
    let number = (7 - u8::try_from(u32::from(square.rank())).unwrap()) * 8
        + u8::try_from(u32::from(square.file())).unwrap();
    if rotated { 63 - number } else { number }
}

/// The code of a man, or of none.
pub fn code(piece: Option<Piece>) -> u8 {
    let Some(piece) = piece else { return 0 };
    let role = match piece.role {
        Role::Pawn => 1,
        Role::Rook => 2,
        Role::Knight => 3,
        Role::Bishop => 4,
        Role::King => 5,
        Role::Queen => 6,
    };
    role + piece.color.fold_wb(0, 6)
}

/// `8e`: a square reads another code.
pub fn update(field: u8, code: u8) -> Vec<u8> {
    vec![0x8e, 0, 5, field, code]
}

/// `86`: all squares.
pub fn dump(board: &Board, rotated: bool) -> Vec<u8> {
    let mut bytes = vec![0x86, 0, 67];
    bytes.resize(67, 0);
    for (square, piece) in board.clone() {
        bytes[3 + usize::from(field(square, rotated))] = code(Some(piece));
    }
    bytes
}

/// A text of five or ten characters with its identifier.
pub fn text(id: u8, text: &str) -> Vec<u8> {
    let mut bytes = vec![id, 0, u8::try_from(text.len() + 3).unwrap()];
    bytes.extend(text.bytes());
    bytes
}

/// One side of the clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Side {
    /// What it shows.
    pub seconds: u64,
    /// The flag is down.
    pub flag: bool,
}

/// `8d`: the clock's times. `right_turn`: the right end of the lever is high.
pub fn clock(left: Side, right: Side, running: bool, right_turn: bool) -> Vec<u8> {
    let bcd = |number: u64| u8::try_from(number / 10 * 16 + number % 10).unwrap();
    let side = |side: Side| {
        let hour = u8::try_from(side.seconds / 3600).unwrap();
        [
            hour | if side.flag { 0x10 } else { 0 } | 0x20,
            bcd(side.seconds / 60 % 60),
            bcd(side.seconds % 60),
        ]
    };
    let status = u8::from(running) | if right_turn { 0x12 } else { 0x08 };
    let mut bytes = vec![0x8d, 0, 10];
    bytes.extend(side(right));
    bytes.extend(side(left));
    bytes.push(status);
    bytes
}

/// `8d` without a clock.
pub const NO_CLOCK: [u8; 10] = [0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0x20];
