//! All boards, a row each.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use super::{Pen, Theme, width};
use crate::{
    arbiter::event::Side,
    ctl::screen::{
        model::Model,
        row::{Need, Row, Stand},
        words::{self, Words, many},
    },
};

/// A column: the message with its head, its width, and whether it is wanted on every screen.
struct Column {
    head: &'static str,
    width: u16,
    right: bool,
    cell: fn(&Row, &Words) -> String,
}

/// The columns that fit; the state takes what is left. On a narrow screen the clocks make room for
/// what was revealed.
fn columns(width: u16, several: bool, revealed: bool) -> Vec<Column> {
    let column = |head, width, cell| Column { head, width, right: false, cell };
    let right = |head, width, cell| Column { head, width, right: true, cell };
    let wide = width >= 140;
    // What a narrow screen has beyond 80 columns.
    let more = width.saturating_sub(80) / 4;
    // Where two tables of several PCs are called the same, the name ends with that of the PC.
    let table = match (wide, several) {
        (true, _) => 18,
        (false, true) => 14 + more.min(6),
        (false, false) => 10 + more.min(6),
    };
    let mut all = vec![column("watch-head-table", table, |row, _| row.who.clone())];
    if wide && several {
        all.push(column("watch-head-pc", 14, |row, _| row.pc.clone()));
    }
    if wide {
        let name = if width >= 160 { 26 } else { 18 };
        all.push(column("watch-head-white", name, |row, _| row.white.clone()));
        all.push(column("watch-head-black", name, |row, _| row.black.clone()));
    } else {
        let players = 31 + 2 * more - table;
        all.push(column("watch-head-players", players, |row, _| self::players(row)));
    }
    all.push(column("watch-head-last", if wide { 12 } else { 11 }, |row, _| row.last.clone()));
    if wide {
        all.push(column("watch-head-shows", 8, |row, _| row.shows.clone()));
        all.push(right("watch-head-number", 5, |row, _| {
            if row.number == 0 { String::new() } else { row.number.to_string() }
        }));
    }
    if revealed && !wide {
        return all;
    }
    all.push(right("watch-head-clock-white", 8, |row, _| time(row, Side::White)));
    all.push(right("watch-head-clock-black", 8, |row, _| time(row, Side::Black)));
    all
}

fn players(row: &Row) -> String {
    match (row.white.as_str(), row.black.as_str()) {
        ("", "") => String::new(),
        (white, black) => {
            // Both names begin within the column, however long the first is.
            let white: String = white.chars().take(8).collect();
            format!("{white}-{black}")
        }
    }
}

fn time(row: &Row, side: Side) -> String {
    let Some(times) = row.times else { return String::new() };
    let time = match side {
        Side::White => times.white,
        Side::Black => times.black,
    };
    words::time(time, times.running == Some(side))
}

pub(super) fn draw(model: &Model, area: Rect, pen: &mut Pen<'_>) {
    let (rows, all) = model.rows();
    title(model, area, rows.len(), all, pen);
    let notes = model.words.notes(&model.hall);
    let room = if area.height >= 40 { 8 } else { 4 };
    let mut y = area.y + 1;
    y += draw_notes(model, &notes, room, Rect { y, ..area }, pen);
    let hints = area.bottom() - 1;
    let table = Rect { y, height: hints.saturating_sub(y), ..area };
    if rows.is_empty() {
        let message = match (all, model.hall.is_known()) {
            (0, false) => "watch-empty-asked",
            (0, true) => "watch-empty",
            _ => "watch-empty-filtered",
        };
        pen.paragraph(table, &model.words.plain(message), Style::new());
    } else {
        let place = model.place(&rows);
        draw_table(model, &rows, Some(place), table, pen);
    }
    if model.typing {
        let text = format!("/{}_", model.filter);
        pen.text(area.x, hints, area.width, &text, Theme::head());
    } else {
        let text = model.words.plain("watch-hints-hall");
        pen.text(area.x, hints, area.width, &text, Theme::faint());
    }
}

fn title(model: &Model, area: Rect, shown: usize, all: usize, pen: &mut Pen<'_>) {
    let words = &model.words;
    let part = match (shown == all, all) {
        (true, 1) => "one",
        (true, _) => "all",
        (false, _) => "some",
    };
    let args = vec![
        ("boards", all.to_string()),
        ("pcs", model.hall.pcs.len().to_string()),
        ("shown", shown.to_string()),
        ("many", many(model.hall.pcs.len() != 1)),
        ("part", part.to_owned()),
    ];
    let left = words.say("watch-title", args);
    let used = pen.text(area.x, area.y, area.width, &left, Theme::head());
    let mut right = vec![words.say("watch-order", vec![("order", model.order.keyword().into())])];
    if model.only {
        right.push(words.plain("watch-only"));
    }
    if !model.filter.is_empty() {
        right.push(format!("/{}", model.filter));
    }
    if model.revealed() {
        let seconds = model.revealed_for().to_string();
        right.push(words.say("watch-revealed", vec![("seconds", seconds)]));
    }
    let right = right.join(" · ");
    let room = area.width.saturating_sub(used + 2);
    if width(&right) <= room {
        pen.right(area.x + used + 2, area.y, room, &right, Style::new());
    } else {
        pen.text(area.x + used + 2, area.y, room, &right, Style::new());
    }
}

