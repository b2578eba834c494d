## La sala en el terminal (dgtctl watch)

watch-title = { $part ->
        [one] 1 tablero
        [all] { $boards } tableros
       *[some] { $shown } de { $boards } tableros
    } · { $many ->
        [one] 1 PC
       *[more] { $pcs } PC
    }
watch-order = orden: { $order ->
        [need] lo que le necesita
        [name] mesa
        [pc] PC
       *[time] menos tiempo
    }
watch-only = solo los que le necesitan
watch-revealed = se oculta en { $seconds } s
watch-more = … y { $count } avisos más: caben en una pantalla mayor
watch-head-table = Mesa
watch-head-pc = PC
watch-head-white = Blancas
watch-head-black = Negras
watch-head-players = Jugadores
watch-head-last = Última
watch-head-shows = Muestra
watch-head-number = Jug.
watch-head-clock-white = Blancas
watch-head-clock-black = Negras
watch-head-state = Estado
watch-hints-hall = Intro tablero · Espacio reservado · / buscar · a piden · o orden · ? · q salir
watch-hints-board = a acciones · Espacio reservado · flechas tableros, jugadas · v girar · ? · Esc
watch-empty = No hay tableros: conecte uno o mire `dgtctl check` y el registro del servicio.
watch-empty-asked = Se está preguntando a los PC …
watch-empty-filtered = Ningún tablero es así. Esc los muestra todos.
watch-too-small = La ventana es demasiado pequeña: hacen falta 80 columnas y 24 líneas.

watch-stand-away = PC ausente
watch-stand-failed = fallo puerto
watch-stand-absent = desconectado
watch-stand-silent = sin respuesta
watch-stand-opening = saludando
watch-stand-no-game = sin partida
watch-stand-waiting = preparada
watch-stand-playing = en juego
watch-stand-closed = sin resultado
watch-stand-over = { $result } { $ending ->
        [checkmate] mate
        [stalemate] ahogado
        [dead-position] muerta
        [fivefold] quíntuple
        [seventy-five-move] 75 jug.
        [set-by-arbiter] puesto
       *[none] {""}
    }
watch-look = mire·{ $stand }
watch-secret-claim = { $kind ->
        [threefold] triple rep.
       *[fifty] 50 jugadas
    }{ $moves ->
        [none] {""}
       *[other] {" "}con { $moves }
    }
watch-secret-flag = bandera { $side ->
        [white] blancas
       *[black] negras
    }
watch-secret-illegal = ilegal: { $side ->
        [white] blancas
       *[black] negras
    }
watch-secret-possible-end = quizá terminada: { $ending }

watch-note-down = No se llega a { $pc }. { $fault }
watch-note-asked = Se está preguntando a { $pc } …
watch-note-rights = { $pcs }: usted no está en el grupo dgtd-arbiters, así que no se muestran reclamaciones, jugadas ilegales ni banderas, y no se puede cambiar nada. Pida: sudo usermod -aG dgtd-arbiters USUARIO, y vuelva a entrar.
watch-note-clash = Varios tableros se llaman { $label }, en { $pcs }. Dé a cada uno su etiqueta (l en el tablero).

watch-board-gone = Este tablero ya no está. Esc vuelve atrás.
watch-white = Blancas: { $name }
watch-black = Negras: { $name }
watch-game-line = { $last ->
        [none] sin jugadas
       *[other] Última { $last }
    }{ $shows ->
        [none] {""}
       *[other] {" "}(muestra { $shows })
    } · { $turn ->
        [over] terminada
        [closed] registro cerrado sin resultado
        [black] juegan negras
       *[white] juegan blancas
    } · media jugada { $ply } · { $edition }
watch-sensors = En el tablero:
watch-moves-asked = Se están leyendo las jugadas …
watch-counters = { $exact ->
        [yes] Exacto
       *[no] Al menos
    }: { $quiet } medias jugadas sin mover peón ni capturar; la posición se ha dado { $many ->
        [one] una vez
       *[more] { $times } veces
    }.
