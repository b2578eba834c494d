//! Mates by one minor piece: where the four men of the picture must stand.
//!
//! In: a position whose mating side has nothing but minor pieces. Out: a few mating pictures in the
//! corners (king to be mated, a man of its own that blocks it, the checking piece, the other king)
//! and how many moves are missing to the nearest. Guides the search; proves nothing.

use shakmaty::{
    Bitboard, Color, Piece, Role, Square,
    attacks::{attacks, between, king_attacks},
};

use super::{
    key::Men,
    score::{around, to_go},
};

/// Pictures kept per search.
const KEPT: usize = 6;
/// Moves missing when a man of the picture does not exist.
const NEVER: u32 = 40;

/// One mating picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    target: Square,
    helper: Square,
    checker: (Role, Square),
    blocker: Option<(Role, Square)>,
}

/// The pictures nearest to the position, best first; empty if none fits its men.
pub(super) fn patterns(men: &Men, side: Color) -> Vec<Pattern> {
    let own = *men.colors.get(side);
    if (own & (men.roles.queen | men.roles.rook)).any() {
        return Vec::new();
    }
    let mut found: Vec<(u32, Pattern)> = Vec::new();
    for target in [Square::A1, Square::H1, Square::A8, Square::H8] {
        let zone = king_attacks(target);
        for helper in around(zone) & !zone & !Bitboard::from_square(target) {
            for role in [Role::Knight, Role::Bishop] {
                if (own & *men.roles.get(role)).any() {
                    checkers(men, side, (target, helper, role), &mut found);
                }
            }
        }
    }
    found.sort_by_key(|(cost, _)| *cost);
    found.truncate(KEPT);
    found.into_iter().map(|(_, pattern)| pattern).collect()
}

/// Adds the pictures with these kings and this checking piece.
fn checkers(
    men: &Men,
    side: Color,
    (target, helper, role): (Square, Square, Role),
    found: &mut Vec<(u32, Pattern)>,
) {
    let piece = Piece { color: side, role };
    let zone = king_attacks(target) & !king_attacks(helper);
    let mut blockers = vec![None];
    for square in zone {
        let theirs = [Role::Knight, Role::Bishop, Role::Rook, Role::Pawn];
        blockers.extend(theirs.map(|role| Some((role, square))));
    }
    for from in attacks(target, piece, Bitboard::EMPTY).without(helper) {
        for &blocker in &blockers {
            if blocker.is_some_and(|(_, square)| square == from) {
                continue;
            }
            let pattern = Pattern { target, helper, checker: (role, from), blocker };
            let cost = pattern.cost(men, side);
            if cost < NEVER && pattern.mates(side) {
                found.push((cost, pattern));
            }
        }
    }
}

impl Pattern {
    /// Moves missing to this picture.
    pub(super) fn cost(self, men: &Men, side: Color) -> u32 {
        let own = *men.colors.get(side);
        let theirs = *men.colors.get(!side);
        let king = |color: Bitboard, to: Square| {
            (men.roles.king & color).first().map_or(NEVER, |from| from.distance(to))
        };
        let (role, to) = self.checker;
        let checker = (own & *men.roles.get(role)).into_iter().map(|from| moves(role, from, to));
        let target = king(theirs, self.target);
        let mut helper = king(own, self.helper);
        if target > 0 {
            // The other king waits two steps off: nearer it shuts the corner.
            helper = helper.max(4u32.saturating_sub(helper));
        }
        let mut cost = target + helper;
        cost += checker.min().unwrap_or(NEVER);
        if let Some((role, to)) = self.blocker {
            cost += blocker(men, theirs, !side, role, to);
        }
        cost
    }

    /// Whether the four men alone are a mate.
    fn mates(self, side: Color) -> bool {
        let (role, from) = self.checker;
        let block = self.blocker.map(|(_, square)| square);
        let occupied = Bitboard::from_square(self.helper).with(from)
            | block.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let piece = Piece { color: side, role };
        let hits = attacks(from, piece, occupied);
        let near = king_attacks(self.helper);
        let open = king_attacks(self.target) & !hits & !near;
        let blocked = block.map_or(Bitboard::EMPTY, Bitboard::from_square);
        if !hits.contains(self.target) || !(open & !blocked).is_empty() {
            return false;
        }
        let Some((role, square)) = self.blocker else { return true };
        let stops = between(from, self.target).with(from);
        let piece = Piece { color: !side, role };
        let all = occupied.with(self.target);
        let mut reach = attacks(square, piece, all);
        if role == Role::Pawn {
            reach = (reach & Bitboard::from_square(from))
                | Bitboard::from_square(square).shift(if side.is_white() { -8 } else { 8 });
        }
        (reach & stops).is_empty()
    }
}

/// Moves missing until a man of this role stands there, a pawn promoted to it included.
fn blocker(men: &Men, theirs: Bitboard, color: Color, role: Role, to: Square) -> u32 {
    let ready = (theirs & *men.roles.get(role)).into_iter().map(|from| {
        if role == Role::Pawn {
            let (left, goal) = (to_go(color, from), to_go(color, to));
            if from.file() == to.file() && left >= goal { left - goal } else { NEVER }
        } else {
            moves(role, from, to)
        }
    });
    let ready = ready.min().unwrap_or(NEVER);
    if role == Role::Pawn {
        return ready;
    }
    let promoted = (theirs & men.roles.pawn).into_iter().map(|pawn| {
        let last = Square::from_coords(
            pawn.file(),
            color.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First),
        );
        to_go(color, pawn) + moves(role, last, to)
    });
    promoted.min().unwrap_or(NEVER).min(ready)
}

/// Moves on an empty board.
fn moves(role: Role, from: Square, to: Square) -> u32 {
    if from == to {
        return 0;
    }
    let (files, ranks) = (
        u32::from(from.file()).abs_diff(u32::from(to.file())),
        u32::from(from.rank()).abs_diff(u32::from(to.rank())),
    );
    match role {
        Role::King => files.max(ranks),
        Role::Knight => match (files.max(ranks), files.min(ranks)) {
            (1, 0) => 3,
            (1, 1) | (2, 2) => {
                if files == 1 {
                    2
                } else {
                    4
                }
            }
            (long, short) => {
                // Whole knight moves along the longer way, then the parity of the squares.
                let least = long.div_ceil(2).max((long + short).div_ceil(3));
                least + (least + long + short) % 2
            }
        },
        Role::Bishop if (files + ranks) % 2 == 1 => NEVER,
        Role::Bishop => {
            if files == ranks {
                1
            } else {
                2
            }
        }
        Role::Rook => {
            if files == 0 || ranks == 0 {
                1
            } else {
                2
            }
        }
        Role::Queen => {
            if files == 0 || ranks == 0 || files == ranks {
                1
            } else {
                2
            }
        }
        Role::Pawn => NEVER,
    }
}
