//! Races: separate numbers that never touch. Each player's distance to the target decides.
//!
//! The player on turn wins exactly when their distance is at most the other's. This holds if nothing is shared (no
//! memory of the other's choices, no common pool), if being stuck is no way out, and if everybody can still arrive from
//! wherever they may get to.

use super::graph::{BYTES_EACH, Expansion, explore};
use super::interner::Interner;
use super::intervals::Intervals;
use super::value::{Value, Verdict};
use super::{Budget, Unsolved, numbers_from};
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{ByPlayer, Clock, Player, Position};
use crate::format::{NoRepeat, Numbers, On, Pool, Rulebook, Stuck};

pub(super) enum Race {
    Table(Table),
    /// The same without a table, however far away the target is.
    Stretches(Box<Intervals>),
}

pub(super) struct Table {
    /// What one player alone can reach.
    positions: Interner,
    distances: Vec<u32>,
}

impl Race {
    /// The distances; `None` if this is no race.
    pub(super) fn run(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Option<Race>, Unsolved> {
        if !is_race(rulebook) {
            return Ok(None);
        }
        // Both are followed to the end, however soon the other would end the round.
        let (starter, other) = rulebook.start();
        let longer = numbers_from(rulebook, starter).max(numbers_from(rulebook, other));
        budget.require(0, longer, BYTES_EACH as u64)?;
        let opening = rulebook.opening(Player::One);
        let roots = Player::BOTH.map(|player| alone(&opening, player));
        let most = rulebook.most_choices();
        let explored =
            explore(roots, most, budget, |position, expansion| expand(rulebook, position, expansion))?;
        let distances = explored.distances(budget)?;
        Ok(distances.map(|distances| Race::Table(Table { positions: explored.interner, distances })))
    }

    /// The distances in stretches; `None` if they cannot be found like that.
    pub(super) fn without_table(
        rulebook: &Rulebook,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Race>, Unsolved> {
        if !is_race(rulebook) {
            return Ok(None);
        }
        Ok(Intervals::alone(rulebook, budget)?.map(|found| Race::Stretches(Box::new(found))))
    }

    pub(super) fn bytes(&self) -> u64 {
        match self {
            Race::Table(table) => {
                table.positions.bytes() + (table.distances.capacity() * size_of::<u32>()) as u64
            }
            Race::Stretches(stretches) => stretches.bytes(),
        }
    }

    pub(super) fn verdict(&self, rulebook: &Rulebook, position: &Position) -> Option<Verdict> {
        if let Situation::Over(outcome) = rulebook.situation(position) {
            return Some(Verdict::new(Value::of(outcome, position.turn()), 0));
        }
        let turn = position.turn();
        let (mine, theirs) = (self.distance(position, turn)?, self.distance(position, !turn)?);
        Some(if mine <= theirs {
            Verdict::new(Value::Win, 2 * mine - 1)
        } else {
            Verdict::new(Value::Loss, 2 * theirs)
        })
    }

    /// The distance from each number; `None` if some number has two, or there are too many to have a list.
    pub(super) fn by_number(&self, budget: &mut Budget<'_>) -> Result<Option<Vec<(i64, u64)>>, Unsolved> {
        let Race::Table(table) = self else { return Ok(None) };
        let count = table.positions.len();
        budget.require(count as u64, count as u128, size_of::<(i64, u64)>() as u64)?;
        let mut found: Vec<(i64, u64)> = (0..count)
            .map(|index| (table.positions.position(index).number(), u64::from(table.distances[index])))
            .collect();
        found.sort_unstable();
        found.dedup();
        Ok(found.windows(2).all(|pair| pair[0].0 != pair[1].0).then_some(found))
    }

    /// The fewest moves in which a player can win if the other does nothing.
    pub(super) fn distance(&self, position: &Position, player: Player) -> Option<u64> {
        match self {
            Race::Table(table) => {
                let index = table.positions.find(&alone(position, player))?;
                table.distances.get(index as usize).map(|distance| u64::from(*distance))
            }
            Race::Stretches(stretches) => {
                stretches.distance(position.number_of(player), position.last_of(player))
            }
        }
    }
}

/// Whether the players never touch each other.
fn is_race(rulebook: &Rulebook) -> bool {
    let shares = rulebook.moves().iter().any(|rule| rule.uses.is_some_and(|uses| uses.pool == Pool::Shared));
    rulebook.numbers() == Numbers::Separate
        && matches!(rulebook.no_repeat(), NoRepeat::None | NoRepeat::Own)
        && matches!(rulebook.stuck(), Stuck::Loses | Stuck::Skips)
        && rulebook.moves().iter().all(|entry| entry.on == On::Own)
        && rulebook.turns().is_none()
        && !shares
}

/// What concerns one player, as if the other were not there.
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
                expansion.end(Verdict::new(Value::of(outcome, Player::One), 1));
            }
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Draft;

    /// The fewest moves to a target by adding 1 and doubling, by a formula of its own.
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
                    // Where everybody arrives from everywhere, they do so from wherever they come.
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
