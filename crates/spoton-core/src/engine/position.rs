//! A position: a small value with exactly the state that affects the future.
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
//! assert_eq!(names[!opening.turn()], "Ann"); // the opponent
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use std::fmt;
use std::num::NonZeroU16;
use std::ops::{Index, IndexMut, Not};

use serde::Serialize;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "u8")]
pub enum Player {
    /// Player 1
    One,
    /// Player 2
    Two,
}

impl Player {
    /// Both players, in order.
    pub const BOTH: [Player; 2] = [Player::One, Player::Two];

    /// 1 or 2.
    pub fn number(self) -> u8 {
        match self {
            Player::One => 1,
            Player::Two => 2,
        }
    }

    /// Parses 1 or 2.
    pub fn from_number(number: u8) -> Option<Player> {
        Player::BOTH.into_iter().find(|p| p.number() == number)
    }
}

impl Not for Player {
    type Output = Player;

    /// The opponent.
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

impl From<Player> for u8 {
    fn from(player: Player) -> u8 {
        player.number()
    }
}

/// One value per player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct ByPlayer<T>(
    /// Player 1's, then Player 2's.
    pub [T; 2],
);

impl<T> ByPlayer<T> {
    /// Makes a value for each player.
    pub fn from_fn(mut make: impl FnMut(Player) -> T) -> ByPlayer<T> {
        ByPlayer([make(Player::One), make(Player::Two)])
    }

    /// Maps each value.
    #[inline]
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> ByPlayer<U> {
        ByPlayer(self.0.map(change))
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;

    #[inline]
    fn index(&self, player: Player) -> &T {
        // Unlike computed indexing, this lets the compiler keep a position in registers.
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

/// A move of one rule book as written, such as `+1` or `x2`: a sign, an amount, and whose number it changes.
///
/// A move is identified by its notation, not its result. At 1, `+1` and `x2` both give 2, but have different futures
/// if repeats or uses count. A choice only has meaning in its rule book; see
/// [`Rulebook::operation`](crate::format::Rulebook::operation) and
/// [`Rulebook::label`](crate::format::Rulebook::label). In another rule book it means another move, or none.
/// Nothing panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice(NonZeroU16);

impl Choice {
    /// The move with this number. The fixed moves of a rule book come first, without gaps.
    #[inline]
    pub(crate) fn from_index(index: usize) -> Choice {
        Choice(NonZeroU16::MIN.saturating_add(index as u16))
    }

    /// Its index in the full list of moves that can be written, not in `moves`.
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0.get() - 1)
    }

    /// A small nonzero number, the same in every run, for hashing.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        u64::from(self.0.get())
    }
}

/// The limit on entries in `moves`.
pub const MOST_MOVES: usize = 16;

/// An index into a rule book's `moves`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryIndex(u8);

impl EntryIndex {
    #[inline]
    pub(crate) fn new(place: usize) -> EntryIndex {
        EntryIndex(place as u8)
    }

    /// The index, from 0.
    #[inline]
    pub fn place(self) -> usize {
        usize::from(self.0)
    }
}

/// The numbers, whose turn it is, and the memory that the rule book needs.
///
/// # Equality
///
/// Equal positions of a rule book have the same future. Irrelevant state is dropped: last moves are stored
/// only if `no_repeat` checks them, and uses, passes and turns only if they are limited.
///
/// A position belongs to its rule book. Another rule book applies its own rules to it, so every move may be
/// illegal. Nothing panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// A shared number is stored for both players, and so is a shared pool of uses. Reading therefore works
    /// the same way for every rule book.
    pub(crate) numbers: ByPlayer<i64>,
    /// Indexed by entry of `moves`.
    pub(crate) uses: ByPlayer<[u8; MOST_MOVES]>,
    pub(crate) last: ByPlayer<Option<Choice>>,
    pub(crate) passes: ByPlayer<u8>,
    pub(crate) clock: Clock,
}

/// The player to move, and the number of turns taken if the rule book limits them. Two bytes keep a position
/// small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Clock(u16);

impl Clock {
    /// A player's turn after this many turns of both players.
    #[inline]
    pub(crate) fn new(turn: Player, plies: u16) -> Clock {
        Clock((plies << 1) | u16::from(turn == Player::Two))
    }

    #[inline]
    pub(crate) fn turn(self) -> Player {
        if self.0 & 1 == 0 { Player::One } else { Player::Two }
    }

    /// The number of turns taken; 0 if not counted.
    #[inline]
    pub(crate) fn plies(self) -> u16 {
        self.0 >> 1
    }

    /// Both parts as an integer, for hashing.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.0.into()
    }

    /// The opponent's turn, without counting.
    #[inline]
    pub(crate) fn over(self) -> Clock {
        Clock(self.0 ^ 1)
    }

    /// The opponent's turn, with one more turn counted.
    pub(crate) fn counted(self) -> Clock {
        Clock::new(!self.turn(), self.plies().saturating_add(1) & (u16::MAX >> 1))
    }
}

impl Position {
    /// The player to move.
    #[inline]
    pub fn turn(&self) -> Player {
        self.clock.turn()
    }

    /// The number of the player to move, or the shared one.
    #[inline]
    pub fn number(&self) -> i64 {
        self.numbers[self.turn()]
    }

    /// A player's number, or the shared one.
    #[inline]
    pub fn number_of(&self, player: Player) -> i64 {
        self.numbers[player]
    }

    /// Both numbers. A shared number appears twice.
    #[inline]
    pub fn numbers(&self) -> ByPlayer<i64> {
        self.numbers
    }

    /// A player's last move; `None` if there is none or the rule book ignores it.
    pub fn last_of(&self, player: Player) -> Option<Choice> {
        self.last[player]
    }

    /// How often a player has used a limited entry (both players, if the pool is shared); 0 if it isn't
    /// limited.
    pub fn uses_of(&self, player: Player, entry: EntryIndex) -> u8 {
        self.uses[player].get(entry.place()).copied().unwrap_or_default()
    }

    /// The number of turns taken, including skipped ones, if the rule book limits them; otherwise 0.
    pub fn plies(&self) -> u16 {
        self.clock.plies()
    }

    /// The number of a player's passes, if passes are limited; otherwise 0.
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
    fn a_clock_has_the_turn_and_the_number_of_turns() {
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
