//! The command line, defined once: the parser, help, man pages and completions derive from it.
//!
//! | file | contents |
//! |---|---|
//! | `arena.rs` | `bot` and its subcommands |
//! | `changes.rs` | options that change a game |
//! | `design.rs` | `audit` and `invent` |
//! | `list.rs` | the help screen, with commands in groups |
//! | `old.rs` | old spellings of commands |
//! | `suggest.rs` | completion values |
//! | `today.rs` | `today` |

mod arena;
mod changes;
mod design;
mod list;
mod old;
mod suggest;
mod today;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

pub use arena::{ArenaArgs, BenchArgs, BotArgs, BotCheckArgs, BotCommand, EngineArgs, Seats};
pub use changes::ChangeArgs;
pub use design::{AuditArgs, InventArgs};
pub use old::{OldCommand, OpponentsArgs};
pub use today::TodayArgs;

use crate::output::When;
use crate::programs::ProgramArgs;

const EXIT_STATUS: &str = "\
Exit status:
  0    success; saving an unfinished round counts as success
  1    something failed while running
  2    invalid command line, rule book or record
  3    an outside program never answered, or never finished a round
  130  interrupted";

#[derive(Parser, Debug)]
#[command(
    name = "spoton",
    version,
    about = "Spot On: two-player number duels. Land exactly on the target to win.",
    after_help = EXIT_STATUS,
    max_term_width = 80,
    // Ours is `Command::Help`.
    disable_help_subcommand = true
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Colours: auto, always or never; NO_COLOR also turns them off
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub color: When,

    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// Options of the full-screen game, which opens without a command.
#[derive(clap::Args, Debug, Default)]
#[command(next_help_heading = "Full screen, without a command")]
pub struct ScreenArgs {
    /// Disable animation
    #[arg(long)]
    pub no_motion: bool,

    /// Use plain ASCII characters
    #[arg(long)]
    pub ascii: bool,

    /// Background: light or dark; press b to switch in the game
    #[arg(long, value_name = "KIND", hide_possible_values = true)]
    pub background: Option<Background>,

    /// Random seed, for tests.
    #[arg(skip)]
    pub seed: Option<u64>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    Light,
    Dark,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play a round or a match against a friend or the computer
    Play(PlayArgs),
    /// Play today's duel: a new game every day, the same for everyone
    Today(TodayArgs),
    /// Solve a puzzle: find the hidden win
    Puzzle(PuzzleArgs),
    /// List the games
    Games(GamesArgs),
    /// Show a game's rules
    Rules(RulesArgs),
    /// Evaluate a position and each move
    Solve(SolveArgs),
    /// Show who can force a win at every number
    Map(MapArgs),
    /// Test an idea such as "leave 5 10 15"
    Idea(IdeaArgs),
    /// Review finished rounds: choices and turning points
    Review(ReviewArgs),
    /// Create a rule book
    New(NewArgs),
    /// Check rule books for errors
    Check(CheckArgs),
    /// Report the facts about a game: who wins, how it plays
    Audit(AuditArgs),
    /// Invent new games, each with a certificate
    Invent(InventArgs),
    /// Run and measure programs: arena, bench, engine, check
    Bot(BotArgs),
    /// Show or change settings: discovery, motion, colours, names
    Config(ConfigArgs),
    /// Explain a command: help COMMAND (see also completions, man)
    Help(HelpArgs),
    /// Print a completion script for a shell
    #[command(hide = true)]
    Completions(CompletionsArgs),
    /// Print a man page
    #[command(hide = true)]
    Man(ManArgs),
    #[command(flatten)]
    Old(OldCommand),
}

impl Command {
    pub fn wants_json(&self) -> bool {
        match self {
            Command::Today(args) => args.json,
            Command::Games(args) => args.json,
            Command::Puzzle(args) => args.json,
            Command::Rules(args) => args.json,
            Command::Check(args) => args.json,
            Command::Map(args) => args.json,
            Command::Idea(args) => args.json,
            Command::Audit(args) => args.json,
            Command::Invent(args) => args.json,
            Command::Review(args) => args.json,
            Command::Solve(args) => args.json || args.stdin,
            Command::Bot(args) => args.command.wants_json(),
            Command::Old(old) => old.wants_json(),
            Command::Play(_)
            | Command::Config(_)
            | Command::Help(_)
            | Command::New(_)
            | Command::Completions(_)
            | Command::Man(_) => false,
        }
    }
}

