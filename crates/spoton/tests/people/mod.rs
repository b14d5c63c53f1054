//! Opponents, their odds and reviews, checked against the format's definitions and brute force.

use crate::solver::books;
mod examples;
mod forward;
mod habits;
mod in_rounds;
mod intervals;
mod ladders;
mod odds;
mod review;
use crate::support;
use crate::truth::richer;
mod words;

use std::fmt::Display;
use std::sync::Arc;

use proptest::prelude::*;
use spoton::engine::play::{Ending, Move, Outcome, Situation, Step};
use spoton::engine::position::{Choice, Position};
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Rulebook, catalog};
use spoton::solver::{Budget, Solver};

/// Runs a computation with plenty of memory.
fn generous<T, E: Display>(run: impl FnOnce(&mut Budget<'_>) -> Result<T, E>) -> T {
    let answer = run(&mut Budget::patient(1 << 30));
    answer.unwrap_or_else(|why| panic!("no answer: {why}"))
}

fn solved(rulebook: &Arc<Rulebook>) -> Solver {
    generous(|budget| Solver::new(Arc::clone(rulebook), budget))
}

fn named(name: &str) -> Opponent {
    Opponent::parse(name).unwrap_or_else(|why| panic!("{why}"))
}

/// A shipped game or variant by name: `number-maze/to-50`.
fn shipped(name: &str) -> Arc<Rulebook> {
    let (id, variant) = name.split_once('/').unwrap_or((name, ""));
    let draft = catalog::draft(id).unwrap_or_else(|| panic!("{id} does not come with Spot On"));
    support::finished(&match variant {
        "" => draft,
        variant => draft.variant(variant).unwrap_or_else(|unknown| panic!("{id}: {unknown}")),
    })
}

/// Every shipped game and variant.
fn everything() -> Vec<String> {
    let mut names = Vec::new();
    for id in catalog::ids() {
        names.push(id.to_owned());
        let draft = catalog::draft(id).expect("the game is shipped");
        names.extend(draft.variants().map(|variant| format!("{id}/{variant}")));
    }
    names
}

/// A random small rule book. Cycles are more frequent than by chance.
fn any_book() -> impl Strategy<Value = String> {
    let any = prop_oneof![3 => books::books(), 1 => books::circles(), 2 => richer::richer()];
    any.prop_filter("a valid book", |text| support::read(text).build().is_ok())
}

fn legal(rulebook: &Rulebook, position: &Position) -> Vec<Choice> {
    match rulebook.situation(position) {
        Situation::Choose(choices) => choices.iter().collect(),
        _ => vec![],
    }
}

/// The outcome, if a choice ends the round immediately by landing or by leaving the opponent stuck.
fn over_after(rulebook: &Rulebook, position: &Position, choice: Choice) -> Option<Outcome> {
    match rulebook.play(position, Move::Operation(choice)).expect("the move is legal") {
        Step::Over { outcome, .. } => Some(outcome),
        Step::On(next) => match rulebook.situation(&next) {
            Situation::Over(outcome) => {
                assert!(matches!(outcome.ending, Ending::Stuck | Ending::Closest));
                Some(outcome)
            }
            _ => None,
        },
    }
}

fn wins_at_once(rulebook: &Rulebook, position: &Position, choice: Choice) -> bool {
    over_after(rulebook, position, choice).is_some_and(|outcome| outcome.winner == Some(position.turn()))
}

fn loses_at_once(rulebook: &Rulebook, position: &Position, choice: Choice) -> bool {
    over_after(rulebook, position, choice).is_some_and(|outcome| outcome.winner == Some(!position.turn()))
}
