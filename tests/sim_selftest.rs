//! The simulator is checked before anything is measured with it: its bytes are the protocol's, a
//! plain reader that knows nothing of moves gets the games back where there is no noise, every
//! kind of noise really occurs, and the seed decides everything.

mod sim;

use std::collections::BTreeMap;

use shakmaty::{Board as Placement, Position, Square};
use sim::{
    MS, SECOND,
    board::{self, Board, Host, LineEvent},
    chance::Chance,
    games,
    profile::{self, Profile},
    session::Session,
    table::{Table, code, man_of},
    truth::{End, Game},
};

fn session(profile: &Profile, seed: u64) -> Session {
    let mut chance = Chance::new(seed, 0);
    let count = 1 + chance.below(profile.in_a_row);
    let make = if profile.variants { games::variant } else { games::made };
    let plans: Vec<_> = (0..count).map(|_| make(&mut chance)).collect();
    Session::plan(profile, seed, &plans)
}

fn steady(mut profile: Profile) -> Profile {
    profile.hands.poor = 0.0;
    profile
}

/// A reader of messages as plain as can be: whole bytes in, `(time, message)` out. Panics on
/// anything that is not a complete message of the protocol.
fn messages(events: &[(u64, LineEvent)]) -> Vec<(u64, Vec<u8>)> {
    let mut out = Vec::new();
    let mut buffer: Vec<u8> = Vec::new();
    for (time, event) in events {
        match event {
            LineEvent::Up | LineEvent::Down => buffer.clear(),
            LineEvent::Bytes(bytes) => buffer.extend(bytes),
        }
        while buffer.len() >= 3 {
            if buffer[..3] == [0x80, 0, 0] {
                buffer.drain(..3);
                continue;
            }
            let total = usize::from(buffer[1]) << 7 | usize::from(buffer[2]);
            if buffer.len() < total {
                break;
            }
            let message: Vec<u8> = buffer.drain(..total).collect();
            check(&message);
            out.push((*time, message));
        }
    }
    assert!(buffer.len() < 67, "{} bytes left over: more than one message", buffer.len());
    out
}

fn check(message: &[u8]) {
    assert!(message[0] >= 0x80, "a message begins with {:#04x}", message[0]);
    assert!(message[1..].iter().all(|b| *b < 0x80), "top bit within {message:02x?}");
    let length = message.len();
    match message[0] {
        0x86 => assert_eq!(length, 67),
        0x8d => assert_eq!(length, 10),
        0x8e => {
            assert_eq!(length, 5);
            assert!(message[3] < 64);
        }
        0x91 => assert_eq!(length, 8),
        0x93 => assert_eq!(length, 5),
        other => assert_eq!(other, 0x86, "this message was not asked for"),
    }
}

fn codes(placement: &Placement, rotated: bool) -> [u8; 64] {
    let mut array = [0; 64];
    for square in Square::ALL {
        let field = (7 - square.rank() as usize) * 8 + square.file() as usize;
        let field = if rotated { 63 - field } else { field };
        array[field] = placement.piece_at(square).map_or(0, code);
    }
    array
}

/// Follows dumps and updates; what stood on the board at each flip of the lever, and at the end
/// of each game.
fn follow(session: &Session) -> (Vec<[u8; 64]>, Vec<[u8; 64]>) {
    let (events, _) = board::record(session);
    let mut array = [0; 64];
    let mut lever = None;
    let (mut flips, mut ends) = (Vec::new(), Vec::new());
    let mut games = session.truth.games.iter().peekable();
    for (time, message) in messages(&events) {
        while games.peek().is_some_and(|g| g.disturbed < time) {
            ends.push(array);
            games.next();
        }
        match message[0] {
            0x86 => array.copy_from_slice(&message[3..]),
            0x8e => array[usize::from(message[3])] = message[4],
            0x8d if message[9] & 0x20 == 0 && message[3] & 0xf != 0xa => {
                let now = message[9] & 2;
                // Setting the clock for a new game moves the lever while it stands still.
                if lever.is_some_and(|was| was != now) && message[9] & 1 == 1 {
                    flips.push(array);
                }
                lever = Some(now);
            }
            _ => {}
        }
    }
    (flips, ends)
}

