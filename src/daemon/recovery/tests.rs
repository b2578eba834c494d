//! The start of a game undone, and the program ended at any line of its journal.

use serde_json::{Map, Value};
use shakmaty::{Piece, Square};

use super::*;
use crate::{
    arbiter::{
        Input, Output, Refusal, Reply, Request,
        event::{ActUntil, ClaimReason, EndedHow, MayAct, Offence, Penalty, Side, StartSource},
        request::NewGame,
        resume::{Fact, Memo},
        status::{GameStatus, Stage},
    },
    laws::text::Language,
    link::LinkOptions,
    signals::{
        journal::line,
        journal::read::{Next, Reader},
    },
    units::Ply,
    wire::{Contact, message},
};

/// A board, its arbiter, and what the journal was told of them.
#[derive(Clone)]
struct Table {
    squares: [Contact; 64],
    arbiter: Arbiter,
    now: Stamp,
    told: Vec<EventKind>,
    journal: Vec<u8>,
    seq: u64,
    kept: Option<Memo>,
}

fn id() -> BoardId {
    "01025".parse().unwrap()
}

fn how() -> Options {
    let link = LinkOptions { passive: true, ..LinkOptions::default() };
    Options { link, ..Options::default() }
}

fn field(square: &str) -> usize {
    // The board's squares begin at a8 and go along the ranks.
    usize::from(square.parse::<Square>().unwrap().flip_vertical())
}

impl Table {
    fn new() -> Table {
        let mut squares = [Contact::Empty; 64];
        for (square, piece) in shakmaty::Board::new() {
            squares[usize::from(square.flip_vertical())] = Contact::Man(piece);
        }
        let mut table = Table {
            squares,
            arbiter: Arbiter::new(id(), how()),
            now: Stamp::ZERO,
            told: Vec::new(),
            journal: Vec::new(),
            seq: 0,
            kept: None,
        };
        table.attach();
        table
    }

    /// What a program started anew makes of the first so many lines of the journal.
    fn restarted(&self, lines: usize) -> (Table, BoardMemory) {
        let whole = self.journal.split_inclusive(|byte| *byte == b'\n').take(lines);
        let journal: Vec<u8> = whole.flatten().copied().collect();
        let mut recovery = Recovery::new(Language::default());
        let mut reader = Reader::new(&journal[..], "01025.jsonl".into(), None);
        while let Some(next) = reader.read_next().unwrap() {
            match next {
                Next::Line(opened) => recovery.line(&id(), &opened),
                Next::Damage(damage) => panic!("{damage:?}"),
            }
        }
        let memory = recovery.boards.remove(&id()).unwrap();
        let away = Duration::from_secs(1);
        let before = memory.previous.as_ref().map_or(&[][..], |previous| &previous.facts);
        let resumed =
            facts_to_arbiter(&id(), before, &memory.facts, memory.most, &how(), memory.t + away);
        assert_eq!(resumed.troubles, Vec::<String>::new());
        let mut table = Table {
            arbiter: resumed.arbiter,
            now: memory.t + away,
            told: Vec::new(),
            journal,
            seq: memory.last,
            kept: None,
            ..self.clone()
        };
        table.obey(resumed.outputs);
        (table, memory)
    }

    fn attach(&mut self) {
        self.advance(Input::Attached { port: "pty" });
        let dump = message::dump(&self.squares);
        self.advance(Input::Bytes(&dump));
        self.wait(5);
    }

    fn advance(&mut self, input: Input<'_>) {
        let mut out = Vec::new();
        self.arbiter.advance(input, self.now, &mut out);
        self.obey(out);
    }

    fn ask(&mut self, request: Request) -> Result<Reply, Refusal> {
        let mut out = Vec::new();
        let answer = self.arbiter.request(request, self.now, &mut out);
        self.obey(out);
        answer
    }

