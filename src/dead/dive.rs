//! A straight walk towards a mate in a corner, for the common case that plenty is left to mate with.
//!
//! In: a position and a side with a queen, rook or pawn. Out: the moves walked, and whether they
//! end in mate. Each player helps: the king to be mated walks to a corner, the other king comes
//! near, captures clear the board, a pawn promotes if a strong piece is missing. No move is taken
//! back: a walk costs a few microseconds, and where it fails the search goes on.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square, attacks};

use super::key::Key;

/// Longest walk in plies.
const PLIES: usize = 70;

/// A walk and how it ended.
pub(super) struct Walk {
    pub(super) moves: Vec<Move>,
    pub(super) mate: bool,
}

/// Walks towards the corner that is `choice` (0 the nearest) in order of distance.
pub(super) fn walk(root: &Chess, side: Color, choice: usize) -> Option<Walk> {
    let plan = Plan::new(root, side, choice)?;
    let mut here = root.clone();
    let mut moves = Vec::with_capacity(32);
    let mut trail = vec![Key::of(root)];
    while moves.len() < PLIES {
        let legal = here.legal_moves();
        if here.turn() == side
            && let Some(m) = plan.mating(&here, &legal)
        {
            moves.push(m);
            return Some(Walk { moves, mate: true });
        }
        let Some((m, next, key)) = plan.choose(&here, &legal, &trail) else { break };
        moves.push(m);
        trail.push(key);
        here = next;
    }
    Some(Walk { moves, mate: false })
}

/// Where the kings go.
struct Plan {
    side: Color,
    /// Steps of the king to be mated to its corner.
    target: [u8; 64],
    /// Steps of the other king to a square near that corner.
    helper: [u8; 64],
}

impl Plan {
    fn new(root: &Chess, side: Color, choice: usize) -> Option<Plan> {
        let board = root.board();
        let (target, helper) = (board.king_of(!side)?, board.king_of(side)?);
        let mut plans: Vec<(u32, usize, Plan)> = Vec::with_capacity(4);
        for (at, corner) in [Square::H8, Square::A8, Square::H1, Square::A1].into_iter().enumerate()
        {
            let plan = Plan {
                side,
                target: steps(root, !side, Bitboard::from_square(corner)),
                helper: steps(root, side, near(corner)),
            };
            let length = u32::from(plan.target[usize::from(target)])
                + u32::from(plan.helper[usize::from(helper)]);
            plans.push((length, at, plan));
        }
        plans.sort_by_key(|(length, at, _)| (*length, *at));
        plans.into_iter().nth(choice).map(|(_, _, plan)| plan)
    }

    /// A mate in one, if there is one among the moves that check directly.
    fn mating(&self, here: &Chess, legal: &[Move]) -> Option<Move> {
        let board = here.board();
        let king = board.king_of(!self.side)?;
        let lines = board.occupied();
        let (straight, diagonal) =
            (attacks::rook_attacks(king, lines), attacks::bishop_attacks(king, lines));
        let from = |role: Role| match role {
            Role::Pawn => attacks::pawn_attacks(!self.side, king),
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

    fn choose(&self, here: &Chess, legal: &[Move], trail: &[Key]) -> Option<(Move, Chess, Key)> {
        let mut scored: Vec<(i32, usize)> = legal
            .iter()
            .enumerate()
            .map(|(at, &m)| {
                let gain =
                    if here.turn() == self.side { self.gain(here, m) } else { self.help(here, m) };
                (-gain, at)
            })
            .collect();
        for _ in 0..4.min(scored.len()) {
            let best = scored.iter().enumerate().min_by_key(|(_, entry)| **entry)?.0;
            let (_, at) = scored.swap_remove(best);
            let m = legal[at];
            let mut next = here.clone();
            next.play_unchecked(m);
            let key = Key::of(&next);
            if !trail.contains(&key) && !(next.turn() != self.side && next.legal_moves().is_empty())
            {
                return Some((m, next, key));
            }
        }
        None
    }

    /// What a move of the mating side is worth.
    fn gain(&self, here: &Chess, m: Move) -> i32 {
        let board = here.board();
        let own = board.by_color(self.side);
        let strong = (own & board.rooks_and_queens()).any();
        let mut gain = m.capture().map_or(0, value);
        gain += match m.role() {
            Role::King => step(&self.helper, m) * 10,
            Role::Pawn if m.promotion() == Some(Role::Queen) => 60,
            Role::Pawn if m.promotion().is_some() => -20,
            Role::Pawn if strong => -1,
            Role::Pawn => {
                let rank = i32::from(m.to().rank());
                6 + if self.side.is_white() { rank } else { 7 - rank }
            }
            _ => 0,
        };
        gain
    }

    /// What a move of the other side is worth to the mating side.
    fn help(&self, here: &Chess, m: Move) -> i32 {
        let mut gain = m.capture().map_or(0, |role| -2 * value(role) - 6);
        gain += match m.role() {
            Role::King => step(&self.target, m) * 10,
            Role::Pawn if m.promotion().is_some() => -30,
            Role::Pawn => -2,
            _ => 0,
        };
        let _ = here;
        gain
    }
}

fn step(table: &[u8; 64], m: Move) -> i32 {
    let Some(from) = m.from() else { return 0 };
    if matches!(m, Move::Castle { .. }) {
        return -1;
    }
    i32::from(table[usize::from(from)]) - i32::from(table[usize::from(m.to())])
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
    let zone = attacks::king_attacks(corner);
    zone.into_iter().fold(Bitboard::EMPTY, |all, square| all | attacks::king_attacks(square))
        & !zone
        & !Bitboard::from_square(corner)
}

/// King steps from each square to `goal`, around its own pawns and the squares enemy pawns guard.
fn steps(root: &Chess, color: Color, goal: Bitboard) -> [u8; 64] {
    let board = root.board();
    let enemy = board.pawns() & board.by_color(!color);
    let guarded = enemy
        .into_iter()
        .fold(Bitboard::EMPTY, |all, pawn| all | attacks::pawn_attacks(!color, pawn));
    let closed = guarded | (board.pawns() & board.by_color(color));
    let mut table = [40; 64];
    let (mut reached, mut edge) = (goal, goal);
    for distance in 0..16 {
        for square in edge {
            table[usize::from(square)] = distance;
        }
        let next = edge
            .into_iter()
            .fold(Bitboard::EMPTY, |all, square| all | attacks::king_attacks(square))
            & !reached;
        edge = next & !closed;
        if edge.is_empty() {
            edge = next;
        }
        reached |= edge;
        if edge.is_empty() {
            break;
        }
    }
    table
}
