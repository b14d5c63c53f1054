//! A long menu on the board: each move in a few columns, as it is written and with the number that it gives. What the
//! one under the cursor is called, or why it is barred, stands above them.

use std::cell::Cell;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::buttons::Item;
use crate::screen::Input;
use crate::screen::canvas::{Canvas, below, columns, row};
use crate::screen::menu::Cursor;
use crate::screen::theme::Tone;

/// The cursor, and the gap to the next one.
const AROUND: usize = 3;
/// What stands at the right edge if there is more above or below.
const MORE: u16 = 3;

/// How the moves stood when they were drawn last: the arrow keys go by what is seen.
pub struct Seen {
    across: Cell<usize>,
    down: Cell<usize>,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen { across: Cell::new(1), down: Cell::new(1) }
    }
}

impl Seen {
    /// It is no grid that is seen.
    pub fn forget(&self) {
        self.across.set(1);
        self.down.set(1);
    }

    /// Moves a cursor over the grid; whether there is one, and the input was for it.
    pub fn moves(&self, cursor: &mut Cursor, input: Input, items: usize) -> bool {
        let (across, page) = (self.across.get(), self.across.get() * self.down.get());
        let Some(last) = items.checked_sub(1).filter(|_| across > 1) else { return false };
        let at = cursor.0;
        // Where there is no such row, it stays in its column.
        let up = |step: usize| at.checked_sub(step).unwrap_or(at % across);
        let down = |step: usize| at + step.min((last.saturating_sub(at)) / across * across);
        cursor.0 = match input {
            Input::Key(KeyCode::Up) => up(across),
            Input::Key(KeyCode::Down) => down(across),
            Input::Key(KeyCode::PageUp) => up(page),
            Input::Key(KeyCode::PageDown) => down(page),
            _ => return false,
        };
        true
    }
}

pub struct Grid<'a> {
    items: &'a [Item],
    /// The columns of a cell, with the gap to the next one.
    width: usize,
    across: usize,
}

impl<'a> Grid<'a> {
    pub fn of(items: &'a [Item], width: u16, arrow: &str) -> Grid<'a> {
        let longest = items.iter().map(|item| columns(&cell(item, arrow))).max().unwrap_or(1);
        let cell = longest + AROUND;
        // The last one needs no gap.
        let across = ((usize::from(width.saturating_sub(MORE)) + 2) / cell).max(1);
        Grid { items, width: cell, across }
    }

    fn rows(&self) -> usize {
        self.items.len().div_ceil(self.across)
    }

    /// How many rows it takes of so many, the line above it counted.
    pub fn height(&self, room: u16) -> u16 {
        u16::try_from(1 + self.rows()).unwrap_or(u16::MAX).min(room.max(3))
    }

    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, asks: bool, seen: &Seen) {
        let here = self.items.iter().position(|item| item.here);
        if let Some(item) = here.and_then(|here| self.items.get(here)) {
            let tone = if item.gives.is_err() { Tone::Faint } else { Tone::Strong };
            canvas.text(row(area, 0), tone, &item.in_words(canvas.theme.signs.arrow));
        }
        let area = below(area, 1);
        let fit = usize::from(area.height).max(1);
        seen.across.set(self.across);
        seen.down.set(fit);
        let first = (here.unwrap_or(0) / self.across).saturating_sub(fit / 2);
        let first = first.min(self.rows().saturating_sub(fit));
        for (index, item) in self.items.iter().enumerate().skip(first * self.across).take(fit * self.across) {
            let (column, line) = (index % self.across, index / self.across - first);
            let place = Rect {
                x: area.x + (column * self.width) as u16,
                width: (self.width - 2) as u16,
                ..row(area, line as u16)
            };
            if asks {
                canvas.spot(place, Input::Pick(item.place));
            }
            draw_cell(canvas, place, item, asks);
        }
        let sign = canvas.theme.signs.dot.repeat(MORE.into());
        let edge = Rect { x: area.right().saturating_sub(MORE), width: MORE, ..area };
        if first > 0 {
            canvas.text(row(edge, 0), Tone::Faint, &sign);
        }
        if first + fit < self.rows() {
            canvas.text(row(edge, area.height.saturating_sub(1)), Tone::Faint, &sign);
        }
    }
}

/// What stands in a cell.
fn cell(item: &Item, arrow: &str) -> String {
    match &item.gives {
        Ok(_) => format!("{}{}", item.written, result(item, arrow)),
        Err(_) => item.written.clone(),
    }
}

fn result(item: &Item, arrow: &str) -> String {
    item.gives.as_ref().map_or(String::new(), |number| format!(" {arrow} {number}"))
}

fn draw_cell(canvas: &mut Canvas<'_>, area: Rect, item: &Item, asks: bool) {
    let cursor = if item.here { canvas.theme.signs.cursor } else { " " };
    let (written, number) = match (&item.gives, item.here) {
        (_, true) => (Tone::Chosen, Tone::Chosen),
        (Err(_), _) => (Tone::Faint, Tone::Faint),
        _ if !asks => (Tone::Faint, Tone::Faint),
        _ => (Tone::Plain, Tone::Number),
    };
    canvas.pieces(
        area,
        [
            (Tone::Strong, cursor.to_owned()),
            (written, item.written.clone()),
            (number, result(item, canvas.theme.signs.arrow)),
        ],
    );
}
