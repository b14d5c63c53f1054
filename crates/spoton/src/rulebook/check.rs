//! Everything there is to say about a rule book file: its errors, its variants' errors, and what is odd.

use std::collections::HashSet;

use super::draft::Draft;
use super::source::{Place, Problem, quotable};
use super::{Numbers, Past, Rulebook};
use crate::play::Situation;
use crate::position::Player;

/// How many numbers are looked at before the search for oddities gives up and stays silent.
const MOST_NUMBERS: usize = 100_000;

/// Checks a rule book's text and each of its variants; tells every problem once.
pub fn check(draft: &Draft) -> Vec<Problem> {
    let mut told: Vec<Problem> = Vec::new();
    let names: Vec<&str> = draft.variants().collect();
    let with_variants = names.iter().map(|name| (Some(*name), draft.clone().variant(name)));
    for (variant, layered) in std::iter::once((None, Ok(draft.clone()))).chain(with_variants) {
        let Ok(layered) = layered else { continue };
        let problems = match layered.finish() {
            Ok(rulebook) => oddities(&rulebook, &layered),
            Err(problems) => problems,
        };
        for problem in problems {
            if told.iter().any(|known| known.place == problem.place && same_message(known, &problem)) {
                continue;
            }
            let from_variant = variant.filter(|_| !draft.problems.contains(&problem));
            told.push(match from_variant {
                Some(name) => {
                    Problem { message: format!("{}{IN_VARIANT}\"{name}\"", problem.message), ..problem }
                }
                None => problem,
            });
        }
    }
    told
}

const IN_VARIANT: &str = ", in the variant ";

fn same_message(known: &Problem, problem: &Problem) -> bool {
    known.message == problem.message
        || known.message.split_once(IN_VARIANT).is_some_and(|(message, _)| message == problem.message)
}

/// What makes a valid book odd: it can be played, but hardly as its author meant it.
fn oddities(rulebook: &Rulebook, draft: &Draft) -> Vec<Problem> {
    let mut odd = Vec::new();
    let place_of = |place: Option<&Place>| place.or(draft.whole.as_ref()).cloned();

    if let Situation::Over(_) | Situation::Skip = rulebook.situation(&rulebook.opening(Player::One))
        && let Some(place) = place_of(draft.moves.as_ref().map(|moves| &moves.place))
    {
        odd.push(Problem::warning(place, "whoever starts has no legal move at once"));
    }
    let labels: Vec<String> = rulebook.moves().iter().map(|rule| rule.label().to_lowercase()).collect();
    for (index, label) in labels.iter().enumerate() {
        if labels[..index].contains(label)
            && let Some(place) = place_of(draft.moves.as_ref().map(|moves| &moves.place))
        {
            let message =
                format!("two moves are called \"{}\": the name alone will not choose one", quotable(label));
            odd.push(Problem::warning(place, message));
        }
    }
    let Some(landed) = landings(rulebook) else { return odd };
    if let (Some(target), Some(place)) =
        (rulebook.target(), place_of(draft.target.as_ref().map(|t| &t.place)))
        && !landed.contains(&i128::from(target))
    {
        odd.push(Problem::warning(place, format!("no moves ever land on the target {target}")));
    }
    for (key, list) in
        [("winning", &draft.winning), ("losing", &draft.losing), ("forbidden", &draft.forbidden)]
    {
        let Some(list) = list else { continue };
        // What happens past the target is decided before the lists of winning and losing numbers are looked at.
        let matters = |number: i128| {
            landed.contains(&number) && (key == "forbidden" || !rulebook.passes_target(number))
        };
        let idle: Vec<String> =
            list.value.iter().filter(|number| !matters(i128::from(**number))).map(i64::to_string).collect();
        if !idle.is_empty() {
            let message = format!("`{key}` lists {}, where that never matters", idle.join(", "));
            odd.push(Problem::warning(list.place.clone(), message));
        }
    }
    odd
}

/// Every number that some move could land on, if only the number decided and nothing was forbidden: more than
/// play can reach, so what is missing is surely out of reach. Nothing where there are too many.
fn landings(rulebook: &Rulebook) -> Option<HashSet<i128>> {
    let (starter, other) = rulebook.start();
    let mut open = vec![starter];
    if rulebook.numbers() == Numbers::Separate {
        open.push(other);
    }
    let mut seen: HashSet<i64> = open.iter().copied().collect();
    let mut landed = HashSet::new();
    let (low, high) = rulebook.range();
    while let Some(number) = open.pop() {
        for rule in rulebook.moves() {
            let Some(result) = rule.operation.apply(number) else { continue };
            let past = rulebook.passes_target(result);
            let inside = (i128::from(low)..=i128::from(high)).contains(&result);
            if if past { rulebook.past() == Past::Forbidden } else { !inside } {
                continue;
            }
            landed.insert(result);
            if landed.len() > MOST_NUMBERS {
                return None;
            }
            let Ok(next) = i64::try_from(result) else { continue };
            let goes_on = !past
                && Some(next) != rulebook.target()
                && [rulebook.winning(), rulebook.losing(), rulebook.forbidden()]
                    .iter()
                    .all(|list| list.binary_search(&next).is_err());
            if goes_on && seen.insert(next) {
                open.push(next);
            }
        }
    }
    Some(landed)
}
