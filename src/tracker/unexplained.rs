//! A placement that is no legal move away from anything: what has happened?
//!
//! The longer it stands, the less likely explanations are tried: first several plies whose middle
//! never showed; then that the man moved last went on to another square; then a takeback, or a move
//! that was taken for another; at last it is reported.

use std::time::Duration;

use shakmaty::{Bitboard, CastlingMode, Chess, Move, MoveList, Position, Role, Square};

use super::{
    AttentionKind, CENTRE, ConfirmedBy, NodeId, Note, ROOT, Sensors, Stamp, TakebackReason, Text,
    TrackEvent, Tracker, describe, differing,
    ending::ALL_TAKEN_BACK,
    explain::{self, Limits},
    gap::Hand,
    king_to_centre,
    line::{Back, grow_line},
    moves,
    stands::takes_king,
    weigh::{LEVER_LAG, REST, Wait, arrival},
};
use crate::units::Ply;

/// A captured man is put off the board within this.
const PUT_OFF: Duration = Duration::from_millis(900);

/// Which explanations have been tried for the present placement.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a search that was made or not")]
pub(super) struct Stage {
    quick: bool,
    deep: bool,
    back: bool,
    said: bool,
    /// Whether the move left behind was looked at for a press.
    pub(super) press_looked: bool,
}

/// What a ply of a takeback or a correction costs.
const PLY: u32 = 100;
/// How hard to search for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Overlapping plies.
    Quick,
    /// More plies, and more positions.
    Deep,
    /// Few plies, over squares that nobody saw change: a recapture between two scans leaves the same
    /// man on the square.
    Blind,
}

/// How long a placement has stood in which the man moved last seems to have gone on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// It has just been seen.
    None,
    /// Longer than a scan, and than a hand pauses on its way.
    Some,
    /// As long as nothing else explains it.
    Much,
}

/// How many plies a correction may reach back.
const MOST_BACK: u32 = 8;
/// Hands that have left no known placement for so long are not waited for.
const BUSY: Duration = Duration::from_millis(500);
/// After so long more plies are looked for.
const VERY_BUSY: Duration = Duration::from_secs(2);
/// A placement that stood so long was no passing one.
const STOOD: Duration = Duration::from_millis(500);
/// Two men in the air for so long were exchanged between two scans of the board.
const UNSEEN_EXCHANGE: Duration = Duration::from_millis(2_500);
/// What it costs to revoke a ply that only its reply confirmed.
const COST_REVOKE: u32 = 150;
/// What it costs to revoke a ply that stood still or was pressed: it was seen by itself.
const COST_REVOKE_STRONG: u32 = 500;
/// Beyond this cost a correction explains less than it throws away.
const MOST_REVOKED: u32 = 700;

