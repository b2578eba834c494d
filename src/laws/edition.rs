//! Which text of the Laws a game is played under, and how it is played.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::rules::Rules;

/// An edition of the FIDE Laws of Chess, named after the year it came into force.
///
/// The edition of 2001 is not among them: its text differs from 2005 in details only, so games of
/// its time are judged by 2005 (see [`Edition::on`]).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(into = "String", try_from = "String")]
pub enum Edition {
    /// In force from 1 July 1997.
    Fide1997,
    /// In force from 1 July 2005.
    Fide2005,
    /// In force from 1 July 2009.
    Fide2009,
    /// In force from 1 July 2014.
    Fide2014,
    /// In force from 1 July 2017.
    Fide2017,
    /// In force from 1 January 2018.
    Fide2018,
    /// In force since 1 January 2023.
    #[default]
    Fide2023,
}

/// A name that is not an edition of the Laws.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not an edition of the Laws: write fide-1997, fide-2005, fide-2009, fide-2014, \
     fide-2017, fide-2018 or fide-2023"
)]
pub struct UnknownEdition(pub String);

impl Edition {
    /// All editions, oldest first.
    pub const ALL: [Edition; 7] = [
        Edition::Fide1997,
        Edition::Fide2005,
        Edition::Fide2009,
        Edition::Fide2014,
        Edition::Fide2017,
        Edition::Fide2018,
        Edition::Fide2023,
    ];

    /// The full name: `fide-2023`.
    pub const fn name(self) -> &'static str {
        self.rules().name
    }

    /// The year alone: `2023`.
    pub fn year(self) -> &'static str {
        self.name().trim_start_matches("fide-")
    }

    /// The edition in force on a date (year, month, day), and whether it is the very text. `false`
    /// for July 2001 to June 2005, whose own text is not offered (2005 is used), and for dates
    /// before July 1997 (1997 is used).
    pub fn on(date: (u16, u8, u8)) -> (Edition, bool) {
        let edition = Edition::ALL
            .into_iter()
            .rev()
            .find(|e| e.rules().in_force <= date)
            .unwrap_or(Edition::Fide1997);
        if ((2001, 7, 1)..(2005, 7, 1)).contains(&date) {
            return (Edition::Fide2005, false);
        }
        (edition, date >= (1997, 7, 1))
    }

    /// What this edition says, as data.
    pub const fn rules(self) -> &'static Rules {
        &super::rules::TABLE[self as usize]
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Edition {
    type Err = UnknownEdition;

    /// `fide-2023` or `2023`.
    fn from_str(text: &str) -> Result<Edition, UnknownEdition> {
        Edition::ALL
            .into_iter()
            .find(|e| text == e.name() || text == e.year())
            .ok_or_else(|| UnknownEdition(text.to_owned()))
    }
}

impl From<Edition> for String {
    fn from(edition: Edition) -> String {
        edition.name().to_owned()
    }
}

impl TryFrom<String> for Edition {
    type Error = UnknownEdition;

    fn try_from(text: String) -> Result<Edition, UnknownEdition> {
        text.parse()
    }
}

/// How much time the players have (Appendices A and B draw the lines).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Control {
    /// Standard chess: at least an hour a player.
    #[default]
    Standard,
    /// Rapid chess: between ten minutes and an hour.
    Rapid,
    /// Blitz: ten minutes or less.
    Blitz,
}

/// A word that is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a time control: write standard, rapid or blitz")]
pub struct UnknownControl(pub String);

impl Control {
    /// All time controls, slowest first.
    pub const ALL: [Control; 3] = [Control::Standard, Control::Rapid, Control::Blitz];

