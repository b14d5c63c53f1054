//! The map of a game: every number at a glance.

use std::cell::Cell;
use std::sync::Arc;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::discovery::Spoiler;
use spoton::engine::position::{Player, Position};
use spoton::format::Rulebook;
use spoton::teach::map::{Cover, Map, Mark, Picture};
use spoton::words::describe;
use spoton::words::map::{DISTANCES, DOWN_AND_ACROSS, NO_STRIP, WHO_IS_AHEAD, remarks, stretch};

use super::canvas::{Canvas, below, inset, row, wrap};
use super::theme::{Signs, Tone};
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::progress;
use crate::solving::ask;

/// The maximum number of marks shown for a stretch (a run of numbers).
const MOST_LETTERS: usize = 12;

pub struct MapView {
    rulebook: Arc<Rulebook>,
    /// The map, or why there is none.
    map: Result<Map, String>,
    /// The cover in discovery mode.
    cover: Option<Cover>,
    /// The marks in use, for the legend.
    used: Vec<Mark>,
    /// The index of the selected cell: in a list, or in a square row by row.
    cursor: usize,
    /// How many numbers the last frame had per row, for Up and Down.
    across: Cell<usize>,
}

/// The layout of a list of numbers.
struct Layout {
    /// Columns of a number.
    digits: usize,
    /// Columns of a cell.
    width: usize,
    across: usize,
    rows: usize,
    /// Lines per row.
    spacing: u16,
}

impl MapView {
    pub fn new(rulebook: Arc<Rulebook>, world: &World) -> Result<MapView, Failure> {
        let cover = if world.view().hides(Spoiler::Stones) {
            Some(progress::cover(&world.folders, &rulebook))
        } else {
            None
        };
        let map = match ask(&world.games, &rulebook, |game, budget| game.map(None, budget)) {
            Ok(map) if cover.is_none() || matches!(map.picture, Picture::Strip { .. }) => Ok(map),
            Ok(_) => Err(NO_STRIP.to_owned()),
            // A game that is too large gets a page with the reason.
            Err(Failure::TooLarge(why)) => Err(format!("No map: the game is {why}.")),
            Err(failure) => return Err(failure),
        };
        let mut view = MapView { rulebook, map, cover, used: Vec::new(), cursor: 0, across: Cell::new(1) };
        view.used = view.marks_in_use();
        view.cursor = view.first_cursor();
        Ok(view)
    }

    /// The map with the cursor on a round's position.
    pub fn at(mut self, position: &Position) -> MapView {
        if self.cover.is_none()
            && let Some(place) = self.map.as_ref().ok().and_then(|map| map.place_of_position(position))
        {
            self.cursor = place;
        }
        self
    }

    /// The start of the game, or the next number to uncover.
    fn first_cursor(&self) -> usize {
        let found = match (&self.map, &self.cover) {
            (Ok(map), Some(cover)) => cover.next(map.places()),
            (Ok(map), None) => map.place_of_position(&self.rulebook.opening(Player::One)),
            (Err(_), _) => None,
        };
        found.unwrap_or(0)
    }

    fn count(&self) -> usize {
        self.map.as_ref().map_or(0, Map::places)
    }

    /// The map's picture.
    fn picture(&self) -> Option<&Picture> {
        self.map.as_ref().ok().map(|map| &map.picture)
    }

    fn marks_in_use(&self) -> Vec<Mark> {
        self.map.as_ref().map_or_else(|_| Vec::new(), |map| map.marks(self.cover.as_ref()))
    }

    fn is_open(&self, index: usize) -> bool {
        self.cover.as_ref().is_none_or(|cover| !cover.hides(index, self.count()))
    }

    /// A number in a list, and the text next to it.
    fn cell(&self, index: usize, signs: &Signs) -> Option<(i64, Tone, String)> {
        match self.picture()? {
            Picture::Strip { lowest, marks, .. } => {
                let number = lowest + i64::try_from(index).ok()?;
                // After the last number there is nothing left to cover.
                let mark = *marks.get(index)?;
                if !self.is_open(index) {
                    return Some((number, Tone::Faint, "?".to_owned()));
                }
                let (tone, sign) = look(mark, signs);
                Some((number, tone, sign))
            }
            Picture::Ranges(list) => {
                let piece = list.get(index)?;
                let letters: String =
                    piece.pattern.iter().take(MOST_LETTERS).map(|mark| mark.letter()).collect();
                let more =
                    if piece.pattern.len() > MOST_LETTERS { signs.dot.repeat(3) } else { String::new() };
                Some((piece.from, Tone::Plain, format!(": to {}  {letters}{more}", piece.to)))
            }
            Picture::Scattered(list) => {
                let (number, mark) = list.get(index)?;
                let (tone, sign) = look(*mark, signs);
                Some((*number, tone, sign))
            }
            Picture::Distances(list) => {
                let (number, moves) = list.get(index)?;
                Some((*number, Tone::Plain, format!(": {moves}")))
            }
            Picture::Square { .. } => None,
        }
    }

