//! What happened at a board: one JSON object a line, the same for replay, journal and bus.

use serde::{Deserialize, Serialize};

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
    },
    /// A completed move that is not legal (class B).
    IllegalMove {
        /// Who made it.
        by: Side,
        /// The article in the edition in force.
        article: String,
        /// What is wrong with it, in words.
        why: String,
        /// The squares concerned.
        squares: Vec<String>,
        /// The ply it would have been.
        ply: Ply,
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
