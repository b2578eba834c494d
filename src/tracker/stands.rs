//! Illegal moves that a press completed: when they can be told, and when they stand.
//!
//! An illegal move stands when the opponent goes on after it (7.5 no longer applies in fast chess, or
//! nobody was called): the game goes on from there. He may do so at once, before there was time to see
//! that no legal move is under way; what stood on the board when the clock was pressed is therefore
//! remembered, and told as soon as the board shows a legal reply to it.
//!
//! A king left in check, or a pawn on the last rank, makes a position that no game can have. It is kept
//! all the same ([`Chess::play_unchecked`]), so that the replies to it can be found; nobody may judge
//! it, and a king is never taken from it.

use shakmaty::{
    Bitboard, Board, Chess, Color, Move, Position, PositionError, Role, Setup as Parts, Square,
};

use super::{
    ConfirmedBy, Fault, Game, NodeId, Played, ROOT, Stamp, TakebackReason, TrackEvent, Tracker,
    describe, differing,
    keys::{Key, castled},
    line::grow_line,
    press::{LATE, Press},
    tree::Tree,
};
use crate::units::Ply;

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
    /// It has not been told: only a reply to it shows that it was final.
    untold: Option<Box<Suspect>>,
}

/// A placement that stood for a moment and looked like a finished illegal move.
#[derive(Clone, Debug)]
pub(super) struct Suspect {
    fault: Fault,
    board: Board,
    /// Where it differs from the game.
    squares: Vec<Square>,
    since: Stamp,
    until: Stamp,
}

impl Suspect {
    fn event(&self, by: Color, ply: Ply) -> TrackEvent {
        TrackEvent::Illegal {
            by,
            ply,
            fault: self.fault,
            squares: self.squares.clone(),
            placement: Box::new(self.board.clone()),
        }
    }
}

/// Whether a move takes a king, which only a position that no game can have allows.
pub(super) fn takes_king(m: Move) -> bool {
    m.capture() == Some(Role::King)
}

/// The act of the side to move that leads to a placement it may not lead to, and the position then:
/// one man moved, took, or took in passing, or the king castled. None for anything else.
pub fn irregular(before: &Chess, placement: &Board) -> Option<(Move, Chess)> {
    let m = act(before, placement)?;
    let us = before.turn();
    let mut played = before.clone();
    played.play_unchecked(m);
    let parts = Parts {
        board: placement.clone(),
        turn: !us,
        castling_rights: before.castles().castling_rights(),
        halfmoves: played.halfmoves(),
        fullmoves: played.fullmoves(),
        ..Parts::empty()
    };
    let position = parts
        .position::<Chess>(before.castles().mode())
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check);
    match position {
        Ok(position) => Some((m, position)),
        Err(_) => (played.board() == placement).then_some((m, played)),
    }
}

fn act(before: &Chess, placement: &Board) -> Option<Move> {
    let (board, us) = (before.board(), before.turn());
    let differs = super::sensors::difference(board, placement);
    let (gone, come) = (board.by_color(us) & differs, placement.by_color(us) & differs);
    let vanished = board.by_color(!us) & !placement.occupied();
    let kings = Color::ALL.into_iter().all(|color| placement.king_of(color).is_some());
    if (placement.by_color(!us) & differs).any() || !kings {
        return None;
    }
    let m = if let (Some(from), Some(to)) = (gone.single_square(), come.single_square()) {
        let (man, role) = (board.piece_at(from)?, placement.role_at(to)?);
        let capture = board.role_at(to);
        let promotion = (role != man.role).then_some(role);
        // No hand makes another man of the one that it moves, but a damaged message does.
        if promotion.is_some() && man.role != Role::Pawn {
            return None;
        }
        if vanished.is_empty() {
            Move::Normal { role: man.role, from, capture, to, promotion }
        } else if man.role == Role::Pawn && capture.is_none() {
            Move::EnPassant { from, to }
        } else {
            return None;
        }
    } else {
        let king = (gone & board.kings()).single_square()?;
        let rook = (gone & board.rooks()).single_square()?;
        let (king_to, rook_to) = castled(king, rook);
        let others = board.occupied().without(king).without(rook);
        if king.rank() != rook.rank() || others.contains(king_to) || others.contains(rook_to) {
            return None;
        }
        Move::Castle { king, rook }
    };
    let mut after = before.clone();
    after.play_unchecked(m);
    (after.board() == placement).then_some(m)
}

