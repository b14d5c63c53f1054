//! The laws of values, checked on every position of every shipped game at many sizes, and of a grid of small books. A
//! table that obeys them everywhere is right: wins and losses follow by induction on the remoteness, and draws because
//! neither player can leave them without losing.

use std::sync::Arc;

use spoton::engine::play::{Move, Situation, Step};
use spoton::engine::position::{Player, Position};
use spoton::format::{NoRepeat, Numbers, Rulebook, Stuck};
use spoton::solver::{Solver, Value, Verdict, survey};

use crate::solver::{at_size, everything, generous, solved, varied};
use crate::support::{book, finished};

/// Checks all laws at one position.
fn obeys(rulebook: &Rulebook, solver: &Solver, position: &Position, verdict: Verdict) {
    let turn = position.turn();
    let for_mover = |winner: Option<Player>| match winner {
        Some(winner) if winner == turn => Value::Win,
        Some(_) => Value::Loss,
        None => Value::Draw,
    };
    let moves: Vec<Move> = match rulebook.situation(position) {
        Situation::Choose(choices) => choices.iter().map(Move::Operation).collect(),
        Situation::Skip => vec![Move::Skip],
        Situation::Over(outcome) => {
            assert_eq!(verdict, Verdict::new(for_mover(outcome.winner), 0), "over at {position:?}");
            return;
        }
    };
    let (mut shortest_loss, mut longest_win): (Option<u64>, Option<u64>) = (None, None);
    let (mut to_draws, mut to_wins) = (0, 0);
    for a_move in &moves {
        // The opponent's result.
        let found = match rulebook.play(position, *a_move).expect("the move is legal") {
            Step::Over { outcome, .. } => Verdict::new(!for_mover(outcome.winner), 0),
            Step::On(next) => solver.verdict(&next).expect("every reached position has a verdict"),
        };
        match (found.value, found.remoteness()) {
            (Value::Loss, Some(moves)) => {
                shortest_loss = Some(shortest_loss.map_or(moves, |known| known.min(moves)));
            }
            (Value::Win, Some(moves)) => {
                to_wins += 1;
                longest_win = Some(longest_win.map_or(moves, |known| known.max(moves)));
            }
            _ => to_draws += 1,
        }
    }
    let lawful = match verdict.value {
        Value::Win => shortest_loss.is_some_and(|moves| verdict.remoteness() == Some(moves + 1)),
        Value::Loss => {
            let all = to_wins == moves.len();
            all && longest_win.is_some_and(|moves| verdict.remoteness() == Some(moves + 1))
        }
        Value::Draw => to_draws > 0 && shortest_loss.is_none(),
    };
    assert!(
        lawful,
        "{verdict:?} at {position:?}, moves to losses {shortest_loss:?}, to wins {longest_win:?}"
    );
}

/// Checks the laws at all reachable positions. Returns the number of positions.
fn hold(rulebook: &Arc<Rulebook>) -> usize {
    let solver = solved(rulebook);
    let everything: Vec<_> = generous(|budget| survey(rulebook, budget)).collect();
    assert!(everything.iter().any(|(position, _)| *position == rulebook.opening(Player::One)));
    for (position, verdict) in &everything {
        assert_eq!(solver.verdict(position), Some(*verdict), "{position:?}");
        obeys(rulebook, &solver, position, *verdict);
    }
    everything.len()
}

/// The shipped games at every size, and those variants that differ by more than size.
fn hold_for_shipped(numbers: Numbers, most: i64) {
    let mut held = Vec::new();
    for (id, variant) in everything() {
        let draft = varied(id, &variant);
        // With computed amounts, use smaller sizes to save time.
        let only_fixed = finished(&draft).has_only_fixed_moves();
        let most = if only_fixed { most } else { most / 6 };
        let usual = at_size(draft.clone(), most);
        let rules = (id, usual.moves().to_vec(), usual.passes(), usual.no_repeat());
        if usual.numbers() != numbers || held.contains(&rules) {
            continue;
        }
        held.push(rules);
        for size in 2..=most {
            assert!(hold(&at_size(draft.clone(), size)) > 0, "{id} {variant} at {size}");
        }
    }
}

#[test]
fn hold_for_shared_numbers_at_every_size_to_500() {
    hold_for_shipped(Numbers::Shared, 500);
}

#[test]
fn hold_for_separate_numbers_at_every_size_to_100() {
    hold_for_shipped(Numbers::Separate, 100);
}

/// All combinations of keys, on small numbers.
#[test]
fn hold_for_a_grid_of_small_books() {
    let shapes = [
        // A climb, a countdown, and a game without a target.
        "start = 1\ntarget = 7\nrange = [-1, 9]\nreach = 'wins'\npast = 'loses'",
        "start = 1\ntarget = 7\nreach = 'wins'\npast = 'forbidden'",
        "start = 0\ntarget = 7\nreach = 'loses'\npast = 'wins'",
        "start = 7\ntarget = -1\nreach = 'loses'\npast = 'forbidden'",
        "start = 6\ntarget = 0\nrange = [-3, 8]\nreach = 'wins'\npast = 'wins'",
        "start = 2\nrange = [-1, 5]",
    ];
    let moves = [
        "['+1..3']",
        "['-1', '-2', 'x2']",
        "['x2', '+1']",
        "['+1', 'x1', '/2']",
        "[{ op = '+1', uses = 2 }, { op = '-1', uses = 2, pool = 'shared' }, 'x2']",
    ];
    let lists = ["", "winning = [4]\nlosing = [2, 3]", "forbidden = [3, 5]\nlosing = [1]", "passes = 1"];
    // `closest` needs separate numbers and a target, which not all shapes have.
    let stuck: Vec<&str> = Stuck::WORDS.iter().copied().filter(|word| *word != "closest").collect();
    let mut positions = 0;
    for numbers in Numbers::WORDS {
        for (shape, moves) in shapes.iter().flat_map(|shape| moves.map(|moves| (shape, moves))) {
            for (no_repeat, stuck) in
                NoRepeat::WORDS.iter().flat_map(|word| stuck.iter().map(move |stuck| (word, stuck)))
            {
                for further in lists {
                    positions += hold(&book(&format!(
                        "title = 'T'\nnumbers = '{numbers}'\nmoves = {moves}\n{shape}\n{further}\n\
                         no_repeat = '{no_repeat}'\nstuck = '{stuck}'",
                    )));
                }
            }
        }
    }
    assert!(positions > 50_000, "only {positions} positions");
}
