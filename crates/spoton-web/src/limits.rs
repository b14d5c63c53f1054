//! Every limit, by name.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::store::Millis;

const SECOND: Millis = 1000;
pub const DAY: Millis = 24 * 60 * 60 * SECOND;

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

/// What may be held to answer one question.
pub const BYTES_OF_A_JOB: u64 = 64 << 20;

/// How many may wait for somebody to think.
pub const MOST_WAITING_TO_THINK: usize = 256;

/// The processor time that a job may take in the queue of moves and in that of questions. After that, it starts again in
/// the next lower queue.
pub const BUDGET_OF_A_MOVE: Duration = Duration::from_millis(25 * UNOPTIMIZED);
pub const BUDGET_OF_A_QUESTION: Duration = Duration::from_millis(500 * UNOPTIMIZED);
/// A build for tests needs about so many times as long.
const UNOPTIMIZED: u64 = if cfg!(debug_assertions) { 20 } else { 1 };

/// How long a page waits for a line that it can do without.
pub const TIME_FOR_A_LINE: Duration = Duration::from_millis(200 * UNOPTIMIZED);

/// How many games are remembered that need more than that.
pub const MOST_SLOW_GAMES: usize = 10_000;

/// How long a rule book may take to be checked, if it has more variants than a few.
pub const TIME_TO_CHECK: Duration = Duration::from_millis(50);
pub const FEW_VARIANTS: usize = 8;

/// A text that is no rule book at all has thousands of mistakes; no more of them are told.
pub const MOST_MISTAKES: usize = 50;

/// How long the facts about a game may take.
pub const TIME_FOR_FACTS: Duration = Duration::from_secs(5);

/// How long somebody waits for what the cards of all games say.
pub const TIME_FOR_CARDS: Duration = Duration::from_secs(1);

/// How long a search for a better game may take.
pub const TIME_TO_MAKE_IT_BETTER: Duration = Duration::from_secs(20);

/// How many facts are remembered, and how many maps.
pub const MOST_FACTS: usize = 256;

/// Of how many opened books it is remembered that they were, until this day is over.
pub const MOST_OPENED: usize = 10_000;

/// How long looking ahead may take for a move, a hint or a review.
pub const TIME_TO_THINK: Duration = Duration::from_secs(5);

/// A request's body, and that of a rule book.
pub const BODY_BYTES: usize = 16 << 10;
pub const BOOK_BYTES: usize = 64 << 10;
/// A rule book that is sent takes up to six bytes for each of its own, whether in a form or in JSON.
pub const SENT_BOOK_BYTES: usize = 6 * BOOK_BYTES + BODY_BYTES;

/// How long a key is that secrets are made from: long enough for one that nobody can guess.
pub const SECRET_KEY: RangeInclusive<usize> = 16..=255;
/// How long the code of a class is good.
pub const TIME_OF_A_CLASS: Millis = 4 * 60 * 60 * SECOND;
/// How many sittings a class may have.
pub const MOST_OF_A_CLASS: usize = 500;
/// How many classes a browser may have at a time.
pub const MOST_CLASSES: usize = 20;

/// How long a code is good that moves a seat to another device.
pub const TIME_OF_A_DEVICE_CODE: Millis = 10 * 60 * SECOND;

/// Wrong codes a minute: a browser has so many. Those of an address are answered without delay at first, then more and
/// more slowly. Only so many of an address wait for their answer; further wrong ones are refused. A right code isn't
/// refused because of other people's wrong ones.
///
/// [`NEW_OF_AN_ADDRESS`] limits all codes of an address, right or wrong. So in the 4 hours of a class, one address can try
/// less than 1 in 100 of all codes.
pub const WRONG_CODES_OF_A_BROWSER: u32 = 10;
pub const WRONG_CODES_WITHOUT_HOLD_UP: u32 = 20;
pub const WRONG_CODES_OF_AN_ADDRESS: u32 = 60;
pub const LONGEST_HOLD_UP: Duration = Duration::from_secs(5);
pub const WRONG_CODES_HELD_UP: usize = 50;

/// How long the search for the game of a day may take, and how many of them are kept.
pub const TIME_TO_INVENT: Duration = Duration::from_secs(9);
pub const MOST_DUELS: usize = 64;

/// How long the search for a puzzle may take.
pub const TIME_FOR_A_PUZZLE: Duration = Duration::from_secs(8);

/// How many past rounds stand on a page.
pub const ROUNDS_ON_A_PAGE: usize = 50;

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

/// How long the other end of a connection may be silent that has something to say, or is asked whether it is there.
pub const GONE_AFTER: Duration = Duration::from_secs(45);

/// How long a client may take to send the headers of a request, and how large they may be.
pub const TIME_FOR_HEADERS: Duration = Duration::from_secs(5);
pub const HEADER_BYTES: usize = 16 << 10;

/// How many connections may wait to be taken.
pub const MOST_AT_THE_DOOR: u32 = 4096;

/// How long requests that are under way may take when the server is told to stop.
pub const TIME_TO_END: Duration = Duration::from_secs(5);
/// And what they asked for, to be written after that.
pub const TIME_TO_WRITE: Duration = Duration::from_secs(3);

/// How long a computer on a page seems to think.
pub const PAUSE_OF_A_COMPUTER: Duration = Duration::from_millis(700);

