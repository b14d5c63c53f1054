//! Spot On from Python: the module `spoton._spoton`, which the package `spoton` shows.
//!
//! Thin: every rule, value and sentence comes from the library, and every answer has the shape that the program's JSON has.

mod bench;
mod book;
mod convert;
mod duels;
mod errors;
mod invent;
mod position;
mod records;
mod round;
mod solution;
mod telling;
mod thinking;

use pyo3::prelude::*;

#[pymodule]
mod _spoton {
    #[pymodule_export]
    use super::bench::{BenchSet, bench};
    #[pymodule_export]
    use super::book::{Book, games, load, opponents, read, read_line, restore_book};
    #[pymodule_export]
    use super::duels::{Duels, coin};
    #[pymodule_export]
    use super::errors::{Error, IllegalMove, RecordError, RulebookError, TooLarge};
    #[pymodule_export]
    use super::invent::{Inventor, invent};
    #[pymodule_export]
    use super::position::{Position, restore_position};
    #[pymodule_export]
    use super::records::{chances, grade, interval, review, score};
    #[pymodule_export]
    use super::round::{Round, restore_round};
    #[pymodule_export]
    use super::solution::Solution;
    #[pymodule_export]
    use super::telling::Telling;
    #[pymodule_export]
    use super::thinking::set_memory;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
