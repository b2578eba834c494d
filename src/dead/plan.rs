//! A mate line as a plan that survives moves it did not foresee.
//!
//! In: a mate line, later the moves really played. Out: a mate line from the position now, or
//! nothing. A line is a strict sequence and breaks at the first other move; the plan keeps only
//! which man goes where and in what order. Played out, each side makes its next step if it can,
//! comes by another way where the straight one is shut, and waits where it has nothing to do. The
//! line that results is legal move by move, and a mate at its end, or it is not given out.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Rank, Role, Square, attacks};

/// Most steps of a plan.
pub(super) const STEPS: usize = 64;
/// Most plies of a line played out of a plan.
const PLIES: usize = 96;
/// Waiting moves in a row after which it is given up.
const IDLE: u32 = 3;

/// One man's way from one square to the next; perhaps more than one move by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Leg {
    color: Color,
    role: Role,
    from: Square,
    to: Square,
    promotion: Option<Role>,
    /// The rook's square, if it is castling.
    castle: Option<Square>,
}

/// Who goes where, in what order; the last leg mates.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    side: Color,
    legs: Vec<Leg>,
}

/// A man that should get to a square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) piece: Piece,
    pub(super) from: Square,
    pub(super) to: Square,
}

/// How a plan is played out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Manner {
    /// A side whose turn it is out of order waits, rather than making its own next step early.
    pub(super) strict: bool,
    /// Waiting moves passed over before the first that is made.
    pub(super) skip: usize,
}

impl Plan {
    /// The plan behind a mate line by `side`; `None` for a line of no moves or of too many.
    pub(super) fn of(line: &[Move], side: Color) -> Option<Plan> {
        Plan::of_steps(colored(line, side), side)
    }

    /// The plan of the steps that a line comes down to: each man of it that is left goes where it ends,
    /// in the order in which they get there. Whether it mates still has to be seen.
    pub(super) fn outline(line: &[Move], side: Color) -> Option<Plan> {
        let mut ways: Vec<(Color, Move)> = Vec::with_capacity(line.len());
        let here = |way: &(Color, Move), color: Color, square: Square| {
            way.0 == color && way.1.to() == square && way.1.promotion().is_none()
        };
        for (color, m) in colored(line, side) {
            let Move::Normal { role, from, to, promotion, .. } = m else { return None };
            if m.is_capture() {
                ways.retain(|way| !here(way, !color, to));
            }
            let mut way = Move::Normal { role, from, capture: None, to, promotion };
            if let Some(begun) = ways.iter().position(|way| here(way, color, from)) {
                let start = ways.remove(begun).1.from()?;
                way = Move::Normal { role, from: start, capture: None, to, promotion };
            }
            if way.from() != Some(to) {
                ways.push((color, way));
            }
        }
        Plan::of_steps(ways.into_iter(), side)
    }

    fn of_steps(steps: impl Iterator<Item = (Color, Move)>, side: Color) -> Option<Plan> {
        let mut legs = Vec::with_capacity(steps.size_hint().1.unwrap_or(STEPS).min(STEPS));
        for (color, m) in steps {
            let castle = matches!(m, Move::Castle { .. }).then(|| m.to());
            let (role, promotion) = (m.role(), m.promotion());
            legs.push(Leg { color, role, from: m.from()?, to: m.to(), promotion, castle });
        }
        let last = legs.last()?;
        (last.color == side && legs.len() <= STEPS).then_some(Plan { side, legs })
    }

    /// The plan to bring these men to their squares in this order, and the last one to mate there,
    /// having been promoted to what it is on the way if so said.
    pub(super) fn towards(
        goals: impl Iterator<Item = Goal>,
        mate: Goal,
        promotes: Option<Square>,
        side: Color,
    ) -> Option<Plan> {
        let leg = |Goal { piece: Piece { color, role }, from, to }| Leg {
            color,
            role,
            from,
            to,
            promotion: None,
            castle: None,
        };
        let mut legs = Vec::with_capacity(8);
        legs.extend(goals.map(leg));
        let mut last = leg(mate);
        if let Some(to) = promotes {
            legs.push(Leg { role: Role::Pawn, to, promotion: Some(last.role), ..last });
            last.from = to;
        }
        legs.push(last);
        (last.color == side).then_some(Plan { side, legs })
    }

