//! Games to judge, from PGN.
//!
//! `pgn-reader` finds the games, their tags and their moves. It passes over whatever it cannot
//! read, which would let a garbled move vanish and later counts be wrong; so the main line of each
//! game is gone through a second time, and a word that is not a move is a fault with its ply.

use std::{
    cell::Cell,
    io::{self, Read},
    ops::ControlFlow,
    rc::Rc,
};

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, PositionError, fen::Fen, san::SanError};

use crate::{
    game::{History, HistoryError, Past},
    units::Ply,
};

/// Why a game of a file cannot be followed to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The FEN tag cannot be read.
    #[error("the FEN {fen:?} cannot be read: {reason}")]
    Fen {
        /// The tag's value.
        fen: String,
        /// What is wrong with it, and in which field.
        reason: String,
    },
    /// The FEN tag gives a position that cannot be.
    #[error("the FEN {fen:?} is no position a game can have: {reason}")]
    Position {
        /// The tag's value.
        fen: String,
        /// What is wrong with it and how to mend it.
        reason: &'static str,
    },
    /// A move is not legal.
    #[error("{san} is not legal after half-move {after}")]
    Illegal {
        /// The move as written.
        san: String,
        /// The ply it was to follow.
        after: Ply,
    },
    /// A move can be made by several pieces.
    #[error("{san} after half-move {after} can be made by several pieces")]
    Ambiguous {
        /// The move as written.
        san: String,
        /// The ply it was to follow.
        after: Ply,
    },
    /// A word in the main line is no move.
    #[error("{word:?} after half-move {after} is not a move, a number, a result or a comment")]
    Word {
        /// The word.
        word: String,
        /// The ply it was to follow.
        after: Ply,
    },
    /// A line, comment or tag has no end.
    #[error("{0}")]
    Syntax(String),
    /// More plies than any game can have.
    #[error(transparent)]
    TooLong(HistoryError),
}

/// One game of a file, as far as it could be followed.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line of the file it begins in, from 1.
    pub line: usize,
    /// The moves up to the fault, or all of them. `None` if even the first position is in doubt.
    pub history: Option<History>,
    /// What stopped it.
    pub fault: Option<Fault>,
    /// The line of the file the fault stands in, from 1; of a game without one, the line it begins
    /// in.
    pub fault_line: usize,
}

/// Reads every game of a PGN text. Only the main line matters; a set-up position's castling rights
/// and half-move counter are taken as given, and an en passant square that no pawn can legally use
/// means nothing. A faulty game does not hide the games after it.
pub fn games(text: &[u8]) -> Vec<PgnGame> {
    let at = Rc::new(Cell::new(0));
    let source = Counted { text, at: Rc::clone(&at) };
    let mut reader = Reader::build(source).set_supported_tag_line_length(LONGEST_TAG).finish();
    let mut games = Vec::new();
    let (mut line, mut counted) = (1, 0);
    while let Ok(true) = reader.has_more() {
        let start = at.get() - reader.buffer().len();
        let read = reader.read_game(&mut Collector);
        let (history, fault, at_byte) = match read {
            Ok(None) => break,
            Ok(Some(raw)) => follow(&raw, &text[start..at.get() - reader.buffer().len()]),
            Err(error) => {
                // The rest of this game must not be taken for one of its own. An error in it adds
                // nothing to the one already found.
                reader.skip_game().ok();
                (None, Some(Fault::Syntax(error.to_string())), 0)
            }
        };
        let lines = |from: usize, to: usize| text[from..to].split(|b| *b == b'\n').count() - 1;
        line += lines(counted, start);
        counted = start;
        let fault_line = line + lines(start, (start + at_byte).min(text.len()));
        games.push(PgnGame { number: games.len() + 1, line, history, fault, fault_line });
        if at.get() - reader.buffer().len() == start {
            break; // nothing was read, and nothing ever would be
        }
    }
    games
}

/// Longest tag line that is read, in bytes.
const LONGEST_TAG: usize = 4096;

/// The text, and how much of it was handed out.
struct Counted<'a> {
    text: &'a [u8],
    at: Rc<Cell<usize>>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let mut rest = &self.text[self.at.get()..];
        let n = rest.read(buf)?;
        self.at.set(self.at.get() + n);
        Ok(n)
    }
}

#[derive(Default)]
struct Raw {
    fen: Option<String>,
    chess960: bool,
    moves: Vec<SanPlus>,
}

struct Collector;

impl Visitor for Collector {
    type Tags = Raw;
    type Movetext = Raw;
    type Output = Raw;

    fn begin_tags(&mut self) -> ControlFlow<Raw, Raw> {
        ControlFlow::Continue(Raw::default())
    }

