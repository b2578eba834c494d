//! A whole line held against all that squares and clock told while it was played.
//!
//! [`weigh`](super::weigh) compares the nodes of the tree, which begin at the last confirmed ply.
//! Here a line may begin before that, so that a ply confirmed too early can be compared with what
//! has become likelier since: a man that had stopped on its way and went on, a takeback, a square
//! between two others. What a line cannot account for makes it dearer: men that stood where it puts
//! none, men that arrived in the wrong order, one man moved twice faster than anybody answers,
//! presses of the clock by a player who had not moved yet.

use std::time::Duration;

use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square, attacks};

use super::{
    Stamp, Tracker,
    keys::castled,
    sensors::Sighting,
    weigh::{PLY, SCAN, UNSEEN, arrival},
};

/// What a man that was never seen where he went costs beside [`UNSEEN`], if he goes on from there, or if
/// what he was taken on never changed.
const NOT_SEEN_TO_STOP: u32 = 200;
const UNCHANGED: u32 = 100;
/// Men that arrived in the wrong order, by more than a scan can make of it.
const BACKWARDS: u32 = 300;
/// Within so many milliseconds no hand answers; each that is lacking costs one.
const ANSWER_MS: u32 = 150;
/// A captured man shows beside its square for so many milliseconds at most.
pub(super) const PUSHED_MS: u32 = 600;
/// A man that moved on before it had rested as long as a move and its reply take, at most.
const RESTLESS: u32 = 250;
/// The same man, where he moved on before the answer had come down.
const UNANSWERED: u32 = 150;
/// A press by a player who had not moved; by one whose man came down a moment later.
const EARLY: u32 = 200;
const HASTY: u32 = 80;
/// A man that left the square where the line puts it for another.
const WENT_ON: u32 = 200;
/// Another man put in the place of the one that the line promotes to.
const REPLACED: u32 = 250;
/// A man that shows after the line has taken the only one of his kind.
const TAKEN: u32 = 200;
/// The most that one stop on a man's way costs, and one beside it.
const STOP: u32 = 150;
const STAY: u32 = 500;
/// The same where a clock runs that its player did not press.
const STAY_UNPRESSED: u32 = 300;
/// A stop longer than so many milliseconds was hardly one.
const LONG_STOP: u32 = 1_200;
/// A captured man that shows beside its square for a moment.
const PUSHED: u32 = 40;
/// Two squares are read so much out of order, as a rule.
const SKEW: Duration = Duration::from_millis(150);
/// The opponent lifted his man while this one stood where the line puts it for a moment only.
const ANSWERED: u32 = 150;
/// The reply's man was lifted before that of the move it answers.
const BEFORE_IT: u32 = 100;
/// Men seen where the line puts none cost a quarter beyond this: hands that knock men over say nothing
/// against the moves between.
const MANY_STRAYS: u32 = 600;
const MOST_BEYOND: u32 = 200;
/// The most that a delay counts, in milliseconds.
const LONGEST: u32 = 2_000;
/// A man may stand so long before or after its time: the rest of its move, or of the next, is still
/// under way.
const LEEWAY: Duration = Duration::from_millis(600);
/// A press may be told before the scan that shows its move.
const PRESS_AHEAD: Duration = Duration::from_millis(100);
/// Some press while they put the man down.
const PRESS_HASTE: Duration = Duration::from_millis(600);
/// What it costs that a man arrived so long after the one before it, or before it. Nobody sees a
/// move and answers it sooner than in a tenth of a second or two.
pub(super) fn order(earlier: Stamp, at: Stamp) -> u32 {
    let (late, gap) = (earlier.since(at), at.since(earlier));
    if late > SCAN {
        ANSWER_MS + too_late(late)
    } else if late > Duration::ZERO {
        ANSWER_MS + millis(late)
    } else {
        ANSWER_MS.saturating_sub(millis(gap))
    }
}

/// What it costs that something came so long after what it must have come before.
fn too_late(late: Duration) -> u32 {
    BACKWARDS + millis(late).min(LONGEST)
}

/// A man is not read for so long at most where he stands badly.
const FLASH: Duration = Duration::from_millis(700);

/// One ply of a line, and when its man was seen to arrive.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: Option<Square>,
    landing: Square,
    man: Piece,
    color: Color,
    promoted: bool,
    at: Option<Stamp>,
    dumped: bool,
    /// It did not arrive before.
    after: Stamp,
    /// It took back where a man like it had stood, so that nothing shows its arrival.
    hidden: bool,
    /// The square on which it took a man.
    takes: Option<Square>,
    /// The man that it took on its square.
    victim: Option<Piece>,
    /// When its old square stopped reading it, the first time and the last.
    lifted: Option<(Stamp, Stamp)>,
}

