//! A whole line held against all that squares and clock told while it was played.
//!
//! [`weigh`](super::weigh) compares the nodes of the tree, which begin at the last confirmed ply.
//! Here a line may begin before that, so that a ply confirmed too early can be compared with what
//! has become likelier since: a man that had stopped on its way and went on, a takeback, a square
//! between two others. What a line cannot account for makes it dearer: men that stood where it puts
//! none, men that arrived in the wrong order, one man moved twice faster than anybody answers,
//! presses of the clock by a player who had not moved yet.

use std::time::Duration;

use shakmaty::{Board, Chess, Color, Move, Piece, Position, Square, attacks};

use super::{
    ConfirmedBy, NodeId, Stamp, Tracker,
    explain::Limits,
    king_to_centre,
    line::Played,
    sensors::Sighting,
    unexplained::touched_since,
    weigh::{SCAN, arrival},
};
use crate::units::Ply;

/// Each ply.
const PLY: u32 = 100;
/// A man that was never seen where it went.
const UNSEEN: u32 = 300;
/// Men that arrived in the wrong order, by more than a scan can make of it.
const BACKWARDS: u32 = 300;
/// Within so many milliseconds no hand answers; each that is lacking costs one.
const ANSWER_MS: u32 = 150;
/// A line that costs this much more than its plies is compared with others.
const SUSPICIOUS: u32 = 100;
/// A man that moved on before it had rested as long as a move and its reply take, at most.
const RESTLESS: u32 = 250;
/// A press by a player who had not moved.
const EARLY: u32 = 200;
/// A man that left the square where the line puts it for another.
const WENT_ON: u32 = 150;
/// The most that men seen where the line puts none can cost.
const MOST_STRAYS: u32 = 600;
/// A man may stand so long before or after its time: the rest of its move, or of the next, is still
/// under way.
const LEEWAY: Duration = Duration::from_millis(600);
/// A press may be told before the scan that shows its move.
const PRESS_AHEAD: Duration = Duration::from_millis(100);
/// What it costs that a man arrived so long after the one before it, or before it. Nobody sees a
/// move and answers it sooner than in a tenth of a second or two.
fn order(earlier: Stamp, at: Stamp) -> u32 {
    let (late, gap) = (earlier.since(at), at.since(earlier));
    if late > SCAN {
        ANSWER_MS + millis(late).min(400) + BACKWARDS
    } else if late > Duration::ZERO {
        ANSWER_MS + millis(late)
    } else {
        ANSWER_MS.saturating_sub(millis(gap))
    }
}

/// The most a line may cost that puts recent plies in the place of others because nothing else
/// explains the board.
const MOST_FAR_FETCHED: u32 = 800;
/// What it costs to give up a ply, by what had confirmed it.
const REVOKE_REPLY: u32 = 60;
const REVOKE_PRESS: u32 = 100;
const REVOKE_STILL: u32 = 150;
/// So many confirmed plies are put in question.
const MOST_BACK: u32 = 3;
/// Plies older than this are beyond question.
const RECENT: Duration = Duration::from_secs(10);

/// One ply of a line, and when its man was seen to arrive.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: Option<Square>,
    landing: Square,
    man: Piece,
    color: Color,
    at: Option<Stamp>,
    dumped: bool,
}

impl Tracker {
    /// The cost of a line from a position that the board showed until `since`.
    pub(super) fn trace(&self, start: &Chess, line: &[Move], since: Stamp, now: Stamp) -> u32 {
        let (steps, boards) = self.steps(start, line, since);
        let mut cost = PLY * count(line.len());
        let mut before: Option<(Stamp, bool)> = None;
        for step in &steps {
            let Some(at) = step.at else {
                cost += UNSEEN;
                continue;
            };
            if let Some((earlier, dumped)) = before
                && !dumped
                && !step.dumped
            {
                cost += order(earlier, at);
            }
            before = Some((at, step.dumped));
        }
        cost + self.restless(&steps, now)
            + self.strays(&steps, &boards, since, now)
            + self.presses(&steps, since)
    }

