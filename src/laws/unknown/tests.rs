//! Games whose past is not all known.

use shakmaty::{fen::Fen, san::San};

use super::*;
use crate::{
    game::Step,
    laws::{Ended, Ending, How},
};

fn set_up(fen: &str, past: Past) -> Hypotheses {
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    let quiet = setup.halfmoves;
    Hypotheses::set_up(&setup.board, setup.turn, CastlingMode::Standard, past, quiet).unwrap()
}

fn play(game: &mut Hypotheses, moves: &str) {
    for text in moves.split_whitespace() {
        let san: San = text.parse().unwrap();
        let m = game
            .open()
            .find_map(|case| san.to_move(case.history.position()).ok())
            .unwrap_or_else(|| panic!("{text}"));
        game.play(m).unwrap();
    }
}

fn judge(game: &Hypotheses) -> Judgement {
    game.verdict(Edition::Fide2023, &mut |_| DeadAnswer::Alive)
}

/// Rook and king at home: the position of ply 0 comes back at 4, 8, … without the right. If it
/// was there at ply 0, ply 4 is its first occurrence without it.
#[test]
fn a_repetition_that_depends_on_rights_is_not_certain() {
    let mut game = set_up("r3k3/8/8/8/8/8/8/4K2R w - - 4 30", Past::Counted);
    assert!(game.is_uncertain());
    play(&mut game, "Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8");
    let judgement = judge(&game);
    assert_eq!(judgement.certain.over(), None);
    assert!(judgement.certain.claims().iter().all(|c| c.how != How::JustAppeared));
    let claim = judgement.possible.iter().find_map(|(on, what)| match what {
        Possible::Claim(c) if c.how == How::JustAppeared => Some((*on, c.kind, c.exact)),
        _ => None,
    });
    assert_eq!(claim, Some((DependsOn::CastlingRights, ClaimKind::Threefold, false)));
    // Four plies later both say so.
    play(&mut game, "Rg1 Rb8 Rh1 Ra8");
    let judgement = judge(&game);
    assert!(judgement.certain.claims().iter().any(|c| c.how == How::JustAppeared));
    // The fifth occurrence, again first without the right.
    play(&mut game, "Rg1 Rb8 Rh1 Ra8");
    let judgement = judge(&game);
    assert_eq!(judgement.certain.over(), None);
    let over = (
        DependsOn::CastlingRights,
        Possible::Over(Ended { ending: Ending::FivefoldRepetition, article: "9.6.1" }),
    );
    assert!(judgement.possible.contains(&over));
    assert!(judgement.certain.claims().iter().any(|c| c.how == How::JustAppeared));
    play(&mut game, "Rg1 Rb8 Rh1 Ra8");
    assert!(judge(&game).certain.over().is_some());
}

#[test]
fn castling_shows_its_right_and_a_take_back_forgets_it() {
    let mut game = set_up("r3k3/8/8/8/8/8/8/4K2R w - - 4 30", Past::Counted);
    play(&mut game, "O-O");
    assert!(game.is_uncertain(), "Black's right is still unknown");
    assert_eq!(game.open().count(), 2);
    let lines: Vec<usize> = game.open().map(|c| c.history.plies().len()).collect();
    assert_eq!(lines, [2, 2]);
    game.take_back_to(Ply(0)).unwrap();
    assert_eq!(game.open().count(), 2);
    play(&mut game, "Ke2 Kd8");
    assert_eq!(game.history().latest(), Ply(2));
}

#[test]
fn a_double_step_before_the_set_up_may_have_to_be_taken() {
    // Black is mated unless the pawn has just come from g2: then hxg3 saves him.
    let fen = "8/5N2/R7/7k/6Pp/8/8/4K1R1 b - - 0 40";
    let mut game = set_up(fen, Past::Unknown);
    let position = game.history().position();
    assert!(position.legal_moves().is_empty() && position.is_check(), "{position:?}");
    let judgement = judge(&game);
    assert_eq!(judgement.certain.over(), None);
    assert_eq!(
        judgement.possible,
        [(
            DependsOn::LastMove,
            Possible::Over(Ended { ending: Ending::Checkmate, article: "5.1.1" })
        )]
    );
    play(&mut game, "hxg3");
    assert!(!game.is_uncertain());
    // Where nothing was played before, there was no double step.
    let judgement = judge(&set_up(fen, Past::Nothing));
    assert!(judgement.certain.over().is_some());
}

#[test]
fn counts_that_are_reached_are_certain() {
    let mut game = set_up("4k3/8/8/8/8/8/r6P/4K2R w - - 0 30", Past::Unknown);
    let mut last = None;
    for ply in 1..=150u32 {
        let (from, to) = [("Kf1", "Kd8"), ("Ke1", "Ke8")][(ply as usize - 1) / 2 % 2];
        play(&mut game, if ply % 2 == 1 { from } else { to });
        last = game.history().last().quiet.reaches(100);
        assert_eq!(last.is_some(), ply >= 100, "{ply}");
    }
    assert_eq!(last, Some(true));
    let over = judge(&game).certain.over().cloned().unwrap();
    assert!(over.reasons.iter().any(|r| r.ending == Ending::SeventyFiveMoves));
}

#[test]
fn after_a_gap_lost_rights_stay_lost_and_others_are_unknown() {
    let mut game = Hypotheses::known(History::default());
    play(&mut game, "Nf3 Nf6 Rg1 Rg8");
    let found = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w - - 0 1";
    let setup = found.parse::<Fen>().unwrap().into_setup();
    assert!(!game.is_uncertain());
    game.resume(&setup.board, setup.turn, 4).unwrap();
    assert!(game.is_uncertain());
    let rights = |game: &Hypotheses| -> Vec<usize> {
        game.open().map(|c| c.history.position().castles().castling_rights().count()).collect()
    };
    assert_eq!(rights(&game), [2, 0], "only the rooks on a1 and a8");
    assert!(!game.history().last().quiet.is_exact());
    game.take_back_to(Ply(4)).unwrap();
    assert!(!game.is_uncertain());
    assert_eq!(rights(&game), [2]);
}

#[test]
fn an_illegal_move_leaves_everything_as_it_was() {
    let mut game = set_up("r3k3/8/8/8/8/8/8/4K2R w - - 4 30", Past::Counted);
    let m = Move::Castle { king: Square::E8, rook: Square::A8 };
    assert!(matches!(game.play(m), Err(HistoryError::Illegal { .. })));
    assert_eq!(game.open().count(), 2);
    let board = Board::empty();
    let bad = Hypotheses::set_up(&board, Color::White, CastlingMode::Standard, Past::Unknown, 0);
    assert!(bad.unwrap_err().to_string().contains("empty board"));
}
