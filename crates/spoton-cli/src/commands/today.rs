//! `spoton today --json`: the duel of a day for programs. Playing it is line mode's.

use std::io::Write;

use spoton::json;

use crate::args::TodayArgs;
use crate::clock;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::output::Colour;
use crate::shown::answer_out;
use crate::today;

pub fn run(args: &TodayArgs) -> Result<(), Failure> {
    let streak = today::streak(&Folders::usual()).unwrap_or_else(|failure| {
        failure.tell(false, Colour::none());
        Default::default()
    });
    let now = clock::today();
    let duel = today::duel(args.date.unwrap_or(now))?;
    writeln!(answer_out(true), "{}", json::today(&duel, &streak, now))?;
    Ok(())
}
