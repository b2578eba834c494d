//! The material theorem: too little to mate with, wherever the men stand.

use shakmaty::{Bitboard, Board, Color};

/// Why a side's material can never mate, whatever the placement.
///
/// Each kind is closed under legal moves: captures only remove men, and where a pawn is left that
/// could promote into a helpful man, the kind does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// The side has only its king.
    BareKing,
    /// The side has one knight beside its king, the opponent nothing but king and queens.
    LoneKnight,
    /// The side has only bishops of one square colour, every bishop on the board stands on that
    /// colour, and there is no knight and no pawn on the board.
    OneColouredBishops,
}

/// The shortage of `side`, if any. Says nothing about a mate that is on the board already.
pub(super) fn shortage(board: &Board, side: Color) -> Option<Shortage> {
    let own = board.by_color(side);
    let strong = board.pawns() | board.rooks_and_queens();
    if (own & strong).any() {
        return None;
    }
    let (knights, bishops) = (own & board.knights(), own & board.bishops());
    if knights.any() {
        let only_queens = board.by_color(!side) & !(board.kings() | board.queens());
        return (knights.count() == 1 && bishops.is_empty() && only_queens.is_empty())
            .then_some(Shortage::LoneKnight);
    }
    if bishops.is_empty() {
        return Some(Shortage::BareKing);
    }
    let all = board.bishops();
    let one_colour =
        (all & Bitboard::DARK_SQUARES).is_empty() || (all & Bitboard::LIGHT_SQUARES).is_empty();
    (one_colour && (board.knights() | board.pawns()).is_empty())
        .then_some(Shortage::OneColouredBishops)
}
