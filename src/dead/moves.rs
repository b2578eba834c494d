//! The legal moves of a position without a right to castle or to capture en passant.
//!
//! In: the men. Out: the moves, and whether the king to move is in check. The enumeration of all that
//! can arise spends most of its time here; the library's own way asks for a whole position first. The
//! tests compare both; the checker of proofs knows only the library's.

use shakmaty::{Bitboard, Chess, File, Move, MoveList, Position, Rank, Role, Square, attacks};

use super::{key::Men, score};

/// Puts the legal moves of a position into a list, in the library's order.
pub(super) fn all(position: &Chess, moves: &mut MoveList) {
    moves.clear();
    let men = Men::of(position);
    if men.is_none_or(|men| legal(&men, moves).is_none()) {
        *moves = position.legal_moves();
    }
}

/// Puts the legal moves of these men into an empty list, in the library's order; whether the side to
/// move is in check.
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
    let mut checkers = (attacks::knight_attacks(king) & men.roles.knight & theirs)
        | (attacks::pawn_attacks(turn, king) & men.roles.pawn & theirs);
    let mut snipers = Bitboard::EMPTY;
    // Often there is nothing that slides.
    if straight.any() {
        checkers |= attacks::rook_attacks(king, occupied) & straight;
        snipers |= attacks::rook_attacks(king, theirs) & straight;
    }
    if diagonal.any() {
        checkers |= attacks::bishop_attacks(king, occupied) & diagonal;
        snipers |= attacks::bishop_attacks(king, theirs) & diagonal;
    }
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers {
        let way = attacks::between(king, sniper) & own;
        if !way.more_than_one() {
            pinned |= way;
        }
    }
    let mut view = View { men, own, theirs, occupied, king, pinned, moves };
    match checkers.first() {
        None => {
            view.others(Bitboard::FULL);
            view.king(straight, diagonal);
        }
        Some(checker) => {
            view.king(straight, diagonal);
            if !checkers.more_than_one() {
                view.others(attacks::between(king, checker).with(checker));
            }
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
    pinned: Bitboard,
    moves: &'a mut MoveList,
}

impl View<'_> {
    fn king(&mut self, straight: Bitboard, diagonal: Bitboard) {
        let men = self.men;
        let without = self.occupied.without(self.king);
        let guarded = score::pawn_attacks(men.roles.pawn & self.theirs, !men.turn)
            | score::around(men.roles.king & self.theirs);
        let knights = men.roles.knight & self.theirs;
        for to in attacks::king_attacks(self.king) & !self.own & !guarded {
            let hit = (attacks::knight_attacks(to) & knights).any()
                || straight.any() && (attacks::rook_attacks(to, without) & straight).any()
                || diagonal.any() && (attacks::bishop_attacks(to, without) & diagonal).any();
            if !hit {
                let (role, from) = (Role::King, self.king);
                let capture = self.captured(to);
                self.moves.push(Move::Normal { role, from, capture, to, promotion: None });
            }
        }
    }

    /// The moves of all men but the king, to these squares.
    fn others(&mut self, targets: Bitboard) {
        let (roles, occupied) = (&self.men.roles, self.occupied);
        let (straight, diagonal) = (attacks::rook_attacks, attacks::bishop_attacks);
        self.pawns(roles.pawn & self.own, targets);
        self.pieces(Role::Knight, roles.knight, targets, attacks::knight_attacks);
        self.pieces(Role::Bishop, roles.bishop, targets, |from| diagonal(from, occupied));
        self.pieces(Role::Rook, roles.rook, targets, |from| straight(from, occupied));
        self.pieces(Role::Queen, roles.queen, targets, |from| {
            attacks::queen_attacks(from, occupied)
        });
    }

    fn pieces(
        &mut self,
        role: Role,
        all: Bitboard,
        targets: Bitboard,
        reach: impl Fn(Square) -> Bitboard,
    ) {
        for from in all & self.own {
            for to in reach(from) & targets & !self.own {
                self.push(role, from, to, None);
            }
        }
    }

    fn pawns(&mut self, pawns: Bitboard, targets: Bitboard) {
        if pawns.is_empty() {
            return;
        }
        let white = self.men.turn.is_white();
        let up = if white { 8 } else { -8 };
        let back = Bitboard::BACKRANKS;
        let sides = [(-1, !Bitboard::from_file(File::A)), (1, !Bitboard::from_file(File::H))];
        for (side, inside) in sides {
            let taken = (pawns & inside).shift(up + side) & self.theirs & targets;
            self.stepped(taken & !back, up + side);
            self.promoted(taken & back, up + side);
        }
        let once = pawns.shift(up) & !self.occupied;
        self.stepped(once & targets & !back, up);
        self.promoted(once & targets & back, up);
        let fourth = if white { Rank::Fourth } else { Rank::Fifth };
        let twice = once.shift(up) & !self.occupied & Bitboard::from_rank(fourth);
        self.stepped(twice & targets, 2 * up);
    }

    fn stepped(&mut self, squares: Bitboard, by: i32) {
        for to in squares {
            if let Some(from) = to.offset(-by) {
                self.push(Role::Pawn, from, to, None);
            }
        }
    }

    fn promoted(&mut self, squares: Bitboard, by: i32) {
        for to in squares {
            for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                if let Some(from) = to.offset(-by) {
                    self.push(Role::Pawn, from, to, Some(role));
                }
            }
        }
    }

    fn captured(&self, to: Square) -> Option<Role> {
        if self.theirs.contains(to) { self.men.role_on(to) } else { None }
    }

    fn push(&mut self, role: Role, from: Square, to: Square, promotion: Option<Role>) {
        if !self.pinned.contains(from) || attacks::ray(self.king, from).contains(to) {
            let capture = self.captured(to);
            self.moves.push(Move::Normal { role, from, capture, to, promotion });
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, MoveList, Position, fen::Fen};

    use crate::dead::key::Key;

    /// How many positions were compared.
    fn walk(position: &Chess, depth: u32) -> u32 {
        let library = position.legal_moves();
        let mut count = 0;
        let mut ours = MoveList::new();
        if let Some(check) = super::legal(&Key::of(position).men(), &mut ours) {
            assert_eq!(ours[..], library[..], "{position:?}");
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
