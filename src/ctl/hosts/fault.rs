//! Why a daemon cannot be heard, in a form that says what to do.

/// Why a host cannot be heard. The text in brackets is what the program that failed said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The bus cannot be reached.
    #[error("the bus cannot be reached ({0})")]
    NoBus(String),
    /// The bus is there, the daemon is not.
    #[error("dgtd is not running there")]
    NotRunning,
    /// No answer came in time.
    #[error("it does not answer")]
    Silent,
    /// The connection ended.
    #[error("the connection is lost")]
    Lost,
    /// This PC has no ssh.
    #[error("ssh cannot be started ({0})")]
    NoSsh(String),
    /// No PC has that name.
    #[error("no PC is known by that name")]
    UnknownHost,
    /// The PC has no ssh server.
    #[error("the PC refuses ssh")]
    Refused,
    /// No way to the PC.
    #[error("the PC cannot be reached on the network")]
    Unreachable,
    /// The PC's key has never been seen.
    #[error("the PC's key is not known here")]
    KeyUnknown,
    /// The PC's key is another one.
    #[error("the PC's key has changed")]
    KeyChanged,
    /// No login.
    #[error("the PC does not let you in")]
    Denied,
    /// The PC has no `systemd-stdio-bridge`, or no system bus.
    #[error("the bus of the PC cannot be reached through ssh ({0})")]
    NoBridge(String),
    /// Something else ssh said.
    #[error("ssh failed ({0})")]
    Ssh(String),
    /// A daemon without what is needed.
    #[error("its dgtd is too old: it has no {0}")]
    TooOld(&'static str),
    /// The daemon refused what it should not.
    #[error("it cannot be asked ({0})")]
    Failed(String),
}

