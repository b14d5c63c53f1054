//! Races: separate numbers that never touch. Each player's distance to the target decides.
//!
//! The player on turn wins exactly when their distance is at most the other's. This holds if nothing is shared (no
//! memory of the other's choices, no common pool), if being stuck is no way out, and if everybody can still arrive from
//! wherever they may get to.

use super::graph::{BYTES_EACH, Expansion, explore};
use super::interner::Interner;
use super::value::{Value, Verdict};
use super::{Budget, Unsolved, numbers_from};
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{ByPlayer, Clock, Player, Position};
use crate::format::{NoRepeat, Numbers, On, Pool, Rulebook, Stuck};

pub(super) struct Race {
    /// What one player alone can reach.
    positions: Interner,
    distances: Vec<u32>,
}

impl Race {
    /// The distances; `None` if this is no race.
    pub(super) fn run(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Option<Race>, Unsolved> {
        let shares =
            rulebook.moves().iter().any(|rule| rule.uses.is_some_and(|uses| uses.pool == Pool::Shared));
        let is_race = rulebook.numbers() == Numbers::Separate
            && matches!(rulebook.no_repeat(), NoRepeat::None | NoRepeat::Own)
            && matches!(rulebook.stuck(), Stuck::Loses | Stuck::Skips)
            && rulebook.moves().iter().all(|entry| entry.on == On::Own)
            && rulebook.turns().is_none()
            && !shares;
        if !is_race {
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
        Ok(distances.map(|distances| Race { positions: explored.interner, distances }))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.positions.bytes() + (self.distances.capacity() * size_of::<u32>()) as u64
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

    /// The distance from each number; `None` if some number has two.
    pub(super) fn by_number(&self, budget: &mut Budget<'_>) -> Result<Option<Vec<(i64, u64)>>, Unsolved> {
        let count = self.positions.len();
        budget.require(count as u64, count as u128, size_of::<(i64, u64)>() as u64)?;
        let mut found: Vec<(i64, u64)> = (0..count)
            .map(|index| (self.positions.position(index).number(), u64::from(self.distances[index])))
            .collect();
        found.sort_unstable();
        found.dedup();
        Ok(found.windows(2).all(|pair| pair[0].0 != pair[1].0).then_some(found))
    }

    /// The fewest moves in which a player can win if the other does nothing.
    pub(super) fn distance(&self, position: &Position, player: Player) -> Option<u64> {
        let index = self.positions.find(&alone(position, player))?;
        self.distances.get(index as usize).map(|distance| u64::from(*distance))
    }
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
