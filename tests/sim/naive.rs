//! The simplest tracker that can work: the yardstick's lower end.
//!
//! It keeps the array of the last dump and the updates since, and records a ply when the array
//! equals a legal successor of its position and the lever has moved or nothing has changed for a
//! second. It does what most programs beside a board do, and shows what human hands cost them.

use shakmaty::{
    Board as Placement, CastlingMode, Chess, EnPassantMode, Move, Position, Square, fen::Fen,
};

use super::{
    MS, SECOND,
    subject::{By, Event, Output, Subject},
    table::man_of,
};

/// The plain tracker.
pub struct Naive {
    buffer: Vec<u8>,
    array: [u8; 64],
    known: bool,
    rotated: bool,
    position: Option<Chess>,
    ply: usize,
    lever: Option<u8>,
    changed: u64,
    still_due: Option<u64>,
    greet: Vec<(u64, u8)>,
    started: bool,
}

impl Naive {
    /// A tracker that has seen nothing.
    pub fn new() -> Naive {
        Naive {
            buffer: Vec::new(),
            array: [0; 64],
            known: false,
            rotated: false,
            position: None,
            ply: 0,
            lever: None,
            changed: 0,
            still_due: None,
            greet: Vec::new(),
            started: false,
        }
    }

    fn placement(&self, rotated: bool) -> Placement {
        let mut board = Placement::empty();
        for square in Square::ALL {
            let field = (7 - square.rank() as usize) * 8 + square.file() as usize;
            let field = if rotated { 63 - field } else { field };
            if let Some(piece) = man_of(self.array[field]) {
                board.set_piece_at(square, piece);
            }
        }
        board
    }

    fn message(&mut self, now: u64, message: &[u8], out: &mut Vec<Output>) {
        match message {
            [0x86, _, _, fields @ ..] if fields.len() == 64 => {
                let changed = fields != self.array;
                self.array.copy_from_slice(fields);
                self.known = true;
                if changed {
                    self.change(now, out);
                }
            }
            [0x8e, _, _, field, code] if *field < 64 => {
                self.array[usize::from(*field)] = *code;
                self.change(now, out);
            }
            [0x8d, _, _, b3, _, _, b6, _, _, b9]
                if b9 & 0x20 == 0 && b3 & 0xf != 0xa && b6 & 0xf != 0xa =>
            {
                let lever = b9 & 2;
                if self.lever.is_some_and(|was| was != lever) && b9 & 1 == 1 {
                    self.commit(now, By::Press, out);
                }
                self.lever = Some(lever);
            }
            _ => {}
        }
    }

    fn change(&mut self, now: u64, out: &mut Vec<Output>) {
        self.changed = now;
        self.still_due = Some(now + SECOND);
        if !self.known {
            return;
        }
        let start = Chess::default();
        for rotated in [false, true] {
            let at_start = self.placement(rotated) == *start.board();
            if at_start && !(self.started && self.ply == 0) {
                self.rotated = rotated;
                self.started = true;
                self.ply = 0;
                let fen = Fen::from_position(&start, EnPassantMode::Legal).to_string();
                self.position = Some(start);
                out.push(Output::Event(Event::GameStarted { fen }));
                return;
            }
        }
    }

    fn commit(&mut self, now: u64, by: By, out: &mut Vec<Output>) {
        let Some(position) = &self.position else { return };
        let shown = self.placement(self.rotated);
        let found: Option<(Move, Chess)> = position.legal_moves().into_iter().find_map(|m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            (*after.board() == shown).then_some((m, after))
        });
        let Some((m, after)) = found else { return };
        self.ply += 1;
        let uci = m.to_uci(CastlingMode::Standard).to_string();
        let (ply, made) = (self.ply, self.changed);
        out.push(Output::Event(Event::Move { ply, uci, made, by, exact: true }));
        for (over, reason) in [
            (after.is_checkmate(), "checkmate"),
            (after.is_stalemate(), "stalemate"),
            (after.is_insufficient_material(), "dead_position"),
        ] {
            if over {
                out.push(Output::Event(Event::GameOver { reason: reason.into(), ply }));
            }
        }
        self.position = Some(after);
        let _ = now;
    }
}

impl Subject for Naive {
    fn attach(&mut self, now: u64) -> Vec<Output> {
        self.buffer.clear();
        self.greet = [(500, 0x40), (700, 0x42), (900, 0x4b), (1000, 0x41), (1100, 0x42)]
            .map(|(ms, byte)| (now + ms * MS, byte))
            .to_vec();
        Vec::new()
    }

    fn detach(&mut self, _: u64) -> Vec<Output> {
        self.greet.clear();
        Vec::new()
    }

    fn bytes(&mut self, now: u64, bytes: &[u8]) -> Vec<Output> {
        let mut out = Vec::new();
        for byte in bytes {
            if byte & 0x80 != 0 {
                self.buffer.clear();
            } else if self.buffer.is_empty() {
                continue;
            }
            self.buffer.push(*byte);
            let total = match self.buffer[..] {
                [_, hi, lo, ..] => usize::from(hi) << 7 | usize::from(lo),
                _ => usize::MAX,
            };
            if self.buffer.len() >= total {
                let message = std::mem::take(&mut self.buffer);
                self.message(now, &message, &mut out);
            }
        }
        out
    }

    fn timeout(&mut self, now: u64) -> Vec<Output> {
        let mut out = Vec::new();
        self.greet.retain(|(time, byte)| {
            if *time <= now {
                out.push(Output::Command(vec![*byte]));
            }
            *time > now
        });
        if self.still_due.is_some_and(|due| due <= now) {
            self.still_due = None;
            self.commit(now, By::Still, &mut out);
        }
        out
    }

    fn told(&mut self, _: u64, fen: &str, chess960: bool) -> Vec<Output> {
        let mode = CastlingMode::from_chess960(chess960);
        let Some(position) = fen.parse().ok().and_then(|f: Fen| f.into_position(mode).ok()) else {
            return Vec::new();
        };
        self.position = Some(position);
        self.ply = 0;
        self.started = true;
        vec![Output::Event(Event::GameStarted { fen: fen.into() })]
    }

    fn deadline(&self) -> Option<u64> {
        self.greet.iter().map(|(time, _)| *time).chain(self.still_due).min()
    }
}
