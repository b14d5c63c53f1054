//! Parses players' input: a number from the menu, a move in signs or words, or a move's label.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::catalog;
//! use spoton::words::typed::{self, Typed};
//!
//! let maze = Arc::new(catalog::draft("number-maze").unwrap().build()?);
//! let round = Round::new(Arc::clone(&maze), Player::One);
//! let double = maze.choice("x2".parse()?).unwrap();
//! for line in ["2", "x2", "* 2", "multiply by 2"] {
//!     assert_eq!(typed::read(line, &round), Ok(Typed::Choice(double)), "{line}");
//! }
//! assert!(typed::read("+7", &round).is_err());
//! // Without numbered lines, 2 is an amount.
//! assert_eq!(typed::read_unnumbered("2", &round), Ok(double));
//! assert_eq!(typed::read_unnumbered("9", &round).unwrap_err(), "\"9\" isn't one of the moves here: +1 or x2.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::operation::{Kind, Operation};
use crate::engine::play::{Move, Refusal};
use crate::engine::position::{Choice, MOST_MOVES};
use crate::engine::round::Round;
use crate::engine::spelling;
use crate::engine::written::{Offer, On, Written};
use crate::format::{Menu, quotable};
use crate::words::{menu, phrases};

/// A parsed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A legal operation.
    Choice(Choice),
    /// A kind of operation with several legal amounts; the dialogue asks for the amount next.
    Kind(Kind),
}

/// Parses an answer to the menu or to the first question.
///
/// # Errors
///
/// A sentence with the reason and what to type instead.
pub fn read(line: &str, round: &Round) -> Result<Typed, String> {
    let line = line.trim();
    if line.is_empty() {
        return Err(choices(round));
    }
    let questions = round.rulebook().wording().menu() == Menu::Questions;
    if line.bytes().all(|b| b.is_ascii_digit()) {
        if !round.rulebook().has_only_fixed_moves() {
            return by_amount(line, round)?.ok_or_else(|| choices(round)).map(Typed::Choice);
        }
        if !questions {
            return by_line(line, round).map(Typed::Choice);
        }
    }
    match by_words(line, round, questions)? {
        Some(typed) => Ok(typed),
        None => Err(format!("{} Type help for more.", not_understood(line, &choices(round)))),
    }
}

/// Parses a line without a numbered menu: here, a number is an amount.
///
/// # Errors
///
/// A sentence with the reason and what to type instead.
pub fn read_unnumbered(line: &str, round: &Round) -> Result<Choice, String> {
    let line = line.trim();
    if line.is_empty() {
        return Err(moves(round));
    }
    let found = match line.bytes().all(|b| b.is_ascii_digit()) {
        true => Some(Typed::Choice(by_amount(line, round)?.ok_or_else(|| no_such_amount(line, round))?)),
        false => by_words(line, round, false)?,
    };
    match found {
        Some(Typed::Choice(choice)) => Ok(choice),
        Some(Typed::Kind(_)) | None => Err(not_understood(line, &moves(round))),
    }
}

/// Parses signs, words or a label. Returns `None` if the line is none of these.
fn by_words(line: &str, round: &Round, questions: bool) -> Result<Option<Typed>, String> {
    let spelled = spelled(line);
    // A written operation wins over a label with the same text.
    if let Some((on, kind, Some(amount))) = spelled
        && let Some(choice) = offered(on, kind, amount, round)
    {
        return legal(round, choice).map(Typed::Choice).map(Some);
    }
    if let Some(offer) = by_label(line, round)? {
        return by_offer(round, &offer).map(Typed::Choice).map(Some);
    }
    match spelled {
        Some((_, _, Some(_))) => Err(not_offered(line, round)),
        Some((on, kind, None)) => by_kind(on, kind, round, questions).map(Some),
        None => Ok(None),
    }
}

