//! Advice on the board, until it is closed.

use spoton::view::WhyNot;
use spoton::words::phrases;

use super::Board;
use crate::failure::Failure;
use crate::screen::Go;
use crate::screen::help::Rules;

/// The advice for a game that is too large to solve.
const TOO_LARGE: &str = "No advice: this game is too large to solve here.";
/// The maximum number of reasons that fit next to the board.
const MOST_TOLD: usize = 9;
/// How the coach's offer begins.
pub const MATTERS: &str = "This turn matters.";

impl Board {
    /// Whether the board shows advice that the player asked for, not just the coach's offer.
    pub(super) fn tells(&self) -> bool {
        self.ending.is_none() && self.told.iter().any(|said| !said.starts_with(MATTERS))
    }

    /// Closes the advice. The coach will warn about the same move again.
    pub(super) fn close_told(&mut self) {
        self.told.retain(|said| said.starts_with(MATTERS));
        self.warned = None;
    }

    pub(super) fn hint(&mut self) -> Result<(), Failure> {
        if self.view().requests.hint == Err(WhyNot::Discovery) {
            self.told = self.no_answers();
            return Ok(());
        }
        let hint = match self.sitting.hint() {
            Err(Failure::TooLarge(_)) => TOO_LARGE.to_owned(),
            hint => hint?,
        };
        self.told.retain(|said| !said.starts_with(MATTERS));
        if self.told.last() == Some(&hint) {
            self.told.push("No more hints.".to_owned());
        } else if !self.told.contains(&hint) {
            self.told.push(hint);
        }
        if let Some(left) = self.sitting.offers_hints()? {
            self.told.insert(0, format!("{MATTERS} Press h for help ({left} left)."));
        }
        Ok(())
    }

    /// Shows where each move leads.
    pub(super) fn why(&mut self) -> Result<Go, Failure> {
        if self.view().requests.hint == Err(WhyNot::Discovery) {
            self.told = self.no_answers();
            return Ok(Go::Stay);
        }
        self.told = match self.sitting.why() {
            Err(Failure::TooLarge(_)) => vec![TOO_LARGE.to_owned()],
            why => why?,
        };
        // A long list of reasons gets a separate page.
        if self.told.len() > MOST_TOLD {
            return Go::open(Rules::of_reasons(std::mem::take(&mut self.told)));
        }
        Ok(Go::Stay)
    }

    /// The reply to a request for advice in discovery mode.
    fn no_answers(&self) -> Vec<String> {
        let how = match self.sitting.setup().today {
            Some(_) => "Turn it off with d on Home.",
            None => "Turn it off in Set-up.",
        };
        vec![phrases::NO_ANSWERS.to_owned(), how.to_owned()]
    }
}