impl Stage {
    /// Whether the deep search is still to be made; it counts as made now.
    pub(super) fn search_deep(&mut self) -> bool {
        !std::mem::replace(&mut self.deep, true)
    }
}

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
                    // After a gap the clock says whose turn it is, a moment later.
                    let clock = game.after_gap && self.lever.running();
                    self.timing.deep_search.max(if clock { LEVER_LAG } else { Duration::ZERO })
                } else if !stage.back {
                    if self.king_goes_back() {
                        self.timing.still_centre_king
                    } else {
                        self.timing.takeback
                    }
                } else if !stage.said {
                    // Kings in the centre explain themselves in a moment.
                    let waits = self.in_a_hand() || self.shown_result().is_some();
                    if waits { self.timing.in_hand } else { self.timing.mismatch }
                } else {
                    return None;
                },
        )
    }

    pub(super) fn review_unexplained(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        while self.unexplained_deadline().is_some_and(|due| due <= now) {
            let Some(game) = &mut self.game else { return };
            if !game.stage.quick {
                game.stage.quick = true;
                self.went_on(Patience::Some, now, out);
                self.search_forward(Effort::Quick, now, out);
                self.search_before(now, out);
            } else if !game.stage.deep {
                game.stage.deep = true;
                self.accept_held(now, out);
                self.search_forward(Effort::Deep, now, out);
                self.went_on(Patience::Much, now, out);
            } else if !game.stage.back {
                game.stage.back = true;
                // A man in a hand is waited for after a gap.
                let waits =
                    game.after_gap && game.left.is_some_and(|(id, _)| !game.tree.node(id).seen);
                if waits {
                    continue;
                }
                self.search_back(now, out);
                self.search_forward(Effort::Blind, now, out);
            } else {
                game.stage.said = true;
                self.accept_gap(now, out);
                self.search_forward(Effort::Blind, now, out);
                if self.game.as_ref().is_none_or(|game| game.current.is_some()) {
                    return;
                }
                if self.stands_still(now, out) {
                    return;
                }
                if self.released() {
                    self.confirm_last_shown(now, out);
                }
                let Some(game) = &mut self.game else { return };
                // What is tried after the end needs no more words than one.
                if std::mem::replace(&mut game.reported, true) && game.tree.is_end(ROOT) {
                    return;
                }
                let note = if game.tree.is_end(ROOT) {
                    describe::after_the_end(&self.sensors, &game.tree)
                } else {
                    describe::mismatch(&self.sensors, &game.tree)
                };
                out.push(TrackEvent::Noted(note));
            }
        }
    }

    /// Whether the board shows the position before a king's move again and that king stands in the
    /// centre: the other king may follow there, to show a result.
    fn king_goes_back(&self) -> bool {
        let Some(game) = &self.game else { return false };
        let Some(last) = game.ply().0.checked_sub(1) else { return false };
        let king = game.line()[last as usize].m;
        let stands = king.role() == Role::King
            && !king.is_castle()
            && king.from().is_some_and(|from| CENTRE.contains(from));
        stands && game.key(Ply(last)) == Some(self.sensors.key())
    }

    /// Whether all that differs is one man of the side to move off the board: somebody thinks with
    /// a man in hand.
    pub fn in_a_hand(&self) -> bool {
        let Some(game) = &self.game else { return false };
        let position = &game.tree.root().position;
        let differs = self.sensors.differences(position.board());
        differs.count() == 1
            && differs.is_subset(position.us())
            && (differs & self.sensors.board().occupied()).is_empty()
            && self.sensors.odd().is_empty()
    }

    /// Whether the man that made the move shown last still stands where it went, while others have
    /// been disturbed: its player has let go of it.
    fn released(&self) -> bool {
        let Some(game) = &self.game else { return false };
        let Some((parent, m)) = game.left.and_then(|(id, _)| game.tree.node(id).parent) else {
            return false;
        };
        let (landing, man) = arrival(&game.tree.node(parent).position, m);
        !king_to_centre(m) && self.sensors.may_read(landing, Some(man))
    }

    /// Several plies from the root, or from the last node the board showed.
    fn search_forward(&mut self, effort: Effort, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.game.as_ref().is_some_and(|game| game.after_gap) {
            if effort == Effort::Deep {
                self.search_gap(Hand::Perhaps, now, out);
            }
            return;
        }
        if self.game.as_ref().is_none_or(|game| game.current.is_some()) {
            return;
        }
        // Two men in the air for so long are more likely one that took the other.
        let most = if effort == Effort::Quick { 4 } else { 1 };
        if self.hands_at_work(most) {
            return;
        }
        self.find_lines(effort, now);
        if !self.found.is_empty() {
            self.arrive(now, out);
        }
        if effort == Effort::Deep && self.game.as_ref().is_some_and(|game| game.current.is_none()) {
            self.find_along(now);
            if !self.found.is_empty() {
                self.arrive(now, out);
            }
        }
        if self.game.as_ref().is_some_and(|game| game.current.is_none()) {
            self.search_surplus(effort, now, out);
        }
    }

    /// Finds lines to the placement, as far as the effort goes.
    pub(super) fn find_lines(&mut self, effort: Effort, now: Stamp) {
        let Some(game) = &mut self.game else { return };
        // What was shown long ago is given up for what explains the board now.
        if game.tree.overgrown() {
            let kept = game.tree.keep_only(game.left.map_or(ROOT, |(id, _)| id));
            if let Some((id, _)) = &mut game.left {
                *id = kept;
            }
        }
        let starts = self.starts(self.game.as_ref().and_then(|game| Some(game.left?.0)));
        self.found.clear();
        let begun = self.work.count();
        for start in starts {
            let Some(game) = &mut self.game else { return };
            let node = game.tree.node(start);
            let (plies, positions) = match effort {
                Effort::Quick => (3, 1_000),
                Effort::Deep => (5, 8_000),
                Effort::Blind => (3, 8_000),
            };
            // Each start may take so many, and all of them together twice as many.
            let spent = u32::try_from(self.work.count() - begun).unwrap_or(u32::MAX);
            let positions = u32::min(positions, (2_u32 * positions).saturating_sub(spent));
            let touched = (effort != Effort::Blind).then(|| {
                self.sensors.differences(node.position.board())
                    | touched_since(&self.sensors, node.shown_until)
            });
            let since = node.shown_until;
            let plies = possible_plies(self.sensors.last_change().since(since), plies);
            let limits = Limits { plies, positions, touched, tempo: false };
            let position = node.position.clone();
            let (lines, cut) = self.lines_to_board(&position, 2, limits);
            for line in &lines {
                self.consider(start, line, &position, (since, cut), now);
            }
        }
    }

    /// Hands that overlap all the time never let the board stand: after a while every man put down
    /// is looked at, at once.
    pub(super) fn search_in_passing(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        let last = game.left.map_or(ROOT, |(id, _)| id);
        let landed =
            self.sensors.recent().next_back().is_some_and(|last| last.contact.man().is_some());
        let busy = now.since(game.tree.node(last).shown_until);
        if landed && busy >= BUSY && game.current.is_none() && !game.after_gap {
            let effort = if busy >= VERY_BUSY { Effort::Deep } else { Effort::Quick };
            self.search_forward(effort, now, out);
            self.search_before(now, out);
        }
    }

    /// Nothing simpler has come: what waits and is still shown is what was played, and so is what the
    /// board seemed to show too early.
    fn accept_held(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        if game.current.is_some() || game.after_gap {
            return;
        }
        let sensors = &self.sensors;
        self.found.clear();
        self.found.extend(game.tree.ids().filter(|&id| {
            let node = game.tree.node(id);
            (node.held || node.seen) && sensors.shows(node.position.board())
        }));
        if let Some(game) = &mut self.game
            && !self.found.is_empty()
        {
            self.found.iter().for_each(|&id| game.tree.release(id));
            self.arrive(now, out);
        }
    }

    /// The man that a damaged message put on a wrong square: the plies since then are played again from
    /// where he went.
    pub(super) fn went_elsewhere(
        &mut self,
        (told, stands): (Square, Square),
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        let Some(game) = self.game.as_ref().filter(|game| !game.after_gap) else { return };
        if self.finished() {
            return;
        }
        // What the board shows was taken for one more move of that man, or for nothing.
        let (parent, from, landing) = match game.current {
            None => (game.left.map_or(ROOT, |(id, _)| id), told, stands),
            Some(current) => {
                let Some((parent, m)) = game.tree.node(current).parent else { return };
                let Some(from) = m.from() else { return };
                if self.sensors.changed_at(m.to()) >= game.tree.node(parent).shown_until {
                    return;
                }
                (parent, from, m.to())
            }
        };
        let last = game.ply().0;
        let mut to = last;
        let mut line: Vec<Move> = game
            .tree
            .path(parent)
            .iter()
            .filter_map(|&id| Some(game.tree.node(id).parent?.1))
            .collect();
        loop {
            if let Some(at) = line.iter().position(|ply| ply.to() == from && !ply.is_castle()) {
                let Some(start) = game.position(Ply(to)) else { return };
                let before = line[..at].iter().try_fold(start.clone(), |p, m| p.play(*m).ok());
                let Some(before) = before else { return };
                let there = before.legal_moves().into_iter().find(|ply| {
                    ply.from() == line[at].from()
                        && ply.to() == landing
                        && ply.promotion() == line[at].promotion()
                });
                let Some(there) = there else { return };
                line[at] = there;
                break;
            }
            let Some(earlier) = to.checked_sub(1).filter(|to| last - to <= MOST_BACK) else {
                return;
            };
            to = earlier;
            line.insert(0, game.line()[to as usize].m);
        }
        let Some(start) = game.position(Ply(to)) else { return };
        let legal = line.iter().try_fold(start.clone(), |p, m| p.play(*m).ok());
        if legal.is_some_and(|after| self.sensors.shows(after.board())) {
            self.correct(Ply(to), &line, false, now, out);
        }
    }

    /// When nothing explains the board from the last ply: perhaps that ply, or one shortly before,
    /// was another.
    fn search_before(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let lost = self.game.as_ref().is_some_and(|game| game.current.is_none() && !game.after_gap);
        if lost
            && !self.finished()
            && !self.hands_at_work(1)
            && !self.victim_beside(now)
            && let Some((to, line)) = self.explained_from_before(now)
            && let Some(game) = &self.game
            && let Some(start) = game.position(to)
            && self.premature(&line, start, game.shown_until(to), now).is_none()
        {
            self.correct(to, &line, false, now, out);
        }
    }

    /// Whether nothing differs from what was shown last but that the man taken then stands beside the
    /// square where he was taken: he is about to be put off the board.
    fn victim_beside(&self, now: Stamp) -> bool {
        let Some(game) = &self.game else { return false };
        let Some((left, _)) = game.left else { return false };
        let node = game.tree.node(left);
        let put_aside = |before: &Chess, m: Move, after: &Chess| {
            let victim = before.board().piece_at(m.to());
            let beside = self.sensors.differences(after.board()).single_square();
            beside.is_some_and(|square| {
                square.distance(m.to()) == 1
                    && victim.is_some()
                    && self.sensors.contact(square).man() == victim
                    && now.since(self.sensors.changed_at(square)) < PUT_OFF
            })
        };
        if let Some((before, m)) = node.parent.filter(|(_, m)| m.is_capture())
            && put_aside(&game.tree.node(before).position, m, &node.position)
        {
            return true;
        }
        let last = &node.position;
        self.sensors.differences(last.board()).count() <= 3
            && last.capture_moves().into_iter().filter(|m| !takes_king(*m)).any(|m| {
                let mut after = last.clone();
                after.play_unchecked(m);
                put_aside(last, m, &after)
            })
    }

    /// Adds a line that leads to the placement to the tree, and to what was found unless it must
    /// wait.
    pub(super) fn consider(
        &mut self,
        start: NodeId,
        line: &[Move],
        position: &Chess,
        (since, doubt): (Stamp, bool),
        now: Stamp,
    ) {
        if self.backwards(line) && self.shows_earlier_ply() {
            return;
        }
        let young = now.since(self.sensors.last_change()) < UNSEEN_EXCHANGE;
        let invisible = self.invisible(line, since);
        let wait = self
            .premature(line, position, since, now)
            .or_else(|| (young && invisible).then_some(Wait::InTheAir));
        // Both players may still hold their men, for whatever they do with them.
        let doubt = doubt || invisible;
        let Some(game) = &mut self.game else { return };
        match wait {
            // So many lines prove nothing any more.
            None if game.tree.bursting() => {}
            None => {
                let leaf = grow_line(&mut game.tree, start, line, now, &self.sensors, doubt, true);
                self.found.push(leaf);
            }
            // What comes next may bear it out.
            Some(Wait::InTheAir) if !game.tree.full() => {
                let mut at = start;
                for &m in line {
                    let made = self.sensors.changed_at(m.to()).min(now);
                    at = game.tree.add(at, m, made, false);
                }
                game.tree.set_pending(at);
            }
            Some(_) => {}
        }
    }

    /// Whether men took one another on a square that read the same all the time, while both may still be
    /// in the air.
    fn invisible(&self, line: &[Move], since: Stamp) -> bool {
        let exchange = line.windows(2).any(|pair| {
            pair[0].to() == pair[1].to() && self.sensors.changed_at(pair[0].to()) < since
        });
        exchange && self.hands_at_work(2)
    }

    /// The man that moved last went on to another square: the move was taken for final too early.
    ///
    /// It is not that side's turn, so nothing else explains it for long. But where the opponent's
    /// man is in the air, its reply may be on the way, and the man that seems to go on may be making
    /// the move after that already: then only a man that hardly rested is believed to go on at once.
    pub(super) fn went_on(&mut self, patience: Patience, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        let Some(last) = game.line().last() else { return };
        let recent = now.since(last.confirmed) <= Duration::from_secs(2)
            || now.since(last.made) <= Duration::from_secs(3);
        if game.current.is_some() || game.left.is_some_and(|(id, _)| id != ROOT) || !recent {
            return;
        }
        let Some(before) = game.position(Ply(game.ply().0 - 1)) else { return };
        // No other square reads a man of that side that was not there: none has gone on.
        let mover = before.turn();
        let mut come = self.sensors.raw_differences(before.board());
        if self.sensors.contact(last.m.to()).man() == Some(last.m.role().of(mover)) {
            come.discard(last.m.to());
        }
        if self.sensors.flickering().is_empty()
            && before.castles().mode() == CastlingMode::Standard
            && !last.m.is_castle()
            && !last.m.is_promotion()
            && (come & self.sensors.board().by_color(mover)).is_empty()
        {
            return;
        }
        let before = before.clone();
        let (rest_square, rest_man) = arrival(&before, last.m);
        // A man that flickers between two squares has not gone on while it shows on the first.
        let stays = self.sensors.contact(rest_square).man() == Some(rest_man);
        let rested = self.sensors.changed_at(rest_square).since(last.made);
        let replying = self.sensors.differences(game.tree.root().position.board())
            & game.tree.root().position.us();
        let longest = match (patience, replying.any()) {
            // What was pressed is rather taken by now, and its captor pushes it aside.
            (Patience::None, _) if last.pressed => REST,
            (Patience::None, true) => REST,
            (Patience::None, false) | (Patience::Some, true) => 2 * REST,
            (Patience::Some, false) | (Patience::Much, _) => Duration::MAX,
        };
        if rested > longest {
            return;
        }
        let same_man = |m: &Move| {
            m.from() == last.m.from()
                || matches!(*m, Move::Castle { king, rook }
                if last.m.from() == Some(king) || last.m.from() == Some(rook))
        };
        let origin = Bitboard::from_iter(last.m.from());
        let mut moves = MoveList::new();
        moves::from(&before, origin, &mut moves);
        let lawful = moves.iter().copied().filter(|m| !takes_king(*m));
        let found = lawful.filter(same_man).find(|&m| {
            let mut after = before.clone();
            after.play_unchecked(m);
            let differs = self.sensors.differences(after.board());
            let lifted = (differs & self.sensors.board().occupied()).is_empty()
                && differs.is_subset(after.us());
            let (landing, man) = arrival(&before, m);
            // A king that had come to rest and then goes on to the centre may show a result.
            let shows = king_to_centre(m) && rested > REST;
            m != last.m
                && (!stays || m.is_castle())
                && lifted
                && !shows
                && self.sensors.may_read(landing, Some(man))
        });
        let Some(m) = found else { return };
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
    ) -> (Vec<Vec<Move>>, bool) {
        let raw = (self.sensors.board().clone(), self.sensors.odd());
        let mut found = explain::Found::default();
        if raw.1.is_empty() {
            found = explain::explain(start, &raw.0, least, limits);
            self.work.add(found.looked);
        }
        let believed = self.sensors.believed(start.board());
        if found.lines.is_empty() && believed.1.is_empty() && believed.0 != raw.0 {
            found = explain::explain(start, &believed.0, least, limits);
            self.work.add(found.looked);
        }
        (found.lines, found.cut)
    }

    /// A takeback, or a wrong move somewhere in the last few plies.
    fn search_back(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        if game.current.is_some() || self.finished() {
            return;
        }
        let last = game.ply().0;
        let takeback = (0..last)
            .rev()
            // Men on their way home look like the first plies.
            .filter(|&ply| ply > ALL_TAKEN_BACK.0 || last - ply <= MOST_BACK)
            .find(|&ply| game.position(Ply(ply)).is_some_and(|p| self.sensors.shows(p.board())));
        let takeback_cost = takeback.map(|ply| (last - ply) * PLY);
        if takeback.is_none() && self.hands_at_work(1) {
            return;
        }
        let mut best: Option<(u32, u32, Vec<Move>, bool)> = None;
        let mut revoked = 0;
        for back in 1..=last.min(MOST_BACK) {
            let played = &game.line()[(last - back) as usize];
            let stood = game.shown_until(Ply(last - back + 1)).since(played.made);
            let before = game.position(Ply(last - back));
            let landing = before.map(|before| arrival(before, played.m).0);
            // What was pressed or stood still is only undone by the man that moved.
            let untouched =
                landing.is_some_and(|at| self.sensors.changed_at(at) <= played.confirmed);
            if played.by != ConfirmedBy::Reply && untouched {
                break;
            }
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
                tempo: false,
            };
            let (lines, cut) = self.lines_to_board(start, 1, limits);
            let many = lines.len() > 1 || cut;
            let present: Vec<Move> =
                game.line()[(last - back) as usize..].iter().map(|played| played.m).collect();
            // A king that goes to the centre in the end may show a result.
            let line = lines
                .into_iter()
                .filter(|line| !line.last().copied().is_some_and(king_to_centre))
                .filter(|line| !self.pushed_aside(start, &present, line, now))
                .map(|line| (self.trace(start, &line, since, now), line))
                .min_by_key(|(cost, _)| *cost);
            if let Some((cost, line)) = line {
                let cost = revoked + cost;
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

    /// An earlier position that the board showed, and then a man lifted by the side whose turn it was, or
    /// moved: the plies after it were taken back. Nobody waits a second before playing another move.
    pub(super) fn taken_back_in_passing(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.finished() {
            return;
        }
        let Some(game) = &mut self.game else { return };
        let key = self.sensors.key();
        let last = game.ply().0;
        let shown = (last.saturating_sub(MOST_BACK)..last)
            .rev()
            .find(|&ply| game.key(Ply(ply)) == Some(key));
        if let Some(ply) = shown {
            let again = game.back.filter(|back| back.ply == Ply(ply) && back.left.is_none());
            game.back = again.or(Some(Back { ply: Ply(ply), since: now, left: None }));
            return;
        }
        let Some(back) = &mut game.back else { return };
        let just_left = back.left.is_none();
        let left = *back.left.get_or_insert(now);
        let Back { ply, since, .. } = *back;
        let lost = now.since(game.tree.node(game.left.map_or(ROOT, |(id, _)| id)).shown_until);
        let Some(position) = game.position(ply) else { return };
        if passes_over(&game.tree.root().position, position) {
            return;
        }
        let differs = self.sensors.differences(position.board());
        let lifted = differs.count() == 1
            && differs.is_subset(position.us())
            && (differs & self.sensors.board().occupied()).is_empty()
            && self.sensors.odd().is_empty();
        let lifted = just_left && lifted && left.since(since) >= REST;
        let moved = || {
            left.since(since) >= self.timing.fresh
                && lost >= self.timing.takeback
                && differs.count() <= 4
                && self.sensors.odd().is_empty()
                && position.legal_moves().into_iter().any(|m| {
                    let mut after = position.clone();
                    after.play_unchecked(m);
                    self.sensors.shows(after.board())
                })
        };
        if lifted || moved() {
            self.completed_move_taken_back(ply, out);
            self.take_back(ply, TakebackReason::Board, now, out);
            self.match_now(now, out);
        }
    }

    /// Puts other plies in the place of those after `to`, if they can be believed; whether they were.
    pub(super) fn correct(
        &mut self,
        to: Ply,
        line: &[Move],
        doubt: bool,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) -> bool {
        let Some(before) = self.game.clone() else { return false };
        let (said, press) = (out.len(), self.press);
        self.completed_move_taken_back(to, out);
        self.take_back(to, TakebackReason::Correction, now, out);
        let Some(game) = &mut self.game else { return false };
        let leaf: NodeId = grow_line(&mut game.tree, ROOT, line, now, &self.sensors, doubt, true);
        self.found.clear();
        self.found.push(leaf);
        self.correcting = true;
        self.arrive(now, out);
        self.correcting = false;
        if self.game.as_ref().is_some_and(|game| game.current.is_none()) {
            out.truncate(said);
            self.game = Some(before);
            self.press = press;
            return false;
        }
        true
    }

    /// A move that was completed by a press and is now undone is the arbiter's business.
    fn completed_move_taken_back(&self, to: Ply, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        if game.line().iter().skip(to.index()).any(|played| played.pressed) {
            out.push(TrackEvent::Noted(Note {
                kind: AttentionKind::CompletedMoveTakenBack,
                squares: differing(&self.sensors, &game.tree.root().position),
                text: Text::CompletedMoveTakenBack {
                    to,
                    turn: game.position(to).map_or(shakmaty::Color::White, Chess::turn),
                },
            }));
        }
    }
}

/// Whether an earlier placement differs from the last one in nothing but where one man of the side to
/// move stands: he shows it on his way to another square.
fn passes_over(last: &Chess, earlier: &Chess) -> bool {
    let squares = super::sensors::difference(last.board(), earlier.board());
    let (from, to) = (squares & last.us(), squares & earlier.board().by_color(last.turn()));
    squares.count() == 2
        && from.single_square().zip(to.single_square()).is_some_and(|(from, to)| {
            from != to && last.board().piece_at(from) == earlier.board().piece_at(to)
        })
}

/// Squares that changed at or after a moment.
pub(super) fn touched_since(sensors: &Sensors, since: Stamp) -> Bitboard {
    Square::ALL.into_iter().filter(|&square| sensors.changed_at(square) >= since).collect()
}

/// How many plies can have been played in so short a time without any of them showing: two at
/// once by both hands, and one more for each time a hand needs.
fn possible_plies(window: Duration, most: u32) -> u32 {
    let hands = window.as_millis() / 400;
    most.min(2 + u32::try_from(hands).unwrap_or(most))
}
