## Avisos en el escritorio (dgtctl notify)

notify-seen = Visto
notify-show = Ver tablero

notify-ending = { $reason ->
        [checkmate] jaque mate
        [stalemate] rey ahogado
        [dead_position] posición muerta
        [fivefold_repetition] quíntuple repetición
        [seventyfive_moves] 75 jugadas
       *[other] fin de la partida
    }
notify-over = La partida ha terminado: { $result } (artículo { $article }).
notify-over-line = { $who }: { $what }, { $result } (artículo { $article })

notify-illegal = jugada ilegal
notify-illegal-body = Las { $side ->
        [white] blancas
       *[black] negras
    } han completado una jugada ilegal (artículo { $article }). Mire el tablero.
notify-flag = bandera caída
notify-flag-body = Ha caído la bandera de las { $side ->
        [white] blancas
       *[black] negras
    }; { $can ->
        [yes] el rival puede dar mate
        [no] el rival no puede dar mate
       *[unknown] no se sabe si el rival puede dar mate
    } (artículo { $article }).
notify-lost = tablero sin conexión
notify-lost-body = { $state ->
        [silent] El tablero no responde: revise el cable y la alimentación.
       *[lost] El tablero ha desaparecido: revise el cable.
    } Hasta que vuelva no se verá el final de sus partidas.

notify-attention = { $kind ->
        [mismatch] las piezas no concuerdan con la partida
        [missing_piece] falta una pieza
        [gap] pueden faltar jugadas
        [setup_unclear] posición poco clara
        [clock_side] reloj al otro lado
        [board_turned] tablero girado
        [after_the_end] piezas movidas tras el final
        [press_without_move] reloj pulsado sin jugar
        [completed_move_taken_back] jugada deshecha
        [rook_first] torre movida antes que el rey
        [pawn_on_last_rank] peón en la última fila
        [internal] fallo en dgtd
       *[other] mire el tablero
    }
notify-attention-body = { $kind ->
        [mismatch] Ninguna jugada legal explica lo que hay en el tablero.
        [missing_piece] Una pieza de la partida no está en el tablero.
        [gap] dgtd puede haber perdido jugadas: sus cuentas son solo el mínimo.
        [setup_unclear] Aún no se puede jugar desde la posición colocada.
        [clock_side] El reloj está al otro lado de lo supuesto.
        [board_turned] El tablero se ha girado.
        [after_the_end] Las piezas se movieron después del final de la partida.
        [press_without_move] Se pulsó el reloj sin haber hecho una jugada.
        [completed_move_taken_back] Se deshizo una jugada completada.
        [rook_first] La torre se movió antes que su rey (enroque, artículo 4.4.2).
        [pawn_on_last_rank] Hay un peón en la última fila.
        [internal] Una parte de dgtd falló y se ha reiniciado: vea su registro.
       *[other] dgtd pide que mire el tablero.
    }{ $squares ->
        [none] {""}
       *[other] {" "}Casillas: { $squares }.
    }

notify-title = { $who }: { $what }
notify-several-urgent = { $hall ->
        [none] { $count } partidas han terminado
       *[other] { $hall }: { $count } partidas han terminado
    }
notify-several-notice = { $hall ->
        [none] { $count } tableros le necesitan
       *[other] { $hall }: { $count } tableros le necesitan
    }
notify-more = … y { $count } más
notify-late = Ocurrió mientras este escritorio no escuchaba.
notify-pc = PC { $pc }
notify-withdrawn = { $who }: la partida continúa
notify-withdrawn-body = No ha terminado: se deshizo la jugada que la había terminado.

notify-line-down = No se llega a { $pc }
notify-lines-down = { $hall ->
        [none] No se llega a { $count } de { $of } PC
       *[other] { $hall }: no se llega a { $count } de { $of } PC
    }
notify-line-warning = Hasta que vuelva, aquí no se verá el final de sus partidas.
notify-line-back = { $pcs }: de nuevo en contacto
notify-line-back-body = Lo ocurrido mientras tanto ya se ha mostrado.
notify-fault = { $fault ->
        [no-bus] No se llega a su bus ({ $detail }). Inícielo (systemctl start dbus) o indique otro con --bus.
        [not-running] dgtd no está en marcha allí. Inícielo allí: sudo systemctl start dgtd
        [silent] No responde. Mire la red y si el PC está encendido.
        [lost] Se cortó la conexión. Mire la red y si el PC está encendido.
        [no-ssh] Aquí no se puede iniciar ssh ({ $detail }). Instálelo: sudo apt install openssh-client
        [unknown-host] No se conoce ningún PC con ese nombre. Corríjalo en hosts.toml o use su número, como 192.168.1.7.
        [refused] El PC rechaza ssh. Instálelo e inícielo allí: sudo apt install openssh-server
        [unreachable] No se llega al PC por la red. Mire la red y si el PC está encendido.
        [key-unknown] Aquí no se conoce la clave del PC. Llámelo una vez a mano (ssh USUARIO@PC) y conteste yes.
        [key-changed] La clave del PC ha cambiado. Si se reinstaló: ssh-keygen -R PC y luego ssh USUARIO@PC. Si no, alguien está en medio.
        [denied] El PC no le deja entrar. Déle su clave: ssh-copy-id USUARIO@PC
        [no-bridge] No se llega a su bus por ssh ({ $detail }). El PC necesita systemd y el bus del sistema en marcha.
        [ssh] ssh falló: { $detail }. Pruébelo a mano: ssh USUARIO@PC systemd-stdio-bridge
        [too-old] Su dgtd es demasiado antiguo (no tiene { $detail }). Instale allí uno más nuevo.
       *[failed] No se le puede preguntar ({ $detail }). Mire allí: journalctl -u dgtd
    }

notify-rights = Solo se muestran las partidas terminadas
notify-rights-body = Usted no está en el grupo dgtd-arbiters en { $pcs }: no se muestran jugadas ilegales, banderas caídas ni piezas desplazadas, y Visto solo cierra el aviso. Pida: sudo usermod -aG dgtd-arbiters USUARIO, y vuelva a entrar.
notify-clash = Dos tableros se llaman { $label }
notify-clash-body = Están en { $pcs }. Los avisos nombran también el PC. Dé a cada uno su propia etiqueta en /etc/dgtd/dgtd.toml.
notify-refused = No se pudo decir a { $pc } que usted lo ha visto
notify-refused-body = { $why }. El zumbador puede seguir: pida entrar allí en el grupo dgtd-arbiters.
notify-no-terminal = No se encontró ningún programa de terminal
notify-no-terminal-body = Escriba esto en uno: { $command }. O indique uno en hosts.toml: [notify] terminal = ["xterm", "-e"]

notify-log-broken = { $pc }: { $fault }
notify-log-mended = { $pc }: conectado a dgtd { $version } en { $hostname }
notify-log-server = el servidor de avisos está en marcha
notify-log-no-server = no hay servidor de avisos en este escritorio: lo que haya que mostrar se guarda y se mostrará cuando lo haya. Entre en un escritorio o instale uno: sudo apt install dunst
notify-log-no-session = no se llega al bus de la sesión ({ $why }): lo que haya que mostrar se guarda. Ejecute dgtctl notify dentro de una sesión de escritorio; se sigue intentando
notify-log-shown = mostrado: { $title }
notify-log-memory = no se puede usar { $file } ({ $why }): si dgtctl notify se reinicia, lo ya visto puede mostrarse otra vez
notify-enter = Pulse Intro para cerrar.
