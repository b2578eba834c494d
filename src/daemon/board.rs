//! One board's task: the port's bytes and everybody's requests into the core, its outputs out.
//!
//! The loop holds no judgement: it turns the world into one input, then obeys.

mod play;
mod record;
mod rescue;

use std::{
    any::Any,
    future::pending,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    sync::{Notify, Semaphore, mpsc, oneshot, watch},
    task::{JoinError, JoinSet},
};
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, info, warn};

use self::rescue::{Rescue, Trust};
use super::{
    clock::{BoardClock, wall_micros},
    player::Player,
    recorder::News,
};
use crate::{
    arbiter::{
        Answer, Arbiter, Event, EventKind, Input, Options, Output, Question, Reply,
        event::{AttentionKind, StartSource},
        resume::Memo,
    },
    capture::{Record, What},
    laws::Conditions,
    signals::{BoardAsk, BoardHandle, BoardRequest, BoardView, Caller, Denied, hub, hub::HubInput},
    units::{BoardId, Stamp},
};

/// How long a board may take to accept a command.
const WRITE_PATIENCE: Duration = Duration::from_secs(2);

/// The core of a board that failed so often within [`RELAPSE`] starts afresh, without its game.
const FAILURES: usize = 3;
/// See [`FAILURES`].
const RELAPSE: Duration = Duration::from_mins(1);

/// A byte stream to a board.
pub trait Line: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Line for T {}

/// Where a board's bytes come from.
pub enum Feed {
    /// A port.
    Line(Box<dyn Line>),
    /// A capture.
    Replay(Box<Player>),
}

/// A feed to be used until it ends; dropping it gives the port back.
pub struct Attachment {
    /// The port's name, for people.
    pub name: String,
    /// Its bytes.
    pub feed: Feed,
    /// Tells the one who found the port that it is free again.
    #[expect(dead_code, reason = "held for what it does when dropped")]
    pub lease: Option<Lease>,
}

/// Tells, when dropped, that a port is free again.
#[derive(Debug)]
pub struct Lease {
    /// The port.
    pub port: PathBuf,
    /// Who wants to know.
    pub free: mpsc::UnboundedSender<PathBuf>,
}

impl Drop for Lease {
    fn drop(&mut self) {
        // When the scanner has ended nobody wants to know.
        let _ = self.free.send(std::mem::take(&mut self.port));
    }
}

/// What the supervisor tells a board's task.
pub enum Control {
    /// The board was found on this port.
    Attach(Attachment),
    /// How games that start from now on are played.
    Conditions(Conditions),
    /// Another label.
    Label(String),
    /// Why the board cannot be used, empty when it can.
    Fault(String),
    /// Answer if you turn.
    Ping(oneshot::Sender<()>),
    /// Fail at the next bytes.
    #[cfg(test)]
    Fail,
    /// Fail at once, and not in the core.
    #[cfg(test)]
    Die,
}

/// What a board's task needs.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The board.
    pub id: BoardId,
    /// What people call it.
    pub label: String,
    /// How it is watched.
    pub options: Options,
    /// Its time.
    pub clock: BoardClock,
    /// Who numbers and writes down.
    pub hub: mpsc::Sender<HubInput>,
    /// Rung when the view has changed.
    pub dirty: Arc<Notify>,
    /// How many heavy searches may run at once in the whole daemon.
    pub searches: Arc<Semaphore>,
    /// Where its line is recorded, if somebody wants it to be.
    pub captures: PathBuf,
    /// The daemon ends.
    pub stop: CancellationToken,
}

