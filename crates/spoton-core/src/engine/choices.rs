//! Sets of choices, such as the legal ones of a position.
//!
//! ```
//! use spoton::engine::position::Player;
//! use spoton::format::catalog;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let legal = maze.legal(&maze.opening(Player::One));
//! assert_eq!((legal.len(), legal.iter().count()), (2, 2));
//! assert!(legal.get(1).is_some_and(|choice| legal.contains(choice)));
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use std::fmt;

use crate::engine::position::{Choice, MOST_MOVES, Position};
use crate::engine::rulebook::{Op, Rulebook};
use crate::engine::written::{On, Written};

/// The maximum number of moves that can be legal in one position.
pub(crate) const MOST_CHOICES: usize = 64;

/// A small set of choices of one position. Iterates in the rule book's order.
#[derive(Clone, Copy)]
pub struct Choices<'a> {
    /// One bit per menu slot.
    bits: u64,
    /// The move in each slot; `None` if slots are choice numbers, because each entry of the rule book has
    /// exactly one fixed move.
    menu: Option<Menu<'a>>,
}

impl<'a> Choices<'a> {
    /// The first `count` fixed moves of a rule book.
    #[inline]
    pub(crate) fn first(count: usize) -> Choices<'a> {
        Choices { bits: (1_u64 << count) - 1, menu: None }
    }

    /// Restores a set from its [`Choices::bits`] and menu.
    #[inline]
    pub(crate) fn from_bits(bits: u64, menu: Option<Menu<'a>>) -> Choices<'a> {
        Choices { bits, menu }
    }

    /// The set as one bit per menu slot.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.bits
    }

    /// All choices of a menu.
    pub(crate) fn of_menu(menu: Menu<'a>) -> Choices<'a> {
        let count = MenuIter::new(menu).take(MOST_CHOICES).count() as u32;
        Choices { bits: u64::MAX.checked_shr(u64::BITS - count).unwrap_or_default(), menu: Some(menu) }
    }

    /// The number of choices.
    #[inline]
    pub fn len(self) -> usize {
        // Fast path: usually there is no gap.
        let has_no_gap = self.bits & self.bits.wrapping_add(1) == 0;
        (if has_no_gap { self.bits.trailing_ones() } else { self.bits.count_ones() }) as usize
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Whether the set has this choice.
    #[inline]
    pub fn contains(self, choice: Choice) -> bool {
        match self.menu {
            None => self.bits.checked_shr(choice.index() as u32).is_some_and(|bits| bits & 1 == 1),
            Some(_) => self.iter().any(|known| known == choice),
        }
    }

    /// The choice at an index, counted from 0 in the rule book's order; `None` if the index isn't below
    /// [`Choices::len`].
    #[inline]
    pub fn get(self, index: usize) -> Option<Choice> {
        // Without a gap before it, the index is the choice's number.
        if self.menu.is_none() && index < self.bits.trailing_ones() as usize {
            return Some(Choice::from_index(index));
        }
        self.after_a_gap(index)
    }

    fn after_a_gap(self, index: usize) -> Option<Choice> {
        if self.menu.is_some() {
            return self.iter().nth(index);
        }
        let mut bits = self.bits;
        for _ in 0..index.min(MOST_MOVES) {
            bits &= bits.wrapping_sub(1);
        }
        (bits != 0).then(|| Choice::from_index(bits.trailing_zeros() as usize))
    }

    /// The choices that satisfy `fits`.
    #[must_use]
    pub fn only(self, mut fits: impl FnMut(Choice) -> bool) -> Choices<'a> {
        let mut kept = Choices { bits: 0, ..self };
        let mut iter = self.iter();
        while let Some((place, choice)) = iter.next_with_place() {
            kept.bits |= u64::from(fits(choice)) << place;
        }
        kept
    }

    /// Iterates in the rule book's order.
    #[inline]
    pub fn iter(self) -> ChoicesIter<'a> {
        ChoicesIter { bits: self.bits, next_place: 0, menu: self.menu.map(MenuIter::new) }
    }
}

impl PartialEq for Choices<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Choices<'_> {}

impl fmt::Debug for Choices<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for Choices<'a> {
    type Item = Choice;
    type IntoIter = ChoicesIter<'a>;

    #[inline]
    fn into_iter(self) -> ChoicesIter<'a> {
        self.iter()
    }
}

/// An iterator over a set of choices.
#[derive(Clone, Debug)]
pub struct ChoicesIter<'a> {
    /// The remaining bits.
    bits: u64,
    /// The next place in the menu.
    next_place: u32,
    menu: Option<MenuIter<'a>>,
}

impl ChoicesIter<'_> {
    #[inline]
    fn next_with_place(&mut self) -> Option<(u32, Choice)> {
        if self.bits == 0 {
            return None;
        }
        let place = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        let choice = match &mut self.menu {
            None => Choice::from_index(place as usize),
            Some(menu) => {
                let choice = menu.nth((place - self.next_place) as usize)?;
                self.next_place = place + 1;
                choice
            }
        };
        Some((place, choice))
    }
}

