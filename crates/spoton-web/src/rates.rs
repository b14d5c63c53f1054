//! Rate limits per browser, address and seat. People never reach them. `limits.rs` has the numbers.
//!
//! | to limit | see |
//! |---|---|
//! | new rounds with their invitations | `Rates::admit` with `Stores::Rounds` |
//! | joining by invitation | `Rates::admit_command`, called by `Tables::take_seat` |
//! | typing a class or device code | `Rates::admit` with `Stores::Codes`; `codes.rs` delays wrong ones |

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::Clock;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::address::counted;
use crate::ids::{Hash, SittingId};
use crate::limits::Limits;
use crate::open::{OpenCount, Opened};
use crate::rate::Rate;

tokio::task_local! {
    /// The current request's address, for code that has no access to the request.
    pub(crate) static ADDRESS: Option<IpAddr>;
    /// The same for queues. `None` for a trusted proxy that doesn't report its client: it carries many clients.
    pub(crate) static ASKER: Option<IpAddr>;
}

/// Kinds of stored data. Each has limits per browser and per address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stores {
    /// Nothing: answers only.
    Nothing,
    /// New rounds.
    Rounds,
    /// A seat for a code. No address limit: other people's typos must not block it. [`crate::codes::Tries`]
    /// slows codes down.
    Codes,
    /// Shared rule books.
    Books,
    Classes,
    /// Progress in puzzles.
    Puzzles,
    /// Events in existing rounds. The last tenth of the store is reserved for them.
    Commands,
}

/// A client exceeded a limit, with the time until it may retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct TooMany {
    what: &'static str,
    pub wait: Duration,
}

impl TooMany {
    /// Waiting doesn't help here: only finishing or giving up a round does.
    pub(crate) const UNFINISHED: TooMany = TooMany {
        what: "You have too many unfinished rounds. Finish one, or give it up.",
        wait: Duration::from_secs(60),
    };
}

/// The recent activity of browsers, addresses and seats.
pub struct Rates {
    rounds: Share,
    books: Share,
    checks: Share,
    classes: Share,
    puzzles: Share,
    commands: Share,
    bytes: Share,
    commands_of_a_seat: DefaultKeyedRateLimiter<Hash>,
    streams: Arc<OpenCount>,
}

