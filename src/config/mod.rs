//! The configuration: TOML files in, typed options out.
//!
//! In: the text of the main file and of the drop-ins, in name order. Out: [`Config`], or an error
//! that shows the place and the remedy. Refuses to know: what the options do.

mod merge;
mod picture;
mod values;

use serde::{Deserialize, Serialize};

pub use merge::{ConfigError, load, load_texts, standard_directory};
pub(crate) use merge::{content, parse};
pub use values::{
    BoardOrientation, BusChoice, Chip, Edition, LogLevel, MessageLanguage, Pattern, PortSpec,
    Ranged, StateDirectory, TimeControl,
};

use crate::{laws, units::BoardId};

/// The shipped file, which shows every key at its default (a test keeps it so).
pub const SHIPPED: &str = include_str!("../../config/dgtd.toml");

/// All options of the daemon.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Config {
    /// Which Laws are in force.
    pub laws: Laws,
    /// How moves are told from hands.
    pub tracker: Tracker,
    /// Where boards are looked for.
    pub ports: Ports,
    /// Where the daemon is spoken to.
    pub bus: Bus,
    /// The sounder at the arbiter's table.
    pub buzzer: Buzzer,
    /// Where the daemon keeps its files.
    pub state: State,
    /// What goes into the log.
    pub log: Log,
    /// Boards that have a name, a label or a fixed place.
    #[serde(rename = "board")]
    pub boards: Vec<Board>,
}

/// `[laws]`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Laws {
    /// Edition of the FIDE Laws of Chess for games that start from now on.
    pub edition: Edition,
    /// Kind of play, which decides penalties and who acts on a fallen flag.
    pub time_control: TimeControl,
    /// Language of what the arbiter reads: `auto` (the daemon's `LANG`), or one there are messages
    /// in, such as `es`.
    pub language: MessageLanguage,
}

impl Laws {
    /// The conditions of games that start from now on.
    pub fn conditions(&self) -> laws::Conditions {
        let control = match self.time_control {
            TimeControl::Standard => laws::Control::Standard,
            TimeControl::Rapid => laws::Control::Rapid,
            TimeControl::Blitz => laws::Control::Blitz,
        };
        laws::Conditions::new(self.edition.0, control)
    }
}

/// `[tracker]`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Tracker {
    /// How long the board must stand still before a move counts without a press of the clock
    /// (milliseconds, 0 to 60000); `0` leaves it to the program.
    pub settle_ms: Ranged<0, 60_000>,
}

/// `[ports]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Ports {
    /// Take every port that surely is a DGT board.
    pub auto: bool,
    /// Further ports to open: device paths, or `replay:FILE`.
    pub list: Vec<PortSpec>,
}

impl Default for Ports {
    fn default() -> Ports {
        Ports { auto: true, list: Vec::new() }
    }
}

/// `[bus]`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Bus {
    /// `auto` (the system bus for a service, the session bus for a login), `system`, `session`,
    /// `none`, or a D-Bus address.
    pub which: BusChoice,
}

/// `[buzzer]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Buzzer {
    /// GPIO chip, such as `/dev/gpiochip0`; empty: no buzzer.
    pub chip: Chip,
    /// Line of the chip (offset, 0 to 1023).
    pub line: Ranged<0, 1023>,
    /// The buzzer sounds while the line is low.
    pub active_low: bool,
    /// How long it sounds when nobody silences it (seconds, 1 to 3600).
    pub max_seconds: Ranged<1, 3600>,
    /// Rest between two rounds of a pattern (milliseconds, 100 to 60000).
    pub rest_ms: Ranged<100, 60_000>,
    /// What it sounds for each way a game can end.
    pub pattern: Patterns,
}

impl Default for Buzzer {
    fn default() -> Buzzer {
        Buzzer {
            chip: Chip::default(),
            line: Ranged::at(17),
            active_low: false,
            max_seconds: Ranged::at(60),
            rest_ms: Ranged::at(1500),
            pattern: Patterns::default(),
        }
    }
}

/// `[buzzer.pattern]`: `.` is a short sound, `-` a long one, a space a rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Patterns {
    /// Article 5.1.1.
    pub checkmate: Pattern,
    /// Article 5.2.1.
    pub stalemate: Pattern,
    /// Article 5.2.2.
    pub dead_position: Pattern,
    /// Article 9.6.1.
    pub fivefold_repetition: Pattern,
    /// Article 9.6.2.
    pub seventyfive_moves: Pattern,
    /// The test of the buzzer, sounded once.
    pub test: Pattern,
}

