//! Version 2 of the format beside a second engine and a slow solver, both written from the words of the format alone:
//! computed amounts, conditions, the other's number, kinds of numbers, and the end by closeness.

mod agreement;
mod audits;
mod books;
mod edges;
mod followed;
mod games;
mod invented;
mod matters;
mod oracle;
mod puzzles;
#[path = "../support/random_books.rs"]
mod random_books;
mod reasons;
mod records;
mod refused;
mod warnings;