#[derive(clap::Args, Debug)]
pub struct GamesArgs {
    /// Also show summaries and variants
    #[arg(long, conflicts_with_all = ["json", "opponents"])]
    pub long: bool,

    /// List the computer opponents instead, from easy to hard
    #[arg(long)]
    pub opponents: bool,

    /// Print a JSON list
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct RulesArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// Print the rule book's TOML source
    #[arg(long, conflicts_with_all = ["markdown", "json", "variant", "set", "target"])]
    pub source: bool,

    /// Print a Markdown handout
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

const SOLVE_HELP: &str = "\
To evaluate any number, change the start: --rule start=12. If moves can go
down, give the range, too: --rule start=12 --rule range=1,20.
In --moves, write skip for a turn without a legal move.

With --stdin, each line is a query: moves such as x2 +1, or
  {\"game\":\"number-maze\",\"set\":{\"target\":50},\"moves\":[\"x2\"]}
Each answer is a line of JSON. If a line can't be read, the answer is
{\"error\":…,\"at\":LINE}.";

#[derive(clap::Args, Debug)]
#[command(after_help = SOLVE_HELP)]
pub struct SolveArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// Start after these moves, such as "x2 +1"
    #[arg(long, allow_hyphen_values = true)]
    pub moves: Option<String>,

    /// Answer one query per line of standard input
    #[arg(long, conflicts_with = "moves")]
    pub stdin: bool,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

const MAP_NOTES: &str = "\
With --last OWN,OTHER, the map shows positions in which the player to move
played OWN last, and the opponent OTHER.";

#[derive(clap::Args, Debug)]
#[command(after_help = MAP_NOTES)]
pub struct MapArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// Print a handout: no marks, room to write
    #[arg(long, conflicts_with = "json")]
    pub blank: bool,

    /// In discovery mode: uncover one more number
    #[arg(long)]
    pub uncover: bool,

    /// Only positions after these last moves; - for none
    #[arg(long, value_name = "OWN,OTHER", allow_hyphen_values = true)]
    pub last: Option<String>,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

const IDEA_FORMS: &str = "\
An idea lists the numbers to leave to your opponent:
  leave 5 10 15
  leave even, leave odd from 5, leave odd from 9 to 15
  leave every 6 from 2
  leave primes, leave squares to 50, leave multiples of 7
Join several with \"and\".";

#[derive(clap::Args, Debug)]
#[command(after_help = IDEA_FORMS)]
pub struct IdeaArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The idea, with or without quotes
    #[arg(required = true, allow_negative_numbers = true)]
    pub idea: Vec<String>,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

const REVIEW_EXAMPLES: &str = "\
Examples:
  spoton review                             (the rounds played here)
  spoton review rounds.txt
  spoton review --summary rounds.txt
  spoton review --convert --json rounds.txt (text records as JSON Lines)";

#[derive(clap::Args, Debug)]
#[command(after_help = REVIEW_EXAMPLES)]
pub struct ReviewArgs {
    /// Record files, or - for standard input [default: rounds played here]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Add up all records by player, game and seat
    #[arg(long, conflicts_with = "annotate")]
    pub summary: bool,

    /// Print the records with marks and accuracy
    #[arg(long, conflicts_with = "json")]
    pub annotate: bool,

    /// Print the records as text, or as JSON with --json
    #[arg(long, requires = "files", conflicts_with_all = ["summary", "annotate"])]
    pub convert: bool,

    #[command(flatten)]
    pub memory: Memory,

    /// Print JSON Lines; with --summary, one list
    #[arg(long)]
    pub json: bool,
}

/// The solver's memory limit.
#[derive(clap::Args, Debug)]
pub struct Memory {
    /// Solver memory limit in MiB
    #[arg(long = "memory-limit", alias = "memory", value_name = "MIB", default_value_t = crate::solving::MEBIBYTES, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub mebibytes: u64,
}

#[derive(clap::Args, Debug)]
pub struct NewArgs {
    /// The file to create; it must not exist yet
    pub file: PathBuf,

    /// Copy this game's rule book
    #[arg(long, value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub like: Option<OsString>,
}

#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// Rule book files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print one JSON object per file, one per line
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct CompletionsArgs {
    pub shell: clap_complete::Shell,
}

const CONFIG_EXAMPLES: &str = "\
Examples:
  spoton config                      (shows all settings)
  spoton config discovery on         (no hints or answers, in every game)
  spoton config motion off           (no animation)
  spoton config colours dark         (light, dark or auto)
  spoton config names Ann,Ben        (player names, full screen)";

#[derive(clap::Args, Debug)]
#[command(after_help = CONFIG_EXAMPLES)]
pub struct ConfigArgs {
    /// discovery, motion, colours or names
    #[arg(value_name = "SETTING", hide_possible_values = true)]
    pub key: Option<ConfigKey>,

    /// The new value; without it, the current value is shown
    #[arg(value_name = "VALUE", requires = "key")]
    pub value: Option<String>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigKey {
    Discovery,
    Motion,
    #[value(alias = "colors")]
    Colours,
    Names,
}

#[derive(clap::Args, Debug)]
pub struct HelpArgs {
    /// A command, such as play or bot arena
    #[arg(value_parser = suggest::command(), hide_possible_values = true)]
    pub command: Vec<String>,
}

#[derive(clap::Args, Debug)]
pub struct ManArgs {
    /// A command, such as play or bot arena [default: spoton itself]
    #[arg(value_parser = suggest::command(), hide_possible_values = true)]
    pub command: Vec<String>,
}

/// A game and the changes to it.
#[derive(clap::Args, Debug)]
pub struct GameArgs {
    /// Game id, part of an id, or rule book file
    #[arg(value_parser = suggest::game(), hide_possible_values = true)]
    pub game: OsString,

    #[command(flatten)]
    pub changes: ChangeArgs,
}

const PLAY_EXAMPLES: &str = "\
Examples:
  spoton play number-maze
  spoton play maze --target 15
  spoton play double --first-to 3 --names Ann,Ben
  spoton play sequence --vs careful --first random --seed 7
  spoton play my-game.toml --rule past=wins
  spoton play --resume

While playing, type help for a list of commands. --record writes JSON Lines if
FILE ends in .json or .jsonl. In --moves, write skip for a turn without a legal
move. spoton games --opponents lists the opponents; exec:COMMAND and
engine:COMMAND let programs play (see docs/outside-programs.md).";

#[derive(clap::Args, Debug, Default)]
#[command(after_help = PLAY_EXAMPLES)]
pub struct PlayArgs {
    /// Game id, part of an id, or rule book file [default: choose one]
    #[arg(value_parser = suggest::game(), hide_possible_values = true)]
    pub game: Option<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Player 1: human, an opponent, exec:COMMAND or engine:COMMAND
    #[arg(long, hide = true, value_name = "WHO", value_parser = suggest::player(), hide_possible_values = true, help_heading = "Players")]
    pub p1: Option<String>,

    /// Player 2: human, an opponent, exec:COMMAND or engine:COMMAND
    #[arg(long, hide = true, value_name = "WHO", value_parser = suggest::player(), hide_possible_values = true, help_heading = "Players")]
    pub p2: Option<String>,

    /// First player: 1, 2, random or choose
    #[arg(long, value_name = "WHO", hide_possible_values = true, help_heading = "Players")]
    pub first: Option<First>,

    /// Player names; against the computer, just yours
    #[arg(long, value_name = "A,B", help_heading = "Players")]
    pub names: Option<String>,

    /// Play against the computer: easy, medium, hard, …
    #[arg(long, value_name = "WHO", conflicts_with = "p2", value_parser = suggest::player(), hide_possible_values = true, help_heading = "Players")]
    pub vs: Option<String>,

    /// Get limited hints, and a warning before an instant loss
    #[arg(long, help_heading = "Players")]
    pub coach: bool,

    #[command(flatten)]
    pub programs: ProgramArgs,

    /// Turn discovery mode on or off, as config discovery does
    #[arg(long, hide = true, value_name = "ON", num_args = 0..=1, require_equals = true, default_missing_value = "on", help_heading = "Players")]
    pub discover: Option<Switch>,

    /// Play a match of N rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=999), help_heading = "Match")]
    pub rounds: Option<u16>,

    /// Play a match until a player has won N rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=999), conflicts_with = "rounds", help_heading = "Match")]
    pub first_to: Option<u16>,

    /// Random seed
    #[arg(long, value_name = "N", help_heading = "Match")]
    pub seed: Option<u64>,

    /// Append every finished round to this file
    #[arg(long, value_name = "FILE", help_heading = "Rounds")]
    pub record: Option<PathBuf>,

    /// Resume the latest saved round, or the one in FILE
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        conflicts_with_all = ["game", "variant", "set", "target", "p1", "p2", "vs", "names", "first", "first_to", "rounds", "seed", "moves"],
        help_heading = "Rounds"
    )]
    pub resume: Option<Option<PathBuf>>,

    /// Start after these moves, such as "x2 +1"
    #[arg(long, allow_hyphen_values = true, help_heading = "Rounds")]
    pub moves: Option<String>,
}

const PUZZLE_EXAMPLES: &str = "\
Examples:
  spoton puzzle
  spoton puzzle number-maze
  spoton puzzle maze --target 34
  spoton puzzle my-game.toml
  spoton puzzle --json      (one puzzle, without its solution)

A wrong move ends a puzzle and shows why. You can try it again the next day.
Puzzles that you have solved don't come back. If a game has no puzzles, Spot On
reports that, and the exit status is 0.";

#[derive(clap::Args, Debug)]
#[command(after_help = PUZZLE_EXAMPLES)]
pub struct PuzzleArgs {
    /// Game id, part of an id, or rule book file [default: rotate through the games]
    #[arg(value_parser = suggest::game(), hide_possible_values = true)]
    pub game: Option<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    #[command(flatten)]
    pub memory: Memory,

    /// Print one puzzle as JSON, without its solution
    #[arg(long)]
    pub json: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
    /// Drawn at random
    Random,
    /// Ask the players
    Choose,
}

impl Args {
    pub fn read() -> Result<Args, clap::Error> {
        let args = Args::from_words(std::env::args_os().map(idea_or_option).collect())?;
        match &args.command {
            // Does the same as the command with --help: returns an `Err` that prints the help.
            Some(Command::Help(help)) => {
                let words = help.command.iter().map(OsString::from);
                Args::from_words(
                    [OsString::from("spoton")].into_iter().chain(words).chain(["--help".into()]).collect(),
                )
            }
            _ => Ok(args),
        }
    }

    fn from_words(words: Vec<OsString>) -> Result<Args, clap::Error> {
        // Added here and not in the definition, to keep it out of man pages and completions.
        let seed = clap::Arg::new("screen-seed").long("screen-seed").hide(true);
        let seed = seed.value_parser(clap::value_parser!(u64));
        let definition = Args::definition().arg(seed).color(help_colour());
        let matches = definition.try_get_matches_from(words).map_err(old::with_new_spellings)?;
        let mut args = Args::from_arg_matches(&matches)?;
        args.screen.seed = matches.get_one("screen-seed").copied();
        Ok(args)
    }

    /// The definition, for completions and man pages.
    pub fn definition() -> clap::Command {
        let definition = Args::command();
        // --color works everywhere, but only the top level lists it.
        let colour = definition.get_arguments().find(|arg| arg.get_id() == "color").cloned();
        let hidden = colour.map(|colour| colour.hide(true));
        let definition = definition.mut_subcommands(|command| {
            let command = command.args(hidden.clone());
            match command.get_name() {
                "play" => {
                    ProgramArgs::IDS.iter().fold(command, |play, id| play.mut_arg(id, |arg| arg.hide(true)))
                }
                _ => command,
            }
        });
        let list = list::template(&definition);
        definition.help_template(list)
    }
}

/// Keeps an idea that starts with a negative number, such as "-3 -8", from being parsed as an option.
fn idea_or_option(word: OsString) -> OsString {
    let text = word.to_string_lossy();
    let begins_with_number =
        text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if begins_with_number
        && text.contains(' ')
        && std::env::args_os().nth(1).is_some_and(|command| command == "idea")
    {
        return format!("leave {text}").into();
    }
    word
}

/// Colours of help and usage errors, which are printed before `--color` has been parsed.
fn help_colour() -> clap::ColorChoice {
    let words: Vec<OsString> = std::env::args_os().collect();
    let asks = |when: &str| {
        let joined = OsString::from(format!("--color={when}"));
        words.contains(&joined) || words.windows(2).any(|pair| pair[0] == "--color" && pair[1] == when)
    };
    match (asks("always"), asks("never")) {
        (true, _) => clap::ColorChoice::Always,
        (_, true) => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    }
}
