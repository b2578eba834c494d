//! Illegal moves and the program killed: what stands goes on standing, what counts goes on counting.

use std::time::Duration;

use dgtd::{
    arbiter::{EventKind, Request, event::PenaltyEffect, request::NewGame},
    units::Ply,
};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, EnPassantMode, Move, Position, Role, Square};

use super::{
    each,
    script::hand,
    table::{Table, classic},
};

/// What hands do, and the arbiter.
#[derive(Clone, Copy)]
enum Step {
    /// Squares emptied (`-e2`) and filled (`+e4P`), then the clock is pressed.
    Press(&'static str),
    /// The same, and nobody presses.
    Put(&'static str),
    /// The arbiter accepts the illegal move of this number.
    Accept(u32),
    /// The arbiter dismisses it.
    Dismiss(u32),
}

use Step::{Accept, Dismiss, Press, Put};

struct Story {
    name: &'static str,
    /// First position and the men on the board, if not the initial array.
    start: Option<(&'static str, &'static str)>,
    steps: &'static [Step],
    sans: &'static str,
    result: &'static str,
    /// Illegal moves that count at the end, and those that wait.
    counted: [u32; 2],
    waiting: &'static [u32],
}

/// Long enough for an illegal move to be told.
const LONG: Duration = Duration::from_secs(4);

fn act(table: &mut Table, words: &str) {
    for word in words.split_whitespace() {
        let (square, man) = (&word[1..3], word[3..].chars().next());
        let bytes = table.board.put(square, man.unwrap_or('.'));
        table.hear(&bytes);
        table.wait(Duration::from_millis(300));
    }
}

fn make(table: &mut Table, step: Step) {
    let decide = |table: &mut Table, number, accept| {
        let number = Some(number);
        table.request(Request::DecideIllegalMove { number, accept, language: None });
    };
    match step {
        Press(words) => {
            act(table, words);
            let bytes = table.board.press();
            table.hear(&bytes);
        }
        Put(words) => act(table, words),
        Accept(number) => decide(table, number, true),
        Dismiss(number) => decide(table, number, false),
    }
    table.wait(LONG);
}

fn begin(story: &Story) -> Table {
    let mut board = classic();
    if let Some((_, men)) = story.start {
        board.set_up(men);
    }
    let mut table = Table::new(board);
    if let Some((fen, _)) = story.start {
        let fen = Some(fen.to_owned());
        table.request(Request::NewGame(NewGame { fen, ..NewGame::default() }));
        table.wait(LONG);
    }
    table
}

fn check(table: &Table, story: &Story, context: &str) {
    let game = table.status().game.unwrap();
    assert_eq!(table.sans().join(" "), story.sans, "{context}");
    assert_eq!((game.number, game.result.as_str()), (1, story.result), "{context}");
    assert_eq!(game.illegal_counted, story.counted, "{context}");
    let waiting: Vec<u32> = game.illegal.iter().map(|illegal| illegal.number).collect();
    assert_eq!(waiting, story.waiting, "{context}");
    assert_eq!(table.ends(), [], "{context}: nothing ended by the Laws");
}

const STORIES: &[Story] = &[
    Story {
        name: "a knight that stands, and the game goes on",
        start: None,
        steps: &[
            Press("-e2 +e4P"),
            Press("-g8 +g6n"),
            Press("-d2 +d4P"),
            Press("-e7 +e5p"),
            Press("-g1 +f3N"),
        ],
        sans: "e4 Ng8g6 d4 e5 Nf3",
        result: "*",
        counted: [0, 0],
        waiting: &[1],
    },
    Story {
        name: "found late, accepted, restored",
        start: None,
        steps: &[
            Press("-e2 +e4P"),
            Press("-g8 +g6n"),
            Press("-d2 +d4P"),
            Accept(1),
            Put("-d4 +d2P -g6 +g8n"),
            Press("-g8 +f6n"),
        ],
        sans: "e4 Nf6",
        result: "*",
        counted: [0, 1],
        waiting: &[],
    },
    Story {
        name: "the second one loses",
        start: None,
        steps: &[
            Press("-e2 +e4P"),
            Press("-g8 +g6n"),
            Accept(1),
            Put("-g6 +f6n"),
            Press("-d2 +d4P"),
            Press("-b8 +b6n"),
            Accept(2),
        ],
        sans: "e4 Nf6 d4",
        result: "1-0",
        counted: [0, 2],
        waiting: &[],
    },
    Story {
        name: "one that was dismissed is none",
        start: None,
        steps: &[
            Press("-e2 +e4P"),
            Press("-g8 +g6n"),
            Dismiss(1),
            Put("-g6 +f6n"),
            Press("-d2 +d4P"),
            Press("-b8 +b6n"),
            Accept(2),
        ],
        sans: "e4 Nf6 d4",
        result: "*",
        counted: [0, 1],
        waiting: &[],
    },
    Story {
        name: "a king left in check",
        start: Some((
            "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 30",
            "....k...........................................\
             ....r...R...K...",
        )),
        steps: &[Press("-a1 +a8R"), Press("-e8 +e7k"), Press("-e2 -e1 +e2K"), Press("-e7 +f7k")],
        sans: "Ra1a8 Ke7+ Kxe2 Kf7",
        result: "*",
        counted: [0, 0],
        waiting: &[1],
    },
    Story {
        name: "a pawn left on the last rank",
        start: Some((
            "1r6/P5k1/8/8/8/8/6K1/7R w - - 0 50",
            ".r......P.....k.................................\
             ......K........R",
        )),
        steps: &[Press("-a7 +a8P"), Press("-g7 +g6k"), Press("-g2 +g3K"), Press("-b8 -a8 +a8r")],
        sans: "a7a8 Kg6 Kg3 Rxa8",
        result: "*",
        counted: [0, 0],
        waiting: &[1],
    },
];

#[test]
fn killed_after_every_event_while_an_illegal_move_stands() {
    for story in STORIES {
        let mut table = begin(story);
        let mut tables = vec![table.clone()];
        for &step in story.steps {
            make(&mut table, step);
            tables.push(table.clone());
        }
        check(&table, story, story.name);
        let whole = &table.book.text;
        let first = tables[0].book.text.len();
        let ends = whole.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1);
        let cuts: Vec<usize> = ends.filter(|cut| *cut >= first).collect();
        let tried = each(cuts.len(), |index| {
            let cut = cuts[index];
            let step = tables.iter().position(|table| table.book.text.len() >= cut).unwrap();
            // A journal that says more than the step began with says all that came of it.
            if tables[step].book.text.len() != cut {
                return false;
            }
            let context = format!("{}: killed before step {step}", story.name);
            let (mut table, memory, troubles) =
                Table::restarted(tables[step].board.clone(), &whole[..cut], Duration::from_secs(3));
            assert!(!memory.is_damaged() && troubles.is_empty(), "{context}: {troubles:?}");
            table.attach();
            table.wait(Duration::from_secs(6));
            for &step in &story.steps[step..] {
                make(&mut table, step);
            }
            check(&table, story, &context);
            true
        });
        assert!(
            tried.iter().filter(|tried| **tried).count() >= story.steps.len(),
            "{}",
            story.name
        );
    }
}

/// Any line of the journal may be missing while an illegal move stands: it is told, and nothing ends.
#[test]
fn a_missing_line_beside_an_illegal_move_ends_nothing() {
    for story in STORIES {
        let mut table = begin(story);
        for &step in story.steps {
            make(&mut table, step);
        }
        let text = String::from_utf8(table.book.text.clone()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        each(lines.len() - 1, |gone| {
            let journal = [&lines[..gone], &lines[gone + 1..]].concat().join("\n") + "\n";
            let context = format!("{}: line {gone} missing: {}", story.name, lines[gone]);
            let (mut table, memory, _) =
                Table::restarted(table.board.clone(), journal.as_bytes(), Duration::from_secs(3));
            assert!(memory.is_damaged() || gone == 0, "{context}");
            table.attach();
            table.wait(Duration::from_secs(8));
            assert_eq!(table.ends(), [], "{context}");
        });
    }
}

/// The lines of a few half-moves are lost: the game goes on as another, and the count of illegal moves
/// with it.
#[test]
fn the_count_survives_a_game_that_cannot_be_rebuilt() {
    let story = &STORIES[2];
    let mut table = begin(story);
    for &step in &story.steps[..5] {
        make(&mut table, step);
    }
    for words in ["-d7 +d6p", "-c2 +c4P", "-g7 +g6p", "-f2 +f3P", "-a7 +a6p", "-h2 +h3P"] {
        make(&mut table, Press(words));
    }
    let text = String::from_utf8(table.book.text.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let moves: Vec<usize> =
        (0..lines.len()).filter(|at| lines[*at].contains("\"event\":\"move\"")).collect();
    let (from, to) = (moves[3], moves[moves.len() - 1]);
    let journal = [&lines[..from], &lines[to..]].concat().join("\n") + "\n";
    let (mut table, _, troubles) =
        Table::restarted(table.board.clone(), journal.as_bytes(), Duration::from_secs(3));
    assert!(troubles.iter().any(|trouble| trouble.contains("as a new one")), "{troubles:?}");
    table.attach();
    table.wait(Duration::from_secs(6));
    assert_eq!(table.status().game.unwrap().illegal_counted, [0, 1]);
    make(&mut table, Press("-b8 +b6n"));
    let told = table.told.iter().find_map(|kind| match kind {
        EventKind::IllegalMove { nth, ply, penalty, .. } => Some((*nth, *ply, penalty.effect)),
        _ => None,
    });
    assert_eq!(told, Some((2, Ply(1), PenaltyEffect::Result)));
}

/// A man goes where it may not, at random, and is answered sooner or later: the illegal move is told
/// with its squares, nothing ends, and where the answer restores a position that a game can have, the
/// game is followed to what stands on the board.
#[test]
fn illegal_moves_at_random_are_told_and_the_game_goes_on() {
    let outcomes = each(240, |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed as u64);
        let mut table = Table::new(classic());
        let mut position = Chess::new();
        let before = random.random_range(2..30);
        for _ in 0..before {
            let m = pick(&position, &mut random)?;
            hands(&mut table, &position, m);
            press(&mut table, 1_400);
            position.play_unchecked(m);
        }
        assert_eq!(table.sans().len(), before, "seed {seed}: {:?}", table.sans());
        table.told.clear();
        let (from, to) = displacement(&position, &mut random)?;
        let man = position.board().piece_at(from).unwrap();
        let (by, ply) = (position.turn(), u32::try_from(before).unwrap() + 1);
        let mut board = position.board().clone();
        board.discard_piece_at(from);
        board.set_piece_at(to, man);
        let setup = shakmaty::Setup { board, turn: !by, ..position.to_setup(EnPassantMode::Legal) };
        // Only illegal moves after which a game can go on lawfully have a truth to compare with.
        let setup = shakmaty::Setup { ep_square: None, ..setup };
        let mut after = setup
            .position::<Chess>(shakmaty::CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .ok()?;
        put(&mut table, from, '.');
        put(&mut table, to, man.char());
        let quick = random.random_range(150..4_000);
        press(&mut table, quick);
        let reply = pick(&after, &mut random)?;
        hands(&mut table, &after, reply);
        press(&mut table, 2_000);
        after.play_unchecked(reply);
        let context = format!("seed {seed}: {from}-{to} after {before}, answered after {quick} ms");
        let told: Vec<_> = table
            .told
            .iter()
            .filter_map(|kind| match kind {
                EventKind::IllegalMove { by, squares, ply, .. } => {
                    Some((*by, squares.clone(), *ply))
                }
                _ => None,
            })
            .collect();
        assert_eq!(table.ends(), [], "{context}");
        let game = table.status().game.unwrap();
        let followed = game.fen.split(' ').next() == Some(&after.board().to_string());
        if followed {
            assert_eq!(told.len(), 1, "{context}: {:?}", table.told);
            assert_eq!((told[0].0, told[0].2), (by.into(), Ply(ply)), "{context}");
            assert!(told[0].1.contains(&to.to_string()), "{context}: {told:?}");
        }
        Some((followed, told.len() == 1))
    });
    let all = outcomes.iter().flatten().count();
    let followed = outcomes.iter().flatten().filter(|(followed, _)| *followed).count();
    let told = outcomes.iter().flatten().filter(|(_, told)| *told).count();
    eprintln!("{all} illegal moves: {told} told, {followed} followed");
    // Some look like a legal line, a takeback, or the beginning of a result.
    assert!(all > 150 && told * 100 >= all * 90 && followed * 100 >= all * 90);
}

fn put(table: &mut Table, square: Square, man: char) {
    let bytes = table.board.put(&square.to_string(), man);
    table.hear(&bytes);
    table.wait(Duration::from_millis(250));
}

fn press(table: &mut Table, wait: u64) {
    let bytes = table.board.press();
    table.hear(&bytes);
    table.wait(Duration::from_millis(wait));
}

fn hands(table: &mut Table, position: &Chess, m: Move) {
    let (lifted, placed) = hand(position, m);
    for square in lifted {
        put(table, square, '.');
    }
    for (square, man) in placed {
        put(table, square, man);
    }
}

const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

/// A legal move after which the game goes on, and no king in the centre.
fn pick(position: &Chess, random: &mut ChaCha8Rng) -> Option<Move> {
    let fine = |m: &Move| {
        let mut after = position.clone();
        after.play_unchecked(*m);
        !after.is_game_over()
            && !m.is_promotion()
            && !matches!(m, Move::Castle { .. } | Move::EnPassant { .. })
            && (m.role() != Role::King || !CENTRE.contains(&m.to()))
    };
    let moves: Vec<Move> = position.legal_moves().into_iter().filter(fine).collect();
    (!moves.is_empty()).then(|| moves[random.random_range(0..moves.len())])
}

/// A man of the side to move, and where it may not go.
fn displacement(position: &Chess, random: &mut ChaCha8Rng) -> Option<(Square, Square)> {
    let board = position.board();
    let men: Vec<Square> = position.us().into_iter().collect();
    for _ in 0..100 {
        let from = men[random.random_range(0..men.len())];
        let to = Square::new(random.random_range(0..64));
        let role = board.role_at(from)?;
        let legal =
            position.legal_moves().into_iter().any(|m| m.from() == Some(from) && m.to() == to);
        let own = position.us().contains(to);
        let king = board.role_at(to) == Some(Role::King) || role == Role::King;
        let last = role == Role::Pawn
            && matches!(to.rank(), shakmaty::Rank::First | shakmaty::Rank::Eighth);
        if !legal && !own && !king && !last {
            return Some((from, to));
        }
    }
    None
}
