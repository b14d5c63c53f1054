//! The commands for people who evaluate programs.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{ChangeArgs, Memory, suggest};

const ARENA_EXAMPLES: &str = "\
Examples:
  spoton arena number-maze --p1 careful --p2 sage
  spoton arena number-maze --p1 \"exec:python3 my-bot.py\" --p2 careful
  spoton arena games/*.toml --p1 exec:./my-bot --p2 perfect --record rounds.jsonl

A program is sent a line of JSON on each of its turns, and answers with a line:
one of the moves under \"legal\", such as +1. The first line of a round brings the
rules as well. See docs/outside-programs.md.";

#[derive(clap::Args, Debug)]
#[command(after_help = ARENA_EXAMPLES)]
pub struct ArenaArgs {
    /// Games: ids, parts of ids that fit no other game, or rule book files
    #[arg(required = true, value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub games: Vec<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Who plays as Player 1: an opponent of spoton opponents, or exec:COMMAND
    #[arg(long, value_name = "WHO", value_parser = suggest::player(), hide_possible_values = true, help_heading = "Players")]
    pub p1: String,

    /// Who plays as Player 2: an opponent of spoton opponents, or exec:COMMAND
    #[arg(long, value_name = "WHO", value_parser = suggest::player(), hide_possible_values = true, help_heading = "Players")]
    pub p2: String,

    /// What to call the players
    #[arg(long, value_name = "A,B", help_heading = "Players")]
    pub names: Option<String>,

    #[command(flatten)]
    pub programs: ProgramArgs,

    /// Rounds of each game, every other one with Player 2 first [usually: 20 if a program plays, else none: the chances
    /// of the others are known exactly]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: Option<u32>,

    /// Make chance repeatable: the same seed gives the same draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Add every round to this file, as JSON lines; spoton review looks back on them
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object a game, one a line
    #[arg(long)]
    pub json: bool,
}

/// How outside programs are dealt with.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Outside programs")]
pub struct ProgramArgs {
    /// Ask a program so many times again on a turn, before the round is forfeited
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub tries: u32,

    /// How long a program may think about a move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub move_time: u64,

    /// Do not tell programs which moves are legal
    #[arg(long)]
    pub no_legal_list: bool,
}

impl Default for ProgramArgs {
    fn default() -> ProgramArgs {
        ProgramArgs { tries: 2, move_time: 10_000, no_legal_list: false }
    }
}
