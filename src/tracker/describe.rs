//! What is wrong on the board.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, FromSetup, Move, Piece, Position, PositionError,
    Role, Setup, Square,
};

use super::{
    AttentionKind, Differs, Fault, Note, Sensors, Text, firm::is_mate_whatever, keys::castled,
    tree::Tree, weigh::arrival,
};

/// White or Black.
pub(super) fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// Men moved although the game had ended.
pub(super) fn after_the_end(sensors: &Sensors, tree: &Tree) -> Note {
    Note {
        kind: AttentionKind::AfterTheEnd,
        squares: super::differing(sensors, &tree.root().position),
        text: Text::AfterTheEnd,
    }
}

/// A placement that no legal move explains.
pub(super) fn mismatch(sensors: &Sensors, tree: &Tree) -> Note {
    let root = &tree.root().position;
    let differs = sensors.differences(root.board());
    let squares: Vec<Square> = differs.into_iter().collect();
    let none_new = sensors.odd().is_empty() && (differs & sensors.board().occupied()).is_empty();
    let kings = root.board().kings() & differs;
    let king_gone = sensors.board().kings().count() < 2;
    if none_new || king_gone {
        let gone = if none_new { differs } else { kings };
        let squares: Vec<Square> = gone
            .into_iter()
            .filter(|&square| {
                let piece = root.board().piece_at(square);
                none_new || piece.is_some_and(|king| sensors.board().by_piece(king).is_empty())
            })
            .collect();
        let men = squares
            .iter()
            .filter_map(|&square| Some((square, root.board().piece_at(square)?)))
            .collect();
        return Note { kind: AttentionKind::MissingPiece, squares, text: Text::Missing(men) };
    }
    if let Some(
        Fault::NotLegal { from: Some(from), to: Some(to) } | Fault::KingInCheck { from, to },
    ) = fault(sensors, root)
    {
        return Note { kind: AttentionKind::Mismatch, squares, text: Text::NotLegal { from, to } };
    }
    if let Some(loser) = mated(&sensors.settled()) {
        return Note { kind: AttentionKind::Mismatch, squares, text: Text::MateUnexplained(loser) };
    }
    let (nearest, text) = nearest(sensors, root);
    Note { kind: AttentionKind::Mismatch, squares: nearest.into_iter().collect(), text }
}

/// How the board differs from the most similar position of a legal move, or of none.
fn nearest(sensors: &Sensors, root: &Chess) -> (Bitboard, Text) {
    let differs = sensors.differences(root.board());
    let mut best = ((differs.count(), false), differs, root.board().clone());
    for m in root.legal_moves() {
        let mut after = root.clone();
        after.play_unchecked(m);
        let differs = sensors.differences(after.board());
        // Of two that are as near, the one whose man stands where it would go.
        let (landing, man) = arrival(root, m);
        let rank = (differs.count(), !sensors.may_read(landing, Some(man)));
        if rank < best.0 {
            best = (rank, differs, after.board().clone());
        }
    }
    let (_, squares, expected) = best;
    let shown = 6;
    let differs = squares
        .into_iter()
        .take(shown)
        .map(|square| Differs {
            square,
            reads: sensors.contact(square),
            expected: expected.piece_at(square),
        })
        .collect();
    (squares, Text::Unreachable { differs, more: squares.count().saturating_sub(shown) })
}

