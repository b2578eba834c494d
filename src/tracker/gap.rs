//! What was played while the board could not be read?
//!
//! After a gap only the placement is known, and, where a clock stands beside the board, whose turn
//! it is. The shortest line of moves is proposed; where the turn is not known also the shortest that
//! leaves the other side to move, and the next move decides. A man may be in a hand when the board
//! is read again: if that explains more with fewer moves, it is waited for.

use std::{cell::Cell, time::Duration};

use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square};

use super::{
    AttentionKind, NodeId, Note, ROOT, Stamp, Text, TrackEvent, Tracker,
    explain::{self, Limits},
    keys::castled,
    line::grow_line,
    weigh::arrival,
};
use crate::{tracker::Change, units::Ply, wire::Contact};

/// How far and how hard to search.
const PLIES: u32 = 9;
/// How far when no hand is waited for any longer.
const MOST_PLIES: u32 = 18;
/// Positions that all searches of one look at the board may look at, and those for a man in a hand.
const ALL_POSITIONS: u32 = 180_000;
const HAND_POSITIONS: u32 = 60_000;
/// Of those one search takes at most so many.
const POSITIONS: u32 = 60_000;
/// The longest line in which men may have gone out and back.
const TEMPO_PLIES: u32 = 6;
/// So many squares that became empty are looked at for the man in the hand.
const MOST_IN_HAND: usize = 8;
/// A line this much longer than one with a man in a hand is not thought of.
const FAR: usize = 3;
/// With men missing, a longer line than this is believed only when the board has stood for a while.
const MOST_AT_ONCE: usize = 3;
/// A man is hardly held longer than this without being put down.
const PATIENCE: Duration = Duration::from_millis(900);
/// Where the board changes so soon after it was seen again a man may have been on his way.
const ON_HIS_WAY: Duration = Duration::from_millis(250);
/// So many plies are far-fetched where fewer do with a man who went out and back.
const ROUNDABOUT: u32 = 5;
/// What the board showed for less than this may have been a man on his way.
const HARDLY: Duration = Duration::from_millis(600);
/// So many positions shown before the gap are looked at.
const MOST_BEFORE: usize = 3;
/// So many lines of each length are kept in mind.
const MOST_LINES: usize = 3;

/// Whether a man may be in a hand when the board is read again after a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    /// None is waited for any longer.
    None,
    /// There may be one.
    Perhaps,
    /// What was read hardly stood.
    Passing,
}

/// A line and the node from which it leads.
type FromNode = (NodeId, Vec<Move>);

impl Tracker {
    /// Whose turn it is: that of the opponent of whoever was seen to put a man down last, or by the
    /// clock, if it has been read since the gap and runs.
    fn turn_after_gap(&self) -> Option<Color> {
        let clock = || self.lever.turn().filter(|_| self.lever.running());
        self.put_down().map(|(_, man)| !man.color).or_else(clock)
    }

    /// The man that was put down last, and where, if that is the last that was seen after the gap and
    /// he did not stand there before it.
    pub(super) fn put_down(&self) -> Option<(Square, Piece)> {
        self.put_down_live().or_else(|| self.put_down_between_dumps())
    }

    fn put_down_live(&self) -> Option<(Square, Piece)> {
        let last = self.sensors.recent().next_back().filter(|last| !last.dumped)?;
        self.arrived(last)
    }

    /// A dump tells of what came since the one before it, all at once. A king is left out: his rook may
    /// have to follow him.
    fn put_down_between_dumps(&self) -> Option<(Square, Piece)> {
        let gap = self.game.as_ref()?.gap_at;
        let last = self.sensors.recent().next_back()?;
        if !last.dumped || last.after <= gap {
            return None;
        }
        let latest = self.sensors.recent().rev().take_while(|change| change.at == last.at);
        let mut arrived = latest
            .filter(|change| !matches!(change.before, Contact::Token(_) | Contact::Unreadable(_)))
            .filter_map(|change| self.arrived(change));
        let down = arrived.next().filter(|(_, man)| man.role != Role::King)?;
        arrived.next().is_none().then_some(down)
    }

    /// The man that a change shows where he did not stand before the gap.
    fn arrived(&self, change: &Change) -> Option<(Square, Piece)> {
        let man = change.contact.man()?;
        let before = self.game.as_ref()?.tree.root().position.board();
        (before.piece_at(change.square) != Some(man)).then_some((change.square, man))
    }

