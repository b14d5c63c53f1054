//! Benchmark sets of 50 certified games, from one hidden choice to twenty.
//!
//! Version 1 never changes: its books are stored as generated, and a test regenerates them. A daily set is generated
//! from its date and is the same for everyone. Anyone can generate it, but it isn't published in advance.
//!
//! ```
//! use spoton::design::sets::Set;
//!
//! let set = Set::fixed();
//! assert_eq!((set.books.len(), set.books[0].depth, set.books[49].depth), (50, 1, 20));
//! let game = set.books[0].game()?;
//! assert_eq!(game.id(), "bench-1-01");
//! # Ok::<(), spoton::format::BadGame>(())
//! ```

use crate::day::Day;
use crate::design::invent::{Bounds, Inventor};
use crate::format::{BadGame, BookText, Changes, Game, fingerprint};
use crate::solver::{Budget, Unsolved};

/// A set of 50 games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// The fixed set's version, or the daily set's day.
    pub name: String,
    /// The games, shallowest first.
    pub books: Vec<Book>,
}

/// A game of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// Its id: `bench-1-07`.
    pub id: String,
    /// The number of choices that matter but aren't obvious.
    pub depth: u64,
    /// The rule book, with its certificate as a comment.
    pub text: String,
}

impl Book {
    /// The playable game.
    ///
    /// # Errors
    ///
    /// Never, for a book in a set.
    pub fn game(&self) -> Result<Game, BadGame> {
        let (id, source_name) = (self.id.clone(), format!("{}.toml", self.id));
        let book = BookText { id, own_file: true, source_name, text: self.text.clone() };
        Game::new(book, self.id.clone(), &Changes::default())
    }
}

/// The size of a set, and its maximum depth.
const BOOKS: u64 = 50;
const DEEPEST: u64 = 20;
/// The only version of the fixed set so far. It never changes.
const VERSION: u64 = 1;
const VERSION_1: &str = include_str!("sets/set-1.txt");
/// The separator between two books.
const BETWEEN: &str = "---\n";

/// A game's depth by its index in the set, starting at 0: two or three games per depth.
fn depth(place: u64) -> u64 {
    1 + place * DEEPEST / BOOKS
}

/// The requirements at a depth. Guessing must fail in the deeper games.
fn bounds(depth: u64) -> Bounds {
    Bounds {
        length: 4..=21,
        subtle: depth..=depth,
        guess: Bounds::usual().guess.filter(|_| depth >= DEEPEST / 2),
    }
}

impl Set {
    /// Version 1.
    pub fn fixed() -> Set {
        Set::from_texts(VERSION.to_string(), VERSION_1.split(BETWEEN).map(str::to_owned))
    }

    /// A day's set.
    ///
    /// # Errors
    ///
    /// If the caller cancels.
    pub fn fresh(day: Day, budget: &mut Budget<'_>) -> Result<Set, Unsolved> {
        Ok(Set::from_texts(day.to_string(), invent(day.number(), budget)?.into_iter()))
    }

    /// Regenerates the fixed set to compare it with the stored one.
    ///
    /// # Errors
    ///
    /// If the caller cancels.
    pub fn invented_again(budget: &mut Budget<'_>) -> Result<Set, Unsolved> {
        Ok(Set::from_texts(VERSION.to_string(), invent(VERSION, budget)?.into_iter()))
    }

    fn from_texts(name: String, texts: impl Iterator<Item = String>) -> Set {
        let books = (0..).zip(texts).map(|(place, text)| Book {
            id: format!("bench-{name}-{:02}", place + 1),
            depth: depth(place),
            text,
        });
        Set { books: books.collect(), name }
    }

    /// The books' stored text.
    pub fn text(&self) -> String {
        self.books.iter().map(|book| book.text.as_str()).collect::<Vec<_>>().join(BETWEEN)
    }

    /// A fingerprint of the books: 16 hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", fingerprint(self.text().as_bytes()))
    }
}

/// Generates books from a seed. Each depth has its own inventor.
fn invent(seed: u64, budget: &mut Budget<'_>) -> Result<Vec<String>, Unsolved> {
    let mut texts = Vec::new();
    for depth in 1..=DEEPEST {
        let mut inventor = Inventor::new(seed * 100 + depth, bounds(depth));
        for _ in (0..BOOKS).filter(|place| self::depth(*place) == depth) {
            // Invariant: there are always enough games.
            texts.extend(inventor.next(budget)?.map(|invented| invented.text));
        }
    }
    Ok(texts)
}
