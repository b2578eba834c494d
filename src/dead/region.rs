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

use shakmaty::{Bitboard, Chess, Color, Position, Role, Square, attacks};

use super::mobility::{self, Man};

/// Rounds of looking for men that are held: one may be held because another is.
const ROUNDS: usize = 3;

/// Proof that a side cannot mate: how far every man can ever get, and no mate fits in there.
///
/// Verified by [`super::check`] in time linear in its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Every man of the position, and its reach.
    pub men: Vec<Man>,
    /// Men that cannot move as long as they are not captured, each proved with those before it.
    pub held: Vec<Held>,
    /// Whether the side can never even give check (else: never a mating one).
    pub no_check: bool,
}

/// Proof that a man cannot move as long as it is not captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Where it stands.
    pub man: Square,
    /// How far every man can get while it stands there.
    pub men: Vec<Man>,
}

impl Region {
    /// Whether no pawn can ever move or be captured.
    pub fn pawns_locked(&self) -> bool {
        let mut pawns = self.men.iter().filter(|man| man.piece.role == Role::Pawn).peekable();
        pawns.peek().is_some() && pawns.all(Man::fixed)
    }

    /// Whether the kings can never come to squares two apart or nearer.
    pub fn kings_apart(&self) -> bool {
        let kings: Vec<Bitboard> = self
            .men
            .iter()
            .filter(|man| man.piece.role == Role::King)
            .map(|man| man.reach)
            .collect();
        let [one, other] = kings[..] else { return false };
        one.into_iter().all(|from| other.into_iter().all(|to| from.distance(to) > 2))
    }

    /// The board with the reach of `color`'s king: letters are the men, `*` squares the king may
    /// come to, `.` the others. Eight lines, rank 8 first; a king's own square keeps its letter.
    pub fn drawing(&self, color: Color) -> String {
        let king = |man: &&Man| man.piece.role == Role::King && man.piece.color == color;
        let reach = self.men.iter().find(king).map_or(Bitboard::EMPTY, |man| man.reach);
        let mut text = String::with_capacity(8 * 16);
        for rank in (0..8).rev() {
            for file in 0..8 {
                let square = Square::new(8 * rank + file);
                let man = self.men.iter().find(|man| man.origin == square);
                let free = if reach.contains(square) { '*' } else { '.' };
                text.push(man.map_or(free, |man| man.piece.char()));
                text.push(if file == 7 { '\n' } else { ' ' });
            }
        }
        text
    }
}

/// The proof by region that `side` cannot mate, if there is one. `position` is not mate.
pub(super) fn prove(position: &Chess, side: Color) -> Option<Region> {
    closed(mobility::fixpoint(position, side, Bitboard::EMPTY)?, Vec::new(), side)
}

/// The same, where that fails, with men that are held, found by `most` trials; and the number made.
pub(super) fn prove_holding(position: &Chess, side: Color, most: u64) -> (Option<Region>, u64) {
    let pawns = position.board().pawns();
    let candidates = mobility::stuck(position, side);
    let (mut held, mut known, mut found) = (Vec::new(), Bitboard::EMPTY, 0);
    for round in 0..ROUNDS {
        let before = known;
        // The pieces come first: a pawn is seldom held where no piece is.
        let tried = if round == 0 { candidates & !pawns } else { candidates };
        for man in tried & !known {
            if found >= most {
                return (None, found);
            }
            found += 1;
            if let Some(men) = mobility::holds(position, side, known, man) {
                held.push(Held { man, men });
                known.add(man);
            }
        }
        if known != before {
            found += 1;
            if let Some(men) = mobility::fixpoint(position, side, known)
                && let Some(region) = closed(men, held.clone(), side)
            {
                return (Some(region), found);
            }
        } else if round > 0 {
            break;
        }
    }
    (None, found)
}

/// The region of these men, if no mate fits in it.
fn closed(men: Vec<Man>, held: Vec<Held>, side: Color) -> Option<Region> {
    let question = Question::new(&men, &held, side)?;
    let no_check = question.checks.is_empty();
    let possible = question.checks.into_iter().any(|square| question.mate_on(square));
    (!possible).then_some(Region { men, held, no_check })
}

