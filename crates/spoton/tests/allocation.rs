//! Playing never allocates: positions and sets of legal moves are plain values.

use std::sync::Arc;

use spoton::engine::batch::{Batch, Tally};
use spoton::engine::play::{Move, Situation, Step};
use spoton::engine::position::Player;
use spoton::format::{Draft, Rulebook, catalog};

/// Plays pseudo-random moves over many rounds. Returns the number of moves.
fn play(rulebook: &Rulebook, mut moves: u32) -> u32 {
    let (mut made, mut random) = (0, 1u32);
    while moves > 0 {
        let mut position = rulebook.opening(Player::One);
        // Abandon endless rounds at some point.
        for _ in 0..moves.min(100) {
            moves -= 1;
            let a_move = match rulebook.situation(&position) {
                Situation::Choose(legal) => {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let choice = legal.get((random >> 16) as usize % legal.len());
                    Move::Operation(choice.expect("the index is below the length"))
                }
                Situation::Skip => Move::Skip,
                Situation::Over(_) => break,
            };
            made += 1;
            match rulebook.play(&position, a_move).expect("the move is legal") {
                Step::On(next) => position = next,
                Step::Over { .. } => break,
            }
        }
    }
    made
}

/// A batch allocates when created, and never again.
fn assert_no_allocation_in_batches(name: &str, rulebook: &Rulebook) {
    let mut batch = Batch::new(Arc::new(rulebook.clone()), 100, 50, 1).expect("the book is playable");
    let mut actions = vec![0; batch.len()];
    let mut tally = Tally::default();
    let allocated = allocation_counter::measure(|| {
        tally = batch.self_play(100);
        for _ in 0..20 {
            batch.choose(&mut actions).expect("there is a slot for each round");
            batch.step(&actions).expect("the actions are legal");
        }
    });
    assert!(tally.rounds() > 100, "{name}: {tally:?}");
    assert_eq!(allocated.count_total, 0, "{name}: a batch asked for memory");
}

fn assert_no_allocation(name: &str, rulebook: &Rulebook) {
    assert_no_allocation_in_batches(name, rulebook);
    let mut made = 0;
    let allocated = allocation_counter::measure(|| made = play(rulebook, 10_000));
    assert!(made > 5_000, "{name}: only {made} moves were made");
    assert_eq!(
        allocated.count_total, 0,
        "{name}: {made} moves asked for memory {} times",
        allocated.count_total
    );
}

#[test]
fn no_move_of_a_shipped_game_allocates() {
    for id in catalog::ids() {
        let draft = catalog::draft(id).expect("the game is shipped");
        let variants: Vec<String> = draft.variants().map(str::to_owned).collect();
        assert_no_allocation(id, &draft.build().expect("the rule book is valid"));
        for variant in variants {
            let varied = draft.clone().variant(&variant).expect("the variant exists");
            assert_no_allocation(
                &format!("{id} {variant}"),
                &varied.build().expect("the rule book is valid"),
            );
        }
    }
}

#[test]
fn no_move_allocates_under_any_rule() {
    let book = "
        title = 'Everything'
        numbers = 'separate'
        start = [2, 5]
        target = 60
        moves = ['+1..3', { op = 'x2', uses = 2, pool = 'shared' }, '/2', { op = '-1', uses = 3 }, 'x1']
        past = 'forbidden'
        winning = [33]
        losing = [13]
        forbidden = [21]
        range = [0, 60]
        no_repeat = 'both'
        passes = 1
        stuck = 'skips'
    ";
    let rulebook = Draft::read("everything.toml", book).build().expect("the rule book is valid");
    assert_no_allocation("everything", &rulebook);
}

#[test]
fn the_counter_counts() {
    let allocated = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(allocated.count_total, 1);
}