impl Tracker {
    /// The cost of a line from a position that the board showed until `since`.
    pub(super) fn trace(&self, start: &Chess, line: &[Move], since: Stamp, now: Stamp) -> u32 {
        let (steps, boards) = self.steps(start, line, since, now);
        let mut cost = PLY * count(line.len());
        let mut before: Option<(Stamp, bool)> = None;
        let mut latest: Option<Stamp> = None;
        for (index, step) in steps.iter().enumerate() {
            cost += lifted_before(&steps, index);
            let Some(at) = step.at else {
                if !step.hidden {
                    cost += self.unseen(&steps, index, since);
                }
                continue;
            };
            // A man does not arrive before it is lifted.
            if let Some((lifted, _)) = step.lifted
                && !step.dumped
                && !step.promoted
                && lifted.since(at) > SCAN
            {
                cost += too_late(lifted.since(at));
            }
            // What only a dump told of came some time before it, and not after what came later.
            cost += match (before, latest) {
                (Some((earlier, false)), _) if !step.dumped => order(earlier, at),
                (_, Some(earlier)) if earlier.since(at) > SCAN => order(earlier, at),
                _ => 0,
            };
            before = Some((at, step.dumped));
            let lifted = step.lifted.map_or(Stamp::ZERO, |(first, _)| first);
            let arrived = if step.dumped { step.after.max(lifted).min(at) } else { at };
            latest = latest.max(Some(arrived));
        }
        cost + self.restless(&steps, now)
            + self.strays(&steps, &boards, since, now)
            + self.presses(&steps, since)
    }

    /// A man that was never seen where it went. What came after it did not come before it was lifted,
    /// and who takes it there lifts his man after that.
    fn unseen(&self, steps: &[Step], index: usize, since: Stamp) -> u32 {
        let step = &steps[index];
        let taker = steps.get(index + 1).filter(|next| next.takes == Some(step.landing));
        let mut cost = UNSEEN;
        let unchanged = self.sensors.changed_at(step.landing) < since;
        let moves_on = steps[index + 1..].iter().any(|later| later.from == Some(step.landing));
        cost += match (taker, unchanged) {
            (None, true) => UNSEEN,
            (None, false) if moves_on => NOT_SEEN_TO_STOP,
            (Some(taker), true) if taker.landing == step.landing => UNCHANGED,
            _ => 0,
        };
        let Some((lifted, _)) = step.lifted else { return cost };
        let mut later = steps[index + 1..].iter().filter(|later| !later.dumped);
        if let Some(next) = later.find_map(|later| later.at)
            && lifted.since(next) > SCAN
        {
            cost += too_late(lifted.since(next));
        }
        if let Some((_, taken)) = taker.and_then(|taker| taker.lifted)
            && lifted.since(taken) > SCAN
        {
            cost += too_late(lifted.since(taken));
        }
        cost
    }

