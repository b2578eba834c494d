//! `org.dgtd.ArbiterOnly1`: what a player must not learn from the arbiter (Articles 12.6, 12.7).

use std::sync::Arc;

use zbus::{Connection, Variant, interface, message::Header, object_server::SignalEmitter};

use super::{
    ApiError, Shared,
    hand_on::{BoardDoor, Call},
    values::{Options, text, truth},
};
use crate::{
    arbiter::{
        Reply, Request,
        event::{ClaimReason, FlagDecidedBy, MayCall, Side},
        request::{ClaimAnswer, ClaimMade, FlagBefore},
        status::GameStatus,
    },
    laws::text::Language,
    signals::{
        BoardHandle,
        words::{claim_keyword, known_keyword, side_keyword},
    },
    units::{Millis, Ply},
};

/// An illegal move that waits for a decision: its number in the game, who made it, the half-move it
/// would have been, the article that makes it an offence, what it costs in words.
type IllegalTuple = (u32, String, u32, String, String);

/// What the Laws say of a claim that was made: verdict, articles, in words, what must be played,
/// White's and Black's time after it (milliseconds, -1 when unknown), the half-moves it rests on.
type ClaimTuple = (String, String, String, String, i64, i64, Vec<u32>);

/// Claims and counters of the game of a board.
#[derive(Debug)]
pub struct ArbiterOnly1 {
    door: BoardDoor,
}

impl ArbiterOnly1 {
    /// Those of the board behind `board`.
    pub fn new(shared: Arc<Shared>, board: BoardHandle) -> ArbiterOnly1 {
        ArbiterOnly1 { door: BoardDoor::new(shared, board) }
    }

    async fn decide(
        &self,
        accept: bool,
        number: u32,
        call: Call<'_>,
    ) -> Result<(u32, String, String, String, i64, i64), ApiError> {
        let what = if accept { "accept illegal move" } else { "dismiss illegal move" };
        let number = (number > 0).then_some(number);
        let request =
            Request::DecideIllegalMove { number, accept, language: language(call.options)? };
        match self.door.game(what, request, &["language"], call).await? {
            Reply::Illegal(answer) => {
                let (white, black) = clocks(answer.clocks_after);
                let result = answer.result.unwrap_or_default();
                Ok((answer.number, answer.article, answer.explanation, result, white, black))
            }
            _ => Err(ApiError::NotSupported("this board cannot decide on illegal moves".into())),
        }
    }

    fn read<T: Default>(&self, read: impl FnOnce(&GameStatus) -> T) -> T {
        self.door.board.view.borrow().status.game.as_ref().map(read).unwrap_or_default()
    }
}

#[interface(name = "org.dgtd.ArbiterOnly1", spawn = false)]
impl ArbiterOnly1 {
    /// The game's unique name, empty when none is set up.
    #[zbus(property)]
    fn game_id(&self) -> String {
        self.door.board.view.borrow().game_id.clone()
    }

    /// What the player to move may claim now: threefold, fifty-move.
    #[zbus(property)]
    fn claims(&self) -> Vec<String> {
        self.read(|game| game.claims.iter().map(|c| claim_keyword(*c).to_owned()).collect())
    }

    /// Half-moves since the last capture or pawn move.
    #[zbus(property)]
    fn halfmove_clock(&self) -> u32 {
        self.read(|game| game.halfmove_clock)
    }

    /// How often the present position has occurred.
    #[zbus(property)]
    fn repetitions(&self) -> u32 {
        self.read(|game| game.repetitions)
    }

    /// Whether the two counters are exact, not lower bounds.
    #[zbus(property)]
    fn exact(&self) -> bool {
        self.read(|game| game.exact)
    }

    /// Illegal moves that wait for a decision: number, side, half-move, article, costs.
    #[zbus(property)]
    fn illegal_moves(&self) -> Vec<IllegalTuple> {
        self.read(|game| {
            let shown = game.illegal.iter().map(|i| {
                let side = side_keyword(i.by).to_owned();
                (i.number, side, i.ply.0, i.article.clone(), i.costs.clone())
            });
            shown.collect()
        })
    }

    /// How many illegal moves of White and of Black were accepted.
    #[zbus(property)]
    fn illegal_moves_counted(&self) -> (u32, u32) {
        self.read(|game| (game.illegal_counted[0], game.illegal_counted[1]))
    }

