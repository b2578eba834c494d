//! The board's scan: squares sampled one after another, changes since the last scan reported.
//!
//! In: the table at every moment. Out: field updates `(moment, field, code)` and the array a dump
//! is made of. Misreadings of single squares for a scan or two happen here.

use super::{MS, chance::Chance, profile::Sensors, table::Table};

/// In which order the changes of one scan are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each as soon as its row has been sampled.
    AsFound,
    /// After the whole scan, placed men before emptied squares (the header warns of it).
    PlacesFirst,
}

/// One change the board reports.
pub type Change = (u64, u8, u8);

/// The scanner of one board.
pub struct Scanner {
    /// What the last scan found.
    pub seen: [u8; 64],
    sensors: Sensors,
    order: Order,
    period: u64,
    /// When the row being sampled began.
    row_start: u64,
    row: usize,
    held: Vec<Change>,
    misread: Vec<(usize, u8, u64)>,
    next_misread: u64,
    chance: Chance,
    next_row_lost: u64,
    lost_rows: u32,
    row_lost: bool,
    /// How many misreadings there were.
    pub misreadings: u32,
}

impl Scanner {
    /// A scanner whose first scan begins at `start`.
    pub fn new(sensors: &Sensors, start: u64, mut chance: Chance) -> Scanner {
        let order = if chance.of(0.6) { Order::AsFound } else { Order::PlacesFirst };
        // A change waits for its square and, where all is told at the end, for the rest of the
        // scan: only a quick board can do that and keep the header's 200 ms.
        let most = if order == Order::AsFound { u64::MAX } else { 125 * MS };
        let period = chance.flat(sensors.scan).min(most);
        let next_misread = start + chance.wait(sensors.misread_per_minute);
        let next_row_lost = start + chance.wait(sensors.row_lost_per_minute);
        Scanner {
            seen: [0; 64],
            sensors: sensors.clone(),
            order,
            period,
            row_start: start,
            row: 0,
            held: Vec::new(),
            misread: Vec::new(),
            next_misread,
            next_row_lost,
            lost_rows: 0,
            row_lost: false,
            chance,
            misreadings: 0,
        }
    }

    /// Powered up at `now`: reads the whole board at once and reports nothing (`protocol.md` 3.5).
    pub fn power_up(&mut self, table: &mut Table, now: u64) {
        table.advance(now);
        for field in 0..64 {
            self.seen[field] = table.sense(field, now, &mut self.chance);
        }
        self.held.clear();
        self.row_start = now;
        self.row = 0;
    }

    /// When the row being sampled is finished.
    pub fn next(&self) -> u64 {
        self.row_start + self.period / 8
    }

    /// How often a whole row was lost.
    pub fn rows_lost(&self) -> u32 {
        self.lost_rows
    }

    /// The length of a whole scan, nanoseconds.
    pub fn period(&self) -> u64 {
        self.period
    }

    /// Finishes the row being sampled; `out` takes the changes reported now.
    pub fn step(&mut self, table: &mut Table, out: &mut Vec<Change>) {
        let (start, end) = (self.row_start, self.next());
        self.row_lost = start >= self.next_row_lost;
        if self.row_lost {
            self.next_row_lost = start + self.chance.wait(self.sensors.row_lost_per_minute);
            self.lost_rows += 1;
        }
        for column in 0..8 {
            let moment = start + (end - start) * column as u64 / 8;
            table.advance(moment);
            self.sample(table, self.row * 8 + column, moment, end);
        }
        self.row = (self.row + 1) % 8;
        self.row_start = end;
        if self.order == Order::AsFound {
            out.append(&mut self.held);
        } else if self.row == 0 {
            self.held.sort_by_key(|(_, _, code)| *code == 0);
            out.extend(self.held.drain(..).map(|(_, field, code)| (end, field, code)));
        }
    }

    fn sample(&mut self, table: &Table, field: usize, moment: u64, end: u64) {
        let mut code = table.sense(field, moment, &mut self.chance);
        if moment >= self.next_misread {
            self.begin_misread(moment);
        }
        if !self.misread.is_empty() {
            self.misread.retain(|(_, _, until)| *until > moment);
            if let Some((_, wrong, _)) = self.misread.iter().find(|(at, _, _)| *at == field) {
                code = *wrong;
            }
        }
        if self.row_lost {
            code = 0;
        }
        if code == self.seen[field] {
            return;
        }
        // A man just arriving is sometimes read as another for one scan (`protocol.md` 3.4).
        if code != 0 && self.seen[field] == 0 && self.chance.of(self.sensors.wrong_on_arrival) {
            code = self.wrong_code(code);
            self.misreadings += 1;
        }
        self.seen[field] = code;
        self.held.push((end, field as u8, code));
    }

    fn begin_misread(&mut self, moment: u64) {
        self.next_misread = moment + self.chance.wait(self.sensors.misread_per_minute);
        self.misreadings += 1;
        let occupied: Vec<usize> = (0..64).filter(|f| self.seen[*f] != 0).collect();
        // A ghost on an empty square is rarer than a man not read or read wrong.
        let ghost = occupied.is_empty() || self.chance.of(0.15);
        let field = if ghost { self.chance.below(64) } else { self.chance.pick(&occupied) };
        let true_code = self.seen[field];
        let wrong =
            if true_code != 0 && self.chance.of(0.6) { 0 } else { self.wrong_code(true_code) };
        let scans = if self.chance.of(0.8) { 1 } else { 2 };
        self.misread.push((field, wrong, moment + scans * self.period + MS));
    }

    fn wrong_code(&mut self, right: u8) -> u8 {
        match self.chance.weighted(&[0.6, 0.3, 0.1]) {
            0 => loop {
                let other = 1 + self.chance.below(12) as u8;
                if other != right {
                    return other;
                }
            },
            1 => 0x0d + self.chance.below(3) as u8,
            _ => 0x10 + self.chance.below(0x70) as u8,
        }
    }
}