impl Fault {
    /// The word for it in the files of `locales/`.
    pub fn keyword(&self) -> &'static str {
        match self {
            Fault::NoBus(_) => "no-bus",
            Fault::NotRunning => "not-running",
            Fault::Silent => "silent",
            Fault::Lost => "lost",
            Fault::NoSsh(_) => "no-ssh",
            Fault::UnknownHost => "unknown-host",
            Fault::Refused => "refused",
            Fault::Unreachable => "unreachable",
            Fault::KeyUnknown => "key-unknown",
            Fault::KeyChanged => "key-changed",
            Fault::Denied => "denied",
            Fault::NoBridge(_) => "no-bridge",
            Fault::Ssh(_) => "ssh",
            Fault::TooOld(_) => "too-old",
            Fault::Failed(_) => "failed",
        }
    }

    /// What the program that failed said, or what is missing; empty when the word says it all.
    pub fn detail(&self) -> &str {
        match self {
            Fault::NoBus(text)
            | Fault::NoSsh(text)
            | Fault::NoBridge(text)
            | Fault::Ssh(text)
            | Fault::Failed(text) => text,
            Fault::TooOld(interface) => interface,
            _ => "",
        }
    }

    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Fault::NoBus(_) => "start it (systemctl start dbus), or name another with --bus",
            Fault::NotRunning => "start it there: sudo systemctl start dgtd",
            Fault::Silent | Fault::Lost | Fault::Unreachable => {
                "look at the network, and whether the PC is on"
            }
            Fault::NoSsh(_) => "install it: sudo apt install openssh-client",
            Fault::UnknownHost => "mend the name, or use the PC's number such as 192.168.1.7",
            Fault::Refused => "install and start it there: sudo apt install openssh-server",
            Fault::KeyUnknown => "call it once by hand (ssh USER@PC) and answer yes to its key",
            Fault::KeyChanged => {
                "if the PC was set up anew: ssh-keygen -R PC, then ssh USER@PC; if not, somebody \
                 stands in between"
            }
            Fault::Denied => "give your key to the PC: ssh-copy-id USER@PC",
            Fault::NoBridge(_) => "the PC needs systemd and a running system bus",
            Fault::Ssh(_) => "try it by hand: ssh USER@PC systemd-stdio-bridge",
            Fault::TooOld(_) => "install a newer dgtd on that PC",
            Fault::Failed(_) => "look there: journalctl -u dgtd",
        }
    }

    /// Whether trying again soon may help; else somebody must do something first.
    pub fn may_pass(&self) -> bool {
        matches!(
            self,
            Fault::NotRunning | Fault::Silent | Fault::Lost | Fault::Refused | Fault::Unreachable
        )
    }

    /// What ssh's own words mean. They are English whatever the login's language: ssh is started
    /// so.
    pub fn of_ssh(said: &str) -> Fault {
        let lower = said.to_lowercase();
        let has = |text: &str| lower.contains(text);
        if has("remote host identification has changed") {
            Fault::KeyChanged
        } else if has("host key verification failed") || has("host key is known") {
            Fault::KeyUnknown
        } else if has("permission denied") || has("too many authentication failures") {
            Fault::Denied
        } else if has("could not resolve hostname") {
            Fault::UnknownHost
        } else if has("connection refused") {
            Fault::Refused
        } else if has("no route to host")
            || has("connection timed out")
            || has("operation timed out")
            || has("network is unreachable")
            || has("network is down")
            || has("host is down")
        {
            Fault::Unreachable
        } else if has("not responding") {
            Fault::Silent
        } else if has("not found") || has("failed to start bus") || has("failed to connect to bus")
        {
            Fault::NoBridge(last_line(said))
        } else if said.trim().is_empty() || has("connection closed") || has("connection reset") {
            Fault::Lost
        } else {
            Fault::Ssh(last_line(said))
        }
    }

    /// What a failed call means.
    pub fn of_call(error: &super::super::CtlError) -> Fault {
        use super::super::CtlError;
        match error {
            CtlError::NotRunning(_) => Fault::NotRunning,
            CtlError::Silent => Fault::Silent,
            CtlError::NoBus { source, .. } => Fault::NoBus(source.to_string()),
            CtlError::Bus(zbus::Error::InputOutput(e))
                if e.kind() == std::io::ErrorKind::TimedOut =>
            {
                Fault::Silent
            }
            CtlError::Bus(zbus::Error::InputOutput(_)) | CtlError::Lost => Fault::Lost,
            CtlError::Refused { name, .. } if name.ends_with(".NoReply") => Fault::Silent,
            CtlError::Refused { name, .. }
                if name.ends_with(".ServiceUnknown") || name.ends_with(".NameHasNoOwner") =>
            {
                Fault::NotRunning
            }
            other => Fault::Failed(other.to_string()),
        }
    }
}

fn last_line(said: &str) -> String {
    let line = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
    line.unwrap_or_default().chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_ssh_are_understood() {
        for (said, fault) in [
            (
                "ssh: Could not resolve hostname pcx: Name or service not known\r\n",
                Fault::UnknownHost,
            ),
            ("ssh: connect to host pc1 port 22: Connection refused\r\n", Fault::Refused),
            ("ssh: connect to host pc1 port 22: No route to host", Fault::Unreachable),
            ("ssh: connect to host pc1 port 22: Connection timed out", Fault::Unreachable),
            (
                "No ED25519 host key is known for pc1 and you have requested strict checking.\r\n\
                 Host key verification failed.\r\n",
                Fault::KeyUnknown,
            ),
            (
                "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.",
                Fault::KeyChanged,
            ),
            ("arbiter@pc1: Permission denied (publickey,password).\r\n", Fault::Denied),
            (
                "bash: line 1: systemd-stdio-bridge: command not found\n",
                Fault::NoBridge("bash: line 1: systemd-stdio-bridge: command not found".into()),
            ),
            ("Timeout, server pc1 not responding.\r\n", Fault::Silent),
            ("", Fault::Lost),
            ("Connection closed by 10.0.0.7 port 22", Fault::Lost),
            ("kex_exchange: strange\n\n", Fault::Ssh("kex_exchange: strange".into())),
        ] {
            assert_eq!(Fault::of_ssh(said), fault, "{said}");
        }
    }
}
