//! Every limit, by name: nobody who asks can eat the memory, or hang the others.

use std::time::Duration;

/// A line on standard input, or the body of a request, has at most so many bytes.
pub const MESSAGE_BYTES: usize = 1 << 20;

/// How many requests of a connection by lines are worked on at once. After that no more lines are read.
pub const MOST_REQUESTS: usize = 32;

/// How many answers may wait to be written. After that no more lines are read.
pub const MOST_UNWRITTEN: usize = 64;

/// How long a client that has gone may take to read what was still to be said.
pub const TIME_TO_END: Duration = Duration::from_secs(2);

/// How many connections over HTTP there may be at once; others wait at the door.
pub const MOST_CONNECTIONS: usize = 64;

/// How long a client may take to send the headers of its next request, and how long a whole request may take.
pub const TIME_FOR_HEADERS: Duration = Duration::from_secs(10);
pub const TIME_FOR_REQUEST: Duration = Duration::from_secs(60);

/// A rule book has at most so many bytes, and a move so many.
pub const BOOK_BYTES: usize = 64 << 10;
pub const MOVE_BYTES: usize = 1 << 10;

/// A text that is no rule book at all has thousands of mistakes; no more of them are told.
pub const MOST_MISTAKES: usize = 50;

/// How long a rule book may take to be checked, if it has more variants than a few.
pub const TIME_TO_CHECK: Duration = Duration::from_millis(500);
pub const FEW_VARIANTS: usize = 8;

/// How many rounds are kept. Finished ones make room first.
pub const MOST_ROUNDS: usize = 256;

/// An exam has at most so many rounds. None of them makes room for another.
pub const MOST_EXAM_ROUNDS: u32 = 1000;

/// A round with so many moves is stopped, and drawn.
pub const MOST_MOVES: usize = 2000;

/// A round that nobody has touched for so long may be taken for left.
pub const LEFT_AFTER: Duration = Duration::from_secs(30 * 60);

/// What the solved games may hold together, and what may be held to answer one question.
pub const CACHE_BYTES: u64 = 256 << 20;
pub const BYTES_OF_A_JOB: u64 = 64 << 20;

/// What takes no longer than this does not wait for what does.
pub const A_MOMENT: Duration = Duration::from_millis(50);
pub const MOST_MOMENTS_AT_ONCE: usize = 8;

/// How many may wait for something that takes longer.
pub const MOST_WAITING: usize = 16;

/// How long looking ahead may take for a move, a hint or a review, and how long a game may take to be invented.
pub const TIME_TO_THINK: Duration = Duration::from_secs(5);
pub const TIME_TO_INVENT: Duration = Duration::from_secs(20);
