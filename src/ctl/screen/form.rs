//! What is asked of the arbiter before a call is made: filling in, confirming, waiting, the answer.

use ratatui::crossterm::event::KeyCode;

use super::{
    actions::{Action, Does, Field, Kind, Subject},
    call::{Answer, Call},
    sheet::{Sheet, Way},
    words::Words,
};
use crate::laws::Edition;

/// The longest text that can be filled in.
const LONGEST: usize = 200;

/// How far it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Something is filled in: the place of the field.
    Filling(usize),
    /// All is filled in: these calls would be made.
    Confirm(Vec<Call>),
    /// They were made.
    Sent,
    /// The file is being read.
    Reading,
    /// The pairings of the file, before and after they are set.
    Pairings(Box<Sheet>),
    /// What came of it, in lines; and whether it was done.
    Told(Vec<String>, bool),
}

/// An action being prepared.
#[derive(Clone, Debug)]
pub struct Form {
    /// The action.
    pub action: &'static Action,
    /// The board it is for.
    pub subject: Subject,
    /// What was filled in, by field.
    pub given: Vec<String>,
    /// How far it has come.
    pub stage: Stage,
    /// The message that says what is wrong with what was filled in.
    pub wrong: Option<&'static str>,
}

/// What a key does beyond the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum After {
    /// Nothing.
    Stay,
    /// The form goes.
    Close,
    /// These calls are to be made.
    Send(Vec<Call>),
    /// This file is to be read.
    Read(String),
    /// These are to be made, each for the pairing at its place.
    Pair(Vec<(usize, Call)>),
}

impl Form {
    /// A form with what is known filled in.
    pub fn new(action: &'static Action, subject: Subject) -> Form {
        let given = (action.begin)(&subject);
        let mut form = Form { action, subject, given, stage: Stage::Filling(0), wrong: None };
        if action.game && !form.subject.board.object.has_game() {
            form.wrong = Some("watch-wrong-no-game");
            form.stage = Stage::Told(Vec::new(), false);
        } else if action.fields.is_empty() {
            form.confirm();
        }
        form
    }

    /// The values a field can have, and the words for each; none when it is typed.
    pub fn choices(field: &Field, words: &Words) -> Vec<(String, String)> {
        match field.kind {
            Kind::Choice(of) => {
                of.iter().map(|(value, say)| ((*value).to_owned(), words.plain(say))).collect()
            }
            Kind::Edition => {
                let both =
                    |edition: &Edition| (edition.name().to_owned(), edition.name().to_owned());
                Edition::ALL.iter().map(both).collect()
            }
            Kind::Text | Kind::Must | Kind::Number => Vec::new(),
        }
    }

    /// What was filled in, in words: the field and its value.
    pub fn filled(&self, words: &Words) -> Vec<(String, String)> {
        let fields = self.action.fields.iter().zip(&self.given);
        fields
            .map(|(field, given)| {
                let choices = Form::choices(field, words);
                let said = choices.into_iter().find(|(value, _)| value == given);
                (words.plain(field.name), said.map_or_else(|| given.clone(), |(_, said)| said))
            })
            .collect()
    }

    /// The round that was filled in, if one was.
    pub fn round(&self) -> Option<u32> {
        self.given.get(1).and_then(|round| round.trim().parse().ok())
    }

    /// The file was read and laid over the hall, or cannot be.
    pub fn read(&mut self, sheet: Result<Sheet, String>) {
        if self.stage == Stage::Reading {
            self.stage = match sheet {
                Ok(sheet) => Stage::Pairings(Box::new(sheet)),
                Err(why) => Stage::Told(vec![why], false),
            };
        }
    }

    fn confirm(&mut self) -> After {
        let empty = |(field, given): (&Field, &String)| {
            matches!(field.kind, Kind::Must) && given.trim().is_empty()
        };
        let empty = self.action.fields.iter().zip(&self.given).any(empty);
        let calls = match self.action.does {
            _ if empty => Err("watch-wrong-empty"),
            Does::Calls(calls) => calls(&self.subject, &self.given),
            Does::Pairs if !self.given[1].is_empty() && self.round().is_none() => {
                Err("watch-wrong-number")
            }
            Does::Pairs => {
                self.wrong = None;
                self.stage = Stage::Reading;
                return After::Read(self.given[0].trim().to_owned());
            }
        };
        match calls {
            Ok(calls) => {
                self.wrong = None;
                self.stage = Stage::Confirm(calls);
            }
            // Without anything to fill in there is nothing to mend.
            Err(wrong) => {
                self.wrong = Some(wrong);
                if self.action.fields.is_empty() {
                    self.stage = Stage::Told(Vec::new(), false);
                }
            }
        }
        After::Stay
    }

