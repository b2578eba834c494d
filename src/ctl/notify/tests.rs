//! The desk without desktop and hosts: what happened in, what to do out.

use serde_json::json;

use super::*;
use crate::ctl::{
    hosts::{Alert, Event, State, Way},
    notify::side::PAST,
};

/// A desk, a clock, and a notification server that does what it is told.
struct Rig {
    desk: Desk,
    now: Stamp,
    next: u32,
    server: String,
    /// What stands on the screen: number and title-like word.
    screen: BTreeMap<u32, (Key, Note)>,
    /// Every alert that popped up, in order.
    popped: Vec<String>,
    sounds: usize,
    acknowledged: Vec<u64>,
}

fn hosts(count: usize) -> Vec<Host> {
    let host = |n| Host {
        name: format!("pc{n}"),
        hall: String::new(),
        way: Way::Ssh(format!("arbiter@pc{n}").parse().unwrap()),
    };
    (1..=count).map(host).collect()
}

impl Rig {
    fn new(count: usize) -> Rig {
        let mut rig = Rig::with(count, Memory::default(), "bus:1.1");
        rig.step(Input::Server(Some("bus:1.1".into())));
        rig
    }

    fn with(count: usize, memory: Memory, server: &str) -> Rig {
        Rig {
            desk: Desk::new(&hosts(count), memory),
            now: Stamp::from_millis(1_000),
            next: 10,
            server: server.into(),
            screen: BTreeMap::new(),
            popped: Vec::new(),
            sounds: 0,
            acknowledged: Vec::new(),
        }
    }

    fn step(&mut self, input: Input) {
        let effects = self.desk.step(self.now, input);
        for effect in effects {
            match effect {
                Effect::Post { key, note, replaces, sound } => {
                    self.sounds += usize::from(sound);
                    let id = if replaces != 0 {
                        assert!(self.screen.contains_key(&replaces), "replaces what is not there");
                        replaces
                    } else {
                        self.next += 1;
                        self.popped.push(word(&note));
                        self.next
                    };
                    self.screen.insert(id, (key.clone(), *note));
                    let server = self.server.clone();
                    self.step(Input::Posted(key, id, server));
                }
                Effect::Close(id) => {
                    assert!(self.screen.remove(&id).is_some(), "closes what is not there");
                    self.step(Input::Closed(id, 3));
                }
                Effect::Acknowledge(_, alert) => self.acknowledged.push(alert.id),
                Effect::Show(..)
                | Effect::Broken(..)
                | Effect::Mended { .. }
                | Effect::Server(_) => {}
            }
        }
    }

    fn news(&mut self, news: News) {
        self.step(Input::News(0, news));
    }

    fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while let Some(at) = self.desk.due().filter(|at| *at <= until) {
            assert!(at > self.now, "the desk is due in the past");
            self.now = at;
            self.step(Input::Tick);
        }
        self.now = until;
        self.step(Input::Tick);
    }

    fn shown(&self) -> Vec<String> {
        self.screen.values().map(|(_, note)| word(note)).collect()
    }

    fn id(&self, of: &str) -> u32 {
        *self.screen.iter().find(|(_, (_, note))| word(note) == of).expect(of).0
    }

    /// The same desk after a restart of the program.
    fn restarted(self, server: &str) -> Rig {
        let count = self.desk.sides.len();
        let bytes = super::super::memory::bytes(&self.desk.memory());
        let memory = serde_json::from_slice(&bytes).unwrap();
        let mut rig = Rig::with(count, memory, server);
        if server == self.server {
            rig.screen = self.screen;
            rig.next = self.next;
        }
        rig.step(Input::Server(Some(server.into())));
        rig
    }
}

/// A short word for what a notification says.
fn word(note: &Note) -> String {
    match note {
        Note::One(about) => format!("{}{}", about.who, if about.late { " late" } else { "" }),
        Note::Several { list, .. } => format!("several {}", list.len()),
        Note::Withdrawn(about) => format!("withdrawn {}", about.who),
        Note::LinesDown { down, of, .. } => format!("down {} of {of}", down.len()),
        Note::LinesBack { back, .. } => format!("back {}", back.join("+")),
        Note::NoRights(pcs) => format!("no rights {}", pcs.join("+")),
        Note::Clash { label, pcs } => format!("clash {label} {}", pcs.join("+")),
        Note::NotAcknowledged { pc, .. } => format!("refused {pc}"),
        Note::NoTerminal { .. } => "no terminal".into(),
    }
}

