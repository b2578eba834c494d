//! Illegal moves: kept until the arbiter accepts or dismisses them, or nobody may act any more.

use shakmaty::{Board, Color, KnownOutcome, Position, Square};

use super::LiveGame;
use crate::{
    arbiter::{
        event::{ActUntil, AttentionKind, EventKind, MayAct, Penalty, PenaltyEffect},
        request::{IllegalAnswer, Refusal},
        status::IllegalStatus,
    },
    laws::{
        Offence,
        illegal::{
            Actor, Effect, IllegalRuling, Irregularity, Until, both_kings_in_check, examine,
        },
        ledger::{Ledger, Pending},
        text::Language,
    },
    tracker::{Fault, Text, Times},
    units::{Millis, Ply},
};

impl LiveGame {
    /// A press completed something that is no legal move. Nothing if there is nothing to punish.
    pub(in crate::arbiter) fn illegal(
        &mut self,
        by: Color,
        ply: Ply,
        fault: Fault,
        squares: &[Square],
        placement: &Board,
    ) -> Option<EventKind> {
        let displaced = || Irregularity::Displaced { squares: squares.to_vec() };
        let what = match fault {
            Fault::PawnOnLastRank(square) => Irregularity::PawnOnLastRank { square },
            Fault::KingInCheck { from, to } => {
                let king = self.history().position().board().king_of(by);
                let square = king.map_or(to, |king| if king == from { to } else { king });
                Irregularity::KingInCheck { square }
            }
            Fault::KingCaptured { to: square, .. } => Irregularity::KingCaptured { square },
            Fault::NotLegal { from: Some(from), to: Some(to) } => {
                Irregularity::AgainstArticle3 { from, to }
            }
            // A castling that was not allowed, or anything else.
            Fault::NotLegal { .. } => {
                examine(self.history().position(), placement).unwrap_or_else(displaced)
            }
        };
        self.offence(by, ply, &what, squares, both_kings_in_check(placement))
    }

    /// A press without a move. Before the first move somebody only sets the lever.
    pub(in crate::arbiter) fn pressed_without_move(&mut self, by: Color) -> Option<EventKind> {
        let told = match self.ply() {
            Ply(0) => None,
            ply => self.offence(by, ply.next(), &Irregularity::NoMove, &[], false),
        };
        if told.is_some() || self.ledger.pending().iter().any(|p| p.restore == self.ply()) {
            return told;
        }
        Some(EventKind::Attention {
            kind: AttentionKind::PressWithoutMove,
            squares: Vec::new(),
            text: self.language.attention(&Text::PressWithoutMove(by)),
        })
    }

    fn offence(
        &mut self,
        by: Color,
        ply: Ply,
        what: &Irregularity,
        squares: &[Square],
        both_kings: bool,
    ) -> Option<EventKind> {
        let offence = what.offence().unwrap_or(Offence::AgainstArticle3);
        let (opponent, restore) = (self.can_mate(!by), self.ply());
        let conditions = self.conditions;
        let ended = self.over().cloned();
        let pending = self
            .ledger
            .complete(&conditions, by, offence, restore, opponent, ended.as_ref())?
            .clone();
        let hopeless = both_kings || offence == Offence::PawnOnLastRank;
        let waits = self.draws_if_still_illegal().filter(|_| hopeless);
        let mut why = self.language.illegal_why(what, pending.nth, &pending.ruling);
        if both_kings {
            why = format!("{why} {}", self.language.both_kings());
        }
        if let Some(article) = waits {
            why = format!("{why} {}", self.language.waits_for_the_next_move(article));
        }
        let Pending { number, nth, ruling, .. } = &pending;
        Some(EventKind::IllegalMove {
            by: by.into(),
            article: ruling.offence.to_owned(),
            why,
            squares: squares.iter().map(ToString::to_string).collect(),
            ply,
            offence: Some(offence),
            number: *number,
            nth: *nth,
            penalty: penalty(ruling),
            until: until(ruling.until),
            may_act: may_act(ruling.actor),
        })
    }

