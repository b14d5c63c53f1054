//! Moves as they are written: from a choice to what it does, where it comes from and what it is called, and back.
//!
//! A [`Choice`] stands for a written move (`+1`), an [`Entry`] is what the rule book has in its list of `moves`. They
//! are two things: uses are limited by entry, repeats are barred by what is written.
//!
//! ```
//! use spoton::engine::position::Player;
//! use spoton::format::catalog;
//!
//! let take_away = catalog::draft("take-away").unwrap().build()?;
//! let opening = take_away.opening(Player::One);
//! let labels: Vec<String> = take_away.offers(&opening).map(|offer| take_away.label(offer.choice)).collect();
//! assert_eq!(labels, ["Take 1", "Take 2", "Take 3"]);
//! let two = take_away.choice("-2".parse()?).unwrap();
//! assert_eq!(take_away.result(&opening, two), Ok(19));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::operation::Operation;
use crate::engine::play::{Move, Refusal};
use crate::engine::position::{Choice, Choices, EntryIndex, Position};
use crate::format::{Entry, Rulebook};

/// How a skipped turn is written.
pub const SKIP: &str = "skip";

/// What is written where a choice is none of a rule book's.
const UNKNOWN: &str = "?";

/// A move on offer to the player on turn: one that they may make, or one that is barred now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The move.
    pub choice: Choice,
    /// The entry of `moves` that it comes from, whose uses it counts against.
    pub entry: EntryIndex,
    /// What is written.
    pub operation: Operation,
    /// The number that it gives, or why it may not be made.
    pub result: Result<i128, Refusal>,
}

impl Rulebook {
    /// The entries of `moves` with their places.
    pub fn entries(&self) -> impl Iterator<Item = (EntryIndex, &Entry)> {
        self.moves().iter().enumerate().map(|(place, entry)| (EntryIndex::new(place), entry))
    }

    /// The entry of `moves` at a place; `None` if there is none.
    pub fn entry(&self, index: EntryIndex) -> Option<&Entry> {
        self.moves().get(index.place())
    }

    /// The entry that gives this move here; `None` if the move is none of this rule book's.
    #[inline]
    pub fn entry_of(&self, _position: &Position, choice: Choice) -> Option<EntryIndex> {
        let place = choice.dense_index();
        (place < self.moves().len()).then(|| EntryIndex::new(place))
    }

    /// Every move that can be written in this game.
    pub(crate) fn choices(&self) -> impl Iterator<Item = Choice> {
        (0..self.moves().len()).map(Choice::from_dense_index)
    }

    /// The moves that are on offer to the player on turn, whether legal or barred.
    #[inline]
    pub(crate) fn offered(&self, _position: &Position) -> Choices {
        self.quiet.every_choice()
    }

    /// Every move on offer to the player on turn, with what it gives or why it is barred, in the rule book's order.
    pub fn offers<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = Offer> + 'a {
        self.offered(position).into_iter().filter_map(|choice| {
            let (entry, operation) = (self.entry_of(position, choice)?, self.operation(choice)?);
            Some(Offer { choice, entry, operation, result: self.result(position, choice) })
        })
    }

    /// The choice that is written like this; `None` if the game has no such move.
    pub fn choice(&self, operation: Operation) -> Option<Choice> {
        let place = self.moves().iter().position(|entry| entry.operation == operation)?;
        Some(Choice::from_dense_index(place))
    }

    /// What a choice does; `None` if it is none of this rule book's.
    #[inline]
    pub fn operation(&self, choice: Choice) -> Option<Operation> {
        self.moves().get(choice.dense_index()).map(|entry| entry.operation)
    }

    /// What to call a choice: `Add 1`, or the rule book's own name; `?` if it is none of this rule book's.
    pub fn label(&self, choice: Choice) -> String {
        self.moves().get(choice.dense_index()).map_or(UNKNOWN.to_owned(), Entry::label)
    }

    /// How a move is written, in a record and everywhere else: `+1`, `skip`; `?` if it is none of this rule book's.
    pub fn write(&self, a_move: Move) -> String {
        match a_move {
            Move::Operation(choice) => {
                self.operation(choice).map_or(UNKNOWN.to_owned(), |operation| operation.to_string())
            }
            Move::Skip => SKIP.to_owned(),
        }
    }
}
