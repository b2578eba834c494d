//! The commands of `dgtctl` that need no daemon, as a user calls them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    process::Stdio,
};

use assert_cmd::Command;
use serde_json::Value;

/// `dgtctl` in English, whatever the environment speaks.
fn dgtctl(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dgtctl"));
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"] {
        command.env_remove(variable);
    }
    command.args(args);
    command
}

/// What came of a call.
struct Done {
    status: i32,
    out: String,
    err: String,
}

fn run(command: &mut Command) -> Done {
    let output = command.output().unwrap();
    Done {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn call(args: &[&str]) -> Done {
    run(&mut dgtctl(args))
}

fn call_with(args: &[&str], input: &str) -> Done {
    run(dgtctl(args).write_stdin(input))
}

/// The case folders there are: the project's own, and one beside the project.
fn folders() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/laws");
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/laws");
    if !shared.is_dir() {
        println!("skipped: {} does not exist", shared.display());
        return vec![own];
    }
    vec![own, shared]
}

fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(1);
    rows.map(|row| row.split('\t').map(str::to_owned).collect()).collect()
}

const EDITIONS: [&str; 7] = ["1997", "2005", "2009", "2014", "2017", "2018", "2023"];

#[test]
fn laws_lists_the_events_of_the_labelled_games_and_nothing_else() {
    for folder in folders() {
        let mut want: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut judged: BTreeSet<[String; 3]> = BTreeSet::new();
        for row in rows(&folder.join("expected.tsv")) {
            judged.insert([row[0].clone(), row[1].clone(), row[2].clone()]);
            want.entry(row[0].clone()).or_default().push(row[..6].join("\t"));
        }
        assert!(judged.len() > 50);
        let paths: Vec<String> =
            want.keys().map(|file| folder.join(file).display().to_string()).collect();
        let mut args = vec!["laws"];
        for edition in EDITIONS {
            args.extend(["--laws", edition]);
        }
        args.extend(paths.iter().map(String::as_str));
        let done = call(&args);
        assert_eq!((done.status, done.err.as_str()), (0, ""));
        let mut lines = done.out.lines();
        assert_eq!(lines.next(), Some("file\tgame_index\tlaws\tply\tevent\tarticle"));
        let mut got: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in lines {
            let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
            if judged.contains(&[columns[0].clone(), columns[1].clone(), columns[2].clone()]) {
                got.entry(columns[0].clone()).or_default().push(line.to_owned());
            }
        }
        for (file, want) in &want {
            assert_eq!(got.get(file), Some(want), "{file}");
        }
    }
}

#[test]
fn every_claim_gets_its_ruling() {
    for folder in folders() {
        for row in rows(&folder.join("claims.tsv")) {
            let file = folder.join(&row[0]).display().to_string();
            let mut args = vec!["claim", &file, "--tsv", "--game", &row[1], "--laws", &row[2]];
            args.extend(["--time-control", &row[3], "--ply", &row[4], "--claimant", &row[5]]);
            args.extend(["--kind", &row[6], "--clocks", &row[10], &row[11]]);
            if row[7] != "-" {
                args.extend(["--move", &row[7]]);
            }
            if row[8] == "yes" {
                args.push("--touched");
            }
            if row[9] == "yes" {
                args.push("--moved");
            }
            let done = call(&args);
            let want = format!(
                "verdict\tclaimant_after\topponent_after\tmust_play\tarticle\n{}\n",
                row[12..17].join("\t")
            );
            assert_eq!((done.out, done.err.as_str()), (want, ""), "{args:?}");
            assert_eq!(done.status, i32::from(row[12] != "correct"), "{args:?}");
        }
    }
}

