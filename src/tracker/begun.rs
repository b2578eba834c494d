//! A game that was begun before the board showed its initial array.
//!
//! A man that is badly centred, or put on his square in the last moment, keeps the array from showing
//! whole; then the first moves are played. What the board showed last while the men were set up says
//! which squares are not read; a first move beside them, or two, says that the game has begun.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Square};

use super::{
    AttentionKind, Closing, Note, Stamp, StartSource, Text, TrackEvent, Tracker,
    ending::ALL_TAKEN_BACK, keys::Key,
};
use crate::wire::Orientation;

/// So many men of the array may be unread.
const MOST_UNREAD: usize = 2;

/// The initial array but for a man or two that were not read on their squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Almost {
    orientation: Orientation,
    unread: Bitboard,
}

impl Tracker {
    /// Remembers the board if it shows the initial array but for a man or two.
    ///
    /// Only after another game, for then the men are being set up again: on a new board a missing man
    /// may be odds given.
    pub(super) fn note_almost(&mut self) {
        let men = self.sensors.board().occupied().count();
        if !self.may_be_next() || !(30..=33).contains(&men) {
            return;
        }
        for orientation in [Orientation::Normal, Orientation::Rotated] {
            let unread = self.away_from_array(orientation);
            let home = Board::new();
            let others_home = unread.is_subset(home.occupied() & !home.kings());
            let better = self.setup.almost.is_none_or(|before| {
                before.orientation != orientation || unread.count() <= before.unread.count()
            });
            if others_home && better && (1..=MOST_UNREAD).contains(&unread.count()) {
                self.setup.almost = Some(Almost { orientation, unread });
            }
        }
    }

    /// The squares, in this orientation, that do not read what they hold in the initial array.
    fn away_from_array(&self, orientation: Orientation) -> Bitboard {
        let (array, turned) = (Board::new(), orientation != self.sensors.orientation());
        let reads = |square: &Square| {
            let at = if turned { square.rotate_180() } else { *square };
            let odd = self.sensors.odd().contains(at) && !self.sensors.flickering().contains(at);
            !odd && self.sensors.may_read(at, array.piece_at(*square))
        };
        Square::ALL.into_iter().filter(|square| !reads(square)).collect()
    }

    /// Begins the next game if the board shows one or two moves of it, and for the rest what it showed
    /// when the men had nearly been set up; whether it did.
    pub(super) fn begin_unseen(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) -> bool {
        let Some(Almost { orientation, unread }) = self.setup.almost else { return false };
        let men = self.sensors.board().occupied().count();
        let old = self.game.as_ref().is_some_and(|game| game.ply() <= ALL_TAKEN_BACK);
        if old || !self.may_be_next() || !(28..=33).contains(&men) {
            return false;
        }
        let moved = self.away_from_array(orientation) & !unread;
        if !(2..=4).contains(&moved.count()) || !self.first_moves(moved, orientation) {
            return false;
        }
        if self.game.is_some() {
            self.confirm_last_shown(now, out);
            self.finish(Closing::NextGame, out);
        }
        self.turn_board(orientation);
        self.begin_though_unread(unread, now, out);
        true
    }

    /// Whether a first move, or the first two, lead to what these squares show.
    fn first_moves(&self, moved: Bitboard, orientation: Orientation) -> bool {
        let turned = orientation != self.sensors.orientation();
        let shown = |position: &Chess, squares: Bitboard| {
            squares.into_iter().all(|square| {
                let at = if turned { square.rotate_180() } else { square };
                self.sensors.may_read(at, position.board().piece_at(square))
            })
        };
        let touched = |m: Move| Bitboard::from_iter(m.from()).with(m.to());
        let start = Chess::new();
        start.legal_moves().into_iter().filter(|m| touched(*m).is_subset(moved)).any(|first| {
            let mut after = start.clone();
            after.play_unchecked(first);
            let rest = moved & !touched(first);
            shown(&after, touched(first))
                && (rest.is_empty()
                    || after.legal_moves().into_iter().any(|second| {
                        let mut after = after.clone();
                        after.play_unchecked(second);
                        touched(second).is_subset(moved) && shown(&after, moved)
                    }))
        })
    }

    /// Begins a game from the initial array, of which a man or two are not read on their squares.
    pub(super) fn begin_though_unread(
        &mut self,
        unread: Bitboard,
        now: Stamp,
        out: &mut Vec<TrackEvent>,
    ) {
        self.begin(Chess::new(), StartSource::InitialArray, now, out);
        for (square, man) in Board::new() {
            // Another man who stands there keeps the array from being right (7.2.1): that is told.
            let other = self.sensors.contact(square).man().is_some()
                && !self.sensors.flickering().contains(square);
            if unread.contains(square) && !other {
                self.sensors.assume(square, man);
                out.push(TrackEvent::Noted(Note {
                    kind: AttentionKind::MissingPiece,
                    squares: vec![square],
                    text: Text::ReadsEmpty(square),
                }));
            }
        }
        self.match_now(now, out);
    }

    /// The orientation in which the board shows what one or two moves make of the initial array: the
    /// game was begun before the last man stood on his square, or before anybody looked.
    pub(super) fn begun(&self) -> Option<Orientation> {
        let start = Chess::new();
        let array = Key::of(start.board());
        let after = start.legal_moves().into_iter().flat_map(|first| {
            let key = array.after(Color::White, first);
            let mut position = start.clone();
            position.play_unchecked(first);
            let second = position.legal_moves();
            let second = second.into_iter().map(move |m| key.after(Color::Black, m));
            std::iter::once(key).chain(second)
        });
        let both = [Orientation::Normal, Orientation::Rotated];
        let shown = both.map(|orientation| self.sensors.key_in(orientation));
        after
            .into_iter()
            .find_map(|key| both.into_iter().zip(shown).find(|(_, shown)| *shown == key))
            .map(|(orientation, _)| orientation)
    }
}
