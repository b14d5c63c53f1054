//! Speed of batches, with random and with given actions, compared with the engine playing random rounds one
//! by one. Run with `cargo bench -p spoton --bench batch`.

use std::hint::black_box;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use spoton::engine::batch::Batch;
use spoton::engine::play::{Move, Situation, Step};
use spoton::engine::position::Player;
use spoton::format::{Rulebook, catalog};

const ROUNDS: usize = 4_096;
const MOST_MOVES: u32 = 1_000;

/// A shipped game, and a target if it isn't the game's own.
const GAMES: &[(&str, Option<i64>)] = &[
    ("number-maze", None),
    ("number-maze", Some(1_000)),
    ("number-maze", Some(1_000_000)),
    ("number-maze", Some(1_000_000_000_000)),
    ("double-or-add", None),
    ("race-to-23", None),
    ("take-away", None),
    ("target-twenty-one", None),
    ("operation-target", None),
    ("sequence-math-duel", None),
    ("fair-shares", None),
];

/// Plays random rounds one by one. Returns the number of moves.
#[inline(never)]
fn scalar(rulebook: &Rulebook, moves: u64) -> u64 {
    let (mut made, mut random) = (0, 0x9e37_79b9_7f4a_7c15_u64);
    while made < moves {
        let mut position = rulebook.opening(Player::One);
        for _ in 0..MOST_MOVES {
            let a_move = match rulebook.situation(&position) {
                Situation::Choose(legal) => {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    let index = ((random >> 32) * legal.len() as u64) >> 32;
                    Move::Operation(legal.get(index as usize).expect("the index is below the length"))
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

/// The best of several runs, in million moves per second.
fn rate(repetitions: u32, mut play: impl FnMut() -> u64) -> f64 {
    let mut best: f64 = 0.0;
    for _ in 0..repetitions {
        let begun = Instant::now();
        let moves = black_box(play());
        best = best.max(moves as f64 / begun.elapsed().max(Duration::from_nanos(1)).as_secs_f64() / 1e6);
    }
    best
}

fn main() -> std::io::Result<()> {
    // Without `--bench`, the argument that `cargo bench` adds, this only tests that everything runs.
    let measure = std::env::args().any(|argument| argument == "--bench");
    let (repetitions, scale) = if measure { (20, 1) } else { (1, 1_000) };
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "random rounds on one core, best of {repetitions}, in million moves per second ({ROUNDS} parallel rounds)"
    )?;
    writeln!(
        out,
        "{:<32} {:>9} {:>9} {:>7} {:>9} {:>6}",
        "", "one by 1", "batch", "ratio", "stepped", "ratio"
    )?;
    for (id, target) in GAMES {
        let mut draft = catalog::draft(id).expect("the game is shipped");
        if let Some(target) = target {
            draft = draft.set_target("target", &target.to_string());
        }
        let rulebook = Arc::new(draft.build().expect("the target fits"));
        let mut batch =
            Batch::new(Arc::clone(&rulebook), ROUNDS, MOST_MOVES, 7).expect("the book is playable");
        let one_by_one = rate(repetitions, || scalar(&rulebook, 1_000_000 / scale));
        let steps = if batch.is_fast() { 5_000 } else { 200 } / scale;
        let by_itself = rate(repetitions, || batch.self_play(steps.max(1)).moves);
        let mut actions = vec![0; ROUNDS];
        let stepped = rate(repetitions, || {
            let mut moves = 0;
            for _ in 0..(steps / 20).max(1) {
                batch.choose(&mut actions).expect("there is a slot for each round");
                batch.step(&actions).expect("the actions are legal");
                moves += ROUNDS as u64;
            }
            moves
        });
        let title = target.map_or(id.to_string(), |target| format!("{id} {target}"));
        let way = if batch.is_fast() { "" } else { " (by the engine)" };
        writeln!(
            out,
            "{title:<32} {one_by_one:>9.1} {by_itself:>9.1} {:>7.1} {stepped:>9.1} {:>6.1}{way}",
            by_itself / one_by_one,
            stepped / one_by_one
        )?;
    }
    Ok(())
}
