//! What is measured: anything that takes bytes and times and says which moves were played.
//!
//! In: a session and a [`Subject`]. Out: what the subject said and when. The subject talks to the
//! board itself, so a dump it asks for comes when a board would send it.

use shakmaty::CastlingMode;

use super::{
    SECOND,
    board::{Board, Host, LineEvent},
    session::Session,
};

/// A program beside the board. All times are nanoseconds since attaching.
pub trait Subject {
    /// The port has appeared.
    fn attach(&mut self, now: u64) -> Vec<Output>;
    /// The port is gone.
    fn detach(&mut self, now: u64) -> Vec<Output>;
    /// A read returned bytes.
    fn bytes(&mut self, now: u64, bytes: &[u8]) -> Vec<Output>;
    /// Its deadline has come.
    fn timeout(&mut self, now: u64) -> Vec<Output>;
    /// The operator enters the first position of a game that does not begin as usual, just after
    /// it has been set up.
    fn told(&mut self, now: u64, fen: &str, chess960: bool) -> Vec<Output> {
        let _ = (now, fen, chess960);
        Vec::new()
    }
    /// When it wants to be woken without bytes.
    fn deadline(&self) -> Option<u64>;
}

/// One thing a subject does.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Bytes for the board.
    Command(Vec<u8>),
    /// A statement.
    Event(Event),
}

/// What confirmed a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    /// The mover's press.
    Press,
    /// The opponent's reply.
    Reply,
    /// Stillness.
    Still,
}

/// Statements, the shape of the project's JSON events.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A new game.
    GameStarted {
        /// Its first position.
        fen: String,
    },
    /// What the board shows now, may change.
    Provisional {
        /// Ply, 1 = the first.
        ply: usize,
        /// The move.
        uci: String,
    },
    /// A confirmed move.
    Move {
        /// Ply, 1 = the first.
        ply: usize,
        /// The move, castling as e1g1.
        uci: String,
        /// When the board first showed it.
        made: u64,
        /// What confirmed it.
        by: By,
        /// False: the counters are lower bounds, the order is presumed.
        exact: bool,
    },
    /// Plies after `to_ply` are void.
    Takeback {
        /// The last ply that stands.
        to_ply: usize,
    },
    /// The Laws have ended the game.
    GameOver {
        /// `checkmate`, `stalemate`, `dead_position`, `fivefold_repetition`, `seventyfive_moves`.
        reason: String,
        /// After which ply.
        ply: usize,
    },
    /// The ending move was taken back.
    GameOverWithdrawn,
    /// Kings in the centre.
    ResultSignalled {
        /// `1-0`, `0-1`, `1/2-1/2`.
        result: String,
    },
    /// The record is closed.
    GameEnded,
    /// Something is not as it should be.
    Attention {
        /// What.
        kind: String,
    },
}

/// Everything a subject said in one session.
pub struct Report {
    /// Statements in order.
    pub events: Vec<(u64, Event)>,
    /// The line, for a capture of what went wrong.
    pub line: Vec<(u64, LineEvent)>,
    /// When each effective press happened and when it was on the wire.
    pub presses: Vec<(u64, u64)>,
    /// When each field update was on the wire.
    pub reported: Vec<u64>,
    /// The length of one scan, nanoseconds.
    pub scan: u64,
    /// Bytes the subject wrote.
    pub written: usize,
}

/// Lets a subject watch a whole session.
pub fn drive(session: &Session, subject: &mut dyn Subject) -> Report {
    let mut board = Board::new(session, Host::Caller);
    let mut report = Report {
        events: Vec::new(),
        line: Vec::new(),
        presses: Vec::new(),
        reported: Vec::new(),
        scan: board.scan(),
        written: 0,
    };
    let mut idle = 0;
    let mut unusual = session.truth.games.iter().filter(|g| !g.usual()).peekable();
    while board.now() < session.end {
        let deadline = subject.deadline().unwrap_or(u64::MAX);
        // Half a second after the last man: all squares have been told by then.
        let telling = unusual.peek().map_or(u64::MAX, |g| g.set_up + SECOND / 2);
        let until = deadline.max(board.now()).min(session.end).min(telling);
        let arrived = board.advance(until);
        let now = board.now();
        if arrived.is_empty()
            && let Some(game) = unusual.next_if(|_| now >= telling)
        {
            let chess960 = game.mode == CastlingMode::Chess960;
            let outputs = subject.told(now, &game.fen, chess960);
            obey(outputs, now, &mut board, &mut report);
            continue;
        }
        if arrived.is_empty() {
            idle = if deadline <= now { idle + 1 } else { 0 };
            assert!(idle < 1000, "the subject's deadline {deadline} never moves on at {now}");
            if deadline <= now {
                let outputs = subject.timeout(now);
                obey(outputs, now, &mut board, &mut report);
            }
            continue;
        }
        idle = 0;
        for (time, event) in arrived {
            let outputs = match &event {
                LineEvent::Up => subject.attach(time),
                LineEvent::Down => subject.detach(time),
                LineEvent::Bytes(bytes) => subject.bytes(time, bytes),
            };
            report.line.push((time, event));
            obey(outputs, time, &mut board, &mut report);
        }
    }
    report.presses = board.presses();
    report.reported = std::mem::take(&mut board.reported);
    report
}

fn obey(outputs: Vec<Output>, now: u64, board: &mut Board, report: &mut Report) {
    for output in outputs {
        match output {
            Output::Command(bytes) => {
                report.written += bytes.len();
                board.host_bytes(now, &bytes);
            }
            Output::Event(event) => report.events.push((now, event)),
        }
    }
}