    fn tag(&mut self, raw: &mut Raw, name: &[u8], value: RawTag<'_>) -> ControlFlow<Raw> {
        let value = value.decode_utf8_lossy();
        if name == b"FEN" {
            raw.fen = Some(value.into_owned());
        } else if name == b"Variant" {
            let variant = value.to_ascii_lowercase();
            raw.chess960 = matches!(
                variant.as_str(),
                "chess960" | "chess 960" | "fischerandom" | "fischerrandom" | "freestyle"
            );
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, raw: Raw) -> ControlFlow<Raw, Raw> {
        ControlFlow::Continue(raw)
    }

    fn san(&mut self, raw: &mut Raw, san: SanPlus) -> ControlFlow<Raw> {
        raw.moves.push(san);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Raw) -> ControlFlow<Raw, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, raw: Raw) -> Raw {
        raw
    }
}

/// The game as far as it can be followed, what stops it, and the byte of the text at which it does.
fn follow(raw: &Raw, text: &[u8]) -> (Option<History>, Option<Fault>, usize) {
    let mode = CastlingMode::from_chess960(raw.chess960);
    let start = match &raw.fen {
        None => Chess::default(),
        Some(fen) => match position(fen, mode) {
            Ok(position) => position,
            Err(fault) => {
                let tag = b"[FEN";
                let at = text.windows(tag.len()).position(|window| window == tag);
                return (None, Some(fault), at.unwrap_or(0));
            }
        },
    };
    let mut history = History::new(start, Past::Nothing);
    // A word that is no move spoils what comes after it, not what comes before.
    let (moves, stray) = scan(text);
    let readable = moves.len();
    for (san, &at) in raw.moves.iter().zip(&moves) {
        let after = history.latest();
        let played = match san.san.to_move(history.position()) {
            Ok(m) => history.play(m).map_err(Fault::TooLong),
            Err(SanError::IllegalSan) => Err(Fault::Illegal { san: san.to_string(), after }),
            Err(SanError::AmbiguousSan) => Err(Fault::Ambiguous { san: san.to_string(), after }),
        };
        if let Err(fault) = played {
            return (Some(history), Some(fault), at);
        }
    }
    let after = history.latest();
    let mut stopped = 0;
    let fault = match stray {
        Some(Stop::Word(word, at)) => {
            stopped = at;
            Some(Fault::Word { word, after })
        }
        Some(Stop::Unclosed(at)) => {
            stopped = at;
            Some(Fault::Syntax(format!("a variation after half-move {after} has no end")))
        }
        None if readable != raw.moves.len() => {
            let read = raw.moves.len();
            Some(Fault::Syntax(format!("of {readable} words that are moves {read} could be read")))
        }
        None => None,
    };
    (Some(history), fault, stopped)
}

/// Reads a position to judge. Castling rights without king and rook at home, an en passant square
/// without the pawn that passed it and impossible positions are refused with the remedy.
pub fn position(fen: &str, mode: CastlingMode) -> Result<Chess, Fault> {
    let unreadable =
        |error| Fault::Fen { fen: fen.to_owned(), reason: super::fen::unreadable(fen, &error) };
    let parsed: Fen = fen.parse().map_err(unreadable)?;
    parsed.into_position(mode).map_err(|error: PositionError<Chess>| Fault::Position {
        fen: fen.to_owned(),
        reason: super::fen::impossible(error.kinds()),
    })
}

/// What spoils the rest of a game's text, and at which byte.
enum Stop {
    /// A word that is no move, number, result or annotation.
    Word(String, usize),
    /// A variation that swallows everything to the end.
    Unclosed(usize),
}

/// Goes through the main line: at which bytes there are moves up to what spoils the rest, and that if
/// there is something.
fn scan(game: &[u8]) -> (Vec<usize>, Option<Stop>) {
    let mut moves = Vec::new();
    let mut depth = 0u32;
    let mut opened = 0;
    let mut rest = skip_tags(game);
    while let Some((first, tail)) = rest.split_first() {
        let at = game.len() - rest.len();
        let line_start = rest.len() == game.len() || game[game.len() - rest.len() - 1] == b'\n';
        let skip = match first {
            b'{' => 1 + tail.iter().position(|b| *b == b'}').map_or(tail.len(), |i| i + 1),
            b';' => end_of_line(rest),
            b'%' if line_start => end_of_line(rest),
            b'(' => {
                if depth == 0 {
                    opened = at;
                }
                depth += 1;
                1
            }
            b')' => {
                depth = depth.saturating_sub(1);
                1
            }
            b if is_break(*b) => 1,
            _ => {
                let end = rest.iter().position(|b| is_break(*b)).unwrap_or(rest.len());
                if depth == 0 {
                    match classify(&rest[..end]) {
                        Word::Move => moves.push(at),
                        Word::Other => {}
                        Word::Stray(word) => return (moves, Some(Stop::Word(word, at))),
                    }
                }
                end
            }
        };
        rest = &rest[skip..];
    }
    (moves, (depth > 0).then_some(Stop::Unclosed(opened)))
}

