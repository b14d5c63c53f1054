//! Where a round stands: a small value that holds what decides the future, and nothing else.
//!
//! ```
//! use spoton::engine::position::{ByPlayer, Player};
//! use spoton::format::catalog;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let opening = maze.opening(Player::Two);
//! assert_eq!((opening.turn(), opening.number()), (Player::Two, 1));
//! assert_eq!(maze.legal(&opening).len(), 2);
//!
//! let names = ByPlayer(["Ann", "Ben"]);
//! assert_eq!(names[!opening.turn()], "Ann"); // who is not on turn
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use std::fmt;
use std::num::NonZeroU16;
use std::ops::{Index, IndexMut, Not};

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Player 1
    One,
    /// Player 2
    Two,
}

impl Player {
    /// Both players in order.
    pub const BOTH: [Player; 2] = [Player::One, Player::Two];

    /// 1 or 2.
    pub fn number(self) -> u8 {
        match self {
            Player::One => 1,
            Player::Two => 2,
        }
    }

    /// The player with that number.
    pub fn from_number(number: u8) -> Option<Player> {
        Player::BOTH.into_iter().find(|p| p.number() == number)
    }
}

impl Not for Player {
    type Output = Player;

    /// The other player.
    #[inline]
    fn not(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Player {}", self.number())
    }
}

/// Something that each player has one of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByPlayer<T>(
    /// Player 1's, then Player 2's.
    pub [T; 2],
);

impl<T> ByPlayer<T> {
    /// Made for each player in turn.
    pub fn from_fn(mut make: impl FnMut(Player) -> T) -> ByPlayer<T> {
        ByPlayer([make(Player::One), make(Player::Two)])
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;

    #[inline]
    fn index(&self, player: Player) -> &T {
        // Unlike an index that is computed, this lets the compiler keep a position in registers.
        let [one, two] = &self.0;
        match player {
            Player::One => one,
            Player::Two => two,
        }
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        let [one, two] = &mut self.0;
        match player {
            Player::One => one,
            Player::Two => two,
        }
    }
}

/// A move as it is written, `+1` or `x2`, of one rule book.
///
/// Moves are told apart by how they are written, not by their result: from 1, `+1` and `x2` both give 2 and still have
/// different futures where repeats or uses count. A choice has a meaning only to the rule book that it comes from, which
/// tells it: [`Rulebook::operation`](crate::format::Rulebook::operation),
/// [`Rulebook::label`](crate::format::Rulebook::label). To another rule book it is a move of its own or, if that has
/// fewer moves, none of its moves; nothing panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice(NonZeroU16);

impl Choice {
    /// The written move with this number among those of a rule book; they are numbered from 0, without gaps.
    #[inline]
    pub(crate) fn from_dense_index(index: usize) -> Choice {
        Choice(NonZeroU16::MIN.saturating_add(index as u16))
    }

    /// Its number among the written moves of its rule book, for tables. This is no place in `moves`.
    #[inline]
    pub(crate) fn dense_index(self) -> usize {
        usize::from(self.0.get() - 1)
    }

    /// A small number that is never 0, the same in every run: for mixing into a hash.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        u64::from(self.0.get())
    }
}

/// A set of choices: the legal ones of a position, say. It is a small value, and comes in the rule book's order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices(u16);

impl Choices {
    /// The first written moves of a rule book, so many of them.
    pub(crate) fn first(count: usize) -> Choices {
        Choices(((1_u32 << count) - 1) as u16)
    }

    /// How many there are.
    #[inline]
    pub fn len(self) -> usize {
        let before_a_gap = self.0.trailing_ones();
        let all = if u32::from(self.0) >> before_a_gap == 0 { before_a_gap } else { self.0.count_ones() };
        all as usize
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this choice is among them.
    #[inline]
    pub fn contains(self, choice: Choice) -> bool {
        u64::from(self.0).checked_shr(choice.dense_index() as u32).is_some_and(|bits| bits & 1 == 1)
    }

    /// The choice at an index, counted from 0 in the rule book's order; `None` if the index is not below
    /// [`Choices::len`].
    #[inline]
    pub fn get(self, index: usize) -> Option<Choice> {
        // As long as none before it is missing, the choice has the number that the index is.
        if index < self.0.trailing_ones() as usize {
            return Some(Choice::from_dense_index(index));
        }
        let mut bits = self.0;
        for _ in 0..index.min(MOST_MOVES) {
            bits &= bits.wrapping_sub(1);
        }
        (bits != 0).then(|| Choice::from_dense_index(bits.trailing_zeros() as usize))
    }

    /// Those of them that fit.
    #[must_use]
    pub fn only(self, mut fits: impl FnMut(Choice) -> bool) -> Choices {
        let mut kept = Choices::default();
        for choice in self {
            kept.0 |= u16::from(fits(choice)) << choice.dense_index();
        }
        kept
    }

    /// Each of them, in the rule book's order.
    #[inline]
    pub fn iter(self) -> ChoicesIter {
        ChoicesIter(self)
    }
}

impl IntoIterator for Choices {
    type Item = Choice;
    type IntoIter = ChoicesIter;

