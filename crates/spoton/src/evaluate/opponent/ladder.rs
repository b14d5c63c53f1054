//! The opponents ordered by strength in a game, by exact odds.

use std::rc::Rc;
use std::sync::Arc;

use super::Opponent;
use crate::engine::position::{ByPlayer, Player, Position};
use crate::evaluate::chances::{BYTES_OF_A_STATE, NoOdds, Odds, Turn, odds_by};
use crate::format::{Game, Rulebook};
use crate::solved::SolvedGames;
use crate::solved::{SolvedGame, in_steps};
use crate::solver::{Budget, Interner, Solver, Unsolved, lower_bound};

/// A game's ladder, easiest to hardest.
pub struct Ladder {
    /// The rungs in order.
    pub rungs: Vec<Rung>,
    everybody: Vec<Opponent>,
    /// For each pair of opponents, the odds for a round that the first one starts.
    odds: Vec<Vec<Odds>>,
}

/// Opponents that play alike in a game, with their strength.
pub struct Rung {
    /// The opponents; more than one if they play alike.
    pub opponents: Vec<Opponent>,
    /// The expected points per round against the other rungs, averaged over both seats: from 0 to 1.
    pub strength: f64,
}

/// The minimum number of rungs for a game to have levels.
const LEAST_RUNGS: usize = 3;

impl Ladder {
    /// Computes a game's ladder.
    ///
    /// # Errors
    ///
    /// If this exceeds the budget.
    pub fn compute(rulebook: &Rulebook, solver: &Solver, budget: &mut Budget<'_>) -> Result<Ladder, NoOdds> {
        // One opponent plays any legal move, so every position is reachable.
        budget.require(0, lower_bound(rulebook), BYTES_OF_A_STATE)?;
        let everybody: Vec<Opponent> = Opponent::all().collect();
        let bytes = Memory::MOST.min(budget.left() / 2);
        let mut memory = Memory::new(&everybody, bytes);
        let look = &mut |opponent: Opponent, position: &Position| {
            memory.turn(opponent, position, || Turn::for_opponent(opponent, rulebook, position, Some(solver)))
        };
        let mut table = Vec::new();
        budget.beside(bytes, |budget| -> Result<(), NoOdds> {
            for first in &everybody {
                let mut row = Vec::new();
                for second in &everybody {
                    let players = ByPlayer([*first, *second]);
                    row.push(odds_by(rulebook, &players, Player::One, look, budget)?);
                }
                table.push(row);
            }
            Ok(())
        })?;
        let mut ladder = Ladder { rungs: Vec::new(), everybody, odds: table };
        let mut groups: Vec<Vec<Opponent>> = Vec::new();
        for opponent in Opponent::for_people() {
            match groups.iter_mut().find(|group| ladder.alike(group[0], opponent)) {
                Some(group) => group.push(opponent),
                None => groups.push(vec![opponent]),
            }
        }
        let strength = |group: &[Opponent]| {
            let others = groups.iter().filter(|other| other[0] != group[0]);
            let points: Vec<f64> = others.map(|other| ladder.points(group[0], other[0])).collect();
            points.iter().sum::<f64>() / points.len().max(1) as f64
        };
        let rung = |group: &Vec<Opponent>| Rung { opponents: group.clone(), strength: strength(group) };
        let mut rungs: Vec<Rung> = groups.iter().map(rung).collect();
        rungs.sort_by(|a, b| a.strength.total_cmp(&b.strength));
        ladder.rungs = rungs;
        Ok(ladder)
    }

    /// Whether there are enough rungs for levels.
    pub fn has_levels(&self) -> bool {
        self.rungs.len() >= LEAST_RUNGS
    }

    /// The odds for a round between two unmodified opponents; `None` for a modified one such as `dash:slip=0.1`. The
    /// first opponent is Player 1 and starts.
    pub fn odds(&self, first: Opponent, second: Opponent) -> Option<Odds> {
        let place = |opponent| self.everybody.iter().position(|known| *known == opponent);
        self.odds.get(place(first)?)?.get(place(second)?).copied()
    }

    /// The same for two opponents on the ladder, whose odds are known.
    pub(super) fn between(&self, first: Opponent, second: Opponent) -> Odds {
        self.odds(first, second).unwrap_or(Odds { wins: ByPlayer::default() })
    }

    /// Whether two opponents have the same odds against all others, from either seat.
    fn alike(&self, one: Opponent, two: Opponent) -> bool {
        let same = |a: Odds, b: Odds| {
            Player::BOTH.iter().all(|player| (a.wins[*player] - b.wins[*player]).abs() < 1e-9)
        };
        self.everybody.iter().all(|other| {
            same(self.between(one, *other), self.between(two, *other))
                && same(self.between(*other, one), self.between(*other, two))
        })
    }

    /// The first one's expected points against the second, averaged over both seats.
    fn points(&self, one: Opponent, two: Opponent) -> f64 {
        (self.between(one, two).points(Player::One) + self.between(two, one).points(Player::Two)) / 2.0
    }
}

/// A cache of every opponent's turn at each position. Each turn is needed often, since each opponent plays all others
/// from both seats.
struct Memory<'a> {
    everybody: &'a [Opponent],
    /// From the point of view of the player to move.
    positions: Interner,
    /// Per position and opponent, the turn if cached.
    turns: Vec<Option<Rc<Turn>>>,
    /// The bytes left. Turns that don't fit are recomputed each time.
    left: u64,
}

