//! Rule books: games as data.
//!
//! A [`Draft`] holds what was read, valid or not. [`Draft::build`] turns it into a [`Rulebook`], which can always be
//! played. [`catalog`] has the games that ship with Spot On. A [`Game`] is a book with a variant and settings.
//!
//! | file | contents |
//! |---|---|
//! | `reader.rs` | parses TOML into a `Draft` and checks bounds; `reader/` has moves, number lists and sentences |
//! | `setting.rs`, `builder.rs` | parses `key=value`; builds a book key by key from code |
//! | `draft.rs` | layers: extended book, file, variant, settings |
//! | `build.rs` | finds contradictions and fills in defaults; `build/menus.rs` limits the moves per number |
//! | `check.rs` | warnings about valid books; `check/` has moves, lists and texts |
//! | `entry.rs` | an entry of `moves`: operation, conditions and names |
//! | `numbers.rs` | number lists: integers, spans and kinds |
//! | `canonical.rs` | a book on one line, for records, fingerprints and cache keys |
//! | `game.rs`, `called.rs`, `listed.rs` | a game with variant and settings; lookup by part of a name; entries of game lists |
//! | `catalog.rs` | the list of shipped games |
//! | `wording.rs`, `vocabulary.rs` | the sentences of a book; the keywords of its keys |
//! | `source.rs` | positions in texts, and problems at them |
//! | `template.rs`, `edited.rs` | a starter book; settings written back into a book's text |
//! | `unspoiled.rs` | a book's text without claims, notes and comments |
//! | `shown.rs` | escapes hidden characters of untrusted text |
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
mod called;
mod canonical;
pub mod catalog;
mod check;
mod draft;
mod edited;
mod entry;
mod game;
mod listed;
mod numbers;
mod reader;
mod setting;
mod shown;
mod source;
mod template;
mod unspoiled;
mod vocabulary;
mod wording;

use std::fmt;

pub use builder::{NewEntry, NewItem, RulebookBuilder};
pub use called::{BadName, called};
pub(crate) use canonical::fingerprint;
pub use check::{check, check_while};
pub use draft::{Direction, Draft, UnknownVariant};
pub use edited::edited;
pub use entry::{Entry, Op, Uses};
pub use game::{BadGame, BookText, Changes, Game, Setting, span_of_targets};
pub use listed::Listed;
pub use numbers::NumberList;
pub use reader::LARGEST_FILE;
pub(crate) use shown::is_unfit;
pub use shown::{is_hidden, quotable, shown, shown_lines};
pub use source::{Place, Problem, Problems, Severity, Source, nearest};
pub use template::{TEMPLATE, text_like};
pub use unspoiled::unspoiled;
pub use vocabulary::{COMMAND_WORDS, Menu, NoRepeat, Numbers, On, Past, Pool, Reach, Stuck};
pub use wording::{Sentence, SentenceInfo, Template, Wording};

use crate::engine::choices::MOST_CHOICES;
use crate::engine::operation::Way;
use crate::engine::position::MOST_MOVES;
use crate::engine::quiet::Quiet;
use crate::engine::written::FixedMoves;

/// No integer in a rule book or a position is larger than this, or smaller than its negative.
pub const LARGEST: i64 = 1_000_000_000_000_000_000;

