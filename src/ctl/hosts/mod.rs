//! The daemons of a hall: which PCs there are, how each is reached, and what they tell, as one
//! stream.
//!
//! In: hosts named on the command line or in `hosts.toml`. Out: one [`Feed`] for all hosts: the
//! whole state after each connection, every change after it, a link that breaks; and for each host
//! a [`Client`](super::client::Client) that can be called. A host that hangs delays no other: each
//! has a task of its own. Refuses to know: what is done with what is told, and on which screen.

mod fault;
mod feed;
mod file;
mod read;
mod ssh;

use std::fmt;

pub use fault::Fault;
pub use feed::{Feed, Interest, News, follow};
pub use file::{HostsFile, load};
pub use read::{Alert, AlertClass, Event, Position, State, boards};
pub use ssh::{Tunnel, connect as connect_ssh};

use crate::config::BusChoice;

/// A PC with a daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// What people call it.
    pub name: String,
    /// The hall its boards stand in; empty when there is only one.
    pub hall: String,
    /// How its bus is reached.
    pub way: Way,
}

/// How a daemon's bus is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// A bus of this PC, or a D-Bus address.
    Bus(BusChoice),
    /// Through ssh: a destination such as `arbiter@hall-pc1`, as ssh itself takes it.
    Ssh(Destination),
}

impl Way {
    /// A text that stays the same for the same daemon: what is remembered of it is kept under this.
    pub fn key(&self) -> String {
        match self {
            Way::Bus(bus) => format!("bus:{bus}"),
            Way::Ssh(destination) => format!("ssh:{destination}"),
        }
    }

    /// The arguments with which dgtctl reaches the same daemon.
    pub fn arguments(&self) -> [String; 2] {
        match self {
            Way::Bus(bus) => ["--bus".into(), bus.to_string()],
            Way::Ssh(destination) => ["--host".into(), destination.to_string()],
        }
    }
}

/// Whom ssh calls: `PC` or `USER@PC`. Never an option of ssh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination(String);

/// A text that ssh would not take for a PC.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a PC: write it as ssh takes it, such as arbiter@hall-pc1")]
pub struct BadDestination(pub String);

impl std::str::FromStr for Destination {
    type Err = BadDestination;

    fn from_str(text: &str) -> Result<Destination, BadDestination> {
        let host = text.rsplit('@').next().unwrap_or_default();
        let plain = text.chars().all(|c| !c.is_whitespace() && !c.is_control());
        if host.is_empty() || text.starts_with(['-', '@']) || host.starts_with('-') || !plain {
            return Err(BadDestination(text.to_owned()));
        }
        Ok(Destination(text.to_owned()))
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Destination {
    /// The text as ssh takes it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The PC without the user.
    pub fn pc(&self) -> &str {
        self.0.rsplit('@').next().unwrap_or_default()
    }
}

/// A host named on the command line: a name from the file, else a destination of ssh.
pub fn named(name: &str, file: &HostsFile) -> Result<Host, BadDestination> {
    if let Some(host) = file.hosts.iter().find(|host| host.name == name) {
        return Ok(host.clone());
    }
    let destination: Destination = name.parse()?;
    let way = Way::Ssh(destination.clone());
    let known = file.hosts.iter().find(|host| host.way == way).cloned();
    Ok(known.unwrap_or_else(|| Host {
        name: destination.pc().to_owned(),
        hall: String::new(),
        way,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_destination_is_never_an_option_of_ssh() {
        for good in ["pc1", "arbiter@pc1", "a.b@10.0.0.7", "fe80::1"] {
            assert_eq!(good.parse::<Destination>().unwrap().as_str(), good);
        }
        for bad in ["", "-oProxyCommand=x", "a@-oX", "@pc", "a@", "pc one", "pc\n"] {
            assert!(bad.parse::<Destination>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_command_line_may_use_the_names_of_the_file() {
        let host = Host {
            name: "pc1".into(),
            hall: "Main".into(),
            way: Way::Ssh("arbiter@10.0.0.7".parse().unwrap()),
        };
        let file = HostsFile { hosts: vec![host.clone()], ..HostsFile::default() };
        assert_eq!(named("pc1", &file).unwrap(), host);
        assert_eq!(named("arbiter@10.0.0.7", &file).unwrap(), host);
        let other = named("ana@pc2", &file).unwrap();
        assert_eq!((other.name.as_str(), other.hall.as_str()), ("pc2", ""));
        assert_eq!(other.way.arguments(), ["--host", "ana@pc2"]);
    }
}
