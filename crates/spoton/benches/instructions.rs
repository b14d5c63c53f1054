//! Instruction counts of the hot loops, measured with valgrind and compared with recorded counts. Unlike
//! times, they are stable on a busy machine, so they show when a change slows a loop down.
//!
//! ```text
//! cargo bench -p spoton --bench instructions              # fails if a loop takes 5 % more than recorded
//! cargo bench -p spoton --bench instructions -- --write   # rewrites the record
//! ```
//!
//! Counts depend on the compiler, so the record names it. With another compiler, write the record before a
//! change and compare after it. Each loop runs twice in separate processes, with work and without. The
//! difference is the cost of the work.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Arc;

use spoton::engine::batch::Batch;
use spoton::engine::play::{Move, Situation, Step};
use spoton::engine::position::Player;
use spoton::format::{Draft, Rulebook};
use spoton::solver::{Budget, Solver};

const ROUNDS: usize = 1_024;

/// A loop this many percent above its recorded count has become slower.
const PERCENT: f64 = 5.0;

/// A loop: its name, its rules, what it counts, and its work.
struct Loop {
    name: &'static str,
    rules: &'static str,
    units: u64,
    work: fn(&Arc<Rulebook>, u64),
}

const LOOPS: &[Loop] = &[
    Loop {
        name: "sweep, per number",
        rules: "start = 1\ntarget = 1000000\nmoves = ['+1', 'x2']",
        units: 1_000_000,
        work: |book, _| fill(book),
    },
    Loop {
        name: "sweep with no_repeat, per number",
        rules: "start = 1\ntarget = 100000\nmoves = ['+1', 'x2']\nno_repeat = 'own'",
        units: 100_000,
        work: |book, _| fill(book),
    },
    Loop {
        name: "sweep with uses, per number",
        rules: "start = 1\ntarget = 100000\nmoves = ['+1', { op = 'x2', uses = 3 }]",
        units: 100_000,
        work: |book, _| solve(book),
    },
    Loop {
        name: "sweep downwards, per number",
        rules: "start = 100000\ntarget = 0\nmoves = ['-1..3']\npast = 'forbidden'",
        units: 100_000,
        work: |book, _| fill(book),
    },
    Loop {
        name: "sweep with digits, per number",
        rules: "start = 100000\ntarget = 0\nmoves = ['-digit']",
        units: 100_000,
        work: |book, _| solve(book),
    },
    Loop {
        name: "sweep with divisors, per number",
        rules: "start = 9999\nrange = [1, 9999]\nmoves = ['-divisor']",
        units: 9_999,
        work: |book, _| solve(book),
    },
    Loop {
        name: "sweep with conditions, per number",
        rules: "start = 1\ntarget = 100000\nmoves = ['+1..3', { op = 'x2', when = 'even' }]\nlosing = ['multiple of 7']",
        units: 100_000,
        work: |book, _| solve(book),
    },
    Loop {
        name: "backward search, per number",
        rules: "start = 0\ntarget = 20000\nmoves = ['+1', '-1', 'x2']",
        units: 20_000,
        work: |book, _| solve(book),
    },
    Loop {
        name: "backward search, per pair",
        rules: "numbers = 'separate'\nstart = 1\ntarget = 100\nmoves = ['+1', '+3', 'x2']\nno_repeat = 'opponent'",
        units: 100 * 100,
        work: |book, _| solve(book),
    },
    Loop {
        name: "intervals, per solution",
        rules: "start = 1\ntarget = 999999999999999999\nmoves = ['+1', 'x2']",
        units: 100,
        work: |book, times| (0..times).for_each(|_| solve(book)),
    },
    Loop {
        name: "intervals with no_repeat, per solution",
        rules: "start = 1\ntarget = 999999999999999999\nmoves = ['+1', 'x2']\nno_repeat = 'own'",
        units: 10,
        work: |book, times| (0..times).for_each(|_| solve(book)),
    },
    Loop {
        name: "play, per move",
        rules: "start = 1\ntarget = 100\nmoves = ['+1', 'x2']",
        units: 1_000_000,
        work: play,
    },
    Loop {
        name: "play with an illegal move, per move",
        rules: "start = 1\ntarget = 100\nmoves = ['+1', 'x2']\npast = 'forbidden'",
        units: 1_000_000,
        work: play,
    },
    Loop {
        name: "batch, per move",
        rules: "start = 1\ntarget = 20\nmoves = ['+1', 'x2']",
        units: 8_192_000,
        work: play_batch,
    },
    Loop {
        name: "batch with an illegal move, per move",
        rules: "start = 0\ntarget = 23\nmoves = ['+1..4']\npast = 'forbidden'",
        units: 8_192_000,
        work: play_batch,
    },
    Loop {
        name: "batch in 32 bits, per move",
        rules: "start = 1\ntarget = 1000000\nmoves = ['+1', 'x2']",
        units: 8_192_000,
        work: play_batch,
    },
    Loop {
        name: "batch with given actions, per move",
        rules: "start = 1\ntarget = 20\nmoves = ['+1', 'x2']",
        units: 1_024_000,
        work: |book, moves| {
            let (mut batch, mut actions) = (batch(book), [0; ROUNDS]);
            for _ in 0..moves / ROUNDS as u64 {
                batch.choose(&mut actions).expect("there is a slot for each round");
                batch.step(&actions).expect("the actions are legal");
            }
        },
    },
];

