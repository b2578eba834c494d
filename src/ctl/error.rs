//! What can go wrong for a client, and what to do about it.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use super::{
    hosts::{self, BadDestination},
    pair,
    position::BadPosition,
};
use crate::{
    arbiter::Refusal,
    capture::{self, CaptureError},
    config::ConfigError,
    daemon::port::PortError,
    laws::{claims::ClaimError, pgn::Fault},
};

/// Why a command did not do what it was to do.
#[derive(Debug, thiserror::Error)]
pub enum CtlError {
    /// No bus can be reached.
    #[error("{} cannot be reached", the_bus(bus))]
    NoBus {
        /// Which.
        bus: String,
        /// Why.
        source: zbus::Error,
    },
    /// The daemon of another PC cannot be reached.
    #[error("{host}: {fault}")]
    Host {
        /// The PC.
        host: String,
        /// Why.
        fault: hosts::Fault,
    },
    /// A command for one daemon was given several.
    #[error("this command asks one daemon, and {0} are named with --host")]
    OneHost(usize),
    /// A text that ssh would not take for a PC.
    #[error(transparent)]
    Destination(#[from] BadDestination),
    /// The daemon is not on the bus, which is said as [`the_bus`] says it.
    #[error("dgtd is not running on {0}")]
    NotRunning(String),
    /// The bus does not let this user.
    #[error("you may not do this: {0}")]
    NoRights(String),
    /// The daemon refused.
    #[error("{text}")]
    Refused {
        /// The error's name on the bus.
        name: String,
        /// Its text.
        text: String,
    },
    /// The bus failed.
    #[error("the daemon cannot be asked")]
    Bus(#[source] zbus::Error),
    /// The daemon left while it was being listened to.
    #[error("the connection to the bus is lost")]
    Lost,
    /// No board is called so.
    #[error("no board is called {name:?}; there are: {known}")]
    NoSuchBoard {
        /// The name given.
        name: String,
        /// Those there are.
        known: String,
    },
    /// A board without a game.
    #[error("no game is on at board {0}")]
    NoGame(String),
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A port cannot be opened.
    #[error(transparent)]
    Port(#[from] PortError),
    /// A capture cannot be written.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// A file cannot be written.
    #[error("{path}: cannot be written")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file, as named on the command line.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// A text that gives no position to judge.
    #[error(transparent)]
    Position(#[from] BadPosition),
    /// A file has fewer games.
    #[error("{path} has no game {number}: there are {count}")]
    NoSuchGame {
        /// The file.
        path: String,
        /// The game asked for, from 1.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// A recorded game cannot be followed.
    #[error("{path}:{line}: game {number}: {fault}")]
    Game {
        /// The file.
        path: String,
        /// The line of the file the fault stands in, from 1.
        line: usize,
        /// Its number in the file, from 1.
        number: usize,
        /// What is wrong, and after which ply.
        fault: Fault,
    },
    /// A file without games.
    #[error("{0} holds no game in PGN")]
    NoGames(String),
    /// A claim that cannot be judged as it stands.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// A board refuses what the command line asks of it.
    #[error(transparent)]
    Request(#[from] Refusal),
    /// A pairing file cannot be read.
    #[error("{path}:{fault}")]
    Pairing {
        /// The file, as named on the command line.
        path: String,
        /// What is wrong, and where.
        fault: pair::Fault,
    },
    /// Some of the input was bad; each fault has been told where it stands.
    #[error("{bad} of {all} {what} could not be judged to the end")]
    Some {
        /// How many.
        bad: usize,
        /// Of how many.
        all: usize,
        /// Of what: games, positions, files.
        what: &'static str,
    },
    /// Nothing could be recorded.
    #[error("{0}")]
    Nothing(String),
    /// Output failed.
    #[error("output failed")]
    Output(#[from] io::Error),
}

impl CtlError {
    /// The exit status.
    pub fn status(&self) -> u8 {
        match self {
            CtlError::Refused { name, .. } if name.ends_with("InvalidArgument") => 2,
            CtlError::Refused { name, .. } if name.ends_with("IllegalPosition") => 2,
            CtlError::Refused { name, .. } if name.ends_with("UnknownEdition") => 2,
            CtlError::NoSuchBoard { .. }
            | CtlError::Config(_)
            | CtlError::Destination(_)
            | CtlError::OneHost(_)
            | CtlError::Port(_)
            | CtlError::Capture(_)
            | CtlError::Read { .. }
            | CtlError::Position(_)
            | CtlError::NoSuchGame { .. }
            | CtlError::Game { .. }
            | CtlError::NoGames(_)
            | CtlError::Claim(_)
            | CtlError::Pairing { .. }
            | CtlError::Request(_)
            | CtlError::Some { .. }
            | CtlError::Write { .. } => 2,
            _ => 1,
        }
    }

    /// Whether the reader of the output has gone.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, CtlError::Output(e) if e.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Whether there is no sense in going on with the next file.
    pub(super) fn is_about_output(&self) -> bool {
        matches!(self, CtlError::Output(_) | CtlError::Write { .. } | CtlError::Request(_))
    }

    fn help(&self) -> Option<&'static str> {
        Some(match self {
            CtlError::NoBus { bus, .. } if bus == "system" => {
                "name the daemon's bus with --bus, or start it (systemctl start dbus)"
            }
            CtlError::NoBus { bus, .. } if bus == "session" => {
                "name the daemon's bus with --bus, or log in with a session bus (dbus-run-session bash)"
            }
            CtlError::NoBus { .. } => "name the daemon's bus with --bus, such as --bus system",
            CtlError::NotRunning(_) => {
                "start it (systemctl start dgtd), or name its bus with --bus"
            }
            CtlError::NoRights(_) => "ask to be put into group dgtd-arbiters, then log in again",
            CtlError::Host { fault, .. } => fault.help(),
            CtlError::NoGame(_) => "start one with `dgtctl start BOARD`",
            CtlError::Capture(CaptureError::Line { fault: capture::Fault::NotText, .. }) => {
                return None;
            }
            CtlError::Capture(CaptureError::Line { .. }) => {
                "mend the line, or skip such lines with --lenient"
            }
            CtlError::Refused { name, .. } if name.ends_with("NoSuchIllegalMove") => {
                "see those that wait with `dgtctl illegal BOARD`"
            }
            CtlError::Refused { name, .. } if name.ends_with("StalePly") => {
                "look at the board again (dgtctl show BOARD) and repeat the command"
            }
            _ => return None,
        })
    }

    /// The error, its causes and what to do.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "dgtctl: {}", crate::daemon::with_causes(self))?;
        match self.help() {
            Some(help) => writeln!(out, "help: {help}"),
            None => Ok(()),
        }
    }
}

/// A bus in a sentence: `system` and `session` are names, anything else is an address.
pub(super) fn the_bus(bus: &str) -> String {
    match bus {
        "system" | "session" => format!("the {bus} bus"),
        address => format!("the bus at {address}"),
    }
}

impl From<zbus::Error> for CtlError {
    fn from(error: zbus::Error) -> CtlError {
        let zbus::Error::MethodError(name, text, _) = &error else {
            return match error {
                zbus::Error::FDO(fdo) => from_fdo(*fdo),
                other => CtlError::Bus(other),
            };
        };
        let text = text.clone().unwrap_or_else(|| name.to_string());
        match name.as_str() {
            "org.freedesktop.DBus.Error.AccessDenied" => CtlError::NoRights(text),
            name => CtlError::Refused { name: name.to_owned(), text },
        }
    }
}

fn from_fdo(error: zbus::fdo::Error) -> CtlError {
    match error {
        zbus::fdo::Error::AccessDenied(text) => CtlError::NoRights(text),
        zbus::fdo::Error::ServiceUnknown(_) | zbus::fdo::Error::NameHasNoOwner(_) => {
            CtlError::NotRunning("the chosen bus".into())
        }
        zbus::fdo::Error::ZBus(error) => error.into(),
        other => CtlError::Refused { name: String::new(), text: other.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bus_is_named_as_people_say_it() {
        let source = || zbus::Error::InvalidReply;
        for (bus, said) in [
            ("system", "the system bus cannot be reached"),
            ("unix:path=/run/bus", "the bus at unix:path=/run/bus cannot be reached"),
        ] {
            let error = CtlError::NoBus { bus: bus.into(), source: source() };
            assert_eq!(error.to_string(), said);
        }
        let both = ["system", "session"].map(the_bus).join(" or ");
        let error = CtlError::NotRunning(both);
        assert_eq!(error.to_string(), "dgtd is not running on the system bus or the session bus");
    }
}
