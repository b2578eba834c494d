//! A board's task on a pipe in place of a port, with tokio's time standing still when nothing is to
//! be done.

use std::fmt::Write as _;

use tokio::io::{DuplexStream, duplex};

use super::*;
use crate::{
    arbiter::{Request, event::LinkState, request::NewGame, status::Stage},
    wire::{Command, Field},
};

struct Rig {
    control: mpsc::Sender<Control>,
    handle: BoardHandle,
    events: mpsc::Receiver<HubInput>,
    board: DuplexStream,
    free: mpsc::UnboundedReceiver<PathBuf>,
    squares: [u8; 64],
}

/// The readings of the initial array: codes of protocol.md, from a8 on.
fn initial() -> [u8; 64] {
    let mut squares = [0; 64];
    squares[..8].copy_from_slice(&[8, 9, 10, 12, 11, 10, 9, 8]);
    squares[8..16].fill(7);
    squares[48..56].fill(1);
    squares[56..].copy_from_slice(&[2, 3, 4, 6, 5, 4, 3, 2]);
    squares
}

fn rig() -> Rig {
    let (hub, events) = mpsc::channel(256);
    let setup = Setup {
        id: "b1".parse().unwrap(),
        label: String::new(),
        options: Options::default(),
        clock: BoardClock::live(),
        hub,
        dirty: Arc::new(Notify::new()),
        searches: Arc::new(Semaphore::new(1)),
        captures: PathBuf::new(),
        stop: CancellationToken::new(),
    };
    let (task, handle, control) = Board::new(setup);
    tokio::spawn(task.run());
    let (board, _) = duplex(1);
    let (_, free) = mpsc::unbounded_channel();
    Rig { control, handle, events, board, free, squares: initial() }
}

impl Rig {
    async fn attach(&mut self) {
        let (near, far) = duplex(4096);
        self.board = far;
        let (free, freed) = mpsc::unbounded_channel();
        self.free = freed;
        let attachment = Attachment {
            name: "pipe".into(),
            feed: Feed::Line(Box::new(near)),
            lease: Some(Lease { port: "/dev/pipe".into(), free }),
        };
        self.control.send(Control::Attach(attachment)).await.ok().unwrap();
    }

    /// Answers commands as a board does, for so long.
    async fn answer(&mut self, time: Duration) {
        let answering = async {
            let mut buffer = [0; 256];
            while let Ok(count) = self.board.read(&mut buffer).await {
                for byte in &buffer[..count] {
                    let byte = std::slice::from_ref(byte);
                    let answer: Vec<u8> = if byte == Command::Version.bytes() {
                        vec![0x93, 0, 5, 1, 8]
                    } else if byte == Command::SerialNumber.bytes() {
                        vec![0x91, 0, 8, b'0', b'1', b'0', b'2', b'5']
                    } else if byte == Command::SendBoard.bytes() {
                        [&[0x86, 0, 67], &self.squares[..]].concat()
                    } else {
                        continue;
                    };
                    self.board.write_all(&answer).await.unwrap();
                }
            }
        };
        // The time is up.
        let _ = tokio::time::timeout(time, answering).await;
    }

    /// Makes the core fail at the next bytes.
    async fn fail_next(&self) {
        self.control.send(Control::Fail).await.ok().unwrap();
        let (alive, answer) = oneshot::channel();
        self.control.send(Control::Ping(alive)).await.ok().unwrap();
        answer.await.unwrap();
    }

    async fn put(&mut self, square: &str, code: u8) {
        let field = Field::from_square(square.parse().unwrap(), crate::wire::Orientation::Normal);
        self.squares[field.index()] = code;
        self.board.write_all(&[0x8e, 0, 5, field.number(), code]).await.unwrap();
    }

    async fn carry(&mut self, from: &str, to: &str) {
        let field = Field::from_square(from.parse().unwrap(), crate::wire::Orientation::Normal);
        let man = self.squares[field.index()];
        self.put(from, 0).await;
        self.answer(Duration::from_millis(300)).await;
        self.put(to, man).await;
        self.answer(Duration::from_secs(4)).await;
    }

    fn moves(&self) -> Vec<String> {
        let view = self.handle.view.borrow();
        let game = view.status.game.as_ref();
        game.map(|game| game.moves.iter().map(|m| m.san.clone()).collect()).unwrap_or_default()
    }

    fn events(&mut self) -> Vec<EventKind> {
        let mut kinds = Vec::new();
        while let Ok(input) = self.events.try_recv() {
            if let HubInput::Event { event, .. } = input {
                kinds.push(event.kind);
            }
        }
        kinds
    }

