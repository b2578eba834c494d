//! Moves that nobody saw, read from the board's own log: with the power kept and without, from a
//! damaged log, after a restart, by a program that sees the board for the first time.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "in a test a wrong step is a failure"
)]
#![allow(dead_code, reason = "what the recovery tests share")]

mod emulator;
#[path = "board_log/gaps.rs"]
mod gaps;
#[path = "board_log/hands.rs"]
mod hands;
#[path = "recovery/script.rs"]
mod script;
#[path = "recovery/table.rs"]
mod table;

use std::time::Duration;

use dgtd::{
    arbiter::{
        EventKind,
        event::{AttentionKind, ConfirmedBy, StartSource, TakebackReason},
    },
    tracker::{
        Timing, Tracker,
        board_log::{Known, LogPly, Unsettled, played_since, whole_game},
    },
    units::{Ply, Stamp},
    wire::{ClockSide, Orientation},
};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position as _, uci::UciMove};

use hands::Player;
use script::{Script, fivefold};
use table::{Table, classic, written_ends};

const SECOND: Duration = Duration::from_secs(1);
/// Greeting, stillness, and the transfer of the log.
const READ: Duration = Duration::from_secs(36);

fn moves(plies: &[LogPly]) -> Vec<Move> {
    plies.iter().map(|ply| ply.m).collect()
}

#[test]
fn the_log_of_a_random_game_gives_its_moves() {
    let (mut whole, mut all, mut since, mut gaps) = (0, 0, 0, 0);
    for seed in 0..120 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let orientation = if seed % 2 == 0 { Orientation::Normal } else { Orientation::Rotated };
        let mut player = Player::new(orientation, seed % 3 != 0);
        let plies = random.random_range(20..110);
        player.play(&mut random, plies);
        let (log, now) = player.log();
        let context = format!("game {seed}, {} plies", player.line.len());
        all += 1;
        match whole_game(&log, &now, &Timing::default()) {
            Ok((found, plies)) => {
                assert_eq!(found, orientation, "{context}");
                // The last half-moves stand on the board without press or reply.
                let (got, want) = (moves(&plies), &player.line);
                assert!(want.starts_with(&got), "{context}: {got:?}\n{want:?}");
                let shown = want.len() - got.len();
                assert!(shown <= 1, "{context}: {shown} missing");
                whole += 1;
            }
            Err(why) => eprintln!("{context}: {why:?}"),
        }
        for _ in 0..4 {
            let from = random.random_range(1..player.line.len());
            let known = Known {
                start: Chess::new(),
                line: player.line[..from].to_vec(),
                orientation,
                white: player.white(),
            };
            gaps += 1;
            match played_since(&log, &known, &now, &Timing::default()) {
                Ok(plies) => {
                    let (got, want) = (moves(&plies), &player.line[from..]);
                    let told = format!("{context}, from {from}: {got:?}\n{want:?}");
                    assert!(want.starts_with(&got) && want.len() - got.len() <= 1, "{told}");
                    since += 1;
                }
                Err(why) => eprintln!("{context}, from {from}: {why:?}"),
            }
        }
    }
    eprintln!("{whole} of {all} games, {since} of {gaps} gaps");
    assert!(whole * 10 >= all * 9 && since * 10 >= gaps * 9);
}

/// A log in which one byte is damaged, or that ends early, gives nothing but true moves.
#[test]
fn a_damaged_log_tells_nothing_wrong() {
    let (mut told, mut silent) = (0, 0);
    for seed in 0..150 {
        let mut random = ChaCha8Rng::seed_from_u64(1_000 + seed);
        let mut player = Player::new(Orientation::Normal, seed % 2 == 0);
        player.play(&mut random, 40);
        let back = random.random_range(0..150);
        player.board.damage_log(back, random.random_range(0..0x80));
        let (log, now) = player.log();
        let from = random.random_range(10..36);
        let known = Known {
            start: Chess::new(),
            line: player.line[..from].to_vec(),
            orientation: Orientation::Normal,
            white: ClockSide::Left,
        };
        match played_since(&log, &known, &now, &Timing::default()) {
            Ok(plies) => {
                let (got, want) = (moves(&plies), &player.line[from..]);
                let context = format!("game {seed} from {from}, byte {back}: {got:?}\n{want:?}");
                assert!(want.starts_with(&got), "{context}");
                told += 1;
            }
            Err(_) => silent += 1,
        }
    }
    eprintln!("a damaged byte: {told} read all the same, {silent} not settled");
    assert!(silent > 20);
}

