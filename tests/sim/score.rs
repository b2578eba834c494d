//! What a subject said, held against the truth.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::{Chess, Position, fen::Fen, uci::UciMove};

use super::{
    SECOND,
    subject::{By, Event, Report},
    truth::{End, Game, LawEnd, Truth},
};

/// Counts over many games of one profile.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Games played.
    pub games: u32,
    /// Games whose record is right to the last ply.
    pub exact: u32,
    /// Of those, with an order presumed within a cable gap.
    pub presumed: u32,
    /// Plies played, and plies right up to the first error of their game.
    pub plies: u32,
    /// See `plies`.
    pub right: u32,
    /// Game-overs announced that the Laws do not know.
    pub false_overs: u32,
    /// Results told that nobody showed.
    pub false_results: u32,
    /// Ends by the Laws not announced.
    pub missed_ends: u32,
    /// Results shown with the kings and not told.
    pub missed_results: u32,
    /// Games not right without any doubt expressed in time.
    pub wrong_and_sure: u32,
    /// Games in which a doubt was expressed (`attention` or `exact: false`).
    pub doubted: u32,
    /// Plies recorded after an end nobody showed (men being put back).
    pub extra: u32,
    /// Ends by the Laws and results shown there were.
    pub ends: (u32, u32),
    /// Delay of confirmed moves by what confirmed them, milliseconds.
    pub delays: BTreeMap<By, Vec<f64>>,
    /// Delay of provisional moves from the release, milliseconds.
    pub provisional: Vec<f64>,
    /// Delay of game-overs from the release of the ending move, milliseconds.
    pub overs: Vec<f64>,
    /// Games that were not right: session, game, what was said first that is not so.
    pub failures: Vec<String>,
}

/// A record as the subject keeps it, with the time of each ply's confirmation.
#[derive(Clone, Debug, Default)]
struct Record {
    fen: String,
    moves: Vec<Said>,
}

#[derive(Clone, Debug)]
struct Said {
    uci: String,
    when: u64,
    by: By,
}

/// How far a record agrees with the truth.
struct Agreement {
    plies: usize,
    exact: bool,
    presumed: bool,
}

impl Score {
    /// Adds one session.
    pub fn add(&mut self, label: &str, truth: &Truth, report: &Report) {
        let mut from = 0;
        for (index, game) in truth.games.iter().enumerate() {
            let next = truth.games.get(index + 1);
            let until = next.map_or(report.events.len(), |next| border(report, game, next));
            let label = format!("{label} game {}", index + 1);
            self.add_game(&label, game, report, (from.min(until), until));
            from = until;
        }
    }

    fn add_game(&mut self, label: &str, game: &Game, report: &Report, window: (usize, usize)) {
        let law = game.law_ends();
        let shown = record_of(&report.events[..until(report, game.disturbed)]);
        let last = record_of(&report.events[..window.1]);
        let agreement = judge(game, &shown, &last, &law);
        self.games += 1;
        self.plies += game.plies.len() as u32;
        self.right += agreement.plies as u32;
        self.exact += u32::from(agreement.exact);
        self.presumed += u32::from(agreement.exact && agreement.presumed);
        if lenient(game) {
            self.extra += last.moves.len().abs_diff(shown.moves.len()) as u32;
        }
        let events: Vec<&(u64, Event)> = report.events[window.0..window.1].iter().collect();
        self.ends_told(label, game, &law, &events);
        let first_over =
            events.iter().find(|(_, e)| matches!(e, Event::GameOver { .. })).map(|(t, _)| *t);
        let limit = first_over.unwrap_or(game.disturbed.max(game.ended));
        let doubt = events.iter().any(|(t, e)| *t <= limit && is_doubt(e));
        self.doubted += u32::from(doubt);
        if !agreement.exact {
            self.wrong_and_sure += u32::from(!doubt);
            let at = agreement.plies;
            let want = game.plies.get(at).map_or("end", |p| p.uci.as_str());
            let got = last.moves.get(at).map_or("end", |m| m.uci.as_str());
            let when = game.plies.get(at).map_or(game.ended, |p| p.released);
            self.failures.push(format!(
                "{label}: ply {} of {} at {:.3} s: said {got}, played {want}{}",
                at + 1,
                game.plies.len(),
                when as f64 / SECOND as f64,
                if doubt { "" } else { " (and was sure)" }
            ));
        }
        if !agreement.presumed {
            self.timing(game, &last, agreement.plies, report, &events);
        }
    }

