//! The one way in which a method hands a request on to the task of its board.

use std::sync::Arc;

use tokio::sync::oneshot;
use zbus::{Connection, message::Header};

use super::{
    ApiError, Shared,
    values::{Options, caller, only},
};
use crate::{
    arbiter::{Reply, Request},
    signals::{BoardAsk, BoardHandle, BoardRequest, BoardView, Caller, hub::HubInput},
};

/// A board as its objects see it: what there is to read, and whom to ask.
#[derive(Clone, Debug)]
pub struct BoardDoor {
    /// What all objects share.
    pub shared: Arc<Shared>,
    /// The board.
    pub board: BoardHandle,
}

/// A method call: who makes it, and what he says beside the arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The `a{sv}` at the end.
    pub options: &'a Options,
    /// Its header.
    pub header: &'a Header<'a>,
    /// The connection it came over.
    pub connection: &'a Connection,
}

impl BoardDoor {
    /// The door to a board.
    pub fn new(shared: Arc<Shared>, board: BoardHandle) -> BoardDoor {
        BoardDoor { shared, board }
    }

    /// The newest view.
    pub fn view(&self) -> Arc<BoardView> {
        Arc::clone(&self.board.view.borrow())
    }

    /// Hands on what is asked of the game. `what` is its name in the journal, `known` are the options
    /// there are beside `by` and `reason`.
    pub async fn game(
        &self,
        what: &'static str,
        request: Request,
        known: &[&str],
        call: Call<'_>,
    ) -> Result<Reply, ApiError> {
        self.hand_on(what, BoardAsk::Core(request), known, call).await
    }

    /// Hands on what is asked of the board.
    pub async fn hand_on(
        &self,
        what: &'static str,
        request: BoardAsk,
        known: &[&str],
        call: Call<'_>,
    ) -> Result<Reply, ApiError> {
        only(call.options, known)?;
        let by = caller(call.connection, call.header, call.options).await?;
        self.ask(what, by, request).await
    }

    /// Asks the board's task, which tells the journal who asked for what and whether it was refused; if
    /// the task is gone that is told from here.
    pub async fn ask(
        &self,
        what: &'static str,
        by: Caller,
        request: BoardAsk,
    ) -> Result<Reply, ApiError> {
        let (reply, answer) = oneshot::channel();
        let question = request.is_question();
        let request = BoardRequest { what: request, name: what, by: by.clone(), reply };
        let answered = match self.board.requests.send(request).await {
            Ok(()) => answer.await.ok(),
            Err(_) => None,
        };
        if let Some(answer) = answered {
            return answer.map_err(|why| ApiError::denied(&self.shared.language, &why));
        }
        let unavailable = ApiError::unavailable();
        if !question {
            let asked = HubInput::Asked {
                view: self.view(),
                what,
                by,
                refused: Some(unavailable.to_string()),
                time_micros: (self.shared.wall)(),
            };
            self.shared.hub.send(asked).await.map_err(|_| ApiError::unavailable())?;
        }
        Err(unavailable)
    }
}
