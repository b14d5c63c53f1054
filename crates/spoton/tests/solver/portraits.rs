//! The facts on a game's card, against brute force.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use proptest::prelude::*;
use spoton::design::portrait::{HowMuchChoice, Portrait};
use spoton::engine::play::{Move, Situation, Step};
use spoton::engine::position::{Player, Position};
use spoton::format::Rulebook;
use spoton::solved::SolvedGame;
use spoton::solver::{Budget, Unsolved, Value};

use crate::solver::books::{books, circles};
use crate::solver::brute::{Brute, moves_of, seen};
use crate::solver::{everything, generous, varied};
use crate::support::{book, cases, finished};

/// Skips books with more positions.
const MOST: usize = 1500;

/// How a move ends the round right away for the mover, if it does.
fn at_once(rulebook: &Rulebook, position: &Position, a_move: Move) -> Option<Value> {
    let outcome = match rulebook.play(position, a_move).expect("the move is legal") {
        Step::Over { outcome, .. } => outcome,
        Step::On(next) => match rulebook.situation(&next) {
            Situation::Over(outcome) => outcome,
            _ => return None,
        },
    };
    Some(Value::from_outcome(outcome, position.turn()))
}

/// Whether play from the openings can repeat a position.
fn has_circle(rulebook: &Rulebook) -> bool {
    // Whether the search has visited everything after a position. On the current path, it hasn't yet.
    let mut done: HashMap<Position, bool> = HashMap::new();
    let mut way: Vec<(Position, Vec<Move>)> = Vec::new();
    for first in Player::BOTH {
        let opening = rulebook.opening(first);
        if done.insert(opening, false).is_none() {
            way.push((opening, moves_of(rulebook, &opening)));
        }
        while let Some((position, moves)) = way.last_mut() {
            let Some(a_move) = moves.pop() else {
                done.insert(*position, true);
                way.pop();
                continue;
            };
            if let Step::On(next) = rulebook.play(position, a_move).expect("the move is legal") {
                match done.get(&next) {
                    Some(true) => {}
                    Some(false) => return true,
                    None => {
                        done.insert(next, false);
                        way.push((next, moves_of(rulebook, &next)));
                    }
                }
            }
        }
    }
    false
}

/// The portrait by brute force.
fn slowly(rulebook: &Rulebook, brute: &Brute) -> Portrait {
    let mut met = HashSet::new();
    let mut portrait = Portrait { length: None, choices: 0, subtle: 0, endless: has_circle(rulebook) };
    portrait.length = brute.verdict(&rulebook.opening(Player::Two)).remoteness();
    for position in brute.positions().filter(|position| met.insert(seen(rulebook, position))) {
        let moves = brute.moves(position);
        let best = moves.first().map(|(_, verdict)| verdict.value);
        let worse = |value: Value| Some(value) != best;
        if !moves.iter().any(|(_, verdict)| worse(verdict.value)) {
            continue;
        }
        portrait.choices += 1;
        let ends: Vec<_> = moves
            .iter()
            .map(|(a_move, verdict)| (at_once(rulebook, position, *a_move), verdict.value))
            .collect();
        let a_win_shows = ends.iter().any(|(end, _)| *end == Some(Value::Win));
        let hides = |(end, value): &(Option<Value>, Value)| worse(*value) && *end != Some(Value::Loss);
        portrait.subtle += u64::from(!a_win_shows && ends.iter().any(hides));
    }
    portrait
}

fn portrait(rulebook: &Arc<Rulebook>) -> Portrait {
    generous(|budget| SolvedGame::new(Arc::clone(rulebook)).portrait(budget))
}

#[test]
fn every_shipped_game_is_portrayed_as_it_is() {
    for (id, variant) in everything() {
        let rulebook = finished(&varied(id, &variant));
        let brute = Brute::new(&rulebook, 100_000).expect("a small game");
        assert_eq!(portrait(&rulebook), slowly(&rulebook, &brute), "{id} {variant}");
    }
}

proptest! {
    #![proptest_config(cases(2500))]

    #[test]
    fn random_games_are_portrayed_as_they_are(text in prop_oneof![2 => books(), 1 => circles()]) {
        let rulebook = book(&text);
        if let Some(brute) = Brute::new(&rulebook, MOST) {
            prop_assert_eq!(portrait(&rulebook), slowly(&rulebook, &brute));
        }
    }
}

#[test]
fn badges_are_short_and_never_say_who_wins() {
    let game = |id: &str, variant: &str| portrait(&finished(&varied(id, variant)));
    assert_eq!(game("operation-target", "").choice(), HowMuchChoice::One);
    assert!(game("target-twenty-one", "").endless);
    assert!(!game("target-twenty-one", "limited-passes").endless);
    assert!(!game("number-maze", "").endless);
    for (id, variant) in everything() {
        let badges = game(id, &variant).badges().join(", ");
        assert!(!badges.is_empty() && badges.len() < 60, "{badges}");
        let digits: String = badges.chars().filter(char::is_ascii_digit).collect();
        // An odd number of moves would reveal who makes the last one.
        assert!(digits.parse::<u64>().is_ok_and(|moves| moves % 2 == 0) || digits.is_empty(), "{badges}");
        assert!(!["win", "los", "first", "second"].iter().any(|word| badges.contains(word)), "{badges}");
    }
}

#[test]
fn a_game_that_is_too_large_has_no_portrait() {
    let huge = book("title = 'Far'\nstart = 0\ntarget = 1000000000000\nmoves = ['+1', '+2']");
    let answer = SolvedGame::new(Arc::clone(&huge)).portrait(&mut Budget::patient(1 << 20));
    assert!(matches!(answer, Err(Unsolved::TooLarge { .. })));
    let stopped = SolvedGame::new(finished(&varied("number-maze", "")))
        .portrait(&mut Budget::new(1 << 20, &mut |_| false));
    assert!(matches!(stopped, Err(Unsolved::Stopped { .. })));
}
