//! Events as an arbiter reads them, one line each, in his language.

use std::time::Duration;

use crate::{
    arbiter::{Event, EventKind},
    laws::text::{Args, Language},
    signals::words,
    units::Stamp,
};

/// Turns events into lines.
#[derive(Clone, Debug)]
pub struct Narrator {
    language: Language,
    /// Game overs stand out by colour.
    colours: bool,
}

impl Narrator {
    /// A narrator who speaks a language; `colours` for a terminal.
    pub fn new(language: Language, colours: bool) -> Narrator {
        Narrator { language, colours }
    }

    /// The line for an event, or lines.
    pub fn line(&self, event: &Event) -> String {
        let time = clock(event.t);
        match &event.kind {
            EventKind::Move { .. } => format!("{time:>9}  {}", self.moved(&event.kind)),
            EventKind::GameOver { .. } => {
                let text = self.say("replay-over-at", vec![("time", time)]);
                let text = format!("{}  {text}", self.over(&event.kind));
                if self.colours { format!("\x1b[1;7m {text} \x1b[0m") } else { text }
            }
            kind => format!("{time:>9}  {}", words::sentence(&self.language, kind, event.game)),
        }
    }

    fn say(&self, message: &str, args: Args) -> String {
        self.language.say(message, args)
    }

    fn moved(&self, kind: &EventKind) -> String {
        let EventKind::Move { san, fen, made, by, white_clock, black_clock, exact, .. } = kind
        else {
            return String::new();
        };
        let confirmed = words::confirmed(&self.language, *by, *exact);
        let how = self.say("replay-move", vec![("made", clock(*made)), ("confirmed", confirmed)]);
        let mut line = format!("{:<14}  {how}", words::numbered(san, fen));
        if let (Some(white), Some(black)) = (white_clock, black_clock) {
            let args = vec![("white", seconds(*white)), ("black", seconds(*black))];
            line.push_str("  ");
            line.push_str(&self.say("replay-clocks", args));
        }
        line
    }

    fn over(&self, kind: &EventKind) -> String {
        let EventKind::GameOver { result, reason, article, also, proof, .. } = kind else {
            return String::new();
        };
        let args = vec![
            ("result", result.clone()),
            ("reasons", words::endings(&self.language, *reason, also)),
            ("article", article.clone()),
        ];
        let line = self.say("replay-over", args);
        match proof {
            Some(proof) => format!("{line}: {proof}"),
            None => line,
        }
    }
}

/// Minutes, seconds and tenths since the capture began: `0:12.3`, `1:02:03.4`.
fn clock(at: Stamp) -> String {
    let at: Duration = at.since(Stamp::ZERO);
    let (tenths, whole) = (at.subsec_millis() / 100, at.as_secs());
    let (hours, minutes, seconds) = (whole / 3_600, whole / 60 % 60, whole % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}.{tenths}")
    } else {
        format!("{minutes}:{seconds:02}.{tenths}")
    }
}

