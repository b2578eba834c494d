//! The hands: words to records.
//!
//! | word | meaning |
//! |---|---|
//! | `-e2` | e2 reads empty |
//! | `+e4P` | e4 reads a white pawn (lower case: Black) |
//! | `e4=0d` | e4 reads this code |
//! | `~` | before one of these: it happens, but the line does not tell |
//! | `@800ms` `@2s` | pause; without one, 40 ms lie between two changes |
//! | `snap PLACEMENT` | the board is so now, and sends a dump |
//! | `secretly PLACEMENT` | the board is so now, and sends nothing |
//! | `dump` | the host asks, the board sends a dump |
//! | `unplug` `plug` | the port is gone; it is back, and the board is greeted without a dump |
//! | `play e4 e5 …` | moves of the game by steady hands, and presses where a clock runs |
//! | `as e4 …` | what the hands have just done are these moves, for later `play`s; a single one is seen |
//! | `game FEN` `game initial` | later `play`s go on from this position |
//! | `reset` | the men are put back to the initial array, man by man |
//! | `turn` | from now on the initial array stands the other way round on the board |
//! | `pace 1500ms` | the time from one move of `play` to the next |
//! | `clock 5:00 4:58 w` | a clock is connected with White's and Black's times, the side to move runs |
//! | `increment 2s` | what a press adds |
//! | `press` | the lever is moved |
//! | `halt` `run` | the clock is stopped, or runs on |
//! | `no-clock` | the board says that there is no clock |
//! | `host 42` `board 8e00` | bytes from either side, as they stand |
//! | `arbiter:accept:1` | the arbiter asks for something: a remark in the capture (see `captures.rs`) |
//!
//! Options: `rotated` (connector on White's right), `bare` (no host bytes: the capture begins with a
//! dump), `old-board` (short serial number), `clock-other-side`, `asks-clock`.

use dgtd::{
    capture::{Record, What},
    units::Stamp,
};
use shakmaty::{
    Board, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position, Role,
    Square, fen::Fen, san::San,
};

use super::{
    Story,
    wire::{self, Side},
};

/// Between two changes without a pause, in microseconds.
const STEP: u64 = 40_000;
const SECOND: u64 = 1_000_000;

/// Writes the capture of a story.
pub fn play(story: &Story) -> Vec<Record> {
    let _named = Named(&story.name);
    let mut table = Table::new(story);
    table.open(story);
    let mut words = story.hands.iter().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        let mut next =
            || words.next().unwrap_or_else(|| panic!("{}: something follows {word:?}", story.name));
        match word {
            "snap" => {
                table.board = placement(next());
                table.dump();
            }
            "secretly" => table.board = placement(next()),
            "dump" => {
                table.send(What::ToBoard(vec![0x42]));
                table.wait(70_000);
                table.dump();
            }
            "turn" => {
                table.rotated = !table.rotated;
                table.white_left = !table.white_left;
                table.game = Chess::new();
                table.board = Board::new();
            }
            "reset" => table.reset(),
            "unplug" => table.send(What::Disconnected),
            "plug" => {
                table.send(What::Connected);
                table.wait(500_000);
            }
            "clock" => {
                let times = [time(next()), time(next())];
                table.clock = Some(Clock::new(times, next() == "w", table.now));
                table.tell_clock();
            }
            "increment" => {
                let amount = duration(next());
                table.clock.as_mut().unwrap().increment = amount;
            }
            "press" => table.press(),
            "halt" => table.run(false),
            "run" => table.run(true),
            "no-clock" => {
                table.clock = None;
                table.board_says(wire::NO_CLOCK.to_vec());
            }
            "pace" => table.pace = duration(next()),
            "host" => {
                let bytes = hex(next());
                table.send(What::ToBoard(bytes));
            }
            "board" => {
                let bytes = hex(next());
                table.board_says(bytes);
            }
            "game" => {
                let fen = next();
                table.game =
                    if fen == "initial" { Chess::new() } else { position(&fen.replace('_', " ")) };
            }
            "play" | "as" => {
                while let Some(san) = words.next_if(|word| is_san(word)) {
                    if word == "play" {
                        table.play(san);
                    } else {
                        table.note(san);
                    }
                }
            }
            _ if word.starts_with("arbiter:") => {
                table.send(What::Remark(word.replace(':', " ")));
            }
            _ => table.simple(word),
        }
    }
    table.records
}

/// Names the story in which a test stops.
struct Named<'a>(&'a str);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("in the story {}", self.0);
        }
    }
}

struct Clock {
    /// White's and Black's, in microseconds.
    left: [u64; 2],
    flag: [bool; 2],
    running: bool,
    turn: Color,
    increment: u64,
    at: u64,
}

impl Clock {
    fn new(seconds: [u64; 2], white: bool, now: u64) -> Clock {
        Clock {
            left: seconds.map(|seconds| seconds * SECOND),
            flag: [false; 2],
            running: true,
            turn: Color::from_white(white),
            increment: 0,
            at: now,
        }
    }

    fn index(&self) -> usize {
        self.turn.fold_wb(0, 1)
    }