    fn obey(&mut self, outputs: Vec<Output>) {
        let events: Vec<Event> = outputs
            .into_iter()
            .filter_map(|output| match output {
                Output::Event(event) => Some(event),
                _ => None,
            })
            .filter(|event| !matches!(event.kind, EventKind::Provisional { .. }))
            .collect();
        let memo = self.arbiter.memo();
        if memo != self.kept {
            self.kept.clone_from(&memo);
            if let Some(memo) = memo {
                let mut object = Map::new();
                object.insert("event".into(), "kept".into());
                object.insert("board".into(), id().as_str().into());
                object.insert("t".into(), self.now.as_seconds().into());
                let Ok(Value::Object(fields)) = serde_json::to_value(&memo) else { panic!() };
                object.extend(fields);
                self.write(object, memo.game);
            }
        }
        for event in events {
            self.write(event.to_json(), event.game.unwrap_or_default());
            self.told.push(event.kind);
        }
    }

    fn write(&mut self, mut object: Map<String, Value>, game: u32) {
        let last = self.seq;
        self.seq += 1;
        object.insert("time".into(), "2026-01-01T00:00:00.000000Z".into());
        object.insert("seq".into(), self.seq.into());
        object.insert("game_id".into(), format!("g{game}").into());
        self.journal.extend(line::seal(&object, last).into_bytes());
        self.journal.push(b'\n');
    }

    fn wait(&mut self, seconds: u64) {
        let until = self.now + Duration::from_secs(seconds);
        while let Some(due) = self.arbiter.deadline().filter(|due| *due <= until) {
            self.now = due.max(self.now + Duration::from_millis(1));
            self.advance(Input::Timeout);
        }
        self.now = self.now.max(until);
    }

    fn put(&mut self, square: &str, contact: Contact) {
        let field = field(square);
        self.squares[field] = contact;
        let change = [0x8e, 0, 5, u8::try_from(field).unwrap(), contact.code()];
        self.advance(Input::Bytes(&change));
        self.wait(1);
    }

    fn man(&self, square: &str) -> Piece {
        match self.squares[field(square)] {
            Contact::Man(piece) => piece,
            other => panic!("{square}: {other:?}"),
        }
    }

    /// Moves like `e2e4`, each left standing until it counts.
    fn play(&mut self, moves: &str) {
        for m in moves.split(' ') {
            let (from, to) = m.split_at(2);
            let man = self.man(from);
            self.put(from, Contact::Empty);
            self.put(to, Contact::Man(man));
            self.wait(6);
        }
    }

    fn game(&self) -> GameStatus {
        self.arbiter.status().game.unwrap()
    }

    fn undo_start(&mut self, ply: u32) -> Result<(u32, String), Refusal> {
        let request = Request::UndoStart { language: None, expected_ply: Ply(ply) };
        match self.ask(request)? {
            Reply::GivenBack { ply, text, .. } => Ok((ply.0, text)),
            other => panic!("{other:?}"),
        }
    }

    fn set_position(&mut self, fen: &str, ply: u32) {
        let request = Request::SetPosition { fen: fen.into(), expected_ply: Ply(ply) };
        self.ask(request).unwrap();
    }

    fn names(&mut self, white: &str) {
        let tags = BTreeMap::from([("White".to_owned(), white.to_owned())]);
        self.ask(Request::SetTags(tags)).unwrap();
    }
}

const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
const OPENING: &str = "e2e4 e7e5 g1f3 b8c6";
const KNIGHTS: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

/// What is the same before and after, though nobody looked meanwhile.
fn plain(mut game: GameStatus) -> GameStatus {
    (game.ended, game.exact, game.provisional) = (None, false, String::new());
    game
}

#[test]
fn a_game_comes_back_as_it_was_when_a_position_was_set_by_mistake() {
    let mut table = Table::new();
    table.names("Ana");
    table.play(OPENING);
    let before = table.game();
    assert_eq!((before.ply, before.exact), (Ply(4), true));
    table.set_position(KINGS, 4);
    assert_eq!((table.game().number, table.game().ply), (2, Ply(0)));
    table.wait(30);
    assert_eq!(table.undo_start(3), Err(Refusal::StalePly { expected: Ply(3), actual: Ply(0) }));
    let (ply, text) = table.undo_start(0).unwrap();
    assert_eq!(ply, 4);
    assert!(text.contains("half-move 4") && text.contains("stood still"), "{text}");
    assert!(!text.contains("does not show"), "{text}");
    assert_eq!(table.game(), before);
    let ended = EventKind::GameEnded { result: "*".into(), plies: 0, how: EndedHow::Withdrawn };
    let reopened = EventKind::GameReopened {
        ply: Ply(4),
        fen: before.fen.clone(),
        instead_of: Some(2),
        unseen: false,
    };
    let at = table.told.iter().position(|kind| *kind == ended).unwrap();
    assert_eq!(table.told[at + 1], reopened);
    // It goes on, and its counters are still exact.
    table.play("f1b5 a7a6");
    assert_eq!((table.game().ply, table.game().exact), (Ply(6), true));
    assert_eq!(table.game().number, 1);
    // The next game has a number of its own.
    table.ask(Request::NewGame(NewGame::default())).unwrap();
    assert_eq!(table.game().number, 3);
}

