//! The end of a round: who won, for whoever sits at the keyboard, with the words of the book below.

use ratatui::layout::Rect;
use spoton::engine::play::{Ending, Outcome};
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::people::today::DOT;

use crate::screen::canvas::{Canvas, columns, inset, middle, row, wrap};
use crate::screen::theme::Tone;
use crate::sitting::Sitting;

/// It is not wider than this.
const WIDEST: u16 = 64;

/// What is said after a round.
pub struct Finale {
    /// What it is to whoever sits at the keyboard.
    pub tone: Tone,
    /// Whether somebody at the keyboard has won.
    pub won: bool,
    headline: Option<String>,
    said: Vec<String>,
    /// The line of the duel of a day, to paste.
    line: Option<String>,
}

impl Finale {
    /// `said` is what the book says, and what else is to be told.
    pub fn new(sitting: &Sitting, said: Vec<String>, line: Option<String>) -> Finale {
        let round = sitting.round();
        let names = &sitting.setup().names;
        let you = sitting.only_person();
        let outcome = round.outcome();
        let winner = outcome.and_then(|outcome| outcome.winner);
        let headline = match (outcome, winner) {
            (_, Some(winner)) if you == Some(winner) => Some("You win!".to_owned()),
            (_, Some(winner)) if you.is_some() => Some(format!("{} wins.", names[winner])),
            (_, Some(winner)) => Some(format!("{} wins!", names[winner])),
            (Some(Outcome { ending: Ending::Stopped, .. }) | None, None) => None,
            (Some(Outcome { ending, .. }), None) if ending.is_without_result() => None,
            (Some(_), None) => Some("It's a draw.".to_owned()),
        };
        let won = winner.is_some_and(|winner| sitting.setup().computers[winner].is_none());
        // A computer is congratulated on nothing.
        let spot_on = if won && landed(round, winner) { "Spot on! " } else { "" };
        let headline = headline.map(|told| format!("{spot_on}{told}"));
        let tone = match (winner, you) {
            (None, _) => Tone::Strong,
            (Some(winner), Some(you)) if winner == you => Tone::Good,
            (Some(_), Some(_)) => Tone::Bad,
            (Some(winner), None) => Tone::Player(winner),
        };
        // Nothing is said twice.
        let mut said: Vec<String> = said.into_iter().filter(|said| headline.as_ref() != Some(said)).collect();
        if let Some(told) = how_far_past(round) {
            said.insert(0, told);
        }
        Finale { tone, won, headline, said, line }
    }

    /// What is said at the end of something that is no round.
    pub fn told(tone: Tone, won: bool, headline: String, said: Vec<String>) -> Finale {
        Finale { tone, won, headline: Some(headline), said, line: None }
    }

    /// What stands in it, line by line.
    fn lines(&self, width: u16) -> Vec<(Tone, String)> {
        let broken = |said: &String| wrap(said, width.min(WIDEST).saturating_sub(4));
        let headline = self.headline.iter().flat_map(broken).map(|line| (self.tone, line));
        let said = self.said.iter().flat_map(broken).map(|line| (Tone::Plain, line));
        headline.chain(said).collect()
    }

    /// How many rows the line to paste takes.
    pub fn rows_to_paste(&self, width: u16) -> u16 {
        self.line.as_ref().map_or(0, |line| to_paste(line, width).len() as u16)
    }

    /// Draws the line to paste.
    pub fn draw_to_paste(&self, canvas: &mut Canvas<'_>, area: Rect) {
        if let Some(line) = &self.line {
            draw_to_paste(line, canvas, area);
        }
    }

    /// How many rows it takes, without the line to paste.
    pub fn height(&self, width: u16) -> u16 {
        self.lines(width).len() as u16 + 2
    }

    /// Draws it in the place of the choices that nobody has any more.
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

/// A line to paste, broken where it has to be. No frame stands around it, so that nothing else is copied with it.
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

/// Draws a line to paste; how many rows it takes.
pub fn draw_to_paste(line: &str, canvas: &mut Canvas<'_>, area: Rect) -> u16 {
    let rows = to_paste(line, area.width);
    let between = canvas.theme.signs.between;
    for (y, line) in (0..).zip(&rows) {
        canvas.centred(row(area, y), Tone::Strong, &line.replace(DOT.trim(), between));
    }
    rows.len() as u16
}

/// Whether the winner won by bringing their own number to the target.
fn landed(round: &Round, winner: Option<Player>) -> bool {
    let reached = round.outcome().is_some_and(|outcome| outcome.ending == Ending::Reached);
    let last = round.history().last().map(|ply| (ply.player(), ply.owner));
    reached && last.is_some() && last == winner.map(|winner| (winner, winner))
}

/// How far past the target the round ended, if it ended so.
fn how_far_past(round: &Round) -> Option<String> {
    round.outcome().filter(|outcome| outcome.ending == Ending::Overshot)?;
    let (number, target) = (round.history().last()?.number, round.rulebook().target()?);
    let far = number.abs_diff(target.into());
    Some(format!("{number} is {far} past {target}."))
}
