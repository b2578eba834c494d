//! Nothing is lost: the program killed after every event, the cable pulled at every half-move, the
//! journal cut and damaged everywhere, noise between all messages.
//!
//! Most of it runs in one process: an emulated board, the arbiter, and the journal as bytes, put
//! together as the daemon does. `processes.rs` does the same with the real `dgtd`, a pseudo-terminal
//! and `SIGKILL`: at some points, or at every one with `DGTD_KILL_EVERY=1` in the environment.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "in a test a wrong step is a failure"
)]

mod emulator;
#[path = "recovery/illegal.rs"]
mod illegal;
#[path = "recovery/processes.rs"]
mod processes;
#[path = "recovery/script.rs"]
mod script;
#[path = "recovery/table.rs"]
mod table;
#[path = "recovery/undone.rs"]
mod undone;

use std::{collections::BTreeSet, thread, time::Duration};

use dgtd::arbiter::{
    EventKind,
    event::{AttentionKind, EndedHow, LinkState, StartSource},
};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use script::{Script, fivefold};
use table::{Table, classic, ends, remembered, written_ends};

const SECOND: Duration = Duration::from_secs(1);

/// The whole game with what there was after each half-move.
fn played(script: &Script) -> Vec<Table> {
    let mut table = Table::new(classic());
    let mut tables = vec![table.clone()];
    for ply in 0..script.plies() {
        table.play(script, ply);
        table.told.clear();
        table.sent.clear();
        tables.push(table.clone());
    }
    tables
}

/// Does the same for every index, on both cores.
fn each<T: Send>(count: usize, check: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let check = &check;
    thread::scope(|scope| {
        let half = |from: usize| {
            scope.spawn(move || (from..count).step_by(2).map(check).collect::<Vec<T>>())
        };
        let (even, odd) = (half(0), half(1));
        let mut all = even.join().unwrap();
        all.extend(odd.join().unwrap());
        all
    })
}

/// What is said of the counters must be true: exact ones are right, the others too low at most.
fn check_counters(table: &Table, script: &Script, ply: usize, context: &str) {
    let game = table.status().game.unwrap_or_else(|| panic!("{context}: no game"));
    let truth = (script.repetitions(ply), script.quiet(ply));
    let (repetitions, quiet) = (game.repetitions, game.halfmove_clock);
    if game.exact {
        assert_eq!((repetitions, quiet), truth, "{context}: said to be exact");
    } else {
        assert!(repetitions <= truth.0 && quiet <= truth.1, "{context}: {game:?} {truth:?}");
    }
}

#[test]
fn the_game_played_through_ends_by_fivefold_repetition() {
    let script = fivefold(200, 1);
    let table = played(&script).pop().unwrap();
    assert_eq!(table.sans(), script.sans);
    assert_eq!(written_ends(&table.book.text), [200]);
    check_counters(&table, &script, 200, "at the end");
    assert!(table.status().game.unwrap().exact);
}

/// The program is killed after each line of its journal, started again, and plays on.
#[test]
fn killed_after_every_single_event_the_game_is_the_same() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    let whole = &tables[200].book.text;
    // A line was written while the half-move was made after which the journal is first longer.
    let cuts: Vec<usize> =
        whole.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
    let tried = each(cuts.len() + 1, |index| {
        let cut = index.checked_sub(1).map_or(0, |at| cuts[at]);
        let ply = tables.iter().position(|table| table.book.text.len() >= cut).unwrap();
        let context = format!("killed after line {index} in half-move {ply}");
        let (mut table, memory, troubles) =
            Table::restarted(tables[ply].board.clone(), &whole[..cut], 3 * SECOND);
        assert!(!memory.is_damaged() && troubles.is_empty(), "{context}: {troubles:?}");
        table.attach();
        table.wait(3 * SECOND);
        for next in ply..200 {
            table.play(&script, next);
            if next == ply || next == ply + 7 {
                check_counters(&table, &script, next + 1, &context);
            }
        }
        let game = table.status().game.unwrap();
        assert_eq!(table.sans(), script.sans, "{context}");
        assert_eq!(game.number, 1, "{context}");
        assert_eq!(written_ends(&table.book.text), [200], "{context}");
        assert_eq!((game.repetitions, game.halfmove_clock), (5, script.quiet(200)), "{context}");
        let ended = table.told.iter().filter(|kind| matches!(kind, EventKind::GameEnded { .. }));
        assert_eq!(ended.count(), 0, "{context}");
    });
    eprintln!("killed at {} points", tried.len());
    assert!(tried.len() > 200);
}

