//! What the screen shows and what its keys do. Pure: news, keys and times in; calls out.

use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::Value;

use super::{
    actions::{ACTIONS, Action, Does, Subject},
    call::{Answer, Arg, Call},
    form::{After, Form, Stage},
    hall::{CLOCK, GAME, Hall, Key},
    row::{self, Need, Order, Row},
    sheet::Sheet,
    words::Words,
};
use crate::{
    ctl::hosts::{Host, News},
    units::Stamp,
};

/// How long what only the arbiter may know stands on the screen.
pub const REVEALED: Duration = Duration::from_secs(10);
/// How often the clock of the board that is looked at is read.
const CLOCK_EVERY: Duration = Duration::from_secs(5);

/// After how long moves that have not come are asked for again.
const ASK_AGAIN: Duration = Duration::from_secs(12);

/// The time it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Now {
    /// Since the program began.
    pub stamp: Stamp,
    /// Time of day, microseconds since the epoch.
    pub wall: u64,
}

/// What comes in.
#[derive(Clone, Debug)]
pub enum Input {
    /// A PC tells something.
    News(usize, News),
    /// A key was pressed.
    Key(KeyEvent),
    /// The screen has this many columns and rows.
    Size(u16, u16),
    /// Text was pasted.
    Paste(String),
    /// Calls were answered.
    Answer(Purpose, Answer),
    /// A file was read for the form of this number; or why not, in a sentence.
    File(u64, Result<Vec<u8>, String>),
    /// Time passes.
    Tick,
}

/// What calls were made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The action of a form: the number of the form.
    Deed(u64),
    /// A pairing of a form: the number of the form, the place of the pairing.
    Pairing(u64, usize),
    /// The moves of a board's game: the board, the game, the half-move it was at.
    Moves(Key, String, u64),
    /// The clock of a board.
    Clock(Key),
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Calls to be made one after the other.
    Call(Purpose, Vec<Call>),
    /// A file is read for the form of this number.
    Read(u64, String),
    /// All of the screen is drawn anew: something else has written on it.
    Redraw,
    /// The terminal is given back for a while, as Ctrl-Z asks.
    Suspend,
    /// The screen is left.
    Quit,
}

/// What is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// All boards.
    Hall,
    /// One board.
    Board(Key),
}

/// What stands in front of it.
#[derive(Clone, Debug)]
pub enum Front {
    /// Nothing.
    Nothing,
    /// The keys.
    Help,
    /// The actions: the one that is pointed at.
    Menu(usize),
    /// An action being prepared, under a number.
    Form(u64, Box<Form>),
}

/// The moves of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    key: Key,
    game: String,
    ply: u64,
    /// When they were asked for; none once they have come.
    asked: Option<Stamp>,
    /// In SAN, as last read; none until they have been.
    pub san: Option<Vec<String>>,
}

/// The screen.
#[derive(Debug)]
pub struct Model {
    /// The hall.
    pub hall: Hall,
    /// The words.
    pub words: Words,
    /// What is looked at.
    pub view: View,
    /// What stands in front of it.
    pub front: Front,
    /// The order of the rows.
    pub order: Order,
    /// Only boards that need attention.
    pub only: bool,
    /// Only boards with this text.
    pub filter: String,
    /// The text is being typed.
    pub typing: bool,
    /// The row that is pointed at.
    pub selected: Option<Key>,
    /// The moves of the board that is looked at.
    pub moves: Option<Moves>,
    /// By how many half-moves the list of moves is scrolled back.
    pub scroll: usize,
    /// Black's side of the board is below.
    pub turned: bool,
    /// The time it was last told.
    pub now: Now,
    /// Columns and rows of the screen.
    pub size: (u16, u16),
    revealed_until: Option<Stamp>,
    wanted: Option<String>,
    forms: u64,
    clock_at: Stamp,
}

impl Model {
    /// A screen of these PCs; with `board`, that board is shown as soon as it is heard of.
    pub fn new(hosts: &[Host], words: Words, board: Option<String>) -> Model {
        Model {
            hall: Hall::new(hosts),
            words,
            view: View::Hall,
            front: Front::Nothing,
            order: Order::default(),
            only: false,
            filter: String::new(),
            typing: false,
            selected: None,
            moves: None,
            scroll: 0,
            turned: false,
            now: Now::default(),
            size: (80, 24),
            revealed_until: None,
            wanted: board,
            forms: 0,
            clock_at: Stamp::ZERO,
        }
    }

