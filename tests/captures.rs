//! The project's own captures: each in `tests/captures` with the events that must come of it, and the
//! story it was written from in `tests/stories`.
//!
//! After adding or changing a story: `BLESS=1 cargo test --test captures`, then read the diff. What
//! a story's `expect` lines deny is never blessed. `STORY=part_of_a_name` with `--nocapture` tells what
//! comes of some of them, the known gaps too.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::struct_excessive_bools,
    clippy::struct_field_names,
    reason = "a test, and the words of its stories"
)]

mod stories;

use std::{
    collections::BTreeSet,
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use dgtd::{
    arbiter::{
        Event, Options, Request,
        event::{ClaimReason, Side},
        request::{ClaimMade, FlagBefore},
    },
    capture::{Format, Reader, Record, Recording, What},
    replay::{self, Replay},
    units::Ply,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value};

use stories::{Story, expect};

/// Stories that the program does not get right yet, and what is wrong. They have a capture and no
/// expected events. The test fails as soon as one of them comes out right: then its row goes.
const NOT_YET: &[(&str, &str)] = &[];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn blessing() -> bool {
    env::var_os("BLESS").is_some_and(|value| value == "1")
}

fn known_gap(name: &str) -> bool {
    NOT_YET.iter().any(|(gap, _)| *gap == name)
}

/// What a recording's own way through the library gives; where the arbiter asks for something, record
/// by record.
fn replayed(path: &Path, story: &Story) -> Vec<Event> {
    if story.hands.iter().any(|word| word.starts_with("arbiter:")) {
        let text = fs::read(path).unwrap();
        let mut reader = Reader::new(&text[..], "x");
        let records: Vec<Record> = reader.by_ref().collect::<Result<_, _>>().unwrap();
        return replayed_records(story, &records);
    }
    let mut recording = Recording::open(path, Format::Text).unwrap();
    replay::run(&mut recording, "b1".parse().unwrap(), options(story)).unwrap()
}

fn options(story: &Story) -> Options {
    Options { conditions: story.conditions(), ..Options::default() }
}

/// The same for records in other portions.
fn replayed_records(story: &Story, records: &[Record]) -> Vec<Event> {
    let mut replay = Replay::new("b1".parse().unwrap(), options(story));
    if let Some(fen) = &story.start {
        replay.start_with(replay::first_game(fen)).unwrap();
    }
    let mut events = Vec::new();
    for record in records {
        replay.record(record, &mut events);
        if let What::Remark(text) = &record.what
            && let Some(words) = text.strip_prefix("arbiter ")
        {
            let ply = replay.arbiter().status().game.map_or(Ply(0), |game| game.ply);
            let words: Vec<&str> = words.split(' ').collect();
            let asked = replay.request(request(&words, ply), &mut events);
            asked.unwrap_or_else(|e| panic!("{}: {text}: {e}", story.name));
        }
    }
    replay.finish(&mut events);
    events
}

/// What the arbiter asks for: `accept [N]`, `dismiss [N]`, `flag SIDE [enter]`,
/// `claim KIND [MOVE] [enter]`.
fn request(words: &[&str], expected_ply: Ply) -> Request {
    let enter = words.last() == Some(&"enter");
    let words = &words[..words.len() - usize::from(enter)];
    let number = || words.get(1).map(|number| number.parse().unwrap());
    match words[0] {
        "accept" | "dismiss" => Request::DecideIllegalMove {
            number: number(),
            accept: words[0] == "accept",
            language: None,
        },
        "flag" => Request::Flag {
            side: if words[1] == "white" { Side::White } else { Side::Black },
            before: FlagBefore::Nothing,
            enter,
            language: None,
            expected_ply,
        },
        "claim" => Request::Claim {
            made: ClaimMade {
                kind: match words[1] {
                    "fifty" => ClaimReason::FiftyMoves,
                    _ => ClaimReason::ThreefoldRepetition,
                },
                claimant: None,
                announced: words.get(2).map(ToString::to_string),
                touched: false,
                moved: false,
                clocks: None,
            },
            enter,
            language: None,
            expected_ply,
        },
        other => panic!("{other:?} is nothing an arbiter asks for"),
    }
}

/// Cuts the board's bytes into portions, each at the time of the record it comes from.
fn cut(records: &[Record], mut portion: impl FnMut() -> usize) -> Vec<Record> {
    let mut cut = Vec::new();
    for record in records {
        if let What::FromBoard(bytes) = &record.what {
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let (now, later) = rest.split_at(portion().min(rest.len()));
                cut.push(Record { at: record.at, what: What::FromBoard(now.to_vec()) });
                rest = later;
            }
        } else {
            cut.push(record.clone());
        }
    }
    cut
}

