//! Short mates seen at a glance: which man mates where, and who must help.
//!
//! In: a position and the side that is to mate. Out: a few plans ([`Plan`]), most promising first.
//! The board is read as a picture: for every square the king may soon stand on, every man that
//! could check it there, and what is then left to the king; a few more men of either side may fill
//! the gaps, and defenders may step aside. Nothing is played here and nothing is sure: a plan
//! counts only when it has been played out to a mate.

use shakmaty::{
    Bitboard, Board, ByRole, Chess, Color, File, Move, Piece, Position, Role, Square, attacks,
};

use super::{
    opening,
    picture::{MEN, Picture},
    plan::{Goal, Manner, Plan},
    score::{self, to_go},
};

/// Pictures kept.
const KEPT: usize = 3;
/// How far the king may walk to be mated on the edge, and anywhere.
const FAR: u32 = 3;
const NEAR: u32 = 1;
/// As far as the other king walks at most, and one more.
const NEVER: u8 = 10;
/// Defenders that may step aside, and men that may fill gaps.
const HELP: u32 = 2;
/// Pictures looked at, and men tried in them.
const WORK: u32 = 200;
/// The same at a glance on the way of a walk.
const GLANCE: u32 = 50;

/// A man and what it can do.
#[derive(Clone, Copy)]
struct Figure {
    piece: Piece,
    at: Square,
    /// What it attacks now, through the king to be mated.
    hits: Bitboard,
    /// Where it can be in one move.
    one: Bitboard,
}

/// A man that may mate.
#[derive(Clone, Copy)]
struct Checker {
    piece: Piece,
    from: Square,
    promotes: Option<Square>,
    /// Moves to promotion.
    before: u32,
    /// What it guards where it stands now.
    hits: Bitboard,
    /// Where it can be in one more move, and in two.
    one: Bitboard,
    two: Bitboard,
}

struct View<'a> {
    board: &'a Board,
    side: Color,
    occupied: Bitboard,
    own: Bitboard,
    theirs: Bitboard,
    king: Square,
    helper: Square,
    figures: Vec<Figure>,
    others: Vec<Figure>,
    checkers: Vec<Checker>,
    /// Squares guarded by the mating side, and those guarded twice.
    once: Bitboard,
    twice: Bitboard,
    /// Squares a defender, the king not counted, may go to or attacks.
    watched: Bitboard,
    /// Steps of the mating side's king to each square, off the squares the others guard.
    steps: [u8; 64],
    /// Squares it can come to.
    walked: Bitboard,
    /// Squares the king to be mated has been to or cannot go to.
    closed: Bitboard,
    best: Vec<Picture>,
    work: u32,
    rays: Rays,
    /// Where men of the mating side can be in one move, by role; and men of the other side.
    one: ByRole<Bitboard>,
    theirs_one: Bitboard,
}

/// A mate line by `side` and the plan it was played from, if one of the pictures can be reached.
pub(super) fn line(position: &Chess, side: Color) -> Option<(Vec<Move>, Plan)> {
    within(position, side, WORK)
}

/// A mate line, if it is seen with less work.
pub(super) fn glance(position: &Chess, side: Color) -> Option<Vec<Move>> {
    within(position, side, GLANCE).map(|(line, _)| line)
}

fn within(position: &Chess, side: Color, work: u32) -> Option<(Vec<Move>, Plan)> {
    let mut line = Vec::with_capacity(32);
    let mut mates = |plan: &Plan| plan.line(position, Manner::default(), &mut line);
    let mut view = View::of(position, side, work)?;
    let mut ring = Bitboard::from_square(view.king);
    let mut found = None;
    for distance in 0..=FAR {
        ring = view.look(ring, distance);
        let mut plans = view.best.drain(..).filter_map(|picture| picture.plan(side));
        found = plans.find(|plan| mates(plan));
        if found.is_some() || ring.is_empty() {
            break;
        }
    }
    let found = found.or_else(|| opening::plans(position, side).find(|plan| mates(plan)));
    found.map(|plan| (line, plan))
}