    /// When what it shows changes next by itself.
    fn tick(&self) -> Option<u64> {
        let left = self.left[self.index()].checked_sub(1)?;
        self.running.then_some(self.at + left % SECOND + 1)
    }

    fn pass(&mut self, now: u64) {
        let index = self.index();
        if self.running {
            self.left[index] = self.left[index].saturating_sub(now - self.at);
            if self.left[index] == 0 {
                self.flag[index] = true;
                self.running = false;
            }
        }
        self.at = now;
    }

    fn side(&self, color: Color) -> Side {
        let index = color.fold_wb(0, 1);
        Side { seconds: self.left[index].div_ceil(SECOND), flag: self.flag[index] }
    }
}

struct Table {
    rotated: bool,
    white_left: bool,
    board: Board,
    game: Chess,
    clock: Option<Clock>,
    now: u64,
    last_change: bool,
    pace: u64,
    attached: bool,
    records: Vec<Record>,
}

impl Table {
    fn new(story: &Story) -> Table {
        let rotated = story.option("rotated");
        let game = story.start.as_ref().map_or_else(Chess::new, |fen| position(fen));
        let board = match &story.board {
            Some(text) => placement(text),
            None => game.board().clone(),
        };
        Table {
            rotated,
            white_left: rotated == story.option("clock-other-side"),
            board,
            game,
            clock: None,
            now: 0,
            last_change: false,
            pace: 2 * SECOND,
            attached: true,
            records: Vec::new(),
        }
    }

    /// The conversation with which a host begins (protocol 1.5).
    fn open(&mut self, story: &Story) {
        self.send(What::Connected);
        if story.option("bare") {
            self.wait(20_000);
            self.dump();
            return;
        }
        self.wait(500_000);
        self.ask(0x40, None);
        self.ask(0x4d, Some(vec![0x93, 0, 5, 1, 8]));
        if story.option("old-board") {
            self.ask(0x55, None);
            self.wait(SECOND);
            self.ask(0x45, Some(wire::text(0x91, "01025")));
        } else {
            self.ask(0x55, Some(wire::text(0xa2, "3000012345")));
        }
        let squares = wire::dump(&self.board, self.rotated);
        self.ask(0x42, Some(squares));
        self.ask(0x4b, None);
        if story.option("asks-clock") {
            self.ask(0x41, Some(wire::NO_CLOCK.to_vec()));
        }
        self.wait(SECOND);
    }

    fn ask(&mut self, command: u8, answer: Option<Vec<u8>>) {
        self.send(What::ToBoard(vec![command]));
        self.wait(60_000);
        if let Some(answer) = answer {
            self.send(What::FromBoard(answer));
        }
        self.wait(60_000);
    }

    fn send(&mut self, what: What) {
        match what {
            What::Disconnected => self.attached = false,
            What::Connected => self.attached = true,
            _ => {}
        }
        self.last_change = false;
        self.records.push(Record { at: Stamp::from_micros(self.now), what });
    }

    fn board_says(&mut self, bytes: Vec<u8>) {
        if self.attached {
            self.send(What::FromBoard(bytes));
        }
    }

    fn dump(&mut self) {
        let bytes = wire::dump(&self.board, self.rotated);
        self.board_says(bytes);
    }

    /// Lets time pass, and the clock tick.
    fn wait(&mut self, micros: u64) {
        let until = self.now + micros;
        while let Some(tick) =
            self.clock.as_ref().and_then(Clock::tick).filter(|&tick| tick <= until)
        {
            self.now = tick;
            self.tell_clock();
        }
        self.now = until;
        self.last_change = false;
    }

    fn tell_clock(&mut self) {
        let Some(clock) = &mut self.clock else { return };
        clock.pass(self.now);
        let (white, black) = (clock.side(Color::White), clock.side(Color::Black));
        let white_turn = clock.turn.is_white();
        let bytes = if self.white_left {
            wire::clock(white, black, clock.running, !white_turn)
        } else {
            wire::clock(black, white, clock.running, white_turn)
        };
        self.board_says(bytes);
    }

    fn press(&mut self) {
        let now = self.now;
        let clock = self.clock.as_mut().unwrap_or_else(|| panic!("a press needs a clock"));
        clock.pass(now);
        let index = clock.index();
        clock.left[index] += clock.increment;
        clock.turn = !clock.turn;
        self.tell_clock();
    }

    fn run(&mut self, running: bool) {
        let now = self.now;
        let clock = self.clock.as_mut().unwrap_or_else(|| panic!("there is no clock"));
        clock.pass(now);
        clock.running = running;
        self.tell_clock();
    }

    /// Sets up the next game: what stands wrong goes, then the men come.
    fn reset(&mut self) {
        let home = Board::new();
        for square in Square::ALL {
            if self.board.piece_at(square).is_some_and(|man| home.piece_at(square) != Some(man)) {
                self.put(square, None, true);
                self.wait(250_000);
            }
        }
        for square in Square::ALL {
            if home.piece_at(square) != self.board.piece_at(square) {
                self.put(square, home.piece_at(square), true);
                self.wait(350_000);
            }
        }
        self.game = Chess::new();
    }

