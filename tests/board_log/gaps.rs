//! Random games with stretches that nobody saw: how often the moves come out right with the board's
//! log and without it, and that nothing wrong is ever said to be certain.

use std::thread;

use super::{
    Duration, Orientation, SECOND,
    emulator::{Board, Clock},
    hands::{choose, steps},
    script::{Script, fivefold},
    table::{Table, written_ends},
};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Position as _};

/// So many random games, or as many as `DGTD_LOG_GAMES` says.
const GAMES: u64 = 90;

/// Until a board has been greeted, has stood still long enough, and has sent its log.
const SETTLED: Duration = Duration::from_secs(40);

/// How a stretch came about that nobody saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    /// The line was out, the board kept its power.
    Line,
    /// The program was killed and started anew; the board kept its power.
    Killed,
    /// The line was out, and the power with it.
    Power,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    gaps: usize,
    /// The moves are those that were played, and so are the counters.
    exact: usize,
    /// The moves are those that were played; counters are said to be lower bounds.
    right: usize,
    /// The moves are others, and something is said to be uncertain.
    wrong: usize,
    /// The moves are others and nobody says so.
    sure: usize,
    false_ends: usize,
    /// The last position is an end, and it was told, or not.
    told_ends: usize,
    missed_ends: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.gaps += other.gaps;
        self.exact += other.exact;
        self.right += other.right;
        self.wrong += other.wrong;
        self.sure += other.sure;
        self.false_ends += other.false_ends;
        self.told_ends += other.told_ends;
        self.missed_ends += other.missed_ends;
    }
}

fn script(random: &mut ChaCha8Rng, seed: u64) -> Script {
    if seed.is_multiple_of(4) {
        return fivefold(60, seed);
    }
    let (mut position, mut moves) = (Chess::new(), Vec::new());
    // Some games are full of captures, some are not.
    let special = [0.1, 0.3, 0.5][usize::try_from(seed % 3).unwrap()];
    for _ in 0..random.random_range(30..90) {
        let Some(m) = choose(random, &position, special) else { break };
        position.play_unchecked(m);
        moves.push(m);
    }
    Script::from(moves)
}

fn is_end(script: &Script, ply: usize) -> bool {
    let position = &script.positions[ply];
    position.is_game_over() || script.repetitions(ply) >= 5 || script.quiet(ply) >= 150
}

fn pause(table: &mut Table, random: &mut ChaCha8Rng, least: u64, most: u64) {
    table.wait(Duration::from_millis(random.random_range(least..most)));
}

