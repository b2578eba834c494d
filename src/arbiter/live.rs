//! A game on a board: its history, what the Laws say of it, and what of that has been told.

mod resume;

use std::{collections::BTreeMap, sync::Arc};

use shakmaty::{
    Chess, Color, EnPassantMode, KnownOutcome, Move, Position, Square,
    fen::Fen,
    san::{San, SanPlus},
    uci::UciMove,
};

use super::{
    event::{ClaimReason, ConfirmedBy, EndReason, EndedHow, EventKind, StartSource, YesNoUnknown},
    request::{ClaimAnswer, Refusal},
    status::{GameStatus, MoveStatus, Stage},
};
use crate::{
    dead,
    game::{Clocks, Count, History, Past},
    laws::illegal::Effect,
    laws::{
        self, BoardAct, CanMate, Claim, ClaimClocks, ClaimKind, Conditions, DeadAnswer, Decision,
        Edition, Ending, Latch, Offence, Over, Verdict,
    },
    tracker::{Fault, Times},
    units::{Millis, Ply, Stamp},
};

/// How a game begins.
pub(super) struct Beginning {
    pub position: Chess,
    pub source: StartSource,
    /// The arbiter gave the position; otherwise it was read off the board.
    pub given: bool,
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
    history: History,
    /// Whether either side can still mate, kept up to date ply by ply.
    running: dead::Running,
    given: bool,
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
    moves: Arc<Vec<MoveStatus>>,
    tags: BTreeMap<String, String>,
    illegal_moves: [u32; 2],
    flag: Option<Color>,
    shown_result: Option<KnownOutcome>,
    entered: Option<(String, String)>,
    ended: Option<Stamp>,
    closed: bool,
}

/// SAN of a legal move.
pub(super) fn san(position: &Chess, m: Move) -> String {
    SanPlus::from_move(position.clone(), m).to_string()
}

