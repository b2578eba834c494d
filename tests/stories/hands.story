# Everything that hands do.

== quiet_move_two_squares_at_once
law: a man on two squares in one scan
story: The new square reads the pawn before the old one reads empty.
hands: +e4P -e2 @4s
expect: moves e4

== capture_never_empty
law: capture; the square taken never reads empty
story: The captor arrives, and the square changes from one man to the other.
start: rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
hands: -e4 @300ms +d5P @4s
expect: moves exd5

== capture_victim_lifted_first
law: capture order
story: The captured pawn is lifted first.
start: rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
hands: -d5 @400ms -e4 @300ms +d5P @4s
expect: moves exd5

== capture_captor_lifted_first
law: capture order
story: The captor is lifted first, then the captured pawn.
start: rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
hands: -e4 @400ms -d5 @300ms +d5P @4s
expect: moves exd5

== capture_new_square_first
law: capture order
story: The captor reads on its new square before its old one reads empty.
start: rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
hands: +d5P -e4 @4s
expect: moves exd5

== capture_dragged_over_the_neighbour
law: capture order
story: The captured queen shows for a moment on the square beside, after its captor has arrived.
start: rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 3
hands: -c3 @300ms +d5N @60ms +e5q @120ms -e5 @4s
expect: moves Nxd5

== slide_of_a_rook
law: sliding pieces
story: A rook slides from a1 to e1 and stops on every square between. Each would be a legal move.
start: r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30
hands: -a1 +b1R @150ms -b1 +c1R @500ms -c1 +d1R @150ms -d1 +e1R @4s
expect: moves Re1

== slide_and_back
law: sliding pieces
story: A queen slides too far and comes back a square; the reply comes when she stands still.
start: r5k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 30
hands: -d1 +d6Q @300ms -d6 +d7Q @400ms -d7 +d6Q @1s -a8 @300ms +a1r @4s
expect: moves Qd6 Ra1+

== castling_short_white
law: 3.8.2
story: The king first, then the rook.
start: r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 20
hands: play O-O @4s
expect: moves O-O

== castling_long_white
law: 3.8.2
story: The king first, then the rook, towards the queen's side.
start: r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 20
hands: play O-O-O @4s
expect: moves O-O-O

== castling_short_black
law: 3.8.2
story: Black castles short, with a clock.
start: r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 20
hands: clock 10:00 10:00 b @1s play O-O @4s
expect: moves O-O

== castling_long_black
law: 3.8.2
story: Black castles long; the clock ticks while the rook is in the air.
start: r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 20
hands: clock 10:00 10:00 b @1s -e8 @200ms +c8k @200ms -a8 @1200ms +d8r @300ms press @4s
expect: moves O-O-O

== castling_both_in_the_air
law: 3.8.2
story: King and rook are lifted together with both hands; the rook is put down first.
start: r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 20
hands: -e1 -h1 @300ms +f1R @200ms +g1K @4s
expect: moves O-O

== castling_king_taken_over_the_rook
law: 3.8.2
story: The rook is taken off first and stays in the other hand until the king stands.
start: r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 20
hands: -h1 @300ms -e1 @300ms +g1K @500ms +f1R @4s
expect: moves O-O

== en_passant_white
law: 3.7.3.1
story: The pawn taken in passing leaves last.
start: rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3
hands: play exd6 @4s
expect: moves exd6

== en_passant_black
law: 3.7.3.1
story: The pawn taken in passing leaves first.
start: rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR b KQkq e3 0 3
hands: -e4 @400ms -d4 @300ms +e3p @4s
expect: moves dxe3

== en_passant_victim_between
law: 3.7.3.1
story: The taking pawn is lifted, the taken one removed, the taking one put down.
start: rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3
hands: -e5 @300ms -d5 @300ms +d6P @4s
expect: moves exd6

== promotion_pawn_then_queen
law: 3.7.3.3
story: The pawn is put on the last rank and then exchanged for a queen.
start: 8/P5k1/8/8/8/8/6K1/8 w - - 0 50
hands: -a7 @300ms +a8P @800ms -a8 @500ms +a8Q @4s
expect: moves a8=Q

== promotion_queen_at_once
law: 3.7.3.3
story: The pawn is taken off and the queen put on the last rank.
start: 8/P5k1/8/8/8/8/6K1/8 w - - 0 50
hands: -a7 @600ms +a8Q @4s
expect: moves a8=Q

