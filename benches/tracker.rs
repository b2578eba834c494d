//! How fast a board's bytes become confirmed moves and law events, and what a board costs in
//! memory, beside the framer alone over the same bytes in the same run. `cargo bench --bench tracker`.
//!
//! The captures are simulated: every profile of hands, clocks and cables that the accuracy tests use.

#![allow(clippy::unwrap_used, reason = "a bench stops at what it did not expect")]
#![expect(clippy::cast_precision_loss, reason = "counts here are far below 2^53")]

#[path = "../tests/sim/mod.rs"]
mod sim;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    hint::black_box,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use dgtd::{
    arbiter::{Arbiter, Event, EventKind, Input, Options, Output},
    capture::{Record, What},
    dead,
    game::{History, Past},
    laws::{DeadAnswer, Edition, verdict},
    link::{Link, LinkOptions},
    replay::Replay,
    units::{BoardId, Stamp},
    wire::{Framer, Item},
};
use shakmaty::{CastlingMode, Chess, Move, Position as _, fen::Fen};
use sim::{
    board::{self, LineEvent},
    chance::{Chance, Span},
    games, profile,
    session::Session,
};

/// Sessions of each profile.
const SESSIONS: u64 = 6;

/// Boards that live at the same time.
const BOARDS: usize = 1_000;

/// Plies played on one board.
const PLIES: u64 = 1_000_000;

/// How long they are followed, in seconds of their time.
const LIVE_SECONDS: u64 = 60;

/// Counts what is allocated: the bytes that are held, and how often memory was asked for.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static ASKED: AtomicUsize = AtomicUsize::new(0);

#[expect(unsafe_code, reason = "the only way to count; it passes on to the system's allocator")]
// SAFETY: every call is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        ASKED.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LIVE.fetch_add(size, Ordering::Relaxed);
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        ASKED.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "a bench measures")]
    Instant::now()
}

/// A capture of one session in memory.
fn capture(profile: &profile::Profile, seed: u64) -> Vec<Record> {
    let mut chance = Chance::new(seed, 0);
    let plan = |chance: &mut Chance| {
        if profile.variants { games::variant(chance) } else { games::made(chance) }
    };
    let plans: Vec<_> = (0..2).map(|_| plan(&mut chance)).collect();
    let session = Session::plan(profile, seed, &plans);
    let (events, _) = board::record(&session);
    let what = |event| match event {
        LineEvent::Up => What::Connected,
        LineEvent::Down => What::Disconnected,
        LineEvent::Bytes(bytes) => What::FromBoard(bytes),
    };
    events
        .into_iter()
        .map(|(at, event)| Record { at: Stamp::from_nanos(at), what: what(event) })
        .collect()
}

fn passive() -> Options {
    let link = LinkOptions { passive: true, ..LinkOptions::default() };
    Options { link, ..Options::default() }
}

fn name() -> BoardId {
    "bench".parse().unwrap()
}

/// A framer over a capture; answers the messages in it.
fn framed(records: &[Record]) -> u64 {
    let mut framer = Framer::default();
    let mut messages = 0;
    for record in records {
        if let What::FromBoard(bytes) = &record.what {
            framer.push(bytes, record.at, |item| {
                messages += u64::from(matches!(item, Item::Message(_)));
            });
        }
    }
    messages
}

fn replayed(records: &[Record]) -> usize {
    let mut replay = Replay::new(name(), Options::default());
    let mut events = Vec::new();
    let mut count = 0;
    for record in records {
        replay.record(record, &mut events);
        count += events.len();
        events.clear();
    }
    replay.finish(&mut events);
    count + events.len()
}

/// The time that this thread has spent on a processor: others on the machine do not count.
fn spent() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(now).unwrap_or_default()
}

/// The best of some runs.
fn best(runs: u32, mut run: impl FnMut()) -> Duration {
    let time = |run: &mut dyn FnMut()| {
        let start = spent();
        run();
        spent().saturating_sub(start)
    };
    (0..runs).map(|_| time(&mut run)).min().unwrap_or_default()
}

/// A board fed from a capture, as the daemon feeds it. Questions go unanswered here: the daemon has
/// them worked out elsewhere.
#[derive(Clone)]
struct Live<'a> {
    arbiter: Arbiter,
    records: &'a [Record],
    out: Vec<Output>,
    now: Stamp,
}

/// What one call of the core gave.
#[derive(Default)]
struct Call {
    took: Duration,
    moves: usize,
}

