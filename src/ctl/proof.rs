//! Proofs that a side can or cannot mate, in words.

use std::io::{self, Write};

use shakmaty::{Chess, Color};

use crate::{
    dead::{self, Certificate, Man, Proof, Winnable},
    laws::text::Language,
};

/// What a verdict rests on, for whoever wants to go through it by hand: how far each man can get,
/// and what a check that shares nothing with the search says.
pub fn print(
    position: &Chess,
    side: Color,
    winnable: &Winnable,
    language: &Language,
    out: &mut dyn Write,
) -> io::Result<()> {
    if let Some(Certificate { proof: Proof::Region(region), .. }) = winnable.certificate() {
        writeln!(out, "  {}", language.say("proof-reach", Vec::new()))?;
        for man in &region.men {
            writeln!(out, "    {}", reach(man))?;
        }
    }
    if winnable.known().is_some() {
        let checked = match dead::check::verdict(position, side, winnable) {
            Ok(()) => "yes",
            Err(_) => "no",
        };
        let nodes = winnable.nodes().to_string();
        let args = vec![("checked", checked.to_owned()), ("nodes", nodes)];
        writeln!(out, "  {}", language.say("proof-checked", args))?;
    }
    Ok(())
}

/// A man and the squares it can ever stand on: `Pa2  a2`, `Kg1  f1 g1 h1 x`, the `x` for a man that
/// may be captured.
fn reach(man: &Man) -> String {
    let squares = if man.reach.count() > 20 {
        format!("{} squares", man.reach.count())
    } else {
        man.reach.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    };
    let fate = if man.capturable { " x" } else { "" };
    format!("{}{}  {squares}{fate}", man.piece.char(), man.origin)
}
