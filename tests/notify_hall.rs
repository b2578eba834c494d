//! A hall of 600 boards on 30 simulated PCs in one `dgtctl notify`, and in one `dgtctl watch`: figures.
//!
//! Each PC is a private bus with this crate's own bus objects on it; boards are made up, not
//! tracked. `cargo test --release --test notify_hall -- --ignored --nocapture`
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    clippy::too_many_lines,
    reason = "in a test a wrong step is a failure, and one story is told from its beginning"
)]

mod emulator;
mod notify_support;
mod watch_support;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    sync::{Arc, atomic::Ordering},
    thread,
    time::Duration,
};

use dgtd::{
    arbiter::{
        Event, EventKind,
        event::{EndReason, Side},
        status::{GameStatus, Line, Stage},
    },
    config::BusChoice,
    laws::{Control, Supervision, text::Language},
    signals::{
        BoardHandle, BoardView, Boards,
        buzzer::BuzzerState,
        dbus::{Shared, serve},
        hub::{Hub, HubInput, JournalMeta, Parts},
    },
    units::{BoardId, Ply, Stamp},
};
use notify_support::{Bus, Desk, Double, now, wait};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

/// A PC with boards that only its bus knows of.
struct SimulatedPc {
    hub: mpsc::Sender<HubInput>,
    boards: Boards,
    _keep: Box<dyn std::any::Any + Send>,
}

impl SimulatedPc {
    async fn new(address: String, number: usize, count: usize) -> SimulatedPc {
        let (bus, records) = mpsc::channel(64);
        let (alerts_tx, alerts) = watch::channel(Arc::default());
        let (hub, inputs) = mpsc::channel(64);
        let meta = Arc::new(JournalMeta { id: format!("j{number}"), ..JournalMeta::default() });
        meta.oldest.store(1, Ordering::Relaxed);
        let parts = Parts {
            language: Language::default(),
            journal: None,
            meta: Arc::clone(&meta),
            in_memory: 1000,
            pgn: None,
            bus,
            buzzer: mpsc::channel(1).0,
            alerts: alerts_tx,
        };
        tokio::spawn(Hub::new(parts).run(inputs));
        let mut keep = Vec::new();
        let mut boards = BTreeMap::new();
        for board in 1..=count {
            let id: BoardId = format!("b{board}").parse().unwrap();
            let label = format!("Table {}", number * count + board);
            let mut view = BoardView::new(id.clone(), label, 1);
            view.status.line = Line::Ready;
            view.status.game = Some(game());
            view.game_id = format!("g{number}-{board}");
            let (view_tx, view) = watch::channel(Arc::new(view));
            let (requests, requests_rx) = mpsc::channel(1);
            keep.push((view_tx, requests_rx));
            boards.insert(id, BoardHandle { view, requests });
        }
        let boards = Arc::new(boards);
        let (boards_tx, boards_rx) = watch::channel(Arc::clone(&boards));
        let (buzzer_tx, buzzer) = watch::channel(BuzzerState::Absent);
        let (edition_tx, edition) = watch::channel("fide-2023".to_owned());
        let (daemon, daemon_rx) = mpsc::channel(1);
        let shared = Arc::new(Shared {
            language: Language::default(),
            version: "0.0.0",
            hostname: format!("pc{number}"),
            started_at: 5,
            boards: boards_rx,
            alerts,
            buzzer,
            edition,
            editions: vec!["fide-2023".into()],
            journal: meta,
            hub: hub.clone(),
            daemon,
            wall: || 1_700_000_000_000_000,
            dirty: Arc::new(Notify::new()),
        });
        let (first, served) = oneshot::channel();
        let stop = CancellationToken::new();
        tokio::spawn(serve(BusChoice::Address(address), shared, records, first, stop.clone()));
        served.await.unwrap().unwrap();
        let keep = Box::new((keep, boards_tx, buzzer_tx, edition_tx, daemon_rx, stop));
        SimulatedPc { hub, boards, _keep: keep }
    }

