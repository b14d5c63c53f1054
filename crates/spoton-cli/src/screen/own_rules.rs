use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;

pub struct OwnRules {}

impl OwnRules {
    pub fn new(_world: &World) -> OwnRules {
        OwnRules {}
    }
}

impl Screen for OwnRules {
    fn title(&self) -> String {
        "OwnRules".to_owned()
    }
    fn draw(&self, _canvas: &mut Canvas<'_>, _area: Rect) {}
    fn offers(&self) -> Vec<Offer> {
        vec![Offer::escape("back")]
    }
    fn handle(&mut self, _input: Input, _world: &mut World) -> Result<Go, Failure> {
        Ok(Go::Back)
    }
}
