//! The end of a game on the board: kings in the centre, a special piece, the next initial array.

use std::time::Duration;

use shakmaty::{Bitboard, Board, Chess, Color, KnownOutcome, Move, Position, Role, Square};

use super::{
    AttentionKind, CENTRE, Closing, ConfirmedBy, Note, ROOT, Stamp, StartSource, TakebackReason,
    Text, TrackEvent, Tracker, firm::DUMPED, keys::Key, king_to_centre,
};
use crate::{
    units::Ply,
    wire::{Contact, Orientation, Token},
};

/// A result shown on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signal {
    outcome: KnownOutcome,
    told: Stamp,
}

/// How the initial array shows on a board some of whose squares flicker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Array {
    /// Each man is read on his square, now or by turns with something else.
    Whole,
    /// So is each but this one, who stands on the border of his square and is read on the next one by
    /// turns with the man there.
    Straddled(Square),
}

/// A king that stood in the centre so long before the other came may have moved there.
const ALONE: Duration = Duration::from_secs(1);

/// No hand lifts a king and puts it back as fast as this.
const FLASH: Duration = Duration::from_millis(200);

/// Whoever makes the last move may stop the clock before the board has told of it.
const AFTER_HALT: Duration = Duration::from_secs(1);

/// A mate that stood so long was no slip of a hand.
const FINISHED: Duration = Duration::from_secs(5);

/// Squares that differ from the last position by this many, or more, come from setting up anew.
pub(super) const UPHEAVAL: usize = 6;

/// Nobody takes back more plies than these at a stroke to begin again: it is another game, and the
/// record of this one stands.
pub(super) const ALL_TAKEN_BACK: Ply = Ply(4);

impl Tracker {
    /// A result the board shows, where, and since when.
    ///
    /// Two kings on the four centre squares always touch, so no game has such a position: both on
    /// light squares (e4, d5) say that White wins, on dark ones (d4, e5) that Black wins, one on
    /// each that it is a draw.
    pub(super) fn shown_result(&self) -> Option<(KnownOutcome, Vec<Square>, Stamp)> {
        let (board, odd) = (self.sensors.board(), self.sensors.odd());
        // Asked after every message: nearly always nothing can show one.
        if odd.is_empty()
            && (self.sensors.flickering() & CENTRE).is_empty()
            && (board.kings() & CENTRE).count() < 2
        {
            return None;
        }
        let [white, black] = Color::ALL.map(|color| self.kings_read(color));
        let kings = white | black;
        if kings.count() == 2 && kings.is_subset(CENTRE) && !self.stepped_beside(kings) {
            let squares: Vec<Square> = kings.into_iter().collect();
            let one_each = white.count() == 1 && black.count() == 1;
            let light = squares.iter().filter(|square| square.is_light()).count();
            let outcome = match light {
                2 => KnownOutcome::Decisive { winner: Color::White },
                0 => KnownOutcome::Decisive { winner: Color::Black },
                _ => KnownOutcome::Draw,
            };
            let since = self.kings_shown_since(kings);
            return one_each.then_some((outcome, squares, since));
        }
        let square = self.sensors.odd().single_square().filter(|&square| self.added(square))?;
        let outcome = match self.sensors.contact(square) {
            Contact::Token(Token::Draw) => KnownOutcome::Draw,
            Contact::Token(Token::WhiteWins) => KnownOutcome::Decisive { winner: Color::White },
            Contact::Token(Token::BlackWins) => KnownOutcome::Decisive { winner: Color::Black },
            _ => return None,
        };
        // Such codes also flash up while men move: a special piece must stand longer than kings, and
        // while nothing else changes. A damaged message makes one of nothing: the next dump tells.
        let borne_out = self.sensors.last_dump() > self.sensors.changed_at(square);
        let proved = if borne_out { Duration::ZERO } else { DUMPED };
        Some((outcome, vec![square], self.sensors.last_change() + self.timing.gesture + proved))
    }

    /// Whether one of these kings was moved beside the other, which the game has in the centre, and the
    /// clock pressed for that: an illegal move, which was told, and no result.
    fn stepped_beside(&self, kings: Bitboard) -> bool {
        self.illegal_stands().is_some_and(|m| {
            king_to_centre(m) && kings.contains(m.to()) && (kings & self.kings_of_the_game()).any()
        })
    }

