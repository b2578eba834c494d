//! A board, random hands, and what they truly played.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use dgtd::wire::Orientation;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, Move, Position as _, Role, Square};

use super::emulator::{Board, Clock, Mode, Plugged};

/// Cables pulled, on all boards.
pub static PULLS: AtomicU64 = AtomicU64::new(0);
/// Bursts of rubbish, on all boards.
pub static RUBBISH: AtomicU64 = AtomicU64::new(0);

/// After so many half-moves the players agree on a draw and put the men back.
const LONGEST: usize = 60;

/// From one change of a square to the next of the same move.
const HAND: Duration = Duration::from_millis(180);

/// A game as it was played.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The moves, in UCI.
    pub moves: Vec<String>,
    /// How many of them while the cable was out, or before the daemon listened again.
    pub hidden: usize,
    /// How often a cable was pulled in it.
    pub pulls: usize,
    /// The game ended on the board.
    pub over: bool,
}

/// Games that end: one in four is each of these.
const PLANS: [&[&str]; 2] = [
    &["f2f3", "e7e5", "g2g4", "d8h4"],
    &[
        "e2e4", "e7e5", //
        "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", //
        "b1c3", "b8c6", "c3b1", "c6b8", "b1c3", "b8c6", "c3b1", "c6b8",
    ],
];

enum Change {
    Put(Square, char),
    Press,
}

/// A table in the hall.
pub struct Table {
    pub serial: String,
    /// All games so far, the one that is on included.
    pub games: Vec<Played>,
    plugged: Option<Plugged>,
    /// The board while nobody holds its cable.
    unplugged_until: Option<Duration>,
    links: PathBuf,
    link: PathBuf,
    renamed: u32,
    position: Chess,
    /// What is left of a game with an end, last move first.
    plan: Vec<&'static str>,
    todo: Vec<Change>,
    /// The move that is being made is one of those that nobody hears of.
    unheard: bool,
    next: Duration,
    second: Duration,
    random: ChaCha8Rng,
    index: u64,
}

impl Table {
    pub fn new(index: u64, links: &Path) -> Table {
        let serial = format!("{:05}", index + 1);
        let link = links.join(format!("tty{index}"));
        let clock =
            Clock { left: 7200, right: 7200, right_turn: false, running: true, increment: 0 };
        let bytes: [u8; 5] = serial.clone().into_bytes().try_into().unwrap();
        let plugged = Plugged::new(Board::classic(bytes, Orientation::Normal).with_clock(clock));
        symlink(plugged.path(), &link).unwrap();
        Table {
            serial,
            games: vec![Played::default()],
            plugged: Some(plugged),
            unplugged_until: None,
            links: links.into(),
            link,
            renamed: 0,
            position: Chess::default(),
            plan: Vec::new(),
            todo: Vec::new(),
            unheard: false,
            next: Duration::ZERO,
            second: Duration::ZERO,
            random: ChaCha8Rng::seed_from_u64(index),
            index,
        }
    }

    /// The cable goes into another port.
    fn plug_in(&mut self) {
        self.unplugged_until = None;
        self.renamed += 1;
        self.link = self.links.join(format!("tty{}-{}", self.index, self.renamed));
        symlink(self.plugged.as_ref().unwrap().path(), &self.link).unwrap();
    }

    fn game(&mut self) -> &mut Played {
        self.games.last_mut().unwrap()
    }

    /// Does what is due at `now`, since the beginning.
    pub fn step(&mut self, now: Duration) {
        if now >= self.second {
            self.second = now + Duration::from_secs(1);
            self.act(Board::tick);
            self.trouble(now);
        }
        if self.unplugged_until.is_some_and(|until| now >= until) {
            self.plug_in();
        }
        if now < self.next {
            return;
        }
        if let Some(change) = self.todo.pop() {
            self.next = now + HAND;
            match change {
                Change::Put(square, man) => self.put(square, man),
                Change::Press => self.act(Board::press),
            }
            if self.todo.is_empty() {
                let think = self.random.random_range(800..4000);
                self.next = now + Duration::from_millis(think);
            }
            return;
        }
        if self.unplugged_until.is_some() && self.random.random_bool(0.7) {
            // Most players wait for the operator.
            self.next = now + Duration::from_secs(1);
            return;
        }
        let legal = self.position.legal_moves();
        if self.game().moves.is_empty() && self.plan.is_empty() {
            let which = self.random.random_range(0..4);
            let plan = PLANS.get(which).copied().unwrap_or_default();
            self.plan = plan.iter().copied().rev().collect();
        }
        let planned = self.plan.pop().and_then(|uci| {
            legal.iter().copied().find(|m| m.to_uci(CastlingMode::Standard).to_string() == uci)
        });
        let all = self.game().moves.iter().map(String::as_str).eq(PLANS[1].iter().copied());
        if legal.is_empty() || self.position.is_game_over() || all {
            self.game().over = true;
            self.next_game(now + Duration::from_secs(8));
            return;
        }
        if self.game().moves.len() >= LONGEST {
            self.next_game(now + Duration::from_secs(3));
            return;
        }
        let any = legal[self.random.random_range(0..legal.len())];
        self.play(planned.unwrap_or(any));
    }

