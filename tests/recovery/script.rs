//! A game of 200 half-moves that ends by fivefold repetition at the last, and not before.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, Role, Square, fen::Fen, san::SanPlus};

/// The half-moves of a game and what is true after each of them.
#[derive(Clone, Debug)]
pub struct Script {
    pub moves: Vec<Move>,
    /// Before each half-move, and after the last.
    pub positions: Vec<Chess>,
    pub sans: Vec<String>,
}

impl Script {
    pub fn from(moves: Vec<Move>) -> Script {
        let mut position = Chess::new();
        let (mut positions, mut sans) = (vec![position.clone()], Vec::new());
        for &m in &moves {
            sans.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
            positions.push(position.clone());
        }
        Script { moves, positions, sans }
    }

    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// How often the position of a ply has stood up to it.
    pub fn repetitions(&self, ply: usize) -> u32 {
        let key = identity(&self.positions[ply]);
        let seen = self.positions[..=ply].iter().filter(|p| identity(p) == key).count();
        u32::try_from(seen).unwrap()
    }

    /// Half-moves since the last pawn move or capture.
    pub fn quiet(&self, ply: usize) -> u32 {
        self.positions[ply].halfmoves()
    }
}

/// What makes two positions the same: the first four fields of a FEN.
fn identity(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// A game of so many half-moves, the last sixteen of which move two knights to and fro.
pub fn fivefold(plies: usize, seed: u64) -> Script {
    for seed in seed.. {
        if let Some(script) = attempt(plies, seed) {
            return script;
        }
    }
    unreachable!("some seed gives a game")
}

fn attempt(plies: usize, seed: u64) -> Option<Script> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut position = Chess::new();
    let mut seen = vec![identity(&position)];
    let mut moves = Vec::new();
    while moves.len() < plies - 16 {
        // Pawns are saved up: a pawn move every now and then keeps the 75 moves away.
        let quiet = position.halfmoves() < 40;
        let legal: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|m| plain(*m) && (moves.len() < 12 || !m.is_capture() || !quiet))
            .filter(|m| moves.len() < 12 || !quiet || m.role() != Role::Pawn)
            .filter(|m| {
                let mut after = position.clone();
                after.play_unchecked(*m);
                !after.is_check() && !after.is_game_over() && !seen.contains(&identity(&after))
            })
            .collect();
        if legal.is_empty() {
            return None;
        }
        let m = legal[random.random_range(0..legal.len())];
        position.play_unchecked(m);
        seen.push(identity(&position));
        moves.push(m);
    }
    if position.castles().any() {
        return None;
    }
    let dance = dance(&position)?;
    for m in dance {
        position.play_unchecked(m);
        moves.push(m);
    }
    let script = Script::from(moves);
    let fine = (1..plies).all(|ply| script.repetitions(ply) < 5 && script.quiet(ply) < 100);
    (fine && script.repetitions(plies) == 5).then_some(script)
}

/// Kings keep away from the squares that show a result, and nothing is promoted or taken in passing.
fn plain(m: Move) -> bool {
    let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
    matches!(m, Move::Normal { promotion: None, .. } | Move::Castle { .. })
        && !(m.role() == Role::King && centre.contains(&m.to()))
}

/// Sixteen half-moves of one knight a side that bring the position four times more.
fn dance(start: &Chess) -> Option<Vec<Move>> {
    let knights = |position: &Chess| -> Vec<Move> {
        let legal = position.legal_moves().into_iter();
        legal.filter(|m| m.role() == Role::Knight && !m.is_capture()).collect()
    };
    let back = |m: Move| Move::Normal {
        role: Role::Knight,
        from: m.to(),
        capture: None,
        to: m.from().unwrap(),
        promotion: None,
    };
    for first in knights(start) {
        let mut after = start.clone();
        after.play_unchecked(first);
        if after.is_check() {
            continue;
        }
        for second in knights(&after) {
            let round = [first, second, back(first), back(second)];
            let mut position = start.clone();
            let legal = round.iter().all(|&m| {
                let fine = position.is_legal(m);
                if fine {
                    position.play_unchecked(m);
                }
                fine && !position.is_check()
            });
            if legal && identity(&position) == identity(start) {
                return Some(round.repeat(4));
            }
        }
    }
    None
}

/// What a hand does with the men for a move: squares emptied, then squares filled.
pub fn hand(position: &Chess, m: Move) -> (Vec<Square>, Vec<(Square, char)>) {
    let us: Color = position.turn();
    if let Move::Castle { king, rook } = m {
        let short = rook.file() > king.file();
        let to = |short_to: u32, long_to: u32| {
            let file = shakmaty::File::new(if short { short_to } else { long_to });
            Square::from_coords(file, king.rank())
        };
        let men = [(to(6, 2), Role::King.of(us)), (to(5, 3), Role::Rook.of(us))];
        return (vec![king, rook], men.map(|(square, man)| (square, man.char())).to_vec());
    }
    let man = m.promotion().unwrap_or(m.role()).of(us);
    (vec![m.from().unwrap()], vec![(m.to(), man.char())])
}
