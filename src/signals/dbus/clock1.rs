//! `org.dgtd.Clock1`: the clock of a board, while one is connected.

use std::sync::Arc;

use tokio::sync::watch;
use zbus::interface;

use crate::{
    arbiter::status::ClockStatus,
    signals::{BoardView, words::side_keyword},
    units::Millis,
};

/// A clock. Its times change silently; clients extrapolate from `MeasuredAt` and `Running`.
#[derive(Debug)]
pub struct Clock1 {
    view: watch::Receiver<Arc<BoardView>>,
}

impl Clock1 {
    /// The clock of the board whose views these are.
    pub fn new(view: watch::Receiver<Arc<BoardView>>) -> Clock1 {
        Clock1 { view }
    }

    fn read<T>(&self, absent: T, read: impl FnOnce(&ClockStatus) -> T) -> T {
        self.view.borrow().status.clock.as_ref().map_or(absent, read)
    }
}

fn ms(time: Millis) -> i64 {
    i64::try_from(time.0).unwrap_or(i64::MAX)
}

#[interface(name = "org.dgtd.Clock1", spawn = false)]
impl Clock1 {
    /// White's time in milliseconds, -1 when unknown.
    #[zbus(property(emits_changed_signal = "false"))]
    fn white_ms(&self) -> i64 {
        self.read(-1, |clock| ms(clock.white))
    }

    /// Black's time in milliseconds, -1 when unknown.
    #[zbus(property(emits_changed_signal = "false"))]
    fn black_ms(&self) -> i64 {
        self.read(-1, |clock| ms(clock.black))
    }

    /// When these times were read, microseconds since the epoch.
    #[zbus(property(emits_changed_signal = "false"))]
    fn measured_at(&self) -> u64 {
        let view = self.view.borrow();
        view.status.clock.as_ref().map_or(0, |clock| view.micros(clock.measured))
    }

    /// Whose time runs: white, black or none.
    #[zbus(property)]
    fn running(&self) -> &str {
        self.read("none", |clock| clock.running.map_or("none", side_keyword))
    }

    /// Whose turn the lever shows: white or black.
    #[zbus(property)]
    fn lever(&self) -> &str {
        self.read("", |clock| side_keyword(clock.lever))
    }

    /// Whose flag the clock shows fallen: none, white or black.
    #[zbus(property)]
    fn flag(&self) -> &str {
        self.read("none", |clock| clock.flag.map_or("none", side_keyword))
    }
}
