//! Bytes to messages: every message by example, any portions, any damage.

#![allow(clippy::unwrap_used, clippy::panic, reason = "in a test a wrong step is a failure")]

use dgtd::{
    capture::{Reader, What},
    units::{Millis, Stamp},
    wire::{
        Battery, ClockSide, Contact, Field, Framer, Item, LineCount, Loss, MAX_MESSAGE, Message,
        SerialNumber, Token, Version,
    },
};
use proptest::prelude::*;
use shakmaty::Piece;

fn items(bytes: &[u8]) -> Vec<Item> {
    let mut items = Vec::new();
    Framer::default().push(bytes, Stamp::ZERO, |item| items.push(item));
    items
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

fn one(text: &str) -> Message {
    match &items(&hex(text))[..] {
        [Item::Message(message)] => message.clone(),
        other => panic!("{text}: {other:?}"),
    }
}

fn man(fen: char) -> Contact {
    Contact::Man(Piece::from_char(fen).unwrap())
}

#[test]
fn each_message_of_the_protocol_text() {
    let field = |number| Field::new(number).unwrap();
    let update = |number, contact| Message::FieldUpdate { field: field(number), contact };
    for (bytes, message) in [
        ("8e 00 05 34 00", update(0x34, Contact::Empty)),
        ("8e 00 05 24 01", update(0x24, man('P'))),
        ("8e 00 05 1b 0b", update(0x1b, man('k'))),
        ("8e 00 05 24 05", update(0x24, man('K'))),
        ("8e 00 05 24 0d", update(0x24, Contact::Token(Token::Draw))),
        ("8e 00 05 24 11", update(0x24, Contact::Unreadable(0x11))),
        ("91 00 08 30 31 30 32 35", Message::SerialNumber(SerialNumber::new(*b"01025").unwrap())),
        (
            "91 00 0c 30 31 30 32 35 20 31 2e 30",
            Message::SerialNumber(SerialNumber::new(*b"01025").unwrap()),
        ),
        ("90 00 05 08 01", Message::BusAddress(1025)),
        ("93 00 05 01 08", Message::Version(Version { major: 1, minor: 8 })),
        ("a2 00 0d 33 30 30 30 30 31 32 33 34 35", Message::LongSerialNumber("3000012345".into())),
        ("92 00 0b 44 47 54 0a 56 73 20 31", Message::Trademark("DGT\nVs 1".into())),
        (
            "a0 00 0c 50 7f 7f 03 0c 00 01 05 02",
            Message::Battery(Battery {
                percent: 80,
                minutes_left: None,
                minutes_on: Some(192),
                minutes_standby: Some(65),
                charging: Some(false),
                discharging: Some(true),
            }),
        ),
        (
            "a0 00 06 32 01 1e",
            Message::Battery(Battery { percent: 50, minutes_left: Some(90), ..Battery::default() }),
        ),
        ("8d 00 0a 00 00 00 00 00 00 20", Message::ClockAbsent),
        ("8d 00 0a 00 00 00 00 00 00 00", Message::ClockNull),
        ("96 00 05 01 02", Message::Unknown { id: 0x96, length: 5 }),
        ("ff 00 03", Message::Unknown { id: 0xff, length: 3 }),
        ("80 00 04 01", Message::Unknown { id: 0x80, length: 4 }),
    ] {
        assert_eq!(one(bytes), message, "{bytes}");
    }
    assert_eq!(Version { major: 3, minor: 10 }.to_string(), "3.10");
}

#[test]
fn the_first_array_both_ways_round() {
    let zeros = "00 ".repeat(32);
    let normal = format!(
        "86 00 43 08 09 0a 0c 0b 0a 09 08 {}{zeros}{}02 03 04 06 05 04 03 02",
        "07 ".repeat(8),
        "01 ".repeat(8)
    );
    let rotated = format!(
        "86 00 43 02 03 04 05 06 04 03 02 {}{zeros}{}08 09 0a 0b 0c 0a 09 08",
        "01 ".repeat(8),
        "07 ".repeat(8)
    );
    let array = "rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR";
    let read = |bytes: &str| match one(bytes) {
        Message::Dump(squares) => {
            squares.iter().map(|contact| contact.man().map_or('.', Piece::char)).collect::<String>()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(read(&normal), array);
    assert_eq!(read(&rotated), array.chars().rev().collect::<String>());
}

/// Bytes; right and left time in seconds; running; turn; flags of the right side (fallen, shown,
/// increment).
type ClockCase = (&'static str, u64, u64, bool, ClockSide, [bool; 3]);

#[test]
fn clock_times() {
    let cases: [ClockCase; 6] = [
        ("8d 00 0a 20 03 02 20 03 01 09", 182, 181, true, ClockSide::Left, [false, false, true]),
        ("8d 00 0a 30 00 00 20 00 16 12", 0, 16, false, ClockSide::Right, [true, false, true]),
        ("8d 00 0a 41 30 00 01 29 55 09", 5400, 5395, true, ClockSide::Left, [false, true, false]),
        ("8d 00 0a 20 03 02 20 03 02 08", 182, 182, false, ClockSide::Left, [false, false, true]),
        ("8d 00 0a 20 03 03 20 03 01 13", 183, 181, true, ClockSide::Right, [false, false, true]),
        ("8d 00 0a 09 59 59 00 00 01 01", 35999, 1, true, ClockSide::Left, [false; 3]),
    ];
    for (bytes, right, left, running, turn, flags) in cases {
        let Message::Clock(reading) = one(bytes) else { panic!("{bytes}") };
        assert_eq!(reading.right.time, Millis::from_seconds(right), "{bytes}");
        assert_eq!(reading.left.time, Millis::from_seconds(left), "{bytes}");
        assert_eq!((reading.running, reading.turn, reading.battery_low), (running, turn, false));
        let right = reading.right;
        assert_eq!([right.flag_fallen, right.flag_shown, right.increment_shown], flags, "{bytes}");
    }
    let Message::Clock(low) = one("8d 00 0a 00 01 00 00 01 00 05") else { panic!() };
    assert!(low.battery_low);
    // 12:08:08, minutes and seconds above 59, digits above nine.
    for bytes in [
        "8d 00 0a 0c 08 08 00 00 00 01",
        "8d 00 0a 00 60 00 00 00 00 01",
        "8d 00 0a 00 00 60 00 00 00 01",
        "8d 00 0a 00 0b 00 00 00 00 01",
        "8d 00 0a 00 00 00 0b 00 00 01",
    ] {
        assert!(matches!(one(bytes), Message::ClockUnreadable(_)), "{bytes}");
    }
}

#[test]
fn clock_answers() {
    for (bytes, ack) in [
        ("8d 00 0a 0a 10 09 0a 20 00 00", [0x10, 0x09, 0x20, 0x00]),
        ("8d 00 0a 0a 10 08 2a 05 31 00", [0x10, 0x88, 0x05, 0x31]),
        ("8d 00 0a 0a 10 0c 0a 00 00 00", [16, 12, 0, 0]),
        ("8d 00 0a 0a 40 0a 0a 00 00 00", [0x40, 0x0a, 0, 0]),
        // The mark in one place only; top bits of the last two bytes.
        ("8d 00 0a 00 10 09 0a 20 00 00", [0x10, 0x09, 0x20, 0x00]),
        ("8d 00 0a 3a 10 09 00 20 01 00", [0x10, 0x09, 0xa0, 0x81]),
    ] {
        let Message::ClockAck(got) = one(bytes) else { panic!("{bytes}") };
        assert_eq!(got.bytes, ack, "{bytes}");
    }
    let Message::ClockAck(answer) = one("8d 00 0a 0a 10 09 0a 1e 00 00") else { panic!() };
    assert_eq!(answer.version(), Some((1, 14)));
    assert!(answer.accepted() && !answer.unasked());
    let Message::ClockAck(button) = one("8d 00 0a 0a 10 08 2a 05 31 00") else { panic!() };
    assert!(button.version().is_none() && button.unasked());
}

#[test]
fn each_rule_of_resynchronisation() {
    const UPDATE: &str = "8e 00 05 34 00";
    let cut_short = |id, got| Item::Lost(Loss::CutShort { id, got });
    let length = |id, total| Item::Lost(Loss::Length { id, total });
    let content = |id| Item::Lost(Loss::Content { id });
    let unknown = Item::Message(Message::Unknown { id: 0xff, length: 5 });
    for (rule, bytes, expected) in [
        ("1: stray bytes, told once", "00 41 7f", vec![Item::Lost(Loss::Stray)]),
        ("2: cut short in the payload", "8d 00 0a 20", vec![cut_short(0x8d, 4)]),
        ("2: cut short in the header", "8e 00", vec![cut_short(0x8e, 2)]),
        ("2: cut short at once", "8e", vec![cut_short(0x8e, 1)]),
        ("3: too short", "8e 00 02", vec![length(0x8e, 2)]),
        ("3: too long", "ff 3e 04", vec![length(0xff, 7940)]),
        ("3: filler is no loss", "80 00 00 80 00 00", vec![]),
        ("4: length of another kind", "86 00 42", vec![length(0x86, 66)]),
        ("4: strays of a length too short", "8d 00 09 20 03 02 20", vec![length(0x8d, 9)]),
        ("5: unknown messages are consumed", "ff 00 05 01 02", vec![unknown]),
        ("7: a run of damage is told once", "90 81 00 08 00 00 b5 00 08", vec![cut_short(0x90, 1)]),
        ("impossible square", "8e 00 05 40 01", vec![content(0x8e)]),
        ("serial number that is none", "91 00 08 30 31 30 32 61", vec![content(0x91)]),
        ("charge above 100 %", "a0 00 04 65", vec![content(0xa0)]),
    ] {
        let text = format!("{UPDATE} {bytes} {UPDATE}");
        let update = Item::Message(one(UPDATE));
        let all: Vec<_> = [vec![update.clone()], expected, vec![update]].concat();
        assert_eq!(items(&hex(&text)), all, "{rule}");
        // A whole message in between, and the next damage is told too.
        let twice = format!("{text} {bytes} {UPDATE}");
        assert_eq!(items(&hex(&twice)), [&all[..], &all[1..]].concat(), "{rule}, twice");
    }
}

#[test]
fn rule_6_a_message_that_stands_still_is_given_up() {
    let mut framer = Framer::default();
    let mut items = Vec::new();
    framer.push(&hex("8e 00 05"), Stamp::from_millis(100), |item| items.push(item));
    framer.push(&hex("34"), Stamp::from_millis(1099), |item| items.push(item));
    assert_eq!(framer.deadline(), Some(Stamp::from_millis(2099)));
    framer.timeout(Stamp::from_millis(2098), |item| items.push(item));
    assert_eq!(items, []);
    let mut late = framer.clone();
    framer.timeout(Stamp::from_millis(2099), |item| items.push(item));
    assert_eq!(items, [Item::Lost(Loss::CutShort { id: 0x8e, got: 4 })]);
    assert_eq!(framer.deadline(), None);
    // The same when nobody called in time and the next byte comes first.
    items.clear();
    late.push(&hex("00"), Stamp::from_millis(2099), |item| items.push(item));
    assert_eq!(items, [Item::Lost(Loss::CutShort { id: 0x8e, got: 4 })]);
    assert_eq!((late.count().lost_bytes, late.count().lost_messages), (5, 1));
}

#[test]
fn the_longest_message_passes() {
    let mut bytes = vec![0x8f, 0x3e, 0x03];
    bytes.extend((0..MAX_MESSAGE - 3).map(|n| u8::try_from(n % 0x80).unwrap()));
    let mut framer = Framer::default();
    let mut items = Vec::new();
    for portion in bytes.chunks(100) {
        framer.push(portion, Stamp::ZERO, |item| items.push(item));
    }
    let Item::Message(Message::EventLog(log)) = &items[0] else { panic!("{items:?}") };
    assert_eq!(log[..], bytes[3..]);
    assert_eq!(framer.count().lost_bytes, 0);
}

/// A whole message as bytes.
fn message() -> impl Strategy<Value = Vec<u8>> {
    let payload = |id: u8, total: u8| {
        prop::collection::vec(0_u8..0x80, usize::from(total) - 3).prop_map(move |payload| {
            let mut bytes = vec![id, 0, total];
            bytes.extend(payload);
            bytes
        })
    };
    prop_oneof![
        4 => (0_u8..64, 0_u8..13).prop_map(|(field, code)| vec![0x8e, 0, 5, field, code]),
        3 => payload(0x8d, 10),
        1 => payload(0x86, 67),
        1 => payload(0x93, 5),
        1 => payload(0x90, 5),
        1 => payload(0xa5, 9),
        1 => payload(0x92, 100),
    ]
}

fn pushed(portions: &[&[u8]]) -> (Vec<Item>, LineCount) {
    let mut framer = Framer::default();
    let mut items = Vec::new();
    for portion in portions {
        framer.push(portion, Stamp::ZERO, |item| items.push(item));
    }
    (items, framer.count())
}

fn messages_of(bytes: &[u8]) -> Vec<Item> {
    items(bytes).into_iter().filter(|item| matches!(item, Item::Message(_))).collect()
}

proptest! {
    #[test]
    fn portions_do_not_matter(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            // Likely first bytes and lengths, so that messages come about by chance.
            prop::collection::vec(prop::sample::select(
                vec![0x8e, 0x8d, 0x86, 0x93, 0x80, 0, 0, 0, 5, 5, 10, 67, 1, 12, 0x3e, 3]), 0..600),
            prop::collection::vec(message(), 0..12).prop_map(|all| all.concat()),
        ],
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let portions: Vec<_> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
        let whole = pushed(&[&bytes]);
        prop_assert_eq!(&whole, &pushed(&portions));
        let single: Vec<_> = bytes.chunks(1).collect();
        prop_assert_eq!(&whole, &pushed(&single));
    }

    #[test]
    fn garbage_between_messages_loses_none(
        all in prop::collection::vec((message(), prop::collection::vec(0_u8..0x80, 0..20)), 1..12),
    ) {
        let clean: Vec<u8> = all.iter().flat_map(|(message, _)| message.clone()).collect();
        let dirty: Vec<u8> =
            all.iter().flat_map(|(message, garbage)| [&garbage[..], message].concat()).collect();
        prop_assert_eq!(messages_of(&dirty), messages_of(&clean));
    }

    #[test]
    fn a_damaged_byte_loses_its_own_message_only(
        messages in prop::collection::vec(message(), 1..12),
        hit in any::<prop::sample::Index>(),
        damage in prop_oneof![any::<u8>().prop_map(Some), Just(None)],
    ) {
        let victim = hit.index(messages.len());
        let mut all = messages.clone();
        let at = hit.index(all[victim].len());
        match damage {
            Some(byte) => all[victim][at] = byte,
            None => { all[victim].remove(at); }
        }
        let got = messages_of(&all.concat());
        let before = messages_of(&messages[..victim].concat());
        let after = messages_of(&messages[victim + 1..].concat());
        prop_assert!(got.len() >= before.len() + after.len());
        prop_assert_eq!(&got[..before.len()], &before[..]);
        // A length made longer may reach into the next message only up to its first byte.
        prop_assert_eq!(&got[got.len() - after.len()..], &after[..]);
    }

    #[test]
    fn no_byte_is_counted_twice(bytes in prop::collection::vec(any::<u8>(), 0..500)) {
        let mut framer = Framer::default();
        let mut used = 0_u64;
        framer.push(&bytes, Stamp::ZERO, |item| if let Item::Message(message) = item {
            used += match message {
                Message::Unknown { length, .. } => u64::from(length),
                Message::Dump(_) => 67,
                Message::FieldUpdate { .. } | Message::Version(_) | Message::BusAddress(_) => 5,
                Message::SerialNumber(_) => 8,
                Message::Trademark(_) => 3,
                Message::Battery(_) => 4,
                Message::LongSerialNumber(_) => 13,
                Message::EventLog(_) => 7939,
                _ => 10,
            };
        });
        framer.abandon();
        let count = framer.count();
        prop_assert_eq!(count.bytes, bytes.len() as u64);
        prop_assert!(used + count.lost_bytes + 3 * count.filler <= count.bytes);
        if used == 0 && count.messages == 0 {
            prop_assert_eq!(count.lost_bytes + 3 * count.filler, count.bytes);
        }
    }
}

/// Counts of dumps, updates, clock times, everything else, and losses.
fn tally(items: &[Item]) -> [usize; 5] {
    let mut tally = [0; 5];
    for item in items {
        let place = match item {
            Item::Message(Message::Dump(_)) => 0,
            Item::Message(Message::FieldUpdate { .. }) => 1,
            Item::Message(Message::Clock(_)) => 2,
            Item::Message(_) => 3,
            Item::Lost(_) => 4,
        };
        tally[place] += 1;
    }
    tally
}

#[test]
fn real_boards_in_any_portions() {
    for (name, expected) in
        [("real-1.dgtlog", [1, 131, 323, 0, 0]), ("real-2.dgtlog", [1, 226, 578, 0, 0])]
    {
        let path = format!("{}/../shared/captures/{name}", env!("CARGO_MANIFEST_DIR"));
        let Ok(file) = std::fs::File::open(&path) else {
            println!("skipped: no {path}");
            continue;
        };
        let mut bytes = Vec::new();
        for record in Reader::new(std::io::BufReader::new(file), name) {
            if let What::FromBoard(chunk) = record.unwrap().what {
                bytes.extend(chunk);
            }
        }
        let whole = items(&bytes);
        assert_eq!(tally(&whole), expected, "{name}");
        // Sizes of portions from a small generator: the same on every run.
        let mut state = 1_u32;
        for largest in [1, 2, 7, 64, 1000] {
            let mut framer = Framer::default();
            let mut portioned = Vec::new();
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let size = (state >> 16) as usize % largest + 1;
                let (portion, more) = rest.split_at(size.min(rest.len()));
                framer.push(portion, Stamp::ZERO, |item| portioned.push(item));
                rest = more;
            }
            assert_eq!(portioned, whole, "{name} in portions of up to {largest}");
            assert_eq!(framer.count().lost_bytes, 0);
        }
    }
}
