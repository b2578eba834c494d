//! Is the game over at this ply, and if not, what may be claimed?

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Chess, Color, KnownOutcome, Move, Position, Square, attacks};

use super::{
    edition::Edition,
    rules::{Article, FivefoldReading, Rules},
};
use crate::{
    dead,
    game::{History, Key, PlyRecord, Step},
    units::Ply,
};

/// Half-moves without pawn move or capture that make fifty moves by each player.
pub const FIFTY: u32 = 100;
/// Half-moves without pawn move or capture that make seventy-five moves by each player.
pub const SEVENTY_FIVE: u32 = 150;

/// What a search says about neither side being able to mate (5.2.2; 9.6 and 9.7 before 2017).
/// Only `Proved` ends a game; `Unknown` means play on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadAnswer {
    /// Neither side can mate by any series of legal moves.
    Proved,
    /// A series of legal moves that mates was shown.
    Alive,
    /// Neither was shown.
    Unknown,
}

impl From<dead::Dead> for DeadAnswer {
    fn from(dead: dead::Dead) -> DeadAnswer {
        match dead {
            dead::Dead::Yes => DeadAnswer::Proved,
            dead::Dead::No => DeadAnswer::Alive,
            dead::Dead::Unknown => DeadAnswer::Unknown,
        }
    }
}

/// A way in which the position itself ends the game, without a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Checkmate (5.1.1).
    Checkmate,
    /// Stalemate (5.2.1).
    Stalemate,
    /// Dead position (5.2.2).
    DeadPosition,
    /// Five-fold repetition (9.6.1).
    FivefoldRepetition,
    /// Seventy-five moves (9.6.2).
    #[serde(rename = "seventyfive_moves")]
    SeventyFiveMoves,
}

impl Ending {
    /// All endings, in order of precedence.
    pub const ALL: [Ending; 5] = [
        Ending::Checkmate,
        Ending::Stalemate,
        Ending::DeadPosition,
        Ending::FivefoldRepetition,
        Ending::SeventyFiveMoves,
    ];

    /// Its name in events: `checkmate`, `fivefold_repetition`, …
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Checkmate => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::DeadPosition => "dead_position",
            Ending::FivefoldRepetition => "fivefold_repetition",
            Ending::SeventyFiveMoves => "seventyfive_moves",
        }
    }

    /// Its name in tables of law events: `mate`, `fivefold`, …
    pub const fn label(self) -> &'static str {
        match self {
            Ending::Checkmate => "mate",
            Ending::Stalemate => "stalemate",
            Ending::DeadPosition => "dead_position",
            Ending::FivefoldRepetition => "fivefold",
            Ending::SeventyFiveMoves => "seventyfive",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One reason why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The reason.
    pub ending: Ending,
    /// Its article in the numbering of the edition.
    pub article: Article,
}

/// The game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// The ply whose position ended it.
    pub ply: Ply,
    /// Who won, or a draw.
    pub outcome: KnownOutcome,
    /// Every reason that holds at the ply, never empty, in order of precedence. Mate and stalemate
    /// stand alone; dead position, five-fold repetition and seventy-five moves may hold together.
    pub reasons: Vec<Ended>,
}

impl Over {
    /// The first reason, by which the result is announced.
    pub fn reason(&self) -> Ended {
        self.reasons[0]
    }
}

/// What a player may claim a draw by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// The same position at least three times (9.2).
    #[serde(rename = "threefold_repetition")]
    Threefold,
    /// Fifty moves by each player without pawn move or capture (9.3).
    #[serde(rename = "fifty_moves")]
    Fifty,
}

impl ClaimKind {
    /// Its name in events: `threefold_repetition` or `fifty_moves`.
    pub const fn name(self) -> &'static str {
        match self {
            ClaimKind::Threefold => "threefold_repetition",
            ClaimKind::Fifty => "fifty_moves",
        }
    }

    /// Its name in tables of law events: `threefold` or `fifty`.
    pub const fn label(self) -> &'static str {
        match self {
            ClaimKind::Threefold => "threefold",
            ClaimKind::Fifty => "fifty",
        }
    }
}

