//! Every law event of recorded games, as rows of a table.

use std::fmt;

use shakmaty::{Chess, Color, Position, san::SanPlus};

use super::{
    claims::{self, Claim, ClaimClocks, ClaimError, Ruling},
    edition::{Conditions, Edition},
    flag::{self, Before, CanMate, FlagRuling},
    pgn::{self, Fault, PgnGame},
    rules::Article,
    verdict::{Claimable, DeadAnswer, How, Latch, Verdict, verdict, verdict_at},
};
use crate::{
    game::{History, Past, PlyRecord},
    units::Ply,
};

/// One law event of one game under one edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The game's number in its file, from 1.
    pub game: usize,
    /// The edition.
    pub edition: Edition,
    /// The ply; `None` in the row that says there is nothing to report.
    pub ply: Option<Ply>,
    /// The event: `mate`, `threefold_claimable`, `fifty_by_move:Ka4`, …; `none`.
    pub event: String,
    /// Its article; `None` in a row of nothing.
    pub article: Option<Article>,
}

impl Row {
    /// The names of the columns after the file's name, separated by tabs.
    pub const COLUMNS: &'static str = "game_index\tlaws\tply\tevent\tarticle";
}

impl fmt::Display for Row {
    /// The columns of [`Row::COLUMNS`], separated by tabs; `-` for what is not there.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ply = self.ply.map_or("-".to_owned(), |ply| ply.to_string());
        let article = self.article.unwrap_or("-");
        write!(f, "{}\t{}\t{ply}\t{}\t{article}", self.game, self.edition.year(), self.event)
    }
}

/// What was found in one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReport {
    /// The game's number in its file, from 1.
    pub game: usize,
    /// The line of the file its fault stands in, or of a game without one the line it begins in, from 1.
    pub line: usize,
    /// Its events, edition by edition, up to the fault if there is one.
    pub rows: Vec<Row>,
    /// What stopped the game from being followed to its end.
    pub fault: Option<Fault>,
}

/// Judges every game of a PGN text under each of the editions.
///
/// For every edition the rows are complete, and end with the first ply that ends the game. A game
/// in which nothing is to report has one row `none`, unless a fault stopped it. `dead` is asked
/// about each position that is neither mate nor stalemate, once for all editions.
pub fn games(
    text: &[u8],
    editions: &[Edition],
    dead: &mut dyn FnMut(&Chess) -> DeadAnswer,
) -> Vec<GameReport> {
    pgn::games(text).into_iter().map(|game| report(game, editions, dead)).collect()
}

/// Judges a claim made at `ply` of a recorded game, after asking of every ply up to it whether the
/// game had ended before.
pub fn claim(
    history: &History,
    ply: Ply,
    conditions: &Conditions,
    claim: &Claim,
    clocks: ClaimClocks,
    dead: &mut dyn FnMut(&Chess) -> DeadAnswer,
) -> Result<Ruling, ClaimError> {
    let mut latch = Latch::default();
    for (n, record) in (0..=ply.0).map(Ply).zip(history.plies()) {
        let answer = dead(&record.position);
        if let Some(verdict) = verdict_at(history, n, conditions.edition, answer)
            && latch.see(&verdict)
        {
            break;
        }
    }
    claims::check(history, ply, conditions, latch.first(), claim, clocks)
}

/// Judges a flag that has fallen in a position of which nothing else is known. `dead` and
/// `can_mate` are asked about it; `can_mate` about the opponent of the flagged player.
pub fn flag(
    position: &Chess,
    flagged: Color,
    conditions: &Conditions,
    dead: &mut dyn FnMut(&Chess) -> DeadAnswer,
    can_mate: &mut dyn FnMut(&Chess, Color) -> CanMate,
) -> FlagRuling {
    let history = History::new(position.clone(), Past::Unknown);
    let verdict = verdict(&history, conditions.edition, dead(position));
    if let Some(over) = verdict.over() {
        return flag::judge(conditions, flagged, Before::Ended(over), CanMate::Unknown);
    }
    flag::judge(conditions, flagged, Before::Nothing, can_mate(position, !flagged))
}

fn report(
    game: PgnGame,
    editions: &[Edition],
    dead: &mut dyn FnMut(&Chess) -> DeadAnswer,
) -> GameReport {
    let PgnGame { number, history, fault, fault_line: line, .. } = game;
    let mut rows = Vec::new();
    if let Some(history) = &history {
        let mut answers: Vec<Option<DeadAnswer>> = vec![None; history.plies().len()];
        for &edition in editions {
            let before = rows.len();
            let mut dead_at = |ply: Ply| {
                let position = &history.plies()[ply.index()].position;
                *answers[ply.index()].get_or_insert_with(|| dead(position))
            };
            rows.extend(events(number, history, edition, &mut dead_at));
            if rows.len() == before && fault.is_none() {
                let event = "none".to_owned();
                rows.push(Row { game: number, edition, ply: None, event, article: None });
            }
        }
    }
    GameReport { game: number, line, rows, fault }
}

fn events(
    game: usize,
    history: &History,
    edition: Edition,
    dead: &mut dyn FnMut(Ply) -> DeadAnswer,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let plies = (0u32..).map(Ply).zip(history.plies());
    for (ply, record) in plies {
        let mut add = |event, article| {
            rows.push(Row { game, edition, ply: Some(ply), event, article: Some(article) });
        };
        match verdict_at(history, ply, edition, dead(ply)) {
            None => break,
            Some(Verdict::Over(over)) => {
                for ended in over.reasons {
                    add(ended.ending.label().to_owned(), ended.article);
                }
                break;
            }
            Some(Verdict::Open { claims, .. }) => {
                for (event, article) in claim_events(record, &claims) {
                    add(event, article);
                }
            }
        }
    }
    rows
}

/// Claims that are open at once first, then announced moves in alphabetical order.
fn claim_events(record: &PlyRecord, claims: &[Claimable]) -> Vec<(String, Article)> {
    let mut rows = Vec::new();
    let mut by_move = Vec::new();
    for claim in claims {
        match &claim.how {
            How::JustAppeared => {
                rows.push((format!("{}_claimable", claim.kind.label()), claim.article));
            }
            How::ByMove(moves) => {
                for m in moves {
                    let san = san(&record.position, *m);
                    by_move.push((san, claim.kind, claim.article));
                }
            }
        }
    }
    by_move.sort();
    rows.extend(
        by_move
            .into_iter()
            .map(|(san, kind, article)| (format!("{}_by_move:{san}", kind.label()), article)),
    );
    rows
}

/// A legal move in algebraic notation with its check or mate sign.
pub fn san(position: &Chess, m: shakmaty::Move) -> String {
    debug_assert!(position.is_legal(m), "{m:?} is not legal");
    SanPlus::from_move(position.clone(), m).to_string()
}
