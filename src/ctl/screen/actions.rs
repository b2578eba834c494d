//! What can be done at a board: one table. An action is a row of it: its key, its words, what is
//! asked of the arbiter, the calls that follow, and how the answer is told. A new method of the
//! daemon is taken up by a new row (and its words in `locales/*/watch.ftl`).
#![allow(
    clippy::unnecessary_wraps,
    reason = "a row of the table may refuse what was filled in; not all do"
)]

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    call::{Arg, Call},
    hall::{ARBITER_ONLY, BOARD, Board, GAME, Key, Pc},
    words::Words,
};
use crate::{laws::Edition, units::Millis};

/// The board an action is for, as it was when the arbiter chose the action.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The board.
    pub key: Key,
    /// What people call it.
    pub who: String,
    /// The board's object then.
    pub board: Board,
    /// The half-move the game was at: a move played meanwhile is never overruled.
    pub ply: u32,
    /// The open alerts the arbiter could see: number, and whether everyone can.
    pub alerts: Vec<(u64, bool)>,
    /// The language of the daemon's answer.
    pub language: String,
}

impl Subject {
    /// A board of a PC; `revealed`: what only the arbiter may know was on the screen.
    pub fn new(
        key: Key,
        who: String,
        pc: &Pc,
        board: &Board,
        revealed: bool,
        words: &Words,
    ) -> Subject {
        let seen = pc.alerts_of(&key.path).filter(|open| open.public || revealed);
        Subject {
            alerts: seen.map(|open| (open.alert.id, open.public)).collect(),
            who,
            ply: board.number(GAME, "Ply").and_then(|n| u32::try_from(n).ok()).unwrap_or_default(),
            board: board.clone(),
            language: words.0.to_string(),
            key,
        }
    }

    /// No board: what is done at the boards of all PCs.
    pub fn hall(words: &Words) -> Subject {
        Subject {
            key: Key { host: 0, path: String::new() },
            who: words.plain("watch-all-boards"),
            board: Board::default(),
            ply: 0,
            alerts: Vec::new(),
            language: words.0.to_string(),
        }
    }

    fn turn(&self) -> &str {
        match self.board.object.text(GAME, "Turn") {
            "black" => "black",
            _ => "white",
        }
    }

    fn tag(&self, name: &str) -> String {
        let tags = self.board.object.get(GAME, "Tags").and_then(Value::as_object);
        let tag = tags.and_then(|tags| tags.get(name)).and_then(Value::as_str);
        tag.unwrap_or_default().to_owned()
    }

    fn call(&self, interface: &'static str, method: &'static str, args: Vec<Arg>) -> Call {
        Call {
            host: self.key.host,
            secret: interface == ARBITER_ONLY,
            path: self.key.path.clone(),
            interface,
            method,
            args,
        }
    }

    fn in_words(&self, mut given: Vec<(&'static str, Arg)>) -> Arg {
        given.push(("language", Arg::Text(self.language.clone())));
        Arg::Options(given)
    }
}

/// How something is asked.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One of these: the value, and the message with its words.
    Choice(&'static [(&'static str, &'static str)]),
    /// One of the editions of the Laws.
    Edition,
    /// A text; empty is allowed.
    Text,
    /// A text that must not be empty.
    Must,
    /// A number.
    Number,
}

/// Something that is asked.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The message with its name.
    pub name: &'static str,
    /// How.
    pub kind: Kind,
}

/// What is wrong with what was filled in: the message that says so.
pub type Wrong = &'static str;

/// What an action does with what was filled in.
#[derive(Clone, Copy, Debug)]
pub enum Does {
    /// Calls for the board.
    Calls(fn(&Subject, &[String]) -> Result<Vec<Call>, Wrong>),
    /// Reads a pairing file, and sets who plays at the boards of all PCs: file and round.
    Pairs,
}

