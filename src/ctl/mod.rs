//! `dgtctl`: a client of the daemon's bus, and tools that need no daemon.
//!
//! In: the command line, the bus. Out: lines on stdout, an exit status: 0 = fine, 1 = the thing asked
//! about is not so, 2 = usage or input error. Refuses to know: how the daemon does it.

mod board;
mod capture;
mod check;
mod claim;
mod client;
mod draw;
mod error;
mod flag;
mod hosts;
mod illegal;
mod input;
mod json;
mod judge;
mod laws;
mod narrate;
mod notify;
mod pair;
mod plain;
mod position;
mod proof;
mod replay;
mod screen;
mod status;
mod watch;

use std::{ffi::OsString, io, path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};

use client::Client;
pub use error::CtlError;
use hosts::{Host, HostsFile};

use crate::config::BusChoice;

/// Asks and tells a running dgtd, and judges chess games without one.
#[derive(Debug, Parser)]
#[command(name = "dgtctl", version)]
struct Cli {
    /// Bus of the daemon: auto, system, session or a D-Bus address
    #[arg(long, global = true, default_value = "auto", value_name = "BUS")]
    bus: BusChoice,
    /// Daemon of another PC, through ssh: USER@PC, or a name from hosts.toml; for notify several
    #[arg(long, global = true, value_name = "USER@PC", conflicts_with = "bus")]
    host: Vec<String>,
    /// The PCs of the hall; without it hosts.toml in ~/.config/dgtd
    #[arg(long, global = true, value_name = "FILE")]
    hosts: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Shows boards, games and open alerts
    Status {
        /// Only this board: name, serial number or label
        board: Option<String>,
        #[command(flatten)]
        output: Output,
    },
    /// Shows the hall on the terminal; without a terminal, with --lines or --json, prints what
    /// happens, as it happens
    Watch(watch::Watch),
    /// Shows ends of games and what the arbiter must look at on the desktop, until it is ended
    Notify(notify::Notify),
    /// Draws a board
    Show {
        /// Name, serial number or label
        board: String,
        /// What the sensors see, not the position of the game
        #[arg(long)]
        sensors: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Silences the buzzer
    Silence,
    /// Acknowledges an alert, or all of them
    Acknowledge {
        /// The alert's number
        #[arg(required_unless_present = "all")]
        alert: Option<u64>,
        /// All that are open
        #[arg(long, conflicts_with = "alert")]
        all: bool,
    },
    /// Starts a game
    Start(board::Start),
    /// Puts the game to a position; what was played before is closed
    SetPosition {
        /// Name, serial number or label
        board: String,
        /// The position
        fen: String,
        #[command(flatten)]
        seen: Seen,
    },
    /// Enters a result; the game is closed
    Result {
        /// Name, serial number or label
        board: String,
        /// 1-0, 0-1, 1/2-1/2 or *
        result: String,
        /// Why
        #[arg(long, default_value = "")]
        reason: String,
        #[command(flatten)]
        seen: Seen,
    },
    /// Opens a game again that a result or a ruling closed; what was entered is void
    Reopen {
        /// Name, serial number or label
        board: String,
        #[command(flatten)]
        seen: Seen,
    },
    /// Says who plays at a board: the game that waits for its first move, else the next one
    Players(board::Players),
    /// Says who plays at all boards, from the pairing file of a round
    Pair(pair::Pair),
    /// Chooses edition, time control and supervision of a game that is on
    Conditions(board::Conditions),
    /// Says which way round the board stands, and which side of the clock is White's
    Sides(board::Sides),
    /// Takes back the last half-moves, or the start of a game
    Undo {
        /// Name, serial number or label
        board: String,
        /// How many half-moves
        #[arg(default_value_t = 1, conflicts_with = "start")]
        plies: u32,
        /// The game was started, or its position set, by mistake: the game before goes on
        #[arg(long)]
        start: bool,
        #[command(flatten)]
        seen: Seen,
    },
    /// Replays captures through the path that runs live
    Replay(Box<replay::Replay>),
    /// Says what the Laws say of a position: over, dead, who can still mate
    Judge(judge::Judge),
    /// Lists every law event of recorded games
    Laws(laws::Laws),
    /// Says whether a claim of a draw is right, and what a wrong one costs
    Claim(Box<claim::Claim>),
    /// Says what a fallen flag means in a position, or at a live board
    Flag(Box<flag::Flag>),
    /// Lists the illegal moves of a live board, and accepts or dismisses them
    Illegal(illegal::Illegal),
    /// Asks a board again who it is, and prints what it says
    Identify {
        /// Name, serial number or label
        board: String,
    },
    /// Lets the daemon record a board's line in a file that `dgtctl replay` plays
    Record {
        /// Name, serial number or label
        board: String,
        /// Begin or end
        what: board::Record,
    },
    /// Makes the daemon read its configuration again
    Reload,
    /// Checks configuration files and prints the merged result
    Check {
        /// Files in place of /etc/dgtd/dgtd.toml and its conf.d; the later wins
        files: Vec<PathBuf>,
    },
    /// Records a board that no daemon has open
    Capture {
        /// The port, such as /dev/ttyACM0
        port: PathBuf,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
}

/// What a command that asks something answers with its exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// All is well, or the thing asked about is so.
    Yes,
    /// The thing asked about is not so.
    No,
}

/// A side on the command line.
fn side(text: &str) -> Result<shakmaty::Color, &'static str> {
    match text.to_ascii_lowercase().as_str() {
        "white" | "w" => Ok(shakmaty::Color::White),
        "black" | "b" => Ok(shakmaty::Color::Black),
        _ => Err("write white or black"),
    }
}