watch-no-secrets = Ahora no hay nada que reclamar ni decidir.
watch-open = Pendiente: { $text }
watch-hidden = { $many ->
        [one] Un asunto para usted: Espacio lo muestra.
       *[more] { $count } asuntos para usted: Espacio los muestra.
    }

watch-help = Teclas
watch-help-hall = Arriba, Abajo, RePág, AvPág, Inicio, Fin   elegir tablero
    Intro      el tablero: posición, jugadas, acciones
    Espacio    diez segundos, lo que solo el árbitro debe saber: reclamaciones,
               banderas, jugadas ilegales, piezas mal. Otra vez: lo oculta
    /          buscar por mesa, jugador, PC, estado; Intro lo conserva
    a          solo los tableros que le necesitan; otra vez: todos
    o          orden: lo que le necesita, mesa, PC, menos tiempo
    Esc        otra vez todos los tableros
    g          emparejamientos de una ronda, de un archivo
    q, Ctrl-C  salir; Ctrl-L dibuja la pantalla otra vez

    !  una partida ha terminado o debe mirar (Espacio dice por qué)
    -  no se oye el tablero o su PC
    {"*"}  este reloj corre
watch-help-board = Intro, a    acciones; cada una se pregunta otra vez antes de hacerla
    Espacio     diez segundos: cuentas, reclamaciones, banderas, ilegales,
                y lo que ven los sensores si no es la partida
    Izq., Der.  el tablero anterior y el siguiente
    Arr., Abajo jugadas anteriores
    v           el tablero desde el otro lado
    Esc, q      volver a la sala

    La letra de una acción la elige enseguida.
watch-menu = Acciones
watch-menu-keys = Una letra, o flechas e Intro · Esc atrás
watch-form-keys = Arriba/Abajo campo · Izq./Der. elegir · Intro seguir · Esc salir
watch-confirm = ¿Hacerlo en { $pc }?
watch-confirm-keys = Intro lo hace · Esc vuelve atrás
watch-sent = Se ha pedido a { $pc }. La respuesta está en camino …
watch-sent-keys = Esc no la espera
watch-told-keys = Intro cierra

watch-do-claim = reclamación de tablas
watch-do-flag = bandera observada
watch-do-illegal = jugada ilegal
watch-do-result = resultado
watch-do-undo = volver a una media jugada
watch-do-position = poner posición
watch-do-next = partida siguiente
watch-do-back = anular comienzo: la anterior
watch-do-pair = emparejamientos de la sala
watch-do-players = nombres de los jugadores
watch-do-label = etiqueta de la mesa
watch-do-reopen = abrir otra vez la partida
watch-do-conditions = edición y ritmo de juego
watch-do-clock = lado blanco del reloj
watch-do-orientation = hacia qué lado
watch-do-silence = callar el zumbador
watch-do-seen = visto: cerrar lo pendiente

