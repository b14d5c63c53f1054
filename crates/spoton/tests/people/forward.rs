//! Odds by brute force: the distribution over positions after one move, two moves and so on, until almost no
//! probability is left in play. Play that can no longer end counts as a draw.

use std::collections::HashMap;

use spoton::engine::play::{Move, Outcome, Situation, Step};
use spoton::engine::position::{Player, Position};
use spoton::evaluate::opponent::Opponent;
use spoton::format::Rulebook;
use spoton::solver::Solver;

/// Move limit.
const MOST_MOVES: usize = 20_000;

/// The known part of a round's outcome.
pub struct Forward {
    pub wins: [f64; 2],
    pub drawn: f64,
    /// The probability still in play, for rounds that will end.
    pub open: f64,
}

/// Every opponent's behavior at the positions of a game.
pub struct Game<'a> {
    rulebook: &'a Rulebook,
    solver: &'a Solver,
    numbers: HashMap<Position, usize>,
    positions: Vec<Position>,
    /// The successors by player, opponent and position.
    known: HashMap<(String, usize), Leads>,
}

#[derive(Clone, Default)]
struct Leads {
    wins: [f64; 2],
    drawn: f64,
    to: Vec<(usize, f64)>,
}

impl<'a> Game<'a> {
    pub fn new(rulebook: &'a Rulebook, solver: &'a Solver) -> Game<'a> {
        Game { rulebook, solver, numbers: HashMap::new(), positions: Vec::new(), known: HashMap::new() }
    }

    fn number(&mut self, position: Position) -> usize {
        let new = self.positions.len();
        let number = *self.numbers.entry(position).or_insert(new);
        if number == new {
            self.positions.push(position);
        }
        number
    }

    fn leads(&mut self, opponent: Opponent, number: usize) -> Leads {
        let key = (opponent.to_string(), number);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let position = self.positions[number];
        let mut leads = Leads::default();
        let end = |leads: &mut Leads, outcome: Outcome, chance: f64| match outcome.winner {
            Some(Player::One) => leads.wins[0] += chance,
            Some(Player::Two) => leads.wins[1] += chance,
            None => leads.drawn += chance,
        };
        let moves: Vec<(Move, f64)> = match self.rulebook.situation(&position) {
            Situation::Over(outcome) => {
                end(&mut leads, outcome, 1.0);
                vec![]
            }
            Situation::Skip => vec![(Move::Skip, 1.0)],
            Situation::Choose(_) => {
                let chances = opponent.chances(self.rulebook, &position, Some(self.solver));
                let chances = chances.expect("the game is solved");
                chances.iter().map(|(choice, chance)| (Move::Operation(choice), chance)).collect()
            }
        };
        for (a_move, chance) in moves {
            match self.rulebook.play(&position, a_move).expect("the move is legal") {
                Step::Over { outcome, .. } => end(&mut leads, outcome, chance),
                Step::On(next) => {
                    let next = self.number(next);
                    leads.to.push((next, chance));
                }
            }
        }
        self.known.insert(key, leads.clone());
        leads
    }

    pub fn odds(&mut self, one: Opponent, two: Opponent, first: Player) -> Forward {
        let opening = self.number(self.rulebook.opening(first));
        let mut table: HashMap<usize, Leads> = HashMap::new();
        let mut waiting = vec![opening];
        while let Some(number) = waiting.pop() {
            if table.contains_key(&number) {
                continue;
            }
            let opponent = if self.positions[number].turn() == Player::One { one } else { two };
            let leads = self.leads(opponent, number);
            waiting.extend(leads.to.iter().map(|(next, _)| *next));
            table.insert(number, leads);
        }
        let table: Vec<(usize, Leads)> = table.into_iter().collect();
        let can_end = can_end(&table, self.positions.len());

        let mut result = Forward { wins: [0.0; 2], drawn: 0.0, open: 1.0 };
        let mut mass = vec![0.0; self.positions.len()];
        mass[opening] = 1.0;
        for _ in 0..MOST_MOVES {
            let mut after = vec![0.0; mass.len()];
            for (number, leads) in &table {
                let here = mass[*number];
                if here == 0.0 {
                    continue;
                }
                if !can_end[*number] {
                    result.drawn += here;
                    continue;
                }
                result.wins[0] += here * leads.wins[0];
                result.wins[1] += here * leads.wins[1];
                result.drawn += here * leads.drawn;
                for (next, chance) in &leads.to {
                    after[*next] += here * chance;
                }
            }
            mass = after;
            result.open = mass.iter().sum();
            if result.open < 1e-13 {
                break;
            }
        }
        result
    }
}

/// The positions from which the round can still end.
fn can_end(table: &[(usize, Leads)], positions: usize) -> Vec<bool> {
    let mut can_end = vec![false; positions];
    loop {
        let mut changed = false;
        for (number, leads) in table {
            let ends = leads.wins != [0.0; 2] || leads.drawn > 0.0;
            if !can_end[*number] && (ends || leads.to.iter().any(|(next, _)| can_end[*next])) {
                can_end[*number] = true;
                changed = true;
            }
        }
        if !changed {
            return can_end;
        }
    }
}
