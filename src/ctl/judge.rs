//! `dgtctl judge`: what the Laws say of one position, or of many.

use std::{
    io::{self, Write},
    path::Path,
};

use clap::Args;
use serde_json::{Value, json};
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};

use super::{
    CtlError, input,
    position::{self, Given, Oddity},
    proof,
};
use crate::{
    daemon::clock::BoardClock,
    dead::{self, Budget, Certificate, Dead, Judgement, Winnable},
    game::{History, Past},
    laws::{self, CanMate, Edition, Over, text::Language},
};

/// `dgtctl judge`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Judge {
    /// The position, as FEN
    #[arg(required_unless_present = "stdin", conflicts_with = "stdin", num_args = 1..)]
    fen: Vec<String>,
    /// Read positions from standard input: one FEN a line, up to the first tab
    #[arg(long)]
    stdin: bool,
    /// Print a table: fen, can White mate, can Black mate, dead, positions visited, microseconds
    #[arg(long, conflicts_with = "json")]
    tsv: bool,
    /// Print JSON, one object for each position
    #[arg(long)]
    json: bool,
    /// How many positions may be visited to find out about one side
    #[arg(long, value_name = "N", default_value_t = Budget::DEFAULT.nodes())]
    nodes: u32,
    /// Show the proof: what every man can still do, and whether an independent check accepts it
    #[arg(long, conflicts_with = "tsv")]
    proof: bool,
    /// Edition of the Laws, such as fide-2023
    #[arg(long, value_name = "EDITION", default_value_t = Edition::default())]
    laws: Edition,
    /// Castling as in Chess960
    #[arg(long)]
    chess960: bool,
}

/// The columns of the table.
const COLUMNS: &str = "fen\twinnable_white\twinnable_black\tdead\tnodes\tmicros";

/// What was found out about one position.
struct Found {
    fen: String,
    given: Given,
    judgement: Judgement,
    over: Option<Over>,
    micros: u64,
}

/// Judges the position, or every line of standard input.
pub fn run(judge: &Judge) -> Result<(), CtlError> {
    let language = input::language();
    let mut out = io::stdout().lock();
    if judge.tsv {
        writeln!(out, "{COLUMNS}")?;
    }
    if !judge.stdin {
        // The six fields of a FEN may come as six words.
        let found = judge.find(&judge.fen.join(" "))?;
        return judge.print(&found, &language, &mut out);
    }
    judge.batch(&language, &mut out)
}

impl Judge {
    fn batch(&self, language: &Language, out: &mut dyn Write) -> Result<(), CtlError> {
        let stdin = Path::new("-");
        let text = input::read(stdin)?;
        let name = input::name(stdin);
        let bar = input::progress(text.len() as u64);
        let (mut bad, mut all) = (0, 0);
        for (line, bytes) in (1_u64..).zip(text.split(|byte| *byte == b'\n')) {
            let line_text = String::from_utf8_lossy(bytes);
            let fen = line_text.split('\t').next().unwrap_or_default().trim();
            bar.inc(bytes.len() as u64 + 1);
            if fen.is_empty() || fen.starts_with('#') || (line == 1 && fen == "fen") {
                continue;
            }
            all += 1;
            match self.find(fen) {
                Ok(found) => self.print(&found, language, out)?,
                Err(error) => {
                    bad += 1;
                    input::complain_at(&name, line, &error);
                }
            }
        }
        bar.finish_and_clear();
        if bad == 0 { Ok(()) } else { Err(CtlError::Some { bad, all, what: "positions" }) }
    }

    fn find(&self, fen: &str) -> Result<Found, CtlError> {
        let given = position::read(fen, self.chess960)?;
        let clock = BoardClock::live();
        let judgement = dead::judge(&given.position, Budget::new(self.nodes));
        let micros = clock.now().as_micros();
        // Of the moves before nothing is known; the FEN's counter is a lower bound.
        let history = History::new(given.position.clone(), Past::Unknown);
        let verdict = laws::verdict(&history, self.laws, judgement.dead().into());
        let over = verdict.over().cloned();
        Ok(Found { fen: fen.to_owned(), given, judgement, over, micros })
    }

