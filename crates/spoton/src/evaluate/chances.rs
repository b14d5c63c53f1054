//! Exact odds between two computer opponents: all lines of play, weighted by probability.
//!
//! A game between two opponents is a Markov chain whose states are the positions. Its strongly connected components are
//! solved in reverse topological order: by state elimination (Grassmann, Taksar and Heyman), or by Gauss-Seidel
//! iteration if a component is too dense. Play that never ends counts as a draw. Handwritten, because crates for graphs and
//! matrices can't count their memory against a budget or stop when the caller cancels.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::position::{ByPlayer, Player};
//! use spoton::evaluate::{chances::odds, opponent::Opponent};
//! use spoton::format::catalog;
//! use spoton::solver::{Budget, Solver};
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let budget = &mut Budget::patient(16 << 20);
//! let solver = Solver::new(Arc::clone(&race), budget)?;
//! let players = ByPlayer([Opponent::perfect(), Opponent::parse("random")?]);
//! let odds = odds(&race, &players, Player::One, Some(&solver), budget)?;
//! assert_eq!((odds.wins[Player::One], odds.drawn()), (1.0, 0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::rc::Rc;

use crate::engine::play::{Move, Outcome, Situation, Step};
use crate::engine::position::{ByPlayer, Player, Position};
use crate::evaluate::opponent::Opponent;
use crate::format::Rulebook;
use crate::solved::SolvedGame;
use crate::solver::{Budget, Interner, Solver, Unsolved, seen_by};

/// The odds for a round between two opponents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odds {
    /// The probability that each player wins.
    pub wins: ByPlayer<f64>,
}

impl Odds {
    /// The probability of a draw, including play that never ends.
    pub fn drawn(self) -> f64 {
        // A smaller remainder is rounding error, not a draw.
        const ROUNDING: f64 = 1e-12;
        let left = 1.0 - self.wins.0[0] - self.wins.0[1];
        if left < ROUNDING { 0.0 } else { left }
    }

    /// A player's expected points: 1 for a win, 1/2 for a draw.
    pub fn points(self, player: Player) -> f64 {
        self.wins[player] + self.drawn() / 2.0
    }
}

/// Why there are no odds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoOdds {
    /// There are too many positions, or the caller cancels.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
    /// An opponent needs a solved game.
    #[error("this opponent needs a solved game")]
    NeedsSolution,
}

/// A state of the Markov chain: a position's one-move transitions.
#[derive(Default)]
struct ChainState {
    /// The probability that the next move ends the round with a win, by player.
    ends: [f64; 2],
    /// The probability that the next move ends it in a draw.
    drawn: f64,
    /// The next states with their probabilities.
    edges: Vec<(u32, f64)>,
}

/// Bytes per state, including room to grow.
pub(super) const BYTES_OF_A_STATE: u64 =
    2 * (size_of::<Position>() as u64 + 8 + size_of::<ChainState>() as u64 + 64 + 40);
/// Bytes per edge, including room to grow.
const BYTES_OF_A_STEP: u64 = 2 * size_of::<(u32, f64)>() as u64;

/// Steps between two checks for cancellation.
const PATIENCE: u64 = 64;

/// An opponent's turn as probabilities, from their point of view: they are Player 1.
#[derive(Default)]
pub(super) struct Turn {
    /// The probability that the turn ends the round with a win, by player.
    ends: [f64; 2],
    /// The probability that it ends in a draw.
    drawn: f64,
    /// The next positions.
    on: Vec<(Position, f64)>,
}

impl Turn {
    /// An opponent's turn at a position, from their point of view; `None` if it needs a solution and there's none.
    pub(super) fn for_opponent(
        opponent: Opponent,
        rulebook: &Rulebook,
        position: &Position,
        solver: Option<&Solver>,
    ) -> Option<Turn> {
        let mut turn = Turn::default();
        let moves: Vec<(Move, f64)> = match rulebook.situation(position) {
            Situation::Over(outcome) => {
                turn.count(outcome, 1.0);
                vec![]
            }
            Situation::Skip => vec![(Move::Skip, 1.0)],
            Situation::Choose(_) => {
                let chances = opponent.chances(rulebook, position, solver)?;
                chances.iter().map(|(choice, chance)| (Move::Operation(choice), chance)).collect()
            }
        };
        for (a_move, chance) in moves {
            match rulebook.play(position, a_move) {
                Ok(Step::Over { outcome, .. }) => turn.count(outcome, chance),
                Ok(Step::On(next)) => turn.on.push((next, chance)),
                Err(_) => {}
            }
        }
        Some(turn)
    }

