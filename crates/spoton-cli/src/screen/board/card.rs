//! The card before a round that counts. The round starts only with Enter.

use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::words::describe;

use super::Board;
use super::turn::THINKS;
use crate::failure::Failure;
use crate::screen::canvas::{Canvas, inset, middle, row, wrap};
use crate::screen::help::Rules;
use crate::screen::theme::Tone;
use crate::screen::{Go, Input, Offer, World};

/// The card's maximum width.
const WIDEST: u16 = 64;

/// Text to read before a round that counts.
pub struct Card(Vec<String>);

impl Card {
    pub fn new(told: Vec<String>) -> Card {
        Card(told)
    }

    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let width = area.width.min(WIDEST);
        let told: Vec<String> = self.0.iter().map(|told| told.trim().to_owned()).collect();
        let paragraphs: Vec<Vec<String>> =
            told.iter().map(|told| wrap(told, width.saturating_sub(6))).collect();
        let lines = paragraphs.join(&String::new());
        // If there isn't enough room, drop the gaps.
        let lines = if lines.len() + 4 > area.height.into() { paragraphs.concat() } else { lines };
        let height = (lines.len() as u16 + 4).min(area.height);
        let place = middle(area, width, height);
        let place = Rect { y: area.y + (area.height - height) / 3, height, ..place };
        let inside = inset(canvas.framed(place, Tone::Strong, ""), 1);
        let gap = (inside.height.saturating_sub(lines.len() as u16 + 1)).min(1);
        for (y, line) in (0..).zip(&lines) {
            canvas.centred(row(inside, y), Tone::Plain, line);
        }
        let start = row(inside, (lines.len() as u16 + gap).min(inside.height.saturating_sub(1)));
        canvas.centred(start, Tone::Strong, "Press Enter to start");
        canvas.spot(place, Input::ENTER);
    }
}

impl Board {
    /// Shows a card before a round that counts, such as today's duel.
    pub(super) fn deal_card(&mut self) {
        let rulebook = self.sitting.rulebook();
        let told = [describe::goal(rulebook), describe::moves_in_short(rulebook)].join(" ");
        self.card = self.sitting.counts_help().then(|| Card::new(vec![told]));
    }

    /// Shows the round's terms on the card, or else as a notice.
    pub fn tell_terms(&mut self, told: String, world: &mut World) {
        match &mut self.card {
            Some(card) => card.0.push(told),
            None => world.notice = Some(told),
        }
    }

    pub(super) fn offers_on_card(leave: &'static str) -> Vec<Offer> {
        vec![Offer::enter("start"), Offer::letter('?', "rules"), Offer::escape(leave)]
    }

    /// Handles an input while the card is shown. Only Enter starts the round.
    pub(super) fn on_card(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        match input {
            Input::ENTER => {
                self.card = None;
                let waits = if world.motion { THINKS } else { Duration::ZERO };
                self.computer_at = self.computer_at.map(|_| world.now + waits);
                Ok(Go::Stay)
            }
            Input::Key(KeyCode::Char('?')) => {
                Go::open(Rules::seen_by(self.sitting.view(), self.sitting.rulebook(), world))
            }
            Input::ESCAPE => Ok(Go::Home),
            _ => Ok(Go::Stay),
        }
    }
}
