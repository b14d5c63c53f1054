//! The chart of a game in which the number alone decides: what every number is worth.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::catalog;
//! use spoton::solver::Budget;
//! use spoton::solver::chart::Chart;
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let chart = Chart::of(&race, &mut Budget::patient(1 << 20))?.expect("the number alone decides");
//! assert_eq!(chart.stones().collect::<Vec<_>>(), [3, 8, 13, 18]); // what one wants to leave
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use super::{Budget, Solver, Unsolved, Value, Verdict, one_way_ends};
use crate::engine::position::{Player, Position};
use crate::format::{NoRepeat, Numbers, Rulebook};

/// Every number of a game with a shared number and nothing to remember. A copy shares the solution.
#[derive(Clone)]
pub struct Chart {
    lowest: i64,
    highest: i64,
    solver: Arc<Solver>,
}

/// What decides beside a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AlsoDecides {
    /// The other player's number.
    OtherNumber,
    /// The moves that were made last.
    LastMoves,
    /// How often moves were used.
    Uses,
    /// The passes that are left.
    Passes,
}

impl AlsoDecides {
    /// `what was chosen before`
    pub fn in_words(self) -> &'static str {
        match self {
            AlsoDecides::OtherNumber => "each player has a number",
            AlsoDecides::LastMoves => "the last moves count",
            AlsoDecides::Uses => "some moves can be used up",
            AlsoDecides::Passes => "the passes are counted",
        }
    }
}

/// What decides beside the number what a position is worth; nothing if the number alone decides.
pub fn what_else_decides(rulebook: &Rulebook) -> Vec<AlsoDecides> {
    let each = [
        (AlsoDecides::OtherNumber, rulebook.numbers() == Numbers::Separate),
        (AlsoDecides::LastMoves, rulebook.no_repeat() != NoRepeat::None),
        (AlsoDecides::Uses, rulebook.moves().iter().any(|entry| entry.uses.is_some())),
        (AlsoDecides::Passes, rulebook.passes().is_some()),
    ];
    each.into_iter().filter(|(_, decides)| *decides).map(|(what, _)| what).collect()
}

/// Whether the number alone decides what a position is worth: it is shared, and nothing is remembered or limited.
pub fn number_alone_decides(rulebook: &Rulebook) -> bool {
    what_else_decides(rulebook).is_empty()
}

impl Chart {
    /// The chart of a rule book; `None` if the number alone does not decide.
    ///
    /// # Errors
    ///
    /// If that takes more than the budget, or the caller does not want to go on.
    pub fn of(rulebook: &Arc<Rulebook>, budget: &mut Budget<'_>) -> Result<Option<Chart>, Unsolved> {
        if !number_alone_decides(rulebook) {
            return Ok(None);
        }
        let solver = match rulebook.goes_one_way() {
            true => Solver::new(Arc::clone(rulebook), budget)?,
            false => Chart::everywhere(rulebook, budget)?,
        };
        Chart::from_solver(&Arc::new(solver), budget)
    }

    /// A solver for every number of a book in which the number alone decides, whether or not play can reach it.
    pub(crate) fn everywhere(rulebook: &Arc<Rulebook>, budget: &mut Budget<'_>) -> Result<Solver, Unsolved> {
        match Solver::of_everything(Arc::clone(rulebook), budget)? {
            Some(solver) => Ok(solver),
            None => Solver::new(Arc::clone(rulebook), budget),
        }
    }

    /// The chart of a game that is solved; `None` if the number alone does not decide it.
    ///
    /// # Errors
    ///
    /// If there are so many numbers that the budget does not hold a mark for each of them.
    pub(crate) fn from_solver(solver: &Arc<Solver>, budget: &Budget<'_>) -> Result<Option<Chart>, Unsolved> {
        let rulebook = solver.rulebook();
        if !number_alone_decides(rulebook) {
            return Ok(None);
        }
        let (lowest, highest) = numbers(rulebook);
        budget.require(0, u128::from(highest.abs_diff(lowest)) + 1, 1)?;
        Ok(Some(Chart { lowest, highest, solver: Arc::clone(solver) }))
    }

