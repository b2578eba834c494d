//! How far-fetched is a line, given what was seen?
//!
//! Several lines may lead to the placement on the board. Each ply costs something, so that fewer
//! are believed first; what should have been seen and was not costs more, and so do men that arrive
//! in the wrong order, a lever that says otherwise, and leaving out what stood on the board.

use std::time::Duration;

use shakmaty::{Bitboard, Chess, Color, Move, MoveList, Piece, Position, Rank, Role, Square};

use super::{
    ROOT, Stamp, Tracker, keys::castled, king_to_centre, moves, trace::taken_on, tree::NodeId,
};
use crate::wire::Contact;

/// Each ply.
pub(super) const PLY: u32 = 100;
/// A man that was never seen where it went, or men that arrived in the wrong order.
pub(super) const UNSEEN: u32 = 300;
/// A ply that a gap may have hidden.
const HIDDEN: u32 = 20;
/// No man on his way stands so long.
const PASSED: Duration = Duration::from_millis(400);
/// What the board showed after a gap, left out.
const LEFT_OUT: u32 = 300;
/// Another man moved first than the one in the hand when the gap began.
const IN_HAND: u32 = 60;
/// A running clock that has shown the other side's turn for a while.
pub(super) const LEVER: u32 = 300;
/// The clock's message comes so late at most.
pub(super) const LEVER_LAG: Duration = Duration::from_millis(1_200);
/// A ply the board showed and that was put back.
const UNDONE: u32 = 250;
/// A line that costs this much more than its plies is not believed.
pub(super) const MOST_FAR_FETCHED: u32 = 1_300;
/// So much more is believed of what comes in the place of plies told, the longer the game has been lost.
pub(super) const MOST_LOST: u32 = 800;
/// Whoever has lost the game for so long takes what leads to the board, if it stands.
const LOST: Duration = Duration::from_secs(3);
/// A line that costs so much more than its plies is hard to believe.
const FAR_FETCHED: u32 = 300;
/// Lines that differ by less are both kept in mind.
pub(super) const MARGIN: u32 = 150;

/// The longest a scan of the board takes, with a little on top.
pub(super) const SCAN: Duration = Duration::from_millis(250);
/// A man that is moved in one go does not rest on its way for longer than this.
pub(super) const REST: Duration = Duration::from_millis(300);
/// A reply that shows sooner after its move than this was begun before it.
pub(super) const ANSWER: Duration = Duration::from_millis(170);
/// A captured man may show beside its square for so long.
const PHANTOM: Duration = Duration::from_millis(600);
/// A man in the air is not believed captured before so much time has passed.
const IN_THE_AIR: Duration = Duration::from_millis(600);

impl Tracker {
    /// The cost of the line from the root to a node that the board shows now.
    pub(super) fn weigh(&self, id: NodeId, now: Stamp) -> u32 {
        let Some(game) = &self.game else { return 0 };
        let path = game.tree.path(id);
        let since = game.tree.root().shown_until;
        // Of plies that nobody saw there is nothing to weigh, before and after they were told.
        if !game.after_gap && game.ply() >= game.gap_ply {
            let line: MoveList =
                path.iter().filter_map(|&at| Some(game.tree.node(at).parent?.1)).collect();
            return self.trace(&game.tree.root().position, &line, since, now)
                + self.cost_beside(id, now);
        }
        // What the board showed is likelier than what it may have hidden; after the gap all shows.
        let unseen = path.iter().enumerate().filter(|(_, at)| !game.tree.node(**at).seen);
        let hidden = game.gap_ply.0.saturating_sub(game.ply().0) as usize;
        let unseen: u32 = unseen
            .map(|(ply, _)| if game.after_gap || ply < hidden { HIDDEN } else { UNSEEN })
            .sum();
        let mut cost = PLY * game.tree.depth(id) + unseen;
        // What the board has shown since was on it, however it came about.
        let stood = game.stood + now.since(game.arrived);
        let shown = game.current.map(|id| (id, stood)).or(game.left);
        let shown = shown
            .filter(|&(id, stood)| id != ROOT && stood >= PASSED && !self.lifted_before_gap(id));
        if let Some(shown) = shown.map(|(id, _)| game.tree.node(id)).filter(|node| node.seen)
            && !path.iter().any(|&at| game.tree.node(at).key == shown.key)
        {
            cost += LEFT_OUT;
        }
        // Who was in the hand when the gap began was put down first.
        if let Some((held, _)) = game.left.filter(|&(id, _)| self.lifted_before_gap(id))
            && let (Some(first), Some((_, m))) = (path.first(), game.tree.node(held).parent)
            && game.tree.node(*first).parent.is_some_and(|(_, first)| first.from() != m.from())
        {
            cost += IN_HAND;
        }
        // Whoever was seen to put a man down last made the last move.
        let last = game
            .tree
            .node(id)
            .parent
            .map(|(parent, m)| (m, arrival(&game.tree.node(parent).position, m)));
        if let (Some(down), Some((m, arrived))) = (self.put_down(), last)
            && down != arrived
            && !m.is_castle()
        {
            cost += UNSEEN;
        }
        let turn = game.tree.node(id).position.turn();
        // The clock was read anew after the gap; what was done in the last second it may not show.
        if self.lever.turn().is_some_and(|lever| lever != turn) && self.lever.running() {
            let settled = now.since(self.sensors.last_change()) >= LEVER_LAG;
            cost += if settled { LEVER } else { LEVER / 4 };
        }
        cost
    }

