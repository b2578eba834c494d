//! The search: terminal, material, forced lines with a visited set.

use std::collections::BTreeSet;

use shakmaty::{Chess, Color, Position};

use super::{Budget, Certificate, Enumeration, Proof, Winnable, key::Key, material};

/// Decides whether `side` can mate from `position`.
pub(super) fn decide(position: &Chess, side: Color, budget: Budget) -> Winnable {
    let mut here = position.clone();
    let mut forced = Vec::new();
    let mut seen = BTreeSet::new();
    let no = |proof, nodes| Winnable::No { certificate: Certificate { side, proof }, nodes };
    for nodes in 1..=budget.nodes() {
        let all = |forced| Proof::Enumeration(Box::new(Enumeration { states: nodes, forced }));
        let moves = here.legal_moves();
        if moves.is_empty() {
            let mate = here.is_check();
            if mate && here.turn() != side {
                return Winnable::Yes { line: forced, nodes };
            }
            let proof = match (forced.is_empty(), mate) {
                (true, true) => Proof::Checkmated,
                (true, false) => Proof::Stalemate,
                (false, _) => all(forced),
            };
            return no(proof, nodes);
        }
        if let Some(shortage) = material::shortage(here.board(), side) {
            return no(
                if forced.is_empty() { Proof::Material(shortage) } else { all(forced) },
                nodes,
            );
        }
        if !seen.insert(Key::of(&here)) {
            let all = Proof::Enumeration(Box::new(Enumeration { states: nodes - 1, forced }));
            return no(all, nodes);
        }
        let [only] = moves[..] else { return Winnable::Unknown { nodes } };
        forced.push(only);
        here.play_unchecked(only);
    }
    Winnable::Unknown { nodes: budget.nodes() }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Color, fen::Fen};

    use crate::dead::{Budget, Dead, can_mate, judge};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn mate_comes_before_material_and_forced_lines_are_followed() {
        for (fen, white, black) in [
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some(true), Some(false)),
            ("8/8/8/8/8/8/8/K1k5 w - - 0 1", Some(false), Some(false)),
            ("r7/K1k5/8/8/8/8/8/8 w - - 0 1", Some(false), Some(false)),
            ("3k4/3Q4/8/8/8/2K5/8/8 b - - 0 1", Some(false), Some(false)),
            ("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", Some(false), Some(false)),
        ] {
            let judged = judge(&position(fen), Budget::DEFAULT);
            assert_eq!((judged.white.known(), judged.black.known()), (white, black), "{fen}");
        }
        let opening = judge(&Chess::default(), Budget::LIVE);
        assert_ne!(opening.dead(), Dead::Yes);
        let bare = can_mate(&position("8/8/8/8/8/8/8/K1k5 w - - 0 1"), Color::White, Budget::LIVE);
        assert_eq!(bare.certificate().unwrap().reason(), "White has only the king left");
    }
}
