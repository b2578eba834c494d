## Órdenes en el PC del árbitro (dgtctl pair, players, sides) y por qué no hicieron nada

pair-round = ronda { $round }{ $event ->
        [none] {""}
       *[other] {" "}· { $event }
    }
pair-what = { $what ->
        [no-board] ningún tablero tiene este número
        [not-heard] ninguno de los tableros que se oyen tiene este número
        [has] { $at }: ya lo tiene
        [now] { $at }: para la partida que espera
        [next] { $at }: para la partida siguiente
        [set-now] { $at }: puesto
        [set-next] { $at }: puesto para la partida siguiente
        [refused] { $at }: no se puso: { $why }
        [silent] { $at }: no respondió, no se sabe si está puesto
       *[not-asked] { $at }: no se puso, su PC había dejado de responder
    }
pair-clash = el tablero { $number } está más de una vez: { $at }; deles etiquetas con números distintos, no se puso nada
pair-boardless = { $none } de { $all } partidas no tienen tablero
pair-missing = { $stand } de { $all } partidas están en sus tableros; la misma orden otra vez pone las que faltan y deja las demás como están
pair-unheard = no se oye a { $pc }: { $why }

pair-fault-kind = ni un archivo PGN, con etiquetas entre corchetes, ni un informe de torneo de la FIDE, cuyos jugadores están en líneas que empiezan por 001
pair-fault-board-twice = el tablero { $board } ya tiene una partida en la línea { $line }: { $white } - { $black }
pair-fault-no-game = el archivo no nombra ninguna partida de dos jugadores
pair-fault-no-round = no hay ronda { $round }; hay: { $known }
pair-fault-which-round = elija una ronda con --round: { $known }
pair-fault-no-name = la partida que empieza aquí no nombra a { $side ->
        [white] las blancas
       *[black] las negras
    }
pair-fault-round = "{ $text }" no es el número de una ronda
pair-fault-board = "{ $text }" no es el número de un tablero
pair-fault-tag = una etiqueta se escribe [Nombre "valor"]
pair-fault-quote = al valor le falta la " que lo cierra
pair-fault-bracket = al valor debe seguirle un ]
pair-fault-rank-twice = el número inicial { $rank } ya es el de la línea { $line }
pair-fault-report-round = no hay ronda { $round }; el informe tiene { $last }
pair-fault-nobody = nadie está emparejado en la ronda { $round }
pair-fault-no-rank = ningún jugador tiene el número inicial { $rank }
pair-fault-one-sided = { $one } está emparejado con { $other } (línea { $line }), que no lo está con él con el otro color
pair-fault-own-rank = "{ $text }" no es un número inicial (columnas 5 a 8)
pair-fault-nameless = el jugador no tiene nombre (columnas 15 a 47)
pair-fault-opponent = "{ $text }" no es un número inicial
pair-fault-colour = "{ $text }" no es un color: w, b o -
pair-fault-result = "{ $text }" no es un resultado de un informe de torneo

players-set = { $whose ->
        [now] puesto para la partida que espera su primera jugada
       *[next] puesto para la partida siguiente
    }
sides-are = tablero { $stands ->
        [turned] girado
       *[normal] normal
    }, reloj de las blancas a la { $clock ->
        [right] derecha
       *[left] izquierda
    }

error-help = ayuda: { $help }
error-bus = { $bus ->
        [system] el bus del sistema
        [session] el bus de la sesión
        [chosen] el bus elegido
       *[other] el bus en { $bus }
    }
error-or = { $one } ni en { $other }
error-no-bus = no se encuentra { $bus }
error-host = { $host }: { $fault ->
        [no-bus] no se llega al bus ({ $detail })
        [not-running] dgtd no está en marcha allí
        [silent] no responde
        [lost] se perdió la conexión
        [no-ssh] no se puede arrancar ssh ({ $detail })
        [unknown-host] no se conoce ningún PC con ese nombre
        [refused] el PC rechaza ssh
        [unreachable] no se llega al PC por la red
        [key-unknown] aquí no se conoce la clave del PC
        [key-changed] la clave del PC ha cambiado
        [denied] el PC no le deja entrar
        [no-bridge] no se llega por ssh al bus del PC ({ $detail })
        [ssh] ssh falló ({ $detail })
        [too-old] su dgtd es demasiado antiguo: no tiene { $detail }
       *[failed] no se le puede preguntar ({ $detail })
    }