impl Tracker {
    /// The placement is about to change: if it has stood for a moment and looks like a finished illegal
    /// move, it is remembered.
    pub(super) fn note_suspect(&mut self, now: Stamp) {
        let Some(game) = &self.game else { return };
        let since = self.sensors.last_change();
        let unexplained = game.current.is_none() && !game.after_gap;
        if !unexplained || self.signal.is_some() || self.gap.is_some() {
            return;
        }
        if now.since(since) < self.timing.fresh {
            return;
        }
        let root = &game.tree.root().position;
        let Some(fault) = describe::fault(&self.sensors, root) else { return };
        if is_half_castling(root, fault) {
            return;
        }
        self.suspect = Some(Box::new(Suspect {
            fault,
            board: self.sensors.board().clone(),
            squares: differing(&self.sensors, root),
            since,
            until: now,
        }));
    }

    /// The illegal move that was told and stands on the board.
    pub(super) fn illegal_stands(&self) -> Option<Move> {
        self.stands.as_ref().filter(|stands| stands.untold.is_none()).map(|stands| stands.m)
    }

    /// The remembered placement, if a press at this moment can have completed it.
    fn pressed_suspect(&self, at: Stamp) -> Option<&Suspect> {
        self.suspect.as_deref().filter(|suspect| {
            suspect.since <= at + self.timing.early_press && at <= suspect.until + LATE
        })
    }

    /// An illegal move was completed at `made` and is told; remembers where the game would go on from.
    pub(super) fn may_stand(&mut self, made: Stamp) {
        self.illegal_at = self.game.as_ref().map(|game| game.ply().next());
        let board = self.sensors.board().clone();
        self.stands = self.standing(&board, made);
    }

    fn standing(&self, placement: &Board, made: Stamp) -> Option<Stands> {
        let root = &self.game.as_ref()?.tree.root().position;
        let (m, position) = irregular(root, placement)?;
        let tree = Box::new(Tree::new(position, made));
        Some(Stands { m, made, tree, replied: None, untold: None })
    }

    /// The time for the move of a press to come in is over, and the opponent is at work already: tells
    /// of the illegal move that he answers, if the board shows one.
    pub(super) fn answered_suspect(&mut self, press: &Press) -> Option<TrackEvent> {
        let suspect = self.pressed_suspect(press.at)?.clone();
        let game = self.game.as_ref()?;
        let (by, ply) = (game.tree.root().position.turn(), game.ply().next());
        let differs = self.sensors.differences(&suspect.board);
        let lifted = differs.single_square().is_some_and(|square| {
            suspect.board.color_at(square) == Some(!by)
                && !self.sensors.board().occupied().contains(square)
        });
        let mut stands = self.standing(&suspect.board, press.at);
        let replied = stands.as_mut().is_some_and(|stands| self.reply_to(stands));
        if !(lifted || replied) || !self.sensors.odd().is_empty() {
            return None;
        }
        self.stands = stands;
        self.illegal_at = Some(ply);
        self.suspect = None;
        Some(suspect.event(by, ply))
    }

    /// The lever was moved, and it is this colour's turn now; whether that completed the opponent's
    /// reply to an illegal move.
    pub(super) fn reply_pressed(
        &mut self,
        turn: Color,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) -> bool {
        if self.stands.is_none() {
            self.stands = self.suspect_replied(turn);
        }
        let Some(stands) = &mut self.stands else { return false };
        if stands.tree.root().position.turn() == turn {
            return false;
        }
        stands.replied = Some(now);
        self.review_stands(now, out)
    }

