//! Prints random rule books, one JSON object per line, for tests in other languages.
//!
//!     cargo run --example random_books -- 0 100

#[path = "../tests/support/random_books.rs"]
mod random_books;

use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut numbers = std::env::args().skip(1).filter_map(|number| number.parse::<u64>().ok());
    let (from, to) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(100));
    let mut out = std::io::stdout().lock();
    for number in from..to {
        let random_books::RandomBook { text, variant, settings } = random_books::random_book(number);
        let line = serde_json::json!({ "text": text, "variant": variant, "settings": settings });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
