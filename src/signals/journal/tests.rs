use std::{fs::OpenOptions, io::Write as _, os::unix::fs::PermissionsExt as _};

use super::*;

fn line(board: &str, seq: u64, prev: u64) -> Line {
    let text = format!(r#"{{"event":"link","state":"silent","board":"{board}","seq":{seq}}}"#);
    Line {
        board: board.parse().unwrap(),
        seq,
        text: line::seal(&serde_json::from_str(&text).unwrap(), prev),
        durable: seq.is_multiple_of(2),
        needs: None,
    }
}

fn numbers(directory: &Path) -> Vec<u64> {
    let (all, _) = read_back(directory, 0, u64::MAX, 10_000, |_| true).unwrap();
    all.iter().map(|object| object["seq"].as_u64().unwrap()).collect()
}

#[test]
fn numbers_and_identity_survive_a_restart_and_a_torn_line() {
    let dir = tempfile::tempdir().unwrap();
    let (mut journal, first) = Journal::open(dir.path()).unwrap();
    assert_eq!(first.last, 0);
    journal.write(vec![line("a", 1, 0), line("b", 2, 0), line("a", 3, 1)]).blocking_recv().unwrap();
    journal.close();
    let torn = dir.path().join("a.jsonl");
    let mut file = OpenOptions::new().append(true).open(&torn).unwrap();
    file.write_all(br#"{"event":"move","seq":4,"#).unwrap();
    let whole = fs::read(&torn).unwrap();
    let (mut journal, second) = Journal::open(dir.path()).unwrap();
    assert_eq!((second.id, second.last), (first.id, 3));
    let damage = &second.recovery.boards[&"a".parse().unwrap()].damage;
    assert_eq!(damage.len(), 1);
    assert!(damage[0].to_string().contains("a.jsonl, line 3, byte "), "{}", damage[0]);
    let aside = second.mended[0].1.as_ref().unwrap();
    assert_eq!(fs::read(aside).unwrap(), whole);
    journal.write(vec![line("a", 5, 3)]).blocking_recv().unwrap();
    journal.close();
    assert_eq!(numbers(dir.path()), [1, 2, 3, 5]);
    let (some, more) = read_back(dir.path(), 1, 5, 1, |_| true).unwrap();
    assert_eq!((some[0]["seq"].as_u64(), more), (Some(2), true));
    let (journal, third) = Journal::open(dir.path()).unwrap();
    journal.close();
    assert!(third.mended.is_empty() && !third.recovery.boards[&"a".parse().unwrap()].is_damaged());
}

#[test]
fn lines_wait_in_memory_for_a_directory_that_is_in_the_way() {
    let dir = tempfile::tempdir().unwrap();
    let inner = dir.path().join("journal");
    fs::write(&inner, "in the way").unwrap();
    let (mut journal, opened) = Journal::open(&inner).unwrap();
    assert!(opened.trouble.is_some());
    let mut notices = journal.notices().unwrap();
    journal.write(vec![line("a", 1, 0)]).blocking_recv().unwrap();
    journal.write(vec![line("a", 2, 1)]).blocking_recv().unwrap();
    assert!(matches!(notices.try_recv(), Ok(Notice::Failing { .. })));
    assert!(notices.try_recv().is_err(), "said once");
    fs::remove_file(&inner).unwrap();
    journal.write(vec![line("b", 3, 0)]).blocking_recv().unwrap();
    let board = "a".parse().unwrap();
    assert_eq!(notices.try_recv(), Ok(Notice::Working { board, lost: Vec::new() }));
    journal.close();
    assert_eq!(numbers(&inner), [1, 2, 3]);
}

#[test]
fn a_directory_that_is_taken_away_is_made_anew_with_all_that_was_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let inner = dir.path().join("journal");
    let (mut journal, _) = Journal::open(&inner).unwrap();
    journal.write(vec![line("a", 1, 0)]).blocking_recv().unwrap();
    fs::remove_dir_all(&inner).unwrap();
    journal.write(vec![line("a", 2, 1)]).blocking_recv().unwrap();
    assert_eq!(numbers(&inner), [1, 2]);
    fs::rename(&inner, dir.path().join("moved")).unwrap();
    fs::write(&inner, "in the way").unwrap();
    journal.write(vec![line("a", 3, 2)]).blocking_recv().unwrap();
    fs::remove_file(&inner).unwrap();
    journal.write(vec![line("a", 4, 3)]).blocking_recv().unwrap();
    journal.close();
    assert_eq!(numbers(&inner), [1, 2, 3, 4]);
}

#[test]
fn a_disk_that_is_full_loses_nothing_while_there_is_room_in_memory() {
    // `/dev/full` fails every write as a full disk does.
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", dir.path().join("a.jsonl")).unwrap();
    fs::write(dir.path().join("id"), "x").unwrap();
    let (mut journal, _) = Journal::open(dir.path()).unwrap();
    let mut notices = journal.notices().unwrap();
    for seq in 1..=50 {
        journal.write(vec![line("a", seq, seq - 1), line("b", 1_000 + seq, 999 + seq)]);
    }
    journal.write(Vec::new()).blocking_recv().unwrap();
    let Ok(Notice::Failing { why, .. }) = notices.try_recv() else { panic!("not told") };
    assert!(why.contains("No space left on device"), "{why}");
    fs::remove_file(dir.path().join("a.jsonl")).unwrap();
    journal.write(vec![line("a", 51, 50)]).blocking_recv().unwrap();
    assert!(matches!(notices.try_recv(), Ok(Notice::Working { lost, .. }) if lost.is_empty()));
    journal.close();
    let all: Vec<u64> = (1..=51).chain(1_001..=1_050).collect();
    assert_eq!(numbers(dir.path()), all);
}

#[test]
fn what_there_is_no_room_for_is_named() {
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", dir.path().join("a.jsonl")).unwrap();
    let (mut journal, _) =
        Journal::open_bounded(dir.path(), 1 << 30, &Language::default()).unwrap();
    let mut notices = journal.notices().unwrap();
    let mut big = |seq: u64| {
        let mut line = line("a", seq, seq - 1);
        line.text = "x".repeat(1 << 20);
        journal.write(vec![line]).blocking_recv().ok();
    };
    (1..=20).for_each(&mut big);
    assert!(matches!(notices.try_recv(), Ok(Notice::Failing { .. })));
    fs::remove_file(dir.path().join("a.jsonl")).unwrap();
    journal.write(vec![]).blocking_recv().ok();
    // The thread tries by itself, too.
    for _ in 0..100 {
        journal.write(vec![line("a", 21, 20)]).blocking_recv().ok();
        if let Ok(Notice::Working { lost, .. }) = notices.try_recv() {
            assert_eq!((lost[0].first, lost[0].board.as_str()), (1, "a"));
            let written = fs::read(dir.path().join("a.jsonl")).unwrap();
            let kept = written.split(|b| *b == b'\n').filter(|l| l.len() == 1 << 20).count() as u64;
            assert!(kept >= 6 && lost[0].count + kept == 20, "{lost:?} {kept}");
            return;
        }
        thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("never written again");
}

#[test]
fn a_directory_without_permission_is_said_and_taken_up_later() {
    if rustix::process::geteuid().is_root() {
        eprintln!("skipped: root may write everywhere");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (mut journal, _) = Journal::open(dir.path()).unwrap();
    let mut notices = journal.notices().unwrap();
    let allow = |mode| fs::set_permissions(dir.path(), fs::Permissions::from_mode(mode)).unwrap();
    allow(0o500);
    journal.write(vec![line("a", 1, 0)]).blocking_recv().unwrap();
    assert!(matches!(notices.try_recv(), Ok(Notice::Failing { .. })));
    allow(0o700);
    journal.write(vec![line("a", 2, 1)]).blocking_recv().unwrap();
    journal.close();
    assert_eq!(numbers(dir.path()), [1, 2]);
}

#[test]
fn full_files_are_put_away_and_the_oldest_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let (mut journal, _) = Journal::open_bounded(dir.path(), 8_000, &Language::default()).unwrap();
    for seq in 1..=400 {
        let mut line = line("a", seq, seq - 1);
        // A game begins in line 390.
        line.needs = (seq == 390 || seq == 5).then_some(seq - 1);
        journal.write(vec![line]).blocking_recv().unwrap();
    }
    journal.close();
    let kept = numbers(dir.path());
    assert_eq!(kept.last(), Some(&400));
    // Line 5 kept everything until the game of line 390 began.
    assert!(kept[0] > 100 && kept.windows(2).all(|pair| pair[1] == pair[0] + 1), "{kept:?}");
    let (journal, opened) = Journal::open_bounded(dir.path(), 8_000, &Language::default()).unwrap();
    journal.close();
    assert_eq!(opened.last, 400);
    assert!(!opened.recovery.boards[&"a".parse().unwrap()].is_damaged());
}
