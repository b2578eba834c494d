//! The model and what it draws, without a terminal, a bus or a clock.

use std::collections::BTreeMap;

use ratatui::{
    Terminal,
    backend::TestBackend,
    buffer::Cell,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
    style::Color,
};
use serde_json::{Value, json};

use super::{
    actions::ACTIONS,
    call::{Arg, Call, Failure},
    draw::{self, Theme},
    form::Stage,
    hall::{ARBITER_ONLY, BOARD, CLOCK, GAME, Key},
    model::{Effect, Front, Input, Model, Now, Purpose, REVEALED, View},
    words::Words,
};
use crate::{
    config::BusChoice,
    ctl::{
        client::BoardObject,
        hosts::{Alert, AlertClass, Event, Fault, Host, News, State, Way},
    },
    laws::text::Language,
    units::Stamp,
};

/// 2026-11-30, about noon.
const NOON: u64 = 1_796_040_000_000_000;

fn host(name: &str, hall: &str) -> Host {
    let way = Way::Bus(BusChoice::Address(format!("unix:path=/{name}")));
    Host { name: name.into(), hall: hall.into(), way }
}

fn map(value: Value) -> BTreeMap<String, Value> {
    match value {
        Value::Object(object) => object.into_iter().collect(),
        other => panic!("{other}"),
    }
}

fn path(name: &str) -> String {
    format!("/org/dgtd/boards/{name}")
}

const AFTER_E4_E5_F4: &str = "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2";

/// A board in a game after 1. e4 e5 2. f4, Black's time running.
fn board(name: &str, label: &str, white: &str, black: &str) -> BoardObject {
    let placement = AFTER_E4_E5_F4.split(' ').next().unwrap();
    let board = json!({"Serial": name, "Label": label, "State": "ready", "Error": "",
        "Placement": placement, "Agrees": true, "Flipped": false, "GameId": format!("g-{name}")});
    let game = json!({"Id": format!("g-{name}"), "Edition": "fide-2023", "State": "playing",
        "StartFen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "Fen": AFTER_E4_E5_F4, "Turn": "black", "Ply": 3, "LastSan": "f4", "Provisional": "",
        "Result": "*", "Ending": "", "Tags": {"White": white, "Black": black}});
    let clock = json!({"WhiteMs": 5_390_000, "BlackMs": 5_400_000, "MeasuredAt": NOON,
        "Running": "black", "Lever": "black", "Flag": "none"});
    let only = json!({"GameId": format!("g-{name}"), "Claims": [], "HalfmoveClock": 0,
        "Repetitions": 1, "Exact": true, "IllegalMoves": [], "IllegalMovesCounted": [0, 0]});
    BoardObject {
        path: path(name),
        object: BTreeMap::from([
            (BOARD.to_owned(), map(board)),
            (GAME.to_owned(), map(game)),
            (CLOCK.to_owned(), map(clock)),
        ]),
        arbiter_only: map(only),
    }
}

fn alert(id: u64, board: &str, class: AlertClass, details: Value) -> Alert {
    Alert {
        id,
        board: path(board),
        game: format!("g-{board}"),
        label: String::new(),
        class,
        title: "a title".into(),
        body: "a body".into(),
        raised_at: NOON,
        details: map(details).into_iter().collect(),
    }
}

fn mate(id: u64, board: &str) -> Alert {
    let details = json!({"event": "game_over", "result": "0-1", "reason": "checkmate",
        "article": "5.1.1", "ply": 4, "fen": "f"});
    alert(id, board, AlertClass::Urgent, details)
}

fn flag(id: u64, board: &str) -> Alert {
    let details = json!({"event": "flag", "side": "black", "opponent_can_mate": "yes",
        "result": "1-0", "article": "6.9"});
    alert(id, board, AlertClass::Notice, details)
}

fn claim(id: u64, board: &str) -> Alert {
    let details = json!({"event": "claim_available", "reason": "threefold_repetition",
        "claimant": "black", "article": "9.2.2", "moves": ["Nf6"], "ply": 3, "exact": true});
    alert(id, board, AlertClass::Quiet, details)
}

fn state(boards: Vec<BoardObject>, alerts: Vec<Alert>) -> News {
    News::State(Box::new(State {
        journal: "j".into(),
        rights: true,
        boards,
        alerts: alerts.into_iter().map(|alert| (alert.id, alert)).collect(),
        ..State::default()
    }))
}

struct Desk {
    model: Model,
    now: Now,
}

impl Desk {
    fn new(hosts: &[Host], language: &str) -> Desk {
        let words = Words(Language::choose(language));
        let now = Now { stamp: Stamp::ZERO, wall: NOON };
        Desk { model: Model::new(hosts, words, None), now }
    }

    fn step(&mut self, input: Input) -> Vec<Effect> {
        self.model.step(self.now, input)
    }

    fn wait(&mut self, seconds: u64) {
        self.now.stamp = self.now.stamp + std::time::Duration::from_secs(seconds);
        self.now.wall += seconds * 1_000_000;
        self.step(Input::Tick);
    }

