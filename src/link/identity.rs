//! What a board says of itself, and when to tell it.

use super::{BoardEvent, Identity, Output};
use crate::wire::{Battery, Version};

/// Collects the answers about the board itself.
///
/// The first [`BoardEvent::Identified`] is held back until a serial number is known, at the longest
/// until the first dump: the serial number names the board.
#[derive(Clone, Debug, Default)]
pub(super) struct Introduction {
    identity: Identity,
    major: u8,
    has_long_serial: bool,
    /// A serial number that contradicts the known one, heard once. One damaged digit must not turn
    /// one board into another.
    contradiction: Option<String>,
    /// Something is known that has not been told.
    news: bool,
    told: bool,
}

impl Introduction {
    pub(super) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Firmware 2 and later has a long serial number.
    pub(super) fn should_have_long_serial(&self) -> bool {
        self.has_long_serial || self.major >= 2
    }

    /// The board has told a long serial number. Only such boards may have a battery.
    pub(super) fn has_long_serial(&self) -> bool {
        self.has_long_serial
    }

    pub(super) fn version(&mut self, version: Version, out: &mut Vec<Output>) {
        self.major = version.major;
        let text = version.to_string();
        if self.identity.version.as_ref() != Some(&text) {
            self.identity.version = Some(text);
            self.changed(out);
        }
    }

    pub(super) fn trademark(&mut self, text: String, out: &mut Vec<Output>) {
        if self.identity.trademark.as_ref() != Some(&text) {
            self.identity.trademark = Some(text);
            self.changed(out);
        }
    }

    pub(super) fn battery(&mut self, battery: Battery, out: &mut Vec<Output>) {
        if self.identity.battery_percent != Some(battery.percent) {
            self.identity.battery_percent = Some(battery.percent);
            self.changed(out);
        }
    }

    /// Takes a five-digit serial number. Returns whether it should be asked for once more.
    pub(super) fn short_serial(&mut self, serial: &str, out: &mut Vec<Output>) -> bool {
        !self.has_long_serial && self.serial(serial.to_owned(), out)
    }

    /// Takes a long serial number, which outranks a short one. Returns whether it should be asked
    /// for once more.
    pub(super) fn long_serial(&mut self, serial: String, out: &mut Vec<Output>) -> bool {
        if !std::mem::replace(&mut self.has_long_serial, true) {
            self.identity.serial = None;
            self.contradiction = None;
        }
        self.serial(serial, out)
    }

    fn serial(&mut self, serial: String, out: &mut Vec<Output>) -> bool {
        let known = self.identity.serial.as_ref();
        if known == Some(&serial) {
            self.contradiction = None;
            return false;
        }
        if known.is_some() && self.contradiction.as_ref() != Some(&serial) {
            self.contradiction = Some(serial);
            return true;
        }
        self.contradiction = None;
        self.identity.serial = Some(serial);
        self.changed(out);
        false
    }

    /// Tells what is known when a dump is about to be told.
    pub(super) fn tell_before_dump(&mut self, out: &mut Vec<Output>) {
        if self.news {
            self.tell(out);
        }
    }

    fn changed(&mut self, out: &mut Vec<Output>) {
        self.news = true;
        if self.told || self.identity.serial.is_some() {
            self.tell(out);
        }
    }

    fn tell(&mut self, out: &mut Vec<Output>) {
        self.news = false;
        self.told = true;
        out.push(Output::Event(BoardEvent::Identified(self.identity.clone())));
    }
}
