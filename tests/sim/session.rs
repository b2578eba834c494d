//! A whole session: several games on one board, from the first man to the last.
//!
//! In: a profile, a seed, the games. Out: what hands and clock do and when, and the truth.

use shakmaty::{Board as Placement, CastlingMode, Chess, Color, Move, Piece, Position};

use super::{
    MS, SECOND,
    chance::Span,
    clock::{ClockAct, Side},
    games::Plan,
    hands::{Grid, Hands, Tag, gestures::Early},
    profile::Profile,
    seconds,
    table::Act,
    truth::{End, Game, Ply, Truth, names},
};

/// Everything that will happen on and beside one board.
pub struct Session {
    /// How people and hardware behave.
    pub profile: Profile,
    /// What decides it all.
    pub seed: u64,
    /// The men.
    pub set: Vec<Piece>,
    /// What is done to them, in order of time.
    pub acts: Vec<(u64, Act)>,
    /// What is done to the clock, in order of time.
    pub clock: Vec<(u64, ClockAct)>,
    /// What it means.
    pub truth: Truth,
    /// When everything is over, a quiet time included.
    pub end: u64,
}

impl Session {
    /// Plans a session.
    pub fn plan(profile: &Profile, seed: u64, games: &[Plan]) -> Session {
        let mut maker = Maker::new(profile, seed);
        for (index, plan) in games.iter().enumerate() {
            maker.play(index, plan);
        }
        maker.finish()
    }
}

struct Maker {
    hands: Hands,
    truth: Truth,
    seed: u64,
    /// When the last ply was completed or, between games, when all is quiet.
    now: u64,
    /// Fields the last ply is still working on.
    busy: u64,
    last_press: u64,
    /// First touch of the last ply.
    touched: u64,
    /// The last ply was begun before the one before it was done.
    overlapped: bool,
    mode: CastlingMode,
    /// Grids after each ply of the present game.
    grids: Vec<Grid>,
}

impl Maker {
    fn new(profile: &Profile, seed: u64) -> Maker {
        let hands = Hands::new(profile, seed);
        let truth =
            Truth { clock: profile.clock.attached, reversed: hands.reversed, ..Truth::default() };
        Maker {
            hands,
            truth,
            seed,
            now: 0,
            busy: 0,
            last_press: 0,
            touched: 0,
            overlapped: false,
            mode: CastlingMode::Standard,
            grids: Vec::new(),
        }
    }

    fn play(&mut self, index: usize, plan: &Plan) {
        self.mode = plan.mode;
        self.begin(index, plan.start.board());
        let mut game = Game {
            fen: plan.fen(),
            mode: plan.mode,
            rotated: self.hands.rotated,
            set_up: self.now,
            plies: Vec::new(),
            end: End::Unmarked,
            ended: 0,
            disturbed: u64::MAX,
            after: Vec::new(),
            takebacks: Vec::new(),
            kinds: std::collections::BTreeMap::new(),
            story: Vec::new(),
        };
        self.start_clock(plan.start.turn());
        self.grids = vec![self.hands.at];
        let mut position = plan.start.clone();
        let gaps = self.choose_gaps(plan.moves.len());
        let calm = self.hands.profile.clone();
        let scramble = self.choose_late(calm.hands.scramble, plan.moves.len(), Span(20.0, 60.0));
        let flag = if calm.clock.attached { calm.clock.flag_unseen } else { 0.0 };
        let flag = self.choose_late(flag, plan.moves.len(), Span(1.0, 9.0));
        for (number, m) in plan.moves.iter().enumerate() {
            if scramble == Some(number) {
                self.scramble();
            }
            if flag == Some(number) {
                self.hands.tell(self.now, "flag_unseen");
                self.hands.clock.push((self.now, ClockAct::Flag, None));
            }
            if gaps.contains(&number) {
                self.cut_cable();
            }
            self.before_ply(&mut game, &position, *m);
            let ply = self.ply(&position, *m, Some((index, number)));
            game.plies.push(ply);
            position.play_unchecked(*m);
            self.grids.push(self.hands.at);
        }
        self.hands.profile = calm;
        self.end_game(&mut game, &position);
        game.kinds.append(&mut self.hands.kinds);
        game.story.append(&mut self.hands.story);
        self.truth.games.push(game);
    }

