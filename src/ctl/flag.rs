//! `dgtctl flag`: what a fallen flag means in a position.

use std::io::{self, Write as _};

use clap::{Args, ValueEnum};
use serde_json::json;
use shakmaty::{Chess, Color, EnPassantMode, fen::Fen};
use zbus::Variant;

use super::{
    CtlError,
    client::{Client, asked_in, options},
    input, judge, position,
};
use crate::{
    dead::{self, Budget},
    laws::{
        CanMate, Conditions, Control, DeadAnswer, Edition,
        flag::{FlagRuling, MayCall, may_call},
        report,
    },
    signals::dbus::ARBITER_NAME,
};

/// `dgtctl flag`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Flag {
    /// The position after the last move, as FEN; or a board that a running dgtd watches: name,
    /// serial number or label
    #[arg(value_name = "FEN|BOARD")]
    position: String,
    /// Whose flag has fallen
    #[arg(value_parser = super::side, value_name = "white|black")]
    side: Color,
    /// Edition of the Laws, such as fide-2023
    #[arg(long, value_name = "EDITION", default_value_t = Edition::default())]
    laws: Edition,
    /// standard, rapid or blitz
    #[arg(long, value_name = "CONTROL", default_value_t = Control::default())]
    time_control: Control,
    /// Print result and article as a table
    #[arg(long, conflicts_with = "json")]
    tsv: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// How many positions may be visited to find out whether the opponent can mate
    #[arg(long, value_name = "N", default_value_t = Budget::DEFAULT.nodes())]
    nodes: u32,
    /// Castling as in Chess960
    #[arg(long)]
    chess960: bool,
    /// What had happened before, at a live board
    #[arg(long, value_enum, default_value_t = Before::Nothing)]
    before: Before,
    /// Enter the result at a live board, if there is one: the game is closed
    #[arg(long)]
    enter: bool,
    #[command(flatten)]
    seen: super::Seen,
}

/// What can have happened before the flag was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Before {
    /// Nothing that decides
    Nothing,
    /// A claim of a draw was made, the clocks stopped
    Claim,
    /// All moves of the period were completed
    PeriodCompleted,
    /// White had resigned
    WhiteResigned,
    /// Black had resigned
    BlackResigned,
    /// A draw had been agreed
    DrawAgreed,
}

impl Flag {
    /// The board the flag fell at, if it is a live one: no board's name has the strokes of a FEN.
    pub fn board(&self) -> Option<&str> {
        (!self.position.contains('/')).then_some(self.position.as_str())
    }
}

/// Asks the daemon about a flag that was observed at a live board now; it is written down.
pub async fn live(client: &Client, flag: &Flag, board: &str) -> Result<(), CtlError> {
    let board = client.board(board).await?;
    let ply = super::board::seen(&board, flag.seen.ply)?;
    let before = flag.before.to_possible_value();
    let before = before.as_ref().map_or("nothing", |before| before.get_name());
    let mut given = asked_in(&input::language());
    if flag.enter {
        given.extend(options([("enter", Variant::from(true))]));
    }
    let side = flag.side.fold_wb("white", "black");
    let (result, article, explanation, can_mate, may_call, decided_by): (
        String,
        String,
        String,
        String,
        String,
        String,
    ) = client
        .call_to(
            ARBITER_NAME,
            &board.path,
            "org.dgtd.ArbiterOnly1",
            "RuleOnFlag",
            &(side, before, ply, given),
        )
        .await?;
    let mut out = io::stdout().lock();
    if flag.json {
        let document = json!({
            "side": side,
            "ply": ply,
            "result": (!result.is_empty()).then_some(result),
            "article": (!article.is_empty()).then_some(article),
            "opponent_can_mate": can_mate,
            "may_call": may_call,
            "decided_by": decided_by,
            "explanation": explanation,
        });
        writeln!(out, "{document}")?;
    } else if flag.tsv {
        let or_not =
            |text: String, none: &str| if text.is_empty() { none.to_owned() } else { text };
        writeln!(out, "{}", FlagRuling::COLUMNS)?;
        writeln!(out, "{}\t{}", or_not(result, "unknown"), or_not(article, "-"))?;
    } else {
        writeln!(out, "{explanation}")?;
    }
    Ok(())
}

/// Judges the flag.
pub fn run(flag: &Flag) -> Result<(), CtlError> {
    let given = position::read(&flag.position, flag.chess960)?;
    let conditions = Conditions::new(flag.laws, flag.time_control);
    let judgement = dead::judge(&given.position, Budget::new(flag.nodes));
    let opponent = judgement.side(!flag.side);
    let mut dead = |_: &Chess| DeadAnswer::from(judgement.dead());
    let mut can_mate = |_: &Chess, side: Color| CanMate::from(judgement.side(side));
    let ruling = report::flag(&given.position, flag.side, &conditions, &mut dead, &mut can_mate);
    let mut out = io::stdout().lock();
    if flag.json {
        let (result, article) = match ruling {
            FlagRuling::Result { outcome, article } => (outcome.to_string(), Some(article)),
            FlagRuling::Undecided { article } => ("unknown".to_owned(), Some(article)),
            FlagRuling::ClaimFirst | FlagRuling::NextPeriod => ("unknown".to_owned(), None),
        };
        let document = json!({
            "fen": Fen::from_position(&given.position, EnPassantMode::Legal).to_string(),
            "side": flag.side.fold_wb("white", "black"),
            "laws": flag.laws.name(),
            "time_control": flag.time_control.name(),
            "result": result,
            "article": article,
            "opponent_can_mate": CanMate::from(opponent).name(),
            "called_by": match may_call(&conditions) {
                MayCall::ArbiterOrPlayer => "arbiter or player",
                MayCall::ArbiterMustOrPlayer => "arbiter, or player",
                MayCall::PlayerOnly => "player",
            },
            "oddities": given.oddities.iter().map(|o| o.name()).collect::<Vec<_>>(),
        });
        writeln!(out, "{document}")?;
    } else if flag.tsv {
        writeln!(out, "{}\n{ruling}", FlagRuling::COLUMNS)?;
    } else {
        let language = input::language();
        for oddity in given.oddities {
            writeln!(out, "{}", judge::odd(&language, oddity))?;
        }
        writeln!(out, "{}", language.flag(&ruling, flag.side))?;
        let (position, nodes) = (&given.position, flag.nodes);
        let why = judge::side_in_words(position, !flag.side, opponent, nodes, &language);
        writeln!(out, "{why}")?;
    }
    Ok(())
}