    /// Whether what the tree offers after a gap can be taken at once: nothing was played, or the
    /// clock agrees with whose turn it would be.
    pub(super) fn gap_is_plain(&self) -> bool {
        let Some(game) = &self.game else { return true };
        let clock = || self.lever.turn().filter(|_| self.lever.running());
        let turn = self.put_down_live().map(|(_, man)| !man.color).or_else(clock);
        self.found.iter().any(|&id| id == ROOT || turn == Some(game.tree.node(id).position.turn()))
    }

    /// The placement after a gap is about to change: it is explained now or never, unless what comes
    /// is a man put down that was in a hand.
    pub(super) fn explain_gap_in_time(
        &mut self,
        coming: impl IntoIterator<Item = Contact>,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        let waits = self.gap.is_none()
            && self.signal.is_none()
            && self.game.as_ref().is_some_and(|game| game.after_gap && game.current.is_none());
        let young = now.since(self.sensors.last_change()) < ON_HIS_WAY;
        let lands = |contact: Contact| contact.man().is_some_and(|man| self.is_missing(man));
        if !waits || coming.into_iter().any(lands) {
            return;
        }
        // What has stood so long is no man in a hand.
        if now.since(self.sensors.last_change()) >= PATIENCE {
            self.accept_gap(now, out);
        }
        if self.game.as_mut().is_some_and(|game| game.current.is_none() && game.stage.search_deep())
        {
            self.search_gap(if young { Hand::Passing } else { Hand::Perhaps }, now, out);
        }
    }

    /// Whether fewer men of this kind stand on the board than before the gap.
    fn is_missing(&self, man: Piece) -> bool {
        let count = |board: &Board| board.by_piece(man).count();
        self.game.as_ref().is_some_and(|game| {
            count(self.sensors.board()) < count(game.tree.root().position.board())
        })
    }

    /// Whether fewer men stand on the board than before the gap.
    fn some_are_missing(&self) -> bool {
        self.game.as_ref().is_some_and(|game| {
            let before = game.tree.root().position.board();
            self.sensors.board().occupied().count() < before.occupied().count()
        })
    }

    /// Looks for what was played in the gap.
    pub(super) fn search_gap(&mut self, hand: Hand, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &mut self.game else { return };
        if game.current.is_some() || !self.sensors.never_read().is_empty() {
            return;
        }
        // Earlier guesses would only fill the tree.
        if game.tree.crowded() {
            let left = game.left.map_or(ROOT, |(id, _)| id);
            let kept = game.tree.keep_only(left);
            if let Some((id, _)) = &mut game.left {
                *id = kept;
            }
        }
        self.sensors.keys(&mut self.keys);
        game.tree.grow(&self.keys, now, &mut self.found);
        let sensors = &self.sensors;
        self.found.retain(|&id| sensors.shows(game.tree.node(id).position.board()));
        if self.found.is_empty() && self.only_lifted() {
            return;
        }
        let patient = hand == Hand::None;
        let (exact, in_hand) = self.gap_explanations(patient);
        let shortest = |lines: &[FromNode]| lines.iter().map(|(_, line)| line.len()).min();
        // Of men that are missing one may be in a hand that is nowhere near where it was lifted.
        let may_be_held = !patient && self.put_down().is_none();
        let far = shortest(&exact).is_some_and(|plies| plies > MOST_AT_ONCE)
            && (self.some_are_missing() || hand == Hand::Passing);
        let near =
            shortest(&in_hand).is_some_and(|hand| shortest(&exact).is_none_or(|all| hand <= all));
        // A king has castled and his rook not followed, or the like.
        let much_nearer = !patient
            && shortest(&in_hand)
                .is_some_and(|hand| shortest(&exact).is_none_or(|all| hand + 2 <= all));
        let waits = self.found.is_empty()
            && (may_be_held && (far || near)
                || much_nearer
                || exact.is_empty() && !in_hand.is_empty());
        let Some(game) = &mut self.game else { return };
        if waits {
            for (start, line) in &in_hand {
                let leaf = grow_line(&mut game.tree, *start, line, now, &self.sensors, true, false);
                game.left = Some((leaf, Duration::ZERO));
            }
        }
        let most = shortest(&in_hand).filter(|_| waits).map_or(usize::MAX, |hand| hand + FAR);
        for (start, line) in exact.iter().filter(|(_, line)| line.len() <= most) {
            if game.tree.full() {
                break;
            }
            let leaf = grow_line(&mut game.tree, *start, line, now, &self.sensors, false, !waits);
            if waits {
                game.tree.set_pending(leaf);
            } else if !self.found.contains(&leaf) {
                self.found.push(leaf);
            }
        }
        if !waits && !self.found.is_empty() {
            self.arrive(now, out);
        }
    }

