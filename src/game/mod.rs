//! The line a game has taken, and what the Laws count along it.
//!
//! In: the position a game began with, then moves that were made, moves against the Laws that were
//! left standing, and positions found after a gap. Out: for every ply the position, its repetition
//! [`Key`], how often that position has occurred, how many half-moves passed without pawn move or
//! capture, each marked as exact or as a lower bound, and what the clocks showed.
//!
//! It refuses to know what any count means (that is `laws`), when a move was made or confirmed
//! (that is the caller's), and boards.

mod count;
mod history;
mod key;

pub use count::Count;
pub use history::{Clocks, History, HistoryError, Past, PlyRecord, Step};
pub use key::{Key, is_lawful};
