# Illegal moves at a live board: answered at once, left standing, followed by others.

== illegal_answered_at_once
law: 7.5.1; in standard chess it may be acted on whenever it is found
story: Black's knight goes where it cannot, and Black presses. White answers within a second. The illegal move is told, and the game goes on from there.
hands: clock 5:00 5:00 w @1s play e4 @500ms -g8 @300ms +g6n @400ms press @400ms -d2 @300ms +d4P @200ms press @2s -e7 @300ms +e5p @400ms press @4s
expect: moves e4 Ng8g6 d4 e5
expect: illegal black 7.5.1 g6 g8
expect: by press press press press
expect: final rnbqkb1r/pppp1ppp/6n1/4p3/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3

== illegal_answered_at_once_and_restored
law: 7.5
story: The same; then the arbiter accepts it. The position before it is restored, and Black moves the knight legally.
hands: clock 5:00 5:00 w @1s play e4 @500ms -g8 @300ms +g6n @400ms press @400ms -d2 @300ms +d4P @200ms press @2s halt @1s arbiter:accept @1s -d4 @400ms +d2P @400ms -g6 @400ms +f6n @3s run @4s
expect: moves e4 Nf6
expect: illegal black 7.5.1 g6 g8
expect: decided 1 black true add_time 120000
expect: takeback 1 arbiter
expect: attention mismatch d2 d4 g6 g8
expect: attention resolved
expect: touched d2 P *

== illegal_answered_at_once_in_blitz
law: A.5.2 (by B.3), 7.5
story: The same in blitz: told, and withdrawn at once, for White has made his next move.
laws: fide-2023 blitz
hands: clock 3:00 3:00 w @1s play e4 @500ms -g8 @300ms +g6n @300ms press @200ms -d2 @200ms +d4P @200ms press @4s
expect: moves e4 Ng8g6 d4
expect: illegal black 7.5.1 g6 g8
expect: lapsed 1 black 3

== illegal_answered_before_the_press_is_told
law: 7.5.1
story: The clock's message comes late: White's pawn is in the air already when Black's press is told.
hands: clock 5:00 5:00 w @1s play e4 @500ms -g8 @300ms +g6n @400ms -d2 @200ms press @200ms +d4P @300ms press @4s
expect: moves e4 Ng8g6 d4
expect: illegal black 7.5.1 g6 g8

== illegal_answered_at_once_without_a_press
law: 7.5.1, 6.2
story: White answers at once and forgets to press; Black waits. The illegal move is told a moment after the press, and the game followed once the board stands still.
hands: clock 5:00 5:00 w @1s play e4 @500ms -g8 @300ms +g6n @400ms press @400ms -d2 @300ms +d4P @8s
expect: moves e4 Ng8g6 d4
expect: illegal black 7.5.1 g6 g8

== illegal_and_a_hand_in_the_air
law: 7.5.1
story: White lifts a pawn at once and thinks with it in his hand. The illegal move is told meanwhile.
hands: clock 5:00 5:00 w @1s play e4 @500ms -g8 @300ms +g6n @400ms press @400ms -d2 @5s +d4P @300ms press @4s
expect: moves e4 Ng8g6 d4
expect: illegal black 7.5.1 g6 g8
expect: attention mismatch *
expect: attention resolved

== legal_while_the_answer_is_in_the_air
law: no false alarm
story: White's pawn arrives and Black lifts a knight within one scan; White presses, Black thinks with the knight in his hand. Nothing is illegal.
hands: clock 5:00 5:00 w @1s -e2 @300ms ~+e4P ~-g8 dump @200ms press @4s +f6n @400ms press @4s
expect: moves e4 Nf6

== legal_after_a_detour
law: no false alarm; 4.7: the move is made when the piece is released
story: White's knight stands on g3 for a moment, then on f3, and Black answers at once; both press.
hands: clock 5:00 5:00 w @1s -g1 @200ms +g3N @250ms -g3 @150ms +f3N @50ms press @200ms -e7 @200ms +e5p @100ms press @4s
expect: moves Nf3 e5

== king_left_in_check_stands
law: 3.9.2, 7.5.1; a game in which an illegal move stands goes on being counted
story: White leaves the king in check and gives check; Black only moves his king. White then takes the rook. In between no game can have such a position, and nothing is judged there.
start: 4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 30
hands: clock 5:00 5:00 w @1s -a1 @300ms +a8R @400ms press @2500ms -e8 @300ms +e7k @400ms press @2s -e2 @100ms -e1 @300ms +e2K @400ms press @4s
expect: moves Ra1a8 Ke7 Kxe2
expect: illegal white 7.5.1 a1 a8
expect: says Both kings are in check.
expect: final R7/4k3/8/8/8/8/4K3/8 b - - 0 32

== king_left_in_check_answered_at_once
law: 3.9.2, 7.5.1
story: The same, and Black is quick.
start: 4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 30
expect: says Both kings are in check.
hands: clock 5:00 5:00 w @1s -a1 @300ms +a8R @400ms press @400ms -e8 @200ms +e7k @200ms press @2s -e2 @100ms -e1 @300ms +e2K @400ms press @4s
expect: moves Ra1a8 Ke7 Kxe2
expect: illegal white 7.5.1 a1 a8

== king_left_in_check_then_another_answer
law: 7.5.1; a completed move taken back
story: The same; Black takes his king back and goes elsewhere.
start: 4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 30
hands: clock 5:00 5:00 w @1s -a1 @300ms +a8R @400ms press @2500ms -e8 @300ms +e7k @400ms press @2s -e7 @300ms +e8k @3s -e8 @300ms +f7k @4s
expect: moves Ra1a8 Kf7
expect: illegal white 7.5.1 a1 a8
expect: takeback 1 board
expect: attention completed_move_taken_back *