    /// Where what was played in the gap may have begun, likeliest first: what stood on the board
    /// before it was played; without that all else is looked at.
    fn gap_starts(&self) -> Vec<NodeId> {
        let Some(game) = &self.game else { return Vec::new() };
        let seen = |id: &NodeId| *id != ROOT && game.tree.node(*id).seen;
        let last_seen =
            || game.tree.ids().filter(seen).max_by_key(|&id| game.tree.node(id).shown_until);
        let before = game.left.map(|(id, _)| id).filter(seen).or_else(last_seen);
        let held = game.tree.ids().filter(|&id| game.tree.node(id).held && Some(id) != before);
        before.into_iter().chain(held).take(MOST_BEFORE).chain([ROOT]).collect()
    }

    /// Lines that lead to the board as it is, and to what it would be without a hand above it.
    fn gap_explanations(&self, patient: bool) -> (Vec<FromNode>, Vec<FromNode>) {
        let (mut exact, mut in_hand) = (Vec::new(), Vec::new());
        let Some(game) = &self.game else { return (exact, in_hand) };
        let starts = self.gap_starts();
        let (all, hands) = (Cell::new(ALL_POSITIONS), Cell::new(HAND_POSITIONS));
        // Men that went out and back are thought of only where nothing simpler leads to the board.
        for tempo in [false, true] {
            for &start in &starts {
                if !exact.is_empty() || tempo && !in_hand.is_empty() && !patient {
                    break;
                }
                let position = &game.tree.node(start).position;
                let far = if patient { MOST_PLIES } else { PLIES };
                let lines = self.gap_lines(position, &self.sensors.settled(), tempo, far, &all);
                let most = lines.iter().map(Vec::len).min();
                let most = most.map_or(PLIES, |least| u32::try_from(least).unwrap_or(PLIES));
                exact.extend(lines.into_iter().map(|line| (start, line)));
                if !tempo {
                    let lines = self.lines_with_a_hand(position, most, &hands);
                    in_hand.extend(lines.into_iter().map(|line| (start, line)));
                }
            }
        }
        if let Some(shorter) = self.without_the_last(&exact, &all) {
            exact = shorter;
        }
        exact.extend(self.ending_in(&exact, &all));
        // A man who took and went back explains more simply what else needs many plies.
        let least = exact.iter().map(|(_, line)| count(line.len())).min().unwrap_or(0);
        let simpler = TEMPO_PLIES.min(least.saturating_sub(1));
        if least >= ROUNDABOUT {
            for &start in &starts {
                let position = &game.tree.node(start).position;
                let lines = self.gap_lines(position, &self.sensors.settled(), true, simpler, &all);
                exact.extend(
                    lines.into_iter().filter(|l| count(l.len()) <= simpler).map(|l| (start, l)),
                );
            }
        }
        (exact, in_hand)
    }

    /// Lines that end with the man seen put down last, where none of these do: many orders may be open, and
    /// only some are kept.
    fn ending_in(&self, lines: &[FromNode], positions: &Cell<u32>) -> Vec<FromNode> {
        let mut found = Vec::new();
        let Some(game) = &self.game else { return found };
        let Some((landing, man)) = self.put_down() else { return found };
        let ends_so = |(start, line): &FromNode| {
            let mut position = game.tree.node(*start).position.clone();
            let Some((&last, before)) = line.split_last() else { return false };
            for &m in before {
                position.play_unchecked(m);
            }
            arrival(&position, last) == (landing, man)
        };
        let Some((start, line)) = lines.iter().min_by_key(|(_, line)| line.len()) else {
            return found;
        };
        if line.len() < 2 || lines.iter().any(ends_so) {
            return found;
        }
        let position = &game.tree.node(*start).position;
        let target = self.sensors.settled();
        let left = position.board().by_piece(man) & !target.by_piece(man);
        for from in left {
            let mut before = target.clone();
            before.discard_piece_at(landing);
            before.set_piece_at(from, man);
            let least = positions.get();
            let plies = count(line.len()).saturating_sub(1);
            let limits =
                Limits { plies, positions: least.min(POSITIONS), touched: None, tempo: false };
            let explained = explain::explain(position, &before, plies, limits);
            self.work.add(explained.looked);
            positions.set(least - explained.looked);
            for mut line in explained.lines.into_iter().take(MOST_LINES) {
                let mut after = position.clone();
                for &m in &line {
                    after.play_unchecked(m);
                }
                let last = after
                    .legal_moves()
                    .into_iter()
                    .find(|m| m.from() == Some(from) && arrival(&after, *m) == (landing, man));
                if let Some(last) = last {
                    line.push(last);
                    found.push((*start, line));
                }
            }
        }
        found
    }

