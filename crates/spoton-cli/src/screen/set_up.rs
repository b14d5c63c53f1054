//! Set-up: everything about a round to come, on one screen.

use ratatui::layout::Rect;
use spoton::position::ByPlayer;

use super::board::Board;
use super::canvas::Canvas;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::sitting::Sitting;
use crate::sitting::record_file::RecordFile;
use crate::sitting::setup::Setup;
use crate::sitting::truth::Truth;
use crate::solving::AT_A_GLANCE;

/// What the names of the players are remembered by.
const NAMES: &str = "names";

/// The two names that were typed last.
pub fn remembered_names(world: &World) -> Option<ByPlayer<String>> {
    let names = world.remembered(NAMES)?;
    let (one, two) = names.split_once(',')?;
    Some(ByPlayer([one.to_owned(), two.to_owned()]))
}

/// The name of somebody who plays alone.
pub fn remembered_name(world: &World) -> Option<String> {
    remembered_names(world).map(|ByPlayer([one, _])| one)
}

/// Sits down at a board. Where finished rounds cannot be written down, they are played all the same.
pub fn sit_down(setup: Setup, world: &mut World) -> Result<Board, Failure> {
    let sitting = sitting(setup, world)?;
    Board::new(sitting, world)
}

/// Sits down to try something out after looking back: that round counts for nothing, and those after it as usual.
pub fn try_out(setup: Setup, world: &mut World) -> Result<Board, Failure> {
    let mut sitting = sitting(setup, world)?;
    sitting.play_on_from(sitting.round.history().len())?;
    Board::new(sitting, world)
}

fn sitting(setup: Setup, world: &mut World) -> Result<Sitting, Failure> {
    let rounds = world.folders.rounds().and_then(|path| {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| Failure::file("make the folder", folder, &error))?;
        }
        RecordFile::open(path)
    });
    let record = match rounds {
        Ok(record) => Some(record),
        Err(failure) => {
            world.notice = Some(failure.to_string());
            None
        }
    };
    Sitting::begin(setup, world.keeper.clone(), record, Truth::new(AT_A_GLANCE))
}

pub struct SetUp {}

impl SetUp {
    pub fn two_people(_world: &World) -> Result<SetUp, Failure> {
        Ok(SetUp {})
    }
}

impl Screen for SetUp {
    fn title(&self) -> String {
        "Set-up".to_owned()
    }
    fn draw(&self, _canvas: &mut Canvas<'_>, _area: Rect) {}
    fn offers(&self) -> Vec<Offer> {
        vec![Offer::escape("back")]
    }
    fn handle(&mut self, _input: Input, _world: &mut World) -> Result<Go, Failure> {
        Ok(Go::Back)
    }
}
