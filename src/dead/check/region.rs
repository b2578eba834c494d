//! Verifies a region: closed under the rules of chess, and without a mate in it.
//!
//! Square by square and man by man, from the definitions; the proof that each refused step is
//! illegal is told in `docs/dead-positions.md`.

use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, Position, Rank, Role, Square,
    attacks::{between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks},
};

use super::{
    super::region::{Held, Region},
    Rejected,
};
use crate::dead::Man;

/// Whether the region proves that `side` cannot mate from `position`.
pub(super) fn verify(position: &Chess, side: Color, region: &Region) -> Result<(), Rejected> {
    if position.is_checkmate() && position.turn() != side {
        return Err(Rejected::Mate(side));
    }
    let castling = position.castles().any();
    let mut held = Bitboard::EMPTY;
    for lemma in &region.held {
        let standing = Some(lemma.man);
        let claim = Claim { men: &lemma.men, lemmas: &[], side, castling, held, standing };
        claim.holds(position)?;
        claim.keeps(lemma.man)?;
        held.add(lemma.man);
    }
    let (men, lemmas) = (&region.men, &region.held);
    let claim = Claim { men, lemmas, side, castling, held, standing: None };
    claim.holds(position)?;
    claim.no_mate(side)
}

struct Claim<'a> {
    men: &'a [Man],
    /// About the men that never move.
    lemmas: &'a [Held],
    /// The side that is to mate.
    side: Color,
    castling: bool,
    /// Men proved never to move.
    held: Bitboard,
    /// The man assumed to stand where it is, until its first move; never captured before that.
    standing: Option<Square>,
}

/// An immovable, uncapturable man.
fn stuck(man: &Man) -> bool {
    man.reach == Bitboard::from_square(man.origin) && !man.capturable
}

fn may_promote(man: &Man) -> bool {
    man.piece.role == Role::Pawn
        && man.reach.into_iter().any(|s| s.rank() == Rank::First || s.rank() == Rank::Eighth)
}

fn is_king(man: &Man) -> bool {
    man.piece.role == Role::King
}

