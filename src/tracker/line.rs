//! The game that is on: its confirmed line, and matching what the board shows against the tree.

use std::time::Duration;

use shakmaty::{Bitboard, Chess, Move, Position, Role};

use super::{
    AttentionKind, ConfirmedBy, NEAR_CENTRE, NodeId, Note, ROOT, Stamp, TakebackReason, Text,
    TrackEvent, Tracker,
    explain::Limits,
    firm::{ends_without, is_afterthought, is_mate_whatever},
    keys::Key,
    king_to_centre,
    reconsider::SUSPICIOUS,
    stands::takes_king,
    tree::{Nodes, Tree},
    unexplained::{Patience, Stage, touched_since},
    weigh::{ANSWER, MARGIN, PLY, Plausible, REST, SCAN, arrival},
};
use crate::units::Ply;

/// Several plies that cost so much more than they would undisturbed are not believed at once.
const FAR: u32 = 500;

/// A line that waits is believed once so many plies have followed it.
const BORNE_OUT: usize = 2;

/// What the board showed before, and was then disturbed, must stand so long again.
const STANDS_AGAIN: Duration = Duration::from_secs(1);

/// So many of the plies last shown are lines looked for from.
const MOST_BEFORE: usize = 3;

/// A confirmed half-move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub m: Move,
    /// When the board first showed it.
    pub made: Stamp,
    /// When it was confirmed.
    pub confirmed: Stamp,
    /// What confirmed it.
    pub by: ConfirmedBy,
    /// Whether its player's press of the clock has been seen.
    pub pressed: bool,
    /// Whether no other line explains what the board showed as well.
    pub exact: bool,
}

/// The game that is on.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, not a state")]
pub(super) struct Game {
    pub(super) line: Vec<Played>,
    /// The position at each ply, the start at 0.
    pub(super) positions: Vec<Chess>,
    pub(super) keys: Vec<Key>,
    /// Until when the board showed the position at each ply.
    pub(super) shown_until: Vec<Stamp>,
    pub(super) tree: Tree,
    /// The node the board shows now.
    pub(super) current: Option<NodeId>,
    /// Since when it shows that.
    pub(super) arrived: Stamp,
    /// How long it had shown that before, with hands in between.
    pub(super) stood: Duration,
    /// The node it showed last, when it shows none, and how long it had shown that.
    pub(super) left: Option<(NodeId, Duration)>,
    /// Whether the last ply is exact, or ends the game however it came about.
    pub(super) certain: bool,
    /// Up to which ply positions were found firm.
    pub(super) firm: Ply,
    /// How far the search for an explanation of the present placement has gone.
    pub(super) stage: Stage,
    /// Whether a mismatch was reported that is not resolved.
    pub(super) reported: bool,
    /// The most squares that differed at once since the board last showed the game.
    pub(super) upheaval: usize,
    /// Whether the board has shown a position of this game yet.
    pub(super) shown: bool,
    /// The earlier ply whose placement the board has shown since it last showed the game.
    pub(super) back: Option<Back>,
    /// The last ply presumed to have been played in a gap: there is no evidence to weigh before it.
    pub(super) gap_ply: Ply,
    /// Whether a line that leaves the other side to move explains the board about as well.
    open: bool,
    /// The next move found explains a gap in what was seen.
    pub(super) after_gap: bool,
    /// When the last gap began.
    pub(super) gap_at: Stamp,
    /// How far-fetched the last plies confirmed were that were so, when, and from which ply on.
    pub(super) strained: (u32, Stamp, Ply),
    /// When the last illegal move that stands was made to stand.
    pub(super) irregular: Option<Stamp>,
}

/// An earlier placement that was shown again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Back {
    pub(super) ply: Ply,
    pub(super) since: Stamp,
    pub(super) left: Option<Stamp>,
}

