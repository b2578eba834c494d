//! Hands as scripts: `100 -e2 180 +Pe4` lifts what stands on e2 after 100 ms and puts a white pawn on
//! e4 180 ms later; `press` moves the lever, `wait` only lets time pass.

use shakmaty::{Board, fen::Fen, uci::UciMove};

use super::*;
use crate::{
    units::Millis,
    wire::{ClockSide, SideTime},
};

struct Script {
    tracker: Tracker,
    now: Stamp,
    clock: ClockReading,
    events: Vec<TrackEvent>,
}

impl Script {
    /// A game from a position, its men on the board, with or without a clock.
    fn from(fen: &str, clock: bool) -> Script {
        let position: Chess =
            fen.parse::<Fen>().unwrap().into_position(shakmaty::CastlingMode::Standard).unwrap();
        let side = SideTime { time: Millis(60_000), ..SideTime::default() };
        let turn = position.turn().fold_wb(ClockSide::Left, ClockSide::Right);
        let mut script = Script {
            tracker: Tracker::new(
                Timing { evidence: true, ..Timing::default() },
                Orientation::Normal,
            ),
            now: Stamp::ZERO,
            clock: ClockReading {
                left: side,
                right: side,
                running: true,
                turn,
                battery_low: false,
            },
            events: Vec::new(),
        };
        if clock {
            script.event(&BoardEvent::Clock(script.clock));
        }
        script.event(&BoardEvent::Dump(Box::new(snapshot(position.board()))));
        script.tracker.start(position, StartSource::Setup, script.now, &mut script.events);
        script.run("3000 wait");
        script
    }

    fn event(&mut self, event: &BoardEvent) {
        self.tracker.board_event(event, self.now, &mut self.events);
    }

    fn change(&mut self, square: &str, contact: Contact) {
        let square: Square = square.parse().unwrap();
        let field = Field::from_square(square, Orientation::Normal);
        self.event(&BoardEvent::Changed { field, contact });
    }

    fn run(&mut self, script: &str) -> &mut Script {
        let words: Vec<&str> = script.split_whitespace().collect();
        for step in words.chunks(2) {
            let until = self.now + Duration::from_millis(step[0].parse().unwrap());
            while let Some(due) = self.tracker.deadline().filter(|due| *due <= until) {
                self.now = self.now.max(due);
                self.tracker.review(self.now, &mut self.events);
            }
            self.now = until;
            match step[1].as_bytes() {
                b"wait" => {}
                b"press" => {
                    self.clock.turn = self.clock.turn.other();
                    self.event(&BoardEvent::Clock(self.clock));
                }
                [b'-', ..] => self.change(&step[1][1..], Contact::Empty),
                [b'+', man, ..] => {
                    let man = Piece::from_char(char::from(*man)).unwrap();
                    self.change(&step[1][2..], Contact::Man(man));
                }
                [b'?', ..] => self.change(&step[1][1..], Contact::Unreadable(0x22)),
                [b'!', ..] => self.change(&step[1][1..], Contact::Token(crate::wire::Token::Draw)),
                other => panic!("what is {other:?}"),
            }
        }
        self
    }

    /// The moves of the game as they stand.
    fn moves(&self) -> String {
        let moves = self.tracker.line().unwrap_or_default().iter();
        let words: Vec<String> =
            moves.map(|played| UciMove::from_standard(played.m).to_string()).collect();
        words.join(" ")
    }

    fn count(&self, what: impl Fn(&TrackEvent) -> bool) -> usize {
        self.events.iter().filter(|event| what(event)).count()
    }

    fn taken_back(&self) -> usize {
        self.count(|event| matches!(event, TrackEvent::TakenBack { .. }))
    }
}

fn snapshot(board: &Board) -> Snapshot {
    let mut snapshot = [Contact::Empty; 64];
    for (square, piece) in board {
        snapshot[Field::from_square(square, Orientation::Normal).index()] = Contact::Man(piece);
    }
    snapshot
}

