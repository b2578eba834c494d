//! How people and hardware behave: every parameter of the noise, with its reason.
//!
//! "T" is the count over the real traces (199 moves, 458 updates; `protocol.md` 3.5). Where no
//! count exists the figure is an estimate, chosen on the nasty side of what is seen in a playing
//! hall, and says so.

use super::chance::Span;

/// Coils and scan.
#[derive(Clone, Debug)]
pub struct Sensors {
    /// Length of a whole scan, seconds, drawn once a board. The header says 200 to 250 ms;
    /// newer boards are faster, Bluetooth boards slower.
    pub scan: Span,
    /// Single squares read wrong (mostly as empty) for one or two scans, times a minute.
    pub misread_per_minute: f64,
    /// A whole row reads empty for one scan, times a minute (a driver of the coil matrix missed;
    /// estimate).
    pub row_lost_per_minute: f64,
    /// A man just put down reads as another man or a special code for one scan (9.18, 3.4).
    pub wrong_on_arrival: f64,
    /// A field update is sent twice (none in T; unproven, harmless when handled).
    pub duplicate: f64,
    /// A dump shows the board as it was at the request, though changes made since are sent
    /// before it (9.5); otherwise as it is when its transfer begins.
    pub stale_dump: f64,
    /// Chance per clock message that a worthless one comes first: all zeros (9.8), digits that
    /// are none or an old acknowledgement (9.7, 9.9).
    pub clock_garbage: f64,
    /// Filler messages `80 00 00`, times a minute (9.18).
    pub filler_per_minute: f64,
}

/// Line.
#[derive(Clone, Debug)]
pub struct Noise {
    /// Time from a byte on the wire to the host's read, seconds: FTDI's latency timer is 16 ms.
    pub latency: Span,
    /// Chance per read that the host is held up, 0.1 to 0.8 s (a busy hub or a small computer);
    /// all bytes then come at once.
    pub stall: f64,
    /// A read returns only a few of the waiting bytes.
    pub short_read: f64,
    /// Chance per byte to vanish (overrun of a busy hub; estimate).
    pub lost_byte: f64,
    /// Chance per byte to arrive with one bit wrong (bad cable; estimate).
    pub changed_byte: f64,
    /// Chance per byte that another byte is inserted before it (estimate).
    pub inserted_byte: f64,
    /// Chance per message to be cut short (estimate).
    pub truncated_message: f64,
}

/// The clock and how it is used.
#[derive(Clone, Debug)]
pub struct ClockUse {
    /// There is a clock on the board.
    pub attached: bool,
    /// How often the board looks at the clock, seconds, drawn once a board: what a press lags at
    /// most. The header says up to 1 s late; USB boards are usually quick.
    pub poll: Span,
    /// The clock stands the wrong way round for the board's orientation.
    pub reversed: f64,
    /// From the release of the man to the press, seconds.
    pub delay: Span,
    /// The press is forgotten; half of the players remember it before the reply.
    pub forgotten: f64,
    /// The press comes before the man is down.
    pub early: f64,
    /// A player to move presses without having moved; the opponent presses back.
    pub mistaken: f64,
    /// The arbiter stops the clock for some seconds in the middle of the game, times a ply.
    pub paused: f64,
    /// Seconds on the clock at the start and increment.
    pub control: (u32, u32),
    /// A flag falls and up to eight more plies are played before anybody sees it (share of games).
    pub flag_unseen: f64,
    /// The game is ended by the flag (share of games).
    pub flag: f64,
}

