//! Bytes to messages. Cannot fail: whatever comes in, messages come out and the rest is counted.
//!
//! A message is `id hi lo payload`; only `id` has its top bit set, and `hi lo` give the total length
//! in 14 bits. Resynchronisation (protocol 3.1):
//!
//! 1. between messages, bytes without the top bit are dropped;
//! 2. a byte with the top bit inside a message cuts the message short and starts the next one;
//! 3. a length below 3 or above [`MAX_MESSAGE`] drops the header (`80 00 00` is filler, not a loss);
//! 4. a length that does not fit its id drops the header;
//! 5. an unknown id with a possible length is consumed;
//! 6. a message still incomplete one second after its last byte is given up;
//! 7. so one damaged message costs one message, never two.
//!
//! Nothing is allocated by a length from the wire: the buffer grows with bytes that arrived.

use std::time::Duration;

use crate::{
    units::Stamp,
    wire::message::{self, MAX_MESSAGE, Message, id},
};

/// How long a message may stand still before it is given up.
const STALL: Duration = Duration::from_secs(1);

/// A buffer larger than this is given back after use; only the event log needs more.
const KEEP: usize = 512;

/// What comes out of a [`Framer`], in the order in which it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A whole message.
    Message(Message),
    /// Something was lost at this place in the stream. A run of damage is reported once, and again
    /// after the next whole message.
    Lost(Loss),
}

/// What was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Bytes that belong to no message.
    Stray,
    /// A message that another one interrupted, or that stood still for a second.
    CutShort {
        /// Its first byte.
        id: u8,
        /// Bytes of it that came.
        got: u16,
    },
    /// A message whose length is impossible, or not that of its kind.
    Length {
        /// Its first byte.
        id: u8,
        /// The length it claimed, header included.
        total: u16,
    },
    /// A whole message whose content is impossible.
    Content {
        /// Its first byte.
        id: u8,
    },
}

/// How much a line has delivered and lost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCount {
    /// Bytes received.
    pub bytes: u64,
    /// Whole messages received.
    pub messages: u64,
    /// Bytes that became part of no message, those of damaged messages included.
    pub lost_bytes: u64,
    /// Messages that began and could not be used.
    pub lost_messages: u64,
    /// Filler messages (`80 00 00`), which are not a loss.
    pub filler: u64,
}

/// Cuts a stream of bytes into messages.
///
/// The items it yields depend on the bytes alone, not on the portions they come in, unless a message
/// stands still for a second.
#[derive(Clone, Debug, Default)]
pub struct Framer {
    /// The message under way, from its first byte; empty between messages.
    partial: Vec<u8>,
    /// Its total length, 0 until the header is complete.
    total: usize,
    /// When its last byte came.
    last_byte: Stamp,
    /// The damage at this place has been reported.
    reported: bool,
    count: LineCount,
}

/// What a header says.
enum Header {
    Good(usize),
    Filler,
    Bad(Loss),
}

