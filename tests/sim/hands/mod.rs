//! Hands: how a move, a touch or an accident is carried out, as timed acts upon men.
//!
//! In: legal moves and times to begin at. Out: acts for the [`super::table::Table`], presses for
//! the clock, and the moments that matter. Knows where every man stands once all planned acts are
//! over ([`Hands::at`]); plans ply after ply, but plies may overlap in time.

mod accidents;
pub mod gestures;
mod reset;

use std::collections::BTreeMap;

use shakmaty::{Color, Piece, Square};

use super::{
    chance::{Chance, Span},
    clock::{ClockAct, Side},
    profile::Profile,
    table::{Act, Man, Place},
};

/// Who stands where, by field.
pub type Grid = [Option<Man>; 64];

/// A press belongs to this ply of this game.
pub type Tag = Option<(usize, usize)>;

/// The planner of all hands above one board.
pub struct Hands {
    /// How people behave.
    pub profile: Profile,
    /// Their dice.
    pub chance: Chance,
    /// What has been planned so far, not in order.
    pub acts: Vec<(u64, Act)>,
    /// What happens to the clock, not in order.
    pub clock: Vec<(u64, ClockAct, Tag)>,
    /// All men of the set, spare ones included.
    pub set: Vec<Piece>,
    /// Who stands where after all planned acts.
    pub at: Grid,
    /// The board stands with its connector on White's right.
    pub rotated: bool,
    /// The clock stands the wrong way round.
    pub reversed: bool,
    /// From when each player's hand is free.
    pub free: [u64; 2],
    /// What occurred and how often in the present game.
    pub kinds: BTreeMap<&'static str, u32>,
    /// What of it happened when.
    pub story: Vec<(u64, &'static str)>,
    /// Badly placed men and when somebody puts them right.
    pub poor: Vec<(Man, u64)>,
    /// From when a man is out of the other person's hand, while setting up.
    freed: BTreeMap<Man, u64>,
    /// The acts of the gesture being planned.
    draft: Vec<(u64, Act)>,
}

impl Hands {
    /// Hands over an empty board with a full set beside it.
    pub fn new(profile: &Profile, seed: u64) -> Hands {
        let mut chance = Chance::new(seed, 1);
        let rotated = chance.of(profile.rotated);
        let reversed = profile.clock.attached && chance.of(profile.clock.reversed);
        Hands {
            profile: profile.clone(),
            chance,
            acts: Vec::new(),
            clock: Vec::new(),
            set: Vec::new(),
            at: [None; 64],
            rotated,
            reversed,
            free: [0; 2],
            kinds: BTreeMap::new(),
            story: Vec::new(),
            poor: Vec::new(),
            freed: BTreeMap::new(),
            draft: Vec::new(),
        }
    }

    /// The field of a square on this board.
    pub fn field(&self, square: Square) -> usize {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        let field = (7 - rank) * 8 + file;
        if self.rotated { 63 - field } else { field }
    }

    /// Notes that something occurred.
    pub fn note(&mut self, kind: &'static str) {
        *self.kinds.entry(kind).or_insert(0) += 1;
    }

    /// Notes that something occurred, and when.
    pub fn tell(&mut self, time: u64, kind: &'static str) {
        self.note(kind);
        self.story.push((time, kind));
    }

    /// The man on a square.
    pub fn man(&self, square: Square) -> Option<Man> {
        self.at[self.field(square)]
    }

    /// The side of the clock before a player.
    pub fn side(&self, color: Color) -> Side {
        if (color == Color::White) ^ self.rotated ^ self.reversed {
            Side::Left
        } else {
            Side::Right
        }
    }

    /// A player presses the clock.
    pub fn press(&mut self, time: u64, color: Color, tag: Tag) {
        if self.profile.clock.attached {
            let side = self.side(color);
            self.clock.push((time, ClockAct::Press(side), tag));
        }
    }

    /// A man of this kind from beside the board, a spare one if there is none.
    pub fn fetch(&mut self, piece: Piece) -> Man {
        let free =
            (0..self.set.len()).find(|m| self.set[*m] == piece && self.where_is(*m).is_none());
        free.unwrap_or_else(|| {
            self.set.push(piece);
            self.set.len() - 1
        })
    }

    /// The field a man stands on.
    pub fn where_is(&self, man: Man) -> Option<usize> {
        self.at.iter().position(|m| *m == Some(man))
    }

    /// Fields of the men of one colour, or of all.
    pub fn fields_of(&self, color: Option<Color>) -> Vec<usize> {
        (0..64)
            .filter(|f| {
                self.at[*f].is_some_and(|m| color.is_none_or(|color| self.set[m].color == color))
            })
            .collect()
    }

    /// Where exactly a man comes to stand on a field; remembers a bad place.
    fn spot(&mut self, man: Man, field: usize, time: u64) -> Place {
        let centre = Place::centre(field);
        self.poor.retain(|(other, _)| *other != man);
        let placing = self.profile.hands.placing;
        let mut offset = || {
            let sum = self.chance.real(-1.0, 1.0) + self.chance.real(-1.0, 1.0);
            (sum * placing).clamp(-0.38, 0.38)
        };
        let (mut dx, mut dy) = (offset(), offset());
        if self.chance.of(self.profile.hands.poor) {
            let far = self.chance.real(0.41, 0.45) * if self.chance.of(0.5) { 1.0 } else { -1.0 };
            if self.chance.of(0.5) {
                dx = far;
            } else {
                dy = far;
            }
            let due = time + self.chance.span(Span(2.0, 20.0));
            self.poor.push((man, due));
            self.note("poorly_placed");
        }
        Place(centre.0 + dx, centre.1 + dy)
    }

    /// Takes over what has been drafted.
    fn commit(&mut self) {
        self.acts.append(&mut self.draft);
    }

    fn lift(&mut self, time: u64, man: Man) {
        self.draft.push((time, Act::Lift(man)));
    }

    fn put(&mut self, time: u64, man: Man, field: usize) {
        let place = self.spot(man, field, time);
        self.draft.push((time, Act::Put(man, place)));
    }

    fn between(&mut self) -> u64 {
        self.chance.span(self.profile.hands.between)
    }

    fn travel(&mut self) -> u64 {
        self.chance.span(self.profile.hands.travel)
    }
}
