//! What all hypotheses say, and what only some say.

use shakmaty::{KnownOutcome, Square};

use crate::laws::verdict::{Claimable, Ended, How, Over, Verdict};

/// What an uncertain fact depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependsOn {
    /// Which castling rights are left.
    CastlingRights,
    /// Whether the last move before the position was set up was a double step of a pawn.
    LastMove,
}

/// Something that holds under some hypotheses only (class C).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible {
    /// The game may be over.
    Over(Ended),
    /// A claim may be open.
    Claim(Claimable),
}

/// What the Laws say of the latest ply, certain and uncertain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What holds whatever is not known.
    pub certain: Verdict,
    /// What holds under some hypotheses only, and what decides. Empty when the game is certainly
    /// over.
    pub possible: Vec<(DependsOn, Possible)>,
}

impl Judgement {
    /// Nothing is over and nothing may be claimed.
    pub(super) fn nothing() -> Judgement {
        let certain = Verdict::Open { claims: Vec::new(), later: Vec::new() };
        Judgement { certain, possible: Vec::new() }
    }
}

/// A verdict under one hypothesis, and the square a pawn is taken there to have passed at first.
pub(super) type Judged = (Option<Square>, Verdict);

/// Puts the verdicts of all hypotheses together.
pub(super) fn judge(mut judged: Vec<Judged>) -> Judgement {
    if let [_] = &judged[..]
        && let Some((_, certain)) = judged.pop()
    {
        return Judgement { certain, possible: Vec::new() };
    }
    if let Some(over) = certainly_over(&judged) {
        return Judgement { certain: Verdict::Over(over), possible: Vec::new() };
    }
    let mut facts: Vec<Fact> = Vec::new();
    for fact in judged.iter().flat_map(|(_, verdict)| facts_of(verdict)) {
        match facts.iter_mut().find(|known| known.is_same(&fact)) {
            Some(known) => known.bound_by(&fact),
            None => facts.push(fact),
        }
    }
    let mut claims = Vec::new();
    let mut possible: Vec<(DependsOn, Possible)> = Vec::new();
    for fact in facts {
        let holds: Vec<bool> = judged.iter().map(|(_, v)| fact.holds(v)).collect();
        match fact {
            Fact::Claim(claim) if holds.iter().all(|h| *h) => add_claim(&mut claims, claim),
            _ => {
                let on = depends_on(&judged, &holds);
                add_possible(&mut possible, on, fact);
            }
        }
    }
    let later = judged.iter().find_map(|(_, v)| match v {
        Verdict::Open { later, .. } => Some(later.clone()),
        Verdict::Over(_) => None,
    });
    let certain = Verdict::Open { claims, later: later.unwrap_or_default() };
    Judgement { certain, possible }
}

/// Something that may hold under one hypothesis and not under another. Claims by announced moves
/// are taken move by move.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    Over(Ended),
    Claim(Claimable),
}

impl Fact {
    /// The same but for how exactly it was counted.
    fn is_same(&self, other: &Fact) -> bool {
        match (self, other) {
            (Fact::Claim(a), Fact::Claim(b)) => {
                a.kind == b.kind
                    && a.claimant == b.claimant
                    && a.how == b.how
                    && a.article == b.article
            }
            _ => self == other,
        }
    }

    /// Counted exactly only where both are.
    fn bound_by(&mut self, other: &Fact) {
        if let (Fact::Claim(own), Fact::Claim(other)) = (self, other) {
            own.exact &= other.exact;
        }
    }

    fn holds(&self, verdict: &Verdict) -> bool {
        match (self, verdict) {
            (Fact::Over(ended), Verdict::Over(over)) => over.reasons.contains(ended),
            // Under this hypothesis nobody needs to claim: the result is the same draw.
            (Fact::Claim(_), Verdict::Over(over)) => over.outcome == KnownOutcome::Draw,
            _ => facts_of(verdict).iter().any(|fact| fact.is_same(self)),
        }
    }
}

fn facts_of(verdict: &Verdict) -> Vec<Fact> {
    match verdict {
        Verdict::Over(over) => over.reasons.iter().copied().map(Fact::Over).collect(),
        Verdict::Open { claims, .. } => claims.iter().flat_map(single_claims).collect(),
    }
}

fn single_claims(claim: &Claimable) -> Vec<Fact> {
    match &claim.how {
        How::JustAppeared => vec![Fact::Claim(claim.clone())],
        How::ByMove(moves) => moves
            .iter()
            .map(|m| Fact::Claim(Claimable { how: How::ByMove(vec![*m]), ..claim.clone() }))
            .collect(),
    }
}

/// Adds a claim, an announced move to the moves of the same claim.
fn add_claim(claims: &mut Vec<Claimable>, claim: Claimable) {
    let same = claims.iter_mut().find(|c| c.kind == claim.kind && c.article == claim.article);
    match (same.map(|c| &mut c.how), &claim.how) {
        (Some(How::ByMove(moves)), How::ByMove(more)) => moves.extend(more),
        _ => claims.push(claim),
    }
}

fn add_possible(possible: &mut Vec<(DependsOn, Possible)>, on: DependsOn, fact: Fact) {
    let claim = match fact {
        Fact::Over(ended) => return possible.push((on, Possible::Over(ended))),
        Fact::Claim(claim) => claim,
    };
    for (known_on, what) in possible.iter_mut() {
        if let Possible::Claim(known) = what
            && (*known_on, known.kind, known.article) == (on, claim.kind, claim.article)
            && let (How::ByMove(moves), How::ByMove(more)) = (&mut known.how, &claim.how)
        {
            moves.extend(more);
            return;
        }
    }
    possible.push((on, Possible::Claim(claim)));
}

/// What decides a fact that holds under some hypotheses: the rights, if two hypotheses that agree on
/// the last move before the set-up differ about it.
fn depends_on(judged: &[Judged], holds: &[bool]) -> DependsOn {
    let cases = || judged.iter().map(|(passed, _)| passed).zip(holds);
    let by_rights =
        cases().any(|(a, a_holds)| cases().any(|(b, b_holds)| a == b && a_holds != b_holds));
    if by_rights { DependsOn::CastlingRights } else { DependsOn::LastMove }
}

/// The end if every hypothesis is over with the same result; its reasons are those that all give,
/// or where they differ every one given.
fn certainly_over(judged: &[Judged]) -> Option<Over> {
    let ends: Vec<&Over> = judged.iter().map(|(_, v)| v.over()).collect::<Option<_>>()?;
    let (first, rest) = ends.split_first()?;
    if rest.iter().any(|end| end.outcome != first.outcome) {
        return None;
    }
    let shared: Vec<Ended> = first
        .reasons
        .iter()
        .filter(|reason| rest.iter().all(|end| end.reasons.contains(reason)))
        .copied()
        .collect();
    let reasons = if shared.is_empty() {
        let mut all: Vec<Ended> = ends.iter().flat_map(|end| end.reasons.iter().copied()).collect();
        all.sort_by_key(|ended| ended.ending);
        all.dedup();
        all
    } else {
        shared
    };
    Some(Over { ply: first.ply, outcome: first.outcome, reasons })
}