/// The cable is out for one to four half-moves, at every half-move.
#[test]
fn a_cable_pulled_anywhere_for_up_to_four_plies_never_makes_a_wrong_count() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    let runs = each(199 * 4, |index| {
        let (ply, out) = (index / 4 + 1, index % 4 + 1);
        let context = format!("cable out at half-move {ply} for {out}");
        let mut table = tables[ply].clone();
        table.detach();
        for missed in ply..(ply + out).min(200) {
            table.wait(2 * SECOND);
            table.play(&script, missed);
        }
        table.board.power_cycle();
        table.wait(SECOND);
        table.attach();
        table.wait(6 * SECOND);
        let on = (ply + out).min(200);
        // On to the end now and then, a few half-moves otherwise.
        let until = if index % 16 == 0 { 200 } else { (on + 6).min(200) };
        for next in on..until {
            table.play(&script, next);
        }
        table.wait(5 * SECOND);
        let gap = table.told.iter().any(|kind| {
            matches!(
                kind,
                EventKind::Attention { kind: AttentionKind::Gap | AttentionKind::Mismatch, .. }
            )
        });
        let sans = table.sans();
        if sans != script.sans[..until] {
            // Men that went and came back leave no trace: then the counters are lower bounds.
            let exact = table.status().game.is_some_and(|game| game.exact);
            assert!(gap || !exact, "{context}: {sans:?} and nothing said");
        } else if table.status().agrees {
            check_counters(&table, &script, until, &context);
        }
        for (end, article) in table.ends() {
            assert_eq!((end, until), (200, 200), "{context}: {article}");
        }
        sans == script.sans[..until]
    });
    let same = runs.iter().filter(|same| **same).count();
    eprintln!("{} gaps: the same moves came out in {same}, the others were told", runs.len());
}

/// The journal ends anywhere in its last kilobyte, the board shows what it shows.
#[test]
fn cut_at_every_byte_the_journal_gives_a_true_earlier_state() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    for last in [60, 190, 200] {
        let whole = &tables[last].book.text;
        let tried = each(1_025, |back| {
            let cut = whole.len() - back;
            let context = format!("after half-move {last}, {back} bytes cut off");
            let (mut table, memory, troubles) =
                Table::restarted(tables[last].board.clone(), &whole[..cut], 60 * SECOND);
            let torn = !whole[..cut].ends_with(b"\n") && whole[cut] != b'\n';
            assert_eq!(memory.is_damaged(), torn, "{context}");
            assert!(troubles.is_empty(), "{context}: {troubles:?}");
            let before = table.sans();
            assert!(before.len() <= last, "{context}");
            assert_eq!(before, script.sans[..before.len()], "{context}");
            let known = written_ends(&whole[..cut]);
            table.attach();
            table.wait(12 * SECOND);
            let over = table.status().game.unwrap();
            assert!(over.ply.index() <= last, "{context}");
            check_counters(&table, &script, last, &context);
            if last < 200 {
                assert_eq!(over.ending, None, "{context}");
            }
            assert!(table.ends().len() + known.len() <= 1, "{context}: told twice");
            over.ending.is_some()
        });
        eprintln!(
            "after half-move {last}: {} cuts, the end known in {}",
            tried.len(),
            tried.iter().filter(|end| **end).count()
        );
    }
}

/// A bit is flipped somewhere in the journal.
#[test]
fn a_flipped_bit_is_always_told_and_never_ends_a_game() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    let whole = &tables[190].book.text;
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let bits: Vec<usize> = (0..300).map(|_| random.random_range(0..whole.len() * 8)).collect();
    let rebuilt = each(bits.len(), |index| {
        let bit = bits[index];
        let context = format!("bit {bit} of {}", whole.len() * 8);
        let mut journal = whole.clone();
        journal[bit / 8] ^= 1 << (bit % 8);
        let (memory, _) = remembered(&journal);
        assert!(memory.is_damaged(), "{context}: not noticed");
        let (mut table, ..) = Table::restarted(tables[190].board.clone(), &journal, 10 * SECOND);
        table.attach();
        // The board's own log is on the line for eight seconds of it.
        table.wait(16 * SECOND);
        let whole = table.sans() == script.sans[..190];
        for next in 190..200 {
            table.play(&script, next);
            if next < 199 {
                assert_eq!(table.ends(), [], "{context} after half-move {next}");
            }
        }
        if whole {
            assert_eq!(table.ends(), [(200, "9.6.1".to_owned())], "{context}");
        }
        for (_, article) in table.ends() {
            assert_eq!(article, "9.6.1", "{context}");
        }
        whole
    });
    let same = rebuilt.iter().filter(|same| **same).count();
    eprintln!("{} flipped bits: all told; all moves rebuilt in {same}", rebuilt.len());
    assert!(same > rebuilt.len() * 9 / 10);
}

