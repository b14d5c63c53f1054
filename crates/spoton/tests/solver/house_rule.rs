//! The house rule: positions that have occurred often enough are drawn on the next occurrence.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use spoton::engine::play::{Move, Step};
use spoton::engine::position::{Player, Position};
use spoton::engine::round::Round;
use spoton::format::Rulebook;
use spoton::solved::outlook::Outlook;
use spoton::solver::{Solver, Value, Verdict};

use crate::solver::books::{books, circles};
use crate::solver::brute::{Brute, moves_of, rank};
use crate::solver::{DRAW, generous, in_order, loss, solved, win};
use crate::support::{book, cases, choice, played};

const MOST: usize = 600;

proptest! {
    #![proptest_config(cases(3000))]

    /// From any position, with any set of positions drawn.
    #[test]
    fn drawn_positions_are_another_game(
        text in books(),
        root in any::<prop::sample::Index>(),
        drawn in vec(any::<prop::sample::Index>(), 1..6),
    ) {
        let rulebook = book(&text);
        let Some(game) = Brute::new(&rulebook, MOST) else { return Ok(()) };
        let open: Vec<Position> = game.positions().filter(|at| !game.is_over(at)).copied().collect();
        if open.is_empty() {
            return Ok(());
        }
        let root = *root.get(&open);
        let drawn: HashSet<Position> = drawn.iter().map(|index| *index.get(&open)).collect();
        let brute = Brute::from(&rulebook, &[root], &drawn, MOST).expect("fewer positions than before");
        let solver = generous(|budget| {
            Solver::from_positions(Arc::clone(&rulebook), [root], drawn.clone(), budget)
        });
        for position in brute.positions() {
            prop_assert_eq!(solver.verdict(position), Some(brute.verdict(position)), "{:?}", position);
            prop_assert_eq!(in_order(&solver, position), brute.moves(position), "{:?}", position);
            prop_assert_eq!(solver.drawn().contains(position), drawn.contains(position));
        }
    }
}

/// A round with its full history: the number of times each position has occurred.
struct Histories<'a> {
    rulebook: &'a Rulebook,
    game: &'a Brute,
    /// The positions of the game, by index.
    numbers: HashMap<Position, usize>,
    most: u8,
    known: HashMap<(usize, Vec<u8>), Verdict>,
}

impl Histories<'_> {
    /// The verdict of a move for the player who makes it: it ends the round, completes a repetition, or
    /// continues with the next position counted once more.
    fn worth(&mut self, position: &Position, a_move: Move, counts: &[u8]) -> Verdict {
        let turn = position.turn();
        match self.rulebook.play(position, a_move).expect("the move is legal") {
            Step::Over { outcome, .. } => match outcome.winner {
                None => DRAW,
                Some(winner) if winner == turn => win(1),
                Some(_) => loss(1),
            },
            Step::On(next) => {
                let number = self.numbers[&next];
                let mut counts = counts.to_vec();
                counts[number] += 1;
                let over = moves_of(self.rulebook, &next).is_empty();
                if counts[number] >= self.most && !over {
                    return DRAW;
                }
                let after = self.verdict(&next, &counts);
                match (after.value, after.remoteness()) {
                    (Value::Win, Some(moves)) => loss(moves + 1),
                    (Value::Loss, Some(moves)) => win(moves + 1),
                    _ => DRAW,
                }
            }
        }
    }

    fn verdict(&mut self, position: &Position, counts: &[u8]) -> Verdict {
        let key = (self.numbers[position], counts.to_vec());
        if let Some(verdict) = self.known.get(&key) {
            return *verdict;
        }
        let moves = moves_of(self.rulebook, position);
        let verdict = if moves.is_empty() {
            self.game.verdict(position)
        } else {
            let worths: Vec<Verdict> =
                moves.iter().map(|a_move| self.worth(position, *a_move, counts)).collect();
            worths.into_iter().min_by_key(|verdict| rank(*verdict)).expect("there is a move")
        };
        self.known.insert(key, verdict);
        verdict
    }
}

/// Plays a round and compares the outlook on every turn with the real history. Returns the number of turns where the
/// house rule changed the result.
fn follow(rulebook: &Arc<Rulebook>, picks: &[u8]) -> Result<usize, TestCaseError> {
    let most = rulebook.repetition().expect("books with cycles have the house rule");
    let game = Brute::new(rulebook, MOST).expect("a small game");
    // More would give too many histories.
    if game.len() > [0, 0, 12, 9, 7][usize::from(most)] {
        return Ok(0);
    }
    let numbers: HashMap<Position, usize> = game.positions().copied().zip(0..).collect();
    let mut histories = Histories { rulebook, game: &game, numbers, most, known: HashMap::new() };
    let solver = solved(rulebook);
    let mut counts = vec![0; game.len()];
    let mut round = Round::new(Arc::clone(rulebook), Player::One);
    let mut changed = 0;
    for pick in picks {
        let position = *round.position();
        counts[histories.numbers[&position]] += 1;
        let Some(outlook) = generous(|budget| Outlook::for_round(&round, &solver, budget)) else { break };
        prop_assert_eq!(outlook.verdict, histories.verdict(&position, &counts));
        for judged in &outlook.moves {
            let worth = histories.worth(&position, judged.a_move, &counts);
            prop_assert_eq!(judged.verdict, worth, "{:?} at {}", judged.a_move, position.number());
        }
        changed += usize::from(outlook.verdict != game.verdict(&position));
        // Long rounds have more history.
        let goes_on = |a_move: &Move| {
            let mut after = round.clone();
            after.play(*a_move).expect("the move is legal");
            after.outcome().is_none()
        };
        let lasting: Vec<Move> = moves_of(rulebook, &position).into_iter().filter(goes_on).collect();
        let Some(a_move) = lasting.get(usize::from(*pick) % lasting.len().max(1)) else { break };
        round.play(*a_move).expect("the move is legal");
    }
    Ok(changed)
}

#[test]
fn the_outlook_is_that_of_the_round_with_its_history() {
    let changed = Cell::new(0);
    let config = cases(4000);
    let enough = config.cases as usize / 200;
    let outcome = TestRunner::new(config).run(&(circles(), vec(any::<u8>(), 0..20)), |(text, picks)| {
        changed.set(changed.get() + follow(&book(&text), &picks)?);
        Ok(())
    });
    outcome.unwrap_or_else(|why| panic!("{why}"));
    assert!(changed.get() >= enough, "the house rule changed something only {} times", changed.get());
}

#[test]
fn a_repeated_position_is_no_longer_lost() {
    let rulebook = book(
        "title = 'T'\nstart = 2\ntarget = 5\nrange = [0, 5]\npast = 'forbidden'\nwinning = [1]\n\
         moves = ['+2', '-1', '/2']\nrepetition = 2",
    );
    let solver = solved(&rulebook);
    let outlook = |moves: &str| {
        let round = played(&rulebook, moves);
        generous(|budget| Outlook::for_round(&round, &solver, budget)).expect("the round isn't over")
    };
    assert_eq!(outlook("").verdict, win(1));
    // The player at 4 must go to 2 or 3, from which 1 can be reached; but 2 has already occurred.
    assert_eq!(solver.verdict(played(&rulebook, "+2").position()), Some(loss(2)));
    let four = outlook("+2");
    assert_eq!(four.verdict, DRAW);
    assert_eq!(four.best().collect::<Vec<_>>(), [choice(&rulebook, "/2")]);
}
