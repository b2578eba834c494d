//! Lets moves of many boards share a write.

use std::time::Duration;

use tokio::sync::mpsc;

use super::HubInput;
use crate::arbiter::EventKind;

/// The most inputs taken at once.
pub const AT_ONCE: usize = 256;

/// How long moves wait for those of other boards. The end of a game waits for nothing.
const GATHER: Duration = Duration::from_millis(25);

/// As long as there is nothing but moves and touched pieces, waits a moment for more of them: many
/// boards then cost one write. Anything else ends the wait at once.
pub async fn small(batch: &mut Vec<HubInput>, inputs: &mut mpsc::Receiver<HubInput>) {
    let is_small = |input: &HubInput| match input {
        HubInput::Event { event, .. } => {
            matches!(event.kind, EventKind::Move { .. } | EventKind::Touched { .. })
        }
        // What the moves rest on is written with them.
        HubInput::Kept { .. } => true,
        _ => false,
    };
    let until = tokio::time::sleep(GATHER);
    tokio::pin!(until);
    let mut looked_at = 0;
    while looked_at < batch.len() && batch.len() < AT_ONCE {
        if !batch[looked_at..].iter().all(is_small) {
            return;
        }
        looked_at = batch.len();
        let room = AT_ONCE - looked_at;
        tokio::select! {
            // None: all senders are gone.
            _ = inputs.recv_many(batch, room) => {}
            () = &mut until => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        arbiter::{
            Event,
            event::{ConfirmedBy, EndReason, OrientationName, StartSource},
        },
        signals::BoardView,
        units::{Ply, Stamp},
    };

    fn kinds() -> [EventKind; 3] {
        [
            EventKind::GameStarted {
                fen: String::new(),
                source: StartSource::InitialArray,
                orientation: OrientationName::Normal,
            },
            EventKind::Move {
                ply: Ply(1),
                uci: "e2e4".into(),
                san: "e4".into(),
                fen: String::new(),
                made: Stamp::ZERO,
                by: ConfirmedBy::Press,
                white_clock: None,
                black_clock: None,
                exact: true,
                illegal: false,
            },
            EventKind::GameOver {
                result: "1-0".into(),
                reason: EndReason::Checkmate,
                article: "5.1.1".into(),
                also: Vec::new(),
                ply: Ply(1),
                fen: String::new(),
                proof: None,
            },
        ]
    }

    #[tokio::test(start_paused = true)]
    async fn moves_wait_for_each_other_and_the_end_of_a_game_for_nothing() {
        let view = Arc::new(BoardView::new("b1".parse().unwrap(), String::new(), 0));
        let inputs = || {
            kinds().into_iter().map(|kind| HubInput::Event {
                event: Box::new(Event {
                    board: view.id.clone(),
                    t: Stamp::ZERO,
                    game: Some(1),
                    kind,
                }),
                view: Arc::clone(&view),
                game_id: "g1".into(),
                time_micros: 0,
            })
        };
        let a_move = || inputs().nth(1).unwrap();
        let (hub, mut waiting) = mpsc::channel(2 * AT_ONCE);
        #[expect(clippy::disallowed_methods, reason = "tokio's own time, which stands still here")]
        let began = tokio::time::Instant::now();

        let mut batch = vec![a_move()];
        hub.send(a_move()).await.unwrap();
        hub.send(inputs().nth(2).unwrap()).await.unwrap();
        small(&mut batch, &mut waiting).await;
        assert_eq!((batch.len(), began.elapsed()), (3, Duration::ZERO));

        let mut batch = vec![inputs().next().unwrap()];
        small(&mut batch, &mut waiting).await;
        assert_eq!((batch.len(), began.elapsed()), (1, Duration::ZERO));

        let mut batch = vec![a_move()];
        for _ in 0..AT_ONCE {
            hub.send(a_move()).await.unwrap();
        }
        small(&mut batch, &mut waiting).await;
        assert_eq!((batch.len(), began.elapsed()), (AT_ONCE, Duration::ZERO));

        let mut batch = vec![a_move()];
        small(&mut batch, &mut waiting).await;
        assert_eq!(batch.len(), 2);
        assert!(began.elapsed() >= GATHER && began.elapsed() < 2 * GATHER);

        drop(hub);
        small(&mut vec![a_move()], &mut waiting).await;
        assert!(began.elapsed() < 2 * GATHER, "nobody is waited for who cannot come");
    }
}
