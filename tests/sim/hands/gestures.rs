//! Moves as hands make them: every order of lifting and putting that people use.

use shakmaty::{CastlingSide, Chess, Color, Move, Position, Role, Square};

use super::{
    super::{
        MS,
        chance::Span,
        table::{Act, Man, Place},
    },
    Hands,
};

/// A move carried out: when it was begun and when the last man was released.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// First touch.
    pub touched: u64,
    /// Last release.
    pub released: u64,
    /// The fields that change, as a bit set.
    pub fields: u64,
    /// The pawn still stands on the last rank: it must be exchanged for this man.
    pub swap_due: Option<(Square, Role)>,
}

/// What the previous ply is still doing when this one may begin.
#[derive(Clone, Copy, Debug)]
pub struct Early {
    /// The fields it works on, as a bit set.
    pub busy: u64,
    /// When it is done.
    pub done: u64,
    /// The reply may be finished before that.
    pub whole: bool,
}

impl Hands {
    /// Makes a move, beginning at `start`. Before the previous ply is done only an own man may be
    /// lifted, unless `early.whole` and the two plies share no field.
    pub fn make(&mut self, position: &Chess, m: Move, start: u64, early: Early) -> Made {
        let before = self.at;
        self.draft.clear();
        let (released, swap_due) = match m {
            Move::Castle { king, rook } => (self.castle(position.turn(), king, rook, start), None),
            Move::EnPassant { from, to } => (self.passant(from, to, start), None),
            Move::Normal { from, to, promotion: Some(role), .. } => {
                self.promote(position.turn(), from, to, role, start)
            }
            Move::Normal { from, to, capture: Some(_), .. } => (self.take(from, to, start), None),
            Move::Normal { from, to, .. } => {
                let begin = self.rest_on_the_way(position, m, start);
                (self.quiet(from, to, begin), None)
            }
            Move::Put { .. } => (start, None),
        };
        let fields = (0..64)
            .filter(|f| before[*f] != self.at[*f])
            .fold(0_u64, |set, field| set | 1 << field);
        let mut delay = 0;
        if start < early.done && (!early.whole || fields & early.busy != 0) {
            delay = self.hold_back(&before, early);
        }
        let touched = self.draft.iter().map(|(time, _)| *time).min().unwrap_or(start);
        self.commit();
        Made { touched, released: released + delay, fields, swap_due }
    }

    /// Delays the draft so that nothing but lifting an own man happens on forbidden fields early.
    fn hold_back(&mut self, before: &super::Grid, early: Early) -> u64 {
        self.draft.sort_by_key(|(time, _)| *time);
        let first_is_free = match self.draft.first() {
            Some((_, Act::Lift(man))) => {
                (0..64).any(|f| before[f] == Some(*man) && early.busy >> f & 1 == 0)
            }
            _ => false,
        };
        let skip = usize::from(first_is_free && self.draft.len() > 1);
        let reaction = self.chance.span(Span(0.08, 0.3));
        let delay = (early.done + reaction).saturating_sub(self.draft[skip].0);
        for (time, _) in &mut self.draft[skip..] {
            *time += delay;
        }
        delay
    }

    /// Now and then the man is first put on another of its squares, and goes on from there.
    fn rest_on_the_way(&mut self, position: &Chess, m: Move, start: u64) -> u64 {
        if !self.chance.of(self.profile.hands.hesitate) {
            return start;
        }
        let Some(man) = m.from().and_then(|from| self.man(from)) else { return start };
        let others: Vec<Square> = position
            .legal_moves()
            .into_iter()
            .filter(|o| o.from() == m.from() && o.to() != m.to() && !o.is_capture())
            .filter(|o| !o.is_castle() && !o.is_promotion())
            .map(Move::to)
            .collect();
        if others.is_empty() {
            return start;
        }
        self.tell(start, "rested_on_the_way");
        let other = self.chance.pick(&others);
        let field = self.field(other);
        self.lift(start, man);
        let down = start + self.travel();
        self.put(down, man, field);
        down + self.chance.span(Span(0.15, 2.0))
    }

