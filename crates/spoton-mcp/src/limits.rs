//! All limits by name: no client can exhaust the memory or block the others.

use std::time::Duration;

/// Maximum size of a line on standard input or of a request body.
pub const MESSAGE_BYTES: usize = 1 << 20;

/// Maximum number of concurrent requests over lines. Beyond it, no more lines are read.
pub const MOST_REQUESTS: usize = 32;

/// Maximum number of unwritten answers over lines. Beyond it, no more lines are read.
pub const MOST_UNWRITTEN: usize = 64;

/// Grace period to flush the last answers after the client has closed its side.
pub const TIME_TO_END: Duration = Duration::from_secs(2);

/// Maximum number of HTTP connections. Others wait to be accepted.
pub const MOST_CONNECTIONS: usize = 64;

/// Timeouts for the headers of the next request, and for a whole request.
pub const TIME_FOR_HEADERS: Duration = Duration::from_secs(10);
pub const TIME_FOR_REQUEST: Duration = Duration::from_secs(60);

/// Maximum sizes of a rule book and of a move.
pub const BOOK_BYTES: usize = 64 << 10;
pub const MOVE_BYTES: usize = 1 << 10;

/// Maximum number of reported mistakes. A file that isn't a rule book can have thousands.
pub const MOST_MISTAKES: usize = 50;

/// Timeout for checking a rule book. The first few variants are always checked.
pub const TIME_TO_CHECK: Duration = Duration::from_millis(500);
pub const FEW_VARIANTS: usize = 8;

/// Maximum number of rounds in memory. Finished ones are evicted first.
pub const MOST_ROUNDS: usize = 256;

/// Maximum number of rounds in an exam. None of them is evicted.
pub const MOST_EXAM_ROUNDS: u32 = 1000;

/// A round with this many moves is stopped and drawn.
pub const MOST_MOVES: usize = 2000;

/// A round idle for this long counts as abandoned.
pub const LEFT_AFTER: Duration = Duration::from_secs(30 * 60);

/// Memory limits: the cache of solved games, and a single solver job.
pub const CACHE_BYTES: u64 = 256 << 20;
pub const BYTES_OF_A_JOB: u64 = 64 << 20;

/// Jobs that finish within this time don't queue behind longer ones.
pub const A_MOMENT: Duration = Duration::from_millis(50);
pub const MOST_MOMENTS_AT_ONCE: usize = 8;

/// Maximum number of queued longer jobs.
pub const MOST_WAITING: usize = 16;

/// Solver timeouts: for a move, a hint or a review; and for inventing a game.
pub const TIME_TO_THINK: Duration = Duration::from_secs(5);
pub const TIME_TO_INVENT: Duration = Duration::from_secs(20);
