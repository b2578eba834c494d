//! Why something was refused, in the language of whoever reads it.
//!
//! The same sentences stand in the code, in English, as the errors' own texts; here they are those of
//! `locales/`.

use super::Denied;
use crate::{
    arbiter::Refusal,
    laws::{ledger::NotPending, text::Language},
};

/// Why a board's task does not do what it is asked.
pub fn denied(language: &Language, denied: &Denied) -> String {
    let plain = |message| language.say(message, Vec::new());
    match denied {
        Denied::Refused(why) => refusal(language, why),
        Denied::AlreadyRecording(file) => {
            language.say("refused-already-recording", vec![("file", file.clone())])
        }
        Denied::NotRecording => plain("refused-not-recording"),
        Denied::RecordingBusy => plain("refused-recording-busy"),
        Denied::CannotRecord(why) => {
            language.say("refused-cannot-record", vec![("why", why.clone())])
        }
        Denied::NoLine => plain("refused-no-line"),
        Denied::Failed => plain("refused-failed"),
    }
}

/// Why a board refuses.
pub fn refusal(language: &Language, why: &Refusal) -> String {
    let plain = |message| language.say(message, Vec::new());
    let with_text = |message, text: &str| language.say(message, vec![("text", text.to_owned())]);
    match why {
        Refusal::NoGame => plain("refused-no-game"),
        Refusal::GameOver => plain("refused-game-over"),
        Refusal::StalePly { expected, actual } => {
            let args = vec![("expected", expected.to_string()), ("actual", actual.to_string())];
            language.say("refused-stale-ply", args)
        }
        Refusal::IllegalMove { text, why } => {
            language.say("refused-illegal-move", vec![("text", text.clone()), ("why", why.clone())])
        }
        Refusal::IllegalPosition { fen, why } => {
            let args = vec![("text", fen.clone()), ("why", why.clone())];
            language.say("refused-illegal-position", args)
        }
        Refusal::IllegalMoveStands => plain("refused-illegal-move-stands"),
        Refusal::UnknownEdition(text) => with_text("refused-unknown-edition", text),
        Refusal::BadResult(text) => with_text("refused-bad-result", text),
        Refusal::BadTag(text) => with_text("refused-bad-tag", text),
        Refusal::TooManyTags(most) => {
            language.say("refused-too-many-tags", vec![("most", most.to_string())])
        }
        Refusal::TooLong { what, most } => {
            let what = what.replace(' ', "-");
            language.say("refused-too-long", vec![("what", what), ("most", most.to_string())])
        }
        Refusal::TooFewPlies(plies) => {
            language.say("refused-too-few-plies", vec![("plies", plies.to_string())])
        }
        Refusal::NotClosed => plain("refused-not-closed"),
        Refusal::NotToBeReopened => plain("refused-not-to-be-reopened"),
        Refusal::NothingBefore => plain("refused-nothing-before"),
        Refusal::NotConnected => plain("refused-not-connected"),
        Refusal::IllegalMoveChoice(choice) => match choice {
            NotPending::None => plain("refused-none-waits"),
            NotPending::NoSuch { number, open } => {
                let args = vec![("number", number.to_string()), ("open", open.clone())];
                language.say("refused-does-not-wait", args)
            }
            NotPending::Undecided(number) => {
                language.say("refused-undecided", vec![("number", number.to_string())])
            }
            NotPending::Several(open) => {
                language.say("refused-several-wait", vec![("open", open.clone())])
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Ply;

    /// Every refusal there is; the compiler asks for new ones in the functions above.
    fn all() -> Vec<Denied> {
        let text = || "some text".to_owned();
        let refusals = [
            Refusal::NoGame,
            Refusal::GameOver,
            Refusal::StalePly { expected: Ply(3), actual: Ply(4) },
            Refusal::IllegalMove { text: text(), why: "because".into() },
            Refusal::IllegalPosition { fen: text(), why: "because".into() },
            Refusal::IllegalMoveStands,
            Refusal::UnknownEdition(text()),
            Refusal::BadResult(text()),
            Refusal::BadTag(text()),
            Refusal::TooManyTags(64),
            Refusal::TooLong { what: "tag value", most: 255 },
            Refusal::TooFewPlies(7),
            Refusal::NotClosed,
            Refusal::NotToBeReopened,
            Refusal::NothingBefore,
            Refusal::NotConnected,
            Refusal::IllegalMoveChoice(NotPending::None),
            Refusal::IllegalMoveChoice(NotPending::NoSuch { number: 3, open: "1, 2".into() }),
            Refusal::IllegalMoveChoice(NotPending::Undecided(3)),
            Refusal::IllegalMoveChoice(NotPending::Several("1, 2".into())),
        ];
        let others = [
            Denied::AlreadyRecording(text()),
            Denied::NotRecording,
            Denied::RecordingBusy,
            Denied::CannotRecord(text()),
            Denied::NoLine,
            Denied::Failed,
        ];
        refusals.into_iter().map(Denied::Refused).chain(others).collect()
    }

    #[test]
    fn in_english_it_is_the_errors_own_text() {
        let english = Language::choose("en");
        for why in all() {
            assert_eq!(denied(&english, &why), why.to_string());
        }
    }

    #[test]
    fn in_spanish_it_is_another_with_the_same_facts() {
        let spanish = Language::choose("es");
        for why in all() {
            let (said, own) = (denied(&spanish, &why), why.to_string());
            assert!(said != own && !said.contains(['{', '}', '$']), "{said}");
            for digits in own.split(|c: char| !c.is_ascii_digit()).filter(|d| !d.is_empty()) {
                assert!(said.contains(digits), "{own}: {said}");
            }
        }
    }
}
