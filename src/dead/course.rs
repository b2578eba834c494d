//! A walk that makes the most promising move each time and takes none back.
//!
//! In: a position and a [`Course`], which says what a move is worth. Out: a mate line, or the moves to
//! where the course is done, or nothing.

use shakmaty::{Chess, Color, Move, MoveList, Position};

use super::{dive, key::Key, moves};

/// Longest walk in plies.
const PLIES: usize = 70;
/// Plies without getting nearer after which a walk is given up.
const IDLE: u32 = 14;
/// A move worth less is not made at all.
const SPOILS: i32 = -50;

/// What a walk is aimed at.
pub(super) trait Course {
    /// The side that is to mate.
    fn side(&self) -> Color;

    /// Among equal moves, prefers the last.
    fn last(&self) -> bool;

    /// Steps left; `None` if the course has been left for good.
    fn left(&self, here: &Chess) -> Option<u32>;

    /// Whether the walk ends when no steps are left, without a mate.
    fn ends(&self) -> bool {
        false
    }

    /// What each move is worth.
    fn gains(&self, here: &Chess, legal: &[Move], gains: &mut [i32]);

    /// A move has been made.
    fn follow(&mut self, m: Move);
}

/// How a walk ended.
pub(super) enum Outcome {
    /// With a mate.
    Mate(Vec<Move>),
    /// With no steps left.
    Done(Vec<Move>, Chess),
    /// Nowhere.
    Lost,
}

/// Walks; counts the positions visited.
pub(super) fn run(mut course: impl Course, root: &Chess, visited: &mut u32) -> Outcome {
    let mut here = root.clone();
    let mut line = Vec::with_capacity(PLIES);
    let mut trail = Vec::with_capacity(PLIES + 1);
    trail.push(Key::of(root));
    let (mut least, mut idle) = (u32::MAX, 0);
    let mut legal = MoveList::new();
    while line.len() < PLIES && idle <= IDLE {
        let Some(left) = course.left(&here) else { break };
        idle += 1;
        if left < least {
            (least, idle) = (left, 0);
        }
        *visited += 1;
        moves::all(&here, &mut legal);
        if here.turn() == course.side()
            && let Some(m) = dive::mating(&here, course.side(), &legal)
        {
            line.push(m);
            return Outcome::Mate(line);
        }
        let Some((m, key, next)) = choose(&course, &here, &legal, &trail) else { break };
        course.follow(m);
        here = next;
        line.push(m);
        trail.push(key);
        if course.left(&here) == Some(0) && course.ends() {
            return Outcome::Done(line, here);
        }
    }
    Outcome::Lost
}

/// Whether there is no legal move.
fn stuck(position: &Chess) -> bool {
    let mut legal = MoveList::new();
    moves::all(position, &mut legal);
    legal.is_empty()
}

fn choose(
    course: &impl Course,
    here: &Chess,
    legal: &[Move],
    trail: &[Key],
) -> Option<(Move, Key, Chess)> {
    let mut gains = [0i32; 256];
    course.gains(here, legal, &mut gains);
    for _ in 0..4.min(legal.len()) {
        let mut best = 0;
        for at in 1..legal.len() {
            if gains[at] > gains[best] || (course.last() && gains[at] == gains[best]) {
                best = at;
            }
        }
        if gains[best] < SPOILS {
            return None;
        }
        gains[best] = i32::MIN;
        let m = legal[best];
        let mut next = here.clone();
        next.play_unchecked(m);
        let key = Key::of(&next);
        if !trail.contains(&key) && !stuck(&next) {
            return Some((m, key, next));
        }
    }
    None
}