/// How often a position may occur if the rule book does not say: the house rule.
pub(crate) const DEFAULT_REPETITION: u8 = 3;

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
    pub(crate) winning: NumberList,
    pub(crate) losing: NumberList,
    pub(crate) forbidden: NumberList,
    pub(crate) range: (i64, i64),
    pub(crate) no_repeat: NoRepeat,
    pub(crate) passes: Option<u8>,
    pub(crate) stuck: Stuck,
    pub(crate) repetition: u8,
    pub(crate) turns: Option<u8>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) match_form: Option<MatchForm>,
    pub(crate) wording: Wording,
    /// These follow from the keys above.
    pub(crate) fixed: FixedMoves,
    pub(crate) quiet: Quiet,
    pub(crate) fingerprint: u64,
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

    /// Further numbers that win for their owner when they are landed on.
    #[inline]
    pub fn winning(&self) -> &NumberList {
        &self.winning
    }

    /// Further numbers that lose for their owner when they are landed on.
    #[inline]
    pub fn losing(&self) -> &NumberList {
        &self.losing
    }

    /// Numbers that no move may land on.
    #[inline]
    pub fn forbidden(&self) -> &NumberList {
        &self.forbidden
    }

    /// Whether any number is listed, to win or lose or to be out of bounds.
    pub(crate) fn has_lists(&self) -> bool {
        [&self.winning, &self.losing, &self.forbidden].iter().any(|list| !list.is_empty())
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

    /// How many turns each player has, after which the number closer to the target wins; `None` if that is not limited.
    #[inline]
    pub fn turns(&self) -> Option<u8> {
        self.turns
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
    /// Whether the rules are about more than fixed operations and single numbers: whether they use what version 2 of the
    /// format adds.
    pub fn has_richer_numbers(&self) -> bool {
        let is_richer = |entry: &Entry| {
            entry.on == On::Other || !entry.when.is_empty() || matches!(entry.op, Op::Computed(_))
        };
        self.moves.iter().any(is_richer)
            || [&self.winning, &self.losing, &self.forbidden].iter().any(|list| list.has_descriptions())
            || self.turns.is_some()
            || self.stuck == Stuck::Closest
    }
}

impl Rulebook {
    /// Whether every move changes the number in the same direction, so that a number never comes up twice.
    pub fn goes_one_way(&self) -> bool {
        self.one_way(|_, _| true).is_some()
    }

    /// The way that every move goes, if they all go one way; `None` as well if no move goes anywhere.
    pub fn only_way(&self) -> Option<Way> {
        self.one_way(|_, _| true).flatten()
    }

    /// Whether no move is given by two entries, wherever it is made.
    pub(crate) fn each_move_has_one_entry(&self) -> bool {
        let pairs = self
            .moves
            .iter()
            .enumerate()
            .flat_map(|(place, entry)| self.moves[place + 1..].iter().map(move |later| (entry, later)));
        !pairs.into_iter().any(|(one, two)| one.overlaps(two))
    }

    /// The most moves that can be legal at once.
    pub(crate) fn most_choices(&self) -> usize {
        if self.has_only_fixed_moves() { MOST_MOVES } else { MOST_CHOICES }
    }

    /// How many moves there can be to choose from, by the look of some numbers.
    pub(crate) fn usual_choices(&self) -> usize {
        const SAMPLE: u64 = 200;
        if self.has_only_fixed_moves() {
            return self.moves.len();
        }
        let (low, high) = self.numbers_on_turn();
        let step = high.abs_diff(low) / SAMPLE + 1;
        let choices = |number: i64| self.moves.iter().map(|entry| entry.operations_at(number).count()).sum();
        // The starts as well: often, they have the most.
        let sample = (low..=high).step_by(step as usize).chain([self.start.0, self.start.1]);
        sample.map(choices).max().unwrap_or_default()
    }

    /// Whether the same position can come up twice in a round. Uses and passes that are spent do not come back, so only
    /// what is not limited counts.
    pub fn may_repeat(&self) -> bool {
        let is_limited_pass = |way: Way| way == Way::Stays && self.passes.is_some();
        self.turns.is_none()
            && self.one_way(|entry, way| entry.uses.is_none() && !is_limited_pass(way)).is_none()
    }

    /// The way that all the moves which count go, from wherever play can come to; `None` if some go up and some down, or
    /// nowhere. The way itself is `None` if there are no such moves.
    fn one_way(&self, counts: impl Fn(&Entry, Way) -> bool) -> Option<Option<Way>> {
        let mut known = None;
        for entry in &self.moves {
            for numbers in self.signs_within_reach() {
                let Some(way) = entry.way_from(numbers) else { continue };
                if counts(entry, way) && (way == Way::Stays || *known.get_or_insert(way) != way) {
                    return None;
                }
            }
        }
        Some(known)
    }
    /// The numbers that play may come to, and perhaps more: those below 0, 0, and those above it. A way depends on the
    /// number only by its sign. The first number is larger than the last where there are none.
    fn signs_within_reach(&self) -> [(i64, i64); 3] {
        let (low, high) = self.range;
        let (mut least, mut most) = (self.start.0.min(self.start.1), self.start.0.max(self.start.1));
        let signs = |least: i64, most: i64| {
            [(least, most.min(-1)), (least.max(0), most.min(0)), (least.max(1), most)]
        };
        loop {
            let before = (least, most);
            // Of all moves, limited ones among them, only fixed ones that lead away from 0 lead across it. Towards it, a
            // division leads no further than to 1 or -1, and a computed move no further than to 0.
            for entry in &self.moves {
                let across = |way| matches!(entry.op, Op::Fixed(fixed) if fixed.way_from(0) == way);
                let nearest = if matches!(entry.op, Op::Fixed(_)) { 1 } else { 0 };
                for numbers in signs(least, most) {
                    match entry.way_from(numbers) {
                        Some(Way::Up) if numbers.0 > 0 || across(Way::Up) => most = high,
                        Some(Way::Up) => most = most.max(-nearest),
                        Some(Way::Down) if numbers.1 < 0 || across(Way::Down) => least = low,
                        Some(Way::Down) => least = least.min(nearest),
                        Some(Way::Stays) | None => {}
                    }
                }
            }
            if before == (least, most) {
                return signs(least, most);
            }
        }
    }
}
