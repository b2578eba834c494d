//! What the buzzer does when: patterns, rounds, silence. Pure; time is an argument.

use std::time::Duration;

use crate::{config, units::Stamp};

use super::audience::MaySound;
use crate::arbiter::event::EndReason;

/// What the buzzer is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuzzerState {
    /// There is none, or it cannot be reached.
    Absent,
    /// Nothing to say.
    Idle,
    /// Sounding.
    Sounding,
    /// Something to say, but told to be silent.
    Silenced,
}

impl BuzzerState {
    /// The bus's word.
    pub const fn keyword(self) -> &'static str {
        match self {
            BuzzerState::Absent => "absent",
            BuzzerState::Idle => "idle",
            BuzzerState::Sounding => "sounding",
            BuzzerState::Silenced => "silenced",
        }
    }
}

/// A cause of sound that is not settled.
#[derive(Clone, Debug)]
struct Cause {
    /// The alert it belongs to; 0 for the test.
    id: u64,
    stretches: Vec<(bool, Duration)>,
    ends: Stamp,
    once: bool,
}

/// The pattern machine. Several games that end sound in turn, each for its own time.
#[derive(Debug)]
pub struct Machine {
    options: config::Buzzer,
    causes: Vec<Cause>,
    /// Which cause sounds, which stretch of it (past the end: the rest between rounds), until when.
    playing: Option<(usize, usize, Stamp)>,
    /// Causes that were silenced before their time and wait to be acknowledged.
    silenced: Vec<u64>,
}

impl Machine {
    /// A machine with nothing to say.
    pub fn new(options: config::Buzzer) -> Machine {
        Machine { options, causes: Vec::new(), playing: None, silenced: Vec::new() }
    }

    /// Sounds for a game that is over, until settled, silenced or the configured time is past.
    pub fn sound(&mut self, id: u64, leave: MaySound, now: Stamp) {
        let patterns = &self.options.pattern;
        let pattern = match leave.reason() {
            EndReason::Checkmate => &patterns.checkmate,
            EndReason::Stalemate => &patterns.stalemate,
            EndReason::DeadPosition => &patterns.dead_position,
            EndReason::FivefoldRepetition => &patterns.fivefold_repetition,
            EndReason::SeventyfiveMoves => &patterns.seventyfive_moves,
        };
        let ends = now + Duration::from_secs(self.options.max_seconds.get());
        self.causes.push(Cause { id, stretches: pattern.stretches(), ends, once: false });
        self.begin(now);
    }

    /// Sounds the test pattern once.
    pub fn test(&mut self, now: Stamp) {
        let stretches = self.options.pattern.test.stretches();
        let ends = now + Duration::from_mins(1);
        self.causes.push(Cause { id: 0, stretches, ends, once: true });
        self.begin(now);
    }

    /// Silences all that sounds now; the next game that ends sounds again.
    pub fn silence(&mut self) {
        self.silenced.extend(self.causes.drain(..).filter(|c| !c.once).map(|c| c.id));
        self.playing = None;
    }

    /// A cause was acknowledged or withdrawn.
    pub fn settle(&mut self, id: u64, now: Stamp) {
        self.silenced.retain(|silenced| *silenced != id);
        if self.causes.iter().any(|cause| cause.id == id) {
            self.causes.retain(|cause| cause.id != id);
            self.playing = None;
            self.begin(now);
        }
    }

    /// What it is doing.
    pub fn state(&self) -> BuzzerState {
        if self.playing.is_some() {
            BuzzerState::Sounding
        } else if self.silenced.is_empty() {
            BuzzerState::Idle
        } else {
            BuzzerState::Silenced
        }
    }

    /// When to call [`Machine::advance`] next.
    pub fn deadline(&self) -> Option<Stamp> {
        self.playing.map(|(_, _, until)| until)
    }

    /// Whether the line is to be on at this moment.
    pub fn advance(&mut self, now: Stamp) -> bool {
        while let Some((cause, stretch, until)) = self.playing {
            if now < until {
                let on = self.causes.get(cause).and_then(|c| c.stretches.get(stretch));
                return on.is_some_and(|(on, _)| *on);
            }
            self.step(cause, stretch, until);
        }
        false
    }

    fn begin(&mut self, now: Stamp) {
        if self.playing.is_none() && !self.causes.is_empty() {
            self.start(0, 0, now);
        }
    }

    fn start(&mut self, cause: usize, stretch: usize, at: Stamp) {
        let lasts = self.causes[cause]
            .stretches
            .get(stretch)
            .map_or(Duration::from_millis(self.options.rest_ms.get()), |(_, lasts)| *lasts);
        self.playing = Some((cause, stretch, at + lasts));
    }

