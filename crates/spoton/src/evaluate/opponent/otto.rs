//! Otto: looks a few moves ahead.

use super::mind::{Turn, winning};
use super::{About, Chances};
use crate::engine::choices::Choices;
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{Choice, Position};
use crate::format::Rulebook;
use crate::solver::{Interner, Value};

pub(super) const OTTO: About = About {
    id: "otto",
    title: "Otto",
    habit: "Otto looks three moves ahead and rarely slips",
    slip: 0.1,
    is_reference: false,
    looks_ahead: false,
    counts_moves: false,
    choose,
};

/// How many moves Otto looks ahead.
const FAR: usize = 3;

fn choose(turn: &Turn<'_>) -> Option<Chances> {
    let Turn { rulebook, position, legal, .. } = *turn;
    // Prefers an immediate win over a later one.
    let winning = winning(rulebook, position, legal);
    let best = if winning.is_empty() { far_sighted(rulebook, position, legal) } else { winning };
    Some(Chances::evenly(best))
}

/// The best moves found by looking a few moves ahead. Everything beyond that counts as a draw.
fn far_sighted<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let mut ahead = Ahead { rulebook, positions: Interner::default(), known: Vec::new() };
    let mut best = Value::Loss;
    let mut judged: Vec<(Choice, Value)> = Vec::new();
    for choice in legal {
        // Pruning: a value below the best so far needn't be exact.
        let value = ahead.value_for_other(position, Move::Operation(choice), FAR, !best);
        let value = !value.unwrap_or(Value::Draw);
        best = best.max(value);
        judged.push((choice, value));
    }
    legal.only(|choice| judged.contains(&(choice, best)))
}

/// Fixed-depth minimax with pruning and a transposition table.
struct Ahead<'a> {
    rulebook: &'a Rulebook,
    positions: Interner,
    /// The value of each position for the player to move, at depth 0, 1, …
    known: Vec<[Option<Value>; FAR]>,
}

impl Ahead<'_> {
    /// The value of a move for the opponent at a given depth; `None` if it isn't legal. If it exceeds `enough`, it
    /// may be any value above that.
    fn value_for_other(
        &mut self,
        position: &Position,
        a_move: Move,
        moves: usize,
        enough: Value,
    ) -> Option<Value> {
        let other = !position.turn();
        Some(match self.rulebook.play(position, a_move).ok()? {
            Step::Over { outcome, .. } => Value::from_outcome(outcome, other),
            Step::On(next) if moves <= 1 => {
                let over = self.rulebook.over_at(&next);
                over.map_or(Value::Draw, |outcome| Value::from_outcome(outcome, other))
            }
            Step::On(next) => self.value(&next, moves - 1, enough),
        })
    }

    /// The value of a position for the player to move at a given depth, with `enough` as above.
    fn value(&mut self, position: &Position, moves: usize, enough: Value) -> Value {
        let place = self.positions.add(*position) as usize;
        self.known.resize(self.positions.len(), [None; FAR]);
        if let Some(value) = self.known[place][moves] {
            return value;
        }
        let mut best = None;
        for choice in self.rulebook.offered(position) {
            // There's no bound until a value is known.
            let enough_for_other = !best.unwrap_or(Value::Loss);
            let worth = self.value_for_other(position, Move::Operation(choice), moves, enough_for_other);
            best = best.max(worth.map(|value| !value));
            match best {
                Some(Value::Win) => break,
                Some(value) if value > enough => return value,
                _ => {}
            }
        }
        let value = best.unwrap_or_else(|| match self.rulebook.situation(position) {
            Situation::Over(outcome) => Value::from_outcome(outcome, position.turn()),
            _ => !self.value_for_other(position, Move::Skip, moves, Value::Win).unwrap_or(Value::Draw),
        });
        self.known[place][moves] = Some(value);
        value
    }
}
