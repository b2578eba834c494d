//! The positions that men found on a board can be.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Piece, Position, PositionError,
    Rank, Role, Setup, Square,
};

use super::{BadSetUp, Rights};
use crate::{
    game::{History, Step},
    units::Ply,
};

/// The last ply that was set up or found rather than reached by a move.
fn base(history: &History) -> Ply {
    let found = history.plies().iter().rposition(|p| matches!(p.step, Step::Start | Step::Gap));
    Ply(found.and_then(|n| u32::try_from(n).ok()).unwrap_or(0))
}

/// The squares of the rooks that may still castle, as far as the men on the board show. In Chess960
/// only the outermost rook on each side of the king is considered.
pub(super) fn rights_at_home(board: &Board, mode: CastlingMode) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    for color in Color::ALL {
        let Some(king) = board.king_of(color).filter(|k| k.rank() == color.backrank()) else {
            continue;
        };
        let own = board.by_piece(Piece { color, role: Role::Rook }) & color.backrank();
        if mode.is_chess960() {
            let outermost = [own.first(), own.last()].into_iter().flatten();
            rooks |= outermost.filter(|rook| rook.file() != king.file()).collect::<Bitboard>();
        } else if king == color.fold_wb(Square::E1, Square::E8) {
            rooks |= own & Bitboard::CORNERS;
        }
    }
    rooks
}

/// The positions that men on a board can be: first with all rights and without a double step.
pub(super) fn positions(
    board: &Board,
    turn: Color,
    mode: CastlingMode,
    quiet: u32,
    rights: Bitboard,
    had_last_move: bool,
) -> Result<Vec<(Rights, Chess)>, BadSetUp> {
    let setup = |castling_rights, ep_square| Setup {
        board: board.clone(),
        turn,
        castling_rights,
        ep_square,
        halfmoves: quiet,
        ..Setup::empty()
    };
    let all = lenient(setup(rights, None), mode)
        .map_err(|error| BadSetUp { turn, reason: error.to_string() })?;
    let mut found = vec![(Rights::All, all)];
    let mut add = |rights, position: Result<Chess, _>| {
        if let Ok(position) = position {
            found.push((rights, position));
        }
    };
    if rights.any() {
        add(Rights::Used, lenient(setup(Bitboard::EMPTY, None), mode));
    }
    // A double step resets the counter, so after a quiet move there was none.
    if quiet == 0 && had_last_move {
        for square in double_steps(board, turn) {
            let passed = |rights| strict(setup(rights, Some(square)), mode);
            let legal = passed(rights);
            if legal.as_ref().is_ok_and(|position| position.legal_ep_square().is_some()) {
                add(Rights::All, legal);
                if rights.any() {
                    add(Rights::Used, passed(Bitboard::EMPTY));
                }
            }
        }
    }
    Ok(found)
}

/// The squares that a pawn of the side not to move may have passed with the last move.
fn double_steps(board: &Board, turn: Color) -> impl Iterator<Item = Square> {
    let mover = !turn;
    let pawns = board.by_piece(Piece { color: mover, role: Role::Pawn });
    let (home, passed, rank) = mover.fold_wb(
        (Rank::Second, Rank::Third, Rank::Fourth),
        (Rank::Seventh, Rank::Sixth, Rank::Fifth),
    );
    let empty = !board.occupied();
    pawns.into_iter().filter(move |pawn| pawn.rank() == rank).filter_map(move |pawn| {
        let behind = Square::from_coords(pawn.file(), passed);
        let start = Square::from_coords(pawn.file(), home);
        (empty.contains(behind) && empty.contains(start)).then_some(behind)
    })
}

/// The same game with one more castling right since its last known beginning.
pub(super) fn with_right(history: &History, rook: Square) -> Option<History> {
    let mode = history.castling_mode();
    let grant = |position: &Chess| {
        let mut setup = position.to_setup(EnPassantMode::Always);
        setup.castling_rights.add(rook);
        lenient(setup, mode).ok()
    };
    let base = base(history);
    let first = grant(&history.at(base)?.position)?;
    let mut new = if base == Ply(0) {
        History::new(first, history.past())
    } else {
        let mut kept = history.clone();
        kept.take_back_to(Ply(base.0 - 1)).ok()?;
        kept.resume(first).ok()?;
        kept
    };
    for record in history.plies().iter().skip(base.index() + 1) {
        let ply = match record.step {
            Step::Move(m) => new.play(m).ok()?,
            Step::Irregular => {
                new.stand(grant(&record.position)?, record.quiet.value() == 0).ok()?
            }
            Step::Start | Step::Gap => return None,
        };
        new.set_clocks(ply, record.clocks).ok()?;
    }
    new.set_clocks(base, history.at(base)?.clocks).ok()?;
    Some(new)
}

/// The same position without the castling rights of these rooks.
pub(super) fn without_rights(position: &Chess, rooks: Bitboard) -> Chess {
    let rights = position.castles().castling_rights();
    if (rights & rooks).is_empty() {
        return position.clone();
    }
    let mut setup = position.to_setup(EnPassantMode::Always);
    setup.castling_rights = rights & !rooks;
    lenient(setup, position.castles().mode()).unwrap_or_else(|_| position.clone())
}

/// A position of men that stand on a board, even if no game leads there. What is wrong is rare and
/// large, so it is boxed.
fn lenient(setup: Setup, mode: CastlingMode) -> Result<Chess, Box<PositionError<Chess>>> {
    setup
        .position::<Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(Box::new)
}

/// A position whose last move must have been possible.
fn strict(setup: Setup, mode: CastlingMode) -> Result<Chess, Box<PositionError<Chess>>> {
    setup.position::<Chess>(mode).or_else(PositionError::ignore_too_much_material).map_err(Box::new)
}
