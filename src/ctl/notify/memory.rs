//! What is remembered between two runs: which ends were shown, which were seen, what stands on the
//! screen.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::note::{AlertKey, Key};
use crate::{
    ctl::hosts::{Alert, Position},
    signals::pgn_files::write_whole,
};

/// The form of the file.
pub const VERSION: u32 = 1;

/// What is remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The form of the file.
    pub version: u32,
    /// Of each daemon, by [`Way::key`](crate::ctl::hosts::Way::key).
    pub hosts: BTreeMap<String, HostMemory>,
    /// The notification server: the bus's identity and the server's name on it. With another one
    /// nothing of ours is on the screen.
    pub server: String,
    /// The numbers of the notifications on its screen.
    pub screen: Vec<(Key, u32)>,
    /// Clashes that were told.
    pub clashes: BTreeSet<String>,
}

/// What is remembered of a daemon.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HostMemory {
    /// How far its journal was followed.
    pub position: Position,
    /// When the daemon had started, microseconds since the epoch.
    pub started_at: u64,
    /// Its alerts.
    pub alerts: Vec<Entry>,
    /// Alerts that were seen here, of which the daemon could not be told yet.
    pub unsent: BTreeSet<AlertKey>,
}

/// An alert and what has become of it.
#[expect(clippy::struct_excessive_bools, reason = "four answers that do not depend on each other")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The journal it is of.
    pub journal: String,
    /// The alert.
    pub alert: Alert,
    /// How it stands with it.
    pub standing: Standing,
    /// It was on the screen.
    pub told: bool,
    /// The arbiter has seen it or put it away.
    pub seen: bool,
    /// It happened while nobody here listened.
    pub late: bool,
    /// The end it tells of was withdrawn.
    pub withdrawn: bool,
}

/// How it stands with an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// The daemon has it open.
    Open,
    /// The daemon that had it open was restarted and has forgotten it; nobody acknowledged it.
    Orphan,
    /// The object has just gone; why, is told in a moment.
    #[serde(skip)]
    Leaving(crate::units::Stamp),
    /// The game goes on.
    Withdrawn,
    /// Acknowledged, or settled by itself.
    Past,
}

/// The file: `$XDG_STATE_HOME/dgtd/notify.json`, else `~/.local/state/dgtd/notify.json`.
pub fn standard(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // A relative path is to be ignored, says the XDG base directory specification.
    let set = variable("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".local/state")))?;
    Some(base.join("dgtd/notify.json"))
}

/// Reads the file; nothing when it is not there or of another form.
pub fn read(path: &Path) -> io::Result<Memory> {
    let bytes = match fs::read(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Memory::default()),
        bytes => bytes?,
    };
    let memory: Memory = serde_json::from_slice(&bytes)?;
    Ok(if memory.version == VERSION { memory } else { Memory::default() })
}

/// The file's content.
pub fn bytes(memory: &Memory) -> Vec<u8> {
    // Strings, numbers and lists of them: nothing that JSON cannot say.
    serde_json::to_vec(memory).unwrap_or_default()
}

/// Writes the file, whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    write_whole(path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/dgtd/notify.json");
        assert_eq!(read(&path).unwrap(), Memory::default());
        let key = AlertKey { host: "bus:system".into(), journal: "j".into(), id: 7 };
        let mut memory = Memory { version: VERSION, server: "s".into(), ..Memory::default() };
        memory.screen.push((Key::Alert(key.clone()), 3));
        memory.screen.push((Key::Lines(String::new()), 4));
        let host = HostMemory { unsent: [key].into(), started_at: 5, ..HostMemory::default() };
        memory.hosts.insert("bus:system".into(), host);
        write(&path, &bytes(&memory)).unwrap();
        assert_eq!(read(&path).unwrap(), memory);
        fs::write(&path, "{\"version\":99,\"server\":\"x\"}").unwrap();
        assert_eq!(read(&path).unwrap(), Memory::default());
        fs::write(&path, "{").unwrap();
        assert!(read(&path).is_err());
    }
}