    /// Since when the kings stand in the centre as they do.
    fn kings_shown_since(&self, kings: Bitboard) -> Stamp {
        // A king that is badly centred shows again and again.
        let steady = kings & !self.sensors.flickering();
        let since = steady.into_iter().map(|square| self.sensors.changed_at(square)).max();
        let since = since.unwrap_or_else(|| self.sensors.last_change());
        let flickers = (kings & !steady).into_iter();
        let since =
            flickers.map(|square| self.sensors.flickers_since(square)).fold(since, Stamp::max);
        // One that does so where the game has him may be in a hand, on his way to the result.
        let board = self.game.as_ref().map(|game| game.tree.root().position.board());
        let at_home =
            |square: &Square| board.is_some_and(|b| b.role_at(*square) == Some(Role::King));
        let restless: Bitboard = (kings & !steady).into_iter().filter(at_home).collect();
        let changed = restless.into_iter().map(|square| self.sensors.changed_at(square));
        let since = changed.fold(since, Stamp::max);
        // A king that stands in the centre already makes a result of the first king put beside it:
        // its own turn to be moved comes yet.
        let half = restless | kings & self.kings_of_the_game();
        if half.any() {
            since + self.timing.gesture_half
        } else if self.kings_put_back().any() {
            // That is how he shows a result; or he was only put right.
            since + self.timing.gesture_half / 2
        } else {
            since
        }
    }

    /// The kings that were lifted from where the game has them, and put back, not long before the other
    /// came to the centre.
    fn kings_put_back(&self) -> Bitboard {
        let Some(game) = &self.game else { return Bitboard::EMPTY };
        let (root, kings) = (game.tree.root(), self.sensors.board().kings());
        let second = kings.into_iter().map(|square| self.sensors.changed_at(square)).max();
        let put_back = |square: &Square| {
            let since = self.sensors.changed_at(*square);
            self.sensors.contact(*square).man() == root.position.board().piece_at(*square)
                && since > root.made
                && second.unwrap_or_default().since(since) <= self.timing.kings_apart
                && !self.sensors.flashed(*square, FLASH)
        };
        (kings & root.position.board().kings()).into_iter().filter(put_back).collect()
    }

    /// Where a king is read, or flickers in the centre.
    fn kings_read(&self, color: Color) -> Bitboard {
        let read = self.sensors.board().kings() & self.sensors.board().by_color(color);
        if read.any() {
            return read;
        }
        let king = Some(Role::King.of(color));
        let flickering = self.sensors.flickering() & CENTRE;
        flickering.into_iter().filter(|&square| self.sensors.may_read(square, king)).collect()
    }

    /// Whether something stands on this square beside all men of the game: a man that is misread is
    /// no special piece.
    fn added(&self, square: Square) -> bool {
        self.game.as_ref().is_some_and(|game| {
            let shown = [Some(ROOT), game.current, game.left.map(|(id, _)| id)];
            shown.into_iter().flatten().any(|id| {
                let board = game.tree.node(id).position.board();
                board.piece_at(square).is_none()
                    && self.sensors.differences(board) == Bitboard::from_square(square)
            })
        })
    }

    /// Where the kings stand in the game that is shown, moved there before anybody thought of a result.
    fn kings_of_the_game(&self) -> Bitboard {
        let put_back = self.kings_put_back();
        self.game.as_ref().map_or(Bitboard::EMPTY, |game| {
            let shown = game.current.or(game.left.map(|(id, _)| id)).unwrap_or(ROOT);
            let board = game.tree.node(shown).position.board();
            let kings = self.sensors.board().kings();
            let second = kings.into_iter().map(|square| self.sensors.changed_at(square)).max();
            board
                .kings()
                .into_iter()
                .filter(|&square| {
                    let since = self.sensors.changed_at(square);
                    let alone = second.unwrap_or_default().since(since);
                    let flashed = self.sensors.flashed(square, FLASH);
                    let moved = alone >= ALONE && !put_back.contains(square);
                    self.sensors.contact(square).man() == board.piece_at(square)
                        && (since <= game.tree.root().made || moved || flashed)
                })
                .collect()
        })
    }

