//! Rounds of books in which no position comes up twice: whatever can come of a position is worked out when it first
//! comes up, and looked up from then on.

use std::collections::HashMap;

use super::{AGENT, Facts, Keeps, Pairing};
use crate::engine::play::{Ending, Move, Outcome, Situation, Step};
use crate::engine::position::{ByPlayer, Choice, Player, Position};
use crate::format::Numbers;
use crate::people::opponent::falls_on;
use crate::sitting::{Cannot, Lookahead, MOST_PLIES, QuickDice};

/// What has not been worked out yet.
const UNKNOWN: u32 = u32::MAX;

/// What the table may take before it is begun anew, and how much more for each round.
const BYTES: usize = 64 << 20;
const BYTES_A_ROUND: usize = 1 << 10;

const STOPPED: Outcome = Outcome { winner: None, ending: Ending::Stopped };

pub(super) struct Lookup {
    table: Table,
    /// Where rounds begin, by who goes first.
    openings: ByPlayer<u32>,
    rounds: Vec<At>,
}

/// Where a round stands.
#[derive(Clone, Copy)]
struct At {
    node: u32,
    /// How many turns were taken, skipped ones among them.
    turns: u32,
}

/// Everything that has come up so far, by the number of its node.
#[derive(Default)]
struct Table {
    nodes: Vec<Node>,
    positions: Vec<Position>,
    numbers: HashMap<Position, u32>,
    /// What the agent sees at each node, if it is on turn there or the round has ended: as many numbers as an observation has,
    /// and for every action whether it is legal and what comes of it.
    observations: Vec<[u8; 8]>,
    masks: Vec<u8>,
    moves: Vec<AgentsMove>,
    replies: Vec<Reply>,
    /// How many replies there are to any one move, at most.
    most_replies: usize,
    answers: Vec<Answer>,
}

#[derive(Clone, Copy)]
enum Node {
    /// The agent is on turn.
    Agent,
    /// The opponent is, and makes one of these answers; none if it has not been asked yet.
    Opponent { from: u32, to: u32 },
    /// The turn goes over.
    Skip { to: u32 },
    /// The round has ended.
    Over(Outcome),
}

/// A move that the opponent may make.
#[derive(Clone, Copy)]
struct Answer {
    chance: f64,
    choice: Choice,
    to: u32,
}

/// A move of the agent's: where it leads, and which replies take it to its next turn.
#[derive(Clone, Copy)]
struct AgentsMove {
    to: u32,
    from: u32,
    /// None if it is illegal or unknown, or if turns go over before the agent's next one.
    count: u32,
}

const UNKNOWN_MOVE: AgentsMove = AgentsMove { to: UNKNOWN, from: 0, count: 0 };

/// Where the agent's next turn is, or the round's end, if the opponent replies so.
#[derive(Clone, Copy)]
struct Reply {
    chance: f64,
    to: u32,
    facts: Facts,
}

impl Lookup {
    pub(super) fn new(pairing: &Pairing, rounds: usize) -> Lookup {
        let mut table = Table::default();
        let openings = table.openings(pairing);
        Lookup { table, openings, rounds: vec![At { node: openings[AGENT], turns: 0 }; rounds] }
    }

    /// Forgets what is not needed now, if there is too much.
    pub(super) fn keep_small(&mut self, pairing: &Pairing) {
        if self.table.bytes() > BYTES + self.rounds.len() * BYTES_A_ROUND {
            self.forget(pairing);
        }
    }

    fn forget(&mut self, pairing: &Pairing) {
        let old = std::mem::take(&mut self.table);
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

    /// Plays turn by turn until the agent is on turn or the round is over.
    fn settle(
        &mut self,
        place: usize,
        dice: QuickDice,
        pairing: &Pairing,
        ahead: &mut Lookahead<'_>,
    ) -> Result<(), Cannot> {
        let At { mut node, mut turns } = self.rounds[place];
        loop {
            node = match self.table.nodes[node as usize] {
                Node::Over(_) | Node::Agent => break,
                _ if turns as usize >= MOST_PLIES => break,
                Node::Opponent { .. } => {
                    let (from, to) = self.table.answers_at(node, pairing, ahead)?;
                    let chances = self.table.answers[from..to].iter().map(|answer| answer.chance);
                    let picked = falls_on(chances, dice.draw(turns)).ok_or(Cannot::NeedsSolution)?;
                    self.table.after_answer(node, from + picked, pairing)
                }
                Node::Skip { .. } => self.table.after_skip(node, pairing),
            };
            turns += 1;
        }
        self.rounds[place] = At { node, turns };
        Ok(())
    }
}

impl Keeps for Lookup {
    fn begin(
        &mut self,
        place: usize,
        first: Player,
        dice: QuickDice,
        pairing: &Pairing,
        ahead: &mut Lookahead<'_>,
    ) -> Result<(), Cannot> {
        let node = self.openings[first];
        self.rounds[place] = At { node, turns: 0 };
        if matches!(self.table.nodes[node as usize], Node::Agent) {
            return Ok(());
        }
        self.settle(place, dice, pairing, ahead)
    }

