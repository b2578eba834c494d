//! A placement that is no legal move away from anything: what has happened?
//!
//! The longer it stands, the less likely explanations are tried: first several plies whose middle
//! never showed; then that the man moved last went on to another square; then a takeback, or a move
//! that was taken for another; at last it is reported.

use shakmaty::{Bitboard, Chess, Move, Position, Square};

use super::{
    AttentionKind, ConfirmedBy, NodeId, Note, ROOT, Sensors, Stamp, TakebackReason, TrackEvent,
    Tracker, describe, differing,
    explain::{self, Limits},
    line::grow_line,
    tree::COST_PLY,
};
use crate::units::Ply;

/// Which explanations have been tried for the present placement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stage {
    quick: bool,
    deep: bool,
    back: bool,
    said: bool,
    /// Whether the move left behind was looked at for a press.
    pub(super) press_looked: bool,
}

/// How many plies a correction may reach back.
const MOST_BACK: u32 = 8;
/// What it costs to revoke a ply that only its reply confirmed.
const COST_REVOKE: u32 = 150;
/// What it costs to revoke a ply that stood still or was pressed: it was seen by itself.
const COST_REVOKE_STRONG: u32 = 500;
/// Beyond this cost a correction explains less than it throws away.
const MOST_REVOKED: u32 = 1_200;

impl Tracker {
    pub(super) fn unexplained_deadline(&self) -> Option<Stamp> {
        let game = self.game.as_ref()?;
        if game.current.is_some() || self.signal.is_some() {
            return None;
        }
        let since = self.sensors.last_change();
        let stage = game.stage;
        Some(
            since
                + if !stage.quick {
                    self.timing.quick_search
                } else if !stage.deep {
                    self.timing.deep_search
                } else if !stage.back {
                    self.timing.takeback
                } else if !stage.said {
                    if self.in_a_hand() { self.timing.in_hand } else { self.timing.mismatch }
                } else {
                    return None;
                },
        )
    }

    pub(super) fn review_unexplained(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        while self.unexplained_deadline().is_some_and(|due| due <= now) {
            let Some(game) = &mut self.game else { return };
            let gap = game.after_gap;
            if !game.stage.quick {
                game.stage.quick = true;
                self.search_forward(if gap { 4 } else { 3 }, 1_000, now, out);
            } else if !game.stage.deep {
                game.stage.deep = true;
                self.went_on(now, out);
                self.search_forward(if gap { 8 } else { 5 }, 8_000, now, out);
            } else if !game.stage.back {
                game.stage.back = true;
                self.search_back(now, out);
            } else {
                game.stage.said = true;
                game.reported = true;
                out.push(TrackEvent::Noted(describe::mismatch(&self.sensors, &game.tree)));
            }
        }
    }

    /// Whether all that differs is one man of the side to move off the board: somebody thinks with
    /// a man in hand.
    fn in_a_hand(&self) -> bool {
        let Some(game) = &self.game else { return false };
        let position = &game.tree.root().position;
        let differs = self.sensors.differences(position.board());
        differs.count() == 1
            && differs.is_subset(position.us())
            && (differs & self.sensors.board().occupied()).is_empty()
            && self.sensors.odd().is_empty()
    }

    /// Whether men are off the board and none stands anywhere new: hands hold them, and no history
    /// has to be rewritten for that.
    fn only_lifted(&self) -> bool {
        let Some(game) = &self.game else { return true };
        let differs = self.sensors.differences(game.tree.root().position.board());
        (differs & self.sensors.board().occupied()).is_empty()
    }

