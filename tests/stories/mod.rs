//! Stories of hands at a board: told in a small language, turned into captures, and held against
//! what the program makes of them.
//!
//! In: `tests/stories/*.story`. Out: the bytes of each story, and whether a list of events is what
//! its `expect` lines say. Refuses to know: how the program works; it shares nothing with it but the
//! capture's text format and shakmaty.
//!
//! ```text
//! == name_of_the_capture
//! law: Article, or the situation
//! story: What happens, in a sentence or two.
//! start: FEN          the first position is told to the program (`# start:`)
//! board: PLACEMENT    what stands on the board at the beginning, when it is not `start`
//! laws: fide-2023 blitz    edition and time control, standard chess of 2023 when not told
//! options: rotated bare no-version ...
//! hands: -e2 +e4P @3s
//! expect: moves e4
//! ```
//!
//! `hands` and `expect` may be repeated. The words of `hands` are explained in [`hands`], those of
//! `expect` in [`expect`].

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a story that makes no sense must stop the test"
)]

pub mod expect;
pub mod hands;
mod wire;

use std::{fs, path::Path};

use dgtd::{
    capture::{Record, Writer},
    laws::Conditions,
};

/// One story.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// Name of its capture, without the ending.
    pub name: String,
    /// The article it covers, or the situation.
    pub law: String,
    /// What happens.
    pub story: String,
    /// First position, as FEN, when the program is told of it.
    pub start: Option<String>,
    /// Placement on the board at the beginning.
    pub board: Option<String>,
    /// Edition of the Laws and time control, when they are not the usual ones.
    pub laws: Option<String>,
    /// Words that change the board or the conversation.
    pub options: Vec<String>,
    /// What the hands do.
    pub hands: Vec<String>,
    /// What must come of it.
    pub expect: Vec<String>,
}

impl Story {
    /// Whether this option is chosen.
    pub fn option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option == name)
    }

    /// How the game is played.
    pub fn conditions(&self) -> Conditions {
        let Some(laws) = &self.laws else { return Conditions::default() };
        let (edition, control) = laws.split_once(' ').unwrap();
        Conditions::new(edition.parse().unwrap(), control.parse().unwrap())
    }

    /// What goes over the line.
    pub fn records(&self) -> Vec<Record> {
        hands::play(self)
    }

    /// The text of the capture.
    pub fn capture(&self) -> String {
        let mut writer = Writer::new(Vec::new()).unwrap();
        writer.comment(&format!("board: {}", self.name)).unwrap();
        if let Some(fen) = &self.start {
            writer.comment(&format!("start: {fen}")).unwrap();
        }
        if let Some(laws) = &self.laws {
            writer.comment(&format!("Laws: {laws}")).unwrap();
        }
        writer
            .comment(
                "Written for dgtd by its own tests, from a story; not the trace of a real board.",
            )
            .unwrap();
        writer.comment(&format!("Law: {}", self.law)).unwrap();
        writer.comment(&format!("Story: {}", self.story)).unwrap();
        for record in self.records() {
            writer.record(record.at, &record.what).unwrap();
        }
        String::from_utf8(writer.into_inner()).unwrap()
    }
}

/// All stories of a folder, by file and in the order in which they are told.
pub fn all(folder: &Path) -> Vec<Story> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "story"))
        .collect();
    files.sort();
    let mut stories: Vec<Story> = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let at = |line: usize| format!("{}:{}", file.display(), line + 1);
        let mut fresh = false;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix("==") {
                let name = name.trim().to_owned();
                assert!(
                    stories.iter().all(|story| story.name != name),
                    "{}: {name} twice",
                    at(number)
                );
                stories.push(Story { name, ..Story::default() });
                fresh = true;
                continue;
            }
            assert!(fresh, "{}: no story has begun", at(number));
            let story = stories.last_mut().unwrap();
            let (key, value) = line
                .split_once(':')
                .unwrap_or_else(|| panic!("{}: `key: value` expected", at(number)));
            let value = value.trim().to_owned();
            match key {
                "law" => story.law = value,
                "story" if story.story.is_empty() => story.story = value,
                "story" => story.story = format!("{} {value}", story.story),
                "start" => story.start = Some(value),
                "board" => story.board = Some(value),
                "laws" => story.laws = Some(value),
                "options" => story.options.extend(value.split_whitespace().map(str::to_owned)),
                "hands" => story.hands.extend(value.split_whitespace().map(str::to_owned)),
                "expect" => story.expect.push(value),
                other => panic!("{}: {other:?} is no key", at(number)),
            }
        }
    }
    for story in &stories {
        let told = !story.law.is_empty() && !story.story.is_empty() && !story.expect.is_empty();
        assert!(told, "{}: law, story and expect are needed", story.name);
    }
    stories
}
