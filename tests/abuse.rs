//! Nonsense from the board and from people: no panic, no loop that never ends, no wrong end.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::{collections::BTreeMap, time::Duration};

use dgtd::{
    arbiter::{
        Arbiter, EventKind, Input, Options, Output, Refusal, Reply, Request, event::ClaimReason,
        request::NewGame,
    },
    units::{Ply, Stamp},
};
use rand::{Rng, SeedableRng, seq::IndexedRandom as _};
use rand_chacha::ChaCha8Rng;

/// Lets all deadlines up to `until` pass; panics when they do not move on.
fn wait(arbiter: &mut Arbiter, now: &mut Stamp, until: Stamp, out: &mut Vec<Output>) {
    let mut at_once = 0;
    while let Some(due) = arbiter.deadline().filter(|&due| due <= until) {
        at_once = if due > *now { 0 } else { at_once + 1 };
        assert!(at_once < 50, "the deadline {due:?} does not move on at {now:?}");
        *now = (*now).max(due);
        arbiter.advance(Input::Timeout, *now, out);
        look(out);
    }
    *now = (*now).max(until);
}

/// Looks at what came out; questions are left unanswered.
fn look(out: &mut Vec<Output>) {
    for output in out.drain(..) {
        let Output::Event(event) = output else { continue };
        assert!(!event.to_json().is_empty());
        if let EventKind::Attention { text, .. } = &event.kind {
            assert!(!text.contains("could not be recorded"), "{text}");
        }
    }
}

const FENS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q5BQ/Q1k1K1QQ w - - 0 1",
    "k7/8/8/8/8/8/PPPPPPPP/K7 w - - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "KKKKKKKK/8/8/8/8/8/8/kkkkkkkk w - - 0 1",
    "kKkKkKkK/KkKkKkKk/kKkKkKkK/KkKkKkKk/kKkKkKkK/KkKkKkKk/kKkKkKkK/KkKkKkKk w - - 0 1",
    "PPPPPPPP/8/8/k7/8/8/8/K6P w - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 4294967295 4294967295",
    "4k3/8/8/8/8/8/8/4K2R w K - 150 1",
    "4k3/8/8/8/8/8/8/4K2R b K - 149 1",
    "8/8/8/8/3k4/8/8/3K4 w - - 0 1",
    "8/8/8/8/3k4/3K4/8/8 w - - 0 1",
    "5k2/5P2/5K2/8/8/8/8/8 b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "RNBQKBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbqkbnr w - - 0 1",
];

fn random_fen(random: &mut ChaCha8Rng) -> String {
    if random.random_bool(0.5) {
        return (*FENS.choose(random).unwrap()).to_owned();
    }
    let mut text = String::new();
    let men = b"pnbrqkPNBRQK1234";
    let few = random.random_bool(0.5);
    for rank in 0..8 {
        if rank > 0 {
            text.push('/');
        }
        let mut left = 8;
        while left > 0 {
            if few && random.random_bool(0.8) {
                let n = random.random_range(1..=left);
                text.push(char::from(b'0' + n));
                left -= n;
                continue;
            }
            let c = *men.choose(random).unwrap();
            if c.is_ascii_digit() {
                let n = (c - b'0').min(left);
                text.push(char::from(b'0' + n));
                left -= n;
            } else {
                text.push(char::from(c));
                left -= 1;
            }
        }
    }
    let turn = if random.random_bool(0.5) { 'w' } else { 'b' };
    let castling = ["-", "KQkq", "HAha", "Kq"].choose(random).unwrap();
    format!("{text} {turn} {castling} - {} 1", random.random_range(0..160))
}

