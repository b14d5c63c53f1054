//! Rounds of books without repeating positions: a position's effects are computed on first use and then looked up.

use std::collections::HashMap;

use super::{AGENT, Facts, Keeps, Pairing, Turn};
use crate::engine::play::{Ending, Move, Outcome, Situation, Step};
use crate::engine::position::{ByPlayer, Choice, Player, Position};
use crate::evaluate::opponent::falls_on;
use crate::format::Numbers;
use crate::sitting::dice::{DRAWS, drawn};
use crate::sitting::{Cannot, Lookahead, MOST_PLIES, QuickDice};

/// Not computed yet.
const UNKNOWN: u32 = u32::MAX;

/// Indices from here on aren't nodes: they point to more [`Replies`] or mean unknown.
const MORE: u32 = 1 << 31;

/// The table is rebuilt when it exceeds this size, plus an allowance per round.
const BYTES: usize = 64 << 20;
const BYTES_A_ROUND: usize = 1 << 10;

const STOPPED: Outcome = Outcome { winner: None, ending: Ending::Stopped };

pub(super) struct Lookup {
    table: Table,
    /// The opening nodes, by who goes first.
    openings: ByPlayer<u32>,
    rounds: Vec<At>,
}

/// The state of a round.
#[derive(Clone, Copy)]
struct At {
    node: u32,
    /// Turns taken, including skipped ones.
    turns: u32,
}

impl At {
    fn is_out_of_patience(self) -> bool {
        self.turns as usize >= MOST_PLIES
    }
}

/// All positions so far, by node.
#[derive(Default)]
struct Table {
    /// The number of actions.
    actions: usize,
    nodes: Vec<Node>,
    positions: Vec<Position>,
    numbers: HashMap<Position, u32>,
    /// For each node where it's the agent's turn or the round is over: the observation, and for each action whether it's
    /// legal and the index of its replies.
    observations: Vec<[u8; 8]>,
    masks: Vec<u8>,
    moves: Vec<u32>,
    replies: Vec<Replies>,
    /// The nodes after moves, before the opponent replies.
    moved: Vec<u32>,
    answers: Vec<Answer>,
}

#[derive(Clone, Copy)]
enum Node {
    /// It's the agent's turn.
    Agent,
    /// It's the opponent's turn, with these replies. The range is empty if they aren't computed yet.
    Opponent { from: u32, to: u32 },
    /// The turn is skipped.
    Skip { to: u32 },
    /// The round is over.
    Over(Outcome),
}

/// A possible move of the opponent.
#[derive(Clone, Copy)]
struct Answer {
    chance: f64,
    choice: Choice,
    to: u32,
}

/// The results of an agent's move, by the opponent's reply.
///
/// Branches on the reply would be mispredicted, so the lookup avoids them: there are always four slots. With fewer
/// replies, the last slots are unused. With more, the fourth links to the rest.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Replies {
    /// For each slot except the last, the first draw beyond it.
    ends: [u64; 3],
    come: [Come; 4],
}

/// The agent's next turn, or the end of the round.
#[derive(Clone, Copy)]
struct Come {
    to: u32,
    facts: Facts,
}

impl Replies {
    /// Gives the same result for every draw.
    fn only(come: Come) -> Replies {
        Replies { ends: [u64::MAX; 3], come: [come; 4] }
    }

    /// The result for a draw.
    #[inline]
    fn with(&self, draw: u64) -> Come {
        let [first, second, third] = self.ends;
        let place = usize::from(draw >= first) + usize::from(draw >= second) + usize::from(draw >= third);
        self.come[place]
    }
}

/// Unknown replies: the move is illegal or hasn't been made yet, or a turn is skipped before the agent's next turn.
const NO_REPLIES: u32 = 0;

impl Lookup {
    pub(super) fn new(pairing: &Pairing, rounds: usize) -> Lookup {
        let mut table = Table::new(pairing);
        let openings = table.openings(pairing);
        Lookup { table, openings, rounds: vec![At { node: openings[AGENT], turns: 0 }; rounds] }
    }

