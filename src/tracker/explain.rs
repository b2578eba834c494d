//! Which legal lines lead from a position to the placement on the board?
//!
//! A depth-first search of a few plies, guided by the squares that differ: a ply moves one man of
//! its side (two in castling) and takes at most one of the other. Bounded by a count of positions.

use shakmaty::{
    Bitboard, Board, Chess, Color, Move, MoveList, Piece, Position, Role, Square, attacks,
};

use crate::tracker::{
    keys::{Key, castled},
    moves,
    sensors::difference,
    stands::takes_king,
};

/// How hard to search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest line, in half-moves.
    pub plies: u32,
    /// Positions to look at, at most.
    pub positions: u32,
    /// Squares that changed since; a line may use no others. None after a gap, when nobody looked.
    pub touched: Option<Bitboard>,
    /// Whether men that left and came back may explain an odd number of plies, where nobody looked.
    pub tempo: bool,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// All lines of the least number of plies that lead to the target.
    pub lines: Vec<Vec<Move>>,
    /// Whether the search was cut short, so that lines may be missing.
    pub cut: bool,
    /// Positions looked at.
    pub looked: u32,
}

/// Lines beyond this many are not kept; so many mean that nothing is certain anyway.
const MOST_LINES: usize = 24;

/// All shortest legal lines of at least `least` plies from `start` to a placement.
pub fn explain(start: &Chess, target: &Board, least: u32, limits: Limits) -> Found {
    let mut search = Search {
        target,
        key: apart(start.board(), target),
        touched: limits.touched,
        positions: limits.positions,
        path: Vec::new(),
        found: Found::default(),
        barren: Seen::default(),
        tempo: limits.tempo,
    };
    for plies in least..=limits.plies {
        search.step(start, Key::default(), plies);
        if !search.found.lines.is_empty() || search.found.cut {
            break;
        }
    }
    search.found.looked = limits.positions - search.positions;
    search.found
}

/// The key of what differs: that of a placement, seen from another whose key is taken to be nothing.
fn apart(from: &Board, to: &Board) -> Key {
    difference(from, to).into_iter().fold(Key::default(), |key, square| {
        let men = from.piece_at(square).into_iter().chain(to.piece_at(square));
        men.fold(key, |key, man| key.with(square, man))
    })
}

struct Search<'a> {
    target: &'a Board,
    /// Of the target, as all keys here seen from where the search begins.
    key: Key,
    touched: Option<Bitboard>,
    positions: u32,
    path: Vec<Move>,
    found: Found,
    /// Positions from which so many plies lead nowhere, however they were reached.
    barren: Seen,
    tempo: bool,
}

