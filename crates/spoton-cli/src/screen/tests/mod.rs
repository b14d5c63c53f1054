//! Draws every screen without a terminal and compares it with its approved picture.
//!
//! `SPOTON_UPDATE=1 cargo test -p spoton-cli screen` redraws the pictures. Review the changes.

mod board;
mod captures;
mod discovery;
mod foreign;
mod games;
mod home;
mod idea;
mod kept;
mod leaving;
mod many_moves;
mod map;
mod opponents;
mod own_rules;
mod past;
mod pictures;
mod puzzle;
mod review;
mod set_up;
mod themes;
mod today;

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

use spoton::engine::position::{ByPlayer, Player};
use spoton::format::Changes;
use spoton::sitting::{Dice, Setup};

use super::app::{App, Asks};
use super::seats;
use super::theme::Theme;
use super::{Screen, World};
use crate::folders::Folders;
use crate::game;

use crate::sitting::autosave::Autosave;
use pictures::USUAL;
use themes::DARK;

/// An app with a temporary folder, removed on drop.
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
        // A killed test with the same process id may have left a folder.
        let _ = fs::remove_dir_all(&folder);
        Try { app: App::new(world(&folder)), folder }
    }

    /// Restarts the app with the files on disk.
    pub fn restart(&mut self) {
        self.app = App::new(world(&self.folder));
    }

    /// Opens a screen on top.
    pub fn open(&mut self, make: impl FnOnce(&mut World) -> Box<dyn Screen>) {
        let screen = make(&mut self.app.world);
        self.app.push(screen);
    }

    /// Opens a board for two people from a rule book's text.
    pub fn sit_down(&mut self, text: &str, change: impl FnOnce(&mut Setup)) {
        let path = self.folder.join("game.toml");
        fs::create_dir_all(&self.folder).unwrap();
        fs::write(&path, text).unwrap();
        let game = game::find(path.as_os_str(), &Changes::default()).unwrap();
        self.open(|world| {
            let mut setup = Setup::new(game, ByPlayer([None, None]), Player::One, Dice::new(7));
            change(&mut setup);
            Box::new(seats::sit_down(setup, world).unwrap())
        });
    }

    pub fn press(&mut self, code: KeyCode) -> Asks {
        let asks = self.app.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        self.app.wake(Duration::ZERO);
        asks
    }

    /// Types letters.
    pub fn keys(&mut self, letters: &str) {
        for letter in letters.chars() {
            self.press(KeyCode::Char(letter));
        }
    }

    /// Runs all wake-ups until the app is idle.
    pub fn settle(&mut self) {
        for _ in 0..1000 {
            if self.app.wakes_at().is_none() {
                return;
            }
            self.app.wake(Duration::ZERO);
        }
        panic!("the app never becomes idle");
    }

    /// Clicks on the first occurrence of some words.
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

    pub fn buffer_in(&mut self, theme: Theme, size: (u16, u16)) -> Buffer {
        let usual = std::mem::replace(&mut self.app.world.theme, theme);
        let buffer = self.buffer(size);
        self.app.world.theme = usual;
        buffer
    }

    /// The text of the screen at the usual size.
    pub fn text(&mut self) -> String {
        text(&self.buffer(USUAL))
    }

    /// Asserts that some words are on the screen.
    #[track_caller]
    pub fn sees(&mut self, words: &str) {
        let text = self.text();
        assert!(text.contains(words), "{words:?} is not in\n{text}");
    }

    /// Asserts that some words aren't on the screen.
    #[track_caller]
    pub fn sees_not(&mut self, words: &str) {
        let text = self.text();
        assert!(!text.contains(words), "{words:?} is in\n{text}");
    }
}

fn world(folder: &std::path::Path) -> World {
    let folders = Folders::at(folder.to_owned());
    World {
        autosave: Autosave::new(folders.clone()),
        games: std::rc::Rc::new(spoton::solved::SolvedGames::new(spoton::sitting::AT_A_GLANCE)),
        folders,
        theme: DARK,
        motion: false,
        now: Duration::ZERO,
        notice: None,
        today: || "2026-11-15".parse().unwrap(),
        line: None,
        seed: Some(7),
        play_on: None,
        kept: None,
        has_left: false,
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
