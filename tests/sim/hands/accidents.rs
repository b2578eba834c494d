//! Everything hands do that is not the move itself.

use shakmaty::{Chess, Color, Move, Position, Role, Square};

use super::{
    super::{
        MS, SECOND,
        chance::Span,
        clock::ClockAct,
        table::{Act, Man, Place},
    },
    Grid, Hands,
    gestures::Early,
};

impl Hands {
    /// Puts one man straight: lifted and put back, or pushed within its square. When it is done.
    pub fn adjust(&mut self, man: Man, start: u64) -> u64 {
        let Some(field) = self.where_is(man) else { return start };
        self.draft.clear();
        let lasts = self.chance.span(Span(0.2, 1.0));
        if self.chance.of(0.6) {
            self.lift(start, man);
            self.put(start + lasts, man, field);
        } else {
            let place = self.spot(man, field, start + lasts);
            self.draft.push((start, Act::Slide(man, place, lasts)));
        }
        self.commit();
        start + lasts
    }

    /// Puts badly placed men straight whose time has come by `now`.
    pub fn tidy(&mut self, mut now: u64) -> u64 {
        while let Some(index) = self.poor.iter().position(|(_, due)| *due <= now) {
            let (man, _) = self.poor.remove(index);
            now = self.adjust(man, now) + 200 * MS;
        }
        now
    }

    /// A player puts one or several of his own men straight (now and then any men).
    pub fn adjust_some(&mut self, color: Color, start: u64) -> u64 {
        let whose = if self.chance.of(0.85) { Some(color) } else { None };
        let mut fields = self.fields_of(whose);
        self.chance.shuffle(&mut fields);
        let more = self.chance.of(self.profile.hands.adjust_more);
        let count = if more { 2 + self.chance.below(3) } else { 1 };
        self.tell(start, if more { "adjusted_several" } else { "adjusted" });
        let mut time = start;
        for field in fields.into_iter().take(count) {
            if let Some(man) = self.at[field] {
                time = self.adjust(man, time) + self.chance.span(Span(0.1, 0.6));
            }
        }
        time
    }

    /// Lifts an own man and puts it back.
    pub fn touch(&mut self, color: Color, start: u64) -> u64 {
        let fields = self.fields_of(Some(color));
        let field = self.chance.pick(&fields);
        let Some(man) = self.at[field] else { return start };
        self.tell(start, "touched");
        let back = start + self.chance.span(Span(0.3, 3.0));
        self.draft.clear();
        self.lift(start, man);
        self.put(back, man, field);
        self.commit();
        back
    }

    /// Tries a capture, castling or any other move, lets go and takes it back.
    fn try_other(&mut self, position: &Chess, m: Move, start: u64) -> u64 {
        let list: Vec<Move> =
            position.legal_moves().into_iter().filter(|o| *o != m && !o.is_promotion()).collect();
        if list.is_empty() {
            return start;
        }
        let tried = self.chance.pick(&list);
        self.tell(start, "tried_and_undone");
        let before = self.at;
        let none = Early { busy: 0, done: 0, whole: true };
        let made = self.make(position, tried, start, none);
        let back = made.released + self.chance.span(Span(0.3, 3.0));
        self.restore(&before, back)
    }

