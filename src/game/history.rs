//! The plies of one game and the counts along them.

use shakmaty::{
    Bitboard, CastlingMode, Chess, EnPassantMode, Move, Position, PositionError, san::San,
};

use super::{Count, Key};
use crate::units::{Millis, Ply};

/// What is known of the moves that led to the position a history begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Past {
    /// There were none, or they do not matter: the game begins here. The position's half-move
    /// counter is taken as given.
    Nothing,
    /// There were some, and the position's half-move counter is right. Earlier occurrences of
    /// positions are not known unless the counter is 0.
    Counted,
    /// There were some, and the position's half-move counter is only a lower bound.
    Unknown,
}

/// How a ply came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The position the history begins with.
    Start,
    /// A legal move.
    Move(Move),
    /// A move against Article 3 that was left standing.
    Irregular,
    /// An unknown number of moves was lost; the position was found as it is.
    Gap,
}

/// What the clocks showed when a ply was made; `None` where nobody knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// White's remaining time.
    pub white: Option<Millis>,
    /// Black's remaining time.
    pub black: Option<Millis>,
}

/// Everything known about one ply.
#[derive(Clone, Debug)]
pub struct PlyRecord {
    /// The position after the ply.
    pub position: Chess,
    /// Its identity for repetition.
    pub key: Key,
    /// How it came about.
    pub step: Step,
    /// How often this position has occurred, this time included.
    pub occurrence: Count,
    /// Half-moves since the last pawn move or capture.
    pub quiet: Count,
    /// What the clocks showed.
    pub clocks: Clocks,
    /// The earliest ply at which this position can have stood before.
    window: u32,
    /// Whether earlier occurrences may have escaped (unknown past or gap since the last pawn move
    /// or capture).
    blind: bool,
    /// Whether a move against the Laws stands at this ply or before: then a pawn may have gone
    /// back, and neither pawn moves nor captures put older positions out of reach.
    irregular: bool,
}

impl PlyRecord {
    /// The half-move counter after one more move, and whether that move puts all older positions
    /// out of reach.
    fn after_move(&self, pawn_or_capture: bool) -> (Count, bool) {
        if pawn_or_capture {
            (Count::Exact(0), !self.irregular)
        } else {
            (self.quiet.plus_one(), false)
        }
    }
}

/// A ply that a history does not have, or a move it cannot take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// The move is against Article 3 in the latest position.
    #[error("{move_text} is not legal at ply {ply}")]
    Illegal {
        /// The ply whose position refused the move.
        ply: Ply,
        /// The move in algebraic notation.
        move_text: String,
    },
    /// The ply lies after the latest one.
    #[error("there is no ply {got}: the game has reached ply {latest}")]
    NoSuchPly {
        /// The ply asked for.
        got: Ply,
        /// The latest ply there is.
        latest: Ply,
    },
    /// The game is longer than any game can be.
    #[error("the game is longer than {} plies", History::MAX_PLIES)]
    TooLong,
}

/// A game from its first known position on.
///
/// Taking a move costs microseconds (the earlier positions since the last pawn move or capture are
/// compared by key); memory grows by a constant per ply.
///
/// Ply 0 is the first position and its first occurrence; the half-move counter starts at what the
/// position says.
#[derive(Clone, Debug)]
pub struct History {
    /// Never empty: element 0 is the start.
    plies: Vec<PlyRecord>,
    past: Past,
}

impl Default for History {
    /// A game from the initial array.
    fn default() -> History {
        History::new(Chess::default(), Past::Nothing)
    }
}

impl History {
    /// Longest game a history takes, in plies: far beyond the longest possible game (about 11800
    /// plies under the 75-move rule), so that a stream of nonsense cannot fill the memory.
    pub const MAX_PLIES: u32 = 20_000;

    /// A history that begins with a position. Its castling mode (standard or Chess960) is the
    /// position's.
    pub fn new(position: Chess, past: Past) -> History {
        let given = position.halfmoves();
        let quiet = match past {
            Past::Nothing | Past::Counted => Count::Exact(given),
            Past::Unknown => Count::AtLeast(given),
        };
        let blind = match past {
            Past::Nothing => false,
            Past::Counted => given > 0,
            Past::Unknown => true,
        };
        let occurrence = if blind { Count::AtLeast(1) } else { Count::Exact(1) };
        let key = Key::of(&position);
        let clocks = Clocks::default();
        let step = Step::Start;
        History {
            plies: vec![PlyRecord {
                position,
                key,
                step,
                occurrence,
                quiet,
                clocks,
                window: 0,
                blind,
                irregular: false,
            }],
            past,
        }
    }

