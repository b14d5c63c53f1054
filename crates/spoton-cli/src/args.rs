//! The command line, described once: the parser, the help, the man page and the completions come from here.

mod arena;
mod changes;
mod design;
mod suggest;
mod today;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

pub use arena::{ArenaArgs, BenchArgs, EngineArgs, ProgramArgs, Seats};
pub use changes::ChangeArgs;

pub use design::{AuditArgs, InventArgs};
pub use today::TodayArgs;

const EXIT_STATUS: &str = "\
Exit status:
  0    done; a round that was left unfinished and kept counts as done
  1    something failed while running
  2    the command line, a rule book or a record is not valid
  3    an outside program gave no answer, or finished no round
  130  interrupted";

/// Spot On: number duels for two, in which you land exactly on the target
#[derive(Parser, Debug)]
#[command(name = "spoton", version, after_help = EXIT_STATUS, max_term_width = 80)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// When to use colours; NO_COLOR turns them off as well
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: When,

    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// How the full-screen game looks; it opens where no command is given.
#[derive(clap::Args, Debug, Default)]
#[command(next_help_heading = "Full screen, without a command")]
pub struct ScreenArgs {
    /// Let nothing move by itself
    #[arg(long)]
    pub no_motion: bool,

    /// Draw with plain characters only
    #[arg(long)]
    pub ascii: bool,

    /// Choose colours for this background; b changes it while playing
    #[arg(long, value_name = "KIND")]
    pub background: Option<Background>,

    /// Makes chance repeatable, in tests.
    #[arg(skip)]
    pub seed: Option<u64>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    Light,
    Dark,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play a round or a match, two people at one keyboard or against the computer
    Play(PlayArgs),
    /// Play today's duel: a new game every day, the same for everybody, with a line to paste
    Today(TodayArgs),
    /// Win from here: a position in which you hold a win that does not show, against the best defence
    Puzzle(PuzzleArgs),
    /// List what there is to play
    Games(GamesArgs),
    /// Show the rules of a game in words
    Rules(RulesArgs),
    /// Tell what a position is worth under perfect play, and every move from it
    Solve(SolveArgs),
    /// Show the whole game at a glance: who can force a win at every number
    Map(MapArgs),
    /// Test a rule of your own, such as "leave 5 10 15"
    Idea(IdeaArgs),
    /// List the computer players, and for a game their exact odds
    Opponents(OpponentsArgs),
    /// Tell the facts about a rule book: who wins, how deep it is, whether its claims are true
    Audit(AuditArgs),
    /// Invent new games, each proved to be worth playing
    Invent(InventArgs),
    /// Let computers and outside programs play each other, and see how good they are
    Arena(ArenaArgs),
    /// Measure players on a fixed set of fifty games, or on the fresh one of a day
    Bench(BenchArgs),
    /// Answer lines as an engine does, for tournaments and other programs; or check such an engine
    Engine(EngineArgs),
    /// Turn discovery on or off: with it on, nothing that would give a game's secret away is told
    Discover(DiscoverArgs),
    /// Look back on recorded rounds: which choices mattered, and where it turned
    Review(ReviewArgs),
    /// Write a new rule book that can be played at once
    New(NewArgs),
    /// Check rule book files and show every mistake with its place
    Check(CheckArgs),
    /// Replay records of rounds and print them as text or JSON
    Record(RecordArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the man page of spoton or of one of its commands
    Man(ManArgs),
}

impl Command {
    pub fn wants_json(&self) -> bool {
        match self {
            Command::Today(args) => args.json,
            Command::Games(args) => args.json,
            Command::Puzzle(args) => args.json,
            Command::Rules(args) => args.json,
            Command::Check(args) => args.json,
            Command::Record(args) => args.json,
            Command::Map(args) => args.json,
            Command::Idea(args) => args.json,
            Command::Arena(args) => args.json,
            Command::Bench(args) => args.json,
            Command::Engine(args) => args.json,
            Command::Audit(args) => args.json,
            Command::Invent(args) => args.json,
            Command::Opponents(args) => args.json,
            Command::Review(args) => args.json,
            Command::Solve(args) => args.json || args.stdin,
            Command::Play(_)
            | Command::Discover(_)
            | Command::New(_)
            | Command::Completions(_)
            | Command::Man(_) => false,
        }
    }
}

#[derive(clap::Args, Debug)]
pub struct GamesArgs {
    /// Print a JSON list
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct RulesArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// Print the rule book's TOML as it was written
    #[arg(long, conflicts_with_all = ["markdown", "json", "variant", "set", "target"])]
    pub source: bool,

