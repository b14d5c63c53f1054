//! The full-screen game: `spoton` opens it on a terminal.
//!
//! A `Screen` is state: a function draws it, and an `Input` changes it. [`app`] has the stack of screens and draws the
//! frame around the top one. Nothing here knows a rule, a value or advice: screens ask a [`crate::sitting::Sitting`] or
//! the library.
//!
//! | file | contents |
//! |---|---|
//! | `home.rs`, `logo.rs` | the first screen and its logo |
//! | `games.rs`, `cards.rs` | all games, as cards |
//! | `set_up.rs`, `seats.rs` | options of a new round; the way from any screen to a board |
//! | `board.rs`, `board/` | a round (below) |
//! | `kept.rs`, `past.rs`, `played.rs` | unfinished rounds; finished rounds; the result of today's duel |
//! | `review.rs`, `review/strip.rs` | analysis of a round, and its rows of moves |
//! | `map.rs`, `idea.rs`, `opponents.rs` | the map of a game; Test my idea; the opponents |
//! | `own_rules.rs`, `own_rules/beginning.rs` | the player's rule books; a new one |
//! | `help.rs` | how to play, keys, rules |
//! | `canvas.rs`, `theme.rs` | drawing in tones; colours and characters of each tone per kind of terminal |
//! | `number_line.rs`, `scale.rs`, `arcs.rs` | moves as arcs: column of a number, characters of a hop |
//! | `digits.rs`, `pixels.rs`, `menu.rs`, `text_field.rs` | shared widgets |
//! | `tty.rs` | the terminal; restores it on every exit, including signals and panics |
//!
//! | file of `board/` | contents |
//! |---|---|
//! | `draw.rs`, `counters.rs`, `said.rs` | layout; small numbers as counters; the log of the round |
//! | `buttons.rs`, `keys.rs`, `grid.rs`, `typing.rs` | moves as buttons, by key, in long menus and typed |
//! | `turn.rs`, `glide.rs`, `advice.rs` | a turn, its animation and its hints |
//! | `rounds.rs`, `ending.rs`, `flourish.rs`, `playing_out.rs` | the next round, the end of one, and forced endings |
//! | `puzzle.rs`, `card.rs` | a puzzle; the card before a round that counts |
//!
//! While a screen draws, it marks clickable areas and the input of each. Keys, menus and the mouse therefore share one
//! code path. Time is a parameter: each screen returns when to wake it, and nothing else runs.

mod app;
mod arcs;
mod board;
mod canvas;
mod cards;
mod digits;
mod games;
mod help;
mod home;
mod idea;
mod kept;
mod logo;
mod map;
mod menu;
mod number_line;
mod opponents;
mod own_rules;
mod past;
mod pixels;
mod played;
mod review;
mod scale;
mod seats;
mod set_up;
mod text_field;
mod theme;
mod tty;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use spoton::day::Day;
use spoton::discovery::View;
use spoton::sitting::{AT_A_GLANCE, Dice};
use spoton::solved::SolvedGames;

use crate::args::{Background, ScreenArgs};
use crate::clock;
use crate::entropy;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::output::Colour;
use crate::progress::{self, BACKGROUND, Progress};
use crate::sitting::autosave::Autosave;
use app::App;
use canvas::{Canvas, Piece};
use theme::{Ground, Theme, Tone};

/// A player's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    Key(KeyCode),
    /// A click on an item of a list.
    Pick(usize),
}

impl Input {
    pub const ENTER: Input = Input::Key(KeyCode::Enter);
    pub const ESCAPE: Input = Input::Key(KeyCode::Esc);

    pub fn letter(letter: char) -> Input {
        Input::Key(KeyCode::Char(letter))
    }
}

/// The navigation that follows an input.
pub enum Go {
    Stay,
    /// Opens another screen on top.
    Open(Box<dyn Screen>),
    Back,
    Home,
    /// Opens a file in the player's editor. The screen stays.
    Edit(PathBuf),
    Quit,
}

impl Go {
    pub fn open(screen: impl Screen + 'static) -> Result<Go, Failure> {
        Ok(Go::Open(Box::new(screen)))
    }
}

/// A key that works now, as listed on the bottom line. It can also be clicked.
pub struct Offer {
    pub input: Input,
    pub key: Cow<'static, str>,
    pub about: Cow<'static, str>,
}

impl Offer {
    pub fn new(
        input: Input,
        key: impl Into<Cow<'static, str>>,
        about: impl Into<Cow<'static, str>>,
    ) -> Offer {
        Offer { input, key: key.into(), about: about.into() }
    }

    pub fn letter(letter: char, about: impl Into<Cow<'static, str>>) -> Offer {
        Offer::new(Input::letter(letter), letter.to_string(), about)
    }