fn random_request(random: &mut ChaCha8Rng, ply: u32) -> Request {
    let expected_ply = Ply(if random.random_bool(0.8) {
        ply
    } else {
        *[0, 1, u32::MAX, 7].choose(random).unwrap()
    });
    let texts =
        ["", "Nf3", "e2e4", "0000", "O-O", "@", "Q@e4", "e7e8k", "\0", "♞f3", "Qxf7#", "a1a1"];
    match random.random_range(0..11) {
        0 | 1 => Request::NewGame(NewGame {
            fen: random.random_bool(0.8).then(|| random_fen(random)),
            edition: random.random_bool(0.2).then(|| "fide-2014".into()),
            chess960: random.random_bool(0.3),
            tags: BTreeMap::new(),
        }),
        2 => Request::SetPosition { fen: random_fen(random), expected_ply },
        3 => Request::Undo { plies: *[0, 1, 2, 5, u32::MAX].choose(random).unwrap(), expected_ply },
        4 => Request::SetResult {
            result: (*["1-0", "*", "x", "1/2-1/2"].choose(random).unwrap()).into(),
            reason: "x".repeat(random.random_range(0..2000)),
            expected_ply,
        },
        5 => Request::SetFlipped(random.random_bool(0.5)),
        6 if random.random_bool(0.3) => Request::Identify,
        6 => Request::Resync,
        7 => Request::SetTags(BTreeMap::from([("White".into(), "x\"\\\n".into())])),
        8 => Request::SetEdition {
            edition: (*["fide-1997", "fide-2014", "1", "fide-2023"].choose(random).unwrap()).into(),
            expected_ply,
        },
        9 => Request::Close,
        _ => Request::CheckClaim {
            kind: if random.random_bool(0.5) {
                ClaimReason::FiftyMoves
            } else {
                ClaimReason::ThreefoldRepetition
            },
            announced: random.random_bool(0.6).then(|| (*texts.choose(random).unwrap()).to_owned()),
            expected_ply,
        },
    }
}

fn random_bytes(random: &mut ChaCha8Rng, legal: &[u8; 64]) -> Vec<u8> {
    match random.random_range(0..10) {
        0 => (0..random.random_range(1..80)).map(|_| random.random()).collect(),
        1 => {
            // A dump of anything.
            let mut bytes = vec![0x86, 0, 67];
            let top = *[0x0d_u8, 0x10, 0x80].choose(random).unwrap();
            bytes.extend((0..64).map(|_| random.random_range(0..top)));
            bytes
        }
        2 => {
            let mut bytes = vec![0x86, 0, 67];
            bytes.extend(legal);
            bytes
        }
        3 => {
            let mut bytes = vec![0x8d, 0, 10];
            bytes.extend((0..7).map(|_| random.random_range(0..128_u8)));
            bytes
        }
        4 => {
            // A clock that says times.
            let running = 0x01_u8;
            let left = if random.random_bool(0.5) { 0x02 } else { 0x04 };
            vec![0x8d, 0, 10, 0, 5, 0x30, 0, 5, 0x30, running | left]
        }
        5 => vec![0x86, 0, 67, 1, 2],
        _ => vec![0x8e, 0, 5, random.random_range(0..64), random.random_range(0..14)],
    }
}

const ARRAY: [u8; 64] = {
    let mut squares = [0_u8; 64];
    let back = [0x08, 0x09, 0x0a, 0x0c, 0x0b, 0x0a, 0x09, 0x08];
    let mut at = 0;
    while at < 8 {
        squares[at] = back[at];
        squares[8 + at] = 7;
        squares[48 + at] = 1;
        squares[56 + at] = back[at] - 6;
        at += 1;
    }
    squares
};

fn run(seed: u64, steps: u32) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut arbiter = Arbiter::new("b1".parse().unwrap(), Options::default());
    let mut now = Stamp::ZERO;
    let mut out = Vec::new();
    arbiter.advance(Input::Attached { port: "x" }, now, &mut out);
    for _ in 0..steps {
        let pause =
            Duration::from_micros(*[10, 40_000, 400_000, 3_000_000].choose(&mut random).unwrap());
        let until = now + pause;
        wait(&mut arbiter, &mut now, until, &mut out);
        match random.random_range(0..40) {
            0 => arbiter.advance(Input::Detached, now, &mut out),
            1 => arbiter.advance(Input::Attached { port: "y" }, now, &mut out),
            2 => arbiter.advance(Input::Overheard(&[0x42, 0x2b, 3]), now, &mut out),
            3 | 4 => {
                let ply = arbiter.status().game.map_or(0, |game| game.ply.0);
                let request = random_request(&mut random, ply);
                let _ = arbiter.request(request, now, &mut out);
            }
            5 => {
                arbiter.settle(now, now + Duration::from_secs(5), &mut out);
            }
            _ => {
                let bytes = random_bytes(&mut random, &ARRAY);
                arbiter.advance(Input::Bytes(&bytes), now, &mut out);
            }
        }
        look(&mut out);
        let _ = arbiter.status();
    }
    arbiter.finish(now, &mut out);
}

