//! Reading the files, merging the drop-ins, and saying what is wrong with them.

use std::{
    fmt, fs, io,
    ops::Range,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use toml::{Spanned, Table, Value};

use super::{Board, Config, PortSpec, picture::Place};

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file or directory could not be read.
    #[error("{path}: cannot be read")]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file says something it cannot say.
    #[error("{path}:{}:{}: {message}\n{}{}", place.line, place.column, place.picture(), Help(help))]
    Content {
        /// The file.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// What is wrong.
        message: String,
        /// What to do, empty when the message says it.
        help: String,
    },
}

struct Help<'a>(&'a str);

impl fmt::Display for Help<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "\nhelp: {}", self.0) }
    }
}

/// The directory of the system's configuration: `$CONFIGURATION_DIRECTORY`, else `/etc/dgtd`.
pub fn standard_directory() -> PathBuf {
    match std::env::var_os("CONFIGURATION_DIRECTORY") {
        // systemd separates several directories by colons; the first is ours.
        Some(list) => std::env::split_paths(&list).next().unwrap_or_default(),
        None => "/etc/dgtd".into(),
    }
}

/// Reads the configuration: `file` alone when given, else `dgtd.toml` of the standard directory
/// and its drop-ins `conf.d/*.toml` in name order. Missing standard files mean the defaults.
pub fn load(file: Option<&Path>) -> Result<Config, ConfigError> {
    let mut texts = Vec::new();
    if let Some(file) = file {
        texts.push((file.to_owned(), read(file)?));
    } else {
        let directory = standard_directory();
        let main = directory.join("dgtd.toml");
        if exists(&main)? {
            texts.push((main.clone(), read(&main)?));
        }
        for path in drop_ins(&directory.join("conf.d"))? {
            let text = read(&path)?;
            texts.push((path, text));
        }
    }
    load_texts(&texts)
}

fn read(path: &Path) -> Result<String, ConfigError> {
    fs::read_to_string(path).map_err(|source| ConfigError::Read { path: path.into(), source })
}

fn exists(path: &Path) -> Result<bool, ConfigError> {
    path.try_exists().map_err(|source| ConfigError::Read { path: path.into(), source })
}

