//! Games whose past is not all known.

use shakmaty::{Role, fen::Fen, san::San};

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

/// A game whose sight is lost after `before`, and goes on with `after`.
fn with_gap(before: &str, after: &str) -> Hypotheses {
    let mut game = Hypotheses::known(History::default());
    play(&mut game, before);
    game.lost_sight();
    play(&mut game, after);
    game
}

#[test]
fn a_gap_makes_lower_bounds_and_leaves_rights_in_doubt() {
    let knights = "Nf3 Nf6 Ng1 Ng8 ";
    let game = with_gap(knights, knights);
    assert_eq!(game.open().count(), 2);
    assert!(!game.counts_are_exact());
    let last = game.history().last();
    assert_eq!((last.occurrence, last.quiet), (Count::AtLeast(3), Count::AtLeast(8)));
    // The third occurrence, unless the rights were lost meanwhile.
    let judgement = judge(&game);
    assert!(judgement.certain.claims().iter().all(|c| c.how != How::JustAppeared));
    let now = |what: &Possible| matches!(what, Possible::Claim(c) if c.how == How::JustAppeared);
    assert!(
        judgement.possible.iter().any(|(on, what)| *on == DependsOn::CastlingRights && now(what))
    );
    // A capture or a pawn move after the gap counts from nought again.
    let mut game = with_gap(knights, "e4");
    assert_eq!(game.history().last().quiet, Count::Exact(0));
    assert_eq!(game.open().count(), 2, "the rights are still in doubt");
    assert!(game.counts_are_exact());
    // Castling shows its own right only.
    play(&mut game, "e5 Nf3 Nf6 Be2 Be7 O-O");
    let rights: Vec<usize> =
        game.positions().map(|p| p.castles().castling_rights().count()).collect();
    assert_eq!(rights, [2, 0]);
}

#[test]
fn a_take_back_over_a_gap_leaves_the_gap() {
    let mut game = with_gap("Nf3 Nf6", "Ng1 Ng8");
    game.take_back_to(Ply(1)).unwrap();
    assert_eq!(game.open().count(), 1);
    assert!(game.is_in_gap());
    play(&mut game, "Nf6");
    assert_eq!(game.open().count(), 2);
    assert!(!game.is_in_gap());
    let mut game = with_gap("Nf3 Nf6", "Ng1 Ng8");
    game.take_back_to(Ply(3)).unwrap();
    assert_eq!(game.open().count(), 2, "the gap came before");
}

#[test]
fn many_gaps_do_not_add_up() {
    let mut game = Hypotheses::known(History::default());
    for _ in 0..20 {
        game.lost_sight();
        play(&mut game, "Nf3");
        game.lost_sight();
        play(&mut game, "Nf6 Ng1 Ng8");
    }
    assert!(game.cases.len() <= 1 + MOST_GAPS, "{}", game.cases.len());
    // Since the last gap the array has not stood five times: nothing is certain.
    assert_eq!(judge(&game).certain.over(), None);
    assert!(!judge(&game).possible.is_empty());
    // Moves without a gap make it so.
    play(&mut game, &"Nf3 Nf6 Ng1 Ng8 ".repeat(4));
    assert!(judge(&game).certain.over().is_some());
}

#[test]
fn a_claim_that_depends_on_rights_is_for_the_arbiter() {
    let check = |game: &Hypotheses| {
        let claim = Claim {
            claimant: Color::White,
            kind: ClaimKind::Threefold,
            announced: None,
            act: crate::laws::BoardAct::None,
        };
        let time = crate::units::Millis::from_seconds(60);
        let clocks = ClaimClocks { claimant: time, opponent: time };
        game.check_claim(&Conditions::default(), None, &claim, clocks, |facts| facts).unwrap()
    };
    let unproved = crate::laws::Decision::Arbiter { now: Qualifies::Unproved, announced: None };
    let knights = "Nf3 Nf6 Ng1 Ng8 ";
    assert_eq!(check(&with_gap(knights, knights)).decision, unproved);
    // Three times since the gap, whatever happened in it; or while nobody looked.
    let certain = with_gap("", &knights.repeat(3));
    assert_eq!(check(&certain).decision, crate::laws::Decision::Correct);
    let mut lost = Hypotheses::known(History::default());
    play(&mut lost, &knights.repeat(2));
    assert_eq!(check(&lost).decision, crate::laws::Decision::Correct);
    lost.lost_sight();
    assert_eq!(check(&lost).decision, unproved);
}

#[test]
fn a_move_that_stands_is_counted_under_every_hypothesis() {
    let mut game = set_up("r3k3/8/8/8/8/8/8/4K2R w - - 4 30", Past::Counted);
    let after = "r3k3/8/8/8/8/8/8/3K3R b q - 5 30";
    let position: Chess =
        after.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    let m = Move::Normal {
        role: Role::King,
        from: Square::E1,
        capture: None,
        to: Square::D1,
        promotion: None,
    };
    game.stand(m, &position).unwrap();
    let rights: Vec<usize> =
        game.positions().map(|p| p.castles().castling_rights().count()).collect();
    assert_eq!(rights, [1, 0]);
    assert_eq!(game.history().last().step, Step::Irregular);
    assert_eq!(game.history().last().quiet, Count::Exact(5));
}
