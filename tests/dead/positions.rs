//! Random positions for the fuzzer: neighbours of known ones, few men, pawn walls, rights to castle and
//! to capture en passant, caged kings, men that are held, pawn races.
//!
//! In: a source of chance, known positions. Out: diagrams; whether they are legal is asked elsewhere.

use std::fs;

use rand::{Rng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Setup, Square, attacks, fen::Fen};

pub fn seeds() -> Vec<Setup> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dead/cases.tsv");
    seeds_of(&fs::read_to_string(path).unwrap())
}

/// These, and the collected positions where they exist.
pub fn more_seeds() -> Vec<Setup> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/cases/dead_positions.tsv");
    let mut all = seeds();
    all.extend(fs::read_to_string(path).iter().flat_map(|text| seeds_of(text)));
    println!("{} seeds", all.len());
    all
}

fn seeds_of(text: &str) -> Vec<Setup> {
    let hard = text.lines().skip(1).filter(|row| {
        let columns: Vec<&str> = row.split('\t').collect();
        columns[1] != "yes" || columns[2] != "yes"
    });
    hard.map(|row| row.split('\t').next().unwrap().parse::<Fen>().unwrap().into_setup()).collect()
}

/// One to three edits of a known position: a man moved, added, removed, changed; or the turn.
pub fn mutated(rng: &mut ChaCha8Rng, seeds: &[Setup]) -> Setup {
    let edits = rng.random_range(1..=3);
    edited(rng, seeds, edits)
}

pub fn edited(rng: &mut ChaCha8Rng, seeds: &[Setup], edits: u32) -> Setup {
    let mut setup = seeds.choose(rng).unwrap().clone();
    setup.ep_square = None;
    for _ in 0..edits {
        let men: Vec<(Square, Piece)> = setup.board.clone().into_iter().collect();
        let (from, piece) = *men.choose(rng).unwrap();
        let to = Square::new(rng.random_range(0..64));
        match rng.random_range(0..6) {
            0 if piece.role != Role::King => {
                setup.board.discard_piece_at(from);
            }
            1 if setup.board.piece_at(to).is_none() => {
                setup.board.set_piece_at(to, any_piece(rng, to));
            }
            2 if piece.role != Role::King => {
                setup.board.set_piece_at(from, any_piece(rng, from));
            }
            3 => setup.turn = !setup.turn,
            _ if setup.board.piece_at(to).is_none() => {
                let back = Bitboard::BACKRANKS.contains(to) && piece.role == Role::Pawn;
                if !back {
                    setup.board.discard_piece_at(from);
                    setup.board.set_piece_at(to, piece);
                }
            }
            _ => {}
        }
    }
    with_rights(rng, setup)
}

fn any_piece(rng: &mut ChaCha8Rng, square: Square) -> Piece {
    let roles = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Bishop, Role::Rook];
    let mut role = *roles.choose(rng).unwrap();
    if role == Role::Pawn && Bitboard::BACKRANKS.contains(square) {
        role = Role::Bishop;
    }
    Piece { color: Color::from_white(rng.random()), role }
}

/// Castling and en passant rights where the board allows them.
fn with_rights(rng: &mut ChaCha8Rng, mut setup: Setup) -> Setup {
    setup.castling_rights = Bitboard::EMPTY;
    for (color, king, rooks) in [
        (Color::White, Square::E1, [Square::A1, Square::H1]),
        (Color::Black, Square::E8, [Square::A8, Square::H8]),
    ] {
        for rook in rooks {
            let there = setup.board.piece_at(king) == Some(color.king())
                && setup.board.piece_at(rook) == Some(color.rook());
            if there && rng.random() {
                setup.castling_rights.add(rook);
            }
        }
    }
    let (rank, step) = if setup.turn.is_white() { (4, 8) } else { (3, -8) };
    for file in 0..8 {
        let pawn = Square::new(rank * 8 + file);
        let pushed = setup.board.piece_at(pawn) == Some((!setup.turn).pawn());
        let clear = [step, 2 * step].iter().all(|&by| {
            pawn.offset(by).is_some_and(|square| setup.board.piece_at(square).is_none())
        });
        if pushed && clear && rng.random_range(0..3) == 0 {
            setup.ep_square = pawn.offset(step);
            break;
        }
    }
    setup
}

fn place(rng: &mut ChaCha8Rng, board: &mut Board, piece: Piece) {
    for _ in 0..50 {
        let square = Square::new(rng.random_range(0..64));
        let back = Bitboard::BACKRANKS.contains(square) && piece.role == Role::Pawn;
        if board.piece_at(square).is_none() && !back {
            board.set_piece_at(square, piece);
            return;
        }
    }
}

pub fn few_men(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::empty();
    setup.turn = Color::from_white(rng.random());
    for color in Color::ALL {
        place(rng, &mut setup.board, color.king());
    }
    for _ in 0..rng.random_range(1..=4) {
        let role =
            *[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].choose(rng).unwrap();
        let piece = Piece { color: Color::from_white(rng.random()), role };
        place(rng, &mut setup.board, piece);
    }
    with_rights(rng, setup)
}

