//! Whether either side can still mate, kept up to date ply by ply, also over a ply that is no legal
//! move of the position before it.

use shakmaty::{Chess, Color, Move};

use crate::{
    dead::{self, Running},
    units::Ply,
};

/// The judgement of a game that is on (Articles 5.2.2, 6.9, 7.5.5).
#[derive(Clone, Debug)]
pub(super) struct Mating {
    running: Running,
    /// The ply from which on it is followed.
    first: Ply,
}

impl Mating {
    pub(super) fn new(position: &Chess, first: Ply) -> Mating {
        Mating { running: Running::new(position, dead::Budget::LIVE), first }
    }

    /// Follows a move to the position at `ply`.
    pub(super) fn play(&mut self, m: Move, ply: Ply, position: &Chess) {
        if !self.running.play(m) || self.running.position() != position {
            *self = Mating::new(position, ply);
        }
    }

    /// Goes back to the position at `ply`.
    pub(super) fn take_back_to(&mut self, ply: Ply, position: &Chess) {
        while self.ply() > ply && self.running.take_back() {}
        if self.ply() != ply || self.running.position() != position {
            *self = Mating::new(position, ply);
        }
    }

    pub(super) fn dead(&self) -> dead::Dead {
        self.running.dead()
    }

    pub(super) fn judgement(&self) -> dead::Judgement {
        self.running.judgement()
    }

    /// Whether a side can mate from the latest position; a longer search than for a dead position,
    /// for a ruling rests on it.
    pub(super) fn can_mate(&mut self, side: Color) -> Option<bool> {
        self.running.ask(side).or_else(|| {
            dead::can_mate(self.running.position(), side, dead::Budget::DEFAULT).known()
        })
    }

    /// Takes over what a longer search found out about the position of a ply.
    pub(super) fn settle(&mut self, ply: Ply, position: &Chess, judgement: &dead::Judgement) {
        let Some(at) = ply.index().checked_sub(self.first.index()) else { return };
        for side in Color::ALL {
            self.running.settle(at, position, side, judgement.side(side).clone());
        }
    }

    fn ply(&self) -> Ply {
        let played = u32::try_from(self.running.ply()).unwrap_or(u32::MAX);
        Ply(self.first.0.saturating_add(played))
    }
}
