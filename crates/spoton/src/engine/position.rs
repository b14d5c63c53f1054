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

    /// The same, each changed.
    #[inline]
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> ByPlayer<U> {
        ByPlayer(self.0.map(change))
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

/// A move as it is written, `+1` or `x2`, of one rule book: a sign, an amount, and whose number it changes.
///
/// Moves are told apart by how they are written, not by their result: from 1, `+1` and `x2` both give 2 and still have
/// different futures where repeats or uses count. A choice has a meaning only to the rule book that it comes from, which
/// tells it: [`Rulebook::operation`](crate::format::Rulebook::operation),
/// [`Rulebook::label`](crate::format::Rulebook::label). To another rule book it is a move of its own or, if that has
/// no such move, none of its moves; nothing panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice(NonZeroU16);

impl Choice {
    /// The written move with this number: the fixed operations of a rule book come first, without gaps.
    #[inline]
    pub(crate) fn from_index(index: usize) -> Choice {
        Choice(NonZeroU16::MIN.saturating_add(index as u16))
    }

    /// Its number among the moves that can be written. This is no place in `moves`.
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0.get() - 1)
    }

    /// A small number that is never 0, the same in every run: for mixing into a hash.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        u64::from(self.0.get())
    }
}

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
/// operations only where `no_repeat` looks at them, uses, passes and turns only where they are limited.
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
    pub(crate) clock: Clock,
}

/// Whose turn it is and, where the rule book limits the turns, how many have been taken: in two bytes, so that a
/// position stays small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Clock(u16);

impl Clock {
    /// A player's turn after so many turns of both together.
    #[inline]
    pub(crate) fn new(turn: Player, plies: u16) -> Clock {
        Clock((plies << 1) | u16::from(turn == Player::Two))
    }

    #[inline]
    pub(crate) fn turn(self) -> Player {
        if self.0 & 1 == 0 { Player::One } else { Player::Two }
    }

    /// How many turns have been taken; 0 if they are not counted.
    #[inline]
    pub(crate) fn plies(self) -> u16 {
        self.0 >> 1
    }

    /// Both in a number, for mixing into a hash.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.0.into()
    }

    /// The other player's turn, if turns are not counted.
    #[inline]
    pub(crate) fn over(self) -> Clock {
        Clock(self.0 ^ 1)
    }

    /// The other player's turn, one more turn taken.
    pub(crate) fn counted(self) -> Clock {
        Clock::new(!self.turn(), self.plies().saturating_add(1) & (u16::MAX >> 1))
    }
}

impl Position {
    /// Who is on turn.
    #[inline]
    pub fn turn(&self) -> Player {
        self.clock.turn()
    }

    /// The number of the player on turn; the shared one where there is one.
    #[inline]
    pub fn number(&self) -> i64 {
        self.numbers[self.turn()]
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

    /// How many turns have been taken, skipped ones among them, if the rule book limits them; 0 if it does not.
    pub fn plies(&self) -> u16 {
        self.clock.plies()
    }

    /// How many passes a player has made, if passes are limited; 0 if they are not.
    pub fn passes_of(&self, player: Player) -> u8 {
        self.passes[player]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_stays_small() {
        assert!(size_of::<Position>() <= 56, "{}", size_of::<Position>());
        assert_eq!(size_of::<Option<Choice>>(), 2);
    }

    #[test]
    fn a_clock_tells_whose_turn_it_is_and_how_many_turns_were_taken() {
        for first in Player::BOTH {
            let mut counted = Clock::new(first, 0);
            let mut plain = Clock::new(first, 0);
            let mut turn = first;
            for plies in 0..=509 {
                assert_eq!((counted.turn(), counted.plies()), (turn, plies));
                assert_eq!((plain.turn(), plain.plies()), (turn, 0));
                assert_eq!(counted, Clock::new(turn, plies));
                (counted, plain, turn) = (counted.counted(), plain.over(), !turn);
            }
        }
    }
}
