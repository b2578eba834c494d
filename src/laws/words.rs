//! What an arbiter reads about a live board: illegal moves, flags, dead positions, and what is wrong
//! with the men.

use std::sync::OnceLock;

use shakmaty::{ByColor, ByRole, Color, Piece, Square};

use super::{
    claims::Ruling,
    flag::{FlagRuling, MayCall},
    illegal::{Actor, Effect, IllegalRuling, Irregularity, Until},
    rules::{ClaimantPays, WrongClaim},
    text::{Args, Language, articles, must, result, side},
};
use crate::{
    dead::{Certificate, Judgement, Proof, Shortage},
    tracker::{Differs, Text, board_log::Unsettled},
    units::Ply,
    wire::Contact,
};

impl Language {
    /// The game before is on again, at `ply`: what is as it was, and what is not. `void` half-moves
    /// were played in the game that made way.
    pub fn given_back(
        &self,
        ply: Ply,
        void: Ply,
        unmoved: bool,
        agrees: bool,
        closed: bool,
    ) -> String {
        let plain = |message| self.say(message, Vec::new());
        let word = if closed { "yes" } else { "no" }.to_owned();
        let mut all =
            vec![self.say("given-back", vec![("closed", word), ("ply", ply.to_string())])];
        if void.0 > 0 {
            all.push(self.say("given-back-void", vec![("void", void.to_string())]));
        }
        if !closed {
            all.push(plain(if unmoved { "given-back-unmoved" } else { "given-back-unseen" }));
        }
        if !agrees {
            all.push(plain("given-back-disagrees"));
        }
        all.join(" ")
    }

    /// What is wrong with a completed move, and what it costs (class B).
    pub fn illegal_why(&self, what: &Irregularity, nth: u32, ruling: &IllegalRuling) -> String {
        format!("{} {}", self.irregularity(what), self.illegal_costs(nth, ruling))
    }

    /// What the `nth` illegal move of a player costs if it is accepted (class B).
    pub fn illegal_costs(&self, nth: u32, ruling: &IllegalRuling) -> String {
        let until = match ruling.until {
            Until::EndOfGame => "end",
            Until::OpponentsNextMove => "next-move",
        };
        let actor = match ruling.actor {
            Actor::Arbiter | Actor::ArbiterOrOpponent => "arbiter",
            Actor::OpponentOnly => "opponent",
        };
        let args = vec![
            ("nth", nth.to_string()),
            ("effect", self.effect(&ruling.effect)),
            ("article", ruling.article.replace('+', ", ")),
            ("until", until.to_owned()),
            ("actor", actor.to_owned()),
        ];
        self.say("illegal-costs", args)
    }

    /// An illegal move was accepted, with this ruling, or dismissed (class B).
    pub fn illegal_decided(&self, accepted: Option<&IllegalRuling>, offender: Color) -> String {
        let mut args = vec![("side", side(offender))];
        let Some(ruling) = accepted else { return self.say("illegal-dismissed", args) };
        args.push(("effect", self.effect(&ruling.effect)));
        args.push(("article", ruling.article.replace('+', ", ")));
        self.say("illegal-accepted", args)
    }

    fn effect(&self, effect: &Effect) -> String {
        let (effect, time) = match effect {
            Effect::Restore => ("restore".to_owned(), String::new()),
            Effect::RestoreAndAdd(time) => ("time".to_owned(), time.to_string()),
            Effect::Result(outcome) => (result(*outcome), String::new()),
            Effect::LossUnlessNoMate => ("unknown".to_owned(), String::new()),
        };
        self.say("illegal-effect", vec![("effect", effect), ("time", time)])
    }

    /// Both kings are in check (class B).
    pub fn both_kings(&self) -> String {
        self.say("irregular-both-kings", Vec::new())
    }

    /// The arbiter waits until the next move is completed (A.5.4, 2023; class B).
    pub fn waits_for_the_next_move(&self, article: &str) -> String {
        self.say("illegal-waits", vec![("article", article.to_owned())])
    }

    /// Who may act on a fallen flag.
    pub fn may_call(&self, may: MayCall) -> String {
        let who = match may {
            MayCall::ArbiterOrPlayer => "both",
            MayCall::ArbiterMustOrPlayer => "must",
            MayCall::PlayerOnly => "player",
        };
        self.say("flag-may-call", vec![("who", who.to_owned())])
    }