/// Parses an answer to the second question.
///
/// # Errors
///
/// A sentence with the reason.
pub fn read_number(line: &str, kind: Kind, round: &Round) -> Result<Choice, String> {
    let line = line.trim();
    let number = line.parse::<i64>().ok().filter(|_| line.bytes().all(|b| b.is_ascii_digit()));
    let asked = match (number, spelled(line)) {
        (Some(amount), _) => offered(On::Own, kind, amount, round),
        (None, Some((on, kind, Some(amount)))) => offered(on, kind, amount, round),
        _ => None,
    };
    match asked {
        Some(choice) => legal(round, choice),
        None => Err(format!("\"{}\" isn't one of the numbers. {}", quotable(line), numbers(kind, round))),
    }
}

/// With fixed moves, a number selects a line in the menu.
fn by_line(number: &str, round: &Round) -> Result<Choice, String> {
    let number = number.trim_start_matches('0');
    let found = menu::lines(round).into_iter().find(|(key, _)| key == number);
    by_offer(round, &found.ok_or_else(|| choices(round))?.1)
}

/// With computed amounts, a number is an amount. Returns `None` if no move has it.
fn by_amount(number: &str, round: &Round) -> Result<Option<Choice>, String> {
    let rulebook = round.rulebook();
    let number = number.parse::<i64>().ok();
    let same = |offer: &Offer| number.is_some() && menu::amount(rulebook, offer) == number;
    let all: Vec<Offer> = rulebook.offers(round.position()).filter(same).collect();
    let legal: Vec<&Offer> = all.iter().filter(|offer| offer.result.is_ok()).collect();
    match (&legal[..], &all[..]) {
        ([offer], _) => by_offer(round, offer).map(Some),
        ([], [barred, ..]) => by_offer(round, barred).map(Some),
        ([], []) => Ok(None),
        (several, _) => {
            let which = several.iter().map(|offer| rulebook.write_offer(offer));
            Err(format!("Which one: {}?", phrases::or_list(which)))
        }
    }
}

/// Why no move has this amount. If all moves have the same sign, gives the reason for the amount with that sign.
fn no_such_amount(number: &str, round: &Round) -> String {
    let entries = round.rulebook().moves();
    let same = |(on, kind): (On, Kind)| entries.iter().all(|entry| (entry.on, entry.kind()) == (on, kind));
    let way = entries.first().map(|entry| (entry.on, entry.kind())).filter(|way| same(*way));
    let choice =
        way.zip(number.parse().ok()).and_then(|((on, kind), amount)| offered(on, kind, amount, round));
    choice.and_then(|choice| legal(round, choice).err()).unwrap_or_else(|| not_offered(number, round))
}

/// The move on a menu line, if it's legal.
fn by_offer(round: &Round, offer: &Offer) -> Result<Choice, String> {
    match (offer.choice, offer.result) {
        (Some(choice), Ok(_)) => Ok(choice),
        (_, Err(why)) => Err(refused(round, &round.rulebook().label_of_offer(offer), why)),
        (None, Ok(_)) => Err(choices(round)),
    }
}

fn legal(round: &Round, choice: Choice) -> Result<Choice, String> {
    match round.rulebook().result(round.position(), choice) {
        Ok(_) => Ok(choice),
        Err(why) => Err(refused(round, &round.rulebook().label(round.position(), choice), why)),
    }
}

fn refused(round: &Round, label: &str, why: Refusal) -> String {
    phrases::cannot(round.rulebook(), label, why)
}

/// A sentence that lists what to type.
fn choices(round: &Round) -> String {
    match round.rulebook().wording().menu() {
        Menu::Questions => moves(round),
        Menu::All | Menu::Legal => {
            format!("Please enter {}.", menu::keys_in_words(round))
        }
    }
}

/// A sentence that lists the legal moves in notation.
fn moves(round: &Round) -> String {
    let legal = round.rulebook().legal(round.position());
    let operations = legal.iter().map(|choice| round.rulebook().write(Move::Operation(choice)));
    format!("Please choose {}.", some_of(operations))
}

fn not_understood(line: &str, choices: &str) -> String {
    format!("I don't understand \"{}\". {choices}", quotable(line))
}

fn numbers(kind: Kind, round: &Round) -> String {
    let amounts = fitting(On::Own, kind, round).map(|(_, written)| written.operation.amount());
    format!("Please choose {}.", some_of(amounts.map(|amount| amount.to_string())))
}

