//! Advice on a turn: step-by-step hints and patterns. The reasons come from the [`Outlook`].
//!
//! `words/coach.rs` builds each sentence from these facts, so tests can check it against the solution.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::catalog;
//! use spoton::solved::outlook::Outlook;
//! use spoton::solver::{Budget, Solver};
//! use spoton::teach::coach;
//! use spoton::words::coach::Words;
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let budget = &mut Budget::patient(16 << 20);
//! let solver = Solver::new(Arc::clone(&race), budget)?;
//! let round = Round::new(Arc::clone(&race), Player::One);
//! let outlook = Outlook::for_round(&round, &solver, budget)?.expect("the round is not over");
//! let words = Words { rulebook: &race, turn: Player::One };
//! let hints: Vec<String> = coach::ladder(&outlook).iter().map(|hint| words.hint(hint, &outlook)).collect();
//! assert_eq!(hints[0], "Only one move keeps your win.");
//! assert_eq!(hints[2], "You want to leave 3.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::number_kind::NumberKind;
use crate::engine::play::Move;
use crate::engine::position::Choice;
use crate::engine::written::On;
use crate::solved::SolvedGame;
use crate::solved::landings::Landings;
use crate::solved::outlook::{Consequence, Outlook, Reason};
use crate::solver::chart::{Chart, Piece};
use crate::solver::reachable::Reachable;
use crate::solver::{Budget, Unsolved, Value};

/// A step of the hint ladder. Each reveals more than the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// There's only one move.
    OnlyMove,
    /// All moves have the same value.
    AllTheSame {
        /// The number of moves.
        moves: usize,
        /// Their value.
        value: Value,
    },
    /// Only some moves keep the best result.
    Matters {
        /// How many keep it.
        keep: usize,
        /// The number of moves.
        moves: usize,
        /// The result they keep: a win or a draw.
        value: Value,
    },
    /// A question about a worse move.
    WhatIf {
        /// The owner of the number it changes.
        on: On,
        /// The resulting number.
        leaves: i128,
        /// Whether the round continues after it.
        goes_on: bool,
    },
    /// The number to leave, to move to, or to give the opponent.
    Stone {
        /// The owner of the number.
        on: On,
        /// The number.
        leaves: i128,
    },
    /// The move. The outlook has the reason that proves it.
    Proof {
        /// The move to make.
        choice: Choice,
    },
}

/// The hints for a turn, from the vaguest to the move itself. Skips a step that reveals as much as the next one.
/// Empty if there's no choice.
pub fn ladder(outlook: &Outlook) -> Vec<Hint> {
    let moves = outlook.reasons().len();
    let value = outlook.verdict.value;
    let keep = outlook.keepers().count();
    let Some(best) = outlook.reasons().first() else { return vec![] };
    let Move::Operation(choice) = best.a_move else { return vec![] };
    let mut hints = vec![match (moves, keep) {
        (1, _) => Hint::OnlyMove,
        _ if keep == moves => Hint::AllTheSame { moves, value },
        _ => Hint::Matters { keep, moves, value },
    }];
    if let Hint::Matters { .. } = hints[0] {
        let ends = |reason: &Reason| matches!(reason.then, Consequence::Over(_) | Consequence::Repeats);
        // If a good and a bad move give the same number, the number isn't a hint.
        let worse = || outlook.reasons().iter().filter(|reason| reason.verdict.value != value);
        let gives = |reason: &Reason| (reason.on, reason.leaves);
        let is_good = |reason: &Reason| outlook.keepers().any(|good| gives(good) == gives(reason));
        let told_apart = || worse().filter(|reason| !is_good(reason));
        // An obvious mistake teaches less.
        if let Some(worse) = told_apart().find(|reason| !ends(reason)).or_else(|| told_apart().next()) {
            hints.push(Hint::WhatIf { on: worse.on, leaves: worse.leaves, goes_on: !ends(worse) });
        }
        if !ends(best) && worse().all(|reason| gives(reason) != gives(best)) {
            hints.push(Hint::Stone { on: best.on, leaves: best.leaves });
        }
    }
    hints.push(Hint::Proof { choice });
    hints
}

/// A rule about numbers to leave: every third, fifth … number in a range, or every number of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pattern {
    /// The first number.
    pub from: i64,
    /// The step; 1 if only the kind selects the numbers.
    pub every: i64,
    /// The last number.
    pub to: i64,
    /// The kind of the numbers, if it's named.
    pub kind: Option<NumberKind>,
}

impl Pattern {
    /// The simplest pattern that includes a number. All its numbers are possible and good to leave. It reaches as far
    /// down as it holds and ends at the last such number. `None` if no pattern has at least three numbers.
    pub(super) fn around(landings: &Landings<'_>, leaves: i128) -> Option<Pattern> {
        let chart = landings.chart;
        let leaves = i64::try_from(leaves).ok().filter(|number| chart.is_stone(i128::from(*number)))?;
        let left = |pattern: Pattern| pattern.where_left(landings, leaves);
        let steps = (2..=12).find_map(|every| Pattern::steps(chart, leaves, every).and_then(left));
        if !chart.rulebook().has_richer_numbers() {
            return steps;
        }
        // If a game uses kinds of numbers, its players know their names.
        match steps {
            Some(steps) if steps.every > 2 && steps.from % steps.every == 0 => {
                Some(Pattern { kind: Some(NumberKind::MultipleOf(steps.every)), ..steps })
            }
            Some(steps) => Some(steps),
            None => {
                let kinds = [NumberKind::Prime, NumberKind::Square];
                kinds.into_iter().find_map(|kind| Pattern::of_kind(chart, leaves, kind).and_then(left))
            }
        }
    }

