//! Between games: the result shown by kings, and the men put back by two people.

use shakmaty::{Board, Color, Piece, Role, Square};

use super::{
    super::{
        MS, SECOND,
        chance::Span,
        table::{Act, Man},
    },
    Hands,
};

impl Hands {
    /// Shows a result (`1-0`, `0-1` or `1/2-1/2`) with the kings; when the second one is down.
    pub fn show_result(&mut self, result: &str, start: u64) -> u64 {
        let squares = match result {
            "1-0" => [Square::E4, Square::D5],
            "0-1" => [Square::D4, Square::E5],
            _ => self.chance.pick(&[
                [Square::D4, Square::D5],
                [Square::E4, Square::E5],
                [Square::D4, Square::E4],
                [Square::D5, Square::E5],
            ]),
        };
        let kings: Vec<Man> =
            [Color::White, Color::Black].into_iter().filter_map(|c| self.king(c)).collect();
        let mut fields = [self.field(squares[0]), self.field(squares[1])];
        if self.chance.of(0.3) {
            fields.swap(0, 1);
        }
        self.draft.clear();
        let mut time = start;
        for field in fields {
            let Some(man) = self.at[field].filter(|m| !kings.contains(m)) else { continue };
            self.note("gesture_made_room");
            self.lift(time, man);
            self.at[field] = None;
            time += self.chance.span(Span(0.3, 0.8));
        }
        if kings.len() < 2 {
            return time;
        }
        for king in &kings {
            if let Some(from) = self.where_is(*king) {
                self.at[from] = None;
            }
        }
        let time = self.put_kings(&kings, fields, time);
        for (king, field) in kings.iter().zip(fields) {
            self.at[field] = Some(*king);
        }
        self.commit();
        time
    }

    /// Both kings at once, or one after the other with a pause; when the second one is down.
    fn put_kings(&mut self, kings: &[Man], fields: [usize; 2], start: u64) -> u64 {
        let mut time = start;
        let apart = self.chance.of(self.profile.ends.one_by_one);
        let mut order = [0, 1];
        self.chance.shuffle(&mut order);
        if apart {
            self.note("gesture_one_by_one");
            for i in order {
                self.lift(time, kings[i]);
                time += self.chance.span(Span(0.3, 1.0));
                self.put(time, kings[i], fields[i]);
                time += self.chance.span(Span(0.5, 5.0));
            }
            time -= 400 * MS;
        } else {
            self.note("gesture_at_once");
            for i in order {
                self.lift(time, kings[i]);
                time += self.chance.span(Span(0.0, 0.5));
            }
            time += self.chance.span(Span(0.3, 0.8));
            for i in order {
                self.put(time, kings[i], fields[i]);
                time += self.chance.span(Span(0.05, 0.6));
            }
        }
        time
    }

    /// One king is put on a centre square that is free, the other taken off the board.
    pub fn show_one_king(&mut self, loser: Color, start: u64) -> u64 {
        let square = self.chance.pick(&[Square::D4, Square::E4, Square::D5, Square::E5]);
        let field = self.field(square);
        let kings = [self.king(loser), self.king(!loser)];
        let [Some(stays), Some(goes)] = kings else { return start };
        if self.at[field].is_some() {
            return start;
        }
        self.tell(start, "one_king_shown");
        self.draft.clear();
        let mut time = start;
        for (king, to) in [(stays, Some(field)), (goes, None)] {
            let from = self.where_is(king).unwrap_or(field);
            self.lift(time, king);
            self.at[from] = None;
            time += self.chance.span(Span(0.3, 1.0));
            if let Some(to) = to {
                self.put(time, king, to);
                self.at[to] = Some(king);
                time += self.chance.span(Span(0.3, 1.5));
            }
        }
        self.commit();
        time
    }

    /// A king is laid on its side: its square reads empty.
    pub fn lay_king(&mut self, loser: Color, start: u64) -> u64 {
        if let Some(king) = self.king(loser) {
            self.tell(start, "king_laid_down");
            self.acts.push((start, Act::Topple(king)));
            // It must be picked up before it can stand anywhere.
            if let Some(field) = self.where_is(king) {
                self.at[field] = None;
            }
        }
        start
    }

    fn king(&self, color: Color) -> Option<Man> {
        (0..64).find_map(|f| self.at[f].filter(|m| self.set[*m] == Role::King.of(color)))
    }

