//! The picture of a mate: where the men that matter stand at its end.
//!
//! In: a board, and which men go where. Out: whether that is a mate if nothing else has changed by
//! then, and the [`Plan`] to get there. How to find pictures is left to [`super::aim`].

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use super::plan::{Goal, Plan};

/// Men of a picture beside the king to be mated and the man that mates.
pub(super) const MEN: usize = 4;

/// A mate as it will stand, with the men that have to move for it in the order they should.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picture {
    /// Moves missing, roughly.
    pub(super) cost: u32,
    /// The king to be mated: from, to.
    pub(super) king: (Square, Square),
    /// The man that mates.
    pub(super) checker: Goal,
    /// Where the checker promotes on its way.
    pub(super) promotes: Option<Square>,
    /// Defenders that step aside, helpers and blockers.
    pub(super) men: [Option<Goal>; MEN],
}

impl Picture {
    /// Whether a man from this square has its part already.
    pub(super) fn uses(&self, from: Square) -> bool {
        self.checker.from == from || self.men.iter().flatten().any(|goal| goal.from == from)
    }

    /// The plan that leads to the picture.
    pub(super) fn plan(&self, side: Color) -> Option<Plan> {
        let king = Piece { color: !side, role: Role::King };
        let (from, to) = self.king;
        let walk = (from != to).then_some(Goal { piece: king, from, to });
        let men = self.men.iter().flatten().copied();
        Plan::towards(men.chain(walk), self.checker, self.promotes, side)
    }

    /// Whether it is a mate by `side`.
    pub(super) fn holds(&self, before: &Board, side: Color) -> bool {
        let mut board = before.clone();
        let king = self.king.1;
        board.discard_piece_at(self.king.0);
        board.discard_piece_at(self.checker.from);
        for goal in self.men.iter().flatten() {
            board.discard_piece_at(goal.from);
        }
        for goal in self.men.iter().flatten() {
            board.set_piece_at(goal.to, goal.piece);
        }
        board.set_piece_at(self.checker.to, self.checker.piece);
        if board.piece_at(king).is_some() {
            return false;
        }
        let bare = board.occupied();
        board.set_piece_at(king, Piece { color: !side, role: Role::King });
        let occupied = board.occupied();
        let checkers = board.attacks_to(king, side, occupied);
        let Some(checker) = checkers.first() else { return false };
        let Some(helper) = board.king_of(side) else { return false };
        if board.attacks_to(helper, !side, occupied).any() {
            return false;
        }
        let flights = attacks::king_attacks(king) & !board.by_color(!side);
        if flights.into_iter().any(|to| board.attacks_to(to, side, bare).is_empty()) {
            return false;
        }
        checkers.more_than_one() || !defended(&board, side, checker, king)
    }
}

/// Whether a man of the side in check, its king not counted, can take the checker or step between.
fn defended(board: &Board, side: Color, checker: Square, king: Square) -> bool {
    let occupied = board.occupied();
    let defence = board.by_color(!side) & !board.kings();
    let (men, pawns) = (defence & !board.pawns(), defence & board.pawns());
    if (board.attacks_to(checker, !side, occupied) & defence).any() {
        return true;
    }
    let way = attacks::between(checker, king);
    let pushed = |set: Bitboard| set.shift(if side.is_white() { -8 } else { 8 }) & !occupied;
    let once = pushed(pawns);
    let fifth = if side.is_white() { shakmaty::Rank::Sixth } else { shakmaty::Rank::Third };
    let twice = pushed(once & Bitboard::from_rank(fifth));
    ((once | twice) & way).any()
        || way.into_iter().any(|step| (board.attacks_to(step, !side, occupied) & men).any())
}
