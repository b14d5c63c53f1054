//! A finished daily duel: the line to share and the streak.

use ratatui::layout::Rect;
use spoton::words::today::line;

use super::board::ending::draw_to_paste;
use super::canvas::{Canvas, below};
use super::home::todays_duel;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::sitting::today;

pub struct Played {
    title: String,
    line: String,
    streak: String,
}

impl Played {
    /// Returns `None` if the player hasn't finished today's duel, or if it doesn't count.
    pub fn of_today(world: &World) -> Result<Option<Played>, Failure> {
        let day = (world.today)();
        let streak = today::streak(&world.folders).unwrap_or_default();
        let Some(score) = streak.score(day) else { return Ok(None) };
        let line = line(day, day, today::duel(day)?.title(), score, true);
        let title = format!("Today's duel, {}", day.in_words());
        Ok(Some(Played { title, line, streak: streak.in_words(day) }))
    }
}

impl Screen for Played {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let across = Rect { x: area.x.saturating_sub(2), width: area.width + 4, ..area };
        let middle = below(across, area.height / 3);
        canvas.centred(Rect { height: 1, ..middle }, Tone::Plain, "You've already played:");
        let taken = 2 + draw_to_paste(&self.line, canvas, below(middle, 2));
        canvas.wrapped_centred(below(middle, taken + 1), Tone::Plain, &self.streak);
    }

    fn offers(&self) -> Vec<Offer> {
        vec![Offer::enter("practise"), Offer::escape("home")]
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        match input {
            Input::ENTER => Go::open(todays_duel(world)?),
            Input::ESCAPE => Ok(Go::Back),
            _ => Ok(Go::Stay),
        }
    }
}
