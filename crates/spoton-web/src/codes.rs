//! Codes that people read out and type: consonants, which spell nothing, in capitals. Short as they are, they could be
//! guessed; so wrong ones are counted.

use std::collections::HashMap;
use std::hash::Hash as HashKey;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use spoton::words::phrases;

use crate::ids::{Hash, random};
use crate::limits::{WRONG_CODES, WRONG_CODES_OF_A_BROWSER, WRONG_CODES_OF_AN_ADDRESS};

/// `L` is missing, since it looks like others when it is small, and `Y`, which is half a vowel.
const LETTERS: &[u8; 19] = b"BCDFGHJKMNPQRSTVWXZ";

/// How many letters the code of a class has.
pub const OF_CLASS: usize = 6;

/// How many letters the code has that moves a seat to another device.
pub const OF_DEVICE: usize = 8;

/// A new code.
pub fn new(length: usize) -> String {
    let bytes = std::iter::repeat_with(random::<32>).flatten();
    // The others would make some letters more likely than others.
    let even = bytes.filter(|byte| usize::from(*byte) < 256 / LETTERS.len() * LETTERS.len());
    even.take(length).map(letter).collect()
}

/// The code that a hash stands for.
pub fn from_hash(hash: &Hash, length: usize) -> String {
    // Two bytes each: so no letter is noticeably more likely than another.
    let pairs = hash.0.chunks_exact(2).map(|pair| usize::from(pair[0]) << 8 | usize::from(pair[1]));
    pairs.take(length).map(|number| char::from(LETTERS[number % LETTERS.len()])).collect()
}

fn letter(byte: u8) -> char {
    char::from(LETTERS[usize::from(byte) % LETTERS.len()])
}

/// A code as somebody has typed it: in small letters or with spaces, as they like. `None` if it cannot be one.
pub fn read(typed: &str) -> Option<String> {
    let letters = typed.chars().filter(|letter| !letter.is_whitespace() && !"-.".contains(*letter));
    let code: String = letters.map(|letter| letter.to_ascii_uppercase()).take(OF_DEVICE + 1).collect();
    let fits = matches!(code.len(), OF_CLASS | OF_DEVICE) && code.bytes().all(|byte| LETTERS.contains(&byte));
    fits.then_some(code)
}

/// A code as it is shown: in two halves, which are easier to read out.
pub fn shown(code: &str) -> String {
    match code.split_at_checked(code.len() / 2) {
        Some((one, two)) => format!("{one} {two}"),
        None => code.to_owned(),
    }
}

/// Who has tried wrong codes lately. Only these count: a whole school may come in with right ones at once.
#[derive(Debug)]
pub struct Tries {
    of_browsers: Rate<Hash>,
    of_addresses: Rate<IpAddr>,
    of_all: Rate<()>,
}

/// Too many wrong codes were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many wrong codes; try again in {}", phrases::count(.wait.as_secs(), "second", "seconds"))]
pub struct TooManyTries {
    /// Whole seconds.
    pub wait: Duration,
}

impl Default for Tries {
    fn default() -> Tries {
        Tries {
            of_browsers: Rate::new(WRONG_CODES_OF_A_BROWSER),
            of_addresses: Rate::new(WRONG_CODES_OF_AN_ADDRESS),
            of_all: Rate::new(WRONG_CODES),
        }
    }
}

impl Tries {
    /// Whether somebody may try a code. It is looked at before the code is, so that nobody goes on guessing.
    pub fn may_try(&self, browser: Hash, address: Option<IpAddr>, now: Instant) -> Result<(), TooManyTries> {
        let of_address = address.map(|address| self.of_addresses.wait(&network(address), now));
        let waits =
            [Some(self.of_browsers.wait(&browser, now)), of_address, Some(self.of_all.wait(&(), now))];
        match waits.into_iter().flatten().max().unwrap_or_default() {
            Duration::ZERO => Ok(()),
            wait => Err(TooManyTries { wait: Duration::from_secs(wait.as_millis().div_ceil(1000) as u64) }),
        }
    }

    /// A code was wrong.
    pub fn was_wrong(&self, browser: Hash, address: Option<IpAddr>, now: Instant) {
        self.of_browsers.use_one(browser, now);
        if let Some(address) = address {
            self.of_addresses.use_one(network(address), now);
        }
        self.of_all.use_one((), now);
    }
}