impl Claim<'_> {
    /// The claim is about this position and true of all that follows.
    fn holds(&self, position: &Chess) -> Result<(), Rejected> {
        self.stands_on(position)?;
        for man in self.men {
            Claim::rights(position, man, self.standing)?;
            self.closed(man)?;
        }
        Ok(())
    }

    /// The man that stands there has no legal move while the claim holds, and is no king.
    fn keeps(&self, square: Square) -> Result<(), Rejected> {
        let man = self.men.iter().find(|man| man.origin == square).filter(|man| !is_king(man));
        let man = man.filter(|man| stuck(man)).ok_or(Rejected::Man(square))?;
        let exit = steps(man, square).into_iter().find(|&to| !self.refused(man, square, to));
        exit.map_or(Ok(()), |to| Err(Rejected::Leaves(square, to)))
    }

    /// The men of the claim are the men on the board, each within its reach.
    fn stands_on(&self, position: &Chess) -> Result<(), Rejected> {
        let mut left = position.board().occupied();
        for man in self.men {
            let there = position.board().piece_at(man.origin) == Some(man.piece);
            if !there || !left.contains(man.origin) || !man.reach.contains(man.origin) {
                return Err(Rejected::Man(man.origin));
            }
            left.discard(man.origin);
        }
        left.first().map_or(Ok(()), |square| Err(Rejected::Man(square)))
    }

    /// Castling and en passant rights on the board are within the reach.
    fn rights(position: &Chess, man: &Man, standing: Option<Square>) -> Result<(), Rejected> {
        for side in CastlingSide::ALL {
            let Some(rook) = position.castles().rook(man.piece.color, side) else { continue };
            let lands = if is_king(man) {
                Some(side.king_to(man.piece.color))
            } else {
                (man.origin == rook).then(|| side.rook_to(man.piece.color))
            };
            if let Some(square) = lands
                && !man.reach.contains(square)
            {
                return Err(Rejected::Leaves(man.origin, square));
            }
        }
        for m in position.legal_moves() {
            if let shakmaty::Move::EnPassant { from, to } = m {
                let taken = Square::from_coords(to.file(), from.rank());
                if man.origin == taken && !man.capturable && standing != Some(taken) {
                    return Err(Rejected::Capturable(taken));
                }
                if man.origin == from && !man.reach.contains(to) {
                    return Err(Rejected::Leaves(from, to));
                }
            }
        }
        Ok(())
    }

    /// No legal move takes this man out of its reach or captures a man not marked capturable.
    fn closed(&self, man: &Man) -> Result<(), Rejected> {
        if self.held.contains(man.origin) || self.standing == Some(man.origin) {
            let alone = man.reach == Bitboard::from_square(man.origin);
            return if alone { Ok(()) } else { Err(Rejected::Man(man.origin)) };
        }
        if may_promote(man) {
            // May become any piece: only "everywhere, capturing anything" covers that.
            if man.reach != Bitboard::FULL {
                return Err(Rejected::Leaves(man.origin, man.origin));
            }
            let spared = self.enemies(man).find(|enemy| self.spared(enemy));
            return spared.map_or(Ok(()), |enemy| Err(Rejected::Capturable(enemy.origin)));
        }
        for from in man.reach {
            for to in steps(man, from) {
                let pawn_push = man.piece.role == Role::Pawn && to.file() == from.file();
                if self.refused(man, from, to) {
                    continue;
                }
                if !man.reach.contains(to) {
                    return Err(Rejected::Leaves(man.origin, to));
                }
                if pawn_push {
                    continue;
                }
                let spared =
                    self.enemies(man).find(|enemy| enemy.reach.contains(to) && self.spared(enemy));
                if let Some(enemy) = spared {
                    return Err(Rejected::Capturable(enemy.origin));
                }
            }
        }
        Ok(())
    }

    /// Whether the claim says that this man is not captured, and it is not the one that is assumed
    /// to stand.
    fn spared(&self, man: &Man) -> bool {
        !man.capturable && self.standing != Some(man.origin)
    }

    /// Enemy men other than the king.
    fn enemies<'b>(&'b self, man: &'b Man) -> impl Iterator<Item = &'b Man> {
        self.men.iter().filter(|other| other.piece.color != man.piece.color && !is_king(other))
    }

    /// Whether the step is illegal in every position the claim allows.
    fn refused(&self, man: &Man, from: Square, to: Square) -> bool {
        let holder = self.men.iter().find(|other| other.origin == to && stuck(other));
        match man.piece.role {
            Role::Pawn if from.file() == to.file() => {
                holder.is_some() || self.men.iter().any(|other| cannot_pass(man, other, to))
            }
            Role::Pawn => !self.enemies(man).any(|enemy| enemy.reach.contains(to)),
            role => {
                let own_or_king = holder
                    .is_some_and(|other| other.piece.color == man.piece.color || is_king(other));
                own_or_king
                    || (role == Role::King
                        && (self.always_attacked(man.piece.color, to, None)
                            || self.ends_the_game(man, to)))
            }
        }
    }

    /// Whether some man attacks `to` wherever it stands, so that the king of `color` cannot step in.
    fn always_attacked(&self, color: Color, to: Square, block: Option<Square>) -> bool {
        self.men.iter().any(|attacker| {
            attacker.piece.color != color
                && !attacker.capturable
                && !may_promote(attacker)
                && (block.is_none() || !is_king(attacker))
                && attacker.reach.into_iter().all(|from| {
                    let blocked = block.is_some_and(|square| between(from, to).contains(square));
                    !blocked && self.sees(attacker, from, to)
                })
        })
    }

    /// Whether the king's step onto `to`, a square outside its reach, leaves the other side without
    /// any move, and is not a mate by the mating side.
    fn ends_the_game(&self, king: &Man, to: Square) -> bool {
        if self.castling || king.reach.contains(to) {
            return false;
        }
        let color = king.piece.color;
        for man in self.men.iter().filter(|man| man.piece.color != color && !is_king(man)) {
            let held = man.reach == Bitboard::from_square(man.origin);
            // Held only by this king, which now moves: not held. A pawn cannot capture a king.
            let pushes =
                |square: Square| man.piece.role != Role::Pawn || square.file() == man.origin.file();
            let by_king =
                stuck(king) && steps(man, man.origin).contains(king.origin) && pushes(king.origin);
            if !held || by_king || self.standing == Some(man.origin) {
                return false;
            }
        }
        let Some(other) = self.men.iter().find(|man| is_king(man) && man.piece.color != color)
        else {
            return false;
        };
        // Kings never stand side by side, and the captured man was not the king.
        other.reach.into_iter().filter(|from| from.distance(to) > 1).all(|from| {
            let shut = king_attacks(from).into_iter().all(|flight| {
                flight.distance(to) <= 1
                    || self.men.iter().any(|man| {
                        man.piece.color != color
                            && man.origin == flight
                            && stuck(man)
                            && flight != to
                    })
                    || self.always_attacked(other.piece.color, flight, Some(to))
            });
            shut && (color != self.side || !self.may_discover(king, from, to))
        })
    }

    /// Whether the mating side's king, by its step to `to`, may open a line of attack on its
    /// opponent's king on `square`. No other check is possible: there was none before the step.
    fn may_discover(&self, king: &Man, square: Square, to: Square) -> bool {
        let left = king.reach & king_attacks(to);
        let mine = |man: &&Man| man.piece.color == self.side && !is_king(man);
        self.men.iter().filter(mine).any(|man| {
            man.reach.into_iter().any(|from| {
                let way = between(from, square);
                let blocked = way.contains(to)
                    || self.men.iter().any(|other| {
                        stuck(other)
                            && !is_king(other)
                            && other.origin != to
                            && way.contains(other.origin)
                    });
                let looks = may_promote(man) || aims(man, from).contains(square);
                looks && !blocked && (way & left).any()
            })
        })
    }

    /// Attack from `from` to `to` over squares that only the attacker and the enemy king enter.
    fn sees(&self, attacker: &Man, from: Square, to: Square) -> bool {
        let obstructs = |other: &&Man| {
            other.origin != attacker.origin
                && !(is_king(other) && other.piece.color != attacker.piece.color)
        };
        from != to
            && aims(attacker, from).contains(to)
            && self
                .men
                .iter()
                .filter(obstructs)
                .all(|other| (other.reach & between(from, to)).is_empty())
    }

    /// No position within the claim is a mate by `side` just delivered.
    fn no_mate(&self, side: Color) -> Result<(), Rejected> {
        let reach = |color| {
            let king = |man: &&Man| is_king(man) && man.piece.color == color;
            self.men.iter().find(king).map(|man| man.reach)
        };
        let (Some(king), Some(helper)) = (reach(!side), reach(side)) else {
            return Err(Rejected::NotSo);
        };
        let attackers: Vec<&Man> = self
            .men
            .iter()
            .filter(|man| man.piece.color == side && !is_king(man))
            .filter(|man| king.into_iter().any(|square| self.may_attack(man, square)))
            .collect();
        for square in king {
            let checked =
                attackers.iter().any(|man| man.reach.count() > 1 && self.may_attack(man, square));
            if !checked {
                continue;
            }
            let flights: Vec<Square> = (king_attacks(square) & king).into_iter().collect();
            let possible = match attackers[..] {
                [only] if !may_promote(only) => only.reach.into_iter().any(|from| {
                    let open: Vec<Square> =
                        flights.iter().copied().filter(|&to| !self.hits(only, from, to)).collect();
                    self.hits(only, from, square) && self.taken_away(side, helper, square, &open)
                }),
                _ => {
                    let guarded = |to| attackers.iter().any(|man| self.may_attack(man, to));
                    let open: Vec<Square> =
                        flights.iter().copied().filter(|&to| !guarded(to)).collect();
                    self.taken_away(side, helper, square, &open)
                }
            };
            if possible {
                return Err(Rejected::Mate(side));
            }
        }
        Ok(())
    }

    /// Whether the man may attack the square from somewhere; only stuck men are in its way.
    fn may_attack(&self, man: &Man, to: Square) -> bool {
        may_promote(man) || man.reach.into_iter().any(|from| self.hits(man, from, to))
    }

    /// Whether it may attack one square from the other. A man that never moves attacks only while it
    /// stands, and then those are in its way that are stuck as long as it does.
    fn hits(&self, man: &Man, from: Square, to: Square) -> bool {
        let way = between(from, to);
        let lemma = self.lemmas.iter().find(|lemma| lemma.man == man.origin);
        let men = lemma.map_or(self.men, |lemma| &lemma.men);
        aims(man, from).contains(to)
            && !men.iter().any(|other| stuck(other) && way.contains(other.origin))
    }

    /// Whether the mating side's king and men of the other side can take these squares away.
    fn taken_away(&self, side: Color, helper: Bitboard, king: Square, open: &[Square]) -> bool {
        let blockers: Vec<Bitboard> = self
            .men
            .iter()
            .filter(|man| man.piece.color != side && !is_king(man))
            .map(|man| man.reach)
            .collect();
        fill(open, &blockers)
            || helper.into_iter().filter(|square| square.distance(king) > 1).any(|from| {
                let rest: Vec<Square> = open
                    .iter()
                    .copied()
                    .filter(|&square| !king_attacks(from).contains(square))
                    .collect();
                rest.len() < open.len() && fill(&rest, &blockers)
            })
    }
}