    /// The first position comes onto the board.
    fn begin(&mut self, index: usize, first: &Placement) {
        if index == 0 && self.hands.chance.of(0.7) {
            // It stood there before the board was attached.
            let profile = self.hands.profile.clone();
            self.hands.profile.ends.pace = Span(0.0, 0.0);
            self.hands.profile.ends.set_up_error = 0.0;
            self.hands.profile.hands.poor = 0.0;
            self.hands.set_up(first, 0);
            self.hands.profile = profile;
            for (time, _) in &mut self.hands.acts {
                *time = 0;
            }
            self.hands.free = [0; 2];
            self.now = seconds(self.hands.chance.real(2.5, 8.0));
        } else {
            let start = if index == 0 { 3 * SECOND } else { self.now };
            // The players change colours and stay in their seats: the men are turned round.
            if index > 0 && self.hands.chance.of(self.hands.profile.ends.turned) {
                self.hands.tell(start, "turned_between_games");
                self.hands.rotated = !self.hands.rotated;
            }
            self.now = self.hands.set_up(first, start);
        }
    }

    fn start_clock(&mut self, turn: Color) {
        let (time, _) = self.hands.profile.clock.control;
        let side = self.hands.side(turn);
        let set = ClockAct::Set { left: time, right: time, first: side };
        // The clock may be set long before the men stand, at the latest now.
        self.hands.clock.push((self.now.saturating_sub(SECOND), set, None));
        let wait = self.hands.chance.span(Span(1.5, 8.0));
        self.hands.clock.push((self.now + wait, ClockAct::Run, None));
        self.now += wait;
        self.last_press = self.now;
        self.hands.free = [self.now; 2];
        self.busy = 0;
    }

    /// When nobody's hand is above the board any more.
    fn quiet(&self) -> u64 {
        self.now.max(self.last_press).max(self.hands.free[0]).max(self.hands.free[1])
    }

    /// Whatever happens before the move itself.
    fn before_ply(&mut self, game: &mut Game, position: &Chess, m: Move) {
        let us = position.turn();
        let odds = self.hands.profile.hands.clone();
        let use_ = self.hands.profile.clock.clone();
        let idle = self.hands.chance.span(Span(0.3, 1.5));
        let mut time = self.quiet() + idle;
        let begin = time;
        let hands = &mut self.hands;
        time = hands.tidy(time);
        if hands.chance.of(odds.knock) {
            time = hands.knock(time);
        }
        if hands.chance.of(odds.adjust) {
            time = hands.adjust_some(us, time);
        }
        if hands.chance.of(odds.touch) {
            time = hands.touch(us, time);
        }
        if use_.attached && hands.chance.of(use_.mistaken) {
            time = hands.press_by_mistake(us, time);
        }
        if use_.attached && hands.chance.of(use_.paused) {
            time = hands.pause(time);
        }
        if hands.chance.of(odds.illegal) {
            time = hands.err(position, time);
        }
        if hands.chance.of(odds.hesitate) {
            time = hands.hesitate(position, m, time);
        }
        if time > begin {
            self.now = time;
            self.last_press = self.last_press.max(time);
            self.busy = 0;
            self.hands.free = [time; 2];
        }
        if self.hands.chance.of(odds.takeback) {
            self.take_back(game, position, m);
        }
    }