fn drop_ins(directory: &Path) -> Result<Vec<PathBuf>, ConfigError> {
    let fail = |source| ConfigError::Read { path: directory.into(), source };
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(fail(e)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|ext| ext == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Merges files in their order, the later over the earlier: tables key by key; `[[board]]` blocks
/// are added, and merged with an earlier block of the same `name` or `serial`.
pub fn load_texts(texts: &[(PathBuf, String)]) -> Result<Config, ConfigError> {
    let mut merged = Table::new();
    let mut places = Vec::new();
    for (path, text) in texts {
        // Each file must be right by itself, so that the error shows its own line.
        let own: Config = toml::from_str(text).map_err(|e| explain(path, text, &e))?;
        let table: Table = toml::from_str(text).map_err(|e| explain(path, text, &e))?;
        check_boards(path, text, &own.boards)?;
        check_list(path, text)?;
        places.push((path, text));
        merge(&mut merged, table);
    }
    let config: Config = merged.try_into().map_err(|e| {
        // Only the merged `[[board]]` blocks could disagree; blame the last file.
        let (path, text) = places.last().copied().map_or((Path::new(""), ""), |(p, t)| (p, t));
        explain(path, text, &e)
    })?;
    check_across(texts, &config)?;
    Ok(config)
}

fn merge(into: &mut Table, from: Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Table(old)), Value::Table(new)) => merge(old, new),
            (Some(Value::Array(old)), Value::Array(new)) if key == "board" => {
                for block in new {
                    merge_board(old, block);
                }
            }
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

fn merge_board(boards: &mut Vec<Value>, block: Value) {
    let same = |old: &&mut Value| {
        ["name", "serial"]
            .iter()
            .any(|key| block.get(key).is_some() && old.get(key) == block.get(key))
    };
    match (boards.iter_mut().find(same), block) {
        (Some(Value::Table(old)), Value::Table(new)) => merge(old, new),
        (_, block) => boards.push(block),
    }
}

/// The `[[board]]` blocks of a file with their places.
#[derive(Deserialize)]
struct Blocks {
    #[serde(default)]
    board: Vec<Spanned<Table>>,
}

fn block_spans(text: &str) -> Vec<Range<usize>> {
    let blocks = toml::from_str::<Blocks>(text).map(|b| b.board).unwrap_or_default();
    blocks.iter().map(Spanned::span).collect()
}

fn check_boards(path: &Path, text: &str, boards: &[Board]) -> Result<(), ConfigError> {
    for (board, span) in boards.iter().zip(block_spans(text)) {
        if board.serial.is_none() && board.port.is_none() && board.name.is_none() {
            return Err(content(
                path,
                text,
                &span,
                "this board has neither serial nor port",
                "add \
                `serial = \"…\"` (printed under the board, shown by `dgtctl status`) or `port = \"/dev/…\"`",
            ));
        }
        if let Some(serial) = &board.serial
            && serial.parse::<crate::units::BoardId>().is_err()
        {
            let message = format!("{serial:?} cannot be a serial number");
            return Err(content(
                path,
                text,
                &span,
                &message,
                "use the 5 to 10 digits the board reports",
            ));
        }
    }
    Ok(())
}

/// The ports of `list` in `[ports]` with their places.
#[derive(Deserialize)]
struct Listed {
    #[serde(default)]
    ports: ListedPorts,
}

#[derive(Default, Deserialize)]
struct ListedPorts {
    #[serde(default)]
    list: Vec<Spanned<PortSpec>>,
}

fn listed(text: &str) -> Vec<Spanned<PortSpec>> {
    toml::from_str::<Listed>(text).map(|listed| listed.ports.list).unwrap_or_default()
}

/// A port that is listed twice is opened once: one of the two is a slip.
fn check_list(path: &Path, text: &str) -> Result<(), ConfigError> {
    let list = listed(text);
    for (index, port) in list.iter().enumerate() {
        if list[..index].iter().any(|other| other.get_ref() == port.get_ref()) {
            let message = format!("port {} is listed twice", port.get_ref());
            let help = "take one of the two out of `list`, or correct it";
            return Err(content(path, text, &port.span(), &message, help));
        }
    }
    Ok(())
}

/// A port stands in the list that is in force or in a `[[board]]` block, not in both.
fn check_list_and_boards(texts: &[(PathBuf, String)], config: &Config) -> Result<(), ConfigError> {
    let lists = texts.iter().rev().map(|(path, text)| (path, text, listed(text)));
    let Some((path, text, list)) = lists.into_iter().find(|(.., list)| !list.is_empty()) else {
        return Ok(());
    };
    // A later file may have emptied it.
    for port in list.iter().filter(|port| config.ports.list.contains(port.get_ref())) {
        let owner = config.boards.iter().find(|board| board.port.as_ref() == Some(port.get_ref()));
        if let Some(board) = owner {
            let message = format!(
                "port {} is listed here and is the port of board {} too",
                port.get_ref(),
                describe(board)
            );
            let help = "take it out of `list`: the `port` of a [[board]] is enough";
            return Err(content(path, text, &port.span(), &message, help));
        }
    }
    Ok(())
}

fn check_across(texts: &[(PathBuf, String)], config: &Config) -> Result<(), ConfigError> {
    check_list_and_boards(texts, config)?;
    let last = texts
        .iter()
        .rev()
        .find_map(|(path, text)| block_spans(text).last().cloned().map(|span| (path, text, span)));
    let Some((path, text, span)) = last else { return Ok(()) };
    for (index, board) in config.boards.iter().enumerate() {
        let who = describe(board);
        if board.serial.is_none() && board.port.is_none() {
            let message = format!("board {who} has neither serial nor port");
            return Err(content(
                path,
                text,
                &span,
                &message,
                "add `serial` or `port` to its block",
            ));
        }
        for other in &config.boards[..index] {
            let twice = [
                // Object paths write `-` as `_`.
                ("name", board.name.is_some() && path_name(board) == path_name(other)),
                ("serial", board.serial.is_some() && board.serial == other.serial),
                ("port", board.port.is_some() && board.port == other.port),
            ];
            if let Some((key, _)) = twice.iter().find(|(_, same)| *same) {
                let message = format!("boards {} and {who} have the same {key}", describe(other));
                return Err(content(
                    path,
                    text,
                    &span,
                    &message,
                    "give each board its own, or merge the blocks",
                ));
            }
        }
    }
    Ok(())
}

fn path_name(board: &Board) -> Option<String> {
    board.name.as_ref().map(|name| name.0.as_str().replace('-', "_"))
}

fn describe(board: &Board) -> String {
    match (&board.name, &board.serial, &board.port) {
        (Some(name), ..) => format!("`{}`", name.0),
        (None, Some(serial), _) => format!("with serial {serial}"),
        (None, None, Some(port)) => format!("at {port}"),
        (None, None, None) => "without a name".into(),
    }
}

/// Reads a file of another kind, such as `hosts.toml`, with errors of the same form.
pub(crate) fn parse<T: serde::de::DeserializeOwned>(
    path: &Path,
    text: &str,
) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|e| explain(path, text, &e))
}

