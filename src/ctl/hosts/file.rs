//! `hosts.toml`: the PCs of the hall and the habits of the arbiter's desktop.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use toml::Spanned;

use super::{Destination, Host, Way};
use crate::config::{BusChoice, ConfigError, content, parse};

/// What stands in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostsFile {
    /// The PCs, in their order.
    pub hosts: Vec<Host>,
    /// Language of what is shown (`en`, `es`); absent: that of the login.
    pub language: Option<String>,
    /// Name of the sound of an end of a game, of the freedesktop sound names; empty: none.
    pub sound: Option<String>,
    /// The program that opens a terminal, and its options before the command; empty: one is looked
    /// for.
    pub terminal: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Written {
    #[serde(default)]
    language: Option<Spanned<String>>,
    #[serde(default)]
    notify: WrittenNotify,
    #[serde(default)]
    host: Vec<Spanned<WrittenHost>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct WrittenNotify {
    sound: Option<String>,
    terminal: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct WrittenHost {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    hall: String,
    #[serde(default)]
    ssh: Option<Spanned<String>>,
    #[serde(default)]
    bus: Option<BusChoice>,
}

/// Reads `file`; without one `$XDG_CONFIG_HOME/dgtd/hosts.toml`, which need not be there.
pub fn load(file: Option<&Path>) -> Result<HostsFile, ConfigError> {
    let (path, must) = match file {
        Some(file) => (file.to_owned(), true),
        None => match standard(|name| std::env::var_os(name)) {
            Some(path) => (path, false),
            None => return Ok(HostsFile::default()),
        },
    };
    match fs::read_to_string(&path) {
        Ok(text) => read(&path, &text),
        Err(e) if !must && e.kind() == io::ErrorKind::NotFound => Ok(HostsFile::default()),
        Err(source) => Err(ConfigError::Read { path, source }),
    }
}

/// The file's place: `$XDG_CONFIG_HOME/dgtd/hosts.toml`, else `~/.config/dgtd/hosts.toml`.
fn standard(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // A relative path is to be ignored, says the XDG base directory specification.
    let set = variable("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".config")))?;
    Some(base.join("dgtd/hosts.toml"))
}

fn read(path: &Path, text: &str) -> Result<HostsFile, ConfigError> {
    let written: Written = parse(path, text)?;
    let mut hosts: Vec<Host> = Vec::new();
    for block in &written.host {
        let host = host(path, text, block)?;
        let twice = hosts.iter().find_map(|other| {
            if other.name == host.name {
                Some(format!("two hosts are called `{}`", host.name))
            } else if other.way == host.way {
                Some(format!("`{}` and `{}` are the same PC", other.name, host.name))
            } else {
                None
            }
        });
        if let Some(message) = twice {
            let help = "give each a `name` of its own, or remove one of the two blocks";
            return Err(content(path, text, &block.span(), &message, help));
        }
        hosts.push(host);
    }
    if let Some(language) = &written.language {
        let known = crate::laws::text::Language::all();
        if !known.iter().any(|one| one.to_string() == *language.get_ref()) {
            let names: Vec<String> = known.iter().map(ToString::to_string).collect();
            let message = format!("there are no messages in {:?}", language.get_ref());
            let help = format!("possible here: {}", names.join(", "));
            return Err(content(path, text, &language.span(), &message, &help));
        }
    }
    Ok(HostsFile {
        hosts,
        language: written.language.map(Spanned::into_inner),
        sound: written.notify.sound,
        terminal: written.notify.terminal,
    })
}

fn host(path: &Path, text: &str, block: &Spanned<WrittenHost>) -> Result<Host, ConfigError> {
    let written = block.get_ref();
    let hall = written.hall.clone();
    match (&written.ssh, &written.bus) {
        (Some(ssh), None) => {
            let destination: Destination = ssh
                .get_ref()
                .parse()
                .map_err(|e| content(path, text, &ssh.span(), &format!("{e}"), ""))?;
            let name = written.name.clone().unwrap_or_else(|| destination.pc().to_owned());
            Ok(Host { name, hall, way: Way::Ssh(destination) })
        }
        (None, Some(bus)) if *bus != BusChoice::None => {
            let name = written.name.clone().unwrap_or_else(|| bus.to_string());
            Ok(Host { name, hall, way: Way::Bus(bus.clone()) })
        }
        _ => Err(content(
            path,
            text,
            &block.span(),
            "a host has either `ssh` or `bus`",
            "add `ssh = \"USER@PC\"` for another PC, or `bus = \"system\"` for this one",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Result<HostsFile, String> {
        read(Path::new("hosts.toml"), text).map_err(|e| e.to_string())
    }

    #[test]
    fn the_file_is_read() {
        let file = one("language = 'es'\n[notify]\nsound = ''\nterminal = ['xterm', '-e']\n\
             [[host]]\nssh = 'arbiter@hall-pc1'\nhall = 'Main hall'\n\
             [[host]]\nbus = 'system'\nname = 'here'\n")
        .unwrap();
        let names: Vec<&str> = file.hosts.iter().map(|host| host.name.as_str()).collect();
        assert_eq!(names, ["hall-pc1", "here"]);
        assert_eq!(file.hosts[0].hall, "Main hall");
        assert_eq!(file.hosts[0].way.key(), "ssh:arbiter@hall-pc1");
        assert_eq!(file.hosts[1].way, Way::Bus(BusChoice::System));
        assert_eq!(file.language.as_deref(), Some("es"));
        assert_eq!((file.sound.as_deref(), file.terminal.len()), (Some(""), 2));
        assert_eq!(one("").unwrap(), HostsFile::default());
    }

    #[test]
    fn errors_show_place_and_remedy() {
        for (text, expected) in [
            (
                "[[host]]\nshh = 'a@b'\n",
                "hosts.toml:2:1: unknown key `shh`\n  |\n2 | shh = 'a@b'\n  | ^^^\n\
                 help: did you mean `ssh`? known here: name, hall, ssh, bus",
            ),
            (
                "[[host]]\nname = 'a'\n",
                "hosts.toml:1:1: a host has either `ssh` or `bus`\n  |\n1 | [[host]]\n  | ^^^^^^^^\n\
                 help: add `ssh = \"USER@PC\"` for another PC, or `bus = \"system\"` for this one",
            ),
            (
                "[[host]]\nssh = '-oProxyCommand=x'\n",
                "hosts.toml:2:7: \"-oProxyCommand=x\" is not a PC: write it as ssh takes it, such as \
                 arbiter@hall-pc1\n  |\n2 | ssh = '-oProxyCommand=x'\n  |       ^^^^^^^^^^^^^^^^^^",
            ),
            (
                "[[host]]\nssh = 'a@b'\n[[host]]\nssh = 'c@b'\n",
                "hosts.toml:3:1: two hosts are called `b`\n  |\n3 | [[host]]\n  | ^^^^^^^^\n\
                 help: give each a `name` of its own, or remove one of the two blocks",
            ),
            (
                "language = 'eo'\n",
                "hosts.toml:1:12: there are no messages in \"eo\"\n  |\n1 | language = 'eo'\n  |            ^^^^\n\
                 help: possible here: en, es",
            ),
        ] {
            assert_eq!(one(text).unwrap_err(), expected);
        }
    }

    #[test]
    fn the_place_follows_the_base_directories() {
        let at = |set: &[(&str, &str)]| {
            standard(|name| set.iter().find(|(key, _)| *key == name).map(|(_, v)| v.into()))
        };
        assert_eq!(at(&[("XDG_CONFIG_HOME", "/c")]).unwrap(), Path::new("/c/dgtd/hosts.toml"));
        let home = [("XDG_CONFIG_HOME", "relative"), ("HOME", "/h")];
        assert_eq!(at(&home).unwrap(), Path::new("/h/.config/dgtd/hosts.toml"));
        assert_eq!(at(&[]), None);
    }
}