    pub(super) fn signal_deadline(&self) -> Option<Stamp> {
        self.game.as_ref()?;
        let shown = self.shown_result();
        match (self.signal, shown) {
            (None, Some((_, _, since))) => Some(since + self.timing.gesture),
            (Some(signal), Some((outcome, _, since))) if outcome != signal.outcome => {
                Some((signal.told + self.timing.closing).min(since + self.timing.gesture))
            }
            (Some(signal), _) => Some(signal.told + self.timing.closing),
            (None, None) => None,
        }
    }

    pub(super) fn review_signal(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.game.is_none() {
            return;
        }
        let shown = self.shown_result();
        match (self.signal, shown) {
            (None, Some((outcome, squares, since))) if since + self.timing.gesture <= now => {
                self.forget_king_moves(now, out);
                self.confirm_last_shown(now, out);
                self.bear_out(outcome, out);
                out.push(TrackEvent::Result { outcome, squares });
                self.signal = Some(Signal { outcome, told: now });
            }
            // Kings put back to where the game is take the result back; anything else is tidying up.
            (Some(_), None) if self.shows_the_game() => {
                self.signal = None;
                self.match_now(now, out);
            }
            (Some(signal), shown) => {
                if let Some((outcome, squares, since)) = shown
                    && outcome != signal.outcome
                    && since + self.timing.gesture <= now
                {
                    out.push(TrackEvent::Result { outcome, squares });
                    self.signal = Some(Signal { outcome, told: now });
                    return;
                }
                if signal.told + self.timing.closing <= now {
                    self.finish(Closing::Signalled, out);
                }
            }
            _ => {}
        }
    }

    /// The game is over. Says so if nobody knows what was played last.
    pub(super) fn finish(&mut self, how: Closing, out: &mut Vec<TrackEvent>) {
        if let Some(game) = self.game.as_ref().filter(|game| game.after_gap) {
            out.push(TrackEvent::Noted(Note {
                kind: AttentionKind::Gap,
                squares: Vec::new(),
                text: Text::EndUnseen { after: game.ply() },
            }));
        }
        self.close();
        out.push(TrackEvent::Closed { how });
    }

    /// Players who show the very result that their last move brought about have let go of it: what it
    /// ends, it ends.
    fn bear_out(&mut self, outcome: KnownOutcome, out: &mut Vec<TrackEvent>) {
        let Some(game) = &mut self.game else { return };
        let position = &game.tree.root().position;
        let ended = position.legal_moves().is_empty();
        let own = if position.is_checkmate() {
            KnownOutcome::Decisive { winner: !position.turn() }
        } else {
            KnownOutcome::Draw
        };
        if ended && own == outcome && game.certain() && game.firm < game.ply() {
            game.firm = game.ply();
            out.push(TrackEvent::Firm { ply: game.firm });
        }
    }

    fn shows_the_game(&self) -> bool {
        self.game.as_ref().is_some_and(|game| self.sensors.shows(game.tree.root().position.board()))
    }

    /// Kings on their way to the centre may have been taken for moves.
    fn forget_king_moves(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        let mut to = game.ply().0;
        let shown = game.current.or(game.left.map(|(id, _)| id));
        let king = shown.and_then(|id| game.tree.node(id).parent).filter(|(from, _)| *from == ROOT);
        let cleared = king.zip(to.checked_sub(1));
        let cleared = cleared.is_some_and(|((_, m), last)| self.took_what_was_cleared(m, last));
        to -= u32::from(cleared);
        while let Some(played) = to.checked_sub(1).map(|last| &game.line()[last as usize]) {
            let recent = now.since(played.made) <= Duration::from_secs(6);
            let king = played.m.role() == Role::King && !played.m.is_castle();
            let us = game.position(Ply(to - 1)).map_or(Color::White, Chess::turn);
            if played.by == ConfirmedBy::Press
                || !king
                || !recent
                || king_to_centre(played.m) && !self.shows_only(us, played.m, played.made)
            {
                break;
            }
            to -= 1;
        }
        // Only a run of king moves that ends in the centre is a gesture.
        let centre = game.line()[to as usize..].iter().any(|played| king_to_centre(played.m));
        if centre || cleared {
            self.take_back(Ply(to), TakebackReason::Correction, now, out);
        }
    }

