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

maybe-over = La partida puede haber terminado: { $reason }. Depende de { $on ->
        [last-move] si la última jugada fue el avance de dos casillas de un peón
       *[castling-rights] qué derechos de enroque quedan
    }.

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

## Jugadas ilegales

illegal = Jugada ilegal de las { $side ->
        [white] blancas
       *[black] negras
    } (artículo { $offence }): { $effect ->
        [restore] se restablece la posición
        [time] se restablece la posición y el rival recibe { $time }
        [white] ganan las blancas
        [black] ganan las negras
        [draw] tablas, el rival no puede dar mate con ninguna serie de jugadas legales
       *[unknown] el jugador pierde salvo que el rival no pueda dar mate con ninguna serie de jugadas legales, lo que no se sabe
    } (artículo { $article }). { $until ->
        [next-move] Se puede actuar hasta que el rival haya hecho su siguiente jugada
       *[end] Se puede actuar mientras dure la partida
    }; { $actor ->
        [opponent] solo puede actuar el rival
        [both] pueden actuar el árbitro o el rival
       *[arbiter] actúa el árbitro
    }.

irregular-no-move = Se ha pulsado el reloj sin hacer ninguna jugada.
irregular-king-captured = Se ha capturado el rey de { $square }.
irregular-pawn-on-last-rank = Se ha dejado un peón en { $square }.
irregular-king-in-check = El rey de { $square } se ha dejado o puesto en jaque.
irregular-against-article-3 = La pieza que fue de { $from } a { $to } no puede moverse así.
irregular-displaced = Las piezas del tablero no corresponden a la partida: { $squares }.
