//! The legal moves of a position without a right to castle or to capture en passant.
//!
//! In: the men. Out: the moves, and whether the king to move is in check. The enumeration of all that
//! can arise spends most of its time here; the library's own way asks for a whole position first. The
//! tests compare both; the checker of proofs knows only the library's.

use shakmaty::{Bitboard, Color, Move, MoveList, Rank, Role, Square, attacks};

use super::key::Men;

/// Puts the legal moves of these men into an empty list; whether the side to move is in check.
///
/// `None` if a right to castle or to capture en passant is left, or a king is missing.
pub(super) fn legal(men: &Men, moves: &mut MoveList) -> Option<bool> {
    if men.has_rights() {
        return None;
    }
    let turn = men.turn;
    let (own, theirs) = (*men.colors.get(turn), *men.colors.get(!turn));
    let king = (men.roles.king & own).first()?;
    let occupied = own | theirs;
    let straight = (men.roles.rook | men.roles.queen) & theirs;
    let diagonal = (men.roles.bishop | men.roles.queen) & theirs;
    let checkers = (attacks::rook_attacks(king, occupied) & straight)
        | (attacks::bishop_attacks(king, occupied) & diagonal)
        | (attacks::knight_attacks(king) & men.roles.knight & theirs)
        | (attacks::pawn_attacks(turn, king) & men.roles.pawn & theirs);
    let view = View { men, own, theirs, occupied, king };
    view.king_moves(straight, diagonal, moves);
    if checkers.more_than_one() {
        return Some(true);
    }
    let targets = match checkers.first() {
        Some(checker) => attacks::between(king, checker).with(checker),
        None => Bitboard::FULL,
    };
    let mut pinned = Bitboard::EMPTY;
    let snipers = (attacks::rook_attacks(king, theirs) & straight)
        | (attacks::bishop_attacks(king, theirs) & diagonal);
    for sniper in snipers {
        let way = attacks::between(king, sniper) & own;
        if !way.more_than_one() {
            pinned |= way;
        }
    }
    for from in own & !men.roles.king {
        let mut to = targets;
        if pinned.contains(from) {
            to &= attacks::ray(king, from);
        }
        if to.any() {
            view.moves_from(from, to, moves);
        }
    }
    Some(checkers.any())
}

struct View<'a> {
    men: &'a Men,
    own: Bitboard,
    theirs: Bitboard,
    occupied: Bitboard,
    king: Square,
}

impl View<'_> {
    fn king_moves(&self, straight: Bitboard, diagonal: Bitboard, moves: &mut MoveList) {
        let (men, turn) = (self.men, self.men.turn);
        let without = self.occupied.without(self.king);
        let pawns = men.roles.pawn & self.theirs;
        let guarded = super::score::pawn_attacks(pawns, !turn)
            | super::score::around(men.roles.king & self.theirs);
        let knights = men.roles.knight & self.theirs;
        for to in attacks::king_attacks(self.king) & !self.own & !guarded {
            let hit = (attacks::knight_attacks(to) & knights)
                | (attacks::rook_attacks(to, without) & straight)
                | (attacks::bishop_attacks(to, without) & diagonal);
            if hit.is_empty() {
                self.push(Role::King, self.king, to, None, moves);
            }
        }
    }

    fn moves_from(&self, from: Square, targets: Bitboard, moves: &mut MoveList) {
        let roles = &self.men.roles;
        let (role, reach) = if roles.pawn.contains(from) {
            return self.pawn_moves(from, targets, moves);
        } else if roles.bishop.contains(from) {
            (Role::Bishop, attacks::bishop_attacks(from, self.occupied))
        } else if roles.knight.contains(from) {
            (Role::Knight, attacks::knight_attacks(from))
        } else if roles.rook.contains(from) {
            (Role::Rook, attacks::rook_attacks(from, self.occupied))
        } else {
            (Role::Queen, attacks::queen_attacks(from, self.occupied))
        };
        for to in reach & targets & !self.own {
            self.push(role, from, to, None, moves);
        }
    }

    fn pawn_moves(&self, from: Square, targets: Bitboard, moves: &mut MoveList) {
        let turn = self.men.turn;
        let (step, home) = match turn {
            Color::White => (8, Rank::Second),
            Color::Black => (-8, Rank::Seventh),
        };
        let one = Bitboard::from_square(from).shift(step) & !self.occupied;
        let mut to = one | (attacks::pawn_attacks(turn, from) & self.theirs);
        if from.rank() == home {
            to |= one.shift(step) & !self.occupied;
        }
        for to in to & targets {
            if Bitboard::BACKRANKS.contains(to) {
                for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                    self.push(Role::Pawn, from, to, Some(role), moves);
                }
            } else {
                self.push(Role::Pawn, from, to, None, moves);
            }
        }
    }

    fn push(&self, role: Role, from: Square, to: Square, promotion: Option<Role>, moves: &mut MoveList) {
        let capture = if self.theirs.contains(to) { self.men.role_on(to) } else { None };
        moves.push(Move::Normal { role, from, capture, to, promotion });
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Move, MoveList, Position, fen::Fen};

    use crate::dead::key::Key;

    /// How many positions were compared.
    fn walk(position: &Chess, depth: u32) -> u32 {
        let library = position.legal_moves();
        let mut count = 0;
        let mut ours = MoveList::new();
        if let Some(check) = super::legal(&Key::of(position).men(), &mut ours) {
            let sorted = |moves: &[Move]| {
                let mut names: Vec<String> = moves.iter().map(|m| format!("{m:?}")).collect();
                names.sort();
                names
            };
            assert_eq!(sorted(&ours), sorted(&library), "{position:?}");
            assert_eq!(check, position.is_check());
            count += 1;
        }
        if depth > 0 {
            for m in library {
                let mut child = position.clone();
                child.play_unchecked(m);
                count += walk(&child, depth - 1);
            }
        }
        count
    }

    #[test]
    fn the_moves_are_those_of_the_library() {
        for fen in [
            "r2k3r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R2K3R w - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w - - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w - - 1 8",
            "8/1n4N1/2k5/8/8/5K2/1N4n1/8 b - - 0 1",
            "3k4/3r4/8/3B4/1b6/2q4r/1P1R4/3K4 w - - 0 1",
        ] {
            let fen: Fen = fen.parse().unwrap();
            let position = fen.into_position(CastlingMode::Standard).unwrap();
            assert!(walk(&position, 2) > 100, "{position:?}");
        }
    }
}
