//! A number that is either known exactly or known to be at least so much.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A count made along a game, and how certain it is.
///
/// After a gap in the record, or in a game whose beginning was not seen, only the part that was
/// seen can be counted. That part never over-counts, so a threshold that is reached is reached for
/// certain; one that is not reached may have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// Everything there is to count was seen.
    Exact(u32),
    /// So much was seen; there may have been more.
    AtLeast(u32),
}

impl Count {
    /// The number counted.
    pub const fn value(self) -> u32 {
        match self {
            Count::Exact(n) | Count::AtLeast(n) => n,
        }
    }

    /// Whether nothing can have escaped the count.
    pub const fn is_exact(self) -> bool {
        matches!(self, Count::Exact(_))
    }

    /// One more, as certain as before.
    #[must_use]
    pub const fn plus_one(self) -> Count {
        match self {
            Count::Exact(n) => Count::Exact(n.saturating_add(1)),
            Count::AtLeast(n) => Count::AtLeast(n.saturating_add(1)),
        }
    }

    /// Whether the true number is at least `threshold`: yes, no, or (a lower bound that falls
    /// short) unknown as `None`.
    pub const fn reaches(self, threshold: u32) -> Option<bool> {
        match self {
            Count::Exact(n) => Some(n >= threshold),
            Count::AtLeast(n) if n >= threshold => Some(true),
            Count::AtLeast(_) => None,
        }
    }
}

impl fmt::Display for Count {
    /// `3`, or `3+` for a lower bound.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Exact(n) => n.fmt(f),
            Count::AtLeast(n) => write!(f, "{n}+"),
        }
    }
}
