//! The moves: buttons if there is room, otherwise a list or a grid.

use ratatui::layout::Rect;
use spoton::format::{Entry, NoRepeat, Op};
use spoton::view::MoveView;

use super::Board;
use super::draw::ARCS;
use super::grid::Grid;
use crate::screen::Input;
use crate::screen::canvas::{Canvas, below, columns, inset, middle, row, wrap};
use crate::screen::theme::Tone;

/// The moves on the board.
pub struct Buttons {
    items: Vec<Item>,
    columns: u16,
    /// Rows of one item.
    rows: u16,
    asks: bool,
    /// The height of the grid, if the menu is long.
    grid: Option<u16>,
}

/// The columns a button adds to its label: cursor, frame and gap.
const AROUND: usize = 9;
/// The maximum width of a button with its gap.
const WIDEST: u16 = 44;

/// A move on offer.
pub struct Item {
    pub place: usize,
    pub a_move: MoveView,
    /// The opponent's name, if the move changes the opponent's number.
    whose: String,
    /// The target, if the result is past it.
    past: Option<i64>,
    pub here: bool,
}

impl Item {
    /// The whole item on one line.
    pub fn in_words(&self, arrow: &str) -> String {
        format!("{}{}", self.a_move.label, if self.a_move.to.is_ok() { " " } else { "" })
            + &self.gives_in_words(arrow)
    }

    /// The label, and why the move isn't allowed.
    fn barred_in_words(&self) -> String {
        let why = self.a_move.to.as_ref().err().map(String::as_str).unwrap_or_default();
        format!("{}: {why}", self.a_move.label)
    }

    fn gives_in_words(&self, arrow: &str) -> String {
        let left = self.a_move.left.as_ref().map(|left| format!("  ({left})")).unwrap_or_default();
        match &self.a_move.to {
            Ok(number) => {
                let past = self.past.map(|target| format!(", past {target}")).unwrap_or_default();
                format!("{}{arrow} {number}{past}{left}", self.whose)
            }
            Err(why) => format!(": {why}"),
        }
    }
}

impl Buttons {
    /// `room` is the number of free rows.
    pub fn for_board(board: &Board, width: u16, room: u16, arrow: &str) -> Buttons {
        let rulebook = board.sitting.rulebook();
        let asks = board.asks();
        let target = rulebook.target();
        let items: Vec<Item> = board
            .moves()
            .into_iter()
            .enumerate()
            .map(|(place, a_move)| Item {
                place,
                whose: a_move.choice.map(|choice| board.whose(choice)).unwrap_or_default(),
                past: target.filter(|_| a_move.overshoots),
                here: board.aimed_at() == Some(place),
                a_move,
            })
            .collect();
        let count = items.len().max(1) as u16;
        // The width depends on the labels only, so the buttons never shift.
        let is_short = |entry: &Entry| match entry.op {
            Op::Fixed(operation) => entry.uses.is_none() && entry.when.is_empty() && !operation.divides(),
            Op::Computed(_) => false,
        };
        let short = rulebook.no_repeat() == NoRepeat::None
            && rulebook.passes().is_none()
            && rulebook.forbidden().is_empty()
            && rulebook.moves().iter().all(is_short);
        let least = if short { 18 } else { 22 };
        let button =
            items.iter().map(|item| columns(&item.a_move.label) + AROUND).max().unwrap_or(0).max(least)
                as u16;
        let as_buttons = (width / button).clamp(1, count);
        // Reasons can be long and are never cut.
        let inside = (width / as_buttons).min(WIDEST).saturating_sub(AROUND as u16 - 3);
        let lines = |item: &Item| match &item.a_move.to {
            Ok(_) => 1 + wrap(&item.gives_in_words(arrow), inside.saturating_sub(2)).len(),
            Err(_) => wrap(&format!("> {}", item.barred_in_words()), inside).len(),
        };
        let rows = 2 + items.iter().map(lines).max().unwrap_or(2).max(2) as u16;
        if count.div_ceil(as_buttons) * rows <= room {
            return Buttons { items, columns: as_buttons, rows, asks, grid: None };
        }
        // More moves than keys: a grid.
        let grid = board.is_long().then(|| {
            // Seeing all moves is more important than the arcs.
            Grid::lay_out(&items, width, arrow).height(room + 2 * ARCS)
        });
        // Reading why a move isn't allowed is more important than the arcs.
        let in_line = |item: &Item| columns(&item.in_words(arrow)) + columns(&item.a_move.key) + 4;
        let is_cut = items.iter().any(|item| in_line(item) > usize::from(width / 2));
        let room = if is_cut { room + 2 * ARCS } else { room };
        Buttons { items, columns: if count <= room { 1 } else { 2 }, rows: 1, asks, grid }
    }

