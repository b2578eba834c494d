//! The system bus of another PC, through ssh: what `busctl --host` does.

use std::{
    io,
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{io::AsyncReadExt as _, net::UnixStream as UnixWords};
use tokio_util::sync::{CancellationToken, DropGuard};
use zbus::{Connection, connection::Builder};

use super::{Destination, Fault};

/// How long ssh may take until the other bus has greeted.
const GREETING: Duration = Duration::from_secs(15);
/// How long the end of ssh's own words is waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// The most of its words that is kept.
const MOST_WORDS: usize = 4096;

/// A running ssh; dropping it ends it.
#[derive(Debug)]
pub struct Tunnel {
    child: Child,
    said: Arc<Mutex<String>>,
    /// It says no more.
    silent: CancellationToken,
}

impl Tunnel {
    /// Why it ended, from its own words.
    pub async fn fault(&self) -> Fault {
        // It may still be speaking; when it does not end, what it has said must do.
        let _ = tokio::time::timeout(LAST_WORDS, self.silent.cancelled()).await;
        Fault::of_ssh(&self.said.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Tunnel {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Connects to the system bus of `destination`. The program is `ssh`, or the one named by
/// `$SYSTEMD_SSH`, as for busctl.
pub async fn connect(
    destination: &Destination,
    patience: Duration,
) -> Result<(Connection, Tunnel), Fault> {
    let (ours, tunnel) = start(destination).map_err(|e| Fault::NoSsh(e.to_string()))?;
    let building = Builder::unix_stream(ours).method_timeout(patience).build();
    match tokio::time::timeout(GREETING, building).await {
        Ok(Ok(connection)) => Ok((connection, tunnel)),
        Ok(Err(e)) => Err(match tunnel.fault().await {
            // It said nothing: then what the bus library found is better than nothing.
            Fault::Lost => Fault::NoBridge(e.to_string()),
            fault => fault,
        }),
        Err(_) => Err(match tunnel.fault().await {
            Fault::Lost => Fault::Silent,
            fault => fault,
        }),
    }
}

fn start(destination: &Destination) -> io::Result<(UnixStream, Tunnel)> {
    let (ours, theirs) = UnixStream::pair()?;
    let (words, their_words) = UnixStream::pair()?;
    let program = std::env::var_os("SYSTEMD_SSH").filter(|program| !program.is_empty());
    let child = Command::new(program.unwrap_or_else(|| "ssh".into()))
        .args(["-x", "-T"])
        // Nobody is there to answer questions; a dead line is noticed within six seconds.
        .args(["-o", "BatchMode=yes", "-o", "ConnectTimeout=6"])
        .args(["-o", "ServerAliveInterval=3", "-o", "ServerAliveCountMax=2"])
        .args(["-o", "ClearAllForwardings=yes", "--"])
        .args([destination.as_str(), "systemd-stdio-bridge"])
        .env("LC_ALL", "C")
        .stdin(Stdio::from(OwnedFd::from(theirs.try_clone()?)))
        .stdout(Stdio::from(OwnedFd::from(theirs)))
        .stderr(Stdio::from(OwnedFd::from(their_words)))
        .spawn()?;
    let said = Arc::new(Mutex::new(String::new()));
    words.set_nonblocking(true)?;
    let words = UnixWords::from_std(words)?;
    let silent = CancellationToken::new();
    tokio::spawn(listen(words, Arc::clone(&said), silent.clone().drop_guard()));
    Ok((ours, Tunnel { child, said, silent }))
}

async fn listen(mut words: UnixWords, said: Arc<Mutex<String>>, _silent: DropGuard) {
    let mut buffer = [0; 512];
    while let Ok(count @ 1..) = words.read(&mut buffer).await {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        said.push_str(&String::from_utf8_lossy(&buffer[..count]));
        if said.len() > MOST_WORDS {
            let length = said.len();
            let from = (length - MOST_WORDS / 2..length).find(|at| said.is_char_boundary(*at));
            *said = said.split_off(from.unwrap_or(length));
        }
    }
}