impl<'a> Live<'a> {
    fn new(records: &'a [Record]) -> Live<'a> {
        let arbiter = Arbiter::new(name(), passive());
        Live { arbiter, records, out: Vec::new(), now: Stamp::ZERO }
    }

    fn advance(&mut self, input: Input<'_>, at: Stamp) -> Call {
        self.now = self.now.max(at);
        let start = now();
        self.arbiter.advance(input, self.now, &mut self.out);
        let mut call = Call { took: start.elapsed(), moves: 0 };
        for output in self.out.drain(..) {
            if let Output::Event(event) = output {
                call.moves += usize::from(matches!(event.kind, EventKind::Move { .. }));
            }
        }
        call
    }

    /// Feeds what happens up to a moment; tells of each call that had bytes to work on.
    fn until(&mut self, until: Stamp, mut told: impl FnMut(usize, Call)) {
        while let Some((record, rest)) = self.records.split_first() {
            if record.at > until {
                break;
            }
            self.records = rest;
            let mut last = None;
            while let Some(due) = self.arbiter.deadline().filter(|due| *due <= record.at) {
                if last == Some(due) {
                    break;
                }
                last = Some(due);
                self.advance(Input::Timeout, due);
            }
            match &record.what {
                What::Connected => _ = self.advance(Input::Attached { port: "" }, record.at),
                What::Disconnected => _ = self.advance(Input::Detached, record.at),
                What::FromBoard(bytes) => {
                    told(bytes.len(), self.advance(Input::Bytes(bytes), record.at));
                }
                What::ToBoard(_) | What::Remark(_) => {}
            }
        }
    }
}

/// Careful people and club players at the pace of tournament games: the simulator's own games are
/// played fast, so that few messages of the clock, which a board sends every second, come to a ply.
fn paced() -> Vec<profile::Profile> {
    // The mean of a span lies at a third of its way.
    let (rapid, classical) = ((Span(5.0, 50.0), (1_500, 10)), (Span(15.0, 240.0), (7_200, 30)));
    let paced = |name, (think, control), calm: profile::Profile| {
        let hands = profile::Hands { think, ..calm.hands };
        let clock = profile::ClockUse { control, ..calm.clock };
        profile::Profile { name, clock, hands, ..calm }
    };
    vec![
        paced("clean, rapid: 20 s a ply", rapid, profile::clean()),
        paced("club, rapid: 20 s a ply", rapid, profile::club()),
        paced("clean, classical: 90 s a ply", classical, profile::clean()),
        paced("club, classical: 90 s a ply", classical, profile::club()),
    ]
}

fn captures_of(profiles: &[profile::Profile]) -> Vec<(&'static str, Vec<Vec<Record>>)> {
    let sessions = |p: &profile::Profile| (0..SESSIONS).map(|s| capture(p, 77_000 + s)).collect();
    profiles.iter().map(|p| (p.name, sessions(p))).collect()
}

fn main() {
    let captures = captures_of(&profile::all());
    throughput(&captures, true);
    println!("## The same at the pace of tournament games, in no row above\n");
    let paced = captures_of(&paced());
    throughput(&paced, false);
    println!("## One board through games of all paces, in no row above\n");
    throughput(&[(MIXED, vec![one_after_another(&captures, &paced)])], false);
    shares(&captures);
    latency(&captures);
    memory(&captures);
    allocations(&captures);
    growth(&captures);
    live(&captures);
}

/// Two fast sessions, two rapid and two classical ones of two games each, again and again.
const MIXED: &str =
    "one capture: as many games fast, rapid (20 s a ply) and classical (90 s a ply)";

/// One capture of clean and club sessions at every pace in turn, as a board of a hall sees them: each
/// begins a minute after the one before, and no pace has more games than another.
fn one_after_another(fast: &Captures<'_>, paced: &Captures<'_>) -> Vec<Record> {
    let fast = fast.iter().filter(|(name, _)| ["clean", "club"].contains(name));
    let groups: Vec<&Vec<Vec<Record>>> = fast.chain(paced).map(|(_, sessions)| sessions).collect();
    let mut records = Vec::new();
    let mut from = 0;
    let rounds = groups.iter().map(|sessions| sessions.len()).min().unwrap_or_default();
    for round in 0..rounds {
        for session in groups.iter().map(|sessions| &sessions[round]) {
            let later = |at: Stamp| Stamp::from_nanos(from + at.as_nanos());
            let moved = session.iter().map(|r| Record { at: later(r.at), what: r.what.clone() });
            records.extend(moved);
            from = records.last().map_or(from, |r| r.at.as_nanos()) + 60_000_000_000;
        }
    }
    records
}

type Captures<'a> = [(&'a str, Vec<Vec<Record>>)];