#[test]
fn nonsense_does_no_harm() {
    let first = std::env::var("SEED").map_or(0, |seed| seed.parse().unwrap());
    let seeds = std::env::var("SEEDS").map_or(60, |seeds| seeds.parse().unwrap());
    let mut bad = Vec::new();
    for seed in first..first + seeds {
        let steps = std::env::var("STEPS").map_or(400, |steps| steps.parse().unwrap());
        if std::panic::catch_unwind(|| run(seed, steps)).is_err() {
            bad.push(seed);
        }
    }
    assert!(bad.is_empty(), "seeds {bad:?}");
}

fn asked(arbiter: &mut Arbiter, request: Request) -> Result<Reply, Refusal> {
    arbiter.request(request, Stamp::ZERO, &mut Vec::new())
}

fn game(fen: &str, chess960: bool) -> Request {
    Request::NewGame(NewGame { fen: Some(fen.into()), chess960, ..NewGame::default() })
}

#[test]
fn any_fen_is_taken_or_refused() {
    for fen in FENS {
        for chess960 in [false, true] {
            let mut arbiter = Arbiter::new("b1".parse().unwrap(), Options::default());
            let answer = asked(&mut arbiter, game(fen, chess960));
            let fine = matches!(answer, Ok(Reply::Game(1)) | Err(Refusal::IllegalPosition { .. }));
            assert!(fine, "{fen}: {answer:?}");
        }
    }
}

#[test]
fn people_cannot_fill_the_memory() {
    let mut arbiter = Arbiter::new("b1".parse().unwrap(), Options::default());
    let long = "x".repeat(1_000_000);
    let tags = |from: u32, count: u32, value: &str| -> BTreeMap<String, String> {
        (from..from + count).map(|n| (format!("Tag{n}"), value.to_owned())).collect()
    };
    let refusal = asked(&mut arbiter, game(&long, false)).unwrap_err().to_string();
    assert!(refusal.len() < 500, "{refusal}");
    assert_eq!(asked(&mut arbiter, game(FENS[1], false)), Ok(Reply::Game(1)));
    assert_eq!(asked(&mut arbiter, Request::SetTags(tags(0, 60, "é"))), Ok(Reply::Done));
    let refused = asked(&mut arbiter, Request::SetTags(tags(30, 60, "x")));
    assert_eq!(refused, Err(Refusal::TooManyTags(64)));
    assert_eq!(asked(&mut arbiter, Request::SetTags(tags(30, 34, "x"))), Ok(Reply::Done));
    let refused = asked(&mut arbiter, Request::SetTags(tags(0, 1, &long)));
    assert_eq!(refused, Err(Refusal::TooLong { what: "tag value", most: 255 }));
    let expected_ply = Ply(0);
    let claim = Request::CheckClaim {
        kind: ClaimReason::FiftyMoves,
        announced: Some(long.clone()),
        expected_ply,
    };
    assert_eq!(
        asked(&mut arbiter, claim),
        Err(Refusal::TooLong { what: "announced move", most: 255 })
    );
    let result = Request::SetResult { result: "1-0".into(), reason: long, expected_ply };
    assert_eq!(asked(&mut arbiter, result), Err(Refusal::TooLong { what: "reason", most: 255 }));
    assert_eq!(arbiter.status().game.unwrap().tags.len(), 64);
}