fn json(events: &[Event]) -> Vec<Map<String, Value>> {
    events.iter().map(Event::to_json).collect()
}

/// The events as they stand in a file: without what may still change, unless that is the story.
fn lines(events: &[Event], provisional: bool) -> String {
    let mut text = String::new();
    for event in json(events).iter().filter(|e| provisional || e["event"] != "provisional") {
        writeln!(text, "{}", serde_json::to_string(event).unwrap()).unwrap();
    }
    text
}

/// Compares a file with what it should hold, or writes it.
fn hold(path: &Path, text: &str, what: &str, failed: &mut Vec<String>) {
    let stands = fs::read_to_string(path).unwrap_or_default();
    if stands == text {
    } else if blessing() {
        fs::write(path, text).unwrap();
    } else {
        let differs = stands.lines().zip(text.lines()).position(|(a, b)| a != b);
        let at = differs.unwrap_or_else(|| stands.lines().count().min(text.lines().count()));
        failed.push(format!(
            "{}: {what} differ from line {}:\n  stands {:?}\n  came   {:?}",
            path.display(),
            at + 1,
            stands.lines().nth(at).unwrap_or("nothing"),
            text.lines().nth(at).unwrap_or("nothing"),
        ));
    }
}

#[test]
fn stories_come_out_as_they_must() {
    let only = env::var("STORY").ok();
    let mut failed = Vec::new();
    let told = stories::all(&folder("stories"));
    for story in
        told.iter().filter(|story| only.as_ref().is_none_or(|only| story.name.contains(only)))
    {
        one(story, only.is_some(), &mut failed);
    }
    for (name, _) in NOT_YET {
        assert!(told.iter().any(|story| story.name == *name), "{name} is no story");
    }
    assert!(failed.is_empty(), "{} faults:\n{}", failed.len(), failed.join("\n"));
}

fn one(story: &Story, verbose: bool, failed: &mut Vec<String>) {
    let path = folder("captures").join(format!("{}.dgtlog", story.name));
    hold(&path, &story.capture(), "the records", failed);
    if !path.exists() {
        return;
    }
    let events = replayed(&path, story);
    assert!(events.is_sorted_by_key(|event| event.t), "{}: time runs backwards", story.name);
    let faults = expect::check(story, &json(&events));
    if verbose {
        println!("{}\n{}{}", story.name, lines(&events, true), faults.join("\n"));
    }
    match (known_gap(&story.name), faults.is_empty()) {
        (false, true) => {
            let provisional = story.option("with-provisional");
            let expected = path.with_extension("events");
            hold(&expected, &lines(&events, provisional), "the events", failed);
        }
        (false, false) => failed.push(format!("{}:\n  {}", story.name, faults.join("\n  "))),
        (true, false) => {}
        (true, true) => {
            failed.push(format!(
                "{} comes out right now: take it from NOT_YET and bless it",
                story.name
            ));
        }
    }
}

#[test]
fn portions_do_not_matter() {
    for story in stories::all(&folder("stories")) {
        let path = folder("captures").join(format!("{}.dgtlog", story.name));
        let whole = replayed(&path, &story);
        let text = fs::read(&path).unwrap();
        let mut reader = Reader::new(&text[..], "x");
        let records: Vec<Record> = reader.by_ref().collect::<Result<_, _>>().unwrap();
        let start = reader.start().map(str::to_owned);
        assert_eq!(start, story.start, "{}", story.name);
        let again = |records: &[Record]| replayed_records(&story, records);
        assert_eq!(again(&cut(&records, || 1)), whole, "{} byte by byte", story.name);
        for seed in 0..3 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let events = again(&cut(&records, || random.random_range(1..40)));
            assert_eq!(events, whole, "{} in random portions, seed {seed}", story.name);
        }
    }
}

#[test]
fn nothing_lies_about_without_a_story() {
    let mut named = BTreeSet::new();
    for story in stories::all(&folder("stories")) {
        named.insert(format!("{}.dgtlog", story.name));
        if !known_gap(&story.name) {
            named.insert(format!("{}.events", story.name));
        }
    }
    for entry in fs::read_dir(folder("captures")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if !named.contains(name) {
            assert!(blessing(), "{name} belongs to no story, or to one that is not right yet");
            fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn a_first_position_that_is_none_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.dgtlog");
    fs::write(&path, "# start: 8/8/8/8/8/8/8/8 w - - 0 1\n0 ! connected\n").unwrap();
    let mut recording = Recording::open(&path, Format::Text).unwrap();
    let error = replay::run(&mut recording, "b1".parse().unwrap(), Options::default()).unwrap_err();
    assert!(error.to_string().contains("# start:"), "{error}");
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(source.contains("not a position a game can have"), "{source}");
}