watch-yes = sí
watch-no = no
watch-side-white = blancas
watch-side-black = negras
watch-ask-claimed = Se reclama
watch-threefold = la posición tres veces (9.2)
watch-fifty = cincuenta jugadas (9.3)
watch-ask-claimant = Reclaman
watch-ask-announced = Jugada anunciada (vacío: ninguna)
watch-ask-first = Antes de reclamar
watch-first-none = no hizo nada
watch-first-touched = tocó una pieza
watch-first-moved = hizo una jugada
watch-ask-enter-draw = Si es correcta, anotar las tablas
watch-ask-flag = Bandera de
watch-ask-before = Antes
watch-before-nothing = nada que decida
watch-before-claim = se reclamaron tablas
watch-before-period = se hicieron todas las jugadas del período
watch-before-white = las blancas habían abandonado
watch-before-black = las negras habían abandonado
watch-before-draw = se habían acordado tablas
watch-ask-enter = Si hay resultado, anotarlo
watch-ask-decision = Decisión
watch-accept = cuenta
watch-dismiss = no la hubo
watch-reconsider = se decide otra vez: espera
watch-ask-number = Número (0: la única que espera)
watch-ask-result = Resultado
watch-result-white = 1-0
watch-result-black = 0-1
watch-result-draw = 1/2-1/2
watch-result-none = {"*"} (ninguno)
watch-ask-reason = Motivo
watch-ask-ply = Volver a la media jugada
watch-ask-fen = Posición (FEN)
watch-ask-white = Blancas
watch-ask-black = Negras
watch-ask-edition = Edición
watch-ask-control = Ritmo
watch-control-standard = clásico
watch-control-rapid = rápido
watch-control-blitz = relámpago
watch-ask-supervision = Supervisión
watch-supervision-shared = un árbitro para varias partidas
watch-supervision-full = un árbitro para cada partida
watch-ask-clock = Lado de las blancas, visto de frente al reloj
watch-ask-label = Etiqueta
watch-ask-file = Archivo (PGN o informe FIDE)
watch-ask-round = Ronda (vacío: la única o la última)
watch-all-boards = La sala
watch-reading = Se está leyendo el archivo …
watch-pair-confirm = ¿Poner { $count } de estos en { $pcs }?
watch-pair-nothing = No hay nada que poner.
watch-pair-sent = Respuestas en camino: { $count } …
watch-pair-part = { $from } a { $to } de { $of }
watch-pairings-keys = Intro los pone · Arriba/Abajo más · Esc vuelve atrás
watch-ask-connector = Conector, visto por las blancas, a la
watch-connector-left = izquierda
watch-connector-right = derecha

watch-done = Hecho.
watch-undone = Hecho: la partida está otra vez en la media jugada { $ply }.
watch-wrong-empty = Rellene lo que está vacío.
watch-wrong-number = Eso no es un número.
watch-wrong-which = Diga el número de la jugada ilegal que se decidió.
watch-wrong-ply = Diga una media jugada anterior a la actual.
watch-wrong-nothing-open = Nada de lo que se veía está pendiente. Para lo reservado, antes Espacio.
watch-wrong-no-game = No hay partida en este tablero. Empiece una: n.
watch-failed = { $kind ->
        [rights] No puede hacer esto: usted no está en el grupo dgtd-arbiters en { $pc }. Pida: sudo usermod -aG dgtd-arbiters USUARIO, y vuelva a entrar.
        [away] Ahora no se llega a { $pc }: no se ha hecho nada. Repítalo cuando vuelva.
        [silent] { $pc } no ha respondido. Mire en el tablero si se hizo antes de repetirlo.
        [StalePly] La partida ha seguido entretanto: no se ha hecho nada. Mire el tablero y repítalo.
        [NoGame] No hay partida en este tablero. Empiece una: n.
        [GameOver] La partida ha terminado: no se ha hecho nada. Empiece la siguiente: n.
        [IllegalMove] Esa jugada no es legal aquí ({ $text }).
        [IllegalPosition] Una partida no puede tener esa posición ({ $text }).
        [NoSuchIllegalMove] Ninguna jugada ilegal con ese número espera decisión. Espacio muestra las que esperan.
        [NoSuchAlert] Eso ya se había cerrado.
        [NotClosed] La partida no está cerrada: no hay nada que abrir otra vez.
        [NotToBeReopened] Esa partida no se puede abrir otra vez: desde entonces se dejó el tablero.
        [NothingBefore] No se conoce ninguna partida anterior que pueda seguir.
        [NotConnected] El tablero no está conectado: mire su cable.
        [Unavailable] La parte de dgtd de este tablero se está reiniciando. Repítalo en un momento.
        [UnknownMethod] El dgtd de { $pc } es demasiado antiguo para esto. Instale allí uno más nuevo.
        [UnknownObject] Eso ya no está: mire otra vez el tablero.
       *[other] No se ha hecho nada: { $text }
    }