== promotion_queen_before_the_pawn_leaves
law: 3.7.3.3
story: The queen is put on the last rank first, then the pawn is taken off.
start: 8/P5k1/8/8/8/8/6K1/8 w - - 0 50
hands: +a8Q @600ms -a7 @4s
expect: moves a8=Q

== promotion_to_a_rook
law: 3.7.3.3
story: A pawn becomes a rook.
start: 8/P5k1/8/8/8/8/6K1/8 w - - 0 50
hands: -a7 +a8P @600ms -a8 @300ms +a8R @4s
expect: moves a8=R

== promotion_to_a_bishop
law: 3.7.3.3
story: A black pawn becomes a bishop.
start: 8/6k1/8/8/8/8/p5K1/8 b - - 0 50
hands: -a2 +a1p @600ms -a1 @300ms +a1b @4s
expect: moves a1=B
expect: over dead_position 1/2-1/2 1 5.2.2

== promotion_to_a_knight
law: 3.7.3.3
story: A pawn takes a rook and becomes a knight; the rook is lifted first.
start: 1r6/P5k1/8/8/8/8/6K1/8 w - - 0 50
hands: -b8 @300ms -a7 @400ms +b8N @4s
expect: moves axb8=N
expect: over dead_position 1/2-1/2 1 5.2.2

== promotion_changed_in_time
law: 3.7.3.3, 4.6
story: A queen is put on the last rank, and exchanged for a rook before the clock is pressed.
start: 8/P5k1/8/8/8/8/6K1/8 w - - 0 50
hands: clock 10:00 10:00 w @1s -a7 @300ms +a8Q @900ms -a8 @500ms +a8R @600ms press @4s
expect: moves a8=R
expect: by press

== promotion_pawn_left_and_pressed
law: 7.5.2
story: The pawn is left on the last rank and the clock pressed. The arbiter has the queen put there.
start: 8/P5k1/8/8/8/8/6K1/8 w - - 0 50
hands: clock 10:00 10:00 w @1s -a7 @300ms +a8P @500ms press @5s halt @5s -a8 @400ms +a8Q @5s run @5s
expect: moves a8=Q
expect: illegal white 7.5.2 a7 a8
expect: attention mismatch a8
expect: attention resolved

== lifted_and_put_back
law: touch, 4.3
story: A knight is lifted, held for three seconds, and put back. Then another one moves.
hands: -g1 @3s +g1N @2s play Nc3 @4s
expect: moves Nc3
expect: touched g1 N 3.0

== held_for_long
law: hesitation
story: A knight is lifted and held for twelve seconds before it goes to its square.
hands: -g1 @12s +f3N @4s
expect: moves Nf3

== adjusting_several
law: 4.2.1
story: White centres three men, one after the other, in less than a third of a second each.
hands: -b1 @200ms +b1N @500ms -c1 @250ms +c1B @400ms -h2 @150ms +h2P @2s play e4 @4s
expect: moves e4

== adjusting_two_at_once
law: 4.2.1
story: White lifts two knights with both hands and puts them back.
hands: -b1 -g1 @800ms +g1N +b1N @3s play e4 @4s
expect: moves e4
expect: touched g1 N 0.8
expect: touched b1 N 0.9

== flashing_man
law: a badly centred man
story: A pawn flashes: its square reads empty for single scans. Nobody moves it.
hands: -e7 @120ms +e7p @700ms -e7 @90ms +e7p @300ms -e7 @110ms +e7p @2s play d4 d5 @4s
expect: moves d4 d5

== spurious_codes
law: a man read wrong while it moves
story: A square reads a special code for a moment while the bishop passes.
start: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
hands: -f1 @100ms d3=0e @100ms d3=00 @100ms +c4B @4s
expect: moves Bc4

== takeback_before_the_press
law: takeback
story: A move is made and put back within the second; the clock runs. Another is made and pressed.
hands: clock 5:00 5:00 w @1s -e2 @300ms +e4P @900ms -e4 @300ms +e2P @1500ms -d2 @300ms +d4P @400ms press @2s
expect: moves d4
expect: by press
expect: touched e2 P 1.5

