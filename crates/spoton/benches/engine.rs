//! Engine speed: random rounds of a shipped game, compared with a handwritten loop for that one game.
//!
//! The loop hard-codes the rules of Number Maze. The engine reads them from the rule book. Both use the same
//! random numbers, so they must play the same rounds, and the benchmark checks that they do. Run with `cargo
//! bench -p spoton`.

use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use spoton::engine::play::{Move, Situation, Step};
use spoton::engine::position::Player;
use spoton::format::{Rulebook, catalog};

const GAME: &str = "number-maze";
const TARGETS: [i64; 3] = [20, 100, 1000];

/// Totals over some rounds. Both ways of playing must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Played {
    moves: u64,
    wins: [u64; 2],
}

impl Played {
    fn win(&mut self, winner: Player) {
        self.wins[usize::from(winner.number() - 1)] += 1;
    }
}

/// A small, fast generator, good enough to choose moves.
struct Xorshift(u64);

impl Xorshift {
    #[inline]
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }
}

#[inline(never)]
fn by_engine(rulebook: &Rulebook, rounds: u64, seed: u64) -> Played {
    let mut random = Xorshift(seed);
    let mut played = Played::default();
    for _ in 0..rounds {
        let mut position = rulebook.opening(Player::One);
        let winner = loop {
            let legal = match rulebook.situation(&position) {
                Situation::Choose(legal) => legal,
                Situation::Over(outcome) => break outcome.winner,
                Situation::Skip => unreachable!("{GAME} has no skipped turns"),
            };
            let Some(choice) = legal.get(random.below(legal.len())) else {
                unreachable!("the index is below the length")
            };
            played.moves += 1;
            let Ok(step) = rulebook.play(&position, Move::Operation(choice)) else {
                unreachable!("the choice is legal")
            };
            match step {
                Step::On(next) => position = next,
                Step::Over { outcome, .. } => break outcome.winner,
            }
        };
        played.win(winner.expect("the game has no draws"));
    }
    played
}

#[inline(never)]
fn by_hand(start: i64, target: i64, rounds: u64, seed: u64) -> Played {
    let mut random = Xorshift(seed);
    let mut played = Played::default();
    for _ in 0..rounds {
        let (mut number, mut turn) = (start, Player::One);
        let winner = loop {
            number = if random.below(2) == 0 { number + 1 } else { number * 2 };
            played.moves += 1;
            if number == target {
                break turn;
            }
            if number > target {
                break !turn;
            }
            turn = !turn;
        };
        played.win(winner);
    }
    played
}

fn timed(play: impl FnOnce() -> Played) -> (Played, Duration) {
    let began = Instant::now();
    let played = play();
    (played, began.elapsed())
}

fn main() -> std::io::Result<()> {
    // Without `--bench`, the argument that `cargo bench` adds, this only tests that both agree.
    let measure = std::env::args().any(|argument| argument == "--bench");
    // Many short runs, so that even on a busy machine some aren't interrupted.
    let (repetitions, moves) = if measure { (150, 1_000_000) } else { (1, 10_000) };

    let mut out = std::io::stdout().lock();
    writeln!(out, "{GAME}: random rounds on one core, best of {repetitions}, in million moves per second")?;
    writeln!(out, "{:>8} {:>8} {:>8} {:>8}", "target", "engine", "by hand", "ratio")?;
    for target in TARGETS {
        let draft = catalog::draft(GAME).expect("the game is shipped");
        let rulebook = draft.set_target("target", &target.to_string()).build().expect("the target fits");
        let (start, _) = rulebook.start();
        let some_rounds = 1_000;
        let rounds = moves * some_rounds / by_hand(start, target, some_rounds, 1).moves;

        let mut best = [f64::INFINITY; 2];
        for repetition in 0..repetitions {
            let seed = 0x9e37_79b9_7f4a_7c15 + repetition;
            let (engine, engine_took) = timed(|| by_engine(black_box(&rulebook), rounds, seed));
            let (hand, hand_took) = timed(|| by_hand(black_box(start), black_box(target), rounds, seed));
            assert_eq!(engine, hand, "the engine and the loop by hand must play the same rounds");
            let microseconds = [engine_took, hand_took].map(|took| took.as_secs_f64() * 1e6);
            best = [0, 1].map(|way| f64::min(best[way], microseconds[way] / engine.moves as f64));
        }
        let [engine, hand] = best.map(f64::recip);
        writeln!(out, "{target:>8} {engine:>8.1} {hand:>8.1} {:>8.2}", engine / hand)?;
    }
    Ok(())
}