    fn steps(&self, start: &Chess, line: &[Move], since: Stamp) -> (Vec<Step>, Vec<Board>) {
        let mut position = start.clone();
        let mut boards = vec![position.board().clone()];
        let mut steps = Vec::with_capacity(line.len());
        let mut before = Stamp::ZERO;
        for &m in line {
            let (landing, man) = arrival(&position, m);
            let seen = self.sensors.arrival(landing, man, since, before);
            let color = position.turn();
            let (at, dumped) = (seen.map(|seen| seen.at), seen.is_some_and(|seen| seen.dumped));
            steps.push(Step { from: m.from(), landing, man, color, at, dumped });
            before = before.max(at.unwrap_or_default());
            position.play_unchecked(m);
            boards.push(position.board().clone());
        }
        (steps, boards)
    }

    /// Men that moved on sooner than a move and its reply take: rather one move.
    fn restless(&self, steps: &[Step], now: Stamp) -> u32 {
        let mut cost = 0;
        for (index, step) in steps.iter().enumerate() {
            let again = steps.iter().skip(index + 1).find(|later| later.from == Some(step.landing));
            let (Some(again), Some(at)) = (again, step.at) else { continue };
            let end = again.at.unwrap_or(now) + SCAN;
            let left = self
                .sensors
                .sightings(at, now)
                .filter(|s| s.square == step.landing && s.man == step.man && s.from <= end)
                .map(|s| s.until)
                .max();
            let rested = left.unwrap_or(at).since(at);
            if again.color == step.color && !step.dumped {
                // From a sixth of a second to half a second.
                cost += (500_u32.saturating_sub(millis(rested)) * 3 / 4).min(RESTLESS);
            }
        }
        cost
    }

    /// Men that stood where the line puts none at that time.
    ///
    /// On the way of a man that the line moves over the square a short stay is cheap. Elsewhere it
    /// is dear, and dearer where a man of the line had left its square for it: that man went on.
    fn strays(&self, steps: &[Step], boards: &[Board], since: Stamp, now: Stamp) -> u32 {
        let mut dearest = [0_u16; 64];
        for seen in self.sensors.sightings(since, now).filter(|seen| !seen.dumped) {
            let shown = boards.iter().enumerate().any(|(ply, board)| {
                let begun = ply.checked_sub(1).and_then(|last| steps[last].at);
                let ended = steps.get(ply).and_then(|next| next.at);
                board.piece_at(seen.square) == Some(seen.man)
                    && begun.is_none_or(|begun| seen.until + LEEWAY >= begun)
                    && ended.is_none_or(|ended| seen.from <= ended + LEEWAY)
            });
            if shown {
                continue;
            }
            let stay = millis(seen.until.since(seen.from));
            let passes = steps.iter().any(|step| {
                step.man == seen.man
                    && step.at.is_none_or(|at| seen.from <= at)
                    && step.from.is_some_and(|from| {
                        attacks::between(from, step.landing).contains(seen.square)
                    })
            });
            let short = if passes { stay.min(250) / 10 } else { 40 + stay.min(250) / 10 };
            let mut cost = (short + stay.saturating_sub(250) / 3).min(300);
            if stay > 150 && self.went_on_to(steps, &seen, now) {
                cost += WENT_ON;
            }
            let slot = &mut dearest[usize::from(seen.square)];
            *slot = (*slot).max(u16::try_from(cost).unwrap_or(u16::MAX));
        }
        dearest.iter().map(|&cost| u32::from(cost)).sum::<u32>().min(MOST_STRAYS)
    }

    /// Whether a man of the line left its square and then stood elsewhere, before the next ply.
    fn went_on_to(&self, steps: &[Step], seen: &Sighting, now: Stamp) -> bool {
        steps.iter().enumerate().any(|(index, step)| {
            let ended = steps.get(index + 1).and_then(|next| next.at).unwrap_or(now);
            let Some(at) = step.at.filter(|_| step.man == seen.man) else {
                return false;
            };
            let left = self
                .sensors
                .sightings(at, now)
                .filter(|s| s.square == step.landing && s.man == step.man)
                .map(|s| s.until)
                .max();
            left.is_some_and(|left| left <= seen.from + SCAN && seen.from <= ended)
                && at < seen.from
        })
    }

