//! Perfect play: known facts, the laws of values, and brute force.

pub mod books;
pub mod brute;
mod budgets;
mod edges;
mod endings;
mod facts;
mod horizon;
mod house_rule;
mod intervals;
mod laws;
mod portraits;
mod random;
use crate::support;
mod tables;
mod targets;

use std::sync::Arc;

use spoton::engine::play::Move;
use spoton::engine::position::{Player, Position};
use spoton::format::{Draft, Rulebook, catalog};
use spoton::solver::{Budget, Solver, Unsolved, Value, Verdict};

/// Runs something with unlimited memory.
fn generous<T>(run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>) -> T {
    let answer = run(&mut Budget::patient(1 << 30));
    answer.unwrap_or_else(|why| panic!("not solved: {why}"))
}

fn solved(rulebook: &Arc<Rulebook>) -> Solver {
    generous(|budget| Solver::new(Arc::clone(rulebook), budget))
}

/// The opening's verdict for the starting player.
fn opening_verdict(rulebook: &Arc<Rulebook>) -> Verdict {
    let opening = rulebook.opening(Player::One);
    solved(rulebook).verdict(&opening).expect("the solver covers the opening")
}

/// The solver's moves as pairs, best first.
fn in_order(solver: &Solver, position: &Position) -> Vec<(Move, Verdict)> {
    solver.moves(position).into_iter().map(|judged| (judged.a_move, judged.verdict)).collect()
}

fn win(moves: u64) -> Verdict {
    Verdict::new(Value::Win, moves)
}

fn loss(moves: u64) -> Verdict {
    Verdict::new(Value::Loss, moves)
}

const DRAW: Verdict = Verdict::DRAW;

fn shipped(id: &str) -> Draft {
    catalog::draft(id).unwrap_or_else(|| panic!("{id} does not come with Spot On"))
}

/// A shipped game with a variant; with an empty name, the game itself.
fn varied(id: &str, variant: &str) -> Draft {
    match variant {
        "" => shipped(id),
        name => shipped(id).variant(name).unwrap_or_else(|unknown| panic!("{id}: {unknown}")),
    }
}

/// All shipped games and their variants, by name.
fn everything() -> Vec<(&'static str, String)> {
    let variants_of = |id| shipped(id).variants().map(str::to_owned).collect::<Vec<String>>();
    catalog::ids()
        .flat_map(|id| std::iter::once(String::new()).chain(variants_of(id)).map(move |name| (id, name)))
        .collect()
}

/// A shipped game at another size: another target, or another start for a countdown.
fn at_size(draft: Draft, size: i64) -> Arc<Rulebook> {
    let usual = support::finished(&draft);
    let (start, _) = usual.start();
    let counts_down = usual.target() < Some(start);
    let (low, high) = usual.range();
    let draft = match counts_down {
        // The game may include numbers above the start.
        true => draft
            .set("--set", &format!("start={size}"))
            .set("--set", &format!("range=[{low}, {}]", size + (high - start).max(0))),
        false => {
            let target = if size > start { size } else { start + size };
            draft.set("--set", &format!("target={target}"))
        }
    };
    support::finished(&draft)
}
