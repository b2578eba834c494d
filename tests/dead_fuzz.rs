//! Differential fuzzing of the dead-position analyser.
//!
//! Random and mutated positions (`dead/positions.rs`) are judged by us, by a plain enumerator without
//! any static rule, and by chasolver; every claim of ours is verified by its checker. A disagreement
//! between solvers is settled by replaying the mate line of the one that says "yes".
//!
//! `cargo test --test dead_fuzz` takes a few seconds. `DEAD_FUZZ_ROUNDS=1000000 cargo test --release
//! --test dead_fuzz -- --nocapture` goes on for hours and tells every 1,000 rounds how many positions
//! there were and which kinds of proof; `DEAD_FUZZ_SEED` sets the start. So many rounds take the
//! positions of `../shared/cases` for seeds as well, where they exist.

#![expect(clippy::unwrap_used, reason = "a test may stop at a broken case file")]

#[path = "dead/positions.rs"]
mod positions;

use std::{collections::BTreeSet, env, str::FromStr};

use chasolver::Winnability;
use dgtd::dead::{Budget, Dead, Proof, Region, Running, Winnable, can_mate, check};
use positions::{caged, edited, few_men, held, more_seeds, mutated, race, rights, seeds, wall};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, Role, Setup, fen::Epd, fen::Fen,
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
