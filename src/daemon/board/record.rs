//! Recording the board's line, as somebody asked.

use std::{path::Path, time::Duration};

use tracing::{debug, info, warn};

use super::{Asker, Board, Feed};
use crate::{
    arbiter::{Reply, Request, status::Stage},
    capture::What,
    daemon::{
        clock::wall_micros,
        recorder::{End, Limits, News, Plan, Recorder},
    },
    signals::{
        Denied,
        hub::{self, HubInput},
    },
    units::Ply,
    wire::message,
};

/// How long the end of the daemon waits for a recording to be written.
const CLOSING: Duration = Duration::from_secs(1);

/// A recording that is on.
pub(super) struct Recording {
    pub(super) recorder: Recorder,
    /// Where it is written, empty while the file is being made.
    file: String,
    /// Who waits for its beginning or its end.
    asker: Option<Asker>,
}

impl Board {
    /// Begins a recording; the asker is answered when its file is there.
    pub(super) async fn start_recording(&mut self, asker: Asker) {
        let replayed = self.setup.options.link.passive;
        let denied = match &self.recording {
            _ if replayed => Some(Denied::NoLine),
            Some(on) if on.file.is_empty() => Some(Denied::RecordingBusy),
            Some(on) => Some(Denied::AlreadyRecording(on.file.clone())),
            None => None,
        };
        if let Some(denied) = denied {
            return self.reply(asker, Err(denied)).await;
        }
        let now = self.now();
        match Recorder::start(self.recording_plan(), now) {
            Ok(recorder) => {
                self.recording =
                    Some(Recording { recorder, file: String::new(), asker: Some(asker) });
            }
            Err(e) => {
                return self.reply(asker, Err(Denied::CannotRecord(e.to_string()))).await;
            }
        }
        if matches!(&self.attachment, Some(attachment) if matches!(attachment.feed, Feed::Line(_)))
        {
            self.note(|| What::Connected);
            // A man may be lifted before the board has answered: a replay begins with what was known.
            if let Some(squares) = self.arbiter.squares().map(message::dump) {
                self.note(|| What::Remark("the squares as the daemon knew them".into()));
                self.note(|| What::FromBoard(squares));
            }
            // What was said before is not in the file: who it is, how its men stand, what the clock
            // shows. Refused only where all that is about to be asked anyway.
            let _ = self.guarded(now, |arbiter, out| arbiter.request(Request::Identify, now, out));
            self.deliver().await;
        }
    }

    /// Ends a recording; the asker is answered when all of it is written.
    pub(super) async fn stop_recording(&mut self, asker: Asker) {
        match &mut self.recording {
            None => self.reply(asker, Err(Denied::NotRecording)).await,
            Some(Recording { asker: Some(_), .. }) => {
                self.reply(asker, Err(Denied::RecordingBusy)).await;
            }
            Some(on) => {
                on.asker = Some(asker);
                on.recorder.stop();
            }
        }
    }

    /// Records what happens on the line now, if it is being recorded.
    pub(super) fn note(&mut self, what: impl FnOnce() -> What) {
        if self.recording.is_some() {
            let now = self.now();
            if let Some(on) = &mut self.recording {
                on.recorder.record(now, what());
            }
        }
    }

    /// A recording has begun, failed or ended.
    pub(super) async fn recorded(&mut self, news: News) {
        let Some(on) = &mut self.recording else { return };
        let asker = on.asker.take();
        match news {
            News::Begun(path) => {
                on.file = path.display().to_string();
                let file = on.file.clone();
                info!(board = self.setup.id.as_str(), file, "the line is being recorded");
                self.change_view(|view| view.recording = file);
                if let Some(asker) = asker {
                    self.reply(asker, Ok(Reply::Done)).await;
                }
            }
            News::Failed(why) => {
                self.recording = None;
                if let Some(asker) = asker {
                    self.reply(asker, Err(Denied::CannotRecord(why))).await;
                }
            }
            News::Ended(end) => {
                let file = std::mem::take(&mut on.file);
                self.recording = None;
                self.change_view(|view| view.recording.clear());
                let failed = matches!(end, End::Failed(_) | End::Behind);
                match asker {
                    Some(asker) if failed => {
                        let why = Denied::CannotRecord(format!("{file}: {end}"));
                        self.reply(asker, Err(why)).await;
                    }
                    Some(asker) => self.reply(asker, Ok(Reply::Done)).await,
                    None => self.say_recording_ended(&file, &end).await,
                }
            }
        }
    }

    /// Nobody asked for it: whoever started it must learn of it.
    async fn say_recording_ended(&mut self, file: &str, end: &End) {
        let board = self.setup.id.as_str();
        warn!(board, file, "the recording has ended: {end}");
        let input = HubInput::Said {
            view: self.view.borrow().clone(),
            kind: "recording_ended",
            text: format!("the recording {} has ended: {end}", name(file)),
            time_micros: wall_micros(),
        };
        if self.setup.hub.send(input).await.is_err() {
            debug!(board, "the hub has ended");
        }
    }

    /// The daemon ends: what was recorded is to be in the file.
    pub(super) async fn close_recording(&mut self) {
        let Some(mut on) = self.recording.take() else { return };
        on.recorder.stop();
        let ended = async {
            while !matches!(on.recorder.news().await, News::Ended(_) | News::Failed(_)) {}
        };
        if tokio::time::timeout(CLOSING, ended).await.is_err() {
            warn!(
                board = self.setup.id.as_str(),
                file = on.file,
                "the recording was not closed in time"
            );
        }
    }

    fn recording_plan(&self) -> Plan {
        let view = self.view.borrow();
        let time = hub::rfc3339(wall_micros());
        let version = env!("CARGO_PKG_VERSION");
        let mut comments = vec![
            format!("board: {}", self.setup.id),
            format!("recorded: {time} by dgtd {version}"),
        ];
        if let Some(game) = view.status.game.as_ref().filter(|game| game.stage != Stage::Over) {
            comments.push(format!(
                "game: {} at half-move {}, {}",
                view.game_id, game.ply, game.edition
            ));
            // Squares show neither whose turn it is nor the counters. The initial array says it all.
            let array = shakmaty::fen::Fen::default().to_string();
            if game.ply != Ply(0) || game.start_fen != array {
                comments.push(format!("start: {}", game.fen));
            }
        }
        Plan {
            directory: self.setup.captures.clone(),
            board: self.setup.id.clone(),
            date: hub::compact(&time),
            comments,
            limits: Limits::default(),
        }
    }
}

fn name(file: &str) -> &str {
    Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file)
}
