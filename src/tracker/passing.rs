//! Pawns taken in passing, or perhaps in passing.

use shakmaty::{Move, MoveList, Position, Role};

use super::{NodeId, Stamp, Tracker, moves};

impl Tracker {
    /// A pawn that a pawn took after a single step, and that showed where a double step leads to as well: it
    /// may have been taken there in passing, or been put there by its captor. Both plies are in doubt.
    pub(super) fn doubt_passing(&mut self, best: NodeId, now: Stamp) {
        let Some(game) = &mut self.game else { return };
        let path = game.tree.path(best);
        for pair in path.windows(2) {
            let (step, taker) = (game.tree.node(pair[0]).parent, game.tree.node(pair[1]).parent);
            let (Some((before, step)), Some((_, taker))) = (step, taker) else { continue };
            let pawns = step.role() == Role::Pawn && taker.role() == Role::Pawn;
            let Some(from) = step.from().filter(|_| pawns && taker.to() == step.to()) else {
                continue;
            };
            let node = game.tree.node(before);
            let (position, since) = (&node.position, node.shown_until);
            let mut moves = MoveList::new();
            moves::from(position, from.into(), &mut moves);
            let double =
                moves.iter().find(|m| m.role() == Role::Pawn && from.distance(m.to()) == 2);
            let Some(&double) = double else { continue };
            let man = Role::Pawn.of(position.turn());
            let showed = self
                .sensors
                .sightings(since, now)
                .any(|seen| seen.square == double.to() && seen.man == man);
            let mut after = position.clone();
            after.play_unchecked(double);
            let passes = Move::EnPassant { from: taker.from().unwrap_or(from), to: taker.to() };
            if showed && after.is_legal(passes) {
                game.tree.set_doubt(pair[0]);
                game.tree.set_doubt(pair[1]);
            }
        }
    }

    /// Whether a pawn may be taken in passing at this node.
    pub(super) fn passing_at(&self, id: NodeId) -> bool {
        self.game
            .as_ref()
            .is_some_and(|game| game.tree.node(id).position.legal_ep_square().is_some())
    }
}