/// A man that is lifted off the square it has just come to leaves no trace in a log without presses:
/// its entry is overwritten. Nothing shorter than the game is made of that.
#[test]
fn a_move_that_its_log_forgot_is_not_passed_over() {
    // The man that has just come to its square is taken, and lifted first.
    let lines = [
        "e2e4 e7e5 d1h5 d8g5 h5g5 a7a6 g5h5 b7b6 h5e5 f8e7 a2a3 h7h6 b2b3",
        "e2e4 d7d5 e4d5 d8d5 b1c3 d5d3 f1d3 a7a6 d3f1 b7b6 f1e2 c7c6 e2f1 g7g6 a2a3 f7f6",
    ];
    let mut told = 0;
    for line in lines {
        let mut player = Player::new(Orientation::Normal, false);
        for uci in line.split(' ') {
            let m = uci.parse::<UciMove>().unwrap().to_move(&player.position).unwrap();
            player.play_lifting_first(&[m]);
        }
        let (log, now) = player.log();
        if let Ok((_, plies)) = whole_game(&log, &now, &Timing::default()) {
            let (got, want) = (moves(&plies), &player.line);
            assert!(want.starts_with(&got) && want.len() - got.len() <= 1, "{got:?} of {want:?}");
            told += 1;
        }
    }
    eprintln!("{told} of 2 read all the same");
}

/// A pawn taken in passing that is lifted first leaves no more trace in a log without presses than one
/// that went a single square and was taken there.
#[test]
fn a_pawn_whose_step_its_log_forgot_is_not_guessed() {
    for (line, lifted) in [("e2e4 a7a6 e4e5 d7d5 e5d6", "d5"), ("e2e4 a7a6 e4e5 d7d6 e5d6", "d6")] {
        let mut player = Player::new(Orientation::Normal, false);
        for uci in line.split(' ') {
            let m = uci.parse::<UciMove>().unwrap().to_move(&player.position).unwrap();
            if m.is_en_passant() {
                player.board.put(lifted, '.');
            }
            player.play_lifting_first(&[m]);
        }
        for uci in "g7g6 d2d4 b7b6 h2h3 h7h6".split(' ') {
            let m = uci.parse::<UciMove>().unwrap().to_move(&player.position).unwrap();
            player.play_lifting_first(&[m]);
        }
        let (log, now) = player.log();
        let found = whole_game(&log, &now, &Timing::default());
        assert_eq!(found.map(|(_, plies)| moves(&plies)), Err(Unsettled::Ambiguous), "{line}");
    }
}

/// The tables of a game after each of its half-moves.
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

/// So many half-moves are made while the line is down, and the line comes back.
fn dark(table: &mut Table, script: &Script, from: usize, plies: usize) {
    table.detach();
    for ply in from..from + plies {
        table.wait(2 * SECOND);
        table.play(script, ply);
    }
    table.wait(SECOND);
}

fn check_exact(table: &Table, script: &Script, ply: usize, context: &str) {
    let game = table.status().game.unwrap_or_else(|| panic!("{context}: no game"));
    assert_eq!(table.sans(), script.sans[..ply], "{context}");
    let truth = (script.repetitions(ply), script.quiet(ply));
    assert_eq!((game.repetitions, game.halfmove_clock), truth, "{context}");
    assert!(game.exact, "{context}: not exact; {:?}", table.told);
}

fn closed(table: &Table) -> Vec<(u32, Vec<u32>)> {
    let closed = table.told.iter().filter_map(|kind| match kind {
        EventKind::GapClosed { ply, open } => Some((ply.0, open.iter().map(|p| p.0).collect())),
        _ => None,
    });
    closed.collect()
}

fn unsettled(table: &Table) -> Vec<&str> {
    let told = table.told.iter().filter_map(|kind| match kind {
        EventKind::Attention { kind: AttentionKind::Gap, text, .. } => Some(text.as_str()),
        _ => None,
    });
    told.filter(|text| text.contains("log")).collect()
}