    /// A flag that fell after the game had ended.
    pub fn flag_after_the_end(&self, ruling: &FlagRuling, flagged: Color) -> String {
        let FlagRuling::Result { outcome, article } = ruling else {
            return self.flag(ruling, flagged);
        };
        let args = vec![
            ("side", side(flagged)),
            ("result", result(*outcome)),
            ("article", (*article).to_owned()),
        ];
        self.say("flag-after-end", args)
    }

    /// What a wrong claim costs, whatever the clocks show.
    pub fn wrong_claim_costs(&self, ruling: &Ruling, wrong: &WrongClaim) -> String {
        let pays = match wrong.claimant {
            ClaimantPays::Nothing => "nothing",
            ClaimantPays::Half => "half",
            ClaimantPays::HalfAboveTwoMinutes => "half-above-two-minutes",
        };
        let (must, moves) = must(&ruling.must_play);
        let args = vec![
            ("article", articles(ruling)),
            ("pays", pays.to_owned()),
            ("time", wrong.opponent.to_string()),
            ("must", must.to_owned()),
            ("moves", moves),
        ];
        self.say("claim-wrong-costs", args)
    }

    /// Why neither side can mate: the reason of each, said once if they are the same. None if that is
    /// not proved.
    pub fn why_dead(&self, judgement: &Judgement) -> Option<String> {
        let reason = |color| Some(self.proof(judgement.side(color).certificate()?));
        let (white, black) = (reason(Color::White)?, reason(Color::Black)?);
        if white == black {
            return Some(white);
        }
        Some(self.say("proof-both", vec![("white", white), ("black", black)]))
    }

    /// Why a side cannot mate, without a full stop.
    pub fn proof(&self, certificate: &Certificate) -> String {
        let mut args: Args = vec![("side", side(certificate.side))];
        let message = match &certificate.proof {
            Proof::Checkmated => "proof-checkmated",
            Proof::Stalemate => "proof-stalemate",
            Proof::Material(Shortage::BareKing) => "proof-bare-king",
            Proof::Material(Shortage::LoneKnight) => "proof-lone-knight",
            Proof::Material(Shortage::OneColouredBishops) => "proof-bishops",
            Proof::Region(region) => {
                let mut parts = Vec::new();
                if region.pawns_locked() {
                    parts.push(self.say("proof-pawns-locked", Vec::new()));
                }
                if region.kings_apart() {
                    parts.push(self.say("proof-kings-apart", Vec::new()));
                }
                let message = if region.no_check { "proof-no-check" } else { "proof-no-mate" };
                parts.push(self.say(message, args));
                return self.list(&parts);
            }
            Proof::Enumeration(all) => {
                let forced = all.forced.len();
                let count = if forced == 0 { all.states.to_string() } else { forced.to_string() };
                args.push(("count", count));
                match forced {
                    0 => "proof-enumerated",
                    1 => "proof-forced-one",
                    _ => "proof-forced",
                }
            }
        };
        self.say(message, args)
    }

    /// "a", "a, and b", "a, b, and c".
    fn list(&self, parts: &[String]) -> String {
        match parts {
            [rest @ .., last] if !rest.is_empty() => {
                let args = vec![("rest", rest.join(", ")), ("last", last.clone())];
                self.say("list-and", args)
            }
            _ => parts.concat(),
        }
    }

    /// No clock is connected although a game is on.
    pub fn clock_absent(&self) -> String {
        self.say("attention-clock-absent", Vec::new())
    }

    /// A pawn that was left on the last rank stands there, and the game goes on; with the article by
    /// which the arbiter draws it (class B).
    pub fn pawn_stands(&self, at: Square, draws: Option<&str>) -> String {
        let article = draws.unwrap_or("none").to_owned();
        self.say("attention-pawn-stands", vec![("square", at.to_string()), ("article", article)])
    }

