//! The serial line: bytes in order with their times, chopped into reads, now and then damaged.
//!
//! In: whole messages with the moment the board starts to send them. Out: chunks as a host's read
//! returns them. 9600 baud gives a byte every 1.042 ms (`protocol.md` 1.1).

use std::collections::VecDeque;

use super::{
    MS,
    chance::{Chance, Span},
    profile::Noise,
};

const BYTE: u64 = 1_041_667;

/// The line from board to host.
pub struct Line {
    noise: Noise,
    chance: Chance,
    free: u64,
    pending: VecDeque<(u64, u8)>,
    due: Option<u64>,
    /// Bytes lost, changed or inserted, and messages cut short.
    pub damaged: u32,
    last_chunk: u64,
    /// Times the host was held up.
    pub stalls: u32,
}

impl Line {
    /// A line with its noise.
    pub fn new(noise: &Noise, chance: Chance) -> Line {
        Line {
            noise: noise.clone(),
            chance,
            free: 0,
            pending: VecDeque::new(),
            due: None,
            damaged: 0,
            last_chunk: 0,
            stalls: 0,
        }
    }

    /// Sends a message that is ready at `now`; the moment its last byte is on the wire.
    pub fn send(&mut self, now: u64, message: &[u8]) -> u64 {
        let mut at = now.max(self.free);
        let length = if self.chance.of(self.noise.truncated_message) {
            self.damaged += 1;
            1 + self.chance.below(message.len())
        } else {
            message.len()
        };
        for byte in &message[..length] {
            at += BYTE;
            if self.chance.of(self.noise.inserted_byte) {
                self.damaged += 1;
                let stray = self.chance.byte();
                self.pending.push_back((at, stray));
                at += BYTE;
            }
            if self.chance.of(self.noise.lost_byte) {
                self.damaged += 1;
                continue;
            }
            let mut byte = *byte;
            if self.chance.of(self.noise.changed_byte) {
                self.damaged += 1;
                byte ^= 1 << self.chance.below(8);
            }
            self.pending.push_back((at, byte));
        }
        self.free = at;
        self.arm();
        at
    }

    fn arm(&mut self) {
        if self.due.is_none()
            && let Some((first, _)) = self.pending.front()
        {
            let mut latency = self.chance.flat(self.noise.latency).max(MS / 10);
            if self.chance.of(self.noise.stall) {
                latency += self.chance.flat(Span(0.1, 0.8));
                self.stalls += 1;
            }
            self.due = Some((first + latency).max(self.last_chunk));
        }
    }

    /// When the next chunk reaches the host.
    pub fn next(&self) -> Option<u64> {
        self.due
    }

    /// The chunk that is due at `now`: everything that has arrived by then.
    pub fn take(&mut self, now: u64) -> Vec<u8> {
        let mut chunk = Vec::new();
        // A read may return before all has been fetched.
        let most =
            if self.chance.of(self.noise.short_read) { 1 + self.chance.below(6) } else { 4096 };
        while let Some((at, byte)) = self.pending.front().copied() {
            if at > now || chunk.len() >= most {
                break;
            }
            self.pending.pop_front();
            chunk.push(byte);
        }
        self.last_chunk = now;
        self.due = None;
        self.arm();
        chunk
    }

    /// The cable is out: what was under way is gone.
    pub fn cut(&mut self, now: u64) {
        self.pending.clear();
        self.due = None;
        self.free = now;
    }
}
