//! The program tells the truth: compares hints, reasons, patterns and charts with brute force on random rule books,
//! taking into account what happened earlier in the round.

use crate::solver::books;
use crate::solver::brute;
mod charts;
mod hints;
mod ideas;
mod maps;
mod outlooks;
pub mod richer;
pub mod rim;
mod sentences;
use crate::support;
mod words;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::play::{Move, Outcome, Situation, Step};
use spoton::engine::position::{Player, Position};
use spoton::engine::round::Round;
use spoton::engine::written::On;
use spoton::format::Rulebook;
use spoton::solved::outlook::{Foresight, Outlook};
use spoton::solver::{Budget, Solver, Unsolved, Value, Verdict};

use brute::{Brute, moves_of};

/// Skips games with more positions.
const MOST: usize = 300;

fn generous<T>(run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>) -> T {
    let answer = run(&mut Budget::patient(1 << 30));
    answer.unwrap_or_else(|why| panic!("not solved: {why}"))
}

/// A turn in a round, the sentences about it, and the truth.
struct Turn<'a> {
    rulebook: &'a Rulebook,
    position: Position,
    outlook: Outlook,
    /// The game from here. Positions that have occurred often enough are drawn.
    truth: Brute,
    drawn: HashSet<Position>,
}

/// The result of a move.
enum After {
    /// The end of the round: the move landed on a number that ends it, or the opponent is stuck.
    Over(Outcome),
    /// A position that has occurred too often.
    Repeats,
    /// The opponent's turn.
    On(Position),
}

impl Turn<'_> {
    /// The result that the player to move can force.
    fn verdict(&self) -> Verdict {
        self.truth.verdict(&self.position)
    }

    /// Every move with its verdict, best first.
    fn moves(&self) -> Vec<(Move, Verdict)> {
        self.truth.moves(&self.position)
    }

    /// The number after a move, and what follows.
    fn after(&self, position: &Position, a_move: Move) -> (i128, After) {
        match self.rulebook.play(position, a_move).expect("the move is legal") {
            Step::Over { number, outcome } => (number, After::Over(outcome)),
            Step::On(next) => {
                let number = i128::from(next.number_of(self.rulebook.owner(position, a_move)));
                let after = match self.rulebook.situation(&next) {
                    Situation::Over(outcome) => After::Over(outcome),
                    _ if self.drawn.contains(&next) => After::Repeats,
                    _ => After::On(next),
                };
                (number, after)
            }
        }
    }

    /// The player whose number a move changes.
    fn on(&self, a_move: Move) -> On {
        let written = a_move.choice().and_then(|choice| self.rulebook.written(choice));
        written.map_or(On::Own, |written| written.on)
    }

    /// The moves with this value and the numbers they give.
    fn numbers_of(&self, wanted: impl Fn(Value) -> bool) -> Vec<(On, i128)> {
        let moves = self.moves().into_iter().filter(|(_, verdict)| wanted(verdict.value));
        moves.map(|(a_move, _)| (self.on(a_move), self.after(&self.position, a_move).0)).collect()
    }
}

/// A rule book, and picks that choose the moves.
fn rounds() -> impl Strategy<Value = (String, Player, Vec<u8>)> {
    let text = prop_oneof![2 => books::books(), 1 => books::circles(), 2 => richer::richer()];
    (text, prop::sample::select(&Player::BOTH), vec(any::<u8>(), 1..12))
}

/// Plays a round while it lasts, and compares every turn with the truth.
fn follow(
    (text, first, picks): (String, Player, Vec<u8>),
    mut check: impl FnMut(&Turn<'_>) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let rulebook = support::book(&text);
    if Brute::new(&rulebook, MOST).is_none() {
        return Ok(());
    }
    let solver = generous(|budget| Solver::new(Arc::clone(&rulebook), budget));
    let mut round = Round::new(Arc::clone(&rulebook), first);
    let mut occurred: HashMap<Position, u8> = HashMap::new();
    // Also checks what the cache remembers from turn to turn.
    let mut foresight = Foresight::default();
    for pick in picks {
        let position = *round.position();
        *occurred.entry(position).or_default() += 1;
        let often = |times: u8| rulebook.repetition().is_some_and(|most| times + 1 >= most);
        let drawn: HashSet<Position> =
            occurred.iter().filter(|(_, times)| often(**times)).map(|(position, _)| *position).collect();
        let outlook = generous(|budget| foresight.outlook(&round, &solver, budget));
        prop_assert_eq!(outlook.is_none(), round.outcome().is_some());
        let Some(outlook) = outlook else { break };
        let truth = Brute::from(&rulebook, &[position], &drawn, MOST).expect("no more positions than before");
        check(&Turn { rulebook: &rulebook, position, outlook, truth, drawn })?;
        // Prefer moves that keep the round going, for a longer history.
        let goes_on = |a_move: &Move| {
            let mut after = round.clone();
            after.play(*a_move).expect("the move is legal");
            after.outcome().is_none()
        };
        let moves = moves_of(&rulebook, &position);
        let lasting: Vec<Move> = moves.iter().copied().filter(goes_on).collect();
        let moves = if lasting.is_empty() { moves } else { lasting };
        round.play(moves[usize::from(pick) % moves.len()]).expect("the move is legal");
    }
    Ok(())
}
