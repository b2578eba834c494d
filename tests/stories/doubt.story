# What the board says that is not so, and what it leaves out.

== lift_lost_and_play_goes_on
law: message lost
story: The message that White's pawn left e2 is lost, and Black answers before the next dump.
hands: clock 5:00 5:00 w @1s ~-e2 @300ms +e4P @200ms press @500ms -c7 @200ms +c5p @100ms press as e4 c5 @1s dump @200ms play Nf3 @4s
expect: moves e4 c5 Nf3

== unreadable_square_while_a_move_is_made
law: sensor fault
story: An empty square reads a code that is no man, for longer than a move takes.
hands: clock 5:00 5:00 w @1s f5=22 @100ms -e2 @300ms +e4P @100ms press @700ms -f5 @1s
expect: moves e4
expect: by press

== line_that_waits_is_borne_out
law: message lost; slide
story: A rook tries b1 and goes to e1 by way of d1, its last lift is lost, and the players go on without a rest.
start: R4b1r/2k2p2/5P2/1q1p4/8/2p1B1P1/5PBP/5RK1 w - - 0 28
hands: @1s play Bf4+ Kd7 Rd1 Ke6 @1s -d1 @150ms +c1R @80ms +b1R -c1 @1200ms dump @600ms -b1 @400ms +d1R @200ms ~-d1 @250ms +e1R @300ms -f6 @200ms -e6 @250ms +f6k @200ms -f4 +f5B @100ms -f5 +e5B @200ms dump @200ms -f6 @200ms +g6k @200ms -e5 @50ms dump @250ms -h8 +h8B @200ms -c3 @250ms +c2p @1s as Re1+ Kxf6 Be5+ Kg6 Bxh8 c2 play Kh1 @4s
expect: moves Bf4+ Kd7 Rd1 Ke6 Re1+ Kxf6 Be5+ Kg6 Bxh8 c2 Kh1
expect: touched d1 R 2.5

== landing_told_on_a_wrong_square
law: message damaged
story: The queen went to f5; the line made f1 of it, and the next dump shows where she stands. Black has answered meanwhile.
start: 8/3kq3/2b5/P7/7r/2K5/5Q1p/6N1 w - - 0 46
hands: clock 50:00 50:00 w @1s -f2 @500ms +f1Q press @500ms -d7 @400ms +c7k press @700ms secretly 8/2k1q3/2b5/P4Q2/7r/2K5/7p/6N1 dump @3s game 8/2k1q3/2b5/P4Q2/7r/2K5/7p/6N1_w_-_-_2_47 play Nh3 @4s
expect: moves Qf5+ Kc7 Nh3
expect: takeback 0 correction
expect: attention completed_move_taken_back *

== capture_with_both_men_in_the_hands
law: capture; no exchange
story: White lifts the captured man first and then his own, and takes his time: an exchange on e5 that nobody saw would leave the same squares empty.
start: rn3rk1/1p2bp1p/p1pp1np1/4p3/2N5/1PPQPq1P/PB1P3P/2K1RBR1 b - - 1 16
hands: clock 50:00 50:00 b @1s play Ne8 @500ms -d6 @250ms -c4 @1200ms +d6N press @2s
expect: moves Ne8 Nxd6

== double_step_taken_in_passing_or_step_taken
law: 3.7.3.1; hands that overlap
story: The pawn is taken before the board has read it: it may have gone one square or two.
start: 4k3/8/8/8/3p4/8/2P4P/4K3 w - - 0 30
hands: -c2 @300ms -d4 @400ms +c3p @4s
expect: moves c3 dxc3
expect: inexact 1 2

== phantom_beside_a_capture
law: sensor fault
story: White takes on b8, and for a moment the rook seems to stand on a8 again, as if the queen had gone there at once.
start: r3k1n1/1Q1b2pr/3b3q/5p2/2Pp1p2/3P3N/4P2P/1K1R1B1R b - - 0 25
hands: clock 50:00 50:00 b @2s -a8 @300ms +b8r press @1s -b7 @50ms +b8Q +a8r @500ms -a8 @300ms press @3s
expect: moves Rb8 Qxb8+

