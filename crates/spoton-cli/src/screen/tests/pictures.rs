//! Screens held against the pictures that were approved, and what must hold for every screen on every terminal.
//!
//! A picture is a file under `pictures/`: what stands where, and below it, letter by letter, in which tone. What a tone
//! looks like is not in it: that is for `themes.rs`.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Modifier;

use spoton::engine::position::Player;

use super::themes::{ASCII_ONLY, DARK, THEMES};
use super::{Try, text};
use crate::screen::app::LEAST;
use crate::screen::theme::{Theme, Tone};

pub const USUAL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (120, 40);

const LEGEND: &str = "== . faint, s strong, n number, g good or the target, b bad, 1 2 players, c chosen";

/// The tones, by their letters. The target looks like all that is good.
const TONES: [(char, Tone); 9] = [
    (' ', Tone::Plain),
    ('.', Tone::Faint),
    ('s', Tone::Strong),
    ('n', Tone::Number),
    ('g', Tone::Good),
    ('b', Tone::Bad),
    ('1', Tone::Player(Player::One)),
    ('2', Tone::Player(Player::Two)),
    ('c', Tone::Chosen),
];

impl Try {
    /// Holds the screen against its picture, and checks what must hold for every screen on every terminal.
    #[track_caller]
    pub fn looks_like(&mut self, name: &str) {
        self.holds_on_every_terminal(name);
        self.is_as_approved(name, USUAL, DARK);
    }

    /// The same with a picture of a large window too. Each arrangement that only a large window has is recorded once; a
    /// screen that only stands wider there is not.
    #[track_caller]
    pub fn looks_like_when_large(&mut self, name: &str) {
        self.looks_like(name);
        self.is_as_approved(name, LARGE, DARK);
    }

    /// Holds the screen against its picture in the smallest window.
    #[track_caller]
    pub fn looks_like_when_small(&mut self, name: &str) {
        self.is_as_approved(name, LEAST, DARK);
    }

    /// Holds the screen against its picture where there is nothing but ASCII.
    #[track_caller]
    pub fn looks_like_in_ascii(&mut self, name: &str) {
        self.is_as_approved(name, USUAL, ASCII_ONLY);
    }

    #[track_caller]
    fn is_as_approved(&mut self, name: &str, size: (u16, u16), theme: Theme) {
        let buffer = self.buffer_in(theme, size);
        let (width, height) = size;
        approve(&format!("{name}-{width}x{height}.txt"), &picture(&buffer));
    }

    #[track_caller]
    fn holds_on_every_terminal(&mut self, name: &str) {
        for size in [LEAST, USUAL, LARGE] {
            let shown = text(&self.buffer_in(DARK, size));
            assert!(!shown.lines().last().unwrap().is_empty(), "{name} at {size:?} shows no keys\n{shown}");
            self.differs_in_looks_only(name, size);
            let in_ascii = text(&self.buffer_in(ASCII_ONLY, size));
            assert!(in_ascii.is_ascii(), "{name} at {size:?}\n{in_ascii}");
            // Some signs take more columns in ASCII; nothing is cut off for that. In the smallest window, long lists are
            // gone through instead, and some keys are only in the help.
            if size != LEAST {
                no_word_is_lost(&shown, &in_ascii);
            } else if !shown.contains("···") {
                no_word_is_lost(shown.trim_end().rsplit_once('\n').unwrap().0, &in_ascii);
            }
            if name.starts_with("home") || name.starts_with("board") {
                has_no_word_of_the_workshop(&shown);
            }
        }
        let (usual, large) = (self.text(), text(&self.buffer_in(DARK, LARGE)));
        // What says that there is more goes when everything fits.
        let whole = usual.lines().filter(|line| !line.contains('↓') && !line.contains(".."));
        no_word_is_lost(&whole.collect::<Vec<_>>().join("\n"), &large);
    }

    /// Whatever the colours are, the same stands at the same places, in the same tones.
    #[track_caller]
    fn differs_in_looks_only(&mut self, name: &str, size: (u16, u16)) {
        let dark = self.buffer_in(DARK, size);
        let tones = tones(&dark).concat();
        for (terminal, theme) in THEMES {
            let buffer = self.buffer_in(theme, size);
            for (index, cell) in buffer.content().iter().enumerate() {
                let place = || format!("{name}, {terminal}, {size:?}, at {:?}", buffer.pos_of(index));
                assert_eq!(cell.symbol(), dark.content()[index].symbol(), "{}", place());
                let (_, tone) = TONES.into_iter().find(|(letter, _)| *letter == tones[index]).unwrap();
                assert!(is_in_tone(cell, tone, theme), "{} is {tone:?}, not {cell:?}", place());
            }
        }
    }
}

/// Holds something against what was approved. `SPOTON_UPDATE=1` approves it; then look at what changed.
#[track_caller]
pub fn approve(file: &str, picture: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/screen/tests/pictures").join(file);
    if std::env::var_os("SPOTON_UPDATE").is_some() {
        fs::write(&path, picture).unwrap();
    }
    let approved = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        approved == picture,
        "{file} is not as it should be; it is\n{picture}\nand should be\n{approved}"
    );
}

/// What stands where, and in which tones. Rows of the same tones that follow each other are told once.
fn picture(buffer: &Buffer) -> String {
    let mut picture = String::new();
    for (y, line) in text(buffer).lines().enumerate() {
        let _ = writeln!(picture, "{y:>5}|{line}");
    }
    let _ = writeln!(picture, "{LEGEND}");
    let mut y = 0;
    for rows in tones(buffer).chunk_by(|one, other| one == other) {
        let (first, last) = (y, y + rows.len() - 1);
        y += rows.len();
        let tones: String = rows[0].iter().collect();
        let place = if first == last { first.to_string() } else { format!("{first}-{last}") };
        if !tones.trim().is_empty() {
            let _ = writeln!(picture, "{place:>5}|{}", tones.trim_end());
        }
    }
    picture
}

/// The letters of the tones, row by row, of a screen that was drawn on a dark terminal of many colours.
fn tones(buffer: &Buffer) -> Vec<Vec<char>> {
    let letter = |cell: &Cell| {
        let found = TONES.into_iter().find(|(_, tone)| is_in_tone(cell, *tone, DARK));
        found.unwrap_or_else(|| panic!("{cell:?} is in no tone")).0
    };
    let width = usize::from(buffer.area.width);
    buffer.content().chunks(width).map(|row| row.iter().map(letter).collect()).collect()
}

/// Whether a place looks as a tone does. Where nothing stands, there is only the ground to see.
fn is_in_tone(cell: &Cell, tone: Tone, theme: Theme) -> bool {
    let mut alike = Cell::EMPTY;
    alike.set_style(theme.style(tone));
    let ground = |cell: &Cell| (cell.bg, cell.modifier & (Modifier::REVERSED | Modifier::UNDERLINED));
    match cell.symbol() {
        " " => ground(cell) == ground(&alike),
        _ => cell.style() == alike.style(),
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whatever one could read before can be read now.
#[track_caller]
fn no_word_is_lost(before: &str, now: &str) {
    let kept: Vec<&str> = words(now).collect();
    for word in words(before) {
        assert!(kept.contains(&word), "{word} is in\n{before}\nand not in\n{now}");
    }
}

/// Words of the workshop have no place on Home or in a round.
#[track_caller]
fn has_no_word_of_the_workshop(text: &str) {
    for word in words(&text.to_lowercase()) {
        assert!(!["audit", "solve", "remoteness", "variant", "ply"].contains(&word), "{word} is in\n{text}");
    }
}
