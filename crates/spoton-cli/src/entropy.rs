//! A seed for chance that nobody can guess.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A seed that nobody can guess. The standard library keys its hashers at random: that is enough for a game.
pub fn seed() -> u64 {
    RandomState::new().build_hasher().finish()
}