== stay_that_nobody_pressed
law: hesitation; hands that overlap
story: The rook stands on a4 for a while without a press, goes to a6, and comes to a4 only after Black's reply.
start: R4B2/8/3Pk1p1/5pPp/7P/4p3/6b1/2K5 w - - 0 80
hands: clock 50:00 50:00 w @2s play Kc2 Bf1 Kc1 Bg2 @2s -a8 @750ms +a4R @1500ms -a4 @1250ms -g2 @120ms +a6R @120ms +e4b @120ms press @300ms press @200ms -a6 @500ms +a4R press @4s
expect: moves Kc2 Bf1 Kc1 Bg2 Ra6 Be4 Ra4

== knight_on_the_border_of_two_squares
law: beginning; sensor fault
story: The knight of b8 stands so far towards c8 that only that square reads it, by turns with the bishop.
board: r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR
hands: +c8n @200ms +c8b @200ms +c8n @200ms +c8b @200ms +c8n @200ms +c8b @200ms +c8n @200ms +c8b @200ms +c8n @200ms +c8b @200ms +c8n @200ms +c8b @200ms +c8n @200ms +c8b @200ms +c8n @200ms +c8b @200ms +c8n @200ms +c8b +b8n @1s play e4 Nc6 @4s
expect: moves e4 Nc6
expect: attention missing_piece b8

== begun_with_a_man_in_the_hand
law: beginning
story: The board is read first when White has lifted the pawn of his first move.
board: rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR
hands: @300ms +d4P @4s as d4 play Nf6 c4 @4s
expect: moves d4 Nf6 c4
expect: attention gap

== begun_before_anybody_looked
law: beginning
story: The board is read first after a move of each player.
board: rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR
hands: @4s as d4 Nf6 play c4 @4s
expect: moves d4 Nf6 c4
expect: attention gap
expect: inexact 1 2

== mate_and_analysis
law: 5.1.1: a mate ends the game; what is tried afterwards takes nothing back
story: Ten seconds after the mate the players put the rook back and try two other moves.
start: 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1
hands: -a1 +a8R @10s -a8 @300ms +a1R @3s -a1 @300ms +a7R @4s -g8 @300ms +f8k @4s
expect: moves Ra8#
expect: over checkmate 1-0 1 5.1.1
expect: attention after_the_end a1 a8

== king_takes_in_the_centre
law: 5.2.2
story: A king that takes on a centre square shows no result: the move is confirmed as any other.
start: k7/8/8/3p4/4K3/8/8/8 w - - 0 70
hands: @1s -d5 -e4 +d5K @4s
expect: moves Kxd5
expect: over dead_position 1/2-1/2 1 5.2.2

== men_go_home_after_moves_to_and_fro
law: next game
story: After knights have gone to and fro only two pawns are not on their squares; they go home one by one, which is no takeback of fourteen half-moves.
hands: clock 5:00 5:00 w @1s play e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 @4s -e5 @400ms +e7p @1500ms -e4 @400ms +e2P @3s game initial clock 5:00 5:00 w @1s play d4 @4s
expect: moves e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 | d4

== end_that_nobody_saw
law: cable pulled; next game
story: The cable is out at the end of a game, and when it is back the men are being put on their squares.
hands: play e4 e5 Nf3 Nc6 @3s unplug @60s plug snap rnbqk2r/pppp2pp/5p2/8/8/8/PPPP1P1P/RNB1K2R @2s reset @4s game initial play d4 @4s
expect: moves e4 e5 Nf3 Nc6 | d4
expect: attention gap
expect: says what was played after half-move 4 is not known

