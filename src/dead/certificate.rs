//! Proofs that a side cannot mate, and their words for an arbiter.

use std::fmt;

use shakmaty::{Chess, Color, Move};

use super::{material::Shortage, region::Region};

/// A proof that `side` cannot mate by any legal series of moves. Verified by [`super::check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The side that cannot mate.
    pub side: Color,
    /// What proves it.
    pub proof: Proof,
}

/// The kinds of proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The side itself is checkmated on the board.
    Checkmated,
    /// The player to move is stalemated: there is no further move.
    Stalemate,
    /// Too little material, whatever the placement.
    Material(Shortage),
    /// How far every man can ever get, and no mate fits in there.
    Region(Box<Region>),
    /// Every position that can still arise was visited, and none is a mate by this side.
    Enumeration(Box<Enumeration>),
}

/// A complete enumeration of what can still arise, with exact keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Different positions visited, the one asked about included.
    pub states: u32,
    /// If every move is forced: the moves up to the end or the first repetition. Otherwise empty.
    pub forced: Vec<Move>,
    /// Positions among them that were not followed further, because a region shows that the side
    /// cannot mate from there.
    pub leaves: Vec<(Chess, Region)>,
}

impl Certificate {
    /// The reason in an arbiter's words, one sentence without a full stop.
    pub fn reason(&self) -> String {
        let side = name(self.side);
        match &self.proof {
            Proof::Checkmated => format!("{side} is checkmated"),
            Proof::Stalemate => "stalemate: there is no legal move left".to_owned(),
            Proof::Material(Shortage::BareKing) => format!("{side} has only the king left"),
            Proof::Material(Shortage::LoneKnight) => {
                format!(
                    "{side} has one knight, and nothing can stand in the way of the {} king",
                    lower(!self.side)
                )
            }
            Proof::Material(Shortage::OneColouredBishops) => {
                format!(
                    "{side} has only bishops of one square colour, and no man can cover the other squares"
                )
            }
            Proof::Region(region) => {
                let mut parts = Vec::with_capacity(3);
                if region.pawns_locked() {
                    parts.push("the pawns are locked for good".to_owned());
                }
                if region.kings_apart() {
                    parts.push("neither king can get through".to_owned());
                }
                let king = lower(!self.side);
                parts.push(if region.no_check {
                    format!("{side} can never give check to the {king} king")
                } else {
                    format!("{side} can never check the {king} king and shut it in at once")
                });
                list(&parts)
            }
            Proof::Enumeration(all) => match all.forced.len() {
                0 => format!(
                    "all {} positions that can still arise were examined, and {side} mates in none",
                    all.states
                ),
                1 => format!("the only move leads to a position in which {side} cannot mate"),
                moves => format!("the next {moves} moves are forced, and {side} never mates"),
            },
        }
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason())
    }
}

/// "a", "a, and b", "a, b, and c".
fn list(parts: &[String]) -> String {
    match parts {
        [rest @ .., last] if !rest.is_empty() => format!("{}, and {last}", rest.join(", ")),
        _ => parts.concat(),
    }
}

const fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

const fn lower(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}