    fn ends_told(
        &mut self,
        label: &str,
        game: &Game,
        law: &[(usize, LawEnd)],
        events: &[&(u64, Event)],
    ) {
        for (time, event) in events {
            match event {
                Event::GameOver { reason, ply } => {
                    if !is_true_end(game, law, reason, *time) {
                        self.false_overs += 1;
                        self.failures.push(format!(
                            "{label}: FALSE game-over {reason} at ply {ply}, {:.3} s",
                            *time as f64 / SECOND as f64
                        ));
                    } else if let Some(p) = ply.checked_sub(1).and_then(|i| game.plies.get(i)) {
                        self.overs.push(ms(*time, p.released));
                    }
                }
                Event::ResultSignalled { result } => {
                    let shown = game.kinds.contains_key("gesture_after_mate")
                        || matches!(game.end, End::Gesture(shown) if shown == result);
                    if !shown {
                        self.false_results += 1;
                        self.failures.push(format!("{label}: result {result} nobody showed"));
                    }
                }
                _ => {}
            }
        }
        if !law.is_empty() {
            self.ends.0 += 1;
            let told = events.iter().any(|(time, e)| {
                matches!(e, Event::GameOver { reason, .. } if is_true_end(game, law, reason, *time))
            });
            if !told {
                self.missed_ends += 1;
                self.failures.push(format!("{label}: missed {law:?}"));
            }
        }
        if let End::Gesture(shown) = game.end {
            self.ends.1 += 1;
            let told = events
                .iter()
                .any(|(_, e)| matches!(e, Event::ResultSignalled { result } if result == shown));
            // Where the Laws had ended the game already nobody need look at the kings.
            if !told && law.is_empty() {
                self.missed_results += 1;
                self.failures.push(format!("{label}: missed result {shown}"));
            }
        }
    }

    fn timing(
        &mut self,
        game: &Game,
        record: &Record,
        right: usize,
        report: &Report,
        events: &[&(u64, Event)],
    ) {
        for (index, (said, ply)) in record.moves.iter().zip(&game.plies).take(right).enumerate() {
            if ply.in_gap {
                continue;
            }
            let since = match (said.by, ply.press) {
                (By::Press, Some(press)) => report
                    .presses
                    .iter()
                    .find(|(p, _)| *p == press)
                    .map_or(press, |(_, sent)| *sent)
                    .max(seen(report, game, index)),
                (By::Reply, _) if index + 1 < game.plies.len() => seen(report, game, index + 1),
                _ => seen(report, game, index),
            };
            self.delays.entry(said.by).or_default().push(ms(said.when, since));
        }
        for (time, event) in events {
            if let Event::Provisional { ply, uci } = event
                && let Some(truth) = ply.checked_sub(1).and_then(|i| game.plies.get(i))
                && truth.uci == *uci
                && *time + SECOND / 4 >= truth.released
            {
                self.provisional.push(ms(*time, truth.released));
            }
        }
    }
}

/// When the board had told the last change of a ply: the last update within a scan of the release,
/// unless the next ply has begun by then.
fn seen(report: &Report, game: &Game, index: usize) -> u64 {
    let ply = &game.plies[index];
    let next = game.plies.get(index + 1).map_or(u64::MAX, |next| next.touched);
    let limit = next.max(ply.released).min(ply.released + report.scan * 5 / 4 + SECOND / 20);
    let told = report.reported.partition_point(|time| *time <= limit);
    told.checked_sub(1).map_or(ply.released, |at| report.reported[at]).max(ply.released)
}

fn ms(later: u64, earlier: u64) -> f64 {
    (later as f64 - earlier as f64) / 1e6
}

fn is_doubt(event: &Event) -> bool {
    match event {
        Event::Attention { .. } => true,
        Event::Move { exact, .. } => !exact,
        _ => false,
    }
}

/// The first event that belongs to the next game. What was shown last in a game may be confirmed only
/// when the men stand anew, and the subject may see that a moment before or after the last of them is
/// let go of: where it starts a game between the two, that is the border.
fn border(report: &Report, game: &Game, next: &Game) -> usize {
    let first = next.plies.first().map_or(u64::MAX, |ply| ply.released);
    let mut between = until(report, game.disturbed.max(game.ended))..until(report, first);
    let started = between.find(|&at| matches!(report.events[at].1, Event::GameStarted { .. }));
    started.unwrap_or_else(|| report.events.partition_point(|(time, _)| *time < next.set_up))
}

/// How many events had been told by a moment.
fn until(report: &Report, moment: u64) -> usize {
    report.events.partition_point(|(time, _)| *time <= moment)
}

/// The record the subject keeps after these events, applied in order.
fn record_of(events: &[(u64, Event)]) -> Record {
    let mut record = Record::default();
    for (time, event) in events {
        match event {
            Event::GameStarted { fen } => {
                record = Record { fen: fen.clone(), moves: Vec::new() };
            }
            Event::Move { ply, uci, by, .. } => {
                record.moves.truncate(ply.saturating_sub(1));
                record.moves.push(Said { uci: uci.clone(), when: *time, by: *by });
            }
            Event::Takeback { to_ply } => record.moves.truncate(*to_ply),
            _ => {}
        }
    }
    record
}

