use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;

pub struct IdeaTest {}

impl IdeaTest {
    pub fn new(_rulebook: std::sync::Arc<spoton::rulebook::Rulebook>) -> IdeaTest {
        IdeaTest {}
    }
}

impl Screen for IdeaTest {
    fn title(&self) -> String {
        "IdeaTest".to_owned()
    }
    fn draw(&self, _canvas: &mut Canvas<'_>, _area: Rect) {}
    fn offers(&self) -> Vec<Offer> {
        vec![Offer::escape("back")]
    }
    fn handle(&mut self, _input: Input, _world: &mut World) -> Result<Go, Failure> {
        Ok(Go::Back)
    }
}