fn alert(id: u64, class: AlertClass) -> Alert {
    Alert {
        id,
        board: format!("/org/dgtd/boards/b{id}"),
        game: format!("g{id}"),
        label: format!("Table {id}"),
        class,
        title: String::new(),
        body: String::new(),
        raised_at: id,
        details: serde_json::Map::new(),
    }
}

fn over(id: u64) -> Alert {
    alert(id, AlertClass::Urgent)
}

fn state(seq: u64, alerts: impl IntoIterator<Item = Alert>) -> State {
    State {
        journal: "j1".into(),
        seq,
        started_at: 100,
        rights: true,
        alerts: alerts.into_iter().map(|alert| (alert.id, alert)).collect(),
        ..State::default()
    }
}

fn event(seq: u64, kind: &str, game: &str, alert: u64) -> Event {
    let details = json!({ "alert": alert, "label": format!("Table {seq}") });
    Event {
        seq,
        usec: seq,
        board: format!("/org/dgtd/boards/b{seq}"),
        game: game.into(),
        kind: kind.into(),
        text: String::new(),
        details: details.as_object().cloned().unwrap_or_default(),
    }
}

fn up(state: State) -> News {
    News::State(Box::new(state))
}

fn raised(alert: Alert) -> News {
    News::Alert(Box::new(alert))
}

fn told(event: Event) -> News {
    News::Event(Box::new(event))
}

fn lost() -> News {
    News::Down(Fault::Lost)
}

const LONG: Duration = Duration::from_secs(90);

#[test]
fn an_end_is_shown_once_however_often_it_is_told() {
    let mut rig = Rig::new(1);
    rig.news(up(state(4, [])));
    rig.news(raised(over(5)));
    rig.news(raised(over(5)));
    rig.news(up(state(5, [over(5)])));
    assert_eq!((rig.shown(), rig.popped.len(), rig.sounds), (vec!["Table 5".into()], 1, 1));
}

#[test]
fn classes_are_kept_apart() {
    let mut rig = Rig::new(1);
    rig.news(up(state(1, [])));
    rig.news(raised(alert(2, AlertClass::Notice)));
    assert_eq!((rig.shown(), rig.sounds), (vec!["Table 2".to_owned()], 0), "B is silent");
    assert!(!rig.screen.values().next().unwrap().1.stays());
    rig.news(raised(alert(3, AlertClass::Quiet)));
    rig.news(up(state(3, [alert(2, AlertClass::Notice), alert(4, AlertClass::Quiet)])));
    assert_eq!(rig.shown(), ["Table 2"], "C is never pushed");
    rig.news(News::AlertGone(2));
    assert!(rig.shown().is_empty());
}

#[test]
fn a_line_that_breaks_and_comes_back_shows_nothing_twice() {
    let mut rig = Rig::new(1);
    rig.news(up(state(5, [over(5)])));
    rig.news(lost());
    assert_eq!(rig.shown(), ["Table 5 late"], "not at once: it may be a restart");
    rig.pass(GRACE);
    assert_eq!(rig.shown(), ["Table 5 late", "down 1 of 1"]);
    rig.news(lost());
    rig.news(News::Down(Fault::Unreachable));
    assert_eq!(rig.popped.len(), 2, "one notification, its reason replaced");
    let mut back = state(9, [over(5), over(8)]);
    back.missed = vec![event(8, "game_over", "g8", 0)];
    rig.news(up(back));
    assert_eq!(rig.shown(), ["Table 5 late", "back pc1", "Table 8 late"]);
    assert_eq!((rig.popped.len(), rig.sounds), (3, 2));
    rig.pass(LONG);
    assert_eq!(rig.shown(), ["Table 5 late", "Table 8 late"]);
}

#[test]
fn a_daemon_that_is_soon_back_is_no_broken_line() {
    let mut rig = Rig::new(1);
    rig.news(up(state(5, [])));
    rig.news(News::Down(Fault::NotRunning));
    rig.pass(Duration::from_secs(1));
    rig.news(up(State { started_at: 200, ..state(5, []) }));
    rig.pass(LONG);
    assert!(rig.popped.is_empty());
}

