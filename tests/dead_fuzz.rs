//! Differential fuzzing of the dead-position analyser.
//!
//! Random and mutated positions (neighbours of known hard ones, pawn walls, few men, en passant,
//! castling) are judged by us, by a plain enumerator without any static rule, and by chasolver;
//! every claim of ours is verified by its checker. A disagreement between solvers is settled by
//! replaying the mate line of the one that says "yes".
//!
//! `cargo test --test dead_fuzz` takes a few seconds. `DEAD_FUZZ_ROUNDS=1000000 cargo test --release
//! --test dead_fuzz -- --nocapture` goes on for about an hour; `DEAD_FUZZ_SEED` sets the start.

#![expect(clippy::unwrap_used, reason = "a test may stop at a broken case file")]

use std::{collections::BTreeSet, env, fs, str::FromStr};

use chasolver::Winnability;
use dgtd::dead::{Budget, Dead, Running, Winnable, can_mate, check};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Role,
    Setup, Square, fen::Epd, fen::Fen,
};

const ROUNDS: u32 = if cfg!(debug_assertions) { 300 } else { 1_500 };
/// Positions the plain enumerator may visit.
const PLAIN: usize = if cfg!(debug_assertions) { 3_000 } else { 20_000 };

#[derive(Default, Debug)]
struct Count {
    positions: u32,
    yes: u32,
    no: u32,
    unknown: u32,
    plain: u32,
    chasolver_wrong: u32,
}

#[test]
fn nobody_proves_us_wrong() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
    let rounds = number("DEAD_FUZZ_ROUNDS").unwrap_or(ROUNDS);
    let mut rng = ChaCha8Rng::seed_from_u64(number("DEAD_FUZZ_SEED").unwrap_or(20_230_101).into());
    let seeds = seeds();
    let mut count = Count::default();
    for round in 0..rounds {
        let setup = match round % 6 {
            0..=2 => mutated(&mut rng, &seeds),
            3 => few_men(&mut rng),
            4 => wall(&mut rng),
            _ => rights(&mut rng),
        };
        if let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard) {
            compare(&position, &mut count);
        }
        if round % 10_000 == 9_999 {
            println!("{round}: {count:?}");
        }
    }
    println!("{count:?}");
    assert!(count.no > count.positions / 50 && count.yes > 0, "the fuzzer has lost its bite");
}

/// Running games of random moves, with take-backs: what they carry along must be as true as what is
/// searched for, ply by ply.
#[test]
fn running_games_stay_true() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
    let games = number("DEAD_FUZZ_ROUNDS").unwrap_or(ROUNDS) / 30;
    let seed = number("DEAD_FUZZ_SEED").unwrap_or(20_230_101);
    let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed) ^ 0x5eed);
    let seeds = seeds();
    let (mut plies, mut carried) = (0, 0);
    for round in 0..games {
        let setup = match round % 5 {
            0 => Chess::default().to_setup(EnPassantMode::Legal),
            1 => mutated(&mut rng, &seeds),
            2 => few_men(&mut rng),
            3 => wall(&mut rng),
            _ => rights(&mut rng),
        };
        let Ok(start) = Chess::from_setup(setup, CastlingMode::Standard) else { continue };
        let mut game = Running::new(&start, Budget::new(500));
        for _ in 0..60 {
            if rng.random_range(0..12) == 0 {
                for _ in 0..rng.random_range(1..4) {
                    game.take_back();
                }
            } else {
                let moves = game.position().legal_moves();
                let Some(&m) = moves.choose(&mut rng) else { break };
                let searched = game.searched();
                assert!(game.play(m));
                carried += u32::from(game.searched() == searched && game.dead() == Dead::No);
            }
            plies += 1;
            if rng.random_range(0..8) == 0 {
                game.ask(Color::from_white(rng.random()));
            }
            stays_true(&game, &mut rng);
        }
    }
    println!("{plies} plies, {carried} without a search");
    assert!(carried > plies / 3, "the plans have lost their use");
}

