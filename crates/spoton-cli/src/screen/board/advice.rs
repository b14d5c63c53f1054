//! Advice that somebody asks for, until it is put away.

use spoton::sitting::discovery::Spoiler;
use spoton::words::phrases;

use super::Board;
use crate::failure::Failure;
use crate::screen::Go;
use crate::screen::help::Rules;

/// What is said if the game is too large to look ahead.
const TOO_LARGE: &str = "No answer: this game is too large to solve here.";
/// More reasons than this have no place beside the board.
const MOST_TOLD: usize = 9;
/// How the coach's offer begins.
pub const MATTERS: &str = "This turn matters.";

impl Board {
    /// Whether somebody who was asked has said something; what the coach offers by itself is no answer.
    pub(super) fn tells(&self) -> bool {
        self.ending.is_none() && self.told.iter().any(|said| !said.starts_with(MATTERS))
    }

    /// Puts away what was said. A warning comes again if the move does.
    pub(super) fn close_told(&mut self) {
        self.told.retain(|said| said.starts_with(MATTERS));
        self.warned = None;
    }

    pub(super) fn hint(&mut self) -> Result<(), Failure> {
        if self.sitting.view().hides(Spoiler::Advice) {
            self.told = self.no_answers();
            return Ok(());
        }
        let hint = match self.sitting.hint() {
            Err(Failure::TooLarge(_)) => TOO_LARGE.to_owned(),
            hint => hint?,
        };
        self.told.retain(|said| !said.starts_with(MATTERS));
        if self.told.last() == Some(&hint) {
            self.told.push("There is no further hint.".to_owned());
        } else if !self.told.contains(&hint) {
            self.told.push(hint);
        }
        if let Some(left) = self.sitting.offers_hints()? {
            self.told.insert(0, format!("{MATTERS} h helps ({left} left)."));
        }
        Ok(())
    }

    /// What each move leads to.
    pub(super) fn why(&mut self) -> Result<Go, Failure> {
        if self.sitting.view().hides(Spoiler::Advice) {
            self.told = self.no_answers();
            return Ok(Go::Stay);
        }
        self.told = match self.sitting.why() {
            Err(Failure::TooLarge(_)) => vec![TOO_LARGE.to_owned()],
            why => why?,
        };
        // More than has a place beside the board is for a page of its own.
        if self.told.len() > MOST_TOLD {
            return Go::open(Rules::of_reasons(std::mem::take(&mut self.told)));
        }
        Ok(Go::Stay)
    }

    /// What a player hears in discovery who asks for advice.
    fn no_answers(&self) -> Vec<String> {
        let how = match self.sitting.setup().today {
            Some(_) => "d on Home turns it off.",
            None => "You can turn it off in Set-up.",
        };
        vec![phrases::NO_ANSWERS.to_owned(), how.to_owned()]
    }
}
