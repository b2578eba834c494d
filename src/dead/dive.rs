//! A straight walk towards a mate in a corner, for the common case that plenty is left to mate with.
//!
//! In: a position and a side with a queen, rook or pawn. Out: a mate line, or nothing. Each player
//! helps: the king to be mated walks to a corner, the other king comes near, captures clear the
//! board, a pawn promotes if a strong piece is missing. No move is taken back: a walk costs a few
//! microseconds, other walks try other corners and tastes, and where all fail the search goes on.

use shakmaty::{Bitboard, Chess, Color, Move, MoveList, Position, Role, Square, attacks};

use super::{aim, key::Key, minor, moves, score, unlock};

/// Longest walk in plies.
const PLIES: usize = 70;
/// Plies without getting nearer after which a walk is given up.
const IDLE: u32 = 20;
/// After so many plies a mate is looked for as a picture again: kings and captures have cleared the
/// board by then.
const GLANCES: [usize; 3] = [6, 14, 26];

/// Which corner a walk aims at (0 the nearest) and its taste in moves.
#[derive(Clone, Copy)]
struct Style {
    corner: usize,
    /// Weighs each position by its flight squares: always, near the goal, or never.
    look: Look,
    /// Captures for their own sake.
    greedy: bool,
    /// Among equal moves, prefers the last.
    last: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Always,
    Near,
}

const fn style(corner: usize, look: Look, greedy: bool, last: bool) -> Style {
    Style { corner, look, greedy, last }
}

/// The walks in the order of their success on games.
const STYLES: [Style; 14] = [
    style(0, Look::Near, true, false),
    style(1, Look::Near, true, false),
    style(0, Look::Always, true, false),
    style(0, Look::Near, false, true),
    style(1, Look::Near, false, true),
    style(2, Look::Near, true, false),
    style(3, Look::Near, true, false),
    style(2, Look::Near, false, true),
    style(3, Look::Near, false, true),
    style(0, Look::Always, false, true),
    style(1, Look::Always, true, false),
    style(1, Look::Always, false, true),
    style(2, Look::Always, true, false),
    style(3, Look::Always, true, false),
];

/// Of these, how many are tried before the ways of pawns are cleared.
const FIRST: usize = 3;

/// A mate line by `side`, found by one of the walks, and the positions visited on all of them.
pub(super) fn walks(root: &Chess, side: Color) -> (Option<Vec<Move>>, u32) {
    let board = root.board();
    let own = board.by_color(side);
    if (own & (board.rooks_and_queens() | board.pawns())).is_empty() {
        return minor::line(root, side);
    }
    let mut visited = 0;
    let heavy = (own & board.rooks_and_queens()).any();
    let (first, others) = STYLES.split_at(FIRST);
    let mut line = walk(root, side, first, &mut visited);
    if line.is_none() && !heavy {
        let mut more = 0;
        line = unlock::lines(root, side, &mut visited, |mut moves, there| {
            moves.extend(walk(there, side, first, &mut more)?);
            Some(moves)
        });
        visited += more;
    }
    let line = line.or_else(|| walk(root, side, others, &mut visited));
    (line, visited)
}

/// A mate line by one of the walks in these styles.
fn walk(root: &Chess, side: Color, styles: &[Style], visited: &mut u32) -> Option<Vec<Move>> {
    styles.iter().find_map(|&style| Plan::new(root, side, style)?.walk(root, visited))
}

/// Where the kings go.
struct Plan {
    side: Color,
    style: Style,
    /// Steps of the king to be mated to its corner.
    target: [u8; 64],
    /// Steps of the other king to a square near that corner.
    helper: [u8; 64],
}

impl Plan {
    fn new(root: &Chess, side: Color, style: Style) -> Option<Plan> {
        let board = root.board();
        let (target, helper) = (board.king_of(!side)?, board.king_of(side)?);
        let mut corners = [Square::H8, Square::A8, Square::H1, Square::A1];
        corners.sort_by_key(|&corner| target.distance(corner) + helper.distance(corner));
        let corner = corners[style.corner];
        Some(Plan {
            side,
            style,
            target: steps(root, !side, Bitboard::from_square(corner)),
            helper: steps(root, side, near(corner)),
        })
    }

