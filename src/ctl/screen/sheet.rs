//! The pairings of a round: read, shown, confirmed, set, and what came of each.

use super::{
    call::{Answer, Arg, Call, Failure},
    hall::{BOARD, Hall, Line},
    words::Words,
};
use crate::ctl::pair::{self, Outcome, Plan, Table};

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Nothing was set yet.
    Shown,
    /// So many answers are on their way.
    Sent(usize),
    /// All were answered.
    Done,
}

/// The pairings of a round over the boards of the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The pairings.
    pub plan: Plan,
    /// How far it has come.
    pub way: Way,
    /// So many lines are scrolled past.
    pub scroll: usize,
}

impl Sheet {
    /// Lays the pairings of a file over the hall; or says what is wrong.
    pub fn new(
        bytes: &[u8],
        round: Option<u32>,
        hall: &Hall,
        words: &Words,
    ) -> Result<Sheet, String> {
        let round = pair::read(bytes, round).map_err(|fault| fault.say(&words.0))?;
        let mut tables = Vec::new();
        for (host, pc) in hall.pcs.iter().enumerate().filter(|(_, pc)| pc.line == Line::Up) {
            let own = pc.boards.values().filter(|board| board.object.object.contains_key(BOARD));
            tables.extend(own.filter_map(|board| Table::of(host, &pc.name, &board.object)));
        }
        let all_heard = hall.pcs.iter().all(|pc| pc.line == Line::Up);
        let plan = Plan::new(&round, &tables, all_heard).map_err(|clash| clash.say(&words.0))?;
        Ok(Sheet { plan, way: Way::Shown, scroll: 0 })
    }

    /// The calls that set what is to be set, each with the place of its pairing.
    pub fn send(&mut self) -> Vec<(usize, Call)> {
        let calls = self.plan.to_set().map(|(at, row, table)| {
            let args = vec![Arg::Texts(row.tags.clone()), Arg::Options(Vec::new())];
            let call = Call {
                host: table.host,
                secret: false,
                path: table.path.clone(),
                interface: BOARD,
                method: "SetPairing",
                args,
            };
            (at, call)
        });
        let calls: Vec<_> = calls.collect();
        self.way = if calls.is_empty() { Way::Done } else { Way::Sent(calls.len()) };
        calls
    }

    /// The answer for one of them.
    pub fn answered(&mut self, at: usize, answer: &Answer, words: &Words) {
        let Some(row) = self.plan.rows.get_mut(at) else { return };
        let pc = row.table.as_ref().map(|table| table.pc.clone()).unwrap_or_default();
        row.outcome = match answer {
            Ok(values) => Outcome::Set(values.first().is_some_and(|value| *value == true)),
            Err(Failure::Silent) => Outcome::Silent,
            Err(failure) => Outcome::Refused(words.failure(failure, &pc)),
        };
        if let Way::Sent(waiting) = self.way {
            self.way = if waiting <= 1 { Way::Done } else { Way::Sent(waiting - 1) };
        }
    }

    /// The pairings in lines.
    pub fn lines(&self, words: &Words) -> Vec<String> {
        self.plan.rows.iter().map(|row| row.say(&words.0)).collect()
    }
}