fn games() -> u64 {
    std::env::var("DGTD_LOG_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(GAMES)
}

/// Whether an end was told before there was one.
fn is_false(table: &Table, script: &Script, played: usize) -> bool {
    // Dead positions other than by material are another test's matter.
    let told = table.ends().iter().any(|(_, article)| article != "5.2.2");
    told && !(0..=played).any(|ply| is_end(script, ply))
}

/// Hands make half-moves; the board says so if it is listened to. False ends told meanwhile.
fn play(
    table: &mut Table,
    random: &mut ChaCha8Rng,
    script: &Script,
    from: usize,
    to: usize,
) -> bool {
    let mut wrong = false;
    for ply in from..to {
        wrong |= is_false(table, script, ply);
        for (square, letter) in steps(random, &script.positions[ply], script.moves[ply]) {
            pause(table, random, 150, 700);
            let bytes = table.board.put(&square.to_string(), letter);
            table.hear(&bytes);
        }
        pause(table, random, 300, 1_000);
        let bytes = table.board.press();
        table.hear(&bytes);
        pause(table, random, 800, 4_000);
    }
    wrong
}

/// What is said of the game, held against what was played.
fn check(table: &Table, script: &Script, ply: usize, context: &str) -> Tally {
    let mut tally = Tally { gaps: 1, ..Tally::default() };
    let status = table.status();
    let game = status.game.unwrap_or_else(|| panic!("{context}: no game"));
    let truth = (script.repetitions(ply), script.quiet(ply));
    let counted = (game.repetitions, game.halfmove_clock);
    let same = table.sans() == script.sans[..ply];
    if same && game.exact {
        assert_eq!(counted, truth, "{context}: said to be exact");
        tally.exact = 1;
    } else if same {
        assert!(counted.0 <= truth.0 && counted.1 <= truth.1, "{context}: {counted:?} {truth:?}");
        tally.right = 1;
    } else if game.exact && status.agrees {
        tally.sure = 1;
    } else {
        tally.wrong = 1;
    }
    tally
}

fn one(seed: u64, power: bool, log: bool) -> Tally {
    let mut random = ChaCha8Rng::seed_from_u64(90_000 + seed);
    let script = script(&mut random, seed);
    let orientation =
        if seed.is_multiple_of(2) { Orientation::Normal } else { Orientation::Rotated };
    let mut board = Board::classic(*b"01025", orientation);
    if !seed.is_multiple_of(3) {
        let right_turn = orientation == Orientation::Rotated;
        let clock = Clock { left: 5400, right: 5400, right_turn, running: true, increment: 0 };
        board = board.with_clock(clock);
    }
    let mut table = Table::new(board);
    table.no_log = !log;
    let (mut at, mut tally) = (0, Tally::default());
    for part in 0..2 {
        // The first stretch is somewhere in the first half, the second reaches the end now and then.
        let last = script.plies() * (part + 1) / 2;
        let from = random.random_range(at + 1..last.max(at + 2)).min(script.plies());
        let out = random.random_range(1..=14);
        let to = (from + out).min(script.plies());
        let mut wrong = play(&mut table, &mut random, &script, at, from);
        table.wait(5 * SECOND);
        if table.sans() != script.sans[..from] || from == to {
            break;
        }
        let gap = match (power, random.random_bool(0.5)) {
            (false, _) => Gap::Power,
            (true, true) => Gap::Line,
            (true, false) => Gap::Killed,
        };
        let context = format!("game {seed}: {gap:?} after {from} for {} (log: {log})", to - from);
        table.detach();
        let mut killed = (gap == Gap::Killed).then(|| table.book.text.clone());
        play(&mut table, &mut random, &script, from, to);
        match gap {
            Gap::Power => table.board.power_cycle(),
            Gap::Line | Gap::Killed => table.board.line_cycle(),
        }
        if let Some(journal) = killed.take() {
            let (mut next, _, troubles) =
                Table::restarted(table.board.clone(), &journal, 30 * SECOND);
            assert!(troubles.is_empty(), "{context}: {troubles:?}");
            next.no_log = !log;
            table = next;
        }
        table.attach();
        table.wait(SETTLED);
        wrong |= is_false(&table, &script, to);
        tally.false_ends += usize::from(wrong);
        let found = check(&table, &script, to, &context);
        if found.sure > 0 || (log && power && found.exact == 0) {
            eprintln!("{context}: {found:?}");
        }
        if found.sure > 0 {
            eprintln!("{:?}\n{:?}\n{:?}", table.sans(), &script.sans[..to], table.told);
        }
        tally.add(found);
        at = to;
        if table.sans() != script.sans[..to] {
            break;
        }
    }
    if at < script.plies() {
        let wrong = play(&mut table, &mut random, &script, at, script.plies());
        table.wait(SETTLED);
        tally.false_ends += usize::from(wrong || is_false(&table, &script, script.plies()));
    }
    let ends = written_ends(&table.book.text);
    if is_end(&script, script.plies()) {
        tally.told_ends = usize::from(!ends.is_empty());
        tally.missed_ends = usize::from(ends.is_empty());
    }
    tally
}

fn all(power: bool, log: bool) -> Tally {
    thread::scope(|scope| {
        let half = |from: u64| {
            scope.spawn(move || {
                let mut tally = Tally::default();
                (from..games()).step_by(2).for_each(|seed| tally.add(one(seed, power, log)));
                tally
            })
        };
        let (even, odd) = (half(0), half(1));
        let mut tally = even.join().unwrap();
        tally.add(odd.join().unwrap());
        tally
    })
}

#[test]
fn the_log_makes_gaps_of_random_games_exact_and_nothing_wrong_certain() {
    let with = all(true, true);
    let without = all(true, false);
    let unpowered = all(false, true);
    eprintln!("{} games, gaps of 1 to 14 half-moves", games());
    eprintln!("with the log:       {with:?}");
    eprintln!("without it:         {without:?}");
    eprintln!("without power:      {unpowered:?}");
    for tally in [with, without, unpowered] {
        assert_eq!(tally.false_ends, 0, "{tally:?}");
    }
    assert_eq!(with.sure, 0, "{with:?}");
    assert!(unpowered.sure <= without.sure, "{unpowered:?} {without:?}");
    // Nearly all that was played is known for certain.
    assert!(with.exact * 10 >= with.gaps * 8, "{with:?}");
    assert!(with.exact + with.right > without.exact + without.right);
    assert!(with.missed_ends <= without.missed_ends);
}