#[test]
fn a_plain_reader_gets_clean_games_back() {
    for seed in 0..12 {
        let mut profile = profile::clean();
        profile.sensors.stale_dump = 0.0; // a plain reader cannot know that a dump is old
        let session = session(&profile, seed);
        let (flips, _) = follow(&session);
        let wanted: Vec<[u8; 64]> = session
            .truth
            .games
            .iter()
            .flat_map(|g| g.positions().into_iter().skip(1).map(|p| (p, g.rotated)))
            .map(|(p, rotated)| codes(p.board(), rotated))
            .collect();
        assert_eq!(flips.len(), wanted.len(), "seed {seed}: number of presses");
        for (ply, (got, want)) in flips.iter().zip(&wanted).enumerate() {
            assert_eq!(got, want, "seed {seed}: after press {}", ply + 1);
        }
    }
}

/// At the end of each game the line has told the whole placement, whatever hands did before.
#[test]
fn every_game_ends_on_its_last_position() {
    for profile in profile::all() {
        let mut profile = steady(profile);
        profile.noise = profile::clean().noise;
        profile.sensors.misread_per_minute = 0.0;
        profile.sensors.wrong_on_arrival = 0.0;
        profile.sensors.stale_dump = 0.0;
        for seed in 0..6 {
            let session = session(&profile, seed);
            let (_, ends) = follow(&session);
            for (game, end) in session.truth.games.iter().zip(ends) {
                if matches!(game.end, End::Unmarked)
                    && !game.kinds.contains_key("gesture_after_mate")
                {
                    let last = game.positions().pop().expect("at least the first position");
                    let want = codes(last.board(), game.rotated);
                    assert_eq!(end, want, "{} seed {seed}", profile.name);
                }
            }
        }
    }
}

/// Looks at the table itself, not at the line: whenever nobody's hand is at work the men stand as
/// the game says.
#[test]
fn men_stand_where_the_moves_put_them() {
    for profile in profile::all() {
        let mut profile = steady(profile);
        profile.hands.both = 0.0; // the opponent may have a man in the air
        let mut looked = 0;
        for seed in 0..8 {
            let session = session(&profile, seed);
            let mut table = Table::new(&session.set, session.acts.iter().copied().collect());
            let mut chance = Chance::new(seed, 9);
            for game in &session.truth.games {
                looked += look(game, &session, &mut table, &mut chance);
            }
        }
        assert!(looked > 200, "{}: looked only {looked} times", profile.name);
    }
}

fn look(game: &Game, session: &Session, table: &mut Table, chance: &mut Chance) -> usize {
    let mut looked = 0;
    for (ply, position) in game.positions().iter().enumerate().skip(1) {
        let done = game.plies[ply - 1].released + MS;
        let next = session.acts.iter().find(|(time, _)| *time >= done).map_or(u64::MAX, |a| a.0);
        let busy = game.plies[ply..].iter().any(|p| p.touched < done);
        table.advance(done);
        if next < done + 20 * MS || busy || !table.calm_until(done + 10 * MS) {
            continue;
        }
        let got: Vec<u8> = (0..64).map(|f| table.sense(f, done, chance)).collect();
        let want = codes(position.board(), game.rotated);
        assert_eq!(
            got,
            want,
            "{} seed {}: after {} at {}",
            session.profile.name,
            session.seed,
            game.plies[ply - 1].uci,
            done / MS
        );
        looked += 1;
    }
    looked
}

#[test]
fn the_seed_decides_everything() {
    for profile in [profile::messy(), profile::flaky()] {
        let once = board::record(&session(&profile, 7)).0;
        let again = board::record(&session(&profile, 7)).0;
        let other = board::record(&session(&profile, 8)).0;
        assert!(once == again, "{}: the same seed gave other bytes", profile.name);
        assert!(once != other, "{}: another seed gave the same bytes", profile.name);
    }
}

#[test]
fn times_never_run_backwards() {
    for profile in profile::all() {
        let (events, _) = board::record(&session(&profile, 3));
        assert!(events.windows(2).all(|w| w[0].0 <= w[1].0), "{}", profile.name);
    }
}

