//! Builds a [`Draft`] into a [`Rulebook`]: required keys, contradictions and defaults.

use super::draft::{Draft, Settings, Start};
use super::numbers::GivenNumbers;
use super::source::{Located, Place, Problem, Problems, Severity};
use crate::engine::quiet::Quiet;
use crate::engine::rulebook::Rulebook;
use crate::engine::rulebook::Wording;
use crate::engine::rulebook::{
    DEFAULT_REPETITION, Direction, Menu, NoRepeat, Numbers, On, Past, Reach, Stuck,
};
use crate::engine::written::FixedMoves;

mod menus;

pub(super) fn build(draft: &Draft) -> Result<Rulebook, Problems> {
    let mut problems: Vec<Problem> = draft.problems.clone();
    Contradictions { draft, problems: &mut problems }.find();
    let sound = problems.iter().all(|problem| problem.severity != Severity::Error);
    match fill_in(draft) {
        Some(rulebook) if sound => {
            let too_many = menus::problem(&rulebook, draft);
            too_many.map_or(Ok(rulebook), |problem| Err(vec![problem].into()))
        }
        _ => Err(problems.into()),
    }
}

struct Contradictions<'a> {
    draft: &'a Draft,
    problems: &'a mut Vec<Problem>,
}

impl Contradictions<'_> {
    fn find(&mut self) {
        self.required();
        self.starts_and_target();
        self.without_target();
        self.range();
        self.lists();
        self.separate_numbers();
    }

    /// Reports an error about keys that contradict each other. It points at the key set by a command-line
    /// option, if any (the one to change), or else at the first.
    fn error(&mut self, places: &[&Place], message: String) {
        let by_option = places.iter().find(|place| place.source.name.starts_with("--"));
        if let Some(place) = by_option.or(places.first()) {
            self.problems.push(Problem::error((*place).clone(), message));
        }
    }

    fn required(&mut self) {
        let Draft { title, start, moves, broken, whole, .. } = self.draft;
        // An unreadable source already has its own error.
        let Some(whole) = whole else { return };
        let missing = [
            ("title", title.is_none(), "title = \"My Game\""),
            ("start", start.is_none(), "start = 1"),
            ("moves", moves.is_none(), "moves = [\"+1\", \"x2\"]"),
        ];
        for (key, is_missing, example) in missing {
            if is_missing && !broken.contains(key) {
                let problem = Problem::error(whole.clone(), format!("`{key}` is missing"));
                self.problems.push(problem.help(format!("for example, {example}")));
            }
        }
    }

    fn starts_and_target(&mut self) {
        let draft = self.draft;
        let Some(start) = &draft.start else { return };
        let shared = draft.numbers.as_ref().is_none_or(|numbers| numbers.value == Numbers::Shared);
        if shared && matches!(start.value, Start::Pair(..)) && !draft.broken.contains("numbers") {
            let numbers = draft.numbers.as_ref().map(|numbers| &numbers.place);
            self.error(
                &[&start.place].into_iter().chain(numbers).collect::<Vec<_>>(),
                "`start` takes two numbers only with numbers = \"separate\"; a shared number has one start"
                    .to_owned(),
            );
        }
        let Some(target) = &draft.target else { return };
        let places = [&target.place, &start.place];
        let (a, b) = start.value.numbers();
        if target.value == a || target.value == b {
            self.error(
                &places,
                format!("`target` and `start` are both {}; choose another target", target.value),
            );
        } else if (a < target.value) != (b < target.value) {
            self.error(
                &places,
                format!(
                    "both starts must be on the same side of the `target`, but {} is between {a} and {b}",
                    target.value
                ),
            );
        } else if let Some(Settings { direction: Some(before), place: Some(place) }) = &draft.settings
            && draft.direction() != Some(*before)
        {
            let (from, to) = match before {
                Direction::Climb => ("climb", "countdown"),
                Direction::Countdown => ("countdown", "climb"),
            };
            self.error(
                &[place],
                format!(
                    "a setting can't turn a {from} into a {to}: the start is {a}, the target {}",
                    target.value
                ),
            );
        }
    }

    fn without_target(&mut self) {
        let draft = self.draft;
        if draft.target.is_some() || draft.broken.contains("target") {
            return;
        }
        for (key, place) in [
            ("reach", draft.reach.as_ref().map(|reach| &reach.place)),
            ("past", draft.past.as_ref().map(|past| &past.place)),
        ] {
            if let Some(place) = place {
                self.error(&[place], format!("`{key}` needs a `target`"));
            }
        }
        if draft.range.is_none()
            && !draft.broken.contains("range")
            && let Some(whole) = &draft.whole
        {
            let problem =
                Problem::error(whole.clone(), "`target` is missing; without one, `range` is required");
            self.problems.push(problem.help("for example, add target = 20 or range = [0, 20]"));
        }
    }

    fn range(&mut self) {
        let Some(Located { value: (low, high), place }) = &self.draft.range else { return };
        let start = self.draft.start.as_ref().map(|start| start.value.numbers());
        let start_place = self.draft.start.as_ref().map(|start| &start.place);
        let target = self.draft.target.as_ref();
        let inside = [
            ("start", start.map(|(a, _)| a), start_place),
            ("start", start.map(|(_, b)| b), start_place),
            ("target", target.map(|target| target.value), target.map(|target| &target.place)),
        ];
        let mut told = Vec::new();
        for (key, number, given) in inside {
            if let Some(number) = number
                && !(*low..=*high).contains(&number)
                && !told.contains(&number)
            {
                told.push(number);
                self.error(
                    &[place].into_iter().chain(given).collect::<Vec<_>>(),
                    format!("`range` must include the {key}, but {number} is outside {low} to {high}"),
                );
            }
        }
    }

    fn lists(&mut self) {
        let draft = self.draft;
        let lists = [("winning", &draft.winning), ("losing", &draft.losing), ("forbidden", &draft.forbidden)];
        for (index, (key, list)) in lists.iter().enumerate() {
            let Some(list) = list else { continue };
            if let Some(target) = &draft.target
                && list.value.list.integers.contains(&target.value)
            {
                self.error(
                    &[&list.place, &target.place],
                    format!("`{key}` can't include the target {}", target.value),
                );
            }
            for (earlier, other) in &lists[..index] {
                let Some(other) = other else { continue };
                let both = |number: &&i64| other.value.list.integers.binary_search(number).is_ok();
                if let Some(both) = list.value.list.integers.iter().find(both) {
                    self.error(
                        &[&list.place, &other.place],
                        format!("{both} is in both `{earlier}` and `{key}`; remove it from one"),
                    );
                }
            }
        }
    }
}