#[test]
fn every_flag_gets_its_result() {
    for folder in folders() {
        for row in rows(&folder.join("flags.tsv")) {
            let done = call(&["flag", &row[2], &row[3], "--laws", &row[1], "--tsv"]);
            let want = format!("result\tarticle\n{}\t{}\n", row[4], row[5]);
            assert_eq!((done.status, done.out, done.err.as_str()), (0, want, ""), "{row:?}");
        }
    }
}

#[test]
fn flags_and_claims_speak_to_arbiters() {
    let fen = "8/8/3k4/8/8/3K4/8/4Q3 b - - 0 1";
    let done = call(&["flag", fen, "white"]);
    assert!(done.out.starts_with("White's flag has fallen: draw (Article 6.9).\n"), "{}", done.out);
    assert!(done.out.contains("Black cannot mate: Black has only the king left."), "{}", done.out);
    let spanish = run(dgtctl(&["flag", fen, "white"]).env("LANG", "es_ES.UTF-8"));
    assert!(spanish.out.contains("tablas (artículo 6.9)"), "{}", spanish.out);
    let json: Value = serde_json::from_str(&call(&["flag", fen, "black", "--json"]).out).unwrap();
    assert_eq!((&json["result"], &json["opponent_can_mate"]), (&"1-0".into(), &"yes".into()));

    let game = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *";
    let claim =
        |more: &[&str]| call_with(&[&["claim", "-", "--kind", "threefold"], more].concat(), game);
    let right = claim(&["--move", "Ng8"]);
    assert_eq!(right.status, 0, "{}", right.err);
    assert!(right.out.starts_with("The claim is right: the game is drawn (Article 9.2.1, "));
    let wrong = claim(&[]);
    assert_eq!(wrong.status, 1);
    let text = "The claim is wrong (Article 9.5.3): the opponent gains 0:02:00. Play goes on; the \
                claimant may make any legal move.\n";
    assert_eq!(wrong.out, text);
    let json = claim(&["--json", "--clocks", "1:00:00", "0:30:00", "--move", "Nd5"]);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["verdict"], "incorrect");
    assert_eq!(json["opponent_clock"], "0:32:00");
    for (more, fault) in [
        (&["--ply", "8"][..], "the game has no half-move 8: it has reached half-move 7"),
        (&["--game", "2"], "standard input has no game 2: there are 1"),
        (&["--move", "N3"], "algebraic notation"),
        (&["--clocks", "1:00"], "2 values required"),
        (&["--claimant", "red"], "write white or black"),
    ] {
        let done = claim(more);
        assert_eq!(done.status, 2, "{more:?}: {}", done.out);
        assert!(done.err.contains(fault), "{more:?}: {}", done.err);
    }
}

#[test]
fn faulty_games_are_named_and_the_others_judged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let text = "[Event \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"b\"]\n\n1. e4 e5 2. Ke3 *\n\n\
                [Event \"c\"]\n[FEN \"8/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Ka2 *\n\n\
                [Event \"d\"]\n\n1. e4 *\n";
    fs::write(&file, text).unwrap();
    let path = file.display().to_string();
    let done = call(&["laws", &path]);
    assert_eq!(done.status, 2);
    let want = "file\tgame_index\tlaws\tply\tevent\tarticle\n\
                games.pgn\t1\t2023\t4\tmate\t5.1.1\n\
                games.pgn\t4\t2023\t-\tnone\t-\n";
    assert_eq!(done.out, want);
    let place = |line: u32, rest: &str| format!("dgtctl: {path}:{line}: {rest}");
    for fault in [
        place(7, "game 2: Ke3 is not legal after half-move 2\n"),
        place(10, "game 3: the FEN \"8/8/8/8/8/8/8/K7 w - - 0 1\" is no position a game can have"),
        "dgtctl: 2 of 4 games could not be judged to the end\n".to_owned(),
    ] {
        assert!(done.err.contains(&fault), "{fault}\n{}", done.err);
    }
    let missing = folder.path().join("none.pgn").display().to_string();
    let done = call(&["laws", &missing, &path, "--json"]);
    assert_eq!(done.status, 2);
    assert!(done.err.contains(&format!("cannot read {missing}: No such file")), "{}", done.err);
    // A file that cannot be read is no game.
    for said in ["2 of 4 games could not", "1 of 2 files could not"] {
        assert!(done.err.contains(said), "{}", done.err);
    }
    let done_alone = call(&["laws", &missing]);
    assert!(
        done_alone.err.ends_with("1 of 1 files could not be judged to the end\n"),
        "{}",
        done_alone.err
    );
    let first: Value = serde_json::from_str(done.out.lines().next().unwrap()).unwrap();
    assert_eq!((&first["event"], &first["ply"]), (&"mate".into(), &4.into()));
    let empty = call_with(&["laws", "-"], "");
    assert_eq!(empty.status, 2);
    assert!(empty.err.contains("standard input holds no game in PGN"), "{}", empty.err);
    let edition = call(&["laws", "--laws", "2001", &path]);
    assert_eq!(edition.status, 2);
    assert!(edition.err.contains("is not an edition of the Laws"), "{}", edition.err);
}

