//! Events as sentences, for logs, alerts, replays and people who watch.
//!
//! The words stand in `locales/`; a sentence is said in the language of whoever reads it, but for the
//! texts within an event, which are in the language of the daemon that wrote them.

pub use crate::pgn::ending_words as end_reason;
use crate::{
    arbiter::{
        EventKind,
        event::{
            ClaimReason, ConfirmedBy, DependsOn, EndReason, EndedHow, LinkState, OrientationName,
            Penalty, PenaltyEffect, Side, StartSource, TakebackReason, YesNoUnknown,
        },
    },
    laws::text::{Args, Language},
    units::Millis,
};

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

/// A side in the bus's lower-case words.
pub const fn side_keyword(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// The bus's word for an answer that may not be known.
pub const fn known_keyword(answer: YesNoUnknown) -> &'static str {
    match answer {
        YesNoUnknown::Yes => "yes",
        YesNoUnknown::No => "no",
        YesNoUnknown::Unknown => "unknown",
    }
}

/// The bus's word for what an uncertain thing depends on.
pub const fn depends_keyword(on: DependsOn) -> &'static str {
    match on {
        DependsOn::CastlingRights => "castling-rights",
        DependsOn::LastMove => "last-move",
        DependsOn::LaterEdition => "later-edition",
    }
}

/// A move with its number, such as `12. Nf3` or `12… Nf6`, from the FEN after it.
pub fn numbered(san: &str, fen_after: &str) -> String {
    let mut fields = fen_after.split(' ');
    let black_moves_next = fields.nth(1) == Some("b");
    let number = fields.nth(3).and_then(|n| n.parse::<u32>().ok()).unwrap_or(1);
    if black_moves_next {
        format!("{number}. {san}")
    } else {
        format!("{}… {san}", number.saturating_sub(1).max(1))
    }
}

/// A way a game can end, in words.
pub fn ending(language: &Language, reason: EndReason) -> String {
    let reason = match reason {
        EndReason::Checkmate => "checkmate",
        EndReason::Stalemate => "stalemate",
        EndReason::DeadPosition => "dead",
        EndReason::FivefoldRepetition => "fivefold",
        EndReason::SeventyfiveMoves => "seventyfive",
    };
    language.say("event-ending", vec![("reason", reason.to_owned())])
}

/// The ways a game has ended, in words.
pub fn endings(language: &Language, reason: EndReason, also: &[EndReason]) -> String {
    let all = std::iter::once(&reason).chain(also);
    all.map(|reason| ending(language, *reason)).collect::<Vec<_>>().join(" + ")
}

/// What confirmed a move, in words.
pub fn confirmed(language: &Language, by: ConfirmedBy, exact: bool) -> String {
    let by = match by {
        ConfirmedBy::Press => "press",
        ConfirmedBy::Reply => "reply",
        ConfirmedBy::Still => "still",
        ConfirmedBy::Log => "log",
    };
    let args = vec![("by", by.to_owned()), ("exact", yes_no(exact))];
    language.say("event-confirmed", args)
}

