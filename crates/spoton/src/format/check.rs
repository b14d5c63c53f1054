//! Everything there is to say about a rule book file: its errors, its variants' errors, and what is odd.

use std::collections::HashSet;

use super::draft::Draft;
use super::source::{Place, Problem, Severity};
use super::{Numbers, Rulebook, Stuck};
use crate::engine::play::Situation;
use crate::engine::position::Player;
use crate::words::phrases;

mod entries;
mod lists;
mod texts;

/// How many steps the search for oddities takes, in a file and its variants together, before it gives up and
/// stays silent.
const PATIENCE: usize = 200_000;

/// Checks a rule book's text and each of its variants; tells every problem once.
#[must_use]
pub fn check(draft: &Draft) -> Vec<Problem> {
    check_while(draft, &mut || true).unwrap_or_default()
}

/// The same as long as the caller wants to go on, who is asked before each variant; `None` if not.
pub fn check_while(draft: &Draft, keep_going: &mut dyn FnMut() -> bool) -> Option<Vec<Problem>> {
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
        if !keep_going() {
            return None;
        }
        look_at(&file.clone().extended_by(variant.clone()), Some(name));
    }
    Some(told.problems)
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

/// What makes a valid book odd: it can be played, but hardly as its author meant it.
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
    let reach = Reach::of(rulebook, patience);
    odd.extend(entries::never_used(rulebook, draft, reach.as_ref()));
    odd.extend(lists::overlaps(rulebook, draft, patience));
    if let (Some(target), Some(place), Some(reach)) =
        (rulebook.target(), place_of(draft.target.as_ref().map(|t| &t.place)), &reach)
        && !reach.landed.contains(&i128::from(target))
    {
        odd.push(Problem::warning(place, format!("no moves ever land on the target {target}")));
    }
    odd.extend(lists::idle(rulebook, draft, reach.as_ref(), patience));
    odd
}

/// What comes of an opening in which the first player has no legal move; `None` if they have one.
fn no_first_move(rulebook: &Rulebook) -> Option<&'static str> {
    match rulebook.situation(&rulebook.opening(Player::One)) {
        Situation::Choose(_) => None,
        Situation::Skip => Some("the first player can't move, so their first turn is skipped"),
        Situation::Over(_) => Some(match rulebook.stuck() {
            Stuck::Skips | Stuck::Closest => "neither player can move, so nobody can play this game",
            Stuck::Loses | Stuck::Wins | Stuck::Draws => {
                "the first player can't move, so nobody can play this game"
            }
        }),
    }
}

impl Rulebook {
    /// One sentence on why nobody can play this book, valid as it is; `None` if a round has at least one move.
    ///
    /// ```
    /// let text = "title = 'My Game'\nstart = 50\ntarget = 20\nmoves = ['+1', 'x2']";
    /// let book = spoton::format::Draft::read("my-game.toml", text).build()?;
    /// assert_eq!(book.unplayable().as_deref(), Some("The first player can't move, so nobody can play this game."));
    /// # Ok::<(), spoton::format::Problems>(())
    /// ```
    pub fn unplayable(&self) -> Option<String> {
        self.over_at(&self.opening(Player::One))?;
        no_first_move(self).map(|what| format!("{}.", phrases::capitalised(what)))
    }
}

/// Where moves could lead if only the number decided and nothing was forbidden: further than play gets, so what is missing
/// is surely out of reach.
struct Reach {
    /// The numbers that somebody could have on turn.
    passed: HashSet<i64>,
    /// Those that some move could land on.
    landed: HashSet<i128>,
}

impl Reach {
    /// `None` if there are too many numbers for the patience left.
    fn of(rulebook: &Rulebook, patience: &mut usize) -> Option<Reach> {
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