    fn press(&mut self, code: KeyCode) -> Vec<Effect> {
        self.step(Input::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn typed(&mut self, text: &str) {
        for letter in text.chars() {
            self.press(KeyCode::Char(letter));
        }
    }

    fn screen_of(&mut self, columns: u16, rows: u16, colours: bool) -> TestBackend {
        self.step(Input::Size(columns, rows));
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let model = &self.model;
        terminal
            .draw(|frame| {
                let area = frame.area();
                draw::draw(model, Theme { colours }, area, frame.buffer_mut());
            })
            .unwrap();
        terminal.backend().clone()
    }

    fn screen(&mut self, columns: u16, rows: u16) -> String {
        let backend = self.screen_of(columns, rows, false);
        let buffer = backend.buffer();
        let line = |y: u16| -> String {
            let cells = (0..columns).map(|x| buffer.cell((x, y)).unwrap().symbol());
            cells.collect::<String>().trim_end().to_owned()
        };
        (0..rows).map(line).collect::<Vec<_>>().join("\n")
    }

    /// A small screen: what most of the tests read.
    fn text(&mut self) -> String {
        self.screen(80, 24)
    }
}

/// Three PCs: one with four boards, one with one board of a name that is there twice, one away.
fn hall(language: &str) -> Desk {
    let hosts = [host("pc1", ""), host("pc2", ""), host("pc3", "")];
    let mut desk = Desk::new(&hosts, language);
    let mut over = board("b2", "Table 2", "Ana Martínez", "Luis Pérez");
    over.object.get_mut(GAME).unwrap().extend(map(json!({"State": "over", "Result": "0-1",
        "Ending": "checkmate", "LastSan": "Qh4#", "Ply": 4,
        "Fen": "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"})));
    over.object.get_mut(CLOCK).unwrap().insert("Running".into(), "none".into());
    let mut free = board("b10", "Table 10", "", "");
    free.object.remove(GAME);
    free.object.remove(CLOCK);
    let mut repeated = board("b3", "Table 3", "Magnus Carlsen", "Ian Nepomniachtchi");
    repeated.arbiter_only.insert("Claims".into(), json!(["threefold"]));
    repeated.arbiter_only.insert("Repetitions".into(), json!(3));
    let boards = vec![board("b1", "Table 1", "Judit Polgár", "Hou Yifan"), over, repeated, free];
    desk.step(Input::News(0, state(boards, vec![mate(7, "b2"), flag(8, "b1"), claim(9, "b3")])));
    let mut unplugged = board("b1", "Table 3", "", "");
    unplugged.object.get_mut(BOARD).unwrap().insert("State".into(), "absent".into());
    // One that is known and was not there yet needs nobody.
    let mut new = board("b11", "Table 11", "", "");
    new.object.remove(GAME);
    new.object.remove(CLOCK);
    new.object.get_mut(BOARD).unwrap().insert("State".into(), "absent".into());
    desk.step(Input::News(1, state(vec![unplugged, new], Vec::new())));
    desk.step(Input::News(2, News::Down(Fault::Unreachable)));
    desk
}

#[test]
fn the_hall_is_drawn() {
    for language in ["en", "es"] {
        let mut desk = hall(language);
        insta::assert_snapshot!(format!("hall_80_{language}"), desk.screen(80, 24));
        insta::assert_snapshot!(format!("hall_200_{language}"), desk.screen(200, 60));
        desk.press(KeyCode::Char(' '));
        insta::assert_snapshot!(format!("hall_revealed_{language}"), desk.screen(80, 24));
        desk.press(KeyCode::Char('?'));
        insta::assert_snapshot!(format!("help_hall_{language}"), desk.screen(80, 24));
    }
}

#[test]
fn a_closed_record_is_no_end_and_an_end_outlasts_its_cable() {
    let mut desk = Desk::new(&[host("pc1", "")], "en");
    let over = |board: &mut BoardObject, result: &str, ending: &str| {
        let game = board.object.get_mut(GAME).unwrap();
        game.extend(map(json!({"State": "over", "Result": result, "Ending": ending})));
    };
    let mut closed = board("b1", "Table 1", "", "");
    over(&mut closed, "*", "");
    let mut packed_up = board("b2", "Table 2", "", "");
    over(&mut packed_up, "1/2-1/2", "fivefold");
    packed_up.object.get_mut(BOARD).unwrap().insert("State".into(), "absent".into());
    desk.step(Input::News(0, state(vec![closed, packed_up], Vec::new())));
    let text = desk.text();
    let row = |name: &str| text.lines().find(|line| line.contains(name)).unwrap_or_default();
    assert!(row("Table 1").contains("no result"), "{text}");
    assert!(row("Table 2").contains("½-½ fivefold"), "{text}");
    desk.press(KeyCode::Enter);
    let text = desk.text();
    assert!(text.contains("record closed without a result"), "{text}");
}

#[test]
fn a_board_is_drawn() {
    for language in ["en", "es"] {
        let mut desk = hall(language);
        // The first is the game that is over.
        let effects = desk.press(KeyCode::Enter);
        let [Effect::Call(purpose, calls)] = &effects[..] else { panic!("{effects:?}") };
        assert_eq!((calls[0].method, &calls[0].path), ("GetMoves", &path("b2")));
        let moves = json!([
            [1, "f3", "f2f3", -1, -1],
            [2, "e5", "e7e5", -1, -1],
            [3, "g4", "g2g4", -1, -1],
            [4, "Qh4#", "d8h4", -1, -1]
        ]);
        desk.step(Input::Answer(purpose.clone(), Ok(vec![moves])));
        insta::assert_snapshot!(format!("board_80_{language}"), desk.screen(80, 24));
        insta::assert_snapshot!(format!("board_200_{language}"), desk.screen(200, 60));
        desk.press(KeyCode::Char('a'));
        insta::assert_snapshot!(format!("menu_{language}"), desk.screen(80, 24));
        desk.press(KeyCode::Esc);
        desk.press(KeyCode::Char('?'));
        insta::assert_snapshot!(format!("help_board_{language}"), desk.screen(80, 24));
        desk.press(KeyCode::Esc);
        desk.press(KeyCode::Right);
        desk.press(KeyCode::Char(' '));
        insta::assert_snapshot!(format!("board_revealed_{language}"), desk.screen(80, 24));
    }
}

#[test]
fn what_only_the_arbiter_may_know_is_there_after_the_key_and_goes_again() {
    let mut desk = hall("en");
    let secret =
        |text: &str| ["threefold", "flag", "claim", "Nf6"].iter().any(|word| text.contains(word));
    let before = desk.text();
    assert!(!secret(&before), "{before}");
    // Where he must act there is a mark, where only a player may there is none.
    assert!(before.contains("Judit Po-Hou Yi") && before.contains("look · playing"));
    let three = before.lines().find(|line| line.contains("Magnus")).unwrap();
    assert!(three.trim_end().ends_with(" playing") && !three.contains('!'), "{three}");
    desk.press(KeyCode::Char(' '));
    let shown = desk.text();
    assert!(shown.contains("threefold") && shown.contains("Black's flag"), "{shown}");
    assert!(shown.contains("hidden in 10 s"));
    // By the same key, or by itself.
    desk.press(KeyCode::Char(' '));
    assert_eq!(desk.text(), before);
    desk.press(KeyCode::Char(' '));
    desk.wait(REVEALED.as_secs() - 1);
    assert!(secret(&desk.text()));
    desk.wait(1);
    assert!(!secret(&desk.text()));
}

#[test]
fn rows_can_be_sorted_and_found_and_a_filter_betrays_nothing() {
    let mut desk = hall("en");
    let tables = |desk: &Desk| -> Vec<String> {
        desk.model.rows().0.into_iter().map(|row| row.who).collect()
    };
    let by_need = ["Table 2", "Table 1", "Table 3 (pc2)", "Table 3 (pc1)", "Table 10", "Table 11"];
    assert_eq!(tables(&desk), by_need);
    desk.press(KeyCode::Char('o'));
    let by_name = ["Table 1", "Table 2", "Table 3 (pc1)", "Table 3 (pc2)", "Table 10", "Table 11"];
    assert_eq!(tables(&desk), by_name);
    desk.press(KeyCode::Char('o'));
    assert_eq!(tables(&desk).last().unwrap(), "Table 11");
    desk.press(KeyCode::Char('o'));
    assert_eq!(tables(&desk)[0], "Table 1", "the least time");
    desk.press(KeyCode::Char('o'));
    desk.press(KeyCode::Char('a'));
    assert_eq!(tables(&desk), by_need[..3]);
    desk.press(KeyCode::Char('a'));
    desk.press(KeyCode::Char('/'));
    desk.typed("polgár q");
    assert_eq!(tables(&desk), [""; 0]);
    desk.press(KeyCode::Backspace);
    desk.press(KeyCode::Backspace);
    desk.press(KeyCode::Enter);
    assert_eq!(tables(&desk), ["Table 1"]);
    desk.press(KeyCode::Esc);
    assert_eq!(tables(&desk).len(), 6);
    for hidden in ["threefold", "flag", "mismatch"] {
        desk.press(KeyCode::Char('/'));
        desk.typed(hidden);
        assert_eq!(tables(&desk), [""; 0], "{hidden}");
        desk.press(KeyCode::Esc);
    }
}

#[test]
fn the_row_that_is_pointed_at_stays_when_others_come_and_go() {
    let mut desk = hall("en");
    desk.press(KeyCode::Down);
    let chosen = |desk: &mut Desk| {
        let text = desk.text();
        text.lines().find(|line| line.starts_with('>')).unwrap().to_owned()
    };
    assert!(chosen(&mut desk).contains("Table 1 "));
    desk.step(Input::News(0, News::BoardLess(path("b2"), vec![BOARD.into(), GAME.into()])));
    assert!(chosen(&mut desk).contains("Table 1 "));
    let new = board("b0", "Table 0", "A", "B");
    for (interface, values) in new.object {
        desk.step(Input::News(0, News::Board(path("b0"), interface, values)));
    }
    desk.step(Input::News(0, News::Alert(Box::new(mate(20, "b0")))));
    assert!(chosen(&mut desk).contains("Table 1 "));
    desk.press(KeyCode::Home);
    assert!(chosen(&mut desk).contains("Table 0 "));
    desk.press(KeyCode::End);
    assert!(chosen(&mut desk).contains("Table 11 "));
    desk.press(KeyCode::PageUp);
    assert!(chosen(&mut desk).contains("Table 0 "));
}

#[test]
fn clocks_run_between_what_is_told() {
    let mut desk = hall("en");
    let times = |desk: &Desk| {
        let (pc, board) = desk.model.hall.board(&Key { host: 0, path: path("b1") }).unwrap();
        let times = pc.times(board, desk.now.wall).unwrap();
        (times.white.unwrap() / 1000, times.black.unwrap() / 1000)
    };
    assert_eq!(times(&desk), (5390, 5400));
    desk.wait(7);
    assert_eq!(times(&desk), (5390, 5393));
    // The clock is stopped: the time is that of now.
    let stopped = map(json!({"Running": "none"}));
    desk.step(Input::News(0, News::Board(path("b1"), CLOCK.into(), stopped)));
    desk.wait(100);
    assert_eq!(times(&desk), (5390, 5393));
    // A move tells the times.
    let details = map(json!({"white_clock": 5000, "black_clock": 4000})).into_iter().collect();
    let event = Event {
        seq: 30,
        usec: desk.now.wall,
        board: path("b1"),
        game: "g-b1".into(),
        kind: "move".into(),
        text: String::new(),
        details,
    };
    desk.step(Input::News(0, News::Event(Box::new(event))));
    let runs = map(json!({"Running": "white"}));
    desk.step(Input::News(0, News::Board(path("b1"), CLOCK.into(), runs)));
    desk.wait(1);
    assert_eq!(times(&desk), (4999, 4000));
    desk.wait(6000);
    assert_eq!(times(&desk), (0, 4000));
}

#[test]
fn a_pc_whose_time_of_day_is_wrong_shows_the_right_clock() {
    let mut desk = Desk::new(&[host("pc1", "")], "en");
    // It is an hour behind.
    let mut slow = board("b1", "Table 1", "", "");
    let behind = NOON - 3_600_000_000;
    slow.object.get_mut(CLOCK).unwrap().insert("MeasuredAt".into(), behind.into());
    desk.step(Input::News(0, state(vec![slow], Vec::new())));
    desk.wait(10);
    assert!(desk.text().contains("1:29:50*"), "{}", desk.text());
}

/// The board that is looked at, and a key for an action.
fn acting(board: &str, key: char) -> Desk {
    let mut desk = hall("en");
    desk.press(KeyCode::Char('/'));
    desk.typed(board);
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Enter);
    assert!(matches!(desk.model.view, View::Board(_)));
    desk.press(KeyCode::Char(key));
    desk
}

fn sent(effects: &[Effect]) -> (Purpose, Vec<Call>) {
    match effects {
        [Effect::Call(purpose @ Purpose::Deed(_), calls)] => (purpose.clone(), calls.clone()),
        other => panic!("{other:?}"),
    }
}

fn args(call: &Call) -> Vec<Arg> {
    call.args.clone()
}

fn text(text: &str) -> Arg {
    Arg::Text(text.into())
}

#[test]
fn a_claim_is_asked_confirmed_sent_and_told() {
    let mut desk = acting("polgár", 'c');
    desk.press(KeyCode::Right);
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Down);
    desk.typed("Nf6+");
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Left);
    desk.press(KeyCode::Enter);
    assert!(desk.press(KeyCode::Enter).is_empty(), "it is not sent yet");
    let asked = desk.text();
    insta::assert_snapshot!("claim_confirm", asked);
    let (purpose, calls) = sent(&desk.press(KeyCode::Enter));
    assert_eq!((calls[0].host, calls[0].secret, calls[0].method), (0, true, "RuleOnClaim"));
    let options = Arg::Options(vec![
        ("claimant", text("black")),
        ("moved", Arg::Truth(true)),
        ("language", text("en")),
    ]);
    assert_eq!(args(&calls[0]), [text("fifty-move"), text("Nf6"), Arg::Number(3), options]);
    assert!(desk.press(KeyCode::Enter).is_empty(), "it is sent once");
    let answer =
        json!(["incorrect", "9.3", "The claim is wrong.", "any", 5_510_000, 5_400_000, []]);
    let Value::Array(values) = answer else { unreachable!() };
    desk.step(Input::Answer(purpose, Ok(values)));
    insta::assert_snapshot!("claim_told", desk.text());
    desk.press(KeyCode::Enter);
    assert!(matches!(desk.model.front, Front::Nothing));
}

