//! The moves that always win from the winning seat when repeated.

use std::sync::Arc;

use super::one_line::{Pick, Reading, picks};
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{Player, Position};
use crate::format::Op;
use crate::solver::{Budget, Interner, Solver, Unsolved, Value, always_wins};

/// Bytes per position and per move, including room to grow.
const BYTES_OF_A_POSITION: u64 = 3 * (size_of::<Position>() + 40) as u64;
const BYTES_OF_A_MOVE: u64 = 3 * size_of::<u32>() as u64;

/// Positions visited between two checks for cancellation.
const PATIENCE: u64 = 1 << 10;

/// The moves that always win for the winner when repeated.
///
/// # Errors
///
/// If this exceeds the budget or the caller cancels.
pub(super) fn always(
    solver: &Solver,
    winner: Player,
    budget: &mut Budget<'_>,
) -> Result<Vec<Pick>, Unsolved> {
    let rulebook = solver.rulebook();
    let opening = rulebook.opening(Player::One);
    let ends_in = solver.verdict(&opening).and_then(|verdict| verdict.remoteness());
    // A win without any move doesn't follow a rule.
    let needs_no_move = rulebook.over_at(&opening).is_some() || winner == Player::Two && ends_in == Some(1);
    if needs_no_move {
        return Ok(vec![]);
    }
    let mut found = vec![];
    for pick in picks(rulebook) {
        let wins = match in_stretches(solver, pick, winner, budget)? {
            Some(wins) => wins,
            None => follow(solver, pick, winner, budget)?,
        };
        found.extend(wins.then_some(pick));
    }
    Ok(found)
}

/// The quick answer from stretches (ranges with repeating values), if there is one.
fn in_stretches(
    solver: &Solver,
    pick: Pick,
    winner: Player,
    budget: &mut Budget<'_>,
) -> Result<Option<bool>, Unsolved> {
    let rulebook = solver.rulebook();
    let Some(entry) = rulebook.entry(pick.entry).filter(|entry| matches!(entry.op, Op::Fixed(_))) else {
        return Ok(None);
    };
    let mut named = rulebook
        .fixed_choices()
        .filter(|choice| rulebook.written(*choice).is_some_and(|written| entry.can_give(written)));
    match (named.next(), named.next()) {
        (Some(choice), None) => always_wins(rulebook, choice, winner, budget),
        _ => Ok(None),
    }
}

/// Plays a move out against every reply.
fn follow(solver: &Solver, pick: Pick, winner: Player, budget: &mut Budget<'_>) -> Result<bool, Unsolved> {
    let rulebook = Arc::clone(solver.rulebook());
    let mut positions = Interner::default();
    positions.add(rulebook.opening(Player::One));
    // Each position's next positions, in one list.
    let (mut starts, mut nexts) = (vec![0], Vec::new());
    while let Some(position) = positions.get(starts.len() - 1) {
        let follows = position.turn() == winner;
        let moves: Vec<Move> = match rulebook.situation(&position) {
            Situation::Choose(legal) if follows => {
                let picked = pick.among(legal.iter(), &rulebook, &position, Reading::AsPrinted);
                // Without a legal move, it isn't a rule for the whole round.
                let Some(choice) = picked else { return Ok(false) };
                vec![Move::Operation(choice)]
            }
            situation => situation.moves().collect(),
        };
        for a_move in moves {
            let value = solver.move_verdict(&position, a_move).map(|verdict| verdict.value);
            if follows && value != Some(Value::Win) {
                return Ok(false);
            }
            if let Ok(Step::On(next)) = rulebook.play(&position, a_move) {
                nexts.push(positions.add(next));
            }
        }
        starts.push(nexts.len());
        let done = starts.len() as u64;
        let bytes = positions.len() as u64 * BYTES_OF_A_POSITION + nexts.len() as u64 * BYTES_OF_A_MOVE;
        budget.require_bytes(done, positions.len() as u128, bytes.into())?;
        budget.ask(done, PATIENCE, None)?;
    }
    Ok(rulebook.goes_one_way() || all_end(&starts, &nexts))
}

/// Whether no line repeats a position. Removes positions without predecessors in topological order.
fn all_end(starts: &[usize], nexts: &[u32]) -> bool {
    let mut in_degree = vec![0_u32; starts.len() - 1];
    nexts.iter().for_each(|next| in_degree[*next as usize] += 1);
    let mut ready: Vec<usize> = (0..in_degree.len()).filter(|index| in_degree[*index] == 0).collect();
    let mut removed = 0;
    while let Some(index) = ready.pop() {
        removed += 1;
        for next in &nexts[starts[index]..starts[index + 1]] {
            let next = *next as usize;
            in_degree[next] -= 1;
            if in_degree[next] == 0 {
                ready.push(next);
            }
        }
    }
    removed == in_degree.len()
}
