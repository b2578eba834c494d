//! A board, the arbiter beside it and the journal of both, in one process and in no time.

use std::{collections::VecDeque, time::Duration};

use dgtd::{
    arbiter::{
        Arbiter, EventKind, Input, Options, Output, Refusal, Request,
        resume::{Memo, resume},
        status::Status,
    },
    signals::{
        journal::{
            line,
            read::{Next, Reader},
        },
        recover::{BoardMemory, Recovery},
    },
    units::{BoardId, Stamp},
    wire::{Command, Orientation},
};
use serde_json::{Map, Value};

use super::{
    emulator::{Board, Clock},
    script::{Script, hand},
};

/// What a byte takes on the line at 9600 baud.
const LINE: Duration = Duration::from_micros(1_042);

/// The journal of a board as text, and the numbers in it.
#[derive(Clone, Debug, Default)]
pub struct Book {
    pub text: Vec<u8>,
    pub seq: u64,
    pub last: u64,
    kept: Option<Memo>,
}

impl Book {
    /// Writes a line as the hub does.
    fn write(&mut self, mut object: Map<String, Value>) {
        self.seq += 1;
        object.insert("time".into(), "2026-01-01T00:00:00.000000Z".into());
        object.insert("seq".into(), self.seq.into());
        object.insert("game_id".into(), "g".into());
        self.text.extend(line::seal(&object, self.last).into_bytes());
        self.text.push(b'\n');
        self.last = self.seq;
    }
}

/// A board and all that follows it.
#[derive(Clone)]
pub struct Table {
    pub board: Board,
    pub arbiter: Arbiter,
    pub now: Stamp,
    pub book: Book,
    /// All that was told.
    pub told: Vec<EventKind>,
    /// What the board sent, and when; noise put between it.
    pub sent: Vec<(Stamp, Vec<u8>)>,
    attached: bool,
    /// Parts of the board's log that are on the line, and what the board sends after it.
    coming: VecDeque<(Stamp, Vec<u8>)>,
    /// What changes during that time is never told.
    pub deaf: bool,
    /// It never sends its log.
    pub no_log: bool,
    /// How often the log was asked for.
    pub asked: usize,
}

pub fn id() -> BoardId {
    "01025".parse().unwrap()
}

pub fn classic() -> Board {
    let clock = Clock { left: 5400, right: 5400, right_turn: false, running: true, increment: 0 };
    Board::classic(*b"01025", Orientation::Normal).with_clock(clock)
}

impl Table {
    /// A board with the men in the initial array, greeted.
    pub fn new(board: Board) -> Table {
        let arbiter = Arbiter::new(id(), Options::default());
        let mut table = Table {
            board,
            arbiter,
            now: Stamp::ZERO,
            book: Book::default(),
            told: Vec::new(),
            sent: Vec::new(),
            attached: false,
            coming: VecDeque::new(),
            deaf: false,
            no_log: false,
            asked: 0,
        };
        table.attach();
        table.wait(Duration::from_secs(2));
        table
    }

    /// What a program started anew makes of a journal, and what its reading found. The board is as it
    /// is; the program has been away for so long.
    pub fn restarted(
        board: Board,
        journal: &[u8],
        away: Duration,
    ) -> (Table, BoardMemory, Vec<String>) {
        let (memory, last) = remembered(journal);
        let now = memory.t + away;
        let resumed = resume(id(), Options::default(), memory.games, &memory.facts, now);
        let whole = journal.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let book = Book { text: journal[..whole].to_vec(), seq: last, last, kept: None };
        let mut table = Table {
            board,
            arbiter: resumed.arbiter,
            now,
            book,
            told: Vec::new(),
            sent: Vec::new(),
            attached: false,
            coming: VecDeque::new(),
            deaf: false,
            no_log: false,
            asked: 0,
        };
        table.obey(resumed.outputs);
        (table, memory, resumed.troubles)
    }

    /// Plugs the board in and waits until it is greeted.
    pub fn attach(&mut self) {
        self.attached = true;
        self.advance(Input::Attached { port: "pty" });
    }

    pub fn detach(&mut self) {
        self.attached = false;
        self.coming.clear();
        self.advance(Input::Detached);
    }

    fn advance(&mut self, input: Input<'_>) {
        let mut out = Vec::new();
        self.arbiter.advance(input, self.now, &mut out);
        self.obey(out);
    }

    /// The arbiter asks for something, which is granted.
    pub fn request(&mut self, request: Request) {
        let mut out = Vec::new();
        self.arbiter.request(request, self.now, &mut out).unwrap();
        self.obey(out);
    }

    /// The arbiter asks for something, which is refused.
    pub fn refused(&mut self, request: Request) -> Refusal {
        let mut out = Vec::new();
        let refusal = self.arbiter.request(request, self.now, &mut out).unwrap_err();
        self.obey(out);
        refusal
    }

