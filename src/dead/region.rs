//! No mate anywhere in the region: the question of mate asked of the reach of all men.
//!
//! In: the closed reach of every man (see [`super::mobility`]). Out: a [`Region`] if a mate by the
//! side is impossible, wherever the men go within their reach. The position itself must not be a
//! mate by that side (the caller has looked).
//!
//! **Why.** Call the sides W (to mate) and L. A mate comes by W's move, with L's king on some
//! square s of its reach. The checking man is either the one that moved, or a slider whose line
//! was opened. In both cases its reach has more than one square: an opened slider could itself
//! step onto the first square of the opened line (nothing fixed can stand there, it is empty), and
//! if that square is s the line could not be opened. So s is attacked by a W man, not the king,
//! that can move. And every neighbour n of s inside the king's reach is, at the mate, occupied by
//! an L man or attacked by W: otherwise the king steps there. (A neighbour outside the reach can
//! never be entered legally.) Here it is asked whether any s passes both tests: the men that can
//! attack a neighbour at all, the one square of W's king, and different L men for the rest.

use shakmaty::{Bitboard, Chess, Color, Role, Square, attacks};

use super::mobility::{self, Man};

/// Proof that a side cannot mate: how far every man can ever get, and no mate fits in there.
///
/// Verified by [`super::check`] in time linear in its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Every man of the position, and its reach.
    pub men: Vec<Man>,
    /// Whether the side can never even give check (else: never a mating one).
    pub no_check: bool,
}

/// The proof by region that `side` cannot mate, if there is one. `position` is not mate.
pub(super) fn prove(position: &Chess, side: Color) -> Option<Region> {
    let men = mobility::fixpoint(position, side);
    let question = Question::new(&men, side)?;
    if question.checks.is_empty() {
        return Some(Region { men, no_check: true });
    }
    let possible = question.checks.into_iter().any(|square| question.mate_on(square));
    (!possible).then_some(Region { men, no_check: false })
}

struct Question<'a> {
    men: &'a [Man],
    side: Color,
    /// Squares that are occupied for good.
    fixed: Bitboard,
    /// Reach of the king to be mated.
    king: Bitboard,
    /// Reach of the mating side's king.
    helper: Bitboard,
    /// Squares of `king` that some movable man may attack.
    checks: Bitboard,
    /// Squares of `king` that some man, the king not counted, may attack.
    guarded: Bitboard,
    /// The only man that attacks anything in `king`, if it is one that keeps its kind.
    single: Option<&'a Man>,
}

impl<'a> Question<'a> {
    fn new(men: &'a [Man], side: Color) -> Option<Question<'a>> {
        let reach_of_king = |color| {
            let king = |man: &&Man| man.piece.role == Role::King && man.piece.color == color;
            men.iter().find(king).map(|man| man.reach)
        };
        let mut question = Question {
            men,
            side,
            fixed: men.iter().filter(|man| man.fixed()).map(|man| man.origin).collect(),
            king: reach_of_king(!side)?,
            helper: reach_of_king(side)?,
            checks: Bitboard::EMPTY,
            guarded: Bitboard::EMPTY,
            single: None,
        };
        let mut attackers = 0;
        for man in men {
            if man.piece.color != side || man.piece.role == Role::King {
                continue;
            }
            let hits = man.attacks(question.fixed) & question.king;
            if hits.any() {
                attackers += 1;
                question.single = Some(man);
                question.guarded |= hits;
                if man.reach.more_than_one() {
                    question.checks |= hits;
                }
            }
        }
        question.single = question.single.filter(|man| attackers == 1 && !man.promotes());
        Some(question)
    }

    /// Whether a mate with the king on `square` cannot be excluded.
    fn mate_on(&self, square: Square) -> bool {
        let flights = attacks::king_attacks(square) & self.king;
        match self.single {
            None => self.covered(square, flights & !self.guarded),
            // One attacker: it stands on one square, and guards only what it attacks from there.
            Some(man) => man.reach.without(square).into_iter().any(|from| {
                let hits = attacks::attacks(from, man.piece, self.fixed);
                hits.contains(square) && self.covered(square, flights & !hits)
            }),
        }
    }

    /// Whether W's king on one square and different L men can take all these flights away.
    fn covered(&self, square: Square, flights: Bitboard) -> bool {
        let far = self.helper & !attacks::king_attacks(square).with(square);
        if flights.is_empty() {
            return true;
        }
        if self.blocked(flights) {
            return true;
        }
        far.into_iter().any(|king| {
            let near = attacks::king_attacks(king);
            (near & flights).any() && self.blocked(flights & !near)
        })
    }

    /// Whether different L men can stand on all of these squares (a small matching, by trial).
    fn blocked(&self, flights: Bitboard) -> bool {
        let mut used = [false; 64];
        self.assign(flights, &mut used)
    }

    fn assign(&self, mut flights: Bitboard, used: &mut [bool; 64]) -> bool {
        let Some(square) = flights.pop_front() else { return true };
        for man in self.men {
            let blocks = man.piece.color != self.side
                && man.piece.role != Role::King
                && man.reach.contains(square);
            let slot = usize::from(man.origin);
            if blocks && !used[slot] {
                used[slot] = true;
                if self.assign(flights, used) {
                    return true;
                }
                used[slot] = false;
            }
        }
        false
    }
}