    /// The chart of a game with so many numbers that nobody goes through all of them; `None` if the number alone does not
    /// decide it.
    pub(crate) fn without_limit(solver: &Arc<Solver>) -> Option<Chart> {
        let (lowest, highest) = numbers(solver.rulebook());
        number_alone_decides(solver.rulebook()).then(|| Chart { lowest, highest, solver: Arc::clone(solver) })
    }

    /// Whether the game is told by stretches, of which it may have more numbers than anybody could go through.
    pub(crate) fn has_no_table(&self) -> bool {
        self.solver.has_no_table()
    }

    /// Those stretches; `None` if there are none.
    pub(crate) fn stretches(
        &self,
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<Piece<Option<Value>>>>, Unsolved> {
        self.solver.stretches(None, budget)
    }

    /// The lowest and the highest number.
    pub(crate) fn ends(&self) -> (i64, i64) {
        (self.lowest, self.highest)
    }

    /// The rule book that is charted.
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

    /// Every number, with what it is worth to the player on turn there.
    pub fn numbers(&self) -> impl Iterator<Item = (i64, Option<Verdict>)> {
        (self.lowest..=self.highest).map(|number| (number, self.verdict(i128::from(number))))
    }

    /// What a number is worth to the player on turn there; `None` if nobody can be: on the target, past it, and on
    /// numbers of the lists.
    pub fn verdict(&self, number: i128) -> Option<Verdict> {
        let number =
            i64::try_from(number).ok().filter(|number| (self.lowest..=self.highest).contains(number))?;
        let rulebook = self.solver.rulebook();
        let position = at(rulebook, number);
        rulebook.goes_on_at(number.into()).then(|| self.solver.verdict(&position))?
    }

    /// What the opening is worth to whoever starts. Its number may stand in a list: only landing counts.
    pub fn opening(&self) -> Option<Verdict> {
        self.solver.verdict(&self.solver.rulebook().opening(Player::One))
    }

    /// Whether one wants to leave this number: the other player, on turn there, cannot help losing.
    pub fn is_stone(&self, number: i128) -> bool {
        self.verdict(number).is_some_and(|verdict| verdict.value == Value::Loss)
    }

    /// The stepping stones.
    pub fn stones(&self) -> impl Iterator<Item = i64> {
        self.numbers().map(|(number, _)| number).filter(|number| self.is_stone(i128::from(*number)))
    }
}

/// The numbers at which a player can be on turn: the lowest and the highest.
pub(crate) fn numbers(rulebook: &Rulebook) -> (i64, i64) {
    if rulebook.goes_one_way() {
        // Numbers behind the start are never reached.
        return one_way_ends(rulebook);
    }
    rulebook.numbers_on_turn()
}

/// A position with nothing to remember, at any number.
fn at(rulebook: &Rulebook, number: i64) -> Position {
    let mut position = rulebook.opening(Player::One);
    for player in Player::BOTH {
        position.numbers[player] = number;
    }
    position
}

/// A position of this game at any number; `None` if the number alone does not decide.
pub fn position_at(rulebook: &Rulebook, number: i64) -> Option<Position> {
    number_alone_decides(rulebook).then(|| at(rulebook, number))
}

/// A stretch of numbers whose marks repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<M> {
    /// The first number.
    pub from: i64,
    /// The last number.
    pub to: i64,
    /// The marks of the first numbers, which repeat to the last.
    pub pattern: Vec<M>,
}

/// Puts marks together into stretches that repeat, one after another. Each is the longest that begins there.
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

/// Where the longest stretch that begins here ends, and after how many marks it repeats; `None` if there are no more.
fn longest_stretch<M: PartialEq>(marks: &[M], from: usize) -> Option<(usize, usize)> {
    const LONGEST: usize = 24;
    if from >= marks.len() {
        return None;
    }
    // How far the marks repeat with each period; a period counts once it has been seen three times.
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
