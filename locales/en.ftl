# What the arbiter reads. One file per language, named after it; every file has the same messages.

## Results and reasons

game-over = Game over: { $result ->
        [white] White wins
        [black] Black wins
       *[draw] draw
    }. { $reasons }.
reason = { $name } (Article { $article })

checkmate = Checkmate
stalemate = Stalemate
dead_position = Dead position: neither player can mate by any series of legal moves
fivefold_repetition = The same position has occurred five times
seventyfive_moves = Seventy-five moves by each player without a pawn move or a capture

maybe-over = The game may be over: { $reason }. It depends on { $on ->
        [last-move] whether the last move was a double step of a pawn
       *[castling-rights] which castling rights are left
    }.

## Claims

threefold_repetition = the same position three times
fifty_moves = fifty moves without a pawn move or a capture

claim-now = { $side ->
        [white] White
       *[black] Black
    } may claim a draw: { $kind } (Article { $article }). For the arbiter only.
claim-by-move = { $side ->
        [white] White
       *[black] Black
    } may claim a draw by announcing { $moves }: { $kind } (Article { $article }). For the arbiter only.

ruling-correct = The claim is right: the game is drawn (Article { $article }).
ruling-incorrect = The claim is wrong (Article { $article }): the claimant now has { $claimant }, his opponent { $opponent }. { $must ->
        [any] Play goes on; the claimant may make any legal move
        [move] Play goes on; the claimant must play { $moves }
       *[piece] The announced move is illegal; the claimant must move that piece: { $moves }
    }.
ruling-right_lost = The right to claim is lost for this move (Article { $article }). The clocks stay as they are.
ruling-not_entitled = Only the player who has the move may claim (Article { $article }). The clocks stay as they are; the arbiter decides what follows.
ruling-game_over = The game had ended before (Article { $article }).
ruling-arbiter = The arbiter decides (Article { $article }). The position on the board qualifies: { $now ->
        [yes] yes
        [no] no
       *[unknown] not known
    }. The announced move makes one that does: { $announced ->
        [yes] yes
        [no] no
        [none] no legal move was announced
       *[unknown] not known
    }.

## Flags

flag-result = { $side ->
        [white] White's
       *[black] Black's
    } flag has fallen: { $result ->
        [white] White wins
        [black] Black wins
       *[draw] draw
    } (Article { $article }).
flag-unknown = { $side ->
        [white] White's
       *[black] Black's
    } flag has fallen (Article { $article }): it is not known whether the opponent can mate by any series of legal moves. The arbiter decides.
flag-claim-first = { $side ->
        [white] White's
       *[black] Black's
    } flag has fallen after a claim was made: the claim is decided first.
flag-next-period = { $side ->
        [white] White's
       *[black] Black's
    } flag has fallen, but all moves of the period were completed: the next period begins.

## Illegal moves

illegal = Illegal move by { $side ->
        [white] White
       *[black] Black
    } (Article { $offence }): { $effect ->
        [restore] the position is restored
        [time] the position is restored and the opponent gains { $time }
        [white] White wins
        [black] Black wins
        [draw] draw, the opponent cannot mate by any series of legal moves
       *[unknown] the player loses unless the opponent cannot mate by any series of legal moves, which is not known
    } (Article { $article }). { $until ->
        [next-move] It may be acted on until the opponent has made his next move
       *[end] It may be acted on as long as the game lasts
    }; { $actor ->
        [opponent] only the opponent may act
        [both] the arbiter or the opponent may act
       *[arbiter] the arbiter acts
    }.

irregular-no-move = The clock was pressed without a move.
irregular-king-captured = The king on { $square } was captured.
irregular-pawn-on-last-rank = A pawn was left on { $square }.
irregular-king-in-check = The king on { $square } was left or put in check.
irregular-against-article-3 = The man that went from { $from } to { $to } may not move so.
irregular-displaced = The men on the board do not fit the game: { $squares }.