impl Game {
    pub(super) fn new(position: Chess, now: Stamp) -> Game {
        Game {
            line: Vec::new(),
            keys: vec![Key::of(position.board())],
            positions: vec![position.clone()],
            shown_until: vec![now],
            tree: Tree::new(position, now),
            current: None,
            arrived: now,
            stood: Duration::ZERO,
            left: None,
            certain: false,
            firm: Ply(0),
            stage: Stage::default(),
            reported: false,
            upheaval: 0,
            shown: false,
            back: None,
            gap_ply: Ply(0),
            open: false,
            after_gap: false,
            gap_at: Stamp::ZERO,
            strained: (0, Stamp::ZERO, Ply(0)),
            irregular: None,
        }
    }

    pub(super) fn line(&self) -> &[Played] {
        &self.line
    }

    /// Whether the last ply is exact, or ends the game however it came about.
    pub(super) fn certain(&self) -> bool {
        self.certain
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut Played> {
        self.line.last_mut()
    }

    /// The last confirmed ply.
    #[expect(clippy::cast_possible_truncation, reason = "a game has far fewer plies")]
    pub(super) fn ply(&self) -> Ply {
        Ply(self.line.len() as u32)
    }

    /// The position at a ply of the line.
    pub(super) fn position(&self, ply: Ply) -> Option<&Chess> {
        self.positions.get(ply.index())
    }

    /// Until when the board showed the position at a ply.
    pub(super) fn shown_until(&self, ply: Ply) -> Stamp {
        self.shown_until.get(ply.index()).copied().unwrap_or_default()
    }

    /// The key of the placement at a ply of the line.
    pub(super) fn key(&self, ply: Ply) -> Option<Key> {
        self.keys.get(ply.index()).copied()
    }
}

impl Tracker {
    /// Compares the placement with the tree and draws the conclusions.
    pub(super) fn match_now(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let after_gap = self.gap.is_some();
        let Some(game) = &mut self.game else { return };
        game.after_gap |= after_gap;
        game.gap_at = game.gap_at.max(self.gap.unwrap_or_default());
        game.stage = Stage::default();
        if self.signal.is_some() {
            // The game is over for the players: only the next one is looked for.
            game.current = None;
            self.next_game_at_once(now, out);
            return;
        }
        self.sensors.keys(&mut self.keys);
        game.tree.grow(&self.keys, now, &mut self.found);
        let sensors = &self.sensors;
        self.found.retain(|&id| sensors.shows(game.tree.node(id).position.board()));
        if !self.sensors.flickering().is_empty() {
            // What is really read counts before what may be meant; what was there before the flicker
            // is still there as long as it can be.
            let raw = self.sensors.key();
            let exact = |id: &NodeId| game.tree.node(*id).key == raw;
            if self.found.iter().any(exact) {
                self.found.retain(exact);
            } else if game.current.is_some_and(|current| self.found.contains(&current)) {
                return;
            } else {
                // A flicker alone makes no move: it may hide what the board showed last, or a move
                // of another man from there.
                let last = game.current.or(game.left.map(|(id, _)| id)).unwrap_or(ROOT);
                let flickering = sensors.flickering();
                self.found.retain(|&id| {
                    let node = game.tree.node(id);
                    id == last
                        || node.parent.is_some_and(|(parent, m)| {
                            let from = Bitboard::from_iter(m.from());
                            parent == last && (from.with(m.to()) & flickering).is_empty()
                        })
                });
            }
        }
        if self.found.is_empty() || self.undoes_two() {
            self.match_two(now);
        }
        let in_gap = after_gap || self.game.as_ref().is_some_and(|game| game.after_gap);
        if in_gap && !self.gap_is_plain() {
            self.found.clear();
        }
        if self.found.is_empty() || !self.arrive(now, out) {
            let Some(game) = &mut self.game else { return };
            if let Some(left) = game.current.take() {
                // What stood on the board when it was lost from sight stood until then.
                let until = self.gap.unwrap_or(now);
                game.tree.left(left, until);
                game.left = Some((left, game.stood + until.since(game.arrived)));
            }
            let differs = self.sensors.differences(game.tree.root().position.board());
            game.upheaval = game.upheaval.max(differs.count());
            if self.promoted_late(now, out) {
                return;
            }
            self.went_on(Patience::None, now, out);
            if self.game.as_ref().is_some_and(|game| game.current.is_some()) {
                return;
            }
            self.next_game_at_once(now, out);
            self.taken_back_in_passing(now, out);
            self.search_in_passing(now, out);
        }
    }