/// One sentence for an event of a game with this number.
pub fn sentence(language: &Language, event: &EventKind, game: Option<u32>) -> String {
    let say = |message: &str, args: Args| language.say(message, args);
    match event {
        EventKind::Link { state, port, serial, .. } => {
            let args = vec![
                ("state", state_word(*state)),
                ("port", one_of(port.clone())),
                ("serial", one_of(serial.clone())),
            ];
            say("event-link", args)
        }
        EventKind::Provisional { ply, san, .. } => {
            say("event-provisional", vec![("san", san.clone()), ("ply", ply.to_string())])
        }
        EventKind::Move { san, fen, by, exact, .. } => {
            format!("{} ({})", numbered(san, fen), confirmed(language, *by, *exact))
        }
        EventKind::Takeback { to_ply, reason } => {
            let args = vec![("ply", to_ply.to_string()), ("reason", takeback_word(*reason))];
            say("event-takeback", args)
        }
        EventKind::GameOver { result, reason, article, also, .. } => {
            let args = vec![
                ("result", result.clone()),
                ("reasons", endings(language, *reason, also)),
                ("article", article.clone()),
            ];
            say("event-over", args)
        }
        EventKind::GapClosed { ply, open } => {
            let open: Vec<String> = open.iter().map(ToString::to_string).collect();
            let open = if open.is_empty() { "none".to_owned() } else { open.join(", ") };
            say("event-gap-closed", vec![("ply", ply.to_string()), ("open", open)])
        }
        EventKind::GameOverWithdrawn { .. } => say("event-withdrawn", Vec::new()),
        EventKind::Touched { square, piece, seconds } => {
            let args = vec![
                ("square", square.clone()),
                ("piece", piece.clone()),
                ("seconds", format!("{seconds:.1}")),
            ];
            say("event-touched", args)
        }
        EventKind::Attention { squares, text, .. } => {
            let squares = if squares.is_empty() {
                String::new()
            } else {
                format!(" ({})", squares.join(" "))
            };
            say("event-attention", vec![("text", format!("{text}{squares}"))])
        }
        other => of_the_record(language, other, game),
    }
}

/// How the record of a game begins and ends.
fn of_the_record(language: &Language, event: &EventKind, game: Option<u32>) -> String {
    match event {
        EventKind::GameStarted { fen, source, orientation } => {
            let args = vec![
                ("game", game.unwrap_or_default().to_string()),
                ("source", source_word(*source)),
                ("turned", yes_no(*orientation == OrientationName::Rotated)),
                ("fen", fen.clone()),
            ];
            language.say("event-started", args)
        }
        EventKind::ResultSignalled { result, squares } => {
            let args = vec![("result", result.clone()), ("squares", squares.join(" "))];
            language.say("event-signalled", args)
        }
        EventKind::GameReopened { ply, instead_of, .. } => {
            let instead = instead_of.map_or_else(|| "none".to_owned(), |game| game.to_string());
            language.say("event-reopened", vec![("ply", ply.to_string()), ("instead", instead)])
        }
        EventKind::GameEnded { result, plies, how } => {
            let args = vec![
                ("result", result.clone()),
                ("plies", plies.to_string()),
                ("how", how_word(*how)),
            ];
            language.say("event-ended", args)
        }
        law => of_the_laws(language, law),
    }
}

/// What concerns the Laws but does not end a game.
fn of_the_laws(language: &Language, event: &EventKind) -> String {
    match event {
        EventKind::ClaimAvailable {
            reason, claimant, article, moves, exact, depends_on, ..
        } => {
            let kind = match reason {
                ClaimReason::ThreefoldRepetition => "threefold_repetition",
                ClaimReason::FiftyMoves => "fifty_moves",
            };
            let exact = if depends_on.is_some() { "depends".to_owned() } else { yes_no(*exact) };
            let on = depends_on.map(|on| language.depends_on(depends_keyword(on)));
            let args = vec![
                ("side", side_word(*claimant)),
                ("kind", language.say(kind, Vec::new())),
                ("article", article.clone()),
                ("moves", one_of((!moves.is_empty()).then(|| moves.join(", ")))),
                ("exact", exact),
                ("on", on.unwrap_or_default()),
            ];
            language.say("event-claim", args)
        }
        EventKind::PossibleEnd { reason, article, depends_on, .. } => {
            let args = vec![
                ("reason", ending(language, *reason)),
                ("article", article.clone()),
                ("on", language.depends_on(depends_keyword(*depends_on))),
            ];
            language.say("event-maybe-over", args)
        }
        EventKind::Flag { side, opponent_can_mate, result, article, .. } => {
            let args = vec![
                ("side", side_word(*side)),
                ("can", known_keyword(*opponent_can_mate).to_owned()),
                ("result", result.clone()),
                ("article", article.clone()),
            ];
            language.say("event-flag", args)
        }
        EventKind::FlagRuling { ply, text, .. } => {
            let args = vec![("ply", ply.to_string()), ("text", text.clone())];
            language.say("event-ruling-flag", args)
        }
        EventKind::ClaimRuling { claimant, ply, text, .. } => {
            let args = vec![
                ("side", side_word(*claimant)),
                ("ply", ply.to_string()),
                ("text", text.clone()),
            ];
            language.say("event-ruling-claim", args)
        }
        illegal => of_illegal_moves(language, illegal),
    }
}