    fn quiet(&mut self, from: Square, to: Square, start: u64) -> u64 {
        let Some(man) = self.man(from) else { return start };
        let (from, to) = (self.field(from), self.field(to));
        let end = self.carry(man, from, to, start);
        self.at[from] = None;
        self.at[to] = Some(man);
        end
    }

    /// Carries a man from one field to another in one of the ways people do; when it is released.
    pub(super) fn carry(&mut self, man: Man, from: usize, to: usize, start: u64) -> u64 {
        let travel = self.travel();
        let clear = self.clear_path(from, to);
        if clear && self.chance.of(self.profile.hands.slide) {
            return self.slide(man, from, to, start);
        }
        if clear && self.chance.of(self.profile.hands.skim) {
            self.note("skimmed");
            let place = self.spot(man, to, start + travel);
            self.draft.push((start, Act::Slide(man, place, travel)));
            return start + travel;
        }
        self.lift(start, man);
        let down = start + travel;
        if self.chance.of(self.profile.hands.straddle) {
            return self.straddle(man, to, down);
        }
        self.put(down, man, to);
        down
    }

    fn straddle(&mut self, man: Man, to: usize, down: u64) -> u64 {
        self.note("straddled");
        let centre = Place::centre(to);
        let side = if self.chance.of(0.5) { 1.0 } else { -1.0 };
        let off = side * self.chance.real(0.45, 0.53);
        let (dx, dy) = if self.chance.of(0.5) { (off, 0.1) } else { (0.1, off) };
        self.draft.push((down, Act::Put(man, Place(centre.0 + dx, centre.1 + dy))));
        let later = down + self.chance.span(Span(0.3, 2.0));
        let place = self.spot(man, to, later);
        self.draft.push((later, Act::Slide(man, place, 120 * MS)));
        later + 120 * MS
    }

