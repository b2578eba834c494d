# Situations that other programs were reported to get wrong.

== kings_first_step_legal
law: result shown by the kings; the first king's step is a legal move
story: White's king goes to d4, where it might have moved, then Black's to e5, to show that Black has won. No king moved in the game.
start: 8/8/4k3/8/8/3K4/6P1/8 w - - 0 60
hands: -d3 +d4K @1500ms -e6 +e5k @8s
expect: moves -
expect: signalled 0-1 d4 e5
expect: ended 0-1 signalled

== one_king_shown_other_missing
law: result shown by the kings, badly
story: Black's king is put on d5, White's is taken off the board. That is neither a move nor a result.
start: 8/8/2k5/8/8/4K2P/8/8 b - - 0 40
hands: -c6 +d5k @1s -e3 @40s
expect: moves -
expect: attention missing_piece *
expect: says king

== kings_lifted_first_black_wins
law: result shown by the kings
story: Both kings are lifted, then set on the dark centre squares.
start: 8/8/4k3/8/8/3K4/6P1/8 w - - 0 60
hands: -d3 -e6 @300ms +d4K +e5k @8s
expect: moves -
expect: signalled 0-1 d4 e5
expect: ended 0-1 signalled

== kings_lifted_first_white_wins
law: result shown by the kings
story: Both kings are lifted, then set on the light centre squares.
start: 8/8/4k3/8/8/3K4/6P1/8 w - - 0 60
hands: -d3 -e6 @300ms +e4K +d5k @8s
expect: moves -
expect: signalled 1-0 e4 d5
expect: ended 1-0 signalled

== kings_lifted_first_draw
law: result shown by the kings
story: Both kings are lifted, then set on a light and a dark centre square.
start: 8/8/4k3/8/8/3K4/6P1/8 w - - 0 60
hands: -d3 -e6 @300ms +e4K +e5k @8s
expect: moves -
expect: signalled 1/2-1/2 e4 e5
expect: ended 1/2-1/2 signalled

== pawn_slides_through_e3
law: sliding pieces
story: The pawn stops on e3 for a moment on its way to e4.
hands: -e2 +e3P @120ms -e3 +e4P @3s -e7 +e5p @3s
expect: moves e4 e5

== two_quick_plies_overlap
law: plies that overlap
story: Black's c-pawn and White's d-pawn are both in the air at once; only one order is legal within two plies.
start: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
hands: -c7 -d2 +c5p +d4P @4s
expect: moves c5 d4

== take_and_retake_in_one_dump
law: plies that overlap
story: A pawn takes and is retaken between two dumps.
start: rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
hands: snap rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR @4s
expect: moves exd5 Qxd5

== castling_king_rests_on_f1
law: 3.8.2, sliding pieces
story: The castling king rests on f1 for most of a second before it goes on.
start: rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4
hands: -e1 +f1K @700ms -f1 +g1K -h1 +f1R @4s
expect: moves O-O

== castling_rook_touched_first
law: 4.4.2
story: The rook is moved first, the king second: the arbiter is told, and decides.
start: rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4
hands: -h1 +f1R @1500ms -e1 +g1K @4s
expect: moves O-O
expect: attention rook_first *
expect: says 4.4.2

== castling_rook_misplaced
law: 3.8.2; displaced pieces
story: The king castles, the rook is put on the square the king came from.
start: rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4
hands: -e1 +g1K -h1 +e1R @4s
expect: moves -
expect: attention mismatch e1 f1
expect: says white rook on e1
expect: says on f1, expected white rook

== pawn_three_squares_then_two
law: illegal move not completed by a press, put right
story: The pawn is put on e5, stands there, and is moved back to e4.
hands: -e2 +e5P @4s -e5 +e4P @4s
expect: moves e4
expect: attention mismatch e2 e5
expect: attention resolved
expect: says e2-e5 is not a legal move