#[test]
fn every_action_makes_its_call_after_a_confirmation() {
    let none = || Arg::Options(Vec::new());
    let en = || Arg::Options(vec![("language", text("en"))]);
    let fen = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    let tags = [("White".to_owned(), "Judit Polgár".to_owned()), ("Black".to_owned(), "B".into())];
    for (key, typed, interface, method, expected) in [
        (
            'f',
            "",
            ARBITER_ONLY,
            "RuleOnFlag",
            vec![text("black"), text("nothing"), Arg::Number(3), en()],
        ),
        ('i', "", ARBITER_ONLY, "AcceptIllegalMove", vec![Arg::Number(0), en()]),
        (
            'r',
            "agreed",
            GAME,
            "SetResult",
            vec![text("1-0"), text("agreed"), Arg::Number(3), none()],
        ),
        ('u', "", GAME, "Undo", vec![Arg::Number(1), Arg::Number(3), none()]),
        ('p', fen, GAME, "SetPosition", vec![text(fen), Arg::Number(3), none()]),
        ('n', "", BOARD, "NewGame", vec![Arg::Options(vec![("edition", text("fide-2023"))])]),
        ('t', "B", GAME, "SetTags", vec![Arg::Texts(tags.into()), none()]),
        (
            'l',
            "Table 9",
            "org.freedesktop.DBus.Properties",
            "Set",
            vec![text(BOARD), text("Label"), Arg::Any(Box::new(text("Table 9")))],
        ),
        (
            'e',
            "",
            GAME,
            "SetConditions",
            vec![
                Arg::Number(3),
                Arg::Options(vec![
                    ("edition", text("fide-2023")),
                    ("time-control", text("standard")),
                    ("supervision", text("shared")),
                ]),
            ],
        ),
        ('b', "", GAME, "UndoStart", vec![Arg::Number(3), en()]),
        ('o', "", BOARD, "SetFlipped", vec![Arg::Truth(true), none()]),
        ('z', "", GAME, "Reopen", vec![Arg::Number(3), none()]),
        ('w', "", BOARD, "SetClockSide", vec![text("right"), none()]),
        ('s', "", "org.dgtd.Daemon1", "SilenceBuzzer", vec![none()]),
    ] {
        let mut desk = acting("polgár", key);
        let Front::Form(_, form) = &desk.model.front else { panic!("{key}") };
        let fields = form.action.fields.len();
        for place in 0..fields {
            if place + 1 == fields && !typed.is_empty() {
                desk.press(KeyCode::Delete);
                desk.typed(typed);
            }
            assert!(desk.press(KeyCode::Enter).is_empty(), "{key}");
        }
        let Front::Form(_, form) = &desk.model.front else { panic!("{key}") };
        assert!(matches!(form.stage, Stage::Confirm(_)), "{key}: {:?}", form.stage);
        let (purpose, calls) = sent(&desk.press(KeyCode::Enter));
        let [call] = &calls[..] else { panic!("{calls:?}") };
        assert_eq!((call.interface, call.method, args(call)), (interface, method, expected));
        assert_eq!(call.secret, interface == ARBITER_ONLY);
        desk.step(Input::Answer(purpose, Err(Failure::Rights)));
        assert!(desk.text().contains("not in the group dgtd-arbiters on pc1"), "{}", desk.text());
    }
}

