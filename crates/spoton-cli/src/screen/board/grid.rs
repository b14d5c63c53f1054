//! A long menu as a grid: each move in notation with its result. Above it, the label of the move under the cursor, or why
//! it isn't allowed.

use std::cell::Cell;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::buttons::Item;
use crate::screen::Input;
use crate::screen::canvas::{Canvas, below, columns, row};
use crate::screen::menu::Cursor;
use crate::screen::theme::Tone;

/// Columns for the cursor and the gap.
const AROUND: usize = 3;
/// Columns for the "more" sign at the right edge.
const MORE: u16 = 3;

/// The layout of the last frame, for the arrow keys.
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
    /// Resets the layout: no grid is shown.
    pub fn forget(&self) {
        self.across.set(1);
        self.down.set(1);
    }

    /// Moves the cursor over the grid. Returns whether there is a grid and it used the input.
    pub fn moves(&self, cursor: &mut Cursor, input: Input, items: usize) -> bool {
        let (across, page) = (self.across.get(), self.across.get() * self.down.get());
        let Some(last) = items.checked_sub(1).filter(|_| across > 1) else { return false };
        let at = cursor.0;
        // At the edge, the cursor stays in its column.
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
    /// The width of a cell with its gap, in columns.
    width: usize,
    across: usize,
}

impl<'a> Grid<'a> {
    pub fn lay_out(items: &'a [Item], width: u16, arrow: &str) -> Grid<'a> {
        let longest = items.iter().map(|item| columns(&cell(item, arrow))).max().unwrap_or(1);
        let cell = longest + AROUND;
        // The last column needs no gap.
        let across = ((usize::from(width.saturating_sub(MORE)) + 2) / cell).max(1);
        Grid { items, width: cell, across }
    }

    fn rows(&self) -> usize {
        self.items.len().div_ceil(self.across)
    }

    /// The height within `room`, including the line above.
    pub fn height(&self, room: u16) -> u16 {
        u16::try_from(1 + self.rows()).unwrap_or(u16::MAX).min(room.max(3))
    }

    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, asks: bool, seen: &Seen) {
        let here = self.items.iter().position(|item| item.here);
        if let Some(item) = here.and_then(|here| self.items.get(here)) {
            let tone = if item.a_move.to.is_err() { Tone::Faint } else { Tone::Strong };
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

/// The text of a cell.
fn cell(item: &Item, arrow: &str) -> String {
    match &item.a_move.to {
        Ok(_) => format!("{}{}", item.a_move.written, result(item, arrow)),
        Err(_) => item.a_move.written.clone(),
    }
}

fn result(item: &Item, arrow: &str) -> String {
    item.a_move.to.as_ref().map_or(String::new(), |number| format!(" {arrow} {number}"))
}

fn draw_cell(canvas: &mut Canvas<'_>, area: Rect, item: &Item, asks: bool) {
    let cursor = if item.here { canvas.theme.signs.cursor } else { " " };
    let (written, number) = match (&item.a_move.to, item.here) {
        (_, true) => (Tone::Chosen, Tone::Chosen),
        (Err(_), _) => (Tone::Faint, Tone::Faint),
        _ if !asks => (Tone::Faint, Tone::Faint),
        _ => (Tone::Plain, Tone::Number),
    };
    canvas.pieces(
        area,
        [
            (Tone::Strong, cursor.to_owned()),
            (written, item.a_move.written.clone()),
            (number, result(item, canvas.theme.signs.arrow)),
        ],
    );
}
