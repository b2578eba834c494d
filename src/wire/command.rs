//! What may be said to a board.
//!
//! Only these commands can be expressed. A board also obeys bytes that start its firmware loader
//! (`4e`), are stored in its EEPROM (`51`, `53`, `54`), switch it to bus mode (`4a` and everything
//! from `80` up) or make an ordinary board hang (`60`), and clock commands that change what the
//! players see: none of them has a name here.

/// A command that does not change what the players or the arbiter see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Command {
    /// `40`: be quiet until asked. No answer.
    Reset,
    /// `41`: tell the clock's times now. Answer `8d`.
    SendClock,
    /// `42`: tell all squares now. Answer `86`.
    SendBoard,
    /// `43`: report changes of squares, and the clock at least once a second. No answer.
    Update,
    /// `44`: report changes of squares. No answer.
    UpdateBoard,
    /// `45`: tell the serial number. Answer `91`.
    SerialNumber,
    /// `46`: tell the bus address. Answer `90`.
    BusAddress,
    /// `47`: tell the maker's notice. Answer `92`.
    Trademark,
    /// `49`: send the board's own log. Answer `8f`, which takes over eight seconds.
    EventLog,
    /// `4b`: report changes of squares and of the clock. No answer.
    UpdateNice,
    /// `4c`: tell the state of the battery. Answer `a0`, from Bluetooth boards only.
    Battery,
    /// `4d`: tell the firmware version. Answer `93`.
    Version,
    /// `55`: tell the long serial number. Answer `a2`, from newer boards only.
    LongSerialNumber,
    /// `2b 03 03 09 00`: ask the clock for its version. Answer: a clock acknowledgement, in modes
    /// [`Command::Update`] and [`Command::UpdateNice`] only. Shows nothing on the clock.
    ClockVersion,
}

impl Command {
    /// Every command there is.
    pub const ALL: [Command; 14] = [
        Command::Reset,
        Command::SendClock,
        Command::SendBoard,
        Command::Update,
        Command::UpdateBoard,
        Command::SerialNumber,
        Command::BusAddress,
        Command::Trademark,
        Command::EventLog,
        Command::UpdateNice,
        Command::Battery,
        Command::Version,
        Command::LongSerialNumber,
        Command::ClockVersion,
    ];

    /// The bytes to write to the board.
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Command::Reset => &[0x40],
            Command::SendClock => &[0x41],
            Command::SendBoard => &[0x42],
            Command::Update => &[0x43],
            Command::UpdateBoard => &[0x44],
            Command::SerialNumber => &[0x45],
            Command::BusAddress => &[0x46],
            Command::Trademark => &[0x47],
            Command::EventLog => &[0x49],
            Command::UpdateNice => &[0x4b],
            Command::Battery => &[0x4c],
            Command::Version => &[0x4d],
            Command::LongSerialNumber => &[0x55],
            Command::ClockVersion => &[0x2b, 0x03, 0x03, 0x09, 0x00],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_dangerous_can_be_said() {
        for command in Command::ALL {
            let bytes = command.bytes();
            assert!(bytes.iter().all(|byte| *byte < 0x80), "{command:?}");
            for danger in [0x4a, 0x4e, 0x51, 0x53, 0x54, 0x60] {
                assert_ne!(bytes[0], danger, "{command:?}");
            }
            // The size byte counts what follows it.
            if bytes.len() > 1 {
                assert_eq!(usize::from(bytes[1]), bytes.len() - 2, "{command:?}");
                assert_eq!(bytes.last(), Some(&0), "{command:?}");
            }
        }
    }
}