    /// Lines without the ply that the board showed last before the gap, where it hardly stood and the
    /// others need it to be made up for: the man was still on his way.
    fn without_the_last(&self, lines: &[FromNode], positions: &Cell<u32>) -> Option<Vec<FromNode>> {
        let game = self.game.as_ref()?;
        let (left, stood) = game.left?;
        let plies = |(start, line): &FromNode| game.tree.depth(*start) + count(line.len());
        let least = lines.iter().filter(|(start, _)| *start == left).map(plies).min()?;
        let lifted = self.lifted_before_gap(left);
        if left == ROOT || stood >= HARDLY && !lifted {
            return None;
        }
        let gained = if lifted { 1 } else { 2 };
        let root = &game.tree.root().position;
        let shorter = self.gap_lines(root, &self.sensors.settled(), false, PLIES, positions);
        let shorter: Vec<FromNode> = shorter.into_iter().map(|line| (ROOT, line)).collect();
        shorter.iter().map(plies).min().filter(|plies| plies + gained <= least)?;
        Some(shorter)
    }

    /// Whether the man whose move the board showed last was off his square again when the gap began: he was
    /// still on his way.
    pub(super) fn lifted_before_gap(&self, shown: NodeId) -> bool {
        let Some(game) = &self.game else { return false };
        let Some((parent, m)) = game.tree.node(shown).parent else { return false };
        let (landing, man) = arrival(&game.tree.node(parent).position, m);
        let before = self.sensors.recent().rev().filter(|change| change.square == landing);
        let last = before.into_iter().find(|change| change.at <= game.gap_at);
        last.is_some_and(|last| last.before.man() == Some(man) && last.contact == Contact::Empty)
    }

    /// Whether nothing was played and one man is in a hand, or two, of which one takes the other.
    fn only_lifted(&self) -> bool {
        let Some(game) = &self.game else { return false };
        let bases = [Some(ROOT), game.left.map(|(id, _)| id)];
        bases.into_iter().flatten().any(|id| {
            let differs = self.sensors.differences(game.tree.node(id).position.board());
            let men = differs.count();
            (1..=2).contains(&men) && (differs & self.sensors.board().occupied()).is_empty()
        })
    }

    /// No man was put down: what the gap left is all there is.
    pub(super) fn accept_gap(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        if !game.after_gap || game.current.is_some() {
            return;
        }
        let sensors = &self.sensors;
        self.found.clear();
        self.found.extend(game.tree.ids().filter(|&id| {
            let node = game.tree.node(id);
            node.pending && sensors.shows(node.position.board())
        }));
        if self.found.is_empty() {
            self.search_gap(Hand::None, now, out);
        } else {
            self.arrive(now, out);
        }
    }

    /// The shortest lines, and unless the clock agrees with whose turn they lead to, the shortest
    /// that lead to the other's.
    fn gap_lines(
        &self,
        start: &Chess,
        target: &Board,
        tempo: bool,
        far: u32,
        positions: &Cell<u32>,
    ) -> Vec<Vec<Move>> {
        let search = |least: u32, plies: u32, tempo: bool| {
            let left = positions.get();
            let limits = Limits { plies, positions: left.min(POSITIONS), touched: None, tempo };
            let found = explain::explain(start, target, least, limits);
            self.work.add(found.looked);
            positions.set(left - found.looked);
            let mut lines = found.lines;
            lines.truncate(MOST_LINES);
            lines
        };
        let far = if tempo { far.min(TEMPO_PLIES) } else { far };
        let mut lines = search(1, far, tempo);
        let Some(least) = lines.first().map(|line| u32::try_from(line.len()).unwrap_or(PLIES))
        else {
            return lines;
        };
        let turn = if least.is_multiple_of(2) { start.turn() } else { !start.turn() };
        if self.turn_after_gap() == Some(turn) {
            return lines;
        }
        let mut others = Vec::new();
        for (plies, tempo) in [(1, false), (1, true), (3, false), (3, true)] {
            let plies = least + plies;
            if others.is_empty() && (if tempo { plies <= TEMPO_PLIES } else { plies <= PLIES }) {
                others = search(plies, plies, tempo);
            }
        }
        lines.extend(others);
        lines
    }

