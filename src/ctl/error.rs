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
    laws::{
        claims::ClaimError,
        pgn::Fault,
        text::{Args, Language},
    },
    signals::refused,
};

/// Why a command did not do what it was to do.
#[derive(Debug, thiserror::Error)]
pub enum CtlError {
    /// No bus can be reached.
    #[error("{} cannot be reached", the_bus(&Language::default(), bus))]
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
    /// The daemon is on none of these buses; without any named, not on the chosen one.
    #[error("dgtd is not running on {}", buses(&Language::default(), .0))]
    NotRunning(Vec<String>),
    /// The bus does not let this user.
    #[error("you may not do this: {0}")]
    NoRights(String),
    /// A method, an interface or an object is not there: the daemon is an old one.
    #[error("the dgtd there is too old for this command: {0}")]
    TooOld(String),
    /// No answer came in time.
    #[error("the daemon does not answer: whether it was done is not known")]
    Silent,
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
    /// What was asked for is not so, in the words of a message.
    #[error("{}", Language::default().say(.0, .1.clone()))]
    Said(&'static str, Args),
    /// The same in a sentence that is in the asker's language already.
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

    /// What to do: a message and its arguments.
    fn help(&self) -> Option<(&'static str, Args)> {
        let ends = |name: &str, error: &str| name.ends_with(error);
        Some(match self {
            CtlError::NoBus { bus, .. } => ("help-no-bus", vec![("bus", bus.clone())]),
            CtlError::NotRunning(_) => ("help-not-running", Vec::new()),
            CtlError::NoRights(_) => ("help-no-rights", Vec::new()),
            CtlError::Host { fault, .. } => {
                ("help-host", vec![("fault", fault.keyword().to_owned())])
            }
            CtlError::OneHost(_) => ("help-one-host", Vec::new()),
            CtlError::TooOld(_) => ("help-too-old", Vec::new()),
            CtlError::Silent => ("help-silent", Vec::new()),
            CtlError::NoGame(_) => ("help-no-game", Vec::new()),
            CtlError::Capture(CaptureError::Line { fault: capture::Fault::NotText, .. }) => {
                return None;
            }
            CtlError::Capture(CaptureError::Line { .. }) => ("help-line", Vec::new()),
            CtlError::Refused { name, .. } if ends(name, "NoSuchIllegalMove") => {
                ("help-which-illegal", Vec::new())
            }
            CtlError::Refused { name, .. } if ends(name, "StalePly") => ("help-stale", Vec::new()),
            _ => return None,
        })
    }

    /// The message of the error itself and its arguments; none for what has words of its own.
    fn message(&self, language: &Language) -> Option<(&'static str, Args)> {
        Some(match self {
            CtlError::NoBus { bus, .. } => ("error-no-bus", vec![("bus", the_bus(language, bus))]),
            CtlError::Host { host, fault } => {
                let (word, detail) = (fault.keyword().to_owned(), fault.detail().to_owned());
                ("error-host", vec![("host", host.clone()), ("fault", word), ("detail", detail)])
            }
            CtlError::OneHost(count) => ("error-one-host", vec![("count", count.to_string())]),
            CtlError::Destination(BadDestination(text)) => {
                ("error-destination", vec![("text", text.clone())])
            }
            CtlError::NotRunning(of) => ("error-not-running", vec![("bus", buses(language, of))]),
            CtlError::NoRights(text) => ("error-no-rights", vec![("text", text.clone())]),
            CtlError::TooOld(text) => ("error-too-old", vec![("text", text.clone())]),
            CtlError::Silent => ("error-silent", Vec::new()),
            CtlError::Bus(_) => ("error-cannot-ask", Vec::new()),
            CtlError::Lost => ("error-lost", Vec::new()),
            CtlError::NoSuchBoard { name, known } => {
                ("error-no-such-board", vec![("name", name.clone()), ("known", known.clone())])
            }
            CtlError::NoGame(board) => ("error-no-game", vec![("board", board.clone())]),
            CtlError::Write { path, .. } => {
                ("error-write", vec![("path", path.display().to_string())])
            }
            CtlError::Read { path, .. } => ("error-read", vec![("path", path.clone())]),
            CtlError::NoSuchGame { path, number, count } => {
                let (number, count) = (number.to_string(), count.to_string());
                let args = vec![("path", path.clone()), ("number", number), ("count", count)];
                ("error-no-such-game", args)
            }
            CtlError::NoGames(path) => ("error-no-games", vec![("path", path.clone())]),
            CtlError::Output(_) => ("error-output", Vec::new()),
            CtlError::Said(message, args) => (message, args.clone()),
            _ => return None,
        })
    }

    /// The error and its causes, in a language as far as there are words in it.
    pub fn say(&self, language: &Language) -> String {
        match self {
            CtlError::Request(why) => refused::refusal(language, why),
            CtlError::Pairing { path, fault } => format!("{path}:{}", fault.say(language)),
            other => match other.message(language) {
                None => crate::daemon::with_causes(other),
                Some((message, args)) => {
                    let mut text = language.say(message, args);
                    if let Some(cause) = std::error::Error::source(other) {
                        let cause = crate::daemon::with_causes(cause);
                        if !text.ends_with(&cause) {
                            text.push_str(": ");
                            text.push_str(&cause);
                        }
                    }
                    text
                }
            },
        }
    }

    /// The error, its causes and what to do.
    pub fn print(&self, out: &mut dyn Write, language: &Language) -> io::Result<()> {
        writeln!(out, "dgtctl: {}", self.say(language))?;
        match self.help() {
            Some((message, args)) => {
                let help = vec![("help", language.say(message, args))];
                writeln!(out, "{}", language.say("error-help", help))
            }
            None => Ok(()),
        }
    }
}

/// A bus in a sentence: `system` and `session` are names, anything else is an address.
pub(super) fn the_bus(language: &Language, bus: &str) -> String {
    language.say("error-bus", vec![("bus", bus.to_owned())])
}

/// Buses in a sentence.
fn buses(language: &Language, of: &[String]) -> String {
    let mut all = of.iter().map(|bus| the_bus(language, bus));
    let Some(first) = all.next() else { return the_bus(language, "chosen") };
    all.fold(first, |one, other| language.say("error-or", vec![("one", one), ("other", other)]))
}

impl From<zbus::Error> for CtlError {
    fn from(error: zbus::Error) -> CtlError {
        let zbus::Error::MethodError(name, text, _) = &error else {
            return match error {
                zbus::Error::FDO(fdo) => from_fdo(*fdo),
                zbus::Error::InputOutput(e) if e.kind() == io::ErrorKind::TimedOut => {
                    CtlError::Silent
                }
                other => CtlError::Bus(other),
            };
        };
        let text = text.clone().unwrap_or_else(|| name.to_string());
        of_name(name.as_str(), text)
    }
}

fn of_name(name: &str, text: String) -> CtlError {
    let Some(word) = name.strip_prefix("org.freedesktop.DBus.Error.") else {
        return CtlError::Refused { name: name.to_owned(), text };
    };
    match word {
        "AccessDenied" => CtlError::NoRights(text),
        "ServiceUnknown" | "NameHasNoOwner" => CtlError::NotRunning(Vec::new()),
        "UnknownMethod" | "UnknownInterface" | "UnknownProperty" => CtlError::TooOld(text),
        "NoReply" | "Timeout" | "TimedOut" => CtlError::Silent,
        _ => CtlError::Refused { name: name.to_owned(), text },
    }
}

fn from_fdo(error: zbus::fdo::Error) -> CtlError {
    match error {
        zbus::fdo::Error::ZBus(error) => error.into(),
        other => {
            let text = zbus::DBusError::description(&other).unwrap_or_default().to_owned();
            of_name(zbus::DBusError::name(&other).as_str(), text)
        }
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
        let error = CtlError::NotRunning(vec!["system".into(), "session".into()]);
        assert_eq!(error.to_string(), "dgtd is not running on the system bus or the session bus");
    }

    #[test]
    fn errors_say_the_same_in_english_as_in_the_code_and_something_else_in_spanish() {
        let text = || "x1".to_owned();
        let io = || io::Error::from(io::ErrorKind::NotFound);
        let hosts = [
            hosts::Fault::NoBus(text()),
            hosts::Fault::NotRunning,
            hosts::Fault::Silent,
            hosts::Fault::Lost,
            hosts::Fault::NoSsh(text()),
            hosts::Fault::UnknownHost,
            hosts::Fault::Refused,
            hosts::Fault::Unreachable,
            hosts::Fault::KeyUnknown,
            hosts::Fault::KeyChanged,
            hosts::Fault::Denied,
            hosts::Fault::NoBridge(text()),
            hosts::Fault::Ssh(text()),
            hosts::Fault::TooOld("org.dgtd.Journal1"),
            hosts::Fault::Failed(text()),
        ];
        let hosts = hosts.map(|fault| CtlError::Host { host: "pc1".into(), fault });
        let refused = |name: &str| CtlError::Refused { name: name.into(), text: String::new() };
        let others = [
            CtlError::NoBus { bus: "system".into(), source: zbus::Error::InvalidReply },
            CtlError::NoBus { bus: "session".into(), source: zbus::Error::InvalidReply },
            CtlError::NoBus { bus: "unix:path=/b".into(), source: zbus::Error::InvalidReply },
            CtlError::OneHost(2),
            CtlError::Destination("-x".parse::<hosts::Destination>().unwrap_err()),
            CtlError::NotRunning(Vec::new()),
            CtlError::NotRunning(vec!["system".into(), "session".into()]),
            CtlError::NoRights(text()),
            CtlError::TooOld(text()),
            CtlError::Silent,
            CtlError::Bus(zbus::Error::InvalidReply),
            CtlError::Lost,
            CtlError::NoSuchBoard { name: "7".into(), known: "none".into() },
            CtlError::NoSuchBoard { name: "7".into(), known: "a, b".into() },
            CtlError::NoGame("7".into()),
            CtlError::Write { path: "/x".into(), source: io() },
            CtlError::Read { path: "/x".into(), source: io() },
            CtlError::NoSuchGame { path: "x".into(), number: 2, count: 1 },
            CtlError::NoGames("x".into()),
            CtlError::Output(io()),
            CtlError::Request(Refusal::NoGame),
        ];
        let (english, spanish) = (Language::default(), Language::choose("es"));
        for error in hosts.iter().chain(&others) {
            let said = error.say(&english);
            assert_eq!(said, crate::daemon::with_causes(error));
            assert_ne!(said, error.say(&spanish));
        }
        for error in
            hosts.iter().chain(&others).chain(&["StalePly", "NoSuchIllegalMove"].map(refused))
        {
            let Some((message, args)) = error.help() else { continue };
            let [en, es] = [&english, &spanish].map(|l| l.say(message, args.clone()));
            assert!(en != es && !en.contains(['{', '$']) && !es.contains(['{', '$']), "{en} {es}");
        }
        for error in &hosts {
            let CtlError::Host { fault, .. } = error else { continue };
            let (message, args) = error.help().unwrap();
            assert_eq!(english.say(message, args), fault.help());
        }
    }

    #[test]
    fn what_the_bus_says_of_an_old_daemon_or_a_hanging_one_is_understood() {
        use zbus::fdo::Error;
        for (error, said) in [
            (
                Error::UnknownMethod("no method".into()),
                "the dgtd there is too old for this command: no method",
            ),
            (Error::UnknownInterface("i".into()), "the dgtd there is too old for this command: i"),
            (
                Error::NoReply("r".into()),
                "the daemon does not answer: whether it was done is not known",
            ),
            (Error::AccessDenied("no".into()), "you may not do this: no"),
            (Error::ServiceUnknown("s".into()), "dgtd is not running on the chosen bus"),
            (Error::InvalidArgs("bad".into()), "bad"),
        ] {
            assert_eq!(CtlError::from(zbus::Error::from(error)).to_string(), said);
        }
    }
}
