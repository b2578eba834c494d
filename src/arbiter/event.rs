//! What happened at a board: one JSON object a line, the same for replay, journal and bus.

use serde::{Deserialize, Serialize};

pub use crate::laws::Offence;
pub use crate::tracker::{AttentionKind, ConfirmedBy, StartSource, TakebackReason};
use crate::units::{BoardId, Ply, Stamp};

/// Something that happened at a board.
///
/// Serialised as one flat JSON object: `event`, `board`, `t`, then `game` once a game is on, then
/// the fields of its kind. Live events have `time` and `seq` added by the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The board.
    pub board: BoardId,
    /// When it was decided, since attaching.
    pub t: Stamp,
    /// The game on this board it belongs to: 1, 2, …
    pub game: Option<u32>,
    /// What happened.
    pub kind: EventKind,
}

impl Event {
    /// The flat JSON object.
    pub fn to_json(&self) -> serde_json::Map<String, serde_json::Value> {
        let mut object = serde_json::Map::new();
        let mut fields = match serde_json::to_value(&self.kind) {
            Ok(serde_json::Value::Object(fields)) => fields,
            // An `EventKind` is made of strings, numbers and lists: it always is an object.
            _ => serde_json::Map::new(),
        };
        object.insert("event".into(), fields.shift_remove("event").unwrap_or_default());
        object.insert("board".into(), self.board.as_str().into());
        object.insert("t".into(), self.t.as_seconds().into());
        if let Some(game) = self.game {
            object.insert("game".into(), game.into());
        }
        object.extend(fields);
        object
    }
}

/// A side, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<shakmaty::Color> for Side {
    fn from(color: shakmaty::Color) -> Side {
        color.fold_wb(Side::White, Side::Black)
    }
}

impl From<Side> for shakmaty::Color {
    fn from(side: Side) -> shakmaty::Color {
        match side {
            Side::White => shakmaty::Color::White,
            Side::Black => shakmaty::Color::Black,
        }
    }
}

