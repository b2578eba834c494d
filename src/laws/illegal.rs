//! Illegal moves and what they cost (7.5; 7.4 before 2014).
//!
//! A move is illegal only once it is completed, that is, the clock was pressed. Until then the
//! player may put it right, and after an end of the game there is nothing to punish.

use shakmaty::{Board, Chess, Color, KnownOutcome, Piece, Position, Rank, Role, Square};

use super::{
    edition::Conditions,
    flag::CanMate,
    rules::{Article, FastActor, IllegalRules, Offence, Offending, Penalty},
};
use crate::units::Millis;

/// What follows from an offence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The position before the irregularity is restored (a pawn on the last rank becomes a queen
    /// where the edition says so).
    Restore,
    /// The same, and the opponent gains time.
    RestoreAndAdd(Millis),
    /// The game is decided.
    Result(KnownOutcome),
    /// The player loses unless the opponent cannot mate, and nobody knows whether he can.
    LossUnlessNoMate,
}

/// Until when the offence may be acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// As long as the game lasts.
    EndOfGame,
    /// Until the opponent has made his next move; after that the position stands.
    OpponentsNextMove,
}

/// Who may act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The arbiter, at once and without a claim.
    Arbiter,
    /// The arbiter if he sees it, or the opponent by a claim.
    ArbiterOrOpponent,
    /// Only the opponent, by a claim. The arbiter keeps silent.
    OpponentOnly,
}

/// The ruling on an offence (class B; class C where only the opponent may act).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalRuling {
    /// The article that makes it an offence.
    pub offence: Article,
    /// The articles of what follows, joined by `+`.
    pub article: String,
    /// What follows.
    pub effect: Effect,
    /// Who may act.
    pub actor: Actor,
    /// Until when.
    pub until: Until,
}

impl IllegalRules {
    /// How the edition treats an offence.
    pub const fn offending(&self, offence: Offence) -> Offending {
        match offence {
            Offence::AgainstArticle3 => self.against_article_3,
            Offence::KingCaptured => self.king_captured,
            Offence::PawnOnLastRank => self.pawn_on_last_rank,
            Offence::NoMove => self.no_move,
            Offence::TwoHands => self.two_hands,
        }
    }
}

/// Judges the `nth` completed illegal move (1 is the first) of a player in this game. `opponent`
/// says whether his opponent can mate from the position before it.
///
/// Several offences in one move count as one. An offence that the edition counts by itself
/// ([`Offending::Own`]) has a count of its own. `None` if the edition does not know the offence, or
/// `nth` is 0.
pub fn judge(
    conditions: &Conditions,
    offence: Offence,
    nth: u32,
    offender: Color,
    opponent: CanMate,
) -> Option<IllegalRuling> {
    let rules = &conditions.edition.rules().illegal;
    let offence_article = match rules.offending(offence) {
        Offending::Illegal(article) | Offending::Own(article) => article,
        Offending::Unknown => return None,
    };
    let fast = conditions.is_fast_unwatched();
    let penalties = match conditions.control.is_fast() {
        false => rules.standard,
        true if conditions.has_standard_penalties() => rules.standard,
        true if fast => rules.unwatched[conditions.control as usize - 1],
        true => rules.watched[conditions.control as usize - 1],
    };
    let index = usize::try_from(nth).ok()?.checked_sub(1)?.min(penalties.len().checked_sub(1)?);
    let effect = match penalties[index] {
        Penalty::Restore => Effect::Restore,
        Penalty::Time(time) => Effect::RestoreAndAdd(time),
        Penalty::Loss => match opponent {
            CanMate::Unknown if rules.draw_if_no_mate => Effect::LossUnlessNoMate,
            CanMate::No if rules.draw_if_no_mate => Effect::Result(KnownOutcome::Draw),
            _ => Effect::Result(KnownOutcome::Decisive { winner: !offender }),
        },
    };
    let (actor, until) = match (fast, rules.fast_actor) {
        (false, _) => (Actor::Arbiter, Until::EndOfGame),
        (true, FastActor::ArbiterOrOpponent) => {
            (Actor::ArbiterOrOpponent, Until::OpponentsNextMove)
        }
        (true, FastActor::OpponentOnly) => (Actor::OpponentOnly, Until::OpponentsNextMove),
    };
    let article = if fast {
        format!("{}+{}", rules.article, rules.fast_article)
    } else {
        rules.article.to_owned()
    };
    Some(IllegalRuling { offence: offence_article, article, effect, actor, until })
}