impl LiveGame {
    pub(super) fn new(
        number: u32,
        beginning: Beginning,
        conditions: Conditions,
        tags: BTreeMap<String, String>,
    ) -> LiveGame {
        let past = match (beginning.source, beginning.given) {
            (StartSource::InitialArray, _) => Past::Nothing,
            (_, true) => Past::Counted,
            (_, false) => Past::Unknown,
        };
        LiveGame {
            number,
            conditions,
            running: dead::Running::new(&beginning.position, dead::Budget::LIVE),
            history: History::new(beginning.position, past),
            given: beginning.given || beginning.source == StartSource::InitialArray,
            latch: Latch::default(),
            pending: None,
            firm_already: Ply(0),
            doubtful: Vec::new(),
            unseen: Vec::new(),
            claims: Vec::new(),
            moves: Arc::default(),
            tags,
            illegal_moves: [0; 2],
            flag: None,
            shown_result: None,
            entered: None,
            ended: None,
            closed: false,
        }
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn closed(&self) -> bool {
        self.closed
    }

    pub(super) fn ply(&self) -> Ply {
        self.history.latest()
    }

    pub(super) fn fen(&self) -> String {
        fen(self.history.position())
    }

    /// Judges the first position. It ends the game only if somebody vouches for it.
    pub(super) fn judge_start(&mut self, out: &mut Vec<EventKind>) -> Option<Chess> {
        if !self.given {
            return None;
        }
        let (question, event) = self.judge();
        out.extend(event);
        // A given position needs no confirmation by the board.
        out.extend(self.announce(Stamp::ZERO));
        question
    }

    pub(super) fn provisional(&self, ply: Ply, position: &Chess, m: Move) -> EventKind {
        EventKind::Provisional { ply, uci: self.uci(m), san: san(position, m) }
    }

    /// Takes a confirmed move. Answers the position if whether it is dead needs a longer search.
    pub(super) fn moved(
        &mut self,
        ply: Ply,
        made: &Made,
        out: &mut Vec<EventKind>,
    ) -> Option<Chess> {
        let before = self.history.position().clone();
        if let Err(error) = self.history.play(made.m) {
            // The tracker only makes legal moves: this would be a fault of the program.
            out.push(EventKind::Attention {
                kind: super::event::AttentionKind::Internal,
                squares: Vec::new(),
                text: format!("ply {ply} could not be recorded: {error}"),
            });
            return None;
        }
        self.running.play(made.m);
        let clocks = Clocks {
            white: made.times.map(|times| times.white),
            black: made.times.map(|times| times.black),
        };
        // The ply exists: it was just played.
        let _ = self.history.set_clocks(ply, clocks);
        if !made.exact {
            self.doubtful.push(ply);
        }
        let (san, uci) = (san(&before, made.m), self.uci(made.m));
        Arc::make_mut(&mut self.moves).push(MoveStatus {
            san: san.clone(),
            uci: uci.clone(),
            white: clocks.white,
            black: clocks.black,
        });
        out.push(EventKind::Move {
            ply,
            uci,
            san,
            fen: self.fen(),
            made: made.at,
            by: made.by,
            white_clock: clocks.white.map(Millis::as_seconds),
            black_clock: clocks.black.map(Millis::as_seconds),
            exact: made.exact,
        });
        let (question, event) = self.judge();
        out.extend(event);
        question
    }

    /// Judges the latest ply: remembers an end until it is firm, tells of claims.
    fn judge(&mut self) -> (Option<Chess>, Vec<EventKind>) {
        self.claims.clear();
        let waits =
            self.pending.as_ref().is_some_and(|(over, _)| !self.doubtful.contains(&over.ply));
        if self.latch.first().is_some() || waits {
            return (None, Vec::new());
        }
        let answer = DeadAnswer::from(self.running.dead());
        let unknown = answer == DeadAnswer::Unknown;
        let question = unknown.then(|| self.history.position().clone());
        let proof = match answer {
            DeadAnswer::Proved => proof(&self.running.judgement()),
            DeadAnswer::Alive | DeadAnswer::Unknown => None,
        };
        match laws::verdict(&self.history, self.conditions.edition, answer) {
            Verdict::Over(over) => {
                self.hold(over, proof);
                (question, Vec::new())
            }
            Verdict::Open { claims, .. } => {
                let ply = self.ply();
                let exact = self.doubtful.is_empty();
                let rights = self.rights_certain();
                let position = self.history.position();
                let events = claims
                    .iter()
                    .map(|claim| EventKind::ClaimAvailable {
                        reason: claim_reason(claim.kind),
                        claimant: claim.claimant.into(),
                        article: claim.article.to_owned(),
                        moves: match &claim.how {
                            laws::How::JustAppeared => Vec::new(),
                            laws::How::ByMove(moves) => {
                                moves.iter().map(|&m| san(position, m)).collect()
                            }
                        },
                        ply,
                        exact: exact
                            && claim.exact
                            && self.seen_throughout()
                            && (rights || claim.kind != ClaimKind::Threefold),
                    })
                    .collect();
                self.claims = claims
                    .iter()
                    .filter(|claim| claim.how == laws::How::JustAppeared)
                    .map(|claim| claim_reason(claim.kind))
                    .collect();
                (question, events)
            }
        }
    }

    /// Keeps an end until its ply is firm; drops reasons that rest on doubtful plies.
    fn hold(&mut self, mut over: Over, proof: Option<String>) {
        over.reasons.retain(|reason| match reason.ending {
            Ending::FivefoldRepetition => self.repeated_for_certain(over.ply),
            Ending::SeventyFiveMoves => self.quiet_for_certain(over.ply),
            Ending::Checkmate | Ending::Stalemate | Ending::DeadPosition => true,
        });
        if !over.reasons.is_empty() {
            self.pending = Some((over, proof));
        }
    }

    /// Whether five occurrences remain when doubtful plies do not count, nor those before or after a
    /// time in which castling rights may have been lost.
    fn repeated_for_certain(&self, ply: Ply) -> bool {
        let Some(record) = self.history.at(ply) else { return false };
        let rights = !record.position.castles().is_empty();
        let stretch = |at: Ply| self.unseen.iter().filter(|&&lost| lost < at).count();
        let own = stretch(ply);
        if self.doubtful.is_empty() && (!rights || self.unseen.is_empty()) {
            return true;
        }
        let occurrences = (0..=ply.0)
            .map(Ply)
            .filter(|at| !self.doubtful.contains(at))
            .filter(|&at| !rights || stretch(at) == own)
            .filter(|&at| self.history.at(at).is_some_and(|other| other.key == record.key))
            .count();
        occurrences >= 5
    }

    /// Whether 150 quiet half-moves remain when those of doubtful plies do not count.
    fn quiet_for_certain(&self, ply: Ply) -> bool {
        let Some(record) = self.history.at(ply) else { return false };
        let quiet = record.quiet.value();
        let doubtful = self.doubtful.iter().filter(|at| ply.0 - at.0.min(ply.0) < quiet).count();
        u32::try_from(doubtful).is_ok_and(|doubtful| quiet >= laws::SEVENTY_FIVE + doubtful)
    }

    /// A ply is beyond doubt: tells an end at it, or at one before it.
    pub(super) fn firm(&mut self, ply: Ply, now: Stamp) -> Option<EventKind> {
        self.firm_already = self.firm_already.max(ply);
        // The tracker calls a doubtful ply firm only where the doubt does not touch the end: a mate.
        let due = self.pending.as_ref().is_some_and(|(over, _)| {
            over.ply == ply || over.ply < ply && !self.doubtful.contains(&over.ply)
        });
        due.then(|| self.announce(now)).flatten()
    }

    fn announce(&mut self, now: Stamp) -> Option<EventKind> {
        if self.closed {
            return None;
        }
        let (over, proof) = self.pending.take()?;
        let first = over.reason();
        let position = self.history.at(over.ply)?.position.clone();
        let dead = over.reasons.iter().any(|reason| reason.ending == Ending::DeadPosition);
        let kind = EventKind::GameOver {
            result: over.outcome.to_string(),
            reason: end_reason(first.ending),
            article: first.article.to_owned(),
            also: over.reasons[1..].iter().map(|reason| end_reason(reason.ending)).collect(),
            ply: over.ply,
            fen: fen(&position),
            proof: proof.filter(|_| dead),
        };
        self.latch.see(&Verdict::Over(over));
        self.claims.clear();
        self.ended = Some(now);
        Some(kind)
    }

    /// A longer search has judged the position of a ply.
    pub(super) fn judged_late(
        &mut self,
        ply: Ply,
        position: &Chess,
        judgement: &dead::Judgement,
        now: Stamp,
    ) -> Option<EventKind> {
        let stands = self.history.at(ply).is_some_and(|record| record.position == *position);
        if !stands || self.closed || judgement.dead() != dead::Dead::Yes {
            return None;
        }
        for side in Color::ALL {
            self.running.settle(ply.index(), position, side, judgement.side(side).clone());
        }
        if self.latch.first().is_some_and(|first| first.ply <= ply) || self.pending.is_some() {
            return None;
        }
        let verdict =
            laws::verdict_at(&self.history, ply, self.conditions.edition, DeadAnswer::Proved)?;
        let Verdict::Over(over) = verdict else { return None };
        self.hold(over, proof(judgement));
        // The ply may have become firm while the search ran.
        if self.firm_already >= ply { self.announce(now) } else { None }
    }

    /// Plies after `to` are void; answers the ply of an end that is void with them.
    pub(super) fn take_back_to(&mut self, to: Ply) -> Option<Ply> {
        let _ = self.history.take_back_to(to);
        while self.running.ply() > to.index() && self.running.take_back() {}
        Arc::make_mut(&mut self.moves).truncate(to.index());
        self.doubtful.retain(|&ply| ply <= to);
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
        if self.unseen.last() != Some(&ply) {
            self.unseen.push(ply);
        }
    }

    /// Whether the castling rights of the latest position are beyond doubt.
    fn rights_certain(&self) -> bool {
        self.unseen.is_empty() || self.history.position().castles().is_empty()
    }

    /// Whether the board was in sight since the last pawn move or capture: else moves to and fro may
    /// have been missed, and the counters are lower bounds.
    fn seen_throughout(&self) -> bool {
        let latest = self.ply();
        let window = self.history.window(latest).len();
        self.unseen.iter().all(|lost| lost.index() + window <= latest.index())
    }

    pub(super) fn signalled(&mut self, outcome: KnownOutcome) {
        self.shown_result = Some(outcome);
    }

    pub(super) fn enter_result(&mut self, result: &str, reason: &str) {
        self.entered = Some((result.to_owned(), reason.to_owned()));
    }

    pub(super) fn set_tags(&mut self, tags: BTreeMap<String, String>) {
        self.tags.extend(tags);
    }

    /// How many tags the game would have with these.
    pub(super) fn tags_with(&self, tags: &BTreeMap<String, String>) -> usize {
        self.tags.len() + tags.keys().filter(|name| !self.tags.contains_key(*name)).count()
    }

    /// Judges the game by another edition from the latest ply on.
    pub(super) fn set_edition(&mut self, edition: Edition, now: Stamp) -> Option<EventKind> {
        self.conditions.edition = edition;
        self.pending = None;
        let _ = self.judge();
        (self.firm_already >= self.ply()).then(|| self.announce(now)).flatten()
    }

    /// Closes the record, once.
    pub(super) fn close(&mut self, how: EndedHow, now: Stamp) -> Option<EventKind> {
        if std::mem::replace(&mut self.closed, true) {
            return None;
        }
        self.ended.get_or_insert(now);
        let by_laws = self.latch.first().is_some() && how != EndedHow::Arbiter;
        Some(EventKind::GameEnded {
            result: self.result(),
            plies: self.ply().0,
            how: if by_laws { EndedHow::Laws } else { how },
        })
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

    /// A flag as the clock shows it now; an event when it has just fallen.
    pub(super) fn flag(&mut self, flag: Option<Color>) -> Option<EventKind> {
        if self.flag == flag || self.closed {
            return None;
        }
        self.flag = flag;
        let side = flag.filter(|_| self.latch.first().is_none())?;
        let opponent = self.can_mate(!side);
        let ruling =
            laws::flag::judge(&self.conditions, side, laws::flag::Before::Nothing, opponent);
        let (result, article) = match ruling {
            laws::flag::FlagRuling::Result { outcome, article } => (outcome.to_string(), article),
            laws::flag::FlagRuling::Undecided { article } => ("*".into(), article),
            // Neither follows from "nothing came before".
            laws::flag::FlagRuling::ClaimFirst | laws::flag::FlagRuling::NextPeriod => return None,
        };
        Some(EventKind::Flag {
            side: side.into(),
            opponent_can_mate: match opponent {
                CanMate::Yes => YesNoUnknown::Yes,
                CanMate::No => YesNoUnknown::No,
                CanMate::Unknown => YesNoUnknown::Unknown,
            },
            result,
            article: article.to_owned(),
        })
    }

    /// Whether a side can mate by any series of legal moves, searching longer than for a dead
    /// position: a ruling rests on it.
    fn can_mate(&mut self, side: Color) -> CanMate {
        let known = self.running.ask(side).or_else(|| {
            dead::can_mate(self.history.position(), side, dead::Budget::DEFAULT).known()
        });
        match known {
            Some(true) => CanMate::Yes,
            Some(false) => CanMate::No,
            None => CanMate::Unknown,
        }
    }

    /// A press completed something that is no legal move.
    pub(super) fn illegal(
        &mut self,
        by: Color,
        ply: Ply,
        fault: Fault,
        squares: &[Square],
    ) -> EventKind {
        let opponent = self.can_mate(!by);
        let count = &mut self.illegal_moves[usize::from(by == Color::Black)];
        *count += 1;
        let (offence, what) = match fault {
            Fault::PawnOnLastRank(square) => {
                (Offence::PawnOnLastRank, format!("a pawn was left on {square}"))
            }
            Fault::KingInCheck { from, to } => {
                (Offence::AgainstArticle3, format!("{from}-{to} leaves the king in check"))
            }
            Fault::NotLegal { from: Some(from), to: Some(to) } => {
                (Offence::AgainstArticle3, format!("{from}-{to} is not a legal move"))
            }
            Fault::NotLegal { .. } => {
                (Offence::AgainstArticle3, "the position is not that of a legal move".into())
            }
        };
        let ruling = laws::illegal::judge(&self.conditions, offence, *count, by, opponent);
        let (article, effect) = match &ruling {
            Some(ruling) => (ruling.offence.to_owned(), effect_words(&ruling.effect)),
            None => (self.conditions.edition.rules().illegal.article.to_owned(), String::new()),
        };
        let nth = *count;
        EventKind::IllegalMove {
            by: by.into(),
            article,
            why: format!("{what} (illegal move {nth} of this player{effect})"),
            squares: squares.iter().map(ToString::to_string).collect(),
            ply,
        }
    }

    /// What the Laws say of a claim by the player who has the move.
    pub(super) fn check_claim(
        &self,
        kind: ClaimReason,
        announced: Option<&str>,
        times: Option<Times>,
    ) -> Result<ClaimAnswer, Refusal> {
        let position = self.history.position();
        let claimant = position.turn();
        let announced = announced.map(|text| announced_san(position, text)).transpose()?;
        let claim = Claim {
            claimant,
            kind: match kind {
                ClaimReason::ThreefoldRepetition => ClaimKind::Threefold,
                ClaimReason::FiftyMoves => ClaimKind::Fifty,
            },
            announced,
            act: BoardAct::None,
        };
        let (own, other) = times.map_or((Millis(0), Millis(0)), |times| {
            claimant.fold_wb((times.white, times.black), (times.black, times.white))
        });
        let clocks = ClaimClocks { claimant: own, opponent: other };
        let ply = self.ply();
        let ruling = laws::claims::check(
            &self.history,
            ply,
            &self.conditions,
            self.latch.first(),
            &claim,
            clocks,
        )
        .map_err(|e| Refusal::IllegalMove {
            text: announced.map(|san| san.to_string()).unwrap_or_default(),
            why: e.to_string(),
        })?;
        let after = (ruling.clocks.claimant, ruling.clocks.opponent);
        Ok(ClaimAnswer {
            valid: ruling.decision == Decision::Correct,
            article: ruling.article.clone(),
            explanation: explanation(&ruling, claimant),
            plies: self.plies_behind(claim.kind, announced),
            claimant: claimant.into(),
            clocks_after: times
                .filter(|_| ruling.decision == Decision::Incorrect)
                .map(|_| claimant.fold_wb(after, (after.1, after.0))),
        })
    }

    /// The plies a claim rests on.
    fn plies_behind(&self, kind: ClaimKind, announced: Option<San>) -> Vec<Ply> {
        let latest = self.ply();
        match kind {
            ClaimKind::Threefold => {
                let position = self.history.position();
                let key = announced.and_then(|san| {
                    let m = san.to_move(position).ok()?;
                    let mut after = position.clone();
                    after.play_unchecked(m);
                    Some(crate::game::Key::of(&after))
                });
                let key = key.unwrap_or_else(|| self.history.last().key);
                (0..=latest.0)
                    .map(Ply)
                    .filter(|&ply| self.history.at(ply).is_some_and(|record| record.key == key))
                    .collect()
            }
            ClaimKind::Fifty => {
                let quiet = self.history.last().quiet.value().min(latest.0);
                vec![Ply(latest.0 - quiet), latest]
            }
        }
    }

    pub(super) fn status(&self, provisional: Option<String>) -> GameStatus {
        let last = self.history.last();
        let over = self.latch.first();
        GameStatus {
            number: self.number,
            edition: self.conditions.edition.name().into(),
            start_fen: fen(&self.history.start().position),
            stage: if self.closed || over.is_some() {
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
            exact: self.doubtful.is_empty()
                && self.rights_certain()
                && self.seen_throughout()
                && matches!(last.quiet, Count::Exact(_))
                && matches!(last.occurrence, Count::Exact(_)),
            claims: self.claims.clone(),
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
        UciMove::from_move(m, self.history.castling_mode()).to_string()
    }
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
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

/// Why a position is dead, in words: the reason of each side, said once if they are the same.
fn proof(judgement: &dead::Judgement) -> Option<String> {
    let reason = |color: Color| Some(judgement.side(color).certificate()?.reason());
    let (white, black) = (reason(Color::White)?, reason(Color::Black)?);
    Some(if white == black { white } else { format!("White: {white}; Black: {black}") })
}

/// An announced move in SAN or UCI.
fn announced_san(position: &Chess, text: &str) -> Result<San, Refusal> {
    let by_uci = text
        .parse::<UciMove>()
        .ok()
        .and_then(|uci| uci.to_move(position).ok())
        .map(|m| San::from_move(position, m));
    by_uci.or_else(|| text.parse::<SanPlus>().ok().map(|plus| plus.san)).ok_or_else(|| {
        Refusal::IllegalMove {
            text: text.to_owned(),
            why: "it is neither algebraic notation (Nf3) nor squares (g1f3)".into(),
        }
    })
}

fn effect_words(effect: &Effect) -> String {
    match effect {
        Effect::Restore => "; the position is restored".into(),
        Effect::RestoreAndAdd(time) => {
            format!("; the position is restored, the opponent gains {time}")
        }
        Effect::Result(outcome) => format!("; the game ends {outcome}"),
        Effect::LossUnlessNoMate => "; he loses unless the opponent cannot mate".into(),
    }
}

fn explanation(ruling: &laws::Ruling, claimant: Color) -> String {
    let who = claimant.fold_wb("White", "Black");
    match &ruling.decision {
        Decision::Correct => format!("{who}'s claim is right: the game is drawn"),
        Decision::Incorrect => {
            let must = match ruling.must_play {
                laws::MustPlay::Nothing | laws::MustPlay::Any => "any legal move".into(),
                ref one => one.to_string(),
            };
            format!("{who}'s claim is wrong: play goes on; to be played: {must}")
        }
        Decision::RightLost => format!("{who} has lost the right to claim with this move"),
        Decision::NotEntitled => format!("{who} does not have the move"),
        Decision::GameOver => "the game was over before the claim".into(),
        Decision::Arbiter { now, announced } => format!(
            "the arbiter decides: position on the board qualifies: {}; announced move: {}",
            now.name(),
            announced.map_or("none", |qualifies| qualifies.name())
        ),
    }
}