    /// Whether the board shows nothing but what stood there two or more plies before its last node:
    /// two plies were put back, or two more played that lead there again.
    fn undoes_two(&self) -> bool {
        let Some(game) = &self.game else { return false };
        let Some(last) = game.current.or(game.left.map(|(id, _)| id)) else { return false };
        let path = game.tree.path(last);
        path.len() >= 2
            && self.found.iter().all(|&id| {
                id == ROOT
                    || path.iter().position(|&at| at == id).is_some_and(|at| at + 2 < path.len())
            })
    }

    /// Looks for two plies whose middle never showed, when both sides have moved men: the only
    /// case in which there can be such a pair.
    fn match_two(&mut self, now: Stamp) {
        let Some(game) = &self.game else { return };
        let starts = self.starts(game.current.or(game.left.map(|(id, _)| id)));
        for start in starts {
            let Some(game) = &self.game else { return };
            let position = &game.tree.node(start).position;
            let differs = self.sensors.raw_differences(position.board());
            let both =
                !(differs & position.us()).is_empty() && !(differs & position.them()).is_empty();
            let changed = differs | touched_since(&self.sensors, game.tree.node(start).shown_until);
            // A man that takes back may stand where one of its own kind stood before.
            let replied = !(self.sensors.board().by_color(!position.turn()) & changed).is_empty();
            // Two men who took one another may leave the square as it was.
            let gone = differs.count() == 2
                && (differs & (self.sensors.board().occupied() | self.sensors.odd())).is_empty();
            let touched = (!game.after_gap).then_some(changed);
            if !both || !(replied || gone) || differs.count() > 8 {
                continue;
            }
            let limits = Limits { plies: 2, positions: 80, touched, tempo: false };
            let position = position.clone();
            let since = game.tree.node(start).shown_until;
            let lines = self.lines_to_board(&position, 2, limits).0;
            for line in lines {
                self.consider(start, &line, &position, (since, false), now);
            }
        }
    }

    /// The nodes from which the board may have been reached: the last one it showed and those before it,
    /// and those that wait for what comes next.
    pub(super) fn starts(&self, last: Option<NodeId>) -> Nodes {
        let mut starts = Nodes::default();
        let Some(game) = &self.game else { return starts };
        starts.push(ROOT);
        if let Some(last) = last {
            for before in game.tree.path(last).into_iter().rev().take(MOST_BEFORE) {
                starts.push(before);
            }
        }
        for waiting in game.tree.waiting() {
            if !starts.contains(&waiting) {
                starts.push(waiting);
            }
        }
        starts
    }

    /// Whether the men of a two-ply line arrived in the wrong order, by more than a scan.
    pub(super) fn backwards(&self, line: &[Move]) -> bool {
        let [first, second] = line else { return false };
        let first = self.sensors.changed_at(first.to());
        let second = self.sensors.changed_at(second.to());
        first.since(second) > SCAN
    }

    /// Whether the board shows the placement of one of the last few plies.
    pub(super) fn shows_earlier_ply(&self) -> bool {
        let key = self.sensors.key();
        self.game.as_ref().is_some_and(|game| {
            let last = game.ply().0;
            (last.saturating_sub(8)..last).any(|ply| game.key(Ply(ply)) == Some(key))
        })
    }

