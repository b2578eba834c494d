//! Two players who move men on the emulated board in all the orders in which hands do.

use dgtd::{
    link::Snapshot,
    wire::{ClockSide, Contact, EventLog, Field, Framer, Item, Message, Orientation, event_log},
};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position, Role, Square};

use super::emulator::{Board, Clock};

/// A legal move, with `special` as the chance of an unusual one where there is one; none where the
/// game is over.
pub fn choose(random: &mut ChaCha8Rng, position: &Chess, special: f64) -> Option<Move> {
    // Kings in the centre show a result.
    let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
    let legal: Vec<Move> = position
        .legal_moves()
        .into_iter()
        .filter(|m| m.role() != Role::King || !centre.contains(&m.to()))
        .collect();
    let unusual: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|m| m.is_castle() || m.is_en_passant() || m.is_promotion() || m.is_capture())
        .collect();
    let choice = if !unusual.is_empty() && random.random_bool(special) { unusual } else { legal };
    (!choice.is_empty()).then(|| choice[random.random_range(0..choice.len())])
}

/// What a hand does for a move, one square after the other, in one of the usual orders.
pub fn steps(random: &mut ChaCha8Rng, position: &Chess, m: Move) -> Vec<(Square, char)> {
    let us = position.turn();
    let man = m.role().of(us).char();
    let arrives = m.promotion().unwrap_or(m.role()).of(us).char();
    match m {
        Move::Castle { king, rook } => {
            let short = rook.file() > king.file();
            let file = |short_to: u32, long_to: u32| {
                let file = shakmaty::File::new(if short { short_to } else { long_to });
                Square::from_coords(file, king.rank())
            };
            let (king_to, rook_to) = (file(6, 2), file(5, 3));
            let rook_man = Role::Rook.of(us).char();
            vec![(king, '.'), (king_to, man), (rook, '.'), (rook_to, rook_man)]
        }
        Move::EnPassant { from, to } => {
            let victim = Square::from_coords(to.file(), from.rank());
            if random.random_bool(0.5) {
                vec![(victim, '.'), (from, '.'), (to, man)]
            } else {
                vec![(from, '.'), (to, man), (victim, '.')]
            }
        }
        Move::Normal { from, to, capture: Some(_), .. } => match random.random_range(0..3) {
            0 => vec![(to, '.'), (from, '.'), (to, arrives)],
            1 => vec![(from, '.'), (to, '.'), (to, arrives)],
            _ => vec![(from, '.'), (to, arrives)],
        },
        Move::Normal { from, to, promotion, .. } => {
            let mut steps = Vec::new();
            if random.random_bool(0.05) {
                // Adjusted first: lifted and put back.
                steps.extend([(from, '.'), (from, man)]);
            }
            steps.push((from, '.'));
            if promotion.is_some() && random.random_bool(0.5) {
                steps.extend([(to, man), (to, '.')]);
            }
            steps.push((to, arrives));
            steps
        }
        Move::Put { .. } => panic!("no move of this game"),
    }
}

/// A board, and the game played on it.
pub struct Player {
    pub board: Board,
    pub line: Vec<Move>,
    pub position: Chess,
    time: u64,
}

impl Player {
    pub fn new(orientation: Orientation, clock: bool) -> Player {
        let mut board = Board::classic(*b"01025", orientation);
        if clock {
            // Whoever sits at the left side of the clock is White on a board in normal orientation.
            let right_turn = orientation == Orientation::Rotated;
            let clock = Clock { left: 5400, right: 5400, right_turn, running: true, increment: 0 };
            board = board.with_clock(clock);
        }
        Player { board, line: Vec::new(), position: Chess::new(), time: 0 }
    }

    pub fn white(&self) -> ClockSide {
        match self.board.orientation {
            Orientation::Normal => ClockSide::Left,
            Orientation::Rotated => ClockSide::Right,
        }
    }

    /// Plays so many half-moves, fewer when the game ends.
    pub fn play(&mut self, random: &mut ChaCha8Rng, plies: usize) {
        for _ in 0..plies {
            let Some(m) = choose(random, &self.position, 0.5) else { return };
            self.hand(random, m);
            self.position.play_unchecked(m);
            self.line.push(m);
            self.pause(random, 300, 4_000);
            // A press may be missing from the log when play is fast.
            if random.random_bool(0.97) {
                self.board.press();
            } else if let Some(clock) = &mut self.board.clock {
                clock.right_turn = !clock.right_turn;
            }
            self.pause(random, 100, 3_000);
        }
    }

    fn pause(&mut self, random: &mut ChaCha8Rng, least: u64, most: u64) {
        self.time += random.random_range(least..most);
        self.board.time = Some(self.time);
    }

    fn hand(&mut self, random: &mut ChaCha8Rng, m: Move) {
        for (square, letter) in steps(random, &self.position, m) {
            self.pause(random, 50, 700);
            self.board.put(&square.to_string(), letter);
        }
    }

    /// Plays these half-moves, men that are taken lifted first; nobody presses a clock.
    pub fn play_lifting_first(&mut self, line: &[Move]) {
        for &m in line {
            let man = m.role().of(self.position.turn()).char();
            let from = m.from().unwrap();
            let taken = (m.is_capture() && !m.is_en_passant()).then_some((m.to(), '.'));
            for (square, letter) in taken.into_iter().chain([(from, '.'), (m.to(), man)]) {
                self.time += 700;
                self.board.time = Some(self.time);
                self.board.put(&square.to_string(), letter);
            }
            self.position.play_unchecked(m);
            self.line.push(m);
        }
    }

    /// The log as a host reads it, and the dump after it.
    pub fn log(&mut self) -> (EventLog, Snapshot) {
        let mut log = EventLog::default();
        let bytes = self.board.receive(&[0x49]);
        Framer::default().push(&bytes, dgtd::units::Stamp::ZERO, |item| match item {
            Item::Message(Message::EventLog(bytes)) => log = event_log::decode(&bytes),
            other => panic!("{other:?}"),
        });
        let mut squares = [Contact::Empty; 64];
        for square in Square::ALL {
            let field = Field::from_square(square, self.board.orientation);
            squares[field.index()] = self.board.at(&square.to_string());
        }
        (log, squares)
    }
}
