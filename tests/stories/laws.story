# What the arbiter decides, and what is not known.
#
# `arbiter:` words are requests of the arbiter at that moment; they stand in the capture as remarks.

== illegal_move_accepted
law: 7.5.1, 7.5.5
story: White's knight goes where it cannot, and White presses. The arbiter accepts the illegal move: Black gains two minutes, and the knight is moved legally.
hands: clock 5:00 5:00 w @1s -g1 @300ms +g3N @400ms press @4s halt @2s arbiter:accept @1s -g3 @400ms +f3N @3s run @4s
expect: moves Nf3
expect: illegal white 7.5.1 g1 g3
expect: decided 1 white true add_time 120000
expect: attention mismatch g1 g3
expect: attention resolved
expect: says g1-g3 is not a legal move. Illegal move 1 of this player: the position is restored and the opponent gains 0:02:00 (Article 7.5.5).

== illegal_move_dismissed
law: 7.5
story: The same, but the arbiter has seen that White was only adjusting the lever, and dismisses it. The next one is again the first.
hands: clock 5:00 5:00 w @1s -g1 @300ms +g3N @400ms press @4s halt @2s arbiter:dismiss:1 @1s -g3 @400ms +f3N @3s run @1s play e5 -b1 @300ms +b3N @400ms press @4s
expect: moves Nf3 e5
expect: illegal white 7.5.1 g1 g3
expect: illegal white 7.5.1 b1 b3
expect: decided 1 white false restore
expect: attention mismatch g1 g3
expect: attention resolved
expect: attention mismatch b1 b3
expect: says b1-b3 is not a legal move. Illegal move 1 of this player

== illegal_move_second_loses
law: 7.5.5
story: White's second accepted illegal move loses the game, for Black could mate.
hands: clock 5:00 5:00 w @1s -g1 @300ms +g3N @400ms press @4s halt @2s arbiter:accept @1s -g3 @400ms +f3N @3s run @1s play e5 -b1 @300ms +b3N @400ms press @4s halt @1s arbiter:accept @5s
expect: moves Nf3 e5
expect: illegal white 7.5.1 g1 g3
expect: illegal white 7.5.1 b1 b3
expect: decided 1 white true add_time 120000
expect: decided 2 white true result 0-1
expect: attention mismatch g1 g3
expect: attention resolved
expect: attention mismatch b1 b3
expect: says Illegal move 2 of this player: Black wins (Article 7.5.5).
expect: ended 0-1 arbiter

== illegal_move_second_draws
law: 7.5.5, second sentence
story: White's second accepted illegal move draws the game: Black has nothing but the king.
start: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 50
hands: clock 5:00 5:00 w @1s -e1 @300ms +e3K @400ms press @4s halt @2s arbiter:accept @1s -e3 @400ms +d1K @3s run @1s play Kd8 -d1 @300ms +d3K @400ms press @4s halt @1s arbiter:accept @5s
expect: moves Kd1 Kd8
expect: illegal white 7.5.1 e1 e3
expect: illegal white 7.5.1 d1 d3
expect: decided 1 white true add_time 120000
expect: decided 2 white true result 1/2-1/2
expect: attention mismatch e1 e3
expect: attention resolved
expect: attention mismatch d1 d3
expect: says draw, the opponent cannot mate by any series of legal moves
expect: ended 1/2-1/2 arbiter

== illegal_move_withdrawn_by_time
law: A.5.2 (by B.3), 7.5
story: In blitz Black makes an illegal move, White answers it and presses: it stands, and nobody may act on it any more. The game goes on from there.
laws: fide-2023 blitz
hands: clock 3:00 3:00 w @1s play e4 @500ms -g8 @300ms +g6n @400ms press @2500ms -d2 @300ms +d4P @400ms press @1500ms -e7 @300ms +e5p @400ms press @4s
expect: moves e4 Ng8g6 d4 e5
expect: illegal black 7.5.1 g6 g8
expect: lapsed 1 black 3
expect: final rnbqkb1r/pppp1ppp/6n1/4p3/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3
expect: says before he makes his next move

== illegal_move_stands_then_restored
law: 7.5
story: In standard chess Black's illegal move is answered too; but it may still be acted on. The arbiter accepts it: the position before it is restored, and Black moves the knight legally.
hands: clock 5:00 5:00 w @1s play e4 @500ms -g8 @300ms +g6n @400ms press @2500ms -d2 @300ms +d4P @400ms press @2500ms halt @1s arbiter:accept @1s -d4 @400ms +d2P @400ms -g6 @400ms +f6n @3s run @4s
expect: moves e4 Nf6
expect: illegal black 7.5.1 g6 g8
expect: decided 1 black true add_time 120000
expect: takeback 1 arbiter
expect: attention mismatch d2 d4 g6 g8
expect: attention resolved
expect: touched d2 P 5.6

== illegal_move_put_right_in_blitz
law: A.5.2 (by B.3)
story: In blitz Black makes an illegal move and puts it right before White has moved. It may be acted on until White has moved; White moves, and it is withdrawn.
laws: fide-2023 blitz
hands: clock 3:00 3:00 w @1s play e4 @500ms -g8 @300ms +g6n @400ms press @2500ms -g6 @400ms +f6n @2s play d4 @4s
expect: moves e4 Nf6 d4
expect: illegal black 7.5.1 g6 g8
expect: lapsed 1 black 3

== illegal_move_before_2014_only_by_claim
law: A.4.c (2009), 12.6
story: In rapid chess before 2014 the arbiter keeps silent: only the opponent may act, by a claim before his own move.
laws: fide-2009 rapid
hands: clock 15:00 15:00 w @1s play e4 @500ms -g8 @300ms +g6n @400ms press @2500ms -d2 @300ms +d4P @400ms press @4s
expect: moves e4 Ng8g6 d4
expect: illegal black 7.4 g6 g8
expect: lapsed 1 black 3
expect: says but only if the opponent claims it, before he makes his next move

