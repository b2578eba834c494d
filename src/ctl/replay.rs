//! `dgtctl replay`: captures through the path that runs live.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufRead, BufWriter, IsTerminal as _, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;

use super::{CtlError, input, narrate::Narrator};
use crate::{
    arbiter::{Event, EventKind, Options},
    capture::{CaptureError, RawReader, Reader, Record},
    daemon::clock::BoardClock,
    laws::{Conditions, Control, Edition},
    replay::{Replay as Core, first_game},
    signals::scorebook::Scorebook,
    tracker::{Explanation, Timing},
    units::{BoardId, Ply, Stamp},
};

/// `dgtctl replay`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Replay {
    /// Captures (.dgtlog); - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON, one object for each event
    #[arg(long)]
    json: bool,
    /// Write the games to this file as PGN; - prints them in place of the events
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Edition of the Laws, such as fide-2023
    #[arg(long, value_name = "EDITION", default_value_t = Edition::default())]
    laws: Edition,
    /// standard, rapid or blitz
    #[arg(long, value_name = "CONTROL", default_value_t = Control::default())]
    time_control: Control,
    /// Take as long as it took then, or SPEED times as fast
    #[arg(long, value_name = "SPEED", num_args = 0..=1, require_equals = true,
          default_missing_value = "1")]
    realtime: Option<Speed>,
    /// Print also what the board shows before it counts as a move
    #[arg(long)]
    provisional: bool,
    /// Skip and count lines that are not records
    #[arg(long, conflicts_with = "raw")]
    lenient: bool,
    /// The files are plain binary dumps of a port
    #[arg(long)]
    raw: bool,
    /// The first position, where it is neither the initial array nor named in the capture
    #[arg(long)]
    fen: Option<String>,
    /// Castling as in Chess960
    #[arg(long)]
    chess960: bool,
    /// Say why the move of this ply (1 = the first half-move) was believed, in every game
    #[arg(long, value_name = "PLY", conflicts_with = "json")]
    explain: Option<u32>,
}

/// How many thousandths as fast as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Speed(u32);

impl std::str::FromStr for Speed {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Speed, &'static str> {
        let milli = text.parse::<f64>().unwrap_or(0.0) * 1_000.0;
        if (1.0..=1_000_000.0).contains(&milli) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "within the range just tested"
            )]
            Ok(Speed(milli.round() as u32))
        } else {
            Err("write a number from 0.001 to 1000, such as 10")
        }
    }
}

/// Replays every file.
pub fn run(replay: &Replay) -> Result<(), CtlError> {
    let mut printer = Printer::new(replay)?;
    let (mut bad, all) = (0, replay.files.len());
    for path in &replay.files {
        if all > 1 {
            printer.title(path)?;
        }
        match replay.file(path, &mut printer) {
            Ok(()) => {}
            Err(error) if all == 1 || error.is_about_output() => return Err(error),
            Err(error) => {
                bad += 1;
                input::complain(&error);
            }
        }
    }
    printer.finish()?;
    if bad == 0 { Ok(()) } else { Err(CtlError::Some { bad, all, what: "files" }) }
}

type Source = Box<dyn BufRead>;

/// A capture of either kind.
enum Records {
    Text(Reader<Source>),
    Raw(RawReader<Source>),
}

impl Records {
    fn next(&mut self) -> Option<Result<Record, CaptureError>> {
        match self {
            Records::Text(reader) => reader.next(),
            Records::Raw(reader) => reader.next(),
        }
    }
}

