//! `dgtctl claim`: is a claim of a draw right, and what does a wrong one cost?

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use serde_json::json;
use shakmaty::{Chess, Color, Position as _, san::San};
use zbus::Variant;

use super::{
    Answer, CtlError,
    client::{Client, asked_in, options},
    input,
};
use crate::{
    dead::{self, Budget},
    game::History,
    laws::{
        BoardAct, Claim as Made, ClaimClocks, ClaimKind, Conditions, Control, DeadAnswer, Decision,
        Edition, Ruling, claims, pgn, report,
    },
    signals::dbus::ARBITER_NAME,
    units::{Millis, Ply},
};

/// `dgtctl claim`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Claim {
    /// A file of games in PGN; - for standard input
    #[arg(required_unless_present = "board")]
    file: Option<PathBuf>,
    /// In place of a file, a board that a running dgtd watches: name, serial number or label
    #[arg(long, conflicts_with_all = ["file", "game"])]
    board: Option<String>,
    /// The number of the game in the file
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// Half-moves played when the claim was made; all of the game when not given
    #[arg(long)]
    ply: Option<u32>,
    /// What is claimed
    #[arg(long, value_enum)]
    kind: Kind,
    /// Who claims; the player who has the move when not given
    #[arg(long, value_parser = super::side, value_name = "white|black")]
    claimant: Option<Color>,
    /// The move announced with the claim, such as Nf3
    #[arg(long = "move", value_name = "SAN", value_parser = san)]
    announced: Option<San>,
    /// The claimant touched a piece before he claimed
    #[arg(long)]
    touched: bool,
    /// The claimant made a move on the board before he claimed
    #[arg(long)]
    moved: bool,
    /// The times left to claimant and opponent, such as 0:12:30 1:05:00
    #[arg(long, num_args = 2, value_names = ["OWN", "OTHER"])]
    clocks: Vec<Millis>,
    /// Edition of the Laws, such as fide-2023
    #[arg(long, value_name = "EDITION", default_value_t = Edition::default())]
    laws: Edition,
    /// standard, rapid or blitz
    #[arg(long, value_name = "CONTROL", default_value_t = Control::default())]
    time_control: Control,
    /// At a live board, enter the draw if the claim is right: the game is closed
    #[arg(long, requires = "board")]
    enter: bool,
    /// Print the ruling as a table
    #[arg(long, conflicts_with = "json")]
    tsv: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What can be claimed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// The same position three times (9.2)
    #[value(alias = "threefold_repetition")]
    Threefold,
    /// Fifty moves without pawn move or capture (9.3)
    #[value(aliases = ["fifty_moves", "fifty-move"])]
    Fifty,
}

fn san(text: &str) -> Result<San, String> {
    // The signs of check and mate are decoration.
    let plain = text.trim_end_matches(['+', '#', '!', '?']);
    plain.parse().map_err(|_| "write it in algebraic notation, as in Nf3, exd5 or O-O".to_owned())
}

impl Claim {
    /// The board the claim is made at, if it is a live one.
    pub fn board(&self) -> Option<&str> {
        self.board.as_deref()
    }
}

/// Asks the daemon about a claim that was made at a live board; it is written down. [`Answer::No`] if
/// it is not right.
pub async fn live(client: &Client, claim: &Claim, board: &str) -> Result<Answer, CtlError> {
    let board = client.board(board).await?;
    let kind = match claim.kind {
        Kind::Threefold => "threefold",
        Kind::Fifty => "fifty-move",
    };
    let announced = claim.announced.map(|san| san.to_string()).unwrap_or_default();
    let ply = super::board::seen(&board, claim.ply)?;
    let turn = board.text("org.dgtd.Game1", "Turn") != "black";
    let claimant = claim.claimant.unwrap_or(if turn { Color::White } else { Color::Black });
    let mut given = asked_in(&input::language());
    given.extend(options([("claimant", Variant::from(claimant.fold_wb("white", "black")))]));
    for (name, is) in [("touched", claim.touched), ("moved", claim.moved), ("enter", claim.enter)] {
        if is {
            given.extend(options([(name, Variant::from(true))]));
        }
    }
    if let [own, other] = claim.clocks[..] {
        let (white, black) = claimant.fold_wb((own, other), (other, own));
        let clocks = [("white-ms", Variant::from(white.0)), ("black-ms", Variant::from(black.0))];
        given.extend(options(clocks));
    }
    let ruling: LiveRuling = client
        .call_to(
            ARBITER_NAME,
            &board.path,
            "org.dgtd.ArbiterOnly1",
            "RuleOnClaim",
            &(kind, announced, ply, given),
        )
        .await?;
    claim.print_live(&ruling, claimant, ply)
}

/// Verdict, articles, in words, what must be played, White's and Black's time, plies.
type LiveRuling = (String, String, String, String, i64, i64, Vec<u32>);

