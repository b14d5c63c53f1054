//! Tests that count every allocation. A separate binary, because they replace the allocator.

mod allocation;
mod peak_bytes;
#[path = "support/random_books.rs"]
mod random_books;
