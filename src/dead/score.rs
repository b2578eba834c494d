//! How close a position looks to a mate by one side, with both sides helping.
//!
//! Only guides the order of the search: a bad guess costs time, never truth.

use shakmaty::{Bitboard, Board, ByRole, Color, Square, attacks};

use super::key::Men;

/// Lower is closer.
pub(super) fn score(men: &Men, side: Color) -> u32 {
    weigh(men, side, 0, 6)
}

/// The same for a walk that looks for mates itself: a check that is none drives the king away.
pub(super) fn quiet(men: &Men, side: Color) -> u32 {
    weigh(men, side, 14, 0)
}

fn weigh(men: &Men, side: Color, on_check: u32, else_add: u32) -> u32 {
    let (own, theirs) = (*men.colors.get(side), *men.colors.get(!side));
    let (Some(target), Some(helper)) =
        ((men.roles.king & theirs).first(), (men.roles.king & own).first())
    else {
        return u32::MAX;
    };
    let zone = attacks::king_attacks(target);
    let guarded = guarded(men, side, (own | theirs).without(target));
    let flights = count(zone & !theirs & !guarded);
    let check = men.turn != side && guarded.contains(target);
    let alone = count(zone & !theirs & !attacks::king_attacks(helper));
    let mut score = flights * 8 + alone * 4;
    score += if check { on_check } else { else_add };
    let heavy = own & (men.roles.queen | men.roles.rook);
    let far = target.distance(helper).saturating_sub(2);
    let corner = corner_distance(men, side, target);
    if heavy.is_empty() {
        score += far * 3 + corner * 4;
        let pawns = own & men.roles.pawn;
        if pawns.any() {
            let first = if side.is_white() { pawns.last() } else { pawns.first() };
            let best = first.map_or(0, |pawn| to_go(side, pawn));
            score += 20 + best * 6;
        } else {
            score += blockers(men, side, target);
        }
    } else {
        score += far + corner;
    }
    score
}

/// How locked the position still is: men on the board and steps left to the side's pawns.
pub(super) fn broken(men: &Men, side: Color) -> u32 {
    let all = count(men.colors.white | men.colors.black);
    let pawns = *men.colors.get(side) & men.roles.pawn;
    8 * all + pawns.into_iter().map(|pawn| to_go(side, pawn)).sum::<u32>()
}

/// Only minor pieces mate: a man of the other side must stand beside its king, the nearer the
/// better, or a pawn must march to become one; its queens and rooks are in the way.
fn blockers(men: &Men, side: Color, target: Square) -> u32 {
    let theirs = *men.colors.get(!side);
    let minor = theirs & (men.roles.knight | men.roles.bishop);
    let near = minor.into_iter().map(|square| 3 * (square.distance(target) - 1));
    let marching = (theirs & men.roles.pawn).into_iter().map(|pawn| 6 + 4 * to_go(!side, pawn));
    let heavy = theirs & (men.roles.queen | men.roles.rook);
    let hindrance = 4 * count(heavy);
    near.chain(marching).min().unwrap_or(20) + hindrance
}

/// Ranks left to promotion.
pub(super) fn to_go(color: Color, pawn: Square) -> u32 {
    let rank = u32::from(pawn.rank());
    if color.is_white() { 7 - rank } else { rank }
}

/// How many squares.
fn count(set: Bitboard) -> u32 {
    set.0.count_ones()
}

/// Whether the king to be mated is to move and in check.
pub(super) fn check(men: &Men, side: Color) -> bool {
    let (own, theirs) = (*men.colors.get(side), *men.colors.get(!side));
    let king = men.roles.king & theirs;
    men.turn != side && (guarded(men, side, own | theirs) & king).any()
}

/// How far the king is from a corner it can be mated in.
fn corner_distance(men: &Men, side: Color, king: Square) -> u32 {
    let (file, rank) = (u32::from(king.file()), u32::from(king.rank()));
    let bishops = *men.colors.get(side) & men.roles.bishop;
    let to = |f: u32, r: u32| file.abs_diff(f).max(rank.abs_diff(r));
    let dark_corner = to(0, 0).min(to(7, 7));
    let light_corner = to(0, 7).min(to(7, 0));
    let only_minor = (*men.colors.get(side) & (men.roles.queen | men.roles.rook)).is_empty();
    if only_minor && bishops.any() {
        if (bishops & Bitboard::DARK_SQUARES).is_empty() {
            return light_corner;
        }
        if (bishops & Bitboard::LIGHT_SQUARES).is_empty() {
            return dark_corner;
        }
    }
    dark_corner.min(light_corner)
}

/// Squares attacked by `side`.
fn guarded(men: &Men, side: Color, occupied: Bitboard) -> Bitboard {
    attacked_by(&men.roles, *men.colors.get(side), side, occupied)
}

fn attacked_by(
    roles: &ByRole<Bitboard>,
    own: Bitboard,
    side: Color,
    occupied: Bitboard,
) -> Bitboard {
    let mut all = pawn_attacks(own & roles.pawn, side);
    for square in own & roles.king {
        all |= attacks::king_attacks(square);
    }
    for square in own & roles.knight {
        all |= attacks::knight_attacks(square);
    }
    for square in own & (roles.bishop | roles.queen) {
        all |= attacks::bishop_attacks(square, occupied);
    }
    for square in own & (roles.rook | roles.queen) {
        all |= attacks::rook_attacks(square, occupied);
    }
    all
}

/// Squares attacked by a side.
pub(super) fn attacked(board: &Board, side: Color) -> Bitboard {
    let (roles, colors) = board.clone().into_bitboards();
    attacked_by(&roles, *colors.get(side), side, board.occupied())
}

/// Squares attacked by these pawns.
pub(super) fn pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard {
    (east(pawns) | west(pawns)).shift(if color.is_white() { 8 } else { -8 })
}

/// These squares' neighbours (and what of themselves is a neighbour of another).
pub(super) fn around(set: Bitboard) -> Bitboard {
    let sides = east(set) | west(set);
    let row = sides | set;
    sides | row.shift(8) | row.shift(-8)
}

fn east(set: Bitboard) -> Bitboard {
    Bitboard(set.0 << 1 & 0xfefe_fefe_fefe_fefe)
}

fn west(set: Bitboard) -> Bitboard {
    Bitboard(set.0 >> 1 & 0x7f7f_7f7f_7f7f_7f7f)
}
