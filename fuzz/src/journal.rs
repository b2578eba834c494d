//! A journal may hold anything: it was cut, mixed up, or written by a later version of the program.

use dgtd::{
    arbiter::{Input, Options, Output, resume},
    laws::text::Language,
    signals::{
        journal::{
            line,
            read::{Next, Reader},
        },
        recover::Recovery,
    },
    wire::{Contact, message},
};
use serde_json::{Map, Value};

/// Every byte is read or said to be damage, and whatever was read makes a game that can go on.
///
/// If the first byte is `#` the lines that follow are objects to be sealed: what a checksum cannot
/// keep out.
pub fn journal(data: &[u8]) {
    match data.strip_prefix(b"#") {
        Some(lines) => take_up(&sealed(lines)),
        None => take_up(data),
    }
}

/// The lines that are objects, each numbered, if it is not, and sealed.
fn sealed(lines: &[u8]) -> Vec<u8> {
    let mut sealed = Vec::new();
    let mut last = 0;
    for text in lines.split(|byte| *byte == b'\n') {
        let Ok(mut object) = serde_json::from_slice::<Map<String, Value>>(text) else { continue };
        let seq = object.entry("seq").or_insert_with(|| (last + 1).into()).as_u64();
        sealed.extend_from_slice(line::seal(&object, last).as_bytes());
        sealed.push(b'\n');
        last = seq.unwrap_or(last);
    }
    sealed
}

fn take_up(bytes: &[u8]) {
    let board = "b1".parse().unwrap();
    let mut recovery = Recovery::new(Language::default());
    let mut reader = Reader::new(bytes, "b1.jsonl".into(), None);
    let mut read = 0;
    while let Some(next) = reader.read_next().unwrap() {
        match next {
            Next::Line(opened) => {
                read += reader.raw().len() as u64;
                recovery.line(&board, &opened);
            }
            Next::Damage(damage) => {
                read += damage.bytes;
                assert!(damage.to_string().starts_with("b1.jsonl, line "), "{damage}");
                recovery.damage(&board, damage);
            }
        }
    }
    assert_eq!(read, bytes.len() as u64, "a byte that is neither read nor damage");
    let Some(memory) = recovery.boards.get(&board) else { return };
    let now = memory.t;
    let resumed = resume::resume(board, Options::default(), memory.games, &memory.facts, now);
    let mut arbiter = resumed.arbiter;
    let mut out = resumed.outputs;
    let mut now = now;
    arbiter.advance(Input::Attached { port: "x" }, now, &mut out);
    // The board comes back with the men of the initial array.
    let mut squares = [Contact::Empty; 64];
    for (square, piece) in shakmaty::Board::new() {
        squares[usize::from(square.flip_vertical())] = Contact::Man(piece);
    }
    arbiter.advance(Input::Bytes(&message::dump(&squares)), now, &mut out);
    let until = now + std::time::Duration::from_secs(30);
    if until > now {
        super::wait(&mut arbiter, &mut now, until, &mut out);
    }
    arbiter.finish(now, &mut out);
    for output in out {
        if let Output::Event(event) = output {
            assert!(!event.to_json().is_empty());
        }
    }
}
