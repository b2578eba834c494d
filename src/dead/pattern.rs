//! Mates by one minor piece: where the four men of the picture must stand.
//!
//! In: a position whose mating side has nothing but minor pieces. Out: a few mating pictures in the
//! corners (king to be mated, a man of its own that blocks it, the checking piece, the other king)
//! and how many moves are missing to the nearest. Guides the search; proves nothing.

use std::sync::LazyLock;

use shakmaty::{
    Bitboard, Color, Piece, Role, Square,
    attacks::{attacks, between, king_attacks},
};

use super::{
    key::Men,
    picture::Picture,
    plan::Goal,
    score::{around, to_go},
};

/// Moves missing when a man of the picture does not exist.
const NEVER: u32 = 40;

/// One mating picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    target: Square,
    helper: Square,
    checker: (Role, Square),
    blocker: Option<(Role, Square)>,
    /// Another man of the mating side.
    second: Option<(Role, Square)>,
}

/// Every picture by which White mates.
static PICTURES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let mut found = Vec::with_capacity(512);
    for target in [Square::A1, Square::H1, Square::A8, Square::H8] {
        let zone = king_attacks(target);
        for helper in around(zone) & !zone & !Bitboard::from_square(target) {
            for role in [Role::Knight, Role::Bishop] {
                checkers(target, helper, role, &mut found);
            }
        }
    }
    found
});

/// Every picture by which White mates with two minor pieces, one of them a knight.
static PAIRS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let mut found = Vec::with_capacity(512);
    for target in [Square::A1, Square::H1, Square::A8, Square::H8] {
        let zone = king_attacks(target);
        for helper in around(zone) & !zone & !Bitboard::from_square(target) {
            for (role, other) in [
                (Role::Knight, Role::Knight),
                (Role::Knight, Role::Bishop),
                (Role::Bishop, Role::Knight),
            ] {
                pairs(target, helper, role, other, &mut found);
            }
        }
    }
    found
});

/// Adds the pictures with these kings and these two pieces, the first of which checks.
fn pairs(target: Square, helper: Square, role: Role, other: Role, found: &mut Vec<Pattern>) {
    let piece = |role| Piece { color: Color::White, role };
    for from in attacks(target, piece(role), Bitboard::EMPTY).without(helper) {
        let open = king_attacks(target) & !king_attacks(helper);
        for gap in open {
            for place in attacks(gap, piece(other), Bitboard::EMPTY) {
                let second = Some((other, place));
                let pattern =
                    Pattern { target, helper, checker: (role, from), blocker: None, second };
                let apart = ![helper, from, target].contains(&place);
                let alone = Pattern { second: None, ..pattern };
                if apart && pattern.mates() && !alone.mates() {
                    found.push(pattern);
                }
            }
        }
    }
}

/// Adds the pictures with these kings and this checking piece.
fn checkers(target: Square, helper: Square, role: Role, found: &mut Vec<Pattern>) {
    let piece = Piece { color: Color::White, role };
    let mut blockers = vec![None];
    for square in king_attacks(target) & !king_attacks(helper) {
        let theirs = [Role::Knight, Role::Bishop, Role::Rook, Role::Pawn];
        let fits = |role: &Role| *role != Role::Pawn || !Bitboard::BACKRANKS.contains(square);
        blockers.extend(theirs.into_iter().filter(fits).map(|role| Some((role, square))));
    }
    for from in attacks(target, piece, Bitboard::EMPTY).without(helper) {
        for &blocker in &blockers {
            let pattern = Pattern { target, helper, checker: (role, from), blocker, second: None };
            if blocker.is_none_or(|(_, square)| square != from) && pattern.mates() {
                found.push(pattern);
            }
        }
    }
}

/// The `most` pictures nearest to the position, best first; fewer if fewer fit its men.
pub(super) fn patterns(men: &Men, side: Color, most: usize) -> Vec<Pattern> {
    nearest(&PICTURES, men, side, most)
}