== gap_after_a_man_on_his_way
law: cable pulled
story: The pawn passes g3 when the cable goes; without that move two more explain the board.
start: r1b1kbnr/pp1p1pp1/2n5/q1p1p2p/5P2/2PP3N/PP2P1PP/RNBQKBR1 w - - 0 6
hands: clock 50:00 50:00 w @2s -g2 @40ms +g3P @200ms unplug @6s plug snap r1b1kb1r/pp1pnpp1/2n5/q1p1p2p/5PP1/2PP3N/PP2P1RP/RNBQKB2 clock 49:50 49:50 b @5s
expect: moves g4 Nge7 Rg2
expect: attention gap
expect: inexact 1 2 3

== king_of_the_game_lifted_twice_in_the_centre
law: result; sensor fault
story: White's king comes to e4 for a result while Black's stands on e5, where the game has brought it; it is lifted, put back and lifted again within a moment, and goes to d5: a win for White, not a draw.
start: 8/2p1r2p/1p4p1/3Pk3/1PP3Pn/4R3/P3BK1P/8 b - - 4 41
hands: @2s -d5 @400ms -f2 @700ms +e4K @3s -e5 @200ms +e5k @130ms -e5 @400ms +d5k @8s
expect: moves -
expect: signalled 1-0 e4 d5

== next_game_with_two_men_unread
law: next game; sensor fault
story: Two knights of the next game are not read on their squares when White makes his first move.
hands: clock 50:00 50:00 w @1s play e4 e5 Nf3 Nc6 @4s -e1 -e8 @300ms +e4K @300ms +d5k @9s snap 8/8/8/8/8/8/8/8 @1s dump @1s snap r1bqk1nr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR @300ms +f8b @300ms -g8 @1500ms dump -d2 @300ms +d4P press @1500ms -d7 @300ms +d5p press @1s -c2 @200ms +c4P press @4s
expect: moves e4 e5 Nf3 Nc6 | d4 d5 c4
expect: signalled 1-0 e4 d5
expect: attention missing_piece b8
expect: attention missing_piece g8

== damaged_landing_that_seems_illegal
law: message damaged
story: The king took on g7; the line made g5 of it, and after castling he would stand there mated. No end is told before a dump has borne it out.
start: rn4k1/1p1bb1R1/1q2p3/p2pP3/3P4/P1B1PN1Q/1P5P/R3K3 b Q - 0 23
hands: clock 50:00 50:00 b @1s -g8 @600ms +g5k press @500ms -e1 @200ms +c1K @700ms -a1 @900ms +d1R press @1s secretly rn6/1p1bb1k1/1q2p3/p2pP3/3P4/P1B1PN1Q/1P5P/2KR4 dump @300ms as Kxg7 O-O-O play Bf8 @4s
expect: moves Kxg7 O-O-O Bf8

== mate_that_flashes
law: 5.1.1; sensor fault
story: The mating knight is badly centred: his square flashes for ten seconds, now fast and now slowly, and nobody presses.
start: 2Rrk1n1/3p4/6Nb/1N3p2/2PP1P2/P2rP2P/2R2K2/8 w - - 0 40
hands: clock 50:00 50:00 w @1s -b5 @400ms +d6N @1s -d6 @120ms +d6N @900ms -d6 @300ms +d6N @1200ms -d6 @110ms +d6N @1s -d6 @300ms +d6N @800ms -d6 @120ms +d6N @1300ms -d6 @110ms +d6N @900ms -d6 @110ms +d6N @1s -d6 @110ms +d6N @800ms -d6 @300ms +d6N @1s -d6 @120ms +d6N @900ms -d6 @120ms +d6N @1s -d6 @110ms +d6N @4s
expect: moves Nd6#
expect: over checkmate 1-0 1 5.1.1
expect: touched d6 N 0.3

== wrong_man_told_and_shown_first
law: message damaged; sensor fault
story: Black's pawn on g6 is read as a knight for some seconds, by the first dump too, while White goes on and a queen shows on e5; nothing else explains the board, so that the moves are told in doubt rather than never.
start: rnbqkb1r/1ppppppp/p4n2/8/2P5/2N4P/PP1PPPP1/R1BQKBNR b KQkq - 0 3
hands: clock 50:00 50:00 b @4s -g7 @400ms +g6N press @1100ms -a2 @400ms +a3P press @200ms dump +e5q @1200ms -e5 @1300ms secretly rnbqkb1r/1ppppp1p/p4np1/8/2P5/P1N4P/1P1PPPP1/R1BQKBNR dump @4s as g6 a3 play c6 @4s
expect: moves g6 a3 c6
expect: inexact 1 2