/// How a claim must be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// At once: the position on the board qualifies.
    JustAppeared,
    /// By writing down and announcing one of these moves without playing it.
    ByMove(Vec<Move>),
}

/// A claim that the player to move may make (class C). Whether he has touched a piece first (9.4)
/// no board can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimable {
    /// What he may claim.
    pub kind: ClaimKind,
    /// Who may claim: the player who has the move.
    pub claimant: Color,
    /// How.
    pub how: How,
    /// The article in the numbering of the edition.
    pub article: Article,
    /// Whether the count behind it is exact; a lower bound is enough for the claim to be right.
    pub exact: bool,
}

/// What the Laws say of one ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game goes on.
    Open {
        /// What the player to move may claim (class C).
        claims: Vec<Claimable>,
        /// Endings that hold by a later edition but not by this one (class C).
        later: Vec<Ending>,
    },
    /// The game is over (class A).
    Over(Over),
}

impl Verdict {
    /// The end, if this ply is one.
    pub fn over(&self) -> Option<&Over> {
        match self {
            Verdict::Over(over) => Some(over),
            Verdict::Open { .. } => None,
        }
    }

    /// The claims open to the player to move; none when the game is over.
    pub fn claims(&self) -> &[Claimable] {
        match self {
            Verdict::Open { claims, .. } => claims,
            Verdict::Over(_) => &[],
        }
    }
}

/// Judges the latest ply of a game. `dead` is what a search says of the latest position.
///
/// Order: mate, stalemate, then dead position, five-fold repetition and seventy-five moves
/// together; only if none holds, claims. Counts that are lower bounds are used as they are: what
/// they reach is reached for certain.
///
/// Judges this ply alone: whether an earlier one had ended the game is for [`Latch`].
pub fn verdict(history: &History, edition: Edition, dead: DeadAnswer) -> Verdict {
    judge(history, history.latest(), history.last(), edition.rules(), dead)
}

/// As [`verdict`] for any ply the game has reached; `None` beyond.
pub fn verdict_at(
    history: &History,
    ply: Ply,
    edition: Edition,
    dead: DeadAnswer,
) -> Option<Verdict> {
    Some(judge(history, ply, history.at(ply)?, edition.rules(), dead))
}

fn judge(
    history: &History,
    ply: Ply,
    record: &PlyRecord,
    rules: &Rules,
    dead: DeadAnswer,
) -> Verdict {
    let position = &record.position;
    if !can_move(position) {
        return Verdict::Over(no_legal_move(position, ply, rules));
    }
    let mut reasons = Vec::new();
    let mut later = Vec::new();
    if dead == DeadAnswer::Proved {
        reasons.push(Ended { ending: Ending::DeadPosition, article: rules.dead_position });
    }
    if record.occurrence.value() >= 5 {
        match rules.fivefold {
            Some(rule) if rule.reading == FivefoldReading::Anywhere || regular(history, ply) => {
                let ending = Ending::FivefoldRepetition;
                reasons.push(Ended { ending, article: rule.article });
            }
            _ => later.push(Ending::FivefoldRepetition),
        }
    }
    if record.quiet.value() >= SEVENTY_FIVE {
        match rules.seventyfive {
            Some(article) => reasons.push(Ended { ending: Ending::SeventyFiveMoves, article }),
            None => later.push(Ending::SeventyFiveMoves),
        }
    }
    if !reasons.is_empty() {
        return Verdict::Over(Over { ply, outcome: KnownOutcome::Draw, reasons });
    }
    Verdict::Open { claims: available(history, ply, record, rules), later }
}