impl Framer {
    /// Takes bytes that arrived at `now` and hands each item to `sink`.
    pub fn push(&mut self, bytes: &[u8], now: Stamp, mut sink: impl FnMut(Item)) {
        self.timeout(now, &mut sink);
        self.count.bytes += bytes.len() as u64;
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            let used = if !self.partial.is_empty() {
                self.resume(rest, &mut sink)
            } else if first < 0x80 {
                let run = low_run(rest);
                self.lose(run, Loss::Stray, &mut sink);
                run
            } else {
                self.whole(rest, &mut sink)
            };
            rest = &rest[used..];
        }
        if !bytes.is_empty() {
            self.last_byte = now;
        }
    }

    /// Gives up a message that has stood still too long (rule 6).
    pub fn timeout(&mut self, now: Stamp, mut sink: impl FnMut(Item)) {
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            self.cut_short(&mut sink);
        }
    }

    /// When [`Framer::timeout`] has something to do; `None` between messages.
    pub fn deadline(&self) -> Option<Stamp> {
        (!self.partial.is_empty()).then(|| self.last_byte + STALL)
    }

    /// Forgets a message under way: the line is gone.
    pub fn abandon(&mut self) {
        self.cut_short(&mut |_| ());
        self.reported = false;
    }

    /// A message whose header was good is under way.
    pub fn in_message(&self) -> bool {
        self.total != 0
    }

    /// What came and what was lost so far.
    pub fn count(&self) -> LineCount {
        self.count
    }

    /// The usual case: a message that lies whole in the portion is read without being copied.
    /// Returns how many bytes were used, at least one.
    fn whole(&mut self, rest: &[u8], sink: &mut impl FnMut(Item)) -> usize {
        if let &[id, hi, lo, ref body @ ..] = rest
            && hi < 0x80
            && lo < 0x80
            && let Header::Good(total) = header(id, hi, lo)
            && let Some(payload) = body.get(..total - 3)
            && low_run(payload) == payload.len()
        {
            self.finish(id, payload, sink);
            return total;
        }
        self.partial.push(rest[0]);
        1
    }

    /// Continues the message under way. Returns how many bytes were used; none when the first of
    /// them begins another message.
    fn resume(&mut self, rest: &[u8], sink: &mut impl FnMut(Item)) -> usize {
        let goal = if self.total == 0 { 3 } else { self.total };
        let wanted = (goal - self.partial.len()).min(rest.len());
        let used = low_run(&rest[..wanted]);
        self.partial.extend_from_slice(&rest[..used]);
        if used < wanted {
            self.cut_short(sink);
        } else if self.total != 0 {
            self.finish_partial(sink);
        } else if let [id, hi, lo] = self.partial[..] {
            match header(id, hi, lo) {
                Header::Good(total) => {
                    self.total = total;
                    self.finish_partial(sink);
                }
                Header::Filler => {
                    self.count.filler += 1;
                    self.clear();
                }
                Header::Bad(loss) => {
                    self.count.lost_messages += 1;
                    self.clear();
                    self.lose(3, loss, sink);
                }
            }
        }
        used
    }

    fn finish_partial(&mut self, sink: &mut impl FnMut(Item)) {
        if self.partial.len() == self.total {
            let partial = std::mem::take(&mut self.partial);
            self.finish(partial[0], &partial[3..], sink);
            self.partial = partial;
            self.clear();
        }
    }

    fn finish(&mut self, id: u8, payload: &[u8], sink: &mut impl FnMut(Item)) {
        match Message::decode(id, payload) {
            Ok(message) => {
                self.count.messages += 1;
                self.reported = false;
                sink(Item::Message(message));
            }
            Err(loss) => {
                self.count.lost_messages += 1;
                self.lose(payload.len() + 3, loss, sink);
            }
        }
    }

    fn cut_short(&mut self, sink: &mut impl FnMut(Item)) {
        let Some(&id) = self.partial.first() else { return };
        let got = self.partial.len();
        self.clear();
        self.count.lost_messages += 1;
        self.lose(got, Loss::CutShort { id, got: u16::try_from(got).unwrap_or(u16::MAX) }, sink);
    }

    fn lose(&mut self, bytes: usize, loss: Loss, sink: &mut impl FnMut(Item)) {
        self.count.lost_bytes += bytes as u64;
        if !std::mem::replace(&mut self.reported, true) {
            sink(Item::Lost(loss));
        }
    }

    fn clear(&mut self) {
        self.total = 0;
        if self.partial.capacity() > KEEP {
            self.partial = Vec::new();
        } else {
            self.partial.clear();
        }
    }
}

/// Rules 3 to 5.
fn header(id: u8, hi: u8, lo: u8) -> Header {
    let total = usize::from(hi) << 7 | usize::from(lo);
    if id == id::NONE && total < 3 {
        Header::Filler
    } else if (3..=MAX_MESSAGE).contains(&total) && message::length_fits(id, total) {
        Header::Good(total)
    } else {
        Header::Bad(Loss::Length { id, total: u16::from(hi) << 7 | u16::from(lo) })
    }
}

/// How many bytes at the front have no top bit.
fn low_run(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| *byte >= 0x80).unwrap_or(bytes.len())
}
