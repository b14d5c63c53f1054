//! Opens a board from a setup and the players' names.

use spoton::engine::position::ByPlayer;
use spoton::records::is_name;
use spoton::sitting::Setup;

use super::World;
use super::board::Board;
use crate::failure::Failure;
pub use crate::progress::NAMES;
use crate::sitting::Sitting;
use crate::sitting::record_file::RecordFile;

/// The last two names typed, if both exist.
pub fn remembered_names(world: &World) -> Option<ByPlayer<String>> {
    let names = typed_names(world);
    names.0.iter().all(|name| is_name(name)).then_some(names)
}

/// The player's name against the computer.
pub fn remembered_name(world: &World) -> Option<String> {
    let ByPlayer([one, _]) = typed_names(world);
    is_name(&one).then_some(one)
}

/// The last names typed; empty if there are none.
pub fn typed_names(world: &World) -> ByPlayer<String> {
    let names = world.remembered(NAMES).unwrap_or_default();
    let (one, two) = names.split_once(',').unwrap_or_default();
    ByPlayer([one.to_owned(), two.to_owned()])
}

/// Opens a board. An error in opening the rounds file becomes a notice.
pub fn sit_down(setup: Setup, world: &mut World) -> Result<Board, Failure> {
    let sitting = sitting(setup, world)?;
    Board::new(sitting, world)
}

/// Opens a board to replay a past round. That round doesn't count; later ones do.
pub fn try_out(setup: Setup, world: &mut World) -> Result<Board, Failure> {
    sit_down(Setup { tried_out: true, ..setup }, world)
}

fn sitting(setup: Setup, world: &mut World) -> Result<Sitting, Failure> {
    if setup.resumed.is_none() {
        // A new round gets a new save.
        world.autosave.put_away(false)?;
    }
    let mut sitting = Sitting::begin(setup, world.autosave.clone(), &world.games, &world.folders)?;
    sitting.today = world.today;
    match RecordFile::of_all_rounds(&world.folders) {
        Ok(rounds) => sitting.rounds = Some(rounds),
        Err(failure) => world.notice = Some(failure.to_string()),
    }
    Ok(sitting)
}
