//! Discovery mode: players find the strategy themselves. This module lists what it hides, and from whom.
//!
//! It doesn't hide the rules, the moves, the result, or how long a game lasts. Players can also check a guess: an idea,
//! the next number on the covered map, or a puzzle, which only reveals that there is a win.
//!
//! ```
//! use spoton::discovery::{Spoiler, View};
//!
//! assert!(View::of_player(true).hides(Spoiler::Claims));
//! assert!(!View::of_player(false).hides(Spoiler::Claims));
//! assert!(!View::of_host(true).hides(Spoiler::Claims));
//! ```

/// A fact that reveals who wins or which numbers matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoiler {
    /// A rule book's claims, such as `first-wins`.
    Claims,
    /// A rule book's notes and the comments in its text, which may explain how to win.
    Notes,
    /// Hints, reasons and warnings during a round.
    Advice,
    /// The player who can force a win from a position, how good a move is, and the players' odds.
    Values,
    /// The turning point, the choices that mattered, and better moves.
    TurningPoint,
    /// The numbers to leave, on a map or a board.
    Stones,
    /// The facts about a game: who wins, which simple rule wins, whether its target is out of reach, and the order of
    /// its ladder.
    Facts,
}

impl Spoiler {
    /// All of them.
    pub const ALL: [Spoiler; 7] = [
        Spoiler::Claims,
        Spoiler::Notes,
        Spoiler::Advice,
        Spoiler::Values,
        Spoiler::TurningPoint,
        Spoiler::Stones,
        Spoiler::Facts,
    ];
}

/// The viewer of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Viewer {
    /// Plays, joins or watches.
    Player,
    /// Hosts the class.
    Host,
}

/// A viewer's permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    discover: bool,
    viewer: Viewer,
}

impl View {
    /// The view of a player or spectator.
    pub fn of_player(discover: bool) -> View {
        View { discover, viewer: Viewer::Player }
    }

    /// The view of a class's host.
    pub fn of_host(discover: bool) -> View {
        View { discover, viewer: Viewer::Host }
    }

    /// The view without discovery mode.
    pub fn of_everything() -> View {
        View::of_player(false)
    }

    /// Whether to hide a spoiler from this viewer. Every surface uses this check.
    pub fn hides(self, spoiler: Spoiler) -> bool {
        match spoiler {
            Spoiler::Claims
            | Spoiler::Notes
            | Spoiler::Advice
            | Spoiler::Values
            | Spoiler::TurningPoint
            | Spoiler::Stones
            | Spoiler::Facts => self.discover && self.viewer == Viewer::Player,
        }
    }
}

/// Shown if part of a rule book is hidden.
pub const LEFT_OUT: &str = "Discovery mode is on: claims, notes and comments are hidden.";
