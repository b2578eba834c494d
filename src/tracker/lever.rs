//! The clock's lever, as colours: who has just pressed?

use shakmaty::Color;

use crate::{
    units::{Millis, Stamp},
    wire::{ClockReading, ClockSide, Orientation},
};

/// What the clock shows, and which of its sides is White's.
#[derive(Clone, Debug)]
pub struct Lever {
    white: ClockSide,
    reading: Option<(ClockReading, Stamp)>,
    turned: Stamp,
    halted: Option<Stamp>,
    /// Whether it has run since the game began.
    ran: bool,
    agreed: u32,
    against: u8,
    /// The last turns of the lever, newest first: when, and whose turn it became.
    flips: [Option<(Stamp, Color)>; FLIPS],
}

/// No press gives more time than this; more is given by hand.
const MOST_GAINED: Millis = Millis(60_000);

/// So many turns of the lever are remembered.
const FLIPS: usize = 8;

/// After so many presses that agreed with a move the sides of the clock are known.
const SURE: u32 = 3;

/// Both players' times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// White's.
    pub white: Millis,
    /// Black's.
    pub black: Millis,
}

impl Lever {
    /// No clock seen yet; its place is assumed from the board's orientation.
    pub fn new(orientation: Orientation) -> Lever {
        Lever {
            white: usual_side(orientation),
            reading: None,
            turned: Stamp::ZERO,
            halted: None,
            ran: true,
            agreed: 0,
            against: 0,
            flips: [None; FLIPS],
        }
    }

    /// The board turned out to stand this way round.
    pub fn set_orientation(&mut self, orientation: Orientation) {
        self.white = usual_side(orientation);
        self.agreed = 0;
        self.against = 0;
        self.flips = [None; FLIPS];
    }

    /// This side is White's, as was found out before.
    pub fn assume_white(&mut self, side: ClockSide) {
        self.white = side;
    }

    /// Somebody says that this side is White's: presses that seem to say otherwise do not change it
    /// soon.
    pub fn told_white(&mut self, side: ClockSide) {
        self.white = side;
        (self.agreed, self.against) = (SURE, 0);
        self.flips = [None; FLIPS];
    }

    /// Takes a reading; the colour whose turn it became, if the lever was moved.
    pub fn read(&mut self, reading: ClockReading, now: Stamp) -> Option<Color> {
        if reading.running {
            (self.halted, self.ran) = (None, true);
        } else if self.ran {
            self.halted.get_or_insert(now);
        }
        let before = self.reading.replace((reading, now)).map(|(before, _)| before);
        let Some(before) = before else {
            self.turned = now;
            return None;
        };
        let turn = self.color(reading.turn);
        let moved = before.turn != reading.turn;
        if moved {
            self.turned = now;
            self.flipped(now, turn);
        }
        // It was moved to and fro since the last reading.
        if before.running && reading.running && gained(before, reading) {
            self.flipped(now, !turn);
            self.flipped(now, turn);
        }
        moved.then_some(turn)
    }

    /// A game begins: a clock that stands still has not been started for it yet.
    pub fn begin(&mut self) {
        if !self.running() {
            (self.halted, self.ran) = (None, false);
        }
    }

    fn flipped(&mut self, now: Stamp, turn: Color) {
        self.flips.rotate_right(1);
        self.flips[0] = Some((now, turn));
    }

    /// The clock is gone.
    pub fn absent(&mut self) {
        self.reading = None;
    }

    /// The last valid reading.
    pub fn reading(&self) -> Option<ClockReading> {
        self.reading.map(|(reading, _)| reading)
    }

    /// When the last reading came.
    pub fn read_at(&self) -> Option<Stamp> {
        self.reading.map(|(_, at)| at)
    }

    /// Which side of the clock is White's.
    pub fn white_side(&self) -> ClockSide {
        self.white
    }

    /// Whose turn the lever shows.
    pub fn turn(&self) -> Option<Color> {
        self.reading().map(|reading| self.color(reading.turn))
    }

    /// Since when the lever stands as it does.
    pub fn turned(&self) -> Stamp {
        self.turned
    }

    /// Since when the clock stands still, if it has run in this game.
    pub fn halted(&self) -> Option<Stamp> {
        self.halted
    }

    /// The last turns of the lever, newest first: when, and whose turn it became. None while it is
    /// not sure which side of the clock is whose.
    pub fn flips(&self) -> impl Iterator<Item = (Stamp, Color)> {
        let sure = if self.agreed >= SURE { &self.flips[..] } else { &[] };
        sure.iter().map_while(|flip| *flip)
    }

    /// Whether a side's time runs down.
    pub fn running(&self) -> bool {
        self.reading().is_some_and(|reading| reading.running)
    }

    /// The players' times.
    pub fn times(&self) -> Option<Times> {
        self.reading().map(|reading| Times {
            white: reading.side(self.white).time,
            black: reading.side(self.white.other()).time,
        })
    }

