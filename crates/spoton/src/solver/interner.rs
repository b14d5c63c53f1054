//! A hash table that keeps each position once and numbers them; its size in bytes is known.

use std::convert::Infallible;

use crate::engine::position::{Choice, Player, Position};

/// Positions, numbered in the order in which they were added.
pub(crate) struct Interner {
    positions: Vec<Position>,
    /// Open addressing, with a power of two of slots. A slot that is taken holds the hash of a position in its upper
    /// half and the position's number, counted from 1, in its lower. So few positions are compared in vain, and none
    /// when the slots grow.
    slots: Vec<u64>,
}

const FREE: u64 = 0;

impl Interner {
    pub(crate) fn new() -> Interner {
        Interner { positions: Vec::new(), slots: vec![FREE; 16] }
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.positions.capacity() * size_of::<Position>() + self.slots.capacity() * size_of::<u64>()) as u64
    }

    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(crate) fn position(&self, index: usize) -> Position {
        self.positions[index]
    }

    pub(crate) fn get(&self, index: usize) -> Option<Position> {
        self.positions.get(index).copied()
    }

    pub(crate) fn find(&self, position: &Position) -> Option<u32> {
        (self.slots[self.place(hash(position), position)] as u32).checked_sub(1)
    }

    pub(crate) fn add(&mut self, position: Position) -> u32 {
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

    /// Whether so many more positions would take more than half of the slots.
    pub(super) fn is_crowded(&self, more: usize) -> bool {
        (self.positions.len() + more) * 2 > self.slots.len()
    }

    /// Makes twice as many slots. They stay in the order of their hashes, so this goes through memory only once. It
    /// asks now and then whether to go on; if not, nothing has changed.
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

    /// Where a position is, or where it would go.
    fn place(&self, hash: u32, position: &Position) -> usize {
        first(&self.slots, hash, |slot| {
            let is_it = || self.positions[slot as u32 as usize - 1] == *position;
            slot == FREE || (slot >> u32::BITS) as u32 == hash && is_it()
        })
    }
}

/// The first fitting slot from where a hash belongs on.
fn first(slots: &[u64], hash: u32, fits: impl Fn(u64) -> bool) -> usize {
    let mut place = ((u64::from(hash) * slots.len() as u64) >> u32::BITS) as usize;
    while !fits(slots[place]) {
        place = (place + 1) & (slots.len() - 1);
    }
    place
}

/// Mixes what a position holds. The same on every machine and in every run.
fn hash(position: &Position) -> u32 {
    let mix = |mixed: u64, part: u64| (mixed.rotate_left(29) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // Each player's part by itself, so that the processor can do both at once.
    let part = |player| {
        let uses = u128::from_le_bytes(position.uses[player]);
        let last = position.last[player].map_or(0, Choice::bits);
        let parts = [uses as u64, (uses >> 64) as u64, last << 8 | u64::from(position.passes[player])];
        parts.into_iter().fold(mix(0, position.numbers[player] as u64), mix)
    };
    // Not `map`, which is not inlined for arrays.
    let (one, two) = (part(Player::One), part(Player::Two));
    (mix(mix(one, two), position.clock.bits()) >> 32) as u32
}
