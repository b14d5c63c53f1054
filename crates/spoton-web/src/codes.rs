//! Codes that people read out and type: capital consonants, which never spell words. They are short enough to guess, so
//! wrong ones are rate-limited.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use spoton::words::phrases;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::address::counted;
use crate::ids::{Hash, random};
use crate::limits::{
    CODES_OF_AN_ADDRESS, LONGEST_HOLD_UP, WRONG_CODES_HELD_UP, WRONG_CODES_OF_A_BROWSER,
    WRONG_CODES_OF_AN_ADDRESS, WRONG_CODES_WITHOUT_HOLD_UP,
};
use crate::rate::Rate;
use crate::store::{Store, TriedCode, Unavailable};

const MINUTE: Duration = Duration::from_secs(60);

/// Without `L`, which looks like other letters in lowercase, and without `Y`, a semivowel.
const LETTERS: &[u8; 19] = b"BCDFGHJKMNPQRSTVWXZ";

/// Length of a class's code.
pub(crate) const OF_CLASS: usize = 6;

/// Length of a code that moves a seat to another device.
pub(crate) const OF_DEVICE: usize = 8;

/// Returns a new random code.
pub fn new(length: usize) -> String {
    let bytes = std::iter::repeat_with(random::<32>).flatten();
    // Rejects bytes that would make some letters more likely.
    let even = bytes.filter(|byte| usize::from(*byte) < 256 / LETTERS.len() * LETTERS.len());
    even.take(length).map(letter).collect()
}

/// Derives a code from a hash.
pub(crate) fn from_hash(hash: &Hash, length: usize) -> String {
    // Two bytes per letter keep the bias negligible.
    let pairs = hash.0.chunks_exact(2).map(|pair| usize::from(pair[0]) << 8 | usize::from(pair[1]));
    pairs.take(length).map(|number| char::from(LETTERS[number % LETTERS.len()])).collect()
}

fn letter(byte: u8) -> char {
    char::from(LETTERS[usize::from(byte) % LETTERS.len()])
}

/// Parses a typed code in any case, with or without spaces. Returns `None` if it can't be one.
pub fn read(typed: &str) -> Option<String> {
    let letters = typed.chars().filter(|letter| !letter.is_whitespace() && !"-.".contains(*letter));
    let code: String = letters.map(|letter| letter.to_ascii_uppercase()).take(OF_DEVICE + 1).collect();
    let fits = matches!(code.len(), OF_CLASS | OF_DEVICE) && code.bytes().all(|byte| LETTERS.contains(&byte));
    fits.then_some(code)
}

/// Formats a code in two halves, which are easier to read out.
pub fn shown(code: &str) -> String {
    match code.split_at_checked(code.len() / 2) {
        Some((one, two)) => format!("{one} {two}"),
        None => code.to_owned(),
    }
}

/// Recent wrong codes. Right ones don't count: a whole school may join at the same time.
///
/// A browser that enters too many has to wait. Answers to an address's wrong codes are delayed more and more, and only
/// a fixed number of them may be pending. The correct code always works, no matter what others try.
#[derive(Debug)]
pub struct Tries {
    of_browsers: Rate<Hash>,
    /// All codes from an address, right or wrong.
    all_of_addresses: Rate<IpAddr>,
    of_addresses: Rate<IpAddr>,
    places: Mutex<HashMap<IpAddr, Arc<Semaphore>>>,
}

/// The browser or address tried too many wrong codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many wrong codes; try again in {}", phrases::count(.wait.as_secs(), "second", "seconds"))]
pub(crate) struct TooManyTries {
    /// Whole seconds.
    pub wait: Duration,
}

impl TooManyTries {
    fn after(wait: Duration) -> TooManyTries {
        TooManyTries { wait: Duration::from_secs(wait.as_millis().div_ceil(1000) as u64) }
    }
}

impl Default for Tries {
    fn default() -> Tries {
        Tries {
            of_browsers: Rate::new(WRONG_CODES_OF_A_BROWSER, MINUTE),
            all_of_addresses: Rate::new(CODES_OF_AN_ADDRESS, MINUTE),
            of_addresses: Rate::new(WRONG_CODES_OF_AN_ADDRESS, MINUTE),
            places: Mutex::default(),
        }
    }
}

/// A delayed response to an invalid code. Uses one of the address's slots until dropped.
#[derive(Debug)]
pub(crate) struct HoldUp {
    pub time: Duration,
    _place: Option<OwnedSemaphorePermit>,
}

/// A tried code, with the store that counts it if several servers share one.
#[derive(Clone, Copy)]
pub(crate) struct Try<'a> {
    pub store: &'a dyn Store,
    pub code: &'a str,
    pub browser: Hash,
    pub address: Option<IpAddr>,
    pub now: Instant,
}

