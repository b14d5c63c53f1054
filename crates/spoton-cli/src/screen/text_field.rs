//! A text field with a maximum length that drops hidden characters.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Position, Rect};
use spoton::format::is_hidden;

use super::Input;
use super::canvas::Canvas;
use super::theme::Tone;

/// The maximum number of characters.
const LONGEST: usize = 200;

#[derive(Default)]
pub struct TextField {
    letters: Vec<char>,
    /// The position of the next character.
    caret: usize,
}

impl TextField {
    pub fn text(&self) -> String {
        self.letters.iter().collect()
    }

    pub fn clear(&mut self) {
        *self = TextField::default();
    }

    /// Handles a key. Returns whether the field used it.
    pub fn typed(&mut self, input: Input) -> bool {
        let Input::Key(key) = input else { return false };
        let end = self.letters.len();
        match key {
            KeyCode::Char(letter) => {
                if end < LONGEST && !is_hidden(letter) {
                    self.letters.insert(self.caret, letter);
                    self.caret += 1;
                }
            }
            KeyCode::Backspace if self.caret > 0 => {
                self.caret -= 1;
                self.letters.remove(self.caret);
            }
            KeyCode::Delete if self.caret < end => drop(self.letters.remove(self.caret)),
            KeyCode::Backspace | KeyCode::Delete => {}
            KeyCode::Left => self.caret = self.caret.saturating_sub(1),
            KeyCode::Right => self.caret = (self.caret + 1).min(end),
            KeyCode::Home => self.caret = 0,
            KeyCode::End => self.caret = end,
            _ => return false,
        }
        true
    }

    /// Draws the part around the caret that fits.
    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        if area.is_empty() {
            return;
        }
        let width = |letters: &[char]| -> usize {
            letters.iter().map(|letter| canvas.line([(Tone::Plain, letter.to_string())]).width()).sum()
        };
        let fits = usize::from(area.width - 1);
        let mut first = 0;
        while width(&self.letters[first..self.caret]) > fits {
            first += 1;
        }
        let x = area.x + width(&self.letters[first..self.caret]) as u16;
        let text: String = self.letters[first..].iter().collect();
        canvas.text(area, Tone::Plain, &text);
        canvas.caret = Some(Position { x, y: area.y });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_all(field: &mut TextField, text: &str) {
        for letter in text.chars() {
            field.typed(Input::letter(letter));
        }
    }

    #[test]
    fn text_is_typed_anywhere_in_the_line() {
        let mut field = TextField::default();
        type_all(&mut field, "leve 5");
        for key in [KeyCode::Home, KeyCode::Right, KeyCode::Right] {
            field.typed(Input::Key(key));
        }
        type_all(&mut field, "a");
        assert_eq!(field.text(), "leave 5");
        for key in [KeyCode::End, KeyCode::Backspace, KeyCode::Left, KeyCode::Delete, KeyCode::Delete] {
            field.typed(Input::Key(key));
        }
        assert_eq!(field.text(), "leave");
        assert!(!field.typed(Input::ENTER));
    }

    #[test]
    fn input_is_bounded_and_harmless() {
        let mut field = TextField::default();
        type_all(&mut field, "a\u{1b}\n\t\u{202e}\u{7f}b");
        assert_eq!(field.text(), "ab");
        type_all(&mut field, &"x".repeat(1000));
        assert_eq!(field.text().chars().count(), LONGEST);
    }
}
