//! The end of a round: the verdict, and how it came about.

use ratatui::layout::Rect;
use spoton::engine::play::Ending;
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::view::{TableView, Viewer};
use spoton::words::today::DOT;

use crate::screen::canvas::{Canvas, columns, inset, middle, row, wrap};
use crate::screen::theme::Tone;
use crate::sitting::Sitting;

/// The verdict's maximum width.
const WIDEST: u16 = 64;

/// The verdict after a round.
pub struct Finale {
    /// Whether this is good or bad news for the person at the keyboard.
    pub tone: Tone,
    /// Whether a person at the keyboard won.
    pub won: bool,
    headline: Option<String>,
    said: Vec<String>,
    /// The daily duel's line to share.
    line: Option<String>,
}

impl Finale {
    /// `said` has the other messages to show.
    pub fn new(sitting: &Sitting, said: Vec<String>, line: Option<String>) -> Finale {
        let view = TableView::new(sitting, Viewer::at_keyboard(sitting));
        let end = view.end();
        let winner = end.and_then(|end| end.outcome.winner);
        let won = end.is_some_and(|end| end.is_win);
        // Only people are congratulated.
        let spot_on = if won && landed(view.round(), winner) { "Spot on. " } else { "" };
        let headline = end.map(|end| format!("{spot_on}{}", end.verdict));
        let tone = match (winner, view.viewer.alone()) {
            (None, _) => Tone::Strong,
            (Some(winner), Some(you)) if winner == you => Tone::Good,
            (Some(_), Some(_)) => Tone::Bad,
            (Some(winner), None) => Tone::Player(winner),
        };
        let said = end.map(|end| end.how.clone()).into_iter().chain(said).collect();
        Finale { tone, won, headline, said, line }
    }

    /// A verdict on something other than a round.
    pub fn told(tone: Tone, won: bool, headline: String, said: Vec<String>) -> Finale {
        Finale { tone, won, headline: Some(headline), said, line: None }
    }

    /// Its lines.
    fn lines(&self, width: u16) -> Vec<(Tone, String)> {
        let broken = |said: &String| wrap(said, width.min(WIDEST).saturating_sub(4));
        let headline = self.headline.iter().flat_map(broken).map(|line| (self.tone, line));
        let said = self.said.iter().flat_map(broken).map(|line| (Tone::Plain, line));
        headline.chain(said).collect()
    }

    /// The rows of the line to share.
    pub fn rows_to_paste(&self, width: u16) -> u16 {
        self.line.as_ref().map_or(0, |line| to_paste(line, width).len() as u16)
    }

    /// Draws the line to share.
    pub fn draw_to_paste(&self, canvas: &mut Canvas<'_>, area: Rect) {
        if let Some(line) = &self.line {
            draw_to_paste(line, canvas, area);
        }
    }

    /// Its height in rows, excluding the line to share.
    pub fn height(&self, width: u16) -> u16 {
        self.lines(width).len() as u16 + 2
    }

    /// Draws it in place of the moves.
    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let lines = self.lines(area.width);
        let place =
            middle(Rect { height: self.height(area.width).min(area.height), ..area }, WIDEST, area.height);
        let inside = inset(canvas.framed(place, self.tone, ""), 1);
        for (y, (tone, line)) in (0..).zip(&lines) {
            canvas.centred(row(inside, y), *tone, line);
        }
    }
}

/// The line to share, wrapped. It has no frame, so that nothing else is copied with it.
fn to_paste(line: &str, width: u16) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for part in line.split(DOT) {
        if let Some(row) = rows.last_mut() {
            if columns(row) + columns(DOT) + columns(part) <= usize::from(width) {
                *row += DOT;
                *row += part;
                continue;
            }
            *row += DOT.trim_end();
        }
        rows.push(part.to_owned());
    }
    rows
}

/// Draws the line to share. Returns its rows.
pub fn draw_to_paste(line: &str, canvas: &mut Canvas<'_>, area: Rect) -> u16 {
    let rows = to_paste(line, area.width);
    let between = canvas.theme.signs.between;
    for (y, line) in (0..).zip(&rows) {
        canvas.centred(row(area, y), Tone::Strong, &line.replace(DOT.trim(), between));
    }
    rows.len() as u16
}

/// Whether the winner won by landing on the target with their own number.
fn landed(round: &Round, winner: Option<Player>) -> bool {
    let reached = round.outcome().is_some_and(|outcome| outcome.ending == Ending::Reached);
    let last = round.history().last().map(|ply| (ply.player(), ply.owner));
    reached && last.is_some() && last == winner.map(|winner| (winner, winner))
}
