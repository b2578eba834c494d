//! Positions from the command line.

use std::fmt;

use shakmaty::{CastlingMode, Chess, Position as _, PositionError, PositionErrorKinds, fen::Fen};

use crate::{
    laws::fen as fen_words,
    tracker::{MOST_MEN as MOST, countable},
};

/// A text that gives no position to judge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPosition {
    /// The text is no FEN.
    #[error("{fen:?} is not a FEN: {reason}")]
    Fen {
        /// The text.
        fen: String,
        /// What is wrong with it, and in which field.
        reason: String,
    },
    /// No rule of chess applies to what stands on the board.
    #[error("{fen:?} is not a position of chess: {reason}")]
    Impossible {
        /// The text.
        fen: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// More men than can be judged.
    #[error(
        "{fen:?} has more men than any game can have: at most {MOST} men a side are judged, and at \
         most one man more than the pawns can have become"
    )]
    Crowded {
        /// The text.
        fen: String,
    },
}

/// Something that cannot be so in a game, but does not keep the board from being judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oddity {
    /// More men than the pawns can have become.
    Material,
    /// No last move can have given this check.
    Check,
    /// Castling rights without king and rook at home; they are dropped.
    Castling,
    /// An en passant square that no pawn has passed; it is dropped.
    EnPassant,
}

impl Oddity {
    const ALL: [(Oddity, PositionErrorKinds); 4] = [
        (Oddity::Material, PositionErrorKinds::TOO_MUCH_MATERIAL),
        (Oddity::Check, PositionErrorKinds::IMPOSSIBLE_CHECK),
        (Oddity::Castling, PositionErrorKinds::INVALID_CASTLING_RIGHTS),
        (Oddity::EnPassant, PositionErrorKinds::INVALID_EP_SQUARE),
    ];

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Oddity::Material => "too_much_material",
            Oddity::Check => "impossible_check",
            Oddity::Castling => "castling_rights_dropped",
            Oddity::EnPassant => "en_passant_dropped",
        }
    }
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A position to judge, and what is odd about it.
#[derive(Clone, Debug)]
pub struct Given {
    /// The position.
    pub position: Chess,
    /// What cannot be so in a game; empty for a usual position.
    pub oddities: Vec<Oddity>,
}

/// Reads a FEN. A board that no game can have reached is taken as it stands, as long as the rules
/// say what moves there are on it; castling rights and an en passant square without substance are
/// dropped.
pub fn read(fen: &str, chess960: bool) -> Result<Given, BadPosition> {
    let unreadable = |error| BadPosition::Fen {
        fen: fen.to_owned(),
        reason: fen_words::unreadable(fen, &error),
    };
    let parsed: Fen = fen.trim().parse().map_err(unreadable)?;
    let error = match parsed.into_position::<Chess>(CastlingMode::from_chess960(chess960)) {
        Ok(position) => return Ok(Given { position, oddities: Vec::new() }),
        Err(error) => error,
    };
    let kinds = error.kinds();
    let oddities = Oddity::ALL.iter().filter(|(_, kind)| kinds.contains(*kind));
    let oddities = oddities.map(|(oddity, _)| *oddity).collect();
    let position = error
        .ignore_invalid_ep_square()
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| BadPosition::Impossible {
            fen: fen.to_owned(),
            reason: fen_words::impossible(error.kinds()),
        })?;
    if countable(position.board()) {
        Ok(Given { position, oddities })
    } else {
        Err(BadPosition::Crowded { fen: fen.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_position_is_not_odd() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
            "8/8/4k3/8/8/3K4/8/8",
            " 8/8/4k3/8/8/3K4/8/8 b - - ",
            // Nobody can take en passant here: it means nothing.
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        ] {
            let given = read(fen, false).unwrap();
            assert_eq!(given.oddities, [], "{fen}");
        }
    }

    #[test]
    fn what_no_game_can_have_is_judged_and_said() {
        use Oddity::{Castling, Check, EnPassant, Material};
        for (fen, oddities) in [
            // Nine pawns.
            ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", vec![Material]),
            // Two knights too many and no pawn missing.
            ("4k3/8/8/8/8/NNN5/PPPPPPPP/4K3 w - - 0 1", vec![Material]),
            // Checked by three men.
            ("4k3/8/3N1N2/8/4R3/8/8/4K3 b - - 0 1", vec![Check]),
            ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", vec![Castling]),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", vec![EnPassant]),
            ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w K e6 0 1", vec![Material, Castling, EnPassant]),
        ] {
            assert_eq!(read(fen, false).unwrap().oddities, oddities, "{fen}");
        }
    }

    #[test]
    fn what_has_no_rules_is_refused() {
        for (fen, reason) in [
            ("", "write eight ranks"),
            ("hello", "not a FEN"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
            ("8/8/8/8/8/8/8/K7 w - - 0 1", "a king is missing"),
            ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "several kings"),
            ("k7/8/8/8/8/8/8/K6P w - - 0 1", "a pawn stands on the first or last rank"),
            ("k7/8/8/8/8/8/R7/K7 w - - 0 1", "is the right side to move?"),
            // Two men too many: queens.
            ("4k3/8/8/8/8/QQQ5/PPPPPPPP/4K3 w - - 0 1", ""),
        ] {
            match read(fen, false) {
                Err(error) => assert!(error.to_string().contains(reason), "{fen}: {error}"),
                Ok(given) => panic!("{fen} was taken: {:?}", given.oddities),
            }
        }
        let queens = "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQ4/8/8/1K6/7k b - - 0 1";
        assert!(matches!(read(queens, false), Err(BadPosition::Crowded { .. })), "{queens}");
    }
}