== takeback_after_the_press
law: takeback of a completed move
story: White pressed the clock, both agree to take the move back, and White plays another one.
hands: clock 5:00 5:00 w @1s -e2 @300ms +e4P @400ms press @4s -e4 @400ms +e2P @3s press @1s -d2 @300ms +d4P @400ms press @3s
expect: moves d4
expect: takeback 0 board
expect: attention completed_move_taken_back e2 e4

== takeback_of_two_plies
law: takeback
story: After a mistake both players take back a move each, Black first.
hands: play e4 e5 Nf3 Nc6 @4s -c6 @300ms +b8n @800ms -f3 @300ms +g1N @3s game rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-_0_2 play Nc3 Nf6 @4s
expect: moves e4 e5 Nc3 Nf6
expect: takeback 2 board

== initial_array_rotated
law: a board with its connector on White's right
story: The initial array is found the other way round; the game is followed, clock and all.
options: rotated
hands: clock 10:00 10:00 w @1s play e4 e5 Nf3 Nc6 Bb5 a6 O-O @4s
expect: moves e4 e5 Nf3 Nc6 Bb5 a6 O-O
expect: started initial_array rotated rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
expect: by press press press press press press press

== initial_array_set_up
law: a game begins
story: The board is found empty; the men are set up, and a game begins with the last of them.
board: 8/8/8/8/8/8/8/8
hands: @2s reset @3s play e4 e5 @4s
expect: moves e4 e5
expect: started initial_array normal rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1

== set_up_and_moved
law: a game begins from a position set up on the board
story: A position of an endgame stands on the board; its game begins with White's move.
board: 4k3/8/8/8/8/8/4P3/4K3
hands: @5s game 4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1 play e4 Kd7 Ke2 @4s
expect: moves e4 Kd7 Ke2
expect: attention setup_unclear
expect: started setup normal 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1

== set_up_with_a_clock
law: a game begins from a position set up on the board
story: The same with a running clock, which says that Black is to move.
board: 4k3/8/8/8/8/8/4P3/4K3
hands: clock 5:00 5:00 b @5s game 4k3/8/8/8/8/8/4P3/4K3_b_-_-_0_1 play Kd7 e4 @4s
expect: moves Kd7 e4
expect: started setup normal 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1

== kings_white_wins
law: result shown by the kings
story: In a middle game both kings go to the light centre squares; a pawn is taken off to make room.
hands: play e4 e5 Nf3 Nc6 @4s -e4 @300ms -e1 @400ms +e4K @1s -e8 @400ms +d5k @8s
expect: moves e4 e5 Nf3 Nc6
expect: signalled 1-0 e4 d5
expect: ended 1-0 signalled

== kings_black_wins
law: result shown by the kings
story: White resigns: the clock is stopped, and the kings go to the dark centre squares.
hands: clock 5:00 5:00 w @1s play d4 d5 c4 e5 @2s halt @1s -d4 @300ms -e5 @300ms -e1 @400ms +d4K @1500ms -e8 @400ms +e5k @8s
expect: moves d4 d5 c4 e5
expect: signalled 0-1 d4 e5
expect: ended 0-1 signalled

== kings_draw
law: result shown by the kings
story: A draw is agreed; Black's king comes four seconds after White's.
hands: play Nf3 Nf6 Nc3 Nc6 @4s -e1 @400ms +e4K @4s -e8 @400ms +e5k @8s
expect: moves Nf3 Nf6 Nc3 Nc6
expect: attention mismatch e1 e4
expect: signalled 1/2-1/2 e4 e5
expect: ended 1/2-1/2 signalled

== king_goes_to_the_centre
law: a move, not a result
story: In an ending the kings move to centre squares because they want to; no result is shown.
start: 8/8/4k3/8/8/3K4/6P1/8 w - - 0 60
hands: clock 5:00 5:00 w @1s play Ke4 Kf6 Kd5 Kf5 g4+ Kxg4 @4s
expect: moves Ke4 Kf6 Kd5 Kf5 g4+ Kxg4
expect: over dead_position 1/2-1/2 6 5.2.2

== next_game_after_a_result
law: several games on one board
story: A result is shown, the men are put back, and the next game is played.
hands: play e4 e5 @4s -e4 -e1 @400ms +e4K @600ms -e8 @400ms +d5k @8s reset @3s play d4 d5 c4 @4s
expect: moves e4 e5 | d4 d5 c4
expect: signalled 1-0 e4 d5
expect: ended 1-0 signalled
expect: ended * closed