#[test]
fn judge_tells_what_a_position_is() {
    for (fen, over, can) in [
        ("R6k/8/7K/8/8/8/8/8 b - - 0 1", "Game over: White wins. Checkmate", "White has mated."),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Game over: draw. Stalemate", "White cannot mate: "),
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", "Game over: draw. Dead position", "White cannot mate: "),
        ("7k/5K2/6Q1/8/8/8/8/8 w - - 0 9", "The game goes on; White is", "White can mate: 9. Q"),
    ] {
        let done = call(&["judge", fen]);
        assert_eq!((done.status, done.err.as_str()), (0, ""), "{fen}");
        let lines: Vec<&str> = done.out.lines().collect();
        assert_eq!(lines.len(), 3, "{}", done.out);
        assert!(lines[0].starts_with(over) && lines[1].starts_with(can), "{}", done.out);
        // The six fields as words, and in JSON.
        let words: Vec<&str> = ["judge", "--json"].into_iter().chain(fen.split(' ')).collect();
        let json: Value = serde_json::from_str(&call(&words).out).unwrap();
        assert_eq!(json["over"].is_null(), over.starts_with("The game"), "{json}");
    }
    let proof = call(&["judge", "--proof", "4k3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3 w - - 0 1"]);
    assert!(proof.out.contains("How far every man can ever get"), "{}", proof.out);
    assert_eq!(proof.out.matches("An independent check of the proof agrees").count(), 2);
    let odd = call(&["judge", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1"]);
    assert_eq!(odd.status, 0);
    assert!(odd.out.starts_with("No game can have reached this position: there are more men"));
    let few = call(&["judge", "--nodes", "1", "8/8/4k3/8/8/4K3/8/NN6 w - - 0 1"]);
    assert_eq!(few.status, 0);
    assert!(few.out.contains("is not known after 1 positions"), "{}", few.out);
    let spanish = run(dgtctl(&["judge", "8/8/4k3/8/8/3K4/8/8"]).env("LC_ALL", "es_AR.UTF-8"));
    assert!(spanish.out.contains("Posición muerta"), "{}", spanish.out);
}

#[test]
fn judge_names_what_it_cannot_judge() {
    for (fen, fault) in [
        ("hello", "is not a FEN"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "a king is missing"),
        ("k7/8/8/8/8/8/R7/K7 w - - 0 1", "is the right side to move?"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "a pawn stands on the first or last rank"),
        ("QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQ4/8/8/1K6/7k b - - 0 1", "more men than any game"),
    ] {
        let done = call(&["judge", fen]);
        assert_eq!((done.status, done.out.as_str()), (2, ""), "{fen}");
        assert!(done.err.contains(fault), "{fen}: {}", done.err);
    }
    assert_eq!(call(&["judge"]).status, 2);
    assert_eq!(call(&["judge", "--stdin", "8/8/4k3/8/8/3K4/8/8"]).status, 2);

    let text = "fen\tnote\n# a comment\n\n8/8/4k3/8/8/3K4/8/8 w - - 0 1\tbare\nnonsense\n\
                7k/5K2/6Q1/8/8/8/8/8 w - - 0 9\r\n";
    let done = call_with(&["judge", "--stdin", "--tsv"], text);
    assert_eq!(done.status, 2);
    assert!(done.err.contains("standard input:5: \"nonsense\" is not a FEN"), "{}", done.err);
    assert!(done.err.contains("1 of 3 positions could not"), "{}", done.err);
    let rows: Vec<Vec<&str>> = done.out.lines().map(|row| row.split('\t').collect()).collect();
    assert_eq!(rows[0], ["fen", "winnable_white", "winnable_black", "dead", "nodes", "micros"]);
    assert_eq!(rows[1][..4], ["8/8/4k3/8/8/3K4/8/8 w - - 0 1", "no", "no", "yes"]);
    assert_eq!(rows[2][..4], ["7k/5K2/6Q1/8/8/8/8/8 w - - 0 9", "yes", "no", "no"]);
    assert!(rows.len() == 3 && rows.iter().all(|row| row.len() == 6), "{}", done.out);
}

#[test]
fn judge_never_contradicts_the_labelled_positions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/dead_positions.tsv");
    if !path.is_file() {
        println!("skipped: {} does not exist", path.display());
        return;
    }
    // A sample, for the sake of time.
    let rows: Vec<Vec<String>> = rows(&path).into_iter().step_by(20).collect();
    let input = rows.iter().fold(String::new(), |text, row| text + &row[0] + "\n");
    let done = call_with(&["judge", "--stdin", "--tsv", "--nodes", "4000"], &input);
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let mut known = 0;
    for (row, line) in rows.iter().zip(done.out.lines().skip(1)) {
        let got: Vec<&str> = line.split('\t').collect();
        assert_eq!(got[0], row[0]);
        for column in 1..4 {
            let sure = got[column] != "unknown" && row[column] != "unknown";
            known += usize::from(sure);
            assert!(!sure || got[column] == row[column], "{line} but {row:?}");
        }
    }
    assert!(known > 2 * rows.len(), "only {known} answers in {} positions", rows.len());
}

/// What a board without a clock sends while these moves (UCI) are played, two seconds each.
fn capture(moves: &[&str]) -> String {
    let back = ["02", "03", "04", "06", "05", "04", "03", "02"];
    let black = ["08", "09", "0a", "0c", "0b", "0a", "09", "08"];
    let mut men = vec!["00"; 64];
    for file in 0..8 {
        men[file] = black[file];
        men[8 + file] = "07";
        men[48 + file] = "01";
        men[56 + file] = back[file];
    }
    let mut text = String::from("# dgtd capture 1\n# board: 12\n0.000000 ! connected\n");
    writeln!(text, "0.100000 < 86 00 43 {}", men.join(" ")).unwrap();
    let field = |square: &str| {
        let bytes = square.as_bytes();
        usize::from(b'8' - bytes[1]) * 8 + usize::from(bytes[0] - b'a')
    };
    for (number, m) in (1..).zip(moves) {
        let (from, to) = (field(&m[..2]), field(&m[2..4]));
        let man = std::mem::replace(&mut men[from], "00");
        men[to] = man;
        writeln!(text, "{}.000000 < 8e 00 05 {from:02x} 00", 2 * number).unwrap();
        writeln!(text, "{}.500000 < 8e 00 05 {to:02x} {man}", 2 * number).unwrap();
    }
    text
}

const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

/// The initial array for the fifth time after sixteen half-moves.
fn fivefold() -> String {
    capture(&["g1f3", "g8f6", "f3g1", "f6g8"].repeat(4))
}

#[test]
fn replay_shows_the_moves_and_the_end_nobody_can_miss() {
    let done = call_with(&["replay", "-"], &fivefold());
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let lines: Vec<&str> = done.out.lines().collect();
    assert!(lines[0].ends_with("board connected"), "{}", done.out);
    assert!(lines[1].ends_with("game 1: from the initial array"), "{}", done.out);
    let first = lines.iter().find(|line| line.contains("1. Nf3")).unwrap();
    assert!(first.ends_with("made 0:02.5, answered"), "{first}");
    let end = lines.iter().find(|line| line.starts_with("GAME OVER")).unwrap();
    let want = "GAME OVER  1/2-1/2  fivefold repetition (Article 9.6.1)  at 0:";
    assert!(end.starts_with(want), "{end}");
    assert!(lines.last().unwrap().contains("game closed: 1/2-1/2 after 16 half-moves"));
    assert!(!done.out.contains('\x1b'), "colours only on a terminal");
    let spanish = run(dgtctl(&["replay", "-"]).env("LANG", "es_ES").write_stdin(fivefold()));
    assert!(spanish.out.contains("\nFIN DE LA PARTIDA  1/2-1/2  quíntuple"), "{}", spanish.out);
    // Another edition has no such article.
    let old = call_with(&["replay", "--laws", "2009", "-"], &fivefold());
    assert!(!old.out.contains("GAME OVER") && old.out.contains("could claim a draw"));
}

#[test]
fn replay_prints_json_and_writes_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("mate.dgtlog"), capture(&FOOLS_MATE)).unwrap();
    let args = ["replay", "--json", "--pgn", &path("out.pgn"), &path("mate.dgtlog")];
    let done = call(&args);
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let events: Vec<Value> =
        done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| events.iter().filter(|e| e["event"] == kind).collect::<Vec<_>>();
    assert!(events.iter().all(|e| e["board"] == "12" && e["t"].is_number()));
    let sans: Vec<&str> = of("move").iter().map(|e| e["san"].as_str().unwrap()).collect();
    assert_eq!(sans, ["f3", "e5", "g4", "Qh4#"]);
    let over = of("game_over")[0];
    assert_eq!((&over["result"], &over["reason"]), (&"0-1".into(), &"checkmate".into()));
    assert!(of("provisional").is_empty());
    let pgn = fs::read_to_string(path("out.pgn")).unwrap();
    assert!(pgn.contains("[Result \"0-1\"]") && pgn.contains("2. g4 Qh4#"), "{pgn}");
    // What was written can be judged.
    let laws = call(&["laws", &path("out.pgn")]);
    assert!(laws.out.ends_with("out.pgn\t1\t2023\t4\tmate\t5.1.1\n"), "{}", laws.out);

    let shown = call(&["replay", "--json", "--provisional", &path("mate.dgtlog")]);
    assert!(shown.out.contains("\"event\":\"provisional\""), "{}", shown.out);
    let alone = call(&["replay", "--pgn", "-", &path("mate.dgtlog"), &path("mate.dgtlog")]);
    assert_eq!(alone.out, pgn.repeat(2));
    let slow = call(&["replay", "--json", "--realtime=100", &path("mate.dgtlog")]);
    assert_eq!(slow.out, done.out);
}