    fn count(&mut self, outcome: Outcome, chance: f64) {
        match outcome.winner {
            Some(winner) => self.ends[winner as usize] += chance,
            None => self.drawn += chance,
        }
    }

    /// The heap bytes it holds.
    pub(super) fn bytes(&self) -> u64 {
        (self.on.capacity() * size_of::<(Position, f64)>()) as u64
    }
}

/// Looks up an opponent's turn at a position, from their point of view; `None` if it needs a solution and there's none.
pub(super) type Looking<'a> = dyn FnMut(Opponent, &Position) -> Option<Rc<Turn>> + 'a;

/// The odds for a round that `first` starts.
///
/// # Errors
///
/// If this exceeds the budget, or an opponent needs a solution that wasn't given.
pub fn odds(
    rulebook: &Rulebook,
    players: &ByPlayer<Opponent>,
    first: Player,
    solver: Option<&Solver>,
    budget: &mut Budget<'_>,
) -> Result<Odds, NoOdds> {
    let look = &mut |opponent: Opponent, position: &Position| {
        Turn::for_opponent(opponent, rulebook, position, solver).map(Rc::new)
    };
    odds_by(rulebook, players, first, look, budget)
}

/// The same with a cache of opponents' turns, for callers that compare many pairs.
pub(super) fn odds_by(
    rulebook: &Rulebook,
    players: &ByPlayer<Opponent>,
    first: Player,
    look: &mut Looking<'_>,
    budget: &mut Budget<'_>,
) -> Result<Odds, NoOdds> {
    let (states, held) = chain(rulebook, players, first, look, budget)?;
    budget.beside(held, |budget| {
        let mut wins = vec![[0.0; 2]; states.len()];
        let mut places = vec![OUTSIDE; states.len()];
        for (done, component) in components(&states, budget)?.iter().enumerate() {
            solve_component(&states, component, &mut places, &mut wins, budget)?;
            budget.ask(done as u64, PATIENCE, None)?;
        }
        Ok(Odds { wins: ByPlayer(wins[0]) })
    })
}

/// The Markov chain from the opening, breadth first, with its size in bytes. The opening is state 0.
fn chain(
    rulebook: &Rulebook,
    players: &ByPlayer<Opponent>,
    first: Player,
    look: &mut Looking<'_>,
    budget: &mut Budget<'_>,
) -> Result<(Vec<ChainState>, u64), NoOdds> {
    let (mut held, mut edges) = (0, 0);
    let mut interner = Interner::default();
    interner.add(rulebook.opening(first));
    let mut states: Vec<ChainState> = Vec::new();
    while states.len() < interner.len() {
        let position = interner.position(states.len());
        let player = position.turn();
        let turn = look(players[player], &seen_by(player, &position)).ok_or(NoOdds::NeedsSolution)?;
        let next = turn.on.iter().map(|(next, chance)| (interner.add(seen_by(player, next)), *chance));
        let ends = [turn.ends[player as usize], turn.ends[!player as usize]];
        let state = ChainState { ends, drawn: turn.drawn, edges: next.collect() };
        edges += state.edges.len() as u64;
        states.push(state);
        held = interner.len() as u64 * BYTES_OF_A_STATE + edges * BYTES_OF_A_STEP;
        budget.require_bytes(states.len() as u64, interner.len() as u128, held.into())?;
        budget.ask(states.len() as u64, PATIENCE, None)?;
    }
    Ok((states, held))
}

/// The strongly connected components in reverse topological order (Tarjan's algorithm, iterative). Most are a single
/// state.
fn components(states: &[ChainState], budget: &mut Budget<'_>) -> Result<Vec<Vec<usize>>, Unsolved> {
    const NEW: u32 = u32::MAX;
    let mut discovered: Vec<u32> = vec![NEW; states.len()];
    let mut low_link: Vec<u32> = vec![0; states.len()];
    let mut on_stack: Vec<bool> = vec![false; states.len()];
    let (mut stack, mut path) = (Vec::new(), Vec::new());
    let (mut components, mut count) = (Vec::new(), 0);
    for root in 0..states.len() {
        if discovered[root] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((state, edge)) = path.pop() {
            if edge == 0 {
                (discovered[state], low_link[state]) = (count, count);
                count += 1;
                stack.push(state);
                on_stack[state] = true;
            }
            if let Some((next, _)) = states[state].edges.get(edge) {
                let next = *next as usize;
                path.push((state, edge + 1));
                if discovered[next] == NEW {
                    path.push((next, 0));
                } else if on_stack[next] {
                    low_link[state] = low_link[state].min(discovered[next]);
                }
                continue;
            }
            if low_link[state] == discovered[state] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component.push(member);
                    if member == state {
                        break;
                    }
                }
                components.push(component);
                budget.ask(components.len() as u64, PATIENCE, None)?;
            }
            if let Some((above, _)) = path.last() {
                low_link[*above] = low_link[*above].min(low_link[state]);
            }
        }
    }
    Ok(components)
}

