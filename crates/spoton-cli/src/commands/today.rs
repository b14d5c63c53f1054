//! `spoton today --json`: the daily duel as JSON for programs. `play/` plays it.

use spoton::json;

use crate::args::TodayArgs;
use crate::clock;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::output::Colour;
use crate::shown::answer_out;
use crate::sitting::today;

pub fn run(args: &TodayArgs) -> Result<(), Failure> {
    let streak = today::streak(&Folders::usual()).unwrap_or_else(|failure| {
        failure.tell(false, Colour::none());
        Default::default()
    });
    let now = clock::today();
    let duel = today::duel(args.date.unwrap_or(now))?;
    answer_out(true).answer(&json::today(&duel, &streak, now))?;
    Ok(())
}