    #[inline]
    fn play_known(&mut self, place: usize, action: i64, dice: QuickDice, pairing: &Pairing) -> Option<Facts> {
        let At { node, turns } = self.rounds[place];
        let AgentsMove { from, count, .. } = self.table.moves[self.table.edge(node, action, pairing)?];
        // Neither the move nor the reply may be the last one that there is patience for.
        if count == 0 || turns as usize + 2 >= MOST_PLIES {
            return None;
        }
        let reply = self.table.reply(from as usize, count as usize, dice.draw(turns + 1));
        self.rounds[place] = At { node: reply.to, turns: turns + 2 };
        Some(reply.facts)
    }

    #[cold]
    fn play(
        &mut self,
        place: usize,
        action: i64,
        dice: QuickDice,
        pairing: &Pairing,
        ahead: &mut Lookahead<'_>,
    ) -> Result<Option<Option<Outcome>>, Cannot> {
        let At { node, turns } = self.rounds[place];
        let edge = self.table.edge(node, action, pairing).filter(|edge| self.table.masks[*edge] == 1);
        let Some(edge) = edge else { return Ok(None) };
        let to = match self.table.moves[edge].to {
            UNKNOWN => self.table.learn(node, edge, pairing, ahead)?,
            known => known,
        };
        self.rounds[place] = At { node: to, turns: turns + 1 };
        self.settle(place, dice, pairing, ahead)?;
        Ok(Some(self.outcome(place)))
    }

    #[inline]
    fn outcome(&self, place: usize) -> Option<Outcome> {
        let At { node, turns } = self.rounds[place];
        match self.table.nodes[node as usize] {
            Node::Over(outcome) => Some(outcome),
            _ => (turns as usize >= MOST_PLIES).then_some(STOPPED),
        }
    }

