//! All tests of the library in one binary, because linking many takes longer than running them. Tests that count
//! allocations are a separate binary.

mod answers;
mod batch;
mod bench;
mod books;
mod corpus;
mod engine;
mod format;
mod format_page;
#[path = "support/fuzzing.rs"]
mod fuzzing;
mod interface;
mod large_books;
mod people;
mod prompts;
mod puzzles;
#[path = "support/random_books.rs"]
mod random_books;
mod rounds;
mod sitting;
mod solver;
mod support;
mod truth;
mod version2;
mod version2_words;