== king_left_in_check_and_captured
law: 7.5.1 (2023, as the manual reads it): taking the king is an illegal move as well
story: White leaves the king in check, and Black takes it.
start: 4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 30
hands: clock 5:00 5:00 w @1s -a1 @300ms +a8R @400ms press @2500ms -e2 @200ms -e1 @300ms +e1r @400ms press @5s
expect: moves -
expect: illegal white 7.5.1 a1 a8
expect: illegal black 7.5.1 e1 e2
expect: attention missing_piece e1
expect: says The king on e1 was captured.

== king_captured_at_once_in_blitz
law: 7.4 (2005 named it), A.5.2
story: The same within a second.
start: 4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 30
laws: fide-2023 blitz
hands: clock 3:00 3:00 w @1s -a1 @300ms +a8R @400ms press @300ms -e2 @200ms -e1 @200ms +e1r @200ms press @5s
expect: moves -
expect: illegal white 7.5.1 a1 a8
expect: illegal black 7.5.1 e1 e2
expect: attention missing_piece e1

== king_captured_out_of_nothing
law: 7.5.1
story: A knight takes the king from a square from which it cannot.
start: 4k3/8/8/8/8/8/8/1N2K3 w - - 0 30
hands: clock 5:00 5:00 w @1s -b1 @200ms -e8 @300ms +e8N @400ms press @6s
expect: moves -
expect: illegal white 7.5.1 b1 e8
expect: attention missing_piece e8

== pawn_stands_and_becomes_a_queen
law: 7.5.2, A.5.4
story: A pawn is left on the last rank, Black moves on, and only then White puts a queen there. The game is taken to have gone on with it, and what was played meanwhile proves nothing by itself.
start: 8/P5k1/8/8/8/8/6K1/8 w - - 0 50
laws: fide-2023 rapid
hands: clock 10:00 10:00 w @1s -a7 @300ms +a8P @500ms press @2500ms -g7 @300ms +g6k @400ms press @1s -a8 @400ms +a8Q @2s -g2 @300ms +g3K @400ms press @4s
expect: moves a8=Q Kg6 Kg3
expect: illegal white 7.5.2 a7 a8
expect: lapsed 1 white 2
expect: attention pawn_on_last_rank a8
expect: takeback 0 correction
expect: inexact 1 2
expect: says no end and no claim is judged until a piece stands in its place; if the position is still illegal after the next completed move, the game is drawn (Article A.5.4)

== pawn_stands_and_is_captured
law: 7.5.2
story: A pawn is left on the last rank, and Black takes it.
start: 1r6/P5k1/8/8/8/8/6K1/7R w - - 0 50
hands: clock 5:00 5:00 w @1s -a7 @300ms +a8P @500ms press @2500ms -b8 @100ms -a8 @300ms +a8r @400ms press @2s -g2 @300ms +g3K @400ms press @4s
expect: moves a7a8 Rxa8 Kg3
expect: illegal white 7.5.2 a7 a8
expect: attention pawn_on_last_rank a8
expect: final r7/6k1/8/8/8/6K1/8/7R b - - 1 51

== pawn_stands_and_nothing_ends
law: 7.5.2; no false end
story: Only a pawn that cannot move is left beside the kings, and no piece comes: nobody can mate any more, but nothing is judged while the position is none a game can have.
start: 8/P5k1/8/8/8/8/6K1/8 w - - 0 50
hands: clock 5:00 5:00 w @1s -a7 @300ms +a8P @500ms press @2500ms -g7 @300ms +g6k @400ms press @2s -g2 @300ms +g3K @400ms press @2s -g6 @300ms +g5k @400ms press @4s
expect: moves a7a8 Kg6 Kg3 Kg5
expect: illegal white 7.5.2 a7 a8
expect: attention pawn_on_last_rank a8
expect: over none

== castled_out_of_check
law: 3.8.2.2, 7.5.1
story: White castles while in check and presses; Black moves on.
start: 4k3/8/8/8/4r3/8/8/4K2R w K - 0 30
hands: clock 5:00 5:00 w @1s -e1 @200ms +g1K @300ms -h1 @200ms +f1R @400ms press @2500ms -e8 @300ms +d7k @400ms press @2s -f1 @300ms +f7R @400ms press @4s
expect: moves O-O Kd7 Rf7+
expect: illegal white 7.5.1 e1 f1 g1 h1
expect: says e1-g1 is not a legal move.

== taken_in_passing_and_left_in_check
law: 3.9.2, 7.5.1
story: Both pawns leave the rank by the capture in passing, and Black's king stands in the rook's check. White moves on.
start: 8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 40
hands: clock 5:00 5:00 b @1s -e4 @200ms -d4 @300ms +d3p @400ms press @2500ms -e1 @300ms +f2K @400ms press @2s -a4 @300ms +b5k @400ms press @4s
expect: moves e4xd3 Kf2 Kb5
expect: illegal black 7.5.1 d3 d4 e4
expect: says The king on a4 was left or put in check.

== illegal_second_loses_although_answered
law: 7.5.5
story: White's second illegal move is answered at once; it is the second all the same.
hands: clock 5:00 5:00 w @1s -g1 @300ms +g3N @400ms press @400ms -e7 @200ms +e5p @200ms press @2s arbiter:accept @1s -e5 @300ms +e7p @300ms -g3 @300ms +f3N @3s -e7 @300ms +e5p @400ms play @3s
expect: moves Nf3 e5
expect: illegal white 7.5.1 g1 g3
expect: decided 1 white true add_time 120000
expect: takeback 0 arbiter
expect: attention mismatch *
expect: attention resolved