#[test]
fn an_undone_start_can_be_undone_in_its_turn() {
    let mut table = Table::new();
    table.play(OPENING);
    let first = table.game();
    table.set_position(KINGS, 4);
    table.names("Eva");
    let second = table.game();
    table.undo_start(0).unwrap();
    assert_eq!(table.game(), first);
    table.undo_start(4).unwrap();
    assert_eq!(plain(table.game()), plain(second));
    table.undo_start(0).unwrap();
    assert_eq!(table.game(), first);
}

#[test]
fn without_a_game_before_it_says_so() {
    let mut table = Table::new();
    assert_eq!(table.undo_start(0), Err(Refusal::NothingBefore));
    table.play(OPENING);
    assert_eq!(table.undo_start(4), Err(Refusal::NothingBefore));
}

#[test]
fn men_moved_meanwhile_are_taken_as_far_as_the_board_explains_them() {
    let mut table = Table::new();
    table.play(OPENING);
    table.set_position(KINGS, 4);
    table.play("f1b5");
    let (ply, text) = table.undo_start(0).unwrap();
    // It has stood for so long that it counts at once.
    assert_eq!(ply, 5);
    assert!(text.contains("Men were moved meanwhile"), "{text}");
    table.wait(10);
    let game = table.game();
    assert_eq!((game.number, game.ply, game.exact), (1, Ply(5), false), "{game:?}");
    assert_eq!(game.last_san, "Bb5");
    // The game that was started by mistake is a game as well: what stands there is not its.
    let mut table = Table::new();
    table.play(OPENING);
    table.set_position(KINGS, 4);
    table.put("d1", Contact::Empty);
    table.put("a8", Contact::Empty);
    let (_, text) = table.undo_start(0).unwrap();
    assert!(text.contains("does not show"), "{text}");
    table.wait(60);
    assert_eq!(table.game().ply, Ply(4));
}

#[test]
fn a_result_that_was_entered_before_stands() {
    let mut table = Table::new();
    table.play(OPENING);
    let request = Request::SetResult {
        result: "1/2-1/2".into(),
        reason: "agreed".into(),
        expected_ply: Ply(4),
    };
    table.ask(request).unwrap();
    let before = table.game();
    table.ask(Request::NewGame(NewGame::default())).unwrap();
    let (_, text) = table.undo_start(0).unwrap();
    assert!(text.contains("closed and stays so"), "{text}");
    assert_eq!(table.game(), before);
    assert_eq!((before.stage, before.result.as_str()), (Stage::Over, "1/2-1/2"));
    // And can be opened again, as before.
    table.ask(Request::Reopen { expected_ply: Ply(4) }).unwrap();
    assert_eq!(table.game().stage, Stage::Playing);
    table.play("f1b5");
    assert_eq!(table.game().ply, Ply(5));
}

