# More of the kinds that other programs get wrong.

== kings_legal_step_then_touching
law: result shown by the kings; the first king's step is a legal move
story: White's king steps to e4 as it might; Black's is put beside it on e5. That is a draw, and no king moved in the game.
start: 8/8/4k3/8/8/3K4/6P1/8 w - - 0 60
hands: -d3 +e4K @800ms -e6 +e5k @8s
expect: moves -
expect: signalled 1/2-1/2 e4 e5
expect: ended 1/2-1/2 signalled

== kings_legal_step_of_black
law: result shown by the kings; the first king's step is a legal move
story: Black to move steps to d5, then White's king comes to e4 in two hops.
start: 8/8/4k3/8/8/3K4/6P1/8 b - - 0 60
hands: -e6 @200ms +d5k @2500ms -d3 @300ms +e3K @150ms -e3 +e4K @8s
expect: moves -
expect: signalled 1-0 e4 d5
expect: ended 1-0 signalled

== kings_shown_after_a_pressed_move
law: result shown by the kings
story: A move is played and pressed. Then the kings show that White has won, Black's first.
hands: clock 5:00 5:00 w @1s play e4 d5 exd5 @300ms halt @1s -d5 @300ms -e8 @300ms +d5k @900ms -e1 @300ms +e4K @8s
expect: moves e4 d5 exd5
expect: signalled 1-0 e4 d5
expect: ended 1-0 signalled

== kings_not_centred_for_long
law: result shown by the kings, then thought better of
story: The kings stand in the centre for half a second only and go back; the game goes on.
hands: play Nf3 Nf6 @4s -e1 +e4K @200ms -e8 +d5k @500ms -e4 +e1K -d5 +e8k @4s play Nc3 @4s
expect: moves Nf3 Nf6 Nc3
expect: touched e1 K 0.8
expect: touched e8 k 0.7

== rook_first_confirmed_by_stillness
law: 4.4.2
story: The rook goes to f1 and stands there for three seconds, without a clock; then the king castles.
start: rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4
hands: -h1 +f1R @3s -e1 +g1K @4s
expect: moves O-O
expect: takeback 0 correction
expect: attention rook_first *

== rook_first_and_pressed
law: 4.4.2, 7.5.1; the rook's move was completed
story: The rook goes to f1 and White presses: the move is Rf1. Then White's king jumps over it while Black thinks.
start: rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4
hands: clock 5:00 5:00 w @1s -h1 +f1R @500ms press @6500ms -e1 +g1K @5s -g1 +e1K @3s -e8 @300ms +f8k @3s press @2s
expect: moves Rf1 Kf8
expect: attention mismatch *
expect: attention resolved
expect: touched e1 K *

== castling_rook_first_misplaced_then_right
law: 3.8.2, put right
story: The rook is put on e1 by mistake, and after two seconds on f1.
start: rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4
hands: -e1 +g1K -h1 +e1R @2s -e1 @200ms +f1R @4s
expect: moves O-O

== opponents_man_touched
law: 4.3.2
story: White lifts Black's pawn as if to take it, puts it back, and moves something else.
start: rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
hands: -d5 @1200ms +d5p @2s play Nc3 @4s
expect: moves Nc3
expect: touched d5 p 1.2

== three_plies_taken_back_and_others_played
law: takeback
story: Three plies are taken back one by one, and the game goes another way.
hands: play e4 e5 Nf3 Nc6 Bb5 @4s -b5 @300ms +f1B @1500ms -c6 @300ms +b8n @1500ms -f3 @300ms +g1N @3s game rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-_0_2 play Bc4 Nf6 @4s
expect: moves e4 e5 Bc4 Nf6
expect: takeback 4 board
expect: takeback 3 board
expect: takeback 2 board

== capture_taken_back
law: takeback
story: A capture is taken back: the captor first, then the captured man.
hands: play e4 d5 exd5 @4s -d5 @400ms +e4P @700ms +d5p @3s game rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-_0_2 play Nc3 @4s
expect: moves e4 d5 Nc3
expect: takeback 2 board

== second_game_counts_anew
law: 9.6.1; each game counts for itself
story: In two games on one board the knights go out and back twice each. No position occurs five times in a game.
hands: play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4 e5 Bc4 Bc5 Nf3 Nc6 @4s reset @3s play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 @4s
expect: moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4 e5 Bc4 Bc5 Nf3 Nc6 | Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
expect: takeback none

== en_passant_right_counts
law: 9.2.3.1
story: After d7-d5 White may take in passing; the same squares later are another position. Four times the later one, no fifth.
start: 4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1
hands: play d5 Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8 Kd1 @4s
expect: moves d5 Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8 Kd1
expect: over fivefold_repetition 1/2-1/2 18 9.6.1

== flag_against_bare_king
law: 6.9
story: White's flag falls against a bare king: a draw.
start: 8/6k1/8/8/2Q5/5K2/8/8 w - - 0 1
hands: clock 0:03 0:30 w @6s
expect: moves -
expect: flag white no 1/2-1/2 6.9