    pub fn height(&self) -> u16 {
        if let Some(height) = self.grid {
            return height;
        }
        (self.items.len() as u16).div_ceil(self.columns) * self.rows
    }

    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, board: &Board) {
        if self.grid.is_some() {
            let grid = Grid::lay_out(&self.items, area.width, canvas.theme.signs.arrow);
            return grid.draw(canvas, area, self.asks, &board.seen);
        }
        board.seen.forget();
        let width =
            if self.rows > 1 { (area.width / self.columns).min(WIDEST) } else { area.width / self.columns };
        // Buttons are centred below the number.
        let area = if self.rows > 1 { middle(area, width * self.columns, area.height) } else { area };
        for (index, item) in self.items.iter().enumerate() {
            let (column, line) = (index as u16 % self.columns, index as u16 / self.columns);
            let place = Rect {
                x: area.x + column * width,
                width: width.saturating_sub(2),
                height: self.rows,
                ..row(area, line * self.rows)
            };
            if place.bottom() > area.bottom() {
                break;
            }
            if self.asks {
                canvas.spot(place, Input::Pick(item.place));
            }
            match self.rows {
                1 => self.draw_line(canvas, place, item),
                _ => self.draw_button(canvas, place, item),
            }
        }
    }

    fn tone(&self, item: &Item) -> Tone {
        match (&item.a_move.to, item.here) {
            (_, true) => Tone::Chosen,
            (Err(_), _) => Tone::Faint,
            _ if !self.asks => Tone::Faint,
            _ => Tone::Plain,
        }
    }

    fn draw_button(&self, canvas: &mut Canvas<'_>, area: Rect, item: &Item) {
        let barred = item.a_move.to.is_err();
        let frame = if barred || !self.asks { Tone::Faint } else { Tone::Plain };
        let inside = inset(canvas.framed(area, frame, &item.a_move.key), 1);
        let cursor = if item.here { canvas.theme.signs.cursor } else { " " };
        if item.a_move.to.is_err() {
            canvas.wrapped(inside, self.tone(item), &format!("{cursor} {}", item.barred_in_words()));
            return;
        }
        canvas.text(row(inside, 0), self.tone(item), &format!("{cursor} {} ", item.a_move.label));
        let gives = item.gives_in_words(canvas.theme.signs.arrow);
        canvas.wrapped(below(inside, 1), self.tone_of_result(), &format!("  {gives}"));
    }

    fn tone_of_result(&self) -> Tone {
        if self.asks { Tone::Number } else { Tone::Faint }
    }

    fn draw_line(&self, canvas: &mut Canvas<'_>, area: Rect, item: &Item) {
        let cursor = if item.here { canvas.theme.signs.cursor } else { " " };
        let gives = item.gives_in_words(canvas.theme.signs.arrow);
        let tone = self.tone(item);
        let widest = self.items.iter().map(|item| columns(&item.a_move.key)).max().unwrap_or(1);
        canvas.pieces(
            area,
            [
                (Tone::Strong, format!("{cursor}{:>widest$} ", item.a_move.key)),
                (
                    tone,
                    if item.a_move.to.is_err() {
                        item.a_move.label.clone()
                    } else {
                        format!("{} ", item.a_move.label)
                    },
                ),
                (if item.a_move.to.is_err() { Tone::Faint } else { self.tone_of_result() }, gives),
            ],
        );
    }
}
