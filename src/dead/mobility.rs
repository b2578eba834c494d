//! Where every man may ever get to: an over-approximation of all that can happen.
//!
//! In: a position. Out: for every man the squares it may ever stand on, and which men may ever be
//! captured, in a series of moves that ends with a mate by the given side.
//!
//! The state only grows: `reach` of each man (at first its own square) and `capturable` (at first
//! empty), until no rule adds anything.
//!
//! **Why the result is safe (first violation).** Suppose a legal series that ends in that mate
//! leaves it. Take the first move that puts a man on a square outside its `reach`, or captures a
//! man outside `capturable`. Before that move every man left stands inside its `reach`, and every
//! man captured so far was `capturable`. Each rule below that *refuses* an entry shows that the
//! move was illegal then, or (the one rule in [`Net::ends`]) that no reply to it exists and it is
//! not the mate: then the series could not have gone on to its end.

use shakmaty::{Bitboard, CastlingSide, Chess, Color, Piece, Position, Role, Square, attacks};

/// One man of the position examined and how far it can get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// Where it stands.
    pub origin: Square,
    /// What it is (a pawn may promote, then `reach` is the whole board).
    pub piece: Piece,
    /// Every square it may ever stand on.
    pub reach: Bitboard,
    /// Whether it may ever be captured.
    pub capturable: bool,
}

impl Man {
    /// Never moves and is never captured: its square is occupied by it for good.
    pub(super) const fn fixed(&self) -> bool {
        !self.capturable && self.reach.more_than_one() == self.reach.is_empty()
    }

    /// Every square this man may ever attack or defend, if only the men on `fixed` stand in its way.
    pub(super) fn attacks(&self, fixed: Bitboard) -> Bitboard {
        if self.promotes() {
            return Bitboard::FULL;
        }
        self.reach
            .into_iter()
            .fold(Bitboard::EMPTY, |all, square| all | attacks::attacks(square, self.piece, fixed))
    }

    /// A pawn that may promote, and may then be any piece anywhere.
    pub(super) const fn promotes(&self) -> bool {
        matches!(self.piece.role, Role::Pawn) && self.reach.intersects_const(Bitboard::BACKRANKS)
    }
}

/// The men of a position with their reach, closed under the rules of this module.
///
/// Covers every position of every series that ends with a mate by `side`. The men on `held` are
/// known never to move in such a series ([`holds`]). `None` as soon as a pawn of that side may
/// promote: it may then attack everything, and no mate is excluded.
pub(super) fn fixpoint(position: &Chess, side: Color, held: Bitboard) -> Option<Vec<Man>> {
    let mut net = Net::new(position, side);
    net.held = held;
    while net.sweep() {
        if net.promoted {
            return None;
        }
    }
    Some(net.men)
}

/// The same for all legal series, whatever they end with.
pub(super) fn everything(position: &Chess) -> Vec<Man> {
    let mut net = Net::new(position, position.turn());
    net.all = true;
    while net.sweep() {}
    net.men
}

/// The men, the kings not counted, that have no move by themselves as the position stands.
pub(super) fn stuck(position: &Chess, side: Color) -> Bitboard {
    let mut net = Net::new(position, side);
    net.update_stand();
    let stays = |at: &usize| {
        let man = net.men[*at];
        man.piece.role != Role::King && !man.reach.more_than_one() && !net.exits(*at)
    };
    (0..net.men.len()).filter(stays).map(|at| net.men[at].origin).collect()
}

/// Whether the man on `standing` cannot move as long as it has not been captured, in any series
/// that ends with a mate by `side`; then the reach of all men until then, which shows it.
///
/// **Why.** Suppose it moves in such a series. Up to its first move it stands where it is, so all
/// positions until then are covered by the reach of the others under that assumption. If every step
/// of it is refused there, its first move was illegal.
pub(super) fn holds(
    position: &Chess,
    side: Color,
    held: Bitboard,
    standing: Square,
) -> Option<Vec<Man>> {
    let mut net = Net::new(position, side);
    net.held = held;
    net.standing = Some(standing);
    let at = net.men.iter().position(|man| man.origin == standing)?;
    if net.men[at].reach.more_than_one() {
        return None;
    }
    net.update_stand();
    loop {
        if net.exits(at) {
            return None;
        }
        if !net.sweep() {
            return Some(net.men);
        }
    }
}