impl Try<'_> {
    /// Adds to a count and returns what was missing before.
    async fn count<K: std::hash::Hash + Eq + fmt::Debug>(
        &self,
        rate: &Rate<K>,
        what: &str,
        key: K,
        count: u32,
    ) -> Result<Duration, Unavailable> {
        let family = if self.code.len() == OF_CLASS { "class" } else { "device" };
        let (most, add) = rate.times(count);
        let who = Hash::digest(format!("{what} {key:?}"));
        if let Some(missing) = self.store.count_code(TriedCode { family, who, add, most }).await? {
            return Ok(missing);
        }
        let missing = rate.missing(&key, self.now);
        if count > 0 {
            rate.take(key, count, self.now);
        }
        Ok(missing)
    }
}

impl Tries {
    /// Checks whether a browser may try a code.
    ///
    /// # Errors
    ///
    /// Fails after too many wrong ones, or if the store does.
    pub(crate) async fn may_try(&self, tried: Try<'_>) -> Result<Result<(), TooManyTries>, Unavailable> {
        let missing = tried.count(&self.of_browsers, "wrong", tried.browser, 0).await?;
        Ok(match self.of_browsers.wait_of(missing, 1) {
            Some(Duration::ZERO) => Ok(()),
            wait => Err(TooManyTries::after(wait.unwrap_or(MINUTE))),
        })
    }

    /// Counts a code and returns the delay before it's checked. Past its address's limit, right and wrong codes are
    /// delayed alike, but none is refused: otherwise the errors would block pupils or reveal which codes are wrong.
    pub(crate) async fn delay(&self, tried: Try<'_>) -> Result<Duration, Unavailable> {
        let Some(address) = tried.address.map(counted) else { return Ok(Duration::ZERO) };
        let missing = tried.count(&self.all_of_addresses, "all", address, 1).await?;
        let is_free = self.all_of_addresses.wait_of(missing, 1) == Some(Duration::ZERO);
        Ok(if is_free { Duration::ZERO } else { LONGEST_HOLD_UP })
    }

