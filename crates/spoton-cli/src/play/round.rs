//! `spoton play`: its options; starts or resumes a round.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Command, ValueEnum};

use super::{Before, converse, questions};
use crate::args::{ChangeArgs, Entry, Switch, json_option, read, suggest};
use crate::clock;
use crate::failure::Failure;
use crate::output::Colour;
use crate::programs::ProgramArgs;
use crate::sitting::record_file::RecordFile;
use crate::sitting::resume::resume;
use crate::sitting::today;

pub const COMMAND: Entry = Entry {
    group: Some("Play"),
    name: "play",
    about: "Play a round or a match against a friend or the computer",
    arguments,
    json: json_option,
    run: |matches, colour| run(read(matches)?, colour),
};

/// Outside programs are for developers, so the help doesn't list their options here.
fn arguments(command: Command) -> Command {
    let command = PlayArgs::augment_args(command);
    ProgramArgs::IDS.iter().fold(command, |command, id| command.mut_arg(id, |arg| arg.hide(true)))
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

#[derive(Args, Debug, Default)]
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

pub fn run(args: PlayArgs, colour: Colour) -> Result<(), Failure> {
    let record = args.record.clone().map(RecordFile::open).transpose()?;
    converse(record, &args.programs, colour, |Before { console, autosave, games, folders }| {
        let help = questions::settle_help(&args, folders);
        match &args.resume {
            Some(file) => {
                let setup = resume(file.as_deref(), help, autosave, games, folders)?;
                if let Some(attempt) = setup.today.filter(|_| !setup.tried_out) {
                    let streak = today::streak(folders).unwrap_or_default();
                    console.notice(&attempt.in_words(&streak, clock::today()))?;
                }
                Ok(Some(setup))
            }
            None => questions::new(&args, help, games, folders, console),
        }
    })
}
