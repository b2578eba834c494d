//! Proofs that a side can or cannot mate, in words.

use std::io::{self, Write};

use shakmaty::{Chess, Color};

use crate::{
    dead::{self, Certificate, Man, Proof, Shortage, Winnable},
    laws::text::Language,
};

/// Why a side cannot mate, without a full stop.
pub fn reason(certificate: &Certificate, language: &Language) -> String {
    let side = |color: Color| color.fold_wb("white", "black").to_owned();
    let mut args = vec![("side", side(certificate.side)), ("other", side(!certificate.side))];
    let message = match &certificate.proof {
        Proof::Checkmated => "proof-checkmated",
        Proof::Stalemate => "proof-stalemate",
        Proof::Material(Shortage::BareKing) => "proof-bare-king",
        Proof::Material(Shortage::LoneKnight) => "proof-lone-knight",
        Proof::Material(Shortage::OneColouredBishops) => "proof-bishops",
        Proof::Region(region) if region.no_check => "proof-no-check",
        Proof::Region(_) => "proof-no-mate",
        Proof::Enumeration(all) if !all.forced.is_empty() => {
            args.push(("count", all.forced.len().to_string()));
            "proof-forced"
        }
        Proof::Enumeration(all) => {
            args.push(("count", all.states.to_string()));
            "proof-enumerated"
        }
    };
    language.say(message, args)
}

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