/// The task of one board.
pub struct Board {
    setup: Setup,
    arbiter: Arbiter,
    /// Where a failed core starts again.
    rescue: Rescue,
    failures: Vec<Stamp>,
    view: watch::Sender<Arc<BoardView>>,
    requests: mpsc::Receiver<BoardRequest>,
    control: mpsc::Receiver<Control>,
    attachment: Option<Attachment>,
    out: Vec<Output>,
    /// The search that runs, if one does, and the question to work out after it.
    answers: JoinSet<Answer>,
    question: Option<Question>,
    /// Time never runs back, whatever feeds it.
    last: Stamp,
    last_timeout: Option<Stamp>,
    /// In a capture: the board is connected; it was disconnected at this moment.
    plugged: bool,
    pulled: Option<Stamp>,
    game: Option<(u32, String)>,
    /// The game before it, which may come back.
    before: Option<(u32, String)>,
    /// What the journal was last told of the game beside its events; whether to look again.
    kept: Option<Memo>,
    asked: bool,
    recording: Option<record::Recording>,
    #[cfg(test)]
    fail_next: bool,
}

/// A board's last game, taken up from its journal.
#[derive(Debug)]
pub struct Taken {
    /// The core.
    pub arbiter: Arbiter,
    /// What it still has to tell and ask.
    pub outputs: Vec<Output>,
    /// The game's number and unique name.
    pub game: Option<(u32, String)>,
    /// The same of the game before it.
    pub before: Option<(u32, String)>,
}

/// What a turn of the loop brought.
enum Happened {
    Bytes(usize),
    Gone(String),
    Spoilt(String),
    Record(Record),
    End,
    Due(Stamp),
    Request(BoardRequest),
    Control(Control),
    Answer(Result<Answer, JoinError>),
    Recorder(News),
    Stop,
}

/// Who asked for something, for the record and for the answer.
struct Asker {
    name: &'static str,
    by: Caller,
    reply: oneshot::Sender<Result<Reply, Denied>>,
}

impl Board {
    /// A board that is on no port yet, with the ends others use.
    pub fn new(setup: Setup) -> (Board, BoardHandle, mpsc::Sender<Control>) {
        let origin = wall_micros().saturating_sub(setup.clock.base().as_micros());
        let mut first = BoardView::new(setup.id.clone(), setup.label.clone(), origin);
        first.speed_milli = setup.clock.speed_milli();
        let (view, view_rx) = watch::channel(Arc::new(first));
        let (requests_tx, requests) = mpsc::channel(16);
        let (control_tx, control) = mpsc::channel(16);
        let board = Board {
            arbiter: Arbiter::new(setup.id.clone(), setup.options.clone()),
            setup,
            rescue: Rescue::default(),
            failures: Vec::new(),
            view,
            requests,
            control,
            attachment: None,
            out: Vec::new(),
            answers: JoinSet::new(),
            question: None,
            last: Stamp::ZERO,
            last_timeout: None,
            plugged: false,
            pulled: None,
            game: None,
            before: None,
            kept: None,
            asked: false,
            recording: None,
            #[cfg(test)]
            fail_next: false,
        };
        (board, BoardHandle { view: view_rx, requests: requests_tx }, control_tx)
    }

    /// The same board with its game from before the program was started.
    #[must_use]
    pub fn resuming(mut self, taken: Taken) -> Board {
        self.rescue.restart(&taken.arbiter);
        self.arbiter = taken.arbiter;
        self.game = taken.game;
        self.before = taken.before;
        self.out = taken.outputs;
        self.last = self.setup.clock.base();
        self.show();
        self
    }

    /// Works until the daemon ends.
    pub async fn run(mut self) {
        let mut buffer = [0_u8; 1024];
        // What a game taken up still has to tell.
        self.deliver().await;
        loop {
            match self.next(&mut buffer).await {
                Happened::Bytes(count) => {
                    let now = self.now();
                    self.note(|| What::FromBoard(buffer[..count].to_vec()));
                    self.step(Input::Bytes(&buffer[..count]), now).await;
                }
                Happened::Gone(why) => self.detach(&why).await,
                Happened::Spoilt(why) => self.spoilt(why).await,
                Happened::Record(record) => self.play(record).await,
                Happened::End => self.end_of_capture().await,
                Happened::Due(deadline) => {
                    let now = self.due_time(deadline);
                    self.last_timeout = Some(now);
                    self.step(Input::Timeout, now).await;
                }
                Happened::Request(request) => self.answer_request(request).await,
                Happened::Control(control) => self.obey(control).await,
                Happened::Answer(Ok(answer)) => {
                    let now = self.now();
                    self.step(Input::Answer(answer), now).await;
                }
                Happened::Answer(Err(e)) => self.search_failed(&e),
                Happened::Recorder(news) => self.recorded(news).await,
                Happened::Stop => return self.close_recording().await,
            }
        }
    }

