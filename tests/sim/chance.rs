//! Random numbers that depend on the seed and on the part that draws them, on nothing else.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::seconds;

/// A span of time in seconds, from the shortest to the longest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span(pub f64, pub f64);

/// One stream of random numbers.
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The stream of one part: the same seed and stream give the same numbers for ever.
    pub fn new(seed: u64, stream: u64) -> Chance {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Chance(rng)
    }

    /// True with probability `p`.
    pub fn of(&mut self, p: f64) -> bool {
        p > 0.0 && self.0.random::<f64>() < p
    }

    /// A number from `lo` to `hi`, all alike.
    pub fn real(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.0.random::<f64>()
    }

    /// A number below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    /// One of a list that is not empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// An index drawn by weight; the weights must not all be 0.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut rest = self.real(0.0, weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return index;
            }
            rest -= weight;
        }
        weights.len() - 1
    }

    /// A time within the span, nanoseconds. Short times are the more frequent, as with people:
    /// the density falls from the short end to the long one.
    pub fn span(&mut self, span: Span) -> u64 {
        let u = self.real(0.0, 1.0);
        seconds(span.0 + (span.1 - span.0) * u * u)
    }

    /// A time within the span, nanoseconds, all alike.
    pub fn flat(&mut self, span: Span) -> u64 {
        seconds(self.real(span.0, span.1))
    }

    /// The wait for the next of events that come `per_minute` times a minute, nanoseconds.
    pub fn wait(&mut self, per_minute: f64) -> u64 {
        if per_minute <= 0.0 {
            return u64::MAX / 4;
        }
        let u = self.real(1e-9, 1.0);
        seconds(-u.ln() * 60.0 / per_minute)
    }

    /// A byte.
    pub fn byte(&mut self) -> u8 {
        self.0.random()
    }

    /// Puts the list in random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}
