//! What each edition of the Laws says, as one table.
//!
//! A new edition is a new row here, a new name in `edition.rs` and new cases. Entries marked
//! "unconfirmed" were not seen in a text of that edition.

use serde::{Deserialize, Serialize};

use crate::units::Millis;

/// The number of an article, in the numbering of an edition.
pub type Article = &'static str;

/// When five occurrences of a position end the game without a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FivefoldReading {
    /// By "consecutive alternate moves" (2014): the position stands at plies n, n-4, n-8, n-12 and
    /// n-16.
    EverySecondMove,
    /// At least five times, anywhere in the game (2017 on).
    Anywhere,
}

/// The five-fold rule of an edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FivefoldRule {
    /// Where it stands.
    pub article: Article,
    /// How the occurrences must lie.
    pub reading: FivefoldReading,
}

/// What a player may no longer do before he claims (9.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightLostBy {
    /// Making a move.
    Moving,
    /// Touching a piece with intent (4.3), or making a move.
    Touching,
}

/// What a wrong claim costs the claimant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimantPays {
    /// Nothing.
    Nothing,
    /// Half of his time, at most three minutes (1997).
    Half,
    /// Half of his time, at most three minutes, if he has more than two minutes; down to one minute
    /// if he has between one and two; nothing below that (2005). At exactly two minutes and one
    /// minute the text is silent and both neighbours agree.
    HalfAboveTwoMinutes,
}

/// What a wrong claim costs (9.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongClaim {
    /// What the claimant loses.
    pub claimant: ClaimantPays,
    /// What the opponent gains.
    pub opponent: Millis,
    /// Where it stands; two articles are joined by `+`.
    pub article: Article,
}

/// What an illegal move costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// Nothing but the position being restored.
    Restore,
    /// The position is restored and the opponent gains time.
    Time(Millis),
    /// The player loses the game.
    Loss,
}

/// Who may act on an irregularity in rapid and blitz that nobody watches closely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FastActor {
    /// Only the opponent, by a claim before his own next move. The arbiter keeps silent.
    OpponentOnly,
    /// The arbiter if he sees it, or the opponent by a claim; only until the opponent has made his
    /// next move.
    ArbiterOrOpponent,
}

/// Who calls a fallen flag in rapid and blitz that nobody watches closely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagCaller {
    /// Only the player; the arbiter keeps silent (he may speak if both flags are down).
    PlayerOnly,
    /// The arbiter may, or the player.
    ArbiterMay,
    /// The arbiter must if he sees it, or the player.
    ArbiterMust,
}

/// A way to break the rules with one move and a press of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offence {
    /// A move against Article 3, a king left or put in check included.
    #[serde(rename = "against_article_3")]
    AgainstArticle3,
    /// The opponent's king was taken.
    KingCaptured,
    /// A pawn was left on the last rank.
    PawnOnLastRank,
    /// The clock was pressed without a move.
    NoMove,
    /// One move was made with two hands.
    TwoHands,
}

/// How an edition treats an [`Offence`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offending {
    /// It is an illegal move and counted with the others.
    Illegal(Article),
    /// It is an offence of its own with the same penalties, counted by itself.
    Own(Article),
    /// The edition does not know it.
    Unknown,
}

/// Penalties for the first, second, … illegal move; the last repeats.
pub type Penalties = &'static [Penalty];

/// What an edition says of illegal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalRules {
    /// Where the penalties stand.
    pub article: Article,
    /// A move against Article 3.
    pub against_article_3: Offending,
    /// The king taken.
    pub king_captured: Offending,
    /// A pawn left on the last rank.
    pub pawn_on_last_rank: Offending,
    /// Whether such a pawn is replaced by a queen, rather than the move being taken back.
    pub pawn_becomes_queen: bool,
    /// A press without a move.
    pub no_move: Offending,
    /// Two hands.
    pub two_hands: Offending,
    /// Standard chess.
    pub standard: Penalties,
    /// Rapid and blitz under full supervision.
    pub watched: [Penalties; 2],
    /// Rapid and blitz without.
    pub unwatched: [Penalties; 2],
    /// Who may act in rapid and blitz without full supervision.
    pub fast_actor: FastActor,
    /// Where that stands.
    pub fast_article: Article,
    /// Whether the loss is a draw when the opponent cannot mate by any series of legal moves.
    pub draw_if_no_mate: bool,
    /// Where it says to wait when both kings are in check, if it does.
    pub both_kings: Option<Article>,
}

