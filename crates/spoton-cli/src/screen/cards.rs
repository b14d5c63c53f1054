//! Cards to choose from, in one or two columns.

use std::cell::Cell;
use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::design::portrait::Portrait;
use spoton::format::Rulebook;
use spoton::solved::SolvedGames;

use super::Input;
use super::canvas::{Canvas, below, columns, inset, row, wrap};
use super::menu::Cursor;
use super::theme::Tone;
use crate::solving::ask;

/// From this width on, cards are in two columns.
const WIDE: u16 = 104;
/// A card's maximum height. Text beyond it is cut.
const HIGHEST: u16 = 9;

/// A game's portrait, once it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sketch {
    /// Not computed yet.
    Awaited,
    Made(Portrait),
    /// The game is too large for a quick portrait.
    TooLarge,
}

impl Sketch {
    pub fn for_game(rulebook: &Arc<Rulebook>, games: &SolvedGames) -> Sketch {
        let portrait = ask(games, rulebook, |game, budget| game.portrait(budget));
        portrait.map_or(Sketch::TooLarge, Sketch::Made)
    }

    pub fn badges(&self) -> Vec<String> {
        match self {
            Sketch::Made(portrait) => portrait.badges(),
            Sketch::Awaited | Sketch::TooLarge => Vec::new(),
        }
    }
}

/// The content of a card.
pub struct Face {
    pub title: String,
    /// A mark at the right end of the title.
    pub mark: Option<&'static str>,
    pub text: String,
    /// The audience.
    pub suits: Option<String>,
    pub badges: Vec<String>,
}

impl Face {
    fn lines(&self, width: u16) -> (Vec<String>, Vec<String>) {
        let suits = self.suits.as_ref().map(|suits| wrap(&format!("For {suits}."), width));
        (wrap(&self.text, width), suits.unwrap_or_default())
    }

    fn height(&self, width: u16) -> u16 {
        let (text, suits) = self.lines(width);
        (text.len() + suits.len() + 3) as u16
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, here: bool) {
        let cursor = canvas.theme.signs.cursor;
        let (tone, title) = match here {
            true => (Tone::Strong, format!("{cursor} {}", self.title)),
            false => (Tone::Faint, self.title.clone()),
        };
        let inside = inset(canvas.framed(area, tone, &title), 1);
        if let Some(mark) = self.mark {
            let mark = format!(" {mark} ");
            let width = columns(&mark) as u16;
            let place = Rect { x: area.right().saturating_sub(width + 2), width, ..row(area, 0) };
            canvas.text(place, Tone::Good, &mark);
        }
        // The title has a different tone than the frame.
        let title = format!(" {title} ");
        let width = (columns(&title) as u16).min(area.width.saturating_sub(2));
        let place = Rect { x: area.x + 1, width, ..row(area, 0) };
        canvas.text(place, if here { Tone::Chosen } else { Tone::Strong }, &title);
        let (text, suits) = self.lines(inside.width);
        let last = inside.height.saturating_sub(1);
        let lines =
            text.iter().map(|line| (Tone::Plain, line)).chain(suits.iter().map(|line| (Tone::Faint, line)));
        for (y, (tone, line)) in (0..last).zip(lines) {
            canvas.text(row(inside, y), tone, line);
        }
        let dot = format!(" {} ", canvas.theme.signs.dot);
        canvas.text(row(inside, last), Tone::Faint, &self.badges.join(&dot));
    }
}

/// A cursor over cards.
pub struct Deck {
    pub cursor: Cursor,
    /// The columns of the last frame, for the arrow keys.
    columns: Cell<usize>,
}

impl Deck {
    pub fn new() -> Deck {
        Deck { cursor: Cursor::default(), columns: Cell::new(1) }
    }

    /// Moves with the keys. Returns whether the input was for the cards.
    pub fn moved(&mut self, input: Input, cards: usize) -> bool {
        let columns = self.columns.get();
        let last = cards.saturating_sub(1);
        let at = self.cursor.0;
        self.cursor.0 = match input {
            Input::Key(KeyCode::Left) if columns > 1 => at.saturating_sub(1),
            Input::Key(KeyCode::Right) if columns > 1 => (at + 1).min(last),
            Input::Key(KeyCode::Up) if columns > 1 => at.checked_sub(columns).unwrap_or(at),
            Input::Key(KeyCode::Down) if columns > 1 => {
                if at + columns <= last {
                    at + columns
                } else {
                    at
                }
            }
            input => return self.cursor.moved(input, cards),
        };
        true
    }

    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, faces: &[Face]) {
        let columns = if area.width >= WIDE { 2 } else { 1 };
        self.columns.set(columns);
        let gap = 2;
        let width = (area.width - gap * (columns as u16 - 1)) / columns as u16;
        let needed = faces.iter().map(|face| face.height(width.saturating_sub(4))).max();
        let height = needed.unwrap_or(1).min(HIGHEST).min(area.height);
        let rows = faces.len().div_ceil(columns);
        let fit = usize::from(area.height / height.max(1)).max(1);
        let first = (self.cursor.0 / columns).saturating_sub(fit / 2).min(rows.saturating_sub(fit));
        let shown = faces.iter().enumerate().skip(first * columns).take(fit * columns);
        for (index, face) in shown {
            let down = (index / columns - first) as u16 * height;
            let x = area.x + (index % columns) as u16 * (width + gap);
            let place = Rect { x, width, height, ..below(area, down) };
            face.draw(canvas, place, index == self.cursor.0);
            canvas.spot(place, Input::Pick(index));
        }
    }
}
