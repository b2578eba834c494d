## The hall on the terminal (dgtctl watch)

watch-title = { $part ->
        [one] 1 board
        [all] { $boards } boards
       *[some] { $shown } of { $boards } boards
    } · { $many ->
        [one] 1 PC
       *[more] { $pcs } PCs
    }
watch-order = order: { $order ->
        [need] what needs you
        [name] table
        [pc] PC
       *[time] least time
    }
watch-only = only those that need you
watch-revealed = hidden in { $seconds } s
watch-more = … and { $count } more to be said: a larger screen shows it
watch-head-table = Table
watch-head-pc = PC
watch-head-white = White
watch-head-black = Black
watch-head-players = Players
watch-head-last = Last move
watch-head-shows = Shows
watch-head-number = Move
watch-head-clock-white = White
watch-head-clock-black = Black
watch-head-state = State
watch-hints-hall = Enter board · Space arbiter · / find · a need you · o order · ? help · q quit
watch-hints-board = a actions · Space arbiter · arrows boards, moves · v turn · ? help · Esc back
watch-empty = No boards: plug one in, or see `dgtctl check` and the daemon's log.
watch-empty-asked = The PCs are being asked …
watch-empty-filtered = No board is like that. Esc shows all again.
watch-too-small = The window is too small: 80 columns and 24 lines are needed.

watch-stand-away = PC away
watch-stand-failed = port failed
watch-stand-absent = unplugged
watch-stand-silent = no answer
watch-stand-opening = greeted
watch-stand-no-game = no game
watch-stand-waiting = set up
watch-stand-playing = playing
watch-stand-closed = no result
watch-stand-over = { $result } { $ending ->
        [checkmate] checkmate
        [stalemate] stalemate
        [dead-position] dead
        [fivefold] fivefold
        [seventy-five-move] 75 moves
        [set-by-arbiter] entered
       *[none] {""}
    }
watch-look = look · { $stand }
watch-secret-claim = { $kind ->
        [threefold] threefold
       *[fifty] 50 moves
    }{ $moves ->
        [none] {""}
       *[other] {" "}by { $moves }
    }
watch-secret-flag = { $side ->
        [white] White's
       *[black] Black's
    } flag
watch-secret-illegal = illegal: { $side ->
        [white] White
       *[black] Black
    }
watch-secret-possible-end = possibly over: { $ending }

watch-note-down = { $pc } cannot be reached. { $fault }
watch-note-asked = { $pc } is being asked …
watch-note-rights = { $pcs }: you are not in the group dgtd-arbiters, so claims, illegal moves and flags are not shown and nothing can be changed. Ask for: sudo usermod -aG dgtd-arbiters USER, then log in again.
watch-note-clash = Several boards are called { $label }, on { $pcs }. Give each its own label (l at the board).

watch-board-gone = This board is not there any more. Esc goes back.
watch-white = White: { $name }
watch-black = Black: { $name }
watch-game-line = { $last ->
        [none] no move yet
       *[other] Last move { $last }
    }{ $shows ->
        [none] {""}
       *[other] {" "}(shows { $shows })
    } · { $turn ->
        [over] game over
        [closed] record closed without a result
        [black] Black to move
       *[white] White to move
    } · half-move { $ply } · { $edition }
watch-sensors = On the board:
watch-moves-asked = The moves are being read …
watch-counters = { $exact ->
        [yes] Exact
       *[no] At least
    }: { $quiet } half-moves without pawn move or capture; the position has occurred { $many ->
        [one] once
       *[more] { $times } times
    }.
watch-no-secrets = Nothing can be claimed or decided now.
watch-open = Open: { $text }
watch-hidden = { $many ->
        [one] A matter for you: Space shows it.
       *[more] { $count } matters for you: Space shows them.
    }

watch-help = Keys
watch-help-hall = Up, Down, PgUp, PgDn, Home, End   choose a board
    Enter      the board: position, moves, actions
    Space      for ten seconds, what only the arbiter may know: claims,
               flags, illegal moves, men displaced. Again: hides it
    /          find boards by table, player, PC, state; Enter keeps it
    a          only boards that need you; again: all
    o          order: what needs you, table, PC, least time
    Esc        all boards again
    g          pairings of a round for all boards, from a file
    q, Ctrl-C  leave; Ctrl-L draws the screen anew

    !  a game is over, or you must look (Space says why)
    -  the board or its PC cannot be heard
    {"*"}  this clock runs
watch-help-board = Enter, a    actions; each is asked once more before it is done
    Space       for ten seconds: counters, claims, flags, illegal moves,
                and what the sensors see where it is not the game
    Left, Right the board before and after it
    Up, Down    moves played before
    v           the board from the other side
    Esc, q      back to the hall

    The letter of an action chooses it at once.
