//! How fast bytes become messages, and messages become what a board says, beside plain loops over
//! the same bytes in the same run. `cargo bench --bench wire`.

use std::{hint::black_box, time::Instant};

use dgtd::{
    link::{Link, LinkOptions},
    units::Stamp,
    wire::{Framer, Item, Message},
};

/// The highest bits of a generator's state as a small number.
fn high(state: u32, bits: u32) -> u8 {
    u8::try_from(state >> (32 - bits)).unwrap_or_default()
}

/// Bytes of a game as a board sends it: two updates and three clock times a move, a dump now and then.
fn stream(messages: usize) -> (Vec<u8>, usize) {
    let mut bytes = Vec::new();
    let mut count = 0;
    let mut state = 1_u32;
    for turn in 0_u32.. {
        if count >= messages {
            break;
        }
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let field = high(state, 6);
        bytes.extend([0x8e, 0, 5, field, 0, 0x8e, 0, 5, field ^ 5, high(state, 5) % 13]);
        for second in 0..3 {
            bytes.extend([0x8d, 0, 10, 0x20, 0x59, field & 7, 0x21, 0x30, second, 0x09]);
        }
        count += 5;
        if turn % 40 == 39 {
            bytes.extend([0x86, 0, 67]);
            bytes.extend((0..64).map(|square| square % 13));
            count += 1;
        }
    }
    (bytes, count)
}

/// The best of nine runs, in seconds.
fn best(mut run: impl FnMut()) -> f64 {
    let time = |run: &mut dyn FnMut()| {
        #[expect(clippy::disallowed_methods, reason = "a benchmark measures")]
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..9).map(|_| time(&mut run)).fold(f64::INFINITY, f64::min)
}

fn framed(bytes: &[u8], portion: usize) -> u64 {
    let mut framer = Framer::default();
    let mut sum = 0;
    for portion in bytes.chunks(portion) {
        framer.push(portion, Stamp::ZERO, |item| match item {
            Item::Message(Message::FieldUpdate { field, .. }) => sum += u64::from(field.number()),
            Item::Message(Message::Clock(reading)) => sum += reading.left.time.0,
            Item::Message(_) => sum += 1,
            Item::Lost(loss) => unreachable!("{loss:?}"),
        });
    }
    sum
}

fn linked(bytes: &[u8], portion: usize) -> usize {
    let mut link = Link::new(LinkOptions { passive: true, ..LinkOptions::default() });
    let mut out = Vec::new();
    let mut events = 0;
    for portion in bytes.chunks(portion) {
        link.bytes(portion, Stamp::ZERO, &mut out);
        events += out.len();
        out.clear();
    }
    events
}

#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 bytes")]
fn main() {
    let (bytes, messages) = stream(1_000_000);
    let mut copy = vec![0; bytes.len()];
    println!("{} messages in {} bytes; best of nine runs, one core", messages, bytes.len());
    println!();
    println!("| what | million messages/s | MB/s | ns/message |");
    println!("|---|---:|---:|---:|");
    let row = |what: &str, seconds: f64| {
        println!(
            "| {what} | {:.1} | {:.0} | {:.1} |",
            messages as f64 / seconds / 1e6,
            bytes.len() as f64 / seconds / 1e6,
            seconds * 1e9 / messages as f64,
        );
    };
    row("copy the bytes", best(|| black_box(&mut copy).copy_from_slice(black_box(&bytes))));
    row(
        "loop over the bytes, find message starts",
        best(|| {
            let mut starts = 0_u64;
            for byte in black_box(&bytes) {
                starts += u64::from(black_box(*byte) >= 0x80);
            }
            black_box(starts);
        }),
    );
    for portion in [4096, 64, 1] {
        let name = format!("framer, portions of {portion}");
        row(&name, best(|| _ = black_box(framed(black_box(&bytes), portion))));
    }
    for portion in [4096, 64, 1] {
        let name = format!("framer and link, portions of {portion}");
        row(&name, best(|| _ = black_box(linked(black_box(&bytes), portion))));
    }
    println!();
    println!("a link holds {} bytes, a snapshot of its squares beside it", size_of::<Link>());
}
