//! Test my idea: a rule about which numbers to leave, held against the truth without giving it away.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::engine::play::{Ending, Step};
use crate::engine::position::Player;
use crate::format::{LARGEST, Rulebook};
use crate::solver::chart::{Chart, position_at};
use crate::solver::{Budget, Unsolved, Value};

/// Numbers to leave, as a player puts it: `leave even from 12 and 3 8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idea(Vec<Clause>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Clause {
    Numbers(Vec<i64>),
    /// Every so-manieth number, counted from one of them, within bounds.
    Every {
        step: i64,
        through: i64,
        from: Option<i64>,
        to: Option<i64>,
    },
}

/// The forms that are understood, for people.
pub const FORMS: &[&str] = &[
    "leave 5 10 15",
    "leave even",
    "leave odd from 5 to 15",
    "leave every 6 from 2",
    "leave odd from 9 and 4 6",
];

/// The idea was not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not understood; an idea looks like: {}", FORMS.join("; "))]
pub struct NotUnderstood;

impl std::str::FromStr for Idea {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Idea, NotUnderstood> {
        let text = text.to_lowercase().replace(',', " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let clauses = words.split(|word| *word == "and").map(clause).collect::<Option<Vec<Clause>>>();
        clauses.map(Idea).ok_or(NotUnderstood)
    }
}

fn clause(words: &[&str]) -> Option<Clause> {
    let words = words.strip_prefix(&["leave"]).unwrap_or(words);
    let number = |word: &str| word.parse::<i64>().ok().filter(|number| number.abs() <= LARGEST);
    let (step, mut rest) = match words {
        ["even", rest @ ..] => ((2, 0), rest),
        ["odd", rest @ ..] => ((2, 1), rest),
        ["every", step, "from", from, ..] => {
            let step = number(step).filter(|step| *step > 0)?;
            ((step, number(from)?), &words[2..])
        }
        [] => return None,
        numbers => {
            return Some(Clause::Numbers(numbers.iter().map(|word| number(word)).collect::<Option<_>>()?));
        }
    };
    let (mut from, mut to) = (None, None);
    if let ["from", bound, more @ ..] = rest {
        from = Some(number(bound)?);
        rest = more;
    }
    if let ["to", bound, more @ ..] = rest {
        to = Some(number(bound)?);
        rest = more;
    }
    let (step, through) = step;
    rest.is_empty().then_some(Clause::Every { step, through, from, to })
}

impl Idea {
    /// The numbers that the idea speaks of: those that it names, and of a form those at which somebody can be on turn.
    fn numbers(&self, rulebook: &Rulebook, chart: &Chart) -> BTreeSet<i64> {
        let mut numbers = BTreeSet::new();
        for clause in &self.0 {
            match clause {
                Clause::Numbers(named) => numbers.extend(named),
                Clause::Every { step, through, from, to } => {
                    let low = from.unwrap_or(chart.lowest()).max(chart.lowest());
                    let high = to.unwrap_or(chart.highest()).min(chart.highest());
                    let first = low + (through - low).rem_euclid(*step);
                    let within = (0..).map(|count| first + count * step).take_while(|number| *number <= high);
                    // A form means the numbers that can be left; only a number that is named must be one of them.
                    numbers.extend(within.filter(|number| can_be_left(rulebook, chart, *number)));
                }
            }
        }
        numbers
    }
}

/// What an idea comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It fails: whoever leaves this number does not force a win by it.
    False {
        /// The first number where it fails.
        number: i64,
        /// Why it fails.
        why: Fails,
    },
    /// Whoever follows it from the winning seat always wins.
    Complete {
        /// That seat: whether it is the starter's.
        starter: bool,
    },
    /// It is true, but does not tell what to do everywhere.
    Partial {
        /// How many numbers are missing.
        missing: usize,
    },
    /// It is true, and still play could go round in circles.
    Circles,
    /// It is true, but nobody can force a win from the opening.
    NoSeat,
    /// It speaks of no number that can be left.
    Nothing,
    /// In this game the number alone does not decide.
    NumberDoesNotDecide,
}

/// How many numbers are looked at between two questions whether to go on.
const PATIENCE: u64 = 1 << 16;

/// Why a number does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// Whoever is left there can force a win.
    TheyWin,
    /// Whoever is left there can keep the other from winning.
    TheyHold,
    /// Landing there loses at once.
    Loses,
    /// No move leaves it.
    NotLeft,
}

/// Holds an idea against the truth.
///
/// # Errors
///
/// Where finding the truth takes more than the budget, or the caller does not want to go on.
pub fn test(idea: &Idea, rulebook: &Arc<Rulebook>, budget: &mut Budget<'_>) -> Result<Answer, Unsolved> {
    let Some(chart) = Chart::of(rulebook, budget)? else { return Ok(Answer::NumberDoesNotDecide) };
    let numbers = u128::from(chart.highest().abs_diff(chart.lowest())) + 1;
    // Two places to be on turn for every number, and the moves between them.
    let bytes_each = 2 * (64 + 64 * rulebook.moves().len() as u64);
    budget.hold(0, numbers, bytes_each)?;
    judge(idea, rulebook, &chart, budget)
}

