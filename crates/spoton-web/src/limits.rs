//! Every limit, by name.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::store::Millis;

const SECOND: Millis = 1000;
pub const DAY: Millis = 24 * 60 * 60 * SECOND;

/// Time without a move after which the waiting player may close a round.
pub const ABANDONED_AFTER: Millis = 3 * DAY;

/// A round with this many events ends in a draw.
pub(crate) const MOST_EVENTS_OF_A_ROUND: usize = 2000;

/// Commands per commit.
pub const MOST_IN_A_BATCH: usize = 64;

/// Events per read.
pub(crate) const MOST_EVENTS_AT_ONCE: usize = 10_000;

/// Time for a batch whose outcome is unknown, from its start until it's settled.
pub const TIME_TO_SETTLE: Duration = Duration::from_millis(4500);

/// If a commit fails after this time, the database isn't there, and the commands that waited meanwhile fail too.
pub const SLOW_FAILURE: Duration = Duration::from_secs(1);

/// Commands waiting for the writer.
pub const MOST_IN_THE_QUEUE: usize = 4096;

/// Rooms in the cache.
pub(crate) const MOST_CACHED_ROOMS: usize = 20_000;

/// Memory for all solved games.
pub const CACHE_BYTES: u64 = 256 << 20;

/// Memory for one solver job.
pub const BYTES_OF_A_JOB: u64 = 64 << 20;

/// Jobs waiting per solver queue.
pub const MOST_WAITING_TO_THINK: usize = 256;
/// Jobs waiting per solver queue from one address: the rest is for others.
pub(crate) const MOST_WAITING_OF_AN_ADDRESS: usize = MOST_WAITING_TO_THINK / 2;

/// Processor time for a job in the move queue, and in the question queue. A job that exceeds it restarts in the next
/// lower queue.
pub(crate) const BUDGET_OF_A_MOVE: Duration = Duration::from_millis(10 * UNOPTIMIZED);
pub(crate) const BUDGET_OF_A_QUESTION: Duration = Duration::from_millis(500 * UNOPTIMIZED);
/// An unoptimized build takes about this many times as long.
const UNOPTIMIZED: u64 = if cfg!(debug_assertions) { 20 } else { 1 };

/// How long a page waits for an optional line.
pub(crate) const TIME_FOR_A_LINE: Duration = Duration::from_millis(200 * UNOPTIMIZED);

/// Time to check a rule book, if it has more than a few variants.
pub const TIME_TO_CHECK: Duration = Duration::from_millis(50);
pub const FEW_VARIANTS: usize = 8;

/// Maximum number of errors shown for a rule book. Other text can have thousands.
pub const MOST_MISTAKES: usize = 50;

/// Time for a game's facts.
pub(crate) const TIME_FOR_FACTS: Duration = Duration::from_secs(5);

/// Time for the figures on all games' cards.
pub(crate) const TIME_FOR_CARDS: Duration = Duration::from_secs(1);

/// Time to search for a better game.
pub(crate) const TIME_TO_MAKE_IT_BETTER: Duration = Duration::from_secs(20);

/// Entries in each cache of facts and maps.
pub(crate) const MOST_FACTS: usize = 256;

/// Books remembered as opened today.
pub(crate) const MOST_OPENED: usize = 10_000;

/// Solver time for a move, a hint or a review.
pub const TIME_TO_THINK: Duration = Duration::from_secs(5);

/// Size of a request's body and of a rule book.
const BODY_BYTES: usize = 16 << 10;
pub const BOOK_BYTES: usize = 64 << 10;
/// A form or JSON encodes each byte of a rule book in up to six.
pub const SENT_BOOK_BYTES: usize = 6 * BOOK_BYTES + BODY_BYTES;