#[test]
fn only_what_was_on_the_screen_is_taken_as_seen() {
    let mut desk = acting("ana", 'k');
    let (_, calls) = sent(&desk.press(KeyCode::Enter));
    assert_eq!((calls[0].path.as_str(), calls[0].secret), ("/org/dgtd/alerts/7", false));
    // The flag is not shown.
    let mut desk = acting("polgár", 'k');
    assert!(desk.text().contains("Nothing that was on the screen is open"), "{}", desk.text());
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Char(' '));
    desk.press(KeyCode::Char('k'));
    let (_, calls) = sent(&desk.press(KeyCode::Enter));
    assert_eq!((calls[0].path.as_str(), calls[0].secret), ("/org/dgtd/alerts/8", true));
}

#[test]
fn what_is_filled_in_wrongly_is_said_and_nothing_is_sent() {
    for (key, typed, wrong) in [
        ('u', "3", "Name a half-move before the present one"),
        ('u', "", "That is not a number"),
        ('u', "99999999999", "That is not a number"),
        ('p', " ", "Fill in what is empty"),
    ] {
        let mut desk = acting("polgár", key);
        desk.press(KeyCode::Delete);
        desk.typed(typed);
        assert!(desk.press(KeyCode::Enter).is_empty());
        assert!(desk.text().contains(wrong), "{}", desk.text());
        desk.press(KeyCode::Esc);
        assert!(matches!(desk.model.front, Front::Nothing));
    }
    // A board without a game.
    for key in ['c', 'f', 'i', 'r', 'u', 't', 'e', 'z'] {
        let mut desk = acting("table 10", key);
        assert!(desk.text().contains("No game is on at this board"), "{key}");
        assert!(desk.press(KeyCode::Enter).is_empty());
    }
    // There, a position begins a game.
    let mut desk = acting("table 10", 'p');
    desk.typed("fen");
    desk.press(KeyCode::Enter);
    let (_, calls) = sent(&desk.press(KeyCode::Enter));
    assert_eq!(args(&calls[0]), [Arg::Options(vec![("fen", text("fen"))])]);
}