/// The kinds of events and their fields. Squares and moves are UCI and SAN text, positions FEN.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// The line to the board changed state.
    Link {
        /// The new state.
        state: LinkState,
        /// The port's name, if known.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        port: Option<String>,
        /// The board's serial number, if known.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        serial: Option<String>,
        /// The board's firmware version, if known.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        version: Option<String>,
    },
    /// A game began.
    GameStarted {
        /// Its first position.
        fen: String,
        /// How the position came about.
        source: StartSource,
        /// Which way round the board stands.
        orientation: OrientationName,
    },
    /// What the board shows now; may change.
    Provisional {
        /// The half-move it would be.
        ply: Ply,
        /// The move in UCI notation.
        uci: String,
        /// The move in SAN.
        san: String,
    },
    /// A confirmed move.
    Move {
        /// 1 for the first half-move of the game.
        ply: Ply,
        /// UCI; castling e1g1, in Chess960 the king takes its rook.
        uci: String,
        /// SAN with check and mate marks.
        san: String,
        /// The position after it.
        fen: String,
        /// When the board first showed it.
        #[serde(serialize_with = "seconds", deserialize_with = "from_seconds")]
        made: Stamp,
        /// What confirmed it.
        by: ConfirmedBy,
        /// White's time in whole seconds, when a clock is there.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        white_clock: Option<u64>,
        /// Black's time in whole seconds, when a clock is there.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        black_clock: Option<u64>,
        /// False when another order or choice of moves fits what the board showed as well.
        exact: bool,
    },
    /// Plies after `to_ply` are void.
    Takeback {
        /// The last ply that still stands.
        to_ply: Ply,
        /// Why.
        reason: TakebackReason,
    },
    /// The Laws ended the game (class A).
    GameOver {
        /// `1-0`, `0-1` or `1/2-1/2`.
        result: String,
        /// The article that decides.
        reason: EndReason,
        /// Its number in the edition in force.
        article: String,
        /// Other reasons that hold at the same ply.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        also: Vec<EndReason>,
        /// The ply that ended it.
        ply: Ply,
        /// The final position.
        fen: String,
        /// For a dead position: why, in words.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        proof: Option<String>,
    },
    /// The move that ended the game was taken back.
    GameOverWithdrawn {
        /// The ply that had ended it.
        ply: Ply,
    },
    /// The board's own log told what was played while it could not be read (class B): the half-moves
    /// after `ply` that stand now, and those told next, are certain, and what is counted with them.
    GapClosed {
        /// The half-move after which sight of the board had been lost.
        ply: Ply,
        /// Earlier half-moves after which it was lost as well, and what was played is still not known.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        open: Vec<Ply>,
    },
    /// A draw can be claimed (class C).
    ClaimAvailable {
        /// What can be claimed.
        reason: ClaimReason,
        /// Who may claim.
        claimant: Side,
        /// The article in the edition in force.
        article: String,
        /// The moves that would have to be announced; none when the position has just appeared.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        moves: Vec<String>,
        /// The ply at which it holds.
        ply: Ply,
        /// False when the counters are only lower bounds.
        exact: bool,
        /// What decides whether it is so; none when it is so for certain.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        depends_on: Option<DependsOn>,
    },
    /// The game may be over: it would be if what is not known were so (class C).
    PossibleEnd {
        /// The article that would decide.
        reason: EndReason,
        /// Its number in the edition in force.
        article: String,
        /// What decides whether it is so.
        depends_on: DependsOn,
        /// The ply at which it would hold.
        ply: Ply,
    },
    /// A completed move that is not legal (class B).
    IllegalMove {
        /// Who made it.
        by: Side,
        /// The article in the edition in force.
        article: String,
        /// What is wrong with it and what it costs, in words.
        why: String,
        /// The squares concerned.
        squares: Vec<String>,
        /// The ply it would have been.
        ply: Ply,
        /// What kind of offence it is.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        offence: Option<Offence>,
        /// Which illegal move of this game it is, for whoever decides on it.
        #[serde(default)]
        number: u32,
        /// Which of this player it would be, those counted that were accepted.
        #[serde(default)]
        nth: u32,
        /// What follows if it is accepted.
        #[serde(flatten)]
        penalty: Penalty,
        /// Until when it may be acted on.
        #[serde(default)]
        until: ActUntil,
        /// Who may act on it. Where only the opponent may, this is class C.
        #[serde(default)]
        may_act: MayAct,
    },
    /// The arbiter accepted or dismissed an illegal move (class B).
    IllegalMoveDecided {
        /// Which illegal move of this game.
        number: u32,
        /// Who made it.
        by: Side,
        /// It counts, and its penalty follows.
        accepted: bool,
        /// What follows if it was accepted.
        #[serde(flatten)]
        penalty: Penalty,
    },
    /// An illegal move that nobody acted on can no longer be acted on (class B): it stands, and does
    /// not count.
    IllegalMoveWithdrawn {
        /// Which illegal move of this game.
        number: u32,
        /// Who made it.
        by: Side,
        /// The opponent's move after which it is too late.
        ply: Ply,
        /// Who might have acted on it. Where only the opponent might, this is class C.
        #[serde(default)]
        may_act: MayAct,
    },
    /// A flag fell (class B).
    Flag {
        /// Whose.
        side: Side,
        /// Whether the opponent can mate by any series of legal moves.
        opponent_can_mate: YesNoUnknown,
        /// The result if the flag is claimed or observed now; `*` when unknown.
        result: String,
        /// The article in the edition in force.
        article: String,
        /// Who may act on it. Where only the player may, this is class C.
        #[serde(default)]
        may_call: MayCall,
    },
    /// What follows from a flag that the arbiter observed, or a player claimed (class B).
    FlagRuling {
        /// Whose.
        side: Side,
        /// Whether the opponent can mate by any series of legal moves.
        opponent_can_mate: YesNoUnknown,
        /// The result; `*` when the arbiter decides, or when nothing is lost.
        result: String,
        /// The article in the edition in force, empty when the flag does not decide.
        article: String,
        /// What decides.
        decided_by: FlagDecidedBy,
        /// Who may act on it.
        may_call: MayCall,
        /// The ply after which it was observed.
        ply: Ply,
        /// In words.
        text: String,
    },
    /// What follows from a claim that was made (class B).
    ClaimRuling {
        /// What was claimed.
        reason: ClaimReason,
        /// Who claimed.
        claimant: Side,
        /// The move announced with it, if there was one.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        announced: Option<String>,
        /// `correct`, `incorrect`, `right_lost`, `not_entitled`, `game_over` or `arbiter`.
        verdict: String,
        /// The articles in the edition in force.
        article: String,
        /// What must be played, `-` or `any` when nothing in particular.
        must_play: String,
        /// White's time after it in milliseconds, when known.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        white_ms: Option<u64>,
        /// Black's time after it in milliseconds, when known.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        black_ms: Option<u64>,
        /// The ply at which it was made.
        ply: Ply,
        /// In words.
        text: String,
    },
    /// The kings, or a special piece, show a result.
    ResultSignalled {
        /// `1-0`, `0-1` or `1/2-1/2`.
        result: String,
        /// The squares that show it.
        squares: Vec<String>,
    },
    /// A man was lifted and put back (class C).
    Touched {
        /// Where it stands.
        square: String,
        /// Which man, as a FEN letter.
        piece: String,
        /// How long it was off its square.
        seconds: f64,
    },
    /// Something the arbiter should look at.
    Attention {
        /// What kind of thing.
        kind: AttentionKind,
        /// The squares concerned.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        squares: Vec<String>,
        /// In words.
        text: String,
    },
    /// The record of the game was closed and is open again, by order of the arbiter.
    GameReopened {
        /// The last confirmed half-move.
        ply: Ply,
        /// The position after it.
        fen: String,
        /// The game that was on in its place, when its start was undone.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        instead_of: Option<u32>,
        /// The board did not stand still meanwhile: what was played is not known.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        unseen: bool,
    },
    /// The record of the game is closed.
    GameEnded {
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        result: String,
        /// Half-moves played.
        plies: u32,
        /// What closed it.
        how: EndedHow,
    },
}

