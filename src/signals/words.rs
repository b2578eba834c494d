//! Events as sentences, for logs, alerts and people who watch.

use crate::arbiter::{
    EventKind,
    event::{
        ClaimReason, ConfirmedBy, EndReason, EndedHow, LinkState, Side, StartSource,
        TakebackReason, YesNoUnknown,
    },
};
pub use crate::pgn::ending_words as end_reason;

/// The bus's word for a way a game can end.
pub const fn end_keyword(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Checkmate => "checkmate",
        EndReason::Stalemate => "stalemate",
        EndReason::DeadPosition => "dead-position",
        EndReason::FivefoldRepetition => "fivefold",
        EndReason::SeventyfiveMoves => "seventy-five-move",
    }
}

/// The bus's word for what can be claimed.
pub const fn claim_keyword(reason: ClaimReason) -> &'static str {
    match reason {
        ClaimReason::ThreefoldRepetition => "threefold",
        ClaimReason::FiftyMoves => "fifty-move",
    }
}

/// A side.
pub const fn side(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// A side in the bus's lower-case words.
pub const fn side_keyword(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// A move with its number, such as `12. Nf3` or `12... Nf6`, from the ply and the FEN after it.
pub fn numbered(san: &str, fen_after: &str) -> String {
    let mut fields = fen_after.split(' ');
    let black_moves_next = fields.nth(1) == Some("b");
    let number = fields.nth(3).and_then(|n| n.parse::<u32>().ok()).unwrap_or(1);
    if black_moves_next {
        format!("{number}. {san}")
    } else {
        format!("{}... {san}", number.saturating_sub(1).max(1))
    }
}

/// One sentence for an event.
pub fn sentence(event: &EventKind) -> String {
    match event {
        EventKind::Link { state, port, serial, .. } => {
            link(*state, port.as_deref(), serial.as_deref())
        }
        EventKind::GameStarted { source, .. } => match source {
            StartSource::InitialArray => "a game begins from the initial array".into(),
            StartSource::Setup => "a game begins from a position set up".into(),
            StartSource::Resumed => "the game is taken up again".into(),
        },
        EventKind::Provisional { san, .. } => format!("the board shows {san}"),
        EventKind::Move { san, fen, by, .. } => {
            let by = match by {
                ConfirmedBy::Press => "clock pressed",
                ConfirmedBy::Reply => "answered",
                ConfirmedBy::Still => "stood still",
            };
            format!("{} ({by})", numbered(san, fen))
        }
        EventKind::Takeback { to_ply, reason } => {
            let why = match reason {
                TakebackReason::Board => "by the players",
                TakebackReason::Arbiter => "by order of the arbiter",
                TakebackReason::Correction => "to correct the record",
            };
            format!("moves after half-move {to_ply} are taken back {why}")
        }
        EventKind::GameOver { result, reason, article, .. } => {
            format!("the game is over: {result}, {} (Article {article})", end_reason(*reason))
        }
        EventKind::GameOverWithdrawn { .. } => {
            "the game is not over: the ending move was taken back".into()
        }
        EventKind::ClaimAvailable { reason, claimant, article, moves, exact, .. } => {
            let what = match reason {
                ClaimReason::ThreefoldRepetition => "threefold repetition",
                ClaimReason::FiftyMoves => "50 moves",
            };
            let how = if moves.is_empty() {
                String::new()
            } else {
                format!(" with {}", moves.join(" or "))
            };
            let bound = if *exact { "" } else { ", at least as far as counted" };
            format!("{} could claim {what}{how} (Article {article}{bound})", side(*claimant))
        }
        EventKind::IllegalMove { by, article, why, .. } => {
            format!("illegal move by {}: {why} (Article {article})", side(*by))
        }
        EventKind::Flag { side: who, opponent_can_mate, article, .. } => {
            let mate = match opponent_can_mate {
                YesNoUnknown::Yes => "the opponent can mate",
                YesNoUnknown::No => "the opponent cannot mate",
                YesNoUnknown::Unknown => "whether the opponent can mate is not known",
            };
            format!("{}'s flag has fallen; {mate} (Article {article})", side(*who))
        }
        EventKind::ResultSignalled { result, .. } => format!("the players show {result}"),
        EventKind::Touched { square, piece, .. } => {
            format!("{piece} on {square} touched and put back")
        }
        EventKind::Attention { text, .. } => text.clone(),
        EventKind::GameEnded { result, plies, how } => {
            let how = match how {
                EndedHow::Laws => "by the Laws",
                EndedHow::Signalled => "as the players showed",
                EndedHow::Arbiter => "by the arbiter",
                EndedHow::NextGame => "the next game was set up",
                EndedHow::Closed => "the record was closed",
            };
            format!("game closed: {result} after {plies} half-moves, {how}")
        }
    }
}

fn link(state: LinkState, port: Option<&str>, serial: Option<&str>) -> String {
    let on = port.map_or(String::new(), |port| format!(" on {port}"));
    let serial = serial.map_or(String::new(), |serial| format!(" (serial {serial})"));
    match state {
        LinkState::Connected => format!("board connected{on}{serial}"),
        LinkState::Lost => format!("board lost{on}: check its cable"),
        LinkState::Silent => format!("board silent{on}: check its cable and power"),
        LinkState::Restored => format!("board answers again{on}"),
    }
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn moves_are_numbered_from_the_position_after_them() {
        assert_eq!(numbered("e4", "8/8/8/8/8/8/8/8 b - - 0 1"), "1. e4");
        assert_eq!(numbered("e5", "8/8/8/8/8/8/8/8 w - - 0 2"), "1... e5");
        assert_eq!(numbered("e5", "not a fen"), "1... e5");
    }
}