    fn steps(
        &self,
        start: &Chess,
        line: &[Move],
        since: Stamp,
        now: Stamp,
    ) -> (Vec<Step>, Vec<Board>) {
        let mut position = start.clone();
        let mut boards = Vec::with_capacity(line.len() + 1);
        boards.push(position.board().clone());
        let mut steps = Vec::with_capacity(line.len());
        let mut before = Stamp::ZERO;
        for (index, &m) in line.iter().enumerate() {
            let (landing, man) = mover(&position, m);
            let hidden = index.checked_sub(1).is_some_and(|last| {
                let taken: &Step = &steps[last];
                taken.at.is_none() && taken.landing == landing && taken.victim == Some(man)
            });
            let promoted = m.promotion().is_some();
            let from = match m {
                Move::Castle { rook, .. } if man.role == Role::Rook => Some(rook),
                m => m.from(),
            };
            let lifted = from.and_then(|from| {
                let man = position.board().piece_at(from)?;
                self.sensors.departures(from, man, since)
            });
            let begun = lifted.map_or(Stamp::ZERO, |(first, _)| first);
            // The new square may be told a scan before the old one; a queen long before her pawn.
            let earliest =
                if promoted { Stamp::ZERO } else { Stamp::ZERO + begun.since(Stamp::ZERO + SCAN) };
            // Two that came at once may be told in the other order; who comes there later is another.
            let after = (Stamp::ZERO + before.since(Stamp::ZERO + SCAN)).max(earliest);
            let seen = self.sensors.arrival(landing, man, since, after);
            // What stood there before says nothing of who took it back.
            let seen = seen.filter(|seen| !hidden || seen.at >= before);
            // Who shows there after he was taken is another.
            let taken =
                line.get(index + 1).filter(|next| next.is_capture() && next.to() == landing);
            let taken = taken.and_then(|next| {
                let taker = next.promotion().unwrap_or(next.role()).of(!position.turn());
                self.sensors.arrival(landing, taker, since, before.max(earliest))
            });
            let seen = seen.filter(|seen| taken.is_none_or(|taken| seen.at <= taken.at + SCAN));
            let victim = position.board().piece_at(landing).filter(|_| m.is_capture());
            let color = position.turn();
            let (at, dumped) = (seen.map(|seen| seen.at), seen.is_some_and(|seen| seen.dumped));
            let after = seen.map_or(Stamp::ZERO, |seen| seen.after);
            // A man who is read now and then may have stood there long before he was.
            let flashes = at.filter(|&at| self.sensors.changed_at(landing) > at);
            let flashes = flashes.is_some_and(|at| {
                let mut shown = self.sensors.sightings(at, now).filter(|s| s.man == man);
                let first = shown.next().filter(|s| s.square == landing);
                first.zip(shown.next()).is_some_and(|(first, again)| {
                    again.square == landing && again.from.since(first.until) < FLASH
                })
            });
            let (dumped, after) = if flashes { (true, begun) } else { (dumped, after) };
            steps.push(Step {
                from,
                landing,
                man,
                color,
                promoted,
                at,
                dumped,
                after,
                hidden,
                takes: taken_on(m),
                victim,
                lifted,
            });
            before = before.max(at.unwrap_or(begun));
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
                let short = (500_u32.saturating_sub(millis(rested)) * 3 / 4).min(RESTLESS);
                // Who goes on before the answer has come down has rather not been answered.
                let answer = steps.get(index + 1).and_then(|answer| answer.at);
                let unanswered = answer.zip(left).is_some_and(|(answer, left)| {
                    answer > left && !self.pressed_between(step.color, at, left)
                });
                cost += if unanswered { short.max(UNANSWERED) } else { short };
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
        for seen in self.sensors.sightings(since, now) {
            let shown = boards.iter().enumerate().any(|(ply, board)| {
                let begun = ply.checked_sub(1).and_then(|last| steps[last].at);
                let ended = steps.get(ply).and_then(|next| next.at);
                board.piece_at(seen.square) == Some(seen.man)
                    && begun.is_none_or(|begun| seen.until + LEEWAY >= begun)
                    && ended.is_none_or(|ended| seen.after <= ended + LEEWAY)
            });
            if shown {
                continue;
            }
            let stay = millis(seen.surely.since(seen.from));
            let passes = steps.iter().any(|step| {
                let before = step.at.is_none_or(|at| seen.after <= at);
                let between = |from| attacks::between(from, step.landing).contains(seen.square);
                // A man put on the last rank before the right one is no stop on another's way.
                let exchanged =
                    step.promoted && step.landing == seen.square && step.color == seen.man.color;
                before && (exchanged || step.man == seen.man && step.from.is_some_and(between))
            });
            let short = if passes { stay.min(250) / 10 } else { 40 + stay.min(250) / 10 };
            let long = stay.saturating_sub(LONG_STOP) / 8;
            let unpressed = !passes && self.lever.running() && !self.pressed_after(&seen);
            let most = match (passes, unpressed) {
                (true, _) => STOP + long.min(STOP),
                (false, true) => STAY_UNPRESSED,
                (false, false) => STAY,
            };
            let mut cost = (short + stay.saturating_sub(250) / 3).min(most);
            let pushed = pusher(steps, &seen);
            if stay < PUSHED_MS && pushed.is_some() {
                cost = cost.min(PUSHED);
            }
            if stay > 200 && answered(steps, &seen) {
                cost += if passes { ANSWERED / 3 } else { ANSWERED };
            }
            // Whoever took him pushed him there.
            let by_his_captor = pushed.is_some_and(|captor| self.pushes(captor, &seen));
            if stay > 150 && !by_his_captor && self.went_on_to(steps, &seen, now) {
                cost += WENT_ON;
            }
            if stay > 150 && replaces(steps, &seen) {
                cost += REPLACED;
            }
            if pushed.is_none() && stay > 100 && taken_before(steps, boards, &seen) {
                cost += TAKEN;
            }
            let slot = &mut dearest[usize::from(seen.square)];
            *slot = (*slot).max(u16::try_from(cost).unwrap_or(u16::MAX));
        }
        let sum: u32 = dearest.iter().map(|&cost| u32::from(cost)).sum();
        let beyond = sum.saturating_sub(MANY_STRAYS);
        sum.min(MANY_STRAYS) + (beyond / 4).min(MOST_BEYOND)
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
                .filter(|s| s.square == step.landing && s.man == step.man && s.from < seen.from)
                .map(|s| s.until)
                .max();
            left.is_some_and(|left| left <= seen.from + SCAN && seen.from <= ended)
                && at < seen.from
        })
    }

    /// Whether this player pressed the clock between two moments.
    fn pressed_between(&self, color: Color, from: Stamp, until: Stamp) -> bool {
        self.lever.flips().any(|(at, turn)| turn != color && (from..=until).contains(&at))
    }

    /// Whether this captor was under way when his victim left the square, and before he shows beside it.
    fn pushes(&self, captor: &Step, seen: &Sighting) -> bool {
        let Some((lifted, _)) = captor.lifted else { return false };
        let left = self
            .sensors
            .sightings(Stamp::ZERO, seen.from)
            .filter(|s| s.square == captor.landing && s.man == seen.man && s.from < seen.from)
            .last()
            .map(|s| s.until);
        lifted <= seen.from && left.is_none_or(|left| lifted <= left + SKEW)
    }

    /// Whether the player of this man pressed the clock while it stood there, or soon after.
    fn pressed_after(&self, seen: &Sighting) -> bool {
        self.pressed_between(seen.man.color, seen.from, seen.until + LEEWAY)
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
                let by_then = |made| step.dumped || made <= at + PRESS_HASTE;
                step.color != turn && step.at.is_none_or(by_then)
            });
            let late = first && steps.first().is_some_and(|step| step.color == turn);
            first = false;
            match made {
                _ if late => {}
                Some((index, step)) => {
                    next = index + 1;
                    if !step.dumped && step.at.is_some_and(|made| made > at + PRESS_AHEAD) {
                        cost += HASTY;
                    }
                }
                None => cost += EARLY,
            }
        }
        cost
    }
}

