//! What is wrong with a FEN, in words that help to mend it.

use shakmaty::{PositionErrorKinds, fen::ParseFenError};

/// Why a text is no FEN, and which field to look at.
pub fn unreadable(fen: &str, error: &ParseFenError) -> String {
    match error {
        ParseFenError::InvalidBoard => board(fen),
        ParseFenError::InvalidTurn => "the second field, the side to move, is w or b".into(),
        ParseFenError::InvalidCastling => {
            "the third field, castling rights, is made of KQkq, or is -".into()
        }
        ParseFenError::InvalidEpSquare => {
            "the fourth field is the square a pawn has just passed, such as e3, or -".into()
        }
        ParseFenError::InvalidHalfmoveClock => {
            "the fifth field counts half-moves without a capture or pawn move: a number".into()
        }
        ParseFenError::InvalidFullmoves => "the sixth field is the number of the move".into(),
        ParseFenError::InvalidFen
        | ParseFenError::InvalidPocket
        | ParseFenError::InvalidRemainingChecks => {
            "write eight ranks from the eighth to the first, w or b, castling rights, en passant \
             square and two numbers, such as 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
                .into()
        }
    }
}

/// The first rank of the board that does not fill eight squares.
fn board(fen: &str) -> String {
    let placement = fen.split_whitespace().next().unwrap_or_default();
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != 8 {
        return format!("the board has eight ranks with / between them, not {}", ranks.len());
    }
    for (number, rank) in (1..=8u8).rev().zip(ranks) {
        let mut squares = 0;
        for sign in rank.chars() {
            match sign {
                '1'..='8' => squares += sign.to_digit(10).unwrap_or(0),
                'p' | 'n' | 'b' | 'r' | 'q' | 'k' | 'P' | 'N' | 'B' | 'R' | 'Q' | 'K' => {
                    squares += 1;
                }
                other => {
                    return format!("{other:?} in rank {number} is neither a man nor a number");
                }
            }
        }
        if squares != 8 {
            return format!("rank {number}, {rank:?}, has {squares} squares, expected 8");
        }
    }
    "the first field, the board, cannot be read".into()
}

/// Why no game can have a position, and how to mend it.
pub fn impossible(kinds: PositionErrorKinds) -> &'static str {
    let table = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has several kings"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or last rank"),
        (
            PositionErrorKinds::OPPOSITE_CHECK,
            "the side that has just moved stands in check; is the right side to move?",
        ),
        (
            PositionErrorKinds::INVALID_CASTLING_RIGHTS,
            "castling rights (third field) are given where king or rook is not at home",
        ),
        (
            PositionErrorKinds::INVALID_EP_SQUARE,
            "no pawn can have passed the en passant square (fourth field); write - there",
        ),
        (PositionErrorKinds::IMPOSSIBLE_CHECK, "no last move can have given this check"),
        (PositionErrorKinds::TOO_MUCH_MATERIAL, "there are more men than pawns can have become"),
    ];
    let found = table.into_iter().find(|(kind, _)| kinds.contains(*kind));
    found.map_or("it breaks the rules of the game", |(_, reason)| reason)
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn the_bad_field_is_named() {
        for (fen, said) in [
            ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "rank 7, \"ppppppp\", has 7 squares"),
            ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "rank 1, \"4K4\", has 9 squares"),
            ("4k3/8/8/8/x7/8/8/4K3 w - - 0 1", "'x' in rank 4"),
            ("hello", "eight ranks with / between them, not 1"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "second field"),
            ("4k3/8/8/8/8/8/8/4K3 w x - 0 1", "third field"),
            ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "fourth field"),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "fifth field"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", "sixth field"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 more", "write eight ranks"),
            ("", "write eight ranks"),
        ] {
            let error = fen.parse::<Fen>().unwrap_err();
            let reason = unreadable(fen, &error);
            assert!(reason.contains(said), "{fen:?}: {reason}");
        }
    }
}