    /// What a line costs beside what its own [trace](super::trace) does, where every change was seen.
    pub(super) fn cost_beside(&self, id: NodeId, now: Stamp) -> u32 {
        let Some(game) = &self.game else { return 0 };
        self.lever_cost(id, now) + self.put_back(&game.tree.path(id))
    }

    /// What it costs that the lever has shown the other side's turn for a while.
    pub(super) fn lever_cost(&self, id: NodeId, now: Stamp) -> u32 {
        let turn = self.game.as_ref().map(|game| game.tree.node(id).position.turn());
        let against = self.settled_lever(now).is_some_and(|lever| Some(lever) != turn);
        if against { LEVER } else { 0 }
    }

    /// Whether a line of this cost can be believed at all, where every change was seen; in doubt, when the
    /// game has been lost for a while and nothing better has come.
    pub(super) fn plausible(&self, cost: u32, id: NodeId, now: Stamp) -> Plausible {
        let Some(game) = &self.game else { return Plausible::No };
        let far_fetched =
            if self.correcting { MOST_FAR_FETCHED + MOST_LOST / 2 } else { MOST_FAR_FETCHED };
        if game.after_gap || id == ROOT || cost <= PLY * game.tree.depth(id) + far_fetched {
            return Plausible::Yes;
        }
        let last = game.left.map_or(ROOT, |(id, _)| id);
        let lost = now.since(game.tree.node(last).shown_until);
        let stood = now.since(self.sensors.last_change());
        // A king that comes to the centre may show a result, and men were cleared away for him.
        let shows = game.tree.node(id).parent.is_some_and(|(_, m)| king_to_centre(m));
        if !self.correcting
            && !shows
            && game.current.is_none()
            && lost >= LOST
            && stood >= self.timing.deep_search
        {
            Plausible::InDoubt
        } else {
            Plausible::No
        }
    }

    /// The price of a line that the board showed and went on from, and shows again.
    fn put_back(&self, path: &[NodeId]) -> u32 {
        let Some(game) = &self.game else { return 0 };
        let last = game.current.or(game.left.map(|(id, _)| id));
        let Some(shown) = last.filter(|id| *id != ROOT && !path.contains(id)) else { return 0 };
        let line = game.tree.path(shown);
        if line.starts_with(path) { self.undone(&line[path.len()..]) } else { 0 }
    }

    /// The price of plies put back. The last one goes back first; men that return in the order in
    /// which they were moved have rather been moved there again.
    fn undone(&self, plies: &[NodeId]) -> u32 {
        let Some(game) = &self.game else { return 0 };
        let returned = |id: &NodeId| {
            let from = game.tree.node(*id).parent.and_then(|(_, m)| m.from());
            from.map_or(Stamp::ZERO, |square| self.sensors.changed_at(square))
        };
        let cost = UNDONE * u32::try_from(plies.len()).unwrap_or(9);
        let again = plies.windows(2).any(|pair| returned(&pair[0]) < returned(&pair[1]));
        if again { cost + UNSEEN } else { cost }
    }

