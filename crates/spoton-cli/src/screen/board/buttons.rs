//! What can be chosen, as buttons if there is room, else as a list or a grid.

use ratatui::layout::Rect;
use spoton::format::{Entry, NoRepeat, Op};
use spoton::words::describe;
use spoton::words::phrases;

use super::Board;
use super::draw::ARCS;
use super::grid::Grid;
use crate::screen::Input;
use crate::screen::canvas::{Canvas, below, columns, inset, middle, row, wrap};
use crate::screen::theme::Tone;

/// The operations, as buttons if there is room, else as a list.
pub struct Buttons {
    items: Vec<Item>,
    columns: u16,
    /// Rows that one of them takes.
    rows: u16,
    asks: bool,
    /// How high they are as a grid, if there are too many for anything else.
    grid: Option<u16>,
}

/// What a button has around its label: the cursor, the frame, and the gap to the next one.
const AROUND: usize = 9;
/// A button is not wider than this, with the gap behind it.
const WIDEST: u16 = 44;

/// A line of what is on offer.
pub struct Item {
    pub place: usize,
    /// What it is typed by.
    pub key: String,
    /// As it is written: `-3`.
    pub written: String,
    label: String,
    /// The other player, if it is their number that it changes.
    whose: String,
    /// The number that it gives, or why it is barred.
    pub gives: Result<i128, String>,
    /// The target, if that number lies past it.
    past: Option<i64>,
    left: Option<String>,
    pub here: bool,
}

impl Item {
    /// Everything that is to be said of it, in a line.
    pub fn in_words(&self, arrow: &str) -> String {
        format!("{}{}", self.label, if self.gives.is_ok() { " " } else { "" }) + &self.gives_in_words(arrow)
    }

    /// What it is called, and why it is barred.
    fn barred_in_words(&self) -> String {
        let why = self.gives.as_ref().err().map(String::as_str).unwrap_or_default();
        format!("{}: {why}", self.label)
    }

    fn gives_in_words(&self, arrow: &str) -> String {
        let left = self.left.as_ref().map(|left| format!("  ({left})")).unwrap_or_default();
        match &self.gives {
            Ok(number) => {
                let past = self.past.map(|target| format!(", past {target}")).unwrap_or_default();
                format!("{}{arrow} {number}{past}{left}", self.whose)
            }
            Err(why) => format!(": {why}"),
        }
    }
}

impl Buttons {
    /// `room` is how many rows they may take without pushing anything else aside.
    pub fn of(board: &Board, width: u16, room: u16, arrow: &str) -> Buttons {
        let rulebook = board.sitting.rulebook();
        let position = board.sitting.round().position();
        let asks = board.asks();
        // On a computer's turn it is not your own moves that it may not repeat.
        let its_turn = board.sitting.computer().is_some() && board.sitting.only_person().is_some();
        let items: Vec<Item> = board
            .lines()
            .into_iter()
            .enumerate()
            .map(|(place, (key, offer))| Item {
                place,
                key,
                written: rulebook.write_offer(&offer),
                label: rulebook.label_of_offer(&offer),
                whose: offer.choice.map(|choice| board.whose(choice)).unwrap_or_default(),
                gives: offer.result.map_err(|why| match its_turn {
                    true => phrases::refusal_to_them(rulebook, why),
                    false => phrases::refusal(rulebook, why),
                }),
                past: rulebook
                    .target()
                    .filter(|_| offer.result.is_ok_and(|number| rulebook.passes_target(number))),
                left: describe::left(rulebook, position, &offer),
                here: board.aimed_at() == Some(place),
            })
            .collect();
        let count = items.len().max(1) as u16;
        // As wide as its label wants it, whatever is barred now, so that the buttons never move.
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
            items.iter().map(|item| columns(&item.label) + AROUND).max().unwrap_or(0).max(least) as u16;
        let as_buttons = (width / button).clamp(1, count);
        // Reasons may be long, and are never cut.
        let inside = (width / as_buttons).min(WIDEST).saturating_sub(AROUND as u16 - 3);
        let lines = |item: &Item| match &item.gives {
            Ok(_) => 1 + wrap(&item.gives_in_words(arrow), inside.saturating_sub(2)).len(),
            Err(_) => wrap(&format!("> {}", item.barred_in_words()), inside).len(),
        };
        let rows = 2 + items.iter().map(lines).max().unwrap_or(2).max(2) as u16;
        if count.div_ceil(as_buttons) * rows <= room {
            return Buttons { items, columns: as_buttons, rows, asks, grid: None };
        }
        // More lines than there are keys come from computed amounts, and change from turn to turn.
        let grid = board.is_long().then(|| {
            // To see all of them is worth more than to see the arcs.
            Grid::of(&items, width, arrow).height(room + 2 * ARCS)
        });
        // To read why a move is barred is worth more than to see the arcs.
        let in_line = |item: &Item| columns(&item.in_words(arrow)) + columns(&item.key) + 4;
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
            let grid = Grid::of(&self.items, area.width, canvas.theme.signs.arrow);
            return grid.draw(canvas, area, self.asks, &board.seen);
        }
        board.seen.forget();
        let width =
            if self.rows > 1 { (area.width / self.columns).min(WIDEST) } else { area.width / self.columns };
        // Buttons stand in the middle, below the number; the gap behind the last one does not count.
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
        match (&item.gives, item.here) {
            (_, true) => Tone::Chosen,
            (Err(_), _) => Tone::Faint,
            _ if !self.asks => Tone::Faint,
            _ => Tone::Plain,
        }
    }

    fn draw_button(&self, canvas: &mut Canvas<'_>, area: Rect, item: &Item) {
        let barred = item.gives.is_err();
        let frame = if barred || !self.asks { Tone::Faint } else { Tone::Plain };
        let inside = inset(canvas.framed(area, frame, &item.key), 1);
        let cursor = if item.here { canvas.theme.signs.cursor } else { " " };
        if item.gives.is_err() {
            canvas.wrapped(inside, self.tone(item), &format!("{cursor} {}", item.barred_in_words()));
            return;
        }
        canvas.text(row(inside, 0), self.tone(item), &format!("{cursor} {} ", item.label));
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
        let widest = self.items.iter().map(|item| columns(&item.key)).max().unwrap_or(1);
        canvas.pieces(
            area,
            [
                (Tone::Strong, format!("{cursor}{:>widest$} ", item.key)),
                (tone, if item.gives.is_err() { item.label.clone() } else { format!("{} ", item.label) }),
                (if item.gives.is_err() { Tone::Faint } else { self.tone_of_result() }, gives),
            ],
        );
    }
}