#[test]
fn replay_names_bad_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let bad = capture(&FOOLS_MATE).replacen("8e 00 05 2d 01", "8e 00 05 2d x1", 1);
    fs::write(path("bad.dgtlog"), &bad).unwrap();
    fs::write(path("good.dgtlog"), capture(&FOOLS_MATE)).unwrap();
    let done = call(&["replay", &path("bad.dgtlog")]);
    assert_eq!(done.status, 2);
    let fault =
        format!("dgtctl: {}:6: byte 5 is \"x1\", expected two hex digits", path("bad.dgtlog"));
    assert!(done.err.starts_with(&fault) && done.err.contains("help: "), "{}", done.err);
    let both = call(&["replay", &path("bad.dgtlog"), &path("good.dgtlog")]);
    assert_eq!(both.status, 2);
    assert!(both.out.contains("GAME OVER  0-1") && both.err.contains("1 of 2 files"));
    let lenient = call(&["replay", "--lenient", &path("bad.dgtlog")]);
    assert_eq!(lenient.status, 0);
    assert!(lenient.err.contains("lines that are not records, skipped: 1"), "{}", lenient.err);
    fs::write(path("empty.dgtlog"), "").unwrap();
    let empty = call(&["replay", &path("empty.dgtlog")]);
    assert_eq!((empty.status, empty.out.as_str()), (0, ""));
    assert!(empty.err.contains("empty.dgtlog holds no record"), "{}", empty.err);
    let missing = call(&["replay", &path("none.dgtlog")]);
    assert_eq!(missing.status, 2);
    assert!(missing.err.contains("cannot read") && missing.err.contains("No such file"));
    let folder_itself = call(&["replay", &folder.path().display().to_string()]);
    assert_eq!(folder_itself.status, 2, "{}", folder_itself.err);
    let binary: Vec<u8> = [0x86, 0x00, 0x43].into_iter().chain([0; 64]).collect();
    fs::write(path("dump.bin"), &binary).unwrap();
    let text = call(&["replay", &path("dump.bin")]);
    assert!(text.status == 2 && text.err.contains("--raw"), "{}", text.err);
    assert_eq!(call(&["replay", "--raw", &path("dump.bin")]).status, 0);
    assert_eq!(call(&["replay", "--raw", "--lenient", &path("dump.bin")]).status, 2);
    assert_eq!(call(&["replay", "--realtime=0", &path("good.dgtlog")]).status, 2);
    assert_eq!(call(&["replay"]).status, 2);
    let fen = call(&["replay", "--fen", "8/8/8/8/8/8/8/8", &path("good.dgtlog")]);
    assert_eq!((fen.status, fen.err.matches("not a position").count()), (2, 1), "{}", fen.err);
}

