//! Which properties differ between two views of a board.
//!
//! A square changes twice a second on each of hundreds of boards: what did not change is neither
//! read nor compared as a D-Bus value.

use super::board1;
use crate::{
    arbiter::status::{ClockStatus, GameStatus},
    signals::BoardView,
};

/// A property, and whether it differs between two states.
pub type Row<T> = (&'static str, fn(&T, &T) -> bool);

/// Those of `Board1` that a view decides. `Alerts` is not among them.
pub const BOARD1: [Row<BoardView>; 16] = [
    ("Serial", |a, b| a.status.serial != b.status.serial),
    ("Label", |a, b| a.label != b.label),
    ("Port", |a, b| a.port != b.port),
    ("State", |a, b| board1::state(a) != board1::state(b)),
    ("Error", |a, b| a.error != b.error),
    ("Firmware", |a, b| a.status.firmware != b.status.firmware),
    ("Trademark", |a, b| a.status.trademark != b.status.trademark),
    ("Recording", |a, b| a.recording != b.recording),
    ("Battery", |a, b| a.status.battery != b.status.battery),
    ("Placement", |a, b| a.status.placement != b.status.placement),
    ("Flipped", |a, b| a.status.flipped != b.status.flipped),
    ("WhiteClockSide", |a, b| a.status.white_clock_side != b.status.white_clock_side),
    ("NextPairing", |a, b| a.status.next_tags != b.status.next_tags),
    ("Moving", |a, b| a.status.moving != b.status.moving),
    ("Agrees", |a, b| a.status.agrees != b.status.agrees),
    ("GameId", |a, b| a.game_id != b.game_id),
];

/// Those of `Game1`, within one game.
pub const GAME1: [Row<GameStatus>; 15] = [
    ("Edition", |a, b| a.edition != b.edition),
    ("TimeControl", |a, b| a.control != b.control),
    ("Supervision", |a, b| a.supervision != b.supervision),
    ("StartFen", |a, b| a.start_fen != b.start_fen),
    ("State", |a, b| a.stage != b.stage),
    ("Fen", |a, b| a.fen != b.fen),
    ("Turn", |a, b| a.turn != b.turn),
    ("Ply", |a, b| a.ply != b.ply),
    ("LastSan", |a, b| a.last_san != b.last_san),
    ("Provisional", |a, b| a.provisional != b.provisional),
    ("Result", |a, b| a.result != b.result),
    ("Ending", |a, b| (a.ending, a.set_by_arbiter) != (b.ending, b.set_by_arbiter)),
    ("Article", |a, b| a.article != b.article),
    ("EndedAt", |a, b| a.ended != b.ended),
    ("Tags", |a, b| a.tags != b.tags),
];

/// Those of `ArbiterOnly1`.
pub const ARBITER_ONLY1: [Row<BoardView>; 7] = [
    ("GameId", |a, b| a.game_id != b.game_id),
    ("Claims", |a, b| game(a, |g| g.claims.as_slice()) != game(b, |g| g.claims.as_slice())),
    ("HalfmoveClock", |a, b| game(a, |g| g.halfmove_clock) != game(b, |g| g.halfmove_clock)),
    ("Repetitions", |a, b| game(a, |g| g.repetitions) != game(b, |g| g.repetitions)),
    ("Exact", |a, b| game(a, |g| g.exact) != game(b, |g| g.exact)),
    ("IllegalMoves", |a, b| game(a, |g| g.illegal.as_slice()) != game(b, |g| g.illegal.as_slice())),
    ("IllegalMovesCounted", |a, b| {
        game(a, |g| g.illegal_counted) != game(b, |g| g.illegal_counted)
    }),
];

/// Those of `Clock1`.
pub const CLOCK1: [Row<ClockStatus>; 3] = [
    ("Running", |a, b| a.running != b.running),
    ("Lever", |a, b| a.lever != b.lever),
    ("Flag", |a, b| a.flag != b.flag),
];

fn game<'a, T: Default>(view: &'a BoardView, read: impl FnOnce(&'a GameStatus) -> T) -> T {
    view.status.game.as_ref().map(read).unwrap_or_default()
}

/// The names of the rows that differ.
pub fn differing<T>(rows: &[Row<T>], before: &T, after: &T) -> Vec<&'static str> {
    rows.iter().filter(|(_, differ)| differ(before, after)).map(|(name, _)| *name).collect()
}
