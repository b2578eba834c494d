//! A man more than the game has: one that left a square without the board's telling, or one that
//! was never there.
//!
//! The message that a man was lifted may be lost on the line, and a straddled square may read a man
//! that stands elsewhere. Then the board shows a man of a kind too many, and no line of moves leads
//! there. Where exactly one of them being gone makes the board agree with the game, or with moves
//! from it, that one is taken to be gone until its square says something else.

use std::time::Duration;

use shakmaty::{Bitboard, Board, Color, Piece, Position as _, Rank, Role, Square};

use super::{AttentionKind, Differs, Note, Stamp, Text, TrackEvent, Tracker, unexplained::Effort};

/// A man put down before his square of departure was looked at has left it after so long.
const YOUNG: Duration = Duration::from_millis(350);

impl Tracker {
    /// Looks for what was played if one man of those that are too many is gone.
    pub(super) fn search_surplus(&mut self, effort: Effort, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(surplus) = self.surplus(now) else { return };
        if self.shows_a_ply_of_the_line() {
            return;
        }
        let mut gone = None;
        for square in surplus {
            self.sensors.assume_gone(square, now);
            self.find_shown(effort, now);
            self.sensors.believe(square);
            if !self.found.is_empty() && gone.replace(square).is_some() {
                return;
            }
        }
        let Some(square) = gone else { return };
        self.sensors.assume_gone(square, now);
        self.find_shown(effort, now);
        if !self.arrive(now, out) {
            self.sensors.believe(square);
        }
    }

    /// When a man that is taken to be gone, and does not go, is told of.
    pub(super) fn surplus_deadline(&self) -> Option<Stamp> {
        let game = self.game.as_ref().filter(|game| !game.reported && self.signal.is_none())?;
        game.current?;
        self.sensors.gone_since().map(|since| since + self.timing.mismatch)
    }

    /// Tells of a man that still shows though the game can do without.
    pub(super) fn review_surplus(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.surplus_deadline().is_none_or(|due| due > now) {
            return;
        }
        let Some(game) = &mut self.game else { return };
        game.reported = true;
        let squares: Vec<Square> = self.sensors.gone().into_iter().collect();
        let differs = squares
            .iter()
            .map(|&square| Differs { square, reads: self.sensors.contact(square), expected: None })
            .collect();
        let text = Text::Unreachable { differs, more: 0 };
        out.push(TrackEvent::Noted(Note { kind: AttentionKind::Mismatch, squares, text }));
    }

    /// Finds what the board shows: nodes of the tree, or lines that lead there.
    fn find_shown(&mut self, effort: Effort, now: Stamp) {
        let Some(game) = &mut self.game else { return };
        self.sensors.keys(&mut self.keys);
        game.tree.grow(&self.keys, now, &mut self.found);
        let sensors = &self.sensors;
        self.found.retain(|&id| sensors.shows(game.tree.node(id).position.board()));
        if self.found.is_empty() {
            self.find_lines(effort, now);
        }
    }

    /// The squares of the one kind of man of which the board shows one too many, for a while.
    fn surplus(&self, now: Stamp) -> Option<Bitboard> {
        let game = self.game.as_ref().filter(|game| !game.after_gap)?;
        let (before, board) = (game.tree.root().position.board(), self.sensors.board());
        let mut kinds = Color::ALL
            .into_iter()
            .flat_map(|color| Role::ALL.map(|role| role.of(color)))
            .filter(|&man| too_many(man, before, board));
        let (man, None) = (kinds.next()?, kinds.next()) else { return None };
        let squares = board.by_piece(man);
        let last = squares.into_iter().map(|square| self.sensors.changed_at(square)).max()?;
        let one = squares.count() == before.by_piece(man).count() + 1;
        (one && now.since(last) >= YOUNG).then_some(squares)
    }
}

/// Whether there are more men of this kind than before, and no pawn can have become one.
fn too_many(man: Piece, before: &Board, now: &Board) -> bool {
    let last = man.color.fold_wb(Rank::Seventh, Rank::Second);
    let pawns = before.by_piece(Role::Pawn.of(man.color)) & Bitboard::from_rank(last);
    let promoted = pawns.any() && !matches!(man.role, Role::Pawn | Role::King);
    !promoted && now.by_piece(man).count() > before.by_piece(man).count()
}
