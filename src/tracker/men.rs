//! How many men are too many to judge.
//!
//! What stands on a board, or in a FEN, need not be a position of a game: the sensors may report
//! forty queens. The chess library counts moves in a list of fixed length, so such boards are refused
//! before their moves are asked for.

use shakmaty::{Board, Color, Role};

/// The most men of a side.
pub const MOST_MEN: usize = 16;

/// The most moves that the chess library's list of moves takes.
const MOVES: usize = 256;

/// Whether the moves of either side are sure to fit into the library's list, however the men stand.
///
/// With men that a game can have, a player never has more than 218 moves. One man more adds at
/// most the 27 of a queen. Else the moves of each man on an empty board are added up.
pub fn countable(board: &Board) -> bool {
    Color::ALL.into_iter().all(|side| side_countable(board, side))
}

fn side_countable(board: &Board, side: Color) -> bool {
    let men = *board.material().get(side);
    let beyond = |count: u8, first: u8| usize::from(count.saturating_sub(first));
    let of_pawns = usize::from(men.pawn)
        + beyond(men.knight, 2)
        + beyond(men.bishop, 2)
        + beyond(men.rook, 2)
        + beyond(men.queen, 1);
    let count = board.by_color(side).count();
    let alone: usize = Role::ALL
        .into_iter()
        .map(|role| {
            let each = match role {
                // A pawn may become a queen.
                Role::Pawn | Role::Queen => 27,
                Role::Rook => 14,
                Role::Bishop => 13,
                Role::Knight => 8,
                Role::King => 10,
            };
            each * usize::from(*men.get(role))
        })
        .sum();
    (count <= MOST_MEN && of_pawns <= 9) || alone <= MOVES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_boards_with_a_bounded_number_of_moves_are_taken() {
        assert!(countable(&Board::new()));
        let board = |fen: &str| Board::from_ascii_board_fen(fen.as_bytes()).unwrap();
        assert!(countable(&board("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1")));
        assert!(!countable(&board("QQQQQQQQ/Q6Q/Q6Q/Q2k3Q/Q6Q/Q6Q/Q6Q/QQQQKQQQ")));
    }
}
