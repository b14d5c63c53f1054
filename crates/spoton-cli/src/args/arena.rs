//! The commands for people who evaluate programs.

use std::ffi::OsString;
use std::path::PathBuf;

use spoton::engine::position::Player;
use spoton::people::day::Day;
use spoton::words::protocol::How;

use super::today::day;
use super::{ChangeArgs, Memory, suggest};

/// What is played, and what is printed: headings of the options.
const ROUNDS: &str = "Rounds";
const ANSWER: &str = "Answer";

const ARENA_EXAMPLES: &str = "\
Examples:
  spoton arena number-maze --p1 careful --p2 sage
  spoton arena number-maze --p1 \"exec:python3 my-bot.py\" --p2 careful
  spoton arena games/*.toml --p1 exec:./my-bot --p2 sage --record all.jsonl
  spoton arena take-away --p1 engine:./my-engine --p2 \"engine:spoton engine\"

A program is sent a line of JSON on each of its turns, and answers with a line:
one of the moves under \"legal\", such as +1. The first line of a round brings the
rules as well. It has to write its line out at once (flush=True in Python), and
nothing else on standard output. docs/outside-programs.md has it all, and
docs/engines.md is about engines.

Every choice of a program is judged. One that gives no answer at all in its
first round is given up on, and the exit status is 3; so it is if a program
finished no round. Failures now and then are a part of the result.";

#[derive(clap::Args, Debug)]
#[command(after_help = ARENA_EXAMPLES)]
pub struct ArenaArgs {
    /// Games: ids, parts of ids that fit no other game, or rule book files
    #[arg(required = true, value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub games: Vec<OsString>,

    #[command(flatten)]
    pub memory: Memory,

    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Who plays as Player 1: a computer player that spoton opponents lists, or a program: exec:COMMAND, engine:COMMAND
    #[arg(long, value_name = "WHO", value_parser = suggest::computer(), hide_possible_values = true, help_heading = "Players")]
    pub p1: String,

    /// Who plays as Player 2, in the same way
    #[arg(long, value_name = "WHO", value_parser = suggest::computer(), hide_possible_values = true, help_heading = "Players")]
    pub p2: String,

    /// What to call the players
    #[arg(long, value_name = "A,B", help_heading = "Players")]
    pub names: Option<String>,

    #[command(flatten)]
    pub programs: ProgramArgs,

    /// Rounds of each game [usually: 20 if a program plays, else none, since the chances of computer players are known
    /// exactly]
    #[arg(long, value_name = "N", help_heading = ROUNDS, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: Option<u32>,

    /// Whether Player 1 goes first, second, or both in turn
    #[arg(long, value_name = "SEAT", help_heading = ROUNDS, default_value = "both")]
    pub seat: Seats,

    /// Make chance repeatable: the same seed gives the same draws
    #[arg(long, value_name = "N", help_heading = ROUNDS, default_value_t = 1)]
    pub seed: u64,

    /// Add every round to this file, as JSON lines; spoton review looks back on them
    #[arg(long, value_name = "FILE", help_heading = ANSWER)]
    pub record: Option<PathBuf>,

    /// Print a JSON object for each game, one a line
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
    /// Who goes first in a round, counted from 1.
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

/// How outside programs are dealt with.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Outside programs")]
pub struct ProgramArgs {
    /// How often a program is asked again on a turn, if its answer is no legal move, before it forfeits the round
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub tries: u32,

    /// How long a program may take for an answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub move_time: u64,

    /// Do not tell programs which moves are legal
    #[arg(long)]
    pub no_legal_list: bool,

    /// Send programs (exec:COMMAND) a prompt for a language model instead: rules, round and legal moves in words
    #[arg(long)]
    pub prompt: bool,

    /// Send such a prompt, and tell the game as another story, with other names for its moves
    #[arg(long, value_name = "SEED")]
    pub disguise: Option<u64>,

    /// How engines (engine:COMMAND) are to think: "depth N", "time MS" or perfect [usually: for four fifths of --move-time]
    #[arg(long, value_name = "HOW", value_parser = How::read)]
    pub go: Option<How>,

    /// Play on, even if a program gives no answer at all in its first round
    #[arg(long)]
    pub keep_going: bool,
}

impl Default for ProgramArgs {
    fn default() -> ProgramArgs {
        ProgramArgs {
            tries: 2,
            move_time: 10_000,
            no_legal_list: false,
            prompt: false,
            disguise: None,
            go: None,
            keep_going: false,
        }
    }
}

const ENGINE_EXAMPLES: &str = "\
A short conversation:
  rules {start = 1, target = 20, moves = ['+1', 'x2']}
  position opening moves x2
  go perfect
Every line is answered, the last one with bestmove. See docs/engines.md.

To check an engine of your own:
  spoton engine --check \"./my-engine\"
The exit status is 0 if it keeps every rule, and 1 if it does not.";

#[derive(clap::Args, Debug)]
#[command(after_help = ENGINE_EXAMPLES)]
pub struct EngineArgs {
    /// Check another engine instead: whether it keeps to the protocol, rule by rule
    #[arg(long, value_name = "COMMAND")]
    pub check: Option<String>,

    /// With --check: how long it may take for any answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, requires = "check", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub answer_time: u64,

    #[command(flatten)]
    pub memory: Memory,

    /// With --check: print the report as a JSON object
    #[arg(long, requires = "check")]
    pub json: bool,
}

const BENCH_EXAMPLES: &str = "\
Examples:
  spoton bench \"exec:python3 my-bot.py\"
  spoton bench \"exec:python3 my-bot.py\" --fresh 2026-11-16
  spoton bench exec:./ask-a-model --disguise 7
  spoton bench random careful otto sage perfect --markdown

The fixed set is the same for ever, and a fresh one the same for everybody who
names its day. For each seat there is what perfect play and careful guessing
would win, and what the player won; then how many choices were right. Against
perfect, nobody can win more than perfect play; against a weaker opponent, more
can be had by setting traps. Anybody can make the fresh set of any day: for
games that nobody else has, keep the seed of a spoton invent to yourself. See
docs/benchmark.md, and docs/outside-programs.md for what programs are sent.

A program that gives no answer at all in its first round is given up on, and
the exit status is 3; so it is if a program finished no round.";

#[derive(clap::Args, Debug)]
#[command(after_help = BENCH_EXAMPLES)]
pub struct BenchArgs {
    /// Who is measured: programs (exec:COMMAND, engine:COMMAND), or computer players that spoton opponents lists
    #[arg(required = true, value_name = "PLAYER", value_parser = suggest::computer(), hide_possible_values = true)]
    pub players: Vec<String>,

    /// Whom they play against: a computer player that spoton opponents lists
    #[arg(long, value_name = "WHO", help_heading = ROUNDS, default_value = "perfect", value_parser = suggest::computer(), hide_possible_values = true)]
    pub vs: String,

    /// Take the set of a day, such as 2026-11-15, instead of the fixed one
    #[arg(long, value_name = "DATE", help_heading = ROUNDS, value_parser = day)]
    pub fresh: Option<Day>,

    #[command(flatten)]
    pub memory: Memory,

    #[command(flatten)]
    pub programs: ProgramArgs,

    /// Rounds of each game [usually: 2 for programs, one from either seat, and 20 for computer players]
    #[arg(long, value_name = "N", help_heading = ROUNDS, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: Option<u32>,

    /// Whether they go first, second, or both in turn
    #[arg(long, value_name = "SEAT", help_heading = ROUNDS, default_value = "both")]
    pub seat: Seats,

    /// Make chance repeatable: the same seed gives the same draws
    #[arg(long, value_name = "N", help_heading = ROUNDS, default_value_t = 1)]
    pub seed: u64,

    /// Print a table in Markdown
    #[arg(long, help_heading = ANSWER, conflicts_with = "json")]
    pub markdown: bool,

    /// Print a JSON object for each player, one a line, with every game
    #[arg(long, help_heading = ANSWER)]
    pub json: bool,
}