    /// Whether what only the arbiter may know is on the screen.
    pub fn revealed(&self) -> bool {
        self.revealed_until.is_some()
    }

    /// For how many more seconds it is.
    pub fn revealed_for(&self) -> u64 {
        let left = self.revealed_until.map(|until| until.since(self.now.stamp));
        left.map_or(0, |left| left.as_millis().div_ceil(1000).try_into().unwrap_or(0))
    }

    /// The rows that are shown, in their order; and how many there are in all.
    pub fn rows(&self) -> (Vec<Row>, usize) {
        let mut rows = row::rows(&self.hall, self.now.wall);
        let all = rows.len();
        let filter = self.filter.to_lowercase();
        rows.retain(|row| {
            (!self.only || row.need(self.revealed()) != Need::Nothing)
                && (filter.is_empty() || self.text(row).contains(&filter))
        });
        row::sort(&mut rows, self.order, self.revealed());
        (rows, all)
    }

    /// What a filter looks at: nothing that is not shown to everyone.
    fn text(&self, row: &Row) -> String {
        let stand = self.words.stand(row);
        [&row.who, &row.pc, &row.hall, &row.white, &row.black, &row.last, &stand]
            .map(|text| text.to_lowercase())
            .join("\n")
    }

    /// Takes something in; answers with what is to be done.
    pub fn step(&mut self, now: Now, input: Input) -> Vec<Effect> {
        self.now = now;
        if self.revealed_until.is_some_and(|until| until <= now.stamp) {
            self.revealed_until = None;
        }
        let mut effects = Vec::new();
        match input {
            Input::News(host, news) => self.hall.news(host, news, now.wall),
            Input::Key(key) => effects.extend(self.key(key)),
            Input::Paste(text) => self.paste(&text),
            Input::Size(columns, rows) => self.size = (columns, rows),
            Input::Answer(purpose, answer) => self.answered(purpose, answer),
            Input::File(number, bytes) => self.file(number, bytes),
            Input::Tick => {}
        }
        if let Some(key) = self.wanted.as_ref().and_then(|name| self.hall.named(name)) {
            self.wanted = None;
            self.look_at(key);
        }
        effects.extend(self.read());
        effects
    }

    fn answered(&mut self, purpose: Purpose, answer: Answer) {
        match purpose {
            Purpose::Deed(number) => {
                if let Front::Form(own, form) = &mut self.front
                    && *own == number
                {
                    let pc = self.hall.pcs.get(form.subject.key.host);
                    let pc = pc.map(|pc| pc.name.as_str()).unwrap_or_default();
                    form.answered(&answer, pc, &self.words);
                }
            }
            Purpose::Pairing(number, at) => {
                if let Front::Form(own, form) = &mut self.front
                    && *own == number
                    && let Stage::Pairings(sheet) = &mut form.stage
                {
                    sheet.answered(at, &answer, &self.words);
                }
            }
            Purpose::Moves(key, game, ply) => {
                let san = answer.ok().as_deref().map(moves);
                if let (Some(moves), Some(san)) = (&mut self.moves, san)
                    && (&moves.key, &moves.game, moves.ply) == (&key, &game, ply)
                {
                    moves.san = Some(san);
                    moves.asked = None;
                }
            }
            Purpose::Clock(key) => {
                let read = answer.ok().and_then(|values| values.into_iter().next());
                if let Some(Value::Object(values)) = read {
                    let values = values.into_iter().collect();
                    let news = News::Board(key.path, CLOCK.to_owned(), values);
                    self.hall.news(key.host, news, self.now.wall);
                }
            }
        }
    }

    /// A pairing file was read, or cannot be.
    fn file(&mut self, number: u64, bytes: Result<Vec<u8>, String>) {
        let Front::Form(own, form) = &mut self.front else { return };
        if *own == number {
            let round = form.round();
            let (hall, words) = (&self.hall, &self.words);
            form.read(bytes.and_then(|bytes| Sheet::new(&bytes, round, hall, words)));
        }
    }