impl Search<'_> {
    fn step(&mut self, position: &Chess, key: Key, left: u32) {
        if left == 0 {
            if key == self.key && *position.board() == *self.target {
                if self.found.lines.len() < MOST_LINES {
                    self.found.lines.push(self.path.clone());
                } else {
                    self.found.cut = true;
                }
            }
            return;
        }
        if self.positions == 0 {
            self.found.cut = true;
            return;
        }
        self.positions -= 1;
        let us = position.turn();
        let differs = difference(position.board(), self.target);
        if !self.within_reach(position, differs, left) {
            return;
        }
        let known = (self.touched.is_none() && left >= 2).then(|| code(position, key, left));
        if known.is_some_and(|known| self.barren.contains(known)) {
            return;
        }
        let before = self.found.lines.len();
        if left == 1 && !position.castles().any() {
            self.last_ply(position, key, differs);
            return;
        }
        // Castling needs no square that has been named.
        let named = match self.touched {
            Some(touched) if left <= 2 => touched & differs,
            Some(touched) => touched,
            None => Bitboard::FULL,
        };
        let mut moves = MoveList::new();
        moves::from(position, named, &mut moves);
        for &m in &moves {
            if takes_king(m) || !self.promising(position, differs, m, left) {
                continue;
            }
            let after = key.after(us, m);
            // Positions are expensive to make: what cannot be the target is not made.
            if left > 1 || after == self.key {
                let mut next = position.clone();
                next.play_unchecked(m);
                self.path.push(m);
                self.step(&next, after, left - 1);
                self.path.pop();
            }
        }
        if let Some(known) = known
            && before == self.found.lines.len()
            && !self.found.cut
        {
            self.barren.insert(known);
        }
    }

    /// The one move that leads to the target, if there is one. Without castling a move leaves one
    /// square and comes to another: which, the difference tells.
    fn last_ply(&mut self, position: &Chess, key: Key, differs: Bitboard) {
        let (board, us) = (position.board(), position.turn());
        let own = (board.by_color(us) & differs).single_square();
        let arrived = (self.target.by_color(us) & differs).single_square();
        let (Some(from), Some(to)) = (own, arrived) else { return };
        let (Some(role), Some(becomes)) = (board.role_at(from), self.target.role_at(to)) else {
            return;
        };
        let capture = board.role_at(to);
        let m = if role == Role::Pawn && capture.is_none() && from.file() != to.file() {
            Move::EnPassant { from, to }
        } else {
            let promotion = (becomes != role).then_some(becomes);
            Move::Normal { role, from, capture, to, promotion }
        };
        if takes_king(m)
            || !self.promising(position, differs, m, 1)
            || key.after(us, m) != self.key
            || !position.is_legal(m)
        {
            return;
        }
        let mut next = position.clone();
        next.play_unchecked(m);
        self.path.push(m);
        self.step(&next, self.key, 0);
        self.path.pop();
    }

    /// The least number of moves that puts this side's men where the target has them.
    fn least_moves(&self, board: &Board, color: Color, differs: Bitboard) -> u32 {
        let gone = board.by_color(color) & differs;
        let pawns = gone & board.pawns();
        (self.target.by_color(color) & differs)
            .into_iter()
            .map(|square| {
                let Some(piece) = self.target.piece_at(square) else { return 0 };
                if piece.role == Role::King {
                    return board.king_of(color).map_or(0, |king| king.distance(square));
                }
                let alike = gone & board.by_role(piece.role);
                let near = alike.into_iter().any(|from| one_move(piece, from, square));
                let promoted = pawns.any()
                    && square.rank()
                        == color.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First);
                if near || promoted || piece.role == Role::Pawn { 1 } else { 2 }
            })
            .sum()
    }

    /// Whether so many plies can make up for the difference at all.
    fn within_reach(&self, position: &Chess, differs: Bitboard, left: u32) -> bool {
        let board = position.board();
        [
            (position.turn(), left.div_ceil(2), left / 2),
            (!position.turn(), left / 2, left.div_ceil(2)),
        ]
        .into_iter()
        .all(|(color, own, others)| {
            let castling = u32::from(position.castles().any() && own > 0);
            let arrived = (self.target.by_color(color) & differs).count();
            let gone = (board.by_color(color) & differs).count();
            let taken =
                board.by_color(color).count().checked_sub(self.target.by_color(color).count());
            count(arrived) <= own + castling
                && (castling > 0 || self.least_moves(board, color, differs) <= own)
                && count(gone) <= own + others + castling
                && taken.is_some_and(|taken| count(taken) <= others)
        })
    }

    fn promising(&self, position: &Chess, differs: Bitboard, m: Move, left: u32) -> bool {
        let us = position.turn();
        let Some(from) = m.from() else { return false };
        let landing = match m {
            Move::Castle { king, rook } => castled(king, rook).0,
            _ => m.to(),
        };
        // Men exchanged within a scan leave the square they fell on as it was: it reads the man that
        // took back.
        let exchanged = m.is_capture() && self.target.piece_at(landing).is_some();
        // A pawn taken en passant at once may never have been read where it stopped.
        let double_step = m.role() == Role::Pawn && from.distance(landing) == 2;
        let passing = double_step && left >= 2;
        if let Some(touched) = self.touched
            && (!touched.contains(from) || !touched.contains(landing) && !exchanged && !passing)
        {
            return false;
        }
        let last_of_ours = left <= 2;
        if !last_of_ours {
            // Without knowledge of what was touched, men that left and came back are left out: they
            // would explain everything.
            return self.touched.is_some()
                || self.tempo
                || differs.contains(from)
                || m.is_castle()
                // Another of its kind may have taken its place.
                || (position.us() & position.board().by_role(m.role()) & differs).any();
        }
        if m.is_castle() {
            return true;
        }
        let becomes = m.promotion().unwrap_or(m.role()).of(us);
        let stays = self.target.piece_at(landing) == Some(becomes);
        // A man that the last ply takes is not on the target: its captor is, or, after a double step
        // taken en passant, nothing.
        let retaken = left == 2 && (self.target.color_at(landing) == Some(!us) || double_step);
        differs.contains(from) && (stays || retaken)
    }
}

/// A position as a number, with so many plies left.
fn code(position: &Chess, key: Key, left: u32) -> u64 {
    let rights = position.castles().castling_rights().0;
    let passing = position.maybe_ep_square().and_then(|_| position.legal_ep_square());
    let turn = u64::from(position.turn().is_white());
    let rest = u64::from(left) << 9
        | turn << 8
        | passing.map_or(0, |square| u64::from(square.to_u32()) + 1);
    let mixed = rights.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) ^ rest;
    key.number() ^ mixed.wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
}