const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What hands do, on a board with a clock, and the moves that were played.
#[test]
fn hands() {
    for (what, start, script, moves) in [
        ("a plain move", ARRAY, "0 -e2 300 +Pe4 200 press", "e2e4"),
        ("a slide", ARRAY, "0 -e2 100 +Pe3 100 -e3 100 +Pe4 200 press", "e2e4"),
        (
            "the man moved again while the reply is in the air",
            "4k3/6p1/8/8/8/8/8/4KB2 w - - 0 1",
            "0 -f1 300 +Bh3 150 press 1000 -g7 80 -h3 300 +Bg2 80 +pg6 100 press 100 press",
            "f1h3 g7g6 h3g2",
        ),
        (
            "a man that goes on after its press",
            "4k3/6p1/8/8/8/8/8/4KB2 w - - 0 1",
            "0 -f1 200 +Bh3 200 press 200 -h3 200 +Bg2 3000 wait",
            "f1g2",
        ),
        (
            "a takeback after the press, and another move at once",
            "4k3/6p1/8/8/8/8/3P4/2B1K3 w - - 0 1",
            "0 -d2 300 +Pd4 300 press 500 -d4 300 +Pd2 700 -d2 300 +Pd3 300 press 500 press",
            "d2d3",
        ),
        (
            "a recapture by a man of the same kind, its middle hardly seen",
            "4k3/8/3p4/4p3/3P4/8/3N4/4K3 w - - 0 1",
            "0 -d4 100 -d6 200 +Pe5 100 +pe5 500 -d2 200 +Nf3 200 press 4000 wait",
            "d4e5 d6e5 d2f3",
        ),
        (
            "hands that never rest",
            "4k3/6p1/8/8/8/8/4P3/R3K3 w - - 0 1",
            "0 -e2 100 -g7 100 +Pe4 100 -a1 100 +pg5 100 -e8 200 +Ra7 100 +kf8 4000 wait",
            "e2e4 g7g5 a1a7 e8f8",
        ),
    ] {
        let mut game = Script::from(start, true);
        game.run(script).run("5000 wait");
        assert_eq!(game.moves(), moves, "{what}: {:#?}", game.events);
    }
}

/// A man that stops while the opponent's hand is at work already, and goes on: one move. A man that
/// is moved again after the reply: two. What tells them apart is who arrived when.
#[test]
fn stops_and_second_moves() {
    for (what, start, script, moves) in [
        (
            "a rook that goes on after its press, and the reply to it",
            "4k3/6p1/8/8/8/8/8/R3K3 w - - 0 1",
            "0 -a1 250 +Ra3 100 press 600 -g7 50 -a3 150 +Ra4 300 +pg6 200 press 3000 wait",
            "a1a4 g7g6",
        ),
        (
            "a king that passes a square on its way to the centre",
            "8/8/4k3/8/8/8/7P/K7 b - - 0 1",
            "0 -e6 50 +kd6 150 press 30 +kd5 30 -d6 600 -h2 200 +Ph4 200 press 3000 wait",
            "e6d5 h2h4",
        ),
        (
            "a double step over a square it is shown on, taken in passing",
            "4k3/2p5/8/3P4/8/8/8/4K3 b - - 0 1",
            "0 -c7 180 +pc6 190 -d5 10 +pc5 15 -c6 500 +Pc6 80 -c5 300 press 3000 wait",
            "c7c5 d5c6",
        ),
        (
            "a man that flickers on its square has not gone on",
            "4k3/2r3p1/8/8/8/8/7P/4K3 b - - 0 1",
            "0 -c7 200 +rd7 100 -d7 50 +rc7 100 +rd7 50 -c7 100 +rc7 100 -d7 50 +rd7 100 -c7 600 \
             press 100 -h2 300 +Ph3 300 press 3000 wait",
            "c7d7 h2h3",
        ),
    ] {
        let mut game = Script::from(start, true);
        game.run(script).run("5000 wait");
        assert_eq!(game.moves(), moves, "{what}: {:#?}", game.events);
    }
}

