//! Exact chances between two computer players: no dice, but all that can happen, weighed.
//!
//! The positions of a game between two opponents form a chain: from each, every move has its chance. Where the chain
//! has circles, the positions of a circle are solved together; play that never ends counts as drawn.

use crate::opponent::Opponent;
use crate::play::{Move, Outcome, Situation, Step};
use crate::position::{ByPlayer, Player, Position};
use crate::rulebook::Rulebook;
use crate::solver::{Budget, Interner, Solver, Unsolved};

/// How a round between two opponents ends, by chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odds {
    /// The chance that each player wins.
    pub wins: ByPlayer<f64>,
}

impl Odds {
    /// The chance that nobody wins, endless play included.
    pub fn drawn(self) -> f64 {
        (1.0 - self.wins.0[0] - self.wins.0[1]).max(0.0)
    }

    /// What a player can expect: a win counts 1, a draw one half.
    pub fn points(self, player: Player) -> f64 {
        self.wins[player] + self.drawn() / 2.0
    }
}

/// Why there are no odds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOdds {
    /// There are too many positions, or the caller does not want to go on.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
    /// One of the opponents needs the game to be solved.
    #[error("this opponent needs the game to be solved")]
    NeedsSolution,
}

/// What happens from a position.
#[derive(Default)]
struct Node {
    /// The chances that the round ends here and now with a win for each.
    ends: [f64; 2],
    /// Where it goes on to, and how likely.
    leads: Vec<(u32, f64)>,
}

/// Bytes for a position in the tables below, with room for growing.
const BYTES: u64 = 2 * (size_of::<Position>() as u64 + 8 + size_of::<Node>() as u64 + 64 + 40);

/// The odds of a round that `first` starts.
///
/// # Errors
///
/// Where that takes more than the budget, or an opponent needs a solution that was not given.
pub fn odds(
    rulebook: &Rulebook,
    players: &ByPlayer<Opponent>,
    first: Player,
    solver: Option<&Solver>,
    budget: &mut Budget<'_>,
) -> Result<Odds, NoOdds> {
    let nodes = chain(rulebook, players, first, solver, budget)?;
    let mut wins = vec![[0.0; 2]; nodes.len()];
    for circle in circles(&nodes) {
        settle(&nodes, &circle, &mut wins);
    }
    Ok(Odds { wins: ByPlayer(wins[0]) })
}

/// Everything that can happen, from the opening on.
fn chain(
    rulebook: &Rulebook,
    players: &ByPlayer<Opponent>,
    first: Player,
    solver: Option<&Solver>,
    budget: &mut Budget<'_>,
) -> Result<Vec<Node>, NoOdds> {
    let mut interner = Interner::new();
    interner.add(rulebook.opening(first));
    let mut nodes: Vec<Node> = Vec::new();
    while nodes.len() < interner.len() {
        let position = interner.position(nodes.len());
        let mut node = Node::default();
        let count = |node: &mut Node, outcome: Outcome, chance: f64| {
            if let Some(winner) = outcome.winner {
                node.ends[winner as usize] += chance;
            }
        };
        let moves: Vec<(Move, f64)> = match rulebook.situation(&position) {
            Situation::Over(outcome) => {
                count(&mut node, outcome, 1.0);
                vec![]
            }
            Situation::Skip => vec![(Move::Skip, 1.0)],
            Situation::Choose(_) => {
                let chances = players[position.turn()].chances(rulebook, &position, solver);
                let chances = chances.ok_or(NoOdds::NeedsSolution)?;
                chances.iter().map(|(choice, chance)| (Move::Operation(choice), chance)).collect()
            }
        };
        for (a_move, chance) in moves {
            match rulebook.play(&position, a_move) {
                Ok(Step::Over { outcome, .. }) => count(&mut node, outcome, chance),
                Ok(Step::On(next)) => node.leads.push((interner.add(next), chance)),
                Err(_) => {}
            }
        }
        nodes.push(node);
        budget.hold(nodes.len() as u64, interner.len() as u128, BYTES)?;
        budget.ask(nodes.len() as u64, 4096, None)?;
    }
    Ok(nodes)
}

