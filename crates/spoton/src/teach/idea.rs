//! Tests an idea: checks a player's rule about numbers to leave against the solution, without revealing the solution.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::catalog;
//! use spoton::solver::{Budget, chart::Chart};
//! use spoton::teach::idea::{self, Idea};
//! use spoton::words;
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let budget = &mut Budget::patient(16 << 20);
//! let chart = Chart::from_rulebook(&race, budget)?.expect("the number alone decides");
//! let idea: Idea = "leave 3 8 13 18".parse()?;
//! let answer = idea::test(&idea, &chart, budget)?;
//! assert!(words::idea::in_words(&answer).starts_with("True"), "{answer:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod exceptions;
mod far;
mod follow;

use far::{Far, Looked};
use follow::{Followed, Follower};

pub use exceptions::Exceptions;

use crate::engine::number_kind::NumberKind;
use crate::format::LARGEST;
use crate::solved::SolvedGame;
use crate::solved::landings::Landings;
use crate::solver::chart::{self, AlsoDecides, Chart};
use crate::solver::reachable::Reachable;
use crate::solver::{Budget, Unsolved, Value};

/// A player's set of numbers to leave: `leave even from 12 and 3 8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idea(Vec<Clause>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Clause {
    Numbers(Vec<i64>),
    /// Every `step`-th number counted from `through` in both directions, within bounds.
    Every {
        step: i64,
        through: i64,
        from: Option<i64>,
        to: Option<i64>,
    },
    /// Every number of a kind that isn't evenly spaced, within bounds.
    Kind {
        kind: NumberKind,
        from: Option<i64>,
        to: Option<i64>,
    },
}

/// Examples of the accepted forms, to show to people.
pub const FORMS: &[&str] = &[
    "leave 5 10 15",
    "leave even",
    "leave odd from 5 to 15",
    "leave every 6 from 2",
    "leave multiples of 7",
    "leave primes to 30",
    "leave odd from 9 and 4 6",
];

/// The idea doesn't parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("I don't understand this idea. Try one of these: {}", FORMS.join("; "))]
#[non_exhaustive]
pub struct NotUnderstood;

impl std::str::FromStr for Idea {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Idea, NotUnderstood> {
        let text = text.to_lowercase().replace([',', ';', ':'], " ").replace('−', "-");
        let text = text.trim_end().trim_end_matches(['.', '!', '?']);
        let words: Vec<&str> = text.split_whitespace().collect();
        let clauses = words.split(|word| *word == "and").map(clause).collect::<Option<Vec<Clause>>>();
        clauses.map(Idea).ok_or(NotUnderstood)
    }
}

fn clause(words: &[&str]) -> Option<Clause> {
    let words = words.strip_prefix(&["leave"]).unwrap_or(words);
    let words = match words {
        ["a" | "an" | "all" | "the", rest @ ..] => rest,
        _ => words,
    };
    let number = |word: &str| word.parse::<i64>().ok().filter(|number| number.abs() <= LARGEST);
    let step = |word: &str| number(word).filter(|step| *step > 0);
    let (which, rest) = match words {
        ["even", rest @ ..] => (Which::Every(2, 0), rest),
        ["odd", rest @ ..] => (Which::Every(2, 1), rest),
        ["prime" | "primes", rest @ ..] => (Which::Kind(NumberKind::Prime), rest),
        ["square" | "squares", rest @ ..] => (Which::Kind(NumberKind::Square), rest),
        ["multiple" | "multiples", "of", factor, rest @ ..] => (Which::Every(step(factor)?, 0), rest),
        ["every", every, "from", from, ..] => (Which::Every(step(every)?, number(from)?), &words[2..]),
        [] => return None,
        numbers => {
            return Some(Clause::Numbers(numbers.iter().map(|word| number(word)).collect::<Option<_>>()?));
        }
    };
    let mut rest = match rest {
        ["number" | "numbers", rest @ ..] => rest,
        _ => rest,
    };
    let (mut from, mut to) = (None, None);
    if let ["from", bound, more @ ..] = rest {
        from = Some(number(bound)?);
        rest = more;
    }
    if let ["to", bound, more @ ..] | ["up", "to", bound, more @ ..] = rest {
        to = Some(number(bound)?);
        rest = more;
    }
    rest.is_empty().then_some(match which {
        Which::Every(step, through) => Clause::Every { step, through, from, to },
        Which::Kind(kind) => Clause::Kind { kind, from, to },
    })
}

/// A form's numbers, ignoring its bounds.
enum Which {
    /// A step size, and a number to count from.
    Every(i64, i64),
    Kind(NumberKind),
}