== queen_touched_knight_moved
law: 4.3
story: The queen is lifted and put back; then the knight is moved.
start: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
hands: -d1 @900ms +d1Q @2s -g1 +f3N @4s
expect: moves Nf3
expect: touched d1 Q 0.9

== move_taken_back_without_press
law: takeback
story: The pawn is moved and stands for a while, then it is put back. No clock was pressed.
start: rnbqkbnr/pp2pppp/2p5/3p4/2P1P3/8/PP1P1PPP/RNBQKBNR w KQkq - 0 3
hands: -d2 +d4P @3s -d4 +d2P @4s
expect: moves -
expect: takeback 0 board

== move_taken_back_after_press
law: takeback of a completed move
story: The pawn is moved and the clock pressed; then the pawn is put back.
start: rnbqkbnr/pp2pppp/2p5/3p4/2P1P3/8/PP1P1PPP/RNBQKBNR w KQkq - 0 3
hands: clock 1:30:00 1:29:10 w @3s -d2 +d4P @500ms press @3s -d4 +d2P @4s
expect: moves -
expect: takeback 0 board
expect: attention completed_move_taken_back d2 d4

== everything_taken_back
law: takeback; not a new game
story: The only move of the game is taken back and another one made.
hands: -e2 +e4P @2500ms -e4 +e2P @2s -d2 +d4P @4s
expect: moves d4
expect: takeback 0 board

== rooks_shuffled_back_together
law: 9.2; not a takeback
story: Both rooks go and come back, the last two plies overlapping: the first position is there again after four plies.
start: r3k3/8/8/8/8/8/8/R3K3 w - - 10 40
hands: -a1 +b1R @1s -a8 +b8r @1s -b1 -b8 +a1R +a8r @4s
expect: moves Rb1 Rb8 Ra1 Ra8
expect: final r3k3/8/8/8/8/8/8/R3K3 w - - 14 42

== next_move_would_be_the_third
law: 9.2.1 (only a claim)
story: The knights go out and back. The next move would bring the first position for the third time; the game goes on.
hands: play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 @4s
expect: moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1
expect: claim threefold_repetition black 7 Ng8

== seventyfive_one_before
law: 9.6.2
story: A rook's move is the 150th half-move without a capture or a pawn's move.
start: 8/8/8/8/4k3/8/R7/4K3 w - - 149 120
hands: -a2 +a3R @4s
expect: moves Ra3
expect: over seventyfive_moves 1/2-1/2 1 9.6.2

== double_step_repeats_1
law: 9.2.3, en passant only where legal
story: Both sides move their king's pawn two squares, then the knights go out and back twice.
hands: play e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 @4s
expect: moves e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
expect: claim threefold_repetition black 9 Ng8
expect: claim threefold_repetition white 10
expect: claim threefold_repetition white 10 Nf3

== double_step_repeats_2
law: 9.2.3, en passant only where legal
story: The white pawn on e5 is pinned, so that d7-d5 gives no right to take in passing.
hands: play e4 c5 e5 Qb6 Nf3 Qe6 Ng1 d5 Nf3 Nc6 Ng1 Nb8 Nf3 Nc6 Ng1 Nb8 @4s
expect: moves e4 c5 e5 Qb6 Nf3 Qe6 Ng1 d5 Nf3 Nc6 Ng1 Nb8 Nf3 Nc6 Ng1 Nb8
expect: claim threefold_repetition black 15 Nb8
expect: claim threefold_repetition white 16
expect: claim threefold_repetition white 16 Nf3

== double_step_repeats_3
law: 9.2.3, en passant only where legal
story: After h7-h5 White's pawn could only take in passing if it were not pinned; the rooks shuffle.
start: 6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1
hands: play h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7 @4s
expect: moves h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7
expect: claim threefold_repetition black 8 Rg7
expect: claim threefold_repetition white 9
expect: claim threefold_repetition white 9 Rh6

