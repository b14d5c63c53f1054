//! Exact chances between two computer players: no dice, but all that can happen, weighed.
//!
//! The positions of a game between two opponents form a chain: from each, every move has its chance. Where the chain
//! has circles, the positions of a circle are solved together; play that never ends counts as drawn.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::position::{ByPlayer, Player};
//! use spoton::format::catalog;
//! use spoton::people::{chances::odds, opponent::Opponent};
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

use crate::engine::play::{Move, Outcome, Situation, Step};
use crate::engine::position::{ByPlayer, Player, Position};
use crate::format::Rulebook;
use crate::people::opponent::Opponent;
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
#[non_exhaustive]
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
    /// The chance that it ends here and now with a draw.
    drawn: f64,
    /// Where it goes on to, and how likely.
    leads: Vec<(u32, f64)>,
}

/// Bytes for a position in the tables below, with room for growing.
const BYTES: u64 = 2 * (size_of::<Position>() as u64 + 8 + size_of::<Node>() as u64 + 64 + 40);

/// How many positions are looked at between two questions whether to go on.
const PATIENCE: u64 = 64;

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
    let mut places = vec![OUTSIDE; nodes.len()];
    for (done, group) in circles(&nodes, budget)?.iter().enumerate() {
        settle(&nodes, group, &mut places, &mut wins, budget)?;
        budget.ask(done as u64, PATIENCE, None)?;
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
        let count = |node: &mut Node, outcome: Outcome, chance: f64| match outcome.winner {
            Some(winner) => node.ends[winner as usize] += chance,
            None => node.drawn += chance,
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
        budget.ask(nodes.len() as u64, PATIENCE, None)?;
    }
    Ok(nodes)
}

/// The positions in groups that lead to each other in circles; mostly one alone. A group comes after those that it
/// leads to (Tarjan's algorithm, without recursion).
fn circles(nodes: &[Node], budget: &mut Budget<'_>) -> Result<Vec<Vec<usize>>, Unsolved> {
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
                budget.ask(groups.len() as u64, PATIENCE, None)?;
            }
            if let Some((above, _)) = path.last() {
                low[*above] = low[*above].min(low[node]);
            }
        }
    }
    Ok(groups)
}

/// A position that does not belong to the group at hand.
const OUTSIDE: u32 = u32::MAX;
/// Bytes for a way from one position of a group to another, with its place in the tables.
const BYTES_OF_A_WAY: u64 = 2 * 40;

/// What happens from a position of a group, as long as the group is not settled.
struct Open {
    /// The chances of leaving the group for a win of each.
    wins: [f64; 2],
    /// The chance of leaving it at all.
    leaves: f64,
    /// Where it goes on to within the group, and how likely.
    to: BTreeMap<u32, f64>,
    /// From where in the group it is come to.
    from: BTreeSet<u32>,
}

impl Open {
    /// How many ways have to be drawn afresh when this position is taken out.
    fn ways(&self) -> usize {
        self.to.len() * self.from.len()
    }
}

/// Finds the chances of a group whose exits are known.
fn settle(
    nodes: &[Node],
    group: &[usize],
    places: &mut [u32],
    wins: &mut [[f64; 2]],
    budget: &mut Budget<'_>,
) -> Result<(), Unsolved> {
    for (place, node) in group.iter().enumerate() {
        places[*node] = place as u32;
    }
    let mut open: Vec<Open> = group.iter().map(|node| outlook(&nodes[*node], places, wins)).collect();
    for node in group {
        places[*node] = OUTSIDE;
    }
    if open.iter().all(|member| member.wins == [0.0; 2]) {
        return Ok(()); // no way out to a win: endless, or drawn
    }
    if group.len() > 1 || !open[0].to.is_empty() {
        let order = take_out(&mut open, nodes.len() as u64, budget)?;
        go_round(&mut open, &order, nodes.len() as u64, budget)?;
        // The last that was taken out leads to nothing that is still open, the one before it at most to that one, and
        // so on.
        for place in order.into_iter().rev() {
            let mut found = open[place].wins;
            for (next, chance) in &open[place].to {
                for (found, known) in found.iter_mut().zip(open[*next as usize].wins) {
                    *found += chance * known;
                }
            }
            open[place].wins = found;
        }
    }
    for (node, member) in group.iter().zip(open) {
        wins[*node] = member.wins.map(|chance| chance.min(1.0));
    }
    Ok(())
}

/// What leaves the group is known; what stays is open.
fn outlook(node: &Node, places: &[u32], wins: &[[f64; 2]]) -> Open {
    let mut open = Open {
        wins: node.ends,
        leaves: node.ends[0] + node.ends[1] + node.drawn,
        to: BTreeMap::new(),
        from: BTreeSet::new(),
    };
    for (next, chance) in &node.leads {
        match places[*next as usize] {
            OUTSIDE => {
                open.leaves += chance;
                for (found, known) in open.wins.iter_mut().zip(wins[*next as usize]) {
                    *found += chance * known;
                }
            }
            place => *open.to.entry(place).or_default() += chance,
        }
    }
    open
}

/// Positions with more ways than this stay, unless few are left.
const MANY_WAYS: usize = 64;
/// So few can all be taken out.
const FEW: usize = 300;