impl Idea {
    /// Whether the idea covers a number, either by name or by a form.
    fn speaks_of(&self, number: i64) -> bool {
        self.names(number) || self.has_form_of(number.into())
    }

    fn names(&self, number: i64) -> bool {
        self.0.iter().any(|clause| matches!(clause, Clause::Numbers(named) if named.contains(&number)))
    }

    fn has_form_of(&self, number: i128) -> bool {
        let within = |from: &Option<i64>, to: &Option<i64>| {
            from.is_none_or(|from| number >= from.into()) && to.is_none_or(|to| number <= to.into())
        };
        self.0.iter().any(|clause| match clause {
            Clause::Numbers(_) => false,
            Clause::Every { step, through, from, to } => {
                within(from, to) && (number - i128::from(*through)).rem_euclid(i128::from(*step)) == 0
            }
            Clause::Kind { kind, from, to } => {
                let holds = match i64::try_from(number) {
                    Ok(number) => kind.holds(number),
                    // Only multiplication produces numbers this large, and a product isn't prime.
                    Err(_) => *kind == NumberKind::Square && number > 0 && number.isqrt().pow(2) == number,
                };
                within(from, to) && holds
            }
        })
    }

    /// The numbers to test, in order: the named ones, plus those in the chart that fit a form. If few are reachable,
    /// uses their list instead of the chart.
    fn numbers(&self, chart: &Chart, few: Option<&[i64]>) -> impl Iterator<Item = i64> {
        let mut next = i64::MIN;
        std::iter::from_fn(move || {
            let named = || self.0.iter().filter_map(|clause| clause.first_named(next)).min();
            let listed = |few: &[i64]| {
                let rest = &few[few.partition_point(|number| *number < next)..];
                rest.iter().copied().find(|number| self.has_form_of((*number).into()))
            };
            let formed = match few {
                Some(few) => listed(few),
                None => self.0.iter().filter_map(|clause| clause.first_from(next, chart)).min(),
            };
            let found = named().into_iter().chain(formed).min()?;
            next = found.checked_add(1)?;
            Some(found)
        })
    }
}

impl Clause {
    /// The first named number at or above a bound.
    fn first_named(&self, least: i64) -> Option<i64> {
        let Clause::Numbers(named) = self else { return None };
        named.iter().copied().filter(|number| *number >= least).min()
    }

    /// The first number in the chart at or above a bound that fits the form.
    fn first_from(&self, least: i64, chart: &Chart) -> Option<i64> {
        let ends = |from: Option<i64>, to: Option<i64>| {
            let low = from.unwrap_or(least).max(least).max(chart.lowest());
            (low, to.unwrap_or(chart.highest()).min(chart.highest()))
        };
        match self {
            Clause::Numbers(_) => None,
            Clause::Kind { kind, from, to } => {
                let (low, high) = ends(*from, *to);
                (low..=high).find(|number| kind.holds(*number))
            }
            Clause::Every { step, through, from, to } => {
                let (low, high) = ends(*from, *to);
                // Invariant: nothing here overflows within a chart's bounds.
                let first = low.checked_add((through - low).rem_euclid(*step))?;
                (first <= high).then_some(first)
            }
        }
    }
}

/// The result of testing an idea.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// False: leaving this number doesn't force a win.
    False {
        /// The first number where it fails.
        number: i64,
        /// Why it fails.
        why: Fails,
    },
    /// Following it from the winning seat always wins.
    Complete {
        /// Whether the winning seat is the starter's.
        starter: bool,
        /// Numbers it covers where landing loses.
        except: Exceptions,
    },
    /// True, but it doesn't cover every situation.
    Partial {
        /// How many numbers are missing.
        missing: usize,
        /// As above.
        except: Exceptions,
    },
    /// True, but play that follows it could go in circles forever.
    Circles {
        /// As above.
        except: Exceptions,
    },
    /// True, but neither player can force a win from the opening.
    NoSeat {
        /// As above.
        except: Exceptions,
    },
    /// It covers no number that can be left.
    Nothing,
    /// The number alone doesn't decide in this game.
    NumberDoesNotDecide {
        /// The other things that decide.
        also: Vec<AlsoDecides>,
    },
}

impl Answer {
    /// A true idea's numbers where landing loses.
    pub fn exceptions(&self) -> Option<&Exceptions> {
        match self {
            Answer::Complete { except, .. }
            | Answer::Partial { except, .. }
            | Answer::Circles { except }
            | Answer::NoSeat { except } => Some(except),
            Answer::False { .. } | Answer::Nothing | Answer::NumberDoesNotDecide { .. } => None,
        }
    }

