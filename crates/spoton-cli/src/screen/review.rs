use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;

pub struct ReviewView {}

impl ReviewView {
    pub fn of_sitting(_sitting: &crate::sitting::Sitting) -> Result<ReviewView, Failure> {
        Ok(ReviewView {})
    }
}

impl Screen for ReviewView {
    fn title(&self) -> String {
        "ReviewView".to_owned()
    }
    fn draw(&self, _canvas: &mut Canvas<'_>, _area: Rect) {}
    fn offers(&self) -> Vec<Offer> {
        vec![Offer::escape("back")]
    }
    fn handle(&mut self, _input: Input, _world: &mut World) -> Result<Go, Failure> {
        Ok(Go::Back)
    }
}
