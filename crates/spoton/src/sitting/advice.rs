//! Help during a round: hints, reasons, warnings and forced endings.

use super::{Cannot, Event, Lookahead, Memory, Sitting};
use crate::discovery::Spoiler;
use crate::engine::play::Move;
use crate::engine::position::Choice;
use crate::solver::Value;
use crate::teach::coach;
use crate::teach::forced::{self, ForcedEnd};
use crate::words::coach::Words;
use crate::words::phrases;

/// The coach's hint limit per round.
pub(super) const MOST_HINTS: usize = 4;

const NO_MORE_HINTS: &str = "You've used all your hints for this round.";

impl Sitting {
    /// The number of hints shown on this turn.
    pub fn hints_told(&self) -> usize {
        self.told.filter(|(at, _)| at == self.round.position()).map_or(0, |(_, told)| told)
    }

    /// Whether the reasons were shown on this turn.
    pub fn is_explained(&self) -> bool {
        self.explained.as_ref() == Some(self.round.position())
    }

    /// Repeats the help shown on this turn: the last hint and the reasons. Free, and changes nothing.
    ///
    /// # Errors
    ///
    /// If the game is too large to solve or the caller cancels.
    pub fn told_again(&mut self, ahead: &mut Lookahead<'_>) -> Result<Vec<String>, Cannot> {
        let told = self.hints_told();
        let mut said = Vec::new();
        if self.view().hides(Spoiler::Advice) {
            return Ok(said);
        }
        if told > 0 {
            said.extend(self.hint_at(told - 1, ahead)?.map(|(hint, _)| hint));
        }
        if self.is_explained() {
            said.extend(self.reasons(ahead)?);
        }
        Ok(said)
    }

    /// A step on this turn's hint ladder (or the last step), and the number of steps.
    fn hint_at(&mut self, step: usize, ahead: &mut Lookahead<'_>) -> Result<Option<(String, usize)>, Cannot> {
        let Some(outlook) = self.outlook(ahead)? else { return Ok(None) };
        let ladder = coach::ladder(&outlook);
        let hint = ladder.get(step).or(ladder.last());
        Ok(hint.map(|hint| (self.words().hint(hint, &outlook), ladder.len())))
    }

    /// The next hint for this turn, with its event. If no hints are left, a message without an event.
    ///
    /// # Errors
    ///
    /// If the game is too large to solve or the caller cancels.
    pub fn hint(&mut self, ahead: &mut Lookahead<'_>) -> Result<(String, Option<Event>), Cannot> {
        if self.view().hides(Spoiler::Advice) {
            return Ok((phrases::NO_ANSWERS.to_owned(), None));
        }
        let step = self.hints_told();
        let Some((said, steps)) = self.hint_at(step, ahead)? else { return Ok((String::new(), None)) };
        if step >= steps {
            // Repeating it is free.
            return Ok((said, None));
        }
        if self.setup.help.coach && self.setup.hints_used >= MOST_HINTS {
            return Ok((NO_MORE_HINTS.to_owned(), None));
        }
        self.apply(&Event::HintTold)?;
        Ok((said, Some(Event::HintTold)))
    }

    /// Explains each move. Returns an event if this counts as help, otherwise `None`.
    ///
    /// # Errors
    ///
    /// If the game is too large to solve or the caller cancels.
    pub fn why(&mut self, ahead: &mut Lookahead<'_>) -> Result<(Vec<String>, Option<Event>), Cannot> {
        if self.view().hides(Spoiler::Advice) {
            return Ok((vec![phrases::NO_ANSWERS.to_owned()], None));
        }
        let coached = self.setup.help.coach;
        if coached && self.setup.hints_used >= MOST_HINTS {
            return Ok((vec![NO_MORE_HINTS.to_owned()], None));
        }
        let mut said = self.reasons(ahead)?;
        if said.is_empty() {
            return Ok((said, None));
        }
        // Repeating it is free.
        let is_counted = self.setup.today.is_some() && !self.is_explained();
        if !coached && !is_counted {
            return Ok((said, None));
        }
        self.apply(&Event::ReasonsTold)?;
        if coached {
            // The reasons reveal more than any hint.
            said.push("That was your last hint for this round.".to_owned());
        }
        Ok((said, Some(Event::ReasonsTold)))
    }

    /// Explains each move; empty if the round is over.
    fn reasons(&mut self, ahead: &mut Lookahead<'_>) -> Result<Vec<String>, Cannot> {
        let Some(outlook) = self.outlook(ahead)? else { return Ok(Vec::new()) };
        // A pattern ignores history, so it may not hold if history matters.
        let best = outlook.keepers().next().filter(|_| outlook.verdict.value == Value::Win);
        let leaves = best.filter(|_| self.round.drawn_next_time().is_empty()).map(|reason| reason.leaves);
        let pattern = leaves.and_then(|leaves| {
            // The reasons are true even without a pattern.
            ahead.ask(self.rulebook(), |game, budget| game.pattern(leaves, budget)).ok().flatten()
        });
        Ok(self.words().why(&outlook, pattern.as_ref()))
    }

    fn words(&self) -> Words<'_> {
        Words { rulebook: self.rulebook(), turn: self.round.position().turn() }
    }

    /// Whether the coach asks for confirmation, because the choice loses immediately and another might not.
    pub fn warns_of(&self, choice: Choice) -> bool {
        let (rulebook, position) = (self.rulebook(), self.round.position());
        let outcome = rulebook.ends_at_once(position, Move::Operation(choice));
        let loses = outcome.is_some_and(|outcome| outcome.winner == Some(!position.turn()));
        let warns = self.setup.help.coach && !self.view().hides(Spoiler::Advice);
        warns && loses && rulebook.legal(position).len() > 1
    }

    /// The number of hints left, on a turn that matters.
    ///
    /// # Errors
    ///
    /// If the caller cancels.
    pub fn offers_hints(&mut self, ahead: &mut Lookahead<'_>) -> Result<Option<usize>, Cannot> {
        let help = self.setup.help;
        if !help.coach || self.view().hides(Spoiler::Advice) || self.setup.hints_used >= MOST_HINTS {
            return Ok(None);
        }
        // If a game is too large to solve, there's no coach. That isn't an error.
        let Some(outlook) = self.outlook(ahead).or_else(Cannot::unless_too_large)? else { return Ok(None) };
        let matters = outlook.keepers().count() < outlook.reasons().len();
        Ok(matters.then_some(MOST_HINTS - self.setup.hints_used))
    }

    /// How the round can be played out automatically. A computer that might slip still has a choice.
    ///
    /// # Errors
    ///
    /// If an opponent needs a solution and there's none.
    pub fn forced_end(&self, ahead: &mut Lookahead<'_>) -> Result<ForcedEnd, Cannot> {
        let end = forced::end_of(&self.round);
        let ForcedEnd::Line(line) = &end else { return Ok(end) };
        let mut later = self.round.clone();
        let mut memory = Memory::default();
        for a_move in line {
            let computer = self.setup.computers[later.position().turn()];
            // An outside program's choice is unknown.
            let of_program = self.setup.programs[later.position().turn()].is_some();
            if of_program && a_move.choice().is_some() {
                return Ok(ForcedEnd::ChoicesLeft);
            }
            if let (Some(computer), Some(choice)) = (computer, a_move.choice()) {
                let chances = memory.chances(computer, &later, ahead)?;
                if chances.iter().any(|(other, _)| other != choice) {
                    return Ok(ForcedEnd::ChoicesLeft);
                }
            }
            memory.outlook = None;
            if later.play(*a_move).is_err() {
                break;
            }
        }
        Ok(end)
    }
}
