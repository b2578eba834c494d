//! Verifies verdicts without trusting how they were found.
//!
//! In: a position, a side, and a verdict of [`super::can_mate`]. Out: whether the proof holds.
//! Uses nothing but shakmaty's rules of chess and its own code: no key, table, material test or
//! move ordering of the search is shared, so that one mistake cannot hide in both.

mod region;

use std::collections::BTreeSet;

use shakmaty::{Chess, Color, EnPassantMode, Position, Square, fen::Epd};

use super::{Certificate, Enumeration, Proof, Winnable};

/// Why a proof does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// A move of the mate line is illegal where it is played.
    #[error("move {0} of the mate line is illegal")]
    IllegalMove(usize),
    /// The line does not end with the opponent checkmated.
    #[error("the line of {0} moves does not end in mate by {1}")]
    NoMate(usize, Color),
    /// The certificate is about the other side.
    #[error("the certificate is about {0}, asked was the other side")]
    WrongSide(Color),
    /// The position is not what the certificate says it is.
    #[error("the position does not have the property the certificate names")]
    NotSo,
    /// A region's list of men differs from the board at this square.
    #[error("the region does not tell what stands on {0}")]
    Man(Square),
    /// A man can leave its reach.
    #[error("the man on {0} may go to {1}, which the region leaves out")]
    Leaves(Square, Square),
    /// A man may be captured though the region says it cannot.
    #[error("the man on {0} may be captured, which the region leaves out")]
    Capturable(Square),
    /// The enumeration or the region does not exclude a mate.
    #[error("a mate by {0} is not excluded")]
    Mate(Color),
    /// The enumeration does not end after the certified number of positions.
    #[error("certified were {certified} positions, found {found}")]
    Count {
        /// As the certificate says.
        certified: u32,
        /// As found here.
        found: usize,
    },
}

/// Verifies any verdict on `side` in `position`. [`Winnable::Unknown`] claims nothing and passes.
pub fn verdict(position: &Chess, side: Color, verdict: &Winnable) -> Result<(), Rejected> {
    match verdict {
        Winnable::Yes { line, .. } => mate_line(position, side, line),
        Winnable::No { certificate, .. } => self::certificate(position, side, certificate),
        Winnable::Unknown { .. } => Ok(()),
    }
}

/// Replays a mate line: every move legal, the opponent of `side` checkmated at its end.
pub fn mate_line(position: &Chess, side: Color, line: &[shakmaty::Move]) -> Result<(), Rejected> {
    let mut position = position.clone();
    for (index, &m) in line.iter().enumerate() {
        position = position.play(m).map_err(|_| Rejected::IllegalMove(index + 1))?;
    }
    if position.is_checkmate() && position.turn() != side {
        Ok(())
    } else {
        Err(Rejected::NoMate(line.len(), side))
    }
}

/// Verifies a certificate that `side` cannot mate from `position`.
pub fn certificate(
    position: &Chess,
    side: Color,
    certificate: &Certificate,
) -> Result<(), Rejected> {
    if certificate.side != side {
        return Err(Rejected::WrongSide(certificate.side));
    }
    match &certificate.proof {
        Proof::Checkmated => so(position.is_checkmate() && position.turn() == side),
        Proof::Stalemate => so(position.is_stalemate()),
        Proof::Material(_) => {
            so(!position.is_checkmate() && position.has_insufficient_material(side))
        }
        Proof::Region(claim) => region::verify(position, side, claim),
        Proof::Enumeration(all) => enumeration(position, side, all),
    }
}

fn so(holds: bool) -> Result<(), Rejected> {
    if holds { Ok(()) } else { Err(Rejected::NotSo) }
}

/// Visits everything that can arise; stops only where shakmaty's material rule or a region, both
/// verified here, excludes a mate.
fn enumeration(position: &Chess, side: Color, all: &Enumeration) -> Result<(), Rejected> {
    let mut leaves = BTreeSet::new();
    for (leaf, claim) in &all.leaves {
        region::verify(leaf, side, claim)?;
        leaves.insert(name(leaf));
    }
    let certified = all.states;
    let mut seen = BTreeSet::new();
    let mut open = vec![position.clone()];
    seen.insert(name(position));
    while let Some(position) = open.pop() {
        let moves = position.legal_moves();
        if moves.is_empty() {
            if position.is_check() && position.turn() != side {
                return Err(Rejected::Mate(side));
            }
            continue;
        }
        if position.has_insufficient_material(side) || leaves.contains(&name(&position)) {
            continue;
        }
        for m in moves {
            let mut child = position.clone();
            child.play_unchecked(m);
            if seen.insert(name(&child)) {
                open.push(child);
            }
        }
        if seen.len() > certified as usize {
            return Err(Rejected::Count { certified, found: seen.len() });
        }
    }
    let found = seen.len();
    if found == certified as usize { Ok(()) } else { Err(Rejected::Count { certified, found }) }
}

/// The first four FEN fields: what tells positions apart.
fn name(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}