/// Length of a key that secrets are derived from: long enough to be unguessable.
pub(crate) const SECRET_KEY: RangeInclusive<usize> = 16..=255;
/// Lifetime of a class code.
pub(crate) const TIME_OF_A_CLASS: Millis = 4 * 60 * 60 * SECOND;
/// Sittings per class.
pub(crate) const MOST_OF_A_CLASS: usize = 500;
/// Classes per browser.
pub(crate) const MOST_CLASSES: usize = 20;

/// Lifetime of a code that moves a seat to another device.
pub(crate) const TIME_OF_A_DEVICE_CODE: Millis = 10 * 60 * SECOND;

/// Wrong codes per minute. Each browser has a limit. An address gets its first answers immediately and later ones with
/// a growing delay. Only a fixed number of its answers may be pending; further invalid codes are refused. Other people's
/// invalid codes never block a valid one.
///
/// Past [`CODES_OF_AN_ADDRESS`] per minute, right and wrong codes from an address are delayed alike, before they are
/// checked. Even with all of its connections, one address can try fewer than 1 in 7 of all codes in the 4 hours of a
/// class.
pub(crate) const CODES_OF_AN_ADDRESS: u32 = 1200;
pub(crate) const WRONG_CODES_OF_A_BROWSER: u32 = 10;
pub(crate) const WRONG_CODES_WITHOUT_HOLD_UP: u32 = 20;
pub(crate) const WRONG_CODES_OF_AN_ADDRESS: u32 = 60;
pub(crate) const LONGEST_HOLD_UP: Duration = Duration::from_secs(5);
pub(crate) const WRONG_CODES_HELD_UP: usize = 50;

/// Time to search for a daily duel, and how many duels are cached.
pub const TIME_TO_INVENT: Duration = Duration::from_secs(9);
pub(crate) const MOST_DAILY_DUELS: usize = 64;

/// Time to search for a puzzle.
pub(crate) const TIME_FOR_A_PUZZLE: Duration = Duration::from_secs(8);

/// Past rounds per page.
pub(crate) const ROUNDS_ON_A_PAGE: usize = 50;

/// How long a request may wait for news.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Interval of an idle stream's heartbeats.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(15);

/// Streams per browser; further tabs poll.
pub const STREAMS_OF_A_BROWSER: usize = 4;

/// How long a stream's client may go without reading.
pub(crate) const SLOWEST_READER: Duration = Duration::from_secs(20);

/// Time after a player's last stream until they count as away.
pub(crate) const AWAY_AFTER: Duration = Duration::from_secs(3);

/// Time until a silent peer counts as gone.
pub(crate) const GONE_AFTER: Duration = Duration::from_secs(45);

/// Time and size limits for a request's headers.
pub const TIME_FOR_HEADERS: Duration = Duration::from_secs(5);
pub const HEADER_BYTES: usize = 16 << 10;

/// Connections waiting to be accepted.
pub(crate) const MOST_AT_THE_DOOR: u32 = 4096;

/// Time for open requests at shutdown.
pub const TIME_TO_END: Duration = Duration::from_secs(5);
/// Time for pending writes after that.
pub(crate) const TIME_TO_WRITE: Duration = Duration::from_secs(3);

/// Pause before a computer opponent moves.
pub(crate) const PAUSE_OF_A_COMPUTER: Duration = Duration::from_millis(700);

/// Interval of the search for sittings where a computer should move but doesn't.
pub(crate) const SWEEP: Duration = Duration::from_secs(5);
/// Sittings per such search.
pub(crate) const MOST_SWEPT: usize = 100;

/// Time for a request. Those that wait for news or search for a better game get `TIME_TO_WAIT`.
pub const TIME_FOR_REQUEST: Duration = Duration::from_secs(10);
pub(crate) const TIME_TO_WAIT: Duration = Duration::from_secs(45);

/// How long a client may leave an answer unread.
const TIME_TO_READ: Duration = Duration::from_secs(30);

