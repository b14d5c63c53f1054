//! The points of a round next to each other: player, number, move, and who could force a win.

use ratatui::layout::Rect;
use spoton::engine::position::Player;
use spoton::teach::review::Point;

use super::ReviewView;
use crate::screen::Input;
use crate::screen::canvas::{Canvas, below, columns, row};
use crate::screen::theme::{Signs, Tone};

/// Columns for the row labels and the "more" sign.
const LABELS: u16 = 11;
/// Columns for the "more" sign on the other side.
const MORE: u16 = 4;

/// One row of a point's column.
#[derive(Clone, Debug)]
enum Entry {
    Text(String),
    /// A player's sign in their colour.
    Player(Player),
}

impl Entry {
    fn columns(&self) -> usize {
        match self {
            Entry::Text(text) => columns(text),
            Entry::Player(_) => 1,
        }
    }

    fn text(&self, signs: &Signs) -> &str {
        match self {
            Entry::Text(text) => text,
            Entry::Player(player) => sign(*player, signs),
        }
    }

    fn tone(&self) -> Tone {
        match self {
            Entry::Text(_) => Tone::Plain,
            Entry::Player(player) => Tone::Player(*player),
        }
    }
}

/// The sign of a player.
pub fn sign(player: Player, signs: &Signs) -> &'static str {
    signs.here[usize::from(player == Player::Two)]
}

/// The points, split into blocks that fit the width.
pub struct Strip {
    labels: Vec<&'static str>,
    /// The rows of each point.
    columns: Vec<Vec<Entry>>,
    turned: Option<usize>,
    /// The points of each block.
    blocks: Vec<std::ops::Range<usize>>,
}

impl Strip {
    pub fn for_review(view: &ReviewView, width: u16) -> Strip {
        let marks = view.tells_who_can_win();
        let mut labels = vec!["player", "number", "move"];
        labels.extend(marks.then_some("can win"));
        let column = |point: &Point| {
            // No choices remain at the end. With separate numbers, the last number still has an owner.
            let who = point.chosen.is_some() || view.own_numbers();
            let mut rows = vec![
                if who { Entry::Player(point.player) } else { Entry::Text(String::new()) },
                Entry::Text(point.number.to_string()),
                Entry::Text(point.chosen.clone().unwrap_or("end".to_owned())),
            ];
            rows.extend(marks.then(|| match point.mark {
                Some('1') => Entry::Player(Player::One),
                Some('2') => Entry::Player(Player::Two),
                mark => Entry::Text(mark.map(String::from).unwrap_or_default()),
            }));
            rows
        };
        let columns: Vec<Vec<Entry>> = view.points.iter().map(column).collect();
        let mut blocks = Vec::new();
        let (mut first, mut taken) = (0, 0);
        for (place, column) in columns.iter().enumerate() {
            let wide = wide(column);
            if place > first && LABELS + taken + wide + MORE > width {
                blocks.push(first..place);
                (first, taken) = (place, 0);
            }
            taken += wide;
        }
        blocks.push(first..columns.len());
        Strip { labels, columns, turned: view.turned(), blocks }
    }

    fn block_height(&self) -> u16 {
        self.labels.len() as u16 + u16::from(self.turned.is_some())
    }

    /// The strip's rows within `room`: as many blocks as fit, but at least one.
    pub fn height(&self, room: u16) -> u16 {
        let blocks = (room / self.block_height()).clamp(1, self.blocks.len() as u16);
        blocks * self.block_height()
    }

    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, step: usize) {
        let fit = usize::from(area.height / self.block_height()).max(1);
        let here = self.blocks.iter().position(|block| block.contains(&step)).unwrap_or(0);
        let first = here.saturating_sub(fit / 2).min(self.blocks.len().saturating_sub(fit));
        for (index, block) in self.blocks.iter().skip(first).take(fit).enumerate() {
            let place = below(area, index as u16 * self.block_height());
            self.draw_block(canvas, place, block.clone(), step);
        }
        // "More" signs before or after the block.
        let sign = canvas.theme.signs.dot.repeat(3);
        let shown = self.blocks.len().min(first + fit) - first;
        let edge = Rect { x: area.x + LABELS - 4, width: 3, ..area };
        if first > 0 {
            canvas.text(row(edge, 0), Tone::Faint, &sign);
        }
        if first + shown < self.blocks.len() {
            let last = (shown as u16 - 1) * self.block_height();
            let edge = Rect { x: area.right().saturating_sub(3), ..edge };
            canvas.text(row(edge, last), Tone::Faint, &sign);
        }
    }

    fn draw_block(&self, canvas: &mut Canvas<'_>, area: Rect, block: std::ops::Range<usize>, step: usize) {
        for (y, label) in self.labels.iter().enumerate() {
            canvas.text(row(area, y as u16), Tone::Faint, label);
        }
        let mut x = area.x + LABELS;
        for place in block {
            let column = &self.columns[place];
            let wide = wide(column);
            let spot = Rect { x, width: wide, height: self.block_height().min(area.height), ..area };
            canvas.spot(spot, Input::Pick(place));
            let signs = canvas.theme.signs;
            for (y, entry) in column.iter().enumerate() {
                let cursor = if place == step && self.labels[y] == "number" { signs.cursor } else { " " };
                let text = format!("{cursor}{}", entry.text(signs));
                let told = format!("{text:>width$}", width = usize::from(wide) - 1);
                let line = row(Rect { x: x + 1, width: wide - 1, ..area }, y as u16);
                let tone = if place == step { Tone::Chosen } else { entry.tone() };
                canvas.text(line, tone, &told);
            }
            if self.turned == Some(place) {
                let line = row(Rect { x: x + wide - 1, width: 1, ..area }, self.labels.len() as u16);
                canvas.text(line, Tone::Bad, canvas.theme.signs.turned);
            }
            x += wide;
        }
    }
}

/// A point's width in columns, with a gap and the cursor.
fn wide(column: &[Entry]) -> u16 {
    let longest = column.iter().map(Entry::columns).max().unwrap_or(0);
    u16::try_from(longest + 2).unwrap_or(u16::MAX)
}