/// What is wrong with a placement, if it looks like a finished move of the side to move.
pub(super) fn fault(sensors: &Sensors, root: &Chess) -> Option<Fault> {
    if !sensors.odd().is_empty() {
        return None;
    }
    let us = root.turn();
    let (before, after) = (root.board(), sensors.board());
    let differs = sensors.differences(before);
    let gone = before.by_color(us) & differs;
    let come = after.by_color(us) & differs;
    // Nobody has a man in hand: what left has arrived, and at most one man was taken, by the man that
    // stands there now or in passing.
    after.king_of(us)?;
    let taken = before.by_color(!us).count().checked_sub(after.by_color(!us).count())?;
    let theirs_moved = !(after.by_color(!us) & differs).is_empty();
    if come.is_empty() || gone.count() != come.count() || taken > 1 || theirs_moved {
        return None;
    }
    let (from, to) = (gone.single_square(), come.single_square());
    let vanished = before.by_color(!us) & !after.occupied();
    if vanished.any() && from.zip(to).is_none_or(|(from, to)| passed(root, from, to) != vanished) {
        return None;
    }
    if after.king_of(!us).is_none() {
        let king = before.king_of(!us).filter(|king| Some(*king) == to);
        return from.zip(king).map(|(from, to)| Fault::KingCaptured { from, to });
    }
    let last = Bitboard::from_rank(us.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First));
    if let Some(square) = (come & last & after.pawns()).first() {
        return Some(Fault::PawnOnLastRank(square));
    }
    let (Some(from), Some(to)) = (from, to) else {
        return Some(Fault::NotLegal { from: None, to: None });
    };
    let piece = before.piece_at(from)?;
    // No hand makes another man of the one that it moves, but a damaged message does.
    let becomes = after.role_at(to)?;
    if becomes != piece.role && !(piece.role == Role::Pawn && last.contains(to)) {
        return None;
    }
    let moves = moves_so(root, piece, from, to) || vanished.any();
    if after.piece_at(to) == Some(piece) && moves {
        return Some(Fault::KingInCheck { from, to });
    }
    Some(Fault::NotLegal { from: Some(from), to: Some(to) })
}

/// The side whose king a placement shows checkmated, however it came about.
fn mated(board: &Board) -> Option<Color> {
    Color::ALL.into_iter().find(|&turn| {
        let parts = Setup { board: board.clone(), turn, ..Setup::empty() };
        let position = Chess::from_setup(parts, CastlingMode::Standard)
            .or_else(PositionError::ignore_too_much_material);
        position.is_ok_and(|position| is_mate_whatever(&position))
    })
}

/// The pawn that is taken in passing by a man that goes so, whether or not it may.
fn passed(root: &Chess, from: Square, to: Square) -> Bitboard {
    let square = Square::from_coords(to.file(), from.rank());
    let pawns = root.board().pawns();
    let goes = pawns.contains(from) && from.rank().distance(to.rank()) == 1;
    let beside = from.file().distance(to.file()) == 1 && pawns.contains(square);
    if goes && beside { Bitboard::from_square(square) } else { Bitboard::EMPTY }
}

/// Whether the man may move so when nobody asks about the king.
fn moves_so(root: &Chess, piece: Piece, from: Square, to: Square) -> bool {
    let board = root.board();
    let occupied = board.occupied();
    let attacked = shakmaty::attacks::attacks(from, piece, occupied).contains(to);
    let takes = board.by_color(!piece.color).contains(to);
    if piece.role != Role::Pawn {
        return attacked;
    }
    let forward = piece.color.fold_wb(8, -8);
    let one = from.offset(forward);
    let two = one.and_then(|square| square.offset(forward));
    let home = piece.color.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh);
    (attacked && takes)
        || (one == Some(to) && !occupied.contains(to))
        || (two == Some(to)
            && from.rank() == home
            && !occupied.contains(to)
            && one.is_some_and(|square| !occupied.contains(square)))
}

/// The clock's sides are not those assumed.
pub(super) fn clock_turned() -> Note {
    Note { kind: AttentionKind::ClockSide, squares: Vec::new(), text: Text::ClockTurned }
}

/// Castling that began with the rook.
pub(super) fn rook_first(m: Move, color: Color) -> Note {
    let squares = match m {
        Move::Castle { king, rook } => vec![king, rook, castled(king, rook).0],
        _ => Vec::new(),
    };
    Note { kind: AttentionKind::RookFirst, squares, text: Text::RookFirst(color) }
}