== next_game_without_a_result
law: several games on one board
story: The players stop without showing a result, put the men back, and begin the next game.
hands: play e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 @6s reset @3s play d4 d5 @4s
expect: moves e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 | d4 d5
expect: ended * next_game
expect: ended * closed

== next_game_after_mate
law: several games on one board
story: A mate, then the men are put back and the next game begins.
hands: play f3 e5 g4 Qh4# @6s reset @3s play e4 c5 @4s
expect: moves f3 e5 g4 Qh4# | e4 c5
expect: over checkmate 0-1 4 5.1.1
expect: ended 0-1 laws
expect: ended * closed

== moves_after_the_end
law: nothing played after the end counts
story: After a mate the players look at what else there was.
hands: play f3 e5 g4 Qh4# @6s -e1 @300ms +f2K @2s -h4 @300ms +f2q @4s
expect: moves f3 e5 g4 Qh4#
expect: over checkmate 0-1 4 5.1.1
expect: attention after_the_end *
expect: ended 0-1 laws

== knocked_over_and_put_right
law: mismatch and recovery
story: A sleeve knocks over three men; after a while they stand where they were, and play goes on.
hands: play e4 e5 @4s -d1 -e1 -f1 @6s +d1Q @500ms +e1K @500ms +f1B @3s play Nf3 Nc6 @4s
expect: moves e4 e5 Nf3 Nc6
expect: attention missing_piece d1 e1 f1
expect: attention resolved
expect: touched d1 Q 6.1
expect: touched e1 K 6.5
expect: touched f1 B 7.0

== put_right_on_wrong_squares
law: mismatch and recovery
story: Bishop and knight are put back on each other's square, and exchanged when somebody sees it.
hands: play e4 e5 @4s -f1 -g1 @1s +f1N +g1B @8s -f1 -g1 @1s +f1B +g1N @3s play Nf3 @4s
expect: moves e4 e5 Nf3
expect: attention mismatch f1 g1
expect: attention resolved

== update_lost
law: a message lost
story: The board's word that e2 is empty is lost; the next dump shows it.
hands: ~-e2 @300ms +e4P @2s dump @3s play e5 @4s
expect: moves e4 e5

== message_damaged
law: a message damaged
story: A byte is lost from one message; the host asks for a dump, which shows the move.
hands: ~-e2 board 8e000534 @300ms +e4P @500ms dump @3s play e5 @4s
expect: moves e4 e5

== flag_fallen
law: 6.3, 6.9
story: White's flag falls in the middle of a game.
hands: clock 0:12 1:00 w @1s play e4 e5 Nf3 Nc6 @12s
expect: moves e4 e5 Nf3 Nc6
expect: flag white yes 0-1 6.9

== illegal_move_pressed
law: 7.5.1
story: The knight goes where it cannot, and the clock is pressed. The arbiter has the move put right.
hands: clock 5:00 5:00 w @1s -g1 @300ms +g3N @400ms press @4s halt @10s -g3 @400ms +f3N @3s run @4s
expect: moves Nf3
expect: illegal white 7.5.1 g1 g3
expect: attention mismatch g1 g3
expect: attention resolved

== king_left_in_check_pressed
law: 3.9.2, 7.5.1
story: White's king is in check; White moves something else and presses.
start: 4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 30
hands: clock 5:00 5:00 w @1s -a1 @300ms +a8R @400ms press @4s halt @10s -a8 @400ms +a1R @2s -e1 @300ms +e2K @3s
expect: moves Kxe2
expect: illegal white 7.5.1 a1 a8
expect: attention mismatch a1 a8
expect: attention resolved
expect: touched a1 R 15.1

== press_without_move
law: 6.2.1
story: White presses without having moved, sees it, presses Black's side back, and moves.
hands: clock 5:00 5:00 w @2s press @3s press @1s -e2 @300ms +e4P @300ms press @3s
expect: moves e4
expect: attention press_without_move

== clock_on_the_other_side
law: a clock turned round
story: The clock stands the other way round. After two presses the program has seen it.
options: clock-other-side
hands: clock 5:00 5:00 w @1s play e4 e5 Nf3 Nc6 @3s
expect: moves e4 e5 Nf3 Nc6
expect: attention clock_side

