//! Dead positions: no verdict may be wrong, and few unknown.
//!
//! A debug run takes a sample; `cargo test --release --test dead` takes every position. The cases
//! in `tests/dead/cases.tsv` are ours; more are read from `../shared/cases` where it exists.

use std::{fs, path::Path};

use dgtd::dead::{Budget, check, judge};
use shakmaty::{CastlingMode, Chess, Color, fen::Fen};

/// Every how many positions one is taken in a debug run.
const SAMPLE: usize = if cfg!(debug_assertions) { 40 } else { 1 };

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn label(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// Judges the positions of a case file; checks every verdict against its label and its proof.
fn judge_file(path: &Path, budget: Budget, sample: usize) {
    let text = fs::read_to_string(path).unwrap();
    let (mut asked, mut unknown, mut faults) = (0, 0, Vec::new());
    for row in text.lines().skip(1).step_by(sample) {
        let columns: Vec<&str> = row.split('\t').collect();
        let here = position(columns[0]);
        let judged = judge(&here, budget);
        for (side, text) in [(Color::White, columns[1]), (Color::Black, columns[2])] {
            let verdict = judged.side(side);
            asked += 1;
            unknown += usize::from(verdict.known().is_none());
            if let (Some(got), Some(want)) = (verdict.known(), label(text))
                && got != want
            {
                faults.push(format!("{row}: {side} said {got}"));
            }
            if let Err(error) = check::verdict(&here, side, verdict) {
                faults.push(format!("{row}: {side}: {error}"));
            }
        }
    }
    println!("{}: {asked} side-queries, {unknown} unknown", path.display());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(unknown * 1000 <= asked * 3, "{unknown} of {asked} unknown, allowed are 0.3 %");
}

fn shared(name: &str) -> Option<std::path::PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases").join(name);
    if !path.exists() {
        println!("skipped: {} is not here", path.display());
    }
    path.exists().then_some(path)
}

#[test]
fn own_cases() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dead/cases.tsv");
    judge_file(&path, Budget::DEFAULT, SAMPLE);
}

#[test]
fn collected_cases() {
    if let Some(path) = shared("dead_positions.tsv") {
        judge_file(&path, Budget::DEFAULT, SAMPLE);
    }
}

#[test]
fn real_games() {
    if let Some(path) = shared("real_game_positions.tsv") {
        judge_file(&path, Budget::LIVE, SAMPLE);
    }
}
