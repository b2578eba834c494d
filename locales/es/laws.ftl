# Lo que lee el árbitro. Un archivo por idioma, con su nombre; todos tienen los mismos mensajes.

## Resultados y motivos

game-over = Fin de la partida: { $result ->
        [white] ganan las blancas
        [black] ganan las negras
       *[draw] tablas
    }. { $reasons }.
reason = { $name } (artículo { $article })

checkmate = Jaque mate
stalemate = Rey ahogado
dead_position = Posición muerta: ningún jugador puede dar mate con ninguna serie de jugadas legales
fivefold_repetition = La misma posición se ha producido cinco veces
seventyfive_moves = Setenta y cinco movimientos de cada jugador sin mover un peón ni capturar

maybe-over = La partida puede haber terminado: { $reason }. Depende de { $on }.
depends-on = { $on ->
        [last-move] si la última jugada fue el avance de dos casillas de un peón
        [later-edition] la edición: solo una posterior termina la partida por ello
       *[castling-rights] qué derechos de enroque quedan
    }

## Reclamaciones

threefold_repetition = la misma posición por tercera vez
fifty_moves = cincuenta movimientos sin mover un peón ni capturar

claim-now = { $side ->
        [white] Las blancas
       *[black] Las negras
    } pueden reclamar tablas: { $kind } (artículo { $article }). Solo para el árbitro.
claim-by-move = { $side ->
        [white] Las blancas
       *[black] Las negras
    } pueden reclamar tablas anunciando { $moves }: { $kind } (artículo { $article }). Solo para el árbitro.

ruling-correct = La reclamación es correcta: la partida es tablas (artículo { $article }).
ruling-incorrect = La reclamación es incorrecta (artículo { $article }): el reclamante tiene ahora { $claimant } y su rival { $opponent }. { $must ->
        [any] La partida sigue; el reclamante puede hacer cualquier jugada legal
        [move] La partida sigue; el reclamante debe jugar { $moves }
       *[piece] La jugada anunciada es ilegal; el reclamante debe mover esa pieza: { $moves }
    }.
ruling-right_lost = El derecho a reclamar se ha perdido para esta jugada (artículo { $article }). Los relojes quedan como están.
ruling-not_entitled = Solo puede reclamar el jugador que está en juego (artículo { $article }). Los relojes quedan como están; el árbitro decide lo que sigue.
ruling-game_over = La partida había terminado antes (artículo { $article }).
ruling-arbiter = Decide el árbitro (artículo { $article }). La posición del tablero cumple la condición: { $now ->
        [yes] sí
        [no] no
       *[unknown] no se sabe
    }. La jugada anunciada produce una que la cumple: { $announced ->
        [yes] sí
        [no] no
        [none] no se anunció ninguna jugada legal
       *[unknown] no se sabe
    }.

## Banderas

flag-result = Ha caído la bandera de las { $side ->
        [white] blancas
       *[black] negras
    }: { $result ->
        [white] ganan las blancas
        [black] ganan las negras
       *[draw] tablas
    } (artículo { $article }).
flag-unknown = Ha caído la bandera de las { $side ->
        [white] blancas
       *[black] negras
    } (artículo { $article }): no se sabe si el rival puede dar mate con alguna serie de jugadas legales. Decide el árbitro.
flag-claim-first = Ha caído la bandera de las { $side ->
        [white] blancas
       *[black] negras
    } después de una reclamación: primero se decide la reclamación.
flag-next-period = Ha caído la bandera de las { $side ->
        [white] blancas
       *[black] negras
    }, pero todas las jugadas del período estaban completadas: comienza el período siguiente.

flag-after-end = Ha caído la bandera de las { $side ->
        [white] blancas
       *[black] negras
    }, pero la partida había terminado antes: { $result ->
        [white] ganan las blancas
        [black] ganan las negras
       *[draw] tablas
    } (artículo { $article }).