    /// Plans the changes of a move.
    fn play(&mut self, m: Move) {
        let before = self.position.clone();
        self.position.play_unchecked(m);
        let uci = m.to_uci(CastlingMode::Standard).to_string();
        self.game().moves.push(uci);
        self.unheard = false;
        let after = self.position.board().clone();
        let mut changed: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&s| before.board().piece_at(s) != after.piece_at(s))
            .collect();
        // Lifted first, put down last, of two men that castle the king first. Taken from the end.
        let rook = |s: &Square| {
            before.board().role_at(*s) != Some(Role::King) && after.role_at(*s) != Some(Role::King)
        };
        changed.sort_by_key(|s| std::cmp::Reverse((after.piece_at(*s).is_some(), rook(s))));
        self.todo = vec![Change::Press];
        let put = |s: Square| Change::Put(s, after.piece_at(s).map_or('.', shakmaty::Piece::char));
        self.todo.extend(changed.into_iter().map(put));
    }

    /// The men are put back, a moment after the end.
    fn next_game(&mut self, at: Duration) {
        let array = Chess::default();
        self.next = at;
        self.todo = Square::ALL
            .into_iter()
            .filter(|&s| self.position.board().piece_at(s) != array.board().piece_at(s))
            .map(|s| Change::Put(s, array.board().piece_at(s).map_or('.', shakmaty::Piece::char)))
            .collect();
        if self.position.turn().is_black() {
            // The clock is set for the next game: White is to move.
            self.todo.insert(0, Change::Press);
        }
        self.position = array;
        self.games.push(Played::default());
        self.unheard = false;
    }

    /// Now and then something goes wrong. Never in the middle of a move: what a hand in the air does
    /// when a cable goes is another test's matter.
    fn trouble(&mut self, now: Duration) {
        if self.unplugged_until.is_some() || !self.todo.is_empty() {
            return;
        }
        match self.random.random_range(0..120) {
            0 => {
                PULLS.fetch_add(1, Ordering::Relaxed);
                self.game().pulls += 1;
                let _ = fs::remove_file(&self.link);
                let plugged = self.plugged.take().unwrap();
                self.plugged = Some(plugged.replug(|_| ()));
                let out = self.random.random_range(500..8000);
                self.unplugged_until = Some(now + Duration::from_millis(out));
            }
            1 | 2 => {
                RUBBISH.fetch_add(1, Ordering::Relaxed);
                let length = self.random.random_range(1..40);
                let bytes: Vec<u8> = (0..length).map(|_| self.random.random()).collect();
                self.act(|_| bytes);
            }
            _ => {}
        }
    }

    /// Moves a man, and takes note if nobody listens.
    fn put(&mut self, square: Square, man: char) {
        let mut listens = false;
        self.act(|board| {
            listens = !matches!(board.mode, Mode::Bus | Mode::Idle);
            board.put(&square.to_string(), man)
        });
        if !listens && !std::mem::replace(&mut self.unheard, true) {
            self.game().hidden += 1;
            // Men that nobody saw going home may keep two games from being told apart.
            if self.game().moves.is_empty()
                && let Some(before) = self.games.len().checked_sub(2)
            {
                self.games[before].hidden += 1;
            }
        }
    }

    fn act(&mut self, action: impl FnOnce(&mut Board) -> Vec<u8>) {
        if let Some(plugged) = &mut self.plugged {
            plugged.act(action);
        }
    }

    /// Finishes the move that is on; the board is read to the end.
    pub fn rest(&mut self) {
        if self.unplugged_until.is_some() {
            self.plug_in();
        }
        while let Some(change) = self.todo.pop() {
            match change {
                Change::Put(square, man) => self.act(|board| board.put(&square.to_string(), man)),
                Change::Press => self.act(Board::press),
            }
        }
        // The last move may have ended the game.
        let all = self.game().moves.iter().map(String::as_str).eq(PLANS[1].iter().copied());
        self.game().over |= all || self.position.is_game_over();
    }
}
