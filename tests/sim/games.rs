//! Games to be played: made here by two choosers of moves, or read from PGN files.
//!
//! The choosers make what a test needs and a collection rarely holds enough of: castling on both
//! sides, en passant, promotion and under-promotion, mates, stalemates, repetitions, over 100 moves.

use std::{fs, ops::ControlFlow, path::Path};

use pgn_reader::{Reader, SanPlus, Skip, Visitor};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, Role,
    Setup, Square, fen::Fen,
};

use super::chance::Chance;

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The position it begins from.
    pub start: Chess,
    /// How castling is written and where it leads from.
    pub mode: CastlingMode,
    /// The moves.
    pub moves: Vec<Move>,
    /// Where it comes from: `chooser`, `random`, or file and number.
    pub source: String,
}

impl Plan {
    /// The FEN of its first position.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.start, EnPassantMode::Legal).to_string()
    }
}

fn worth(role: Role) -> f64 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => 0.0,
    }
}

/// A game of two beginners who take what hangs, castle, promote, mate when they see it: 40 to 120
/// moves long, drawn or given up otherwise.
pub fn chosen(chance: &mut Chance) -> Plan {
    chosen_from(Chess::default(), CastlingMode::Standard, chance)
}

fn chosen_from(start: Chess, mode: CastlingMode, chance: &mut Chance) -> Plan {
    let mut position = start.clone();
    let mut moves: Vec<Move> = Vec::new();
    let most = if chance.of(0.08) { 240 } else { 50 + chance.below(110) };
    let stops_at_dead = chance.of(0.8);
    let mut shuffling = 0_usize;
    let spice = chance.real(0.5, 2.5);
    while moves.len() < most {
        let legal = position.legal_moves();
        if legal.is_empty() || (stops_at_dead && position.is_insufficient_material()) {
            break;
        }
        if shuffling == 0 && moves.len() > 8 && chance.of(0.006) {
            shuffling = 4 + chance.below(18);
        }
        shuffling = shuffling.saturating_sub(1);
        let back = if shuffling > 0 { undo(&position, &moves) } else { None };
        let next = back.unwrap_or_else(|| choose(&position, &moves, spice, chance));
        position.play_unchecked(next);
        moves.push(next);
    }
    Plan { start, moves, source: "chooser".into(), mode }
}

/// Any legal move, at random, up to `most` plies: wild positions, many promotions.
pub fn random(chance: &mut Chance, most: usize) -> Plan {
    let start = Chess::default();
    let mode = CastlingMode::Standard;
    let mut position = start.clone();
    let mut moves = Vec::new();
    while moves.len() < most {
        let legal = position.legal_moves();
        if legal.is_empty() || position.is_insufficient_material() {
            break;
        }
        let m = legal[chance.below(legal.len())];
        position.play_unchecked(m);
        moves.push(m);
    }
    Plan { start, moves, source: "random".into(), mode }
}

/// The move that takes the player's last man back where it came from, when that is quiet and legal.
fn undo(position: &Chess, moves: &[Move]) -> Option<Move> {
    let last = moves.len().checked_sub(2).map(|i| moves[i])?;
    let Move::Normal { role, from, to, capture: None, promotion: None } = last else { return None };
    if role == Role::Pawn {
        return None;
    }
    position
        .legal_moves()
        .into_iter()
        .find(|m| m.from() == Some(to) && m.to() == from && !m.is_capture())
}

fn choose(position: &Chess, moves: &[Move], spice: f64, chance: &mut Chance) -> Move {
    let back = undo(position, moves);
    let mut best = (f64::MIN, position.legal_moves()[0]);
    for m in position.legal_moves() {
        let mut appeal = chance.real(0.0, spice) + desire(position, m, chance);
        if Some(m) == back {
            appeal -= 1.0;
        }
        if appeal > best.0 {
            best = (appeal, m);
        }
    }
    best.1
}

