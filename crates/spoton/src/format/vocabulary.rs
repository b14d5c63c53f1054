//! The words that a rule book's keys take.

use crate::engine::position::Player;

/// What can be typed in a round beside a move. A move that is called so cannot be chosen by its name.
pub const COMMAND_WORDS: &[&str] = &[
    "help", "?", "rules", "moves", "hint", "why", "idea", "finish", "undo", "save", "resign", "quit", "exit",
];

/// Declares an enum whose values are written as words, with both directions from one list.
macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            /// The words that stand for the values, in order.
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
    /// Whether the players change one number or one each.
    Numbers {
        /// One number that both change.
        Shared = "shared",
        /// A number each.
        Separate = "separate",
    }
}

vocabulary! {
    /// What landing on the target does for the player who lands there.
    #[non_exhaustive]
    Reach {
        /// It wins.
        Wins = "wins",
        /// It loses.
        Loses = "loses",
    }
}

vocabulary! {
    /// What going past the target does for the player who goes.
    #[non_exhaustive]
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
    /// Which operation may not be chosen again at once.
    #[non_exhaustive]
    NoRepeat {
        /// Any may.
        None = "none",
        /// Not the one that the player chose last themselves.
        Own = "own",
        /// Not the one that the opponent chose last.
        Opponent = "opponent",
        /// Neither.
        Both = "both",
    }
}

impl NoRepeat {
    /// Whether a player's own last operation is barred.
    #[inline]
    pub fn looks_at_own(self) -> bool {
        matches!(self, NoRepeat::Own | NoRepeat::Both)
    }

    /// Whether the opponent's last operation is barred.
    #[inline]
    pub fn looks_at_opponent(self) -> bool {
        matches!(self, NoRepeat::Opponent | NoRepeat::Both)
    }
}

vocabulary! {
    /// What happens to a player without a legal operation.
    #[non_exhaustive]
    Stuck {
        /// They lose.
        Loses = "loses",
        /// They win.
        Wins = "wins",
        /// The round is drawn.
        Draws = "draws",
        /// The turn is skipped; if the other player is stuck too, the round is drawn.
        Skips = "skips",
        /// The turn is skipped; if the other player is stuck too, the number closer to the target wins.
        Closest = "closest",
    }
}

vocabulary! {
    /// Whose number an operation changes.
    On {
        /// That of the player who makes the move, or the shared one.
        Own = "own",
        /// The other player's.
        Other = "other",
    }
}

impl On {
    /// The owner of the number that a player changes.
    #[inline]
    pub fn of(self, player: Player) -> Player {
        match self {
            On::Own => player,
            On::Other => !player,
        }
    }
}

vocabulary! {
    /// Whose uses of an operation are counted together.
    #[non_exhaustive]
    Pool {
        /// Each player has their own.
        Own = "own",
        /// Both draw on the same.
        Shared = "shared",
    }
}

vocabulary! {
    /// How the menu of line mode behaves.
    #[non_exhaustive]
    Menu {
        /// Every operation keeps its line and its number; barred ones are marked.
        All = "all",
        /// Only legal operations are listed, numbered afresh.
        Legal = "legal",
        /// Two questions: the kind of operation, then the number.
        Questions = "questions",
    }
}
