//! Every screen, drawn without a terminal and held against the picture that was approved.
//!
//! A picture is a file under `pictures/`: what stands where, and then, for dark, light and colourless terminals, how it
//! is styled. `SPOTON_UPDATE=1 cargo test -p spoton-cli screen` writes them anew; then look at what changed.

mod board;
mod captures;
mod games;
mod home;
mod idea;
mod leaving;
mod map;
mod opponents;
mod own_rules;
mod past;
mod review;
mod set_up;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::style::Style;

use spoton::position::{ByPlayer, Player};

use super::app::{App, Asks};
use super::seats;
use super::theme::{Ground, Palette, Theme, UNICODE};
use super::{Screen, World};
use crate::args::Changes;
use crate::folders::Folders;
use crate::game::Game;
use crate::sitting::dice::Dice;
use crate::sitting::keeper::Keeper;
use crate::sitting::setup::Setup;

pub const SIZES: [(u16, u16); 2] = [(80, 24), (120, 40)];
const THEMES: [(&str, Ground, Palette); 3] = [
    ("dark", Ground::Dark, Palette::Many),
    ("light", Ground::Light, Palette::Many),
    ("no colour", Ground::Dark, Palette::None),
];

/// An app in a folder of its own, which goes when it goes.
pub struct Try {
    pub app: App,
    pub folder: PathBuf,
}

impl Drop for Try {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Try {
    pub fn new() -> Try {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::SeqCst);
        let folder = std::env::temp_dir().join(format!("spoton-screen-{}-{number}", std::process::id()));
        // Tests that were killed may have left one, in a process of the same number.
        let _ = fs::remove_dir_all(&folder);
        Try { app: App::new(world(&folder)), folder }
    }

    /// Starts anew with what is on disk by now.
    pub fn restart(&mut self) {
        self.app = App::new(world(&self.folder));
    }

    /// Opens a screen over the others.
    pub fn open(&mut self, make: impl FnOnce(&mut World) -> Box<dyn Screen>) {
        let screen = make(&mut self.app.world);
        self.app.push(screen);
    }

    /// Sits down to a game from a text, for two people.
    pub fn sit_down(&mut self, text: &str, change: impl FnOnce(&mut Setup)) {
        let path = self.folder.join("game.toml");
        fs::create_dir_all(&self.folder).unwrap();
        fs::write(&path, text).unwrap();
        let game = Game::find(path.as_os_str(), &Changes::default()).unwrap();
        self.open(|world| {
            let mut setup = Setup::new(game, ByPlayer([None, None]), Player::One, Dice::new(Some(7)));
            change(&mut setup);
            Box::new(seats::sit_down(setup, world).unwrap())
        });
    }

    pub fn press(&mut self, code: KeyCode) -> Asks {
        let asks = self.app.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        self.app.wake(Duration::ZERO);
        asks
    }

    /// Types letters, one after another.
    pub fn keys(&mut self, letters: &str) {
        for letter in letters.chars() {
            self.press(KeyCode::Char(letter));
        }
    }

    /// Lets everything happen that happens by itself.
    pub fn settle(&mut self) {
        for _ in 0..1000 {
            if self.app.wakes_at().is_none() {
                return;
            }
            self.app.wake(Duration::ZERO);
        }
        panic!("it never comes to rest");
    }

    /// Clicks on the first place where some words stand.
    #[track_caller]
    pub fn click(&mut self, words: &str) {
        let text = self.text();
        let found = text.lines().enumerate().find_map(|(y, line)| {
            let at = line.find(words)?;
            Some((line[..at].chars().count() as u16, y as u16))
        });
        let Some((column, row)) = found else { panic!("{words:?} is not in\n{text}") };
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.app.handle(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
        self.app.wake(Duration::ZERO);
    }

    pub fn enter(&mut self) {
        self.press(KeyCode::Enter);
    }

    pub fn buffer(&mut self, (width, height): (u16, u16)) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| self.app.draw(frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// What can be read on a screen of the usual size.
    pub fn text(&mut self) -> String {
        text(&self.buffer((80, 24)))
    }

    /// Whether something can be read.
    #[track_caller]
    pub fn sees(&mut self, words: &str) {
        let text = self.text();
        assert!(text.contains(words), "{words:?} is not in\n{text}");
    }

    /// Holds the screen against its pictures.
    #[track_caller]
    pub fn looks_like(&mut self, name: &str) {
        for size in SIZES {
            let mut picture = String::new();
            for (index, (theme, ground, palette)) in THEMES.into_iter().enumerate() {
                self.app.world.theme = Theme { ground, palette, signs: &UNICODE };
                let buffer = self.buffer(size);
                if index == 0 {
                    picture += &text(&buffer);
                }
                let _ = writeln!(picture, "== {theme}\n{}", styles(&buffer));
            }
            let (width, height) = size;
            let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
                .join(format!("src/screen/tests/pictures/{name}-{width}x{height}.txt"));
            if std::env::var_os("SPOTON_UPDATE").is_some() {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, &picture).unwrap();
            }
            let approved = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                approved == picture,
                "{name} at {width}x{height} does not look as it should; it looks like\n{picture}\nand should\n{approved}"
            );
        }
    }
}

fn world(folder: &std::path::Path) -> World {
    let folders = Folders::at(folder.to_owned());
    World {
        keeper: Keeper::new(folders.clone()),
        folders,
        theme: Theme { ground: Ground::Dark, palette: Palette::Many, signs: &UNICODE },
        motion: false,
        now: Duration::ZERO,
        notice: None,
        seed: Some(7),
        play_on: None,
        kept: None,
    }
}

/// The characters of a picture, line by line.
pub fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in 0..buffer.area.height {
        let line: String = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect();
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Words of the workshop have no place on Home or in a round.
#[test]
fn no_word_of_the_workshop_is_on_home_or_in_a_round() {
    let pictures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/screen/tests/pictures");
    let mut looked_at = 0;
    for entry in fs::read_dir(pictures).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("home") && !name.starts_with("board") {
            continue;
        }
        looked_at += 1;
        let picture = fs::read_to_string(&path).unwrap().to_lowercase();
        let text = picture.split("== dark").next().unwrap();
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            let of_the_workshop = ["audit", "solve", "remoteness", "variant", "ply"].contains(&word);
            assert!(!of_the_workshop, "{word} is in {name}");
        }
    }
    assert!(looked_at >= 8, "{looked_at} pictures");
}

/// Where the picture is styled, and how: `row: from-to colour modifiers`.
fn styles(buffer: &Buffer) -> String {
    let mut told = String::new();
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let style = buffer[(x, y)].style();
            let from = x;
            while x < buffer.area.width && buffer[(x, y)].style() == style {
                x += 1;
            }
            let named = named(style);
            if !named.is_empty() {
                let _ = writeln!(told, "{y}: {from}-{}{named}", x - 1);
            }
        }
    }
    told
}

fn named(style: Style) -> String {
    let colour = |name: &str, colour: Option<ratatui::style::Color>| match colour {
        None | Some(ratatui::style::Color::Reset) => String::new(),
        Some(colour) => format!(" {name}{colour}"),
    };
    let modifiers = style.add_modifier;
    let modifiers = if modifiers.is_empty() { String::new() } else { format!(" {modifiers:?}") };
    format!("{}{}{modifiers}", colour("", style.fg), colour("on ", style.bg))
}