    /// Lines of up to so many plies to what the board would show without the hand above it: a man
    /// back on the square where it was lifted, or the rook of a castling in its place.
    fn lines_with_a_hand(&self, start: &Chess, most: u32, positions: &Cell<u32>) -> Vec<Vec<Move>> {
        let mut found = Vec::new();
        let lifted = self.with_a_man_in_hand(start);
        let castled = self.with_castling_completed(start);
        // It is the turn of the side whose man is in the hand, and of the one that did not castle.
        let lifted = lifted.iter().map(|(color, board)| (*color == start.turn(), board));
        let castled = castled.iter().map(|(color, board)| (*color != start.turn(), board));
        for (even, board) in lifted.chain(castled) {
            let lines = (if even { 2 } else { 1 }..=most).step_by(2).map(|plies| {
                let left = positions.get();
                let limits = Limits { plies, positions: left, touched: None, tempo: false };
                let found = explain::explain(start, board, plies, limits);
                self.work.add(found.looked);
                positions.set(left - found.looked);
                found.lines
            });
            let lines = lines.into_iter().find(|lines| !lines.is_empty()).unwrap_or_default();
            found.extend(lines.into_iter().take(MOST_LINES));
        }
        found
    }

    /// The placements with the rook in its place after a castling of which only the king shows.
    fn with_castling_completed(&self, start: &Chess) -> Vec<(Color, Board)> {
        let now = &self.sensors.settled();
        let rights = start.castles().castling_rights();
        rights
            .into_iter()
            .filter_map(|rook| {
                let color = start.board().color_at(rook)?;
                let king = start.board().king_of(color)?;
                let (king_to, rook_to) = castled(king, rook);
                let man = |role: Role| Some(role.of(color));
                // The rook still stands there, or is in the hand.
                let begun = now.piece_at(king_to) == man(Role::King)
                    && (now.piece_at(rook) == man(Role::Rook) || now.piece_at(rook).is_none())
                    && now.piece_at(rook_to).is_none();
                begun.then(|| {
                    let mut board = now.clone();
                    board.discard_piece_at(rook);
                    board.set_piece_at(rook_to, Role::Rook.of(color));
                    (color, board)
                })
            })
            .collect()
    }

    /// The placements with one man more that a hand may hold.
    fn with_a_man_in_hand(&self, start: &Chess) -> Vec<(Color, Board)> {
        let (before, now) = (start.board(), &self.sensors.settled());
        let missing = |color: Color| before.by_color(color).count() > now.by_color(color).count();
        let gone: Vec<Square> = self
            .sensors
            .differences(before)
            .into_iter()
            .filter(|&square| now.piece_at(square).is_none())
            .filter(|&square| before.color_at(square).is_some_and(missing))
            .collect();
        gone.into_iter()
            .take(MOST_IN_HAND)
            .filter_map(|square| {
                let mut board = now.clone();
                let man = before.piece_at(square)?;
                board.set_piece_at(square, man);
                Some((man.color, board))
            })
            .collect()
    }

    /// After a gap in what was seen: says what was played in it.
    pub(super) fn tell_gap(&mut self, best: NodeId, out: &mut Vec<TrackEvent>) {
        let earlier = best != ROOT && self.shows_a_ply_of_the_line();
        let Some(game) = &mut self.game else { return };
        if !std::mem::take(&mut game.after_gap) || best == ROOT {
            return;
        }
        let path = game.tree.path(best);
        game.gap_ply = Ply(game.ply().0 + game.tree.depth(best));
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
        // A ply that nobody saw proves nothing, however plausible: it is the last one that stands on
        // the board.
        let seen = if sure { path.len() - 1 } else { path.len() };
        for &id in &path[..seen] {
            game.tree.set_doubt(id);
        }
        out.push(TrackEvent::Noted(Note {
            kind: AttentionKind::Gap,
            squares: Vec::new(),
            text: Text::PlayedUnseen { moves: moves.join(" "), sure },
        }));
    }

    /// What was told first of the gap may prove too short: all up to the ply after the last that the
    /// board never showed was played in it.
    pub(super) fn stretch_gap(&mut self, best: NodeId) {
        let Some(game) = self.game.as_mut().filter(|game| game.ply() < game.gap_ply) else {
            return;
        };
        let path = game.tree.path(best);
        let hidden = path.iter().rposition(|&id| !game.tree.node(id).seen);
        if let Some(hidden) = hidden.and_then(|at| u32::try_from(at).ok()) {
            game.gap_ply = game.gap_ply.max(Ply(game.ply().0 + hidden + 2));
        }
    }

    pub(super) fn shows_a_ply_of_the_line(&self) -> bool {
        let key = self.sensors.key();
        self.game
            .as_ref()
            .is_some_and(|game| (0..=game.ply().0).any(|ply| game.key(Ply(ply)) == Some(key)))
    }
}

fn count(plies: usize) -> u32 {
    u32::try_from(plies).unwrap_or(u32::MAX)
}
