//! The classes of a game, which refer to each other: a book makes rounds, and a round knows its book.

pub mod book;
pub mod position;
pub mod records;
pub mod round;
pub mod solution;
