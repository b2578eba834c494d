//! Labelled games, claims and flags, row by row: the project's own under `tests/laws/`, and those
//! of real games where the folder that has them exists beside the project.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    str::FromStr,
};

use chasolver::{Winnability, winnability};
use dgtd::{
    game::{History, Past},
    laws::{
        BoardAct, CanMate, Claim, ClaimClocks, ClaimKind, Conditions, Control, DeadAnswer, Edition,
        How, pgn, report, verdict,
    },
    units::Ply,
};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, KnownOutcome, fen::Fen};

/// The case folders there are.
fn folders() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/laws");
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/laws");
    if !shared.is_dir() {
        eprintln!("skipped: {} does not exist", shared.display());
        return vec![own];
    }
    vec![own, shared]
}

/// The rows of a table as lists of columns, with the table's header checked.
fn table(path: &Path, header: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(header), "{}", path.display());
    let rows: Vec<Vec<String>> =
        lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    let columns = header.split('\t').count();
    for row in &rows {
        assert_eq!(row.len(), columns, "{}: {row:?}", path.display());
    }
    assert!(rows.len() > 20, "{} is nearly empty", path.display());
    rows
}

/// Whether a side can mate, asked of an independent solver.
fn can_mate(position: &Chess, side: Color) -> CanMate {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    let board = chess::Board::from_str(&fen).unwrap();
    let side = side.fold_wb(chess::Color::White, chess::Color::Black);
    match winnability(&board, side) {
        Some(Winnability::Winnable { .. }) => CanMate::Yes,
        Some(Winnability::Unwinnable) => CanMate::No,
        None => CanMate::Unknown,
    }
}

fn dead(position: &Chess) -> DeadAnswer {
    match (can_mate(position, Color::White), can_mate(position, Color::Black)) {
        (CanMate::No, CanMate::No) => DeadAnswer::Proved,
        (CanMate::Yes, _) | (_, CanMate::Yes) => DeadAnswer::Alive,
        _ => DeadAnswer::Unknown,
    }
}

#[test]
fn every_game_reports_its_events_and_nothing_more() {
    for folder in folders() {
        let header = "file\tgame_index\tlaws\tply\tevent\tarticle\tnote";
        let rows = table(&folder.join("expected.tsv"), header);
        let mut expected: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut judged: BTreeSet<(&str, &str, Edition)> = BTreeSet::new();
        for row in &rows {
            expected.entry(&row[0]).or_default().push(row[1..6].join("\t"));
            judged.insert((&row[0], &row[1], row[2].parse().unwrap()));
        }
        for (file, want) in expected {
            let text = fs::read(folder.join(file)).unwrap();
            let reports = report::games(&text, &Edition::ALL, &mut dead);
            let mut got = Vec::new();
            for report in reports {
                assert_eq!(report.fault, None, "{file} game {}", report.game);
                let game = report.game.to_string();
                let listed = |row: &&report::Row| judged.contains(&(file, &game, row.edition));
                got.extend(report.rows.iter().filter(listed).map(ToString::to_string));
            }
            assert_eq!(got, want, "{file}");
        }
    }
}

fn load(path: &Path, number: &str) -> History {
    let number: usize = number.parse().unwrap();
    let mut games = pgn::games(&fs::read(path).unwrap());
    let game = games.swap_remove(number - 1);
    assert_eq!((game.number, game.fault), (number, None), "{}", path.display());
    game.history.unwrap()
}