flag-may-call = { $who ->
        [player] Solo puede reclamarla el jugador; el árbitro guarda silencio.
        [must] El árbitro la señala cuando la ve, o la reclama el jugador.
       *[both] Puede reclamarla el jugador o señalarla el árbitro.
    }

## Jugadas ilegales

illegal-effect = { $effect ->
        [restore] se restablece la posición
        [time] se restablece la posición y el rival recibe { $time }
        [white] ganan las blancas
        [black] ganan las negras
        [draw] tablas, el rival no puede dar mate con ninguna serie de jugadas legales
       *[unknown] el jugador pierde salvo que el rival no pueda dar mate con ninguna serie de jugadas legales, lo que no se sabe: decide el árbitro
    }
illegal-costs = Jugada ilegal n.º { $nth } de este jugador: { $effect } (artículo { $article }){ $actor ->
        [opponent] , pero solo si el rival la reclama
       *[arbiter] {""}
    }{ $until ->
        [next-move] , antes de que el rival haga su siguiente jugada
       *[end] {""}
    }.
illegal-accepted = La jugada ilegal de las { $side ->
        [white] blancas
       *[black] negras
    } cuenta: { $effect } (artículo { $article }).
illegal-dismissed = La jugada ilegal de las { $side ->
        [white] blancas
       *[black] negras
    } se descarta: no cuenta.
illegal-waits = Si el rival no la reclama, el árbitro espera a que se complete la jugada siguiente; si la posición sigue siendo ilegal, la partida es tablas (artículo { $article }).
irregular-both-kings = Los dos reyes están en jaque.

irregular-no-move = Se ha pulsado el reloj sin hacer ninguna jugada.
irregular-king-captured = Se ha capturado el rey de { $square }.
irregular-pawn-on-last-rank = Se ha dejado un peón en { $square }.
irregular-king-in-check = El rey de { $square } se ha dejado o puesto en jaque.
irregular-against-article-3 = { $from }-{ $to } no es una jugada legal.
irregular-displaced = Las piezas del tablero no corresponden a la partida: { $squares }.

claim-wrong-costs = La reclamación es incorrecta (artículo { $article }): el rival gana { $time }{ $pays ->
        [half] , y el reclamante pierde la mitad de su tiempo, como mucho tres minutos
        [half-above-two-minutes] , y el reclamante pierde la mitad de su tiempo, como mucho tres minutos (con dos minutos o menos se queda como mucho con uno)
       *[nothing] {""}
    }. { $must ->
        [any] La partida sigue; el reclamante puede hacer cualquier jugada legal
        [move] La partida sigue; el reclamante debe jugar { $moves }
       *[piece] La jugada anunciada es ilegal; el reclamante debe mover esa pieza: { $moves }
    }.

## Una posición

judge-open = { $dead ->
        [no] La partida sigue; { $turn ->
            [white] juegan las blancas
           *[black] juegan las negras
        }.
       *[unknown] La partida sigue, pero no se sabe si la posición está muerta.
    }
judge-has-mated = { $side ->
        [white] Las blancas han dado mate.
       *[black] Las negras han dado mate.
    }
judge-can-mate = { $side ->
        [white] Las blancas pueden dar mate: { $line }
       *[black] Las negras pueden dar mate: { $line }
    }
judge-cannot-mate = { $side ->
        [white] Las blancas no pueden dar mate: { $reason }.
       *[black] Las negras no pueden dar mate: { $reason }.
    }
judge-unknown = Tras { $nodes } posiciones no se sabe si { $side ->
        [white] las blancas pueden dar mate
       *[black] las negras pueden dar mate
    }; un valor mayor de --nodes puede decirlo.
judge-odd = { $oddity ->
        [too_much_material] Ninguna partida puede haber llegado a esta posición: hay más piezas de las que los peones pueden haber dado. Se juzga tal como está.
        [impossible_check] Ninguna partida puede haber llegado a esta posición: ninguna última jugada puede haber dado este jaque. Se juzga tal como está.
        [castling_rights_dropped] El FEN da derechos de enroque donde el rey o la torre no están en su casilla: se juzga sin ellos.
       *[en_passant_dropped] El FEN da una casilla de captura al paso por la que ningún peón puede haber pasado: se juzga sin ella.
    }