    /// What is pasted is text: never a key that does something.
    fn paste(&mut self, text: &str) {
        let letters = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c });
        match &mut self.front {
            Front::Form(_, form) => letters.for_each(|letter| form.letter(letter)),
            Front::Nothing if self.typing => {
                letters.for_each(|letter| self.type_filter(KeyCode::Char(letter)));
            }
            _ => {}
        }
    }

    /// What must be read of the board that is looked at.
    fn read(&mut self) -> Vec<Effect> {
        let View::Board(key) = &self.view else {
            self.moves = None;
            return Vec::new();
        };
        let key = key.clone();
        let Some((_, board)) = self.hall.board(&key) else { return Vec::new() };
        let mut effects = Vec::new();
        let call = |interface, method, args| Call {
            host: key.host,
            secret: false,
            path: key.path.clone(),
            interface,
            method,
            args,
        };
        let game = board.object.text(GAME, "Id").to_owned();
        let ply = board.number(GAME, "Ply").unwrap_or_default();
        let known = self.moves.as_ref();
        let same_game = known.is_some_and(|moves| moves.key == key && moves.game == game);
        // A question that was lost on the way is asked again.
        let waits =
            |moves: &Moves| moves.asked.is_none_or(|asked| asked + ASK_AGAIN > self.now.stamp);
        let same = same_game && known.is_some_and(|moves| moves.ply == ply && waits(moves));
        if !board.object.has_game() {
            self.moves = None;
        } else if !same {
            // The old list stands until the new one has come, if it is of the same game.
            let san = self.moves.take().filter(|_| same_game).and_then(|moves| moves.san);
            let asked = Some(self.now.stamp);
            self.moves = Some(Moves { key: key.clone(), game: game.clone(), ply, asked, san });
            let args = vec![Arg::Number(1)];
            let purpose = Purpose::Moves(key.clone(), game, ply);
            effects.push(Effect::Call(purpose, vec![call(GAME, "GetMoves", args)]));
        }
        let running = matches!(board.object.text(CLOCK, "Running"), "white" | "black");
        if running && self.clock_at + CLOCK_EVERY <= self.now.stamp {
            self.clock_at = self.now.stamp;
            let args = vec![Arg::Text(CLOCK.to_owned())];
            let call = call("org.freedesktop.DBus.Properties", "GetAll", args);
            effects.push(Effect::Call(Purpose::Clock(key.clone()), vec![call]));
        }
        effects
    }

    fn look_at(&mut self, key: Key) {
        self.selected = Some(key.clone());
        self.view = View::Board(key);
        self.front = Front::Nothing;
        self.scroll = 0;
        self.moves = None;
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => vec![Effect::Quit],
                KeyCode::Char('l') => vec![Effect::Redraw],
                KeyCode::Char('z') => vec![Effect::Suspend],
                _ => Vec::new(),
            };
        }
        // With Alt a letter is another key, and it does nothing.
        if key.modifiers.contains(KeyModifiers::ALT) {
            return Vec::new();
        }
        match &mut self.front {
            Front::Help => {
                self.front = Front::Nothing;
                Vec::new()
            }
            Front::Menu(at) => {
                let at = *at;
                self.menu_key(at, key.code);
                Vec::new()
            }
            Front::Form(number, form) => {
                let number = *number;
                match form.key(key.code) {
                    After::Stay => Vec::new(),
                    After::Close => {
                        self.front = Front::Nothing;
                        Vec::new()
                    }
                    After::Send(calls) => vec![Effect::Call(Purpose::Deed(number), calls)],
                    After::Read(path) => vec![Effect::Read(number, path)],
                    After::Pair(calls) => calls
                        .into_iter()
                        .map(|(at, call)| Effect::Call(Purpose::Pairing(number, at), vec![call]))
                        .collect(),
                }
            }
            Front::Nothing if self.typing => {
                self.type_filter(key.code);
                Vec::new()
            }
            Front::Nothing => self.view_key(key.code).into_iter().collect(),
        }
    }

    fn type_filter(&mut self, key: KeyCode) {
        match key {
            KeyCode::Enter => self.typing = false,
            KeyCode::Esc => {
                self.typing = false;
                self.filter.clear();
            }
            KeyCode::Backspace => {
                self.filter.pop();
            }
            KeyCode::Char(letter) if !letter.is_control() => self.filter.push(letter),
            _ => {}
        }
    }

    fn view_key(&mut self, key: KeyCode) -> Option<Effect> {
        match key {
            KeyCode::Char('?') => self.front = Front::Help,
            KeyCode::Char(' ') => {
                self.revealed_until = match self.revealed_until {
                    Some(_) => None,
                    None => Some(self.now.stamp + REVEALED),
                };
            }
            key => match self.view.clone() {
                View::Hall => return self.hall_key(key),
                View::Board(of) => self.board_key(&of, key),
            },
        }
        None
    }

    fn hall_key(&mut self, key: KeyCode) -> Option<Effect> {
        let page = usize::from(self.size.1).saturating_sub(8).max(1);
        match key {
            KeyCode::Char('q') => return Some(Effect::Quit),
            KeyCode::Char('/') => self.typing = true,
            KeyCode::Char('a') => self.only = !self.only,
            KeyCode::Char('o') => self.order = self.order.next(),
            KeyCode::Esc => {
                self.filter.clear();
                self.only = false;
            }
            KeyCode::Char('g') => {
                let pairs = ACTIONS.iter().find(|action| matches!(action.does, Does::Pairs));
                if let Some(action) = pairs {
                    self.choose(action);
                }
            }
            KeyCode::Up | KeyCode::Char('k') => self.go(|at, _| at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.go(|at, _| at + 1),
            KeyCode::PageUp => self.go(|at, _| at.saturating_sub(page)),
            KeyCode::PageDown => self.go(|at, _| at + page),
            KeyCode::Home => self.go(|_, _| 0),
            KeyCode::End => self.go(|_, count| count),
            KeyCode::Enter => {
                let (rows, _) = self.rows();
                if let Some(row) = rows.get(self.place(&rows)) {
                    self.look_at(row.key.clone());
                }
            }
            _ => {}
        }
        None
    }

    fn board_key(&mut self, of: &Key, key: KeyCode) {
        match key {
            KeyCode::Esc | KeyCode::Char('q') => self.view = View::Hall,
            KeyCode::Enter | KeyCode::Char('a') => self.front = Front::Menu(0),
            KeyCode::Char('v') => self.turned = !self.turned,
            KeyCode::PageUp | KeyCode::Up => self.scroll += 2,
            KeyCode::PageDown | KeyCode::Down => self.scroll = self.scroll.saturating_sub(2),
            KeyCode::Left | KeyCode::Right => {
                let (rows, _) = self.rows();
                let Some(at) = rows.iter().position(|row| row.key == *of) else { return };
                let next = if key == KeyCode::Left { at.checked_sub(1) } else { Some(at + 1) };
                if let Some(row) = next.and_then(|next| rows.get(next)) {
                    self.look_at(row.key.clone());
                }
            }
            KeyCode::Char(letter) => {
                if let Some(action) = ACTIONS.iter().find(|action| action.key == letter) {
                    self.choose(action);
                }
            }
            _ => {}
        }
    }

    fn menu_key(&mut self, at: usize, key: KeyCode) {
        match key {
            KeyCode::Esc => self.front = Front::Nothing,
            KeyCode::Up => self.front = Front::Menu(at.saturating_sub(1)),
            KeyCode::Down => self.front = Front::Menu((at + 1).min(ACTIONS.len() - 1)),
            KeyCode::Enter => {
                if let Some(action) = ACTIONS.get(at) {
                    self.choose(action);
                }
            }
            KeyCode::Char(letter) => {
                if let Some(action) = ACTIONS.iter().find(|action| action.key == letter) {
                    self.choose(action);
                }
            }
            _ => {}
        }
    }

    fn choose(&mut self, action: &'static Action) {
        let subject = match (&self.view, action.does) {
            (_, Does::Pairs) => Subject::hall(&self.words),
            (View::Hall, _) => return,
            (View::Board(key), Does::Calls(_)) => {
                let Some((pc, board)) = self.hall.board(key) else { return };
                let row = row::row(key.clone(), pc, board, self.now.wall);
                let revealed = self.revealed();
                Subject::new(key.clone(), row.who, pc, board, revealed, &self.words)
            }
        };
        self.forms += 1;
        self.front = Front::Form(self.forms, Box::new(Form::new(action, subject)));
    }

    /// The place of the row that is pointed at; the first when it is not there any more.
    pub fn place(&self, rows: &[Row]) -> usize {
        let selected = self.selected.as_ref();
        rows.iter().position(|row| Some(&row.key) == selected).unwrap_or_default()
    }

    fn go(&mut self, to: impl FnOnce(usize, usize) -> usize) {
        let (rows, _) = self.rows();
        let at = to(self.place(&rows), rows.len()).min(rows.len().saturating_sub(1));
        self.selected = rows.get(at).map(|row| row.key.clone());
    }
}

/// The moves of the answer of `GetMoves`, in SAN.
fn moves(values: &[Value]) -> Vec<String> {
    let list = values.first().and_then(Value::as_array);
    let san = |m: &Value| m.get(1).and_then(Value::as_str).map(str::to_owned);
    list.into_iter().flatten().filter_map(san).collect()
}
