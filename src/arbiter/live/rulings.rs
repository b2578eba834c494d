//! What the arbiter asks for: is a claim right, what does a fallen flag mean?

use shakmaty::{
    Chess, Color, Position,
    san::{San, SanPlus},
    uci::UciMove,
};

use super::{LiveGame, claim_reason};
use crate::{
    arbiter::{
        event::{ClaimReason, EventKind, FlagDecidedBy, MayCall, YesNoUnknown},
        request::{ClaimAnswer, ClaimMade, FlagAnswer, FlagBefore, Refusal},
    },
    game::{Key, is_lawful},
    laws::{
        self, BoardAct, CanMate, Claim, ClaimClocks, ClaimKind, Decision, Over, Qualifies, Ruling,
        claims::Facts,
        entered,
        flag::{self, Before, FlagRuling},
        text::Language,
    },
    tracker::Times,
    units::{Millis, Ply},
};

impl LiveGame {
    /// A flag as the clock shows it now; an event when it has just fallen.
    pub(in crate::arbiter) fn flag(&mut self, flag: Option<Color>) -> Option<EventKind> {
        if self.flag == flag || self.closed() {
            return None;
        }
        self.flag = flag;
        let side = flag.filter(|_| self.latch.first().is_none())?;
        let opponent = self.can_mate(!side);
        let (result, article) = match flag::judge(&self.conditions, side, Before::Nothing, opponent)
        {
            FlagRuling::Result { outcome, article } => (outcome.to_string(), article),
            FlagRuling::Undecided { article } => ("*".into(), article),
            // Neither follows from "nothing came before".
            FlagRuling::ClaimFirst | FlagRuling::NextPeriod => return None,
        };
        Some(EventKind::Flag {
            side: side.into(),
            opponent_can_mate: can_mate_word(opponent),
            result,
            article: article.to_owned(),
            may_call: self.may_call(),
        })
    }

    fn may_call(&self) -> MayCall {
        match flag::may_call(&self.conditions) {
            flag::MayCall::ArbiterOrPlayer => MayCall::ArbiterOrPlayer,
            flag::MayCall::ArbiterMustOrPlayer => MayCall::ArbiterMust,
            flag::MayCall::PlayerOnly => MayCall::Player,
        }
    }

    /// Whether a side can mate by any series of legal moves, searching longer than for a dead
    /// position: a ruling rests on it. Where it depends on what is not known, nobody knows.
    pub(super) fn can_mate(&mut self, side: Color) -> CanMate {
        if !is_lawful(self.history().position()) {
            return CanMate::Unknown;
        }
        let shown = self.mating.can_mate(side);
        let others: Vec<Chess> = self.known.positions().skip(1).cloned().collect();
        let agreed = others.iter().all(|position| laws_can_mate(position, side) == shown);
        match shown.filter(|_| agreed) {
            Some(true) => CanMate::Yes,
            Some(false) => CanMate::No,
            None => CanMate::Unknown,
        }
    }

    /// The end of the game by the Laws, told or not yet beyond doubt.
    pub(super) fn over(&self) -> Option<&Over> {
        let waiting = self.pending.as_ref().map(|(over, _)| over);
        self.latch.first().or(waiting.filter(|over| !self.doubtful.contains(&over.ply)))
    }

