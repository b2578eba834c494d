//! A board on a pseudo-terminal.

use std::{
    io::{ErrorKind, Read, Write},
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

use serialport::{SerialPort, TTYPort};

use super::Board;

/// Held for reading while a test starts a program, so that it does not inherit a terminal.
pub static STARTING: RwLock<()> = RwLock::new(());

/// A board at the far end of a pseudo-terminal, answering from a thread of its own. Dropping it pulls
/// the cable.
pub struct Plugged {
    board: Arc<Mutex<Board>>,
    writer: Option<TTYPort>,
    path: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Plugged {
    /// Plugs the board in.
    pub fn new(board: Board) -> Plugged {
        Plugged::share(Arc::new(Mutex::new(board)))
    }

    fn share(board: Arc<Mutex<Board>>) -> Plugged {
        // A program that a test starts meanwhile must not inherit the terminal, or pulling the cable
        // would do nothing: only the copies are closed when another program is started.
        let alone = STARTING.write().unwrap_or_else(PoisonError::into_inner);
        let (original, slave) = TTYPort::pair().expect("a pseudo-terminal");
        let path = PathBuf::from(slave.name().expect("a pseudo-terminal has a name"));
        let mut master = original.try_clone_native().unwrap();
        let mut reader = original.try_clone_native().unwrap();
        drop((original, slave));
        drop(alone);
        for port in [&mut master, &mut reader] {
            port.set_timeout(Duration::from_millis(20)).unwrap();
        }
        let stop = Arc::new(AtomicBool::new(false));
        let thread = std::thread::spawn({
            let (board, stop) = (board.clone(), stop.clone());
            move || {
                let mut buffer = [0; 256];
                while !stop.load(Ordering::Relaxed) {
                    match reader.read(&mut buffer) {
                        Ok(count) if count > 0 => {
                            // The lock is held while writing, so that an answer and a change that
                            // the test makes meanwhile do not mix.
                            let mut board = board.lock().unwrap();
                            let answer = board.receive(&buffer[..count]);
                            write(&mut reader, &answer);
                        }
                        Err(error) if error.kind() == ErrorKind::TimedOut => {}
                        // Nobody has opened the other end.
                        _ => std::thread::sleep(Duration::from_millis(5)),
                    }
                }
            }
        });
        Plugged { board, writer: Some(master), path, stop, thread: Some(thread) }
    }

    /// Where the board can be opened.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// The board, to look at.
    pub fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap()
    }

    /// Does something to the board and sends what it reports.
    pub fn act(&mut self, action: impl FnOnce(&mut Board) -> Vec<u8>) {
        let mut board = self.board.lock().unwrap();
        let sent = action(&mut board);
        if let Some(writer) = &mut self.writer {
            write(writer, &sent);
        }
    }

    /// Puts a man on a square (a dot: nothing).
    pub fn put(&mut self, square: &str, letter: char) {
        self.act(|board| board.put(square, letter));
    }

    /// Carries a man from one square to another.
    pub fn carry(&mut self, from: &str, to: &str) {
        self.act(|board| board.carry(from, to));
    }

    /// Presses the clock of the side whose turn it is.
    pub fn press(&mut self) {
        self.act(Board::press);
    }

    /// Sends these bytes as they are, as a damaged line might.
    pub fn noise(&mut self, bytes: &[u8]) {
        self.act(|_| bytes.to_vec());
    }

    /// Pulls the cable and plugs the same board in again, under another name. It has lost its mode;
    /// `meanwhile` is what happens on it in between.
    #[must_use]
    pub fn replug(mut self, meanwhile: impl FnOnce(&mut Board)) -> Plugged {
        let old = self.path.clone();
        self.pull();
        {
            let mut board = self.board.lock().unwrap();
            meanwhile(&mut board);
            board.power_cycle();
        }
        // The system gives the lowest free name: hold on to those that come before another one.
        let mut held = Vec::new();
        loop {
            let again = Plugged::share(self.board.clone());
            if again.path != old {
                return again;
            }
            held.push(again);
        }
    }

    fn pull(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
        self.writer = None;
    }
}

impl Drop for Plugged {
    fn drop(&mut self) {
        self.pull();
    }
}

fn write(port: &mut TTYPort, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match port.write(bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
            // Nobody is there: the bytes are lost, as on a real line.
            Err(_) => return,
        }
    }
}