    /// One of the words that is no keyword.
    fn simple(&mut self, word: &str) {
        if let Some(pause) = word.strip_prefix('@') {
            self.wait(duration(pause));
            return;
        }
        let (word, told) = match word.strip_prefix('~') {
            Some(rest) => (rest, false),
            None => (word, true),
        };
        let (square, change) = if let Some(square) = word.strip_prefix('-') {
            (square, Some(None))
        } else if let Some(rest) = word.strip_prefix('+') {
            let (square, man) = rest.split_at(2);
            let man = Piece::from_char(man.chars().next().unwrap()).unwrap();
            (square, Some(Some(man)))
        } else if let Some((square, code)) = word.split_once('=') {
            let square: Square = square.parse().unwrap();
            self.say(square, hex(code)[0], told);
            return;
        } else {
            panic!("{word:?} is no word of the hands")
        };
        let square: Square =
            square.parse().unwrap_or_else(|_| panic!("{word:?}: a square is expected"));
        if let Some(man) = change {
            self.put(square, man, told);
        }
    }

    fn put(&mut self, square: Square, man: Option<Piece>, told: bool) {
        match man {
            Some(man) => self.board.set_piece_at(square, man),
            None => drop(self.board.remove_piece_at(square)),
        }
        self.say(square, wire::code(man), told);
    }

    fn say(&mut self, square: Square, code: u8, told: bool) {
        if self.last_change {
            self.wait(STEP);
        }
        if told {
            self.board_says(wire::update(wire::field(square, self.rotated), code));
        }
        self.last_change = true;
    }

    /// A move that the hands have just shown is part of the game for what follows.
    fn catch_up(&mut self) {
        if self.game.board() == &self.board {
            return;
        }
        let after = self.game.legal_moves().into_iter().find_map(|m| {
            let mut after = self.game.clone();
            after.play_unchecked(m);
            (after.board() == &self.board).then_some(after)
        });
        self.game = after.unwrap_or_else(|| {
            panic!("the board shows {}, no move of the game: use `as` or `game`", self.board)
        });
    }

    fn find(&self, san: &str) -> Move {
        let parsed: San = san.parse().unwrap_or_else(|_| panic!("{san:?} is no move"));
        parsed.to_move(&self.game).unwrap_or_else(|error| {
            panic!("{san}: {error} in {}", Fen::from_position(&self.game, EnPassantMode::Legal))
        })
    }

    fn note(&mut self, san: &str) {
        let m = self.find(san);
        self.game.play_unchecked(m);
    }

    /// A move by a steady hand; a captured man never leaves its square empty.
    fn play(&mut self, san: &str) {
        self.catch_up();
        let m = self.find(san);
        let us = self.game.turn();
        let pace = self.pace;
        self.wait(pace.saturating_sub(600_000));
        if let Move::Castle { king, rook } = m {
            let side = CastlingSide::from_king_side(king < rook);
            let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
            // In Chess960 one may have to make room for the other.
            let room = king_to != rook && rook_to != king;
            self.put(king, None, true);
            self.wait(200_000);
            if !room {
                self.put(rook, None, true);
                self.wait(200_000);
            }
            self.put(king_to, Some(Role::King.of(us)), true);
            self.wait(100_000);
            if room {
                self.put(rook, None, true);
                self.wait(150_000);
            }
            self.put(rook_to, Some(Role::Rook.of(us)), true);
        } else {
            let man = m.promotion().unwrap_or(m.role()).of(us);
            self.put(m.from().unwrap(), None, true);
            self.wait(350_000);
            self.put(m.to(), Some(man), true);
            if let Move::EnPassant { from, to } = m {
                self.wait(100_000);
                self.put(Square::from_coords(to.file(), from.rank()), None, true);
            }
        }
        self.game.play_unchecked(m);
        self.wait(250_000);
        if self.clock.as_ref().is_some_and(|clock| clock.running && clock.turn == us) {
            self.press();
        }
    }
}

fn is_san(word: &str) -> bool {
    word.parse::<San>().is_ok() && !word.starts_with(['-', '+', '@'])
}

fn placement(text: &str) -> Board {
    text.parse::<Fen>().unwrap_or_else(|e| panic!("{text:?}: {e}")).into_setup().board
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap_or_else(|e| panic!("{fen:?}: {e}"));
    let mode = CastlingMode::detect(fen.as_setup());
    fen.into_position(mode)
        .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .unwrap_or_else(|e| panic!("{e}"))
}

/// Microseconds.
fn duration(text: &str) -> u64 {
    let number = |digits: &str| {
        digits.parse::<f64>().unwrap_or_else(|_| panic!("{text:?}: a time is expected"))
    };
    let seconds = match text.strip_suffix("ms") {
        Some(digits) => number(digits) / 1000.0,
        None => number(text.strip_suffix('s').unwrap_or(text)),
    };
    u64::try_from(std::time::Duration::from_secs_f64(seconds).as_micros()).unwrap()
}

/// `1:30:00` or `5:00` in seconds.
fn time(text: &str) -> u64 {
    text.split(':').fold(0, |sum, part| sum * 60 + part.parse::<u64>().unwrap())
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap())
        .collect()
}
