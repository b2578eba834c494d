//! The buzzer's line, and the task that drives it.

use std::io;

use gpiocdev::{Request, line::Value};
use tokio::sync::{mpsc, watch};
use tracing::{info, warn};

use super::{
    audience::MaySound,
    buzzer::{BuzzerState, Machine},
};
use crate::{config, units::Stamp};

/// So much that the buzzer is told may wait for it. Its task does nothing but switch a line, so that even
/// the ends of all games of a hall at once do not fill this.
pub const MOST_WAITING: usize = 1_024;

/// What the buzzer is told.
#[derive(Debug)]
pub enum BuzzerInput {
    /// A game is over.
    Sound(u64, MaySound),
    /// The alert was acknowledged or withdrawn.
    Settle(u64),
    /// Be silent.
    Silence,
    /// Sound once.
    Test,
    /// Other patterns and times.
    Options(Box<config::Buzzer>),
}

/// Something that can be on or off.
pub trait Output: Send + 'static {
    /// Switches it.
    fn set(&mut self, on: bool) -> io::Result<()>;
}

/// A line of a GPIO chip.
#[derive(Debug)]
pub struct Gpio {
    request: Request,
    line: u32,
}

/// The buzzer cannot be had.
#[derive(Debug, thiserror::Error)]
#[error(
    "buzzer: line {line} of {chip} cannot be had; the daemon goes on without it. Check `chip` and `line` in [buzzer], and that user dgtd is in group gpio"
)]
pub struct NoBuzzer {
    chip: String,
    line: u64,
    source: gpiocdev::Error,
}

impl Gpio {
    /// Takes the configured line, switched off; `None` when no chip is configured.
    pub fn open(options: &config::Buzzer) -> Result<Option<Gpio>, NoBuzzer> {
        let Some(chip) = options.chip.path() else { return Ok(None) };
        let line = u32::try_from(options.line.get()).unwrap_or_default();
        let mut builder = Request::builder();
        builder.on_chip(chip).with_consumer("dgtd").with_line(line);
        if options.active_low {
            builder.as_active_low();
        }
        let request = builder.as_output(Value::Inactive).request().map_err(|source| NoBuzzer {
            chip: chip.to_owned(),
            line: options.line.get(),
            source,
        })?;
        Ok(Some(Gpio { request, line }))
    }
}

impl Output for Gpio {
    fn set(&mut self, on: bool) -> io::Result<()> {
        let value = if on { Value::Active } else { Value::Inactive };
        self.request.set_value(self.line, value).map(drop).map_err(io::Error::other)
    }
}

/// Drives `output` until the inputs end; then it is off. Without an output it only keeps the state
/// `absent`.
pub async fn drive<O: Output>(
    mut output: Option<O>,
    options: config::Buzzer,
    mut inputs: mpsc::Receiver<BuzzerInput>,
    state: watch::Sender<BuzzerState>,
    now: impl Fn() -> Stamp,
) {
    let mut machine = Machine::new(options);
    let mut level = false;
    loop {
        let on = machine.advance(now());
        if on != level
            && let Some(line) = &mut output
        {
            match line.set(on) {
                Ok(()) => level = on,
                Err(e) => {
                    warn!(error = %e, "buzzer: cannot be switched; the daemon goes on without it");
                    output = None;
                }
            }
        }
        let shown = if output.is_some() { machine.state() } else { BuzzerState::Absent };
        state.send_if_modified(|old| std::mem::replace(old, shown) != shown);
        let wait = machine.deadline().map(|deadline| deadline.since(now()));
        let input = tokio::select! {
            input = inputs.recv() => input,
            () = tokio::time::sleep(wait.unwrap_or_default()), if wait.is_some() => continue,
        };
        match input {
            None => break,
            Some(BuzzerInput::Sound(id, leave)) => machine.sound(id, leave, now()),
            Some(BuzzerInput::Settle(id)) => machine.settle(id, now()),
            Some(BuzzerInput::Silence) => machine.silence(),
            Some(BuzzerInput::Test) => machine.test(now()),
            Some(BuzzerInput::Options(options)) => {
                machine.silence();
                machine = Machine::new(*options);
            }
        }
    }
    if level && let Some(line) = &mut output {
        match line.set(false) {
            Ok(()) => info!("buzzer: off"),
            Err(e) => warn!(error = %e, "buzzer: cannot be switched off"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{arbiter::EventKind, arbiter::event::EndReason, units::Ply};

    struct Recorder(mpsc::UnboundedSender<bool>);

    impl Output for Recorder {
        fn set(&mut self, on: bool) -> io::Result<()> {
            self.0.send(on).map_err(io::Error::other)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_line_is_driven_and_left_off() {
        let (levels, mut seen) = mpsc::unbounded_channel();
        let (inputs, receiver) = mpsc::channel(MOST_WAITING);
        let (state, states) = watch::channel(BuzzerState::Absent);
        #[expect(clippy::disallowed_methods, reason = "tokio's paused clock")]
        let start = tokio::time::Instant::now();
        let now = move || Stamp::ZERO + start.elapsed();
        let task = tokio::spawn(drive(
            Some(Recorder(levels)),
            config::Buzzer::default(),
            receiver,
            state,
            now,
        ));
        let mate = EventKind::GameOver {
            result: "1-0".into(),
            reason: EndReason::Checkmate,
            article: "5.1.1".into(),
            also: Vec::new(),
            ply: Ply(7),
            fen: String::new(),
            proof: None,
        };
        inputs.send(BuzzerInput::Sound(3, MaySound::of(&mate).unwrap())).await.unwrap();
        assert_eq!(seen.recv().await, Some(true));
        assert_eq!(*states.borrow(), BuzzerState::Sounding);
        assert_eq!(seen.recv().await, Some(false));
        assert_eq!(seen.recv().await, Some(true));
        drop(inputs);
        task.await.unwrap();
        assert_eq!(seen.recv().await, Some(false));
        assert_eq!(seen.recv().await, None);
    }

    #[test]
    fn a_missing_chip_is_named() {
        let options = config::Buzzer {
            chip: "/dev/no-such-chip".to_owned().try_into().unwrap(),
            ..config::Buzzer::default()
        };
        let error = Gpio::open(&options).unwrap_err().to_string();
        assert!(error.contains("line 17 of /dev/no-such-chip"), "{error}");
        assert!(Gpio::open(&config::Buzzer::default()).unwrap().is_none());
    }
}
