//! A move against Article 3 after which the opponent goes on (7.5 no longer applies in fast chess, or
//! nobody was called): it stands, and the game goes on from there.
//!
//! Only a single man that went where it may not can stand so: with a king left in check, or a pawn on
//! the last rank, what is on the board is no position from which legal moves lead on.

use shakmaty::{Chess, Color, Move, Position, PositionError, Role, Setup as Parts};

use super::{
    ConfirmedBy, Fault, Game, NodeId, Played, ROOT, Stamp, TrackEvent, Tracker, keys::Key,
    tree::Tree,
};

/// A completed illegal move that may come to stand.
#[derive(Clone, Debug)]
pub(super) struct Stands {
    m: Move,
    /// When the clock was pressed after it.
    made: Stamp,
    /// What the board may show after the opponent's reply.
    tree: Box<Tree>,
    /// When the opponent pressed.
    replied: Option<Stamp>,
}

impl Tracker {
    /// An illegal move was completed at `made`; remembers where the game would go on from.
    pub(super) fn may_stand(&mut self, fault: Fault, made: Stamp) {
        self.stands = self.standing(fault).map(|(m, position)| Stands {
            m,
            made,
            tree: Box::new(Tree::new(position, made)),
            replied: None,
        });
    }

    fn standing(&self, fault: Fault) -> Option<(Move, Chess)> {
        let Fault::NotLegal { from: Some(from), to: Some(to) } = fault else { return None };
        let root = &self.game.as_ref()?.tree.root().position;
        let (before, after, us) = (root.board(), self.sensors.board(), root.turn());
        let (man, capture) = (before.piece_at(from)?, before.role_at(to));
        let taken = before.by_color(!us).count() - after.by_color(!us).count();
        if taken != usize::from(capture.is_some()) {
            return None;
        }
        let role = after.role_at(to)?;
        let promotion = (role != man.role).then_some(role);
        let m = Move::Normal { role: man.role, from, capture, to, promotion };
        let quiet = man.role != Role::Pawn && capture.is_none();
        let parts = Parts {
            board: after.clone(),
            turn: !us,
            castling_rights: root.castles().castling_rights(),
            halfmoves: if quiet { root.halfmoves().saturating_add(1) } else { 0 },
            fullmoves: root.fullmoves().saturating_add(u32::from(us == Color::Black)),
            ..Parts::empty()
        };
        let position = parts
            .position::<Chess>(root.castles().mode())
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()?;
        Some((m, position))
    }

    /// The lever was moved, and it is this colour's turn now; whether that completed the opponent's
    /// reply to an illegal move.
    pub(super) fn reply_pressed(
        &mut self,
        turn: Color,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) -> bool {
        let Some(stands) = &mut self.stands else { return false };
        if stands.tree.root().position.turn() == turn {
            return false;
        }
        stands.replied = Some(now);
        self.review_stands(now, out)
    }

    /// Looks whether the board shows a completed reply to an illegal move; the move stands then.
    pub(super) fn review_stands(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) -> bool {
        let Some(game) = &self.game else {
            self.stands = None;
            return false;
        };
        if game.current.is_some() {
            // It was put right.
            self.stands = None;
            return false;
        }
        let Some(stands) = &mut self.stands else { return false };
        let Some(replied) = stands.replied else { return false };
        if now.since(replied) > self.timing.early_press {
            stands.replied = None;
            return false;
        }
        self.sensors.keys(&mut self.keys);
        let mut found: Vec<NodeId> = Vec::new();
        stands.tree.grow(&self.keys, now, &mut found);
        let sensors = &self.sensors;
        let tree = &stands.tree;
        found.retain(|&id| {
            id != ROOT && tree.depth(id) == 1 && sensors.shows(tree.node(id).position.board())
        });
        if found.len() != 1 {
            return false;
        }
        let turn = !tree.root().position.turn();
        if let Some(stands) = self.stands.take() {
            self.stand(&stands, turn, replied, now, out);
        }
        true
    }

    fn stand(
        &mut self,
        stands: &Stands,
        turn: Color,
        replied: Stamp,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        let Some(game) = &mut self.game else { return };
        let position = stands.tree.root().position.clone();
        game.stand(stands.m, position.clone(), stands.made, now);
        out.push(TrackEvent::Stood {
            ply: game.ply(),
            m: stands.m,
            position: Box::new(position),
            made: stands.made,
            by: ConfirmedBy::Press,
        });
        self.pressed_again(turn, replied);
        self.match_now(now, out);
    }
}

impl Game {
    /// Adds a move that was against Article 3 and stands.
    pub(super) fn stand(&mut self, m: Move, position: Chess, made: Stamp, now: Stamp) {
        if let Some(shown) = self.shown_until.last_mut() {
            *shown = self.tree.root().shown_until;
        }
        let by = ConfirmedBy::Press;
        self.line.push(Played { m, made, confirmed: now, by, pressed: true, exact: true });
        self.keys.push(Key::of(position.board()));
        self.positions.push(position.clone());
        self.shown_until.push(now);
        self.tree.reset(position, made);
        (self.current, self.left, self.certain) = (None, None, true);
    }
}
