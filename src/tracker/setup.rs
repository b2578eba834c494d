//! No game is on: wait for the initial array, or for a move from a position that was set up.
//!
//! A set-up position has no side to move and no history. It becomes a game when a running clock
//! says whose turn it is, or when a legal move is made from it, which says the same.

use std::time::Duration;

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, FromSetup, Position, Setup as Parts, Square,
};

use super::{
    AttentionKind, Closing, NodeId, Note, ROOT, Stamp, StartSource, Text, TrackEvent, Tracker,
    begun::Almost, ending::Array, tree::Tree,
};
use crate::wire::Orientation;

/// A game that was begun a move or two ago does not wait for the board's own log to the end: a log that
/// is coming has begun to come so much earlier.
const NOT_HELD: Duration = Duration::from_secs(16);

/// A position that stands on the board without a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Setup {
    /// The placement was looked at since it last changed: for a game that was begun before, and for a
    /// position that was set up.
    begun_looked: bool,
    looked: bool,
    /// It is not looked at before that.
    held: Stamp,
    /// The last change of a square when it was asked to wait.
    held_at: Stamp,
    /// Since when hardly a man is missing from the initial array.
    nearly: Option<Stamp>,
    /// The array as it showed best, when not all of it was read.
    pub(super) almost: Option<Almost>,
    white: Option<Box<Tree>>,
    black: Option<Box<Tree>>,
}

impl Setup {
    pub(super) fn hold(&mut self, until: Stamp, last_change: Stamp) {
        self.held_at = last_change;
        self.held = until;
    }
}

impl Tracker {
    pub(super) fn setup_deadline(&self) -> Option<Stamp> {
        let stood = self.sensors.last_change() + self.timing.setup;
        let Setup { begun_looked, looked, held, .. } = self.setup;
        let due = match (begun_looked, looked || self.had_game) {
            // A board that tells of men is not sending its log.
            (false, _) if self.sensors.last_change() > self.setup.held_at => {
                stood.max(Stamp::ZERO + held.since(Stamp::ZERO + NOT_HELD))
            }
            (false, _) | (true, false) => stood.max(held),
            (true, true) => return None,
        };
        self.game.is_none().then_some(due)
    }

    /// How many men are missing from the initial array, when nothing else is wrong.
    fn missing_from_array(&self) -> Option<Bitboard> {
        let array = Board::new();
        let missing = self.sensors.differences(&array);
        let strays = missing & self.sensors.board().occupied() | missing & self.sensors.odd();
        (strays.is_empty() && missing.count() <= 2).then_some(missing)
    }

    /// Whether the next game may begin with a man that is not read.
    ///
    /// Only after another game, for then the men are being set up again: on a new board a missing man
    /// may be odds given.
    pub(super) fn may_be_next(&self) -> bool {
        self.had_game
            && self.game.as_ref().is_none_or(|game| game.upheaval >= super::ending::UPHEAVAL)
    }

    pub(super) fn note_nearly(&mut self, now: Stamp) {
        if self.had_game {
            let nearly = self.may_be_next() && self.missing_from_array().is_some();
            self.setup.nearly = nearly.then(|| self.setup.nearly.unwrap_or(now));
        }
    }

    pub(super) fn nearly_deadline(&self) -> Option<Stamp> {
        self.setup.nearly.map(|since| since.max(self.sensors.last_change()) + self.timing.setup)
    }

    /// Begins the next game when all men but one are in place and stay there: a man that is badly
    /// centred, or put there in the last moment, must not cost the game.
    pub(super) fn review_nearly(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.nearly_deadline().is_none_or(|due| due > now) {
            return;
        }
        let kings = Board::new().kings();
        let missing = self.missing_from_array().and_then(Bitboard::single_square);
        let Some(square) = missing.filter(|&square| !kings.contains(square)) else {
            self.setup.nearly = None;
            return;
        };
        if self.game.is_some() {
            self.confirm_last_shown(now, out);
            self.finish(Closing::NextGame, out);
        }
        self.begin_though_unread(Bitboard::from_square(square), now, out);
    }

    pub(super) fn changed_without_game(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        (self.setup.begun_looked, self.setup.looked) = (false, false);
        if let Some(orientation) = self.initial_array() {
            self.turn_board(orientation);
            self.begin(Chess::new(), StartSource::InitialArray, now, out);
            self.match_now(now, out);
            return;
        }
        self.sensors.keys(&mut self.keys);
        let mut fits: Vec<Chess> = Vec::new();
        for tree in [&mut self.setup.white, &mut self.setup.black].into_iter().flatten() {
            tree.grow(&self.keys, now, &mut self.found);
            if self.found.iter().any(|&id: &NodeId| id != ROOT) {
                fits.push(tree.root().position.clone());
            }
        }
        if let [position] = &fits[..] {
            let position = position.clone();
            self.begin(position, StartSource::Setup, now, out);
            self.match_now(now, out);
        }
    }