/// How often sittings are looked for in which a computer is on turn and nobody thinks.
pub const SWEEP: Duration = Duration::from_secs(10);
/// No more than so many of them at once.
pub const MOST_SWEPT: usize = 100;

/// How long a request may take, unless it is one that waits for news or looks for something better: those may take
/// [`TIME_TO_WAIT`].
pub const TIME_FOR_REQUEST: Duration = Duration::from_secs(10);
pub const TIME_TO_WAIT: Duration = Duration::from_secs(45);

/// How long a client may leave an answer unread before it is let go.
pub const TIME_TO_READ: Duration = Duration::from_secs(30);

/// How many unfinished sittings a browser may have. After that the oldest without a move makes room.
pub const UNFINISHED_OF_A_BROWSER: usize = 50;
/// Sittings older than so many others of the same browser are not counted.
pub const MOST_LOOKED_THROUGH: usize = 1000;

/// New sittings: so many an hour by one browser, and so many a minute from one address. A school sits behind one.
pub const NEW_OF_A_BROWSER: u32 = 600;
pub const NEW_OF_AN_ADDRESS: u32 = 1200;

/// Shared rule books, classes and moves in puzzles: so many an hour by one browser, and so many a minute from one
/// address.
pub const BOOKS_OF_A_BROWSER: u32 = 60;
pub const BOOKS_OF_AN_ADDRESS: u32 = 120;
pub const CLASSES_OF_A_BROWSER: u32 = 30;
pub const CLASSES_OF_AN_ADDRESS: u32 = 60;
pub const PUZZLE_MOVES_OF_A_BROWSER: u32 = 1200;
pub const PUZZLE_MOVES_OF_AN_ADDRESS: u32 = 2400;

/// What a day may add by new rounds, books and the like.
pub const NEW_BYTES_OF_A_BROWSER: u32 = 4 << 20;
pub const NEW_BYTES_OF_AN_ADDRESS: u32 = 32 << 20;

/// Commands in rounds that have begun, in a day. 30 pupils behind one address have 8,000 each: one every 3 seconds for
/// 6 hours. With these and the bytes above, one address needs two weeks to fill the usual store.
pub const COMMANDS_OF_A_BROWSER: u32 = 50_000;
pub const COMMANDS_OF_AN_ADDRESS: u32 = 250_000;
/// A command takes no more than this in the store, on average.
pub const BYTES_OF_A_COMMAND: u32 = 384;

/// How many streams may be open to one address, waiting requests among them.
pub const STREAMS_OF_AN_ADDRESS: usize = 1000;

/// How many connections may be open to one address, and never more than half of those that the system allows.
pub const CONNECTIONS_OF_AN_ADDRESS: usize = 2000;
/// So many connections may ask how the server is doing.
pub const CONNECTIONS_OF_ADMIN: usize = 64;
/// So many descriptors are kept for them and other things: the database, the logs.
pub const OTHER_DESCRIPTORS: usize = 128;

/// Commands: so many a second for each seat, and so many at once if it was quiet before.
pub const COMMANDS_OF_A_SEAT: u32 = 10;
pub const COMMANDS_AT_ONCE: u32 = 60;

/// How much may be kept. When nine tenths of it are, nothing new is begun; what was begun goes on.
pub const DATA_BYTES: u64 = 2 << 30;

/// What nobody comes back to is taken out so often: sittings without a move, sittings in which nothing happens, and
/// rule books that nobody plays or opens, those first that nobody has ever played.
pub const TIDY: Duration = Duration::from_secs(60 * 60);
pub const UNMOVED_STAY: Millis = DAY;
pub const IDLE_STAY: Millis = 90 * DAY;
pub const UNPLAYED_BOOKS_STAY: Millis = 30 * DAY;
pub const BOOKS_STAY: Millis = 365 * DAY;

/// Those of the limits that whoever runs a server may want to change, and tests lower.
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

/// One limit with another number: `commands-of-a-seat=100`. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherLimit {
    name: String,
    number: u64,
}

/// A text that changes no limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotALimit {
    #[error("a limit is changed by NAME=NUMBER, with a number from 1 on")]
    Form,
    #[error("there is no limit of that name; there are {}", Limits::NAMES.join(", "))]
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
    /// What they are called on the command line.
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

    /// The same on a machine that allows so many connections. No address gets more than half of them. Behind a proxy only
    /// streams can be counted by address, so that holds for them, too.
    #[must_use]
    pub fn within(mut self, connections: usize) -> Limits {
        let half = (connections / 2).max(1);
        self.connections_of_an_address = self.connections_of_an_address.min(half);
        self.streams_of_an_address = self.streams_of_an_address.min(half);
        self
    }

    /// The same with one of them changed.
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
            // The names were looked at when it was read.
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
            assert!(!seen.contains(&changed), "{name} changes nothing of its own");
            seen.push(changed);
        }
        for wrong in ["", "body-bytes", "body-bytes=", "body-bytes=0", "body-bytes=-1", "body-bytes=x"] {
            assert_eq!(wrong.parse::<OtherLimit>(), Err(NotALimit::Form), "{wrong}");
        }
        assert_eq!("bodies=1".parse::<OtherLimit>(), Err(NotALimit::Name));
    }
}
