//! Every limit, by name.

use crate::store::Millis;

const SECOND: Millis = 1000;
const DAY: Millis = 24 * 60 * 60 * SECOND;

/// After so long without a move the waiting player may close a round.
pub const ABANDONED_AFTER: Millis = 3 * DAY;

/// A round with so many events is stopped, and drawn.
pub const MOST_EVENTS_OF_A_ROUND: usize = 2000;

/// How many commands are written at once.
pub const MOST_IN_A_BATCH: usize = 64;

/// How many events are read at once.
pub const MOST_EVENTS_AT_ONCE: usize = 10_000;

/// How many commands may wait to be written.
pub const MOST_IN_THE_QUEUE: usize = 4096;

/// How many rooms are held at once.
pub const MOST_HEADS: usize = 20_000;