/// Something that can be done at a board.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    /// The key that chooses it.
    pub key: char,
    /// The message with its name.
    pub name: &'static str,
    /// It needs a game.
    pub game: bool,
    /// What is asked.
    pub fields: &'static [Field],
    /// What is filled in beforehand, by field.
    pub begin: fn(&Subject) -> Vec<String>,
    /// What it does with what was filled in.
    pub does: Does,
    /// The answer in lines.
    pub told: fn(&[Value], &Words) -> Vec<String>,
}

const YES_NO: &[(&str, &str)] = &[("no", "watch-no"), ("yes", "watch-yes")];
const SIDES: &[(&str, &str)] = &[("white", "watch-side-white"), ("black", "watch-side-black")];

const fn choice(name: &'static str, of: &'static [(&'static str, &'static str)]) -> Field {
    Field { name, kind: Kind::Choice(of) }
}

const fn field(name: &'static str, kind: Kind) -> Field {
    Field { name, kind }
}

/// All actions, in the order of the menu.
pub const ACTIONS: &[Action] = &[
    Action {
        key: 'c',
        name: "watch-do-claim",
        game: true,
        fields: &[
            choice(
                "watch-ask-claimed",
                &[("threefold", "watch-threefold"), ("fifty-move", "watch-fifty")],
            ),
            choice("watch-ask-claimant", SIDES),
            field("watch-ask-announced", Kind::Text),
            choice(
                "watch-ask-first",
                &[
                    ("none", "watch-first-none"),
                    ("touched", "watch-first-touched"),
                    ("moved", "watch-first-moved"),
                ],
            ),
            choice("watch-ask-enter-draw", YES_NO),
        ],
        begin: |subject| texts(["threefold", subject.turn(), "", "none", "no"]),
        does: Does::Calls(claim),
        told: told_claim,
    },
    Action {
        key: 'f',
        name: "watch-do-flag",
        game: true,
        fields: &[
            choice("watch-ask-flag", SIDES),
            choice(
                "watch-ask-before",
                &[
                    ("nothing", "watch-before-nothing"),
                    ("claim", "watch-before-claim"),
                    ("period-completed", "watch-before-period"),
                    ("white-resigned", "watch-before-white"),
                    ("black-resigned", "watch-before-black"),
                    ("draw-agreed", "watch-before-draw"),
                ],
            ),
            choice("watch-ask-enter", YES_NO),
        ],
        begin: |subject| texts([subject.turn(), "nothing", "no"]),
        does: Does::Calls(flag),
        told: |values, _| vec![text(values, 2)],
    },
    Action {
        key: 'i',
        name: "watch-do-illegal",
        game: true,
        fields: &[
            choice(
                "watch-ask-decision",
                &[
                    ("accept", "watch-accept"),
                    ("dismiss", "watch-dismiss"),
                    ("reconsider", "watch-reconsider"),
                ],
            ),
            field("watch-ask-number", Kind::Number),
        ],
        begin: |_| texts(["accept", "0"]),
        does: Does::Calls(illegal),
        told: told_illegal,
    },
    Action {
        key: 'r',
        name: "watch-do-result",
        game: true,
        fields: &[
            choice(
                "watch-ask-result",
                &[
                    ("1-0", "watch-result-white"),
                    ("0-1", "watch-result-black"),
                    ("1/2-1/2", "watch-result-draw"),
                    ("*", "watch-result-none"),
                ],
            ),
            field("watch-ask-reason", Kind::Text),
        ],
        begin: |_| texts(["1-0", ""]),
        does: Does::Calls(|subject, given| {
            let args = vec![
                Arg::Text(given[0].clone()),
                Arg::Text(given[1].clone()),
                Arg::Number(subject.ply),
                Arg::Options(Vec::new()),
            ];
            Ok(vec![subject.call(GAME, "SetResult", args)])
        }),
        told: done,
    },
    Action {
        key: 'u',
        name: "watch-do-undo",
        game: true,
        fields: &[field("watch-ask-ply", Kind::Number)],
        begin: |subject| vec![subject.ply.saturating_sub(1).to_string()],
        does: Does::Calls(undo),
        told: |values, words| {
            let ply = values.first().map(ToString::to_string).unwrap_or_default();
            vec![words.say("watch-undone", vec![("ply", ply)])]
        },
    },
    Action {
        key: 'p',
        name: "watch-do-position",
        game: false,
        fields: &[field("watch-ask-fen", Kind::Must)],
        begin: |subject| vec![subject.board.object.text(GAME, "Fen").to_owned()],
        does: Does::Calls(position),
        told: done,
    },
    Action {
        key: 'n',
        name: "watch-do-next",
        game: false,
        fields: &[
            field("watch-ask-white", Kind::Text),
            field("watch-ask-black", Kind::Text),
            field("watch-ask-edition", Kind::Edition),
        ],
        begin: |subject| {
            let edition = subject.board.object.text(GAME, "Edition");
            let default = Edition::default().name();
            texts(["", "", if edition.is_empty() { default } else { edition }])
        },
        does: Does::Calls(|subject, given| {
            let mut options = vec![("edition", Arg::Text(given[2].clone()))];
            for (key, name) in [("white", &given[0]), ("black", &given[1])] {
                if !name.trim().is_empty() {
                    options.push((key, Arg::Text(name.trim().to_owned())));
                }
            }
            Ok(vec![subject.call(BOARD, "NewGame", vec![Arg::Options(options)])])
        }),
        told: done,
    },
    Action {
        key: 't',
        name: "watch-do-players",
        game: true,
        fields: &[field("watch-ask-white", Kind::Text), field("watch-ask-black", Kind::Text)],
        begin: |subject| vec![subject.tag("White"), subject.tag("Black")],
        does: Does::Calls(|subject, given| {
            let tags = [("White", &given[0]), ("Black", &given[1])];
            let tags = tags.map(|(tag, name)| (tag.to_owned(), name.trim().to_owned()));
            let args = vec![Arg::Texts(BTreeMap::from(tags)), Arg::Options(Vec::new())];
            Ok(vec![subject.call(GAME, "SetTags", args)])
        }),
        told: done,
    },
    Action {
        key: 'b',
        name: "watch-do-back",
        game: true,
        fields: &[],
        begin: |_| Vec::new(),
        does: Does::Calls(|subject, _| {
            let args = vec![Arg::Number(subject.ply), subject.in_words(Vec::new())];
            Ok(vec![subject.call(GAME, "UndoStart", args)])
        }),
        told: |values, _| vec![text(values, 2)],
    },
    Action {
        key: 'g',
        name: "watch-do-pair",
        game: false,
        fields: &[field("watch-ask-file", Kind::Must), field("watch-ask-round", Kind::Number)],
        begin: |_| texts(["", ""]),
        does: Does::Pairs,
        told: done,
    },
    Action {
        key: 'l',
        name: "watch-do-label",
        game: false,
        fields: &[field("watch-ask-label", Kind::Text)],
        begin: |subject| vec![subject.board.object.text(BOARD, "Label").to_owned()],
        does: Does::Calls(|subject, given| {
            let label = Arg::Any(Box::new(Arg::Text(given[0].trim().to_owned())));
            let args = vec![Arg::Text(BOARD.to_owned()), Arg::Text("Label".to_owned()), label];
            Ok(vec![subject.call("org.freedesktop.DBus.Properties", "Set", args)])
        }),
        told: done,
    },
    Action {
        key: 'z',
        name: "watch-do-reopen",
        game: true,
        fields: &[],
        begin: |_| Vec::new(),
        does: Does::Calls(|subject, _| {
            let args = vec![Arg::Number(subject.ply), Arg::Options(Vec::new())];
            Ok(vec![subject.call(GAME, "Reopen", args)])
        }),
        told: done,
    },
    Action {
        key: 'e',
        name: "watch-do-conditions",
        game: true,
        fields: &[
            field("watch-ask-edition", Kind::Edition),
            choice(
                "watch-ask-control",
                &[
                    ("standard", "watch-control-standard"),
                    ("rapid", "watch-control-rapid"),
                    ("blitz", "watch-control-blitz"),
                ],
            ),
            choice(
                "watch-ask-supervision",
                &[("shared", "watch-supervision-shared"), ("full", "watch-supervision-full")],
            ),
        ],
        begin: |subject| {
            let game = |property| subject.board.object.text(GAME, property);
            let or = |text: &str, default: &str| {
                if text.is_empty() { default.to_owned() } else { text.to_owned() }
            };
            vec![
                or(game("Edition"), Edition::default().name()),
                or(game("TimeControl"), "standard"),
                or(game("Supervision"), "shared"),
            ]
        },
        does: Does::Calls(|subject, given| {
            let keys = ["edition", "time-control", "supervision"].into_iter();
            let options = keys.zip(given).map(|(key, value)| (key, Arg::Text(value.clone())));
            let args = vec![Arg::Number(subject.ply), Arg::Options(options.collect())];
            Ok(vec![subject.call(GAME, "SetConditions", args)])
        }),
        told: done,
    },
    Action {
        key: 'o',
        name: "watch-do-orientation",
        game: false,
        fields: &[choice(
            "watch-ask-connector",
            &[("left", "watch-connector-left"), ("right", "watch-connector-right")],
        )],
        begin: |subject| {
            let flipped = subject.board.object.get(BOARD, "Flipped") == Some(&Value::Bool(true));
            // What is asked for is the other way round.
            texts([if flipped { "left" } else { "right" }])
        },
        does: Does::Calls(|subject, given| {
            let args = vec![Arg::Truth(given[0] == "right"), Arg::Options(Vec::new())];
            Ok(vec![subject.call(BOARD, "SetFlipped", args)])
        }),
        told: done,
    },
    Action {
        key: 'w',
        name: "watch-do-clock",
        game: false,
        fields: &[choice(
            "watch-ask-clock",
            &[("left", "watch-connector-left"), ("right", "watch-connector-right")],
        )],
        begin: |subject| {
            let right = subject.board.object.text(BOARD, "WhiteClockSide") == "right";
            // What is asked for is the other way round.
            texts([if right { "left" } else { "right" }])
        },
        does: Does::Calls(|subject, given| {
            let args = vec![Arg::Text(given[0].clone()), Arg::Options(Vec::new())];
            Ok(vec![subject.call(BOARD, "SetClockSide", args)])
        }),
        told: done,
    },
    Action {
        key: 's',
        name: "watch-do-silence",
        game: false,
        fields: &[],
        begin: |_| Vec::new(),
        does: Does::Calls(|subject, _| {
            let args = vec![Arg::Options(Vec::new())];
            let mut call = subject.call("org.dgtd.Daemon1", "SilenceBuzzer", args);
            crate::signals::dbus::ROOT.clone_into(&mut call.path);
            Ok(vec![call])
        }),
        told: done,
    },
    Action {
        key: 'k',
        name: "watch-do-seen",
        game: false,
        fields: &[],
        begin: |_| Vec::new(),
        does: Does::Calls(seen),
        told: done,
    },
];

