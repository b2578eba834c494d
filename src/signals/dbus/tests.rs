//! The objects over a socket pair: no bus needed.

use std::{collections::BTreeMap, os::unix::net::UnixStream, path::Path, sync::atomic::Ordering};

use futures_util::StreamExt as _;
use tokio::sync::oneshot;
use zbus::{MatchRule, MessageStream, OwnedVariant, Variant};

use super::*;
use crate::{
    arbiter::{
        Event, EventKind, Refusal, Reply, Request,
        event::{ClaimReason, EndReason, Side},
        status::{ClockStatus, GameStatus, IllegalStatus, Line, MoveStatus, Stage},
    },
    laws::{Control, Supervision, ledger::NotPending},
    signals::{
        BoardAsk, BoardHandle, BoardRequest, BoardView,
        hub::{Hub, Parts},
    },
    units::{Millis, Ply, Stamp},
    wire::ClockSide,
};

/// Both connections, a hub, and one board whose task is the test itself.
struct Rig {
    public: Connection,
    private: Connection,
    hub: mpsc::Sender<HubInput>,
    view: watch::Sender<Arc<BoardView>>,
    dirty: Arc<Notify>,
    requests: mpsc::Receiver<BoardRequest>,
    _keep: (watch::Sender<Boards>, watch::Sender<BuzzerState>, watch::Sender<String>),
}

