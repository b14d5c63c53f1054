//! Players' rule books: parsed, checked, shared. A shared book's address is a hash of its text, so it never changes.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use spoton::format::{self, Draft, Problem, Rulebook};

use crate::ids::Hash;
use crate::limits::{
    BOOK_BYTES, BYTES_OF_A_BOOK, DAY, FEW_VARIANTS, MOST_OPENED, TIME_TO_CHECK, stored_bytes,
};
use crate::store::{Book, Millis, Unavailable};
use crate::tables::Tables;
use crate::tables::writer::Failed;
use crate::thinking::TooBusy;

/// The text is longer than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this rule book is too long; the limit is 64 KiB")]
pub struct TooLong;

/// Checking the rule book takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this rule book is too large to check here; use `spoton check` in a terminal")]
pub struct TooMuch;

/// Normalizes a submitted text: forms send every line ending as CRLF.
pub fn sent(text: &str) -> Result<String, TooLong> {
    let text = text.replace("\r\n", "\n");
    if text.len() > BOOK_BYTES { Err(TooLong) } else { Ok(text) }
}

/// A checked rule book.
pub struct Checked {
    /// Errors and warnings, in order.
    pub problems: Vec<Problem>,
    /// The book, if there are no errors.
    pub rulebook: Option<Arc<Rulebook>>,
    pub variants: u64,
    /// The variants that can't be played, each with the reason.
    pub unplayable_variants: Vec<(String, String)>,
}

/// Checks a rule book.
pub async fn check(
    tables: &Tables,
    name: &'static str,
    text: &str,
) -> Result<Result<Checked, TooMuch>, TooBusy> {
    let text = text.to_owned();
    let checked = tables.thinking.read(move || {
        let begun = Instant::now();
        let draft = Draft::read(name, &text);
        let mut variants = 0;
        let mut keep_going = || {
            variants += 1;
            // A few variants are always checked, however busy the machine is.
            variants <= FEW_VARIANTS || begun.elapsed() < TIME_TO_CHECK
        };
        let problems = format::check_while(&draft, &mut keep_going).ok_or(TooMuch)?;
        let is_valid = !problems.iter().any(Problem::is_error);
        let rulebook = if is_valid { draft.build().ok().map(Arc::new) } else { None };
        // Takes less time than the check.
        let unplayable_variants = if is_valid { draft.unplayable_variants() } else { vec![] };
        let variants = draft.variants().count() as u64;
        Ok(Checked { problems, rulebook, variants, unplayable_variants })
    });
    checked.await
}

/// The books opened today. Opening a book protects it from cleanup. This list limits that to one write per day.
#[derive(Default)]
pub struct Opened {
    today: Mutex<(Millis, HashSet<Hash>)>,
}

impl Opened {
    /// Returns whether this is the book's first opening today.
    fn is_first(&self, book: Hash, now: Millis) -> bool {
        let mut today = self.today.lock().unwrap_or_else(PoisonError::into_inner);
        let day = now / DAY;
        if today.0 != day || today.1.len() >= MOST_OPENED {
            *today = (day, HashSet::new());
        }
        today.1.insert(book)
    }
}

/// Stores a book for anyone who has its address.
pub async fn share(tables: &Tables, holder: Hash, text: String) -> Result<Hash, Failed> {
    tables.has_room().await?;
    tables.rates.admit_book(holder)?;
    let hash = Hash::digest(&text);
    let book = Book { hash, text };
    tables.rates.adds(holder, new_bytes(tables, &book).await?)?;
    tables.store.keep_book(book, tables.clock.now()).await?;
    Ok(hash)
}

/// Returns how many bytes storing a book adds: 0 if it's already there.
pub(crate) async fn new_bytes(tables: &Tables, book: &Book) -> Result<usize, Unavailable> {
    let is_there = tables.store.book(book.hash.short()).await?.is_some();
    Ok(if is_there { 0 } else { BYTES_OF_A_BOOK + stored_bytes(book.text.len()) })
}

/// Returns a shared book's text.
pub async fn shared(tables: &Tables, short: &str) -> Result<Option<String>, Unavailable> {
    let fits = short.len() == 26 && short.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !fits {
        return Ok(None);
    }
    Ok(tables.store.book(short.to_owned()).await?.map(|book| book.text))
}

/// Notes that a shared book was opened.
pub async fn opened(tables: &Tables, text: &str) {
    let now = tables.clock.now();
    let hash = Hash::digest(text);
    if tables.opened.is_first(hash, now) {
        // Best effort: the book can be read anyway.
        if let Err(why) = tables.store.keep_book(Book { hash, text: text.to_owned() }, now).await {
            tracing::debug!("can't record that a rule book was opened: {why}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_noted_once_a_day() {
        let opened = Opened::default();
        let (one, two) = (Hash::digest("one"), Hash::digest("two"));
        assert!(opened.is_first(one, 5) && opened.is_first(two, 6));
        assert!(!opened.is_first(one, DAY - 1));
        assert!(opened.is_first(one, DAY) && !opened.is_first(one, DAY + 1));
    }

    #[test]
    fn line_ends_of_forms_do_not_make_another_book() {
        assert_eq!(sent("a\r\nb\r\n"), sent("a\nb\n"));
        assert_eq!(sent(&"\r\n".repeat(BOOK_BYTES)).map(|text| text.len()), Ok(BOOK_BYTES));
        assert_eq!(sent(&"x".repeat(BOOK_BYTES + 1)), Err(TooLong));
    }
}