    /// Rebuilds the table if it's too large.
    pub(super) fn keep_small(&mut self, pairing: &Pairing) {
        if self.table.bytes() > BYTES + self.rounds.len() * BYTES_A_ROUND {
            self.forget(pairing);
        }
    }

    fn forget(&mut self, pairing: &Pairing) {
        let old = std::mem::replace(&mut self.table, Table::new(pairing));
        self.openings = self.table.openings(pairing);
        for at in &mut self.rounds {
            let position = old.positions[at.node as usize];
            at.node = match old.nodes[at.node as usize] {
                Node::Over(outcome) => {
                    let observation = &old.observations[at.node as usize * pairing.features..];
                    self.table.add_end(position, outcome, &observation[..pairing.features], pairing)
                }
                _ => self.table.number_of(position, pairing),
            };
        }
    }

    /// Plays until it's the agent's turn or the round is over. Returns the outcome, if it's over.
    fn settle(&mut self, turn: &mut Turn<'_, '_>) -> Result<Option<Outcome>, Cannot> {
        let mut at = self.rounds[turn.place];
        loop {
            at.node = match self.table.nodes[at.node as usize] {
                Node::Over(_) | Node::Agent => break,
                _ if at.is_out_of_patience() => break,
                Node::Opponent { .. } => {
                    let (from, to) = self.table.answers_at(at.node, turn.pairing, turn.ahead)?;
                    let chances = self.table.answers[from..to].iter().map(|answer| answer.chance);
                    let picked = falls_on(chances, turn.dice.draw(at.turns)).ok_or(Cannot::NeedsSolution)?;
                    self.table.after_answer(at.node, from + picked, turn.pairing)
                }
                Node::Skip { .. } => self.table.after_skip(at.node, turn.pairing),
            };
            at.turns += 1;
        }
        self.rounds[turn.place] = at;
        Ok(self.outcome(turn.place))
    }

    /// The outcome of a round, if it's over.
    fn outcome(&self, place: usize) -> Option<Outcome> {
        let at = self.rounds[place];
        match self.table.nodes[at.node as usize] {
            Node::Over(outcome) => Some(outcome),
            _ => at.is_out_of_patience().then_some(STOPPED),
        }
    }
}

impl Keeps for Lookup {
    #[inline]
    fn begin(&mut self, first: Player, turn: &mut Turn<'_, '_>) -> Result<Option<Outcome>, Cannot> {
        let node = self.openings[first];
        self.rounds[turn.place] = At { node, turns: 0 };
        if matches!(self.table.nodes[node as usize], Node::Agent) {
            return Ok(None);
        }
        self.settle(turn)
    }

    fn play_known(
        &mut self,
        actions: &[[u8; 8]],
        dice: &[QuickDice],
        facts: &mut [Facts],
        left: &mut Vec<(usize, i64)>,
    ) {
        // Equal lengths let the compiler drop bounds checks.
        let rounds = self.rounds.len();
        let (actions, dice, facts) = (&actions[..rounds], &dice[..rounds], &mut facts[..rounds]);
        let table = &self.table;
        for (place, at) in self.rounds.iter_mut().enumerate() {
            let action = i64::from_ne_bytes(actions[place]);
            match table.known(*at, action, dice[place]) {
                Some(come) => {
                    *at = At { node: come.to, turns: at.turns + 2 };
                    facts[place] = come.facts;
                }
                None => left.push((place, action)),
            }
        }
    }

    fn play(&mut self, action: i64, turn: &mut Turn<'_, '_>) -> Result<Option<Option<Outcome>>, Cannot> {
        if let over @ Some(_) = self.outcome(turn.place) {
            return Ok(Some(over));
        }
        let At { node, turns } = self.rounds[turn.place];
        let edge = self.table.edge(node, action).filter(|edge| self.table.masks[*edge] == 1);
        let Some(edge) = edge else { return Ok(None) };
        let to = match self.table.moved[edge] {
            UNKNOWN => self.table.learn(node, edge, turn.pairing, turn.ahead)?,
            known => known,
        };
        self.rounds[turn.place] = At { node: to, turns: turns + 1 };
        self.settle(turn).map(Some)
    }

