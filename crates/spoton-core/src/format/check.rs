//! Checks a rule book file: errors, errors in variants, and warnings.

use std::collections::HashSet;

use super::draft::Draft;
use super::source::{Place, Problem, Severity};
use super::{Numbers, Rulebook, Stuck};
use crate::engine::play::Situation;
use crate::engine::position::Player;
use crate::text;

mod entries;
mod lists;
mod texts;

/// Step limit for warnings about a file and its variants. Beyond it, the search gives up without a warning.
const PATIENCE: usize = 200_000;

/// Checks a rule book and each of its variants. Reports every problem once.
#[must_use]
pub fn check(draft: &Draft) -> Vec<Problem> {
    check_while(draft, &mut || true).unwrap_or_default()
}

/// Like [`check`], but calls `keep_going` before each variant. Returns `None` if that returns false.
pub fn check_while(draft: &Draft, keep_going: &mut dyn FnMut() -> bool) -> Option<Vec<Problem>> {
    let mut list = ProblemList::default();
    for problem in &draft.problems {
        list.push(problem.clone(), None);
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
            list.push(problem, variant);
        }
    };
    // Reading problems are already reported, for the variants too.
    let file = Draft { problems: Vec::new(), variants: Vec::new(), ..draft.clone() };
    look_at(&file, None);
    for (name, variant) in &draft.variants {
        if !keep_going() {
            return None;
        }
        look_at(&file.clone().extended_by(variant.clone()), Some(name));
    }
    Some(list.problems)
}

/// Problems in order, without duplicates.
#[derive(Default)]
struct ProblemList {
    problems: Vec<Problem>,
    known: HashSet<(Place, String)>,
}

impl ProblemList {
    fn push(&mut self, problem: Problem, variant: Option<&str>) {
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

/// Warnings about a valid book that probably isn't what its author intended.
fn oddities(rulebook: &Rulebook, draft: &Draft, patience: &mut usize) -> Vec<Problem> {
    let mut odd = Vec::new();
    let place_of = |place: Option<&Place>| place.or(draft.whole.as_ref()).cloned();

    if let Some(what) = no_first_move(rulebook)
        && let Some(place) = place_of(draft.moves.as_ref().map(|moves| &moves.place))
    {
        odd.push(Problem::warning(place, what));
    }
    odd.extend(entries::called_alike(draft));
    odd.extend(entries::labels_read_otherwise(rulebook, draft));
    odd.extend(texts::unknown_placeholders(draft));
    let reach = Reach::search(rulebook, patience);
    odd.extend(entries::never_used(rulebook, draft, reach.as_ref()));
    odd.extend(lists::overlaps(rulebook, draft, patience));
    if let (Some(target), Some(place), Some(reach)) =
        (rulebook.target(), place_of(draft.target.as_ref().map(|t| &t.place)), &reach)
        && !reach.landed.contains(&i128::from(target))
    {
        odd.push(Problem::warning(place, format!("no sequence of moves lands on the target {target}")));
    }
    odd.extend(lists::idle(rulebook, draft, reach.as_ref(), patience));
    odd
}

/// A warning if the first player has no legal move in the opening.
fn no_first_move(rulebook: &Rulebook) -> Option<&'static str> {
    match rulebook.situation(&rulebook.opening(Player::One)) {
        Situation::Choose(_) => None,
        Situation::Skip => Some("the first player can't move, so their first turn is skipped"),
        Situation::Over(_) => Some(match rulebook.stuck() {
            Stuck::Skips | Stuck::Closest => "neither player can move, so this game can't be played",
            Stuck::Loses | Stuck::Wins | Stuck::Draws => {
                "the first player can't move, so this game can't be played"
            }
        }),
    }
}

impl Rulebook {
    /// Explains in one sentence why this valid book can't be played. Returns `None` if a round has at least
    /// one move.
    ///
    /// ```
    /// let text = "title = 'My Game'\nstart = 50\ntarget = 20\nmoves = ['+1', 'x2']";
    /// let book = spoton::format::Draft::read("my-game.toml", text).build()?;
    /// assert_eq!(book.unplayable().as_deref(), Some("The first player can't move, so this game can't be played."));
    /// # Ok::<(), spoton::format::Problems>(())
    /// ```
    pub fn unplayable(&self) -> Option<String> {
        self.over_at(&self.opening(Player::One))?;
        no_first_move(self).map(|what| format!("{}.", text::capitalised(what)))
    }
}

impl Draft {
    /// The variants that can't be played, each with its [`Rulebook::unplayable`] explanation. Skips variants
    /// with errors.
    pub fn unplayable_variants(&self) -> Vec<(String, String)> {
        // Cloning the file once keeps a book with many variants fast.
        let file = Draft { variants: Vec::new(), ..self.clone() };
        let unplayable = |(name, variant): &(String, Draft)| {
            let rulebook = file.clone().extended_by(variant.clone()).build().ok()?;
            Some((name.clone(), rulebook.unplayable()?))
        };
        self.variants.iter().filter_map(unplayable).collect()
    }
}

/// The numbers that moves could reach if only the number decided and nothing was forbidden. A superset of
/// real play, so a number missing here is out of reach.
struct Reach {
    /// The numbers that a player could have on their turn.
    passed: HashSet<i64>,
    /// The numbers that some move could land on.
    landed: HashSet<i128>,
}

impl Reach {
    /// Returns `None` if `patience` runs out.
    fn search(rulebook: &Rulebook, patience: &mut usize) -> Option<Reach> {
        let (starter, other) = rulebook.start();
        let mut open = vec![starter];
        if rulebook.numbers() == Numbers::Separate {
            open.push(other);
        }
        let mut passed: HashSet<i64> = open.iter().copied().collect();
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
                if rulebook.goes_on_at(result) && passed.insert(next) {
                    open.push(next);
                }
            }
        }
        Some(Reach { passed, landed })
    }
}
