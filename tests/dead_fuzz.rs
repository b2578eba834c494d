//! Differential fuzzing of the dead-position analyser.
//!
//! Random and mutated positions (neighbours of known hard ones, pawn walls, few men, en passant,
//! castling, caged kings, pawn races) are judged by us, by a plain enumerator without any static rule, and by chasolver;
//! every claim of ours is verified by its checker. A disagreement between solvers is settled by
//! replaying the mate line of the one that says "yes".
//!
//! `cargo test --test dead_fuzz` takes a few seconds. `DEAD_FUZZ_ROUNDS=1000000 cargo test --release
//! --test dead_fuzz -- --nocapture` goes on for hours and tells every 1,000 rounds how many positions
//! there were and which kinds of proof; `DEAD_FUZZ_SEED` sets the start. So many rounds take the
//! positions of `../shared/cases` for seeds as well, where they exist.

#![expect(clippy::unwrap_used, reason = "a test may stop at a broken case file")]

use std::{collections::BTreeSet, env, fs, str::FromStr};

use chasolver::Winnability;
use dgtd::dead::{Budget, Dead, Proof, Region, Running, Winnable, can_mate, check};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Role,
    Setup, Square, attacks, fen::Epd, fen::Fen,
};

const ROUNDS: u32 = if cfg!(debug_assertions) { 300 } else { 1_500 };
/// Positions the plain enumerator may visit.
const PLAIN: usize = if cfg!(debug_assertions) { 3_000 } else { 20_000 };

/// What has been seen so far: side-queries, except for the positions.
#[derive(Default, Debug)]
struct Count {
    positions: u32,
    yes: u32,
    unknown: u32,
    /// Proofs that a side cannot mate, by kind.
    no: Kinds,
    /// The proofs that an enumeration without any pruning confirmed.
    confirmed: Kinds,
    /// The other proofs, on which chasolver agreed.
    agreed: Kinds,
    chasolver_wrong: u32,
}

/// Proofs by kind.
#[derive(Default, Debug)]
struct Kinds {
    /// Checkmated, stalemate or material.
    plain: u32,
    region: u32,
    /// Regions with men that are held.
    held: u32,
    forced: u32,
    enumeration: u32,
    /// Enumerations with positions that regions close.
    leaves: u32,
    /// The same, with men that are held in one of them.
    held_leaves: u32,
}

impl Kinds {
    fn add(&mut self, proof: &Proof) {
        let kind = match proof {
            Proof::Checkmated | Proof::Stalemate | Proof::Material(_) => &mut self.plain,
            Proof::Region(region) if region.held.is_empty() => &mut self.region,
            Proof::Region(_) => &mut self.held,
            Proof::Enumeration(all) if all.leaves.iter().any(|(_, one)| !one.held.is_empty()) => {
                &mut self.held_leaves
            }
            Proof::Enumeration(all) if !all.leaves.is_empty() => &mut self.leaves,
            Proof::Enumeration(all) if !all.forced.is_empty() => &mut self.forced,
            Proof::Enumeration(_) => &mut self.enumeration,
        };
        *kind += 1;
    }

    fn beyond_material(&self) -> [u32; 6] {
        let Kinds { region, held, forced, enumeration, leaves, held_leaves, .. } = *self;
        [region, held, forced, enumeration, leaves, held_leaves]
    }
}

#[test]
fn nobody_proves_us_wrong() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
    let rounds = number("DEAD_FUZZ_ROUNDS").unwrap_or(ROUNDS);
    let mut rng = ChaCha8Rng::seed_from_u64(number("DEAD_FUZZ_SEED").unwrap_or(20_230_101).into());
    let long = rounds > ROUNDS;
    let seeds = if long { more_seeds() } else { seeds() };
    let rare = if long { rarely_proved(&seeds) } else { [seeds.clone(), seeds.clone()] };
    let mut count = Count::default();
    for round in 0..rounds {
        let setup = match round % 10 {
            0 | 1 => mutated(&mut rng, &seeds),
            2 if round % 20 == 2 => mutated(&mut rng, &rare[0]),
            2 => edited(&mut rng, &rare[1], 1),
            3 => few_men(&mut rng),
            4 => wall(&mut rng),
            5 => rights(&mut rng),
            6 | 7 => caged(&mut rng),
            8 => held(&mut rng),
            _ => race(&mut rng),
        };
        if let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard) {
            // Searches that end early and late: regions come in after 400 positions.
            let nodes = match (round % 10, round / 10 % 8) {
                (_, 0) => 300,
                (_, 1) => 2_500,
                (_, 2) => 60_000,
                (2 | 8, _) => 20_000,
                _ => 6_000,
            };
            compare(&position, Budget::new(nodes), &mut count);
        }
        if round % 1_000 == 999 {
            println!("{}: {count:?}", round + 1);
        }
    }
    println!("{count:?}");
    let beyond = count.no.beyond_material();
    let sum = beyond.iter().sum::<u32>();
    assert!(sum > count.positions / 50 && count.yes > 0, "the fuzzer has lost its bite: {count:?}");
    let thin = rounds >= 20_000 && beyond.iter().any(|&kind| kind < rounds / 20_000);
    assert!(!thin, "a kind of proof is hardly met: {count:?}");
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