    fn places(&self, address: IpAddr) -> Arc<Semaphore> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        // Drops addresses without pending answers.
        if places.len().is_power_of_two() {
            places.retain(|_, places| Arc::strong_count(places) > 1);
        }
        let all = || Arc::new(Semaphore::new(WRONG_CODES_HELD_UP));
        Arc::clone(places.entry(address).or_insert_with(all))
    }

    /// Counts an invalid code and returns the delay before the response.
    ///
    /// # Errors
    ///
    /// Fails if all slots of its address are taken, or if the store does.
    pub(crate) async fn was_wrong(
        &self,
        tried: Try<'_>,
    ) -> Result<Result<HoldUp, TooManyTries>, Unavailable> {
        tried.count(&self.of_browsers, "wrong", tried.browser, 1).await?;
        let Some(address) = tried.address.map(counted) else {
            return Ok(Ok(HoldUp { time: Duration::ZERO, _place: None }));
        };
        let before = tried.count(&self.of_addresses, "wrong", address, 1).await?;
        let used = self.of_addresses.used_of(before).saturating_add(1).min(WRONG_CODES_OF_AN_ADDRESS);
        let many = used.saturating_sub(WRONG_CODES_WITHOUT_HOLD_UP);
        let time = LONGEST_HOLD_UP * many / (WRONG_CODES_OF_AN_ADDRESS - WRONG_CODES_WITHOUT_HOLD_UP);
        if time.is_zero() {
            return Ok(Ok(HoldUp { time, _place: None }));
        }
        Ok(match self.places(address).try_acquire_owned() {
            Ok(place) => Ok(HoldUp { time, _place: Some(place) }),
            Err(_) => Err(TooManyTries::after(LONGEST_HOLD_UP)),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::limits::{CONNECTIONS_OF_AN_ADDRESS, TIME_FOR_REQUEST, TIME_OF_A_CLASS};
    use crate::store::memory::MemoryStore;

    #[test]
    fn codes_are_read_however_they_are_typed() {
        for length in [OF_CLASS, OF_DEVICE] {
            for code in [new(length), from_hash(&Hash::digest("something"), length)] {
                assert_eq!(code.len(), length);
                assert_eq!(read(&code), Some(code.clone()));
                assert_eq!(read(&format!(" {}\n", shown(&code).to_lowercase())), Some(code.clone()));
            }
        }
        assert_ne!(new(OF_DEVICE), new(OF_DEVICE));
        assert_eq!(read("bcd-fgh").as_deref(), Some("BCDFGH"));
        for wrong in ["", "BCDFG", "BCDFGHJ", "BCDFGA", "BCDFG1", "BCDFGL", "BCDFGÉ", &"B".repeat(100)] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    /// Returns a wrong class code from a browser at an address.
    fn a_try(browser: u32, address: IpAddr, now: Instant) -> Try<'static> {
        static STORE: LazyLock<MemoryStore> = LazyLock::new(MemoryStore::default);
        let browser = Hash::digest(browser.to_be_bytes());
        Try { store: &*STORE, code: "BCDFGH", browser, address: Some(address), now }
    }

    async fn wrong(
        tries: &Tries,
        browser: u32,
        address: IpAddr,
        now: Instant,
    ) -> Result<HoldUp, TooManyTries> {
        tries.was_wrong(a_try(browser, address, now)).await.unwrap()
    }

    /// Returns the delays for wrong codes from different browsers at one address. Nothing actually waits.
    async fn held_up(tries: &Tries, address: IpAddr, count: u32, now: Instant) -> Vec<Duration> {
        let mut held = Vec::new();
        for browser in 0..count {
            held.push(wrong(tries, browser, address, now).await.unwrap().time);
        }
        held
    }

    fn at(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[tokio::test]
    async fn a_browser_has_ten_wrong_codes_a_minute() {
        let (tries, now) = (Tries::default(), Instant::now());
        let (guesser, neighbour) = (1, 2);
        let may_try = async |browser, now| tries.may_try(a_try(browser, at(1), now)).await.unwrap();
        for _ in 0..10 {
            assert!(may_try(guesser, now).await.is_ok());
            wrong(&tries, guesser, at(1), now).await.unwrap();
        }
        // The error includes the time until the next attempt.
        let refused = may_try(guesser, now).await.unwrap_err();
        assert_eq!(refused.wait, Duration::from_secs(6));
        assert!(may_try(guesser, now + refused.wait).await.is_ok());
        assert!(may_try(neighbour, now).await.is_ok(), "others at the same address aren't affected");
    }

    #[tokio::test]
    async fn wrong_codes_of_an_address_are_held_up_longer_and_longer() {
        let (tries, now) = (Tries::default(), Instant::now());
        let held = held_up(&tries, at(1), 1000, now).await;
        let a_few = WRONG_CODES_WITHOUT_HOLD_UP as usize;
        assert!(held[..a_few].iter().all(Duration::is_zero), "a few typos are free");
        assert!(held.is_sorted() && held[a_few] > Duration::ZERO && held[999] == LONGEST_HOLD_UP);
        assert!(2 * LONGEST_HOLD_UP <= TIME_FOR_REQUEST, "the answer is in time");
        assert!(held_up(&tries, at(2), 1, now).await[0].is_zero(), "another address isn't delayed");
        let later = now + Duration::from_secs(60);
        assert!(held_up(&tries, at(1), 1, later).await[0].is_zero(), "after a minute it is forgotten");
        // Addresses in the same /64 count as one.
        let long = |last: u16| IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, last]);
        held_up(&tries, long(1), 60, now).await;
        assert!(held_up(&tries, long(2), 1, now).await[0] > Duration::ZERO);
    }

    #[tokio::test]
    async fn only_so_many_wrong_codes_of_an_address_are_held_up_at_a_time() {
        let (tries, now) = (Tries::default(), Instant::now());
        let mut held: Vec<HoldUp> = Vec::new();
        for browser in 0..WRONG_CODES_WITHOUT_HOLD_UP + WRONG_CODES_HELD_UP as u32 {
            held.push(wrong(&tries, browser, at(1), now).await.unwrap());
        }
        assert_eq!(wrong(&tries, 1000, at(1), now).await.unwrap_err().wait, LONGEST_HOLD_UP);
        assert!(wrong(&tries, 1000, at(2), now).await.is_ok(), "another address has its own places");
        held.pop();
        assert!(wrong(&tries, 1001, at(1), now).await.is_ok(), "a place is free again");
    }

    #[tokio::test]
    async fn past_the_limit_of_an_address_every_code_is_delayed() {
        let (tries, now) = (Tries::default(), Instant::now());
        let delay = async |address, now| tries.delay(a_try(1, address, now)).await.unwrap();
        let mut delays = Vec::new();
        for _ in 0..3 * CODES_OF_AN_ADDRESS {
            delays.push(delay(at(1), now).await);
        }
        let (free, delayed) = delays.split_at(CODES_OF_AN_ADDRESS as usize);
        assert!(free.iter().all(Duration::is_zero));
        assert!(delayed.iter().all(|delay| *delay == LONGEST_HOLD_UP));
        assert!(delay(at(2), now).await.is_zero(), "another address isn't delayed");
        assert!(delay(at(1), now + MINUTE).await.is_zero(), "after a minute it is forgotten");
    }

    #[test]
    fn one_address_tries_few_of_all_codes() {
        let minutes = TIME_OF_A_CLASS / (60 * 1000);
        // Each connection has one code pending.
        let delayed = CONNECTIONS_OF_AN_ADDRESS as u64 * 60 / LONGEST_HOLD_UP.as_secs();
        let tries = (u64::from(CODES_OF_AN_ADDRESS) + delayed) * (minutes + 1);
        assert!((LETTERS.len() as u64).pow(OF_CLASS as u32) > 7 * tries, "{tries}");
    }
}
