//! One board: its position, its moves, what is open, and what only the arbiter may know.

use ratatui::{
    layout::Rect,
    style::{Color, Modifier, Style},
};
use serde_json::Value;
use shakmaty::{File, Rank, Square, fen::Fen};

use super::{Pen, Theme, width};
use crate::{
    arbiter::event::Side,
    ctl::screen::{
        hall::{BOARD, Board, GAME, Key, Pc},
        model::Model,
        row::{self, Row},
        words,
    },
};

/// Columns of a full move in the list of moves.
const FULL_MOVE: u16 = 20;

pub(super) fn draw(model: &Model, key: &Key, area: Rect, pen: &mut Pen<'_>) {
    let words = &model.words;
    let hints = area.bottom() - 1;
    pen.text(area.x, hints, area.width, &words.plain("watch-hints-board"), Theme::faint());
    let Some((pc, board)) = model.hall.board(key) else {
        pen.paragraph(area, &words.plain("watch-board-gone"), Style::new());
        return;
    };
    let row = row::row(key.clone(), pc, board, model.now.wall);
    heads(model, pc, board, &row, area, pen);
    let cell = cell_size(area);
    let wide = 3 + cell.0 * 8;
    let high = cell.1 * 8 + 1;
    let top = area.y + 4;
    let position = board.object.text(GAME, "Fen").split(' ').next().unwrap_or_default();
    let seen = board.object.text(BOARD, "Placement");
    let shown = if board.object.has_game() { position } else { seen };
    let at = Rect { x: area.x + 1, y: top, width: wide, height: high };
    position_at(shown, model.turned, cell, at, pen);
    let mut x = at.right() + 2;
    let disagrees = board.object.get(BOARD, "Agrees") == Some(&Value::Bool(false))
        && board.object.has_game()
        && !seen.is_empty();
    if model.revealed() && disagrees && x + wide < area.right() {
        let at = Rect { x, y: top, width: wide, height: high };
        position_at(seen, model.turned, cell, at, pen);
        pen.text(at.x + 3, top - 1, at.width - 3, &words.plain("watch-sensors"), Theme::head());
        x = at.right() + 2;
    }
    let list = Rect { x, y: top, width: area.right().saturating_sub(x), height: high };
    moves(model, board, list, pen);
    let y = at.bottom();
    facts(model, pc, board, &row, Rect { y, height: hints.saturating_sub(y), ..area }, pen);
}

/// Columns and lines of a square.
fn cell_size(area: Rect) -> (u16, u16) {
    if area.width >= 120 && area.height >= 44 {
        (6, 3)
    } else if area.width >= 100 && area.height >= 34 {
        (4, 2)
    } else {
        (2, 1)
    }
}

/// The three lines above: who, the players with their times, how the game stands.
fn heads(model: &Model, pc: &Pc, board: &Board, row: &Row, area: Rect, pen: &mut Pen<'_>) {
    let words = &model.words;
    let title = format!("{} · {} · {}", row.who, pc.name, words.stand(row));
    let used = pen.text(area.x, area.y, area.width, &title, Theme::head());
    if model.revealed() {
        let args = vec![("seconds", model.revealed_for().to_string())];
        let text = words.say("watch-revealed", args);
        let room = area.width.saturating_sub(used + 2);
        pen.right(area.x + used + 2, area.y, room, &text, pen.theme.notice());
    }
    let half = area.width / 2;
    for (side, name, x) in
        [(Side::White, &row.white, area.x), (Side::Black, &row.black, area.x + half)]
    {
        let message = match side {
            Side::White => "watch-white",
            Side::Black => "watch-black",
        };
        let time = row.times.map(|times| {
            let time = if side == Side::White { times.white } else { times.black };
            words::time(time, times.running == Some(side))
        });
        let time = time.map(|time| format!(" {time}")).unwrap_or_default();
        let name = if name.is_empty() { "?" } else { name };
        let text = words.say(message, vec![("name", name.to_owned())]);
        let room = half.saturating_sub(width(&time) + 1);
        let used = pen.text(x, area.y + 1, room, &text, Style::new());
        pen.text(x + used, area.y + 1, width(&time), &time, Theme::head());
    }
    if board.object.has_game() {
        let text = |property| board.object.text(GAME, property).to_owned();
        let or_none = |text: String| if text.is_empty() { "none".to_owned() } else { text };
        let ply = board.number(GAME, "Ply").unwrap_or_default();
        let turn = match (text("State").as_str(), text("Result").as_str()) {
            ("over", "" | "*") => "closed".to_owned(),
            ("over", _) => "over".to_owned(),
            _ => text("Turn"),
        };
        let args = vec![
            ("last", or_none(row.last.clone())),
            ("shows", or_none(text("Provisional"))),
            ("turn", turn),
            ("ply", ply.to_string()),
            ("edition", text("Edition")),
        ];
        let line = words.say("watch-game-line", args);
        pen.text(area.x, area.y + 2, area.width, &line, Style::new());
    }
}