    async fn end_game(&self, board: usize) {
        let id: BoardId = format!("b{board}").parse().unwrap();
        let view = Arc::clone(&self.boards[&id].view.borrow());
        let kind = EventKind::GameOver {
            result: "1-0".into(),
            reason: EndReason::Checkmate,
            article: "5.1.1".into(),
            also: Vec::new(),
            ply: Ply(80),
            fen: String::new(),
            proof: None,
        };
        let event = Box::new(Event { board: id, t: Stamp::ZERO, game: Some(1), kind });
        let game_id = view.game_id.clone();
        let time_micros = 1_700_000_000_000_000;
        self.hub.send(HubInput::Event { event, view, game_id, time_micros }).await.unwrap();
    }
}

fn game() -> GameStatus {
    GameStatus {
        number: 1,
        edition: "fide-2023".into(),
        control: Control::Standard,
        supervision: Supervision::Shared,
        start_fen: shakmaty::fen::Fen::default().to_string(),
        stage: Stage::Playing,
        fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".into(),
        turn: Side::Black,
        ply: Ply(1),
        last_san: "e4".into(),
        provisional: String::new(),
        halfmove_clock: 0,
        repetitions: 1,
        exact: true,
        claims: Vec::new(),
        illegal: Vec::new(),
        illegal_counted: [0, 0],
        result: "*".into(),
        ending: None,
        set_by_arbiter: false,
        article: String::new(),
        ended: None,
        tags: BTreeMap::new(),
        moves: Arc::default(),
    }
}

/// Processor time a program has used.
fn used(id: &str) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
    Duration::from_millis(ticks * 10)
}

/// PCs, and boards at each.
fn size() -> (usize, usize) {
    let number = |name: &str, default: usize| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    (number("DGTD_HALL_PCS", 30), number("DGTD_HALL_BOARDS", 20))
}

/// All the simulated PCs.
struct Hall {
    simulated: Vec<SimulatedPc>,
    runtime: tokio::runtime::Runtime,
    /// What `hosts.toml` says of them.
    hosts: String,
    _buses: Vec<Bus>,
    _directory: tempfile::TempDir,
}

