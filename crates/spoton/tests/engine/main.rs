//! A turn, exactly: what the engine does for every key of the format.

#[path = "../solver/books.rs"]
mod books;
mod edges;
mod foreign;
mod oracle;
mod positions;
mod shortcuts;
#[path = "../support/mod.rs"]
mod support;
mod turns;
