//! Dense numbering of positions: an index for every combination of their parts, reachable or not. So tables
//! store no positions, and transitions are arithmetic.
//!
//! The index of the numbers comes first, then that of the rest (the memory state): last moves, uses, passes,
//! turns. Positions are as the player to move sees them.

use super::as_seen;
use super::sweep::{Memories, ends, goes_up};
use crate::engine::operation::Kind as Sign;
use crate::engine::position::{ByPlayer, Clock, MOST_MOVES, Player, Position};
use crate::format::{NoRepeat, Numbers, Op, Pool, Rulebook};

pub(super) struct Grid {
    pub(super) lowest: i64,
    pub(super) highest: i64,
    /// Whether ranks go up from the lowest number. In a one-way game, every move leads to a higher rank.
    up: bool,
    /// Whether each player has a number.
    pub(super) pairs: bool,
    memories: Memories,
    /// The uses and passes of each player.
    own: Digits,
    /// The shared uses.
    shared: Digits,
    /// The number of turn counts; 1 if turns aren't counted.
    plies: u16,
    /// The number of memory states: combinations of everything but the numbers.
    pub(super) memory_states: u128,
}

/// A mixed-radix number, with a digit for each thing that can be used up, from 0 to its limit.
struct Digits {
    each: Vec<Digit>,
    /// The number of combinations.
    count: u128,
}

struct Digit {
    what: Spent,
    limit: u8,
}

#[derive(Clone, Copy)]
enum Spent {
    /// The uses of the entry at this index of `moves`.
    Uses(usize),
    Passes,
}

impl Digits {
    fn none() -> Digits {
        Digits { each: Vec::new(), count: 1 }
    }

    fn push(&mut self, what: Spent, limit: u8) {
        self.each.push(Digit { what, limit });
        self.count = self.count.saturating_mul(u128::from(limit) + 1);
    }

    /// Encodes a player's spent uses and passes; `None` if they are out of bounds.
    fn encode(&self, position: &Position, player: Player) -> Option<usize> {
        self.each.iter().try_fold(0, |number, digit| {
            let spent = match digit.what {
                Spent::Uses(place) => position.uses[player][place],
                Spent::Passes => position.passes[player],
            };
            (spent <= digit.limit).then(|| number * (usize::from(digit.limit) + 1) + usize::from(spent))
        })
    }

    /// Decodes a number into players' spent uses and passes.
    fn put(&self, mut number: usize, position: &mut Position, players: &[Player]) {
        for digit in self.each.iter().rev() {
            let radix = usize::from(digit.limit) + 1;
            let spent = (number % radix) as u8;
            number /= radix;
            for player in players {
                match digit.what {
                    Spent::Uses(place) => position.uses[*player][place] = spent,
                    Spent::Passes => position.passes[*player] = spent,
                }
            }
        }
    }
}

impl Grid {
    /// The numbering of a book; `None` if it remembers computed moves, which are too many.
    pub(super) fn for_rulebook(rulebook: &Rulebook) -> Option<Grid> {
        if rulebook.no_repeat() != NoRepeat::None && !rulebook.has_only_fixed_moves() {
            return None;
        }
        let one_way = rulebook.goes_one_way();
        let (lowest, highest) = if one_way { ends(rulebook) } else { rulebook.numbers_on_turn() };
        let (mut own, mut shared) = (Digits::none(), Digits::none());
        for (place, entry) in rulebook.moves().iter().enumerate() {
            if let Some(uses) = entry.uses {
                let digits = if uses.pool == Pool::Own { &mut own } else { &mut shared };
                digits.push(Spent::Uses(place), uses.limit);
            }
        }
        if let Some(limit) = rulebook.passes()
            && may_stay(rulebook, lowest, highest)
        {
            own.push(Spent::Passes, limit);
        }
        let memories = Memories::reachable(rulebook);
        let plies = rulebook.turns().map_or(1, |turns| 2 * u16::from(turns));
        let spent = own.count.saturating_mul(own.count).saturating_mul(shared.count);
        let memory_states = spent.saturating_mul(memories.known.len() as u128).saturating_mul(plies.into());
        Some(Grid {
            lowest,
            highest,
            up: !one_way || goes_up(rulebook),
            pairs: rulebook.numbers() == Numbers::Separate,
            memories,
            own,
            shared,
            plies,
            memory_states,
        })
    }

