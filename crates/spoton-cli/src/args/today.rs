//! Arguments of `today`.

use spoton::day::{Day, NoSuchDay};

const TODAY_EXAMPLES: &str = "\
Examples:
  spoton today
  spoton today --date 2026-11-15    (another day's duel, for practice)
  spoton today --json               (the game as JSON, without playing)

Your first round of the day counts: no undo, and hints are recorded. If you
leave it unfinished, spoton today resumes it. On a later day, resume it with
spoton play --resume; it still counts if you finish it before that day's duel.";

#[derive(clap::Args, Debug)]
#[command(after_help = TODAY_EXAMPLES)]
pub struct TodayArgs {
    /// Play another day's duel, for practice: 2026-11-15
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub date: Option<Day>,

    /// Print the game and your streak as JSON; don't play
    #[arg(long)]
    pub json: bool,
}

pub fn day(text: &str) -> Result<Day, String> {
    text.parse().map_err(|no_such_day: NoSuchDay| format!("there is no such day; {no_such_day}"))
}