/// Marks a state outside the current component.
const OUTSIDE: u32 = u32::MAX;
/// Bytes per edge within a component, in both directions, plus a copy for iteration.
const BYTES_OF_AN_EDGE: u64 = 96;

/// Returns an error if the edges within a component exceed the budget.
fn require_edges(states: usize, edges: usize, budget: &Budget<'_>) -> Result<(), Unsolved> {
    budget.require_bytes(states as u64, states as u128, edges as u128 * u128::from(BYTES_OF_AN_EDGE))
}

/// A state in the current component, which indexes its members.
struct Member {
    /// The probability of leaving the component by winning, per player. Once solved: the probability of winning.
    wins: [f64; 2],
    /// The probability of leaving the component in one step.
    leaves: f64,
    /// The possible next members, with their probabilities.
    to: BTreeMap<u32, f64>,
    /// The members that lead here.
    from: BTreeSet<u32>,
}

impl Member {
    /// The maximum number of edges that eliminating it adds.
    fn fill_in(&self) -> usize {
        self.to.len() * self.from.len()
    }
}

/// Solves a component. Invariant: all states that it leads to are already solved.
fn solve_component(
    states: &[ChainState],
    component: &[usize],
    places: &mut [u32],
    wins: &mut [[f64; 2]],
    budget: &mut Budget<'_>,
) -> Result<(), Unsolved> {
    if component.len() > 1 {
        let edges = component.iter().map(|state| states[*state].edges.len()).sum();
        require_edges(states.len(), edges, budget)?;
    }
    for (place, state) in component.iter().enumerate() {
        places[*state] = place as u32;
    }
    let mut members: Vec<Member> =
        component.iter().map(|state| member(&states[*state], places, wins)).collect();
    for state in component {
        places[*state] = OUTSIDE;
    }
    if members.iter().all(|member| member.wins == [0.0; 2]) {
        return Ok(()); // nobody wins from here: endless, or drawn
    }
    // In a cycle, every member leads to a member.
    if !members[0].to.is_empty() {
        let order = eliminate(&mut members, states.len(), budget)?;
        iterate(&mut members, &order, states.len() as u64, budget)?;
        // Back substitution: an eliminated member leads only to members eliminated later or not at all.
        for place in order.into_iter().rev() {
            let mut found = members[place].wins;
            for (next, chance) in &members[place].to {
                for (found, known) in found.iter_mut().zip(members[*next as usize].wins) {
                    *found += chance * known;
                }
            }
            members[place].wins = found;
        }
    }
    for (state, member) in component.iter().zip(members) {
        wins[*state] = member.wins.map(|chance| chance.min(1.0));
    }
    Ok(())
}

/// Converts a state to a member, folding edges out of the component into the win probabilities.
fn member(state: &ChainState, places: &[u32], wins: &[[f64; 2]]) -> Member {
    let mut member = Member {
        wins: state.ends,
        leaves: state.ends[0] + state.ends[1] + state.drawn,
        to: BTreeMap::new(),
        from: BTreeSet::new(),
    };
    for (next, chance) in &state.edges {
        match places[*next as usize] {
            OUTSIDE => {
                member.leaves += chance;
                for (found, known) in member.wins.iter_mut().zip(wins[*next as usize]) {
                    *found += chance * known;
                }
            }
            place => *member.to.entry(place).or_default() += chance,
        }
    }
    member
}

/// Members with more fill-in than this are iterated instead, unless few are left.
const MOST_FILL_IN: usize = 64;
/// If no more than this many are left, they can all be eliminated.
const FEW_MEMBERS: usize = 300;

