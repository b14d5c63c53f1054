//! An idea's numbers where landing loses. A form such as `leave primes` leaves them out, so the verdict names them.

use std::collections::BTreeSet;

use super::{Idea, PATIENCE};
use crate::engine::play::Step;
use crate::format::{Past, Reach, Rulebook};
use crate::solved::landings::Landings;
use crate::solver::chart::position_at;
use crate::solver::{Budget, Unsolved};

/// An idea's numbers that a move can land on, but where landing loses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exceptions {
    numbers: BTreeSet<i128>,
    /// Whether there are too many to name. If so, the set is empty.
    many: bool,
}

/// The maximum number of exceptions to name.
const MOST: usize = 12;

impl Exceptions {
    /// Checks every move from every reachable number, until there are too many exceptions to list.
    pub(super) fn find(
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
            let position = position_at(rulebook, number).filter(|_| landings.reachable.on_turn(number));
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

    /// Adds a number that a move can land on, if it's an exception. Returns whether it is.
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

    /// Whether there are already too many to name.
    pub(super) fn are_many(&self) -> bool {
        self.many
    }

    /// All of them; `None` if there are too many to name.
    pub fn numbers(&self) -> Option<Vec<i128>> {
        (!self.many).then(|| self.numbers.iter().copied().collect())
    }
}

/// Whether landing on some number loses. Only for games with a shared number.
fn may_lose(rulebook: &Rulebook) -> bool {
    let target_loses = rulebook.reach() == Reach::Loses || rulebook.past() == Past::Loses;
    rulebook.target().is_some() && target_loses || !rulebook.losing().is_empty()
}
