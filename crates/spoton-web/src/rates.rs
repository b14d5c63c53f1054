//! How often is too often: by browser, by address and by seat. Whoever keeps within it never notices.

use std::collections::HashMap;
use std::hash::Hash as Key;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::Clock;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::ids::{Hash, SittingId};
use crate::limits::Limits;

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
        what: "you have too many unfinished rounds; finish one of them, or give it up",
        wait: Duration::from_secs(60),
    };
}

/// Who has done how much lately.
pub struct Rates {
    new_of_a_browser: DefaultKeyedRateLimiter<Hash>,
    new_of_an_address: DefaultKeyedRateLimiter<IpAddr>,
    commands: DefaultKeyedRateLimiter<Hash>,
    streams: Arc<Streams>,
}

/// How many streams are open to whom.
struct Streams {
    most: usize,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// A stream that is open; it counts until it is dropped.
pub struct OpenStream {
    streams: Arc<Streams>,
    address: IpAddr,
}

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// So many in a time, at once or spread over it.
fn quota(most: u32, time: Duration) -> Quota {
    let most = NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN);
    // Only a time of nothing has no quota.
    let quota = Quota::with_period(time / most.get()).unwrap_or(Quota::per_second(most));
    quota.allow_burst(most)
}

fn check<K: Key + Eq + Clone>(
    rate: &DefaultKeyedRateLimiter<K>,
    key: &K,
    what: &'static str,
) -> Result<(), TooMany> {
    rate.check_key(key).map_err(|until| TooMany { what, wait: until.wait_time_from(rate.clock().now()) })
}

impl Rates {
    pub fn new(limits: &Limits) -> Rates {
        let at_once = NonZeroU32::new(limits.commands_at_once).unwrap_or(NonZeroU32::MIN);
        let commands = quota(limits.commands_of_a_seat, Duration::from_secs(1)).allow_burst(at_once);
        let streams = Streams { most: limits.streams_of_an_address, open: Mutex::default() };
        Rates {
            new_of_a_browser: RateLimiter::keyed(quota(limits.new_of_a_browser, HOUR)),
            new_of_an_address: RateLimiter::keyed(quota(limits.new_of_an_address, MINUTE)),
            commands: RateLimiter::keyed(commands),
            streams: Arc::new(streams),
        }
    }

    /// A sitting is about to be begun by a browser, from the address of the request under way.
    ///
    /// # Errors
    ///
    /// If either has begun too many.
    pub fn begins(&self, browser: Hash) -> Result<(), TooMany> {
        if let Ok(Some(address)) = ADDRESS.try_with(|address| *address) {
            let what = "too many new rounds come from your network just now; wait a little";
            check(&self.new_of_an_address, &counted(address), what)?;
        }
        check(&self.new_of_a_browser, &browser, "you have begun very many rounds; wait a little")
    }

    /// The holder of a seat commands something.
    ///
    /// # Errors
    ///
    /// If they have too often.
    pub fn commands(&self, id: SittingId, holder: Hash) -> Result<(), TooMany> {
        let seat = Hash::of([&id.0[..], &holder.0].concat());
        check(&self.commands, &seat, "that was a lot at once; wait a little")
    }

    /// A stream is opened from an address.
    ///
    /// # Errors
    ///
    /// If too many are open to it already.
    pub fn opens_stream(&self, address: IpAddr) -> Result<OpenStream, TooMany> {
        let address = counted(address);
        let mut open = self.streams.open();
        let count = open.entry(address).or_default();
        if *count >= self.streams.most {
            let wait = Duration::from_secs(20);
            return Err(TooMany { what: "too many from your network are listening just now", wait });
        }
        *count += 1;
        drop(open);
        Ok(OpenStream { streams: Arc::clone(&self.streams), address })
    }

    /// Those who have been quiet for a while are forgotten: they have their whole share again.
    pub fn forget_the_quiet(&self) {
        self.new_of_a_browser.retain_recent();
        self.new_of_an_address.retain_recent();
        self.commands.retain_recent();
    }
}

impl Streams {
    fn open(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.streams.open();
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

/// What counts as one address: whoever has one of the new long ones has as many as they like of the same beginning.
fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(long) => {
            let [a, b, c, d, ..] = long.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        short => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Limits {
        Limits {
            new_of_a_browser: 3,
            new_of_an_address: 5,
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
        assert_eq!(of_ten(|_| rates.begins(browser(1))), 3);
        assert_eq!(of_ten(|_| rates.begins(browser(2))), 3, "another browser does not notice");
        let from = |address: &str| Some(address.parse().unwrap());
        let many = |address| ADDRESS.sync_scope(from(address), || of_ten(|i| rates.begins(browser(100 + i))));
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
    fn a_stream_counts_until_it_is_closed() {
        let rates = Rates::new(&small());
        let address = "10.0.0.1".parse().unwrap();
        let first = rates.opens_stream(address).ok().unwrap();
        let _second = rates.opens_stream(address).ok().unwrap();
        assert!(rates.opens_stream(address).is_err());
        assert!(rates.opens_stream("10.0.0.2".parse().unwrap()).is_ok());
        drop(first);
        assert!(rates.opens_stream(address).is_ok());
    }
}