    /// A sentence about the cell under the cursor.
    fn about(&self) -> String {
        let told = |number: i64, mark: Mark| format!("{number}: {}.", mark.meaning_in(&self.rulebook));
        let Ok(map) = &self.map else { return String::new() };
        match &map.picture {
            Picture::Strip { lowest, marks, .. } => {
                let Some(mark) = marks.get(self.cursor) else { return String::new() };
                let number = lowest + self.cursor as i64;
                if !self.is_open(self.cursor) {
                    return format!("{number} is covered. What's your guess?");
                }
                match map.remoteness(number) {
                    Some(1) => format!("{number}: {}, in 1 move.", mark.meaning_in(&self.rulebook)),
                    Some(moves) if moves > 1 => {
                        format!(
                            "{number}: {}, in {moves} moves with best play.",
                            mark.meaning_in(&self.rulebook)
                        )
                    }
                    _ => told(number, *mark),
                }
            }
            Picture::Ranges(list) => {
                list.get(self.cursor).map(|piece| stretch(piece, &self.rulebook) + ".").unwrap_or_default()
            }
            Picture::Scattered(list) => {
                list.get(self.cursor).map(|(number, mark)| told(*number, *mark)).unwrap_or_default()
            }
            Picture::Distances(list) => match list.get(self.cursor) {
                Some((number, moves)) => {
                    let moves = spoton::words::phrases::count(*moves, "move", "moves");
                    format!("Winning from {number} takes at least {moves}.")
                }
                None => String::new(),
            },
            Picture::Square { numbers, .. } => {
                let side = numbers.len().max(1);
                let (own, other) = (numbers.get(self.cursor / side), numbers.get(self.cursor % side));
                let (Some(own), Some(other)) = (own, other) else { return String::new() };
                format!("{own} against {other}: {}.", map.pair(*own, *other).meaning_in(&self.rulebook))
            }
        }
    }

    /// The layout of a list in an area.
    fn layout(&self, area: Rect, signs: &Signs) -> Layout {
        let count = self.count();
        let ends = [0, count.saturating_sub(1)].map(|index| self.cell(index, signs));
        let digits = ends.iter().flatten().map(|(number, _, _)| number.to_string().len()).max().unwrap_or(1);
        let beside = match self.picture() {
            Some(Picture::Distances(list)) => {
                2 + list.iter().map(|(_, moves)| moves.to_string().len()).max().unwrap_or(1)
            }
            Some(Picture::Ranges(list)) => {
                let beside =
                    |index| self.cell(index, signs).map_or(1, |(_, _, beside)| beside.chars().count());
                (0..list.len()).map(beside).max().unwrap_or(1)
            }
            _ => 2,
        };
        // A cell and a gap of two columns. On the right, there is room for the "more" sign.
        let width = digits + beside + 3;
        let fits = |across: &usize| across * width + 3 <= usize::from(area.width);
        let across = [20, 10, 5, 4, 2].into_iter().find(fits).unwrap_or(1);
        let rows = count.div_ceil(across);
        let spacing = if usize::from(area.height) >= 2 * rows { 2 } else { 1 };
        Layout { digits, width, across, rows, spacing }
    }

    fn draw_list(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let signs = canvas.theme.signs;
        let Layout { digits, width, across, rows, spacing } = self.layout(area, signs);
        self.across.set(across);
        let fit = usize::from(area.height / spacing).max(1);
        let first = (self.cursor / across).saturating_sub(fit / 2).min(rows.saturating_sub(fit));
        for line in first..rows.min(first + fit) {
            let place = row(area, (line - first) as u16 * spacing);
            for column in 0..across {
                let index = line * across + column;
                let Some((number, tone, sign)) = self.cell(index, signs) else { break };
                let cell = Rect { x: place.x + (column * width) as u16, width: width as u16 - 1, ..place };
                let apart = if sign.starts_with(':') { "" } else { " " };
                let here = index == self.cursor;
                let label = if here { Tone::Chosen } else { Tone::Plain };
                let tone = if here { Tone::Chosen } else { tone };
                canvas.pieces(
                    cell,
                    [(label, format!(" {number:>digits$}{apart}")), (tone, format!("{sign} "))],
                );
                canvas.spot(cell, Input::Pick(index));
            }
        }
        draw_more(canvas, area, first > 0, first + fit < rows);
    }

