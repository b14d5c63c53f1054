//! The command for the duel of a day.

use spoton::people::day::{Day, NoSuchDay};

const TODAY_EXAMPLES: &str = "\
Examples:
  spoton today
  spoton today --date 2026-11-15    (another day's, for practice)
  spoton today --json               (the game, without playing it)

Your first round of the day counts: no move is taken back in it, and hints are
counted. Left unfinished, it goes on at the next spoton today. On a later day it
still counts if you finish it before that day's: spoton play --resume.";

#[derive(clap::Args, Debug)]
#[command(after_help = TODAY_EXAMPLES)]
pub struct TodayArgs {
    /// Take the duel of another day, such as 2026-11-15; it counts for nothing
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub date: Option<Day>,

    /// Print a JSON object with the game and your streak, and do not play
    #[arg(long)]
    pub json: bool,
}

pub fn day(text: &str) -> Result<Day, String> {
    text.parse().map_err(|no_such_day: NoSuchDay| format!("there is no such day; {no_such_day}"))
}