    fn obey(&mut self, outputs: Vec<Output>) {
        let mut events = Vec::new();
        let mut commands = Vec::new();
        let mut questions = Vec::new();
        for output in outputs {
            match output {
                Output::Event(event) => events.push(event),
                Output::Send(command) => commands.push(command),
                Output::Ask(question) => questions.push(question),
                Output::StatusChanged => {}
            }
        }
        if events.iter().any(|event| !matches!(event.kind, EventKind::Provisional { .. })) {
            self.keep();
        }
        for event in events {
            if matches!(event.kind, EventKind::Provisional { .. }) {
                continue;
            }
            self.book.write(event.to_json());
            self.told.push(event.kind);
        }
        for question in questions {
            let answer = question.work_out();
            self.advance(Input::Answer(answer));
        }
        for command in commands {
            let answer = self.board.receive(command.bytes());
            if command == Command::EventLog && self.no_log {
                self.asked += 1;
            } else if command == Command::EventLog {
                let mut at = self.now;
                for part in answer.chunks(400) {
                    at = at + LINE * u32::try_from(part.len()).unwrap();
                    self.coming.push_back((at, part.to_vec()));
                }
                self.asked += 1;
            } else {
                self.hear(&answer);
            }
        }
    }

    /// As the board's task does: what is kept stands before the events that rest on it.
    fn keep(&mut self) {
        let memo = self.arbiter.memo();
        if memo == self.book.kept {
            return;
        }
        self.book.kept.clone_from(&memo);
        let Some(memo) = memo else { return };
        let mut object = Map::new();
        object.insert("event".into(), "kept".into());
        object.insert("board".into(), id().as_str().into());
        object.insert("t".into(), self.now.as_seconds().into());
        let Ok(Value::Object(fields)) = serde_json::to_value(&memo) else { panic!("no object") };
        object.extend(fields);
        self.book.write(object);
    }

    /// The board sends bytes; while it sends its log, they come after that or never.
    pub fn hear(&mut self, bytes: &[u8]) {
        if bytes.is_empty() || !self.attached {
            return;
        }
        match self.coming.back() {
            Some(_) if self.deaf => {}
            Some((end, _)) => self.coming.push_back((*end, bytes.to_vec())),
            None => self.arrive(bytes),
        }
    }

    fn arrive(&mut self, bytes: &[u8]) {
        self.sent.push((self.now, bytes.to_vec()));
        self.advance(Input::Bytes(bytes));
    }

    /// Lets time pass.
    pub fn wait(&mut self, time: Duration) {
        let until = self.now + time;
        let mut idle = 0;
        loop {
            let due = self.arbiter.deadline().filter(|due| *due <= until);
            let next = self.coming.front().map(|(at, _)| *at).filter(|at| *at <= until);
            match (due, next) {
                (None, None) => break,
                (due, Some(at)) if due.is_none_or(|due| at <= due) => {
                    self.now = self.now.max(at);
                    if let Some((_, bytes)) = self.coming.pop_front() {
                        self.arrive(&bytes);
                    }
                }
                (due, _) => {
                    let due = due.unwrap_or(until);
                    idle = if due > self.now { 0 } else { idle + 1 };
                    assert!(idle < 50, "a deadline that stays");
                    self.now = self.now.max(due);
                    self.advance(Input::Timeout);
                }
            }
        }
        self.now = until;
        self.board.time = Some(self.now.as_nanos() / 1_000_000);
    }

    /// A hand makes a half-move of the script; the board says so if it is listened to.
    pub fn play(&mut self, script: &Script, ply: usize) {
        let (position, m) = (&script.positions[ply], script.moves[ply]);
        let (lifted, put) = hand(position, m);
        for square in lifted {
            let bytes = self.board.put(&square.to_string(), '.');
            self.hear(&bytes);
        }
        if self.attached {
            self.wait(Duration::from_millis(300));
        }
        for (square, man) in put {
            let bytes = self.board.put(&square.to_string(), man);
            self.hear(&bytes);
        }
        if self.attached {
            self.wait(Duration::from_millis(300));
        }
        let bytes = self.board.press();
        self.hear(&bytes);
        if self.attached {
            self.wait(Duration::from_millis(1_400));
        }
    }

    pub fn status(&self) -> Status {
        self.arbiter.status()
    }

    pub fn sans(&self) -> Vec<String> {
        let game = self.status().game;
        game.map(|game| game.moves.iter().map(|m| m.san.clone()).collect()).unwrap_or_default()
    }

    /// The ends that were told, with their plies.
    pub fn ends(&self) -> Vec<(u32, String)> {
        ends(&self.told)
    }
}

/// The ends among events.
pub fn ends(told: &[EventKind]) -> Vec<(u32, String)> {
    let over = told.iter().filter_map(|kind| match kind {
        EventKind::GameOver { ply, article, .. } => Some((ply.0, article.clone())),
        _ => None,
    });
    over.collect()
}

/// What a journal remembers of its board, and the number of its last whole line.
pub fn remembered(journal: &[u8]) -> (BoardMemory, u64) {
    let mut recovery = Recovery::default();
    let mut reader = Reader::new(journal, "01025.jsonl".into(), None);
    while let Some(next) = reader.read_next().unwrap() {
        match next {
            Next::Line(opened) => recovery.line(&id(), &opened),
            Next::Damage(damage) => recovery.damage(&id(), damage),
        }
    }
    let memory = recovery.boards.remove(&id()).unwrap_or_default();
    let last = memory.last;
    (memory, last)
}

/// The ends that a journal says were told.
pub fn written_ends(journal: &[u8]) -> Vec<u64> {
    let mut reader = Reader::new(journal, "01025.jsonl".into(), None);
    let mut ends = Vec::new();
    while let Some(next) = reader.read_next().unwrap() {
        if let Next::Line(opened) = next
            && opened.object["event"] == "game_over"
        {
            ends.push(opened.object["ply"].as_u64().unwrap());
        }
    }
    ends
}