    fn show(&self, pairing: &Pairing, observations: &mut [[u8; 8]], masks: &mut [u8]) {
        let (features, actions) = (pairing.features, pairing.alphabet.choices().len());
        copy_rows(&self.table.observations, &self.rounds, features, observations);
        copy_rows(&self.table.masks, &self.rounds, actions, masks);
        // Stopped rounds are rare, and this branch-free check over all rounds costs next to nothing.
        if !self.rounds.iter().fold(false, |any, at| any | at.is_out_of_patience()) {
            return;
        }
        for place in 0..self.rounds.len() {
            if self.outcome(place) == Some(STOPPED) {
                let position = self.position(place);
                let seen = pairing.observe(&position, numbers_at(&position), true);
                observations[place * features..][..features].copy_from_slice(&seen);
                masks[place * actions..][..actions].fill(0);
            }
        }
    }

    fn position(&self, place: usize) -> Position {
        self.table.positions[self.rounds[place].node as usize]
    }
}

/// Copies the row of each round's node.
fn copy_rows<T: Copy>(rows: &[T], rounds: &[At], width: usize, into: &mut [T]) {
    // Most rows are short; copying a fixed width is much cheaper than a general copy.
    match width {
        0 => {}
        1 => copy_short_rows::<T, 1>(rows, rounds, into),
        2 => copy_short_rows::<T, 2>(rows, rounds, into),
        3 => copy_short_rows::<T, 3>(rows, rounds, into),
        4 => copy_short_rows::<T, 4>(rows, rounds, into),
        _ => {
            for (into, at) in into.chunks_exact_mut(width).zip(rounds) {
                into.copy_from_slice(&rows[at.node as usize * width..][..width]);
            }
        }
    }
}

fn copy_short_rows<T: Copy, const WIDTH: usize>(rows: &[T], rounds: &[At], into: &mut [T]) {
    let (rows, into) = (rows.as_chunks::<WIDTH>().0, into.as_chunks_mut::<WIDTH>().0);
    into.iter_mut().zip(rounds).for_each(|(into, at)| *into = rows[at.node as usize]);
}

fn numbers_at(position: &Position) -> [i128; 2] {
    Player::BOTH.map(|player| position.number_of(player).into())
}

impl Table {
    fn new(pairing: &Pairing) -> Table {
        let unknown = Come { to: UNKNOWN, facts: Facts::NONE };
        let actions = pairing.alphabet.choices().len();
        Table { actions, replies: vec![Replies::only(unknown)], ..Table::default() }
    }

    /// Its approximate size in bytes.
    fn bytes(&self) -> usize {
        // Each position is stored twice, once in a hash table with empty slots.
        let node = size_of::<Node>() + 4 * size_of::<Position>();
        self.nodes.len() * node
            + size_of_val(&self.observations[..])
            + size_of_val(&self.masks[..])
            + size_of_val(&self.moves[..])
            + size_of_val(&self.replies[..])
            + size_of_val(&self.moved[..])
            + size_of_val(&self.answers[..])
    }

    /// Adds a node. `seen` is its observation, if any. It has no legal actions yet.
    fn add(&mut self, position: Position, node: Node, seen: Option<&[[u8; 8]]>, pairing: &Pairing) -> u32 {
        let number = self.nodes.len();
        self.nodes.push(node);
        self.positions.push(position);
        self.observations.resize((number + 1) * pairing.features, [0; 8]);
        if let Some(seen) = seen {
            self.observations[number * pairing.features..].copy_from_slice(seen);
        }
        let edges = (number + 1) * self.actions;
        self.masks.resize(edges, 0);
        self.moves.resize(edges, NO_REPLIES);
        self.moved.resize(edges, UNKNOWN);
        number as u32
    }

