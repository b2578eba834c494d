//! A game as PGN text.
//!
//! In: the fields of a game. Out: text in PGN's export format (seven tags first, 80 columns), with
//! `[%clk]` times where a clock was there. Refuses to know: files, boards, the Laws.

use std::collections::BTreeMap;

use shakmaty::{Color, fen::Fen};

use crate::{
    arbiter::{
        event::EndReason,
        status::{GameStatus, Stage},
    },
    units::Millis,
};

/// The tags every game has, in PGN's order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The last column of a line of moves.
const WIDTH: usize = 79;

/// What there is to write of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// Tags; those of the roster that are missing are written as unknown.
    pub tags: BTreeMap<String, String>,
    /// The first position as FEN; `None` for the initial array.
    pub start: Option<String>,
    /// Castling is that of Chess960.
    pub chess960: bool,
    /// The moves in order.
    pub moves: Vec<Move>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The `Termination` tag, such as `normal` or `adjudication`; none for a game that is on.
    pub termination: Option<String>,
    /// A word on the end, written as a comment after the last move.
    pub ending: Option<String>,
}

/// A move and the mover's time after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// SAN.
    pub san: String,
    /// The time the mover had left.
    pub clock: Option<Millis>,
}

impl Game {
    /// The game of a board as its status shows it.
    ///
    /// `date` is the day it began, `yyyy.mm.dd`; `fallback` gives tags the arbiter did not set.
    pub fn of(game: &GameStatus, date: &str, fallback: &BTreeMap<String, String>) -> Game {
        let mut tags = fallback.clone();
        tags.insert("Date".into(), date.into());
        tags.extend(game.tags.clone());
        let first = first_mover(&game.start_fen);
        let moves = game.moves.iter().enumerate().map(|(ply, m)| Move {
            san: m.san.clone(),
            clock: if (ply % 2 == 0) == (first == Color::White) { m.white } else { m.black },
        });
        let initial = Fen::default().to_string();
        let over = game.stage == Stage::Over;
        let termination = match (over, game.set_by_arbiter, game.result.as_str()) {
            (false, ..) => None,
            (true, _, "*") => Some("unterminated"),
            (true, true, _) => Some("adjudication"),
            (true, false, _) => Some("normal"),
        };
        let ending = game.ending.map(|reason| {
            let words = ending_words(reason);
            if game.article.is_empty() {
                words.to_owned()
            } else {
                format!("{words}, Article {}", game.article)
            }
        });
        Game {
            start: (game.start_fen != initial && !same_array(&game.start_fen, &initial))
                .then(|| game.start_fen.clone()),
            chess960: tags.get("Variant").is_some_and(|v| v == "Chess960"),
            tags,
            moves: moves.collect(),
            result: game.result.clone(),
            termination: termination.map(str::to_owned),
            ending,
        }
    }

    /// The text, ending in an empty line.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for tag in ROSTER {
            let unknown = if tag == "Date" { "????.??.??" } else { "?" };
            let value = match tag {
                "Result" => self.result.as_str(),
                _ => self.tags.get(tag).map_or(unknown, String::as_str),
            };
            push_tag(&mut out, tag, value);
        }
        if self.chess960 {
            push_tag(&mut out, "Variant", "Chess960");
        }
        if let Some(fen) = &self.start {
            push_tag(&mut out, "SetUp", "1");
            push_tag(&mut out, "FEN", fen);
        }
        let ours = ["Variant", "SetUp", "FEN", "Termination"];
        for (tag, value) in &self.tags {
            if !ROSTER.contains(&tag.as_str()) && !ours.contains(&tag.as_str()) {
                push_tag(&mut out, tag, value);
            }
        }
        if let Some(termination) = &self.termination {
            push_tag(&mut out, "Termination", termination);
        }
        out.push('\n');
        self.push_moves(&mut out);
        out
    }

    fn push_moves(&self, out: &mut String) {
        let (mut number, mut mover) = self
            .start
            .as_deref()
            .and_then(|fen| fen.parse::<Fen>().ok())
            .map_or((1, Color::White), |fen| (fen.as_setup().fullmoves.get(), fen.as_setup().turn));
        let mut line = Line { out, column: 0 };
        let mut say_number = true;
        for m in &self.moves {
            if mover == Color::White {
                line.word(&format!("{number}."));
            } else if say_number {
                line.word(&format!("{number}..."));
            }
            line.word(&m.san);
            say_number = false;
            if let Some(clock) = m.clock {
                // One word: readers look for it on one line.
                line.word(&format!("{{[%clk {}]}}", Millis::from_seconds(clock.as_seconds())));
                say_number = true;
            }
            if mover == Color::Black {
                number = number.saturating_add(1);
            }
            mover = mover.other();
        }
        if let Some(ending) = &self.ending {
            line.word("{");
            for word in ending.split_whitespace() {
                line.word(&word.replace(['{', '}'], ""));
            }
            line.word("}");
        }
        line.word(&self.result);
        out.push_str("\n\n");
    }
}

/// Writes words into lines of at most [`WIDTH`] columns.
struct Line<'a> {
    out: &'a mut String,
    column: usize,
}

impl Line<'_> {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 {
            if self.column + 1 + length > WIDTH {
                self.out.push('\n');
                self.column = 0;
            } else {
                self.out.push(' ');
                self.column += 1;
            }
        }
        self.out.push_str(word);
        self.column += length;
    }
}