    async fn next(&mut self, buffer: &mut [u8]) -> Happened {
        let clock = self.setup.clock;
        // A deadline that does not go away must not keep the task busy.
        let soonest = self.last_timeout.map(|last| last + Duration::from_millis(1));
        let deadline = self.arbiter.deadline().map(|d| soonest.map_or(d, |s| d.max(s)));
        let due = async {
            match deadline {
                // Without a clock only the capture's records move time.
                Some(deadline) if !clock.is_unbound() => {
                    clock.until(deadline).await;
                    deadline
                }
                _ => pending().await,
            }
        };
        let attachment = &mut self.attachment;
        let feed = async {
            match attachment.as_mut().map(|a| &mut a.feed) {
                Some(Feed::Line(line)) => match line.read(buffer).await {
                    Ok(0) => Happened::Gone("unplugged".into()),
                    Ok(count) => Happened::Bytes(count),
                    Err(e) => Happened::Gone(e.to_string()),
                },
                Some(Feed::Replay(player)) => match player.peek() {
                    Ok(Some(at)) => {
                        clock.until(at).await;
                        player.take().map_or(Happened::End, Happened::Record)
                    }
                    Ok(None) => Happened::End,
                    Err(e) => Happened::Spoilt(e),
                },
                None => pending().await,
            }
        };
        let recording = &mut self.recording;
        let news = async {
            match recording {
                Some(on) => on.recorder.news().await,
                None => pending().await,
            }
        };
        tokio::select! {
            () = self.setup.stop.cancelled() => Happened::Stop,
            control = self.control.recv() => control.map_or(Happened::Stop, Happened::Control),
            Some(request) = self.requests.recv() => Happened::Request(request),
            Some(answer) = self.answers.join_next() => Happened::Answer(answer),
            news = news => Happened::Recorder(news),
            happened = feed => happened,
            deadline = due => Happened::Due(deadline),
        }
    }

    /// The moment it is; never before one that was used.
    fn now(&mut self) -> Stamp {
        self.last = self.last.max(self.setup.clock.now());
        self.last
    }

    /// In log time a deadline is met exactly, live when it is noticed.
    fn due_time(&mut self, deadline: Stamp) -> Stamp {
        if matches!(self.attachment, Some(Attachment { feed: Feed::Replay(_), .. })) {
            self.last = self.last.max(deadline);
            self.last
        } else {
            self.now()
        }
    }

    /// One input into the core, and its outputs out.
    async fn step(&mut self, input: Input<'_>, now: Stamp) {
        #[cfg(test)]
        let fail = matches!(input, Input::Bytes(_)) && std::mem::take(&mut self.fail_next);
        self.rescue.give(&input, now);
        let taken = self.guarded(now, |arbiter, out| {
            #[cfg(test)]
            assert!(!fail, "made to fail by a test");
            arbiter.advance(input, now, out);
        });
        if taken.is_some() {
            let is_fact = |output: &Output| matches!(output, Output::Event(e) if is_fact(&e.kind));
            self.rescue.taken(&self.arbiter, self.out.iter().any(is_fact));
        }
        self.deliver().await;
    }

    /// Calls the core so that its failure stays here: a failed core is replaced.
    fn guarded<T>(
        &mut self,
        now: Stamp,
        call: impl FnOnce(&mut Arbiter, &mut Vec<Output>) -> T,
    ) -> Option<T> {
        let Board { arbiter, out, .. } = self;
        match catch_unwind(AssertUnwindSafe(|| call(arbiter, out))) {
            Ok(value) => Some(value),
            Err(panic) => {
                self.replace_core(&panic_text(&*panic), now);
                None
            }
        }
    }