/// Everything that differs from edition to edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Name of the edition: `fide-2023`.
    pub name: &'static str,
    /// First day in force: year, month, day.
    pub in_force: (u16, u8, u8),
    /// Mate wins.
    pub checkmate: Article,
    /// Resignation.
    pub resignation: Article,
    /// Whether resigning draws when the opponent cannot mate by any series of legal moves.
    pub resigning_can_draw: bool,
    /// Stalemate draws.
    pub stalemate: Article,
    /// A dead position draws; where two articles say so, the one in Article 9.
    pub dead_position: Article,
    /// Draw by agreement.
    pub agreement: Article,
    /// Whether an agreed draw needs a move by each player.
    pub agreement_needs_moves: bool,
    /// How a draw is offered.
    pub offer: Article,
    /// That a claim is also an offer.
    pub claim_is_offer: Option<Article>,
    /// Which positions are the same.
    pub same_position: Article,
    /// Threefold repetition by an announced move.
    pub threefold_by_move: Article,
    /// Threefold repetition that has just appeared.
    pub threefold_now: Article,
    /// Threefold repetition as a whole.
    pub threefold: Article,
    /// Fifty moves by an announced move.
    pub fifty_by_move: Article,
    /// Fifty moves completed.
    pub fifty_now: Article,
    /// Fifty moves as a whole.
    pub fifty: Article,
    /// How the right to claim is lost: the article.
    pub right_lost: Article,
    /// How the right to claim is lost: the act.
    pub right_lost_by: RightLostBy,
    /// A right claim draws.
    pub claim_right: Article,
    /// A wrong claim in standard chess, rapid, blitz.
    pub claim_wrong: [WrongClaim; 3],
    /// Whether the penalties of blitz under full supervision can be read as those of standard chess.
    pub supervised_blitz_open: bool,
    /// Five-fold repetition.
    pub fivefold: Option<FivefoldRule>,
    /// Seventy-five moves.
    pub seventyfive: Option<Article>,
    /// When a flag counts as fallen.
    pub flag_fallen: Article,
    /// Loss on time, or draw if the opponent cannot mate.
    pub flag_result: Article,
    /// Who calls a flag in rapid and blitz without full supervision.
    pub fast_flag: FlagCaller,
    /// When a move is made.
    pub made: Article,
    /// When a move is completed.
    pub completed: Article,
    /// Illegal moves.
    pub illegal: IllegalRules,
    /// That the arbiter may not intervene.
    pub silence: Article,
}

