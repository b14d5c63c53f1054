//! A game's action space: every move that can be written in it, numbered.
//!
//! ```
//! use spoton::engine::play::Move;
//! use spoton::format::RulebookBuilder;
//!
//! let book = RulebookBuilder::new("Shares").start(12).target(0).entries(["-divisor", "-5"]).build()?;
//! let alphabet = book.alphabet();
//! let written: Vec<String> = alphabet.choices().iter().map(|choice| book.write(Move::Operation(*choice))).collect();
//! assert_eq!(written, ["-1", "-2", "-3", "-4", "-5", "-6"]); // the largest possible divisor is half of 12
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use crate::engine::computed::{Computed, Source};
use crate::engine::position::Choice;
use crate::engine::rulebook::{Entry, Op, Rulebook};
use crate::engine::written::Written;

/// All moves that can be written in a game: the entries of `moves` in order, amounts ascending, each move
/// once.
///
/// Indices are the same in every position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    choices: Vec<Choice>,
    /// Indexed by choice: the move's index plus one, or 0 if it has none.
    places: Vec<u16>,
}

impl Alphabet {
    /// The moves, in order.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The index of a move; `None` if it can never be legal.
    #[inline]
    pub fn place(&self, choice: Choice) -> Option<usize> {
        usize::from(*self.places.get(choice.index())?).checked_sub(1)
    }
}

impl Rulebook {
    /// The numbered list of all moves in this game.
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

    /// The lowest and highest numbers where an entry could be used.
    fn numbers_for(&self, entry: &Entry) -> (i64, i64) {
        let ((low, high), (from, to)) = (self.numbers_on_turn(), entry.ends_of_when());
        (low.max(from), high.min(to))
    }
}

/// Whether some number in the range offers this amount.
fn comes_up(computed: Computed, amount: i64, (low, high): (i64, i64)) -> bool {
    let low = low.max(1);
    let offers = |number: i64| (low..=high).contains(&number) && computed.offers(number, amount);
    let multiple = (low + amount - 1) / amount * amount;
    // Tests the smallest number that could offer it or, for `half`, the largest number in the range.
    match computed.source() {
        Source::Divisor => offers(multiple.max(2 * amount)),
        Source::Prime => offers(multiple),
        // One of any ten consecutive numbers ends in the digit.
        Source::Digit => (low..=high.min(low.saturating_add(9))).any(offers),
        Source::Half => offers(high),
    }
}