async fn pair(
    serve: impl FnOnce(Builder<'static>) -> Builder<'static>,
) -> (Connection, Connection) {
    let (a, b) = UnixStream::pair().unwrap();
    let guid = zbus::Guid::generate();
    let server = serve(Builder::unix_stream(a).server(guid).p2p());
    tokio::try_join!(server.build(), Builder::unix_stream(b).p2p().build()).unwrap()
}

impl Rig {
    async fn new() -> Rig {
        let (bus, mut records) = mpsc::channel(64);
        let (alerts_tx, alerts) = watch::channel(Arc::default());
        let (hub, inputs) = mpsc::channel(64);
        let meta = Arc::new(JournalMeta { id: "j".into(), ..JournalMeta::default() });
        meta.oldest.store(1, Ordering::Relaxed);
        let parts = Parts {
            journal: None,
            meta: Arc::clone(&meta),
            in_memory: 100,
            pgn: None,
            bus,
            buzzer: mpsc::channel(1).0,
            alerts: alerts_tx,
            language: Language::default(),
        };
        tokio::spawn(Hub::new(parts).run(inputs));
        let id: BoardId = "01025".parse().unwrap();
        let mut first = BoardView::new(id.clone(), "Table 1".into(), 1_000_000);
        first.status.serial = "01025".into();
        let (view, view_rx) = watch::channel(Arc::new(first));
        let (requests_tx, requests) = mpsc::channel(8);
        let handle = BoardHandle { view: view_rx, requests: requests_tx };
        let (boards_tx, boards) = watch::channel(Arc::new([(id, handle)].into()));
        let (buzzer_tx, buzzer) = watch::channel(BuzzerState::Idle);
        let (edition_tx, edition) = watch::channel("fide-2023".to_owned());
        let dirty = Arc::new(Notify::new());
        let shared = Arc::new(Shared {
            version: "0.0.0",
            hostname: "pc".into(),
            started_at: 5,
            boards,
            alerts,
            buzzer,
            edition,
            editions: vec!["fide-2023".into()],
            journal: meta,
            hub: hub.clone(),
            daemon: mpsc::channel(1).0,
            wall: || 1_700_000_000_000_000,
            dirty: Arc::clone(&dirty),
            language: Language::default(),
        });
        let (public_server, public) = pair(|builder| serve_public(builder, &shared)).await;
        let (private_server, private) = pair(|builder| serve_private(builder, &shared)).await;
        let mut publisher = Publisher::new(public_server, private_server, shared);
        publisher.sync_all().await.unwrap();
        tokio::spawn(async move { publisher.run(&mut records).await });
        let keep = (boards_tx, buzzer_tx, edition_tx);
        Rig { public, private, hub, view, dirty, requests, _keep: keep }
    }

    fn show(&self, change: impl FnOnce(&mut BoardView)) {
        self.view.send_modify(|view| change(Arc::make_mut(view)));
        self.dirty.notify_one();
    }

    async fn event(&self, kind: EventKind) {
        let view = Arc::clone(&self.view.borrow());
        let event = Event { board: view.id.clone(), t: Stamp::ZERO, game: Some(1), kind };
        let game_id = view.game_id.clone();
        let input = HubInput::Event {
            event: Box::new(event),
            view,
            game_id,
            time_micros: 1_700_000_000_000_000,
        };
        self.hub.send(input).await.unwrap();
    }

    fn start_game(&self) {
        self.show(|view| {
            view.game_id = "g1".into();
            view.status.line = Line::Ready;
            view.status.game = Some(game());
            view.status.clock = Some(ClockStatus {
                white: Millis(60_000),
                black: Millis(59_000),
                measured: Stamp::from_millis(7),
                running: Some(Side::White),
                lever: Side::White,
                flag: None,
            });
        });
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
        claims: vec![ClaimReason::FiftyMoves],
        illegal: vec![IllegalStatus {
            number: 2,
            by: Side::White,
            ply: Ply(1),
            article: "7.5.1".into(),
            costs: "costs".into(),
            secret: false,
        }],
        illegal_counted: [1, 0],
        result: "*".into(),
        ending: None,
        set_by_arbiter: false,
        article: String::new(),
        ended: None,
        tags: [("White".to_owned(), "Ana".to_owned())].into(),
        moves: Arc::new(vec![Arc::new(MoveStatus {
            san: "e4".into(),
            uci: "e2e4".into(),
            white: Some(Millis(59_000)),
            black: None,
        })]),
    }
}

const BOARD: &str = "/org/dgtd/boards/sn_01025";

async fn call<B>(
    c: &Connection,
    path: &str,
    interface: &str,
    method: &str,
    body: &B,
) -> zbus::Result<zbus::Message>
where
    B: serde::Serialize + zbus::Type,
{
    c.call_method(None::<&str>, path, Some(interface), method, body).await
}

async fn get(
    c: &Connection,
    path: &str,
    interface: &str,
    name: &str,
) -> zbus::Result<OwnedVariant> {
    let reply = call(c, path, "org.freedesktop.DBus.Properties", "Get", &(interface, name)).await?;
    reply.body().deserialize()
}

async fn introspect(c: &Connection, path: &str) -> String {
    let interface = "org.freedesktop.DBus.Introspectable";
    let reply = call(c, path, interface, "Introspect", &()).await.unwrap();
    reply.body().deserialize().unwrap()
}

async fn signals(c: &Connection, interface: &'static str) -> MessageStream {
    let rule = MatchRule::builder()
        .msg_type(zbus::message::Type::Signal)
        .interface(interface)
        .build()
        .unwrap();
    MessageStream::for_match_rule(rule, c, None).await.unwrap()
}

/// Waits until `look` finds what it looks for.
async fn until<T, F: Future<Output = Option<T>>>(look: impl Fn() -> F) -> T {
    for _ in 0..200 {
        if let Some(found) = look().await {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("did not come about in two seconds");
}

/// The interface's element, with the comments zbus writes from the doc comments.
fn interface_xml(xml: &str, name: &str) -> String {
    let start = xml.find(&format!("<interface name=\"{name}\">")).expect(name);
    let line = xml[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = xml[start..].find("</interface>").unwrap() + start + "</interface>".len();
    let indent = start - line;
    let lines = xml[line..end].lines().map(|l| l.get(indent..).unwrap_or(l.trim_start()));
    let body = lines.collect::<Vec<_>>().join("\n");
    format!(
        "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"\n \
         \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">\n<node>\n{body}\n</node>\n"
    )
}

#[tokio::test]
async fn the_interfaces_are_those_of_the_shipped_xml() {
    let rig = Rig::new().await;
    rig.start_game();
    rig.event(EventKind::GameOver {
        result: "1-0".into(),
        reason: EndReason::Checkmate,
        article: "5.1.1".into(),
        also: Vec::new(),
        ply: Ply(1),
        fen: String::new(),
        proof: None,
    })
    .await;
    until(async || get(&rig.public, &alert_path(1), "org.dgtd.Alert1", "Id").await.ok()).await;
    let mut differ = Vec::new();
    for (connection, path, name) in [
        (&rig.public, ROOT, "org.dgtd.Daemon1"),
        (&rig.public, ROOT, "org.dgtd.Journal1"),
        (&rig.public, BOARD, "org.dgtd.Board1"),
        (&rig.public, BOARD, "org.dgtd.Clock1"),
        (&rig.public, BOARD, "org.dgtd.Game1"),
        (&rig.public, "/org/dgtd/alerts/1", "org.dgtd.Alert1"),
        (&rig.private, BOARD, "org.dgtd.ArbiterOnly1"),
    ] {
        let got = interface_xml(&introspect(connection, path).await, name);
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("config/dbus/{name}.xml"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, &got).unwrap();
        } else if std::fs::read_to_string(&file).unwrap_or_default() != got {
            differ.push(name);
        }
    }
    assert!(differ.is_empty(), "the bus interface changed: {differ:?}; if that is wanted, BLESS=1");
}

#[tokio::test]
async fn class_c_is_on_the_arbiters_connection_only() {
    let rig = Rig::new().await;
    rig.start_game();
    let claims =
        until(async || get(&rig.private, BOARD, "org.dgtd.ArbiterOnly1", "Claims").await.ok())
            .await;
    assert_eq!(Vec::<String>::try_from(claims).unwrap(), ["fifty-move"]);
    let mut public = signals(&rig.public, "org.dgtd.Journal1").await;
    let mut private = signals(&rig.private, "org.dgtd.ArbiterOnly1").await;
    rig.event(EventKind::ClaimAvailable {
        reason: ClaimReason::FiftyMoves,
        claimant: Side::Black,
        article: "9.3".into(),
        moves: vec!["Kd7".into()],
        ply: Ply(1),
        exact: true,
        depends_on: None,
    })
    .await;
    rig.event(EventKind::GameOverWithdrawn { ply: Ply(1) }).await;
    let told = private.next().await.unwrap().unwrap();
    let (seq, kind, _, side, moves): (u64, String, String, String, Vec<String>) =
        told.body().deserialize().unwrap();
    assert_eq!((seq, kind.as_str(), side.as_str()), (1, "fifty-move", "black"));
    assert_eq!(moves, ["Kd7"]);
    // The first that everyone hears is the second event.
    let heard = public.next().await.unwrap().unwrap();
    let (seq, ..): Told = heard.body().deserialize().unwrap();
    assert_eq!(seq, 2);
    assert!(get(&rig.private, &alert_path(1), "org.dgtd.Alert1", "Severity").await.is_ok());
    assert!(get(&rig.public, &alert_path(1), "org.dgtd.Alert1", "Severity").await.is_err());
    for word in ["Claim", "HalfmoveClock", "Repetitions", "IllegalMove", "RuleOn", "PossibleEnd"] {
        let xml = introspect(&rig.public, BOARD).await;
        assert!(!xml.contains(&format!("name=\"{word}")), "{word}");
    }
}

#[tokio::test]
async fn several_properties_change_in_one_message() {
    let rig = Rig::new().await;
    rig.start_game();
    until(async || get(&rig.public, BOARD, "org.dgtd.Game1", "Ply").await.ok()).await;
    tokio::time::sleep(GATHERED).await;
    let mut told = signals(&rig.public, "org.freedesktop.DBus.Properties").await;
    rig.show(|view| {
        let game = view.status.game.as_mut().unwrap();
        game.ply = Ply(2);
        game.last_san = "e5".into();
        game.turn = Side::White;
    });
    let message = told.next().await.unwrap().unwrap();
    let (interface, changed, _): (String, values::Options, Vec<String>) =
        message.body().deserialize().unwrap();
    assert_eq!(interface, "org.dgtd.Game1");
    assert_eq!(changed.keys().map(String::as_str).collect::<Vec<_>>(), ["LastSan", "Ply", "Turn"]);
    let reply = call(&rig.public, BOARD, "org.dgtd.Game1", "GetMoves", &0u32).await.unwrap();
    let moves: Vec<game1::MoveTuple> = reply.body().deserialize().unwrap();
    assert_eq!(moves, [(1, "e4".into(), "e2e4".into(), 59_000, -1)]);
    let reply = call(&rig.public, BOARD, "org.dgtd.Game1", "GetPgn", &()).await.unwrap();
    let pgn: String = reply.body().deserialize().unwrap();
    assert!(pgn.contains("[White \"Ana\"]") && pgn.contains("1. e4 {[%clk 0:00:59]} *"), "{pgn}");
}

#[tokio::test]
async fn every_property_is_told_or_silent_by_intent() {
    let rig = Rig::new().await;
    rig.start_game();
    until(async || get(&rig.public, BOARD, "org.dgtd.Game1", "Ply").await.ok()).await;
    let board1: Vec<&str> = changes::BOARD1.iter().map(|row| row.0).collect();
    let game1: Vec<&str> = changes::GAME1.iter().map(|row| row.0).collect();
    let clock1: Vec<&str> = changes::CLOCK1.iter().map(|row| row.0).collect();
    let arbiter_only1: Vec<&str> = changes::ARBITER_ONLY1.iter().map(|row| row.0).collect();
    for (connection, interface, rows, others) in [
        (&rig.public, "org.dgtd.Board1", board1, &["Alerts", "LastHeard"][..]),
        (&rig.public, "org.dgtd.Game1", game1, &["Id"]),
        (&rig.public, "org.dgtd.Clock1", clock1, &["WhiteMs", "BlackMs", "MeasuredAt"]),
        (&rig.private, "org.dgtd.ArbiterOnly1", arbiter_only1, &[]),
    ] {
        let properties = "org.freedesktop.DBus.Properties";
        let reply = call(connection, BOARD, properties, "GetAll", &interface).await.unwrap();
        let all: values::Options = reply.body().deserialize().unwrap();
        let mut known = [&rows, others].concat();
        known.sort_unstable();
        assert_eq!(all.keys().map(String::as_str).collect::<Vec<_>>(), known, "{interface}");
    }
}

#[tokio::test]
async fn an_end_is_told_with_its_properties_and_moves_gather_theirs() {
    let rig = Rig::new().await;
    rig.start_game();
    until(async || get(&rig.public, BOARD, "org.dgtd.Game1", "Ply").await.ok()).await;
    tokio::time::sleep(GATHERED).await;
    let rule = MatchRule::builder().msg_type(zbus::message::Type::Signal).path(BOARD);
    let rule = rule.build().unwrap();
    let mut told = MessageStream::for_match_rule(rule, &rig.public, None).await.unwrap();
    for ply in 2..=4 {
        rig.show(|view| view.status.game.as_mut().unwrap().ply = Ply(ply));
        rig.event(EventKind::Move {
            ply: Ply(ply),
            uci: "e2e4".into(),
            san: "e4".into(),
            fen: String::new(),
            made: Stamp::ZERO,
            by: crate::arbiter::event::ConfirmedBy::Press,
            white_clock: None,
            black_clock: None,
            exact: true,
        })
        .await;
    }
    rig.show(|view| view.status.game.as_mut().unwrap().stage = Stage::Over);
    rig.event(EventKind::GameOver {
        result: "1-0".into(),
        reason: EndReason::Checkmate,
        article: "5.1.1".into(),
        also: Vec::new(),
        ply: Ply(4),
        fen: String::new(),
        proof: None,
    })
    .await;
    let (mut seen, mut known) = (Vec::new(), values::Options::new());
    while seen.last().is_none_or(|last| last != "Over") {
        let message = told.next().await.unwrap().unwrap();
        let member = message.header().member().unwrap().to_string();
        if member == "PropertiesChanged" {
            let (interface, changed, _): (String, values::Options, Vec<String>) =
                message.body().deserialize().unwrap();
            if interface == "org.dgtd.Game1" {
                known.extend(changed);
            }
        } else {
            seen.push(member);
        }
    }
    assert_eq!(seen, ["MovePlayed", "MovePlayed", "MovePlayed", "Over"]);
    let text = |name: &str| String::try_from(known[name].try_clone().unwrap()).unwrap();
    assert_eq!(u32::try_from(known["Ply"].try_clone().unwrap()).unwrap(), 4);
    assert_eq!(text("State"), "over");
}

type Told = (u64, u64, zbus::OwnedObjectPath, String, String, String, values::Options);

const GATHERED: Duration = Duration::from_millis(200);

#[tokio::test]
async fn refusals_have_names() {
    let mut rig = Rig::new().await;
    rig.start_game();
    until(async || get(&rig.public, BOARD, "org.dgtd.Game1", "Ply").await.ok()).await;
    let options = values::Options::new();
    let public = rig.public.clone();
    let body = (1u32, 57u32, options);
    let undo =
        tokio::spawn(async move { call(&public, BOARD, "org.dgtd.Game1", "Undo", &body).await });
    let request = rig.requests.recv().await.unwrap();
    assert!(matches!(
        request.what,
        BoardAsk::Core(Request::Undo { plies: 1, expected_ply: Ply(57) })
    ));
    assert_eq!(request.by.uid, Some(rustix::process::getuid().as_raw()));
    let stale = Refusal::StalePly { expected: Ply(57), actual: Ply(1) };
    request.reply.send(Err(stale.into())).unwrap();
    let Err(zbus::Error::MethodError(name, text, _)) = undo.await.unwrap() else {
        panic!("not refused")
    };
    assert_eq!(name.as_str(), "org.dgtd.Error.StalePly");
    assert!(text.unwrap().contains("at half-move 1, not 57"));

    let mut options = values::Options::new();
    options.insert("fenn".into(), OwnedVariant::try_from(Variant::from("x")).unwrap());
    let refused = call(&rig.public, BOARD, "org.dgtd.Board1", "NewGame", &options).await;
    let Err(zbus::Error::MethodError(name, text, _)) = refused else { panic!("not refused") };
    assert_eq!(name.as_str(), "org.dgtd.Error.InvalidArgument");
    assert!(text.unwrap().contains("fenn"));

    // What is asked of an illegal move is for the board's task; its refusal has a name too.
    let private = rig.private.clone();
    let body = (7u32, values::Options::new());
    let accept = tokio::spawn(async move {
        call(&private, BOARD, "org.dgtd.ArbiterOnly1", "AcceptIllegalMove", &body).await
    });
    let request = rig.requests.recv().await.unwrap();
    assert!(matches!(
        request.what,
        BoardAsk::Core(Request::DecideIllegalMove { number: Some(7), accept: true, .. })
    ));
    request.reply.send(Err(Refusal::from(NotPending::None).into())).unwrap();
    let Err(zbus::Error::MethodError(name, text, _)) = accept.await.unwrap() else {
        panic!("not refused")
    };
    assert_eq!(name.as_str(), "org.dgtd.Error.NoSuchIllegalMove");
    assert_eq!(text.as_deref(), Some("no illegal move waits for a decision"));
    let body = ("white", "rain", 1u32, values::Options::new());
    let refused = call(&rig.private, BOARD, "org.dgtd.ArbiterOnly1", "RuleOnFlag", &body).await;
    let Err(zbus::Error::MethodError(name, ..)) = refused else { panic!("not refused") };
    assert_eq!(name.as_str(), "org.dgtd.Error.InvalidArgument");

    let refused = call(
        &rig.public,
        BOARD,
        "org.dgtd.Board1",
        "SetClockSide",
        &("top", values::Options::new()),
    )
    .await;
    let Err(zbus::Error::MethodError(name, text, _)) = refused else { panic!("not refused") };
    assert_eq!(name.as_str(), "org.dgtd.Error.InvalidArgument");
    assert!(text.unwrap().contains("left or right"));

    let refused = call(&rig.public, ROOT, "org.dgtd.Daemon1", "GetBoard", &"9").await;
    let Err(zbus::Error::MethodError(name, ..)) = refused else { panic!("not refused") };
    assert_eq!(name.as_str(), "org.dgtd.Error.NoSuchBoard");
}

/// The actions that set something up, and those that undo: what reaches the board's task.
#[tokio::test]
async fn what_is_asked_of_a_board_is_handed_on_as_it_was_said() {
    let mut rig = Rig::new().await;
    rig.start_game();
    until(async || get(&rig.public, BOARD, "org.dgtd.Game1", "Ply").await.ok()).await;
    let of = |pairs: &[(&str, &str)]| -> values::Options {
        let value = |text: &str| OwnedVariant::try_from(Variant::from(text.to_owned())).unwrap();
        pairs.iter().map(|(key, text)| ((*key).to_owned(), value(text))).collect()
    };
    let by = of(&[("by", "Ana")]);

    let asked = |c: &Connection, interface: &'static str, method: &'static str| {
        let c = c.clone();
        let by = by.clone();
        let with = of(&[("time-control", "rapid"), ("supervision", "full"), ("edition", "2018")]);
        tokio::spawn(async move {
            match method {
                "SetConditions" => call(&c, BOARD, interface, method, &(1u32, with)).await,
                "Reopen" | "UndoStart" | "ReconsiderIllegalMove" => {
                    call(&c, BOARD, interface, method, &(1u32, by)).await
                }
                "SetClockSide" => call(&c, BOARD, interface, method, &("right", by)).await,
                _ => {
                    let tags = BTreeMap::from([("White", "Ana"), ("Table", "7")]);
                    call(&c, BOARD, interface, method, &(tags, by)).await
                }
            }
        })
    };
    let (public, private) = (rig.public.clone(), rig.private.clone());
    let expected = [
        (
            &public,
            "org.dgtd.Game1",
            "SetConditions",
            "set conditions",
            Request::SetConditions {
                edition: Some("2018".into()),
                control: Some(Control::Rapid),
                supervision: Some(Supervision::Full),
                supervised_blitz: None,
                expected_ply: Ply(1),
            },
        ),
        (&public, "org.dgtd.Game1", "Reopen", "reopen", Request::Reopen { expected_ply: Ply(1) }),
        (&public, "org.dgtd.Game1", "UndoStart", "undo start", {
            Request::UndoStart { language: None, expected_ply: Ply(1) }
        }),
        (&public, "org.dgtd.Board1", "SetClockSide", "clock side", {
            Request::SetClockSide(ClockSide::Right)
        }),
        (&public, "org.dgtd.Board1", "SetPairing", "set pairing", {
            let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            Request::SetPairing([tag("White", "Ana"), tag("Table", "7")].into())
        }),
        (
            &private,
            "org.dgtd.ArbiterOnly1",
            "ReconsiderIllegalMove",
            "reconsider illegal move",
            Request::ReconsiderIllegalMove { number: 1 },
        ),
    ];
    for (connection, interface, method, name, request) in expected {
        let answer = asked(connection, interface, method);
        let got = rig.requests.recv().await.unwrap();
        assert_eq!(got.name, name);
        assert_eq!(got.by.by, if method == "SetConditions" { "" } else { "Ana" }, "{method}");
        assert!(matches!(&got.what, BoardAsk::Core(core) if *core == request), "{:?}", got.what);
        let paired = method == "SetPairing";
        let reply = if paired { Reply::Paired(true) } else { Reply::Done };
        got.reply.send(Ok(reply)).unwrap();
        let answer = answer.await.unwrap().unwrap();
        if paired {
            assert!(answer.body().deserialize::<bool>().unwrap());
        }
    }
    let with = of(&[("time-control", "bullet")]);
    let refused = call(&rig.public, BOARD, "org.dgtd.Game1", "SetConditions", &(1u32, with)).await;
    let Err(zbus::Error::MethodError(name, text, _)) = refused else { panic!("not refused") };
    assert_eq!(name.as_str(), "org.dgtd.Error.InvalidArgument");
    assert!(text.as_deref().is_some_and(|text| text.contains("blitz")), "{text:?}");
}

#[tokio::test]
async fn an_alert_is_there_until_it_is_acknowledged() {
    let rig = Rig::new().await;
    rig.start_game();
    let mut over = signals(&rig.public, "org.dgtd.Game1").await;
    rig.event(EventKind::GameOver {
        result: "1-0".into(),
        reason: EndReason::Checkmate,
        article: "5.1.1".into(),
        also: Vec::new(),
        ply: Ply(1),
        fen: String::new(),
        proof: None,
    })
    .await;
    let message = over.next().await.unwrap().unwrap();
    let body: (u64, String, String, String) = message.body().deserialize().unwrap();
    assert_eq!(body, (1, "checkmate".into(), "5.1.1".into(), "1-0".into()));
    // The signal leaves after the object is there.
    let title = get(&rig.public, &alert_path(1), "org.dgtd.Alert1", "Title").await.unwrap();
    assert_eq!(String::try_from(title).unwrap(), "Table 1: checkmate");
    let open = get(&rig.public, ROOT, "org.dgtd.Daemon1", "OpenAlerts").await.unwrap();
    assert_eq!(u32::try_from(open).unwrap(), 1);
    let options = values::Options::new();
    call(&rig.public, &alert_path(1), "org.dgtd.Alert1", "Acknowledge", &options).await.unwrap();
    until(async || {
        get(&rig.public, &alert_path(1), "org.dgtd.Alert1", "Id").await.is_err().then_some(())
    })
    .await;
    let (reply, answer) = oneshot::channel();
    rig.hub
        .send(HubInput::GetEvents {
            query: crate::signals::hub::EventQuery { limit: 9, ..Default::default() },
            reply,
        })
        .await
        .unwrap();
    let (events, _) = answer.await.unwrap();
    assert_eq!(events[1]["event"], "acknowledged");
}
