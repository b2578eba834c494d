//! Times the analyser of dead positions beside chasolver, each side-query in process.
//!
//! `cargo bench --bench dead` prints one table per position set found (`../shared/cases`, or
//! `tests/dead`). Settings by environment: `DEAD_SETS` (words of the file names, comma separated),
//! `DEAD_BUDGETS` (`live`, `default`, `large` or a number, comma separated), `DEAD_ANCHOR=0`
//! leaves chasolver out, `DEAD_SLOW=n` lists the n slowest queries, `DEAD_EVERY=n` takes every
//! n-th position, `DEAD_FILE` names another case file, `DEAD_UNKNOWN=1` lists undecided queries,
//! `DEAD_CLOCK=wall` times by the wall clock. Otherwise the thread's own time is measured, in which
//! what other processes take does not count (reading it costs about 0.3 µs a query).

use std::{env, fs, path::PathBuf, str::FromStr, time::Duration};

use dgtd::dead::{Budget, Dead, Running, Winnable, can_mate};
use shakmaty::{CastlingMode, Chess, Color, fen::Fen, san::SanPlus};

struct Case {
    fen: String,
    position: Chess,
    board: Option<chess::Board>,
    labels: [Option<bool>; 2],
}

#[derive(Default)]
struct Times {
    all: Vec<(Duration, String)>,
    unknown: usize,
    wrong: Vec<String>,
    nodes: u32,
}

fn main() {
    let sets = env::var("DEAD_SETS").unwrap_or_default();
    let anchor = env::var("DEAD_ANCHOR").as_deref() != Ok("0");
    let slow = number("DEAD_SLOW", 0);
    let every = number("DEAD_EVERY", 1).max(1);
    for file in files() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !sets.is_empty() && !sets.split(',').any(|word| name.contains(word)) {
            continue;
        }
        let cases = read(&file, every);
        println!("\n{name}: {} side-queries", 2 * cases.len());
        println!(
            "{:<22}{:>9}{:>9}{:>9}{:>9}{:>10}{:>10}{:>8}{:>7}",
            "µs", "median", "mean", "p90", "p99", "p99.9", "max", "unknown", "wrong"
        );
        for (label, budget) in budgets() {
            let times = run(&cases, |case, side| ours(case, side, budget));
            report(&format!("dgtd {label}"), &times, slow);
        }
        if anchor {
            report("chasolver full", &run(&cases, theirs), slow);
        }
    }
    if sets.is_empty() || sets.contains("running") {
        running_games();
    }
}

/// What a call took, by the clock chosen.
#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn timed<T>(call: impl FnOnce() -> T) -> (Duration, T) {
    let own = env::var_os("DEAD_CLOCK").is_none_or(|clock| clock != "wall");
    let thread = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(now).unwrap_or_default()
    };
    let (wall, before) = (std::time::Instant::now(), thread());
    let result = call();
    let took = if own { thread().saturating_sub(before) } else { wall.elapsed() };
    (took, result)
}

/// Follows the games under `../shared/games` move by move and times each ply.
fn running_games() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/games");
    let Ok(files) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "pgn"));
    paths.sort();
    println!("\nrunning games: both sides, per ply");
    println!(
        "{:<22}{:>9}{:>9}{:>9}{:>9}{:>10}{:>10}{:>8}",
        "µs", "median", "mean", "p90", "p99", "p99.9", "max", "unknown"
    );
    for path in paths {
        let mut times = Times::default();
        for (start, sans) in games(&fs::read_to_string(&path).expect("readable games")) {
            let mut game = Running::new(&start, Budget::LIVE);
            for san in sans {
                let Ok(m) = san.san.to_move(game.position()) else { break };
                let (took, _) = timed(|| game.play(m));
                times.all.push((took, san.to_string()));
                times.unknown += usize::from(game.dead() == Dead::Unknown);
            }
        }
        times.all.sort();
        report(&path.file_stem().unwrap_or_default().to_string_lossy(), &times, 0);
    }
}

/// Start positions and moves of the games of a PGN text; comments and variations are left out.
fn games(text: &str) -> Vec<(Chess, Vec<SanPlus>)> {
    let mut games = Vec::new();
    let (mut start, mut sans, mut depth) = (Chess::default(), Vec::new(), 0);
    for line in text.lines() {
        if depth == 0 && line.starts_with('[') {
            if !sans.is_empty() {
                games.push((std::mem::take(&mut start), std::mem::take(&mut sans)));
            }
            if let Some(fen) = line.strip_prefix("[FEN \"") {
                let fen = fen.trim_end_matches("\"]").parse::<Fen>().ok();
                let mode = CastlingMode::Standard;
                start = fen.and_then(|fen| fen.into_position(mode).ok()).unwrap_or_default();
            }
            continue;
        }
        let spaced = line.replace(['{', '('], " ( ").replace(['}', ')'], " ) ");
        for word in spaced.split_whitespace() {
            match word {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ if depth == 0 => {
                    sans.extend(word.rsplit('.').next().unwrap_or(word).parse::<SanPlus>());
                }
                _ => {}
            }
        }
    }
    games.push((start, sans));
    games
}

