//! The legal moves of a few men.
//!
//! In: a position, and squares. Out: the legal moves of the side to move from these squares, and its
//! castling moves, in the library's order. Whoever knows which squares changed need not ask for all moves.

use shakmaty::{
    Bitboard, Chess, Color, File, Move, MoveList, Piece, Position, Rank, Role, Square, attacks,
};

/// Puts the legal moves that begin on one of these squares, and castling wherever it begins, into a
/// list.
pub(super) fn from(position: &Chess, squares: Bitboard, moves: &mut MoveList) {
    moves.clear();
    let (board, us) = (position.board(), position.turn());
    let Some(king) = board.king_of(us) else { return };
    let wanted = |m: &Move| m.is_castle() || m.from().is_some_and(|from| squares.contains(from));
    if position.is_check() {
        moves.extend(position.legal_moves().into_iter().filter(wanted));
        return;
    }
    if position.maybe_ep_square().is_some() {
        moves.extend(position.en_passant_moves().into_iter().filter(wanted));
    }
    let passing = moves.len();
    let men = squares & board.by_color(us);
    pawns(position, men & board.pawns(), moves);
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for from in men & board.by_role(role) {
            let goals = attacks::attacks(from, Piece { color: us, role }, board.occupied());
            for to in goals & !board.by_color(us) {
                let capture = board.role_at(to);
                moves.push(Move::Normal { role, from, capture, to, promotion: None });
            }
        }
    }
    drop_pinned(position, king, passing, moves);
    if men.contains(king) {
        for to in attacks::king_attacks(king) & !board.by_color(us) {
            if board.attacks_to(to, !us, board.occupied()).is_empty() {
                let (role, capture) = (Role::King, board.role_at(to));
                moves.push(Move::Normal { role, from: king, capture, to, promotion: None });
            }
        }
    }
    if position.castles().any() {
        for side in shakmaty::CastlingSide::ALL {
            moves.extend(position.castling_moves(side));
        }
    }
}

fn pawns(position: &Chess, pawns: Bitboard, moves: &mut MoveList) {
    if pawns.is_empty() {
        return;
    }
    let (board, us) = (position.board(), position.turn());
    let up = us.fold_wb(8, -8);
    for (dir, edge) in [(up - 1, File::A), (up + 1, File::H)] {
        let goals = (pawns & !Bitboard::from_file(edge)).shift(dir) & board.by_color(!us);
        for to in goals & !Bitboard::BACKRANKS {
            push(to, dir, board.role_at(to), None, moves);
        }
        for to in goals & Bitboard::BACKRANKS {
            promotions(to, dir, board.role_at(to), moves);
        }
    }
    let single = pawns.shift(up) & !board.occupied();
    for to in single & !Bitboard::BACKRANKS {
        push(to, up, None, None, moves);
    }
    for to in single & Bitboard::BACKRANKS {
        promotions(to, up, None, moves);
    }
    let fourth = us.fold_wb(Rank::Fourth, Rank::Fifth);
    for to in single.shift(up) & Bitboard::from_rank(fourth) & !board.occupied() {
        push(to, 2 * up, None, None, moves);
    }
}

fn promotions(to: Square, dir: i32, capture: Option<Role>, moves: &mut MoveList) {
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
        push(to, dir, capture, Some(role), moves);
    }
}

fn push(
    to: Square,
    dir: i32,
    capture: Option<Role>,
    promotion: Option<Role>,
    moves: &mut MoveList,
) {
    if let Some(from) = to.offset(-dir) {
        moves.push(Move::Normal { role: Role::Pawn, from, capture, to, promotion });
    }
}

/// Leaves out the moves of men that may not leave a line to their king, those captures in passing aside
/// that stand first.
fn drop_pinned(position: &Chess, king: Square, passing: usize, moves: &mut MoveList) {
    let pinned = pinned(position, king, position.turn());
    if pinned.is_empty() {
        return;
    }
    let mut at = 0;
    moves.retain(|m| {
        at += 1;
        let Some(from) = m.from() else { return true };
        at <= passing || !pinned.contains(from) || attacks::aligned(from, m.to(), king)
    });
}

fn pinned(position: &Chess, king: Square, us: Color) -> Bitboard {
    let board = position.board();
    let snipers = (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
        | (attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens());
    (snipers & board.by_color(!us)).into_iter().fold(Bitboard::EMPTY, |pinned, sniper| {
        let between = attacks::between(king, sniper) & board.occupied();
        if between.more_than_one() { pinned } else { pinned | between }
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn the_moves_of_some_men_are_those_of_all_that_begin_there() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/8/8/Pp6/8/8/1p6/R3K2R w KQ b6 0 30",
            "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
            "4k3/4r3/8/8/1b6/2N5/4Q3/4K3 w - - 0 1",
            "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1",
            "8/8/8/K1Pp3r/8/8/8/4k3 w - d6 0 1",
            "4k3/8/8/8/8/8/4p1p1/RK3N1R b - - 0 1",
        ] {
            let start: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
            let mut found = MoveList::new();
            let mut open = vec![(start, 0_u32)];
            while let Some((here, depth)) = open.pop() {
                let all = here.legal_moves();
                let mask = 0x5a5a_a5a5_3c3c_c3c3_u64.rotate_left(depth * 7 + 3);
                for squares in [Bitboard::FULL, Bitboard(mask), Bitboard(!mask), Bitboard::EMPTY] {
                    let some: Vec<Move> = all
                        .iter()
                        .copied()
                        .filter(|m| {
                            m.is_castle() || m.from().is_some_and(|from| squares.contains(from))
                        })
                        .collect();
                    from(&here, squares, &mut found);
                    assert_eq!(found[..], some[..], "{fen} {squares:?}");
                }
                if depth < 2 {
                    for &m in &all {
                        let mut next = here.clone();
                        next.play_unchecked(m);
                        open.push((next, depth + 1));
                    }
                }
            }
        }
    }
}
