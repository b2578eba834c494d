//! A straight walk towards a mate by one minor piece: the king to be mated goes into a corner, one of
//! its own men shuts it in, the other king stands by.
//!
//! In: a position whose mating side has nothing but minor pieces. Out: a mate line, or nothing. Each
//! player makes the move that brings the picture nearest; no move is taken back.

use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square, attacks};

use super::{
    course::{self, Course, Outcome},
    dive,
    key::Key,
    pattern,
    picture::Picture,
    plan::Goal,
    score::to_go,
};

/// Pictures looked at, and those of them walked to.
const LOOKED: usize = 48;
const WALKED: usize = 8;
/// Steps from where a man never comes.
const NEVER: u8 = 60;

/// A mate line by `side`, if it has only minor pieces and a walk to one of the pictures succeeds;
/// and the positions visited.
pub(super) fn line(position: &Chess, side: Color) -> (Option<Vec<Move>>, u32) {
    let board = position.board();
    let own = board.by_color(side);
    let mut visited = 0;
    if (own & (board.rooks_and_queens() | board.pawns())).any() {
        return (None, 0);
    }
    let men = Key::of(position).men();
    let mut walked = 0;
    for pattern in pattern::patterns(&men, side, LOOKED) {
        let Some(picture) = pattern.cast(&men, side) else { continue };
        if !picture.holds(board, side) {
            continue;
        }
        for last in [false, true] {
            let Some(walk) = Walk::new(position, side, &picture, last) else { continue };
            if let Outcome::Mate(line) = course::run(walk, position, &mut visited) {
                return (Some(line), visited);
            }
        }
        walked += 1;
        if walked == WALKED {
            break;
        }
    }
    (None, visited)
}

/// Where each man of the picture goes, and where it is.
struct Walk {
    side: Color,
    /// Among equal moves, prefers the last.
    last: bool,
    target: [u8; 64],
    helper: [u8; 64],
    checker: [u8; 64],
    checker_at: Square,
    /// The man that shuts the king in: what it must be, where it is, and its steps as that.
    blocker: Option<(Role, Square, [u8; 64])>,
}

impl Walk {
    fn new(root: &Chess, side: Color, picture: &Picture, last: bool) -> Option<Walk> {
        let pawns = root.board().pawns();
        let goal = |square: Square| Bitboard::from_square(square);
        let blocker = picture.men[1].map(|Goal { piece, from, to }| {
            let table = match piece.role {
                Role::Pawn => file(piece.color, to),
                _ => table(piece, to, pawns.without(from)),
            };
            (piece.role, from, table)
        });
        Some(Walk {
            side,
            last,
            target: dive::steps(root, !side, goal(picture.king.1)),
            helper: dive::steps(root, side, goal(picture.men[0]?.to)),
            checker: table(picture.checker.piece, picture.checker.to, pawns),
            checker_at: picture.checker.from,
            blocker,
        })
    }

    /// Steps of the man that shuts the king in, if it is on this square as such a man.
    fn shut(&self, role: Option<Role>, at: Square) -> u8 {
        let Some((goal, _, table)) = &self.blocker else { return 0 };
        if role == Some(*goal) {
            return table[usize::from(at)];
        }
        let color = !self.side;
        let left = u8::try_from(to_go(color, at)).unwrap_or(0);
        left + table[usize::from(pattern::promotion(color, at))]
    }

    /// How near the helping king and the checker should come for now.
    fn wait(&self, here: &Chess) -> Option<(u8, u8)> {
        let board = here.board();
        let target = self.target[usize::from(board.king_of(!self.side)?)];
        let helper = self.helper[usize::from(board.king_of(self.side)?)];
        let blocker = self.blocker.map_or(0, |(_, at, _)| self.shut(board.role_at(at), at));
        let near = if target > 0 { 2 } else { 0 };
        Some((near, u8::from(target > 0 || blocker > 0 || helper > 0)))
    }

