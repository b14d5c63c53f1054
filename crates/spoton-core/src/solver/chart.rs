//! The chart of a game where only the number decides: the value of every number.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::catalog;
//! use spoton::solver::Budget;
//! use spoton::solver::chart::Chart;
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let chart = Chart::from_rulebook(&race, &mut Budget::patient(1 << 20))?.expect("the number alone decides");
//! assert_eq!(chart.stones().collect::<Vec<_>>(), [3, 8, 13, 18]); // the stepping stones
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use super::{Budget, Solver, Unsolved, Value, Verdict, one_way_ends};
use crate::engine::position::{Player, Position};
use crate::format::{NoRepeat, Numbers, Rulebook};

/// All numbers of a game with a shared number and no memory. Clones share the solution.
#[derive(Clone)]
pub struct Chart {
    lowest: i64,
    highest: i64,
    solver: Arc<Solver>,
}

/// A factor besides the number that affects a position's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AlsoDecides {
    /// The opponent's number.
    OtherNumber,
    /// The last moves.
    LastMoves,
    /// The uses of moves.
    Uses,
    /// The passes left.
    Passes,
}

impl AlsoDecides {
    /// In words: `what was chosen before`.
    pub fn in_words(self) -> &'static str {
        match self {
            AlsoDecides::OtherNumber => "each player has a number",
            AlsoDecides::LastMoves => "the last moves count",
            AlsoDecides::Uses => "some moves can be used up",
            AlsoDecides::Passes => "passes are limited",
        }
    }
}

/// The factors besides the number that affect a position's value; empty if only the number does.
pub fn what_else_decides(rulebook: &Rulebook) -> Vec<AlsoDecides> {
    let each = [
        (AlsoDecides::OtherNumber, rulebook.numbers() == Numbers::Separate),
        (AlsoDecides::LastMoves, rulebook.no_repeat() != NoRepeat::None),
        (AlsoDecides::Uses, rulebook.moves().iter().any(|entry| entry.uses.is_some())),
        (AlsoDecides::Passes, rulebook.passes().is_some()),
    ];
    each.into_iter().filter(|(_, decides)| *decides).map(|(what, _)| what).collect()
}

/// Whether only the number affects a position's value: it's shared, and nothing is remembered or limited.
pub fn number_alone_decides(rulebook: &Rulebook) -> bool {
    what_else_decides(rulebook).is_empty()
}

impl Chart {
    /// The chart of a rule book; `None` if anything but the number affects play.
    ///
    /// # Errors
    ///
    /// If it exceeds the budget, or the caller stops it.
    pub fn from_rulebook(
        rulebook: &Arc<Rulebook>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Chart>, Unsolved> {
        if !number_alone_decides(rulebook) {
            return Ok(None);
        }
        let solver = Chart::everywhere(rulebook, budget)?;
        Chart::from_solver(&Arc::new(solver), budget)
    }

    /// A solver for all numbers of a book where only the number decides, reachable or not.
    pub fn everywhere(rulebook: &Arc<Rulebook>, budget: &mut Budget<'_>) -> Result<Solver, Unsolved> {
        if !rulebook.goes_one_way()
            && let Some(solver) = Solver::by_table(Arc::clone(rulebook), budget)?
        {
            return Ok(solver);
        }
        Solver::for_chart(Arc::clone(rulebook), budget)
    }

    /// The chart of a solved game; `None` if anything but the number affects play.
    ///
    /// # Errors
    ///
    /// If the budget can't hold a mark per number.
    pub fn from_solver(solver: &Arc<Solver>, budget: &Budget<'_>) -> Result<Option<Chart>, Unsolved> {
        let rulebook = solver.rulebook();
        if !number_alone_decides(rulebook) {
            return Ok(None);
        }
        let (lowest, highest) = numbers(rulebook);
        budget.require(0, u128::from(highest.abs_diff(lowest)) + 1, 1)?;
        Ok(Some(Chart { lowest, highest, solver: Arc::clone(solver) }))
    }

    /// The chart of a game with too many numbers to iterate; `None` if anything but the number affects play.
    pub fn without_limit(solver: &Arc<Solver>) -> Option<Chart> {
        let (lowest, highest) = numbers(solver.rulebook());
        number_alone_decides(solver.rulebook()).then(|| Chart { lowest, highest, solver: Arc::clone(solver) })
    }

    /// Whether the solution consists of stretches (runs of numbers with one repeating pattern), possibly with
    /// too many numbers to iterate.
    pub(crate) fn has_no_table(&self) -> bool {
        self.solver.has_no_table()
    }

    /// These stretches, if any.
    pub fn stretches(&self, budget: &Budget<'_>) -> Result<Option<Vec<Piece<Option<Value>>>>, Unsolved> {
        self.solver.stretches(None, budget)
    }

    /// The lowest and highest numbers.
    pub fn ends(&self) -> (i64, i64) {
        (self.lowest, self.highest)
    }

    /// The charted rule book.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        self.solver.rulebook()
    }

