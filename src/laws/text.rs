//! What an arbiter reads about the Laws, in his language.
//!
//! The sentences stand in `locales/`, a folder of Fluent files per language; adding a language is adding a
//! folder. Moves keep the international piece letters. Whom a sentence may reach is not decided here
//! but by its [`Class`](super::Class).

use std::{borrow::Cow, fmt};

use fluent_templates::{LanguageIdentifier, Loader, fluent_bundle::FluentValue, langid};
use shakmaty::{Chess, Color, KnownOutcome, Square};

use super::{
    claims::{Decision, MustPlay, Ruling},
    flag::FlagRuling,
    illegal::Irregularity,
    report,
    unknown::DependsOn,
    verdict::{Claimable, Ended, How, Over},
};

#[expect(clippy::disallowed_types, reason = "the library's own table, never gone through in order")]
mod loaded {
    fluent_templates::static_loader! {
        pub(super) static LOCALES = {
            locales: "./locales",
            fallback_language: "en",
            // Marks of writing direction around inserted text would show on a plain terminal.
            customise: |bundle| bundle.set_use_isolating(false),
        };
    }
}
use loaded::LOCALES;

/// A language the messages are written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language(LanguageIdentifier);

impl Default for Language {
    /// English.
    fn default() -> Language {
        Language(langid!("en"))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The arguments of a message.
pub(crate) type Args = Vec<(&'static str, String)>;

impl Language {
    /// The language of a name such as `es`, `es-AR` or, from the environment, `es_ES.UTF-8`;
    /// English where there are no messages in it.
    pub fn choose(name: &str) -> Language {
        let tag = name.split(['.', '@']).next().unwrap_or("").replace('_', "-");
        let Ok(wanted) = tag.parse::<LanguageIdentifier>() else { return Language::default() };
        let known = Language::all().into_iter().find(|known| known.0.language == wanted.language);
        known.unwrap_or_default()
    }

    /// The language of `LC_ALL`, `LC_MESSAGES` or `LANG`, the first that is set.
    pub fn of_variables(get: impl Fn(&str) -> Option<String>) -> Language {
        let mut set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(get);
        set.find(|value| !value.is_empty()).map(|name| Language::choose(&name)).unwrap_or_default()
    }

    /// Every language there are messages in, in alphabetical order.
    pub fn all() -> Vec<Language> {
        let mut all: Vec<Language> = LOCALES.locales().cloned().map(Language).collect();
        all.sort_by_key(ToString::to_string);
        all
    }

    /// A message of the files in `locales/` with its arguments filled in.
    #[expect(clippy::disallowed_types, reason = "the library asks for it; its order is never seen")]
    pub(crate) fn say(&self, message: &str, args: Args) -> String {
        let args: std::collections::HashMap<Cow<'static, str>, FluentValue<'_>> =
            args.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        LOCALES.lookup_complete(&self.0, message, Some(&args))
    }

    fn reason(&self, ended: Ended) -> String {
        let name = self.say(ended.ending.name(), Vec::new());
        self.say("reason", vec![("name", name), ("article", ended.article.to_owned())])
    }

    /// The game is over (class A).
    pub fn over(&self, over: &Over) -> String {
        let reasons: Vec<String> = over.reasons.iter().map(|r| self.reason(*r)).collect();
        let result = result(over.outcome);
        self.say("game-over", vec![("result", result), ("reasons", reasons.join("; "))])
    }

    /// The game may be over, depending on what is not known (class C).
    pub fn maybe_over(&self, on: DependsOn, ended: Ended) -> String {
        let on = self.depends_on(match on {
            DependsOn::CastlingRights => "castling-rights",
            DependsOn::LastMove => "last-move",
        });
        self.say("maybe-over", vec![("on", on), ("reason", self.reason(ended))])
    }

    /// What decides: `castling-rights`, `last-move` or `later-edition`, in words.
    pub(crate) fn depends_on(&self, on: &str) -> String {
        self.say("depends-on", vec![("on", on.to_owned())])
    }

    /// A claim is open in `position` (class C).
    pub fn claim(&self, claim: &Claimable, position: &Chess) -> String {
        let mut args = vec![
            ("side", side(claim.claimant)),
            ("kind", self.say(claim.kind.name(), Vec::new())),
            ("article", claim.article.to_owned()),
        ];
        let How::ByMove(moves) = &claim.how else { return self.say("claim-now", args) };
        let mut moves: Vec<String> = moves.iter().map(|m| report::san(position, *m)).collect();
        moves.sort();
        args.push(("moves", moves.join(", ")));
        self.say("claim-by-move", args)
    }

    /// The ruling on a claim.
    pub fn ruling(&self, ruling: &Ruling) -> String {
        let (must, moves) = must(&ruling.must_play);
        let (now, announced) = match ruling.decision {
            Decision::Arbiter { now, announced } => {
                (now.name(), announced.map_or("none", super::Qualifies::name))
            }
            _ => ("unknown", "unknown"),
        };
        self.say(
            &format!("ruling-{}", ruling.decision.label()),
            vec![
                ("article", articles(ruling)),
                ("claimant", ruling.clocks.claimant.to_string()),
                ("opponent", ruling.clocks.opponent.to_string()),
                ("must", must.to_owned()),
                ("moves", moves),
                ("now", now.to_owned()),
                ("announced", announced.to_owned()),
            ],
        )
    }

    /// What the fallen flag of a player means.
    pub fn flag(&self, ruling: &FlagRuling, flagged: Color) -> String {
        let mut args = vec![("side", side(flagged))];
        let message = match ruling {
            FlagRuling::Result { outcome, article } => {
                args.push(("result", result(*outcome)));
                args.push(("article", (*article).to_owned()));
                "flag-result"
            }
            FlagRuling::Undecided { article } => {
                args.push(("article", (*article).to_owned()));
                "flag-unknown"
            }
            FlagRuling::ClaimFirst => "flag-claim-first",
            FlagRuling::NextPeriod => "flag-next-period",
        };
        self.say(message, args)
    }

    /// What is wrong with the men on the board (class B).
    pub fn irregularity(&self, what: &Irregularity) -> String {
        let square = |square: &Square| vec![("square", square.to_string())];
        match what {
            Irregularity::NoMove => self.say("irregular-no-move", Vec::new()),
            Irregularity::KingCaptured { square: s } => {
                self.say("irregular-king-captured", square(s))
            }
            Irregularity::PawnOnLastRank { square: s } => {
                self.say("irregular-pawn-on-last-rank", square(s))
            }
            Irregularity::KingInCheck { square: s } => {
                self.say("irregular-king-in-check", square(s))
            }
            Irregularity::AgainstArticle3 { from, to } => self.say(
                "irregular-against-article-3",
                vec![("from", from.to_string()), ("to", to.to_string())],
            ),
            Irregularity::Displaced { squares } => {
                let list: Vec<String> = squares.iter().map(ToString::to_string).collect();
                self.say("irregular-displaced", vec![("squares", list.join(", "))])
            }
        }
    }
}

pub(super) fn side(color: Color) -> String {
    color.fold_wb("white", "black").to_owned()
}

pub(super) fn result(outcome: KnownOutcome) -> String {
    match outcome {
        KnownOutcome::Decisive { winner } => side(winner),
        KnownOutcome::Draw => "draw".to_owned(),
    }
}

/// How messages say what must be played: which of their variants, and the moves.
pub fn must(must: &MustPlay) -> (&'static str, String) {
    match must {
        MustPlay::Nothing | MustPlay::Any => ("any", String::new()),
        MustPlay::Move(san) => ("move", san.clone()),
        MustPlay::Piece { moves, .. } => ("piece", moves.join(", ")),
    }
}

/// The articles of a ruling, as people write them.
pub fn articles(ruling: &Ruling) -> String {
    ruling.article.replace('+', ", ")
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, path::Path};

    use shakmaty::san::San;

    use super::*;
    use crate::{
        game::History,
        laws::{
            BoardAct, CanMate, Claim, ClaimClocks, ClaimKind, Conditions, Control, DeadAnswer,
            Edition, Ending, Offence, Qualifies, claims, illegal, verdict,
        },
        units::{Millis, Ply},
    };

    /// The messages of each language with the variables each uses.
    fn messages() -> BTreeMap<String, BTreeMap<String, Vec<String>>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("locales");
        let mut languages = BTreeMap::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
            let mut text = String::new();
            for file in fs::read_dir(&path).unwrap() {
                text += &fs::read_to_string(file.unwrap().path()).unwrap();
                text.push('\n');
            }
            let mut current = String::new();
            for line in text.lines().filter(|l| !l.starts_with('#')) {
                if let Some((id, _)) = line.split_once(" = ")
                    && !line.starts_with(' ')
                {
                    current = id.to_owned();
                    found.entry(current.clone()).or_default();
                }
                for part in line.split("{ $").skip(1) {
                    let name = part.split([' ', '}']).next().unwrap().to_owned();
                    found.get_mut(&current).unwrap().push(name);
                }
            }
            for names in found.values_mut() {
                names.sort();
            }
            languages.insert(path.file_name().unwrap().to_string_lossy().into_owned(), found);
        }
        languages
    }