    /// The board shows one or more nodes. False when none of them can be believed yet.
    pub(super) fn arrive(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) -> bool {
        self.add_merged();
        let mut weighed: Vec<(u32, NodeId)> =
            self.found.iter().map(|&id| (self.weigh(id, now), id)).collect();
        weighed.retain(|&(cost, id)| {
            self.plausible(cost, id, now) != Plausible::No && !self.steps_aside(id, now)
        });
        // Of orders that a gap leaves open, one after which a pawn may be taken in passing forbids nothing.
        let after_gap = self.game.as_ref().is_some_and(|game| game.after_gap);
        weighed.sort_by_key(|&(cost, id)| (cost, after_gap && !self.passing_at(id)));
        self.note_weighed(&weighed, now);
        let Some(&(least, best)) = weighed.first() else {
            self.found.clear();
            return false;
        };
        if self.too_far_fetched(least, best, now) {
            return false;
        }
        if self.plausible(least, best, now) == Plausible::InDoubt
            && let Some(game) = &mut self.game
        {
            for id in game.tree.path(best) {
                game.tree.set_doubt(id);
            }
        }
        self.doubt_passing(best, now);
        if let Some((to, line)) = self.reconsider(best, least, now) {
            let (found, current) = (self.found.clone(), self.game.as_ref().and_then(|g| g.current));
            if self.correct(to, &line, false, now, out) {
                return true;
            }
            self.found = found;
            if let Some(game) = &mut self.game {
                game.current = current;
            }
        }
        weighed.retain(|(cost, _)| *cost <= least + MARGIN);
        let Some(game) = &mut self.game else { return false };
        let turn = game.tree.node(best).position.turn();
        let open = weighed.iter().any(|&(_, id)| game.tree.node(id).position.turn() != turn);
        for &(_, rival) in &weighed[1..] {
            mark_differences(&mut game.tree, best, rival);
        }
        if let Some(before) = game.current.filter(|&before| before != best) {
            game.tree.left(before, now);
        }
        let replied = self.replied_to(best).filter(|_| !open);
        let Some(game) = &mut self.game else { return false };
        game.open = open;
        let trimmed = game.tree.trim(best);
        let news = game.current != Some(best) || trimmed.is_some();
        let best = trimmed.unwrap_or(best);
        game.current = Some(best);
        if news {
            let again = game.left.filter(|(id, _)| *id == best && trimmed.is_none());
            game.stood = again.map_or(Duration::ZERO, |(_, stood)| stood);
            // What a gap left is explained only when it has stood for a while.
            game.arrived = if game.after_gap { self.sensors.last_change().min(now) } else { now };
        }
        game.left = None;
        game.back = None;
        self.suspect = None;
        game.upheaval = 0;
        game.shown = true;
        if game.reported && self.sensors.gone().is_empty() {
            game.reported = false;
            out.push(TrackEvent::Noted(Note {
                kind: AttentionKind::Resolved,
                squares: Vec::new(),
                text: Text::AgreesAgain,
            }));
        }
        self.tell_touches(best, out);
        self.tell_gap(best, out);
        self.stretch_gap(best);
        let Some(game) = &mut self.game else { return false };
        if news && best != ROOT {
            if let Some((_, m)) = game.tree.node(best).parent {
                let ply = Ply(game.ply().0 + game.tree.depth(best));
                out.push(TrackEvent::Shown { ply, m });
            }
            if let Some(before) = replied.filter(|_| trimmed.is_none()) {
                self.confirm(before, ConfirmedBy::Reply, now, out);
            }
        }
        self.review_press(now, out);
        true
    }

    /// Whether several plies that explain the board are so far-fetched that something simpler may come:
    /// they wait until the board has stood for a while. Remembers what was far-fetched.
    fn too_far_fetched(&mut self, cost: u32, best: NodeId, now: Stamp) -> bool {
        let lever = self.lever_cost(best, now);
        let young = now.since(self.sensors.last_change()) < self.timing.deep_search;
        let correcting = self.correcting;
        let Some(game) = &mut self.game else { return false };
        let depth = game.tree.depth(best);
        let excess = cost.saturating_sub(PLY * depth + lever);
        if game.after_gap || correcting || best == ROOT {
            return false;
        }
        let known = game.current == Some(best) || game.left.is_some_and(|(id, _)| id == best);
        // Where the game has gone on from such a line for two plies, they bear it out.
        let path = game.tree.path(best);
        let held = path.iter().position(|&at| game.tree.node(at).held);
        let borne_out = held.is_some_and(|at| at + BORNE_OUT < path.len());
        if borne_out {
            for &at in path.iter().skip(held.unwrap_or(0)) {
                if game.tree.node(at).held {
                    game.tree.release(at);
                }
            }
        }
        if excess >= FAR && depth >= 2 && young && !known && !borne_out {
            game.tree.hold(best);
            self.found.clear();
            return true;
        }
        if excess >= SUSPICIOUS {
            game.strained = (excess, now, game.ply());
        }
        false
    }

