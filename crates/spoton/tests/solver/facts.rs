//! Known facts about the games, from proofs, from hand analysis, or from the books.

use std::collections::HashSet;
use std::sync::Arc;

use spoton::engine::play::{Move, Situation, Step};
use spoton::engine::position::{Player, Position};
use spoton::format::Rulebook;
use spoton::solver::chart::position_at;
use spoton::solver::{Solver, Value, Verdict, survey};

use crate::solver::{DRAW, at_size, generous, in_order, loss, opening_verdict, shipped, solved, varied, win};
use crate::support::{book, choice, finished};

#[test]
fn the_starter_can_force_this() {
    for (id, variant, verdict) in [
        ("operation-target", "", win(8)),
        ("sequence-math-duel", "", win(9)),
        ("target-twenty-one", "", DRAW),
        ("target-twenty-one", "limited-passes", win(13)),
        ("number-maze", "", loss(14)),
        ("number-maze", "to-15", loss(14)),
        ("number-maze", "to-50", loss(34)),
        ("number-maze", "to-100", loss(74)),
        ("double-or-add", "", loss(14)),
        ("double-or-add", "race-to-31", loss(30)),
        ("double-or-add", "subtract", DRAW),
        ("double-or-add", "three-subtractions", loss(20)),
        ("double-or-add", "three-doublings", loss(14)),
    ] {
        assert_eq!(opening_verdict(&finished(&varied(id, variant))), verdict, "{id} {variant}");
    }
    assert_eq!(opening_verdict(&at_size(shipped("number-maze"), 10)), win(7));
    for (uses, moves) in [(1, 16), (2, 18), (3, 20)] {
        let set = format!("moves=['+1', 'x2', {{ op = '-1', uses = {uses} }}]");
        let limited = finished(&shipped("double-or-add").set("--set", &set));
        assert_eq!(opening_verdict(&limited), loss(moves), "{uses} subtractions");
    }
    // The classics: leave a multiple of one more than the largest step.
    assert_eq!(opening_verdict(&finished(&shipped("race-to-23"))).value, Value::Win);
    assert_eq!(opening_verdict(&finished(&shipped("twenty-one-loses"))).value, Value::Loss);
    assert_eq!(opening_verdict(&finished(&shipped("take-away"))).value, Value::Win);
}

#[test]
fn operation_target_is_decided_by_the_first_move() {
    let rulebook = finished(&shipped("operation-target"));
    let moves = in_order(&solved(&rulebook), &rulebook.opening(Player::One));
    let double = Move::Operation(choice(&rulebook, "x2"));
    let add = Move::Operation(choice(&rulebook, "+1"));
    assert_eq!(moves, [(double, win(8)), (add, loss(7))]);
    assert_eq!(lines(&rulebook, &rulebook.opening(Player::One), 0), 4);
}

/// The number of ways to finish a round. From the third move on, every move must be forced.
fn lines(rulebook: &Rulebook, position: &Position, made: usize) -> usize {
    let Situation::Choose(choices) = rulebook.situation(position) else { return 1 };
    assert!(made < 2 || choices.len() == 1);
    let after = choices.iter().map(|choice| match rulebook.play(position, Move::Operation(choice)) {
        Ok(Step::On(next)) => lines(rulebook, &next, made + 1),
        _ => 1,
    });
    after.sum()
}

#[test]
fn positions_and_decisions_are_counted() {
    for (id, expected) in [
        ("operation-target", [23, 1, 1, 20]),
        ("sequence-math-duel", [237, 106, 33, 0]),
        ("target-twenty-one", [21, 17, 8, 0]),
        ("number-maze", [19, 12, 6, 0]),
        ("double-or-add", [19, 7, 6, 9]),
    ] {
        let rulebook = finished(&shipped(id));
        let solver = solved(&rulebook);
        let mut counted = [0; 4];
        for (position, _) in generous(|budget| survey(&rulebook, budget)) {
            let moves: Vec<Verdict> =
                in_order(&solver, &position).into_iter().map(|(_, verdict)| verdict).collect();
            let Some((best, worst)) = moves.first().zip(moves.last()) else { continue };
            let decision = best.value != worst.value;
            let shows_at_once = |verdict: &Verdict| *verdict == loss(1);
            let hidden = moves.iter().any(|verdict| verdict.value != best.value && !shows_at_once(verdict));
            let subtle = decision && *best != win(1) && hidden;
            for (count, is) in counted.iter_mut().zip([true, decision, subtle, moves.len() == 1]) {
                *count += usize::from(is);
            }
        }
        assert_eq!(counted, expected, "{id}: positions, decisions, subtle ones, forced");
    }
}

/// Whether all 1 bits are in odd places: a sum of distinct odd powers of 2.
fn only_odd_bits(number: i64) -> bool {
    number & 0x5555_5555_5555_5555 == 0
}

#[test]
fn the_first_player_wins_if_all_bits_of_the_target_are_in_odd_places() {
    let first: Vec<i64> = (1..130).filter(|target| only_odd_bits(*target)).collect();
    assert_eq!(first, [2, 8, 10, 32, 34, 40, 42, 128]);
    for id in ["number-maze", "double-or-add"] {
        for target in 2..=4000 {
            let value = opening_verdict(&at_size(shipped(id), target)).value;
            let expected = if only_odd_bits(target) { Value::Win } else { Value::Loss };
            assert_eq!(value, expected, "{id} to {target}");
        }
    }
}

