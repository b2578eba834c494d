//! `dgtctl flag`: what a fallen flag means in a position.

use std::io::{self, Write as _};

use clap::Args;
use serde_json::json;
use shakmaty::{Chess, Color, EnPassantMode, fen::Fen};

use super::{CtlError, input, judge, position};
use crate::{
    dead::{self, Budget},
    laws::{
        CanMate, Conditions, Control, DeadAnswer, Edition,
        flag::{FlagRuling, MayCall, may_call},
        report,
    },
};

/// `dgtctl flag`
#[derive(Debug, Args)]
pub struct Flag {
    /// The position after the last move, as FEN
    fen: String,
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
}

/// Judges the flag.
pub fn run(flag: &Flag) -> Result<(), CtlError> {
    let given = position::read(&flag.fen, flag.chess960)?;
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
