//! Taking up again what the journal remembers: games for the boards' tasks, alerts for the hub.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::{Duration, UNIX_EPOCH},
};

use tracing::{error, info, warn};

use super::{
    board::Taken,
    clock::BoardClock,
    supervisor::{board_id, options},
};
use crate::{
    arbiter::{
        Arbiter, Event, EventKind, Options,
        event::AttentionKind,
        resume::{self, Resumed},
    },
    config::{BoardOrientation, Config},
    signals::{
        BoardView,
        hub::{GameMemory, HubInput, HubMemory},
        journal::{self, Opened},
        recover::{BoardMemory, Finished, Recovery},
    },
    units::{BoardId, Stamp},
};

/// An end of a game that was told so shortly before may not have sounded: it sounds again.
const MAY_NOT_HAVE_SOUNDED: Duration = Duration::from_secs(600);

/// A board whose last line is older is not missed: its game waits until it comes.
const STILL_PLAYING: Duration = Duration::from_secs(24 * 3_600);

/// Two readings of the time of day further apart than this are not believed.
const LONGEST_ABSENCE: Duration = Duration::from_secs(366 * 24 * 3_600);

/// What was recovered, for those who need it.
#[derive(Default)]
pub struct Recovered {
    /// For the hub.
    pub hub: HubMemory,
    /// For the boards' tasks.
    pub waiting: Waiting,
    /// What was found damaged, to be told.
    pub damage: Vec<HubInput>,
}

/// Games that wait for their boards.
#[derive(Default)]
pub struct Waiting {
    boards: BTreeMap<BoardId, Waits>,
}

struct Waits {
    clock: BoardClock,
    taken: Taken,
    label: String,
    playing: bool,
}

impl Waiting {
    /// The boards on which a game was on.
    pub fn playing(&self) -> BTreeSet<BoardId> {
        self.boards.iter().filter(|(_, waits)| waits.playing).map(|(id, _)| id.clone()).collect()
    }

    /// What people called a board.
    pub fn label(&self, id: &BoardId) -> String {
        self.boards.get(id).map(|waits| waits.label.clone()).unwrap_or_default()
    }

    /// A board's clock: it goes on from where it was.
    pub fn clock(&self, id: &BoardId) -> BoardClock {
        self.boards.get(id).map_or_else(BoardClock::live, |waits| waits.clock)
    }

    /// A board's game, once.
    pub fn take(&mut self, id: &BoardId) -> Option<Taken> {
        self.boards.remove(id).map(|waits| waits.taken)
    }
}

/// Takes up all that a journal remembers. `now`: the time of day, microseconds since the epoch.
pub fn recover(opened: Opened, config: &Config, pgn: &Path, now: u64) -> Recovered {
    let Opened { recovery, mended, .. } = opened;
    let since = now.saturating_sub(micros(MAY_NOT_HAVE_SOUNDED));
    let mut recovered = Recovered {
        hub: HubMemory { sound: recovery.to_sound(since), ..HubMemory::default() },
        ..Recovered::default()
    };
    for (file, kept) in &mended {
        match kept {
            Ok(kept) => {
                warn!(file = %file.display(), kept = %kept.display(), "journal: damaged; kept aside");
            }
            Err(e) => {
                error!(file = %file.display(), error = %e, "journal: damaged, and left as it is");
            }
        }
    }
    let Recovery { boards, alerts, .. } = recovery;
    recovered.hub.alerts = alerts;
    for (id, memory) in boards {
        let own = config.boards.iter().find(|board| board_id(board).as_ref() == Some(&id));
        let orientation = own.map_or(BoardOrientation::Auto, |board| board.orientation);
        let options = options(config, orientation, false);
        let (resumed, clock) = rebuild(&id, &memory, &options, now);
        recovered.hub.last.insert(id.clone(), memory.last);
        let before = memory.previous.as_ref().map_or(0, |previous| previous.game_from);
        recovered.hub.games_from.insert(id.clone(), (memory.game_from, before));
        let kept = mended.iter().filter_map(|(file, kept)| Some((file, kept.as_ref().ok()?)));
        let kept: Vec<String> = kept
            .filter(|(file, _)| memory.damage.iter().any(|damage| damage.file == **file))
            .map(|(_, kept)| kept.display().to_string())
            .collect();
        let damage = report(&id, &memory, &resumed.troubles, &kept, clock.base(), now);
        recovered.damage.extend(damage);
        for game in games(&memory, &resumed, &options, &id, pgn) {
            recovered.hub.games.push((id.clone(), game));
        }
        let label = own.map(|board| board.label.clone()).filter(|label| !label.is_empty());
        let waits = Waits {
            label: label.unwrap_or_else(|| memory.label.clone()),
            playing: memory.running
                && now.saturating_sub(memory.time_micros) < micros(STILL_PLAYING),
            clock,
            taken: taken(&memory, resumed),
        };
        recovered.waiting.boards.insert(id, waits);
    }
    let games = recovered.waiting.playing().len();
    if games > 0 {
        info!(games, alerts = recovered.hub.alerts.list().len(), "taken up from the journal");
    }
    recovered
}

/// What one board's journal remembers now.
pub fn read_one(directory: &Path, id: &BoardId) -> Option<BoardMemory> {
    match journal::read_one(directory, id) {
        Ok(mut recovery) => recovery.boards.remove(id),
        Err(e) => {
            error!(board = id.as_str(), error = %e, "journal: cannot be read back");
            None
        }
    }
}