/// A limit per browser and per address.
struct Share {
    browsers: Rate<Hash>,
    addresses: Rate<IpAddr>,
    /// Makes checking and taking from both limits atomic.
    takes: Mutex<()>,
    /// The errors for a browser and for an address.
    said: [&'static str; 2],
}

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
/// A book with mistakes isn't stored, so people may try more often than they may share.
const CHECKS_PER_BOOK: u32 = 10;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Share {
    fn new(browser: (u32, Duration), address: (u32, Duration), said: [&'static str; 2]) -> Share {
        Share {
            browsers: Rate::new(browser.0, browser.1),
            addresses: Rate::new(address.0, address.1),
            takes: Mutex::default(),
            said,
        }
    }

    /// Takes from both limits, or from neither.
    fn take(&self, browser: Option<Hash>, address: Option<IpAddr>, count: u32) -> Result<(), TooMany> {
        let (now, address) = (Instant::now(), address.map(counted));
        let is_there = |wait: Option<Duration>, what| match wait {
            Some(Duration::ZERO) => Ok(()),
            // More than the limit is never available.
            wait => Err(TooMany { what, wait: wait.unwrap_or(DAY) }),
        };
        let [to_browser, to_address] = self.said;
        let _one_at_a_time = self.takes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(browser) = &browser {
            is_there(self.browsers.wait(browser, count, now), to_browser)?;
        }
        if let Some(address) = &address {
            is_there(self.addresses.wait(address, count, now), to_address)?;
        }
        if let Some(browser) = browser {
            self.browsers.take(browser, count, now);
        }
        if let Some(address) = address {
            self.addresses.take(address, count, now);
        }
        Ok(())
    }

    fn forget_the_quiet(&self) {
        let now = Instant::now();
        self.browsers.forget_the_quiet(now);
        self.addresses.forget_the_quiet(now);
    }
}

impl Rates {
    pub fn new(limits: &Limits) -> Rates {
        let [a_second, at_once] = [limits.commands_of_a_seat, limits.commands_at_once]
            .map(|count| NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN));
        let commands_of_a_seat = Quota::per_second(a_second).allow_burst(at_once);
        Rates {
            rounds: Share::new(
                (limits.new_of_a_browser, HOUR),
                (limits.new_of_an_address, MINUTE),
                [
                    "You've started too many rounds. Try again in a few minutes.",
                    "Too many rounds were started from your network. Try again in a minute.",
                ],
            ),
            books: Share::new(
                (limits.books_of_a_browser, HOUR),
                (limits.books_of_an_address, MINUTE),
                [
                    "You've shared too many games. Try again in a few minutes.",
                    "Too many games were shared from your network. Try again in a minute.",
                ],
            ),
            checks: Share::new(
                (limits.books_of_a_browser.saturating_mul(CHECKS_PER_BOOK), HOUR),
                (limits.books_of_an_address.saturating_mul(CHECKS_PER_BOOK), MINUTE),
                [
                    "You've checked too many games. Try again in a few minutes.",
                    "Too many games were checked from your network. Try again in a minute.",
                ],
            ),
            classes: Share::new(
                (limits.classes_of_a_browser, HOUR),
                (limits.classes_of_an_address, MINUTE),
                [
                    "You've opened too many classes. Try again in a few minutes.",
                    "Too many classes were opened from your network. Try again in a minute.",
                ],
            ),
            puzzles: Share::new(
                (limits.puzzle_moves_of_a_browser, HOUR),
                (limits.puzzle_moves_of_an_address, MINUTE),
                [
                    "You've made too many puzzle moves. Try again in a few minutes.",
                    "Too many puzzle moves came from your network. Try again in a minute.",
                ],
            ),
            commands: Share::new(
                (limits.commands_of_a_browser, DAY),
                (limits.commands_of_an_address, DAY),
                [
                    "You've made too many moves today. Try again in a minute.",
                    "Too many moves came from your network today. Try again in a minute.",
                ],
            ),
            bytes: Share::new(
                (limits.new_bytes_of_a_browser, DAY),
                (limits.new_bytes_of_an_address, DAY),
                [
                    "You've reached today's storage limit. Try again tomorrow.",
                    "Your network has reached today's storage limit. Try again tomorrow.",
                ],
            ),
            commands_of_a_seat: RateLimiter::keyed(commands_of_a_seat),
            streams: OpenCount::new(limits.streams_of_an_address),
        }
    }

    /// Admits a request that stores something. Commands are admitted once their seat is known (`Rates::admit_command`),
    /// so that strangers can't use up the share of their network.
    ///
    /// # Errors
    ///
    /// Fails if its browser or address exceeds the limit for this kind.
    pub(crate) fn admit(
        &self,
        stores: Stores,
        browser: Option<Hash>,
        address: Option<IpAddr>,
    ) -> Result<(), TooMany> {
        let share = match stores {
            Stores::Nothing => return Ok(()),
            Stores::Codes => return self.rounds.take(browser, None, 1),
            Stores::Rounds => &self.rounds,
            // Most mistakes are found here, and a book with mistakes isn't stored.
            Stores::Books => &self.checks,
            Stores::Classes => &self.classes,
            Stores::Puzzles => &self.puzzles,
            Stores::Commands => return Ok(()),
        };
        share.take(browser, address, 1)
    }

    /// Admits a command from someone who may send it, at the current request's address.
    ///
    /// # Errors
    ///
    /// Fails if its browser or address exceeds its daily limit.
    pub(crate) fn admit_command(&self, browser: Hash) -> Result<(), TooMany> {
        let address = ADDRESS.try_with(|address| *address).ok().flatten();
        self.commands.take(Some(browser), address, 1)
    }

    /// Admits a valid book that is about to be shared, at the current request's address.
    ///
    /// # Errors
    ///
    /// Fails if its browser or address has shared too many.
    pub(crate) fn admit_book(&self, browser: Hash) -> Result<(), TooMany> {
        let address = ADDRESS.try_with(|address| *address).ok().flatten();
        self.books.take(Some(browser), address, 1)
    }

    /// Returns how many bytes an address has stored today, as counted.
    pub fn bytes_of(&self, address: IpAddr) -> u32 {
        self.bytes.addresses.used(&counted(address), Instant::now())
    }

    /// Counts bytes that a browser stores, at the current request's address.
    ///
    /// # Errors
    ///
    /// Fails if either exceeds its daily limit.
    pub fn adds(&self, browser: Hash, bytes: usize) -> Result<(), TooMany> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let address = ADDRESS.try_with(|address| *address).ok().flatten();
        self.bytes.take(Some(browser), address, bytes)
    }

    /// Counts a command from a seat.
    ///
    /// # Errors
    ///
    /// Fails if the seat sends too many.
    pub fn commands(&self, id: SittingId, holder: Hash) -> Result<(), TooMany> {
        let seat = Hash::digest([&id.0[..], &holder.0].concat());
        let rate = &self.commands_of_a_seat;
        rate.check_key(&seat).map_err(|until| TooMany {
            what: "That was too fast. Try again in a moment.",
            wait: until.wait_time_from(rate.clock().now()),
        })
    }