fn of_illegal_moves(language: &Language, event: &EventKind) -> String {
    match event {
        EventKind::IllegalMove { by, article, why, squares, number, .. } => {
            let args = vec![
                ("number", number.to_string()),
                ("side", side_word(*by)),
                ("article", article.clone()),
                ("why", why.clone()),
                ("squares", one_of((!squares.is_empty()).then(|| squares.join(" ")))),
            ];
            language.say("event-illegal", args)
        }
        EventKind::IllegalMoveDecided { number, by, accepted, penalty } => {
            let args = vec![
                ("number", number.to_string()),
                ("side", side_word(*by)),
                ("decided", if *accepted { "accepted" } else { "dismissed" }.to_owned()),
                ("effect", effect(language, penalty)),
                ("article", penalty.penalty_article.replace('+', ", ")),
            ];
            language.say("event-illegal-decided", args)
        }
        EventKind::IllegalMoveWithdrawn { number, by, .. } => {
            let args = vec![("number", number.to_string()), ("side", side_word(*by))];
            language.say("event-illegal-withdrawn", args)
        }
        // Told elsewhere.
        _ => String::new(),
    }
}

fn effect(language: &Language, penalty: &Penalty) -> String {
    let effect = match (penalty.effect, penalty.result.as_deref()) {
        (PenaltyEffect::Restore, _) => "restore",
        (PenaltyEffect::AddTime, _) => "time",
        (PenaltyEffect::Result, Some("1-0")) => "white",
        (PenaltyEffect::Result, Some("0-1")) => "black",
        (PenaltyEffect::Result, _) => "draw",
        (PenaltyEffect::Arbiter, _) => "unknown",
    };
    let time = penalty.gain_ms.map(|ms| Millis(ms).to_string()).unwrap_or_default();
    language.say("illegal-effect", vec![("effect", effect.to_owned()), ("time", time)])
}

/// A text, or `none` for the choice of a message that has no text.
fn one_of(text: Option<String>) -> String {
    text.unwrap_or_else(|| "none".to_owned())
}

fn yes_no(truth: bool) -> String {
    if truth { "yes" } else { "no" }.to_owned()
}

fn side_word(side: Side) -> String {
    side_keyword(side).to_owned()
}

fn source_word(source: StartSource) -> String {
    match source {
        StartSource::InitialArray => "array",
        StartSource::Setup => "setup",
        StartSource::Resumed => "resumed",
    }
    .to_owned()
}

fn takeback_word(reason: TakebackReason) -> String {
    match reason {
        TakebackReason::Board => "board",
        TakebackReason::Arbiter => "arbiter",
        TakebackReason::Correction => "correction",
    }
    .to_owned()
}

fn state_word(state: LinkState) -> String {
    match state {
        LinkState::Connected => "connected",
        LinkState::Lost => "lost",
        LinkState::Silent => "silent",
        LinkState::Restored => "restored",
    }
    .to_owned()
}

fn how_word(how: EndedHow) -> String {
    match how {
        EndedHow::Laws => "laws",
        EndedHow::Signalled => "signalled",
        EndedHow::Arbiter => "arbiter",
        EndedHow::NextGame => "next",
        EndedHow::Withdrawn => "withdrawn",
        EndedHow::Closed => "closed",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn moves_are_numbered_from_the_position_after_them() {
        assert_eq!(numbered("e4", "8/8/8/8/8/8/8/8 b - - 0 1"), "1. e4");
        assert_eq!(numbered("e5", "8/8/8/8/8/8/8/8 w - - 0 2"), "1… e5");
        assert_eq!(numbered("e5", "not a fen"), "1… e5");
    }
}