/// A board's game for its task, and the task's clock.
pub fn take_up(
    id: &BoardId,
    memory: &BoardMemory,
    options: &Options,
    now: u64,
) -> (BoardClock, Taken) {
    let (resumed, clock) = rebuild(id, memory, options, now);
    (clock, taken(memory, resumed))
}

fn taken(memory: &BoardMemory, resumed: Resumed) -> Taken {
    let Resumed { arbiter, outputs, .. } = resumed;
    let game = (memory.games > 0).then(|| (memory.games, memory.game_id.clone()));
    let before = memory.previous.as_ref();
    let before = before.map(|previous| (previous.number, previous.game_id.clone()));
    Taken { arbiter, outputs, game, before }
}

fn rebuild(
    id: &BoardId,
    memory: &BoardMemory,
    options: &Options,
    now: u64,
) -> (Resumed, BoardClock) {
    // The board's clock goes on: what was a minute ago then is a minute and the absence ago now.
    let away = Duration::from_micros(now.saturating_sub(memory.time_micros));
    let away = if away > LONGEST_ABSENCE { Duration::ZERO } else { away };
    let base = if memory.t.since(Stamp::ZERO) > LONGEST_ABSENCE { Stamp::ZERO } else { memory.t };
    let clock = BoardClock::live_from(base + away);
    let before = memory.previous.as_ref().map_or(&[][..], |previous| &previous.facts);
    let resumed = facts_to_arbiter(id, before, &memory.facts, memory.most, options, clock.base());
    (resumed, clock)
}

/// As [`resume::resume`], but a fault of this program costs the game and not the daemon.
fn facts_to_arbiter(
    id: &BoardId,
    before: &[resume::Fact],
    facts: &[resume::Fact],
    games: u32,
    options: &Options,
    now: Stamp,
) -> Resumed {
    let rebuild = || resume::resume_after(id.clone(), options.clone(), games, before, facts, now);
    catch_unwind(AssertUnwindSafe(rebuild)).unwrap_or_else(|_| Resumed {
        arbiter: Arbiter::new(id.clone(), options.clone()),
        outputs: Vec::new(),
        record: Vec::new(),
        troubles: vec!["this program failed on its game: set the position again".into()],
    })
}

/// What is to be told of a board's journal that is not as it was written.
fn report(
    id: &BoardId,
    memory: &BoardMemory,
    troubles: &[String],
    kept: &[String],
    t: Stamp,
    time_micros: u64,
) -> Option<HubInput> {
    let mut said: Vec<String> = memory.damage.iter().take(3).map(ToString::to_string).collect();
    let more = memory.damage.len() as u64 + memory.more_damage - said.len() as u64;
    if more > 0 {
        said.push(format!("{more} more places"));
    }
    said.extend(troubles.iter().cloned());
    if said.is_empty() {
        return None;
    }
    for damage in &memory.damage {
        warn!(board = id.as_str(), "journal: {damage}");
    }
    let aside = match kept {
        [] => String::new(),
        kept => format!("; kept as {}", kept.join(", ")),
    };
    let text = format!(
        "the journal of this board was not whole when the program started: {}{aside}. Compare its game \
         with the board",
        said.join("; ")
    );
    let kind = EventKind::Attention { kind: AttentionKind::Journal, squares: Vec::new(), text };
    let view = BoardView::new(id.clone(), memory.label.clone(), 0);
    let event = Box::new(Event { board: id.clone(), t, game: None, kind });
    Some(HubInput::Event { event, view: view.into(), game_id: String::new(), time_micros })
}

/// The games of a board for the hub, the older first.
fn games(
    memory: &BoardMemory,
    resumed: &Resumed,
    options: &Options,
    id: &BoardId,
    pgn: &Path,
) -> Vec<GameMemory> {
    let mut games = Vec::new();
    if let Some(Finished { facts, game_id, tags, ended_micros, .. }) = &memory.previous {
        let unwritten = is_missing(pgn, game_id, *ended_micros);
        let now = Stamp::from_nanos(u64::MAX);
        let Resumed { arbiter, record, .. } = facts_to_arbiter(id, &[], facts, 0, options, now);
        let tags = all_tags(tags, &arbiter);
        games.push(GameMemory { game_id: game_id.clone(), tags, record, unwritten });
    }
    if memory.games > 0 {
        let ended = !memory.running;
        games.push(GameMemory {
            game_id: memory.game_id.clone(),
            tags: all_tags(&memory.tags, &resumed.arbiter),
            record: resumed.record.clone(),
            unwritten: !ended || is_missing(pgn, &memory.game_id, memory.ended_micros),
        });
    }
    games
}

fn all_tags(tags: &BTreeMap<String, String>, arbiter: &Arbiter) -> BTreeMap<String, String> {
    let mut tags = tags.clone();
    tags.extend(arbiter.status().game.map(|game| game.tags).unwrap_or_default());
    tags
}

/// Whether a closed game's file is not there, or is older than its end. Nobody's corrections are
/// written over.
fn is_missing(pgn: &Path, game_id: &str, ended_micros: u64) -> bool {
    let written = fs::metadata(pgn.join(format!("{game_id}.pgn"))).and_then(|file| file.modified());
    match written {
        Ok(at) => at.duration_since(UNIX_EPOCH).is_ok_and(|at| micros(at) < ended_micros),
        Err(_) => true,
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