/// What a file says at `span` (bytes) that it cannot say, and what to do.
pub(crate) fn content(
    path: &Path,
    text: &str,
    span: &Range<usize>,
    message: &str,
    help: &str,
) -> ConfigError {
    ConfigError::Content {
        path: path.into(),
        place: Place::of(text, span),
        message: message.into(),
        help: help.into(),
    }
}

fn explain(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let span = error.span().unwrap_or(0..0);
    let (message, help) = reword(error.message());
    content(path, text, &span, &message, &help)
}

/// The parser's message on one line, in the words people know from the file.
fn plain(message: &str) -> String {
    let message = message.trim_end().replace('\n', "; ");
    let Some(types) = message.strip_prefix("invalid type: ") else { return message };
    let types = types.replace("expected a sequence", "expected a list");
    let types = types.replace("expected a boolean", "expected true or false");
    let types = types.replace("expected a string", "expected a text in quotes");
    format!("got {}", types.replace("map, ", "a block or table, "))
}

/// What to do about the mistakes that are made most in TOML.
fn hint(message: &str) -> &'static str {
    if message.starts_with("unexpected leading zero") {
        "a serial number stands in quotes: serial = \"01025\""
    } else if message.starts_with("invalid type: map, expected a sequence") {
        "a board's block begins with [[board]], in double brackets"
    } else if message.ends_with("expected a sequence") {
        "a list stands in brackets: list = [\"/dev/ttyUSB0\"]"
    } else {
        ""
    }
}