    /// Whose turn the lever shows, when it has stood long enough for the moves to have come in.
    pub(super) fn settled_lever(&self, now: Stamp) -> Option<shakmaty::Color> {
        let settled = now.since(self.lever.turned()) >= Duration::from_millis(1_200);
        self.lever.turn().filter(|_| self.lever.running() && settled)
    }

    /// The last node of a path that its reply confirms. A reply that comes sooner than a hand can
    /// answer was begun before the move was finished: the man may go on.
    fn replied_to(&self, best: NodeId) -> Option<NodeId> {
        let game = self.game.as_ref()?;
        let path = game.tree.path(best);
        // A line that does without what stood on the board must be borne out by more.
        let last = game.current.or(game.left.map(|(id, _)| id)).filter(|id| !path.contains(id));
        let held = last.and_then(|shown| {
            let shown = game.tree.path(shown);
            path.iter().zip(&shown).position(|(ours, theirs)| ours != theirs)
        });
        let mut confirmed = None;
        for (index, pair) in path.windows(2).enumerate() {
            let (node, reply) = (game.tree.node(pair[0]), game.tree.node(pair[1]));
            let (Some((_, m)), Some((_, answer))) = (node.parent, reply.parent) else { break };
            let hasty = node.seen && reply.made.since(node.made) < ANSWER;
            // Two kings on their way to the centre look like a move and its reply.
            let kings = king_to_centre(m)
                && !m.is_capture()
                && answer.role() == Role::King
                && NEAR_CENTRE.contains(answer.to());
            let after = path.len() - index - 2;
            if (hasty && after < 2) || (kings && after == 0) || held.is_some_and(|at| index >= at) {
                break;
            }
            confirmed = Some(pair[0]);
        }
        confirmed
    }

    /// A man that stops for a moment while the opponent's hand is already at work, and then goes
    /// on, looks like two moves of his with a reply between. Adds the line in which it was one.
    fn add_merged(&mut self) {
        let Some(game) = &mut self.game else { return };
        for at in 0..self.found.len() {
            let id = self.found[at];
            let path = game.tree.path(id);
            let [.., first, reply, last] = path[..] else { continue };
            let Some((start, first_move)) = game.tree.node(first).parent else { continue };
            let (Some((_, reply_move)), Some((_, last_move))) =
                (game.tree.node(reply).parent, game.tree.node(last).parent)
            else {
                continue;
            };
            let stop = game.tree.node(first);
            let left = self.sensors.changed_at(first_move.to()).max(stop.made);
            let stopped = left.since(stop.made);
            let same_man = last_move.from() == Some(first_move.to())
                && first_move.promotion().is_none()
                && first_move.role() == last_move.role();
            if !same_man || stopped > REST {
                continue;
            }
            let position = &game.tree.node(start).position;
            let landing = last_move.to();
            let merged = position
                .legal_moves()
                .into_iter()
                .filter(|m| !takes_king(*m))
                .find(|m| m.from() == first_move.from() && m.to() == landing && !m.is_castle());
            let Some(merged) = merged else { continue };
            let made = game.tree.node(last).made;
            let mut after = position.clone();
            after.play_unchecked(merged);
            if !after.is_legal(reply_move) {
                continue;
            }
            let middle = game.tree.add(start, merged, made, false);
            let leaf = game.tree.add(middle, reply_move, made, true);
            if self.sensors.shows(game.tree.node(leaf).position.board())
                && !self.found.contains(&leaf)
            {
                self.found.push(leaf);
            }
        }
    }

