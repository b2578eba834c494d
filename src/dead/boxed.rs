//! Mates by a bishop alone: the king to be mated boxed in a corner by its own men.
//!
//! In: a position, and how far the king to be mated may get. Out: for each corner that it may be mated
//! in like that, how many moves are missing. The two squares beside the corner hold bishops of its own
//! that never meet the one that mates, or pawns; the third square and the corner are on the line of
//! that one; the mating side's king only keeps away. Guides the search; proves nothing.

use shakmaty::{Bitboard, Chess, Color, Role, Square, attacks};

use super::{key::Men, mobility, pattern};

/// Moves missing when there is no such man.
const NEVER: u32 = 40;
/// How far from the corner the mating side's king should be.
const AWAY: u32 = 4;

/// One corner as a trap.
pub(super) struct Boxed {
    corner: Square,
    /// The long line that ends in the corner, and all squares of its colour.
    line: Bitboard,
    shade: Bitboard,
    /// The squares to be blocked.
    beside: [Square; 2],
    /// Moves of a bishop to these, on an empty board.
    steps: [[u8; 64]; 2],
}

/// The traps that the men and the reach of the king leave.
pub(super) fn traps(position: &Chess, men: &Men, side: Color) -> Vec<Boxed> {
    let (own, theirs) = (*men.colors.get(side), *men.colors.get(!side));
    let bishops = men.roles.bishop;
    if ((own | theirs) & (men.roles.queen | men.roles.rook)).any() {
        return Vec::new();
    }
    let mut traps: Vec<Boxed> = [Square::A1, Square::H8, Square::A8, Square::H1]
        .into_iter()
        .map(Boxed::new)
        .filter(|trap| {
            (own & bishops & trap.shade).any()
                && (theirs & bishops & !trap.shade).any()
                && (theirs & (bishops | men.roles.pawn) & !trap.shade).more_than_one()
        })
        .collect();
    if !traps.is_empty()
        && let Some(all) = mobility::fixpoint(position, side, Bitboard::EMPTY)
        && let Some(king) = all.iter().find(|man| man.piece == (!side).king())
    {
        traps.retain(|trap| king.reach.contains(trap.corner));
    }
    traps
}

impl Boxed {
    fn new(corner: Square) -> Boxed {
        let shades = [Bitboard::DARK_SQUARES, Bitboard::LIGHT_SQUARES];
        let shade = if shades[0].contains(corner) { shades[0] } else { shades[1] };
        let mut beside = (attacks::king_attacks(corner) & !shade).into_iter();
        let beside = [(); 2].map(|()| beside.next().unwrap_or(corner));
        let table = |to| {
            Square::ALL
                .map(|at| u8::try_from(pattern::moves(Role::Bishop, at, to)).unwrap_or(u8::MAX))
        };
        let line = attacks::bishop_attacks(corner, Bitboard::EMPTY);
        Boxed { corner, line, shade, beside, steps: beside.map(table) }
    }

    /// Moves missing until the king is mated there.
    pub(super) fn cost(&self, men: &Men, side: Color) -> u32 {
        let (own, theirs) = (*men.colors.get(side), *men.colors.get(!side));
        let distance = |set: Bitboard| {
            (men.roles.king & set).first().map_or(NEVER, |from| from.distance(self.corner))
        };
        let target = distance(theirs);
        let bishops = own & men.roles.bishop & self.shade;
        let there = bishops & self.line;
        let checker = match (bishops.is_empty(), target) {
            (true, _) => NEVER,
            // On the line too early they keep the king out.
            (_, 1..) => there.0.count_ones().max(1),
            _ => u32::from(there.is_empty()),
        };
        target + AWAY.saturating_sub(distance(own)) + checker + self.blockers(men, theirs)
    }

    /// Moves missing until two different men stand beside the corner.
    fn blockers(&self, men: &Men, theirs: Bitboard) -> u32 {
        let (pawns, bishops) = (theirs & men.roles.pawn, theirs & men.roles.bishop & !self.shade);
        let moves = |at: usize| {
            let table = &self.steps[at];
            bishops.into_iter().map(|from| (u32::from(table[usize::from(from)]), from))
        };
        let least = |at: usize| moves(at).map(|(steps, _)| steps).min().unwrap_or(NEVER);
        match self.beside.map(|at| pawns.contains(at)) {
            [true, true] => 0,
            [true, false] => least(1),
            [false, true] => least(0),
            [false, false] => {
                let pairs = moves(0).flat_map(|(steps, from)| {
                    let rest = moves(1).filter(move |&(_, at)| at != from);
                    rest.map(move |(more, _)| steps + more)
                });
                pairs.min().unwrap_or(NEVER)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen};

    use super::traps;
    use crate::dead::{Budget, can_mate, check, key::Key};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn a_king_boxed_in_by_its_bishops_is_mated() {
        // White's king and pawn never move: only the bishop is left, and only one corner.
        let here = position("7k/6b1/5b2/8/8/5Bp1/6Pp/7K w - - 0 1");
        let traps = traps(&here, &Key::of(&here).men(), Color::White);
        assert_eq!(traps.len(), 1);
        assert!(traps[0].cost(&Key::of(&here).men(), Color::White) > 7);
        let mated = position("kb6/b7/8/8/8/5Bp1/6Pp/7K b - - 0 1");
        assert!(mated.is_checkmate());
        assert_eq!(traps[0].cost(&Key::of(&mated).men(), Color::White), 0);
        let verdict = can_mate(&here, Color::White, Budget::DEFAULT);
        assert_eq!(verdict.known(), Some(true));
        assert_eq!(check::verdict(&here, Color::White, &verdict), Ok(()));
    }

    #[test]
    fn no_trap_without_the_men_for_it() {
        for fen in [
            // No bishop to block; one and a pawn; a rook is left.
            "7k/p7/8/8/8/5Bp1/6Pp/7K w - - 0 1",
            "7k/p5b1/8/8/8/5Bp1/6Pp/7K w - - 0 1",
            "7k/6b1/5b2/8/8/r4Bp1/6Pp/7K w - - 0 1",
        ] {
            let here = position(fen);
            let traps = traps(&here, &Key::of(&here).men(), Color::White);
            assert_eq!(!traps.is_empty(), fen.contains("p5b1"), "{fen}");
        }
    }
}
