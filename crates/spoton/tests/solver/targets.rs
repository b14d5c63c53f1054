//! The five original books at every target to 2,000 (separate numbers: to 200), against a plain table for
//! each, written from the book's text without the engine.

use std::sync::Arc;

use spoton::engine::position::{Choice, Player};
use spoton::format::Rulebook;
use spoton::solver::chart::position_at;
use spoton::solver::{Value, Verdict, survey};

use crate::solver::brute::rank;
use crate::solver::{DRAW, at_size, generous, loss, shipped, solved, win};
use crate::support::choice;

/// A move's verdict for the mover, from the opponent's verdict after it.
fn turned(other: Verdict) -> Verdict {
    match (other.value, other.remoteness()) {
        (Value::Win, Some(moves)) => loss(moves + 1),
        (Value::Loss, Some(moves)) => win(moves + 1),
        _ => DRAW,
    }
}

fn best(moves: impl IntoIterator<Item = Verdict>) -> Verdict {
    moves.into_iter().min_by_key(|verdict| rank(*verdict)).expect("there is a move")
}

/// The verdict of a move to a number in a climb where going past the target loses.
fn climbing(target: i64, to: i64, on: impl Fn(i64) -> Verdict) -> Verdict {
    match to {
        to if to == target => win(1),
        to if to > target => loss(1),
        to => turned(on(to)),
    }
}

fn agrees_at_every_number(rulebook: &Arc<Rulebook>, table: &[Verdict]) {
    let solver = solved(rulebook);
    for (number, expected) in table.iter().enumerate().skip(rulebook.start().0 as usize) {
        let position = position_at(rulebook, number as i64).expect("the number alone decides");
        assert_eq!(solver.verdict(&position), Some(*expected), "{number} of {:?}", rulebook.target());
    }
}

#[test]
fn number_maze_and_double_or_add() {
    let [maze, double] = ["number-maze", "double-or-add"].map(shipped);
    for target in 2..=2000_i64 {
        let mut table = vec![DRAW; target as usize];
        for number in (1..target).rev() {
            let worth = |to| climbing(target, to, |to| table[to as usize]);
            table[number as usize] = best([worth(number + 1), worth(number * 2)]);
        }
        agrees_at_every_number(&at_size(maze.clone(), target), &table);
        for number in (1..target).rev() {
            let worth = |to| climbing(target, to, |to| table[to as usize]);
            let allowed = [number + 1, number * 2].into_iter().filter(|to| *to <= target);
            table[number as usize] = best(allowed.map(worth));
        }
        agrees_at_every_number(&at_size(double.clone(), target), &table);
    }
}

#[test]
fn target_twenty_one() {
    for target in 4..=2000_i64 {
        let mut table = vec![DRAW; target as usize];
        // Multiplying by 1 makes cycles, so iterate until nothing changes.
        loop {
            let before = table.clone();
            for number in 0..target {
                let worth = |to| climbing(target, to, |to| before[to as usize]);
                let moves = (1..=3).flat_map(|amount| [number + amount, number * amount]);
                table[number as usize] = best(moves.map(worth));
            }
            if table == before {
                break;
            }
        }
        agrees_at_every_number(&at_size(shipped("target-twenty-one"), target), &table);
    }
}

#[test]
fn operation_target() {
    // Indexed by the last moves of the player to move and of the opponent: none, +1, x2.
    type Memory = [[Verdict; 3]; 3];
    for target in 2..=2000_i64 {
        let rulebook = at_size(shipped("operation-target"), target);
        let mut table: Vec<Memory> = vec![[[DRAW; 3]; 3]; target as usize];
        for number in (1..target).rev() {
            for (mine, theirs) in (0..3).flat_map(|mine| (0..3).map(move |theirs| (mine, theirs))) {
                let choices =
                    [(1, number + 1), (2, number * 2)].into_iter().filter(|(chosen, _)| *chosen != mine);
                let worth = |(chosen, to): (usize, i64)| {
                    climbing(target, to, |to| table[to as usize][theirs][chosen])
                };
                table[number as usize][mine][theirs] = best(choices.map(worth));
            }
        }
        let index = |last: Option<Choice>| match last {
            None => 0,
            Some(last) if last == choice(&rulebook, "+1") => 1,
            Some(_) => 2,
        };
        let solver = solved(&rulebook);
        for (position, surveyed) in generous(|budget| survey(&rulebook, budget)) {
            let [mine, theirs] = [Player::One, Player::Two].map(|player| index(position.last_of(player)));
            assert_eq!(position.turn(), Player::One);
            let expected = table[position.number() as usize][mine][theirs];
            assert_eq!(surveyed, expected, "{position:?}");
            assert_eq!(solver.verdict(&position), Some(expected), "{position:?}");
        }
    }
}

#[test]
fn sequence_math_duel() {
    for target in 2..=200_i64 {
        let rulebook = at_size(shipped("sequence-math-duel"), target);
        // Indexed by the number of the player to move, then by the opponent's. Every move increases the sum.
        let mut table = vec![vec![DRAW; target as usize]; target as usize];
        for sum in (2..2 * target).rev() {
            for mine in (1..target).filter(|mine| (1..target).contains(&(sum - mine))) {
                let theirs = sum - mine;
                let worth = |to| climbing(target, to, |to| table[theirs as usize][to as usize]);
                table[mine as usize][theirs as usize] = best([worth(mine + 1), worth(mine * 2)]);
            }
        }
        let solver = solved(&rulebook);
        for (position, surveyed) in generous(|budget| survey(&rulebook, budget)) {
            let turn = position.turn();
            let [mine, theirs] = [turn, !turn].map(|player| position.number_of(player) as usize);
            assert_eq!(surveyed, table[mine][theirs], "{mine} against {theirs} of {target}");
            assert_eq!(solver.verdict(&position), Some(surveyed), "{mine} against {theirs} of {target}");
        }
    }
}