impl Default for Patterns {
    fn default() -> Patterns {
        Patterns {
            checkmate: Pattern::known("---"),
            stalemate: Pattern::known("--"),
            dead_position: Pattern::known("-.."),
            fivefold_repetition: Pattern::known("....."),
            seventyfive_moves: Pattern::known("-.-"),
            test: Pattern::known("."),
        }
    }
}

/// `[state]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct State {
    /// Directory of the journal and the games. `auto`: `$STATE_DIRECTORY` (systemd sets it), else
    /// `/var/lib/dgtd` for root, else `$XDG_STATE_HOME/dgtd` or `~/.local/state/dgtd`.
    pub directory: StateDirectory,
    /// Write one PGN file a game, under `pgn/`.
    pub pgn: bool,
    /// Newest events kept in memory for clients that missed some (100 to 1000000).
    pub events_in_memory: Ranged<100, 1_000_000>,
    /// How much of each board's journal is kept (MiB, 1 to 65536). The running game always is.
    pub journal_mib: Ranged<1, 65_536>,
}

impl Default for State {
    fn default() -> State {
        State {
            directory: StateDirectory::Auto,
            pgn: true,
            events_in_memory: Ranged::at(10_000),
            journal_mib: Ranged::at(16),
        }
    }
}

/// `[log]`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Log {
    /// `error`, `warn`, `info`, `debug` or `trace`; `RUST_LOG` overrides it.
    pub level: LogLevel,
}

/// `[[board]]`: at least one of `serial` and `port` must be given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Board {
    /// Its name in events and object paths; the serial number when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// Its serial number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// What people call it, such as `Table 7`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The port it is on; absent: it is recognised by its serial number wherever it is plugged in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<PortSpec>,
    /// Which way round it stands; `auto`: seen from the initial array.
    pub orientation: BoardOrientation,
}

/// The name of a board, checked while it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Name(pub BoardId);

impl TryFrom<String> for Name {
    type Error = crate::units::BadBoardId;

    fn try_from(text: String) -> Result<Name, crate::units::BadBoardId> {
        text.parse().map(Name)
    }
}

impl Config {
    /// The whole configuration as TOML: what `--check-config` and `dgtctl check` print.
    pub fn to_toml(&self) -> String {
        // Strings, numbers and tables of them: nothing here that TOML cannot say.
        toml::to_string_pretty(self).unwrap_or_default()
    }

    /// The keys whose change needs a restart, among those that differ from `newer`.
    pub fn needs_restart(&self, newer: &Config) -> Vec<&'static str> {
        let mut keys = Vec::new();
        if self.bus != newer.bus {
            keys.push("bus");
        }
        if self.state != newer.state {
            keys.push("state");
        }
        if self.buzzer.chip != newer.buzzer.chip
            || self.buzzer.line != newer.buzzer.line
            || self.buzzer.active_low != newer.buzzer.active_low
        {
            keys.push("buzzer.chip, buzzer.line, buzzer.active-low");
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_file_shows_every_key_at_its_default() {
        let shipped: Config = toml::from_str(SHIPPED).unwrap();
        assert_eq!(shipped, Config::default());
        let shown: toml::Table = toml::from_str(SHIPPED).unwrap();
        let all: toml::Table = toml::from_str(&Config::default().to_toml()).unwrap();
        for (section, keys) in &all {
            if section == "board" {
                continue;
            }
            let there = shown.get(section).and_then(toml::Value::as_table);
            for key in keys.as_table().into_iter().flat_map(toml::Table::keys) {
                assert!(
                    there.is_some_and(|table| table.contains_key(key)),
                    "[{section}] {key} is not in config/dgtd.toml"
                );
            }
        }
    }

    #[test]
    fn what_is_printed_can_be_read_back() {
        let text = "[laws]\nedition = '2017'\n[[board]]\nname = 'b1'\nserial = '01025'\n\
                    [[board]]\nport = 'replay:game.dgtlog?speed=10'\n";
        let config: Config = toml::from_str(text).unwrap();
        let again: Config = toml::from_str(&config.to_toml()).unwrap();
        assert_eq!(config, again);
    }
}