== king_left_in_check_accepted
law: 3.9.2, 7.5.1
story: White's king is in check; White takes something else and presses. The arbiter accepts it; the board is put back, and the touched rook may not answer the check, so that another man moves.
start: 4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 30
hands: clock 5:00 5:00 w @1s -a1 @300ms +a8R @400ms press @4s halt @2s arbiter:accept @1s -a8 @400ms +a1R @2s -e1 -e2 @300ms +e2K @3s
expect: moves Kxe2
expect: illegal white 7.5.1 a1 a8
expect: decided 1 white true add_time 120000
expect: attention mismatch a1 a8
expect: attention resolved
expect: touched a1 R 8.1
expect: says The king on e1 was left or put in check.

== pawn_left_and_accepted
law: 7.5.2, A.5.4
story: In rapid chess the pawn is left on the last rank and the clock pressed. The arbiter sees and accepts it; the pawn becomes a queen.
start: 8/P5k1/8/8/8/8/6K1/8 w - - 0 50
laws: fide-2023 rapid
hands: clock 10:00 10:00 w @1s -a7 @300ms +a8P @500ms press @4s halt @1s arbiter:accept @1s -a8 @400ms +a8Q @3s run @4s
expect: moves a8=Q
expect: illegal white 7.5.2 a7 a8
expect: decided 1 white true add_time 60000
expect: attention mismatch a8
expect: attention resolved
expect: says A pawn was left on a8.
expect: says if the position is still illegal then, the game is drawn (Article A.5.4)

== press_without_move_counts
law: 7.5.3
story: Later in the game White presses without having moved. From 2018 on that counts as an illegal move.
hands: clock 5:00 5:00 w @1s play e4 e5 @500ms press @3s press @1s -g1 @300ms +f3N @300ms press @3s arbiter:accept:1 @1s
expect: moves e4 e5 Nf3
expect: illegal white 7.5.3
expect: decided 1 white true add_time 120000
expect: says The clock was pressed without a move.

== press_without_move_before_2017
law: 6.2
story: Before 2017 a press without a move is no offence of its own: the arbiter only sees it.
laws: fide-2014 standard
hands: clock 5:00 5:00 w @1s play e4 e5 @500ms press @3s press @1s -g1 @300ms +f3N @300ms press @3s
expect: moves e4 e5 Nf3
expect: attention press_without_move

== flag_ruled_a_draw
law: 6.9
story: White's flag falls; Black's bishop can never mate a rook's side. The arbiter observes it, and the draw is entered.
start: 8/6k1/3b4/8/2R5/5K2/8/8 w - - 0 1
hands: clock 0:03 0:30 w @6s halt @1s arbiter:flag:white:enter @3s
expect: moves -
expect: flag white no 1/2-1/2 6.9
expect: flag_ruling white 1/2-1/2 6.9 flag
expect: ended 1/2-1/2 arbiter

== flag_claimed_after_mate
law: 5.1.1, 6.9
story: Black mates; then White's flag falls, and somebody claims it. The mate stands.
hands: clock 0:08 5:00 w @1s play f3 e5 g4 Qh4# @8s arbiter:flag:white @2s
expect: moves f3 e5 g4 Qh4#
expect: over checkmate 0-1 4 5.1.1
expect: flag none
expect: flag_ruling white 0-1 5.1.1 earlier_end

== claim_ruled_wrong
law: 9.2, 9.5.3
story: White claims the position after the second occurrence, with a move that would make it no third. Black gains two minutes.
hands: clock 5:00 5:00 w @1s play Nf3 Nf6 Ng1 Ng8 @1s halt @1s arbiter:claim:threefold:e4 @2s
expect: moves Nf3 Nf6 Ng1 Ng8
expect: claim_ruling incorrect 9.5.3 e4 *
expect: says Play goes on; the claimant must play e4.

== claim_ruled_right
law: 9.2.1, 9.5.2
story: The next move would bring the position for the third time; Black announces it and claims. The draw is entered.
hands: play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 @4s arbiter:claim:threefold:Ng8:enter @2s
expect: moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1
expect: claim_ruling correct 9.2.1+9.5.2 -
expect: ended 1/2-1/2 arbiter

== repetition_that_depends_on_castling_rights
law: 9.2.3, 9.6.1; no false end
story: A position is set up on the board, kings and rooks at home; nobody knows whether they may castle. The rooks go out and back. Whether the first position is the same as when it comes back depends on that: after sixteen half-moves it has stood for the fifth time, or for the fourth. No alarm.
board: r3k3/8/8/8/8/8/8/4K2R
hands: clock 5:00 5:00 w @4s game r3k3/8/8/8/8/8/8/4K2R_w_Kq_-_0_1 play Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8 @4s
expect: moves Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8
expect: started setup normal r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1
expect: possible fivefold_repetition 9.6.1 16 castling_rights
expect: over none

== repetition_whatever_the_castling_rights
law: 9.6.1
story: Two half-moves later a position without rights has stood for the fifth time whatever was so at the beginning: the game is over.
board: r3k3/8/8/8/8/8/8/4K2R
hands: clock 5:00 5:00 w @4s game r3k3/8/8/8/8/8/8/4K2R_w_Kq_-_0_1 play Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 @4s
expect: moves Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8 Rg1 Rb8
expect: possible fivefold_repetition 9.6.1 16 castling_rights
expect: over fivefold_repetition 1/2-1/2 18 9.6.1
