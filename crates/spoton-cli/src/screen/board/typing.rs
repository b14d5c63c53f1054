//! Typing a move: a sign opens a field, Enter plays it.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::engine::play::Move;
use spoton::engine::position::Choice;
use spoton::records::Refused;
use spoton::sitting::Command;
use spoton::words::typed::{self, Typed};

use super::Board;
use crate::failure::Failure;
use crate::screen::canvas::{Canvas, columns, row};
use crate::screen::text_field::TextField;
use crate::screen::theme::Tone;
use crate::screen::{Go, Input, World};

/// The prompt of the field.
const ASKS: &str = "Your move: ";
/// The maximum length of a typed move.
const WIDTH: u16 = 18;

/// Whether a letter begins a word for a move: add, plus, subtract, double, divide, times. Other words begin with a key of
/// the board.
pub fn begins_a_word(letter: char) -> bool {
    matches!(letter, 'a' | 'p' | 's' | 'd' | 't')
}

impl Board {
    /// Opens the text field with its first character.
    pub(super) fn begin_typing(&mut self, letter: char) {
        let mut field = TextField::default();
        field.typed(Input::letter(letter));
        self.typing = Some(field);
    }

    /// Handles input while the player types a move.
    pub(super) fn type_on(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        let Some(field) = &mut self.typing else { return Ok(Go::Stay) };
        match input {
            Input::ENTER => self.play_typed(world)?,
            Input::Key(KeyCode::Backspace) if field.text().chars().count() <= 1 => self.typing = None,
            input if field.typed(input) => {
                // The cursor follows the typed move.
                if let Ok(choice) = self.typed_choice() {
                    self.aim_at(self.place_of(choice).unwrap_or(self.cursor.0));
                }
            }
            // Esc and menu keys close the field.
            Input::ESCAPE => self.typing = None,
            input => {
                self.typing = None;
                return self.on_turn(input, world);
            }
        }
        Ok(Go::Stay)
    }

    fn play_typed(&mut self, world: &mut World) -> Result<(), Failure> {
        match self.typed_choice() {
            // The field stays open until the move is made, because the coach may warn first.
            Ok(choice) => self.choose(choice, world),
            Err(why) => {
                world.notice = Some(why);
                self.sitting.act(Command::Refuse(Refused::Illegal))?;
                Ok(())
            }
        }
    }

    /// The typed move, if it can be made now.
    fn typed_choice(&self) -> Result<Choice, String> {
        let text = self.typing.as_ref().map(TextField::text).unwrap_or_default();
        let text = text.trim();
        // A bare number is a menu key of line mode, unless it is an amount.
        if !self.goes_by_amounts() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err("Start with a sign, such as + or -.".to_owned());
        }
        match typed::read(text, self.sitting.round())? {
            Typed::Choice(choice) => Ok(choice),
            Typed::Kind(kind) => Err(self
                .said(|dialogue| dialogue.number_prompt(kind))
                .trim()
                .trim_end_matches(':')
                .to_owned()),
        }
    }

    /// Draws the field with the result of the typed move.
    pub(super) fn draw_typing(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let Some(field) = &self.typing else { return };
        let area = row(area, area.height.saturating_sub(1));
        canvas.clear(area);
        let before = columns(ASKS) as u16;
        canvas.text(area, Tone::Strong, ASKS);
        let place = Rect { x: area.x + before, width: WIDTH.min(area.width.saturating_sub(before)), ..area };
        field.draw(canvas, place);
        let Ok(choice) = self.typed_choice() else { return };
        let a_move = self.view().moves.into_iter().find(|a_move| a_move.choice == Some(choice));
        if let Some((label, number)) = a_move.and_then(|a_move| Some((a_move.label, a_move.to.ok()?))) {
            let whose = self.whose(choice);
            let told = format!("{label} {whose}{} {number}", canvas.theme.signs.arrow);
            let beside = Rect { x: place.right(), width: area.right().saturating_sub(place.right()), ..area };
            canvas.text(beside, Tone::Number, &told);
        }
    }

    /// The owner of the number that a move changes, if that's the opponent and the book gives the move its own label.
    pub(super) fn whose(&self, choice: Choice) -> String {
        let (rulebook, position) = (self.sitting.rulebook(), self.sitting.round().position());
        let owner = rulebook.owner(position, Move::Operation(choice));
        let entry = rulebook.entry_of(position, choice).and_then(|entry| rulebook.entry(entry));
        match entry.is_some_and(|entry| entry.label.is_some()) && owner != position.turn() {
            true => format!("{} ", self.name(owner)),
            false => String::new(),
        }
    }
}
