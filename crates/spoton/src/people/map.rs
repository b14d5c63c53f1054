//! The map of a game: what it is worth to be on turn at each number, as far as numbers can tell.
//!
//! [`SolvedGame::map`](super::solved_game::SolvedGame::map) chooses the picture that fits the game; the words for it are in [`words::map`](crate::words::map).
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::Draft;
//! use spoton::people::map::{Map, Mark};
//! use spoton::people::solved_game::SolvedGame;
//! use spoton::solver::Budget;
//!
//! let text = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'";
//! let game = SolvedGame::new(Arc::new(Draft::read("five.toml", text).build().unwrap()));
//! let map = game.map(None, &mut Budget::patient(1 << 20))?;
//! let Map::Strip { lowest, marks, .. } = map else { panic!("a strip") };
//! assert_eq!(lowest, 0);
//! let letters: String = marks.into_iter().map(Mark::letter).collect();
//! assert_eq!(letters, "++o++"); // leave 2, and then reach 5
//! # Ok::<(), spoton::solver::Unsolved>(())
//! ```

use std::collections::BTreeMap;

use crate::engine::position::{Choice, Position};
use crate::format::{Direction, NoRepeat, Numbers, Rulebook};
use crate::solver::chart::Chart;
use crate::solver::{self, Budget, Unsolved, Value, Verdict};
use crate::words::phrases;

/// What a number, or a square, shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Whoever is on turn here can force a win.
    Win,
    /// A stepping stone: whoever is on turn here cannot help losing.
    Stone,
    /// Neither can force a win.
    Draw,
    /// It depends on what was chosen or used before.
    Depends,
    /// Nobody is ever on turn here.
    Nobody,
}

impl Mark {
    /// Every mark, in the order in which they are explained.
    pub const ALL: [Mark; 5] = [Mark::Win, Mark::Stone, Mark::Draw, Mark::Depends, Mark::Nobody];

    fn of(value: Value) -> Mark {
        match value {
            Value::Win => Mark::Win,
            Value::Loss => Mark::Stone,
            Value::Draw => Mark::Draw,
        }
    }

    /// What two positions at the same place come to.
    fn with(self, value: Value) -> Mark {
        if self == Mark::of(value) { self } else { Mark::Depends }
    }

    /// The letter that stands for it wherever there are only letters.
    pub fn letter(self) -> char {
        match self {
            Mark::Win => '+',
            Mark::Stone => 'o',
            Mark::Draw => '=',
            Mark::Depends => '*',
            Mark::Nobody => '.',
        }
    }

    /// What it means, for people.
    pub fn meaning(self) -> &'static str {
        match self {
            Mark::Win => "whoever is on turn here can force a win",
            Mark::Stone => "a stepping stone: leave the other player here, and you can force a win",
            Mark::Draw => "neither can force a win",
            Mark::Depends => "it depends on what was chosen before",
            Mark::Nobody => "nobody is on turn here",
        }
    }
}

impl Mark {
    /// What it means in a game, for people: what was chosen before is not all that it may depend on.
    pub fn meaning_in(self, rulebook: &Rulebook) -> &'static str {
        let limits = rulebook.passes().is_some() || rulebook.moves().iter().any(|entry| entry.uses.is_some());
        let chosen = rulebook.no_repeat() != NoRepeat::None || limits;
        match (self, rulebook.turns()) {
            (Mark::Depends, Some(_)) if chosen => {
                "it depends on how many turns are left, and on what was chosen before"
            }
            (Mark::Depends, Some(_)) => "it depends on how many turns are left",
            _ => self.meaning(),
        }
    }
}

/// Every number of a game at a glance.
pub enum Map {
    /// Every number of a shared one.
    Strip {
        /// The number that the first mark is about.
        lowest: i64,
        /// What each number shows, from the lowest on.
        marks: Vec<Mark>,
        /// The chart, if the number alone decides.
        chart: Option<Chart>,
    },
    /// A few numbers, far between.
    Scattered(Vec<(i64, Mark)>),
    /// Separate numbers that never touch: the moves from each number to the target.
    Distances(Vec<(i64, u64)>),
    /// Separate numbers that do: one's own down, the other player's across.
    Square {
        /// The numbers along either side, from the lowest on.
        numbers: Vec<i64>,
        /// What each pair shows, one's own number first. A pair that is missing never comes up.
        marks: BTreeMap<(i64, i64), Mark>,
    },
}

/// How many marks are put together between two questions whether to go on.
const PATIENCE: u64 = 1 << 16;

impl Map {
    /// Every number of a chart. The budget is for what is held beside the chart.
    pub(super) fn of_chart(chart: Chart, budget: &mut Budget<'_>) -> Result<Map, Unsolved> {
        let numbers = chart.highest().abs_diff(chart.lowest()) as usize + 1;
        budget.require(0, numbers as u128, size_of::<Mark>() as u64)?;
        let mut marks = Vec::with_capacity(numbers);
        for (_, verdict) in chart.numbers() {
            marks.push(verdict.map_or(Mark::Nobody, |verdict| Mark::of(verdict.value)));
            budget.ask(marks.len() as u64, PATIENCE, None)?;
        }
        Ok(Map::Strip { lowest: chart.lowest(), marks, chart: Some(chart) })
    }