/// The same for pictures of two minor pieces.
pub(super) fn with_two(men: &Men, side: Color, most: usize) -> Vec<Pattern> {
    let minor = *men.colors.get(side) & (men.roles.knight | men.roles.bishop);
    if (minor & men.roles.knight).is_empty() || !minor.more_than_one() {
        return Vec::new();
    }
    nearest(&PAIRS, men, side, most)
}

fn nearest(all: &[Pattern], men: &Men, side: Color, most: usize) -> Vec<Pattern> {
    let own = *men.colors.get(side);
    if (own & (men.roles.queen | men.roles.rook)).any() {
        return Vec::new();
    }
    let mut found: Vec<(u32, Pattern)> = Vec::with_capacity(most + 1);
    for pattern in all {
        let pattern = if side.is_white() { *pattern } else { pattern.flipped() };
        let worst = if found.len() < most { NEVER } else { found[most - 1].0 };
        let cost = pattern.cost(men, side);
        if cost < worst {
            let at = found.partition_point(|&(other, _)| other <= cost);
            found.insert(at, (cost, pattern));
            found.truncate(most);
        }
    }
    found.into_iter().map(|(_, pattern)| pattern).collect()
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
        if let Some((role, to)) = self.second {
            cost += second(own & *men.roles.get(role), role, self.checker, to);
        }
        if let Some((role, to)) = self.blocker {
            let theirs = theirs & (men.roles.pawn | *men.roles.get(role));
            let nearest = theirs.into_iter().map(|at| blocker(men, at, !side, role, to)).min();
            cost += nearest.unwrap_or(NEVER);
        }
        cost
    }

    /// Its costs as tables, for many positions.
    pub(super) fn costs(self, side: Color) -> Costs {
        let least = |moves: u32| u8::try_from(moves).unwrap_or(u8::MAX);
        let table = |cost: &dyn Fn(Square) -> u32| Square::ALL.map(|square| least(cost(square)));
        let (role, to) = self.checker;
        let blocker = self.blocker.map(|(role, to)| {
            let pawn = |at| blocker_pawn(at, !side, role, to);
            (role, table(&|at| moves(role, at, to)), table(&pawn))
        });
        Costs {
            target: table(&|at| at.distance(self.target)),
            helper: table(&|at| at.distance(self.helper)),
            checker: (role, table(&|at| moves(role, at, to))),
            blocker,
            second: self.second.map(|(role, to)| (role, to, self.checker)),
        }
    }

    /// The same with the colours changed.
    fn flipped(self) -> Pattern {
        Pattern {
            target: self.target.flip_vertical(),
            helper: self.helper.flip_vertical(),
            checker: (self.checker.0, self.checker.1.flip_vertical()),
            blocker: self.blocker.map(|(role, square)| (role, square.flip_vertical())),
            second: self.second.map(|(role, square)| (role, square.flip_vertical())),
        }
    }

    /// The picture with the men nearest to their places.
    pub(super) fn cast(self, men: &Men, side: Color) -> Option<Picture> {
        let (own, theirs) = (*men.colors.get(side), *men.colors.get(!side));
        let (role, to) = self.checker;
        let from =
            (own & *men.roles.get(role)).into_iter().min_by_key(|&at| moves(role, at, to))?;
        let helper = Goal {
            piece: Piece { color: side, role: Role::King },
            from: (men.roles.king & own).first()?,
            to: self.helper,
        };
        let mut picture = Picture {
            cost: 0,
            king: ((men.roles.king & theirs).first()?, self.target),
            checker: Goal { piece: Piece { color: side, role }, from, to },
            promotes: None,
            men: [Some(helper), None, None, None],
        };
        if let Some((role, to)) = self.blocker {
            let least = |&at: &Square| blocker(men, at, !side, role, to);
            let from = (theirs & !men.roles.king).into_iter().min_by_key(least)?;
            picture.men[1] = Some(Goal { piece: Piece { color: !side, role }, from, to });
        }
        Some(picture)
    }

    /// Whether the four men alone are a mate by White.
    fn mates(self) -> bool {
        let side = Color::White;
        let (role, from) = self.checker;
        let block = self.blocker.map(|(_, square)| square);
        let occupied = Bitboard::from_square(self.helper).with(from)
            | block.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let piece = Piece { color: side, role };
        let mut hits = attacks(from, piece, occupied);
        if let Some((role, square)) = self.second {
            let occupied = occupied.with(square);
            if between(from, self.target).contains(square) {
                return false;
            }
            hits = attacks(from, piece, occupied)
                | attacks(square, Piece { color: side, role }, occupied);
        }
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

/// The costs of a pattern, by the squares of the men.
pub(super) struct Costs {
    target: [u8; 64],
    helper: [u8; 64],
    checker: (Role, [u8; 64]),
    /// As such a man, and as a pawn.
    blocker: Option<(Role, [u8; 64], [u8; 64])>,
    /// Where another man must stand, and the one that checks.
    second: Option<(Role, Square, (Role, Square))>,
}

impl Costs {
    /// Moves missing to the picture, as [`Pattern::cost`] says.
    pub(super) fn cost(&self, men: &Men, side: Color) -> u32 {
        let own = *men.colors.get(side);
        let theirs = *men.colors.get(!side);
        let least = |set: Bitboard, table: &[u8; 64]| {
            let moves = set.into_iter().map(|at| u32::from(table[usize::from(at)]));
            moves.fold(NEVER, u32::min)
        };
        let target = least(men.roles.king & theirs, &self.target);
        let mut helper = least(men.roles.king & own, &self.helper);
        if target > 0 {
            helper = helper.max(4u32.saturating_sub(helper));
        }
        let (role, table) = &self.checker;
        let mut cost = target + helper + least(own & *men.roles.get(*role), table);
        if let Some((role, to, checker)) = self.second {
            cost += second(own & *men.roles.get(role), role, checker, to);
        }
        if let Some((role, table, pawn)) = &self.blocker {
            let there = match role {
                Role::Pawn => Bitboard::EMPTY,
                _ => theirs & *men.roles.get(*role),
            };
            cost += least(there, table).min(least(theirs & men.roles.pawn, pawn));
        }
        cost
    }
}

/// Moves missing until one of these men of one role stands there, another than the one that checks.
fn second(men: Bitboard, role: Role, checker: (Role, Square), to: Square) -> u32 {
    let used = if checker.0 == role {
        men.into_iter().min_by_key(|&at| moves(role, at, checker.1))
    } else {
        None
    };
    let left = used.map_or(men, |at| men.without(at));
    left.into_iter().map(|at| moves(role, at, to)).fold(NEVER, u32::min)
}

/// Moves missing until the man on `from` stands there in this role, promoted to it if it is a pawn.
fn blocker(men: &Men, from: Square, color: Color, role: Role, to: Square) -> u32 {
    if (*men.roles.get(role)).contains(from) && role != Role::Pawn {
        return moves(role, from, to);
    }
    if !men.roles.pawn.contains(from) {
        return NEVER;
    }
    blocker_pawn(from, color, role, to)
}

/// The same for a pawn.
fn blocker_pawn(from: Square, color: Color, role: Role, to: Square) -> u32 {
    let (left, goal) = (to_go(color, from), to_go(color, to));
    if role == Role::Pawn {
        return if from.file() == to.file() && left >= goal { left - goal } else { NEVER };
    }
    left + moves(role, promotion(color, from), to)
}

/// Where a pawn promotes that stays on its file.
pub(super) fn promotion(color: Color, pawn: Square) -> Square {
    Square::from_coords(pawn.file(), color.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First))
}

/// Moves on an empty board.
pub(super) fn moves(role: Role, from: Square, to: Square) -> u32 {
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
