//! Sitting down to play: from a setup and the names of the players to a board.

use spoton::engine::position::ByPlayer;
use spoton::records::is_name;
use spoton::sitting::Setup;

use super::World;
use super::board::Board;
use crate::failure::Failure;
use crate::sitting::Sitting;
use crate::sitting::record_file::RecordFile;

/// What the names of the players are remembered by.
pub const NAMES: &str = "names";

/// The two names that were typed last, if there are two.
pub fn remembered_names(world: &World) -> Option<ByPlayer<String>> {
    let names = typed_names(world);
    names.0.iter().all(|name| is_name(name)).then_some(names)
}

/// The name of somebody who plays alone.
pub fn remembered_name(world: &World) -> Option<String> {
    let ByPlayer([one, _]) = typed_names(world);
    is_name(&one).then_some(one)
}

/// The names that were typed last; empty if none was.
pub fn typed_names(world: &World) -> ByPlayer<String> {
    let names = world.remembered(NAMES).unwrap_or_default();
    let (one, two) = names.split_once(',').unwrap_or_default();
    ByPlayer([one.to_owned(), two.to_owned()])
}

/// Sits down at a board. If finished rounds cannot be written down, they are played all the same.
pub fn sit_down(setup: Setup, world: &mut World) -> Result<Board, Failure> {
    let sitting = sitting(setup, world)?;
    Board::new(sitting, world)
}

/// Sits down to try something out after looking back: that round counts for nothing, and those after it as usual.
pub fn try_out(setup: Setup, world: &mut World) -> Result<Board, Failure> {
    sit_down(Setup { tried_out: true, ..setup }, world)
}

fn sitting(setup: Setup, world: &mut World) -> Result<Sitting, Failure> {
    if setup.resumed.is_none() {
        // Whatever was held before, a new round is kept under a name of its own.
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
