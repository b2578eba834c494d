//! A press of the clock: whose, and for which move?
//!
//! The clock's message may come up to a second late, so that the reply is already on the board; or
//! early, before the scan that shows the move. A press therefore waits a moment for its move.

use shakmaty::{Color, Position};

use super::{
    AttentionKind, ConfirmedBy, Fault, Note, ROOT, Stamp, Text, TrackEvent, Tracker, describe,
    differing, owner,
};

/// A press of the clock is told up to so long after its move.
pub(super) const LATE: std::time::Duration = std::time::Duration::from_millis(2_500);

/// A press that has not found its move yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Press {
    /// Whose turn it became.
    pub(super) turn: Color,
    /// When.
    pub(super) at: Stamp,
    /// Whether nothing but this press happened, or an illegal position was told already.
    pub(super) told: bool,
}

impl Tracker {
    /// The lever was moved; it is this colour's turn now.
    pub(super) fn pressed(&mut self, turn: Color, now: Stamp, out: &mut Vec<TrackEvent>) {
        if self.reply_pressed(turn, now, out) {
            return;
        }
        let Some(game) = &mut self.game else { return };
        let root_turn = game.tree.root().position.turn();
        let current = game.current.unwrap_or(ROOT);
        let shown_turn = game.tree.node(current).position.turn();
        // While a reply already shows, a press is believed late only for a second or two.
        let late = |made: Stamp| current == ROOT || now.since(made) <= LATE;
        if root_turn == turn && game.last_mut().is_some_and(|last| !last.pressed && late(last.made))
        {
            // A press that came in after the reply confirmed its move.
            if let Some(last) = game.last_mut() {
                last.pressed = true;
            }
            if current == ROOT {
                self.lever.agreed();
            } else if self.lever.ambiguous() {
                out.push(TrackEvent::Noted(describe::clock_turned()));
            }
            return;
        }
        if current != ROOT && shown_turn != turn {
            // The side that had not moved seems to have pressed.
            if !self.lever.disagreed() {
                return;
            }
            out.push(TrackEvent::Noted(describe::clock_turned()));
            self.press = Some(Press { turn: !turn, at: now, told: false });
        } else if root_turn == turn {
            // The lever was put back to where the game is: nothing to confirm.
            self.press = None;
            return;
        } else {
            self.press = Some(Press { turn, at: now, told: false });
        }
        self.review_press(now, out);
    }

    /// A press seen before is still good for the move that replaces the one it confirmed.
    pub(super) fn pressed_again(&mut self, turn: Color, at: Stamp) {
        self.press = Some(Press { turn, at, told: false });
    }

    pub(super) fn press_deadline(&self) -> Option<Stamp> {
        let press = self.press?;
        let game = self.game.as_ref()?;
        match game.current {
            Some(id) if id != ROOT && game.tree.node(id).position.turn() == press.turn => {
                let fresh = game.arrived + self.timing.fresh;
                Some(fresh.min(press.at.max(game.arrived) + self.timing.press))
            }
            _ if press.told => None,
            None if game.left.is_some() => {
                let settled = press.at + self.timing.early_press / 2;
                // Once the move left behind has been looked at, the press waits to the end.
                Some(if game.stage.press_looked { self.press_end(press) } else { settled })
            }
            _ => Some(self.press_end(press)),
        }
    }

    fn press_end(&self, press: Press) -> Stamp {
        let unexplained = self.game.as_ref().is_some_and(|game| game.current.is_none());
        let end = press.at + self.timing.early_press;
        // An unexplained placement must have stood a while before it is called illegal.
        if unexplained {
            end.max(self.sensors.last_change() + self.timing.early_press / 2)
        } else {
            end
        }
    }

    pub(super) fn review_press(&mut self, now: Stamp, out: &mut Vec<TrackEvent>) {
        let (Some(press), Some(game)) = (self.press, &self.game) else { return };
        if game.tree.root().position.turn() == press.turn {
            self.press = None;
            return;
        }
        let due = match self.press_deadline() {
            Some(due) => due <= now,
            None => return,
        };
        match game.current {
            Some(id) if id != ROOT && game.tree.node(id).position.turn() == press.turn && due => {
                self.press = None;
                self.lever.agreed();
                self.confirm(id, ConfirmedBy::Press, now, out);
            }
            None if due && now < self.press_end(press) => {
                self.confirm_left_behind(press, now, out);
            }
            _ if due => self.press_without_move(press, out),
            _ => {}
        }
    }

    /// The move stood on the board before the press, and the opponent's hand is already at work.
    fn confirm_left_behind(&mut self, press: Press, now: Stamp, out: &mut Vec<TrackEvent>) {
        let Some(game) = &mut self.game else { return };
        game.stage.press_looked = true;
        let Some((left, _)) = game.left else { return };
        let node = game.tree.node(left);
        let replying = left != ROOT
            && node.position.turn() == press.turn
            && self.sensors.odd().is_empty()
            && differing(&self.sensors, &node.position)
                .into_iter()
                .all(|square| owner(&node.position, square) == Some(press.turn));
        if replying {
            self.press = None;
            self.lever.agreed();
            self.confirm(left, ConfirmedBy::Press, now, out);
        }
    }

    /// The time for a move to come in is over.
    fn press_without_move(&mut self, press: Press, out: &mut Vec<TrackEvent>) {
        let Some(game) = &self.game else { return };
        let root = &game.tree.root().position;
        let running = self.lever.running();
        let event = match game.current {
            _ if self.signal.is_some() || !running => None,
            Some(ROOT) => Some(TrackEvent::Noted(Note {
                kind: AttentionKind::PressWithoutMove,
                squares: Vec::new(),
                text: Text::PressWithoutMove(!press.turn),
            })),
            None => match self.fault() {
                Some(fault) => {
                    let (by, ply) = (root.turn(), game.ply().next());
                    let squares = differing(&self.sensors, root);
                    let placement = Box::new(self.sensors.board().clone());
                    self.may_stand(press.at);
                    Some(TrackEvent::Illegal { by, ply, fault, squares, placement })
                }
                None => self.answered_suspect(&press),
            },
            Some(_) => None,
        };
        out.extend(event);
        // A move that comes in later, for instance a queen for the pawn, is still confirmed by it.
        self.press = Some(Press { told: true, ..press });
    }

    /// What is wrong with the placement, if it looks like a finished move of the side to move.
    fn fault(&self) -> Option<Fault> {
        let game = self.game.as_ref()?;
        describe::fault(&self.sensors, &game.tree.root().position)
    }
}