    #[test]
    fn every_language_has_every_message() {
        let files = messages();
        let names: Vec<String> = Language::all().iter().map(ToString::to_string).collect();
        assert_eq!(files.keys().collect::<Vec<_>>(), names.iter().collect::<Vec<_>>());
        assert!(names.contains(&"en".to_owned()) && names.contains(&"es".to_owned()));
        let english = &files["en"];
        assert!(english.len() > 25);
        for (language, found) in &files {
            assert_eq!(found, english, "{language}");
        }
    }

    /// All of our own source text, but for tests.
    fn source(folder: &Path, text: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                source(&path, text);
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
                let all = fs::read_to_string(&path).unwrap();
                *text += all.split("#[cfg(test)]\nmod tests {").next().unwrap();
            }
        }
    }

    #[test]
    fn no_message_is_missing_and_none_is_forgotten() {
        let mut text = String::new();
        source(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut text);
        let known = messages().remove("en").unwrap();
        let mut asked = 0;
        for call in ["say(", "plain("] {
            for (at, _) in text.match_indices(call) {
                let rest = text[at + call.len()..].trim_start();
                let Some(name) = rest.strip_prefix('"').and_then(|r| r.split('"').next()) else {
                    continue;
                };
                asked += 1;
                assert!(known.contains_key(name), "{name:?} is said and is no message");
            }
        }
        assert!(asked > 40, "{asked}");
        // Named in the source as a word of its own, or made of one: `ruling-` and a decision.
        for name in known.keys().filter(|name| !name.starts_with("ruling-")) {
            assert!(text.contains(&format!("\"{name}\"")), "{name} is never said");
        }
    }

    #[test]
    fn languages_are_chosen_by_name() {
        for (name, language) in [
            ("es", "es"),
            ("es_ES.UTF-8", "es"),
            ("es_AR", "es"),
            ("ES", "es"),
            ("en_GB.UTF-8", "en"),
            ("C", "en"),
            ("POSIX", "en"),
            ("", "en"),
            ("xx_XX", "en"),
            ("es@euro", "es"),
        ] {
            assert_eq!(Language::choose(name).to_string(), language, "{name}");
        }
    }

    /// A sentence in both languages; nothing in it is left open.
    fn both(say: impl Fn(&Language) -> String) -> (String, String) {
        for language in Language::all() {
            let text = say(&language);
            assert!(!text.contains(['{', '}', '$']) && !text.contains("nknown local"), "{text}");
        }
        (say(&Language::choose("en")), say(&Language::choose("es")))
    }

    #[test]
    fn an_end_in_words() {
        let game = History::default();
        let over = verdict(&game, Edition::Fide2023, DeadAnswer::Proved);
        let (en, es) = both(|l| l.over(over.over().unwrap()));
        assert_eq!(
            en,
            "Game over: draw. Dead position: neither player can mate by any series of legal moves \
             (Article 5.2.2)."
        );
        assert_eq!(
            es,
            "Fin de la partida: tablas. Posición muerta: ningún jugador puede dar mate con ninguna \
             serie de jugadas legales (artículo 5.2.2)."
        );
        for ending in Ending::ALL {
            let over = Over {
                ply: Ply(3),
                outcome: KnownOutcome::Decisive { winner: Color::Black },
                reasons: vec![Ended { ending, article: "9.9" }; 2],
            };
            let (en, es) = both(|l| l.over(&over));
            assert!(en.starts_with("Game over: Black wins. ") && en.contains("9.9"), "{en}");
            assert!(es.starts_with("Fin de la partida: ganan las negras. "), "{es}");
            both(|l| l.maybe_over(DependsOn::LastMove, over.reason()));
        }
    }

    #[test]
    fn claims_and_rulings_in_words() {
        let game = History::default();
        let knight = |san: &str| san.parse::<San>().unwrap().to_move(game.position()).unwrap();
        let claim = Claimable {
            kind: ClaimKind::Fifty,
            claimant: Color::White,
            how: How::ByMove(vec![knight("Nc3"), knight("Na3")]),
            article: "9.3.1",
            exact: true,
        };
        let (en, es) = both(|l| l.claim(&claim, game.position()));
        assert_eq!(
            en,
            "White may claim a draw by announcing Na3, Nc3: fifty moves without a pawn move or a \
             capture (Article 9.3.1). For the arbiter only."
        );
        assert!(es.starts_with("Las blancas pueden reclamar tablas anunciando Na3, Nc3: "), "{es}");
        both(|l| l.claim(&Claimable { how: How::JustAppeared, ..claim.clone() }, game.position()));

        let asked = Claim {
            claimant: Color::White,
            kind: ClaimKind::Threefold,
            announced: Some("Ke3".parse().unwrap()),
            act: BoardAct::None,
        };
        let clocks =
            ClaimClocks { claimant: Millis(59_500), opponent: Millis::from_seconds(5_400) };
        let conditions = Conditions::default();
        let ruling = claims::check(&game, Ply(0), &conditions, None, &asked, clocks).unwrap();
        let (en, es) = both(|l| l.ruling(&ruling));
        assert_eq!(
            en,
            "The claim is wrong (Article 9.5.3): the claimant now has 0:00:59.500, his opponent \
             1:32:00. Play goes on; the claimant may make any legal move."
        );
        assert!(es.contains("0:00:59.500") && es.contains("1:32:00"), "{es}");
        for decision in [
            Decision::Correct,
            Decision::Incorrect,
            Decision::RightLost,
            Decision::NotEntitled,
            Decision::GameOver,
            Decision::Arbiter { now: Qualifies::Yes, announced: None },
            Decision::Arbiter { now: Qualifies::Unproved, announced: Some(Qualifies::No) },
        ] {
            let (en, es) = both(|l| l.ruling(&Ruling { decision, ..ruling.clone() }));
            assert!(en != es && en.contains("9.5.3"), "{en}");
        }
    }

    #[test]
    fn flags_and_illegal_moves_in_words() {
        let conditions = Conditions::new(Edition::Fide2023, Control::Blitz);
        for can in [CanMate::Yes, CanMate::No, CanMate::Unknown] {
            for nth in 1..=2 {
                let offence = Offence::NoMove;
                let ruling = illegal::judge(&conditions, offence, nth, Color::White, can).unwrap();
                let (en, es) = both(|l| l.illegal_why(&Irregularity::NoMove, nth, &ruling));
                let starts = format!(
                    "The clock was pressed without a move. Illegal move {nth} of this player: "
                );
                assert!(en.starts_with(&starts), "{en}");
                assert!(es.contains(&format!("Jugada ilegal n.º {nth} de este jugador: ")), "{es}");
                assert_eq!(en.contains("gains 0:01:00"), nth == 1, "{en}");
                assert!(en.ends_with("(Article 7.5.5, A.5.2), before he makes his next move."));
                let (en, es) = both(|l| l.illegal_decided(Some(&ruling), Color::White));
                assert!(en.starts_with("The illegal move of White counts: "), "{en}");
                assert_ne!(en, es);
            }
        }
        let outcome = KnownOutcome::Draw;
        for ruling in [
            FlagRuling::Result { outcome, article: "6.9" },
            FlagRuling::Undecided { article: "6.9" },
            FlagRuling::ClaimFirst,
            FlagRuling::NextPeriod,
        ] {
            let (en, es) = both(|l| l.flag(&ruling, Color::Black));
            assert!(en.starts_with("Black's flag has fallen"), "{en}");
            assert!(es.starts_with("Ha caído la bandera de las negras"), "{es}");
        }
        for what in [
            Irregularity::NoMove,
            Irregularity::KingCaptured { square: Square::E8 },
            Irregularity::PawnOnLastRank { square: Square::E8 },
            Irregularity::KingInCheck { square: Square::E8 },
            Irregularity::AgainstArticle3 { from: Square::E1, to: Square::E8 },
            Irregularity::Displaced { squares: vec![Square::E1, Square::E8] },
        ] {
            let (en, es) = both(|l| l.irregularity(&what));
            assert_eq!(en.contains("e8"), what != Irregularity::NoMove, "{en}");
            assert_ne!(en, es);
        }
    }
}
