//! Everything there is to say about a rule book file: its errors, its variants' errors, and what is odd.

use std::collections::HashSet;

use super::draft::Draft;
use super::source::{Located, Place, Problem, Severity, quotable};
use super::{Numbers, Rulebook};
use crate::engine::play::Situation;
use crate::engine::position::Player;

/// How many steps the search for oddities takes, in a file and its variants together, before it gives up and
/// stays silent.
const PATIENCE: usize = 200_000;

/// Checks a rule book's text and each of its variants; tells every problem once.
#[must_use]
pub fn check(draft: &Draft) -> Vec<Problem> {
    let mut told = Told::default();
    for problem in &draft.problems {
        told.tell(problem.clone(), None);
    }
    let readable = draft.problems.iter().all(|problem| problem.severity != Severity::Error);
    let mut patience = PATIENCE;
    let mut look_at = |layered: &Draft, variant: Option<&str>| {
        let problems = match layered.build() {
            Ok(rulebook) if readable => oddities(&rulebook, layered, &mut patience),
            Ok(_) => Vec::new(),
            Err(problems) => problems.into(),
        };
        for problem in problems {
            told.tell(problem, variant);
        }
    };
    // What was wrong in reading has been told, for the variants too.
    let file = Draft { problems: Vec::new(), variants: Vec::new(), ..draft.clone() };
    look_at(&file, None);
    for (name, variant) in &draft.variants {
        look_at(&file.clone().extended_by(variant.clone()), Some(name));
    }
    told.problems
}

/// Problems in order, each just once.
#[derive(Default)]
struct Told {
    problems: Vec<Problem>,
    known: HashSet<(Place, String)>,
}

impl Told {
    fn tell(&mut self, problem: Problem, variant: Option<&str>) {
        if !self.known.insert((problem.place.clone(), problem.message.clone())) {
            return;
        }
        self.problems.push(match variant {
            Some(name) => {
                Problem { message: format!("{}, in the variant \"{name}\"", problem.message), ..problem }
            }
            None => problem,
        });
    }
}

/// How many numbers a warning lists.
const MOST_LISTED: usize = 20;

/// What makes a valid book odd: it can be played, but hardly as its author meant it.
fn oddities(rulebook: &Rulebook, draft: &Draft, patience: &mut usize) -> Vec<Problem> {
    let mut odd = Vec::new();
    let place_of = |place: Option<&Place>| place.or(draft.whole.as_ref()).cloned();

    if let Situation::Over(_) | Situation::Skip = rulebook.situation(&rulebook.opening(Player::One))
        && let Some(place) = place_of(draft.moves.as_ref().map(|moves| &moves.place))
    {
        odd.push(Problem::warning(place, "whoever starts has no legal move at once"));
    }
    let labels: Vec<String> = rulebook.moves().iter().map(|entry| entry.label().to_lowercase()).collect();
    for (index, label) in labels.iter().enumerate() {
        if labels[..index].contains(label)
            && let Some(place) = place_of(draft.moves.as_ref().map(|moves| &moves.place))
        {
            let message =
                format!("two moves are called \"{}\": the name alone will not choose one", quotable(label));
            odd.push(Problem::warning(place, message));
        }
    }
    let Some(landed) = landings(rulebook, patience) else { return odd };
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
        let list = Located { value: &list.value.list.integers, place: list.place.clone() };
        *patience = patience.saturating_sub(list.value.len());
        // What happens past the target is decided before the lists of winning and losing numbers are looked at.
        let matters = |number: i128| {
            landed.contains(&number) && (key == "forbidden" || !rulebook.passes_target(number))
        };
        let idle: Vec<String> =
            list.value.iter().filter(|number| !matters(i128::from(**number))).map(i64::to_string).collect();
        if !idle.is_empty() {
            let mut listed = idle[..idle.len().min(MOST_LISTED)].join(", ");
            if let Some(more @ 1..) = idle.len().checked_sub(MOST_LISTED) {
                listed.push_str(&format!(" and {more} more"));
            }
            let message = format!("`{key}` lists {listed}, where that never matters");
            odd.push(Problem::warning(list.place.clone(), message));
        }
    }
    odd
}

/// Every number that some move could land on, if only the number decided and nothing was forbidden: more than
/// play can reach, so what is missing is surely out of reach. `None` if they are too many for the patience left.
fn landings(rulebook: &Rulebook, patience: &mut usize) -> Option<HashSet<i128>> {
    let (starter, other) = rulebook.start();
    let mut open = vec![starter];
    if rulebook.numbers() == Numbers::Separate {
        open.push(other);
    }
    let mut seen: HashSet<i64> = open.iter().copied().collect();
    let mut landed = HashSet::new();
    while let Some(number) = open.pop() {
        for operation in rulebook.moves().iter().flat_map(|entry| entry.operations_at(number)) {
            *patience = patience.checked_sub(1)?;
            let Some(result) = operation.apply(number) else { continue };
            if rulebook.is_within_bounds(result).is_err() {
                continue;
            }
            landed.insert(result);
            let Ok(next) = i64::try_from(result) else { continue };
            if rulebook.goes_on_at(result) && seen.insert(next) {
                open.push(next);
            }
        }
    }
    Some(landed)
}