#[test]
fn every_refusal_says_what_to_do_in_both_languages() {
    let refused = |name: &str| Failure::Refused(name.into(), "because".into());
    let mut said = Vec::new();
    for failure in [
        Failure::Rights,
        Failure::Away,
        Failure::Silent,
        Failure::Other("strange".into()),
        refused("StalePly"),
        refused("NoGame"),
        refused("GameOver"),
        refused("IllegalMove"),
        refused("IllegalPosition"),
        refused("NoSuchIllegalMove"),
        refused("NoSuchAlert"),
        refused("NotClosed"),
        refused("NotToBeReopened"),
        refused("NothingBefore"),
        refused("NotConnected"),
        refused("Unavailable"),
        refused("UnknownMethod"),
        refused("UnknownObject"),
        refused("InvalidArgument"),
    ] {
        let [en, es] =
            ["en", "es"].map(|language| Words(Language::choose(language)).failure(&failure, "pc1"));
        assert_ne!(en, es);
        assert!(!en.contains(['{', '$']) && !es.contains(['{', '$']), "{en} {es}");
        said.push(en);
    }
    said.dedup();
    assert_eq!(said.len(), 19, "{said:?}");
    assert!(said[18].contains("because") && said[3].contains("strange"));
}

#[test]
fn keys_and_fields_have_words_and_no_key_has_two_meanings() {
    let mut keys: Vec<char> = ACTIONS.iter().map(|action| action.key).collect();
    keys.extend(['a', 'q', 'v', '?', ' ']);
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
    for language in ["en", "es"] {
        for action in ACTIONS {
            let mut desk = hall(language);
            desk.press(KeyCode::Enter);
            desk.press(KeyCode::Char(action.key));
            let text = desk.text();
            assert!(!text.contains("watch-") && !text.contains("nknown local"), "{text}");
            if let Front::Form(_, form) = &desk.model.front {
                assert_eq!(form.given.len(), action.fields.len(), "{}", action.key);
            }
        }
    }
}