fn end_of_line(text: &[u8]) -> usize {
    text.iter().position(|b| *b == b'\n').unwrap_or(text.len())
}

fn is_break(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"{}();".contains(&byte)
}

/// The text after the tag lines.
fn skip_tags(game: &[u8]) -> &[u8] {
    let mut rest = game;
    loop {
        let lead = rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
        if rest.get(lead) != Some(&b'[') {
            return rest;
        }
        rest = &rest[lead + end_of_line(&rest[lead..])..];
    }
}

enum Word {
    Move,
    Other,
    Stray(String),
}

fn classify(word: &[u8]) -> Word {
    let stray = || Word::Stray(String::from_utf8_lossy(word).chars().take(40).collect());
    // "12.Nf3", "12...Nf6", "Nf3!?", "$14", "1-0", "e4+": take off the number and the marks.
    let Ok(text) = str::from_utf8(word) else { return stray() };
    let text = text.replace(['–', '—'], "-");
    if matches!(text.as_str(), "*" | "1-0" | "0-1" | "1/2-1/2" | "½-½" | "e.p." | "ep") {
        return Word::Other;
    }
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let core = match numbered.strip_prefix('.') {
        Some(dotted) => dotted.trim_start_matches('.'),
        None if numbered.is_empty() => "",
        None => text.as_str(),
    };
    let core = core.split(['!', '?', '$']).next().unwrap_or("");
    let castling = core.replace('0', "O");
    let readable = |san: &str| san.parse::<SanPlus>().is_ok();
    if readable(core) || (castling.starts_with("O-O") && readable(&castling)) {
        Word::Move
    } else if !core.contains(|c: char| c.is_alphanumeric()) {
        Word::Other // nothing, or a sign of evaluation such as +- or =
    } else {
        stray()
    }
}

#[cfg(test)]
mod tests {
    use proptest::strategy::Strategy;

    use super::*;

    type Outline = (usize, usize, Option<u32>, Option<String>);

    /// Number, line, plies (if the first position stands) and fault of each game.
    fn outline(text: &str) -> Vec<Outline> {
        games(text.as_bytes())
            .into_iter()
            .map(|game| {
                let plies = game.history.map(|history| history.latest().0);
                (game.number, game.line, plies, game.fault.map(|fault| fault.to_string()))
            })
            .collect()
    }

    fn fine(plies: u32) -> Vec<Outline> {
        vec![(1, 1, Some(plies), None)]
    }

    fn fault(plies: u32, text: &str) -> Vec<Outline> {
        vec![(1, 1, Some(plies), Some(text.to_owned()))]
    }

    #[test]
    fn the_main_line_is_read_whatever_stands_around_it() {
        for (text, plies) in [
            ("1. e4 e5 2. Nf3 *", 3),
            ("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6", 6),
            ("e4 e5 Nf3", 3),
            ("1. e4 {a comment (with a bracket} e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 1/2-1/2", 3),
            ("1. e4! e5?? $14 2. Nf3!? $6 0-1", 3),
            ("1. e4 e5 ; the rest of the line is a comment 2. Nf3\n2. Nc3", 3),
            ("1. e4 e5 +- 2. Nf3 =", 3),
            ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 5. d4 exd4 6. e5 d5 7. exd6 e.p.", 13),
            ("1. e4 1... e5 2. Nf3 1-0", 3),
            ("[Event \"x\"]\n\n1. e4 e5 1–0\n", 2),
            ("", 0),
        ] {
            let want = if text.is_empty() { Vec::new() } else { fine(plies) };
            assert_eq!(outline(text), want, "{text}");
        }
    }

    #[test]
    fn a_garbled_move_does_not_vanish() {
        let stray = |word: &str| {
            let rest = "after half-move 2 is not a move, a number, a result or a comment";
            fault(2, &format!("{word:?} {rest}"))
        };
        for (text, want) in [
            ("1. e4 e5 2. Qz9 Nc6 3. Nf3", stray("Qz9")),
            ("1. e4 e5 2. Nf3N Nc6", stray("Nf3N")),
            ("1. e4 e5 (1... c5 2. Nf3", fault(2, "a variation after half-move 2 has no end")),
            ("1. e4 e5 (1... c5 {good", fault(2, "a variation after half-move 2 has no end")),
            ("1. e4 e5 2. Ke3 Nc6", fault(2, "Ke3 is not legal after half-move 2")),
            ("1. e4 e5 2. -- Nc6", fault(2, "-- is not legal after half-move 2")),
            ("1. e4 e5 2. O-O", fault(2, "O-O is not legal after half-move 2")),
            (
                "1. d3 d6 2. Nf3 Nf6 3. Nd2",
                fault(4, "Nd2 after half-move 4 can be made by several pieces"),
            ),
            ("1. e4 e5 2. N\u{e9}3", stray("N\u{e9}3")),
        ] {
            assert_eq!(outline(text), want, "{text}");
        }
    }

