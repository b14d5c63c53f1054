//! Help while a round is played: hints, reasons, warnings, and the end that plays itself.

use super::discovery::Spoiler;
use super::{Cannot, Event, Lookahead, Memory, Sitting};
use crate::engine::play::Move;
use crate::engine::position::Choice;
use crate::people::coach::{self, Words};
use crate::people::forced::{self, ForcedEnd};
use crate::solver::Value;
use crate::words::phrases;

/// The coach's budget of hints in a round.
pub(super) const MOST_HINTS: usize = 4;

const NO_MORE_HINTS: &str = "You have used all your hints for this round.";

impl Sitting {
    /// How many hints were told on this turn.
    pub fn hints_told(&self) -> usize {
        self.told.filter(|(at, _)| at == self.round.position()).map_or(0, |(_, told)| told)
    }

    /// Whether the reasons were told on this turn.
    pub fn is_explained(&self) -> bool {
        self.explained.as_ref() == Some(self.round.position())
    }

    /// What was told on this turn once more: the last hint, and the reasons. It costs nothing, and changes nothing.
    ///
    /// # Errors
    ///
    /// If the game is too large to be seen through, or the caller does not want to go on.
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

    /// A step of the ladder of hints for this turn, or its last one, and how many steps it has.
    fn hint_at(&mut self, step: usize, ahead: &mut Lookahead<'_>) -> Result<Option<(String, usize)>, Cannot> {
        let Some(outlook) = self.outlook(ahead)? else { return Ok(None) };
        let ladder = coach::ladder(&outlook);
        let hint = ladder.get(step).or(ladder.last());
        Ok(hint.map(|hint| (self.words().hint(hint, &outlook), ladder.len())))
    }

    /// The next step of the ladder of hints for this turn, and its event. If the hints are used up, that is said, and
    /// there is no event.
    ///
    /// # Errors
    ///
    /// If the game is too large to be seen through, or the caller does not want to go on.
    pub fn hint(&mut self, ahead: &mut Lookahead<'_>) -> Result<(String, Option<Event>), Cannot> {
        if self.view().hides(Spoiler::Advice) {
            return Ok((phrases::NO_ANSWERS.to_owned(), None));
        }
        let step = self.hints_told();
        let Some((said, steps)) = self.hint_at(step, ahead)? else { return Ok((String::new(), None)) };
        if step >= steps {
            // Said once more, it costs nothing.
            return Ok((said, None));
        }
        if self.setup.help.coach && self.setup.hints_used >= MOST_HINTS {
            return Ok((NO_MORE_HINTS.to_owned(), None));
        }
        self.apply(&Event::HintTold)?;
        Ok((said, Some(Event::HintTold)))
    }

    /// What each move leads to, and its event; `None` if it costs nothing.
    ///
    /// # Errors
    ///
    /// If the game is too large to be seen through, or the caller does not want to go on.
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
        // Said once more, it costs nothing.
        let is_counted = self.setup.today.is_some() && !self.is_explained();
        if !coached && !is_counted {
            return Ok((said, None));
        }
        self.apply(&Event::ReasonsTold)?;
        if coached {
            // It tells more than any hint.
            said.push("That was your last hint for this round.".to_owned());
        }
        Ok((said, Some(Event::ReasonsTold)))
    }

    /// What each move leads to; empty if the round is over.
    fn reasons(&mut self, ahead: &mut Lookahead<'_>) -> Result<Vec<String>, Cannot> {
        let Some(outlook) = self.outlook(ahead)? else { return Ok(Vec::new()) };
        // A pattern is about the game alone; if the history counts too, it might not hold.
        let best = outlook.keepers().next().filter(|_| outlook.verdict.value == Value::Win);
        let leaves = best.filter(|_| self.round.drawn_next_time().is_empty()).map(|reason| reason.leaves);
        let pattern = leaves.and_then(|leaves| {
            // Without a pattern the reasons are true all the same.
            ahead.ask(self.rulebook(), |game, budget| game.pattern(leaves, budget)).ok().flatten()
        });
        Ok(self.words().why(&outlook, pattern.as_ref()))
    }

    fn words(&self) -> Words<'_> {
        Words { rulebook: self.rulebook(), turn: self.round.position().turn() }
    }

    /// Whether the coach asks before this choice: it loses at once, and another might not.
    pub fn warns_of(&self, choice: Choice) -> bool {
        let (rulebook, position) = (self.rulebook(), self.round.position());
        let outcome = rulebook.ends_at_once(position, Move::Operation(choice));
        let loses = outcome.is_some_and(|outcome| outcome.winner == Some(!position.turn()));
        let warns = self.setup.help.coach && !self.view().hides(Spoiler::Advice);
        warns && loses && rulebook.legal(position).len() > 1
    }

    /// On a turn that matters, how many hints the coach has to offer.
    ///
    /// # Errors
    ///
    /// If the caller does not want to go on.
    pub fn offers_hints(&mut self, ahead: &mut Lookahead<'_>) -> Result<Option<usize>, Cannot> {
        let help = self.setup.help;
        if !help.coach || self.view().hides(Spoiler::Advice) || self.setup.hints_used >= MOST_HINTS {
            return Ok(None);
        }
        // A game too large to see through has no coach; that is no reason to stop.
        let Some(outlook) = self.outlook(ahead).or_else(Cannot::unless_too_large)? else { return Ok(None) };
        let matters = outlook.keepers().count() < outlook.reasons().len();
        Ok(matters.then_some(MOST_HINTS - self.setup.hints_used))
    }

    /// How the round can be played out. A computer that might slip still has a choice.
    ///
    /// # Errors
    ///
    /// If an opponent needs to see through the game, and cannot.
    pub fn forced_end(&self, ahead: &mut Lookahead<'_>) -> Result<ForcedEnd, Cannot> {
        let end = forced::end_of(&self.round);
        let ForcedEnd::Line(line) = &end else { return Ok(end) };
        let mut later = self.round.clone();
        let mut memory = Memory::default();
        for a_move in line {
            let computer = self.setup.computers[later.position().turn()];
            // Nobody knows what a program would do.
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
