## Desktop notifications (dgtctl notify)

notify-seen = Seen
notify-show = Show board

notify-ending = { $reason ->
        [checkmate] checkmate
        [stalemate] stalemate
        [dead_position] dead position
        [fivefold_repetition] fivefold repetition
        [seventyfive_moves] 75 moves
       *[other] the game is over
    }
notify-over = The game is over: { $result } (Article { $article }).
notify-over-line = { $who }: { $what }, { $result } (Article { $article })

notify-illegal = illegal move
notify-illegal-body = { $side ->
        [white] White
       *[black] Black
    } completed an illegal move (Article { $article }). Look at the board.
notify-flag = flag fallen
notify-flag-body = { $side ->
        [white] White's
       *[black] Black's
    } flag has fallen; { $can ->
        [yes] the opponent can mate
        [no] the opponent cannot mate
       *[unknown] whether the opponent can mate is not known
    } (Article { $article }).
notify-lost = board not heard
notify-lost-body = { $state ->
        [silent] The board does not answer: check its cable and power.
       *[lost] The board is gone: check its cable.
    } Ends of games on it are not seen until it is back.

notify-attention = { $kind ->
        [mismatch] the men disagree with the game
        [missing_piece] a man is missing
        [gap] moves may be missing
        [setup_unclear] unclear position
        [clock_side] clock on the other side
        [board_turned] board turned round
        [after_the_end] men moved after the end
        [press_without_move] clock pressed without a move
        [completed_move_taken_back] move taken back
        [rook_first] rook moved before the king
        [pawn_on_last_rank] pawn on the last rank
        [internal] fault in dgtd
       *[other] look at the board
    }
notify-attention-body = { $kind ->
        [mismatch] What stands on the board follows from the game by no legal move.
        [missing_piece] A man of the game is not on the board.
        [gap] dgtd may have missed moves: its counts are only the least there can be.
        [setup_unclear] What was set up cannot be played from yet.
        [clock_side] The clock stands on the other side than assumed.
        [board_turned] The board was turned round.
        [after_the_end] The men were moved after the game had ended.
        [press_without_move] The clock was pressed although no move was made.
        [completed_move_taken_back] A completed move was taken back.
        [rook_first] The rook was moved before its king (castling, Article 4.4.2).
        [pawn_on_last_rank] A pawn stands on the last rank.
        [internal] A part of dgtd failed and was started again: see its log.
       *[other] dgtd asks for a look at the board.
    }{ $squares ->
        [none] {""}
       *[other] {" "}Squares: { $squares }.
    }

notify-title = { $who }: { $what }
notify-several-urgent = { $hall ->
        [none] { $count } games are over
       *[other] { $hall }: { $count } games are over
    }
notify-several-notice = { $hall ->
        [none] { $count } boards need you
       *[other] { $hall }: { $count } boards need you
    }
notify-more = … and { $count } more
notify-late = It happened while this desktop was not listening.
notify-pc = PC { $pc }
notify-withdrawn = { $who }: the game goes on
notify-withdrawn-body = It is not over: the move that had ended it was taken back.

notify-line-down = { $pc } cannot be reached
notify-lines-down = { $hall ->
        [none] { $count } of { $of } PCs cannot be reached
       *[other] { $hall }: { $count } of { $of } PCs cannot be reached
    }
notify-line-warning = Until it is back, ends of games on its boards are not shown here.
notify-line-back = { $pcs }: reached again
notify-line-back-body = What happened meanwhile has been shown.
notify-fault = { $fault ->
        [no-bus] Its bus cannot be reached ({ $detail }). Start it (systemctl start dbus), or name another with --bus.
        [not-running] dgtd is not running there. Start it there: sudo systemctl start dgtd
        [silent] It does not answer. Look at the network, and whether the PC is on.
        [lost] The connection broke. Look at the network, and whether the PC is on.
        [no-ssh] ssh cannot be started here ({ $detail }). Install it: sudo apt install openssh-client
        [unknown-host] No PC is known by that name. Mend the name in hosts.toml, or use its number such as 192.168.1.7.
        [refused] The PC refuses ssh. Install and start it there: sudo apt install openssh-server
        [unreachable] The PC cannot be reached on the network. Look at the network, and whether the PC is on.
        [key-unknown] The PC's key is not known here. Call it once by hand (ssh USER@PC) and answer yes.
        [key-changed] The PC's key has changed. If it was set up anew: ssh-keygen -R PC, then ssh USER@PC. If not, somebody stands in between.
        [denied] The PC does not let you in. Give it your key: ssh-copy-id USER@PC
        [no-bridge] Its bus cannot be reached through ssh ({ $detail }). The PC needs systemd and a running system bus.
        [ssh] ssh failed: { $detail }. Try it by hand: ssh USER@PC systemd-stdio-bridge
        [too-old] Its dgtd is too old (it has no { $detail }). Install a newer one there.
       *[failed] It cannot be asked ({ $detail }). Look there: journalctl -u dgtd
    }

notify-rights = Only games that are over are shown
notify-rights-body = You are not in the group dgtd-arbiters on { $pcs }: illegal moves, fallen flags and displaced men are not shown, and Seen only closes the notification. Ask for: sudo usermod -aG dgtd-arbiters USER, then log in again.
notify-clash = Two boards are called { $label }
notify-clash-body = They are on { $pcs }. Messages name the PC too. Give each its own label in /etc/dgtd/dgtd.toml.
notify-refused = { $pc } was not told that you have seen it
notify-refused-body = { $why }. The buzzer may go on: ask to be put into the group dgtd-arbiters there.
notify-no-terminal = No terminal program was found
notify-no-terminal-body = Type this in one: { $command }. Or name one in hosts.toml: [notify] terminal = ["xterm", "-e"]

notify-log-broken = { $pc }: { $fault }
notify-log-mended = { $pc }: connected to dgtd { $version } on { $hostname }
notify-log-server = the notification server is there
notify-log-no-server = there is no notification server on this desktop: what is to be shown is kept and shown when there is one. Log in to a desktop, or install one: sudo apt install dunst
notify-log-no-session = the session bus cannot be reached ({ $why }): what is to be shown is kept. Run dgtctl notify inside a desktop session; its attempts go on
notify-log-shown = shown: { $title }
notify-log-memory = { $file } cannot be used ({ $why }): after a restart of dgtctl notify, what was seen may be shown again
notify-enter = Press Enter to close.
