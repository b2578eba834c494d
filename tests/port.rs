//! A real serial port object on a pseudo-terminal, and the emulated board behind one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "in a test a wrong step is a failure")]

mod emulator;

use std::{
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use dgtd::{
    daemon::port::{ControlLines, Port, PortError},
    wire::{Command, Orientation},
};
use emulator::{Board, Plugged};
use futures_util::FutureExt;
use serialport::{SerialPort, TTYPort};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// The far end of a line, and the name of the near one.
fn terminal() -> (TTYPort, PathBuf) {
    let (mut master, slave) = TTYPort::pair().unwrap();
    master.set_timeout(PATIENCE).unwrap();
    let path = PathBuf::from(slave.name().unwrap());
    (master, path)
}

async fn open(path: &Path) -> Result<Port, PortError> {
    Port::open(path, ControlLines::default()).await
}

#[tokio::test]
async fn every_byte_passes_unchanged_both_ways() {
    let (mut master, path) = terminal();
    let mut port = open(&path).await.unwrap();
    assert_eq!(port.path(), path);
    let all: Vec<u8> = (0..=255).chain([0x0d, 0x0a, 0x11, 0x13, 0x03, 0x04, 0x1a, 0x7f]).collect();
    port.write_all(&all).await.unwrap();
    let mut got = vec![0; all.len()];
    master.read_exact(&mut got).unwrap();
    assert_eq!(got, all);
    master.write_all(&all).unwrap();
    got.fill(0);
    timeout(PATIENCE, port.read_exact(&mut got)).await.unwrap().unwrap();
    assert_eq!(got, all);
}

#[tokio::test]
async fn an_idle_port_waits_and_a_cancelled_read_loses_nothing() {
    let (mut master, path) = terminal();
    let mut port = open(&path).await.unwrap();
    assert!(port.read(&mut [0]).now_or_never().is_none());
    let sender = std::thread::spawn(move || {
        for byte in 0..=255 {
            master.write_all(&[byte]).unwrap();
            std::thread::sleep(Duration::from_micros(500));
        }
        master
    });
    let mut got = Vec::new();
    while got.len() < 256 {
        // Begin a read and drop it at once when nothing is there yet, as a select loop does.
        let mut buffer = [0; 8];
        if let Some(count) = port.read(&mut buffer).now_or_never() {
            got.extend_from_slice(&buffer[..count.unwrap()]);
        }
        tokio::task::yield_now().await;
    }
    let expected: Vec<u8> = (0..=255).collect();
    assert_eq!(got, expected);
    sender.join().unwrap();
}

#[tokio::test]
async fn an_unplugged_board_is_the_end_of_the_file() {
    let (master, path) = terminal();
    let mut port = open(&path).await.unwrap();
    let puller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        drop(master);
    });
    let mut buffer = [0; 8];
    // While a read waits, and ever after.
    for _ in 0..3 {
        let count = timeout(PATIENCE, port.read(&mut buffer)).await.unwrap().unwrap();
        assert_eq!(count, 0);
    }
    let error = port.write_all(&[0x40]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    puller.join().unwrap();
}

#[tokio::test]
async fn a_stalled_board_does_not_block_the_runtime() {
    let (master, path) = terminal();
    let mut port = open(&path).await.unwrap();
    let much = vec![0x40; 1 << 20];
    assert!(timeout(Duration::from_millis(200), port.write_all(&much)).await.is_err());
    drop(port);
    drop(master);
}

#[tokio::test]
async fn what_cannot_be_opened_says_why() {
    let (_master, path) = terminal();
    let held = open(&path).await.unwrap();
    let error = open(&path).await.unwrap_err();
    assert!(matches!(error, PortError::Busy { .. }), "{error:?}");
    assert!(error.to_string().contains("in use by another program"));
    drop(held);
    assert!(open(&path).await.is_ok());

    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "x").unwrap();
    for path in [file.as_path(), directory.path(), Path::new("/dev/null")] {
        let error = open(path).await.unwrap_err();
        assert!(matches!(error, PortError::NotSerial { .. }), "{error:?}");
    }
    let dangling = directory.path().join("link");
    std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
    for path in [Path::new("/dev/ttyNONE0"), dangling.as_path()] {
        let error = open(path).await.unwrap_err();
        assert!(matches!(error, PortError::Missing { .. }), "{error:?}");
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
}

#[tokio::test]
async fn a_forbidden_port_says_which_group_helps() {
    // A console of the system that only root may open.
    let path = Path::new("/dev/tty0");
    if rustix::process::geteuid().is_root() || !path.exists() {
        println!("skipped: root may open everything");
        return;
    }
    let error = open(path).await.unwrap_err();
    assert!(matches!(error, PortError::NoPermission { .. }), "{error:?}");
    assert!(error.to_string().contains("`dialout`"), "{error}");
}

#[tokio::test]
async fn a_name_that_leads_to_a_port_opens_it() {
    let (_master, path) = terminal();
    let directory = tempfile::tempdir().unwrap();
    let link = directory.path().join("usb-DGT_DGT_Chessboard-if00");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let port = open(&link).await.unwrap();
    assert_eq!(port.path(), link);
    // The same terminal under its own name is busy.
    assert!(matches!(open(&path).await, Err(PortError::Busy { .. })));
}

/// Reads until this many bytes are there.
async fn receive(port: &mut Port, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    timeout(PATIENCE, port.read_exact(&mut bytes)).await.unwrap().unwrap();
    bytes
}

#[tokio::test]
async fn the_emulated_board_answers_and_comes_back_under_another_name() {
    let mut board = Plugged::new(Board::classic(*b"01025", Orientation::Normal));
    let mut port = open(board.path()).await.unwrap();
    // Nothing is told before it is asked for.
    board.carry("d2", "d4");
    port.write_all(Command::Version.bytes()).await.unwrap();
    assert_eq!(receive(&mut port, 5).await, [0x93, 0, 5, 1, 8]);
    port.write_all(Command::UpdateNice.bytes()).await.unwrap();
    port.write_all(Command::SerialNumber.bytes()).await.unwrap();
    assert_eq!(receive(&mut port, 8).await[3..], *b"01025");
    board.carry("e2", "e4");
    assert_eq!(receive(&mut port, 10).await, [0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x24, 1]);
    let mut board = board.replug(|board| {
        board.carry("e7", "e5");
    });
    let mut buffer = [0; 1];
    assert_eq!(timeout(PATIENCE, port.read(&mut buffer)).await.unwrap().unwrap(), 0);
    let mut port = open(board.path()).await.unwrap();
    port.write_all(Command::SendBoard.bytes()).await.unwrap();
    let dump = receive(&mut port, 67).await;
    assert_eq!((dump[3 + 0x1c], dump[3 + 0x24], dump[3 + 0x34]), (7, 1, 0));
    board.noise(&[0x11]);
    assert_eq!(receive(&mut port, 1).await, [0x11]);
    assert!(board.board().forbidden.is_empty());
}
