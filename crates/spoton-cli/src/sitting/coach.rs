//! Help while a round is played: hints, reasons, warnings, and the end that plays itself.

use spoton::engine::play::Move;
use spoton::engine::position::{Choice, Position};
use spoton::people::coach::{self, Pattern, Words};
use spoton::people::forced::{self, ForcedEnd};
use spoton::solver::Value;

use super::Sitting;
use crate::failure::Failure;

/// The coach's budget of hints in a round.
const MOST_HINTS: usize = 4;

/// What has been told in a round.
#[derive(Default)]
pub struct Hints {
    /// How many hints were given, and where.
    given: Option<(Position, usize)>,
}

impl Sitting {
    /// The next step of the ladder of hints for this turn.
    pub fn hint(&mut self) -> Result<String, Failure> {
        let Some(outlook) = self.truth.outlook(&self.round)? else { return Ok(String::new()) };
        let mut ladder = coach::ladder(&outlook);
        if self.setup.help.discover {
            ladder.truncate(1);
        }
        let at = *self.round.position();
        let step = match self.hints.given {
            Some((turn, given)) if turn == at => given,
            _ => 0,
        };
        if self.setup.help.coach && step < ladder.len() {
            if self.setup.hints_used >= MOST_HINTS {
                return Ok(no_more_hints());
            }
            self.setup.hints_used += 1;
            self.note();
        }
        self.hints.given = Some((at, step + 1));
        let hint = ladder.get(step).or(ladder.last());
        Ok(hint.map(|hint| self.words().hint(hint, &outlook)).unwrap_or_default())
    }

    /// What each move leads to.
    pub fn why(&mut self) -> Result<Vec<String>, Failure> {
        if self.setup.help.discover {
            return Ok(vec!["Discovery is on: nothing is given away.".to_owned()]);
        }
        if self.setup.help.coach && self.setup.hints_used >= MOST_HINTS {
            return Ok(vec![no_more_hints()]);
        }
        if self.setup.help.coach {
            // It tells more than any hint.
            self.setup.hints_used = MOST_HINTS;
            self.note();
        }
        let Some(outlook) = self.truth.outlook(&self.round)? else { return Ok(Vec::new()) };
        // A pattern is about the game; where what came before counts too, it might not hold.
        let best = outlook.keepers().next().filter(|_| outlook.verdict.value == Value::Win);
        let leaves = best.filter(|_| self.round.drawn_next_time().is_empty()).map(|reason| reason.leaves);
        let pattern = leaves.and_then(|leaves| {
            self.truth.with_chart(self.round.rulebook(), |chart| Pattern::around(chart, leaves))
        });
        let mut said = self.words().why(&outlook, pattern.as_ref());
        if self.setup.help.coach {
            said.push("With this, the hints of this round are used up.".to_owned());
        }
        Ok(said)
    }

    fn words(&self) -> Words<'_> {
        Words { rulebook: self.round.rulebook(), turn: self.round.position().turn() }
    }

    /// Whether the coach asks before this choice: it loses at once, and another might not.
    pub fn warns_of(&self, choice: Choice) -> bool {
        let (rulebook, position) = (self.round.rulebook(), self.round.position());
        let outcome = rulebook.ends_at_once(position, Move::Operation(choice));
        let loses = outcome.is_some_and(|outcome| outcome.winner == Some(!position.turn()));
        self.setup.help.coach && loses && rulebook.legal(position).len() > 1
    }

    /// On a turn that matters, how many hints the coach has to offer.
    pub fn offers_hints(&self) -> Option<usize> {
        let help = self.setup.help;
        // Where nothing is to be given away, neither is which turns matter: only somebody not yet lost has such.
        if !help.coach || help.discover || self.setup.hints_used >= MOST_HINTS {
            return None;
        }
        // A game too large to see through has no coach; that is no reason to stop.
        let outlook = self.truth.outlook(&self.round).ok()??;
        let matters = outlook.keepers().count() < outlook.reasons().len();
        matters.then_some(MOST_HINTS - self.setup.hints_used)
    }

    /// How the round can be played out. A computer that might slip still has a choice.
    pub fn forced_end(&self) -> Result<ForcedEnd, Failure> {
        let rest = forced::end_of(&self.round);
        let ForcedEnd::Line(line) = &rest else { return Ok(rest) };
        let mut ahead = self.round.clone();
        for a_move in line {
            if let (Some(computer), Some(choice)) =
                (self.setup.computers[ahead.position().turn()], a_move.choice())
            {
                let chances = self.truth.chances(computer, &ahead)?;
                if chances.iter().any(|(other, _)| other != choice) {
                    return Ok(ForcedEnd::ChoicesLeft);
                }
            }
            if ahead.play(*a_move).is_err() {
                break;
            }
        }
        Ok(rest)
    }
}

fn no_more_hints() -> String {
    "The hints of this round are used up.".to_owned()
}