fn compare(position: &Chess, budget: Budget, count: &mut Count) {
    count.positions += 1;
    for side in Color::ALL {
        let ours = can_mate(position, side, budget);
        let told = format!("{} {side}", name(position));
        assert_eq!(check::verdict(position, side, &ours), Ok(()), "{told}");
        match &ours {
            Winnable::Unknown { .. } => count.unknown += 1,
            // The checker has replayed the line.
            Winnable::Yes { .. } => {
                count.yes += 1;
                let asked = count.positions.is_multiple_of(16);
                if asked && chasolver_says(position, side) == Some(Err(Unwinnable)) {
                    count.chasolver_wrong += 1;
                }
            }
            // This is contested.
            Winnable::No { certificate, .. } => {
                count.no.add(&certificate.proof);
                // A region's claim is worth a longer look.
                let most = match &certificate.proof {
                    Proof::Region(_) => 4 * PLAIN,
                    _ => PLAIN,
                };
                match plain(position, side, most) {
                    Some(can) => {
                        assert!(!can, "{told}: enumeration finds a mate, we say {ours:?}");
                        count.confirmed.add(&certificate.proof);
                    }
                    None => {
                        if contest(position, side, &told, &ours) {
                            count.agreed.add(&certificate.proof);
                        }
                    }
                }
            }
        }
    }
}