    /// The answer has come.
    pub fn answered(&mut self, answer: &Answer, pc: &str, words: &Words) {
        self.stage = match answer {
            Ok(values) => Stage::Told((self.action.told)(values, words), true),
            Err(failure) => Stage::Told(vec![words.failure(failure, pc)], false),
        };
    }

    /// A key.
    pub fn key(&mut self, key: KeyCode) -> After {
        match &mut self.stage {
            Stage::Pairings(sheet) => match key {
                KeyCode::Enter if sheet.way == Way::Shown => After::Pair(sheet.send()),
                KeyCode::Esc if sheet.way == Way::Shown => {
                    self.stage = Stage::Filling(0);
                    After::Stay
                }
                KeyCode::Enter if sheet.way == Way::Done => After::Close,
                KeyCode::Esc => After::Close,
                key => {
                    let last = sheet.plan.rows.len().saturating_sub(1);
                    sheet.scroll = match key {
                        KeyCode::Up => sheet.scroll.saturating_sub(1),
                        KeyCode::Down => (sheet.scroll + 1).min(last),
                        KeyCode::PageUp => sheet.scroll.saturating_sub(10),
                        KeyCode::PageDown => (sheet.scroll + 10).min(last),
                        KeyCode::Home => 0,
                        KeyCode::End => last,
                        _ => sheet.scroll,
                    };
                    After::Stay
                }
            },
            Stage::Filling(at) => {
                let at = *at;
                self.fill(at, key)
            }
            Stage::Confirm(calls) => match key {
                KeyCode::Enter => {
                    let calls = calls.clone();
                    self.stage = Stage::Sent;
                    After::Send(calls)
                }
                KeyCode::Esc if self.action.fields.is_empty() => After::Close,
                KeyCode::Esc => {
                    self.stage = Stage::Filling(self.action.fields.len() - 1);
                    After::Stay
                }
                _ => After::Stay,
            },
            // The answer goes nowhere then: the journal has it.
            Stage::Sent | Stage::Reading if key == KeyCode::Esc => After::Close,
            Stage::Told(..) if matches!(key, KeyCode::Enter | KeyCode::Esc) => After::Close,
            Stage::Sent | Stage::Reading | Stage::Told(..) => After::Stay,
        }
    }

    /// A letter of something that was pasted.
    pub fn letter(&mut self, letter: char) {
        if let Stage::Filling(at) = self.stage
            && let Some(Kind::Text | Kind::Must | Kind::Number) =
                self.action.fields.get(at).map(|field| field.kind)
        {
            self.edit(at, KeyCode::Char(letter));
        }
    }

    fn fill(&mut self, at: usize, key: KeyCode) -> After {
        let last = self.action.fields.len() - 1;
        match key {
            KeyCode::Esc => return After::Close,
            KeyCode::Up | KeyCode::BackTab => self.stage = Stage::Filling(at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Tab => self.stage = Stage::Filling((at + 1).min(last)),
            KeyCode::Enter if at < last => self.stage = Stage::Filling(at + 1),
            KeyCode::Enter => return self.confirm(),
            _ => self.edit(at, key),
        }
        After::Stay
    }

    fn edit(&mut self, at: usize, key: KeyCode) {
        let (Some(field), Some(given)) = (self.action.fields.get(at), self.given.get_mut(at))
        else {
            return;
        };
        let values: Vec<&str> = match field.kind {
            Kind::Choice(of) => of.iter().map(|(value, _)| *value).collect(),
            Kind::Edition => Edition::ALL.iter().map(|edition| edition.name()).collect(),
            Kind::Text | Kind::Must | Kind::Number => {
                match key {
                    KeyCode::Backspace => {
                        given.pop();
                    }
                    // All of it: what stood there is rarely to be mended letter by letter.
                    KeyCode::Delete => given.clear(),
                    KeyCode::Char(letter) if given.chars().count() < LONGEST => {
                        let digits = matches!(field.kind, Kind::Number);
                        if !letter.is_control() && (!digits || letter.is_ascii_digit()) {
                            given.push(letter);
                        }
                    }
                    _ => {}
                }
                return;
            }
        };
        let now = values.iter().position(|value| value == given).unwrap_or_default();
        let next = match key {
            KeyCode::Left => (now + values.len() - 1) % values.len(),
            KeyCode::Right | KeyCode::Char(' ') => (now + 1) % values.len(),
            _ => return,
        };
        values[next].clone_into(given);
    }
}
