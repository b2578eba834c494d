//! A serial port as a stream of bytes that never blocks the runtime.
//!
//! 9600 baud, 8 data bits, no parity, 1 stop bit, no flow control, raw, exclusive. A board that is
//! unplugged shows as end of file when reading and as [`ErrorKind::BrokenPipe`] when writing, whatever
//! the kernel calls it; a port at its end never comes back and has to be opened anew.
//!
//! The one place with `unsafe`: tokio asks for a promise about the file descriptor that the type
//! system cannot give.

use std::{
    io::{self, ErrorKind},
    os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd},
    path::{Path, PathBuf},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use rustix::{fs::OFlags, io::Errno, termios::QueueSelector};
use serialport::{SerialPort, TTYPort};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf, unix::AsyncFd};

/// The speed of every board's line, in baud. USB and Bluetooth lines ignore it.
const BAUD: u32 = 9600;

/// What serialport says when a device does not know a request of terminals.
const NOT_A_TTY: &str = "Not a typewriter";

/// How the control lines stand while a port is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlLines {
    /// DTR is asserted, as the kernel does on opening. Some RS-232 bus adaptors need it low.
    pub dtr: bool,
    /// RTS is asserted, as the kernel does on opening. Some RS-232 bus adaptors need it low.
    pub rts: bool,
}

impl Default for ControlLines {
    fn default() -> ControlLines {
        ControlLines { dtr: true, rts: true }
    }
}

/// Why a port cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// There is no such file, or no device behind it.
    #[error("no device at {path}: plug the board in, or correct the port's name")]
    Missing {
        /// The port.
        path: PathBuf,
    },
    /// The user may not open it.
    #[error(
        "no permission to open {path}: add this user to the group that owns it (`ls -l {path}`), \
         usually `dialout`, and log in again"
    )]
    NoPermission {
        /// The port.
        path: PathBuf,
    },
    /// The system refuses whatever the permissions say: the unit's device filter.
    #[error(
        "operation not permitted on {path}: dgtd.service opens no devices but serial ports \
         (`systemctl show -p DeviceAllow dgtd`); a port with a driver of its own needs a \
         `DeviceAllow=` line there"
    )]
    Filtered {
        /// The port.
        path: PathBuf,
    },
    /// Another program has it open.
    #[error("{path} is in use by another program: `fuser {path}` names it")]
    Busy {
        /// The port.
        path: PathBuf,
    },
    /// A file, a directory, or a device of another kind.
    #[error("{path} is not a serial port: expected a device like /dev/ttyUSB0 or /dev/ttyACM0")]
    NotSerial {
        /// The port.
        path: PathBuf,
    },
    /// Something else.
    #[error("cannot open {path} as a serial port at {BAUD} baud")]
    Other {
        /// The port.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// An open serial port.
#[derive(Debug)]
pub struct Port {
    file: AsyncFd<Tty>,
    path: PathBuf,
}

impl Port {
    /// Opens a port. Must be called in a tokio runtime; opening happens on a thread of its own, since
    /// a Bluetooth line may take seconds.
    ///
    /// Bytes that arrived before are kept: throw them away by asking the board to be quiet first.
    pub async fn open(path: &Path, lines: ControlLines) -> Result<Port, PortError> {
        let path = path.to_owned();
        let other = |path: PathBuf, source| PortError::Other { path, source };
        let opened = tokio::task::spawn_blocking({
            let path = path.clone();
            move || Tty::open(&path, lines)
        });
        let tty = match opened.await {
            Ok(tty) => tty?,
            Err(error) => return Err(other(path, io::Error::other(error))),
        };
        match register(tty) {
            Ok(file) => Ok(Port { file, path }),
            Err(source) => Err(other(path, source)),
        }
    }

    /// The path it was opened under.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl AsyncRead for Port {
    /// Reads what has arrived. End of file (nothing read) means that the board is gone.
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        target: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let mut guard = ready!(self.file.poll_read_ready(context))?;
            let read = guard
                .try_io(|tty| Ok(rustix::io::read(tty.get_ref(), target.initialize_unfilled())?));
            match read {
                Ok(Ok(count)) => {
                    target.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Ok(Err(error)) if is_unplugged(&error) => return Poll::Ready(Ok(())),
                Ok(Err(error)) if error.kind() == ErrorKind::Interrupted => {}
                Ok(Err(error)) => return Poll::Ready(Err(error)),
                // Not ready after all.
                Err(_) => {}
            }
        }
    }
}