== king_drifts_beside_a_king_in_the_centre
law: result; hesitation
story: White's king hovers between d4 and d3 while Black's stands on e5, where the game has brought it: that shows no result.
start: 8/4bB2/7p/3Pk2P/6P1/7P/4K3/8 w - - 5 93
hands: @4s -e2 @260ms +d4K @116ms -d4 @255ms +d3K @119ms -d3 @134ms +d3K +d4K @120ms -d4 @129ms -d3 @248ms +d3K @4s
expect: moves Kd3

== landing_told_on_a_wrong_square_noticed_after_the_reply
law: message damaged
story: The pawn went to b3; the line made b4 of it. Black has castled when the next dump shows where it stands.
start: r1bqk2r/pp1n1ppp/2pbpn2/3p4/2PP4/2N1PN2/PPQ2PPP/R1B1KB1R w KQkq - 4 7
hands: clock 50:00 50:00 w @4s -b2 @1400ms +b4P press @400ms -e8 @600ms -h8 @400ms +g8k @400ms +f8r press @900ms secretly r1bq1rk1/pp1n1ppp/2pbpn2/3p4/2PP4/1PN1PN2/P1Q2PPP/R1B1KB1R dump @4s as b3 O-O play Be2 @4s
expect: moves b3 O-O Be2
expect: takeback 0 correction
expect: attention completed_move_taken_back *

== man_left_out_after_a_gap
law: cable pulled
story: The board shows the queen on b3 for five seconds after the gap, before she goes on to b7: she was there.
start: 8/P4q2/8/2Q5/5K2/8/7k/8 w - - 0 80
hands: clock 50:00 50:00 w @4s unplug @8s plug snap 8/P7/8/2Q5/4K3/1q6/7k/8 @300ms clock 49:50 49:50 b @5s -b3 @1s +b7q press @4s
expect: moves Ke3 Qb3+ Ke4 Qb7+
expect: attention gap
expect: inexact 1 2 3

== square_cleared_for_the_king
law: result
story: Black resigns: the clock is stopped, White's rook is taken off e5 for Black's king, and a second later White's stands on d4. That is no capture.
start: 8/5BN1/1p1k4/pP2Rp2/P6p/8/2K5/8 b - - 7 101
hands: clock 50:00 50:00 b @4s halt @1s -e5 @330ms -d6 @440ms +e5k @560ms -c2 @500ms +d4K @12s
expect: moves -
expect: signalled 0-1 d4 e5

== pawn_cleared_for_the_king
law: result
story: The players agree on a draw: the pawn is taken off e5, White's king stands on e4 and Black's on e5. Nobody played e4 and took there.
start: 8/8/4k3/p3p1p1/P5P1/4KP2/8/8 w - - 7 80
hands: clock 50:00 50:00 w @4s play Ke2 Kd6 Ke3 @6s -e5 @380ms -e3 @880ms +e4K @750ms -d6 @380ms +e5k @9s
expect: moves Ke2 Kd6 Ke3
expect: signalled 1/2-1/2 e4 e5
expect: takeback 3 correction

== captured_rook_pushed_aside_in_a_slide
law: capture
story: Black's rook slides down the file, and the rook it takes is pushed to d1 for a moment, as if it had moved there and Black had entered the square it left.
start: r1q1r1k1/2pb1pbp/1p1p1np1/p2P4/2PB4/2N2PP1/PP1Q2BP/R3R1K1 b - - 1 17
hands: clock 50:00 50:00 b @4s +e7r @120ms +e6r -e8 -e7 @110ms +e4r -e6 @120ms +e2r -e4 -e1 @60ms press @10ms +d1R +e1r -e2 @120ms -d1 @4s
expect: moves Rxe1+

