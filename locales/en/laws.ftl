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

maybe-over = The game may be over: { $reason }. It depends on { $on }.
depends-on = { $on ->
        [last-move] whether the last move was a double step of a pawn
        [later-edition] the edition: only a later one ends the game by it
       *[castling-rights] which castling rights are left
    }

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

flag-after-end = { $side ->
        [white] White's
       *[black] Black's
    } flag has fallen, but the game had ended before: { $result ->
        [white] White wins
        [black] Black wins
       *[draw] draw
    } (Article { $article }).
flag-may-call = { $who ->
        [player] Only the player may claim it; the arbiter keeps silent.
        [must] The arbiter calls it when he sees it, or the player claims it.
       *[both] The player may claim it, or the arbiter call it.
    }

## Illegal moves

illegal-effect = { $effect ->
        [restore] the position is restored
        [time] the position is restored and the opponent gains { $time }
        [white] White wins
        [black] Black wins
        [draw] draw, the opponent cannot mate by any series of legal moves
       *[unknown] the player loses unless the opponent cannot mate by any series of legal moves, which is not known: the arbiter decides
    }
illegal-costs = Illegal move { $nth } of this player: { $effect } (Article { $article }){ $actor ->
        [opponent] , but only if the opponent claims it
       *[arbiter] {""}
    }{ $until ->
        [next-move] , before he makes his next move
       *[end] {""}
    }.
illegal-accepted = The illegal move of { $side ->
        [white] White
       *[black] Black
    } counts: { $effect } (Article { $article }).
illegal-dismissed = The illegal move of { $side ->
        [white] White
       *[black] Black
    } is dismissed: it does not count.
illegal-waits = Unless the opponent claims it, the arbiter waits until the next move is completed; if the position is still illegal then, the game is drawn (Article { $article }).
irregular-both-kings = Both kings are in check.

irregular-no-move = The clock was pressed without a move.
irregular-king-captured = The king on { $square } was captured.
irregular-pawn-on-last-rank = A pawn was left on { $square }.
irregular-king-in-check = The king on { $square } was left or put in check.
irregular-against-article-3 = { $from }-{ $to } is not a legal move.
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
proof-pawns-locked = the pawns are locked for good
proof-kings-apart = neither king can get through
proof-both = White: { $white }; Black: { $black }
list-and = { $rest }, and { $last }
proof-forced-one = the only move leads to a position in which { $side ->
        [white] White
       *[black] Black
    } cannot mate
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

## What is wrong on the board

man = { $man ->
        [P] white pawn
        [N] white knight
        [B] white bishop
        [R] white rook
        [Q] white queen
        [K] white king
        [p] black pawn
        [n] black knight
        [b] black bishop
        [r] black rook
        [q] black queen
       *[k] black king
    }
man-of = { $man } of { $square }
reads-nothing = nothing
reads-token = a special piece
reads-unknown = an unknown code { $code }
differs = { $reads } on { $square }, expected { $expected }
differs-more = and { $count } more squares
attention-after-the-end = men were moved after the end of the game
attention-missing = not on the board: { $men }
attention-not-legal = { $from }-{ $to } is not a legal move
attention-unreachable = the position on the board is not reachable: { $differs }
attention-clock-turned = the clock stands the other way round: its sides are exchanged from now on
attention-rook-first = { $side ->
        [white] White
       *[black] Black
    } moved the rook first when castling (Article 4.4.2: castling on that side is then not allowed)
attention-mate-unexplained = the board shows { $side ->
        [white] White's
       *[black] Black's
    } king checkmated, but the moves that led there are not known: look at the board (Article 5.1.1)
attention-press-without-move = { $side ->
        [white] White
       *[black] Black
    } pressed the clock without a move
attention-reads-empty = { $square } reads empty: its man is taken to stand there
attention-no-position = the men on the board are neither the initial array nor a position a game can have
attention-set-up-waits = a position is set up; its game begins with the first move, or with a FEN from the arbiter
attention-agrees-again = the board agrees with the game again
attention-completed-move-taken-back = a completed move was taken back: the game goes on from half-move { $ply } ({ $side ->
        [white] White
       *[black] Black
    } to move)
attention-played-unseen = played while the board could not be read: { $moves }{ $sure ->
        [no] ; other moves or orders are possible
       *[yes] {""}
    }
attention-pawn-stands = a pawn stands on { $square }: moves are recorded, but no end and no claim is judged until a piece stands in its place{ $article ->
        [none] {""}
       *[other] ; if the position is still illegal after the next completed move, the game is drawn (Article { $article })
    }
