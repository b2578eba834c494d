//! What is fuzzed: every place where bytes come from outside. Each function takes any bytes and
//! panics when the program does something it must never do.
//!
//! `cargo +nightly fuzz run walk fuzz/corpus/walk fuzz/seeds/walk` hunts for as long as it is left
//! alone; `cargo test --test fuzz` runs the committed seeds, and mutations of them, without any tool.
//! An input that fails becomes a seed with a name that says what it found.
#![allow(clippy::missing_panics_doc, reason = "to panic is what they are for")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "as in a test")]

#[path = "../../tests/emulator/mod.rs"]
mod emulator;
mod journal;
mod walk;

use std::{io::Cursor, path::PathBuf, time::Duration};

use dgtd::{
    arbiter::{Arbiter, Input, Options, Output},
    capture::{RawReader, Reader, Record, Writer},
    config, dead, laws,
    units::Stamp,
    wire::{Framer, event_log, event_log::LogEntry},
};
use shakmaty::{CastlingMode, Color};

pub use journal::journal;
pub use walk::walk;

/// The items of a stream do not depend on the portions it comes in.
pub fn framer(data: &[u8]) {
    let Some((&size, bytes)) = data.split_first() else { return };
    let read = |portion: usize| {
        let (mut framer, mut items) = (Framer::default(), Vec::new());
        for portion in bytes.chunks(portion) {
            framer.push(portion, Stamp::ZERO, |item| items.push(item));
        }
        (items, framer.count())
    };
    assert_eq!(read(usize::from(size).max(1)), read(bytes.len().max(1)));
}

/// The board's own log may hold anything.
pub fn event_log(data: &[u8]) {
    let log = event_log::decode(data);
    let gaps = |entry: &&LogEntry| matches!(entry, LogEntry::Gap { .. });
    let read = log.entries.len() - log.entries.iter().filter(gaps).count();
    assert!(read + log.skipped <= data.len());
}

/// A capture is read or refused with its line; what was read can be written and read again.
pub fn capture(data: &[u8]) {
    for record in Reader::new(data, "a.dgtlog").take(10_000) {
        if let Err(error) = record {
            assert!(error.to_string().starts_with("a.dgtlog"), "{error}");
            break;
        }
    }
    let good: Vec<_> =
        Reader::new(data, "a.dgtlog").lenient(true).filter_map(Result::ok).take(10_000).collect();
    // Remarks are written with single spaces and long lines are cut: once written, nothing changes.
    let written = write(&good);
    let again: Vec<_> =
        Reader::new(Cursor::new(&written), "b.dgtlog").collect::<Result<_, _>>().unwrap();
    assert_eq!(write(&again), written);
    assert!(RawReader::new(data, "c").all(|record| record.is_ok()));
}

fn write(records: &[Record]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new()).unwrap();
    for record in records {
        writer.record(record.at, &record.what).unwrap();
    }
    writer.into_inner()
}

/// Any bytes may come from a port, at any pace. The first byte of each 16 is a pause.
pub fn line(data: &[u8]) {
    let mut arbiter = Arbiter::new("b1".parse().unwrap(), Options::default());
    let mut now = Stamp::ZERO;
    let mut out = Vec::new();
    arbiter.advance(Input::Attached { port: "x" }, now, &mut out);
    for portion in data.chunks(16).take(4096) {
        let (pause, bytes) = portion.split_first().unwrap();
        let until = now + Duration::from_millis(u64::from(*pause) * 20);
        wait(&mut arbiter, &mut now, until, &mut out);
        arbiter.advance(Input::Bytes(bytes), now, &mut out);
    }
    arbiter.finish(now, &mut out);
    for output in out {
        if let Output::Event(event) = output {
            assert!(!event.to_json().is_empty());
        }
    }
}

/// Lets the deadlines up to `until` pass; they must move on.
pub(crate) fn wait(arbiter: &mut Arbiter, now: &mut Stamp, until: Stamp, out: &mut Vec<Output>) {
    let mut idle = 0;
    while let Some(due) = arbiter.deadline().filter(|&due| due <= until) {
        idle = if due > *now { 0 } else { idle + 1 };
        assert!(idle < 50, "the deadline {due:?} does not move on at {now:?}");
        *now = (*now).max(due);
        arbiter.advance(Input::Timeout, *now, out);
    }
    *now = (*now).max(until);
}

/// A configuration is taken or refused with the name of its file.
pub fn config(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match config::load_texts(&[(PathBuf::from("a.toml"), text.to_owned())]) {
        Ok(config) => {
            let again = [(PathBuf::from("b.toml"), config.to_toml())];
            let again = config::load_texts(&again).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(again.to_toml(), config.to_toml());
        }
        Err(error) => assert!(error.to_string().contains("a.toml"), "{error}"),
    }
}

/// Every game of a PGN is followed as far as it goes, or said to be at fault.
pub fn pgn(data: &[u8]) {
    for game in laws::pgn::games(data) {
        assert!(game.history.is_some() || game.fault.is_some());
        assert!(game.line >= 1);
    }
}

/// A FEN is refused, or judged with a verdict that its checker accepts.
pub fn position(data: &[u8]) {
    let Ok(fen) = std::str::from_utf8(data) else { return };
    let Ok(position) = laws::pgn::position(fen, CastlingMode::Standard) else { return };
    for side in Color::ALL {
        let verdict = dead::can_mate(&position, side, dead::Budget::LIVE);
        assert_eq!(dead::check::verdict(&position, side, &verdict), Ok(()), "{side} in {fen}");
    }
}
