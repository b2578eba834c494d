//! The place of an error as people read it: line, column, the line itself and a caret.

use std::{fmt::Write as _, ops::Range};

/// Where in a text something is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    picture: String,
}

impl Place {
    /// The place of a byte range of `text`. A range outside the text is taken as its end.
    pub fn of(text: &str, span: &Range<usize>) -> Place {
        let mut start = span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line = text[..line_start].matches('\n').count() + 1;
        let column = text[line_start..start].chars().count() + 1;
        let shown = text[line_start..line_end].trim_end_matches('\r');
        let mut end = span.end.clamp(start, line_end);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let carets = text[start..end].chars().count().max(1);
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let mut picture = String::new();
        // Tabs would shift the caret: every character before it is shown as wide as the caret's.
        let shown: String = shown.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        // Writing to a String cannot fail.
        let _ = write!(
            picture,
            "{margin} |\n{number} | {shown}\n{margin} | {}{}",
            " ".repeat(column - 1),
            "^".repeat(carets)
        );
        Place { line, column, picture }
    }

    /// The line with a caret under the place.
    pub fn picture(&self) -> &str {
        &self.picture
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_place() {
        let text = "a = 1\n\tkey = \"ü\"\n";
        let at = text.find("\"ü\"").unwrap();
        let place = Place::of(text, &(at..at + 4));
        assert_eq!((place.line, place.column), (2, 8));
        assert_eq!(place.picture(), "  |\n2 |  key = \"ü\"\n  |        ^^^");
        let end = Place::of(text, &(999..1000));
        assert_eq!((end.line, end.column), (3, 1));
    }
}