/// The choices as a list. A long list shows only the first few and the last.
fn some_of(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match &items[..] {
        [first, second, third, .., last] if items.len() > MOST_MOVES => {
            format!("{first}, {second}, {third} ... {last}")
        }
        _ => phrases::or_list(items),
    }
}

/// The move with this label.
///
/// # Errors
///
/// If two moves have it.
fn by_label(line: &str, round: &Round) -> Result<Option<Offer>, String> {
    let rulebook = round.rulebook();
    let same = |offer: &Offer| rulebook.label_of_offer(offer).to_lowercase() == line.to_lowercase();
    match rulebook.offers(round.position()).filter(same).collect::<Vec<_>>()[..] {
        [] => Ok(None),
        [offer] => Ok(Some(offer)),
        ref several => {
            let which = several.iter().map(|offer| rulebook.write_offer(offer));
            Err(format!("Which one: {}?", phrases::or_list(which)))
        }
    }
}

/// The move with this kind and amount; `None` if the game doesn't have it.
fn offered(on: On, kind: Kind, amount: i64, round: &Round) -> Option<Choice> {
    round.rulebook().choice(Written { operation: Operation::new(kind, amount)?, on })
}

fn not_offered(line: &str, round: &Round) -> String {
    let offered = phrases::or_list(round.rulebook().written_entries());
    format!("\"{}\" isn't one of the moves here: {offered}.", quotable(line))
}

/// A kind without an amount is enough if only one of its moves is legal.
fn by_kind(on: On, kind: Kind, round: &Round, questions: bool) -> Result<Typed, String> {
    let legal: Vec<(Choice, Written)> = fitting(on, kind, round).collect();
    match legal[..] {
        [(choice, _)] if !questions => Ok(Typed::Choice(choice)),
        [] if on == On::Own && fitting(On::Other, kind, round).next().is_some() => {
            let other = fitting(On::Other, kind, round).map(|(_, written)| written);
            Err(format!("Do you mean {}? The @ marks your opponent's number.", phrases::or_list(other)))
        }
        [] => Err(none_fits(on, kind, round)),
        _ if questions => Ok(Typed::Kind(kind)),
        _ => {
            let which = some_of(legal.iter().map(|(_, written)| written.to_string()));
            Err(format!("Which one: {which}?"))
        }
    }
}

/// The legal operations of this kind.
fn fitting(on: On, kind: Kind, round: &Round) -> impl Iterator<Item = (Choice, Written)> {
    let rulebook = round.rulebook();
    let legal = rulebook.legal(round.position()).into_iter();
    let written = legal.filter_map(move |choice| Some((choice, rulebook.written(choice)?)));
    written.filter(move |(_, written)| written.operation.kind() == kind && written.on == on)
}

fn none_fits(on: On, kind: Kind, round: &Round) -> String {
    let rulebook = round.rulebook();
    let of_kind = |offer: &Offer| {
        rulebook.entry(offer.entry).is_some_and(|entry| entry.kind() == kind && entry.on == on)
    };
    let mut of_kind = rulebook.offers(round.position()).filter(of_kind);
    match (of_kind.next(), of_kind.next()) {
        (None, _) => format!("You can't {} here. {}", kind.word(), choices(round)),
        (Some(offer @ Offer { result: Err(why), .. }), None) => {
            refused(round, &rulebook.label_of_offer(&offer), why)
        }
        _ => format!("No number to {} is allowed now. {}", kind.word(), choices(round)),
    }
}

/// Parses a kind, perhaps with an amount. A leading @ means the opponent's number.
pub(crate) fn spelled(line: &str) -> Option<(On, Kind, Option<i64>)> {
    spelling::spelled(line).map(|spelled| (spelled.on, spelled.kind, spelled.amount))
}

/// Parses a line that is a single complete move: `×2`, `+ 1`, `add 1`.
pub fn written(line: &str) -> Option<Written> {
    spelling::written(line)
}

/// Whether a move can start with this character: `+`, `−`, `X`, `@`.
pub fn is_sign(letter: char) -> bool {
    letter == ':' || spelling::is_sign(letter)
}