    /// The colour whose flag has fallen, if one has.
    pub fn flag(&self) -> Option<Color> {
        let reading = self.reading()?;
        [ClockSide::Left, ClockSide::Right]
            .into_iter()
            .find(|&side| reading.side(side).flag_fallen)
            .map(|side| self.color(side))
    }

    /// A press agreed with the move just made.
    pub fn agreed(&mut self) {
        self.agreed = self.agreed.saturating_add(1);
        self.against = 0;
    }

    /// A press came from the side that had not moved. True when that has happened twice in a row:
    /// the clock stands the other way round, and is read so from now on. Once it has agreed with
    /// several moves, late messages are the likelier cause, and six in a row are needed.
    pub fn disagreed(&mut self) -> bool {
        self.against = self.against.saturating_add(1);
        let swap = self.against >= if self.agreed < SURE { 2 } else { 6 };
        if swap {
            self.agreed = 0;
            self.white = self.white.other();
            self.against = 0;
            self.flips = [None; FLIPS];
        }
        swap
    }

    /// A press came when both sides had just moved, so that it may be either's. True when only such
    /// presses have come, four in a row: then the clock stands the other way round as well.
    pub fn ambiguous(&mut self) -> bool {
        self.against = self.against.saturating_add(1);
        let swap = self.agreed == 0 && self.against >= 4;
        if swap {
            self.white = self.white.other();
            self.against = 0;
            self.flips = [None; FLIPS];
        }
        swap
    }

    fn color(&self, side: ClockSide) -> Color {
        Color::from_white(side == self.white)
    }
}

/// Whether the side to move has more time than before: it was given for a press since.
fn gained(before: ClockReading, now: ClockReading) -> bool {
    let (had, has) = (before.side(now.turn).time, now.side(now.turn).time);
    has > had && has.0 - had.0 <= MOST_GAINED.0
}

/// The clock stands at the board's connector: left of White on a board in normal orientation.
fn usual_side(orientation: Orientation) -> ClockSide {
    match orientation {
        Orientation::Normal => ClockSide::Left,
        Orientation::Rotated => ClockSide::Right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::SideTime;

    fn reading(turn: ClockSide) -> ClockReading {
        let side = SideTime { time: Millis(60_000), ..SideTime::default() };
        ClockReading { left: side, right: side, running: true, turn, battery_low: false }
    }

    #[test]
    fn the_lever_names_the_colour_to_move() {
        let mut lever = Lever::new(Orientation::Normal);
        assert_eq!(lever.read(reading(ClockSide::Left), Stamp::from_millis(1)), None);
        assert_eq!(lever.turn(), Some(Color::White));
        assert_eq!(
            lever.read(reading(ClockSide::Right), Stamp::from_millis(2)),
            Some(Color::Black)
        );
        assert_eq!(lever.read(reading(ClockSide::Right), Stamp::from_millis(3)), None);
        assert_eq!(lever.turned(), Stamp::from_millis(2));

        assert_eq!(lever.flips().count(), 0, "whose side is whose is not sure yet");
        for _ in 0..SURE {
            lever.agreed();
        }
        assert_eq!(lever.flips().count(), 1);

        let mut turned = Lever::new(Orientation::Rotated);
        turned.read(reading(ClockSide::Left), Stamp::ZERO);
        assert_eq!(turned.turn(), Some(Color::Black));
        assert!(!turned.disagreed());
        assert!(turned.disagreed());
        assert_eq!(turned.turn(), Some(Color::White));
    }

    #[test]
    fn time_given_tells_of_presses_between_two_readings() {
        let mut lever = Lever::new(Orientation::Normal);
        lever.told_white(ClockSide::Left);
        let with = |left: u64, right: u64| {
            let mut reading = reading(ClockSide::Left);
            (reading.left.time, reading.right.time) = (Millis(left), Millis(right));
            reading
        };
        lever.read(with(60_000, 60_000), Stamp::from_millis(1));
        lever.read(with(59_000, 60_000), Stamp::from_millis(1_001));
        assert_eq!(lever.flips().count(), 0);
        assert_eq!(lever.read(with(61_000, 62_000), Stamp::from_millis(1_500)), None);
        let at = Stamp::from_millis(1_500);
        let pressed: Vec<_> = lever.flips().collect();
        assert_eq!(pressed, [(at, Color::White), (at, Color::Black)]);
        // The arbiter gives two minutes.
        lever.read(with(181_000, 62_000), Stamp::from_millis(2_500));
        assert_eq!(lever.flips().count(), 2);
        // White presses, Black presses and White presses again.
        let mut after = with(183_000, 63_000);
        after.turn = ClockSide::Right;
        assert_eq!(lever.read(after, Stamp::from_millis(3_000)), Some(Color::Black));
        let at = Stamp::from_millis(3_000);
        let pressed: Vec<_> = lever.flips().take(3).collect();
        assert_eq!(pressed, [(at, Color::Black), (at, Color::White), (at, Color::Black)]);
    }
}
