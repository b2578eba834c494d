//! Words every layer may use: numbers with a meaning have a type.
//!
//! Nothing here knows about boards, chess or files.

use std::{fmt, ops, str::FromStr, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

/// A moment, as the time since the board was attached (or since a capture began).
///
/// Kept in nanoseconds, so that a capture's nine decimals survive a round trip. It is not a date:
/// only the shell knows what time of day it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(u64);

impl Stamp {
    /// The moment of attaching.
    pub const ZERO: Stamp = Stamp(0);

    /// A moment `nanos` nanoseconds after attaching.
    pub const fn from_nanos(nanos: u64) -> Stamp {
        Stamp(nanos)
    }

    /// A moment `micros` microseconds after attaching.
    pub const fn from_micros(micros: u64) -> Stamp {
        Stamp(micros.saturating_mul(1_000))
    }

    /// A moment `millis` milliseconds after attaching.
    pub const fn from_millis(millis: u64) -> Stamp {
        Stamp(millis.saturating_mul(1_000_000))
    }

    /// Nanoseconds since attaching.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Whole microseconds since attaching, rounded down.
    pub const fn as_micros(self) -> u64 {
        self.0 / 1_000
    }

    /// Whole milliseconds since attaching, rounded down.
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000_000
    }

    /// Seconds since attaching, rounded down to whole microseconds: the `t` of events.
    #[expect(clippy::cast_precision_loss, reason = "a game lasts far less than 2^53 microseconds")]
    pub fn as_seconds(self) -> f64 {
        self.as_micros() as f64 / 1e6
    }

    /// The time from `earlier` to `self`, zero when `earlier` is later.
    pub const fn since(self, earlier: Stamp) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

impl ops::Add<Duration> for Stamp {
    type Output = Stamp;

    fn add(self, wait: Duration) -> Stamp {
        Stamp(self.0.saturating_add(u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX)))
    }
}

impl fmt::Display for Stamp {
    /// Seconds with six decimals: `12.250000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000_000, self.0 / 1_000 % 1_000_000)
    }
}

/// A number of half-moves. Ply 0 is the position the game began with, ply 1 the position after
/// White's first move of a game that White began.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Ply(pub u32);

impl Ply {
    /// The ply after this one.
    #[must_use]
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }

    /// As an index into a list whose element 0 belongs to ply 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The name of a board: its serial number, or the name the configuration gives it.
///
/// Letters, digits, `_` and `-` only, 1 to 32 of them, so that it can stand in file names. A D-Bus
/// path element writes `-` as `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardId(Arc<str>);

/// A text that cannot name a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} cannot name a board: use 1 to 32 letters, digits, `_` or `-`")]
pub struct BadBoardId(pub String);

impl BoardId {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for BoardId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl FromStr for BoardId {
    type Err = BadBoardId;

    fn from_str(text: &str) -> Result<BoardId, BadBoardId> {
        let fine = (1..=32).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if fine { Ok(BoardId(text.into())) } else { Err(BadBoardId(text.to_owned())) }
    }
}

impl fmt::Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An amount of a player's clock time, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub u64);

impl Millis {
    /// Whole seconds.
    pub const fn from_seconds(seconds: u64) -> Millis {
        Millis(seconds * 1_000)
    }

    /// Whole seconds, rounded down.
    pub const fn as_seconds(self) -> u64 {
        self.0 / 1_000
    }
}

impl fmt::Display for Millis {
    /// `h:mm:ss`, with `.mmm` behind it when there is a fraction: `1:29:59.500`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = self.0 / 1_000;
        write!(f, "{}:{:02}:{:02}", s / 3_600, s / 60 % 60, s % 60)?;
        match self.0 % 1_000 {
            0 => Ok(()),
            fraction => write!(f, ".{fraction:03}"),
        }
    }
}

/// A text that is not a clock time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a clock time: write h:mm:ss, m:ss or h:mm:ss.mmm")]
pub struct BadClockTime(pub String);

impl FromStr for Millis {
    type Err = BadClockTime;

    fn from_str(text: &str) -> Result<Millis, BadClockTime> {
        let bad = || BadClockTime(text.to_owned());
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let parts: Vec<u64> =
            whole.split(':').map(digits).collect::<Option<_>>().ok_or_else(bad)?;
        let seconds = match parts[..] {
            [h, m, s] if h < 100 && m < 60 && s < 60 => h * 3_600 + m * 60 + s,
            [m, s] if m < 1_000 && s < 60 => m * 60 + s,
            _ => return Err(bad()),
        };
        let millis = match fraction.len() {
            0 if !text.ends_with('.') => 0,
            1..=3 => digits(&format!("{fraction:0<3}")).ok_or_else(bad)?,
            _ => return Err(bad()),
        };
        Ok(Millis(seconds * 1_000 + millis))
    }
}

/// One to nine decimal digits and nothing else.
fn digits(text: &str) -> Option<u64> {
    let plain = (1..=9).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_times_are_read_and_written() {
        for (text, millis) in [
            ("1:30:00", 5_400_000),
            ("0:00:59.500", 59_500),
            ("0:01:00.005", 60_005),
            ("0:00:00", 0),
        ] {
            assert_eq!(text.parse(), Ok(Millis(millis)), "{text}");
            assert_eq!(Millis(millis).to_string(), text);
        }
        assert_eq!("3:05".parse(), Ok(Millis(185_000)));
        for bad in ["", "5", "1:60:00", "1:00:60", "1:2:3:4", "a:00", "1:00.", "1:00.1234", "-1:00"]
        {
            assert!(bad.parse::<Millis>().is_err(), "{bad}");
        }
    }

    #[test]
    fn board_names_are_safe_in_paths() {
        assert!("01025".parse::<BoardId>().is_ok());
        for bad in ["", "a/b", "..", "a b", "é", &"x".repeat(33)] {
            assert!(bad.parse::<BoardId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn stamps_do_not_wrap() {
        assert_eq!(Stamp::ZERO.since(Stamp::from_millis(5)), Duration::ZERO);
        assert_eq!(
            Stamp::from_nanos(u64::MAX) + Duration::from_secs(1),
            Stamp::from_nanos(u64::MAX)
        );
        assert_eq!(Stamp::from_micros(12_250_000).to_string(), "12.250000");
    }
}
