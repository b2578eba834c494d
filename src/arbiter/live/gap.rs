//! Stretches of a game that nobody saw, and what is counted again when they are known after all.

use shakmaty::{Chess, Move, uci::UciMove};

use super::LiveGame;
use crate::{arbiter::event::EventKind, game::Clocks, laws::unknown::Hypotheses, units::Ply};

/// The rebuilt game as far as it goes.
struct Replayed {
    known: Hypotheses,
    moves: Vec<Move>,
    clocks: Vec<Clocks>,
}

impl LiveGame {
    /// The plies after which the board could not be read for a while, rising.
    pub(in crate::arbiter) fn losses(&self) -> &[Ply] {
        &self.unseen
    }

    /// Whether it may still matter what was played while the board could not be read: the game is on,
    /// something was played, and all of it were legal moves.
    pub(in crate::arbiter) fn may_learn(&self) -> bool {
        let open = !self.closed() && self.latch.first().is_none();
        open && self.ply() > Ply(0) && self.irregular.is_empty() && !self.unseen.is_empty()
    }

    /// Whether half-moves after a ply are one explanation among several.
    pub(in crate::arbiter) fn is_doubtful_after(&self, ply: Ply) -> bool {
        self.doubtful.iter().any(|&doubtful| doubtful > ply)
    }

    /// What was played after `from` is certain now; after the plies `open` it still is not known.
    ///
    /// The moves of the game are played once more, with the losses of sight that remain: so every
    /// counter, right and hypothesis is what it would be had the rest been seen, here and when the
    /// game is rebuilt from its journal. An end at a ply after `from` waits until the tracker calls the
    /// ply firm: the log and the next move, or the log and the position that stands on the board,
    /// are as good as having seen it.
    ///
    /// Answers the last position if whether it is dead needs a longer search.
    pub(in crate::arbiter) fn gap_closed(
        &mut self,
        from: Ply,
        open: &[Ply],
        out: &mut Vec<EventKind>,
    ) -> Option<Chess> {
        if self.closed() || self.latch.first().is_some() || from > self.ply() {
            return None;
        }
        let Some(Replayed { mut known, moves, clocks }) = self.replayed(from, open) else {
            out.push(super::internal(format!("the game cannot be counted again up to ply {from}")));
            return None;
        };
        let before = self.claims.clone();
        let latest = self.ply();
        self.doubtful.retain(|&ply| ply <= from);
        self.unseen = open.to_vec();
        self.pending.take_if(|(over, _)| over.ply > from);
        self.firm_already = self.firm_already.min(from);
        std::mem::swap(&mut self.known, &mut known);
        let position = self.history().position().clone();
        self.mating.take_back_to(from, &position);
        let mut judged = (from == latest).then(|| self.judge());
        for (index, &m) in moves.iter().enumerate().skip(from.index()) {
            if open.contains(&self.ply()) {
                self.known.lost_sight();
            }
            // It was played in this position before.
            let Ok(ply) = self.known.play(m) else { break };
            let _ = self.known.set_clocks(ply, clocks[index]);
            let position = self.history().position().clone();
            self.mating.play(m, ply, &position);
            judged = Some(self.judge());
        }
        if open.contains(&latest) {
            self.known.lost_sight();
        }
        let (question, events) = judged?;
        // What could be claimed before was told then.
        out.extend(events.into_iter().filter(|event| {
            !matches!(event, EventKind::ClaimAvailable { reason, .. } if before.contains(reason))
        }));
        question
    }

    /// The game up to a ply, with these losses of sight only, and all its moves.
    fn replayed(&self, from: Ply, open: &[Ply]) -> Option<Replayed> {
        let clocks: Vec<Clocks> =
            self.history().plies().iter().skip(1).map(|ply| ply.clocks).collect();
        let mut moves = Vec::with_capacity(self.moves.len());
        let mut all = self.known.at_the_start();
        let mut known = all.clone();
        for (ply, written) in (0..).map(Ply).zip(self.moves.iter()) {
            let position = all.history().position();
            let m = written.uci.parse::<UciMove>().ok()?.to_move(position).ok()?;
            if open.contains(&ply) {
                all.lost_sight();
            }
            all.play(m).ok()?;
            all.set_clocks(ply.next(), *clocks.get(ply.index())?).ok()?;
            moves.push(m);
            if ply.next() == from {
                known = all.clone();
            }
        }
        Some(Replayed { known, moves, clocks })
    }
}
