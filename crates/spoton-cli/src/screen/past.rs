use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;

pub struct Past {}

impl Past {
    pub fn new(_world: &World) -> Past {
        Past {}
    }
}

impl Screen for Past {
    fn title(&self) -> String {
        "Past".to_owned()
    }
    fn draw(&self, _canvas: &mut Canvas<'_>, _area: Rect) {}
    fn offers(&self) -> Vec<Offer> {
        vec![Offer::escape("back")]
    }
    fn handle(&mut self, _input: Input, _world: &mut World) -> Result<Go, Failure> {
        Ok(Go::Back)
    }
}

/// How many rounds each of two has won against the other.
pub fn score(
    _folders: &crate::folders::Folders,
    _names: &spoton::position::ByPlayer<String>,
) -> spoton::position::ByPlayer<u32> {
    spoton::position::ByPlayer::default()
}
