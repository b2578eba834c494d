//! Have plies told been others after all?
//!
//! What is far-fetched, and what nothing explains, is compared with other lines: longer ones, and such
//! as begin a few plies earlier in the place of plies that were confirmed. All of them are held against
//! everything seen since, by their [trace](super::trace).

use std::time::Duration;

use shakmaty::{Chess, Move, Position};

use super::{
    ConfirmedBy, NodeId, ROOT, Stamp, Tracker,
    explain::Limits,
    king_to_centre,
    line::Played,
    trace::{PUSHED_MS, count, millis},
    unexplained::touched_since,
    weigh::{LEVER, MARGIN, MOST_FAR_FETCHED, MOST_LOST, PLY, arrival},
};
use crate::units::Ply;

/// A line that costs this much more than its plies is compared with others.
pub(super) const SUSPICIOUS: u32 = 100;
/// A board back where it was that tells of so much meanwhile may have been played on.
const ROUND: u32 = 400;
/// The plies of a man who goes out and back, and of his opponent's.
const ROUND_TRIP: usize = 4;
/// So long after far-fetched plies were confirmed what comes next is compared with other lines too.
const STRAINED: Duration = Duration::from_secs(3);
/// What it costs to give up a ply, by what had confirmed it.
const REVOKE_REPLY: u32 = 60;
const REVOKE_PRESS: u32 = 100;
const REVOKE_STILL: u32 = 150;
/// Of the milliseconds that it stood on the board, this part is added, up to a most.
const STOOD_PART: u32 = 5;
const MOST_STOOD: u32 = 250;
/// So many confirmed plies are put in question; and where the game has been lost, so many.
const MOST_BACK: u32 = 3;
const FAR_BACK: u32 = 8;
/// Plies older than this are beyond question.
const RECENT: Duration = Duration::from_secs(10);
/// A ply whose press is so long ago was completed.
const SETTLED: Duration = Duration::from_secs(3);

impl Tracker {
    /// A line that explains everything better than the one that the tree offers, and from which ply
    /// it begins: longer, or begun up to three plies earlier in the place of confirmed ones.
    ///
    /// `weighed` is what the tree's own line costs.
    pub(super) fn reconsider(
        &self,
        best: NodeId,
        weighed: u32,
        now: Stamp,
    ) -> Option<(Ply, Vec<Move>)> {
        let game = self.game.as_ref()?;
        let path = game.tree.path(best);
        if game.after_gap || self.correcting {
            return None;
        }
        if path.is_empty() {
            return Some((game.ply(), self.played_round(weighed, now)?));
        }
        let offered: Vec<Move> =
            path.iter().filter_map(|&id| Some(game.tree.node(id).parent?.1)).collect();
        // What of a line's cost is more than its plies, where the last plies confirmed are
        // far-fetched together with them.
        let alone =
            weighed.saturating_sub(self.cost_beside(best, now) + PLY * count(offered.len()));
        let recent = now.since(game.strained.1) <= STRAINED && game.strained.2 <= game.ply();
        let strain = alone.max(if recent { game.strained.0 } else { 0 });
        if strain < SUSPICIOUS {
            return None;
        }
        self.likelier(&offered, now)
    }

    /// Plies that lead back to where the game stood, when men moved meanwhile as if some had been played.
    fn played_round(&self, weighed: u32, now: Stamp) -> Option<Vec<Move>> {
        let root = self.game.as_ref()?.tree.root();
        // Who goes out and back shows twice.
        let mut shown = [0, 0];
        for seen in self.sensors.sightings(root.shown_until, now) {
            shown[usize::from(seen.man.color.is_white())] += 1;
        }
        if weighed < ROUND || shown[0] < 2 || shown[1] < 2 {
            return None;
        }
        let lever = self.lever_cost(ROOT, now);
        let lines = self.lines_along(&root.position, root.shown_until, now);
        let rounds = lines.into_iter().filter(|line| line.len().is_multiple_of(2));
        let cost = |line: &[Move]| self.trace(&root.position, line, root.shown_until, now) + lever;
        let (cost, line) = rounds.map(|line| (cost(&line), line)).min_by_key(|(cost, _)| *cost)?;
        (cost + MARGIN < weighed).then_some(line)
    }

    /// A line that explains everything since some recent ply, when nothing explains the board from
    /// the last one; and that ply.
    pub(super) fn explained_from_before(&self, now: Stamp) -> Option<(Ply, Vec<Move>)> {
        self.game.as_ref().filter(|game| !game.after_gap && !self.correcting)?;
        self.likelier(&[], now)
    }

    /// Whether a line differs from another in that its first man stands beside the square where he is
    /// captured: for a moment a captured man often does, pushed aside by his captor.
    pub(super) fn pushed_aside(
        &self,
        start: &Chess,
        present: &[Move],
        line: &[Move],
        now: Stamp,
    ) -> bool {
        let ([first, ..], [other, taker, ..]) = (present, line) else { return false };
        let (stood, beside) = (arrival(start, *first).0, arrival(start, *other).0);
        first.from() == other.from()
            && stood.distance(beside) == 1
            && taker.to() == stood
            && !taker.is_en_passant()
            && now.since(self.sensors.changed_at(beside)) < Duration::from_millis(PUSHED_MS.into())
    }

