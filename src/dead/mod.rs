//! Can either side ever mate? (Articles 5.2.2, 6.9 and 7.5.5, Laws effective 1 January 2023.)
//!
//! In: a legal [`Chess`] position, the side asked about, and a budget counted in positions.
//! Out: a mate line, or a certificate that no legal series of moves mates, or "unknown".
//!
//! The verdict is about *any* series of legal moves (a helpmate), not about best play. Half-move
//! counter and repetition are ignored: Article 3 defines legal moves without Article 9.6, and
//! Articles 5.2.2 and 6.9 speak of legal moves only.
//!
//! Nothing here knows clocks, files, results, or who is to be told. The same position and budget
//! give the same verdict on every machine. Every verdict can be verified by [`check`], which
//! shares no code with the search; debug builds do so before they return.

mod aim;
mod boxed;
mod certificate;
pub mod check;
mod course;
mod dive;
mod key;
mod material;
mod minor;
mod mobility;
mod moves;
mod open;
mod opening;
mod packed;
mod pattern;
mod picture;
mod plan;
mod region;
mod running;
mod score;
mod search;
mod store;
mod unlock;

use shakmaty::{Chess, Color, Move};

pub use certificate::{Certificate, Enumeration, Proof};
pub use material::Shortage;
pub use mobility::Man;
pub use region::{Held, Region};
pub use running::Running;

/// Debug builds verify a verdict at once if it took no more positions than this.
const CHECKED_IN_DEBUG: u32 = 2_000;

/// How much work one question may cost, counted in positions visited (never in time).
///
/// A side-query's search visits at most [`Budget::nodes`] positions, after pictures and walks of at
/// most 2,700 more (a fifth or a third fewer where so many men can move that each takes more memory);
/// its tables take at most [`Budget::memory`] bytes. Every position visited may cost 16 moves
/// generated and no more; regions are charged at their true cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget {
    nodes: u32,
}

impl Budget {
    /// For a live board between two moves: microseconds as a rule. Both sides of the hardest
    /// position together stay under 5 ms (measured in `benches/dead.rs`; about 3 ms on a machine of
    /// 2025, in the thread's own time). What does not fit is for the background.
    pub const LIVE: Budget = Budget { nodes: 2_500 };
    /// For one position judged at leisure, and in the background: up to a fifth of a second in hard
    /// positions, and below 8 MiB.
    pub const DEFAULT: Budget = Budget { nodes: 250_000 };
    /// For studies and locked positions: seconds, and a few hundred MiB.
    pub const LARGE: Budget = Budget { nodes: 4_000_000 };

    /// At most `nodes` positions (1 to 16 million; values outside are clamped).
    pub const fn new(nodes: u32) -> Budget {
        let nodes = if nodes == 0 { 1 } else { nodes };
        Budget { nodes: if nodes > 16_000_000 { 16_000_000 } else { nodes } }
    }

    /// The most memory the tables of one side-query take, in bytes: below 8 MiB for
    /// [`Budget::DEFAULT`]. A certificate comes on top (at most 4,000 regions of about 1 KiB, of
    /// which at most 400 with the proofs of up to six men held, of 1 KiB each).
    pub const fn memory(self) -> usize {
        let nodes = self.nodes as usize;
        let scored = search::scored(nodes);
        let scored = if nodes < scored { nodes } else { scored };
        let open = [store::memory(scored, 16) + 16 * scored, store::memory(nodes, 16) + 4 * nodes];
        if open[0] > open[1] { open[0] } else { open[1] }
    }

    /// The most positions a side-query may visit.
    pub const fn nodes(self) -> u32 {
        self.nodes
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::DEFAULT
    }
}

/// Whether a side can mate by some legal series of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Winnable {
    /// Yes: this legal line ends with the opponent checkmated. Empty if the mate is on the board.
    Yes {
        /// The moves from the position asked about to the mate.
        line: Vec<Move>,
        /// Positions visited.
        nodes: u32,
    },
    /// No legal series of moves mates, and here is why.
    No {
        /// The proof; see [`Certificate::reason`] for its words.
        certificate: Certificate,
        /// Positions visited.
        nodes: u32,
    },
    /// The budget was spent before either was proved. Never ends a game.
    Unknown {
        /// Positions visited.
        nodes: u32,
    },
}