fn judge(
    idea: &Idea,
    rulebook: &Rulebook,
    chart: &Chart,
    budget: &mut Budget<'_>,
) -> Result<Answer, Unsolved> {
    let named = idea.numbers(rulebook, chart);
    if named.is_empty() {
        return Ok(Answer::Nothing);
    }
    let mut numbers = BTreeSet::new();
    for (count, number) in (1..).zip(named) {
        budget.ask(count, PATIENCE, None)?;
        match fails(rulebook, chart, number) {
            Some(why) => return Ok(Answer::False { number, why }),
            None if chart.is_stone(i128::from(number)) => drop(numbers.insert(number)),
            None => {} // landing there wins: true, and nothing to leave
        }
    }
    let starter = match chart.opening().map(|verdict| verdict.value) {
        Some(Value::Win) => true,
        Some(Value::Loss) => false,
        _ => return Ok(Answer::NoSeat),
    };
    Ok(match follow(rulebook, &numbers, starter, budget)? {
        Followed::Wins => Answer::Complete { starter },
        Followed::Circles => Answer::Circles,
        Followed::Stops => {
            let missing = chart
                .stones()
                .filter(|stone| !numbers.contains(stone) && can_be_left(rulebook, chart, *stone));
            Answer::Partial { missing: missing.count() }
        }
    })
}

/// Why one should not land on a number, if so.
fn fails(rulebook: &Rulebook, chart: &Chart, number: i64) -> Option<Fails> {
    let mover = position_at(rulebook, number)?;
    // What lies past the target is never told of: nobody is left there, whatever landing there does.
    let landing =
        rulebook.landing(&mover, number.into()).filter(|landing| landing.ending != Ending::Overshot);
    match landing.map(|outcome| Value::of(outcome, mover.turn())) {
        Some(Value::Loss) => return Some(Fails::Loses),
        Some(Value::Win | Value::Draw) => return None,
        None => {}
    }
    match chart.verdict(i128::from(number)).map(|verdict| verdict.value) {
        _ if !can_be_left(rulebook, chart, number) => Some(Fails::NotLeft),
        None => Some(Fails::NotLeft),
        Some(Value::Win) => Some(Fails::TheyWin),
        Some(Value::Draw) => Some(Fails::TheyHold),
        Some(Value::Loss) => None,
    }
}

/// Whether some move from some number lands on this one.
fn can_be_left(rulebook: &Rulebook, chart: &Chart, stone: i64) -> bool {
    let (start, _) = rulebook.start();
    let on_turn = |from: i64| from == start || chart.verdict(i128::from(from)).is_some();
    let lands = |from: i64| moves(rulebook, from).into_iter().any(|next| next == Next::On(stone));
    rulebook.moves().iter().any(|entry| {
        let from = entry.operation.comes_from(stone.into()).and_then(|from| i64::try_from(from).ok());
        from.is_some_and(|from| on_turn(from) && lands(from))
    })
}

#[derive(PartialEq, Eq)]
enum Next {
    On(i64),
    Over(Value),
}

/// What the moves from a number lead to.
fn moves(rulebook: &Rulebook, number: i64) -> Vec<Next> {
    let Some(position) = position_at(rulebook, number) else { return vec![] };
    let next =
        |a_move| match (rulebook.ends_at_once(&position, a_move), rulebook.play(&position, a_move).ok()?) {
            (Some(outcome), _) => Some(Next::Over(Value::of(outcome, Player::One))),
            (None, Step::On(next)) => Some(Next::On(next.number())),
            (None, Step::Over { .. }) => None,
        };
    rulebook.situation(&position).moves().filter_map(next).collect()
}

enum Followed {
    /// Every line ends with the follower winning.
    Wins,
    /// Somewhere the idea has nothing to say.
    Stops,
    /// Some line never ends.
    Circles,
}