    /// The position at the start.
    pub fn start(&self) -> &PlyRecord {
        &self.plies[0]
    }

    /// What is known of the moves before the start.
    pub const fn past(&self) -> Past {
        self.past
    }

    /// The latest ply.
    pub fn latest(&self) -> Ply {
        Ply(u32::try_from(self.plies.len() - 1).unwrap_or(u32::MAX))
    }

    /// Everything known about the latest ply.
    pub fn last(&self) -> &PlyRecord {
        &self.plies[self.plies.len() - 1]
    }

    /// The latest position.
    pub fn position(&self) -> &Chess {
        &self.last().position
    }

    /// Everything known about a ply, `None` if the game has not reached it.
    pub fn at(&self, ply: Ply) -> Option<&PlyRecord> {
        self.plies.get(ply.index())
    }

    /// The plies from 0 on.
    pub fn plies(&self) -> &[PlyRecord] {
        &self.plies
    }

    /// Whether castling follows the standard rules or those of Chess960.
    pub fn castling_mode(&self) -> CastlingMode {
        self.start().position.castles().mode()
    }

    /// Makes a legal move; says which ply it was.
    pub fn play(&mut self, m: Move) -> Result<Ply, HistoryError> {
        if !self.position().is_legal(m) {
            let move_text = San::from_move(self.position(), m).to_string();
            return Err(HistoryError::Illegal { ply: self.latest(), move_text });
        }
        let mut position = self.position().clone();
        position.play_unchecked(m);
        let (quiet, cut) = self.last().after_move(m.is_zeroing());
        self.push(position, Step::Move(m), quiet, cut)
    }

    /// Takes a position that a move against Article 3 led to and that is left standing (Article
    /// 7.5 no longer applies, or the arbiter was not called). `pawn_or_capture` says whether that
    /// move moved a pawn or captured. Counting goes on.
    pub fn stand(&mut self, position: Chess, pawn_or_capture: bool) -> Result<Ply, HistoryError> {
        let (quiet, _) = self.last().after_move(pawn_or_capture);
        // A pawn may have gone back to where it stood before, so the search opens up again.
        self.push(position, Step::Irregular, quiet, false)
    }

    /// Takes a position found after moves that nobody recorded. Its half-move counter is taken as
    /// a lower bound (see [`History::quiet_floor`]); its castling rights are the caller's, who must
    /// not give back rights that were lost.
    pub fn resume(&mut self, position: Chess) -> Result<Ply, HistoryError> {
        let quiet = Count::AtLeast(position.halfmoves());
        self.push(position, Step::Gap, quiet, false)
    }

    /// Makes a legal move before which an unknown number of moves may have been lost, all of them
    /// since the latest ply; says which ply it was. What is counted becomes a lower bound, unless the
    /// move is a pawn's or a capture. Without `keep_rights` all castling rights are lost meanwhile, but
    /// for the one a castling move uses.
    pub fn play_after_gap(&mut self, m: Move, keep_rights: bool) -> Result<Ply, HistoryError> {
        let before = self.latest();
        let (exact, cut) = self.last().after_move(m.is_zeroing());
        self.play(m)?;
        let quiet = if m.is_zeroing() { exact } else { Count::AtLeast(exact.value()) };
        let mut position = self.position().clone();
        if !keep_rights && !position.castles().is_empty() {
            let mut setup = position.to_setup(EnPassantMode::Always);
            setup.castling_rights = Bitboard::EMPTY;
            position = setup
                .position::<Chess>(self.castling_mode())
                .or_else(PositionError::ignore_too_much_material)
                .or_else(PositionError::ignore_impossible_check)
                .unwrap_or(position);
        }
        self.plies.truncate(before.index() + 1);
        self.push(position, Step::Gap, quiet, cut)
    }