    fn show(&self, pairing: &Pairing, observations: &mut [[u8; 8]], masks: &mut [u8]) {
        let (features, actions) = (pairing.features, pairing.alphabet.choices().len());
        copy_rows(&self.table.observations, &self.rounds, features, observations);
        copy_rows(&self.table.masks, &self.rounds, actions, masks);
        // Few rounds ever come to that.
        for place in (0..self.rounds.len()).filter(|place| self.rounds[*place].turns as usize >= MOST_PLIES) {
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

/// For each round, the row of the node at which it stands.
fn copy_rows<T: Copy>(rows: &[T], rounds: &[At], width: usize, into: &mut [T]) {
    // Most rows are short, and to copy one of a known width takes much less than a call that copies any.
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
    /// About what it takes.
    fn bytes(&self) -> usize {
        // A position stands in two places, in one of them with gaps.
        let node = size_of::<Node>() + 4 * size_of::<Position>();
        self.nodes.len() * node
            + size_of_val(&self.observations[..])
            + size_of_val(&self.masks[..])
            + size_of_val(&self.moves[..])
            + size_of_val(&self.replies[..])
            + size_of_val(&self.answers[..])
    }

    /// Adds a node at which the agent sees nothing, or this and nothing that is legal.
    fn add(&mut self, position: Position, node: Node, seen: Option<&[[u8; 8]]>, pairing: &Pairing) -> u32 {
        let number = self.nodes.len();
        self.nodes.push(node);
        self.positions.push(position);
        self.observations.resize((number + 1) * pairing.features, [0; 8]);
        if let Some(seen) = seen {
            self.observations[number * pairing.features..].copy_from_slice(seen);
        }
        let actions = pairing.alphabet.choices().len();
        self.masks.resize((number + 1) * actions, 0);
        self.moves.resize((number + 1) * actions, UNKNOWN_MOVE);
        number as u32
    }

    fn add_end(&mut self, position: Position, outcome: Outcome, seen: &[[u8; 8]], pairing: &Pairing) -> u32 {
        let node = self.add(position, Node::Over(outcome), Some(seen), pairing);
        // Whatever is done after the end leads nowhere.
        let (from, actions) = (self.replies.len() as u32, pairing.alphabet.choices().len());
        self.replies.push(Reply { chance: 1.0, to: node, facts: Facts::NONE });
        self.moves[node as usize * actions..].fill(AgentsMove { to: node, from, count: 1 });
        node
    }

    fn openings(&mut self, pairing: &Pairing) -> ByPlayer<u32> {
        ByPlayer::from_fn(|first| self.number_of(pairing.rulebook.opening(first), pairing))
    }

    /// The place of an action at a node; `None` if there is no such action.
    #[inline]
    fn edge(&self, node: u32, action: i64, pairing: &Pairing) -> Option<usize> {
        let actions = pairing.alphabet.choices().len();
        let action = usize::try_from(action).ok().filter(|action| *action < actions)?;
        Some(node as usize * actions + action)
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
                let first = node as usize * pairing.alphabet.choices().len();
                for action in legal.into_iter().filter_map(|choice| pairing.alphabet.place(choice)) {
                    self.masks[first + action] = 1;
                }
                node
            }
        };
        self.numbers.insert(position, node);
        node
    }

    /// The node that a legal move leads to.
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

    /// The places of the opponent's answers at a node at which it is on turn.
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

    /// Works out what comes of a legal move of the agent's: the node that it leads to.
    fn learn(
        &mut self,
        node: u32,
        edge: usize,
        pairing: &Pairing,
        ahead: &mut Lookahead<'_>,
    ) -> Result<u32, Cannot> {
        let choices = pairing.alphabet.choices();
        let moved = self.after(node, Move::Operation(choices[edge % choices.len()]), pairing);
        let replies: Option<Vec<Reply>> = match self.nodes[moved as usize] {
            Node::Over(outcome) => {
                Some(vec![Reply { chance: 1.0, to: moved, facts: Facts::of(Some(outcome)) }])
            }
            Node::Opponent { .. } => {
                let (from, to) = self.answers_at(moved, pairing, ahead)?;
                let mut reply = |answer: usize| {
                    let to = self.after_answer(moved, answer, pairing);
                    let outcome = match self.nodes[to as usize] {
                        Node::Agent => None,
                        Node::Over(outcome) => Some(outcome),
                        Node::Opponent { .. } | Node::Skip { .. } => return None,
                    };
                    Some(Reply { chance: self.answers[answer].chance, to, facts: Facts::of(outcome) })
                };
                (from..to).map(&mut reply).collect()
            }
            Node::Agent | Node::Skip { .. } => None,
        };
        let from = self.replies.len() as u32;
        self.replies.extend(replies.into_iter().flatten());
        let count = self.replies.len() as u32 - from;
        self.most_replies = self.most_replies.max(count as usize);
        self.moves[edge] = AgentsMove { to: moved, from, count };
        Ok(moved)
    }

    /// The reply that a draw falls on.
    #[inline]
    fn reply(&self, from: usize, count: usize, draw: f64) -> Reply {
        let replies = &self.replies[from..from + count];
        // Which one it is, and how many there are, cannot be foreseen, so that it is better computed than branched on.
        match self.most_replies {
            ..=2 => replies[picked::<1>(replies, draw)],
            3..=4 => replies[picked::<3>(replies, draw)],
            _ => {
                let chances = replies.iter().map(|reply| reply.chance);
                replies[falls_on(chances, draw).unwrap_or_default()]
            }
        }
    }
}

/// The same as [`falls_on`] where there is at least one reply, and are at most `BUT_ONE` more.
#[inline]
fn picked<const BUT_ONE: usize>(replies: &[Reply], draw: f64) -> usize {
    let last = replies.len() - 1;
    let (mut left, mut goes_on, mut place) = (draw, 1, 0);
    for next in 0..BUT_ONE {
        let chance = replies[next.min(last)].chance;
        goes_on &= usize::from(left >= chance) & usize::from(next < last);
        place += goes_on;
        left -= chance;
    }
    place
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::format::catalog;
    use crate::people::opponent::Opponent;
    use crate::people::solved_game::SolvedGames;
    use crate::sitting::duels::{Duels, Rounds, Seat};

    fn shown(duels: &Duels) -> (Vec<[u8; 8]>, Vec<u8>) {
        let (features, actions) = duels.widths();
        let (mut seen, mut masks) = (vec![[0; 8]; duels.len() * features], vec![0; duels.len() * actions]);
        duels.show(&mut seen, &mut masks);
        (seen, masks)
    }

    #[test]
    fn a_reply_is_picked_as_chances_say() {
        for chances in [&[1.0][..], &[0.25, 0.75], &[0.5, 0.2, 0.3], &[0.1, 0.2, 0.3, 0.4], &[0.3, 0.3, 0.4]]
        {
            let reply =
                |(to, chance): (usize, &f64)| Reply { chance: *chance, to: to as u32, facts: Facts::NONE };
            let replies: Vec<Reply> = chances.iter().enumerate().map(reply).collect();
            for draw in (0..1000).map(|part| f64::from(part) / 1000.0).chain([1.0f64.next_down()]) {
                let expected = falls_on(chances.iter().copied(), draw).unwrap();
                assert_eq!(picked::<3>(&replies, draw), expected, "{chances:?} {draw}");
                if chances.len() <= 2 {
                    assert_eq!(picked::<1>(&replies, draw), expected, "{chances:?} {draw}");
                }
            }
        }
    }

    /// A table that forgets at every step gives the same rounds as one that never does.
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
                    legal.get((step + place) % legal.len().max(1)).map_or(0, |action| *action as i64)
                };
                let chosen: Vec<i64> = masks.chunks(actions).enumerate().map(choose).collect();
                if let Rounds::Lookup(rounds) = &mut forgetful.rounds {
                    rounds.forget(&forgetful.pairing);
                }
                for duels in [&mut plain, &mut forgetful] {
                    duels.step(chosen.iter().copied(), ahead).unwrap();
                }
                assert_eq!(shown(&plain), shown(&forgetful), "{id}");
                assert_eq!(plain.facts(), forgetful.facts(), "{id}");
            }
        }
        assert!(looked_up > 5);
    }
}
