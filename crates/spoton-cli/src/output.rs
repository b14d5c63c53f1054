//! Whether there are colours, and which.

use std::io::stdout;

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use spoton::engine::position::Player;
use spoton::people::map::Mark;
use spoton::words::dialogue::Tint;

use crate::args::When;

/// Whether standard output and standard error are coloured.
#[derive(Clone, Copy, Debug)]
pub struct Colour {
    out: bool,
    err: bool,
}

impl Colour {
    pub fn new(when: When) -> Colour {
        match when {
            When::Always => Colour { out: true, err: true },
            When::Never => Colour::none(),
            // Some build machines are taken for terminals that can show colours; a dumb one never is.
            When::Auto if std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb") => {
                Colour::none()
            }
            When::Auto => Colour {
                out: anstream::AutoStream::choice(&stdout()) != ColorChoice::Never,
                err: anstream::AutoStream::choice(&std::io::stderr()) != ColorChoice::Never,
            },
        }
    }

    pub fn none() -> Colour {
        Colour { out: false, err: false }
    }

    /// Whether standard output is coloured.
    pub fn is_on(self) -> bool {
        self.out
    }

    pub fn for_errors(self) -> bool {
        self.err
    }

    /// A text in a style, on standard output.
    pub fn paint(self, style: Style, text: &str) -> String {
        if self.out { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// A filled-in part of the dialogue.
    pub fn tint(self, tint: Tint, text: &str) -> String {
        let colour = |colour: AnsiColor| colour.on_default();
        self.paint(
            match tint {
                Tint::Player(Player::One) => colour(AnsiColor::Cyan),
                Tint::Player(Player::Two) => colour(AnsiColor::Magenta),
                Tint::Number => Style::new().bold(),
                Tint::Target => colour(AnsiColor::Green).bold(),
                Tint::Barred => Style::new().dimmed(),
            },
            text,
        )
    }

    /// A mark of a map; what it says does not hang on the colour.
    pub fn mark(self, mark: Mark) -> String {
        let style = match mark {
            Mark::Win => AnsiColor::Green.on_default(),
            Mark::Stone => AnsiColor::Magenta.on_default().bold(),
            _ => Style::new(),
        };
        self.paint(style, &mark.letter().to_string())
    }

    pub fn refusal(self, text: &str) -> String {
        self.paint(AnsiColor::Yellow.on_default(), text)
    }

    pub fn aside(self, text: &str) -> String {
        self.paint(Style::new().dimmed(), text)
    }
}
