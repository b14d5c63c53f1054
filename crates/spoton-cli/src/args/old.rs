//! Old spellings of commands. They still work, but help, man pages and completions don't list them. Old spellings of
//! options are aliases where the option is defined. `docs/command-line.md` lists both.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Subcommand;
use clap::error::{ContextKind, ContextValue};

use super::{ArenaArgs, BenchArgs, ChangeArgs, Memory, Switch, suggest};

/// The new spellings to suggest in place of old ones after a typo.
const NEW_SPELLINGS: [(&str, &str); 8] = [
    ("--set", "--rule"),
    ("--memory", "--memory-limit"),
    ("arena", "bot arena"),
    ("bench", "bot bench"),
    ("engine", "bot engine"),
    ("record", "review --convert"),
    ("discover", "config discovery"),
    ("opponents", "games --opponents"),
];

/// An error whose suggestions have only new spellings.
pub fn with_new_spellings(mut error: clap::Error) -> clap::Error {
    let new = |old: &String| {
        let pair = NEW_SPELLINGS.iter().find(|(spelling, _)| spelling == old);
        pair.map_or_else(|| old.clone(), |(_, new)| (*new).to_owned())
    };
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand] {
        let better = match error.get(kind) {
            Some(ContextValue::String(one)) => ContextValue::String(new(one)),
            Some(ContextValue::Strings(several)) => ContextValue::Strings(several.iter().map(new).collect()),
            _ => continue,
        };
        error.insert(kind, better);
    }
    error
}

#[derive(Subcommand, Debug)]
pub enum OldCommand {
    /// Old spelling of bot arena
    #[command(hide = true)]
    Arena(ArenaArgs),
    /// Old spelling of bot bench
    #[command(hide = true)]
    Bench(BenchArgs),
    /// Old spelling of bot engine and bot check
    #[command(hide = true)]
    Engine(OldEngineArgs),
    /// Old spelling of review --convert
    #[command(hide = true)]
    Record(RecordArgs),
    /// Old spelling of config discovery
    #[command(hide = true)]
    Discover(DiscoverArgs),
    /// Old spelling of games --opponents and of a section of audit
    #[command(hide = true)]
    Opponents(OpponentsArgs),
}

impl OldCommand {
    pub fn wants_json(&self) -> bool {
        match self {
            OldCommand::Arena(args) => args.json,
            OldCommand::Bench(args) => args.json,
            OldCommand::Engine(args) => args.json,
            OldCommand::Record(args) => args.json,
            OldCommand::Opponents(args) => args.json,
            OldCommand::Discover(_) => false,
        }
    }
}

#[derive(clap::Args, Debug)]
pub struct OldEngineArgs {
    /// Check another engine: now spoton bot check
    #[arg(long, value_name = "COMMAND")]
    pub check: Option<String>,

    /// With --check: time limit per answer in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, requires = "check", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub answer_time: u64,

    #[command(flatten)]
    pub memory: Memory,

    /// With --check: print JSON
    #[arg(long, requires = "check")]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct RecordArgs {
    /// Files with records, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct DiscoverArgs {
    /// on or off; without it, the current value is shown
    #[arg(value_name = "ON")]
    pub to: Option<Switch>,
}

#[derive(clap::Args, Debug)]
pub struct OpponentsArgs {
    /// Game: adds the exact odds of every pair of opponents
    #[arg(value_parser = suggest::game(), hide_possible_values = true)]
    pub game: Option<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    #[command(flatten)]
    pub memory: Memory,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