proof-checkmated = { $side ->
        [white] las blancas
       *[black] las negras
    } han recibido jaque mate
proof-stalemate = rey ahogado, no queda ninguna jugada legal
proof-bare-king = { $side ->
        [white] a las blancas
       *[black] a las negras
    } solo les queda el rey
proof-lone-knight = { $side ->
        [white] las blancas
       *[black] las negras
    } tienen un caballo, y nada puede estorbar al otro rey
proof-bishops = { $side ->
        [white] las blancas
       *[black] las negras
    } solo tienen alfiles de un color, y ninguna pieza puede cubrir las demás casillas
proof-no-check = { $side ->
        [white] las blancas nunca más pueden dar jaque al rey negro
       *[black] las negras nunca más pueden dar jaque al rey blanco
    }
proof-no-mate = { $side ->
        [white] las blancas nunca pueden dar jaque al rey negro y quitarle a la vez su última casilla libre
       *[black] las negras nunca pueden dar jaque al rey blanco y quitarle a la vez su última casilla libre
    }
proof-pawns-locked = los peones están bloqueados para siempre
proof-kings-apart = ningún rey puede pasar
proof-both = blancas: { $white }; negras: { $black }
list-and = { $rest }, y { $last }
proof-forced-one = la única jugada lleva a una posición en la que { $side ->
        [white] las blancas
       *[black] las negras
    } no pueden dar mate
proof-forced = todas las jugadas son forzadas, y tras { $count } de ellas { $side ->
        [white] las blancas
       *[black] las negras
    } no pueden dar mate
proof-enumerated = se han examinado las { $count } posiciones que aún pueden producirse, y en ninguna { $side ->
        [white] las blancas
       *[black] las negras
    } dan mate
proof-reach = Hasta dónde puede llegar cada pieza (x: puede ser capturada):
proof-checked = { $checked ->
        [yes] Una comprobación independiente de la prueba coincide
       *[no] UNA COMPROBACIÓN INDEPENDIENTE DE LA PRUEBA NO COINCIDE: no se fíe de ella e informe
    } ({ $nodes } posiciones visitadas).

## Lo que está mal en el tablero

man = { $man ->
        [P] peón blanco
        [N] caballo blanco
        [B] alfil blanco
        [R] torre blanca
        [Q] dama blanca
        [K] rey blanco
        [p] peón negro
        [n] caballo negro
        [b] alfil negro
        [r] torre negra
        [q] dama negra
       *[k] rey negro
    }
man-of = { $man } de { $square }
reads-nothing = nada
reads-token = una pieza especial
reads-unknown = un código desconocido { $code }
differs = { $reads } en { $square }, se esperaba { $expected }
differs-more = y { $count } casillas más
attention-after-the-end = se movieron piezas después del final de la partida
attention-missing = no está en el tablero: { $men }
attention-not-legal = { $from }-{ $to } no es una jugada legal
attention-unreachable = no se puede llegar a la posición del tablero: { $differs }
attention-clock-turned = el reloj está colocado al revés: desde ahora se intercambian sus lados
attention-rook-first = { $side ->
        [white] Las blancas
       *[black] Las negras
    } movieron primero la torre al enrocar (artículo 4.4.2: ya no se permite el enroque de ese lado)
attention-mate-unexplained = el tablero muestra { $side ->
        [white] al rey blanco
       *[black] al rey negro
    } en jaque mate, pero no se conocen las jugadas que llevaron hasta ahí: mire el tablero (artículo 5.1.1)
attention-press-without-move = { $side ->
        [white] Las blancas
       *[black] Las negras
    } pulsaron el reloj sin mover