    fn draw_square(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let Ok(map) = &self.map else { return };
        let Picture::Square { numbers, .. } = &map.picture else { return };
        let signs = canvas.theme.signs;
        let side = numbers.len().max(1);
        self.across.set(side);
        let width = 1 + numbers.iter().map(|number| number.to_string().len()).max().unwrap_or(1);
        let (own, other) = (self.cursor / side, self.cursor % side);
        let across = (usize::from(area.width) / width).saturating_sub(2).clamp(1, side);
        let down = usize::from(area.height).saturating_sub(1).clamp(1, side);
        let left = other.saturating_sub(across / 2).min(side - across);
        let top = own.saturating_sub(down / 2).min(side - down);
        let place = |column: usize, line: usize| Rect {
            x: area.x + (column * width) as u16,
            width: width as u16,
            ..row(area, line as u16)
        };
        for (column, number) in numbers.iter().enumerate().skip(left).take(across) {
            let tone = if column == other { Tone::Strong } else { Tone::Faint };
            canvas.text(place(column - left + 1, 0), tone, &format!("{number:>width$}"));
        }
        for (line, number) in numbers.iter().enumerate().skip(top).take(down) {
            let tone = if line == own { Tone::Strong } else { Tone::Faint };
            canvas.text(place(0, line - top + 1), tone, &format!("{number:>width$}"));
            for (column, beside) in numbers.iter().enumerate().skip(left).take(across) {
                let (tone, sign) = look(map.pair(*number, *beside), signs);
                let index = line * side + column;
                let tone = if index == self.cursor { Tone::Chosen } else { tone };
                let cell = place(column - left + 1, line - top + 1);
                canvas.text(cell, tone, &format!("{sign:>width$}"));
                canvas.spot(cell, Input::Pick(index));
            }
        }
        draw_more(canvas, area, top > 0 || left > 0, top + down < side || left + across < side);
    }

    /// The rows of the map within an area.
    fn height(&self, area: Rect, signs: &Signs) -> u16 {
        let rows = match self.picture() {
            Some(Picture::Square { numbers, .. }) => numbers.len() + 1,
            Some(_) => {
                let layout = self.layout(area, signs);
                (layout.rows * usize::from(layout.spacing)).saturating_sub(usize::from(layout.spacing) - 1)
            }
            None => 0,
        };
        u16::try_from(rows).unwrap_or(u16::MAX).min(area.height)
    }

    /// The legend of the marks.
    fn legend(&self, width: u16, signs: &Signs) -> Vec<String> {
        let mut lines = Vec::new();
        for mark in &self.used {
            let sign = match self.picture() {
                // Ranges have letters, in the list and in their sentences.
                Some(Picture::Ranges(_)) => mark.letter().to_string(),
                _ => look(*mark, signs).1,
            };
            for (index, line) in
                wrap(mark.meaning_in(&self.rulebook), width.saturating_sub(3)).iter().enumerate()
            {
                lines.push(format!("{}  {line}", if index == 0 { sign.as_str() } else { " " }));
            }
        }
        if matches!(self.picture(), Some(Picture::Distances(_))) {
            lines.extend(wrap(WHO_IS_AHEAD, width));
        }
        // Remarks would reveal covered numbers.
        if let (Ok(map), None) = (&self.map, &self.cover) {
            lines.extend(remarks(map, &self.rulebook).iter().flat_map(|said| wrap(said, width)));
        }
        if self.next_covered().is_some() {
            lines.push("?  covered in discovery mode".to_owned());
        }
        lines
    }