#[test]
fn an_end_that_a_restarted_daemon_forgot_stays() {
    let mut rig = Rig::new(1);
    rig.news(up(state(5, [over(5), alert(4, AlertClass::Notice)])));
    rig.news(lost());
    // While the line was down: another end, an acknowledged one, one that was withdrawn.
    let mut again = State { started_at: 200, ..state(20, []) };
    again.missed = vec![
        event(8, "game_over", "g8", 0),
        event(9, "game_over", "g9", 0),
        event(10, "acknowledged", "g9", 9),
        event(11, "game_over", "g11", 0),
        event(12, "game_over_withdrawn", "g11", 0),
    ];
    rig.news(up(again.clone()));
    assert_eq!(rig.shown(), ["Table 5 late", "Table 8 late"]);
    rig.news(up(again));
    assert_eq!(rig.popped, ["Table 4 late", "Table 5 late", "Table 8 late"]);
    // Seen cannot be told to anybody any more; it just goes.
    rig.step(Input::Pressed(rig.id("Table 8 late"), SEEN.into()));
    assert_eq!((rig.shown(), rig.acknowledged.len()), (vec!["Table 5 late".to_owned()], 0));
}

#[test]
fn a_restarted_daemon_that_kept_its_alerts_shows_nothing_new() {
    let mut rig = Rig::new(1);
    rig.news(up(state(5, [over(5)])));
    rig.news(lost());
    rig.news(up(State { started_at: 200, ..state(6, [over(5)]) }));
    assert_eq!((rig.shown(), rig.popped.len()), (vec!["Table 5 late".to_owned()], 1));
    rig.step(Input::Pressed(rig.id("Table 5 late"), SEEN.into()));
    assert_eq!(rig.acknowledged, [5]);
}

#[test]
fn another_journal_starts_afresh_and_loses_no_end() {
    let mut rig = Rig::new(1);
    rig.news(up(state(50, [over(50), alert(49, AlertClass::Notice)])));
    rig.news(lost());
    let mut other = State { journal: "j2".into(), started_at: 200, ..state(3, [over(3)]) };
    other.missed = Vec::new();
    rig.news(up(other));
    assert_eq!(rig.shown(), ["Table 50 late", "Table 3 late"]);
    // Number 50 of the new journal is another alert.
    rig.news(raised(Alert { label: "Table X".into(), ..over(50) }));
    assert_eq!(rig.shown(), ["Table 50 late", "Table 3 late", "Table X"]);
    rig.news(News::AlertGone(50));
    rig.pass(LEAVE_TIME);
    assert_eq!(rig.shown(), ["Table 50 late", "Table 3 late"]);
}

#[test]
fn what_is_withdrawn_replaces_what_was_shown() {
    for event_first in [false, true] {
        let mut rig = Rig::new(1);
        rig.news(up(state(4, [])));
        rig.news(raised(over(5)));
        let id = rig.id("Table 5");
        let withdrawn = told(event(6, "game_over_withdrawn", "g5", 0));
        let mut both = [News::AlertGone(5), withdrawn];
        both[..].rotate_left(usize::from(event_first));
        for news in both {
            rig.pass(Duration::from_millis(30));
            rig.news(news);
        }
        rig.pass(LONG);
        assert_eq!((rig.shown(), rig.popped.len()), (vec!["withdrawn Table 5".to_owned()], 1));
        assert_eq!(rig.id("withdrawn Table 5"), id, "in its place");
        // Told again after a reconnection: not shown again.
        rig.screen.remove(&id);
        rig.step(Input::Closed(id, 2));
        rig.news(lost());
        let mut again = state(9, []);
        again.missed = vec![event(6, "game_over_withdrawn", "g5", 0)];
        rig.news(up(again));
        assert!(rig.shown().is_empty());
    }
}

#[test]
fn what_is_withdrawn_while_the_line_is_down_is_replaced_when_it_is_back() {
    let mut rig = Rig::new(1);
    rig.news(up(state(4, [])));
    rig.news(raised(over(5)));
    rig.news(lost());
    let mut back = state(6, []);
    back.missed = vec![event(6, "game_over_withdrawn", "g5", 0)];
    rig.news(up(back));
    assert_eq!((rig.shown(), rig.popped.len()), (vec!["withdrawn Table 5".to_owned()], 1));
}