/// Plays the idea out against everything: the follower wins at once where that can be done, and else leaves any of
/// the numbers; the other player does whatever they like.
fn follow(
    rulebook: &Rulebook,
    numbers: &BTreeSet<i64>,
    starter: bool,
    budget: &mut Budget<'_>,
) -> Result<Followed, Unsolved> {
    let (start, _) = rulebook.start();
    let mut to_do: Vec<Node> = vec![(start, starter)];
    let mut seen: HashSet<Node> = to_do.iter().copied().collect();
    let mut edges: Vec<(Node, Node)> = Vec::new();
    let mut done = 0;
    while let Some((number, follows)) = to_do.pop() {
        done += 1;
        budget.ask(done, PATIENCE, None)?;
        let leads = moves(rulebook, number);
        let wins = leads.contains(&Next::Over(Value::Win));
        if follows && wins {
            continue;
        }
        let mut goes_on = false;
        for next in leads {
            if let Next::On(next) = next
                && (!follows || numbers.contains(&next))
            {
                goes_on = true;
                edges.push(((number, follows), (next, !follows)));
                if seen.insert((next, !follows)) {
                    to_do.push((next, !follows));
                }
            }
        }
        if follows && !goes_on {
            return Ok(Followed::Stops);
        }
    }
    Ok(if has_circle(&seen, &edges) { Followed::Circles } else { Followed::Wins })
}

/// A number, and whether the follower is on turn there.
type Node = (i64, bool);

/// Whether what is left after taking away, again and again, whatever nothing leads to, is not nothing.
fn has_circle(nodes: &HashSet<Node>, edges: &[(Node, Node)]) -> bool {
    use std::collections::HashMap;
    let mut incoming: HashMap<Node, usize> = nodes.iter().map(|node| (*node, 0)).collect();
    let mut outgoing: HashMap<Node, Vec<Node>> = HashMap::new();
    for (from, to) in edges {
        *incoming.entry(*to).or_default() += 1;
        outgoing.entry(*from).or_default().push(*to);
    }
    let mut free: Vec<Node> =
        incoming.iter().filter(|(_, count)| **count == 0).map(|(node, _)| *node).collect();
    let mut taken = 0;
    while let Some(node) = free.pop() {
        taken += 1;
        for next in outgoing.get(&node).into_iter().flatten() {
            if let Some(count) = incoming.get_mut(next) {
                *count -= 1;
                if *count == 0 {
                    free.push(*next);
                }
            }
        }
    }
    taken < nodes.len()
}

/// The answer in words.
pub fn in_words(answer: &Answer) -> String {
    match answer {
        Answer::False { number, why } => match why {
            Fails::TheyWin => format!("Not true: whoever is left {number} can force a win."),
            Fails::TheyHold => format!("Not true: whoever is left {number} can keep you from winning."),
            Fails::Loses => format!("Not true: landing on {number} loses at once."),
            Fails::NotLeft => format!("Not true: nobody can be left {number} in this game."),
        },
        Answer::Complete { starter: true } => {
            "True, and that is all there is to it: whoever starts and follows it always wins.".to_owned()
        }
        Answer::Complete { starter: false } => {
            "True, and that is all there is to it: whoever goes second and follows it always wins.".to_owned()
        }
        Answer::Partial { missing: 0 } => {
            "True, but not the whole story: it does not say what to do everywhere.".to_owned()
        }
        Answer::Partial { missing: 1 } => "True, but not the whole story: 1 number is missing.".to_owned(),
        Answer::Partial { missing } => {
            format!("True, but not the whole story: {missing} numbers are missing.")
        }
        Answer::Circles => {
            "True, but not the whole story: following it, you could go round in circles.".to_owned()
        }
        Answer::NoSeat => {
            "True, but not the whole story: from the opening, nobody can force a win.".to_owned()
        }
        Answer::Nothing => {
            format!("None of these numbers can be left here. An idea looks like: {}.", FORMS.join("; "))
        }
        Answer::NumberDoesNotDecide => {
            "In this game more counts than one number: a number each, earlier choices, uses or passes. \
             Ideas about numbers alone are not tested here."
                .to_owned()
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
        let rulebook = Arc::new(Draft::read("idea", &text).build().unwrap());
        let mut budget = Budget { bytes: 1 << 24, keep_going: &mut |_| true };
        test(&idea.parse().unwrap(), &rulebook, &mut budget).unwrap()
    }

    #[test]
    fn the_four_answers() {
        let race = |idea: &str| test_in("['+1..4']", "", idea);
        assert_eq!(race("leave 3 8 13 18"), Answer::Complete { starter: true });
        assert_eq!(race("every 5 from 3"), Answer::Complete { starter: true });
        assert_eq!(race("leave 3 8 and leave 13, 18"), Answer::Complete { starter: true });
        assert_eq!(race("leave 13 18"), Answer::Partial { missing: 2 });
        assert_eq!(race("leave 3 8 13 18 23"), Answer::Complete { starter: true });
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
    fn it_says_where_the_number_does_not_decide() {
        assert_eq!(test_in("['+1', '+2']", "no_repeat = 'own'", "3"), Answer::NumberDoesNotDecide);
        assert_eq!(test_in("['+1', '+2']", "numbers = 'separate'", "3"), Answer::NumberDoesNotDecide);
        assert_eq!(test_in("['+1', {op = '+2', uses = 3}]", "", "3"), Answer::NumberDoesNotDecide);
    }
}
