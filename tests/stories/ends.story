# Each way the Laws end a game.

== mate
law: 5.1.1
story: The shortest mate, with a clock. The queen's last move ends the game.
hands: clock 5:00 5:00 w @1s play f3 e5 g4 Qh4# @3s
expect: moves f3 e5 g4 Qh4#
expect: over checkmate 0-1 4 5.1.1
expect: ended 0-1 laws

== mate_without_clock
law: 5.1.1
story: A mate in seven moves on a board without a clock.
hands: play e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5# @4s
expect: moves e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#
expect: over checkmate 1-0 13 5.1.1

== mate_taken_back
law: 5.1.1; an end that is withdrawn
story: The rook mates, stands for a while, and is put back; another move is played.
start: 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1
hands: -a1 +a8R @4s -a8 +a1R @4s -a1 +a7R @4s
expect: moves Ra7
expect: over checkmate 1-0 1 5.1.1
expect: withdrawn 1
expect: takeback 0 board

== mate_only_passed_over
law: 5.1.1; no false end
story: The rook stops for a moment on the mating square and goes on to another.
start: 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1
hands: -a1 +a8R @700ms -a8 +a7R @4s
expect: moves Ra7

== stalemate
law: 5.2.1
story: The shortest stalemate, ten moves.
hands: play e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6 @4s
expect: moves e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6
expect: over stalemate 1/2-1/2 19 5.2.1

== dead_bare_kings
law: 5.2.2
story: The last pawn is taken.
start: 4k3/8/8/8/8/8/3p4/4K3 w - - 0 70
hands: -d2 -e1 +d2K @4s
expect: moves Kxd2
expect: over dead_position 1/2-1/2 1 5.2.2

== dead_bishops_of_one_colour
law: 5.2.2
story: The last pawn is taken; bishops on squares of one colour remain.
start: 2b1k3/8/8/8/8/8/p7/KB6 w - - 0 70
hands: -a1 +a2K @4s
expect: moves Kxa2
expect: over dead_position 1/2-1/2 1 5.2.2

== alive_bishops_of_two_colours
law: 5.2.2; no false end
story: The last pawn is taken; bishops on squares of both colours remain, and a mate in the corner is possible.
start: 4k3/8/5b2/8/8/8/p7/KB6 w - - 0 70
hands: -a1 +a2K @4s
expect: moves Kxa2

== alive_bishop_and_knight
law: 5.2.2; no false end
story: The last pawn is taken; a bishop and a knight remain, and either side might still be mated.
start: 4k3/8/5n2/8/8/8/p7/KB6 w - - 0 70
hands: -a1 +a2K @4s
expect: moves Kxa2

== dead_forced_capture
law: 5.2.2
story: The queen checks on a square where the king must take it. Nothing but that is legal, and then nobody can mate: the game is over before it happens.
start: 7k/8/4q3/8/8/8/8/K7 b - - 0 70
hands: -e6 +a2q @4s
expect: moves Qa2+
expect: over dead_position 1/2-1/2 1 5.2.2

== dead_locked_pawns
law: 5.2.2
story: A last pawn's move closes the wall.
start: 4k3/8/p7/3p2p1/P2P2P1/8/8/4K3 b - - 0 40
hands: -a6 +a5p @4s
expect: moves a5
expect: over dead_position 1/2-1/2 1 5.2.2

== fivefold
law: 9.6.1
story: The knights go out and back four times: the initial array stands for the fifth time.
hands: play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 @4s
expect: moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
expect: over fivefold_repetition 1/2-1/2 16 9.6.1

== fivefold_not_at_four
law: 9.6.1; no false end
story: The knights go out and back three times: the fourth time ends nothing.
hands: play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 @4s
expect: moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8

== seventyfive
law: 9.6.2
story: Four quiet half-moves make it 150.
start: 8/8/8/8/4k3/8/R7/4K3 w - - 146 120
hands: play Ra3 Kd4 Ra4+ Kd5 @4s
expect: moves Ra3 Kd4 Ra4+ Kd5
expect: over seventyfive_moves 1/2-1/2 4 9.6.2

== seventyfive_not_at_149
law: 9.6.2; no false end
story: One half-move short of 150.
start: 8/8/8/8/4k3/8/R7/4K3 w - - 146 120
hands: play Ra3 Kd4 Ra4+ @4s
expect: moves Ra3 Kd4 Ra4+