== array_again_without_rights
law: 9.2.3, castling rights; not a new game
story: All men come home, but White's rook has moved: the initial array stands on the board and is another position.
hands: play Nf3 Nf6 Rg1 Ng8 Rh1 Nf6 Ng1 Ng8 @4s
expect: moves Nf3 Nf6 Rg1 Ng8 Rh1 Nf6 Ng1 Ng8
expect: claim none

== wall_of_pawns_given
law: 5.2.2
story: The arbiter gives a position in which a wall of pawns parts the kings for ever.
start: 4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1
hands: @4s
expect: moves -
expect: over dead_position 1/2-1/2 0 5.2.2

== wall_of_pawns_given_2
law: 5.2.2
story: Another wall of pawns.
start: 8/8/2k5/1p2p2p/1P2P2P/8/5K2/8 b - - 0 34
hands: @4s
expect: moves -
expect: over dead_position 1/2-1/2 0 5.2.2

== last_loose_pawn_taken
law: 5.2.2
story: The king takes the only pawn outside a wall of pawns; nobody can mate any more.
start: 3k4/8/8/p2p2p1/P2P2P1/8/3p4/3K4 w - - 0 1
hands: -d1 -d2 +d2K @4s
expect: moves Kxd2
expect: over dead_position 1/2-1/2 1 5.2.2

== knight_against_pawn_can_win
law: 6.9
story: Black's flag falls. White's knight could mate with help, so White wins.
start: 8/8/8/4k3/4p3/4N3/4K3/8 w - - 0 1
hands: clock 0:30 0:05 w @1s -e3 +g4N @300ms press @7s
expect: moves Ng4+
expect: flag black yes 1-0 6.9

== bishop_against_rook_cannot_win
law: 6.9
story: White's flag falls. No help would let Black's bishop mate: a rook can always go between or take it.
start: 8/6k1/3b4/8/2R5/5K2/8/8 w - - 0 1
hands: clock 0:03 0:30 w @6s
expect: moves -
expect: flag white no 1/2-1/2 6.9

== bishop_against_knight_can_win
law: 6.9
story: White's flag falls. Black's bishop could mate with help, because White's own knight can be in the way.
start: 8/6k1/3b4/8/2N5/5K2/8/8 w - - 0 1
hands: clock 0:03 0:30 w @6s
expect: moves -
expect: flag white yes 0-1 6.9

== cable_out_one_reply
law: cable pulled
story: The cable is out for half a minute, in which Black answers.
start: r3k3/8/8/8/8/8/8/R3K3 w - - 10 40
hands: -a1 +b1R @1s unplug @30s plug snap 1r2k3/8/8/8/8/8/8/1R2K3 @4s
expect: moves Rb1 Rb8
expect: attention gap
expect: says Rb8
expect: inexact 1

== cable_out_back_to_an_earlier_position
law: cable pulled; counters are lower bounds
story: After two plies the cable is out for a minute; then the first position stands on the board again. Two plies at least were played, more may have been.
start: r3k3/8/8/8/8/8/8/R3K3 w - - 10 40
hands: -a1 +b1R @1s -a8 +b8r @4s unplug @60s plug snap r3k3/8/8/8/8/8/8/R3K3 @4s
expect: moves Rb1 Rb8 Ra1 Ra8
expect: attention gap
expect: inexact 3 4

== rotated_and_mated
law: 5.1.1 on a board with its connector on White's right
story: The only move of a game from a given position mates.
start: 6k1/4R3/6K1/8/8/8/8/8 w - - 0 1
options: rotated
hands: -e7 +e8R @4s
expect: moves Re8#
expect: over checkmate 1-0 1 5.1.1
expect: started setup rotated 6k1/4R3/6K1/8/8/8/8/8 w - - 0 1

== en_passant_from_the_edge
law: 3.7.3.1, 3.7.3.2
story: A pawn on the a-file takes in passing; the pawn taken leaves last.
start: 4k3/8/8/Pp6/8/8/8/4K3 w - b6 0 30
hands: -a5 +b6P @300ms -b5 @4s
expect: moves axb6
