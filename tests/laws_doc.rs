//! `docs/laws.md` names every rule of every edition, and functions and tests that exist.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::{fs, path::Path};

use dgtd::laws::Edition;

/// The lines of a Markdown table as cells, header and rule left out.
fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let rest = text.split_once(heading).unwrap().1;
    let lines = rest.lines().skip_while(|l| !l.starts_with('|')).take_while(|l| l.starts_with('|'));
    lines
        .skip(2)
        .map(|l| l.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

fn sources() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    for folder in ["src/game", "src/laws", "tests"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "rs") {
                text += &fs::read_to_string(path).unwrap();
            }
        }
    }
    text
}

#[test]
fn the_table_of_articles_is_complete_and_true() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/laws.md")).unwrap();
    let sources = sources();
    let rows = table(&text, "## Article, function, test");
    let editions = Edition::ALL.map(|e| e.rules().articles());
    let mut want = Vec::new();
    for (n, (rule, _)) in editions[0].iter().enumerate() {
        let mut row = vec![(*rule).to_owned()];
        row.extend(editions.iter().map(|articles| articles[n].1.to_owned()));
        want.push(row);
    }
    let got: Vec<Vec<String>> = rows.iter().map(|row| row[..8].to_vec()).collect();
    assert_eq!(got, want);
    for row in &rows {
        assert_eq!(row.len(), 10, "{row:?}");
        for cell in &row[8..] {
            for name in cell.split(", ") {
                let name = name.trim_matches('`').rsplit("::").next().unwrap();
                let named = ["fn ", "struct ", "enum ", "pub "]
                    .iter()
                    .any(|word| sources.contains(&format!("{word}{name}")));
                assert!(named, "{name} of {row:?} does not exist");
            }
        }
    }
}