== captured_queen_put_beside_for_a_while
law: capture
story: The queen that was taken on d4 stands on c4 for a third of a second before she is put off the board. The move before, which was pressed, stands.
start: 1r3rk1/2p2ppp/1ppqb3/4p3/4P1nP/P1Q4R/1PPPB1P1/1RB3K1 b - - 0 22
hands: clock 50:00 50:00 b @4s -d6 @1s +d4q press @1200ms +d3Q -c3 @120ms -d3 @380ms +d4Q @250ms +c4q @365ms -c4 press @4s
expect: moves Qd4+ Qxd4

== queen_passes_where_she_stood_before
law: hesitation; takeback
story: Black's queen goes to f4, on to g3, where she stood five half-moves ago, and back to f4. Nothing has been taken back.
start: 8/8/8/8/K7/6q1/7k/8 w - - 0 80
hands: clock 20:00 20:00 w @1s play Ka5 Qd3 Ka4 Qd4+ Ka5 @500ms -d4 @200ms +f4q @180ms +g3q -f4 @370ms -g3 @25ms +f4q @200ms press @4s
expect: moves Ka5 Qd3 Ka4 Qd4+ Ka5 Qf4

== king_steps_beside_a_king_and_presses
law: 7.5.1; result
story: Black moves his king to e5, beside White's on d4, and presses; White stops the clock and calls the arbiter. That shows no win for Black.
start: 8/5p2/4k3/8/3K4/6P1/7R/8 b - - 0 60
laws: fide-2023 blitz
hands: clock 2:00 2:00 b @2s -e6 @400ms +e5k @200ms press @3s halt @15s
expect: moves -
expect: illegal black 7.5.1 e5 e6
expect: attention mismatch e5 e6

== result_shown_after_a_king_stepped_beside_a_king
law: 7.5.1; result
story: After such a move the players agree on a draw, lift both kings and show it.
start: 8/5p2/4k3/8/3K4/6P1/7R/8 b - - 0 60
hands: clock 20:00 20:00 b @2s -e6 @400ms +e5k @200ms press @3s halt @1s -d4 @400ms +d4K @200ms -e5 @400ms +d5k @10s
expect: moves -
expect: illegal black 7.5.1 e5 e6
expect: attention mismatch e5 e6
expect: signalled 1/2-1/2 d4 d5

== both_players_hold_a_knight
law: 5.2.2; hands at rest
story: Each player holds a knight for six seconds. An exchange that nobody saw would leave the same squares empty and a dead position; it ends nothing.
start: 6k1/8/2n5/4n3/8/5N2/8/6K1 w - - 0 60
hands: @2s -f3 @300ms -c6 @6s +f3N @300ms +c6n @6s
expect: moves -
expect: inexact 1 2
expect: takeback 0 board

== odds_in_the_next_game
law: 5.1.1; next game
story: White gives his queen as odds in the second game; she is taken to be a man that is not read. It is no mate without her, and none is told.
hands: play e4 e5 Nf3 Nc6 @4s -e1 -e8 @300ms +e4K @300ms +d5k @9s snap 8/8/8/8/8/8/8/8 @1s dump @1s snap rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR dump @4s -f2 @300ms +f3P @4s -e7 @300ms +e5p @4s -g2 @300ms +g4P @4s -d8 @300ms +h4q @6s
expect: moves e4 e5 Nf3 Nc6 | f3 e5 g4 Qh4#
expect: signalled 1-0 e4 d5
expect: attention missing_piece d1

== mate_beside_men_that_are_not_read
law: 5.1.1; next game
story: Both white knights are not read in the second game. The mate is one with them and without them.
hands: play e4 e5 Nf3 Nc6 @4s -e1 -e8 @300ms +e4K @300ms +d5k @9s snap 8/8/8/8/8/8/8/8 @1s dump @1s snap rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R dump @5s -e2 @300ms +e4P @3s -e7 @300ms +e5p @3s -f1 @300ms +c4B @3s -b8 @300ms +c6n @3s -d1 @300ms +h5Q @3s -g8 @300ms +f6n @3s -f7 -h5 @200ms +f7Q @5s
expect: moves e4 e5 Nf3 Nc6 | e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#
expect: over checkmate 1-0 7 5.1.1
expect: signalled 1-0 e4 d5
expect: attention missing_piece b1
expect: attention missing_piece g1