    async fn ask(&self, what: Request) -> Result<Reply, Denied> {
        let (reply, answer) = oneshot::channel();
        let request =
            BoardRequest { what: BoardAsk::Core(what), name: "test", by: Caller::default(), reply };
        self.handle.requests.send(request).await.unwrap();
        answer.await.unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_of_the_core_is_contained_and_the_game_goes_on() {
    let mut rig = rig();
    rig.attach().await;
    rig.answer(Duration::from_secs(3)).await;
    rig.carry("f2", "f3").await;
    rig.carry("e7", "e5").await;
    assert_eq!(rig.moves(), ["f3", "e5"]);
    let game = rig.handle.view.borrow().game_id.clone();
    rig.events();
    rig.fail_next().await;
    // The change is lost with the core that failed on it; the dump after it shows what it was.
    rig.carry("g2", "g4").await;
    rig.answer(Duration::from_secs(5)).await;
    rig.carry("d8", "h4").await;
    let events = rig.events();
    assert!(
        events
            .iter()
            .any(|e| matches!(e, EventKind::Attention { kind: AttentionKind::Internal, .. })),
        "{events:?}"
    );
    assert!(events.iter().any(|e| matches!(e, EventKind::GameOver { .. })), "{events:?}");
    assert_eq!(rig.moves(), ["f3", "e5", "g4", "Qh4#"]);
    assert_eq!(rig.handle.view.borrow().game_id, game);
}

#[tokio::test(start_paused = true)]
async fn a_core_that_fails_again_and_again_starts_afresh() {
    let mut rig = rig();
    rig.attach().await;
    rig.answer(Duration::from_secs(3)).await;
    rig.carry("f2", "f3").await;
    for square in ["a6", "a5", "a4"] {
        rig.fail_next().await;
        rig.put(square, 1).await;
        rig.put(square, 0).await;
        rig.answer(Duration::from_millis(500)).await;
    }
    let texts: Vec<String> = rig
        .events()
        .into_iter()
        .filter_map(|e| match e {
            EventKind::Attention { kind: AttentionKind::Internal, text, .. } => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(texts[2].contains("its game could not be kept"), "{texts:?}");
    // It goes on answering.
    assert_eq!(rig.ask(Request::Resync).await, Ok(Reply::Done));
}

#[tokio::test(start_paused = true)]
async fn an_unplugged_board_gives_its_port_back_and_keeps_its_game() {
    let mut rig = rig();
    rig.attach().await;
    rig.answer(Duration::from_secs(3)).await;
    rig.carry("e2", "e4").await;
    assert!(rig.free.try_recv().is_err());
    rig.board = duplex(1).0;
    assert_eq!(rig.free.recv().await, Some("/dev/pipe".into()));
    assert_eq!(rig.handle.view.borrow().status.line, crate::arbiter::status::Line::Absent);
    rig.attach().await;
    rig.answer(Duration::from_secs(3)).await;
    rig.carry("e7", "e5").await;
    assert_eq!(rig.moves(), ["e4", "e5"]);
}

#[tokio::test(start_paused = true)]
async fn the_view_is_renewed_before_a_request_is_answered() {
    let mut rig = rig();
    rig.attach().await;
    rig.answer(Duration::from_secs(3)).await;
    let first = rig.handle.view.borrow().game_id.clone();
    let answer = rig.ask(Request::NewGame(NewGame::default())).await;
    assert_eq!(answer, Ok(Reply::Game(2)));
    let view = Arc::clone(&rig.handle.view.borrow());
    assert_eq!(view.status.game.as_ref().map(|game| game.stage), Some(Stage::Waiting));
    assert_ne!(view.game_id, first);
}

#[tokio::test(start_paused = true)]
async fn a_capture_is_played_in_its_own_time() {
    let mut text = String::from("# dgtd capture 1\n# board: 77\n0.0 ! connected\n0.1 < 86 00 43");
    for code in initial() {
        write!(text, " {code:02x}").unwrap();
    }
    text.push_str("\n2.0 < 8e 00 05 34 00\n2.5 < 8e 00 05 24 01\n10000.0 < 8e 00 05 0c 00\n");
    text.push_str("10000.5 < 8e 00 05 1c 07\n10001 ! disconnected\n");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.dgtlog");
    std::fs::write(&file, text).unwrap();
    for (clock, name) in
        [(BoardClock::scaled(1_000), "as it was"), (BoardClock::scaled(0), "at once")]
    {
        let (hub, mut events) = mpsc::channel(256);
        let mut options = Options::default();
        options.link.passive = true;
        let setup = Setup {
            id: "77".parse().unwrap(),
            label: String::new(),
            options,
            clock,
            hub,
            dirty: Arc::new(Notify::new()),
            searches: Arc::new(Semaphore::new(1)),
            captures: PathBuf::new(),
            stop: CancellationToken::new(),
        };
        let (task, _handle, control) = Board::new(setup);
        tokio::spawn(task.run());
        let player = Player::open(&file).unwrap();
        assert_eq!(player.board(), Some("77"));
        let feed = Feed::Replay(Box::new(player));
        let attachment = Attachment { name: name.into(), feed, lease: None };
        control.send(Control::Attach(attachment)).await.ok().unwrap();
        let mut seen = Vec::new();
        while let Some(input) = events.recv().await {
            let HubInput::Event { event, .. } = input else { continue };
            let done = matches!(event.kind, EventKind::GameEnded { .. });
            if let EventKind::Move { san, .. } = &event.kind {
                seen.push((san.clone(), event.t.as_millis() / 1000));
            }
            if done {
                break;
            }
        }
        assert_eq!(seen, [("e4".to_owned(), 4), ("e5".to_owned(), 10_002)], "{name}");
    }
}

/// What a board's task tells of a capture.
async fn events_of(file: &std::path::Path) -> Vec<Event> {
    let (hub, mut events) = mpsc::channel(4096);
    let mut options = Options::default();
    options.link.passive = true;
    let setup = Setup {
        id: "b".parse().unwrap(),
        label: String::new(),
        options,
        clock: BoardClock::scaled(0),
        hub,
        dirty: Arc::new(Notify::new()),
        searches: Arc::new(Semaphore::new(2)),
        captures: PathBuf::new(),
        stop: CancellationToken::new(),
    };
    let (mut task, _handle, _control) = Board::new(setup);
    let feed = Feed::Replay(Box::new(Player::open(file).unwrap()));
    let attachment = Attachment { name: String::new(), feed, lease: None };
    task.attach(attachment).await;
    while let Some(Attachment { feed: Feed::Replay(player), .. }) = &mut task.attachment {
        match player.peek().unwrap() {
            Some(_) => {
                let record = player.take().unwrap();
                task.play(record).await;
            }
            None => task.end_of_capture().await,
        }
    }
    let mut told = Vec::new();
    while let Ok(input) = events.try_recv() {
        if let HubInput::Event { event, .. } = input {
            told.push(*event);
        }
    }
    told
}

#[tokio::test]
async fn live_and_replay_tell_the_same_of_every_bundled_capture() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/captures");
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "dgtlog"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let mut expected = Vec::new();
        let mut replay = crate::replay::Replay::new("b".parse().unwrap(), Options::default());
        let mut player = Player::open(&file).unwrap();
        while player.peek().unwrap().is_some() {
            replay.record(&player.take().unwrap(), &mut expected);
        }
        replay.finish(&mut expected);
        // What may still change is state, and goes into the view.
        expected.retain(|event| !matches!(event.kind, EventKind::Provisional { .. }));
        assert_eq!(events_of(&file).await, expected, "{}", file.display());
    }
}

#[tokio::test]
async fn a_spoilt_capture_is_no_fault_of_a_cable() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("spoilt.dgtlog");
    let dump = initial().iter().fold(String::new(), |mut text, code| {
        write!(text, " {code:02x}").unwrap();
        text
    });
    let text = format!("# dgtd capture 1\n0.0 < 86 00 43{dump}\n1.0 < 8e 00 zz\n");
    std::fs::write(&file, text).unwrap();
    let (hub, mut events) = mpsc::channel(64);
    let mut options = Options::default();
    options.link.passive = true;
    let (task, handle, control) = Board::new(Setup {
        id: "b".parse().unwrap(),
        label: String::new(),
        options,
        clock: BoardClock::scaled(0),
        hub,
        dirty: Arc::new(Notify::new()),
        searches: Arc::new(Semaphore::new(2)),
        captures: PathBuf::new(),
        stop: CancellationToken::new(),
    });
    let feed = Feed::Replay(Box::new(Player::open(&file).unwrap()));
    let attachment = Attachment { name: "spoilt.dgtlog".into(), feed, lease: None };
    control.send(Control::Attach(attachment)).await.ok().unwrap();
    let task = tokio::spawn(task.run());
    let mut view = handle.view.clone();
    view.wait_for(|view| !view.error.is_empty()).await.unwrap();
    let error = handle.view.borrow().error.clone();
    assert!(error.contains("spoilt.dgtlog:3: "), "{error}");
    drop(control);
    task.await.unwrap();
    while let Some(HubInput::Event { event, .. }) = events.recv().await {
        let lost = matches!(event.kind, EventKind::Link { state: LinkState::Lost, .. });
        assert!(!lost, "{:?}", event.kind);
    }
}