#[test]
fn colours_say_nothing_that_words_do_not() {
    let mut desk = hall("en");
    desk.press(KeyCode::Enter);
    let coloured = desk.screen_of(80, 24, true);
    assert!(coloured.buffer().content().iter().any(|cell| cell.bg == Color::Indexed(180)));
    let plain = desk.screen_of(80, 24, false);
    for cell in plain.buffer().content() {
        assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
    }
    // Empty squares apart, the same letters stand there.
    let letters = |backend: &TestBackend| -> String {
        let cells = backend.buffer().content().iter().map(Cell::symbol);
        cells.collect::<String>().replace(['.', ':'], " ")
    };
    assert_eq!(letters(&coloured), letters(&plain));
}

#[test]
fn any_size_can_be_drawn() {
    for language in ["en", "es"] {
        for front in [None, Some('?'), Some('a'), Some('c'), Some('g'), Some('k')] {
            let mut desk = hall(language);
            for view in 0..2 {
                if view == 1 {
                    desk.press(KeyCode::Enter);
                    desk.press(KeyCode::Char(' '));
                    front.map(|key| desk.press(KeyCode::Char(key)));
                }
                for (columns, rows) in
                    [(1, 1), (5, 3), (40, 10), (41, 12), (79, 23), (80, 24), (132, 43), (300, 100)]
                {
                    desk.screen_of(columns, rows, true);
                }
            }
        }
    }
}

#[test]
fn moves_are_read_again_when_the_game_goes_on_or_the_answer_is_lost() {
    let mut desk = hall("en");
    desk.press(KeyCode::Down);
    let asked = |effects: &[Effect]| {
        effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Call(purpose @ Purpose::Moves(..), _) => Some(purpose.clone()),
                _ => None,
            })
            .next_back()
    };
    let first = asked(&desk.press(KeyCode::Enter)).unwrap();
    assert_eq!(asked(&desk.step(Input::Answer(first, Err(Failure::Silent)))), None);
    desk.now.stamp = Stamp::from_millis(13_000);
    let again = asked(&desk.step(Input::Tick)).unwrap();
    let list = json!([[1, "e4", "", -1, -1], [2, "e5", "", -1, -1], [3, "f4", "", -1, -1]]);
    desk.step(Input::Answer(again, Ok(vec![list])));
    assert!(desk.text().contains("1. e4 e5") && desk.text().contains("2. f4"));
    desk.now.stamp = Stamp::from_millis(60_000);
    assert_eq!(asked(&desk.step(Input::Tick)), None);
    let on = map(json!({"Ply": 4, "LastSan": "exf4"}));
    let effects = desk.step(Input::News(0, News::Board(path("b1"), GAME.into(), on)));
    assert!(asked(&effects).is_some());
    // Until they come the old ones stand there.
    assert!(desk.text().contains("2. f4"));
}

