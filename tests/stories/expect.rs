//! What must come of a story.
//!
//! A line that ends in ` *` says only how its event begins. A line of a kind marked * claims to be one of all events of that kind, in order: where no line
//! stands, none may have come. `none` says so of the other kinds too.
//!
//! | line | event |
//! |---|---|
//! | `moves e4 e5 \| d4` * | the moves that stand at the end, games parted by `\|`, `-` for a game without |
//! | `over checkmate 1-0 4 5.1.1 [also …]` * | `game_over`: reason, result, ply, article |
//! | `withdrawn 4` * | `game_over_withdrawn` |
//! | `takeback 0 board` * | `takeback`: last ply that stands, reason |
//! | `signalled 1-0 e4 d5` * | `result_signalled` |
//! | `illegal white 7.5.1 e2 e5` * | `illegal_move`: by, article, squares |
//! | `decided 1 white true add_time 120000` * | `illegal_move_decided`: number, by, accepted, effect, gain, result |
//! | `lapsed 1 white 3` * | `illegal_move_withdrawn`: number, by, ply |
//! | `possible fivefold_repetition 9.6.1 16 castling_rights` * | `possible_end` |
//! | `flag_ruling white 0-1 6.9 flag` * | `flag_ruling`: side, result, article, what decides |
//! | `claim_ruling incorrect 9.5.3 e4 300000 420000` * | `claim_ruling`: verdict, articles, what must be played, clocks |
//! | `flag white yes 0-1 6.9` * | `flag`: side, whether the opponent can mate, result, article |
//! | `touched d1 Q 0.9` * | `touched` |
//! | `attention mismatch e1 f1` * | `attention`: kind, squares |
//! | `inexact 3 4` * | plies of moves that are not exact |
//! | `claim fifty_moves white 100 Ra3 Ra4` | `claim_available`: reason, claimant, ply, moves |
//! | `ended 1-0 signalled` | `game_ended`: result, how |
//! | `started setup rotated FEN` | `game_started` |
//! | `by reply still` | what confirmed each move, in order |
//! | `shown e3 e4` | every `provisional` move, in order |
//! | `final FEN` | the position after the last move told |
//! | `clocks 4:58 5:00` | times with the last move |
//! | `says WORDS` | some text for people holds these words; may be repeated |

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Story;

const STRICT: [&str; 14] = [
    "over",
    "withdrawn",
    "takeback",
    "signalled",
    "illegal",
    "decided",
    "lapsed",
    "possible",
    "flag_ruling",
    "claim_ruling",
    "flag",
    "touched",
    "attention",
    "inexact",
];