/// What is wrong with the men on the board when the clock was pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Irregularity {
    /// Nothing was moved.
    NoMove,
    /// The opponent's king is gone.
    KingCaptured {
        /// Where it stood.
        square: Square,
    },
    /// A pawn of the mover stands on his last rank.
    PawnOnLastRank {
        /// Where.
        square: Square,
    },
    /// One man moved, the turn was the mover's, and his king can be taken.
    KingInCheck {
        /// Where the king stands.
        square: Square,
    },
    /// One man of the mover's moved as it may not move.
    AgainstArticle3 {
        /// From where.
        from: Square,
        /// To where.
        to: Square,
    },
    /// Something else: men are missing or displaced. What differs from the position before.
    Displaced {
        /// The squares that differ, a1 first.
        squares: Vec<Square>,
    },
}

impl Irregularity {
    /// The offence it is, if it is one. Displaced men are put back (7.4), nobody is punished.
    pub const fn offence(&self) -> Option<Offence> {
        match self {
            Irregularity::NoMove => Some(Offence::NoMove),
            Irregularity::KingCaptured { .. } => Some(Offence::KingCaptured),
            Irregularity::PawnOnLastRank { .. } => Some(Offence::PawnOnLastRank),
            Irregularity::KingInCheck { .. } | Irregularity::AgainstArticle3 { .. } => {
                Some(Offence::AgainstArticle3)
            }
            Irregularity::Displaced { .. } => None,
        }
    }
}

/// Says what is wrong with the men on `board` when the player to move in `before` has pressed his
/// clock; `None` if a legal move leads there.
///
/// Two hands, and a piece touched and not moved, no board can see.
pub fn examine(before: &Chess, board: &Board) -> Option<Irregularity> {
    let mover = before.turn();
    let old = before.board();
    let legal = before.legal_moves().into_iter().any(|m| {
        let mut after = before.clone();
        after.play_unchecked(m);
        after.board() == board
    });
    if legal {
        return None;
    }
    if old == board {
        return Some(Irregularity::NoMove);
    }
    let squares: Vec<Square> =
        Square::ALL.into_iter().filter(|s| old.piece_at(*s) != board.piece_at(*s)).collect();
    let king_gone = old.king_of(!mover).filter(|_| board.king_of(!mover).is_none());
    if let Some(square) = king_gone.filter(|s| board.color_at(*s) == Some(mover)) {
        return Some(Irregularity::KingCaptured { square });
    }
    let last_rank = mover.fold_wb(Rank::Eighth, Rank::First);
    let pawns = board.by_piece(Piece { color: mover, role: Role::Pawn });
    if let Some(square) = pawns.into_iter().find(|s| s.rank() == last_rank) {
        return Some(Irregularity::PawnOnLastRank { square });
    }
    Some(moved_man(old, board, mover, squares))
}

/// Names a position that no legal move leads to and that is neither the old one nor one of a king
/// taken or a pawn left standing.
fn moved_man(old: &Board, board: &Board, mover: Color, squares: Vec<Square>) -> Irregularity {
    let Some((from, to)) = one_move(old, board, mover, &squares) else {
        return Irregularity::Displaced { squares };
    };
    match board.king_of(mover) {
        Some(square) if board.attacks_to(square, !mover, board.occupied()).any() => {
            Irregularity::KingInCheck { square }
        }
        _ => Irregularity::AgainstArticle3 { from, to },
    }
}

/// The squares a single act of `mover` went from and to, if the change looks like one: a man moved
/// or took, a pawn took in passing, or king and rook castled (then the king's squares).
fn one_move(
    old: &Board,
    board: &Board,
    mover: Color,
    squares: &[Square],
) -> Option<(Square, Square)> {
    let of = |board: &Board, color| -> Vec<Square> {
        squares.iter().copied().filter(|s| board.color_at(*s) == Some(color)).collect()
    };
    let (left, entered, taken) = (of(old, mover), of(board, mover), of(old, !mover));
    if !of(board, !mover).is_empty() {
        return None;
    }
    match (&left[..], &entered[..]) {
        (&[from], &[to]) if same_man(old, board, from, to) => {
            let beside = taken.iter().filter(|s| **s != to).count();
            let in_passing = old.role_at(from) == Some(Role::Pawn) && taken.len() == 1;
            (beside == 0 || in_passing).then_some((from, to))
        }
        (&[_, _], &[_, _]) if taken.is_empty() => {
            let king = |board: &Board, list: &[Square]| {
                list.iter().copied().find(|s| board.role_at(*s) == Some(Role::King))
            };
            let rook = |board: &Board, list: &[Square]| {
                list.iter().any(|s| board.role_at(*s) == Some(Role::Rook))
            };
            let home = squares.iter().all(|s| s.rank() == mover.backrank());
            let castled = home && rook(old, &left) && rook(board, &entered);
            king(old, &left).zip(king(board, &entered)).filter(|_| castled)
        }
        _ => None,
    }
}