/// Eliminates members one by one: their predecessors then lead to their successors. Takes members with little fill-in
/// first and leaves those with too much. Returns the elimination order: each eliminated member leads only to later or
/// remaining ones.
///
/// The algorithm of Grassmann, Taksar and Heyman never subtracts, so even very unlikely endings keep full relative
/// precision. If the component has any exit, every member can reach it.
fn eliminate(members: &mut [Member], states: usize, budget: &mut Budget<'_>) -> Result<Vec<usize>, Unsolved> {
    let mut edges = 0;
    for place in 0..members.len() {
        let to: Vec<u32> = members[place].to.keys().copied().collect();
        edges += to.len();
        for next in to {
            members[next as usize].from.insert(place as u32);
        }
    }
    let mut queue: BinaryHeap<Reverse<(usize, usize)>> =
        members.iter().enumerate().map(|(place, member)| Reverse((member.fill_in(), place))).collect();
    let mut order = Vec::new();
    while let Some(Reverse((expected, place))) = queue.pop() {
        if members[place].fill_in() != expected {
            queue.push(Reverse((members[place].fill_in(), place)));
            continue;
        }
        let full = require_edges(states, edges, budget).is_err();
        if full || expected > MOST_FILL_IN && members.len() - order.len() > FEW_MEMBERS {
            break;
        }
        let own = place as u32;
        // A self-loop only delays the exit, so the other probabilities are scaled to sum to 1 without it.
        edges -= usize::from(members[place].to.remove(&own).is_some());
        members[place].from.remove(&own);
        let member = &mut members[place];
        let without_loop = member.leaves + member.to.values().sum::<f64>();
        member.leaves /= without_loop;
        member.wins = member.wins.map(|chance| chance / without_loop);
        member.to.values_mut().for_each(|chance| *chance /= without_loop);
        let (leaves, wins) = (member.leaves, member.wins);
        let from = std::mem::take(&mut member.from);
        let to: Vec<(u32, f64)> = member.to.iter().map(|(next, chance)| (*next, *chance)).collect();
        for (next, _) in &to {
            members[*next as usize].from.remove(&own);
        }
        for before in from {
            let earlier = &mut members[before as usize];
            let Some(share) = earlier.to.remove(&own) else { continue };
            earlier.leaves += share * leaves;
            for (found, known) in earlier.wins.iter_mut().zip(wins) {
                *found += share * known;
            }
            edges -= 1 + earlier.to.len();
            for (next, chance) in &to {
                *earlier.to.entry(*next).or_default() += share * chance;
            }
            edges += earlier.to.len();
            for (next, _) in &to {
                members[*next as usize].from.insert(before);
            }
        }
        order.push(place);
        budget.ask(order.len() as u64, 64, None)?;
    }
    Ok(order)
}

/// Iteration stops when, from every member, the probability of still being in the component is below this.
const TOLERANCE: f64 = 1e-12;
/// Iteration gives up after following this many edges.
const MOST_STEPS: u64 = 20_000_000_000;
/// Iteration gives up early if its estimated total exceeds this.
const HOPELESS: f64 = 10.0 * MOST_STEPS as f64;
/// Steps between two checks for cancellation.
const STEPS_BETWEEN_QUESTIONS: u64 = 1_000_000;

/// Tracks how fast the probability of still being in the component decays, for the member least likely to leave it. The
/// decay is eventually geometric.
struct Fall {
    /// The last sample: its iteration and probability.
    iteration: u64,
    chance: f64,
    /// The logarithm of the decay factor at that sample.
    per_iteration: f64,
}

impl Fall {
    fn new() -> Fall {
        Fall { iteration: 0, chance: 1.0, per_iteration: 0.0 }
    }

    /// Samples the probability at growing intervals. Estimates the total number of iterations at the current decay.
    /// Returns `None` if the decay is still accelerating or hasn't begun, since iteration may not have reached every
    /// member yet.
    fn iterations_needed(&mut self, iteration: u64, chance: f64) -> Option<f64> {
        if iteration < self.iteration + self.iteration / 4 + 1 {
            return None;
        }
        let falls = (self.chance / chance).ln() / (iteration - self.iteration) as f64;
        let is_steady = falls > 0.0 && falls <= 1.2 * self.per_iteration;
        *self = Fall { iteration, chance, per_iteration: falls };
        is_steady.then(|| iteration as f64 + (chance / TOLERANCE).ln() / falls)
    }
}

