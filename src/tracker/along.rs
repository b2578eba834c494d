//! Which lines lead to the placement along the men that were seen to arrive?
//!
//! [`explain`](super::explain) tries whatever may lead to what stands on the board, and reaches a few
//! plies far. Hands that overlap for long leave more than that; but nearly every ply shows for a moment.
//! Here each ply puts a man where one was seen to come down, in the order in which they did, or nearly
//! so; what nobody saw is believed of a man that was taken where he went. Of the lines of each length the
//! cheapest few are followed.

use std::time::Duration;

use shakmaty::{Bitboard, Chess, Color, Move, MoveList, Position, Role, Square, attacks};

use super::{
    Stamp, Tracker, moves,
    sensors::Sighting,
    stands::takes_king,
    trace::order,
    unexplained::touched_since,
    weigh::{PLY, SCAN, UNSEEN, arrival},
};

/// Lines that are followed, of each length.
const WIDTH: usize = 12;
/// The longest line, in half-moves.
const PLIES: u32 = 16;
/// So many men seen to arrive are gone along; more are a board that has long been analysed on.
const MOST_SEEN: usize = 64;
/// On so many squares the placement may differ; where it differs on more, men are being put back.
const MOST_APART: usize = 14;
/// A man seen for less than this had only come by.
const PASSED_BY: Duration = Duration::from_millis(150);
/// A man that a line does without costs so much, and a part of the milliseconds he stood.
const WITHOUT: u32 = 40;
const WITHOUT_PART: u32 = 4;
const MOST_WITHOUT: u32 = 300;

/// A line on its way to the placement.
struct Line {
    position: Chess,
    plies: Vec<Move>,
    /// When its last man came down.
    at: Stamp,
    cost: u32,
}

impl Tracker {
    /// Finds longer lines to the placement, along the men that were seen to arrive.
    pub(super) fn find_along(&mut self, now: Stamp) {
        let starts = self.starts(self.game.as_ref().and_then(|game| Some(game.left?.0)));
        self.found.clear();
        for start in starts {
            let Some(game) = &self.game else { return };
            let node = game.tree.node(start);
            let (since, position) = (node.shown_until, node.position.clone());
            for line in self.lines_along(&position, since, now) {
                if line.len() >= 2 {
                    self.consider(start, &line, &position, (since, false), now);
                }
            }
        }
    }

    /// Lines from a position that the board showed until `since` to what it shows now, the likeliest of
    /// each length first.
    pub(super) fn lines_along(&self, start: &Chess, since: Stamp, now: Stamp) -> Vec<Vec<Move>> {
        let mut seen: Vec<Sighting> = self.sensors.sightings(since, now).collect();
        let apart = self.sensors.differences(start.board()).count();
        if seen.len() > MOST_SEEN || apart > MOST_APART || since < self.sensors.remembered() {
            return Vec::new();
        }
        seen.sort_by_key(|seen| seen.from);
        let touched = touched_since(&self.sensors, since);
        let first = Line { position: start.clone(), plies: Vec::new(), at: since, cost: 0 };
        let mut lines = vec![first];
        let mut found = Vec::new();
        for _ in 0..PLIES {
            let mut next: Vec<Line> = Vec::new();
            for line in &lines {
                self.follow(line, &seen, touched, since, &mut next);
            }
            next.sort_by_key(|line| line.cost);
            next.truncate(WIDTH);
            let shown = next.iter().filter(|line| self.sensors.shows(line.position.board()));
            found.extend(shown.map(|line| line.plies.clone()));
            if next.is_empty() {
                break;
            }
            lines = next;
        }
        found
    }

    /// The lines that are one ply longer.
    fn follow(
        &self,
        line: &Line,
        seen: &[Sighting],
        touched: Bitboard,
        since: Stamp,
        next: &mut Vec<Line>,
    ) {
        let us = line.position.turn();
        let mut ways = MoveList::new();
        moves::from(&line.position, touched, &mut ways);
        for &m in ways.iter().filter(|m| !takes_king(**m)) {
            let (landing, man) = arrival(&line.position, m);
            let comes = seen
                .iter()
                .find(|s| s.square == landing && s.man == man && s.from + SCAN >= line.at);
            let (at, cost) = match comes {
                Some(seen) if seen.dumped => (line.at.max(seen.after), 0),
                Some(seen) => (seen.from, order(line.at, seen.from)),
                None => {
                    if !taken_unseen(m, us, seen, line.at) {
                        continue;
                    }
                    let man = m.role().of(us);
                    let left = m.from().and_then(|from| self.sensors.departures(from, man, since));
                    let Some((left, _)) = left else { continue };
                    (line.at.max(left), UNSEEN)
                }
            };
            let without: u32 = seen
                .iter()
                .filter(|s| s.from > line.at && s.from < at)
                .map(|s| left_out(s, m, landing, us))
                .sum();
            let cost = line.cost + PLY + cost + without;
            let mut position = line.position.clone();
            position.play_unchecked(m);
            self.work.add(1);
            let same = |other: &Line| {
                other.position.board() == position.board()
                    && other.position.turn() == position.turn()
                    && other.position.castles().castling_rights()
                        == position.castles().castling_rights()
            };
            if let Some(other) = next.iter().find(|other| same(other))
                && other.cost <= cost
            {
                continue;
            }
            next.retain(|other| !same(other));
            let mut plies = line.plies.clone();
            plies.push(m);
            next.push(Line { position, plies, at: at.max(line.at), cost });
        }
    }
}

/// Whether a man that nobody saw arrive may have been taken where he went.
fn taken_unseen(m: Move, us: Color, seen: &[Sighting], at: Stamp) -> bool {
    let taken = |square: Square, by: Option<Role>| {
        seen.iter().any(|s| {
            s.square == square
                && s.man.color != us
                && s.from >= at
                && by.is_none_or(|role| s.man.role == role)
        })
    };
    let Some(from) = m.from().filter(|_| !m.is_castle()) else { return false };
    let double = m.role() == Role::Pawn && from.distance(m.to()) == 2;
    let between = attacks::between(from, m.to()).single_square().filter(|_| double);
    taken(m.to(), None) || between.is_some_and(|square| taken(square, Some(Role::Pawn)))
}

/// What it costs that a line does without a man that was seen before its next one came down.
fn left_out(seen: &Sighting, m: Move, landing: Square, us: Color) -> u32 {
    let stood = seen.surely.since(seen.from);
    let passes = m.from().is_some_and(|from| attacks::between(from, landing).contains(seen.square));
    let own = seen.man.color == us && seen.man.role == m.role();
    if stood < PASSED_BY || own && passes {
        return 0;
    }
    let stood = u32::try_from(stood.as_millis()).unwrap_or(u32::MAX);
    (WITHOUT + stood / WITHOUT_PART).min(MOST_WITHOUT)
}