    /// What the numbers of all positions come to that can be reached.
    pub(super) fn of_positions(
        rulebook: &Rulebook,
        last: Option<&Last>,
        budget: &mut Budget<'_>,
    ) -> Result<Map, Unsolved> {
        let survey = solver::survey(rulebook, budget)?;
        let fitting = survey.filter(|(position, _)| last.is_none_or(|last| last.fits(position)));
        Ok(if rulebook.numbers() == Numbers::Shared { strip(fitting) } else { square(fitting) })
    }

    /// How many places there are: numbers of a list, or pairs of a square.
    pub fn places(&self) -> usize {
        match self {
            Map::Strip { marks, .. } => marks.len(),
            Map::Scattered(list) => list.len(),
            Map::Distances(list) => list.len(),
            Map::Square { numbers, .. } => numbers.len() * numbers.len(),
        }
    }

    /// Where a number of a list stands, from 0; `None` if it is not in the list, or this is a square.
    pub fn place_of(&self, wanted: i64) -> Option<usize> {
        match self {
            Map::Strip { lowest, marks, .. } => {
                usize::try_from(wanted.saturating_sub(*lowest)).ok().filter(|index| *index < marks.len())
            }
            Map::Scattered(list) => list.iter().position(|(number, _)| *number == wanted),
            Map::Distances(list) => list.iter().position(|(number, _)| *number == wanted),
            Map::Square { .. } => None,
        }
    }

    /// How many moves the game lasts from a number if both play their best; `None` if that is not known from the
    /// number alone.
    pub fn remoteness(&self, number: i64) -> Option<u64> {
        match self {
            Map::Strip { chart: Some(chart), .. } => chart.verdict(i128::from(number))?.remoteness(),
            _ => None,
        }
    }

    /// What a pair of a square shows, one's own number first.
    pub fn pair(&self, own: i64, other: i64) -> Mark {
        match self {
            Map::Square { marks, .. } => marks.get(&(own, other)).copied().unwrap_or(Mark::Nobody),
            _ => Mark::Nobody,
        }
    }

    /// The marks that can be seen, each once, in the order in which they are explained.
    pub fn marks(&self, cover: Option<&Cover>) -> Vec<Mark> {
        let mut seen = [false; Mark::ALL.len()];
        let mut see = |mark: Mark| seen[mark as usize] = true;
        match self {
            Map::Strip { marks, .. } => {
                let is_open = |index| cover.is_none_or(|cover| !cover.hides(index, marks.len()));
                let open = marks.iter().enumerate().filter(|(index, _)| is_open(*index));
                open.for_each(|(_, mark)| see(*mark));
            }
            Map::Scattered(list) => list.iter().for_each(|(_, mark)| see(*mark)),
            Map::Distances(_) => {}
            Map::Square { numbers, marks } => {
                marks.values().for_each(|mark| see(*mark));
                if marks.len() < numbers.len() * numbers.len() {
                    see(Mark::Nobody);
                }
            }
        }
        Mark::ALL.into_iter().filter(|mark| seen[*mark as usize]).collect()
    }
}

fn strip(survey: impl Iterator<Item = (Position, Verdict)>) -> Map {
    // Numbers that nobody is ever on turn at have their place in a strip, as long as they are not most of it.
    const ALWAYS: u64 = 200;
    let marks: Vec<(i64, Mark)> = marks_by(survey, Position::number).into_iter().collect();
    let (Some((lowest, _)), Some((highest, _))) = (marks.first(), marks.last()) else {
        return Map::Scattered(marks);
    };
    let (lowest, highest) = (*lowest, *highest);
    if highest.abs_diff(lowest) >= 4 * marks.len() as u64 + ALWAYS {
        return Map::Scattered(marks);
    }
    let mut strip = vec![Mark::Nobody; highest.abs_diff(lowest) as usize + 1];
    for (number, mark) in marks {
        strip[number.abs_diff(lowest) as usize] = mark;
    }
    Map::Strip { lowest, marks: strip, chart: None }
}

fn square(survey: impl Iterator<Item = (Position, Verdict)>) -> Map {
    let pair = |position: &Position| {
        let turn = position.turn();
        (position.number_of(turn), position.number_of(!turn))
    };
    let marks = marks_by(survey, pair);
    let mut numbers: Vec<i64> = marks.keys().flat_map(|(own, other)| [*own, *other]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    Map::Square { numbers, marks }
}

/// What all positions at the same place come to.
fn marks_by<K: Ord>(
    survey: impl Iterator<Item = (Position, Verdict)>,
    place: impl Fn(&Position) -> K,
) -> BTreeMap<K, Mark> {
    let mut marks = BTreeMap::new();
    for (position, verdict) in survey {
        let of = |mark: &mut Mark| *mark = mark.with(verdict.value);
        marks.entry(place(&position)).and_modify(of).or_insert(Mark::of(verdict.value));
    }
    marks
}

/// What the players chose last, as the player on turn sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Last {
    own: Option<Choice>,
    other: Option<Choice>,
}