    fn print(
        &self,
        found: &Found,
        language: &Language,
        out: &mut dyn Write,
    ) -> Result<(), CtlError> {
        let Found { fen, judgement, micros, .. } = found;
        if self.tsv {
            let [white, black] = [Color::White, Color::Black].map(|side| word(judgement, side));
            let dead = dead_word(judgement.dead());
            let nodes = judgement.nodes();
            writeln!(out, "{fen}\t{white}\t{black}\t{dead}\t{nodes}\t{micros}")?;
        } else if self.json {
            writeln!(out, "{}", self.as_json(found))?;
        } else {
            self.in_words(found, language, out)?;
        }
        Ok(())
    }

    fn in_words(&self, found: &Found, language: &Language, out: &mut dyn Write) -> io::Result<()> {
        let position = &found.given.position;
        if self.stdin {
            writeln!(out, "{}", found.fen)?;
        }
        for oddity in &found.given.oddities {
            writeln!(out, "{}", odd(language, *oddity))?;
        }
        let state = if let Some(over) = &found.over {
            language.over(over)
        } else {
            let dead = dead_word(found.judgement.dead()).to_owned();
            let turn = position.turn().fold_wb("white", "black").to_owned();
            language.say("judge-open", vec![("dead", dead), ("turn", turn)])
        };
        writeln!(out, "{state}")?;
        for side in Color::ALL {
            let winnable = found.judgement.side(side);
            let words = side_in_words(position, side, winnable, self.nodes, language);
            writeln!(out, "{words}")?;
            if self.proof {
                proof::print(position, side, winnable, language, out)?;
            }
        }
        if self.stdin {
            writeln!(out)?;
        }
        Ok(())
    }

    fn as_json(&self, found: &Found) -> Value {
        let Found { given, judgement, over, .. } = found;
        let side = |side: Color| {
            let winnable = judgement.side(side);
            let mut object = json!({
                "can_mate": CanMate::from(winnable).name(),
                "line": winnable.line().map(|line| sans(&given.position, line)),
                "reason": winnable.certificate().map(Certificate::reason),
                "nodes": winnable.nodes(),
            });
            if self.proof {
                let sound = dead::check::verdict(&given.position, side, winnable).is_ok();
                object["checked"] = sound.into();
            }
            object
        };
        let over = over.as_ref().map(|over| {
            let first = over.reason();
            let also: Vec<_> = over.reasons[1..].iter().map(|r| r.ending.name()).collect();
            json!({
                "result": over.outcome.to_string(),
                "reason": first.ending.name(),
                "article": first.article,
                "also": also,
            })
        });
        json!({
            "fen": Fen::from_position(&given.position, EnPassantMode::Legal).to_string(),
            "laws": self.laws.name(),
            "over": over,
            "dead": dead_word(judgement.dead()),
            "white": side(Color::White),
            "black": side(Color::Black),
            "nodes": judgement.nodes(),
            "micros": found.micros,
            "oddities": given.oddities.iter().map(|o| o.name()).collect::<Vec<_>>(),
        })
    }
}

fn word(judgement: &Judgement, side: Color) -> &'static str {
    CanMate::from(judgement.side(side)).name()
}

const fn dead_word(dead: Dead) -> &'static str {
    match dead {
        Dead::Yes => "yes",
        Dead::No => "no",
        Dead::Unknown => "unknown",
    }
}

