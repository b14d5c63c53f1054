//! Your own rules: the player's rule books, with errors shown in place. Files are reread when they change.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::format::{Changes, Draft, Problem, Rulebook, Severity, shown, shown_lines};
use spoton::words::{describe, phrases};
use spoton_host::files as host_files;

use super::canvas::{Canvas, below, columns, inset, row, wrap};
use super::help::Rules;
use super::menu::{Cursor, draw_item, draw_list};
use super::set_up::SetUp;
use super::theme::Tone;
use super::{Go, Input, Offer, Screen, World};
use crate::failure::Failure;
use crate::files;
use crate::game;
use beginning::Beginning;

mod beginning;

/// How often to check the files.
const LOOKS: Duration = Duration::from_secs(1);
/// The maximum number of files to check every second.
const MOST_FILES: usize = 200;
/// The maximum number of errors shown.
const MOST_MISTAKES: usize = 20;
/// From this width on, a file's details are next to the list.
const WIDE: u16 = 104;
const SIDE: u16 = 40;

pub struct OwnRules {
    /// The folder, or why it is unknown.
    folder: Result<PathBuf, String>,
    files: Vec<OwnFile>,
    cursor: Cursor,
    /// How many lines of the file's details have scrolled off the top.
    top: usize,
    /// Why the folder can't be read.
    trouble: Option<String>,
    /// A message until the next key.
    told: Option<String>,
    next_look: Duration,
    /// The dialog for a new rule book.
    beginning: Option<Beginning>,
}

struct OwnFile {
    path: PathBuf,
    /// The name, safe for a terminal.
    name: String,
    /// The file's modification time and length, to detect changes.
    seen: Seen,
    state: OwnFileState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    changed: Option<SystemTime>,
    length: u64,
}

enum OwnFileState {
    Valid {
        rulebook: Arc<Rulebook>,
        variants: u64,
        oddities: Vec<Problem>,
    },
    Mistakes(Vec<Problem>),
    /// The file can't be read.
    Unreadable(String),
}

impl OwnFile {
    /// Reads a file. Anything but a regular file is skipped, because reading a pipe would block.
    fn read(path: PathBuf, seen: Option<Seen>) -> OwnFile {
        let name = shown(&path.file_stem().unwrap_or_default().to_string_lossy());
        let state = match seen.map(|_| host_files::read_text(&path).map_err(Failure::from)) {
            Some(Ok(text)) => OwnFileState::from_text(&name, &text),
            Some(Err(failure)) => OwnFileState::Unreadable(shown_lines(&failure.to_string())),
            None => OwnFileState::Unreadable("This isn't a regular file.".to_owned()),
        };
        OwnFile { path, name, seen: seen.unwrap_or(Seen { changed: None, length: 0 }), state }
    }

    fn rulebook(&self) -> Option<&Arc<Rulebook>> {
        match &self.state {
            OwnFileState::Valid { rulebook, .. } => Some(rulebook),
            _ => None,
        }
    }

    /// The text next to the name.
    fn about(&self) -> (Tone, String) {
        match &self.state {
            OwnFileState::Valid { rulebook, .. } => (Tone::Faint, rulebook.title().to_owned()),
            OwnFileState::Mistakes(found) => {
                (Tone::Bad, phrases::count(found.len() as u64, "error", "errors"))
            }
            OwnFileState::Unreadable(_) => (Tone::Bad, "unreadable".to_owned()),
        }
    }

    /// The file's details, line by line.
    fn lines(&self, width: u16) -> Vec<(Tone, String)> {
        let plain = |text: &str| wrap(text, width).into_iter().map(|line| (Tone::Plain, line));
        let mut lines = Vec::new();
        match &self.state {
            OwnFileState::Unreadable(why) => lines.extend(plain(why)),
            OwnFileState::Mistakes(found) => {
                for problem in found.iter().take(MOST_MISTAKES) {
                    lines.extend(in_place(problem, width));
                }
                let more = found.len().saturating_sub(MOST_MISTAKES);
                if more > 0 {
                    lines.push((Tone::Plain, format!("and {more} more")));
                }
            }
            OwnFileState::Valid { rulebook, variants, oddities } => {
                let unplayable = rulebook.unplayable();
                if let Some(why) = &unplayable {
                    lines.extend(wrap(why, width).into_iter().map(|line| (Tone::Bad, line)));
                }
                lines.push((Tone::Strong, rulebook.title().to_owned()));
                lines.extend(plain(&describe::summary(rulebook)));
                if let Some(suits) = rulebook.suits() {
                    lines.extend(plain(&format!("For {suits}.")));
                }
                if *variants > 0 {
                    let counted = phrases::count(*variants, "variant", "variants");
                    lines.extend(plain(&format!("With {counted}.")));
                }
                if oddities.is_empty() {
                    lines.push((Tone::Good, "No problems found.".to_owned()));
                } else {
                    lines.push((Tone::Plain, String::new()));
                    lines.extend(plain(match unplayable {
                        Some(_) => "Valid, with warnings:",
                        None => "Playable, with warnings:",
                    }));
                    for problem in oddities.iter().take(MOST_MISTAKES) {
                        lines.extend(in_place(problem, width));
                    }
                }
            }
        }
        lines
    }
}