/// Unfinished sittings per browser. After that the oldest one without a move is dropped.
pub const UNFINISHED_OF_A_BROWSER: usize = 50;
/// How many of a browser's sittings are searched for unfinished ones.
pub(crate) const MOST_LOOKED_THROUGH: usize = 1000;

/// New rounds and invitations: per hour and browser, and per minute and address. A whole school shares one address.
pub const NEW_OF_A_BROWSER: u32 = 600;
pub const NEW_OF_AN_ADDRESS: u32 = 1200;

/// Shared rule books, classes and moves in puzzles: per hour and browser, and per minute and address.
const BOOKS_OF_A_BROWSER: u32 = 60;
const BOOKS_OF_AN_ADDRESS: u32 = 120;
const CLASSES_OF_A_BROWSER: u32 = 30;
const CLASSES_OF_AN_ADDRESS: u32 = 60;
const PUZZLE_MOVES_OF_A_BROWSER: u32 = 1200;
const PUZZLE_MOVES_OF_AN_ADDRESS: u32 = 2400;

/// Bytes of new rounds, books and so on per day.
const NEW_BYTES_OF_A_BROWSER: u32 = 4 << 20;
const NEW_BYTES_OF_AN_ADDRESS: u32 = 32 << 20;

/// Commands in existing rounds per day. 30 pupils behind one address have 8,000 each: one every 3 seconds for 6 hours.
/// At these limits and the byte limits above, one address needs two weeks to fill the default store.
const COMMANDS_OF_A_BROWSER: u32 = 50_000;
const COMMANDS_OF_AN_ADDRESS: u32 = 250_000;
/// Upper bound on a command's average size in the store, with the reply of a computer.
pub const BYTES_OF_A_COMMAND: u32 = 448;

/// Upper bounds on the average size of an item's rows and their indexes in the store, next to its text.
pub(crate) const BYTES_OF_A_ROUND: usize = 1536;
pub(crate) const BYTES_OF_A_BOOK: usize = 512;
pub(crate) const BYTES_OF_A_CLASS: usize = 512;
/// A value that a browser remembers, such as its attempt at a puzzle.
pub(crate) const BYTES_OF_A_VALUE: usize = 512;

/// Upper bound on the average stored text. Pages are partly empty, and long text fills whole pages.
pub(crate) fn stored_bytes(text: usize) -> usize {
    const PAGE: usize = 4096;
    /// Longer texts get their own pages.
    const SHORT: usize = 900;
    if text <= SHORT { text + text / 2 } else { text.div_ceil(PAGE - 4) * PAGE + SHORT }
}

/// Streams per address, including long polls.
const STREAMS_OF_AN_ADDRESS: usize = 1000;

/// Connections per address, and never more than half of what the system allows.
pub(crate) const CONNECTIONS_OF_AN_ADDRESS: usize = 2000;
/// Connections to the admin port.
pub(crate) const CONNECTIONS_OF_ADMIN: usize = 64;
/// File descriptors reserved for the admin port, the database and the logs.
pub(crate) const OTHER_DESCRIPTORS: usize = 128;

/// Commands per second and seat, and in a burst after a pause.
const COMMANDS_OF_A_SEAT: u32 = 10;
const COMMANDS_AT_ONCE: u32 = 60;

/// Size of the store. Above 90%, nothing new can start, but play continues.
const DATA_BYTES: u64 = 2 << 30;

/// Cleanup: its interval, and how long it keeps sittings without a move, idle sittings, unplayed books and unused
/// books.
pub(crate) const TIDY: Duration = Duration::from_secs(60 * 60);
pub const UNMOVED_STAY: Millis = DAY;
pub const IDLE_STAY: Millis = 90 * DAY;
pub const UNPLAYED_BOOKS_STAY: Millis = 30 * DAY;
pub const BOOKS_STAY: Millis = 365 * DAY;