== seventyfive_mate_first
law: 9.6.2, last sentence
story: The 150th quiet half-move mates: mate it is.
start: 7k/8/6K1/8/8/8/8/R7 w - - 149 120
hands: -a1 +a8R @4s
expect: moves Ra8#
expect: over checkmate 1-0 1 5.1.1

== seventyfive_and_stalemate
law: 5.2.1, 9.6.2
story: The 150th quiet half-move stalemates: a draw either way, told as the stalemate that it is.
start: 7k/8/5K2/8/8/8/6Q1/8 w - - 149 120
hands: -g2 +g6Q @4s
expect: moves Qg6
expect: over stalemate 1/2-1/2 1 5.2.1

== demo
law: 9.6.1
story: A short game with a clock: the queens chase each other, nobody claims the draw at the third occurrence, and at the fifth the game is over.
hands: clock 15:00 15:00 w increment 10s @1s pace 3s play e4 e5 Nf3 Nc6 pace 4500ms play Bb5 Nf6 O-O Nxe4 d4 Nd6 dxe5 Nxb5 a4 Nbd4 Nxd4 Nxd4 Qxd4 d5 exd6 Qxd6
hands: pace 2500ms play Qe4+ Qe6 Qd4 Qd6 Qe4+ Qe6 Qd4 Qd6 Qe4+ Qe6 Qd4 Qd6 Qe4+ Qe6 Qd4 Qd6 @3s halt @4s
expect: moves e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4 Nd6 dxe5 Nxb5 a4 Nbd4 Nxd4 Nxd4 Qxd4 d5 exd6 Qxd6 Qe4+ Qe6 Qd4 Qd6 Qe4+ Qe6 Qd4 Qd6 Qe4+ Qe6 Qd4 Qd6 Qe4+ Qe6 Qd4 Qd6
expect: over fivefold_repetition 1/2-1/2 36 9.6.1
expect: ended 1/2-1/2 laws

== fivefold_not_over_a_gap_with_castling_rights
law: 9.2.3.2, 9.6.1; no false end
story: Twice before the cable is out and three times after. Both kings may have gone out and come back meanwhile, and then the position is another one: castling is no longer possible.
hands: play e4 e5 Nf3 Nf6 Ng1 Ng8 @4s unplug @60s plug dump @4s play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 @4s
expect: moves e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
expect: possible fivefold_repetition 9.6.1 18 castling_rights
expect: over none

== fivefold_after_a_gap_with_castling_rights
law: 9.6.1
story: Once the position has stood five times since the cable was put back, what was done while it was out does not matter.
hands: play e4 e5 @4s unplug @60s plug dump @4s play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 @4s
expect: moves e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
expect: possible fivefold_repetition 9.6.1 18 castling_rights
expect: over fivefold_repetition 1/2-1/2 19 9.6.1

== fivefold_over_a_gap_without_castling_rights
law: 9.6.1
story: Where nobody may castle, a cable that was out between two occurrences takes nothing from their number.
start: 4k3/7p/8/8/8/8/P7/4K1N1 w - - 0 30
hands: play Nf3 Kd7 Ng1 Ke8 @4s unplug @60s plug dump @4s play Nf3 Kd7 Ng1 Ke8 Nf3 Kd7 Ng1 Ke8 Nf3 Kd7 Ng1 Ke8 @4s
expect: moves Nf3 Kd7 Ng1 Ke8 Nf3 Kd7 Ng1 Ke8 Nf3 Kd7 Ng1 Ke8 Nf3 Kd7 Ng1 Ke8
expect: over fivefold_repetition 1/2-1/2 16 9.6.1

== fivefold_not_by_an_unseen_ply
law: 9.6.1; no false end
story: The array has stood four times. While the cable is out, Black's knight goes home by g4 and h6, and White's pawn moves before it arrives: the array does not stand again. The shortest line to what the board shows then goes through it.
hands: play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 @4s unplug @120s secretly rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR plug dump @6s
expect: moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4
expect: attention gap
expect: over none
expect: inexact 16

== fivefold_not_by_an_unseen_ply_without_castling_rights
law: 9.6.1; no false end
story: The same where nobody may castle.
start: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1
hands: play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 @4s unplug @120s secretly rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR plug dump @6s
expect: moves - | Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4
expect: attention gap
expect: over none

expect: inexact 16