//! What the board last said of its squares, and whether a dump and the updates agree.

use super::{Snapshot, patience};
use crate::{
    units::Stamp,
    wire::{Contact, Field},
};

/// The squares as told to the tracker so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Squares {
    /// `None` before the first dump.
    now: Option<Box<Snapshot>>,
    /// Fields updated since the dump that is on its way was asked for, one bit each.
    since_asked: u64,
    /// Dumps asked for and not yet received.
    on_the_way: u8,
    /// The last change since the last dump was asked for.
    changed_at: Option<Stamp>,
    /// Fields a dump showed changed although no update had said so, one bit each.
    suspects: u64,
    suspects_since: Stamp,
}

impl Squares {
    /// A dump has arrived before.
    pub(super) fn known(&self) -> bool {
        self.now.is_some()
    }

    /// What they read, once a dump has arrived.
    pub(super) fn read(&self) -> Option<&Snapshot> {
        self.now.as_deref()
    }

    /// The last change since a dump was last asked for.
    pub(super) fn changed_at(&self) -> Option<Stamp> {
        self.changed_at
    }

    /// When fields that only a dump showed changed become a disagreement.
    pub(super) fn suspect_due(&self) -> Option<Stamp> {
        (self.suspects != 0).then(|| self.suspects_since + patience::CATCH_UP)
    }

    /// The disagreement has been dealt with.
    pub(super) fn clear_suspects(&mut self) {
        self.suspects = 0;
    }

    /// A dump has been asked for. `first`: not a repetition of a request still unanswered, so what
    /// changed before cannot be missing from the answer.
    pub(super) fn asked(&mut self, first: bool) {
        self.changed_at = None;
        if first {
            self.since_asked = 0;
            self.on_the_way = 1;
        } else {
            self.on_the_way = self.on_the_way.saturating_add(1);
        }
    }

    /// Takes an update. Returns whether it says anything new.
    pub(super) fn update(&mut self, field: Field, contact: Contact, at: Stamp) -> bool {
        let bit = 1 << field.number();
        self.suspects &= !bit;
        self.since_asked |= bit;
        if let Some(now) = &mut self.now {
            let known = &mut now[field.index()];
            if *known == contact {
                return false;
            }
            *known = contact;
        }
        self.changed_at = Some(at);
        true
    }

    /// Takes a dump. Returns what is now believed, and whether that needs no further dump.
    ///
    /// A dump is taken at an unknown instant between the request and its arrival. Where an update
    /// came in between, the update is as new as the dump or newer, and stands.
    pub(super) fn dump(&mut self, mut dump: Box<Snapshot>, at: Stamp) -> (Box<Snapshot>, bool) {
        let mut settled = true;
        if let Some(now) = &self.now {
            let mut suspects = 0;
            for field in Field::ALL {
                let index = field.index();
                if dump[index] == now[index] {
                    continue;
                }
                settled = false;
                if self.on_the_way > 0 && self.since_asked & 1 << field.number() != 0 {
                    dump[index] = now[index];
                } else {
                    suspects |= 1 << field.number();
                }
            }
            if suspects != 0 {
                self.suspects = suspects;
                self.suspects_since = at;
            }
        }
        self.on_the_way = self.on_the_way.saturating_sub(1);
        self.now = Some(dump.clone());
        (dump, settled)
    }
}