== clock_ahead_of_the_scan
law: clock and squares out of step
story: The press is heard before the scan that shows the move.
hands: clock 5:00 5:00 w @1s -e2 @200ms press @250ms +e4P @2s as e4 play e5 @3s
expect: moves e4 e5

== clock_a_second_late
law: clock and squares out of step
story: The press is heard a second late, when the reply already stands on the board.
hands: clock 5:00 5:00 w @1s -e2 @200ms +e4P @400ms -e7 @250ms +e5p @300ms press @300ms press @3s
expect: moves e4 e5

== press_while_the_rook_slides
law: an early press is corrected
story: The clock is pressed while the rook still stands on e1 for a moment; it comes to rest on f1.
start: r5k1/5ppp/8/8/8/8/5PPP/R6K w - - 0 30
hands: clock 5:00 5:00 w @1s -a1 +e1R press @150ms -e1 +f1R @4s
expect: moves Rf1
expect: takeback 0 correction

== no_clock_connected
law: a board without a clock
story: The board is asked for its clock and has none; that is told once.
options: asks-clock
hands: play e4 e5 @4s
expect: moves e4 e5
expect: attention clock_absent

== old_board
law: a board of the first kind
story: An old board knows only its short serial number.
options: old-board
hands: play e4 e5 @4s
expect: moves e4 e5

== dump_only
law: a capture without the host's bytes
story: The capture begins with a dump; nothing that the host sent is in it.
options: bare
hands: @1s play e4 e5 @4s
expect: moves e4 e5

== cable_out_in_the_opening
law: cable pulled
story: The cable is out for ten seconds in which nobody moves; the game goes on.
hands: play e4 e5 @4s unplug @10s plug dump @2s play Nf3 Nc6 @4s
expect: moves e4 e5 Nf3 Nc6

== fen_in_mid_game
law: a game from a given position, half-move counter and castling rights kept
story: The arbiter gives a position from the middle of a game.
start: r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5
hands: play O-O O-O d3 d6 @4s
expect: moves O-O O-O d3 d6
expect: started setup normal r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5

== press_while_the_rook_passes_a_mate
law: 5.1.1; no false end by an early press
story: The clock is pressed while the rook still stands on the mating square; it comes to rest a square before it.
start: 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1
hands: clock 5:00 5:00 w @1s -a1 +a8R press @250ms -a8 +a7R @4s
expect: moves Ra7
expect: takeback 0 correction

== mate_pressed
law: 5.1.1, announced in time
story: The mating move is pressed; the end is told within half a second.
start: 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1
hands: clock 5:00 5:00 w @1s -a1 @300ms +a8R @300ms press @4s
expect: moves Ra8#
expect: over checkmate 1-0 1 5.1.1
expect: by press

== flag_after_mate
law: 6.8: a mate before the flag stands
story: White mates and presses; then Black's clock runs out, because nobody stops it.
start: 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1
hands: clock 5:00 0:04 w @1s -a1 @300ms +a8R @300ms press @8s
expect: moves Ra8#
expect: over checkmate 1-0 1 5.1.1
expect: ended 1-0 laws

== kings_after_mate
law: a result shown after the Laws ended the game
story: After the mate the players show the result with the kings, the right one.
hands: play f3 e5 g4 Qh4# @5s -e5 @300ms -e1 @300ms +d4K @400ms -e8 @300ms +e5k @8s reset @3s play d4 @4s
expect: moves f3 e5 g4 Qh4# | d4
expect: over checkmate 0-1 4 5.1.1
expect: signalled 0-1 d4 e5
expect: ended 0-1 laws
expect: ended * closed

== kings_after_mate_the_wrong_way
law: a result shown after the Laws ended the game
story: After the mate the kings are put on the wrong squares. The mate stands.
hands: play f3 e5 g4 Qh4# @5s -e1 @300ms +e4K @400ms -e8 @300ms +d5k @8s
expect: moves f3 e5 g4 Qh4#
expect: over checkmate 0-1 4 5.1.1
expect: signalled 1-0 e4 d5
expect: ended 0-1 laws

== kings_at_once_after_the_last_move
law: the last move stands; a result shown by the kings
story: Black plays a last move, and a moment later both kings show a draw. The knight stands on its new square to the end: its move was played.
hands: play Nf3 Nf6 Nc3 Nc6 @100ms -e1 -e8 @400ms +d4K +d5k @8s
expect: moves Nf3 Nf6 Nc3 Nc6
expect: signalled 1/2-1/2 d4 d5
expect: ended 1/2-1/2 signalled

