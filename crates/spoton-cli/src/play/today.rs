//! `spoton today`: plays the daily duel, or prints it as JSON.

use clap::Args;
use spoton::day::Day;
use spoton::json;

use super::{converse, questions};
use crate::args::{Entry, day, json_option, read};
use crate::clock;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::output::Colour;
use crate::programs::ProgramArgs;
use crate::shown::answer_out;
use crate::sitting::today;

pub const COMMAND: Entry = Entry {
    group: Some("Play"),
    name: "today",
    about: "Play today's duel: a new game every day, the same for everyone",
    arguments: TodayArgs::augment_args,
    json: json_option,
    run: |matches, colour| run(&read(matches)?, colour),
};

const TODAY_EXAMPLES: &str = "\
Examples:
  spoton today
  spoton today --date 2026-11-15    (another day's duel, for practice)
  spoton today --json               (the game as JSON, without playing)

Your first round of the day counts: no undo, and hints are recorded. If you
leave it unfinished, spoton today resumes it. On a later day, resume it with
spoton play --resume; it still counts if you finish it before that day's duel.";

#[derive(Args, Debug)]
#[command(after_help = TODAY_EXAMPLES)]
pub struct TodayArgs {
    /// Play another day's duel, for practice: 2026-11-15
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub date: Option<Day>,

    /// Print the game and your streak as JSON; don't play
    #[arg(long)]
    pub json: bool,
}

fn run(args: &TodayArgs, colour: Colour) -> Result<(), Failure> {
    if args.json {
        return tell(args);
    }
    converse(None, &ProgramArgs::default(), colour, |before| questions::today(args, before).map(Some))
}

/// Prints the duel as JSON for programs.
fn tell(args: &TodayArgs) -> Result<(), Failure> {
    let streak = today::streak(&Folders::usual()).unwrap_or_else(|failure| {
        failure.tell(false, Colour::none());
        Default::default()
    });
    let now = clock::today();
    let duel = today::duel(args.date.unwrap_or(now))?;
    answer_out(true).answer(&json::today(&duel, &streak, now))?;
    Ok(())
}