struct Net {
    men: Vec<Man>,
    /// The walls each piece has last spread between; nothing new comes while they are the same.
    walls: Vec<Bitboard>,
    /// A pawn of the side that is to mate may promote.
    promoted: bool,
    /// The side that is to mate.
    side: Color,
    /// Somebody may still castle.
    castling: bool,
    /// Series that do not end with the mate count as well.
    all: bool,
    /// Men that are known not to move.
    held: Bitboard,
    /// The man that is assumed to stand where it is.
    standing: Option<Square>,
    /// Squares a side's pieces may enter by a move that could capture there.
    captures: [Bitboard; 2],
    /// Squares some man of a side, its king not counted, may stand on.
    stand: [Bitboard; 2],
}

const fn index(color: Color) -> usize {
    color as usize
}

impl Net {
    fn new(position: &Chess, side: Color) -> Net {
        let men = position.board().into_iter().map(|(origin, piece)| Man {
            origin,
            piece,
            reach: first_reach(position, origin, piece),
            capturable: false,
        });
        let men: Vec<Man> = men.collect();
        let castling = position.castles().any();
        Net {
            // No walls are like that.
            walls: vec![Bitboard::FULL; men.len()],
            promoted: false,
            men,
            side,
            castling,
            all: false,
            held: Bitboard::EMPTY,
            standing: None,
            captures: [Bitboard::EMPTY; 2],
            stand: [Bitboard::EMPTY; 2],
        }
    }

    /// Applies every rule once; whether anything grew.
    fn sweep(&mut self) -> bool {
        let mut grew = self.update_stand();
        for color in Color::ALL {
            let mut shut = self.shut(color);
            for at in 0..self.men.len() {
                let man = self.men[at];
                let stays = self.held.contains(man.origin) || self.standing == Some(man.origin);
                if man.piece.color != color || stays || self.settled(at, &shut) {
                    continue;
                }
                if man.piece.role == Role::King {
                    shut.attacked = self.attacked(!color);
                }
                // As far as it gets while all others stay within theirs.
                while self.grow(at, self.entries(&self.men[at], &shut)) {
                    grew = true;
                }
                self.walls[at] = shut.walls;
            }
        }
        grew | self.update_capturable()
    }

    /// Whether nothing new can come of this man for now.
    fn settled(&self, at: usize, shut: &Shut) -> bool {
        let man = &self.men[at];
        match man.piece.role {
            Role::Pawn => man.promotes(),
            // What it could enter at most it may enter already.
            Role::King => {
                let known = man.reach & self.captures[index(man.piece.color)];
                (around(man.reach) & !shut.walls).is_subset(known)
            }
            // Where a piece gets hangs on the walls alone.
            _ => self.walls[at] == shut.walls,
        }
    }

    fn update_stand(&mut self) -> bool {
        let mut stand = [Bitboard::EMPTY; 2];
        for man in self.men.iter().filter(|man| man.piece.role != Role::King) {
            stand[index(man.piece.color)] |= man.reach;
        }
        let grew = stand != self.stand;
        self.stand = stand;
        grew
    }

    fn grow(&mut self, at: usize, entered: Entered) -> bool {
        let man = &mut self.men[at];
        let color = index(man.piece.color);
        let mut reach = man.reach | entered.quiet | entered.capturing;
        let mut capturing = entered.capturing;
        // A promoted pawn may be a queen or a knight: let it go everywhere and capture anything.
        if man.piece.role == Role::Pawn && (reach & Bitboard::BACKRANKS).any() {
            reach = Bitboard::FULL;
            capturing = Bitboard::FULL;
            self.promoted |= man.piece.color == self.side;
        }
        let grew = reach != man.reach || !(capturing & !self.captures[color]).is_empty();
        man.reach = reach;
        self.captures[color] |= capturing;
        grew
    }

    /// A man that may stand where an enemy may capture is capturable; kings never are.
    fn update_capturable(&mut self) -> bool {
        let mut grew = false;
        let standing = self.standing;
        let may = |man: &&mut Man| man.piece.role != Role::King && standing != Some(man.origin);
        for man in self.men.iter_mut().filter(may) {
            let hit = (man.reach & self.captures[index(!man.piece.color)]).any();
            grew |= hit && !man.capturable;
            man.capturable |= hit;
        }
        grew
    }

