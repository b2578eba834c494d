//! A game on a board: its history, what the Laws say of it, and what of that has been told.

mod ends;
mod gap;
mod illegal;
mod mating;
mod resume;
mod rulings;

use std::{collections::BTreeMap, sync::Arc};

use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, EnPassantMode, KnownOutcome, Move, Position, fen::Fen,
    san::San, uci::UciMove,
};

use self::mating::Mating;
use super::{
    event::{AttentionKind, ClaimReason, ConfirmedBy, EndReason, EndedHow, EventKind, StartSource},
    status::{GameStatus, MoveStatus, Stage},
};
use crate::{
    game::{Clocks, History, Past},
    laws::{
        ClaimKind, Conditions, Ending, Latch, Over, ledger::Ledger, text::Language,
        unknown::Hypotheses,
    },
    tracker::Times,
    units::{Millis, Ply, Stamp},
};

/// How a game begins.
pub(super) struct Beginning {
    pub position: Chess,
    pub source: StartSource,
    /// The arbiter gave the position; otherwise it was read off the board.
    pub given: bool,
    /// The position says which castling rights are left.
    pub rights_known: bool,
}

/// A confirmed move, as the tracker tells it.
pub(super) struct Made {
    pub m: Move,
    /// When the board first showed it.
    pub at: Stamp,
    pub by: ConfirmedBy,
    pub exact: bool,
    pub times: Option<Times>,
}

/// A game that is on, or was.
#[derive(Clone, Debug)]
pub(super) struct LiveGame {
    number: u32,
    conditions: Conditions,
    /// Of what the arbiter reads.
    language: Language,
    /// The history, under every hypothesis about what is not known of it.
    known: Hypotheses,
    /// Whether either side can still mate, kept up to date ply by ply.
    mating: Mating,
    given: bool,
    /// The first position said which castling rights are left.
    rights_known: bool,
    latch: Latch,
    /// An end by the Laws that has not been told, because its ply is not beyond doubt yet.
    pending: Option<(Over, Option<String>)>,
    /// Up to which ply the positions on the board were found beyond doubt.
    firm_already: Ply,
    /// Plies that another line explains as well: they prove nothing by themselves.
    doubtful: Vec<Ply>,
    /// Plies after which the board could not be read for a while, rising: kings and rooks may have
    /// left and come back meanwhile, and castling rights with them.
    unseen: Vec<Ply>,
    /// Claims open at the latest ply.
    claims: Vec<ClaimReason>,
    moves: Arc<Vec<Arc<MoveStatus>>>,
    tags: BTreeMap<String, String>,
    ledger: Ledger,
    /// Plies that are moves against Article 3 and were left standing.
    irregular: Vec<Ply>,
    /// What the latest ply would end under some hypotheses, or in a later edition.
    maybe_ended: Vec<Ending>,
    later_ended: Vec<Ending>,
    flag: Option<Color>,
    shown_result: Option<KnownOutcome>,
    entered: Option<(String, String)>,
    ended: Option<Stamp>,
    record: Record,
}

/// State of the record of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Record {
    Open,
    Closed,
    /// Closed only because another game came, or the one before it came back.
    MadeWay,
}

/// SAN of a legal move.
pub(super) fn san(position: &Chess, m: Move) -> String {
    let san = San::from_move(position, m);
    if position.is_legal(m) {
        let mut after = position.clone();
        after.play_unchecked(m);
        return with_check(san, &after);
    }
    let mut text = String::with_capacity(LONGEST_SAN);
    san.append_to_string(&mut text);
    text
}

/// SAN of a legal move that led to a position.
fn with_check(san: San, after: &Chess) -> String {
    let mut text = String::with_capacity(LONGEST_SAN);
    san.append_to_string(&mut text);
    if after.is_check() {
        text.push(if after.legal_moves().is_empty() { '#' } else { '+' });
    }
    text
}

/// Room for a move like `Qa1xb2+`, or `exd8=Q+`.
const LONGEST_SAN: usize = 8;