    /// One stretch is over: the next one, the rest, or the next cause.
    fn step(&mut self, cause: usize, stretch: usize, at: Stamp) {
        let current = &self.causes[cause];
        let last = current.stretches.len();
        if stretch < last && !(stretch + 1 == last && current.once) {
            self.start(cause, stretch + 1, at);
            return;
        }
        let mut next = cause + 1;
        if current.once {
            self.causes.remove(cause);
            next = cause;
        }
        let mut index = 0;
        self.causes.retain(|c| {
            let keep = at < c.ends;
            if !keep && index < next {
                next -= 1;
            }
            index += usize::from(keep);
            keep
        });
        self.playing = None;
        if !self.causes.is_empty() {
            self.start(next % self.causes.len(), 0, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::EventKind;
    use crate::units::Ply;

    fn over(reason: EndReason) -> MaySound {
        MaySound::of(&EventKind::GameOver {
            result: "1-0".into(),
            reason,
            article: "5.1.1".into(),
            also: Vec::new(),
            ply: Ply(1),
            fen: String::new(),
            proof: None,
        })
        .unwrap()
    }

    fn machine() -> Machine {
        Machine::new(config::Buzzer {
            max_seconds: config::Ranged::at(10),
            ..config::Buzzer::default()
        })
    }

    /// The times at which the line changes, in ms, and to what.
    fn run(machine: &mut Machine, mut now: Stamp, until: Stamp) -> Vec<(u64, bool)> {
        let mut changes = Vec::new();
        let mut level = false;
        loop {
            let on = machine.advance(now);
            if on != level {
                changes.push((now.as_millis(), on));
                level = on;
            }
            match machine.deadline() {
                Some(next) if next <= until => now = next,
                _ => return changes,
            }
        }
    }

    #[test]
    fn a_pattern_repeats_until_its_time_is_past() {
        let mut m = machine();
        m.sound(7, over(EndReason::Stalemate), Stamp::ZERO);
        assert_eq!(m.state(), BuzzerState::Sounding);
        let changes = run(&mut m, Stamp::ZERO, Stamp::from_millis(60_000));
        // Two long sounds a round; a round lasts 500 + 150 + 500 + 1500 ms; it ends with the round
        // in which the ten seconds are up.
        assert_eq!(
            &changes[..5],
            [(0, true), (500, false), (650, true), (1150, false), (2650, true)]
        );
        assert_eq!(changes.len(), 4 * 4);
        assert_eq!(changes.last(), Some(&(3 * 2650 + 1150, false)));
        assert_eq!(m.state(), BuzzerState::Idle);
    }

    #[test]
    fn patterns_differ_for_every_reason() {
        let all = [
            EndReason::Checkmate,
            EndReason::Stalemate,
            EndReason::DeadPosition,
            EndReason::FivefoldRepetition,
            EndReason::SeventyfiveMoves,
        ]
        .map(|reason| {
            let mut m = machine();
            m.sound(1, over(reason), Stamp::ZERO);
            run(&mut m, Stamp::ZERO, Stamp::from_millis(2_000))
        });
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one), "{one:?}");
        }
    }

    #[test]
    fn silence_lasts_until_the_next_game_ends() {
        let mut m = machine();
        m.sound(7, over(EndReason::Checkmate), Stamp::ZERO);
        m.silence();
        assert!(!m.advance(Stamp::from_millis(1)));
        assert_eq!(m.state(), BuzzerState::Silenced);
        m.sound(8, over(EndReason::Checkmate), Stamp::from_millis(5));
        assert!(m.advance(Stamp::from_millis(5)));
        m.settle(8, Stamp::from_millis(6));
        assert!(!m.advance(Stamp::from_millis(6)));
        m.settle(7, Stamp::from_millis(7));
        assert_eq!(m.state(), BuzzerState::Idle);
    }

    #[test]
    fn two_games_sound_in_turn_and_the_test_once() {
        let mut m = machine();
        m.test(Stamp::ZERO);
        assert_eq!(run(&mut m, Stamp::ZERO, Stamp::from_millis(9_000)), [(0, true), (120, false)]);
        assert_eq!(m.state(), BuzzerState::Idle);
        m.sound(1, over(EndReason::Stalemate), Stamp::ZERO);
        m.sound(2, over(EndReason::Checkmate), Stamp::ZERO);
        let changes = run(&mut m, Stamp::ZERO, Stamp::from_millis(6_000));
        let starts: Vec<u64> = changes.iter().filter(|c| c.1).map(|c| c.0).collect();
        assert_eq!(starts, [0, 650, 2650, 3300, 3950, 5950]);
    }

    proptest::proptest! {
        #[test]
        fn it_always_falls_silent(steps in proptest::collection::vec((0u8..5, 0u64..4_000), 0..60)) {
            let mut m = machine();
            let mut now = Stamp::ZERO;
            for (i, (what, wait)) in steps.into_iter().enumerate() {
                match what {
                    0 => m.sound(i as u64 + 1, over(EndReason::DeadPosition), now),
                    1 => m.test(now),
                    2 => m.silence(),
                    3 => m.settle(i as u64, now),
                    _ => {}
                }
                now = now + Duration::from_millis(wait);
                m.advance(now);
            }
            m.advance(now + Duration::from_mins(10));
            proptest::prop_assert!(m.deadline().is_none());
        }
    }
}
