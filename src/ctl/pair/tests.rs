use serde_json::Value;

use super::{
    file::{Round, read},
    plan::number_of,
};
use crate::ctl::client::BoardObject;

fn games(round: &Round) -> Vec<(u32, &str, &str)> {
    round.games.iter().map(|g| (g.board, g.white.as_str(), g.black.as_str())).collect()
}

/// A player's line of a tournament report; rounds as `opponent colour result`.
fn player(rank: u32, name: &str, rounds: &[&str]) -> String {
    let mut line = format!("001 {rank:>4} {:1}{:>3} {name:<33}", "", "");
    while line.chars().count() < 91 {
        line.push(' ');
    }
    for round in rounds {
        line.push_str(round);
        line.push_str("  ");
    }
    line + "\n"
}

fn report() -> String {
    // After round 1: Adams and Dorn 1, Berg and Conti ½, Emil 1 (bye), Falk 0.
    let lines = [
        player(1, "Adams, Ann", &["   6 w 1", "   5 b  "]),
        player(2, "Berg, Bo", &["   3 b =", "   4 w  "]),
        player(3, "Conti, Ada", &["   2 w =", "   6 b  "]),
        player(4, "Dorn, Eva", &["0000 - H", "   2 b  "]),
        player(5, "Emil, Ivo", &["0000 - U", "   1 w  "]),
        player(6, "Falk, Lea", &["   1 b 0", "   3 w  "]),
    ];
    format!("012 Open of Nowhere\n022 Nowhere\n{}", lines.concat())
}

#[test]
fn the_boards_of_a_report_follow_from_scores_and_ranks() {
    let round = read(report().as_bytes(), None).unwrap();
    assert_eq!((round.number, round.event.as_str()), (2, "Open of Nowhere"));
    assert_eq!(
        games(&round),
        [
            (1, "Emil, Ivo", "Adams, Ann"),
            (2, "Berg, Bo", "Dorn, Eva"),
            (3, "Falk, Lea", "Conti, Ada"),
        ]
    );
    let first = read(report().as_bytes(), Some(1)).unwrap();
    assert_eq!(games(&first), [(1, "Adams, Ann", "Falk, Lea"), (2, "Conti, Ada", "Berg, Bo")]);
}

#[test]
fn faults_of_a_report_name_line_and_column() {
    let fault = |from: &str, to: &str, round: Option<u32>| {
        let text = report();
        assert!(text.contains(from), "{from}");
        read(text.replace(from, to).as_bytes(), round).unwrap_err().to_string()
    };
    for (from, to, said) in [
        ("   4 w  ", "   9 w  ", "4:102: no player has starting rank 9"),
        ("   4 w  ", "   4 x  ", "4:107: \"x\" is no colour: w, b or -"),
        ("   4 w  ", "   4 w ?", "4:109: \"?\" is no result of a tournament report"),
        ("   4 w  ", "  4a w  ", "4:102: \"4a\" is no starting rank"),
        ("001    2", "001    x", "4:5: \"x\" is no starting rank (columns 5 to 8)"),
        ("001    2", "001    3", "5:5: starting rank 3 is that of line 4 already"),
    ] {
        assert_eq!(fault(from, to, None), said);
    }
    assert!(fault("   4 w  ", "   4 b  ", None).starts_with("4:102: Berg, Bo is paired with Dorn"));
    assert_eq!(fault("012", "012", Some(7)), "1:1: there is no round 7; the report has 2");
}

const PGN: &str = "[Event \"Open\"]\n[Round \"1.2\"]\n[White \"A\"]\n[Black \"B\"]\n\n*\n\n\
                   [Event \"Open\"]\n[Round \"1.1\"]\n[White \"C\"]\n[Black \"D \\\"x\\\"\"]\n\n\
                   1. e4 { [White \"no tag\"] } *\n\n\
                   [Event \"Open\"]\n[Round \"2\"]\n[White \"A\"]\n[Black \"C\"]\n\n*\n";

#[test]
fn a_pgn_file_gives_boards_by_its_tags() {
    let round = read(PGN.as_bytes(), Some(1)).unwrap();
    assert_eq!(games(&round), [(1, "C", "D \"x\""), (2, "A", "B")]);
    assert_eq!(round.event, "Open");
    assert_eq!(games(&read(PGN.as_bytes(), Some(2)).unwrap()), [(1, "A", "C")]);
    let which = read(PGN.as_bytes(), None).unwrap_err();
    assert_eq!(which.to_string(), "1:1: choose a round with --round: 1, 2");
    // Tags alone, games parted by nothing but the next Event; and a tag of its own for the board.
    let bare = "[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n[Event \"x\"]\n[White \"C\"]\n\
                [Black \"D\"]\n[Board \"7\"]\n";
    assert_eq!(games(&read(bare.as_bytes(), None).unwrap()), [(1, "A", "B"), (7, "C", "D")]);
}

#[test]
fn faults_of_a_pgn_file_name_line_and_column() {
    for (text, said) in [
        ("[White \"A\"]\n[Black B]\n", "2:8: a tag is written [Name \"value\"]"),
        ("[White \"A\"]\n  [Black \"B\n", "2:12: the value has no closing \""),
        ("[White \"A\"]\n[Black \"B\" x\n", "2:11: a ] must follow the value"),
        ("[White \"A\"]\n[Round \"1\"]\n", "1:1: the game that begins here names no Black"),
        (
            "[White \"A\"]\n[Black \"B\"]\n[Round \"final\"]\n",
            "3:9: \"final\" is no number of a round",
        ),
        (
            "[Round \"1.3\"]\n[White \"A\"]\n[Black \"B\"]\n\n*\n\n\
             [Round \"1.3\"]\n[White \"C\"]\n[Black \"D\"]\n",
            "7:1: board 3 has a game in line 1 already: A - B",
        ),
        (
            "no pairings\n",
            "1:1: neither a PGN file, whose tags stand in brackets, nor a FIDE \
                           tournament report, whose players stand in lines that begin with 001",
        ),
    ] {
        assert_eq!(read(text.as_bytes(), None).unwrap_err().to_string(), said);
    }
}

#[test]
fn names_in_latin_1_are_read() {
    let text = b"[White \"P\xe9rez\"]\n[Black \"B\"]\n";
    assert_eq!(games(&read(text, None).unwrap()), [(1, "Pérez", "B")]);
}

#[test]
fn the_number_of_a_board_is_in_its_label_or_name() {
    let board = |path: &str, label: &str, serial: &str| {
        let mut board =
            BoardObject { path: format!("/org/dgtd/boards/{path}"), ..BoardObject::default() };
        let properties = [("Label", label), ("Serial", serial)];
        let properties =
            properties.map(|(name, value)| (name.to_owned(), Value::from(value))).into();
        board.object.insert("org.dgtd.Board1".to_owned(), properties);
        number_of(&board)
    };
    assert_eq!(board("sn_01025", "Table 7", "01025"), Some(7));
    assert_eq!(board("table12", "", "01025"), Some(12));
    assert_eq!(board("sn_01025", "", "01025"), None);
    assert_eq!(board("b2", "Hall 1, board 31", ""), Some(31));
    assert_eq!(board("b", "Show", ""), None);
}