/// Whether there is a legal move. Nearly always a man that is on no line with its king shows it.
fn can_move(position: &Chess) -> bool {
    let (board, us) = (position.board(), position.turn());
    let (own, occupied) = (board.by_color(us), board.occupied());
    let Some(king) = board.king_of(us).filter(|_| !position.is_check()) else {
        return !position.legal_moves().is_empty();
    };
    let free = own & !attacks::queen_attacks(king, Bitboard::EMPTY) & !board.kings();
    let steps = (free & board.pawns()).shift(us.fold_wb(8, -8)) & !occupied;
    let goes = |from: Square, reach: Bitboard| free.contains(from) && (reach & !own).any();
    steps.any()
        || board.knights().into_iter().any(|from| goes(from, attacks::knight_attacks(from)))
        || (free & board.bishops_and_queens())
            .into_iter()
            .any(|from| goes(from, attacks::bishop_attacks(from, occupied)))
        || (free & board.rooks_and_queens())
            .into_iter()
            .any(|from| goes(from, attacks::rook_attacks(from, occupied)))
        || !position.legal_moves().is_empty()
}

/// Mate or stalemate. Castling rights never matter here: where castling is legal, so is the king's
/// step to the square it crosses.
fn no_legal_move(position: &Chess, ply: Ply, rules: &Rules) -> Over {
    let (outcome, ending, article) = if position.is_check() {
        let winner = !position.turn();
        (KnownOutcome::Decisive { winner }, Ending::Checkmate, rules.checkmate)
    } else {
        (KnownOutcome::Draw, Ending::Stalemate, rules.stalemate)
    };
    Over { ply, outcome, reasons: vec![Ended { ending, article }] }
}

/// Whether the position stood at plies n, n-4, n-8, n-12 and n-16, with no moves lost in between.
fn regular(history: &History, ply: Ply) -> bool {
    let Some(start) = ply.index().checked_sub(16) else { return false };
    let Some(span) = history.plies().get(start..=ply.index()) else { return false };
    let key = span[0].key;
    span.iter().step_by(4).all(|p| p.key == key) && span[1..].iter().all(|p| p.step != Step::Gap)
}

/// Every claim open to the player to move (9.2, 9.3), a position that is not over given.
fn available(history: &History, ply: Ply, record: &PlyRecord, rules: &Rules) -> Vec<Claimable> {
    let claimant = record.position.turn();
    let mut claims = Vec::new();
    let mut add = |kind, how, article, exact| {
        claims.push(Claimable { kind, claimant, how, article, exact });
    };
    if record.occurrence.value() >= 3 {
        let exact = record.occurrence.is_exact();
        add(ClaimKind::Threefold, How::JustAppeared, rules.threefold_now, exact);
    }
    if record.quiet.value() >= FIFTY {
        add(ClaimKind::Fifty, How::JustAppeared, rules.fifty_now, record.quiet.is_exact());
    }
    let repeating = repeating(history, ply, record);
    if !repeating.is_empty() {
        let exact = !history.is_blind(ply);
        add(ClaimKind::Threefold, How::ByMove(repeating), rules.threefold_by_move, exact);
    }
    if record.quiet.value() == FIFTY - 1 {
        let moves = record.position.legal_moves();
        let quiet: Vec<Move> = moves.into_iter().filter(|m| !m.is_zeroing()).collect();
        if !quiet.is_empty() {
            let exact = record.quiet.is_exact();
            add(ClaimKind::Fifty, How::ByMove(quiet), rules.fifty_by_move, exact);
        }
    }
    claims
}

/// The moves after which the position would stand for at least the third time.
fn repeating(history: &History, ply: Ply, record: &PlyRecord) -> Vec<Move> {
    let turn = !record.position.turn();
    let targets: Vec<&Key> = history
        .window(ply)
        .iter()
        .filter(|p| p.occurrence.value() >= 2 && p.position.turn() == turn)
        .map(|p| &p.key)
        .collect();
    if targets.is_empty() {
        return Vec::new();
    }
    let reaches = |m: &Move| {
        let mut after = record.position.clone();
        after.play_unchecked(*m);
        let key = Key::of(&after);
        targets.iter().any(|target| **target == key)
    };
    record.position.legal_moves().into_iter().filter(reaches).collect()
}

