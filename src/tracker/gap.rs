//! What was played while the board could not be read?
//!
//! After a gap only the placement is known, and, where a clock stands beside the board, whose turn
//! it is. The shortest line of moves is proposed; where the turn is not known also the shortest that
//! leaves the other side to move, and the next move decides. A man may be in a hand when the board
//! is read again: if that explains more with fewer moves, it is waited for.

use shakmaty::{Board, Chess, Color, Move, Position, Square};

use super::{
    AttentionKind, NodeId, Note, ROOT, Stamp, Text, TrackEvent, Tracker,
    explain::{self, Limits},
    line::grow_line,
};
use crate::units::Ply;

/// How far and how hard to search.
const PLIES: u32 = 9;
const POSITIONS: u32 = 60_000;
/// The longest line in which men may have gone out and back.
const TEMPO_PLIES: u32 = 6;
/// So many squares that became empty are looked at for the man in the hand.
const MOST_IN_HAND: usize = 8;
/// A line this much longer than one with a man in a hand is not thought of.
const FAR: usize = 3;
/// So many lines of each length are kept in mind.
const MOST_LINES: usize = 3;

impl Tracker {
    /// Whose turn the clock shows, if it has been read since the gap and runs.
    fn turn_after_gap(&self) -> Option<Color> {
        self.lever.turn().filter(|_| self.lever.running())
    }

    /// Whether what the tree offers after a gap can be taken at once: nothing was played, or the
    /// clock agrees with whose turn it would be.
    pub(super) fn gap_is_plain(&self) -> bool {
        let Some(game) = &self.game else { return true };
        let turn = self.turn_after_gap();
        self.found.iter().any(|&id| id == ROOT || turn == Some(game.tree.node(id).position.turn()))
    }

    /// The placement after a gap is about to change: it is explained now or never.
    pub(super) fn explain_gap_in_time(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let waits = self.gap.is_none()
            && self.signal.is_none()
            && self.game.as_mut().is_some_and(|game| {
                game.after_gap && game.current.is_none() && game.stage.search_deep()
            });
        if waits {
            self.search_gap(now, out);
        }
    }

    /// Looks for what was played in the gap.
    pub(super) fn search_gap(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &mut self.game else { return };
        if game.current.is_some() || !self.sensors.odd().is_empty() {
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
        let Some(game) = &self.game else { return };
        // What stood on the board before the gap was played; only without it all else is looked at.
        let before = game.left.map(|(id, _)| id).filter(|&id| id != ROOT);
        let mut exact: Vec<(NodeId, Vec<Move>)> = Vec::new();
        let mut in_hand: Vec<(NodeId, Vec<Move>)> = Vec::new();
        for start in before.into_iter().chain([ROOT]) {
            let Some(game) = &self.game else { return };
            let position = game.tree.node(start).position.clone();
            let lines = self.gap_lines(&position, self.sensors.board());
            let least = lines.iter().map(Vec::len).min();
            exact.extend(lines.into_iter().map(|line| (start, line)));
            let lifted = self.with_a_man_in_hand(&position);
            let most = least.map_or(PLIES, |least| u32::try_from(least).unwrap_or(PLIES) - 1);
            for (color, board) in &lifted {
                // It is the turn of the side whose man is in the hand.
                let first = if *color == position.turn() { 2 } else { 1 };
                let lines = (first..=most).step_by(2).map(|plies| {
                    let limits =
                        Limits { plies, positions: POSITIONS, touched: None, tempo: false };
                    explain::explain(&position, board, plies, limits).lines
                });
                let lines = lines.into_iter().find(|lines| !lines.is_empty()).unwrap_or_default();
                in_hand.extend(lines.into_iter().take(MOST_LINES).map(|line| (start, line)));
            }
            if !exact.is_empty() {
                break;
            }
        }
        let shortest =
            |lines: &[(NodeId, Vec<Move>)]| lines.iter().map(|(_, line)| line.len()).min();
        let waits = self.found.is_empty()
            && shortest(&in_hand).is_some_and(|hand| shortest(&exact).is_none_or(|all| hand < all));
        let Some(game) = &mut self.game else { return };
        if waits {
            for (start, line) in &in_hand {
                let leaf = grow_line(&mut game.tree, *start, line, now, &self.sensors, true, false);
                game.left = Some((leaf, std::time::Duration::ZERO));
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
        if !self.found.is_empty() {
            self.arrive(now, out);
        }
    }

    /// The shortest lines, and unless the clock agrees with whose turn they lead to, the shortest
    /// that lead to the other's.
    fn gap_lines(&self, start: &Chess, target: &Board) -> Vec<Vec<Move>> {
        let search = |least: u32, plies: u32, tempo: bool| {
            let limits = Limits { plies, positions: POSITIONS, touched: None, tempo };
            let mut lines = explain::explain(start, target, least, limits).lines;
            lines.truncate(MOST_LINES);
            lines
        };
        let mut lines = search(1, PLIES, false);
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

    /// The placements with one man more that a hand may hold.
    fn with_a_man_in_hand(&self, start: &Chess) -> Vec<(Color, Board)> {
        let (before, now) = (start.board(), self.sensors.board());
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

    fn shows_a_ply_of_the_line(&self) -> bool {
        let key = self.sensors.key();
        self.game
            .as_ref()
            .is_some_and(|game| (0..=game.ply().0).any(|ply| game.key(Ply(ply)) == Some(key)))
    }
}
