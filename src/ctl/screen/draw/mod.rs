//! The screen drawn into a buffer. Pure: the same model gives the same cells.
//!
//! Nothing is told by colour alone: without colours the same words and marks stand there.

mod board;
mod front;
mod hall;

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Color, Modifier, Style},
    text::Span,
};

use super::model::{Front, Model, View};
pub use hall::sheet;

/// The smallest screen that is drawn on.
const SMALLEST: (u16, u16) = (40, 10);

/// What a terminal can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// It has colours, and they are wanted.
    pub colours: bool,
}

impl Theme {
    fn coloured(self, colour: Color) -> Style {
        if self.colours { Style::new().fg(colour) } else { Style::new() }
    }

    /// What must not be overlooked.
    fn urgent(self) -> Style {
        self.coloured(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// What must be looked at.
    fn notice(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// What is old, or of less weight.
    fn faint() -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    fn head() -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn chosen() -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}

/// Draws the whole screen.
pub fn draw(model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let mut pen = Pen { buffer, theme };
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let text = model.words.plain("watch-too-small");
        pen.paragraph(area, &text, Style::new());
        return;
    }
    match &model.view {
        View::Hall => hall::draw(model, area, &mut pen),
        View::Board(key) => board::draw(model, key, area, &mut pen),
    }
    match &model.front {
        Front::Nothing => {}
        Front::Help => front::help(model, area, &mut pen),
        Front::Menu(at) => front::menu(model, *at, area, &mut pen),
        Front::Form(_, form) => front::form(model, form, area, &mut pen),
    }
}

/// Puts text into the buffer.
struct Pen<'a> {
    buffer: &'a mut Buffer,
    theme: Theme,
}

impl Pen<'_> {
    /// A text in so many columns; what does not fit ends with an ellipsis. Returns the columns used.
    fn text(&mut self, x: u16, y: u16, columns: u16, text: &str, style: Style) -> u16 {
        let area = self.buffer.area;
        if y >= area.bottom() || x >= area.right() || columns == 0 {
            return 0;
        }
        let columns = columns.min(area.right() - x);
        let text = fitted(text, columns.into());
        let (end, _) = self.buffer.set_stringn(x, y, &text, columns.into(), style);
        end - x
    }

    /// The same at the right end of the columns.
    fn right(&mut self, x: u16, y: u16, columns: u16, text: &str, style: Style) {
        let width = width(text).min(columns);
        self.text(x + columns - width, y, width, text, style);
    }

    /// A text on several lines; returns how many.
    fn paragraph(&mut self, area: Rect, text: &str, style: Style) -> u16 {
        let lines = wrapped(text, area.width.into());
        let mut y = area.y;
        for line in lines.iter().take(area.height.into()) {
            self.text(area.x, y, area.width, line, style);
            y += 1;
        }
        y - area.y
    }

    fn fill(&mut self, area: Rect, style: Style) {
        self.buffer.set_style(area, style);
    }
}

/// The columns a text takes.
fn width(text: &str) -> u16 {
    u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX)
}

/// The text, cut so that it fits.
fn fitted(text: &str, columns: usize) -> String {
    if Span::raw(text).width() <= columns {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut used = 1;
    for letter in text.chars() {
        used += Span::raw(letter.to_string()).width();
        if used > columns {
            break;
        }
        cut.push(letter);
    }
    cut.push('…');
    cut
}

/// The text on lines of so many columns, broken between words; a longer word is broken anywhere.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let long = Span::raw(word).width();
        let gap = usize::from(used > 0);
        if used > 0 && used + gap + long > columns {
            lines.push(String::new());
            used = 0;
        }
        let Some(line) = lines.last_mut() else { break };
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        if long <= columns {
            line.push_str(word);
            used += long;
            continue;
        }
        for letter in word.chars() {
            let wide = Span::raw(letter.to_string()).width();
            if used + wide > columns {
                lines.push(String::new());
                used = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(letter);
            }
            used += wide;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_and_broken() {
        assert_eq!(fitted("Table 12", 8), "Table 12");
        assert_eq!(fitted("Table 123", 8), "Table 1…");
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}