    /// Another ply (sometimes with its reply) is played, pressed and taken back.
    fn take_back(&mut self, game: &mut Game, position: &Chess, m: Move) {
        let grid = self.hands.at;
        let mut at = position.clone();
        let depth = if self.hands.chance.of(0.2) { 2 } else { 1 };
        let mut played = 0;
        for _ in 0..depth {
            let list: Vec<Move> = at
                .legal_moves()
                .into_iter()
                .filter(|o| {
                    let mut after = at.clone();
                    after.play_unchecked(*o);
                    (played > 0 || *o != m) && !after.is_game_over()
                })
                .collect();
            if list.is_empty() {
                break;
            }
            let other = self.hands.chance.pick(&list);
            self.ply(&at, other, None);
            at.play_unchecked(other);
            played += 1;
            if at.halfmoves() > 0 {
                // Two men going back may be two legal plies: nobody beside the board could know.
                break;
            }
        }
        if played == 0 {
            return;
        }
        self.hands.note("taken_back_after_press");
        let idle = self.hands.chance.span(Span(0.8, 4.0));
        let start = self.quiet() + idle;
        let end = self.hands.restore(&grid, start);
        let press = end + self.hands.chance.span(Span(0.2, 1.5));
        if played == 1 {
            self.hands.press(press, !position.turn(), None);
        }
        game.takebacks.push((game.plies.len(), end));
        self.now = press;
        self.last_press = press;
        self.busy = 0;
        self.hands.free = [press; 2];
    }

    /// One ply with its press.
    fn ply(&mut self, position: &Chess, m: Move, tag: Tag) -> Ply {
        let us = position.turn();
        let odds = self.hands.profile.hands.clone();
        let own = self.hands.free[us as usize];
        let overlap = self.hands.chance.of(odds.overlap) && !self.overlapped;
        let mut early = Early { busy: self.busy, done: self.now, whole: false };
        self.overlapped = overlap && self.busy != 0;
        let start = if self.overlapped {
            self.hands.note("overlapped");
            early.whole = self.hands.chance.of(odds.overlap_whole);
            if early.whole {
                self.hands.note("overlapped_whole");
            }
            let before = self.hands.chance.flat(Span(0.0, 0.5));
            self.now.saturating_sub(before).max(self.touched + 150 * MS).max(own)
        } else {
            (self.now + self.hands.chance.span(odds.think)).max(own)
        };
        let made = self.hands.make(position, m, start, early);
        self.touched = made.touched;
        if self.hands.chance.of(odds.both) {
            let when = made.touched + self.hands.chance.flat(Span(0.0, 0.6));
            let when = when.max(self.hands.free[!us as usize]);
            let end = self.hands.fidget(!us, when, made.fields | self.busy);
            self.hands.free[!us as usize] = end;
        }
        let (uci, san) = names(position, m, self.mode);
        let mut released = made.released;
        let pressed = self.press_for(us, made.touched, released, tag);
        if let Some(due) = made.swap_due {
            let begin = pressed.unwrap_or(released) + self.hands.chance.span(Span(0.2, 1.0));
            released = self.hands.exchange_late(us, due, begin);
        }
        self.busy = made.fields;
        self.hands.free[us as usize] = released.max(pressed.unwrap_or(0)) + 120 * MS;
        self.now = self.now.max(released);
        Ply { uci, san, touched: made.touched, released, press: None, in_gap: false }
    }

    /// When the mover presses, if at all.
    fn press_for(&mut self, us: Color, touched: u64, released: u64, tag: Tag) -> Option<u64> {
        let use_ = self.hands.profile.clock.clone();
        if !use_.attached {
            return None;
        }
        let mut delay = self.hands.chance.span(use_.delay);
        if self.hands.chance.of(use_.forgotten) {
            self.hands.note("press_forgotten");
            if self.hands.chance.of(0.5) {
                return None;
            }
            delay += self.hands.chance.span(Span(1.0, 6.0));
        }
        let mut time = released + delay;
        if self.hands.chance.of(use_.early) {
            let early = self.hands.chance.flat(Span(0.02, 0.35));
            time = released.saturating_sub(early).max(touched + 20 * MS);
            self.hands.note("press_early");
        }
        // Nobody can press before the opponent has pressed.
        if time <= self.last_press {
            time = self.last_press + self.hands.chance.span(Span(0.05, 0.4));
        }
        self.last_press = time;
        self.hands.press(time, us, tag);
        Some(time)
    }

