//! What really happened: the yardstick beside the bytes.

use std::collections::BTreeMap;

use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus, zobrist::Zobrist128,
};

/// One ply of the game as it stood at its end.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move in UCI, castling as e1g1.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// First touch of a man for this move.
    pub touched: u64,
    /// The move is complete on the board: the last man released.
    pub released: u64,
    /// The press that ended the ply, when it moved the lever.
    pub press: Option<u64>,
    /// Part of it happened while the cable was out.
    pub in_gap: bool,
}

/// How a game ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The last position is mate or stalemate.
    Position,
    /// Both kings were put on the centre squares.
    Gesture(&'static str),
    /// The flag fell and the clock stood still.
    Flag,
    /// Nothing was shown: the clock was stopped and the men put back.
    Unmarked,
}

/// Why the Laws end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LawEnd {
    /// 5.1.1.
    Checkmate,
    /// 5.2.1.
    Stalemate,
    /// 5.2.2, as far as material alone shows it.
    DeadMaterial,
    /// 9.6.1.
    Fivefold,
    /// 9.6.2.
    SeventyFive,
}

/// One game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The position it began from.
    pub fen: String,
    /// Castling is written as king takes rook in Chess960.
    pub mode: CastlingMode,
    /// The board stands with its connector on White's right.
    pub rotated: bool,
    /// When its first position was complete on the board.
    pub set_up: u64,
    /// The plies that stand.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub end: End,
    /// When that was complete.
    pub ended: u64,
    /// When the first man was moved for something else (analysis, setting up).
    pub disturbed: u64,
    /// Moves after the end, in UCI.
    pub after: Vec<String>,
    /// Completed (pressed) plies taken back: at which ply count, when.
    pub takebacks: Vec<(usize, u64)>,
    /// What occurred and how often.
    pub kinds: BTreeMap<&'static str, u32>,
    /// What of it happened between plies, and when.
    pub story: Vec<(u64, &'static str)>,
}

/// One session: games on one board.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// The games in order.
    pub games: Vec<Game>,
    /// The cable: out from, in again.
    pub gaps: Vec<(u64, u64)>,
    /// There is a clock.
    pub clock: bool,
    /// The clock stands the wrong way round.
    pub reversed: bool,
}

impl Game {
    /// The position it began from.
    ///
    /// Panics when the FEN is not legal, which the makers of games guarantee.
    pub fn start(&self) -> Chess {
        let fen: Fen = self.fen.parse().expect("a game begins from a FEN");
        fen.into_position(self.mode).expect("a legal position")
    }

    /// True when it begins from the usual position, which a board shows by itself.
    pub fn usual(&self) -> bool {
        self.start() == Chess::default()
    }

    /// The positions, the first one included.
    pub fn positions(&self) -> Vec<Chess> {
        let mut list = vec![self.start()];
        for ply in &self.plies {
            let before = list.last().expect("never empty").clone();
            let uci: shakmaty::uci::UciMove = ply.uci.parse().expect("our own UCI");
            let m = uci.to_move(&before).expect("a legal move");
            list.push(before.play(m).expect("a legal move"));
        }
        list
    }

    /// The plies (1 = the first) after which the Laws end the game, and why. Play may go on past a
    /// fivefold repetition or 75 moves when nobody notices; each reason is listed once.
    pub fn law_ends(&self) -> Vec<(usize, LawEnd)> {
        let mut seen: BTreeMap<u128, u32> = BTreeMap::new();
        let mut ends = Vec::new();
        for (ply, position) in self.positions().iter().enumerate() {
            let key = position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal).0;
            let times = seen.entry(key).or_insert(0);
            *times += 1;
            let mut found = Vec::new();
            if position.is_checkmate() {
                found.push(LawEnd::Checkmate);
            } else {
                if position.is_stalemate() {
                    found.push(LawEnd::Stalemate);
                }
                if position.is_insufficient_material() {
                    found.push(LawEnd::DeadMaterial);
                }
                if *times >= 5 {
                    found.push(LawEnd::Fivefold);
                }
                if position.halfmoves() >= 150 {
                    found.push(LawEnd::SeventyFive);
                }
            }
            for reason in found {
                if !ends.iter().any(|(_, r)| *r == reason) {
                    ends.push((ply, reason));
                }
            }
        }
        ends
    }
}

/// The names of a move: UCI, and SAN with check sign.
pub fn names(position: &Chess, m: Move, mode: CastlingMode) -> (String, String) {
    let uci = m.to_uci(mode).to_string();
    (uci, SanPlus::from_move(position.clone(), m).to_string())
}
