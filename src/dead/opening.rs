//! The short mates of the opening, when nearly everything still stands at home.
//!
//! In: a position and a side. Out: a few [`Plan`]s, to be played out like any other. A king between
//! its own men at home is mated on the diagonal beside it or on the square of its bishop's pawn.

use shakmaty::{Chess, Color, Piece, Position, Role, Square};

use super::plan::{Goal, Plan};

/// Whose man (the mating side's, or the other's), from where to where, as if White mated.
type Step = (bool, Role, Square, Square);

const fn own(role: Role, from: Square, to: Square) -> Step {
    (true, role, from, to)
}

const fn other(from: Square, to: Square) -> Step {
    (false, Role::Pawn, from, to)
}

const LINES: [&[Step]; 4] = [
    &[
        other(Square::F7, Square::F6),
        own(Role::Pawn, Square::E2, Square::E4),
        other(Square::G7, Square::G5),
        own(Role::Queen, Square::D1, Square::H5),
    ],
    &[
        own(Role::Pawn, Square::E2, Square::E4),
        own(Role::Bishop, Square::F1, Square::C4),
        own(Role::Queen, Square::D1, Square::F3),
        own(Role::Queen, Square::F3, Square::F7),
    ],
    &[
        other(Square::F7, Square::F5),
        own(Role::Pawn, Square::E2, Square::E4),
        other(Square::G7, Square::G5),
        own(Role::Queen, Square::D1, Square::H5),
    ],
    &[
        own(Role::Pawn, Square::E2, Square::E3),
        own(Role::Bishop, Square::F1, Square::C4),
        own(Role::Queen, Square::D1, Square::H5),
        own(Role::Queen, Square::H5, Square::F7),
    ],
];

/// Plans for a mate by `side` of a king that has not left home.
pub(super) fn plans(position: &Chess, side: Color) -> impl Iterator<Item = Plan> {
    let board = position.board();
    let fold = move |square: Square| if side.is_white() { square } else { square.flip_vertical() };
    let home = board.king_of(!side) == Some(fold(Square::E8));
    LINES.into_iter().filter(move |_| home).filter_map(move |steps| {
        let goal = |&(mine, role, from, to): &Step| {
            let color = if mine { side } else { !side };
            Goal { piece: Piece { color, role }, from: fold(from), to: fold(to) }
        };
        let (mate, rest) = steps.split_last()?;
        let missing = |goal: &Goal| board.piece_at(goal.to) != Some(goal.piece);
        Plan::towards(rest.iter().map(goal).filter(missing), goal(mate), None, side)
    })
}