    /// The article by which the arbiter waits for the next completed move and draws the game if the
    /// position is still illegal then (A.5.4 of 2023).
    pub(super) fn draws_if_still_illegal(&self) -> Option<&'static str> {
        let article = self.conditions.edition.rules().illegal.both_kings;
        article.filter(|_| self.conditions.is_fast_unwatched())
    }

    /// Takes up again what was told of an illegal move: it waits, was decided on, or was withdrawn.
    pub(in crate::arbiter) fn illegal_was_told(&mut self, event: &EventKind) {
        let conditions = self.conditions;
        match *event {
            EventKind::IllegalMove { by, ply, offence: Some(offence), number, .. } => {
                let before = Ply(ply.0.saturating_sub(1)).min(self.ply());
                let (offender, restore) = (Color::from(by), before);
                if self.ledger.reconsider(&conditions, number).is_ok() {
                    // Told again because its decision was taken back.
                    return;
                }
                let opponent = self.can_mate(!offender);
                self.ledger.take_up(&conditions, number, offender, offence, restore, opponent);
            }
            EventKind::IllegalMoveDecided { number, accepted: true, .. } => {
                // One that does not wait was not told either.
                let _ = self.ledger.accept(&conditions, Some(number));
            }
            EventKind::IllegalMoveDecided { number, accepted: false, .. }
            | EventKind::IllegalMoveWithdrawn { number, .. } => {
                let _ = self.ledger.dismiss(Some(number));
            }
            _ => {}
        }
    }

    /// The illegal moves counted and waiting, for the game that this one goes on as. Its half-moves are
    /// not those of that one: what is restored is then the arbiter's affair.
    pub(in crate::arbiter) fn ledger(&self) -> Ledger {
        self.ledger.clone()
    }

    /// Goes on counting illegal moves where another game's record broke off.
    pub(in crate::arbiter) fn take_over(&mut self, mut ledger: Ledger) {
        ledger.begin_anew();
        self.ledger = ledger;
    }

    /// A player has made a move: what can no longer be acted on is withdrawn.
    pub(super) fn lapsed(&mut self, by: Color, ply: Ply) -> Vec<EventKind> {
        let withdrawn = |pending: Pending| EventKind::IllegalMoveWithdrawn {
            number: pending.number,
            by: pending.offender.into(),
            ply,
            may_act: may_act(pending.ruling.actor),
        };
        self.ledger.move_made(by).into_iter().map(withdrawn).collect()
    }

    /// The arbiter accepts or dismisses an illegal move. Answers what follows, the event that says so,
    /// and the ply to be restored if the board must be put back to it.
    pub(in crate::arbiter) fn decide_illegal_move(
        &mut self,
        number: Option<u32>,
        accept: bool,
        times: Option<Times>,
        language: &Language,
    ) -> Result<(IllegalAnswer, EventKind, Option<Ply>), Refusal> {
        let conditions = self.conditions;
        let pending = if accept {
            self.ledger.accept(&conditions, number)?
        } else {
            self.ledger.dismiss(number)?
        };
        let Pending { number, offender, restore, ruling, .. } = &pending;
        let penalty = if accept { penalty(ruling) } else { Penalty::default() };
        let gain = Millis(penalty.gain_ms.unwrap_or_default());
        let after = |times: Times| {
            let add = |time: Millis| Millis(time.0.saturating_add(gain.0));
            match offender {
                Color::White => (times.white, add(times.black)),
                Color::Black => (add(times.white), times.black),
            }
        };
        let answer = IllegalAnswer {
            number: *number,
            offender: (*offender).into(),
            accepted: accept,
            article: ruling.article.clone(),
            explanation: language.illegal_decided(accept.then_some(ruling), *offender),
            result: penalty.result.clone(),
            clocks_after: times.filter(|_| penalty.gain_ms.is_some()).map(after),
        };
        let event = EventKind::IllegalMoveDecided {
            number: *number,
            by: (*offender).into(),
            accepted: accept,
            penalty,
        };
        let stands = self.irregular.contains(&restore.next());
        Ok((answer, event, (accept && stands).then_some(*restore)))
    }

    /// The decision on an illegal move is taken back: it waits again. The event is that of an illegal
    /// move that waits.
    pub(in crate::arbiter) fn reconsider_illegal_move(
        &mut self,
        number: u32,
    ) -> Result<EventKind, Refusal> {
        let conditions = self.conditions;
        let pending = self.ledger.reconsider(&conditions, number)?.clone();
        Ok(self.waits(&pending))
    }

    /// The plies of the illegal moves that wait.
    pub(in crate::arbiter) fn illegal_plies(&self) -> impl Iterator<Item = Ply> {
        self.ledger.pending().iter().map(|pending| pending.restore.next())
    }

    /// The events of the illegal moves that wait.
    pub(super) fn illegal_again(&self) -> Vec<EventKind> {
        self.ledger.pending().iter().map(|pending| self.waits(pending)).collect()
    }

    fn waits(&self, pending: &Pending) -> EventKind {
        let Pending { number, offender, offence, restore, nth, ruling, .. } = pending;
        EventKind::IllegalMove {
            by: (*offender).into(),
            article: ruling.offence.to_owned(),
            why: self.language.illegal_costs(*nth, ruling),
            squares: Vec::new(),
            ply: restore.next(),
            offence: Some(*offence),
            number: *number,
            nth: *nth,
            penalty: penalty(ruling),
            until: until(ruling.until),
            may_act: may_act(ruling.actor),
        }
    }

    /// What waits for a decision, for whoever looks.
    pub(super) fn illegal_status(&self) -> Vec<IllegalStatus> {
        let shown = |pending: &Pending| IllegalStatus {
            number: pending.number,
            by: pending.offender.into(),
            ply: pending.restore.next(),
            article: pending.ruling.offence.to_owned(),
            costs: self.language.illegal_costs(pending.nth, &pending.ruling),
            secret: Ledger::is_secret(pending),
        };
        self.ledger.pending().iter().map(shown).collect()
    }
}

fn until(until: Until) -> ActUntil {
    match until {
        Until::EndOfGame => ActUntil::End,
        Until::OpponentsNextMove => ActUntil::NextMove,
    }
}

fn may_act(actor: Actor) -> MayAct {
    match actor {
        Actor::Arbiter => MayAct::Arbiter,
        Actor::ArbiterOrOpponent => MayAct::ArbiterOrOpponent,
        Actor::OpponentOnly => MayAct::Opponent,
    }
}

fn penalty(ruling: &IllegalRuling) -> Penalty {
    let (effect, gain_ms, result) = match ruling.effect {
        Effect::Restore => (PenaltyEffect::Restore, None, None),
        Effect::RestoreAndAdd(time) => (PenaltyEffect::AddTime, Some(time.0), None),
        Effect::Result(outcome) => {
            let result = KnownOutcome::to_string(&outcome);
            (PenaltyEffect::Result, None, Some(result))
        }
        Effect::LossUnlessNoMate => (PenaltyEffect::Arbiter, None, None),
    };
    Penalty { effect, gain_ms, result, penalty_article: ruling.article.clone() }
}