    /// The same for a game solved in stretches (ranges of numbers whose values repeat): as far up and down as the
    /// pattern holds. `None` if this number's stretch has no pattern of at least three numbers.
    pub(super) fn among(
        landings: &Landings<'_>,
        stretches: &[Piece<Option<Value>>],
        leaves: i128,
    ) -> Option<Pattern> {
        let leaves = i64::try_from(leaves).ok()?;
        let here = stretches.iter().position(|piece| (piece.from..=piece.to).contains(&leaves))?;
        (2..=12).find_map(|every: i64| {
            // Whether every such number in a stretch is good to leave.
            let holds = |piece: &Piece<Option<Value>>| {
                let first = piece.from + (leaves - piece.from).rem_euclid(every);
                let numbers = (first..=piece.to).step_by(every as usize).take(piece.pattern.len());
                numbers.map(|number| piece.mark(number)).all(|value| value == Some(Value::Loss))
            };
            // A few numbers in a row may look like a pattern by chance.
            let home = &stretches[here];
            let first = leaves - (leaves - home.from) / every * every;
            if (home.to - first) / every < 2 || !holds(home) {
                return None;
            }
            // Between two stretches there may be a listed number, which can't be left.
            let (mut first, mut last) = (home, home);
            for piece in stretches[here + 1..].iter().take_while(|piece| holds(piece)) {
                if piece.from != last.to + 1 {
                    break;
                }
                last = piece;
            }
            for piece in stretches[..here].iter().rev().take_while(|piece| holds(piece)) {
                if piece.to != first.from - 1 {
                    break;
                }
                first = piece;
            }
            let from = leaves - (leaves - first.from) / every * every;
            let to = leaves + (last.to - leaves) / every * every;
            Pattern { from, every, to, kind: None }.where_left(landings, leaves)
        })
    }

    /// The part around one of its numbers where every number can be left; `None` if that part has fewer than three.
    fn where_left(self, landings: &Landings<'_>, leaves: i64) -> Option<Pattern> {
        let (from, to) = match landings.reachable.first_numbers() {
            Some(first) => first.reachable_part((self.from, self.to), self.every)?,
            None => {
                let can_be_left = |number: &i64| landings.leaves(*number);
                let is_named = |number: &i64| self.kind.is_none_or(|kind| kind.holds(*number));
                let every = self.every as usize;
                let up = (leaves..=self.to).step_by(every).filter(is_named).take_while(can_be_left).last()?;
                let below = (0..=(leaves - self.from) / self.every).map(|steps| leaves - steps * self.every);
                (below.filter(is_named).take_while(can_be_left).last()?, up)
            }
        };
        let left = Pattern { from, to, ..self };
        ((from..=to).contains(&leaves) && left.numbers().take(3).count() == 3).then_some(left)
    }

    /// Every `every`-th number: as far down as the pattern holds, up to the end.
    fn steps(chart: &Chart, leaves: i64, every: i64) -> Option<Pattern> {
        let holds = |number: &i64| chart.is_stone(i128::from(*number));
        let to = leaves + (chart.highest() - leaves) / every * every;
        let up = (1..).map(|step| leaves + step * every).take_while(|number| *number <= to);
        let down = (1..).map(|step| leaves - step * every).take_while(|number| *number >= chart.lowest());
        let from = down.take_while(holds).last().unwrap_or(leaves);
        let enough = (to - from) / every >= 2;
        let pattern = Pattern { from, every, to, kind: None };
        (enough && up.into_iter().all(|number| holds(&number))).then_some(pattern)
    }

    /// The same for every number of a kind.
    fn of_kind(chart: &Chart, leaves: i64, kind: NumberKind) -> Option<Pattern> {
        let holds = |number: &i64| chart.is_stone(i128::from(*number));
        let is_of_kind = |number: &i64| kind.holds(*number);
        let mut up = (leaves..=chart.highest()).filter(is_of_kind);
        let to = (leaves..=chart.highest()).rev().find(is_of_kind)?;
        if !kind.holds(leaves) || !up.all(|number| holds(&number)) {
            return None;
        }
        let down = (chart.lowest()..=leaves).rev().filter(is_of_kind);
        let from = down.take_while(holds).last().unwrap_or(leaves);
        let pattern = Pattern { from, every: 1, to, kind: Some(kind) };
        (pattern.numbers().take(3).count() == 3).then_some(pattern)
    }

    /// The numbers of the pattern.
    pub fn numbers(&self) -> impl Iterator<Item = i64> {
        let numbers = (self.from..=self.to).step_by(self.every as usize);
        numbers.filter(|number| self.kind.is_none_or(|kind| kind.holds(*number)))
    }
}

impl SolvedGame {
    /// A pattern around a number to leave, if there is one.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn pattern(&self, leaves: i128, budget: &mut Budget<'_>) -> Result<Option<Pattern>, Unsolved> {
        // Stretches (ranges with repeating values) give the answer directly. A chart must be scanned.
        let stretches = self.stretches(budget)?;
        let chart = match &*stretches {
            Some(_) => Chart::without_limit(&self.solver(budget)?),
            None => self.chart(budget)?,
        };
        let Some(chart) = chart else { return Ok(None) };
        let reachable = self.once(budget.left(), || {
            let found = budget.beside(self.bytes(), |budget| match stretches.is_some() {
                true => Reachable::from_first(&chart, budget)?
                    .map_or_else(|| Reachable::from_chart(&chart, budget), Ok),
                false => Reachable::from_chart(&chart, budget),
            })?;
            self.hold(found.bytes());
            Ok(found)
        })?;
        let landings = Landings { chart: &chart, reachable: &reachable };
        Ok(match &*stretches {
            Some(stretches) => Pattern::among(&landings, stretches, leaves),
            None => Pattern::around(&landings, leaves),
        })
    }
}
