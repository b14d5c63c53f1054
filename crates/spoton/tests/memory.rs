//! Tests that count every allocation, in a program of their own because they replace its allocator.

mod allocation;
mod peak_bytes;
#[path = "support/random_books.rs"]
mod random_books;