#[test]
fn replay_begins_where_it_is_told() {
    let mut men = vec!["00"; 64];
    (men[4], men[53], men[60], men[7 * 8]) = ("0b", "01", "05", "02");
    let mut text = format!("0.000000 ! connected\n0.1 < 86 00 43 {}\n", men.join(" "));
    text.push_str("2.0 < 8e 00 05 38 00\n2.5 < 8e 00 05 00 02\n");
    let fen = "4k3/8/8/8/8/8/5P2/R3K3 w Q - 140 90";
    let done = call_with(&["replay", "--json", "--fen", fen, "-"], &text);
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let line = done.out.lines().find(|line| line.contains("\"event\":\"move\"")).unwrap();
    let json: Value = serde_json::from_str(line).unwrap();
    assert_eq!(json["fen"], "R3k3/8/8/8/8/8/5P2/4K3 b - - 141 90");
    assert_eq!(json["san"], "Ra8+");
    // The capture may name the position itself; a bad one is an error of the file.
    let named = call_with(&["replay", "--json", "-"], &format!("# start: {fen}\n{text}"));
    assert_eq!((named.status, named.out), (0, done.out));
    let bad = call_with(&["replay", "-"], &format!("# start: 8/8/8/8/8/8/8/8 w - -\n{text}"));
    assert!(bad.status == 2 && bad.err.contains("standard input"), "{}", bad.err);
}

#[test]
fn nobody_reading_any_more_is_no_error() {
    let long = capture(&["g1f3", "g8f6", "f3g1", "f6g8"].repeat(400));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.dgtlog");
    fs::write(&path, long).unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_dgtctl"))
        .args(["replay", "--json"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert!(child.wait().unwrap().success(), "{errors}");
    assert_eq!(errors, "");
}