/// After the game lines are shown on the board: none of them ends anything, however long it stands.
#[test]
fn what_is_shown_after_the_clock_was_stopped_ends_nothing() {
    let fools = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    for (halted, firm) in [(5_000, 0), (1_000, 1)] {
        let mut game = Script::from(fools, true);
        game.clock.running = false;
        let clock = game.clock;
        game.event(&BoardEvent::Clock(clock));
        game.run(&format!("{halted} -d8 300 +qh4 20000 wait"));
        assert_eq!(game.moves(), "d8h4");
        let said = game.count(|event| matches!(event, TrackEvent::Firm { ply: Ply(1) }));
        assert_eq!(said, firm, "{halted} ms after the clock was stopped: {:#?}", game.events);
    }
}

/// Without a clock an end is told later than a move, but within a few seconds.
#[test]
fn an_end_by_stillness_takes_longer_than_a_move() {
    let fools = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let firm = |game: &Script| game.count(|event| matches!(event, TrackEvent::Firm { .. }));
    let mut game = Script::from(fools, false);
    game.run("0 -d8 300 +qh4 2100 wait");
    assert_eq!((game.moves().as_str(), firm(&game)), ("d8h4", 0));
    game.run("1000 wait");
    assert_eq!(firm(&game), 1);
    // A hand that takes the queen back in time has not mated.
    let mut game = Script::from(fools, false);
    game.run("0 -d8 300 +qh4 2500 -h4 300 +qd8 5000 wait");
    assert_eq!((game.moves().as_str(), firm(&game)), ("", 0));
}

/// Men taken off one by one leave no position of the game behind them that would end it.
#[test]
fn men_put_away_one_by_one_end_nothing() {
    let mut game = Script::from("4k3/8/8/8/3p4/8/3PN3/4K3 w - - 0 1", false);
    game.run("0 -e2 300 +Nd4 400 -d2 400 -d4 400 -e8 400 -e1 5000 wait");
    assert_eq!(game.count(|event| matches!(event, TrackEvent::Firm { .. })), 0);
    let mut game = Script::from("4k3/8/8/8/3p4/8/4N3/4K3 w - - 0 1", false);
    game.run("0 -d4 400 -e2 400 -e8 400 -e1 5000 wait");
    assert_eq!((game.moves().as_str(), game.taken_back()), ("", 0), "{:#?}", game.events);
}

/// Kings in the centre: a result, and the moves before it.
#[test]
fn kings() {
    let near = "8/8/8/2k1p3/8/3K4/8/7R w - - 0 1";
    for (what, script, moves, results) in [
        ("a move to the centre, and thought", "0 -d3 300 +Ke4 13000 wait", "d3e4", 0),
        ("both kings at once", "0 -d3 300 +Ke4 500 -c5 300 +kd5 1500 wait", "", 1),
        (
            "a king that moved there and is moved again to show the result",
            "0 -d3 300 +Kd4 2000 -d4 100 -c5 900 +kd5 200 +Ke4 1500 wait",
            "d3d4",
            1,
        ),
    ] {
        // From c5 the black king keeps White's from d4: another start where that is played.
        let start = if moves == "d3d4" { "8/8/8/8/1k6/3K4/8/7R w - - 0 1" } else { near };
        let script = if moves == "d3d4" { script.replace("-c5", "-b4") } else { script.to_owned() };
        let mut game = Script::from(start, false);
        game.run(&script);
        assert_eq!(game.moves(), moves, "{what}: {:#?}", game.events);
        let shown = game.count(|event| matches!(event, TrackEvent::Result { .. }));
        assert_eq!(shown, results, "{what}");
    }
}

#[test]
fn a_misread_man_is_no_result_and_a_special_piece_is_one() {
    let mut game = Script::from(ARRAY, true);
    game.run("0 !e2 6000 wait 0 +Pe2");
    assert_eq!(game.count(|event| matches!(event, TrackEvent::Result { .. })), 0);
    game.run("0 !e4 9000 wait");
    assert_eq!(game.count(|event| matches!(event, TrackEvent::Result { .. })), 1);
}