#[test]
fn an_end_already_acknowledged_that_is_withdrawn_is_told() {
    let mut rig = Rig::new(1);
    rig.news(up(state(4, [])));
    rig.news(raised(over(5)));
    rig.step(Input::Pressed(rig.id("Table 5"), SEEN.into()));
    assert_eq!((rig.shown().len(), &rig.acknowledged[..]), (0, &[5][..]));
    rig.news(News::AlertGone(5));
    rig.pass(LONG);
    rig.news(told(event(6, "game_over_withdrawn", "g5", 0)));
    assert_eq!(rig.shown(), ["withdrawn Table 5"]);
    // Then it is over after all.
    rig.news(raised(Alert { game: "g5".into(), ..over(7) }));
    assert_eq!(rig.shown(), ["Table 7"]);
    // And that is withdrawn too: one word, about the newest.
    rig.news(told(event(8, "game_over_withdrawn", "g5", 0)));
    assert_eq!(rig.shown(), ["withdrawn Table 7"]);
}

#[test]
fn what_is_acknowledged_elsewhere_goes() {
    let mut rig = Rig::new(1);
    rig.news(up(state(4, [])));
    rig.news(raised(over(5)));
    rig.news(raised(over(6)));
    rig.news(told(event(7, "acknowledged", "g5", 5)));
    assert_eq!(rig.shown(), ["Table 6"]);
    rig.news(News::AlertGone(6));
    assert_eq!(rig.shown(), ["Table 6"], "why it went is told in a moment");
    rig.pass(LEAVE_TIME);
    assert!(rig.shown().is_empty());
    // The same while the line was down, without rights to read who acknowledged.
    rig.news(raised(over(8)));
    rig.news(lost());
    rig.news(up(state(9, [])));
    assert!(rig.shown().is_empty());
}

#[test]
fn seen_while_the_line_is_down_is_told_later() {
    let mut rig = Rig::new(1);
    rig.news(up(state(5, [over(5)])));
    rig.news(lost());
    rig.step(Input::Pressed(rig.id("Table 5 late"), SEEN.into()));
    assert!(rig.shown().is_empty() && rig.acknowledged.is_empty());
    let mut rig = rig.restarted("bus:1.1");
    rig.news(up(state(5, [over(5)])));
    assert_eq!((rig.popped.len(), &rig.acknowledged[..]), (0, &[5][..]));
    // An answer that got lost is tried again as well.
    let key = rig.desk.sides[0].alert_key(5);
    rig.step(Input::Answered(key, Answer::Unheard));
    rig.news(up(state(5, [over(5)])));
    assert_eq!(rig.acknowledged, [5, 5]);
}

#[test]
fn a_restart_of_the_program_repeats_nothing() {
    let mut rig = Rig::new(1);
    rig.news(up(state(6, [over(5), over(6)])));
    rig.step(Input::Closed(rig.id("Table 6 late"), 2));
    let gone = rig.id("Table 6 late");
    rig.screen.remove(&gone);
    let mut rig = rig.restarted("bus:1.1");
    assert!(rig.popped.is_empty(), "{:?}", rig.popped);
    rig.news(up(state(7, [over(5), over(6), over(7)])));
    assert_eq!((&rig.popped[..], rig.sounds), (&["Table 7 late".to_owned()][..], 1));
    // After a new login the screen is empty: what is open is shown there.
    let mut rig = rig.restarted("bus:1.9");
    rig.news(up(state(7, [over(5), over(6), over(7)])));
    assert_eq!((rig.popped.len(), rig.sounds), (2, 0), "put away stays put away");
}

#[test]
fn a_restart_of_the_server_shows_everything_again_there() {
    let mut rig = Rig::new(1);
    rig.news(up(state(5, [over(5)])));
    rig.step(Input::Server(None));
    rig.screen.clear();
    rig.news(raised(over(6)));
    assert!(rig.shown().is_empty(), "kept");
    rig.server = "bus:1.7".into();
    rig.step(Input::Server(Some("bus:1.7".into())));
    assert_eq!(rig.shown(), ["Table 5 late", "Table 6"]);
    rig.step(Input::Server(Some("bus:1.7".into())));
    assert_eq!(rig.popped.len(), 3);
}