fn desire(position: &Chess, m: Move, chance: &mut Chance) -> f64 {
    let mut appeal = m.capture().map_or(0.0, worth);
    if let Some(role) = m.promotion() {
        // One promotion in five is to something else than a queen.
        let liking = if role == Role::Queen { 8.0 } else { 5.0 };
        appeal += liking + chance.real(0.0, 4.5);
    }
    if m.is_castle() {
        appeal += 2.0;
    }
    if m.is_en_passant() {
        appeal += 1.5;
    }
    if m.role() == Role::Pawn && position.board().occupied().count() < 14 {
        appeal += 0.8;
    }
    if m.role() == Role::King && position.board().occupied().count() > 14 {
        appeal -= 0.8;
    }
    let mut after = position.clone();
    after.play_unchecked(m);
    let answers = after.legal_moves();
    if answers.is_empty() {
        return if after.is_check() { 1000.0 } else { -1.0 };
    }
    // What the opponent can win at once: his captures, less what retakes.
    let mut loss: f64 = 0.0;
    for answer in answers.iter().filter(|a| a.is_capture()) {
        let won = answer.capture().map_or(0.0, worth);
        let us = position.turn();
        let guarded = after.board().attacks_to(answer.to(), us, after.board().occupied()).any();
        let price = if guarded { worth(answer.role()) } else { 0.0 };
        loss = loss.max(won - price);
    }
    appeal - loss + if after.is_check() { 0.3 } else { 0.0 }
}

/// The games of one kind of session: mostly chosen ones, some random.
pub fn made(chance: &mut Chance) -> Plan {
    if chance.of(0.12) {
        let most = 40 + chance.below(220);
        random(chance, most)
    } else {
        chosen(chance)
    }
}

/// A game of another kind: Chess960, a handicap, or one begun in the middle.
pub fn variant(chance: &mut Chance) -> Plan {
    match chance.below(3) {
        0 => {
            let board = Board::chess960(chance.below(960) as u32);
            chosen_from(initial(board), CastlingMode::Chess960, chance)
        }
        1 => {
            let gone = [Square::A1, Square::B1, Square::D1, Square::G1, Square::F7, Square::B8];
            let mut board = Board::new();
            board.discard_piece_at(chance.pick(&gone));
            chosen_from(initial(board), CastlingMode::Standard, chance)
        }
        _ => {
            let whole = chosen(chance);
            let cut = 4 + chance.below(whole.moves.len().saturating_sub(8).max(1));
            let mut start = whole.start;
            for m in whole.moves.iter().take(cut) {
                start.play_unchecked(*m);
            }
            let moves = whole.moves.into_iter().skip(cut).collect();
            Plan { start, moves, source: "middle".into(), mode: whole.mode }
        }
    }
}

/// The first position of a game with these men: White to move, every castling that rooks allow.
fn initial(board: Board) -> Chess {
    let mut setup = Setup::empty();
    let kings = board.kings();
    let home = |color| if color == Color::White { Bitboard(0xff) } else { Bitboard(0xff << 56) };
    setup.castling_rights = (board.rooks() & board.white() & home(Color::White))
        | (board.rooks() & board.black() & home(Color::Black));
    setup.board = board;
    assert_eq!(kings.count(), 2);
    Chess::from_setup(setup, CastlingMode::Chess960).expect("a legal first position")
}

struct Moves;

impl Visitor for Moves {
    type Tags = bool;
    type Movetext = Option<(Chess, Vec<Move>)>;
    type Output = Option<Vec<Move>>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, bool> {
        ControlFlow::Continue(true)
    }

    fn tag(
        &mut self,
        standard: &mut bool,
        name: &[u8],
        _: pgn_reader::RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        *standard &= name != b"FEN";
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, standard: bool) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(standard.then(|| (Chess::default(), Vec::new())))
    }

    fn san(&mut self, game: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        if let Some((position, moves)) = game {
            match san.san.to_move(position) {
                Ok(m) => {
                    position.play_unchecked(m);
                    moves.push(m);
                }
                Err(_) => *game = None,
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, game: Self::Movetext) -> Self::Output {
        game.map(|(_, moves)| moves)
    }
}

/// The games of a PGN file that begin from the usual position and are legal throughout.
pub fn read(path: &Path) -> Vec<Plan> {
    let Ok(file) = fs::File::open(path) else { return Vec::new() };
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    Reader::new(file)
        .read_games(&mut Moves)
        .filter_map(Result::ok)
        .flatten()
        .enumerate()
        .filter(|(_, moves)| moves.len() >= 2)
        .map(|(i, moves)| Plan {
            start: Chess::default(),
            mode: CastlingMode::Standard,
            moves,
            source: format!("{name}#{}", i + 1),
        })
        .collect()
}

/// All games of the shared collection, none where it is not there.
pub fn collection() -> Vec<Plan> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/games"));
    ["otb_main.pgn", "otb_special.pgn", "otb_long.pgn", "random.pgn"]
        .iter()
        .flat_map(|name| read(&folder.join(name)))
        .collect()
}