impl<'a> Memory<'a> {
    /// The memory limit: enough for the games that surfaces list together.
    const MOST: u64 = 3 << 20;

    fn new(everybody: &'a [Opponent], bytes: u64) -> Memory<'a> {
        Memory { everybody, positions: Interner::default(), turns: Vec::new(), left: bytes }
    }

    fn turn(
        &mut self,
        opponent: Opponent,
        position: &Position,
        find: impl FnOnce() -> Option<Turn>,
    ) -> Option<Rc<Turn>> {
        let everybody = self.everybody.len();
        let column = self.everybody.iter().position(|known| *known == opponent)?;
        let row = self.positions.find(position);
        let known = row.and_then(|row| self.turns[row as usize * everybody + column].as_ref());
        if let Some(known) = known {
            return Some(Rc::clone(known));
        }
        let found = Rc::new(find()?);
        let turn = (size_of::<Turn>() + 2 * size_of::<usize>()) as u64 + found.bytes();
        // Tables keep room to grow.
        let new_row = 2 * (size_of::<Position>() + 2 * size_of::<u64>() + everybody * size_of::<Rc<Turn>>());
        let bytes = turn + if row.is_none() { new_row as u64 } else { 0 };
        if let Some(left) = self.left.checked_sub(bytes) {
            self.left = left;
            let row = self.positions.add(*position) as usize;
            self.turns.resize(self.positions.len() * everybody, None);
            self.turns[row * everybody + column] = Some(Rc::clone(&found));
        }
        Some(found)
    }
}

/// The variant with the most rungs, out of those with levels and a quick ladder; `None` if there's none.
pub(crate) fn deeper_variant(game: &Game, games: &SolvedGames) -> Option<String> {
    let names: Vec<String> = game.draft.variants().map(str::to_owned).collect();
    let rungs = |name: &String| {
        let rulebook = Arc::new(game.draft.clone().variant(name).ok()?.build().ok()?);
        let ladder = games.game(&rulebook).quick_ladder()?;
        ladder.has_levels().then_some(ladder.rungs.len())
    };
    let counted = names.into_iter().filter_map(|name| Some((rungs(&name)?, name)));
    counted.max_by_key(|(rungs, _)| *rungs).map(|(_, name)| name)
}

impl SolvedGame {
    /// The opponents in order of strength, with exact odds.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn ladder(&self, budget: &mut Budget<'_>) -> Result<Arc<Ladder>, Unsolved> {
        let solver = self.solver(budget)?;
        self.once(budget.left(), || {
            budget.beside(self.bytes(), |budget| ladder(self.rulebook(), &solver, budget))
        })
    }

    /// The ladder, or `None` if it would take noticeable time. The limit counts steps, not seconds, so the result is
    /// the same on every machine.
    pub fn quick_ladder(&self) -> Option<Arc<Ladder>> {
        const BYTES: u64 = 6 << 20;
        // Roughly the number of positions that an opponent visits when looking three moves ahead. All other opponents
        // visit fewer. Many lines share positions, especially with computed amounts, and each position is visited once.
        let choices = self.rulebook().usual_choices() as u64;
        let visited = if self.rulebook().has_only_fixed_moves() {
            choices.pow(2) * choices.min(3)
        } else {
            choices.pow(2) / 4
        };
        let moves = visited.max(30);
        let found = self.once(BYTES, || {
            let found = in_steps(BYTES, 200_000 / moves, |budget| match self.found() {
                Some(solver) => Ok(solver),
                None => self.solver(budget),
            });
            let found = found.and_then(|solver| {
                in_steps(BYTES, 200_000 / moves, |budget| ladder(self.rulebook(), &solver, budget))
            });
            Ok(found.ok().map(Arc::new))
        });
        found.ok().and_then(|ladder| ladder.as_ref().clone())
    }
}

fn ladder(rulebook: &Rulebook, solver: &Solver, budget: &mut Budget<'_>) -> Result<Ladder, Unsolved> {
    Ladder::compute(rulebook, solver, budget).map_err(|why| match why {
        NoOdds::Unsolved(why) => why,
        // The game is solved, but its moves may not be counted.
        NoOdds::NeedsSolution => Unsolved::Uncounted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Draft, catalog};
    use crate::solved::SolvedGame;

    /// Every shipped game lists its opponents in order.
    #[test]
    fn every_shipped_game_has_its_ladder_quickly() {
        for id in catalog::ids() {
            let draft = catalog::draft(id).unwrap();
            let variants: Vec<String> = draft.variants().map(str::to_owned).collect();
            let ways =
                variants.iter().map(|name| draft.clone().variant(name).unwrap()).chain([draft.clone()]);
            for way in ways {
                let rulebook = Arc::new(way.build().unwrap());
                let rules = rulebook.rules_line();
                assert!(SolvedGame::new(rulebook).quick_ladder().is_some(), "{id}: {rules}");
            }
        }
    }

    /// A slow ladder is refused.
    #[test]
    fn a_ladder_that_takes_long_is_refused() {
        let text = "title = 'T'\nstart = 0\ntarget = 900\nmoves = ['+1..3', 'x1..3']\n";
        let rulebook = Arc::new(Draft::read("t", text).build().unwrap());
        assert!(SolvedGame::new(rulebook).quick_ladder().is_none());
    }
}
