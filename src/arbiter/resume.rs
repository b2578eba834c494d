//! A board's game rebuilt from what its journal says.
//!
//! In: facts, in the order in which they were written. Out: the arbiter as it was when the last of
//! them was written, and what it still has to tell. Pure: the same facts give the same arbiter.
//!
//! Each fact goes through the very calls that a live one goes through, so positions, repetitions,
//! counters and claims are computed anew and not believed. Three things are believed because they were
//! told: that a move was confirmed, that the game ended, that it was closed. Every move's line holds
//! the position after it, and the rebuilt game must agree with it.
//!
//! What the last line does not show may have happened since: the game counts as out of sight until the
//! board shows its squares, and its counters as lower bounds until the next pawn move or capture.

mod bridge;
mod memo;

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Map, Value};
use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen, uci::UciMove};

pub use self::memo::{ClockSideName, Memo};
use super::{
    Arbiter, Event, EventKind, LiveGame, Options, Output, Question,
    event::{EndedHow, LinkState, OrientationName, StartSource},
    live::{Beginning, Made},
    requests::position_of,
};
use crate::{
    laws::Conditions,
    tracker::{Times, irregular},
    units::{BoardId, Millis, Ply, Stamp},
    wire::Orientation,
};

/// A board whose game goes on and that has not come back by then is told to be lost.
pub(super) const PATIENCE: Duration = Duration::from_secs(15);

/// Most facts of one game that are believed; the longest possible game has about 11,800 half-moves.
pub const MOST_FACTS: usize = 200_000;

/// Something the journal says, as far as a game is rebuilt from it.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// Something happened.
    Happened {
        /// The game on its board, if one was on.
        game: Option<u32>,
        /// When, on the board's own clock.
        t: Stamp,
        /// What.
        kind: EventKind,
    },
    /// What was true of the game from then on.
    Kept(Memo),
    /// Lines are missing here.
    Lost,
}

impl Fact {
    /// The fact in a line of the journal; `None` when no game depends on it.
    pub fn read(object: &Map<String, Value>) -> Option<Fact> {
        match object.get("event")?.as_str()? {
            "kept" => serde_json::from_value(Value::Object(object.clone())).ok().map(Fact::Kept),
            "game_started"
            | "move"
            | "takeback"
            | "game_over"
            | "game_over_withdrawn"
            | "gap_closed"
            | "claim_available"
            | "illegal_move"
            | "illegal_move_decided"
            | "illegal_move_withdrawn"
            | "flag"
            | "result_signalled"
            | "game_ended"
            | "game_reopened"
            | "link" => {
                let kind = serde_json::from_value(Value::Object(object.clone())).ok()?;
                let seconds = object.get("t").and_then(Value::as_f64).unwrap_or_default();
                let since = Duration::try_from_secs_f64(seconds).unwrap_or_default();
                let game = object.get("game").and_then(Value::as_u64);
                Some(Fact::Happened {
                    game: game.and_then(|number| u32::try_from(number).ok()),
                    t: Stamp::ZERO + since,
                    kind,
                })
            }
            _ => None,
        }
    }

    /// Whether everything before it belongs to earlier games.
    pub fn begins_a_game(&self, known: u32) -> bool {
        matches!(self, Fact::Happened { game: Some(number), kind: EventKind::GameStarted { source, .. }, .. }
            if *source != StartSource::Resumed || *number > known)
    }
}

/// What became of a board's journal.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// The arbiter.
    pub arbiter: Arbiter,
    /// What is still to be told and asked, in this order.
    pub outputs: Vec<Output>,
    /// The game that the facts end with, as its events would tell it: what a scorebook needs. Without
    /// what is among the outputs.
    pub record: Vec<EventKind>,
    /// What could not be taken up, in words.
    pub troubles: Vec<String>,
}

/// Rebuilds a board's last game at `now`, which must not be before any fact. `games` have been played
/// on the board so far, for a journal that does not tell.
pub fn resume(board: BoardId, options: Options, games: u32, facts: &[Fact], now: Stamp) -> Resumed {
    resume_after(board, options, games, &[], facts, now)
}