/// What is not as the story expects it, one line each; empty when all is well.
pub fn check(story: &Story, events: &[Map<String, Value>]) -> Vec<String> {
    let got = facts(events);
    let mut wanted: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut faults = Vec::new();
    for line in &story.expect {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        if kind == "says" {
            if !got.texts.iter().any(|text| text.contains(rest)) {
                faults.push(format!("no text says {rest:?}; texts: {:?}", got.texts));
            }
            continue;
        }
        assert!(got.lists.contains_key(kind), "{}: nothing is known of {kind:?}", story.name);
        let list = wanted.entry(kind).or_default();
        if rest != "none" {
            list.push(rest.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    assert!(wanted.contains_key("moves"), "{}: which moves stand?", story.name);
    for kind in STRICT {
        wanted.entry(kind).or_default();
    }
    for (kind, wanted) in wanted {
        let got = &got.lists[kind];
        let fits = |(got, wanted): (&String, &String)| match wanted.strip_suffix(" *") {
            Some(beginning) => got.starts_with(beginning),
            None => got == wanted,
        };
        if got.len() != wanted.len() || !got.iter().zip(&wanted).all(fits) {
            faults.push(format!("{kind}: expected {wanted:?}, got {got:?}"));
        }
    }
    faults
}

struct Facts {
    lists: BTreeMap<&'static str, Vec<String>>,
    texts: Vec<String>,
}

fn facts(events: &[Map<String, Value>]) -> Facts {
    let kinds = STRICT
        .into_iter()
        .chain(["moves", "claim", "ended", "started", "by", "shown", "clocks", "final"]);
    let mut lists: BTreeMap<&'static str, Vec<String>> =
        kinds.map(|kind| (kind, Vec::new())).collect();
    let mut texts = Vec::new();
    let mut games: Vec<Vec<String>> = Vec::new();
    let (mut by, mut shown, mut inexact) = (Vec::new(), Vec::new(), Vec::new());
    for event in events {
        let say = |key: &str| match &event.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(items)) => {
                items.iter().map(|item| item.as_str().unwrap()).collect::<Vec<_>>().join(" ")
            }
            Some(other) => other.to_string(),
            None => String::new(),
        };
        let all = |keys: &[&str]| {
            keys.iter()
                .map(|key| say(key))
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        };
        texts.extend(["text", "why", "proof"].map(say).into_iter().filter(|text| !text.is_empty()));
        let mut add = |kind: &'static str, fact: String| lists.get_mut(kind).unwrap().push(fact);
        match say("event").as_str() {
            "game_started" => {
                games.push(Vec::new());
                add("started", all(&["source", "orientation", "fen"]));
            }
            "move" => {
                let game = games.last_mut().unwrap();
                assert_eq!(say("ply"), (game.len() + 1).to_string(), "plies follow each other");
                game.push(say("san"));
                by.push(say("by"));
                lists.insert("final", vec![say("fen")]);
                if event["exact"] == false {
                    inexact.push(say("ply"));
                }
                if event.contains_key("white_clock") {
                    let time = |key: &str| {
                        let seconds = event[key].as_u64().unwrap();
                        format!("{}:{:02}", seconds / 60, seconds % 60)
                    };
                    lists.insert(
                        "clocks",
                        vec![format!("{} {}", time("white_clock"), time("black_clock"))],
                    );
                }
            }
            "takeback" => {
                let to: usize = say("to_ply").parse().unwrap();
                games.last_mut().unwrap().truncate(to);
                add("takeback", all(&["to_ply", "reason"]));
            }
            "game_over" => {
                let also = say("also");
                let also = if also.is_empty() { also } else { format!(" also {also}") };
                add("over", all(&["reason", "result", "ply", "article"]) + &also);
            }
            "game_over_withdrawn" => add("withdrawn", say("ply")),
            "result_signalled" => add("signalled", all(&["result", "squares"])),
            "illegal_move" => add("illegal", all(&["by", "article", "squares"])),
            "illegal_move_decided" => {
                add("decided", all(&["number", "by", "accepted", "effect", "gain_ms", "result"]));
            }
            "illegal_move_withdrawn" => add("lapsed", all(&["number", "by", "ply"])),
            "possible_end" => add("possible", all(&["reason", "article", "ply", "depends_on"])),
            "flag_ruling" => {
                add("flag_ruling", all(&["side", "result", "article", "decided_by"]));
            }
            "claim_ruling" => add(
                "claim_ruling",
                all(&["verdict", "article", "must_play", "white_ms", "black_ms"]),
            ),
            "flag" => add("flag", all(&["side", "opponent_can_mate", "result", "article"])),
            "touched" => add("touched", all(&["square", "piece", "seconds"])),
            "attention" => add("attention", all(&["kind", "squares"])),
            "claim_available" => add("claim", all(&["reason", "claimant", "ply", "moves"])),
            "game_ended" => add("ended", all(&["result", "how"])),
            "provisional" => shown.push(say("san")),
            _ => {}
        }
    }
    for (kind, words) in [("by", by), ("shown", shown), ("inexact", inexact)] {
        if !words.is_empty() {
            lists.insert(kind, vec![words.join(" ")]);
        }
    }
    let game = |moves: &Vec<String>| if moves.is_empty() { "-".into() } else { moves.join(" ") };
    if !games.is_empty() {
        lists.insert("moves", vec![games.iter().map(game).collect::<Vec<_>>().join(" | ")]);
    }
    Facts { lists, texts }
}
