//! The dialog for a new rule book: template and name.

use std::ffi::OsString;

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::discovery::View;
use spoton::words::phrases;

use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::screen::canvas::{Canvas, below, inset, row};
use crate::screen::text_field::TextField;
use crate::screen::theme::Tone;
use crate::screen::{Input, Offer};

/// The label of the name field.
const NAME: &str = "Name   ";
/// The box's maximum width.
const WIDEST: u16 = 76;

pub struct Beginning {
    /// The templates: the example, or a game by name and title.
    models: Vec<(Option<OsString>, String)>,
    model: usize,
    name: TextField,
}

impl Beginning {
    /// `name` is the suggested name.
    pub fn new(folders: &Folders, name: &str) -> Beginning {
        let blank = (None, "a small example with every line explained".to_owned());
        let valid = |found: game::FoundGame| {
            let title = found.listed.rulebook.as_ref()?.title().to_owned();
            Some((Some(found.name), title))
        };
        let models = [blank].into_iter().chain(game::all(folders).into_iter().filter_map(valid)).collect();
        let mut field = TextField::default();
        for letter in name.chars() {
            field.typed(Input::letter(letter));
        }
        Beginning { models, model: 0, name: field }
    }

    /// Handles a key: arrows change the template, everything else edits the name.
    pub fn takes(&mut self, input: Input) {
        let count = self.models.len();
        match input {
            Input::Key(KeyCode::Right | KeyCode::Down) => self.model = (self.model + 1) % count,
            Input::Key(KeyCode::Left | KeyCode::Up) => self.model = (self.model + count - 1) % count,
            input => {
                self.name.typed(input);
            }
        }
    }

    /// The file name without extension, or an error that explains valid names.
    pub fn name(&self) -> Result<String, String> {
        let name = self.name.text().trim().replace(' ', "-");
        let fits = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
        match !name.is_empty() && name.chars().all(fits) {
            true => Ok(name),
            false => Err("Use letters, digits and -, such as my-game.".to_owned()),
        }
    }

    /// The initial text, with a title made from the name.
    pub fn text(&self, name: &str, view: View) -> Result<String, Failure> {
        let like = self.models.get(self.model).and_then(|(like, _)| like.as_deref());
        let words: Vec<String> = name.split(['-', '_']).map(phrases::capitalised).collect();
        let title = format!("title = \"{}\"", words.join(" "));
        let text = game::new_text(like, view)?;
        // The first title is the book's; variants follow later.
        let mut titled = false;
        let lines = text.lines().map(|line| match !titled && line.starts_with("title =") {
            true => {
                titled = true;
                title.as_str()
            }
            false => line,
        });
        Ok(lines.map(|line| format!("{line}\n")).collect())
    }

    pub fn offers() -> Vec<Offer> {
        vec![
            Offer::enter("create"),
            Offer::new(Input::Key(KeyCode::Right), "Left/Right", "template"),
            Offer::escape("back"),
        ]
    }

    /// Draws the dialog in a box at the top. Returns the number of rows.
    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) -> u16 {
        const HEIGHT: u16 = 4;
        let place = Rect { height: HEIGHT.min(area.height), width: area.width.min(WIDEST), ..area };
        let inside = inset(canvas.framed(place, Tone::Plain, "New game"), 1);
        let like = self.models.get(self.model).map(|(_, title)| title.as_str()).unwrap_or_default();
        canvas.pieces(
            row(inside, 0),
            [(Tone::Plain, "Like   ".to_owned()), (Tone::Chosen, format!("<  {like}  >"))],
        );
        let line = row(below(inside, 1), 0);
        canvas.text(line, Tone::Plain, NAME);
        let taken = NAME.len() as u16;
        self.name.draw(
            canvas,
            Rect { x: line.x + taken, width: line.width.saturating_sub(taken).min(40), ..line },
        );
        HEIGHT
    }
}
