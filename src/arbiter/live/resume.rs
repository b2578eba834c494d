//! What a game must be told again when it is rebuilt from its record.

use std::collections::BTreeMap;

use shakmaty::{CastlingMode, Color, KnownOutcome};

use super::{EndReason, LiveGame, end_reason};
use crate::{
    arbiter::event::EventKind,
    laws::{Conditions, DeadAnswer, Ended, Ending, Over, Verdict, verdict_at},
    units::{Ply, Stamp},
};

impl LiveGame {
    pub(in crate::arbiter) fn conditions(&self) -> Conditions {
        self.conditions
    }

    /// Whether somebody vouched for the first position.
    pub(in crate::arbiter) fn given(&self) -> bool {
        self.given
    }

    pub(in crate::arbiter) fn rights_known(&self) -> bool {
        self.rights_known
    }

    pub(in crate::arbiter) fn chess960(&self) -> bool {
        self.history().castling_mode() == CastlingMode::Chess960
    }

    pub(in crate::arbiter) fn tags(&self) -> &BTreeMap<String, String> {
        &self.tags
    }

    pub(in crate::arbiter) fn start_fen(&self) -> String {
        super::fen(&self.history().start().position)
    }

    pub(in crate::arbiter) fn replace_tags(&mut self, tags: BTreeMap<String, String>) {
        self.tags = tags;
    }

    /// An end was told at a ply. It stands whether or not this record still shows why: lines may be
    /// missing, the arbiter has heard it.
    pub(in crate::arbiter) fn end_was_told(
        &mut self,
        ply: Ply,
        result: &str,
        reasons: &[EndReason],
        at: Stamp,
    ) {
        let found = |over: &Over| over.ply == ply && end_reason(over.reason().ending) == reasons[0];
        if let Some(EventKind::GameOver { .. }) = self.firm(ply, at)
            && self.latch.first().is_some_and(found)
        {
            return;
        }
        self.pending = None;
        let edition = self.conditions.edition;
        let searched = verdict_at(self.history(), ply, edition, DeadAnswer::Proved)
            .and_then(|verdict| verdict.over().cloned())
            .filter(|over| found(over));
        let outcome = result.parse::<KnownOutcome>().unwrap_or(KnownOutcome::Draw);
        let rules = edition.rules();
        let as_told = || {
            let ended = |reason: &EndReason| {
                let (ending, article) = match reason {
                    EndReason::Checkmate => (Ending::Checkmate, rules.checkmate),
                    EndReason::Stalemate => (Ending::Stalemate, rules.stalemate),
                    EndReason::DeadPosition => (Ending::DeadPosition, rules.dead_position),
                    EndReason::FivefoldRepetition => {
                        let article = rules.fivefold.map(|rule| rule.article);
                        (Ending::FivefoldRepetition, article.unwrap_or_default())
                    }
                    EndReason::SeventyfiveMoves => {
                        (Ending::SeventyFiveMoves, rules.seventyfive.unwrap_or_default())
                    }
                };
                Ended { ending, article }
            };
            Over { ply, outcome, reasons: reasons.iter().map(ended).collect() }
        };
        self.latch = crate::laws::Latch::default();
        self.latch.see(&Verdict::Over(searched.unwrap_or_else(as_told)));
        self.claims.clear();
        self.ended = Some(at);
    }

    /// A fallen flag was told.
    pub(in crate::arbiter) fn flag_was_told(&mut self, side: Color) {
        self.flag = Some(side);
    }

    /// The end of the game that the record shows and that was found, or found again, at no cost.
    pub(in crate::arbiter) fn is_over(&self) -> bool {
        self.latch.first().is_some()
    }
}
