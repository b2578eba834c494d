//! The only reader of clocks. Everything else is told the time.

use std::time::Duration;

use tokio::time::Instant;

use crate::units::Stamp;

/// The time of day, microseconds since the epoch.
pub fn wall_micros() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    let now = std::time::SystemTime::now();
    let since = now.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

/// The time of one board: since it was first attached, or a capture's own.
#[derive(Clone, Copy, Debug)]
pub struct BoardClock {
    origin: Instant,
    /// What it showed at `origin`.
    base: Stamp,
    pace: Pace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// As it goes.
    Live,
    /// So many thousandths as fast.
    Scaled(u32),
    /// No waiting at all.
    Unbound,
}

impl BoardClock {
    /// A clock that begins now and runs as clocks do.
    pub fn live() -> BoardClock {
        BoardClock::live_from(Stamp::ZERO)
    }

    /// A clock that shows `base` now and runs as clocks do: the board was attached so long ago.
    pub fn live_from(base: Stamp) -> BoardClock {
        BoardClock { origin: now(), base, pace: Pace::Live }
    }

    /// What the clock showed when it was made.
    pub fn base(&self) -> Stamp {
        self.base
    }

    /// A clock that begins now and runs `speed_milli` thousandths as fast; 0: nothing is waited for.
    pub fn scaled(speed_milli: u64) -> BoardClock {
        let pace = match u32::try_from(speed_milli) {
            Ok(milli) if milli > 0 => Pace::Scaled(milli),
            _ => Pace::Unbound,
        };
        BoardClock { origin: now(), base: Stamp::ZERO, pace }
    }

    /// How many thousandths of a second pass on it in one; 0: time does not pass by itself.
    pub fn speed_milli(&self) -> u64 {
        match self.pace {
            Pace::Live => 1_000,
            Pace::Scaled(milli) => milli.into(),
            Pace::Unbound => 0,
        }
    }

    /// Whether time passes by itself.
    pub fn is_unbound(&self) -> bool {
        self.pace == Pace::Unbound
    }

    /// The moment it is. A clock that waits for nothing always stands at its beginning.
    pub fn now(&self) -> Stamp {
        let real = now() - self.origin;
        match self.pace {
            Pace::Live => self.base + real,
            Pace::Scaled(milli) => {
                let nanos = real.as_nanos() * u128::from(milli) / 1_000;
                Stamp::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
            }
            Pace::Unbound => Stamp::ZERO,
        }
    }

    /// Waits until it is `moment`.
    pub async fn until(&self, moment: Stamp) {
        let real = match self.pace {
            Pace::Live => moment.since(self.base),
            Pace::Scaled(milli) => {
                let nanos = u128::from(moment.as_nanos()) * 1_000 / u128::from(milli);
                // A little late rather than early, so that `now` has passed it.
                Duration::from_nanos(u64::try_from(nanos + 1).unwrap_or(u64::MAX))
            }
            Pace::Unbound => return tokio::task::yield_now().await,
        };
        match self.origin.checked_add(real) {
            Some(instant) => tokio::time::sleep_until(instant).await,
            None => std::future::pending().await,
        }
    }
}

fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_scaled_clock_is_never_early() {
        for milli in [1, 333, 1_000, 7_001, 1_000_000] {
            let clock = BoardClock::scaled(milli);
            for millis in [1, 5, 1234] {
                clock.until(Stamp::from_millis(millis)).await;
                assert!(clock.now() >= Stamp::from_millis(millis), "{milli} {millis}");
            }
        }
    }
}
