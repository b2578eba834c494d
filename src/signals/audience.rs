//! Which events may reach whom (laws.md's classes A, B and C as channels).
//!
//! The Laws let nobody but the arbiter know what a player might claim or has done wrong
//! (Articles 12.6 and 12.7). So an event is public only if it is listed here as public, and only a
//! game that is over may sound.

use crate::arbiter::{
    EventKind,
    event::{AttentionKind, EndReason},
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
            | EventKind::Attention { kind: AttentionKind::Internal, .. } => Audience::Everyone,
            EventKind::IllegalMove { .. }
            | EventKind::Flag { .. }
            | EventKind::Attention { .. } => Audience::Arbiter,
            EventKind::ClaimAvailable { .. } | EventKind::Touched { .. } => {
                Audience::ArbiterOnRequest
            }
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
        arbiter::event::{ClaimReason, Side, YesNoUnknown},
        units::Ply,
    };

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
            },
            EventKind::IllegalMove {
                by: Side::Black,
                article: "7.5.1".into(),
                why: String::new(),
                squares: Vec::new(),
                ply: Ply(2),
            },
            EventKind::Flag {
                side: Side::White,
                opponent_can_mate: YesNoUnknown::Yes,
                result: "0-1".into(),
                article: "6.9".into(),
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