    /// `standard`, `rapid` or `blitz`.
    pub const fn name(self) -> &'static str {
        match self {
            Control::Standard => "standard",
            Control::Rapid => "rapid",
            Control::Blitz => "blitz",
        }
    }

    /// Whether Appendix A or B applies.
    pub const fn is_fast(self) -> bool {
        !matches!(self, Control::Standard)
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Control {
    type Err = UnknownControl;

    fn from_str(text: &str) -> Result<Control, UnknownControl> {
        let found = Control::ALL.into_iter().find(|c| c.name() == text);
        found.ok_or_else(|| UnknownControl(text.to_owned()))
    }
}

/// Whether rapid or blitz is played with enough arbiters that the Competition Rules apply in full
/// (Articles A.3 and B.2 in 2018; A.4 and B.2 in 2023). Means nothing in standard chess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Supervision {
    /// One arbiter for many games: the usual case in a hall of rapid or blitz.
    #[default]
    Shared,
    /// One arbiter for few games (blitz: one game), moves recorded.
    Full,
}

/// What a wrong claim and an illegal move cost in blitz under full supervision in 2023.
///
/// B.2 refers to the Competition Rules, which say two minutes; rapid chess and blitz without such
/// supervision have one (A.3), and that is how B.2 is commonly read too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SupervisedBlitz {
    /// One minute for the opponent.
    #[default]
    OneMinute,
    /// Two minutes, as in standard chess.
    TwoMinutes,
}

/// How a game is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conditions {
    /// The edition of the Laws.
    pub edition: Edition,
    /// The time control.
    pub control: Control,
    /// How closely arbiters watch.
    pub supervision: Supervision,
    /// How the arbiter reads B.2 of 2023.
    pub supervised_blitz: SupervisedBlitz,
}

impl Conditions {
    /// Conditions with the usual supervision.
    pub const fn new(edition: Edition, control: Control) -> Conditions {
        let (supervision, supervised_blitz) = (Supervision::Shared, SupervisedBlitz::OneMinute);
        Conditions { edition, control, supervision, supervised_blitz }
    }

    /// The same conditions with arbiters enough for the Competition Rules to apply in full.
    #[must_use]
    pub const fn fully_supervised(self) -> Conditions {
        Conditions { supervision: Supervision::Full, ..self }
    }

    /// Whether B.2 is read as the penalties of standard chess.
    pub fn has_standard_penalties(&self) -> bool {
        self.edition.rules().supervised_blitz_open
            && self.control == Control::Blitz
            && self.supervision == Supervision::Full
            && self.supervised_blitz == SupervisedBlitz::TwoMinutes
    }

    /// Whether this is rapid or blitz in which the arbiter cannot watch every game.
    pub fn is_fast_unwatched(&self) -> bool {
        self.control.is_fast() && self.supervision == Supervision::Shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for edition in Edition::ALL {
            assert_eq!(edition.name().parse(), Ok(edition));
            assert_eq!(edition.year().parse(), Ok(edition));
            let json = serde_json::to_string(&edition).unwrap();
            assert_eq!(json, format!("\"{}\"", edition.name()));
            assert_eq!(serde_json::from_str::<Edition>(&json).unwrap(), edition);
        }
        for bad in ["", "fide", "2001", "fide-2001", "FIDE-2023", "fide-fide-2023", "2024"] {
            assert_eq!(bad.parse::<Edition>(), Err(UnknownEdition(bad.to_owned())));
        }
        assert!("bullet".parse::<Control>().is_err());
    }

    #[test]
    fn dates_find_their_edition() {
        for (date, edition, exact) in [
            ((1972, 8, 31), Edition::Fide1997, false),
            ((1997, 7, 1), Edition::Fide1997, true),
            ((2001, 6, 30), Edition::Fide1997, true),
            ((2001, 7, 1), Edition::Fide2005, false),
            ((2005, 6, 30), Edition::Fide2005, false),
            ((2005, 7, 1), Edition::Fide2005, true),
            ((2009, 6, 30), Edition::Fide2005, true),
            ((2014, 7, 1), Edition::Fide2014, true),
            ((2017, 12, 31), Edition::Fide2017, true),
            ((2018, 1, 1), Edition::Fide2018, true),
            ((2022, 12, 31), Edition::Fide2018, true),
            ((2023, 1, 1), Edition::Fide2023, true),
            ((2026, 11, 30), Edition::Fide2023, true),
        ] {
            assert_eq!(Edition::on(date), (edition, exact), "{date:?}");
        }
    }
}