/// A correction that explains nothing takes nothing back: tidying up after a mate.
#[test]
fn a_mate_stands_while_men_are_put_away() {
    let mut game =
        Script::from("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", true);
    game.run("0 -d8 300 +qh4 200 press 2000 wait");
    assert_eq!(game.moves(), "d8h4");
    assert_eq!(game.count(|event| matches!(event, TrackEvent::Firm { ply: Ply(1) })), 1);
    game.run("1000 -e5 300 -e1 1500 +Ke4 3000 wait 0 -g8 3000 wait");
    assert_eq!(game.taken_back(), 0, "{:#?}", game.events);
}

/// The next game is not lost because one man is badly centred.
#[test]
fn the_next_game_begins_without_a_man_that_is_not_read() {
    let mut game = Script::from("4k3/8/8/8/8/8/4P3/4K2R w - - 0 1", false);
    let board = Board::new();
    for (square, piece) in &board {
        let here = game.tracker.sensors().board().piece_at(square);
        if here != Some(piece) && square != Square::G8 {
            game.run(&format!("300 +{}{square}", piece.char()));
        }
    }
    game.run("4000 wait 0 -e2 300 +Pe4 1500 +nf6 5000 wait");
    assert_eq!(game.moves(), "e2e4 g8f6", "{:#?}", game.events);
}

/// A game that ends by repetition may leave just two pawns to be put back.
#[test]
fn few_men_put_back_after_many_plies_begin_another_game() {
    let mut game = Script::from(ARRAY, true);
    for (from, man, to) in [("e2", 'P', "e4"), ("e7", 'p', "e5")] {
        game.run(&format!("0 -{from} 200 +{man}{to} 200 press 1000 wait"));
    }
    for (from, man, to) in
        [("g1", 'N', "f3"), ("g8", 'n', "f6"), ("f3", 'N', "g1"), ("f6", 'n', "g8")]
    {
        game.run(&format!("0 -{from} 200 +{man}{to} 200 press 1000 wait"));
    }
    game.run("5000 wait 0 -e4 300 +Pe2 300 -e5 300 +pe7 5000 wait");
    assert_eq!(game.taken_back(), 0, "{:#?}", game.events);
    assert_eq!(game.count(|event| matches!(event, TrackEvent::Closed { .. })), 1);
}

#[test]
fn a_move_is_explained() {
    let mut game = Script::from(ARRAY, true);
    game.run("0 -e2 100 +Pe3 100 -e3 100 +Pe4 200 press 300 wait");
    let told = game.tracker.explanation(Ply(1)).unwrap();
    assert_eq!((told.san.as_str(), told.by, told.changes.len()), ("e4", ConfirmedBy::Press, 4));
    assert_eq!(told.lines[0].line, ["e4"]);
    let text = told.to_string();
    assert!(text.contains("3.300 s e4 P") && text.contains("the press of the clock"), "{text}");
    assert!(game.tracker.explanation(Ply(2)).is_none());
}

/// What could not have come before what: lines that lead to the same squares are told apart by it.
#[test]
fn order_of_lifts_and_arrivals() {
    for (what, start, script, moves) in [
        (
            "a rest on the way long before the reply is no move of its own",
            "3rk3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            "0 -d8 150 +rd7 900 -d7 150 +rd4 2000 -e2 300 +Pe3 3000 wait",
            "d8d4 e2e3",
        ),
        (
            "men exchanged on a square that reads the same again, and play goes on",
            "4k3/8/5p2/6p1/5P2/8/8/4K3 w - - 0 1",
            "0 -f4 200 -f6 2000 -e1 300 +Ke2 3000 wait",
            "f4g5 f6g5 e1e2",
        ),
        (
            "a queen put down first and exchanged, then taken",
            "q3k3/1P6/8/8/8/8/8/4K3 w - - 0 1",
            "0 -b7 300 +Qb8 800 -b8 300 +Nb8 300 -a8 300 -b8 150 +qb8 3000 wait",
            "b7b8n a8b8",
        ),
        (
            "a man lifted after the square was taken cannot have taken there",
            "4kr2/5rr1/8/8/8/5R2/8/4KR2 w - - 0 1",
            "0 -f3 300 +Rf7 100 +rg6 300 -g6 2500 -f8 300 +rf7 3000 wait",
            "f3f7 f8f7",
        ),
    ] {
        let mut script_run = Script::from(start, false);
        script_run.run(script);
        assert_eq!(script_run.moves(), moves, "{what}");
    }
}

