//! How often is too often, and how much is too much: by browser, by address and by seat. People never notice.

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
use crate::routes::Stores;

tokio::task_local! {
    /// The address that the request under way came from, for those who are far from the request.
    pub static ADDRESS: Option<IpAddr>;
}

/// Somebody does something too often, and may again after a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct TooMany {
    what: &'static str,
    pub wait: Duration,
}

impl TooMany {
    /// Only finishing or giving up helps.
    pub const UNFINISHED: TooMany = TooMany {
        what: "You have too many unfinished rounds. Finish one, or give it up.",
        wait: Duration::from_secs(60),
    };
}

/// Who has done how much lately.
pub struct Rates {
    rounds: Share,
    books: Share,
    classes: Share,
    puzzles: Share,
    commands: Share,
    bytes: Share,
    commands_of_a_seat: DefaultKeyedRateLimiter<Hash>,
    streams: Arc<OpenCount>,
}

/// What one browser may do, and one address.
struct Share {
    browsers: Rate<Hash>,
    addresses: Rate<IpAddr>,
    /// Held while both are looked at and taken from.
    takes: Mutex<()>,
    /// What is said to a browser that is over its share, and to everyone at an address.
    said: [&'static str; 2],
}

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
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

    /// Takes from both shares, or from neither.
    fn take(&self, browser: Option<Hash>, address: Option<IpAddr>, count: u32) -> Result<(), TooMany> {
        let (now, address) = (Instant::now(), address.map(counted));
        let is_there = |wait: Option<Duration>, what| match wait {
            Some(Duration::ZERO) => Ok(()),
            // More than there ever is has to wait for another day.
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
                    "You've made too many moves in puzzles. Try again in a few minutes.",
                    "Too many moves in puzzles came from your network. Try again in a minute.",
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

    /// A request that stores something is about to be looked at.
    ///
    /// # Errors
    ///
    /// If its browser or its address has sent too many of the kind.
    pub fn admit(
        &self,
        stores: Stores,
        browser: Option<Hash>,
        address: Option<IpAddr>,
    ) -> Result<(), TooMany> {
        let share = match stores {
            Stores::Nothing => return Ok(()),
            Stores::Rounds => &self.rounds,
            Stores::Books => &self.books,
            Stores::Classes => &self.classes,
            Stores::Puzzles => &self.puzzles,
            Stores::Commands => &self.commands,
        };
        share.take(browser, address, 1)
    }

    /// A browser is about to add so many bytes for good, from the address of the request under way.
    ///
    /// # Errors
    ///
    /// If either has added as much as it may in a day.
    pub fn adds(&self, browser: Hash, bytes: usize) -> Result<(), TooMany> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let address = ADDRESS.try_with(|address| *address).ok().flatten();
        self.bytes.take(Some(browser), address, bytes)
    }

    /// The holder of a seat commands something.
    ///
    /// # Errors
    ///
    /// If they have too often.
    pub fn commands(&self, id: SittingId, holder: Hash) -> Result<(), TooMany> {
        let seat = Hash::of([&id.0[..], &holder.0].concat());
        let rate = &self.commands_of_a_seat;
        rate.check_key(&seat).map_err(|until| TooMany {
            what: "That was too fast. Try again in a moment.",
            wait: until.wait_time_from(rate.clock().now()),
        })
    }

    /// Somebody at an address begins to wait for news.
    ///
    /// # Errors
    ///
    /// If too many wait there already.
    pub fn opens_stream(&self, address: IpAddr) -> Result<Opened, TooMany> {
        let what = "Too many boards are open on your network. Close one, or try again in a minute.";
        self.streams.open(address).ok_or(TooMany { what, wait: Duration::from_secs(20) })
    }

    /// Those who have been quiet for a while are forgotten: they have their whole share again.
    pub fn forget_the_quiet(&self) {
        let Rates { rounds, books, classes, puzzles, commands, bytes, commands_of_a_seat, streams: _ } = self;
        for share in [rounds, books, classes, puzzles, commands, bytes] {
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

    /// How many of ten go through.
    fn of_ten(mut done: impl FnMut(usize) -> Result<(), TooMany>) -> usize {
        (0..10).filter(|count| done(*count).is_ok()).count()
    }

    #[test]
    fn each_rate_holds_for_each_who_is_counted() {
        let rates = Rates::new(&small());
        let browser = |name: usize| Hash::of(name.to_string());
        let begins = |browser, address| rates.admit(Stores::Rounds, Some(browser), address);
        assert_eq!(of_ten(|_| begins(browser(1), None)), 3);
        assert_eq!(of_ten(|_| begins(browser(2), None)), 3, "another browser does not notice");
        let many = |address: &str| {
            let another = |number: usize| Hash::of(format!("{number} at {address}"));
            of_ten(|number| begins(another(number), Some(address.parse().unwrap())))
        };
        assert_eq!(many("10.0.0.1"), 5);
        assert_eq!(many("::ffff:10.0.0.1"), 0, "the same address, written otherwise");
        assert_eq!(many("10.0.0.2"), 5, "another address does not notice");
        assert_eq!(many("2001:db8::1"), 5);
        assert_eq!(many("2001:db8::2"), 0, "one customer, as many addresses as they like");
        let (one, other) = (SittingId([1; 16]), SittingId([2; 16]));
        // A slow machine gives one back meanwhile.
        let four = 4..=5;
        assert!(four.contains(&of_ten(|_| rates.commands(one, browser(1)))));
        assert!(
            four.contains(&of_ten(|_| rates.commands(one, browser(2)))),
            "the other seat does not notice"
        );
        assert!(four.contains(&of_ten(|_| rates.commands(other, browser(1)))));
        let told = rates.commands(one, browser(1)).unwrap_err();
        assert!(told.wait > Duration::ZERO && told.wait <= Duration::from_secs(1), "{told:?}");
    }

    #[test]
    fn bytes_are_counted_until_there_are_too_many() {
        let rates = Rates::new(&small());
        let (one, other) = (Hash::of("one"), Hash::of("other"));
        assert_eq!(of_ten(|_| rates.adds(one, 300)), 3);
        assert!(rates.adds(one, 50).is_ok(), "a little is left");
        assert!(rates.adds(other, 1000).is_ok() && rates.adds(other, 1001).is_err());
    }

    /// Neither by its own share nor by that of others.
    #[test]
    fn a_refused_request_uses_up_nothing() {
        let rates = Rates::new(&small());
        let at = |last: u8| Some(IpAddr::from([10, 0, 0, last]));
        let begins =
            |name: &str, address| of_ten(|_| rates.admit(Stores::Rounds, Some(Hash::of(name)), address));
        assert_eq!((begins("ann", at(1)), begins("ben", at(1))), (3, 2), "the address has 5");
        assert_eq!(begins("cleo", at(1)), 0);
        assert_eq!(begins("cleo", at(2)), 3, "she has her whole share elsewhere");
        assert_eq!((begins("cleo", at(3)), begins("dora", at(3)), begins("emil", at(3))), (0, 3, 2));
    }
}
