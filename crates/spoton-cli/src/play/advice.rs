//! Hints, the coach and idea tests in line mode.

use spoton::engine::play::Move;
use spoton::engine::position::Choice;
use spoton::teach::forced::ForcedEnd;
use spoton::words::coach;
use spoton::words::page::fold;

use super::console::Answer;
use super::session::Session;
use super::table::{Leaving, Turn};
use crate::failure::Failure;
use crate::sitting::Sitting;
use crate::solving::idea_reply;

impl Session<'_> {
    /// The solver's answer, or why there is none. A game too large to solve can still be played.
    pub(super) fn or_refusal(
        &mut self,
        answer: impl FnOnce(&mut Sitting) -> Result<String, Failure>,
    ) -> Result<String, Failure> {
        match answer(&mut self.sitting) {
            Err(failure @ Failure::TooLarge(_)) => Ok(self.colour.refusal(&format!("No answer: {failure}."))),
            answer => answer,
        }
    }

    pub(super) fn test_idea(&mut self, text: &str) -> Result<Option<Turn>, Failure> {
        let reply = idea_reply(self.sitting.games(), text, self.sitting.rulebook())?;
        self.console.say(&fold(&reply.said))?;
        if let Some(number) = reply.fails_at.filter(|_| self.console.is_terminal()) {
            match self.console.ask("Play it out against me from there? [y/N] ")? {
                Answer::Line(line) if matches!(line.trim().to_lowercase().as_str(), "y" | "yes") => {
                    return Ok(Some(Turn::PlayOut(number)));
                }
                Answer::Interrupted => return Ok(Some(Turn::Leave(Leaving::Interrupted))),
                Answer::Line(_) | Answer::End => {}
            }
        }
        Ok(None)
    }

    /// With a coach, asks before a move that loses immediately. Returns whether to play it.
    pub(super) fn stays_with(&mut self, choice: Choice) -> Result<bool, Failure> {
        if !self.sitting.warns_of(choice) {
            return Ok(true);
        }
        let operation = self.sitting.rulebook().write(Move::Operation(choice));
        match self.console.ask(&format!("{operation} loses immediately. Play it anyway? [y/N] "))? {
            Answer::Line(line) => Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes")),
            // The next question will reach the end of the input again.
            Answer::End => Ok(false),
            Answer::Interrupted => Err(Failure::Interrupted),
        }
    }

    /// On a turn that matters, the coach offers a hint.
    pub(super) fn offer_hint(&mut self) -> Result<(), Failure> {
        if let Some(left) = self.sitting.offers_hints()? {
            let offer = format!("This turn matters. Type hint for help ({left} left).");
            let offer = self.colour.aside(&offer);
            self.console.notice(&offer)?;
        }
        Ok(())
    }

    /// Announces once, on a terminal, that the rest of the round is forced.
    pub(super) fn announce_finish(&mut self) -> Result<(), Failure> {
        if self.announced || !self.console.is_terminal() {
            return Ok(());
        }
        if let ForcedEnd::Line(line) = self.sitting.forced_end()?
            && let Some(said) = coach::announcement(self.sitting.round(), &line)
        {
            self.announced = true;
            let said = self.colour.aside(&format!("{said}: finish"));
            self.console.say(&said)?;
        }
        Ok(())
    }
}