== clock_that_nobody_started
law: 5.1.1
story: The clock stands at five minutes all the game: nobody has started it. The mate is one all the same, and the men that go home take nothing back.
board: 8/8/8/8/8/8/8/8
hands: clock 5:00 5:00 w halt @1s reset @5s play f3 e5 g4 Qh4# @6s reset @5s
expect: moves f3 e5 g4 Qh4# | -
expect: over checkmate 0-1 4 5.1.1

== clock_not_started_for_the_next_game
law: 5.1.1; next game
story: The clock was stopped at the end of the first game and is not started for the second, which ends with a mate.
hands: clock 5:00 5:00 w @1s play e4 e5 Nf3 Nc6 @4s halt -e1 -e8 @300ms +e4K @300ms +d5k @9s reset @5s play f3 e5 g4 Qh4# @20s
expect: moves e4 e5 Nf3 Nc6 | f3 e5 g4 Qh4#
expect: over checkmate 0-1 4 5.1.1
expect: signalled 1-0 e4 d5

== knight_and_bishop_exchanged_in_the_next_game
law: 7.2.1; next game
story: Black's knight and bishop have changed places when White makes the first move of the second game. That is told; they are not taken for men that are not read.
hands: play e4 e5 Nf3 Nc6 @4s -e1 -e8 @300ms +e4K @300ms +d5k @9s snap 8/8/8/8/8/8/8/8 @1s dump @1s snap rbnqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR dump @300ms +h8r @3s -d2 @300ms +d4P @5s
expect: moves e4 e5 Nf3 Nc6 | -
expect: signalled 1-0 e4 d5
expect: attention mismatch *

== damaged_message_that_tells_of_a_special_piece
law: message damaged; result
story: A byte of a message is damaged, so that an empty square seems to hold the piece that says "White wins". Four seconds later a dump shows that nothing stands there, and the game goes on.
hands: play e4 e5 @4s board 8e0005120e @4s dump @1s play Nf3 @4s
expect: moves e4 e5 Nf3

== mate_on_the_square_the_king_left
law: 5.1.1
story: The king steps from c8 to d8, and half a second later the queen enters the square he left and mates him there. He is no captured man pushed aside.
start: 2k2q2/1Q2b1r1/B5r1/2PpPp2/1P3B1p/5P2/1K4PR/8 b - - 0 57
hands: clock 3:00 3:00 b @2s -c8 @60ms +d8k press @400ms -b7 @60ms +c8Q press @8s
expect: moves Kd8 Qc8#
expect: over checkmate 1-0 2 5.1.1

== there_and_back_while_nothing_rests
law: 9.2; overlapping hands
story: Four plies lead back to where the game stood, played so fast that no position between them shows. They are told, for they count.
start: 4k3/8/8/8/8/4K3/8/R6r w - - 0 40
hands: clock 3:00 3:00 w @3s play Rb1 Rh2 Ke4 Kd7 @3s -b1 @300ms -h2 @200ms +b5R press @500ms -b5 @100ms +h5r press @500ms -h5 @100ms +b1R press @500ms +h2r press @4s as Rb5 Rh5 Rb1 Rh2 play Rc1 Rh3 @3s
expect: moves Rb1 Rh2 Ke4 Kd7 Rb5 Rh5 Rb1 Rh2 Rc1 Rh3

== many_plies_in_which_nothing_rests
law: overlapping hands
story: Six plies in three seconds: each man shows where he went, but the next hand is always in the air.
start: 1rbqkbnr/ppp3p1/n3p3/B4p1p/3Pp3/1P3P2/P1P1N1PP/RN1QKB1R b KQ - 0 20
hands: clock 3:00 3:00 b @3s -f8 @330ms -a5 +b4b @180ms -a6 +b4B @220ms +b4n @300ms -a2 @200ms +a3P @300ms -d8 @120ms +h4q @40ms +g3P -g2 @3s as Bb4+ Bxb4 Nxb4 a3 Qh4+ g3 play exf3
expect: moves Bb4+ Bxb4 Nxb4 a3 Qh4+ g3 exf3

