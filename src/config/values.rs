//! Values that are checked while they are read, so that the error points at their place.

use std::{fmt, path::PathBuf, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};

use crate::laws::{self, text::Language};

/// A value that is not one of those a key takes: got, expected, remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{got:?} is not {wanted}")]
pub struct BadValue {
    got: String,
    wanted: String,
}

impl BadValue {
    fn new(got: &str, wanted: impl Into<String>) -> BadValue {
        BadValue { got: got.to_owned(), wanted: wanted.into() }
    }
}

/// An edition of the FIDE Laws of Chess by name; the newest by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Edition(pub laws::Edition);

impl TryFrom<String> for Edition {
    type Error = BadValue;

    fn try_from(text: String) -> Result<Edition, BadValue> {
        text.parse().map(Edition).map_err(|_| {
            let all: Vec<&str> = laws::Edition::ALL.iter().map(|edition| edition.name()).collect();
            BadValue::new(&text, format!("an edition of the Laws: use {}", all.join(", ")))
        })
    }
}

impl From<Edition> for String {
    fn from(edition: Edition) -> String {
        edition.0.name().to_owned()
    }
}

/// A language there are messages in, or that of the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MessageLanguage(Option<Language>);

impl MessageLanguage {
    /// The language: the one named, or that of `LC_ALL`, `LC_MESSAGES` or `LANG`.
    pub fn choose(&self) -> Language {
        let environment = || Language::of_variables(|name| std::env::var(name).ok());
        self.0.clone().unwrap_or_else(environment)
    }
}

impl TryFrom<String> for MessageLanguage {
    type Error = BadValue;

    fn try_from(text: String) -> Result<MessageLanguage, BadValue> {
        if text == "auto" {
            return Ok(MessageLanguage(None));
        }
        let all = Language::all();
        let known = all.iter().find(|language| language.to_string() == text);
        known.map(|language| MessageLanguage(Some(language.clone()))).ok_or_else(|| {
            let names: Vec<String> = all.iter().map(ToString::to_string).collect();
            BadValue::new(&text, format!("a language of messages: use auto, {}", names.join(", ")))
        })
    }
}

impl From<MessageLanguage> for String {
    fn from(language: MessageLanguage) -> String {
        language.0.map_or_else(|| "auto".to_owned(), |language| language.to_string())
    }
}

/// Kind of play (Appendices A and B of the Laws).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeControl {
    /// Standard chess.
    #[default]
    Standard,
    /// Rapid chess, Appendix A.
    Rapid,
    /// Blitz, Appendix B.
    Blitz,
}

/// A whole number within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "u64")]
pub struct Ranged<const MIN: u64, const MAX: u64>(u64);

impl<const MIN: u64, const MAX: u64> Ranged<MIN, MAX> {
    /// A number known to lie within the bounds; brought there if it does not.
    pub const fn at(value: u64) -> Ranged<MIN, MAX> {
        if value < MIN {
            Ranged(MIN)
        } else if value > MAX {
            Ranged(MAX)
        } else {
            Ranged(value)
        }
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl<const MIN: u64, const MAX: u64> Default for Ranged<MIN, MAX> {
    fn default() -> Self {
        Ranged(MIN)
    }
}

impl<const MIN: u64, const MAX: u64> From<Ranged<MIN, MAX>> for u64 {
    fn from(value: Ranged<MIN, MAX>) -> u64 {
        value.0
    }
}

impl<const MIN: u64, const MAX: u64> TryFrom<i64> for Ranged<MIN, MAX> {
    type Error = BadValue;

    fn try_from(value: i64) -> Result<Self, BadValue> {
        match u64::try_from(value) {
            Ok(inside) if (MIN..=MAX).contains(&inside) => Ok(Ranged(inside)),
            _ => Err(BadValue::new(&value.to_string(), format!("a number from {MIN} to {MAX}"))),
        }
    }
}

/// Where the daemon is spoken to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum BusChoice {
    /// The system bus for root and for a service, the session bus for a login.
    #[default]
    Auto,
    /// The system bus.
    System,
    /// The session bus.
    Session,
    /// No bus.
    None,
    /// The bus at this D-Bus address.
    Address(String),
}

impl TryFrom<String> for BusChoice {
    type Error = BadValue;

