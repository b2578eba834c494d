//! A module uses only those above it: the order in `src/lib.rs` is the flow of the data.
#![allow(clippy::unwrap_used, reason = "in a test a wrong step is a failure")]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The modules in the order of `src/lib.rs`.
fn layers() -> Vec<String> {
    let lib = fs::read_to_string(source().join("lib.rs")).unwrap();
    let modules = lib.lines().filter_map(|line| line.strip_prefix("pub mod "));
    modules.map(|name| name.trim_end_matches(';').to_owned()).collect()
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(at: &Path, files: &mut Vec<PathBuf>) {
    if at.is_file() {
        files.extend(at.extension().is_some_and(|e| e == "rs").then(|| at.to_owned()));
    } else if at.is_dir() {
        for entry in fs::read_dir(at).unwrap() {
            rust_files(&entry.unwrap().path(), files);
        }
    }
}

/// The top modules a file names in `crate::` paths, nested groups included.
fn named(code: &str, layers: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("crate::") {
        rest = &rest[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            // `use crate::{a::{b}, c}`: the words at depth one.
            let (mut depth, mut word, mut fresh) = (1, String::new(), true);
            for letter in group.chars() {
                match letter {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                if letter.is_alphanumeric() || letter == '_' {
                    word.push(letter);
                } else {
                    if fresh && !word.is_empty() {
                        names.push(word.clone());
                        fresh = false;
                    }
                    word.clear();
                    fresh |= depth == 1 && letter == ',';
                }
                if depth == 0 {
                    break;
                }
            }
        } else {
            names.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    names.retain(|name| layers.contains(name));
    names
}

/// Code without comments, so that a link in a doc comment is no use.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn modules_use_only_those_above_them() {
    let layers = layers();
    assert!(layers.len() > 8, "the modules are not found in src/lib.rs: {layers:?}");
    let mut wrong = Vec::new();
    for (depth, layer) in layers.iter().enumerate() {
        let mut files = Vec::new();
        rust_files(&source().join(layer), &mut files);
        rust_files(&source().join(format!("{layer}.rs")), &mut files);
        assert!(!files.is_empty(), "no source of {layer}");
        for file in files {
            for name in named(&code(&file), &layers) {
                if layers.iter().position(|other| *other == name).unwrap() > depth {
                    wrong.push(format!("{}: {layer} uses {name}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_core_has_no_clock_files_or_async() {
    let layers = layers();
    let core = &layers[..=layers.iter().position(|name| name == "arbiter").unwrap()];
    let mut wrong = Vec::new();
    for layer in core {
        let mut files = Vec::new();
        rust_files(&source().join(layer), &mut files);
        rust_files(&source().join(format!("{layer}.rs")), &mut files);
        for file in files {
            let code = code(&file);
            for word in
                ["tokio", "std::fs", "std::net", "std::thread", "zbus", "async fn", "println!"]
            {
                if code.contains(word) {
                    wrong.push(format!("{}: {word}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_reader_of_imports_sees_groups() {
    let layers: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
    let code = "use crate::{a::{x, d::y}, b,\n c::z};\nlet q = crate::d::w;";
    assert_eq!(named(code, &layers), ["a", "b", "c", "d"]);
}