/// Whether a side can mate, with the line or the reason. `nodes` is the budget there was.
pub fn side_in_words(
    position: &Chess,
    side: Color,
    winnable: &Winnable,
    nodes: u32,
    language: &Language,
) -> String {
    let mut args = vec![("side", side.fold_wb("white", "black").to_owned())];
    match winnable {
        Winnable::Yes { line, .. } if line.is_empty() => language.say("judge-has-mated", args),
        Winnable::Yes { line, .. } => {
            args.push(("line", numbered(position, line)));
            language.say("judge-can-mate", args)
        }
        Winnable::No { certificate, .. } => {
            args.push(("reason", language.proof(certificate)));
            language.say("judge-cannot-mate", args)
        }
        Winnable::Unknown { .. } => {
            args.push(("nodes", nodes.to_string()));
            language.say("judge-unknown", args)
        }
    }
}

/// What is odd about a position, in words.
pub fn odd(language: &Language, oddity: Oddity) -> String {
    language.say("judge-odd", vec![("oddity", oddity.name().to_owned())])
}

/// A legal line in algebraic notation, as far as it is legal.
fn sans(position: &Chess, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let legal = line.iter().map_while(|m| {
        position.is_legal(*m).then(|| SanPlus::from_move_and_play_unchecked(&mut position, *m))
    });
    legal.map(|san| san.to_string()).collect()
}

/// A legal line with move numbers: `12. Nf3 Nc6 13. Bb5`.
fn numbered(position: &Chess, line: &[Move]) -> String {
    let mut number = position.fullmoves().get();
    let mut turn = position.turn();
    let mut words = Vec::new();
    for san in sans(position, line) {
        match turn {
            Color::White => words.push(format!("{number}.")),
            Color::Black if words.is_empty() => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(san);
        if turn == Color::Black {
            number = number.saturating_add(1);
        }
        turn = turn.other();
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(fen: &str) -> (Judge, Found) {
        let judge = Judge {
            fen: Vec::new(),
            stdin: false,
            tsv: false,
            json: false,
            nodes: Budget::DEFAULT.nodes(),
            proof: true,
            laws: Edition::default(),
            chess960: false,
        };
        let found = judge.find(fen).unwrap();
        (judge, found)
    }

    fn said(fen: &str, language: &str) -> String {
        let (judge, found) = found(fen);
        let mut out = Vec::new();
        judge.in_words(&found, &Language::choose(language), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn positions_in_words() {
        for (fen, english, spanish) in [
            (
                "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
                "White cannot mate: White has only the king left",
                "Las blancas no pueden dar mate: ",
            ),
            (
                "7k/5K2/6Q1/8/8/8/8/8 w - - 0 30",
                "White can mate: 30. ",
                "Las blancas pueden dar mate: 30. ",
            ),
            (
                "R6k/8/7K/8/8/8/8/8 b - - 0 1",
                "Game over: White wins. Checkmate (Article 5.1.1).",
                "Fin de la partida: ganan las blancas. Jaque mate (artículo 5.1.1).",
            ),
            (
                "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
                "Game over: draw. Stalemate (Article 5.2.1).",
                "Rey ahogado (artículo 5.2.1).",
            ),
            ("8/8/8/8/8/5k2/5p2/5K2 b - - 0 7", "Black can mate: 7... ", "7... "),
        ] {
            for (language, text) in [("en", english), ("es", spanish)] {
                let said = said(fen, language);
                assert!(said.contains(text), "{fen}: {said}");
                assert!(!said.contains("nknown local") && !said.contains('{'), "{said}");
            }
        }
    }

    #[test]
    fn json_has_the_line_and_the_reason() {
        let (judge, found) = found("7k/5K2/6Q1/8/8/8/8/8 w - - 0 30");
        let json = judge.as_json(&found);
        assert_eq!(json["white"]["can_mate"], "yes");
        let line = json["white"]["line"].as_array().unwrap();
        assert!(line.last().unwrap().as_str().unwrap().ends_with('#'), "{json}");
        assert_eq!(json["black"]["can_mate"], "no");
        assert_eq!(json["black"]["reason"], "Black has only the king left");
        assert_eq!(json["white"]["checked"], true);
        assert_eq!(json["dead"], "no");
        assert_eq!(json["over"], Value::Null);
    }
}