/// Judges the claim; [`Answer::No`] if it is not right.
pub fn run(claim: &Claim) -> Result<Answer, CtlError> {
    let file = claim.file.as_deref().unwrap_or(Path::new("-"));
    let history = load(file, claim.game, claim.ply)?;
    let ply = claim.ply.map_or(history.latest(), Ply);
    let turn = history.at(ply).map(|record| record.position.turn());
    let conditions = Conditions::new(claim.laws, claim.time_control);
    let made = Made {
        // A ply the game does not have is refused below.
        claimant: claim.claimant.or(turn).unwrap_or(Color::White),
        kind: match claim.kind {
            Kind::Threefold => ClaimKind::Threefold,
            Kind::Fifty => ClaimKind::Fifty,
        },
        announced: claim.announced,
        act: match (claim.moved, claim.touched) {
            (true, _) => BoardAct::Moved,
            (false, true) => BoardAct::Touched,
            (false, false) => BoardAct::None,
        },
    };
    let clocks = match claim.clocks[..] {
        [claimant, opponent] => Some(ClaimClocks { claimant, opponent }),
        _ => None,
    };
    let mut dead =
        |position: &Chess| DeadAnswer::from(dead::judge(position, Budget::DEFAULT).dead());
    let known = clocks.unwrap_or(ClaimClocks { claimant: Millis(0), opponent: Millis(0) });
    let ruling = report::claim(&history, ply, &conditions, &made, known, &mut dead)?;
    claim.print(&ruling, &made, ply, clocks.is_some(), conditions)?;
    Ok(if ruling.decision == Decision::Correct { Answer::Yes } else { Answer::No })
}

/// A game of a file. A fault in it does not matter if the claim was made before.
fn load(path: &Path, number: usize, ply: Option<u32>) -> Result<History, CtlError> {
    let text = input::read(path)?;
    let mut games = pgn::games(&text);
    let (count, name) = (games.len(), input::name(path));
    if games.is_empty() {
        return Err(CtlError::NoGames(name));
    }
    let index = number.checked_sub(1).filter(|index| *index < count);
    let Some(index) = index else {
        return Err(CtlError::NoSuchGame { path: name, number, count });
    };
    let game = games.swap_remove(index);
    match (game.history, game.fault) {
        (Some(history), None) => Ok(history),
        (Some(history), Some(_)) if ply.is_some_and(|ply| Ply(ply) <= history.latest()) => {
            Ok(history)
        }
        (_, Some(fault)) => {
            Err(CtlError::Game { path: name, line: game.fault_line, number, fault })
        }
        (None, None) => Err(CtlError::NoGames(name)),
    }
}

impl Claim {
    fn print_live(
        &self,
        ruling: &LiveRuling,
        claimant: Color,
        ply: u32,
    ) -> Result<Answer, CtlError> {
        let (verdict, article, explanation, must_play, white, black, plies) = ruling;
        let time = |ms: i64| u64::try_from(ms).ok().map(|ms| Millis(ms).to_string());
        let (own, other) = claimant.fold_wb((*white, *black), (*black, *white));
        let mut out = io::stdout().lock();
        if self.json {
            let document = json!({
                "valid": verdict == "correct",
                "verdict": verdict,
                "claimant": claimant.fold_wb("white", "black"),
                "ply": ply,
                "article": article,
                "explanation": explanation,
                "claimant_clock": time(own),
                "opponent_clock": time(other),
                "must_play": must_play,
                "plies": plies,
            });
            writeln!(out, "{document}")?;
        } else if self.tsv {
            let or_not = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            writeln!(out, "{}", Ruling::COLUMNS)?;
            let (own, other) = (or_not(time(own)), or_not(time(other)));
            writeln!(out, "{verdict}\t{own}\t{other}\t{must_play}\t{article}")?;
        } else {
            writeln!(out, "{explanation}")?;
        }
        Ok(if verdict == "correct" { Answer::Yes } else { Answer::No })
    }

    fn print(
        &self,
        ruling: &Ruling,
        made: &Made,
        ply: Ply,
        clocked: bool,
        conditions: Conditions,
    ) -> Result<(), CtlError> {
        let mut out = io::stdout().lock();
        let time = |time: Millis| clocked.then(|| time.to_string());
        let ClaimClocks { claimant, opponent } = ruling.clocks;
        if self.json {
            let document = json!({
                "verdict": ruling.decision.label(),
                "kind": made.kind.name(),
                "claimant": made.claimant.fold_wb("white", "black"),
                "ply": ply,
                "laws": self.laws.name(),
                "time_control": self.time_control.name(),
                "article": ruling.article,
                "claimant_clock": time(claimant),
                "opponent_clock": time(opponent),
                "must_play": ruling.must_play.to_string(),
            });
            writeln!(out, "{document}")?;
        } else if self.tsv {
            let or_not = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            writeln!(out, "{}", Ruling::COLUMNS)?;
            writeln!(
                out,
                "{}\t{}\t{}\t{}\t{}",
                ruling.decision.label(),
                or_not(time(claimant)),
                or_not(time(opponent)),
                ruling.must_play,
                ruling.article
            )?;
        } else {
            in_words(&mut out, ruling, clocked, conditions)?;
        }
        Ok(())
    }
}

/// The ruling in words; without clocks, what a wrong claim costs whatever they show.
fn in_words(
    out: &mut dyn Write,
    ruling: &Ruling,
    clocked: bool,
    conditions: Conditions,
) -> io::Result<()> {
    let language = input::language();
    if ruling.decision != Decision::Incorrect || clocked {
        return writeln!(out, "{}", language.ruling(ruling));
    }
    let wrong = claims::wrong_claim(&conditions);
    writeln!(out, "{}", language.wrong_claim_costs(ruling, wrong))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_may_carry_their_signs() {
        for (text, want) in
            [("Nf3", Some("Nf3")), ("Qh7#", Some("Qh7")), ("O-O+", Some("O-O")), ("x", None)]
        {
            assert_eq!(san(text).ok().map(|san| san.to_string()).as_deref(), want, "{text}");
        }
    }
}