#[test]
fn the_men_on_the_board_are_drawn_beside_the_game_when_they_differ() {
    let mut desk = hall("en");
    let seen = map(json!({"Agrees": false,
        "Placement": "rnbqkbnr/pppp1ppp/8/4p3/4PP2/3Q4/PPPP2PP/RNB1KBNR"}));
    desk.step(Input::News(0, News::Board(path("b1"), BOARD.into(), seen)));
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Enter);
    assert!(!desk.text().contains("On the board"));
    desk.press(KeyCode::Char(' '));
    let text = desk.text();
    assert!(text.contains("On the board:"), "{text}");
    assert!(text.contains(" 3 : . : . : . : .    3 : . : Q : . : ."), "{text}");
    desk.press(KeyCode::Char('v'));
    assert!(desk.text().contains("1 R N B K Q B N R"), "{}", desk.text());
}

#[test]
fn a_pc_that_leaves_and_comes_back_is_shown_so() {
    let mut desk = hall("en");
    desk.step(Input::News(0, News::Down(Fault::NotRunning)));
    let text = desk.text();
    assert!(text.contains("pc1 cannot be reached. dgtd is not running there."), "{text}");
    assert!(text.contains("PC away"), "{text}");
    assert!(text.contains("Judit"), "what was last known stays: {text}");
    let boards = vec![board("b1", "Table 1", "Judit Polgár", "Hou Yifan")];
    desk.step(Input::News(0, state(boards, Vec::new())));
    let text = desk.text();
    assert!(!text.contains("pc1 cannot") && !text.contains("Table 10"), "{text}");
}

#[test]
fn one_look_is_a_sheet_of_text() {
    let desk = hall("en");
    insta::assert_snapshot!("once_100", draw::sheet(&desk.model, 100).join("\n"));
}

#[test]
fn the_screen_is_left_by_q_and_by_control_c() {
    for key in [
        KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE),
        KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL),
    ] {
        let mut desk = hall("en");
        assert_eq!(desk.step(Input::Key(key)), [Effect::Quit]);
    }
    let mut desk = hall("en");
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Char('c'));
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(desk.step(Input::Key(control_c)), [Effect::Quit]);
}

#[test]
fn what_is_pasted_is_text_and_confirms_nothing() {
    let mut desk = acting("polgár", 'r');
    desk.press(KeyCode::Enter);
    assert_eq!(desk.step(Input::Paste("agreed\n\n\u{1b}[A\r\n".into())), []);
    let Front::Form(_, form) = &desk.model.front else { panic!() };
    assert_eq!((&form.stage, form.given[1].as_str()), (&Stage::Filling(1), "agreed   [A"));
    // Nor does it choose anything, or leave.
    let mut desk = hall("en");
    assert_eq!(desk.step(Input::Paste("q\nq".into())), []);
    assert!(matches!((&desk.model.view, &desk.model.front), (View::Hall, Front::Nothing)));
    desk.press(KeyCode::Char('/'));
    desk.step(Input::Paste("polgár\n".into()));
    assert!(desk.model.typing && desk.model.filter == "polgár");
    let mut desk = acting("polgár", 'u');
    desk.press(KeyCode::Delete);
    desk.step(Input::Paste("1; rm -rf".into()));
    let Front::Form(_, form) = &desk.model.front else { panic!() };
    assert_eq!(form.given[0], "1");
}

#[test]
fn no_keys_in_any_order_break_it() {
    let letters = "abcdefghijklmnopqrstuvwxyz?/ 0123456789KQ";
    let mut keys: Vec<KeyCode> = letters.chars().map(KeyCode::Char).collect();
    keys.extend([
        KeyCode::Enter,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::Insert,
        KeyCode::F(1),
        KeyCode::Null,
    ]);
    let sizes = [(80, 24), (20, 5), (1, 1), (40, 10), (200, 60), (41, 11)];
    let mut desk = hall("en");
    // Knuth's numbers: always the same walk.
    let mut state = 1_u64;
    let mut draw = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    for step in 0..6_000 {
        let key = keys[draw(keys.len())];
        for effect in desk.press(key) {
            match effect {
                // Leaving is not what is looked at here.
                Effect::Quit => desk.model.view = View::Hall,
                Effect::Call(purpose, _) if draw(2) == 0 => {
                    let answers = [
                        Ok(Vec::new()),
                        Ok(vec![json!(7), json!(null), json!("text"), json!([1, [2]])]),
                        Err(Failure::Silent),
                        Err(Failure::Refused("Strange".into(), "why".into())),
                    ];
                    let answer = answers[draw(4)].clone();
                    desk.step(Input::Answer(purpose, answer));
                }
                Effect::Read(form, _) => {
                    let file = [ROUND.as_bytes().to_vec(), b"nonsense".to_vec()];
                    desk.step(Input::File(form, Ok(file[draw(2)].clone())));
                }
                _ => {}
            }
        }
        if step % 97 == 0 {
            desk.step(Input::News(draw(3), News::Down(Fault::Silent)));
        }
        if step % 101 == 0 {
            let boards = vec![board("b1", "Table 1", "Judit Polgár", "Hou Yifan")];
            desk.step(Input::News(0, state_of(boards)));
        }
        let (columns, rows) = sizes[draw(sizes.len())];
        desk.screen_of(columns, rows, step % 2 == 0);
    }
}

fn state_of(boards: Vec<BoardObject>) -> News {
    state(boards, Vec::new())
}