/// The square on which a move takes a man: in passing, another than where it lands.
pub(super) fn taken_on(m: Move) -> Option<Square> {
    match m {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        m => m.is_capture().then_some(m.to()),
    }
}

/// Which man shows a move, and where: the rook, where castling leaves the king on his square.
fn mover(position: &Chess, m: Move) -> (Square, Piece) {
    match m {
        Move::Castle { king, rook } if castled(king, rook).0 == king => {
            (castled(king, rook).1, Role::Rook.of(position.turn()))
        }
        m => arrival(position, m),
    }
}

/// What it costs if a reply was begun before the move that it answers: squares are read one after
/// another, so that a scan may tell of it first.
fn lifted_before(steps: &[Step], index: usize) -> u32 {
    let Some(before) = index.checked_sub(1).map(|before| &steps[before]) else { return 0 };
    let (Some((first, _)), Some((_, reply))) = (before.lifted, steps[index].lifted) else {
        return 0;
    };
    let early = first.since(reply);
    if early == Duration::ZERO {
        0
    } else if early > SCAN {
        BEFORE_IT + millis(early).min(400)
    } else {
        BEFORE_IT
    }
}

/// The captor who may have pushed a man off to where he shows, beside the square on which he is captured.
fn pusher<'a>(steps: &'a [Step], seen: &Sighting) -> Option<&'a Step> {
    steps.iter().find(|step| {
        step.victim == Some(seen.man)
            && step.landing.distance(seen.square) == 1
            && step.at.is_none_or(|at| seen.from + SCAN >= at && at + LEEWAY >= seen.from)
    })
}

/// Whether the line took the last man of this kind before he showed.
fn taken_before(steps: &[Step], boards: &[Board], seen: &Sighting) -> bool {
    steps.iter().zip(&boards[1..]).any(|(step, after)| {
        step.victim == Some(seen.man)
            && step.at.is_some_and(|at| at + SCAN < seen.from)
            && after.by_piece(seen.man).is_empty()
    })
}

/// Whether the opponent lifted the man of his reply while this one stood there.
fn answered(steps: &[Step], seen: &Sighting) -> bool {
    steps.windows(2).any(|pair| {
        let [step, reply] = pair else { return false };
        step.man == seen.man
            && step.at.is_none_or(|at| seen.from < at)
            && reply.lifted.is_some_and(|(_, lifted)| seen.from < lifted && lifted < seen.until)
    })
}

/// Whether a man stood in the place of the one that the line promotes to, before it was taken: pawns are
/// often exchanged for a queen first and for the right man then.
fn replaces(steps: &[Step], seen: &Sighting) -> bool {
    steps.iter().enumerate().any(|(index, step)| {
        let ended = steps.get(index + 1).and_then(|next| next.at);
        step.promoted
            && step.landing == seen.square
            && step.color == seen.man.color
            && step.man != seen.man
            && step.at.is_none_or(|at| at < seen.from)
            && ended.is_none_or(|ended| seen.from <= ended)
    })
}

pub(super) fn count(plies: usize) -> u32 {
    u32::try_from(plies).unwrap_or(99)
}

pub(super) fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(10_000).min(10_000)
}