    /// Squares men of `color` cannot enter, those that stay attacked not counted.
    fn shut(&self, color: Color) -> Shut {
        let mut shut =
            Shut { walls: Bitboard::EMPTY, fixed: Bitboard::EMPTY, attacked: Bitboard::EMPTY };
        for man in self.men.iter().filter(|man| man.fixed()) {
            shut.fixed.add(man.origin);
            if man.piece.color == color || man.piece.role == Role::King {
                shut.walls.add(man.origin);
            }
        }
        shut
    }

    /// Squares that stay attacked by `color` whatever happens.
    ///
    /// A man that is never captured, and attacks the square from every square of its reach, over
    /// squares that nobody enters but itself or the enemy king. First violation: before the enemy
    /// king steps in, that man stands somewhere in its reach and nothing stands between, except
    /// perhaps the king itself, which moves away along the line of attack: the step is illegal.
    fn attacked(&self, color: Color) -> Bitboard {
        let mut all = Bitboard::EMPTY;
        for (at, man) in self.men.iter().enumerate() {
            if man.piece.color == color && !man.capturable && !man.promotes() {
                all |= self.always_attacked(at, man, Bitboard::EMPTY);
            }
        }
        all
    }

    fn always_attacked(&self, at: usize, man: &Man, blocked: Bitboard) -> Bitboard {
        let slides = matches!(man.piece.role, Role::Bishop | Role::Rook | Role::Queen);
        let freely = common(man, blocked);
        if !slides || freely.is_empty() {
            return freely;
        }
        let mut obstacles = blocked;
        let enemy_king = Piece { color: !man.piece.color, role: Role::King };
        for (other_at, other) in self.men.iter().enumerate() {
            if other_at != at && other.piece != enemy_king {
                obstacles |= other.reach;
            }
        }
        common(man, obstacles)
    }

    /// Whether this man, the king not meant, may move from where it stands.
    fn exits(&self, at: usize) -> bool {
        let man = self.men[at];
        let entered = self.entries(&man, &self.shut(man.piece.color));
        !((entered.quiet | entered.capturing).without(man.origin)).is_empty()
    }

    /// The squares this man may enter in one move (a slider: one step) from its reach.
    fn entries(&self, man: &Man, shut: &Shut) -> Entered {
        let (reach, walls) = (man.reach, shut.walls);
        let onto = match man.piece.role {
            Role::Pawn => return self.pawn_entries(man, shut.fixed),
            Role::King => {
                let mut onto = around(reach) & !walls & !shut.attacked;
                let further = onto & !reach;
                if further.any() && !self.all && self.only_kings_move(man) {
                    let shut = self.shut_most(man);
                    let ends = |&to: &Square| self.may_end(man, to, shut) && self.ends(man, to);
                    for to in further.into_iter().filter(ends) {
                        onto.discard(to);
                    }
                }
                onto
            }
            Role::Knight => knights(reach) & !walls,
            // A slider passes over each square on its way: a wall there stops it as well.
            Role::Bishop => diagonal(reach) & !walls,
            Role::Rook => straight(reach) & !walls,
            Role::Queen => around(reach) & !walls,
        };
        Entered { quiet: Bitboard::EMPTY, capturing: onto }
    }

    /// The squares that could be shut to the other king after a move of this one, whichever it is.
    fn shut_most(&self, king: &Man) -> Bitboard {
        let fixed = |man: &&Man| man.piece.color != king.piece.color && man.fixed();
        let men = self.men.iter().filter(fixed).map(|man| man.origin);
        men.collect::<Bitboard>() | self.attacked(king.piece.color)
    }

    /// Whether it is worth asking whether the move [ends](Net::ends) the game.
    fn may_end(&self, king: &Man, to: Square, shut: Bitboard) -> bool {
        let other = Piece { color: !king.piece.color, role: Role::King };
        let beside = attacks::king_attacks(to);
        self.men.iter().filter(|man| man.piece == other).all(|man| {
            let mut stands = (man.reach & !beside.with(to)).into_iter();
            stands.all(|from| (attacks::king_attacks(from) & !shut & !beside).is_empty())
        })
    }

