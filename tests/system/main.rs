//! The daemon as a machine in a hall runs it: the packaged files, real systemd, dbus and udev.
//!
//! `in_a_container` starts systemd in namespaces of its own: unit, users, bus policy, crashes. What
//! needs a kernel of its own is in `in_a_virtual_machine`: a board on a USB bridge, udev, a buzzer on a
//! GPIO line. Both install dgtd with the very lines of README.md. Both need root, and
//! `tests/system/prepare.sh container` (or `vm`) before. They are marked `ignore` for that reason:
//!
//! ```text
//! tests/system/prepare.sh vm && cargo test --test system -- --ignored --nocapture --test-threads 1
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "in a test a wrong step is a failure"
)]
#![allow(clippy::disallowed_methods, reason = "a real machine takes real time")]

mod container;
#[path = "../emulator/mod.rs"]
mod emulator;
mod guest;
mod vm;

use std::{thread, time::Duration};

use dgtd::wire::Orientation;
use emulator::{Board, Clock};
use guest::Guest;

/// The object of the first board.
const FIRST: &str = "/org/dgtd/boards/sn_01025";
/// The object of the second board.
const SECOND: &str = "/org/dgtd/boards/sn_02050";

/// Silences the buzzer.
const SILENCE: &str = "busctl call org.dgtd /org/dgtd org.dgtd.Daemon1 SilenceBuzzer a{sv} 0";

/// Both kings move first. While a castling right lasts, a gap in what was seen may hide that it was lost,
/// and what stood before the gap is not counted with what stands after it.
const OPENING: [(&str, &str); 4] = [("e2", "e4"), ("e7", "e5"), ("e1", "e2"), ("e8", "e7")];

/// Knights out and back: after each round the first position stands on the board again.
const ROUND: [(&str, &str); 4] = [("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")];

fn board(serial: [u8; 5]) -> Board {
    let clock = Clock { left: 5400, right: 5400, right_turn: false, running: true, increment: 0 };
    Board::classic(serial, Orientation::Normal).with_clock(clock)
}

/// Something that is done to a board; what the board sends is the result.
type Action<'a> = &'a mut dyn FnMut(&mut Board) -> Vec<u8>;

/// A move and a press of the clock, at the pace of a hand. What acts is where a board is plugged in.
fn play(act: &mut dyn FnMut(Action<'_>), (from, to): (&str, &str)) {
    thread::sleep(Duration::from_millis(250));
    act(&mut |board| board.carry(from, to));
    thread::sleep(Duration::from_millis(250));
    act(&mut Board::press);
}

/// What busctl reads of a property of a board, or why it cannot.
fn property(board: &str, interface: &str, name: &str) -> String {
    format!("busctl get-property org.dgtd {board} org.dgtd.{interface} {name}")
}

/// Who may do what: everybody reads what is public, only arbiters read the rest and change anything.
fn permissions(guest: &dyn Guest) {
    let as_user = |user: &str, command: &str| {
        guest.run(&format!("setpriv --reuid {user} --regid {user} --init-groups {command}"))
    };
    let read = property(FIRST, "Game1", "Ply");
    let silence = SILENCE.to_owned();
    let secret =
        format!("busctl get-property org.dgtd.Arbiter {FIRST} org.dgtd.ArbiterOnly1 Repetitions");
    for user in ["stranger", "arbiter"] {
        let (status, said) = as_user(user, &read);
        assert_eq!(status, 0, "{user} may read what is public: {said}");
        for command in [&silence, &secret] {
            let (status, said) = as_user(user, command);
            if user == "arbiter" {
                assert_eq!(status, 0, "{command}: {said}");
            } else {
                assert!(status != 0 && said.contains("Access denied"), "{command}: {said}");
            }
        }
    }
    // Nothing on the public name tells what is the arbiter's, either.
    let (_, tree) = as_user("stranger", &format!("busctl introspect org.dgtd {FIRST}"));
    assert!(tree.contains("org.dgtd.Game1") && !tree.contains("ArbiterOnly1"), "{tree}");
}

/// How open the unit leaves the machine, as systemd counts it: at most 1.0 of 10.
fn exposure(guest: &dyn Guest) {
    let said = guest.must("systemd-analyze security --no-pager dgtd.service | tail -1");
    let exposure: f64 = said
        .split_whitespace()
        .find_map(|word| word.parse().ok())
        .unwrap_or_else(|| panic!("no figure in {said}"));
    println!("exposure of the unit: {exposure}");
    assert!(exposure <= 1.0, "{said}");
}
