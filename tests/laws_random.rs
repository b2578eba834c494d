//! Random legal games, judged twice: by the project and by a slow reading of the text that shares
//! nothing with it. The slow one has its own board, its own legal moves, looks through the whole
//! game for every question and writes positions down as text.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::collections::BTreeSet;

use dgtd::{
    game::{Count, History, Past},
    laws::{
        ClaimKind, DeadAnswer, Edition, Ending, How, Verdict, pgn,
        unknown::{DependsOn, Hypotheses, Possible},
        verdict,
    },
    units::Ply,
};
use proptest::prelude::*;
use shakmaty::{CastlingMode, EnPassantMode, Move, Position, Setup, fen::Fen, uci::UciMove};

/// The slow reading.
mod slow {
    use std::fmt::Write;

    /// A position: men as FEN letters, `.` for none, a1 first.
    #[derive(Clone)]
    pub struct Pos {
        men: [char; 64],
        white: bool,
        /// Letters of the rights, as in FEN.
        rights: String,
        /// The square a pawn has just passed.
        passed: Option<usize>,
    }

    /// A move: from, to, the piece a pawn becomes.
    pub type Mv = (usize, usize, Option<char>);

    const KNIGHT: [(i32, i32); 8] =
        [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    const LINES: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const DIAGONALS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

    fn step(square: usize, by: (i32, i32)) -> Option<usize> {
        let file = i32::try_from(square % 8).unwrap() + by.0;
        let rank = i32::try_from(square / 8).unwrap() + by.1;
        ((0..8).contains(&file) && (0..8).contains(&rank))
            .then(|| usize::try_from(rank * 8 + file).unwrap())
    }

    pub fn name(square: usize) -> String {
        let file = char::from(b'a' + u8::try_from(square % 8).unwrap());
        format!("{file}{}", square / 8 + 1)
    }

    impl Pos {
        pub fn from_fen(fen: &str) -> Pos {
            let fields: Vec<&str> = fen.split(' ').collect();
            let mut men = ['.'; 64];
            for (row, line) in fields[0].split('/').enumerate() {
                let mut file = 0;
                for c in line.chars() {
                    if let Some(n) = c.to_digit(10) {
                        file += n as usize;
                    } else {
                        men[(7 - row) * 8 + file] = c;
                        file += 1;
                    }
                }
            }
            let passed = (fields[3] != "-").then(|| {
                let b = fields[3].as_bytes();
                usize::from(b[1] - b'1') * 8 + usize::from(b[0] - b'a')
            });
            let rights = fields[2].replace('-', "");
            Pos { men, white: fields[1] == "w", rights, passed }
        }

        fn own(&self, square: usize) -> bool {
            let c = self.men[square];
            c != '.' && c.is_ascii_uppercase() == self.white
        }

        /// Whether the side `white` attacks a square.
        fn attacked(&self, square: usize, white: bool) -> bool {
            let man = |c: char| if white { c.to_ascii_uppercase() } else { c };
            let forward = if white { 1 } else { -1 };
            let at =
                |by: (i32, i32), c: char| step(square, by).is_some_and(|s| self.men[s] == man(c));
            if KNIGHT.iter().any(|by| at(*by, 'n'))
                || LINES.iter().chain(&DIAGONALS).any(|by| at(*by, 'k'))
                || at((1, -forward), 'p')
                || at((-1, -forward), 'p')
            {
                return true;
            }
            let along = |lines: &[(i32, i32)], c: char| {
                lines.iter().any(|by| {
                    let mut s = step(square, *by);
                    while let Some(here) = s {
                        if self.men[here] != '.' {
                            return self.men[here] == man(c) || self.men[here] == man('q');
                        }
                        s = step(here, *by);
                    }
                    false
                })
            };
            along(&LINES, 'r') || along(&DIAGONALS, 'b')
        }

        pub fn in_check(&self, white: bool) -> bool {
            let king = if white { 'K' } else { 'k' };
            let square = self.men.iter().position(|c| *c == king).unwrap();
            self.attacked(square, !white)
        }

        pub fn resets(&self, mv: Mv) -> bool {
            self.men[mv.0].eq_ignore_ascii_case(&'p') || self.men[mv.1] != '.'
        }

        pub fn is_passing(&self, mv: Mv) -> bool {
            self.men[mv.0].eq_ignore_ascii_case(&'p')
                && self.passed == Some(mv.1)
                && mv.0 % 8 != mv.1 % 8
        }

        /// The position after a move, legal or not.
        pub fn after(&self, mv: Mv) -> Pos {
            let (from, to, promotion) = mv;
            let mut next = self.clone();
            let man = self.men[from];
            if self.is_passing(mv) {
                next.men[from / 8 * 8 + to % 8] = '.';
            }
            next.men[from] = '.';
            next.men[to] =
                promotion.map_or(man, |p| if self.white { p.to_ascii_uppercase() } else { p });
            if man.eq_ignore_ascii_case(&'k') && from % 8 == 4 && to.abs_diff(from) == 2 {
                let (corner, beside) =
                    if to > from { (from + 3, from + 1) } else { (from - 4, from - 1) };
                next.men[beside] = next.men[corner];
                next.men[corner] = '.';
            }
            for (square, lost) in [(0, "Q"), (7, "K"), (4, "KQ"), (56, "q"), (63, "k"), (60, "kq")]
            {
                if from == square || to == square {
                    next.rights.retain(|c| !lost.contains(c));
                }
            }
            let double = man.eq_ignore_ascii_case(&'p') && from.abs_diff(to) == 16;
            next.passed = double.then_some(usize::midpoint(from, to));
            next.white = !self.white;
            next
        }

        fn reachable(&self, from: usize) -> Vec<usize> {
            let man = self.men[from].to_ascii_lowercase();
            let mut to = Vec::new();
            let slide = |lines: &[(i32, i32)], far: bool, to: &mut Vec<usize>| {
                for by in lines {
                    let mut s = step(from, *by);
                    while let Some(here) = s {
                        if !self.own(here) {
                            to.push(here);
                        }
                        if self.men[here] != '.' || !far {
                            break;
                        }
                        s = step(here, *by);
                    }
                }
            };
            match man {
                'n' => slide(&KNIGHT, false, &mut to),
                'b' => slide(&DIAGONALS, true, &mut to),
                'r' => slide(&LINES, true, &mut to),
                'q' => {
                    slide(&LINES, true, &mut to);
                    slide(&DIAGONALS, true, &mut to);
                }
                'k' => {
                    slide(&LINES, false, &mut to);
                    slide(&DIAGONALS, false, &mut to);
                    self.castling(from, &mut to);
                }
                _ => self.pawn(from, &mut to),
            }
            to
        }

        fn castling(&self, king: usize, to: &mut Vec<usize>) {
            let (short, long) = if self.white { ('K', 'Q') } else { ('k', 'q') };
            let free = |squares: &[usize]| squares.iter().all(|s| self.men[*s] == '.');
            let safe = |squares: &[usize]| squares.iter().all(|s| !self.attacked(*s, !self.white));
            if self.rights.contains(short)
                && free(&[king + 1, king + 2])
                && safe(&[king, king + 1, king + 2])
            {
                to.push(king + 2);
            }
            if self.rights.contains(long)
                && free(&[king - 1, king - 2, king - 3])
                && safe(&[king, king - 1, king - 2])
            {
                to.push(king - 2);
            }
        }

        fn pawn(&self, from: usize, to: &mut Vec<usize>) {
            let forward = if self.white { 1 } else { -1 };
            let home = if self.white { 1 } else { 6 };
            if let Some(one) = step(from, (0, forward)).filter(|s| self.men[*s] == '.') {
                to.push(one);
                let two = step(one, (0, forward));
                if from / 8 == home
                    && let Some(two) = two.filter(|s| self.men[*s] == '.')
                {
                    to.push(two);
                }
            }
            for side in [-1, 1] {
                if let Some(s) = step(from, (side, forward))
                    && (self.passed == Some(s) || self.men[s] != '.' && !self.own(s))
                {
                    to.push(s);
                }
            }
        }

        pub fn legal(&self) -> Vec<Mv> {
            let mut moves = Vec::new();
            for from in (0..64).filter(|s| self.own(*s)) {
                for to in self.reachable(from) {
                    let last =
                        self.men[from].eq_ignore_ascii_case(&'p') && [0, 7].contains(&(to / 8));
                    let choices: &[Option<char>] =
                        if last { &[Some('n'), Some('b'), Some('r'), Some('q')] } else { &[None] };
                    moves.extend(choices.iter().map(|p| (from, to, *p)));
                }
            }
            moves.retain(|mv| !self.after(*mv).in_check(self.white));
            moves
        }

        /// What makes a position the same, as text.
        pub fn same(&self) -> String {
            let mut text: String = self.men.iter().collect();
            let taken = self.legal().into_iter().find(|mv| self.is_passing(*mv));
            let _ = write!(text, " {} {} {:?}", self.white, self.rights, taken.map(|mv| mv.1));
            text
        }
    }
}

/// A game as the slow reading keeps it.
struct Slow {
    positions: Vec<slow::Pos>,
    same: Vec<String>,
    resets: Vec<bool>,
    first_counter: usize,
}

impl Slow {
    fn new(fen: &str) -> Slow {
        let position = slow::Pos::from_fen(fen);
        let first_counter = fen.split(' ').nth(4).unwrap().parse().unwrap();
        let same = vec![position.same()];
        Slow { positions: vec![position], same, resets: vec![false], first_counter }
    }