impl LiveGame {
    pub(super) fn new(
        number: u32,
        beginning: &Beginning,
        conditions: Conditions,
        language: Language,
        tags: BTreeMap<String, String>,
    ) -> LiveGame {
        let past = match (beginning.source, beginning.given) {
            (StartSource::InitialArray, _) => Past::Nothing,
            (_, true) if beginning.rights_known => Past::Counted,
            _ => Past::Unknown,
        };
        LiveGame {
            number,
            conditions,
            language,
            mating: Mating::new(&beginning.position, Ply(0)),
            known: beginning_of(beginning, past),
            given: beginning.given || beginning.source == StartSource::InitialArray,
            rights_known: beginning.rights_known,
            latch: Latch::default(),
            pending: None,
            firm_already: Ply(0),
            doubtful: Vec::new(),
            unseen: Vec::new(),
            claims: Vec::new(),
            moves: Arc::default(),
            tags,
            ledger: Ledger::default(),
            irregular: Vec::new(),
            maybe_ended: Vec::new(),
            later_ended: Vec::new(),
            flag: None,
            shown_result: None,
            entered: None,
            ended: None,
            record: Record::Open,
        }
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn closed(&self) -> bool {
        self.record != Record::Open
    }

    pub(super) fn ply(&self) -> Ply {
        self.history().latest()
    }

    pub(super) fn fen(&self) -> String {
        fen(self.history().position())
    }

    pub(super) fn history(&self) -> &History {
        self.known.history()
    }

    pub(super) fn provisional(&self, ply: Ply, position: &Chess, m: Move) -> EventKind {
        debug_assert!(position.is_legal(m), "a move is shown in the position it was made in");
        EventKind::Provisional { ply, uci: self.uci(m), san: san(position, m) }
    }

    /// Takes a confirmed move. Answers the position if whether it is dead needs a longer search.
    pub(super) fn moved(
        &mut self,
        ply: Ply,
        made: &Made,
        out: &mut Vec<EventKind>,
    ) -> Option<Chess> {
        let before = self.history().position();
        let (mover, san) = (before.turn(), San::from_move(before, made.m));
        if let Err(error) = self.known.play(made.m) {
            // The tracker only makes legal moves: this would be a fault of the program.
            out.push(internal(format!("ply {ply} could not be recorded: {error}")));
            return None;
        }
        let position = self.known.history().position();
        self.mating.play(made.m, ply, position);
        if !made.exact {
            self.doubtful.push(ply);
        }
        let (san, uci) = (with_check(san, position), self.uci(made.m));
        out.push(self.record(ply, made, san, uci));
        out.extend(self.lapsed(mover, ply));
        let (question, event) = self.judge();
        out.extend(event);
        question
    }

    /// Takes a move against Article 3 that was left standing: the opponent has moved after it. Counting
    /// goes on.
    pub(super) fn stood(
        &mut self,
        ply: Ply,
        made: &Made,
        position: &Chess,
        out: &mut Vec<EventKind>,
    ) {
        if let Err(error) = self.known.stand(made.m, position) {
            out.push(internal(format!("ply {ply} could not be recorded: {error}")));
            return;
        }
        self.mating = Mating::new(self.history().position(), ply);
        self.irregular.push(ply);
        let (san, uci) = (long(made.m), self.uci(made.m));
        out.push(self.record(ply, made, san, uci));
        let last_rank = position.board().pawns() & Bitboard::BACKRANKS;
        if let Some(square) = last_rank.first() {
            out.push(EventKind::Attention {
                kind: AttentionKind::PawnOnLastRank,
                squares: vec![square.to_string()],
                text: self.language.pawn_stands(square, self.draws_if_still_illegal()),
            });
        }
        let (_, event) = self.judge();
        out.extend(event);
    }

    /// Writes a ply down.
    fn record(&mut self, ply: Ply, made: &Made, san: String, uci: String) -> EventKind {
        let clocks = Clocks {
            white: made.times.map(|times| times.white),
            black: made.times.map(|times| times.black),
        };
        // The ply exists: it was just played.
        let _ = self.known.set_clocks(ply, clocks);
        Arc::make_mut(&mut self.moves).push(Arc::new(MoveStatus {
            san: san.clone(),
            uci: uci.clone(),
            white: clocks.white,
            black: clocks.black,
        }));
        EventKind::Move {
            ply,
            uci,
            san,
            fen: self.fen(),
            made: made.at,
            by: made.by,
            white_clock: clocks.white.map(Millis::as_seconds),
            black_clock: clocks.black.map(Millis::as_seconds),
            exact: made.exact,
        }
    }

    /// Plies after `to` are void; answers the ply of an end that is void with them.
    pub(super) fn take_back_to(&mut self, to: Ply) -> Option<Ply> {
        let _ = self.known.take_back_to(to);
        let position = self.history().position().clone();
        self.mating.take_back_to(to, &position);
        Arc::make_mut(&mut self.moves).truncate(to.index());
        self.doubtful.retain(|&ply| ply <= to);
        self.irregular.retain(|&ply| ply <= to);
        (self.maybe_ended, self.later_ended) = (Vec::new(), Vec::new());
        self.firm_already = self.firm_already.min(to);
        for lost in &mut self.unseen {
            *lost = to.min(*lost);
        }
        self.unseen.dedup();
        self.pending.take_if(|(over, _)| over.ply > to);
        let withdrawn = self.latch.take_back_to(to).map(|over| over.ply);
        if withdrawn.is_some() {
            self.ended = None;
        }
        // What was open at the earlier ply is open again; it was told then.
        let _ = self.judge();
        withdrawn
    }

    /// The board cannot be read from now on.
    pub(super) fn lost_sight(&mut self) {
        let ply = self.ply();
        self.known.lost_sight();
        if self.unseen.last() != Some(&ply) {
            self.unseen.push(ply);
        }
    }

    pub(super) fn signalled(&mut self, outcome: KnownOutcome) {
        self.shown_result = Some(outcome);
    }

    pub(super) fn enter_result(&mut self, result: &str, reason: &str) {
        self.entered = Some((result.to_owned(), reason.to_owned()));
    }

    pub(super) fn set_tags(&mut self, tags: BTreeMap<String, String>) {
        self.tags.extend(tags);
        // An empty value takes a tag away.
        self.tags.retain(|_, value| !value.is_empty());
    }

    /// How many tags the game would have with these.
    pub(super) fn tags_with(&self, tags: &BTreeMap<String, String>) -> usize {
        self.tags.len() + tags.keys().filter(|name| !self.tags.contains_key(*name)).count()
    }

    /// Closes the record, once.
    pub(super) fn close(&mut self, how: EndedHow, now: Stamp) -> Option<EventKind> {
        if self.closed() {
            return None;
        }
        self.record = match how {
            EndedHow::NextGame | EndedHow::Withdrawn => Record::MadeWay,
            _ => Record::Closed,
        };
        self.ended.get_or_insert(now);
        let by_laws = self.latch.first().is_some() && how != EndedHow::Arbiter;
        Some(EventKind::GameEnded {
            result: self.result(),
            plies: self.ply().0,
            how: if by_laws { EndedHow::Laws } else { how },
        })
    }

    /// Opens the record again; what was entered is void. An end by the Laws stands.
    pub(super) fn reopen(&mut self) {
        self.record = Record::Open;
        (self.entered, self.shown_result) = (None, None);
        if self.latch.first().is_none() {
            self.ended = None;
        }
    }

    /// Whether it was closed only because another game came, or the one before it came back.
    pub(super) fn made_way(&self) -> bool {
        self.record == Record::MadeWay
    }

    /// It was closed only because another game came: that is undone.
    pub(super) fn undo_close(&mut self) {
        self.record = Record::Open;
        if self.latch.first().is_none() {
            self.ended = None;
        }
    }

    /// The end of the record as it was told.
    pub(super) fn ended_again(&self) -> EventKind {
        let how = match (&self.entered, self.latch.first(), self.shown_result) {
            (Some(_), ..) => EndedHow::Arbiter,
            (None, Some(_), _) => EndedHow::Laws,
            (None, None, Some(_)) => EndedHow::Signalled,
            (None, None, None) => EndedHow::Closed,
        };
        EventKind::GameEnded { result: self.result(), plies: self.ply().0, how }
    }

    /// The moves in UCI notation, each with whether it is the only one that explains the board.
    pub(super) fn played(&self) -> impl Iterator<Item = (&str, bool)> {
        let exact = |ply: Ply| !self.doubtful.contains(&ply);
        let moves = self.moves.iter().zip(1..);
        moves.map(move |(m, ply)| (m.uci.as_str(), exact(Ply(ply))))
    }

    /// The result as far as it is known: the arbiter's word, then the Laws', then the players'.
    fn result(&self) -> String {
        let outcome = self.latch.first().map(|over| over.outcome).or(self.shown_result);
        match (&self.entered, outcome) {
            (Some((result, _)), _) => result.clone(),
            (None, Some(outcome)) => outcome.to_string(),
            (None, None) => "*".into(),
        }
    }

    pub(super) fn status(&self, provisional: Option<String>) -> GameStatus {
        let last = self.history().last();
        let over = self.latch.first();
        GameStatus {
            number: self.number,
            edition: self.conditions.edition.name().into(),
            control: self.conditions.control,
            supervision: self.conditions.supervision,
            start_fen: fen(&self.history().start().position),
            stage: if self.closed() || over.is_some() {
                Stage::Over
            } else if self.ply() == Ply(0) {
                Stage::Waiting
            } else {
                Stage::Playing
            },
            fen: self.fen(),
            turn: last.position.turn().into(),
            ply: self.ply(),
            last_san: self.moves.last().map(|m| m.san.clone()).unwrap_or_default(),
            provisional: provisional.unwrap_or_default(),
            halfmove_clock: last.quiet.value(),
            repetitions: last.occurrence.value(),
            exact: self.doubtful.is_empty() && self.known.counts_are_exact(),
            claims: self.claims.clone(),
            illegal: self.illegal_status(),
            illegal_counted: [Color::White, Color::Black].map(|side| self.ledger.accepted(side)),
            result: self.result(),
            ending: over.map(|over| end_reason(over.reason().ending)),
            set_by_arbiter: self.entered.is_some(),
            article: over.map(|over| over.reason().article.to_owned()).unwrap_or_default(),
            ended: self.ended,
            tags: self.tags.clone(),
            moves: Arc::clone(&self.moves),
        }
    }

    fn uci(&self, m: Move) -> String {
        let mut text = String::with_capacity(5);
        UciMove::from_move(m, self.history().castling_mode()).append_to_string(&mut text);
        text
    }
}

/// A move that no position allows, with the square it came from.
fn long(m: Move) -> String {
    if let Move::Castle { .. } = m {
        return m.castling_side().map_or_else(String::new, |side| match side {
            CastlingSide::KingSide => "O-O".into(),
            CastlingSide::QueenSide => "O-O-O".into(),
        });
    }
    let from = m.from().map(|from| from.to_string()).unwrap_or_default();
    let man = m.role().upper_char();
    let man = if man == 'P' { String::new() } else { man.to_string() };
    let takes = if m.is_capture() { "x" } else { "" };
    let promoted = m.promotion().map(|role| format!("={}", role.upper_char())).unwrap_or_default();
    format!("{man}{from}{takes}{}{promoted}", m.to())
}

/// Room for the text of most positions: 71 characters of placement and 20 of the rest.
const LONGEST_FEN: usize = 92;

/// Asked for with every change of the board: made without growing.
fn fen(position: &Chess) -> String {
    let mut text = String::with_capacity(LONGEST_FEN);
    Fen::from_position(position, EnPassantMode::Legal).append_to_string(&mut text);
    text
}

fn end_reason(ending: Ending) -> EndReason {
    match ending {
        Ending::Checkmate => EndReason::Checkmate,
        Ending::Stalemate => EndReason::Stalemate,
        Ending::DeadPosition => EndReason::DeadPosition,
        Ending::FivefoldRepetition => EndReason::FivefoldRepetition,
        Ending::SeventyFiveMoves => EndReason::SeventyfiveMoves,
    }
}

fn claim_reason(kind: ClaimKind) -> ClaimReason {
    match kind {
        ClaimKind::Threefold => ClaimReason::ThreefoldRepetition,
        ClaimKind::Fifty => ClaimReason::FiftyMoves,
    }
}

/// A fault of the program that was contained.
fn internal(text: String) -> EventKind {
    EventKind::Attention { kind: AttentionKind::Internal, squares: Vec::new(), text }
}

/// The hypotheses about the past of a game that begins so.
fn beginning_of(beginning: &Beginning, past: Past) -> Hypotheses {
    let position = &beginning.position;
    if !beginning.rights_known {
        let (mode, quiet) = (position.castles().mode(), position.halfmoves());
        let found = Hypotheses::set_up(position.board(), position.turn(), mode, past, quiet);
        // The shown one must be what the tracker follows.
        if let Ok(found) = found
            && found.history().position() == position
        {
            return found;
        }
    }
    Hypotheses::known(History::new(position.clone(), past))
}
