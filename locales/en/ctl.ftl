## Commands at the arbiter's PC (dgtctl pair, players, sides) and why they did nothing

pair-round = round { $round }{ $event ->
        [none] {""}
       *[other] {" "}· { $event }
    }
pair-what = { $what ->
        [no-board] no board has this number
        [not-heard] no board that was heard has this number
        [has] { $at }: has it already
        [now] { $at }: for the game that waits
        [next] { $at }: for the next game
        [set-now] { $at }: set
        [set-next] { $at }: set for the next game
        [refused] { $at }: not set: { $why }
        [silent] { $at }: no answer came, nobody knows whether it is set
       *[not-asked] { $at }: not set, its PC had stopped answering
    }
pair-clash = board { $number } is there more than once: { $at }; give them labels with different numbers, nothing was set
pair-boardless = { $none } of { $all } games have no board
pair-missing = { $stand } of { $all } games stand at their boards; the same command again sets those that are missing and leaves the others as they are
pair-unheard = { $pc } was not heard: { $why }

pair-fault-kind = neither a PGN file, whose tags stand in brackets, nor a FIDE tournament report, whose players stand in lines that begin with 001
pair-fault-board-twice = board { $board } has a game in line { $line } already: { $white } - { $black }
pair-fault-no-game = the file names no game of two players
pair-fault-no-round = there is no round { $round }; there are: { $known }
pair-fault-which-round = choose a round with --round: { $known }
pair-fault-no-name = the game that begins here names no { $side ->
        [white] White
       *[black] Black
    }
pair-fault-round = "{ $text }" is no number of a round
pair-fault-board = "{ $text }" is no number of a board
pair-fault-tag = a tag is written [Name "value"]
pair-fault-quote = the value has no closing "
pair-fault-bracket = a ] must follow the value
pair-fault-rank-twice = starting rank { $rank } is that of line { $line } already
pair-fault-report-round = there is no round { $round }; the report has { $last }
pair-fault-nobody = nobody is paired in round { $round }
pair-fault-no-rank = no player has starting rank { $rank }
pair-fault-one-sided = { $one } is paired with { $other } (line { $line }), who is not paired with him with the other colour
pair-fault-own-rank = "{ $text }" is no starting rank (columns 5 to 8)
pair-fault-nameless = the player has no name (columns 15 to 47)
pair-fault-opponent = "{ $text }" is no starting rank
pair-fault-colour = "{ $text }" is no colour: w, b or -
pair-fault-result = "{ $text }" is no result of a tournament report

players-set = { $whose ->
        [now] set for the game that waits for its first move
       *[next] set for the next game
    }
sides-are = board { $stands ->
        [turned] turned
       *[normal] normal
    }, White's clock { $clock ->
        [right] right
       *[left] left
    }

error-help = help: { $help }
error-bus = { $bus ->
        [system] the system bus
        [session] the session bus
        [chosen] the chosen bus
       *[other] the bus at { $bus }
    }
error-or = { $one } or { $other }
error-no-bus = { $bus } cannot be reached
error-host = { $host }: { $fault ->
        [no-bus] the bus cannot be reached ({ $detail })
        [not-running] dgtd is not running there
        [silent] it does not answer
        [lost] the connection is lost
        [no-ssh] ssh cannot be started ({ $detail })
        [unknown-host] no PC is known by that name
        [refused] the PC refuses ssh
        [unreachable] the PC cannot be reached on the network
        [key-unknown] the PC's key is not known here
        [key-changed] the PC's key has changed
        [denied] the PC does not let you in
        [no-bridge] the bus of the PC cannot be reached through ssh ({ $detail })
        [ssh] ssh failed ({ $detail })
        [too-old] its dgtd is too old: it has no { $detail }
       *[failed] it cannot be asked ({ $detail })
    }
error-one-host = this command asks one daemon, and { $count } are named with --host
error-destination = "{ $text }" is not a PC: write it as ssh takes it, such as arbiter@hall-pc1
error-not-running = dgtd is not running on { $bus }
error-no-rights = you may not do this: { $text }
error-too-old = the dgtd there is too old for this command: { $text }
error-silent = the daemon does not answer: whether it was done is not known
error-cannot-ask = the daemon cannot be asked
error-lost = the connection to the bus is lost
error-no-such-board = no board is called "{ $name }"; there are: { $known ->
        [none] none
       *[other] { $known }
    }
error-no-game = no game is on at board { $board }
error-write = { $path }: cannot be written
error-read = cannot read { $path }
error-no-such-game = { $path } has no game { $number }: there are { $count }
error-no-games = { $path } holds no game in PGN
error-output = output failed
error-not-alone = another dgtctl notify of this login is running: it shows everything already
error-not-reloaded = the configuration was not reloaded
error-which-illegal = name the illegal move whose decision is taken back: its number
error-alert-closed = alert { $id } is not open
error-board-mute = board { $board } was asked and says nothing: check its cable
error-port-mute = { $port }: the board said nothing: check cable and power
error-failed = a part of this program failed: what it said stands above; nothing more was done

help-no-bus = { $bus ->
        [system] name the daemon's bus with --bus, or start it (systemctl start dbus)
        [session] name the daemon's bus with --bus, or log in with a session bus (dbus-run-session bash)
       *[other] name the daemon's bus with --bus, such as --bus system
    }
help-not-running = start it (systemctl start dgtd), or name its bus with --bus
help-no-rights = ask to be put into group dgtd-arbiters (sudo usermod -aG dgtd-arbiters USER), then log in again
help-host = { $fault ->
        [no-bus] start it (systemctl start dbus), or name another with --bus
        [not-running] start it there: sudo systemctl start dgtd
        [silent] look at the network, and whether the PC is on
        [lost] look at the network, and whether the PC is on
        [unreachable] look at the network, and whether the PC is on
        [no-ssh] install it: sudo apt install openssh-client
        [unknown-host] mend the name, or use the PC's number such as 192.168.1.7
        [refused] install and start it there: sudo apt install openssh-server
        [key-unknown] call it once by hand (ssh USER@PC) and answer yes to its key
        [key-changed] if the PC was set up anew: ssh-keygen -R PC, then ssh USER@PC; if not, somebody stands in between
        [denied] give your key to the PC: ssh-copy-id USER@PC
        [no-bridge] the PC needs systemd and a running system bus
        [ssh] try it by hand: ssh USER@PC systemd-stdio-bridge
        [too-old] install a newer dgtd on that PC
       *[failed] look there: journalctl -u dgtd
    }
help-one-host = name one of them, or use watch, notify or pair, which ask all
help-too-old = install a newer dgtd there, as new as this dgtctl
help-silent = look at the board (dgtctl show BOARD) before you do it again
help-no-game = start one with `dgtctl start BOARD`
help-line = mend the line, or skip such lines with --lenient
help-which-illegal = see those that wait with `dgtctl illegal BOARD`
help-stale = look at the board again (dgtctl show BOARD) and repeat the command
