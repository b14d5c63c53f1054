//! Discovery: players find the strategy themselves. Here is the list of what it hides, and from whom.
//!
//! It doesn't hide the rules, the moves, who has won, or how long a game lasts. A player may also bring a guess and have
//! it checked: an idea, the next number of the covered map, or a puzzle, which only says that there is a win.
//!
//! ```
//! use spoton::sitting::discovery::{Spoiler, View};
//!
//! assert!(View::of_player(true).hides(Spoiler::Claims));
//! assert!(!View::of_player(false).hides(Spoiler::Claims));
//! assert!(!View::of_host(true).hides(Spoiler::Claims));
//! ```

/// Something that shows who wins, or which numbers matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoiler {
    /// What a rule book claims, such as `first-wins`.
    Claims,
    /// The notes of a rule book and the comments in its text: they may say how to win.
    Notes,
    /// Hints, reasons and warnings during a round.
    Advice,
    /// Who can force a win from a position, how good a move is, and the odds of players.
    Values,
    /// Where a round turned, which choices mattered, and what would have been better.
    TurningPoint,
    /// The numbers to leave, on a map or a board.
    Stones,
    /// The facts about a game: who wins, by which rule, and who stands where on its ladder.
    Facts,
}

impl Spoiler {
    /// The whole list.
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

/// Who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Viewer {
    /// Plays, joins or watches.
    Player,
    /// Opened the class.
    Host,
}

/// What somebody may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    discover: bool,
    viewer: Viewer,
}

impl View {
    /// The view of somebody who plays, joins or watches.
    pub fn of_player(discover: bool) -> View {
        View { discover, viewer: Viewer::Player }
    }

    /// The view of the person who opened the class.
    pub fn of_host(discover: bool) -> View {
        View { discover, viewer: Viewer::Host }
    }

    /// The view without discovery.
    pub fn of_everything() -> View {
        View::of_player(false)
    }

    /// Whether something is hidden from this viewer. Every surface asks here, and nowhere else.
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

/// What a rule book's page or text says if a part of it is hidden.
pub const LEFT_OUT: &str = "Discovery is on: claims, notes and comments are hidden.";