    /// Walks until mate, or until nothing new comes.
    fn walk(&self, root: &Chess, visited: &mut u32) -> Option<Vec<Move>> {
        let mut here = root.clone();
        let mut line = Vec::with_capacity(PLIES);
        let mut trail = Vec::with_capacity(PLIES + 1);
        trail.push(Key::of(root));
        // Positions before an irreversible move cannot come again.
        let mut since = 0;
        let (mut least, mut idle) = (u32::MAX, 0);
        // The moves of the position, where they have been needed; and of the next.
        let (mut lists, mut at, mut known) = ([MoveList::new(), MoveList::new()], 0, false);
        while line.len() < PLIES && idle <= IDLE {
            if GLANCES.contains(&line.len())
                && let Some(rest) = aim::glance(&here, self.side)
            {
                line.extend(rest);
                return Some(line);
            }
            let left = self.left(&here);
            idle += 1;
            if left < least {
                (least, idle) = (left, 0);
            }
            *visited += 1;
            let close = self.style.look == Look::Always || left == 0;
            let stepped = if close { None } else { self.stroll(&here, &trail[since..]) };
            let (m, key, next) = if let Some(step) = stepped {
                known = false;
                step
            } else {
                if !known {
                    moves::all(&here, &mut lists[at]);
                }
                let [one, other] = &mut lists;
                let (legal, replies) = if at == 0 { (&*one, other) } else { (&*other, one) };
                if here.turn() == self.side
                    && let Some(m) = mating(&here, self.side, legal)
                {
                    line.push(m);
                    return Some(line);
                }
                (at, known) = (1 - at, true);
                self.choose(&here, legal, &trail[since..], close, replies)?
            };
            here = next;
            line.push(m);
            if m.is_zeroing() {
                since = trail.len();
            }
            trail.push(key);
        }
        None
    }

    /// A quiet step of the king to move towards its goal, if nothing better is in sight: found
    /// without looking at all other moves.
    fn stroll(&self, here: &Chess, trail: &[Key]) -> Option<(Move, Key, Chess)> {
        let (board, turn) = (here.board(), here.turn());
        let table = if turn == self.side {
            let own = board.by_color(turn);
            let sees = score::attacked(board, turn) & board.by_color(!turn);
            if sees.any() || (own & board.rooks_and_queens()).is_empty() {
                return None;
            }
            &self.helper
        } else {
            &self.target
        };
        let from = board.king_of(turn)?;
        let far = table[usize::from(from)];
        let open = attacks::king_attacks(from) & !board.occupied();
        if far == 0 || here.is_check() {
            return None;
        }
        for to in open {
            let role = Role::King;
            let m = Move::Normal { role, from, capture: None, to, promotion: None };
            if table[usize::from(to)] < far
                && board.attacks_to(to, !turn, board.occupied().without(from)).is_empty()
            {
                let mut next = here.clone();
                next.play_unchecked(m);
                let key = Key::of(&next);
                if !trail.contains(&key) {
                    return Some((m, key, next));
                }
            }
        }
        None
    }

    /// Steps left for both kings, and what else is missing.
    fn left(&self, here: &Chess) -> u32 {
        let board = here.board();
        let (Some(target), Some(helper)) = (board.king_of(!self.side), board.king_of(self.side))
        else {
            return u32::MAX;
        };
        let own = board.by_color(self.side);
        let steps = self.target[usize::from(target)] + self.helper[usize::from(helper)];
        let mut left = u32::from(steps);
        if (own & board.rooks_and_queens()).is_empty() {
            let pawns = own & board.pawns();
            let best = if self.side.is_white() { pawns.last() } else { pawns.first() };
            left += 3 + best.map_or(40, |pawn| score::to_go(self.side, pawn));
        }
        left
    }