    /// A ply near the end, with probability `odds`; `before` says how many plies before it.
    fn choose_late(&mut self, odds: f64, plies: usize, before: Span) -> Option<usize> {
        let left = self.hands.chance.real(before.0, before.1) as usize;
        (self.hands.chance.of(odds) && plies > left + 4).then(|| plies - left)
    }

    /// From now on time is short: half a second to a second a ply.
    fn scramble(&mut self) {
        self.hands.tell(self.now, "scramble");
        let profile = &mut self.hands.profile;
        profile.hands.think = Span(0.15, 0.9);
        profile.hands.travel = Span(0.2, 0.45);
        profile.hands.between = Span(0.05, 0.25);
        profile.hands.overlap = (profile.hands.overlap * 2.0).min(0.25);
        profile.hands.placing = (profile.hands.placing * 1.3).min(0.28);
        profile.clock.delay = Span(0.03, 0.25);
    }

    fn choose_gaps(&mut self, plies: usize) -> Vec<usize> {
        let mut list = Vec::new();
        let mut rest = self.hands.profile.cable.losses;
        while rest > 0.0 && plies > 2 {
            // On average as many as the profile says: none, one or two for one loss a game.
            let count = if rest >= 1.0 { self.hands.chance.below(3) } else { 1 };
            if rest >= 1.0 || self.hands.chance.of(rest) {
                for _ in 0..count {
                    list.push(1 + self.hands.chance.below(plies - 1));
                }
            }
            rest -= 1.0;
        }
        list
    }

    fn cut_cable(&mut self) {
        let out = self.now + self.hands.chance.flat(Span(0.0, 1.5));
        let back = out + self.hands.chance.span(self.hands.profile.cable.out);
        if self.truth.gaps.last().is_none_or(|(_, last)| last + 8 * SECOND < out) {
            self.hands.note("cable_lost");
            self.truth.gaps.push((out, back));
        }
    }

    /// The end of the game, what is shown and what follows until the men are put back.
    fn end_game(&mut self, game: &mut Game, last: &Chess) {
        let ends = self.hands.profile.ends.clone();
        let mut time = self.quiet();
        game.ended = self.now;
        let over = last.is_checkmate() || last.is_stalemate();
        let has_clock = self.hands.profile.clock.attached;
        if over {
            game.end = End::Position;
        } else if has_clock && self.hands.chance.of(self.hands.profile.clock.flag) {
            time += self.hands.chance.span(Span(2.0, 6.0));
            self.hands.clock.push((time, ClockAct::Flag, None));
            self.hands.note("flag_fell");
            game.end = End::Flag;
            game.ended = time;
        }
        time += self.hands.chance.span(Span(1.0, 5.0));
        if has_clock && game.end != End::Flag && (over || self.hands.chance.of(0.9)) {
            self.hands.clock.push((time, ClockAct::Pause, None));
        }
        self.keep_gap_before(game.ended + SECOND);
        if self.hands.chance.of(ends.gesture) {
            let result = self.result(last);
            let start = time + self.hands.chance.span(Span(0.5, 4.0));
            time = self.hands.show_result(result, start);
            if over {
                self.hands.note("gesture_after_mate");
            } else {
                game.end = End::Gesture(result);
                game.ended = time;
            }
        }
        if game.end != End::Position && !matches!(game.end, End::Gesture(_)) {
            time = self.give_up(last.turn(), time);
        }
        time += self.hands.chance.span(ends.rest);
        game.disturbed = time;
        if matches!(game.end, End::Position | End::Gesture(_)) && self.hands.chance.of(ends.after) {
            time = self.analyse(game, time);
        }
        self.now = time;
    }

