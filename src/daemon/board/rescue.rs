//! From what a core that failed is made again.
//!
//! A copy of a core costs more than the move after which it would be taken. So copies are taken
//! seldom, and between them what the core was given is kept as it came: the same calls make the same
//! core. Only the input at which it failed is left out.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{
    arbiter::{Answer, Arbiter, Input},
    units::Stamp,
};

/// So many inputs are kept at most, and so many bytes from the board: about a minute of play.
const MOST_INPUTS: usize = 192;
/// See [`MOST_INPUTS`].
const MOST_BYTES: usize = 2_048;

/// How much of what is known is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// All but the last input.
    All,
    /// What came up to the last fact: what came after it may have done the damage.
    Facts,
}

/// A copy of a core, and what the core was given since.
#[derive(Debug, Default)]
pub struct Rescue {
    /// None: a fresh core.
    copy: Option<Box<Arbiter>>,
    given: Vec<(Stamp, Given)>,
    bytes: Vec<u8>,
    /// How many inputs came up to the last fact.
    facts: usize,
    /// The last input has not been worked off.
    open: bool,
}

/// One input. Bytes stand one after another in [`Rescue::bytes`].
#[derive(Clone, Debug)]
enum Given {
    Bytes(usize),
    Overheard(usize),
    Timeout,
    Detached,
    Attached(Box<str>),
    Answer(Box<Answer>),
}

impl Rescue {
    /// Begins again from a core as it is.
    pub fn restart(&mut self, core: &Arbiter) {
        *self = Rescue { copy: Some(Box::new(core.clone())), ..Rescue::default() };
    }

    /// The core is about to be given this.
    pub fn give(&mut self, input: &Input<'_>, now: Stamp) {
        let given = match input {
            Input::Bytes(bytes) => Given::Bytes(self.keep(bytes)),
            Input::Overheard(bytes) => Given::Overheard(self.keep(bytes)),
            Input::Timeout => Given::Timeout,
            Input::Detached => Given::Detached,
            Input::Attached { port } => Given::Attached((*port).into()),
            Input::Answer(answer) => Given::Answer(Box::new(answer.clone())),
        };
        self.given.push((now, given));
        self.open = true;
    }

    fn keep(&mut self, bytes: &[u8]) -> usize {
        self.bytes.extend_from_slice(bytes);
        bytes.len()
    }

    /// The core took it; whether a fact came of it, from which it must be able to go on.
    pub fn taken(&mut self, core: &Arbiter, fact: bool) {
        self.open = false;
        if fact {
            self.facts = self.given.len();
        }
        if self.given.len() < MOST_INPUTS && self.bytes.len() < MOST_BYTES {
            return;
        }
        if self.facts > 0 {
            self.restart(core);
        } else {
            // A new dump shows what came of all this.
            (self.given, self.bytes) = (Vec::new(), Vec::new());
        }
    }

    /// The core anew, on a fresh one where no copy was taken.
    pub fn core(&self, fresh: impl Fn() -> Arbiter, trust: Trust) -> Arbiter {
        let copy = || self.copy.as_deref().cloned().unwrap_or_else(&fresh);
        let known = self.given.len() - usize::from(self.open && !self.given.is_empty());
        let known = if trust == Trust::All { known } else { known.min(self.facts) };
        // What made one core fail may be in here after all.
        catch_unwind(AssertUnwindSafe(|| {
            let mut core = copy();
            self.give_again(&mut core, known);
            core
        }))
        .unwrap_or_else(|_| copy())
    }

    fn give_again(&self, core: &mut Arbiter, known: usize) {
        let mut out = Vec::new();
        let mut at = 0;
        for (now, given) in &self.given[..known] {
            let mut next = |len: usize| {
                let from = at;
                at += len;
                &self.bytes[from..at]
            };
            let input = match given {
                Given::Bytes(len) => Input::Bytes(next(*len)),
                Given::Overheard(len) => Input::Overheard(next(*len)),
                Given::Timeout => Input::Timeout,
                Given::Detached => Input::Detached,
                Given::Attached(port) => Input::Attached { port },
                Given::Answer(answer) => Input::Answer((**answer).clone()),
            };
            core.advance(input, *now, &mut out);
            // It was told when it came.
            out.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs::File, io::BufReader};

    use super::*;
    use crate::{
        arbiter::{Options, Output},
        capture::{Reader, What},
    };

    fn fresh() -> Arbiter {
        Arbiter::new("b1".parse().unwrap(), Options::default())
    }

    /// Long games and a hurried one: whenever the core fails, what comes
    /// of the copy and the inputs is what it was before the input at which it failed.
    #[test]
    fn a_core_is_made_again_as_it_was() {
        for name in ["demo", "both_hands_capture_and_promote"] {
            let path = format!("{}/tests/captures/{name}.dgtlog", env!("CARGO_MANIFEST_DIR"));
            let reader = Reader::new(BufReader::new(File::open(&path).unwrap()), path);
            let (mut core, mut rescue, mut out) = (fresh(), Rescue::default(), Vec::new());
            let mut step = |input: Input<'_>, now: Stamp| {
                rescue.give(&input, now);
                let before = core.status();
                assert_eq!(rescue.core(fresh, Trust::All).status(), before, "{name} {now:?}");
                core.advance(input, now, &mut out);
                let fact = out.drain(..).any(
                    |output| matches!(output, Output::Event(e) if super::super::is_fact(&e.kind)),
                );
                rescue.taken(&core, fact);
                assert_eq!(rescue.core(fresh, Trust::All).status(), core.status());
                (core.deadline(), rescue.copy.is_some())
            };
            let (mut due, mut copied) = (None, false);
            for record in reader {
                let record = record.unwrap();
                while let Some(at) = due.filter(|at| *at < record.at) {
                    due = step(Input::Timeout, at).0.filter(|next| *next > at);
                }
                let input = match &record.what {
                    What::Connected => Input::Attached { port: "/dev/ttyACM0" },
                    What::Disconnected => Input::Detached,
                    What::FromBoard(bytes) => Input::Bytes(bytes),
                    What::ToBoard(_) | What::Remark(_) => continue,
                };
                let (next, copy) = step(input, record.at);
                (due, copied) = (next, copied | copy);
            }
            assert!(copied || name.starts_with("both"), "{name}: no copy was ever taken");
        }
    }

    /// An input that does damage later is not trusted a second time.
    #[test]
    fn after_a_second_failure_only_facts_are_trusted() {
        let (mut core, mut rescue, mut out) = (fresh(), Rescue::default(), Vec::new());
        for (millis, input) in
            [(1, Input::Attached { port: "/dev/ttyACM0" }), (2, Input::Bytes(&[0x8e, 0, 5, 3, 1]))]
        {
            let now = Stamp::from_millis(millis);
            rescue.give(&input, now);
            core.advance(input, now, &mut out);
            rescue.taken(&core, millis == 1);
        }
        let heard = |trust| rescue.core(fresh, trust).status().last_heard;
        assert_eq!(heard(Trust::All), core.status().last_heard);
        assert_eq!(heard(Trust::Facts), None);
    }
}