#[test]
fn going_past_the_target_may_as_well_be_forbidden() {
    for target in 2..=500 {
        let [maze, double] = ["number-maze", "double-or-add"].map(|id| solved(&at_size(shipped(id), target)));
        for number in 1..target {
            let at = |rulebook: &Rulebook| position_at(rulebook, number).expect("the number alone decides");
            let in_maze = maze.verdict(&at(maze.rulebook()));
            assert!(in_maze.is_some());
            assert_eq!(in_maze, double.verdict(&at(double.rulebook())), "{number} of {target}");
        }
    }
}

/// Whether the second player wins every line by always adding 1.
fn adding_one_wins(rulebook: &Rulebook) -> bool {
    let add = Move::Operation(choice(rulebook, "+1"));
    let mut to_do = vec![rulebook.opening(Player::One)];
    let mut seen: HashSet<Position> = HashSet::new();
    while let Some(position) = to_do.pop() {
        let answers: Vec<Move> = match rulebook.situation(&position) {
            Situation::Choose(_) if position.turn() == Player::Two => vec![add],
            Situation::Choose(choices) => choices.iter().map(Move::Operation).collect(),
            _ => return false,
        };
        for a_move in answers {
            match rulebook.play(&position, a_move).expect("the move is legal") {
                Step::Over { outcome, .. } if outcome.winner == Some(Player::Two) => {}
                Step::Over { .. } => return false,
                Step::On(next) if seen.insert(next) => to_do.push(next),
                Step::On(_) => {}
            }
        }
    }
    true
}

#[test]
fn at_odd_targets_the_second_player_wins_by_always_adding_1() {
    for id in ["number-maze", "double-or-add"] {
        for target in (3..1000).step_by(2) {
            assert!(adding_one_wins(&at_size(shipped(id), target)), "{id} to {target}");
        }
        assert!(!adding_one_wins(&at_size(shipped(id), 20)), "{id} to 20");
    }
}

#[test]
fn in_target_twenty_one_only_what_can_hit_the_target_now_is_won() {
    for target in 1..=300 {
        let solver = solved(&at_size(shipped("target-twenty-one"), target));
        for number in 0..target {
            let hits = (1..=3).any(|step| number + step == target || number * step == target);
            let expected = if hits { win(1) } else { DRAW };
            let position = position_at(solver.rulebook(), number).expect("the number alone decides");
            let found = solver.verdict(&position);
            // In the smallest games, some numbers are unreachable.
            assert!(found.is_none_or(|found| found == expected), "{number} of {target}: {found:?}");
            assert!(found.is_some() || target < 4, "{number} of {target} can be reached");
        }
    }
    let shipped = solved(&finished(&shipped("target-twenty-one")));
    let at =
        |number| shipped.verdict(&position_at(shipped.rulebook(), number).expect("the number alone decides"));
    let won: Vec<i64> = (0..21).filter(|number| at(*number) == Some(win(1))).collect();
    assert_eq!(won, [7, 18, 19, 20]);
}

#[test]
fn a_round_can_be_decided_before_the_first_move() {
    for (stuck, verdict) in [("loses", loss(0)), ("wins", win(0)), ("draws", DRAW), ("skips", DRAW)] {
        let stuck_at_once =
            format!("title = 'T'\nstart = 5\nrange = [5, 5]\nmoves = ['+1']\nstuck = '{stuck}'");
        let rulebook = book(&stuck_at_once);
        assert_eq!(opening_verdict(&rulebook), verdict, "{stuck}");
        assert_eq!(in_order(&solved(&rulebook), &rulebook.opening(Player::One)), []);
    }
    // The skip counts as a move, and then the opponent wins.
    let skips =
        "title = 'T'\nnumbers = 'separate'\nstart = [2, 1]\ntarget = 3\nmoves = ['x3']\nstuck = 'skips'";
    let rulebook: Arc<Rulebook> = book(&format!("{skips}\npast = 'forbidden'"));
    assert_eq!(opening_verdict(&rulebook), loss(2));
    assert_eq!(in_order(&solved(&rulebook), &rulebook.opening(Player::One)), [(Move::Skip, loss(2))]);
}

/// Independent players who add 1 or 2: the closer one wins, after an obvious number of moves. There are so many pairs
/// that some hashes collide, but the search must still distinguish all of them.
#[test]
fn a_race_distinguishes_its_many_positions() {
    let target = 600;
    let text =
        format!("title = 'T'\nnumbers = 'separate'\nstart = 0\ntarget = {target}\nmoves = ['+1', '+2']");
    let rulebook = book(&format!("{text}\nrange = [0, {target}]\npast = 'forbidden'"));
    let pairs = || (0..target).flat_map(move |own| (0..target).map(move |other| (own, other)));
    let at = |(own, other)| rulebook.read_position(&format!("{own},{other};1")).expect("a position");
    let everywhere = pairs().map(at);
    let searched =
        generous(|budget| Solver::from_positions(Arc::clone(&rulebook), everywhere, HashSet::new(), budget));
    let turns = |number: i64| (target - number + 1) as u64 / 2;
    for (own, other) in pairs() {
        let known = if turns(own) <= turns(other) { win(2 * turns(own) - 1) } else { loss(2 * turns(other)) };
        assert_eq!(searched.verdict(&at((own, other))), Some(known), "{own} against {other}");
    }
}
