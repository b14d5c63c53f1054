//! Rule books that people write: read, checked, shared. A shared one has an address that is made from its whole text, so
//! it never changes.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use spoton::format::{self, Draft, Problem, Rulebook};

use crate::ids::Hash;
use crate::limits::{BOOK_BYTES, DAY, FEW_VARIANTS, MOST_OPENED, TIME_TO_CHECK};
use crate::store::{Book, Millis, Unavailable};
use crate::tables::{Tables, now};
use crate::thinking::TooBusy;
use crate::writer::Failed;

/// A text is longer than any rule book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a rule book has at most {BOOK_BYTES} bytes (64 KiB), and this one is longer")]
pub struct TooLong;

/// A rule book takes too long to be looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this rule book is too large here; `spoton check` in a terminal can")]
pub struct TooMuch;

/// The text of a rule book as it was sent. Forms send every line end as two characters, whichever it was.
pub fn sent(text: &str) -> Result<String, TooLong> {
    let text = text.replace("\r\n", "\n");
    if text.len() > BOOK_BYTES { Err(TooLong) } else { Ok(text) }
}

/// A rule book that was looked through.
pub struct Checked {
    /// What is wrong or odd, in order.
    pub problems: Vec<Problem>,
    /// The book, if nothing is wrong.
    pub rulebook: Option<Arc<Rulebook>>,
    pub variants: u64,
}

/// Looks a rule book through.
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
            // A machine that has much to do makes no book too large.
            variants <= FEW_VARIANTS || begun.elapsed() < TIME_TO_CHECK
        };
        let problems = format::check_while(&draft, &mut keep_going).ok_or(TooMuch)?;
        let is_valid = !problems.iter().any(Problem::is_error);
        let rulebook = if is_valid { draft.build().ok().map(Arc::new) } else { None };
        Ok(Checked { problems, rulebook, variants: draft.variants().count() as u64 })
    });
    checked.await
}

/// Which books were opened today: so a book that people open is kept, and opening it writes at most once a day.
#[derive(Default)]
pub struct Opened {
    today: Mutex<(Millis, HashSet<Hash>)>,
}

impl Opened {
    /// Whether a book is opened for the first time on its day.
    fn is_first(&self, book: Hash, now: Millis) -> bool {
        let mut today = self.today.lock().unwrap_or_else(PoisonError::into_inner);
        let day = now / DAY;
        if today.0 != day || today.1.len() >= MOST_OPENED {
            *today = (day, HashSet::new());
        }
        today.1.insert(book)
    }
}

/// Stores a book for everyone who has its address.
pub async fn share(tables: &Tables, holder: Hash, text: String) -> Result<Hash, Failed> {
    tables.has_room().await?;
    let hash = Hash::of(&text);
    let book = Book { hash, text };
    tables.rates.adds(holder, new_bytes(tables, &book).await?)?;
    tables.store.keep_book(book, now()).await?;
    Ok(hash)
}

/// What storing a book adds: nothing, if it is there.
pub async fn new_bytes(tables: &Tables, book: &Book) -> Result<usize, Unavailable> {
    let is_there = tables.store.book(book.hash.short()).await?.is_some();
    Ok(if is_there { 0 } else { book.text.len() })
}

/// The text of a shared book, by its address.
pub async fn shared(tables: &Tables, short: &str) -> Result<Option<String>, Unavailable> {
    let fits = short.len() == 26 && short.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !fits {
        return Ok(None);
    }
    Ok(tables.store.book(short.to_owned()).await?.map(|book| book.text))
}

/// A shared book was opened by somebody.
pub async fn opened(tables: &Tables, text: &str) {
    let now = now();
    let hash = Hash::of(text);
    if tables.opened.is_first(hash, now) {
        // If that cannot be kept, the book can be read all the same.
        if let Err(why) = tables.store.keep_book(Book { hash, text: text.to_owned() }, now).await {
            tracing::debug!("an opened book was not noted: {why}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_noted_once_a_day() {
        let opened = Opened::default();
        let (one, two) = (Hash::of("one"), Hash::of("two"));
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