#[test]
fn every_claim_gets_its_ruling() {
    for folder in folders() {
        let header = "file\tgame_index\tlaws\tcontrol\tply\tclaimant\tkind\tannounced\ttouched\t\
                      moved\tclaimant_before\topponent_before\tverdict\tclaimant_after\t\
                      opponent_after\tmust_play\tarticle\tnote";
        for row in table(&folder.join("claims.tsv"), header) {
            let history = load(&folder.join(&row[0]), &row[1]);
            let conditions = Conditions::new(row[2].parse().unwrap(), row[3].parse().unwrap());
            let claim = Claim {
                claimant: Color::from_white(row[5] == "white"),
                kind: match row[6].as_str() {
                    "threefold" => ClaimKind::Threefold,
                    "fifty" => ClaimKind::Fifty,
                    other => panic!("{other}"),
                },
                announced: (row[7] != "-").then(|| row[7].parse().unwrap()),
                act: match (row[8].as_str(), row[9].as_str()) {
                    ("no", "no") => BoardAct::None,
                    ("yes", "no") => BoardAct::Touched,
                    ("no", "yes") => BoardAct::Moved,
                    other => panic!("{other:?}"),
                },
            };
            let clocks = ClaimClocks {
                claimant: row[10].parse().unwrap(),
                opponent: row[11].parse().unwrap(),
            };
            let ply = Ply(row[4].parse().unwrap());
            let ruling =
                report::claim(&history, ply, &conditions, &claim, clocks, &mut dead).unwrap();
            assert_eq!(ruling.to_string(), row[12..17].join("\t"), "{row:?}");
        }
    }
}

#[test]
fn every_flag_gets_its_ruling() {
    for folder in folders() {
        let header = "id\tlaws\tfen\tflagged\tresult\tarticle\tnote";
        for row in table(&folder.join("flags.tsv"), header) {
            let edition: Edition = row[1].parse().unwrap();
            let conditions = Conditions::new(edition, Control::Standard);
            let position = pgn::position(&row[2], CastlingMode::Standard).unwrap();
            let flagged = Color::from_white(row[3] == "white");
            let ruling = report::flag(&position, flagged, &conditions, &mut dead, &mut can_mate);
            assert_eq!(ruling.to_string(), row[4..6].join("\t"), "{row:?}");
        }
    }
}

/// A position with this half-move counter.
fn quiet_game(start: u32) -> History {
    let fen = format!("4k3/8/8/8/8/8/r6P/4K2R w - - {start} 100");
    History::new(pgn::position(&fen, CastlingMode::Standard).unwrap(), Past::Nothing)
}

#[test]
fn both_sides_of_the_edges_of_the_half_move_counter() {
    for edition in Edition::ALL {
        for (h, now, by_move, over) in [
            (98, false, false, false),
            (99, false, true, false),
            (100, true, false, false),
            (149, true, false, false),
            (150, true, false, true),
        ] {
            let over = over && edition >= Edition::Fide2014;
            let history = quiet_game(h);
            let verdict = verdict(&history, edition, DeadAnswer::Alive);
            assert_eq!(verdict.over().is_some(), over, "{edition} {h}");
            let has = |just: bool| {
                verdict.claims().iter().any(|claim| {
                    claim.kind == ClaimKind::Fifty && just == matches!(claim.how, How::JustAppeared)
                })
            };
            assert_eq!((has(true), has(false)), (now && !over, by_move), "{edition} {h}");
            if let Some(over) = verdict.over() {
                assert_eq!(over.outcome, KnownOutcome::Draw);
            }
        }
    }
}

#[test]
fn both_sides_of_the_edges_of_repetition() {
    let mut history = History::default();
    let knights = ["Nf3", "Nf6", "Ng1", "Ng8"];
    for ply in 1..=16u32 {
        let san: shakmaty::san::San = knights[(ply as usize - 1) % 4].parse().unwrap();
        history.play(san.to_move(history.position()).unwrap()).unwrap();
        let occurrence = history.last().occurrence.value();
        assert_eq!(occurrence, ply / 4 + 1, "ply {ply}");
        for edition in Edition::ALL {
            let verdict = verdict(&history, edition, DeadAnswer::Alive);
            let over = occurrence >= 5 && edition >= Edition::Fide2014;
            assert_eq!(verdict.over().is_some(), over, "{edition} ply {ply}");
            let claimable = verdict.claims().iter().any(|claim| {
                claim.kind == ClaimKind::Threefold && matches!(claim.how, How::JustAppeared)
            });
            assert_eq!(claimable, occurrence >= 3 && !over, "{edition} ply {ply}");
            // A move to the third occurrence can be announced from the seventh ply on.
            let by_move = verdict.claims().iter().any(|claim| {
                claim.kind == ClaimKind::Threefold && matches!(claim.how, How::ByMove(_))
            });
            assert_eq!(by_move, ply >= 7 && !over, "{edition} ply {ply}");
        }
    }
}