/// True when what follows the end may look like more of the game: nothing showed the end, or an
/// ending move is put back afterwards as if it were withdrawn.
fn lenient(game: &Game) -> bool {
    matches!(game.end, End::Unmarked | End::Flag)
        || !game.after.is_empty() && game.end == End::Position
}

/// The record is right when it is the truth at the end, or, where what follows may look like more
/// of the game, when it was the truth until men were moved for something else; plies after an end
/// by the Laws may be recorded or not.
fn judge(game: &Game, shown: &Record, last: &Record, law: &[(usize, LawEnd)]) -> Agreement {
    let mut best = compare(game, last, law);
    if !best.exact && lenient(game) {
        let earlier = compare(game, shown, law);
        if earlier.exact || earlier.plies > best.plies {
            best = earlier;
        }
    }
    best
}

/// Follows truth and record side by side; where a gap leaves more than one way, all of them.
fn compare(game: &Game, record: &Record, law: &[(usize, LawEnd)]) -> Agreement {
    let over = law.iter().map(|(ply, _)| *ply).min().unwrap_or(usize::MAX);
    let mut best = Agreement { plies: 0, exact: false, presumed: false };
    if placement_of(&record.fen) != placement_of(&game.fen) {
        return best;
    }
    let positions = game.positions();
    let mut seen = BTreeSet::new();
    let mut open = vec![(0, 0, false)]; // in the truth, in the record, something presumed
    while let Some((at, said, presumed)) = open.pop() {
        if !seen.insert((at, said)) || best.exact {
            continue;
        }
        let finished = said == record.moves.len();
        let exact = finished && (at == game.plies.len() || at >= over);
        if exact || at > best.plies {
            best = Agreement { plies: at, exact, presumed };
        }
        let Some(ply) = game.plies.get(at) else { continue };
        for (at, said) in across_gap(game, &positions, record, at, said) {
            open.push((at, said, true));
        }
        if record.moves.get(said).is_some_and(|said| said.uci == ply.uci) {
            open.push((at + 1, said + 1, presumed));
        }
    }
    best
}

/// Within a gap any legal plies that lead to the position after it are right, when there are as
/// many as were played or, men having gone back and forth unseen, an even number fewer.
fn across_gap(
    game: &Game,
    positions: &[Chess],
    record: &Record,
    at: usize,
    said: usize,
) -> Vec<(usize, usize)> {
    let mut ways = Vec::new();
    // A ply that looks complete before the gap may be explained together with those in it.
    let hidden = game.plies[at..].iter().position(|p| p.in_gap).filter(|skip| *skip <= 1);
    let Some(hidden) = hidden else { return ways };
    let shown = game.plies[at + hidden..].iter().position(|p| !p.in_gap);
    let end = shown.map_or(game.plies.len(), |n| at + hidden + n);
    let goal = &positions[end];
    let mut here: Chess = positions[at].clone();
    for count in said..=said + (end - at) {
        let even = (end - at - (count - said)).is_multiple_of(2);
        if even && here.board() == goal.board() && here.turn() == goal.turn() {
            ways.push((end, count));
        }
        let next = record.moves.get(count).and_then(|m| m.uci.parse::<UciMove>().ok());
        let Some(m) = next.and_then(|uci| uci.to_move(&here).ok()) else { break };
        here.play_unchecked(m);
    }
    ways
}

fn placement_of(fen: &str) -> String {
    fen.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

/// Whether the Laws have ended the game for this reason by the time it is announced, whatever
/// number the ply is given: a wrong number is a wrong record, not a false alarm.
fn is_true_end(game: &Game, law: &[(usize, LawEnd)], reason: &str, time: u64) -> bool {
    // The men may stand before the last hand is off them.
    let now = time + SECOND;
    let played = game.plies.iter().take_while(|p| p.released <= now).count();
    let kind = match reason {
        "checkmate" => LawEnd::Checkmate,
        "stalemate" => LawEnd::Stalemate,
        "fivefold_repetition" => LawEnd::Fivefold,
        "seventyfive_moves" => LawEnd::SeventyFive,
        "dead_position" => {
            let positions = game.positions();
            let from = played.saturating_sub(2);
            return (from..=played).any(|ply| positions.get(ply).is_some_and(is_dead));
        }
        _ => return false,
    };
    law.iter().any(|(at, reason)| *at <= played && *reason == kind)
}

/// Dead by material, or proved so by an analyser that is not the project's.
fn is_dead(position: &Chess) -> bool {
    if position.is_insufficient_material() {
        return true;
    }
    let fen = Fen::from_position(position, shakmaty::EnPassantMode::Legal).to_string();
    let Ok(board) = fen.parse::<chess::Board>() else { return false };
    [chess::Color::White, chess::Color::Black].into_iter().all(|color| {
        chasolver::winnability(&board, color) == Some(chasolver::Winnability::Unwinnable)
    })
}