/// Every claim about the ply holds, and agrees with a search now and then.
fn stays_true(game: &Running, rng: &mut ChaCha8Rng) {
    let (here, now) = (game.position(), game.judgement());
    for side in Color::ALL {
        let told = format!("{} {side}", name(here));
        assert_eq!(now.side(side).known(), game.known(side), "{told}");
        match game.certificate(side) {
            Some((proof, at)) => {
                let there = game.position_at(at).unwrap();
                assert_eq!(check::certificate(there, side, proof), Ok(()), "{told}");
            }
            None => assert_eq!(check::verdict(here, side, now.side(side)), Ok(()), "{told}"),
        }
        if game.known(side) == Some(false) && rng.random_range(0..16) == 0 {
            let fresh = can_mate(here, side, Budget::new(2_000));
            assert_ne!(fresh.known(), Some(true), "{told}: {fresh:?}");
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Unwinnable;

fn name(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

fn compare(position: &Chess, count: &mut Count) {
    count.positions += 1;
    for side in Color::ALL {
        let ours = can_mate(position, side, Budget::new(6_000));
        let told = format!("{} {side}", name(position));
        assert_eq!(check::verdict(position, side, &ours), Ok(()), "{told}");
        match ours.known() {
            Some(true) => count.yes += 1,
            Some(false) => count.no += 1,
            None => count.unknown += 1,
        }
        if ours.known() == Some(false) {
            // A "yes" of ours has been replayed by the checker; a "no" is contested here.
            match plain(position, side) {
                Some(can) => {
                    count.plain += 1;
                    assert!(!can, "{told}: enumeration finds a mate, we say {ours:?}");
                }
                None => contest(position, side, &told, &ours),
            }
        } else if ours.known() == Some(true)
            && count.positions.is_multiple_of(16)
            && chasolver_says(position, side) == Some(Err(Unwinnable))
        {
            count.chasolver_wrong += 1;
        }
    }
}

/// Asks chasolver where the enumeration was too long: a "yes" of its must replay to refute us.
fn contest(position: &Chess, side: Color, told: &str, ours: &Winnable) {
    if let Some(Ok(line)) = chasolver_says(position, side) {
        let mut here = position.clone();
        for uci in &line {
            let m = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&here);
            let Ok(m) = m else { return };
            here.play_unchecked(m);
        }
        let mated = here.is_checkmate() && here.turn() != side;
        assert!(!mated, "{told}: {line:?} mates, we say {ours:?}");
    }
}

/// chasolver's verdict: its line, or an error for "unwinnable"; nothing if it does not know.
fn chasolver_says(position: &Chess, side: Color) -> Option<Result<Vec<String>, Unwinnable>> {
    let fen = Fen::try_from_setup(position.to_setup(EnPassantMode::Legal)).ok()?;
    let board = chess::Board::from_str(&fen.to_string()).ok()?;
    let side = if side.is_white() { chess::Color::White } else { chess::Color::Black };
    // Its full mode may take seconds: ask only where it is quick by nature.
    if board.combined().popcnt() > 24 {
        return None;
    }
    Some(match chasolver::winnability(&board, side)? {
        Winnability::Winnable { helpmate } => {
            Ok(helpmate.iter().map(ToString::to_string).collect())
        }
        Winnability::Unwinnable => Err(Unwinnable),
    })
}

/// Everything that can arise, without any pruning: whether a mate by `side` is among it.
fn plain(position: &Chess, side: Color) -> Option<bool> {
    let mut seen = BTreeSet::from([name(position)]);
    let mut open = vec![position.clone()];
    while let Some(here) = open.pop() {
        if here.is_checkmate() && here.turn() != side {
            return Some(true);
        }
        for m in here.legal_moves() {
            let mut child = here.clone();
            child.play_unchecked(m);
            if seen.insert(name(&child)) {
                open.push(child);
            }
        }
        if seen.len() > PLAIN {
            return None;
        }
    }
    Some(false)
}

fn seeds() -> Vec<Setup> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dead/cases.tsv");
    let text = fs::read_to_string(path).unwrap();
    let hard = text.lines().skip(1).filter(|row| {
        let columns: Vec<&str> = row.split('\t').collect();
        columns[1] == "no" || columns[2] == "no"
    });
    hard.map(|row| row.split('\t').next().unwrap().parse::<Fen>().unwrap().into_setup()).collect()
}

/// One to three edits of a known position: a man moved, added, removed, changed; or the turn.
fn mutated(rng: &mut ChaCha8Rng, seeds: &[Setup]) -> Setup {
    let mut setup = seeds.choose(rng).unwrap().clone();
    setup.ep_square = None;
    for _ in 0..rng.random_range(1..=3) {
        let men: Vec<(Square, Piece)> = setup.board.clone().into_iter().collect();
        let (from, piece) = *men.choose(rng).unwrap();
        let to = Square::new(rng.random_range(0..64));
        match rng.random_range(0..6) {
            0 if piece.role != Role::King => {
                setup.board.discard_piece_at(from);
            }
            1 if setup.board.piece_at(to).is_none() => {
                setup.board.set_piece_at(to, any_piece(rng, to));
            }
            2 if piece.role != Role::King => {
                setup.board.set_piece_at(from, any_piece(rng, from));
            }
            3 => setup.turn = !setup.turn,
            _ if setup.board.piece_at(to).is_none() => {
                let back = Bitboard::BACKRANKS.contains(to) && piece.role == Role::Pawn;
                if !back {
                    setup.board.discard_piece_at(from);
                    setup.board.set_piece_at(to, piece);
                }
            }
            _ => {}
        }
    }
    with_rights(rng, setup)
}

fn any_piece(rng: &mut ChaCha8Rng, square: Square) -> Piece {
    let roles = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Bishop, Role::Rook];
    let mut role = *roles.choose(rng).unwrap();
    if role == Role::Pawn && Bitboard::BACKRANKS.contains(square) {
        role = Role::Bishop;
    }
    Piece { color: Color::from_white(rng.random()), role }
}

/// Castling and en passant rights where the board allows them.
fn with_rights(rng: &mut ChaCha8Rng, mut setup: Setup) -> Setup {
    setup.castling_rights = Bitboard::EMPTY;
    for (color, king, rooks) in [
        (Color::White, Square::E1, [Square::A1, Square::H1]),
        (Color::Black, Square::E8, [Square::A8, Square::H8]),
    ] {
        for rook in rooks {
            let there = setup.board.piece_at(king) == Some(color.king())
                && setup.board.piece_at(rook) == Some(color.rook());
            if there && rng.random() {
                setup.castling_rights.add(rook);
            }
        }
    }
    let (rank, step) = if setup.turn.is_white() { (4, 8) } else { (3, -8) };
    for file in 0..8 {
        let pawn = Square::new(rank * 8 + file);
        let pushed = setup.board.piece_at(pawn) == Some((!setup.turn).pawn());
        let clear = [step, 2 * step].iter().all(|&by| {
            pawn.offset(by).is_some_and(|square| setup.board.piece_at(square).is_none())
        });
        if pushed && clear && rng.random_range(0..3) == 0 {
            setup.ep_square = pawn.offset(step);
            break;
        }
    }
    setup
}

fn place(rng: &mut ChaCha8Rng, board: &mut Board, piece: Piece) {
    for _ in 0..50 {
        let square = Square::new(rng.random_range(0..64));
        let back = Bitboard::BACKRANKS.contains(square) && piece.role == Role::Pawn;
        if board.piece_at(square).is_none() && !back {
            board.set_piece_at(square, piece);
            return;
        }
    }
}

fn few_men(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::empty();
    setup.turn = Color::from_white(rng.random());
    for color in Color::ALL {
        place(rng, &mut setup.board, color.king());
    }
    for _ in 0..rng.random_range(1..=4) {
        let role =
            *[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].choose(rng).unwrap();
        let piece = Piece { color: Color::from_white(rng.random()), role };
        place(rng, &mut setup.board, piece);
    }
    with_rights(rng, setup)
}

/// Pawns face to face on most files, kings and bishops around them.
fn wall(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::empty();
    setup.turn = Color::from_white(rng.random());
    let mut rank: u32 = rng.random_range(2..=5);
    for file in 0..8 {
        if rng.random_range(0..8) > 0 {
            let step: i32 = rng.random_range(-1..=1);
            rank = rank.saturating_add_signed(step).clamp(2, 5);
            let below = Square::new((rank - 1) * 8 + file);
            setup.board.set_piece_at(below, Color::White.pawn());
            setup.board.set_piece_at(Square::new(rank * 8 + file), Color::Black.pawn());
        }
    }
    for color in Color::ALL {
        place(rng, &mut setup.board, color.king());
        for _ in 0..rng.random_range(0..=2) {
            let role = *[Role::Bishop, Role::Bishop, Role::Knight, Role::Pawn].choose(rng).unwrap();
            place(rng, &mut setup.board, Piece { color, role });
        }
    }
    with_rights(rng, setup)
}

/// Kings and rooks at home between locked pawns: castling and en passant decide.
fn rights(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = wall(rng);
    for color in Color::ALL {
        let home = color.fold_wb(Square::E1, Square::E8);
        if let Some(king) = setup.board.king_of(color) {
            setup.board.discard_piece_at(king);
        }
        setup.board.set_piece_at(home, color.king());
        let corner = if rng.random() { home.offset(3) } else { home.offset(-4) };
        if let Some(corner) = corner {
            setup.board.set_piece_at(corner, color.rook());
        }
    }
    with_rights(rng, setup)
}