    /// Print a hand-out in Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

const SOLVE_HELP: &str = "\
Any number can be asked about: --set start=12. Where a move goes back, say the
range with it: --set start=12 --set range=1,20. Else it begins at the start.

With --stdin, every line is a question: moves such as x2 +1, or
  {\"game\":\"number-maze\",\"set\":{\"target\":50},\"moves\":[\"x2\"]}
and every answer is a line of JSON. A line that is not understood is answered
with {\"error\":…,\"at\":LINE}.";

#[derive(clap::Args, Debug)]
#[command(after_help = SOLVE_HELP)]
pub struct SolveArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// Moves that are made first, from the opening, such as "x2 +1"; a turn without a legal move is written skip
    #[arg(long, allow_hyphen_values = true)]
    pub moves: Option<String>,

    /// Answer a question a line, from standard input
    #[arg(long, conflicts_with = "moves")]
    pub stdin: bool,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct MapArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// Leave the marks out: a hand-out with the rules, a line for a name and room to write
    #[arg(long, conflicts_with = "json")]
    pub blank: bool,

    /// While discovery is on: uncover one more number
    #[arg(long)]
    pub uncover: bool,

    /// Only positions in which the player on turn chose OWN last and the other player OTHER (- for none)
    #[arg(long, value_name = "OWN,OTHER", allow_hyphen_values = true)]
    pub last: Option<String>,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

const IDEA_FORMS: &str = "\
An idea says which numbers to leave to the other player:
  leave 5 10 15
  leave even, leave odd from 5, leave odd from 9 to 15
  leave every 6 from 2
  leave primes, leave squares to 50, leave multiples of 7
and several of them joined by \"and\".";

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

#[derive(clap::Args, Debug)]
pub struct OpponentsArgs {
    /// A game: then the ladder is put in order for it, with the exact odds of every pair
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

#[derive(clap::Args, Debug)]
pub struct ReviewArgs {
    /// Files with records, as text or as JSON lines, or - for standard input; without one, the rounds played here
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Count over all records: for each player, game and seat
    #[arg(long, conflicts_with = "annotate")]
    pub summary: bool,

    /// Print the records with marks at the moves and the accuracy of the players
    #[arg(long, conflicts_with = "json")]
    pub annotate: bool,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object a round, or one list with --summary
    #[arg(long)]
    pub json: bool,
}

/// How much looking ahead may take.
#[derive(clap::Args, Debug)]
pub struct Memory {
    /// The most memory that looking ahead may take, in MiB
    #[arg(long = "memory", value_name = "MIB", default_value_t = crate::solving::MEBIBYTES, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub mebibytes: u64,
}

#[derive(clap::Args, Debug)]
pub struct NewArgs {
    /// The file to write; it must not exist yet
    pub file: PathBuf,

    /// Begin with the rule book of this game
    #[arg(long, value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub like: Option<OsString>,
}

#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// Rule book files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print a JSON object a file, one a line
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct RecordArgs {
    /// Files with records, as text or as JSON lines, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print a JSON object a round, one a line
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct CompletionsArgs {
    pub shell: clap_complete::Shell,
}

#[derive(clap::Args, Debug)]
pub struct DiscoverArgs {
    /// Left out, it tells whether discovery is on
    #[arg(value_name = "ON")]
    pub to: Option<Switch>,
}

#[derive(clap::Args, Debug)]
pub struct ManArgs {
    /// A command of spoton's, such as play
    #[arg(value_parser = suggest::command(), hide_possible_values = true)]
    pub command: Option<String>,
}

/// A game, and how to change it.
#[derive(clap::Args, Debug)]
pub struct GameArgs {
    /// A game's id, or a part of it that fits no other game, or a rule book file
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
  spoton play my-game.toml --set past=wins
  spoton play --resume

While playing, type help to see what can be typed.";

#[derive(clap::Args, Debug, Default)]
#[command(after_help = PLAY_EXAMPLES)]
pub struct PlayArgs {
    /// A game's id, or a part of it that fits no other game, or a rule book file; left out, you can choose
    #[arg(value_parser = suggest::game(), hide_possible_values = true)]
    pub game: Option<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Who plays as Player 1: human (as usual), an opponent of spoton opponents, or exec:COMMAND for a program
    #[arg(long, value_name = "WHO", value_parser = suggest::player(), hide_possible_values = true, help_heading = "Players")]
    pub p1: Option<String>,

    /// Who plays as Player 2: human (as usual), an opponent of spoton opponents, or exec:COMMAND for a program
    #[arg(long, value_name = "WHO", value_parser = suggest::player(), hide_possible_values = true, help_heading = "Players")]
    pub p2: Option<String>,

    /// Play against the computer: easy, medium, hard, adaptive, or a name of spoton opponents; short for --p2
    #[arg(long, value_name = "WHO", conflicts_with = "p2", value_parser = suggest::player(), hide_possible_values = true, help_heading = "Players")]
    pub vs: Option<String>,

    /// Names of the players; against the computer your own is enough
    #[arg(long, value_name = "A,B", help_heading = "Players")]
    pub names: Option<String>,

    /// Who goes first: 1, 2, random or choose
    #[arg(long, value_name = "WHO", help_heading = "Players")]
    pub first: Option<First>,

    /// Moves that are made first, from the opening, such as "x2 +1"; a turn without a legal move is written skip
    #[arg(long, allow_hyphen_values = true, help_heading = "Players")]
    pub moves: Option<String>,

    #[command(flatten)]
    pub programs: ProgramArgs,

    /// Have a coach: hints within a budget, and a warning before a move that loses at once
    #[arg(long, help_heading = "Help")]
    pub coach: bool,

    /// Turn discovery on for this and the next rounds, as spoton discover does: find the secret yourselves
    #[arg(long, value_name = "ON", num_args = 0..=1, require_equals = true, default_missing_value = "on", help_heading = "Help")]
    pub discover: Option<Switch>,

    /// Play a match until somebody has won N rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=999), conflicts_with = "rounds", help_heading = "Match")]
    pub first_to: Option<u16>,

    /// Play a match of N rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=999), help_heading = "Match")]
    pub rounds: Option<u16>,

    /// Make chance repeatable: the same seed gives the same draws
    #[arg(long, value_name = "N", help_heading = "Match")]
    pub seed: Option<u64>,

    /// Add every finished round to this file (as JSON lines where its name ends in .json or .jsonl)
    #[arg(long, value_name = "FILE", help_heading = "Keeping")]
    pub record: Option<PathBuf>,

    /// Go on with the round that was kept last, or with the one in FILE
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        conflicts_with_all = ["game", "variant", "set", "target", "p1", "p2", "vs", "names", "first", "first_to", "rounds", "seed", "moves"],
        help_heading = "Keeping"
    )]
    pub resume: Option<Option<PathBuf>>,
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
says so, and the exit status is 0.";

#[derive(clap::Args, Debug)]
#[command(after_help = PUZZLE_EXAMPLES)]
pub struct PuzzleArgs {
    /// A game's id, or a part of it that fits no other game, or a rule book file; left out, the games take turns
    #[arg(value_parser = suggest::game(), hide_possible_values = true)]
    pub game: Option<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    #[command(flatten)]
    pub memory: Memory,

    /// Print the puzzle as a JSON object, without its solution
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
    /// Drawn by lot
    Random,
    /// The players are asked
    Choose,
}

impl Args {
    pub fn read() -> Result<Args, clap::Error> {
        // Not in the definition: neither help nor completions know of it.
        let seed = clap::Arg::new("screen-seed").long("screen-seed").hide(true);
        let seed = seed.value_parser(clap::value_parser!(u64));
        let definition = Args::definition().arg(seed).color(help_colour());
        let matches = definition.try_get_matches_from(std::env::args_os().map(idea_or_option))?;
        let mut args = Args::from_arg_matches(&matches)?;
        args.screen.seed = matches.get_one("screen-seed").copied();
        Ok(args)
    }

    /// The definition itself, for completions and man pages.
    pub fn definition() -> clap::Command {
        Args::command()
    }
}

/// An idea in one argument may begin with a negative number, as in "-3 -8", which would pass for an option.
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