fn throughput(captures: &Captures<'_>, all: bool) {
    if all {
        println!("## Replay, one core, best of five runs in the thread's own time\n");
    }
    println!("| profile | messages | framer, million/s | replay, million/s | ns/message |");
    println!("|---|---:|---:|---:|---:|");
    let mut sums = (0, Duration::ZERO, Duration::ZERO);
    for (name, sessions) in captures {
        let messages: u64 = sessions.iter().map(|s| framed(s)).sum();
        let frame = best(5, || sessions.iter().for_each(|s| _ = black_box(framed(black_box(s)))));
        let whole = best(5, || sessions.iter().for_each(|s| _ = black_box(replayed(black_box(s)))));
        row(name, messages, frame, whole);
        sums = (sums.0 + messages, sums.1 + frame, sums.2 + whole);
    }
    if all {
        row("all", sums.0, sums.1, sums.2);
        println!("\ntarget: 2 million messages/s");
    }
    println!();
}

fn row(name: &str, messages: u64, frame: Duration, whole: Duration) {
    let rate = |time: Duration| messages as f64 / time.as_secs_f64() / 1e6;
    let each = whole.as_nanos() as f64 / messages as f64;
    println!("| {name} | {messages} | {:.2} | {:.3} | {each:.0} |", rate(frame), rate(whole));
}

/// A game as it is followed: its first position, or the next move.
enum Step {
    Start(Chess),
    Play(Move),
}

/// Takes positions for those of games, one after another.
fn steps(positions: &[Chess]) -> Vec<Step> {
    let mut before: Option<&Chess> = None;
    let mut steps = Vec::new();
    for position in positions {
        let played = before.and_then(|before| {
            before.legal_moves().into_iter().find(|&m| {
                let mut after = before.clone();
                after.play_unchecked(m);
                after == *position
            })
        });
        steps.push(played.map_or_else(|| Step::Start(position.clone()), Step::Play));
        before = Some(position);
    }
    steps
}

/// Judges every ply of games that are followed, as a live board does; says how many stay unknown.
fn followed(steps: &[Step]) -> usize {
    let mut running = dead::Running::new(&Chess::default(), dead::Budget::LIVE);
    let mut unknown = 0;
    for step in steps {
        match step {
            Step::Start(position) => running = dead::Running::new(position, dead::Budget::LIVE),
            Step::Play(m) => _ = black_box(running.play(*m)),
        }
        unknown += usize::from(black_box(running.dead()) == dead::Dead::Unknown);
    }
    unknown
}

/// What the time of a replay goes into.
fn shares(captures: &Captures<'_>) {
    let sessions = || captures.iter().flat_map(|(_, sessions)| sessions);
    let whole = best(3, || sessions().for_each(|s| _ = black_box(replayed(s))));
    let positions: Vec<Chess> = sessions().flat_map(|s| confirmed(s)).collect();
    let steps: Vec<Step> = steps(&positions);
    let mut unknown = 0;
    let quick = best(3, || unknown = followed(&steps));
    let mut games = 0;
    let judged = best(3, || {
        games = 0;
        for position in &positions {
            let history = History::new(position.clone(), Past::Nothing);
            games += usize::from(
                verdict(&history, Edition::default(), DeadAnswer::Alive).over().is_some(),
            );
        }
    });
    let link = best(3, || sessions().for_each(|s| _ = black_box(linked(s))));
    println!("## What the time of a replay goes into: {} confirmed moves\n", positions.len());
    println!("| part | ms | share |\n|---|---:|---:|");
    let row = |name: &str, time: Duration| {
        let share = time.as_secs_f64() / whole.as_secs_f64() * 100.0;
        println!("| {name} | {:.1} | {share:.1} % |", time.as_secs_f64() * 1e3);
    };
    row("all", whole);
    row("framer and link", link);
    row(&format!("is it dead? each game followed ({unknown} left to longer searches)"), quick);
    row(&format!("verdicts on lone positions ({games} over)"), judged);
    row("the rest: tracker, counters, events", whole.saturating_sub(link + quick + judged));
    println!();
}

