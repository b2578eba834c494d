//! What stands on the screen, before it is put into words.

use serde::{Deserialize, Serialize};

use crate::ctl::hosts::{Alert, AlertClass, Fault};

/// The place of a notification: whatever has the same key replaces it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Key {
    /// Of one alert.
    Alert(AlertKey),
    /// Of several alerts of one hall and class.
    Several(String, AlertClass),
    /// Of the lines to the PCs of a hall.
    Lines(String),
    /// Of the PCs where this user has no rights.
    Rights,
    /// Of two boards with one label.
    Clash(String),
    /// Of something that could not be done.
    Failed(u64),
}

/// An alert among those of all daemons and their journals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AlertKey {
    /// The daemon: [`Way::key`](crate::ctl::hosts::Way::key).
    pub host: String,
    /// Its journal.
    pub journal: String,
    /// The alert's number.
    pub id: u64,
}

/// An alert as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// The alert.
    pub key: AlertKey,
    /// The PC, as people call it; empty where there is only one.
    pub pc: String,
    /// What the board is called, with the PC where another board is called the same.
    pub who: String,
    /// It happened while nobody here listened.
    pub late: bool,
    /// The alert.
    pub alert: Alert,
}

/// A notification before it is put into words.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// One alert.
    One(Box<About>),
    /// Several alerts of one hall and class, the newest first.
    Several {
        /// The hall; empty where there is only one.
        hall: String,
        /// Their class.
        class: AlertClass,
        /// The alerts.
        list: Vec<About>,
    },
    /// A game that was over goes on.
    Withdrawn(Box<About>),
    /// PCs that cannot be heard.
    LinesDown {
        /// The hall; empty where there is only one.
        hall: String,
        /// The PCs, and why.
        down: Vec<(String, Fault)>,
        /// How many PCs there are in the hall.
        of: usize,
    },
    /// They can be heard again.
    LinesBack {
        /// The hall; empty where there is only one.
        hall: String,
        /// The PCs.
        back: Vec<String>,
    },
    /// The user may not see what only the arbiter may know.
    NoRights(Vec<String>),
    /// Boards of several PCs have one label.
    Clash {
        /// The label.
        label: String,
        /// The PCs.
        pcs: Vec<String>,
    },
    /// Alerts were seen, but the daemon was not to be told.
    NotAcknowledged {
        /// The PC.
        pc: String,
        /// What the daemon or the bus said.
        why: String,
    },
    /// No terminal program was found to show a board in.
    NoTerminal {
        /// What to type.
        command: String,
    },
}

impl Note {
    /// The alerts it is about.
    pub fn about(&self) -> &[About] {
        match self {
            Note::One(about) | Note::Withdrawn(about) => std::slice::from_ref(about),
            Note::Several { list, .. } => list,
            _ => &[],
        }
    }

    /// Whether it must stay until somebody has seen it.
    pub fn stays(&self) -> bool {
        match self {
            Note::One(about) => about.alert.class == AlertClass::Urgent,
            Note::Several { class, .. } => *class == AlertClass::Urgent,
            Note::LinesDown { .. } => true,
            _ => false,
        }
    }
}