    fn now(&self) -> &slow::Pos {
        self.positions.last().unwrap()
    }

    fn play(&mut self, mv: slow::Mv) {
        let next = self.now().after(mv);
        self.resets.push(self.now().resets(mv));
        self.same.push(next.same());
        self.positions.push(next);
    }

    fn quiet(&self) -> usize {
        let since = self.resets.iter().rev().take_while(|r| !**r).count();
        if since == self.resets.len() { self.first_counter + since - 1 } else { since }
    }

    fn occurrences(&self, same: &str) -> usize {
        self.same.iter().filter(|s| *s == same).count()
    }

    /// The events of the latest ply, without dead positions, under an edition of this year.
    fn events(&self, year: u32) -> BTreeSet<String> {
        let mut events = BTreeSet::new();
        let position = self.now();
        let legal = position.legal();
        let mut say = |event: &str| events.insert(event.to_owned());
        if legal.is_empty() {
            say(if position.in_check(self.white()) { "mate" } else { "stalemate" });
            return events;
        }
        let n = self.same.len() - 1;
        let here = self.occurrences(&self.same[n]);
        let five = match year {
            ..2014 => false,
            2014..2017 => n >= 16 && (1..=4).all(|k| self.same[n - 4 * k] == self.same[n]),
            _ => here >= 5,
        };
        if five {
            say("fivefold");
        }
        if year >= 2014 && self.quiet() >= 150 {
            say("seventyfive");
        }
        if !events.is_empty() {
            return events;
        }
        let mut say = |event: String| events.insert(event);
        if here >= 3 {
            say("threefold".to_owned());
        }
        if self.quiet() >= 100 {
            say("fifty".to_owned());
        }
        for mv in legal {
            let text = format!("{}{}{:?}", slow::name(mv.0), slow::name(mv.1), mv.2);
            if self.occurrences(&position.after(mv).same()) >= 2 {
                say(format!("threefold {text}"));
            }
            if self.quiet() == 99 && !position.resets(mv) {
                say(format!("fifty {text}"));
            }
        }
        events
    }