impl Rules {
    /// Every rule this software knows, with its article in this edition; `-` where the edition does
    /// not have the rule. `docs/laws.md` shows them for all editions.
    pub fn articles(&self) -> [(&'static str, Article); 28] {
        let offence = |offending| match offending {
            Offending::Illegal(article) | Offending::Own(article) => article,
            Offending::Unknown => "-",
        };
        [
            ("checkmate", self.checkmate),
            ("resignation", self.resignation),
            ("stalemate", self.stalemate),
            ("dead position", self.dead_position),
            ("agreement", self.agreement),
            ("draw offer", self.offer),
            ("a claim is also an offer", self.claim_is_offer.unwrap_or("-")),
            ("same position", self.same_position),
            ("threefold, by an announced move", self.threefold_by_move),
            ("threefold, just appeared", self.threefold_now),
            ("fifty moves, by an announced move", self.fifty_by_move),
            ("fifty moves, completed", self.fifty_now),
            ("right to claim lost", self.right_lost),
            ("right claim", self.claim_right),
            ("wrong claim", self.claim_wrong[0].article),
            ("wrong claim, rapid", self.claim_wrong[1].article),
            ("wrong claim, blitz", self.claim_wrong[2].article),
            ("five-fold repetition", self.fivefold.map_or("-", |rule| rule.article)),
            ("seventy-five moves", self.seventyfive.unwrap_or("-")),
            ("flag fallen", self.flag_fallen),
            ("flag: loss, or draw if no mate", self.flag_result),
            ("move against Article 3", offence(self.illegal.against_article_3)),
            ("pawn left on the last rank", offence(self.illegal.pawn_on_last_rank)),
            ("press without a move", offence(self.illegal.no_move)),
            ("two hands", offence(self.illegal.two_hands)),
            ("penalty for illegal moves", self.illegal.article),
            ("both kings in check", self.illegal.both_kings.unwrap_or("-")),
            ("the arbiter keeps silent", self.silence),
        ]
    }
}

const MINUTE: Penalty = Penalty::Time(Millis::from_seconds(60));
const TWO_MINUTES: Penalty = Penalty::Time(Millis::from_seconds(120));
const LOSS: Penalties = &[Penalty::Loss];
const RESTORE: Penalties = &[Penalty::Restore];
const TWO_TWO_LOSS: Penalties = &[TWO_MINUTES, TWO_MINUTES, Penalty::Loss];
const TWO_LOSS: Penalties = &[TWO_MINUTES, Penalty::Loss];
const ONE_LOSS: Penalties = &[MINUTE, Penalty::Loss];

const fn wrong(claimant: ClaimantPays, seconds: u64, article: Article) -> WrongClaim {
    WrongClaim { claimant, opponent: Millis::from_seconds(seconds), article }
}

const FIDE_1997: Rules = Rules {
    name: "fide-1997",
    in_force: (1997, 7, 1),
    checkmate: "5.1.a",
    resignation: "5.1.b",
    resigning_can_draw: false,
    stalemate: "5.2",
    dead_position: "9.6",
    agreement: "5.3",
    agreement_needs_moves: false,
    offer: "9.1",
    claim_is_offer: None,
    same_position: "9.2",
    threefold_by_move: "9.2.a",
    threefold_now: "9.2.b",
    threefold: "9.2",
    // The items of 9.3 are printed in either order, so only the article is named.
    fifty_by_move: "9.3",
    fifty_now: "9.3",
    fifty: "9.3",
    right_lost: "9.4",
    right_lost_by: RightLostBy::Moving,
    claim_right: "9.5.a",
    claim_wrong: [wrong(ClaimantPays::Half, 180, "9.5.b"); 3],
    supervised_blitz_open: false,
    fivefold: None,
    seventyfive: None,
    flag_fallen: "6.8",
    flag_result: "6.9",
    fast_flag: FlagCaller::PlayerOnly,
    made: "4.5", // unconfirmed
    completed: "6.7.a",
    illegal: IllegalRules {
        article: "7.4",
        against_article_3: Offending::Illegal("7.4"),
        king_captured: Offending::Illegal("7.4"),
        pawn_on_last_rank: Offending::Illegal("7.4"),
        pawn_becomes_queen: false,
        no_move: Offending::Unknown,
        two_hands: Offending::Unknown,
        standard: RESTORE,
        watched: [RESTORE; 2],
        unwatched: [RESTORE, LOSS],
        fast_actor: FastActor::OpponentOnly,
        fast_article: "7.4", // unconfirmed
        draw_if_no_mate: false,
        both_kings: None,
    },
    silence: "13.6",
};

const FIDE_2005: Rules = Rules {
    name: "fide-2005",
    in_force: (2005, 7, 1),
    stalemate: "5.2.a",
    agreement: "5.2.c",
    offer: "9.1.1",
    claim_is_offer: Some("9.1.3"),
    fifty_by_move: "9.3.a",
    fifty_now: "9.3.b",
    claim_wrong: [wrong(ClaimantPays::HalfAboveTwoMinutes, 180, "9.5.b"); 3],
    flag_fallen: "6.9",
    flag_result: "6.10",
    made: "4.6",        // unconfirmed
    completed: "6.8.a", // unconfirmed
    illegal: IllegalRules {
        standard: TWO_TWO_LOSS,
        watched: [TWO_TWO_LOSS; 2],
        unwatched: [TWO_TWO_LOSS, LOSS],
        ..FIDE_1997.illegal
    },
    ..FIDE_1997
};

const FIDE_2009: Rules = Rules {
    name: "fide-2009",
    in_force: (2009, 7, 1),
    offer: "9.1.b1",
    claim_is_offer: Some("9.1.b3"),
    right_lost_by: RightLostBy::Touching,
    claim_wrong: [wrong(ClaimantPays::Nothing, 180, "9.5.b"); 3],
    flag_fallen: "6.8",
    flag_result: "6.9",
    completed: "6.7.a",
    illegal: IllegalRules { draw_if_no_mate: true, fast_article: "A.4.c", ..FIDE_2005.illegal },
    ..FIDE_2005
};

const FIDE_2014: Rules = Rules {
    name: "fide-2014",
    in_force: (2014, 7, 1),
    dead_position: "9.7",
    claim_wrong: [
        wrong(ClaimantPays::Nothing, 120, "9.5.b"),
        wrong(ClaimantPays::Nothing, 120, "9.5.b"),
        wrong(ClaimantPays::Nothing, 60, "9.5.b+B.2"), // unconfirmed
    ],
    fivefold: Some(FivefoldRule { article: "9.6.a", reading: FivefoldReading::EverySecondMove }),
    seventyfive: Some("9.6.b"),
    fast_flag: FlagCaller::ArbiterMay, // unconfirmed
    made: "4.7",
    completed: "6.2.a",
    illegal: IllegalRules {
        article: "7.5",
        against_article_3: Offending::Illegal("7.5"),
        king_captured: Offending::Illegal("7.5"),
        pawn_on_last_rank: Offending::Illegal("7.5"),
        pawn_becomes_queen: true,
        standard: TWO_LOSS,
        watched: [TWO_LOSS, ONE_LOSS], // blitz unconfirmed
        unwatched: [LOSS; 2],
        fast_actor: FastActor::ArbiterOrOpponent,
        fast_article: "A.4.b",
        ..FIDE_2009.illegal
    },
    silence: "12.6",
    ..FIDE_2009
};

const FIDE_2017: Rules = Rules {
    name: "fide-2017",
    in_force: (2017, 7, 1),
    checkmate: "5.1.1",
    resignation: "5.1.2",
    stalemate: "5.2.1",
    dead_position: "5.2.2",
    agreement: "5.2.3",
    agreement_needs_moves: true,
    offer: "9.1.2.1",
    claim_is_offer: Some("9.1.2.3"),
    same_position: "9.2.2",
    threefold_by_move: "9.2.1.1",
    threefold_now: "9.2.1.2",
    fifty_by_move: "9.3.1",
    fifty_now: "9.3.2",
    claim_right: "9.5.2",
    claim_wrong: [
        wrong(ClaimantPays::Nothing, 120, "9.5.3"),
        wrong(ClaimantPays::Nothing, 120, "9.5.3"),
        wrong(ClaimantPays::Nothing, 60, "9.5.3+B.2"),
    ],
    fivefold: Some(FivefoldRule { article: "9.6.1", reading: FivefoldReading::Anywhere }),
    seventyfive: Some("9.6.2"),
    completed: "6.2.1",
    illegal: IllegalRules {
        no_move: Offending::Own("7.8"),   // unconfirmed
        two_hands: Offending::Own("7.7"), // unconfirmed
        fast_article: "A.4.2",
        ..FIDE_2014.illegal
    },
    ..FIDE_2014
};

const FIDE_2018: Rules = Rules {
    name: "fide-2018",
    in_force: (2018, 1, 1),
    fast_flag: FlagCaller::ArbiterMust,
    illegal: IllegalRules {
        article: "7.5.5",
        against_article_3: Offending::Illegal("7.5.1"),
        king_captured: Offending::Illegal("7.5.1"),
        pawn_on_last_rank: Offending::Illegal("7.5.2"),
        no_move: Offending::Illegal("7.5.3"),
        two_hands: Offending::Illegal("7.5.4"),
        unwatched: [TWO_LOSS, ONE_LOSS],
        ..FIDE_2017.illegal
    },
    ..FIDE_2017
};

const FIDE_2023: Rules = Rules {
    name: "fide-2023",
    in_force: (2023, 1, 1),
    resigning_can_draw: true,
    same_position: "9.2.3",
    threefold_by_move: "9.2.1",
    threefold_now: "9.2.2",
    claim_wrong: [
        wrong(ClaimantPays::Nothing, 120, "9.5.3"),
        wrong(ClaimantPays::Nothing, 60, "9.5.3+A.3"),
        wrong(ClaimantPays::Nothing, 60, "9.5.3+A.3"),
    ],
    supervised_blitz_open: true,
    illegal: IllegalRules {
        watched: [ONE_LOSS; 2],
        unwatched: [ONE_LOSS; 2],
        fast_article: "A.5.2",
        both_kings: Some("A.5.4"),
        ..FIDE_2018.illegal
    },
    ..FIDE_2018
};

/// The rules of every edition, in the order of [`super::Edition::ALL`].
pub const TABLE: [Rules; 7] =
    [FIDE_1997, FIDE_2005, FIDE_2009, FIDE_2014, FIDE_2017, FIDE_2018, FIDE_2023];
