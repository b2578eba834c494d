//! Taking a game up again after the program was ended in the middle of it.
//!
//! In: the facts of its record, in their order. They go through the same calls as live ones; what
//! those would tell was told then. Afterwards the board counts as unseen, as after a pulled cable: its
//! next dump shows whether the game stands, went on, or made way for another.

use shakmaty::{Board, Chess, Move, Square};

use super::{ConfirmedBy, ROOT, StartSource, TakebackReason, Tracker};
use crate::{
    units::{Ply, Stamp},
    wire::{ClockSide, Orientation},
};

impl Tracker {
    /// A game began.
    pub fn resume_game(
        &mut self,
        position: Chess,
        source: StartSource,
        orientation: Orientation,
        at: Stamp,
    ) {
        self.turn_board(orientation);
        self.begin(position, source, at, &mut Vec::new());
    }

    /// A move was confirmed. It must be legal; a move that is not changes nothing.
    pub fn resume_move(&mut self, m: Move, by: ConfirmedBy, exact: bool, at: Stamp) {
        let Some(game) = &mut self.game else { return };
        if !shakmaty::Position::is_legal(&game.tree.root().position, m) {
            return;
        }
        let node = game.tree.add(ROOT, m, at, true);
        if !exact {
            game.tree.set_doubt(node);
        }
        game.shown = true;
        self.confirm(node, by, at, &mut Vec::new());
    }

    /// A move against Article 3 was left standing, in this position.
    pub fn resume_stood(&mut self, m: Move, position: Chess, at: Stamp) {
        if let Some(game) = &mut self.game {
            game.shown = true;
            game.stand(m, position, at, at);
        }
    }

    /// An illegal move was told for this ply.
    pub fn resume_illegal(&mut self, ply: Ply) {
        self.illegal_at = Some(ply);
    }

    /// Moves were taken back.
    pub fn resume_take_back(&mut self, to: Ply, reason: TakebackReason, at: Stamp) {
        self.take_back(to, reason, at, &mut Vec::new());
    }

    /// The board was found to stand this way round, with the clock's side `white` at White, and not to
    /// read the men of the initial array on the squares `assumed`.
    pub fn resume_sides(&mut self, orientation: Orientation, white: ClockSide, assumed: &[Square]) {
        self.turn_board(orientation);
        self.lever.assume_white(white);
        for &square in assumed {
            if let Some(man) = Board::new().piece_at(square) {
                self.sensors.assume(square, man);
            }
        }
    }
}
