//! The screen in words, in the arbiter's language.

use super::{
    call::Failure,
    hall::{Hall, Line, Open},
    row::{Need, Row, Secret, Stand},
};
use crate::{
    arbiter::event::{ClaimReason, Side},
    ctl::hosts::Fault,
    laws::text::Language,
    signals::words as sentences,
    units::Millis,
};

type Args = Vec<(&'static str, String)>;

/// Puts what is on the screen into words.
#[derive(Clone, Debug)]
pub struct Words(pub Language);

impl Words {
    /// A message with its arguments.
    pub fn say(&self, message: &str, args: Args) -> String {
        self.0.say(message, args)
    }

    /// A message without arguments.
    pub fn plain(&self, message: &str) -> String {
        self.say(message, Vec::new())
    }

    /// How a board stands, in a few words.
    pub fn stand(&self, row: &Row) -> String {
        match &row.stand {
            Stand::Away => self.plain("watch-stand-away"),
            Stand::Failed => self.plain("watch-stand-failed"),
            Stand::Absent => self.plain("watch-stand-absent"),
            Stand::Silent => self.plain("watch-stand-silent"),
            Stand::Opening => self.plain("watch-stand-opening"),
            Stand::NoGame => self.plain("watch-stand-no-game"),
            Stand::Waiting => self.plain("watch-stand-waiting"),
            Stand::Playing => self.plain("watch-stand-playing"),
            Stand::Over(result, ending) if result == "*" && ending.is_empty() => {
                self.plain("watch-stand-closed")
            }
            Stand::Over(result, ending) => {
                let ending = if ending.is_empty() { "none" } else { ending };
                // A narrow column has no room for the long form.
                let result = result.replace("1/2-1/2", "½-½");
                let args = vec![("result", result), ("ending", ending.to_owned())];
                self.say("watch-stand-over", args).trim_end().to_owned()
            }
        }
    }

    /// What stands in the column of the state: how the board stands, before it what it needs.
    pub fn state(&self, row: &Row, revealed: bool) -> String {
        if revealed && !row.secrets.is_empty() {
            return self.secrets(row);
        }
        let stand = self.stand(row);
        match row.need(revealed) {
            Need::Look => self.say("watch-look", vec![("stand", stand)]),
            _ => stand,
        }
    }

    /// All that only the arbiter may know of a board, on one line.
    pub fn secrets(&self, row: &Row) -> String {
        let all: Vec<String> = row.secrets.iter().map(|secret| self.secret(secret)).collect();
        all.join(", ")
    }

    fn secret(&self, secret: &Secret) -> String {
        match secret {
            Secret::Claim(reason, moves) => {
                let moves = if moves.is_empty() { "none".into() } else { moves.join(" ") };
                let args = vec![("kind", claim(*reason)), ("moves", moves)];
                self.say("watch-secret-claim", args)
            }
            Secret::Flag(side) => self.say("watch-secret-flag", vec![("side", word(*side))]),
            Secret::Illegal(side) => self.say("watch-secret-illegal", vec![("side", word(*side))]),
            Secret::PossibleEnd(reason) => {
                let ending = sentences::ending(&self.0, *reason);
                self.say("watch-secret-possible-end", vec![("ending", ending)])
            }
            // The same words as in a notification.
            Secret::Attention(kind) => {
                let kind = serde_json::to_value(kind).unwrap_or_default();
                let kind = kind.as_str().unwrap_or("other").to_owned();
                self.say("notify-attention", vec![("kind", kind)])
            }
            Secret::Other => self.say("notify-attention", vec![("kind", "other".into())]),
        }
    }

    /// An open alert as a sentence.
    pub fn alert(&self, open: &Open) -> String {
        let (alert, game) = (&open.alert, None);
        match &open.event {
            Some(event) => sentences::sentence(&self.0, event, game),
            // A newer daemon knows more: then its own words must do.
            None if alert.body.is_empty() => alert.title.clone(),
            None => alert.body.clone(),
        }
    }

    /// Why a PC cannot be heard, and what to do.
    pub fn fault(&self, fault: &Fault) -> String {
        let args =
            vec![("fault", fault.keyword().to_owned()), ("detail", fault.detail().to_owned())];
        self.say("notify-fault", args)
    }

    /// Why a call did nothing, and what to do.
    pub fn failure(&self, failure: &Failure, pc: &str) -> String {
        let (kind, text) = match failure {
            Failure::Rights => ("rights", String::new()),
            Failure::Refused(name, text) => (name.as_str(), text.clone()),
            Failure::Away => ("away", String::new()),
            Failure::Silent => ("silent", String::new()),
            Failure::Other(text) => ("other", text.clone()),
        };
        self.say(
            "watch-failed",
            vec![("kind", kind.to_owned()), ("text", text), ("pc", pc.to_owned())],
        )
    }

    /// What is to be said of the hall as a whole: PCs that cannot be reached, missing rights, names
    /// that are there twice.
    pub fn notes(&self, hall: &Hall) -> Vec<String> {
        let mut notes = Vec::new();
        for pc in &hall.pcs {
            let name = pc.name.clone();
            match &pc.line {
                Line::Down(fault) => {
                    let args = vec![("pc", name), ("fault", self.fault(fault))];
                    notes.push(self.say("watch-note-down", args));
                }
                Line::Unknown => notes.push(self.say("watch-note-asked", vec![("pc", name)])),
                Line::Up => {}
            }
        }
        let poor = hall.pcs.iter().filter(|pc| pc.line == Line::Up && !pc.rights);
        let poor: Vec<&str> = poor.map(|pc| pc.name.as_str()).collect();
        if !poor.is_empty() {
            notes.push(self.say("watch-note-rights", vec![("pcs", poor.join(", "))]));
        }
        for ((_, label), pcs) in hall.clashes() {
            let args = vec![("label", label.to_owned()), ("pcs", pcs.join(", "))];
            notes.push(self.say("watch-note-clash", args));
        }
        notes
    }

    /// Half-moves and repetitions as the daemon counts them.
    pub fn counters(&self, quiet: u64, times: u64, exact: bool) -> String {
        let exact = if exact { "yes" } else { "no" }.to_owned();
        let many = many(times != 1);
        let (quiet, times) = (quiet.to_string(), times.to_string());
        let args = vec![("quiet", quiet), ("times", times), ("many", many), ("exact", exact)];
        self.say("watch-counters", args)
    }

    /// What a fact of an alert is, when only that it is there may be shown.
    pub fn hidden(&self, count: usize) -> String {
        self.say("watch-hidden", vec![("count", count.to_string()), ("many", many(count != 1))])
    }
}

/// A time as on a clock, `*` behind it when it runs.
pub fn time(time: Option<u64>, runs: bool) -> String {
    let Some(ms) = time else { return "-".to_owned() };
    let time = Millis::from_seconds(ms / 1000).to_string();
    if runs { format!("{time}*") } else { time }
}

/// The word by which a message chooses between one and more.
pub fn many(more: bool) -> String {
    if more { "more".to_owned() } else { "one".to_owned() }
}

fn word(side: Side) -> String {
    match side {
        Side::White => "white".to_owned(),
        Side::Black => "black".to_owned(),
    }
}

fn claim(reason: ClaimReason) -> String {
    match reason {
        ClaimReason::ThreefoldRepetition => "threefold".to_owned(),
        ClaimReason::FiftyMoves => "fifty".to_owned(),
    }
}
