//! Rule books: games as data.
//!
//! [`Draft`] is anything that was read, right or wrong; [`Rulebook`] is a draft that was built, and can always be
//! played. [`catalog`] holds the games that come with Spot On, and [`Game`] is one as somebody asked for it. What
//! `draft` holds is read by `reader` (from TOML) and `setting` (from `key=value`), made a rule book by `build`,
//! searched for oddities by `check`, and written on one line by `canonical`.
//!
//! ```
//! use spoton::format::{Draft, RulebookBuilder};
//!
//! let text = "title = 'Ten'\nstart = 1\ntarget = 10\nmoves = ['+1', 'x2']";
//! let read = Draft::read("ten.toml", text).build()?;
//! let built = RulebookBuilder::new("Ten").start(1).target(10).entries(["+1", "x2"]).build()?;
//! assert_eq!(read, built);
//! # Ok::<(), spoton::format::Problems>(())
//! ```

mod build;
mod builder;
mod canonical;
pub mod catalog;
mod check;
mod draft;
mod game;
mod listed;
mod reader;
mod setting;
mod source;
mod template;
mod vocabulary;
mod wording;

use std::fmt;

pub use builder::{NewEntry, RulebookBuilder};
pub(crate) use canonical::fingerprint;
pub use check::check;
pub use draft::{Direction, Draft, UnknownVariant};
pub use game::{BadGame, BookText, Changes, Game, Setting, span_of_targets};
pub use listed::Listed;
pub use reader::LARGEST_FILE;
pub(crate) use source::is_unfit;
pub use source::{Place, Problem, Problems, Severity, Source, nearest, quotable};
pub use template::TEMPLATE;
pub use vocabulary::{Menu, NoRepeat, Numbers, Past, Pool, Reach, Stuck};
pub use wording::{Sentence, SentenceInfo, Template, Wording};

use crate::engine::operation::{Operation, Way};
use crate::engine::quiet::Quiet;

/// No integer in a rule book or a position is larger than this, or smaller than its negative.
pub const LARGEST: i64 = 1_000_000_000_000_000_000;

/// How often a position may occur if the rule book does not say: the house rule.
pub(crate) const DEFAULT_REPETITION: u8 = 3;

/// An entry of a rule book's `moves`: an operation with its conditions.
///
/// It is written as the rule book writes it: `+1`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// What it does.
    pub operation: Operation,
    /// How often it may be used; `None` if that is not limited.
    pub uses: Option<Uses>,
    /// What the rule book calls it; `None` if it has no name of its own for it.
    pub label: Option<String>,
}

impl Entry {
    /// What to call it: `Add 1`, or the rule book's own name.
    pub fn label(&self) -> String {
        self.label.clone().unwrap_or_else(|| self.operation.label())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.operation.fmt(f)
    }
}

/// How often an operation may be used in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// From 1.
    pub limit: u8,
    /// Whether each player has so many or both together.
    pub pool: Pool,
}

/// How a match is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchForm {
    /// Whoever first wins so many rounds.
    FirstTo(u16),
    /// Whoever won more after so many rounds.
    Rounds(u16),
}

/// Something that a book promises about its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// No line of play goes on for ever.
    Ends,
    /// No line of play is drawn or goes on for ever.
    NoDraws,
    /// Perfect play beats random play more than three times in four from either seat.
    SkillWins,
    /// The first player wins under perfect play.
    FirstWins,
    /// The second player wins under perfect play.
    SecondWins,
    /// No line of play is longer.
    MovesAtMost(u64),
    /// There are at least so many subtle decisions.
    SubtleAtLeast(u64),
}

impl Claim {
    /// The claims without a number, and the forms of the others.
    pub(crate) const FORMS: &[&str] =
        &["ends", "no-draws", "skill-wins", "first-wins", "second-wins", "moves <= N", "subtle >= N"];

    pub(crate) fn parse(text: &str) -> Option<Claim> {
        let number = |rest: &str| match rest.trim_start() {
            "0" => Some(0),
            rest => crate::engine::operation::plain_amount(rest).ok().filter(|number| *number <= LARGEST),
        };
        Some(match text {
            "ends" => Claim::Ends,
            "no-draws" => Claim::NoDraws,
            "skill-wins" => Claim::SkillWins,
            "first-wins" => Claim::FirstWins,
            "second-wins" => Claim::SecondWins,
            _ => {
                if let Some(rest) = text.strip_prefix("moves <=") {
                    Claim::MovesAtMost(number(rest)? as u64)
                } else if let Some(rest) = text.strip_prefix("subtle >=") {
                    Claim::SubtleAtLeast(number(rest)? as u64)
                } else {
                    return None;
                }
            }
        })
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Ends => write!(f, "ends"),
            Claim::NoDraws => write!(f, "no-draws"),
            Claim::SkillWins => write!(f, "skill-wins"),
            Claim::FirstWins => write!(f, "first-wins"),
            Claim::SecondWins => write!(f, "second-wins"),
            Claim::MovesAtMost(most) => write!(f, "moves <= {most}"),
            Claim::SubtleAtLeast(least) => write!(f, "subtle >= {least}"),
        }
    }
}

