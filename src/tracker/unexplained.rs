//! A placement that is no legal move away from anything: what has happened?
//!
//! The longer it stands, the less likely explanations are tried: first several plies whose middle
//! never showed; then that the man moved last went on to another square; then a takeback, or a move
//! that was taken for another; at last it is reported.

use std::time::Duration;

use shakmaty::{Bitboard, Chess, Move, Piece, Position, Role, Square};

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
/// A placement that stood so long was no passing one.
const STOOD: Duration = Duration::from_millis(500);
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
                self.went_on(now, out);
                self.search_forward(if gap { 4 } else { 3 }, 1_000, now, out);
            } else if !game.stage.deep {
                game.stage.deep = true;
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
        [Some(ROOT), game.left.map(|(id, _)| id)].into_iter().flatten().any(|id| {
            let board = game.tree.node(id).position.board();
            let (believed, odd) = self.sensors.believed(board);
            let differs = self.sensors.differences(board);
            odd.is_empty() && (differs & believed.occupied()).is_empty()
        })
    }

    /// Several plies from the root, or from the last node the board showed.
    fn search_forward(
        &mut self,
        plies: u32,
        positions: u32,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        if self.only_lifted() {
            return;
        }
        let Some(game) = &self.game else { return };
        if game.current.is_some() {
            return;
        }
        // What stood on the board for a while is not explained away.
        let starts = match game.left {
            Some((left, stood)) if left != ROOT && stood >= STOOD => vec![left],
            Some((left, _)) if left != ROOT => vec![ROOT, left],
            _ => vec![ROOT],
        };
        self.found.clear();
        for start in starts {
            let Some(game) = &mut self.game else { return };
            let node = game.tree.node(start);
            let touched = (!game.after_gap).then(|| {
                self.sensors.differences(node.position.board())
                    | touched_since(&self.sensors, node.shown_until)
            });
            let since = node.shown_until;
            let plies = if game.after_gap {
                plies
            } else {
                possible_plies(self.sensors.last_change().since(since), plies)
            };
            let limits = Limits { plies, positions, touched };
            let position = node.position.clone();
            let (lines, cut) = self.lines_to_board(&position, 2, limits, since);
            let many = lines.len() > 1 || cut;
            for line in &lines {
                let takeback = self.backwards(line) && self.shows_earlier_ply();
                if takeback || self.premature(line, &position, since, now) {
                    continue;
                }
                let Some(game) = &mut self.game else { return };
                let leaf = grow_line(&mut game.tree, start, line, now, &self.sensors, many);
                self.found.push(leaf);
            }
        }
        if !self.found.is_empty() {
            self.arrive(now, out);
        }
    }

    /// The man that moved last went on to another square: the move was taken for final too early.
    ///
    /// It is not that side's turn, so nothing else explains it; the opponent's men may be in the air
    /// already.
    pub(super) fn went_on(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        let Some(last) = game.line().last() else { return };
        let recent = now.since(last.made) <= Duration::from_secs(6);
        let Some(before) = game.position(Ply(game.ply().0 - 1)).cloned() else { return };
        if game.current.is_some() || game.left.is_some_and(|(id, _)| id != ROOT) || !recent {
            return;
        }
        let same_man = |m: &Move| {
            m.from() == last.m.from()
                || matches!(*m, Move::Castle { king, rook }
                if last.m.from() == Some(king) || last.m.from() == Some(rook))
        };
        let found = before.legal_moves().into_iter().filter(same_man).find(|&m| {
            let mut after = before.clone();
            after.play_unchecked(m);
            let differs = self.sensors.differences(after.board());
            let lifted = (differs & self.sensors.board().occupied()).is_empty()
                && differs.is_subset(after.us());
            let (landing, man) = arrival(&before, m);
            m != last.m && lifted && self.sensors.may_read(landing, Some(man))
        });
        let Some(m) = found else { return };
        let rook_first = m.is_castle() && last.m.role() == Role::Rook;
        let pressed = last.pressed.then_some((!before.turn(), last.confirmed));
        let to = Ply(game.ply().0 - 1);
        self.take_back(to, TakebackReason::Correction, now, out);
        let Some(game) = &mut self.game else { return };
        let leaf = game.tree.add(ROOT, m, now, true);
        self.found.clear();
        self.found.push(leaf);
        if self.sensors.shows(game.tree.node(leaf).position.board()) {
            self.arrive(now, out);
        } else {
            game.left = Some((leaf, Duration::ZERO));
        }
        if rook_first {
            out.push(TrackEvent::Noted(describe::rook_first(m, before.turn())));
        }
        // The press that had confirmed the passing square was meant for this one.
        if let Some((turn, at)) =
            pressed.filter(|(_, at)| now.since(*at) <= self.timing.early_press)
        {
            self.pressed_again(turn, at);
        }
    }

    /// Lines from a position to what the board shows, squares that flicker read either way; and
    /// whether there may be more.
    pub(super) fn lines_to_board(
        &self,
        start: &Chess,
        least: u32,
        limits: Limits,
        since: Stamp,
    ) -> (Vec<Vec<Move>>, bool) {
        let raw = (self.sensors.board().clone(), self.sensors.odd());
        let mut found = explain::Found::default();
        if raw.1.is_empty() {
            found = explain::explain(start, &raw.0, least, limits);
        }
        let believed = self.sensors.believed(start.board());
        if found.lines.is_empty() && believed.1.is_empty() && believed.0 != raw.0 {
            found = explain::explain(start, &believed.0, least, limits);
        }
        (best_supported(found.lines, start, since, &self.sensors), found.cut)
    }

    /// Whether a line must wait, because a simpler explanation is likely to come within a scan or
    /// two: a captured man that still shows on a neighbouring square, so that it seems to have
    /// stepped aside; or a man in the air that seems to have been captured where nobody saw it.
    pub(super) fn premature(&self, line: &[Move], start: &Chess, since: Stamp, now: Stamp) -> bool {
        let mut position = start.clone();
        for (index, &m) in line.iter().enumerate() {
            let Some(from) = m.from() else { return false };
            let (landing, man) = arrival(&position, m);
            let later = &line[index + 1..];
            let entered = later.first().is_some_and(|next| next.to() == from);
            let beside = from.distance(landing) == 1;
            let fresh = now.since(self.sensors.changed_at(landing)) < PHANTOM;
            if entered && beside && fresh {
                return true;
            }
            let captured = later.iter().any(|next| next.to() == landing && next.is_capture());
            let unseen = self.sensors.saw(landing, man, since).is_none();
            let lifted = self.sensors.changed_at(from);
            let taken = self.sensors.changed_at(landing);
            if captured && unseen && lifted != taken && now.since(taken) < IN_THE_AIR {
                return true;
            }
            position.play_unchecked(m);
        }
        false
    }

    /// A takeback, or a wrong move somewhere in the last few plies.
    fn search_back(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        if game.current.is_some() {
            return;
        }
        let last = game.ply().0;
        let takeback = (0..last)
            .rev()
            .find(|&ply| game.position(Ply(ply)).is_some_and(|p| self.sensors.shows(p.board())));
        let takeback_cost = takeback.map(|ply| (last - ply) * COST_PLY);
        if takeback.is_none() && self.only_lifted() {
            return;
        }
        let mut best: Option<(u32, u32, Vec<Move>, bool)> = None;
        let mut revoked = 0;
        for back in 1..=last.min(MOST_BACK) {
            let played = &game.line()[(last - back) as usize];
            let stood = game.shown_until(Ply(last - back + 1)).since(played.made);
            revoked += if played.by != ConfirmedBy::Reply || stood >= STOOD {
                COST_REVOKE_STRONG
            } else {
                COST_REVOKE
            };
            if revoked > MOST_REVOKED {
                break;
            }
            let Some(start) = game.position(Ply(last - back)) else { break };
            let since = game.shown_until(Ply(last - back));
            let touched = (!game.after_gap).then(|| {
                self.sensors.differences(start.board()) | touched_since(&self.sensors, since)
            });
            let limits = Limits {
                plies: possible_plies(now.since(since), back + 2).min(6),
                positions: 2_000,
                touched,
            };
            let (lines, cut) = self.lines_to_board(start, 1, limits, since);
            let many = lines.len() > 1 || cut;
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

/// Of several lines to the same placement, those that fit best what was seen since the line began:
/// men seen on the squares they went to first, then men that arrived in the order of the moves. Two
/// arrivals within a scan of the board say nothing for certain, but are still the better guess.
pub(super) fn best_supported(
    lines: Vec<Vec<Move>>,
    start: &Chess,
    since: Stamp,
    sensors: &Sensors,
) -> Vec<Vec<Move>> {
    if lines.len() < 2 {
        return lines;
    }
    let mut ranked: Vec<((usize, usize, Duration), Vec<Move>)> =
        lines.into_iter().map(|line| (support(&line, start, since, sensors), line)).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let best = ranked[0].0;
    ranked.retain(|(rank, _)| (rank.0, rank.1) == (best.0, best.1));
    ranked.into_iter().map(|(_, line)| line).collect()
}

/// How badly a line fits what was seen: arrivals never seen, arrivals in the wrong order by more
/// than a scan, and by how much in all.
fn support(
    line: &[Move],
    start: &Chess,
    since: Stamp,
    sensors: &Sensors,
) -> (usize, usize, Duration) {
    let mut position = start.clone();
    let (mut unseen, mut breaks, mut inversion) = (0, 0, Duration::ZERO);
    let mut before = Stamp::ZERO;
    for &m in line {
        let (landing, man) = arrival(&position, m);
        match sensors.saw(landing, man, since) {
            None => unseen += 1,
            Some(at) => {
                let late = before.since(at);
                breaks += usize::from(late > SCAN);
                inversion += late;
                before = before.max(at);
            }
        }
        position.play_unchecked(m);
    }
    (unseen, breaks, inversion)
}

/// Which man a move puts on which square.
pub(super) fn arrival(position: &Chess, m: Move) -> (Square, Piece) {
    let us = position.turn();
    match m {
        Move::Castle { king, rook } => (super::keys::castled(king, rook).0, Role::King.of(us)),
        _ => (m.to(), m.promotion().unwrap_or(m.role()).of(us)),
    }
}

/// The longest a scan of the board takes, with a little on top.
pub(super) const SCAN: Duration = Duration::from_millis(250);

/// A captured man may show beside its square for so long.
const PHANTOM: Duration = Duration::from_millis(600);
/// A man in the air is not believed captured before so much time has passed.
const IN_THE_AIR: Duration = Duration::from_millis(340);

/// How many plies can have been played in so short a time without any of them showing: two at
/// once by both hands, and one more for each time a hand needs.
fn possible_plies(window: Duration, most: u32) -> u32 {
    let hands = window.as_millis() / 400;
    most.min(2 + u32::try_from(hands).unwrap_or(most))
}
