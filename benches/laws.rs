//! Time to follow and judge one ply, beside shakmaty's move generation for scale.
//!
//! Games: the project's own cases, which repeat and shuffle far more than real games do.

#![allow(clippy::unwrap_used, reason = "a bench stops at what it did not expect")]
#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]

use std::{
    fs,
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};

use dgtd::{
    game::{History, Key, Past, Step},
    laws::{DeadAnswer, Edition, pgn, verdict, verdict_at},
    units::Ply,
};
use shakmaty::Position;

/// Calls per measurement, so that the clock's own time does not count.
const CALLS: u32 = 16;

fn main() {
    let games = games();
    let plies: usize = games.iter().map(|g| g.plies().len()).sum();
    println!("{} games, {plies} plies, {CALLS} calls a measurement\n", games.len());
    println!("{:<44} {:>9} {:>9} {:>9}", "per ply, in ns", "median", "99 %", "worst");
    row(
        "shakmaty: legal moves",
        each(&games, |g, ply| g.plies()[ply].position.legal_moves().len()),
    );
    row("game: key of a position", each(&games, |g, ply| Key::of(&g.plies()[ply].position)));
    row("game: take a move (legality, key, counts)", taking(&games));
    for edition in [Edition::Fide1997, Edition::Fide2014, Edition::Fide2023] {
        let judge = |g: &History, ply: usize| {
            verdict_at(g, Ply(u32::try_from(ply).unwrap()), edition, DeadAnswer::Alive)
        };
        row(&format!("laws: verdict and claims, {edition}"), each(&games, judge));
    }
    let long = shuffled(600);
    row(
        "laws: verdict after 600 plies of shuffling",
        each(&[long], |g, _| verdict(g, Edition::Fide1997, DeadAnswer::Alive)),
    );
    println!("\nmemory per ply: {} bytes", size_of::<dgtd::game::PlyRecord>());
}

fn games() -> Vec<History> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/laws");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "pgn"))
        .flat_map(|path| pgn::games(&fs::read(path).unwrap()))
        .filter_map(|game| game.history)
        .collect()
}

/// Knights to and fro, the longest any position list gets without a pawn move.
fn shuffled(plies: usize) -> History {
    let mut game = History::default();
    let knights: [shakmaty::san::San; 4] =
        ["Nf3", "Nf6", "Ng1", "Ng8"].map(|text| text.parse().unwrap());
    for n in 0..plies {
        game.play(knights[n % 4].to_move(game.position()).unwrap()).unwrap();
    }
    game
}

/// Times a call at every ply of every game.
fn each<T>(games: &[History], mut call: impl FnMut(&History, usize) -> T) -> Vec<Duration> {
    let mut times = Vec::new();
    for game in games {
        for ply in 0..game.plies().len() {
            let start = Instant::now();
            for _ in 0..CALLS {
                black_box(call(black_box(game), ply));
            }
            times.push(start.elapsed() / CALLS);
        }
    }
    times
}

/// Times taking each move of every game, several histories growing side by side.
fn taking(games: &[History]) -> Vec<Duration> {
    let mut times = Vec::new();
    for game in games {
        let fresh = || History::new(game.start().position.clone(), Past::Nothing);
        let mut copies: Vec<History> = (0..CALLS).map(|_| fresh()).collect();
        for record in &game.plies()[1..] {
            let Step::Move(m) = record.step else { continue };
            let start = Instant::now();
            for copy in &mut copies {
                copy.play(black_box(m)).unwrap();
            }
            times.push(start.elapsed() / CALLS);
        }
    }
    times
}

fn row(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 1000].as_nanos();
    println!("{name:<44} {:>9} {:>9} {:>9}", at(500), at(990), at(1000));
}