attention-reads-empty = { $square } se lee vacía: se supone que su pieza está ahí
attention-no-position = las piezas del tablero no son la posición inicial ni una posición que pueda darse en una partida
attention-set-up-waits = hay una posición preparada; su partida comienza con la primera jugada, o con un FEN del árbitro
attention-agrees-again = el tablero vuelve a coincidir con la partida
attention-completed-move-taken-back = se retiró una jugada completada: la partida sigue desde la media jugada { $ply } ({ $side ->
        [white] juegan las blancas
       *[black] juegan las negras
    })
attention-played-unseen = jugado mientras no se podía leer el tablero: { $moves }{ $sure ->
        [no] ; son posibles otras jugadas u otro orden
       *[yes] {""}
    }
attention-pawn-stands = hay un peón en { $square }: se anotan las jugadas, pero no se juzga ningún final ni reclamación hasta que una pieza ocupe su lugar{ $article ->
        [none] {""}
       *[other] ; si la posición sigue siendo ilegal tras completarse la jugada siguiente, la partida es tablas (artículo { $article })
    }
attention-end-unseen = no se podía leer el tablero cuando terminó esta partida: no se sabe qué se jugó después de la media jugada { $ply }
attention-log-unsettled = el registro propio del tablero no dice qué se jugó mientras no se podía leer: { $why ->
        [power] el tablero estuvo sin corriente
        [damaged] el registro está dañado
        [not_found] no contiene esta partida hasta ese momento
        [ambiguous] concuerdan con él varias líneas de jugadas
        [taken_back] en él se retiraron jugadas, o puede leerse así
        [contradicts] cuenta otras jugadas que las vistas después, y no se le da crédito
        [not_sent] el tablero no lo envió
       *[does_not_fit] no lleva a lo que muestra el tablero
    }
attention-clock-absent = no hay ningún reloj conectado al tablero: los tiempos no se registran

## Lo que ocurre en un tablero

event-link = { $state ->
        [connected] tablero conectado
        [lost] tablero perdido
        [silent] el tablero no contesta
       *[restored] el tablero vuelve a contestar
    }{ $port ->
        [none] {""}
       *[other] {" "}en { $port }
    }{ $serial ->
        [none] {""}
       *[other] , número de serie { $serial }
    }{ $state ->
        [lost] : compruebe el cable
        [silent] : compruebe el cable y la alimentación
       *[other] {""}
    }
event-started = partida { $game }: { $source ->
        [array] desde la posición inicial
        [setup] desde la posición { $fen }
       *[resumed] reanudada en { $fen }
    }{ $turned ->
        [yes] , con el tablero girado
       *[no] {""}
    }
event-provisional = el tablero muestra { $san } como media jugada { $ply }
event-confirmed = { $by ->
        [press] reloj pulsado
        [reply] contestada
        [log] según el registro del tablero
       *[still] quieta
    }{ $exact ->
        [no] , incierta
       *[yes] {""}
    }
event-takeback = { $reason ->
        [board] los jugadores retiran jugadas
        [arbiter] jugadas retiradas por orden del árbitro
       *[correction] registro corregido
    }: lo posterior a la media jugada { $ply } es nulo
event-over = la partida ha terminado: { $result }, { $reasons } (artículo { $article })
event-ending = { $reason ->
        [checkmate] jaque mate
        [stalemate] rey ahogado
        [dead] posición muerta
        [fivefold] quíntuple repetición
       *[seventyfive] setenta y cinco movimientos
    }
event-gap-closed = el registro propio del tablero dice qué se jugó después de la media jugada { $ply }{ $open ->
        [none] {""}
       *[other] ; sigue sin saberse qué se jugó después de { $open }
    }
event-withdrawn = NO HA TERMINADO: se retiró la jugada que puso fin a la partida
event-maybe-over = la partida puede haber terminado: { $reason } (artículo { $article }); depende de { $on }
event-claim = { $side ->
        [white] Las blancas
       *[black] Las negras
    } podrían reclamar tablas{ $moves ->
        [none] {""}
       *[other] {" "}anunciando { $moves }
    }: { $kind } (artículo { $article }){ $exact ->
        [no] , según lo que se vio
        [depends] ; depende de { $on }
       *[yes] {""}
    }