    /// Whether this king's move to `to`, outside its reach, would end the game without the mate.
    ///
    /// First violation: the king moves to `to`, perhaps capturing a man of the other side D there,
    /// and before that all is as the reach says. Then D has no legal reply, because
    /// - none of its men but the king can move ([`Net::only_kings_move`], which the caller has
    ///   asked);
    /// - its king stands on some square of its reach, not beside `to`, and every square around it
    ///   is beside `to` (guarded by this king now), or holds a man of D that never moves and is
    ///   not captured by this move, or is attacked by a man that attacks it from wherever that
    ///   man may be, even over `to`. There is no castling, and no en passant after a king's move.
    ///
    /// If this is the king of the side to be mated, the other side cannot move any more, so no
    /// mate by it follows. If it is the king of the mating side, D's king was not in check before, as
    /// D was not to move, and the step opens no line to it: it is stalemate, not mate.
    fn ends(&self, king: &Man, to: Square) -> bool {
        let mine = king.piece.color;
        let theirs = |man: &&Man| man.piece.color != mine;
        let Some(other) = self.men.iter().filter(theirs).find(|man| man.piece.role == Role::King)
        else {
            return false;
        };
        let beside = attacks::king_attacks(to);
        let mut shut = beside;
        for (at, man) in self.men.iter().enumerate() {
            if man.piece.color != mine {
                if man.fixed() && man.origin != to {
                    shut.add(man.origin);
                }
            } else if man.piece.role != Role::King && !man.capturable && !man.promotes() {
                shut |= self.always_attacked(at, man, to.into());
            }
        }
        let stands = other.reach & !beside.with(to);
        stands.into_iter().all(|from| {
            (attacks::king_attacks(from) & !shut).is_empty()
                && (self.side != mine || !self.discovers(king, to, from))
        })
    }

    /// Whether the king's step to `to` may open a line from one of its men to the other king's
    /// `square`: the line must lead over the square the king leaves.
    fn discovers(&self, king: &Man, to: Square, square: Square) -> bool {
        let held = self
            .men
            .iter()
            .filter(|man| man.fixed() && man.piece.role != Role::King && man.origin != to);
        let closed = held.map(|man| man.origin).collect::<Bitboard>().with(to);
        let left = (king.reach & attacks::king_attacks(to)).without(square);
        let lines = left.into_iter().fold(Bitboard::EMPTY, |all, from| {
            // What the square is seen from only when `from` is free.
            let free = closed.without(from);
            let queen = |occupied| attacks::queen_attacks(square, occupied);
            all | (queen(free) & !queen(free.with(from)))
        });
        let mut mine = self
            .men
            .iter()
            .filter(|man| man.piece.color == king.piece.color && man.piece.role != Role::King);
        mine.any(|man| {
            let mut from = (man.reach & lines).into_iter();
            man.promotes() && (man.reach & lines).any()
                || man.piece.role != Role::Pawn
                    && from
                        .any(|at| attacks::attacks(at, man.piece, Bitboard::EMPTY).contains(square))
        })
    }

    /// Whether no man of the other side but its king can move after a move of this king. The man
    /// that is only assumed to stand might.
    fn only_kings_move(&self, king: &Man) -> bool {
        let frozen = |man: &Man| self.standing != Some(man.origin) && Net::frozen(man, king);
        let mut theirs = self.men.iter().filter(|man| man.piece.color != king.piece.color);
        !self.castling && theirs.all(frozen)
    }

    /// Whether this man of the side to reply cannot move, wherever the moving king goes: it has no
    /// other square in its reach, and does not owe that to the moving king standing in its way.
    fn frozen(man: &Man, king: &Man) -> bool {
        if man.piece.role == Role::King {
            return true;
        }
        let next = match man.piece.role {
            Role::Pawn => forward(man.piece.color, man.origin.into()),
            Role::Knight => attacks::knight_attacks(man.origin),
            _ => attacks::king_attacks(man.origin),
        };
        let held_by_king = king.fixed() && next.contains(king.origin);
        !held_by_king && !man.reach.more_than_one()
    }

    fn pawn_entries(&self, man: &Man, fixed: Bitboard) -> Entered {
        let color = man.piece.color;
        // A push needs the square empty. First violation: a fixed man of either side is still
        // there. A double step is two single ones: the square passed over belongs to the reach,
        // which also lets an enemy pawn capture en passant there.
        let mut quiet = forward(color, man.reach) & !man.reach & !fixed;
        if quiet.any() && stays_on_file(man) {
            quiet &= self.free_run(man);
        }
        // A capture needs an enemy man that may stand there; its own men there may be gone by then.
        let capturing = pawn_diagonal(color, man.reach) & self.stand[index(!color)];
        Entered { quiet, capturing }
    }

