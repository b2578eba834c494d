//! Whether a game is over, and what may be claimed: judged at every ply, told once it is beyond doubt.

use shakmaty::{Chess, Color, Position};

use super::{LiveGame, claim_reason, end_reason, fen, san};
use crate::{
    arbiter::event::{self, EventKind},
    dead,
    game::is_lawful,
    laws::{
        self, ClaimKind, Claimable, Conditions, DeadAnswer, Edition, Ending, Over, Verdict,
        unknown::{DependsOn, Possible},
    },
    units::{Ply, Stamp},
};

impl LiveGame {
    /// Judges the first position. It ends the game only if somebody vouches for it.
    pub(in crate::arbiter) fn judge_start(&mut self, out: &mut Vec<EventKind>) -> Option<Chess> {
        if !self.given {
            return None;
        }
        let (question, event) = self.judge();
        out.extend(event);
        // A given position needs no confirmation by the board.
        out.extend(self.announce(Stamp::ZERO));
        question
    }

    /// Judges the latest ply: remembers an end until it is firm, tells of claims.
    pub(super) fn judge(&mut self) -> (Option<Chess>, Vec<EventKind>) {
        self.claims.clear();
        let waits =
            self.pending.as_ref().is_some_and(|(over, _)| !self.doubtful.contains(&over.ply));
        if self.latch.first().is_some() || waits || !is_lawful(self.history().position()) {
            return (None, Vec::new());
        }
        let answer = DeadAnswer::from(self.mating.dead());
        let question = (answer == DeadAnswer::Unknown).then(|| self.history().position().clone());
        let edition = self.conditions.edition;
        let shown = self.history().position();
        let judgement =
            self.known.verdict(edition, &mut |position| dead_here(shown, answer, position));
        let mut events = self.maybe(judgement.possible);
        match judgement.certain {
            Verdict::Over(over) => {
                let proof = match answer {
                    DeadAnswer::Proved => self.proof(&self.mating.judgement()),
                    DeadAnswer::Alive | DeadAnswer::Unknown => None,
                };
                self.hold(over, proof);
                (question, Vec::new())
            }
            Verdict::Open { claims, later } => {
                events.extend(self.ends_later(&later));
                events.extend(claims.iter().map(|claim| self.claim_event(claim, None)));
                self.claims = claims
                    .iter()
                    .filter(|claim| claim.how == laws::How::JustAppeared)
                    .map(|claim| claim_reason(claim.kind))
                    .collect();
                (question, events)
            }
        }
    }

    /// What stands at the latest ply, told anew: illegal moves that wait, a flag that is down, what can
    /// be claimed, what may be an end.
    pub(in crate::arbiter) fn what_stands(&mut self, flag: Option<Color>) -> Vec<EventKind> {
        let mut events = self.illegal_again();
        (self.maybe_ended, self.later_ended, self.flag) = (Vec::new(), Vec::new(), None);
        events.extend(self.flag(flag));
        events.extend(self.judge().1);
        events
    }

    fn claim_event(&self, claim: &Claimable, on: Option<event::DependsOn>) -> EventKind {
        let position = self.history().position();
        EventKind::ClaimAvailable {
            reason: claim_reason(claim.kind),
            claimant: claim.claimant.into(),
            article: claim.article.to_owned(),
            moves: match &claim.how {
                laws::How::JustAppeared => Vec::new(),
                laws::How::ByMove(moves) => moves.iter().map(|&m| san(position, m)).collect(),
            },
            ply: self.ply(),
            exact: self.doubtful.is_empty() && claim.exact && on.is_none(),
            depends_on: on,
        }
    }