== rook_told_as_a_queen
law: message damaged; capture
story: A byte of the message is damaged, so that the rook that takes on b8 seems to be a queen, and White presses. Nobody exchanges a rook for a queen: that is no illegal move.
start: rn4k1/1R1pn3/p5pp/P3r2q/1Q6/2P3P1/1P2P2P/2B1K1NR w K - 4 23
hands: clock 50:00 50:00 w @4s -b7 @400ms +b8Q press @1s -a8 @300ms ~b8=08 @10ms -b8 @60ms +b8r press @5s
expect: moves Rxb8+ Rxb8

== lift_that_the_line_lost
law: message lost
story: The rook passes c5 on its way to c6; that it left c5 is lost, and a dump tells of it two seconds later. It did not rest there.
start: 1r6/5pkp/R5p1/3N4/p3P2P/1rR2PK1/1n4P1/8 w - - 0 31
hands: clock 50:00 50:00 w @4s -c3 @300ms +c5R ~-c5 @100ms +c6R press @2s -a4 @200ms +a3p @90ms dump press @3s -c6 @700ms +c7R press @4s
expect: moves Rcc6 a3 Rc7

== gap_after_which_a_king_castles
law: cable pulled; castling
story: White castles while the cable is out, and Black's king has just gone to g8 when the board is read again, his rook still on h8. Nobody moved a rook to and fro.
start: r1bqk2r/p1p2ppp/5n2/3p4/1b6/2NB4/PPP2PPP/R1BQK2R w KQkq - 0 9
hands: clock 50:00 50:00 w @4s unplug @6s plug snap r1bq3r/p1p2ppp/5n2/3p4/1b6/2NB4/PPP2PPP/R1BQ1RK1 clock 49:50 49:50 b @600ms +g8k @160ms -h8 @600ms +f8r press @4s as O-O O-O play Bg5
expect: moves O-O O-O Bg5
expect: attention gap
expect: inexact 1 2

== gap_with_a_pawn_in_the_hand
law: cable pulled
story: White's pawn rests on e3 for a moment and is in the hand again when the cable is pulled; then it stands on e4. It was one move.
start: rnb1kbnr/pp1pppp1/1q6/2p4p/5P2/P7/1PPPP1PP/RNBQKBNR w KQkq - 0 4
hands: clock 50:00 50:00 w @4s -e2 @600ms +e3P @900ms -e3 @500ms unplug @7s plug snap rnb1kbnr/pp1pppp1/3q4/2p2P1p/4P3/P7/1PPP2PP/RNBQKBNR clock 49:50 49:50 b @5s as e4 Qd6 f5 play e5
expect: moves e4 Qd6 f5 e5
expect: attention gap
expect: inexact 1 2 3

== gap_after_which_a_pawn_is_taken_in_passing
law: cable pulled; 3.7.3.1
story: Two of Black's moves and one of White's are hidden; the order in which b5 came last is the only one that lets White take it in passing.
start: 1nb1k1n1/1pqp2br/r1p1p1p1/p1P2p1p/8/BPNQ1NP1/P2PPPBP/3R1RK1 b - - 1 14
hands: clock 50:00 50:00 b @4s unplug @6s plug snap 1nb1k1n1/2qp3r/r1p1pbp1/ppP2p1p/8/BPN1QNP1/P2PPPBP/3R1RK1 clock 49:50 49:50 w @3s -c5 @200ms -b5 @180ms +b6P press @3s as Bf6 Qe3 b5 cxb6 play Rxb6
expect: moves Bf6 Qe3 b5 cxb6 Rxb6
expect: attention gap
expect: inexact 1 2 3