    /// A claim was made: what follows from it? It is written down. `kind`: threefold or fifty-move;
    /// `intended_move`: the announced move in SAN or UCI, empty when the position has just appeared.
    /// `options`: claimant (white or black), touched, moved (booleans), white-ms and black-ms (x, in
    /// place of the board's clock), enter (a right claim ends the game), language. `verdict`: correct,
    /// incorrect, `right_lost`, `not_entitled`, `game_over` or arbiter.
    #[zbus(out_args(
        "verdict",
        "article",
        "explanation",
        "must_play",
        "white_ms",
        "black_ms",
        "plies"
    ))]
    async fn rule_on_claim(
        &self,
        kind: &str,
        intended_move: &str,
        expected_ply: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<ClaimTuple, ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let known = ["claimant", "touched", "moved", "white-ms", "black-ms", "enter", "language"];
        let clocks = match (millis(&options, "white-ms")?, millis(&options, "black-ms")?) {
            (Some(white), Some(black)) => Some((white, black)),
            (None, None) => None,
            _ => {
                let text = "give both white-ms and black-ms, or neither".to_owned();
                return Err(ApiError::InvalidArgument(text));
            }
        };
        let made = ClaimMade {
            kind: claim_kind(kind)?,
            claimant: text(&options, "claimant")?.map(|text| side(&text)).transpose()?,
            announced: (!intended_move.is_empty()).then(|| intended_move.to_owned()),
            touched: truth(&options, "touched")?,
            moved: truth(&options, "moved")?,
            clocks,
        };
        let (enter, language) = (truth(&options, "enter")?, language(&options)?);
        let request = Request::Claim { made, enter, language, expected_ply: Ply(expected_ply) };
        match self.door.game("rule on claim", request, &known, call).await? {
            Reply::Claim(answer) => Ok(claim_tuple(answer)),
            _ => Err(ApiError::NotSupported("this board cannot check claims".into())),
        }
    }

    /// A flag was observed or claimed now: what follows from it? It is written down. `before`: what had
    /// happened first: nothing, claim, period-completed, white-resigned, black-resigned or
    /// draw-agreed. `options`: enter (the result ends the game), language. `result`: empty when none
    /// follows; `opponent_can_mate`: yes, no or unknown; `may_call`: arbiter-or-player,
    /// arbiter-must or player; `decided_by`: flag, earlier-end, claim-first, next-period or arbiter.
    #[zbus(out_args(
        "result",
        "article",
        "explanation",
        "opponent_can_mate",
        "may_call",
        "decided_by"
    ))]
    async fn rule_on_flag(
        &self,
        side: &str,
        before: &str,
        expected_ply: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(String, String, String, String, String, String), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let request = Request::Flag {
            side: self::side(side)?,
            before: flag_before(before)?,
            enter: truth(&options, "enter")?,
            language: language(&options)?,
            expected_ply: Ply(expected_ply),
        };
        match self.door.game("rule on flag", request, &["enter", "language"], call).await? {
            Reply::Flag(answer) => Ok((
                answer.result.unwrap_or_default(),
                answer.article,
                answer.explanation,
                known_keyword(answer.opponent_can_mate).to_owned(),
                may_call_keyword(answer.may_call).to_owned(),
                decided_keyword(answer.decided_by).to_owned(),
            )),
            _ => Err(ApiError::NotSupported("this board cannot judge flags".into())),
        }
    }

    /// An illegal move counts, and its penalty follows: a result that it decides is entered, a board
    /// that was left standing after it is taken back. `number`: which of this game, 0 for the only
    /// one that waits. Answers with the times after it (milliseconds, -1 when unknown or unchanged).
    #[zbus(out_args("number", "article", "explanation", "result", "white_ms", "black_ms"))]
    async fn accept_illegal_move(
        &self,
        number: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(u32, String, String, String, i64, i64), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        self.decide(true, number, call).await
    }

    /// There was no illegal move. `number`: which of this game, 0 for the only one that waits.
    #[zbus(out_args("number", "article", "explanation"))]
    async fn dismiss_illegal_move(
        &self,
        number: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(u32, String, String), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let (number, article, explanation, ..) = self.decide(false, number, call).await?;
        Ok((number, article, explanation))
    }

    /// The decision on an illegal move is taken back: it waits again. A result that it entered is taken
    /// back with the game's Reopen first.
    async fn reconsider_illegal_move(
        &self,
        number: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let request = Request::ReconsiderIllegalMove { number };
        self.door.game("reconsider illegal move", request, &[], call).await.map(drop)
    }

    /// What the Laws say of a claim, asked without anybody making it. `kind`: threefold or fifty-move; `intended_move`: the
    /// announced move in SAN or UCI, empty when the position has just appeared.
    #[zbus(out_args("valid", "article", "explanation", "plies"))]
    async fn check_claim(
        &self,
        kind: &str,
        intended_move: &str,
        expected_ply: u32,
        options: Options,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] connection: &Connection,
    ) -> Result<(bool, String, String, Vec<u32>), ApiError> {
        let call = Call { options: &options, header: &header, connection };
        let kind = claim_kind(kind)?;
        let announced = (!intended_move.is_empty()).then(|| intended_move.to_owned());
        let request = Request::CheckClaim { kind, announced, expected_ply: Ply(expected_ply) };
        match self.door.game("check claim", request, &[], call).await? {
            Reply::Claim(answer) => Ok((
                answer.valid,
                answer.article,
                answer.explanation,
                answer.plies.into_iter().map(|ply| ply.0).collect(),
            )),
            _ => Err(ApiError::NotSupported("this board cannot check claims".into())),
        }
    }

    /// A draw can be claimed: with one of `moves` announced, or at once when there are none.
    #[zbus(signal)]
    pub async fn claim_available(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        kind: &str,
        article: &str,
        claimant: &str,
        moves: &[String],
    ) -> zbus::Result<()>;

    /// The board shows what no legal move explains.
    #[zbus(signal)]
    pub async fn position_disagrees(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        placement: &str,
        expected: &str,
    ) -> zbus::Result<()>;

    /// A flag fell; `opponent_can_mate` is yes, no or unknown.
    #[zbus(signal)]
    pub async fn flag_fallen(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        side: &str,
        opponent_can_mate: &str,
        result: &str,
        article: &str,
    ) -> zbus::Result<()>;

    /// An illegal move was accepted or dismissed.
    #[zbus(signal)]
    pub async fn illegal_move_decided(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        number: u32,
        side: &str,
        accepted: bool,
    ) -> zbus::Result<()>;

    /// An illegal move can no longer be acted on: it stands, and does not count.
    #[zbus(signal)]
    pub async fn illegal_move_withdrawn(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        number: u32,
        side: &str,
    ) -> zbus::Result<()>;

    /// The game may be over; `depends_on` is castling-rights, last-move or later-edition.
    #[zbus(signal)]
    pub async fn possible_end(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        ending: &str,
        article: &str,
        depends_on: &str,
    ) -> zbus::Result<()>;

    /// A move that is not legal was completed.
    #[zbus(signal)]
    pub async fn illegal_move(
        emitter: &SignalEmitter<'_>,
        seq: u64,
        side: &str,
        article: &str,
        why: &str,
        squares: &[String],
    ) -> zbus::Result<()>;
}