    /// The side that mates.
    pub(super) fn side(&self) -> Color {
        self.side
    }

    /// The plan after a move of the game: that man's way begins where it stands now.
    ///
    /// `None` if the move has spoiled it for good.
    fn after(&self, m: Move, color: Color) -> Option<Plan> {
        let mut plan = self.clone();
        let (from, to) = (m.from()?, m.to());
        plan.legs.retain(|leg| leg.color == color || leg.from != to || !m.is_capture());
        let last = plan.legs.len().checked_sub(1)?;
        let first = plan.legs.iter().position(|leg| leg.color == color && leg.from == from);
        if let Some(at) = first {
            if m.is_castle() || plan.legs[at].castle.is_some() {
                if plan.legs[at].castle != Some(to) || at == last {
                    return None;
                }
                plan.legs.remove(at);
            } else if plan.legs[at].to == to && plan.legs[at].promotion == m.promotion() {
                if at == last {
                    return None;
                }
                plan.legs.remove(at);
            } else if m.is_promotion() {
                return None;
            } else {
                plan.legs[at].from = to;
            }
        }
        let last = plan.legs.last()?;
        (last.color == self.side).then_some(plan)
    }

    /// The plan after a move of the game, with the move taken back first if need be.
    pub(super) fn carried(&self, m: Move, color: Color) -> Option<Plan> {
        self.after(m, color).or_else(|| self.undoing(m, color))
    }

    /// The plan with the move taken back first, if a man can go back that way.
    fn undoing(&self, m: Move, color: Color) -> Option<Plan> {
        let Move::Normal { role, from, to, promotion: None, .. } = m else { return None };
        if role == Role::Pawn || self.legs.len() >= STEPS {
            return None;
        }
        let mut legs = Vec::with_capacity(self.legs.len() + 1);
        legs.push(Leg { color, role, from: to, to: from, promotion: None, castle: None });
        let taken = |leg: &Leg| m.is_capture() && leg.color != color && leg.from == to;
        legs.extend(self.legs.iter().copied().filter(|leg| !taken(leg)));
        let last = legs.last()?;
        (last.color == self.side).then_some(Plan { side: self.side, legs })
    }

    /// The plan after the move `m` of the game that led `here`, and whether it still mates if tried
    /// in these manners, with the move taken back first or not; the mate is then in `line`.
    pub(super) fn follow(
        self,
        m: Move,
        mover: Color,
        here: &Chess,
        variants: &[(bool, Manner)],
        line: &mut Vec<Move>,
    ) -> (Option<Plan>, bool) {
        let after = self.after(m, mover);
        let mut undoing = None;
        for &(undo, manner) in variants {
            if undo && undoing.is_none() {
                undoing = self.undoing(m, mover);
            }
            let plan = if undo { &undoing } else { &after };
            if plan.as_ref().is_some_and(|plan| plan.line(here, manner, line)) {
                return (if undo { undoing } else { after }, true);
            }
        }
        (after.or(undoing), false)
    }

    /// Plays the plan out from `start` into `line`; whether it mates.
    pub(super) fn line(&self, start: &Chess, manner: Manner, line: &mut Vec<Move>) -> bool {
        line.clear();
        if self.legs.len() > STEPS {
            return false;
        }
        Playing {
            legs: &self.legs,
            origin: [None; STEPS],
            left: if self.legs.len() == STEPS { !0 } else { (1 << self.legs.len()) - 1 },
            here: start.clone(),
            manner,
            waited: [None; 2],
            idle: 0,
            line,
        }
        .run()
    }
}

struct Playing<'a> {
    legs: &'a [Leg],
    /// Where a man stands that has come part of its way.
    origin: [Option<Square>; STEPS],
    /// The legs to be made, a bit each.
    left: u64,
    here: Chess,
    manner: Manner,
    waited: [Option<(Square, Square)>; 2],
    /// Waiting moves since the last step.
    idle: u32,
    line: &'a mut Vec<Move>,
}