/// How it is printed.
#[derive(Clone, Copy, Debug, Args)]
struct Output {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What the asker believes of the game.
#[derive(Clone, Copy, Debug, Args)]
struct Seen {
    /// Refuse if the game is not at this half-move; without it, the one it is at now
    #[arg(long, value_name = "PLY")]
    ply: Option<u32>,
}

/// The program `dgtctl`.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(e) => {
            // To stdout for --help; if nobody reads it there is nobody to tell.
            let _ = e.print();
            return ExitCode::from(if e.use_stderr() { 2 } else { 0 });
        }
    };
    let done = match &cli.command {
        Command::Check { files } => check::run(files).map(|()| Answer::Yes),
        Command::Replay(replay) => replay::run(replay).map(|()| Answer::Yes),
        Command::Judge(judge) => judge::run(judge).map(|()| Answer::Yes),
        Command::Laws(laws) => laws::run(laws).map(|()| Answer::Yes),
        Command::Claim(claim) if claim.board().is_none() => claim::run(claim),
        Command::Flag(flag) if flag.board().is_none() => flag::run(flag).map(|()| Answer::Yes),
        _ => match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime.block_on(run(&cli)),
            Err(e) => Err(e.into()),
        },
    };
    match done {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(e) if e.is_broken_pipe() => ExitCode::SUCCESS,
        Err(e) => {
            let mut stderr = io::stderr().lock();
            // If stderr is closed there is nobody to tell.
            let _ = e.print(&mut stderr, &input::language());
            ExitCode::from(e.status())
        }
    }
}