fn claim_kind(kind: &str) -> Result<ClaimReason, ApiError> {
    match kind {
        "threefold" => Ok(ClaimReason::ThreefoldRepetition),
        "fifty-move" => Ok(ClaimReason::FiftyMoves),
        other => {
            let text = format!("{other:?} cannot be claimed: use threefold or fifty-move");
            Err(ApiError::InvalidArgument(text))
        }
    }
}

fn side(text: &str) -> Result<Side, ApiError> {
    match text {
        "white" => Ok(Side::White),
        "black" => Ok(Side::Black),
        other => {
            Err(ApiError::InvalidArgument(format!("{other:?} is no side: use white or black")))
        }
    }
}

fn flag_before(text: &str) -> Result<FlagBefore, ApiError> {
    match text {
        "" | "nothing" => Ok(FlagBefore::Nothing),
        "claim" => Ok(FlagBefore::Claim),
        "period-completed" => Ok(FlagBefore::PeriodCompleted),
        "white-resigned" => Ok(FlagBefore::Resigned(Side::White)),
        "black-resigned" => Ok(FlagBefore::Resigned(Side::Black)),
        "draw-agreed" => Ok(FlagBefore::Agreed),
        other => Err(ApiError::InvalidArgument(format!(
            "{other:?} cannot have come before: use nothing, claim, period-completed, \
             white-resigned, black-resigned or draw-agreed"
        ))),
    }
}

fn language(options: &Options) -> Result<Option<Language>, ApiError> {
    Ok(text(options, "language")?.map(|name| Language::choose(&name)))
}

/// A time among the options, in milliseconds.
fn millis(options: &Options, key: &str) -> Result<Option<Millis>, ApiError> {
    let Some(value) = options.get(key) else { return Ok(None) };
    let time = match &**value {
        Variant::I64(time) => u64::try_from(*time).ok(),
        Variant::U64(time) => Some(*time),
        Variant::I32(time) => u64::try_from(*time).ok(),
        Variant::U32(time) => Some(u64::from(*time)),
        _ => None,
    };
    let wrong = || {
        ApiError::InvalidArgument(format!(
            "option {key:?} must be a time in milliseconds, not less than 0"
        ))
    };
    time.map(|time| Some(Millis(time))).ok_or_else(wrong)
}

fn clocks(after: Option<(Millis, Millis)>) -> (i64, i64) {
    let ms = |time: Millis| i64::try_from(time.0).unwrap_or(i64::MAX);
    after.map_or((-1, -1), |(white, black)| (ms(white), ms(black)))
}

fn claim_tuple(answer: ClaimAnswer) -> ClaimTuple {
    let (white, black) = clocks(answer.clocks_after);
    let plies = answer.plies.into_iter().map(|ply| ply.0).collect();
    let verdict = answer.verdict.to_owned();
    (verdict, answer.article, answer.explanation, answer.must_play, white, black, plies)
}

const fn may_call_keyword(may: MayCall) -> &'static str {
    match may {
        MayCall::ArbiterOrPlayer => "arbiter-or-player",
        MayCall::ArbiterMust => "arbiter-must",
        MayCall::Player => "player",
    }
}

const fn decided_keyword(by: FlagDecidedBy) -> &'static str {
    match by {
        FlagDecidedBy::Flag => "flag",
        FlagDecidedBy::EarlierEnd => "earlier-end",
        FlagDecidedBy::ClaimFirst => "claim-first",
        FlagDecidedBy::NextPeriod => "next-period",
        FlagDecidedBy::Arbiter => "arbiter",
    }
}