    /// Whether a king takes, in the centre, a man that a ply had put there and nobody saw: the man was
    /// cleared away for the king.
    fn took_what_was_cleared(&self, king: Move, before: u32) -> bool {
        let Some(game) = &self.game else { return false };
        let (Some(victim), Some(position)) =
            (game.line().get(before as usize), game.position(Ply(before)))
        else {
            return false;
        };
        let (landing, man) = super::weigh::arrival(position, victim.m);
        king_to_centre(king)
            && king.is_capture()
            && landing == king.to()
            && !victim.pressed
            && self.sensors.saw(landing, man, game.shown_until(Ply(before)), Stamp::ZERO).is_none()
    }

    /// Whether the game has ended by a mate or stalemate that stood on the board long after it was
    /// final. What is done to the men then is analysis and takes nothing back (5.1.1, 5.2.1: it ends
    /// the game at once); only the arbiter can.
    pub(super) fn finished(&self) -> bool {
        self.game.as_ref().is_some_and(|game| {
            let root = game.tree.root();
            game.tree.is_end(ROOT)
                && game.firm == game.ply()
                && game
                    .line()
                    .last()
                    .is_some_and(|last| root.shown_until.since(last.made) >= FINISHED)
        })
    }

    /// Whether a king's move to the centre shows a result and is no move of the game.
    ///
    /// Only where two kings show one; and then not if it took something while the clock ran, if the
    /// king was lifted again afterwards (to stand elsewhere in the centre, or to be put back there),
    /// or if the other king followed so late that nobody would have waited for it.
    fn shows_only(&self, us: Color, m: Move, made: Stamp) -> bool {
        let kings = self.sensors.board().kings();
        if !king_to_centre(m) || kings.count() != 2 || !kings.is_subset(CENTRE) {
            return false;
        }
        let stands = self.sensors.contact(m.to()).man() == Some(Role::King.of(us));
        let other = (kings & self.sensors.board().by_color(!us)).first();
        let apart = other.map_or(Duration::ZERO, |at| self.sensors.changed_at(at).since(made));
        let again = self.sensors.changed_at(m.to()).since(made) >= self.timing.touch;
        // Who stops the clock first clears the square for his king.
        let cleared = self.lever.halted().is_some_and(|halted| halted < made);
        (!m.is_capture() || cleared) && stands && !again && apart < self.timing.kings_apart
    }

    /// The last move shown before the board was cleared stands, if it stood long enough.
    pub(super) fn confirm_last_shown(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        let Some((left, stood)) =
            game.left.or_else(|| game.current.map(|id| (id, game.stood + now.since(game.arrived))))
        else {
            return;
        };
        let path = game.tree.path(left);
        let mut kings = false;
        for &id in &path {
            let node = game.tree.node(id);
            let Some((parent, m)) = node.parent else { continue };
            if self.shows_only(game.tree.node(parent).position.turn(), m, node.made) {
                return;
            }
            kings |= king_to_centre(m);
        }
        // One king in the centre and the other off the board: that is no move.
        if kings && self.sensors.board().kings().count() < 2 {
            return;
        }
        // Kings that were taken away for the result say nothing against the move.
        let board = game.tree.node(left).position.board();
        let others = !(board.kings() | CENTRE);
        let rest_stands = (self.sensors.differences(board) & others).is_empty();
        let needed = match (rest_stands, game.tree.is_end(left)) {
            (true, _) => 100,
            (false, true) => 300,
            (false, false) => 600,
        };
        if left != ROOT && stood >= Duration::from_millis(needed) {
            self.confirm(left, ConfirmedBy::Still, now, out);
            if let Some(game) = &mut self.game {
                // A king that may yet turn out to show a result ends no game by itself.
                if !kings && game.certain() {
                    game.firm = game.ply();
                    out.push(TrackEvent::Firm { ply: game.firm });
                }
            }
        }
    }

