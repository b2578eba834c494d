//! Real boards, real bytes, real order. The traces belong to another project and stay outside this
//! one; where they are not at hand the test says so.
#![allow(clippy::unwrap_used, clippy::panic, reason = "in a test a wrong step is a failure")]

use std::{fs, path::Path};

use dgtd::{
    arbiter::{Event, EventKind, Options},
    capture::{Reader, Record, What},
    replay::Replay,
    units::Ply,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn records(path: &Path) -> Vec<Record> {
    let text = fs::read(path).unwrap();
    Reader::new(&text[..], path.display().to_string()).collect::<Result<_, _>>().unwrap()
}

fn replay(records: &[Record]) -> Vec<Event> {
    let mut replay = Replay::new("b1".parse().unwrap(), Options::default());
    let mut events = Vec::new();
    for record in records {
        replay.record(record, &mut events);
    }
    replay.finish(&mut events);
    events
}

/// The moves that stand, the last position and the result.
fn outcome(events: &[Event]) -> (Vec<String>, String, String) {
    let (mut moves, mut fens, mut result) = (Vec::new(), Vec::new(), String::new());
    for event in events {
        match &event.kind {
            EventKind::Move { uci, fen, .. } => {
                moves.push(uci.clone());
                fens.push(fen.clone());
            }
            EventKind::Takeback { to_ply: Ply(to), .. } => {
                moves.truncate(*to as usize);
                fens.truncate(*to as usize);
            }
            EventKind::GameEnded { result: ended, .. } => result.clone_from(ended),
            _ => {}
        }
    }
    (moves, fens.pop().unwrap_or_default(), result)
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

#[test]
fn real_traces_replay_to_the_games_that_were_played() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/captures"));
    let Ok(table) = fs::read_to_string(folder.join("expected.tsv")) else {
        println!("skipped: no real traces at {}", folder.display());
        return;
    };
    let mut seen = 0;
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [file, _side, plies, fen, result, _note, moves] = columns[..] else {
            panic!("{row}: seven columns expected")
        };
        let records = records(&folder.join(file));
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        assert_eq!(moves.len().to_string(), plies, "{file}");
        let expected = (moves, fen.to_owned(), result.to_owned());

        let whole = replay(&records);
        assert_eq!(outcome(&whole), expected, "{file}");
        let takebacks =
            whole.iter().filter(|e| matches!(e.kind, EventKind::Takeback { .. })).count();
        assert_eq!(takebacks, 0, "{file}: nothing was taken back in it");

        assert_eq!(replay(&cut(&records, || 1)), whole, "{file} byte by byte");
        for seed in 0..20 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let events = replay(&cut(&records, || random.random_range(1..40)));
            assert_eq!(events, whole, "{file} in random portions, seed {seed}");
        }
        seen += 1;
    }
    assert!(seen >= 2, "the table names no traces");
}