    /// Plays the move that promises most and leads to a new position with a reply.
    fn choose(
        &self,
        here: &Chess,
        legal: &[Move],
        trail: &[Key],
        close: bool,
        replies: &mut MoveList,
    ) -> Option<(Move, Key, Chess)> {
        let key = *trail.last()?;
        let mut gains = [0i32; 256];
        for (gain, &m) in gains.iter_mut().zip(legal.iter()) {
            *gain = if close && key.plain(m) {
                let men = key.after(m, here.turn()).men();
                let steps = match (m.role(), here.turn() == self.side) {
                    (Role::King, true) => step(&self.helper, m),
                    (Role::King, false) => step(&self.target, m),
                    _ => 0,
                };
                10 * steps - score::quiet(&men, self.side).cast_signed()
            } else if here.turn() == self.side {
                self.gain(here, m)
            } else {
                self.help(m)
            };
        }
        for _ in 0..4.min(legal.len()) {
            let mut best = 0;
            for at in 1..legal.len() {
                if gains[at] > gains[best] || (self.style.last && gains[at] == gains[best]) {
                    best = at;
                }
            }
            gains[best] = i32::MIN;
            let m = legal[best];
            let mut next = here.clone();
            next.play_unchecked(m);
            let key = Key::of(&next);
            if !trail.contains(&key) {
                moves::all(&next, replies);
                if !replies.is_empty() {
                    return Some((m, key, next));
                }
            }
        }
        None
    }

    /// What a move of the mating side is worth.
    fn gain(&self, here: &Chess, m: Move) -> i32 {
        let board = here.board();
        let own = board.by_color(self.side);
        let taken = m.capture().map_or(0, |role| if self.style.greedy { value(role) } else { 1 });
        let moved = match m.role() {
            Role::King => step(&self.helper, m) * 10,
            Role::Pawn if m.promotion() == Some(Role::Queen) => 60,
            Role::Pawn if m.promotion().is_some() => -20,
            Role::Pawn if (own & board.rooks_and_queens()).any() => -1,
            Role::Pawn => 13 - score::to_go(self.side, m.to()).cast_signed(),
            _ => 0,
        };
        taken + moved
    }

    /// What a move of the other side is worth to the mating side.
    fn help(&self, m: Move) -> i32 {
        let taken = m.capture().map_or(0, |role| -2 * value(role) - 6);
        let moved = match m.role() {
            Role::King => step(&self.target, m) * 10,
            Role::Pawn if m.promotion().is_some() => -30,
            Role::Pawn => -2,
            _ => 0,
        };
        taken + moved
    }
}

/// A mate in one, if there is one among the moves that check directly.
pub(super) fn mating(here: &Chess, side: Color, legal: &[Move]) -> Option<Move> {
    let board = here.board();
    let king = board.king_of(!side)?;
    let lines = board.occupied();
    let (straight, diagonal) =
        (attacks::rook_attacks(king, lines), attacks::bishop_attacks(king, lines));
    let from = |role: Role| match role {
        Role::Pawn => attacks::pawn_attacks(!side, king),
        Role::Knight => attacks::knight_attacks(king),
        Role::Bishop => diagonal,
        Role::Rook => straight,
        Role::Queen => straight | diagonal,
        Role::King => Bitboard::EMPTY,
    };
    legal.iter().copied().find(|&m| {
        let role = m.promotion().unwrap_or(m.role());
        from(role).contains(m.to()) && {
            let mut next = here.clone();
            next.play_unchecked(m);
            next.is_checkmate()
        }
    })
}

fn step(table: &[u8; 64], m: Move) -> i32 {
    match m {
        Move::Normal { from, to, .. } => {
            i32::from(table[usize::from(from)]) - i32::from(table[usize::from(to)])
        }
        _ => 0,
    }
}

const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 3,
        Role::Knight | Role::Bishop => 8,
        Role::Rook => 12,
        Role::Queen => 16,
        Role::King => 0,
    }
}

/// Squares of the mating side's king that help with a mate in the corner.
fn near(corner: Square) -> Bitboard {
    let zone = attacks::king_attacks(corner).with(corner);
    score::around(zone) & !zone
}

/// King steps from each square to `goal`, around its own pawns and the squares enemy pawns guard.
///
/// Where there is no such way, through them.
pub(super) fn steps(root: &Chess, color: Color, goal: Bitboard) -> [u8; 64] {
    let board = root.board();
    let guarded = score::pawn_attacks(board.pawns() & board.by_color(!color), !color);
    let closed = guarded | (board.pawns() & board.by_color(color));
    let mut table = [40; 64];
    let (mut reached, mut edge) = (goal, goal);
    for distance in 0.. {
        for square in edge {
            table[usize::from(square)] = distance;
        }
        let next = score::around(reached) & !reached;
        edge = next & !closed;
        if edge.is_empty() {
            edge = next;
        }
        if edge.is_empty() {
            break;
        }
        reached |= edge;
    }
    table
}