    /// What would be so if what is not known were so. An end is told when it is new.
    fn maybe(&mut self, possible: Vec<(DependsOn, Possible)>) -> Vec<EventKind> {
        let mut events = Vec::new();
        let mut ends = Vec::new();
        for (on, what) in possible {
            let on = match on {
                DependsOn::CastlingRights => event::DependsOn::CastlingRights,
                DependsOn::LastMove => event::DependsOn::LastMove,
            };
            match what {
                Possible::Claim(claim) => events.push(self.claim_event(&claim, Some(on))),
                Possible::Over(ended) => {
                    ends.push(ended.ending);
                    // A ply that another line explains as well proves nothing, not even that.
                    let doubtful = self.doubtful.contains(&self.ply());
                    if !doubtful && !self.maybe_ended.contains(&ended.ending) {
                        events.push(EventKind::PossibleEnd {
                            reason: end_reason(ended.ending),
                            article: ended.article.to_owned(),
                            depends_on: on,
                            ply: self.ply(),
                        });
                    }
                }
            }
        }
        self.maybe_ended = ends;
        events
    }

    /// What a later edition would end, told when it is new.
    fn ends_later(&mut self, later: &[Ending]) -> Vec<EventKind> {
        let fresh = later.iter().filter(|ending| !self.later_ended.contains(ending));
        let rules = Edition::default().rules();
        let events = fresh
            .map(|&ending| EventKind::PossibleEnd {
                reason: end_reason(ending),
                article: match ending {
                    Ending::SeventyFiveMoves => rules.seventyfive.unwrap_or_default(),
                    _ => rules.fivefold.map_or("", |rule| rule.article),
                }
                .to_owned(),
                depends_on: event::DependsOn::LaterEdition,
                ply: self.ply(),
            })
            .collect();
        self.later_ended = later.to_vec();
        events
    }

    /// Keeps an end until its ply is firm; drops reasons that rest on doubtful plies.
    fn hold(&mut self, mut over: Over, proof: Option<String>) {
        over.reasons.retain(|reason| match reason.ending {
            Ending::FivefoldRepetition => self.repeated_for_certain(over.ply, 5),
            Ending::SeventyFiveMoves => self.quiet_for_certain(over.ply, laws::SEVENTY_FIVE),
            Ending::Checkmate | Ending::Stalemate | Ending::DeadPosition => true,
        });
        if !over.reasons.is_empty() {
            self.pending = Some((over, proof));
        }
    }

    /// Whether so many occurrences remain when doubtful plies do not count, nor those before or
    /// after a time in which castling rights may have been lost.
    pub(super) fn repeated_for_certain(&self, ply: Ply, least: usize) -> bool {
        let Some(record) = self.history().at(ply) else { return false };
        let rights = !record.position.castles().is_empty();
        let stretch = |at: Ply| self.unseen.iter().filter(|&&lost| lost < at).count();
        let own = stretch(ply);
        let counts = |at: Ply| !self.doubtful.contains(&at) && (!rights || stretch(at) == own);
        let occurrences = (0..=ply.0)
            .map(Ply)
            .filter(|&at| counts(at))
            .filter(|&at| self.history().at(at).is_some_and(|other| other.key == record.key))
            .count();
        occurrences >= least
    }

    /// Whether so many quiet half-moves remain when those of doubtful plies do not count.
    pub(super) fn quiet_for_certain(&self, ply: Ply, least: u32) -> bool {
        let Some(record) = self.history().at(ply) else { return false };
        let quiet = record.quiet.value();
        let doubtful = self.doubtful.iter().filter(|at| ply.0 - at.0.min(ply.0) < quiet).count();
        u32::try_from(doubtful).is_ok_and(|doubtful| quiet >= least.saturating_add(doubtful))
    }

    /// A ply is beyond doubt: tells an end at it, or at one before it.
    pub(in crate::arbiter) fn firm(&mut self, ply: Ply, now: Stamp) -> Option<EventKind> {
        self.firm_already = self.firm_already.max(ply);
        // The tracker calls a doubtful ply firm only where the doubt does not touch the end: a mate.
        let due = self.pending.as_ref().is_some_and(|(over, _)| {
            over.ply == ply || over.ply < ply && !self.doubtful.contains(&over.ply)
        });
        due.then(|| self.announce(now)).flatten()
    }