fn number(name: &str, default: usize) -> usize {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn files() -> Vec<PathBuf> {
    if let Ok(file) = env::var("DEAD_FILE") {
        return vec![file.into()];
    }
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let shared = root.join("../shared/cases");
    let found = ["real_game_positions.tsv", "dead_positions.tsv"].map(|name| shared.join(name));
    if found.iter().all(|path| path.exists()) {
        found.to_vec()
    } else {
        vec![root.join("tests/dead/cases.tsv")]
    }
}

fn budgets() -> Vec<(String, Budget)> {
    let names = env::var("DEAD_BUDGETS").unwrap_or_else(|_| "live,default".to_owned());
    let one = |name: &str| match name {
        "live" => Budget::LIVE,
        "default" => Budget::DEFAULT,
        "large" => Budget::LARGE,
        nodes => Budget::new(nodes.parse().expect("a number of positions")),
    };
    names.split(',').map(|name| (name.to_owned(), one(name))).collect()
}

fn read(file: &PathBuf, every: usize) -> Vec<Case> {
    let text = fs::read_to_string(file).expect("readable case file");
    let rows = text.lines().skip(1).step_by(every);
    rows.filter_map(|row| {
        let mut columns = row.split('\t');
        let fen = columns.next()?.to_owned();
        let mut label = || match columns.next() {
            Some("yes") => Some(true),
            Some("no") => Some(false),
            _ => None,
        };
        let labels = [label(), label()];
        let position = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
        let board = chess::Board::from_str(&fen).ok();
        Some(Case { fen, position, board, labels })
    })
    .collect()
}

fn ours(case: &Case, side: Color, budget: Budget) -> (Option<bool>, u32) {
    let verdict: Winnable = can_mate(&case.position, side, budget);
    (verdict.known(), verdict.nodes())
}

fn theirs(case: &Case, side: Color) -> (Option<bool>, u32) {
    let Some(board) = &case.board else { return (None, 0) };
    let side = if side.is_white() { chess::Color::White } else { chess::Color::Black };
    let known = chasolver::winnability(board, side)
        .map(|verdict| matches!(verdict, chasolver::Winnability::Winnable { .. }));
    (known, 0)
}

fn run(cases: &[Case], ask: impl Fn(&Case, Color) -> (Option<bool>, u32)) -> Times {
    let mut times = Times::default();
    for case in cases {
        for (side, label) in Color::ALL.into_iter().zip(case.labels) {
            let (took, (known, nodes)) = timed(|| ask(case, side));
            let text = format!("{} {side} {known:?} nodes {nodes}", case.fen);
            times.unknown += usize::from(known.is_none());
            times.nodes = times.nodes.max(nodes);
            if let (Some(known), Some(label)) = (known, label)
                && known != label
            {
                times.wrong.push(text.clone());
            }
            times.all.push((took, text));
        }
    }
    times.all.sort();
    times
}

fn report(name: &str, times: &Times, slow: usize) {
    let all = &times.all;
    if all.is_empty() {
        return;
    }
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let at = |permille: usize| micros(all[(all.len() * permille / 1000).min(all.len() - 1)].0);
    #[expect(clippy::cast_precision_loss, reason = "a few thousand queries")]
    let mean = all.iter().map(|(time, _)| micros(*time)).sum::<f64>() / all.len() as f64;
    println!(
        "{name:<22}{:>9.1}{mean:>9.1}{:>9.1}{:>9.1}{:>10.1}{:>10.1}{:>8}{:>7}",
        at(500),
        at(900),
        at(990),
        at(999),
        at(1000),
        times.unknown,
        times.wrong.len()
    );
    for (time, text) in all.iter().rev().take(slow) {
        println!("    {:>10.1} {text}", micros(*time));
    }
    for text in times.wrong.iter().take(20) {
        println!("    WRONG {text}");
    }
    if env::var_os("DEAD_UNKNOWN").is_some() {
        for (time, text) in all.iter().filter(|(_, text)| text.contains(" None ")) {
            println!("    UNKNOWN {:>10.1} {text}", micros(*time));
        }
    }
}