impl Winnable {
    /// `Some(true)`: can mate; `Some(false)`: proved unable; `None`: unknown.
    pub const fn known(&self) -> Option<bool> {
        match self {
            Winnable::Yes { .. } => Some(true),
            Winnable::No { .. } => Some(false),
            Winnable::Unknown { .. } => None,
        }
    }

    /// Positions visited to reach the verdict.
    pub const fn nodes(&self) -> u32 {
        match self {
            Winnable::Yes { nodes, .. }
            | Winnable::No { nodes, .. }
            | Winnable::Unknown { nodes } => *nodes,
        }
    }

    /// The mate line, if there is one.
    pub fn line(&self) -> Option<&[Move]> {
        match self {
            Winnable::Yes { line, .. } => Some(line),
            _ => None,
        }
    }

    /// The proof that this side cannot mate, if there is one.
    pub const fn certificate(&self) -> Option<&Certificate> {
        match self {
            Winnable::No { certificate, .. } => Some(certificate),
            _ => None,
        }
    }
}

/// Whether neither side can ever mate (Article 5.2.2). `Unknown`: budget spent, play on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dead {
    /// Proved: neither side can mate by any legal series of moves.
    Yes,
    /// Refuted: at least one side has a mate line.
    No,
    /// Neither proved nor refuted within the budget.
    Unknown,
}

impl Dead {
    /// From whether White and Black can mate.
    pub const fn of(white: Option<bool>, black: Option<bool>) -> Dead {
        match (white, black) {
            (Some(false), Some(false)) => Dead::Yes,
            (Some(true), _) | (_, Some(true)) => Dead::No,
            _ => Dead::Unknown,
        }
    }
}

/// The verdict on both sides of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Whether White can mate.
    pub white: Winnable,
    /// Whether Black can mate.
    pub black: Winnable,
}

impl Judgement {
    /// Whether the position is dead (Article 5.2.2). Holds for a stalemate too (report 5.2.1 first).
    pub const fn dead(&self) -> Dead {
        Dead::of(self.white.known(), self.black.known())
    }

    /// The verdict on one side (for 6.9 and 7.5.5: ask about the opponent of the player at fault).
    pub const fn side(&self, side: Color) -> &Winnable {
        match side {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// Positions visited for both sides together.
    pub const fn nodes(&self) -> u32 {
        self.white.nodes().saturating_add(self.black.nodes())
    }
}

/// Judges both sides of a position; `budget` holds for each side by itself.
///
/// Never wrong: a side is [`Winnable::No`] only with a proof, [`Winnable::Yes`] only with a line.
pub fn judge(position: &Chess, budget: Budget) -> Judgement {
    Judgement {
        white: can_mate(position, Color::White, budget),
        black: can_mate(position, Color::Black, budget),
    }
}

/// Whether `side` can mate from `position` by any legal series of moves (Articles 5.2.2, 6.9, 7.5.5).
///
/// Whose move it is and both sides' help count; the half-move counter and repetition do not. Mate
/// on the board is tested before material. Limit: within the budget, else [`Winnable::Unknown`].
pub fn can_mate(position: &Chess, side: Color, budget: Budget) -> Winnable {
    checked(position, side, search::decide(position, side, budget))
}

/// Verifies the verdict at once in debug builds, if that does not take too long.
fn checked(position: &Chess, side: Color, verdict: Winnable) -> Winnable {
    if cfg!(debug_assertions) && verdict.nodes() <= CHECKED_IN_DEBUG {
        let checked = check::verdict(position, side, &verdict);
        debug_assert_eq!(checked, Ok(()), "{side} in {position:?}");
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::Budget;

    #[test]
    fn the_default_budget_keeps_its_promise_of_memory() {
        assert!(Budget::DEFAULT.memory() < 8 << 20, "{}", Budget::DEFAULT.memory());
    }
}