    /// Makes the line to this node part of the game.
    pub(super) fn confirm(
        &mut self,
        id: NodeId,
        by: ConfirmedBy,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        self.note_confirmed(id, by, now);
        let Some(game) = &mut self.game else { return };
        if let Some(shown) = game.shown_until.last_mut() {
            *shown = game.tree.root().shown_until;
        }
        for at in game.tree.path(id) {
            let node = game.tree.node(at);
            let Some((_, m)) = node.parent else { continue };
            let by = if at == id { by } else { ConfirmedBy::Reply };
            let exact = !node.doubt;
            if let Some(before) = game.line.last() {
                // The reply to it makes a ply as firm as it can become.
                let position = &game.positions[game.ply().index()];
                let shown_only = is_afterthought(&self.lever, &game.line, position);
                if before.exact && !shown_only && game.firm < game.ply() {
                    game.firm = game.ply();
                    out.push(TrackEvent::Firm { ply: game.firm });
                }
            }
            game.line.push(Played {
                m,
                made: node.made,
                confirmed: now,
                by,
                pressed: by == ConfirmedBy::Press,
                exact,
            });
            game.positions.push(node.position.clone());
            game.keys.push(node.key);
            game.shown_until.push(node.shown_until);
            out.push(TrackEvent::Moved { ply: game.ply(), m, made: node.made, by, exact });
        }
        if let Some((parent, m @ Move::Castle { king, rook })) = game.tree.node(id).parent {
            let color = game.tree.node(parent).position.turn();
            let landing = super::keys::castled(king, rook).1;
            let rook_man = Role::Rook.of(color);
            let put = self.sensors.saw(landing, rook_man, Stamp::ZERO, Stamp::from_nanos(u64::MAX));
            if put.is_some_and(|put| put + SCAN < self.sensors.changed_at(king)) {
                out.push(TrackEvent::Noted(super::describe::rook_first(m, color)));
            }
        }
        let (lever, assumed) = (&self.lever, self.sensors.assumed());
        let afterthought = is_afterthought(lever, &game.line, &game.tree.node(id).position);
        game.certain = game.line.last().is_some_and(|last| {
            let position = &game.tree.node(id).position;
            !afterthought
                && (last.exact || is_mate_whatever(position))
                && ends_without(position, assumed)
        });
        let follow = game.current.unwrap_or(id);
        let moved = game.tree.reroot(id, follow);
        game.current = game.current.map(|_| moved);
        game.left = None;
    }

    /// Goes back to an earlier ply of the game.
    pub(super) fn take_back(
        &mut self,
        to: Ply,
        reason: TakebackReason,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        let Some(game) = &mut self.game else { return };
        let Some(position) = game.position(to).cloned() else { return };
        if to >= game.ply() {
            return;
        }
        let made = to.0.checked_sub(1).map_or(now, |last| game.line[last as usize].made);
        game.line.truncate(to.index());
        game.positions.truncate(to.index() + 1);
        game.keys.truncate(to.index() + 1);
        game.shown_until.truncate(to.index() + 1);
        game.certain = game.line.last().is_some_and(|last| last.exact);
        game.tree.reset(position, made);
        game.current = None;
        game.left = None;
        // It is looked for no more: it has been taken back to.
        game.back = None;
        game.firm = game.firm.min(to);
        game.arrived = now;
        if game.strained.2 > to {
            game.strained = (0, Stamp::ZERO, Ply(0));
        }
        self.press = None;
        (self.stands, self.suspect) = (None, None);
        self.illegal_at = self.illegal_at.filter(|at| *at <= to.next());
        out.push(TrackEvent::TakenBack { to, reason });
    }

