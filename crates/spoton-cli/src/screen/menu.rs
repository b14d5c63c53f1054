//! A list to choose from with the arrow keys or a click.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::Input;
use super::canvas::{Canvas, cut, row};
use super::theme::Tone;

/// The cursor of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor(pub usize);

impl Cursor {
    /// Moves with the keys. Returns whether the input was for the list.
    pub fn moved(&mut self, input: Input, items: usize) -> bool {
        let last = items.saturating_sub(1);
        self.0 = match input {
            Input::Key(KeyCode::Up) => self.0.saturating_sub(1),
            Input::Key(KeyCode::Down) => self.0 + 1,
            Input::Key(KeyCode::PageUp) => self.0.saturating_sub(10),
            Input::Key(KeyCode::PageDown) => self.0 + 10,
            Input::Key(KeyCode::Home) => 0,
            Input::Key(KeyCode::End) => last,
            _ => return false,
        }
        .min(last);
        true
    }

    /// The chosen item: the one under the cursor on Enter, or the clicked one.
    pub fn chosen(&mut self, input: Input, items: usize) -> Option<usize> {
        match input {
            Input::Key(KeyCode::Enter) if self.0 < items => Some(self.0),
            Input::Pick(index) if index < items => {
                self.0 = index;
                Some(index)
            }
            _ => None,
        }
    }
}

/// Draws as many items of a fixed height as fit around the cursor. `draw` gets an item's area and whether the cursor is
/// on it.
pub fn draw_list(
    canvas: &mut Canvas<'_>,
    area: Rect,
    cursor: Cursor,
    items: usize,
    height: u16,
    mut draw: impl FnMut(&mut Canvas<'_>, Rect, usize, bool),
) {
    let fit = usize::from(area.height / height.max(1)).max(1);
    let first = cursor.0.saturating_sub(fit / 2).min(items.saturating_sub(fit));
    for (place, index) in (first..items.min(first + fit)).enumerate() {
        let y = place as u16 * height;
        let item = Rect { height: height.min(area.height.saturating_sub(y)), ..row(area, y) };
        canvas.spot(item, Input::Pick(index));
        draw(canvas, item, index, cursor.0 == index);
    }
    let sign = canvas.theme.signs.dot.repeat(3);
    let edge = Rect { x: area.right().saturating_sub(3), width: 3, ..area };
    if first > 0 {
        canvas.text(row(edge, 0), Tone::Faint, &sign);
    }
    if first + fit < items {
        canvas.text(row(edge, area.height.saturating_sub(1)), Tone::Faint, &sign);
    }
}

/// Draws an item, with a sign if the cursor is on it.
pub fn draw_item(canvas: &mut Canvas<'_>, area: Rect, text: &str, here: bool) {
    let cursor = canvas.theme.signs.cursor;
    let (sign, tone) = if here { (cursor, Tone::Chosen) } else { (" ", Tone::Plain) };
    canvas.text(Rect { width: 1, ..area }, Tone::Strong, sign);
    let width = area.width.saturating_sub(2);
    let text = format!(" {text} ");
    canvas.text(Rect { x: area.x + 2, width, ..area }, tone, cut(&text, width.into()));
}
