//! What depends on the port a board is on.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::time::Duration;

use super::*;
use crate::wire::{Contact, message};

/// How often the board at this port tells that White's knight was touched, when it is off its square
/// for so long.
fn touches(port: &str, off: Duration) -> usize {
    let link = LinkOptions { passive: true, ..LinkOptions::default() };
    let mut arbiter = Arbiter::new("b1".parse().unwrap(), Options { link, ..Options::default() });
    let mut out = Vec::new();
    let mut now = Stamp::ZERO;
    let wait = |arbiter: &mut Arbiter, now: &mut Stamp, time: Duration, out: &mut Vec<Output>| {
        let until = *now + time;
        while let Some(due) = arbiter.deadline().filter(|due| *due <= until) {
            *now = due.max(*now + Duration::from_millis(1));
            arbiter.advance(Input::Timeout, *now, out);
        }
        *now = until;
    };
    arbiter.advance(Input::Attached { port }, now, &mut out);
    let board = Board::new();
    let mut squares = [Contact::Empty; 64];
    for (square, piece) in board.clone() {
        // The board's squares begin at a8 and go along the ranks.
        squares[usize::from(square.flip_vertical())] = Contact::Man(piece);
    }
    arbiter.advance(Input::Bytes(&message::dump(&squares)), now, &mut out);
    wait(&mut arbiter, &mut now, Duration::from_secs(5), &mut out);
    let knight = squares[62].code();
    for code in [0, knight] {
        arbiter.advance(Input::Bytes(&[0x8e, 0, 5, 62, code]), now, &mut out);
        wait(&mut arbiter, &mut now, off, &mut out);
    }
    wait(&mut arbiter, &mut now, Duration::from_secs(5), &mut out);
    let touched = |output: &Output| {
        matches!(output, Output::Event(Event { kind: EventKind::Touched { .. }, .. }))
    };
    out.iter().filter(|output| touched(output)).count()
}

#[test]
fn a_bluetooth_boards_slow_scan_is_allowed_for() {
    // A flicker of the sensor on the one is a touched man on the other.
    for (milliseconds, usb, bluetooth) in [(250, 0, 0), (450, 1, 0), (700, 1, 1)] {
        let off = Duration::from_millis(milliseconds);
        assert_eq!(touches("/dev/ttyUSB0", off), usb, "{milliseconds} ms");
        assert_eq!(touches("/dev/rfcomm0", off), bluetooth, "{milliseconds} ms");
    }
}

#[test]
fn bluetooth_ports_are_known_by_their_name() {
    for (port, wireless) in [
        ("/dev/rfcomm0", true),
        ("rfcomm12", true),
        ("/dev/ttyUSB0", false),
        ("/home/rfcomm/tty0", false),
        ("", false),
    ] {
        assert_eq!(is_wireless(port), wireless, "{port}");
    }
}