    /// Presses of players who had not moved.
    fn presses(&self, steps: &[Step], since: Stamp) -> u32 {
        let mut flips = [None; 8];
        let mut count = 0;
        for (slot, flip) in flips.iter_mut().zip(self.lever.flips()) {
            *slot = Some(flip);
            count += 1;
        }
        let mut cost = 0;
        let mut next = 0;
        // The first may still belong to the ply before the line.
        let mut first = true;
        for &(at, turn) in flips[..count].iter().rev().flatten().filter(|(at, _)| *at > since) {
            let made = steps.iter().enumerate().skip(next).find(|(_, step)| {
                step.color != turn && step.at.is_none_or(|made| made <= at + PRESS_AHEAD)
            });
            let late = first && steps.first().is_some_and(|step| step.color == turn);
            first = false;
            match made {
                _ if late => {}
                Some((index, _)) => next = index + 1,
                None => cost += EARLY,
            }
        }
        cost
    }

    /// A line that explains everything better than the one that the tree offers, and from which ply
    /// it begins: longer, or begun up to three plies earlier in the place of confirmed ones.
    pub(super) fn reconsider(&self, best: NodeId, now: Stamp) -> Option<(Ply, Vec<Move>)> {
        let game = self.game.as_ref()?;
        let path = game.tree.path(best);
        if path.is_empty() || game.after_gap || self.correcting {
            return None;
        }
        let offered: Vec<Move> =
            path.iter().filter_map(|&id| Some(game.tree.node(id).parent?.1)).collect();
        let root = game.tree.root();
        let alone = self.trace(&root.position, &offered, root.shown_until, now);
        if alone < PLY * count(offered.len()) + SUSPICIOUS {
            return None;
        }
        self.likelier(&offered, now)
    }

    /// A line that explains everything since some recent ply, when nothing explains the board from
    /// the last one; and that ply.
    pub(super) fn explained_from_before(&self, now: Stamp) -> Option<(Ply, Vec<Move>)> {
        self.game.as_ref().filter(|game| !game.after_gap && !self.correcting)?;
        self.likelier(&[], now)
    }

    fn likelier(&self, offered: &[Move], now: Stamp) -> Option<(Ply, Vec<Move>)> {
        let game = self.game.as_ref()?;
        let last = game.ply().0;
        let mut found: Option<(u32, Ply, Vec<Move>)> = None;
        let mut revoked = 0;
        for back in 0..=last.min(MOST_BACK) {
            let to = Ply(last - back);
            let since = game.shown_until(to);
            let played = game.line().get(to.index());
            if played.is_some_and(|p| now.since(p.made) > RECENT)
                || to < game.gap_ply
                || since < self.sensors.remembered()
            {
                break;
            }
            revoked += played.map_or(0, revoke);
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
            let least = if back == 0 { count(offered.len()) } else { 1 };
            let most = (count(present.len()) + if back < 2 { 4 } else { 2 }).min(6);
            let (mut lines, _) = self.lines_to_board(start, least, limits(most));
            if let Some(shortest) = lines.first().map(|line| count(line.len())) {
                let longer = self.lines_to_board(start, shortest + 1, limits(most)).0;
                lines.extend(longer);
            }
            let cost = |line: &[Move]| self.trace(start, line, since, now);
            let likeliest = lines
                .into_iter()
                .filter(|line| !line.last().copied().is_some_and(king_to_centre))
                .filter(|line| *line != present && (back == 0 || line.first() != present.first()))
                .map(|line| (cost(&line) + revoked, line))
                .min_by_key(|(cost, _)| *cost);
            if let Some((price, line)) = likeliest {
                let worst = if offered.is_empty() { MOST_FAR_FETCHED } else { cost(&present) };
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

fn count(plies: usize) -> u32 {
    u32::try_from(plies).unwrap_or(99)
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(10_000).min(10_000)
}
