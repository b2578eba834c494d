//! A serial line in bus mode: a port, and for each board on it a line of its own.
//!
//! All that is decided is in [`BusLine`]; here bytes are carried. A board that does not take its bytes
//! loses its line and is found again: nothing queues up.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream},
    sync::mpsc,
};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use super::{board::Lease, clock::BoardClock, port::Port, scanner::Found};
use crate::{
    link::bus::{BusLine, BusOutput},
    wire::bus::Address,
};

/// Portions a board may be behind.
const BEHIND: usize = 64;

/// Bytes in a board's line at once: a dump and some changes.
const PIPE: usize = 512;

/// How long the port may take to accept four bytes.
const WRITE: Duration = Duration::from_secs(2);

/// What comes from the boards' tasks: bytes, or `None` when one has let go of its line.
type FromBoard = (Address, u64, Option<Vec<u8>>);

/// A bus line that is open.
pub struct Bus {
    port: Port,
    path: PathBuf,
    found: mpsc::Sender<Found>,
    line: BusLine,
    clock: BoardClock,
    /// Boards with a line, and which one of theirs it is.
    seats: BTreeMap<Address, (u64, mpsc::Sender<Vec<u8>>)>,
    count: u64,
    from_boards: mpsc::Sender<FromBoard>,
}

/// Works until the port is gone or the daemon ends; then the lease gives the port back.
pub async fn run(
    port: Port,
    path: PathBuf,
    found: mpsc::Sender<Found>,
    lease: Lease,
    stop: CancellationToken,
) {
    let (from_boards, mut receiver) = mpsc::channel(BEHIND);
    let clock = BoardClock::live();
    let line = BusLine::open(clock.now());
    let shown = path.display().to_string();
    let seats = BTreeMap::new();
    let mut bus = Bus { port, path, found, line, clock, seats, count: 0, from_boards };
    info!(port = shown, "bus line opened: looking for its boards");
    let why = tokio::select! {
        () = stop.cancelled() => return,
        why = bus.carry(&mut receiver) => why,
    };
    warn!(port = shown, "bus line closed: {why}");
    drop(lease);
}

impl Bus {
    /// Carries bytes; answers why it cannot go on.
    async fn carry(&mut self, receiver: &mut mpsc::Receiver<FromBoard>) -> String {
        let mut buffer = [0_u8; 512];
        let mut out = Vec::new();
        loop {
            let deadline = self.line.deadline();
            tokio::select! {
                read = self.port.read(&mut buffer) => match read {
                    Ok(0) => return "unplugged".into(),
                    Ok(count) => self.line.bytes(&buffer[..count], self.clock.now(), &mut out),
                    Err(e) => return e.to_string(),
                },
                Some((address, which, bytes)) = receiver.recv() => {
                    if self.seats.get(&address).is_some_and(|(current, _)| *current == which) {
                        match bytes {
                            Some(bytes) => {
                                self.line.command(address, &bytes, self.clock.now(), &mut out);
                            }
                            None => self.drop_seat(address),
                        }
                    }
                }
                () = self.clock.until(deadline) => self.line.timeout(self.clock.now(), &mut out),
            }
            for output in out.drain(..) {
                if let Err(why) = self.obey(output).await {
                    return why;
                }
            }
        }
    }

    fn drop_seat(&mut self, address: Address) {
        self.seats.remove(&address);
        self.line.dropped(address);
    }

    async fn obey(&mut self, output: BusOutput) -> Result<(), String> {
        match output {
            BusOutput::Send(request) => {
                match tokio::time::timeout(WRITE, self.port.write_all(&request)).await {
                    Ok(written) => written.map_err(|e| e.to_string())?,
                    Err(_) => return Err("the line accepts no bytes".into()),
                }
            }
            BusOutput::Appeared(address) => self.appeared(address).await,
            // Its end of the line closes, as when a cable is pulled.
            BusOutput::Vanished(address) => drop(self.seats.remove(&address)),
            BusOutput::Bytes(address, bytes) => {
                let taken = self.seats.get(&address).map(|(_, seat)| seat.try_send(bytes));
                if let Some(Err(_)) = taken {
                    warn!(board = address.number(), "the board's task does not take its bytes");
                    self.drop_seat(address);
                }
            }
        }
        Ok(())
    }

    /// Gives a board a line of its own, under the name of the port and its address.
    async fn appeared(&mut self, address: Address) {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let (seat, bytes) = mpsc::channel(BEHIND);
        self.count += 1;
        self.seats.insert(address, (self.count, seat));
        tokio::spawn(pump(ours, address, self.count, bytes, self.from_boards.clone()));
        // There is no port to give back: when the board's task lets go, the pump tells.
        let (free, _) = mpsc::unbounded_channel();
        let name = format!("{}#{address}", self.path.display());
        let found = Found::Port {
            path: name.clone().into(),
            line: Box::new(theirs),
            serial: Some(format!("{:05}", address.number())),
            lease: Lease { port: name.into(), free },
        };
        if self.found.send(found).await.is_err() {
            self.drop_seat(address);
        }
    }
}

/// Carries one board's bytes both ways until either end closes.
async fn pump(
    mut pipe: DuplexStream,
    address: Address,
    which: u64,
    mut to_board: mpsc::Receiver<Vec<u8>>,
    from_boards: mpsc::Sender<FromBoard>,
) {
    let mut buffer = [0_u8; 64];
    loop {
        let open = tokio::select! {
            bytes = to_board.recv() => match bytes {
                Some(bytes) => pipe.write_all(&bytes).await.is_ok(),
                None => return,
            },
            read = pipe.read(&mut buffer) => match read {
                Ok(count) if count > 0 => {
                    let bytes = Some(buffer[..count].to_vec());
                    from_boards.send((address, which, bytes)).await.is_ok()
                }
                _ => false,
            },
        };
        if !open {
            // The bus line may have ended too.
            let _ = from_boards.send((address, which, None)).await;
            return;
        }
    }
}
