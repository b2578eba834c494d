//! The surface of the board and the men on it, at any moment, in the middle of a move as well.
//!
//! In: timed acts of hands. Out: what the coil under a square senses at a moment. Positions are in
//! squares as the board numbers them (column and row of the field number), so a man stands at
//! `(4.1, 5.9)` when it is a little off the centre of field 52.
//!
//! A man is sensed surely within [`FIRM`] of the centre of a square, not at all beyond [`EDGE`],
//! and now and then in between: so a man on a border shows on both squares, on one or on none, and
//! a badly centred one flashes (`protocol.md` 9.29).

use std::collections::VecDeque;

use shakmaty::{Color, Piece, Role};

use super::chance::Chance;

/// Distance from the centre of a square up to which a man is always sensed.
pub const FIRM: f64 = 0.40;
/// Distance from which it never is. More than half: neighbouring coils overlap.
pub const EDGE: f64 = 0.55;

/// A place on the surface, in squares: column and row of the board's own numbering.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place(pub f64, pub f64);

impl Place {
    /// The centre of a field (0 to 63).
    pub fn centre(field: usize) -> Place {
        Place((field % 8) as f64, (field / 8) as f64)
    }

    /// How far it is from the centre of a field: the larger of the two offsets, squares.
    fn off(self, field: usize) -> f64 {
        let centre = Place::centre(field);
        (self.0 - centre.0).abs().max((self.1 - centre.1).abs())
    }
}

/// A man of the set, by number.
pub type Man = usize;

/// What a hand does to a man.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Act {
    /// Lifted out of reach of the coils.
    Lift(Man),
    /// Put down, or moved at once to another place.
    Put(Man, Place),
    /// Pushed along the surface to a place, arriving after so many nanoseconds.
    Slide(Man, Place, u64),
    /// Fallen on its side where it stands: no coil senses it.
    Topple(Man),
}

#[derive(Clone, Copy, Debug)]
enum State {
    Away,
    Fallen,
    Still(Place),
    Sliding { from: Place, to: Place, start: u64, end: u64 },
}

/// All men and what is going to happen to them.
pub struct Table {
    men: Vec<(Piece, State)>,
    coming: VecDeque<(u64, Act)>,
    /// What a still set shows; [`SHAKY`] where it must be sensed anew each time.
    calm: [u8; 64],
    sliding: usize,
}

/// Marks a field whose reading is not settled.
const SHAKY: u8 = 0xff;

impl Table {
    /// A table with the set of men beside it and what hands will do, in order of time.
    pub fn new(set: &[Piece], coming: VecDeque<(u64, Act)>) -> Table {
        let men = set.iter().map(|piece| (*piece, State::Away)).collect();
        Table { men, coming, calm: [0; 64], sliding: 0 }
    }

    /// Does what hands do up to a moment.
    pub fn advance(&mut self, now: u64) {
        let mut changed = false;
        while let Some((time, act)) = self.coming.front().copied() {
            if time > now {
                break;
            }
            self.coming.pop_front();
            self.act(time, act);
            changed = true;
        }
        if self.sliding > 0 {
            for (_, state) in &mut self.men {
                if let State::Sliding { to, end, .. } = *state
                    && end <= now
                {
                    *state = State::Still(to);
                    changed = true;
                }
            }
        }
        if changed {
            self.settle();
        }
    }

    fn act(&mut self, time: u64, act: Act) {
        match act {
            Act::Lift(man) => self.men[man].1 = State::Away,
            Act::Put(man, place) => self.men[man].1 = State::Still(place),
            Act::Topple(man) => self.men[man].1 = State::Fallen,
            Act::Slide(man, to, lasts) => {
                let from = self.men[man].1.place(time).unwrap_or(to);
                self.men[man].1 =
                    State::Sliding { from, to, start: time, end: time + lasts.max(1) };
            }
        }
    }

    fn settle(&mut self) {
        self.calm = [0; 64];
        self.sliding = 0;
        for (piece, state) in &self.men {
            match state {
                State::Sliding { .. } => self.sliding += 1,
                State::Still(place) => {
                    for field in fields_near(*place) {
                        let off = place.off(field);
                        if off >= EDGE {
                            continue;
                        }
                        let calm = &mut self.calm[field];
                        *calm = if off > FIRM || *calm != 0 { SHAKY } else { code(*piece) };
                    }
                }
                _ => {}
            }
        }
    }

    /// True when nothing moves, nothing flashes and nothing happens before `until`.
    pub fn calm_until(&self, until: u64) -> bool {
        self.sliding == 0
            && self.coming.front().is_none_or(|(time, _)| *time > until)
            && !self.calm.contains(&SHAKY)
    }

    /// What the coil of a field senses at a moment: a piece code of the protocol.
    pub fn sense(&self, field: usize, now: u64, chance: &mut Chance) -> u8 {
        if self.sliding == 0 && self.calm[field] != SHAKY {
            return self.calm[field];
        }
        let mut best: Option<(f64, u8)> = None;
        for (piece, state) in &self.men {
            let Some(place) = state.place(now) else { continue };
            let off = place.off(field);
            if off >= EDGE || (off > FIRM && !chance.of((EDGE - off) / (EDGE - FIRM))) {
                continue;
            }
            // Two men within reach of one coil: the nearer one answers louder; when both stand
            // equally near, either may be read.
            let closer = match best {
                None => true,
                Some((other, _)) if (other - off).abs() < 0.1 => chance.of(0.5),
                Some((other, _)) => off < other,
            };
            if closer {
                best = Some((off, code(*piece)));
            }
        }
        best.map_or(0, |(_, code)| code)
    }

    /// When the last act is over.
    pub fn last(&self) -> Option<u64> {
        self.coming.back().map(|(time, _)| *time)
    }
}

impl State {
    fn place(self, now: u64) -> Option<Place> {
        match self {
            State::Away | State::Fallen => None,
            State::Still(place) => Some(place),
            State::Sliding { from, to, start, end } => {
                let part = now.saturating_sub(start).min(end - start) as f64 / (end - start) as f64;
                Some(Place(from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part))
            }
        }
    }
}

fn fields_near(place: Place) -> impl Iterator<Item = usize> {
    let (column, row) = (place.0.round() as i32, place.1.round() as i32);
    (row - 1..=row + 1)
        .flat_map(move |r| (column - 1..=column + 1).map(move |c| (r, c)))
        .filter(|(r, c)| (0..8).contains(r) && (0..8).contains(c))
        .map(|(r, c)| (r * 8 + c) as usize)
}

/// The protocol's code of a man (`protocol.md` 3.4).
pub fn code(piece: Piece) -> u8 {
    let role = match piece.role {
        Role::Pawn => 1,
        Role::Rook => 2,
        Role::Knight => 3,
        Role::Bishop => 4,
        Role::King => 5,
        Role::Queen => 6,
    };
    if piece.color == Color::White { role } else { role + 6 }
}

/// The man of a code, when it is one of the twelve.
pub fn man_of(code: u8) -> Option<Piece> {
    let color = if code <= 6 { Color::White } else { Color::Black };
    let role = match code {
        1 | 7 => Role::Pawn,
        2 | 8 => Role::Rook,
        3 | 9 => Role::Knight,
        4 | 10 => Role::Bishop,
        5 | 11 => Role::King,
        6 | 12 => Role::Queen,
        _ => return None,
    };
    Some(Piece { color, role })
}