/// The line is out for one to twelve plies anywhere in the game, the power stays; the program is
/// started anew some plies later.
#[test]
fn a_lost_line_costs_nothing_when_the_board_keeps_its_power() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    for (ply, out) in (3..186).step_by(7).zip((1..=12).cycle()) {
        let context = format!("out after half-move {ply} for {out}");
        let mut table = tables[ply].clone();
        dark(&mut table, &script, ply, out);
        table.board.line_cycle();
        table.attach();
        table.wait(READ);
        let on = ply + out;
        // Where the board shows an earlier position again, a takeback was believed before.
        let closed = closed(&table);
        let [(from, open)] = &closed[..] else { panic!("{context}: {closed:?}") };
        assert!(*from as usize <= ply && open.is_empty(), "{context}: {closed:?}");
        assert_eq!(table.asked, 1, "{context}");
        check_exact(&table, &script, on, &context);
        assert_eq!(table.ends(), [], "{context}");
        for next in on..(on + 3).min(199) {
            table.play(&script, next);
        }
        let on = (on + 3).min(199);
        check_exact(&table, &script, on, &format!("{context}, and on"));
        // The program is started anew: nobody looked for a while, and the log bridges that too.
        let journal = table.book.text.clone();
        table.board.line_cycle();
        let (mut next, _, troubles) = Table::restarted(table.board.clone(), &journal, 3 * SECOND);
        assert!(troubles.is_empty(), "{context}: {troubles:?}");
        next.attach();
        next.wait(READ);
        check_exact(&next, &script, on, &format!("{context}, started anew"));
    }
}

/// Plies that lead back to the same placement, and the fifth time of a position among them.
#[test]
fn repetitions_that_nobody_saw_are_counted() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    for (ply, out) in [(184, 8), (184, 4), (188, 12), (192, 8), (196, 4), (190, 10), (199, 1)] {
        let context = format!("out after half-move {ply} for {out}");
        let mut table = tables[ply].clone();
        dark(&mut table, &script, ply, out);
        table.board.line_cycle();
        table.attach();
        table.wait(READ);
        check_exact(&table, &script, ply + out, &context);
        let over = ply + out == 200;
        let ends = if over { vec![(200, "9.6.1".to_owned())] } else { Vec::new() };
        assert_eq!(table.ends(), ends, "{context}");
        assert_eq!(written_ends(&table.book.text).len(), usize::from(over), "{context}");
        let by_log = table
            .told
            .iter()
            .any(|kind| matches!(kind, EventKind::Move { by: ConfirmedBy::Log, exact: true, .. }));
        assert!(by_log || out <= 2, "{context}: {:?}", table.told);
        for next in ply + out..200 {
            table.play(&script, next);
        }
        assert_eq!(table.ends(), [(200, "9.6.1".to_owned())], "{context}");
        // The same from the journal.
        let (mut again, _, troubles) =
            Table::restarted(table.board.clone(), &table.book.text, 3 * SECOND);
        assert!(troubles.is_empty(), "{context}: {troubles:?}");
        again.attach();
        again.wait(READ);
        assert_eq!(again.sans(), script.sans, "{context}");
        assert_eq!(again.ends(), [], "{context}: told twice");
    }
}

/// The board was without power: its log begins anew, and nothing is known that was not before.
#[test]
fn a_board_without_power_proves_nothing_and_is_not_asked_again() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    for (ply, out) in [(184, 4), (196, 4), (192, 8), (60, 4), (100, 1), (100, 3)] {
        let context = format!("out after half-move {ply} for {out}");
        let mut table = tables[ply].clone();
        dark(&mut table, &script, ply, out);
        table.board.power_cycle();
        table.attach();
        table.wait(READ);
        assert_eq!((table.asked, closed(&table)), (1, Vec::new()), "{context}");
        assert_eq!(table.ends(), [], "{context}");
        assert!(!table.status().game.unwrap().exact, "{context}");
        // The same board loses its power with its cable once more.
        table.detach();
        table.wait(SECOND);
        table.board.power_cycle();
        table.attach();
        table.wait(READ);
        assert_eq!(table.asked, 1, "{context}");
        // It kept its power while only the program was away, but not before.
        let (mut next, ..) = Table::restarted(table.board.clone(), &table.book.text, 3 * SECOND);
        next.attach();
        next.wait(READ);
        assert_eq!(closed(&next), [], "{context}");
        assert!(!next.status().game.unwrap().exact, "{context}");
        assert_eq!(next.ends(), [], "{context}");
    }
}

/// What was lost without power stays unknown, what was played later is known.
#[test]
fn only_what_the_log_tells_is_closed() {
    let script = fivefold(200, 1);
    let mut table = played(&script).swap_remove(60);
    table.detach();
    table.board.power_cycle();
    table.attach();
    table.wait(READ);
    for ply in 60..150 {
        table.play(&script, ply);
    }
    let before = table.status().game.unwrap();
    table.told.clear();
    // The program is ended and started anew six half-moves later.
    dark(&mut table, &script, 150, 6);
    table.board.line_cycle();
    let (mut next, _, troubles) =
        Table::restarted(table.board.clone(), &table.book.text, 3 * SECOND);
    assert!(troubles.is_empty(), "{troubles:?}");
    next.attach();
    next.wait(READ);
    assert_eq!(next.sans(), script.sans[..156]);
    assert_eq!(closed(&next), [(150, vec![60])], "{before:?}");
    check_exact(&next, &script, 156, "pawns have moved since the first loss");
}

