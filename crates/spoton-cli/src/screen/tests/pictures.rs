//! Compares screens with approved pictures and checks invariants of every screen on every terminal.
//!
//! A picture is a file under `pictures/`. One picture per screen has every word, and below the text the tone of every
//! character. Its other states and sizes have outlines, which stay the same if only words change: each row's figures,
//! drawings and tones, with `~` for words. `themes.rs` tests how tones look.

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

/// The tones and their letters. The target looks like `Good`.
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

/// The screens' pictures with every word, in a usual window.
const IN_WORDS: [&str; 14] = [
    "board",
    "facts",
    "games",
    "help",
    "home",
    "idea",
    "map",
    "opponents",
    "own-rules",
    "past",
    "puzzle",
    "review",
    "set-up",
    "today-card",
];

impl Try {
    /// Compares the screen with its picture and checks the invariants of every screen.
    #[track_caller]
    pub fn looks_like(&mut self, name: &str) {
        self.holds_on_every_terminal(name);
        self.is_as_approved(name, USUAL, DARK);
    }

    /// The same, plus a picture of a large window. Only for layouts that differ there.
    #[track_caller]
    pub fn looks_like_when_large(&mut self, name: &str) {
        self.looks_like(name);
        self.is_as_approved(name, LARGE, DARK);
    }

    /// Compares the screen with its picture in the smallest window.
    #[track_caller]
    pub fn looks_like_when_small(&mut self, name: &str) {
        self.is_as_approved(name, LEAST, DARK);
    }

    /// Compares the screen with its picture in ASCII.
    #[track_caller]
    pub fn looks_like_in_ascii(&mut self, name: &str) {
        self.is_as_approved(name, USUAL, ASCII_ONLY);
    }

    #[track_caller]
    fn is_as_approved(&mut self, name: &str, size: (u16, u16), theme: Theme) {
        let buffer = self.buffer_in(theme, size);
        let (width, height) = size;
        let picture = match IN_WORDS.contains(&name) && size == USUAL {
            true => picture(&buffer),
            false => outline(&buffer),
        };
        approve(&format!("{name}-{width}x{height}.txt"), &picture);
    }

    #[track_caller]
    fn holds_on_every_terminal(&mut self, name: &str) {
        for size in [LEAST, USUAL, LARGE] {
            let shown = text(&self.buffer_in(DARK, size));
            assert!(!shown.lines().last().unwrap().is_empty(), "{name} at {size:?} shows no keys\n{shown}");
            self.differs_in_looks_only(name, size);
            let in_ascii = text(&self.buffer_in(ASCII_ONLY, size));
            assert!(in_ascii.is_ascii(), "{name} at {size:?}\n{in_ascii}");
            // Some signs are wider in ASCII, but nothing may be cut. In the smallest window, long lists scroll and some
            // keys are only in the help.
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
        // "More" signs disappear if everything fits.
        let whole = usual.lines().filter(|line| !line.contains('↓') && !line.contains(".."));
        no_word_is_lost(&whole.collect::<Vec<_>>().join("\n"), &large);
    }

    /// Every theme draws the same text at the same positions in the same tones.
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

/// Compares a picture with the approved one. `SPOTON_UPDATE=1` approves it; review the changes.
#[track_caller]
pub fn approve(file: &str, picture: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/screen/tests/pictures").join(file);
    if std::env::var_os("SPOTON_UPDATE").is_some() {
        fs::write(&path, picture).unwrap();
    }
    let approved = fs::read_to_string(&path).unwrap_or_default();
    assert!(approved == picture, "{file} differs: it is\n{picture}\nand should be\n{approved}");
}

/// The text and its tones. Consecutive rows with the same tones are merged.
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

/// Each row's figures and drawings with their tones, and `~` for words with the same tone.
fn outline(buffer: &Buffer) -> String {
    let mut outline = String::new();
    let tones = tones(buffer);
    let width = usize::from(buffer.area.width);
    for (y, (cells, tones)) in buffer.content().chunks(width).zip(&tones).enumerate() {
        let mut items: Vec<String> = Vec::new();
        let row: Vec<(&str, char)> = cells.iter().map(Cell::symbol).zip(tones.iter().copied()).collect();
        for word in row.split(|(symbol, _)| *symbol == " ").filter(|word| !word.is_empty()) {
            let text: String = word.iter().map(|(symbol, _)| *symbol).collect();
            let mut text = text.replace(['─', '·'], "");
            let is_word = text.chars().any(char::is_alphabetic) && !text.chars().any(|c| c.is_ascii_digit());
            if is_word || text.chars().all(|c| c.is_ascii_punctuation() && !"+-=*#".contains(c)) {
                text = if text.is_empty() { "─" } else { "~" }.to_owned();
            }
            let item = match word[0].1 {
                ' ' => text,
                tone => format!("{text}/{tone}"),
            };
            if items.last() != Some(&item) || !item.starts_with(['~', '─']) {
                items.push(item);
            }
        }
        if !items.is_empty() {
            let _ = writeln!(outline, "{y:>5}| {}", items.join(" "));
        }
    }
    outline
}

/// The letters of the tones, row by row. The screen must be drawn with the dark theme.
fn tones(buffer: &Buffer) -> Vec<Vec<char>> {
    let letter = |cell: &Cell| {
        let found = TONES.into_iter().find(|(_, tone)| is_in_tone(cell, *tone, DARK));
        found.unwrap_or_else(|| panic!("{cell:?} is in no tone")).0
    };
    let width = usize::from(buffer.area.width);
    buffer.content().chunks(width).map(|row| row.iter().map(letter).collect()).collect()
}

/// Whether a cell looks like a tone. An empty cell shows only its background.
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

/// Asserts that `now` contains every word of `before`.
#[track_caller]
fn no_word_is_lost(before: &str, now: &str) {
    let kept: Vec<&str> = words(now).collect();
    for word in words(before) {
        assert!(kept.contains(&word), "{word} is in\n{before}\nand not in\n{now}");
    }
}

/// Asserts that Home and rounds contain no jargon.
#[track_caller]
fn has_no_word_of_the_workshop(text: &str) {
    for word in words(&text.to_lowercase()) {
        assert!(!["audit", "solve", "remoteness", "variant", "ply"].contains(&word), "{word} is in\n{text}");
    }
}
