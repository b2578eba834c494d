//! `dgtctl capture`: records a board.

use std::{
    fs::File,
    io::{BufWriter, Write as _},
    path::Path,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    signal::unix::{SignalKind, signal},
};

use super::CtlError;
use crate::{
    capture::{What, Writer},
    daemon::{
        clock::BoardClock,
        port::{ControlLines, Port},
    },
    link::{Link, LinkOptions, Output},
    units::Stamp,
};

/// Greets the board at `port` as the daemon does, and writes what both say to `file` until
/// interrupted or unplugged.
pub async fn run(port: &Path, file: &Path) -> Result<(), CtlError> {
    let mut board = Port::open(port, ControlLines::default()).await?;
    let failed = |source| CtlError::Write { path: file.into(), source };
    let mut writer =
        Writer::new(BufWriter::new(File::create(file).map_err(failed)?)).map_err(failed)?;
    let mut term = signal(SignalKind::terminate())?;
    let mut int = signal(SignalKind::interrupt())?;
    let clock = BoardClock::live();
    let mut talk = Link::new(LinkOptions::default());
    let mut out = Vec::new();
    let mut bytes = 0_u64;
    writer.record(clock.now(), &What::Connected).map_err(failed)?;
    talk.attach(clock.now());
    talk.timeout(clock.now(), &mut out);
    let mut buffer = [0_u8; 4096];
    loop {
        for output in out.drain(..) {
            if let Output::Send(command) = output {
                writer
                    .record(clock.now(), &What::ToBoard(command.bytes().to_vec()))
                    .map_err(failed)?;
                // The read finds a port that is gone.
                let _ = board.write_all(command.bytes()).await;
            }
        }
        let deadline = talk.deadline();
        let due = async {
            match deadline {
                Some(deadline) => clock.until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = term.recv() => break,
            _ = int.recv() => break,
            () = due => talk.timeout(clock.now(), &mut out),
            read = board.read(&mut buffer) => match read {
                Ok(count) if count > 0 => {
                    let now: Stamp = clock.now();
                    bytes += count as u64;
                    writer.record(now, &What::FromBoard(buffer[..count].to_vec())).map_err(failed)?;
                    writer.flush().map_err(failed)?;
                    talk.bytes(&buffer[..count], now, &mut out);
                }
                _ => break,
            }
        }
    }
    writer.record(clock.now(), &What::Disconnected).map_err(failed)?;
    writer
        .into_inner()
        .into_inner()
        .map_err(|e| failed(e.into_error()))?
        .sync_all()
        .map_err(failed)?;
    // The report goes to stderr; if that is closed there is nobody to tell.
    let serial = talk.identity().serial.as_deref().unwrap_or("unknown");
    let _ = writeln!(
        std::io::stderr().lock(),
        "dgtctl: {bytes} bytes of the board with serial {serial} are in {}",
        file.display()
    );
    if bytes == 0 {
        let args = vec![("port", port.display().to_string())];
        return Err(CtlError::Said("error-port-mute", args));
    }
    Ok(())
}