/// Why it is not known what was chosen last.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadLast {
    /// It makes no difference.
    #[error("this game does not look at what was chosen last")]
    MakesNoDifference,
    /// It is not written as two moves of the game.
    #[error("two moves are needed, one's own and the other player's, each of them {} or - for none", phrases::or_list(.moves))]
    NotMoves {
        /// The moves that there are.
        moves: Vec<String>,
    },
}

impl Last {
    /// Reads one's own last move and the other player's, such as `+1,x2`; `-` stands for none.
    ///
    /// # Errors
    ///
    /// If the game does not look at them, or these are not two of its moves.
    pub fn read(text: &str, rulebook: &Rulebook) -> Result<Last, BadLast> {
        if rulebook.no_repeat() == NoRepeat::None {
            return Err(BadLast::MakesNoDifference);
        }
        let find = |word: &str| match word.trim() {
            "-" => Some(None),
            word => {
                let word = word.to_lowercase().replace(['*', '×'], "x");
                word.parse().ok().and_then(|operation| rulebook.choice(operation)).map(Some)
            }
        };
        let read = || {
            let (own, other) = text.split_once(',')?;
            Some(Last { own: find(own)?, other: find(other)? })
        };
        read().ok_or_else(|| BadLast::NotMoves { moves: rulebook.written_entries() })
    }

    fn fits(&self, position: &Position) -> bool {
        let turn = position.turn();
        position.last_of(turn) == self.own && position.last_of(!turn) == self.other
    }
}

/// What lies over a strip while its players want to find out for themselves: it is taken away a number at a time,
/// from the target backwards.
///
/// ```
/// use spoton::format::Draft;
/// use spoton::people::map::Cover;
///
/// let text = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']";
/// let rulebook = Draft::read("five.toml", text).build().unwrap();
/// let cover = Cover::new(&rulebook, 0).uncovered();
/// assert!(cover.hides(3, 5) && !cover.hides(4, 5)); // of 0 to 4, the last is seen
/// assert_eq!(cover.next(5), Some(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cover {
    /// How many numbers lie open, from the target backwards.
    open: usize,
    /// Whether the target lies at the high end.
    climbs: bool,
}

impl Cover {
    /// The cover of a game's strip, of which so many numbers have been uncovered.
    pub fn new(rulebook: &Rulebook, open: usize) -> Cover {
        Cover { open, climbs: rulebook.direction() != Some(Direction::Countdown) }
    }

    /// How many numbers lie open.
    pub fn open(&self) -> usize {
        self.open
    }

    /// The same with one more number uncovered.
    #[must_use]
    pub fn uncovered(self) -> Cover {
        Cover { open: self.open.saturating_add(1), ..self }
    }

    /// Whether the number at this place of a strip of so many cannot be seen.
    pub fn hides(&self, index: usize, count: usize) -> bool {
        if self.climbs { index.saturating_add(self.open) < count } else { index >= self.open }
    }

    /// The place of the number that is uncovered next; `None` if all of them are.
    pub fn next(&self, count: usize) -> Option<usize> {
        let left = count.checked_sub(self.open)?.checked_sub(1)?;
        Some(if self.climbs { left } else { self.open })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Draft;

    fn rulebook(keys: &str) -> Rulebook {
        let text = format!("title = 'T'\nstart = 0\ntarget = 5\nmoves = ['+1', 'x2']\n{keys}");
        Draft::read("t", &text).build().unwrap()
    }

    #[test]
    fn what_was_chosen_last_is_read_or_refused() {
        let looks = rulebook("no_repeat = 'both'");
        let read = |text: &str| Last::read(text, &looks);
        assert_eq!(read("+1,*2"), read(" +1 , X2 "));
        assert_eq!(read("-,-").unwrap(), Last { own: None, other: None });
        for wrong in ["", "+1", "+1,+3", "+1,x2,-"] {
            let moves = vec!["+1".to_owned(), "x2".to_owned()];
            assert_eq!(read(wrong), Err(BadLast::NotMoves { moves }), "{wrong}");
        }
        assert_eq!(Last::read("-,-", &rulebook("")), Err(BadLast::MakesNoDifference));
    }

    #[test]
    fn a_cover_is_taken_away_from_the_target_backwards() {
        let down =
            Draft::read("t", "title = 'T'\nstart = 5\ntarget = 0\nmoves = ['-1', '-2']").build().unwrap();
        for (book, order) in [(rulebook(""), [3, 2, 1, 0]), (down, [0, 1, 2, 3])] {
            let mut cover = Cover::new(&book, 0);
            for place in order {
                assert_eq!(cover.next(4), Some(place));
                assert!(cover.hides(place, 4));
                cover = cover.uncovered();
                assert!(!cover.hides(place, 4));
            }
            assert_eq!(cover.next(4), None);
            assert_eq!(cover.open(), 4);
        }
    }
}
