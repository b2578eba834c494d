//! Notifications in words, in the arbiter's language.

use super::{
    note::{About, Note},
    rules::{Effect, SEEN, SHOW},
};
use crate::{
    arbiter::{
        EventKind,
        event::{LinkState, Side, YesNoUnknown},
    },
    ctl::hosts::{AlertClass, Fault},
    laws::text::Language,
};

/// The most lines of a notification that lists alerts.
const LINES: usize = 10;

/// A notification as the server gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// One line, without marks.
    pub title: String,
    /// Lines, without marks.
    pub body: String,
    /// The buttons: name and words.
    pub buttons: Vec<(&'static str, String)>,
    /// 1 normal, 2 critical.
    pub urgency: u8,
    /// It stays until it is put away.
    pub stays: bool,
}

type Args = Vec<(&'static str, String)>;

/// A title and lines below it.
struct Said {
    title: String,
    lines: Vec<String>,
}

/// Puts notifications into words.
#[derive(Clone, Debug)]
pub struct Words(pub Language);

impl Words {
    fn say(&self, message: &str, args: Args) -> String {
        self.0.say(message, args)
    }

    fn plain(&self, message: &str) -> String {
        self.say(message, Vec::new())
    }

    /// The notification in words.
    pub fn text(&self, note: &Note) -> Text {
        let said = self.said(note);
        let mut buttons = Vec::new();
        match note {
            Note::One(_) => {
                buttons.push((SEEN, self.plain("notify-seen")));
                buttons.push((SHOW, self.plain("notify-show")));
            }
            Note::Several { .. } => buttons.push((SEEN, self.plain("notify-seen"))),
            Note::Withdrawn(_) => buttons.push((SHOW, self.plain("notify-show"))),
            _ => {}
        }
        Text {
            title: said.title,
            body: said.lines.join("\n"),
            buttons,
            urgency: if note.stays() { 2 } else { 1 },
            stays: note.stays(),
        }
    }

    fn said(&self, note: &Note) -> Said {
        match note {
            Note::One(about) => self.one(about),
            Note::Several { hall, class, list } => self.several(hall, *class, list),
            Note::Withdrawn(about) => {
                let mut lines = vec![self.plain("notify-withdrawn-body")];
                self.add_pc(about, &mut lines);
                let args = vec![("who", about.who.clone())];
                Said { title: self.say("notify-withdrawn", args), lines }
            }
            Note::LinesDown { hall, down, of } => self.lines_down(hall, down, *of),
            Note::LinesBack { back, .. } => Said {
                title: self.say("notify-line-back", vec![("pcs", back.join(", "))]),
                lines: vec![self.plain("notify-line-back-body")],
            },
            Note::NoRights(pcs) => Said {
                title: self.plain("notify-rights"),
                lines: vec![self.say("notify-rights-body", vec![("pcs", pcs.join(", "))])],
            },
            Note::Clash { label, pcs } => Said {
                title: self.say("notify-clash", vec![("label", label.clone())]),
                lines: vec![self.say("notify-clash-body", vec![("pcs", pcs.join(", "))])],
            },
            Note::NotAcknowledged { pc, why } => Said {
                title: self.say("notify-refused", vec![("pc", pc.clone())]),
                lines: vec![self.say("notify-refused-body", vec![("why", why.clone())])],
            },
            Note::NoTerminal { command } => Said {
                title: self.plain("notify-no-terminal"),
                lines: vec![
                    self.say("notify-no-terminal-body", vec![("command", command.clone())]),
                ],
            },
        }
    }

    /// A line for the log; none for what is not worth one.
    pub fn log(&self, effect: &Effect) -> Option<String> {
        match effect {
            Effect::Post { note, sound: true, .. } => {
                let title = self.text(note).title;
                Some(self.say("notify-log-shown", vec![("title", title)]))
            }
            Effect::Broken(pc, fault) => {
                let args = vec![("pc", pc.clone()), ("fault", self.fault(fault))];
                Some(self.say("notify-log-broken", args))
            }
            Effect::Mended { pc, version, hostname } => {
                let args = vec![
                    ("pc", pc.clone()),
                    ("version", version.clone()),
                    ("hostname", hostname.clone()),
                ];
                Some(self.say("notify-log-mended", args))
            }
            Effect::Server(true) => Some(self.plain("notify-log-server")),
            _ => None,
        }
    }

    /// Why a host cannot be heard, and what to do.
    pub fn fault(&self, fault: &Fault) -> String {
        let args =
            vec![("fault", fault.keyword().to_owned()), ("detail", fault.detail().to_owned())];
        self.say("notify-fault", args)
    }

    /// There is no notification server, or (with the reason) no session bus.
    pub fn no_server(&self, why: Option<&str>) -> String {
        match why {
            Some(why) => self.say("notify-log-no-session", vec![("why", why.to_owned())]),
            None => self.plain("notify-log-no-server"),
        }
    }

    /// The memory cannot be read or written.
    pub fn no_memory(&self, file: String, why: String) -> String {
        self.say("notify-log-memory", vec![("file", file), ("why", why)])
    }

    /// What closes the terminal that shows a board.
    pub fn enter(&self) -> String {
        self.plain("notify-enter")
    }

    fn one(&self, about: &About) -> Said {
        let (what, sentence) = self.matter(about);
        let mut lines = vec![sentence];
        if about.late {
            lines.push(self.plain("notify-late"));
        }
        self.add_pc(about, &mut lines);
        let args = vec![("who", about.who.clone()), ("what", what)];
        Said { title: self.say("notify-title", args), lines }
    }

    fn add_pc(&self, about: &About, lines: &mut Vec<String>) {
        if !about.pc.is_empty() {
            lines.push(self.say("notify-pc", vec![("pc", about.pc.clone())]));
        }
    }

    fn several(&self, hall: &str, class: AlertClass, list: &[About]) -> Said {
        let message = match class {
            AlertClass::Urgent => "notify-several-urgent",
            _ => "notify-several-notice",
        };
        let args = vec![("hall", one_of(hall)), ("count", list.len().to_string())];
        let mut lines: Vec<String> = list.iter().take(LINES).map(|a| self.line(a)).collect();
        if list.len() > LINES {
            let more = (list.len() - LINES).to_string();
            lines.push(self.say("notify-more", vec![("count", more)]));
        }
        Said { title: self.say(message, args), lines }
    }

    /// An alert on one line.
    fn line(&self, about: &About) -> String {
        let (what, _) = self.matter(about);
        let who = about.who.clone();
        match event(about) {
            Some(EventKind::GameOver { result, article, .. }) => {
                let args =
                    vec![("who", who), ("what", what), ("result", result), ("article", article)];
                self.say("notify-over-line", args)
            }
            _ => self.say("notify-title", vec![("who", who), ("what", what)]),
        }
    }

    fn lines_down(&self, hall: &str, down: &[(String, Fault)], of: usize) -> Said {
        if let [(pc, fault)] = down {
            return Said {
                title: self.say("notify-line-down", vec![("pc", pc.clone())]),
                lines: vec![self.fault(fault), self.plain("notify-line-warning")],
            };
        }
        let args =
            vec![("hall", one_of(hall)), ("count", down.len().to_string()), ("of", of.to_string())];
        let mut lines: Vec<String> = down
            .iter()
            .take(LINES)
            .map(|(pc, fault)| format!("{pc}: {}", self.fault(fault)))
            .collect();
        if down.len() > LINES {
            let more = (down.len() - LINES).to_string();
            lines.push(self.say("notify-more", vec![("count", more)]));
        }
        Said { title: self.say("notify-lines-down", args), lines }
    }

    /// What an alert is about: in a few words, and in a sentence.
    fn matter(&self, about: &About) -> (String, String) {
        let side = |side: Side| match side {
            Side::White => "white".to_owned(),
            Side::Black => "black".to_owned(),
        };
        match event(about) {
            Some(EventKind::GameOver { result, reason, article, .. }) => {
                let reason = keyword(&reason);
                let what = self.say("notify-ending", vec![("reason", reason)]);
                let args = vec![("result", result), ("article", article)];
                (what, self.say("notify-over", args))
            }
            Some(EventKind::IllegalMove { by, article, .. }) => {
                let args = vec![("side", side(by)), ("article", article)];
                (self.plain("notify-illegal"), self.say("notify-illegal-body", args))
            }
            Some(EventKind::Flag { side: whose, opponent_can_mate, article, .. }) => {
                let can = match opponent_can_mate {
                    YesNoUnknown::Yes => "yes",
                    YesNoUnknown::No => "no",
                    YesNoUnknown::Unknown => "unknown",
                };
                let args =
                    vec![("side", side(whose)), ("can", can.to_owned()), ("article", article)];
                (self.plain("notify-flag"), self.say("notify-flag-body", args))
            }
            Some(EventKind::Link { state, .. }) => {
                let state = if state == LinkState::Silent { "silent" } else { "lost" };
                let body = self.say("notify-lost-body", vec![("state", state.to_owned())]);
                (self.plain("notify-lost"), body)
            }
            Some(EventKind::Attention { kind, squares, .. }) => {
                let kind = keyword(&kind);
                let args = vec![("kind", kind.clone()), ("squares", one_of(&squares.join(" ")))];
                let body = self.say("notify-attention-body", args);
                (self.say("notify-attention", vec![("kind", kind)]), body)
            }
            // A newer daemon may know more: then its own words must do.
            _ => self.foreign(about),
        }
    }

    fn foreign(&self, about: &About) -> (String, String) {
        let (alert, over) = (&about.alert, about.alert.class == AlertClass::Urgent);
        let message = if over { "notify-ending" } else { "notify-attention" };
        let other = "other".to_owned();
        let what = self.say(message, vec![("reason", other.clone()), ("kind", other)]);
        let words = if alert.body.is_empty() { &alert.title } else { &alert.body };
        (what, words.clone())
    }
}

fn event(about: &About) -> Option<EventKind> {
    serde_json::from_value(about.alert.details.clone().into()).ok()
}

/// The word a value has in an event's JSON.
fn keyword(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or("other").to_owned()
}

/// A text, or `none` for the choice of a message that has no text.
fn one_of(text: &str) -> String {
    if text.is_empty() { "none".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ctl::{hosts::Alert, notify::note::AlertKey};

    fn about(class: AlertClass, details: &serde_json::Value) -> About {
        About {
            key: AlertKey { host: "h".into(), journal: "j".into(), id: 1 },
            pc: "pc1".into(),
            who: "Table 7".into(),
            late: false,
            alert: Alert {
                id: 1,
                board: "/org/dgtd/boards/b".into(),
                game: String::new(),
                label: "Table 7".into(),
                class,
                title: "a title".into(),
                body: "a body".into(),
                raised_at: 0,
                details: details.as_object().cloned().unwrap_or_default(),
            },
        }
    }

    fn mate() -> About {
        let details = json!({"event": "game_over", "result": "0-1", "reason": "checkmate",
            "article": "5.1.1", "ply": 4, "fen": "f"});
        about(AlertClass::Urgent, &details)
    }

    fn both(note: &Note) -> [Text; 2] {
        ["en", "es"].map(|language| {
            let text = Words(Language::choose(language)).text(note);
            let all = format!("{} {} {:?}", text.title, text.body, text.buttons);
            assert!(!all.contains(['{', '$']) && !all.contains("nknown local"), "{all}");
            text
        })
    }

    #[test]
    fn an_end_reads_as_an_arbiter_says_it() {
        let [en, es] = both(&Note::One(Box::new(mate())));
        assert_eq!(en.title, "Table 7: checkmate");
        assert_eq!(en.body, "The game is over: 0-1 (Article 5.1.1).\nPC pc1");
        assert_eq!(es.title, "Table 7: jaque mate");
        assert_eq!((en.urgency, en.stays), (2, true));
        let words: Vec<&str> = es.buttons.iter().map(|(_, words)| words.as_str()).collect();
        assert_eq!(words, ["Visto", "Ver tablero"]);
        let list = vec![mate(); 12];
        let note = Note::Several { hall: "Main hall".into(), class: AlertClass::Urgent, list };
        let [en, _] = both(&note);
        assert_eq!(en.title, "Main hall: 12 games are over");
        assert_eq!(en.body.lines().count(), LINES + 1);
        assert!(en.body.ends_with("Table 7: checkmate, 0-1 (Article 5.1.1)\n… and 2 more"));
    }

    #[test]
    fn every_matter_has_words_in_every_language() {
        let matters = [
            json!({"event": "illegal_move", "by": "white", "article": "7.5.1", "why": "w",
                "squares": [], "ply": 1}),
            json!({"event": "flag", "side": "black", "opponent_can_mate": "no",
                "result": "1/2-1/2", "article": "6.9"}),
            json!({"event": "link", "state": "silent"}),
            json!({"event": "link", "state": "lost"}),
            json!({"event": "attention", "kind": "mismatch", "squares": ["e4"], "text": "t"}),
            json!({"event": "attention", "kind": "rook_first", "text": "t"}),
            json!({"event": "something_new"}),
        ];
        let mut titles = Vec::new();
        for details in matters {
            let [en, es] = both(&Note::One(Box::new(about(AlertClass::Notice, &details))));
            assert_ne!(en.title, es.title);
            assert_eq!((en.urgency, en.stays), (1, false));
            titles.push(en.title);
        }
        assert_eq!(titles[1], "Table 7: flag fallen");
        assert_eq!(titles[6], "Table 7: look at the board");
    }

    #[test]
    fn every_fault_says_what_to_do_in_every_language() {
        let text = || "what ssh said".to_owned();
        let faults = [
            Fault::NoBus(text()),
            Fault::NotRunning,
            Fault::Silent,
            Fault::Lost,
            Fault::NoSsh(text()),
            Fault::UnknownHost,
            Fault::Refused,
            Fault::Unreachable,
            Fault::KeyUnknown,
            Fault::KeyChanged,
            Fault::Denied,
            Fault::NoBridge(text()),
            Fault::Ssh(text()),
            Fault::TooOld("org.dgtd.Journal1"),
            Fault::Failed(text()),
        ];
        for fault in &faults {
            let down = vec![("pc1".to_owned(), fault.clone())];
            let [en, es] = both(&Note::LinesDown { hall: String::new(), down, of: 3 });
            assert_eq!(en.title, "pc1 cannot be reached");
            assert_ne!(en.body, es.body);
            assert!(en.body.contains(fault.detail()), "{}", en.body);
        }
        let down = faults.map(|fault| ("pc1".to_owned(), fault)).into();
        let [en, _] = both(&Note::LinesDown { hall: "Main hall".into(), down, of: 30 });
        assert_eq!(en.title, "Main hall: 15 of 30 PCs cannot be reached");
    }

    #[test]
    fn both_languages_have_the_same_messages() {
        let names = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| line.starts_with("notify-"));
            lines.filter_map(|line| Some(line.split_once(" =")?.0.to_owned())).collect()
        };
        let en = names(include_str!("../../../locales/en/notify.ftl"));
        assert_eq!(en, names(include_str!("../../../locales/es/notify.ftl")));
        assert!(en.len() > 30);
    }

    #[test]
    fn the_rest_has_words_too() {
        let text = String::from;
        for note in [
            Note::Withdrawn(Box::new(mate())),
            Note::LinesBack { hall: String::new(), back: vec![text("pc1")] },
            Note::NoRights(vec![text("pc1"), text("pc2")]),
            Note::Clash { label: text("Table 7"), pcs: vec![text("pc1"), text("pc2")] },
            Note::NotAcknowledged { pc: text("pc1"), why: text("Access denied") },
            Note::NoTerminal { command: text("dgtctl --host pc1 show b") },
        ] {
            let [en, es] = both(&note);
            assert_ne!(en.title, es.title);
            assert!(!en.stays);
        }
    }
}