    pub(super) fn review_setup(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        if let Some(orientation) = self.initial_array().or_else(|| self.array_and_more(now)) {
            self.turn_board(orientation);
            self.begin(Chess::new(), StartSource::InitialArray, now, out);
            self.match_now(now, out);
            return;
        }
        if self.setup_deadline().is_none_or(|due| due > now) {
            return;
        }
        let straddled = |orientation| match self.straddling(orientation) {
            Some(Array::Straddled(square)) => Some((orientation, square)),
            _ => None,
        };
        let both = [Orientation::Normal, Orientation::Rotated];
        if let Some((orientation, square)) = both.into_iter().find_map(straddled) {
            self.turn_board(orientation);
            self.begin_though_unread(Bitboard::from_square(square), now, out);
            return;
        }
        if !std::mem::replace(&mut self.setup.begun_looked, true) {
            if let Some(orientation) = self.begun() {
                let unseen = !self.had_game;
                self.turn_board(orientation);
                self.begin(Chess::new(), StartSource::InitialArray, now, out);
                if let Some(game) = self.game.as_mut().filter(|_| unseen) {
                    game.after_gap = true;
                }
                self.match_now(now, out);
                return;
            }
            if self.setup_deadline().is_none_or(|due| due > now) {
                return;
            }
        }
        self.setup.looked = true;
        if !self.sensors.odd().is_empty() || self.sensors.board().is_empty() {
            return;
        }
        self.guess_orientation();
        let (white, black) =
            [Color::White, Color::Black].map(|turn| position_of(self.sensors.board(), turn)).into();
        let by_clock = self.lever.turn().filter(|_| self.lever.running());
        match (by_clock, &white, &black) {
            (Some(Color::White), Some(position), _) | (Some(Color::Black), _, Some(position)) => {
                let position = position.clone();
                self.begin(position, StartSource::Setup, now, out);
                self.match_now(now, out);
                return;
            }
            (_, None, None) => {
                out.push(TrackEvent::Noted(Note {
                    kind: AttentionKind::SetupUnclear,
                    squares: Vec::new(),
                    text: Text::NoPosition,
                }));
            }
            _ => out.push(TrackEvent::Noted(Note {
                kind: AttentionKind::SetupUnclear,
                squares: Vec::new(),
                text: Text::SetUpWaits,
            })),
        }
        self.setup.white = white.map(|position| Box::new(Tree::new(position, now)));
        self.setup.black = black.map(|position| Box::new(Tree::new(position, now)));
    }

    /// White's men stand nearer to White's side, as a rule.
    fn guess_orientation(&mut self) {
        let rank_sum = |men: Bitboard| -> i64 {
            let count = i64::try_from(men.count()).unwrap_or(1).max(1);
            men.into_iter().map(|square| i64::from(u32::from(square.rank()))).sum::<i64>() * 64
                / count
        };
        let board = self.sensors.board();
        let turned = rank_sum(board.white()) > rank_sum(board.black()) + 64;
        // A board that has shown its orientation, or was told it, is only turned on clear evidence.
        if turned && self.sensors.orientation() == Orientation::Normal {
            self.turn_board(Orientation::Rotated);
        }
    }
}

/// The position of a placement with this side to move, with every castling right it allows.
fn position_of(board: &Board, turn: Color) -> Option<Chess> {
    if !super::countable(board) {
        return None;
    }
    let rights: Bitboard =
        [(Square::E1, [Square::A1, Square::H1]), (Square::E8, [Square::A8, Square::H8])]
            .into_iter()
            .flat_map(|(king, rooks)| {
                let color = board.color_at(king);
                let at_home = board.role_at(king) == Some(shakmaty::Role::King);
                let home_rank = color.is_some_and(|c| c.is_white() == (king == Square::E1));
                rooks.into_iter().filter(move |&rook| {
                    at_home
                        && home_rank
                        && board.role_at(rook) == Some(shakmaty::Role::Rook)
                        && board.color_at(rook) == color
                })
            })
            .collect();
    let parts = Parts { board: board.clone(), turn, castling_rights: rights, ..Parts::empty() };
    Chess::from_setup(parts, CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .ok()
        .filter(|position| !position.legal_moves().is_empty())
}