/// Asks chasolver where the enumeration was too long: a "yes" of its must replay to refute us.
/// Whether it agrees.
fn contest(position: &Chess, side: Color, told: &str, ours: &Winnable) -> bool {
    let line = match chasolver_says(position, side) {
        Some(Ok(line)) => line,
        verdict => return verdict.is_some(),
    };
    let mut here = position.clone();
    for uci in &line {
        let m = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&here);
        let Ok(m) = m else { return false };
        here.play_unchecked(m);
    }
    let mated = here.is_checkmate() && here.turn() != side;
    assert!(!mated, "{told}: {line:?} mates, we say {ours:?}");
    false
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
fn plain(position: &Chess, side: Color, most: usize) -> Option<bool> {
    let mut seen = BTreeSet::from([state(position)]);
    let mut open = vec![position.clone()];
    while let Some(here) = open.pop() {
        let moves = here.legal_moves();
        if moves.is_empty() && here.is_check() && here.turn() != side {
            return Some(true);
        }
        for m in moves {
            let mut child = here.clone();
            child.play_unchecked(m);
            if seen.insert(state(&child)) {
                open.push(child);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(false)
}

/// What tells positions apart: the men, whose move it is, who may castle or capture en passant.
fn state(position: &Chess) -> [u64; 9] {
    let board = position.board();
    let [pawn, knight, bishop, rook, queen, king] =
        Role::ALL.map(|role| u64::from(board.by_role(role)));
    let rights = u64::from(position.castles().castling_rights());
    let target = position.legal_ep_square().map_or(64, u64::from);
    let turn = u64::from(position.turn().is_white()) << 8 | target;
    [pawn, knight, bishop, rook, queen, king, u64::from(board.white()), rights, turn]
}

fn seeds() -> Vec<Setup> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dead/cases.tsv");
    seeds_of(&fs::read_to_string(path).unwrap())
}

/// These, and the collected positions where they exist.
fn more_seeds() -> Vec<Setup> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/cases/dead_positions.tsv");
    let mut all = seeds();
    all.extend(fs::read_to_string(path).iter().flat_map(|text| seeds_of(text)));
    println!("{} seeds", all.len());
    all
}

/// Those for which the kinds of proof are needed that random positions seldom lead to: regions below
/// the root, and men that are held.
fn rarely_proved(seeds: &[Setup]) -> [Vec<Setup>; 2] {
    let holding = |region: &Region| !region.held.is_empty();
    let kind = |proof: &Proof| match proof {
        Proof::Region(region) if holding(region) => Some(1),
        Proof::Enumeration(all) if all.leaves.iter().any(|(_, one)| holding(one)) => Some(1),
        Proof::Enumeration(all) if !all.leaves.is_empty() => Some(0),
        _ => None,
    };
    let mut rare = [Vec::new(), Vec::new()];
    for setup in seeds {
        let Ok(position) = Chess::from_setup(setup.clone(), CastlingMode::Standard) else {
            continue;
        };
        for side in Color::ALL {
            let verdict = can_mate(&position, side, Budget::new(20_000));
            if let Some(kind) = verdict.certificate().and_then(|one| kind(&one.proof)) {
                rare[kind].push(setup.clone());
            }
        }
    }
    println!("{} need regions below the root, {} men that are held", rare[0].len(), rare[1].len());
    rare
}

fn seeds_of(text: &str) -> Vec<Setup> {
    let hard = text.lines().skip(1).filter(|row| {
        let columns: Vec<&str> = row.split('\t').collect();
        columns[1] != "yes" || columns[2] != "yes"
    });
    hard.map(|row| row.split('\t').next().unwrap().parse::<Fen>().unwrap().into_setup()).collect()
}

/// One to three edits of a known position: a man moved, added, removed, changed; or the turn.
fn mutated(rng: &mut ChaCha8Rng, seeds: &[Setup]) -> Setup {
    let edits = rng.random_range(1..=3);
    edited(rng, seeds, edits)
}

fn edited(rng: &mut ChaCha8Rng, seeds: &[Setup], edits: u32) -> Setup {
    let mut setup = seeds.choose(rng).unwrap().clone();
    setup.ep_square = None;
    for _ in 0..edits {
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

/// A square of the three by three in the corner `h1`, or with pawns also on the rank above.
fn near_corner(rng: &mut ChaCha8Rng, ranks: u32) -> Square {
    Square::new(8 * rng.random_range(0..ranks) + rng.random_range(5..8))
}

/// A king among its own men in a corner, shut in by enemy pawns, and a pawn wall beside it: men that
/// are held, walls that stand while nobody is captured.
fn caged(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::empty();
    let board = &mut setup.board;
    board.set_piece_at(near_corner(rng, 2), Color::White.king());
    for _ in 0..rng.random_range(1..=4) {
        let square = near_corner(rng, 3);
        let roles = [Role::Pawn, Role::Pawn, Role::Bishop, Role::Knight, Role::Rook];
        let role = *roles.choose(rng).unwrap();
        let back = square.rank() == shakmaty::Rank::First && role == Role::Pawn;
        if board.piece_at(square).is_none() && !back {
            board.set_piece_at(square, Piece { color: Color::White, role });
        }
    }
    let pawns = board.by_piece(Color::White.pawn());
    for pawn in pawns {
        if let Some(front) = pawn.offset(8)
            && board.piece_at(front).is_none()
            && rng.random_range(0..8) > 0
        {
            board.set_piece_at(front, Color::Black.pawn());
        }
    }
    let (from, to) = *[(0, 5), (0, 8), (4, 8), (2, 5)].choose(rng).unwrap();
    files(rng, board, from..to, 0);
    place(rng, board, Color::Black.king());
    for _ in 0..rng.random_range(0..=2) {
        let role = *[Role::Bishop, Role::Bishop, Role::Knight, Role::Rook].choose(rng).unwrap();
        let color = Color::from_white(rng.random());
        place(rng, board, Piece { color, role });
    }
    turned(rng, setup)
}

/// Men in a corner that nobody frees but by a capture there, and the rank of the wall that goes on
/// beside them, if they need one.
const HELD: [(&str, Option<u32>); 5] = [
    ("8/8/8/8/1p6/1Pp5/K1P5/RB6", Some(2)),
    ("8/8/8/8/8/1p1p4/1P1P4/KRB5", Some(1)),
    ("8/8/8/1p6/1Pp5/K1P5/RB6/8", Some(3)),
    ("8/8/kp6/bp6/bp6/1p6/1P6/8", None),
    ("8/1k6/1p6/1P6/BP6/BP6/1P6/8", None),
];

/// A corner whose men are held, the wall from there to the other side, and bishops that may take
/// them.
fn held(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::empty();
    let board = &mut setup.board;
    let (corner, rank) = *HELD.choose(rng).unwrap();
    *board = corner.parse::<Board>().unwrap();
    for file in [3, 5, 7] {
        if let Some(rank) = rank
            && board
                .by_piece(Color::White.pawn())
                .is_disjoint(Bitboard::from_file(shakmaty::File::new(file)))
            && rng.random_range(0..16) > 0
        {
            let white = Square::new(8 * rank + file);
            board.set_piece_at(white, Color::White.pawn());
            board.set_piece_at(Square::new(8 * (rank + 1) + file), Color::Black.pawn());
        }
    }
    for color in Color::ALL {
        if board.king_of(color).is_none() {
            place(rng, board, color.king());
        }
    }
    for _ in 0..*[0, 1, 1, 1, 2, 3].choose(rng).unwrap() {
        let color = Color::from_white(rng.random_range(0..4) == 0);
        let role = if rng.random_range(0..12) == 0 { Role::Knight } else { Role::Bishop };
        place(rng, board, Piece { color, role });
    }
    match rng.random_range(0..3) {
        0 => retreat(rng, board),
        1 => checked(rng, board, Color::from_white(corner.contains('K'))),
        _ => {}
    }
    if rng.random_range(0..5) == 0 {
        setup = mutated(rng, &[setup]);
    }
    turned(rng, setup)
}

/// Somebody checks this king, and a bishop can take him: the corner is held only after that.
fn checked(rng: &mut ChaCha8Rng, board: &mut Board, side: Color) {
    let Some(king) = board.king_of(side) else { return };
    let role = *[Role::Knight, Role::Rook, Role::Queen, Role::Queen].choose(rng).unwrap();
    let checker = Piece { color: !side, role };
    let empty = |square: &Square, board: &Board| board.piece_at(*square).is_none();
    let seen = attacks::attacks(king, checker, board.occupied());
    let from: Vec<Square> = seen.into_iter().filter(|square| empty(square, board)).collect();
    let Some(&from) = from.choose(rng) else { return };
    board.set_piece_at(from, checker);
    let seen = attacks::bishop_attacks(from, board.occupied());
    let takers: Vec<Square> = seen.into_iter().filter(|square| empty(square, board)).collect();
    if let Some(&taker) = takers.choose(rng) {
        board.set_piece_at(taker, side.bishop());
    }
}

/// Takes back a step of one pawn, if there is room: then the wall is still to be shut.
fn retreat(rng: &mut ChaCha8Rng, board: &mut Board) {
    let pawns: Vec<Square> = board.pawns().into_iter().collect();
    let Some((pawn, piece)) =
        pawns.choose(rng).and_then(|&pawn| Some((pawn, board.piece_at(pawn)?)))
    else {
        return;
    };
    let back = pawn.offset(piece.color.fold_wb(-8, 8));
    let back = back.filter(|&square| !Bitboard::BACKRANKS.contains(square));
    if let Some(back) = back.filter(|&square| board.piece_at(square).is_none()) {
        board.discard_piece_at(pawn);
        board.set_piece_at(back, piece);
    }
}

/// Kings that have no move as long as nobody frees them.
const CAGES: [&str; 7] = [
    "1k6/1P6/BP6/1P6/8/8/8/8",
    "Bk6/1P6/1P6/8/8/8/8/8",
    "8/1p6/1P6/KP6/PP6/8/8/8",
    "8/8/8/1p6/1P6/KP6/PP6/8",
    "8/8/8/8/8/1p6/pP6/K7",
    "8/8/8/8/1p6/1P6/BP6/KRB5",
    "kb6/b1p5/1pP5/1P6/8/8/8/8",
];

/// A king without a move, and pawns that run towards each other: who has to move when nothing is
/// left?
fn race(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::empty();
    let board = &mut setup.board;
    *board = CAGES.choose(rng).unwrap().parse::<Board>().unwrap();
    let many = rng.random_range(1..=3);
    let first = rng.random_range(3..=8 - many);
    files(rng, board, first..first + many, 3);
    for color in Color::ALL {
        if board.king_of(color).is_none() {
            place(rng, board, color.king());
        }
    }
    if rng.random_range(0..3) == 0 {
        let role = *[Role::Bishop, Role::Knight, Role::Pawn].choose(rng).unwrap();
        let color = Color::from_white(rng.random());
        place(rng, board, Piece { color, role });
    }
    turned(rng, setup)
}

/// Pawns that face each other on most of these files, so many squares between them at most.
fn files(rng: &mut ChaCha8Rng, board: &mut Board, files: std::ops::Range<u32>, gap: u32) {
    for file in files {
        let below = rng.random_range(1..=4);
        let above = below + 1 + rng.random_range(0..=gap.min(5 - below));
        let (white, black) = (Square::new(8 * below + file), Square::new(8 * above + file));
        let free = board.piece_at(white).is_none() && board.piece_at(black).is_none();
        if free && rng.random_range(0..6) > 0 {
            board.set_piece_at(white, Color::White.pawn());
            board.set_piece_at(black, Color::Black.pawn());
        }
    }
}

/// The same for either colour and either side of the board, somebody to move.
fn turned(rng: &mut ChaCha8Rng, mut setup: Setup) -> Setup {
    if rng.random() {
        setup.board.flip_horizontal();
    }
    if rng.random() {
        let men = setup.board.clone().into_iter();
        let other = |piece: Piece| Piece { color: !piece.color, ..piece };
        setup.board = men.map(|(at, piece)| (at.flip_vertical(), other(piece))).collect();
    }
    setup.turn = Color::from_white(rng.random());
    // Who is in check is to move.
    let board = &setup.board;
    let king = board.king_of(!setup.turn);
    let taken = |king| board.attacks_to(king, setup.turn, board.occupied()).any();
    if king.is_some_and(taken) {
        setup.turn = !setup.turn;
    }
    with_rights(rng, setup)
}
