//! Compares version 2 of the format with a second engine and a slow solver, both written from the format's definition
//! alone: computed amounts, conditions, the opponent's number, kinds of numbers, and closeness.

mod agreement;
mod around_zero;
mod audits;
mod books;
mod edges;
mod followed;
mod games;
mod invented;
mod matters;
mod oracle;
mod puzzles;
mod reasons;
mod records;
mod refused;
mod warnings;