    /// Draws the text above and below the map. Returns the area between.
    fn draw_around(&self, canvas: &mut Canvas<'_>, area: Rect) -> Rect {
        let signs = canvas.theme.signs;
        let over = match self.picture() {
            Some(Picture::Distances(_)) => DISTANCES,
            Some(Picture::Square { .. }) => DOWN_AND_ACROSS,
            _ => "",
        };
        let mut top = canvas.wrapped(area, Tone::Faint, &describe::at_a_glance(&self.rulebook));
        top += canvas.wrapped(below(area, top), Tone::Plain, over) + 1;
        let legend = self.legend(area.width, signs);
        // The sentence about a number takes one or two lines, with an empty line before it and before the legend.
        let around = legend.len() as u16 + 4;
        let rest = below(area, top);
        let room = Rect { height: rest.height.saturating_sub(around).max(1), ..rest };
        let mut y = self.height(room, signs) + 1;
        for line in &legend {
            canvas.text(row(rest, y), Tone::Plain, line);
            y += 1;
        }
        canvas.wrapped(below(rest, y + 1), Tone::Strong, &self.about());
        room
    }

    fn next_covered(&self) -> Option<usize> {
        if self.map.is_err() {
            return None;
        }
        self.cover.as_ref()?.next(self.count())
    }

    fn move_to(&mut self, input: Input) {
        let Some(last) = self.count().checked_sub(1) else { return };
        let across = self.across.get();
        let Input::Key(key) = input else {
            if let Input::Pick(index) = input {
                self.cursor = index.min(last);
            }
            return;
        };
        let up = |rows: usize| match self.cursor.checked_sub(rows * across) {
            Some(cursor) => cursor,
            // Same column, top row.
            None => self.cursor % across,
        };
        let down = |rows: usize| {
            let rows = rows.min((last - self.cursor) / across);
            self.cursor + rows * across
        };
        self.cursor = match key {
            KeyCode::Left => self.cursor.saturating_sub(1),
            KeyCode::Right => (self.cursor + 1).min(last),
            KeyCode::Up => up(1),
            KeyCode::Down => down(1),
            KeyCode::PageUp => up(10),
            KeyCode::PageDown => down(10),
            KeyCode::Home => 0,
            KeyCode::End => last,
            _ => self.cursor,
        };
    }
}

/// A mark's tone and symbol. A stepping stone has the same symbol on the number line.
fn look(mark: Mark, signs: &Signs) -> (Tone, String) {
    match mark {
        Mark::Stone => (Tone::Good, signs.stone.to_owned()),
        Mark::Win | Mark::Loss => (Tone::Plain, mark.letter().to_string()),
        _ => (Tone::Faint, mark.letter().to_string()),
    }
}

/// Draws "more" signs at the edges if rows are hidden above or below.
fn draw_more(canvas: &mut Canvas<'_>, area: Rect, above: bool, further: bool) {
    let sign = canvas.theme.signs.dot.repeat(3);
    let edge = Rect { x: area.right().saturating_sub(3), width: 3.min(area.width), ..area };
    if above {
        canvas.text(row(edge, 0), Tone::Faint, &sign);
    }
    if further {
        canvas.text(row(edge, area.height.saturating_sub(1)), Tone::Faint, &sign);
    }
}

impl Screen for MapView {
    fn title(&self) -> String {
        format!("Map: {}", self.rulebook.title())
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let area = inset(area, area.width.saturating_sub(100) / 2);
        match &self.map {
            Err(why) => {
                canvas.wrapped(area, Tone::Plain, why);
            }
            Ok(map) if map.is_empty() => {
                canvas.text(area, Tone::Plain, "There are no turns to take in this game.");
            }
            Ok(Map { picture: Picture::Square { .. }, .. }) => {
                let inside = self.draw_around(canvas, area);
                self.draw_square(canvas, inside);
            }
            Ok(_) => {
                let inside = self.draw_around(canvas, area);
                self.draw_list(canvas, inside);
            }
        }
    }

    fn offers(&self) -> Vec<Offer> {
        let mut offers = vec![Offer::escape("back")];
        if self.next_covered().is_some() {
            offers.push(Offer::letter('u', "uncover"));
        }
        if self.count() > 1 {
            offers.push(Offer::new(Input::Key(KeyCode::Right), "arrow keys", "other numbers"));
        }
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        if matches!(input, Input::ESCAPE | Input::ENTER | Input::Key(KeyCode::Char('m' | 'q'))) {
            return Ok(Go::Back);
        }
        if input == Input::letter('u') {
            if let (Some(next), Some(cover)) = (self.next_covered(), &mut self.cover) {
                progress::uncover(&world.folders, &self.rulebook, cover)?;
                self.cursor = next;
                self.used = self.marks_in_use();
            }
            return Ok(Go::Stay);
        }
        self.move_to(input);
        Ok(Go::Stay)
    }
}
