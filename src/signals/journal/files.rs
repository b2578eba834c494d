//! The journal's files: their names, what is deleted when there are too many, what is kept aside.
//!
//! `01025.jsonl` is written to. When it has grown it becomes `01025.<number of its first line>.jsonl`,
//! and a new one is begun. A file with damage is kept as `01025.<n>.damaged`; its whole lines stay
//! under its old name.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufReader, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use super::read::{Next, Reader};
use crate::units::BoardId;

/// The file that is written to.
pub fn current(directory: &Path, board: &BoardId) -> PathBuf {
    directory.join(format!("{board}.jsonl"))
}

/// The name of a file that is full.
pub fn full(directory: &Path, board: &BoardId, first: u64) -> PathBuf {
    directory.join(format!("{board}.{first:012}.jsonl"))
}

/// The board and the number of the first line in a file's name; the newest has none.
fn named(path: &Path) -> Option<(BoardId, Option<u64>)> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
    match stem.split_once('.') {
        None => Some((stem.parse().ok()?, None)),
        Some((board, first)) => Some((board.parse().ok()?, Some(first.parse().ok()?))),
    }
}

/// All files by board, oldest first.
pub fn by_board(directory: &Path) -> io::Result<BTreeMap<BoardId, Vec<PathBuf>>> {
    let mut found: BTreeMap<BoardId, Vec<(u64, PathBuf)>> = BTreeMap::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        // A device or a directory of that name holds no lines.
        if let Some((board, first)) = named(&path).filter(|_| path.is_file()) {
            found.entry(board).or_default().push((first.unwrap_or(u64::MAX), path));
        }
    }
    let in_order = |mut files: Vec<(u64, PathBuf)>| {
        files.sort();
        files.into_iter().map(|(_, path)| path).collect()
    };
    Ok(found.into_iter().map(|(board, files)| (board, in_order(files))).collect())
}

/// Keeps a damaged file under another name and leaves its whole lines under its own. Answers where the
/// damaged one is.
///
/// At no moment is there no file of its name, and nothing is overwritten.
pub fn mend(path: &Path) -> io::Result<PathBuf> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let whole = path.with_extension("jsonl.new");
    let mut reader = Reader::new(BufReader::new(File::open(path)?), path.into(), None);
    let mut writer = BufWriter::new(File::create(&whole)?);
    while let Some(next) = reader.read_next()? {
        if let Next::Line(_) = next {
            writer.write_all(reader.raw())?;
            if !reader.raw().ends_with(b"\n") {
                writer.write_all(b"\n")?;
            }
        }
    }
    writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    let aside = free_name(path)?;
    // A second name rather than another one, so that a crash here loses nothing.
    fs::hard_link(path, &aside).or_else(|_| fs::copy(path, &aside).map(drop))?;
    fs::rename(&whole, path)?;
    File::open(directory)?.sync_all()?;
    Ok(aside)
}

fn free_name(path: &Path) -> io::Result<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names = (1..10_000_u32).map(|n| path.with_file_name(format!("{stem}.{n}.damaged")));
    let free = |path: &PathBuf| !path.exists();
    names.into_iter().find(free).ok_or_else(|| io::Error::other("too many damaged files"))
}

/// Deletes the oldest files of a board until those that are not written to have no more than `most`
/// bytes together. Those with lines from number `keep` on stay. Answers how many went.
pub fn prune(directory: &Path, board: &BoardId, most: u64, keep: u64) -> io::Result<usize> {
    let mut old: Vec<(u64, PathBuf, u64)> = Vec::new();
    let mut total = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        let name = entry.file_name();
        let damaged = name
            .to_str()
            .and_then(|name| name.strip_suffix(".damaged"))
            .is_some_and(|name| name.split('.').next() == Some(board.as_str()));
        let first = match named(&path) {
            Some((own, Some(first))) if own == *board => first,
            _ if damaged => 0,
            _ => continue,
        };
        let size = entry.metadata()?.len();
        total += size;
        old.push((first, path, size));
    }
    old.sort();
    let firsts: Vec<u64> = old.iter().map(|(first, ..)| *first).collect();
    let mut gone = 0;
    for (at, (first, path, size)) in old.iter().enumerate() {
        // The lines of a file go up to the first of the next one.
        let next = firsts[at + 1..].iter().copied().find(|next| *next > *first);
        let needed = *first != 0 && next.is_none_or(|next| next > keep);
        if total <= most || needed {
            continue;
        }
        fs::remove_file(path)?;
        total -= size;
        gone += 1;
    }
    Ok(gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_first_and_the_running_game_stays() {
        let dir = tempfile::tempdir().unwrap();
        let board: BoardId = "a".parse().unwrap();
        for first in [1, 100, 200, 300] {
            fs::write(full(dir.path(), &board, first), [b'x'; 100]).unwrap();
        }
        fs::write(current(dir.path(), &board), [b'x'; 100]).unwrap();
        fs::write(full(dir.path(), &"b".parse().unwrap(), 1), [b'x'; 100]).unwrap();
        fs::write(dir.path().join("a.1.damaged"), [b'x'; 100]).unwrap();
        let names = || -> Vec<String> {
            let files = by_board(dir.path()).unwrap();
            let names = files[&board].iter().map(|p| p.file_name().unwrap().to_string_lossy());
            names.map(std::borrow::Cow::into_owned).collect()
        };
        assert_eq!(prune(dir.path(), &board, 400, 400).unwrap(), 1);
        assert!(!dir.path().join("a.1.damaged").exists());
        assert_eq!(names().len(), 5);
        // A game that began in line 150 needs the second file.
        assert_eq!(prune(dir.path(), &board, 0, 150).unwrap(), 1);
        assert_eq!(
            names(),
            ["a.000000000100.jsonl", "a.000000000200.jsonl", "a.000000000300.jsonl", "a.jsonl"]
        );
        assert_eq!(by_board(dir.path()).unwrap().len(), 2);
    }
}