/// The limits that operators can change, and tests lower.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    pub body_bytes: usize,
    pub header_bytes: usize,
    pub time_for_headers: Duration,
    pub time_for_request: Duration,
    pub time_to_read: Duration,
    pub unfinished_of_a_browser: usize,
    pub new_of_a_browser: u32,
    pub new_of_an_address: u32,
    pub books_of_a_browser: u32,
    pub books_of_an_address: u32,
    pub classes_of_a_browser: u32,
    pub classes_of_an_address: u32,
    pub puzzle_moves_of_a_browser: u32,
    pub puzzle_moves_of_an_address: u32,
    pub new_bytes_of_a_browser: u32,
    pub new_bytes_of_an_address: u32,
    pub commands_of_a_browser: u32,
    pub commands_of_an_address: u32,
    pub connections_of_an_address: usize,
    pub streams_of_an_address: usize,
    pub commands_of_a_seat: u32,
    pub commands_at_once: u32,
    pub data_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes: BODY_BYTES,
            header_bytes: HEADER_BYTES,
            time_for_headers: TIME_FOR_HEADERS,
            time_for_request: TIME_FOR_REQUEST,
            time_to_read: TIME_TO_READ,
            unfinished_of_a_browser: UNFINISHED_OF_A_BROWSER,
            new_of_a_browser: NEW_OF_A_BROWSER,
            new_of_an_address: NEW_OF_AN_ADDRESS,
            books_of_a_browser: BOOKS_OF_A_BROWSER,
            books_of_an_address: BOOKS_OF_AN_ADDRESS,
            classes_of_a_browser: CLASSES_OF_A_BROWSER,
            classes_of_an_address: CLASSES_OF_AN_ADDRESS,
            puzzle_moves_of_a_browser: PUZZLE_MOVES_OF_A_BROWSER,
            puzzle_moves_of_an_address: PUZZLE_MOVES_OF_AN_ADDRESS,
            new_bytes_of_a_browser: NEW_BYTES_OF_A_BROWSER,
            new_bytes_of_an_address: NEW_BYTES_OF_AN_ADDRESS,
            commands_of_a_browser: COMMANDS_OF_A_BROWSER,
            commands_of_an_address: COMMANDS_OF_AN_ADDRESS,
            connections_of_an_address: CONNECTIONS_OF_AN_ADDRESS,
            streams_of_an_address: STREAMS_OF_AN_ADDRESS,
            commands_of_a_seat: COMMANDS_OF_A_SEAT,
            commands_at_once: COMMANDS_AT_ONCE,
            data_bytes: DATA_BYTES,
        }
    }
}

/// A changed limit: `commands-of-a-seat=100`. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherLimit {
    name: String,
    number: u64,
}

/// The text isn't a valid limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotALimit {
    #[error("not a limit; write NAME=NUMBER with a number of at least 1")]
    Form,
    #[error("unknown limit; choose one of {}", Limits::NAMES.join(", "))]
    Name,
}

impl std::str::FromStr for OtherLimit {
    type Err = NotALimit;

    fn from_str(text: &str) -> Result<OtherLimit, NotALimit> {
        let (name, number) = text.split_once('=').ok_or(NotALimit::Form)?;
        let number = number.trim().parse().ok().filter(|number| *number > 0).ok_or(NotALimit::Form)?;
        let other = OtherLimit { name: name.trim().to_owned(), number };
        match Limits::NAMES.contains(&other.name.as_str()) {
            true => Ok(other),
            false => Err(NotALimit::Name),
        }
    }
}

impl Limits {
    /// Names on the command line.
    pub const NAMES: [&str; 22] = [
        "body-bytes",
        "header-bytes",
        "time-for-headers",
        "time-for-request",
        "time-to-read",
        "unfinished-of-a-browser",
        "new-of-a-browser",
        "new-of-an-address",
        "books-of-a-browser",
        "books-of-an-address",
        "classes-of-a-browser",
        "classes-of-an-address",
        "puzzle-moves-of-a-browser",
        "puzzle-moves-of-an-address",
        "new-bytes-of-a-browser",
        "new-bytes-of-an-address",
        "commands-of-a-browser",
        "commands-of-an-address",
        "connections-of-an-address",
        "streams-of-an-address",
        "commands-of-a-seat",
        "commands-at-once",
    ];