event-illegal = JUGADA ILEGAL { $number } de las { $side ->
        [white] blancas
       *[black] negras
    } (artículo { $article }): { $why }{ $squares ->
        [none] {""}
       *[other] {" "}({ $squares })
    }
event-illegal-decided = jugada ilegal { $number } de las { $side ->
        [white] blancas
       *[black] negras
    } { $decided ->
        [accepted] aceptada: { $effect } (artículo { $article })
       *[dismissed] descartada: no cuenta
    }
event-illegal-withdrawn = la jugada ilegal { $number } de las { $side ->
        [white] blancas
       *[black] negras
    } queda en pie: el rival ya hizo su siguiente jugada y no se puede actuar
event-flag = BANDERA: ha caído la de las { $side ->
        [white] blancas
       *[black] negras
    }, { $can ->
        [yes] el rival puede dar mate
        [no] el rival no puede dar mate
       *[unknown] no se sabe si el rival puede dar mate
    }: { $result } (artículo { $article })
event-ruling-flag = decisión sobre una bandera en la media jugada { $ply }: { $text }
event-ruling-claim = decisión sobre una reclamación de las { $side ->
        [white] blancas
       *[black] negras
    } en la media jugada { $ply }: { $text }
event-signalled = los jugadores muestran { $result } ({ $squares })
event-touched = { $piece } en { $square } levantada durante { $seconds } s y devuelta
event-attention = atención: { $text }
event-reopened = { $instead ->
        [none] partida reabierta en el movimiento { $ply }: lo anotado queda sin efecto
       *[other] se anuló el comienzo de la partida { $instead }: la anterior sigue en el movimiento { $ply }
    }
event-ended = partida cerrada: { $result } tras { $plies } medias jugadas, { $how ->
        [laws] según las Leyes
        [signalled] como mostraron los jugadores
        [arbiter] por el árbitro
        [next] se preparó la partida siguiente
        [withdrawn] se anuló su comienzo
       *[closed] se cerró el registro
    }

alert-title = { $kind ->
        [claim-available] se pueden reclamar tablas
        [illegal-position] jugada ilegal
        [flag-fallen] bandera caída
        [board-lost] tablero perdido
        [disagreement] el tablero no coincide
       *[attention] atención
    }

## Una reproducción

replay-move = hecha { $made }, { $confirmed }
replay-clocks = Blancas { $white }  Negras { $black }
replay-over = FIN DE LA PARTIDA  { $result }  { $reasons } (artículo { $article })
replay-over-at = a los { $time }

## Lo que se pregunta a un tablero

given-back = { $closed ->
        [yes] La partida anterior vuelve a ser la de este tablero. Estaba cerrada y lo sigue estando, en el movimiento { $ply }.
       *[no] La partida anterior sigue en el movimiento { $ply }.
    }
given-back-void = Los { $void } movimientos de la otra partida no cuentan; quedan en el registro.
given-back-unmoved = El tablero no se movió entretanto: jugadas, cuentas, jugadores y lo pendiente están como estaban. El reloj sigue como se ve.
given-back-unseen = Entretanto se movieron piezas: jugadas, jugadores y lo pendiente están como estaban, pero lo jugado entretanto solo vale hasta donde el tablero lo explica, y las cuentas son solo el mínimo hasta la próxima jugada de peón o captura. El reloj sigue como se ve.
given-back-disagrees = El tablero no muestra su posición: vuelva a poner las piezas, o ponga la posición.
clocks-after = Los relojes se ponen en: blancas { $white }, negras { $black }.
illegal-waiting = jugada ilegal { $number } de las { $side ->
        [white] blancas
       *[black] negras
    }, media jugada { $ply } (artículo { $article }). { $costs }