    /// The opponent pressed before there was time to tell of the illegal move he may have answered.
    fn suspect_replied(&self, turn: Color) -> Option<Stands> {
        let game = self.game.as_ref()?;
        let press = self.press.filter(|press| press.turn == !turn && !press.told)?;
        if game.tree.root().position.turn() != turn || game.current.is_some() {
            return None;
        }
        let suspect = self.pressed_suspect(press.at)?;
        let stands = self.standing(&suspect.board, press.at)?;
        Some(Stands { untold: Some(Box::new(suspect.clone())), ..stands })
    }

    /// Whether the board shows one legal reply to an illegal move.
    fn reply_to(&self, stands: &mut Stands) -> bool {
        let (mut keys, mut found) = (Vec::new(), Vec::<NodeId>::new());
        self.sensors.keys(&mut keys);
        stands.tree.grow(&keys, stands.made, &mut found);
        let tree = &stands.tree;
        found.retain(|&id| {
            id != ROOT && tree.depth(id) == 1 && self.sensors.shows(tree.node(id).position.board())
        });
        found.len() == 1
    }

    /// Looks whether the board shows a completed reply to an illegal move; the move stands then.
    pub(super) fn review_stands(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) -> bool {
        if self.game.as_ref().is_none_or(|game| game.current.is_some()) {
            // It was put right.
            self.stands = None;
            return false;
        }
        let Some(mut stands) = self.stands.take() else { return false };
        if stands.replied.is_some_and(|replied| now.since(replied) > self.timing.early_press) {
            stands.replied = None;
        }
        let Some(replied) = stands.replied else {
            self.stands = Some(stands);
            return false;
        };
        if self.king_taken(&stands, out) {
            return true;
        }
        if self.reply_to(&mut stands) {
            self.stand(stands, Some(replied), now, out);
            return true;
        }
        self.stands = Some(stands);
        false
    }

    /// Looks whether the opponent took the king that was left in check: another illegal move, after
    /// which no position is left.
    fn king_taken(&mut self, stands: &Stands, out: &mut Vec<TrackEvent>) -> bool {
        let Some(game) = &self.game else { return false };
        let position = &stands.tree.root().position;
        let Some(fault @ Fault::KingCaptured { .. }) = describe::fault(&self.sensors, position)
        else {
            return false;
        };
        let ply = game.ply().next();
        out.extend(stands.untold.as_ref().map(|suspect| suspect.event(!position.turn(), ply)));
        let by = position.turn();
        let placement = Box::new(self.sensors.board().clone());
        let squares = differing(&self.sensors, position);
        out.push(TrackEvent::Illegal { by, ply: ply.next(), fault, squares, placement });
        (self.press, self.suspect) = (None, None);
        true
    }

    /// The board is about to be reported as unexplained. If it shows a reply to an illegal move that
    /// was told, the reply was made without a press; if it shows that illegal move itself, which was
    /// told before the board was out of sight, it may still come to stand.
    pub(super) fn stands_still(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) -> bool {
        if let Some(mut stands) = self.stands.take_if(|stands| stands.untold.is_none()) {
            if self.lever.running() && self.reply_to(&mut stands) {
                self.stand(stands, None, now, out);
                return self.game.as_ref().is_some_and(|game| game.current.is_some());
            }
            self.stands = Some(stands);
        }
        let told =
            self.game.as_ref().is_some_and(|game| self.illegal_at == Some(game.ply().next()));
        let root = self.game.as_ref().map(|game| &game.tree.root().position);
        let shown = root.and_then(|root| describe::fault(&self.sensors, root));
        if self.stands.is_none() && told && shown.is_some() {
            self.may_stand(self.sensors.last_change());
        }
        false
    }