/// Damage where it matters, and the program says so.
#[test]
fn a_damaged_log_is_told_and_changes_nothing() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    let (ply, out) = (184, 6);
    let mut table = tables[ply].clone();
    dark(&mut table, &script, ply, out);
    table.board.line_cycle();
    let mut whole = table.clone();
    // A square that is none, in the half-moves that nobody saw.
    table.board.damage_log(12, 0x7d);
    table.board.damage_log(13, 0x3f);
    for table in [&mut table, &mut whole] {
        table.attach();
        table.wait(READ);
    }
    check_exact(&whole, &script, ply + out, "the whole log");
    assert_eq!(closed(&table), []);
    assert!(!table.status().game.unwrap().exact);
    assert_eq!(unsettled(&table).len(), 1, "{:?}", table.told);
}

/// A program that has never seen the board finds the game from its beginning.
#[test]
fn a_program_started_in_mid_game_finds_the_whole_game() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    for ply in [2, 31, 120, 191] {
        let mut board = tables[ply].board.clone();
        board.line_cycle();
        let mut table = Table::new(board);
        table.wait(READ);
        let context = format!("started after half-move {ply}");
        check_exact(&table, &script, ply, &context);
        let started = table.told.iter().filter(|kind| {
            matches!(kind, EventKind::GameStarted { source: StartSource::InitialArray, .. })
        });
        assert_eq!(started.count(), 1, "{context}: {:?}", table.told);
        assert_eq!(table.status().game.unwrap().number, 1, "{context}");
        for next in ply..200 {
            table.play(&script, next);
        }
        assert_eq!(table.ends(), [(200, "9.6.1".to_owned())], "{context}");
    }
}

/// Moves made while the log is on the line, told afterwards or never.
#[test]
fn moves_during_the_transfer_are_not_lost() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    for deaf in [false, true] {
        for (ply, out, during) in [(150, 4, 1_usize), (150, 4, 2), (184, 4, 1), (30, 2, 1)] {
            let context = format!("{during} during the transfer after {ply} + {out}, deaf: {deaf}");
            let mut table = tables[ply].clone();
            table.deaf = deaf;
            dark(&mut table, &script, ply, out);
            table.board.line_cycle();
            table.attach();
            let mut waited = 0;
            while table.asked == 0 {
                table.wait(SECOND / 4);
                waited += 1;
                assert!(waited < 120, "{context}: never asked");
            }
            for next in ply + out..ply + out + during {
                table.play(&script, next);
            }
            table.wait(12 * SECOND);
            let on = ply + out + during;
            // What was played before is known, and that something was done since.
            let before = (u32::try_from(ply).unwrap(), Vec::new());
            assert_eq!(closed(&table), [before], "{context}: {:?}", table.told);
            assert_eq!(table.sans(), script.sans[..on], "{context}: {:?}", table.told);
            let game = table.status().game.unwrap();
            assert!(!game.exact || script.quiet(on) < u32::try_from(during).unwrap(), "{context}");
            // The board has stood still since, and the log tells of these moves as well. Where changes
            // were lost, the line must have been clean for a minute.
            table.deaf = false;
            table.wait(60 * SECOND + READ);
            assert_eq!((closed(&table).len(), table.asked), (2, 2), "{context}: {:?}", table.told);
            check_exact(&table, &script, on, &context);
            for next in on..on + 4 {
                table.play(&script, next);
            }
            check_exact(&table, &script, on + 4, &context);
        }
    }
}

/// A wrong explanation of a gap is put right.
#[test]
fn what_was_believed_of_a_gap_is_put_right_by_the_log() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    let mut put_right = 0;
    for ply in (20..180).step_by(9) {
        let mut table = tables[ply].clone();
        dark(&mut table, &script, ply, 5);
        table.board.line_cycle();
        table.attach();
        table.wait(READ);
        check_exact(&table, &script, ply + 5, &format!("after {ply}"));
        let correction = |kind: &&EventKind| {
            matches!(kind, EventKind::Takeback { reason: TakebackReason::Correction, .. })
        };
        put_right += table.told.iter().filter(correction).count();
    }
    eprintln!("{put_right} of 18 explanations put right");
    assert!(put_right > 0);
}