    fn try_from(text: String) -> Result<BusChoice, BadValue> {
        text.parse()
    }
}

impl FromStr for BusChoice {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<BusChoice, BadValue> {
        Ok(match text {
            "auto" => BusChoice::Auto,
            "system" => BusChoice::System,
            "session" => BusChoice::Session,
            "none" => BusChoice::None,
            // zbus takes one address, not a list.
            address if address.contains(':') && !address.contains(';') => {
                BusChoice::Address(address.to_owned())
            }
            other => {
                return Err(BadValue::new(
                    other,
                    "a bus: use auto, system, session, none or one address such as \
                     unix:path=/run/user/1000/bus",
                ));
            }
        })
    }
}

impl From<BusChoice> for String {
    fn from(choice: BusChoice) -> String {
        choice.to_string()
    }
}

impl fmt::Display for BusChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BusChoice::Auto => "auto",
            BusChoice::System => "system",
            BusChoice::Session => "session",
            BusChoice::None => "none",
            BusChoice::Address(address) => address,
        })
    }
}

/// A port: a device, a line in bus mode, or a capture played in its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PortSpec {
    /// A device path.
    Device(PathBuf),
    /// A device with several boards on one line in bus mode.
    Bus(PathBuf),
    /// A `.dgtlog` file, played in log time.
    Replay {
        /// The file.
        file: PathBuf,
        /// How many times faster than it was recorded, in thousandths; `0` = as fast as it goes.
        speed_milli: u64,
    },
}

impl TryFrom<String> for PortSpec {
    type Error = BadValue;

    fn try_from(text: String) -> Result<PortSpec, BadValue> {
        text.parse()
    }
}

impl FromStr for PortSpec {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<PortSpec, BadValue> {
        let Some(replay) = text.strip_prefix("replay:") else {
            let (bus, path) = match text.strip_prefix("bus:") {
                Some(path) => (true, path),
                None => (false, text),
            };
            return if path.starts_with('/') && !path.contains('\0') {
                Ok(if bus { PortSpec::Bus(path.into()) } else { PortSpec::Device(path.into()) })
            } else {
                Err(BadValue::new(
                    text,
                    "a port: use an absolute device path such as /dev/ttyACM0, bus:/dev/ttyS0 for \
                     several boards on one line, or replay:FILE",
                ))
            };
        };
        // A `?` begins options, so a file with one in its name cannot be replayed.
        let (file, options) = match replay.split_once('?') {
            None => (replay, None),
            Some((file, options)) => (file, Some(options)),
        };
        let speed_milli = match options
            .map(|options| options.split_once('=').unwrap_or((options, "")))
        {
            None => 1_000,
            Some(("speed", speed)) => thousandths(speed).ok_or_else(|| {
                let wanted =
                    "a speed: use a number from 0.001 to 1000000, such as 10 or 0.5, or max";
                BadValue::new(speed, wanted)
            })?,
            Some((unknown, _)) => {
                let wanted = "an option of a capture: what follows `?` can only be speed, as in \
                              replay:FILE?speed=10; rename a file whose name has a `?`";
                return Err(BadValue::new(unknown, wanted));
            }
        };
        if file.is_empty() || file.contains('\0') {
            return Err(BadValue::new(text, "a capture to replay: write replay:FILE"));
        }
        Ok(PortSpec::Replay { file: file.into(), speed_milli })
    }
}