    fn white(&self) -> bool {
        self.same.last().unwrap().contains("true")
    }
}

/// A move of the project in the words of the slow reading.
fn words(m: Move) -> String {
    let (from, to, promotion) = squares(m);
    format!("{}{}{promotion:?}", slow::name(from), slow::name(to))
}

fn squares(m: Move) -> slow::Mv {
    match UciMove::from_standard(m) {
        UciMove::Normal { from, to, promotion } => {
            (from.to_usize(), to.to_usize(), promotion.map(shakmaty::Role::char))
        }
        other => panic!("{other}"),
    }
}

fn events(verdict: &Verdict) -> BTreeSet<String> {
    match verdict {
        Verdict::Over(over) => over.reasons.iter().map(|r| r.ending.label().to_owned()).collect(),
        Verdict::Open { claims, .. } => claims
            .iter()
            .flat_map(|claim| {
                let kind = match claim.kind {
                    ClaimKind::Threefold => "threefold",
                    ClaimKind::Fifty => "fifty",
                };
                assert!(claim.exact);
                match &claim.how {
                    How::JustAppeared => vec![kind.to_owned()],
                    How::ByMove(moves) => {
                        moves.iter().map(|m| format!("{kind} {}", words(*m))).collect()
                    }
                }
            })
            .collect(),
    }
}

const STARTS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/p6p/8/8/8/8/P6P/R3K2R b Kq - 90 80",
    "4k3/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/4K3 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/8/1R3pPk/8/8/K7 b - g3 0 1",
    "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1",
    "8/8/8/4k3/8/8/3QK3/8 w - - 60 90",
    "8/5k2/8/8/2n5/8/8/1N2K3 b - - 140 140",
];

