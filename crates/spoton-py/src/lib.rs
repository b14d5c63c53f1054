//! Spot On from Python: the module `spoton._spoton`, which the package `spoton` exports.
//!
//! A thin layer: the library computes every rule, value and sentence, and every answer is its JSON as Python data.
//!
//! | file | contents |
//! |---|---|
//! | `classes/book.rs` | books by name, or from a file, a string or a one-line rule book |
//! | `classes/position.rs`, `classes/round.rs` | immutable positions; rounds with history and the house rule |
//! | `classes/solution.rs`, `classes/records.rs` | evaluations; reviews of records and exact odds |
//! | `invent.rs`, `telling.rs`, `bench.rs` | new games; prompts for language models and their answers; game sets |
//! | `duels.rs` | many duels in parallel, as bytes of arrays; `python/spoton/gymnasium.py` names them |
//! | `thinking.rs` | solver calls: they release the GIL, and Ctrl-C stops them |
//! | `errors.rs`, `convert.rs` | exceptions with the program's messages; JSON to Python and back |
//! | `python/spoton/` | the package, its types, the environments of PettingZoo, Gymnasium and OpenSpiel, the tasks of Inspect |
//!
//! Invariant: no thread waits for a solved game while it holds the GIL.
//!
//! `benchmarks/mcts.py` is OpenSpiel's tree search as a player for `spoton bot bench`. `tests/environment.sh` creates
//! the virtual environments of all Python tests.

mod bench;
mod classes;
mod convert;
mod duels;
mod errors;
mod invent;
mod telling;
mod thinking;

use pyo3::prelude::*;

#[pymodule]
mod _spoton {
    #[pymodule_export]
    use super::bench::{BenchSet, bench};
    #[pymodule_export]
    use super::classes::book::{Book, games, load, opponents, read, read_line, restore_book};
    #[pymodule_export]
    use super::classes::position::{Position, restore_position};
    #[pymodule_export]
    use super::classes::records::{chances, cluster_interval, grade, interval, review, score};
    #[pymodule_export]
    use super::classes::round::{Round, restore_round};
    #[pymodule_export]
    use super::classes::solution::Solution;
    #[pymodule_export]
    use super::duels::{Duels, coin};
    #[pymodule_export]
    use super::errors::{Error, IllegalMove, RecordError, RulebookError, TooLarge};
    #[pymodule_export]
    use super::invent::{Inventor, invent};
    #[pymodule_export]
    use super::telling::{Telling, prompt_fingerprint};
    #[pymodule_export]
    use super::thinking::set_memory;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("GRAMMAR", spoton::words::answer::GRAMMAR)
    }
}