/// Squares whose men never leave.
fn fixed(men: &[Man]) -> Bitboard {
    men.iter().filter(|man| man.fixed()).map(|man| man.origin).collect()
}

struct Question<'a> {
    men: &'a [Man],
    held: &'a [Held],
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
    fn new(men: &'a [Man], held: &'a [Held], side: Color) -> Option<Question<'a>> {
        let reach_of_king = |color| {
            let king = |man: &&Man| man.piece.role == Role::King && man.piece.color == color;
            men.iter().find(king).map(|man| man.reach)
        };
        let mut question = Question {
            men,
            held,
            side,
            fixed: fixed(men),
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
            let hits = man.attacks(question.blocks(man)) & question.king;
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

    /// The men that stand in this man's way for good. A man that is held is never anywhere else, and
    /// while it stands there it is blocked by all that cannot leave until then.
    fn blocks(&self, man: &Man) -> Bitboard {
        let held = self.held.iter().find(|held| held.man == man.origin);
        held.map_or(self.fixed, |held| fixed(&held.men))
    }

    /// Whether a mate with the king on `square` cannot be excluded.
    fn mate_on(&self, square: Square) -> bool {
        let flights = attacks::king_attacks(square) & self.king;
        match self.single {
            None => self.covered(square, flights & !self.guarded),
            // One attacker: it stands on one square, and guards only what it attacks from there.
            Some(man) => man.reach.without(square).into_iter().any(|from| {
                let hits = attacks::attacks(from, man.piece, self.blocks(man));
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

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Color, Square, fen::Fen};

    use super::{Region, prove, prove_holding};
    use crate::dead::{Budget, Certificate, Dead, Proof, can_mate, check, judge};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn a_locked_wall_is_drawn_and_told() {
        let here = position("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1");
        assert_eq!(judge(&here, Budget::LIVE).dead(), Dead::Yes);
        let verdict = can_mate(&here, Color::White, Budget::LIVE);
        assert_eq!(check::verdict(&here, Color::White, &verdict), Ok(()));
        let region = prove(&here, Color::White).unwrap();
        assert!(region.pawns_locked() && region.no_check);
        assert_eq!(
            region.drawing(Color::Black),
            "* * * * k * * *\n\
             * * * * * * * *\n\
             . p . p . p . p\n\
             p P p P p P p P\n\
             P . P . P . P .\n\
             . . . . . . . .\n\
             . . . . . . . .\n\
             . . . . K . . .\n"
        );
        let told = verdict.certificate().unwrap().reason();
        assert!(told.contains("White"), "{told}");
    }

    /// What the rules of reach must not overlook; each has a mate line or none by a hair.
    #[test]
    fn hairs_that_decide() {
        for (fen, white, black) in [
            // En passant opens the wall; without the right it is closed.
            ("4k3/8/8/1p1p1p1p/pP1P1P1P/P7/8/4K3 b - b3 0 1", true, true),
            ("4k3/8/8/1p1p1p1p/pP1P1P1P/P7/8/4K3 b - - 0 1", false, false),
            // Castling mates.
            ("8/7Q/8/4BB2/2PP1P2/3NkN2/PP2P1P1/4K2R w K - 0 1", true, false),
            // Kxd5 becomes possible only after e6-e5.
            ("1b2kb2/3p4/3pp3/3p2p1/1p1K1pP1/1P1P1P2/8/1B1B1B2 b - - 0 1", true, true),
            ("3b4/3k4/2pp1p2/3p4/1p1K1p1p/bP1P1P1P/8/1B6 w - - 0 1", true, true),
            // A pawn of little mobility still checks.
            ("8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/7K b - - 0 1", true, false),
            ("k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - 0 1", true, true),
            // Only White gets through this wall.
            ("5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1", true, false),
            // A king's step into the pawns is stalemate, as it opens no line; here it does, and mates.
            ("8/b7/k6p/2b2p1P/1b3p2/5PpK/6P1/6b1 w - - 0 1", false, false),
            ("7k/7p/5K1P/8/8/8/1B6/8 w - - 0 1", true, true),
            // One pawn a square further decides.
            ("Bb1k1b2/bKp1p1p1/1pP1P1P1/1P6/p5P1/P7/8/8 w - - 0 1", false, false),
        ] {
            let here = position(fen);
            let judged = judge(&here, Budget::DEFAULT);
            for (side, want) in [(Color::White, white), (Color::Black, black)] {
                let verdict = judged.side(side);
                assert_ne!(verdict.known(), Some(!want), "{fen} {side}");
                assert_eq!(check::verdict(&here, side, verdict), Ok(()), "{fen} {side}");
            }
        }
    }

    #[test]
    fn a_step_that_opens_a_line_is_not_stalemate() {
        let locked = position("8/b7/k6p/2b2p1P/1b3p2/5PpK/6P1/6b1 w - - 0 1");
        assert!(prove(&locked, Color::White).is_some());
        let region = prove(&locked, Color::Black).unwrap();
        let king = |man: &&super::Man| man.piece == Color::Black.king();
        let reach = region.men.iter().find(king).unwrap().reach;
        assert!(!reach.contains(Square::G2), "Kxg2 would be stalemate");
        let opened = position("7k/7p/5K1P/8/8/8/1B6/8 w - - 0 1");
        assert!(prove(&opened, Color::White).is_none());
    }

    #[test]
    fn a_false_region_is_rejected() {
        let here = position("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1");
        let verdict = can_mate(&here, Color::White, Budget::LIVE);
        let mut certificate = verdict.certificate().unwrap().clone();
        let region = prove(&here, Color::White).unwrap();
        for at in 0..region.men.len() {
            let mut less = region.clone();
            let Some(drop) = less.men[at].reach.without(less.men[at].origin).first() else {
                continue;
            };
            less.men[at].reach.discard(drop);
            certificate.proof = Proof::Region(Box::new(less));
            assert!(check::certificate(&here, Color::White, &certificate).is_err(), "man {at}");
        }
    }

    /// The rook in the corner cannot move while it stands, and once it has been taken the king gets
    /// out: only both together show that the wall stays.
    const CORNER: &str = "7B/3b4/2k5/8/p1p1p1p1/P1P1PpP1/5P1K/1b4BR b - - 0 1";

    #[test]
    fn a_man_that_cannot_move_while_it_stands_is_held() {
        let here = position(CORNER);
        for side in Color::ALL {
            assert_eq!(prove(&here, side), None, "{side}");
            let region = prove_holding(&here, side, 40).0.unwrap();
            assert_eq!(region.held[0].man, Square::H1);
            let rook = region.men.iter().find(|man| man.origin == Square::H1).unwrap();
            assert!(rook.capturable && rook.reach == Square::H1.into());
            let proof = Proof::Region(Box::new(region));
            let certificate = Certificate { side, proof };
            assert_eq!(check::certificate(&here, side, &certificate), Ok(()));
        }
        // With the bishop beside it gone, the rook walks out.
        let open = position("7B/3b4/2k5/8/p1p1p1p1/P1P1PpP1/5P1K/1b5R b - - 0 1");
        assert_eq!(prove_holding(&open, Color::White, 40).0, None);
        assert_eq!(can_mate(&open, Color::White, Budget::DEFAULT).known(), Some(true));
    }

    #[test]
    fn a_false_claim_that_a_man_is_held_is_rejected() {
        let here = position(CORNER);
        let side = Color::White;
        let region = prove_holding(&here, side, 40).0.unwrap();
        let rejected = |region: &Region| {
            let certificate = Certificate { side, proof: Proof::Region(Box::new(region.clone())) };
            check::certificate(&here, side, &certificate).is_err()
        };
        let mut without = region.clone();
        without.held.clear();
        assert!(rejected(&without));
        for man in [Square::H8, Square::H2, Square::D7, Square::C6, Square::A1] {
            let mut other = region.clone();
            other.held[0].man = man;
            assert!(rejected(&other), "{man}");
        }
        for at in 0..region.men.len() {
            let mut less = region.clone();
            let kept = less.held[0].men[at].origin;
            let Some(drop) = less.held[0].men[at].reach.without(kept).first() else { continue };
            less.held[0].men[at].reach.discard(drop);
            assert!(rejected(&less), "man {at}");
        }
    }
}