/// A king goes back to the centre square it came from, on its way to show the result: nothing is taken
/// back.
#[test]
fn a_king_that_shows_the_result_from_where_it_came_takes_nothing_back() {
    let mut script = Script::from("5k2/6R1/8/8/3K4/8/8/8 w - - 0 1", true);
    script.run("0 -d4 300 +Ke3 300 press 3000 wait");
    assert_eq!(script.moves(), "d4e3");
    script.run("0 -e3 400 +Kd4 1900 -f8 400 +ke5 6000 wait");
    assert_eq!(script.taken_back(), 0);
    let results = script.count(|event| matches!(event, TrackEvent::Result { .. }));
    assert_eq!(results, 1);
}

/// Players who show the result that their last move brought about have let go of it.
#[test]
fn a_shown_result_bears_out_the_move_that_ended_the_game() {
    let mut script = Script::from("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1", false);
    script.run("0 -g1 300 +Qg6 2300 -f7 200 -h8 300 +Kd4 200 +kd5 3000 wait");
    assert_eq!(script.moves(), "g1g6");
    let drawn = |event: &TrackEvent| {
        matches!(event, TrackEvent::Result { outcome: shakmaty::KnownOutcome::Draw, .. })
    };
    assert_eq!(script.count(drawn), 1);
    assert_eq!(script.count(|event| *event == TrackEvent::Firm { ply: Ply(1) }), 1);
}

/// Mate is mate where a flag has fallen that nobody saw; what is shown long after is not.
#[test]
fn a_mate_soon_after_an_unseen_flag_is_firm() {
    for (wait, firm) in [("4000 wait ", 1), ("20000 wait ", 0)] {
        let mut script = Script::from("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", true);
        script.clock.running = false;
        script.clock.left.flag_fallen = true;
        let stopped = script.clock;
        script.event(&BoardEvent::Clock(stopped));
        script.run(&format!("{wait}0 -g6 300 +Qg7 6000 wait"));
        assert_eq!(script.moves(), "g6g7");
        assert_eq!(script.count(|event| *event == TrackEvent::Firm { ply: Ply(1) }), firm);
    }
}

/// A game is asked for while a man is not read, on a board that stands the other way round.
#[test]
fn a_board_that_is_turned_is_noticed_when_the_game_shows_at_last() {
    let fen = "nrkrbbnq/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBNQ w - - 0 1";
    let position: Chess =
        fen.parse::<Fen>().unwrap().into_position(shakmaty::CastlingMode::Chess960).unwrap();
    let field = |square| Field::from_square(square, Orientation::Rotated);
    let mut snapshot = [Contact::Empty; 64];
    for (square, man) in position.board().clone() {
        snapshot[field(square).index()] = Contact::Man(man);
    }
    let unread = field(Square::G1);
    let man = std::mem::take(&mut snapshot[unread.index()]);
    let mut tracker = Tracker::new(Timing::default(), Orientation::Normal);
    let mut out = Vec::new();
    let dump = BoardEvent::Dump(Box::new(snapshot));
    tracker.board_event(&dump, Stamp::from_millis(100), &mut out);
    tracker.start(position, StartSource::Setup, Stamp::from_millis(200), &mut out);
    assert!(!tracker.agrees());
    let change = BoardEvent::Changed { field: unread, contact: man };
    tracker.board_event(&change, Stamp::from_millis(300), &mut out);
    assert!(tracker.agrees());
    assert_eq!(tracker.sensors().orientation(), Orientation::Rotated);
}
