//! Which events may reach whom (laws.md's classes A, B and C as channels).
//!
//! The Laws let nobody but the arbiter know what a player might claim or has done wrong
//! (Articles 12.6 and 12.7). So an event is public only if it is listed here as public, and only a
//! game that is over may sound.

use crate::arbiter::{
    EventKind,
    event::{AttentionKind, EndReason, MayAct, MayCall},
};

/// Who may be told of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// Whoever listens on the bus: moves, results, cables.
    Everyone,
    /// The arbiter's device, silently (class B).
    Arbiter,
    /// The arbiter's device when he looks (class C).
    ArbiterOnRequest,
}

impl Audience {
    /// Who may be told of this event.
    pub fn of(event: &EventKind) -> Audience {
        match event {
            EventKind::Link { .. }
            | EventKind::GameStarted { .. }
            | EventKind::Provisional { .. }
            | EventKind::Move { .. }
            | EventKind::Takeback { .. }
            | EventKind::GameOver { .. }
            | EventKind::GameOverWithdrawn { .. }
            | EventKind::ResultSignalled { .. }
            | EventKind::GameEnded { .. }
            | EventKind::GameReopened { .. }
            | EventKind::Attention { kind: AttentionKind::Internal, .. } => Audience::Everyone,
            // Where only the opponent may act, the arbiter keeps silent (laws.md, class C).
            EventKind::IllegalMove { may_act: MayAct::Opponent, .. }
            | EventKind::IllegalMoveWithdrawn { may_act: MayAct::Opponent, .. }
            | EventKind::Flag { may_call: MayCall::Player, .. }
            | EventKind::ClaimAvailable { .. }
            | EventKind::PossibleEnd { .. }
            | EventKind::Touched { .. } => Audience::ArbiterOnRequest,
            EventKind::IllegalMove { .. }
            | EventKind::IllegalMoveDecided { .. }
            | EventKind::IllegalMoveWithdrawn { .. }
            | EventKind::Flag { .. }
            | EventKind::FlagRuling { .. }
            | EventKind::ClaimRuling { .. }
            | EventKind::GapClosed { .. }
            | EventKind::Attention { .. } => Audience::Arbiter,
        }
    }

    /// Whether it may stand where everyone can read it.
    pub fn is_public(self) -> bool {
        self == Audience::Everyone
    }
}

/// Leave to make a sound: it can be had only for a game that the Laws ended (class A).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaySound(EndReason);

impl MaySound {
    /// Leave for an event, if it is one that may sound.
    pub fn of(event: &EventKind) -> Option<MaySound> {
        match event {
            EventKind::GameOver { reason, .. } => Some(MaySound(*reason)),
            _ => None,
        }
    }

    /// Why the game is over.
    pub const fn reason(self) -> EndReason {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arbiter::event::{
            ActUntil, ClaimReason, DependsOn, FlagDecidedBy, Penalty, PenaltyEffect, Side,
            YesNoUnknown,
        },
        laws::{Class, Conditions, Control, Edition, Subject},
        units::Ply,
    };

    fn illegal_move(may_act: MayAct) -> EventKind {
        EventKind::IllegalMove {
            by: Side::Black,
            article: "7.5.1".into(),
            why: String::new(),
            squares: Vec::new(),
            ply: Ply(2),
            offence: None,
            number: 1,
            nth: 2,
            // Not even one that decides the game.
            penalty: Penalty {
                effect: PenaltyEffect::Result,
                gain_ms: None,
                result: Some("1-0".into()),
                penalty_article: "7.5.5".into(),
            },
            until: ActUntil::End,
            may_act,
        }
    }

    fn flag(may_call: MayCall) -> EventKind {
        EventKind::Flag {
            side: Side::White,
            opponent_can_mate: YesNoUnknown::Yes,
            result: "0-1".into(),
            article: "6.9".into(),
            may_call,
        }
    }

    #[test]
    fn where_only_a_player_may_act_the_arbiter_is_not_told_unasked() {
        for (event, audience) in [
            (illegal_move(MayAct::Arbiter), Audience::Arbiter),
            (illegal_move(MayAct::ArbiterOrOpponent), Audience::Arbiter),
            (illegal_move(MayAct::Opponent), Audience::ArbiterOnRequest),
            (flag(MayCall::ArbiterMust), Audience::Arbiter),
            (flag(MayCall::ArbiterOrPlayer), Audience::Arbiter),
            (flag(MayCall::Player), Audience::ArbiterOnRequest),
        ] {
            assert_eq!(Audience::of(&event), audience, "{event:?}");
        }
        // The same as the classes of the Laws say.
        let before_2014 = Conditions::new(Edition::Fide2009, Control::Blitz);
        for subject in [Subject::IllegalMove, Subject::Flag] {
            assert_eq!(subject.class(&before_2014), Class::C);
        }
    }

    #[test]
    fn nothing_of_class_b_or_c_is_public_or_sounds() {
        let secret = [
            EventKind::ClaimAvailable {
                reason: ClaimReason::ThreefoldRepetition,
                claimant: Side::White,
                article: "9.2".into(),
                moves: Vec::new(),
                ply: Ply(8),
                exact: true,
                depends_on: None,
            },
            EventKind::PossibleEnd {
                reason: EndReason::FivefoldRepetition,
                article: "9.6.1".into(),
                depends_on: DependsOn::CastlingRights,
                ply: Ply(16),
            },
            illegal_move(MayAct::Arbiter),
            illegal_move(MayAct::Opponent),
            EventKind::IllegalMoveDecided {
                number: 1,
                by: Side::Black,
                accepted: true,
                penalty: Penalty::default(),
            },
            EventKind::IllegalMoveWithdrawn {
                number: 1,
                by: Side::Black,
                ply: Ply(3),
                may_act: MayAct::ArbiterOrOpponent,
            },
            flag(MayCall::ArbiterMust),
            flag(MayCall::Player),
            EventKind::FlagRuling {
                side: Side::White,
                opponent_can_mate: YesNoUnknown::Yes,
                result: "0-1".into(),
                article: "6.9".into(),
                decided_by: FlagDecidedBy::Flag,
                may_call: MayCall::ArbiterMust,
                ply: Ply(9),
                text: String::new(),
            },
            EventKind::ClaimRuling {
                reason: ClaimReason::FiftyMoves,
                claimant: Side::White,
                announced: None,
                verdict: "correct".into(),
                article: "9.3.2".into(),
                must_play: "-".into(),
                white_ms: None,
                black_ms: None,
                ply: Ply(9),
                text: String::new(),
            },
            EventKind::Touched { square: "e2".into(), piece: "P".into(), seconds: 1.0 },
            EventKind::Attention {
                kind: AttentionKind::Mismatch,
                squares: Vec::new(),
                text: String::new(),
            },
        ];
        for event in secret {
            assert!(!Audience::of(&event).is_public(), "{event:?}");
            assert_eq!(MaySound::of(&event), None, "{event:?}");
        }
    }
}