    /// What else the loser, or somebody, does with the kings when the result is not shown.
    fn give_up(&mut self, loser: Color, time: u64) -> u64 {
        let ends = self.hands.profile.ends.clone();
        if self.hands.chance.of(ends.one_king) {
            self.hands.show_one_king(loser, time + SECOND / 2)
        } else if self.hands.chance.of(ends.king_laid) {
            self.hands.lay_king(loser, time + SECOND / 2)
        } else {
            time
        }
    }

    fn result(&mut self, last: &Chess) -> &'static str {
        match last.outcome() {
            shakmaty::Outcome::Known(known) => match known.winner() {
                Some(Color::White) => "1-0",
                Some(Color::Black) => "0-1",
                None => "1/2-1/2",
            },
            shakmaty::Outcome::Unknown => self.hands.chance.pick(&["1-0", "0-1", "1/2-1/2"]),
        }
    }

    /// A cable gap that would swallow the end is cut short.
    fn keep_gap_before(&mut self, end: u64) {
        if let Some((out, back)) = self.truth.gaps.last_mut()
            && *back > end
        {
            *back = end.max(*out + 200 * MS);
        }
    }

    /// Moves after the end: some plies are taken back and others tried, without the clock.
    fn analyse(&mut self, game: &mut Game, start: u64) -> u64 {
        self.hands.note("moves_after_end");
        let plies = game.plies.len();
        let back = self.hands.chance.below(4).min(plies).max(1.min(plies));
        let target = plies - back;
        let mut time = start;
        for ply in (target..plies).rev() {
            let grid = self.grids[ply];
            time = self.hands.restore(&grid, time) + self.hands.chance.span(Span(0.2, 1.5));
        }
        let mut position = game.positions()[target].clone();
        let attached = std::mem::replace(&mut self.hands.profile.clock.attached, false);
        self.now = time;
        self.busy = 0;
        self.hands.free = [time; 2];
        for _ in 0..=self.hands.chance.below(6) {
            let list: Vec<Move> = position.legal_moves().into_iter().collect();
            if list.is_empty() {
                break;
            }
            let m = self.hands.chance.pick(&list);
            let ply = self.ply(&position, m, None);
            game.after.push(ply.uci);
            position.play_unchecked(m);
        }
        self.hands.profile.clock.attached = attached;
        self.quiet() + self.hands.chance.span(Span(2.0, 6.0))
    }

    fn finish(mut self) -> Session {
        let mut acts = std::mem::take(&mut self.hands.acts);
        acts.sort_by_key(|(time, _)| *time);
        let mut clock = std::mem::take(&mut self.hands.clock);
        clock.sort_by_key(|(time, _, _)| *time);
        self.effective_presses(&clock);
        let gaps = self.truth.gaps.clone();
        for ply in self.truth.games.iter_mut().flat_map(|g| &mut g.plies) {
            // A scan before belongs to what the gap hides, and so does the time until the board has
            // been greeted anew and its first dump is there: up to three seconds on a bad line.
            ply.in_gap = gaps.iter().any(|(out, back)| {
                ply.touched < *back + 3 * SECOND && ply.released + SECOND / 2 > *out
            });
        }
        let end = self.now + 12 * SECOND;
        Session {
            profile: self.hands.profile,
            seed: self.seed,
            set: self.hands.set,
            acts,
            clock: clock.into_iter().map(|(time, act, _)| (time, act)).collect(),
            truth: self.truth,
            end,
        }
    }

    /// Which presses moved the lever: only those of the player whose side was up.
    fn effective_presses(&mut self, clock: &[(u64, ClockAct, Tag)]) {
        let mut high = Side::Left;
        for (time, act, tag) in clock {
            match act {
                ClockAct::Set { first, .. } => high = *first,
                ClockAct::Press(side) if *side == high => {
                    high = if high == Side::Left { Side::Right } else { Side::Left };
                    if let Some((game, ply)) = tag {
                        self.truth.games[*game].plies[*ply].press = Some(*time);
                    }
                }
                _ => {}
            }
        }
    }
}
