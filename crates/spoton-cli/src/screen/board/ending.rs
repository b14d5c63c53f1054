//! The end of a round.

use ratatui::layout::Rect;

use crate::screen::canvas::{Canvas, inset, middle, row, wrap};
use crate::screen::theme::Tone;

/// Who won and why, in the words of the book, in the place of the choices that nobody has any more.
pub fn draw_ending(canvas: &mut Canvas<'_>, area: Rect, ending: &[String]) {
    let width = area.width.min(64);
    let lines: Vec<String> = ending.iter().flat_map(|said| wrap(said, width.saturating_sub(4))).collect();
    let place =
        middle(Rect { height: (lines.len() as u16 + 2).min(area.height), ..area }, width, area.height);
    let inside = inset(canvas.framed(place, Tone::Strong, ""), 1);
    for (y, line) in lines.iter().enumerate() {
        let tone = if y < 2 { Tone::Strong } else { Tone::Plain };
        canvas.centred(row(inside, y as u16), tone, line);
    }
}
