//! Granting and refusing what people ask of a board.

use std::{collections::BTreeMap, str::FromStr};

use shakmaty::{CastlingMode, Chess, KnownOutcome, Position, PositionError, fen::Fen};

use super::{
    Arbiter, EventKind, Output, Refusal, Reply, Request, TrackerDue, Wanted,
    event::{EndedHow, StartSource},
    live::LiveGame,
    request::{ClaimAnswer, ClaimMade, IllegalAnswer, NewGame},
};
use crate::{
    game::Past,
    laws::{Conditions, Edition, fen as fen_words, text::Language, unknown::Hypotheses},
    tracker::{MOST_MEN, countable},
    units::{Ply, Stamp},
    wire::Orientation,
};

/// The most PGN tags that people may give a game.
const MOST_TAGS: usize = 64;
/// The longest text that is taken, in characters; the longest line of a PGN file's import format.
const LONGEST_TEXT: usize = 255;

impl Arbiter {
    /// Takes up again what a journal tells of an illegal move of the game that is on: it waits, was
    /// decided on, or was withdrawn. Nothing is told.
    pub fn take_up_illegal_move(&mut self, event: &EventKind) {
        if let Some(game) = &mut self.game {
            game.illegal_was_told(event);
        }
    }

    /// Does what is asked, or says why not.
    pub fn request(
        &mut self,
        request: Request,
        now: Stamp,
        out: &mut Vec<Output>,
    ) -> Result<Reply, Refusal> {
        self.tracker_due = TrackerDue::Unknown;
        let reply = self.grant(request, now, out);
        self.obey_tracker(now, out);
        out.push(Output::StatusChanged);
        reply
    }

    fn undo(
        &mut self,
        plies: u32,
        expected_ply: Ply,
        now: Stamp,
        out: &mut Vec<Output>,
    ) -> Result<Reply, Refusal> {
        let played = self.open_game(expected_ply)?.ply().0;
        let to = played.checked_sub(plies).ok_or(Refusal::TooFewPlies(played))?;
        self.tracker.undo(Ply(to), now, &mut self.tracked);
        self.obey_tracker(now, out);
        let game = self.game.as_ref().ok_or(Refusal::NoGame)?;
        Ok(Reply::At { ply: game.ply(), fen: game.fen() })
    }