/// What the man attacks from there on an empty board.
fn aims(man: &Man, from: Square) -> Bitboard {
    let empty = Bitboard::EMPTY;
    match man.piece.role {
        Role::Pawn => pawn_attacks(man.piece.color, from),
        Role::Knight => knight_attacks(from),
        Role::Bishop => bishop_attacks(from, empty),
        Role::Rook => rook_attacks(from, empty),
        Role::Queen => bishop_attacks(from, empty) | rook_attacks(from, empty),
        Role::King => king_attacks(from),
    }
}

/// Whether different men can stand on all the squares.
fn fill(squares: &[Square], men: &[Bitboard]) -> bool {
    let Some((&square, rest)) = squares.split_first() else { return true };
    (0..men.len()).any(|at| {
        men[at].contains(square) && {
            let mut others = men.to_vec();
            others.swap_remove(at);
            fill(rest, &others)
        }
    })
}

/// A pawn that never leaves its file cannot come to `to` past another that is always ahead of it.
fn cannot_pass(pawn: &Man, other: &Man, to: Square) -> bool {
    let file = pawn.origin.file();
    let white = pawn.piece.color.is_white();
    let ahead =
        |a: Square, b: Square| if white { a.rank() > b.rank() } else { a.rank() < b.rank() };
    let on_file = |man: &Man| man.reach.into_iter().all(|square| square.file() == file);
    other.piece.role == Role::Pawn
        && !other.capturable
        && on_file(pawn)
        && on_file(other)
        && !may_promote(other)
        && ahead(other.origin, pawn.origin)
        && other.reach.into_iter().all(|square| !ahead(square, to))
}

/// Single steps of a man: a slider goes square by square.
fn steps(man: &Man, from: Square) -> Bitboard {
    let empty = Bitboard::EMPTY;
    let next = king_attacks(from);
    match man.piece.role {
        Role::Pawn => {
            let push = from.offset(if man.piece.color.is_white() { 8 } else { -8 });
            pawn_attacks(man.piece.color, from) | push.map_or(empty, Bitboard::from_square)
        }
        Role::Knight => knight_attacks(from),
        Role::Bishop => next & bishop_attacks(from, empty),
        Role::Rook => next & rook_attacks(from, empty),
        Role::Queen | Role::King => next,
    }
}
