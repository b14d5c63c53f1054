//! The commands for people who write rule books.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use super::{ChangeArgs, Memory, suggest};

const AUDIT_EXAMPLES: &str = "\
Examples:
  spoton audit my-game.toml
  spoton audit number-maze --targets 2..200
  spoton audit number-maze double-or-add    (the two, side by side)
  spoton audit my-game.toml --strict        (status 1 if a claim is false)

What a rule book claims stands in its file, such as
  claims = [\"ends\", \"no-draws\", \"skill-wins\", \"moves <= 20\", \"subtle >= 3\"]";

#[derive(clap::Args, Debug)]
#[command(after_help = AUDIT_EXAMPLES)]
pub struct AuditArgs {
    /// Games: ids, parts of ids that fit no other game, or rule book files; without one, all that come with Spot On
    #[arg(value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub games: Vec<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Tell who wins at each of these targets, and whether there is a pattern
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, conflicts_with_all = ["markdown", "strict"])]
    pub targets: Option<String>,

    /// Look for small changes that leave a guesser less of a chance
    #[arg(long, conflicts_with = "targets")]
    pub better: bool,

    /// End with status 1 if a claim of a rule book is not true
    #[arg(long)]
    pub strict: bool,

    /// Print Markdown, for a file
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object a game, one a line
    #[arg(long)]
    pub json: bool,
}

const INVENT_EXAMPLES: &str = "\
Examples:
  spoton invent > my-game.toml
  spoton invent --level 2 --seed 7
  spoton invent --count 20 --to games
  spoton invent --like number-maze --length 9..15

The same seed gives the same games on every machine.";

#[derive(clap::Args, Debug)]
#[command(after_help = INVENT_EXAMPLES)]
pub struct InventArgs {
    /// Make chance repeatable: the same seed gives the same games
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// How many games, with --to or --json
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub count: u64,

    /// Write each game to a file of its own in this folder, which is made if need be
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,

    /// Games that begin, end and forbid as this one does, with another target and other moves
    #[arg(long, value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub like: Option<OsString>,

    /// How much there is to think about, from 1 to 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5), help_heading = "What they are like")]
    pub level: Option<u8>,

    /// How many moves a round lasts if both play their best [usually: 7..21]
    #[arg(long, value_name = "A..B", help_heading = "What they are like")]
    pub length: Option<Span>,

    /// How many choices matter without showing it at once [usually: 8 or more]
    #[arg(long, value_name = "A..B", help_heading = "What they are like")]
    pub subtle: Option<Span>,

    /// How often a careful guesser may win from the winning seat, from 0 to 1 [usually: 0.05]
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "What they are like")]
    pub guess: Option<f64>,

    /// Print a JSON object a game, one a line
    #[arg(long, conflicts_with = "to")]
    pub json: bool,
}

/// `7..21`, or `8..` without an end.
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
            _ => Err("a span looks like 7..21 or 8..".to_owned()),
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1, such as 0.05".to_owned())
}