#[test]
fn a_server_that_fails_gets_it_when_it_is_back() {
    let mut desk = Desk::new(&hosts(1), Memory::default());
    let server = || Input::Server(Some("s".into()));
    desk.step(Stamp::ZERO, server());
    let effects = desk.step(Stamp::ZERO, Input::News(0, up(state(5, [over(5)]))));
    let posts = |effects: &[Effect]| {
        effects.iter().filter(|effect| matches!(effect, Effect::Post { .. })).count()
    };
    assert_eq!(posts(&effects), 1);
    let key = Key::Alert(desk.sides[0].alert_key(5));
    assert_eq!(posts(&desk.step(Stamp::ZERO, Input::NotPosted(key.clone()))), 0);
    let again = desk.step(Stamp::ZERO, server());
    assert_eq!(posts(&again), 1);
    assert!(again.iter().any(|e| matches!(e, Effect::Post { sound: true, .. })), "never heard yet");
    // The server was started by the call itself: its name comes with the answer, then once more.
    let other = Input::Posted(key, 3, "t".into());
    assert_eq!(posts(&desk.step(Stamp::ZERO, other)), 0);
    assert_eq!(posts(&desk.step(Stamp::ZERO, Input::Server(Some("t".into())))), 0);
}

#[test]
fn many_at_once_become_one_and_stay_one() {
    let mut rig = Rig::new(1);
    rig.news(up(state(3, [over(1), over(2), over(3)])));
    assert_eq!(rig.shown().len(), 3);
    rig.news(raised(over(4)));
    assert_eq!((rig.shown(), rig.sounds), (vec!["several 4".to_owned()], 4));
    rig.news(raised(over(5)));
    assert_eq!((rig.shown(), rig.sounds), (vec!["several 5".to_owned()], 5));
    let Note::Several { list, .. } = &rig.screen.values().next().unwrap().1 else { panic!() };
    assert_eq!(list[0].who, "Table 5", "the newest first");
    for id in [1, 2, 3] {
        rig.news(told(event(10 + id, "acknowledged", "", id)));
    }
    assert_eq!((rig.shown(), rig.sounds), (vec!["several 2".to_owned()], 5), "no new pop-ups");
    rig.step(Input::Pressed(rig.id("several 2"), SEEN.into()));
    assert_eq!((rig.shown().len(), &rig.acknowledged[..]), (0, &[5, 4][..]));
    rig.news(News::AlertGone(4));
    rig.news(News::AlertGone(5));
    rig.news(raised(over(30)));
    assert_eq!(rig.shown(), ["Table 30"], "the next one stands alone again");
    // Everything at once after a connection: never one by one first.
    let mut rig = Rig::new(1);
    rig.news(up(state(9, (1..=9).map(over))));
    assert_eq!(rig.popped, ["several 9"]);
}

#[test]
fn what_must_stay_comes_back_when_it_expires() {
    let mut rig = Rig::new(1);
    rig.news(up(state(5, [over(5)])));
    let id = rig.id("Table 5 late");
    rig.screen.remove(&id);
    rig.step(Input::Closed(id, 1));
    assert!(rig.shown().is_empty());
    rig.pass(Duration::from_secs(61));
    assert_eq!((rig.shown(), rig.sounds), (vec!["Table 5 late".to_owned()], 1));
    // A server that takes it away with the button that shows the board: it is there at once.
    let id = rig.id("Table 5 late");
    rig.step(Input::Pressed(id, SHOW.into()));
    rig.screen.remove(&id);
    rig.step(Input::Closed(id, 2));
    assert_eq!(rig.shown(), ["Table 5 late"]);
    // Put away by the user: it does not come back, but the daemon still has it open.
    let id = rig.id("Table 5 late");
    rig.pass(LONG);
    rig.screen.remove(&id);
    rig.step(Input::Closed(id, 2));
    rig.news(up(state(5, [over(5)])));
    assert!(rig.shown().is_empty() && rig.acknowledged.is_empty());
}

#[test]
fn broken_lines_are_one_notification() {
    let mut rig = Rig::new(3);
    for host in 0..3 {
        rig.step(Input::News(host, up(state(1, []))));
    }
    for host in 0..2 {
        rig.step(Input::News(host, lost()));
    }
    rig.pass(GRACE);
    assert_eq!((rig.shown(), rig.popped.len()), (vec!["down 2 of 3".to_owned()], 1));
    let id = rig.id("down 2 of 3");
    rig.step(Input::News(0, up(state(1, []))));
    assert_eq!(rig.shown(), ["down 1 of 3"]);
    rig.screen.remove(&id);
    rig.step(Input::Closed(id, 2));
    rig.pass(LONG);
    assert!(rig.shown().is_empty(), "put away");
    rig.step(Input::News(2, lost()));
    rig.pass(GRACE);
    assert_eq!(rig.shown(), ["down 2 of 3"], "another one is news");
    rig.step(Input::News(1, up(state(1, []))));
    rig.step(Input::News(2, up(state(1, []))));
    assert_eq!(rig.shown(), ["back pc3"]);
    rig.pass(LONG);
    assert!(rig.shown().is_empty());
}