    /// The squares of its file on which a pawn that never leaves the file may get.
    ///
    /// A pawn that stood ahead, never leaves the file and is never captured stays ahead: pawns of
    /// one file cannot pass each other. First violation: the pushed pawn ends behind that pawn,
    /// which is nowhere farther ahead than the farthest square of its reach.
    fn free_run(&self, man: &Man) -> Bitboard {
        let mut free = Bitboard::FULL;
        for other in &self.men {
            let ahead = beyond(man.piece.color, man.origin).contains(other.origin);
            if ahead
                && other.piece.role == Role::Pawn
                && other.origin.file() == man.origin.file()
                && !other.capturable
                && stays_on_file(other)
            {
                let farthest = match man.piece.color {
                    Color::White => other.reach.last(),
                    Color::Black => other.reach.first(),
                };
                if let Some(farthest) = farthest {
                    free &= !beyond(man.piece.color, farthest).with(farthest);
                }
            }
        }
        free
    }
}

/// Squares that men of one colour cannot enter.
#[derive(Clone, Copy)]
struct Shut {
    /// No piece: a man stands there for good that it cannot capture, one of its own or the enemy
    /// king. First violation: it is still there, so a move onto or across the square is illegal.
    walls: Bitboard,
    /// No pawn by a push: a man of either side stands there for good.
    fixed: Bitboard,
    /// Not the king: they stay attacked.
    attacked: Bitboard,
}

#[derive(Clone, Copy)]
struct Entered {
    /// By moves that cannot capture.
    quiet: Bitboard,
    /// By moves that may capture what stands there.
    capturing: Bitboard,
}

/// What the man attacks from every square of its reach, outside of it, past these obstacles.
fn common(man: &Man, obstacles: Bitboard) -> Bitboard {
    let mut common = !man.reach;
    for square in man.reach {
        common &= attacks::attacks(square, man.piece, obstacles);
        if common.is_empty() {
            break;
        }
    }
    common
}

/// A pawn whose reach never leaves its file.
fn stays_on_file(man: &Man) -> bool {
    man.reach.is_subset(Bitboard::from_file(man.origin.file()))
}

/// Where a man starts: its square, and what the rights on the board add to it.
fn first_reach(position: &Chess, origin: Square, piece: Piece) -> Bitboard {
    let mut reach = Bitboard::from_square(origin);
    // Castling: king and rook may land on their castling squares. Nothing is refused here.
    let castles = position.castles();
    for side in CastlingSide::ALL {
        if let Some(rook) = castles.rook(piece.color, side) {
            if origin == rook {
                reach.add(side.rook_to(piece.color));
            }
            if piece.role == Role::King {
                reach.add(side.king_to(piece.color));
            }
        }
    }
    // En passant: treat the pawn that has just made a double step as if it might still stand on
    // the square it passed over, where it can be captured.
    if let Some(target) = position.maybe_ep_square()
        && piece.role == Role::Pawn
        && piece.color != position.turn()
        && forward(piece.color, target.into()).contains(origin)
    {
        reach.add(target);
    }
    reach
}

/// The squares of all ranks ahead of `square` as `color` sees it.
pub(super) fn beyond(color: Color, square: Square) -> Bitboard {
    let rank = u32::from(square.rank());
    match color {
        Color::White if rank == 7 => Bitboard::EMPTY,
        Color::White => Bitboard(!0 << (8 * (rank + 1))),
        Color::Black => Bitboard(!(!0 << (8 * rank))),
    }
}

fn forward(color: Color, set: Bitboard) -> Bitboard {
    set.shift(if color.is_white() { 8 } else { -8 })
}

const NOT_A: Bitboard = Bitboard(!0x0101_0101_0101_0101);
const NOT_H: Bitboard = Bitboard(!0x8080_8080_8080_8080);

fn east(set: Bitboard) -> Bitboard {
    (set & NOT_H).shift(1)
}

fn west(set: Bitboard) -> Bitboard {
    (set & NOT_A).shift(-1)
}

fn pawn_diagonal(color: Color, set: Bitboard) -> Bitboard {
    forward(color, east(set) | west(set))
}

fn straight(set: Bitboard) -> Bitboard {
    set.shift(8) | set.shift(-8) | east(set) | west(set)
}

fn diagonal(set: Bitboard) -> Bitboard {
    let sides = east(set) | west(set);
    sides.shift(8) | sides.shift(-8)
}

fn around(set: Bitboard) -> Bitboard {
    straight(set) | diagonal(set)
}

fn knights(set: Bitboard) -> Bitboard {
    let near = east(set) | west(set);
    let far = east(east(set)) | west(west(set));
    near.shift(16) | near.shift(-16) | far.shift(8) | far.shift(-8)
}
