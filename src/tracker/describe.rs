//! What is wrong on the board, in words an arbiter reads.

use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square};

use super::{AttentionKind, Fault, Note, Sensors, keys::castled, tree::Tree, weigh::arrival};
use crate::wire::Contact;

/// White or Black.
pub(super) fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

fn man(piece: Piece) -> String {
    let role = match piece.role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    };
    format!("{} {role}", piece.color.fold_wb("white", "black"))
}

fn reading(contact: Contact) -> String {
    match contact {
        Contact::Empty => "nothing".into(),
        Contact::Man(piece) => man(piece),
        Contact::Token(_) => "a special piece".into(),
        Contact::Unreadable(code) => format!("an unknown code {code:#04x}"),
    }
}

/// Men moved although the game had ended.
pub(super) fn after_the_end(sensors: &Sensors, tree: &Tree) -> Note {
    Note {
        kind: AttentionKind::AfterTheEnd,
        squares: super::differing(sensors, &tree.root().position),
        text: "men were moved after the end of the game".into(),
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
        let gone = if none_new { differs } else { kings & !sensors.board().occupied() };
        let squares: Vec<Square> = gone.into_iter().collect();
        let men: Vec<String> = squares
            .iter()
            .filter(|&&square| {
                let piece = root.board().piece_at(square);
                none_new || piece.is_some_and(|king| sensors.board().by_piece(king).is_empty())
            })
            .filter_map(|&square| {
                Some(format!("{} of {square}", man(root.board().piece_at(square)?)))
            })
            .collect();
        return Note {
            kind: AttentionKind::MissingPiece,
            squares,
            text: format!("not on the board: {}", men.join(", ")),
        };
    }
    if let Some(
        Fault::NotLegal { from: Some(from), to: Some(to) } | Fault::KingInCheck { from, to },
    ) = fault(sensors, root)
    {
        return Note {
            kind: AttentionKind::Mismatch,
            squares,
            text: format!("{from}-{to} is not a legal move"),
        };
    }
    let (nearest, text) = nearest(sensors, root);
    Note {
        kind: AttentionKind::Mismatch,
        squares: nearest.into_iter().collect(),
        text: format!("the position on the board is not reachable: {text}"),
    }
}

/// How the board differs from the most similar position of a legal move, or of none.
fn nearest(sensors: &Sensors, root: &Chess) -> (Bitboard, String) {
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
    let mut parts: Vec<String> = squares
        .into_iter()
        .take(shown)
        .map(|square| {
            let expected = expected.piece_at(square).map_or("nothing".into(), man);
            format!("{} on {square}, expected {expected}", reading(sensors.contact(square)))
        })
        .collect();
    if squares.count() > shown {
        parts.push(format!("and {} more squares", squares.count() - shown));
    }
    (squares, parts.join("; "))
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
    // Nobody has a man in hand: what left has arrived, and at most one man was taken.
    if after.kings().count() != 2 {
        return None;
    }
    let taken = before.by_color(!us).count().checked_sub(after.by_color(!us).count())?;
    let theirs_moved = !(after.by_color(!us) & differs).is_empty();
    if come.is_empty() || gone.count() != come.count() || taken > 1 || theirs_moved {
        return None;
    }
    let last = Bitboard::from_rank(us.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First));
    if let Some(square) = (come & last & after.pawns()).first() {
        return Some(Fault::PawnOnLastRank(square));
    }
    let (Some(from), Some(to)) = (gone.single_square(), come.single_square()) else {
        return Some(Fault::NotLegal { from: None, to: None });
    };
    let piece = before.piece_at(from)?;
    if after.piece_at(to) == Some(piece) && moves_so(root, piece, from, to) {
        return Some(Fault::KingInCheck { from, to });
    }
    Some(Fault::NotLegal { from: Some(from), to: Some(to) })
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
    Note {
        kind: AttentionKind::ClockSide,
        squares: Vec::new(),
        text: "the clock stands the other way round: its sides are exchanged from now on".into(),
    }
}

/// Castling that began with the rook.
pub(super) fn rook_first(m: Move, color: Color) -> Note {
    let squares = match m {
        Move::Castle { king, rook } => vec![king, rook, castled(king, rook).0],
        _ => Vec::new(),
    };
    Note {
        kind: AttentionKind::RookFirst,
        squares,
        text: format!(
            "{} moved the rook first when castling (Article 4.4.2: castling on that side is then not allowed)",
            side(color)
        ),
    }
}
