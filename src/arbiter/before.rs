//! The game before the one that is on: kept so that it can be given back when the next one was started,
//! or another position set, by mistake.
//!
//! One game is kept. Giving it back puts the one that was on in its place, so that this can be undone
//! in its turn. The tracker is told its moves again as after a restart: what was live and what a
//! journal tells lead to the same game.

use std::{collections::BTreeMap, sync::Arc};

use shakmaty::{Bitboard, Position as _, Square, uci::UciMove};

use super::{Arbiter, LiveGame, Output, Refusal, Reply, status::Line};
use crate::{
    arbiter::event::{ConfirmedBy, EndedHow, EventKind, StartSource},
    laws::text::Language,
    link::{BoardEvent, Snapshot},
    tracker::irregular,
    units::{Ply, Stamp},
    wire::Orientation,
};

/// How a board stands: which way round, and which squares are taken to hold a man they do not read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stands {
    pub orientation: Orientation,
    pub assumed: Bitboard,
}

/// A game that made way for the one that is on.
#[derive(Clone, Debug)]
pub(super) struct Before {
    game: LiveGame,
    next_tags: BTreeMap<String, String>,
    stands: Stands,
}

/// What is known of the squares since the game before was last on.
#[derive(Clone, Debug, Default)]
pub(super) enum Since {
    /// Nobody knows.
    #[default]
    Unknown,
    /// They have read this ever since.
    Unmoved(Box<Snapshot>),
}

impl Arbiter {
    /// The number of the game that can be given back.
    pub fn before(&self) -> Option<u32> {
        self.before.as_ref().map(|before| before.game.number())
    }

    /// The game that is on, or was, makes way for another. `next_tags` are those of the next game as
    /// they were while it was on.
    pub(super) fn put_aside(&mut self, next_tags: BTreeMap<String, String>) {
        let Some(game) = self.game.take() else { return };
        let stands = self.stands;
        let unmoved = self.link.squares().filter(|_| {
            let shown = self.tracker.sensors();
            // What the game stood at stands there still.
            self.line == Line::Ready
                && shown.known()
                && shown.board() == game.history().position().board()
        });
        self.since = unmoved.map_or(Since::Unknown, |squares| Since::Unmoved(Box::new(*squares)));
        self.before = Some(Arc::new(Before { game, next_tags, stands }));
    }

    /// Notes how the board stands while a game is on.
    pub(super) fn note_stands(&mut self) {
        let sensors = self.tracker.sensors();
        self.stands = Stands { orientation: sensors.orientation(), assumed: sensors.assumed() };
    }

    /// The squares were told of: whether they still read what they read when the game made way.
    pub(super) fn note_squares(&mut self, event: &BoardEvent) {
        let Since::Unmoved(squares) = &self.since else { return };
        let moved = match event {
            BoardEvent::Changed { .. } | BoardEvent::Silent => true,
            BoardEvent::Dump(read) => read != squares,
            _ => false,
        };
        if moved {
            self.since = Since::Unknown;
        }
    }