fn batch(book: &Arc<Rulebook>) -> Batch {
    Batch::new(Arc::clone(book), ROUNDS, 1_000, 7).expect("the book is playable")
}

fn play_batch(book: &Arc<Rulebook>, moves: u64) {
    black_box(batch(book).self_play(moves / ROUNDS as u64));
}

fn solve(book: &Arc<Rulebook>) {
    let solver = Solver::new(Arc::clone(book), &mut Budget::patient(1 << 30));
    let solver = solver.unwrap_or_else(|why| panic!("{why}"));
    black_box(solver.moves(&book.opening(Player::One)));
}

/// Solves by a table, even if something else is quicker.
fn fill(book: &Arc<Rulebook>) {
    let table = Solver::by_table(Arc::clone(book), &mut Budget::patient(1 << 30));
    let solver = table.unwrap_or_else(|why| panic!("{why}")).expect("the game has a table");
    black_box(solver.moves(&book.opening(Player::One)));
}

fn play(book: &Arc<Rulebook>, moves: u64) {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut position = book.opening(Player::One);
    for _ in 0..moves {
        let Situation::Choose(legal) = book.situation(&position) else {
            unreachable!("there is always a move")
        };
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let index = ((random >> 32) * legal.len() as u64) >> 32;
        let choice = legal.get(index as usize).expect("the index is below the length");
        position = match book.play(&position, Move::Operation(choice)).expect("the move is legal") {
            Step::On(next) => next,
            Step::Over { .. } => book.opening(Player::One),
        };
    }
    black_box(position);
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let worked = match arguments.iter().position(|argument| argument == "--work") {
        Some(place) => {
            work(arguments[place + 1].parse().expect("the index of a loop"), arguments[place + 2] == "all")
        }
        // Without `--bench`, the argument that `cargo bench` adds, this only tests that every loop runs.
        None if !has("--bench") => (0..LOOPS.len()).try_for_each(|index| work(index, true)),
        None => compare(has("--write")),
    };
    match worked {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "{why}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a loop, or only its setup.
fn work(index: usize, all: bool) -> Result<(), String> {
    let Loop { rules, units, work, .. } = &LOOPS[index];
    let book = Draft::read("loop", &format!("title = 'Loop'\n{rules}")).build();
    let book = Arc::new(book.map_err(|problems| format!("{problems:?}"))?);
    if all {
        work(black_box(&book), *units);
    }
    Ok(())
}

/// The number of instructions this program executes for a loop.
fn counted(index: usize, all: bool) -> Result<u64, String> {
    let here = std::env::current_exe().map_err(|why| why.to_string())?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    valgrind.arg(here).args(["--work", &index.to_string(), if all { "all" } else { "none" }]);
    let output = valgrind.output().map_err(|why| {
        format!("can't run valgrind: {why}. Install it (on Debian: apt-get install valgrind)")
    })?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let count =
        said.lines().find_map(|line| line.split_once("refs:")).map(|(_, count)| count.replace(',', ""));
    count.and_then(|count| count.trim().parse().ok()).ok_or(said)
}

fn compare(write: bool) -> Result<(), String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/instructions/record.txt");
    let record = std::fs::read_to_string(&path).unwrap_or_default();
    let compiler = compiler()?;
    let is_comparable = record.lines().next() == Some(compiler.as_str());
    let mut written = format!("{compiler}\n");
    let mut slower = Vec::new();
    let mut out = std::io::stdout().lock();
    for (index, Loop { name, units, .. }) in LOOPS.iter().enumerate() {
        let instructions = counted(index, true)?.saturating_sub(counted(index, false)?);
        let each = instructions as f64 / *units as f64;
        let line = format!("{each:>12.2}  {name}");
        let known = record.lines().find_map(|line| {
            let (count, known) = line.trim_start().split_once("  ")?;
            count.parse::<f64>().ok().filter(|_| known == *name)
        });
        let change = known.map(|known| (each / known - 1.0) * 100.0);
        let shown = change.map_or("new".to_owned(), |change| format!("{change:+.1} %"));
        writeln!(out, "{line:<66} {shown:>8}").map_err(|why| why.to_string())?;
        let _ = writeln!(written, "{line}");
        if change.is_none_or(|change| change > PERCENT) {
            slower.push(*name);
        }
    }
    if write {
        return std::fs::write(path, written).map_err(|why| why.to_string());
    }
    if !is_comparable {
        return Err(format!(
            "The record isn't from {compiler}. To compare a change, write a new record before the change: \
             cargo bench -p spoton --bench instructions -- --write"
        ));
    }
    if slower.is_empty() {
        return Ok(());
    }
    Err(format!(
        "These take over {PERCENT}% more instructions than recorded, or have no record: {}. If you intended that: \
         cargo bench -p spoton --bench instructions -- --write",
        slower.join("; ")
    ))
}

/// The compiler's name, version and target.
fn compiler() -> Result<String, String> {
    let told = Command::new("rustc").arg("--version").output().map_err(|why| why.to_string())?;
    Ok(format!("{} for {}", String::from_utf8_lossy(&told.stdout).trim(), std::env::consts::ARCH))
}