const ROUND: &str = "[Event \"Open\"]\n[Round \"3.1\"]\n[White \"Eva\"]\n[Black \"Ivo\"]\n\n*\n\n\
                     [Event \"Open\"]\n[Round \"3.2\"]\n[White \"Ana\u{1b}[2J\"]\n\
                     [Black \"Luis\"]\n\n*\n\n\
                     [Event \"Open\"]\n[Round \"3.9\"]\n[White \"Zoe\"]\n[Black \"Max\"]\n\n*\n";

/// A hall of two PCs, and the form of the pairings with a file filled in.
fn pairing(label2: &str) -> (Desk, u64) {
    let mut desk = Desk::new(&[host("pc1", ""), host("pc2", "")], "en");
    let one = board("b1", "Table 1", "", "");
    desk.step(Input::News(0, state(vec![one], Vec::new())));
    let mut two = board("b2", label2, "", "");
    two.object.get_mut(GAME).unwrap().insert("State".into(), "waiting".into());
    desk.step(Input::News(1, state(vec![two], Vec::new())));
    desk.press(KeyCode::Char('g'));
    desk.typed("round.pgn");
    desk.press(KeyCode::Enter);
    let effects = desk.press(KeyCode::Enter);
    let [Effect::Read(form, path)] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(path, "round.pgn");
    let form = *form;
    (desk, form)
}

#[test]
fn pairings_are_shown_before_they_are_set_and_each_is_told_of() {
    let (mut desk, form) = pairing("Table 2");
    assert_eq!(desk.step(Input::File(form, Ok(ROUND.into()))), []);
    insta::assert_snapshot!("pairings_shown", desk.text());
    let sent = desk.press(KeyCode::Enter);
    let calls: Vec<(Purpose, usize, String)> = sent
        .iter()
        .map(|effect| match effect {
            Effect::Call(purpose, calls) => {
                assert_eq!((calls.len(), calls[0].method), (1, "SetPairing"));
                (purpose.clone(), calls[0].host, calls[0].path.clone())
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!((calls[0].1, &calls[0].2), (0, &path("b1")));
    assert_eq!((calls[1].1, &calls[1].2), (1, &path("b2")));
    assert_eq!(calls.len(), 2);
    assert!(desk.press(KeyCode::Enter).is_empty(), "they are sent once");
    desk.step(Input::Answer(calls[0].0.clone(), Ok(vec![json!(false)])));
    assert!(desk.text().contains("Answers on their way: 1"), "{}", desk.text());
    desk.step(Input::Answer(calls[1].0.clone(), Err(Failure::Silent)));
    insta::assert_snapshot!("pairings_told", desk.text());
    desk.press(KeyCode::Enter);
    assert!(matches!(desk.model.front, Front::Nothing));
}

#[test]
fn a_wrong_file_or_a_clash_sets_nothing() {
    for (label, bytes, said) in [
        ("Table 2", Ok(b"nonsense".to_vec()), "neither a PGN file"),
        ("Table 2", Err("cannot read round.pgn: it is a fish".to_owned()), "it is a fish"),
        (
            "Board 1",
            Ok(ROUND.as_bytes().to_vec()),
            "board 1 is there more than once: pc1:b1, pc2:b2",
        ),
    ] {
        let (mut desk, form) = pairing(label);
        desk.step(Input::File(form, bytes));
        let text = desk.text().replace("│", " ");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "{text}");
        assert!(desk.press(KeyCode::Enter).is_empty());
        assert!(matches!(desk.model.front, Front::Nothing));
    }
    // Esc while it is read: what comes then is for nobody.
    let (mut desk, form) = pairing("Table 2");
    desk.press(KeyCode::Esc);
    desk.step(Input::File(form, Ok(ROUND.into())));
    assert!(matches!(desk.model.front, Front::Nothing));
    // A PC that is away: its boards may be those that are missing.
    let (mut desk, form) = pairing("Table 2");
    desk.step(Input::News(1, News::Down(Fault::Lost)));
    desk.step(Input::File(form, Ok(ROUND.into())));
    let text = desk.text();
    assert!(text.contains("no board that was heard"), "{text}");
    assert!(text.contains("Set 1 of these at pc1?"), "{text}");
}

#[test]
fn a_long_round_can_be_read_on_a_small_screen() {
    let (mut desk, form) = pairing("Table 2");
    let games = (1..=120).map(|n| {
        format!(
            "[Event \"E\"]\n[Round \"1.{n}\"]\n[White \"White{n}\"]\n[Black \"Black{n}\"]\n\n*\n\n"
        )
    });
    desk.step(Input::File(form, Ok(games.collect::<String>().into_bytes())));
    assert!(desk.text().contains("1 to ") && desk.text().contains(" of 120"), "{}", desk.text());
    assert!(!desk.text().contains("White120"));
    desk.press(KeyCode::End);
    assert!(desk.text().contains("White120"), "{}", desk.text());
    desk.press(KeyCode::Home);
    desk.press(KeyCode::PageDown);
    assert!(desk.text().contains("White11 -"), "{}", desk.text());
}
