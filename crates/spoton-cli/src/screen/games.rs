use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;

pub struct Games {}

impl Games {
    pub fn new(_world: &World) -> Games {
        Games {}
    }
}

impl Screen for Games {
    fn title(&self) -> String {
        "Games".to_owned()
    }
    fn draw(&self, _canvas: &mut Canvas<'_>, _area: Rect) {}
    fn offers(&self) -> Vec<Offer> {
        vec![Offer::escape("back")]
    }
    fn handle(&mut self, _input: Input, _world: &mut World) -> Result<Go, Failure> {
        Ok(Go::Back)
    }
}
