//! All moves that can be written in a game, numbered: what programs that learn to play choose from.
//!
//! ```
//! use spoton::engine::play::Move;
//! use spoton::format::RulebookBuilder;
//!
//! let book = RulebookBuilder::new("Shares").start(12).target(0).entries(["-divisor", "-5"]).build()?;
//! let alphabet = book.alphabet();
//! let written: Vec<String> = alphabet.choices().iter().map(|choice| book.write(Move::Operation(*choice))).collect();
//! assert_eq!(written, ["-1", "-2", "-3", "-4", "-5", "-6"]); // half of 12 is the largest divisor that can come up
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use crate::engine::computed::{Computed, Source};
use crate::engine::position::Choice;
use crate::engine::written::Written;
use crate::format::{Entry, Op, Rulebook};

/// Every move that can be written in a game: the entries of `moves` in their order, amounts rising, each move once.
///
/// Its places are the same in every position of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    choices: Vec<Choice>,
    /// By the number of a choice, one more than its place; 0 if it has none.
    places: Vec<u16>,
}

impl Alphabet {
    /// The moves, in order.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The place of a move; `None` if it can never come up.
    #[inline]
    pub fn place(&self, choice: Choice) -> Option<usize> {
        usize::from(*self.places.get(choice.index())?).checked_sub(1)
    }
}

impl Rulebook {
    /// Every move that can be written in this game, numbered.
    pub fn alphabet(&self) -> Alphabet {
        let mut alphabet = Alphabet { choices: Vec::new(), places: Vec::new() };
        for entry in self.moves() {
            let (fixed, computed) = match entry.op {
                Op::Fixed(operation) => (Some(operation), None),
                Op::Computed(computed) => (None, Some(computed)),
            };
            let amounts = computed.into_iter().flat_map(|computed| {
                let (from, to) = computed.bounds();
                let numbers = self.numbers_for(entry);
                (from..=to).filter(move |amount| comes_up(computed, *amount, numbers))
            });
            let operations = amounts.filter_map(|amount| computed?.with(amount)).chain(fixed);
            for operation in operations {
                let Some(choice) = self.choice(Written { operation, on: entry.on }) else { continue };
                if alphabet.place(choice).is_none() {
                    alphabet.choices.push(choice);
                    let length = alphabet.places.len().max(choice.index() + 1);
                    alphabet.places.resize(length, 0);
                    alphabet.places[choice.index()] = alphabet.choices.len() as u16;
                }
            }
        }
        alphabet
    }

    /// The lowest and the highest number at which an entry could be used.
    fn numbers_for(&self, entry: &Entry) -> (i64, i64) {
        let ((low, high), (from, to)) = (self.numbers_on_turn(), entry.ends_of_when());
        (low.max(from), high.min(to))
    }
}

/// Whether some number from the lowest to the highest has this amount.
fn comes_up(computed: Computed, amount: i64, (low, high): (i64, i64)) -> bool {
    let low = low.max(1);
    let offers = |number: i64| (low..=high).contains(&number) && computed.offers(number, amount);
    let multiple = (low + amount - 1) / amount * amount;
    // The least number that has it, or the largest of all for what large numbers have.
    match computed.source() {
        Source::Divisor => offers(multiple.max(2 * amount)),
        Source::Prime => offers(multiple),
        // Of ten numbers in a row, one ends in it.
        Source::Digit => (low..=high.min(low.saturating_add(9))).any(offers),
        Source::Half => offers(high),
    }
}