fn texts<const N: usize>(of: [&str; N]) -> Vec<String> {
    of.map(str::to_owned).into()
}

fn done(_: &[Value], words: &Words) -> Vec<String> {
    vec![words.plain("watch-done")]
}

fn claim(subject: &Subject, given: &[String]) -> Result<Vec<Call>, Wrong> {
    let mut options = vec![("claimant", Arg::Text(given[1].clone()))];
    match given[3].as_str() {
        "touched" => options.push(("touched", Arg::Truth(true))),
        "moved" => options.push(("moved", Arg::Truth(true))),
        _ => {}
    }
    if given[4] == "yes" {
        options.push(("enter", Arg::Truth(true)));
    }
    // The signs of check and mate are decoration.
    let announced = given[2].trim().trim_end_matches(['+', '#', '!', '?']);
    let args = vec![
        Arg::Text(given[0].clone()),
        Arg::Text(announced.to_owned()),
        Arg::Number(subject.ply),
        subject.in_words(options),
    ];
    Ok(vec![subject.call(ARBITER_ONLY, "RuleOnClaim", args)])
}

fn text(values: &[Value], at: usize) -> String {
    values.get(at).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Verdict, articles, in words, what must be played, White's and Black's time.
fn told_claim(values: &[Value], words: &Words) -> Vec<String> {
    std::iter::once(text(values, 2)).chain(clocks(values, 4, words)).collect()
}

/// Number, articles, in words, and of one that counts also the result and both times; nothing for
/// one that waits again.
fn told_illegal(values: &[Value], words: &Words) -> Vec<String> {
    if values.is_empty() {
        return done(values, words);
    }
    std::iter::once(text(values, 2)).chain(clocks(values, 4, words)).collect()
}

/// The times of White and Black from a place on, when they are known.
fn clocks(values: &[Value], at: usize, words: &Words) -> Option<String> {
    let time = |at: usize| values.get(at).and_then(Value::as_u64).map(|ms| Millis(ms).to_string());
    let args = vec![("white", time(at)?), ("black", time(at + 1)?)];
    Some(words.say("clocks-after", args))
}

fn flag(subject: &Subject, given: &[String]) -> Result<Vec<Call>, Wrong> {
    let mut options = Vec::new();
    if given[2] == "yes" {
        options.push(("enter", Arg::Truth(true)));
    }
    let args = vec![
        Arg::Text(given[0].clone()),
        Arg::Text(given[1].clone()),
        Arg::Number(subject.ply),
        subject.in_words(options),
    ];
    Ok(vec![subject.call(ARBITER_ONLY, "RuleOnFlag", args)])
}

fn illegal(subject: &Subject, given: &[String]) -> Result<Vec<Call>, Wrong> {
    let number = if given[1].is_empty() { 0 } else { number(&given[1])? };
    let (method, options) = match given[0].as_str() {
        "accept" => ("AcceptIllegalMove", subject.in_words(Vec::new())),
        "dismiss" => ("DismissIllegalMove", subject.in_words(Vec::new())),
        // What was decided does not wait: it must be named.
        _ if number == 0 => return Err("watch-wrong-which"),
        _ => ("ReconsiderIllegalMove", Arg::Options(Vec::new())),
    };
    Ok(vec![subject.call(ARBITER_ONLY, method, vec![Arg::Number(number), options])])
}

fn undo(subject: &Subject, given: &[String]) -> Result<Vec<Call>, Wrong> {
    let to = number(&given[0])?;
    let plies = subject.ply.checked_sub(to).filter(|plies| *plies > 0);
    let plies = plies.ok_or("watch-wrong-ply")?;
    let args = vec![Arg::Number(plies), Arg::Number(subject.ply), Arg::Options(Vec::new())];
    Ok(vec![subject.call(GAME, "Undo", args)])
}

fn position(subject: &Subject, given: &[String]) -> Result<Vec<Call>, Wrong> {
    let fen = given[0].trim().to_owned();
    if !subject.board.object.has_game() {
        // Nothing is given up by it.
        let options = Arg::Options(vec![("fen", Arg::Text(fen))]);
        return Ok(vec![subject.call(BOARD, "NewGame", vec![options])]);
    }
    let args = vec![Arg::Text(fen), Arg::Number(subject.ply), Arg::Options(Vec::new())];
    Ok(vec![subject.call(GAME, "SetPosition", args)])
}

/// Those that were on the screen: what the arbiter did not see stays open.
fn seen(subject: &Subject, _: &[String]) -> Result<Vec<Call>, Wrong> {
    if subject.alerts.is_empty() {
        return Err("watch-wrong-nothing-open");
    }
    let call = |(id, public): &(u64, bool)| {
        let reason = Arg::Text("seen in dgtctl watch".to_owned());
        let args = vec![Arg::Options(vec![("reason", reason)])];
        let call = subject.call("org.dgtd.Alert1", "Acknowledge", args);
        Call { secret: !public, path: crate::signals::dbus::alert_path(*id), ..call }
    };
    Ok(subject.alerts.iter().map(call).collect())
}

fn number(text: &str) -> Result<u32, Wrong> {
    text.trim().parse().map_err(|_| "watch-wrong-number")
}
