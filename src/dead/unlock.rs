//! A straight walk that takes a man out of the way of a pawn.
//!
//! In: a position whose mating side has no queen and no rook, and no pawn with a free way. Out: the
//! moves after which a man that stood in a pawn's way is gone. The mating side's king comes to take
//! it, the other king and the men that guard it make room.

use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square, attacks};

use super::{
    course::{self, Course, Outcome},
    dive,
    mobility::beyond,
};

/// Men tried to be taken.
const TRIED: usize = 3;

/// The ways to take one of the men in front of a pawn, each with the position after it.
pub(super) fn lines(
    root: &Chess,
    side: Color,
    visited: &mut u32,
    mut found: impl FnMut(Vec<Move>, &Chess) -> Option<Vec<Move>>,
) -> Option<Vec<Move>> {
    let board = root.board();
    let pawns = board.by_color(side) & board.pawns();
    let helper = board.king_of(side)?;
    let in_front = |pawn: Square| {
        let ahead = beyond(side, pawn) & Bitboard::from_file(pawn.file()) & board.occupied();
        if side.is_white() { ahead.first() } else { ahead.last() }
    };
    let mut men: Vec<Square> = pawns.into_iter().filter_map(in_front).collect();
    men.retain(|&man| board.by_color(!side).contains(man) && !board.kings().contains(man));
    men.sort_by_key(|&man| (man.distance(helper), man));
    men.dedup();
    for man in men.into_iter().take(TRIED) {
        for last in [false, true] {
            let Some(walk) = Walk::new(root, side, man, last) else { continue };
            let line = match course::run(walk, root, visited) {
                Outcome::Mate(line) => Some(line),
                Outcome::Done(moves, there) => found(moves, &there),
                Outcome::Lost => None,
            };
            if line.is_some() {
                return line;
            }
        }
    }
    None
}

struct Walk {
    side: Color,
    last: bool,
    /// The man to be taken; none when that is done.
    man: Option<Square>,
    /// Steps of the mating side's king to it, and of the other out of the way.
    helper: [u8; 64],
    target: [u8; 64],
}

impl Walk {
    fn new(root: &Chess, side: Color, man: Square, last: bool) -> Option<Walk> {
        let corners = [Square::H8, Square::A8, Square::H1, Square::A1];
        let king = root.board().king_of(!side)?;
        let corner = corners
            .into_iter()
            .filter(|corner| corner.distance(man) > 2)
            .min_by_key(|corner| corner.distance(king))?;
        Some(Walk {
            side,
            last,
            man: Some(man),
            helper: dive::steps(root, side, man.into()),
            target: dive::steps(root, !side, corner.into()),
        })
    }

    fn gain(&self, m: Move, man: Square) -> i32 {
        let taken = if m.to() == man { 100 } else { i32::from(m.is_capture()) };
        taken + if m.role() == Role::King { 10 * step(&self.helper, m) } else { 0 }
    }

    fn help(&self, here: &Chess, m: Move, man: Square) -> i32 {
        let Some(from) = m.from() else { return 0 };
        if from == man {
            return -100;
        }
        let taken = match m.capture() {
            Some(Role::Pawn) => -30,
            Some(_) => -5,
            None => 0,
        };
        let moved = if m.role() == Role::King {
            10 * step(&self.target, m)
        } else {
            let color = !self.side;
            let occupied = here.board().occupied();
            let guards = |role: Role, at: Square, occupied: Bitboard| {
                attacks::attacks(at, Piece { color, role }, occupied).contains(man)
            };
            let role = m.promotion().unwrap_or(m.role());
            let before = guards(m.role(), from, occupied);
            let after = guards(role, m.to(), occupied.without(from));
            15 * (i32::from(before) - i32::from(after)) - i32::from(m.is_promotion()) * 20
        };
        taken + moved
    }
}

fn step(table: &[u8; 64], m: Move) -> i32 {
    m.from().map_or(0, |from| {
        i32::from(table[usize::from(from)]) - i32::from(table[usize::from(m.to())])
    })
}

impl Course for Walk {
    fn side(&self) -> Color {
        self.side
    }

    fn last(&self) -> bool {
        self.last
    }

    fn ends(&self) -> bool {
        true
    }

    fn left(&self, here: &Chess) -> Option<u32> {
        if self.man.is_none() {
            return Some(0);
        }
        let board = here.board();
        let target = self.target[usize::from(board.king_of(!self.side)?)];
        let helper = self.helper[usize::from(board.king_of(self.side)?)];
        Some(1 + u32::from(target) + u32::from(helper))
    }

    fn gains(&self, here: &Chess, legal: &[Move], gains: &mut [i32]) {
        let Some(man) = self.man else { return };
        for (gain, &m) in gains.iter_mut().zip(legal) {
            *gain =
                if here.turn() == self.side { self.gain(m, man) } else { self.help(here, m, man) };
        }
    }

    fn follow(&mut self, m: Move) {
        if self.man == Some(m.to()) {
            self.man = None;
        }
    }
}