/// The positions in groups that lead to each other in circles; mostly one alone. A group comes after those that it
/// leads to (Tarjan's algorithm, without recursion).
fn circles(nodes: &[Node]) -> Vec<Vec<usize>> {
    const NEW: u32 = u32::MAX;
    let mut found: Vec<u32> = vec![NEW; nodes.len()];
    let mut low: Vec<u32> = vec![0; nodes.len()];
    let mut open: Vec<bool> = vec![false; nodes.len()];
    let (mut stack, mut path) = (Vec::new(), Vec::new());
    let (mut groups, mut count) = (Vec::new(), 0);
    for root in 0..nodes.len() {
        if found[root] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, edge)) = path.pop() {
            if edge == 0 {
                (found[node], low[node]) = (count, count);
                count += 1;
                stack.push(node);
                open[node] = true;
            }
            if let Some((next, _)) = nodes[node].leads.get(edge) {
                let next = *next as usize;
                path.push((node, edge + 1));
                if found[next] == NEW {
                    path.push((next, 0));
                } else if open[next] {
                    low[node] = low[node].min(found[next]);
                }
                continue;
            }
            if low[node] == found[node] {
                let mut group = Vec::new();
                while let Some(member) = stack.pop() {
                    open[member] = false;
                    group.push(member);
                    if member == node {
                        break;
                    }
                }
                groups.push(group);
            }
            if let Some((above, _)) = path.last() {
                low[*above] = low[*above].min(low[node]);
            }
        }
    }
    groups
}

/// Larger circles are not solved at a stroke but by going round until nothing changes.
const LARGEST_SYSTEM: usize = 500;

/// Finds the chances of a group whose exits are known.
fn settle(nodes: &[Node], group: &[usize], wins: &mut [[f64; 2]]) {
    let place = |node: u32| group.iter().position(|member| *member == node as usize);
    let inside: std::collections::HashMap<usize, usize> = if group.len() > 8 {
        group.iter().enumerate().map(|(place, node)| (*node, place)).collect()
    } else {
        Default::default()
    };
    let place =
        |node: u32| if inside.is_empty() { place(node) } else { inside.get(&(node as usize)).copied() };
    // What leaves the group is settled; what stays makes the system.
    let outside = |node: usize| {
        let mut known = nodes[node].ends;
        for (next, chance) in &nodes[node].leads {
            if place(*next).is_none() {
                for player in 0..2 {
                    known[player] += chance * wins[*next as usize][player];
                }
            }
        }
        known
    };
    let known: Vec<[f64; 2]> = group.iter().map(|node| outside(*node)).collect();
    let within =
        |node: usize| nodes[node].leads.iter().filter_map(|(next, chance)| Some((place(*next)?, *chance)));
    let solved = match group {
        [node] if within(*node).next().is_none() => known,
        _ if known.iter().all(|known| *known == [0.0; 2]) => known, // no way out to a win: endless, or drawn
        _ if group.len() <= LARGEST_SYSTEM => {
            let rows = group.iter().map(|node| within(*node).collect()).collect();
            eliminate(rows, known)
        }
        _ => go_round(group.iter().map(|node| within(*node).collect()).collect(), known),
    };
    for (node, solved) in group.iter().zip(solved) {
        wins[*node] = solved;
    }
}

/// Solves `x = Q x + known` by elimination. A group with a way out has just one solution; one without is left at 0.
fn eliminate(rows: Vec<Vec<(usize, f64)>>, known: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let size = rows.len();
    let mut matrix: Vec<Vec<f64>> = rows
        .into_iter()
        .zip(&known)
        .enumerate()
        .map(|(row, (leads, known))| {
            let mut line = vec![0.0; size + 2];
            line[row] = 1.0;
            for (column, chance) in leads {
                line[column] -= chance;
            }
            line[size..].copy_from_slice(known);
            line
        })
        .collect();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()));
        let Some(pivot) = pivot.filter(|row| matrix[*row][column].abs() > 1e-14) else { continue };
        matrix.swap(column, pivot);
        let line = std::mem::take(&mut matrix[column]);
        for (row, other) in matrix.iter_mut().enumerate() {
            if row != column && other.get(column).is_some_and(|entry| *entry != 0.0) {
                let factor = other[column] / line[column];
                for index in column..size + 2 {
                    other[index] -= factor * line[index];
                }
            }
        }
        matrix[column] = line;
    }
    let solution = |row: usize, player: usize| match matrix[row][row] {
        pivot if pivot.abs() > 1e-14 => (matrix[row][size + player] / pivot).clamp(0.0, 1.0),
        _ => 0.0,
    };
    (0..size).map(|row| [solution(row, 0), solution(row, 1)]).collect()
}

/// Solves the same by going round from 0 until nothing changes any more.
fn go_round(rows: Vec<Vec<(usize, f64)>>, known: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let mut solved = known.clone();
    loop {
        let mut change = 0.0_f64;
        for (row, leads) in rows.iter().enumerate() {
            let mut fresh = known[row];
            for (column, chance) in leads {
                for player in 0..2 {
                    fresh[player] += chance * solved[*column][player];
                }
            }
            for player in 0..2 {
                change = change.max((fresh[player] - solved[row][player]).abs());
            }
            solved[row] = fresh;
        }
        if change < 1e-15 {
            return solved;
        }
    }
}
