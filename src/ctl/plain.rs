//! What others have written, safe for a terminal.
//!
//! In: names, labels and sentences from files, boards and buses. Out: the same on one line, without
//! characters that steer a terminal or turn the direction of the text around them. Refuses to know:
//! where it is shown.

use std::borrow::Cow;

/// Whether a character does something else than stand there.
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2066}'..='\u{2069}').contains(&c)
}

/// A text with a space in the place of each character that steers.
pub fn line(text: &str) -> Cow<'_, str> {
    if text.chars().any(steers) {
        text.chars().map(|c| if steers(c) { ' ' } else { c }).collect::<String>().into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_blank_and_letters_stay() {
        for (text, safe) in [
            ("Judit Polgár", "Judit Polgár"),
            ("\u{1b}[2Jx\u{7}", " [2Jx "),
            ("a\r\nb\tc", "a  b c"),
            ("\u{9b}31mred", " 31mred"),
            ("\u{202e}evil\u{2069}", " evil "),
            ("דוד", "דוד"),
            ("👩\u{200d}👩", "👩\u{200d}👩"),
        ] {
            assert_eq!(line(text), safe);
        }
        assert!(matches!(line("plain"), Cow::Borrowed(_)));
    }
}
