# What the cable hid, and hands that are at work when it comes back.

== gap_ends_with_a_man_in_the_air
law: cable pulled
story: A queen took a pawn unseen and is in White's hand when the dump comes; then she is put down, and no sacrifice explains the board.
start: 5rk1/q4p1p/3p1pp1/P1nP1P2/1p6/8/1P1Q2PP/1B2R2K w - - 0 30
hands: clock 50:00 50:00 w @2s unplug @20s plug snap 5r2/q4pkp/3p1pp1/P1nP1P2/8/8/1P4PP/1B2R2K @200ms +c3Q @1s press @4s
expect: moves Qxb4 Kg7 Qc3
expect: attention gap
expect: inexact 1 2 3

== gap_ends_within_a_castling
law: cable pulled; 3.8.2
story: Black's king stands on g8 when the dump comes, his rook still on h8; only then is it lifted.
start: rnbqk2r/ppppppbp/5np1/8/2PP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 2 4
hands: clock 50:00 50:00 b @2s unplug @20s plug snap rnbq2kr/ppppppbp/5np1/8/2PP4/2N5/PP2PPPP/R1BQKBNR @300ms -h8 @500ms +f8r @300ms press @4s play e4 @4s
expect: moves O-O e4
expect: attention gap
expect: inexact 1

== gap_in_which_a_king_took_and_went_back
law: cable pulled
story: The king took the queen beside him and stands on his square again.
start: r2rnk2/1p2Qp1B/8/p5R1/1P3b2/P7/1B4PP/2R3K1 b - - 0 28
hands: clock 50:00 50:00 b @2s unplug @20s plug snap r2rnk2/1p3p1B/8/p5R1/1P3b2/P7/1B4PP/4R1K1 clock 49:50 49:50 w @5s
expect: moves Kxe7 Re1+ Kf8
expect: attention gap
expect: inexact 1 2 3

== gap_with_the_mate_and_the_result_in_the_centre
law: 5.1.1; cable pulled
story: The cable hid the mate; it has hardly stood on the board again when the players put their kings into the centre.
start: rq4k1/p4p1p/b1r1pBp1/1p1p4/P6Q/bP4P1/2PRPP1P/1K1N1BNR w - - 0 27
hands: @2s unplug @20s plug snap r5k1/p4pQp/b1rqpBp1/1p1p4/P7/bP4P1/2PRPP1P/1K1N1BNR @400ms -d5 @400ms -g8 @400ms +d5k @400ms -b1 @300ms +e4K @8s
expect: moves Qh6 Qd6 Qg7#
expect: attention gap
expect: inexact 1 2 3
expect: signalled 1-0 e4 d5
expect: over checkmate 1-0 3 5.1.1

== gap_after_which_the_clock_says_whose_turn_it_is
law: cable pulled
story: Black's rook came to h1 in two moves, not in one: it is White's turn, as the clock says.
start: 8/5pk1/6p1/R5P1/8/4K3/8/6r1 w - - 0 80
hands: clock 50:00 50:00 w @2s unplug @20s plug snap R7/5pk1/6p1/6P1/5K2/8/8/7r game R7/5pk1/6p1/6P1/5K2/8/8/7r_w_-_-_4_82 @1s clock 49:50 49:50 w @5s play Rb8 Rh8 @4s
expect: moves Ra8 Ra1 Kf4 Rh1 Rb8 Rh8
expect: attention gap
expect: inexact 1 2 3 4

== array_with_a_man_that_is_none
law: next game
story: All men are home, and a man is read on c3 that cannot be there; the first move comes before it is gone.
hands: play a3 a6 b3 b6 c3 c6 @4s -e1 -e8 @300ms +e4K @300ms +d5k @9s snap 8/8/8/8/8/8/8/8 @1s dump @1s snap rnbqkbnr/pp1ppppp/8/8/8/2B5/PPPPPPPP/RNBQKBNR @1s dump @300ms +c7p @3s dump @300ms -c2 @200ms snap rnbqkbnr/pppppppp/8/8/8/8/PP1PPPPP/RNBQKBNR @300ms +c4P @4s
expect: moves a3 a6 b3 b6 c3 c6 | c4
expect: signalled 1-0 e4 d5

== captured_rook_pushed_aside
law: capture; a captured man beside its square
story: The queen pushes the rook she takes to the next square; the rook's own move, pressed, stands.
start: 8/4r1p1/8/3k4/3n3P/3Q1PK1/8/8 b - - 0 57
hands: clock 5:00 5:00 b @2s -e7 @400ms +e3r @300ms press @600ms -d3 @600ms +e4r @40ms +e3Q @180ms -e4 @700ms press @4s
expect: moves Re3 Qxe3

== queen_put_down_before_the_pawn_goes
law: 3.7.3.3; capture and promotion
story: The captured rook is taken away, the new queen put down, and only then the pawn lifted.
start: 6r1/4k2P/8/8/5PK1/6P1/8/8 w - - 0 66
hands: clock 5:00 5:00 w @2s -g8 @800ms +g8Q @900ms -h7 @300ms press @4s
expect: moves hxg8=Q