/// Draws what fits; returns the lines used.
fn draw_notes(model: &Model, notes: &[String], room: u16, area: Rect, pen: &mut Pen<'_>) -> u16 {
    let mut used = 0;
    for (at, note) in notes.iter().enumerate() {
        let left = room - used;
        let more = notes.len() - at;
        if left == 0 || (left == 1 && more > 1) {
            let text = model.words.say("watch-more", vec![("count", more.to_string())]);
            pen.text(area.x, area.y + used.min(room - 1), area.width, &text, pen.theme.notice());
            return room;
        }
        // Each may take what the others leave: a line for each of them at least.
        let height = (left + 1).saturating_sub(u16::try_from(more).unwrap_or(left)).max(1);
        let place = Rect { y: area.y + used, height, ..area };
        if height == 1 {
            pen.text(place.x, place.y, place.width, note, pen.theme.notice());
            used += 1;
        } else {
            used += pen.paragraph(place, note, pen.theme.notice());
        }
    }
    used
}

/// The table with the row that is pointed at in sight.
fn draw_table(model: &Model, rows: &[Row], place: Option<usize>, area: Rect, pen: &mut Pen<'_>) {
    let columns = columns(area.width, model.hall.pcs.len() > 1, model.revealed());
    let mut x = area.x + 2;
    for column in &columns {
        let text = model.words.plain(column.head);
        if column.right {
            pen.right(x, area.y, column.width, &text, Theme::head());
        } else {
            pen.text(x, area.y, column.width, &text, Theme::head());
        }
        x += column.width + 1;
    }
    pen.text(
        x,
        area.y,
        area.right().saturating_sub(x),
        &model.words.plain("watch-head-state"),
        Theme::head(),
    );
    let room = usize::from(area.height.saturating_sub(1)).max(1);
    let first = first(place.unwrap_or_default(), rows.len(), room);
    let shown = rows.iter().enumerate().skip(first).take(room);
    for (y, (at, row)) in (area.y + 1..).zip(shown) {
        draw_row(model, row, &columns, Rect { y, height: 1, ..area }, pen);
        if Some(at) == place {
            pen.fill(Rect { y, height: 1, ..area }, Theme::chosen());
            pen.text(area.x, y, 1, ">", Theme::chosen());
        }
    }
}

/// The first row so that the chosen one stands in the middle where it can.
fn first(place: usize, count: usize, room: usize) -> usize {
    place.saturating_sub(room / 2).min(count.saturating_sub(room))
}

fn draw_row(model: &Model, row: &Row, columns: &[Column], area: Rect, pen: &mut Pen<'_>) {
    let revealed = model.revealed();
    let (mark, style) = match row.need(revealed) {
        Need::End => ("!", pen.theme.urgent()),
        Need::Look => ("!", pen.theme.notice()),
        Need::Lost => ("-", pen.theme.notice()),
        Need::Nothing if row.stand == Stand::NoGame => (" ", Theme::faint()),
        Need::Nothing => (" ", Style::new()),
    };
    pen.text(area.x + 1, area.y, 1, mark, style);
    let mut x = area.x + 2;
    for column in columns {
        let text = (column.cell)(row, &model.words);
        // What comes from a PC that is away is old.
        let own = if row.stand == Stand::Away { Theme::faint() } else { Style::new() };
        if column.right {
            pen.right(x, area.y, column.width, &text, own);
        } else {
            pen.text(x, area.y, column.width, &text, own);
        }
        x += column.width + 1;
    }
    let state = model.words.state(row, revealed);
    pen.text(x, area.y, area.right().saturating_sub(x), &state, style);
}

/// The hall as lines of text of so many columns, with nothing on them that only the arbiter may
/// know.
pub fn sheet(model: &Model, columns: u16) -> Vec<String> {
    let (rows, all) = model.rows();
    let notes = model.words.notes(&model.hall);
    let mut lines = Vec::new();
    let table = u16::try_from(rows.len()).unwrap_or(u16::MAX - 2).saturating_add(2);
    let area = Rect { x: 0, y: 0, width: columns, height: table };
    let mut buffer = Buffer::empty(area);
    let mut pen = Pen { buffer: &mut buffer, theme: Theme { colours: false } };
    title(model, area, rows.len(), all, &mut pen);
    if !rows.is_empty() {
        let below = Rect { y: 1, height: table - 1, ..area };
        draw_table(model, &rows, None, below, &mut pen);
    }
    for y in 0..table {
        let cells = (0..columns).filter_map(|x| buffer.cell((x, y)));
        let line: String = cells.map(ratatui::buffer::Cell::symbol).collect();
        lines.push(line.trim_end().to_owned());
        if y == 0 {
            // Nothing is cut where there is room for all.
            lines.extend(notes.iter().cloned());
        }
    }
    lines.retain(|line| !line.is_empty());
    if rows.is_empty() {
        lines.push(model.words.plain("watch-empty"));
    }
    lines
}