/// A position with the names of ranks and files.
fn position_at(placement: &str, turned: bool, cell: (u16, u16), at: Rect, pen: &mut Pen<'_>) {
    let Ok(fen) = Fen::from_ascii(placement.as_bytes()) else { return };
    let board = &fen.as_setup().board;
    let mut ranks = Rank::ALL;
    let mut files = File::ALL;
    if turned {
        files.reverse();
    } else {
        ranks.reverse();
    }
    let (wide, high) = cell;
    let faint = Theme::faint();
    for (row, rank) in (0_u16..).zip(ranks) {
        let y = at.y + row * high;
        pen.text(at.x, y + high / 2, 1, &rank.char().to_string(), faint);
        for (column, file) in (0_u16..).zip(files) {
            let square = Square::from_coords(file, rank);
            let piece = board.piece_at(square);
            let mut style = Style::new();
            if piece.is_some_and(|piece| piece.color.is_white()) {
                style = style.add_modifier(Modifier::BOLD);
            }
            if pen.theme.colours {
                let back = if square.is_light() { 180 } else { 137 };
                let front = if piece.is_some_and(|p| p.color.is_white()) { 231 } else { 16 };
                style = style.bg(Color::Indexed(back)).fg(Color::Indexed(front));
            }
            let x = at.x + 2 + column * wide;
            pen.fill(Rect { x, y, width: wide, height: high }, style);
            let empty = if square.is_light() { '.' } else { ':' };
            let letter = match piece {
                Some(piece) => piece.char(),
                None if pen.theme.colours => ' ',
                None => empty,
            };
            let middle = x + (wide - 1) / 2;
            pen.text(middle, y + high / 2, 1, &letter.to_string(), style);
        }
    }
    for (column, file) in (0_u16..).zip(files) {
        let x = at.x + 2 + column * wide + (wide - 1) / 2;
        pen.text(x, at.y + high * 8, 1, &file.char().to_string(), faint);
    }
}

/// The moves, the last ones in sight; in columns from the top.
fn moves(model: &Model, board: &Board, area: Rect, pen: &mut Pen<'_>) {
    let Some(moves) = &model.moves else { return };
    let Some(san) = &moves.san else {
        let text = model.words.plain("watch-moves-asked");
        pen.text(area.x, area.y, area.width, &text, Theme::faint());
        return;
    };
    let fen = board.object.text(GAME, "StartFen");
    let mut fields = fen.split(' ');
    let black_begins = fields.nth(1) == Some("b");
    let begin: usize = fields.nth(3).and_then(|n| n.parse().ok()).unwrap_or(1);
    // Half-moves by full move; a game that Black begins has a gap before its first.
    let gap = usize::from(black_begins);
    let full = |number: usize| -> String {
        let half = |at: usize| at.checked_sub(gap).and_then(|at| san.get(at)).map(String::as_str);
        let white = half(number * 2).unwrap_or("…");
        format!("{}. {white} {}", begin + number, half(number * 2 + 1).unwrap_or_default())
    };
    let count = (san.len() + gap).div_ceil(2);
    let high = usize::from(area.height);
    let columns = usize::from(area.width / FULL_MOVE).max(1);
    let room = high * columns;
    let back = (model.scroll / 2).min(count.saturating_sub(room));
    let first = count.saturating_sub(room + back);
    for (at, number) in (first..count).take(room).enumerate() {
        let (column, line) = (at / high, at % high);
        let x = area.x + u16::try_from(column).unwrap_or_default() * FULL_MOVE;
        let y = area.y + u16::try_from(line).unwrap_or_default();
        pen.text(x, y, FULL_MOVE - 1, &full(number), Style::new());
    }
}

/// What is open, and when it is revealed what only the arbiter may know.
fn facts(model: &Model, pc: &Pc, board: &Board, row: &Row, area: Rect, pen: &mut Pen<'_>) {
    let words = &model.words;
    let mut lines: Vec<(String, Style)> = Vec::new();
    let error = board.object.text(BOARD, "Error");
    if !error.is_empty() {
        lines.push((error.to_owned(), pen.theme.urgent()));
    }
    if model.revealed() {
        if !pc.rights {
            let args = vec![("pcs", pc.name.clone())];
            lines.push((words.say("watch-note-rights", args), pen.theme.notice()));
        } else if board.object.has_game() {
            lines.push((counters(model, board), Style::new()));
            let secrets = if row.secrets.is_empty() {
                words.plain("watch-no-secrets")
            } else {
                words.secrets(row)
            };
            lines.push((secrets, Theme::head()));
        }
    }
    let open: Vec<_> = pc.alerts_of(&row.key.path).collect();
    for open in open.iter().filter(|open| open.public || model.revealed()) {
        let style = if open.is_end() { pen.theme.urgent() } else { pen.theme.notice() };
        let args = vec![("text", words.alert(open))];
        lines.push((words.say("watch-open", args), style));
    }
    let hidden = open.iter().filter(|open| open.is_hidden_notice()).count();
    if hidden > 0 && !model.revealed() {
        lines.push((words.hidden(hidden), pen.theme.notice()));
    }
    let mut y = area.y;
    for (text, style) in lines {
        if y >= area.bottom() {
            break;
        }
        y += pen.paragraph(Rect { y, height: area.bottom() - y, ..area }, &text, style);
    }
}

fn counters(model: &Model, board: &Board) -> String {
    let number =
        |key: &str| board.object.arbiter_only.get(key).and_then(Value::as_u64).unwrap_or_default();
    let exact = board.object.arbiter_only.get("Exact") == Some(&Value::Bool(true));
    model.words.counters(number("HalfmoveClock"), number("Repetitions"), exact)
}