    fn grant(
        &mut self,
        request: Request,
        now: Stamp,
        out: &mut Vec<Output>,
    ) -> Result<Reply, Refusal> {
        match request {
            Request::NewGame(new) => self.new_game(new, now, out),
            Request::SetPosition { fen, expected_ply } => {
                if let Some(game) = self.game.as_ref().filter(|game| !game.closed()) {
                    fresh(game, expected_ply)?;
                }
                self.new_game(NewGame { fen: Some(fen), ..NewGame::default() }, now, out)
            }
            Request::Undo { plies, expected_ply } => self.undo(plies, expected_ply, now, out),
            Request::SetResult { result, reason, expected_ply } => {
                self.set_result(&result, &reason, expected_ply, now, out)
            }
            Request::SetFlipped(flipped) => {
                let orientation = if flipped { Orientation::Rotated } else { Orientation::Normal };
                self.tracker.set_orientation(orientation, now, &mut self.tracked);
                self.note_stands();
                Ok(Reply::Done)
            }
            Request::SetClockSide(white) => {
                self.tracker.set_clock_side(white);
                Ok(Reply::Done)
            }
            Request::Resync => {
                self.link.request_dump(now, &mut self.linked);
                self.obey_link(now, out);
                Ok(Reply::Done)
            }
            Request::Identify => {
                let answers = self.link.greet_again(now, &mut self.linked);
                self.obey_link(now, out);
                if answers { Ok(Reply::Done) } else { Err(Refusal::NotConnected) }
            }
            Request::SetPairing(tags) => self.set_pairing(tags),
            Request::SetTags(tags) => self.set_tags(tags),
            Request::SetEdition { edition, expected_ply } => {
                let edition = edition_of(&edition)?;
                let conditions = self.open_game(expected_ply)?.conditions();
                self.set_conditions_of_game(Conditions { edition, ..conditions }, now, out);
                Ok(Reply::Done)
            }
            Request::SetConditions {
                edition,
                control,
                supervision,
                supervised_blitz,
                expected_ply,
            } => {
                let edition = edition.as_deref().map(edition_of).transpose()?;
                let old = self.open_game(expected_ply)?.conditions();
                let conditions = Conditions {
                    edition: edition.unwrap_or(old.edition),
                    control: control.unwrap_or(old.control),
                    supervision: supervision.unwrap_or(old.supervision),
                    supervised_blitz: supervised_blitz.unwrap_or(old.supervised_blitz),
                };
                self.set_conditions_of_game(conditions, now, out);
                Ok(Reply::Done)
            }
            Request::Reopen { expected_ply } => self.reopen(expected_ply, now, out),
            Request::UndoStart { language, expected_ply } => {
                self.undo_start(expected_ply, language, now, out)
            }
            Request::Close => {
                self.game.as_ref().filter(|game| !game.closed()).ok_or(Refusal::NoGame)?;
                self.close_game(EndedHow::Closed, now, out);
                self.tracker.close();
                Ok(Reply::Done)
            }
            Request::CheckClaim { kind, announced, expected_ply } => {
                let made = ClaimMade::by_whoever_is_to_move(kind, announced);
                let (answer, _) = self.claim(&made, None, expected_ply)?;
                Ok(Reply::Claim(answer))
            }
            Request::Claim { made, enter, language, expected_ply } => {
                self.open_game(expected_ply)?;
                let (answer, event) = self.claim(&made, language, expected_ply)?;
                self.tell(event, now, out);
                if enter && answer.valid {
                    self.enter("1/2-1/2", &answer.article, now, out);
                }
                Ok(Reply::Claim(answer))
            }
            Request::Flag { side, before, enter, language, expected_ply } => {
                let language = language.unwrap_or_else(|| self.options.language.clone());
                let game = self.open_game(expected_ply)?;
                let (answer, event) = game.rule_on_flag(side.into(), before, &language);
                self.tell(event, now, out);
                if let Some(result) = answer.result.as_deref().filter(|_| enter) {
                    self.enter(result, &answer.article, now, out);
                }
                Ok(Reply::Flag(answer))
            }
            Request::DecideIllegalMove { number, accept, language } => {
                let language = language.unwrap_or_else(|| self.options.language.clone());
                self.decide_illegal_move(number, accept, &language, now, out).map(Reply::Illegal)
            }
            Request::ReconsiderIllegalMove { number } => {
                self.reconsider_illegal_move(number, now, out)
            }
        }
    }

    fn set_tags(&mut self, tags: BTreeMap<String, String>) -> Result<Reply, Refusal> {
        checked(&tags)?;
        let game = self.game.as_mut().ok_or(Refusal::NoGame)?;
        if game.tags_with(&tags) > MOST_TAGS {
            return Err(Refusal::TooManyTags(MOST_TAGS));
        }
        game.set_tags(tags);
        Ok(Reply::Done)
    }

    fn set_result(
        &mut self,
        result: &str,
        reason: &str,
        expected_ply: Ply,
        now: Stamp,
        out: &mut Vec<Output>,
    ) -> Result<Reply, Refusal> {
        if result != "*" && KnownOutcome::from_str(result).is_err() {
            return Err(Refusal::BadResult(shown(result)));
        }
        short("reason", reason)?;
        self.open_game(expected_ply)?.enter_result(result, reason);
        self.close_game(EndedHow::Arbiter, now, out);
        self.tracker.close();
        Ok(Reply::Done)
    }

    fn reconsider_illegal_move(
        &mut self,
        number: u32,
        now: Stamp,
        out: &mut Vec<Output>,
    ) -> Result<Reply, Refusal> {
        let game = self.game.as_mut().ok_or(Refusal::NoGame)?;
        if game.closed() {
            return Err(Refusal::GameOver);
        }
        let event = game.reconsider_illegal_move(number)?;
        self.tell(event, now, out);
        Ok(Reply::Done)
    }

