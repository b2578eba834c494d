//! When is a confirmed position good enough to end a game on?
//!
//! In: confirmed plies, what confirmed them, the clock. Out: the ply up to which ends may be told.

use std::time::Duration;

use shakmaty::{Bitboard, Chess, EnPassantMode, FromSetup, Move, Position, PositionError};

use super::{ConfirmedBy, Lever, Played, TrackEvent, Tracker};
use crate::units::Stamp;

/// A clock that has stood still for so long was stopped because the game is over, or interrupted.
/// Whoever mates stops the clock a second or two later, not before.
const AFTERTHOUGHT: Duration = Duration::from_secs(3);

/// So long after a flag fell people short of time may play on without looking at it.
const UNNOTICED: Duration = Duration::from_secs(15);

/// A board that is asked shows all its squares within this.
pub(super) const DUMPED: Duration = Duration::from_secs(6);

impl Tracker {
    /// Finds confirmed positions that are beyond doubt.
    ///
    /// An end of the game needs more than a move does. A press alone may come while a piece still
    /// slides, so the position must have been on the board for half a second in all and for 0.3 s
    /// after the press (longer than a scan of the board), with the man that moved still on its
    /// square. Stillness is the weakest of the three: a hand may rest on a man for two seconds and then
    /// go on, so that an end is told only after half as long again. A move confirmed by a reply has
    /// been answered. Where other lines lead to the same placement only a checkmate is beyond
    /// doubt: who is in check is to move, whatever was played before. Where an illegal move was left
    /// standing the board must also have been read whole since.
    pub(super) fn review_firm(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.firm_deadline().is_none_or(|due| due > now) {
            return;
        }
        let Some(game) = &mut self.game else { return };
        game.firm = game.ply();
        out.push(TrackEvent::Firm { ply: game.firm });
    }

    pub(super) fn firm_deadline(&self) -> Option<Stamp> {
        let game = self.game.as_ref()?;
        let last = game.line.last().filter(|_| game.firm < game.ply())?;
        if !game.certain {
            return None;
        }
        let board = game.tree.root().position.board();
        let landing = match last.m {
            Move::Castle { king, rook } => super::keys::castled(king, rook).0,
            m => m.to(),
        };
        if !self.sensors.may_read(landing, board.piece_at(landing)) {
            return None;
        }
        // A message damaged on the line looks like an illegal move: the next dump tells.
        let shown_since = |stood| self.sensors.last_dump() > stood && game.current.is_some();
        let unproved = game.irregular.filter(|&stood| !shown_since(stood));
        let proved = unproved.map_or(Stamp::ZERO, |stood| stood + DUMPED);
        let shown = (last.made + self.timing.firm).max(proved);
        Some(match last.by {
            ConfirmedBy::Press => shown.max(last.confirmed + self.timing.firm_press),
            ConfirmedBy::Still => shown.max(last.confirmed + self.timing.firm_still),
            // The log tells of it and it stands there: as good as having seen it.
            ConfirmedBy::Reply | ConfirmedBy::Log => shown,
        })
    }
}

/// Whether the last move was first shown when the clock had stood still for a while, and was not pressed:
/// after the game players and arbiters show each other lines on the board, and none of them ends
/// anything. Nor does a man who went home when another already had, be it sooner: what is counted needs
/// both. A clock that stands because a flag fell may not have been noticed yet.
pub(super) fn is_afterthought(lever: &Lever, line: &[Played], position: &Chess) -> bool {
    let Some((halted, last)) = lever.halted().zip(line.last()) else { return false };
    let flag = lever.flag().is_some();
    let patience = if flag { UNNOTICED } else { AFTERTHOUGHT };
    let after = |played: &Played| !played.pressed && played.made > halted;
    let answers = line.len() > 1 && after(&line[line.len() - 2]);
    let counted = position.halfmoves() >= 2 && !position.legal_moves().is_empty();
    after(last) && (answers && counted && !flag || last.made.since(halted) > patience)
}

/// Whether a position without legal moves has none either without the men on these squares, and the
/// king is in check or not as before: nobody has ever read them there, and at odds there are none.
/// True of other positions.
pub(super) fn ends_without(position: &Chess, unread: Bitboard) -> bool {
    if (unread & position.board().occupied()).is_empty() || !position.legal_moves().is_empty() {
        return true;
    }
    let mut parts = position.to_setup(EnPassantMode::Legal);
    unread.into_iter().for_each(|square| parts.board.discard_piece_at(square));
    let without = Chess::from_setup(parts, position.castles().mode())
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check);
    without.is_ok_and(|without| {
        without.legal_moves().is_empty() && without.is_check() == position.is_check()
    })
}

/// Whether a placement is checkmate whatever was played last: no capture in passing is a way out.
pub(super) fn is_mate_whatever(position: &Chess) -> bool {
    if !position.is_checkmate() {
        return false;
    }
    let (us, board) = (position.turn(), position.board());
    let forward = us.fold_wb(8, -8);
    let passed = board.by_color(!us) & board.pawns();
    passed.into_iter().all(|pawn| {
        let (Some(behind), Some(home)) = (pawn.offset(forward), pawn.offset(2 * forward)) else {
            return true;
        };
        let rank = us.fold_wb(shakmaty::Rank::Fifth, shakmaty::Rank::Fourth);
        if pawn.rank() != rank
            || board.occupied().contains(behind)
            || board.occupied().contains(home)
        {
            return true;
        }
        let mut parts = position.to_setup(EnPassantMode::Legal);
        parts.ep_square = Some(behind);
        Chess::from_setup(parts, position.castles().mode())
            .map_or(true, |other| other.is_checkmate())
    })
}