impl<'a> View<'a> {
    fn of(position: &'a Chess, side: Color, work: u32) -> Option<View<'a>> {
        let board = position.board();
        let (king, helper) = (board.king_of(!side)?, board.king_of(side)?);
        let mut view = View {
            board,
            side,
            occupied: board.occupied(),
            own: board.by_color(side),
            theirs: board.by_color(!side),
            king,
            helper,
            figures: Vec::with_capacity(16),
            others: Vec::with_capacity(16),
            checkers: Vec::with_capacity(16),
            once: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
            watched: Bitboard::EMPTY,
            steps: [NEVER; 64],
            walked: Bitboard::EMPTY,
            closed: Bitboard::EMPTY,
            best: Vec::with_capacity(KEPT + 1),
            work,
            rays: Rays { known: Bitboard::EMPTY, rays: [(Bitboard::EMPTY, Bitboard::EMPTY); 64] },
            one: ByRole::default(),
            theirs_one: Bitboard::EMPTY,
        };
        for at in view.own {
            view.figures.extend(view.figure(at));
        }
        for at in view.theirs.without(king) {
            view.others.extend(view.figure(at));
        }
        for figure in &view.figures {
            view.twice |= view.once & figure.hits;
            view.once |= figure.hits;
            *view.one.get_mut(figure.piece.role) |= figure.one;
        }
        for other in &view.others {
            view.watched |= other.hits | other.one;
            view.theirs_one |= other.one;
        }
        view.closed = view.theirs | view.once;
        view.find_checkers();
        view.walk();
        Some(view)
    }

    fn figure(&self, at: Square) -> Option<Figure> {
        let piece = self.board.piece_at(at)?;
        let hits = attacks::attacks(at, piece, self.occupied.without(self.king));
        let mut one = hits & !self.board.by_color(piece.color);
        if piece.role == Role::Pawn {
            let up = |set: Bitboard| {
                set.shift(if piece.color.is_white() { 8 } else { -8 }) & !self.occupied
            };
            let step = up(at.into());
            one = (hits & self.board.by_color(!piece.color)) | step;
            if to_go(piece.color, at) == 6 {
                one |= up(step);
            }
            one &= !Bitboard::BACKRANKS;
        }
        Some(Figure { piece, at, hits, one })
    }

    fn find_checkers(&mut self) {
        for at in 0..self.figures.len() {
            let Figure { piece, at: from, hits, one } = self.figures[at];
            match piece.role {
                Role::King => {}
                Role::Pawn => self.promoting(from, hits),
                _ => {
                    let two = self.next(piece, from, one) & !self.own.without(from);
                    self.checkers.push(Checker {
                        piece,
                        from,
                        promotes: None,
                        before: 0,
                        hits,
                        one,
                        two,
                    });
                }
            }
        }
    }

    /// A pawn with a free way becomes a queen.
    fn promoting(&mut self, from: Square, hits: Bitboard) {
        let piece = Piece { color: self.side, role: Role::Queen };
        let last =
            if self.side.is_white() { shakmaty::Rank::Eighth } else { shakmaty::Rank::First };
        let promotes = Square::from_coords(from.file(), last);
        let way = attacks::between(from, promotes).with(promotes);
        if (way & self.occupied).any() {
            return;
        }
        let before = to_go(self.side, from);
        let one = attacks::attacks(promotes, piece, self.occupied.without(from).without(self.king))
            & !self.own;
        let two = self.next(piece, from, one) & !self.own.without(from);
        let promotes = Some(promotes);
        self.checkers.push(Checker { piece, from, promotes, before, hits, one, two });
    }

    /// Where the man can be one move after standing on any of these squares.
    fn next(&self, piece: Piece, from: Square, squares: Bitboard) -> Bitboard {
        let occupied = self.occupied.without(from).without(self.king);
        (squares & !self.occupied)
            .into_iter()
            .fold(squares, |all, mid| all | attacks::attacks(mid, piece, occupied))
    }

    /// How far the mating side's king is from each square.
    fn walk(&mut self) {
        let mut closed = self.own | attacks::king_attacks(self.king);
        for other in &self.others {
            closed |= other.hits;
        }
        let mut ring = Bitboard::from_square(self.helper);
        for distance in 0..NEVER {
            for square in ring {
                self.steps[usize::from(square)] = distance;
            }
            self.walked |= ring;
            closed |= ring;
            ring = score::around(ring) & !closed;
            if ring.is_empty() {
                break;
            }
        }
    }

    fn worst(&self) -> u32 {
        self.best.get(KEPT - 1).map_or(u32::MAX, |picture| picture.cost)
    }

    fn add(&mut self, picture: &Picture) {
        if picture.cost < self.worst() && picture.holds(self.board, self.side) {
            let at = self.best.partition_point(|other| other.cost <= picture.cost);
            self.best.insert(at, *picture);
            self.best.truncate(KEPT);
        }
    }

    /// Looks at the squares so many steps from the king; the next ones.
    fn look(&mut self, ring: Bitboard, distance: u32) -> Bitboard {
        let edge =
            Bitboard::BACKRANKS | Bitboard::from_file(File::A) | Bitboard::from_file(File::H);
        for square in if distance <= NEAR { ring } else { ring & edge } {
            self.on(square, distance);
        }
        self.closed |= ring;
        score::around(ring) & !self.closed
    }

    /// Pictures with the king on this square.
    fn on(&mut self, square: Square, distance: u32) {
        let around = attacks::king_attacks(square);
        let flights = around & !self.theirs.without(self.king);
        let occupied = self.occupied.without(self.king).with(square);
        for at in 0..self.checkers.len() {
            let checker = self.checkers[at];
            // Guarded by others: twice by anybody, or once but not by this one.
            let guarded = self.twice | (self.once & !checker.hits);
            let free = flights & !guarded;
            let lines = attacks::attacks(square, checker.piece, occupied.without(checker.from));
            for to in lines & checker.two {
                let moves = checker.before + if checker.one.contains(to) { 1 } else { 2 };
                let cost = distance + moves;
                if cost >= self.worst() || self.work == 0 {
                    continue;
                }
                self.work -= 1;
                let open = occupied.without(square).without(checker.from);
                let mut left = free & !attacks::attacks(to, checker.piece, open);
                left.set(to, around.contains(to) && !guarded.contains(to));
                if left.0.count_ones() > HELP + 1 {
                    continue;
                }
                let way = attacks::between(to, square).with(to);
                let mut picture = Picture {
                    cost,
                    king: (self.king, square),
                    checker: Goal { piece: checker.piece, from: checker.from, to },
                    promotes: checker.promotes,
                    men: [None; MEN],
                };
                if let Some(slot) = self.aside(&mut picture, way) {
                    self.fill(&mut picture, slot, way, left, HELP);
                }
            }
        }
    }

    /// Lets the defenders step aside; how many did, or `None` if that is too many.
    fn aside(&self, picture: &mut Picture, way: Bitboard) -> Option<usize> {
        let (square, to) = (picture.king.1, picture.checker.to);
        let mut slot = 0;
        if (self.watched & way).is_empty() {
            return Some(0);
        }
        for other in &self.others {
            let stops = if other.piece.role == Role::Pawn {
                (other.hits & Bitboard::from_square(to))
                    | (other.one & !other.hits & way.without(to))
            } else {
                other.hits & way
            };
            if stops.is_empty() || other.at == to {
                continue;
            }
            if slot == HELP as usize {
                return None;
            }
            let clear = other.one & !self.occupied & !way & !attacks::king_attacks(square);
            let occupied = self.occupied.without(other.at);
            let blind =
                |goal: &Square| (attacks::attacks(*goal, other.piece, occupied) & way).is_empty();
            let goal = clear.without(square).into_iter().find(blind)?;
            picture.men[slot] = Some(Goal { piece: other.piece, from: other.at, to: goal });
            picture.cost += 2;
            slot += 1;
        }
        Some(slot)
    }

    /// Has up to `help` men fill the gaps that are `left`.
    fn fill(
        &mut self,
        picture: &mut Picture,
        slot: usize,
        way: Bitboard,
        left: Bitboard,
        help: u32,
    ) {
        if picture.cost >= self.worst() {
            return;
        }
        if left.is_empty() {
            self.add(picture);
            return;
        }
        if help == 0 || slot == MEN || self.work == 0 {
            return;
        }
        self.work -= 1;
        let cost = picture.cost;
        // The last helper must fill them all, an earlier one the first.
        let gaps = if help == 1 { left } else { left.first().map_or(left, Bitboard::from_square) };
        let from = Guards::of(gaps, self.side, &mut self.rays, self.occupied);
        self.fill_by_king(picture, slot, way, left, help, from.king);
        picture.cost = cost + 1;
        let square = picture.king.1;
        let figures = if from.any(&self.one) { self.figures.len() } else { 0 };
        for at in 0..figures {
            let Figure { piece, at: origin, one, .. } = self.figures[at];
            let places = one & from.by(piece.role) & !way;
            if places.is_empty() || piece.role == Role::King || picture.uses(origin) {
                continue;
            }
            for place in places.without(square).into_iter().take(2) {
                picture.men[slot] = Some(Goal { piece, from: origin, to: place });
                let rest = left & !attacks::attacks(place, piece, self.occupied.without(origin));
                self.fill(picture, slot + 1, way, rest, help - 1);
            }
        }
        if let Some(gap) = gaps.single_square()
            && gap != picture.checker.to
            && self.theirs_one.contains(gap)
        {
            for at in 0..self.others.len() {
                let Figure { piece, at: origin, one, .. } = self.others[at];
                if one.contains(gap) && !picture.uses(origin) {
                    picture.men[slot] = Some(Goal { piece, from: origin, to: gap });
                    self.fill(picture, slot + 1, way, left.without(gap), help - 1);
                }
            }
        }
        picture.men[slot] = None;
        picture.cost = cost;
    }

    /// The mating side's king comes near.
    fn fill_by_king(
        &mut self,
        picture: &mut Picture,
        slot: usize,
        way: Bitboard,
        left: Bitboard,
        help: u32,
        near: Bitboard,
    ) {
        let square = picture.king.1;
        let beside = attacks::king_attacks(square).with(square);
        let near = near & !beside & !self.own & !way & self.walked;
        if near.is_empty() || picture.uses(self.helper) {
            return;
        }
        let steps = |place: Square| u32::from(self.steps[usize::from(place)]);
        let Some(place) = near.into_iter().min_by_key(|&place| steps(place)) else { return };
        let piece = Piece { color: self.side, role: Role::King };
        picture.cost += steps(place);
        picture.men[slot] = Some(Goal { piece, from: self.helper, to: place });
        self.fill(picture, slot + 1, way, left & !attacks::king_attacks(place), help - 1);
        picture.men[slot] = None;
    }
}

/// From where a man of each kind guards all of some squares.
struct Guards {
    pawn: Bitboard,
    knight: Bitboard,
    diagonal: Bitboard,
    straight: Bitboard,
    queen: Bitboard,
    king: Bitboard,
}

impl Guards {
    fn of(squares: Bitboard, side: Color, rays: &mut Rays, occupied: Bitboard) -> Guards {
        let all = Bitboard::FULL;
        let mut guards =
            Guards { pawn: all, knight: all, diagonal: all, straight: all, queen: all, king: all };
        for square in squares {
            let (diagonal, straight) = rays.from(square, occupied);
            guards.pawn &= attacks::pawn_attacks(!side, square);
            guards.knight &= attacks::knight_attacks(square);
            guards.diagonal &= diagonal;
            guards.straight &= straight;
            guards.queen &= diagonal | straight;
            guards.king &= attacks::king_attacks(square);
        }
        guards
    }

