//! Colours on standard output and standard error.

use std::io::stdout;

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use spoton::engine::position::Player;
use spoton::teach::map::Mark;
use spoton::words::dialogue::Tint;

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Auto,
    Always,
    Never,
}

/// Which of standard output and standard error are coloured.
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
            // anstream mistakes some build machines for colour terminals. A dumb terminal never has colours.
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

    /// Text in a style, on standard output.
    pub fn paint(self, style: Style, text: &str) -> String {
        if self.out { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// A filled-in value in the dialogue.
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

    /// A mark on a map. Its meaning never depends on the colour alone.
    pub fn mark(self, mark: Mark) -> String {
        let style = match mark {
            Mark::Win => AnsiColor::Green.on_default(),
            Mark::Stone => AnsiColor::Magenta.on_default().bold(),
            _ => Style::new(),
        };
        self.paint(style, &mark.letter().to_string())
    }

    /// A game's name in a list.
    pub fn name(self, text: &str) -> String {
        self.paint(AnsiColor::Cyan.on_default().bold(), text)
    }

    /// A page with bold headings: unindented lines followed by an underline or indented lines.
    pub fn headings(self, page: &str) -> String {
        let lines: Vec<&str> = page.split('\n').collect();
        let is_below = |line: &&str| line.starts_with([' ', '=']);
        let is_heading = |index: usize| {
            !lines[index].is_empty() && !is_below(&lines[index]) && lines.get(index + 1).is_some_and(is_below)
        };
        let painted = (0..lines.len()).map(|index| match is_heading(index) {
            true => self.paint(Style::new().bold(), lines[index]),
            false => lines[index].to_owned(),
        });
        painted.collect::<Vec<_>>().join("\n")
    }

    /// A review with colours for the mistake and the better move.
    pub fn review(self, page: &str) -> String {
        let painted = page.split('\n').map(|line| match line {
            line if line.starts_with("Turning point: ") || line.contains(", but could still ") => {
                self.refusal(line)
            }
            line if line.starts_with("Better:") => self.paint(AnsiColor::Green.on_default(), line),
            line => line.to_owned(),
        });
        painted.collect::<Vec<_>>().join("\n")
    }

    pub fn refusal(self, text: &str) -> String {
        self.paint(AnsiColor::Yellow.on_default(), text)
    }

    pub fn aside(self, text: &str) -> String {
        self.paint(Style::new().dimmed(), text)
    }
}