/// Hands.
#[derive(Clone, Debug)]
pub struct Hands {
    /// From one player's release to the other's first touch, seconds.
    pub think: Span,
    /// Share of games that end in a scramble: the last 20 to 60 plies take half a second to a
    /// second each, hands overlap twice as often. Over-the-board bullet reaches two plies a
    /// second, no more.
    pub scramble: f64,
    /// From lift to put down, seconds: 0.2 to 0.5 in blitz, 0.5 to 1.5 normally.
    pub travel: Span,
    /// Between the hand movements of one move (victim off, rook after king), seconds.
    pub between: Span,
    /// The reply is begun (man lifted) before the mover has let go; never twice running, nobody
    /// is that quick.
    pub overlap: f64,
    /// Of those, the reply is completed as well, as far as the squares allow: prepared replies of
    /// people short of time, once in some games (estimate).
    pub overlap_whole: f64,
    /// The man is pushed along the surface. T: 10 of 199 moves show it.
    pub slide: f64,
    /// The man is carried so low that squares on the way may sense it (estimate).
    pub skim: f64,
    /// A slide rests on the way, 0.2 to 1 s.
    pub stop: f64,
    /// A slide leaves its line by up to two thirds of a square.
    pub drift: f64,
    /// Typical offset from the centre when put down, squares.
    pub placing: f64,
    /// The man ends so far off the centre that its square flashes until somebody puts it straight
    /// (9.29), 2 to 20 s later.
    pub poor: f64,
    /// The man is first put on the border of two squares and pushed right within 0.3 to 2 s.
    pub straddle: f64,
    /// Order of a capture: victim first, attacker first, exchanged (target never empty), victim
    /// pushed off by the attacker. T: 7, 3, 25 of 35, and 5 drags among them.
    pub capture: [f64; 4],
    /// Order of castling: king then rook, king resting on the way, rook then king, both hands,
    /// king and rook in one hand, rook lifted and king lifted and rook put first. T: 6 of 6 king
    /// first.
    pub castle: [f64; 6],
    /// En passant: victim last, first, between.
    pub passant: [f64; 3],
    /// Promotion: pawn pushed then exchanged, pawn off then queen on, queen on before pawn off.
    pub promote: [f64; 3],
    /// The exchange of a pushed pawn happens only after the press (a common mistake in blitz).
    pub promote_after_press: f64,
    /// Before another piece a queen is put down and exchanged (under-promotion only).
    pub promote_twice: f64,
    /// One man is put straight, chance a ply.
    pub adjust: f64,
    /// Of those: two to four men in a row.
    pub adjust_more: f64,
    /// A man is lifted and put back, chance a ply.
    pub touch: f64,
    /// Another move is tried (held or let go) and taken back before the press, chance a ply.
    pub hesitate: f64,
    /// A finished and pressed ply is taken back and another played, chance a ply.
    pub takeback: f64,
    /// Men fall over and are put up again, chance a ply.
    pub knock: f64,
    /// An illegal move is made and put right, chance a ply.
    pub illegal: f64,
    /// The opponent adjusts or fidgets while a move is being made, chance a ply.
    pub both: f64,
}

/// Ends and new beginnings.
#[derive(Clone, Debug)]
pub struct Ends {
    /// The result is shown with both kings in the centre (share of games).
    pub gesture: f64,
    /// Of those, the kings come one after the other, seconds apart.
    pub one_by_one: f64,
    /// Without that: one king is put in the centre and the other taken off (a half-done gesture).
    pub one_king: f64,
    /// Or the loser lays his king on its side.
    pub king_laid: f64,
    /// Before the next game the players change colours in their seats: the men stand the other
    /// way round.
    pub turned: f64,
    /// Before setting up somebody sweeps all men off the board.
    pub swept: f64,
    /// Moves are made on the board after the end (analysis), share of games that ended visibly.
    pub after: f64,
    /// From the end to the first man put back, seconds: people shake hands and write.
    pub rest: Span,
    /// Each man put back, seconds, per person.
    pub pace: Span,
    /// King and queen (or other two men) are set up on each other's square first.
    pub set_up_error: f64,
}

/// The cable.
#[derive(Clone, Debug)]
pub struct Cable {
    /// Times out a game, on average.
    pub losses: f64,
    /// How long, seconds.
    pub out: Span,
}

/// One kind of session.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its name in tables.
    pub name: &'static str,
    /// Chance that the board stands with its connector on White's right.
    pub rotated: f64,
    /// The games are Chess960, handicaps and games begun in the middle, not usual ones.
    pub variants: bool,
    /// Games played one after the other on one board, at most.
    pub in_a_row: usize,
    /// Coils and scan.
    pub sensors: Sensors,
    /// Line.
    pub noise: Noise,
    /// Clock.
    pub clock: ClockUse,
    /// Hands.
    pub hands: Hands,
    /// Ends.
    pub ends: Ends,
    /// Cable.
    pub cable: Cable,
}

