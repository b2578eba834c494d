//! One message never costs the board's task more than a few milliseconds, whatever hands, hardware and
//! line do, or a tenth of a second when moves were played while the cable was out: the positions that the tracker looks at for it are counted, and held to a bound.

#![allow(clippy::unwrap_used, reason = "tests")]

mod sim;

use dgtd::{
    arbiter::{Arbiter, Input, Options},
    link::LinkOptions,
    units::Stamp,
};
use sim::{
    board::{self, LineEvent},
    chance::Chance,
    games,
    profile::{self, Profile},
    session::Session,
};

/// Positions that one call may look at; each costs about half a microsecond.
const MOST: u64 = 18_000;

/// So many when the board is read again after a gap, once a placement: what is not found then is lost.
const MOST_AFTER_A_GAP: u64 = 250_000;

/// Sessions of each profile: those of `benches/tracker.rs`, and as many others.
const SEEDS: [u64; 2] = [77_000, 4_210_000];
const SESSIONS: u64 = 6;

/// Sessions in which one call looked at a million positions and more before there was a bound.
const COSTLY: [(&str, u64); 1] = [("flaky", 77_070)];

/// Sessions in which a move was shown and put right in one call, and was then told as if made in another
/// position: a build with assertions finds it.
const SHOWN_FOR_NO_TIME: [(&str, u64); 2] = [("flaky", 77_138), ("flaky", 77_144)];

/// The most positions looked at in one call of a session, and when.
fn costliest(profile: &Profile, seed: u64) -> (u64, Stamp) {
    let mut chance = Chance::new(seed, 0);
    let plan = |chance: &mut Chance| {
        if profile.variants { games::variant(chance) } else { games::made(chance) }
    };
    let plans: Vec<_> = (0..2).map(|_| plan(&mut chance)).collect();
    let (events, _) = board::record(&Session::plan(profile, seed, &plans));
    let link = LinkOptions { passive: true, ..LinkOptions::default() };
    let options = Options { link, ..Options::default() };
    let mut arbiter = Arbiter::new("work".parse().unwrap(), options);
    let mut out = Vec::new();
    let mut worst = (0, Stamp::ZERO);
    let mut advance = |arbiter: &mut Arbiter, input: Input<'_>, at: Stamp| {
        let before = arbiter.looked_at();
        arbiter.advance(input, at, &mut out);
        out.clear();
        worst = worst.max((arbiter.looked_at().saturating_sub(before), at));
    };
    for (at, event) in events {
        let at = Stamp::from_nanos(at);
        let mut last = None;
        while let Some(due) = arbiter.deadline().filter(|&due| due <= at && last != Some(due)) {
            last = Some(due);
            advance(&mut arbiter, Input::Timeout, due);
        }
        match event {
            LineEvent::Up => advance(&mut arbiter, Input::Attached { port: "" }, at),
            LineEvent::Down => advance(&mut arbiter, Input::Detached, at),
            LineEvent::Bytes(bytes) => advance(&mut arbiter, Input::Bytes(&bytes), at),
        }
    }
    worst
}

#[test]
fn no_call_looks_at_more_positions_than_it_may() {
    for profile in profile::all() {
        let seeds = SEEDS.into_iter().flat_map(|first| first..first + SESSIONS);
        let costly = COSTLY.into_iter().chain(SHOWN_FOR_NO_TIME);
        let costly = costly.filter(|(name, _)| *name == profile.name);
        let seeds = seeds.chain(costly.map(|(_, seed)| seed));
        let all = seeds.map(|seed| (costliest(&profile, seed), seed));
        let ((most, at), seed) = all.max().unwrap();
        println!("{:14} {most:6} positions in one call, seed {seed} at {at}", profile.name);
        let bound = if profile.name == "flaky" { MOST_AFTER_A_GAP } else { MOST };
        assert!(most <= bound, "{}: {most} positions in one call, at {at} of {seed}", profile.name);
    }
}
