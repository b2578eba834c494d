//! What stands in front: the keys, the actions, an action being prepared.

use ratatui::{
    layout::Rect,
    style::Style,
    widgets::{Block, Clear, Widget as _},
};

use super::{Pen, Theme, wrapped};
use crate::ctl::screen::{
    actions::ACTIONS,
    form::{Form, Stage},
    model::{Model, View},
};

/// A frame in the middle, as high as its lines; returns its inside.
fn frame(title: &str, width: u16, lines: usize, area: Rect, pen: &mut Pen<'_>) -> Rect {
    let width = width.min(area.width);
    let height = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2).min(area.height);
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 2;
    let outside = Rect { x, y, width, height };
    Clear.render(outside, pen.buffer);
    let block = Block::bordered().title(format!(" {title} "));
    let inside = block.inner(outside);
    block.render(outside, pen.buffer);
    // A column of air on both sides.
    Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside }
}

/// Lines one below the other.
fn lines(all: &[(String, Style)], inside: Rect, pen: &mut Pen<'_>) {
    for ((text, style), y) in all.iter().zip(inside.y..inside.bottom()) {
        pen.text(inside.x, y, inside.width, text, *style);
    }
}

fn usual(area: Rect) -> u16 {
    area.width.saturating_sub(6).min(90)
}

/// A text broken for the inside of a usual frame.
fn broken(text: &str, area: Rect, style: Style) -> Vec<(String, Style)> {
    let columns = usize::from(usual(area).saturating_sub(4));
    wrapped(text, columns).into_iter().map(|line| (line, style)).collect()
}

pub(super) fn help(model: &Model, area: Rect, pen: &mut Pen<'_>) {
    let words = &model.words;
    let message = match model.view {
        View::Hall => "watch-help-hall",
        View::Board(_) => "watch-help-board",
    };
    let text = words.plain(message);
    let all: Vec<(String, Style)> =
        text.lines().map(|line| (line.to_owned(), Style::new())).collect();
    let inside = frame(&words.plain("watch-help"), usual(area), all.len(), area, pen);
    lines(&all, inside, pen);
}

pub(super) fn menu(model: &Model, at: usize, area: Rect, pen: &mut Pen<'_>) {
    let words = &model.words;
    let title = words.plain("watch-menu");
    let inside = frame(&title, usual(area).min(50), ACTIONS.len() + 2, area, pen);
    let mut all: Vec<(String, Style)> = Vec::new();
    for (place, action) in ACTIONS.iter().enumerate() {
        let (mark, style) = if place == at { (">", Theme::chosen()) } else { (" ", Style::new()) };
        all.push((format!("{mark} {}  {}", action.key, words.plain(action.name)), style));
    }
    all.push((String::new(), Style::new()));
    all.push((words.plain("watch-menu-keys"), Theme::faint()));
    lines(&all, inside, pen);
}

pub(super) fn form(model: &Model, form: &Form, area: Rect, pen: &mut Pen<'_>) {
    let words = &model.words;
    let title = format!("{} · {}", form.subject.who, words.plain(form.action.name));
    let mut all: Vec<(String, Style)> = Vec::new();
    let pc = model.hall.pcs.get(form.subject.key.host);
    let pc = pc.map(|pc| pc.name.clone()).unwrap_or_default();
    let keys = match &form.stage {
        Stage::Filling(at) => {
            fields(form, Some(*at), model, area, &mut all);
            "watch-form-keys"
        }
        Stage::Confirm(_) => {
            fields(form, None, model, area, &mut all);
            let ask = words.say("watch-confirm", vec![("pc", pc)]);
            all.push((String::new(), Style::new()));
            all.extend(broken(&ask, area, Theme::head()));
            "watch-confirm-keys"
        }
        Stage::Sent => {
            all.extend(broken(&words.say("watch-sent", vec![("pc", pc)]), area, Style::new()));
            "watch-sent-keys"
        }
        Stage::Told(told, done) => {
            let style = if *done { Style::new() } else { pen.theme.urgent() };
            for line in told {
                all.extend(broken(line, area, style));
            }
            "watch-told-keys"
        }
    };
    if let Some(wrong) = form.wrong {
        all.extend(broken(&words.plain(wrong), area, pen.theme.urgent()));
    }
    all.push((String::new(), Style::new()));
    all.push((words.plain(keys), Theme::faint()));
    let inside = frame(&title, usual(area), all.len(), area, pen);
    lines(&all, inside, pen);
}

/// What is asked and what was filled in.
fn fields(
    form: &Form,
    at: Option<usize>,
    model: &Model,
    area: Rect,
    all: &mut Vec<(String, Style)>,
) {
    let filled = form.filled(&model.words);
    for (place, ((name, value), field)) in filled.iter().zip(form.action.fields).enumerate() {
        let here = at == Some(place);
        let choice = !Form::choices(field, &model.words).is_empty();
        let value = match (here, choice) {
            (true, true) => format!("< {value} >"),
            (true, false) => format!("{value}_"),
            (false, _) => value.clone(),
        };
        let (mark, style) = if here { (">", Theme::head()) } else { (" ", Style::new()) };
        if here {
            // The end of a long text is where it is typed.
            let room = usize::from(usual(area).saturating_sub(8)).saturating_sub(name.len());
            let hidden = value.chars().count().saturating_sub(room);
            let tail: String = value.chars().skip(hidden).collect();
            all.push((format!("{mark} {name}: {tail}"), style));
        } else {
            // Before it is sent, all of it must be read.
            let line = format!("{mark} {name}: {value}");
            all.extend(broken(&line, area, style));
        }
    }
}