    #[test]
    fn a_faulty_game_does_not_hide_the_next() {
        let text = "[Event \"1\"]\n\n1. e4 Ke4 2. d4 *\n\n[Event \"2\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n\n\
                    [Event \"3\"]\n[FEN \"8/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd1 *\n\n\
                    [Event \"4\"]\n\n1. e4 *\n";
        let got = outline(text);
        let lines: Vec<(usize, usize)> = got.iter().map(|g| (g.0, g.1)).collect();
        assert_eq!(lines, [(1, 1), (2, 5), (3, 10), (4, 15)]);
        assert_eq!(got[0].2, Some(1));
        assert_eq!(
            got[1].3.as_deref(),
            Some(
                "the FEN \"nonsense\" cannot be read: the board has eight ranks with / between them, not 1"
            )
        );
        assert!(got[2].3.as_deref().is_some_and(|f| f.ends_with("a king is missing")), "{got:?}");
        assert_eq!((got[3].2, &got[3].3), (Some(1), &None));
    }

    #[test]
    fn set_ups_that_cannot_be_say_what_to_mend() {
        for (fen, word) in [
            ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling rights"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant"),
            ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "pawn stands"),
            ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1", "several kings"),
            ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "right side to move"),
            ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", "more men"),
        ] {
            let text = format!("[FEN \"{fen}\"]\n\n*\n");
            let got = outline(&text);
            let fault = got[0].3.clone().unwrap_or_default();
            assert!(fault.contains(word) && fault.contains(fen), "{fen}: {fault}");
            assert_eq!(got[0].2, None, "{fen}");
        }
        // An en passant square that nobody can use means nothing.
        let text = "[FEN \"4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1\"]\n\n1... Kd8 *\n";
        assert_eq!(outline(text), fine(1));
    }

    #[test]
    fn chess960_castles_from_its_own_squares() {
        let text = "[Variant \"Chess960\"]\n[FEN \"1rk3r1/6p1/8/8/8/8/6P1/1RK3R1 w GBgb - 0 1\"]\n\n\
                    1. O-O O-O-O *\n";
        assert_eq!(outline(text), fine(2));
        let standard = text.replace("[Variant \"Chess960\"]\n", "");
        assert!(outline(&standard)[0].3.is_some());
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_to_their_end(
            parts in proptest::collection::vec(
                proptest::prop_oneof![
                    proptest::collection::vec(proptest::num::u8::ANY, 0..12),
                    proptest::sample::select(vec![
                        "[", "]", "\"", "\n\n", "\n", "%", "{", "}", "(", ")", ";", "[FEN \"", "1.",
                        "e4 ", "Nf3 ", "O-O", "0-0", "\\", "*", "1-0 ", "$", "\u{feff}", "--", "½",
                    ]).prop_map(|text| text.as_bytes().to_vec()),
                ],
                0..30,
            ),
        ) {
            let text = parts.concat();
            let games = games(&text);
            proptest::prop_assert!(games.len() <= text.len() + 1);
            proptest::prop_assert!(games.iter().all(|g| g.history.is_some() || g.fault.is_some()));
            let lines = text.split(|b| *b == b'\n').count();
            proptest::prop_assert!(games.iter().all(|g| (1..=lines).contains(&g.line)));
        }
    }

    #[test]
    fn endless_and_broken_text_ends_with_a_fault() {
        let open = "[Event \"x\"]\n\n1. e4 {no end";
        assert_eq!(outline(open)[0].3.as_deref(), Some("unterminated comment"));
        let tag =
            format!("[Event \"{}\"]\n\n1. e4 *\n\n[Event \"y\"]\n\n1. d4 *\n", "x".repeat(100_000));
        let got = outline(&tag);
        assert_eq!(got.last().map(|g| (g.2, g.3.clone())), Some((Some(1), None)), "{got:?}");
        assert!(got.len() <= 2);
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(6_000);
        let got = outline(&shuffle);
        assert_eq!(got[0].2, Some(History::MAX_PLIES));
        assert_eq!(got[0].3.as_deref(), Some("the game is longer than 20000 plies"));
    }
}