    /// All men are swept off the board with both arms.
    fn sweep(&mut self, start: u64) -> u64 {
        self.tell(start, "swept");
        let mut fields = self.fields_of(None);
        self.chance.shuffle(&mut fields);
        let mut time = start;
        for field in fields {
            if let Some(man) = self.at[field].take() {
                self.lift(time, man);
                time += self.chance.flat(Span(0.0, 0.15));
            }
        }
        time + self.chance.span(Span(0.5, 2.0))
    }

    /// Sets up a position, two people each in random order; when the last man stands.
    pub fn set_up(&mut self, board: &Board, start: u64) -> u64 {
        let mut target: [Option<Piece>; 64] = [None; 64];
        for square in Square::ALL {
            target[self.field(square)] = board.piece_at(square);
        }
        self.draft.clear();
        self.freed.clear();
        let swept = self.chance.of(self.profile.ends.swept);
        let start = if swept { self.sweep(start) } else { start };
        let mut time = [start, start + self.chance.span(Span(0.0, 3.0))];
        let alone = self.chance.of(0.15);
        self.swap_error(&target, &mut time);
        let mut todo: Vec<usize> = (0..64).filter(|f| !self.right(*f, &target)).collect();
        self.chance.shuffle(&mut todo);
        while !todo.is_empty() {
            let person = usize::from(!alone && time[1] < time[0]);
            let own = if person == 0 { Color::White } else { Color::Black };
            // Each puts back his own colour, then helps with what is left.
            let mine =
                todo.iter().position(|f| target[*f].is_some_and(|p| alone || p.color == own));
            let field = todo.remove(mine.unwrap_or(0));
            time[person] = self.put_right(field, &target, time[person]);
            todo.retain(|f| !self.right(*f, &target));
        }
        let end = self.draft.iter().map(|(time, _)| *time).max().unwrap_or(start);
        self.commit();
        self.free = [end; 2];
        end
    }

    fn right(&self, field: usize, target: &[Option<Piece>; 64]) -> bool {
        self.at[field].map(|m| self.set[m]) == target[field]
    }

    fn put_right(&mut self, field: usize, target: &[Option<Piece>; 64], start: u64) -> u64 {
        let pace = self.chance.span(self.profile.ends.pace);
        let mut time = start;
        if let Some(stranger) = self.at[field].take() {
            time = time.max(self.freed.get(&stranger).copied().unwrap_or(0));
            self.lift(time, stranger);
            self.freed.insert(stranger, time);
            time += pace / 2;
        }
        let Some(piece) = target[field] else { return time + pace / 4 };
        // A man of this kind that stands wrong on the board is nearer than one in the box.
        let stray = (0..64).find(|f| {
            self.at[*f].is_some_and(|m| self.set[m] == piece) && target[*f] != Some(piece)
        });
        let man = stray.and_then(|other| self.at[other].take());
        let lifted = man.is_some();
        let man = man.unwrap_or_else(|| self.fetch(piece));
        // The other person may still have it in his hand, or be about to put it down.
        time = time.max(self.freed.get(&man).copied().unwrap_or(0));
        if lifted {
            self.lift(time, man);
        }
        time += pace / 2 + 1;
        self.freed.insert(man, time);
        self.put(time, man, field);
        self.at[field] = Some(man);
        time + pace / 2
    }

    /// Now and then king and queen, or knight and bishop, come to stand on each other's square
    /// first; the main loop of setting up then puts them right.
    fn swap_error(&mut self, target: &[Option<Piece>; 64], time: &mut [u64; 2]) {
        if !self.chance.of(self.profile.ends.set_up_error) {
            return;
        }
        let color = if self.chance.of(0.5) { Color::White } else { Color::Black };
        let pair = self.chance.pick(&[(Role::King, Role::Queen), (Role::Knight, Role::Bishop)]);
        let find = |role: Role| (0..64).find(|f| target[*f] == Some(role.of(color)));
        let (Some(a), Some(b)) = (find(pair.0), find(pair.1)) else { return };
        self.note("set_up_error");
        let mut wrong = *target;
        wrong.swap(a, b);
        let mut now = time[0];
        for field in [a, b] {
            if !self.right(field, &wrong) {
                now = self.put_right(field, &wrong, now);
            }
        }
        time[0] = now + SECOND / 2;
    }
}