/// Careful people, a perfect board: 100 % is expected.
pub fn clean() -> Profile {
    Profile {
        name: "clean",
        rotated: 0.5,
        variants: false,
        in_a_row: 2,
        sensors: Sensors {
            scan: Span(0.05, 0.25),
            misread_per_minute: 0.0,
            row_lost_per_minute: 0.0,
            wrong_on_arrival: 0.0,
            duplicate: 0.0,
            stale_dump: 0.5,
            clock_garbage: 0.0,
            filler_per_minute: 0.0,
        },
        noise: Noise {
            latency: Span(0.001, 0.016),
            stall: 0.0,
            short_read: 0.1,
            lost_byte: 0.0,
            changed_byte: 0.0,
            inserted_byte: 0.0,
            truncated_message: 0.0,
        },
        clock: ClockUse {
            attached: true,
            poll: Span(0.1, 0.25),
            reversed: 0.0,
            delay: Span(0.3, 0.8),
            forgotten: 0.0,
            early: 0.0,
            mistaken: 0.0,
            paused: 0.0,
            control: (5400, 30),
            flag_unseen: 0.0,
            flag: 0.0,
        },
        hands: Hands {
            think: Span(1.5, 8.0),
            scramble: 0.0,
            travel: Span(0.5, 1.5),
            between: Span(0.3, 0.8),
            overlap: 0.0,
            overlap_whole: 0.0,
            slide: 0.0,
            skim: 0.0,
            stop: 0.0,
            drift: 0.0,
            placing: 0.1,
            poor: 0.0,
            straddle: 0.0,
            capture: [0.5, 0.1, 0.4, 0.0],
            castle: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            passant: [0.8, 0.1, 0.1],
            promote: [0.5, 0.5, 0.0],
            promote_after_press: 0.0,
            promote_twice: 0.0,
            adjust: 0.0,
            adjust_more: 0.0,
            touch: 0.0,
            hesitate: 0.0,
            takeback: 0.0,
            knock: 0.0,
            illegal: 0.0,
            both: 0.0,
        },
        ends: Ends {
            gesture: 0.6,
            one_by_one: 0.3,
            one_king: 0.0,
            king_laid: 0.0,
            turned: 0.0,
            swept: 0.0,
            after: 0.0,
            rest: Span(7.0, 15.0),
            pace: Span(0.8, 1.5),
            set_up_error: 0.0,
        },
        cable: Cable { losses: 0.0, out: Span(2.0, 10.0) },
    }
}

/// A league evening: decent people, a good board.
pub fn club() -> Profile {
    let clean = clean();
    Profile {
        name: "club",
        rotated: 0.0,
        variants: false,
        in_a_row: 2,
        sensors: Sensors {
            scan: Span(0.15, 0.25),
            misread_per_minute: 0.3,
            wrong_on_arrival: 0.003,
            duplicate: 0.001,
            ..clean.sensors
        },
        noise: clean.noise,
        clock: ClockUse {
            poll: Span(0.1, 0.5),
            reversed: 0.03,
            delay: Span(0.1, 0.6),
            forgotten: 0.01,
            early: 0.005,
            mistaken: 0.001,
            paused: 0.002,
            flag: 0.05,
            ..clean.clock
        },
        hands: Hands {
            think: Span(0.6, 12.0),
            scramble: 0.03,
            travel: Span(0.4, 1.5),
            between: Span(0.15, 0.8),
            overlap: 0.01,
            overlap_whole: 0.03,
            slide: 0.05,
            skim: 0.06,
            stop: 0.1,
            drift: 0.1,
            placing: 0.15,
            poor: 0.002,
            straddle: 0.01,
            capture: [0.25, 0.1, 0.5, 0.15],
            castle: [0.75, 0.05, 0.05, 0.05, 0.05, 0.05],
            passant: [0.7, 0.15, 0.15],
            promote: [0.4, 0.45, 0.15],
            promote_after_press: 0.02,
            promote_twice: 0.1,
            adjust: 0.03,
            adjust_more: 0.25,
            touch: 0.01,
            hesitate: 0.008,
            takeback: 0.0008,
            knock: 0.002,
            illegal: 0.001,
            both: 0.01,
        },
        ends: Ends {
            gesture: 0.5,
            one_by_one: 0.5,
            one_king: 0.04,
            king_laid: 0.15,
            turned: 0.05,
            swept: 0.1,
            after: 0.2,
            rest: Span(4.0, 20.0),
            pace: Span(0.5, 1.5),
            set_up_error: 0.05,
        },
        cable: clean.cable,
    }
}

/// The same club on a board turned round.
pub fn club_rotated() -> Profile {
    Profile { name: "club-rotated", rotated: 1.0, ..club() }
}

/// The same club without a clock on the board.
pub fn club_no_clock() -> Profile {
    let club = club();
    Profile {
        name: "club-no-clock",
        rotated: 0.3,
        clock: ClockUse { attached: false, flag: 0.0, ..club.clock },
        ..club
    }
}

