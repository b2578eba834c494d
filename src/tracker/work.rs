//! How much work the searches did, counted in positions: for tests that hold one call to a bound.

use std::sync::atomic::{AtomicU64, Ordering};

/// A count that those who only look may add to.
#[derive(Debug, Default)]
pub(super) struct Work(AtomicU64);

impl Work {
    pub(super) fn add(&self, positions: u32) {
        self.0.fetch_add(positions.into(), Ordering::Relaxed);
    }

    pub(super) fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Clone for Work {
    fn clone(&self) -> Work {
        Work(AtomicU64::new(self.count()))
    }
}
