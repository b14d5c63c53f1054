//! A hash table that interns positions by index and knows its size in bytes.

use std::convert::Infallible;

use crate::engine::position::{Choice, Player, Position};

/// Interned positions, numbered in insertion order.
pub struct Interner {
    positions: Vec<Position>,
    /// Open addressing with a power-of-two size. A used slot has the position's hash in its upper half, and
    /// its index plus one in the lower. This keeps needless comparisons rare, with none when the table
    /// grows.
    slots: Vec<u64>,
}

const FREE: u64 = 0;

impl Default for Interner {
    fn default() -> Interner {
        Interner { positions: Vec::new(), slots: vec![FREE; 16] }
    }
}

#[expect(clippy::len_without_is_empty, reason = "nobody asks")]
impl Interner {
    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        (self.positions.capacity() * size_of::<Position>() + self.slots.capacity() * size_of::<u64>()) as u64
    }

    /// The number of interned positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// The position with this number, which must exist.
    pub fn position(&self, index: usize) -> Position {
        self.positions[index]
    }

    /// The position with this number, if any.
    pub fn get(&self, index: usize) -> Option<Position> {
        self.positions.get(index).copied()
    }

    /// The number of a position, if it's known.
    pub fn find(&self, position: &Position) -> Option<u32> {
        (self.slots[self.place(hash(position), position)] as u32).checked_sub(1)
    }

    /// The number of a position, adding it if it's new.
    pub fn add(&mut self, position: Position) -> u32 {
        if self.is_crowded(1) {
            let Ok(()) = self.grow(|| Ok::<(), Infallible>(()));
        }
        let hash = hash(&position);
        let place = self.place(hash, &position);
        if self.slots[place] == FREE {
            self.positions.push(position);
            self.slots[place] = u64::from(hash) << u32::BITS | self.positions.len() as u64;
        }
        self.slots[place] as u32 - 1
    }

    /// Whether `more` positions would fill over half of the slots.
    pub(super) fn is_crowded(&self, more: usize) -> bool {
        (self.positions.len() + more) * 2 > self.slots.len()
    }

    /// Doubles the slots. They stay sorted by hash, so this is one pass over memory. Calls `ask` now and
    /// then; an error leaves the table unchanged.
    pub(super) fn grow<E>(&mut self, mut ask: impl FnMut() -> Result<(), E>) -> Result<(), E> {
        let mut slots = vec![FREE; self.slots.len() * 2];
        for some in self.slots.chunks(1 << 16) {
            for slot in some.iter().filter(|slot| **slot != FREE) {
                let place = first(&slots, (slot >> u32::BITS) as u32, |slot| slot == FREE);
                slots[place] = *slot;
            }
            ask()?;
        }
        self.slots = slots;
        Ok(())
    }

    /// The slot of a position, or where it would go.
    fn place(&self, hash: u32, position: &Position) -> usize {
        first(&self.slots, hash, |slot| {
            let is_it = || self.positions[slot as u32 as usize - 1] == *position;
            slot == FREE || (slot >> u32::BITS) as u32 == hash && is_it()
        })
    }
}

/// The first slot at or after a hash's home that fits.
fn first(slots: &[u64], hash: u32, fits: impl Fn(u64) -> bool) -> usize {
    let mut place = ((u64::from(hash) * slots.len() as u64) >> u32::BITS) as usize;
    while !fits(slots[place]) {
        place = (place + 1) & (slots.len() - 1);
    }
    place
}

/// Hashes a position. Stable across machines and runs.
fn hash(position: &Position) -> u32 {
    let mix = |mixed: u64, part: u64| (mixed.rotate_left(29) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // Each player's part separately, for instruction-level parallelism.
    let part = |player| {
        let uses = u128::from_le_bytes(position.uses[player]);
        let last = position.last[player].map_or(0, Choice::bits);
        let parts = [uses as u64, (uses >> 64) as u64, last << 8 | u64::from(position.passes[player])];
        parts.into_iter().fold(mix(0, position.numbers[player] as u64), mix)
    };
    // Not `map`: it isn't inlined for arrays.
    let (one, two) = (part(Player::One), part(Player::Two));
    (mix(mix(one, two), position.clock.bits()) >> 32) as u32
}
