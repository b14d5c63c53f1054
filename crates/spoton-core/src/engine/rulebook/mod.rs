//! A playable game: its keys, entries, number lists and sentences. `format` reads them from text.
//!
//! | file | contents |
//! |---|---|
//! | `entry.rs` | an entry of `moves`: operation, conditions and names |
//! | `numbers.rs` | number lists: integers, spans and kinds |
//! | `keywords.rs` | the keywords of the keys |
//! | `wording.rs` | the sentences of the dialogue |

mod entry;
mod keywords;
mod numbers;
mod wording;

use std::fmt;

pub(crate) use entry::with_amount;
pub use entry::{Entry, Op, Uses};
pub use keywords::{COMMAND_WORDS, Menu, NoRepeat, Numbers, On, Past, Pool, Reach, Stuck};
pub(crate) use numbers::Item;
pub use numbers::NumberList;
pub(crate) use wording::BadTemplate;
pub use wording::{Sentence, SentenceInfo, Template, Wording};

use super::choices::MOST_CHOICES;
use super::operation::{Way, plain_amount};
use super::position::MOST_MOVES;
use super::quiet::Quiet;
use super::written::FixedMoves;

/// The bound on integers in rule books and positions: none is above this, or below its negative.
pub const LARGEST: i64 = 1_000_000_000_000_000_000;

/// The house rule: how often a position may occur by default.
pub(crate) const DEFAULT_REPETITION: u8 = 3;

/// How to decide a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchForm {
    /// The first player to win this many rounds.
    FirstTo(u16),
    /// The player with more wins after this many rounds.
    Rounds(u16),
}

/// Whether the target is above or below the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The target is above the start.
    Climb,
    /// The target is below the start.
    Countdown,
}

/// A claim that a book makes about its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Every round ends.
    Ends,
    /// No round is drawn or endless.
    NoDraws,
    /// Perfect play beats random play more than 3 times in 4 from either seat.
    SkillWins,
    /// The first player wins with perfect play.
    FirstWins,
    /// The second player wins with perfect play.
    SecondWins,
    /// No round has more moves than this.
    MovesAtMost(u64),
    /// At least this many subtle decisions.
    SubtleAtLeast(u64),
}

impl Claim {
    /// All forms of claims.
    pub(crate) const FORMS: &[&str] =
        &["ends", "no-draws", "skill-wins", "first-wins", "second-wins", "moves <= N", "subtle >= N"];