    fn replace_core(&mut self, what: &str, now: Stamp) {
        error!(board = self.setup.id.as_str(), "the core failed and is started again: {what}");
        self.out.clear();
        self.failures.retain(|at| now.since(*at) < RELAPSE);
        self.failures.push(now);
        let relapse = self.failures.len() >= FAILURES;
        let fresh = || Arbiter::new(self.setup.id.clone(), self.setup.options.clone());
        let trust = if self.failures.len() > 1 { Trust::Facts } else { Trust::All };
        self.arbiter = if relapse { fresh() } else { self.rescue.core(fresh, trust) };
        // The board is greeted anew, so that a dump shows what was missed meanwhile. That the old
        // core loses it is no news.
        self.arbiter.advance(Input::Detached, now, &mut self.out);
        self.out.clear();
        let text = if relapse {
            "this program failed repeatedly on this board: its game could not be kept; set the \
             position again"
        } else {
            "this program failed on this board and was started again: compare its game with the \
             board"
        };
        let kind = EventKind::Attention {
            kind: AttentionKind::Internal,
            squares: Vec::new(),
            text: text.into(),
        };
        let game = self.game.as_ref().map(|(number, _)| *number);
        let event = Event { board: self.setup.id.clone(), t: now, game, kind };
        self.out.push(Output::Event(event));
        if let Some(attachment) = &self.attachment {
            let port = attachment.name.as_str();
            self.arbiter.advance(Input::Attached { port }, now, &mut self.out);
        }
        self.rescue.restart(&self.arbiter);
    }

    /// Obeys the outputs: view first, then events, then commands to the board.
    async fn deliver(&mut self) {
        let mut changed = false;
        let mut events = Vec::new();
        let mut commands = Vec::new();
        for output in std::mem::take(&mut self.out) {
            match output {
                Output::Send(command) => commands.push(command),
                // What may change with the next square is state, not a fact: the view has it.
                Output::Event(event) if matches!(event.kind, EventKind::Provisional { .. }) => {
                    changed = true;
                }
                Output::Event(event) => {
                    let id = self.game_id(&event);
                    events.push((event, id));
                }
                Output::StatusChanged => changed = true,
                // What follows a dead position is dead: the newest question is enough.
                Output::Ask(question) => self.question = Some(question),
            }
        }
        self.search();
        if changed || !events.is_empty() {
            self.show();
        }
        let time_micros = wall_micros();
        if std::mem::take(&mut self.asked) || !events.is_empty() {
            self.keep(time_micros).await;
        }
        for (event, game_id) in events {
            let view = Arc::clone(&self.view.borrow());
            let input = HubInput::Event { event: Box::new(event), view, game_id, time_micros };
            if self.setup.hub.send(input).await.is_err() {
                debug!(board = self.setup.id.as_str(), "the hub has ended");
            }
        }
        for command in commands {
            if !self.write(command.bytes()).await {
                break;
            }
        }
    }

    /// Tells the journal what a restart must know beside the events, before those that rest on it.
    async fn keep(&mut self, time_micros: u64) {
        let memo = self.arbiter.memo();
        if memo == self.kept {
            return;
        }
        self.kept.clone_from(&memo);
        let (Some(memo), Some((_, game_id))) = (memo, &self.game) else { return };
        let view = Arc::clone(&self.view.borrow());
        let (memo, game_id, t) = (Box::new(memo), game_id.clone(), self.last);
        let input = HubInput::Kept { memo, t, view, game_id, time_micros };
        if self.setup.hub.send(input).await.is_err() {
            debug!(board = self.setup.id.as_str(), "the hub has ended");
        }
    }