    /// Counts another stream for an address.
    ///
    /// # Errors
    ///
    /// Fails if the address has too many.
    pub(crate) fn opens_stream(&self, address: IpAddr) -> Result<Opened, TooMany> {
        let what = "Too many boards are open on your network. Close one, or try again in a minute.";
        self.streams.open(address).ok_or(TooMany { what, wait: Duration::from_secs(20) })
    }

    /// Forgets idle clients: their limits are fully restored.
    pub(crate) fn forget_the_quiet(&self) {
        let Rates {
            rounds,
            books,
            checks,
            classes,
            puzzles,
            commands,
            bytes,
            commands_of_a_seat,
            streams: _,
        } = self;
        for share in [rounds, books, checks, classes, puzzles, commands, bytes] {
            share.forget_the_quiet();
        }
        commands_of_a_seat.retain_recent();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Limits {
        Limits {
            new_of_a_browser: 3,
            new_of_an_address: 5,
            new_bytes_of_a_browser: 1000,
            streams_of_an_address: 2,
            commands_of_a_seat: 1,
            commands_at_once: 4,
            ..Limits::default()
        }
    }

    /// Returns how many of ten attempts succeed.
    fn of_ten(mut done: impl FnMut(usize) -> Result<(), TooMany>) -> usize {
        (0..10).filter(|count| done(*count).is_ok()).count()
    }

    #[test]
    fn each_rate_holds_for_each_who_is_counted() {
        let rates = Rates::new(&small());
        let browser = |name: usize| Hash::digest(name.to_string());
        let begins = |browser, address| rates.admit(Stores::Rounds, Some(browser), address);
        assert_eq!(of_ten(|_| begins(browser(1), None)), 3);
        assert_eq!(of_ten(|_| begins(browser(2), None)), 3, "another browser isn't affected");
        let many = |address: &str| {
            let another = |number: usize| Hash::digest(format!("{number} at {address}"));
            of_ten(|number| begins(another(number), Some(address.parse().unwrap())))
        };
        assert_eq!(many("10.0.0.1"), 5);
        assert_eq!(many("::ffff:10.0.0.1"), 0, "the same address in IPv6 notation");
        assert_eq!(many("10.0.0.2"), 5, "another address isn't affected");
        assert_eq!(many("2001:db8::1"), 5);
        assert_eq!(many("2001:db8::2"), 0, "one customer has many addresses");
        // Codes count for the browser that tries them, but a whole class shares one address.
        let tries =
            |name| of_ten(|_| rates.admit(Stores::Codes, Some(browser(name)), "10.0.0.3".parse().ok()));
        assert_eq!((tries(3), tries(4), tries(5)), (3, 3, 3));
        let (one, other) = (SittingId([1; 16]), SittingId([2; 16]));
        // A slow machine restores one meanwhile.
        let four = 4..=5;
        assert!(four.contains(&of_ten(|_| rates.commands(one, browser(1)))));
        assert!(four.contains(&of_ten(|_| rates.commands(one, browser(2)))), "the other seat isn't affected");
        assert!(four.contains(&of_ten(|_| rates.commands(other, browser(1)))));
        let told = rates.commands(one, browser(1)).unwrap_err();
        assert!(told.wait > Duration::ZERO && told.wait <= Duration::from_secs(1), "{told:?}");
    }

    #[test]
    fn bytes_are_counted_until_there_are_too_many() {
        let rates = Rates::new(&small());
        let (one, other) = (Hash::digest("one"), Hash::digest("other"));
        assert_eq!(of_ten(|_| rates.adds(one, 300)), 3);
        assert!(rates.adds(one, 50).is_ok(), "a little is left");
        assert!(rates.adds(other, 1000).is_ok() && rates.adds(other, 1001).is_err());
    }

    /// Neither a browser's own limit nor its address's.
    #[test]
    fn a_refused_request_uses_up_nothing() {
        let rates = Rates::new(&small());
        let at = |last: u8| Some(IpAddr::from([10, 0, 0, last]));
        let begins =
            |name: &str, address| of_ten(|_| rates.admit(Stores::Rounds, Some(Hash::digest(name)), address));
        assert_eq!((begins("ann", at(1)), begins("ben", at(1))), (3, 2), "the address has 5");
        assert_eq!(begins("cleo", at(1)), 0);
        assert_eq!(begins("cleo", at(2)), 3, "the refusal used up nothing of her share");
        assert_eq!((begins("cleo", at(3)), begins("dora", at(3)), begins("emil", at(3))), (0, 3, 2));
    }
}