    fn likelier(&self, offered: &[Move], now: Stamp) -> Option<(Ply, Vec<Move>)> {
        let game = self.game.as_ref()?;
        let last = game.ply().0;
        let mut found: Option<(u32, Ply, Vec<Move>)> = None;
        let mut revoked = 0;
        let lever = self.settled_lever(now);
        let left = game.left.map_or(ROOT, |(id, _)| id);
        let lost = (millis(now.since(game.tree.node(left).shown_until)) / 4).min(MOST_LOST);
        // Far back, and along the men seen, only for whoever is lost.
        let furthest = if offered.is_empty() { FAR_BACK } else { MOST_BACK };
        for back in 0..=last.min(furthest) {
            let to = Ply(last - back);
            let since = game.shown_until(to);
            let played = game.line().get(to.index());
            // What was pressed and stood is not given up for want of an explanation.
            let settled = |p: &Played| p.pressed && now.since(p.confirmed) > SETTLED;
            if played.is_some_and(|p| now.since(p.made) > RECENT)
                || offered.is_empty() && played.is_some_and(settled)
                || to < game.gap_ply
                || since < self.sensors.remembered()
            {
                break;
            }
            revoked += played.map_or(0, |played| {
                let stood = game.shown_until(to.next()).since(played.made);
                revoke(played) + (millis(stood) / STOOD_PART).min(MOST_STOOD)
            });
            if back == 0 && offered.is_empty() {
                continue;
            }
            let start = game.position(to)?;
            let mut present: Vec<Move> = game.line()[to.index()..].iter().map(|p| p.m).collect();
            present.extend(offered);
            let touched =
                self.sensors.differences(start.board()) | touched_since(&self.sensors, since);
            let limits =
                |plies| Limits { plies, positions: 1_500, touched: Some(touched), tempo: false };
            let cost = |line: &[Move]| {
                let turn = if line.len().is_multiple_of(2) { start.turn() } else { !start.turn() };
                // Whoever has just moved has yet to press.
                let landed = line.last().map_or(Stamp::ZERO, |m| self.sensors.changed_at(m.to()));
                let against = lever.is_some_and(|lever| lever != turn)
                    && now.since(landed) > Duration::from_millis(1_500);
                self.trace(start, line, since, now) + if against { LEVER } else { 0 }
            };
            let worst = if offered.is_empty() { MOST_FAR_FETCHED } else { cost(&present) };
            let allowance = |line: &[Move]| {
                if offered.is_empty() {
                    lost + PLY * count(line.len().saturating_sub(6))
                } else {
                    0
                }
            };
            // A line that is too long cannot gain more than one found already, however well it fits.
            let least_gain = found.as_ref().map_or(0, |(most, ..)| *most);
            let room = worst.saturating_sub(revoked + least_gain);
            let most = (count(present.len()) + if back < 2 { 4 } else { 2 }).min(6);
            let most = most.min(room.saturating_sub(1) / PLY);
            if most == 0 && !offered.is_empty() {
                continue;
            }
            let mut lines = Vec::new();
            if back <= MOST_BACK && most > 0 {
                lines = self.lines_to_board(start, 1, limits(most)).0;
            }
            if let Some(shortest) = lines.first().map(|line| count(line.len())) {
                let longer = self.lines_to_board(start, shortest + 1, limits(most)).0;
                lines.extend(longer);
            }
            let along =
                if offered.is_empty() { self.lines_along(start, since, now) } else { Vec::new() };
            for line in along {
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
            let likeliest = lines
                .into_iter()
                .filter(|line| !line.last().copied().is_some_and(king_to_centre))
                .filter(|line| *line != present && (back == 0 || line.first() != present.first()))
                // What was played round is not left out for being one thing less to explain.
                .filter(|line| offered.is_empty() || line.len() + ROUND_TRIP > present.len())
                .filter(|line| !self.pushed_aside(start, &present, line, now))
                .map(|line| ((cost(&line) + revoked).saturating_sub(allowance(&line)), line))
                .min_by_key(|(cost, _)| *cost);
            if let Some((price, line)) = likeliest {
                let gain = worst.saturating_sub(price);
                if gain > 0 && found.as_ref().is_none_or(|(most, ..)| gain > *most) {
                    found = Some((gain, to, line));
                }
            }
        }
        found.map(|(_, to, line)| (to, line))
    }
}

/// What it costs to give up a ply.
pub(super) fn revoke(played: &Played) -> u32 {
    match played.by {
        ConfirmedBy::Reply => REVOKE_REPLY,
        ConfirmedBy::Press => REVOKE_PRESS,
        ConfirmedBy::Still | ConfirmedBy::Log => REVOKE_STILL,
    }
}