    /// The game before is on again, as it was; the one that was on is closed and kept in its place.
    pub(super) fn undo_start(
        &mut self,
        expected_ply: Ply,
        language: Option<Language>,
        now: Stamp,
        out: &mut Vec<Output>,
    ) -> Result<Reply, Refusal> {
        let game = self.game.as_ref().ok_or(Refusal::NoGame)?;
        super::requests::fresh(game, expected_ply)?;
        let before = self.before.take().ok_or(Refusal::NothingBefore)?;
        let (void, number) = (game.ply(), game.number());
        self.close_game(EndedHow::Withdrawn, now, out);
        // What was seen since the game before was on, not since the other makes way now.
        let unmoved = matches!(self.since, Since::Unmoved(_));
        let next_tags = std::mem::take(&mut self.next_tags);
        self.put_aside(next_tags.clone());
        let Before { mut game, next_tags: earlier, stands } = Arc::unwrap_or_clone(before);
        // A pairing that came since is the newer one.
        self.next_tags = if next_tags.is_empty() { earlier } else { next_tags };
        self.stands = stands;
        let closed = game.come_back();
        self.retrace(&game, stands, now);
        if !unmoved && !closed {
            game.lost_sight();
        }
        let reopened = EventKind::GameReopened {
            ply: game.ply(),
            fen: game.fen(),
            instead_of: Some(number),
            unseen: !unmoved && !closed,
        };
        self.game = Some(game);
        self.tell(reopened, now, out);
        if closed {
            self.close_again(now, out);
        } else {
            self.tell_again(now, out);
            self.reconcile(unmoved, now, out);
        }
        let game = self.game.as_ref().ok_or(Refusal::NoGame)?;
        let language = language.unwrap_or_else(|| self.options.language.clone());
        let agrees = closed || self.tracker.agrees();
        Ok(Reply::GivenBack {
            ply: game.ply(),
            fen: game.fen(),
            text: language.given_back(game.ply(), void, unmoved || closed, agrees, closed),
        })
    }

    /// A game that was closed before it made way is closed still.
    fn close_again(&mut self, now: Stamp, out: &mut Vec<Output>) {
        self.tracker.close();
        if let Some(kind) = self.game.as_ref().map(LiveGame::ended_again) {
            self.tell(kind, now, out);
        }
    }

    /// What waited for the arbiter when the game was closed, or can be claimed, is told again: the
    /// alerts went with the game.
    pub(super) fn tell_again(&mut self, now: Stamp, out: &mut Vec<Output>) {
        let flag = self.tracker.lever().flag();
        let Some(game) = &mut self.game else { return };
        for kind in game.what_stands(flag) {
            self.tell(kind, now, out);
        }
    }

    /// Tells the tracker the moves of a game, as if they were played now.
    fn retrace(&mut self, game: &LiveGame, stands: Stands, now: Stamp) {
        let start = game.history().start().position.clone();
        let white = self.tracker.lever().white_side();
        let assumed: Vec<Square> = stands.assumed.into_iter().collect();
        self.tracker.resume_game(start, StartSource::Resumed, stands.orientation, now);
        self.tracker.resume_sides(stands.orientation, white, &assumed);
        for (record, (uci, exact)) in game.history().plies().iter().skip(1).zip(game.played()) {
            let Some(position) = self.tracker.position() else { return };
            let legal = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position).ok());
            if let Some(m) = legal {
                self.tracker.resume_move(m, ConfirmedBy::Reply, exact, now);
            } else if let Some((m, after)) = irregular(position, record.position.board()) {
                self.tracker.resume_stood(m, after, now);
            }
        }
        for ply in game.illegal_plies() {
            self.tracker.resume_illegal(ply);
        }
    }

    /// Looks at what stands on the board of a game that is on again.
    fn reconcile(&mut self, unmoved: bool, now: Stamp, out: &mut Vec<Output>) {
        if unmoved {
            self.tracker.look_again(now, &mut self.tracked);
        } else {
            // As after a cable that was pulled: moves may have been played.
            self.tracker.lost(now);
            let squares = self.link.squares().filter(|_| self.line == Line::Ready);
            if let Some(squares) = squares {
                let dump = BoardEvent::Dump(Box::new(*squares));
                self.tracker.board_event(&dump, now, &mut self.tracked);
                if let Some(reading) = self.clock_reading {
                    let clock = BoardEvent::Clock(reading);
                    self.tracker.board_event(&clock, now, &mut self.tracked);
                }
            }
        }
        self.obey_tracker(now, out);
    }
}

impl LiveGame {
    /// The game goes on from where it made way. Whether it had been closed before that, and stays so.
    fn come_back(&mut self) -> bool {
        if !self.made_way() {
            return self.closed();
        }
        self.undo_close();
        false
    }
}
