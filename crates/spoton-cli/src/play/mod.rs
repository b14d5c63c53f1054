//! `spoton play`: line mode.
//!
//! [`session`] plays rounds one after another, [`table`] a single one; [`console`] is where the words go.

mod advice;
mod aside;
mod commands;
mod console;
mod dice;
pub mod keeper;
mod record_file;
mod session;
mod setup;
mod table;
mod truth;

use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::output::Colour;
use crate::signals;
use keeper::Keeper;
use record_file::RecordFile;
use truth::Truth;

pub fn run(args: PlayArgs, colour: Colour) -> Result<(), Failure> {
    let record = args.record.clone().map(RecordFile::open).transpose()?;
    let mut console = console::open()?;
    let keeper = Keeper::default();
    signals::watch(keeper.clone())
        .map_err(|error| Failure::Failed(format!("cannot watch for signals: {error}")))?;
    let help = setup::Help::settle(&args)?;
    let setup = match &args.resume {
        Some(file) => Some(setup::resume(file.as_deref(), help, &keeper)?),
        None => setup::new(&args, help, console.as_mut())?,
    };
    // The player may have left before anything had begun.
    let Some(setup) = setup else { return Ok(()) };
    let session = session::Session {
        setup,
        console: console.as_mut(),
        colour,
        keeper: keeper.clone(),
        truth: Truth::default(),
        illegal: Default::default(),
        last_first: None,
        played_on: false,
        record,
    };
    let ended = session.run();
    // The watch for signals has a hold on the keeper too, so the save would not be let go by itself.
    keeper.let_go();
    ended
}
