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

claim-wrong-costs = The claim is wrong (Article { $article }): the opponent gains { $time }{ $pays ->
        [half] , and the claimant loses half of his time, at most three minutes
        [half-above-two-minutes] , and the claimant loses half of his time, at most three minutes (with two minutes or less he keeps at most one)
       *[nothing] {""}
    }. { $must ->
        [any] Play goes on; the claimant may make any legal move
        [move] Play goes on; the claimant must play { $moves }
       *[piece] The announced move is illegal; the claimant must move that piece: { $moves }
    }.

## One position

judge-open = { $dead ->
        [no] The game goes on; { $turn ->
            [white] White is to move
           *[black] Black is to move
        }.
       *[unknown] The game goes on, but whether the position is dead is not known.
    }
judge-has-mated = { $side ->
        [white] White has mated.
       *[black] Black has mated.
    }
judge-can-mate = { $side ->
        [white] White can mate: { $line }
       *[black] Black can mate: { $line }
    }
judge-cannot-mate = { $side ->
        [white] White cannot mate: { $reason }.
       *[black] Black cannot mate: { $reason }.
    }
judge-unknown = { $side ->
        [white] Whether White can mate
       *[black] Whether Black can mate
    } is not known after { $nodes } positions; a larger --nodes may tell.
judge-odd = { $oddity ->
        [too_much_material] No game can have reached this position: there are more men than pawns can have become. It is judged as it stands.
        [impossible_check] No game can have reached this position: no last move can have given this check. It is judged as it stands.
        [castling_rights_dropped] The FEN gives castling rights where king or rook is not at home: it is judged without them.
       *[en_passant_dropped] The FEN gives an en passant square that no pawn can have passed: it is judged without it.
    }

proof-checkmated = { $side ->
        [white] White
       *[black] Black
    } is checkmated
proof-stalemate = stalemate, there is no legal move left
proof-bare-king = { $side ->
        [white] White
       *[black] Black
    } has only the king left
proof-lone-knight = { $side ->
        [white] White
       *[black] Black
    } has one knight, and nothing can stand in the way of the other king
proof-bishops = { $side ->
        [white] White
       *[black] Black
    } has only bishops of one square colour, and no man can cover the other squares
proof-no-check = { $side ->
        [white] White can never give check to the black king again
       *[black] Black can never give check to the white king again
    }
proof-no-mate = { $side ->
        [white] White can never check the black king and take its last free square at the same time
       *[black] Black can never check the white king and take its last free square at the same time
    }
proof-forced = every move is forced, and after { $count } of them { $side ->
        [white] White
       *[black] Black
    } cannot mate
proof-enumerated = all { $count } positions that can still arise were examined, and { $side ->
        [white] White
       *[black] Black
    } mates in none
proof-reach = How far every man can ever get (x: may be captured):
proof-checked = { $checked ->
        [yes] An independent check of the proof agrees
       *[no] AN INDEPENDENT CHECK OF THE PROOF DISAGREES: do not rely on it, and report it
    } ({ $nodes } positions visited).

## A replay

replay-move = made { $made }, { $by ->
        [press] pressed
        [reply] answered
       *[still] stood still
    }{ $exact ->
        [no] , uncertain
       *[yes] {""}
    }
replay-clocks = White { $white }  Black { $black }
replay-over = GAME OVER  { $result }  { $reasons } (Article { $article })
replay-over-at = at { $time }
replay-ending = { $reason ->
        [checkmate] checkmate
        [stalemate] stalemate
        [dead] dead position
        [fivefold] fivefold repetition
       *[seventyfive] seventy-five moves
    }
replay-link = { $state ->
        [connected] board connected
        [lost] board lost
        [silent] board silent
       *[restored] board answers again
    }{ $serial ->
        [none] {""}
       *[other] , serial number { $serial }
    }
replay-started = game { $game }: { $source ->
        [array] from the initial array
        [setup] from the position { $fen }
       *[resumed] taken up again at { $fen }
    }{ $turned ->
        [yes] , the board turned round
       *[no] {""}
    }
replay-provisional = the board shows { $san } as half-move { $ply }
replay-takeback = { $reason ->
        [board] taken back by the players
        [arbiter] taken back by order of the arbiter
       *[correction] record corrected
    }: what came after half-move { $ply } is void
replay-withdrawn = NOT OVER: the move that ended the game was taken back
replay-claim = { $side ->
        [white] White
       *[black] Black
    } could claim a draw{ $moves ->
        [none] {""}
       *[other] {" "}by announcing { $moves }
    }: { $kind } (Article { $article }){ $exact ->
        [no] , as far as was seen
       *[yes] {""}
    }
replay-illegal = ILLEGAL MOVE by { $side ->
        [white] White
       *[black] Black
    } (Article { $article }): { $why } { $squares }
replay-flag = FLAG: { $side ->
        [white] White's
       *[black] Black's
    } has fallen, { $can ->
        [yes] the opponent can mate
        [no] the opponent cannot mate
       *[unknown] whether the opponent can mate is not known
    }: { $result } (Article { $article })
replay-signalled = the players show { $result } ({ $squares })
replay-touched = { $piece } on { $square } lifted for { $seconds } s and put back
replay-attention = attention: { $text }
replay-ended = game closed: { $result } after { $plies } half-moves, { $how ->
        [laws] by the Laws
        [signalled] as the players showed
        [arbiter] by the arbiter
        [next] the next game was set up
       *[closed] the capture ends
    }