impl OwnFileState {
    fn from_text(name: &str, text: &str) -> OwnFileState {
        let draft = Draft::read(name, text);
        let found = spoton::format::check(&draft);
        match draft.build() {
            Ok(rulebook) if found.iter().all(|problem| problem.severity != Severity::Error) => {
                OwnFileState::Valid {
                    rulebook: Arc::new(rulebook),
                    variants: draft.variants().count() as u64,
                    oddities: found,
                }
            }
            _ => {
                let mistakes: Vec<Problem> =
                    found.into_iter().filter(|problem| problem.severity == Severity::Error).collect();
                OwnFileState::Mistakes(mistakes)
            }
        }
    }
}

/// A problem with its line, carets and help.
fn in_place(problem: &Problem, width: u16) -> Vec<(Tone, String)> {
    let (line, column) = problem.place.line_column();
    let tone = match problem.severity {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Strong,
    };
    let text = problem.place.source.text.lines().nth(line - 1).unwrap_or_default();
    let letters: Vec<char> = shown_lines(&text.replace('\t', " ")).chars().collect();
    let before = (column - 1).min(letters.len());
    let number = line.to_string();
    let gutter = number.len() + 3;
    let fits = usize::from(width).saturating_sub(gutter).max(8);
    // Show only the part of a long line around the problem.
    let first = if before < fits.saturating_sub(8) { 0 } else { before - fits / 3 };
    let part: String = letters.iter().skip(first).take(fits).collect();
    let marked = problem.place.source.text.get(problem.place.span.clone()).unwrap_or_default();
    let marked = marked.lines().next().unwrap_or_default().chars().count();
    let carets = "^".repeat(marked.clamp(1, (fits - (before - first).min(fits - 1)).max(1)));
    let mut lines: Vec<(Tone, String)> =
        wrap(&problem.message, width).into_iter().map(|line| (tone, line)).collect();
    lines.push((Tone::Plain, format!("{number} | {part}")));
    lines.push((tone, format!("{}{carets}", " ".repeat(gutter + before - first))));
    if let Some(help) = &problem.help {
        lines.extend(wrap(&format!("Help: {help}"), width).into_iter().map(|line| (Tone::Plain, line)));
    }
    lines.push((Tone::Plain, String::new()));
    lines
}

/// A file's modification time and length. Returns `None` if it isn't a regular file.
fn seen(path: &Path) -> Option<Seen> {
    let about = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some(Seen { changed: about.modified().ok(), length: about.len() })
}

impl OwnRules {
    pub fn new(world: &World) -> OwnRules {
        let mut own = OwnRules {
            folder: world.folders.rulebooks().map_err(|failure| failure.to_string()),
            files: Vec::new(),
            cursor: Cursor::default(),
            top: 0,
            trouble: None,
            told: None,
            next_look: Duration::ZERO,
            beginning: None,
        };
        own.look(world);
        own
    }

    /// Checks the folder: reads new and changed files and drops missing ones.
    fn look(&mut self, world: &World) {
        self.next_look = world.now + LOOKS;
        let found = match &self.folder {
            Ok(folder) => {
                host_files::book_files(folder).map_err(|error| Failure::file("read", folder, &error))
            }
            Err(why) => Err(Failure::Failed(why.clone())),
        };
        let paths = match found {
            Ok(paths) => {
                self.trouble = None;
                paths
            }
            Err(failure) => {
                self.trouble = Some(shown_lines(&failure.to_string()));
                Vec::new()
            }
        };
        let chosen = self.files.get(self.cursor.0).map(|file| file.path.clone());
        let mut before = std::mem::take(&mut self.files);
        for path in paths.into_iter().take(MOST_FILES) {
            let seen = seen(&path);
            // Retry unreadable files: a change of permissions affects neither the time nor the length.
            let same = |file: &OwnFile| {
                let was_read = !matches!(file.state, OwnFileState::Unreadable(_));
                file.path == path && Some(file.seen) == seen && was_read
            };
            let known = before.iter().position(same);
            self.files.push(match known {
                Some(index) => before.swap_remove(index),
                None => OwnFile::read(path, seen),
            });
        }
        let place = chosen.and_then(|chosen| self.files.iter().position(|file| file.path == chosen));
        let last = self.files.len().saturating_sub(1);
        self.cursor = Cursor(place.unwrap_or(self.cursor.0.min(last)));
    }

