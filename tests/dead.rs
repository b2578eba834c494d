//! Dead positions: no verdict may be wrong, and few unknown.
//!
//! A debug run takes a sample; `cargo test --release --test dead -- --nocapture` takes every
//! position, and every verdict, the longest enumerations too, through its checker (about a minute).
//! With `--include-ignored` what the default budget leaves open is asked again at the large one
//! (minutes, and a gigabyte for the checker). The cases in `tests/dead/cases.tsv` are ours; more are
//! read from `../shared/cases` where it exists.

#![expect(clippy::unwrap_used, reason = "a test may stop at a broken case file")]

use std::{fs, path::Path};

use dgtd::dead::{Budget, can_mate, check, judge};
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
///
/// `permille` bounds the unknown ones.
fn judge_file(path: &Path, budget: Budget, permille: usize) {
    let text = fs::read_to_string(path).unwrap();
    let (mut asked, mut unknown, mut faults) = (0, 0, Vec::new());
    for row in text.lines().skip(1).step_by(SAMPLE) {
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
    let allowed = asked * permille / 1000 + usize::from(SAMPLE > 1) * 2;
    assert!(unknown <= allowed, "{unknown} of {asked} unknown, allowed are {allowed}");
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
    judge_file(&path, Budget::DEFAULT, 3);
}

#[test]
fn collected_cases() {
    if let Some(path) = shared("dead_positions.tsv") {
        judge_file(&path, Budget::DEFAULT, 3);
    }
}

#[test]
fn real_games() {
    if let Some(path) = shared("real_game_positions.tsv") {
        judge_file(&path, Budget::LIVE, 1);
        judge_file(&path, Budget::DEFAULT, 0);
    }
}

#[test]
#[ignore = "minutes, and a gigabyte for the checker"]
fn a_large_budget_leaves_little_open() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dead/cases.tsv");
    let (mut asked, mut open, mut faults) = (0, 0, Vec::new());
    // Ours are among the collected ones.
    let path = shared("dead_positions.tsv").unwrap_or(own);
    let text = fs::read_to_string(path).unwrap();
    for row in text.lines().skip(1).step_by(SAMPLE) {
        let columns: Vec<&str> = row.split('\t').collect();
        let here = position(columns[0]);
        for (side, want) in [(Color::White, columns[1]), (Color::Black, columns[2])] {
            if can_mate(&here, side, Budget::DEFAULT).known().is_some() {
                continue;
            }
            asked += 1;
            let verdict = can_mate(&here, side, Budget::LARGE);
            let told = format!("{} {side}: label {want}", columns[0]);
            match (verdict.known(), label(want)) {
                (None, known) => {
                    println!("open: {told}");
                    open += usize::from(known.is_some());
                }
                (Some(got), Some(known)) if got != known => faults.push(told.clone()),
                _ => {}
            }
            if let Err(error) = check::verdict(&here, side, &verdict) {
                faults.push(format!("{told}: {error}"));
            }
        }
    }
    println!("{asked} side-queries, {open} open though the answer is known");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert_eq!(open, 0);
}

/// Positions whose enumeration does not end within the default budget.
const ENDLESS: [&str; 3] = [
    "8/2b4B/4k3/8/8/2p1p1p1/2PpP1P1/1B1K3n w - - 0 1",
    "1b1b1b1b/4k3/8/p1p1p1p1/P1P1P1P1/8/8/nB1BKB1B w - - 0 1",
    "8/4b3/3b2r1/4q3/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1",
];

/// Runs alone in a process of its own, so that nothing else is counted.
#[test]
fn memory_stays_below_eight_mebibytes() {
    const ALONE: &str = "DEAD_MEMORY_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["memory_stays_below_eight_mebibytes", "--exact", "--test-threads=1"])
            .env(ALONE, "1")
            .status();
        assert!(status.unwrap().success());
        return;
    }
    for fen in ENDLESS {
        // The highest resident size is counted anew from here.
        if fs::write("/proc/self/clear_refs", "5").is_err() {
            println!("skipped: the peak of memory cannot be reset here");
            return;
        }
        let before = resident("VmRSS:");
        let judged = judge(&position(fen), Budget::DEFAULT);
        let (nodes, budget) = (judged.nodes(), Budget::DEFAULT.nodes());
        assert!(nodes >= budget / 4 * 3, "{fen}: {nodes} nodes");
        let took = resident("VmHWM:").saturating_sub(before);
        println!("{fen}: {took} KiB");
        assert!(took < 8 << 10, "{fen}: {took} KiB");
    }
}

fn resident(field: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