/// Takes one position after another out of a group: whoever came to it now goes where it leads. Those with few ways
/// come first, so that few are drawn afresh. The order in which they were taken out; each then leads only to later
/// ones, and to those that stay: where many positions all lead to each other, it is better to go round them.
///
/// Nothing is ever subtracted (the way of Grassmann, Taksar and Heyman), so that an end that comes once in a million
/// years is told as exactly as any other. A group that has a way out has one from everywhere.
fn take_out(open: &mut [Open], nodes: u64, budget: &mut Budget<'_>) -> Result<Vec<usize>, Unsolved> {
    let mut ways = 0;
    for place in 0..open.len() {
        let to: Vec<u32> = open[place].to.keys().copied().collect();
        ways += to.len();
        for next in to {
            open[next as usize].from.insert(place as u32);
        }
    }
    let mut queue: BinaryHeap<Reverse<(usize, usize)>> =
        open.iter().enumerate().map(|(place, member)| Reverse((member.ways(), place))).collect();
    let mut order = Vec::new();
    while let Some(Reverse((expected, place))) = queue.pop() {
        if open[place].ways() != expected {
            queue.push(Reverse((open[place].ways(), place)));
            continue;
        }
        let held = u128::from(nodes * BYTES) + ways as u128 * u128::from(BYTES_OF_A_WAY);
        let full = budget.hold(nodes, held, 1).is_err();
        if full || expected > MANY_WAYS && open.len() - order.len() > FEW {
            break;
        }
        let own = place as u32;
        // Coming back to itself only takes time: what counts is where it goes when it goes.
        open[place].to.remove(&own);
        open[place].from.remove(&own);
        let member = &mut open[place];
        let goes = member.leaves + member.to.values().sum::<f64>();
        member.leaves /= goes;
        member.wins = member.wins.map(|chance| chance / goes);
        member.to.values_mut().for_each(|chance| *chance /= goes);
        let (leaves, wins) = (member.leaves, member.wins);
        let from = std::mem::take(&mut member.from);
        let to: Vec<(u32, f64)> = member.to.iter().map(|(next, chance)| (*next, *chance)).collect();
        for (next, _) in &to {
            open[*next as usize].from.remove(&own);
        }
        for before in from {
            let earlier = &mut open[before as usize];
            let Some(share) = earlier.to.remove(&own) else { continue };
            earlier.leaves += share * leaves;
            for (found, known) in earlier.wins.iter_mut().zip(wins) {
                *found += share * known;
            }
            let had = earlier.to.len();
            for (next, chance) in &to {
                *earlier.to.entry(*next).or_default() += share * chance;
            }
            ways += earlier.to.len() - had;
            for (next, _) in &to {
                open[*next as usize].from.insert(before);
            }
        }
        order.push(place);
        budget.ask(order.len() as u64, 64, None)?;
    }
    Ok(order)
}

/// How much may be left in play at any position when going round ends.
const NEXT_TO_NOTHING: f64 = 1e-12;
/// So many ways are gone, counted each time, before it is given up.
const MOST_WAYS: u64 = 20_000_000_000;

/// A position that stays: its chances of leaving the group for a win of each and at all, and where else it goes.
struct Row {
    known: [f64; 3],
    to: Vec<(u32, f64)>,
}

/// Goes round the positions that were not taken out until next to nothing is left in play.
fn go_round(
    open: &mut [Open],
    taken_out: &[usize],
    nodes: u64,
    budget: &mut Budget<'_>,
) -> Result<(), Unsolved> {
    let mut stays = vec![true; open.len()];
    taken_out.iter().for_each(|place| stays[*place] = false);
    let stays: Vec<usize> = (0..open.len()).filter(|place| stays[*place]).collect();
    // Coming back to itself only takes time here as well.
    let rows: Vec<Row> = stays
        .iter()
        .map(|place| {
            let Open { wins: [one, two], leaves, to, .. } = &open[*place];
            let others = || to.iter().filter(|(next, _)| **next as usize != *place);
            let goes = leaves + others().map(|(_, chance)| chance).sum::<f64>();
            let known = [one / goes, two / goes, leaves / goes];
            Row { known, to: others().map(|(next, chance)| (*next, chance / goes)).collect() }
        })
        .collect();
    let ways: u64 = rows.iter().map(|row| row.to.len() as u64 + 1).sum();
    // Of each position, so far: a win for each, and any end at all.
    let mut ended = vec![[0.0; 3]; open.len()];
    for round in 1.. {
        let mut left = 0.0_f64;
        for (place, row) in stays.iter().zip(&rows) {
            let mut found = row.known;
            for (next, chance) in &row.to {
                for (found, known) in found.iter_mut().zip(ended[*next as usize]) {
                    *found += chance * known;
                }
            }
            ended[*place] = found;
            left = left.max(1.0 - found[2]);
        }
        if left < NEXT_TO_NOTHING {
            break;
        }
        if round * ways > MOST_WAYS {
            return Err(Unsolved::TooLong { positions: nodes });
        }
        budget.ask(round, 64, None)?;
    }
    for place in stays {
        let [one, two, any] = ended[place];
        open[place].wins = [one / any, two / any];
    }
    Ok(())
}