fn push_tag(out: &mut String, name: &str, value: &str) {
    out.push('[');
    out.push_str(name);
    out.push_str(" \"");
    for c in value.chars().take(255) {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push_str("\"]\n");
}

fn first_mover(fen: &str) -> Color {
    fen.parse::<Fen>().map_or(Color::White, |fen| fen.as_setup().turn)
}

/// The initial array, whatever the counters say.
fn same_array(fen: &str, initial: &str) -> bool {
    fen.split(' ').take(4).eq(initial.split(' ').take(4))
}

/// A way a game can end, in words.
pub const fn ending_words(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Checkmate => "checkmate",
        EndReason::Stalemate => "stalemate",
        EndReason::DeadPosition => "dead position",
        EndReason::FivefoldRepetition => "fivefold repetition",
        EndReason::SeventyfiveMoves => "75 moves without capture or pawn move",
    }
}

#[cfg(test)]
mod tests {
    use std::{io, ops::ControlFlow};

    use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};

    use super::*;

    #[derive(Debug, Default, PartialEq)]
    struct Read {
        tags: BTreeMap<String, String>,
        sans: Vec<String>,
        comments: Vec<String>,
    }

    impl Visitor for Read {
        type Tags = ();
        type Movetext = ();
        type Output = ();

        fn begin_tags(&mut self) -> ControlFlow<(), ()> {
            ControlFlow::Continue(())
        }

        fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
            let name = String::from_utf8_lossy(name).into_owned();
            // Not `decode()`: it takes the second of two escaped signs for an escape again.
            let raw = std::str::from_utf8(value.as_bytes()).unwrap();
            let mut escaped = false;
            let plain = raw.chars().filter(|c| {
                escaped = *c == '\\' && !escaped;
                !escaped
            });
            self.tags.insert(name, plain.collect());
            ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
            ControlFlow::Continue(())
        }

        fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
            self.sans.push(san.to_string());
            ControlFlow::Continue(())
        }

        fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
            let text = String::from_utf8_lossy(comment.as_bytes()).into_owned();
            self.comments.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
            ControlFlow::Continue(())
        }

        fn end_game(&mut self, (): ()) {}
    }

    fn read(text: &str) -> Read {
        let mut seen = Read::default();
        Reader::new(io::Cursor::new(text)).read_game(&mut seen).unwrap().unwrap();
        seen
    }

    fn moves(sans: &[(&str, Option<u64>)]) -> Vec<Move> {
        sans.iter()
            .map(|(san, s)| Move { san: (*san).into(), clock: s.map(Millis::from_seconds) })
            .collect()
    }

    #[test]
    fn a_game_is_read_back_as_it_was() {
        let game = Game {
            tags: [("White", "O'Brien, \"Pat\" \\"), ("Table", "7")]
                .map(|(k, v)| (k.to_owned(), v.to_owned()))
                .into(),
            moves: moves(&[("f3", Some(5399)), ("e5", Some(5400)), ("g4", None), ("Qh4#", None)]),
            result: "0-1".into(),
            termination: Some("normal".into()),
            ending: Some("checkmate, Article 5.1.1".into()),
            ..Game::default()
        };
        let text = game.to_text();
        assert_eq!(
            text,
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
             [White \"O'Brien, \\\"Pat\\\" \\\\\"]\n[Black \"?\"]\n[Result \"0-1\"]\n[Table \"7\"]\n\
             [Termination \"normal\"]\n\n\
             1. f3 {[%clk 1:29:59]} 1... e5 {[%clk 1:30:00]} 2. g4 Qh4# { checkmate, Article\n\
             5.1.1 } 0-1\n\n"
        );
        let seen = read(&text);
        assert_eq!(seen.tags["White"], "O'Brien, \"Pat\" \\");
        assert_eq!(seen.sans, ["f3", "e5", "g4", "Qh4#"]);
        assert_eq!(seen.comments[0], "[%clk 1:29:59]");
    }

    #[test]
    fn a_position_set_up_with_black_to_move_is_numbered_from_its_fen() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 41";
        let game = Game {
            start: Some(fen.into()),
            moves: moves(&[("Kd7", None), ("e4", None)]),
            result: "*".into(),
            ..Game::default()
        };
        let text = game.to_text();
        assert!(
            text.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 41\"]\n"),
            "{text}"
        );
        assert!(text.ends_with("\n41... Kd7 42. e4 *\n\n"), "{text}");
        assert_eq!(read(&text).tags["FEN"], fen);
    }

    #[test]
    fn lines_stay_within_80_columns() {
        let game = Game {
            moves: moves(
                &[("Nf3", Some(100)), ("Nf6", Some(90)), ("Ng1", None), ("Ng8", None)].repeat(90),
            ),
            result: "1/2-1/2".into(),
            ..Game::default()
        };
        let text = game.to_text();
        assert!(text.lines().all(|line| line.len() < 80 && !line.ends_with(' ')));
        assert_eq!(read(&text).sans.len(), 360);
    }

    proptest::proptest! {
        #[test]
        fn any_tag_text_is_read_back(value in "\\PC{0,80}") {
            let game = Game {
                tags: [("Event".to_owned(), value.clone())].into(),
                result: "*".into(),
                ..Game::default()
            };
            proptest::prop_assert_eq!(&read(&game.to_text()).tags["Event"], &value);
        }
    }
}