/// Plays the game that the numbers pick and compares everything at every ply. Returns what was
/// met on the way.
fn compare(start: usize, picks: &[u16]) -> BTreeSet<String> {
    let fen = STARTS[start];
    let position = pgn::position(fen, CastlingMode::Standard).unwrap();
    let mut game = History::new(position, Past::Nothing);
    let mut slow = Slow::new(fen);
    let mut met = BTreeSet::new();
    for pick in picks.iter().copied().map(Some).chain([None]) {
        let here = game.latest();
        let legal = game.position().legal_moves();
        let fast_legal: BTreeSet<String> = legal.iter().map(|m| words(*m)).collect();
        let slow_legal: BTreeSet<String> = slow
            .now()
            .legal()
            .into_iter()
            .map(|mv| format!("{}{}{:?}", slow::name(mv.0), slow::name(mv.1), mv.2))
            .collect();
        let shown = || Fen::from_position(game.position(), EnPassantMode::Legal).to_string();
        assert_eq!(fast_legal, slow_legal, "{}", shown());
        for n in 0..=here.index() {
            let same = slow.same[n] == slow.same[here.index()];
            assert_eq!(game.plies()[n].key == game.last().key, same, "{n} {here} {}", shown());
        }
        let count = |n: usize| Count::Exact(u32::try_from(n).unwrap());
        assert_eq!(game.last().occurrence, count(slow.occurrences(&slow.same[here.index()])));
        assert_eq!(game.last().quiet, count(slow.quiet()), "{}", shown());
        for edition in Edition::ALL {
            let fast = events(&verdict(&game, edition, DeadAnswer::Alive));
            let year = edition.year().parse().unwrap();
            assert_eq!(fast, slow.events(year), "{edition} ply {here} {}", shown());
            met.extend(
                fast.iter().map(|e| e.split(' ').collect::<Vec<_>>().len().to_string() + &e[..4]),
            );
        }
        let Some(pick) = pick else { break };
        if legal.is_empty() {
            break;
        }
        // Three of four moves go to where the game has been, if one does, or are quiet.
        let weight = |m: &&Move| {
            let after = slow.now().after(squares(**m)).same();
            (slow.occurrences(&after), usize::from(!m.is_zeroing()))
        };
        let choice = if pick % 4 == 0 {
            legal[usize::from(pick) / 4 % legal.len()]
        } else {
            let best = legal.iter().map(|m| weight(&m)).max().unwrap();
            let good: Vec<&Move> = legal.iter().filter(|m| weight(m) == best).collect();
            *good[usize::from(pick) / 4 % good.len()]
        };
        slow.play(squares(choice));
        assert_eq!(game.play(choice).unwrap(), here.next());
    }
    // Going back restores everything, and the game can be played again to the same end.
    let whole = game.clone();
    let middle = Ply(game.latest().0 / 2);
    game.take_back_to(middle).unwrap();
    for record in &whole.plies()[middle.index() + 1..] {
        let dgtd::game::Step::Move(m) = record.step else { panic!("{:?}", record.step) };
        game.play(m).unwrap();
    }
    for (a, b) in game.plies().iter().zip(whole.plies()) {
        assert_eq!((a.key, a.occurrence, a.quiet), (b.key, b.occurrence, b.quiet));
    }
    met
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn random_games_are_judged_alike(
        start in 0..STARTS.len(),
        picks in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        compare(start, &picks);
    }
}

