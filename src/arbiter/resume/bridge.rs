//! Moves whose lines are missing, found from what comes after them.
//!
//! A line of a move holds the whole position after it, castling rights and counters included. So the
//! few moves that are missing before it can often be worked out; they count only if no others would
//! do.

use shakmaty::{Chess, EnPassantMode, Move, Position, Role, fen::Fen};

/// More missing half-moves than this are not looked for.
pub const LONGEST: u32 = 4;

/// Positions looked at, at most.
const POSITIONS: u32 = 400_000;

/// The only line of so many half-moves from one position to another, given as FEN. `None` when there
/// is no such line, when there are several, or when it was too much to look at them all.
pub fn only_line(start: &Chess, plies: u32, fen: &str) -> Option<Vec<Move>> {
    if plies == 0 || plies > LONGEST {
        return None;
    }
    let target: Fen = fen.parse().ok()?;
    let mut search =
        Search { target, positions: POSITIONS, path: Vec::new(), found: None, several: false };
    search.step(start, plies);
    search.found.filter(|_| !search.several && search.positions > 0)
}

struct Search {
    target: Fen,
    positions: u32,
    path: Vec<Move>,
    found: Option<Vec<Move>>,
    several: bool,
}

impl Search {
    fn step(&mut self, position: &Chess, left: u32) {
        if left == 0 {
            if Fen::from_position(position, EnPassantMode::Legal) == self.target {
                self.several |= self.found.is_some();
                self.found.get_or_insert_with(|| self.path.clone());
            }
            return;
        }
        if self.positions == 0 || self.several || !self.within_reach(position, left) {
            return;
        }
        self.positions -= 1;
        // After an illegal move that stands a king could be taken; no game goes on from there.
        let moves = position.legal_moves();
        for &m in moves.iter().filter(|m| m.capture() != Some(Role::King)) {
            let mut next = position.clone();
            next.play_unchecked(m);
            self.path.push(m);
            self.step(&next, left - 1);
            self.path.pop();
        }
    }

    /// A half-move changes at most four squares.
    fn within_reach(&self, position: &Chess, left: u32) -> bool {
        let (a, b) = (position.board(), &self.target.as_setup().board);
        let mut differs = (a.white() ^ b.white()) | (a.black() ^ b.black());
        for role in Role::ALL {
            differs |= a.by_role(role) ^ b.by_role(role);
        }
        differs.count() <= 4 * left as usize
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{san::SanPlus, uci::UciMove};

    use super::*;

    fn line(moves: &str, plies: u32) -> Option<String> {
        let mut position = Chess::new();
        for text in moves.split_whitespace() {
            let m = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
        }
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let mut at = Chess::new();
        let sans = only_line(&at, plies, &fen)?
            .into_iter()
            .map(|m| SanPlus::from_move_and_play_unchecked(&mut at, m).to_string());
        Some(sans.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn one_line_or_none() {
        assert_eq!(line("e2e4", 1).as_deref(), Some("e4"));
        assert_eq!(line("e2e4 e7e5", 2).as_deref(), Some("e4 e5"));
        // The other way round is a line as well.
        assert_eq!(line("g1f3 e7e5 b1c3", 3), None);
        // The counter tells that the knights came last.
        assert_eq!(line("e2e4 e7e5 g1f3 b8c6", 4).as_deref(), Some("e4 e5 Nf3 Nc6"));
        // The counters tell that the knight has been somewhere else.
        assert_eq!(line("g1f3 g8f6 f3g1 f6g8", 2), None);
        assert_eq!(line("e2e4", 9), None);
    }
}