/// Pawns face to face on most files, kings and bishops around them.
pub fn wall(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::empty();
    setup.turn = Color::from_white(rng.random());
    let mut rank: u32 = rng.random_range(2..=5);
    for file in 0..8 {
        if rng.random_range(0..8) > 0 {
            let step: i32 = rng.random_range(-1..=1);
            rank = rank.saturating_add_signed(step).clamp(2, 5);
            let below = Square::new((rank - 1) * 8 + file);
            setup.board.set_piece_at(below, Color::White.pawn());
            setup.board.set_piece_at(Square::new(rank * 8 + file), Color::Black.pawn());
        }
    }
    for color in Color::ALL {
        place(rng, &mut setup.board, color.king());
        for _ in 0..rng.random_range(0..=2) {
            let role = *[Role::Bishop, Role::Bishop, Role::Knight, Role::Pawn].choose(rng).unwrap();
            place(rng, &mut setup.board, Piece { color, role });
        }
    }
    with_rights(rng, setup)
}

/// Kings and rooks at home between locked pawns: castling and en passant decide.
pub fn rights(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = wall(rng);
    for color in Color::ALL {
        let home = color.fold_wb(Square::E1, Square::E8);
        if let Some(king) = setup.board.king_of(color) {
            setup.board.discard_piece_at(king);
        }
        setup.board.set_piece_at(home, color.king());
        let corner = if rng.random() { home.offset(3) } else { home.offset(-4) };
        if let Some(corner) = corner {
            setup.board.set_piece_at(corner, color.rook());
        }
    }
    with_rights(rng, setup)
}

/// A square of the three by three in the corner `h1`, or with pawns also on the rank above.
fn near_corner(rng: &mut ChaCha8Rng, ranks: u32) -> Square {
    Square::new(8 * rng.random_range(0..ranks) + rng.random_range(5..8))
}

/// A king among its own men in a corner, shut in by enemy pawns, and a pawn wall beside it: men that
/// are held, walls that stand while nobody is captured.
pub fn caged(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::empty();
    let board = &mut setup.board;
    board.set_piece_at(near_corner(rng, 2), Color::White.king());
    for _ in 0..rng.random_range(1..=4) {
        let square = near_corner(rng, 3);
        let roles = [Role::Pawn, Role::Pawn, Role::Bishop, Role::Knight, Role::Rook];
        let role = *roles.choose(rng).unwrap();
        let back = square.rank() == shakmaty::Rank::First && role == Role::Pawn;
        if board.piece_at(square).is_none() && !back {
            board.set_piece_at(square, Piece { color: Color::White, role });
        }
    }
    let pawns = board.by_piece(Color::White.pawn());
    for pawn in pawns {
        if let Some(front) = pawn.offset(8)
            && board.piece_at(front).is_none()
            && rng.random_range(0..8) > 0
        {
            board.set_piece_at(front, Color::Black.pawn());
        }
    }
    let (from, to) = *[(0, 5), (0, 8), (4, 8), (2, 5)].choose(rng).unwrap();
    files(rng, board, from..to, 0);
    place(rng, board, Color::Black.king());
    for _ in 0..rng.random_range(0..=2) {
        let role = *[Role::Bishop, Role::Bishop, Role::Knight, Role::Rook].choose(rng).unwrap();
        let color = Color::from_white(rng.random());
        place(rng, board, Piece { color, role });
    }
    turned(rng, setup)
}

/// Men in a corner that nobody frees but by a capture there, and the rank of the wall that goes on
/// beside them, if they need one.
const HELD: [(&str, Option<u32>); 5] = [
    ("8/8/8/8/1p6/1Pp5/K1P5/RB6", Some(2)),
    ("8/8/8/8/8/1p1p4/1P1P4/KRB5", Some(1)),
    ("8/8/8/1p6/1Pp5/K1P5/RB6/8", Some(3)),
    ("8/8/kp6/bp6/bp6/1p6/1P6/8", None),
    ("8/1k6/1p6/1P6/BP6/BP6/1P6/8", None),
];

/// A corner whose men are held, the wall from there to the other side, and bishops that may take
/// them.
pub fn held(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::empty();
    let board = &mut setup.board;
    let (corner, rank) = *HELD.choose(rng).unwrap();
    *board = corner.parse::<Board>().unwrap();
    for file in [3, 5, 7] {
        if let Some(rank) = rank
            && board
                .by_piece(Color::White.pawn())
                .is_disjoint(Bitboard::from_file(shakmaty::File::new(file)))
            && rng.random_range(0..16) > 0
        {
            let white = Square::new(8 * rank + file);
            board.set_piece_at(white, Color::White.pawn());
            board.set_piece_at(Square::new(8 * (rank + 1) + file), Color::Black.pawn());
        }
    }
    for color in Color::ALL {
        if board.king_of(color).is_none() {
            place(rng, board, color.king());
        }
    }
    for _ in 0..*[0, 1, 1, 1, 2, 3].choose(rng).unwrap() {
        let color = Color::from_white(rng.random_range(0..4) == 0);
        let role = if rng.random_range(0..12) == 0 { Role::Knight } else { Role::Bishop };
        place(rng, board, Piece { color, role });
    }
    match rng.random_range(0..3) {
        0 => retreat(rng, board),
        1 => checked(rng, board, Color::from_white(corner.contains('K'))),
        _ => {}
    }
    if rng.random_range(0..5) == 0 {
        setup = mutated(rng, &[setup]);
    }
    turned(rng, setup)
}