illegal-counted = { $waiting ->
        [none] Ninguna jugada ilegal espera decisión
       *[other] Esperan decisión: { $waiting }
    }. Aceptadas hasta ahora: blancas { $white }, negras { $black }.

## Quién pidió qué

request-name = { $what ->
        [label] rótulo
        [new-game] partida nueva
        [orientation] orientación
        [clock-side] lado del reloj
        [resync] nueva lectura
        [identification] identificación
        [recording] grabación
        [end-of-recording] fin de la grabación
        [set-position] poner posición
        [undo] deshacer
        [undo-start] anular comienzo
        [set-result] anotar resultado
        [set-tags] poner etiquetas
        [set-edition] elegir edición
        [set-conditions] elegir condiciones
        [set-pairing] poner emparejamiento
        [close] cerrar
        [reopen] reabrir
        [rule-on-claim] resolver reclamación
        [rule-on-flag] resolver caída de bandera
        [accept-illegal-move] aceptar jugada ilegal
        [dismiss-illegal-move] desestimar jugada ilegal
        [reconsider-illegal-move] reconsiderar jugada ilegal
       *[other] { $name }
    }
request-who = { $named ->
        [both] { $name } (usuario { $uid })
        [name] { $name }
        [uid] el usuario { $uid }
       *[nobody] un usuario desconocido
    }
event-asked = { $what }: lo pidió { $who }
event-asked-refused = { $what }: lo pidió { $who }, rechazado: { $why }
event-acknowledged = aviso { $alert } visto por { $who }

## Por qué se rechazó

refused-no-game = no hay partida en este tablero; empiece una antes
refused-game-over = la partida ha terminado; empiece antes la siguiente
refused-stale-ply = el tablero está en el movimiento { $actual }, no en el { $expected }; mire de nuevo y repita la petición
refused-illegal-move = «{ $text }» no es una jugada legal aquí: { $why }
refused-illegal-position = «{ $text }» no es una posición posible en una partida: { $why }
refused-illegal-move-stands = hay en el tablero una jugada ilegal: en esta posición no se puede juzgar ninguna reclamación
refused-unknown-edition = «{ $text }» no es una edición de las Leyes; la más nueva es fide-2023
refused-bad-result = «{ $text }» no es un resultado: escriba 1-0, 0-1, 1/2-1/2 o *
refused-bad-tag = «{ $text }» no es el nombre de una etiqueta PGN: use letras, cifras y _
refused-too-many-tags = una partida admite { $most } etiquetas PGN; dé menos
refused-too-long = { $what ->
        [announced-move] la jugada anunciada es demasiado larga
        [reason] el motivo es demasiado largo
       *[tag-value] el valor de la etiqueta es demasiado largo
    }: se admiten { $most } caracteres como mucho
refused-too-few-plies = solo hay { $plies } movimientos que deshacer
refused-not-closed = la partida no está cerrada; no hay nada que reabrir
refused-not-to-be-reopened = la partida se cerró hace demasiado: el tablero se ha dejado desde entonces
refused-nothing-before = no se conoce ninguna partida anterior a esta que pueda seguir
refused-not-connected = el tablero no está conectado
refused-none-waits = ninguna jugada ilegal espera una decisión
refused-does-not-wait = la jugada ilegal { $number } no espera una decisión; hay: { $open }
refused-undecided = sobre la jugada ilegal { $number } no se ha decidido: no hay decisión que retirar
refused-several-wait = varias jugadas ilegales esperan una decisión; nombre una de { $open }
refused-already-recording = este tablero ya se está grabando, en { $file }; detenga antes esa grabación
refused-not-recording = este tablero no se está grabando
refused-recording-busy = se está empezando o terminando una grabación de este tablero; pruebe de nuevo en un momento
refused-cannot-record = el tablero no se puede grabar: { $why }
refused-no-line = este tablero se reproduce de una grabación; copie ese archivo
refused-failed = el programa falló con esta petición y retomó la partida como estaba; vea su registro
