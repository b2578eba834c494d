//! The fuzz targets on their seeds, and on mutations of them: a short run without any tool.
//!
//! `FUZZ_ROUNDS` in the environment makes it longer; a failing input is written out as it stands.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::{fmt::Write as _, fs, panic, path::Path};

use rand::{Rng as _, SeedableRng as _, seq::IndexedRandom as _};
use rand_chacha::ChaCha8Rng;

/// The seeds of a target, in order of their names.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut files: Vec<_> =
        fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no seeds in {}", directory.display());
    files.into_iter().map(|file| fs::read(file).unwrap()).collect()
}

/// A few random edits.
fn mutate(seed: &[u8], others: &[Vec<u8>], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..random.random_range(1..6) {
        let at = random.random_range(0..=bytes.len());
        let length = random.random_range(0..=(bytes.len() - at).min(32));
        match random.random_range(0..6) {
            0 => drop(bytes.drain(at..at + length)),
            1 => bytes.insert(at, random.random()),
            2 if at < bytes.len() => bytes[at] = random.random(),
            3 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
            4 => {
                let copy = bytes[at..at + length].to_vec();
                let to = random.random_range(0..=bytes.len());
                bytes.splice(to..to, copy);
            }
            _ => {
                let other = others.choose(random).unwrap();
                let from = random.random_range(0..=other.len());
                let upto = (from + 64).min(other.len());
                bytes.splice(at.., other[from..upto].iter().copied());
            }
        }
    }
    bytes
}

#[track_caller]
fn hunt(name: &str, target: fn(&[u8]), rounds: u32) {
    let times = std::env::var("FUZZ_ROUNDS").map_or(1, |times| times.parse().unwrap());
    let seeds = seeds(name);
    let mut random = ChaCha8Rng::seed_from_u64(u64::from(times) ^ 0x5eed);
    let run = |bytes: &[u8]| {
        if panic::catch_unwind(|| target(bytes)).is_err() {
            let mut hex = String::new();
            for byte in bytes {
                write!(hex, "{byte:02x}").unwrap();
            }
            panic!("{name} fails on {hex}\n{}", String::from_utf8_lossy(bytes));
        }
    };
    for seed in &seeds {
        run(seed);
    }
    for _ in 0..rounds * times {
        let seed = seeds.choose(&mut random).unwrap();
        run(&mutate(seed, &seeds, &mut random));
    }
}

#[test]
fn framer_and_log() {
    hunt("framer", targets::framer, 4000);
    hunt("event_log", targets::event_log, 4000);
}

#[test]
fn captures() {
    hunt("capture", targets::capture, 2000);
}

#[test]
fn lines() {
    hunt("line", targets::line, 150);
}

#[test]
fn walks() {
    hunt("walk", targets::walk, 60);
}

#[test]
fn configurations() {
    hunt("config", targets::config, 1500);
}

#[test]
fn games() {
    hunt("pgn", targets::pgn, 1000);
}

#[test]
fn positions() {
    hunt("position", targets::position, 300);
}

#[test]
fn journals() {
    hunt("journal", targets::journal, 600);
}