/// The same, knowing of the game before it, which can be given back: the facts of that, oldest first.
pub fn resume_after(
    board: BoardId,
    options: Options,
    games: u32,
    before: &[Fact],
    facts: &[Fact],
    now: Stamp,
) -> Resumed {
    let mut arbiter = Arbiter::new(board, options);
    arbiter.games = games;
    let mut rebuild = Rebuild {
        arbiter,
        memo: None,
        earlier_tags: BTreeMap::new(),
        record: Vec::new(),
        due: Vec::new(),
        question: None,
        offset: Some(0),
        retelling: false,
        out: Vec::new(),
        troubles: Vec::new(),
        now,
    };
    for fact in before {
        rebuild.fact(fact);
    }
    rebuild.is_earlier();
    for fact in facts {
        rebuild.fact(fact);
    }
    rebuild.finish()
}

/// A move as its line tells it.
struct Told<'a> {
    ply: Ply,
    uci: &'a str,
    fen: &'a str,
    made: Stamp,
    times: Option<Times>,
}

struct Rebuild {
    arbiter: Arbiter,
    memo: Option<Memo>,
    /// Who was to play the next game, before that began.
    earlier_tags: BTreeMap<String, String>,
    record: Vec<EventKind>,
    /// What the facts made true and no line says it was told.
    due: Vec<EventKind>,
    question: Option<(Ply, Chess)>,
    /// How many half-moves the lines are ahead of the game; `None` when it is not known where the game
    /// stands.
    offset: Option<u32>,
    /// The game is another than that of the lines: its events are news.
    retelling: bool,
    out: Vec<Output>,
    troubles: Vec<String>,
    now: Stamp,
}

impl Rebuild {
    /// What was rebuilt so far is the game before: what it still had to tell is past. One that could
    /// not be rebuilt whole cannot be given back.
    fn is_earlier(&mut self) {
        self.due.clear();
        self.question = None;
        self.out.clear();
        self.retelling = false;
        let troubled = !std::mem::take(&mut self.troubles).is_empty();
        if troubled || self.offset != Some(0) {
            self.arbiter.game = None;
        }
        self.record.clear();
    }