    #[inline]
    fn into_iter(self) -> ChoicesIter {
        self.iter()
    }
}

/// Goes through a set of choices.
#[derive(Clone, Debug)]
pub struct ChoicesIter(Choices);

impl Iterator for ChoicesIter {
    type Item = Choice;

    #[inline]
    fn next(&mut self) -> Option<Choice> {
        let bits = self.0.0;
        if bits == 0 {
            return None;
        }
        self.0 = Choices(bits & (bits - 1));
        Some(Choice::from_dense_index(bits.trailing_zeros() as usize))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for ChoicesIter {}

/// The most entries that a rule book's `moves` may have.
pub const MOST_MOVES: usize = 16;

/// An entry of a rule book's `moves`, by its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryIndex(u8);

impl EntryIndex {
    #[inline]
    pub(crate) fn new(place: usize) -> EntryIndex {
        EntryIndex(place as u8)
    }

    /// The place, from 0.
    #[inline]
    pub fn place(self) -> usize {
        usize::from(self.0)
    }
}

/// The number or numbers, whose turn it is, and as much memory as the rule book looks at.
///
/// # Equality
///
/// Two equal positions of one rule book have the same future. What cannot matter is not kept: the last
/// operations only where `no_repeat` looks at them, uses and passes only where they are limited.
///
/// A position belongs to the rule book that it comes from. Another one takes it for what it would mean there, and may
/// refuse every move; nothing panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// A shared number stands in both places, and a shared pool of uses likewise, so that reading
    /// them is the same for every rule book.
    pub(crate) numbers: ByPlayer<i64>,
    /// By the place of an entry in `moves`.
    pub(crate) uses: ByPlayer<[u8; MOST_MOVES]>,
    pub(crate) last: ByPlayer<Option<Choice>>,
    pub(crate) passes: ByPlayer<u8>,
    pub(crate) turn: Player,
}

impl Position {
    /// Who is on turn.
    #[inline]
    pub fn turn(&self) -> Player {
        self.turn
    }

    /// The number that the player on turn changes.
    #[inline]
    pub fn number(&self) -> i64 {
        self.numbers[self.turn]
    }

    /// A player's number; the shared one where there is one.
    #[inline]
    pub fn number_of(&self, player: Player) -> i64 {
        self.numbers[player]
    }

    /// The move that a player chose last; `None` if there is none, or the rule book does not look at it.
    pub fn last_of(&self, player: Player) -> Option<Choice> {
        self.last[player]
    }

    /// How often a player has used an entry of `moves` whose uses are limited (both players together if the pool is
    /// shared); 0 if they are not limited.
    pub fn uses_of(&self, player: Player, entry: EntryIndex) -> u8 {
        self.uses[player].get(entry.place()).copied().unwrap_or_default()
    }

    /// How many passes a player has made, if passes are limited; 0 if they are not.
    pub fn passes_of(&self, player: Player) -> u8 {
        self.passes[player]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(indices: &[usize]) -> Choices {
        Choices::first(16).only(|choice| indices.contains(&choice.dense_index()))
    }

    #[test]
    fn a_position_stays_small() {
        assert!(size_of::<Position>() <= 64, "{}", size_of::<Position>());
        assert_eq!(size_of::<Option<Choice>>(), 2);
    }

    #[test]
    fn a_set_is_told_alike_in_every_way() {
        for indices in [&[][..], &[0], &[1], &[15], &[0, 1, 2], &[0, 2, 3], &[3, 8, 15]] {
            let set = choices(indices);
            assert_eq!(set.iter().map(Choice::dense_index).collect::<Vec<_>>(), indices);
            assert_eq!(
                (set.len(), set.iter().len(), set.is_empty()),
                (indices.len(), indices.len(), indices.is_empty())
            );
            for index in 0..20 {
                let choice = Choice::from_dense_index(index);
                assert_eq!(set.contains(choice), indices.contains(&index), "{indices:?} {index}");
                assert_eq!(set.get(index), indices.get(index).map(|index| Choice::from_dense_index(*index)));
            }
            assert_eq!(set.only(|_| true), set);
            assert!(set.only(|_| false).is_empty());
        }
        assert_eq!(Choices::first(16).len(), 16);
        assert!(!Choices::first(16).contains(Choice::from_dense_index(usize::from(u16::MAX) - 1)));
    }
}