    fn stand(
        &mut self,
        stands: Stands,
        replied: Option<Stamp>,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        let Some(game) = &mut self.game else { return };
        let position = stands.tree.root().position.clone();
        let ply = game.ply().next();
        out.extend(stands.untold.map(|suspect| suspect.event(!position.turn(), ply)));
        game.stand(stands.m, position.clone(), stands.made, now);
        let turn = !position.turn();
        out.push(TrackEvent::Stood {
            ply,
            m: stands.m,
            position: Box::new(position),
            made: stands.made,
            by: ConfirmedBy::Press,
        });
        (self.press, self.suspect) = (None, None);
        if let Some(replied) = replied {
            self.pressed_again(turn, replied);
        }
        self.match_now(now, out);
    }

    /// A piece was put in the place of a pawn that had been left on the last rank: the game is taken to
    /// have gone on with it. What was played meanwhile proves nothing by itself, for until then the
    /// pawn stood there.
    pub(super) fn promoted_late(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) -> bool {
        let Some(game) = &self.game else { return false };
        let root = game.tree.root().position.board();
        let Some(square) = (root.pawns() & Bitboard::BACKRANKS).single_square() else {
            return false;
        };
        let Some(color) = root.color_at(square) else { return false };
        let found =
            [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].into_iter().find(|role| {
                let mut put = root.clone();
                put.set_piece_at(square, role.of(color));
                self.sensors.shows(&put)
            });
        let Some(role) = found else { return false };
        let left = |m: Move| m.to() == square && m.role() == Role::Pawn && !m.is_promotion();
        let Some(at) = game.line().iter().rposition(|played| left(played.m)) else { return false };
        let promoted = |m: Move| match m {
            Move::Normal { role: Role::Pawn, from, capture, to, .. } => {
                Move::Normal { role: Role::Pawn, from, capture, to, promotion: Some(role) }
            }
            other => other,
        };
        let moves = game.line()[at..].iter().map(|played| played.m);
        let line: Vec<Move> =
            moves.enumerate().map(|(i, m)| if i == 0 { promoted(m) } else { m }).collect();
        let mut position = game.positions[at].clone();
        for &m in &line {
            if takes_king(m) || !position.is_legal(m) {
                return false;
            }
            position.play_unchecked(m);
        }
        let to = Ply(u32::try_from(at).unwrap_or(u32::MAX));
        self.take_back(to, TakebackReason::Correction, now, out);
        let Some(game) = &mut self.game else { return false };
        let leaf = grow_line(&mut game.tree, ROOT, &line, now, &self.sensors, true, true);
        self.confirm(leaf, ConfirmedBy::Reply, now, out);
        self.match_now(now, out);
        true
    }
}

/// Whether the king has gone where it goes in castling, and the rook may follow.
fn is_half_castling(root: &Chess, fault: Fault) -> bool {
    let Fault::NotLegal { from: Some(from), to: Some(to) } = fault else { return false };
    root.board().role_at(from) == Some(Role::King)
        && root.legal_moves().into_iter().any(|m| {
            matches!(m, Move::Castle { king, rook } if king == from && castled(king, rook).0 == to)
        })
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
        self.irregular = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    /// Placements that look like castling or taking in passing from afar and are neither.
    #[test]
    fn what_is_no_single_act_is_none_and_harms_nothing() {
        for (fen, placement) in [
            // King and rook are gone, a queen stands where the rook would land.
            ("4k3/8/8/8/8/8/8/R2QK3 w Q - 0 1", "4k3/8/8/8/8/8/8/2KQ3R"),
            ("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "4k3/8/8/8/8/8/8/R4BK1"),
            // A king and a rook that stand anywhere.
            ("4k3/8/8/3K4/8/8/3Q2R1/8 w - - 0 1", "4k3/8/8/8/3K4/8/3Q3R/8"),
            // A knight takes, and another man is gone.
            ("4k3/8/8/3p1p2/8/4N3/8/4K3 w - - 0 1", "4k3/8/8/3N4/8/8/8/4K3"),
            ("4k3/8/8/3pp3/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/3P4/8/8/8/4K3"),
        ] {
            let before: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let placement: Board = placement.parse().unwrap();
            assert_eq!(irregular(&before, &placement).map(|(m, _)| m), None, "{fen}");
        }
    }
}
