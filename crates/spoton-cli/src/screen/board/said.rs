//! What was said and done, beside the board or below it.

use ratatui::layout::Rect;

use super::Board;
use crate::screen::canvas::{Canvas, below, columns, inset, row, wrap};
use crate::screen::theme::Tone;

/// The moves so far, as one line.
fn history(board: &Board) -> String {
    let rulebook = board.sitting.rulebook();
    let moves = board.sitting.round().history().iter().map(|ply| rulebook.write(ply.a_move));
    moves.collect::<Vec<_>>().join(" ")
}

/// What somebody who was asked has said, or that the rest plays itself, or the moves so far. What is too long for the
/// place below the choices covers what is above them, which can be done without for a moment.
pub fn draw_below(board: &Board, canvas: &mut Canvas<'_>, area: Rect, above: Rect) {
    let rows = |width: u16| board.told.iter().map(|said| wrap(said.trim(), width).len() as u16).sum::<u16>();
    let taken = u16::from(board.plays_itself.is_some());
    if rows(area.width) + taken > area.height {
        let inner = above.width.saturating_sub(4);
        canvas.clear(above);
        let panel = Rect { height: (rows(inner) + 2).min(above.height), ..above };
        let mut inside = inset(canvas.framed(panel, Tone::Faint, ""), 1);
        for said in &board.told {
            let taken = canvas.wrapped(inside, Tone::Plain, said.trim());
            inside = below(inside, taken);
        }
        return;
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
        // The end of it counts.
        let fits = |told: &String| columns(told) <= usize::from(area.width);
        let last = (0..all).map(|skipped| {
            let words: Vec<&str> = told.split(' ').skip(skipped).collect();
            format!("So far: {}{}", if skipped > 0 { "... " } else { "" }, words.join(" "))
        });
        if let Some(so_far) = last.into_iter().find(fits).filter(|_| !told.is_empty()) {
            canvas.text(row(area, 0), Tone::Faint, &so_far);
        }
    }
}

/// The same, with more room, beside the board.
pub fn draw_side(board: &Board, canvas: &mut Canvas<'_>, area: Rect) {
    let half = area.height / 2;
    let coach = inset(canvas.framed(Rect { height: half, ..area }, Tone::Faint, "Advice"), 1);
    let mut y = 0;
    if let Some(said) = &board.plays_itself {
        y += canvas.wrapped(coach, Tone::Good, &format!("{said}. Enter: play it out"));
    }
    for said in &board.told {
        y += canvas.wrapped(below(coach, y), Tone::Strong, said.trim());
    }
    if y == 0 {
        let about = board.habit.as_deref().unwrap_or("h gives a hint to whoever is on turn.");
        canvas.wrapped(coach, Tone::Faint, about);
    }
    let rest = below(area, half);
    let moves = inset(canvas.framed(rest, Tone::Faint, "So far"), 1);
    let lines = wrap(&history(board), moves.width);
    let skip = lines.len().saturating_sub(usize::from(moves.height));
    for (y, line) in lines.iter().skip(skip).enumerate() {
        canvas.text(row(moves, y as u16), Tone::Plain, line);
    }
}