    fn set_conditions_of_game(
        &mut self,
        conditions: Conditions,
        now: Stamp,
        out: &mut Vec<Output>,
    ) {
        let event = self.game.as_mut().and_then(|game| game.set_conditions(conditions, now));
        if let Some(kind) = event {
            self.tell(kind, now, out);
        }
    }

    /// Opens the game again that was closed last. What the board shows now is looked at anew.
    fn reopen(
        &mut self,
        expected_ply: Ply,
        now: Stamp,
        out: &mut Vec<Output>,
    ) -> Result<Reply, Refusal> {
        let game = self.game.as_mut().ok_or(Refusal::NoGame)?;
        if !game.closed() {
            return Err(Refusal::NotClosed);
        }
        fresh(game, expected_ply)?;
        if !self.tracker.reopen() {
            return Err(Refusal::NotToBeReopened);
        }
        game.reopen();
        let kind = EventKind::GameReopened {
            ply: game.ply(),
            fen: game.fen(),
            instead_of: None,
            unseen: false,
        };
        self.tell(kind, now, out);
        self.tell_again(now, out);
        self.tracker.look_again(now, &mut self.tracked);
        Ok(Reply::Done)
    }

    /// Who is to play: of the game that waits for its first move, else of the next one.
    fn set_pairing(&mut self, tags: BTreeMap<String, String>) -> Result<Reply, Refusal> {
        checked(&tags)?;
        let waits = |game: &&mut LiveGame| !game.closed() && game.ply() == Ply(0);
        if let Some(game) = self.game.as_mut().filter(waits) {
            if game.tags_with(&tags) > MOST_TAGS {
                return Err(Refusal::TooManyTags(MOST_TAGS));
            }
            game.set_tags(tags);
            self.next_tags.clear();
            return Ok(Reply::Paired(true));
        }
        self.next_tags = tags;
        Ok(Reply::Paired(false))
    }

    fn claim(
        &self,
        made: &ClaimMade,
        language: Option<Language>,
        expected_ply: Ply,
    ) -> Result<(ClaimAnswer, EventKind), Refusal> {
        let times = self.tracker.lever().times();
        let game = self.game.as_ref().ok_or(Refusal::NoGame)?;
        fresh(game, expected_ply)?;
        short("announced move", made.announced.as_deref().unwrap_or_default())?;
        let language = language.unwrap_or_else(|| self.options.language.clone());
        game.rule_on_claim(made, times, &language)
    }

    /// The arbiter accepts or dismisses an illegal move. A board that was left standing after it is to
    /// be put back; a game that it decides is closed.
    fn decide_illegal_move(
        &mut self,
        number: Option<u32>,
        accept: bool,
        language: &Language,
        now: Stamp,
        out: &mut Vec<Output>,
    ) -> Result<IllegalAnswer, Refusal> {
        let times = self.tracker.lever().times();
        let game = self.game.as_mut().ok_or(Refusal::NoGame)?;
        if game.closed() {
            return Err(Refusal::GameOver);
        }
        let (answer, event, restore) = game.decide_illegal_move(number, accept, times, language)?;
        self.tell(event, now, out);
        if let Some(result) = &answer.result {
            self.enter(result, &answer.article, now, out);
        } else if let Some(restore) = restore {
            self.tracker.undo(restore, now, &mut self.tracked);
            self.obey_tracker(now, out);
        }
        Ok(answer)
    }

    /// Enters the result of a ruling: the game is closed.
    fn enter(&mut self, result: &str, article: &str, now: Stamp, out: &mut Vec<Output>) {
        if let Some(game) = &mut self.game {
            game.enter_result(result, &format!("Article {}", article.replace('+', ", ")));
        }
        self.close_game(EndedHow::Arbiter, now, out);
        self.tracker.close();
    }