    pub fn enter(about: impl Into<Cow<'static, str>>) -> Offer {
        Offer::new(Input::ENTER, "Enter", about)
    }

    pub fn escape(about: impl Into<Cow<'static, str>>) -> Offer {
        Offer::new(Input::ESCAPE, "Esc", about)
    }
}

/// One screen: state, and how it is drawn and changed.
pub trait Screen {
    /// The text at the top left.
    fn title(&self) -> String;

    /// The text at the top right.
    fn corner(&self) -> String {
        String::new()
    }

    /// The same text in tones.
    fn toned_corner(&self) -> Vec<Piece> {
        vec![(Tone::Plain, self.corner())]
    }

    /// Draws everything between the title and the keys.
    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect);

    /// The keys that work now, most important first.
    fn offers(&self) -> Vec<Offer>;

    /// Handles an input. A failure is shown as a notice, and the screen stays.
    fn handle(&mut self, input: Input, world: &mut World) -> Result<Go, Failure>;

    /// Whether typed letters are text here and not commands.
    fn takes_text(&self) -> bool {
        false
    }

    /// When to call [`Screen::wake`], measured from the start.
    fn wakes_at(&self) -> Option<Duration> {
        None
    }

    /// Called at that time.
    fn wake(&mut self, _world: &mut World) -> Result<Go, Failure> {
        Ok(Go::Stay)
    }

    /// Called when the screen above was closed.
    fn returned(&mut self, _world: &mut World) -> Result<(), Failure> {
        Ok(())
    }

    /// Called when the screen is closed.
    fn left(&mut self, _world: &mut World) -> Result<(), Failure> {
        Ok(())
    }
}

/// State shared by all screens.
pub struct World {
    pub folders: Folders,
    pub autosave: Autosave,
    /// Cache of solved games.
    pub games: Rc<SolvedGames>,
    pub theme: Theme,
    /// Whether animation is on.
    pub motion: bool,
    /// The time since the start.
    pub now: Duration,
    /// A message above the keys, until the next input.
    pub notice: Option<String>,
    /// The clock.
    pub today: fn() -> Day,
    /// The line of today's duel, if it was played. It is printed after leaving, so that it can be copied.
    pub line: Option<String>,
    /// The random seed, if one was given.
    pub seed: Option<u64>,
    /// The save of the round that the player left last.
    pub kept: Option<PathBuf>,
    /// Whether the player has just left a round that can be resumed.
    pub has_left: bool,
    /// How many moves to replay before playing on, as chosen in the review.
    pub play_on: Option<usize>,
}

impl World {
    /// Dice for another round.
    pub fn dice(&self) -> Dice {
        Dice::new(self.seed.unwrap_or_else(entropy::seed))
    }

    /// Whether discovery mode is on.
    pub fn discovers(&self) -> bool {
        progress::is_discovering(&self.folders).unwrap_or_default()
    }

    /// The players' view.
    pub fn view(&self) -> View {
        View::of_player(self.discovers())
    }

    /// Remembers a value for the next start. An error becomes a notice.
    pub fn remember(&mut self, name: &str, value: &str) {
        if let Err(failure) = Progress::remember(&self.folders, name, value) {
            self.notice = Some(failure.to_string());
        }
    }

    /// The remembered value for a name.
    pub fn remembered(&self, name: &str) -> Option<String> {
        Some(Progress::load(&self.folders).ok()?.get(name)?.to_owned())
    }
}

/// Runs the full screen until the player quits.
pub fn run(args: &ScreenArgs, colour: Colour) -> Result<(), Failure> {
    let folders = Folders::usual();
    let autosave = Autosave::new(folders.clone());
    let (remembered, trouble) = match Progress::load(&folders) {
        Ok(remembered) => (remembered, None),
        Err(failure) => (Progress::default(), Some(failure.to_string())),
    };
    let ground = match (args.background, remembered.get(BACKGROUND)) {
        (Some(Background::Light), _) | (None, Some("light")) => Some(Ground::Light),
        (Some(Background::Dark), _) | (None, Some("dark")) => Some(Ground::Dark),
        (None, _) => None,
    };
    let theme = Theme::detect(ground, args.ascii, !colour.is_on());
    let world = World {
        folders,
        autosave: autosave.clone(),
        games: Rc::new(SolvedGames::new(AT_A_GLANCE)),
        theme,
        motion: !args.no_motion,
        now: Duration::ZERO,
        notice: trouble,
        today: clock::today,
        line: None,
        seed: args.seed,
        play_on: None,
        kept: None,
        has_left: false,
    };
    crate::solving::be_silent();
    let mut app = App::new(world);
    let begun = Instant::now();
    let ended = tty::run(&mut app, &autosave, || begun.elapsed());
    autosave.let_go();
    ended
}
