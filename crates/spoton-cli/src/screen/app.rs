//! The stack of screens, and the frame around the top one.

use std::path::PathBuf;
use std::time::Duration;

use ratatui::Frame;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use super::canvas::{Canvas, Spot, below, columns, inset, row, wrap};
use super::home::Home;
use super::theme::Tone;
use super::{BACKGROUND, Go, Input, Offer, Screen, World};
use crate::failure::Failure;

/// In a smaller window Spot On draws nothing, and only q works.
pub const LEAST: (u16, u16) = (60, 18);

fn is_too_small((width, height): (u16, u16)) -> bool {
    width < LEAST.0 || height < LEAST.1
}

pub struct App {
    pub world: World,
    screens: Vec<Box<dyn Screen>>,
    /// The clickable areas in the last frame.
    spots: Vec<Spot>,
    over: bool,
    /// Whether the window is too small.
    too_small: bool,
    /// The file to open in an editor.
    to_edit: Option<PathBuf>,
}

/// A request for the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asks {
    Nothing,
    Suspend,
    /// Open this file in the player's editor.
    Edit(PathBuf),
    Quit,
    Interrupt,
}

impl App {
    pub fn new(mut world: World) -> App {
        let home = Home::new(&mut world);
        App {
            world,
            screens: vec![Box::new(home)],
            spots: Vec::new(),
            over: false,
            too_small: false,
            to_edit: None,
        }
    }

    /// Opens a screen on top.
    #[cfg(test)]
    pub fn push(&mut self, screen: Box<dyn Screen>) {
        self.screens.push(screen);
    }

    fn top(&mut self) -> Option<&mut Box<dyn Screen>> {
        self.screens.last_mut()
    }

    pub fn handle(&mut self, event: &Event) -> Asks {
        if let Event::Resize(width, height) = event {
            self.too_small = is_too_small((*width, *height));
        }
        let input = match event {
            _ if self.too_small => return self.in_small_window(event),
            Event::Key(key) if key.kind != KeyEventKind::Release => match self.key(*key) {
                Ok(input) => input,
                Err(asks) => return asks,
            },
            Event::Mouse(mouse) => {
                let at = Position { x: mouse.column, y: mouse.row };
                match mouse.kind {
                    MouseEventKind::Down(MouseButton::Left) => {
                        let spot = self.spots.iter().rev().find(|(area, _)| area.contains(at));
                        spot.map(|(_, input)| *input)
                    }
                    MouseEventKind::ScrollUp => Some(Input::Key(KeyCode::Up)),
                    MouseEventKind::ScrollDown => Some(Input::Key(KeyCode::Down)),
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(input) = input {
            self.world.notice = None;
            if let (Some(screen), world) = (self.screens.last_mut(), &mut self.world) {
                let went = screen.handle(input, world);
                self.go(went);
            }
        }
        match self.to_edit.take() {
            _ if self.over => Asks::Quit,
            Some(path) => Asks::Edit(path),
            None => Asks::Nothing,
        }
    }

    /// The player can't see what keys do, so only quitting works.
    fn in_small_window(&mut self, event: &Event) -> Asks {
        let Event::Key(key) = event else { return Asks::Nothing };
        match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
            _ if key.kind == KeyEventKind::Release => Asks::Nothing,
            (KeyCode::Char('c'), true) => Asks::Interrupt,
            (KeyCode::Char('z'), true) => Asks::Suspend,
            (KeyCode::Char('q'), false) => Asks::Quit,
            _ => Asks::Nothing,
        }
    }

    /// The input of a key. Returns `None` if the key was handled here, or an error with a request for the terminal.
    fn key(&mut self, key: KeyEvent) -> Result<Option<Input>, Asks> {
        let takes_text = self.top().is_some_and(|screen| screen.takes_text());
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Err(Asks::Interrupt),
                KeyCode::Char('z') => Err(Asks::Suspend),
                // Many terminals send these for Enter and Backspace.
                KeyCode::Char('j' | 'm') => Ok(Some(Input::ENTER)),
                KeyCode::Char('h') => Ok(Some(Input::Key(KeyCode::Backspace))),
                _ => Ok(None),
            };
        }
        if key.modifiers.intersects(KeyModifiers::ALT | KeyModifiers::SUPER | KeyModifiers::META) {
            return Ok(None);
        }
        if key.code == KeyCode::F(2) || key.code == KeyCode::Char('b') && !takes_text {
            self.world.theme = self.world.theme.turned_over();
            let name = format!("{:?}", self.world.theme.ground).to_lowercase();
            self.world.remember(BACKGROUND, &name);
            return Ok(None);
        }
        Ok(Some(Input::Key(key.code)))
    }