    /// The number where the idea fails and play can continue; `None` if no one could move there.
    pub fn fails_at(&self) -> Option<i64> {
        match self {
            Answer::False { number, why: Fails::TheyWin | Fails::TheyHold } => Some(*number),
            _ => None,
        }
    }
}

/// Numbers tested between two checks for cancellation.
const PATIENCE: u64 = 1 << 16;

/// Why not to leave a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// The next player can force a win.
    TheyWin,
    /// The next player can avoid losing.
    TheyHold,
    /// The next player is stuck, which ends the round.
    TheyAreStuck {
        /// Whether being stuck wins rather than draws.
        wins: bool,
    },
    /// Landing there loses immediately.
    Loses,
    /// No move leaves it.
    NotLeft,
}

/// Tests an idea against a game's chart. The budget covers memory beyond the chart.
///
/// # Errors
///
/// If following the idea exceeds the budget or the caller cancels.
pub fn test(idea: &Idea, chart: &Chart, budget: &mut Budget<'_>) -> Result<Answer, Unsolved> {
    let reachable = Reachable::from_chart(chart, budget)?;
    let landings = Landings { chart, reachable: &reachable };
    budget.beside(reachable.bytes(), |budget| {
        let mut far = Far::for_idea(idea, &landings, budget)?;
        let looked = match &mut far {
            Some(far) => far.look_through(budget)?,
            None => landings.look_through(idea, budget)?,
        };
        match looked {
            Looked { fails: Some((number, why)), .. } => return Ok(Answer::False { number, why }),
            Looked { any: false, .. } => return Ok(Answer::Nothing),
            Looked { any: true, fails: None } => {}
        }
        let except = match &mut far {
            Some(far) => far.exceptions(budget)?,
            None => Exceptions::find(idea, &landings, budget)?,
        };
        let starter = match chart.opening().map(|verdict| verdict.value) {
            Some(Value::Win) => true,
            Some(Value::Loss) => false,
            _ => return Ok(Answer::NoSeat { except }),
        };
        let followed = match &mut far {
            Some(far) => match far.may_stop(starter, budget)? {
                true => Followed::Stops,
                false => Followed::Wins,
            },
            None => Follower { idea, chart, few: reachable.list() }.follow(starter, budget)?,
        };
        Ok(match followed {
            Followed::Wins => Answer::Complete { starter, except },
            Followed::Cycles => Answer::Circles { except },
            Followed::Stops => {
                let missing = match &mut far {
                    Some(far) => far.missing(budget)? as usize,
                    None => landings.numbers().filter(|number| landings.is_missing(*number, idea)).count(),
                };
                Answer::Partial { missing, except }
            }
        })
    })
}

impl Landings<'_> {
    /// Tests an idea's numbers one by one.
    fn look_through(&self, idea: &Idea, budget: &mut Budget<'_>) -> Result<Looked, Unsolved> {
        let mut any = false;
        for (count, number) in (1..).zip(idea.numbers(self.chart, self.reachable.list())) {
            budget.ask(count, PATIENCE, None)?;
            // A form covers only numbers that can be left. A named number must be one of them.
            if !idea.names(number) && !self.leaves(number) {
                continue;
            }
            any = true;
            if let Some(why) = self.fails(number) {
                return Ok(Looked { any, fails: Some((number, why)) });
            }
        }
        Ok(Looked { any, fails: None })
    }

    /// Whether this is a number to leave that the idea misses. A number that wins because the opponent is stuck doesn't
    /// count as missing.
    fn is_missing(&self, number: i64, idea: &Idea) -> bool {
        self.chart.is_stone(number.into())
            && !idea.speaks_of(number)
            && self.leaves(number)
            && self.stuck_at(number).is_none()
    }

    /// Why landing on a number is bad; `None` if it's good.
    fn fails(&self, number: i64) -> Option<Fails> {
        if !self.can_land_on(number) {
            return Some(Fails::NotLeft);
        }
        if let Some((wins, _)) = self.chart.rulebook().landing_of_number(number.into()) {
            return (!wins).then_some(Fails::Loses);
        }
        let value = self.chart.verdict(i128::from(number)).map(|verdict| verdict.value);
        match (value, self.stuck_at(number)) {
            (None, _) => Some(Fails::NotLeft),
            (Some(Value::Loss), _) => None,
            (Some(value), Some(_)) => Some(Fails::TheyAreStuck { wins: value == Value::Win }),
            (Some(Value::Win), None) => Some(Fails::TheyWin),
            (Some(Value::Draw), None) => Some(Fails::TheyHold),
        }
    }
}