    pub(super) fn announce(&mut self, now: Stamp) -> Option<EventKind> {
        if self.closed() {
            return None;
        }
        let (over, proof) = self.pending.take()?;
        let first = over.reason();
        let position = self.history().at(over.ply)?.position.clone();
        let dead = over.reasons.iter().any(|reason| reason.ending == Ending::DeadPosition);
        let kind = EventKind::GameOver {
            result: over.outcome.to_string(),
            reason: end_reason(first.ending),
            article: first.article.to_owned(),
            also: over.reasons[1..].iter().map(|reason| end_reason(reason.ending)).collect(),
            ply: over.ply,
            fen: fen(&position),
            proof: proof.filter(|_| dead),
        };
        self.latch.see(&Verdict::Over(over));
        self.claims.clear();
        self.ended = Some(now);
        Some(kind)
    }

    /// A longer search has judged the position of a ply.
    pub(in crate::arbiter) fn judged_late(
        &mut self,
        ply: Ply,
        position: &Chess,
        judgement: &dead::Judgement,
        now: Stamp,
    ) -> Option<EventKind> {
        let stands = self.history().at(ply).is_some_and(|record| record.position == *position);
        if !stands || self.closed() {
            return None;
        }
        // A mate line is worth as much as a proof: the next plies need no search.
        self.mating.settle(ply, position, judgement);
        if judgement.dead() != dead::Dead::Yes {
            return None;
        }
        if self.latch.first().is_some_and(|first| first.ply <= ply) || self.pending.is_some() {
            return None;
        }
        let edition = self.conditions.edition;
        let dead = &mut |other: &Chess| dead_here(position, DeadAnswer::Proved, other);
        let Verdict::Over(over) = self.known.verdict_at(ply, edition, dead)?.certain else {
            return None;
        };
        self.hold(over, self.proof(judgement));
        // The ply may have become firm while the search ran.
        if self.firm_already >= ply { self.announce(now) } else { None }
    }

    /// Judges the game by another edition, time control or supervision from the latest ply on.
    pub(in crate::arbiter) fn set_conditions(
        &mut self,
        conditions: Conditions,
        now: Stamp,
    ) -> Option<EventKind> {
        self.conditions = conditions;
        self.ledger.judge_again(&conditions);
        self.pending = None;
        let _ = self.judge();
        (self.firm_already >= self.ply()).then(|| self.announce(now)).flatten()
    }

    /// Why a position is dead, in words: the reason of each side, said once if they are the same.
    fn proof(&self, judgement: &dead::Judgement) -> Option<String> {
        self.language.why_dead(judgement)
    }

    /// Whether a kind of claim rests on plies that are not all certain.
    pub(super) fn is_doubtful(&self, kind: ClaimKind) -> bool {
        let window = self.history().window(self.ply()).len();
        let first = self.ply().index() + 1 - window.min(self.ply().index() + 1);
        let quiet = self.history().last().quiet.value() as usize;
        let first = match kind {
            ClaimKind::Threefold => first,
            ClaimKind::Fifty => first.min(self.ply().index().saturating_sub(quiet)),
        };
        self.doubtful.iter().any(|at| at.index() >= first)
    }
}

/// What is known of a position's deadness from the shown one that differs in rights or in the last
/// move at most: fewer moves leave no more mates.
fn dead_here(shown: &Chess, answer: DeadAnswer, position: &Chess) -> DeadAnswer {
    if std::ptr::eq(position, shown) || position == shown {
        return answer;
    }
    let fewer = position.legal_ep_square().is_none();
    if fewer && answer == DeadAnswer::Proved {
        return DeadAnswer::Proved;
    }
    let can = |side| dead::can_mate(position, side, dead::Budget::LIVE).known();
    let white = can(Color::White);
    // One side that can mate is enough.
    let black = if white == Some(true) { None } else { can(Color::Black) };
    DeadAnswer::from(dead::Dead::of(white, black))
}
