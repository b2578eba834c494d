//! How close a position looks to a mate by one side, with both sides helping.
//!
//! Only guides the order of the search: a bad guess costs time, never truth.

use shakmaty::{Bitboard, Color, attacks};

use super::key::Men;

/// Lower is closer.
pub(super) fn score(men: &Men, side: Color) -> u32 {
    let (own, theirs) = (*men.colors.get(side), *men.colors.get(!side));
    let (Some(target), Some(helper)) =
        ((men.roles.king & theirs).first(), (men.roles.king & own).first())
    else {
        return u32::MAX;
    };
    let zone = attacks::king_attacks(target);
    let guarded = guarded(men, side, (own | theirs).without(target));
    let flights = (zone & !theirs & !guarded).count() as u32;
    let check = men.turn != side && guarded.contains(target);
    let mut score = flights * 8;
    if !check {
        score += 6;
    }
    let heavy = own & (men.roles.queen | men.roles.rook);
    let far = target.distance(helper).saturating_sub(2);
    let corner = corner_distance(men, side, target);
    if heavy.is_empty() {
        score += far * 3 + corner * 4;
        let pawns = own & men.roles.pawn;
        if pawns.any() {
            let best = pawns.into_iter().map(|pawn| to_go(side, pawn)).min().unwrap_or(0);
            score += 20 + best * 6;
        } else {
            // Only minor pieces: a blocker must help, so the other side's pawns march.
            let pawns = theirs & men.roles.pawn;
            let best = pawns.into_iter().map(|pawn| to_go(!side, pawn)).min().unwrap_or(0);
            score += best * 3;
        }
    } else {
        score += far + corner;
    }
    score
}

fn to_go(color: Color, pawn: shakmaty::Square) -> u32 {
    let rank = u32::from(pawn.rank());
    if color.is_white() { 7 - rank } else { rank }
}

/// Whether the king to be mated is to move and in check.
pub(super) fn check(men: &Men, side: Color) -> bool {
    let (own, theirs) = (*men.colors.get(side), *men.colors.get(!side));
    let king = men.roles.king & theirs;
    men.turn != side && (guarded(men, side, own | theirs) & king).any()
}

/// How far the king is from a corner it can be mated in.
fn corner_distance(men: &Men, side: Color, king: shakmaty::Square) -> u32 {
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
    let own = *men.colors.get(side);
    let mut all = pawn_attacks(own & men.roles.pawn, side);
    for square in own & men.roles.king {
        all |= attacks::king_attacks(square);
    }
    for square in own & men.roles.knight {
        all |= attacks::knight_attacks(square);
    }
    for square in own & (men.roles.bishop | men.roles.queen) {
        all |= attacks::bishop_attacks(square, occupied);
    }
    for square in own & (men.roles.rook | men.roles.queen) {
        all |= attacks::rook_attacks(square, occupied);
    }
    all
}

fn pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard {
    const NOT_A: Bitboard = Bitboard(!0x0101_0101_0101_0101);
    const NOT_H: Bitboard = Bitboard(!0x8080_8080_8080_8080);
    let sides = (pawns & NOT_A).shift(-1) | (pawns & NOT_H).shift(1);
    sides.shift(if color.is_white() { 8 } else { -8 })
}