    fn slide(&mut self, man: Man, from: usize, to: usize, start: u64) -> u64 {
        self.note("slid");
        let (a, b) = (Place::centre(from), Place::centre(to));
        let length = (a.0 - b.0).abs().max((a.1 - b.1).abs());
        let speed = self.chance.real(3.0, 9.0);
        let mut time = start;
        let mut done = 0.0;
        let steps = length.round().max(1.0) as usize;
        for step in 1..steps {
            let part = step as f64 / steps as f64;
            let stop = self.chance.of(self.profile.hands.stop);
            let drift = self.chance.of(self.profile.hands.drift / steps as f64);
            if !stop && !drift {
                continue;
            }
            let mut place = Place(a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
            if drift {
                self.note("drifted");
                let aside = self.chance.real(-0.66, 0.66);
                let along = (a.0 - b.0).abs() > (a.1 - b.1).abs();
                if along { place.1 += aside } else { place.0 += aside }
            }
            let lasts = ((part - done) * length / speed * 1e9) as u64;
            self.draft.push((time, Act::Slide(man, place, lasts)));
            time += lasts;
            done = part;
            if stop {
                self.note("stopped");
                time += self.chance.span(Span(0.2, 1.0));
            }
        }
        let lasts = ((1.0 - done) * length / speed * 1e9) as u64;
        let place = self.spot(man, to, time + lasts);
        self.draft.push((time, Act::Slide(man, place, lasts)));
        time + lasts
    }

    /// True when no other man stands on the straight way between two fields.
    fn clear_path(&self, from: usize, to: usize) -> bool {
        let (a, b) = (Place::centre(from), Place::centre(to));
        (1..16).all(|i| {
            let part = f64::from(i) / 16.0;
            let (x, y) = (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
            let field = y.round() as usize * 8 + x.round() as usize;
            field == from || field == to || self.at[field].is_none()
        })
    }

    /// Takes a dead man off, now and then dragging it over a neighbouring square.
    fn discard(&mut self, time: u64, man: Man, field: usize) -> u64 {
        // T: 5 of 35 captures show the dead man on a neighbouring square for a moment.
        if self.profile.hands.skim > 0.0 && self.chance.of(0.14) {
            self.note("victim_dragged");
            let Place(x, y) = Place::centre(field);
            let aside = Place(x + self.chance.real(-1.1, 1.1), y + self.chance.real(-1.1, 1.1));
            let lasts = self.chance.flat(Span(0.1, 0.3));
            self.draft.push((time, Act::Slide(man, aside, lasts)));
            self.lift(time + lasts, man);
            return time + lasts;
        }
        self.lift(time, man);
        time
    }

    fn take(&mut self, from: Square, to: Square, start: u64) -> u64 {
        let (Some(man), Some(dead)) = (self.man(from), self.man(to)) else { return start };
        let (from, to) = (self.field(from), self.field(to));
        let end = match self.chance.weighted(&self.profile.hands.capture.clone()) {
            0 => {
                self.note("capture_victim_first");
                let off = self.discard(start, dead, to);
                let begin = off + self.between();
                self.at[to] = None;
                self.carry(man, from, to, begin)
            }
            1 => {
                self.note("capture_attacker_first");
                self.lift(start, man);
                let off = start + self.between();
                let off = self.discard(off, dead, to);
                let down = off + self.between();
                self.put(down, man, to);
                down
            }
            2 => {
                self.note("capture_exchanged");
                self.lift(start, man);
                let down = start + self.travel();
                // The dead man leaves while the other arrives: within a tenth of a second.
                let off = (down + self.chance.flat(Span(0.0, 0.12))).saturating_sub(60 * MS);
                self.discard(off.max(start + 1), dead, to);
                self.put(down, man, to);
                down
            }
            _ => {
                self.note("capture_pushed_off");
                let travel = self.travel();
                let place = self.spot(man, to, start + travel);
                self.draft.push((start, Act::Slide(man, place, travel)));
                let Place(x, y) = Place::centre(to);
                let aside = Place(x + self.chance.pick(&[-0.6, 0.6]), y);
                let pushed = start + travel * 3 / 4;
                self.draft.push((pushed, Act::Slide(dead, aside, travel / 4 + 1)));
                let off = start + travel + self.chance.flat(Span(0.05, 0.4));
                self.lift(off, dead);
                off
            }
        };
        self.at[from] = None;
        self.at[to] = Some(man);
        end
    }

    fn passant(&mut self, from: Square, to: Square, start: u64) -> u64 {
        let victim = Square::from_coords(to.file(), from.rank());
        let (Some(man), Some(dead)) = (self.man(from), self.man(victim)) else { return start };
        let (from, to, victim) = (self.field(from), self.field(to), self.field(victim));
        let end = match self.chance.weighted(&self.profile.hands.passant.clone()) {
            0 => {
                self.note("passant_victim_last");
                let down = self.carry(man, from, to, start);
                let off = down + self.between();
                self.discard(off, dead, victim)
            }
            1 => {
                self.note("passant_victim_first");
                let off = self.discard(start, dead, victim);
                let begin = off + self.between();
                self.carry(man, from, to, begin)
            }
            _ => {
                self.note("passant_victim_between");
                self.lift(start, man);
                let off = start + self.between();
                let off = self.discard(off, dead, victim);
                let down = off + self.between();
                self.put(down, man, to);
                down
            }
        };
        self.at[from] = None;
        self.at[victim] = None;
        self.at[to] = Some(man);
        end
    }

    fn castle(&mut self, color: Color, king: Square, rook: Square, start: u64) -> u64 {
        let side = CastlingSide::from_king_side(king < rook);
        let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
        let (Some(k), Some(r)) = (self.man(king), self.man(rook)) else { return start };
        let (king, rook) = (self.field(king), self.field(rook));
        let (king_to, rook_to) = (self.field(king_to), self.field(rook_to));
        self.note(if side.is_king_side() { "castled_short" } else { "castled_long" });
        // In Chess960 one of the two may stay, or stand where the other goes: then both are lifted
        // before one is put down.
        let tangled = king_to == rook || rook_to == king;
        let style = self.chance.weighted(&self.profile.hands.castle.clone());
        let end = match if tangled { 4 + style % 2 } else { style } {
            _ if king == king_to => self.carry(r, rook, rook_to, start),
            _ if rook == rook_to => self.carry(k, king, king_to, start),
            0 => {
                self.note("castle_king_first");
                let down = self.carry(k, king, king_to, start);
                let then = down + self.between();
                self.carry(r, rook, rook_to, then)
            }
            1 => {
                self.note("castle_king_rests");
                let down = self.king_rests(k, rook_to, king_to, start);
                let then = down + self.between();
                self.carry(r, rook, rook_to, then)
            }
            2 => {
                self.note("castle_rook_first");
                let down = self.carry(r, rook, rook_to, start);
                let then = down + self.between();
                self.carry(k, king, king_to, then)
            }
            3 => {
                self.note("castle_both_hands");
                let down = self.carry(k, king, king_to, start);
                let other = start + self.chance.flat(Span(0.0, 0.15));
                self.carry(r, rook, rook_to, other).max(down)
            }
            other => {
                let rook_leads = other == 5;
                self.note(if rook_leads { "castle_rook_put_first" } else { "castle_one_hand" });
                let (first, second) = if rook_leads {
                    ((r, rook_to), (k, king_to))
                } else {
                    ((k, king_to), (r, rook_to))
                };
                self.lift(start, first.0);
                let both = start + self.between();
                self.lift(both, second.0);
                let down = both + self.between();
                self.put(down, first.0, first.1);
                let end = down + self.between();
                self.put(end, second.0, second.1);
                end
            }
        };
        self.at[king] = None;
        self.at[rook] = None;
        self.at[king_to] = Some(k);
        self.at[rook_to] = Some(r);
        end
    }

    /// The king is first put on a square in between, the rook's new one.
    fn king_rests(&mut self, king: Man, rest: usize, to: usize, start: u64) -> u64 {
        self.lift(start, king);
        let down = start + self.travel();
        self.put(down, king, rest);
        let again = down + self.chance.span(Span(0.2, 1.5));
        self.lift(again, king);
        let end = again + self.travel();
        self.put(end, king, to);
        end
    }

    fn promote(
        &mut self,
        color: Color,
        from: Square,
        to: Square,
        role: Role,
        start: u64,
    ) -> (u64, Option<(Square, Role)>) {
        self.note(if role == Role::Queen { "promoted" } else { "under_promoted" });
        let style = self.chance.weighted(&self.profile.hands.promote.clone());
        if style == 0 {
            let down = if self.man(to).is_some() {
                self.take(from, to, start)
            } else {
                self.quiet(from, to, start)
            };
            if self.chance.of(self.profile.hands.promote_after_press) {
                self.note("promoted_after_press");
                return (down, Some((to, role)));
            }
            self.note("promote_pushed");
            let begin = down + self.between() + 200 * MS;
            return (self.exchange(color, to, role, begin), None);
        }
        let Some(pawn) = self.man(from) else { return (start, None) };
        let (from, field) = (self.field(from), self.field(to));
        let mut time = start;
        if let Some(dead) = self.at[field].take() {
            time = self.discard(time, dead, field) + self.between();
        }
        let queen = self.fetch(role.of(color));
        if style == 1 {
            self.note("promote_pawn_off_first");
            self.lift(time, pawn);
            time += self.between() + self.travel();
            self.put(time, queen, field);
        } else {
            self.note("promote_queen_first");
            time += self.travel();
            self.put(time, queen, field);
            time += self.between();
            self.lift(time, pawn);
        }
        self.at[from] = None;
        self.at[field] = Some(queen);
        (time, None)
    }

    /// Exchanges the pawn on the last rank; when the new man is released.
    pub(super) fn exchange(&mut self, color: Color, to: Square, role: Role, begin: u64) -> u64 {
        let field = self.field(to);
        let Some(pawn) = self.at[field].take() else { return begin };
        self.lift(begin, pawn);
        let mut down = begin + self.between() + self.travel();
        if role != Role::Queen && self.chance.of(self.profile.hands.promote_twice) {
            self.note("promote_twice");
            let queen = self.fetch(Role::Queen.of(color));
            self.put(down, queen, field);
            down += self.chance.span(Span(0.5, 2.0));
            self.lift(down, queen);
            down += self.between() + self.travel();
        }
        let man = self.fetch(role.of(color));
        self.put(down, man, field);
        self.at[field] = Some(man);
        down
    }

    /// Exchanges a pawn that was left on the last rank, after the press.
    pub fn exchange_late(&mut self, color: Color, due: (Square, Role), begin: u64) -> u64 {
        self.draft.clear();
        let end = self.exchange(color, due.0, due.1, begin);
        self.commit();
        end
    }
}
