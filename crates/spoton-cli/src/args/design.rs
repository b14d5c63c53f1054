//! Arguments of the commands for rule book authors.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use super::{ChangeArgs, Memory, suggest};

const AUDIT_EXAMPLES: &str = "\
Examples:
  spoton audit my-game.toml
  spoton audit number-maze --targets 2..200
  spoton audit number-maze double-or-add    (two games, side by side)
  spoton audit my-game.toml --strict        (exit status 1 if a claim is false)

A rule book makes its claims like this:
  claims = [\"ends\", \"no-draws\", \"skill-wins\", \"moves <= 20\", \"subtle >= 3\"]";

#[derive(clap::Args, Debug)]
#[command(after_help = AUDIT_EXAMPLES)]
pub struct AuditArgs {
    /// Games or rule book files [default: all of Spot On's games]
    #[arg(value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub games: Vec<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Show who wins at each target, and any pattern
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, conflicts_with_all = ["markdown", "strict"])]
    pub targets: Option<String>,

    /// Look for small changes that make guessing harder
    #[arg(long, conflicts_with = "targets")]
    pub better: bool,

    /// Exit with status 1 if a claim is false
    #[arg(long)]
    pub strict: bool,

    /// Print Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,

    #[command(flatten)]
    pub memory: Memory,

    /// Print one JSON object per game, one per line
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