    /// Something the arbiter should look at.
    pub fn attention(&self, text: &Text) -> String {
        let plain = |message| self.say(message, Vec::new());
        match text {
            Text::Plain(text) => text.clone(),
            Text::AfterTheEnd => plain("attention-after-the-end"),
            Text::Missing(men) => {
                let men: Vec<String> = men
                    .iter()
                    .map(|(square, man)| {
                        let args = vec![("man", self.man(*man)), ("square", square.to_string())];
                        self.say("man-of", args)
                    })
                    .collect();
                self.say("attention-missing", vec![("men", men.join(", "))])
            }
            Text::NotLegal { from, to } => {
                let args = vec![("from", from.to_string()), ("to", to.to_string())];
                self.say("attention-not-legal", args)
            }
            Text::Unreachable { differs, more } => {
                let mut parts: Vec<String> = differs.iter().map(|at| self.differs(at)).collect();
                if *more > 0 {
                    parts.push(self.say("differs-more", vec![("count", more.to_string())]));
                }
                self.say("attention-unreachable", vec![("differs", parts.join("; "))])
            }
            Text::ClockTurned => plain("attention-clock-turned"),
            Text::RookFirst(color) => {
                self.say("attention-rook-first", vec![("side", side(*color))])
            }
            Text::MateUnexplained(color) => {
                self.say("attention-mate-unexplained", vec![("side", side(*color))])
            }
            Text::PressWithoutMove(color) => {
                self.say("attention-press-without-move", vec![("side", side(*color))])
            }
            Text::ReadsEmpty(square) => {
                self.say("attention-reads-empty", vec![("square", square.to_string())])
            }
            Text::NoPosition => plain("attention-no-position"),
            Text::SetUpWaits => plain("attention-set-up-waits"),
            Text::AgreesAgain => plain("attention-agrees-again"),
            Text::CompletedMoveTakenBack { to, turn } => {
                let args = vec![("ply", to.to_string()), ("side", side(*turn))];
                self.say("attention-completed-move-taken-back", args)
            }
            Text::PlayedUnseen { moves, sure } => {
                let sure = if *sure { "yes" } else { "no" };
                let args = vec![("moves", moves.clone()), ("sure", sure.to_owned())];
                self.say("attention-played-unseen", args)
            }
            Text::EndUnseen { after } => {
                self.say("attention-end-unseen", vec![("ply", after.to_string())])
            }
            Text::LogUnsettled(why) => {
                let why = match why {
                    Unsettled::PowerLost => "power",
                    Unsettled::Damaged => "damaged",
                    Unsettled::NotFound => "not_found",
                    Unsettled::Ambiguous => "ambiguous",
                    Unsettled::DoesNotFit => "does_not_fit",
                    Unsettled::TakenBack => "taken_back",
                    Unsettled::Contradicts => "contradicts",
                    Unsettled::NotSent => "not_sent",
                };
                self.say("attention-log-unsettled", vec![("why", why.to_owned())])
            }
        }
    }

    fn differs(&self, at: &Differs) -> String {
        let reads = match at.reads {
            Contact::Empty => self.nothing(),
            Contact::Man(man) => self.man(man),
            Contact::Token(_) => self.say("reads-token", Vec::new()),
            Contact::Unreadable(code) => {
                self.say("reads-unknown", vec![("code", format!("{code:#04x}"))])
            }
        };
        let expected = at.expected.map_or_else(|| self.nothing(), |man| self.man(man));
        let args =
            vec![("reads", reads), ("square", at.square.to_string()), ("expected", expected)];
        self.say("differs", args)
    }

    /// A man such as "white rook".
    fn man(&self, man: Piece) -> String {
        let known = self.names().map(|names| names.men.get(man.color).get(man.role).clone());
        known.unwrap_or_else(|| self.man_said(man))
    }

    fn man_said(&self, man: Piece) -> String {
        self.say("man", vec![("man", man.char().to_string())])
    }

    /// Instead of a man.
    fn nothing(&self) -> String {
        let known = self.names().map(|names| names.nothing.clone());
        known.unwrap_or_else(|| self.say("reads-nothing", Vec::new()))
    }

    /// Names that are said again and again, put together once for every language there is.
    fn names(&self) -> Option<&'static Names> {
        static ALL: OnceLock<Vec<(Language, Names)>> = OnceLock::new();
        let names = |language: Language| {
            let said = |piece: Piece| language.man_said(piece);
            let men = ByColor::new_with(|color| ByRole::new_with(|role| said(role.of(color))));
            let nothing = language.say("reads-nothing", Vec::new());
            (language, Names { men, nothing })
        };
        let all = ALL.get_or_init(|| Language::all().into_iter().map(names).collect());
        all.iter().find(|(language, _)| language == self).map(|(_, names)| names)
    }
}

/// The men of one language, and what is read where none stands.
struct Names {
    men: ByColor<ByRole<String>>,
    nothing: String,
}