== flag_of_the_side_not_to_move
law: 6.9; the clock was not pressed
story: White moves and forgets the clock until his flag falls. He moved in time, but did not press.
hands: clock 0:04 0:30 w @1s -e2 @300ms +e4P @6s
expect: moves e4
expect: flag white yes 0-1 6.9

== clock_garbage
law: damaged clock messages
story: Between good messages of the clock come impossible times, nothing but zeros and an answer to a command. Nothing of it counts.
hands: clock 5:00 5:00 w @1s play e4 board 8d000a1a000000000000 board 8d000a00000000000000 board 8d000a207f0020033209 play e5 board 8d000a10090a10000000 play Nf3 @2s
expect: moves e4 e5 Nf3
expect: by press press press

== garbage_between_messages
law: noise on the line
story: Filler, stray bytes and an unknown message lie between the updates.
hands: board 8000008000007f0142 -e2 board 8000005a @200ms +e4P board ef000701020304 @3s play e5 @4s
expect: moves e4 e5

== truncated_message
law: noise on the line
story: A message breaks off in the middle, and the next one begins. The dump that follows shows all.
hands: ~-e2 board 8e0005 +e4P @400ms dump @3s play e5 @4s
expect: moves e4 e5

== set_up_rotated
law: a game begins from a position set up on the board, connector on White's right
story: An endgame is set up the other way round; a running clock says that White is to move.
board: 4k3/pppp4/8/8/8/8/4PPPP/4K3
options: rotated
hands: clock 5:00 5:00 w @5s game 4k3/pppp4/8/8/8/8/4PPPP/4K3_w_-_-_0_1 play e4 d5 e5 @4s
expect: moves e4 d5 e5
expect: started setup rotated 4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1

== king_and_queen_exchanged
law: 3.2; displaced from the start
story: White's king and queen stand on each other's square; the arbiter has it put right before the game.
board: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR
hands: @5s -d1 -e1 @800ms +d1Q +e1K @3s game initial play e4 e5 @4s
expect: moves e4 e5
expect: attention setup_unclear
expect: started initial_array normal rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1

== en_passant_onto_the_edge
law: 3.7.3.1
story: A black pawn takes in passing towards the h-file; the pawn taken is in the way and leaves first.
start: 4k3/8/8/8/6pP/8/8/4K3 b - h3 0 30
hands: -h4 @300ms -g4 @200ms +h3p @4s
expect: moves gxh3

== under_promotion_to_mate
law: 5.1.1, 3.7.3.3
story: A pawn becomes a knight and mates. A queen stood there for a moment, which would not have been mate.
start: 6br/5Ppk/7p/8/8/8/8/1K6 w - - 0 50
hands: -f7 @300ms +f8Q @600ms -f8 @400ms +f8N @4s
expect: moves f8=N#
expect: over checkmate 1-0 1 5.1.1

== second_queen
law: 3.7.3.3
story: A second queen is put on the last rank while the first is still on the board.
start: 8/P5k1/8/8/8/8/6K1/1Q6 w - - 0 50
hands: -a7 @400ms +a8Q @4s
expect: moves a8=Q

== chess960_castling
law: Guidelines II (Chess960), 3.8
story: The king on e1 castles with the rook on g1 and comes to stand where that stood.
start: 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1
hands: play O-O @4s
expect: moves O-O
expect: started setup normal 4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1

== chess960_array
law: Guidelines II (Chess960)
story: One of the arrays of Chess960, given by the arbiter; both sides castle.
start: bbqrnnkr/pppppppp/8/8/8/8/PPPPPPPP/BBQRNNKR w HDhd - 0 1
hands: play Ng3 Ng6 Nf3 Nf6 O-O O-O @4s
expect: moves Ng3 Ng6 Nf3 Nf6 O-O O-O

== dead_when_taken_in_a_hurry
law: 5.2.2; plies that overlap
story: Black gives up the last rook, White takes it at once: dead, whichever middle the board showed.
start: 8/8/8/4k3/8/8/1r6/K7 b - - 0 70
hands: clock 1:00 1:00 b @1s -b2 +b1r @100ms press -a1 @200ms +b1K @150ms press @4s
expect: moves Rb1+ Kxb1
expect: over dead_position 1/2-1/2 2 5.2.2

== draw_agreed_after_the_clock_stopped
law: moves stand when the clock is stopped
story: A move stands on the board, the clock is stopped without a press, and nothing more is done.
hands: clock 5:00 5:00 w @1s play d4 d5 -c2 @300ms +c4P @500ms halt @6s
expect: moves d4 d5 c4

== everything_taken_back_early
law: takeback; not a new game
story: The only move is put back after a second, before it was final; nothing but the other move is part of the game.
hands: -e2 +e4P @1s -e4 +e2P @2s -d2 +d4P @4s
expect: moves d4
expect: touched e2 P 1.1

