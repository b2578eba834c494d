//! What the clock says in a message `8d`.

use crate::units::Millis;

/// A side of the clock, as seen from its front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClockSide {
    /// The second triple of the message (bytes 6 to 8): White's on a board in normal orientation.
    #[default]
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

/// The answer of a clock to a command, or a report of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClockAck {
    /// The four bytes of the answer, their top bits restored.
    pub bytes: [u8; 4],
}

impl ClockAck {
    /// The clock did what it was told.
    pub const fn accepted(self) -> bool {
        self.bytes[0] == 0x10
    }

    /// The clock sent this on its own (a button, the lever of its mode switch).
    pub const fn unasked(self) -> bool {
        self.bytes[1] & 0x80 != 0
    }

    /// Version of the clock (major, minor), if this is the answer to a question for it.
    pub const fn version(self) -> Option<(u8, u8)> {
        match self.bytes {
            [0x10, 0x09, version, _] => Some((version >> 4, version & 0x0f)),
            _ => None,
        }
    }
}

/// What a message `8d` turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockMessage {
    Reading(ClockReading),
    Absent,
    Ack(ClockAck),
    Null,
    Unreadable([u8; 7]),
}

impl ClockMessage {
    /// Reads the payload of `8d`, bytes 3 to 9 of the message (protocol 4).
    pub(crate) fn decode(payload: [u8; 7]) -> ClockMessage {
        let [b3, b4, b5, b6, b7, b8, b9] = payload;
        if payload == [0; 7] {
            return ClockMessage::Null;
        }
        // No hour digit exceeds nine. Some boards set the mark in one of the two places only.
        if b3 & 0x0f == 0x0a || b6 & 0x0f == 0x0a {
            return ClockMessage::Ack(ClockAck {
                bytes: [
                    b4 & 0x7f | (b6 << 3) & 0x80,
                    b5 & 0x7f | (b6 << 2) & 0x80,
                    b7 & 0x7f | (b3 << 3) & 0x80,
                    b8 & 0x7f | (b3 << 2) & 0x80,
                ],
            });
        }
        if b9 & 0x20 != 0 {
            return ClockMessage::Absent;
        }
        match (side(b3, b4, b5), side(b6, b7, b8)) {
            (Some(right), Some(left)) => ClockMessage::Reading(ClockReading {
                left,
                right,
                running: b9 & 0x01 != 0,
                // Bits 3 and 4 say the same where they are understood; published meanings differ.
                turn: if b9 & 0x02 != 0 { ClockSide::Right } else { ClockSide::Left },
                battery_low: b9 & 0x04 != 0,
            }),
            _ => ClockMessage::Unreadable(payload),
        }
    }
}

/// The time of one side, `None` when its digits are not a time.
fn side(hour: u8, minute: u8, second: u8) -> Option<SideTime> {
    Some(SideTime {
        time: time(hour & 0x0f, minute, second)?,
        flag_fallen: hour & 0x10 != 0,
        increment_shown: hour & 0x20 != 0,
        flag_shown: hour & 0x40 != 0,
    })
}

/// A time of one hour digit and two decimal digits each for minutes and seconds, `None` when it is
/// none.
pub(crate) fn time(hour: u8, minute: u8, second: u8) -> Option<Millis> {
    let sixty = |byte: u8| {
        let (tens, ones) = (byte >> 4, byte & 0x0f);
        (tens < 6 && ones < 10).then(|| u64::from(tens * 10 + ones))
    };
    let seconds = u64::from(hour) * 3_600 + sixty(minute)? * 60 + sixty(second)?;
    (hour < 10).then(|| Millis::from_seconds(seconds))
}