    /// Confirms what has stood still long enough.
    pub(super) fn review_still(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.still_deadline().is_none_or(|due| due > now) {
            return;
        }
        if self.game.as_ref().is_some_and(|game| game.open) {
            // The clock may have told since whose turn it is.
            self.match_now(now, out);
        }
        if self.still_deadline().is_some_and(|due| due <= now)
            && let Some(current) = self.game.as_ref().and_then(|game| game.current)
        {
            self.confirm(current, ConfirmedBy::Still, now, out);
        }
    }

    pub(super) fn still_deadline(&self) -> Option<Stamp> {
        let game = self.game.as_ref()?;
        let current = game.current.filter(|&id| id != ROOT)?;
        // A clock that has been seen will tell whose turn it is, if it still runs after a gap.
        let clock = self.lever.turned() > Stamp::ZERO;
        let undecided = game.open && clock && !self.lever.running();
        if self.signal.is_some() || undecided && game.ply() >= game.gap_ply {
            return None;
        }
        // A king that takes something there shows no result.
        let kings = game
            .tree
            .node(current)
            .parent
            .is_some_and(|(_, m)| king_to_centre(m) && !m.is_capture());
        let wait = if kings || undecided {
            self.timing.still_centre_king
        } else if self.lever.running() {
            self.timing.still_clock
        } else {
            self.timing.still
        };
        // A square that flashes in between takes away nothing of what it stood before, as long as the
        // man that was moved is let be.
        let node = game.tree.node(current);
        let let_be = node.parent.is_some_and(|(parent, m)| {
            let landing = arrival(&game.tree.node(parent).position, m).0;
            self.sensors.changed_at(landing) <= node.made
        });
        // A man that flashes on his square may be in a hand: what he stood counts half.
        let stood = match (kings, let_be) {
            (_, true) => game.stood,
            (true, false) => Duration::ZERO,
            (false, false) => game.stood / 2,
        };
        Some(game.arrived + wait.saturating_sub(stood).max(wait.min(STANDS_AGAIN)))
    }
}

/// Adds a line found by a search to the tree, its last node `shown` or not; answers that node.
pub(super) fn grow_line(
    tree: &mut Tree,
    start: NodeId,
    line: &[Move],
    now: Stamp,
    sensors: &super::Sensors,
    doubt: bool,
    shown: bool,
) -> NodeId {
    let mut at = start;
    let since = tree.node(start).shown_until;
    let mut before = since;
    for (index, &m) in line.iter().enumerate() {
        let last = index + 1 == line.len();
        // Arrivals date a ply that never showed, as far as they can.
        let (landing, man) = arrival(&tree.node(at).position, m);
        let seen = sensors.saw(landing, man, since, before).filter(|_| !last);
        let made = seen.unwrap_or_else(|| sensors.changed_at(m.to())).min(now);
        at = tree.add(at, m, if last { now } else { made }, last && shown);
        if let (Some(seen), Some(next)) = (seen, line.get(index + 1)) {
            // The next man may have been lifted before this one was told.
            let lifted = next.from().and_then(|from| {
                let man = tree.node(at).position.board().piece_at(from)?;
                Some(sensors.departures(from, man, since)?.0)
            });
            tree.stood_until(at, lifted.map_or(seen, |lifted| lifted.min(seen)));
            tree.redate(at, seen, lifted.map_or(seen, |lifted| lifted.max(seen)));
            before = before.max(seen);
        }
        if doubt {
            tree.set_doubt(at);
        }
    }
    at
}

/// Marks the plies at which two lines to the same placement differ.
fn mark_differences(tree: &mut Tree, best: NodeId, rival: NodeId) {
    let (ours, theirs) = (tree.path(best), tree.path(rival));
    for (index, &id) in ours.iter().enumerate() {
        // The same move to the same placement is certain, whatever was played before it.
        let same = theirs.get(index).is_some_and(|&rival| {
            let (ours, theirs) = (tree.node(id), tree.node(rival));
            ours.key == theirs.key && ours.parent.map(|(_, m)| m) == theirs.parent.map(|(_, m)| m)
        });
        if !same {
            tree.set_doubt(id);
        }
    }
}
