//! A chess clock on the board's cable: two times, a lever, and the messages the board makes of it.
//!
//! In: presses and the arbiter's interventions with their times. Out: `8d` messages, as often as
//! the board looks at the clock and finds something changed (mode `UPDATE_NICE`, `protocol.md` 4).
//! The board polls the clock, so a press shows up to one poll late, a double press may not show at
//! all, and a tick may fall into the message of a press: all seen in real traces.

use std::collections::VecDeque;

use super::SECOND;

/// A side of the clock seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The left side.
    Left,
    /// The right side.
    Right,
}

/// What is done to the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockAct {
    /// A player pushes the lever down on his side. Without effect when it is down already.
    Press(Side),
    /// The clock is set running.
    Run,
    /// The clock is paused.
    Pause,
    /// Both times are set anew, seconds; the clock stands, the lever goes where it is told (side
    /// to run first).
    Set { left: u32, right: u32, first: Side },
    /// The arbiter gives a side so many seconds more.
    Bonus(Side, u32),
    /// The running side's time runs out now.
    Flag,
    /// The clock is unplugged from the board or plugged in again.
    Attached(bool),
}

/// The clock's state, advanced by time.
#[derive(Clone, Debug)]
pub struct Clock {
    acts: VecDeque<(u64, ClockAct)>,
    attached: bool,
    /// Nanoseconds left: left, right.
    left: u64,
    right: u64,
    /// True when the right side is high: it is the right player's turn.
    right_turn: bool,
    running: bool,
    increment: u64,
    flagged: [bool; 2],
    now: u64,
    /// Times of presses that moved the lever.
    pub flips: Vec<u64>,
}

impl Clock {
    /// A clock and what is going to be done to it; `increment` in seconds.
    pub fn new(attached: bool, increment: u32, acts: VecDeque<(u64, ClockAct)>) -> Clock {
        Clock {
            acts,
            attached,
            left: 300 * SECOND,
            right: 300 * SECOND,
            right_turn: false,
            running: false,
            increment: u64::from(increment) * SECOND,
            flagged: [false; 2],
            now: 0,
            flips: Vec::new(),
        }
    }

    /// Runs up to a moment.
    pub fn advance(&mut self, now: u64) {
        while let Some((time, act)) = self.acts.front().copied() {
            if time > now {
                break;
            }
            self.acts.pop_front();
            self.run_to(time);
            self.act(act);
        }
        self.run_to(now);
    }

    fn run_to(&mut self, now: u64) {
        let spent = now.saturating_sub(self.now);
        self.now = self.now.max(now);
        if !self.running {
            return;
        }
        let side = usize::from(self.right_turn);
        let time = if self.right_turn { &mut self.right } else { &mut self.left };
        *time = time.saturating_sub(spent);
        if *time == 0 {
            self.running = false;
            self.flagged[side] = true;
        }
    }

    fn act(&mut self, act: ClockAct) {
        match act {
            ClockAct::Press(side) => {
                let mine = if side == Side::Right { self.right_turn } else { !self.right_turn };
                if mine {
                    if self.running {
                        let time = if self.right_turn { &mut self.right } else { &mut self.left };
                        *time += self.increment;
                    }
                    self.right_turn = !self.right_turn;
                    self.flips.push(self.now);
                }
            }
            ClockAct::Run => self.running = true,
            ClockAct::Pause => self.running = false,
            ClockAct::Set { left, right, first } => {
                self.left = u64::from(left) * SECOND;
                self.right = u64::from(right) * SECOND;
                self.right_turn = first == Side::Right;
                self.running = false;
                self.flagged = [false; 2];
            }
            ClockAct::Bonus(Side::Left, more) => self.left += u64::from(more) * SECOND,
            ClockAct::Bonus(Side::Right, more) => self.right += u64::from(more) * SECOND,
            ClockAct::Flag => {
                let side = usize::from(self.right_turn);
                if self.right_turn {
                    self.right = 0;
                } else {
                    self.left = 0;
                }
                self.running = false;
                self.flagged[side] = true;
            }
            ClockAct::Attached(yes) => self.attached = yes,
        }
    }

    /// The message for the present state (`protocol.md` 4.2).
    pub fn message(&self) -> [u8; 10] {
        if !self.attached {
            return [0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0x20];
        }
        let mut message = [0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0];
        for (at, time, flagged) in
            [(3, self.right, self.flagged[1]), (6, self.left, self.flagged[0])]
        {
            let total = time.div_ceil(SECOND).min(35_999);
            let hours = (total / 3600) as u8;
            message[at] = hours | if flagged { 0x10 } else { 0 };
            message[at] |= if self.increment > 0 { 0x20 } else { 0 };
            message[at + 1] = bcd((total / 60 % 60) as u8);
            message[at + 2] = bcd((total % 60) as u8);
        }
        message[9] = u8::from(self.running);
        message[9] |= if self.right_turn { 0x12 } else { 0x08 };
        message
    }
}

fn bcd(value: u8) -> u8 {
    value / 10 * 16 + value % 10
}