#[test]
fn missing_rights_are_said_once() {
    let mut rig = Rig::new(2);
    let without = || State { rights: false, ..state(5, [over(5)]) };
    rig.news(up(without()));
    assert_eq!(rig.shown(), ["Table 5 late", "no rights pc1"], "class A still works");
    rig.news(lost());
    rig.news(up(without()));
    rig.step(Input::News(1, up(without())));
    let no_rights = rig.popped.iter().filter(|word| word.starts_with("no rights")).count();
    assert_eq!(no_rights, 1, "{:?}", rig.popped);
    let id = rig.id("no rights pc1+pc2");
    rig.screen.remove(&id);
    rig.step(Input::Closed(id, 2));
    rig.news(up(without()));
    assert!(!rig.shown().iter().any(|word| word.starts_with("no rights")));
    for id in [5, 5] {
        let key = rig.desk.sides[0].alert_key(id);
        rig.step(Input::Answered(key, Answer::Refused("no".into())));
    }
    assert_eq!(rig.popped.iter().filter(|word| *word == "refused pc1").count(), 1);
}

#[test]
fn two_boards_with_one_label_are_reported_once_and_told_apart() {
    let with = |label: &str| {
        let mut state = state(1, []);
        let mut board = crate::ctl::client::BoardObject::default();
        let label = [("Label".to_owned(), label.into())].into();
        board.object.insert("org.dgtd.Board1".into(), label);
        state.boards.push(board);
        up(state)
    };
    let mut rig = Rig::new(2);
    rig.step(Input::News(0, with("Table 7")));
    rig.step(Input::News(1, with("Table 7")));
    assert_eq!(rig.shown(), ["clash Table 7 pc1+pc2"]);
    rig.news(raised(Alert { label: "Table 7".into(), ..over(5) }));
    assert_eq!(rig.shown()[1], "Table 7 (pc1)");
    let id = rig.id("clash Table 7 pc1+pc2");
    rig.screen.remove(&id);
    rig.step(Input::Closed(id, 2));
    let mut rig = rig.restarted("bus:1.1");
    rig.step(Input::News(0, with("Table 7")));
    rig.step(Input::News(1, with("Table 7")));
    assert!(rig.popped.is_empty(), "{:?}", rig.popped);
}

#[test]
fn settled_alerts_are_forgotten_in_the_end() {
    let mut rig = Rig::new(1);
    rig.news(up(state(0, [])));
    for id in 1..=500 {
        rig.news(raised(over(id)));
        rig.news(told(event(1000 + id, "acknowledged", "", id)));
        rig.news(News::AlertGone(id));
    }
    assert_eq!((rig.desk.sides[0].alerts.len(), rig.shown().len()), (PAST, 0));
}

#[test]
fn whatever_happens_nothing_closes_or_replaces_what_is_not_there() {
    use proptest::{collection::vec, prelude::*};
    proptest!(|(steps in vec((0..9_u8, 1..6_u64, 0..3_u64), 1..60))| {
        let mut rig = Rig::new(1);
        let mut seq = 10;
        for (what, id, more) in steps {
            seq += 1;
            let open = (0..more).map(|n| over(id + n));
            match what {
                0 => rig.news(raised(over(id))),
                1 => rig.news(News::AlertGone(id)),
                2 => rig.news(told(event(seq, "game_over_withdrawn", &format!("g{id}"), 0))),
                3 => rig.news(told(event(seq, "acknowledged", "", id))),
                4 => rig.news(lost()),
                5 => rig.news(up(State { started_at: 100 + more, ..state(seq, open) })),
                6 => {
                    if let Some(id) = rig.screen.keys().next().copied() {
                        rig.screen.remove(&id);
                        rig.step(Input::Closed(id, u32::try_from(more + 1).unwrap()));
                    }
                }
                7 => {
                    if let Some(id) = rig.screen.keys().last().copied() {
                        rig.step(Input::Pressed(id, SEEN.into()));
                    }
                }
                _ => rig.pass(Duration::from_secs(more * 40)),
            }
        }
        // In the end all that is open and unseen stands on the screen.
        rig.news(up(state(seq, [over(900)])));
        rig.pass(Duration::from_secs(120));
        prop_assert!(rig.shown().iter().any(|w| w.contains("Table 900") || w.contains("several")));
    });
}
