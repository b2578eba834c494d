//! A game by random hands: legal moves, and what hands and sensors do besides.

use std::time::Duration;

use dgtd::{
    arbiter::{Arbiter, EventKind, Input, Options, Output},
    units::Stamp,
    wire::Orientation,
};
use shakmaty::{Bitboard, CastlingMode, CastlingSide, Chess, Move, Position as _, Role, Square};

use super::{emulator::Board, wait};

/// The most steps taken from one input.
const STEPS: usize = 300;

/// A board, its hands, and the program that watches.
struct Table {
    board: Board,
    arbiter: Arbiter,
    now: Stamp,
    out: Vec<Output>,
    /// The game as it is played.
    truth: Chess,
    plies: u32,
    /// The game as it was told, and that something of class A was told.
    told: u32,
    over: bool,
    /// Only moves so far, each seen at leisure.
    clean: bool,
}

impl Table {
    fn new() -> Table {
        let mut table = Table {
            board: Board::classic(*b"01025", Orientation::Normal),
            arbiter: Arbiter::new("b1".parse().unwrap(), Options::default()),
            now: Stamp::ZERO,
            out: Vec::new(),
            truth: Chess::default(),
            plies: 0,
            told: 0,
            over: false,
            clean: true,
        };
        table.arbiter.advance(Input::Attached { port: "x" }, table.now, &mut table.out);
        table.serve();
        table.pause(3000);
        table
    }

    /// Carries commands to the board and answers back until nothing is left to do.
    fn serve(&mut self) {
        for _ in 0..1000 {
            let mut sent = Vec::new();
            for output in std::mem::take(&mut self.out) {
                match output {
                    Output::Send(command) => sent.extend(self.board.receive(command.bytes())),
                    Output::Event(event) => match event.kind {
                        EventKind::Move { ply, .. } => self.told = ply.0,
                        EventKind::GameOver { .. } => self.over = true,
                        _ => {}
                    },
                    // A hard position: left unanswered, as when the search takes long.
                    Output::StatusChanged | Output::Ask(_) => {}
                }
            }
            if sent.is_empty() {
                return;
            }
            self.arbiter.advance(Input::Bytes(&sent), self.now, &mut self.out);
        }
        panic!("the conversation with the board does not end");
    }

    /// Time passes; the board is served meanwhile.
    fn pause(&mut self, millis: u64) {
        let until = self.now + Duration::from_millis(millis);
        for _ in 0..10_000 {
            let due = self.arbiter.deadline().map_or(until, |due| due.max(self.now));
            if due >= until {
                wait(&mut self.arbiter, &mut self.now, until, &mut self.out);
                self.serve();
                return;
            }
            wait(&mut self.arbiter, &mut self.now, due, &mut self.out);
            self.serve();
        }
        panic!("deadlines do not move on");
    }

    /// Something changes on the board.
    fn put(&mut self, square: Square, man: char) {
        let bytes = self.board.put(&square.to_string(), man);
        if !bytes.is_empty() {
            self.arbiter.advance(Input::Bytes(&bytes), self.now, &mut self.out);
            self.serve();
        }
    }

    /// Plays a legal move with one hand, a change at a time.
    fn play(&mut self, m: Move) {
        let before = self.truth.clone();
        self.truth.play_unchecked(m);
        self.plies += 1;
        let mut changed: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&s| before.board().piece_at(s) != self.truth.board().piece_at(s))
            .collect();
        // What is lifted first, then what is put down; of two in castling the king first.
        let king = |s: &Square| {
            let either = [before.board().role_at(*s), self.truth.board().role_at(*s)];
            !either.contains(&Some(Role::King))
        };
        changed.sort_by_key(|s| (self.truth.board().piece_at(*s).is_some(), king(s)));
        debug_assert!(m.castling_side() != Some(CastlingSide::KingSide) || changed.len() == 4);
        for square in changed {
            let man = self.truth.board().piece_at(square).map_or('.', shakmaty::Piece::char);
            self.put(square, man);
            self.pause(150);
        }
    }

    fn noise(&mut self, kind: u8, which: u8) {
        self.clean = false;
        let square = Square::new(u32::from(which & 63));
        let stands = self.truth.board().piece_at(square).map_or('.', shakmaty::Piece::char);
        match kind % 8 {
            // A man is touched, or a square flickers.
            0 => {
                self.put(square, '.');
                self.pause(u64::from(which) * 4);
                self.put(square, stands);
            }
            // It is read as another.
            1 => {
                self.put(square, ['q', 'P', 'k', 'N'][usize::from(which >> 6)]);
                self.pause(60);
                self.put(square, stands);
            }
            // It stays away.
            2 => self.put(square, '.'),
            // All is put right.
            3 => {
                for square in Square::ALL {
                    let piece = self.truth.board().piece_at(square);
                    self.put(square, piece.map_or('.', shakmaty::Piece::char));
                }
                self.pause(2000);
            }
            // The cable.
            4 => {
                self.arbiter.advance(Input::Detached, self.now, &mut self.out);
                self.pause(u64::from(which) * 20);
                self.board.power_cycle();
                self.arbiter.advance(Input::Attached { port: "y" }, self.now, &mut self.out);
                self.serve();
                self.pause(500);
            }
            // Bytes that mean nothing.
            5 => {
                let bytes = [which, 0x8e, 0, which & 7, 0x86, which];
                self.arbiter.advance(Input::Bytes(&bytes), self.now, &mut self.out);
                self.serve();
            }
            // The men are put back.
            6 => {
                self.board
                    .set_up("rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR");
                self.truth = Chess::default();
                self.pause(5000);
            }
            _ => self.pause(u64::from(which) * 16),
        }
    }
}

/// Plays what the bytes say: below 200 a legal move of that number, else something else that happens
/// to a board, described by the byte that follows. While only moves were made, each must be told, and
/// an end exactly when there is one.
pub fn walk(data: &[u8]) {
    let mut table = Table::new();
    let mut bytes = data.iter().copied();
    for _ in 0..STEPS {
        let Some(byte) = bytes.next() else { break };
        if byte >= 200 {
            let which = bytes.next().unwrap_or(0);
            table.noise(byte, which);
            continue;
        }
        let legal = table.truth.legal_moves();
        if legal.is_empty() || table.over {
            break;
        }
        let m = legal[usize::from(byte) % legal.len()];
        table.play(m);
        table.pause(4000);
        // A king in the centre may be the sign for a result: without a clock it is a move only once
        // the opponent has replied.
        if table.clean && !(m.role() == Role::King && Bitboard::CENTER.contains(m.to())) {
            assert_eq!(table.told, table.plies, "each move is told: {}", table.board_text());
            let ended = table.truth.is_game_over();
            assert!(!ended || table.over, "an end is told: {}", table.board_text());
        }
    }
    table.arbiter.finish(table.now, &mut table.out);
}

impl Table {
    fn board_text(&self) -> String {
        let setup = self.truth.castles().castling_rights();
        let mode = CastlingMode::Standard;
        format!("{} ({setup:?}, {mode:?})", self.truth.board())
    }
}