    /// Several plies from the root, or from the last node the board showed.
    fn search_forward(
        &mut self,
        plies: u32,
        positions: u32,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        if !self.sensors.odd().is_empty() {
            return;
        }
        let Some(game) = &self.game else { return };
        if game.current.is_some() {
            return;
        }
        let mut starts = vec![ROOT];
        starts.extend(game.left.map(|(id, _)| id).filter(|&id| id != ROOT));
        self.found.clear();
        for start in starts {
            let Some(game) = &mut self.game else { return };
            let node = game.tree.node(start);
            let touched = (!game.after_gap).then(|| {
                self.sensors.differences(node.position.board())
                    | touched_since(&self.sensors, node.made)
            });
            let limits = Limits { plies, positions, touched };
            let found = explain::explain(&node.position, self.sensors.board(), 2, limits);
            let many = found.lines.len() > 1 || found.cut;
            let orderly = in_order(found.lines, &self.sensors);
            for line in &orderly {
                let leaf = grow_line(&mut game.tree, start, line, now, &self.sensors, many);
                self.found.push(leaf);
            }
        }
        if !self.found.is_empty() {
            self.arrive(now, out);
        }
    }

    /// The man that moved last went on to another square: the move was taken for final too early.
    fn went_on(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        let Some(last) = game.line().last() else { return };
        let recent = now.since(last.made) <= std::time::Duration::from_secs(6);
        let Some(before) = game.position(Ply(game.ply().0 - 1)).cloned() else { return };
        if game.current.is_some() || !recent {
            return;
        }
        let same_man = |m: &Move| {
            m.from() == last.m.from()
                || matches!(*m, Move::Castle { king, rook }
                if last.m.from() == Some(king) || last.m.from() == Some(rook))
        };
        let key = self.sensors.key();
        let parent = super::keys::Key::of(before.board());
        let found: Option<Move> = before
            .legal_moves()
            .iter()
            .copied()
            .find(|&m| parent.after(before.turn(), m) == key && same_man(&m));
        if let Some(m) = found {
            let rook_first = m.is_castle() && last.m.role() == shakmaty::Role::Rook;
            let to = Ply(game.ply().0 - 1);
            self.correct(to, &[m], false, now, out);
            if rook_first {
                out.push(TrackEvent::Noted(describe::rook_first(m, before.turn())));
            }
        }
    }