impl AsyncWrite for Port {
    /// Writes what the port takes. [`ErrorKind::BrokenPipe`] means that the board is gone.
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            let mut guard = ready!(self.file.poll_write_ready(context))?;
            match guard.try_io(|tty| Ok(rustix::io::write(tty.get_ref(), bytes)?)) {
                Ok(Err(error)) if is_unplugged(&error) => {
                    return Poll::Ready(Err(io::Error::new(ErrorKind::BrokenPipe, error)));
                }
                Ok(Err(error)) if error.kind() == ErrorKind::Interrupted => {}
                Ok(written) => return Poll::Ready(written),
                Err(_) => {}
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Whether this is one of the errors by which the kernel says that the device has gone.
fn is_unplugged(error: &io::Error) -> bool {
    const GONE: [Errno; 5] = [Errno::IO, Errno::NXIO, Errno::NODEV, Errno::PIPE, Errno::BADF];
    Errno::from_io_error(error).is_some_and(|errno| GONE.contains(&errno))
}

/// An open terminal device.
#[derive(Debug)]
struct Tty(TTYPort);

impl Tty {
    fn open(path: &Path, lines: ControlLines) -> Result<Tty, PortError> {
        let name = path.to_string_lossy();
        let mut builder = serialport::new(name, BAUD).timeout(Duration::ZERO);
        if !lines.dtr {
            builder = builder.dtr_on_open(false);
        }
        let port = builder.open_native().map_err(|error| explain(path, error))?;
        let mut tty = Tty(port);
        let other = |source: io::Error| PortError::Other { path: path.to_owned(), source };
        if !lines.rts {
            match tty.0.write_request_to_send(false) {
                // A line without control lines has none that could be high.
                Err(error) if error.description == NOT_A_TTY => {}
                done => done.map_err(|error| other(error.into()))?,
            }
        }
        // serialport opens without blocking and then turns blocking on.
        let flags = rustix::fs::fcntl_getfl(&tty).map_err(|error| other(error.into()))?;
        rustix::fs::fcntl_setfl(&tty, flags | OFlags::NONBLOCK)
            .map_err(|error| other(error.into()))?;
        Ok(tty)
    }
}

impl Drop for Tty {
    /// A driver may wait up to half a minute for bytes that nobody takes before it lets a port be
    /// closed: throw them away.
    fn drop(&mut self) {
        // The port may be gone already; then there is nothing to throw away.
        let _ = rustix::termios::tcflush(&*self, QueueSelector::OFlush);
    }
}

impl AsRawFd for Tty {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

impl AsFd for Tty {
    #[expect(unsafe_code, reason = "serialport lends its descriptor only as a number")]
    fn as_fd(&self) -> BorrowedFd<'_> {
        // SAFETY: the number is that of the descriptor which `TTYPort` owns and closes when dropped;
        // it is not -1, and the loan ends before the port.
        unsafe { BorrowedFd::borrow_raw(self.0.as_raw_fd()) }
    }
}

/// Hands a port to the runtime.
#[expect(unsafe_code, reason = "tokio wants a promise about the descriptor")]
fn register(tty: Tty) -> io::Result<AsyncFd<Tty>> {
    // SAFETY: `TTYPort` owns one descriptor, open until it is dropped, and never replaces it; `Tty`
    // keeps the `TTYPort` to itself and always reports that descriptor.
    unsafe { AsyncFd::register(tty) }.map_err(|error| error.into_parts().1)
}

/// What a failure to open means. serialport drops the system's error number, so some cases are told
/// by looking at the path.
fn explain(path: &Path, error: serialport::Error) -> PortError {
    use serialport::ErrorKind as Kind;
    use std::os::unix::fs::FileTypeExt;
    let path = path.to_owned();
    let special = std::fs::metadata(&path).map(|data| data.file_type().is_char_device());
    match (error.kind(), special) {
        (Kind::Io(ErrorKind::PermissionDenied), _) => PortError::NoPermission { path },
        (Kind::Io(ErrorKind::NotFound), _) => PortError::Missing { path },
        (_, Err(source)) if source.kind() == ErrorKind::NotFound => PortError::Missing { path },
        (_, Ok(false)) => PortError::NotSerial { path },
        // Either the terminal is marked exclusive, or its lock is taken.
        (Kind::NoDevice, _) => PortError::Busy { path },
        _ => match error.description.as_str() {
            NOT_A_TTY => PortError::NotSerial { path },
            "Operation not permitted" => PortError::Filtered { path },
            "No such device" | "No such device or address" => PortError::Missing { path },
            _ => PortError::Other { path, source: error.into() },
        },
    }
}