impl Contradictions<'_> {
    /// Checks the keys that only work with a number for each player.
    fn separate_numbers(&mut self) {
        let draft = self.draft;
        let separate = draft.numbers.as_ref().is_some_and(|numbers| numbers.value == Numbers::Separate);
        let is_known = |key: &str| !draft.broken.contains(key);
        let numbers = draft.numbers.as_ref().map(|numbers| &numbers.place);
        let closest = draft.stuck.as_ref().filter(|stuck| stuck.value == Stuck::Closest);
        for (key, place) in [
            ("stuck = \"closest\"", closest.map(|stuck| &stuck.place)),
            ("turns", draft.turns.as_ref().map(|turns| &turns.place)),
        ] {
            let Some(place) = place else { continue };
            if !separate && is_known("numbers") {
                let places: Vec<&Place> = [place].into_iter().chain(numbers).collect();
                self.error(&places, format!("`{key}` needs numbers = \"separate\""));
            }
            if draft.target.is_none() && is_known("target") {
                self.error(&[place], format!("`{key}` needs a `target`"));
            }
        }
        let Some(moves) = &draft.moves else { return };
        let Some((_, on_other)) = moves.value.iter().find(|(entry, _)| entry.on == On::Other) else { return };
        if !separate && is_known("numbers") {
            let places: Vec<&Place> = [on_other].into_iter().chain(numbers).collect();
            self.error(&places, "`on` = \"other\" needs numbers = \"separate\"".to_owned());
        }
        if let Some(menu) = draft.menu.as_ref().filter(|menu| menu.value == Menu::Questions) {
            self.error(
                &[&menu.place, on_other],
                "`menu` = \"questions\" doesn't work with moves on the other number".to_owned(),
            );
        }
    }
}

/// Fills in the defaults. Returns `None` if a required key is missing.
fn fill_in(draft: &Draft) -> Option<Rulebook> {
    fn given<T: Clone>(key: &Option<Located<T>>) -> Option<T> {
        key.as_ref().map(|located| located.value.clone())
    }
    let numbers_of = |list: &Option<Located<GivenNumbers>>| {
        list.as_ref().map(|list| list.value.list.clone()).unwrap_or_default()
    };
    let start = given(&draft.start)?.numbers();
    let target = given(&draft.target);
    let natural = || {
        let ends = [start.0, start.1, target.unwrap_or(start.0)];
        ends.into_iter().min().zip(ends.into_iter().max())
    };
    let fill = |text: &str| {
        let starts =
            if start.0 == start.1 { start.0.to_string() } else { format!("{} and {}", start.0, start.1) };
        let text = text.replace("{start}", &starts);
        match target {
            Some(target) => text.replace("{target}", &target.to_string()),
            None => text,
        }
    };
    let numbers = given(&draft.numbers).unwrap_or(Numbers::Shared);
    let title = given(&draft.title)?;
    let summary = given(&draft.summary).unwrap_or_default();
    let mut rulebook = Rulebook {
        title: fill(&title),
        summary: fill(&summary),
        title_as_given: title,
        summary_as_given: summary,
        suits: given(&draft.suits),
        notes: given(&draft.notes).unwrap_or_default().iter().map(|note| fill(note)).collect(),
        numbers,
        start,
        target,
        direction: draft.direction(),
        moves: draft.moves.as_ref()?.value.entries.clone(),
        reach: given(&draft.reach).unwrap_or(Reach::Wins),
        past: given(&draft.past).unwrap_or(Past::Loses),
        winning: numbers_of(&draft.winning),
        losing: numbers_of(&draft.losing),
        forbidden: numbers_of(&draft.forbidden),
        range: given(&draft.range).or_else(natural)?,
        no_repeat: given(&draft.no_repeat).unwrap_or(NoRepeat::None),
        passes: given(&draft.passes),
        stuck: given(&draft.stuck).unwrap_or(Stuck::Loses),
        repetition: given(&draft.repetition).unwrap_or(DEFAULT_REPETITION),
        turns: given(&draft.turns),
        claims: given(&draft.claims).unwrap_or_default(),
        match_form: given(&draft.match_form),
        wording: Wording::new(numbers, given(&draft.menu), |sentence| {
            draft.wording.get(&sentence).map(|text| text.value.clone())
        }),
        fixed: FixedMoves::default(),
        quiet: Quiet::default(),
        fingerprint: 0,
    };
    rulebook.fixed = FixedMoves::from_entries(&rulebook.moves);
    rulebook.quiet = Quiet::from_rulebook(&rulebook);
    rulebook.fingerprint = rulebook.find_fingerprint();
    Some(rulebook)
}