/// What an illegal move costs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Penalty {
    /// What follows.
    #[serde(default)]
    pub effect: PenaltyEffect,
    /// What the opponent gains, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub gain_ms: Option<u64>,
    /// The result, when the game is decided by it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<String>,
    /// The articles that say so in the edition in force, joined by `+`.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub penalty_article: String,
}

/// What follows from an illegal move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PenaltyEffect {
    /// The position before it is restored.
    #[default]
    Restore,
    /// The same, and the opponent gains time.
    AddTime,
    /// The game is decided.
    Result,
    /// The player loses unless the opponent cannot mate, and nobody knows whether he can: the
    /// arbiter decides.
    Arbiter,
}

/// Until when an illegal move may be acted on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActUntil {
    /// As long as the game lasts.
    #[default]
    End,
    /// Until the opponent has made his next move.
    NextMove,
}

/// Who may act on an illegal move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MayAct {
    /// The arbiter, without a claim.
    #[default]
    Arbiter,
    /// The arbiter if he sees it, or the opponent by a claim.
    ArbiterOrOpponent,
    /// Only the opponent, by a claim.
    Opponent,
}

/// Who may act on a fallen flag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MayCall {
    /// The player by a claim, or the arbiter.
    #[default]
    ArbiterOrPlayer,
    /// The player by a claim; the arbiter must when he sees it.
    ArbiterMust,
    /// Only the player.
    Player,
}

/// What decides when a flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagDecidedBy {
    /// The flag.
    Flag,
    /// What had ended the game before.
    EarlierEnd,
    /// A claim that was made before.
    ClaimFirst,
    /// Nothing: all moves of the period were completed.
    NextPeriod,
    /// The arbiter: nobody knows whether the opponent can mate.
    Arbiter,
}

/// What decides whether something uncertain is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DependsOn {
    /// Which castling rights are left.
    CastlingRights,
    /// Whether the last move before the position was set up was a double step of a pawn.
    LastMove,
    /// The edition: a later one would end the game.
    LaterEdition,
}

/// State of the line to a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// A port was opened and the board is there.
    Connected,
    /// The port is gone.
    Lost,
    /// The port is open, the board does not answer.
    Silent,
    /// The board answers again.
    Restored,
}

/// Which way round the board stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrientationName {
    /// Connector on White's left.
    Normal,
    /// Connector on White's right.
    Rotated,
}

/// Why a game is over, in the order of precedence at one ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// Article 5.1.1 (2023).
    Checkmate,
    /// Article 5.2.1 (2023).
    Stalemate,
    /// Article 5.2.2 (2023).
    DeadPosition,
    /// Article 9.6.1 (2023).
    FivefoldRepetition,
    /// Article 9.6.2 (2023).
    SeventyfiveMoves,
}

/// What can be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimReason {
    /// Article 9.2.
    ThreefoldRepetition,
    /// Article 9.3.
    FiftyMoves,
}

/// An answer that may not be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum YesNoUnknown {
    /// Proved.
    Yes,
    /// Refuted.
    No,
    /// Neither.
    Unknown,
}

/// What closed the record of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndedHow {
    /// An article of the Laws ended it.
    Laws,
    /// The players showed the result on the board.
    Signalled,
    /// The arbiter entered the result.
    Arbiter,
    /// The next game was set up.
    NextGame,
    /// The start of the game was undone: the one before it goes on.
    Withdrawn,
    /// The capture ended, or the board was given up.
    Closed,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn seconds<S: serde::Serializer>(stamp: &Stamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(stamp.as_seconds())
}

fn from_seconds<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Stamp, D::Error> {
    let seconds = f64::deserialize(deserializer)?;
    let duration = std::time::Duration::try_from_secs_f64(seconds)
        .map_err(|e| serde::de::Error::custom(format_args!("made: {e}")))?;
    Ok(Stamp::ZERO + duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_flat_objects_in_a_fixed_order() {
        let event = Event {
            board: "b1".parse().unwrap(),
            t: Stamp::from_micros(1_500_000),
            game: Some(2),
            kind: EventKind::Move {
                ply: Ply(1),
                uci: "e2e4".into(),
                san: "e4".into(),
                fen: "f".into(),
                made: Stamp::from_micros(1_250_000),
                by: ConfirmedBy::Press,
                white_clock: None,
                black_clock: Some(5),
                exact: true,
            },
        };
        let json = event.to_json();
        assert_eq!(
            serde_json::to_string(&json).unwrap(),
            r#"{"event":"move","board":"b1","t":1.5,"game":2,"ply":1,"uci":"e2e4","san":"e4","fen":"f","made":1.25,"by":"press","black_clock":5,"exact":true}"#
        );
        let back: EventKind = serde_json::from_value(json.into()).unwrap();
        assert_eq!(back, event.kind);
    }
}
