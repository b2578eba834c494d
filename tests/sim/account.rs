//! The counts as a table, and a session as text for whoever looks into a failure.

use std::fmt::Write;

use super::{
    SECOND,
    board::dgtlog,
    score::Score,
    session::Session,
    subject::{By, Report},
};

/// The head of the table. `exact%` games right, `plies%` plies right up to the first error,
/// `over!` false game-overs, `res!` false results, `miss` ends by the Laws not told, `missR`
/// results by kings not told, `sure` games wrong without a doubt expressed, `doubt` games with
/// one, `extra` changes of the record after an end; then median and 95th percentile of the
/// delays in milliseconds.
pub fn head() -> String {
    format!(
        "{:14} {:>5} {:>7} {:>8} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5} |{}",
        "profile",
        "games",
        "exact%",
        "plies%",
        "over!",
        "res!",
        "miss",
        "missR",
        "sure",
        "doubt",
        "extra",
        ["press", "reply", "still", "prov", "over"].map(|name| format!(" {name:>11}")).concat()
    )
}

/// One profile's line of the table.
pub fn row(name: &str, score: &Score) -> String {
    let empty = Vec::new();
    let delay = |by: By| median_and_p95(score.delays.get(&by).unwrap_or(&empty));
    format!(
        "{:14} {:5} {:7.2} {:8.3} {:5} {:5} {:5} {:5} {:5} {:5} {:5} | {} {} {} {} {}",
        name,
        score.games,
        percent(score.exact, score.games),
        percent(score.right, score.plies),
        score.false_overs,
        score.false_results,
        score.missed_ends,
        score.missed_results,
        score.wrong_and_sure,
        score.doubted,
        score.extra,
        delay(By::Press),
        delay(By::Reply),
        delay(By::Still),
        median_and_p95(&score.provisional),
        median_and_p95(&score.overs)
    )
}

/// Part of a whole in percent.
pub fn percent(part: u32, whole: u32) -> f64 {
    100.0 * f64::from(part) / f64::from(whole.max(1))
}

fn median_and_p95(list: &[f64]) -> String {
    if list.is_empty() {
        return format!("{:>5} {:>5}", "-", "-");
    }
    let mut sorted = list.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |part: f64| sorted[((sorted.len() - 1) as f64 * part) as usize];
    format!("{:5.0} {:5.0}", at(0.5), at(0.95))
}

/// A session with what was said, as a capture with comments.
pub fn story(session: &Session, report: &Report, failures: &[String]) -> String {
    let mut text = dgtlog(session, &report.line);
    let seconds = |time: u64| time as f64 / SECOND as f64;
    let truth = &session.truth;
    let _ = writeln!(text, "# clock reversed {}", truth.reversed);
    for failure in failures {
        let _ = writeln!(text, "# {failure}");
    }
    for (out, back) in &truth.gaps {
        let _ = writeln!(text, "# cable out {:.3} to {:.3}", seconds(*out), seconds(*back));
    }
    for (index, game) in truth.games.iter().enumerate() {
        let _ = writeln!(
            text,
            "# game {} {} set up {:.3}, {:?} at {:.3}, disturbed {:.3}, from {}",
            index + 1,
            if game.rotated { "rotated" } else { "normal" },
            seconds(game.set_up),
            game.end,
            seconds(game.ended),
            seconds(game.disturbed),
            game.fen
        );
        for (number, ply) in game.plies.iter().enumerate() {
            let press = ply.press.map_or("-".into(), |press| format!("{:.3}", seconds(press)));
            let _ = writeln!(
                text,
                "# {:4} {:6} {:8} touched {:9.3} released {:9.3} press {press:>9}{}",
                number + 1,
                ply.uci,
                ply.san,
                seconds(ply.touched),
                seconds(ply.released),
                if ply.in_gap { " (in a gap)" } else { "" }
            );
        }
        for (time, what) in &game.story {
            let _ = writeln!(text, "# happened {:.3} {what}", seconds(*time));
        }
    }
    for (time, event) in &report.events {
        let _ = writeln!(text, "# said {:.3} {event:?}", seconds(*time));
    }
    text
}
