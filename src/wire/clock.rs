//! What the clock says in a message `8d`.

use crate::units::Millis;

/// A side of the clock, as seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClockSide {
    /// The second triple of the message (bytes 6 to 8): White's on a board in normal orientation.
    Left,
    /// The first triple of the message (bytes 3 to 5).
    Right,
}

impl ClockSide {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> ClockSide {
        match self {
            ClockSide::Left => ClockSide::Right,
            ClockSide::Right => ClockSide::Left,
        }
    }
}

/// The time of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SideTime {
    /// Time shown, whole seconds.
    pub time: Millis,
    /// The flag has fallen and the clock stands at zero.
    pub flag_fallen: bool,
    /// A flag is shown, the clock may run on in its next period.
    pub flag_shown: bool,
    /// The indicator for a time a move (increment or delay) is shown.
    pub increment_shown: bool,
}

/// One valid time message of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClockReading {
    /// The left side.
    pub left: SideTime,
    /// The right side.
    pub right: SideTime,
    /// Some side counts down.
    pub running: bool,
    /// Whose turn the lever shows: the side whose end of the lever is high. It runs, or would run.
    pub turn: ClockSide,
    /// The clock's own battery is low.
    pub battery_low: bool,
}

impl ClockReading {
    /// The time of one side.
    pub const fn side(&self, side: ClockSide) -> SideTime {
        match side {
            ClockSide::Left => self.left,
            ClockSide::Right => self.right,
        }
    }
}