== token_draw
law: result shown by a special piece
story: The token for a draw is put on the board and left there.
hands: play e4 e5 @4s d4=0d @12s
expect: moves e4 e5
expect: signalled 1/2-1/2 d4
expect: ended 1/2-1/2 signalled

== claim_fifty
law: 9.3.2 (only a claim)
story: A hundred half-moves without a capture or a pawn's move: a claim, no end.
start: 8/8/8/8/4k3/8/R7/4K3 w - - 98 80
hands: play Ra3 Kd4 Ra4+ @4s
expect: moves Ra3 Kd4 Ra4+
expect: claim fifty_moves black 1 Kd4 Kf4 Kd5 Ke5 Kf5
expect: claim fifty_moves white 2
expect: claim fifty_moves black 3

== repetition_broken_by_castling_rights
law: 9.2.3.3
story: The rook goes out and comes back: the same squares, but castling is lost. The later ones count.
start: 4k3/8/8/8/8/8/8/4K2R w K - 0 1
hands: play Rh2 Kd8 Rh1 Ke8 Rh2 Kd8 Rh1 Ke8 Rh2 Kd8 Rh1 Ke8 Rh2 Kd8 Rh1 Ke8 @4s
expect: moves Rh2 Kd8 Rh1 Ke8 Rh2 Kd8 Rh1 Ke8 Rh2 Kd8 Rh1 Ke8 Rh2 Kd8 Rh1 Ke8

== dump_in_mid_slide
law: sliding pieces; a dump at a bad moment
story: A dump is asked for while the bishop is on its way; it shows the bishop on the wrong square.
start: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
hands: -f1 @100ms +d3B dump @30ms -d3 +c4B @4s play Nc6 @4s
expect: moves Bc4 Nc6

== two_plies_each_in_the_dark
law: messages lost
story: The board says nothing for a while, in which two moves are played; the next dump shows both.
hands: play e4 e5 @4s ~-g1 ~+f3N ~-b8 ~+c6n @500ms dump @3s game r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R_w_KQkq_-_2_3 play Bb5 @4s
expect: moves e4 e5 Nf3 Nc6 Bb5

== cable_out_several_plies
law: cable pulled
story: The cable is out while four plies are played; their order is not known.
hands: play e4 e5 Nf3 Nc6 @4s unplug @60s plug snap r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R game r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R_w_KQkq_-_2_5 @4s play O-O Be7 @4s
expect: moves e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7
expect: attention gap
expect: inexact 5 6 7 8

== reply_before_the_rook_is_down
law: a reply started before the move is finished
story: White castles; Black lifts a knight while White's rook is still in the air.
start: r3k2r/pppppppp/1n4n1/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 10
hands: -e1 @200ms +g1K @200ms -h1 -b6 @150ms +f1R @300ms +d5n @4s
expect: moves O-O Nd5

== both_players_capture_in_a_hurry
law: plies that overlap
story: White takes a knight, Black retakes before White's hand is off the board.
start: r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4
hands: clock 3:00 3:00 w @1s -f3 @150ms +e5N @100ms press -c6 @150ms +e5n @150ms press @4s
expect: moves Nxe5 Nxe5

== promotion_rook_upside_down
law: 3.7.3.3
story: A rook is put on the last rank upside down and stays there: it is a rook.
start: 8/P5k1/8/8/8/8/6K1/8 w - - 0 50
hands: clock 5:00 5:00 w @1s -a7 @300ms +a8R @400ms press @2s play Kf6 @4s
expect: moves a8=R Kf6

== special_code_stays
law: a man that cannot be read
story: A knight reads as an unknown code after it has landed, and nobody sees it; the arbiter is told the square.
hands: -g1 @300ms f3=5a @8s f3=03 @3s
expect: moves Nf3
expect: attention mismatch f3
expect: says unknown code 0x5a on f3
expect: attention resolved

== board_turned_between_games
law: several games on one board; the players change sides of the table
story: After a game the men are set up the other way round.
hands: play e4 e5 Nf3 @4s snap 8/8/8/8/8/8/8/8 @2s snap RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr @3s turn play d4 @4s
expect: moves e4 e5 Nf3 | d4
expect: ended * next_game
expect: ended * closed
