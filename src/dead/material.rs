//! The material theorem: too little to mate with, wherever the men stand.

use shakmaty::{Bitboard, ByColor, ByRole, Color};

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
pub(super) fn shortage(
    roles: &ByRole<Bitboard>,
    colors: &ByColor<Bitboard>,
    side: Color,
) -> Option<Shortage> {
    let own = colors.get(side);
    if (*own & (roles.pawn | roles.rook | roles.queen)).any() {
        return None;
    }
    let (knights, bishops) = (*own & roles.knight, *own & roles.bishop);
    if knights.any() {
        let others = *colors.get(!side) & !(roles.king | roles.queen);
        let lone = knights.count() == 1 && bishops.is_empty() && others.is_empty();
        return lone.then_some(Shortage::LoneKnight);
    }
    if bishops.is_empty() {
        return Some(Shortage::BareKing);
    }
    let shades = [Bitboard::DARK_SQUARES, Bitboard::LIGHT_SQUARES];
    let one_colour = shades.iter().any(|&shade| (roles.bishop & shade).is_empty());
    let helpless = one_colour && (roles.knight | roles.pawn).is_empty();
    helpless.then_some(Shortage::OneColouredBishops)
}