impl Iterator for ChoicesIter<'_> {
    type Item = Choice;

    #[inline]
    fn next(&mut self) -> Option<Choice> {
        self.next_with_place().map(|(_, choice)| choice)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.bits.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for ChoicesIter<'_> {}

/// The moves offered at two numbers: each move whose amount and `when` fit, listed once, in the order of
/// `moves` with amounts ascending. Not needed if each entry has exactly one fixed move.
#[derive(Clone, Copy)]
pub(crate) struct Menu<'a> {
    rulebook: &'a Rulebook,
    /// The numbers as the player to move sees them.
    own: i64,
    other: i64,
}

impl<'a> Menu<'a> {
    #[inline]
    pub(crate) fn at(rulebook: &'a Rulebook, position: &Position) -> Menu<'a> {
        let turn = position.turn();
        Menu { rulebook, own: position.number_of(turn), other: position.number_of(!turn) }
    }

    pub(crate) fn number(self, on: On) -> i64 {
        match on {
            On::Own => self.own,
            On::Other => self.other,
        }
    }
}

/// An iterator over a menu.
#[derive(Clone)]
pub(crate) struct MenuIter<'a> {
    menu: Menu<'a>,
    /// The index in `moves`.
    place: usize,
    /// The entry's last amount; 0 before the first.
    amount: i64,
}

impl<'a> MenuIter<'a> {
    pub(crate) fn new(menu: Menu<'a>) -> MenuIter<'a> {
        MenuIter { menu, place: 0, amount: 0 }
    }
}

impl Iterator for MenuIter<'_> {
    type Item = Choice;

    fn next(&mut self) -> Option<Choice> {
        let Menu { rulebook, .. } = self.menu;
        loop {
            let entry = rulebook.moves().get(self.place)?;
            let number = self.menu.number(entry.on);
            let operation = match entry.op {
                _ if !entry.may_be_used_at(number) => None,
                Op::Fixed(operation) => Some(operation).filter(|_| self.amount == 0),
                Op::Computed(computed) => {
                    computed.next_amount(number, self.amount).and_then(|amount| computed.with(amount))
                }
            };
            let Some(operation) = operation else {
                (self.place, self.amount) = (self.place + 1, 0);
                continue;
            };
            self.amount = operation.amount();
            let written = Written { operation, on: entry.on };
            // An earlier entry already offered it.
            let earlier = &rulebook.moves()[..self.place];
            if !earlier.iter().any(|entry| entry.offers(written, number)) {
                return rulebook.choice(written);
            }
        }
    }
}

impl fmt::Debug for MenuIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::position::Player;
    use crate::format::Draft;

    fn choices(indices: &[usize]) -> Choices<'static> {
        Choices::first(16).only(|choice| indices.contains(&choice.index()))
    }

    #[test]
    fn all_views_of_a_set_agree() {
        for indices in [&[][..], &[0], &[1], &[15], &[0, 1, 2], &[0, 2, 3], &[3, 8, 15]] {
            let set = choices(indices);
            assert_eq!(set.iter().map(Choice::index).collect::<Vec<_>>(), indices);
            assert_eq!(
                (set.len(), set.iter().len(), set.is_empty()),
                (indices.len(), indices.len(), indices.is_empty())
            );
            for index in 0..20 {
                let choice = Choice::from_index(index);
                assert_eq!(set.contains(choice), indices.contains(&index), "{indices:?} {index}");
                assert_eq!(set.get(index), indices.get(index).map(|index| Choice::from_index(*index)));
            }
            assert_eq!(set.only(|_| true), set);
            assert!(set.only(|_| false).is_empty());
        }
        assert_eq!(Choices::first(16).len(), 16);
        assert!(!Choices::first(16).contains(Choice::from_index(usize::from(u16::MAX) - 1)));
    }

    #[test]
    fn a_menu_of_sixty_four_moves_is_whole() {
        let text = "title = 'T'\nstart = 7560\ntarget = 0\nmoves = ['-divisor', '-7560']";
        let book = Draft::read("book", text).build().unwrap();
        let all = book.legal(&book.opening(Player::One));
        assert_eq!((all.len(), all.iter().count()), (64, 64));
        let written: Vec<i64> =
            all.iter().filter_map(|choice| Some(book.operation(choice)?.amount())).collect();
        assert!(written.is_sorted() && written[..6] == [1, 2, 3, 4, 5, 6]);
        for (index, choice) in all.iter().enumerate() {
            assert_eq!(all.get(index), Some(choice));
            assert!(all.contains(choice));
            assert!(!all.only(|other| other != choice).contains(choice));
        }
        assert_eq!(all.get(64), None);
        assert_eq!(all.only(|choice| Some(choice) == all.get(63)).len(), 1);
    }
}