/// `max`, or a decimal number with up to three decimals, from 0.001 to 1000000, in thousandths.
fn thousandths(text: &str) -> Option<u64> {
    if text == "max" {
        return Some(0);
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() || whole.len() > 7 || fraction.len() > 3 {
        return None;
    }
    if !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
        return None;
    }
    let milli =
        whole.parse::<u64>().ok()? * 1_000 + format!("{fraction:0<3}").parse::<u64>().ok()?;
    (1..=1_000_000_000).contains(&milli).then_some(milli)
}

impl From<PortSpec> for String {
    fn from(spec: PortSpec) -> String {
        spec.to_string()
    }
}

impl fmt::Display for PortSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PortSpec::Device(path) => path.display().fmt(f),
            PortSpec::Bus(path) => write!(f, "bus:{}", path.display()),
            PortSpec::Replay { file, speed_milli: 1_000 } => write!(f, "replay:{}", file.display()),
            PortSpec::Replay { file, speed_milli: 0 } => {
                write!(f, "replay:{}?speed=max", file.display())
            }
            PortSpec::Replay { file, speed_milli } => {
                write!(f, "replay:{}?speed={}", file.display(), speed_milli / 1_000)?;
                match speed_milli % 1_000 {
                    0 => Ok(()),
                    fraction => write!(f, ".{fraction:03}"),
                }
            }
        }
    }
}

/// A GPIO chip by its absolute path; empty: none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Chip(String);

impl Chip {
    /// Its path, if there is one.
    pub fn path(&self) -> Option<&str> {
        Some(self.0.as_str()).filter(|path| !path.is_empty())
    }
}

impl TryFrom<String> for Chip {
    type Error = BadValue;

    fn try_from(text: String) -> Result<Chip, BadValue> {
        if text.is_empty() || (text.starts_with('/') && !text.contains('\0')) {
            return Ok(Chip(text));
        }
        let wanted = "a GPIO chip: use an absolute path such as /dev/gpiochip0 (`ls /dev/gpiochip*` \
                      shows what is there), or \"\" for no buzzer";
        Err(BadValue::new(&text, wanted))
    }
}

impl From<Chip> for String {
    fn from(chip: Chip) -> String {
        chip.0
    }
}

/// Which way round a board stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardOrientation {
    /// Seen from the initial array.
    #[default]
    Auto,
    /// The connector is on White's left.
    Normal,
    /// The connector is on White's right.
    Rotated,
}

/// How much goes into the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogLevel {
    /// A person must act.
    Error,
    /// Something went wrong and was coped with.
    Warn,
    /// The milestones of games.
    #[default]
    Info,
    /// Every event of a board.
    Debug,
    /// Everything.
    Trace,
}

impl LogLevel {
    /// The name, as the log filter writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            LogLevel::Error => "error",
            LogLevel::Warn => "warn",
            LogLevel::Info => "info",
            LogLevel::Debug => "debug",
            LogLevel::Trace => "trace",
        }
    }
}

/// Where the daemon keeps its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum StateDirectory {
    /// Where the system wants it.
    Auto,
    /// This directory.
    Path(PathBuf),
}

impl TryFrom<String> for StateDirectory {
    type Error = BadValue;

    fn try_from(text: String) -> Result<StateDirectory, BadValue> {
        match text.as_str() {
            "auto" => Ok(StateDirectory::Auto),
            path if path.starts_with('/') && !path.contains('\0') => {
                Ok(StateDirectory::Path(path.into()))
            }
            other => Err(BadValue::new(other, "a directory: use auto or an absolute path")),
        }
    }
}

impl From<StateDirectory> for String {
    fn from(directory: StateDirectory) -> String {
        match directory {
            StateDirectory::Auto => "auto".into(),
            StateDirectory::Path(path) => path.display().to_string(),
        }
    }
}

/// A pattern of sounds: `.` short, `-` long, a space a rest; 1 to 32 signs, at least one sound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(String);