    /// What a move of the mating side is worth.
    fn gain(&self, m: Move, (near, far): (u8, u8)) -> i32 {
        let Some(from) = m.from() else { return 0 };
        let to = m.to();
        let step = |table: &[u8; 64], least: u8| {
            let off =
                |square: Square| (i32::from(table[usize::from(square)]) - i32::from(least)).abs();
            off(from) - off(to)
        };
        let taken = match m.capture() {
            Some(_) if self.blocker.is_some_and(|(_, at, _)| at == to) => -100,
            Some(Role::Rook | Role::Queen) => 5,
            _ => 0,
        };
        let moved = if m.role() == Role::King {
            10 * step(&self.helper, near)
        } else if from == self.checker_at {
            10 * step(&self.checker, far)
        } else {
            0
        };
        taken + moved
    }

    /// What a move of the other side is worth to the mating side.
    fn help(&self, here: &Chess, m: Move) -> i32 {
        let Some(from) = m.from() else { return 0 };
        let to = m.to();
        let taken = match m.capture() {
            Some(_) if to == self.checker_at => -100,
            Some(_) => -5,
            None => 0,
        };
        let moved = if m.role() == Role::King {
            10 * (i32::from(self.target[usize::from(from)])
                - i32::from(self.target[usize::from(to)]))
        } else if self.blocker.is_some_and(|(_, at, _)| at == from) {
            let before = self.shut(here.board().role_at(from), from);
            let role = m.promotion().or(here.board().role_at(from));
            let fits = role == Some(Role::Pawn) || self.blocker.map(|(goal, ..)| goal) == role;
            if !fits || (m.role() == Role::Pawn && from.file() != to.file()) {
                return -100;
            }
            10 * (i32::from(before) - i32::from(self.shut(role, to)))
        } else if m.promotion().is_some() {
            -20
        } else {
            0
        };
        taken + moved
    }
}

impl Course for Walk {
    fn side(&self) -> Color {
        self.side
    }

    fn last(&self) -> bool {
        self.last
    }

    fn left(&self, here: &Chess) -> Option<u32> {
        let board = here.board();
        let target = self.target[usize::from(board.king_of(!self.side)?)];
        let helper = self.helper[usize::from(board.king_of(self.side)?)];
        let blocker = self.blocker.map_or(0, |(_, at, _)| self.shut(board.role_at(at), at));
        let checker = self.checker[usize::from(self.checker_at)];
        Some(u32::from(target) + u32::from(helper) + u32::from(blocker) + u32::from(checker))
    }

    fn gains(&self, here: &Chess, legal: &[Move], gains: &mut [i32]) {
        let Some(near) = self.wait(here) else { return };
        for (gain, &m) in gains.iter_mut().zip(legal) {
            *gain = if here.turn() == self.side { self.gain(m, near) } else { self.help(here, m) };
        }
    }

    fn follow(&mut self, m: Move) {
        if m.from() == Some(self.checker_at) {
            self.checker_at = m.to();
        }
        if let Some((_, at, _)) = &mut self.blocker
            && m.from() == Some(*at)
        {
            *at = m.to();
        }
    }
}

/// Steps of a piece to a square, around these.
fn table(piece: Piece, to: Square, closed: Bitboard) -> [u8; 64] {
    let mut table = [NEVER; 64];
    let mut seen = closed.with(to);
    let mut edge = Bitboard::from_square(to);
    let mut distance = 0;
    while edge.any() {
        let mut ring = Bitboard::EMPTY;
        for square in edge {
            table[usize::from(square)] = distance;
            ring |= attacks::attacks(square, piece, closed);
        }
        edge = ring & !seen;
        seen |= ring;
        distance += 1;
    }
    table
}

/// Steps of a pawn that stays on its file.
fn file(color: Color, to: Square) -> [u8; 64] {
    let mut table = [NEVER; 64];
    for (square, steps) in Square::ALL.into_iter().zip(&mut table) {
        let (left, goal) = (to_go(color, square), to_go(color, to));
        if square.file() == to.file() && left >= goal {
            *steps = u8::try_from(left - goal).unwrap_or(NEVER);
        }
    }
    table
}