    pub(crate) fn parse(text: &str) -> Option<Claim> {
        let number = |rest: &str| match rest.trim_start() {
            "0" => Some(0),
            rest => plain_amount(rest).ok().filter(|number| *number <= LARGEST),
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

/// A playable game: every key has a value, and no keys contradict each other.
///
/// Only [`Draft::build`](crate::format::Draft::build) makes one (also through
/// [`RulebookBuilder::build`](crate::format::RulebookBuilder::build)), so no later code checks again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulebook {
    pub(crate) title: String,
    pub(crate) summary: String,
    /// The title before `{target}` and `{start}` are filled in. Once they are, a title can exceed its length
    /// limit.
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
    /// Derived from the keys above.
    pub(crate) fixed: FixedMoves,
    pub(crate) quiet: Quiet,
    pub(crate) fingerprint: u64,
}

impl Rulebook {
    /// The title, with placeholders filled in.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// A one-sentence summary; may be empty.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The audience of the game.
    pub fn suits(&self) -> Option<&str> {
        self.suits.as_deref()
    }

    /// Notes.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// One number or two.
    #[inline]
    pub fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// The starting player's opening number and the opponent's.
    #[inline]
    pub fn start(&self) -> (i64, i64) {
        self.start
    }

    /// The number to land on, if any.
    #[inline]
    pub fn target(&self) -> Option<i64> {
        self.target
    }

    /// Whether the game climbs or counts down to its target; `None` without a target.
    pub fn direction(&self) -> Option<Direction> {
        self.direction
    }

    /// Whether a number is past the target.
    #[inline]
    pub fn passes_target(&self, number: i128) -> bool {
        match (self.target, self.direction) {
            (Some(target), Some(Direction::Climb)) => number > i128::from(target),
            (Some(target), Some(Direction::Countdown)) => number < i128::from(target),
            _ => false,
        }
    }

    /// The entries of `moves`, in order: 1 to 16. [`Rulebook::offers`] lists the moves at a position.
    #[inline]
    pub fn moves(&self) -> &[Entry] {
        &self.moves
    }

    /// The effect of landing on the target.
    #[inline]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The effect of going past the target.
    #[inline]
    pub fn past(&self) -> Past {
        self.past
    }

    /// More numbers that win for their owner when landed on.
    #[inline]
    pub fn winning(&self) -> &NumberList {
        &self.winning
    }

    /// Numbers that lose for their owner when landed on.
    #[inline]
    pub fn losing(&self) -> &NumberList {
        &self.losing
    }

    /// Numbers that no move may land on.
    #[inline]
    pub fn forbidden(&self) -> &NumberList {
        &self.forbidden
    }

    /// Whether any list (winning, losing or forbidden) has numbers.
    pub fn has_lists(&self) -> bool {
        [&self.winning, &self.losing, &self.forbidden].iter().any(|list| !list.is_empty())
    }

    /// The lowest and highest numbers of the game.
    #[inline]
    pub fn range(&self) -> (i64, i64) {
        self.range
    }

    /// Which moves can't be repeated right away.
    #[inline]
    pub fn no_repeat(&self) -> NoRepeat {
        self.no_repeat
    }

    /// How many passes (moves that leave the number unchanged) each player has; `None` if unlimited.
    #[inline]
    pub fn passes(&self) -> Option<u8> {
        self.passes
    }

    /// The consequence of having no legal move.
    #[inline]
    pub fn stuck(&self) -> Stuck {
        self.stuck
    }

    /// How often a position may occur before the round is drawn; `None` if it's never drawn.
    pub fn repetition(&self) -> Option<u8> {
        (self.repetition > 0).then_some(self.repetition)
    }

    /// How many turns each player has before the number closer to the target wins; `None` if unlimited.
    #[inline]
    pub fn turns(&self) -> Option<u8> {
        self.turns
    }

    /// The claims of the book.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// The suggested match form.
    pub fn match_form(&self) -> Option<MatchForm> {
        self.match_form
    }

    /// The wording of the game.
    pub fn wording(&self) -> &Wording {
        &self.wording
    }
}

impl Rulebook {
    /// Whether the rules use anything beyond fixed operations and single numbers, that is, version 2 of the
    /// format.
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
    /// Whether every move changes the number in the same direction, so that no number occurs twice.
    pub fn goes_one_way(&self) -> bool {
        self.one_way(|_, _| true).is_some()
    }

    /// The direction of all moves, if they share one. Also `None` if no move changes the number.
    pub fn only_way(&self) -> Option<Way> {
        self.one_way(|_, _| true).flatten()
    }

    /// Whether no two entries ever offer the same move.
    pub(crate) fn each_move_has_one_entry(&self) -> bool {
        let pairs = self
            .moves
            .iter()
            .enumerate()
            .flat_map(|(place, entry)| self.moves[place + 1..].iter().map(move |later| (entry, later)));
        !pairs.into_iter().any(|(one, two)| one.overlaps(two))
    }

    /// The maximum number of moves that can be legal in one position.
    pub(crate) fn most_choices(&self) -> usize {
        if self.has_only_fixed_moves() { MOST_MOVES } else { MOST_CHOICES }
    }

    /// An estimate of the largest menu, from a sample of numbers.
    pub fn usual_choices(&self) -> usize {
        const SAMPLE: u64 = 200;
        if self.has_only_fixed_moves() {
            return self.moves.len();
        }
        let (low, high) = self.numbers_on_turn();
        let step = high.abs_diff(low) / SAMPLE + 1;
        let choices = |number: i64| self.moves.iter().map(|entry| entry.operations_at(number).count()).sum();
        // Includes the starts, which often have the most moves.
        let sample = (low..=high).step_by(step as usize).chain([self.start.0, self.start.1]);
        sample.map(choices).max().unwrap_or_default()
    }

    /// Whether a position can occur twice in a round. Spent uses and passes don't come back, so only
    /// unlimited moves count.
    pub fn may_repeat(&self) -> bool {
        let is_limited_pass = |way: Way| way == Way::Stays && self.passes.is_some();
        self.turns.is_none()
            && self.one_way(|entry, way| entry.uses.is_none() && !is_limited_pass(way)).is_none()
    }

    /// The direction of all moves that count, from every reachable number. The outer `None` means mixed
    /// directions or no change; the inner one means that no moves count.
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

    /// A superset of the reachable numbers, split by sign: negative, 0, positive. A direction depends only on
    /// the sign. In an empty range, the first number is above the last.
    fn signs_within_reach(&self) -> [(i64, i64); 3] {
        let (least, most) = self.within_reach();
        signs(least, most)
    }

    /// The ends of a superset of the reachable numbers. No move leads from one of them to a number outside, except
    /// past the target or out of the range.
    pub(crate) fn within_reach(&self) -> (i64, i64) {
        let (low, high) = self.range;
        let (mut least, mut most) = (self.start.0.min(self.start.1), self.start.0.max(self.start.1));
        loop {
            let before = (least, most);
            // Only fixed moves that lead away from 0 can cross it, including limited ones. Moving towards 0,
            // a division gets no further than 1 or -1, and a computed move no further than 0.
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
                return before;
            }
        }
    }
}

/// Splits numbers by sign: negative, 0, positive.
fn signs(least: i64, most: i64) -> [(i64, i64); 3] {
    [(least, most.min(-1)), (least.max(0), most.min(0)), (least.max(1), most)]
}