impl Replay {
    fn file(&self, path: &Path, printer: &mut Printer) -> Result<(), CtlError> {
        let (source, bar) = input::open(path)?;
        let name = input::name(path);
        let mut records = if self.raw {
            Records::Raw(RawReader::new(source, name.clone()))
        } else {
            Records::Text(Reader::new(source, name.clone()).lenient(self.lenient))
        };
        // The head of a capture says which board it is and what stood on it: it has been read with
        // the first record.
        let mut next = records.next().transpose()?;
        let (board, start) = match &records {
            Records::Text(reader) => (reader.board(), reader.start()),
            Records::Raw(_) => (None, None),
        };
        let mut core = self.core(board_id(board, path));
        if next.is_none() {
            input::note(&format!("{name} holds no record: there is nothing to replay"));
        }
        let mut events = Vec::new();
        if let Some(fen) = &self.fen {
            let mut game = first_game(fen);
            game.chess960 |= self.chess960;
            core.start_with(game)?;
        } else if let Some(fen) = start {
            core.start_with(first_game(fen))
                .map_err(|source| CaptureError::Start { file: name.clone(), source })?;
        }
        let pace = self.realtime.map(|speed| Pace::new(speed, next.as_ref().map(|r| r.at)));
        while let Some(record) = next {
            if let Some(pace) = &pace {
                pace.lead_to(record.at, &mut core, printer)?;
            }
            core.record(&record, &mut events);
            let why = self.explanation(&core, &events);
            printer.print(&mut events)?;
            printer.explain(why.as_ref())?;
            next = records.next().transpose()?;
        }
        core.finish(&mut events);
        let why = self.explanation(&core, &events);
        printer.print(&mut events)?;
        printer.explain(why.as_ref())?;
        bar.finish_and_clear();
        if let Records::Text(reader) = &records
            && reader.skipped() > 0
        {
            input::note(&format!(
                "{name}: lines that are not records, skipped: {}",
                reader.skipped()
            ));
        }
        Ok(())
    }

    fn core(&self, board: BoardId) -> Core {
        let conditions = Conditions::new(self.laws, self.time_control);
        let timing = Timing { evidence: self.explain.is_some(), ..Timing::default() };
        let language = input::language();
        Core::new(board, Options { conditions, timing, language, ..Options::default() })
    }

    /// Why the ply asked about was believed, if it is among these events.
    fn explanation(&self, core: &Core, events: &[Event]) -> Option<Explanation> {
        let wanted = Ply(self.explain?);
        let told = events
            .iter()
            .any(|event| matches!(event.kind, EventKind::Move { ply, .. } if ply == wanted));
        told.then(|| core.arbiter().explanation(wanted)).flatten()
    }
}

/// The name of a board: what the capture says, else that of the file.
fn board_id(given: Option<&str>, path: &Path) -> BoardId {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = given.map(str::to_owned).or(stem).unwrap_or_default();
    let fine = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = name.chars().map(fine).take(32).collect();
    let dashes = name.chars().all(|c| c == '-' || c == '_');
    let name = if dashes { "board".to_owned() } else { name };
    name.parse()
        .unwrap_or_else(|_| unreachable!("{name:?} is made of letters that may stand there"))
}

/// Time passing as it did then, or faster.
struct Pace {
    clock: BoardClock,
    milli: u32,
    /// Where the capture begins.
    start: Stamp,
}

impl Pace {
    fn new(Speed(milli): Speed, start: Option<Stamp>) -> Pace {
        let clock = BoardClock::scaled(u64::from(milli));
        Pace { clock, milli, start: start.unwrap_or_default() }
    }

    /// Waits for the next record, and for all that may happen before it.
    fn lead_to(
        &self,
        record: Stamp,
        core: &mut Core,
        printer: &mut Printer,
    ) -> Result<(), CtlError> {
        let mut events = Vec::new();
        let mut last = None;
        while let Some(due) = core.deadline().filter(|due| *due < record) {
            if last.is_some_and(|last| due <= last) {
                break;
            }
            last = Some(due);
            self.wait(due);
            core.idle_until(due, &mut events);
            printer.print(&mut events)?;
        }
        self.wait(record);
        Ok(())
    }

    fn wait(&self, until: Stamp) {
        let since_start = Stamp::ZERO + until.since(self.start);
        let left = since_start.since(self.clock.now());
        let nanos = left.as_nanos() * 1_000 / u128::from(self.milli);
        std::thread::sleep(Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)));
    }
}

/// Where the events go.
struct Printer {
    narrator: Narrator,
    lines: Lines,
    provisional: bool,
    pgn: Option<Pgn>,
}

/// How events are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    Words,
    Json,
    Nothing,
}