/// A row of the iterated equations.
struct Row {
    /// The probability of leaving with a win for each player, and the total probability of leaving.
    known: [f64; 3],
    /// The other members it leads to, with their probabilities.
    to: Vec<(u32, f64)>,
}

/// Gauss-Seidel iteration over the members that weren't eliminated.
fn iterate(
    members: &mut [Member],
    eliminated: &[usize],
    states: u64,
    budget: &mut Budget<'_>,
) -> Result<(), Unsolved> {
    let mut remains = vec![true; members.len()];
    eliminated.iter().for_each(|place| remains[*place] = false);
    let remaining: Vec<usize> = (0..members.len()).filter(|place| remains[*place]).collect();
    // Scales self-loops away, as elimination does.
    let rows: Vec<Row> = remaining
        .iter()
        .map(|place| {
            let Member { wins: [one, two], leaves, to, .. } = &members[*place];
            let others = || to.iter().filter(|(next, _)| **next as usize != *place);
            let without_loop = leaves + others().map(|(_, chance)| chance).sum::<f64>();
            let known = [one / without_loop, two / without_loop, leaves / without_loop];
            Row { known, to: others().map(|(next, chance)| (*next, chance / without_loop)).collect() }
        })
        .collect();
    let edges: u64 = rows.iter().map(|row| row.to.len() as u64 + 1).sum();
    // Per member, the probabilities so far: a win for each player, and having left the component.
    let mut ended = vec![[0.0; 3]; members.len()];
    let mut fall = Fall::new();
    for iteration in 1.. {
        let mut still_inside = 0.0_f64;
        for (place, row) in remaining.iter().zip(&rows) {
            let mut found = row.known;
            for (next, chance) in &row.to {
                for (found, known) in found.iter_mut().zip(ended[*next as usize]) {
                    *found += chance * known;
                }
            }
            ended[*place] = found;
            still_inside = still_inside.max(1.0 - found[2]);
        }
        if still_inside < TOLERANCE {
            break;
        }
        let needed = fall.iterations_needed(iteration, still_inside);
        let is_hopeless = iteration * edges > MOST_STEPS / 50
            && needed.is_some_and(|needed| needed * edges as f64 > HOPELESS);
        if is_hopeless || iteration * edges > MOST_STEPS {
            return Err(Unsolved::TooLong { positions: states });
        }
        // Checks often if iterations are slow, and rarely otherwise.
        budget.ask(iteration, (1 + STEPS_BETWEEN_QUESTIONS / edges).min(64), None)?;
    }
    for place in remaining {
        let [one, two, any] = ended[place];
        members[place].wins = [one / any, two / any];
    }
    Ok(())
}

impl SolvedGame {
    /// The exact odds between two opponents, by who goes first.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn odds(
        &self,
        players: &ByPlayer<Opponent>,
        budget: &mut Budget<'_>,
    ) -> Result<ByPlayer<Odds>, Unsolved> {
        let solver = self.solver(budget)?;
        budget.beside(self.bytes(), |budget| {
            let mut from = |first: Player| match odds(self.rulebook(), players, first, Some(&solver), budget)
            {
                Ok(odds) => Ok(odds),
                Err(NoOdds::Unsolved(why)) => Err(why),
                // The game is solved, but its moves may not be counted.
                Err(NoOdds::NeedsSolution) => Err(Unsolved::Uncounted),
            };
            Ok(ByPlayer([from(Player::One)?, from(Player::Two)?]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_foreseen_from_how_the_chance_falls() {
        let mut fall = Fall::new();
        // The probability halves every 10 iterations and must do so about 40 times.
        let needed: Vec<f64> = (1..=200)
            .filter_map(|iteration| fall.iterations_needed(iteration, 0.5_f64.powf(iteration as f64 / 10.0)))
            .collect();
        assert!(needed.len() > 10);
        let expected = 10.0 * TOLERANCE.recip().log2();
        assert!(needed.iter().all(|needed| (needed - expected).abs() < 1e-6), "{needed:?}");
        // There's no estimate while the probability isn't falling, or if its fall is accelerating.
        let mut fall = Fall::new();
        assert!((1..100).all(|iteration| fall.iterations_needed(iteration, 1.0).is_none()));
        let mut fall = Fall::new();
        let faster = |iteration: u64| (-(iteration as f64).powi(2) / 1e6).exp();
        assert!((1..1000).all(|iteration| fall.iterations_needed(iteration, faster(iteration)).is_none()));
    }
}