#[test]
fn claims_and_illegal_moves_are_open_again() {
    let mut table = Table::new();
    table.play(OPENING);
    let waits = EventKind::IllegalMove {
        by: Side::White,
        article: String::new(),
        why: String::new(),
        squares: Vec::new(),
        ply: Ply(5),
        offence: Some(Offence::AgainstArticle3),
        number: 1,
        nth: 1,
        penalty: Penalty::default(),
        until: ActUntil::End,
        may_act: MayAct::Arbiter,
    };
    table.arbiter.take_up_illegal_move(&waits);
    let before = table.game();
    assert_eq!(before.illegal.len(), 1);
    table.set_position(KINGS, 4);
    table.told.clear();
    table.undo_start(0).unwrap();
    assert_eq!(table.game(), before);
    let told = |kind: &EventKind| {
        matches!(kind, EventKind::IllegalMove { number: 1, ply: Ply(5), by: Side::White, .. })
    };
    assert_eq!(table.told.iter().filter(|kind| told(kind)).count(), 1, "{:?}", table.told);

    let mut table = Table::new();
    table.play(KNIGHTS);
    assert_eq!(table.game().claims, [ClaimReason::ThreefoldRepetition]);
    table.set_position(KINGS, 8);
    table.told.clear();
    table.undo_start(0).unwrap();
    let claims =
        table.told.iter().filter(|kind| matches!(kind, EventKind::ClaimAvailable { .. })).count();
    assert!(claims > 0, "{:?}", table.told);
    assert_eq!(table.game().claims, [ClaimReason::ThreefoldRepetition]);
    assert_eq!((table.game().repetitions, table.game().exact), (3, true));
}

#[test]
fn who_was_to_play_next_is_known_again() {
    let mut table = Table::new();
    table.play(OPENING);
    let tags = BTreeMap::from([("White".to_owned(), "Next".to_owned())]);
    table.ask(Request::SetPairing(tags.clone())).unwrap();
    table.ask(Request::NewGame(NewGame::default())).unwrap();
    assert_eq!(table.game().tags, tags);
    table.undo_start(0).unwrap();
    assert_eq!(table.arbiter.status().next_tags, tags);
    assert_eq!(table.game().tags, BTreeMap::new());
}

#[test]
fn a_restart_at_any_line_leads_to_the_same_games() {
    let mut table = Table::new();
    table.names("Ana");
    table.play(OPENING);
    // What the game is after each line of the journal.
    let mut marks = Vec::new();
    let mut mark = |table: &Table| {
        marks.push((usize::try_from(table.seq).unwrap(), table.game(), table.arbiter.before()));
    };
    mark(&table);
    table.set_position(KINGS, 4);
    table.names("Eva");
    table.wait(5);
    mark(&table);
    table.undo_start(0).unwrap();
    mark(&table);
    table.play("f1b5");
    mark(&table);
    table.undo_start(5).unwrap();
    table.wait(1);
    mark(&table);
    table.undo_start(0).unwrap();
    table.play("a7a6");
    mark(&table);
    table.ask(Request::NewGame(NewGame::default())).unwrap();
    mark(&table);
    for (lines, game, before) in &marks {
        let (mut again, memory) = table.restarted(*lines);
        let now = again.game();
        let same = |game: &GameStatus| {
            let mut game = plain(game.clone());
            game.claims.clear();
            game
        };
        assert_eq!(same(&now), same(game), "after line {lines}");
        assert_eq!((memory.games, &again.arbiter.before()), (game.number, before));
        assert_eq!(memory.game_id, format!("g{}", game.number));
        // And the other game comes back from the journal as it would have without the restart.
        if let Some(number) = before {
            again.undo_start(now.ply.0).unwrap();
            assert_eq!(again.game().number, *number);
            let kept =
                marks.iter().rev().find(|(at, game, _)| at <= lines && game.number == *number);
            let (_, kept, _) = kept.unwrap();
            assert_eq!(same(&again.game()).moves, kept.moves, "after line {lines}");
            assert_eq!(again.game().tags, kept.tags);
        }
    }
    // No line is one after which the journal cannot be read back.
    for lines in 1..=usize::try_from(table.seq).unwrap() {
        table.restarted(lines);
    }
}

#[test]
fn the_lines_of_both_games_are_needed() {
    let mut table = Table::new();
    table.play(OPENING);
    table.set_position(KINGS, 4);
    let (_, memory) = table.restarted(usize::try_from(table.seq).unwrap());
    let previous = memory.previous.as_ref().unwrap();
    assert!(previous.game_from < memory.game_from);
    assert_eq!(memory.needed_from(), previous.game_from);
    let begins = |fact: &Fact| {
        matches!(fact, Fact::Happened { kind: EventKind::GameStarted { source, .. }, .. }
            if *source != StartSource::Resumed)
    };
    assert!(memory.facts.iter().any(begins) && previous.facts.iter().any(begins));
}
