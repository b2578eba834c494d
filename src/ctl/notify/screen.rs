//! What stands on the screen, and how it becomes what ought to stand there.

use std::{collections::BTreeMap, time::Duration};

use super::{
    note::{About, AlertKey, Key, Note},
    rules::Effect,
};
use crate::units::Stamp;

/// After how long something that must stay is shown again when the server let it expire.
const REMIND: Duration = Duration::from_secs(60);
/// A notification that leaves so soon after one of its buttons was pressed left because of that.
const AFTER_BUTTON: Duration = Duration::from_secs(2);

/// The server's reason: it was there long enough.
const EXPIRED: u32 = 1;

/// A notification on the screen, or on its way there.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What it says, as far as known.
    note: Option<Note>,
    /// Its number; 0 while it has none.
    id: u32,
    /// It is on its way.
    busy: bool,
}

/// The notification server's screen.
#[derive(Debug)]
pub struct Screen {
    now: Stamp,
    /// The server, while it is there.
    server: Option<String>,
    /// The server the numbers are of.
    last: String,
    shown: BTreeMap<Key, Shown>,
    /// What must not be shown before.
    later: BTreeMap<Key, Stamp>,
    /// The notification whose board was shown, and when.
    pressed: Option<(u32, Stamp)>,
}

impl Screen {
    /// A screen with what is remembered.
    pub fn new(last: String, screen: Vec<(Key, u32)>) -> Screen {
        let shown = |(key, id)| (key, Shown { note: None, id, busy: false });
        Screen {
            now: Stamp::ZERO,
            server: None,
            last,
            shown: screen.into_iter().map(shown).collect(),
            later: BTreeMap::new(),
            pressed: None,
        }
    }

    /// The server, and the numbers on its screen.
    pub fn memory(&self) -> (String, Vec<(Key, u32)>) {
        let known = self.shown.iter().filter(|(_, shown)| shown.id != 0);
        (self.last.clone(), known.map(|(key, shown)| (key.clone(), shown.id)).collect())
    }

    /// The time it is.
    pub fn at(&mut self, now: Stamp) {
        self.now = now;
        self.later.retain(|_, at| *at > now);
    }

    /// The time it was last told.
    pub fn now(&self) -> Stamp {
        self.now
    }

    /// When something is to be shown again.
    pub fn due(&self) -> Option<Stamp> {
        self.later.values().min().copied()
    }

    /// Whether something stands at a place.
    pub fn has(&self, key: &Key) -> bool {
        self.shown.contains_key(key)
    }

    /// The server came or went; says which, if that is new.
    pub fn serve(&mut self, server: Option<String>) -> Option<bool> {
        if let Some(name) = &server
            && *name != self.last
        {
            // Another server: nothing of ours is on its screen but what is just on its way.
            self.last.clone_from(name);
            self.shown.retain(|_, shown| shown.busy);
            for shown in self.shown.values_mut() {
                shown.id = 0;
            }
            self.later.clear();
        }
        let (was, is) = (self.server.is_some(), server.is_some());
        self.server = server;
        (was != is).then_some(is)
    }

    /// Something came onto the screen; says which alerts it tells of.
    pub fn posted(&mut self, key: &Key, id: u32) -> Vec<AlertKey> {
        let Some(shown) = self.shown.get_mut(key) else { return Vec::new() };
        shown.id = id;
        shown.busy = false;
        let about = shown.note.as_ref().map(Note::about).unwrap_or_default();
        about.iter().map(|about| about.key.clone()).collect()
    }

    /// Something did not come onto the screen: it is tried again when the server is there.
    pub fn not_posted(&mut self, key: &Key) {
        self.server = None;
        if let Some(shown) = self.shown.get_mut(key) {
            shown.busy = false;
            shown.note = None;
            if shown.id == 0 {
                self.shown.remove(key);
            }
        }
    }

    /// What stands there under a number.
    pub fn find(&self, id: u32) -> Option<(&Key, &Note)> {
        let (key, shown) = self.shown.iter().find(|(_, shown)| shown.id == id)?;
        Some((key, shown.note.as_ref()?))
    }

    /// A board is shown from this notification.
    pub fn board_shown(&mut self, id: u32) {
        self.pressed = Some((id, self.now));
    }

    /// Something has left the screen; says what, if the user put it away.
    pub fn closed(&mut self, id: u32, reason: u32) -> Option<(Key, Note)> {
        let (key, note) = self.find(id)?;
        let (key, note) = (key.clone(), note.clone());
        self.shown.remove(&key);
        let by_button = self
            .pressed
            .is_some_and(|(pressed, at)| pressed == id && self.now.since(at) <= AFTER_BUTTON);
        if note.stays() && by_button {
            // A server that takes it away with every button: it is shown again at once.
            return None;
        }
        if note.stays() && reason == EXPIRED {
            self.later.insert(key, self.now + REMIND);
            return None;
        }
        Some((key, note))
    }

    /// Asks for the differences between what stands there and what ought to; `told` says whether
    /// an alert was on the screen before.
    pub fn turn_into(
        &mut self,
        wanted: BTreeMap<Key, Note>,
        told: impl Fn(&About) -> bool,
        effects: &mut Vec<Effect>,
    ) {
        if self.server.is_none() {
            return;
        }
        let surplus: Vec<Key> =
            self.shown.keys().filter(|key| !wanted.contains_key(*key)).cloned().collect();
        for (key, note) in wanted {
            if self.later.contains_key(&key) {
                continue;
            }
            let shown = self.shown.entry(key.clone());
            let shown = shown.or_insert(Shown { note: None, id: 0, busy: false });
            if shown.busy || shown.note.as_ref() == Some(&note) {
                continue;
            }
            shown.busy = true;
            shown.note = Some(note.clone());
            let sound = note.stays() && note.about().iter().any(|about| !told(about));
            let replaces = shown.id;
            effects.push(Effect::Post { key, note: Box::new(note), replaces, sound });
        }
        // What comes is shown before what goes is taken away.
        for key in surplus {
            if let Some(shown) = self.shown.get(&key)
                && !shown.busy
            {
                effects.push(Effect::Close(shown.id));
                self.shown.remove(&key);
            }
        }
    }
}
