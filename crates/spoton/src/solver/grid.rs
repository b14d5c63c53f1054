//! Positions numbered without gaps: a place for every combination of what tells them apart, whether or not play comes
//! there. Then a table needs no positions in it, and where a move leads is a matter of arithmetic.
//!
//! A place is that of the numbers, and within it that of everything else: last moves, uses, passes, turns. A position
//! stands there as the player on turn sees it.

use super::as_seen;
use super::sweep::{Memories, ends, goes_up};
use crate::engine::operation::Kind as Sign;
use crate::engine::position::{ByPlayer, Clock, MOST_MOVES, Player, Position};
use crate::format::{NoRepeat, Numbers, Op, Pool, Rulebook};

pub(super) struct Grid {
    pub(super) lowest: i64,
    pub(super) highest: i64,
    /// Whether numbers are ranked from the lowest up. In a game that goes one way, every move leads to a higher rank.
    up: bool,
    /// Whether each player has a number.
    pub(super) pairs: bool,
    memories: Memories,
    /// What each player has spent by themselves.
    own: Digits,
    /// What both have spent together.
    shared: Digits,
    /// The turns that may have been taken; 1 if they are not counted.
    plies: u16,
    /// How many places everything but the numbers makes.
    pub(super) controls: u128,
}

/// What can be spent, each counted up to its limit: together they are one number.
struct Digits {
    each: Vec<Digit>,
    /// How many numbers they make.
    count: u128,
}

struct Digit {
    what: Spent,
    limit: u8,
}

#[derive(Clone, Copy)]
enum Spent {
    /// Uses of the entry at this place in `moves`.
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

    /// What a player has spent, as a number; `None` if it is more than can be.
    fn of(&self, position: &Position, player: Player) -> Option<usize> {
        self.each.iter().try_fold(0, |number, digit| {
            let spent = match digit.what {
                Spent::Uses(place) => position.uses[player][place],
                Spent::Passes => position.passes[player],
            };
            (spent <= digit.limit).then(|| number * (usize::from(digit.limit) + 1) + usize::from(spent))
        })
    }

    /// Writes such a number down as what players have spent.
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
    /// The places of a book; `None` if it remembers computed moves, which are too many.
    pub(super) fn of(rulebook: &Rulebook) -> Option<Grid> {
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
        let memories = Memories::of(rulebook);
        let plies = rulebook.turns().map_or(1, |turns| 2 * u16::from(turns));
        let spent = own.count.saturating_mul(own.count).saturating_mul(shared.count);
        let controls = spent.saturating_mul(memories.known.len() as u128).saturating_mul(plies.into());
        Some(Grid {
            lowest,
            highest,
            up: !one_way || goes_up(rulebook),
            pairs: rulebook.numbers() == Numbers::Separate,
            memories,
            own,
            shared,
            plies,
            controls,
        })
    }

    /// How many numbers there are.
    pub(super) fn numbers(&self) -> u64 {
        self.highest.abs_diff(self.lowest) + 1
    }

    /// How many places there are.
    pub(super) fn places(&self) -> u128 {
        let numbers = u128::from(self.numbers());
        let numbers = if self.pairs { numbers.saturating_mul(numbers) } else { numbers };
        numbers.saturating_mul(self.controls)
    }

    /// Whether anything can be used up.
    pub(super) fn is_limited(&self) -> bool {
        self.plies > 1 || !self.own.each.is_empty() || !self.shared.each.is_empty()
    }

    /// A number's rank; `None` if it has none.
    #[inline]
    pub(super) fn rank(&self, number: i64) -> Option<usize> {
        // Below the lowest this wraps round to more than there are numbers.
        let (above, last) = (number.wrapping_sub(self.lowest) as u64, self.numbers() - 1);
        (above <= last).then_some(if self.up { above } else { last.wrapping_sub(above) } as usize)
    }

    /// The number of a rank.
    pub(super) fn number(&self, rank: usize) -> i64 {
        if self.up { self.lowest + rank as i64 } else { self.highest - rank as i64 }
    }

    /// The place of a position; `None` if it has none, as one of another rule book may.
    pub(super) fn place(&self, position: &Position) -> Option<usize> {
        let seen = as_seen(position);
        let own = self.rank(seen.numbers[Player::One])?;
        let numbers = match self.pairs {
            true => own * self.numbers() as usize + self.rank(seen.numbers[Player::Two])?,
            false => own,
        };
        Some(numbers * self.controls as usize + self.control(&seen)?)
    }

    /// The position at a place.
    pub(super) fn position(&self, place: usize) -> Position {
        let controls = self.controls as usize;
        let mut position = self.memory_at(place % controls);
        let numbers = self.numbers() as usize;
        let (own, other) = match place / controls {
            ranks if self.pairs => (ranks / numbers, ranks % numbers),
            rank => (rank, rank),
        };
        position.numbers = ByPlayer([self.number(own), self.number(other)]);
        position
    }

    /// The place of everything but the numbers, with Player 1 on turn.
    pub(super) fn control(&self, seen: &Position) -> Option<usize> {
        if seen.plies() >= self.plies {
            return None;
        }
        let (own, other) = (self.own.of(seen, Player::One)?, self.own.of(seen, Player::Two)?);
        let memory = self.memories.place((seen.last[Player::One], seen.last[Player::Two]))?;
        let place =
            usize::from(seen.plies()) * self.shared.count as usize + self.shared.of(seen, Player::One)?;
        let place = (place * self.own.count as usize + own) * self.own.count as usize + other;
        Some(place * self.memories.known.len() + memory)
    }

    /// The same back: a position without numbers.
    pub(super) fn memory_at(&self, control: usize) -> Position {
        let mut rest = control;
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

/// Whether some move could leave a number as it is.
fn may_stay(rulebook: &Rulebook, lowest: i64, highest: i64) -> bool {
    rulebook.moves().iter().any(|entry| match entry.op {
        Op::Fixed(operation) if matches!(operation.kind(), Sign::Multiply | Sign::Divide) => {
            operation.amount() == 1 || (lowest..=highest).contains(&0)
        }
        _ => false,
    })
}