/// A game that can be played: every key has a value, and nothing contradicts itself.
///
/// It is only made by [`Draft::build`], to which [`RulebookBuilder::build`] leads as well, so nothing after that checks
/// again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulebook {
    pub(crate) title: String,
    pub(crate) summary: String,
    /// Before `{target}` and `{start}` are filled in, which can make it longer than a title may be.
    pub(crate) title_as_given: String,
    pub(crate) summary_as_given: String,
    pub(crate) suits: Option<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) numbers: Numbers,
    pub(crate) start: (i64, i64),
    pub(crate) target: Option<i64>,
    pub(crate) direction: Option<Direction>,
    pub(crate) moves: Vec<Entry>,
    pub(crate) reach: Reach,
    pub(crate) past: Past,
    pub(crate) winning: Vec<i64>,
    pub(crate) losing: Vec<i64>,
    pub(crate) forbidden: Vec<i64>,
    pub(crate) range: (i64, i64),
    pub(crate) no_repeat: NoRepeat,
    pub(crate) passes: Option<u8>,
    pub(crate) stuck: Stuck,
    pub(crate) repetition: u8,
    pub(crate) claims: Vec<Claim>,
    pub(crate) match_form: Option<MatchForm>,
    pub(crate) wording: Wording,
    /// Follows from the keys above.
    pub(crate) quiet: Quiet,
}

impl Rulebook {
    /// The title, filled in.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What the game is about, in a sentence; may be empty.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Whom the game suits.
    pub fn suits(&self) -> Option<&str> {
        self.suits.as_deref()
    }

    /// Rulings and remarks.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// One number or two.
    #[inline]
    pub fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// The starter's opening number and the other player's.
    #[inline]
    pub fn start(&self) -> (i64, i64) {
        self.start
    }

    /// The number to land on; `None` if there is none.
    #[inline]
    pub fn target(&self) -> Option<i64> {
        self.target
    }

    /// Whether the game climbs or counts down to its target; `None` if it has none.
    pub fn direction(&self) -> Option<Direction> {
        self.direction
    }

    /// Whether a number lies past the target.
    #[inline]
    pub fn passes_target(&self, number: i128) -> bool {
        match (self.target, self.direction) {
            (Some(target), Some(Direction::Climb)) => number > i128::from(target),
            (Some(target), Some(Direction::Countdown)) => number < i128::from(target),
            _ => false,
        }
    }

    /// The entries of `moves`, in their order: 1 to 16. Which moves they come to at a position, [`Rulebook::offers`]
    /// tells.
    #[inline]
    pub fn moves(&self) -> &[Entry] {
        &self.moves
    }

    /// What landing on the target does.
    #[inline]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// What going past the target does.
    #[inline]
    pub fn past(&self) -> Past {
        self.past
    }

    /// Further numbers that win for whoever lands on them, in order.
    #[inline]
    pub fn winning(&self) -> &[i64] {
        &self.winning
    }

    /// Further numbers that lose for whoever lands on them, in order.
    #[inline]
    pub fn losing(&self) -> &[i64] {
        &self.losing
    }

    /// Numbers that no move may land on, in order.
    #[inline]
    pub fn forbidden(&self) -> &[i64] {
        &self.forbidden
    }

    /// The lowest and the highest number that play may stand on.
    #[inline]
    pub fn range(&self) -> (i64, i64) {
        self.range
    }

    /// Which operation may not be chosen again at once.
    #[inline]
    pub fn no_repeat(&self) -> NoRepeat {
        self.no_repeat
    }

    /// How many moves that leave the number unchanged each player may make; `None` if that is not limited.
    #[inline]
    pub fn passes(&self) -> Option<u8> {
        self.passes
    }

    /// What happens to a player without a legal operation.
    #[inline]
    pub fn stuck(&self) -> Stuck {
        self.stuck
    }

    /// How often a position may occur before the round is drawn; `None` if it may go on for ever.
    pub fn repetition(&self) -> Option<u8> {
        (self.repetition > 0).then_some(self.repetition)
    }

    /// What the book promises.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// The match form that the book suggests.
    pub fn match_form(&self) -> Option<MatchForm> {
        self.match_form
    }

    /// How the game speaks.
    pub fn wording(&self) -> &Wording {
        &self.wording
    }
}

impl Rulebook {
    /// Whether every move changes the number in the same direction, so that a number never comes up twice.
    pub fn goes_one_way(&self) -> bool {
        self.all_go_one_way(|_, _| true)
    }

    /// Whether the same position can come up twice in a round. Uses and passes that are spent do not come back, so only
    /// what is not limited counts.
    pub fn may_repeat(&self) -> bool {
        let is_limited_pass = |way: Way| way == Way::Stays && self.passes.is_some();
        !self.all_go_one_way(|entry, way| entry.uses.is_none() && !is_limited_pass(way))
    }

    /// Whether all the moves that count go up, or all down, from wherever play can come to.
    fn all_go_one_way(&self, counts: impl Fn(&Entry, Way) -> bool) -> bool {
        let (low, high) = self.range;
        let (least, most) = (self.start.0.min(self.start.1), self.start.0.max(self.start.1));
        // Of all moves, limited ones among them, only those that lead away from 0 lead across it.
        let leaves_zero = |way| self.moves.iter().any(|entry| entry.operation.way_from(0) == way);
        let least = if leaves_zero(Way::Down) { low } else { least };
        let most = if leaves_zero(Way::Up) { high } else { most };
        // A way depends on the number only by its sign.
        let signs = [(-1, least < 0), (0, least <= 0 && most >= 0), (1, most > 0)];
        let mut known = None;
        for entry in &self.moves {
            for (sign, _) in signs.into_iter().filter(|(_, is_possible)| *is_possible) {
                let way = entry.operation.way_from(sign);
                if counts(entry, way) && (way == Way::Stays || *known.get_or_insert(way) != way) {
                    return false;
                }
            }
        }
        true
    }
}