/// serde's "unknown field" and "unknown variant" in our words, with the nearest known one.
fn reword(message: &str) -> (String, String) {
    let mut names = message.split('`').skip(1).step_by(2);
    let (kind, help) = if message.starts_with("unknown field") {
        ("key", "known here")
    } else if message.starts_with("unknown variant") {
        ("value", "possible here")
    } else {
        return (plain(message), hint(message).to_owned());
    };
    let Some(unknown) = names.next() else { return (message.to_owned(), String::new()) };
    let known: Vec<&str> = names.collect();
    let nearest = known
        .iter()
        .map(|name| (strsim::damerau_levenshtein(unknown, name), *name))
        .min()
        .filter(|(distance, name)| *distance <= name.len().max(3) / 2);
    let list = format!("{help}: {}", known.join(", "));
    let help = nearest.map_or(list.clone(), |(_, name)| format!("did you mean `{name}`? {list}"));
    (format!("unknown {kind} `{unknown}`"), help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Result<Config, String> {
        load_texts(&[("dgtd.toml".into(), text.into())]).map_err(|e| e.to_string())
    }

    #[test]
    fn errors_show_file_line_column_and_remedy() {
        for (text, expected) in [
            (
                "[buzzer]\nchipp = \"/dev/gpiochip0\"\n",
                "dgtd.toml:2:1: unknown key `chipp`\n  |\n2 | chipp = \"/dev/gpiochip0\"\n  | ^^^^^\n\
                 help: did you mean `chip`? known here: chip, line, active-low, max-seconds, rest-ms, pattern",
            ),
            (
                "[laws]\nedition = \"2020\"\n",
                "dgtd.toml:2:11: \"2020\" is not an edition of the Laws: use fide-1997, fide-2005, \
                 fide-2009, fide-2014, fide-2017, fide-2018, fide-2023\n  |\n2 | edition = \"2020\"\n  |           ^^^^^^",
            ),
            (
                "[buzzer]\nmax-seconds = 0\n",
                "dgtd.toml:2:15: \"0\" is not a number from 1 to 3600\n  |\n2 | max-seconds = 0\n  |               ^",
            ),
            (
                "[laws]\ntime-control = \"rapit\"\n",
                "dgtd.toml:2:16: unknown value `rapit`\n  |\n2 | time-control = \"rapit\"\n  |                ^^^^^^^\n\
                 help: did you mean `rapid`? possible here: standard, rapid, blitz",
            ),
            (
                "[[board]]\nlabel = \"Table 1\"\n",
                "dgtd.toml:1:1: this board has neither serial nor port\n  |\n1 | [[board]]\n  | ^^^^^^^^^\n\
                 help: add `serial = \"…\"` (printed under the board, shown by `dgtctl status`) or `port = \"/dev/…\"`",
            ),
            (
                "[ports]\nlist = [\"ttyACM0\"]\n",
                "dgtd.toml:2:8: \"ttyACM0\" is not a port: use an absolute device path such as /dev/ttyACM0, bus:/dev/ttyS0 for several boards on one line, or replay:FILE\n  |\n\
                 2 | list = [\"ttyACM0\"]\n  |        ^^^^^^^^^^^",
            ),
            (
                "[[board]]\nserial = 01025\n",
                "dgtd.toml:2:10: unexpected leading zero, expected nothing\n  |\n2 | serial = 01025\n  |          ^\n\
                 help: a serial number stands in quotes: serial = \"01025\"",
            ),
            (
                "[board]\nserial = '01025'\n",
                "dgtd.toml:1:1: got a block or table, expected a list\n  |\n1 | [board]\n  | ^^^^^^^\n\
                 help: a board's block begins with [[board]], in double brackets",
            ),
            (
                "[ports]\nlist = '/dev/ttyUSB0'\n",
                "dgtd.toml:2:8: got string \"/dev/ttyUSB0\", expected a list\n  |\n2 | list = '/dev/ttyUSB0'\n  |        ^^^^^^^^^^^^^^\n\
                 help: a list stands in brackets: list = [\"/dev/ttyUSB0\"]",
            ),
            (
                "[buzzer]\nchip = \"gpiochip0\"\n",
                "dgtd.toml:2:8: \"gpiochip0\" is not a GPIO chip: use an absolute path such as /dev/gpiochip0 \
                 (`ls /dev/gpiochip*` shows what is there), or \"\" for no buzzer\n  |\n\
                 2 | chip = \"gpiochip0\"\n  |        ^^^^^^^^^^^",
            ),
            (
                "[ports]\nlist = [\n  '/dev/ttyS0',\n  '/dev/ttyS1',\n  '/dev/./ttyS0',\n]\n",
                "dgtd.toml:5:3: port /dev/./ttyS0 is listed twice\n  |\n5 |   '/dev/./ttyS0',\n  |   ^^^^^^^^^^^^^^\n\
                 help: take one of the two out of `list`, or correct it",
            ),
            (
                "[ports]\nlist = ['/dev/ttyS0']\n[[board]]\nname = 'b1'\nport = '/dev/ttyS0'\n",
                "dgtd.toml:2:9: port /dev/ttyS0 is listed here and is the port of board `b1` too\n  |\n\
                 2 | list = ['/dev/ttyS0']\n  |         ^^^^^^^^^^^^\n\
                 help: take it out of `list`: the `port` of a [[board]] is enough",
            ),
            (
                "[[board]]\nport = 'replay:a.dgtlog?sped=10'\n",
                "dgtd.toml:2:8: \"sped\" is not an option of a capture: what follows `?` can only be speed, as in \
                 replay:FILE?speed=10; rename a file whose name has a `?`\n  |\n\
                 2 | port = 'replay:a.dgtlog?sped=10'\n  |        ^^^^^^^^^^^^^^^^^^^^^^^^^",
            ),
            (
                "[ports]\nauto = 'yes'\n",
                "dgtd.toml:2:8: got string \"yes\", expected true or false\n  |\n2 | auto = 'yes'\n  |        ^^^^^",
            ),
        ] {
            assert_eq!(one(text).unwrap_err(), expected);
        }
        for broken in ["[laws", "laws = 3", "[ports]\nauto = \"yes\"", "[laws]\n[laws]\n", "\u{0}"]
        {
            let error = one(broken).unwrap_err();
            assert!(error.starts_with("dgtd.toml:") && error.contains('^'), "{error}");
        }
    }

    #[test]
    fn later_files_win_key_by_key() {
        let config = load_texts(&[
            (
                "dgtd.toml".into(),
                "[buzzer]\nline = 4\nmax-seconds = 9\n[[board]]\nname = 'a'\nserial = '00001'\n"
                    .into(),
            ),
            (
                "conf.d/10.toml".into(),
                "[buzzer]\nline = 5\n[[board]]\nserial = '00001'\nlabel = 'T1'\n".into(),
            ),
            ("conf.d/20.toml".into(), "[[board]]\nname = 'b'\nport = '/dev/ttyS0'\n".into()),
        ])
        .unwrap();
        assert_eq!((config.buzzer.line.get(), config.buzzer.max_seconds.get()), (5, 9));
        assert_eq!(config.boards.len(), 2);
        assert_eq!(config.boards[0].label, "T1");
        assert_eq!(config.boards[0].name.as_ref().unwrap().0.as_str(), "a");
    }

    #[test]
    fn two_boards_cannot_share_a_port() {
        let error = load_texts(&[
            ("dgtd.toml".into(), "[[board]]\nname = 'a'\nport = '/dev/ttyS0'\n".into()),
            ("conf.d/10.toml".into(), "\n[[board]]\nname = 'b'\nport = '/dev/ttyS0'\n".into()),
        ])
        .unwrap_err()
        .to_string();
        assert!(
            error.starts_with("conf.d/10.toml:2:1: boards `a` and `b` have the same port"),
            "{error}"
        );
    }

    #[test]
    fn a_list_that_is_no_longer_in_force_may_say_what_it_likes() {
        let config = load_texts(&[
            ("dgtd.toml".into(), "[ports]\nlist = ['/dev/ttyS0']\n".into()),
            (
                "conf.d/10.toml".into(),
                "[ports]\nlist = []\n[[board]]\nname = 'b'\nport = '/dev/ttyS0'\n".into(),
            ),
        ]);
        assert!(config.is_ok(), "{config:?}");
    }

    #[test]
    fn files_that_cannot_be_read_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let missing = dir.path().join("none.toml");
        let error = load(Some(&missing)).unwrap_err();
        assert!(error.to_string().contains("none.toml: cannot be read"), "{error}");
        fs::write(dir.path().join("bin.toml"), [0xff, 0xfe]).unwrap();
        assert!(matches!(load(Some(&dir.path().join("bin.toml"))), Err(ConfigError::Read { .. })));
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text: String) {
            let _ = one(&text);
        }
    }
}
