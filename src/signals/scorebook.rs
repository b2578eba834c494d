//! The games of one board as their events tell them, for the files that keep them.

use crate::{
    arbiter::EventKind,
    arbiter::event::{EndedHow, StartSource},
    pgn::{Game, Move},
    units::Millis,
};

use super::words;

/// The game a board's events have told so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scorebook {
    start_fen: String,
    plies: Vec<Written>,
    over: Option<(String, String)>,
    closed: Option<(String, EndedHow)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Written {
    san: String,
    white_moved: bool,
    white: Option<u64>,
    black: Option<u64>,
}

impl Scorebook {
    /// Takes note of an event; says whether the written game changed.
    pub fn apply(&mut self, event: &EventKind) -> bool {
        match event {
            // The game goes on after an interruption: what was written of it stands.
            EventKind::GameStarted { source: StartSource::Resumed, fen, .. }
                if self.closed.is_none() && self.start_fen == *fen => {}
            EventKind::GameStarted { fen, .. } => {
                *self = Scorebook { start_fen: fen.clone(), ..Scorebook::default() };
            }
            EventKind::Move { ply, san, fen, white_clock, black_clock, .. } => {
                self.plies.truncate(ply.index().saturating_sub(1));
                self.plies.push(Written {
                    san: san.clone(),
                    white_moved: fen.split(' ').nth(1) == Some("b"),
                    white: *white_clock,
                    black: *black_clock,
                });
            }
            EventKind::Takeback { to_ply, .. } => self.plies.truncate(to_ply.index()),
            EventKind::GameOver { result, reason, article, .. } => {
                let words = format!("{}, Article {article}", words::end_reason(*reason));
                self.over = Some((result.clone(), words));
            }
            EventKind::GameOverWithdrawn { .. } => self.over = None,
            EventKind::GameEnded { result, how, .. } => self.closed = Some((result.clone(), *how)),
            EventKind::GameReopened { .. } => self.closed = None,
            _ => return false,
        }
        true
    }

    /// Whether the game is over or its record closed.
    pub fn is_done(&self) -> bool {
        self.over.is_some() || self.closed.is_some()
    }

    /// Whether anything was played.
    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// The game with these tags.
    pub fn game(&self, tags: std::collections::BTreeMap<String, String>) -> Game {
        let (result, termination) = match (&self.closed, &self.over) {
            (Some((result, how)), over) => {
                let termination = match how {
                    EndedHow::Arbiter => "adjudication",
                    EndedHow::NextGame | EndedHow::Withdrawn | EndedHow::Closed
                        if over.is_none() && result == "*" =>
                    {
                        "unterminated"
                    }
                    _ => "normal",
                };
                (result.clone(), Some(termination.to_owned()))
            }
            (None, Some((result, _))) => (result.clone(), Some("normal".to_owned())),
            (None, None) => ("*".to_owned(), None),
        };
        let initial = shakmaty::fen::Fen::default().to_string();
        let array = |fen: &str| fen.split(' ').take(4).map(str::to_owned).collect::<Vec<_>>();
        Game {
            start: (!self.start_fen.is_empty() && array(&self.start_fen) != array(&initial))
                .then(|| self.start_fen.clone()),
            chess960: tags.get("Variant").is_some_and(|v| v == "Chess960"),
            tags,
            moves: self
                .plies
                .iter()
                .map(|ply| Move {
                    san: ply.san.clone(),
                    clock: (if ply.white_moved { ply.white } else { ply.black })
                        .map(Millis::from_seconds),
                })
                .collect(),
            result,
            termination,
            ending: self.over.as_ref().map(|(_, words)| words.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arbiter::event::{ConfirmedBy, EndReason, OrientationName, TakebackReason},
        units::{Ply, Stamp},
    };

    fn started() -> EventKind {
        EventKind::GameStarted {
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
            source: StartSource::InitialArray,
            orientation: OrientationName::Normal,
        }
    }

    fn played(ply: u32, san: &str) -> EventKind {
        let turn = if ply % 2 == 1 { 'b' } else { 'w' };
        EventKind::Move {
            ply: Ply(ply),
            uci: String::new(),
            san: san.into(),
            fen: format!("8/8/8/8/8/8/8/8 {turn} - - 0 1"),
            made: Stamp::ZERO,
            by: ConfirmedBy::Press,
            white_clock: Some(60),
            black_clock: Some(50),
            exact: true,
        }
    }

    #[test]
    fn a_game_is_written_as_its_events_tell_it() {
        let mut book = Scorebook::default();
        for event in [
            started(),
            played(1, "f3"),
            played(2, "d5"),
            EventKind::Takeback { to_ply: Ply(1), reason: TakebackReason::Board },
            played(2, "e5"),
            played(3, "g4"),
            played(4, "Qh4#"),
            EventKind::GameOver {
                result: "0-1".into(),
                reason: EndReason::Checkmate,
                article: "5.1.1".into(),
                also: Vec::new(),
                ply: Ply(4),
                fen: String::new(),
                proof: None,
            },
        ] {
            assert!(book.apply(&event));
        }
        let text = book.game(std::collections::BTreeMap::new()).to_text();
        assert!(
            text.ends_with(
                "\n1. f3 {[%clk 0:01:00]} 1... e5 {[%clk 0:00:50]} 2. g4 {[%clk 0:01:00]} 2...\n\
                 Qh4# {[%clk 0:00:50]} { checkmate, Article 5.1.1 } 0-1\n\n"
            ),
            "{text}"
        );
        assert!(book.apply(&EventKind::GameOverWithdrawn { ply: Ply(4) }));
        assert!(book.apply(&EventKind::Takeback { to_ply: Ply(3), reason: TakebackReason::Board }));
        assert_eq!(book.game(std::collections::BTreeMap::new()).result, "*");
    }
}