impl Playing<'_> {
    fn run(mut self) -> bool {
        let last = self.legs.len() - 1;
        while self.line.len() < PLIES.min(2 * self.legs.len() + 16) {
            let turn = self.here.turn();
            let first = self.left.trailing_zeros() as usize;
            let own =
                self.next_of(turn).filter(|&at| at == first || (at != last && !self.manner.strict));
            if let Some(at) = own
                && let Some(m) = self.step(at)
                && (at != last || m.to() != self.legs[at].to || self.mates(m))
            {
                self.idle = 0;
                let leg = self.legs[at];
                self.make(m);
                if leg.castle.is_none() && (m.to() != leg.to || m.promotion() != leg.promotion) {
                    self.origin[at] = Some(m.to());
                    continue;
                }
                self.left &= !(1 << at);
                if at == last {
                    return true;
                }
            } else {
                self.idle += 1;
                if self.idle > IDLE || !self.wait() {
                    return false;
                }
            }
        }
        false
    }

    fn make(&mut self, m: Move) {
        self.here.play_unchecked(m);
        self.line.push(m);
    }

    fn mates(&self, m: Move) -> bool {
        let quiet = matches!(m, Move::Normal { .. }) && !self.checks(m);
        !quiet && {
            let mut next = self.here.clone();
            next.play_unchecked(m);
            next.is_checkmate()
        }
    }

    /// Whether a move that is no castling and no capture en passant checks.
    fn checks(&self, m: Move) -> bool {
        let Move::Normal { role, from, to, promotion, .. } = m else { return false };
        let (board, color) = (self.here.board(), self.here.turn());
        let Some(king) = board.king_of(!color) else { return false };
        let occupied = board.occupied().without(from).with(to);
        let man = Piece { color, role: promotion.unwrap_or(role) };
        attacks::attacks(to, man, occupied).contains(king)
            || board.attacks_to(king, color, occupied).without(from).any()
    }

    fn next_of(&self, color: Color) -> Option<usize> {
        bits(self.left).find(|&at| self.legs[at].color == color)
    }

    /// A legal move on this leg's way.
    fn step(&self, at: usize) -> Option<Move> {
        let leg = self.legs[at];
        let from = self.origin[at].unwrap_or(leg.from);
        if let Some(rook) = leg.castle {
            let m = Move::Castle { king: from, rook };
            return self.here.is_legal(m).then_some(m);
        }
        let board = self.here.board();
        let piece = Piece { color: leg.color, role: leg.role };
        if board.piece_at(from) != Some(piece) {
            return None;
        }
        self.legal(piece, from, leg.to, leg.promotion).or_else(|| self.detour(piece, from, leg.to))
    }

    /// The move from one square to the other, if it is legal.
    fn legal(
        &self,
        piece: Piece,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<Move> {
        let board = self.here.board();
        let capture = board.role_at(to);
        if capture == Some(Role::King) || board.by_color(piece.color).contains(to) {
            return None;
        }
        if piece.role == Role::Pawn {
            if capture.is_none() && from.file() != to.file() {
                let m = Move::EnPassant { from, to };
                let target = self.here.maybe_ep_square() == Some(to);
                return (target && self.here.is_legal(m)).then_some(m);
            }
            if !pawn_goes(board, piece.color, from, to)
                || promotion.is_some() != Bitboard::BACKRANKS.contains(to)
            {
                return None;
            }
            let m = Move::Normal { role: piece.role, from, capture, to, promotion };
            return self.safe(m, piece.color);
        }
        if !attacks::attacks(from, piece, board.occupied()).contains(to) {
            return None;
        }
        self.safe(
            Move::Normal { role: piece.role, from, capture, to, promotion: None },
            piece.color,
        )
    }

    /// The move, of a man that moves like that, if its king is not left in check.
    fn safe(&self, m: Move, color: Color) -> Option<Move> {
        let Move::Normal { role, from, to, .. } = m else { return None };
        let board = self.here.board();
        let king = if role == Role::King { to } else { board.king_of(color)? };
        let occupied = board.occupied().without(from).with(to);
        board.attacks_to(king, !color, occupied).without(to).is_empty().then_some(m)
    }

    /// A first move of two or more to where the man should go.
    fn detour(&self, piece: Piece, from: Square, to: Square) -> Option<Move> {
        let board = self.here.board();
        match piece.role {
            Role::Pawn => {
                let ahead = from.offset(if piece.color.is_white() { 8 } else { -8 })?;
                if from.file() != to.file() || ahead == to {
                    return None;
                }
                self.legal(piece, from, ahead, None)
            }
            Role::King => {
                let far = from.distance(to);
                let open = attacks::king_attacks(from) & !board.by_color(piece.color);
                let before = self.line.len().checked_sub(2).and_then(|at| self.line[at].from());
                let nearer = open.into_iter().filter(|mid| mid.distance(to) < far);
                let aside = open.into_iter().filter(|mid| mid.distance(to) == far);
                nearer
                    .chain(aside)
                    .filter(|&mid| Some(mid) != before)
                    .find_map(|mid| self.legal(piece, from, mid, None))
            }
            _ => {
                let occupied = board.occupied();
                let start = attacks::attacks(from, piece, occupied) & !occupied;
                let end = attacks::attacks(to, piece, occupied.without(from));
                (start & end).into_iter().take(3).find_map(|mid| self.legal(piece, from, mid, None))
            }
        }
    }

    /// Makes a move that does no harm to the plan; `false` if there is none.
    fn wait(&mut self) -> bool {
        let turn = self.here.turn();
        let slot = turn as usize;
        if let Some((from, to)) = self.waited[slot]
            && let Some(piece) = self.here.board().piece_at(to)
            && piece.color == turn
            && piece.role != Role::Pawn
            && let Some(m) = self.legal(piece, to, from, None)
            && !self.checks(m)
        {
            self.waited[slot] = Some((to, from));
            self.make(m);
            return true;
        }
        let mut used = Bitboard::EMPTY;
        for at in bits(self.left) {
            let leg = self.legs[at];
            let from = self.origin[at].unwrap_or(leg.from);
            used |= attacks::between(from, leg.to).with(leg.to).with(from);
        }
        let found = if self.here.is_check() {
            self.evasion(used)
        } else {
            self.clearing(used).or_else(|| self.waiting(used))
        };
        let Some(m) = found else { return false };
        self.waited[slot] = m.from().map(|from| (from, m.to()));
        self.make(m);
        true
    }

    /// Takes a man off the way of the next leg.
    fn clearing(&self, used: Bitboard) -> Option<Move> {
        let turn = self.here.turn();
        let board = self.here.board();
        let mut way = Bitboard::EMPTY;
        for color in Color::ALL {
            if let Some(at) = self.next_of(color) {
                let leg = self.legs[at];
                let from = self.origin[at].unwrap_or(leg.from);
                way |= attacks::between(from, leg.to);
                if color == turn || leg.role == Role::Pawn && leg.from.file() == leg.to.file() {
                    way.add(leg.to);
                }
            }
        }
        let planned = |at: Square| {
            bits(self.left).any(|leg| self.origin[leg].unwrap_or(self.legs[leg].from) == at)
        };
        for from in way & board.by_color(turn) & !board.kings() {
            if planned(from) {
                continue;
            }
            let Some(piece) = board.piece_at(from) else { continue };
            let targets = if piece.role == Role::Pawn {
                Bitboard::from_square(from).shift(if turn.is_white() { 8 } else { -8 })
            } else {
                attacks::attacks(from, piece, board.occupied())
            };
            let found = (targets & !board.occupied() & !used & !Bitboard::BACKRANKS)
                .into_iter()
                .chain(targets & !board.occupied() & !used)
                .take(4)
                .find_map(|to| self.legal(piece, from, to, None));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn evasion(&self, used: Bitboard) -> Option<Move> {
        let moves = self.here.legal_moves();
        let spare =
            |m: &&Move| !m.is_capture() && m.from().is_some_and(|from| !used.contains(from));
        moves.iter().find(spare).or_else(|| moves.first()).copied()
    }

    /// A quiet move off the squares the plan uses.
    fn waiting(&mut self, used: Bitboard) -> Option<Move> {
        let turn = self.here.turn();
        let board = self.here.board();
        let occupied = board.occupied();
        let own = board.by_color(turn) & !used;
        let target = bits(self.left)
            .filter(|&at| {
                self.legs[at].role == Role::King
                    && self.legs[at].color != self.legs[self.legs.len() - 1].color
            })
            .last()
            .map(|at| self.legs[at].to)
            .or_else(|| board.king_of(!self.legs[self.legs.len() - 1].color))?;
        let zone = attacks::king_attacks(target).with(target);
        let own = if turn == self.legs[self.legs.len() - 1].color { own } else { own & !zone };
        let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::Pawn, Role::King];
        let mut skip = self.manner.skip;
        for role in roles {
            let piece = Piece { color: turn, role };
            for from in own & board.by_role(role) {
                let targets = if role == Role::Pawn {
                    let up =
                        Bitboard::from_square(from).shift(if turn.is_white() { 8 } else { -8 });
                    if (attacks::pawn_attacks(turn, from) & zone).any() {
                        continue;
                    }
                    up & !Bitboard::BACKRANKS
                } else {
                    let targets = attacks::attacks(from, piece, occupied);
                    if self.legs[self.legs.len() - 1].color == turn
                        && role != Role::King
                        && (targets & zone).any()
                    {
                        continue;
                    }
                    targets
                };
                for to in (targets & !occupied & !used).into_iter().take(3) {
                    let Some(m) = self.legal(piece, from, to, None) else { continue };
                    if self.checks(m) {
                        continue;
                    }
                    if skip == 0 {
                        self.manner.skip = 0;
                        return Some(m);
                    }
                    skip -= 1;
                    break;
                }
            }
        }
        None
    }
}

/// Whether a pawn moves like that, en passant left out.
fn pawn_goes(board: &Board, color: Color, from: Square, to: Square) -> bool {
    if from.file() != to.file() {
        return board.by_color(!color).contains(to)
            && attacks::pawn_attacks(color, from).contains(to);
    }
    let occupied = board.occupied();
    let up = |square: Square| {
        square.offset(if color.is_white() { 8 } else { -8 }).filter(|&at| !occupied.contains(at))
    };
    let home = color.fold_wb(Rank::Second, Rank::Seventh);
    up(from).is_some_and(|one| one == to || from.rank() == home && up(one) == Some(to))
}

/// The moves of a mate line by `side` with whose they are.
fn colored(line: &[Move], side: Color) -> impl Iterator<Item = (Color, Move)> {
    let last = line.len().wrapping_sub(1);
    line.iter()
        .enumerate()
        .map(move |(at, &m)| (if (last - at).is_multiple_of(2) { side } else { !side }, m))
}

fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            at
        })
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Color, Move, Position, uci::UciMove};

    use super::{Manner, Plan};
    use crate::dead::check;

    fn moves(start: &Chess, text: &str) -> (Vec<Move>, Chess) {
        let mut here = start.clone();
        let mut line = Vec::new();
        for uci in text.split_whitespace() {
            let m = uci.parse::<UciMove>().unwrap().to_move(&here).unwrap();
            here.play_unchecked(m);
            line.push(m);
        }
        (line, here)
    }

    #[test]
    fn a_plan_outlives_moves_it_did_not_foresee() {
        for (line, side, played) in [
            // Another man moves; a man of the plan moves elsewhere; a step is made early.
            ("f2f3 e7e5 g2g4 d8h4", Color::Black, "b1c3"),
            ("f2f3 e7e5 g2g4 d8h4", Color::Black, "f2f3"),
            ("e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7", Color::White, "e2e4 e7e5 f1b5"),
            // The queen's way is shut, and cleared by taking the move back.
            ("e2e4 e7e5 f1c4 b8c6 d1h5 a7a6 h5f7", Color::White, "e2e4 e7e5 g1f3 b8c6"),
        ] {
            let start = Chess::default();
            let (line, end) = moves(&start, line);
            assert!(end.is_checkmate());
            let mut plan = Plan::of(&line, side).unwrap();
            let mut here = start;
            let mut found = line;
            for m in moves(&here, played).0 {
                let mover = here.turn();
                here.play_unchecked(m);
                let variants = [(false, Manner::default()), (true, Manner::default())];
                let (next, mates) = plan.follow(m, mover, &here, &variants, &mut found);
                assert!(mates, "{played}");
                plan = next.unwrap();
            }
            assert_eq!(check::mate_line(&here, side, &found), Ok(()), "{played}");
        }
    }
}