    /// What follows from a flag that was observed or claimed now.
    pub(in crate::arbiter) fn rule_on_flag(
        &mut self,
        side: Color,
        before: FlagBefore,
        language: &Language,
    ) -> (FlagAnswer, EventKind) {
        let opponent = self.can_mate(!side);
        let edition = self.conditions.edition;
        let entered = match before {
            FlagBefore::Resigned(loser) => {
                let loser = Color::from(loser);
                let can = self.can_mate(!loser);
                Some(entered::resign(edition, loser, can))
            }
            FlagBefore::Agreed => Some(entered::agree(edition, self.ply())),
            _ => None,
        };
        let over = self.over().cloned();
        let before = match (&over, entered, before) {
            (Some(over), ..) => Before::Ended(over),
            (None, Some(entered), _) => Before::Entered(entered),
            (None, None, FlagBefore::Claim) => Before::Claim,
            (None, None, FlagBefore::PeriodCompleted) => Before::PeriodCompleted,
            (None, None, _) => Before::Nothing,
        };
        let ruling = flag::judge(&self.conditions, side, before, opponent);
        let early = matches!(before, Before::Ended(_))
            || matches!(before, Before::Entered(e) if !matches!(e, entered::Entered::TooEarly { .. }));
        let (result, article, decided_by) = match ruling {
            FlagRuling::Result { outcome, article } if early => {
                (Some(outcome), article, FlagDecidedBy::EarlierEnd)
            }
            FlagRuling::Result { outcome, article } => {
                (Some(outcome), article, FlagDecidedBy::Flag)
            }
            FlagRuling::Undecided { article } => (None, article, FlagDecidedBy::Arbiter),
            FlagRuling::ClaimFirst => (None, "", FlagDecidedBy::ClaimFirst),
            FlagRuling::NextPeriod => (None, "", FlagDecidedBy::NextPeriod),
        };
        let text = |language: &Language| {
            let may = language.may_call(flag::may_call(&self.conditions));
            match decided_by {
                FlagDecidedBy::EarlierEnd => language.flag_after_the_end(&ruling, side),
                _ => format!("{} {may}", language.flag(&ruling, side)),
            }
        };
        let answer = FlagAnswer {
            result: result.map(|outcome| outcome.to_string()),
            article: article.to_owned(),
            opponent_can_mate: can_mate_word(opponent),
            decided_by,
            may_call: self.may_call(),
            explanation: text(language),
        };
        let event = EventKind::FlagRuling {
            side: side.into(),
            opponent_can_mate: answer.opponent_can_mate,
            result: answer.result.clone().unwrap_or_else(|| "*".into()),
            article: answer.article.clone(),
            decided_by,
            may_call: answer.may_call,
            ply: self.ply(),
            text: text(&self.language),
        };
        (answer, event)
    }

    /// What the Laws say of a claim.
    pub(in crate::arbiter) fn rule_on_claim(
        &self,
        made: &ClaimMade,
        times: Option<Times>,
        language: &Language,
    ) -> Result<(ClaimAnswer, EventKind), Refusal> {
        let position = self.history().position();
        if !is_lawful(position) {
            return Err(Refusal::IllegalMoveStands);
        }
        let claimant = made.claimant.map_or(position.turn(), Color::from);
        let announced =
            made.announced.as_deref().map(|text| announced_san(position, text)).transpose()?;
        let claim = Claim {
            claimant,
            kind: match made.kind {
                ClaimReason::ThreefoldRepetition => ClaimKind::Threefold,
                ClaimReason::FiftyMoves => ClaimKind::Fifty,
            },
            announced,
            act: match (made.moved, made.touched) {
                (true, _) => BoardAct::Moved,
                (false, true) => BoardAct::Touched,
                (false, false) => BoardAct::None,
            },
        };
        let times = made.clocks.or(times.map(|times| (times.white, times.black)));
        let (own, other) = times.map_or((Millis(0), Millis(0)), |(white, black)| {
            claimant.fold_wb((white, black), (black, white))
        });
        let clocks = ClaimClocks { claimant: own, opponent: other };
        let doubt = |facts| self.doubt(claim.kind, facts);
        let ruling = self
            .known
            .check_claim(&self.conditions, self.over(), &claim, clocks, doubt)
            .map_err(|e| Refusal::IllegalMove {
            text: announced.map(|san| san.to_string()).unwrap_or_default(),
            why: e.to_string(),
        })?;
        let after = (ruling.clocks.claimant, ruling.clocks.opponent);
        let text = |language: &Language| self.claim_in_words(language, &ruling, times.is_some());
        let answer = ClaimAnswer {
            valid: ruling.decision == Decision::Correct,
            verdict: ruling.decision.label(),
            article: ruling.article.clone(),
            explanation: text(language),
            must_play: ruling.must_play.to_string(),
            plies: self.plies_behind(claim.kind, announced),
            claimant: claimant.into(),
            clocks_after: times
                .filter(|_| ruling.decision == Decision::Incorrect)
                .map(|_| claimant.fold_wb(after, (after.1, after.0))),
        };
        let event = EventKind::ClaimRuling {
            reason: claim_reason(claim.kind),
            claimant: claimant.into(),
            announced: announced.map(|san| san.to_string()),
            verdict: answer.verdict.to_owned(),
            article: answer.article.clone(),
            must_play: answer.must_play.clone(),
            white_ms: answer.clocks_after.map(|(white, _)| white.0),
            black_ms: answer.clocks_after.map(|(_, black)| black.0),
            ply: self.ply(),
            text: text(&self.language),
        };
        Ok((answer, event))
    }

