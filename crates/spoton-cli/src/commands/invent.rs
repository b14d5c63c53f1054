//! `spoton invent`: new games, each with a certificate from its audit.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use spoton::design::invent::{Bounds, Invented, Inventor};
use spoton::discovery::Spoiler;
use spoton::format::Changes;
use spoton::json;
use spoton::words::phrases;

use crate::args::{Entry, json_option, read, suggest};
use crate::entropy;
use crate::failure::Failure;
use crate::files;
use crate::folders::Folders;
use crate::game;
use crate::progress::refuse_if_hidden;
use crate::shown::{self, answer_out};
use crate::solving::work;

pub const COMMAND: Entry = Entry {
    group: Some("Make"),
    name: "invent",
    about: "Invent new games, each with a certificate",
    arguments: InventArgs::augment_args,
    json: json_option,
    run: |matches, _| run(&read(matches)?),
};

const INVENT_EXAMPLES: &str = "\
Examples:
  spoton invent > my-game.toml
  spoton invent --level 2 --seed 7
  spoton invent --count 20 --to games
  spoton invent --like number-maze --length 9..15

The same seed gives the same games on every machine.";

#[derive(Args, Debug)]
#[command(after_help = INVENT_EXAMPLES)]
pub struct InventArgs {
    /// Random seed
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Number of games; needs --to or --json
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub count: u64,

    /// Write each game to a file in FOLDER (created if missing)
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,

    /// Games like this one, with another target and moves
    #[arg(long, value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub like: Option<OsString>,

    /// Difficulty, from 1 to 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5), help_heading = "Wanted")]
    pub level: Option<u8>,

    /// Length in moves with best play [default: 7..21]
    #[arg(long, value_name = "A..B", help_heading = "Wanted")]
    pub length: Option<Span>,

    /// Choices whose best move isn't obvious [default: 8..]
    #[arg(long, value_name = "A..B", help_heading = "Wanted")]
    pub subtle: Option<Span>,

    /// A guesser's maximum win rate, 0 to 1 [default: 0.05]
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Wanted")]
    pub guess: Option<f64>,

    /// Print one JSON object per game, one per line
    #[arg(long, conflicts_with = "to")]
    pub json: bool,
}

/// A range such as `7..21`, or `8..` without an upper end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: u64,
    pub to: u64,
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let number = |text: &str, open: u64| if text.is_empty() { Some(open) } else { text.parse().ok() };
        let ends =
            text.split_once("..").and_then(|(from, to)| Some((number(from, 0)?, number(to, u64::MAX)?)));
        match ends {
            Some((from, to)) if from <= to => Ok(Span { from, to }),
            _ => Err("a range looks like 7..21 or 8..".to_owned()),
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1, such as 0.05".to_owned())
}

fn run(args: &InventArgs) -> Result<(), Failure> {
    // The comments in the rule book reveal who wins.
    refuse_if_hidden(&Folders::usual(), Spoiler::Facts)?;
    if args.count > 1 && args.to.is_none() && !args.json {
        return Err(Failure::Usage("a rule book holds one game; use --count with --to or --json".to_owned()));
    }
    let seed = args.seed.unwrap_or_else(entropy::seed);
    let mut inventor = Inventor::new(seed, bounds(args));
    if let Some(like) = &args.like {
        let like = game::find(like, &Changes::default())?;
        let like = Arc::new(like.rulebook()?);
        if like.target().is_none() {
            return Err(Failure::Usage("--like needs a game with a target".to_owned()));
        }
        inventor = inventor.like(like);
    }
    if let Some(folder) = &args.to {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::file("create the folder", folder, &error))?;
    }
    let mut out = answer_out(args.json);
    for number in 1..=args.count {
        let invented = work(|budget| inventor.next(budget))?;
        let Some(game) = invented else {
            let found = match number - 1 {
                0 => "no such game found".to_owned(),
                found => format!("only {} found", phrases::count(found, "such game", "such games")),
            };
            return Err(Failure::Failed(format!("{found}; try wider bounds")));
        };
        match &args.to {
            _ if args.json => out.answer(&json::invented(&game))?,
            None => out.write_all(game.text_to_read().as_bytes())?,
            Some(folder) => {
                let path = folder.join(format!("{}.toml", file_name(&game)));
                files::create(&path, &game.text)?;
                writeln!(out, "{}: {}", shown::path(&path), game.rulebook.title())?;
            }
        }
        out.flush()?;
    }
    Ok(())
}

/// The file name includes the seed, so the game can be generated again.
fn file_name(game: &Invented) -> String {
    format!("invented-{}-{}", game.seed, game.number)
}

fn bounds(args: &InventArgs) -> Bounds {
    let mut bounds = args.level.and_then(Bounds::of_level).unwrap_or_else(Bounds::usual);
    if let Some(length) = args.length {
        bounds.length = length.from..=length.to;
    }
    if let Some(subtle) = args.subtle {
        bounds.subtle = subtle.from..=subtle.to;
    }
    if args.guess.is_some() {
        bounds.guess = args.guess;
    }
    bounds
}