    /// Least half-moves since the last pawn move or capture if moves were lost between the latest
    /// position and `found`: the present count when all pawns still stand and nothing is missing
    /// (pawns do not go back and men do not return), 0 otherwise.
    pub fn quiet_floor(&self, found: &Chess) -> u32 {
        let (before, after) = (self.position().board(), found.board());
        let same_pawns = before.pawns() == after.pawns()
            && before.pawns() & before.white() == after.pawns() & after.white();
        if same_pawns && before.material() == after.material() {
            self.last().quiet.value()
        } else {
            0
        }
    }

    /// Goes back to a ply: what came after it is void, and position, counters, rights and
    /// occurrences are again those of that ply.
    pub fn take_back_to(&mut self, ply: Ply) -> Result<(), HistoryError> {
        if ply > self.latest() {
            return Err(HistoryError::NoSuchPly { got: ply, latest: self.latest() });
        }
        self.plies.truncate(ply.index() + 1);
        Ok(())
    }

    /// Notes what the clocks showed at a ply.
    pub fn set_clocks(&mut self, ply: Ply, clocks: Clocks) -> Result<(), HistoryError> {
        let latest = self.latest();
        let record = self.plies.get_mut(ply.index());
        record.ok_or(HistoryError::NoSuchPly { got: ply, latest })?.clocks = clocks;
        Ok(())
    }

    /// How often `key` has stood at plies 0 to `ply`, whatever came later. Looks at every ply.
    pub fn occurrences(&self, key: &Key, ply: Ply) -> u32 {
        let seen = self.plies.iter().take(ply.index() + 1).filter(|p| p.key == *key).count();
        u32::try_from(seen).unwrap_or(u32::MAX)
    }

    /// What the counters would be after the legal move `m` at `ply`, were it made: the occurrence
    /// it would be of its position, and the half-moves without pawn move or capture. `None` if the
    /// game has not reached `ply` or the move is not legal there.
    pub fn announced(&self, ply: Ply, m: Move) -> Option<(Count, Count)> {
        let now = self.at(ply)?;
        let position = now.position.clone().play(m).ok()?;
        let key = Key::of(&position);
        let (quiet, cut) = now.after_move(m.is_zeroing());
        if cut {
            return Some((Count::Exact(1), quiet));
        }
        Some((next_occurrence(self.window(ply), &key, now.blind), quiet))
    }

    /// The plies up to `ply` whose position may return: those since the last pawn move or capture.
    pub fn window(&self, ply: Ply) -> &[PlyRecord] {
        let end = (ply.index() + 1).min(self.plies.len());
        let start = self.at(ply).map_or(end, |p| p.window as usize);
        self.plies.get(start..end).unwrap_or(&[])
    }

    /// Whether earlier positions may be unknown at `ply`, so that counts of occurrences are lower
    /// bounds there.
    pub fn is_blind(&self, ply: Ply) -> bool {
        self.at(ply).is_some_and(|p| p.blind)
    }

    fn push(
        &mut self,
        position: Chess,
        step: Step,
        quiet: Count,
        cut: bool,
    ) -> Result<Ply, HistoryError> {
        let before = self.latest();
        if before.0 >= History::MAX_PLIES {
            return Err(HistoryError::TooLong);
        }
        let ply = before.next();
        let last = self.last();
        let (window, blind) = match step {
            _ if cut => (ply.0, false),
            Step::Irregular => (0, self.plies.iter().any(|p| p.blind)),
            Step::Gap => (last.window, true),
            Step::Start | Step::Move(_) => (last.window, last.blind),
        };
        let irregular = last.irregular || step == Step::Irregular;
        let key = Key::of(&position);
        let earlier = self.plies.get(window as usize..).unwrap_or(&[]);
        let occurrence = next_occurrence(earlier, &key, blind);
        self.plies.push(PlyRecord {
            position,
            key,
            step,
            occurrence,
            quiet,
            clocks: Clocks::default(),
            window,
            blind,
            irregular,
        });
        Ok(ply)
    }
}