/// Length of a short sound.
const SHORT: Duration = Duration::from_millis(120);
/// Length of a long sound.
const LONG: Duration = Duration::from_millis(500);
/// Silence between two sounds.
const GAP: Duration = Duration::from_millis(150);
/// A rest written as a space.
const REST: Duration = Duration::from_millis(400);

impl Pattern {
    pub(super) fn known(text: &str) -> Pattern {
        Pattern(text.to_owned())
    }

    /// The pattern as stretches of sound (`true`) and silence with their lengths; begins with a
    /// sound or a rest and has no silence at its end.
    pub fn stretches(&self) -> Vec<(bool, Duration)> {
        let mut out: Vec<(bool, Duration)> = Vec::new();
        for sign in self.0.trim_end().chars() {
            if sign == ' ' {
                out.push((false, REST));
                continue;
            }
            if out.last().is_some_and(|(on, _)| *on) {
                out.push((false, GAP));
            }
            out.push((true, if sign == '-' { LONG } else { SHORT }));
        }
        out
    }
}

impl TryFrom<String> for Pattern {
    type Error = BadValue;

    fn try_from(text: String) -> Result<Pattern, BadValue> {
        let signs = text.bytes().all(|b| matches!(b, b'.' | b'-' | b' '));
        if signs && (1..=32).contains(&text.len()) && text.trim() != "" {
            Ok(Pattern(text))
        } else {
            Err(BadValue::new(
                &text,
                "a pattern of sounds: use 1 to 32 of `.` (short), `-` (long) and space (rest)",
            ))
        }
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> String {
        pattern.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_read_and_written() {
        for (text, back) in [
            ("/dev/ttyACM0", "/dev/ttyACM0"),
            ("replay:a.dgtlog", "replay:a.dgtlog"),
            ("replay:a.dgtlog?speed=1", "replay:a.dgtlog"),
            ("replay:a.dgtlog?speed=10", "replay:a.dgtlog?speed=10"),
            ("replay:a.dgtlog?speed=0.5", "replay:a.dgtlog?speed=0.500"),
            ("replay:a.dgtlog?speed=max", "replay:a.dgtlog?speed=max"),
        ] {
            let spec: PortSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), back);
            assert_eq!(back.parse::<PortSpec>().unwrap(), spec);
        }
        for bad in [
            "",
            "ttyACM0",
            "COM3",
            "replay:",
            "replay:a?speed=",
            "replay:a?speed=-1",
            "replay:a?speed=0",
            "replay:a?speed=0.0001",
            "replay:a?speed=1e3",
            "replay:a?speed=10&speed=20",
            "replay:a?speed",
            "replay:a?",
            "replay:a?sped=10",
            "replay:?speed=10",
            "replay:a\0",
        ] {
            assert!(bad.parse::<PortSpec>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_chip_is_an_absolute_path_or_none() {
        let chip = |text: &str| Chip::try_from(text.to_owned());
        assert_eq!(chip("").unwrap().path(), None);
        assert_eq!(chip("/dev/gpiochip0").unwrap().path(), Some("/dev/gpiochip0"));
        for bad in ["gpiochip0", "./gpiochip0", "/dev/gpio\0", "0"] {
            assert!(chip(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn editions_have_a_short_and_a_long_name() {
        assert_eq!(Edition::try_from("2017".to_owned()).unwrap().0.name(), "fide-2017");
        assert_eq!(Edition::try_from("fide-1997".to_owned()).unwrap().0.name(), "fide-1997");
        assert!(Edition::try_from("fide-2020".to_owned()).is_err());
    }

    #[test]
    fn patterns_become_stretches() {
        let pattern = Pattern::try_from("-. .".to_owned()).unwrap();
        assert_eq!(
            pattern.stretches(),
            [(true, LONG), (false, GAP), (true, SHORT), (false, REST), (true, SHORT)]
        );
        for bad in ["", " ", "x", &".".repeat(33)] {
            assert!(Pattern::try_from(bad.to_owned()).is_err(), "{bad:?}");
        }
    }
}