attention-end-unseen = the board could not be read when this game ended: what was played after half-move { $ply } is not known
attention-log-unsettled = the board's own log does not tell what was played while it could not be read: { $why ->
        [power] the board was without power
        [damaged] the log is damaged
        [not_found] it does not hold this game up to then
        [ambiguous] several lines of moves fit it
        [taken_back] moves were taken back in it, or it can be read so
        [contradicts] it tells other moves than those seen since, and is not believed
        [not_sent] the board did not send it
       *[does_not_fit] it does not lead to what the board shows
    }
attention-clock-absent = no clock is connected to the board: times are not recorded

## What happens at a board

event-link = { $state ->
        [connected] board connected
        [lost] board lost
        [silent] board silent
       *[restored] board answers again
    }{ $port ->
        [none] {""}
       *[other] {" "}on { $port }
    }{ $serial ->
        [none] {""}
       *[other] , serial number { $serial }
    }{ $state ->
        [lost] : check its cable
        [silent] : check its cable and power
       *[other] {""}
    }
event-started = game { $game }: { $source ->
        [array] from the initial array
        [setup] from the position { $fen }
       *[resumed] taken up again at { $fen }
    }{ $turned ->
        [yes] , the board turned round
       *[no] {""}
    }
event-provisional = the board shows { $san } as half-move { $ply }
event-confirmed = { $by ->
        [press] pressed
        [reply] answered
        [log] from the board's log
       *[still] stood still
    }{ $exact ->
        [no] , uncertain
       *[yes] {""}
    }
event-takeback = { $reason ->
        [board] taken back by the players
        [arbiter] taken back by order of the arbiter
       *[correction] record corrected
    }: what came after half-move { $ply } is void
event-over = the game is over: { $result }, { $reasons } (Article { $article })
event-ending = { $reason ->
        [checkmate] checkmate
        [stalemate] stalemate
        [dead] dead position
        [fivefold] fivefold repetition
       *[seventyfive] seventy-five moves
    }
event-gap-closed = the board's own log tells what was played after half-move { $ply }{ $open ->
        [none] {""}
       *[other] ; what was played after { $open } is still not known
    }
event-withdrawn = NOT OVER: the move that ended the game was taken back
event-maybe-over = the game may be over: { $reason } (Article { $article }); it depends on { $on }
event-claim = { $side ->
        [white] White
       *[black] Black
    } could claim a draw{ $moves ->
        [none] {""}
       *[other] {" "}by announcing { $moves }
    }: { $kind } (Article { $article }){ $exact ->
        [no] , as far as was seen
        [depends] ; it depends on { $on }
       *[yes] {""}
    }
event-illegal = ILLEGAL MOVE { $number } by { $side ->
        [white] White
       *[black] Black
    } (Article { $article }): { $why }{ $squares ->
        [none] {""}
       *[other] {" "}({ $squares })
    }
event-illegal-decided = illegal move { $number } by { $side ->
        [white] White
       *[black] Black
    } { $decided ->
        [accepted] accepted: { $effect } (Article { $article })
       *[dismissed] dismissed: it does not count
    }
event-illegal-withdrawn = illegal move { $number } by { $side ->
        [white] White
       *[black] Black
    } stands: the opponent has made his next move, it can no longer be acted on
event-flag = FLAG: { $side ->
        [white] White's
       *[black] Black's
    } has fallen, { $can ->
        [yes] the opponent can mate
        [no] the opponent cannot mate
       *[unknown] whether the opponent can mate is not known
    }: { $result } (Article { $article })
event-ruling-flag = ruling on a flag at half-move { $ply }: { $text }
event-ruling-claim = ruling on a claim by { $side ->
        [white] White
       *[black] Black
    } at half-move { $ply }: { $text }
event-signalled = the players show { $result } ({ $squares })
event-touched = { $piece } on { $square } lifted for { $seconds } s and put back
event-attention = attention: { $text }
event-reopened = { $instead ->
        [none] game opened again at half-move { $ply }: what was entered is void
       *[other] the start of game { $instead } was undone: the game before it goes on at half-move { $ply }
    }
event-ended = game closed: { $result } after { $plies } half-moves, { $how ->
        [laws] by the Laws
        [signalled] as the players showed
        [arbiter] by the arbiter
        [next] the next game was set up
        [withdrawn] its start was undone
       *[closed] the record was closed
    }