/// Every kind of noise a profile has is really made.
#[test]
fn every_kind_of_noise_occurs() {
    let mut kinds: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for profile in profile::all() {
        for seed in 0..50 {
            let session = session(&profile, 100 + seed);
            for (kind, count) in session.truth.games.iter().flat_map(|g| &g.kinds) {
                *kinds.entry((profile.name, kind)).or_insert(0) += count;
            }
            if seed < 6 {
                let (_, board) = board::record(&session);
                for (kind, count) in board.faults() {
                    *kinds.entry((profile.name, kind)).or_insert(0) += count;
                }
            }
        }
    }
    for ((profile, kind), count) in &kinds {
        println!("{profile:14} {kind:26} {count:6}");
    }
    let messy = "adjusted adjusted_several both_hands_at_once capture_attacker_first \
        capture_exchanged capture_pushed_off capture_victim_first castle_both_hands \
        castle_king_first castle_king_rests castle_one_hand castle_rook_first \
        castle_rook_put_first clock_stopped drifted flag_fell gesture_at_once gesture_made_room \
        gesture_one_by_one hesitated tried_and_undone rested_on_the_way illegal illegal_pressed knocked_over moves_after_end \
        overlapped overlapped_whole passant_victim_between passant_victim_first \
        passant_victim_last poorly_placed press_by_mistake press_early press_forgotten \
        promote_pawn_off_first promote_pushed promote_queen_first promoted promoted_after_press \
        set_up_error scramble flag_unseen one_king_shown king_laid_down \
        turned_between_games swept skimmed slid stopped straddled taken_back_after_press touched \
        under_promoted victim_dragged misreading castled_short castled_long";
    for kind in messy.split_whitespace() {
        assert!(kinds.get(&("messy", kind)).is_some_and(|n| *n > 0), "messy never has {kind}");
    }
    let flaky = "cable_lost line_damage stall misreading row_lost duplicate stale_dump garbage";
    for kind in flaky.split_whitespace() {
        assert!(kinds.get(&("flaky", kind)).is_some_and(|n| *n > 0), "flaky never has {kind}");
    }
    for kind in ["slid", "hesitated", "knocked_over", "misreading", "line_damage", "overlapped"] {
        assert!(kinds.get(&("clean", kind)).is_none_or(|n| *n == 0), "clean has {kind}");
    }
}

/// The games themselves hold what a test needs.
#[test]
fn the_games_hold_every_kind_of_move() {
    let mut chance = Chance::new(1, 0);
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..60 {
        let plan = games::made(&mut chance);
        let mut position = plan.start.clone();
        let mut note = |kind| *seen.entry(kind).or_insert(0) += 1;
        for m in &plan.moves {
            if m.is_castle() {
                note(if m.to() > m.from().expect("castling") { "short" } else { "long" });
            }
            if m.is_en_passant() {
                note("passant");
            }
            match m.promotion() {
                Some(shakmaty::Role::Queen) => note("promotion"),
                Some(_) => note("under-promotion"),
                None => {}
            }
            assert!(position.is_legal(*m));
            position.play_unchecked(*m);
        }
        if position.is_checkmate() {
            note("mate");
        }
        if position.is_stalemate() {
            note("stalemate");
        }
        if plan.moves.len() > 200 {
            note("over 100 moves");
        }
    }
    println!("{seen:?}");
    for kind in
        ["short", "long", "passant", "promotion", "under-promotion", "mate", "over 100 moves"]
    {
        assert!(seen.contains_key(kind), "no {kind} in 60 games: {seen:?}");
    }
}

#[test]
fn codes_and_men_agree() {
    for value in 1..=12 {
        assert_eq!(man_of(value).map(code), Some(value));
    }
    assert!(man_of(0).is_none() && man_of(13).is_none());
    assert_eq!(SECOND, 1000 * MS);
}

/// The patterns a club board sends are those counted in real traces (`protocol.md` 3.5): most
/// quiet moves are two updates, most captures never show the square empty.
#[test]
fn the_patterns_are_those_of_real_traces() {
    let profile = profile::club();
    let (mut updates, mut plies) = (0, 0);
    let mut quiet = [0_u32; 2];
    let mut takes = [0_u32; 4];
    for seed in 0..25 {
        let session = session(&profile, 500 + seed);
        let (events, board) = board::record(&session);
        let all: Vec<(u64, u8, u8)> = messages(&events)
            .into_iter()
            .filter(|(_, m)| m[0] == 0x8e)
            .map(|(t, m)| (t, m[3], m[4]))
            .collect();
        let field = |name: &str, rotated: bool| {
            let square: Square = name.parse().expect("a square of our own UCI");
            let field = (7 - square.rank() as u8) * 8 + square.file() as u8;
            if rotated { 63 - field } else { field }
        };
        for game in &session.truth.games {
            plies += game.plies.len();
            for (ply, next) in game.plies.iter().zip(game.plies.iter().skip(1)) {
                let until = ply.released + board.scan() + 60 * MS;
                if next.touched < until {
                    continue;
                }
                let own: Vec<(u8, u8)> = all
                    .iter()
                    .filter(|(t, _, _)| *t >= ply.touched && *t <= until)
                    .map(|(_, f, c)| (*f, *c))
                    .collect();
                updates += own.len();
                let (from, to) =
                    (field(&ply.uci[0..2], game.rotated), field(&ply.uci[2..4], game.rotated));
                let emptied = own.iter().position(|c| *c == (to, 0));
                let lifted = own.iter().position(|c| *c == (from, 0));
                if ply.san.starts_with('O') || ply.uci.len() > 4 {
                    continue;
                }
                if ply.san.contains('x') {
                    takes[match (emptied, lifted) {
                        (None, _) => 0,
                        (Some(off), Some(up)) if off < up => 1,
                        (Some(_), Some(_)) => 2,
                        _ => 3,
                    }] += 1;
                } else {
                    let plain = own.len() == 2 && own[0] == (from, 0) && own[1].0 == to;
                    quiet[usize::from(plain)] += 1;
                }
            }
        }
    }
    let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole.max(1));
    let captures: u32 = takes.iter().sum();
    let plain = share(quiet[1], quiet[0] + quiet[1]);
    let (kept, victim_first) = (share(takes[0], captures), share(takes[1], captures));
    println!("{updates} updates in {plies} plies (T: 458 in 199)");
    println!("plain quiet moves {plain:.2} (T: 0.95), captures never empty {kept:.2} (T: 0.71),");
    println!("victim first {victim_first:.2} (T: 0.20), of {captures} captures: {takes:?}");
    assert!((0.75..0.99).contains(&plain));
    assert!((0.5..0.85).contains(&kept));
    assert!((0.1..0.45).contains(&victim_first));
}

