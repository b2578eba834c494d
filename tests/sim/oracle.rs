//! A subject that knows the truth, to check the scoring: it must come out right everywhere, and
//! each lie it is told to tell must be found.

use shakmaty::{Position, uci::UciMove};

use super::{
    MS,
    session::Session,
    subject::{By, Event, Output, Subject},
    truth::{End, Game, LawEnd},
};

/// What the oracle says that is not so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Nothing.
    None,
    /// It leaves out the last ply of the first game.
    MissingPly,
    /// It announces mate in the middle of the first game.
    FalseMate,
    /// It never announces an end or a result.
    Silent,
    /// Not a lie: within cable gaps it tells a player's two moves in the other order, wherever
    /// that is legal too.
    OtherOrder,
    /// As `MissingPly`, but it has expressed a doubt before.
    MissingPlyDoubted,
}

/// Says what the truth says, a moment later.
pub struct Oracle {
    script: Vec<(u64, Event)>,
    next: usize,
    /// How often it told another order.
    pub swapped: u32,
}

impl Oracle {
    /// An oracle for a session.
    pub fn new(session: &Session, lie: Lie) -> Oracle {
        let mut script = Vec::new();
        let mut swapped = 0;
        for (index, game) in session.truth.games.iter().enumerate() {
            let mut moves: Vec<String> = game.plies.iter().map(|p| p.uci.clone()).collect();
            if lie == Lie::OtherOrder {
                swapped += swap_in_gaps(game, &mut moves);
            }
            let first = index == 0;
            script.push((game.set_up, Event::GameStarted { fen: game.fen.clone() }));
            if first && lie == Lie::MissingPlyDoubted {
                script.push((game.set_up, Event::Attention { kind: "mismatch".into() }));
            }
            let mut earliest = game.set_up;
            for (number, ply) in game.plies.iter().enumerate() {
                let last = number + 1 == game.plies.len();
                if first && last && matches!(lie, Lie::MissingPly | Lie::MissingPlyDoubted) {
                    continue;
                }
                let when = ply.press.unwrap_or(ply.released).max(ply.released) + 50 * MS;
                // A reply may be finished before the move it answers.
                let when = when.max(earliest + 1);
                earliest = when;
                let event = Event::Move {
                    ply: number + 1,
                    uci: moves[number].clone(),
                    made: ply.released,
                    by: if ply.press.is_some() { By::Press } else { By::Still },
                    exact: true,
                };
                script.push((when, event));
            }
            if first && lie == Lie::FalseMate {
                let over = Event::GameOver { reason: "checkmate".into(), ply: 1 };
                script.push((game.plies[0].released + 60 * MS, over));
            }
            if lie == Lie::Silent {
                continue;
            }
            if let Some((ply, reason)) = game.law_ends().first() {
                let reason = match reason {
                    LawEnd::Checkmate => "checkmate",
                    LawEnd::Stalemate => "stalemate",
                    LawEnd::DeadMaterial => "dead_position",
                    LawEnd::Fivefold => "fivefold_repetition",
                    LawEnd::SeventyFive => "seventyfive_moves",
                };
                let when = game.ended.min(game.plies[ply - 1].released + 60 * MS);
                script.push((when, Event::GameOver { reason: reason.into(), ply: *ply }));
            }
            if let End::Gesture(result) = game.end {
                script.push((game.ended, Event::ResultSignalled { result: result.into() }));
            }
        }
        script.sort_by_key(|(time, _)| *time);
        Oracle { script, next: 0, swapped }
    }
}

/// Exchanges the first and third of three plies hidden by a gap where the result is the same.
fn swap_in_gaps(game: &Game, moves: &mut [String]) -> u32 {
    let mut swapped = 0;
    let positions = game.positions();
    let mut at = 0;
    while at + 3 <= moves.len() {
        let hidden = game.plies[at..at + 3].iter().all(|p| p.in_gap);
        let order = [at + 2, at + 1, at];
        let other = order.iter().try_fold(positions[at].clone(), |position, ply| {
            let uci: UciMove = game.plies[*ply].uci.parse().ok()?;
            let m = uci.to_move(&position).ok()?;
            position.play(m).ok()
        });
        let same = other.is_some_and(|p| *p.board() == *positions[at + 3].board());
        if hidden && same && moves[at] != moves[at + 2] {
            moves.swap(at, at + 2);
            swapped += 1;
            at += 3;
        } else {
            at += 1;
        }
    }
    swapped
}

impl Subject for Oracle {
    fn attach(&mut self, _: u64) -> Vec<Output> {
        vec![Output::Command(vec![0x42]), Output::Command(vec![0x4b]), Output::Command(vec![0x41])]
    }

    fn detach(&mut self, _: u64) -> Vec<Output> {
        Vec::new()
    }

    fn bytes(&mut self, _: u64, _: &[u8]) -> Vec<Output> {
        Vec::new()
    }

    fn timeout(&mut self, now: u64) -> Vec<Output> {
        let mut out = Vec::new();
        while let Some((time, event)) = self.script.get(self.next)
            && *time <= now
        {
            out.push(Output::Event(event.clone()));
            self.next += 1;
        }
        out
    }

    fn deadline(&self) -> Option<u64> {
        self.script.get(self.next).map(|(time, _)| *time)
    }
}