    fn go(&mut self, went: Result<Go, Failure>) {
        let world = &mut self.world;
        match went {
            Ok(Go::Stay) => {}
            Ok(Go::Open(screen)) => self.screens.push(screen),
            Ok(Go::Back) => {
                self.pop();
                self.return_to_top();
            }
            Ok(Go::Home) => {
                while self.screens.len() > 1 {
                    self.pop();
                }
                self.return_to_top();
            }
            Ok(Go::Edit(path)) => self.to_edit = Some(path),
            Ok(Go::Quit) => self.over = true,
            // Shown as a notice; the game continues.
            Err(failure) => world.notice = Some(failure.to_string()),
        }
        self.over |= self.screens.is_empty();
    }

    /// Called when the editor was closed or couldn't be opened.
    pub fn edited(&mut self, edited: Result<(), Failure>) {
        self.return_to_top();
        if let Err(failure) = edited {
            self.world.notice = Some(failure.to_string());
        }
    }

    fn pop(&mut self) {
        if let Some(mut screen) = self.screens.pop()
            && let Err(failure) = screen.left(&mut self.world)
        {
            self.world.notice = Some(failure.to_string());
        }
    }

    fn return_to_top(&mut self) {
        if let Some(screen) = self.screens.last_mut()
            && let Err(failure) = screen.returned(&mut self.world)
        {
            self.world.notice = Some(failure.to_string());
        }
    }

    /// Closes all screens, which saves a round in progress. Returns the first error, because no screen is left to show
    /// it.
    pub fn leave_everything(&mut self) -> Result<(), Failure> {
        let mut ended = Ok(());
        while let Some(mut screen) = self.screens.pop() {
            ended = ended.and(screen.left(&mut self.world));
        }
        ended
    }

    pub fn wakes_at(&self) -> Option<Duration> {
        self.screens.last().and_then(|screen| screen.wakes_at())
    }

    /// Wakes the top screen if it's due.
    pub fn wake(&mut self, now: Duration) {
        self.world.now = now;
        if self.wakes_at().is_some_and(|at| at <= now)
            && let Some(screen) = self.screens.last_mut()
        {
            let went = screen.wake(&mut self.world);
            self.go(went);
        }
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        self.spots.clear();
        let mut canvas = Canvas {
            buffer: frame.buffer_mut(),
            theme: self.world.theme,
            spots: &mut self.spots,
            caret: None,
        };
        let Some(screen) = self.screens.last() else { return };
        self.too_small = is_too_small((area.width, area.height));
        if self.too_small {
            let (width, height) = LEAST;
            let told = format!(
                "Spot On needs {width} x {height} characters. This window has {} x {}. Make it larger, or press q to quit.",
                area.width, area.height
            );
            canvas.wrapped_centred(area, Tone::Plain, &told);
            return;
        }
        let inside = inset(area, 1);
        let corner = canvas.line(screen.toned_corner()).right_aligned();
        let left = inside.width.saturating_sub(corner.width() as u16 + 1);
        canvas.put(row(inside, 0), corner);
        canvas.text(Rect { width: left, ..row(inside, 0) }, Tone::Strong, &screen.title());
        canvas.rule(row(area, 1));
        let last = area.height - 1;
        let body = Rect { height: area.height - 4, ..below(area, 2) };
        screen.draw(&mut canvas, inset(body, 2));
        if let Some(notice) = &self.world.notice {
            // A long notice covers what is above it.
            let rows = (wrap(notice, inside.width).len() as u16).min(4);
            let place = Rect { height: rows, ..row(inside, last - rows) };
            canvas.clear(place);
            canvas.wrapped(place, Tone::Strong, notice);
        }
        draw_offers(&mut canvas, row(inside, last), screen.offers());
        let caret = canvas.caret;
        if let Some(caret) = caret {
            frame.set_cursor_position(caret);
        }
    }
}

/// Draws the keys that work now on the last line, all clickable.
fn draw_offers(canvas: &mut Canvas<'_>, area: Rect, offers: Vec<Offer>) {
    let signs = canvas.theme.signs;
    let width = |offer: &Offer| (columns(&signs.key(&offer.key)) + 1 + columns(&offer.about)) as u16;
    // Esc is always in the right corner.
    let back = offers.iter().find(|offer| offer.input == Input::ESCAPE).map_or(0, width);
    let mut x = area.x;
    for offer in offers {
        let width = width(&offer);
        let place = if offer.input == Input::ESCAPE {
            Rect { x: area.right().saturating_sub(width), width, ..area }
        } else {
            Rect { x, width, ..area }
        };
        if offer.input != Input::ESCAPE && x + width + 2 + back > area.right() {
            continue;
        }
        canvas.pieces(
            place,
            [(Tone::Strong, signs.key(&offer.key)), (Tone::Plain, format!(" {}", offer.about))],
        );
        canvas.spot(place, offer.input);
        if offer.input != Input::ESCAPE {
            x += width + 2;
        }
    }
}