async fn run(cli: &Cli) -> Result<Answer, CtlError> {
    if let Command::Capture { port, output } = &cli.command {
        return capture::run(port, output).await.map(|()| Answer::Yes);
    }
    let (hosts, file) = chosen_hosts(cli)?;
    // Those who look at the whole hall need not name its PCs.
    let named = !cli.host.is_empty() || cli.bus != BusChoice::Auto;
    let all = || if named || file.hosts.is_empty() { hosts.clone() } else { file.hosts.clone() };
    match &cli.command {
        Command::Notify(notify) => {
            let all = all();
            return notify::run(notify, all, file).await.map(|()| Answer::Yes);
        }
        Command::Watch(watch) if watch.once() => {
            return screen::once(&all(), &file, watch.json()).await;
        }
        Command::Watch(watch) if watch.is_screen() => {
            return screen::run(&all(), &file, watch.board()).await.map(|()| Answer::Yes);
        }
        _ => {}
    }
    if let Command::Pair(pair) = &cli.command {
        let all = if cli.host.is_empty() && !file.hosts.is_empty() && cli.bus == BusChoice::Auto {
            file.hosts.clone()
        } else {
            hosts
        };
        let language = screen::language(&file);
        return pair::run(pair, &all, &language).await.map(|()| Answer::Yes);
    }
    let client = match hosts.as_slice() {
        [host] => Client::connect_to(host).await?,
        _ => return Err(CtlError::OneHost(hosts.len())),
    };
    if let Command::Claim(claim) = &cli.command
        && let Some(board) = claim.board()
    {
        return claim::live(&client, claim, board).await;
    }
    obey(cli, client).await.map(|()| Answer::Yes)
}

/// The hosts the command line names, the daemon of `--bus` when it names none; and the file with
/// all of them.
fn chosen_hosts(cli: &Cli) -> Result<(Vec<Host>, HostsFile), CtlError> {
    let file = hosts::load(cli.hosts.as_deref())?;
    if cli.host.is_empty() {
        let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let host = Host { name, hall: String::new(), way: hosts::Way::Bus(cli.bus.clone()) };
        return Ok((vec![host], file));
    }
    let mut chosen: Vec<Host> = Vec::new();
    for name in &cli.host {
        let host = hosts::named(name, &file)?;
        if !chosen.iter().any(|other| other.way == host.way) {
            chosen.push(host);
        }
    }
    Ok((chosen, file))
}

async fn obey(cli: &Cli, client: Client) -> Result<(), CtlError> {
    match &cli.command {
        Command::Status { board, output } => {
            status::run(&client, board.as_deref(), output.json).await
        }
        Command::Watch(watch) => watch::run(client, watch).await,
        Command::Show { board, sensors, output } => {
            board::show(&client, board, *sensors, output.json).await
        }
        Command::Silence => client.silence().await,
        Command::Acknowledge { alert, .. } => board::acknowledge(&client, *alert).await,
        Command::Start(start) => board::start(&client, start).await,
        Command::SetPosition { board, fen, seen } => {
            board::set_position(&client, board, fen, seen.ply).await
        }
        Command::Result { board, result, reason, seen } => {
            board::result(&client, board, result, reason, seen.ply).await
        }
        Command::Undo { board, start: true, seen, .. } => {
            board::undo_start(&client, board, seen.ply).await
        }
        Command::Undo { board, plies, seen, .. } => {
            board::undo(&client, board, *plies, seen.ply).await
        }
        Command::Reopen { board, seen } => board::reopen(&client, board, seen.ply).await,
        Command::Players(players) => board::players(&client, players).await,
        Command::Conditions(conditions) => board::conditions(&client, conditions).await,
        Command::Sides(sides) => board::sides(&client, sides).await,
        Command::Identify { board } => board::identify(&client, board).await,
        Command::Record { board, what } => board::record(&client, board, *what).await,
        Command::Reload => client.reload().await,
        Command::Illegal(illegal) => illegal::run(&client, illegal).await,
        Command::Flag(flag) => match flag.board() {
            Some(board) => flag::live(&client, flag, board).await,
            None => Ok(()),
        },
        // These need no daemon.
        Command::Check { .. }
        | Command::Capture { .. }
        | Command::Notify(_)
        | Command::Pair(_)
        | Command::Replay(_)
        | Command::Judge(_)
        | Command::Laws(_)
        | Command::Claim(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