watch-menu = Actions
watch-menu-keys = A letter, or arrows and Enter · Esc back
watch-form-keys = Up/Down field · Left/Right choose · Enter on · Esc leave
watch-confirm = Do this at { $pc }?
watch-confirm-keys = Enter does it · Esc goes back
watch-sent = { $pc } was asked. The answer is on its way …
watch-sent-keys = Esc does not wait for it
watch-told-keys = Enter closes

watch-do-claim = claim of a draw
watch-do-flag = flag observed
watch-do-illegal = illegal move
watch-do-result = result
watch-do-undo = back to a half-move
watch-do-position = set position
watch-do-next = next game
watch-do-back = undo start: the game before
watch-do-pair = pairings of all boards
watch-do-players = players' names
watch-do-label = table label
watch-do-reopen = open the game again
watch-do-conditions = edition and time control
watch-do-clock = White's side of the clock
watch-do-orientation = which way round
watch-do-silence = silence the buzzer
watch-do-seen = seen: close what is open

watch-yes = yes
watch-no = no
watch-side-white = White
watch-side-black = Black
watch-ask-claimed = Claimed
watch-threefold = the position three times (9.2)
watch-fifty = fifty moves (9.3)
watch-ask-claimant = Claimant
watch-ask-announced = Move announced (empty: none)
watch-ask-first = Before he claimed
watch-first-none = he did nothing
watch-first-touched = he touched a piece
watch-first-moved = he made a move
watch-ask-enter-draw = If it is right, enter the draw
watch-ask-flag = Whose flag
watch-ask-before = Before it
watch-before-nothing = nothing that decides
watch-before-claim = a claim of a draw was made
watch-before-period = all moves of the period were made
watch-before-white = White had resigned
watch-before-black = Black had resigned
watch-before-draw = a draw had been agreed
watch-ask-enter = If there is a result, enter it
watch-ask-decision = Decision
watch-accept = it counts
watch-dismiss = there was none
watch-reconsider = decided again: it waits
watch-ask-number = Number (0: the only one that waits)
watch-ask-result = Result
watch-result-white = 1-0
watch-result-black = 0-1
watch-result-draw = 1/2-1/2
watch-result-none = {"*"} (none)
watch-ask-reason = Reason
watch-ask-ply = Back to half-move
watch-ask-fen = Position (FEN)
watch-ask-white = White
watch-ask-black = Black
watch-ask-edition = Edition
watch-ask-control = Time control
watch-control-standard = standard
watch-control-rapid = rapid
watch-control-blitz = blitz
watch-ask-supervision = Supervision
watch-supervision-shared = one arbiter for several games
watch-supervision-full = one arbiter for each game
watch-ask-clock = White's side, seen from the clock's front
watch-ask-label = Label
watch-ask-file = File (PGN or FIDE report)
watch-ask-round = Round (empty: the only or last one)
watch-all-boards = The hall
watch-reading = The file is being read …
watch-pair-confirm = Set { $count } of these at { $pcs }?
watch-pair-nothing = Nothing is to be set.
watch-pair-sent = Answers on their way: { $count } …
watch-pair-part = { $from } to { $to } of { $of }
watch-pairings-keys = Enter sets them · Up/Down more · Esc goes back
watch-ask-connector = Connector on White's
watch-connector-left = left
watch-connector-right = right

watch-done = Done.
watch-undone = Done: the game is at half-move { $ply } again.
watch-wrong-empty = Fill in what is empty.
watch-wrong-number = That is not a number.
watch-wrong-which = Give the number of the illegal move that was decided.
watch-wrong-ply = Name a half-move before the present one.
watch-wrong-nothing-open = Nothing that was on the screen is open. What only you may see: Space first.
watch-wrong-no-game = No game is on at this board. Start one: n.
watch-failed = { $kind ->
        [rights] You may not do this: you are not in the group dgtd-arbiters on { $pc }. Ask for: sudo usermod -aG dgtd-arbiters USER, then log in again.
        [away] { $pc } cannot be reached now: nothing was done. Do it again when it is back.
        [silent] { $pc } did not answer. Look at the board whether it was done before you do it again.
        [StalePly] The game went on meanwhile: nothing was done. Look at the board and do it again.
        [NoGame] No game is on at this board. Start one: n.
        [GameOver] The game is over: nothing was done. Start the next one: n.
        [IllegalMove] That move is not legal here ({ $text }).
        [IllegalPosition] A game cannot have that position ({ $text }).
        [NoSuchIllegalMove] No illegal move of that number waits for a decision. Space shows those that do.
        [NoSuchAlert] That was closed already.
        [NotClosed] The game is not closed: there is nothing to open again.
        [NotToBeReopened] That game cannot be opened again: the board was given up since.
        [NothingBefore] No game before this one is known that could go on again.
        [NotConnected] The board is not connected: look at its cable.
        [Unavailable] The board's part of dgtd is being started again. Do it again in a moment.
        [UnknownMethod] The dgtd of { $pc } is too old for this. Install a newer one there.
        [UnknownObject] That is not there any more: look at the board again.
       *[other] Nothing was done: { $text }
    }
