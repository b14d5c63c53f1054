//! Line mode, a text interface to a [`Sitting`], and the commands that play.
//!
//! | file | contents |
//! |---|---|
//! | `round.rs`, `today.rs`, `puzzle.rs` | `spoton play`, `spoton today` and `spoton puzzle` |
//! | `questions.rs` | game and players, from the command line or by asking |
//! | `session.rs`, `table.rs` | the loop over rounds; the loop over turns |
//! | `commands.rs`, `advice.rs` | words such as `help` and `undo`; hints and reasons |
//! | `aside.rs` | side rounds that show why an idea fails |
//! | `console.rs` | the terminal or pipe |
//!
//! On a pipe, standard output has only the dialogue. Offers and notices go to standard error or only to a terminal. A
//! prompt's trailing space is printed together with the answer, so an unanswered prompt ends its line without one.

mod advice;
mod aside;
mod commands;
mod console;
pub mod puzzle;
mod questions;
pub mod round;
mod session;
mod table;
pub mod today;

use std::rc::Rc;

use spoton::sitting::Setup;
use spoton::solved::SolvedGames;

use crate::failure::Failure;
use crate::folders::Folders;
use crate::output::Colour;
use crate::programs::ProgramArgs;
use crate::programs::Programs;
use crate::signals;
use crate::sitting::Sitting;
use crate::sitting::autosave::Autosave;
use crate::sitting::record_file::RecordFile;
use crate::solving::{self, MEBIBYTES};
use console::Console;

/// The parts that are available before the round starts.
struct Before<'a> {
    console: &'a mut dyn Console,
    autosave: &'a Autosave,
    games: &'a Rc<SolvedGames>,
    folders: &'a Folders,
}

/// Sets up a round and plays it.
fn converse(
    record: Option<RecordFile>,
    programs: &ProgramArgs,
    colour: Colour,
    settle: impl FnOnce(Before<'_>) -> Result<Option<Setup>, Failure>,
) -> Result<(), Failure> {
    let mut console = console::open(colour)?;
    let folders = Folders::usual();
    let autosave = Autosave::new(folders.clone());
    let games = Rc::new(solving::games(MEBIBYTES));
    signals::watch(autosave.clone())
        .map_err(|error| Failure::Failed(format!("can't set up signal handlers: {error}")))?;
    let before = Before { console: console.as_mut(), autosave: &autosave, games: &games, folders: &folders };
    let setup = settle(before)?;
    // The player may leave before the round starts.
    let Some(setup) = setup else { return Ok(()) };
    let taken_up = setup.resumed.is_some();
    let mut sitting = Sitting::begin(setup, autosave.clone(), &games, &folders)?;
    sitting.record = record;
    sitting.programs = Programs::for_setup(sitting.setup(), programs);
    if console.is_terminal() && sitting.a_person_plays() {
        // For Past rounds. If the file can't be opened, the round is played anyway.
        sitting.rounds = RecordFile::of_all_rounds(&folders).ok();
    }
    let mut session = session::Session { sitting, console: console.as_mut(), colour, announced: false };
    let ended = session.run(taken_up);
    // The signal thread holds a clone, so dropping ours doesn't release the save.
    autosave.let_go();
    let is_behind = session.sitting.record.as_ref().is_some_and(RecordFile::is_behind);
    // The write error itself was reported when the round ended.
    ended.and(if is_behind { Err(Failure::Reported(1)) } else { Ok(()) })
}