/// With rights unknown, what is called certain holds whichever of them are left, and what is called
/// possible does not hold for all of them.
fn compare_hypotheses(start: usize, picks: &[u16]) -> (usize, usize) {
    let fen = ["r3k2r/8/8/8/8/8/8/R3K2R w - - 4 1", "r3k3/8/8/8/8/8/8/4K2R b - - 96 60"][start];
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    let quiet = setup.halfmoves;
    let mode = CastlingMode::Standard;
    let mut game =
        Hypotheses::set_up(&setup.board, setup.turn, mode, Past::Counted, quiet).unwrap();
    let corners = setup.board.rooks();
    let mut all: Vec<History> = corners
        .carry_rippler()
        .map(|castling_rights| {
            let setup = Setup { castling_rights, ..setup.clone() };
            History::new(setup.position(mode).unwrap(), Past::Counted)
        })
        .collect();
    let (mut certain_ends, mut possible_facts) = (0, 0);
    for pick in picks {
        let legal = game.history().position().legal_moves();
        if legal.is_empty() {
            break;
        }
        let quiet: Vec<Move> = legal.iter().copied().filter(|m| !m.is_capture()).collect();
        // What would repeat if no right were left: there the hypotheses differ.
        let repeats = |m: &&Move| all[0].announced(all[0].latest(), **m).map_or(0, |c| c.0.value());
        let choice = match quiet.iter().map(|m| repeats(&m)).max() {
            Some(best) if pick % 8 != 0 => {
                let good: Vec<&Move> = quiet.iter().filter(|m| repeats(m) == best).collect();
                *good[usize::from(pick / 8) % good.len()]
            }
            _ => legal[usize::from(pick / 8) % legal.len()],
        };
        game.play(choice).unwrap();
        all.retain_mut(|history| history.play(choice).is_ok());
        assert!(!all.is_empty());
        let judged: Vec<BTreeSet<String>> = all
            .iter()
            .map(|history| loose(&verdict(history, Edition::Fide2023, DeadAnswer::Alive)))
            .collect();
        let judgement = game.verdict(Edition::Fide2023, &mut |_| DeadAnswer::Alive);
        let drawn =
            |facts: &BTreeSet<String>| facts.contains("fivefold") || facts.contains("seventyfive");
        for fact in loose(&judgement.certain) {
            for facts in &judged {
                let claim = fact.starts_with("threefold") || fact.starts_with("fifty");
                assert!(facts.contains(&fact) || claim && drawn(facts), "{fact} {facts:?}");
            }
        }
        certain_ends += usize::from(judgement.certain.over().is_some());
        possible_facts += judgement.possible.len();
        for (on, what) in judgement.possible {
            assert_eq!(on, DependsOn::CastlingRights);
            if let Possible::Over(ended) = what {
                let label = ended.ending.label();
                assert!(judged.iter().any(|facts| facts.contains(label)));
                assert!(!judged.iter().all(|facts| facts.contains(label)));
            }
        }
    }
    (certain_ends, possible_facts)
}

/// The events of a verdict, whether exact or not.
fn loose(verdict: &Verdict) -> BTreeSet<String> {
    let mut verdict = verdict.clone();
    if let Verdict::Open { claims, .. } = &mut verdict {
        for claim in claims {
            claim.exact = true;
        }
    }
    events(&verdict)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn what_is_certain_holds_whatever_rights_are_left(
        start in 0..2usize,
        picks in prop::collection::vec(any::<u16>(), 0..80),
    ) {
        compare_hypotheses(start, &picks);
    }
}

#[test]
fn fixed_games_meet_certain_ends_and_uncertain_facts() {
    use rand::{Rng, SeedableRng};
    let (mut ends, mut possible) = (0, 0);
    for seed in 0..20u64 {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let picks: Vec<u16> = (0..80).map(|_| rng.random()).collect();
        let met = compare_hypotheses(usize::from(seed % 2 == 1), &picks);
        ends += met.0;
        possible += met.1;
    }
    assert!(ends > 0 && possible > 0, "{ends} {possible}");
}

/// The random games do meet what they are meant to meet.
#[test]
fn fixed_games_meet_every_kind_of_event() {
    use rand::{Rng, SeedableRng};
    let mut met = BTreeSet::new();
    for seed in 0..36u64 {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let start = usize::try_from(seed).unwrap() % STARTS.len();
        let picks: Vec<u16> = (0..100).map(|_| rng.random()).collect();
        met.extend(compare(start, &picks));
    }
    for ending in Ending::ALL {
        if ending != Ending::DeadPosition
            && ending != Ending::Stalemate
            && ending != Ending::Checkmate
        {
            assert!(met.iter().any(|m| m[1..] == ending.label()[..4]), "{ending}: {met:?}");
        }
    }
    for claim in ["1thre", "2thre", "1fift", "2fift"] {
        assert!(met.contains(claim), "{claim}: {met:?}");
    }
}