    fn chosen(&self) -> Option<&OwnFile> {
        self.files.get(self.cursor.0)
    }

    /// Opens the dialog for a new rule book, with a free name.
    fn begin(&mut self, world: &World) {
        let taken = |name: &String| self.files.iter().any(|file| file.name == *name);
        let names = (2..).map(|number: u32| format!("my-game-{number}"));
        let free = ["my-game".to_owned()].into_iter().chain(names).find(|name| !taken(name));
        self.beginning = Some(Beginning::new(&world.folders, &free.unwrap_or_default()));
    }

    /// Handles an input in the dialog for a new rule book.
    fn go_on_beginning(&mut self, input: Input, world: &mut World) -> Result<(), Failure> {
        match (input, &mut self.beginning) {
            (Input::ESCAPE, _) => self.beginning = None,
            (Input::ENTER, _) => self.write_new(world)?,
            (input, Some(beginning)) => beginning.takes(input),
            (_, None) => {}
        }
        Ok(())
    }

    /// Creates the new rule book, unless its name is taken.
    fn write_new(&mut self, world: &mut World) -> Result<(), Failure> {
        let Some(beginning) = &self.beginning else { return Ok(()) };
        let name = match beginning.name() {
            Ok(name) => name,
            Err(why) => {
                world.notice = Some(why);
                return Ok(());
            }
        };
        let text = beginning.text(&name, world.view())?;
        let folder = self.folder.clone().map_err(Failure::Failed)?;
        std::fs::create_dir_all(&folder)
            .map_err(|error| Failure::file("create the folder", &folder, &error))?;
        let path = folder.join(format!("{name}.toml"));
        match files::write_new(&path, &text) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                world.notice = Some(format!("{name} already exists. Type another name."));
                return Ok(());
            }
            Err(error) => return Err(Failure::file("write", &path, &error)),
        }
        self.beginning = None;
        self.look(world);
        let place = self.files.iter().position(|file| file.path == path);
        self.cursor = Cursor(place.unwrap_or(self.cursor.0));
        self.top = 0;
        let name = shown(&path.to_string_lossy());
        self.told = Some(format!("Created {name}. Press e to edit it. Changes show up here when you save."));
        Ok(())
    }

    fn play(&self, world: &mut World) -> Result<Go, Failure> {
        let Some(file) = self.chosen() else { return Ok(Go::Stay) };
        if file.rulebook().is_none() {
            world.notice = Some("This game has errors. Fix them to play it.".to_owned());
            return Ok(Go::Stay);
        }
        let game = game::find(file.path.as_os_str(), &Changes::default())?;
        Go::open(SetUp::for_game(game, world)?)
    }

    fn folder_in_words(&self) -> String {
        match &self.folder {
            Ok(folder) => format!("Your rule books are in {}", shown(&folder.to_string_lossy())),
            Err(why) => shown_lines(why),
        }
    }

    fn draw_empty(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let mut y = 0;
        let mut say = |tone: Tone, text: &str| {
            y += canvas.wrapped(below(area, y), tone, text) + 1;
        };
        match &self.trouble {
            Some(trouble) => say(Tone::Bad, trouble),
            None => {
                say(Tone::Strong, "You haven't written a game yet.");
                say(
                    Tone::Plain,
                    "Press n to create one from a game you know, or from a small example that explains every line. \
                     Press e to open it in your editor. When you save, Spot On checks it and shows every error in \
                     place.",
                );
                say(Tone::Faint, &format!("{}.", self.folder_in_words()));
            }
        }
    }

    fn draw_files(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let names = self.files.iter().map(|file| columns(&file.name));
        let name = names.max().unwrap_or(1).clamp(8, usize::from(area.width / 2)) as u16 + 4;
        draw_list(canvas, area, self.cursor, self.files.len(), 1, |canvas, place, index, here| {
            let file = &self.files[index];
            draw_item(canvas, Rect { width: name.min(place.width), ..place }, &file.name, here);
            let (tone, about) = file.about();
            let beside = Rect { x: place.x + name + 1, width: place.width.saturating_sub(name + 5), ..place };
            canvas.text(beside, tone, &about);
        });
    }

    fn draw_chosen(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let Some(file) = self.chosen() else { return };
        let area = inset(canvas.framed(area, Tone::Faint, &file.name), 1);
        let mut lines = file.lines(area.width);
        while lines.last().is_some_and(|(_, line)| line.is_empty()) {
            lines.pop();
        }
        let fit = usize::from(area.height);
        let top = self.top.min(lines.len().saturating_sub(fit));
        for (y, (tone, line)) in lines.iter().skip(top).take(fit).enumerate() {
            canvas.text(row(area, y as u16), *tone, line);
        }
        if top + fit < lines.len() {
            let more = "PgDn: more";
            let width = more.len() as u16;
            let corner = Rect { x: area.right().saturating_sub(width), width, ..area };
            canvas.text(row(corner, area.height.saturating_sub(1)), Tone::Strong, more);
        }
    }
}