/// Whether the man that left `from` is the one on `to`, promoted pawns included.
fn same_man(old: &Board, board: &Board, from: Square, to: Square) -> bool {
    match (old.piece_at(from), board.piece_at(to)) {
        (Some(was), Some(is)) => {
            was.color == is.color && (was.role == is.role || was.role == Role::Pawn)
        }
        _ => false,
    }
}

/// Whether both kings stand in check, which no series of legal moves can bring about.
pub fn both_kings_in_check(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        board
            .king_of(color)
            .is_some_and(|king| board.attacks_to(king, !color, board.occupied()).any())
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::laws::{Control, Edition, Supervision};

    use Control::{Blitz, Rapid, Standard};
    use Supervision::{Full, Shared};

    const MINUTES: [Effect; 3] = [
        Effect::Restore,
        Effect::RestoreAndAdd(Millis::from_seconds(60)),
        Effect::RestoreAndAdd(Millis::from_seconds(120)),
    ];

    fn effects(edition: Edition, control: Control, supervision: Supervision) -> Vec<Effect> {
        let conditions = Conditions { supervision, ..Conditions::new(edition, control) };
        (1..=4)
            .map(|nth| {
                let ruling =
                    judge(&conditions, Offence::AgainstArticle3, nth, Color::White, CanMate::Yes);
                ruling.unwrap().effect
            })
            .collect()
    }

    #[test]
    fn penalties_of_every_edition_and_time_control() {
        let [restore, one, two] = MINUTES;
        let loss = Effect::Result(KnownOutcome::Decisive { winner: Color::Black });
        let never = vec![restore; 4];
        let third = vec![two, two, loss, loss];
        let at_once = vec![loss; 4];
        let second_two = vec![two, loss, loss, loss];
        let second_one = vec![one, loss, loss, loss];
        for edition in Edition::ALL {
            let (standard, rapid, blitz, rapid_full, blitz_full) = match edition {
                Edition::Fide1997 => (&never, &never, &at_once, &never, &never),
                Edition::Fide2005 | Edition::Fide2009 => (&third, &third, &at_once, &third, &third),
                Edition::Fide2014 | Edition::Fide2017 => {
                    (&second_two, &at_once, &at_once, &second_two, &second_one)
                }
                Edition::Fide2018 => {
                    (&second_two, &second_two, &second_one, &second_two, &second_one)
                }
                Edition::Fide2023 => {
                    (&second_two, &second_one, &second_one, &second_one, &second_one)
                }
            };
            assert_eq!(&effects(edition, Standard, Shared), standard, "{edition}");
            assert_eq!(&effects(edition, Standard, Full), standard, "{edition}");
            assert_eq!(&effects(edition, Rapid, Shared), rapid, "{edition}");
            assert_eq!(&effects(edition, Blitz, Shared), blitz, "{edition}");
            assert_eq!(&effects(edition, Rapid, Full), rapid_full, "{edition}");
            assert_eq!(&effects(edition, Blitz, Full), blitz_full, "{edition}");
        }
    }

    #[test]
    fn the_loss_is_a_draw_from_2009_on_if_the_opponent_cannot_mate() {
        for edition in Edition::ALL {
            let conditions = Conditions::new(edition, Standard);
            let third = |can| {
                judge(&conditions, Offence::AgainstArticle3, 3, Color::White, can).unwrap().effect
            };
            let loss = Effect::Result(KnownOutcome::Decisive { winner: Color::Black });
            let (no, unknown) = match edition {
                Edition::Fide1997 => (Effect::Restore, Effect::Restore),
                Edition::Fide2005 => (loss, loss),
                _ => (Effect::Result(KnownOutcome::Draw), Effect::LossUnlessNoMate),
            };
            assert_eq!((third(CanMate::No), third(CanMate::Unknown)), (no, unknown), "{edition}");
        }
    }

    #[test]
    fn offences_by_edition() {
        let ask = |edition, offence| {
            let conditions = Conditions::new(edition, Standard);
            judge(&conditions, offence, 1, Color::White, CanMate::Yes)
                .map(|ruling| (ruling.offence, ruling.article))
        };
        let article = |a, b: &str| Some((a, b.to_owned()));
        for (edition, offence, want) in [
            (Edition::Fide1997, Offence::NoMove, None),
            (Edition::Fide2009, Offence::KingCaptured, article("7.4", "7.4")),
            (Edition::Fide2014, Offence::TwoHands, None),
            (Edition::Fide2017, Offence::TwoHands, article("7.7", "7.5")),
            (Edition::Fide2018, Offence::TwoHands, article("7.5.4", "7.5.5")),
            (Edition::Fide2023, Offence::NoMove, article("7.5.3", "7.5.5")),
            (Edition::Fide2023, Offence::PawnOnLastRank, article("7.5.2", "7.5.5")),
            (Edition::Fide2023, Offence::AgainstArticle3, article("7.5.1", "7.5.5")),
        ] {
            assert_eq!(ask(edition, offence), want, "{edition} {offence:?}");
        }
        let none = judge(&Conditions::default(), Offence::NoMove, 0, Color::White, CanMate::Yes);
        assert_eq!(none, None);
    }

    #[test]
    fn who_may_act_and_how_long() {
        let ask = |edition, control, supervision| {
            let conditions = Conditions { supervision, ..Conditions::new(edition, control) };
            let offence = Offence::AgainstArticle3;
            let ruling = judge(&conditions, offence, 1, Color::White, CanMate::Yes).unwrap();
            (ruling.actor, ruling.until)
        };
        for edition in Edition::ALL {
            let fast = if edition < Edition::Fide2014 {
                Actor::OpponentOnly
            } else {
                Actor::ArbiterOrOpponent
            };
            for control in [Rapid, Blitz] {
                assert_eq!(ask(edition, control, Shared), (fast, Until::OpponentsNextMove));
                assert_eq!(ask(edition, control, Full), (Actor::Arbiter, Until::EndOfGame));
            }
            assert_eq!(ask(edition, Standard, Shared), (Actor::Arbiter, Until::EndOfGame));
        }
    }

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn what_is_wrong_on_the_board() {
        use Square::{B4, B6, E1, E2, E4, E5, E8, G1, H7, H8};
        let king = |square| Some(Irregularity::KingInCheck { square });
        let against = |from, to| Some(Irregularity::AgainstArticle3 { from, to });
        for (before, after, want) in [
            // Nothing wrong; nothing moved.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/5RK1", None),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R", Some(Irregularity::NoMove)),
            // Castling without the right, out of check, and a plain impossible move.
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/5RK1", against(E1, G1)),
            ("4k3/8/8/8/8/6r1/8/4K2R w K - 0 1", "4k3/8/8/8/8/6r1/8/5RK1", king(G1)),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/7R/8/8/8/8/4K3/8", {
                let squares = vec![E1, Square::H1, E2, H7];
                Some(Irregularity::Displaced { squares })
            }),
            ("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", "4k3/8/8/4N3/8/8/8/4K3", against(E4, E5)),
            // The king is left in check, moves into check, is exposed by a capture in passing.
            ("4k3/8/8/8/8/8/4r3/4K2R w - - 0 1", "4k3/7R/8/8/8/8/4r3/4K3", king(E1)),
            ("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "4k3/8/8/8/8/8/r3K3/8", king(E2)),
            ("4k3/8/8/KPp4r/8/8/8/8 w - c6 0 1", "4k3/8/2P5/K6r/8/8/8/8", king(Square::A5)),
            // A capture in passing when it was not allowed.
            ("4k3/8/8/1Pp5/8/8/8/K7 w - - 0 1", "4k3/8/2P5/8/8/8/8/K7", {
                against(Square::B5, Square::C6)
            }),
            // A pawn left on the last rank, with and without a capture.
            ("4k3/7P/8/8/8/8/8/4K3 w - - 0 1", "4k2P/8/8/8/8/8/8/4K3", {
                Some(Irregularity::PawnOnLastRank { square: H8 })
            }),
            ("4k3/8/8/8/8/8/7p/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/4K2p", {
                Some(Irregularity::PawnOnLastRank { square: Square::H1 })
            }),
            // A king taken.
            ("4k3/8/8/8/8/8/8/K3Q3 b - - 0 1", "4k3/8/8/8/8/8/8/K3Q3", {
                Some(Irregularity::NoMove)
            }),
            ("8/8/8/8/4Q3/8/8/K2k4 b - - 0 1", "8/8/8/8/4Q3/8/8/k7", {
                Some(Irregularity::KingCaptured { square: Square::A1 })
            }),
            // Men missing or moved by the other side.
            ("4k3/8/1n6/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3", {
                Some(Irregularity::Displaced { squares: vec![B6] })
            }),
            ("4k3/8/1n6/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/1n6/8/4K3/8", {
                Some(Irregularity::Displaced { squares: vec![E1, E2, B4, B6] })
            }),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "8/8/8/8/8/8/8/4K3", {
                Some(Irregularity::Displaced { squares: vec![E8] })
            }),
        ] {
            let position: Chess =
                before.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            assert_eq!(examine(&position, &board(after)), want, "{before} -> {after}");
        }
    }

    #[test]
    fn two_kings_in_check() {
        assert!(both_kings_in_check(&board("4k3/4Q3/8/8/8/8/8/4K2r")));
        assert!(!both_kings_in_check(&board("4k3/8/8/4q3/8/8/8/4K3")));
        assert!(!both_kings_in_check(&board("4k3/8/8/8/8/8/8/8")));
    }
}