    fn fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Lost => {
                if let Some(game) = &mut self.arbiter.game {
                    game.lost_sight();
                }
            }
            Fact::Kept(memo) => self.kept(memo),
            Fact::Happened { game, t, kind } => self.happened(*game, (*t).min(self.now), kind),
        }
    }

    fn kept(&mut self, memo: &Memo) {
        if let Some(game) = self.arbiter.game.as_mut().filter(|g| g.number() == memo.game) {
            game.replace_tags(memo.tags.clone());
            if let Some(conditions) = memo.conditions()
                && conditions != game.conditions()
            {
                let told = game.set_conditions(conditions, self.now);
                self.due.extend(told);
            }
            sides(&mut self.arbiter, memo, orientation(memo.orientation));
            // It is written before the first line that came of it.
            let told = self.memo.as_ref().and_then(|told| told.unheard);
            if memo.unheard.is_some() && memo.unheard != told {
                self.lost_sight();
            }
        }
        if self.arbiter.game.as_ref().is_none_or(|game| game.number() != memo.game) {
            // What was kept of the next game stands before its beginning.
            self.earlier_tags.clone_from(&self.arbiter.next_tags);
        }
        self.arbiter.next_tags.clone_from(&memo.next_tags);
        self.memo = Some(memo.clone());
    }

    fn happened(&mut self, number: Option<u32>, t: Stamp, kind: &EventKind) {
        match kind {
            EventKind::GameStarted { fen, source, orientation: name } => {
                let number = number.unwrap_or(self.arbiter.games + 1);
                let same = self.arbiter.game.as_ref().is_some_and(|g| g.number() == number);
                if *source == StartSource::Resumed && (same || self.retelling) {
                    self.lost_sight();
                } else {
                    self.started(number, fen, *source, orientation(*name), t);
                    self.record.push(kind.clone());
                }
            }
            EventKind::Move {
                ply, uci, fen, made, by, white_clock, black_clock, exact, ..
            } => {
                let times = white_clock.zip(*black_clock).map(|(white, black)| Times {
                    white: Millis::from_seconds(white),
                    black: Millis::from_seconds(black),
                });
                let told = Told { ply: *ply, uci, fen, made: (*made).min(t), times };
                self.moved(&told, |m, times| Made {
                    m,
                    at: told.made,
                    by: *by,
                    exact: *exact,
                    times,
                });
            }
            EventKind::Takeback { to_ply, reason } => {
                self.take_back(*to_ply, |arbiter, to| {
                    arbiter.tracker.resume_take_back(to, *reason, t);
                });
            }
            EventKind::GameOver { ply, result, reason, also, fen, .. } => {
                self.settle(|due| matches!(due, EventKind::GameOver { .. }));
                self.reach(*ply, fen, t);
                let reasons: Vec<_> =
                    std::iter::once(*reason).chain(also.iter().copied()).collect();
                let at = self.offset.and_then(|offset| ply.0.checked_sub(offset));
                if let (Some(at), Some(game)) = (at, &mut self.arbiter.game)
                    && at <= game.ply().0
                {
                    game.end_was_told(Ply(at), result, &reasons, t);
                    self.note(kind);
                } else {
                    self.trouble(format!(
                        "the game was told to be over at half-move {ply}, which is missing"
                    ));
                }
            }
            EventKind::GameOverWithdrawn { ply } => {
                self.settle(|due| matches!(due, EventKind::GameOverWithdrawn { .. }));
                if self.arbiter.game.as_ref().is_some_and(LiveGame::is_over) {
                    self.take_back(Ply(ply.0.saturating_sub(1)), |arbiter, to| {
                        let reason = super::event::TakebackReason::Board;
                        arbiter.tracker.resume_take_back(to, reason, t);
                    });
                    self.settle(|due| matches!(due, EventKind::GameOverWithdrawn { .. }));
                }
                self.note(kind);
            }
            EventKind::GapClosed { ply, open } => self.gap_closed(*ply, open),
            other => self.remark(other, t),
        }
    }

    /// The board's log told what was played after a ply.
    fn gap_closed(&mut self, ply: Ply, open: &[Ply]) {
        let (Some(offset), Some(game)) = (self.offset, &mut self.arbiter.game) else { return };
        let here = |ply: &Ply| ply.0.checked_sub(offset).map(Ply);
        let Some(from) = here(&ply) else { return };
        let open: Vec<Ply> = open.iter().filter_map(here).collect();
        self.due.retain(|due| !matches!(due, EventKind::ClaimAvailable { .. }));
        let question = game.gap_closed(from, &open, &mut self.due);
        self.question = question.map(|position| (game.ply(), position));
        self.arbiter.tracker.resume_certain(from);
        self.note(&EventKind::GapClosed { ply: from, open });
    }

    /// What changes no position.
    fn remark(&mut self, kind: &EventKind, t: Stamp) {
        let Some(game) = &mut self.arbiter.game else { return };
        match kind {
            EventKind::ClaimAvailable { reason, .. } => {
                let reason = *reason;
                self.settle(
                    |due| matches!(due, EventKind::ClaimAvailable { reason: r, .. } if *r == reason),
                );
            }
            EventKind::IllegalMove { ply, number, .. } => {
                game.illegal_was_told(kind);
                let own = |due: &EventKind| matches!(due, EventKind::IllegalMove { number: n, .. } if n == number);
                self.due.retain(|due| !own(due));
                if let Some(at) = self.offset.and_then(|offset| ply.0.checked_sub(offset)) {
                    self.arbiter.tracker.resume_illegal(Ply(at));
                }
            }
            EventKind::IllegalMoveDecided { .. } | EventKind::IllegalMoveWithdrawn { .. } => {
                game.illegal_was_told(kind);
            }
            EventKind::Flag { side, .. } => game.flag_was_told((*side).into()),
            EventKind::ResultSignalled { result, .. } => {
                if let Ok(outcome) = result.parse() {
                    game.signalled(outcome);
                }
                self.note(kind);
            }
            EventKind::GameEnded { result, how, .. } => {
                if *how == EndedHow::Arbiter {
                    game.enter_result(result, "");
                }
                game.close(*how, t);
                self.arbiter.tracker.close();
                self.due.clear();
                self.question = None;
                self.note(kind);
            }
            EventKind::GameReopened { unseen, .. } => {
                if game.made_way() {
                    game.undo_close();
                } else {
                    game.reopen();
                }
                if *unseen {
                    game.lost_sight();
                }
                let flag = None;
                let told = |kind: &EventKind| {
                    matches!(kind, EventKind::ClaimAvailable { .. } | EventKind::IllegalMove { .. })
                };
                self.due.extend(game.what_stands(flag).into_iter().filter(told));
                self.arbiter.tracker.reopen();
                self.note(kind);
            }
            EventKind::Link { state: LinkState::Lost | LinkState::Silent, .. } => self.lost_sight(),
            _ => {}
        }
    }

    fn lost_sight(&mut self) {
        if let Some(game) = &mut self.arbiter.game {
            game.lost_sight();
        }
    }

    fn started(
        &mut self,
        number: u32,
        fen: &str,
        source: StartSource,
        orientation: Orientation,
        t: Stamp,
    ) {
        self.due.clear();
        self.question = None;
        self.record.clear();
        self.retelling = false;
        self.arbiter.games = self.arbiter.games.max(number);
        self.arbiter.tracker.close();
        let next_tags = std::mem::take(&mut self.earlier_tags);
        self.arbiter.put_aside(next_tags);
        let memo = self.memo.as_ref().filter(|memo| memo.game == number);
        let Ok(position) = position_of(fen, memo.is_some_and(|memo| memo.chess960)) else {
            self.offset = None;
            self.trouble(format!("game {number} begins with a position that is none: {fen:?}"));
            return;
        };
        self.offset = Some(0);
        let given = memo.is_some_and(|memo| memo.given);
        let rights_known =
            source == StartSource::InitialArray || memo.is_some_and(|memo| memo.rights_known);
        let conditions = memo.and_then(Memo::conditions).unwrap_or(self.arbiter.options.conditions);
        let tags = memo.map(|memo| memo.tags.clone()).unwrap_or_default();
        let beginning = Beginning { position, source, given, rights_known };
        self.begin(number, &beginning, conditions, tags, orientation, t);
        self.arbiter.note_stands();
        if let Some(memo) = self.memo.as_ref().filter(|memo| memo.game == number) {
            sides(&mut self.arbiter, memo, orientation);
        }
        let Some(game) = &mut self.arbiter.game else { return };
        let question = game.judge_start(&mut self.due);
        self.question = question.map(|position| (Ply(0), position));
    }

    fn begin(
        &mut self,
        number: u32,
        beginning: &Beginning,
        conditions: Conditions,
        tags: BTreeMap<String, String>,
        orientation: Orientation,
        t: Stamp,
    ) {
        let language = self.arbiter.options.language.clone();
        let tracker = &mut self.arbiter.tracker;
        tracker.resume_game(beginning.position.clone(), beginning.source, orientation, t);
        self.arbiter.game = Some(LiveGame::new(number, beginning, conditions, language, tags));
    }

    fn moved(&mut self, told: &Told<'_>, made: impl Fn(Move, Option<Times>) -> Made) {
        if let Some(ply) = told.ply.0.checked_sub(1) {
            self.go_back_for(Ply(ply), told.made);
            if self.distance(told.ply).is_some_and(|plies| plies > 1) {
                self.reach(told.ply, told.fen, told.made);
                if self.distance(told.ply) == Some(0) {
                    return;
                }
            }
        }
        let m =
            self.position().filter(|_| self.distance(told.ply) == Some(1)).and_then(|position| {
                let m = told.uci.parse::<UciMove>().ok()?.to_move(position).ok()?;
                let mut after = position.clone();
                after.play_unchecked(m);
                (fen(&after) == told.fen).then_some(m)
            });
        match m {
            Some(m) => self.play(&made(m, told.times)),
            None => match self.irregular(told) {
                Some((m, position)) => self.stood(&made(m, told.times), position),
                None => self.break_off(told),
            },
        }
    }

    /// The move of a line that is against Article 3 and was left standing: a line says so by nothing
    /// else, for everyone may read it. It must lead to the very position that the line tells.
    fn irregular(&self, told: &Told<'_>) -> Option<(Move, Chess)> {
        let before = self.position().filter(|_| self.distance(told.ply) == Some(1))?;
        let placement = told.fen.parse::<Fen>().ok()?.into_setup().board;
        let (m, position) = irregular(before, &placement)?;
        let uci = UciMove::from_move(m, before.castles().mode()).to_string();
        (uci == told.uci && fen(&position) == told.fen).then_some((m, position))
    }

    /// How many half-moves the lines are ahead of the game.
    fn distance(&self, line: Ply) -> Option<u32> {
        let game = self.arbiter.game.as_ref().filter(|game| !game.closed())?;
        line.0.checked_sub(self.offset?)?.checked_sub(game.ply().0)
    }

    fn position(&self) -> Option<&Chess> {
        self.arbiter.tracker.position()
    }

    /// A move of a ply that the game has already: the line that took it back is missing.
    fn go_back_for(&mut self, before: Ply, t: Stamp) {
        let to = self.offset.and_then(|offset| before.0.checked_sub(offset));
        if let (Some(to), Some(game)) = (to, &self.arbiter.game)
            && to < game.ply().0
        {
            self.trouble(format!("that half-moves after {before} were taken back is missing"));
            self.take_back(before, |arbiter, to| {
                arbiter.tracker.resume_take_back(to, super::event::TakebackReason::Correction, t);
            });
        }
    }

    /// Finds moves whose lines are missing, up to a ply whose position is known.
    fn reach(&mut self, ply: Ply, fen: &str, t: Stamp) {
        let Some(missing) = self.distance(ply).filter(|plies| *plies > 0) else { return };
        let line = self.position().and_then(|start| bridge::only_line(start, missing, fen));
        let Some(line) = line else { return };
        self.trouble(format!(
            "{missing} half-moves up to {ply} were missing and follow from the position after them"
        ));
        for m in line {
            let by = super::event::ConfirmedBy::Reply;
            self.play(&Made { m, at: t, by, exact: true, times: None });
        }
    }

    fn stood(&mut self, made: &Made, position: Chess) {
        let Some(game) = &mut self.arbiter.game else { return };
        let mut kinds = Vec::new();
        game.stood(game.ply().next(), made, &position, &mut kinds);
        self.question = None;
        self.arbiter.tracker.resume_stood(made.m, position, made.at);
        self.due.retain(|due| !matches!(due, EventKind::ClaimAvailable { .. }));
        let mut kinds = kinds.into_iter();
        if let Some(kind) = kinds.next() {
            self.note(&kind);
        }
        self.due.extend(kinds.filter(|kind| !matches!(kind, EventKind::Attention { .. })));
    }

    fn play(&mut self, made: &Made) {
        let Some(game) = &mut self.arbiter.game else { return };
        let ply = game.ply().next();
        let mut kinds = Vec::new();
        let question = game.moved(ply, made, &mut kinds);
        self.question = question.map(|position| (ply, position));
        self.arbiter.tracker.resume_move(made.m, made.by, made.exact, made.at);
        self.due.retain(|due| !matches!(due, EventKind::ClaimAvailable { .. }));
        let mut kinds = kinds.into_iter();
        if let Some(kind) = kinds.next() {
            self.note(&kind);
        }
        self.due.extend(kinds);
    }

    fn take_back(&mut self, line: Ply, tracker: impl Fn(&mut Arbiter, Ply)) {
        let to = self.offset.and_then(|offset| line.0.checked_sub(offset));
        let (Some(to), Some(game)) = (to, &mut self.arbiter.game) else {
            // To before the first position that is known.
            self.offset = None;
            return;
        };
        if to > game.ply().0 {
            self.trouble(format!("half-moves up to {line} are missing"));
            return;
        }
        let to = Ply(to);
        let withdrawn = game.take_back_to(to);
        tracker(&mut self.arbiter, to);
        self.due.retain(|due| !matches!(due, EventKind::ClaimAvailable { .. }));
        self.question = None;
        self.note(&EventKind::Takeback { to_ply: to, reason: super::event::TakebackReason::Board });
        self.due.extend(withdrawn.map(|ply| EventKind::GameOverWithdrawn { ply }));
    }

    /// The moves up to here cannot be found: what is known goes on as a game of its own.
    fn break_off(&mut self, told: &Told<'_>) {
        let chess960 = self.memo.as_ref().is_some_and(|memo| memo.chess960);
        let Ok(position) = position_of(told.fen, chess960) else {
            self.trouble(format!("half-move {} cannot be taken up: {:?}", told.ply, told.fen));
            self.offset = None;
            return;
        };
        let memo = self.memo.as_ref().filter(|memo| memo.game == self.arbiter.games);
        let old = self.arbiter.game.as_ref();
        let conditions = old
            .map(LiveGame::conditions)
            .or_else(|| memo.and_then(Memo::conditions))
            .unwrap_or(self.arbiter.options.conditions);
        let ledger = old.map(LiveGame::ledger);
        let tags = old.map(|game| game.tags().clone());
        let tags = tags.or_else(|| memo.map(|memo| memo.tags.clone())).unwrap_or_default();
        self.trouble(format!(
            "the half-moves before {} cannot be rebuilt: the game goes on from the position after it as \
             a new one, with counters that are lower bounds",
            told.ply
        ));
        if let Some(game) = &mut self.arbiter.game {
            let (number, closed) = (game.number(), game.close(EndedHow::Closed, self.now));
            if let Some(kind) = closed {
                self.tell(number, kind);
            }
        }
        self.arbiter.games += 1;
        let number = self.arbiter.games;
        let orientation = self.arbiter.tracker.sensors().orientation();
        let source = StartSource::Resumed;
        self.due.clear();
        self.question = None;
        self.begin(
            number,
            // The line that names the position was written under the hypothesis that was followed.
            &Beginning { position, source, given: false, rights_known: true },
            conditions,
            tags,
            orientation,
            told.made,
        );
        if let (Some(game), Some(ledger)) = (&mut self.arbiter.game, ledger) {
            game.take_over(ledger);
        }
        self.offset = Some(told.ply.0);
        self.retelling = true;
        let orientation = match orientation {
            Orientation::Normal => OrientationName::Normal,
            Orientation::Rotated => OrientationName::Rotated,
        };
        let fen = told.fen.to_owned();
        self.tell(number, EventKind::GameStarted { fen, source, orientation });
    }

    /// Takes an event into the record, or tells it if nobody has heard of this game.
    fn note(&mut self, kind: &EventKind) {
        match self.arbiter.game.as_ref().map(LiveGame::number) {
            Some(number) if self.retelling => self.tell(number, kind.clone()),
            _ => self.record.push(kind.clone()),
        }
    }

    fn tell(&mut self, game: u32, kind: EventKind) {
        let board = self.arbiter.board.clone();
        self.out.push(Output::Event(Event { board, t: self.now, game: Some(game), kind }));
    }

    fn settle(&mut self, which: impl Fn(&EventKind) -> bool) {
        if let Some(at) = self.due.iter().position(which) {
            self.due.remove(at);
        }
    }

    fn trouble(&mut self, text: String) {
        // A page of them says no more than the first.
        if self.troubles.len() < 20 {
            self.troubles.push(text);
        }
    }

    fn finish(mut self) -> Resumed {
        let open = self.arbiter.game.as_ref().filter(|game| !game.closed()).map(LiveGame::number);
        if let Some(number) = open {
            self.lost_sight();
            self.arbiter.tracker.lost(self.now);
            self.arbiter.board_log.lost(false);
            self.arbiter.returning = Some(self.now + PATIENCE);
            for kind in std::mem::take(&mut self.due) {
                self.tell(number, kind);
            }
            if let Some((ply, position)) = self.question.take() {
                let position = Box::new(position);
                self.out.push(Output::Ask(Question { game: number, ply, position }));
            }
        }
        let Rebuild { arbiter, out: outputs, record, troubles, .. } = self;
        Resumed { arbiter, outputs, record, troubles }
    }
}

fn sides(arbiter: &mut Arbiter, memo: &Memo, orientation: Orientation) {
    let assumed: Vec<_> = memo.assumed.iter().filter_map(|square| square.parse().ok()).collect();
    arbiter.tracker.resume_sides(orientation, memo.white_clock_side.into(), &assumed);
    arbiter.note_stands();
}

fn orientation(name: OrientationName) -> Orientation {
    match name {
        OrientationName::Normal => Orientation::Normal,
        OrientationName::Rotated => Orientation::Rotated,
    }
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