    /// Whether hands at work explain the board: at most `most` men are missing from a position that
    /// the tree knows or that one move leads to, and none stands anywhere new. Then nothing else is
    /// needed.
    pub(super) fn hands_at_work(&self, most: usize) -> bool {
        let Some(game) = &self.game else { return true };
        let nothing_new = |position: &Chess| {
            let differs = self.sensors.differences(position.board());
            if differs.count() > most {
                return false;
            }
            if self.sensors.flickering().is_empty() {
                let occupied = self.sensors.board().occupied();
                return self.sensors.odd().is_empty() && (differs & occupied).is_empty();
            }
            let (believed, odd) = self.sensors.believed(position.board());
            odd.is_empty() && (differs & believed.occupied()).is_empty()
        };
        // A line that was hard to believe when the board showed it excuses nothing.
        let left = game.left.map(|(id, _)| id).filter(|&id| {
            let (excess, at, ply) = game.strained;
            excess < FAR_FETCHED || at < game.tree.node(id).made || ply != game.ply()
        });
        [Some(ROOT), left].into_iter().flatten().any(|id| {
            let position = &game.tree.node(id).position;
            // A man that never left its square would stand somewhere new after any move of his.
            let may_have_left =
                self.sensors.raw_differences(position.board()) | self.sensors.flickering();
            let left = |m: &Move| {
                m.is_castle()
                    || m.is_promotion()
                    || m.from().is_some_and(|from| may_have_left.contains(from))
            };
            // Where something else is read than the man that goes there, something stands anywhere new.
            let steady = self.sensors.flickering().is_empty();
            let us = position.turn();
            let seventh = us.fold_wb(Rank::Seventh, Rank::Second);
            let promoting = position.board().pawns() & Bitboard::from_rank(seventh);
            let fits = |m: &Move| {
                !steady
                    || m.is_castle()
                    || m.is_promotion()
                    || match self.sensors.contact(m.to()) {
                        Contact::Empty => true,
                        reads => reads.man() == Some(m.role().of(us)),
                    }
            };
            if nothing_new(position) {
                return true;
            }
            let quick = steady && self.sensors.odd().is_empty();
            let mut squares = may_have_left | promoting;
            if quick {
                if self.plain_move_begun(position, may_have_left, most) {
                    return true;
                }
                squares = promoting | may_have_left & position.board().pawns();
                let passes = position.maybe_ep_square().is_some();
                if promoting.is_empty() && !passes && !position.castles().any() {
                    return false;
                }
            }
            let plain = |m: &Move| matches!(m, Move::Normal { promotion: None, .. });
            let mut moves = MoveList::new();
            moves::from(position, squares, &mut moves);
            let others = moves.iter().copied().filter(|m| !(quick && plain(m)));
            others.filter(left).filter(fits).any(|m| {
                let mut after = position.clone();
                after.play_unchecked(m);
                nothing_new(&after)
                    || self.castling_begun(position.turn(), m, &after)
                    || self.promotion_begun(m, &after)
            })
        })
    }

    /// Whether nothing but up to `most` men missing tells what is read from the position after a move that
    /// is no castling, no promotion and no capture in passing, where more are missing from the position
    /// itself, or something stands anywhere new; `differs` are the squares that read otherwise.
    fn plain_move_begun(&self, position: &Chess, differs: Bitboard, most: usize) -> bool {
        let board = self.sensors.board();
        let new = differs & board.occupied();
        let gone = differs & !board.occupied() & position.us();
        let (from, to, missing) = if let Some(square) = new.single_square() {
            // He has arrived there.
            let Some(man) = board.piece_at(square) else { return false };
            (gone & position.board().by_piece(man), new, differs.count().saturating_sub(2))
        } else if new.is_empty() {
            // He is in the air, and so is the man that he takes.
            (gone, differs & position.them(), differs.count().saturating_sub(1))
        } else {
            return false;
        };
        if missing > most || from.is_empty() || to.is_empty() {
            return false;
        }
        let mut moves = MoveList::new();
        moves::from(position, from, &mut moves);
        moves.iter().any(|m| match *m {
            Move::Normal { from: left, to: goal, promotion: None, .. } => {
                from.contains(left) && to.contains(goal)
            }
            _ => false,
        })
    }