/// The board answers what a host may ask, as the protocol says, and in its time.
#[test]
fn commands_are_answered() {
    let session = session(&profile::clean(), 1);
    let mut board = Board::new(&session, Host::Caller);
    assert_eq!(board.advance(SECOND), vec![(0, LineEvent::Up)]);
    let mut now = SECOND;
    let mut ask = |bytes: &[u8]| -> Vec<u8> {
        now += SECOND / 2;
        assert!(board.advance(now).is_empty(), "nothing comes unasked in idle mode");
        board.host_bytes(now, bytes);
        let asked = now;
        now += SECOND / 2;
        let mut answer = Vec::new();
        while board.now() < now {
            for (time, event) in board.advance(now) {
                assert!(time > asked, "an answer takes time");
                if let LineEvent::Bytes(bytes) = event {
                    answer.extend(bytes);
                }
            }
        }
        answer
    };
    assert!(ask(&[0x40]).is_empty());
    assert_eq!(ask(&[0x4d]), [0x93, 0, 5, 1, 8]);
    assert_eq!(ask(&[0x45]), [0x91, 0, 8, 0x30, 0x31, 0x30, 0x32, 0x35]);
    assert_eq!(ask(&[0x55])[..3], [0xa2, 0, 13]);
    assert_eq!(ask(&[0x4c])[..3], [0xa0, 0, 12]);
    assert_eq!(ask(&[0x47])[0], 0x92);
    let clock = ask(&[0x41]);
    assert_eq!((clock.len(), &clock[..3]), (10, &[0x8d, 0, 10][..]));
    let dump = ask(&[0x42]);
    assert_eq!((dump.len(), &dump[..3]), (67, &[0x86, 0, 67][..]));
    let start = codes(&Placement::new(), session.truth.games[0].rotated);
    assert_eq!(dump[3..], start);
    // A clock message is swallowed whole, and acknowledged only in an update mode.
    assert!(ask(&[0x2b, 0x03, 0x03, 0x09, 0x00]).is_empty());
    // No danger: bytes that mean nothing, bus commands, the filler for half a message.
    assert!(ask(&[0x00, 0x91, 0x40]).is_empty());
}

/// Status bytes and times of a clock are those of real traces: `08`, `09`, `12`, `13`; a press
/// brings the increment; the side whose lever is high runs.
#[test]
fn the_clock_tells_what_real_ones_tell() {
    let session = session(&profile::club(), 4);
    let (events, board) = board::record(&session);
    let mut last: Option<Vec<u8>> = None;
    for (_, message) in messages(&events).into_iter().filter(|(_, m)| m[0] == 0x8d) {
        assert!([0x08, 0x09, 0x12, 0x13].contains(&message[9]), "status {:#04x}", message[9]);
        for at in [4, 5, 7, 8] {
            assert!(message[at] & 0xf < 10 && message[at] >> 4 < 6, "{message:02x?}");
        }
        assert!(last.as_ref() != Some(&message) || message[9] & 1 == 0, "the same twice");
        last = Some(message);
    }
    let truth: usize =
        session.truth.games.iter().flat_map(|g| &g.plies).filter(|p| p.press.is_some()).count();
    assert!(truth > 20 && board.presses().len() >= truth);
}
