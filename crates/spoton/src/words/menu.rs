//! A menu's lines and their keys.
//!
//! A fixed move's key is its line number. With computed amounts, the key is the amount: "5" always means 5, never the
//! fifth line.
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

/// The key for an entry that has no amount now, so there's nothing to type.
pub(crate) const NO_KEY: &str = "-";

/// The lines of a round's menu with their keys, in the book's order. Includes entries without an amount.
pub fn lines(round: &Round) -> Vec<(String, Offer)> {
    let rulebook = round.rulebook();
    let legal_only = rulebook.wording().menu() == Menu::Legal;
    let shown = rulebook.offers(round.position()).filter(|offer| !legal_only || offer.result.is_ok());
    with_keys(rulebook, shown.collect())
}

/// All offers at a position with their keys, in the book's order.
pub(crate) fn all_lines(rulebook: &Rulebook, position: &Position) -> Vec<(String, Offer)> {
    with_keys(rulebook, rulebook.offers(position).collect())
}

/// The amount of an offer; `None` for an entry that has none now.
pub(crate) fn amount(rulebook: &Rulebook, offer: &Offer) -> Option<i64> {
    Some(rulebook.operation(offer.choice?)?.amount())
}

fn with_keys(rulebook: &Rulebook, offers: Vec<Offer>) -> Vec<(String, Offer)> {
    if rulebook.has_only_fixed_moves() {
        return (1..).map(|place: usize| place.to_string()).zip(offers).collect();
    }
    // A move that isn't allowed never takes the key of a legal one.
    let alike = |one: &Offer, other: &Offer| {
        amount(rulebook, one) == amount(rulebook, other) && (one.result.is_err() || other.result.is_ok())
    };
    let key = |offer: &Offer| match amount(rulebook, offer) {
        None => NO_KEY.to_owned(),
        Some(amount) if offers.iter().filter(|other| alike(offer, other)).count() == 1 => amount.to_string(),
        // The sign distinguishes +2 from x2.
        Some(_) => rulebook.write_offer(offer),
    };
    let keys: Vec<String> = offers.iter().map(key).collect();
    keys.into_iter().zip(offers).collect()
}

/// The keys of a round's menu: `1, 2 or 3`. A long list shows only the first few and the last. With computed amounts,
/// lists only legal moves.
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