    /// The count of numbers.
    pub(super) fn numbers(&self) -> u64 {
        self.highest.abs_diff(self.lowest) + 1
    }

    /// The count of indices.
    pub(super) fn places(&self) -> u128 {
        let numbers = u128::from(self.numbers());
        let numbers = if self.pairs { numbers.saturating_mul(numbers) } else { numbers };
        numbers.saturating_mul(self.memory_states)
    }

    /// Whether anything can be used up.
    pub(super) fn is_limited(&self) -> bool {
        self.plies > 1 || !self.own.each.is_empty() || !self.shared.each.is_empty()
    }

    /// A number's rank, if it has one.
    #[inline]
    pub(super) fn rank(&self, number: i64) -> Option<usize> {
        // Below the lowest this wraps to more than the count.
        let (above, last) = (number.wrapping_sub(self.lowest) as u64, self.numbers() - 1);
        (above <= last).then_some(if self.up { above } else { last.wrapping_sub(above) } as usize)
    }

    /// The number of a rank.
    pub(super) fn number(&self, rank: usize) -> i64 {
        if self.up { self.lowest + rank as i64 } else { self.highest - rank as i64 }
    }

    /// The index of a position; `None` if it has none, for example one of another rule book.
    pub(super) fn place(&self, position: &Position) -> Option<usize> {
        let seen = as_seen(position);
        let own = self.rank(seen.numbers[Player::One])?;
        let numbers = match self.pairs {
            true => own * self.numbers() as usize + self.rank(seen.numbers[Player::Two])?,
            false => own,
        };
        Some(numbers * self.memory_states as usize + self.memory_state(&seen)?)
    }

    /// The position at an index.
    pub(super) fn position(&self, place: usize) -> Position {
        let memory_states = self.memory_states as usize;
        let mut position = self.memory_at(place % memory_states);
        let numbers = self.numbers() as usize;
        let (own, other) = match place / memory_states {
            ranks if self.pairs => (ranks / numbers, ranks % numbers),
            rank => (rank, rank),
        };
        position.numbers = ByPlayer([self.number(own), self.number(other)]);
        position
    }

    /// The index of everything but the numbers, with Player 1 to move.
    pub(super) fn memory_state(&self, seen: &Position) -> Option<usize> {
        if seen.plies() >= self.plies {
            return None;
        }
        let (own, other) = (self.own.encode(seen, Player::One)?, self.own.encode(seen, Player::Two)?);
        let memory = self.memories.place((seen.last[Player::One], seen.last[Player::Two]))?;
        let place =
            usize::from(seen.plies()) * self.shared.count as usize + self.shared.encode(seen, Player::One)?;
        let place = (place * self.own.count as usize + own) * self.own.count as usize + other;
        Some(place * self.memories.known.len() + memory)
    }

    /// The inverse of [`Grid::memory_state`]: a position without numbers.
    pub(super) fn memory_at(&self, memory_state: usize) -> Position {
        let mut rest = memory_state;
        let mut next = |count: usize| {
            let part = rest % count;
            rest /= count;
            part
        };
        let (mine, theirs) = self.memories.known[next(self.memories.known.len())];
        let own = self.own.count as usize;
        let (other, own, shared) = (next(own), next(own), next(self.shared.count as usize));
        let mut position = Position {
            numbers: ByPlayer::default(),
            uses: ByPlayer([[0; MOST_MOVES]; 2]),
            last: ByPlayer([mine, theirs]),
            passes: ByPlayer::default(),
            clock: Clock::new(Player::One, rest as u16),
        };
        self.own.put(own, &mut position, &[Player::One]);
        self.own.put(other, &mut position, &[Player::Two]);
        self.shared.put(shared, &mut position, &Player::BOTH);
        position
    }
}

/// Whether some move could leave a number unchanged.
fn may_stay(rulebook: &Rulebook, lowest: i64, highest: i64) -> bool {
    rulebook.moves().iter().any(|entry| match entry.op {
        Op::Fixed(operation) if matches!(operation.kind(), Sign::Multiply | Sign::Divide) => {
            operation.amount() == 1 || (lowest..=highest).contains(&0)
        }
        _ => false,
    })
}