    fn add_end(&mut self, position: Position, outcome: Outcome, seen: &[[u8; 8]], pairing: &Pairing) -> u32 {
        let node = self.add(position, Node::Over(outcome), Some(seen), pairing);
        // After the end, any action stays at this node and reports the end.
        let nowhere =
            self.add_replies(&[(DRAWS, Come { to: node, facts: Facts::from_outcome(Some(outcome)) })]);
        self.moves[node as usize * self.actions..].fill(nowhere);
        node
    }

    fn openings(&mut self, pairing: &Pairing) -> ByPlayer<u32> {
        ByPlayer::from_fn(|first| self.number_of(pairing.rulebook.opening(first), pairing))
    }

    /// The index of an action at a node; `None` if there's no such action.
    #[inline]
    fn edge(&self, node: u32, action: i64) -> Option<usize> {
        // Negative actions wrap around to out-of-range values.
        let action = usize::try_from(action.cast_unsigned()).ok()?;
        (action < self.actions).then(|| node as usize * self.actions + action)
    }

    /// The result of an action, if it can be looked up.
    #[inline]
    fn known(&self, at: At, action: i64, dice: QuickDice) -> Option<Come> {
        let replies = self.moves[self.edge(at.node, action)?];
        // Neither the move nor the reply may reach the ply limit.
        if at.turns as usize + 2 >= MOST_PLIES {
            return None;
        }
        self.reply(replies, dice.whole_draw(at.turns + 1))
    }

    /// Picks a reply at an index by a random draw and returns its result.
    #[inline]
    fn reply(&self, mut place: u32, draw: u64) -> Option<Come> {
        loop {
            let come = self.replies[place as usize].with(draw);
            match come.to {
                ..MORE => return Some(come),
                UNKNOWN => return None,
                more => place = more - MORE,
            }
        }
    }

    /// Stores the replies to a move, each with the first draw beyond it. Returns their index.
    fn add_replies(&mut self, replies: &[(u64, Come)]) -> u32 {
        let (few, last) = match replies {
            [] => return NO_REPLIES,
            [few @ .., (_, last)] if few.len() <= 3 => (few, *last),
            [few @ .., _] => {
                let rest = self.add_replies(&replies[3..]);
                (&few[..3], Come { to: MORE + rest, facts: Facts::NONE })
            }
        };
        let mut kept = Replies::only(last);
        for (place, (end, come)) in few.iter().enumerate() {
            (kept.ends[place], kept.come[place]) = (*end, *come);
        }
        self.replies.push(kept);
        self.replies.len() as u32 - 1
    }

    /// The node of a position.
    fn number_of(&mut self, position: Position, pairing: &Pairing) -> u32 {
        if let Some(known) = self.numbers.get(&position) {
            return *known;
        }
        let observe = |is_over| pairing.observe(&position, numbers_at(&position), is_over);
        let node = match pairing.rulebook.situation(&position) {
            Situation::Over(outcome) => self.add_end(position, outcome, &observe(true), pairing),
            Situation::Skip => self.add(position, Node::Skip { to: UNKNOWN }, None, pairing),
            Situation::Choose(_) if position.turn() != AGENT => {
                self.add(position, Node::Opponent { from: 0, to: 0 }, None, pairing)
            }
            Situation::Choose(legal) => {
                let node = self.add(position, Node::Agent, Some(&observe(false)), pairing);
                let first = node as usize * self.actions;
                for action in legal.into_iter().filter_map(|choice| pairing.alphabet.place(choice)) {
                    self.masks[first + action] = 1;
                }
                node
            }
        };
        self.numbers.insert(position, node);
        node
    }

    /// The node after a legal move.
    fn after(&mut self, node: u32, a_move: Move, pairing: &Pairing) -> u32 {
        let (before, rulebook) = (self.positions[node as usize], &pairing.rulebook);
        match rulebook.play(&before, a_move).expect("only legal moves are made here") {
            Step::On(position) => self.number_of(position, pairing),
            Step::Over { number, outcome } => {
                let owner = rulebook.owner(&before, a_move);
                let is_shared = rulebook.numbers() == Numbers::Shared;
                let landed = |player| {
                    if is_shared || player == owner { number } else { before.number_of(player).into() }
                };
                let seen = pairing.observe(&before, Player::BOTH.map(landed), true);
                self.add_end(before, outcome, &seen, pairing)
            }
        }
    }

