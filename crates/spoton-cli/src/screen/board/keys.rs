//! The keys that choose a move: the place of a fixed move on the board, or the amount where amounts are computed.

use ratatui::crossterm::event::KeyCode;
use spoton::engine::computed::Source;
use spoton::engine::position::Choice;
use spoton::engine::written::Offer;
use spoton::format::Op;
use spoton::words::{menu, typed};

use super::{Board, typing};
use crate::failure::Failure;
use crate::screen::{Input, World};
use spoton::records::Refused;
use spoton::sitting::Command;

/// The keys of fixed moves, in the order of the book. No other letter of the board is among them.
pub const KEYS: &str = "123456789ABCDEFG";

impl Board {
    /// Everything on offer, with the key that it is typed by.
    pub(super) fn lines(&self) -> Vec<(String, Offer)> {
        let mut lines = menu::all_lines(self.sitting.rulebook(), self.sitting.round().position());
        if !self.goes_by_amounts() {
            for ((key, _), letter) in lines.iter_mut().zip(KEYS.chars()) {
                *key = letter.to_string();
            }
        }
        lines
    }

    /// Whether a number that is typed is an amount. Its place in the menu would change from turn to turn.
    pub(super) fn goes_by_amounts(&self) -> bool {
        !self.sitting.rulebook().has_only_fixed_moves()
    }

    /// Whether a number can have several digits, so that only Enter says that it is whole. That depends on the game and
    /// not on the turn, so that nobody has to look whether this time Enter is needed.
    pub(super) fn types_numbers(&self) -> bool {
        let one_digit = |op: &Op| match op {
            Op::Fixed(operation) => operation.amount() <= 9,
            Op::Computed(computed) => computed.source() == Source::Digit || computed.bounds().1 <= 9,
        };
        self.goes_by_amounts() && !self.sitting.rulebook().moves().iter().all(|entry| one_digit(&entry.op))
    }

    /// How many lines are on offer.
    pub(super) fn offered(&self) -> usize {
        self.sitting.rulebook().offers(self.sitting.round().position()).count()
    }

    /// Whether there are more lines than could stand as cards.
    pub(super) fn is_long(&self) -> bool {
        self.offered() > KEYS.len()
    }

    /// The operation at a place on the board.
    pub(super) fn choice_at(&self, place: usize) -> Option<Choice> {
        let offers = self.sitting.rulebook().offers(self.sitting.round().position());
        offers.map(|offer| offer.choice).nth(place).flatten()
    }

    /// The place of an operation on the board.
    pub(super) fn place_of(&self, choice: Choice) -> Option<usize> {
        let mut offers = self.sitting.rulebook().offers(self.sitting.round().position());
        offers.position(|offer| offer.choice == Some(choice))
    }

    /// Takes a letter or a digit that is no command: a move, the beginning of one, or nothing.
    pub(super) fn by_letter(&mut self, letter: char, world: &mut World) -> Result<(), Failure> {
        let begins_a_move = typed::is_sign(letter) || typing::begins_a_word(letter);
        if begins_a_move || letter.is_ascii_digit() && self.types_numbers() {
            self.begin_typing(letter);
            return Ok(());
        }
        if letter.is_ascii_digit() && self.goes_by_amounts() {
            return match typed::read(&letter.to_string(), self.sitting.round()) {
                Ok(typed::Typed::Choice(choice)) => self.choose(choice, world),
                Ok(typed::Typed::Kind(_)) => Ok(()),
                Err(why) => {
                    self.go_to_amount(letter);
                    world.notice = Some(why);
                    self.sitting.act(Command::Refuse(Refused::Illegal))?;
                    Ok(())
                }
            };
        }
        let place = KEYS.chars().position(|key| key == letter);
        match place.filter(|place| *place < self.offered() && !self.goes_by_amounts()) {
            Some(place) => self.choose_at(place, world)?,
            None => world.notice = Some(format!("\"{letter}\" does nothing here. ? shows the keys.")),
        }
        Ok(())
    }

    /// Brings the cursor to the first legal move with an amount, so that Enter answers which of several is meant.
    fn go_to_amount(&mut self, digit: char) {
        let rulebook = self.sitting.rulebook();
        let has_it = |offer: &Offer| {
            let amount = offer.choice.and_then(|choice| rulebook.operation(choice)).map(|op| op.amount());
            offer.result.is_ok() && amount == digit.to_digit(10).map(i64::from)
        };
        let place = rulebook.offers(self.sitting.round().position()).position(|offer| has_it(&offer));
        if let Some(place) = place {
            self.aim_at(place);
        }
    }

    /// Whether a number is being typed, and this is no digit: then it is meant for the board.
    pub(super) fn leaves_number(&self, input: Input) -> bool {
        let number = self.typing.as_ref().map(|field| field.text()).unwrap_or_default();
        let types_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        types_number && matches!(input, Input::Key(KeyCode::Char(letter)) if !letter.is_ascii_digit())
    }

    /// The keys that choose a move, in words; nothing while there is none to choose.
    pub(super) fn choosing_keys(&self) -> String {
        let keys = match self.offered().min(KEYS.len()) {
            _ if self.ending.is_some() || self.sitting.computer().is_some() => return String::new(),
            _ if self.types_numbers() => {
                return "to choose a move, type its number and Enter, or use the arrow keys and Enter; "
                    .to_owned();
            }
            _ if self.goes_by_amounts() => "the number of a move".to_owned(),
            0 | 1 => "1".to_owned(),
            count @ 2..=9 => format!("1 to {count}"),
            count => format!("1 to 9 and A to {} in capitals", KEYS.chars().nth(count - 1).unwrap_or('G')),
        };
        format!("{keys}, or the arrow keys and Enter, choose a move; ")
    }

    /// The sign of the first move on offer, which begins a typed one.
    pub(super) fn first_sign(&self) -> char {
        let rulebook = self.sitting.rulebook();
        let first = rulebook.offers(self.sitting.round().position()).next();
        first.and_then(|offer| rulebook.write_offer(&offer).chars().next()).unwrap_or('+')
    }
}
