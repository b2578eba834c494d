//! Whether either side can still mate, kept up to date ply by ply, also over a ply that is no legal
//! move of the position before it.

use shakmaty::{Chess, Color, Move};

use crate::{
    dead::{self, Running},
    game::is_lawful,
    units::Ply,
};

/// The judgement of a game that is on (Articles 5.2.2, 6.9, 7.5.5).
#[derive(Clone, Debug)]
pub(super) struct Mating {
    /// None at a position that no game can have.
    running: Option<Running>,
    /// The ply from which on it is followed.
    first: Ply,
}

impl Mating {
    pub(super) fn new(position: &Chess, first: Ply) -> Mating {
        let lawful = is_lawful(position);
        let running = lawful.then(|| Running::new(position, dead::Budget::LIVE));
        Mating { running, first }
    }

    /// Follows a move to the position at `ply`.
    pub(super) fn play(&mut self, m: Move, ply: Ply, position: &Chess) {
        let followed = self
            .running
            .as_mut()
            .is_some_and(|running| running.play(m) && running.position() == position);
        if !followed {
            *self = Mating::new(position, ply);
        }
    }

    /// Goes back to the position at `ply`.
    pub(super) fn take_back_to(&mut self, ply: Ply, position: &Chess) {
        while self.ply() > ply && self.running.as_mut().is_some_and(Running::take_back) {}
        let there = self.running.as_ref().is_some_and(|running| running.position() == position);
        if self.ply() != ply || !there {
            *self = Mating::new(position, ply);
        }
    }

    pub(super) fn dead(&self) -> dead::Dead {
        self.running.as_ref().map_or(dead::Dead::Unknown, Running::dead)
    }

    pub(super) fn judgement(&self) -> dead::Judgement {
        let unknown = || dead::Winnable::Unknown { nodes: 0 };
        self.running.as_ref().map_or_else(
            || dead::Judgement { white: unknown(), black: unknown() },
            Running::judgement,
        )
    }

    /// Whether a side can mate from the latest position; a longer search than for a dead position,
    /// for a ruling rests on it.
    pub(super) fn can_mate(&mut self, side: Color) -> Option<bool> {
        let running = self.running.as_mut()?;
        running
            .ask(side)
            .or_else(|| dead::can_mate(running.position(), side, dead::Budget::DEFAULT).known())
    }

    /// Takes over what a longer search found out about the position of a ply.
    pub(super) fn settle(&mut self, ply: Ply, position: &Chess, judgement: &dead::Judgement) {
        let Some(at) = ply.index().checked_sub(self.first.index()) else { return };
        let Some(running) = &mut self.running else { return };
        for side in Color::ALL {
            running.settle(at, position, side, judgement.side(side).clone());
        }
    }

    fn ply(&self) -> Ply {
        let played = self.running.as_ref().map_or(0, Running::ply);
        let played = u32::try_from(played).unwrap_or(u32::MAX);
        Ply(self.first.0.saturating_add(played))
    }
}