/// A player's time: `1:29:58`.
fn seconds(time: u64) -> String {
    crate::units::Millis::from_seconds(time).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arbiter::event::{
            ActUntil, AttentionKind, ClaimReason, ConfirmedBy, DependsOn, EndReason, EndedHow,
            FlagDecidedBy, LinkState, MayAct, MayCall, OrientationName, Penalty, PenaltyEffect,
            Side, StartSource, TakebackReason, YesNoUnknown,
        },
        units::Ply,
    };

    fn event(kind: EventKind) -> Event {
        Event { board: "b".parse().unwrap(), t: Stamp::from_millis(12_345), game: Some(1), kind }
    }

    #[expect(clippy::needless_pass_by_value, reason = "the callers build it in place")]
    fn lines(kind: EventKind) -> [String; 2] {
        ["en", "es"].map(|language| {
            let line = Narrator::new(Language::choose(language), false).line(&event(kind.clone()));
            assert!(!line.contains(['{', '}', '$']) && !line.contains("nknown local"), "{line}");
            line
        })
    }

    fn played(fen: &str, san: &str) -> EventKind {
        EventKind::Move {
            ply: Ply(24),
            uci: String::new(),
            san: san.into(),
            fen: fen.into(),
            made: Stamp::from_millis(11_900),
            by: ConfirmedBy::Press,
            white_clock: None,
            black_clock: None,
            exact: true,
        }
    }

    #[test]
    fn moves_have_number_time_and_cause() {
        let [en, es] = lines(played("8/8/8/8/8/8/8/8 w - - 0 13", "Nf6"));
        assert_eq!(en, "   0:12.3  12… Nf6         made 0:11.9, pressed");
        assert!(es.ends_with("hecha 0:11.9, reloj pulsado"), "{es}");
        let [en, _] = lines(played("8/8/8/8/8/8/8/8 b - - 0 12", "Nf3"));
        assert!(en.contains("12. Nf3"), "{en}");
        let EventKind::Move { ply, uci, san, fen, made, by, .. } = played("w", "e4") else {
            unreachable!()
        };
        let (white_clock, black_clock, exact) = (Some(5_398), Some(5_400), false);
        let kind =
            EventKind::Move { ply, uci, san, fen, made, by, white_clock, black_clock, exact };
        let [en, es] = lines(kind);
        assert!(en.ends_with("pressed, uncertain  White 1:29:58  Black 1:30:00"), "{en}");
        assert!(es.ends_with("incierta  Blancas 1:29:58  Negras 1:30:00"), "{es}");
    }

    #[test]
    fn a_game_over_cannot_be_missed() {
        let kind = EventKind::GameOver {
            result: "1/2-1/2".into(),
            reason: EndReason::FivefoldRepetition,
            article: "9.6.1".into(),
            also: vec![EndReason::SeventyfiveMoves],
            ply: Ply(16),
            fen: String::new(),
            proof: None,
        };
        let [en, es] = lines(kind.clone());
        let want = "GAME OVER  1/2-1/2  fivefold repetition + seventy-five moves (Article 9.6.1)  \
                    at 0:12.3";
        assert_eq!(en, want);
        assert!(es.starts_with("FIN DE LA PARTIDA  1/2-1/2  "), "{es}");
        let coloured = Narrator::new(Language::default(), true).line(&event(kind));
        assert_eq!(coloured, format!("\x1b[1;7m {want} \x1b[0m"));
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a list of all kinds")]
    fn every_kind_has_a_line_in_every_language() {
        let text = String::from;
        let kinds = [
            EventKind::Link {
                state: LinkState::Connected,
                port: None,
                serial: Some(text("12345")),
                version: None,
            },
            EventKind::GameStarted {
                fen: text("fen"),
                source: StartSource::Setup,
                orientation: OrientationName::Rotated,
            },
            EventKind::Provisional { ply: Ply(3), uci: text("e2e4"), san: text("e4") },
            EventKind::Takeback { to_ply: Ply(3), reason: TakebackReason::Board },
            EventKind::GameOverWithdrawn { ply: Ply(3) },
            EventKind::GapClosed { ply: Ply(3), open: vec![Ply(1), Ply(2)] },
            EventKind::GapClosed { ply: Ply(3), open: Vec::new() },
            EventKind::ClaimAvailable {
                reason: ClaimReason::FiftyMoves,
                claimant: Side::Black,
                article: text("9.3.1"),
                moves: vec![text("Ka1")],
                ply: Ply(99),
                exact: false,
                depends_on: Some(DependsOn::CastlingRights),
            },
            EventKind::PossibleEnd {
                reason: EndReason::FivefoldRepetition,
                article: text("9.6.1"),
                depends_on: DependsOn::LastMove,
                ply: Ply(9),
            },
            EventKind::IllegalMove {
                by: Side::White,
                article: text("7.5.1"),
                why: text("why"),
                squares: vec![text("e4")],
                ply: Ply(1),
                offence: None,
                number: 1,
                nth: 1,
                penalty: Penalty::default(),
                until: ActUntil::NextMove,
                may_act: MayAct::Arbiter,
            },
            EventKind::IllegalMoveDecided {
                number: 1,
                by: Side::White,
                accepted: true,
                penalty: Penalty {
                    effect: PenaltyEffect::AddTime,
                    gain_ms: Some(120_000),
                    result: None,
                    penalty_article: text("7.5.5"),
                },
            },
            EventKind::IllegalMoveWithdrawn {
                number: 1,
                by: Side::White,
                ply: Ply(2),
                may_act: MayAct::Arbiter,
            },
            EventKind::Flag {
                side: Side::White,
                opponent_can_mate: YesNoUnknown::Unknown,
                result: text("*"),
                article: text("6.9"),
                may_call: MayCall::ArbiterMust,
            },
            EventKind::FlagRuling {
                side: Side::White,
                opponent_can_mate: YesNoUnknown::No,
                result: text("1/2-1/2"),
                article: text("6.9"),
                decided_by: FlagDecidedBy::Flag,
                may_call: MayCall::ArbiterMust,
                ply: Ply(8),
                text: text("words"),
            },
            EventKind::ClaimRuling {
                reason: ClaimReason::FiftyMoves,
                claimant: Side::White,
                announced: None,
                verdict: text("correct"),
                article: text("9.3.2"),
                must_play: text("-"),
                white_ms: None,
                black_ms: None,
                ply: Ply(8),
                text: text("words"),
            },
            EventKind::ResultSignalled { result: text("1-0"), squares: vec![text("e4")] },
            EventKind::Touched { square: text("e4"), piece: text("P"), seconds: 1.5 },
            EventKind::Attention {
                kind: AttentionKind::Mismatch,
                squares: vec![text("e4")],
                text: text("look"),
            },
            EventKind::GameEnded { result: text("1-0"), plies: 4, how: EndedHow::Signalled },
        ];
        for kind in kinds {
            let [en, es] = lines(kind.clone());
            assert!(en.len() > 15, "{kind:?}: {en}");
            assert_ne!(en, es, "{kind:?}");
        }
    }

    #[test]
    fn times_are_read_as_on_a_clock() {
        for (millis, text) in
            [(0, "0:00.0"), (12_399, "0:12.3"), (3_599_999, "59:59.9"), (3_723_400, "1:02:03.4")]
        {
            assert_eq!(clock(Stamp::from_millis(millis)), text);
        }
    }
}
