//! Why was a move believed? The last plies with what the squares did, which lines were weighed, and
//! what decided.
//!
//! Kept only where [`Timing::evidence`](super::Timing::evidence) asks for it; bounded.

use std::{collections::VecDeque, fmt};

use shakmaty::{Color, Move, san::SanPlus};

use super::{ConfirmedBy, NodeId, ROOT, Stamp, Tracker, sensors::Change, tree::Tree};
use crate::{units::Ply, wire::Contact};

/// So many plies are explained, the last ones.
const MOST_PLIES: usize = 512;
/// So many lines are kept of each.
const MOST_LINES: usize = 8;

/// A line that led to what the board showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// When the board was looked at.
    pub at: Stamp,
    /// The plies from the last confirmed position, in short algebraic notation.
    pub line: Vec<String>,
    /// How far-fetched it is: the least is believed.
    pub cost: u32,
}

/// Why a move was believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The half-move.
    pub ply: Ply,
    /// The move.
    pub m: Move,
    /// The move in short algebraic notation.
    pub san: String,
    /// When the board first showed it.
    pub made: Stamp,
    /// When it was confirmed.
    pub confirmed: Stamp,
    /// What decided.
    pub by: ConfirmedBy,
    /// Whether no other line explains the board about as well.
    pub exact: bool,
    /// What the squares read, change by change, since the ply before it was shown.
    pub changes: Vec<Change>,
    /// The lines that were compared when the board last showed it, the most likely first.
    pub lines: Vec<Weighed>,
    /// Whose turn the clock's lever showed, and since when; none without a clock.
    pub lever: Option<(Color, Stamp)>,
}

/// The record of explanations.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    weighed: Vec<(NodeId, Weighed)>,
    plies: VecDeque<Explanation>,
}

impl Tracker {
    /// Why a ply of the game that is on, or of the one before it, was believed. None for a ply that
    /// was not played, is longer ago than the record reaches, or when none is kept.
    pub fn explanation(&self, ply: Ply) -> Option<Explanation> {
        let evidence = self.evidence.as_ref()?;
        evidence.plies.iter().rev().find(|known| known.ply == ply).cloned()
    }

    /// Remembers which lines were weighed, the best first.
    pub(super) fn note_weighed(&mut self, weighed: &[(u32, NodeId)], now: Stamp) {
        let (Some(evidence), Some(game)) = (&mut self.evidence, &self.game) else { return };
        evidence.weighed.clear();
        evidence.weighed.extend(
            weighed
                .iter()
                .take(MOST_LINES)
                .map(|&(cost, id)| (id, Weighed { at: now, line: in_words(&game.tree, id), cost })),
        );
    }

    /// Explains the plies to a node that is about to be confirmed.
    pub(super) fn note_confirmed(&mut self, id: NodeId, by: ConfirmedBy, now: Stamp) {
        let (Some(evidence), Some(game)) = (&mut self.evidence, &self.game) else { return };
        let lever = self.lever.turn().map(|turn| (turn, self.lever.turned()));
        let lines: Vec<Weighed> = evidence.weighed.iter().map(|(_, line)| line.clone()).collect();
        let mut since = game.tree.root().made;
        let mut ply = game.ply();
        for at in game.tree.path(id) {
            let node = game.tree.node(at);
            let Some((parent, m)) = node.parent else { continue };
            ply = ply.next();
            while evidence.plies.back().is_some_and(|last| last.ply >= ply) {
                evidence.plies.pop_back();
            }
            if evidence.plies.len() == MOST_PLIES {
                evidence.plies.pop_front();
            }
            let changes =
                self.sensors.recent().filter(|change| change.at > since).copied().collect();
            evidence.plies.push_back(Explanation {
                ply,
                m,
                san: SanPlus::from_move(game.tree.node(parent).position.clone(), m).to_string(),
                made: node.made,
                confirmed: now,
                by: if at == id { by } else { ConfirmedBy::Reply },
                exact: !node.doubt,
                changes,
                lines: lines.clone(),
                lever,
            });
            since = node.made;
        }
    }
}

/// The moves to a node.
fn in_words(tree: &Tree, id: NodeId) -> Vec<String> {
    let mut position = tree.node(ROOT).position.clone();
    tree.path(id)
        .into_iter()
        .filter_map(|at| {
            let (_, m) = tree.node(at).parent?;
            Some(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string())
        })
        .collect()
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |at: Stamp| at.as_seconds();
        writeln!(f, "ply {}: {}", self.ply, self.san)?;
        writeln!(f, "  first shown {:.3} s", seconds(self.made))?;
        let by = match self.by {
            ConfirmedBy::Press => "the press of the clock",
            ConfirmedBy::Reply => "the reply",
            ConfirmedBy::Still => "standing still",
            ConfirmedBy::Log => "the board's own log",
        };
        let exact = if self.exact { "" } else { ", but other lines explain the board as well" };
        writeln!(f, "  confirmed   {:.3} s by {by}{exact}", seconds(self.confirmed))?;
        if let Some((turn, since)) = self.lever {
            let turn = super::describe::side(turn);
            writeln!(f, "  clock: {turn} to move since {:.3} s", seconds(since))?;
        }
        writeln!(f, "  squares:")?;
        for change in &self.changes {
            let reading = match change.contact {
                Contact::Empty => "empty".into(),
                Contact::Man(piece) => piece.char().to_string(),
                Contact::Token(_) => "a special piece".into(),
                Contact::Unreadable(code) => format!("unreadable {code:#04x}"),
            };
            writeln!(f, "    {:.3} s {} {reading}", seconds(change.at), change.square)?;
        }
        writeln!(f, "  lines that lead to the board, the least far-fetched first:")?;
        for weighed in &self.lines {
            let line = if weighed.line.is_empty() {
                "the game's position".into()
            } else {
                weighed.line.join(" ")
            };
            writeln!(f, "    {:>5} {line} ({:.3} s)", weighed.cost, seconds(weighed.at))?;
        }
        Ok(())
    }
}