    /// The lowest number of the chart.
    pub fn lowest(&self) -> i64 {
        self.lowest
    }

    /// The highest number of the chart.
    pub fn highest(&self) -> i64 {
        self.highest
    }

    /// All numbers, with their value to the player to move.
    pub fn numbers(&self) -> impl Iterator<Item = (i64, Option<Verdict>)> {
        (self.lowest..=self.highest).map(|number| (number, self.verdict(i128::from(number))))
    }

    /// The value of a number to the player to move; `None` if no turn happens there: on or past the target,
    /// and on listed numbers.
    pub fn verdict(&self, number: i128) -> Option<Verdict> {
        let number =
            i64::try_from(number).ok().filter(|number| (self.lowest..=self.highest).contains(number))?;
        let rulebook = self.solver.rulebook();
        let position = at(rulebook, number);
        rulebook.goes_on_at(number.into()).then(|| self.solver.verdict(&position))?
    }

    /// The value of the opening to the starting player. Its number may be listed, because only landing
    /// counts.
    pub fn opening(&self) -> Option<Verdict> {
        self.solver.verdict(&self.solver.rulebook().opening(Player::One))
    }

    /// Whether this is a stepping stone: the player to move there can't avoid losing.
    pub fn is_stone(&self, number: i128) -> bool {
        self.verdict(number).is_some_and(|verdict| verdict.value == Value::Loss)
    }

    /// All stepping stones.
    pub fn stones(&self) -> impl Iterator<Item = i64> {
        self.numbers().map(|(number, _)| number).filter(|number| self.is_stone(i128::from(*number)))
    }
}

/// The lowest and highest numbers that a player can have on their turn.
pub fn numbers(rulebook: &Rulebook) -> (i64, i64) {
    if rulebook.goes_one_way() {
        // Numbers behind the start are unreachable.
        return one_way_ends(rulebook);
    }
    rulebook.numbers_on_turn()
}

/// The position at a number, without memory.
fn at(rulebook: &Rulebook, number: i64) -> Position {
    let mut position = rulebook.opening(Player::One);
    for player in Player::BOTH {
        position.numbers[player] = number;
    }
    position
}

/// The position at a number; `None` if anything but the number affects play.
pub fn position_at(rulebook: &Rulebook, number: i64) -> Option<Position> {
    number_alone_decides(rulebook).then(|| at(rulebook, number))
}

/// A run of consecutive numbers whose marks, such as wins and losses, repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<M> {
    /// The first number.
    pub from: i64,
    /// The last number.
    pub to: i64,
    /// The marks of the first period, which repeats up to the last number.
    pub pattern: Vec<M>,
}

/// Splits marks into consecutive stretches that repeat. Greedy: each stretch is the longest possible from its
/// start.
pub fn pieces<M: Copy + PartialEq>(lowest: i64, marks: &[M]) -> impl Iterator<Item = Piece<M>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let (to, period) = longest_stretch(marks, from)?;
        let pattern = marks[from..from + period].to_vec();
        let piece = Piece { from: lowest + from as i64, to: lowest + to as i64 - 1, pattern };
        from = to;
        Some(piece)
    })
}

/// The end and the period of the longest stretch from an index, if any marks are left.
fn longest_stretch<M: PartialEq>(marks: &[M], from: usize) -> Option<(usize, usize)> {
    const LONGEST: usize = 24;
    if from >= marks.len() {
        return None;
    }
    // How far the marks repeat with each period. A period must occur three times to count.
    let reach = |period: usize| {
        let same = |index: &usize| marks.get(*index) == marks.get(index - period);
        let end = (from + period..).take_while(same).last().map_or(from + period, |last| last + 1);
        (end.min(marks.len()), period)
    };
    let (run, _) = reach(1);
    let longest = (2..=LONGEST).map(reach).filter(|(end, period)| end - from >= 3 * period);
    let best = longest.max_by_key(|(end, period)| (*end, std::cmp::Reverse(*period)));
    Some(best.filter(|(end, _)| *end > run).unwrap_or((run, 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_say_what_the_marks_say() {
        for marks in
            ["", "a", "ababababab", "aaaaabababababc", "abcabcabcabcaaaaaaaa", "abcde", "aabbaabbaabbaab"]
        {
            let marks: Vec<char> = marks.chars().collect();
            let mut again = Vec::new();
            for piece in pieces(10, &marks) {
                assert_eq!(piece.from, 10 + again.len() as i64);
                for number in piece.from..=piece.to {
                    again.push(piece.pattern[(number - piece.from) as usize % piece.pattern.len()]);
                }
            }
            assert_eq!(again, marks);
        }
        assert_eq!(pieces(1, &['a', 'b'].repeat(50)).count(), 1);
    }
}