    fn after_skip(&mut self, node: u32, pairing: &Pairing) -> u32 {
        if let Node::Skip { to } = self.nodes[node as usize]
            && to != UNKNOWN
        {
            return to;
        }
        let to = self.after(node, Move::Skip, pairing);
        self.nodes[node as usize] = Node::Skip { to };
        to
    }

    fn after_answer(&mut self, node: u32, answer: usize, pairing: &Pairing) -> u32 {
        let Answer { choice, to, .. } = self.answers[answer];
        if to != UNKNOWN {
            return to;
        }
        let to = self.after(node, Move::Operation(choice), pairing);
        self.answers[answer].to = to;
        to
    }

    /// The range of the opponent's answers at a node.
    fn answers_at(
        &mut self,
        node: u32,
        pairing: &Pairing,
        ahead: &mut Lookahead<'_>,
    ) -> Result<(usize, usize), Cannot> {
        if let Node::Opponent { from, to } = self.nodes[node as usize]
            && from < to
        {
            return Ok((from as usize, to as usize));
        }
        let round = pairing.round_at(self.positions[node as usize]);
        let chances = ahead.chances(pairing.opponent, &round)?;
        let from = self.answers.len();
        self.answers.extend(chances.iter().map(|(choice, chance)| Answer { chance, choice, to: UNKNOWN }));
        let to = self.answers.len();
        self.nodes[node as usize] = Node::Opponent { from: from as u32, to: to as u32 };
        Ok((from, to))
    }

    /// Computes the results of an agent's legal move. Returns the node after it.
    fn learn(
        &mut self,
        node: u32,
        edge: usize,
        pairing: &Pairing,
        ahead: &mut Lookahead<'_>,
    ) -> Result<u32, Cannot> {
        let choice = pairing.alphabet.choices()[edge % self.actions];
        let moved = self.after(node, Move::Operation(choice), pairing);
        let replies: Option<Vec<(u64, Come)>> = match self.nodes[moved as usize] {
            Node::Over(outcome) => {
                Some(vec![(DRAWS, Come { to: moved, facts: Facts::from_outcome(Some(outcome)) })])
            }
            Node::Opponent { .. } => {
                let (from, to) = self.answers_at(moved, pairing, ahead)?;
                let chances: Vec<f64> = self.answers[from..to].iter().map(|answer| answer.chance).collect();
                let mut reply = |(answer, end): (usize, u64)| {
                    let to = self.after_answer(moved, answer, pairing);
                    let outcome = match self.nodes[to as usize] {
                        Node::Agent => None,
                        Node::Over(outcome) => Some(outcome),
                        Node::Opponent { .. } | Node::Skip { .. } => return None,
                    };
                    Some((end, Come { to, facts: Facts::from_outcome(outcome) }))
                };
                (from..to).zip(ends(&chances)).map(&mut reply).collect()
            }
            Node::Agent | Node::Skip { .. } => None,
        };
        self.moves[edge] = self.add_replies(&replies.unwrap_or_default());
        self.moved[edge] = moved;
        Ok(moved)
    }
}

