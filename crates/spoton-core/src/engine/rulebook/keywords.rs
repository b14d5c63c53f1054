//! The words that rule book keys accept as values.

use crate::engine::position::Player;

/// The commands of a round. A move with such a label can't be chosen by its label.
pub const COMMAND_WORDS: &[&str] = &[
    "help", "?", "rules", "moves", "hint", "why", "idea", "finish", "undo", "save", "resign", "quit", "exit",
];

/// Declares an enum with a word for each value, and conversions both ways.
macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            /// The words, in order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word in a rule book.
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)+ }
            }

            /// The value for a word.
            pub fn from_word(word: &str) -> Option<$name> {
                match word { $($word => Some($name::$variant),)+ _ => None }
            }
        }
    };
}

vocabulary! {
    /// Whether the players share a number.
    Numbers {
        /// One number that both change.
        Shared = "shared",
        /// A number each.
        Separate = "separate",
    }
}

vocabulary! {
    /// The effect of landing on the target, for the player who lands there.
    Reach {
        /// It wins.
        Wins = "wins",
        /// It loses.
        Loses = "loses",
    }
}

vocabulary! {
    /// The effect of going past the target, for the player who does.
    Past {
        /// It loses.
        Loses = "loses",
        /// It is not allowed.
        Forbidden = "forbidden",
        /// It wins.
        Wins = "wins",
    }
}

vocabulary! {
    /// Which moves can't be repeated right away.
    NoRepeat {
        /// No restriction.
        None = "none",
        /// Not the player's own last move.
        Own = "own",
        /// Not the opponent's last move.
        Opponent = "opponent",
        /// Neither.
        Both = "both",
    }
}

impl NoRepeat {
    /// Whether a player can't repeat their own last move.
    #[inline]
    pub fn looks_at_own(self) -> bool {
        matches!(self, NoRepeat::Own | NoRepeat::Both)
    }

    /// Whether a player can't repeat the opponent's last move.
    #[inline]
    pub fn looks_at_opponent(self) -> bool {
        matches!(self, NoRepeat::Opponent | NoRepeat::Both)
    }
}

vocabulary! {
    /// The consequence of having no legal move.
    Stuck {
        /// They lose.
        Loses = "loses",
        /// They win.
        Wins = "wins",
        /// The round is drawn.
        Draws = "draws",
        /// The turn is skipped. If the opponent is stuck too, the round is drawn.
        Skips = "skips",
        /// The turn is skipped. If the opponent is stuck too, the number closer to the target wins.
        Closest = "closest",
    }
}

vocabulary! {
    /// The player whose number a move changes.
    On {
        /// The mover's number, or the shared one.
        Own = "own",
        /// The opponent's.
        Other = "other",
    }
}

impl On {
    /// The player whose number changes when `player` moves.
    #[inline]
    pub fn affected(self, player: Player) -> Player {
        match self {
            On::Own => player,
            On::Other => !player,
        }
    }
}

vocabulary! {
    /// Whether players share the uses of a move.
    Pool {
        /// Each player has their own.
        Own = "own",
        /// Both share the same uses.
        Shared = "shared",
    }
}

vocabulary! {
    /// How the menu of line mode behaves.
    Menu {
        /// Every move keeps its line and its number. Moves that aren't legal are marked.
        All = "all",
        /// Only legal moves, numbered from 1.
        Legal = "legal",
        /// Two questions: the kind of operation, then the number.
        Questions = "questions",
    }
}