    /// Tries another move and takes it back.
    pub fn hesitate(&mut self, position: &Chess, m: Move, start: u64) -> u64 {
        if self.chance.of(0.25) {
            return self.try_other(position, m, start);
        }
        let quiet: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|o| matches!(o, Move::Normal { capture: None, promotion: None, .. }) && *o != m)
            .collect();
        let same: Vec<Move> = quiet.iter().copied().filter(|o| o.from() == m.from()).collect();
        let list = if !same.is_empty() && self.chance.of(0.6) { &same } else { &quiet };
        if list.is_empty() {
            return start;
        }
        let tried = self.chance.pick(list);
        let (Some(from), to) = (tried.from(), tried.to()) else { return start };
        let Some(man) = self.man(from) else { return start };
        self.tell(start, "hesitated");
        let (from, to) = (self.field(from), self.field(to));
        self.draft.clear();
        let down = self.carry(man, from, to, start);
        let back = down + self.chance.span(Span(0.3, 3.0));
        self.at[from] = None;
        self.at[to] = Some(man);
        let end = self.carry(man, to, from, back);
        self.at[to] = None;
        self.at[from] = Some(man);
        self.commit();
        end
    }

    /// Makes an illegal move, perhaps presses, and puts it right; the position is as before.
    pub fn err(&mut self, position: &Chess, start: u64) -> u64 {
        let us = position.turn();
        let Some((from, to)) = self.illegal(position) else { return start };
        let Some(man) = self.man(from) else { return start };
        self.tell(start, "illegal");
        let (from, to) = (self.field(from), self.field(to));
        let dead = self.at[to];
        self.draft.clear();
        let mut time = start;
        if let Some(dead) = dead {
            self.lift(time, dead);
            time += self.between();
        }
        self.lift(time, man);
        time += self.travel();
        self.put(time, man, to);
        let pressed = self.profile.clock.attached && self.chance.of(0.4);
        if pressed {
            self.tell(start, "illegal_pressed");
            time += self.chance.span(self.profile.clock.delay);
            self.press(time, us, None);
        }
        time += self.chance.span(Span(0.8, 5.0));
        if pressed {
            // The opponent protests: the clock is stopped, the arbiter may come.
            self.clock.push((time, ClockAct::Pause, None));
            time += self.chance.span(Span(2.0, 15.0));
            if self.chance.of(0.5) {
                let side = self.side(!us);
                self.clock.push((time, ClockAct::Bonus(side, 120), None));
            }
        }
        self.lift(time, man);
        time += self.travel();
        self.put(time, man, from);
        if let Some(dead) = dead {
            time += self.between();
            self.put(time, dead, to);
        }
        self.commit();
        if pressed {
            let side = time + self.chance.span(Span(0.5, 3.0));
            self.press(side, !us, None);
            self.clock.push((side + 300 * MS, ClockAct::Run, None));
            time = side + 400 * MS;
        }
        time + self.chance.span(Span(0.2, 1.5))
    }

    /// A move of an own man that is not legal and whose placement no legal move reaches.
    fn illegal(&mut self, position: &Chess) -> Option<(Square, Square)> {
        let us = position.turn();
        let legal = position.legal_moves();
        for _ in 0..40 {
            let fields: Vec<Square> = position.board().by_color(us).into_iter().collect();
            let from = self.chance.pick(&fields);
            let to = Square::new(self.chance.below(64) as u32);
            let piece = position.board().piece_at(from)?;
            let target = position.board().piece_at(to);
            let bad = from == to
                || target.is_some_and(|t| t.color == us || t.role == Role::King)
                || (from.file() as i32 - to.file() as i32).abs() > 3
                || (from.rank() as i32 - to.rank() as i32).abs() > 3;
            let mut placed = position.board().clone();
            placed.discard_piece_at(from);
            placed.set_piece_at(to, piece);
            let reached = legal.iter().any(|m| {
                let mut after = position.clone();
                after.play_unchecked(*m);
                *after.board() == placed
            });
            if !bad && !reached {
                return Some((from, to));
            }
        }
        None
    }

    /// The player to move presses without having moved; the opponent presses back.
    pub fn press_by_mistake(&mut self, color: Color, start: u64) -> u64 {
        self.tell(start, "press_by_mistake");
        self.press(start, color, None);
        let back = start + self.chance.span(Span(0.6, 3.0));
        self.press(back, !color, None);
        back + self.chance.span(Span(0.1, 0.5))
    }

    /// The clock stands for some time.
    pub fn pause(&mut self, start: u64) -> u64 {
        self.tell(start, "clock_stopped");
        self.clock.push((start, ClockAct::Pause, None));
        let again = start + self.chance.span(Span(2.0, 20.0));
        self.clock.push((again, ClockAct::Run, None));
        again + self.chance.span(Span(0.2, 1.0))
    }

    /// One to three men fall or are pushed off their squares, and are put up again.
    pub fn knock(&mut self, start: u64) -> u64 {
        let fields = self.fields_of(None);
        let centre = self.chance.pick(&fields);
        let near =
            |f: &usize| (f % 8).abs_diff(centre % 8) <= 1 && (f / 8).abs_diff(centre / 8) <= 1;
        let mut victims: Vec<usize> = fields.into_iter().filter(near).collect();
        self.chance.shuffle(&mut victims);
        victims.truncate(1 + self.chance.below(3));
        self.tell(start, "knocked_over");
        self.draft.clear();
        for field in &victims {
            let Some(man) = self.at[*field] else { continue };
            let when = start + self.chance.flat(Span(0.0, 0.15));
            if self.chance.of(0.6) {
                self.draft.push((when, Act::Topple(man)));
            } else {
                let Place(x, y) = Place::centre(*field);
                let away = Place(x + self.chance.real(-0.9, 0.9), y + self.chance.real(-0.9, 0.9));
                self.draft.push((when, Act::Slide(man, away, 80 * MS)));
            }
        }
        let mut time = start + self.chance.span(Span(0.6, 2.5));
        for field in victims {
            let Some(man) = self.at[field] else { continue };
            self.lift(time, man);
            time += self.chance.span(Span(0.3, 1.0));
            self.put(time, man, field);
            time += self.chance.span(Span(0.1, 0.5));
        }
        self.commit();
        time
    }

    /// Puts every man back to where it stood in an earlier grid; when that is done.
    pub fn restore(&mut self, earlier: &Grid, start: u64) -> u64 {
        let mut time = start;
        self.draft.clear();
        let mut wrong: Vec<usize> = (0..64).filter(|f| self.at[*f] != earlier[*f]).collect();
        self.chance.shuffle(&mut wrong);
        for field in &wrong {
            if let Some(man) = self.at[*field].take() {
                // With both hands: the next man is lifted while this one is still in the air.
                self.lift(time, man);
                time += self.chance.span(Span(0.1, 0.5));
            }
        }
        for field in wrong {
            if let Some(man) = earlier[field] {
                self.put(time, man, field);
                time += self.chance.span(Span(0.2, 0.7));
                self.at[field] = Some(man);
            }
        }
        self.commit();
        time
    }

    /// The opponent fidgets with one of his men while a move is made.
    pub fn fidget(&mut self, color: Color, start: u64, taboo: u64) -> u64 {
        let mut fields = self.fields_of(Some(color));
        fields.retain(|f| taboo >> f & 1 == 0);
        if fields.is_empty() {
            return start;
        }
        let field = self.chance.pick(&fields);
        let Some(man) = self.at[field] else { return start };
        self.tell(start, "both_hands_at_once");
        self.adjust(man, start).min(start + 2 * SECOND)
    }
}