alert-title = { $kind ->
        [claim-available] a draw can be claimed
        [illegal-position] illegal move
        [flag-fallen] flag fallen
        [board-lost] board lost
        [disagreement] the board disagrees
       *[attention] attention
    }

## A replay

replay-move = made { $made }, { $confirmed }
replay-clocks = White { $white }  Black { $black }
replay-over = GAME OVER  { $result }  { $reasons } (Article { $article })
replay-over-at = at { $time }

## Asked of a live board

given-back = { $closed ->
        [yes] The game before is the one at this board again. It was closed and stays so, at half-move { $ply }.
       *[no] The game before goes on at half-move { $ply }.
    }
given-back-void = The { $void } half-moves of the other game do not count; they stay in the record.
given-back-unmoved = The board stood still meanwhile: moves, counters, players and open matters are as they were. The clock runs as it shows.
given-back-unseen = Men were moved meanwhile: moves, players and open matters are as they were, but what was played meanwhile is taken only as far as the board explains it, and counters are only the least there can be until the next pawn move or capture. The clock runs as it shows.
given-back-disagrees = The board does not show its position: put the men back, or set the position.
clocks-after = The clocks are set to: White { $white }, Black { $black }.
illegal-waiting = illegal move { $number } by { $side ->
        [white] White
       *[black] Black
    }, half-move { $ply } (Article { $article }). { $costs }
illegal-counted = { $waiting ->
        [none] No illegal move waits for a decision
       *[other] Waiting for a decision: { $waiting }
    }. Accepted so far: White { $white }, Black { $black }.

## Who asked for what

request-name = { $what ->
        [label] label
        [new-game] new game
        [orientation] orientation
        [clock-side] side of the clock
        [resync] resync
        [identification] identification
        [recording] recording
        [end-of-recording] end of recording
        [set-position] set position
        [undo] undo
        [undo-start] undo start
        [set-result] set result
        [set-tags] set tags
        [set-edition] set edition
        [set-conditions] set conditions
        [set-pairing] set pairing
        [close] close
        [reopen] reopen
        [rule-on-claim] rule on claim
        [rule-on-flag] rule on flag
        [accept-illegal-move] accept illegal move
        [dismiss-illegal-move] dismiss illegal move
        [reconsider-illegal-move] reconsider illegal move
       *[other] { $name }
    }
request-who = { $named ->
        [both] { $name } (user { $uid })
        [name] { $name }
        [uid] user { $uid }
       *[nobody] an unknown user
    }
event-asked = { $what } asked for by { $who }
event-asked-refused = { $what } asked for by { $who }, refused: { $why }
event-acknowledged = alert { $alert } acknowledged by { $who }

## Why it was refused

refused-no-game = no game is on at this board; start one first
refused-game-over = the game is over; start the next one first
refused-stale-ply = the board is at half-move { $actual }, not { $expected }; look again and repeat the request
refused-illegal-move = "{ $text }" is not a legal move here: { $why }
refused-illegal-position = "{ $text }" is not a position a game can have: { $why }
refused-illegal-move-stands = an illegal move stands on the board: no claim can be judged in this position
refused-unknown-edition = "{ $text }" is no edition of the Laws; the newest is fide-2023
refused-bad-result = "{ $text }" is not a result: write 1-0, 0-1, 1/2-1/2 or *
refused-bad-tag = "{ $text }" is not a PGN tag name: use letters, digits and _
refused-too-many-tags = a game has room for { $most } PGN tags; give fewer
refused-too-long = the { $what ->
        [announced-move] announced move
        [reason] reason
       *[tag-value] tag value
    } is too long: at most { $most } characters are taken
refused-too-few-plies = there are only { $plies } half-moves to take back
refused-not-closed = the game is not closed; there is nothing to open again
refused-not-to-be-reopened = the game was closed too long ago: the board has been given up since
refused-nothing-before = no game before this one is known that could go on again
refused-not-connected = the board is not connected
refused-none-waits = no illegal move waits for a decision
refused-does-not-wait = illegal move { $number } does not wait for a decision; there are: { $open }
refused-undecided = illegal move { $number } was not decided on: there is no decision to take back
refused-several-wait = several illegal moves wait for a decision; name one of { $open }
refused-already-recording = this board is being recorded already, in { $file }; stop that recording first
refused-not-recording = this board is not being recorded
refused-recording-busy = a recording of this board is just being started or stopped; try again in a moment
refused-cannot-record = the board cannot be recorded: { $why }
refused-no-line = this board is itself played from a recording; copy that file instead
refused-failed = this program failed on the request and took up the game as it was before; see its log