/// The positions after the confirmed moves of a capture.
fn confirmed(records: &[Record]) -> Vec<Chess> {
    let mut replay = Replay::new(name(), Options::default());
    let mut events = Vec::new();
    for record in records {
        replay.record(record, &mut events);
    }
    let fens = events.iter().filter_map(|event| match &event.kind {
        EventKind::Move { fen, .. } => Some(fen),
        _ => None,
    });
    fens.filter_map(|fen| fen.parse::<Fen>().ok()?.into_position(CastlingMode::Chess960).ok())
        .collect()
}

/// The line to a board alone; answers what it says of the board.
fn linked(records: &[Record]) -> usize {
    let mut link = Link::new(LinkOptions { passive: true, ..LinkOptions::default() });
    let mut out = Vec::new();
    let mut events = 0;
    for record in records {
        match &record.what {
            What::Connected => link.attach(record.at),
            What::FromBoard(bytes) => link.bytes(bytes, record.at, &mut out),
            _ => {}
        }
        events += out.len();
        out.clear();
    }
    events
}

fn latency(captures: &Captures<'_>) {
    println!("## Time in the core for the bytes that confirm a move, in µs\n");
    println!("| profile | moves | median | 99 % | worst | any bytes: median | 99 % | worst |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let (mut all_moves, mut all) = (Vec::new(), Vec::new());
    for (name, sessions) in captures {
        let (mut moves, mut any) = (Vec::new(), Vec::new());
        for session in sessions {
            Live::new(session).until(Stamp::from_nanos(u64::MAX), |_, call| {
                any.push(call.took);
                if call.moves > 0 {
                    moves.push(call.took);
                }
            });
        }
        all_moves.extend(&moves);
        all.extend(&any);
        latency_row(name, &mut moves, &mut any);
    }
    latency_row("all", &mut all_moves, &mut all);
    println!("\ntarget: below 50 µs from the last byte of a move to its event\n");
}

fn latency_row(name: &str, moves: &mut [Duration], any: &mut [Duration]) {
    let mut cells = vec![moves.len().to_string()];
    for times in [moves, any] {
        times.sort();
        for share in [500, 990, 1_000] {
            let at = times.get(times.len().saturating_sub(1) * share / 1_000);
            let at = at.copied().unwrap_or_default();
            cells.push(format!("{:.1}", at.as_nanos() as f64 / 1e3));
        }
    }
    println!("| {name} | {} |", cells.join(" | "));
}

/// KiB each of so many boards holds after the part of a capture that a moment ends.
fn held(count: usize, records: &[Record], until: Stamp) -> f64 {
    let before = LIVE.load(Ordering::Relaxed);
    let mut boards: Vec<Live<'_>> = Vec::with_capacity(count);
    for _ in 0..count {
        let mut board = Live::new(records);
        board.until(until, |_, _| {});
        boards.push(board);
    }
    let after = LIVE.load(Ordering::Relaxed);
    black_box(&boards);
    (after - before) as f64 / count as f64 / 1024.0
}

fn memory(captures: &Captures<'_>) {
    let (_, clean) = captures.iter().find(|(name, _)| *name == "clean").unwrap();
    let records = &clean[0];
    // The first dump sets up the game; the first square that changes ends the idle time.
    let first_change = records
        .iter()
        .find(|r| matches!(&r.what, What::FromBoard(bytes) if bytes.first() == Some(&0x8e)))
        .map_or(Stamp::ZERO, |r| r.at);
    let idle = Stamp::from_nanos(first_change.as_nanos().saturating_sub(1));
    let last = records.last().map_or(Stamp::ZERO, |r| r.at);
    println!("## Memory a board, in KiB, mean of {BOARDS} boards (played: of 20)\n");
    println!("| state | KiB |\n|---|---:|");
    println!("| before the port is open | {:.1} |", held(BOARDS, &[], Stamp::ZERO));
    println!("| idle: game set up, nothing played | {:.1} |", held(BOARDS, records, idle));
    println!("| two games played | {:.1} |", held(20, records, last));
    println!("\ntarget: below 64 KiB for an idle board\n");
}

/// How often a call asks for memory.
fn asked(call: impl FnOnce()) -> usize {
    let before = ASKED.load(Ordering::Relaxed);
    call();
    ASKED.load(Ordering::Relaxed) - before
}

/// How often the core asks for memory: for a move from the first square that changes to its events,
/// and for messages that change nothing.
fn allocations(captures: &Captures<'_>) {
    println!("## Memory asked for: times\n");
    println!("| profile | a message | a confirmed move |\n|---|---:|---:|");
    for (name, sessions) in captures {
        let (mut messages, mut moves, mut times) = (0, 0, 0);
        for session in sessions {
            let mut board = Live::new(session);
            messages += framed(session);
            times += asked(|| {
                board.until(Stamp::from_nanos(u64::MAX), |_, call| moves += call.moves);
            });
        }
        let each = |count: f64| times as f64 / count;
        println!("| {name} | {:.2} | {:.1} |", each(messages as f64), each(moves as f64));
    }
    let (_, clean) = captures.iter().find(|(name, _)| *name == "clean").unwrap();
    let session = &clean[0];
    let (played, _) = session.split_at(session.len() / 2);
    let mut board = Live::new(played);
    board.until(Stamp::from_nanos(u64::MAX), |_, _| {});
    let bytes: Vec<u8> = played
        .iter()
        .filter_map(|record| match &record.what {
            What::FromBoard(bytes) => Some(&bytes[..]),
            _ => None,
        })
        .flatten()
        .copied()
        .collect();
    println!("\n| a message that changes nothing, 10,000 times | a message |\n|---|---:|");
    for (name, id, length) in [("clock", 0x8d, 10), ("square", 0x8e, 5), ("all squares", 0x86, 67)]
    {
        let last = bytes
            .windows(length)
            .rposition(|w| w[0] == id && w[1] == 0 && usize::from(w[2]) == length);
        let Some(at) = last else { continue };
        let message = &bytes[at..at + length];
        let mut now = board.now;
        let times = asked(|| {
            for _ in 0..10_000 {
                now = now + Duration::from_millis(100);
                board.advance(Input::Bytes(message), now);
            }
        });
        println!("| {name} | {:.3} |", times as f64 / 10_000.0);
    }
    println!();
}

/// A million plies on one board: the same games again and again.
fn growth(captures: &Captures<'_>) {
    let (_, clean) = captures.iter().find(|(name, _)| *name == "clean").unwrap();
    let records = &clean[0];
    let length = records.last().map_or(0, |record| record.at.as_nanos()) + 60_000_000_000;
    let mut replay = Replay::new(name(), Options::default());
    let mut events = Vec::new();
    let (mut plies, mut goal, mut round) = (0_u64, 10_000, 0);
    println!("| plies on one board | KiB held |\n|---:|---:|");
    while plies < PLIES {
        let from = round * length;
        round += 1;
        for record in records {
            let at = Stamp::from_nanos(from + record.at.as_nanos());
            replay.record(&Record { at, what: record.what.clone() }, &mut events);
            let moved = |event: &Event| matches!(event.kind, EventKind::Move { .. });
            plies += events.iter().filter(|event| moved(event)).count() as u64;
            events.clear();
        }
        if plies >= goal {
            // Between two games of the same length: what is held is what the same play holds.
            println!("| {plies} | {:.1} |", LIVE.load(Ordering::Relaxed) as f64 / 1024.0);
            goal *= 10;
        }
    }
    println!();
}

/// A thousand boards at once, each at another point of another session.
fn live(captures: &Captures<'_>) {
    let sessions: Vec<&Vec<Record>> = captures.iter().flat_map(|(_, s)| s).collect();
    let each = BOARDS.div_ceil(sessions.len());
    let mut boards: Vec<(u64, Live<'_>)> = Vec::new();
    for records in sessions {
        let last = records.last().map_or(0, |r| r.at.as_millis() / 1_000);
        let mut board = Live::new(records);
        for n in 0..each as u64 {
            let from = last.saturating_sub(LIVE_SECONDS) * n / each as u64;
            board.until(Stamp::from_millis(from * 1_000), |_, _| {});
            boards.push((from, board.clone()));
        }
    }
    boards.truncate(BOARDS);
    let (mut calls, mut bytes, mut moves) = (0_u64, 0_u64, 0_u64);
    let mut worst = Duration::ZERO;
    let start = now();
    for second in 1..=LIVE_SECONDS {
        for (from, board) in &mut boards {
            board.until(Stamp::from_millis((*from + second) * 1_000), |count, call| {
                calls += 1;
                bytes += count as u64;
                moves += call.moves as u64;
                worst = worst.max(call.took);
            });
        }
    }
    let took = start.elapsed();
    println!("## {BOARDS} boards at once for {LIVE_SECONDS} s of their time, one core\n");
    println!("reads {calls}, bytes {bytes}, moves {moves}");
    println!(
        "busy {:.3} s: {:.2} % of one core; longest single call {:.1} µs",
        took.as_secs_f64(),
        took.as_secs_f64() * 100.0 / LIVE_SECONDS as f64,
        worst.as_nanos() as f64 / 1e3
    );
}
