//! What stands in front: the keys, the actions, an action being prepared.

use ratatui::{
    layout::Rect,
    style::Style,
    widgets::{Block, Clear, Widget as _},
};

use super::{Pen, Theme, wrapped};
use crate::ctl::{
    pair::Outcome,
    screen::{
        actions::ACTIONS,
        form::{Form, Stage},
        model::{Model, View},
        sheet::{Sheet, Way},
    },
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
        Stage::Reading => {
            all.extend(broken(&words.plain("watch-reading"), area, Style::new()));
            "watch-sent-keys"
        }
        Stage::Pairings(sheet) => {
            pairings(sheet, model, area, pen.theme, &mut all);
            match sheet.way {
                Way::Shown => "watch-pairings-keys",
                Way::Sent(_) => "watch-sent-keys",
                Way::Done => "watch-told-keys",
            }
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

/// The pairings that have room, and below them what is asked, awaited or came of it.
fn pairings(
    sheet: &Sheet,
    model: &Model,
    area: Rect,
    theme: Theme,
    all: &mut Vec<(String, Style)>,
) {
    let words = &model.words;
    let mut below = match sheet.way {
        Way::Shown => {
            let pcs = sheet.plan.pcs().join(", ");
            let none = sheet.plan.missing_boards(&words.0);
            let mut lines =
                none.map(|none| broken(&none, area, theme.notice())).unwrap_or_default();
            let ask = if pcs.is_empty() {
                words.plain("watch-pair-nothing")
            } else {
                let count = sheet.plan.to_set().count().to_string();
                words.say("watch-pair-confirm", vec![("count", count), ("pcs", pcs)])
            };
            lines.extend(broken(&ask, area, Theme::head()));
            lines
        }
        Way::Sent(waiting) => {
            let args = vec![("count", waiting.to_string())];
            broken(&words.say("watch-pair-sent", args), area, Style::new())
        }
        Way::Done => match sheet.plan.missing(&words.0) {
            Some(missing) => broken(&missing, area, theme.urgent()),
            None => broken(&words.plain("watch-done"), area, Style::new()),
        },
    };
    // The frame, the title, the line that counts, an empty line, the keys.
    let room = usize::from(area.height).saturating_sub(below.len() + 7).max(1);
    all.extend(broken(&sheet.plan.title(&words.0), area, Theme::head()));
    let (mut shown, mut used) = (0, 0);
    for (row, text) in sheet.plan.rows.iter().zip(sheet.lines(words)).skip(sheet.scroll) {
        let style = match &row.outcome {
            outcome if outcome.stands() => Style::new(),
            Outcome::Planned(_) => Style::new(),
            _ => theme.notice(),
        };
        let lines = broken(&text, area, style);
        if shown > 0 && used + lines.len() > room {
            break;
        }
        used += lines.len();
        shown += 1;
        all.extend(lines.into_iter().take(room));
    }
    let (from, to, of) = (sheet.scroll + 1, sheet.scroll + shown, sheet.plan.rows.len());
    if shown < of {
        let args = vec![("from", from.to_string()), ("to", to.to_string()), ("of", of.to_string())];
        all.push((words.say("watch-pair-part", args), Theme::faint()));
    }
    all.push((String::new(), Style::new()));
    all.append(&mut below);
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
