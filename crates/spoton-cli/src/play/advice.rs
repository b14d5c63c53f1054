//! Help at the table: hints, reasons, ideas, warnings, and the end that plays itself.

use spoton::coach::{self, Pattern, Words};
use spoton::finish::{self, Rest};
use spoton::play::Move;
use spoton::position::Choice;
use spoton::solver::Value;

use super::console::Answer;
use super::table::{Leaving, Table, Turn};
use crate::failure::Failure;

/// The coach's budget of hints in a round.
const MOST_HINTS: usize = 4;

impl Table<'_, '_> {
    /// An answer from looking ahead, or why there is none: a game too large to see through is still a game to play.
    pub(super) fn or_refusal(
        &mut self,
        answer: impl FnOnce(&mut Self) -> Result<String, Failure>,
    ) -> Result<String, Failure> {
        match answer(self) {
            Err(failure @ Failure::Failed(_)) => {
                Ok(self.session.colour.refusal(&format!("No answer: {failure}.")))
            }
            answer => answer,
        }
    }

    /// The next step of the ladder of hints for this turn.
    pub(super) fn hint(&mut self) -> Result<String, Failure> {
        let Some(outlook) = self.session.truth.outlook(&self.round)? else { return Ok(String::new()) };
        let mut ladder = coach::ladder(&outlook);
        if self.session.setup.help.discover {
            ladder.truncate(1);
        }
        let at = *self.round.position();
        let step = match self.hints_given {
            Some((turn, given)) if turn == at => given,
            _ => 0,
        };
        if self.session.setup.help.coach && step < ladder.len() {
            if self.hints_used >= MOST_HINTS {
                return Ok(format!("You have had all {MOST_HINTS} hints of this round."));
            }
            self.hints_used += 1;
        }
        self.hints_given = Some((at, step + 1));
        let hint = ladder.get(step).or(ladder.last());
        Ok(hint.map(|hint| self.words().hint(hint, &outlook)).unwrap_or_default())
    }

    pub(super) fn why(&mut self) -> Result<String, Failure> {
        if self.session.setup.help.discover {
            return Ok("Discovery is on: nothing is given away. Test your own rule with idea.".to_owned());
        }
        if self.session.setup.help.coach && self.hints_used >= MOST_HINTS {
            return Ok(format!("You have had all {MOST_HINTS} hints of this round."));
        }
        // It tells more than any hint.
        self.hints_used = MOST_HINTS;
        let Some(outlook) = self.session.truth.outlook(&self.round)? else { return Ok(String::new()) };
        // A pattern is about the game; where what came before counts too, it might not hold.
        let best = outlook.keepers().next().filter(|_| outlook.verdict.value == Value::Win);
        let leaves = best.filter(|_| self.round.drawn_next_time().is_empty()).map(|reason| reason.leaves);
        let pattern = leaves.and_then(|leaves| {
            self.session.truth.with_chart(self.round.rulebook(), |chart| Pattern::around(chart, leaves))
        });
        Ok(self.words().why(&outlook, pattern.as_ref()).join("\n"))
    }

    pub(super) fn words(&self) -> Words<'_> {
        Words { rulebook: self.round.rulebook(), turn: self.round.position().turn() }
    }

    pub(super) fn test_idea(&mut self, idea: &str) -> Result<Option<Turn>, Failure> {
        let (answer, fails_at) = crate::commands::idea::answer(idea, self.round.rulebook())?;
        self.session.console.say(&answer)?;
        if let Some(number) = fails_at.filter(|_| self.session.console.is_terminal()) {
            match self.session.console.ask("Play it out against me from there? [y/N] ")? {
                Answer::Line(line) if matches!(line.trim().to_lowercase().as_str(), "y" | "yes") => {
                    return Ok(Some(Turn::PlayOut(number)));
                }
                Answer::Interrupted => return Ok(Some(Turn::Leave(Leaving::Interrupted))),
                Answer::Line(_) | Answer::End => {}
            }
        }
        Ok(None)
    }

    /// With a coach, a move that loses at once is asked about; whether the player stays with it.
    pub(super) fn stays_with(&mut self, choice: Choice) -> Result<bool, Failure> {
        let turn = self.round.position().turn();
        let outcome = self.round.rulebook().ends_at_once(self.round.position(), Move::Operation(choice));
        let loses = outcome.is_some_and(|outcome| outcome.winner == Some(!turn));
        if !self.session.setup.help.coach
            || !loses
            || self.round.rulebook().legal(self.round.position()).len() == 1
        {
            return Ok(true);
        }
        let operation = self.round.rulebook().moves()[choice.place()].operation;
        match self.session.console.ask(&format!("{operation} loses at once. Play it all the same? [y/N] "))? {
            Answer::Line(line) => Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes")),
            // Asked again, the question finds the end of the input for itself.
            Answer::End | Answer::Interrupted => Ok(false),
        }
    }

    /// On a turn that matters, the coach offers a hint.
    pub(super) fn offer_hint(&mut self) -> Result<(), Failure> {
        let help = self.session.setup.help;
        // Where nothing is to be given away, neither is which turns matter: only somebody not yet lost has such.
        if !help.coach || help.discover || self.hints_used >= MOST_HINTS {
            return Ok(());
        }
        // A game too large to see through has no coach; that is no reason to stop.
        let Ok(Some(outlook)) = self.session.truth.outlook(&self.round) else { return Ok(()) };
        if outlook.keepers().count() < outlook.reasons().len() {
            let left = MOST_HINTS - self.hints_used;
            let offer = format!("This turn matters. hint helps ({left} left).");
            let offer = self.session.colour.aside(&offer);
            self.session.console.notice(&offer)?;
        }
        Ok(())
    }

    /// How the round can be played out. A computer that might slip still has a choice.
    pub(super) fn rest(&self) -> Result<Rest, Failure> {
        let rest = finish::rest(&self.round);
        let Rest::Line(line) = &rest else { return Ok(rest) };
        let mut ahead = self.round.clone();
        for a_move in line {
            if let (Some(computer), Some(choice)) =
                (self.session.setup.computers[ahead.position().turn()], a_move.choice())
            {
                let chances = self.session.truth.chances(computer, &ahead)?;
                if chances.iter().any(|(other, _)| other != choice) {
                    return Ok(Rest::Choices);
                }
            }
            if ahead.play(*a_move).is_err() {
                break;
            }
        }
        Ok(rest)
    }

    /// Says once, to people at a terminal, that the rest plays itself.
    pub(super) fn announce_finish(&mut self) -> Result<(), Failure> {
        if self.announced || !self.session.console.is_terminal() {
            return Ok(());
        }
        if let Rest::Line(line) = self.rest()?
            && let Some(said) = finish::announcement(&self.round, &line)
        {
            self.announced = true;
            let said = self.session.colour.aside(&said);
            self.session.console.say(&said)?;
        }
        Ok(())
    }
}
