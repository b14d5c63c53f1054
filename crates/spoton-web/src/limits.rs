//! Every limit, by name.

use std::time::Duration;

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

/// What the solved games may hold together.
pub const CACHE_BYTES: u64 = 256 << 20;

/// How many may wait for somebody to think.
pub const MOST_WAITING_TO_THINK: usize = 256;

/// How long looking ahead may take for a move, a hint or a review.
pub const TIME_TO_THINK: Duration = Duration::from_secs(5);

/// A request's body, and that of a rule book.
pub const BODY_BYTES: usize = 16 << 10;
pub const BOOK_BYTES: usize = 64 << 10;

/// How long a request may wait for news.
pub const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// How often a stream that has nothing to say shows that it is alive.
pub const HEARTBEAT: Duration = Duration::from_secs(15);

/// How many streams a browser may have open; further tabs ask by time.
pub const STREAMS_OF_A_BROWSER: usize = 4;

/// How long a reader of a stream may take nothing.
pub const SLOWEST_READER: Duration = Duration::from_secs(20);

/// How long after the last of their streams has ended a player is away.
pub const AWAY_AFTER: Duration = Duration::from_secs(3);

/// How long a client may take to send the headers of a request, and how large they may be.
pub const TIME_FOR_HEADERS: Duration = Duration::from_secs(5);
pub const HEADER_BYTES: usize = 16 << 10;

/// How long requests that are under way may take when the server is told to stop.
pub const TIME_TO_END: Duration = Duration::from_secs(5);

/// How long a computer on a page seems to think.
pub const PAUSE_OF_A_COMPUTER: Duration = Duration::from_millis(700);

/// How often sittings are looked for in which a computer is on turn and nobody thinks.
pub const SWEEP: Duration = Duration::from_secs(10);
/// No more than so many of them at once.
pub const MOST_SWEPT: usize = 100;
