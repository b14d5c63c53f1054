//! Races: separate numbers that never interact. Each player's distance to the target decides.
//!
//! The player to move wins if and only if their distance is at most the other's. This requires that nothing is
//! shared (no memory of the other's moves, no common pool), that being stuck never saves a player, and that
//! both can reach the target from every number they may get to.

use super::graph::{BYTES_A_MOVE, BYTES_EACH, Expansion, explore};
use super::interner::Interner;
use super::intervals::Intervals;
use super::strategy::{Case, Solution, Stage, too_large_is_none};
use super::sweep::ends;
use super::value::{Value, Verdict};
use super::{Budget, Unsolved, numbers_from};
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{ByPlayer, Clock, Player, Position};
use crate::format::{NoRepeat, Numbers, On, Pool, Rulebook, Stuck};

pub(super) enum Race {
    Table(Table),
    /// The distances without a table, because it doesn't fit.
    Stretches(Box<Intervals>),
    /// The same, because they are quicker than a table that fits.
    QuickStretches(Box<Intervals>),
}

pub(super) struct Table {
    /// The positions that one player alone can reach.
    positions: Interner,
    distances: Vec<u32>,
}

impl Race {
    /// The distances; `None` if it isn't a race.
    fn run(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Option<Race>, Unsolved> {
        if !is_race(rulebook) {
            return Ok(None);
        }
        budget.require(0, least_positions(rulebook), BYTES_EACH as u64)?;
        let opening = rulebook.opening(Player::One);
        let roots = Player::BOTH.map(|player| alone(&opening, player));
        let most = rulebook.most_choices();
        let explored =
            explore(roots, most, budget, |position, expansion| expand(rulebook, position, expansion))?;
        let distances = explored.distances(budget)?;
        Ok(distances.map(|distances| Race::Table(Table { positions: explored.interner, distances })))
    }

    /// The distances as stretches, if the table fits and they are much cheaper. They give the same answers.
    fn instead_of_table(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Option<Race>, Unsolved> {
        if !is_race(rulebook)
            || most_bytes(rulebook).is_none_or(|bytes| budget.require_bytes(0, 1, bytes).is_err())
        {
            return Ok(None);
        }
        let positions = least_positions(rulebook);
        let bytes = positions.saturating_mul(BYTES_EACH as u128).try_into().unwrap_or(u64::MAX);
        let found = Intervals::alone_cheaply(rulebook, positions, bytes, budget)?;
        Ok(found.map(|found| Race::QuickStretches(Box::new(found))))
    }

    /// The distances as stretches, if they apply.
    fn without_table(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Option<Race>, Unsolved> {
        if !is_race(rulebook) {
            return Ok(None);
        }
        Ok(Intervals::alone(rulebook, budget)?.map(|found| Race::Stretches(Box::new(found))))
    }

    /// The fewest moves to a win for a player if the other does nothing.
    fn distance(&self, position: &Position, player: Player) -> Option<u64> {
        match self {
            Race::Table(table) => {
                let index = table.positions.find(&alone(position, player))?;
                table.distances.get(index as usize).map(|distance| u64::from(*distance))
            }
            Race::Stretches(stretches) | Race::QuickStretches(stretches) => {
                stretches.distance(position.number_of(player), position.last_of(player))
            }
        }
    }
}

impl Solution for Race {
    fn attempt(stage: Stage, case: &mut Case<'_>, budget: &mut Budget<'_>) -> Result<Option<Race>, Unsolved> {
        match stage {
            // One player alone may have more positions than both together, so this may be too large.
            Stage::Sparing => match Race::instead_of_table(case.rulebook, budget)? {
                None => Race::run(case.rulebook, budget),
                found => Ok(found),
            },
            Stage::LastResort => too_large_is_none(Race::without_table(case.rulebook, budget)),
            Stage::Table | Stage::Search => Ok(None),
        }
    }

    fn verdict(&self, rulebook: &Rulebook, position: &Position) -> Option<Verdict> {
        if let Situation::Over(outcome) = rulebook.situation(position) {
            return Some(Verdict::new(Value::from_outcome(outcome, position.turn()), 0));
        }
        let turn = position.turn();
        let (mine, theirs) = (self.distance(position, turn)?, self.distance(position, !turn)?);
        Some(if mine <= theirs {
            Verdict::new(Value::Win, 2 * mine - 1)
        } else {
            Verdict::new(Value::Loss, 2 * theirs)
        })
    }

    fn bytes(&self) -> u64 {
        match self {
            Race::Table(table) => table.bytes(),
            Race::Stretches(stretches) | Race::QuickStretches(stretches) => stretches.bytes(),
        }
    }

    /// The distance from each number; `None` if some number has two, or there are too many to list.
    fn by_number(
        &self,
        rulebook: &Rulebook,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<(i64, u64)>>, Unsolved> {
        match self {
            Race::Table(table) => table.by_number(budget),
            Race::Stretches(_) => Ok(None),
            // They don't know which numbers play can reach.
            Race::QuickStretches(_) => match Race::run(rulebook, budget)? {
                Some(Race::Table(table)) => budget.beside(table.bytes(), |budget| table.by_number(budget)),
                _ => Ok(None),
            },
        }
    }

    fn moves_to_win(&self, position: &Position) -> Option<ByPlayer<u64>> {
        let [one, two] = Player::BOTH.map(|player| self.distance(position, player));
        Some(ByPlayer([one?, two?]))
    }
}

impl Table {
    fn bytes(&self) -> u64 {
        self.positions.bytes() + (self.distances.capacity() * size_of::<u32>()) as u64
    }

    fn by_number(&self, budget: &Budget<'_>) -> Result<Option<Vec<(i64, u64)>>, Unsolved> {
        let count = self.positions.len();
        budget.require(count as u64, count as u128, size_of::<(i64, u64)>() as u64)?;
        let mut found: Vec<(i64, u64)> = (0..count)
            .map(|index| (self.positions.position(index).number(), u64::from(self.distances[index])))
            .collect();
        found.sort_unstable();
        found.dedup();
        Ok(found.windows(2).all(|pair| pair[0].0 != pair[1].0).then_some(found))
    }
}

/// A lower bound on the positions of a player alone. Follows both to the end, even if the other ends the round
/// earlier.
fn least_positions(rulebook: &Rulebook) -> u128 {
    let (starter, other) = rulebook.start();
    numbers_from(rulebook, starter).max(numbers_from(rulebook, other))
}

/// An upper bound on the bytes of a table; `None` unless all moves are fixed multiplications and additions.
fn most_bytes(rulebook: &Rulebook) -> Option<u128> {
    let ((one, two), (lowest, highest)) = (rulebook.start(), ends(rulebook));
    let numbers = u128::from(highest.max(one).max(two).abs_diff(lowest.min(one).min(two))) + 1;
    let choices = rulebook.fixed_choices().count() as u128;
    let last_moves = if rulebook.no_repeat() == NoRepeat::None { 1 } else { choices + 1 };
    // A product stays below the target only if the number is that much smaller.
    let from = rulebook.fixed_choices().map(|choice| {
        let does = rulebook.operation(choice)?.as_affine()?;
        Some(numbers / u128::from(does.factor.unsigned_abs().max(1)) + 1)
    });
    let moves = from.sum::<Option<u128>>()? + choices;
    let positions = numbers + choices;
    Some(last_moves * (positions * BYTES_EACH as u128 + moves * BYTES_A_MOVE as u128))
}

/// Whether the players never interact.
fn is_race(rulebook: &Rulebook) -> bool {
    let shares = rulebook.moves().iter().any(|rule| rule.uses.is_some_and(|uses| uses.pool == Pool::Shared));
    rulebook.numbers() == Numbers::Separate
        && matches!(rulebook.no_repeat(), NoRepeat::None | NoRepeat::Own)
        && matches!(rulebook.stuck(), Stuck::Loses | Stuck::Skips)
        && rulebook.moves().iter().all(|entry| entry.on == On::Own)
        && rulebook.turns().is_none()
        && !shares
}

/// The part of a position that concerns one player.
fn alone(position: &Position, player: Player) -> Position {
    fn first<T: Copy + Default>(pair: ByPlayer<T>, player: Player) -> ByPlayer<T> {
        ByPlayer([pair[player], T::default()])
    }
    Position {
        numbers: first(position.numbers, player),
        uses: first(position.uses, player),
        last: first(position.last, player),
        passes: first(position.passes, player),
        clock: Clock::new(Player::One, 0),
    }
}

fn expand(rulebook: &Rulebook, position: &Position, expansion: &mut Expansion<'_>) {
    for choice in rulebook.legal(position) {
        match rulebook.play(position, Move::Operation(choice)) {
            Ok(Step::On(next)) => expansion.child(alone(&next, Player::One)),
            Ok(Step::Over { outcome, .. }) => {
                expansion.end(Verdict::new(Value::from_outcome(outcome, Player::One), 1));
            }
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Draft;

    /// The fewest moves to a target by adding 1 and doubling, by an independent formula.
    fn by_formula(number: i64, target: i64) -> u64 {
        let moves = |doubled: u32| {
            let rest = i128::from(target) - (i128::from(number) << doubled);
            let rest = u128::try_from(rest).ok()?;
            let low = rest & ((1 << doubled) - 1);
            Some(u64::from(doubled) + (rest >> doubled) as u64 + u64::from(low.count_ones()))
        };
        (0..62).map_while(moves).min().unwrap()
    }

    #[test]
    fn distances_without_a_table_are_those_of_the_table() {
        let mut both = 0;
        for moves in [
            "'+1', 'x2'",
            "'+1', 'x3'",
            "'+1..3', 'x2'",
            "'+2', '+3', 'x2'",
            "'+1', '+4', 'x5'",
            "'x2', 'x3'",
            "'+2'",
        ] {
            for rest in [
                "",
                "past = 'forbidden'",
                "past = 'wins'",
                "no_repeat = 'own'",
                "no_repeat = 'own'\npast = 'wins'",
                "reach = 'loses'\npast = 'wins'",
                "stuck = 'skips'",
                "winning = [9, 40]",
                "forbidden = [8]\nlosing = [13, 14]",
                "winning = [3, 50]\nno_repeat = 'own'\npast = 'wins'",
            ] {
                for target in [4, 5, 17, 64, 101, 230] {
                    let text = format!(
                        "title = 'Race'\nnumbers = 'separate'\nstart = [1, 3]\ntarget = {target}\nmoves = [{moves}]\n{rest}"
                    );
                    let Ok(rulebook) = Draft::read("race", &text).build() else { continue };
                    let mut budget = Budget::patient(1 << 24);
                    let table = Race::run(&rulebook, &mut budget).unwrap();
                    let Some(stretches) = Race::without_table(&rulebook, &mut budget).unwrap() else {
                        continue;
                    };
                    // If every number leads to the target, so do all reachable ones.
                    let Some(Race::Table(table)) = &table else { panic!("{text}") };
                    both += 1;
                    for index in 0..table.positions.len() {
                        let position = table.positions.position(index);
                        let distance = Some(u64::from(table.distances[index]));
                        assert_eq!(
                            stretches.distance(&position, Player::One),
                            distance,
                            "{position:?} {text}"
                        );
                    }
                }
            }
        }
        assert!(both > 100, "{both}");
    }

    #[test]
    fn a_race_without_end_is_what_the_formula_says() {
        let mut chance = 7_u64;
        for target in [1_000_000_000_000_000_000, 999_999_999_999_999_999, 1 << 59, 123_456_789_012_345_678] {
            let text = format!(
                "title = 'Race'\nnumbers = 'separate'\nstart = 1\ntarget = {target}\nmoves = ['+1', 'x2']"
            );
            let rulebook = Draft::read("race", &text).build().unwrap();
            let race = Race::without_table(&rulebook, &mut Budget::patient(1 << 20)).unwrap().unwrap();
            let opening = rulebook.opening(Player::One);
            for step in 0..2000 {
                chance =
                    chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let number = match step {
                    0..100 => 1 + step,
                    _ => 1 + (chance >> (5 + step % 58)) as i64 % (target - 1),
                };
                let position = Position { numbers: ByPlayer([number; 2]), ..opening };
                assert_eq!(
                    race.distance(&position, Player::Two),
                    Some(by_formula(number, target)),
                    "{number}"
                );
            }
        }
    }
}
