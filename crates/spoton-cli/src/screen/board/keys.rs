//! Keys that choose a move: by its position on the board, or by its amount in games with computed amounts.

use ratatui::crossterm::event::KeyCode;
use spoton::engine::computed::Source;
use spoton::engine::position::Choice;
use spoton::format::Op;
use spoton::view::{MoveView, TableView, Viewer};
use spoton::words::typed;

use super::{Board, typing};
use crate::failure::Failure;
use crate::screen::{Input, World};
use spoton::records::Refused;
use spoton::sitting::Command;

/// The keys of fixed moves, in book order. No command of the board uses one of them.
pub const KEYS: &str = "123456789ABCDEFG";

impl Board {
    /// The table as the person at the keyboard sees it.
    pub(super) fn view(&self) -> TableView<'_> {
        TableView::new(&self.sitting, Viewer::at_keyboard(&self.sitting))
    }

    /// All moves on offer, with their keys.
    pub(super) fn moves(&self) -> Vec<MoveView> {
        let mut moves = self.view().moves;
        if !self.goes_by_amounts() {
            for (a_move, letter) in moves.iter_mut().zip(KEYS.chars()) {
                a_move.key = letter.to_string();
            }
        }
        moves
    }

    /// Whether a typed number is an amount. With computed amounts, positions in the menu change every turn.
    pub(super) fn goes_by_amounts(&self) -> bool {
        !self.sitting.rulebook().has_only_fixed_moves()
    }

    /// Whether amounts can have several digits, so that typing them needs Enter. This depends on the game and not on the
    /// turn, so it never changes during a round.
    pub(super) fn types_numbers(&self) -> bool {
        let one_digit = |op: &Op| match op {
            Op::Fixed(operation) => operation.amount() <= 9,
            Op::Computed(computed) => computed.source() == Source::Digit || computed.bounds().1 <= 9,
        };
        self.goes_by_amounts() && !self.sitting.rulebook().moves().iter().all(|entry| one_digit(&entry.op))
    }

    /// The number of moves on offer.
    pub(super) fn offered(&self) -> usize {
        self.view().moves.len()
    }

    /// Whether there are more moves than keys.
    pub(super) fn is_long(&self) -> bool {
        self.offered() > KEYS.len()
    }

    /// A choice's position on the board.
    pub(super) fn place_of(&self, choice: Choice) -> Option<usize> {
        self.view().moves.iter().position(|a_move| a_move.choice == Some(choice))
    }

    /// Handles a letter or digit that isn't a command: a move or the start of one.
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
            None => world.notice = Some(format!("\"{letter}\" does nothing here. Press ? for the keys.")),
        }
        Ok(())
    }

    /// Moves the cursor to the first legal move with an amount, if several have it.
    fn go_to_amount(&mut self, digit: char) {
        let rulebook = self.sitting.rulebook();
        let has_it = |a_move: &MoveView| {
            let amount = a_move.choice.and_then(|choice| rulebook.operation(choice)).map(|op| op.amount());
            a_move.is_legal() && amount == digit.to_digit(10).map(i64::from)
        };
        if let Some(place) = self.view().moves.iter().position(has_it) {
            self.aim_at(place);
        }
    }

    /// Whether this key ends the typing of a number: it isn't a digit, so it is for the board.
    pub(super) fn leaves_number(&self, input: Input) -> bool {
        let number = self.typing.as_ref().map(|field| field.text()).unwrap_or_default();
        let types_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        types_number && matches!(input, Input::Key(KeyCode::Char(letter)) if !letter.is_ascii_digit())
    }

    /// The keys that choose a move, in words. Empty if there is no move to choose.
    pub(super) fn choosing_keys(&self) -> String {
        let keys = match self.offered().min(KEYS.len()) {
            _ if self.ending.is_some() || self.sitting.computer().is_some() => return String::new(),
            _ if self.types_numbers() => {
                return "type a number or use the arrow keys to choose a move, then press Enter; ".to_owned();
            }
            _ if self.goes_by_amounts() => "a move's number".to_owned(),
            0 | 1 => "1".to_owned(),
            count @ 2..=9 => format!("1 to {count}"),
            count => format!("1 to 9 or capital A to {}", KEYS.chars().nth(count - 1).unwrap_or('G')),
        };
        format!("{keys} or the arrow keys and Enter choose a move; ")
    }

    /// The sign of the first move on offer.
    pub(super) fn first_sign(&self) -> char {
        self.view().moves.first().and_then(|first| first.written.chars().next()).unwrap_or('+')
    }
}