/// For each probability, the first draw beyond it, consistent with [`falls_on`].
fn ends(chances: &[f64]) -> impl Iterator<Item = u64> {
    let mut sum = 0.0;
    (0..chances.len()).map(move |place| {
        sum += chances[place];
        let is_beyond = |draw| falls_on(chances.iter().copied(), drawn(draw)) > Some(place);
        // The boundary is close to the sum: each addition and subtraction rounds by at most half a draw.
        let (about, far) = ((sum * DRAWS as f64) as u64, place as u64 + 2);
        let (mut first, mut end) = (about.saturating_sub(far), (about + far).min(DRAWS));
        while first < end {
            let middle = first.midpoint(end);
            if is_beyond(middle) { end = middle } else { first = middle + 1 }
        }
        end
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::evaluate::opponent::Opponent;
    use crate::format::catalog;
    use crate::sitting::duels::{Duels, Rounds, Seat};
    use crate::solved::SolvedGames;

    fn shown(duels: &Duels) -> (Vec<[u8; 8]>, Vec<u8>) {
        let (features, actions) = duels.widths();
        let (mut seen, mut masks) = (vec![[0; 8]; duels.len() * features], vec![0; duels.len() * actions]);
        duels.show(&mut seen, &mut masks);
        (seen, masks)
    }

    /// Tests few and many replies, including the draws at their boundaries.
    #[test]
    fn replies_are_those_that_chances_say() {
        let parts: [&[u32]; 7] =
            [&[1], &[1, 3], &[0, 1, 0], &[5, 2, 3], &[1, 2, 3, 4], &[3, 0, 1, 1, 2], &[1; 7]];
        let many: Vec<u32> = (0..100).map(|place| place * 37 % 101).collect();
        for parts in parts.into_iter().chain([&many[..], &[1; 49]]) {
            let sum: u32 = parts.iter().sum();
            let chances: Vec<f64> = parts.iter().map(|part| f64::from(*part) / f64::from(sum)).collect();
            let mut table = Table::default();
            let come = |to: usize| Come { to: to as u32, facts: Facts::NONE };
            let replies: Vec<(u64, Come)> =
                ends(&chances).enumerate().map(|(to, end)| (end, come(to))).collect();
            table.replies.push(Replies::only(come(0)));
            let place = table.add_replies(&replies);
            let near = |end: u64| end.saturating_sub(3)..(end + 3).min(DRAWS);
            let edges = replies.iter().flat_map(|(end, _)| near(*end));
            let spread = (0..1000).map(|part| part * (DRAWS / 1000));
            for draw in edges.chain(spread).chain([DRAWS - 1]) {
                let expected = falls_on(chances.iter().copied(), drawn(draw)).unwrap();
                assert_eq!(table.reply(place, draw).unwrap().to as usize, expected, "{parts:?} {draw}");
            }
        }
    }

    /// A table that is rebuilt at every step gives the same rounds as one that never is.
    #[test]
    fn forgetting_changes_nothing() {
        const ROUNDS: usize = 20;
        let games = SolvedGames::new(16 << 20);
        let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
        let careful = Opponent::parse("careful").unwrap();
        let seeds: Vec<Option<u64>> = (0..ROUNDS as u64).map(Some).collect();
        let mut looked_up = 0;
        for id in catalog::ids() {
            let book = Arc::new(catalog::draft(id).unwrap().build().unwrap());
            let mut plain = Duels::new(Arc::clone(&book), ROUNDS, careful, Seat::Random);
            let mut forgetful = Duels::new(Arc::clone(&book), ROUNDS, careful, Seat::Random);
            for duels in [&mut plain, &mut forgetful] {
                duels.reset(&seeds, |_| true, None, ahead).unwrap();
            }
            looked_up += usize::from(plain.are_looked_up());
            let actions = book.alphabet().choices().len();
            for step in 0..100 {
                let (_, masks) = shown(&plain);
                let choose = |(place, mask): (usize, &[u8])| {
                    let legal: Vec<usize> = (0..actions).filter(|action| mask[*action] == 1).collect();
                    let chosen = legal.get((step + place) % legal.len().max(1));
                    chosen.map_or(0, |action| *action as i64).to_ne_bytes()
                };
                let chosen: Vec<[u8; 8]> = masks.chunks(actions).enumerate().map(choose).collect();
                if let Rounds::Lookup(rounds) = &mut forgetful.rounds {
                    rounds.forget(&forgetful.pairing);
                }
                for duels in [&mut plain, &mut forgetful] {
                    duels.step(&chosen, ahead).unwrap();
                }
                assert_eq!(shown(&plain), shown(&forgetful), "{id}");
                assert_eq!(plain.facts(), forgetful.facts(), "{id}");
            }
        }
        assert!(looked_up > 5);
    }
}