error-one-host = esta orden pregunta a un solo dgtd, y con --host se nombran { $count }
error-destination = "{ $text }" no es un PC: escríbalo como lo toma ssh, por ejemplo arbitro@sala-pc1
error-not-running = dgtd no está en marcha en { $bus }
error-no-rights = no puede hacer esto: { $text }
error-too-old = el dgtd de allí es demasiado antiguo para esta orden: { $text }
error-silent = dgtd no responde: no se sabe si se hizo
error-cannot-ask = no se puede preguntar a dgtd
error-lost = se perdió la conexión con el bus
error-no-such-board = ningún tablero se llama "{ $name }"; hay: { $known ->
        [none] ninguno
       *[other] { $known }
    }
error-no-game = no hay partida en el tablero { $board }
error-write = { $path }: no se puede escribir
error-read = no se puede leer { $path }
error-no-such-game = { $path } no tiene partida { $number }: hay { $count }
error-no-games = { $path } no contiene ninguna partida en PGN
error-output = falló la salida
error-not-alone = ya está en marcha otro dgtctl notify de este usuario: él lo muestra todo
error-not-reloaded = no se volvió a leer la configuración
error-which-illegal = diga el número de la jugada ilegal cuya decisión se anula
error-alert-closed = el aviso { $id } no está pendiente
error-board-mute = se preguntó al tablero { $board } y no dice nada: mire su cable
error-port-mute = { $port }: el tablero no dijo nada: mire cable y alimentación
error-failed = falló una parte de este programa: arriba está lo que dijo; no se hizo nada más

help-no-bus = { $bus ->
        [system] diga el bus de dgtd con --bus, o arránquelo (systemctl start dbus)
        [session] diga el bus de dgtd con --bus, o entre con un bus de sesión (dbus-run-session bash)
       *[other] diga el bus de dgtd con --bus, por ejemplo --bus system
    }
help-not-running = arránquelo (systemctl start dgtd), o diga su bus con --bus
help-no-rights = pida entrar en el grupo dgtd-arbiters (sudo usermod -aG dgtd-arbiters USUARIO), y vuelva a entrar
help-host = { $fault ->
        [no-bus] arránquelo (systemctl start dbus), o diga otro con --bus
        [not-running] arránquelo allí: sudo systemctl start dgtd
        [silent] mire la red, y si el PC está encendido
        [lost] mire la red, y si el PC está encendido
        [unreachable] mire la red, y si el PC está encendido
        [no-ssh] instálelo: sudo apt install openssh-client
        [unknown-host] corrija el nombre, o use el número del PC, por ejemplo 192.168.1.7
        [refused] instálelo y arránquelo allí: sudo apt install openssh-server
        [key-unknown] llámelo una vez a mano (ssh USUARIO@PC) y conteste yes a su clave
        [key-changed] si el PC se instaló de nuevo: ssh-keygen -R PC, luego ssh USUARIO@PC; si no, alguien está en medio
        [denied] dé su clave al PC: ssh-copy-id USUARIO@PC
        [no-bridge] el PC necesita systemd y un bus del sistema en marcha
        [ssh] pruebe a mano: ssh USUARIO@PC systemd-stdio-bridge
        [too-old] instale en ese PC un dgtd más nuevo
       *[failed] mire allí: journalctl -u dgtd
    }
help-one-host = nombre uno, o use watch, notify o pair, que preguntan a todos
help-too-old = instale allí un dgtd más nuevo, tanto como este dgtctl
help-silent = mire el tablero (dgtctl show TABLERO) antes de repetirlo
help-no-game = empiece una con `dgtctl start TABLERO`
help-line = corrija la línea, o salte esas líneas con --lenient
help-which-illegal = vea las que esperan con `dgtctl illegal TABLERO`
help-stale = mire otra vez el tablero (dgtctl show TABLERO) y repita la orden