    /// Starts the next game if the board shows the initial array and has been rearranged for it.
    pub(super) fn next_game_at_once(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(orientation) = self.initial_array() else { return };
        let Some(game) = &self.game else { return };
        if game.upheaval < UPHEAVAL
            && game.ply() <= ALL_TAKEN_BACK
            && self.signal.is_none()
            && game.key(Ply(0)).is_some_and(is_initial)
        {
            // A few men put back: a takeback of everything.
            return;
        }
        if !game.shown {
            // A game from another position was asked for, and its men are still to be set up.
            return;
        }
        self.confirm_last_shown(now, out);
        self.forget_homecoming(now, out);
        self.finish(Closing::NextGame, out);
        self.turn_board(orientation);
        self.begin(Chess::new(), StartSource::InitialArray, now, out);
        self.match_now(now, out);
    }

    /// The first men that go home for the next game may look like moves of this one: they end on
    /// their squares of the initial array, nobody presses, and the clock stands still.
    fn forget_homecoming(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        let array = Board::new();
        let mut to = game.ply().0;
        while let Some(last) = to.checked_sub(1) {
            let played = &game.line()[last as usize];
            let Some(before) = game.position(Ply(last)) else { break };
            let (landing, man) = super::weigh::arrival(before, played.m);
            let home = array.piece_at(landing) == Some(man) && !played.m.is_capture();
            let recent = now.since(played.made) <= Duration::from_secs(60);
            let after_halt =
                self.lever.halted().is_some_and(|halted| halted + AFTER_HALT < played.made);
            // What ended the game, and was told, is no man going home.
            let ended = game.tree.is_end(ROOT) && game.firm > Ply(last);
            if !(home || after_halt) || !recent || played.pressed || ended {
                break;
            }
            to = last;
        }
        let least = if self.lever.halted().is_some() { 1 } else { 2 };
        if game.ply().0 - to >= least {
            self.take_back(Ply(to), TakebackReason::Correction, now, out);
        }
    }

    /// The orientation in which the board shows the initial array.
    pub(super) fn initial_array(&self) -> Option<Orientation> {
        [Orientation::Normal, Orientation::Rotated].into_iter().find(|&orientation| {
            is_initial(self.sensors.key_in(orientation)) || self.may_be_initial(orientation)
        })
    }

    /// Whether the board shows the initial array but for squares that flicker between its man and
    /// another: no hand puts a man on his square again and again.
    fn may_be_initial(&self, orientation: Orientation) -> bool {
        let flickering = self.sensors.flickering() & !self.sensors.assumed();
        if flickering.is_empty() {
            return false;
        }
        self.straddling(orientation) == Some(Array::Whole)
    }

    /// Whether the initial array shows through squares that flicker.
    pub(super) fn straddling(&self, orientation: Orientation) -> Option<Array> {
        let turned = orientation != self.sensors.orientation();
        let flickering = self.sensors.flickering() & !self.sensors.assumed();
        let mut missing = None;
        for (square, man) in
            Square::ALL.into_iter().map(|square| (square, Board::new().piece_at(square)))
        {
            let at = if turned { square.rotate_180() } else { square };
            let reads = self.sensors.contact(at).man();
            if self.sensors.may_read(at, man) && (reads == man || reads.is_some()) {
                continue;
            }
            let man = man.filter(|_| reads.is_none() && missing.is_none())?;
            flickering
                .into_iter()
                .find(|next| next.distance(at) == 1 && self.sensors.may_read(*next, Some(man)))?;
            missing = Some(square);
        }
        Some(missing.map_or(Array::Whole, Array::Straddled))
    }

    /// The orientation in which the board has shown for a while all men of the initial array on their
    /// squares, and beside them something that cannot be a man of the game.
    pub(super) fn array_and_more(&self, now: Stamp) -> Option<Orientation> {
        let stands = self.sensors.last_change() + self.timing.setup <= now;
        [Orientation::Normal, Orientation::Rotated]
            .into_iter()
            .find(|&orientation| stands && self.all_men_are_home(orientation))
    }

    /// Whether all men of the initial array stand on their squares and something else elsewhere.
    fn all_men_are_home(&self, orientation: Orientation) -> bool {
        let array = Board::new();
        let turned = orientation != self.sensors.orientation();
        self.sensors.board().occupied().count() > array.occupied().count()
            && array.into_iter().all(|(square, man)| {
                let square = if turned { square.rotate_180() } else { square };
                self.sensors.contact(square).man() == Some(man)
            })
    }
}

fn is_initial(key: Key) -> bool {
    key == Key::INITIAL
}