    /// Works out the newest question, when the one before is answered.
    fn search(&mut self) {
        if !self.answers.is_empty() {
            return;
        }
        let Some(question) = self.question.take() else { return };
        let searches = Arc::clone(&self.setup.searches);
        self.answers.spawn(async move {
            // The semaphore is never closed.
            let _one_of_few = searches.acquire_owned().await;
            let search = tokio::task::spawn_blocking(|| question.work_out());
            match search.await {
                Ok(answer) => answer,
                Err(e) => std::panic::resume_unwind(e.into_panic()),
            }
        });
    }

    fn search_failed(&mut self, e: &JoinError) {
        let board = self.setup.id.as_str();
        error!(board, error = %e, "a search failed; the position counts as not dead");
        self.search();
    }

    /// The unique name of the game an event belongs to; a new game gets a new one.
    fn game_id(&mut self, event: &Event) -> String {
        let Some(number) = event.game else { return String::new() };
        // A game taken up again keeps its name.
        let begins = matches!(
            event.kind,
            EventKind::GameStarted { source, .. } if source != StartSource::Resumed
        );
        let own = |game: &Option<(u32, String)>| game.as_ref().is_some_and(|(of, _)| *of == number);
        if !begins && !own(&self.game) && own(&self.before) {
            // Its start was undone, or the other's: each keeps its name.
            std::mem::swap(&mut self.game, &mut self.before);
        }
        if begins || self.game.as_ref().is_none_or(|(known, _)| *known != number) {
            let compact = hub::compact(&hub::rfc3339(wall_micros()));
            let name = format!("{}-{compact}-{number}", self.setup.id);
            self.before = self.game.replace((number, name));
        }
        self.game.as_ref().map(|(_, id)| id.clone()).unwrap_or_default()
    }

    /// Makes the view what the core shows now.
    fn show(&mut self) {
        let now = self.last;
        let Some(status) = self.guarded(now, |arbiter, _| arbiter.status()) else { return };
        let game_id = match (&status.game, &self.game) {
            (Some(_), Some((_, id))) => id.clone(),
            _ => String::new(),
        };
        let port = self.attachment.as_ref().map(|a| a.name.clone()).unwrap_or_default();
        let wall = wall_micros();
        self.renew_view(|view| BoardView {
            id: view.id.clone(),
            label: view.label.clone(),
            port,
            error: view.error.clone(),
            ended_micros: view.end_of(&status, wall),
            status,
            game_id,
            epoch_micros: view.epoch_micros,
            speed_milli: view.speed_milli,
            recording: view.recording.clone(),
        });
    }

    fn change_view(&self, change: impl FnOnce(&mut BoardView)) {
        self.renew_view(|view| {
            let mut new = view.clone();
            change(&mut new);
            new
        });
    }

    fn renew_view(&self, make: impl FnOnce(&BoardView) -> BoardView) {
        let changed = self.view.send_if_modified(|view| {
            let new = make(view);
            let changed = **view != new;
            if changed {
                *view = Arc::new(new);
            }
            changed
        });
        if changed {
            self.setup.dirty.notify_one();
        }
    }

    /// Sends bytes to the board; false when it took none.
    async fn write(&mut self, bytes: &[u8]) -> bool {
        let Some(Attachment { feed: Feed::Line(line), .. }) = &mut self.attachment else {
            return false;
        };
        let failed = match tokio::time::timeout(WRITE_PATIENCE, line.write_all(bytes)).await {
            Ok(Ok(())) => {
                self.note(|| What::ToBoard(bytes.to_vec()));
                return true;
            }
            Ok(Err(e)) => e.to_string(),
            Err(_) => "it accepts no commands".into(),
        };
        // Not `detach`: that would come here again. The next read finds the port gone as well.
        info!(board = self.setup.id.as_str(), "writing failed: {failed}");
        if let Some(attachment) = &mut self.attachment {
            attachment.feed = Feed::Line(Box::new(tokio::io::empty()));
        }
        false
    }

    async fn detach(&mut self, why: &str) {
        let Some(attachment) = self.attachment.take() else { return };
        info!(board = self.setup.id.as_str(), port = attachment.name, "port closed: {why}");
        self.note(|| What::Disconnected);
        let now = self.now();
        self.step(Input::Detached, now).await;
        drop(attachment);
    }