/// The first end of a game, kept while play goes on after it.
///
/// What is played after the Laws ended a game is void; if somebody is mated later, the game had
/// been drawn before. Only a take-back to before the end undoes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latch {
    first: Option<Over>,
}

impl Latch {
    /// Notes the verdict on a ply. `true` if it is the first end of the game.
    pub fn see(&mut self, verdict: &Verdict) -> bool {
        match (&self.first, verdict) {
            (None, Verdict::Over(over)) => {
                self.first = Some(over.clone());
                true
            }
            _ => false,
        }
    }

    /// Notes that the plies after `ply` are void. Returns the end if it was among them.
    pub fn take_back_to(&mut self, ply: Ply) -> Option<Over> {
        self.first.take_if(|over| over.ply > ply)
    }

    /// The first end, if the game is over.
    pub fn first(&self) -> Option<&Over> {
        self.first.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    use super::*;
    use crate::game::{Count, Past};

    fn from(fen: &str) -> History {
        let position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        History::new(position, Past::Nothing)
    }

    fn play(history: &mut History, moves: &str) {
        for text in moves.split_whitespace() {
            let m = text.parse::<San>().unwrap().to_move(history.position()).unwrap();
            history.play(m).unwrap();
        }
    }

    fn endings(history: &History, edition: Edition, dead: DeadAnswer) -> Vec<Ending> {
        match verdict(history, edition, dead) {
            Verdict::Over(over) => over.reasons.iter().map(|r| r.ending).collect(),
            Verdict::Open { .. } => Vec::new(),
        }
    }

    #[test]
    fn whoever_can_move_is_seen_to() {
        for (fen, moves) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
            ("R6k/8/7K/8/8/8/8/8 b - - 0 1", false),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false),
            // Only a pinned man, along its line or not at all; only a pawn; only a capture in passing.
            ("7k/7r/8/8/8/8/6R1/K6R b - - 0 1", true),
            ("k7/1n6/8/8/K7/5B2/8/1R6 b - - 0 1", true),
            ("k7/p7/P1K5/8/8/8/8/1R6 b - - 0 1", false),
            ("8/8/8/8/8/1p1k4/1P6/K7 w - - 0 1", true),
            ("8/8/8/8/1pPn4/1P1k4/1P6/K7 b - c3 0 1", true),
        ] {
            let position = from(fen).position().clone();
            assert_eq!(can_move(&position), moves, "{fen}");
            assert_eq!(position.legal_moves().is_empty(), !moves, "{fen}");
        }
    }

    #[test]
    fn mate_and_stalemate_hide_everything_and_draws_stand_together() {
        use Ending::{Checkmate, DeadPosition, FivefoldRepetition, SeventyFiveMoves, Stalemate};
        let edition = Edition::Fide2023;
        let mate = from("R6k/8/7K/8/8/8/8/8 b - - 150 200");
        let stalemate = from("7k/5Q2/6K1/8/8/8/8/8 b - - 150 200");
        let mut both = from("4k3/8/8/8/8/8/r7/4K3 w - - 134 100");
        play(&mut both, &"Kf1 Rb2 Ke1 Ra2 ".repeat(4));
        assert_eq!(both.last().quiet, Count::Exact(150));
        for dead in [DeadAnswer::Proved, DeadAnswer::Alive, DeadAnswer::Unknown] {
            assert_eq!(endings(&mate, edition, dead), [Checkmate]);
            assert_eq!(endings(&stalemate, edition, dead), [Stalemate]);
        }
        let draws = [DeadPosition, FivefoldRepetition, SeventyFiveMoves];
        assert_eq!(endings(&both, edition, DeadAnswer::Proved), draws);
        assert_eq!(endings(&both, edition, DeadAnswer::Unknown), draws[1..]);
        assert_eq!(endings(&both, Edition::Fide2009, DeadAnswer::Alive), []);
        assert_eq!(endings(&both, Edition::Fide2009, DeadAnswer::Proved), [DeadPosition]);
    }

    #[test]
    fn what_a_later_edition_would_end_is_told_quietly() {
        let mut game = from("4k3/8/8/8/8/8/r7/4K3 w - - 134 100");
        play(&mut game, &"Kf1 Rb2 Ke1 Ra2 ".repeat(4));
        let Verdict::Open { later, claims } = verdict(&game, Edition::Fide2009, DeadAnswer::Alive)
        else {
            panic!("nothing ends a game by itself before 2014");
        };
        assert_eq!(later, [Ending::FivefoldRepetition, Ending::SeventyFiveMoves]);
        assert!(claims.len() >= 2);
        // Five times, but not with every second move: only from 2017 on.
        let mut scattered = History::default();
        play(&mut scattered, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        play(&mut scattered, "Nf3 Nf6 Nc3 Nc6 Ng1 Ng8 Nb1 Nb8");
        assert_eq!(scattered.last().occurrence, Count::Exact(5));
        let Verdict::Open { later, .. } = verdict(&scattered, Edition::Fide2014, DeadAnswer::Alive)
        else {
            panic!("plies 0, 4, 8, 12, 20 do not count in 2014");
        };
        assert_eq!(later, [Ending::FivefoldRepetition]);
        let fivefold = [Ending::FivefoldRepetition];
        assert_eq!(endings(&scattered, Edition::Fide2017, DeadAnswer::Alive), fivefold);
    }

    #[test]
    fn plies_around_a_gap_are_not_every_second_move() {
        let mut game = History::default();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        game.resume(game.start().position.clone()).unwrap();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8");
        assert_eq!(game.last().occurrence, Count::AtLeast(5));
        assert_eq!(endings(&game, Edition::Fide2014, DeadAnswer::Alive), []);
        let certain = [Ending::FivefoldRepetition];
        assert_eq!(endings(&game, Edition::Fide2023, DeadAnswer::Alive), certain);
    }

    #[test]
    fn the_first_end_stays_unless_it_is_taken_back() {
        let mut game = from("6k1/5ppp/8/8/8/8/8/R5K1 w - - 148 100");
        let mut latch = Latch::default();
        let look = |game: &History, latch: &mut Latch| {
            latch.see(&verdict(game, Edition::Fide2023, DeadAnswer::Alive))
        };
        for (moves, first) in [("Kf1", false), ("Kf8", true), ("Kg1", false), ("Kg8", false)] {
            play(&mut game, moves);
            assert_eq!(look(&game, &mut latch), first, "{moves}");
        }
        play(&mut game, "Ra8");
        assert!(!look(&game, &mut latch), "mate came after the draw");
        assert_eq!(latch.first().map(|over| (over.ply, over.outcome)), {
            Some((Ply(2), KnownOutcome::Draw))
        });
        assert_eq!(latch.take_back_to(Ply(2)), None);
        assert!(latch.first().is_some());
        assert_eq!(latch.take_back_to(Ply(1)).map(|over| over.ply), Some(Ply(2)));
        assert_eq!(latch.first(), None);
        game.take_back_to(Ply(1)).unwrap();
        play(&mut game, "h5");
        assert!(!look(&game, &mut latch));
    }

    #[test]
    fn names_are_those_of_events() {
        for ending in Ending::ALL {
            let json = serde_json::to_string(&ending).unwrap();
            assert_eq!(json, format!("\"{}\"", ending.name()));
        }
        for kind in [ClaimKind::Threefold, ClaimKind::Fifty] {
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{}\"", kind.name()));
        }
    }
}
