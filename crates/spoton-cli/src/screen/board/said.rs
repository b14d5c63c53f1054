//! Advice and moves, next to the board or below it.

use ratatui::layout::Rect;

use spoton::engine::position::Player;
use spoton::view::{self, Made};

use super::Board;
use crate::screen::canvas::{Canvas, below, columns, inset, row, wrap};
use crate::screen::theme::Tone;

/// The minimum rows for advice, so that the moves below seldom shift.
const LEAST_ADVICE: u16 = 6;

/// The moves so far, as one line.
fn history(board: &Board) -> String {
    view::history(board.sitting.round()).map(|made| made.written()).collect::<Vec<_>>().join(" ")
}

/// Draws below the moves: advice, the announcement of a forced ending, or the moves so far. Long advice covers the area
/// above the moves instead, and the function returns the rest of that area.
pub fn draw_below(board: &Board, canvas: &mut Canvas<'_>, area: Rect, above: Rect) -> Option<Rect> {
    let rows = |width: u16| board.told.iter().map(|said| wrap(said.trim(), width).len() as u16).sum::<u16>();
    let taken = u16::from(board.plays_itself.is_some());
    if rows(area.width) + taken > area.height {
        canvas.clear(above);
        let height = rows(above.width.saturating_sub(4)) + 2;
        // Without room for a frame, show the words only.
        let mut inside = match height <= above.height {
            true => inset(canvas.framed(Rect { height, ..above }, Tone::Faint, ""), 1),
            false => above,
        };
        for said in &board.told {
            let taken = canvas.wrapped(inside, Tone::Plain, said.trim());
            inside = below(inside, taken);
        }
        return Some(below(above, height));
    }
    let mut y = 0;
    if let Some(said) = &board.plays_itself {
        canvas.text(row(area, y), Tone::Good, &format!("{said}. Enter: play it out"));
        y += 1;
    }
    for said in &board.told {
        let place = below(area, y);
        y += canvas.wrapped(place, Tone::Strong, said.trim());
    }
    if y == 0 {
        let told = history(board);
        let all = told.split(' ').count();
        // Keep the latest moves.
        let fits = |told: &String| columns(told) <= usize::from(area.width);
        let last = (0..all).map(|skipped| {
            let words: Vec<&str> = told.split(' ').skip(skipped).collect();
            format!("Moves: {}{}", if skipped > 0 { "... " } else { "" }, words.join(" "))
        });
        if let Some(so_far) = last.into_iter().find(fits).filter(|_| !told.is_empty()) {
            canvas.text(row(area, 0), Tone::Faint, &so_far);
        }
    }
    None
}

/// Draws the side panel: advice and moves.
pub fn draw_side(board: &Board, canvas: &mut Canvas<'_>, area: Rect) {
    let said = advice(board);
    let rows = |said: &(Tone, String)| wrap(&said.1, area.width.saturating_sub(4)).len() as u16;
    let wanted = said.iter().map(rows).sum::<u16>() + 2;
    let height = wanted.clamp(LEAST_ADVICE.min(area.height / 2), (area.height * 2 / 3).max(2));
    let opponent = board.opponent().filter(|_| !board.has_advice());
    let title = board.heading.or(opponent).unwrap_or("Advice");
    let coach = inset(canvas.framed(Rect { height, ..area }, Tone::Faint, title), 1);
    let mut y = 0;
    for (tone, said) in said {
        y += canvas.wrapped(below(coach, y), tone, &said);
    }
    draw_moves(board, canvas, below(area, height));
}

impl Board {
    /// Rows reserved below the board for advice. A briefing gets more, so that it doesn't cover the position.
    pub(super) fn rows_said(&self, width: u16) -> u16 {
        const LEAST: u16 = 2;
        const MOST: u16 = 4;
        let belongs_to_it = self.heading.is_some() || self.is_briefed;
        let rows = self.told.iter().map(|said| wrap(said.trim(), width).len() as u16).sum::<u16>();
        if belongs_to_it { rows.clamp(LEAST, MOST) } else { LEAST }
    }

    /// Whether there is advice other than the opponent's habit.
    fn has_advice(&self) -> bool {
        self.plays_itself.is_some() || !self.told.is_empty()
    }

    /// The name of the computer opponent.
    fn opponent(&self) -> Option<&str> {
        let computer =
            Player::BOTH.into_iter().find(|player| self.sitting.setup().computers[*player].is_some())?;
        Some(&self.sitting.setup().names[computer])
    }
}

fn advice(board: &Board) -> Vec<(Tone, String)> {
    let plays_itself =
        board.plays_itself.iter().map(|said| (Tone::Good, format!("{said}. Enter: play it out")));
    let told = board.told.iter().map(|said| (Tone::Strong, said.trim().to_owned()));
    let said: Vec<(Tone, String)> = plays_itself.chain(told).collect();
    if said.is_empty() {
        let about = board.habit.as_deref().unwrap_or("Press h for a hint on your turn.");
        return vec![(Tone::Faint, about.to_owned())];
    }
    said
}

/// Draws the latest moves: player, move and result.
fn draw_moves(board: &Board, canvas: &mut Canvas<'_>, area: Rect) {
    let history = view::history(board.sitting.round());
    if history.len() == 0 {
        return;
    }
    let height = u16::try_from(history.len() + 2).unwrap_or(u16::MAX).min(area.height);
    let inside = inset(canvas.framed(Rect { height, ..area }, Tone::Faint, "Moves"), 1);
    let names = board.names();
    let skip = history.len().saturating_sub(usize::from(inside.height));
    let count_width = history.len().to_string().len() as u16 + 2;
    let shown: Vec<(usize, Made<'_>)> = history.enumerate().skip(skip).collect();
    let moves: Vec<String> = shown.iter().map(|(_, made)| made.written()).collect();
    let widest =
        |texts: &mut dyn Iterator<Item = &String>| texts.map(|text| columns(text)).max().unwrap_or(0);
    let move_width = widest(&mut moves.iter()) as u16 + 2;
    let room = inside.width.saturating_sub(count_width + move_width + 3);
    let name_width = (widest(&mut names.0.iter()) as u16 + 4).min(room);
    for (y, ((index, made), written)) in (0..).zip(shown.iter().zip(&moves)) {
        let line = row(inside, y);
        let at = |x: u16, width: u16| Rect {
            x: line.x + x,
            width: width.min(line.width.saturating_sub(x)),
            ..line
        };
        let player = made.player();
        let sign = canvas.theme.signs.here[usize::from(player == Player::Two)];
        canvas.text(at(0, count_width), Tone::Faint, &format!("{}", index + 1));
        let who = format!("{sign} {}", names[player]);
        canvas.text(at(count_width, name_width.saturating_sub(1)), Tone::Player(player), &who);
        canvas.text(at(count_width + name_width, move_width), Tone::Plain, written);
        let number = count_width + name_width + move_width;
        // The owner, if it isn't the player who moved.
        let owner = made.owner();
        let whose = if owner == player { String::new() } else { format!("{}: ", names[owner]) };
        let told = format!("{whose}{}", made.to());
        canvas.text(at(number, line.width), Tone::Number, &told);
    }
}
