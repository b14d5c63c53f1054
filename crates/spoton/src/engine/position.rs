//! Where a round stands: a small value that holds what decides the future, and nothing else.

use std::fmt;
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

/// An operation by its place in the rule book's `moves`.
///
/// Operations are told apart by their place, not by their result: from 1, `+1` and `x2` both give 2 and
/// still have different futures where repeats or uses count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice(pub(crate) u8);

impl Choice {
    /// The place, from 0.
    #[inline]
    pub fn place(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of choices: the legal ones of a position, say. Iterates in the rule book's order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices(u16);

impl Choices {
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
        self.0 & (1 << choice.0) != 0
    }

    /// The choice at an index below [`Choices::len`], counted in the rule book's order.
    #[inline]
    pub fn get(self, index: usize) -> Option<Choice> {
        // As long as none before it is missing, an index is a place.
        if index < self.0.trailing_ones() as usize {
            return Some(Choice(index as u8));
        }
        let mut bits = self.0;
        for _ in 0..index {
            bits &= bits.wrapping_sub(1);
        }
        (bits != 0).then(|| Choice(bits.trailing_zeros() as u8))
    }

    #[inline]
    pub(crate) fn insert_if(&mut self, choice: Choice, condition: bool) {
        self.0 |= u16::from(condition) << choice.0;
    }
}

impl FromIterator<Choice> for Choices {
    fn from_iter<I: IntoIterator<Item = Choice>>(choices: I) -> Choices {
        let mut set = Choices::default();
        for choice in choices {
            set.insert_if(choice, true);
        }
        set
    }
}

impl Iterator for Choices {
    type Item = Choice;

    #[inline]
    fn next(&mut self) -> Option<Choice> {
        let first = self.get(0)?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

/// The most operations that a rule book may offer.
pub const MOST_MOVES: usize = 16;

/// The number or numbers, whose turn it is, and as much memory as the rule book looks at.
///
/// # Equality
///
/// Two equal positions of one rule book have the same future. What cannot matter is not kept: the last
/// operations only where `no_repeat` looks at them, uses and passes only where they are limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// A shared number stands in both places, and a shared pool of uses likewise, so that reading
    /// them is the same for every rule book.
    pub(crate) numbers: ByPlayer<i64>,
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

    /// The operation that a player chose last, where the rule book looks at it.
    pub fn last_of(&self, player: Player) -> Option<Choice> {
        self.last[player]
    }

    /// How often a player has used an operation whose uses are limited (both players together where
    /// the pool is shared); 0 where they are not.
    pub fn uses_of(&self, player: Player, choice: Choice) -> u8 {
        self.uses[player][choice.place()]
    }

    /// How many passes a player has made, where passes are limited; 0 where they are not.
    pub fn passes_of(&self, player: Player) -> u8 {
        self.passes[player]
    }
}