    /// Adapts the limits to a machine that allows this many connections: no address gets more than half. Behind a proxy
    /// only streams are counted per address, so they are capped too.
    #[must_use]
    pub fn within(mut self, connections: usize) -> Limits {
        let half = (connections / 2).max(1);
        self.connections_of_an_address = self.connections_of_an_address.min(half);
        self.streams_of_an_address = self.streams_of_an_address.min(half);
        self
    }

    /// Returns the limits with one changed.
    #[must_use]
    pub fn with(mut self, other: &OtherLimit) -> Limits {
        let number = other.number;
        let size = usize::try_from(number).unwrap_or(usize::MAX);
        let rate = u32::try_from(number).unwrap_or(u32::MAX);
        let time = Duration::from_secs(number);
        match other.name.as_str() {
            "body-bytes" => self.body_bytes = size,
            "header-bytes" => self.header_bytes = size,
            "time-for-headers" => self.time_for_headers = time,
            "time-for-request" => self.time_for_request = time,
            "time-to-read" => self.time_to_read = time,
            "unfinished-of-a-browser" => self.unfinished_of_a_browser = size,
            "new-of-a-browser" => self.new_of_a_browser = rate,
            "new-of-an-address" => self.new_of_an_address = rate,
            "books-of-a-browser" => self.books_of_a_browser = rate,
            "books-of-an-address" => self.books_of_an_address = rate,
            "classes-of-a-browser" => self.classes_of_a_browser = rate,
            "classes-of-an-address" => self.classes_of_an_address = rate,
            "puzzle-moves-of-a-browser" => self.puzzle_moves_of_a_browser = rate,
            "puzzle-moves-of-an-address" => self.puzzle_moves_of_an_address = rate,
            "new-bytes-of-a-browser" => self.new_bytes_of_a_browser = rate,
            "new-bytes-of-an-address" => self.new_bytes_of_an_address = rate,
            "commands-of-a-browser" => self.commands_of_a_browser = rate,
            "commands-of-an-address" => self.commands_of_an_address = rate,
            "connections-of-an-address" => self.connections_of_an_address = size,
            "streams-of-an-address" => self.streams_of_an_address = size,
            "commands-of-a-seat" => self.commands_of_a_seat = rate,
            "commands-at-once" => self.commands_at_once = rate,
            // `OtherLimit` only holds known names.
            _ => {}
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_needs_two_weeks_to_fill_the_store() {
        let commands = u64::from(COMMANDS_OF_AN_ADDRESS) * u64::from(BYTES_OF_A_COMMAND);
        let of_a_day = u64::from(NEW_BYTES_OF_AN_ADDRESS) + commands;
        assert!(DATA_BYTES / of_a_day >= 14, "{of_a_day}");
        // A class of 30 that plays for 6 hours.
        const { assert!(COMMANDS_OF_AN_ADDRESS / 30 >= 6 * 60 * 60 / 3) };
    }

    #[test]
    fn every_limit_that_has_a_name_can_be_changed() {
        let mut seen = vec![Limits::default()];
        for name in Limits::NAMES {
            let other: OtherLimit = format!("{name}=77").parse().unwrap();
            let changed = Limits::default().with(&other);
            assert!(!seen.contains(&changed), "{name} has an effect");
            seen.push(changed);
        }
        for wrong in ["", "body-bytes", "body-bytes=", "body-bytes=0", "body-bytes=-1", "body-bytes=x"] {
            assert_eq!(wrong.parse::<OtherLimit>(), Err(NotALimit::Form), "{wrong}");
        }
        assert_eq!("bodies=1".parse::<OtherLimit>(), Err(NotALimit::Name));
    }
}