/// The occurrence a position with this key would be after these plies.
fn next_occurrence(earlier: &[PlyRecord], key: &Key, blind: bool) -> Count {
    let seen = earlier.iter().filter(|p| p.key == *key).count();
    let n = u32::try_from(seen).unwrap_or(u32::MAX).saturating_add(1);
    if blind { Count::AtLeast(n) } else { Count::Exact(n) }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    fn play(history: &mut History, moves: &str) {
        for text in moves.split_whitespace() {
            let m = text.parse::<San>().unwrap().to_move(history.position()).unwrap();
            history.play(m).unwrap();
        }
    }

    fn counts(history: &History) -> (Count, Count) {
        (history.last().occurrence, history.last().quiet)
    }

    #[test]
    fn counting_and_taking_back() {
        let mut game = History::default();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        assert_eq!(counts(&game), (Count::Exact(2), Count::Exact(7)));
        play(&mut game, "Ng8");
        assert_eq!(counts(&game), (Count::Exact(3), Count::Exact(8)));
        play(&mut game, "e4");
        assert_eq!(counts(&game), (Count::Exact(1), Count::Exact(0)));
        let key = game.last().key;
        play(&mut game, "Nf6");
        game.take_back_to(Ply(4)).unwrap();
        assert_eq!(counts(&game), (Count::Exact(2), Count::Exact(4)));
        play(&mut game, "e4");
        assert_eq!(game.last().key, key, "rights and en passant are those of the ply");
        assert_eq!(
            game.take_back_to(Ply(6)),
            Err(HistoryError::NoSuchPly { got: Ply(6), latest: Ply(5) })
        );
    }

    #[test]
    fn an_illegal_move_is_refused_and_changes_nothing() {
        let mut game = History::default();
        let m = Move::Normal {
            role: shakmaty::Role::Knight,
            from: shakmaty::Square::G1,
            capture: None,
            to: shakmaty::Square::G3,
            promotion: None,
        };
        assert!(matches!(game.play(m), Err(HistoryError::Illegal { ply: Ply(0), .. })));
        assert_eq!(game.latest(), Ply(0));
    }

    #[test]
    fn unknown_past_makes_lower_bounds_until_it_cannot_matter() {
        let start = position("4k3/8/8/8/8/8/4P3/R3K3 w - - 30 40");
        for (past, first) in [
            (Past::Nothing, (Count::Exact(1), Count::Exact(30))),
            (Past::Counted, (Count::AtLeast(1), Count::Exact(30))),
            (Past::Unknown, (Count::AtLeast(1), Count::AtLeast(30))),
        ] {
            let mut game = History::new(start.clone(), past);
            assert_eq!(counts(&game), first, "{past:?}");
            play(&mut game, "Kd2 Kd7");
            assert_eq!(game.last().quiet.value(), 32);
            assert_eq!(game.last().quiet.is_exact(), past != Past::Unknown);
            play(&mut game, "e3");
            assert_eq!(counts(&game), (Count::Exact(1), Count::Exact(0)), "{past:?}");
        }
        let fresh = position("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 40");
        assert_eq!(counts(&History::new(fresh, Past::Counted)), (Count::Exact(1), Count::Exact(0)));
    }

    #[test]
    fn a_gap_keeps_what_was_seen() {
        let mut game = History::default();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8");
        let found = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(game.quiet_floor(&found), 4);
        game.resume(found).unwrap();
        assert_eq!(counts(&game), (Count::AtLeast(3), Count::AtLeast(0)));
        play(&mut game, "Nf3");
        assert_eq!(counts(&game), (Count::AtLeast(2), Count::AtLeast(1)));
        play(&mut game, "e5");
        assert_eq!(counts(&game), (Count::Exact(1), Count::Exact(0)));
        let fewer = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1");
        assert_eq!(game.quiet_floor(&fewer), 0);
    }

    #[test]
    fn a_pawn_put_back_against_the_laws_does_not_hide_older_positions() {
        let mut game = History::default();
        play(&mut game, "e4 e5 Nf3 Nf6");
        let third = game.last().key;
        play(&mut game, "d3 Nc6");
        // Black takes two men back at once: the position after 2...Nf6 stands again.
        game.stand(
            position("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"),
            true,
        )
        .unwrap();
        assert_eq!(game.last().key, third);
        assert_eq!(game.last().occurrence, Count::Exact(2), "after Nf6 and now");
    }

    #[test]
    fn announced_moves_are_counted_without_being_played() {
        let mut game = History::default();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        let find = |text: &str| text.parse::<San>().unwrap().to_move(game.position()).unwrap();
        assert_eq!(game.announced(Ply(7), find("Ng8")), Some((Count::Exact(3), Count::Exact(8))));
        assert_eq!(game.announced(Ply(7), find("e5")), Some((Count::Exact(1), Count::Exact(0))));
        assert_eq!(game.announced(Ply(8), find("e5")), None);
    }
}