== king_cleared_for_and_never_moved
law: result
story: The players agree on a draw: Black's king stands on d5, the pawn that White clears from d4 is in the hand, and White's king follows eight seconds later. Black's king did not walk there.
start: 2b3R1/p2k3r/2p5/1p3p2/1P1P4/P7/3KN3/2B3R1 b - - 5 70
hands: clock 50:00 50:00 b @2s halt @2s -d4 @340ms -d7 @280ms +d5k @8s -d2 @330ms +d4K @12s
expect: moves -
expect: signalled 1/2-1/2 d4 d5
expect: attention mismatch d4 d5 d7

== mate_in_a_game_that_was_lost
law: 5.1.1; cable pulled
story: While the cable is out so much is played, and a man put wrongly, that nobody can tell what; then Black's queen mates on h4. The arbiter is told what the board shows, and that the moves are not known.
hands: clock 50:00 50:00 w @1s play Nc3 e5 @3s unplug @60s plug snap r1b1k2r/pp1pqppp/n1p4n/2b1p3/6P1/2N2P2/PPPPP2P/R1NQKBNR clock 49:50 49:50 w @6s -b2 @400ms +b3P press @8s -e7 @300ms +h4q @1s dump @12s
expect: moves Nc3 e5
expect: attention mismatch *
expect: attention mismatch *
expect: attention mismatch *
expect: says king checkmated

== men_go_home_by_twos_after_the_clock_stopped
law: 9.6.1: not what is done after the game
story: A draw is agreed, the clock stopped, and two seconds later both put their knights home at once: the initial array is there for the fifth time, but nobody played that.
hands: clock 5:00 5:00 w @1s play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 @1s halt @2s -f3 -f6 @300ms +g1N +g8n @8s
expect: moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
expect: over none

== reply_and_mate_on_a_stopped_clock
law: 5.1.1
story: The clock was stopped by mistake; Black moves and White mates within two seconds, and nobody presses.
start: 7k/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 40
hands: clock 5:00 5:00 b @2s halt @500ms -h8 @200ms +g8k @300ms -a1 @300ms +a8R @8s
expect: moves Kg8 Ra8#
expect: over checkmate 1-0 2 5.1.1

== king_who_discovers_mate_from_the_centre
law: 5.1.1; no result
story: White's king steps to e4 and lays his rook open: a mate, and no gesture.
start: 2rkr3/2p1p3/8/8/8/3K4/8/3R4 w - - 0 40
hands: clock 5:00 5:00 w @2s play Ke4# @8s
expect: moves Ke4#
expect: over checkmate 1-0 1 5.1.1

== mate_by_castling_while_the_king_stays
law: 5.1.1; 3.8.2, Chess960
story: The king is lifted and put back where he castles to, and the rook that jumps over him mates.
start: 4rkr1/4p1p1/8/8/8/8/8/6KR w H - 0 1
hands: clock 5:00 5:00 w @2s -g1 @100ms -h1 @300ms +g1K @100ms +f1R @300ms press @6s
expect: moves O-O#
expect: over checkmate 1-0 1 5.1.1

== wrong_man_put_down_for_a_pawn
law: 4.6: released; no illegal move
story: A pawn takes, White puts a knight on d5 by mistake, presses, and puts the pawn there three seconds later.
start: rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
hands: clock 5:00 5:00 w @2s -d5 @200ms -e4 @300ms +d5N @300ms press @3s -d5 @300ms +d5P @2s press as exd5 @500ms press play Qxd5 @4s
expect: moves exd5 Qxd5
expect: attention mismatch d5
expect: attention resolved

== mated_king_pushed_by_the_queen
law: 5.1.1
story: The queen that mates beside the king pushes him to h8 for a moment.
start: 5rk1/5ppp/8/6N1/8/8/5PPQ/6K1 w - - 0 40
hands: clock 5:00 5:00 w @2s -h2 @250ms +h7Q -g8 +h8k @250ms -h8 +g8k @300ms press @5s
expect: moves Qxh7#
expect: over checkmate 1-0 1 5.1.1
expect: touched g8 k 0.3