/// 64 KiB of random bytes before, between and after all messages of a game.
#[test]
fn noise_between_all_messages_changes_no_game() {
    let script = fivefold(24, 3);
    let mut quiet = Table::new(classic());
    for ply in 0..24 {
        quiet.play(&script, ply);
    }
    assert_eq!(ends(&quiet.told), [(24, "9.6.1".to_owned())]);
    let messages = quiet.sent.len();
    let mut table = Table::new(classic());
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut noise = vec![0_u8; 64 << 10];
    let mut rounds = 0;
    for ply in 0..24 {
        let (position, m) = (&script.positions[ply], script.moves[ply]);
        let (lifted, put) = script::hand(position, m);
        let mut bytes: Vec<Vec<u8>> = Vec::new();
        bytes.extend(lifted.iter().map(|square| table.board.put(&square.to_string(), '.')));
        bytes.extend(put.iter().map(|(square, man)| table.board.put(&square.to_string(), *man)));
        bytes.push(table.board.press());
        for message in bytes {
            random.fill(&mut noise[..]);
            table.hear(&noise);
            table.hear(&message);
            table.wait(Duration::from_millis(400));
            rounds += 1;
        }
        random.fill(&mut noise[..]);
        table.hear(&noise);
        table.wait(2 * SECOND);
    }
    table.wait(5 * SECOND);
    assert_eq!(table.sans(), script.sans);
    assert_eq!(ends(&table.told), [(24, "9.6.1".to_owned())]);
    eprintln!("{rounds} messages of {messages}, 64 KiB of noise before each");
}

/// Lines in the middle are missing: the moves are found again if they can be, else it is told.
#[test]
fn missing_lines_are_found_again_or_told() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    let whole = String::from_utf8(tables[150].book.text.clone()).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let mut kinds = BTreeSet::new();
    for (gone, count) in [(20, 1), (40, 2), (60, 3), (90, 20), (0, 3), (1, 1)] {
        let left: Vec<&str> = lines[..gone].iter().chain(&lines[gone + count..]).copied().collect();
        let journal = left.join("\n") + "\n";
        let context = format!("lines {gone} to {} missing", gone + count);
        let (mut table, memory, troubles) =
            Table::restarted(tables[150].board.clone(), journal.as_bytes(), 10 * SECOND);
        assert!(memory.is_damaged() || gone == 0, "{context}");
        let whole = table.sans() == script.sans[..150];
        kinds.insert(whole);
        assert!(whole || !troubles.is_empty(), "{context}: not told");
        table.attach();
        table.wait(6 * SECOND);
        for next in 150..200 {
            table.play(&script, next);
        }
        let sans = table.sans();
        assert!(script.sans.ends_with(&sans), "{context}: {sans:?}");
        // The last five occurrences were all seen.
        assert_eq!(table.ends().len(), 1, "{context}: {troubles:?}");
    }
    assert_eq!(kinds.len(), 2, "both kinds were tried");
}

/// The men were set up for the next game while nobody looked, or something else stands there.
#[test]
fn another_position_after_the_restart_is_told() {
    let script = fivefold(200, 1);
    let table = played(&script).swap_remove(50);
    let journal = &table.book.text;
    let mut board = table.board.clone();
    board.set_up("rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR");
    let (mut next, ..) = Table::restarted(board.clone(), journal, 60 * SECOND);
    next.attach();
    next.wait(6 * SECOND);
    let closed = next.told.iter().find_map(|kind| match kind {
        EventKind::GameEnded { result, plies, how } => Some((result.as_str(), *plies, *how)),
        _ => None,
    });
    assert_eq!(closed, Some(("*", 50, EndedHow::NextGame)), "{:?}", next.told);
    assert!(next.told.iter().any(|kind| matches!(
        kind,
        EventKind::GameStarted { source: StartSource::InitialArray, .. }
    )));
    assert_eq!(next.status().game.unwrap().number, 2);

    board.set_up("....k..........q....................................Q.......K...");
    let (mut other, ..) = Table::restarted(board, journal, 60 * SECOND);
    other.attach();
    other.wait(6 * SECOND);
    let mismatch = |kind: &EventKind| {
        matches!(kind, EventKind::Attention { kind: AttentionKind::Mismatch, .. })
    };
    assert!(other.told.iter().any(mismatch), "{:?}", other.told);
    assert_eq!(other.sans(), script.sans[..50], "the game is kept");
}

#[test]
fn a_board_that_stays_away_is_told_once_and_keeps_its_game() {
    let script = fivefold(200, 1);
    let table = played(&script).swap_remove(50);
    let (mut away, ..) = Table::restarted(table.board.clone(), &table.book.text, 5 * SECOND);
    away.wait(60 * SECOND);
    let lost = |kind: &&EventKind| matches!(kind, EventKind::Link { state: LinkState::Lost, .. });
    assert_eq!(away.told.iter().filter(lost).count(), 1, "{:?}", away.told);
    // Another restart, and the board is there.
    let (mut back, ..) = Table::restarted(table.board, &away.book.text, 5 * SECOND);
    back.attach();
    back.wait(5 * SECOND);
    assert_eq!(back.sans(), script.sans[..50]);
    for ply in 50..200 {
        back.play(&script, ply);
    }
    assert_eq!(back.ends(), [(200, "9.6.1".to_owned())]);
}
