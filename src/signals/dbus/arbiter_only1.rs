//! `org.dgtd.ArbiterOnly1`: what a player must not learn from the arbiter (Articles 12.6, 12.7).

use std::sync::Arc;

use zbus::{Connection, interface, message::Header, object_server::SignalEmitter};

use super::{
    ApiError, Shared,
    values::{Options, ask, caller, only},
};
use crate::{
    arbiter::{Reply, Request, event::ClaimReason, status::GameStatus},
    signals::{BoardAsk, BoardHandle, words::claim_keyword},
    units::Ply,
};

/// Claims and counters of the game of a board.
#[derive(Debug)]
pub struct ArbiterOnly1 {
    shared: Arc<Shared>,
    board: BoardHandle,
}

impl ArbiterOnly1 {
    /// Those of the board behind `board`.
    pub fn new(shared: Arc<Shared>, board: BoardHandle) -> ArbiterOnly1 {
        ArbiterOnly1 { shared, board }
    }

    fn read<T: Default>(&self, read: impl FnOnce(&GameStatus) -> T) -> T {
        self.board.view.borrow().status.game.as_ref().map(read).unwrap_or_default()
    }
}

#[interface(name = "org.dgtd.ArbiterOnly1", spawn = false)]
impl ArbiterOnly1 {
    /// The game's unique name, empty when none is set up.
    #[zbus(property)]
    fn game_id(&self) -> String {
        self.board.view.borrow().game_id.clone()
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

    /// What the Laws say of a claim. `kind`: threefold or fifty-move; `intended_move`: the
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
        only(&options, &[])?;
        let kind = match kind {
            "threefold" => ClaimReason::ThreefoldRepetition,
            "fifty-move" => ClaimReason::FiftyMoves,
            other => {
                let text = format!("{other:?} cannot be claimed: use threefold or fifty-move");
                return Err(ApiError::InvalidArgument(text));
            }
        };
        let announced = (!intended_move.is_empty()).then(|| intended_move.to_owned());
        let request = Request::CheckClaim { kind, announced, expected_ply: Ply(expected_ply) };
        let by = caller(connection, &header, &options).await?;
        match ask(&self.shared, &self.board, "check claim", by, BoardAsk::Core(request)).await? {
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