    /// A takeback, or a wrong move somewhere in the last few plies.
    fn search_back(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        if game.current.is_some() || !self.sensors.odd().is_empty() {
            return;
        }
        let last = game.ply().0;
        let key = self.sensors.key();
        let takeback = (0..last).rev().find(|&ply| {
            game.key(Ply(ply)) == Some(key)
                && game.position(Ply(ply)).is_some_and(|p| self.sensors.shows(p.board()))
        });
        let takeback_cost = takeback.map(|ply| (last - ply) * COST_PLY);
        if takeback.is_none() && self.only_lifted() {
            return;
        }
        let mut best: Option<(u32, u32, Vec<Move>, bool)> = None;
        let mut revoked = 0;
        for back in 1..=last.min(MOST_BACK) {
            revoked += match game.line()[(last - back) as usize].by {
                ConfirmedBy::Press | ConfirmedBy::Still => COST_REVOKE_STRONG,
                ConfirmedBy::Reply => COST_REVOKE,
            };
            if revoked > MOST_REVOKED {
                break;
            }
            let Some(start) = game.position(Ply(last - back)) else { break };
            let since = match (last - back).checked_sub(1) {
                Some(ply) => game.line()[ply as usize].made,
                None => Stamp::ZERO,
            };
            let touched = (!game.after_gap).then(|| {
                self.sensors.differences(start.board()) | touched_since(&self.sensors, since)
            });
            let limits = Limits { plies: (back + 2).min(6), positions: 2_000, touched };
            let found = explain::explain(start, self.sensors.board(), 1, limits);
            let many = found.lines.len() > 1 || found.cut;
            let lines = in_order(found.lines, &self.sensors);
            if let Some(line) = lines.into_iter().next() {
                let cost = revoked + u32::try_from(line.len()).unwrap_or(99) * COST_PLY;
                if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                    best = Some((cost, back, line, many));
                }
            }
        }
        match (takeback, takeback_cost, best) {
            (Some(ply), Some(cost), best) if best.as_ref().is_none_or(|(c, ..)| cost <= *c) => {
                self.completed_move_taken_back(Ply(ply), out);
                self.take_back(Ply(ply), TakebackReason::Board, now, out);
                self.match_now(now, out);
            }
            (_, _, Some((_, back, line, many))) => {
                self.correct(Ply(last - back), &line, many, now, out);
            }
            _ => {}
        }
    }

    /// Puts other plies in the place of those after `to`.
    fn correct(
        &mut self,
        to: Ply,
        line: &[Move],
        doubt: bool,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        self.completed_move_taken_back(to, out);
        self.take_back(to, TakebackReason::Correction, now, out);
        let Some(game) = &mut self.game else { return };
        let leaf: NodeId = grow_line(&mut game.tree, ROOT, line, now, &self.sensors, doubt);
        self.found.clear();
        self.found.push(leaf);
        self.arrive(now, out);
    }

    /// A move that was completed by a press and is now undone is the arbiter's business.
    fn completed_move_taken_back(&self, to: Ply, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        if game.line().iter().skip(to.index()).any(|played| played.pressed) {
            out.push(TrackEvent::Noted(Note {
                kind: AttentionKind::CompletedMoveTakenBack,
                squares: differing(&self.sensors, &game.tree.root().position),
                text: format!(
                    "a completed move was taken back: the game goes on from ply {to} ({} to move)",
                    describe::side(game.position(to).map_or(shakmaty::Color::White, Chess::turn))
                ),
            }));
        }
    }

    /// After a gap in what was seen: says what was played in it.
    pub(super) fn tell_gap(&mut self, best: NodeId, out: &mut Vec<TrackEvent>) {
        let earlier = best != ROOT && self.shows_a_ply_of_the_line();
        let Some(game) = &mut self.game else { return };
        if !std::mem::take(&mut game.after_gap) || best == ROOT {
            return;
        }
        let path = game.tree.path(best);
        // Longer lines always fit too; one or two plies are believed.
        let sure = path.len() <= 2 && !earlier && path.iter().all(|&id| !game.tree.node(id).doubt);
        let moves: Vec<String> = path
            .iter()
            .filter_map(|&id| {
                let (parent, m) = game.tree.node(id).parent?;
                let before = game.tree.node(parent).position.clone();
                Some(shakmaty::san::SanPlus::from_move(before, m).to_string())
            })
            .collect();
        if !sure {
            for &id in &path {
                game.tree.set_doubt(id);
            }
        }
        let how = if sure { "" } else { "; other moves or orders are possible" };
        out.push(TrackEvent::Noted(Note {
            kind: AttentionKind::Gap,
            squares: Vec::new(),
            text: format!("played while the board could not be read: {}{how}", moves.join(" ")),
        }));
    }

    fn shows_a_ply_of_the_line(&self) -> bool {
        let key = self.sensors.key();
        self.game
            .as_ref()
            .is_some_and(|game| (0..=game.ply().0).any(|ply| game.key(Ply(ply)) == Some(key)))
    }
}

/// Squares that changed at or after a moment.
pub(super) fn touched_since(sensors: &Sensors, since: Stamp) -> Bitboard {
    Square::ALL.into_iter().filter(|&square| sensors.changed_at(square) >= since).collect()
}

/// Lines whose men arrived in the order of the moves first; of several, only those that break the
/// order least. Two arrivals within a scan say nothing.
fn in_order(mut lines: Vec<Vec<Move>>, sensors: &Sensors) -> Vec<Vec<Move>> {
    let breaks = |line: &Vec<Move>| {
        let scan = std::time::Duration::from_millis(250);
        line.windows(2)
            .filter(|pair| {
                let (first, second) =
                    (sensors.changed_at(pair[0].to()), sensors.changed_at(pair[1].to()));
                first.since(second) > scan
            })
            .count()
    };
    if let Some(least) = lines.iter().map(breaks).min() {
        lines.retain(|line| breaks(line) == least);
    }
    lines
}