/// Three minutes and two seconds: hands overlap.
pub fn blitz() -> Profile {
    let club = club();
    Profile {
        name: "blitz",
        rotated: 0.3,
        in_a_row: 3,
        clock: ClockUse {
            poll: Span(0.1, 1.0),
            delay: Span(0.08, 0.4),
            forgotten: 0.02,
            early: 0.06,
            mistaken: 0.002,
            paused: 0.001,
            control: (180, 2),
            flag_unseen: 0.04,
            flag: 0.15,
            ..club.clock
        },
        hands: Hands {
            think: Span(0.15, 4.0),
            scramble: 0.3,
            travel: Span(0.18, 0.5),
            between: Span(0.05, 0.3),
            overlap: 0.12,
            overlap_whole: 0.06,
            slide: 0.1,
            skim: 0.2,
            stop: 0.05,
            drift: 0.2,
            placing: 0.2,
            poor: 0.005,
            straddle: 0.02,
            capture: [0.15, 0.15, 0.5, 0.2],
            castle: [0.55, 0.05, 0.05, 0.2, 0.1, 0.05],
            promote: [0.35, 0.45, 0.2],
            promote_after_press: 0.1,
            adjust: 0.04,
            touch: 0.008,
            hesitate: 0.008,
            takeback: 0.001,
            knock: 0.004,
            illegal: 0.002,
            both: 0.04,
            ..club.hands
        },
        ends: Ends { pace: Span(0.3, 1.0), rest: Span(3.0, 10.0), turned: 0.3, ..club.ends },
        ..club
    }
}

/// Children and time trouble: everything happens.
pub fn messy() -> Profile {
    let blitz = blitz();
    Profile {
        name: "messy",
        rotated: 0.5,
        sensors: Sensors {
            scan: Span(0.1, 0.25),
            misread_per_minute: 0.6,
            wrong_on_arrival: 0.006,
            ..blitz.sensors.clone()
        },
        clock: ClockUse {
            forgotten: 0.08,
            early: 0.08,
            mistaken: 0.008,
            paused: 0.004,
            control: (600, 5),
            flag: 0.1,
            ..blitz.clock
        },
        hands: Hands {
            think: Span(0.2, 6.0),
            travel: Span(0.2, 1.5),
            between: Span(0.1, 1.0),
            overlap: 0.08,
            slide: 0.25,
            stop: 0.25,
            drift: 0.4,
            placing: 0.25,
            poor: 0.01,
            straddle: 0.05,
            capture: [0.2, 0.2, 0.3, 0.3],
            promote_after_press: 0.25,
            castle: [0.4, 0.1, 0.15, 0.15, 0.1, 0.1],
            passant: [0.5, 0.25, 0.25],
            adjust: 0.08,
            adjust_more: 0.4,
            touch: 0.04,
            hesitate: 0.04,
            takeback: 0.004,
            knock: 0.012,
            illegal: 0.01,
            both: 0.06,
            ..blitz.hands
        },
        ends: Ends { after: 0.4, set_up_error: 0.2, pace: Span(0.3, 1.5), ..blitz.ends },
        ..blitz
    }
}

/// A club game on a worn board with a bad cable.
pub fn flaky() -> Profile {
    let club = club();
    Profile {
        name: "flaky",
        rotated: 0.3,
        sensors: Sensors {
            scan: Span(0.15, 0.25),
            misread_per_minute: 6.0,
            row_lost_per_minute: 0.15,
            wrong_on_arrival: 0.03,
            duplicate: 0.02,
            stale_dump: 0.8,
            clock_garbage: 0.01,
            filler_per_minute: 1.0,
        },
        noise: Noise {
            latency: Span(0.001, 0.06),
            stall: 0.002,
            short_read: 0.3,
            lost_byte: 0.0006,
            changed_byte: 0.0004,
            inserted_byte: 0.0003,
            truncated_message: 0.001,
        },
        clock: ClockUse { poll: Span(0.2, 1.0), ..club.clock },
        hands: Hands { think: Span(0.4, 6.0), poor: 0.008, ..club.hands },
        cable: Cable { losses: 1.0, out: Span(1.5, 14.0) },
        ..club
    }
}

/// Club players at Chess960, handicaps, and games set up in the middle from a FEN.
pub fn variants() -> Profile {
    Profile { name: "variants", rotated: 0.3, variants: true, ..club() }
}

/// All profiles, in the order of the table.
pub fn all() -> Vec<Profile> {
    vec![clean(), club(), club_rotated(), club_no_clock(), blitz(), messy(), flaky(), variants()]
}