/// Whoever has one address of the newer kind has very many that begin alike.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        short => short,
    }
}

/// So many a minute: at once, and then one by one as time goes by. Unlike the rates of requests it can be looked at
/// without using it up.
#[derive(Debug)]
struct Rate<K> {
    a_minute: u32,
    /// When everything is there again that each of them has used.
    whole_again: Mutex<HashMap<K, Instant>>,
}

impl<K: HashKey + Eq> Rate<K> {
    fn new(a_minute: u32) -> Rate<K> {
        Rate { a_minute, whole_again: Mutex::default() }
    }

    /// How long it takes until one more is there.
    fn step(&self) -> Duration {
        Duration::from_secs(60) / self.a_minute
    }

    /// How long it takes until one is there; no time if there is one.
    fn wait(&self, key: &K, now: Instant) -> Duration {
        let whole_again = self.whole_again.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = whole_again.get(key).map(|then| then.saturating_duration_since(now));
        missing.unwrap_or_default().saturating_sub(self.step() * (self.a_minute - 1))
    }

    #[cfg(test)]
    fn has_left(&self, key: &K, now: Instant) -> bool {
        self.wait(key, now) == Duration::ZERO
    }

    fn use_one(&self, key: K, now: Instant) {
        let mut whole_again = self.whole_again.lock().unwrap_or_else(PoisonError::into_inner);
        // Those who have everything again are forgotten.
        if whole_again.len().is_power_of_two() {
            whole_again.retain(|_, then| *then > now);
        }
        let then = whole_again.entry(key).or_insert(now);
        *then = now.max(*then) + self.step();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_however_they_are_typed() {
        for length in [OF_CLASS, OF_DEVICE] {
            for code in [new(length), from_hash(&Hash::of("something"), length)] {
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

    #[test]
    fn what_was_used_comes_back_one_by_one() {
        let rate = Rate::new(10);
        let begin = Instant::now();
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        for _ in 0..10 {
            assert!(rate.has_left(&"ann", begin));
            rate.use_one("ann", begin);
        }
        assert!(!rate.has_left(&"ann", begin) && rate.has_left(&"ben", begin));
        assert!(!rate.has_left(&"ann", at(5)) && rate.has_left(&"ann", at(6)));
        rate.use_one("ann", at(6));
        assert!(!rate.has_left(&"ann", at(6)));
        // After a minute everything is there again, and no more than that.
        for _ in 0..10 {
            assert!(rate.has_left(&"ann", at(100)));
            rate.use_one("ann", at(100));
        }
        assert!(!rate.has_left(&"ann", at(100)));
    }

    #[test]
    fn a_browser_has_ten_wrong_codes_and_its_address_sixty() {
        let (tries, now) = (Tries::default(), Instant::now());
        let address = Some(IpAddr::from([10, 0, 0, 1]));
        let browser = |number: u32| Hash::of(number.to_be_bytes());
        for number in 0..6 {
            for _ in 0..10 {
                assert_eq!(tries.may_try(browser(number), address, now), Ok(()));
                tries.was_wrong(browser(number), address, now);
            }
            // It is known when the next one may be tried.
            let too_many = Err(TooManyTries { wait: Duration::from_secs(6) });
            assert_eq!(tries.may_try(browser(number), address, now), too_many);
        }
        let too_many = Err(TooManyTries { wait: Duration::from_secs(1) });
        assert_eq!(tries.may_try(browser(7), address, now), too_many);
        assert_eq!(tries.may_try(browser(7), Some(IpAddr::from([10, 0, 0, 2])), now), Ok(()));
        // Addresses that begin alike are one.
        let long = |last: u16| Some(IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, last]));
        for number in 0..60 {
            tries.was_wrong(browser(100 + number), long(number as u16), now);
        }
        assert_eq!(tries.may_try(browser(8), long(1000), now), too_many);
    }

    #[test]
    fn all_together_have_a_thousand_wrong_codes() {
        let (tries, now) = (Tries::default(), Instant::now());
        for number in 0..1000_u32 {
            assert_eq!(tries.may_try(Hash::of(number.to_be_bytes()), None, now), Ok(()), "{number}");
            tries.was_wrong(Hash::of(number.to_be_bytes()), None, now);
        }
        let too_many = Err(TooManyTries { wait: Duration::from_secs(1) });
        assert_eq!(tries.may_try(Hash::of("another"), None, now), too_many);
    }
}