/// A board that keeps its log to itself is asked once; one on a bad line, when that has been clean.
#[test]
fn a_board_that_answers_oddly_is_left_alone() {
    let script = fivefold(200, 1);
    let tables = played(&script);
    let mut table = tables[184].clone();
    table.no_log = true;
    dark(&mut table, &script, 184, 4);
    table.board.line_cycle();
    table.attach();
    table.wait(3 * READ);
    assert_eq!(table.asked, 1);
    // It falls silent for a while: sight is lost again, but the board is no better.
    table.board.mute = true;
    table.wait(12 * SECOND);
    table.board.mute = false;
    table.wait(3 * READ);
    assert_eq!(table.asked, 1);
    assert!(!table.status().game.unwrap().exact);

    let mut table = tables[184].clone();
    dark(&mut table, &script, 184, 4);
    table.board.line_cycle();
    table.attach();
    table.wait(5 * SECOND);
    table.hear(&[0x55, 0x2a, 0x11]);
    table.wait(50 * SECOND);
    assert_eq!(table.asked, 0);
    table.wait(2 * READ);
    assert_eq!(table.asked, 1);
    check_exact(&table, &script, 188, "after a minute");
}

/// What was done during a transfer is a loss of sight of its own, in the journal too.
#[test]
fn a_loss_during_the_transfer_is_remembered() {
    let script = fivefold(200, 1);
    let mut table = played(&script).swap_remove(30);
    table.deaf = true;
    dark(&mut table, &script, 30, 1);
    table.board.line_cycle();
    table.attach();
    while table.asked == 0 {
        table.wait(SECOND / 4);
    }
    table.play(&script, 31);
    table.wait(READ);
    assert_eq!(table.sans(), script.sans[..32]);
    table.deaf = false;
    table.detach();
    table.board.power_cycle();
    table.attach();
    table.wait(READ);
    for ply in 32..150 {
        table.play(&script, ply);
    }
    let text = String::from_utf8(table.book.text.clone()).unwrap();
    assert!(text.contains("\"unheard\":31"), "{text}");
    dark(&mut table, &script, 150, 6);
    table.board.line_cycle();
    let (mut next, _, troubles) =
        Table::restarted(table.board.clone(), &table.book.text, 3 * SECOND);
    assert!(troubles.is_empty(), "{troubles:?}");
    next.attach();
    next.wait(READ);
    assert_eq!(closed(&next), [(150, vec![31, 32])]);
    assert_eq!(next.sans(), script.sans[..156]);
}

/// What was seen since the board came back must be what the log ends with.
#[test]
fn a_log_that_contradicts_what_was_seen_is_dropped() {
    let mut tracker = Tracker::new(Timing::default(), Orientation::Normal);
    let start = Stamp::ZERO;
    tracker.resume_game(Chess::new(), StartSource::InitialArray, Orientation::Normal, start);
    let line = |ucis: &str, from: &Chess| {
        let mut position = from.clone();
        let moves = ucis.split(' ').map(|uci| {
            let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
            m
        });
        let moves: Vec<Move> = moves.collect();
        (moves, position)
    };
    let (seen, _) = line("e2e4 e7e5 g1f3 b8c6", &Chess::new());
    for &m in &seen {
        tracker.resume_move(m, ConfirmedBy::Reply, true, start);
    }
    let (before, position) = line("e2e4 e7e5", &Chess::new());
    let known = Known {
        start: Chess::new(),
        line: before,
        orientation: Orientation::Normal,
        white: ClockSide::Left,
    };
    for (log, want) in [
        ("g1f3 b8c6", Ok("g1f3 b8c6")),
        ("g1f3 b8c6 f1b5", Ok("g1f3 b8c6 f1b5")),
        // The last one is not confirmed in the log, but stands on the board.
        ("g1f3", Ok("g1f3 b8c6")),
        ("b1c3 b8c6 c3b1 c6b8 g1f3 b8c6", Ok("b1c3 b8c6 c3b1 c6b8 g1f3 b8c6")),
        ("g1f3 g8f6", Err(Unsettled::Contradicts)),
        ("b1c3 b8c6", Err(Unsettled::Contradicts)),
        ("b1c3", Err(Unsettled::Contradicts)),
        ("g1f3 b8c6 f1b5 a7a6", Err(Unsettled::Contradicts)),
    ] {
        let (told, _) = line(log, &position);
        let told = told.into_iter().map(|m| LogPly { m, pressed: false }).collect();
        let got = tracker.as_seen_since(Ply(2), &known, told).map(|plies| moves(&plies));
        assert_eq!(got, want.map(|want| line(want, &position).0), "{log}");
    }
}