    async fn attach(&mut self, attachment: Attachment) {
        if self.attachment.is_some() {
            self.detach("the board was found on another port").await;
        }
        let now = self.now();
        let name = attachment.name.clone();
        let replay = matches!(attachment.feed, Feed::Replay(_));
        self.attachment = Some(attachment);
        self.change_view(|view| {
            view.error.clear();
            view.port.clone_from(&name);
        });
        // A capture says itself when its board was connected.
        if !replay {
            self.note(|| What::Connected);
            self.step(Input::Attached { port: &name }, now).await;
        }
    }

    async fn answer_request(&mut self, request: BoardRequest) {
        let BoardRequest { what, name, by, reply } = request;
        let question = what.is_question();
        let asker = Asker { name, by, reply };
        match what {
            BoardAsk::Label(label) => {
                self.change_view(|view| view.label = label);
                self.reply(asker, Ok(Reply::Done)).await;
            }
            BoardAsk::StartCapture => self.start_recording(asker).await,
            BoardAsk::StopCapture => self.stop_recording(asker).await,
            BoardAsk::Core(request) => {
                let now = self.now();
                let answer = self.guarded(now, |arbiter, out| arbiter.request(request, now, out));
                self.asked = true;
                if matches!(answer, Some(Ok(_))) {
                    self.rescue.restart(&self.arbiter);
                }
                let answer = match answer {
                    Some(answer) => answer.map_err(Denied::from),
                    None => Err(Denied::Failed),
                };
                // Who asked stands before what came of it.
                if !question {
                    self.put_on_record(asker.name, asker.by, &answer).await;
                }
                self.deliver().await;
                // The asker may have gone.
                let _ = asker.reply.send(answer);
            }
        }
    }

    /// Answers a request that is for the record.
    async fn reply(&mut self, asker: Asker, answer: Result<Reply, Denied>) {
        self.put_on_record(asker.name, asker.by, &answer).await;
        // The asker may have gone.
        let _ = asker.reply.send(answer);
    }

    async fn put_on_record(
        &mut self,
        what: &'static str,
        by: Caller,
        answer: &Result<Reply, Denied>,
    ) {
        let asked = HubInput::Asked {
            view: self.view.borrow().clone(),
            what,
            by,
            refused: answer
                .as_ref()
                .err()
                .map(|why| crate::signals::refused::denied(&self.setup.options.language, why)),
            time_micros: wall_micros(),
        };
        if self.setup.hub.send(asked).await.is_err() {
            debug!(board = self.setup.id.as_str(), "the hub has ended");
        }
    }

    async fn obey(&mut self, control: Control) {
        match control {
            Control::Attach(attachment) => self.attach(attachment).await,
            Control::Conditions(conditions) => {
                self.arbiter.set_conditions(conditions);
                self.rescue.restart(&self.arbiter);
                self.setup.options.conditions = conditions;
            }
            Control::Label(label) => self.change_view(|view| view.label = label),
            Control::Fault(error) => {
                if !error.is_empty() && self.view.borrow().error != error {
                    warn!(board = self.setup.id.as_str(), "{error}");
                }
                self.change_view(|view| view.error = error);
            }
            // Who asked may have given up.
            Control::Ping(alive) => drop(alive.send(())),
            #[cfg(test)]
            Control::Fail => self.fail_next = true,
            #[cfg(test)]
            Control::Die => std::panic::resume_unwind(Box::new("made to fail by a test")),
        }
    }
}

/// What a core must be able to start from again.
fn is_fact(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::GameStarted { .. }
            | EventKind::Move { .. }
            | EventKind::Takeback { .. }
            | EventKind::GameOver { .. }
            | EventKind::GameOverWithdrawn { .. }
            | EventKind::GapClosed { .. }
            | EventKind::IllegalMove { .. }
            | EventKind::GameEnded { .. }
            | EventKind::GameReopened { .. }
    )
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given").to_owned()
}

#[cfg(test)]
mod tests;