    /// Whether the king has castled and the rook has not followed yet.
    fn castling_begun(&self, color: Color, m: Move, after: &Chess) -> bool {
        let Move::Castle { king, rook } = m else { return false };
        let (king_to, rook_to) = castled(king, rook);
        let open = Bitboard::EMPTY.with(rook).with(rook_to);
        self.sensors.may_read(king_to, Some(Role::King.of(color)))
            && self.sensors.differences(after.board()).is_subset(open)
    }

    /// Whether the new man stands on the last rank and the pawn has not been taken away yet.
    fn promotion_begun(&self, m: Move, after: &Chess) -> bool {
        m.is_promotion()
            && m.from().is_some_and(|from| {
                self.sensors.differences(after.board()) == Bitboard::from_square(from)
            })
    }

    /// Whether a line ends in a man that steps aside and another that enters the square he left, while the
    /// first may be one captured there and pushed off.
    pub(super) fn steps_aside(&self, id: NodeId, now: Stamp) -> bool {
        let Some(game) = &self.game else { return false };
        let Some((before, entering)) = game.tree.node(id).parent else { return false };
        let Some((_, aside)) = game.tree.node(before).parent else { return false };
        aside.role() != Role::King
            && aside.from().is_some_and(|from| {
                entering.to() == from
                    && from.distance(aside.to()) == 1
                    && now.since(self.sensors.changed_at(aside.to())) < PHANTOM
            })
    }

    /// Whether a line must wait, because a simpler explanation is likely to come within a scan or
    /// two.
    pub(super) fn premature(
        &self,
        line: &[Move],
        start: &Chess,
        since: Stamp,
        now: Stamp,
    ) -> Option<Wait> {
        let mut position = start.clone();
        for (index, &m) in line.iter().enumerate() {
            let from = m.from()?;
            let (landing, man) = arrival(&position, m);
            let later = &line[index + 1..];
            let entered = later.first().is_some_and(|next| next.to() == from);
            let beside = from.distance(landing) == 1;
            let fresh = now.since(self.sensors.changed_at(landing)) < PHANTOM;
            if entered && beside && fresh {
                return Some(Wait::Beside);
            }
            let captor = later.iter().find(|next| taken_on(**next) == Some(landing));
            let unseen = self.sensors.saw(landing, man, since, Stamp::ZERO).is_none();
            let lifted = self.sensors.changed_at(from);
            // Who takes in passing lands elsewhere.
            let taken = self.sensors.changed_at(captor.map_or(landing, |captor| captor.to()));
            let too_late = lifted.since(taken) > SCAN;
            // A dump shows what was done by then; nothing in it is under way.
            let told = self.sensors.dumped(from) && self.sensors.dumped(landing);
            let in_the_air = !(told && lifted == taken) && now.since(taken) < IN_THE_AIR;
            // A square that did not change at all tells nothing of when it was captured on.
            if captor.is_some() && unseen && taken >= since && (too_late || in_the_air) {
                return Some(Wait::InTheAir);
            }
            position.play_unchecked(m);
        }
        None
    }
}

/// Whether a line can be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plausible {
    Yes,
    /// For want of anything better.
    InDoubt,
    No,
}

/// Why a line is not believed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// A captured man still shows on a neighbouring square, so that it seems to have stepped aside.
    Beside,
    /// A man in the air seems to have been captured where nobody saw it.
    InTheAir,
}

/// Which man a move puts on which square.
pub(super) fn arrival(position: &Chess, m: Move) -> (Square, Piece) {
    let us = position.turn();
    match m {
        Move::Castle { king, rook } => (castled(king, rook).0, Role::King.of(us)),
        _ => (m.to(), m.promotion().unwrap_or(m.role()).of(us)),
    }
}
