//! Arguments of `bot` and its subcommands, for people who evaluate programs.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Subcommand;
use spoton::day::Day;
use spoton::engine::position::Player;

use super::today::day;
use super::{ChangeArgs, Memory, suggest};
use crate::programs::ProgramArgs;

/// Headings of options.
const ROUNDS: &str = "Rounds";
const ANSWER: &str = "Output";

#[derive(clap::Args, Debug)]
pub struct BotArgs {
    #[command(subcommand)]
    pub command: BotCommand,
}

#[derive(Subcommand, Debug)]
pub enum BotCommand {
    /// Let opponents and programs play each other
    Arena(ArenaArgs),
    /// Measure players on fifty games, fixed or fresh
    Bench(BenchArgs),
    /// Run Spot On's engine on standard input and output
    Engine(EngineArgs),
    /// Check that an engine follows the protocol
    Check(BotCheckArgs),
}

impl BotCommand {
    pub fn wants_json(&self) -> bool {
        match self {
            BotCommand::Arena(args) => args.json,
            BotCommand::Bench(args) => args.json,
            BotCommand::Engine(_) => false,
            BotCommand::Check(args) => args.json,
        }
    }
}

const ARENA_EXAMPLES: &str = "\
Examples:
  spoton bot arena number-maze --p1 careful --p2 sage
  spoton bot arena number-maze --p1 \"exec:python3 my-bot.py\" --p2 careful
  spoton bot arena games/*.toml --p1 exec:./my-bot --p2 sage --record all.jsonl
  spoton bot arena take-away --p1 engine:./my-engine --p2 sage

Players are programs or opponents from spoton games --opponents. exec:COMMAND
gets a line of JSON on each turn and answers with a move, such as +1. The first
line of a round includes the rules. Flush each answer (flush=True in Python) and
print nothing else. engine:COMMAND speaks the engine protocol. For details, see
docs/outside-programs.md and docs/engines.md.

Spot On judges every choice a program makes. If a program never answers in its
first round, Spot On gives up on it. The exit status is then 3. It is also 3 if
a program finishes no round. Occasional failures count as part of the result.";

#[derive(clap::Args, Debug)]
#[command(after_help = ARENA_EXAMPLES)]
pub struct ArenaArgs {
    /// Game ids, parts of ids, or rule book files
    #[arg(required = true, value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub games: Vec<OsString>,

    #[command(flatten)]
    pub memory: Memory,

    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Player 1: an opponent, exec:COMMAND or engine:COMMAND
    #[arg(long, value_name = "WHO", value_parser = suggest::computer(), hide_possible_values = true, help_heading = "Players")]
    pub p1: String,

    /// Player 2, likewise
    #[arg(long, value_name = "WHO", value_parser = suggest::computer(), hide_possible_values = true, help_heading = "Players")]
    pub p2: String,

    /// Player names
    #[arg(long, value_name = "A,B", help_heading = "Players")]
    pub names: Option<String>,

    #[command(flatten)]
    pub programs: ProgramArgs,

    /// Rounds per game [default: 20, or 0 if the odds are exact]
    #[arg(long, value_name = "N", help_heading = ROUNDS, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: Option<u32>,

    /// Player 1's seat: first, second or both
    #[arg(long, value_name = "SEAT", help_heading = ROUNDS, default_value = "both", hide_possible_values = true)]
    pub seat: Seats,

    /// Random seed
    #[arg(long, value_name = "N", help_heading = ROUNDS, default_value_t = 1)]
    pub seed: u64,

    /// Append every round to this file as JSON Lines, for review
    #[arg(long, value_name = "FILE", help_heading = ANSWER)]
    pub record: Option<PathBuf>,

    /// Print one JSON object per game, one per line
    #[arg(long, help_heading = ANSWER)]
    pub json: bool,
}

/// Who goes first.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seats {
    First,
    Second,
    Both,
}

impl Seats {
    /// The player who goes first. Rounds count from 1.
    pub fn first(self, round: u32) -> Player {
        match self {
            Seats::First => Player::One,
            Seats::Second => Player::Two,
            Seats::Both if round % 2 == 1 => Player::One,
            Seats::Both => Player::Two,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Seats::First => "first",
            Seats::Second => "second",
            Seats::Both => "both",
        }
    }
}

const ENGINE_EXAMPLES: &str = "\
A short conversation:
  rules {start = 1, target = 20, moves = ['+1', 'x2']}
  position opening moves x2
  go perfect
The engine answers every line; the last answer is bestmove. See docs/engines.md.

To check your own engine, use spoton bot check COMMAND.";

#[derive(clap::Args, Debug)]
#[command(after_help = ENGINE_EXAMPLES)]
pub struct EngineArgs {
    #[command(flatten)]
    pub memory: Memory,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  spoton bot check \"./my-engine\"
  spoton bot check \"python3 my-engine.py\" --json

The exit status is 0 if the engine follows every rule of the protocol, else 1.
See docs/engines.md.";

#[derive(clap::Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct BotCheckArgs {
    /// The engine's command
    #[arg(value_name = "COMMAND")]
    pub check: String,

    /// Time limit per answer in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub answer_time: u64,

    /// Print the report as a JSON object
    #[arg(long)]
    pub json: bool,
}

const BENCH_EXAMPLES: &str = "\
Examples:
  spoton bot bench \"exec:python3 my-bot.py\"
  spoton bot bench \"exec:python3 my-bot.py\" --fresh 2026-11-16
  spoton bot bench exec:./ask-a-model --disguise 7
  spoton bot bench random careful otto sage perfect --markdown

The fixed set never changes. A date's fresh set is the same for everyone.
For each seat, the report shows how often perfect play, guessing and the player
win, and then how many choices were right. Against perfect, no player can win
more than perfect play. Against a weaker opponent, setting traps can win more.
Anyone can make the fresh set for any date. For games that nobody else has, use
spoton invent and keep the seed to yourself. See docs/benchmark.md, and
docs/outside-programs.md for what programs receive.

If a program never answers in its first round, Spot On gives up on it. The exit
status is then 3. It is also 3 if a program finishes no round.";

#[derive(clap::Args, Debug)]
#[command(after_help = BENCH_EXAMPLES)]
pub struct BenchArgs {
    /// Opponents, or programs: exec:COMMAND, engine:COMMAND
    #[arg(required = true, value_name = "PLAYER", value_parser = suggest::computer(), hide_possible_values = true)]
    pub players: Vec<String>,

    /// The opponent to play against
    #[arg(long, value_name = "WHO", help_heading = ROUNDS, default_value = "perfect", value_parser = suggest::computer(), hide_possible_values = true)]
    pub vs: String,

    /// Use the fresh set for a date, such as 2026-11-15
    #[arg(long, value_name = "DATE", help_heading = ROUNDS, value_parser = day)]
    pub fresh: Option<Day>,

    #[command(flatten)]
    pub memory: Memory,

    #[command(flatten)]
    pub programs: ProgramArgs,

    /// Rounds per game [default: 2 for programs, else 20]
    #[arg(long, value_name = "N", help_heading = ROUNDS, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: Option<u32>,

    /// The player's seat: first, second or both
    #[arg(long, value_name = "SEAT", help_heading = ROUNDS, default_value = "both", hide_possible_values = true)]
    pub seat: Seats,

    /// Random seed
    #[arg(long, value_name = "N", help_heading = ROUNDS, default_value_t = 1)]
    pub seed: u64,

    /// Print a Markdown table
    #[arg(long, help_heading = ANSWER, conflicts_with = "json")]
    pub markdown: bool,

    /// Print one JSON object per player, one per line
    #[arg(long, help_heading = ANSWER)]
    pub json: bool,
}
