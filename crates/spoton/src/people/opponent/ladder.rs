//! The opponents in order for the game at hand, by exact chances.

use std::rc::Rc;
use std::sync::Arc;

use super::Opponent;
use crate::engine::position::{ByPlayer, Player, Position};
use crate::format::{Game, Rulebook};
use crate::people::chances::{BYTES_OF_A_STATE, NoOdds, Odds, Turn, odds_by};
use crate::people::solved_game::SolvedGames;
use crate::solver::{Budget, Interner, Solver, lower_bound};

/// The ladder of a game, from the gentlest rung to the strongest.
pub struct Ladder {
    /// The rungs in order.
    pub rungs: Vec<Rung>,
    everybody: Vec<Opponent>,
    /// For each two of everybody, the odds of a round that the first of them starts.
    odds: Vec<Vec<Odds>>,
}

/// Opponents that play alike in a game, and how they fare.
pub struct Rung {
    /// Who stands here; more than one if they play alike.
    pub opponents: Vec<Opponent>,
    /// What they can expect in a round against each of the other rungs, both seats taken together: from 0 to 1.
    pub strength: f64,
}

/// A game with fewer rungs has too few choices for levels.
pub const LEAST_RUNGS: usize = 3;

impl Ladder {
    /// Works the ladder of a game out.
    ///
    /// # Errors
    ///
    /// If that takes more than the budget.
    pub fn of(rulebook: &Rulebook, solver: &Solver, budget: &mut Budget<'_>) -> Result<Ladder, NoOdds> {
        // One of them picks among all moves, so that everything comes up.
        budget.require(0, lower_bound(rulebook), BYTES_OF_A_STATE)?;
        let everybody: Vec<Opponent> = Opponent::all().collect();
        let bytes = Memory::MOST.min(budget.left() / 2);
        let mut memory = Memory::new(&everybody, bytes);
        let look = &mut |opponent: Opponent, position: &Position| {
            memory.turn(opponent, position, || Turn::of(opponent, rulebook, position, Some(solver)))
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

    /// Whether there are enough rungs to speak of levels.
    pub fn has_levels(&self) -> bool {
        self.rungs.len() >= LEAST_RUNGS
    }

    /// The odds of a round between two of everybody, as they are without changes; `None` for a changed one, such as
    /// `dash:slip=0.1`. Player 1 is the first, and starts.
    pub fn odds(&self, first: Opponent, second: Opponent) -> Option<Odds> {
        let place = |opponent| self.everybody.iter().position(|known| *known == opponent);
        self.odds.get(place(first)?)?.get(place(second)?).copied()
    }

    /// The same for two of the ladder itself, who have odds.
    pub(super) fn between(&self, first: Opponent, second: Opponent) -> Odds {
        self.odds(first, second).unwrap_or(Odds { wins: ByPlayer::default() })
    }

    /// Whether two fare the same against everybody, from either seat, whatever the seat.
    fn alike(&self, one: Opponent, two: Opponent) -> bool {
        let same = |a: Odds, b: Odds| {
            Player::BOTH.iter().all(|player| (a.wins[*player] - b.wins[*player]).abs() < 1e-9)
        };
        self.everybody.iter().all(|other| {
            same(self.between(one, *other), self.between(two, *other))
                && same(self.between(*other, one), self.between(*other, two))
        })
    }

    /// What one can expect against two, sitting in either seat as often.
    fn points(&self, one: Opponent, two: Opponent) -> f64 {
        (self.between(one, two).points(Player::One) + self.between(two, one).points(Player::Two)) / 2.0
    }
}

/// What everybody would do at the positions that have come up: each meets all the others, from both seats.
struct Memory<'a> {
    everybody: &'a [Opponent],
    /// As the player on turn sees them.
    positions: Interner,
    /// For each position and each of everybody, their turn if it is known.
    turns: Vec<Option<Rc<Turn>>>,
    /// How many bytes may still be taken. What does not fit is worked out anew each time.
    left: u64,
}

impl<'a> Memory<'a> {
    /// It takes no more than this: enough for the games that are shown at once.
    const MOST: u64 = 3 << 20;

    fn new(everybody: &'a [Opponent], bytes: u64) -> Memory<'a> {
        Memory { everybody, positions: Interner::new(), turns: Vec::new(), left: bytes }
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
        // Tables keep room for growing.
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

/// The variant of a game that has the most rungs, of those that have levels and whose ladder is found quickly; `None`
/// if there is none.
pub fn deeper_variant(game: &Game, games: &SolvedGames) -> Option<String> {
    let names: Vec<String> = game.draft.variants().map(str::to_owned).collect();
    let rungs = |name: &String| {
        let rulebook = Arc::new(game.draft.clone().variant(name).ok()?.build().ok()?);
        let ladder = games.game(&rulebook).quick_ladder()?;
        ladder.has_levels().then_some(ladder.rungs.len())
    };
    let counted = names.into_iter().filter_map(|name| Some((rungs(&name)?, name)));
    counted.max_by_key(|(rungs, _)| *rungs).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Draft, catalog};
    use crate::people::solved_game::SolvedGame;

    /// Whoever sits down to a shipped game finds the opponents in order.
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

    /// Where that would take longer than anybody wants to wait, it is not waited for.
    #[test]
    fn a_ladder_that_takes_long_is_refused() {
        let text = "title = 'T'\nstart = 0\ntarget = 900\nmoves = ['+1..3', 'x1..3']\n";
        let rulebook = Arc::new(Draft::read("t", text).build().unwrap());
        assert!(SolvedGame::new(rulebook).quick_ladder().is_none());
    }
}
