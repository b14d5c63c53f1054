//! A random seed.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Returns an unpredictable seed. The standard library seeds its hashers randomly, which is enough for a game.
pub fn seed() -> u64 {
    RandomState::new().build_hasher().finish()
}
