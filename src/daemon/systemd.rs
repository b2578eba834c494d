//! Talking to systemd: ready, status, watchdog, log.

use std::time::Duration;

use sd_notify::NotifyState;
use tracing::{debug, warn};
use tracing_subscriber::{
    EnvFilter, Layer, Registry, fmt, layer::SubscriberExt as _, reload,
    util::SubscriberInitExt as _,
};

use crate::config::LogLevel;

/// Changes what is logged while the daemon runs.
pub type LogFilter = reload::Handle<EnvFilter, Registry>;

/// Sends the log to the journal under systemd, else to the terminal. `RUST_LOG` wins over `level`.
pub fn start_log(level: LogLevel) -> LogFilter {
    let (filter, handle) = reload::Layer::new(filter(level));
    let journald =
        std::env::var_os("JOURNAL_STREAM").and_then(|_| match tracing_journald::layer() {
            Ok(layer) => Some(
                layer.with_field_prefix(Some("DGTD".into())).with_syslog_identifier("dgtd".into()),
            ),
            Err(_) => None,
        });
    let output = match journald {
        Some(journal) => journal.boxed(),
        None => fmt::layer()
            .with_writer(std::io::stderr)
            .with_target(false)
            .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
            .boxed(),
    };
    // A test may have a log already.
    let _ = tracing_subscriber::registry().with(filter).with(output).try_init();
    handle
}

fn filter(level: LogLevel) -> EnvFilter {
    match EnvFilter::try_from_default_env() {
        Ok(filter) => filter,
        Err(_) => EnvFilter::new(format!("warn,dgtd={}", level.as_str())),
    }
}

/// Takes up another level.
pub fn change_log(handle: &LogFilter, level: LogLevel) {
    if let Err(e) = handle.reload(filter(level)) {
        warn!(error = %e, "the level of the log cannot be changed");
    }
}

/// Tells the service manager, if there is one.
pub fn notify(states: &[NotifyState<'_>]) {
    if let Err(e) = sd_notify::notify(states) {
        debug!(error = %e, "the service manager cannot be told");
    }
}

/// How often the service manager wants to hear that the daemon turns; nothing when it does not.
pub fn watchdog() -> Option<Duration> {
    sd_notify::watchdog_enabled()
}