/// Somebody checks this king, and a bishop can take him: the corner is held only after that.
fn checked(rng: &mut ChaCha8Rng, board: &mut Board, side: Color) {
    let Some(king) = board.king_of(side) else { return };
    let role = *[Role::Knight, Role::Rook, Role::Queen, Role::Queen].choose(rng).unwrap();
    let checker = Piece { color: !side, role };
    let empty = |square: &Square, board: &Board| board.piece_at(*square).is_none();
    let seen = attacks::attacks(king, checker, board.occupied());
    let from: Vec<Square> = seen.into_iter().filter(|square| empty(square, board)).collect();
    let Some(&from) = from.choose(rng) else { return };
    board.set_piece_at(from, checker);
    let seen = attacks::bishop_attacks(from, board.occupied());
    let takers: Vec<Square> = seen.into_iter().filter(|square| empty(square, board)).collect();
    if let Some(&taker) = takers.choose(rng) {
        board.set_piece_at(taker, side.bishop());
    }
}

/// Takes back a step of one pawn, if there is room: then the wall is still to be shut.
fn retreat(rng: &mut ChaCha8Rng, board: &mut Board) {
    let pawns: Vec<Square> = board.pawns().into_iter().collect();
    let Some((pawn, piece)) =
        pawns.choose(rng).and_then(|&pawn| Some((pawn, board.piece_at(pawn)?)))
    else {
        return;
    };
    let back = pawn.offset(piece.color.fold_wb(-8, 8));
    let back = back.filter(|&square| !Bitboard::BACKRANKS.contains(square));
    if let Some(back) = back.filter(|&square| board.piece_at(square).is_none()) {
        board.discard_piece_at(pawn);
        board.set_piece_at(back, piece);
    }
}

/// Kings that have no move as long as nobody frees them.
const CAGES: [&str; 7] = [
    "1k6/1P6/BP6/1P6/8/8/8/8",
    "Bk6/1P6/1P6/8/8/8/8/8",
    "8/1p6/1P6/KP6/PP6/8/8/8",
    "8/8/8/1p6/1P6/KP6/PP6/8",
    "8/8/8/8/8/1p6/pP6/K7",
    "8/8/8/8/1p6/1P6/BP6/KRB5",
    "kb6/b1p5/1pP5/1P6/8/8/8/8",
];

/// A king without a move, and pawns that run towards each other: who has to move when nothing is
/// left?
pub fn race(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::empty();
    let board = &mut setup.board;
    *board = CAGES.choose(rng).unwrap().parse::<Board>().unwrap();
    let many = rng.random_range(1..=3);
    let first = rng.random_range(3..=8 - many);
    files(rng, board, first..first + many, 3);
    for color in Color::ALL {
        if board.king_of(color).is_none() {
            place(rng, board, color.king());
        }
    }
    if rng.random_range(0..3) == 0 {
        let role = *[Role::Bishop, Role::Knight, Role::Pawn].choose(rng).unwrap();
        let color = Color::from_white(rng.random());
        place(rng, board, Piece { color, role });
    }
    turned(rng, setup)
}

/// Pawns that face each other on most of these files, so many squares between them at most.
fn files(rng: &mut ChaCha8Rng, board: &mut Board, files: std::ops::Range<u32>, gap: u32) {
    for file in files {
        let below = rng.random_range(1..=4);
        let above = below + 1 + rng.random_range(0..=gap.min(5 - below));
        let (white, black) = (Square::new(8 * below + file), Square::new(8 * above + file));
        let free = board.piece_at(white).is_none() && board.piece_at(black).is_none();
        if free && rng.random_range(0..6) > 0 {
            board.set_piece_at(white, Color::White.pawn());
            board.set_piece_at(black, Color::Black.pawn());
        }
    }
}

/// The same for either colour and either side of the board, somebody to move.
fn turned(rng: &mut ChaCha8Rng, mut setup: Setup) -> Setup {
    if rng.random() {
        setup.board.flip_horizontal();
    }
    if rng.random() {
        let men = setup.board.clone().into_iter();
        let other = |piece: Piece| Piece { color: !piece.color, ..piece };
        setup.board = men.map(|(at, piece)| (at.flip_vertical(), other(piece))).collect();
    }
    setup.turn = Color::from_white(rng.random());
    // Who is in check is to move.
    let board = &setup.board;
    let king = board.king_of(!setup.turn);
    let taken = |king| board.attacks_to(king, setup.turn, board.occupied()).any();
    if king.is_some_and(taken) {
        setup.turn = !setup.turn;
    }
    with_rights(rng, setup)
}
