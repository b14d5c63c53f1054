//! Single turns: what every key of the format does.

mod alphabet;
#[path = "../solver/books.rs"]
mod books;
mod edges;
mod foreign;
mod oracle;
mod position_texts;
mod positions;
#[path = "../support/random_books.rs"]
mod random_books;
mod shortcuts;
#[path = "../support/mod.rs"]
mod support;
mod turns;