impl SolvedGame {
    /// Tests a player's idea against the solution.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn test(&self, idea: &Idea, budget: &mut Budget<'_>) -> Result<Answer, Unsolved> {
        let (chart, too_many) = match self.chart(budget) {
            Ok(chart) => (chart, None),
            // A solved game can still answer in stretches, or if few numbers are reachable.
            Err(why @ Unsolved::TooLarge { .. }) => match self.solver(budget) {
                Ok(solver) => (Chart::without_limit(&solver), Some(why)),
                Err(Unsolved::TooLarge { .. }) => return Err(why),
                Err(stopped) => return Err(stopped),
            },
            Err(why) => return Err(why),
        };
        let Some(chart) = chart else {
            return Ok(Answer::NumberDoesNotDecide { also: chart::what_else_decides(self.rulebook()) });
        };
        match budget.beside(self.bytes(), |budget| self::test(idea, &chart, budget)) {
            Err(why @ Unsolved::TooLarge { .. }) => Err(too_many.unwrap_or(why)),
            answer => answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Draft;

    fn test_in(moves: &str, extra: &str, idea: &str) -> Answer {
        let text =
            format!("title = 'Idea'\nstart = 0\ntarget = 23\nmoves = {moves}\npast = 'forbidden'\n{extra}");
        let rulebook = std::sync::Arc::new(Draft::read("idea", &text).build().unwrap());
        let mut budget = Budget::patient(1 << 24);
        match Chart::from_rulebook(&rulebook, &mut budget).unwrap() {
            Some(chart) => test(&idea.parse().unwrap(), &chart, &mut budget).unwrap(),
            None => Answer::NumberDoesNotDecide { also: crate::solver::chart::what_else_decides(&rulebook) },
        }
    }

    #[test]
    fn an_idea_may_be_a_whole_sentence() {
        for (said, plainly) in [
            ("Leave 3, 8, 13.", "leave 3 8 13"),
            ("leave 3; 8; 13!", "leave 3 8 13"),
            ("multiples of 5", "leave multiples of 5"),
            ("Leave the multiples of 5.", "leave multiples of 5"),
            ("Leave all even numbers?", "leave even"),
            ("leave −7 −4", "leave -7 -4"),
        ] {
            assert_eq!(said.parse::<Idea>(), plainly.parse(), "{said}");
            assert!(said.parse::<Idea>().is_ok());
        }
    }

    #[test]
    fn the_four_answers() {
        let race = |idea: &str| test_in("['+1..4']", "", idea);
        let none = Exceptions::default;
        let complete = || Answer::Complete { starter: true, except: none() };
        assert_eq!(race("leave 3 8 13 18"), complete());
        assert_eq!(race("every 5 from 3"), complete());
        assert_eq!(race("leave 3 8 and leave 13, 18"), complete());
        assert_eq!(race("leave 13 18"), Answer::Partial { missing: 2, except: none() });
        assert_eq!(race("leave 3 8 13 18 23"), complete());
        assert_eq!(race("leave 3 9"), Answer::False { number: 9, why: Fails::TheyWin });
        assert_eq!(race("leave odd"), Answer::False { number: 1, why: Fails::TheyWin });
        assert_eq!(race("leave 0"), Answer::False { number: 0, why: Fails::NotLeft });
        assert_eq!(race("leave 24"), Answer::False { number: 24, why: Fails::NotLeft });
        assert_eq!(race("leave even from 40"), Answer::Nothing);
        for nonsense in
            ["", "leave", "leave some", "every 0 from 3", "every 5", "even to", "3 and", "odd from 3 4"]
        {
            assert_eq!(nonsense.parse::<Idea>(), Err(NotUnderstood), "{nonsense}");
        }
    }

    #[test]
    fn a_game_whose_number_does_not_decide_is_reported() {
        let because = |also: AlsoDecides| Answer::NumberDoesNotDecide { also: vec![also] };
        assert_eq!(test_in("['+1', '+2']", "no_repeat = 'own'", "3"), because(AlsoDecides::LastMoves));
        assert_eq!(test_in("['+1', '+2']", "numbers = 'separate'", "3"), because(AlsoDecides::OtherNumber));
        assert_eq!(test_in("['+1', {op = '+2', uses = 3}]", "", "3"), because(AlsoDecides::Uses));
    }
}