/// A set of such numbers, which are well spread.
#[derive(Default)]
struct Seen {
    /// A power of two of them, at least twice as many as are there; 0 where there is none.
    slots: Vec<u64>,
    len: usize,
}

impl Seen {
    fn contains(&self, code: u64) -> bool {
        !self.slots.is_empty() && self.slots[self.place(code)] != 0
    }

    fn insert(&mut self, code: u64) {
        if 2 * (self.len + 1) > self.slots.len() {
            let larger = vec![0; (2 * self.slots.len()).max(64)];
            for old in std::mem::replace(&mut self.slots, larger) {
                let place = self.place(old);
                self.slots[place] = old;
            }
        }
        let place = self.place(code);
        self.len += usize::from(self.slots[place] == 0);
        self.slots[place] = code.max(1);
    }

    /// Where the number is, or would be.
    fn place(&self, code: u64) -> usize {
        let (code, mask) = (code.max(1), self.slots.len() - 1);
        #[expect(clippy::cast_possible_truncation, reason = "only the low bits count")]
        let mut place = code as usize & mask;
        while self.slots[place] != 0 && self.slots[place] != code {
            place = (place + 1) & mask;
        }
        place
    }
}

/// Whether a man of this kind comes from one square to another in one move, on an empty board.
fn one_move(piece: Piece, from: Square, to: Square) -> bool {
    attacks::attacks(from, piece, Bitboard::EMPTY).contains(to)
}

fn count(men: usize) -> u32 {
    // At most 64 squares.
    u32::try_from(men).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::SanPlus};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    fn lines(start: &str, target: &str, plies: u32) -> Vec<String> {
        let start = position(start);
        let target = Board::from_ascii_board_fen(target.as_bytes()).unwrap();
        let limits = Limits { plies, positions: 20_000, touched: None, tempo: false };
        let found = explain(&start, &target, 1, limits);
        assert!(!found.cut);
        let mut texts: Vec<String> = found
            .lines
            .iter()
            .map(|line| {
                let mut at = start.clone();
                let sans: Vec<String> = line
                    .iter()
                    .map(|&m| SanPlus::from_move_and_play_unchecked(&mut at, m).to_string())
                    .collect();
                sans.join(" ")
            })
            .collect();
        texts.sort();
        texts
    }

    /// Both pawns that took on d4 left their squares; d4 itself reads as before.
    #[test]
    fn men_exchanged_within_a_scan_leave_no_trace_on_their_square() {
        let start = position("rnbqkb1r/pppp1ppp/5n2/4p3/3P4/4P3/PPP2PPP/RNBQKBNR b KQkq - 0 3");
        let target = "rnbqkb1r/pppp1ppp/5n2/8/3P4/8/PPP2PPP/RNBQKBNR";
        let target = Board::from_ascii_board_fen(target.as_bytes()).unwrap();
        let touched = Some(Bitboard::from_square(Square::E5).with(Square::E3));
        let limits = Limits { plies: 2, positions: 1_000, touched, tempo: false };
        let found = explain(&start, &target, 1, limits).lines;
        let lines: Vec<Vec<String>> =
            found.iter().map(|line| line.iter().map(ToString::to_string).collect()).collect();
        assert_eq!(lines, [["e5xd4", "e3xd4"]]);
    }

    #[test]
    fn two_plies_that_never_showed_their_middle() {
        assert_eq!(
            lines(
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
                "rnbqkbnr/pp1ppppp/8/2p5/3PP3/8/PPP2PPP/RNBQKBNR",
                4
            ),
            ["c5 d4"]
        );
        assert_eq!(
            lines(
                "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
                "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR",
                4
            ),
            ["exd5 Qxd5"]
        );
    }

    #[test]
    fn every_order_that_a_gap_leaves_open() {
        assert_eq!(
            lines(
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/pppp1ppp/8/4p3/8/2N2N2/PPPPPPPP/R1BQKB1R",
                6
            ),
            ["Nc3 e5 Nf3", "Nf3 e5 Nc3"]
        );
    }

    #[test]
    fn castling_and_a_capture_beside_it() {
        assert_eq!(
            lines(
                "rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
                "rnbq1rk1/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1",
                4
            ),
            ["O-O O-O"]
        );
    }

    #[test]
    fn a_double_step_and_its_capture_in_passing() {
        assert_eq!(
            lines("4k3/3p4/8/2P5/8/8/8/4K3 b - - 0 1", "4k3/8/3P4/8/8/8/8/4K3", 3),
            ["d5 cxd6", "d6 cxd6"]
        );
    }

    #[test]
    fn a_vanished_man_explains_nothing() {
        assert!(
            lines(
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R",
                4
            )
            .is_empty()
        );
    }
}