    fn by(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.diagonal,
            Role::Rook => self.straight,
            Role::Queen => self.queen,
            Role::King => self.king,
        }
    }

    /// Whether a man that can be on one of these squares, by role, may guard them.
    fn any(&self, one: &ByRole<Bitboard>) -> bool {
        let met = (self.pawn & one.pawn)
            | (self.knight & one.knight)
            | (self.diagonal & one.bishop)
            | (self.straight & one.rook)
            | (self.queen & one.queen);
        met.any()
    }
}

/// Lines of sight on the board as it stands, each looked up once.
struct Rays {
    known: Bitboard,
    rays: [(Bitboard, Bitboard); 64],
}

impl Rays {
    /// Along the diagonals, and along rank and file.
    fn from(&mut self, square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
        let rays = &mut self.rays[usize::from(square)];
        if !self.known.contains(square) {
            self.known.add(square);
            *rays = (
                attacks::bishop_attacks(square, occupied),
                attacks::rook_attacks(square, occupied),
            );
        }
        *rays
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Color, fen::Fen};

    use super::line;
    use crate::dead::check;

    #[test]
    fn short_mates_are_seen_at_a_glance() {
        for (fen, side, plies) in [
            // At home; behind its own pawns; by a pawn that promotes.
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Color::White, 8),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Color::Black, 8),
            ("6k1/5ppp/8/8/8/8/1r3PPP/3R2K1 b - - 0 1", Color::White, 6),
            ("6k1/5ppp/8/8/8/8/1r3PPP/3R2K1 b - - 0 1", Color::Black, 6),
            ("8/8/8/6P1/8/5K2/8/7k w - - 0 1", Color::White, 40),
        ] {
            let here: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let (line, _) = line(&here, side).unwrap_or_else(|| panic!("{fen} {side}"));
            assert!(line.len() <= plies, "{fen} {side}: {line:?}");
            assert_eq!(check::mate_line(&here, side, &line), Ok(()), "{fen} {side}");
        }
    }

    #[test]
    fn no_mate_is_seen_where_there_is_none() {
        for (fen, side) in [
            ("8/8/4k3/8/3r4/4K3/8/8 w - - 0 1", Color::White),
            ("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1", Color::White),
            ("r7/K1k5/8/8/8/8/8/8 w - - 0 1", Color::Black),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Color::Black),
        ] {
            let here: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            assert!(line(&here, side).is_none(), "{fen} {side}");
        }
    }
}