== kings_one_by_one_soon_after_the_last_move
law: the last move stands; a result shown by the kings
story: Black plays; a third of a second later White resigns with his king, Black follows.
hands: play Nf3 Nf6 Nc3 Nc6 @100ms -e1 @400ms +d4K @500ms -e8 @400ms +e5k @8s
expect: moves Nf3 Nf6 Nc3 Nc6
expect: signalled 0-1 d4 e5
expect: ended 0-1 signalled

== next_game_soon_after_the_last_move
law: several games on one board; the last move stands
story: Black plays, White resigns by word, and a second later the men are put back.
hands: play e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 @750ms reset @3s play d4 @4s
expect: moves e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 | d4
expect: ended * next_game
expect: ended * closed

== next_game_two_people_put_back
law: several games on one board
story: A game is stopped by word; its men come home in any order, some by way of a wrong square.
hands: clock 5:00 5:00 w @1s play e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 @2s halt @3s -d4 +f3N @300ms -f6 @200ms +h6n -f3 @300ms +g1N @200ms -h6 @400ms +g8n -e4 @300ms +e2P @100ms -d6 +d7p @500ms +d2P @300ms +c7p @3s clock 5:00 5:00 w game initial @3s play d4 d5 @4s
expect: moves e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 | d4 d5
expect: ended * next_game
expect: ended * closed

== mate_then_men_put_back_at_once
law: 5.1.1; several games on one board
story: A mate without a clock; half a second later hands begin to put the men back. The mate was there.
hands: play f3 e5 g4 Qh4# @300ms reset @3s play d4 @4s
expect: moves f3 e5 g4 Qh4# | d4
expect: over checkmate 0-1 4 5.1.1
expect: ended 0-1 laws
expect: ended * closed

== stalemate_pressed_late
law: 5.2.1
story: A stalemate; the clock is never pressed and runs on until a flag falls.
start: 7k/8/5K2/8/8/8/6Q1/8 w - - 0 80
hands: clock 0:08 1:00 w @1s -g2 @300ms +g6Q @9s
expect: moves Qg6
expect: over stalemate 1/2-1/2 1 5.2.1

== fivefold_with_lost_update
law: 9.6.1; messages lost
story: The knights go out and back four times; one update is lost on the way and the dump comes a second later. No occurrence is missed.
hands: play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 @2s ~-f3 @300ms +g1N @1s dump @1s as Ng1 play Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 @4s
expect: moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
expect: over fivefold_repetition 1/2-1/2 16 9.6.1

== fivefold_through_a_gap
law: 9.6.1; a gap in what was seen
story: Four plies of a shuffle are played while the cable is out. It may have been more or less: nobody is told that it is over.
hands: play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 @4s unplug @60s plug snap rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR @10s
expect: moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8

== cable_out_during_mate
law: 5.1.1; cable pulled
story: The mating move is played while the cable is out; the dump shows it.
start: 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1
hands: @2s unplug @20s plug snap R5k1/5ppp/8/8/8/8/8/4K3 @5s
expect: moves Ra8#
expect: attention gap
expect: over checkmate 1-0 1 5.1.1

== queen_turned_by_the_sleeve
law: a man read wrong for a moment
story: While Black thinks, White's queen reads as a bishop for one scan.
hands: play d4 d5 @4s d1=04 @110ms d1=06 @2s play Nf3 @4s
expect: moves d4 d5 Nf3

== both_hands_capture_and_promote
law: 3.7.3.3; both hands at once
story: The promoting pawn takes; both hands lift pawn and victim at the same moment, the queen comes last.
start: 1r4k1/P4ppp/8/8/8/8/5PPP/6K1 w - - 0 40
hands: -a7 -b8 @700ms +b8Q @4s
expect: moves axb8=Q#
expect: over checkmate 1-0 1 5.1.1

== promotion_piece_dropped_beside
law: 3.7.3.3
story: The new queen is first put down on the wrong square beside, then where it belongs.
start: 8/P5k1/8/8/8/8/6K1/8 w - - 0 50
hands: -a7 @300ms +b8Q @700ms -b8 @200ms +a8Q @4s
expect: moves a8=Q

== flag_and_dead_position
law: 5.2.2 before 6.9
story: White takes the last pawn; a moment later his flag falls. The game was drawn before.
start: 4k3/8/8/8/8/8/3p4/4K3 w - - 0 70
hands: clock 0:06 1:00 w @1s -e1 @200ms +d2K @8s
expect: moves Kxd2
expect: over dead_position 1/2-1/2 1 5.2.2

== flag_just_before_the_mate
law: 6.9 and 5.1.1: which came first is the arbiter's to say
story: White's flag falls, and half a second later White mates.
start: 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1
hands: clock 0:03 1:00 w @2s -a1 @1500ms +a8R @5s
expect: moves Ra8#
expect: over checkmate 1-0 1 5.1.1
expect: flag white yes 0-1 6.9

== flag_on_a_turned_clock
law: 6.9; a clock turned round
story: The clock stands the other way round, as a dozen presses have shown. White's flag falls.
options: clock-other-side
hands: clock 0:25 1:00 w @1s play e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 @15s
expect: moves e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5
expect: attention clock_side
expect: flag white yes 0-1 6.9