impl Screen for OwnRules {
    fn title(&self) -> String {
        "Your own rules".to_owned()
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let mut area = area;
        if let Some(told) = &self.told {
            let rows = canvas.wrapped(area, Tone::Strong, told) + 1;
            area = below(area, rows);
        }
        if let Some(beginning) = &self.beginning {
            let rows = beginning.draw(canvas, area) + 1;
            area = below(area, rows);
        }
        if self.files.is_empty() {
            return self.draw_empty(canvas, inset(area, area.width.saturating_sub(90) / 2));
        }
        if area.width >= WIDE {
            let list = Rect { width: SIDE, ..area };
            let beside = Rect { x: area.x + SIDE + 2, width: area.width - SIDE - 2, ..area };
            self.draw_files(canvas, list);
            self.draw_chosen(canvas, beside);
        } else {
            let height = (self.files.len() as u16).min(area.height / 3).max(1);
            self.draw_files(canvas, Rect { height, ..area });
            self.draw_chosen(canvas, below(area, height + 1));
        }
    }

    fn offers(&self) -> Vec<Offer> {
        if self.beginning.is_some() {
            return Beginning::offers();
        }
        let mut offers = Vec::new();
        if self.chosen().and_then(OwnFile::rulebook).is_some() {
            offers.push(Offer::enter("play"));
            offers.push(Offer::letter('?', "rules"));
        }
        if self.chosen().is_some() {
            offers.push(Offer::letter('e', "edit"));
        }
        offers.push(Offer::letter('n', "new"));
        offers.push(Offer::letter('f', "folder"));
        offers.push(Offer::escape("back"));
        offers
    }

    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure> {
        self.told = None;
        if self.beginning.is_some() {
            self.go_on_beginning(input, world)?;
            return Ok(Go::Stay);
        }
        match input {
            Input::ESCAPE => return Ok(Go::Back),
            Input::ENTER => {
                self.look(world);
                return self.play(world);
            }
            Input::Key(KeyCode::Char('?')) => {
                if let Some(rulebook) = self.chosen().and_then(OwnFile::rulebook) {
                    return Go::open(Rules::new(rulebook, world));
                }
            }
            Input::Key(KeyCode::Char('e')) => {
                if let Some(file) = self.chosen() {
                    return Ok(Go::Edit(file.path.clone()));
                }
            }
            Input::Key(KeyCode::Char('n')) => self.begin(world),
            Input::Key(KeyCode::Char('f')) => self.told = Some(format!("{}.", self.folder_in_words())),
            Input::Key(KeyCode::PageDown) => {
                let lines = self.chosen().map_or(0, |file| file.lines(60).len());
                self.top = (self.top + 5).min(lines);
            }
            Input::Key(KeyCode::PageUp) => self.top = self.top.saturating_sub(5),
            // A click selects a file; it doesn't start a round.
            Input::Pick(index) if index < self.files.len() => {
                self.cursor = Cursor(index);
                self.top = 0;
            }
            input => {
                if self.cursor.moved(input, self.files.len()) {
                    self.top = 0;
                }
            }
        }
        Ok(Go::Stay)
    }

    fn takes_text(&self) -> bool {
        self.beginning.is_some()
    }

    fn wakes_at(&self) -> Option<Duration> {
        Some(self.next_look)
    }

    fn wake(&mut self, world: &mut World) -> Result<Go, Failure> {
        self.look(world);
        Ok(Go::Stay)
    }

    fn returned(&mut self, world: &mut World) -> Result<(), Failure> {
        self.look(world);
        Ok(())
    }
}
