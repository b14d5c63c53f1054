//! Numbers that an idea speaks of although landing there loses. A form such as `leave primes` does not mean them, so the
//! answer names them.

use std::collections::BTreeSet;
use std::fmt;

use super::{Idea, PATIENCE};
use crate::engine::play::Step;
use crate::format::{Past, Reach, Rulebook};
use crate::people::landings::Landings;
use crate::solver::chart::position_at;
use crate::solver::{Budget, Unsolved};
use crate::words::phrases;

/// The numbers of an idea on which a move can land, and where that loses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exceptions {
    numbers: BTreeSet<i128>,
    /// Whether there are too many to name them one by one: then none is kept.
    many: bool,
}

/// So many are named one by one.
const MOST: usize = 12;

impl Exceptions {
    /// Every move from every number that comes up is looked at, until there are too many to name them.
    pub(super) fn of(
        idea: &Idea,
        landings: &Landings<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Exceptions, Unsolved> {
        let mut found = Exceptions::default();
        let rulebook = landings.chart.rulebook();
        if !may_lose(rulebook) {
            return Ok(found);
        }
        for (count, number) in (1..).zip(landings.numbers()) {
            budget.ask(count, PATIENCE, None)?;
            let position = position_at(rulebook, number).filter(|_| landings.coming_up.on_turn(number));
            let Some(position) = position else { continue };
            for a_move in rulebook.situation(&position).moves() {
                if let Ok(Step::Over { number, .. }) = rulebook.play(&position, a_move) {
                    found.add(number, idea, rulebook);
                }
            }
            if found.are_many() {
                break;
            }
        }
        Ok(found)
    }

    /// Adds a number that a move can land on, if it is an exception; whether it is one.
    pub(super) fn add(&mut self, number: i128, idea: &Idea, rulebook: &Rulebook) -> bool {
        let loses = matches!(rulebook.landing_of_number(number), Some((false, _)));
        let is_exception = loses && idea.has_form_of(number);
        if is_exception && !self.many {
            self.numbers.insert(number);
            if self.numbers.len() > MOST {
                *self = Exceptions { numbers: BTreeSet::new(), many: true };
            }
        }
        is_exception
    }

    /// Whether there are so many that nobody needs to look for others.
    pub(super) fn are_many(&self) -> bool {
        self.many
    }

    /// All of them; `None` if they are too many to name.
    pub fn numbers(&self) -> Option<Vec<i128>> {
        (!self.many).then(|| self.numbers.iter().copied().collect())
    }
}

/// Whether landing on some number loses in a game with a shared number.
fn may_lose(rulebook: &Rulebook) -> bool {
    let target_loses = rulebook.reach() == Reach::Loses || rulebook.past() == Past::Loses;
    rulebook.target().is_some() && target_loses || !rulebook.losing().is_empty()
}

impl fmt::Display for Exceptions {
    /// As a part of a sentence: ` (except 2 and 7, where landing loses)`; nothing if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.numbers() {
            None => write!(f, " (except wherever landing loses)"),
            Some(none) if none.is_empty() => Ok(()),
            Some(numbers) => write!(f, " (except {}, where landing loses)", phrases::and_list(numbers)),
        }
    }
}