    fn claim_in_words(&self, language: &Language, ruling: &Ruling, clocked: bool) -> String {
        if ruling.decision == Decision::Incorrect && !clocked {
            language.wrong_claim_costs(ruling, laws::claims::wrong_claim(&self.conditions))
        } else {
            language.ruling(ruling)
        }
    }

    /// What remains of the facts when doubtful plies prove nothing.
    fn doubt(&self, kind: ClaimKind, facts: Facts) -> Facts {
        if !self.is_doubtful(kind) {
            return facts;
        }
        let certain = match kind {
            ClaimKind::Threefold => self.repeated_for_certain(self.ply(), 3),
            ClaimKind::Fifty => self.quiet_for_certain(self.ply(), laws::FIFTY),
        };
        let now = match facts.now {
            Qualifies::Yes if certain => Qualifies::Yes,
            _ => Qualifies::Unproved,
        };
        // At one half-move less the announced one makes it.
        let certain_after = match kind {
            ClaimKind::Threefold => false,
            ClaimKind::Fifty => self.quiet_for_certain(self.ply(), laws::FIFTY - 1),
        };
        let announced = facts.announced.map(|announced| match announced {
            Qualifies::Yes if certain_after => Qualifies::Yes,
            _ => Qualifies::Unproved,
        });
        Facts { now, announced }
    }

    /// The plies a claim rests on.
    fn plies_behind(&self, kind: ClaimKind, announced: Option<San>) -> Vec<Ply> {
        let latest = self.ply();
        let history = self.history();
        match kind {
            ClaimKind::Threefold => {
                let position = history.position();
                let key = announced.and_then(|san| {
                    let m = san.to_move(position).ok()?;
                    let mut after = position.clone();
                    after.play_unchecked(m);
                    Some(Key::of(&after))
                });
                let key = key.unwrap_or_else(|| history.last().key);
                (0..=latest.0)
                    .map(Ply)
                    .filter(|&ply| history.at(ply).is_some_and(|record| record.key == key))
                    .collect()
            }
            ClaimKind::Fifty => {
                let quiet = history.last().quiet.value().min(latest.0);
                vec![Ply(latest.0 - quiet), latest]
            }
        }
    }
}

fn laws_can_mate(position: &Chess, side: Color) -> Option<bool> {
    crate::dead::can_mate(position, side, crate::dead::Budget::DEFAULT).known()
}

fn can_mate_word(can: CanMate) -> YesNoUnknown {
    match can {
        CanMate::Yes => YesNoUnknown::Yes,
        CanMate::No => YesNoUnknown::No,
        CanMate::Unknown => YesNoUnknown::Unknown,
    }
}

/// An announced move in SAN or UCI.
fn announced_san(position: &Chess, text: &str) -> Result<San, Refusal> {
    let by_uci = text
        .parse::<UciMove>()
        .ok()
        .and_then(|uci| uci.to_move(position).ok())
        .map(|m| San::from_move(position, m));
    by_uci.or_else(|| text.parse::<SanPlus>().ok().map(|plus| plus.san)).ok_or_else(|| {
        Refusal::IllegalMove {
            text: text.to_owned(),
            why: "it is neither algebraic notation (Nf3) nor squares (g1f3)".into(),
        }
    })
}