    fn new_game(
        &mut self,
        new: NewGame,
        now: Stamp,
        out: &mut Vec<Output>,
    ) -> Result<Reply, Refusal> {
        checked(&new.tags)?;
        let mut conditions = self.options.conditions;
        if let Some(edition) = &new.edition {
            conditions.edition = edition_of(edition)?;
        }
        let position = match &new.fen {
            Some(fen) => position_of(fen, new.chess960)?,
            None => Chess::new(),
        };
        let source = if new.fen.is_some() { StartSource::Setup } else { StartSource::InitialArray };
        // Without the third field of its FEN nobody has said which rights are left.
        let rights_known = new.fen.as_ref().is_none_or(|fen| fen.split_whitespace().count() > 2);
        let position = if rights_known { position } else { with_all_rights(position) };
        self.wanted = Some(Wanted { conditions, tags: new.tags, rights_known });
        self.tracker.start(position, source, now, &mut self.tracked);
        self.obey_tracker(now, out);
        Ok(Reply::Game(self.games))
    }

    fn open_game(&mut self, expected: Ply) -> Result<&mut LiveGame, Refusal> {
        let game = self.game.as_mut().ok_or(Refusal::NoGame)?;
        if game.closed() {
            return Err(Refusal::GameOver);
        }
        fresh(game, expected)?;
        Ok(game)
    }
}

pub(super) fn fresh(game: &LiveGame, expected: Ply) -> Result<(), Refusal> {
    let actual = game.ply();
    if actual == expected { Ok(()) } else { Err(Refusal::StalePly { expected, actual }) }
}

fn edition_of(text: &str) -> Result<Edition, Refusal> {
    text.parse().map_err(|_| Refusal::UnknownEdition(shown(text)))
}

/// Refuses a text that nobody wants to read: what people give is kept, and shown in many places.
fn short(what: &'static str, text: &str) -> Result<(), Refusal> {
    if text.chars().nth(LONGEST_TEXT).is_none() {
        Ok(())
    } else {
        Err(Refusal::TooLong { what, most: LONGEST_TEXT })
    }
}

/// As much of a refused text as helps to find it.
fn shown(text: &str) -> String {
    let mut characters = text.chars();
    let mut shown: String = characters.by_ref().take(100).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Tag names are letters, digits and underscores, as PGN wants them.
fn checked(tags: &BTreeMap<String, String>) -> Result<(), Refusal> {
    if tags.len() > MOST_TAGS {
        return Err(Refusal::TooManyTags(MOST_TAGS));
    }
    for value in tags.values() {
        short("tag value", value)?;
    }
    let fine = |name: &str| {
        (1..=64).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    match tags.keys().find(|name| !fine(name)) {
        Some(name) => Err(Refusal::BadTag(shown(name))),
        None => Ok(()),
    }
}

/// The position with every castling right that kings and rooks at home allow: those that are not
/// left are among the hypotheses.
fn with_all_rights(position: Chess) -> Chess {
    let (mode, quiet) = (position.castles().mode(), position.halfmoves());
    Hypotheses::set_up(position.board(), position.turn(), mode, Past::Unknown, quiet)
        .map_or(position, |all| all.history().position().clone())
}

/// A FEN as a position. Castling rights and an en passant field without substance are dropped;
/// too many men or a check that cannot have arisen do not matter on a board that shows them.
pub(super) fn position_of(fen: &str, chess960: bool) -> Result<Chess, Refusal> {
    let illegal = |why: String| Refusal::IllegalPosition { fen: shown(fen), why };
    if fen.len() > 200 {
        return Err(illegal("longer than any FEN".into()));
    }
    let parsed: Fen = fen.trim().parse().map_err(|e| illegal(fen_words::unreadable(fen, &e)))?;
    if !countable(&parsed.as_setup().board) {
        return Err(illegal(format!(
            "more men than any game can have: at most {MOST_MEN} a side are taken"
        )));
    }
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    parsed
        .into_position::<Chess>(mode)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|e| illegal(fen_words::impossible(e.kinds()).into()))
        .inspect(|position| debug_assert!(position.board().kings().count() == 2))
}