impl Hall {
    fn new(pcs: usize, boards: usize) -> Hall {
        let directory = tempfile::tempdir().unwrap();
        let mut hosts = String::new();
        let mut buses = Vec::new();
        for pc in 0..pcs {
            let at = directory.path().join(format!("pc{pc}"));
            fs::create_dir(&at).unwrap();
            let bus = Bus::new(&at, "bus");
            let _ = write!(hosts, "[[host]]\nname = 'pc{pc}'\nbus = '{}'\n", bus.address());
            buses.push(bus);
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let simulated = runtime.block_on(async {
            let mut all = Vec::new();
            for (pc, bus) in buses.iter().enumerate() {
                all.push(SimulatedPc::new(bus.address(), pc, boards).await);
            }
            all
        });
        Hall { simulated, runtime, hosts, _buses: buses, _directory: directory }
    }
}

#[test]
#[ignore = "figures of a hall of 600 boards; takes a minute and both cores"]
fn six_hundred_boards_on_one_screen() {
    let (pcs, boards) = size();
    let Hall { simulated, runtime, hosts, .. } = &Hall::new(pcs, boards);
    let desk = Desk::new();
    let file = desk.directory.path().join("hosts.toml");
    fs::write(&file, hosts).unwrap();
    let started = now();
    let args = ["--hosts", file.to_str().unwrap(), "watch"];
    let screen = watch_support::Tmux::new(&desk, &args, 200, 60);
    screen.wait(&format!("{} boards", pcs * boards));
    let first_screen = started.elapsed();
    thread::sleep(Duration::from_secs(5));
    let id = screen.id();
    let before = used(&id);
    let idle = Duration::from_secs(30);
    thread::sleep(idle);
    let share = used(&id).saturating_sub(before).as_secs_f64() / idle.as_secs_f64() * 100.0;
    let mut slowest = Duration::ZERO;
    for round in 0..5 {
        let pc = (round * 7 + 1) % pcs;
        let table = format!("Table {} ", pc * boards + 3);
        let ended = now();
        runtime.block_on(simulated[pc].end_game(3));
        // The state of these boards does not change; the mark shows that an end is open.
        let marked = || screen.text().lines().any(|l| l.contains('!') && l.contains(&table));
        wait("the end", || marked().then_some(()), || screen.text());
        slowest = slowest.max(ended.elapsed());
    }
    let memory = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let memory = memory.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
    println!(
        "{pcs} PCs, {boards} boards each: all on the screen after {} ms, idle {share:.2} % of a \
         core, an end shown after {} ms at most, {memory}",
        first_screen.as_millis(),
        slowest.as_millis(),
    );
    assert!(first_screen < Duration::from_secs(2), "{first_screen:?}");
    assert!(share < 2.0, "{share} %");
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
}

#[test]
#[ignore = "figures of a hall of 600 boards; takes a minute and both cores"]
fn six_hundred_boards_on_thirty_pcs() {
    let (pcs, boards) = size();
    let Hall { simulated, runtime, hosts, .. } = &Hall::new(pcs, boards);
    // One end before the program is started: the first thing to show.
    runtime.block_on(simulated[pcs / 2].end_game(1));
    let desk = Desk::new();
    let double = Double::new(&desk.bus.address());
    let file = desk.directory.path().join("hosts.toml");
    fs::write(&file, hosts).unwrap();
    let started = now();
    let notify = desk.notify(&["--hosts", file.to_str().unwrap()]);
    wait(
        "all connections",
        || (notify.said().matches("connected to dgtd").count() == pcs).then_some(()),
        || notify.said(),
    );
    let first_state = started.elapsed();
    let (at, ..) = double.wait_shown("checkmate", &notify);
    let first_end = at.duration_since(started);
    thread::sleep(Duration::from_secs(5));
    let id = notify.child.id().to_string();
    let before = used(&id);
    let idle = Duration::from_secs(30);
    thread::sleep(idle);
    let idle_share = used(&id).saturating_sub(before).as_secs_f64() / idle.as_secs_f64() * 100.0;
    let mut slowest = Duration::ZERO;
    for round in 0..2 {
        let pc = (round * 7 + 1) % pcs;
        let title = format!("Table {}: checkmate", pc * boards + 3);
        let ended = now();
        runtime.block_on(simulated[pc].end_game(3));
        let (at, ..) = double.wait_shown(&title, &notify);
        slowest = slowest.max(at.duration_since(ended));
    }
    // Twenty at once on different PCs.
    let ended = now();
    runtime.block_on(async {
        for pc in simulated.iter().take(20) {
            pc.end_game(5).await;
        }
    });
    let all = format!("{} games are over", 3 + pcs.min(20));
    let (at, ..) = double.wait_shown(&all, &notify);
    let twenty = at.duration_since(ended);
    let memory = fs::read_to_string(format!("/proc/{}/status", notify.child.id())).unwrap();
    let memory = memory.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
    println!(
        "{pcs} PCs, {boards} boards each: everything read after {} ms, the first end shown after \
         {} ms, idle {idle_share:.2} % of a core, an end shown after {} ms at most, {} at once \
         after {} ms, {memory}",
        first_state.as_millis(),
        first_end.as_millis(),
        slowest.as_millis(),
        pcs.min(20),
        twenty.as_millis()
    );
    assert!(first_state < Duration::from_secs(2), "{first_state:?}");
    assert!(first_end < Duration::from_secs(2), "{first_end:?}");
    assert!(idle_share < 2.0, "{idle_share} %");
    assert!(slowest < Duration::from_secs(1) && twenty < Duration::from_secs(1));
}
