//! The lines of a menu, and what each of them is typed by.
//!
//! Fixed moves are typed by the number of their line. Where amounts come from the number, a move is typed by its amount:
//! there, "5" can only mean 5, whatever stands in the fifth line.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::catalog;
//! use spoton::words::menu;
//!
//! let fair_shares = Arc::new(catalog::draft("fair-shares").unwrap().build()?);
//! let lines = menu::lines(&Round::new(fair_shares, Player::One));
//! let keys: Vec<&str> = lines.iter().map(|(key, _)| key.as_str()).collect();
//! assert_eq!(keys, ["1", "2", "3", "5", "6", "10", "15"]);
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use crate::engine::position::{MOST_MOVES, Position};
use crate::engine::round::Round;
use crate::engine::written::Offer;
use crate::format::{Menu, Rulebook};
use crate::words::phrases;

/// What stands in the place of a key where an entry has no amount now, so that nothing can be typed for it.
pub const NO_KEY: &str = "-";

/// The lines of a round's menu with their keys, in the order of the book. A line that stands for an entry without an
/// amount is among them.
pub fn lines(round: &Round) -> Vec<(String, Offer)> {
    let rulebook = round.rulebook();
    let legal_only = rulebook.wording().menu() == Menu::Legal;
    let shown = rulebook.offers(round.position()).filter(|offer| !legal_only || offer.result.is_ok());
    with_keys(rulebook, shown.collect())
}

/// Everything that is on offer at a position, with its keys, in the order of the book.
pub fn all_lines(rulebook: &Rulebook, position: &Position) -> Vec<(String, Offer)> {
    with_keys(rulebook, rulebook.offers(position).collect())
}

/// The amount that a line changes a number by; `None` for an entry that has none now.
pub(crate) fn amount(rulebook: &Rulebook, offer: &Offer) -> Option<i64> {
    Some(rulebook.operation(offer.choice?)?.amount())
}

fn with_keys(rulebook: &Rulebook, offers: Vec<Offer>) -> Vec<(String, Offer)> {
    if rulebook.has_only_fixed_moves() {
        return (1..).map(|place: usize| place.to_string()).zip(offers).collect();
    }
    // What is barred takes no key from what is not.
    let alike = |one: &Offer, other: &Offer| {
        amount(rulebook, one) == amount(rulebook, other) && (one.result.is_err() || other.result.is_ok())
    };
    let key = |offer: &Offer| match amount(rulebook, offer) {
        None => NO_KEY.to_owned(),
        Some(amount) if offers.iter().filter(|other| alike(offer, other)).count() == 1 => amount.to_string(),
        // To add 2 and to multiply by 2 are told apart by their signs.
        Some(_) => rulebook.write_offer(offer),
    };
    let keys: Vec<String> = offers.iter().map(key).collect();
    keys.into_iter().zip(offers).collect()
}

/// The keys of a round's menu, in words: `1, 2 or 3`; of very many, the first and the last. Of computed amounts, only
/// those that can be chosen.
pub(crate) fn keys_in_words(round: &Round) -> String {
    let fixed = round.rulebook().has_only_fixed_moves();
    let lines = lines(round).into_iter().filter(|(_, offer)| fixed || offer.result.is_ok());
    let keys: Vec<String> = lines.map(|(key, _)| key).collect();
    let number = |key: &String| key.parse::<i64>().ok();
    let follows =
        |pair: &[String]| number(&pair[0]).zip(number(&pair[1])).is_some_and(|(one, next)| next - one == 1);
    match &keys[..] {
        [first, .., last] if keys.len() > MOST_MOVES && keys.windows(2).all(follows) => {
            format!("{first} to {last}")
        }
        [first, second, third, .., last] if keys.len() > MOST_MOVES => {
            format!("{first}, {second}, {third} ... {last}")
        }
        _ => phrases::or_list(keys),
    }
}