struct Pgn {
    path: PathBuf,
    target: Box<dyn Write>,
    books: BTreeMap<BoardId, Scorebook>,
}

impl Printer {
    fn new(replay: &Replay) -> Result<Printer, CtlError> {
        let colours = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let alone = replay.pgn.as_deref() == Some(Path::new("-"));
        let pgn = match &replay.pgn {
            None => None,
            Some(path) => {
                let target: Box<dyn Write> = if alone {
                    Box::new(io::stdout())
                } else {
                    let made = File::create(path);
                    let file =
                        made.map_err(|source| CtlError::Write { path: path.clone(), source })?;
                    Box::new(BufWriter::new(file))
                };
                Some(Pgn { path: path.clone(), target, books: BTreeMap::new() })
            }
        };
        Ok(Printer {
            narrator: Narrator::new(input::language(), colours),
            lines: match (alone, replay.json) {
                (true, _) => Lines::Nothing,
                (false, true) => Lines::Json,
                (false, false) => Lines::Words,
            },
            provisional: replay.provisional,
            pgn,
        })
    }

    fn title(&mut self, path: &Path) -> io::Result<()> {
        if self.lines == Lines::Words {
            writeln!(io::stdout().lock(), "{}", input::name(path))?;
        }
        Ok(())
    }

    fn print(&mut self, events: &mut Vec<Event>) -> Result<(), CtlError> {
        if events.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        for event in events.drain(..) {
            if matches!(event.kind, EventKind::Provisional { .. }) && !self.provisional {
                continue;
            }
            match self.lines {
                Lines::Words => writeln!(out, "{}", self.narrator.line(&event))?,
                Lines::Json => {
                    writeln!(out, "{}", serde_json::Value::Object(event.to_json()))?;
                }
                Lines::Nothing => {}
            }
            if let Some(pgn) = &mut self.pgn {
                pgn.note(&event)?;
            }
        }
        Ok(())
    }

    fn explain(&self, why: Option<&Explanation>) -> io::Result<()> {
        match why {
            Some(why) if self.lines == Lines::Words => writeln!(io::stdout().lock(), "{why}"),
            _ => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), CtlError> {
        match &mut self.pgn {
            Some(pgn) => pgn.target.flush().map_err(|source| pgn.failed(source)),
            None => Ok(()),
        }
    }
}

impl Pgn {
    /// Takes an event, and writes the game if it is the last of one. Games in which nothing was
    /// played and nothing decided are left out.
    fn note(&mut self, event: &Event) -> Result<(), CtlError> {
        let book = self.books.entry(event.board.clone()).or_default();
        book.apply(&event.kind);
        let EventKind::GameEnded { result, .. } = &event.kind else { return Ok(()) };
        if book.is_empty() && result == "*" {
            return Ok(());
        }
        let tags = BTreeMap::from([("Board".to_owned(), event.board.to_string())]);
        let text = book.game(tags).to_text();
        self.target.write_all(text.as_bytes()).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> CtlError {
        if self.path == Path::new("-") {
            CtlError::Output(source)
        } else {
            CtlError::Write { path: self.path.clone(), source }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_names_that_can_stand_anywhere() {
        for (given, path, name) in [
            (Some("12"), "x.dgtlog", "12"),
            (Some("hall A, table 3"), "x.dgtlog", "hall_A__table_3"),
            (None, "logs/board-7.dgtlog", "board-7"),
            (None, "-", "board"),
            (Some(""), "x", "board"),
            (None, "/", "board"),
            (Some(&"é".repeat(50)), "x", "board"),
        ] {
            assert_eq!(board_id(given, Path::new(path)).as_str(), name, "{given:?} {path}");
        }
    }

    #[test]
    fn speeds_are_numbers_within_reason() {
        for (text, milli) in [("1", 1_000), ("10", 10_000), ("0.5", 500), ("1000", 1_000_000)] {
            assert_eq!(text.parse(), Ok(Speed(milli)));
        }
        for bad in ["0", "-1", "fast", "1e9", "NaN", "", "inf"] {
            assert!(bad.parse::<Speed>().is_err(), "{bad}");
        }
    }
}
